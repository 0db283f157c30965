/// Liquid given by whole cells: what there is instead of a level set where markers say which
/// cells hold liquid ([Durikovic] section 2.2), and the parts of the grid core that work on it.
/// Pressure by such cells is an option of the projection (grid/poisson.h), as is counting drops
/// (dew_bits_components).
#pragma once

#include "grid/brick.h"
#include "problem/problem.h"

/// What a cell is; those in the middle are liquid.
typedef enum dew_CellKind {
    DEW_CELL_EMPTY,
    DEW_CELL_SURFACE,  // a side of it is open; with a level set: spray
    DEW_CELL_FULL,
    DEW_CELL_SOURCE,  // before an inflow: all its faces have the inflow's velocity
    DEW_CELL_OBSTACLE,
} dew_CellKind;

static inline bool dew_cell_is_liquid(uint8_t kind)
{
    return kind >= DEW_CELL_SURFACE && kind <= DEW_CELL_SOURCE;
}

/// Which cells are what, as bits: the kinds, for loops over the few that matter.
typedef struct dew_CellSets {
    dew_BrickBits *solid, *source, *surface, *full;
    dew_BrickBits *liquid;  // the latter three together
} dew_CellSets;

/// Of a layer of a brick's lower faces along an axis, bits. Others are between empty cells.
typedef struct dew_CellFaces {
    uint64_t inside;  // obstacles on both sides
    uint64_t wall;    // on one
    uint64_t known;   // of liquid cells
    uint64_t wet;     // of these: between liquid cells
} dew_CellFaces;

static inline dew_CellFaces dew_cell_faces(const dew_Grid *grid, const dew_CellSets *sets,
                                           int32_t b, int axis, int k)
{
    const int32_t *near = dew_grid_neighbours(grid, b);
    uint64_t solid = sets->solid[b].layer[k], liquid = sets->liquid[b].layer[k];
    uint64_t solid_lo = dew_bits_beside(sets->solid, near, grid->depth, 2 * axis, k);
    uint64_t liquid_lo = dew_bits_beside(sets->liquid, near, grid->depth, 2 * axis, k);
    return (dew_CellFaces){solid & solid_lo, solid ^ solid_lo,
                           (liquid | liquid_lo) & ~(solid | solid_lo), liquid & liquid_lo};
}

/// What is known of cells before their kinds are.
typedef struct dew_CellsDef {
    const dew_Problem *problem;
    const dew_Grid *grid;
    uint8_t *kind;         // dew_CellKind; obstacles are given, the rest is found
    const uint8_t *count;  // markers in each
    // phi of a cell (m) where a level set decides what is liquid, and markers only far from it.
    // NULL: markers decide alone, and an empty cell amid liquid is liquid.
    double (*phi)(const void *context, int32_t brick, int cell);
    const void *context;
} dew_CellsDef;
/// interface/cell_kinds.c: decides kinds of cells, and returns them as sets.
dew_Status dew_cells_find_kinds(const dew_CellsDef *def, double time_s, dew_Arena *scratch,
                                dew_CellSets *sets);
/// The sets of kinds as they are.
dew_Status dew_cells_find_sets(const dew_Grid *grid, const uint8_t *kind, dew_Arena *scratch,
                               dew_CellSets *sets);

/// What solids are to the cells.
typedef struct dew_CellSolids {
    uint8_t *kind;      // obstacles come and go; other kinds stay
    float *slip;        // of obstacles: what of the tangential velocity goes on into them, -1..1
    double *wall_u[3];  // velocity of the nearest solid on lower faces; NULL: none moves
    bool is_all;        // read all bricks, else fresh ones
} dew_CellSolids;
/// boundary/cell_boundary.c
dew_Status dew_cells_read_solids(const dew_Problem *problem, const dew_Grid *grid,
                                 const dew_Instant *instant, const dew_CellSolids *out);
/// Velocities that are set, not computed, into u: of cells before inflows,
/// at walls (wall_u: their velocities on lower faces; NULL: at rest), on open sides.
dew_Status dew_cells_set_boundary(const dew_Problem *problem, const dew_Grid *grid,
                                  const dew_CellSets *sets, const double *const wall_u[3],
                                  double time_s, double *const u[3]);

/// flow/cell_extrapolation.c: velocities two layers of faces beyond the surface and inside
/// obstacles, in u. slip, wall_u: as dew_CellSolids has them.
dew_Status dew_cells_extrapolate(const dew_Grid *grid, const dew_CellSets *sets, const float *slip,
                                 const double *const wall_u[3], double *const u[3],
                                 dew_Arena *scratch);
