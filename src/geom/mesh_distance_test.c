// Signed distance: sign and value against brute force, gaps, overlaps, cavities, determinism.
#include "geom/mesh_distance.h"

#include "base/torture.h"
#include "geom/sample_meshes.h"
#include "geom/winding.h"

static dew_MeshDistance *distance_of(const dew_Mesh *mesh, dew_MeshSign sign)
{
    dew_MeshDistance *distance = NULL;
    assert_ok(dew_mesh_distance_create(mesh, sign, NULL, NULL, &distance));
    return distance;
}

static double unsigned_distance(const dew_Mesh *mesh, dew_Vec3 p)
{
    double best = HUGE_VAL;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(mesh)[t].v;
        const dew_Vec3 *x = dew_mesh_positions(mesh);
        best = fmin(best, dew_triangle_closest(x[v[0]], x[v[1]], x[v[2]], p).distance2);
    }
    return sqrt(best);
}

// Both ways of telling the sign against the exact winding number, and the distance to 1e-12.
static void sign_and_value_are_those_of_brute_force(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_blob(&mesh, 14);
    dew_MeshDistance *by_normals = distance_of(&mesh, DEW_SIGN_AUTO);
    dew_MeshDistance *by_winding = distance_of(&mesh, DEW_SIGN_WINDING);
    assert_int_equal(dew_mesh_distance_sign(by_normals), DEW_SIGN_NORMALS);
    dew_Random random = dew_random(12, 0, 0);
    int inside = 0;
    for (int n = 0; n < 1000; n++) {
        dew_Vec3 p = sample_point(&random, 1.6);
        if (n % 2) {  // near a vertex, where features meet
            dew_Vec3 x = dew_mesh_positions(&mesh)[dew_random_u32(&random) % 1962];
            p = dew_add(x, sample_point(&random, 0.03));
        }
        bool is_inside = dew_winding_exact(&mesh, p) > 0.5;
        double expected = unsigned_distance(&mesh, p) * (is_inside ? -1 : 1);
        dew_MeshClosest a = dew_mesh_distance_at(by_normals, p);
        dew_MeshClosest b = dew_mesh_distance_at(by_winding, p);
        assert_within(a.closest.distance, expected, 1e-12 * fabs(expected));
        assert_within(b.closest.distance, expected, 1e-12 * fabs(expected));
        assert_int_equal(dew_mesh_distance_is_inside(by_normals, p), is_inside);
        assert_int_equal(dew_mesh_distance_is_inside(by_winding, p), is_inside);
        assert_within(dew_length(a.closest.normal), 1, 1e-14);
        // From the closest point along the normal by the distance: back at p.
        dew_Vec3 back = dew_add_scaled(a.closest.point, a.closest.distance, a.closest.normal);
        assert_true(dew_distance(back, p) < 1e-13);
        inside += is_inside;
    }
    assert_true(inside > 200 && inside < 800);
    dew_mesh_distance_destroy(by_normals);
    dew_mesh_distance_destroy(by_winding);
    dew_mesh_deinit(&mesh);
}

// Very sharp spikes are where the normal of a single face would give the wrong sign.
static void sharp_edges_have_the_right_sign(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    const dew_Vec3 corners[4] = {{0, 0, 0}, {0.02, 0, 0.01}, {0, 0, 0.03}, {0.01, 5, 0.01}};
    const uint32_t faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (int i = 0; i < 4; i++)
        assert_ok(dew_mesh_add_vertex(&mesh, corners[i]));
    for (int i = 0; i < 4; i++)
        assert_ok(dew_mesh_add_triangle(&mesh, faces[i][0], faces[i][1], faces[i][2]));
    dew_MeshDistance *distance = distance_of(&mesh, DEW_SIGN_AUTO);
    assert_int_equal(dew_mesh_distance_sign(distance), DEW_SIGN_NORMALS);
    dew_Random random = dew_random(13, 0, 0);
    for (int n = 0; n < 5000; n++) {
        dew_Vec3 p = dew_add(corners[n % 4], sample_point(&random, 0.1));
        bool is_inside = dew_winding_exact(&mesh, p) > 0.5;
        assert_int_equal(dew_mesh_distance_at(distance, p).closest.distance < 0, is_inside);
    }
    dew_mesh_distance_destroy(distance);
    dew_mesh_deinit(&mesh);
}

// Away from a small hole the sign is that of the whole sphere.
static void gaps_do_not_spoil_the_sign(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 16, &mesh));
    for (int64_t t = 0; t < mesh.triangles.count; t += 100)  // 52 triangles of 5120 missing
        DEW_ITEMS(&mesh.triangles, dew_Triangle)[t] = dew_mesh_triangles(&mesh)[t + 1];
    dew_MeshDistance *distance = distance_of(&mesh, DEW_SIGN_AUTO);
    assert_int_equal(dew_mesh_distance_sign(distance), DEW_SIGN_WINDING);
    dew_Random random = dew_random(14, 0, 0);
    for (int n = 0; n < 2000; n++) {
        dew_Vec3 p = sample_point(&random, 1.5);
        double r = dew_length(p);
        if (fabs(r - 1) > 0.08)  // about one edge from the surface
            assert_int_equal(dew_mesh_distance_at(distance, p).closest.distance < 0, r < 1);
    }
    dew_mesh_distance_destroy(distance);
    dew_mesh_deinit(&mesh);
}

static void add_sphere(dew_Mesh *mesh, double radius, double x, bool is_flipped)
{
    dew_Mesh sphere;
    dew_mesh_init(&sphere, NULL);
    assert_ok(dew_shape_icosphere(radius, 6, &sphere));
    dew_mesh_transform(&sphere, 1, dew_rotation_identity(), dew_vec(x, 0, 0));
    if (is_flipped)
        dew_mesh_flip(&sphere);
    assert_ok(dew_mesh_append(mesh, &sphere));
    dew_mesh_deinit(&sphere);
}

static void parts_within_parts(void **state)
{
    (void)state;
    const struct {
        double radius, x;
        bool is_flipped;
        dew_MeshSign sign;
        bool inside_second;  // at the second's centre
    } cases[] = {
        {0.5, 0, true, DEW_SIGN_NORMALS, false},    // a cavity
        {0.5, 0, false, DEW_SIGN_WINDING, true},    // a solid in a solid
        {0.5, 3, false, DEW_SIGN_NORMALS, true},    // side by side
        {0.5, 1.2, false, DEW_SIGN_WINDING, true},  // through one another
    };
    for (int k = 0; k < 4; k++) {
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        add_sphere(&mesh, 1, 0, false);
        add_sphere(&mesh, cases[k].radius, cases[k].x, cases[k].is_flipped);
        dew_MeshDistance *distance = distance_of(&mesh, DEW_SIGN_AUTO);
        assert_int_equal(dew_mesh_distance_sign(distance), cases[k].sign);
        assert_true(dew_mesh_distance_at(distance, dew_vec(-0.8, 0.1, 0)).closest.distance < 0);
        double center =
            dew_mesh_distance_at(distance, dew_vec(cases[k].x, 0.01, 0)).closest.distance;
        assert_int_equal(center < 0, cases[k].inside_second);
        assert_true(dew_mesh_distance_at(distance, dew_vec(0, 2, 0)).closest.distance > 0);
        dew_mesh_distance_destroy(distance);
        dew_mesh_deinit(&mesh);
    }
}

static void reach_is_kept(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(2, 2, 2), 1, &mesh));
    dew_MeshDistance *distance = distance_of(&mesh, DEW_SIGN_AUTO);
    dew_MeshClosest found;
    assert_false(dew_mesh_distance_within(distance, dew_vec(3, 0.2, 0), 1.9, &found));
    assert_true(dew_mesh_distance_within(distance, dew_vec(3, 0.2, 0), 2.1, &found));
    assert_true(found.closest.distance == 2 && found.closest.normal.x == 1);
    found = dew_mesh_distance_at(distance, dew_vec(1, 0.2, 0.1));  // on the surface
    assert_true(found.closest.distance == 0 && found.closest.normal.x == 1);
    found = dew_mesh_distance_at(distance, dew_vec((double)NAN, 0, 0));
    assert_true(isnan(found.closest.distance));
    dew_mesh_distance_destroy(distance);
    dew_mesh_deinit(&mesh);
}

static void many_are_the_same_on_any_number_of_workers(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static dew_Vec3 points[COUNT];
    static double serial[COUNT], parallel[COUNT];
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_blob(&mesh, 10);
    dew_MeshDistance *distance = distance_of(&mesh, DEW_SIGN_AUTO);
    dew_Random random = dew_random(15, 0, 0);
    for (int i = 0; i < COUNT; i++)
        points[i] = sample_point(&random, 1.5);
    dew_mesh_distance_many(distance, NULL, points, COUNT, serial);
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 3;
    dew_Tasks *tasks;
    assert_ok(dew_tasks_create(&def, &tasks));
    dew_mesh_distance_many(distance, tasks, points, COUNT, parallel);
    assert_memory_equal(serial, parallel, sizeof serial);
    assert_true(serial[9] == dew_mesh_distance_at(distance, points[9]).closest.distance);
    dew_tasks_destroy(tasks);
    dew_mesh_distance_destroy(distance);
    dew_mesh_deinit(&mesh);
}

static void open_meshes_have_no_normals(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_MeshDistance *distance;
    dew_mesh_init(&mesh, NULL);
    assert_int_equal(dew_mesh_distance_create(&mesh, DEW_SIGN_AUTO, NULL, NULL, &distance).code,
                     DEW_BAD_INPUT);
    assert_ok(dew_shape_patch(1, 1, 0.5, &mesh));
    assert_int_equal(dew_mesh_distance_create(&mesh, DEW_SIGN_NORMALS, NULL, NULL, &distance).code,
                     DEW_BAD_INPUT);
    assert_null(distance);
    dew_mesh_deinit(&mesh);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    add_sphere(&mesh, 1, 0, false);
    add_sphere(&mesh, 0.5, 0, true);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_MeshDistance *distance;
        dew_Status status =
            dew_mesh_distance_create(&mesh, DEW_SIGN_AUTO, NULL, &allocator, &distance);
        bool has_failed = torture.calls > n;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        dew_mesh_distance_destroy(distance);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_and_value_are_those_of_brute_force),
        cmocka_unit_test(sharp_edges_have_the_right_sign),
        cmocka_unit_test(gaps_do_not_spoil_the_sign),
        cmocka_unit_test(parts_within_parts),
        cmocka_unit_test(reach_is_kept),
        cmocka_unit_test(many_are_the_same_on_any_number_of_workers),
        cmocka_unit_test(open_meshes_have_no_normals),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
