/// A shape carried by a prescribed flow, for the tests of level sets and marker particles.
///
/// Lengths are in units of the domain, which is the unit square or cube.
#pragma once

#include "grid/markers.h"

typedef enum dew_CarryScheme {
    DEW_CARRY_WENO,   // WENO5 with TVD-RK3
    DEW_CARRY_TRACE,  // along characteristics, tricubic
} dew_CarryScheme;

/// One step: the flow is `factor` times the velocity at time_s, for dt_s.
typedef struct dew_CarryStep {
    double time_s, dt_s, factor;
} dew_CarryStep;

/// Where the faces of a brick are.
typedef struct dew_CarryFaces {
    dew_Vec3 corner;
    double cell;
    int depth;  // cells along z
} dew_CarryFaces;

typedef struct dew_CarryDef {
    int dimensions;
    int cells;  // along an edge of the domain
    double duration_s;
    int step_count;
    dew_CarryScheme scheme;
    int markers_per_cell;      // 0: none
    dew_DistanceFn *distance;  // the shape at the start
    dew_DistanceFn *expected;  // at the end; NULL: as at the start
    void *context;             // of the functions
    dew_Vec3 (*velocity)(const void *context, dew_Vec3 p, double time_s);
    /// Same for all lower faces of a brick at once; may be NULL.
    void (*velocities)(const void *context, const dew_CarryFaces *faces, double *const u[3]);
    dew_CarryStep (*step)(int index, int count, double duration_s);
    dew_Tasks *tasks;
} dew_CarryDef;

typedef struct dew_Carried {
    double volume_change;         // relative
    double symmetric_difference;  // volume in one but not the other of shape and expected shape
    double volume, end_volume;    // of the shape at the start and at the end
    int64_t piece_count;          // connected pieces of more than 27 cells (9 in 2-D) at the end
    int64_t max_cells;            // most active cells
    int64_t max_markers;          // most markers
    double cpu_s;                 // all steps, with evaluating the flow
} dew_Carried;

dew_Status dew_carry(const dew_CarryDef *def, dew_Carried *out);

dew_CarryStep dew_carry_steady(int index, int count, double duration_s);    // factor 1
dew_CarryStep dew_carry_reversed(int index, int count, double duration_s);  // cos(pi t / T)
/// Same with steps of equal way instead of equal time: the flow is slow around T/2. count must be even.
dew_CarryStep dew_carry_reversed_evenly(int index, int count, double duration_s);
