/// What lies under the mouse: the first solid, or the liquid, that a ray meets.
#pragma once

#include "problem/problem.h"
#include "surface/surface.h"

typedef struct dew_Pick {
    bool is_hit;
    bool is_liquid;
    double distance_m;
    dew_Vec3 point_m;
    dew_Vec3 normal;        // out of what was met
    int solid_id;           // DEW_INVALID: liquid
    double drop_volume_m3;  // of the liquid met
} dew_Pick;

/// The direction has unit length. The liquid may be NULL. What lies farther than reach_m does not count.
dew_Pick dew_pick(const dew_Problem *problem, const dew_Moment *moment, const dew_Surface *liquid,
                  dew_Vec3 origin_m, dew_Vec3 direction, double reach_m);
