// Fairing: waves against their closed form, pieces that must not shrink, noise, walls.
#include "geom/mesh_fair.h"

#include "dew/wetting.h"
#include "geom/mesh_measure.h"
#include "geom/sample_meshes.h"

#include <string.h>

static void fair_to(dew_Mesh *mesh, int passes, const float *wet, const dew_Vec3 *walls,
                    double volume_m3, dew_Tasks *tasks)
{
    dew_Arena scratch;
    dew_arena_init(&scratch, NULL);
    dew_FairDef def = {.passes = passes,
                       .wet = wet,
                       .wall_normals = walls,
                       .volume_m3 = volume_m3,
                       .most_m = 0.1,
                       .tasks = tasks,
                       .scratch = &scratch};
    assert_ok(dew_mesh_fair(&def, dew_mesh_triangles(mesh), mesh->triangles.count,
                            DEW_ITEMS(&mesh->positions, dew_Vec3), mesh->positions.count));
    dew_arena_deinit(&scratch);
}

static void fair(dew_Mesh *mesh, int passes, const float *wet, const dew_Vec3 *walls,
                 dew_Tasks *tasks)
{
    fair_to(mesh, passes, wet, walls, 0, tasks);
}

// ---- waves -------------------------------------------------------------------------------------

#define SIDE   60
#define PASSES 4
#define HEIGHT 1e-5

// A plane of vertices with six neighbours at distance 1, with the wave HEIGHT cos(k x).
static void make_wave(dew_Mesh *mesh, double k)
{
    dew_mesh_init(mesh, NULL);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double x = i + 0.5 * (j % 2), z = -j * sqrt(0.75);
            assert_ok(dew_mesh_add_vertex(mesh, dew_vec(x, HEIGHT * cos(k * x), z)));
        }
    for (uint32_t j = 0; j + 1 < SIDE; j++)
        for (uint32_t i = 0; i + 1 < SIDE; i++) {
            uint32_t a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            assert_ok(dew_mesh_add_triangle(mesh, a, b, j % 2 ? d : c));
            assert_ok(dew_mesh_add_triangle(mesh, j % 2 ? a : b, d, c));
        }
}

// What is left of a wave, where its borders do not reach.
static void waves_keep_what_theory_says(void **state)
{
    (void)state;
    for (int edges = 3; edges <= 24; edges *= 2) {
        dew_Mesh mesh;
        double k = 2 * DEW_PI / edges, low = 1 - (2 * cos(k) + 4 * cos(k / 2)) / 6;
        double g = pow(1 - low / 2, PASSES), kept = g * (2 - g);
        make_wave(&mesh, k);
        fair(&mesh, PASSES, NULL, NULL, NULL);
        for (int j = 2 * PASSES + 1; j < SIDE - 2 * PASSES - 1; j++)
            for (int i = 2 * PASSES + 1; i < SIDE - 2 * PASSES - 1; i++) {
                dew_Vec3 p = dew_mesh_positions(&mesh)[j * SIDE + i];
                // Normals tilt by k HEIGHT, which moves vertices sideways by its square.
                assert_within(p.y, kept * HEIGHT * cos(k * p.x), 1e-4 * HEIGHT);
            }
        dew_mesh_deinit(&mesh);
    }
}

// ---- pieces ------------------------------------------------------------------------------------

// By symmetry an octahedron sinks evenly, to next to nothing; and is restored.
static void small_pieces_stay(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    for (int i = 0; i < 6; i++) {
        double s = i % 2 ? -1 : 1;
        assert_ok(dew_mesh_add_vertex(
            &mesh, dew_vec(i / 2 == 0 ? s : 0, i / 2 == 1 ? s : 0, i / 2 == 2 ? s : 0)));
    }
    for (uint32_t n = 0; n < 8; n++) {
        uint32_t x = n & 1, y = 2 + (n >> 1 & 1), z = 4 + (n >> 2);
        bool is_even = ((n & 1) + (n >> 1 & 1) + (n >> 2)) % 2 == 0;
        assert_ok(dew_mesh_add_triangle(&mesh, x, is_even ? y : z, is_even ? z : y));
    }
    fair(&mesh, 8, NULL, NULL, NULL);
    for (int i = 0; i < 6; i++)
        assert_within(dew_length(dew_mesh_positions(&mesh)[i]), 1, 1e-12);
    dew_mesh_deinit(&mesh);
}

// Radii of a ball: mean, and deviation from it.
static double roughness(const dew_Mesh *mesh, double *mean)
{
    double sum = 0, square = 0, n = (double)mesh->positions.count;
    for (int64_t v = 0; v < mesh->positions.count; v++) {
        double r = dew_length(dew_mesh_positions(mesh)[v]);
        sum += r;
        square += r * r;
    }
    *mean = sum / n;
    return sqrt(fmax(0, square / n - *mean * *mean));
}

// White noise on a ball. A pass is a step of a random walk with variance 1/4 square edges along
// each axis; so passes make a Gaussian G of variance s^2 = passes / 4, and all together 2 G - G *
// G. On n = 1.155 vertices per square edge the square of that has the sum (4 / 2 - 4 / 3 + 1 / 4) /
// (2 pi n s^2) = 0.0631 with 8 passes: a quarter of the noise is left. Only some hundred bumps of
// it are on the ball, which makes that uncertain by a tenth or less.
static void noise_goes_and_volume_stays(void **state)
{
    (void)state;
    dew_Mesh mesh;
    double mean, edge = 1.05 / 16;
    dew_Random random = dew_random(3, 0, 0);
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 16, &mesh));
    double even = roughness(&mesh, &mean);
    assert_true(even < 1e-9);
    dew_Vec3 *x = DEW_ITEMS(&mesh.positions, dew_Vec3);
    for (int64_t v = 0; v < mesh.positions.count; v++)
        x[v] = dew_scale(1 + 0.2 * edge * dew_random_normal(&random), x[v]);
    double before = dew_mesh_measure(&mesh).volume_m3, rough = roughness(&mesh, &mean);
    fair(&mesh, 8, NULL, NULL, NULL);
    double smooth = roughness(&mesh, &mean), after = dew_mesh_measure(&mesh).volume_m3;
    assert_true(smooth < 0.3 * rough && smooth > 0.2 * rough);
    // Bumps hold 3 (height / radius)^2 of the volume, twice what is left to be lost.
    assert_within(after, before, 3 * rough * rough * before);
    dew_mesh_deinit(&mesh);
}

// One step of Newton's: a ball grows by dr, and misses its volume by less than (dr / r)^2 of it,
// times 3.
static void volume_is_what_is_asked_for(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 8, &mesh));
    double wanted = 1.06 * dew_mesh_measure(&mesh).volume_m3;
    fair_to(&mesh, 4, NULL, NULL, wanted, NULL);
    assert_within(dew_mesh_measure(&mesh).volume_m3, wanted, 3 * 0.02 * 0.02 * wanted);
    dew_mesh_deinit(&mesh);
}

static void workers_make_no_difference(void **state)
{
    (void)state;
    dew_Mesh one, many;
    dew_Tasks *tasks;
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = 3;
    def.reverse_chunks = true;
    assert_ok(dew_tasks_create(&def, &tasks));
    dew_mesh_init(&one, NULL);
    dew_mesh_init(&many, NULL);
    sample_blob(&one, 24);
    sample_blob(&many, 24);
    fair_to(&one, 3, NULL, NULL, 6, NULL);
    fair_to(&many, 3, NULL, NULL, 6, tasks);
    for (int64_t v = 0; v < one.positions.count; v++) {
        dew_Vec3 a = dew_mesh_positions(&one)[v], b = dew_mesh_positions(&many)[v];
        assert_true(a.x == b.x && a.y == b.y && a.z == b.z);
    }
    dew_mesh_deinit(&one);
    dew_mesh_deinit(&many);
    dew_tasks_destroy(tasks);
}

// A ball cut flat and wet there: what is wet stays in its plane, what is far from its border stays.
static void walls_hold(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 20, &mesh));
    int64_t count = mesh.positions.count, moved = 0;
    float *wet = test_calloc((size_t)count, sizeof *wet);
    dew_Vec3 *walls = test_calloc((size_t)count, sizeof *walls);
    dew_Vec3 *old = test_calloc((size_t)count, sizeof *old),
             *x = DEW_ITEMS(&mesh.positions, dew_Vec3);
    dew_Random random = dew_random(5, 0, 0);
    for (int64_t v = 0; v < count; v++) {
        wet[v] = x[v].y < -0.2;
        walls[v] = dew_vec(0, wet[v] > 0, 0);
        x[v] = wet[v] > 0 ? dew_vec(x[v].x, -0.2, x[v].z)
                          : dew_scale(1 + 0.005 * dew_random_normal(&random), x[v]);
        old[v] = x[v];
    }
    fair(&mesh, 8, wet, walls, NULL);
    for (int64_t v = 0; v < count; v++) {
        bool is_far = hypot(old[v].x, old[v].z) < 0.6;
        if (!(wet[v] > 0))
            continue;
        assert_within(x[v].y, -0.2, 1e-15);
        assert_true(dew_distance(x[v], old[v]) == 0 || !is_far);
        moved += dew_distance(x[v], old[v]) > 0;
    }
    assert_true(moved > 0);
    test_free(wet);
    test_free(walls);
    test_free(old);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_keep_what_theory_says),
        cmocka_unit_test(small_pieces_stay),
        cmocka_unit_test(noise_goes_and_volume_stays),
        cmocka_unit_test(volume_is_what_is_asked_for),
        cmocka_unit_test(workers_make_no_difference),
        cmocka_unit_test(walls_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
