// Marching cubes on one, two and seven workers, with chunks in order and in reverse: bit-identical
// meshes.
#include "surface/marching_cubes.h"

#include "base/hash.h"
#include "base/testing.h"

static uint64_t mesh_hash(const dew_Mesh *mesh)
{
    uint64_t hash =
        dew_hash(mesh->positions.data, (size_t)mesh->positions.count * sizeof(dew_Vec3), 1);
    return dew_hash(mesh->triangles.data, (size_t)mesh->triangles.count * sizeof(dew_Triangle),
                    hash);
}

static void waves(int64_t n, double *values)
{
    for (int64_t i = 0; i < n * n * n; i++) {
        double x = 0.31 * (double)(i % n), y = 0.29 * (double)(i / n % n);
        double z = 0.37 * (double)(i / n / n);
        values[i] = sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x) - 0.1;
    }
}

static void bit_identical_on_any_workers(void **state)
{
    (void)state;
    enum { N = 70 };
    static double values[N * N * N];
    waves(N, values);
    uint64_t expected = 0;
    for (int run = 0; run < 5; run++) {
        static const int workers[5] = {1, 2, 7, 1, 7};
        dew_TasksDef tasks_def = dew_default_tasks_def();
        tasks_def.worker_count = workers[run];
        tasks_def.reverse_chunks = run >= 3;
        dew_MarchingDef def = dew_default_marching_def();
        assert_ok(dew_tasks_create(&tasks_def, &def.tasks));
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        dew_NodeBlock block = {.f64 = values, .nx = N, .ny = N, .nz = N, .spacing_m = 0.1};
        dew_MarchingOut out = {&mesh.positions, &mesh.triangles, NULL};
        assert_ok(dew_marching_cubes_block(&block, &def, out));
        if (run == 0)
            expected = mesh_hash(&mesh);
        assert_true(mesh.triangles.count > 50000);
        assert_true(mesh_hash(&mesh) == expected);
        dew_mesh_deinit(&mesh);
        dew_tasks_destroy(def.tasks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bit_identical_on_any_workers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
