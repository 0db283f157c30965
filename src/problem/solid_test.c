// Every shape of solid: distance against its own mesh, gradient, normal, closest point, inside out,
// turned, moved.
#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh_distance.h"
#include "problem/problem_testing.h"

static const char *const shapes[] = {
    "{shape: sphere, center: [1 mm, 0.5 mm, -0.3 mm], radius: 2 mm}",
    "{shape: box, center: [0.2 mm, 0, 0], size: [4 mm, 1 mm, 3 mm]}",
    "{shape: box, size: [4 mm, 1 mm, 3 mm], rotate: {axis: [1, 2, 3], angle: 40 deg}}",
    "{shape: cylinder, from: [-2 mm, -1 mm, 0], to: [2 mm, 1 mm, 1 mm], radius: 1 mm}",
    "{shape: tube, from: [0, -2 mm, 0], to: [0, 2 mm, 0], inner_radius: 1 mm, outer_radius: 2 mm, "
    "rotate: {axis: [0, 0, 1], angle: 30 deg}}",
    "{shape: leaf, size: [8 mm, 8 mm], fold: 120 deg, tilt: 15 deg}",
    "{shape: leaf, size: [6 mm, 8 mm], fold: 250 deg, center: [0, 1 mm, 0]}",
    "{shape: mesh, file: blob.obj, scale: 0.001, translate: [0.5 mm, 0, 0], "
    "rotate: {axis: [0, 1, 0], angle: 25 deg}}",
    "{shape: heightfield, file: ground.csv, min: [-5 mm, -5 mm], max: [5 mm, 5 mm]}",
    "{shape: plane, point: [0, 1 mm, 0], normal: [1, 2, 0.5]}",
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], MESH = 7, HEIGHTFIELD = 8 };

// An octahedron with one corner pulled out, in millimetres.
static const char blob_obj[] = "v 3 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1.5 0\nv 0 0 1\nv 0 0 -1\n"
                               "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\n"
                               "f 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
static const char ground_csv[] = "0,1e-3,0,2e-3\n0,0,1e-3,0\n0.5e-3,0,0,1e-3\n";

static void make_shape(TestProblem *t, int k, const char *more)
{
    char text[1024];
    test_folder(t);
    test_text_file(t, "blob.obj", blob_obj);
    test_text_file(t, "ground.csv", ground_csv);
    int length = (int)strlen(shapes[k]) - 1;  // without the closing brace
    snprintf(text, sizeof text, TEST_HEAD TEST_DROP "solids: [%.*s%s}]\n", length, shapes[k], more);
    test_make(t, text);
    if (t->status.code != DEW_OK)
        fail_msg("%s", t->status.message);
}

static dew_Vec3 random_point(uint64_t i)
{
    dew_Random r = dew_random(3, i, 0);
    return dew_vec(dew_random_range(&r, -6e-3, 6e-3), dew_random_range(&r, -6e-3, 6e-3),
                   dew_random_range(&r, -6e-3, 6e-3));
}

static dew_SolidPoint at(const TestProblem *t, const dew_Instant *instant, dew_Vec3 p)
{
    return dew_problem_solid_nearest(t->problem, instant, 0, p);
}

// The closest point lies on the solid, as far away as said; the normal points from or to it; a step
// along the normal changes the distance by its length, unless it passes the medial axis.
static void closest_point_normal_and_distance_agree(void **state)
{
    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        TestProblem t;
        make_shape(&t, k, "");
        int crossed = 0;
        for (uint64_t i = 0; i < 2000; i++) {
            dew_Vec3 p = random_point(i);
            dew_SolidPoint s = at(&t, NULL, p);
            assert_true(fabs(dew_distance(p, s.point_m) - fabs(s.distance_m)) < 1e-15);
            assert_true(fabs(at(&t, NULL, s.point_m).distance_m) < 1e-15);
            assert_true(fabs(dew_length(s.normal) - 1) < 1e-12);
            dew_Vec3 back = dew_add_scaled(s.point_m, s.distance_m, s.normal);
            assert_true(dew_distance(back, p) < 1e-12);
            double h = 1e-6, change = at(&t, NULL, dew_add_scaled(p, h, s.normal)).distance_m -
                                      at(&t, NULL, dew_add_scaled(p, -h, s.normal)).distance_m;
            crossed += fabs(change / (2 * h) - 1) > 1e-6;
        }
        assert_in_range(crossed, 0, 20);  // steps of 1e-3 of the size rarely cross a ridge
        test_done(&t);
    }
}

// Central differences in x, y and z are the normal, away from the medial axis.
static void gradient_is_the_normal(void **state)
{
    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        TestProblem t;
        make_shape(&t, k, "");
        int off = 0;
        for (uint64_t i = 0; i < 500; i++) {
            dew_Vec3 p = random_point(i), g = {0, 0, 0},
                     axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
            dew_SolidPoint s = at(&t, NULL, p);
            if (fabs(s.distance_m) < 1e-5)
                continue;  // an edge that near bends the gradient within the step
            double h = 1e-8;
            for (int a = 0; a < 3; a++) {
                double d = at(&t, NULL, dew_add_scaled(p, h, axis[a])).distance_m -
                           at(&t, NULL, dew_add_scaled(p, -h, axis[a])).distance_m;
                g = dew_add_scaled(g, d / (2 * h), axis[a]);
            }
            // Curvature is at most 1 / distance: error below (h / 1e-5)^2; rounding 1e-18 / h.
            off += dew_distance(g, s.normal) > 1e-5;
        }
        assert_in_range(off, 0, 5);
        test_done(&t);
    }
}

// The distance of the solid's own mesh, whose vertices lie on the solid, differs by the sagitta of
// its edges at most: edge^2 / (8 radius) with edges up to 0.2 * 1.5 mm and radii from 1 mm, 0 for
// flat sides.
static void distance_is_that_of_the_mesh(void **state)
{
    (void)state;
    for (int k = 0; k < HEIGHTFIELD; k++) {
        TestProblem t;
        make_shape(&t, k, "");
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_int_equal(dew_problem_solid_mesh(t.problem, 0, 0.2e-3, &mesh).code, DEW_OK);
        dew_MeshDistance *brute;
        dew_Status status = dew_mesh_distance_create(&mesh, DEW_SIGN_NORMALS, NULL, NULL, &brute);
        assert_int_equal(status.code, DEW_OK);  // closed, manifold, oriented
        bool is_flat = k == 1 || k == 2 || k >= 5;
        double allowed = is_flat ? 1e-14 : 0.3e-3 * 0.3e-3 / 8e-3;
        for (uint64_t i = 0; i < 1000; i++) {
            dew_Vec3 p = random_point(i);
            double d = dew_mesh_distance_at(brute, p).closest.distance;
            assert_true(fabs(d - at(&t, NULL, p).distance_m) < allowed);
        }
        dew_mesh_distance_destroy(brute);
        dew_mesh_deinit(&mesh);
        test_done(&t);
    }
}

// Planes and grounds: their mesh lies on them, faces out of them, and covers the domain's ground
// plan.
static void open_meshes_lie_on_their_solids(void **state)
{
    (void)state;
    for (int k = HEIGHTFIELD; k < SHAPES; k++) {
        TestProblem t;
        make_shape(&t, k, "");
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_int_equal(dew_problem_solid_mesh(t.problem, 0, 0.5e-3, &mesh).code, DEW_OK);
        assert_true(mesh.triangles.count > 100);
        const dew_Vec3 *x = dew_mesh_positions(&mesh);
        for (int64_t i = 0; i < mesh.triangles.count; i++) {
            const uint32_t *v = dew_mesh_triangles(&mesh)[i].v;
            dew_Vec3 middle = dew_scale(1.0 / 3, dew_add(x[v[0]], dew_add(x[v[1]], x[v[2]])));
            dew_Vec3 n =
                dew_normalize(dew_cross(dew_sub(x[v[1]], x[v[0]]), dew_sub(x[v[2]], x[v[0]])));
            dew_SolidPoint s = at(&t, NULL, middle);
            assert_true(fabs(s.distance_m) < 1e-15);
            assert_true(dew_inner(n, s.normal) > 1 - 1e-9);
        }
        dew_mesh_deinit(&mesh);
        test_done(&t);
    }
}

static void inside_out_is_the_complement(void **state)
{
    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        TestProblem t, u;
        make_shape(&t, k, "");
        make_shape(&u, k, ", inside_out: true");
        for (uint64_t i = 0; i < 200; i++) {
            dew_Vec3 p = random_point(i);
            dew_SolidPoint s = at(&t, NULL, p), c = at(&u, NULL, p);
            assert_true(c.distance_m == -s.distance_m);
            assert_true(dew_distance(c.normal, dew_scale(-1, s.normal)) == 0);
            assert_true(dew_distance(c.point_m, s.point_m) == 0);
        }
        test_done(&t);
        test_done(&u);
    }
}

// Moved as a whole, the distance at a moved point is the distance at rest; the velocity said for
// the closest point is that of the material point there, by differences of the poses in time.
static void motion_carries_the_solid_along(void **state)
{
    (void)state;
    const char *motion =
        ", velocity: [1 mm/s, -2 mm/s, 0.5 mm/s], angular_velocity: [0.3, 1, -0.5], keyframes: "
        "[{time: 0 s}, {time: 2 s, translate: [1 mm, 0, 2 mm], rotate: {axis: [1, 0, 1], angle: 70 "
        "deg}}]";
    for (int k = 0; k < SHAPES; k++) {
        TestProblem t;
        make_shape(&t, k, motion);
        assert_true(dew_problem_solid_is_moving(t.problem, 0));
        dew_SolidPose poses[3];
        double h = 1e-4, now = 0.7;
        dew_Instant instant[3];
        for (int i = 0; i < 3; i++) {
            dew_problem_poses(t.problem, now + (i - 1) * h, &poses[i]);
            instant[i] = (dew_Instant){.time_s = now + (i - 1) * h, .poses = &poses[i]};
        }
        for (uint64_t i = 0; i < 200; i++) {
            dew_Vec3 rest = random_point(i);
            dew_Vec3 p = dew_problem_from_rest(t.problem, &instant[1], 0, rest);
            assert_true(dew_distance(dew_problem_to_rest(t.problem, &instant[1], 0, p), rest) <
                        1e-17);
            dew_SolidPoint moved = at(&t, &instant[1], p), still = at(&t, NULL, rest);
            assert_true(fabs(moved.distance_m - still.distance_m) < 1e-16);
            if (fabs(moved.distance_m) >
                1e-9)  // closer, the normal of an edge is a matter of rounding
                assert_true(
                    dew_distance(dew_rotate(poses[1].rotation, still.normal), moved.normal) < 1e-6);
            dew_Vec3 there = dew_problem_to_rest(t.problem, &instant[1], 0, moved.point_m);
            dew_Vec3 path = dew_sub(dew_problem_from_rest(t.problem, &instant[2], 0, there),
                                    dew_problem_from_rest(t.problem, &instant[0], 0, there));
            // Third derivative: angular speed^3 times arm, below 1e-2 * 3; times h^2 / 6.
            assert_true(dew_distance(dew_scale(1 / (2 * h), path), moved.velocity_m_s) < 1e-9);
        }
        test_done(&t);
    }
}

// At reach r the answer is that without a bound, or none when it is farther.
static void reach_cuts_off_what_is_farther(void **state)
{
    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        TestProblem t;
        make_shape(&t, k, "");
        for (uint64_t i = 0; i < 500; i++) {
            dew_Vec3 p = random_point(i);
            double full = dew_problem_distance(t.problem, NULL, p, HUGE_VAL);
            double near = dew_problem_distance(t.problem, NULL, p, 1e-3);
            assert_true(full > 1e-3 ? isinf(near) : near == full);
        }
        test_done(&t);
    }
}

static void leaf_is_where_it_should_be(void **state)
{
    (void)state;
    TestProblem t;
    make_shape(&t, 5, "");  // 120 degrees, tilted by 15: the rib rises along +x
    double c = cos(DEW_DEG(15)), s = sin(DEW_DEG(15));
    assert_true(fabs(at(&t, NULL, dew_vec(3e-3 * c, 3e-3 * s, 0)).distance_m) < 1e-17);
    assert_true(fabs(at(&t, NULL, dew_vec(-3e-3 * c, -3e-3 * s, 0)).distance_m) < 1e-17);
    // Seen along the rib from its middle, the plates rise at 30 degrees: 2 mm along one of them.
    dew_Vec3 up = {-s, c, 0}, side = {0, 0, 1};
    dew_Vec3 on_plate = dew_combine(2e-3 * sin(DEW_DEG(30)), up, 2e-3 * cos(DEW_DEG(30)), side);
    dew_SolidPoint p = at(&t, NULL, on_plate);
    assert_true(fabs(p.distance_m) < 1e-17);
    dew_Vec3 n = dew_combine(cos(DEW_DEG(30)), up, -sin(DEW_DEG(30)), side);
    assert_true(dew_distance(p.normal, n) < 1e-9);
    // In the valley above the fold both plates are equally far.
    double h = 1e-3;
    assert_true(fabs(at(&t, NULL, dew_scale(h, up)).distance_m - h * cos(DEW_DEG(30))) < 1e-16);
    test_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_point_normal_and_distance_agree),
        cmocka_unit_test(gradient_is_the_normal),
        cmocka_unit_test(distance_is_that_of_the_mesh),
        cmocka_unit_test(open_meshes_lie_on_their_solids),
        cmocka_unit_test(inside_out_is_the_complement),
        cmocka_unit_test(motion_carries_the_solid_along),
        cmocka_unit_test(reach_cuts_off_what_is_farther),
        cmocka_unit_test(leaf_is_where_it_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
