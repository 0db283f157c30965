// Stages of a liquid's step. Costs are CPU time of the process over things and steps, so a busy
// machine does not count.
#include "bench/liquid_stages.h"

#include "support/system.h"

#include <math.h>

#define STEPS 8

static dew_Status take_steps(const dew_LiquidBench *bench, dew_World *world, int steps,
                             double *count)
{
    for (int k = 0; k < steps; k++) {
        dew_Stats stats;
        DEW_TRY(dew_world_substep(world, 1));
        dew_world_stats(world, &stats);
        *count += (double)bench->count(&stats);
    }
    return dew_ok();
}

static void tell(dew_BenchRun *b, const dew_LiquidBench *bench, const dew_World *world,
                 const dew_LiquidSpent *spent)
{
    dew_StageTime stages[DEW_BENCH_STAGES];
    int count = dew_world_stages(world, stages, DEW_BENCH_STAGES);
    double sum_s = 0;
    dew_bench_rate(b, bench->things, spent->count / STEPS, "", (double)NAN);
    for (int s = 0; s < count; s++) {
        if (!stages[s].is_solver || !(stages[s].cpu_s > 0))
            continue;
        sum_s += stages[s].cpu_s;
        dew_bench_cost(b, stages[s].name, 1e6 * stages[s].cpu_s / spent->count, bench->unit,
                       (double)NAN);
    }
    dew_bench_cost(b, "copy, measure and checks", 1e6 * (spent->cpu_s - sum_s) / spent->count,
                   bench->unit, (double)NAN);
}

static dew_Status measure(dew_BenchRun *b, const dew_LiquidBench *bench, dew_World *world,
                          dew_LiquidSpent *spent)
{
    double ignored = 0;
    DEW_TRY(take_steps(bench, world, bench->warm, &ignored));
    dew_world_time_stages(world, true);
    double wall_s = dew_app_wall_s(), cpu_s = dew_app_cpu_s();
    spent->count = 0;
    DEW_TRY(take_steps(bench, world, STEPS, &spent->count));
    spent->wall_s = dew_app_wall_s() - wall_s;
    spent->cpu_s = dew_app_cpu_s() - cpu_s;
    tell(b, bench, world, spent);
    return dew_ok();
}

dew_Status dew_bench_liquid(dew_BenchRun *b, const dew_LiquidBench *bench,
                            dew_SceneBuilder *builder, dew_LiquidSpent *spent)
{
    dew_BenchWorld world;
    dew_Status status = dew_bench_world_open(&world, builder, dew_tasks_worker_count(b->tasks));
    if (status.code == DEW_OK)
        status = measure(b, bench, world.world, spent);
    dew_bench_world_close(&world);
    return status;
}
