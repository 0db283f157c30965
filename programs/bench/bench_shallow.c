// Throughput of the solver `shallow` with all that the model level-set does: a dam breaks over a
// lake of islands.
//
// Cells are all columns of the grid; two thirds of them are wet. Costs are CPU time of the process,
// so a busy machine does not count. World's copy, measure and checks of each step are in them.
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>

#define WARM  20
#define STEPS 100

static dew_Status run_world(dew_BenchRun *b, const char *name, double goal, dew_World *world)
{
    dew_Stats stats;
    for (int k = 0; k < WARM; k++)
        DEW_TRY(dew_world_substep(world, 1));
    double cpu_s = dew_app_cpu_s();
    for (int k = 0; k < STEPS; k++)
        DEW_TRY(dew_world_substep(world, 1));
    cpu_s = dew_app_cpu_s() - cpu_s;
    dew_world_stats(world, &stats);
    dew_bench_rate(b, name, 1e-6 * STEPS * (double)stats.elements / cpu_s,
                   "million cell-steps per CPU s", goal);
    return dew_ok();
}

static dew_SceneBuilder begin_lake(const char *model)
{
    // Tips of spheres whose centres lie below the ground.
    static const struct {
        dew_Vec3 center_m;
        double radius_m;
    } islands[] = {
        {{1.5, -0.2, 1}, 0.5}, {{3, -0.3, 1.5}, 0.6}, {{1, -0.3, 3}, 0.6}, {{2.8, -0.2, 3}, 0.5}};
    dew_SceneDef def = dew_build_def("shallow", 2, dew_v3(0, 0, 0), dew_v3(4, 1, 4), 7.8125e-3);
    dew_build_walls(&def, "bank");
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "bank", dew_build_angle(DEW_DEG(40)));
    dew_SolidDef island = dew_default_solid_def(DEW_SOLID_SPHERE);
    island.material = "bank";
    for (int k = 0; k < 4; k++) {
        island.center_m = islands[k].center_m;
        island.radius_m = islands[k].radius_m;
        dew_build_solid(&b, &island);
    }
    dew_build_box(&b, dew_v3(-1, -1, -1), dew_v3(3.4, 0.1, 5));
    dew_build_box(&b, dew_v3(-1, -1, -1), dew_v3(0.8, 0.3, 5));
    dew_build_choice(&b, "model", model);
    return b;
}

static dew_Status run_lake(dew_BenchRun *b, const char *name, dew_SceneBuilder *builder,
                           double goal)
{
    dew_BenchWorld lake;
    dew_Status status = dew_bench_world_open(&lake, builder, dew_tasks_worker_count(b->tasks));
    if (status.code == DEW_OK)
        status = run_world(b, name, goal, lake.world);
    dew_bench_world_close(&lake);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    const double none = (double)NAN;
    dew_SceneBuilder builder = begin_lake("level-set");
    DEW_TRY(run_lake(b, "level-set", &builder, 8));
    builder = begin_lake("level-set");
    dew_build_choice(&builder, "advection", "semi-lagrangian");
    DEW_TRY(run_lake(b, "level-set, paths", &builder, none));
    builder = begin_lake("finite-volume");
    return run_lake(b, "finite-volume, three stages", &builder, none);
}

const dew_Bench dew_bench_shallow = {"shallow", "solver shallow: a dam breaks over islands, 512^2",
                                     run};
