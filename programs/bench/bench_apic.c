// Throughput of the solver `apic`: a dam of half a million particles on 64^3 cells breaks, by
// stage.
//
// The goal is that of the whole step, the distance field included: 2 million particles per CPU
// second.
#include "bench/benches.h"
#include "bench/liquid_stages.h"

static int64_t particles_in(const dew_Stats *stats)
{
    return stats->particles;
}

static dew_Status run(dew_BenchRun *b)
{
    static const dew_LiquidBench bench = {
        .scene = "solver: apic\nduration: 10 s\n"
                 "domain: {min: [0, 0, 0], max: [64 cm, 64 cm, 64 cm], cell: 1 cm, walls: {others: "
                 "glass}}\n"
                 "materials: {glass: {angle: 70 deg}}\n"
                 "drops: [{shape: box, min: [0, 0, 0], max: [25.6 cm, 38.2 cm, 64 cm]}]\n",
        .things = "particles",
        .unit = "us CPU per particle",
        .count = particles_in,
        .warm = 10};
    dew_LiquidSpent spent;
    DEW_TRY(dew_bench_liquid(b, &bench, &spent));
    dew_bench_rate(b, "step", spent.count / spent.cpu_s, "particles per CPU s", 2e6);
    return dew_ok();
}

const dew_Bench dew_bench_apic = {"apic", "solver apic: a dam breaks, by stage", run};
