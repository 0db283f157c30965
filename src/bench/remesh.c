// Throughput of the operators on drops: a remeshing pass, and the union of two drops.
#include "geom/remesh.h"
#include "bench/benches.h"
#include "geom/mesh_union.h"
#include "geom/shapes.h"

#include <math.h>

enum { FREQUENCY = 32 };  // 20,480 triangles

typedef struct Work {
    dew_Mesh drop, other, merged;
    dew_Remesh *remesh;
    dew_MeshUnion *workspace;
    dew_RemeshDef def;
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

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    const double radius_m = 1e-3;
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
    DEW_TRY(dew_bench_best(unite, work, 10, &seconds));
    dew_bench_time(b, "union of two drops of 20,480 triangles", seconds, (double)NAN);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {0};
    dew_mesh_init(&work.drop, NULL);
    dew_mesh_init(&work.other, NULL);
    dew_mesh_init(&work.merged, NULL);
    dew_Status status = measure(b, &work);
    dew_remesh_destroy(work.remesh);
    dew_mesh_union_destroy(work.workspace);
    dew_mesh_deinit(&work.drop);
    dew_mesh_deinit(&work.other);
    dew_mesh_deinit(&work.merged);
    return status;
}

const dew_Bench dew_bench_remesh = {"remesh", "remeshing and merging of drops", run};
