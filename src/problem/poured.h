/// The liquid at the start as a Surface: what a scene looks like before anything has moved.
#pragma once

#include "problem/problem.h"
#include "surface/surface.h"

/// The meshes of all pieces of liquid with their velocities; wet where they touch a solid or lie
/// within one. Pieces that overlap are not united. Fine enough to look round in a picture; a scene
/// with very many pieces gets coarser ones. An instant of NULL stands for all solids at rest.
dew_Status dew_problem_poured(const dew_Problem *problem, const dew_Instant *instant,
                              dew_Surface *out);
