// World: made from a scene, asked, destroyed. Sub-steps are in substep.c, saving in save.c, live
// interaction in live.c.
#include "dew/world.h"

#include "base/clock.h"
#include "base/cookie.h"
#include "base/status.h"
#include "surface/surface.h"
#include "world/plan.h"
#include "world/solver_table.h"
#include "world/world_state.h"

#include <math.h>

dew_WorldDef dew_default_world_def(void)
{
    return (dew_WorldDef){
        .max_volume_error = 0.01, .max_speed_m_s = 1000, .max_retries = 8, .cookie = DEW_COOKIE};
}

/// The solver of the scene, or why there is none.
static dew_Status find_solver(const dew_Scene *scene, const dew_SolverOps **out)
{
    const char *name = dew_scene_def(scene)->solver;
    char place[256], names[256];
    *out = name ? dew_solver_ops(name) : NULL;
    if (*out)
        return dew_ok();
    dew_scene_place(scene, "solver", place, sizeof place);
    dew_solver_names(names, sizeof names);
    if (name && dew_solver_traits(name))
        return dew_fail(DEW_UNSUPPORTED, "%ssolver %s is not in this build yet (it has: %s)", place,
                        name, names);
    return dew_fail(DEW_BAD_INPUT, "%sthere is no solver %.64s (this build has: %s)", place,
                    name ? name : "(none)", names);
}

void dew_world_measure(dew_World *world, const dew_Instant *instant)
{
    world->ops->measure(world->problem, world->state, instant, &world->measure);
}

dew_Status dew_world_pour(dew_World *world, const dew_Instant *instant, const dew_Blob *blobs,
                          int64_t count)
{
    if (count == 0)
        return dew_ok();
    double before_m3 = world->measure.volume_m3;
    for (int64_t i = 0; i < count; i++)
        DEW_TRY(world->ops->pour(world->problem, world->state, instant, &blobs[i]));
    // The solver may have taken less than the blob's volume: some of it may lie inside a solid.
    dew_world_measure(world, instant);
    world->clock.entered_m3 += world->measure.volume_m3 - before_m3;
    return dew_ok();
}

static dew_Status pour_start(dew_World *world)
{
    dew_Instant instant = dew_world_instant(world);
    dew_world_measure(world, &instant);
    int64_t count = dew_problem_blob_count(world->problem);
    for (int64_t i = 0; i < count; i++)
        DEW_TRY(world->ops->pour(world->problem, world->state, &instant,
                                 dew_problem_blob(world->problem, i)));
    if (world->ops->poured) {
        dew_Step step = {.instant = &instant,
                         .instant_old = &instant,
                         .scratch = &world->scratch,
                         .tasks = world->tasks};
        dew_Status status = world->ops->poured(world->problem, world->state, &step);
        dew_arena_clear(&world->scratch);
        DEW_TRY(status);
    }
    dew_world_measure(world, &instant);
    world->clock.entered_m3 = world->measure.volume_m3;
    return dew_ok();
}

/// A scene that was made in code has not met its solver yet: World then works on a copy that has.
static dew_Status bind_scene(dew_World *world)
{
    if (!dew_scene_is_bound(world->scene)) {
        DEW_TRY(dew_scene_bind(world->scene, dew_solver_list(), &world->def.allocator,
                               &world->bound_scene));
        world->scene = world->bound_scene;
    }
    world->scene_hash = dew_scene_hash(world->scene);
    dew_Plan plan;
    DEW_TRY(dew_scene_check_build(world->scene));
    return dew_plan_make(world->scene, &plan);
}

static dew_Status make_parts(dew_World *world)
{
    const dew_WorldDef *def = &world->def;
    DEW_TRY(bind_scene(world));
    dew_TasksDef tasks_def = dew_default_tasks_def();
    tasks_def.worker_count = def->thread_count;
    tasks_def.host = def->task_host;
    tasks_def.allocator = def->allocator;
    DEW_TRY(dew_tasks_create(&tasks_def, &world->tasks));
    dew_ProblemDef problem_def = {def->allocator, def->log, world->tasks};
    DEW_TRY(dew_problem_create(world->scene, &problem_def, &world->problem));
    DEW_TRY(dew_world_make_solids(world));
    world->values = dew_arena_array(&world->arena, double, dew_world_value_count(world));
    if (!world->values)
        return dew_no_memory((size_t)dew_world_value_count(world) * sizeof(double));
    DEW_TRY(dew_world_hash_files(world));
    dew_CreateDef create_def = {.allocator = def->allocator, .tasks = world->tasks};
    DEW_TRY(world->ops->create(world->problem, &create_def, &world->state));
    world->ops->fields(world->state, &world->fields);
    DEW_TRY(dew_world_check_events(world));
    return pour_start(world);
}

dew_Status dew_world_create(const dew_Scene *scene, const dew_WorldDef *def, dew_World **out)
{
    *out = NULL;
    const dew_SolverOps *ops;
    DEW_TRY(find_solver(scene, &ops));
    return dew_world_create_for(ops, scene, def, out);
}

dew_Status dew_world_create_for(const dew_SolverOps *ops, const dew_Scene *scene,
                                const dew_WorldDef *def, dew_World **out)
{
    *out = NULL;
    if (def->cookie != DEW_COOKIE)
        return dew_fail(DEW_BAD_INPUT, "a dew_WorldDef must come from dew_default_world_def");
    dew_World *world = dew_alloc(&def->allocator, 1, sizeof *world);
    if (!world)
        return dew_no_memory(sizeof *world);
    world->scene = scene;
    world->ops = ops;
    world->def = *def;
    world->begin_cpu_s = dew_cpu_s();
    world->version = 1;
    dew_liquid_view_init(&world->view, &def->allocator);
    world->clock.gravity_m_s2 = dew_scene_def(scene)->gravity_m_s2;
    world->clock.wind_m_s = dew_scene_def(scene)->wind_m_s;
    dew_arena_init(&world->arena, &def->allocator);
    dew_arena_init(&world->scratch, &def->allocator);
    dew_snapshot_init(&world->snapshot, &def->allocator);
    dew_Status status = make_parts(world);
    if (status.code != DEW_OK) {
        dew_world_destroy(world);
        return status;
    }
    *out = world;
    return dew_ok();
}

void dew_world_destroy(dew_World *world)
{
    if (!world)
        return;
    world->ops->destroy(world->state);
    dew_world_free_solids(world);
    dew_liquid_view_deinit(&world->view);
    dew_problem_destroy(world->problem);
    dew_tasks_destroy(world->tasks);
    dew_snapshot_deinit(&world->snapshot);
    dew_arena_deinit(&world->scratch);
    dew_arena_deinit(&world->arena);
    dew_scene_destroy(world->bound_scene);
    dew_Allocator allocator = world->def.allocator;
    dew_free(&allocator, world, sizeof *world);
}

dew_Status dew_world_step(dew_World *world, double dt_s)
{
    return dew_world_step_to(world, world->clock.time_s + dt_s);
}

dew_Status dew_world_step_to(dew_World *world, double end_s)
{
    const dew_ProgressCallback *progress = &world->def.progress;
    while (world->clock.time_s < end_s) {
        if (progress->proceed && !progress->proceed(progress->context, world->clock.time_s, end_s))
            return dew_fail(DEW_INTERRUPTED, "cancelled at t = %g s on the way to %g s",
                            world->clock.time_s, end_s);
        DEW_TRY(dew_world_substep_to(world, end_s));
    }
    return dew_ok();
}

dew_Status dew_world_substep(dew_World *world, double dt_max_s)
{
    return dew_world_substep_to(world, world->clock.time_s + dt_max_s);
}

double dew_world_time_s(const dew_World *world)
{
    return world->clock.time_s;
}

int64_t dew_world_step_count(const dew_World *world)
{
    return world->clock.step_count;
}

int64_t dew_world_retry_count(const dew_World *world)
{
    return world->retry_count;
}

dew_Status dew_world_surface(dew_World *world, dew_Surface *out)
{
    dew_Instant instant = dew_world_instant(world);
    dew_stage_begin(out->clock);
    dew_Status status = world->ops->surface(world->problem, world->state, &instant, out);
    dew_stage_end(out->clock, DEW_SURFACE_MEASURES);
    return status;
}

void dew_world_time_stages(dew_World *world, bool is_on)
{
    world->is_timed = is_on;
    world->solver_clock = world->own_clock = (dew_StageClock){.now_s = dew_cpu_s};
}

int dew_world_stages(const dew_World *world, dew_StageTime *stages, int max_count)
{
    static const char *const own[] = {"measure", "snapshot and checks"};
    static const char *const whole[] = {"step", NULL};
    const char *const *names = world->ops->stages ? world->ops->stages : whole;
    int count = 0;
    for (int s = 0; names[s]; s++, count++)
        if (count < max_count)
            stages[count] = (dew_StageTime){names[s], world->solver_clock.seconds[s], true};
    for (int s = 0; s < DEW_WORLD_STAGE_COUNT; s++, count++)
        if (count < max_count)
            stages[count] = (dew_StageTime){own[s], world->own_clock.seconds[s], false};
    return count;
}

void dew_world_stats(const dew_World *world, dew_Stats *out)
{
    const dew_Measure *m = &world->measure;
    *out = (dew_Stats){
        .step = world->clock.step_count,
        .time_s = world->clock.time_s,
        .dt_s = world->clock.dt_s,
        .drops = m->drops,
        .volume_m3 = m->volume_m3,
        .volume_error = dew_world_volume_error(world),
        .area_m2 = m->area_m2,
        .kinetic_J = m->kinetic_J,
        .surface_J = m->surface_J,
        .gravity_J = m->gravity_J,
        .center_m = m->center_m,
        .velocity_m_s = m->velocity_m_s,
        .top_m = m->top_m,
        .max_speed_m_s = m->max_speed_m_s,
        .contact_area_m2 = m->contact_area_m2,
        .contact_angle_rad = m->contact_angle_rad,
        .contact_angle_min_rad = m->contact_angle_min_rad,
        .contact_angle_max_rad = m->contact_angle_max_rad,
        .elements = m->elements,
        .sleeping = m->sleeping,
        .particles = m->particles,
        .iterations = world->clock.iterations,
        .retries = world->clock.retries,
        .repairs = world->clock.repairs,
        .cpu_s = dew_cpu_s() - world->begin_cpu_s,
        .bound = world->bound ? world->bound : "",
        .max_viscosity_m2_s = m->max_viscosity_m2_s,
    };
}
