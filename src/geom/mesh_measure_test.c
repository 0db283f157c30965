// Measures: cubes, tetrahedra and spheres with known integrals; order of triangles; components;
// normals.
#include "geom/mesh_measure.h"

#include "geom/sample_meshes.h"

#include <string.h>

static void a_box_has_the_integrals_of_a_box(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(2, 3, 5), 0.7, &mesh));
    dew_mesh_transform(&mesh, 1, dew_rotation_identity(), dew_vec(100, -200, 300));
    dew_MeshMeasure m = dew_mesh_measure(&mesh);
    assert_within(m.volume_m3, 30, 1e-12);
    assert_within(m.area_m2, 62, 1e-12);
    assert_true(dew_distance(m.centroid_m, dew_vec(100, -200, 300)) < 1e-12);
    const double expected[6] = {30.0 / 12 * (9 + 25), 30.0 / 12 * (4 + 25), 30.0 / 12 * (4 + 9)};
    for (int k = 0; k < 6; k++)
        assert_within(m.inertia_m5[k], expected[k], 1e-11);
    assert_true(m.box_m.min.x == 99 && m.box_m.max.z == 302.5);
    dew_mesh_flip(&mesh);
    assert_within(dew_mesh_measure(&mesh).volume_m3, -30, 1e-12);
    dew_mesh_deinit(&mesh);
}

// A corner of a cube: volume 1/6, centroid 1/4, int x^2 = 1/60, int x y = 1/120.
static void a_tetrahedron_has_products_of_inertia(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    const dew_Vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (int i = 0; i < 4; i++)
        assert_ok(dew_mesh_add_vertex(&mesh, x[i]));
    for (int i = 0; i < 4; i++)
        assert_ok(dew_mesh_add_triangle(&mesh, faces[i][0], faces[i][1], faces[i][2]));
    dew_MeshMeasure m = dew_mesh_measure(&mesh);
    double v = 1.0 / 6, xx = 1.0 / 60 - v / 16, xy = 1.0 / 120 - v / 16;
    assert_within(m.volume_m3, v, 1e-16);
    assert_true(dew_distance(m.centroid_m, dew_vec(0.25, 0.25, 0.25)) < 1e-15);
    for (int k = 0; k < 3; k++) {
        assert_within(m.inertia_m5[k], 2 * xx, 1e-16);
        assert_within(m.inertia_m5[3 + k], -xy, 1e-16);
    }
    assert_within(m.area_m2, 1.5 + sqrt(3.0) / 2, 1e-15);
    dew_mesh_deinit(&mesh);
}

// Errors of the inscribed polyhedron fall with the square of the edge: by 4 per doubling of the
// frequency.
static void spheres_converge_with_second_order(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    double volume_error[2], area_error[2], inertia_error[2];
    for (int k = 0; k < 2; k++) {
        assert_ok(dew_shape_icosphere(2, k ? 32 : 16, &mesh));
        dew_MeshMeasure m = dew_mesh_measure(&mesh);
        double volume = 4 * DEW_PI / 3 * 8;
        volume_error[k] = 1 - m.volume_m3 / volume;
        area_error[k] = 1 - m.area_m2 / (16 * DEW_PI);
        inertia_error[k] = 1 - m.inertia_m5[0] / (0.4 * volume * 4);
    }
    assert_true(volume_error[1] > 0 && volume_error[1] < 2e-3);
    assert_within(volume_error[0] / volume_error[1], 4, 0.05);
    assert_within(area_error[0] / area_error[1], 4, 0.05);
    assert_within(inertia_error[0] / inertia_error[1], 4, 0.05);
    dew_mesh_deinit(&mesh);
}

static void order_does_not_change_a_bit(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    sample_blob(&mesh, 15);
    dew_MeshMeasure before = dew_mesh_measure(&mesh);
    dew_Triangle *t = DEW_ITEMS(&mesh.triangles, dew_Triangle);
    dew_Random random = dew_random(16, 0, 0);
    for (int64_t i = mesh.triangles.count - 1; i > 0; i--) {
        int64_t j = (int64_t)(dew_random_u64(&random) % (uint64_t)(i + 1));
        dew_Triangle swapped = t[i];
        t[i] = t[j];
        t[j] = swapped;
    }
    dew_MeshMeasure after = dew_mesh_measure(&mesh);
    assert_memory_equal(&before, &after, sizeof before);
    dew_mesh_deinit(&mesh);
}

static void components_are_numbered_by_lowest_vertex(void **state)
{
    (void)state;
    dew_Mesh mesh, part;
    dew_mesh_init(&mesh, NULL);
    dew_mesh_init(&part, NULL);
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(9, 9, 9)));  // alone
    for (int k = 0; k < 3; k++) {
        assert_ok(dew_shape_icosphere(k + 1, 2, &part));
        assert_ok(dew_mesh_append(&mesh, &part));
    }
    uint32_t vertex_label[127], triangle_label[240];
    assert_int_equal(mesh.positions.count, 127);
    assert_int_equal(mesh.triangles.count, 240);
    assert_int_equal(dew_mesh_components(&mesh, triangle_label, vertex_label), 3);
    assert_int_equal(vertex_label[0], DEW_NO_COMPONENT);
    for (int v = 1; v < 127; v++)
        assert_int_equal(vertex_label[v], (v - 1) / 42);
    for (int t = 0; t < 240; t++)
        assert_int_equal(triangle_label[t], t / 80);
    double volume[3], one = dew_mesh_measure(&part).volume_m3 / 27;
    dew_mesh_component_volumes(&mesh, triangle_label, 3, volume);
    for (int k = 0; k < 3; k++)
        assert_within(volume[k], one * pow(k + 1, 3), 1e-13 * one * 27);
    // A bridge makes two of them one.
    assert_ok(dew_mesh_add_triangle(&mesh, 1, 2, 126));
    assert_int_equal(dew_mesh_components(&mesh, NULL, vertex_label), 2);
    assert_int_equal(vertex_label[126], 0);
    dew_mesh_deinit(&mesh);
    dew_mesh_deinit(&part);
}

// At a cube's corner three right angles weigh alike, however the faces are cut into triangles.
static void normals_do_not_depend_on_the_cut(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Vec3 normals[8];
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(2, 2, 2), 0, &mesh));
    assert_int_equal(mesh.positions.count, 8);
    dew_mesh_vertex_normals(&mesh, normals);
    for (int v = 0; v < 8; v++) {
        dew_Vec3 expected = dew_normalize(dew_mesh_positions(&mesh)[v]);
        assert_true(dew_distance(normals[v], expected) < 1e-15);
    }
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_the_integrals_of_a_box),
        cmocka_unit_test(a_tetrahedron_has_products_of_inertia),
        cmocka_unit_test(spheres_converge_with_second_order),
        cmocka_unit_test(order_does_not_change_a_bit),
        cmocka_unit_test(components_are_numbered_by_lowest_vertex),
        cmocka_unit_test(normals_do_not_depend_on_the_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
