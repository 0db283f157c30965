// Edges: Euler's formula, groups that are right, a vertex with very many edges.
#include "geom/mesh_edges.h"

#include "geom/sample_meshes.h"

static void check_groups(const dew_Mesh *mesh, const dew_MeshEdges *edges)
{
    const dew_Triangle *t = dew_mesh_triangles(mesh);
    uint64_t last = 0;
    assert_int_equal(edges->first[edges->edge_count], 3 * mesh->triangles.count);
    for (int64_t e = 0; e < edges->edge_count; e++) {
        uint64_t key = 0;
        assert_true(edges->first[e] < edges->first[e + 1]);
        for (uint32_t i = edges->first[e]; i < edges->first[e + 1]; i++) {
            uint32_t h = edges->half_edges[i], a = dew_half_edge_from(t, h);
            uint32_t b = dew_half_edge_to(t, h);
            uint64_t k = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
            if (i == edges->first[e])
                key = k;
            else
                assert_true(h > edges->half_edges[i - 1]);
            assert_true(k == key);
        }
        assert_true(e == 0 || key > last);
        last = key;
    }
}

static void closed_meshes_satisfy_euler(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_Arena arena;
    dew_MeshEdges edges;
    dew_mesh_init(&mesh, NULL);
    dew_arena_init(&arena, NULL);
    assert_ok(dew_shape_icosphere(1, 9, &mesh));
    assert_ok(dew_mesh_edges(&mesh, &arena, &edges));
    check_groups(&mesh, &edges);
    assert_int_equal(mesh.positions.count - edges.edge_count + mesh.triangles.count, 2);
    assert_ok(dew_shape_tube(1, 2, 3, 0.3, &mesh));
    assert_ok(dew_mesh_edges(&mesh, &arena, &edges));
    check_groups(&mesh, &edges);
    assert_int_equal(mesh.positions.count - edges.edge_count + mesh.triangles.count, 0);
    dew_arena_deinit(&arena);
    dew_mesh_deinit(&mesh);
}

// All edges at one vertex: the sort of one vertex's edges must not be quadratic, nor lose any.
static void a_fan_of_many_triangles(void **state)
{
    (void)state;
    const uint32_t n = 200000;
    dew_Mesh mesh;
    dew_Arena arena;
    dew_MeshEdges edges;
    dew_mesh_init(&mesh, NULL);
    dew_arena_init(&arena, NULL);
    for (uint32_t i = 0; i <= n; i++)
        assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(i, 0, 0)));
    for (uint32_t i = 0; i < n; i++)  // rim vertices in scattered order
        assert_ok(dew_mesh_add_triangle(&mesh, 0, 1 + (i * 7919) % n, 1 + ((i + 1) * 7919) % n));
    assert_ok(dew_mesh_edges(&mesh, &arena, &edges));
    check_groups(&mesh, &edges);
    assert_int_equal(edges.edge_count, 2 * n);
    dew_arena_deinit(&arena);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_meshes_satisfy_euler),
        cmocka_unit_test(a_fan_of_many_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
