/// Steps of a solver on bricks (`apic`, `volume`), by stage.
#pragma once

#include "bench/bench_world.h"

typedef struct dew_LiquidBench {
    const char *scene;                         // as text
    const char *things, *unit;                 // what is counted, and the unit of a stage's cost
    int64_t (*count)(const dew_Stats *stats);  // how many there are
    int warm;                                  // steps before those that are measured
} dew_LiquidBench;

/// What the measured steps took together.
typedef struct dew_LiquidSpent {
    double count;  // of things, added up over steps
    double cpu_s, wall_s;
} dew_LiquidSpent;

/// Reports the number of elements and the cost of each stage per element and step.
dew_Status dew_bench_liquid(dew_BenchRun *b, const dew_LiquidBench *bench, dew_LiquidSpent *spent);
