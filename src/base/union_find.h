/// Disjoint sets of integers as trees in one array: parent[n] == n at a root [Tarjan1975].
///
/// The root of a set is its lowest member, so the sets and their roots do not depend on the order
/// of the joins. Finding a root halves the path to it.
#pragma once

#include <stdint.h>

/// Defines `root(parent, n)`, the lowest member of the set of n, and `join(parent, a, b)`, which
/// unites the sets of a and b. Most joins find two members that already have a common parent.
#define DEW_UNION_FIND(Number, root, join)                                                         \
    static inline Number root(Number *parent, Number n)                                            \
    {                                                                                              \
        while (parent[n] != n)                                                                     \
            n = parent[n] = parent[parent[n]];                                                     \
        return n;                                                                                  \
    }                                                                                              \
    static inline void join(Number *parent, Number a, Number b)                                    \
    {                                                                                              \
        if (parent[a] == parent[b])                                                                \
            return;                                                                                \
        a = root(parent, a);                                                                       \
        b = root(parent, b);                                                                       \
        parent[a < b ? b : a] = a < b ? a : b;                                                     \
    }

DEW_UNION_FIND(int32_t, dew_cell_root, dew_join_cells)        // cells of grids, drops
DEW_UNION_FIND(uint32_t, dew_vertex_root, dew_join_vertices)  // vertices and corners of meshes
