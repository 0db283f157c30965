/// The 256 cases of marching cubes: which edges of a cell each triangle's corners lie on.
///
/// Corner c of a cell is the node (i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)); bit c of a case is
/// set when that node is inside. Edge e runs along axis e >> 2 (x, y, z) from the corner that has
/// e & 1 and e >> 1 & 1 in the two other coordinates, lower axis first:
///   0..3: x edges at (j, k), 4..7: y edges at (i, k), 8..11: z edges at (i, j).
///
/// Face rule: where the inside nodes of a face are two opposite corners, they are kept apart. It
/// asks for the signs of that face alone, so both cells at a face draw the same lines on it: no
/// cracks. Each line belongs to one loop of its cell. Loops are cut into triangles such that no
/// diagonal lies in a face of the cell (else the neighbour could have the same one: four triangles
/// at an edge) and that the triangles of a cell never meet beyond what they share. The result is a
/// closed, oriented manifold without self-intersections for every sign pattern. Triangles are
/// counter-clockwise seen from the outside (the nodes with bit 0).
#pragma once

#include <stdint.h>

#define DEW_MARCHING_EDGES     12
#define DEW_MARCHING_TRIANGLES 5  // at most, per cell

typedef struct dew_MarchingCase {
    uint8_t triangle_count;
    uint8_t edge[3 * DEW_MARCHING_TRIANGLES];
} dew_MarchingCase;

extern const dew_MarchingCase dew_marching_case[256];
