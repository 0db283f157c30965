// One triangle: closest point against a search, solid angles, overlap with boxes and triangles.
#include "geom/triangle.h"

#include "geom/sample_meshes.h"

static const dew_Vec3 A = {0, 0, 0}, B = {4, 0, 0}, C = {0, 3, 0};

static void each_feature_is_named(void **state)
{
    (void)state;
    const struct {
        dew_Vec3 p;
        double distance;
        dew_Feature feature;
        int corner;
    } cases[] = {
        {{1, 1, 2}, 2, DEW_FEATURE_FACE, 0},     {{1, 1, -2}, 2, DEW_FEATURE_FACE, 0},
        {{2, -1, 0}, 1, DEW_FEATURE_EDGE, 0},    {{-2, 1, 0}, 2, DEW_FEATURE_EDGE, 2},
        {{5, 4, 0}, 3.8, DEW_FEATURE_EDGE, 1},  // from 3 x + 4 y = 12: (15 + 16 - 12) / 5
        {{-3, -4, 0}, 5, DEW_FEATURE_VERTEX, 0}, {{7, -4, 0}, 5, DEW_FEATURE_VERTEX, 1},
        {{-3, 2, 4}, 5, DEW_FEATURE_EDGE, 2},    {{0, 6, 4}, 5, DEW_FEATURE_VERTEX, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dew_TriangleClosest c = dew_triangle_closest(A, B, C, cases[i].p);
        assert_int_equal(c.feature, cases[i].feature);
        assert_int_equal(c.corner, cases[i].corner);
        assert_within(sqrt(c.distance2), cases[i].distance, 4e-15);
        assert_within(c.weight[0] + c.weight[1] + c.weight[2], 1, 1e-15);
        dew_Vec3 by_weight = dew_combine(c.weight[1], B, c.weight[2], C);
        assert_true(dew_distance(by_weight, dew_add(cases[i].p, c.offset)) < 1e-14);
    }
}

// No point of the triangle is nearer than the one found; sampled densely.
static void nothing_is_nearer(void **state)
{
    (void)state;
    dew_Random random = dew_random(1, 0, 0);
    for (int n = 0; n < 300; n++) {
        dew_Vec3 a = sample_point(&random, 1), b = sample_point(&random, 1);
        dew_Vec3 c = sample_point(&random, 1), p = sample_point(&random, 2);
        dew_TriangleClosest found = dew_triangle_closest(a, b, c, p);
        double distance = sqrt(found.distance2), least = HUGE_VAL;
        for (int i = 0; i <= 60; i++) {
            for (int j = 0; j <= 60 - i; j++) {
                dew_Vec3 q = dew_combine(i / 60.0, a, j / 60.0, b);
                q = dew_add_scaled(q, (60 - i - j) / 60.0, c);
                least = fmin(least, dew_distance(p, q));
            }
        }
        assert_true(distance <= least * (1 + 1e-14));
        // Samples are at most 2 sqrt(3) / 60 from any point of the triangle.
        assert_true(least <= distance + 2 * sqrt(3.0) / 60);
        assert_within(dew_length(found.offset), distance, 1e-15);
    }
}

// Distances do not suffer when triangle and point lie far from the origin: only their differences
// count.
static void far_from_the_origin_nothing_is_lost(void **state)
{
    (void)state;
    dew_Vec3 shift = {1 << 20, -(1 << 21), 1 << 19}, p = {1, 1, ldexp(1, -20)};
    dew_TriangleClosest here = dew_triangle_closest(A, B, C, p);
    dew_TriangleClosest there = dew_triangle_closest(dew_add(A, shift), dew_add(B, shift),
                                                     dew_add(C, shift), dew_add(p, shift));
    assert_true(here.distance2 == there.distance2);
    assert_within(sqrt(here.distance2), ldexp(1, -20), 1e-21);
}

static void thin_triangles_are_their_edges(void **state)
{
    (void)state;
    dew_Vec3 line[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    dew_TriangleClosest c = dew_triangle_closest(line[0], line[1], line[2], dew_vec(1.5, 1.5, 3));
    dew_TriangleClosest d = dew_triangle_closest(line[0], line[2], line[1], dew_vec(1.5, 1.5, 3));
    // Along (1, 1, 1) at t = 2: distance^2 = 0.25 + 0.25 + 1, an inner point of edge or its end.
    assert_within(c.distance2, 1.5, 1e-15 * 4);
    assert_within(d.distance2, 1.5, 1e-15 * 4);
    dew_TriangleClosest point = dew_triangle_closest(line[1], line[1], line[1], dew_vec(1, 1, 4));
    assert_true(point.distance2 == 9 && point.feature == DEW_FEATURE_VERTEX);
}

static void a_cube_fills_the_sphere(void **state)
{
    (void)state;
    dew_Mesh cube;
    dew_mesh_init(&cube, NULL);
    assert_ok(dew_shape_box(dew_vec(2, 2, 2), 0, &cube));
    const dew_Vec3 points[3] = {{0, 0, 0}, {0.7, -0.3, 0.9}, {3, 1, 0.5}};
    for (int k = 0; k < 3; k++) {
        double angle = 0;
        for (int64_t t = 0; t < cube.triangles.count; t++) {
            const uint32_t *v = dew_mesh_triangles(&cube)[t].v;
            const dew_Vec3 *x = dew_mesh_positions(&cube);
            angle += dew_triangle_solid_angle(x[v[0]], x[v[1]], x[v[2]], points[k]);
        }
        assert_within(angle, k < 2 ? 4 * DEW_PI : 0, 1e-13);
    }
    dew_mesh_deinit(&cube);
}

static void angles_of_a_right_triangle(void **state)
{
    (void)state;
    assert_within(dew_triangle_angle(A, B, C), DEW_PI / 2, 1e-15);
    assert_within(dew_triangle_angle(B, C, A), atan(0.75), 1e-15);
    assert_true(dew_triangle_angle(A, A, C) == 0);
}

// Against clipping: a triangle and a box overlap when what is left of it within the six sides is
// not empty.
static bool clip_overlaps(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Box box)
{
    double polygon[12][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}};
    double low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    int count = 3;
    for (int side = 0; side < 6; side++) {
        double kept[12][3], sign = side % 2 ? 1 : -1,
                            limit = side % 2 ? high[side / 2] : low[side / 2];
        int axis = side / 2, n = 0;
        for (int i = 0; i < count; i++) {
            const double *p = polygon[i], *q = polygon[(i + 1) % count];
            double dp = sign * (limit - p[axis]), dq = sign * (limit - q[axis]);
            if (dp >= 0) {
                for (int k = 0; k < 3; k++)
                    kept[n][k] = p[k];
                n++;
            }
            if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) {
                for (int k = 0; k < 3; k++)
                    kept[n][k] = p[k] + dp / (dp - dq) * (q[k] - p[k]);
                n++;
            }
        }
        count = n;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++)
                polygon[i][k] = kept[i][k];
        }
    }
    return count > 0;
}

static void boxes_overlap_as_clipping_says(void **state)
{
    (void)state;
    dew_Random random = dew_random(2, 0, 0);
    int overlaps = 0, misses = 0;
    for (int n = 0; n < 20000; n++) {
        dew_Vec3 a = sample_point(&random, 1), b = sample_point(&random, 1);
        dew_Vec3 c = sample_point(&random, 1), middle = sample_point(&random, 1);
        dew_Vec3 half = {dew_random_range(&random, 0.01, 0.5), dew_random_range(&random, 0.01, 0.5),
                         dew_random_range(&random, 0.01, 0.5)};
        dew_Box box = {dew_sub(middle, half), dew_add(middle, half)};
        bool expected = clip_overlaps(a, b, c, box);
        assert_int_equal(dew_triangle_overlaps_box(a, b, c, box), expected);
        overlaps += expected;
        misses += !expected;
    }
    assert_true(overlaps > 2000 && misses > 2000);
}

static void triangles_that_pierce_touch_or_miss(void **state)
{
    (void)state;
    const dew_Vec3 base[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    const struct {
        dew_Vec3 t[3];
        bool overlaps;
    } cases[] = {
        {{{1, 1, -1}, {1, 1, 1}, {2, 2, 1}}, true},       // an edge goes through
        {{{1, 1, 0.5}, {1, 1, 1}, {2, 2, 1}}, false},     // above
        {{{1, 1, 0}, {1, 1, 1}, {2, 2, 1}}, true},        // a corner touches the inside
        {{{5, 5, -1}, {5, 5, 1}, {6, 6, 1}}, false},      // crosses the plane, beside
        {{{-1, 1, -1}, {-1, 1, 1}, {9, 1, 0}}, true},     // base's own edges go through it
        {{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, true},        // flat, inside
        {{{-9, -9, 0}, {30, -9, 0}, {-9, 30, 0}}, true},  // flat, around it
        {{{5, 5, 0}, {6, 5, 0}, {5, 6, 0}}, false},       // flat, beside
        {{{0, 0, 0}, {-4, 0, 1}, {0, -4, 1}}, false},     // one corner in common, away
        {{{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}, true},       // one corner in common, through
        {{{0, 0, 0}, {4, 0, 0}, {2, -3, 1}}, false},      // an edge in common, hinged
        {{{0, 0, 0}, {4, 0, 0}, {2, -3, 0}}, false},      // flat, on the other side
        {{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}}, true},        // flat, folded onto it
        {{{4, 0, 0}, {0, 0, 0}, {0, 4, 0}}, false},       // the same triangle, turned
        {{{0, 4, 0}, {0, 4, 0}, {1, 1, 1}},
         false},  // two corners in one place, which is one of base's
        {{{1, 1, -1}, {1, 1, -1}, {1, 1, 1}}, false},  // the same, through it
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dew_triangle_overlaps_triangle(base, cases[i].t), cases[i].overlaps);
        assert_int_equal(dew_triangle_overlaps_triangle(cases[i].t, base), cases[i].overlaps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_feature_is_named),
        cmocka_unit_test(nothing_is_nearer),
        cmocka_unit_test(far_from_the_origin_nothing_is_lost),
        cmocka_unit_test(thin_triangles_are_their_edges),
        cmocka_unit_test(a_cube_fills_the_sphere),
        cmocka_unit_test(angles_of_a_right_triangle),
        cmocka_unit_test(boxes_overlap_as_clipping_says),
        cmocka_unit_test(triangles_that_pierce_touch_or_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
