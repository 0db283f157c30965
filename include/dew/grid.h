/// Sparse grids: fields on bricks of 8 x 8 x 8 cells, and the parts from which the grid solvers are
/// built, for experiments of one's own: a level set in a given flow, and a flow in a box.
///
/// A brick is named by its coordinates (cell index divided by the brick's size, downwards). Every
/// field is one plain array, brick after brick, x fastest. In two dimensions bricks are 8 x 8 x 1.
/// Results are bit-identical for any number of threads. For drops, solids and contact lines there
/// is dew/world.h; its fields have the same views (dew/fields.h).
#pragma once

#include "dew/base.h"
#include "dew/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- views of arrays ---------------------------------------------------------------------------

/// Type of a number in an array.
typedef enum dew_FieldType {
    DEW_FIELD_F64,
    DEW_FIELD_F32,
    DEW_FIELD_I64,
    DEW_FIELD_I32,
    DEW_FIELD_U64,
    DEW_FIELD_U32,
    DEW_FIELD_U8,
} dew_FieldType;

/// Where in its cell a value sits.
typedef enum dew_Place {
    DEW_AT_CELL,    // centre
    DEW_AT_FACE_X,  // middle of the face towards smaller x, as velocities of a staggered grid
    DEW_AT_FACE_Y,
    DEW_AT_FACE_Z,
    DEW_AT_NODE,  // corner towards smaller x, y and z
} dew_Place;

/// The bricks of a sparse grid, in the order of their values.
typedef struct dew_Bricks {
    int32_t dimensions;  // 2 or 3
    int32_t size[3];     // cells of a brick along x, y, z
    double cell_m;
    dew_Vec3 origin_m;          // lower corner of cell (0, 0, 0)
    int64_t count;              // bricks
    const uint64_t *keys;       // Morton keys, ascending
    const int32_t *coords;      // three per brick: its first cell is size times these
    const int32_t *neighbours;  // 27 per brick, [13 + dx + 3 dy + 9 dz]; DEW_INVALID: none
} dew_Bricks;

/// Columns on a plane: cells along x, and rows of them along z.
typedef struct dew_Columns {
    int32_t columns, rows;    // cells along x and z
    int64_t row_stride;       // values from one row to the next
    double min_x_m, min_z_m;  // lower corner of the first cell
    double dx_m, dz_m;        // size of a cell
} dew_Columns;

/// How the values of a field are stored.
typedef enum dew_FieldLayout {
    DEW_LAYOUT_BRICKS,
    DEW_LAYOUT_COLUMNS,
} dew_FieldLayout;

/// A field: values with their places. Bricks: values[brick_count][size z][size y][size x]. Columns:
/// that of column i in row j is values[i + row_stride j]; those on faces have one more column and
/// row behind the last.
typedef struct dew_FieldView {
    const char *name, *unit;
    dew_FieldLayout layout;  // which of bricks and columns counts
    dew_FieldType type;
    dew_Place place;
    double missing;  // value where no brick is; of a distance, its largest magnitude
    const void *values;
    int64_t value_count;  // of bricks: all; of columns: columns times rows
    dew_Bricks bricks;
    dew_Columns columns;
} dew_FieldView;

/// A list of numbers or small vectors, such as the positions of particles.
typedef struct dew_ArrayView {
    const char *name, *unit;
    dew_FieldType type;
    int32_t components;    // numbers per element
    int64_t count;         // elements
    int64_t stride_bytes;  // from one element to the next
    const void *values;
} dew_ArrayView;

/// Index in `values` of cell (i, j, k) of the grid; of column i in row j, whatever k. DEW_INVALID:
/// it is not there.
int64_t dew_field_view_index(const dew_FieldView *view, int32_t i, int32_t j, int32_t k);
/// The same of the cell that holds a point; fields of one world may have grids of their own.
int64_t dew_field_view_at(const dew_FieldView *view, dew_Vec3 point_m);
/// The way back: the cell of an index of a brick field; 0, 0, 0 for columns, whose index has gaps.
void dew_field_view_cell(const dew_FieldView *view, int64_t index, int32_t cell[3]);
/// Where the value of cell (i, j, k) sits. Columns lie at y = 0.
dew_Vec3 dew_field_view_position_m(const dew_FieldView *view, int32_t i, int32_t j, int32_t k);
/// A value of any type as a double.
double dew_field_view_value(const dew_FieldView *view, int64_t index);
double dew_array_view_value(const dew_ArrayView *view, int64_t index, int component);

/// A box of cells.
typedef struct dew_CellBox {
    int32_t min[3];   // first cell
    int32_t size[3];  // cells along x, y, z; columns: along x, 1, along z
} dew_CellBox;

/// The smallest box around all values; empty when there are none.
dew_CellBox dew_field_view_box(const dew_FieldView *view);
/// Copies a box of cells to out[size z][size y][size x]; cells that are not there become `missing`.
/// count: capacity of `out`, at least the box's cells.
dew_Status dew_field_view_copy(const dew_FieldView *view, const dew_CellBox *box, double *out,
                               int64_t count);

// ---- functions of space ------------------------------------------------------------------------

/// Signed distance to a shape, negative inside; it must not change faster than position does.
/// Called from several threads at once.
typedef struct dew_DistanceField {
    double (*distance_m)(void *context, dew_Vec3 point_m);  // NULL: there is no shape
    void *context;
} dew_DistanceField;

/// Where the lower faces of one brick are: that of cell (i, j, k) towards smaller x has its middle
/// at corner_m + cell_m (i, j + 1/2, k + 1/2).
typedef struct dew_BrickFaces {
    dew_Vec3 corner_m;
    double cell_m;
    int32_t dimensions;
    int32_t size[3];
} dew_BrickFaces;

/// A velocity as a function of place and time; one of the two functions is given. Called from
/// several threads at once.
typedef struct dew_VelocityField {
    dew_Vec3 (*velocity_m_s)(void *context, dew_Vec3 point_m, double time_s);
    /// Quicker, for all lower faces of a brick: component a of cell (i, j, k) into
    /// u_m_s[a][i + size x (j + size y k)].
    void (*faces_m_s)(void *context, const dew_BrickFaces *faces, double time_s,
                      double *const *u_m_s);
    void *context;
} dew_VelocityField;

/// A box of cells, and the threads that work on it: what the objects below have in common.
typedef struct dew_BoxDef {
    int32_t dimensions;  // 2 or 3
    int32_t cells[3];    // along x, y, z; in two dimensions the last is 1
    double cell_m;
    dew_Vec3 min_m;    // lower corner
    int thread_count;  // 0: one per core
    dew_TaskHost task_host;
    dew_Allocator allocator;
} dew_BoxDef;

// ---- level sets --------------------------------------------------------------------------------

/// Liquid behind a level set: phi is the signed distance to the surface, negative in the liquid,
/// within a band of five cells; farther away it is the band's width with the right sign.
typedef struct dew_LevelSet dew_LevelSet;

/// How a level set is advected.
typedef enum dew_AdvectionScheme {
    DEW_ADVECT_WENO,   // WENO5 in space, TVD Runge-Kutta of third order in time: steps below a cell
    DEW_ADVECT_TRACE,  // along characteristics, tricubic: steps of up to five cells
} dew_AdvectionScheme;

/// How a level set is made a distance again.
typedef enum dew_RedistanceMethod {
    DEW_REDISTANCE_CLOSEST,  // closest point by Newton on the tricubic interpolant: the default
    DEW_REDISTANCE_SWEEP,    // fast sweeping [Zhao2005], first order
    DEW_REDISTANCE_MARCH,    // fast marching [Sethian1996], first order, one heap: serial
} dew_RedistanceMethod;

/// What redistancing did.
typedef struct dew_Redistanced {
    int64_t near_count;    // cells of the band
    int64_t failed_count;  // whose closest point was not found; they keep an estimate
} dew_Redistanced;

/// How a level set is made and advected.
typedef struct dew_LevelSetDef {
    dew_BoxDef box;
    bool is_hollow;  // bricks along the surface only, none where all is liquid
    dew_AdvectionScheme scheme;
    int32_t markers_per_cell;  // marker particles that keep volume [Enright2002]; 0: none
    int32_t reseed_steps;      // steps between two reseedings of the markers
    uint32_t cookie;
} dew_LevelSetDef;

/// Three dimensions, filled, DEW_ADVECT_TRACE, no markers, reseeded every 20 steps; the box is to
/// be set.
dew_LevelSetDef dew_default_level_set_def(void);

/// A level set of the shape; shape NULL: without liquid. *out is NULL unless DEW_OK.
dew_Status dew_level_set_create(const dew_LevelSetDef *def, const dew_DistanceField *shape,
                                dew_LevelSet **out);
void dew_level_set_destroy(dew_LevelSet *level_set);

/// One step: bricks follow the surface, phi and markers move with the velocity at time_s for dt_s,
/// markers correct phi, phi becomes a distance again.
dew_Status dew_level_set_advect(dew_LevelSet *level_set, const dew_VelocityField *velocity,
                                double time_s, double dt_s);
/// Measures the stages of dew_level_set_advect from now on, from zero; or no more.
void dew_level_set_time_stages(dew_LevelSet *level_set, bool is_on);
/// Fills at most max_count entries in the order of a step and returns how many stages there are:
/// "bricks", "velocity", "move_markers", "advect", "correct", "redistance", "correct_again",
/// "radii", "seed".
int dew_level_set_stages(const dew_LevelSet *level_set, dew_StageTime *stages, int max_count);
/// Adds liquid where the shape is, with the bricks it needs.
dew_Status dew_level_set_add(dew_LevelSet *level_set, const dew_DistanceField *shape);
/// Sets phi to any function in the bricks there are, as it is: no distance need be.
dew_Status dew_level_set_fill(dew_LevelSet *level_set, const dew_DistanceField *values);
/// Makes phi the distance to its zeros. report may be NULL.
dew_Status dew_level_set_redistance(dew_LevelSet *level_set, dew_RedistanceMethod method,
                                    dew_Redistanced *report);

/// Size of the liquid.
typedef struct dew_LevelSetMeasure {
    double volume_m3, area_m2;  // in two dimensions per metre of depth: m^2 and m
} dew_LevelSetMeasure;
/// Volume and area of the liquid.
dew_Status dew_level_set_measure(dew_LevelSet *level_set, dew_LevelSetMeasure *out);
/// Integral over the surface of a quantity that has a value in each cell, in the order of "phi".
dew_Status dew_level_set_integrate(dew_LevelSet *level_set, const double *values, double *integral);
int64_t dew_level_set_cell_count(const dew_LevelSet *level_set);    // of all bricks
int64_t dew_level_set_marker_count(const dew_LevelSet *level_set);  // marker particles
/// Volume that is in just one of liquid and shape. Adds the shape's bricks to those there are.
dew_Status dew_level_set_difference(dew_LevelSet *level_set, const dew_DistanceField *shape,
                                    double *volume_m3);

/// A connected piece of liquid.
typedef struct dew_LevelSetDrop {
    double volume_m3, area_m2;
    dew_Vec3 center_m;
    int64_t cell_count;  // with phi < 0
} dew_LevelSetDrop;
/// The pieces, in the order of their first cells; valid until the level set changes.
dew_Status dew_level_set_drops(dew_LevelSet *level_set, const dew_LevelSetDrop **drops,
                               int64_t *count);

/// Shifts phi around each piece, by at most limit_m, towards the volumes given: one for each piece
/// of the last dew_level_set_drops. DEW_BAD_INPUT when the liquid has moved since.
dew_Status dew_level_set_correct_volumes(dew_LevelSet *level_set, const double *volumes_m3,
                                         double limit_m);

/// Fields "phi" (m), "curvature" (1/m: sum of the principal curvatures, 2/R for a ball, within two
/// cells of the surface), "velocity_x", "velocity_y", "velocity_z" (m/s, of the last step). Valid
/// until the level set changes.
dew_Status dew_level_set_field(dew_LevelSet *level_set, const char *name, dew_FieldView *out);
/// The values of "phi", to be written; they move when bricks come and go.
double *dew_level_set_phi(dew_LevelSet *level_set);
/// Components x, y, z of the unit normal out of the liquid, within two cells of the surface, else
/// 0; valid until the level set changes.
dew_Status dew_level_set_normals(dew_LevelSet *level_set, dew_FieldView normal[3]);
/// phi of a brick with `pad` (at most 4) cells around it, for stencils: cell (i, j, k) of the brick
/// is tile[(i + pad) + n ((j + pad) + n (k + pad))] with n = 8 + 2 pad. Where a neighbour is
/// missing the nearest value stands in. Several threads may call it at once.
dew_Status dew_level_set_tile(const dew_LevelSet *level_set, int64_t brick, int32_t pad,
                              double *tile);
/// Hash of bricks and phi: the same for the same content.
uint64_t dew_level_set_hash(const dew_LevelSet *level_set);
/// A brick with its key and all its fields as bytes, for exchange between processes; the size of
/// these is the same for all bricks.
int64_t dew_level_set_packed_size(const dew_LevelSet *level_set);
dew_Status dew_level_set_pack(const dew_LevelSet *level_set, int64_t brick, void *bytes);
/// Back into the brick of that key, which must be there.
dew_Status dew_level_set_unpack(dew_LevelSet *level_set, const void *bytes);
/// The isosurface phi = 0 of a level set in three dimensions.
dew_Status dew_level_set_surface(dew_LevelSet *level_set, dew_Surface *out);

// ---- flow in a box -----------------------------------------------------------------------------

/// Liquid in a box, with solid walls, viscosity, pressure and, if wanted, a free surface that stays
/// where it is.
typedef struct dew_Flow dew_Flow;

/// Box, walls and liquid of a flow.
typedef struct dew_FlowDef {
    dew_BoxDef box;
    dew_DistanceField solid;          // distance to solids, > 0 outside of them; none: no walls but
                                      // the sides of the box, at rest, with free slip
    dew_VelocityField wall_velocity;  // of the solids; none: at rest
    double slip_m;                    // slip length of the solids; 0: no slip, INFINITY: free slip
    double density_kg_m3;
    double viscosity_Pa_s;
    uint32_t cookie;
} dew_FlowDef;

/// Three dimensions, water, no slip; the box is to be set.
dew_FlowDef dew_default_flow_def(void);

/// At rest, full of liquid. Bricks reach eight cells beyond the box when there are solids, which
/// those cells are to be.
dew_Status dew_flow_create(const dew_FlowDef *def, dew_Flow **out);
void dew_flow_destroy(dew_Flow *flow);

/// Liquid where the shape is; the air beyond has pressure 0.
dew_Status dew_flow_set_liquid(dew_Flow *flow, const dew_DistanceField *shape);
/// The velocity now; on faces in solids that of the solids.
dew_Status dew_flow_set_velocity(dew_Flow *flow, const dew_VelocityField *velocity);

/// One step: advection along characteristics, viscosity, pressure. Half of what pressure and
/// viscosity do acts before the liquid moves and is carried along, half after: second order in time
/// but for viscosity, which is of first order.
dew_Status dew_flow_step(dew_Flow *flow, double dt_s);
/// Advection alone: the velocity is carried along with itself, on ways that follow it linearly
/// between faces (dew_flow_step: by cubics).
dew_Status dew_flow_advect(dew_Flow *flow, double dt_s);
/// Viscosity alone, implicit.
dew_Status dew_flow_diffuse(dew_Flow *flow, double dt_s);

/// How the pressure is solved for.
typedef struct dew_ProjectDef {
    double dt_s;
    int32_t corrections;  // of the pressure's gradient at the free surface: 0 or 1
    double min_fraction;  // least distance between a cell and the surface, in cells
    double tolerance;     // relative residual
    bool is_checked;      // measure the divergence that is left
    uint32_t cookie;      // set by dew_default_project_def
} dew_ProjectDef;
/// What a projection did.
typedef struct dew_ProjectReport {
    int32_t iterations;
    double divergence_m_s;  // largest sum of a liquid cell's outward velocities, if is_checked
    int64_t liquid_cells;
} dew_ProjectReport;
/// A step of 1 s, no corrections, residual and least distance of the solvers, no check.
dew_ProjectDef dew_default_project_def(void);
/// Makes the velocity free of divergence in the liquid, by a pressure.
dew_Status dew_flow_project(dew_Flow *flow, const dew_ProjectDef *def, dew_ProjectReport *report);

double dew_flow_time_s(const dew_Flow *flow);       // of all steps
int64_t dew_flow_iterations(const dew_Flow *flow);  // of the pressure, in all steps

/// Fields "velocity_x", "velocity_y", "velocity_z" (m/s, on faces), "pressure" (Pa), "phi" (m,
/// negative in the liquid), "solid" (m, distance to solids), and after a projection "is_liquid" (1
/// in liquid cells) and "is_known_x", "is_known_y", "is_known_z" (1 on faces whose velocity liquid
/// or wall determine). Valid until the flow is destroyed.
dew_Status dew_flow_field(const dew_Flow *flow, const char *name, dew_FieldView *out);
/// The same as doubles to be written: velocities, pressure and phi. NULL: there is no such field.
double *dew_flow_values(dew_Flow *flow, const char *name);

// ---- Poisson's equation ------------------------------------------------------------------------

/// Poisson's equation on the liquid cells of a sparse grid, matrix-free:
///
///   sum over faces of w (p(cell) - p(neighbour)) = b(cell),
///
/// which is -h^2 times the Laplacian for w = 1. w is the open part of a face's area. Cells with phi
/// < 0 have an equation; at the free surface, where phi puts it between two cells, p is 0, second
/// order in p [Gibou2002]. The sides of the box, extended to whole bricks, are walls. In liquid
/// without a free surface the mean of p is 0.
typedef struct dew_PoissonSolver dew_PoissonSolver;

/// How the equations are solved.
typedef enum dew_PoissonMethod {
    DEW_POISSON_MULTIGRID,  // conjugate gradients around a V-cycle: for all but comparison
    DEW_POISSON_MIC0,  // conjugate gradients, incomplete Cholesky: sequential, good for small drops
    DEW_POISSON_JACOBI,  // conjugate gradients, diagonal
    DEW_POISSON_SOR,     // red-black over-relaxation, no conjugate gradients
} dew_PoissonMethod;

/// Box, liquid and tolerance.
typedef struct dew_PoissonSolverDef {
    dew_BoxDef box;
    dew_DistanceField liquid;  // none: the box is full
    double min_fraction;  // least distance between a cell and the surface, in cells; 1: first order
    dew_PoissonMethod method;
    double tolerance;  // relative residual |b - A p| / |b|
    int32_t max_iterations;
    uint32_t cookie;
} dew_PoissonSolverDef;
/// Three dimensions, multigrid, residual and least distance of the solvers; the box is to be set.
dew_PoissonSolverDef dew_default_poisson_solver_def(void);

/// Bricks where the liquid is and around it. p and b are 0. *out is NULL unless DEW_OK.
dew_Status dew_poisson_solver_create(const dew_PoissonSolverDef *def, dew_PoissonSolver **out);
void dew_poisson_solver_destroy(dew_PoissonSolver *solver);

/// Fields "phi" (m), "b", "p", "open_x", "open_y", "open_z" (open part of lower faces; there once
/// their values were asked for). Valid until the solver is destroyed.
dew_Status dew_poisson_solver_field(const dew_PoissonSolver *solver, const char *name,
                                    dew_FieldView *out);
/// Their values, to be written; open parts are 1 at first. NULL: there is no such field, or no
/// memory.
double *dew_poisson_solver_values(dew_PoissonSolver *solver, const char *name);

/// Makes the equations from phi and the open parts as they are now.
dew_Status dew_poisson_solver_assemble(dew_PoissonSolver *solver);
/// What a solution took.
typedef struct dew_PoissonReport {
    int32_t iterations;
    double residual;  // |b - A p| / |b|, from p itself
} dew_PoissonReport;
/// Solves for p from the p there is; to be assembled before. DEW_DIVERGED: the tolerance is not
/// reached in max_iterations. report may be NULL.
dew_Status dew_poisson_solver_solve(dew_PoissonSolver *solver, dew_PoissonReport *report);

/// Size of the equations as assembled.
typedef struct dew_PoissonSize {
    int64_t cell_count;    // equations
    int64_t brick_count;   // with liquid
    int64_t vector_count;  // values of a vector: all cells of these bricks
} dew_PoissonSize;
/// The size; all 0 before the first assembly.
dew_PoissonSize dew_poisson_solver_size(const dew_PoissonSolver *solver);

/// For iterations of one's own there are vectors of the equations, in an order of their own, 0
/// where there is no equation. From a field to a vector, and the way back, which leaves other cells
/// as they are.
dew_Status dew_poisson_solver_gather(const dew_PoissonSolver *solver, const double *values,
                                     double *vector);
dew_Status dew_poisson_solver_scatter(const dew_PoissonSolver *solver, const double *vector,
                                      double *values);
/// y = A x
dew_Status dew_poisson_solver_apply(dew_PoissonSolver *solver, const double *x, double *y);
/// z = one V-cycle for A z = r, from zero: symmetric, a preconditioner.
dew_Status dew_poisson_solver_cycle(dew_PoissonSolver *solver, const double *r, double *z);

// ---- isosurfaces -------------------------------------------------------------------------------

/// Samples on a dense block of nodes, x fastest.
typedef struct dew_SampleBlock {
    const double *values;
    int64_t counts[3];  // along x, y, z
    dew_Vec3 origin_m;  // of the first node
    double spacing_m;
    double iso;  // the surface's value; less is inside
} dew_SampleBlock;

/// The isosurface by marching cubes, closed at the outermost nodes.
dew_Status dew_surface_from_samples(const dew_SampleBlock *block, dew_Surface *out);

#ifdef __cplusplus
}
#endif
