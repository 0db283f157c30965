/// Sources and sinks: when and where liquid comes and goes.
#pragma once

#include "base/array.h"
#include "problem/problem.h"

typedef struct dew_Sources {
    const dew_SourceDef *const *defs;  // the scene's
    int count;
    uint64_t seed;
    const dew_Inflow *inflows;
    int64_t inflow_count;
} dew_Sources;

/// Births of source s, the k-th at dew_birth_time_s; k counts from 0.
double dew_birth_time_s(const dew_Sources *sources, int s, int64_t k);
/// The least k whose time is no less than time_s (is_after: greater).
int64_t dew_birth_first(const dew_Sources *sources, int s, double time_s, bool is_after);
dew_Blob dew_birth_blob(const dew_Sources *sources, int s, int64_t k);

/// Fills `out` from the scene; condensation asks the problem for its solids. Memory comes from its
/// arena.
dew_Status dew_sources_resolve(dew_Problem *problem);

/// A birth's id: the source and its number, apart from the ids of the liquid at the start.
#define DEW_BIRTH_ID(s, k) (((int64_t)(s) + 1) * DEW_BIRTHS_MAX + (k))
#define DEW_BIRTHS_MAX     ((int64_t)1 << 40)  // per source
