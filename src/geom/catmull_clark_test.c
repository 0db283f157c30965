// Catmull-Clark: limit positions known by hand, flat and open meshes, edges with four faces.
//
// Limits. Cube with corners +-1: a corner has n = 3, E sums to (1, 1, 1), D to (-1, -1, -1):
// (9 + 4 - 1) / 24 = 1/2. Octahedron with corners +-e: one level gives the corner 7/12, edge points
// (5/12, 5/12, 0), face points (1/3, 1/3, 1/3); (16 * 7/12 + 4 * 4 * 5/12 + 4 / 3) / 36 = 13/27.
#include <math.h>

#include "base/testing.h"
#include "geom/catmull_clark.h"
#include "geom/mesh_audit.h"

#define assert_done(call)                                                                          \
    do {                                                                                           \
        dew_Status assert_done_ = (call);                                                          \
        if (assert_done_.code != DEW_OK)                                                           \
            fail_msg("%s", assert_done_.message);                                                  \
    } while (0)

static void assert_at(const dew_FaceMesh *mesh, int64_t v, double x, double y, double z)
{
    dew_Vec3 p = DEW_ITEMS(&mesh->positions, const dew_Vec3)[v];
    assert_true(dew_distance(p, dew_vec(x, y, z)) < 1e-12);
}

// A cube of half size 1 about a point; vertex bits: 1 x, 2 y, 4 z. `ids`: its vertices in the mesh.
static void add_cube(dew_FaceMesh *mesh, const uint32_t ids[8])
{
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        uint32_t face[4];
        for (int k = 0; k < 4; k++)
            face[k] = ids[faces[f][k]];
        assert_done(dew_face_mesh_add(mesh, face, 4));
    }
}

static void add_vertex(dew_FaceMesh *mesh, double x, double y, double z)
{
    dew_Vec3 p = {x, y, z};
    assert_done(dew_array_push(&mesh->positions, &p));
}

static const uint32_t plain[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static void make_cube(dew_FaceMesh *mesh)
{
    dew_face_mesh_init(mesh, NULL);
    for (int i = 0; i < 8; i++)
        add_vertex(mesh, i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    add_cube(mesh, plain);
}

static void limit_of_a_cube(void **state)
{
    (void)state;
    for (int levels = 1; levels <= 4; levels++) {
        dew_FaceMesh mesh;
        make_cube(&mesh);
        assert_done(dew_catmull_clark_subdivide(&mesh, levels, true));
        for (int i = 0; i < 8; i++)
            assert_at(&mesh, i, i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
        assert_int_equal(mesh.first.count - 1, 6 << (2 * levels));
        dew_face_mesh_deinit(&mesh);
    }
}

static void limit_of_an_octahedron(void **state)
{
    (void)state;
    for (int levels = 1; levels <= 4; levels++) {
        dew_FaceMesh mesh;
        dew_face_mesh_init(&mesh, NULL);
        for (int i = 0; i < 6; i++) {
            double s = i & 1 ? -1 : 1;
            add_vertex(&mesh, i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0, i / 2 == 2 ? s : 0);
        }
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t x = k & 1, y = 2 + (k >> 1 & 1), z = 4 + (k >> 2);
            bool is_even = ((k & 1) ^ (k >> 1 & 1) ^ (k >> 2)) == 0;
            const uint32_t face[3] = {x, is_even ? y : z, is_even ? z : y};
            assert_done(dew_face_mesh_add(&mesh, face, 3));
        }
        assert_done(dew_catmull_clark_subdivide(&mesh, levels, true));
        for (int i = 0; i < 6; i++) {
            double s = i & 1 ? -13.0 / 27 : 13.0 / 27;
            assert_at(&mesh, i, i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0, i / 2 == 2 ? s : 0);
        }
        dew_face_mesh_deinit(&mesh);
    }
}

// What is subdivided converges to its limit: 1/4 of the way is left at each level.
static void levels_converge_to_the_limit(void **state)
{
    (void)state;
    double before = 1;
    for (int levels = 1; levels <= 5; levels++) {
        dew_FaceMesh mesh;
        make_cube(&mesh);
        assert_done(dew_catmull_clark_subdivide(&mesh, levels, false));
        double left = DEW_ITEMS(&mesh.positions, const dew_Vec3)[7].x - 0.5;
        assert_true(left > 0 && left < 0.5 * before);
        before = left;
        dew_face_mesh_deinit(&mesh);
    }
    assert_true(before < 0.01);
}

// Two cubes that share an edge: four faces meet there. They come apart, each as if it were alone.
static void cubes_that_share_an_edge(void **state)
{
    (void)state;
    dew_FaceMesh mesh;
    make_cube(&mesh);
    // The second one, at x and y from 1 to 3, has the first one's vertices 3 and 7.
    const uint32_t ids[8] = {3, 8, 9, 10, 7, 11, 12, 13};
    for (int i = 0; i < 8; i++)
        if (i % 4 != 0)
            add_vertex(&mesh, i & 1 ? 3 : 1, i & 2 ? 3 : 1, i & 4 ? 1 : -1);
    add_cube(&mesh, ids);
    assert_done(dew_catmull_clark_subdivide(&mesh, 2, true));
    assert_at(&mesh, 7, 0.5, 0.5, 0.5);
    assert_at(&mesh, 0, -0.5, -0.5, -0.5);
    assert_at(&mesh, 13, 2.5, 2.5, 0.5);
    dew_Mesh triangles;
    dew_mesh_init(&triangles, NULL);
    assert_done(dew_face_mesh_to_triangles(&mesh, &triangles));
    dew_MeshAudit audit;
    assert_done(dew_mesh_audit(&triangles, NULL, &audit));
    assert_true(audit.is_closed && audit.is_manifold);
    dew_mesh_deinit(&triangles);
    dew_face_mesh_deinit(&mesh);
}

// An open square: its outline becomes a curve, its plane stays; corners go to (4 + 2 * 1/2 ...) /
// 6.
static void open_meshes(void **state)
{
    (void)state;
    dew_FaceMesh mesh;
    dew_face_mesh_init(&mesh, NULL);
    for (int i = 0; i < 4; i++)
        add_vertex(&mesh, i & 1 ? 1 : -1, 0, i & 2 ? 1 : -1);
    const uint32_t face[4] = {0, 2, 3, 1};
    assert_done(dew_face_mesh_add(&mesh, face, 4));
    assert_done(dew_catmull_clark_subdivide(&mesh, 3, true));
    // A closed cubic B-spline: (4 P + both neighbours) / 6 = (4 + 1 - 1) / 6.
    assert_at(&mesh, 3, 2.0 / 3, 0, 2.0 / 3);
    for (int64_t i = 0; i < mesh.positions.count; i++)
        assert_true(DEW_ITEMS(&mesh.positions, const dew_Vec3)[i].y == 0);
    dew_face_mesh_deinit(&mesh);
}

// Three sheets along one edge: what cannot be joined stays open, and nothing is refused.
static void three_sheets(void **state)
{
    (void)state;
    dew_FaceMesh mesh;
    dew_face_mesh_init(&mesh, NULL);
    add_vertex(&mesh, 0, 0, 0);
    add_vertex(&mesh, 0, 0, 1);
    add_vertex(&mesh, 1, 0, 0);
    add_vertex(&mesh, -1, 1, 0);
    add_vertex(&mesh, -1, -1, 0);
    const uint32_t faces[3][3] = {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}};
    for (int i = 0; i < 3; i++)
        assert_done(dew_face_mesh_add(&mesh, faces[i], 3));
    assert_done(dew_catmull_clark_subdivide(&mesh, 2, true));
    for (int64_t i = 0; i < mesh.positions.count; i++)
        assert_true(dew_vec_is_finite(DEW_ITEMS(&mesh.positions, const dew_Vec3)[i]));
    dew_face_mesh_deinit(&mesh);
}

static void rejected(void **state)
{
    (void)state;
    dew_FaceMesh mesh;
    make_cube(&mesh);
    assert_int_equal(dew_catmull_clark_subdivide(&mesh, 0, false).code, DEW_BAD_INPUT);
    assert_int_equal(dew_catmull_clark_subdivide(&mesh, 9, false).code, DEW_BAD_INPUT);
    const uint32_t line[2] = {0, 1}, missing[3] = {0, 1, 99};
    assert_done(dew_face_mesh_add(&mesh, line, 2));
    assert_int_equal(dew_catmull_clark_subdivide(&mesh, 1, false).code, DEW_BAD_INPUT);
    dew_face_mesh_deinit(&mesh);
    make_cube(&mesh);
    assert_done(dew_face_mesh_add(&mesh, missing, 3));
    assert_int_equal(dew_catmull_clark_subdivide(&mesh, 1, false).code, DEW_BAD_INPUT);
    dew_face_mesh_deinit(&mesh);
}

static void empty_mesh(void **state)
{
    (void)state;
    dew_FaceMesh mesh;
    dew_face_mesh_init(&mesh, NULL);
    assert_done(dew_catmull_clark_subdivide(&mesh, 2, true));
    assert_int_equal(mesh.positions.count, 0);
    dew_face_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit_of_a_cube),
        cmocka_unit_test(limit_of_an_octahedron),
        cmocka_unit_test(levels_converge_to_the_limit),
        cmocka_unit_test(cubes_that_share_an_edge),
        cmocka_unit_test(open_meshes),
        cmocka_unit_test(three_sheets),
        cmocka_unit_test(rejected),
        cmocka_unit_test(empty_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
