/// Vertices that were moved step back until no triangles cross.
///
/// A mesh made on a lattice does not cross itself as long as its vertices stay where the lattice
/// puts them. Whatever moves them afterwards (onto walls, for even triangles, for the right volume)
/// may fold it. Here every vertex of a crossing triangle goes back along its displacement, by
/// halves and at last all of it, until the crossings are gone. Judged in single precision, as every
/// file format stores it: what is written does not cross.
#pragma once

#include "base/arena.h"
#include "base/tasks.h"
#include "geom/mesh.h"

/// A coordinate as the file formats store it. The volatile is for GCC 12, whose vectorizer takes a
/// conversion to float and back for no conversion at all.
static inline double dew_coordinate_as_written(double x)
{
    volatile float written = (float)x;
    return (double)written;
}

static inline dew_Vec3 dew_as_written(dew_Vec3 x)
{
    return dew_vec(dew_coordinate_as_written(x.x), dew_coordinate_as_written(x.y),
                   dew_coordinate_as_written(x.z));
}

typedef struct dew_StepBack {
    const dew_Triangle *triangles;
    int64_t triangle_count, vertex_count;
    const dew_Vec3 *safe;  // positions at which nothing crosses
    dew_Vec3 *positions;   // as moved; repaired in place
    dew_Tasks *tasks;      // may be NULL
    dew_Arena *scratch;    // given back as it was
} dew_StepBack;

/// left: pairs with a vertex that was moved which still cross, because they cross at the safe
/// positions (rounded) too. May be
/// NULL. Bit-identical on any number of workers. Fails only for lack of memory.
dew_Status dew_surface_step_back(const dew_StepBack *def, int64_t *left);
