// Loop subdivision: masks against closed forms, limit through vertices, creases, rejected input.
#include "geom/loop_subdivision.h"

#include "base/torture.h"
#include "dew/wetting.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"
#include "geom/sample_meshes.h"

#define RINGS 9
#define TURNS 12

static double phase(int p, int q, int64_t i, int64_t j)
{
    return 2 * DEW_PI * ((double)(p * i) / RINGS + (double)(q * j) / TURNS);
}

// A torus whose vertices all have six neighbours, with the wave cos(phase) as attribute "wave".
static void make_torus(dew_Mesh *mesh, int p, int q)
{
    float *wave;
    dew_mesh_init(mesh, NULL);
    for (int i = 0; i < RINGS; i++)
        for (int j = 0; j < TURNS; j++) {
            double a = 2 * DEW_PI * i / RINGS, b = 2 * DEW_PI * j / TURNS, r = 3 + cos(b);
            assert_ok(dew_mesh_add_vertex(mesh, dew_vec(r * cos(a), sin(b), -r * sin(a))));
        }
    for (uint32_t i = 0; i < RINGS; i++)
        for (uint32_t j = 0; j < TURNS; j++) {
            uint32_t i2 = (i + 1) % RINGS, j2 = (j + 1) % TURNS;
            uint32_t a = i * TURNS + j, b = i2 * TURNS + j, c = i2 * TURNS + j2, d = i * TURNS + j2;
            assert_ok(dew_mesh_add_triangle(mesh, a, b, c));
            assert_ok(dew_mesh_add_triangle(mesh, a, c, d));
        }
    assert_ok(dew_mesh_attribute(mesh, "wave", &wave));
    for (int i = 0; i < RINGS; i++)
        for (int j = 0; j < TURNS; j++)
            wave[i * TURNS + j] = (float)cos(phase(p, q, i, j));
}

// On a regular mesh a wave stays a wave; its height is that of the mask's transform.
static void waves_shrink_as_the_masks_say(void **state)
{
    (void)state;
    for (int p = 0; p < 4; p++)
        for (int q = -2; q < 5; q++) {
            dew_Mesh mesh;
            double a = 2 * DEW_PI * p / RINGS, b = 2 * DEW_PI * q / TURNS;
            double ring = 2 * (cos(a) + cos(b) + cos(a + b));
            make_torus(&mesh, p, q);
            assert_ok(dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 1}));
            const float *once = dew_mesh_find_attribute(&mesh, "wave");
            for (int v = 0; v < RINGS * TURNS; v++)
                assert_within((double)once[v],
                              (10 + ring) / 16 * cos(phase(p, q, v / TURNS, v % TURNS)), 1e-6);
            dew_mesh_deinit(&mesh);
            make_torus(&mesh, p, q);
            assert_ok(dew_loop_subdivide(&mesh, &(dew_LoopDef){.moves_to_limit = true}));
            const float *limit = dew_mesh_find_attribute(&mesh, "wave");
            for (int v = 0; v < RINGS * TURNS; v++)
                assert_within((double)limit[v],
                              (6 + ring) / 12 * cos(phase(p, q, v / TURNS, v % TURNS)), 1e-6);
            dew_mesh_deinit(&mesh);
        }
}

// The limit does not depend on how many levels lie before it.
static void levels_have_one_limit(void **state)
{
    (void)state;
    dew_Mesh a, b;
    dew_mesh_init(&a, NULL);
    dew_mesh_init(&b, NULL);
    sample_blob(&a, 4);
    assert_ok(dew_mesh_copy(&b, &a));
    int64_t count = a.positions.count, triangles = a.triangles.count;
    assert_ok(dew_loop_subdivide(&a, &(dew_LoopDef){.moves_to_limit = true}));
    assert_ok(dew_loop_subdivide(&b, &(dew_LoopDef){.levels = 3, .moves_to_limit = true}));
    assert_int_equal(b.triangles.count, 64 * triangles);
    const float *na = dew_mesh_find_attribute(&a, "nx"), *nb = dew_mesh_find_attribute(&b, "nx");
    for (int64_t v = 0; v < count; v++) {
        assert_within(dew_distance(dew_mesh_positions(&a)[v], dew_mesh_positions(&b)[v]), 0, 1e-13);
        assert_within((double)na[v], (double)nb[v], 1e-6);
    }
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(&b, NULL, &audit));
    assert_true(dew_mesh_audit_is_clean(&audit));
    dew_mesh_deinit(&a);
    dew_mesh_deinit(&b);
}

// Limits by hand: (1 - n x) v + x sum(neighbours), x = 1 / (n + 3 / (8 beta)). Octahedron: n = 4,
// x = 31/220, neighbours sum to 0. Cube with its diagonals between even corners: those have n = 6,
// x = 1/12 and neighbours that sum to 0; odd ones n = 3, x = 1/5 and neighbours that sum to v.
static void octahedron_and_cube(void **state)
{
    (void)state;
    static const uint32_t cube[12][3] = {{0, 6, 2}, {0, 4, 6}, {1, 3, 5}, {3, 7, 5},
                                         {0, 1, 5}, {0, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                         {0, 2, 3}, {0, 3, 1}, {4, 5, 6}, {5, 7, 6}};
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    for (int i = 0; i < 6; i++) {
        double s = i & 1 ? -1 : 1;
        assert_ok(dew_mesh_add_vertex(
            &mesh, dew_vec(i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0, i / 2 == 2 ? s : 0)));
    }
    for (uint32_t k = 0; k < 8; k++) {
        uint32_t x = k & 1, y = 2 + (k >> 1 & 1), z = 4 + (k >> 2);
        bool is_even = ((k & 1) ^ (k >> 1 & 1) ^ (k >> 2)) == 0;
        assert_ok(dew_mesh_add_triangle(&mesh, x, is_even ? y : z, is_even ? z : y));
    }
    assert_ok(dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 2, .moves_to_limit = true}));
    for (int i = 0; i < 6; i++)
        assert_within(dew_length(dew_mesh_positions(&mesh)[i]), 24.0 / 55, 1e-13);
    dew_mesh_clear(&mesh);
    for (int i = 0; i < 8; i++)
        assert_ok(
            dew_mesh_add_vertex(&mesh, dew_vec(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    for (int t = 0; t < 12; t++)
        assert_ok(dew_mesh_add_triangle(&mesh, cube[t][0], cube[t][1], cube[t][2]));
    assert_ok(dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 2, .moves_to_limit = true}));
    for (int i = 0; i < 8; i++) {
        bool is_even = ((i & 1) ^ (i >> 1 & 1) ^ (i >> 2)) == 0;
        double part = is_even ? 0.5 : 0.6, x = i & 1 ? part : -part, y = i & 2 ? part : -part;
        assert_within(
            dew_distance(dew_mesh_positions(&mesh)[i], dew_vec(x, y, i & 4 ? part : -part)), 0,
            1e-13);
    }
    dew_mesh_deinit(&mesh);
}

// All corners of an icosahedron are alike: the limit is (1 - 5 x) v + x sum(neighbours), and the
// neighbours of a corner sum to sqrt(5) times it.
static void icosahedron(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 1, &mesh));
    assert_ok(dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 1, .moves_to_limit = true}));
    double c = 3.0 / 8 + cos(2 * DEW_PI / 5) / 4, beta = (5.0 / 8 - c * c) / 5;
    double x = 1 / (5 + 3 / (8 * beta)), expected = 1 - 5 * x + sqrt(5.0) * x;
    const float *n[3] = {dew_mesh_find_attribute(&mesh, "nx"), dew_mesh_find_attribute(&mesh, "ny"),
                         dew_mesh_find_attribute(&mesh, "nz")};
    for (int v = 0; v < 12; v++) {
        dew_Vec3 p = dew_mesh_positions(&mesh)[v];
        assert_within(dew_length(p), expected, 1e-14);
        dew_Vec3 normal = dew_vec((double)n[0][v], (double)n[1][v], (double)n[2][v]);
        assert_within(dew_distance(normal, dew_normalize(p)), 0, 1e-6);
    }
    dew_mesh_deinit(&mesh);
}

// Plain subdivision shrinks a ball; one that keeps its vertices comes nearer to the true ball than
// the polyhedron itself.
static void a_ball_keeps_its_volume(void **state)
{
    (void)state;
    dew_Mesh plain, kept;
    dew_mesh_init(&plain, NULL);
    dew_mesh_init(&kept, NULL);
    assert_ok(dew_shape_icosphere(1, 4, &plain));
    assert_ok(dew_shape_icosphere(1, 4, &kept));
    int64_t count = kept.positions.count;
    double ball = 4 * DEW_PI / 3, polyhedron = dew_mesh_measure(&kept).volume_m3;
    dew_LoopDef def = {.levels = 2, .keeps_vertices = true, .moves_to_limit = true};
    assert_ok(dew_loop_subdivide(&kept, &def));
    assert_ok(dew_loop_subdivide(&plain, &(dew_LoopDef){.levels = 2, .moves_to_limit = true}));
    for (int64_t v = 0; v < count; v++)
        assert_within(dew_length(dew_mesh_positions(&kept)[v]), 1, 4e-6);
    assert_true(dew_mesh_measure(&plain).volume_m3 < polyhedron);
    // A sixteenth of the polyhedron's shortfall is left by the finer triangles, about as much again
    // by vertices of degree five.
    double shortfall = ball - dew_mesh_measure(&kept).volume_m3;
    assert_true(fabs(shortfall) < (ball - polyhedron) / 8);
    dew_mesh_deinit(&plain);
    dew_mesh_deinit(&kept);
}

// A drop on a plane: the base stays flat, the contact line sharp, round and in its place.
static void a_contact_line_stays(void **state)
{
    (void)state;
    dew_Mesh mesh;
    float *wet;
    dew_DropCap cap = dew_drop_cap_from_volume_angle(1, DEW_DEG(60));
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_cap(1, DEW_DEG(60), 0.15, &mesh));
    assert_ok(dew_mesh_attribute(&mesh, "wet", &wet));
    for (int64_t v = 0; v < mesh.positions.count; v++)
        wet[v] = dew_mesh_positions(&mesh)[v].y < 1e-9;
    dew_LoopDef def = {.levels = 2, .keeps_vertices = true, .moves_to_limit = true, .flag = "wet"};
    assert_ok(dew_loop_subdivide(&mesh, &def));
    const float *marks = dew_mesh_find_attribute(&mesh, "wet");
    int64_t line = 0;
    for (int64_t v = 0; v < mesh.positions.count; v++) {
        dew_Vec3 p = dew_mesh_positions(&mesh)[v];
        double r = sqrt(p.x * p.x + p.z * p.z);
        if (marks[v] > 0.5f) {
            assert_within(p.y, 0, 1e-12);
            assert_true(r < cap.base_radius_m * 1.0005);
            line += r > cap.base_radius_m * 0.9995;
        } else {
            assert_true(p.y > 1e-4);
        }
    }
    assert_true(line > 100);
    assert_within(dew_mesh_measure(&mesh).volume_m3, 1, 2e-3);
    dew_mesh_deinit(&mesh);
}

static void what_cannot_be_subdivided(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_patch(1, 1, 0.5, &mesh));
    int64_t count = mesh.triangles.count;
    dew_Status status = dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 1});
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "not closed and manifold"));
    assert_int_equal(mesh.triangles.count, count);
    assert_ok(dew_shape_icosphere(1, 1, &mesh));
    status = dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 7});
    assert_string_equal(status.message, "7 levels of subdivision (0 to 6)");
    assert_ok(dew_shape_icosphere(1, 50, &mesh));
    status = dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 6});
    assert_string_equal(status.message, "50000 triangles are too many for 6 levels of subdivision "
                                        "(at most 24414)");
    // Two balls that share a vertex.
    dew_Mesh other;
    dew_mesh_init(&other, NULL);
    assert_ok(dew_shape_icosphere(1, 1, &mesh));
    assert_ok(dew_shape_icosphere(1, 1, &other));
    assert_ok(dew_mesh_append(&mesh, &other));
    for (int64_t t = 0; t < mesh.triangles.count; t++)
        for (int i = 0; i < 3; i++) {
            uint32_t *v = &DEW_ITEMS(&mesh.triangles, dew_Triangle)[t].v[i];
            *v = *v == 12 ? 0 : *v;
        }
    status = dew_loop_subdivide(&mesh, &(dew_LoopDef){.levels = 1});
    assert_string_equal(status.message, "several fans of triangles meet in vertex 0");
    dew_mesh_deinit(&other);
    dew_mesh_deinit(&mesh);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    dew_Mesh source;
    float *wet;
    dew_mesh_init(&source, NULL);
    assert_ok(dew_shape_icosphere(1, 1, &source));
    assert_ok(dew_mesh_attribute(&source, "wet", &wet));
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(-1);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, &allocator);
        assert_ok(dew_mesh_copy(&mesh, &source));
        torture.calls = 0;
        torture.fail_at = n;
        dew_LoopDef def = {.levels = 2, .keeps_vertices = true, .moves_to_limit = true};
        dew_Status status = dew_loop_subdivide(&mesh, &def);
        bool has_failed = torture.calls > n;
        // An arena that cannot have a large block tries a smaller one: some failures do no harm.
        assert_true(status.code == DEW_NO_MEMORY || status.code == DEW_OK);
        assert_int_equal(mesh.triangles.count, status.code == DEW_OK ? 320 : 20);
        dew_mesh_deinit(&mesh);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
    dew_mesh_deinit(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_shrink_as_the_masks_say),
        cmocka_unit_test(levels_have_one_limit),
        cmocka_unit_test(octahedron_and_cube),
        cmocka_unit_test(icosahedron),
        cmocka_unit_test(a_ball_keeps_its_volume),
        cmocka_unit_test(a_contact_line_stays),
        cmocka_unit_test(what_cannot_be_subdivided),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
