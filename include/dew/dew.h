/// Dew: water drops on surfaces. The whole public interface.
#pragma once

#include "dew/base.h"
#include "dew/drops.h"
#include "dew/fields.h"
#include "dew/geometry.h"
#include "dew/grid.h"
#include "dew/mesh.h"
#include "dew/query.h"
#include "dew/render.h"
#include "dew/run.h"
#include "dew/scene.h"
#include "dew/surface.h"
#include "dew/tasks.h"
#include "dew/text.h"
#include "dew/units.h"
#include "dew/wetting.h"
#include "dew/world.h"
