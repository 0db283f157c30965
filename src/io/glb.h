/// glTF 2.0 in one binary file (.glb) [Khronos2021].
///
/// Meshes that change come as a node per frame, of which a track of scales with the interpolation
/// STEP shows one at a time: the way of glTF for changing topology. A mesh that does not change is
/// written once, arrays that do not change (the positions of a solid whose wetness does) too.
/// Moving objects have tracks of translation and rotation. Velocities and further attributes are
/// custom attributes: _VELOCITY, _WET, _DROP. One animation, which begins at 0 and lasts a frame
/// interval per frame; the numbers of the frames and their rate are among the extras of the asset.
///
/// Extensions, none of them required: KHR_lights_punctual, KHR_materials_transmission, _ior and
/// _volume.
///
/// Limit of the format: 4 GB. A frame that goes beyond it is a failure that says which one.
#pragma once

#include "io/animation.h"

extern const dew_AnimationOps dew_glb_ops;

/// For tests: another limit than 4 GB.
void dew_glb_set_limit(void *writer, int64_t max_bytes);
