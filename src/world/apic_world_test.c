// World with the solver `apic`: bit-identical on any number of workers and after a restore, no
// memory taken once warm, a planted failure is caught and retried.
#include "base/testing.h"
#include "dew/world.h"
#include "solvers/apic/apic_state.h"
#include "world/lives_testing.h"
#include "world/world_state.h"

#include <math.h>

// Two drops, one of which falls on the other, on a tilted wall that pins the contact line.
#define LIVELY                                                                                     \
    "solver: apic\nduration: 1 s\nframe_rate: 100 Hz\n"                                            \
    "domain: {min: [-3 mm, -3 mm, -3 mm], max: [3 mm, 4 mm, 3 mm], cell: 0.3 mm}\n"                \
    "materials: {glass: {advancing: 90 deg, receding: 60 deg}}\n"                                  \
    "solids: [{shape: plane, point: [0, 0, 0], normal: [-0.3, 1, 0], material: glass}]\n"          \
    "drops: [{shape: cap, point: [0, 0, 0], normal: [-0.3, 1, 0], volume: 9 mm^3, "                \
    "angle: 80 deg}, {shape: sphere, center: [0, 2.9 mm, 0.1 mm], radius: 1 mm, "                  \
    "velocity: [0, -0.5, 0]}]\n"

// The same in one layer, without gravity.
#define FLAT                                                                                       \
    "solver: apic\ndimensions: 2\nduration: 1 s\nframe_rate: 100 Hz\ngravity: [0, 0, 0]\n"         \
    "domain: {min: [-3 mm, -1 mm, -1 mm], max: [3 mm, 3 mm, 1 mm], cell: 0.2 mm}\n"                \
    "materials: {glass: {advancing: 75 deg, receding: 70 deg}}\n"                                  \
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: glass}]\n"             \
    "drops: [{shape: sphere, center: [0.01 mm, 0.2 mm, 0], radius: 1.3 mm}]\n"

// With all that the paper has.
#define AS_IN_THE_PAPER                                                                            \
    FLAT "apic: {transfer: flip, surface: particles, surface_tension_force: external, "            \
         "pressure_solver: miccg}\n"

// In one layer: a tap above a plate that moves and remembers what was wet, and vapour on it.
#define BUSY                                                                                       \
    "solver: apic\ndimensions: 2\nduration: 1 s\nframe_rate: 100 Hz\nwind: [2, 0, 0]\n"            \
    "domain: {min: [-3 mm, -1 mm, -1 mm], max: [3 mm, 4 mm, 1 mm], cell: 0.2 mm}\n"                \
    "materials: {glass: {advancing: 75 deg, receding: 40 deg, wet_advancing: 50 deg}}\n"           \
    "solids: [{shape: box, name: plate, center: [0, -0.5 mm, 0], size: [5 mm, 1 mm, 4 mm], "       \
    "velocity: [0.05, 0, 0], material: glass}]\n"                                                  \
    "drops: [{shape: sphere, center: [-1.2 mm, 0.5 mm, 0], radius: 0.9 mm}]\n"                     \
    "sources: [{shape: disk, center: [0.5 mm, 3 mm, 0], normal: [0, -1, 0], radius: 0.5 mm, "      \
    "speed: 0.4}, {shape: condensation, on: plate, rate: 20 mm^3/s, sites: 5}]\n"                  \
    "output: {wetmap: true}\n"

static const Life lives[] = {{LIVELY, 6}, {BUSY, 20}, {AS_IN_THE_PAPER, 10}};
enum { LIVES = sizeof lives / sizeof lives[0] };
static Lives all_lives = {lives, LIVES, {FLAT, 30}};

// A speed that is not a number is found in the step in which it appears, and reported.
static void nonsense_is_caught(void **state)
{
    (void)state;
    Made made = make(FLAT, 1, NULL);
    take_steps(&made, 2);
    uint64_t hash = dew_world_hash(made.world);
    const dew_SolverState *s = made.world->state;
    dew_Motion *motion = dew_particles_column(&s->markers.particles, s->motion);
    double kept = motion[7].u[0];
    motion[7].u[0] = (double)NAN;
    assert_int_equal(dew_world_substep(made.world, 1).code, DEW_DIVERGED);
    motion = dew_particles_column(&s->markers.particles, s->motion);
    motion[7].u[0] = kept;
    assert_true(dew_world_hash(made.world) == hash);  // the failed steps left nothing behind
    take_steps(&made, 2);
    destroy(&made);
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
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
