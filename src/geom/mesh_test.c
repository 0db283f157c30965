// Meshes: attributes stay in step with vertices, copies are equal, failures change nothing.
#include "geom/mesh.h"

#include "base/torture.h"
#include "geom/sample_meshes.h"

static float *attribute(dew_Mesh *mesh, const char *name)
{
    float *values = NULL;
    assert_ok(dew_mesh_attribute(mesh, name, &values));
    return values;
}

static void add_three(dew_Mesh *mesh, double x)
{
    for (int i = 0; i < 3; i++)
        assert_ok(dew_mesh_add_vertex(mesh, dew_vec(x, i, 0)));
    uint32_t first = (uint32_t)mesh->positions.count - 3;
    assert_ok(dew_mesh_add_triangle(mesh, first, first + 1, first + 2));
}

static void attributes_follow_vertices(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    add_three(&mesh, 1);
    attribute(&mesh, "wet")[2] = 0.5f;
    add_three(&mesh, 2);
    const float *wet = dew_mesh_find_attribute(&mesh, "wet");
    assert_non_null(wet);
    assert_true(wet[2] == 0.5f && wet[5] == 0);
    assert_null(dew_mesh_find_attribute(&mesh, "dry"));
    assert_int_equal(mesh.attributes.count, 1);
    dew_mesh_clear(&mesh);
    assert_int_equal(mesh.positions.count + mesh.triangles.count + mesh.attributes.count, 0);
    dew_mesh_deinit(&mesh);
}

static void long_names_are_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    float *values;
    dew_mesh_init(&mesh, NULL);
    assert_int_equal(
        dew_mesh_attribute(&mesh, "a_name_of_more_than_thirty_one_characters", &values).code,
        DEW_BAD_INPUT);
    assert_int_equal(dew_mesh_attribute(&mesh, "", &values).code, DEW_BAD_INPUT);
    assert_int_equal(mesh.attributes.count, 0);
    dew_mesh_deinit(&mesh);
}

static void append_fills_what_is_missing_with_zero(void **state)
{
    (void)state;
    dew_Mesh a, b;
    dew_mesh_init(&a, NULL);
    dew_mesh_init(&b, NULL);
    add_three(&a, 1);
    add_three(&b, 2);
    attribute(&a, "only_a")[0] = 1;
    attribute(&b, "only_b")[0] = 2;
    attribute(&a, "both")[1] = 3;
    attribute(&b, "both")[1] = 4;
    assert_ok(dew_mesh_append(&a, &b));
    assert_int_equal(a.positions.count, 6);
    assert_int_equal(a.attributes.count, 3);
    const float *only_a = dew_mesh_find_attribute(&a, "only_a");
    const float *only_b = dew_mesh_find_attribute(&a, "only_b");
    const float *both = dew_mesh_find_attribute(&a, "both");
    assert_true(only_a[0] == 1 && only_a[3] == 0 && only_b[0] == 0 && only_b[3] == 2);
    assert_true(both[1] == 3 && both[4] == 4);
    assert_int_equal(dew_mesh_triangles(&a)[1].v[2], 5);
    assert_ok(dew_mesh_copy(&b, &a));
    assert_int_equal(b.attributes.count, 3);
    assert_memory_equal(b.positions.data, a.positions.data, 6 * sizeof(dew_Vec3));
    assert_memory_equal(b.triangles.data, a.triangles.data, 2 * sizeof(dew_Triangle));
    dew_mesh_deinit(&a);
    dew_mesh_deinit(&b);
}

static void transform_scales_then_rotates_then_moves(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    add_three(&mesh, 1);
    attribute(&mesh, "nx")[0] = 1;
    attribute(&mesh, "ny");
    attribute(&mesh, "nz");
    dew_Rotation quarter = dew_rotation_about(dew_vec(0, 0, 1), DEW_PI / 2);  // x to y
    dew_mesh_transform(&mesh, -2, quarter, dew_vec(10, 0, 0));
    dew_Vec3 x = dew_mesh_positions(&mesh)[0];  // (1, 0, 0) -> (-2, 0, 0) -> (0, -2, 0)
    assert_within(x.x, 10, 1e-15);
    assert_within(x.y, -2, 1e-15);
    // The mirrored triangle is turned, and the normal along x points along -y.
    assert_int_equal(dew_mesh_triangles(&mesh)[0].v[1], 2);
    assert_within((double)dew_mesh_find_attribute(&mesh, "ny")[0], -1, 1e-7);
    dew_mesh_deinit(&mesh);
}

static dew_Status build_pair(dew_Mesh *a, dew_Mesh *b)
{
    float *values;
    for (int i = 0; i < 40; i++) {
        DEW_TRY(dew_mesh_add_vertex(b, dew_vec(i, 0, 0)));
        if (i == 7)
            DEW_TRY(dew_mesh_attribute(b, "one", &values));
        DEW_TRY(dew_mesh_add_triangle(b, 0, 0, 0));
    }
    DEW_TRY(dew_mesh_append(a, b));
    return dew_mesh_append(a, b);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Mesh a, b;
        dew_mesh_init(&a, &allocator);
        dew_mesh_init(&b, &allocator);
        dew_Status status = build_pair(&a, &b);
        bool has_failed = torture.calls > n;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        for (int64_t i = 0; i < b.attributes.count; i++)
            assert_int_equal(DEW_ITEMS(&b.attributes, dew_MeshAttribute)[i].values.count,
                             b.positions.count);
        dew_mesh_deinit(&a);
        dew_mesh_deinit(&b);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_follow_vertices),
        cmocka_unit_test(long_names_are_refused),
        cmocka_unit_test(append_fills_what_is_missing_with_zero),
        cmocka_unit_test(transform_scales_then_rotates_then_moves),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
