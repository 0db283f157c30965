/// The list of benchmarks: one line each.
#include "bench/benches.h"

const dew_Bench *const dew_bench_table[] = {
    &dew_bench_apic,          &dew_bench_base,    &dew_bench_geom,    &dew_bench_gl,
    &dew_bench_grid,          &dew_bench_poisson, &dew_bench_remesh,  &dew_bench_render,
    &dew_bench_surface,       &dew_bench_volume,  &dew_bench_shallow, &dew_bench_splash,
    &dew_bench_shallow_drops, &dew_bench_output,  &dew_bench_view,
};
const int dew_bench_count = sizeof dew_bench_table / sizeof dew_bench_table[0];
