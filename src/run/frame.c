// Frame files: written once, never touched again.
#include "run/frame.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/status.h"
#include "io/obj.h"
#include "io/ply.h"
#include "io/pvd.h"
#include "io/stl.h"
#include "io/vtp.h"
#include "world/frames.h"

#include <stdio.h>
#include <string.h>

const char *dew_frame_extension(dew_SurfaceFormat format)
{
    switch (format) {
    case DEW_SURFACE_PLY:
        return "ply";
    case DEW_SURFACE_OBJ:
        return "obj";
    case DEW_SURFACE_STL:
        return "stl";
    case DEW_SURFACE_VTP:
        return "vtp";
    default:
        return NULL;
    }
}

typedef struct Format {
    dew_SurfaceFormat of;
    bool has_values_only;  // PLY without positions and faces
} Format;

static dew_Status write_mesh(const dew_Mesh *mesh, Format format, double time_s, dew_Sink *sink)
{
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    def.time_s = time_s;
    def.is_compressed = true;
    if (format.has_values_only)
        return dew_ply_write_values(mesh, &def, sink);
    switch (format.of) {
    case DEW_SURFACE_OBJ:
        return dew_obj_write(mesh, &def, sink);
    case DEW_SURFACE_STL:
        return dew_stl_write(mesh, &def, sink);
    case DEW_SURFACE_VTP:
        return dew_vtp_write(mesh, &def, sink);
    default:
        return dew_ply_write(mesh, &def, sink);
    }
}

// ---- one file ----------------------------------------------------------------------------------

void dew_frame_file_init(dew_FrameFile *file, const dew_Allocator *allocator)
{
    *file = (dew_FrameFile){.clock = NULL};
    dew_array_init(&file->bytes, allocator, 1);
}

void dew_frame_file_deinit(dew_FrameFile *file)
{
    dew_array_deinit(&file->bytes);
}

dew_Sink dew_frame_file_begin(dew_FrameFile *file)
{
    dew_Sink sink;
    file->bytes.count = 0;
    dew_sink_begin_memory(&sink, &file->bytes);
    return sink;
}

/// Is the file at `path` what would be written now?
static dew_Status compare(const char *path, const dew_Array *bytes)
{
    uint8_t *data = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(path, (size_t)-1 / 4, &bytes->allocator, &data, &size));
    bool is_same = size == (size_t)bytes->count && memcmp(data, bytes->data, size) == 0;
    dew_free(&bytes->allocator, data, size + 1);
    if (!is_same)
        return dew_fail(DEW_BAD_INPUT,
                        "%s is there already and is not what this run makes "
                        "(move it away, or start anew with --overwrite)",
                        path);
    return dew_ok();
}

static dew_Status write_bytes(const char *path, const dew_Array *bytes)
{
    dew_FileWriter writer;
    if (dew_file_exists(path))
        return compare(path, bytes);
    DEW_TRY(dew_file_begin(&writer, path, &bytes->allocator));
    dew_file_write(&writer, bytes->data, (size_t)bytes->count);
    return dew_file_commit(&writer);
}

dew_Status dew_frame_file_end(dew_FrameFile *file, dew_Sink *sink, dew_Status status,
                              dew_RunPath path)
{
    status = dew_sink_end(sink, status);
    dew_stage_end(file->clock, DEW_FRAME_ENCODING);
    if (status.code == DEW_OK)
        status = write_bytes(path.text, &file->bytes);
    dew_stage_end(file->clock, DEW_FRAME_WRITING);
    return status;
}

static dew_Status save_mesh(dew_RunPath path, const dew_Mesh *mesh, Format format, double time_s,
                            dew_FrameFile *file)
{
    dew_Sink sink = dew_frame_file_begin(file);
    return dew_frame_file_end(file, &sink, write_mesh(mesh, format, time_s, &sink), path);
}

// ---- kinds of files ----------------------------------------------------------------------------

dew_Status dew_frame_save(const dew_RunDirectory *directory, dew_SurfaceFormat format,
                          int64_t frame, double time_s, const dew_Surface *surface,
                          const dew_SurfaceValues *values, dew_Mesh *mesh, dew_FrameFile *file)
{
    const char *extension = dew_frame_extension(format);
    if (!extension)
        return dew_ok();
    DEW_TRY(dew_surface_to_mesh(surface, mesh));
    DEW_TRY(dew_surface_add_values(values, surface, mesh));
    return save_mesh(dew_run_frame_path(directory, "surface", frame, extension), mesh,
                     (Format){format, false}, time_s, file);
}

dew_Status dew_frame_save_solid(const dew_RunDirectory *directory, const char *solid, int64_t frame,
                                double time_s, dew_SolidFile kind, const dew_Mesh *mesh,
                                dew_FrameFile *file)
{
    static const Format formats[] = {[DEW_SOLID_FILE_PLY] = {DEW_SURFACE_PLY, false},
                                     [DEW_SOLID_FILE_VALUES] = {DEW_SURFACE_PLY, true},
                                     [DEW_SOLID_FILE_VTP] = {DEW_SURFACE_VTP, false}};
    const char *extension = dew_frame_extension(formats[kind].of);
    return save_mesh(dew_run_solid_path(directory, solid, frame, extension), mesh, formats[kind],
                     time_s, file);
}

dew_Status dew_frame_save_particles(const dew_RunDirectory *directory, dew_ParticleFormat format,
                                    int64_t frame, double time_s, const dew_Mesh *points,
                                    dew_FrameFile *file)
{
    dew_SurfaceFormat as = format == DEW_PARTICLES_VTP ? DEW_SURFACE_VTP : DEW_SURFACE_PLY;
    return save_mesh(dew_run_frame_path(directory, "particles", frame, dew_frame_extension(as)),
                     points, (Format){as, false}, time_s, file);
}

// ---- the list of files -------------------------------------------------------------------------

dew_RunSeries dew_run_series(const dew_OutputDef *output)
{
    dew_RunSeries series = {0};
    if (output->surface == DEW_SURFACE_VTP)
        series.kind[series.count++] = (dew_RunSeriesKind){"surface", "vtp"};
    if (output->volume == DEW_VOLUME_VTI)
        series.kind[series.count++] = (dew_RunSeriesKind){"volume", "vti"};
    if (output->particles == DEW_PARTICLES_VTP)
        series.kind[series.count++] = (dew_RunSeriesKind){"particles", "vtp"};
    return series;
}

/// The last of a solid's files up to that frame.
static char *solid_file(dew_Arena *arena, const dew_RunSolidSeries *solid, int64_t frame)
{
    int64_t last = 0;
    if (solid->frame_count == 0)
        return dew_arena_format(arena, "frames/solid.%s.vtp", solid->name);
    while (last + 1 < solid->frame_count && solid->frames[last + 1] <= frame)
        last++;
    return dew_arena_format(arena, "frames/solid.%s.%04lld.vtp", solid->name,
                            (long long)solid->frames[last]);
}

/// The name of a part of a frame, and its file; NULL where memory is lacking.
static dew_PvdFrame part_of_frame(dew_Arena *arena, const dew_RunSeries *series, int part,
                                  int64_t frame)
{
    if (part < series->count) {
        const dew_RunSeriesKind *kind = &series->kind[part];
        return (dew_PvdFrame){.part = part,
                              .name = kind->name,
                              .file = dew_arena_format(arena, "frames/%s.%04lld.%s", kind->name,
                                                       (long long)frame, kind->extension)};
    }
    const dew_RunSolidSeries *solid = &series->solids[part - series->count];
    return (dew_PvdFrame){.part = part,
                          .name = dew_arena_format(arena, "solid.%s", solid->name),
                          .file = solid_file(arena, solid, frame)};
}

static dew_Status list_frames(dew_Arena *arena, const dew_RunSeries *series, int64_t frame_count,
                              double rate_Hz, double end_s, dew_PvdFrame **out)
{
    int parts = series->count + series->solid_count;
    int64_t count = frame_count * parts;
    *out = dew_arena_array(arena, dew_PvdFrame, count);
    for (int64_t i = 0; *out && i < count; i++) {
        dew_PvdFrame part = part_of_frame(arena, series, (int)(i % parts), i / parts);
        part.time_s = dew_frame_time_s(i / parts, end_s, rate_Hz);
        (*out)[i] = part;
        if (!part.file || !part.name)
            *out = NULL;
    }
    return *out ? dew_ok() : dew_no_memory((size_t)count * sizeof **out);
}

dew_Status dew_run_list_save(const dew_RunDirectory *directory, const dew_RunSeries *series,
                             int64_t frame_count, double rate_Hz, double end_s,
                             const dew_Allocator *allocator)
{
    dew_Arena arena;
    dew_PvdFrame *frames;
    if (series->count == 0)
        return dew_ok();
    dew_arena_init(&arena, allocator);
    dew_Status status = list_frames(&arena, series, frame_count, rate_Hz, end_s, &frames);
    if (status.code == DEW_OK)
        status = dew_pvd_save(dew_run_path(directory, "run.pvd").text, frames,
                              frame_count * (series->count + series->solid_count), allocator);
    dew_arena_deinit(&arena);
    return status;
}
