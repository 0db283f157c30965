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
        .scene = "solver: volume\nduration: 10 s\n"
                 "domain: {min: [-6 mm, -0.5 mm, -6 mm], max: [6 mm, 5 mm, 6 mm], cell: 0.125 mm}\n"
                 "materials: {glass: {angle: 70 deg}}\n"
                 "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: glass}]\n"
                 "drops: [{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 30 mm^3, "
                 "angle: 80 deg}]\n",
        .things = "active cells",
        .unit = "us CPU per cell",
        .count = cells_in,
        .warm = 3};
    dew_LiquidSpent spent;
    DEW_TRY(dew_bench_liquid(b, &bench, &spent));
    dew_bench_cost(b, "step, CPU time", 1e6 * spent.cpu_s / spent.count, bench.unit, 2.0);
    dew_bench_cost(b, "step, wall clock", 1e6 * spent.wall_s / spent.count, "us per cell", 1.0);
    return dew_ok();
}

const dew_Bench dew_bench_volume = {"volume", "solver volume: a drop on a plate, by stage", run};
