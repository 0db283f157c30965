// Throughput of meshes: tree, signed distance, reading, isosurface. Goals are the design's.
#include "bench/benches.h"
#include "support/random.h"
#include "support/vec.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { POINTS = 1000000, RAYS = 1000000, NODES = 256, CELLS = 128 };

typedef struct Work {
    dew_Tasks *tasks;
    dew_Mesh *mesh, *read;
    dew_Bvh *bvh;
    dew_MeshDistance *distance;
    dew_List points;     // dew_Vec3
    dew_List rays;       // dew_Ray
    dew_List distances;  // double
    dew_List field;      // double
    char path[64];
} Work;

static dew_Status build_tree(void *context)
{
    Work *work = context;
    dew_bvh_destroy(work->bvh);
    work->bvh = NULL;
    return dew_bvh_create(work->mesh, work->tasks, NULL, &work->bvh);
}

/// Points within a fiftieth of the mesh's size of its surface, as a solver's band asks, and a ray
/// from each.
static dew_Status scatter_points(Work *work)
{
    const dew_Vec3 *x = dew_mesh_positions_m(work->mesh);
    int64_t count = dew_mesh_vertex_count(work->mesh);
    dew_Vec3 min = x[0], max = x[0];
    for (int64_t v = 1; v < count; v++) {
        min = dew_v3(fmin(min.x, x[v].x), fmin(min.y, x[v].y), fmin(min.z, x[v].z));
        max = dew_v3(fmax(max.x, x[v].x), fmax(max.y, x[v].y), fmax(max.z, x[v].z));
    }
    double reach = 0.02 * dew_v3_distance(min, max);
    DEW_TRY(dew_list_resize(&work->points, POINTS));
    DEW_TRY(dew_list_resize(&work->rays, RAYS));
    DEW_TRY(dew_list_resize(&work->distances, POINTS));
    dew_Vec3 *points = work->points.items;
    dew_Ray *rays = work->rays.items;
    dew_AppRandom random = {1};
    for (int64_t i = 0; i < POINTS; i++) {
        int64_t v = (int64_t)(dew_app_random_unit(&random) * (double)count);
        double away = reach * dew_app_random_unit(&random);
        points[i] = dew_v3_add_scaled(x[v], away, dew_app_random_direction(&random));
        rays[i] = (dew_Ray){.origin = points[i],
                            .direction = dew_app_random_direction(&random),
                            .max_t = (double)INFINITY};
    }
    return dew_ok();
}

static dew_Status ask_distances(void *context)
{
    Work *work = context;
    dew_mesh_distance_many(work->distance, work->tasks, work->points.items, POINTS,
                           work->distances.items);
    return dew_ok();
}

static dew_Status trace_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    Work *work = context;
    const dew_Ray *rays = work->rays.items;
    double *distances = work->distances.items;
    (void)chunk_index;
    for (int64_t i = begin; i < end; i++) {
        dew_RayHit hit;
        distances[i] = dew_bvh_ray(work->bvh, &rays[i], &hit) ? hit.t : -1;
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
    return dew_mesh_load(work->path, NULL, work->read);
}

/// A ball with ripples: 256^3 samples with a surface through about 1 % of the cells.
static dew_Status sample_field(Work *work)
{
    DEW_TRY(dew_list_resize(&work->field, (int64_t)NODES * NODES * NODES));
    double *out = work->field.items;
    for (int k = 0; k < NODES; k++)
        for (int j = 0; j < NODES; j++)
            for (int i = 0; i < NODES; i++) {
                double x = i / 255.0 - 0.5, y = j / 255.0 - 0.5, z = k / 255.0 - 0.5;
                double r = sqrt(x * x + y * y + z * z);
                *out++ = r - 0.38 + 0.02 * sin(30 * x) * sin(30 * y) * sin(30 * z);
            }
    return dew_ok();
}

static dew_Status extract(void *context)
{
    Work *work = context;
    dew_SampleBlock block = {
        .values = work->field.items, .counts = {NODES, NODES, NODES}, .spacing_m = 1.0 / 255};
    return dew_mesh_from_samples(&block, work->tasks, work->read);
}

/// A cube of 128^3 cells about the mesh, a tenth larger than it.
static dew_BoxDef cells_about(const Work *work)
{
    dew_BoxDef box = dew_default_level_set_def().box;
    const dew_Vec3 *x = dew_mesh_positions_m(work->mesh);
    dew_Vec3 min = x[0], max = x[0];
    for (int64_t i = 1; i < dew_mesh_vertex_count(work->mesh); i++) {
        min = dew_v3(fmin(min.x, x[i].x), fmin(min.y, x[i].y), fmin(min.z, x[i].z));
        max = dew_v3(fmax(max.x, x[i].x), fmax(max.y, x[i].y), fmax(max.z, x[i].z));
    }
    double side = 1.1 * fmax(max.x - min.x, fmax(max.y - min.y, max.z - min.z));
    box.cell_m = side / CELLS;
    box.min_m = dew_v3(0.5 * (min.x + max.x - side), 0.5 * (min.y + max.y - side),
                       0.5 * (min.z + max.z - side));
    for (int a = 0; a < 3; a++)
        box.cells[a] = CELLS;
    return box;
}

/// The band of five cells on either side of the mesh.
static dew_Status make_level_set(void *context)
{
    const Work *work = context;
    dew_LevelSetDef def = dew_default_level_set_def();
    dew_LevelSet *level_set;
    def.box = cells_about(work);
    def.box.thread_count = 1;
    def.is_hollow = true;
    DEW_TRY(dew_level_set_create(&def, NULL, &level_set));
    dew_Status status = dew_level_set_add_mesh(level_set, work->distance);
    dew_level_set_destroy(level_set);
    return status;
}

static dew_Status measure_tree(dew_BenchRun *b, Work *work)
{
    double seconds;
    char name[64];
    DEW_TRY(dew_procedural_mesh("animal", 0, 0, work->mesh));
    DEW_TRY(dew_bench_best(build_tree, work, 5, &seconds));
    snprintf(name, sizeof name, "tree over %lld triangles",
             (long long)dew_mesh_triangle_count(work->mesh));
    dew_bench_time(b, name, seconds, 0.15);
    DEW_TRY(scatter_points(work));
    DEW_TRY(
        dew_mesh_distance_create(work->mesh, DEW_SIGN_AUTO, work->tasks, NULL, &work->distance));
    DEW_TRY(dew_bench_best(ask_distances, work, 3, &seconds));
    dew_bench_time(b, "signed distance at 1 M points near it", seconds, 2);
    DEW_TRY(dew_bench_best(make_level_set, work, 3, &seconds));
    dew_bench_time(b, "level set of it, 128^3 cells, one thread", seconds, 0.5);
    DEW_TRY(dew_bench_best(trace, work, 3, &seconds));
    dew_bench_rate(b, "rays in all directions", 1e-6 * RAYS / seconds, "M rays/s", (double)NAN);
    return dew_ok();
}

/// A file of about a million triangles: the mesh itself, repeated.
static dew_Status measure_reading(dew_BenchRun *b, Work *work)
{
    double seconds = 0, million;
    char name[64];
    dew_Status status = dew_ok();
    while (status.code == DEW_OK && dew_mesh_triangle_count(work->read) < 1000000)
        status = dew_mesh_append(work->read, work->mesh);
    million = 1e-6 * (double)dew_mesh_triangle_count(work->read);
    snprintf(work->path, sizeof work->path, "dew_bench_%ld.ply", (long)getpid());
    if (status.code == DEW_OK)
        status = dew_mesh_save(work->path, NULL, work->read);
    if (status.code == DEW_OK)
        status = dew_bench_best(read_mesh, work, 3, &seconds);
    unlink(work->path);
    snprintf(name, sizeof name, "reading %.2f M triangles from PLY", million);
    dew_bench_time(b, name, seconds, 1);
    return status;
}

static dew_Status measure_isosurface(dew_BenchRun *b, Work *work)
{
    double seconds;
    char name[64];
    DEW_TRY(sample_field(work));
    DEW_TRY(dew_bench_best(extract, work, 5, &seconds));
    snprintf(name, sizeof name, "isosurface of 256^3, %lld triangles",
             (long long)dew_mesh_triangle_count(work->read));
    dew_bench_time(b, name, seconds, 0.15);
    return dew_ok();
}

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    DEW_TRY(dew_mesh_create(NULL, &work->mesh));
    DEW_TRY(dew_mesh_create(NULL, &work->read));
    DEW_TRY(measure_tree(b, work));
    DEW_TRY(measure_reading(b, work));
    return measure_isosurface(b, work);
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {.tasks = b->tasks};
    dew_list_init(&work.points, sizeof(dew_Vec3));
    dew_list_init(&work.rays, sizeof(dew_Ray));
    dew_list_init(&work.distances, sizeof(double));
    dew_list_init(&work.field, sizeof(double));
    dew_Status status = measure(b, &work);
    dew_mesh_distance_destroy(work.distance);
    dew_bvh_destroy(work.bvh);
    dew_mesh_destroy(work.mesh);
    dew_mesh_destroy(work.read);
    dew_list_deinit(&work.points);
    dew_list_deinit(&work.rays);
    dew_list_deinit(&work.distances);
    dew_list_deinit(&work.field);
    return status;
}

const dew_Bench dew_bench_geom = {"geom", "trees, distances, mesh files, isosurfaces", run};
