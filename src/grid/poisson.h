/// Poisson's equation on the liquid cells of a sparse grid, matrix-free:
///
///   sum over faces of w (p(c) - p(neighbour)) = b(c),
///
/// which is -h^2 times the Laplacian for w = 1. A cell has an equation where phi < 0 and some face
/// of it is open. w is the aperture of a face (0: solid; times a coefficient if you like).
/// Where the neighbour is not liquid its value is the pressure at the free surface, at the distance
/// theta h that phi gives: w (p(c) - p_surface) / theta, second order in p [Gibou2002]. Beyond
/// missing bricks there is a wall.
///
/// Liquid that has no free surface (a full closed container) has a pressure up to a constant: its
/// mean is made 0; the excess of its b is subtracted evenly from all its cells and reported.
///
/// The system is level 0 of the multigrid hierarchy that preconditions its solution.
#pragma once

#include "base/arena.h"
#include "base/tasks.h"
#include "dew/base.h"
#include "grid/brick.h"
#include "num/cg.h"
#include "num/mic0.h"

// ---- Multigrid ----------------------------------------------------------------------------------

// Multigrid on sparse bricks: a V-cycle for the seven-point operator
//
//   (A x)(c) = sum over faces of w (x(c) - x(neighbour)) + d x(c),
//
// meant as the preconditioner of conjugate gradients: it is symmetric, and linear but for rounding.
// Cells have an equation where A's diagonal is not zero. What a face weighs is up to the caller:
// open areas of faces, coefficients, or both; d comes from Dirichlet values (the free surface).
//
// The hierarchy is made from the fine level alone, without geometry, in memory that is kept from
// one making to the next. It does not know grids: it sees bricks that have cells with equations.

// ---- Multigrid: kernels -------------------------------------------------------------------------

// The loops over cells that a multigrid solve spends its time in, for poisson and multigrid alone.
//
// A level stores, per cell, the weights of its lower faces and the inverse of its diagonal. Few
// bricks need the weights: values are 0 where there is no equation, so that a face toward such a
// cell may as well be open as long as the diagonal knows that it is not. Deep inside the liquid the
// diagonal is known too.
//
// Order of values: the cells of even i + j + k (red) of all bricks come first, `black` values later
// the others, both in rows of four, so that a half-sweep reads one half of memory and writes the
// other. Cell i + 8 j + 64 k and the one beside it in its pair are at the same place of the two
// halves. Vectors in double, of the outer iteration, have the two halves brick by brick:
// dew_mg_place. Bricks can be worked on in any order by any worker, since no kernel reads what
// another one may write.

/// Relaxation beyond Gauss-Seidel, [Yavneh1996]: one iteration fewer on dense boxes, none more
/// elsewhere.
#define DEW_MG_RELAXATION 1.2f

/// 1 when red is the second of the two cells of a pair in row j + 8 k (or of the cells pair * 2, +
/// 1).
static inline int dew_mg_row_parity(int row)
{
    return (row ^ row >> 3) & 1;
}
/// Where in a brick of so many layers the values of cell i + 8 j + 64 k are.
static inline int dew_mg_place(int depth, int cell)
{
    return 32 * depth * ((cell ^ cell >> 3 ^ cell >> 6) & 1) + (cell >> 1);
}
/// What must be read of a brick's weights.
typedef enum dew_MgKind {
    DEW_MG_CUT,    // all of them
    DEW_MG_OPEN,   // the diagonal: faces between cells with equations have the weight `scale`
    DEW_MG_PLAIN,  // nothing: that holds for all faces, and all cells have equations and no
                   // Dirichlet term
} dew_MgKind;

/// What a kernel sees of one brick and of its neighbours below and above along x, y, z.
typedef struct dew_MgBrick {
    int depth;  // layers along z: 8, or 1 in two dimensions
    dew_MgKind kind;
    float scale;           // weight of an open face on this level
    int64_t black;         // from a red cell's value to that of the black one in its pair
    const float *w[3];     // weights of lower faces
    const float *w_up[3];  // of the neighbours above: their first faces are our last
    const float *inverse;  // of the diagonal; 0 where there is no equation
    const float *x_low[3], *x_up[3];
    const float *b;
    float *x;
} dew_MgBrick;

/// The same for the outer iteration, in double, of the finest level, where `scale` is 1.
typedef struct dew_MgOuterBrick {
    int depth;
    dew_MgKind kind;
    int64_t black;  // as above, of w
    const float *w[3], *w_up[3];
    const float *d;  // Dirichlet terms: with the weights they make the diagonal of a cut brick
    const float *diagonal;  // of an open one; 0: no equation
    const double *x, *x_low[3], *x_up[3];
} dew_MgOuterBrick;

typedef struct dew_MgKernels {
    /// First half-sweep from x = 0: red cells solve their own equation. Black ones are not touched.
    void (*begin)(const dew_MgBrick *brick);
    /// The cells of one colour solve their own equation; with is_first as if they had been 0.
    void (*sweep)(const dew_MgBrick *brick, int colour, bool is_first);
    /// r = b - A x, cells in plain order.
    void (*residual)(const dew_MgBrick *brick, float *r);
    /// y = A x
    void (*apply)(const dew_MgOuterBrick *brick, double *y);
} dew_MgKernels;

/// The kernels for this machine: with wide registers when it may and has them. The bits are the
/// same.
const dew_MgKernels *dew_mg_kernels(bool may_be_wide);

// ---- Levels -------------------------------------------------------------------------------------

#define DEW_SOR_RELAXATION 1.8  // factor of over-relaxation; converges below 2, [Trottenberg2001]
#define DEW_MG_MAX_LEVELS  (DEW_MORTON_BITS + 3)       // bricks have 8 = 2^3 cells along an edge
#define DEW_MG_CHUNK       (DEW_BRICKS_PER_CHUNK * 2)  // bricks per task

/// One level. Arrays have brick_cells values per brick, and after the last brick one of zeros,
/// which stands for what is missing. Of w, inverse, x and b the colours are apart (see above), all
/// else is in the order of cells.
typedef struct dew_MgLevel {
    int32_t brick_count;
    int depth;            // layers of a brick along z: 8, or 1 in two dimensions
    int32_t brick_cells;  // 64 depth
    int64_t black;        // where the black values begin: half of brick_cells (brick_count + 1)
    float scale;          // weight of a face that is fully open
    int64_t cell_count;   // cells with an equation
    uint64_t *key;        // Morton key, sorted
    int32_t *near;        // [6 b]: bricks at lower x, upper x, lower y, ...; brick_count: none
    int32_t *parent;      // on the next level; its brick_count: none
    int32_t *child;       // [8 b]: bricks of the finer level; its brick_count: none
    uint8_t *kind;        // dew_MgKind
    int32_t *surface;  // where in d_side the brick's Dirichlet terms are; DEW_INVALID: it has none
    int32_t surface_count;
    float *w[3];     // weights of lower faces, 0 unless both cells have equations
    float *inverse;  // of the diagonal; 0: no equation
    float *d_side;   // [(6 surface + side) brick_cells]: the part of d that comes from that side
    uint8_t *side;   // bit s: side s is not closed (for interpolation)
    float *x, *b;
    float *y;         // of all but the finest level: x, or what becomes b, in the order of cells
    float *spill[6];  // what restriction hands to the neighbour on that side
} dew_MgLevel;

typedef struct dew_Multigrid {
    dew_Tasks *tasks;
    dew_Arena arena;
    int level_count;
    dew_MgLevel level[DEW_MG_MAX_LEVELS];
    const dew_MgKernels *kernels;
    int sweeps;  // before and after the coarse correction
} dew_Multigrid;

/// Where in w, inverse, x and b the value of a cell is.
static inline int64_t dew_mg_at(const dew_MgLevel *level, int64_t brick, int cell)
{
    bool is_black = (cell ^ cell >> 3 ^ cell >> 6) & 1;
    return (is_black ? level->black : 0) + 32 * level->depth * brick + (cell >> 1);
}

void dew_multigrid_init(dew_Multigrid *mg, const dew_Allocator *allocator);
void dew_multigrid_deinit(dew_Multigrid *mg);

/// Begins a new hierarchy with a fine level of so many bricks. The caller then fills in key, near,
/// kind, surface; and, in bricks that it clears first, w, inverse and d_side. surface_count bricks
/// have d_side.
dew_Status dew_multigrid_begin(dew_Multigrid *mg, dew_Tasks *tasks, int32_t brick_count, int depth,
                               int32_t surface_count);
/// Zeros in all that a brick has: by the worker that fills it, so that its cache has them.
void dew_mg_clear(const dew_MgLevel *level, int64_t brick);
/// Makes the coarser levels.
dew_Status dew_multigrid_end(dew_Multigrid *mg);

/// z = one V-cycle for A z = r, from zero; arrays of the fine level in double, in its order.
/// Inside, r is multiplied by `factor`, a power of two that brings it near 1, so that float can
/// hold it; z is divided by it. products: as of a dew_LinearFn, or NULL.
dew_Status dew_multigrid_cycle(dew_Multigrid *mg, const double *r, double factor, double *z,
                               double *products);

int64_t dew_multigrid_bytes(const dew_Multigrid *mg);

// ---- Between multigrid.c and multigrid_levels.c -------------------------------------------------

// Between the files of multigrid: levels, how they are made, how values go between them.

/// An empty level with memory for its links.
dew_Status dew_mg_level_begin(dew_Multigrid *mg, dew_MgLevel *level, int32_t brick_count, int depth,
                              float scale);
/// Memory for its values; so many bricks have Dirichlet terms.
dew_Status dew_mg_level_alloc(dew_Multigrid *mg, dew_MgLevel *level, int32_t surface_count);
/// How many cells have equations.
dew_Status dew_mg_level_finish(dew_Multigrid *mg, dew_MgLevel *level);
/// The next coarser level's bricks, weights and diagonal. *has_cells says whether it is worth
/// having.
dew_Status dew_mg_coarsen(dew_Multigrid *mg, dew_MgLevel *fine, dew_MgLevel *coarse,
                          bool *has_cells);

/// b of the coarse level = P' (b - A x) of the fine one.
void dew_mg_restrict(dew_Multigrid *mg, int fine_level);
/// x of the fine level += P times x of the coarse one.
void dew_mg_prolong(dew_Multigrid *mg, int fine_level);

/// Pointers of a brick for the kernels.
void dew_mg_brick(const dew_MgLevel *level, int32_t brick, dew_MgBrick *out);

// ---- The equations ------------------------------------------------------------------------------

typedef struct dew_PoissonDef {
    // Cells as a whole, instead of phi and open: those with liquid, and those whose faces are all
    // closed. Other cells have the pressure 0 in their middles: min_fraction is 1, and there is no
    // p_surface. NULL: by phi and open.
    const dew_BrickBits *liquid, *closed;
    const double *phi;        // cells
    const double *open[3];    // lower faces; NULL: all are open, w = 1
    const double *p_surface;  // cells on both sides of the surface, interpolated to it; NULL: 0
    double min_fraction;  // theta is at least this; 1: first order, p_surface of the cell beyond
    dew_PoissonMethod method;
    double relaxation;  // of SOR, in (0, 2)
    dew_SolveDef solve;
} dew_PoissonDef;

/// min_fraction 0.01, multigrid, DEW_SOR_RELAXATION, dew_default_solve_def.
dew_PoissonDef dew_default_poisson_def(void);

/// A set of cells that no free surface reaches.
typedef struct dew_ClosedPool {
    int64_t cell_count;
    double excess;  // what b summed to before it was made compatible
} dew_ClosedPool;

/// The equations as assembled, in memory that is kept from one assembly to the next. Vectors "of
/// the system" have 512 (64) values for each brick that has liquid, in the order of
/// multigrid.h, 0 where there is no equation.
typedef struct dew_Poisson {
    const dew_Grid *grid;
    dew_PoissonDef def;
    dew_Multigrid mg;      // level 0 is the system itself
    dew_Arena arena;       // of one assembly
    int64_t cell_count;    // equations
    int64_t value_count;   // length of a vector of the system
    int32_t brick_count;   // of the system
    uint8_t *is_liquid;    // per value of the grid: has it an equation? NULL when given by cells
    dew_BrickBits *cells;  // the same as bits, when given by cells; else NULL
    int32_t *brick;        // the grid's brick of each brick of the system
    int32_t *slot;         // and the other way round; DEW_INVALID
    float *diagonal;       // of the bricks that are open (DEW_MG_OPEN)
    float *d;              // [surface cells], then a brick of zeros: sums of the Dirichlet terms
    double *surface_b;     // [surface cells]: what the free surface's pressure adds to b
    double *zeros;         // a brick of zeros
    int32_t *pool_of;  // per value: number of its closed pool, DEW_INVALID; NULL: there are none
    dew_Array pools;   // dew_ClosedPool
    dew_Mic0 mic0;
    double *in_cell_order;  // a vector for it
    double factor;          // scales what multigrid sees
} dew_Poisson;

void dew_poisson_init(dew_Poisson *poisson, const dew_Allocator *allocator);
void dew_poisson_deinit(dew_Poisson *poisson);

/// The equations for the grid's bricks and fields as they are now; def's fields may go afterwards.
dew_Status dew_poisson_assemble(dew_Poisson *poisson, const dew_Grid *grid,
                                const dew_PoissonDef *def);

/// Solves. b and p are fields of the grid; p's liquid cells are the first guess, its others stay.
/// b is without the surface's pressure, which is added here. No convergence is DEW_DIVERGED.
dew_Status dew_poisson_solve(dew_Poisson *poisson, const double *b, double *p, dew_Arena *scratch,
                             dew_SolveReport *report);

/// Fraction of the distance from a liquid cell to its air neighbour at which the surface lies, by
/// the parabola through phi there; back and beyond are the cells before and after the two.
double dew_poisson_theta(double phi_back, double phi_liquid, double phi_air, double phi_beyond);
/// 1 / theta of a cell's side toward air, as assembled (times the weight of the face); 0: none.
static inline double dew_poisson_cut(const dew_Poisson *poisson, int32_t brick, int cell, int side)
{
    const dew_MgLevel *level = &poisson->mg.level[0];
    int64_t surface = level->surface[poisson->slot[brick]];
    return surface < 0 ? 0
                       : (double)level->d_side[(6 * surface + side) * level->brick_cells + cell];
}

/// Between fields of the grid and vectors of the system.
void dew_poisson_gather(const dew_Poisson *poisson, const double *field, double *x);
void dew_poisson_scatter(const dew_Poisson *poisson, const double *x, double *field);
/// The power of two that brings a vector with this largest magnitude near 1, for
/// dew_multigrid_cycle.
double dew_poisson_scale(double largest);
/// y = A x, vectors of the system.
dew_Status dew_poisson_apply(dew_Poisson *poisson, const double *x, double *y);

// ---- Between poisson.c and poisson_solve.c ------------------------------------------------------

// Between the files of poisson.

/// The Dirichlet terms of a brick of the system, in the order of its vectors.
static inline const float *dew_poisson_dirichlet(const dew_Poisson *poisson, int64_t brick)
{
    const dew_MgLevel *level = &poisson->mg.level[0];
    int64_t surface = level->surface[brick];
    return poisson->d + (surface >= 0 ? surface : level->surface_count) * level->brick_cells;
}

/// What assembly knows besides the equations themselves.
typedef struct dew_PoissonAssembly {
    dew_Poisson *poisson;
    const dew_Grid *grid;
    const dew_PoissonDef *def;
    uint8_t *is_liquid;  // per value of the grid
    uint8_t *kind;       // bits per brick of the grid
} dew_PoissonAssembly;

enum { DEW_POISSON_HAS_LIQUID = 1, DEW_POISSON_IS_FULL = 2, DEW_POISSON_HAS_SURFACE = 4 };

/// The brick and all those around it are full: nothing but weights of 1.
bool dew_poisson_is_deep(const dew_PoissonAssembly *assembly, int32_t brick);
void dew_poisson_fill_deep(dew_MgLevel *level, int32_t slot);

/// What assembly asks where cells are liquid or closed as a whole. Kinds of bricks; then the
/// weights of one that is not deep.
dew_Status dew_poisson_cells_find(dew_PoissonAssembly *assembly);
void dew_poisson_cells_fill(const dew_PoissonAssembly *assembly, int32_t slot);
/// Does the free surface reach all cells, so that there are no closed pools?
dew_Status dew_poisson_cells_are_open(dew_Poisson *poisson, bool *are_open);

/// Finds the closed pools: sets pool_of and pools.
dew_Status dew_poisson_find_pools(dew_Poisson *poisson);
/// Subtracts from b the excess of its closed pools, and reports it in pools.
void dew_poisson_make_compatible(dew_Poisson *poisson, double *b);
/// Makes the mean of x over each closed pool zero.
void dew_poisson_center(dew_Poisson *poisson, double *x);

/// Red-black over-relaxation until the residual is small enough.
dew_Status dew_poisson_relax(dew_Poisson *poisson, const double *b, double *x, dew_Arena *scratch,
                             dew_SolveReport *report);
/// The matrix of the system for MIC(0).
dew_Status dew_poisson_factor(dew_Poisson *poisson);

// ---- Projection ---------------------------------------------------------------------------------

// Projection: makes a velocity field free of divergence in the liquid, by a pressure.
//
//   u <- u - dt / (rho h) (p(upper) - p(lower)) on open faces of liquid cells, such that
//   sum over a cell's faces of A u + (1 - A) u_wall, outwards, is 0,
//
// A being the open part of the face [Ng2009]; closed faces take the wall's velocity. At the free
// surface the pressure is p_surface (the tension's, for drops), at the surface itself [Gibou2002].
//
// That condition makes p second order but its gradient beside the surface only first: the linear
// profile between a cell and the surface is steepest half-way, not on the face. `corrections` > 0
// solves again with the curvature of p along that distance put to the right-hand side; one makes
// the gradient second order, at the price of a few more iterations.

typedef struct dew_ProjectionDef {
    // Cells as a whole, instead of phi, open, wall_u and p_surface: as dew_PoissonDef has them.
    // Faces of closed cells keep the velocity that they have. NULL: by phi and open.
    const dew_BrickBits *liquid, *closed;
    const double *outflow;    // of these cells: sum of outward velocities to be left, m/s; NULL: 0
    const double *phi;        // cells: liquid where < 0
    const double *open[3];    // lower faces, >= 0; NULL: all open
    const double *wall_u[3];  // velocity of the solid, along the axis, on lower faces; NULL: 0
    const double *mobility[3];  // lower faces: 1 / (1 + mass added to the liquid's); NULL: 1
    const double *p_surface;    // see dew_PoissonDef
    double density_kg_m3;
    double dt_s;
    int corrections;
    double min_fraction;
    dew_PoissonMethod method;
    double relaxation;  // of SOR
    dew_SolveDef solve;
    bool is_checked;    // report the divergence that is left, at the price of a pass
    bool is_assembled;  // the equations are those of the last call, of which p_surface may go, not
                        // come
} dew_ProjectionDef;

/// Water, no corrections, all else as dew_default_poisson_def; phi and dt_s are to be set.
dew_ProjectionDef dew_default_projection_def(void);

typedef struct dew_ProjectionReport {
    dew_SolveReport solve;  // iterations of all solves, residual of the last
    double
        divergence;  // is_checked: largest |sum of outward velocities| of a liquid cell afterwards,
                     // m/s
    int64_t liquid_cells;
} dew_ProjectionReport;

/// Projects u (lower faces). p: pressure in Pa, the guess before, the result after. is_known (may
/// be NULL; entries too) is set to 1 on faces whose velocity the liquid or a wall determines, else
/// 0: for extension; not set for whole cells. Beyond missing
/// bricks there are walls at rest.
dew_Status dew_projection_run(dew_Poisson *poisson, const dew_Grid *grid,
                              const dew_ProjectionDef *def, double *const u[3], double *p,
                              uint8_t *const is_known[3], dew_Arena *scratch,
                              dew_ProjectionReport *report);

/// Sum of outward velocities of liquid cells, as projection counts it, into `out`; 0 elsewhere.
dew_Status dew_projection_divergence(const dew_Poisson *poisson, const dew_ProjectionDef *def,
                                     const double *const u[3], double *out);
