// World with the solver `volume`: bit-identical on any number of workers and after a restore, no
// memory taken once warm, a planted failure is caught and retried.
#include "base/status.h"
#include "base/testing.h"
#include "dew/world.h"
#include "solvers/volume/volume_solver.h"
#include "solvers/volume/volume_state.h"
#include "world/lives_testing.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Two drops, one of which falls on the other, on a tilted wall that pins the contact line.
#define LIVELY                                                                                     \
    "solver: volume\nduration: 1 s\nframe_rate: 100 Hz\n"                                          \
    "domain: {min: [-3 mm, -3 mm, -3 mm], max: [3 mm, 4 mm, 3 mm], cell: 0.25 mm}\n"               \
    "materials: {glass: {advancing: 90 deg, receding: 60 deg}}\n"                                  \
    "solids: [{shape: plane, point: [0, 0, 0], normal: [-0.3, 1, 0], material: glass}]\n"          \
    "drops: [{shape: cap, point: [0, 0, 0], normal: [-0.3, 1, 0], volume: 9 mm^3, "                \
    "angle: 80 deg}, {shape: sphere, center: [0, 2.9 mm, 0.1 mm], radius: 1 mm, "                  \
    "velocity: [0, -0.5, 0]}]\n"

// The same in one layer, without gravity.
#define FLAT                                                                                       \
    "solver: volume\ndimensions: 2\nduration: 1 s\nframe_rate: 100 Hz\ngravity: [0, 0, 0]\n"       \
    "domain: {min: [-3 mm, -1 mm, -1 mm], max: [3 mm, 3 mm, 1 mm], cell: 0.2 mm}\n"                \
    "materials: {glass: {advancing: 75 deg, receding: 70 deg}}\n"                                  \
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: glass}]\n"             \
    "drops: [{shape: sphere, center: [0.01 mm, 0.2 mm, 0], radius: 1.3 mm}]\n"

// With all that the paper has.
#define AS_IN_THE_PAPER                                                                            \
    FLAT "volume: {markers: 16, contact: stencil, pressure: first-order, pinning: "                \
         "zero-pressure}\n"

// In one layer: a tap above a plate that moves and remembers what was wet, and vapour on it.
#define BUSY                                                                                       \
    "solver: volume\ndimensions: 2\nduration: 1 s\nframe_rate: 100 Hz\nwind: [2, 0, 0]\n"          \
    "domain: {min: [-3 mm, -1 mm, -1 mm], max: [3 mm, 4 mm, 1 mm], cell: 0.2 mm}\n"                \
    "materials: {glass: {advancing: 75 deg, receding: 40 deg, wet_advancing: 50 deg}}\n"           \
    "solids: [{shape: box, name: plate, center: [0, -0.5 mm, 0], size: [5 mm, 1 mm, 4 mm], "       \
    "velocity: [0.05, 0, 0], material: glass}]\n"                                                  \
    "drops: [{shape: sphere, center: [-1.2 mm, 0.5 mm, 0], radius: 0.9 mm}]\n"                     \
    "sources: [{shape: disk, center: [0.5 mm, 3 mm, 0], normal: [0, -1, 0], radius: 0.5 mm, "      \
    "speed: 0.4}, {shape: condensation, on: plate, rate: 20 mm^3/s, sites: 5}]\n"                  \
    "output: {wetmap: true}\n"

static const Life lives[] = {{LIVELY, 12}, {BUSY, 26}};
enum { LIVES = sizeof lives / sizeof lives[0] };
static Lives all_lives = {lives, LIVES, {FLAT, 30}};

// A speed that is not a number is found in the step in which it appears, and reported.
static void nonsense_is_caught(void **state)
{
    (void)state;
    Made made = make(FLAT, 1, NULL);
    take_steps(&made, 2);
    uint64_t hash = dew_world_hash(made.world);
    dew_Liquid *s = &made.world->state->liquid;
    double *u = dew_grid_f64(s->grid, s->u[0]), kept = 0;
    int64_t at = 0;
    while (dew_liquid_phi(s)[at] > -2 * s->grid->cell_m)
        at++;
    kept = u[at];
    u[at] = (double)NAN;
    assert_int_equal(dew_world_substep(made.world, 1).code, DEW_DIVERGED);
    u = dew_grid_f64(s->grid, s->u[0]);
    u[at] = kept;
    assert_true(dew_world_hash(made.world) == hash);  // the failed steps left nothing behind
    take_steps(&made, 2);
    destroy(&made);
}

// ---- a planted divergence ----------------------------------------------------------------------

// What the third step's first trial puts into the liquid, once.
static double planted_m_s;
static bool is_planted;

static dew_Status step_that_fails_once(const dew_Problem *problem, dew_SolverState *state,
                                       dew_Step *step)
{
    DEW_TRY(dew_volume_solver_ops.step(problem, state, step));
    dew_Liquid *s = &state->liquid;
    int64_t at = 0;
    while (dew_liquid_phi(s)[at] > -s->grid->cell_m || dew_liquid_solid(s)[at] < s->grid->cell_m)
        at++;
    if (step->index == 2 && !is_planted)
        dew_grid_f64(s->grid, s->u[0])[at] = planted_m_s;
    is_planted |= step->index == 2;
    return dew_ok();
}

typedef struct Heard {
    int infos;
    char last[DEW_MESSAGE_SIZE];
} Heard;

static void hear(void *context, dew_LogLevel level, const char *message)
{
    Heard *heard = context;
    heard->infos += level == DEW_LOG_INFO;
    assert_true(level < DEW_LOG_WARNING);
    snprintf(heard->last, sizeof heard->last, "%s", message);
}

// A divergence that comes up within a step is seen in that step and reported, and the step is done
// again with half its length; with the second half the run is where it would have been.
static void a_planted_divergence_is_retried(void **state)
{
    (void)state;
    static const double planted[] = {(double)NAN, (double)INFINITY, 1e6};
    dew_SolverOps ops = dew_volume_solver_ops;
    ops.step = step_that_fails_once;
    for (int k = 0; k < 3; k++) {
        Made made = {0};
        Heard heard = {0};
        dew_Stats stats;
        planted_m_s = planted[k];
        is_planted = false;
        assert_ok(test_scene(FLAT, NULL, &made.scene));
        dew_WorldDef def = dew_default_world_def();
        def.thread_count = 1;
        def.log = (dew_Log){hear, &heard};
        assert_ok(dew_world_create_for(&ops, made.scene, &def, &made.world));
        take_steps(&made, 2);
        dew_world_stats(made.world, &stats);
        double dt_s = stats.dt_s;
        assert_int_equal(heard.infos, 0);
        take_steps(&made, 1);
        dew_world_stats(made.world, &stats);
        assert_int_equal(heard.infos, 1);
        assert_non_null(strstr(heard.last, "step 3 at t = "));
        assert_non_null(strstr(heard.last, "trying half the step"));
        assert_string_equal(stats.bound, "retry");
        assert_int_equal(dew_world_retry_count(made.world), 1);
        assert_true(fabs(stats.dt_s / dt_s - 0.5) < 0.1);
        assert_true(stats.max_speed_m_s < 1);
        take_steps(&made, 3);
        assert_int_equal(heard.infos, 1);
        destroy(&made);
    }
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    check_lack_of_memory((Life){FLAT, 3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(is_the_same_on_any_number_of_workers, &all_lives),
        cmocka_unit_test_prestate(is_the_same_after_a_restore, &all_lives),
        cmocka_unit_test_prestate(takes_no_memory_when_warm, &all_lives),
        cmocka_unit_test(nonsense_is_caught),
        cmocka_unit_test(a_planted_divergence_is_retried),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
