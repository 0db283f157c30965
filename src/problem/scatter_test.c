// Drops at random places on solids: where they lie, that they do not overlap, that the seed
// decides.
#include "base/random.h"
#include "base/testing.h"
#include "problem/near_grid.h"
#include "problem/problem_testing.h"
#include "problem/surface_sampler.h"

static void make(TestProblem *t, const char *head, const char *solid, const char *scatter)
{
    char text[1024];
    *t = (TestProblem){0};
    snprintf(text, sizeof text, TEST_HEAD "%ssolids:\n  - %s\ndrops:\n  - %s\n", head, solid,
             scatter);
    test_make(t, text);
}

#define PLANE  "{shape: plane, name: pane, normal: [0, 1, 0], material: glass}"
#define SPHERE "{shape: sphere, name: pane, radius: 4 mm, material: glass}"
#define PANE   "{shape: box, name: pane, size: [10 mm, 10 mm, 0.4 mm], material: glass}"
#define SOME   "{shape: scatter, on: pane, count: 60, radius: [0.3 mm, 0.6 mm], angle: 70 deg}"

static void caps_sit_apart_on_the_solid(void **state)
{
    (void)state;
    const char *solids[] = {PLANE, SPHERE, PANE};
    for (int k = 0; k < 3; k++) {
        TestProblem t;
        make(&t, "", solids[k], SOME);
        if (t.status.code != DEW_OK)
            fail_msg("%s", t.status.message);
        int64_t n = dew_problem_blob_count(t.problem);
        assert_int_equal(n, 60);
        for (int64_t i = 0; i < n; i++) {
            const dew_Blob *a = dew_problem_blob(t.problem, i);
            assert_true(a->shape.shape == DEW_DROP_CAP && a->id == i);
            dew_SolidPoint s = dew_problem_solid_nearest(t.problem, NULL, 0, a->shape.point_m);
            // On flat solids exactly on it; let into the sphere by about a^2 / (2 R) at most.
            assert_true(fabs(s.distance_m) < (k == 1 ? 0.06e-3 : 1e-14));
            assert_true(dew_inner(s.normal, a->shape.normal) > 1 - 1e-9);
            double base = a->cap_radius_m * sin(DEW_DEG(70));
            assert_true(base > 0.2999e-3 && base < 0.6001e-3);
            for (int64_t j = 0; j < i; j++) {
                const dew_Blob *b = dew_problem_blob(t.problem, j);
                double apart = dew_distance(a->shape.point_m, b->shape.point_m);
                double sum = base + b->cap_radius_m * sin(DEW_DEG(70));
                assert_true(apart > sum - (k == 1 ? 0.06e-3 : 0));
            }
        }
        test_done(&t);
    }
}

// A thin pane: no drop hangs over an edge or sits on the narrow sides.
static void no_cap_hangs_over_an_edge(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "", PANE, SOME);
    for (int64_t i = 0; i < dew_problem_blob_count(t.problem); i++) {
        const dew_Blob *a = dew_problem_blob(t.problem, i);
        assert_true(fabs(a->shape.normal.z) > 0.999);
        assert_true(fabs(a->shape.point_m.x) < 5e-3 && fabs(a->shape.point_m.y) < 5e-3);
    }
    test_done(&t);
}

static void seed_decides(void **state)
{
    (void)state;
    TestProblem a, b, c;
    make(&a, "", PLANE, SOME);
    make(&b, "", PLANE, SOME);
    make(&c, "seed: 2\n", PLANE, SOME);
    int same = 0;
    for (int64_t i = 0; i < 60; i++) {
        dew_Vec3 p = dew_problem_blob(a.problem, i)->shape.point_m;
        assert_true(dew_distance(p, dew_problem_blob(b.problem, i)->shape.point_m) == 0);
        same += dew_distance(p, dew_problem_blob(c.problem, i)->shape.point_m) == 0;
    }
    assert_int_equal(same, 0);
    test_done(&a);
    test_done(&b);
    test_done(&c);
}

static void what_does_not_fit_is_reported(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "", PLANE, "{shape: scatter, on: pane, count: 500, radius: 1 mm, angle: 70 deg}");
    assert_int_equal(t.status.code, DEW_OK);
    // Random disks jam at a bit over half the area: 144 mm^2 less the rim, pi mm^2 each.
    assert_in_range(dew_problem_blob_count(t.problem), 14, 32);
    assert_non_null(strstr(t.log, "of 500 drops find room on pane"));
    test_done(&t);
    make(&t, "", PLANE, "{shape: scatter, on: pane, count: 5, radius: 20 mm, angle: 70 deg}");
    assert_int_equal(t.status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(t.status.message, "finds room on pane"));
    test_done(&t);
}

// Above 90 degrees the radius is that of the ball, which is what is seen from above.
static void radius_is_what_is_seen_from_above(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "", PLANE, "{shape: scatter, on: pane, count: 5, radius: 0.5 mm, angle: 150 deg}");
    for (int64_t i = 0; i < 5; i++) {
        const dew_Blob *blob = dew_problem_blob(t.problem, i);
        assert_true(fabs(blob->cap_radius_m - 0.5e-3) < 1e-15);
        assert_true(fabs(blob->box_m.max.x - blob->box_m.min.x - 1e-3) < 1e-15);
    }
    test_done(&t);
}

// Even by area: on a sphere the height is evenly distributed (Archimedes). 4,000 points in 8 bands.
static void points_are_even_by_area(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "", SPHERE, SOME);
    dew_SurfaceSampler sampler;
    assert_int_equal(dew_sampler_init(&sampler, t.problem, 0).code, DEW_OK);
    assert_true(fabs(dew_sampler_area_m2(&sampler) / (4 * DEW_PI * 16e-6) - 1) < 0.002);
    int band[8] = {0};
    dew_Random random = dew_random(8, 0, 0);
    for (int i = 0; i < 4000; i++) {
        dew_SolidPoint p = dew_sampler_draw(&sampler, &random);
        assert_true(fabs(dew_length(p.point_m) - 4e-3) < 1e-15);
        int k = (int)((p.point_m.y / 4e-3 + 1) * 4);
        band[k > 7 ? 7 : k]++;
    }
    for (int k = 0; k < 8; k++)  // 500 each, five standard deviations
        assert_in_range(band[k], 395, 605);
    dew_sampler_deinit(&sampler);
    test_done(&t);
}

// A solid that keyframes put elsewhere at the start: the caps are there, not where it rests.
static void caps_follow_the_solid_to_its_start(void **state)
{
    (void)state;
    TestProblem t;
    make(&t, "",
         "{shape: box, name: pane, size: [4 mm, 4 mm, 4 mm], material: glass, keyframes: "
         "[{time: 0 s, translate: [3 mm, 0, 0], rotate: {axis: [0, 0, 1], angle: 45 deg}}]}",
         SOME);
    if (t.status.code != DEW_OK)
        fail_msg("%s", t.status.message);
    for (int64_t i = 0; i < dew_problem_blob_count(t.problem); i++) {
        const dew_DropDef *cap = &dew_problem_blob(t.problem, i)->shape;
        dew_SolidPoint s = dew_problem_nearest(t.problem, &t.problem->start, cap->point_m, 1);
        assert_true(fabs(s.distance_m) < 1e-14 && dew_inner(s.normal, cap->normal) > 1 - 1e-9);
        assert_true(cap->point_m.x > 3e-3 - 2.83e-3);
    }
    test_done(&t);
}

static void near_grid_finds_every_overlap(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_NearGrid grid;
    assert_int_equal(dew_near_grid_init(&grid, &arena, 500, 0.05).code, DEW_OK);
    dew_Vec3 centers[500];
    for (uint64_t i = 0; i < 500; i++) {
        dew_Random r = dew_random(5, i, 0);
        dew_Vec3 c = {dew_random_range(&r, -1, 1), dew_random_range(&r, -1, 1), 0};
        double radius = 0.05 * dew_random_unit(&r);
        bool want = false;
        for (uint64_t j = 0; j < i; j++)
            want |= dew_distance(c, centers[j]) < radius + grid.radius_m[j];
        assert_true(dew_near_grid_overlaps(&grid, c, radius) == want);
        centers[i] = c;
        dew_near_grid_add(&grid, c, radius);
    }
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caps_sit_apart_on_the_solid),
        cmocka_unit_test(no_cap_hangs_over_an_edge),
        cmocka_unit_test(seed_decides),
        cmocka_unit_test(what_does_not_fit_is_reported),
        cmocka_unit_test(radius_is_what_is_seen_from_above),
        cmocka_unit_test(points_are_even_by_area),
        cmocka_unit_test(caps_follow_the_solid_to_its_start),
        cmocka_unit_test(near_grid_finds_every_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
