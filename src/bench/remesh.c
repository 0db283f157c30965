// Throughput of the operators on drops: remeshing passes at rest and in motion, the union of two large drops,
// the merging of two small ones on a plane.
#include "geom/remesh.h"
#include "bench/benches.h"
#include "geom/mesh_union.h"
#include "geom/shapes.h"
#include "solvers/surface/merge.h"

#include <math.h>

enum { FREQUENCY = 32 };  // 20,480 triangles

typedef struct Work {
    dew_Mesh drop, other, merged;
    dew_Array labels[3];
    dew_Remesh *remesh;
    dew_MeshUnion *workspace;
    dew_DropMerge *merge;
    dew_RemeshDef def;
    double radius_m;
    int step;
} Work;

static dew_RemeshDrop arrays_of(dew_Mesh *mesh)
{
    return (dew_RemeshDrop){.positions = &mesh->positions, .triangles = &mesh->triangles};
}

static dew_Status pass(void *context)
{
    Work *work = context;
    dew_RemeshDrop drop = arrays_of(&work->drop);
    return dew_remesh_run(work->remesh, &work->def, &drop, NULL);
}

static dew_Status unite(void *context)
{
    Work *work = context;
    dew_RemeshDrop first = arrays_of(&work->drop), second = arrays_of(&work->other);
    dew_RemeshDrop out = arrays_of(&work->merged);
    dew_MeshUnionResult result;
    return dew_mesh_union_run(work->workspace, DEW_MESH_UNION, &first, &second, &out, &result);
}

// Stirs and stretches the drop a little, then a pass; the stirring costs a tenth of it.
static dew_Status pass_in_motion(void *context)
{
    Work *work = context;
    dew_Vec3 *x = DEW_ITEMS(&work->drop.positions, dew_Vec3);
    double phase = 0.3 * work->step++, stretch = 0.005 * sin(phase);
    for (int64_t v = 0; v < work->drop.positions.count; v++) {
        double turn = 0.01 * sin(3 * x[v].y / work->radius_m + phase);
        dew_Vec3 p = {x[v].x - turn * x[v].z, x[v].y, x[v].z + turn * x[v].x};
        x[v] = dew_vec((1 - stretch) * p.x, (1 + 2 * stretch) * p.y, (1 - stretch) * p.z);
    }
    return pass(context);
}

static bool on_plane(void *context, dew_Vec3 p, double reach_m, dew_Closest *out)
{
    (void)context;
    *out = dew_plane_distance(p);
    return out->distance <= reach_m;
}

static dew_Status merge_on_plane(void *context)
{
    Work *work = context;
    dew_RemeshDrop drops[3] = {arrays_of(&work->drop), arrays_of(&work->other),
                               arrays_of(&work->merged)};
    for (int i = 0; i < 3; i++)
        drops[i].labels = &work->labels[i];
    dew_DropMergeDef def = dew_default_drop_merge_def(0.2 * work->radius_m);
    def.solids.nearest = on_plane;
    dew_DropMergeResult result;
    return dew_drop_merge(work->merge, &def, &drops[0], &drops[1], &drops[2], &result);
}

// Half balls side by side, what lies on the plane labelled.
static dew_Status make_small_drops(Work *work)
{
    dew_Mesh *mesh[2] = {&work->drop, &work->other};
    for (int i = 0; i < 2; i++) {
        double r = work->radius_m;
        DEW_TRY(dew_shape_cap(2 * DEW_PI / 3 * r * r * r, DEW_PI / 2, 0.2 * r, mesh[i]));
        dew_mesh_transform(mesh[i], 1, dew_rotation_about(dew_vec(0, 1, 0), 0.4 * i),
                           dew_vec(1.6 * r * i, 0, 0.1 * r * i));
        DEW_TRY(dew_array_resize(&work->labels[i], mesh[i]->positions.count));
        for (int64_t v = 0; v < mesh[i]->positions.count; v++) {
            bool touches = fabs(dew_mesh_positions(mesh[i])[v].y) < 1e-9 * r;
            DEW_ITEMS(&work->labels[i], uint8_t)[v] = touches ? DEW_LABEL_TOUCHING : 0;
        }
    }
    return dew_drop_merge_create(NULL, &work->merge);
}

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    const double radius_m = work->radius_m = 1e-3;
    double seconds;
    DEW_TRY(dew_shape_icosphere(radius_m, FREQUENCY, &work->drop));
    DEW_TRY(dew_mesh_copy(&work->other, &work->drop));
    dew_mesh_transform(&work->other, 1, dew_rotation_about(dew_vec(1, 2, 3), 0.4),
                       dew_vec(1.5 * radius_m, 0.1 * radius_m, 0));
    DEW_TRY(dew_remesh_create(NULL, &work->remesh));
    DEW_TRY(dew_mesh_union_create(NULL, &work->workspace));
    work->def = dew_default_remesh_def(1.1 * radius_m / FREQUENCY);
    DEW_TRY(dew_bench_best(pass, work, 20, &seconds));
    dew_bench_time(b, "remeshing pass over 20,480 triangles at rest", seconds, 3e-3);
    work->def.is_one_piece = true;
    DEW_TRY(dew_bench_best(pass, work, 20, &seconds));
    dew_bench_time(b, "the same, known to be one piece", seconds, 1e-3);
    DEW_TRY(dew_bench_best(unite, work, 10, &seconds));
    dew_bench_time(b, "union of two drops of 20,480 triangles", seconds, 29e-3);
    DEW_TRY(dew_bench_best(pass_in_motion, work, 20, &seconds));
    dew_bench_time(b, "remeshing pass over 20,480 triangles in motion", seconds, 5e-3);
    DEW_TRY(make_small_drops(work));
    DEW_TRY(dew_bench_best(merge_on_plane, work, 20, &seconds));
    dew_bench_time(b, "merging of two drops side by side on a plane, ten edges wide", seconds,
                   1e-3);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {0};
    dew_mesh_init(&work.drop, NULL);
    dew_mesh_init(&work.other, NULL);
    dew_mesh_init(&work.merged, NULL);
    for (int i = 0; i < 3; i++)
        dew_array_init(&work.labels[i], NULL, sizeof(uint8_t));
    dew_Status status = measure(b, &work);
    dew_remesh_destroy(work.remesh);
    dew_mesh_union_destroy(work.workspace);
    dew_drop_merge_destroy(work.merge);
    for (int i = 0; i < 3; i++)
        dew_array_deinit(&work.labels[i]);
    dew_mesh_deinit(&work.drop);
    dew_mesh_deinit(&work.other);
    dew_mesh_deinit(&work.merged);
    return status;
}

const dew_Bench dew_bench_remesh = {"remesh", "remeshing and merging of drops", run};
