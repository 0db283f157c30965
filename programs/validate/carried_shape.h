/// A shape carried by a prescribed flow, for the tests of level sets and marker particles.
///
/// Lengths are in units of the domain, which is the unit square or cube.
#pragma once

#include "dew/grid.h"

/// One step: the flow is `factor` times the velocity at time_s, for dt_s.
typedef struct dew_CarryStep {
    double time_s, dt_s, factor;
} dew_CarryStep;

typedef struct dew_CarryDef {
    int dimensions;
    int cells;  // along an edge of the domain
    double duration_s;
    int step_count;
    dew_AdvectionScheme scheme;
    int markers_per_cell;        // 0: none
    dew_DistanceField shape;     // at the start
    dew_DistanceField expected;  // at the end; none: as at the start
    dew_VelocityField velocity;
    dew_CarryStep (*step)(int index, int count, double duration_s);
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
/// Same with steps of equal displacement instead of equal time: the flow is slow around T/2. count
/// must be even.
dew_CarryStep dew_carry_reversed_evenly(int index, int count, double duration_s);
