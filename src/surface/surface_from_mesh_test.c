// A Surface from a mesh: what dew_surface_to_mesh wrote comes back; what is missing is zero.
#include "geom/sample_meshes.h"
#include "surface/surface.h"

static void there_and_back(void **state)
{
    (void)state;
    dew_Mesh mesh, back;
    dew_Surface *a, *b;
    dew_mesh_init(&mesh, NULL);
    dew_mesh_init(&back, NULL);
    sample_blob(&mesh, 6);
    assert_ok(dew_surface_create(NULL, &a));
    assert_ok(dew_surface_create(NULL, &b));
    assert_ok(dew_surface_append_mesh(a, &mesh, dew_vec(0.5, -0.25, 2)));
    for (int64_t i = 0; i < a->wet.count; i++)
        DEW_ITEMS(&a->wet, float)[i] = i % 3 == 0;
    assert_ok(dew_surface_finish(a));
    assert_ok(dew_surface_to_mesh(a, &back));
    assert_ok(dew_surface_from_mesh(&back, b));
    assert_int_equal(b->piece_count, 1);
    assert_memory_equal(a->positions.data, b->positions.data, (size_t)a->positions.count * 24);
    assert_memory_equal(a->triangles.data, b->triangles.data, (size_t)a->triangles.count * 12);
    assert_memory_equal(a->velocities.data, b->velocities.data, (size_t)a->positions.count * 24);
    assert_memory_equal(a->wet.data, b->wet.data, (size_t)a->positions.count * 4);
    assert_memory_equal(a->normals.data, b->normals.data, (size_t)a->positions.count * 24);
    assert_ok(dew_surface_from_mesh(&mesh, b));  // without attributes
    assert_true(dew_length(dew_surface_velocities_m_s(b)[5]) == 0);
    assert_true(dew_surface_wet(b)[0] == 0);
    DEW_ITEMS(&mesh.triangles, dew_Triangle)[7].v[1] = 1000000;
    assert_int_equal(dew_surface_from_mesh(&mesh, b).code, DEW_BAD_INPUT);
    dew_surface_destroy(a);
    dew_surface_destroy(b);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
