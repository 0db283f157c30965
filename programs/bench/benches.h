/// The benchmarks, one per file, for bench_table.c alone.
#pragma once

#include "bench/bench.h"

extern const dew_Bench dew_bench_apic;
extern const dew_Bench dew_bench_base;
extern const dew_Bench dew_bench_geom;
extern const dew_Bench dew_bench_gl;
extern const dew_Bench dew_bench_grid;
extern const dew_Bench dew_bench_output;
extern const dew_Bench dew_bench_poisson;
extern const dew_Bench dew_bench_remesh;
extern const dew_Bench dew_bench_render;
extern const dew_Bench dew_bench_shallow;
extern const dew_Bench dew_bench_shallow_drops;
extern const dew_Bench dew_bench_splash;
extern const dew_Bench dew_bench_surface;
extern const dew_Bench dew_bench_view;
extern const dew_Bench dew_bench_volume;
