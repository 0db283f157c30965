// Throughput of the solver `apic`: a dam of half a million particles on 64^3 cells breaks, by stage.
//
// The goal is that of the whole step, the distance field included: 2 million particles per CPU second.
#include "base/status.h"
#include "bench/benches.h"
#include "bench/liquid_stages.h"
#include "solvers/apic/state.h"
#include "world/world_state.h"

static int64_t particles_in(const dew_Stats *stats)
{
    return stats->particles;
}

static dew_Status measure(dew_BenchRun *b, dew_World *world)
{
    static const dew_LiquidBench bench = {.advect = "transfers and moving",
                                          .markers = "phi from particles, spreading",
                                          .things = "particles",
                                          .unit = "us CPU per particle",
                                          .count = particles_in,
                                          .warm = 10};
    dew_LiquidSpent spent;
    DEW_TRY(dew_bench_liquid(b, &bench, world, &world->state->liquid, &spent));
    dew_bench_rate(b, "step", spent.count / spent.cpu_s, "particles per CPU s", 2e6);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    static const char text[] =
        "solver: apic\nduration: 10 s\n"
        "domain: {min: [0, 0, 0], max: [64 cm, 64 cm, 64 cm], cell: 1 cm, walls: {others: glass}}\n"
        "materials: {glass: {angle: 70 deg}}\n"
        "drops: [{shape: box, min: [0, 0, 0], max: [25.6 cm, 38.2 cm, 64 cm]}]\n";
    dew_BenchWorld dam;
    dew_Status status = dew_bench_world_open(&dam, text, dew_tasks_worker_count(b->tasks));
    if (status.code == DEW_OK)
        status = measure(b, dam.world);
    dew_bench_world_close(&dam);
    return status;
}

const dew_Bench dew_bench_apic = {"apic", "solver apic: a dam breaks, by stage", run};
