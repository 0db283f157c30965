/// Union and find: sets of numbers as trees in one array, parent[n] == n at a root. A root is the lowest of its set,
/// so what is joined comes out the same in any order.
#pragma once

#include <stdint.h>

/// `root(parent, n)` is the lowest number of the set of n, and halves the way to it; `join(parent, a, b)` makes the
/// sets of a and b one.
#define DEW_UNION_FIND(Number, root, join)                                                         \
    static inline Number root(Number *parent, Number n)                                            \
    {                                                                                              \
        while (parent[n] != n)                                                                     \
            n = parent[n] = parent[parent[n]];                                                     \
        return n;                                                                                  \
    }                                                                                              \
    static inline void join(Number *parent, Number a, Number b)                                    \
    {                                                                                              \
        a = root(parent, a);                                                                       \
        b = root(parent, b);                                                                       \
        parent[a < b ? b : a] = a < b ? a : b;                                                     \
    }

DEW_UNION_FIND(int32_t, dew_cell_root, dew_join_cells)        // of grids
DEW_UNION_FIND(uint32_t, dew_vertex_root, dew_join_vertices)  // of meshes, corners too
