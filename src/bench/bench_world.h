/// A scene told as a user would write it, and its world, for benchmarks.
#pragma once

#include "bench/bench.h"
#include "dew/dew.h"

typedef struct dew_BenchWorld {
    dew_Scene *scene;
    dew_World *world;
} dew_BenchWorld;

/// To be closed, even after a failure.
dew_Status dew_bench_world_open(dew_BenchWorld *out, const char *text, int workers);
void dew_bench_world_close(dew_BenchWorld *world);
