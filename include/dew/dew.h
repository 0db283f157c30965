/// Dew: water drops on surfaces. The whole public interface.
#pragma once

#include "dew/base.h"
#include "dew/render.h"
#include "dew/scene.h"
#include "dew/surface.h"
#include "dew/world.h"
