// Solids, frame by frame.
//
// A pose p turns by R about a reference point c and moves it by t: x = R (x0 - c) + c + t. Files
// have R and the rest, c + t - R c, each in their own space.
#include "export/solid_objects.h"

#include "base/status.h"
#include "export/creases.h"
#include "render/solid_look.h"

#include <string.h>

#define CREASE DEW_DEG(40)  // as in images

static const char *name_of(const dew_ExportSolids *s, const dew_ExportSolid *solid)
{
    return dew_problem_solid_name(s->problem, solid->solid_id);
}

// ---- meshes ------------------------------------------------------------------------------------

static dew_Status try_wet(dew_ExportSolids *s, dew_ExportSolid *solid, int64_t index)
{
    int64_t frame = dew_run_reader_frame(s->reader, index);
    DEW_TRY(dew_run_reader_wetness(s->reader, name_of(s, solid), frame, &s->read));
    solid->is_wet = s->read.triangles.count > 0;
    return dew_ok();
}

// The mesh with wetness of the last frame up to `first` that has one, else of the first one behind;
// is_wet false: there is none.
static dew_Status find_wet(dew_ExportSolids *s, dew_ExportSolid *solid, int64_t first, int64_t last)
{
    int64_t count = dew_run_reader_frame_count(s->reader), begin = 0;
    if (!dew_problem_def(s->problem)->output.wetmap)
        return dew_ok();
    while (begin < count && dew_run_reader_frame(s->reader, begin) <= first)
        begin++;
    for (int64_t i = begin - 1; i >= 0 && !solid->is_wet; i--)
        DEW_TRY(try_wet(s, solid, i));
    for (int64_t i = begin; i < count && !solid->is_wet; i++)
        if (dew_run_reader_frame(s->reader, i) <= last)
            DEW_TRY(try_wet(s, solid, i));
    return dew_ok();
}

static dew_Status make_mesh(dew_ExportSolids *s, dew_ExportSolid *solid, int64_t first,
                            int64_t last)
{
    DEW_TRY(find_wet(s, solid, first, last));
    if (!solid->is_wet)
        DEW_TRY(dew_problem_solid_mesh(s->problem, solid->solid_id,
                                       dew_solid_drawn_edge_m(s->problem, solid->solid_id),
                                       &s->read));
    return dew_crease_split(&s->read, CREASE, &s->scratch, &solid->mesh);
}

static dew_Status add_solid(dew_ExportSolids *s, int solid_id, int64_t first, int64_t last,
                            dew_Arena *arena)
{
    dew_ExportSolid *solid = &s->solids[s->count++];
    *solid = (dew_ExportSolid){.solid_id = solid_id};
    dew_mesh_init(&solid->mesh, &arena->allocator);
    dew_export_stage_init(&solid->stage, &arena->allocator);
    DEW_TRY(make_mesh(s, solid, first, last));
    return dew_export_layout_of(&solid->mesh, arena, &solid->layout);
}

dew_Status dew_export_solids_begin(dew_ExportSolids *s, dew_RunReader *reader,
                                   const dew_Problem *problem, int64_t first, int64_t last,
                                   dew_Arena *arena)
{
    int count = dew_problem_solid_count(problem);
    s->reader = reader;
    s->problem = problem;
    dew_mesh_init(&s->read, &arena->allocator);
    dew_arena_init(&s->scratch, &arena->allocator);
    s->solids = dew_arena_array(arena, dew_ExportSolid, count);
    s->poses = dew_arena_array(arena, dew_SolidPose, count);
    if (!s->solids || !s->poses)
        return dew_no_memory((size_t)count * sizeof *s->solids);
    for (int i = 0; i < count; i++) {
        DEW_TRY(add_solid(s, i, first, last, arena));
        if (s->solids[s->count - 1].mesh.triangles.count > 0)
            continue;
        dew_ExportSolid *none = &s->solids[--s->count];  // a plane that does not cut the domain
        dew_mesh_deinit(&none->mesh);
        dew_export_stage_deinit(&none->stage);
    }
    return dew_ok();
}

void dew_export_solids_end(dew_ExportSolids *s)
{
    for (int i = 0; i < s->count; i++) {
        dew_mesh_deinit(&s->solids[i].mesh);
        dew_export_stage_deinit(&s->solids[i].stage);
    }
    dew_mesh_deinit(&s->read);
    dew_arena_deinit(&s->scratch);
}

void dew_export_solids_objects(const dew_ExportSolids *s, dew_AnimationObject *out)
{
    for (int i = 0; i < s->count; i++) {
        const dew_ExportSolid *solid = &s->solids[i];
        out[i] = (dew_AnimationObject){
            .name = name_of(s, solid),
            .kind = DEW_ANIMATION_SOLID,
            .material = solid->material,
            .has_static_mesh = !solid->is_wet,
            .has_static_pose = !dew_problem_solid_is_moving(s->problem, solid->solid_id),
            .attribute_count = solid->layout.attribute_count,
            .attribute_names = solid->layout.names,
            .attribute_component_counts = solid->layout.component_counts,
            .has_normals = true};
    }
}

// ---- frames ------------------------------------------------------------------------------------

static dew_AnimationPose file_pose(const dew_ExportSolids *s, int solid_id)
{
    const dew_SolidPose *pose = &s->poses[solid_id];
    dew_Vec3 c = dew_problem_solid_reference_m(s->problem, solid_id);
    dew_Vec3 t = dew_sub(dew_add(c, pose->translate_m), dew_rotate(pose->rotation, c));
    dew_Vec3 axis = dew_export_direction(s->space, pose->rotation.v);
    dew_Vec3 at = dew_export_point(s->space, t);
    return (dew_AnimationPose){{axis.x, axis.y, axis.z, pose->rotation.w}, {at.x, at.y, at.z}};
}

// The wet mesh of a frame; one without a file of its own has that of the frame before.
static dew_Status read_wet(dew_ExportSolids *s, dew_ExportSolid *solid, int64_t frame,
                           bool *is_there)
{
    DEW_TRY(dew_run_reader_wetness(s->reader, name_of(s, solid), frame, &s->read));
    *is_there = s->read.triangles.count > 0;
    return *is_there ? dew_crease_split(&s->read, CREASE, &s->scratch, &solid->mesh) : dew_ok();
}

dew_Status dew_export_solids_frame(dew_ExportSolids *s, int64_t frame, dew_AnimationState *out)
{
    dew_problem_dragged_poses(s->problem, dew_run_reader_time_s(s->reader, frame), s->poses);
    for (int i = 0; i < s->count; i++) {
        dew_ExportSolid *solid = &s->solids[i];
        bool has_mesh = !s->is_begun, is_there = false;
        if (solid->is_wet)
            DEW_TRY(read_wet(s, solid, frame, &is_there));
        if (has_mesh || is_there)
            DEW_TRY(dew_export_stage_fill(&solid->stage, &solid->layout, &solid->mesh, s->space));
        out[i] = (dew_AnimationState){.mesh = has_mesh || is_there ? &solid->stage.mesh : NULL,
                                      .pose = file_pose(s, solid->solid_id),
                                      .is_visible = true};
    }
    s->is_begun = true;
    return dew_ok();
}
