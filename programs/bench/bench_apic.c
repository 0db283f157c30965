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
        .things = "particles", .unit = "us CPU per particle", .count = particles_in, .warm = 10};
    dew_SceneDef def = dew_build_def("apic", 3, dew_v3(0, 0, 0), dew_v3(0.64, 0.64, 0.64), 0.01);
    dew_build_walls(&def, "glass");
    dew_SceneBuilder builder = dew_build_begin(&def);
    dew_build_material(&builder, "glass", dew_build_angle(DEW_DEG(70)));
    dew_build_box(&builder, dew_v3(0, 0, 0), dew_v3(0.256, 0.382, 0.64));
    dew_LiquidSpent spent;
    DEW_TRY(dew_bench_liquid(b, &bench, &builder, &spent));
    dew_bench_rate(b, "step", spent.count / spent.cpu_s, "particles per CPU s", 2e6);
    return dew_ok();
}

const dew_Bench dew_bench_apic = {"apic", "solver apic: a dam breaks, by stage", run};
