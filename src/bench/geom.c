// Throughput of meshes: tree, signed distance, reading, isosurface. Goals are the design's.
#include "base/random.h"
#include "base/status.h"
#include "bench/benches.h"
#include "geom/bvh.h"
#include "geom/mesh_distance.h"
#include "geom/mesh_measure.h"
#include "io/mesh_file.h"
#include "surface/marching_cubes.h"
#include "surface/procedural.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { POINTS = 1000000, RAYS = 1000000, NODES = 256 };

typedef struct Work {
    dew_Tasks *tasks;
    dew_Mesh mesh;
    dew_Bvh *bvh;
    dew_MeshDistance *distance;
    dew_Array points;     // dew_Vec3
    dew_Array distances;  // double
    dew_Array field;      // float
    dew_Array positions, triangles;
    dew_Arena scratch;
    char path[64];
} Work;

static dew_Status build_tree(void *context)
{
    Work *work = context;
    dew_bvh_destroy(work->bvh);
    work->bvh = NULL;
    return dew_bvh_create(&work->mesh, work->tasks, NULL, &work->bvh);
}

/// Points within a tenth of the mesh's size of its surface, as a solver's band asks.
static dew_Status scatter_points(Work *work)
{
    const dew_Vec3 *x = dew_mesh_positions(&work->mesh);
    dew_Box box = dew_mesh_measure(&work->mesh).box_m;
    double reach = 0.02 * dew_distance(box.min, box.max);
    DEW_TRY(dew_array_resize(&work->points, POINTS));
    DEW_TRY(dew_array_resize(&work->distances, POINTS));
    for (int64_t i = 0; i < POINTS; i++) {
        dew_Random random = dew_random(1, (uint64_t)i, 0);
        int64_t v = (int64_t)(dew_random_unit(&random) * (double)work->mesh.positions.count);
        dew_Vec3 away = dew_scale(reach * dew_random_unit(&random), dew_random_direction(&random));
        DEW_ITEMS(&work->points, dew_Vec3)[i] = dew_add(x[v], away);
    }
    return dew_ok();
}

static dew_Status ask_distances(void *context)
{
    Work *work = context;
    dew_mesh_distance_many(work->distance, work->tasks, work->points.data, POINTS,
                           work->distances.data);
    return dew_ok();
}

static dew_Status trace_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    Work *work = context;
    (void)chunk_index;
    for (int64_t i = begin; i < end; i++) {
        dew_Random random = dew_random(2, (uint64_t)i, 0);
        dew_Ray ray = {DEW_ITEMS(&work->points, dew_Vec3)[i], dew_random_direction(&random), 0,
                       (double)INFINITY};
        dew_RayHit hit;
        DEW_ITEMS(&work->distances, double)[i] = dew_bvh_ray(work->bvh, &ray, &hit) ? hit.t : -1;
    }
    return dew_ok();
}

static dew_Status trace(void *context)
{
    return dew_parallel_for(((Work *)context)->tasks, RAYS, 4096, trace_chunk, context);
}

static dew_Status read_mesh(void *context)
{
    Work *work = context;
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Status status = dew_mesh_load(work->path, &def, &mesh);
    dew_mesh_deinit(&mesh);
    return status;
}

/// Three balls and a ripple: 256^3 samples with a surface through about 1 % of the cells.
static dew_Status sample_field(Work *work)
{
    DEW_TRY(dew_array_resize(&work->field, (int64_t)NODES * NODES * NODES));
    float *out = work->field.data;
    for (int k = 0; k < NODES; k++)
        for (int j = 0; j < NODES; j++)
            for (int i = 0; i < NODES; i++) {
                double x = i / 255.0 - 0.5, y = j / 255.0 - 0.5, z = k / 255.0 - 0.5;
                double r = sqrt(x * x + y * y + z * z);
                *out++ = (float)(r - 0.38 + 0.02 * sin(30 * x) * sin(30 * y) * sin(30 * z));
            }
    return dew_ok();
}

static dew_Status extract(void *context)
{
    Work *work = context;
    dew_NodeBlock block = {
        .f32 = work->field.data, .nx = NODES, .ny = NODES, .nz = NODES, .spacing_m = 1.0 / 255};
    dew_MarchingDef def = dew_default_marching_def();
    def.tasks = work->tasks;
    def.scratch = &work->scratch;
    return dew_marching_cubes_block(&block, &def,
                                    (dew_MarchingOut){&work->positions, &work->triangles, NULL});
}

static dew_Status measure_tree(dew_BenchRun *b, Work *work)
{
    double seconds;
    char name[64];
    DEW_TRY(dew_procedural_mesh("animal", 0, 0, &work->mesh));
    DEW_TRY(dew_bench_best(build_tree, work, 5, &seconds));
    snprintf(name, sizeof name, "tree over %lld triangles", (long long)work->mesh.triangles.count);
    dew_bench_time(b, name, seconds, 0.15);
    DEW_TRY(scatter_points(work));
    DEW_TRY(
        dew_mesh_distance_create(&work->mesh, DEW_SIGN_AUTO, work->tasks, NULL, &work->distance));
    DEW_TRY(dew_bench_best(ask_distances, work, 3, &seconds));
    dew_bench_time(b, "signed distance at 1 M points near it", seconds, 2);
    DEW_TRY(dew_bench_best(trace, work, 3, &seconds));
    dew_bench_rate(b, "rays in all directions", 1e-6 * RAYS / seconds, "M rays/s", (double)NAN);
    return dew_ok();
}

/// A file of about a million triangles: the isosurface itself, repeated.
static dew_Status measure_reading(dew_BenchRun *b, Work *work)
{
    dew_Mesh million;
    double seconds;
    char name[64];
    dew_MeshSaveDef def = dew_default_mesh_save_def();
    dew_mesh_init(&million, NULL);
    dew_Status status = dew_ok();
    while (status.code == DEW_OK && million.triangles.count < 1000000)
        status = dew_mesh_append(&million, &work->mesh);
    snprintf(work->path, sizeof work->path, "dew_bench_%ld.ply", (long)getpid());
    if (status.code == DEW_OK)
        status = dew_mesh_save(work->path, &def, &million);
    if (status.code == DEW_OK)
        status = dew_bench_best(read_mesh, work, 3, &seconds);
    if (status.code == DEW_OK) {
        snprintf(name, sizeof name, "reading %.2f M triangles from PLY",
                 1e-6 * (double)million.triangles.count);
        dew_bench_time(b, name, seconds, 1);
    }
    unlink(work->path);
    dew_mesh_deinit(&million);
    return status;
}

static dew_Status measure_isosurface(dew_BenchRun *b, Work *work)
{
    double seconds;
    char name[64];
    DEW_TRY(sample_field(work));
    DEW_TRY(dew_bench_best(extract, work, 5, &seconds));
    snprintf(name, sizeof name, "isosurface of 256^3, %lld triangles",
             (long long)work->triangles.count);
    dew_bench_time(b, name, seconds, 0.15);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {.tasks = b->tasks};
    dew_mesh_init(&work.mesh, NULL);
    dew_array_init(&work.points, NULL, sizeof(dew_Vec3));
    dew_array_init(&work.distances, NULL, sizeof(double));
    dew_array_init(&work.field, NULL, sizeof(float));
    dew_array_init(&work.positions, NULL, sizeof(dew_Vec3));
    dew_array_init(&work.triangles, NULL, sizeof(dew_Triangle));
    dew_arena_init(&work.scratch, NULL);
    dew_Status status = measure_tree(b, &work);
    if (status.code == DEW_OK)
        status = measure_reading(b, &work);
    if (status.code == DEW_OK)
        status = measure_isosurface(b, &work);
    dew_mesh_distance_destroy(work.distance);
    dew_bvh_destroy(work.bvh);
    dew_mesh_deinit(&work.mesh);
    dew_array_deinit(&work.points);
    dew_array_deinit(&work.distances);
    dew_array_deinit(&work.field);
    dew_array_deinit(&work.positions);
    dew_array_deinit(&work.triangles);
    dew_arena_deinit(&work.scratch);
    return status;
}

const dew_Bench dew_bench_geom = {"geom", "trees, distances, mesh files, isosurfaces", run};
