/// Queries: rays, nearest points and containment, against the solids and the liquid of the present
/// state.
///
/// The first query about the liquid in a state builds a search tree over its surface; later ones in
/// the same state use it. Solids need no preparation. A query does not change the world's state or
/// its hash.
#pragma once

#include "dew/base.h"
#include "dew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a query is about; add them up.
typedef enum dew_QueryMask {
    DEW_QUERY_SOLIDS = 1,
    DEW_QUERY_LIQUID = 2,
    DEW_QUERY_ALL = 3,
} dew_QueryMask;

/// A point on a surface of the world.
typedef struct dew_QueryHit {
    bool is_hit;        // false: nothing was found, and no other field counts
    bool is_liquid;     // on the liquid's surface; else on a solid
    int64_t id;         // of the solid; of the drop, as in dew_world_drops, for liquid
    double distance_m;  // along the ray; for dew_world_nearest negative inside the body
    dew_Vec3 point_m;
    dew_Vec3 normal;        // outward, unit
    dew_Vec3 velocity_m_s;  // of the body at the point
} dew_QueryHit;

/// The first point of a ray from origin_m within max_distance_m (INFINITY: any). The direction need
/// not be of unit length. A ray that starts inside a body meets it where it starts, if the body is
/// a solid, and where it leaves, if it is liquid.
dew_Status dew_world_cast_ray(dew_World *world, dew_Vec3 origin_m, dew_Vec3 direction,
                              double max_distance_m, uint32_t mask, dew_QueryHit *out);

/// The nearest surface point within max_distance_m (INFINITY: any). Inside a body its own surface
/// counts, and the distance is negative.
dew_Status dew_world_nearest(dew_World *world, dew_Vec3 point_m, double max_distance_m,
                             uint32_t mask, dew_QueryHit *out);

/// Which of the bodies in `mask` hold the point, as a mask.
dew_Status dew_world_inside(dew_World *world, dew_Vec3 point_m, uint32_t mask, uint32_t *out);

#ifdef __cplusplus
}
#endif
