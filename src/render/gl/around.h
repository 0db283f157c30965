/// The surroundings for the live level: octahedral, in bytes.
#pragma once

#include "base/tasks.h"

/// For what is seen without bending, and for what drops show: much in few pixels, so that less is
/// more.
enum { DEW_GL_AROUND_PX = 512, DEW_GL_SMALL_PX = DEW_GL_AROUND_PX / 2 };

/// rgba[4 * px * px] from the map of dew_gl_map_fill. Outermost texels have their middles on the
/// square's border, so that nothing is to be filtered across it. Light is (rgb / alpha)^2: alpha is
/// 1 where light is at most 1.
dew_Status dew_gl_around_fill(const float *map_rgba, int px, dew_Tasks *tasks, uint8_t *rgba);
