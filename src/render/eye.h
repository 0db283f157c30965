/// The camera's eye among solids: one that the scene gives must be outside, one found by itself
/// gets out.
#pragma once

#include "problem/problem.h"
#include "render/camera.h"

/// DEW_BAD_INPUT with the place in the scene when a solid that rests has camera.eye inside. Solids
/// that move may pass over it, and walls are not drawn from behind.
dew_Status dew_eye_check(const dew_Problem *problem, const dew_Instant *instant);

/// An eye in a solid, or outside the container that the subject is in, comes nearer to the
/// subject's middle until it is free, and the view gets wider by as much, up to a right angle.
/// Where there is no free place it stays.
void dew_eye_free(const dew_Problem *problem, const dew_Instant *instant, dew_Vec3 middle_m,
                  dew_Camera *camera);
