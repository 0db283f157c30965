// Solver `rigid`: its state, its step as a list of stages, and what World asks of it.
//
// A step: wake who must wake, move every ball (rigid_motion.c), let them collide (rigid_pairs.c), take
// away those in a sink or out of an open side. The step is bounded so that no ball moves by more than
// half its radius (bound "cfl"); impacts are resolved inside the step, so they do not bound it.
#include "solvers/rigid/rigid.h"

#include "base/status.h"
#include "solvers/rigid/rigid_state.h"

#include <string.h>

#define CHUNK       64
#define MAX_ADVANCE 0.5  // of the radius, in one step

static void rigid_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    dew_array_deinit(&state->id);
    dew_array_deinit(&state->position);
    dew_array_deinit(&state->velocity);
    dew_array_deinit(&state->spin);
    dew_array_deinit(&state->radius);
    dew_array_deinit(&state->still);
    dew_array_deinit(&state->mode);
    dew_Allocator allocator = state->allocator;
    dew_free(&allocator, state, sizeof *state);
}

static dew_Status rigid_create(const dew_Problem *problem, const dew_CreateDef *def,
                               dew_SolverState **out)
{
    *out = NULL;
    dew_SolverState *state = dew_alloc(&def->allocator, 1, sizeof *state);
    if (!state)
        return dew_no_memory(sizeof *state);
    state->allocator = def->allocator;
    state->tasks = def->tasks;
    dew_array_init(&state->id, &def->allocator, sizeof(int64_t));
    dew_array_init(&state->position, &def->allocator, sizeof(dew_Vec3));
    dew_array_init(&state->velocity, &def->allocator, sizeof(dew_Vec3));
    dew_array_init(&state->spin, &def->allocator, sizeof(dew_Vec3));
    dew_array_init(&state->radius, &def->allocator, sizeof(double));
    dew_array_init(&state->still, &def->allocator, sizeof(double));
    dew_array_init(&state->mode, &def->allocator, sizeof(uint8_t));
    const dew_Scene *scene = dew_problem_scene(problem);
    const dew_SceneDef *scene_def = dew_problem_def(problem);
    state->gravity = scene_def->gravity_m_s2;
    state->restitution = dew_scene_knob_number(scene, "restitution");
    state->friction = dew_scene_knob_number(scene, "friction");
    state->rolling = dew_scene_knob_number(scene, "rolling");
    state->rest_speed_m_s = dew_scene_knob_number(scene, "rest_speed");
    state->collide = dew_scene_knob_flag(scene, "collide");
    state->density_kg_m3 = scene_def->liquid.density_kg_m3;
    state->tension_N_m = scene_def->liquid.surface_tension_N_m;
    dew_Status status = dew_ball_shape_init(&state->shape, &def->allocator);
    if (status.code != DEW_OK) {
        rigid_destroy(state);
        return status;
    }
    *out = state;
    return dew_ok();
}

/// Sets the number of balls in every array; a failure leaves the number as it was.
static dew_Status resize(dew_SolverState *state, int64_t count)
{
    int64_t before = dew_ball_count(state);
    dew_Array *arrays[] = {&state->position, &state->velocity, &state->spin, &state->radius,
                           &state->still,    &state->mode,     &state->id};
    dew_Status status = dew_ok();
    size_t done = 0, array_count = sizeof arrays / sizeof arrays[0];
    while (done < array_count && status.code == DEW_OK)
        status = dew_array_resize(arrays[done++], count);
    if (status.code != DEW_OK)
        for (size_t k = 0; k < array_count; k++)
            arrays[k]->count = before;  // shrinking keeps the memory
    return status;
}

static dew_Status rigid_pour(const dew_Problem *problem, dew_SolverState *state,
                             const dew_Moment *moment, const dew_Blob *blob)
{
    (void)problem;
    (void)moment;
    if (blob->shape.shape != DEW_DROP_SPHERE)
        return dew_fail(DEW_UNSUPPORTED, "solver rigid takes drops of shape sphere only");
    int64_t i = dew_ball_count(state);
    DEW_TRY(resize(state, i + 1));
    DEW_ITEMS(&state->id, int64_t)[i] = blob->id;
    DEW_ITEMS(&state->position, dew_Vec3)[i] = blob->center_m;
    DEW_ITEMS(&state->velocity, dew_Vec3)[i] = blob->velocity_m_s;
    DEW_ITEMS(&state->spin, dew_Vec3)[i] = dew_vec(0, 0, 0);
    DEW_ITEMS(&state->radius, double)[i] = blob->shape.radius_m;
    DEW_ITEMS(&state->still, double)[i] = 0;
    DEW_ITEMS(&state->mode, uint8_t)[i] = DEW_BALL_FLYING;
    return dew_ok();
}

static dew_Ball get_ball(const dew_SolverState *s, int64_t i)
{
    return (dew_Ball){.x = DEW_ITEMS(&s->position, dew_Vec3)[i],
                      .v = DEW_ITEMS(&s->velocity, dew_Vec3)[i],
                      .w = DEW_ITEMS(&s->spin, dew_Vec3)[i],
                      .r = DEW_ITEMS(&s->radius, double)[i],
                      .still_s = DEW_ITEMS(&s->still, double)[i],
                      .mode = DEW_ITEMS(&s->mode, uint8_t)[i]};
}

/// Does the solid move at this moment?
static bool is_moving(const dew_SolidPose *pose)
{
    return dew_length2(pose->velocity_m_s) > 0 || dew_length2(pose->angular_velocity_rad_s) > 0;
}

/// speed t + g t^2 / 2 = way, solved for t in the form that does not cancel.
static double time_for_way(double way, double speed, double g)
{
    double root = speed + sqrt(speed * speed + 2 * g * way);
    return root > 0 ? 2 * way / root : (double)INFINITY;
}

/// A ball moves by half its radius at most; towards a solid that moves, also by half their distance.
static double ball_limit(const dew_Problem *problem, const dew_Moment *moment, const dew_Ball *ball)
{
    double g = dew_length(moment->gravity_m_s2), speed = dew_length(ball->v);
    double way = MAX_ADVANCE * ball->r, limit = (double)INFINITY;
    if (ball->mode != DEW_BALL_ASLEEP)
        limit = time_for_way(way, speed, g);
    for (int i = 0; i < dew_problem_solid_count(problem); i++) {
        if (!is_moving(&moment->poses[i]))
            continue;
        dew_SolidPoint p = dew_problem_solid_nearest(problem, moment, i, ball->x);
        double free_way = fmax(way, MAX_ADVANCE * (p.distance_m - ball->r));
        limit = fmin(limit, time_for_way(free_way, speed + dew_length(p.velocity_m_s), g));
    }
    return limit;
}

static double rigid_max_step(const dew_Problem *problem, const dew_SolverState *state,
                             const dew_Moment *moment, const char **bound)
{
    double step = (double)INFINITY;
    for (int64_t i = 0; i < dew_ball_count(state); i++) {
        dew_Ball ball = get_ball(state, i);
        step = fmin(step, ball_limit(problem, moment, &ball));
    }
    *bound = isinf(step) ? NULL : "cfl";
    return step;
}

// ---- the step ----------------------------------------------------------------------------------

static bool same_vec(dew_Vec3 a, dew_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool poses_differ(const dew_Problem *problem, const dew_Step *step)
{
    size_t size = (size_t)dew_problem_solid_count(problem) * sizeof(dew_SolidPose);
    return size > 0 && memcmp(step->moment->poses, step->moment_old->poses, size) != 0;
}

typedef struct Stage {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Step *step;
    bool wake_all;      // gravity has changed
    bool solids_moved;  // then a sleeper must look whether its solid is still there
} Stage;

static bool must_wake(const Stage *stage, const dew_Ball *ball)
{
    if (stage->wake_all)
        return true;
    if (!stage->solids_moved)
        return false;
    dew_SolidPoint p =
        dew_problem_nearest(stage->problem, stage->step->moment, ball->x, 2 * ball->r);
    return dew_length2(p.velocity_m_s) > 0 || fabs(p.distance_m - ball->r) > 1e-6 * ball->r;
}

static void move_one(const Stage *stage, int64_t i)
{
    dew_SolverState *s = stage->state;
    dew_Ball ball = get_ball(s, i);
    if (ball.mode == DEW_BALL_ASLEEP) {
        if (!must_wake(stage, &ball))
            return;
        ball.mode = DEW_BALL_TOUCHING;
    }
    dew_ball_move(stage->problem, s, stage->step, &ball);
    DEW_ITEMS(&s->position, dew_Vec3)[i] = ball.x;
    DEW_ITEMS(&s->velocity, dew_Vec3)[i] = ball.v;
    DEW_ITEMS(&s->spin, dew_Vec3)[i] = ball.w;
    DEW_ITEMS(&s->still, double)[i] = ball.still_s;
    DEW_ITEMS(&s->mode, uint8_t)[i] = ball.mode;
}

static dew_Status move_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    for (int64_t i = begin; i < end; i++)
        move_one(context, i);
    return dew_ok();
}

/// Wholly outside the domain, which only an open side allows, or with its centre in a sink.
static bool has_left(const dew_Problem *problem, dew_Vec3 x, double r)
{
    dew_Box box = dew_problem_domain(problem);
    box.min = dew_sub(box.min, dew_vec(r, r, r));
    box.max = dew_add(box.max, dew_vec(r, r, r));
    return !dew_box_contains(box, x) || dew_problem_in_sink(problem, x);
}

static void copy_ball(dew_SolverState *s, int64_t to, int64_t from)
{
    dew_Array *arrays[] = {&s->id,     &s->position, &s->velocity, &s->spin,
                           &s->radius, &s->still,    &s->mode};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        size_t size = arrays[k]->element_size;
        memcpy((char *)arrays[k]->data + (size_t)to * size,
               (const char *)arrays[k]->data + (size_t)from * size, size);
    }
}

static dew_Status remove_left(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    int64_t kept = 0, count = dew_ball_count(state);
    for (int64_t i = 0; i < count; i++) {
        double r = DEW_ITEMS(&state->radius, double)[i];
        if (has_left(problem, DEW_ITEMS(&state->position, dew_Vec3)[i], r)) {
            step->removed_m3 += dew_ball_volume(r);
            continue;
        }
        if (kept < i)
            copy_ball(state, kept, i);
        kept++;
    }
    return resize(state, kept);
}

static dew_Status rigid_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    Stage stage = {problem, state, step, !same_vec(state->gravity, step->moment->gravity_m_s2),
                   poses_differ(problem, step)};
    state->gravity = step->moment->gravity_m_s2;
    DEW_TRY(dew_parallel_for(step->tasks, dew_ball_count(state), CHUNK, move_chunk, &stage));
    DEW_TRY(dew_balls_collide(state, step));
    return remove_left(problem, state, step);
}

// ---- fields ------------------------------------------------------------------------------------

static void rigid_fields(dew_SolverState *s, dew_FieldList *out)
{
    *out = (dew_FieldList){
        .count = 8,
        .field = {
            {.name = "id", .type = DEW_FIELD_I64, .components = 1, .array = &s->id},
            {.name = "position", .type = DEW_FIELD_F64, .components = 3, .array = &s->position},
            {.name = "velocity", .type = DEW_FIELD_F64, .components = 3, .array = &s->velocity},
            {.name = "spin", .type = DEW_FIELD_F64, .components = 3, .array = &s->spin},
            {.name = "radius", .type = DEW_FIELD_F64, .components = 1, .array = &s->radius},
            {.name = "still", .type = DEW_FIELD_F64, .components = 1, .array = &s->still},
            {.name = "mode", .type = DEW_FIELD_U8, .components = 1, .array = &s->mode},
            {.name = "gravity",
             .type = DEW_FIELD_F64,
             .components = 3,
             .block = &s->gravity,
             .block_count = 1}}};
}

static dew_Status rigid_restored(const dew_Problem *problem, dew_SolverState *state)
{
    (void)problem;
    int64_t count = dew_ball_count(state);
    if (state->position.count != count || state->velocity.count != count ||
        state->spin.count != count || state->radius.count != count || state->still.count != count ||
        state->mode.count != count)
        return dew_fail(DEW_CORRUPT, "the balls' arrays differ in length");
    for (int64_t i = 0; i < count; i++) {
        double r = DEW_ITEMS(&state->radius, double)[i];
        if (!(r > 0) || isinf(r) || DEW_ITEMS(&state->mode, uint8_t)[i] >= DEW_BALL_MODE_COUNT)
            return dew_fail(DEW_CORRUPT, "ball %lld has an impossible radius or mode",
                            (long long)i);
    }
    return dew_ok();
}

const dew_SolverOps dew_rigid_ops = {
    .traits = &dew_rigid_traits,
    .create = rigid_create,
    .pour = rigid_pour,
    .max_step_s = rigid_max_step,
    .step = rigid_step,
    .surface = dew_rigid_surface,
    .measure = dew_rigid_measure,
    .fields = rigid_fields,
    .restored = rigid_restored,
    .destroy = rigid_destroy,
};
