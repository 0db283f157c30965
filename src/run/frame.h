/// Frame files: the surface as triangles, in the format that the scene asks for.
#pragma once

#include "base/stage_clock.h"
#include "dew/scene.h"
#include "geom/mesh.h"
#include "io/sink.h"
#include "run/directory.h"
#include "run/surface_attributes.h"
#include "surface/surface.h"

/// The ending of the scene's format; NULL: no surface is written.
const char *dew_frame_extension(dew_SurfaceFormat format);

/// A frame file in the making: encoded in memory, then written, or compared with what is there.
typedef struct dew_FrameFile {
    dew_Array bytes;        // kept from frame to frame
    dew_StageClock *clock;  // of the stages below; NULL: nobody measures
} dew_FrameFile;

/// Stages of a frame file. Those of a run's clock, run_state.h, begin with them.
enum { DEW_FRAME_ENCODING, DEW_FRAME_WRITING, DEW_FRAME_STAGE_COUNT };

void dew_frame_file_init(dew_FrameFile *file, const dew_Allocator *allocator);
void dew_frame_file_deinit(dew_FrameFile *file);
/// A sink for the bytes of the next file.
dew_Sink dew_frame_file_begin(dew_FrameFile *file);
/// Ends the sink, unless `status` is a failure, and writes the bytes as a whole. A file that is
/// there already stays as it is: when it is what this run makes (it was made before a crash) all is
/// well, else this fails.
dew_Status dew_frame_file_end(dew_FrameFile *file, dew_Sink *sink, dew_Status status,
                              dew_RunPath path);

/// Writes frames/surface.NNNN.
dew_Status dew_frame_save(const dew_RunDirectory *directory, dew_SurfaceFormat format,
                          int64_t frame, double time_s, const dew_Surface *surface,
                          const dew_SurfaceValues *values, dew_Mesh *mesh, dew_FrameFile *file);

/// Files of a solid: the mesh as PLY, the values of its vertices alone as PLY, the mesh as VTP.
typedef enum dew_SolidFile {
    DEW_SOLID_FILE_PLY,
    DEW_SOLID_FILE_VALUES,
    DEW_SOLID_FILE_VTP
} dew_SolidFile;

/// Writes frames/solid.NAME.NNNN.ply or .vtp, or without a number (frame DEW_INVALID), in the same
/// way.
dew_Status dew_frame_save_solid(const dew_RunDirectory *directory, const char *solid, int64_t frame,
                                double time_s, dew_SolidFile kind, const dew_Mesh *mesh,
                                dew_FrameFile *file);

/// Writes frames/particles.NNNN.ply or .vtp, a cloud of points, in the same way.
dew_Status dew_frame_save_particles(const dew_RunDirectory *directory, dew_ParticleFormat format,
                                    int64_t frame, double time_s, const dew_Mesh *points,
                                    dew_FrameFile *file);

/// Kinds of frame files that ParaView reads: those of VTK's XML formats.
typedef struct dew_RunSeriesKind {
    const char *name, *extension;
} dew_RunSeriesKind;

/// VTP files of a solid: of these frames, each up to the next; none: one file without a number.
typedef struct dew_RunSolidSeries {
    const char *name;
    const int64_t *frames;  // ascending
    int64_t frame_count;
} dew_RunSolidSeries;

typedef struct dew_RunSeries {
    dew_RunSeriesKind kind[3];
    int count;
    const dew_RunSolidSeries *solids;
    int solid_count;
} dew_RunSeries;

dew_RunSeries dew_run_series(const dew_OutputDef *output);

/// run.pvd: which file of each kind belongs to which time. `frame_count` frames of `rate_Hz`, up to
/// end_s. Nothing is written when there is no such kind.
dew_Status dew_run_list_save(const dew_RunDirectory *directory, const dew_RunSeries *series,
                             int64_t frame_count, double rate_Hz, double end_s,
                             const dew_Allocator *allocator);
