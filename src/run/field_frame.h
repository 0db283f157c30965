/// frames/volume.NNNN.vdb or .vti: phi, velocity, level set and distance to solids of
/// a grid solver.
#pragma once

#include "run/directory.h"
#include "world/world_state.h"

/// DEW_BAD_INPUT when output.half is too coarse for the scene's cells.
dew_Status dew_field_frame_check(const dew_World *world);
/// Writes the frame, unless the scene wants none. A file that is there already stays as it is.
dew_Status dew_field_frame_save(const dew_RunDirectory *directory, dew_World *world, int64_t frame);
