/// frames/particles.NNNN.ply or .vtp: the particles of a solver that has some, with velocity and
/// id.
#pragma once

#include "run/frame.h"
#include "world/world_state.h"

/// Writes the frame, unless the scene wants none; a file that is there already must be the same.
dew_Status dew_particle_frame_save(const dew_RunDirectory *directory, const dew_World *world,
                                   int64_t frame, dew_FrameFile *file);
