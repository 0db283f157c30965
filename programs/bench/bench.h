/// Benchmarks: throughput of the parts, measured the same way each time.
///
/// A benchmark is a file of this folder and a line in bench_table.c. A figure is the best of
/// several repetitions: noise only ever adds time.
#pragma once

#include "dew/dew.h"
#include "support/list.h"

typedef struct dew_Figure {
    char name[64];
    double value;
    char unit[32];
    double goal;          // the design's figure to reach; NaN: none
    bool is_less_better;  // a time, not a rate
} dew_Figure;

typedef struct dew_BenchRun {
    dew_Tasks *tasks;
    dew_List figures;  // dew_Figure
    dew_Status status;
} dew_BenchRun;

typedef struct dew_Bench {
    const char *name;
    const char *title;
    dew_Status (*run)(dew_BenchRun *b);
} dew_Bench;

extern const dew_Bench *const dew_bench_table[];
extern const int dew_bench_count;

void dew_bench_time(dew_BenchRun *b, const char *name, double seconds,
                    double goal_s);  // NaN: no goal
void dew_bench_rate(dew_BenchRun *b, const char *name, double per_s, const char *unit, double goal);

/// A cost per item, less is better.
void dew_bench_cost(dew_BenchRun *b, const char *name, double value, const char *unit, double goal);

/// Best time in seconds of `repeats` calls.
dew_Status dew_bench_best(dew_Status (*work)(void *context), void *context, int repeats,
                          double *seconds);
/// Same in CPU seconds of the process, on all its threads.
dew_Status dew_bench_best_cpu(dew_Status (*work)(void *context), void *context, int repeats,
                              double *seconds);

void dew_bench_run_init(dew_BenchRun *b, dew_Tasks *tasks);
void dew_bench_run_deinit(dew_BenchRun *b);
