// Bounds of sources: what lies just below is taken, what lies just above refused by its key, in
// every solver.
#include "world/source_limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/testing.h"
#include "world/plan.h"
#include "world/world_testing.h"

static dew_Status check_with(const char *solver, const char *source)
{
    char text[1024];
    snprintf(text, sizeof text,
             "solver: %s\nduration: 1 s\nframe_rate: 100 Hz\n"
             "domain: {min: [-6 mm, -6 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 1 mm}\n"
             "materials: {glass: {angle: 60 deg}}\n"
             "solids: [{shape: box, name: lid, size: [4 mm, 1 mm, 4 mm], material: glass}]\n"
             "sources: [{shape: %s}]\n",
             solver, source);
    dew_Scene *scene = NULL;
    dew_Status status = test_scene(text, NULL, &scene);
    if (status.code == DEW_OK)
        status = dew_scene_check_speeds(scene);
    dew_scene_destroy(scene);
    return status;
}

// The plan asks, so that `dew check` and dew_world_create do.
static void the_plan_asks(void **state)
{
    (void)state;
    dew_Scene *scene = NULL;
    dew_Plan plan;
    assert_int_equal(
        test_scene("solver: volume\n"
                   "domain: {min: [0, 0, 0], max: [6 mm, 6 mm, 6 mm], cell: 1 mm}\n"
                   "sources: [{shape: drip, at: [0, 0, 0], radius: 2 mm, every: 1e-15 s}]\n",
                   NULL, &scene)
            .code,
        DEW_OK);
    dew_Status status = dew_plan_make(scene, &plan);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, ":3: sources[0].every: "));
    dew_scene_destroy(scene);
}

// A run would end in its first step.
static void fast_drops_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *key;
    } cases[] = {
        {"drops: [{shape: sphere, radius: 1 mm, velocity: [0, %s, 0]}]\n", "drops[0].velocity"},
        {"sources: [{shape: drip, radius: 1 mm, every: 1 s, velocity: [0, %s, 0]}]\n",
         "sources[0].velocity"},
        {"drops: [{shape: sphere, radius: 1 mm}]\nevents: [{kind: drop, time: 1 s, center: [0, 0, "
         "0], "
         "radius: 1 mm, velocity: [0, %s, 0]}]\n",
         "events[0].velocity"},
    };
    for (int i = 0; i < 6; i++) {
        char text[512];
        int used = snprintf(text, sizeof text,
                            "solver: volume\n"
                            "domain: {min: [0, 0, 0], max: [6 mm, 6 mm, 6 mm], cell: 1 mm}\n");
        snprintf(text + used, sizeof text - (size_t)used, cases[i / 2].text,
                 i % 2 ? "1000.1" : "1000");
        dew_Scene *scene = NULL;
        assert_int_equal(test_scene(text, NULL, &scene).code, DEW_OK);
        dew_Status status = dew_scene_check_speeds(scene);
        assert_int_equal(status.code, i % 2 ? DEW_BAD_INPUT : DEW_OK);
        assert_true(i % 2 == 0 || strstr(status.message, cases[i / 2].key));
        dew_scene_destroy(scene);
    }
}

static const char *const solvers[] = {"volume", "apic", "surface", "shallow", "splash"};

static void expect(const char *below, const char *above, const char *words)
{
    for (int s = 0; s < 5; s++) {
        bool is_refused = s == 4 && strstr(below, "condensation");  // splash takes none
        dew_Status status = check_with(solvers[s], below);
        if ((status.code != DEW_OK) != is_refused)
            fail_msg("%s: %s", solvers[s], status.message);
        status = check_with(solvers[s], above);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_true(is_refused || strstr(status.message, words));
    }
}

// The speed of a drip is 4 r / (3 every): with r = 3 mm it is 1000 m/s for 4 us.
static void too_much_is_refused(void **state)
{
    (void)state;
    expect("drip, at: [0, 3 mm, 0], radius: 3 mm, every: 4.01 us",
           "drip, at: [0, 3 mm, 0], radius: 3 mm, every: 3.99 us",
           "sources[0].every: the source brings as much as a jet of 1e+03 m/s (at most 1000 m/s)");
    expect("drip, at: [0, 3 mm, 0], radius: 3 mm, every: 1 s",
           "drip, at: [0, 3 mm, 0], radius: 2 mm, every: 1e-15 s", "jet of 2.7e+12 m/s");
    expect("disk, center: [0, 3 mm, 0], normal: [0, -1, 0], radius: 3 mm, speed: 1000 m/s",
           "disk, center: [0, 3 mm, 0], normal: [0, -1, 0], radius: 3 mm, speed: 1001 m/s",
           "sources[0].speed: ");
    // 1e6 Hz of balls of 1.5 mm through 4 mm^2, less than the section of a ball: 4 r / 3 1e6 Hz =
    // 2000 m/s.
    expect("rain, min: [-1 mm, 3 mm, -1 mm], max: [1 mm, 3 mm, 1 mm], rate: 4e5 Hz, radius: [1 mm, "
           "1.5 mm]",
           "rain, min: [-1 mm, 3 mm, -1 mm], max: [1 mm, 3 mm, 1 mm], rate: 1e6 Hz, radius: [1 mm, "
           "1.5 mm]",
           "sources[0].rate: the source brings as much as a jet of 2e+03 m/s");
    // Two sites of pi / 4 mm^2: 1000 m/s are 1.57e-3 m^3/s.
    expect("condensation, on: lid, rate: 1.5e-3 m^3/s, sites: 2",
           "condensation, on: lid, rate: 1.6e-3 m^3/s, sites: 2", "sources[0].rate: ");
    // 1e6 drops in 10 ms come every 10 ns.
    expect("drip, at: [0, 3 mm, 0], radius: 1 um, every: 10.1 ns",
           "drip, at: [0, 3 mm, 0], radius: 1 um, every: 9.9 ns", "1e+06 drops between two frames");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_plan_asks),
                                       cmocka_unit_test(fast_drops_are_refused),
                                       cmocka_unit_test(too_much_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
