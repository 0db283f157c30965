// Sources: births by the interval, whatever way it is cut; inflows and their account; sinks.
#include "base/random.h"
#include "base/testing.h"
#include "problem/nozzle.h"
#include "problem/problem_testing.h"

static void make(TestProblem *t, const char *sources)
{
    char text[2048];
    *t = (TestProblem){0};
    snprintf(text, sizeof text,
             TEST_HEAD "solids: [{shape: sphere, name: bottle, radius: 4 mm, material: glass}]\n%s",
             sources);
    test_make(t, text);
    if (t->status.code != DEW_OK)
        fail_msg("%s", t->status.message);
}

#define MIXED                                                                                      \
    "sources:\n"                                                                                   \
    "  - {shape: drip, at: [0, 5 mm, 0], radius: 1 mm, every: 0.1 s, start: 0.05 s, stop: 2 s}\n"  \
    "  - {shape: rain, min: [-5 mm, 5 mm, -5 mm], max: [5 mm, 5 mm, 5 mm], rate: 37 Hz, radius: "  \
    "[0.1 mm, 0.3 mm], velocity: [0, -1, 0], start: 0.3 s}\n"                                      \
    "  - {shape: drip, at: [1 mm, 5 mm, 0], radius: 0.5 mm, every: 0.1 s, start: 0.05 s}\n"

enum { MANY = 400 };

static void drip_keeps_its_times(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "sources: [{shape: drip, at: [0, 5 mm, 0], radius: 1 mm, every: 0.1 s, start: 0.05 s, "
             "stop: 0.45 s, velocity: [0, -1, 0]}]\n");
    dew_Blob out[10];
    assert_int_equal(dew_problem_births(t.problem, 0, 10, out, 10), 4);  // 0.05 .15 .25 .35
    assert_int_equal(dew_problem_births(t.problem, 0, 0.05, out, 10), 0);
    assert_int_equal(dew_problem_births(t.problem, 0.05, 0.0500001, out, 10), 1);
    assert_true(out[0].volume_m3 > 4.18e-9 && out[0].velocity_m_s.y == -1);
    assert_int_equal(dew_problem_births(t.problem, 0, 10, NULL, 0), 4);
    test_done(&t);
}

static bool same_blob(const dew_Blob *a, const dew_Blob *b)
{
    return a->id == b->id && a->volume_m3 == b->volume_m3 &&
           dew_distance(a->center_m, b->center_m) == 0;
}

// 200 random ways to cut three seconds into steps: the same drops, once each, in the same order.
static void births_do_not_depend_on_the_steps(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, MIXED);
    static dew_Blob whole[MANY], parts[MANY];
    int64_t count = dew_problem_births(t.problem, 0, 3, whole, MANY);
    assert_in_range(count, 20 + 30 + 98, 20 + 30 + 101);
    for (uint64_t cut = 0; cut < 200; cut++) {
        dew_Random r = dew_random(9, cut, 0);
        int64_t found = 0;
        for (double begin = 0; begin < 3;) {
            double end = fmin(3, begin + dew_random_range(&r, 0, 0.2));
            if (dew_random_unit(&r) < 0.3)  // ends that fall on births
                end = fmin(3, 0.05 + 0.1 * ceil((end - 0.05) / 0.1));
            found += dew_problem_births(t.problem, begin, end, parts + found, MANY - found);
            begin = end;
        }
        assert_int_equal(found, count);
        for (int64_t i = 0; i < count; i++)
            assert_true(same_blob(&whole[i], &parts[i]));
    }
    test_done(&t);
}

// In order of time, then of source; ids are used once; capacity cuts the end off.
static void births_are_in_order(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, MIXED);
    static dew_Blob all[MANY];
    int64_t count = dew_problem_births(t.problem, 0, 3, all, MANY);
    double before_s = -1;
    int before = -1;
    for (int64_t i = 0; i < count; i++) {
        int s = (int)(all[i].id / DEW_BIRTHS_MAX) - 1;
        double t_s = dew_birth_time_s(&t.problem->sources, s, all[i].id % DEW_BIRTHS_MAX);
        assert_true(t_s > before_s || (t_s == before_s && s > before));
        before_s = t_s;
        before = s;
        for (int64_t j = 0; j < i; j++)
            assert_true(all[i].id != all[j].id);
    }
    dew_Blob few[5];
    assert_int_equal(dew_problem_births(t.problem, 0, 3, few, 5), count);
    for (int i = 0; i < 5; i++)
        assert_true(same_blob(&few[i], &all[i]));
    test_done(&t);
}

static void rain_falls_from_its_cloud(void **state)
{
    (void)state;
    TestProblem t;
    make(&t,
         "sources: [{shape: rain, min: [-5 mm, 4 mm, -5 mm], max: [5 mm, 5 mm, 5 mm], rate: 100 "
         "Hz, radius: [0.1 mm, 0.3 mm]}]\n");
    static dew_Blob out[MANY];
    assert_int_equal(dew_problem_births(t.problem, 0, 3, out, MANY), 300);
    double mean_x = 0;
    for (int i = 0; i < 300; i++) {
        dew_Vec3 c = out[i].center_m;
        assert_true(fabs(c.x) <= 5e-3 && c.y >= 4e-3 && c.y <= 5e-3 && fabs(c.z) <= 5e-3);
        double r = cbrt(out[i].volume_m3 * 3 / (4 * DEW_PI));
        assert_true(r >= 0.1e-3 * (1 - 1e-12) && r <= 0.3e-3 * (1 + 1e-12));
        mean_x += c.x / 300;
    }
    // Five standard deviations of the mean of an even distribution.
    assert_true(fabs(mean_x) < 5 * 10e-3 / sqrt(12.0 * 300));
    test_done(&t);
}

static void inflows_are_accounted_for(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "sources:\n"
             "  - {shape: disk, center: [0, 5 mm, 0], normal: [0, -2, 0], radius: 1 mm, speed: 0.3 "
             "m/s, start: 1 s, stop: 3 s}\n"
             "  - {shape: condensation, on: bottle, rate: 0.1 mm^3/s, sites: 50}\n");
    assert_int_equal(dew_problem_inflow_count(t.problem), 51);
    const dew_Inflow *disk = dew_problem_inflow(t.problem, 0);
    assert_true(fabs(disk->rate_m3_s - DEW_PI * 1e-6 * 0.3) < 1e-20);
    assert_true(disk->normal.y == -1 && disk->solid_id == DEW_INVALID);
    double sum = 0;
    for (int64_t i = 1; i < 51; i++) {
        const dew_Inflow *site = dew_problem_inflow(t.problem, i);
        assert_true(fabs(dew_length(site->center_m) - 4e-3) < 1e-15 && site->solid_id == 0);
        sum += site->rate_m3_s;
    }
    assert_true(fabs(sum - 1e-10) < 1e-23);
    double want = disk->rate_m3_s * 2 + 1e-10 * 5;
    assert_true(fabs(dew_problem_inflow_volume_m3(t.problem, 0, 5) / want - 1) < 1e-14);
    assert_true(
        fabs(dew_problem_inflow_volume_m3(t.problem, 2, 2.5) / (disk->rate_m3_s * 0.5 + 0.5e-10) -
             1) < 1e-14);
    double parts = 0;
    for (int i = 0; i < 1000; i++)
        parts += dew_problem_inflow_volume_m3(t.problem, i * 0.005, (i + 1) * 0.005);
    assert_true(fabs(parts / want - 1) < 1e-12);  // a thousand roundings
    test_done(&t);
}

static void sinks_hold_their_points(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, TEST_DROP "sinks: [{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}]\n");
    assert_int_equal(dew_problem_sink_count(t.problem), 1);
    assert_true(dew_problem_in_sink(t.problem, dew_vec(0.5e-3, 0.5e-3, 0.5e-3)));
    assert_false(dew_problem_in_sink(t.problem, dew_vec(0.5e-3, -0.5e-3, 0.5e-3)));
    assert_true(dew_problem_sink(t.problem, 0).max.x == 1e-3);
    test_done(&t);
}

#define DISK "  - {shape: disk, normal: [0, -1, 0], radius: 1 mm, "

// Disks at one place are one nozzle, whose speeds add up while they are open.
static void disks_at_one_place_are_a_nozzle(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "sources:\n" DISK "center: [0, 5 mm, 0], speed: 0.3 m/s, stop: 3 s}\n" DISK
             "center: [2 mm, 5 mm, 0], speed: 0.5 m/s}\n" DISK
             "center: [0, 5 mm, 0], speed: 0.25 m/s, start: 1 s, stop: 2 s}\n");
    assert_int_equal(dew_nozzle_of(t.problem, 2), 0);
    assert_true(dew_nozzle_speed_m_s(t.problem, 0, 0.5) == 0.3);
    assert_true(dew_nozzle_speed_m_s(t.problem, 0, 1.5) == 0.3 + 0.25);
    assert_true(dew_nozzle_speed_m_s(t.problem, 0, 2.5) == 0.3);
    assert_true(dew_nozzle_speed_m_s(t.problem, 0, 3.5) == 0);
    assert_true(dew_nozzle_speed_m_s(t.problem, 1, 1.5) == 0.5);
    assert_true(dew_nozzle_speed_m_s(t.problem, 2, 1.5) == 0);  // the first one speaks for it
    test_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drip_keeps_its_times),
        cmocka_unit_test(births_do_not_depend_on_the_steps),
        cmocka_unit_test(births_are_in_order),
        cmocka_unit_test(rain_falls_from_its_cloud),
        cmocka_unit_test(inflows_are_accounted_for),
        cmocka_unit_test(sinks_hold_their_points),
        cmocka_unit_test(disks_at_one_place_are_a_nozzle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
