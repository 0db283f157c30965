/// Between marching_tetrahedra.c, which finds triangles, and tetrahedra_fit.c, which places their
/// vertices. Private to the two.
#pragma once

#include "surface/marching_tetrahedra.h"

/// Lengths in cells. Walls farther than DEW_TETRA_REACH from a vertex or from the liquid do not
/// matter. Vertices stay DEW_TETRA_CLEARANCE away from the ends of their edge and free ones from
/// walls, so that triangles keep an area. A vertex moves by at most DEW_TETRA_MAX_STEP at once: it
/// stays near its edge of the lattice.
#define DEW_TETRA_REACH     3.0
#define DEW_TETRA_CLEARANCE 0.02
#define DEW_TETRA_MAX_STEP  0.3

/// What a vertex is bound to.
typedef enum dew_TetraBound {
    DEW_TETRA_FREE,  // the liquid's surface
    DEW_TETRA_LINE,  // that and the wall
    DEW_TETRA_WALL,  // the wall alone
    DEW_TETRA_END,   // where the lattice ends: it stays
} dew_TetraBound;

typedef struct dew_TetraFit {
    const dew_TetrahedraDef *def;
    dew_Surface *surface;
    const uint8_t *bound;    // dew_TetraBound, per vertex
    int64_t free_triangles;  // the first ones lie on the liquid's surface
    const dew_Vec3 *safe;    // per vertex: on the lattice, where no triangles cross
} dew_TetraFit;

/// phi (m) and its slope by tricubic interpolation; false: not enough samples around.
bool dew_tetra_phi(const dew_TetrahedraDef *def, dew_Vec3 x, double *phi, dew_Vec3 *slope);
/// The wall near a point; in two dimensions in the middle of the slab, and z stays as it is.
bool dew_tetra_wall(const dew_TetrahedraDef *def, dew_Vec3 x, dew_WallPoint *out);
/// Moves the vertices.
dew_Status dew_tetra_fit(const dew_TetraFit *fit);
