// Throughput of the solver `volume`: a sessile drop under gravity, by stage.
//
// Active cells are those of the bricks that there are: liquid, its band, and what fills up the
// bricks. The goal is of wall-clock time on two cores, so the CPU time of a step may be up to twice
// that.
#include "bench/benches.h"
#include "bench/liquid_stages.h"

static int64_t cells_in(const dew_Stats *stats)
{
    return stats->elements;
}

static dew_Status run(dew_BenchRun *b)
{
    static const dew_LiquidBench bench = {
        .things = "active cells", .unit = "us CPU per cell", .count = cells_in, .warm = 3};
    dew_SceneDef def = dew_build_def("volume", 3, dew_v3(-6e-3, -0.5e-3, -6e-3),
                                     dew_v3(6e-3, 5e-3, 6e-3), 0.125e-3);
    dew_SceneBuilder builder = dew_build_begin(&def);
    dew_build_plate(&builder, 0, dew_build_angle(DEW_DEG(70)));
    dew_build_cap(&builder, dew_v3(0, 0, 0), 30e-9, DEW_DEG(80));
    dew_LiquidSpent spent;
    DEW_TRY(dew_bench_liquid(b, &bench, &builder, &spent));
    dew_bench_cost(b, "step, CPU time", 1e6 * spent.cpu_s / spent.count, bench.unit, 2.0);
    dew_bench_cost(b, "step, wall clock", 1e6 * spent.wall_s / spent.count, "us per cell", 1.0);
    return dew_ok();
}

const dew_Bench dew_bench_volume = {"volume", "solver volume: a drop on a plate, by stage", run};
