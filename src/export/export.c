// A run as one file: reads frames and solids of a run directory and hands them to the writer of a
// scene format, frame by frame.
#include "base/cookie.h"
#include "base/status.h"
#include "dew/run.h"
#include "dew/text.h"
#include "export/format_table.h"
#include "export/frame_mesh.h"
#include "export/liquid_objects.h"
#include "export/looks.h"
#include "export/solid_objects.h"
#include "io/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Particles {
    dew_ParticleFormat format;  // DEW_PARTICLES_NONE: no object
    dew_Mesh mesh;
    dew_ExportLayout layout;
    dew_ExportStage stage;
} Particles;

typedef struct Exporter {
    const dew_RunExportDef *def;
    const dew_ExportFormat *format;
    dew_ExportSpace space;
    dew_RunReader *reader;
    dew_Problem *problem;
    int64_t first, last;  // numbers of frames
    dew_ExportLiquid liquid;
    dew_ExportSolids solids;
    Particles particles;
    dew_ExportLooks looks;
    dew_AnimationDef animation;
    dew_AnimationObject *objects;  // liquid, particles, solids
    dew_AnimationState *states;
    char software[64];
    dew_Arena arena;
} Exporter;

dew_RunExportDef dew_default_run_export_def(void)
{
    return (dew_RunExportDef){
        .first_frame = -1, .last_frame = -1, .scale = 1, .cookie = DEW_COOKIE};
}

// ---- frames ------------------------------------------------------------------------------------

static dew_Status check_gaps(const Exporter *e)
{
    int64_t next = e->first;
    for (int64_t i = 0; i < dew_run_reader_frame_count(e->reader); i++) {
        int64_t frame = dew_run_reader_frame(e->reader, i);
        if (frame > next && next <= e->last)
            break;
        next += frame == next;
    }
    if (next > e->last)
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT, "%s: frame %lld is missing (frames %lld to %lld were asked for)",
                    e->def->directory, (long long)next, (long long)e->first, (long long)e->last);
}

static dew_Status choose_frames(Exporter *e)
{
    const dew_RunExportDef *def = e->def;
    int64_t count = dew_run_reader_frame_count(e->reader);
    if (dew_scene_def(dew_run_reader_scene(e->reader))->output.surface == DEW_SURFACE_NONE)
        return dew_fail(DEW_BAD_INPUT, "%s: the run wrote no surfaces (output.surface: none)",
                        def->directory);
    if (count == 0)
        return dew_fail(DEW_BAD_INPUT, "%s: there are no frames to export", def->directory);
    int64_t lowest = dew_run_reader_frame(e->reader, 0);
    int64_t highest = dew_run_reader_frame(e->reader, count - 1);
    e->first = def->first_frame >= 0 ? def->first_frame : lowest;
    e->last = def->last_frame >= 0 ? def->last_frame : highest;
    if (e->first > e->last || e->first > highest || e->last < lowest)
        return dew_fail(DEW_BAD_INPUT, "%s: no frame in that range (there are %lld to %lld)",
                        def->directory, (long long)lowest, (long long)highest);
    return check_gaps(e);
}

// ---- particles ---------------------------------------------------------------------------------

static dew_Status begin_particles(Exporter *e)
{
    Particles *p = &e->particles;
    p->format = dew_scene_def(dew_run_reader_scene(e->reader))->output.particles;
    dew_mesh_init(&p->mesh, &e->def->allocator);
    dew_export_stage_init(&p->stage, &e->def->allocator);
    if (p->format == DEW_PARTICLES_NONE)
        return dew_ok();
    for (int64_t frame = e->first; frame <= e->last && p->mesh.positions.count == 0; frame++)
        DEW_TRY(dew_frame_particles_load(e->def->directory, p->format, frame, &p->mesh));
    if (p->mesh.positions.count == 0)
        p->format = DEW_PARTICLES_NONE;
    return dew_export_layout_of(&p->mesh, &e->arena, &p->layout);
}

static dew_Status read_particles(Exporter *e, int64_t frame, dew_AnimationState *out)
{
    Particles *p = &e->particles;
    DEW_TRY(dew_frame_particles_load(e->def->directory, p->format, frame, &p->mesh));
    DEW_TRY(dew_export_stage_fill(&p->stage, &p->layout, &p->mesh, e->space));
    *out = (dew_AnimationState){.mesh = &p->stage.mesh,
                                .pose = {{0, 0, 0, 1}, {0, 0, 0}},
                                .is_visible = p->mesh.positions.count > 0};
    return dew_ok();
}

static dew_AnimationObject particles_object(const Particles *p)
{
    return (dew_AnimationObject){.name = "particles",
                                 .kind = DEW_ANIMATION_PARTICLES,
                                 .has_static_pose = true,
                                 .attribute_count = p->layout.attribute_count,
                                 .attribute_names = p->layout.names,
                                 .attribute_component_counts = p->layout.component_counts,
                                 .has_normals = p->layout.has_normals,
                                 .has_velocities = p->layout.has_velocities};
}

// ---- the animation -----------------------------------------------------------------------------

static bool is_taken(const Exporter *e, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(e->objects[i].name, name) == 0)
            return true;
    return false;
}

// A solid that is called like the liquid gets a number behind its name.
static dew_Status make_unique(Exporter *e, int index)
{
    const char *name = e->objects[index].name;
    for (int number = 2; is_taken(e, index, e->objects[index].name); number++) {
        e->objects[index].name = dew_arena_format(&e->arena, "%s_%d", name, number);
        if (!e->objects[index].name)
            return dew_no_memory(strlen(name));
    }
    return dew_ok();
}

static dew_Status list_objects(Exporter *e)
{
    int liquid = dew_export_liquid_count(&e->liquid);
    int particles = e->particles.format != DEW_PARTICLES_NONE;
    int count = liquid + particles + e->solids.count;
    e->objects = dew_arena_array(&e->arena, dew_AnimationObject, count);
    e->states = dew_arena_array(&e->arena, dew_AnimationState, count);
    if (!e->objects || !e->states)
        return dew_no_memory((size_t)count * sizeof *e->objects);
    DEW_TRY(dew_export_liquid_objects(&e->liquid, &e->arena, e->objects));
    if (particles)
        e->objects[liquid] = particles_object(&e->particles);
    dew_export_solids_objects(&e->solids, e->objects + liquid + particles);
    for (int i = liquid; i < count; i++)
        DEW_TRY(make_unique(e, i));
    e->animation.object_count = count;
    e->animation.objects = e->objects;
    return dew_ok();
}

static dew_Status describe(Exporter *e)
{
    const dew_SceneDef *scene = dew_scene_def(dew_run_reader_scene(e->reader));
    snprintf(e->software, sizeof e->software, "Dew %s", dew_version());
    DEW_TRY(dew_export_looks_materials(&e->looks, e->problem, &e->solids, e->space, &e->arena));
    DEW_TRY(dew_export_looks_lights(&e->looks, e->problem, e->space));
    DEW_TRY(dew_export_looks_camera(&e->looks, e->reader, e->problem, e->first, e->last, e->space));
    e->animation = (dew_AnimationDef){.title = scene->title ? scene->title : "",
                                      .software = e->software,
                                      .first_frame = e->first,
                                      .frame_count = e->last - e->first + 1,
                                      .frame_rate_Hz = scene->frame_rate_Hz,
                                      .meters_per_unit = 1 / e->space.scale,
                                      .is_z_up = e->space.is_z_up,
                                      .material_count = (int)e->looks.materials.count,
                                      .materials = e->looks.materials.data,
                                      .camera = e->looks.has_camera ? &e->looks.camera : NULL,
                                      .light_count = (int)e->looks.lights.count,
                                      .lights = e->looks.lights.data};
    return list_objects(e);
}

/// The liquid of a run meets the solids that it was simulated with: another mesh is worth a
/// warning.
static dew_Status warn_of_changes(const Exporter *e)
{
    dew_Status status = dew_run_reader_check_files(e->reader);
    if (status.code != DEW_BAD_INPUT)
        return status;
    dew_log_line(&e->def->log, DEW_LOG_WARNING, status.message);
    return dew_ok();
}

static dew_Status gather(Exporter *e)
{
    const dew_RunExportDef *def = e->def;
    dew_RunReaderDef reader = dew_default_run_reader_def();
    reader.directory = def->directory;
    reader.log = def->log;
    reader.allocator = def->allocator;
    DEW_TRY(dew_run_reader_create(&reader, &e->reader));
    DEW_TRY(choose_frames(e));
    DEW_TRY(warn_of_changes(e));
    dew_ProblemDef problem = {.allocator = def->allocator, .log = def->log};
    DEW_TRY(dew_problem_create(dew_run_reader_scene(e->reader), &problem, &e->problem));
    e->liquid.space = e->solids.space = e->space;
    DEW_TRY(dew_export_liquid_begin(&e->liquid, e->reader, def->directory, e->first, e->last,
                                    def->splits_drops, &e->arena));
    DEW_TRY(begin_particles(e));
    DEW_TRY(
        dew_export_solids_begin(&e->solids, e->reader, e->problem, e->first, e->last, &e->arena));
    return describe(e);
}

// ---- writing -----------------------------------------------------------------------------------

static dew_Status report(const Exporter *e, int64_t done)
{
    const dew_RunExportDef *def = e->def;
    if (!def->progress || def->progress(def->context, done, e->animation.frame_count))
        return dew_ok();
    return dew_fail(DEW_INTERRUPTED, "the export was interrupted; no file was written");
}

static dew_Status write_frame(Exporter *e, int64_t frame, void *writer)
{
    dew_AnimationState *next = e->states;
    DEW_TRY(dew_export_liquid_frame(&e->liquid, frame, next));
    next += dew_export_liquid_count(&e->liquid);
    if (e->particles.format != DEW_PARTICLES_NONE)
        DEW_TRY(read_particles(e, frame, next++));
    DEW_TRY(dew_export_solids_frame(&e->solids, frame, next));
    return e->format->ops->frame(writer, dew_run_reader_time_s(e->reader, frame), e->states);
}

static dew_Status write_frames(Exporter *e, dew_Sink *sink, void *writer)
{
    DEW_TRY(report(e, 0));
    for (int64_t frame = e->first; frame <= e->last; frame++) {
        DEW_TRY(write_frame(e, frame, writer));
        DEW_TRY(sink->file.status);  // a full disk ends it now
        DEW_TRY(report(e, frame - e->first + 1));
    }
    return e->format->ops->finish(writer);
}

static dew_Status write_file(Exporter *e)
{
    dew_Sink sink;
    void *writer = NULL;
    DEW_TRY(dew_sink_begin_file(&sink, e->def->path, &e->def->allocator));
    dew_Status status = e->format->ops->create(&e->animation, &e->def->allocator, &sink, &writer);
    if (status.code == DEW_OK)
        status = write_frames(e, &sink, writer);
    e->format->ops->destroy(writer);
    return dew_sink_end(&sink, status);
}

// ---- all of it ---------------------------------------------------------------------------------

static void warn_of_axis(const Exporter *e)
{
    char words[128];
    snprintf(words, sizeof words,
             "y is up in every .%s file: readers will show this one lying on its side",
             e->format->extension);
    dew_log_line(&e->def->log, DEW_LOG_WARNING, words);
}

static dew_Status begin(Exporter *e)
{
    const dew_RunExportDef *def = e->def;
    DEW_TRY(dew_export_format_find(def->path, &e->format));
    if (!(def->scale > 0) || isinf(def->scale))
        return dew_fail(DEW_BAD_INPUT, "a scale of %g (a number above 0 is wanted)", def->scale);
    DEW_TRY(dew_output_check(def->path));
    if (def->is_z_up && e->format->is_y_up)
        warn_of_axis(e);
    return dew_ok();
}

static void end(Exporter *e)
{
    dew_export_liquid_end(&e->liquid);
    dew_export_solids_end(&e->solids);
    dew_mesh_deinit(&e->particles.mesh);
    dew_export_stage_deinit(&e->particles.stage);
    dew_export_looks_deinit(&e->looks);
    dew_problem_destroy(e->problem);
    dew_run_reader_destroy(e->reader);
    dew_arena_deinit(&e->arena);
}

dew_Status dew_run_export(const dew_RunExportDef *def)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE && def->directory && def->path);
    Exporter e = {.def = def, .space = {def->scale, def->is_z_up}};
    DEW_TRY(begin(&e));
    dew_arena_init(&e.arena, &def->allocator);
    dew_export_looks_init(&e.looks, &def->allocator);
    dew_Status status = gather(&e);
    if (status.code == DEW_OK)
        status = write_file(&e);
    end(&e);
    return status;
}
