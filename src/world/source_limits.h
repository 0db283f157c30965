/// Liquid that is faster, and sources that bring more, than a solver could take: refused before
/// anything is made.
#pragma once

#include "dew/scene.h"

/// DEW_BAD_INPUT with the key of the first drop or source that is too fast or too frequent. See the
/// file for the bounds.
dew_Status dew_scene_check_speeds(const dew_Scene *scene);
