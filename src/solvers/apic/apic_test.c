// The solver's parts: particles fill what is poured and stay out of walls, momentum is kept, what
// the transfers do to a turning drop, tension both ways.
#include "solvers/apic/apic_solver.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/testing.h"
#include "grid/sample.h"
#include "solvers/apic/apic_state.h"

/// A solver with its problem, without World.
typedef struct Bench {
    dew_Scene *scene;
    dew_Problem *problem;
    dew_SolverState *state;
    dew_SolidPose poses[8];
    dew_Arena scratch;
    double time_s;
    int64_t steps;
} Bench;

static const dew_SolverTraits *const list[] = {&dew_apic_solver_traits};
static const dew_SolverOps *const ops = &dew_apic_solver_ops;

static Bench begin(const char *body)
{
    char text[4096];
    Bench b = {.scene = NULL};
    snprintf(text, sizeof text, "solver: apic\n%s", body);
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = "scene.yaml";
    def.text = text;
    def.text_size = strlen(text);
    assert_ok(dew_scene_read(&def, (dew_SolverList){list, 1}, &b.scene));
    dew_ProblemDef problem_def = {0};
    assert_ok(dew_problem_create(b.scene, &problem_def, &b.problem));
    dew_CreateDef create_def = {0};
    assert_ok(ops->create(b.problem, &create_def, &b.state));
    dew_arena_init(&b.scratch, NULL);
    assert_in_range(dew_problem_solid_count(b.problem), 0, 8);
    dew_problem_poses(b.problem, 0, b.poses);
    dew_Instant instant = {.poses = b.poses};
    for (int64_t i = 0; i < dew_problem_blob_count(b.problem); i++)
        assert_ok(ops->pour(b.problem, b.state, &instant, dew_problem_blob(b.problem, i)));
    return b;
}

static void end(Bench *b)
{
    ops->destroy(b->state);
    dew_problem_destroy(b->problem);
    dew_scene_destroy(b->scene);
    dew_arena_deinit(&b->scratch);
}

static void step(Bench *b, double dt_s)
{
    dew_Vec3 g = dew_problem_def(b->problem)->gravity_m_s2;
    dew_Instant old = {.time_s = b->time_s, .poses = b->poses, .gravity_m_s2 = g}, new = old;
    new.time_s += dt_s;
    dew_Step s = {.instant = &new,
                  .instant_old = &old,
                  .dt_s = dt_s,
                  .index = b->steps++,
                  .scratch = &b->scratch};
    assert_ok(ops->step(b->problem, b->state, &s));
    b->time_s = new.time_s;
    dew_arena_clear(&b->scratch);
}

static const dew_Particles *particles_of(const Bench *b)
{
    return &b->state->markers.particles;
}

static dew_Momentum momentum_of(const Bench *b)
{
    return dew_transfer_momentum(particles_of(b), b->state->motion, b->state->liquid.grid);
}

#define BOX(cell)  "domain: {min: [-2 mm, -2 mm, -2 mm], max: [2 mm, 2 mm, 2 mm], cell: " cell "}\n"
#define WEIGHTLESS "gravity: [0, 0, 0]\n"
#define FREE(tension)                                                                              \
    WEIGHTLESS "liquid: {density: 998, viscosity: 0, surface_tension: " tension "}\n"

// ---- places -------------------------------------------------------------------------------------

static void what_is_poured_is_filled(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "{shape: sphere, center: [0.01 mm, 0.03 mm, 0], radius: 1 mm, velocity: [0.1, 0, 0.2]}",
        "{shape: box, min: [-1 mm, -1 mm, -1 mm], max: [1 mm, 0.7 mm, 1 mm], "
        "velocity: [0.1, 0, 0.2]}",
        "{shape: cylinder, from: [-1 mm, 0, 0], to: [1 mm, 0, 0], radius: 0.9 mm, "
        "velocity: [0.1, 0, 0.2]}"};
    for (int k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text, WEIGHTLESS BOX("0.125 mm") "drops: [%s]\n", shapes[k]);
        Bench b = begin(text);
        dew_Measure m;
        dew_Instant instant = {.poses = b.poses};
        ops->measure(b.problem, b.state, &instant, &m);
        double cell_m3 = 0.125e-3 * 0.125e-3 * 0.125e-3;
        assert_true(fabs((double)m.particles * cell_m3 / 8 / m.volume_m3 - 1) < 0.02);
        const dew_Motion *motion = dew_particles_column(particles_of(&b), b.state->motion);
        for (int64_t n = 0; n < particles_of(&b)->count; n++) {
            assert_true(fabs(motion[n].u[0] - 0.1) < 1e-12);
            assert_true(fabs(motion[n].u[2] - 0.2) < 1e-12);
        }
        end(&b);
    }
}

// A drop that splashes on a ball: no particle in the ball, no cell inside without any, none far
// from the liquid.
static void particles_stay_in_the_liquid(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.2 mm") "materials: {w: {angle: 70 deg}}\n"
                                  "solids: [{shape: sphere, center: [0.1 mm, -1 mm, 0], radius: "
                                  "0.9 mm, material: w}]\n"
                                  "drops: [{shape: sphere, center: [0, 0.9 mm, 0], radius: 0.8 "
                                  "mm, velocity: [0, -1.5, 0]}]\n");
    const dew_Liquid *liquid = &b.state->liquid;
    double h = liquid->grid->cell_m;
    for (int k = 0; k < 30; k++)
        step(&b, 3e-5);
    int64_t count = dew_liquid_count(liquid), empty = 0;
    int32_t *counts = test_calloc((size_t)count, sizeof *counts);
    for (int64_t n = 0; n < particles_of(&b)->count; n++) {
        dew_Vec3 p = dew_particles_position(particles_of(&b), n);
        double phi;
        assert_true(dew_problem_distance(b.problem, NULL, p, h) > 0);
        assert_true(dew_grid_sample(liquid->grid, dew_liquid_phi(liquid), DEW_AT_CELL, p, &phi));
        assert_true(phi < 1.5 * h);
        int32_t cell[3] = {(int32_t)floor((p.x + 2e-3) / h), (int32_t)floor((p.y + 2e-3) / h),
                           (int32_t)floor((p.z + 2e-3) / h)};
        counts[dew_grid_cell(liquid->grid, cell)]++;
    }
    for (int64_t n = 0; n < count; n++)
        empty +=
            dew_liquid_phi(liquid)[n] < -h && dew_liquid_solid(liquid)[n] > h && counts[n] == 0;
    assert_int_equal(empty, 0);
    test_free(counts);
    end(&b);
}

// ---- momentum -----------------------------------------------------------------------------------

// A drop in flight moves on as it is, whatever the cells do; to rounding.
static void flight_is_straight(void **state)
{
    (void)state;
    static const char *const kinds[] = {"apic", "pic", "flip"};
    for (int k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 FREE("0") BOX("0.2 mm") "apic: {transfer: %s}\n"
                                         "drops: [{shape: sphere, center: [-0.3 mm, 0, 0], radius: "
                                         "0.9 mm, velocity: [0.6, 0.3, -0.2]}]\n",
                 kinds[k]);
        Bench b = begin(text);
        for (int n = 0; n < 8; n++)
            step(&b, 1.3e-4);
        dew_Vec3 v = dew_scale(1 / (double)particles_of(&b)->count, momentum_of(&b).linear);
        assert_true(dew_distance(v, dew_vec(0.6, 0.3, -0.2)) < 1e-9);
        dew_Measure m;
        dew_Instant instant = {.poses = b.poses};
        ops->measure(b.problem, b.state, &instant, &m);
        assert_true(fabs(m.center_m.x - (-0.3e-3 + 0.6 * 8 * 1.3e-4)) < 0.01 * 0.2e-3);
        end(&b);
    }
}

// Per particle of those above the ground on one side (x < 0 or not): mean velocity, angular
// momentum about their middle.
static dew_Momentum mean_momentum(const Bench *b, bool is_left)
{
    const dew_Particles *particles = particles_of(b);
    const dew_Motion *motion = dew_transfer_motion(particles, b->state->motion);
    const dew_Shear *shear = dew_transfer_shear(particles, b->state->motion);
    dew_Vec3 u = {0}, x = {0}, L = {0}, inertia;
    double count = 0;
    for (int64_t n = 0; n < particles->count; n++) {
        dew_Vec3 p = dew_particles_position(particles, n);
        dew_Vec3 v = {motion[n].u[0], motion[n].u[1], motion[n].u[2]};
        if (!(p.y > -0.5e-3) || (p.x < 0) != is_left)
            continue;
        count++;
        u = dew_add(u, v);
        x = dew_add(x, p);
        L = dew_add(L, dew_cross(p, v));
        L = dew_add(L, dew_transfer_spin(&shear[n], b->state->liquid.grid, p, &inertia));
    }
    dew_Vec3 mean = dew_scale(1 / count, u);
    return (dew_Momentum){
        mean, dew_sub(dew_scale(1 / count, L), dew_cross(dew_scale(1 / count, x), mean))};
}

// Two drops that fall, of which one is shaken: both fall as stones do, and what the shaking gave to
// the one it keeps. A third on the ground stays there.
static void free_drops_keep_their_momentum(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.2 mm") "liquid: {density: 998, viscosity: 0, surface_tension: 0.073}\n"
                                  "materials: {w: {angle: 90 deg}}\n"
                                  "solids: [{shape: plane, point: [0, -1.7 mm, 0], normal: [0, 1, "
                                  "0], material: w}]\n"
                                  "drops: [{shape: sphere, center: [-1 mm, 0.8 mm, 0], radius: "
                                  "0.65 mm}, {shape: sphere, center: [1 mm, 0.8 mm, 0.1 mm], "
                                  "radius: 0.6 mm}, {shape: sphere, center: [0, -1.7 mm, 0], "
                                  "radius: 0.7 mm}]\n");
    const dew_Particles *particles = particles_of(&b);
    const double g = dew_problem_def(b.problem)->gravity_m_s2.y, dt_s = 5e-5;
    // Gradients, here of 90 1/s, are floats: in each of 12 steps two of them, times h^2 / 4, are
    // rounded.
    const double spins = 12 * 2 * 90 * 0.25 * 0.2e-3 * 0.2e-3 * (double)FLT_EPSILON / 2;
    dew_Motion *motion = dew_particles_column(particles, b.state->motion);
    for (int64_t n = 0; n < particles->count; n++) {
        dew_Vec3 p = dew_particles_position(particles, n);
        if (p.y > -0.5e-3 && p.x < 0)
            motion[n] = (dew_Motion){.u = {0, 90 * p.z, 4e4 * p.x * p.x}};
    }
    dew_Momentum before[2] = {mean_momentum(&b, false), mean_momentum(&b, true)};
    for (int k = 0; k < 12; k++)
        step(&b, dt_s);
    for (int side = 0; side < 2; side++) {
        dew_Momentum now = mean_momentum(&b, side == 1);
        dew_Vec3 due = dew_add(before[side].linear, dew_vec(0, 12 * dt_s * g, 0));
        assert_true(dew_distance(now.linear, due) < 1e-12);
        assert_true(dew_distance(now.angular, before[side].angular) < spins);
    }
    end(&b);
}

// ---- tension ------------------------------------------------------------------------------------

// Both ways give a ball the pressure 2 sigma / R in its middle, after one step from rest.
static void a_ball_has_its_pressure(void **state)
{
    (void)state;
    static const char *const ways[] = {"ghost", "external"};
    static const double allowed[] = {0.005, 0.15};  // the force follows the curvature a cell deeper
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 FREE("0.073") BOX("0.125 mm") "apic: {surface_tension_force: %s}\n"
                                               "drops: [{shape: sphere, center: [0.01 mm, 0.02 "
                                               "mm, 0], radius: 1 mm}]\n",
                 ways[k]);
        Bench b = begin(text);
        step(&b, 1e-5);
        const dew_Liquid *liquid = &b.state->liquid;
        double p;
        assert_true(dew_grid_sample(liquid->grid, dew_grid_f64(liquid->grid, liquid->p),
                                    DEW_AT_CELL, dew_vec(0, 0, 0), &p));
        assert_true(fabs(p / (2 * 0.073 / 1e-3) - 1) < allowed[k]);
        end(&b);
    }
}

// A wall at which liquid rests gives none of the drop's energy back: a drop that slides off does
// not speed up.
static void walls_feed_nothing(void **state)
{
    (void)state;
    Bench b =
        begin("dimensions: 2\n" WEIGHTLESS "liquid: mercury\nmaterials: {w: {angle: 90 deg}}\n"
              "domain: {min: [-2 mm, -1 mm, -1 mm], max: [4 mm, 2.2 mm, 1 mm], cell: 0.1 mm}\n"
              "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: w}]\n"
              "drops: [{shape: sphere, center: [0, 0, 0], radius: 1 mm, "
              "velocity: [0.5, 0, 0]}]\n");
    dew_Instant instant = {.poses = b.poses};
    dew_Measure before, after;
    ops->measure(b.problem, b.state, &instant, &before);
    for (int k = 0; k < 40; k++) {
        const char *bound;
        step(&b, ops->max_step_s(b.problem, b.state, &instant, &bound));
    }
    ops->measure(b.problem, b.state, &instant, &after);
    assert_true(after.kinetic_J < before.kinetic_J);
    end(&b);
}

// A drop that hits a wall and spreads on it does not speed up again: what flows along a wall
// without slip is not told by particles that stay behind in its lowest cell.
static void spreading_feeds_nothing(void **state)
{
    (void)state;
    Bench b = begin("dimensions: 2\n" WEIGHTLESS
                    "liquid: mercury\nmaterials: {w: {angle: 130 deg, slip: 0}}\n"
                    "domain: {min: [-16 mm, -1.5 mm, -1 mm], max: [16 mm, 14 mm, 1 mm], "
                    "cell: 0.93 mm}\n"
                    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: w}]\n"
                    "drops: [{shape: sphere, center: [0, 6.5 mm, 0], radius: 6.26 mm, "
                    "velocity: [0, -0.55, 0]}]\n");
    dew_Instant instant = {.poses = b.poses};
    dew_Measure m;
    double least = HUGE_VAL;
    while (b.time_s < 12e-3) {
        const char *bound;
        step(&b, ops->max_step_s(b.problem, b.state, &instant, &bound));
        ops->measure(b.problem, b.state, &instant, &m);
        assert_true(m.kinetic_J < 1.02 * least);
        least = fmin(least, m.kinetic_J);
    }
    end(&b);
}

// Where nothing that moves is nearest, walls are not read again: what is kept is what reading would
// find.
static void walls_at_rest_are_kept(void **state)
{
    (void)state;
    Bench b = begin(BOX("0.1 mm") WEIGHTLESS
                    "materials: {w: {angle: 90 deg}}\n"
                    "solids: [{shape: plane, point: [0, -1 mm, 0], normal: [0.1, 1, 0], "
                    "material: w}, {shape: sphere, center: [-1.2 mm, 0, 0], radius: 0.4 mm, "
                    "velocity: [0.3, 0.1, 0], material: w}]\n"
                    "drops: [{shape: box, min: [-1.5 mm, -1 mm, -0.5 mm], "
                    "max: [1.5 mm, -0.4 mm, 0.5 mm]}]\n");
    dew_Liquid *liquid = &b.state->liquid;
    const int fields[] = {liquid->solid,       liquid->fluid_fraction, liquid->aperture[0],
                          liquid->aperture[1], liquid->aperture[2],    liquid->wall_u[0],
                          liquid->wall_u[1],   liquid->wall_u[2]};
    int64_t count = liquid->grid->brick_count * (int64_t)liquid->grid->brick_cells, moved = 0;
    for (int k = 1; k <= 8; k++) {
        double *kept[8];
        dew_problem_poses(b.problem, k * 5e-4, b.poses);
        dew_Instant instant = {.time_s = k * 5e-4, .poses = b.poses};
        double *old = dew_arena_array(&b.scratch, double, count);
        memcpy(old, dew_liquid_solid(liquid), (size_t)count * sizeof *old);
        assert_ok(dew_liquid_read_solids(b.problem, liquid, &instant, DEW_LIQUID_MOVING));
        for (int f = 0; f < 8; f++) {
            kept[f] = dew_arena_array(&b.scratch, double, count);
            memcpy(kept[f], dew_grid_f64(liquid->grid, fields[f]), (size_t)count * sizeof(double));
        }
        assert_ok(dew_liquid_read_solids(b.problem, liquid, &instant, DEW_LIQUID_ALL));
        for (int64_t n = 0; n < count; n++) {
            for (int f = 0; f < 8; f++)
                assert_true(kept[f][n] == dew_grid_f64(liquid->grid, fields[f])[n]);
            moved += kept[0][n] < old[n] || kept[0][n] > old[n];
        }
    }
    assert_true(moved > 0 && moved < 8 * count);
    end(&b);
}

// The column in a nozzle's pin is as wide as the pin: nothing of it is drawn beside the pin, behind
// the disk.
static void pins_are_not_drawn(void **state)
{
    (void)state;
    Bench b =
        begin(BOX("0.2 mm") WEIGHTLESS "sources: [{shape: disk, center: [0.03 mm, 1 mm, 0.05 mm], "
                                       "normal: [0, -1, 0], radius: 0.8 mm, speed: 0.1}]\n");
    for (int k = 0; k < 24; k++)
        step(&b, 3e-4);
    dew_Surface *surface;
    dew_Instant instant = {.time_s = b.time_s, .poses = b.poses};
    assert_ok(dew_surface_create(NULL, &surface));
    assert_ok(ops->surface(b.problem, b.state, &instant, surface));
    assert_true(surface->positions.count > 100);
    for (int64_t i = 0; i < surface->positions.count; i++)
        assert_true(DEW_ITEMS(&surface->positions, dew_Vec3)[i].y < 1e-3 + 0.1 * 0.2e-3);
    dew_surface_destroy(surface);
    end(&b);
}

// A sink may take liquid of which no cell's middle is part: where phi is less steep than a
// distance, as it is in drops of a few cells. A drop that goes as a whole is taken with what it
// should have had.
static void what_leaves_is_in_the_account(void **state)
{
    (void)state;
    static const char *const sinks[] = {"0.8 mm", "-2 mm"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 BOX("0.1 mm") WEIGHTLESS
                 "drops: [{shape: sphere, center: [0, 0, 0], radius: 0.84 mm}]\n"
                 "sinks: [{shape: box, min: [%s, -2 mm, -2 mm], max: [2 mm, 2 mm, 2 mm]}]\n",
                 sinks[k]);
        Bench b = begin(text);
        dew_Liquid *liquid = &b.state->liquid;
        for (int64_t n = 0; n < dew_liquid_count(liquid); n++)
            dew_liquid_phi(liquid)[n] *= 0.5;
        assert_ok(dew_liquid_label_drops(liquid, true, &b.scratch));
        assert_int_equal(liquid->drops.count, 1);
        dew_Instant instant = {.poses = b.poses};
        dew_Step step = {.instant = &instant, .scratch = &b.scratch};
        double ball = DEW_ITEMS(&liquid->targets, double)[0] *= 1.01;
        assert_ok(dew_liquid_remove_outflow(b.problem, liquid, &step));
        dew_Measure m;
        ops->measure(b.problem, b.state, &instant, &m);
        assert_int_equal(liquid->drops.count, 1 - k);
        assert_true(k == 1 || (m.volume_m3 < 0.9895 * ball && m.volume_m3 > 0.985 * ball));
        double kept = k == 0 ? m.volume_m3 + ball * 0.01 / 1.01 : 0;
        assert_true(fabs(step.removed_m3 + kept - ball) < 1e-9 * ball);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_poured_is_filled),
        cmocka_unit_test(particles_stay_in_the_liquid),
        cmocka_unit_test(flight_is_straight),
        cmocka_unit_test(a_ball_has_its_pressure),
        cmocka_unit_test(walls_feed_nothing),
        cmocka_unit_test(spreading_feeds_nothing),
        cmocka_unit_test(walls_at_rest_are_kept),
        cmocka_unit_test(pins_are_not_drawn),
        cmocka_unit_test(what_leaves_is_in_the_account),
        cmocka_unit_test(free_drops_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
