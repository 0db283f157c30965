// Twins: the first of each kind, whichever way and from whichever corner it is named.
#include "geom/mesh_twins.h"

#include "geom/sample_meshes.h"

static void twins_are_found_from_any_corner_and_side(void **state)
{
    (void)state;
    const uint32_t faces[9][3] = {{1, 2, 3}, {2, 3, 1}, {3, 2, 1}, {1, 2, 4}, {4, 4, 1},
                                  {1, 1, 4}, {4, 2, 1}, {1, 4, 4}, {1, 2, 3}};
    const uint32_t expected[9] = {DEW_NO_TWIN, 0, 0, DEW_NO_TWIN, DEW_NO_TWIN, DEW_NO_TWIN,
                                  3,           4, 0};
    dew_Mesh mesh;
    dew_Arena arena;
    uint32_t twin[9];
    dew_mesh_init(&mesh, NULL);
    dew_arena_init(&arena, NULL);
    for (int i = 0; i < 9; i++)
        assert_ok(dew_mesh_add_triangle(&mesh, faces[i][0], faces[i][1], faces[i][2]));
    assert_ok(dew_mesh_twins(&mesh, &arena, twin));
    for (int i = 0; i < 9; i++)
        assert_int_equal(twin[i], expected[i]);
    const dew_Triangle *t = dew_mesh_triangles(&mesh);
    assert_true(dew_triangles_agree(t[0], t[1]) && dew_triangles_agree(t[8], t[1]));
    assert_false(dew_triangles_agree(t[0], t[2]) || dew_triangles_agree(t[3], t[6]));
    dew_arena_deinit(&arena);
    dew_mesh_deinit(&mesh);
}

static void a_sphere_has_none_and_its_double_has_all(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Arena arena;
    dew_mesh_init(&mesh, NULL);
    dew_arena_init(&arena, NULL);
    assert_ok(dew_shape_icosphere(1, 20, &mesh));
    int64_t count = mesh.triangles.count;
    assert_ok(dew_array_append(&mesh.triangles, mesh.triangles.data, count));
    uint32_t *twin = dew_arena_array(&arena, uint32_t, 2 * count);
    assert_ok(dew_mesh_twins(&mesh, &arena, twin));
    for (int64_t t = 0; t < count; t++) {
        assert_int_equal(twin[t], DEW_NO_TWIN);
        assert_int_equal(twin[count + t], t);
    }
    dew_arena_deinit(&arena);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_are_found_from_any_corner_and_side),
        cmocka_unit_test(a_sphere_has_none_and_its_double_has_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
