/// The pairs of triangles of a mesh that cross each other.
///
/// Rule: two triangles cross when they share a point that is not a common corner or a point of a
/// common edge. Touching counts, coplanar overlaps count, two triangles folded onto each other over
/// their common edge count. Corners are common when their coordinates are equal, so that a mesh
/// whose vertices are not welded is judged alike. Two triangles on the same three points do not
/// cross, and a triangle with two corners in one point crosses nothing
/// (dew_triangle_overlaps_triangle). Exact: signs of determinants in expansion arithmetic.
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/tasks.h"
#include "geom/mesh.h"

typedef struct dew_TrianglePair {
    uint32_t first, second;  // first < second
} dew_TrianglePair;

typedef struct dew_CrossingSearch {
    const dew_Vec3 *positions;      // finite
    const dew_Triangle *triangles;  // corners in range
    int64_t triangle_count;
    const uint8_t *is_asked;  // per triangle: only pairs with one of these; NULL: all pairs
    int64_t max_pairs;   // about so many at most; 0: all, which can be the square of the triangles
    dew_Tasks *tasks;    // may be NULL
    dew_Arena *scratch;  // rewound before the return
} dew_CrossingSearch;

/// The pairs in ascending order of (first, second), in `out` (of dew_TrianglePair, cleared first).
/// The same on any number of workers. Fails only for lack of memory.
dew_Status dew_mesh_crossings(const dew_CrossingSearch *search, dew_Array *out);

/// How many pairs there are, without a list of them, and the lowest triangle of any; DEW_INVALID:
/// there are none. max_pairs does not matter.
dew_Status dew_mesh_crossings_count(const dew_CrossingSearch *search, int64_t *count,
                                    int64_t *first);
