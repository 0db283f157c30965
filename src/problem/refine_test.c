// Refinement keeps the surface, its closedness and orientation; edges end up short enough.
#include "base/testing.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_measure.h"
#include "geom/shapes.h"
#include "problem/refine.h"

static double longest_edge(const dew_Mesh *mesh)
{
    double longest = 0;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        for (int i = 0; i < 3; i++) {
            const dew_Triangle *v = &dew_mesh_triangles(mesh)[t];
            longest = fmax(longest, dew_distance(dew_mesh_positions(mesh)[v->v[i]],
                                                 dew_mesh_positions(mesh)[v->v[(i + 1) % 3]]));
        }
    }
    return longest;
}

// Every edge has two triangles that run along it in opposite directions.
static void assert_closed(const dew_Mesh *mesh)
{
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    dew_MeshEdges edges;
    assert_ok(dew_mesh_edges(mesh, &arena, &edges));
    const dew_Triangle *t = dew_mesh_triangles(mesh);
    for (int64_t e = 0; e < edges.edge_count; e++) {
        assert_int_equal(edges.first[e + 1] - edges.first[e], 2);
        const uint32_t *h = edges.half_edges + edges.first[e];
        assert_int_equal(dew_half_edge_from(t, h[0]), dew_half_edge_to(t, h[1]));
    }
    dew_arena_deinit(&arena);
}

// A slab: long edges beside short ones, so that triangles with one, two and three marks all occur.
static void slab_stays_closed_and_keeps_its_measures(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(4, 0.1, 1.3), 0, &mesh));
    double edges[] = {3, 1, 0.7, 0.25, 0.06};
    for (int i = 0; i < 5; i++) {
        assert_ok(dew_mesh_refine(&mesh, edges[i]));
        assert_true(longest_edge(&mesh) <= edges[i]);
        assert_closed(&mesh);
        dew_MeshMeasure m = dew_mesh_measure(&mesh);
        assert_true(fabs(m.volume_m3 - 4 * 0.1 * 1.3) < 1e-12);
        assert_true(fabs(m.area_m2 - 2 * (0.4 + 5.2 + 0.13)) < 1e-11);
    }
    int64_t count = mesh.triangles.count;
    assert_ok(dew_mesh_refine(&mesh, 0.06));
    assert_int_equal(mesh.triangles.count, count);  // nothing left to do
    dew_mesh_deinit(&mesh);
}

static void attributes_are_dropped(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(1, 1, 1), 0, &mesh));
    float *values;
    assert_ok(dew_mesh_attribute(&mesh, "heat", &values));
    assert_ok(dew_mesh_refine(&mesh, 0.5));
    assert_null(dew_mesh_find_attribute(&mesh, "heat"));
    dew_mesh_deinit(&mesh);
}

static void too_fine_is_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(0, 0, 0)));
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(1, 0, 0)));
    assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(0, 1, 0)));
    assert_ok(dew_mesh_add_triangle(&mesh, 0, 1, 2));
    assert_int_equal(dew_mesh_refine(&mesh, 1e-9).code, DEW_BAD_INPUT);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slab_stays_closed_and_keeps_its_measures),
        cmocka_unit_test(attributes_are_dropped),
        cmocka_unit_test(too_fine_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
