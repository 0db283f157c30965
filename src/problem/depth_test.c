// Depth tables: columns against brute force over boxes, closed meshes, standing on solids.
#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh_distance.h"
#include "geom/mesh_edges.h"
#include "problem/depth.h"
#include "problem/problem_testing.h"

enum { MAX_CELLS = 64 };

typedef struct Columns {
    double depth[MAX_CELLS], ground[MAX_CELLS];
    dew_DepthAsset asset;
} Columns;

// Random columns on a ground of a few steps, so that tops and bottoms often meet at one height.
static void make_columns(Columns *c, int64_t columns, int64_t rows, uint64_t seed)
{
    dew_Random r = dew_random(seed, 0, 0);
    for (int64_t i = 0; i < columns * rows; i++) {
        c->depth[i] = fmax(0, floor(dew_random_range(&r, -2, 4)) * 0.25);
        c->ground[i] = floor(dew_random_range(&r, 0, 3)) * 0.25;
    }
    c->asset = (dew_DepthAsset){.columns = columns,
                                .rows = rows,
                                .min_x_m = -1,
                                .min_z_m = 2,
                                .cell_x_m = 0.5,
                                .cell_z_m = 0.3,
                                .depth_m = c->depth,
                                .ground_m = c->ground};
}

// Every edge runs as often forth as back; the volume is that of the columns.
static void meshes_are_closed(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        Columns c;
        make_columns(&c, 1 + (int64_t)(seed % 7), 1 + (int64_t)(seed % 5), seed);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_ok(dew_depth_mesh(&c.asset, &mesh));
        dew_Arena arena;
        dew_arena_init(&arena, NULL);
        dew_MeshEdges edges;
        assert_ok(dew_mesh_edges(&mesh, &arena, &edges));
        const dew_Triangle *t = dew_mesh_triangles(&mesh);
        for (int64_t e = 0; e < edges.edge_count; e++) {
            int balance = 0;
            for (uint32_t k = edges.first[e]; k < edges.first[e + 1]; k++)
                balance += dew_half_edge_from(t, edges.half_edges[k]) <
                                   dew_half_edge_to(t, edges.half_edges[k])
                               ? 1
                               : -1;
            assert_int_equal(balance, 0);
        }
        double want = 0;
        for (int64_t i = 0; i < c.asset.columns * c.asset.rows; i++)
            want += c.depth[i] * 0.5 * 0.3;
        assert_true(fabs(dew_mesh_measure(&mesh).volume_m3 - want) < 1e-12);
        dew_arena_deinit(&arena);
        dew_mesh_deinit(&mesh);
    }
}

// The distance by rings of cells is the distance to the mesh, whose sign comes from its winding
// number.
static void distance_is_that_of_the_mesh(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++) {
        Columns c;
        make_columns(&c, 8, 8, seed);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_ok(dew_depth_mesh(&c.asset, &mesh));
        dew_MeshDistance *brute;
        assert_ok(dew_mesh_distance_create(&mesh, DEW_SIGN_WINDING, NULL, NULL, &brute));
        for (uint64_t i = 0; i < 300; i++) {
            dew_Random r = dew_random(11, i, seed);
            dew_Vec3 p = {dew_random_range(&r, -3, 5), dew_random_range(&r, -1, 3),
                          dew_random_range(&r, 0, 6)};
            double want = dew_mesh_distance_at(brute, p).closest.distance;
            assert_true(fabs(dew_depth_distance(&c.asset, p) - want) < 1e-12);
        }
        dew_mesh_distance_destroy(brute);
        dew_mesh_deinit(&mesh);
    }
}

#define SHALLOW                                                                                    \
    "solver: shallow\n"                                                                            \
    "domain: {min: [0, 0, 0], max: [4 mm, 0, 2 mm], cell: 1 mm}\n"

static void columns_stand_on_the_ground(void **state)
{
    (void)state;
    TestProblem t;
    test_folder(&t);
    test_text_file(&t, "depth.csv", "0, 1e-3, 0, 0\n2e-3, 0, 0, 1e-3\n");
    test_text_file(&t, "ground.csv", "0,4e-3\n0,4e-3\n");
    test_make(&t,
              SHALLOW "drops: [{shape: depth, file: depth.csv}]\n"
                      "solids: [{shape: heightfield, file: ground.csv, min: [0, 0], max: [4 mm, 2 "
                      "mm]}]\n");
    assert_ok(t.status);
    const dew_Blob *blob = dew_problem_blob(t.problem, 0);
    assert_true(fabs(blob->volume_m3 - 4e-9) < 1e-22);
    assert_true(dew_blob_depth_m(t.problem, blob, 1.5e-3, 0.5e-3) == 1e-3);
    assert_true(dew_blob_depth_m(t.problem, blob, 0.5e-3, 1.5e-3) == 2e-3);
    assert_true(dew_blob_depth_m(t.problem, blob, 9, 9) == 0);
    // The ground rises with x: 1.5 mm under the middle of the second column.
    assert_true(dew_blob_distance(t.problem, blob, dew_vec(1.5e-3, 2e-3, 0.5e-3)) < -0.49e-3);
    assert_true(fabs(dew_blob_distance(t.problem, blob, dew_vec(1.5e-3, 2.75e-3, 0.5e-3)) -
                     0.25e-3) < 1e-15);
    assert_true(fabs(blob->box_m.max.y - 4.5e-3) < 1e-15 &&
                fabs(blob->box_m.min.y - 0.5e-3) < 1e-15);
    test_done(&t);
}

static void bad_tables_are_refused(void **state)
{
    (void)state;
    const char *tables[] = {"0,-1\n", "0,0\n0,0\n", "1,2\n3\n", ""};
    const char *words[] = {"negative", "no liquid", "depth.csv", "depth.csv"};
    for (int i = 0; i < 4; i++) {
        TestProblem t;
        test_folder(&t);
        test_text_file(&t, "depth.csv", tables[i]);
        test_make(&t, SHALLOW "drops:\n  - {shape: depth, file: depth.csv}\n");
        assert_int_equal(t.status.code, DEW_BAD_INPUT);
        assert_non_null(strstr(t.status.message, words[i]));
        assert_non_null(strstr(t.status.message, "scene.yaml:4: "));
        test_done(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_closed),
        cmocka_unit_test(distance_is_that_of_the_mesh),
        cmocka_unit_test(columns_stand_on_the_ground),
        cmocka_unit_test(bad_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
