/// The frames of a run directory, read back: for images and playback. Needs no lock, also while
/// the run is under way: a frame's file is there whole or not at all.
#pragma once

#include "base/array.h"
#include "dew/scene.h"
#include "geom/mesh.h"
#include "surface/surface.h"

/// Numbers of the frames whose surface is there, ascending, into an array of int64_t.
dew_Status dew_frames_find(const char *directory, dew_SurfaceFormat format, dew_Array *out);

/// Reads frames/surface.NNNN with velocities and wet flags, where the format has them. Log may be
/// NULL.
dew_Status dew_frame_load(const char *directory, dew_SurfaceFormat format, int64_t frame,
                          const dew_Log *log, dew_Surface *out);

/// Reads frames/solid.NAME.ply with the wetness of the last frames/solid.NAME.NNNN.ply up to the
/// frame; *is_there false (and an empty mesh) when there is none.
dew_Status dew_frame_load_wetness(const char *directory, const char *solid, int64_t frame,
                                  const dew_Log *log, dew_Mesh *out, bool *is_there);
