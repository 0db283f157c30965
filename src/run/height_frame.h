/// frames/height.NNNN.csv, .vti or .npy: the columns of a solver that has a height field.
#pragma once

#include "run/frame.h"
#include "world/world_state.h"

/// The format that output.height asks for: `auto` is a table, and nothing where no surface is
/// written.
dew_HeightFormat dew_height_format(const dew_OutputDef *output);

/// Writes x,z,ground,depth,velocity_x,velocity_z,distance in single precision, a row per column of
/// liquid or dry ground, those along x first. Velocities are means over the column. Nothing for
/// other solvers; a frame that is there already must be the same.
dew_Status dew_height_frame_save(const dew_RunDirectory *directory, const dew_World *world,
                                 int64_t frame, dew_FrameFile *file);
