// Liquid shapes: volume analytic, of the mesh, and sampled from the distance; box; centre;
// gradient.
#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"
#include "problem/problem_testing.h"

static const char *const drops[] = {
    "{shape: sphere, center: [1 mm, 0, -1 mm], radius: 2 mm}",
    "{shape: ellipsoid, center: [0, 1 mm, 0], radii: [3 mm, 1 mm, 2 mm]}",
    "{shape: box, min: [-2 mm, -1 mm, 0], max: [1 mm, 2 mm, 3 mm]}",
    "{shape: cylinder, from: [-2 mm, -1 mm, 0], to: [2 mm, 2 mm, 1 mm], radius: 1.5 mm}",
    "{shape: cap, point: [0, -1 mm, 0], normal: [1, 2, -1], volume: 20 mm^3, angle: 60 deg}",
    "{shape: cap, point: [0, -1 mm, 0], normal: [0, -1, 0], volume: 20 mm^3, angle: 140 deg}",
    "{shape: mesh, file: blob.obj, scale: 0.001, translate: [0.5 mm, 0, 0]}",
};
enum { DROPS = sizeof drops / sizeof drops[0] };

static const char blob_obj[] = "v 3 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1.5 0\nv 0 0 1\nv 0 0 -1\n"
                               "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\n"
                               "f 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";

static void make_drop(TestProblem *t, int k)
{
    char text[1024];
    test_folder(t);
    test_text_file(t, "blob.obj", blob_obj);
    snprintf(text, sizeof text, TEST_HEAD "drops: [%s]\n", drops[k]);
    test_make(t, text);
    if (t->status.code != DEW_OK)
        fail_msg("%s", t->status.message);
    assert_int_equal(dew_problem_blob_count(t->problem), 1);
}

static void volumes_are_known(void **state)
{
    (void)state;
    // The octahedron: two pyramids over the quadrilateral (3, 0), (0, 1), (-1, 0), (0, -1.5) of
    // area 4 * 2.5 / 2 = 5, each of height 1: 2 * 5 / 3.
    double want[DROPS] = {
        4 * DEW_PI / 3 * 8, 8 * DEW_PI, 27, DEW_PI * 2.25 * sqrt(26), 20, 20, 10.0 / 3};
    for (int k = 0; k < DROPS; k++) {
        TestProblem t;
        make_drop(&t, k);
        assert_within(dew_problem_blob(t.problem, 0)->volume_m3, want[k] * 1e-9, 1e-20);
        test_done(&t);
    }
}

// Meshes are closed and clean; volume and centre converge with the square of the edge.
static void mesh_encloses_the_volume(void **state)
{
    (void)state;
    for (int k = 0; k < DROPS; k++) {
        TestProblem t;
        make_drop(&t, k);
        const dew_Blob *blob = dew_problem_blob(t.problem, 0);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        double error[2], edges[2] = {0.4e-3, 0.2e-3};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(dew_blob_mesh(t.problem, blob, edges[i], &mesh).code, DEW_OK);
            dew_MeshAudit audit;
            assert_int_equal(dew_mesh_audit(&mesh, NULL, &audit).code, DEW_OK);
            assert_true(dew_mesh_audit_is_clean(&audit));
            dew_MeshMeasure m = dew_mesh_measure(&mesh);
            error[i] = fabs(m.volume_m3 / blob->volume_m3 - 1);
            assert_true(dew_distance(m.centroid_m, blob->center_m) < 0.02e-3);
            assert_true(m.box_m.min.x > blob->box_m.min.x - 1e-12 &&
                        m.box_m.max.y < blob->box_m.max.y + 1e-12);
            // The box is tight: the mesh comes within a sagitta of it.
            assert_true(dew_distance(m.box_m.min, blob->box_m.min) < 0.1e-3);
            assert_true(dew_distance(m.box_m.max, blob->box_m.max) < 0.1e-3);
        }
        bool is_flat = k == 2 || k == 6;
        assert_true(is_flat ? error[0] < 1e-12 : error[0] < 0.03);
        assert_true(is_flat ? error[1] < 1e-12 : error[1] < 0.45 * error[0]);
        dew_mesh_deinit(&mesh);
        test_done(&t);
    }
}

// Where the distance is negative is the drop: 200,000 random points of its box.
static void distance_knows_the_inside(void **state)
{
    (void)state;
    for (int k = 0; k < DROPS; k++) {
        TestProblem t;
        make_drop(&t, k);
        const dew_Blob *blob = dew_problem_blob(t.problem, 0);
        dew_Vec3 size = dew_sub(blob->box_m.max, blob->box_m.min);
        dew_Random r = dew_random(4, (uint64_t)k, 0);
        int inside = 0, n = 200000;
        for (int i = 0; i < n; i++) {
            dew_Vec3 p = {blob->box_m.min.x + size.x * dew_random_unit(&r),
                          blob->box_m.min.y + size.y * dew_random_unit(&r),
                          blob->box_m.min.z + size.z * dew_random_unit(&r)};
            inside += dew_blob_distance(t.problem, blob, p) < 0;
        }
        double fraction = blob->volume_m3 / (size.x * size.y * size.z);
        // Five standard deviations of the count.
        assert_within((double)inside / n, fraction,
                      5 * sqrt(fraction * (1 - fraction) / n) + 1e-12);
        test_done(&t);
    }
}

static void distance_has_slope_one(void **state)
{
    (void)state;
    for (int k = 0; k < DROPS; k++) {
        TestProblem t;
        make_drop(&t, k);
        const dew_Blob *blob = dew_problem_blob(t.problem, 0);
        int off = 0;
        for (uint64_t i = 0; i < 500; i++) {
            dew_Random r = dew_random(6, i, 0);
            dew_Vec3 p = {dew_random_range(&r, -5e-3, 5e-3), dew_random_range(&r, -5e-3, 5e-3),
                          dew_random_range(&r, -5e-3, 5e-3)};
            dew_Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, g = {0, 0, 0};
            for (int a = 0; a < 3; a++) {
                double h = 1e-8;
                double d = dew_blob_distance(t.problem, blob, dew_add_scaled(p, h, axis[a])) -
                           dew_blob_distance(t.problem, blob, dew_add_scaled(p, -h, axis[a]));
                g = dew_add_scaled(g, d / (2 * h), axis[a]);
            }
            off += fabs(dew_length(g) - 1) > 1e-5;
        }
        assert_in_range(off, 0, 5);  // on the medial axis
        test_done(&t);
    }
}

static void single_blobs_are_made_on_request(void **state)
{
    (void)state;
    TestProblem t;
    make_drop(&t, 6);
    dew_Blob blob;
    dew_DropDef def = dew_default_drop_def(DEW_DROP_SPHERE);
    def.radius_m = 1e-3;
    def.velocity_m_s = dew_vec(1, 2, 3);
    assert_int_equal(dew_problem_make_blob(t.problem, &def, 77, &blob).code, DEW_OK);
    assert_true(blob.id == 77 && blob.velocity_m_s.y == 2);
    assert_within(blob.volume_m3, 4 * DEW_PI / 3 * 1e-9, 1e-24);
    def.radius_m = 0;
    assert_int_equal(dew_problem_make_blob(t.problem, &def, 1, &blob).code, DEW_BAD_INPUT);
    dew_DropDef mesh = *dew_scene_drop(t.scene, 0);
    mesh.translate_m = dew_vec(0, 1, 0);
    assert_int_equal(dew_problem_make_blob(t.problem, &mesh, 2, &blob).code, DEW_OK);
    assert_within(blob.box_m.max.y, 1.001, 1e-15);
    mesh.scale = 1;
    assert_int_equal(dew_problem_make_blob(t.problem, &mesh, 2, &blob).code, DEW_UNSUPPORTED);
    def.shape = DEW_DROP_SCATTER;
    assert_int_equal(dew_problem_make_blob(t.problem, &def, 2, &blob).code, DEW_UNSUPPORTED);
    test_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_known),
        cmocka_unit_test(mesh_encloses_the_volume),
        cmocka_unit_test(distance_knows_the_inside),
        cmocka_unit_test(distance_has_slope_one),
        cmocka_unit_test(single_blobs_are_made_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
