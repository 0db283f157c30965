// Solver `surface`: its state, its step as a list of stages, and what World asks of it.
//
// A step: drops are fed, each is moved on its own (drop_advance.c) in groups that run in parallel,
// those that touch become one (merge_stage.c), those that left are counted out. What groups have
// made is put together in the order of the drops, so that results do not depend on the number of
// workers.
#include "solvers/surface/surface_solver.h"

#include "base/status.h"
#include "solvers/field_table.h"
#include "solvers/surface/drop_inflow.h"
#include "solvers/surface/drop_nozzle.h"
#include "solvers/surface/surface_state.h"
#include "wetting/history.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void workspace_deinit(dew_DropWorkspace *space)
{
    if (!space->is_made)
        return;
    dew_drop_work_deinit(&space->work);
    dew_drop_store_deinit(&space->pending);
    dew_drop_store_deinit(&space->piece);
    dew_surface_solver_drop_merge_parts(space);
}

static void surface_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_drop_store_deinit(&state->drops);
    dew_drop_store_deinit(&state->next);
    dew_array_deinit(&state->inflows);
    dew_wet_ground_deinit(&state->ground);
    for (int g = 0; g < DEW_DROP_GROUPS; g++) {
        dew_drop_store_deinit(&state->groups[g].out);
        workspace_deinit(&state->spaces[g]);
    }
    dew_drop_work_deinit(&state->made);
    dew_merge_broad_phase_destroy(state->broad_phase);
    dew_array_deinit(&state->candidates);
    dew_array_deinit(&state->matched);
    dew_Allocator allocator = state->allocator;
    dew_free(&allocator, state, sizeof *state);
}

static void read_params(const dew_Problem *problem, dew_SurfaceSolverParams *params)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *def = dew_problem_def(problem);
    *params = (dew_SurfaceSolverParams){
        .problem = problem,
        .rho_kg_m3 = def->liquid.density_kg_m3,
        .mu_Pa_s = def->liquid.viscosity_Pa_s,
        .edge_m = def->domain.cell_m,
        .steps_per_period = dew_scene_parameter_number(scene, "steps_per_period"),
        .tolerance = dew_scene_parameter_number(scene, "tolerance"),
        .correct_locally = dew_scene_parameter_is(scene, "volume_correction", "local"),
        .merge_self = dew_scene_parameter_flag(scene, "self_merge"),
        .may_sleep = dew_scene_parameter_flag(scene, "sleep"),
        .paper = {.is_on = dew_scene_parameter_is(scene, "model", "paper"),
                  .mu_1_s = dew_scene_parameter_number(scene, "mu"),
                  .eta_m2_s = dew_scene_parameter_number(scene, "eta"),
                  .gamma_m2_s = dew_scene_parameter_number(scene, "gamma"),
                  .alpha_m_s2 = dew_scene_parameter_number(scene, "alpha")},
    };
    params->may_sleep = params->may_sleep && !params->paper.is_on;
}

/// Does any material advance more easily where it was wet, or is a wet map wanted?
static bool has_history(const dew_Problem *problem)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    if (dew_problem_def(problem)->output.wetmap)
        return true;
    for (int i = 0; i < dew_scene_material_count(scene); i++) {
        const dew_MaterialDef *material = dew_scene_material(scene, i, NULL);
        if (material->wet_advancing_rad < material->advancing_rad)
            return true;
    }
    return false;
}

/// Parameters that depend on surface tension and contact angles.
static dew_Status surface_parameters(const dew_Problem *problem, dew_SolverState *state)
{
    state->params.sigma_N_m = dew_problem_def(problem)->liquid.surface_tension_N_m;
    state->params.values_hash = dew_problem_values_hash(problem);
    state->params.ground = has_history(problem) ? &state->ground : NULL;
    return dew_ok();
}

/// Notes what is wet after the step.
static dew_Status note_wet_ground(const dew_Problem *problem, dew_SolverState *state,
                                  const dew_Instant *instant)
{
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; state->params.ground && d < dew_drop_count(&state->drops); d++) {
        dew_DropView drop = dew_drop_view(&state->drops, d, place);
        place = dew_drop_next_place(&state->drops, d, place);
        // What a sleeper wets was noted before it fell asleep; on a map it must not dry below it.
        if (!drop.flags.is_asleep || dew_problem_def(problem)->output.wetmap)
            DEW_TRY(dew_drop_note_wet_ground(&state->ground, problem, instant, &drop));
    }
    return dew_ok();
}

static dew_Status make_parts(const dew_Problem *problem, dew_SolverState *state)
{
    const dew_Allocator *allocator = &state->allocator;
    int64_t solids = dew_problem_solid_count(problem);
    DEW_TRY(dew_surface_solver_init_inflows(problem, state));
    for (int g = 0; g < DEW_DROP_GROUPS; g++) {
        dew_DropWorkspace *space = &state->spaces[g];
        dew_drop_store_init(&state->groups[g].out, allocator);
        dew_drop_store_init(&space->pending, allocator);
        dew_drop_store_init(&space->piece, allocator);
        space->is_made = true;
        DEW_TRY(dew_drop_work_init(&space->work, allocator));
        DEW_TRY(dew_array_resize(&space->work.poses, solids));
    }
    dew_array_init(&state->candidates, allocator, sizeof(dew_MergePair));
    dew_array_init(&state->matched, allocator, sizeof(dew_MergePair));
    DEW_TRY(dew_drop_work_init(&state->made, allocator));
    return dew_merge_broad_phase_create(allocator, &state->broad_phase);
}

static dew_Status surface_create(const dew_Problem *problem, const dew_CreateDef *def,
                                 dew_SolverState **out)
{
    *out = NULL;
    dew_SolverState *state = dew_alloc(&def->allocator, 1, sizeof *state);
    if (!state)
        return dew_no_memory(sizeof *state);
    state->allocator = def->allocator;
    state->tasks = def->tasks;
    state->gravity_m_s2 = dew_problem_def(problem)->gravity_m_s2;
    state->wind_m_s = dew_problem_def(problem)->wind_m_s;
    dew_drop_store_init(&state->drops, &state->allocator);
    dew_drop_store_init(&state->next, &state->allocator);
    read_params(problem, &state->params);
    dew_wet_ground_init(&state->ground, &state->allocator, state->params.edge_m);
    dew_Status status = surface_parameters(problem, state);
    state->values_hash = state->params.values_hash;
    if (status.code == DEW_OK)
        status = make_parts(problem, state);
    if (status.code != DEW_OK) {
        surface_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

static double surface_max_step(const dew_Problem *problem, const dew_SolverState *state,
                               const dew_Instant *instant, const char **bound)
{
    (void)problem;
    (void)state;
    (void)instant;
    *bound = "frame";
    return DEW_SURFACE_MAX_STEP_S;
}

// ---- the step ----------------------------------------------------------------------------------

typedef struct Stage {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Step *step;
    const dew_DropPlace *places;  // one more than drops
    uint8_t *is_stepped;          // per drop: what it became is in its group's `out`
    const int64_t *begins;        // of the groups' drops; one more than groups
    bool wake_all, solids_moved;
} Stage;

/// Can a solid that moves be within an edge of the drop? By the ball around the drop's box.
static bool is_moving_solid_near(const Stage *stage, const dew_DropView *drop)
{
    const dew_Instant *now = stage->step->instant, *old = stage->step->instant_old;
    dew_Box box = dew_drop_view_box(drop);
    dew_Vec3 center = dew_combine(0.5, box.min, 0.5, box.max);
    double reach = 0.5 * dew_distance(box.min, box.max) + stage->state->params.edge_m;
    for (int i = 0; i < dew_problem_solid_count(stage->problem); i++) {
        const dew_SolidPose *pose = &now->poses[i];
        bool moves = dew_length2(pose->velocity_m_s) > 0 ||
                     dew_length2(pose->angular_velocity_rad_s) > 0 ||
                     memcmp((const char *)pose, (const char *)&old->poses[i], sizeof *pose) != 0;
        if (moves && dew_problem_solid_nearest(stage->problem, now, i, center).distance_m < reach)
            return true;
    }
    return false;
}

static bool must_wake(const Stage *stage, const dew_DropView *drop)
{
    if (stage->wake_all || drop->values.feed_m3 > 0)
        return true;
    double end_s = stage->step->instant->time_s, begin_s = end_s - stage->step->dt_s;
    int64_t nozzle = drop->counts.inflow;
    if (nozzle != DEW_INVALID && dew_nozzle_volume_m3(stage->problem, nozzle, begin_s, end_s) > 0)
        return true;
    if (!stage->solids_moved || !is_moving_solid_near(stage, drop))
        return false;
    for (int64_t i = 0; i < drop->counts.vertex_count; i++) {
        dew_SolidPoint p = dew_problem_nearest(stage->problem, stage->step->instant,
                                               drop->positions[i], stage->state->params.edge_m);
        if (p.solid_id == DEW_INVALID)
            continue;
        if (dew_length2(p.velocity_m_s) > 0 || p.distance_m < -1e-6 * stage->state->params.edge_m)
            return true;
    }
    return false;
}

/// Steps a drop. Where its sub-steps fail, however short, it stays as it was, to be repaired
/// (drop_repair.c): out, pending and account of the group are then as before.
static dew_Status try_drop(const Stage *stage, dew_DropGroup *group, const dew_DropView *drop)
{
    int64_t pending = dew_drop_count(&group->space->pending);
    double added_m3 = group->added_m3;
    dew_DropWork *work = &group->space->work;
    DEW_TRY(dew_drop_work_load(work, &stage->state->params, drop));
    work->flags.is_asleep = 0;
    DEW_TRY(dew_drop_take_feed(work, &group->added_m3));
    dew_stage_end(work->clock, DEW_STAGE_COPY);
    dew_Status status = dew_drop_advance(group, stage->step);
    if (status.code != DEW_DIVERGED)
        return status;
    group->added_m3 = added_m3;
    dew_drop_store_truncate(&group->space->pending, pending);
    dew_DropView stays = *drop;
    dew_drop_count_failure(&stays.counts);
    stays.flags.has_failed = 1;
    double end_s = stage->step->instant->time_s;
    if (drop->counts.inflow != DEW_INVALID)  // what has not come in waits for it
        stays.values.feed_m3 += dew_nozzle_volume_m3(stage->problem, drop->counts.inflow,
                                                     end_s - drop->values.lag_s, end_s);
    stays.values.lag_s = 0;
    return dew_drop_store_append(&group->out, &stays);
}

static dew_Status step_drop(const Stage *stage, dew_DropGroup *group, const dew_DropView *drop)
{
    dew_DropView awake = *drop;
    if (drop->flags.is_asleep && !(drop->values.feed_m3 > 0))
        awake.values.at_rest_s = 0;
    if (!(drop->values.lag_s > 0))  // else born within the step
        awake.values.lag_s = stage->step->dt_s;
    return try_drop(stage, group, &awake);
}

/// Pieces that came off within the step, until all are at its end.
static dew_Status step_pieces(const Stage *stage, dew_DropGroup *group)
{
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < dew_drop_count(&group->space->pending); d++) {
        dew_DropView piece = dew_drop_view(&group->space->pending, d, place);
        place = dew_drop_next_place(&group->space->pending, d, place);
        dew_drop_store_clear(
            &group->space->piece);  // `pending` may grow, and move, while it is stepped
        DEW_TRY(dew_drop_store_append(&group->space->piece, &piece));
        piece = dew_drop_view(&group->space->piece, 0, (dew_DropPlace){0, 0});
        DEW_TRY(try_drop(stage, group, &piece));
    }
    return dew_ok();
}

/// A sleeper that nothing can wake, by a look at little of it. (is_stepped is zero at first.)
static bool sleeps_on(const Stage *stage, int64_t d)
{
    const dew_DropStore *drops = &stage->state->drops;
    return DEW_ITEMS(&drops->flags, dew_DropFlags)[d].is_asleep && !stage->wake_all &&
           !stage->solids_moved && !(DEW_ITEMS(&drops->values, dew_DropValues)[d].feed_m3 > 0) &&
           DEW_ITEMS(&drops->counts, dew_DropCounts)[d].inflow == DEW_INVALID;
}

static dew_Status step_drops(const Stage *stage, int64_t g)
{
    dew_DropGroup *group = &stage->state->groups[g];
    dew_drop_store_clear(&group->out);
    group->added_m3 = 0;
    dew_DropWork *work = &group->space->work;
    work->iterations = work->retries = 0;
    work->splash_number = 0;
    work->clock = stage->step->clock ? &group->space->clock : NULL;
    dew_stage_begin(work->clock);
    for (int64_t d = stage->begins[g]; d < stage->begins[g + 1]; d++) {
        if (sleeps_on(stage, d))
            continue;
        dew_DropView drop = dew_drop_view(&stage->state->drops, d, stage->places[d]);
        stage->is_stepped[d] = !drop.flags.is_asleep || must_wake(stage, &drop);
        if (!stage->is_stepped[d])
            continue;
        dew_drop_store_clear(&group->space->pending);
        DEW_TRY(step_drop(stage, group, &drop));
        DEW_TRY(step_pieces(stage, group));
    }
    dew_stage_end(work->clock, DEW_STAGE_COPY);
    return dew_ok();
}

static dew_Status step_group(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)end;
    (void)chunk;
    const Stage *stage = context;
    dew_DropGroup *group = &stage->state->groups[begin];
    group->space = dew_surface_solver_take_workspace(stage->state);
    dew_Status status = step_drops(stage, begin);
    group->iterations = group->space->work.iterations;
    group->retries = group->space->work.retries;
    group->splash_number = group->space->work.splash_number;
    dew_surface_solver_return_workspace(stage->state, group->space);
    group->space = NULL;
    return status;
}

/// Triangles; a sleeping drop has hardly any work.
static int64_t work_of(const dew_DropStore *drops, int64_t d)
{
    int64_t triangles = DEW_ITEMS(&drops->counts, dew_DropCounts)[d].triangle_count;
    bool is_asleep = DEW_ITEMS(&drops->flags, dew_DropFlags)[d].is_asleep;
    return is_asleep ? 1 : triangles;
}

/// Groups of about equal work, in the order of the drops.
static int64_t make_groups(const dew_DropStore *drops, int64_t *begins, dew_DropPlace *places)
{
    int64_t work = 0, done = 0, group_count = 0;
    for (int64_t d = 0; d < dew_drop_count(drops); d++)
        work += work_of(drops, d);
    dew_DropPlace place = {0, 0};
    begins[0] = 0;
    for (int64_t d = 0; d < dew_drop_count(drops); d++) {
        places[d] = place;
        place = dew_drop_next_place(drops, d, place);
        done += work_of(drops, d);
        if (done * DEW_DROP_GROUPS >= work * (group_count + 1) || d + 1 == dew_drop_count(drops))
            begins[++group_count] = d + 1;
        if (group_count == DEW_DROP_GROUPS && d + 1 < dew_drop_count(drops))
            begins[group_count--] = 0;
    }
    places[dew_drop_count(drops)] = place;
    return group_count;
}

static bool poses_differ(const dew_Problem *problem, const dew_Step *step)
{
    size_t size = (size_t)dew_problem_solid_count(problem) * sizeof(dew_SolidPose);
    return size > 0 && memcmp(step->instant->poses, step->instant_old->poses, size) != 0;
}

static bool same_vec(dew_Vec3 a, dew_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void dew_surface_solver_change_from(dew_SolverState *state, int64_t first, dew_DropPlace place)
{
    if (first >= state->unchanged.drop)
        return;
    state->unchanged = (dew_DropUnchanged){first, place.first_vertex, place.first_triangle};
}

dew_Status dew_surface_solver_replace_from(dew_SolverState *state, int64_t first,
                                           dew_DropPlace place)
{
    dew_surface_solver_change_from(state, first, place);
    dew_drop_store_cut(&state->drops, first, place);
    return dew_drop_store_append_all(&state->drops, &state->next);
}

/// Sleepers from drop `first` on, to `next`.
static dew_Status set_sleepers_aside(const Stage *stage, int64_t first)
{
    dew_SolverState *state = stage->state;
    int64_t count = dew_drop_count(&state->drops);
    dew_drop_store_clear(&state->next);
    for (int64_t d = first, end; d < count; d = end + 1) {
        for (end = d; end < count && !stage->is_stepped[end];)
            end++;
        DEW_TRY(dew_drop_store_append_range(&state->next, &state->drops, d, end, stage->places));
    }
    return dew_ok();
}

/// A drop without an interior has no crown and throws off no droplets. Impacts splash above
/// K = We^(1/2) Re^(1/4) = 57.7, by diameter and normal speed [Mundo1995].
#define MAX_SPLASH_NUMBER 57.7

static void warn_of_splash(const Stage *stage, double splash_number)
{
    dew_SolverState *state = stage->state;
    if (state->has_warned || !(splash_number > MAX_SPLASH_NUMBER))
        return;
    char line[DEW_MESSAGE_SIZE];
    snprintf(line, sizeof line,
             "a drop hits a solid with We^(1/2) Re^(1/4) = %.0f; above %.1f it would splash, which "
             "solver surface does not show: use solver volume",
             splash_number, MAX_SPLASH_NUMBER);
    dew_log_line(dew_problem_log(state->params.problem), DEW_LOG_WARNING, line);
    state->has_warned = true;
}

/// Puts the groups' drops together and gives ids to those that came off. Sleepers come first, in
/// their order: those before the first drop that was stepped stay where they are.
static dew_Status gather(const Stage *stage, int64_t group_count, dew_Step *step)
{
    dew_SolverState *state = stage->state;
    int64_t first = 0, count = dew_drop_count(&state->drops);
    double splash_number = 0;
    for (int64_t g = 0; g < group_count; g++) {
        splash_number = fmax(splash_number, state->groups[g].splash_number);
        step->iterations += state->groups[g].iterations;
        step->retries += state->groups[g].retries;
        step->added_m3 += state->groups[g].added_m3;
    }
    warn_of_splash(stage, splash_number);
    while (first < count && !stage->is_stepped[first])
        first++;
    if (first == count)
        return dew_ok();
    DEW_TRY(set_sleepers_aside(stage, first));
    DEW_TRY(dew_surface_solver_replace_from(state, first, stage->places[first]));
    for (int64_t g = 0; g < group_count; g++)
        DEW_TRY(dew_drop_store_append_all(&state->drops, &state->groups[g].out));
    dew_DropCounts *counts = DEW_ITEMS(&state->drops.counts, dew_DropCounts);
    for (int64_t d = first; d < dew_drop_count(&state->drops); d++)
        if (counts[d].id == DEW_INVALID)
            counts[d].id = state->next_id++;
    return dew_ok();
}

static dew_Status surface_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    DEW_TRY(dew_surface_solver_inflow(problem, state, step));
    int64_t count = dew_drop_count(&state->drops);
    dew_DropPlace *places = dew_arena_array(step->scratch, dew_DropPlace, count + 1);
    uint8_t *is_stepped = dew_arena_array(step->scratch, uint8_t, count);
    int64_t begins[DEW_DROP_GROUPS + 1];
    if (!places || !is_stepped)
        return dew_no_memory((size_t)count * (sizeof *places + sizeof *is_stepped));
    Stage stage = {.problem = problem,
                   .state = state,
                   .step = step,
                   .places = places,
                   .is_stepped = is_stepped,
                   .begins = begins,
                   .wake_all = state->values_hash != state->params.values_hash ||
                               !same_vec(state->gravity_m_s2, step->instant->gravity_m_s2) ||
                               !same_vec(state->wind_m_s, step->instant->wind_m_s),
                   .solids_moved = poses_differ(problem, step)};
    state->gravity_m_s2 = step->instant->gravity_m_s2;
    state->wind_m_s = step->instant->wind_m_s;
    state->values_hash = state->params.values_hash;
    int64_t group_count = make_groups(&state->drops, begins, places);
    for (int g = 0; g < DEW_DROP_GROUPS; g++)
        state->spaces[g].clock = (dew_StageClock){.now_s = dew_thread_cpu_s};
    DEW_TRY(dew_parallel_for(step->tasks, group_count, 1, step_group, &stage));
    for (int g = 0; step->clock && g < DEW_DROP_GROUPS; g++)
        dew_stage_add(step->clock, &state->spaces[g].clock);
    dew_stage_begin(step->clock);
    DEW_TRY(gather(&stage, group_count, step));
    dew_stage_end(step->clock, DEW_STAGE_GATHER);
    DEW_TRY(dew_surface_solver_repair(problem, state, step));
    DEW_TRY(dew_surface_solver_merge(problem, state, step));
    DEW_TRY(dew_surface_solver_remove_outflow(problem, state, step));
    dew_stage_end(step->clock, DEW_STAGE_PAIRS);
    dew_surface_solver_trim_workspaces(state);
    return note_wet_ground(problem, state, step->instant);
}

/// Drops that overlap from the start are one drop, before the first frame shows them.
static dew_Status surface_poured(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    return dew_surface_solver_merge(problem, state, step);
}

// ---- fields ------------------------------------------------------------------------------------

static void surface_fields(dew_SolverState *s, dew_FieldList *out)
{
    const int inflow = sizeof(dew_DropInflowAccount) / sizeof(double);
    *out = (dew_FieldList){.count = 0};
    dew_drop_store_fields(&s->drops, &s->unchanged, out);
    dew_field_list_block(out, "next_id", DEW_FIELD_I64, 1, &s->next_id);
    dew_field_list_block(out, "gravity", DEW_FIELD_F64, 3, &s->gravity_m_s2);
    dew_field_list_block(out, "wind", DEW_FIELD_F64, 3, &s->wind_m_s);
    dew_field_list_block(out, "parameters", DEW_FIELD_U64, 1, &s->values_hash);
    dew_field_list_array(out, "inflow", DEW_FIELD_F64, inflow, &s->inflows);
    dew_field_list_array(out, "wet_key", DEW_FIELD_U64, 1, &s->ground.keys);
    dew_field_list_array(out, "wet_time", DEW_FIELD_F64, 1, &s->ground.times);
}

static dew_Status surface_restored(const dew_Problem *problem, dew_SolverState *state)
{
    state->unchanged = (dew_DropUnchanged){0};
    if (state->inflows.count != dew_problem_inflow_count(problem))
        return dew_fail(DEW_CORRUPT, "the accounts are not those of the scene's sources");
    DEW_TRY(dew_wet_ground_restored(&state->ground));
    return dew_drop_store_check(&state->drops);
}

// ---- wet maps ----------------------------------------------------------------------------------

static void surface_wetness(const dew_Problem *problem, const dew_SolverState *state,
                            const dew_Instant *instant, int solid_id, const dew_Vec3 *rest_m,
                            int64_t count, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        double last_s = dew_wet_ground_near_s(&state->ground, solid_id, rest_m[i]);
        out[i] = 0;
        if (last_s == -HUGE_VAL)
            continue;
        dew_MaterialDef material = dew_problem_material(problem, NULL, solid_id, rest_m[i]);
        out[i] = (float)dew_wetness(last_s, instant->time_s, material.dries_after_s);
    }
}

static const char *const stage_names[DEW_STAGE_COUNT + 1] = {
    [DEW_STAGE_COPY] = "copying drops", [DEW_STAGE_CONNECT] = "connectivity",
    [DEW_STAGE_GEOMETRY] = "geometry",  [DEW_STAGE_FORCES] = "forces",
    [DEW_STAGE_ASSEMBLY] = "assembly",  [DEW_STAGE_SOLVE] = "solve",
    [DEW_STAGE_CONTACT] = "contact",    [DEW_STAGE_VOLUME] = "motion and volume",
    [DEW_STAGE_REMESH] = "remeshing",   [DEW_STAGE_GATHER] = "gathering drops",
    [DEW_STAGE_PAIRS] = "merge check",  [DEW_STAGE_MERGE] = "merging and repair",
};

const dew_SolverOps dew_surface_solver_ops = {
    .traits = &dew_surface_solver_traits,
    .stages = stage_names,
    .create = surface_create,
    .parameters = surface_parameters,
    .pour = dew_surface_solver_pour,
    .poured = surface_poured,
    .max_step_s = surface_max_step,
    .step = surface_step,
    .surface = dew_surface_solver_surface,
    .measure = dew_surface_solver_measure,
    .fields = surface_fields,
    .restored = surface_restored,
    .destroy = surface_destroy,
    .feed = dew_surface_solver_feed,
    .wetness = surface_wetness,
};
