/// Pieces of a surface made anew from the region they enclose: for what no displacement can
/// untangle.
///
/// The region where the winding number of a group of pieces exceeds one half [Barill2018] is turned
/// into triangles by marching cubes, which do not cross, and scaled about its centroid to the
/// volume of the group. Where nothing is left of it, or for `as_balls`, a ball takes its place.
/// Velocity, wet and the solid's normal come from the nearest point of the old pieces. New vertices
/// and triangles come behind those that are kept.
#pragma once

#include "base/tasks.h"
#include "surface/surface.h"

typedef struct dew_RemakeDef {
    const uint32_t
        *group;  // per vertex: a vertex of the group that it belongs to, the same for all of it
    const uint8_t *is_bad;  // per vertex: of groups to be made anew
    bool as_balls;
    dew_Tasks *tasks;  // may be NULL
} dew_RemakeDef;

/// Groups that enclose no positive volume stay as they are. Fails only for lack of memory.
dew_Status dew_surface_remake(dew_Surface *surface, const dew_RemakeDef *def);
