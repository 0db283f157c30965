/// Frame files: the surface as triangles, in the format that the scene asks for.
#pragma once

#include "dew/scene.h"
#include "geom/mesh.h"
#include "run/directory.h"
#include "surface/surface.h"

/// The ending of the scene's format; NULL: no surface is written.
const char *dew_frame_extension(dew_SurfaceFormat format);

/// Writes frames/surface.NNNN. A file that is there already stays as it is: when it is what this
/// run makes (it was made before a crash) all is well, else this fails.
dew_Status dew_frame_save(const dew_RunDirectory *directory, dew_SurfaceFormat format,
                          int64_t frame, double time_s, const dew_Surface *surface, dew_Mesh *mesh);

/// Writes frames/solid.NAME.NNNN.ply, a solid with its wetness, in the same way.
dew_Status dew_frame_save_wetness(const dew_RunDirectory *directory, const char *solid,
                                  int64_t frame, double time_s, const dew_Mesh *mesh);

/// Writes frames/particles.NNNN.ply or .vtp, a cloud of points, in the same way.
dew_Status dew_frame_save_particles(const dew_RunDirectory *directory, dew_ParticleFormat format,
                                    int64_t frame, double time_s, const dew_Mesh *points);

/// Kinds of frame files that ParaView reads: those of VTK's XML formats.
typedef struct dew_RunSeriesKind {
    const char *name, *extension;
} dew_RunSeriesKind;

typedef struct dew_RunSeries {
    dew_RunSeriesKind kind[3];
    int count;
} dew_RunSeries;

dew_RunSeries dew_run_series(const dew_OutputDef *output);

/// run.pvd: which file of each kind belongs to which time. `frame_count` frames of `rate_Hz`, up to
/// end_s. Nothing is written when there is no such kind.
dew_Status dew_run_list_save(const dew_RunDirectory *directory, const dew_RunSeries *series,
                             int64_t frame_count, double rate_Hz, double end_s,
                             const dew_Allocator *allocator);
