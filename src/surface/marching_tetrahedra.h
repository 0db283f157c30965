/// The surface of a liquid beside walls, as triangles: around all that is liquid (phi < 0) and no
/// wall.
///
/// Marching cubes of the larger of two distances rounds off the edge where they meet, and loses
/// what is thinner than a cell: the rim of a flat drop. Here each cube of the lattice of cell
/// centres is cut into six tetrahedra, these by the wall, and what is left of them by the liquid's
/// surface. Vertices at the wall are put right onto it, and the liquid is asked there again, so
/// that the rim is as sharp as phi is smooth. Which triangles there are follows from signs alone:
/// the result is a closed, oriented manifold, whatever the values. It ends at the outermost cell
/// centres where bricks are missing; in two dimensions it is a slab one cell thick.
///
/// Then vertices slide along the surface, the contact line and the wall, each on its own, for
/// triangles of even shape, and come to lie where phi is zero by its tricubic interpolant.
#pragma once

#include "grid/brick.h"
#include "surface/surface.h"

typedef struct dew_WallPoint {
    dew_Vec3 point_m;  // the closest of the wall
    dew_Vec3 normal;   // outward, unit
    double distance_m;
} dew_WallPoint;

/// The wall as seen from a point; false: none within reach.
typedef bool dew_WallFn(const void *context, dew_Vec3 point_m, double reach_m, dew_WallPoint *out);

typedef struct dew_TetrahedraDef {
    const dew_Grid *grid;
    const double *phi;   // at cells: distance to the liquid's surface, continued into walls, m
    const double *wall;  // at cells: distance to walls, m; negative in them. NULL: there are none
    dew_WallFn *nearest;
    const void *context;  // of nearest
    dew_Tasks *tasks;     // may be NULL
    dew_Arena *scratch;   // given back as it was
    int smooth_passes;    // that even out the triangles
} dew_TetrahedraDef;

/// 4 passes, all else to be set.
dew_TetrahedraDef dew_default_tetrahedra_def(void);

/// Sets positions, triangles, wet (1 at walls, the contact line too) and solid_normals; finish is
/// the caller's. Bit-identical on any number of workers.
dew_Status dew_march_tetrahedra(const dew_TetrahedraDef *def, dew_Surface *out);
