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

static dew_Status run_one(dew_BenchRun *b, const char *name, const char *parameters, double goal)
{
    char text[2048];
    snprintf(text, sizeof text,
             "solver: shallow\ndimensions: 2\nduration: 100 s\n"
             "domain: {min: [0, 0, 0], max: [4, 1, 4], cell: 7.8125 mm, walls: {others: bank}}\n"
             "materials: {bank: {angle: 40 deg}}\n"
             "solids: [{shape: sphere, center: [1.5, -0.2, 1], radius: 0.5, material: bank},\n"
             "         {shape: sphere, center: [3, -0.3, 1.5], radius: 0.6, material: bank},\n"
             "         {shape: sphere, center: [1, -0.3, 3], radius: 0.6, material: bank},\n"
             "         {shape: sphere, center: [2.8, -0.2, 3], radius: 0.5, material: bank}]\n"
             "drops: [{shape: box, min: [-1, -1, -1], max: [3.4, 0.1, 5]},\n"
             "        {shape: box, min: [-1, -1, -1], max: [0.8, 0.3, 5]}]\n"
             "shallow: {%s}\n",
             parameters);
    dew_BenchWorld lake;
    dew_Status status = dew_bench_world_open(&lake, text, NULL, dew_tasks_worker_count(b->tasks));
    if (status.code == DEW_OK)
        status = run_world(b, name, goal, lake.world);
    dew_bench_world_close(&lake);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    const double none = (double)NAN;
    DEW_TRY(run_one(b, "level-set", "model: level-set", 8));
    DEW_TRY(run_one(b, "level-set, paths", "model: level-set, advection: semi-lagrangian", none));
    return run_one(b, "finite-volume, three stages", "model: finite-volume", none);
}

const dew_Bench dew_bench_shallow = {"shallow", "solver shallow: a dam breaks over islands, 512^2",
                                     run};
