// World with the solver `splash`: bit-identical on any number of workers and after a restore, no
// memory taken once warm; the paper's conditions hold in every step; still water is still; volume
// goes where it is reported; meshes are closed.
#include "base/testing.h"
#include "dew/world.h"
#include "geom/mesh_audit.h"
#include "solvers/splash/splash_state.h"
#include "surface/surface.h"
#include "world/lives_testing.h"
#include "world/world_state.h"

#include <math.h>

// A block falls into a pool with a ball in it, beside an inflow; one side is open.
#define LIVELY                                                                                     \
    "solver: splash\nduration: 1 s\nframe_rate: 30 Hz\n"                                           \
    "domain: {min: [0, 0, 0], max: [1 m, 1 m, 1 m], cell: 8 cm, "                                  \
    "walls: {ceiling: open, left: open, others: tiles}}\n"                                         \
    "materials: {tiles: {slip: inf m}, rough: {}}\n"                                               \
    "solids: [{shape: sphere, center: [0.7 m, 0.2 m, 0.5 m], radius: 15 cm, material: rough}]\n"   \
    "drops: [{shape: box, min: [0, 0, 0], max: [1 m, 0.2 m, 1 m]}, "                               \
    "{shape: box, min: [0.5 m, 0.5 m, 0.3 m], max: [0.9 m, 0.8 m, 0.7 m]}]\n"                      \
    "sources: [{shape: disk, center: [0.3 m, 0.8 m, 0.5 m], normal: [0.2, -1, 0], radius: 10 cm, " \
    "speed: 1.4 m/s}]\n"

// In one layer: a plate moves through a pool, drops fall into it, a sink draws from it.
#define FLAT                                                                                       \
    "solver: splash\ndimensions: 2\nduration: 1 s\nframe_rate: 30 Hz\n"                            \
    "domain: {min: [0, 0, 0], max: [1 m, 1 m, 5 cm], cell: 5 cm, "                                 \
    "walls: {ceiling: open, others: tiles}}\n"                                                     \
    "materials: {tiles: {slip: 1 cm}}\n"                                                           \
    "solids: [{shape: box, center: [0.5 m, 0.15 m, 0], size: [10 cm, 30 cm, 1 m], "                \
    "velocity: [0.3, 0, 0], material: tiles}]\n"                                                   \
    "drops: [{shape: box, min: [0, 0, 0], max: [1 m, 0.2 m, 5 cm]}]\n"                             \
    "sources: [{shape: drip, at: [0.2 m, 0.7 m, 2.5 cm], radius: 8 cm, every: 0.1 s}]\n"           \
    "sinks: [{shape: box, min: [0.9 m, 0, 0], max: [1 m, 5 cm, 5 cm]}]\nsplash: {pressure: sor}\n"

// A dam breaks in one layer; nothing comes or goes.
#define DAM_ON(slip)                                                                               \
    "solver: splash\ndimensions: 2\nduration: 1 s\nframe_rate: 30 Hz\n"                            \
    "domain: {min: [0, 0, 0], max: [1 m, 1 m, 5 cm], cell: 5 cm, walls: {others: tiles}}\n"        \
    "materials: {tiles: {slip: " slip "}}\n"                                                       \
    "drops: [{shape: box, min: [0, 0, 0], max: [0.3 m, 0.6 m, 5 cm]}]\n"
#define DAM DAM_ON("inf m")

// A jet of 20 m/s hits a pool.
#define FAST                                                                                       \
    "solver: splash\nduration: 1 s\nframe_rate: 30 Hz\n"                                           \
    "domain: {min: [0, 0, 0], max: [1 m, 1 m, 1 m], cell: 10 cm, "                                 \
    "walls: {ceiling: open, others: tiles}}\nmaterials: {tiles: {slip: inf m}}\n"                  \
    "drops: [{shape: box, min: [0, 0, 0], max: [1 m, 0.4 m, 1 m]}]\n"                              \
    "sources: [{shape: disk, center: [0.5 m, 0.85 m, 0.5 m], normal: [0, -1, 0], "                 \
    "radius: 20 cm, speed: 20 m/s}]\n"

// With tension: a drop runs onto a plate that moves, another one falls on it, a jet comes in.
#define TENSE                                                                                      \
    "solver: splash\nduration: 1 s\nframe_rate: 1000 Hz\n"                                         \
    "domain: {min: [-1 mm, -0.3 mm, -1 mm], max: [1 mm, 1.4 mm, 1 mm], cell: 0.1 mm}\n"            \
    "materials: {plate: {advancing: 80 deg, receding: 40 deg, wet_advancing: 60 deg}}\n"           \
    "solids: [{shape: box, center: [0, -0.15 mm, 0], size: [1.8 mm, 0.3 mm, 1.8 mm], "             \
    "velocity: [0.05, 0, 0], material: plate}]\n"                                                  \
    "drops: [{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 0.2 mm^3, angle: 90 deg}, " \
    "{shape: sphere, center: [0.1 mm, 0.9 mm, 0], radius: 0.3 mm, velocity: [0, -0.5, 0]}]\n"      \
    "sources: [{shape: disk, center: [-0.6 mm, 0.9 mm, 0], normal: [0.5, -1, 0], radius: 0.2 mm, " \
    "speed: 0.5 m/s}]\nsplash: {tension: true}\n"

static const Life lives[] = {{LIVELY, 16}, {FLAT, 30}, {TENSE, 24}};
enum { LIVES = sizeof lives / sizeof lives[0] };
static Lives all_lives = {lives, LIVES, {DAM, 150}};

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    check_lack_of_memory((Life){DAM, 3});
}

static void nonsense_is_caught(void **state)
{
    (void)state;
    Made made = make(DAM, 1, NULL);
    take_steps(&made, 2);
    const dew_SolverState *s = made.world->state;
    uint64_t hash = dew_world_hash(made.world);
    int64_t at = dew_grid_cell(s->grid, (const int32_t[3]){2, 2, 0});
    double kept = dew_grid_f64(s->grid, s->u[1])[at];
    dew_grid_f64(s->grid, s->u[1])[at] = (double)NAN;
    assert_int_equal(dew_world_substep(made.world, 1).code, DEW_DIVERGED);
    dew_grid_f64(s->grid, s->u[1])[at] = kept;
    assert_true(dew_world_hash(made.world) == hash);
    take_steps(&made, 2);
    destroy(&made);
}

// ---- eqs. (5) to (7) ---------------------------------------------------------------------------

// The largest right-hand side of eq. (7), and the largest speed.
static double need(const dew_SolverState *s, double dt_s, double *speed)
{
    const dew_Grid *grid = s->grid;
    double h = grid->cell_m, most = 0;
    *speed = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            double speed2 = 0;
            if (!dew_cell_is_liquid(dew_splash_kind(s)[at]))
                continue;
            for (int a = 0; a < dew_grid_axes(grid); a++) {
                const double *u = dew_grid_f64(grid, s->u[a]);
                int64_t up = dew_grid_near(grid, b, (n & 7) + (a == 0), (n >> 3 & 7) + (a == 1),
                                           (n >> 6) + (a == 2));
                double middle = 0.5 * (u[at] + u[up]);
                speed2 += middle * middle;
                most = fmax(most, 0.5 * dt_s * middle * middle + 0.5 * h * (u[up] - u[at]));
            }
            *speed = fmax(*speed, sqrt(speed2));
        }
    return most;
}

// Does every step keep them?
static bool conditions_hold_in(const char *text, int steps)
{
    bool holds = true;
    Made made = make(text, 1, NULL);
    const dew_SolverState *s = made.world->state;
    double h = s->grid->cell_m;
    for (int k = 0; k < steps; k++) {
        // The step is not known before it is made: what it should have been is asked of a copy.
        double speed;
        uint8_t *bytes;
        size_t size;
        assert_ok(dew_world_save(made.world, &bytes, &size));
        assert_ok(dew_world_substep(made.world, 1));
        double dt = made.world->clock.dt_s, nu = s->numbers.max_nu_m2_s;
        Made before = make(text, 1, NULL);
        assert_ok(dew_world_restore(before.world, bytes, size));
        dew_world_saved_free(made.world, bytes, size);
        double part = dt / (double)s->counts.parts;  // what is explicit
        double wanted = need(before.world->state, part, &speed);
        destroy(&before);
        holds &= dt * speed < h;                          // eq. (5)
        holds &= nu * part < h * h / 6;                   // eq. (6)
        holds &= nu > wanted && nu >= s->params.nu_m2_s;  // eq. (7)
        dew_Stats stats;
        dew_world_stats(made.world, &stats);
        assert_true(stats.max_viscosity_m2_s == nu);  // as stats.csv reports it
    }
    destroy(&made);
    return holds;
}

static void conditions_hold(void **state)
{
    (void)state;
    assert_true(conditions_hold_in(DAM, 40));
    assert_true(conditions_hold_in(LIVELY, 20));
    assert_true(conditions_hold_in(FAST, 20));
    assert_false(conditions_hold_in(DAM "splash: {viscosity: liquid}\n", 10));
}

// ---- the paper's choices -----------------------------------------------------------------------

// Over-relaxation and multigrid solve the same equations.
static void sor_does_as_multigrid(void **state)
{
    (void)state;
    dew_Stats stats[2];
    for (int k = 0; k < 2; k++) {
        Made made = make(k ? DAM "splash: {tolerance: 1e-9, pressure: sor}\n"
                           : DAM "splash: {tolerance: 1e-9}\n",
                         1, NULL);
        take_steps(&made, 12);
        dew_world_stats(made.world, &stats[k]);
        destroy(&made);
    }
    assert_true(stats[1].iterations > 5 * stats[0].iterations);
    assert_true(stats[0].kinetic_J > 1);
    assert_true(fabs(stats[1].kinetic_J / stats[0].kinetic_J - 1) < 1e-6);
    assert_true(fabs(stats[1].center_m.x - stats[0].center_m.x) < 1e-8);
    assert_true(fabs(stats[1].center_m.y - stats[0].center_m.y) < 1e-8);
}

// The velocity along the floor is extrapolated into it times the factor: section 2.3.1 has -1 and
// 1.
static void check_slip(const char *text, double factor)
{
    Made made = make(text, 1, NULL);
    take_steps(&made, 6);
    const dew_SolverState *s = made.world->state;
    const double *u = dew_grid_f64(s->grid, s->u[0]);
    int count = 0;
    for (int32_t i = 2; i < 8; i++) {
        int64_t above = dew_grid_cell(s->grid, (const int32_t[3]){i, 1, 0});
        int64_t below = dew_grid_cell(s->grid, (const int32_t[3]){i, 0, 0});
        if (!dew_cell_is_liquid(dew_splash_kind(s)[above]) || !(fabs(u[above]) > 1e-3))
            continue;
        assert_true(fabs(u[below] - factor * u[above]) < 1e-6 * fabs(u[above]));
        count++;
    }
    assert_true(count >= 4);
    destroy(&made);
}

static void walls_slip_as_given(void **state)
{
    (void)state;
    check_slip(DAM_ON("0 m"), -1);
    check_slip(DAM_ON("inf m"), 1);
    check_slip(DAM_ON("1 cm"), (0.01 - 0.025) / (0.01 + 0.025));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(is_the_same_on_any_number_of_workers, &all_lives),
        cmocka_unit_test_prestate(is_the_same_after_a_restore, &all_lives),
        cmocka_unit_test_prestate(takes_no_memory_when_warm, &all_lives),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(nonsense_is_caught),
        cmocka_unit_test(conditions_hold),
        cmocka_unit_test(sor_does_as_multigrid),
        cmocka_unit_test(walls_slip_as_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
