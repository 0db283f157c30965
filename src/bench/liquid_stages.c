// Stages of a liquid's step. Costs are CPU time of the process over things and steps, so a busy machine does not count.
#include "bench/liquid_stages.h"

#include "base/clock.h"
#include "base/status.h"

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

static void tell(dew_BenchRun *b, const dew_LiquidBench *bench, const dew_LiquidClock *clock,
                 const dew_LiquidSpent *spent)
{
    const char *const names[DEW_LIQUID_STAGE_COUNT] = {
        [DEW_LIQUID_FOLLOW] = "bricks and solids",        [DEW_LIQUID_TENSION] = "tension",
        [DEW_LIQUID_VISCOSITY] = "gravity and viscosity", [DEW_LIQUID_PRESSURE] = "pressure",
        [DEW_LIQUID_EXTEND] = "extension of velocity",    [DEW_LIQUID_ADVECT] = bench->advect,
        [DEW_LIQUID_MOVE] = "advection of phi",           [DEW_LIQUID_MARKERS] = bench->markers,
        [DEW_LIQUID_DISTANCE] = "redistancing",           [DEW_LIQUID_CONTACT] = "contact angles",
        [DEW_LIQUID_DROPS] = "drops and volumes",
    };
    double sum_s = 0;
    dew_bench_rate(b, bench->things, spent->count / STEPS, "", (double)NAN);
    for (int s = 0; s < DEW_LIQUID_STAGE_COUNT; s++) {
        sum_s += clock->seconds[s];
        if (clock->seconds[s] > 0)
            dew_bench_cost(b, names[s], 1e6 * clock->seconds[s] / spent->count, bench->unit,
                           (double)NAN);
    }
    dew_bench_cost(b, "copy, measure and checks", 1e6 * (spent->cpu_s - sum_s) / spent->count,
                   bench->unit, (double)NAN);
}

dew_Status dew_bench_liquid(dew_BenchRun *b, const dew_LiquidBench *bench, dew_World *world,
                            dew_Liquid *liquid, dew_LiquidSpent *spent)
{
    dew_LiquidClock clock = {0};
    double ignored = 0;
    DEW_TRY(take_steps(bench, world, bench->warm, &ignored));
    liquid->tools->clock = &clock;
    double wall_s = dew_wall_s(), cpu_s = dew_cpu_s();
    spent->count = 0;
    dew_Status status = take_steps(bench, world, STEPS, &spent->count);
    spent->wall_s = dew_wall_s() - wall_s;
    spent->cpu_s = dew_cpu_s() - cpu_s;
    liquid->tools->clock = NULL;
    DEW_TRY(status);
    tell(b, bench, &clock, spent);
    return dew_ok();
}
