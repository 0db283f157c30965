// The scene resolved into a problem: solids first, then the liquid that stands on them, then
// sources.
//
// One arena holds all but the files' contents (see assets.h). What fails leaves nothing behind.
#include "problem/problem.h"
#include "problem/scene_events.h"

#include "base/status.h"
#include "problem/blob.h"
#include "problem/depth.h"
#include "problem/drop_warnings.h"
#include "problem/place.h"
#include "problem/resolved.h"
#include "problem/scatter.h"
#include "problem/scene_bounds.h"
#include "problem/solid_def.h"
#include "scene/schema.h"
#include "scene/traits.h"

#include <stdio.h>
#include <string.h>

#define HUGE_SOLID 1000.0  // times the domain: more is a slip of units

// ---- names -------------------------------------------------------------------------------------

static const char *const shape_names[DEW_SOLID_SHAPE_COUNT] = {
    "plane", "sphere", "box", "cylinder", "tube", "leaf", "mesh", "heightfield"};

int dew_problem_find_solid(const dew_Problem *problem, const char *name)
{
    for (int i = 0; i < problem->solid_count; i++) {
        const char *other = problem->solids[i].name;
        if (other && strcmp(other, name) == 0)
            return i;
    }
    return DEW_INVALID;
}

static bool is_among(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

// "plane2" for the second plane; a name that somebody gave to another solid is passed over.
static dew_Status name_unnamed(dew_Problem *problem)
{
    int given_count = 0, next[DEW_SOLID_SHAPE_COUNT] = {0};
    const char **given =
        (const char **)dew_arena_array(&problem->arena, char *, problem->solid_count);
    if (!given)
        return dew_no_memory((size_t)problem->solid_count * sizeof(char *));
    for (int i = 0; i < problem->solid_count; i++) {
        if (problem->solids[i].name)
            given[given_count++] = problem->solids[i].name;
    }
    for (int i = 0; i < problem->solid_count; i++) {
        dew_Solid *solid = &problem->solids[i];
        next[solid->shape]++;
        while (!solid->name) {
            char *name = dew_arena_format(&problem->arena, "%s%d", shape_names[solid->shape],
                                          next[solid->shape]);
            if (!name)
                return dew_no_memory(32);
            if (is_among(name, given, given_count))
                next[solid->shape]++;
            else
                solid->name = name;
        }
    }
    return dew_ok();
}

// ---- solids ------------------------------------------------------------------------------------

static void warn_of_scale(const dew_Problem *problem, const dew_Solid *solid)
{
    const dew_DomainDef *domain = &dew_scene_def(problem->scene)->domain;
    const dew_Box *box = &solid->rest_box_m;
    double size = dew_distance(box->min, box->max);
    double domain_size = dew_distance(domain->min_m, domain->max_m);
    dew_KeyPath key = dew_key_path("solids", solid->scene_index, NULL);
    if (!isfinite(size))
        return;
    const char *words = NULL;
    if (size > HUGE_SOLID * domain_size)
        words = "is far larger than the domain";
    else if (size < domain->cell_m)
        words = "is smaller than a cell";
    if (words) {
        dew_scene_say(
            problem->scene, &problem->log, DEW_LOG_WARNING, key.text,
            "solid %s, %.3g m across, %s (domain %.3g m, cell %.3g m): is its scale right?",
            solid->name, size, words, domain_size, domain->cell_m);
        return;
    }
    dew_Box bounds = dew_scene_bounds(problem->scene);
    bool is_beside = box->min.x > bounds.max.x || box->max.x < bounds.min.x ||
                     box->min.y > bounds.max.y || box->max.y < bounds.min.y ||
                     box->min.z > bounds.max.z || box->max.z < bounds.min.z;
    if (is_beside && !dew_solid_is_moving(solid))
        dew_scene_say(problem->scene, &problem->log, DEW_LOG_WARNING, key.text,
                      "solid %s lies outside the domain: no liquid will meet it", solid->name);
}

static dew_Status resolve_solids(dew_Problem *problem)
{
    const dew_Scene *scene = problem->scene;
    const dew_DomainDef *domain = &dew_scene_def(scene)->domain;
    int given = dew_scene_solid_count(scene);
    problem->solids = dew_arena_array(&problem->arena, dew_Solid, given + DEW_SIDE_COUNT);
    if (!problem->solids)
        return dew_no_memory((size_t)(given + DEW_SIDE_COUNT) * sizeof(dew_Solid));
    for (int i = 0; i < given; i++) {
        DEW_TRY(dew_solid_resolve(&problem->assets, i, &problem->solids[i]));
        problem->solids[i].name = dew_scene_solid(scene, i)->name;
        problem->solid_count++;
    }
    for (int side = 0; side < DEW_SIDE_COUNT; side++) {
        if (!domain->wall_material[side])
            continue;
        dew_Solid *wall = &problem->solids[problem->solid_count];
        DEW_TRY(dew_solid_wall(scene, (dew_Side)side, wall));
        bool is_taken = dew_problem_find_solid(problem, dew_side_names[side]) != DEW_INVALID;
        wall->name = is_taken ? NULL : dew_side_names[side];
        problem->solid_count++;
    }
    DEW_TRY(name_unnamed(problem));
    for (int i = 0; i < given; i++)
        warn_of_scale(problem, &problem->solids[i]);
    return dew_ok();
}

static dew_Status sort_solids(dew_Problem *problem)
{
    int n = problem->solid_count;
    int32_t *ids = dew_arena_array(&problem->arena, int32_t, n);
    dew_Box *boxes = dew_arena_array(&problem->arena, dew_Box, n);
    problem->endless = dew_arena_array(&problem->arena, int32_t, n);
    problem->moving = dew_arena_array(&problem->arena, int32_t, n);
    if (!ids || !boxes || !problem->endless || !problem->moving)
        return dew_no_memory((size_t)n * (sizeof(dew_Box) + 3 * sizeof(int32_t)));
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        const dew_Solid *solid = &problem->solids[i];
        if (dew_solid_is_moving(solid)) {
            problem->moving[problem->moving_count++] = i;
        } else if (!solid->is_bounded) {
            problem->endless[problem->endless_count++] = i;
        } else {
            ids[count] = i;
            boxes[count++] = solid->rest_box_m;
        }
    }
    return dew_box_tree_build(&problem->tree, &problem->arena, ids, boxes, count);
}

static dew_Status find_start(dew_Problem *problem)
{
    const dew_SceneDef *def = dew_problem_def(problem);
    dew_SolidPose *poses = dew_arena_array(&problem->arena, dew_SolidPose, problem->solid_count);
    if (!poses)
        return dew_no_memory((size_t)problem->solid_count * sizeof(dew_SolidPose));
    dew_problem_poses(problem, 0, poses);
    problem->start =
        (dew_Instant){.gravity_m_s2 = def->gravity_m_s2, .wind_m_s = def->wind_m_s, .poses = poses};
    return dew_ok();
}

// For height fields, whose domain need not have a height, above all that has a top.
static void find_top(dew_Problem *problem)
{
    dew_Box domain = dew_problem_domain(problem);
    problem->top_m = domain.max.y;
    if (domain.max.y > domain.min.y)
        return;
    double size = dew_distance(domain.min, domain.max);
    for (int i = 0; i < problem->solid_count; i++) {
        const dew_Solid *solid = &problem->solids[i];
        dew_Box box = solid->shape == DEW_SOLID_HEIGHTFIELD ? solid->map_box_m : solid->own_box_m;
        double radius = fmax(dew_length(box.min), dew_length(box.max));
        if (isfinite(radius))
            problem->top_m = fmax(problem->top_m, solid->origin_m.y + radius);
    }
    problem->top_m += size;
}

// ---- liquid ------------------------------------------------------------------------------------

static dew_Status resolve_scatter(dew_Problem *problem, int index, dew_Array *blobs)
{
    const char *on = dew_scene_drop(problem->scene, index)->on;
    int solid_id = on ? dew_problem_find_solid(problem, on) : DEW_INVALID;
    if (solid_id == DEW_INVALID)
        return dew_scene_fail(problem->scene, dew_key_path("drops", index, "on").text,
                              "there is no solid %s", on ? on : "(none named)");
    return dew_scatter_resolve(problem, index, solid_id, blobs);
}

static bool is_apart_along(double a_min, double a_max, double domain_min, double domain_max)
{
    bool has_extent = domain_max > domain_min;  // a height field's domain may be flat
    return has_extent && (a_min > domain_max || a_max < domain_min);
}

// Liquid of which nothing is in the domain would vanish without a word.
static dew_Status check_in_domain(const dew_Problem *problem, const char *path,
                                  const dew_Blob *blob)
{
    dew_Box domain = dew_problem_domain(problem), box = blob->box_m;
    bool is_apart = is_apart_along(box.min.x, box.max.x, domain.min.x, domain.max.x) ||
                    is_apart_along(box.min.y, box.max.y, domain.min.y, domain.max.y) ||
                    is_apart_along(box.min.z, box.max.z, domain.min.z, domain.max.z);
    if (!is_apart)
        return dew_ok();
    return dew_scene_fail(problem->scene, path,
                          "the drop lies outside the domain (%g %g %g to %g %g %g m)", domain.min.x,
                          domain.min.y, domain.min.z, domain.max.x, domain.max.y, domain.max.z);
}

static dew_Status resolve_drop(dew_Problem *problem, int index, dew_Array *blobs,
                               dew_DropWarnings *warnings)
{
    const dew_DropDef *def = dew_scene_drop(problem->scene, index);
    dew_KeyPath whole = dew_key_path("drops", index, NULL);
    dew_KeyPath file = dew_key_path("drops", index, "file");
    bool has_file = def->shape == DEW_DROP_MESH || def->shape == DEW_DROP_DEPTH;
    dew_Blob blob;
    int32_t asset;
    if (has_file && !def->file)
        return dew_scene_fail(problem->scene, whole.text, "this drop needs a file");
    if (def->shape == DEW_DROP_SCATTER) {
        dew_problem_warn_of_drop(problem, index, NULL, warnings);
        return resolve_scatter(problem, index, blobs);
    }
    if (def->shape == DEW_DROP_MESH) {
        DEW_TRY(
            dew_assets_mesh(&problem->assets, file.text, def->file, def->scale, def->up, &asset));
        DEW_TRY(dew_blob_from_mesh(&problem->assets, def, asset, blobs->count, &blob));
    } else if (def->shape == DEW_DROP_DEPTH) {
        DEW_TRY(dew_assets_depth(&problem->assets, problem, file.text, def->file, &asset));
        dew_blob_from_depth(&problem->assets, def, asset, blobs->count, &blob);
    } else {
        dew_Status status = dew_blob_from_def(def, blobs->count, &blob);
        DEW_TRY(dew_scene_place_status(problem->scene, whole.text, status));
    }
    DEW_TRY(check_in_domain(problem, whole.text, &blob));
    dew_problem_warn_of_drop(problem, index, &blob, warnings);
    return dew_array_push(blobs, &blob);
}

static dew_Status resolve_drops(dew_Problem *problem)
{
    dew_Array blobs;
    dew_array_init(&blobs, &problem->allocator, sizeof(dew_Blob));
    dew_Status status = dew_ok();
    dew_DropWarnings warnings = {0};
    for (int i = 0; i < dew_scene_drop_count(problem->scene) && status.code == DEW_OK; i++)
        status = resolve_drop(problem, i, &blobs, &warnings);
    dew_problem_warn_of_rest(problem, &warnings);
    if (status.code == DEW_OK) {
        problem->blobs = dew_arena_array(&problem->arena, dew_Blob, blobs.count);
        if (!problem->blobs)
            status = dew_no_memory((size_t)blobs.count * sizeof(dew_Blob));
        else if (blobs.count > 0)
            memcpy(problem->blobs, blobs.data, (size_t)blobs.count * sizeof(dew_Blob));
        problem->blob_count = problem->blobs ? blobs.count : 0;
    }
    dew_array_deinit(&blobs);
    return status;
}

// ---- the problem -------------------------------------------------------------------------------

static void say_warning(const dew_Problem *problem)
{
    const dew_SolverTraits *solver = dew_scene_solver(problem->scene);
    dew_SceneWarning warning = {0};
    if (solver && solver->warning)
        solver->warning(problem->scene, &warning);
    if (warning.words[0])
        dew_scene_say(problem->scene, &problem->log, DEW_LOG_WARNING, warning.path, "%s",
                      warning.words);
}

static dew_Status resolve(dew_Problem *problem)
{
    say_warning(problem);
    // Before they are read: a file that is edited in between differs from its hash, never agrees.
    DEW_TRY(dew_scene_hash_files(problem->scene, false, &problem->arena, &problem->files));
    DEW_TRY(resolve_solids(problem));
    DEW_TRY(sort_solids(problem));
    find_top(problem);
    DEW_TRY(find_start(problem));
    DEW_TRY(resolve_drops(problem));
    DEW_TRY(dew_problem_check_events(problem));
    return dew_sources_resolve(problem);
}

dew_Status dew_problem_create(const dew_Scene *scene, const dew_ProblemDef *def, dew_Problem **out)
{
    *out = NULL;
    dew_Problem *problem = (dew_Problem *)dew_alloc(&def->allocator, 1, sizeof(dew_Problem));
    if (!problem)
        return dew_no_memory(sizeof(dew_Problem));
    problem->scene = scene;
    problem->allocator = def->allocator;
    problem->log = def->log;
    problem->tasks = def->tasks;
    dew_arena_init(&problem->arena, &def->allocator);
    dew_assets_init(&problem->assets, scene, &problem->arena);
    problem->assets.log = def->log;
    problem->assets.tasks = def->tasks;
    dew_Status status = resolve(problem);
    problem->tasks = problem->assets.tasks = NULL;  // the caller's; needed while building only
    if (status.code != DEW_OK) {
        dew_problem_destroy(problem);
        return status;
    }
    *out = problem;
    return dew_ok();
}

void dew_problem_destroy(dew_Problem *problem)
{
    if (!problem)
        return;
    dew_Allocator allocator = problem->allocator;
    dew_assets_deinit(&problem->assets);
    dew_arena_deinit(&problem->arena);
    dew_free(&allocator, problem, sizeof(dew_Problem));
}

const dew_Scene *dew_problem_scene(const dew_Problem *problem)
{
    return problem->scene;
}

const dew_SceneDef *dew_problem_def(const dew_Problem *problem)
{
    return dew_scene_def(problem->scene);
}

const dew_SceneFiles *dew_problem_files(const dew_Problem *problem)
{
    return &problem->files;
}

dew_Box dew_problem_domain(const dew_Problem *problem)
{
    const dew_DomainDef *domain = &dew_scene_def(problem->scene)->domain;
    return (dew_Box){domain->min_m, domain->max_m};
}

int dew_problem_solid_count(const dew_Problem *problem)
{
    return problem->solid_count;
}

const char *dew_problem_solid_name(const dew_Problem *problem, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < problem->solid_count);
    return problem->solids[solid_id].name;
}

bool dew_problem_solid_is_moving(const dew_Problem *problem, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < problem->solid_count);
    return dew_solid_is_moving(&problem->solids[solid_id]);
}

bool dew_problem_solid_is_wall(const dew_Problem *problem, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < problem->solid_count);
    return problem->solids[solid_id].scene_index == DEW_INVALID;
}

dew_Box dew_problem_solid_box(const dew_Problem *problem, int solid_id)
{
    DEW_ASSERT(solid_id >= 0 && solid_id < problem->solid_count);
    return problem->solids[solid_id].rest_box_m;
}

void dew_problem_poses(const dew_Problem *problem, double time_s, dew_SolidPose *poses)
{
    dew_problem_poses_within(problem, time_s, time_s, poses);
}

void dew_problem_poses_within(const dew_Problem *problem, double time_s, double within_s,
                              dew_SolidPose *poses)
{
    for (int i = 0; i < problem->solid_count; i++)
        poses[i] = dew_problem_pose_within(problem, i, time_s, within_s);
}

dew_SolidPose dew_problem_pose_within(const dew_Problem *problem, int solid_id, double time_s,
                                      double within_s)
{
    return dew_motion_pose_within(&problem->solids[solid_id].motion, time_s, within_s);
}

dew_Vec3 dew_problem_solid_reference_m(const dew_Problem *problem, int solid_id)
{
    return problem->solids[solid_id].origin_m;
}

int64_t dew_problem_blob_count(const dew_Problem *problem)
{
    return problem->blob_count;
}

const dew_Blob *dew_problem_blob(const dew_Problem *problem, int64_t index)
{
    DEW_ASSERT(index >= 0 && index < problem->blob_count);
    return &problem->blobs[index];
}

int dew_problem_sink_count(const dew_Problem *problem)
{
    return dew_scene_sink_count(problem->scene);
}

dew_Box dew_problem_sink(const dew_Problem *problem, int index)
{
    const dew_SinkDef *def = dew_scene_sink(problem->scene, index);
    return (dew_Box){def->min_m, def->max_m};
}

bool dew_problem_in_sink(const dew_Problem *problem, dew_Vec3 point_m)
{
    for (int i = 0; i < dew_problem_sink_count(problem); i++) {
        if (dew_box_contains(dew_problem_sink(problem, i), point_m))
            return true;
    }
    return false;
}

const dew_Log *dew_problem_log(const dew_Problem *problem)
{
    return &problem->log;
}
