// The balls against what mechanics says: fall, rebound, rolling, leaving a sphere, collisions, rest.
#include "solvers/rigid/rigid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/status.h"
#include "solvers/rigid/rigid_state.h"

#define G 9.81

/// A solver with its problem, stepped without World.
typedef struct Bench {
    dew_Scene *scene;
    dew_Problem *problem;
    dew_SolverState *state;
    dew_SolidPose poses[2][16];
    dew_Arena scratch;
    double time_s;
    double removed_m3;
    dew_Vec3 gravity;
} Bench;

static const dew_SolverTraits *const list[] = {&dew_rigid_traits};

static dew_Status read_scene(const char *text, dew_Scene **out)
{
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "scene.yaml";
    def.text = text;
    def.text_size = strlen(text);
    return dew_scene_read(&def, (dew_SolverList){list, 1}, out);
}

static dew_Moment moment_at(Bench *b, double time_s, int which)
{
    dew_problem_poses(b->problem, time_s, b->poses[which]);
    return (dew_Moment){time_s, b->gravity, {0, 0, 0}, b->poses[which]};
}

static Bench begin(const char *body)
{
    char text[4096];
    Bench b = {.time_s = 0};
    snprintf(text, sizeof text, "solver: rigid\n%s%s",
             strstr(body, "domain:") ? ""
                                     : "domain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n",
             body);
    dew_Status status = read_scene(text, &b.scene);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    dew_ProblemDef problem_def = {0};
    assert_int_equal(dew_problem_create(b.scene, &problem_def, &b.problem).code, DEW_OK);
    assert_in_range(dew_problem_solid_count(b.problem), 0, 16);
    b.gravity = dew_problem_def(b.problem)->gravity_m_s2;
    dew_CreateDef create_def = {0};
    assert_int_equal(dew_rigid_ops.create(b.problem, &create_def, &b.state).code, DEW_OK);
    dew_arena_init(&b.scratch, NULL);
    dew_Moment moment = moment_at(&b, 0, 0);
    for (int64_t i = 0; i < dew_problem_blob_count(b.problem); i++)
        assert_int_equal(
            dew_rigid_ops.pour(b.problem, b.state, &moment, dew_problem_blob(b.problem, i)).code,
            DEW_OK);
    return b;
}

static void end(Bench *b)
{
    dew_rigid_ops.destroy(b->state);
    dew_problem_destroy(b->problem);
    dew_scene_destroy(b->scene);
    dew_arena_deinit(&b->scratch);
}

/// Steps to a time, with steps no longer than max_step_s.
static void run_to(Bench *b, double end_s, double max_step_s)
{
    while (b->time_s < end_s) {
        const char *bound;
        dew_Moment old = moment_at(b, b->time_s, 0);
        double dt = fmin(max_step_s, dew_rigid_ops.max_step_s(b->problem, b->state, &old, &bound));
        double next_s = b->time_s + dt < end_s ? b->time_s + dt : end_s;
        dew_Moment now = moment_at(b, next_s, 1);
        dew_Step step = {
            .moment = &now, .moment_old = &old, .dt_s = next_s - b->time_s, .scratch = &b->scratch};
        assert_int_equal(dew_rigid_ops.step(b->problem, b->state, &step).code, DEW_OK);
        dew_arena_clear(&b->scratch);
        b->removed_m3 += step.removed_m3;
        b->time_s = next_s;
    }
}

static dew_Measure measure(Bench *b)
{
    dew_Measure m;
    dew_Moment moment = moment_at(b, b->time_s, 0);
    dew_rigid_ops.measure(b->problem, b->state, &moment, &m);
    return m;
}

static dew_Vec3 position(const Bench *b, int64_t i)
{
    return DEW_ITEMS(&b->state->position, dew_Vec3)[i];
}

static dew_Vec3 velocity(const Bench *b, int64_t i)
{
    return DEW_ITEMS(&b->state->velocity, dew_Vec3)[i];
}

static int mode(const Bench *b, int64_t i)
{
    return DEW_ITEMS(&b->state->mode, uint8_t)[i];
}

#define assert_near(got, expected, allowed)                                                        \
    do {                                                                                           \
        double got_ = (got), expected_ = (expected);                                               \
        if (!(fabs(got_ - expected_) <= (allowed)))                                                \
            fail_msg("%s is %.17g, not %.17g (off by %.3g)", #got, got_, expected_,                \
                     got_ - expected_);                                                            \
    } while (0)

// ---- flight and impact -------------------------------------------------------------------------

// A parabola is integrated exactly, whatever the step: only rounding is left, 2e-16 for each of up to
// 300 steps.
static void fall_is_exact(void **state)
{
    (void)state;
    static const double steps[] = {1, 1e-2, 1e-3};
    for (int i = 0; i < 3; i++) {
        Bench b = begin("drops: [{shape: sphere, center: [0, 0.9, 0], radius: 5 mm, velocity: "
                        "[0.5, 0.1, 0]}]\n");
        double t = 0.3;
        run_to(&b, t, steps[i]);
        assert_near(position(&b, 0).x, 0.5 * t, 1e-13);
        assert_near(position(&b, 0).y, 0.9 + 0.1 * t - 0.5 * G * t * t, 1e-13);
        assert_near(velocity(&b, 0).y, 0.1 - G * t, 1e-13);
        end(&b);
    }
}

// After an impact at t0 the ball rises with e v; the time of impact is known in closed form, and the
// result does not hang on the step. Error: the gap tolerance 1e-10 r over the speed, times speeds.
static void rebound_does_not_depend_on_the_step(void **state)
{
    (void)state;
    double h = 0.2, e = 0.7, t0 = sqrt(2 * h / G), v = e * G * t0, t = t0 + 0.1;
    static const double steps[] = {1, 1e-2, 3.3e-3, 1e-4};
    for (int i = 0; i < 4; i++) {
        Bench b = begin("rigid: {restitution: 0.7}\n"
                        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
                        "drops: [{shape: sphere, center: [0, 205 mm, 0], radius: 5 mm}]\n");
        run_to(&b, t, steps[i]);
        assert_near(position(&b, 0).y, 0.005 + v * 0.1 - 0.5 * G * 0.01, 1e-11);
        assert_near(velocity(&b, 0).y, v - G * 0.1, 1e-10);
        end(&b);
    }
}

// Sliding impact with much friction: the ball leaves rolling, with 5/7 of its tangential speed.
static void friction_at_impact_makes_it_roll(void **state)
{
    (void)state;
    Bench b = begin(
        "rigid: {restitution: 1, friction: 100}\n"
        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
        "drops: [{shape: sphere, center: [0, 55 mm, 0], radius: 5 mm, velocity: [0.7, 0, 0]}]\n");
    run_to(&b, 0.12, 1);
    assert_near(velocity(&b, 0).x, 0.5, 1e-12);
    assert_near(DEW_ITEMS(&b.state->spin, dew_Vec3)[0].z, -0.5 / 0.005, 1e-9);
    end(&b);
}

static void it_comes_to_rest_and_sleeps(void **state)
{
    (void)state;
    Bench b = begin(
        "rigid: {restitution: 0.6}\n"
        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
        "drops: [{shape: sphere, center: [0, 105 mm, 0], radius: 5 mm, velocity: [0.05, 0, 0]}]\n");
    run_to(&b, 4, 1);
    assert_int_equal(mode(&b, 0), DEW_BALL_ASLEEP);
    assert_near(position(&b, 0).y, 0.005, 1e-12);
    assert_true(measure(&b).max_speed_m_s == 0);
    dew_Vec3 where = position(&b, 0);
    run_to(&b, 5, 1);
    assert_memory_equal(&where, &DEW_ITEMS(&b.state->position, dew_Vec3)[0], sizeof where);
    const char *bound;
    dew_Moment moment = moment_at(&b, b.time_s, 0);
    assert_true(isinf(dew_rigid_ops.max_step_s(b.problem, b.state, &moment, &bound)));
    b.gravity = dew_vec(1, -9, 0);  // tilting wakes it
    run_to(&b, 5.1, 1);
    assert_true(velocity(&b, 0).x > 0.01);
    end(&b);
}

// A ball in the fold of two planes touches both; it must come to rest there too.
static void it_rests_in_a_groove(void **state)
{
    (void)state;
    Bench b = begin("solids:\n"
                    "  - {shape: plane, point: [0, 0, 0], normal: [1, 1, 0]}\n"
                    "  - {shape: plane, point: [0, 0, 0], normal: [-1, 1, 0]}\n"
                    "drops: [{shape: sphere, center: [3 mm, 60 mm, 0], radius: 5 mm}]\n");
    run_to(&b, 4, 1);
    assert_int_equal(mode(&b, 0), DEW_BALL_ASLEEP);
    assert_near(position(&b, 0).x, 0, 1e-4);
    assert_near(position(&b, 0).y, sqrt(2.0) * 0.005, 1e-4);
    end(&b);
}

// ---- rolling -----------------------------------------------------------------------------------

// A solid sphere rolls down at 5/7 g sin a. The trapezoidal rule is exact under constant force.
static void rolling_down_an_incline(void **state)
{
    (void)state;
    double a = DEW_DEG(20), s = sin(a), c = cos(a), t = 0.4;
    char text[512];
    snprintf(text, sizeof text,
             "rigid: {friction: 1, rolling: 0}\n"
             "solids: [{shape: plane, point: [0, 0, 0], normal: [%.17g, %.17g, 0]}]\n"
             "drops: [{shape: sphere, center: [%.17g, %.17g, 0], radius: 5 mm}]\n",
             s, c, 0.005 * s, 0.005 * c);
    static const double steps[] = {1, 1e-3};
    for (int i = 0; i < 2; i++) {
        Bench b = begin(text);
        run_to(&b, t, steps[i]);
        double way = (position(&b, 0).x - 0.005 * s) * c - (position(&b, 0).y - 0.005 * c) * s;
        assert_near(way, 0.5 * (5.0 / 7.0) * G * s * t * t, 1e-10);
        assert_near(dew_length(velocity(&b, 0)), (5.0 / 7.0) * G * s * t, 1e-10);
        end(&b);
    }
}

// With little friction it slides: g (sin a - mu cos a), and spins up at 5/2 mu g cos a / r.
static void sliding_down_an_incline(void **state)
{
    (void)state;
    double a = DEW_DEG(40), s = sin(a), c = cos(a), t = 0.2, mu = 0.1;
    char text[512];
    snprintf(text, sizeof text,
             "rigid: {friction: 0.1, rolling: 0}\n"
             "solids: [{shape: plane, point: [0, 0, 0], normal: [%.17g, %.17g, 0]}]\n"
             "drops: [{shape: sphere, center: [%.17g, %.17g, 0], radius: 5 mm}]\n",
             s, c, 0.005 * s, 0.005 * c);
    Bench b = begin(text);
    run_to(&b, t, 1);
    assert_near(dew_length(velocity(&b, 0)), G * (s - mu * c) * t, 1e-10);
    assert_near(-DEW_ITEMS(&b.state->spin, dew_Vec3)[0].z, 2.5 * mu * G * c * t / 0.005, 1e-6);
    end(&b);
}

// From the top of a fixed sphere a rolling one leaves where cos a = 10/17. The angle is known to one
// step: at a step of 1e-4 s the ball turns by v dt / (R + r) = 2e-3 rad about there.
static void it_leaves_a_sphere_at_10_17(void **state)
{
    (void)state;
    Bench b = begin("rigid: {friction: 1e6, rolling: 0, restitution: 0}\n"
                    "solids: [{shape: sphere, center: [0, 0, 0], radius: 45 mm}]\n"
                    "drops: [{shape: sphere, center: [0.5 mm, 49.9975 mm, 0], radius: 5 mm}]\n");
    double angle = 0;
    dew_Measure first = measure(&b);
    for (int i = 0; i < 20000 && b.time_s < 2; i++) {
        run_to(&b, b.time_s + 1e-4, 1e-4);
        if (mode(&b, 0) == DEW_BALL_FLYING && i > 2)
            break;
        dew_Vec3 x = position(&b, 0);
        angle = atan2(x.x, x.y);
        assert_near(dew_length(x), 0.05, 1e-9);
    }
    assert_near(angle, acos(10.0 / 17.0), 4e-3);
    dew_Measure last = measure(&b);
    // Rolling loses nothing; the first contact takes what 0.0000025 m of fall gives.
    double fall_J = first.gravity_J - last.gravity_J;
    assert_near(last.kinetic_J / fall_J, 1, 2e-3);
    end(&b);
}

// Rolling resistance c stops a ball of speed v after v^2 / (2 c g).
static void rolling_resistance_stops_it(void **state)
{
    (void)state;
    Bench b = begin(
        "rigid: {friction: 10, rolling: 0.05}\n"
        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
        "drops: [{shape: sphere, center: [0, 5 mm, 0], radius: 5 mm, velocity: [0.35, 0, 0]}]\n");
    run_to(&b, 2, 1e-3);
    assert_int_equal(mode(&b, 0), DEW_BALL_ASLEEP);
    // Friction first makes it roll: 5/7 of the speed. One step of 1 ms at that speed is 0.25 mm.
    assert_near(position(&b, 0).x, 0.25 * 0.25 / (2 * 0.05 * G), 4e-4);
    end(&b);
}

// ---- energy ------------------------------------------------------------------------------------

static void energy_never_grows_between_solids(void **state)
{
    (void)state;
    Bench b = begin(
        "domain: {min: [-50 mm, 0, -50 mm], max: [50 mm, 100 mm, 50 mm], cell: 1 mm, "
        "walls: {others: glass}}\n"
        "rigid: {restitution: 0.9, collide: false}\nmaterials: {glass: {}}\n"
        "solids: [{shape: sphere, center: [0, 0, 0], radius: 30 mm, material: glass}, "
        "{shape: box, center: [20 mm, 50 mm, 0], size: [20 mm, 4 mm, 60 mm], "
        "rotate: {axis: [0, 0, 1], angle: 20 deg}, material: glass}]\n"
        "drops: [{shape: sphere, center: [10 mm, 80 mm, 0], radius: 4 mm, velocity: [0.3, 1, "
        "0.2]}, "
        "{shape: sphere, center: [-10 mm, 70 mm, 10 mm], radius: 3 mm, velocity: [-1, 0, 2]}, "
        "{shape: sphere, center: [20 mm, 90 mm, -10 mm], radius: 5 mm}]\n");
    dew_Measure m = measure(&b);
    double before = m.kinetic_J + m.gravity_J, scale = before;
    for (int i = 0; i < 3000; i++) {
        run_to(&b, b.time_s + 1e-3, 1);
        m = measure(&b);
        // The gap tolerance lets a ball be put 1e-10 r higher at each impact.
        assert_true(m.kinetic_J + m.gravity_J <= before + 1e-9 * scale);
        before = m.kinetic_J + m.gravity_J;
    }
    assert_int_equal(m.drops, 3);
    end(&b);
}

// ---- pairs -------------------------------------------------------------------------------------

// Equal balls, head on, elastic: they swap velocities.
static void equal_balls_swap_velocities(void **state)
{
    (void)state;
    Bench b = begin(
        "gravity: [0, 0, 0]\nrigid: {restitution: 1}\n"
        "drops: [{shape: sphere, center: [-20 mm, 0, 0], radius: 5 mm, velocity: [0.3, 0, 0]}, "
        "{shape: sphere, center: [20 mm, 0, 0], radius: 5 mm, velocity: [-0.1, 0, 0]}]\n");
    run_to(&b, 0.2, 1e-3);
    assert_near(velocity(&b, 0).x, -0.1, 1e-15);
    assert_near(velocity(&b, 1).x, 0.3, 1e-15);
    end(&b);
}

// Many at once: momentum is kept to rounding, energy does not grow, elastic or not.
static void a_cloud_keeps_momentum_and_gains_no_energy(void **state)
{
    (void)state;
    Bench b = begin("domain: {min: [-9, -9, -9], max: [9, 9, 9], cell: 1 m}\ngravity: [0, 0, 0]\n"
                    "rigid: {restitution: 1}\n"
                    "drops: [{shape: sphere, center: [0, 0, 0], radius: 5 mm}]\n");
    dew_Moment moment = moment_at(&b, 0, 0);
    dew_Random random = dew_random(7, 1, 0);
    for (int i = 0; i < 300; i++) {
        dew_Blob blob = *dew_problem_blob(b.problem, 0);
        dew_Vec3 d = dew_random_direction(&random);
        blob.center_m = dew_scale(0.1 * cbrt(dew_random_unit(&random)), d);
        blob.velocity_m_s = dew_scale(-1, d);
        blob.shape.radius_m = dew_random_range(&random, 2e-3, 8e-3);
        assert_int_equal(dew_rigid_ops.pour(b.problem, b.state, &moment, &blob).code, DEW_OK);
    }
    dew_Measure first = measure(&b);
    for (int i = 0; i < 200; i++) {
        double before = measure(&b).kinetic_J;
        run_to(&b, b.time_s + 1e-3, 1e-3);
        assert_true(measure(&b).kinetic_J <= before * (1 + 1e-12));
    }
    dew_Measure last = measure(&b);
    assert_true(last.kinetic_J < 0.9 * first.kinetic_J);  // there were collisions
    assert_near(dew_distance(first.velocity_m_s, last.velocity_m_s), 0, 1e-15);
    end(&b);
}

// ---- coming and going --------------------------------------------------------------------------

static void sinks_and_open_sides_take_balls_away(void **state)
{
    (void)state;
    Bench b =
        begin("domain: {min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1], cell: 1 mm}\n"
              "gravity: [0, 0, 0]\n"
              "sinks: [{shape: box, min: [50 mm, -1 m, -1 m], max: [60 mm, 1 m, 1 m]}]\n"
              "drops: [{shape: sphere, center: [0, 0, 0], radius: 5 mm, velocity: [1, 0, 0]}, "
              "{shape: sphere, center: [0, 20 mm, 0], radius: 4 mm, velocity: [0, 1, 0]}, "
              "{shape: sphere, center: [0, 0, 20 mm], radius: 3 mm}]\n");
    run_to(&b, 0.2, 1);
    assert_int_equal(dew_ball_count(b.state), 1);
    assert_near(DEW_ITEMS(&b.state->radius, double)[0], 3e-3, 0);
    double expected = dew_ball_volume(5e-3) + dew_ball_volume(4e-3);
    assert_near(b.removed_m3, expected, 1e-15 * expected);
    end(&b);
}

static void a_rising_plate_carries_it(void **state)
{
    (void)state;
    Bench b = begin("solids: [{shape: box, center: [0, -5 mm, 0], size: [0.2, 10 mm, 0.2], "
                    "velocity: [0, 0.1, 0]}]\n"
                    "drops: [{shape: sphere, center: [0, 5 mm, 0], radius: 5 mm}]\n");
    run_to(&b, 1, 1);
    assert_near(position(&b, 0).y, 0.105, 1e-9);
    assert_near(velocity(&b, 0).y, 0.1, 1e-9);
    end(&b);
}

// ---- surface -----------------------------------------------------------------------------------

static void the_surface_has_the_volume_of_the_balls(void **state)
{
    (void)state;
    Bench b =
        begin("solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
              "drops: [{shape: sphere, center: [0, 5 mm, 0], radius: 5 mm}, "
              "{shape: sphere, center: [50 mm, 50 mm, 0], radius: 3 mm, velocity: [1, 2, 3]}]\n");
    dew_Surface *surface;
    assert_int_equal(dew_surface_create(NULL, &surface).code, DEW_OK);
    dew_Moment moment = moment_at(&b, 0, 0);
    assert_int_equal(dew_rigid_ops.surface(b.problem, b.state, &moment, surface).code, DEW_OK);
    double expected = dew_ball_volume(5e-3) + dew_ball_volume(3e-3);
    assert_near(dew_surface_volume_m3(surface), expected, 1e-12 * expected);
    assert_near(dew_surface_area_m2(surface), measure(&b).area_m2, 0.02 * measure(&b).area_m2);
    assert_int_equal(surface->piece_count, 2);
    int wet = 0;
    for (int64_t i = 0; i < dew_surface_vertex_count(surface); i++) {
        wet += dew_surface_wet(surface)[i] > 0;
        assert_true(dew_surface_wet(surface)[i] <= 0 || i < DEW_BALL_VERTICES);
    }
    assert_true(wet > 0);
    assert_near(dew_surface_velocities_m_s(surface)[DEW_BALL_VERTICES].z, 3, 0);
    dew_surface_destroy(surface);
    end(&b);
}

#define ONE_DROP "drops: [{shape: sphere, center: [0, 0, 0], radius: 1 mm}]\n"

static void what_it_does_not_honour_is_refused(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "drops: [{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}]\n",
        "wind: [1, 0, 0]\n" ONE_DROP,
        "output: {volume: vdb}\n" ONE_DROP,
        "materials: {glass: {advancing: 100 deg}}\n" ONE_DROP,
        "dimensions: 2\n" ONE_DROP,
        "sources: [{shape: disk, center: [0, 0, 0], normal: [0, -1, 0], radius: 1 mm, speed: 1}]\n",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        char text[1024];
        dew_Scene *scene = NULL;
        snprintf(text, sizeof text,
                 "solver: rigid\ndomain: {min: [-1, -1, -1], max: [1, 1, 1], cell: 1 mm}\n%s",
                 bodies[i]);
        dew_Status status = read_scene(text, &scene);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_non_null(strstr(status.message, "rigid"));
        dew_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fall_is_exact),
        cmocka_unit_test(rebound_does_not_depend_on_the_step),
        cmocka_unit_test(friction_at_impact_makes_it_roll),
        cmocka_unit_test(it_comes_to_rest_and_sleeps),
        cmocka_unit_test(it_rests_in_a_groove),
        cmocka_unit_test(rolling_down_an_incline),
        cmocka_unit_test(sliding_down_an_incline),
        cmocka_unit_test(it_leaves_a_sphere_at_10_17),
        cmocka_unit_test(rolling_resistance_stops_it),
        cmocka_unit_test(energy_never_grows_between_solids),
        cmocka_unit_test(equal_balls_swap_velocities),
        cmocka_unit_test(a_cloud_keeps_momentum_and_gains_no_energy),
        cmocka_unit_test(sinks_and_open_sides_take_balls_away),
        cmocka_unit_test(a_rising_plate_carries_it),
        cmocka_unit_test(the_surface_has_the_volume_of_the_balls),
        cmocka_unit_test(what_it_does_not_honour_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
