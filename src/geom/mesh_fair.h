/// Fairing: bumps of a closed mesh that are a few edges wide go; longer waves, thin sheets, small
/// drops and volume stay. Volume can also be brought to what it should be.
///
/// Vertices on walls may slide along them where the free surface meets them; all others on walls
/// are held.
#pragma once

#include "base/arena.h"
#include "base/tasks.h"
#include "geom/mesh.h"

typedef struct dew_FairDef {
    int passes;  // each goes to a vertex's neighbours; bumps wider than sqrt(passes) edges stay
    const float *wet;              // per vertex, above 0: on a wall. NULL: none is
    const dew_Vec3 *wall_normals;  // per vertex, unit, of those that are wet
    double volume_m3;    // to have, by moving free vertices along their normals; 0: as it comes
    double most_m;       // that they go for it
    dew_Tasks *tasks;    // may be NULL
    dew_Arena *scratch;  // given back as it was
} dew_FairDef;

/// Moves positions; which triangles there are stays. Bit-identical on any number of workers.
dew_Status dew_mesh_fair(const dew_FairDef *def, const dew_Triangle *triangles,
                         int64_t triangle_count, dew_Vec3 *positions, int64_t vertex_count);
