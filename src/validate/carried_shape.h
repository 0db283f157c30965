/// A shape carried by a prescribed flow, for the tests of level sets and marker particles.
///
/// Lengths are in units of the domain, which is the unit square or cube.
#pragma once

#include "grid/markers.h"

typedef enum dew_CarryScheme {
    DEW_CARRY_WENO,   // WENO5 with TVD-RK3
    DEW_CARRY_TRACE,  // along characteristics, tricubic
} dew_CarryScheme;

typedef struct dew_CarryDef {
    int dimensions;
    int cells;  // along an edge of the domain
    double duration_s;
    int step_count;
    dew_CarryScheme scheme;
    int markers_per_cell;      // 0: none
    dew_DistanceFn *distance;  // the shape at the start
    dew_DistanceFn *expected;  // at the end; NULL: as at the start
    void *context;             // of all three functions
    dew_Vec3 (*velocity)(const void *context, dew_Vec3 p, double time_s);  // times `factor`
    double (*factor)(double time_s, double duration_s);
    dew_Tasks *tasks;
} dew_CarryDef;

typedef struct dew_Carried {
    double volume_change;         // relative
    double symmetric_difference;  // volume in one but not the other of shape and expected shape
    double volume, end_volume;    // of the shape at the start and at the end
    int64_t piece_count;          // connected pieces of more than 27 cells (9 in 2-D) at the end
    int64_t max_cells;            // most active cells
    double cpu_s;                 // without evaluating the flow
} dew_Carried;

dew_Status dew_carry(const dew_CarryDef *def, dew_Carried *out);

double dew_carry_steady(double time_s, double duration_s);    // 1
double dew_carry_reversed(double time_s, double duration_s);  // cos(pi t / T)
