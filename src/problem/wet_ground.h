/// Where solids have been wetted, and when last: the wetting history that the solvers share.
///
/// Solids have no mesh of their own here, so their surface is remembered in cubes of a cell's or an
/// edge's length, in the solid's rest frame: a table from cube to the time it was last wet. It
/// grows with what was ever wetted, not with the solids. Reading is thread-safe.
#pragma once

#include "base/array.h"
#include "problem/problem.h"

typedef struct dew_WetGround {
    dew_Array keys;   // uint64_t, a power of two of them; 0: empty
    dew_Array times;  // double: when the cube was last wet
    int64_t used;
    double cube_m;
} dew_WetGround;

void dew_wet_ground_init(dew_WetGround *ground, const dew_Allocator *allocator, double cube_m);
void dew_wet_ground_deinit(dew_WetGround *ground);

/// Notes that the place, given at rest, is wet.
dew_Status dew_wet_ground_put(dew_WetGround *ground, int solid_id, dew_Vec3 rest_m, double time_s);
/// When the place was last wet; -HUGE_VAL: never.
double dew_wet_ground_time_s(const dew_WetGround *ground, const dew_Problem *problem,
                             const dew_Instant *instant, int solid_id, dew_Vec3 point_m);
/// The same of a place given at rest, looked for within half a cube: as a wet map sees it.
double dew_wet_ground_near_s(const dew_WetGround *ground, int solid_id, dew_Vec3 rest_m);
/// After the arrays were restored: counts what is used, or says why they cannot be right.
dew_Status dew_wet_ground_restored(dew_WetGround *ground);
