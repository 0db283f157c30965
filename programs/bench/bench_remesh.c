// Throughput of the operators on drops: remeshing passes at rest and in motion, the union of two
// large drops, the merging of two small ones on a plane.
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/vec.h"

#include <math.h>
#include <string.h>

enum { FREQUENCY = 32, MERGES = 20 };  // 20,480 triangles
#define RADIUS_M 1e-3

typedef struct Work {
    dew_Mesh *drop, *other, *merged;
    dew_Remesher *remesher;
    dew_RemesherDef def;
    int step;
} Work;

static dew_Status pass(void *context)
{
    Work *work = context;
    return dew_remesher_run(work->remesher, &work->def, work->drop);
}

static dew_Status unite(void *context)
{
    Work *work = context;
    dew_MeshRelation relation;
    return dew_remesher_combine(work->remesher, DEW_MESH_UNION, work->drop, work->other,
                                work->merged, &relation);
}

// Stirs and stretches the drop a little, then a pass; the stirring costs a tenth of it.
static dew_Status pass_in_motion(void *context)
{
    Work *work = context;
    dew_Vec3 *x = dew_mesh_edit_positions_m(work->drop);
    double phase = 0.3 * work->step++, stretch = 0.005 * sin(phase);
    for (int64_t v = 0; v < dew_mesh_vertex_count(work->drop); v++) {
        double turn = 0.01 * sin(3 * x[v].y / RADIUS_M + phase);
        dew_Vec3 p = {x[v].x - turn * x[v].z, x[v].y, x[v].z + turn * x[v].x};
        x[v] = dew_v3((1 - stretch) * p.x, (1 + 2 * stretch) * p.y, (1 - stretch) * p.z);
    }
    return pass(context);
}

static dew_Status make_drops(Work *work)
{
    dew_Quaternion turn = dew_quaternion_about(dew_v3_unit(dew_v3(1, 2, 3)), 0.4);
    DEW_TRY(dew_mesh_create(NULL, &work->drop));
    DEW_TRY(dew_mesh_create(NULL, &work->other));
    DEW_TRY(dew_mesh_create(NULL, &work->merged));
    DEW_TRY(dew_remesher_create(NULL, &work->remesher));
    DEW_TRY(dew_mesh_icosphere(RADIUS_M, FREQUENCY, work->drop));
    DEW_TRY(dew_mesh_copy(work->other, work->drop));
    dew_Vec3 *x = dew_mesh_edit_positions_m(work->other);
    for (int64_t v = 0; v < dew_mesh_vertex_count(work->other); v++)
        x[v] = dew_v3_add(dew_v3_rotate(turn, x[v]), dew_v3(1.5 * RADIUS_M, 0.1 * RADIUS_M, 0));
    work->def = dew_default_remesher_def(1.1 * RADIUS_M / FREQUENCY);
    return dew_ok();
}

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    double seconds;
    DEW_TRY(make_drops(work));
    DEW_TRY(dew_bench_best(pass, work, 20, &seconds));
    dew_bench_time(b, "remeshing pass over 20,480 triangles at rest", seconds, 3e-3);
    work->def.is_one_piece = true;
    DEW_TRY(dew_bench_best(pass, work, 20, &seconds));
    dew_bench_time(b, "the same, known to be one piece", seconds, 1e-3);
    DEW_TRY(dew_bench_best(unite, work, 10, &seconds));
    dew_bench_time(b, "union of two drops of 20,480 triangles", seconds, 29e-3);
    DEW_TRY(dew_bench_best(pass_in_motion, work, 20, &seconds));
    dew_bench_time(b, "remeshing pass over 20,480 triangles in motion", seconds, 5e-3);
    return dew_ok();
}

// ---- two drops on a plane ----------------------------------------------------------------------

/// The second drop appears beside the first: the next step merges them.
static dew_Status merge_once(dew_World *world, const uint8_t *bytes, size_t size, double *seconds)
{
    dew_StageTime stages[DEW_BENCH_STAGES];
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_CAP);
    drop.point_m = dew_v3(1.6 * RADIUS_M, 0, 0.1 * RADIUS_M);
    drop.normal = dew_v3(0, 1, 0);
    drop.volume_m3 = 2 * DEW_PI / 3 * pow(RADIUS_M, 3);
    drop.angle_rad = DEW_DEG(90);
    DEW_TRY(dew_world_restore(world, bytes, size));
    DEW_TRY(dew_world_add_drop(world, &drop));
    dew_world_time_stages(world, true);
    DEW_TRY(dew_world_substep(world, 1e-6));
    int count = dew_world_stages(world, stages, DEW_BENCH_STAGES);
    for (int s = 0; s < count; s++)
        if (strcmp(stages[s].name, "merge check") == 0)
            *seconds = fmin(*seconds, stages[s].cpu_s);
    dew_Stats stats;
    dew_world_stats(world, &stats);
    return stats.drops == 1 ? dew_ok() : dew_fail(DEW_DIVERGED, "the drops did not merge");
}

static dew_Status merge(dew_BenchRun *b, dew_World *world)
{
    uint8_t *bytes;
    size_t size;
    double seconds = (double)INFINITY;
    DEW_TRY(dew_world_save(world, &bytes, &size));
    dew_Status status = dew_ok();
    for (int k = 0; k < MERGES && status.code == DEW_OK; k++)
        status = merge_once(world, bytes, size, &seconds);
    dew_world_saved_free(world, bytes, size);
    dew_bench_time(b, "merging of two drops side by side on a plane, ten edges wide", seconds,
                   1e-3);
    return status;
}

static dew_Status merge_on_plane(dew_BenchRun *b)
{
    dew_SceneDef def =
        dew_build_def("surface", 3, dew_v3(-5e-3, -1e-3, -5e-3), dew_v3(5e-3, 5e-3, 5e-3), 0.2e-3);
    dew_SceneBuilder builder = dew_build_begin(&def);
    dew_build_plate(&builder, 0, dew_build_angle(DEW_DEG(90)));
    dew_build_cap(&builder, dew_v3(0, 0, 0), 2 * DEW_PI / 3 * RADIUS_M * RADIUS_M * RADIUS_M,
                  DEW_DEG(90));
    dew_BenchWorld plane;
    dew_Status status = dew_bench_world_open(&plane, &builder, 1);
    if (status.code == DEW_OK)
        status = merge(b, plane.world);
    dew_bench_world_close(&plane);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {0};
    dew_Status status = measure(b, &work);
    dew_remesher_destroy(work.remesher);
    dew_mesh_destroy(work.drop);
    dew_mesh_destroy(work.other);
    dew_mesh_destroy(work.merged);
    return status.code == DEW_OK ? merge_on_plane(b) : status;
}

const dew_Bench dew_bench_remesh = {"remesh", "remeshing and merging of drops", run};
