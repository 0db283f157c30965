/// State of the solver `shallow`: columns of liquid over the ground, on a staggered grid in the
/// plane.
///
///     y |        eta = b + D          x: along a row.  z: from row to row.  y: up, no cells.
///       |   ______                    D: depth of a column, at the centre of its cell.
///       |  | D    |____               b: height of the ground.  eta: height of the surface.
///       |__|_b____|____|___ x         u, w: mean velocity, on the faces towards smaller x and z.
///
/// [Wong2006, section 2.2] has the same layout. One dimension: one row, w = 0. phi: signed distance
/// from the contact line in the plane, at cell centres, negative where the ground is wet; exact
/// near the contact line, at most far_m in magnitude.
///
/// Two solvers share this state, its sources, measure and mesh:
///     waves/   shallow-water equations without surface tension, four models (waves/waves.h)
///     films/   drops with surface tension and contact angles (films/thin_film.h)
#pragma once

#include "solvers/solver.h"

#include <math.h>

#define DEW_SHALLOW_GHOST 2   // ghost cells beyond each side, mirrored: the reach of limited slopes
#define DEW_SHALLOW_BLOCK 32  // cells of a row that are active together: some vector registers
#define DEW_SHALLOW_ROWS  8   // rows per parallel chunk
#define DEW_SHALLOW_BAND  4   // cells from the contact line in which phi is a distance

/// Drag coefficient of wind over water, of rho_air |a| a [Smith1980], as over the sea.
#define DEW_SHALLOW_WIND_DRAG 1.3e-3

/// Parameters of what waves and films share: ground, sources, initial liquid, mesh. Lengths in
/// cells unless said.
typedef struct dew_ShallowShared {
    // Depth below which a column is at rest. Valid below 1e-3; the volume of such columns is
    // counted all the same.
    double dry_cells;
    // Points per axis at which a cell samples a shape that is poured. Valid from 1; area error
    // below 1 / cell_samples of a cell along the outline.
    int cell_samples;
    // Points on a vertical chord of a shape without formula. Valid from 2; gaps thinner than 1 /
    // 32 of the shape count as liquid.
    int chord_samples;
    // Bisections of an end of such a chord: its error is 2^-30 of a sample distance.
    int chord_bisections;
    // Bisections of the shore on steep ground, for the mesh: its error is 2^-12 of a cell.
    int shore_bisections;
    // A difference of the ground over a face is a step when the slopes on both sides leave more
    // than this part of it unexplained. Valid: 0 (all is steps) to 1 (none is). Test: validate
    // shallow_lake.
    double sill_ratio;
    // Least radius of the disk of an inflow. Valid from sqrt(1/2), so that it covers a cell
    // centre.
    double min_inflow_cells;
    // Depth from which liquid is in the mesh. Valid below 1. Affects the mesh only.
    double shown_cells;
    // The same as a part of the deepest column; the less of both holds. Affects the mesh only.
    double shown_ratio;
    // Neighbours, of eight, that a thin column of the mesh must have. Affects the mesh only.
    int shown_neighbours;
    // Slope of the ground beyond which the mesh takes the depth, not phi. Affects the mesh only.
    double steep_slope;
    // |phi| given to a column whose depth contradicts phi. Valid: above 0, below 0.5.
    double contradicted_phi;
    // Of the rise of the ground over a cell: differences of level below this part of it are kept
    // as they are, so that a lake at rest stays at rest. Valid: above rounding, below 0.5. Test:
    // validate shallow_lake.
    double level_ratio;
} dew_ShallowShared;
static const dew_ShallowShared dew_shallow_shared = {
    .dry_cells = 1e-6,
    .cell_samples = 4,
    .chord_samples = 33,
    .chord_bisections = 30,
    .shore_bisections = 12,
    .sill_ratio = 0.5,
    .min_inflow_cells = 0.75,
    .shown_cells = 0.05,
    .shown_ratio = 0.1,
    .shown_neighbours = 2,
    .steep_slope = 1.25,
    .contradicted_phi = 0.1,
    .level_ratio = 0.02,
};

typedef struct dew_ShallowGrid {
    int columns, rows;        // cells along x and z
    int stride;               // numbers from row to row
    int64_t count;            // numbers of an array, ghosts included
    bool has_z;               // two dimensions
    double dx_m, dz_m;        // of a cell; in one dimension dz is the width of the canal
    double min_x_m, min_z_m;  // corner of the first cell
    double cell_m2;
} dew_ShallowGrid;

/// Index of a cell, and of its faces towards smaller x and z.
static inline int64_t dew_shallow_at(const dew_ShallowGrid *grid, int column, int row)
{
    return (int64_t)(row + DEW_SHALLOW_GHOST) * grid->stride + column + DEW_SHALLOW_GHOST;
}
static inline double dew_shallow_x(const dew_ShallowGrid *grid, int column)
{
    return grid->min_x_m + (column + 0.5) * grid->dx_m;
}
static inline double dew_shallow_z(const dew_ShallowGrid *grid, int row)
{
    return grid->min_z_m + (row + 0.5) * grid->dz_m;
}

typedef enum dew_ShallowModel {
    DEW_SHALLOW_FINITE_DIFFERENCE,
    DEW_SHALLOW_FINITE_VOLUME,
    DEW_SHALLOW_SEMI_LAGRANGIAN,  // finite volumes, velocities advected semi-Lagrangian
    DEW_SHALLOW_LEVEL_SET,
} dew_ShallowModel;

/// Parameters of the scene.
typedef struct dew_ShallowParams {
    dew_ShallowModel model;
    bool is_semi_lagrangian;    // velocities are advected along paths, not by fluxes
    bool has_differences;       // velocities of finite-volume by upwind differences, not by fluxes
    bool is_balanced;           // dry ground that stands above the liquid holds it as a wall does
    double cfl;                 // Courant number of the step
    double rho_kg_m3, nu_m2_s;  // density, kinematic viscosity
    double sigma_N_m;           // surface tension
    double drag;                // of the bed: -drag |u| u / D
    double dry_m;               // thinner columns are at rest
    double far_m;               // bound of |phi|
    bool is_open[DEW_SIDE_COUNT];  // sides over which liquid leaves
    bool is_ground_moving;
    bool has_fronts;  // wave fronts on dry ground are tracked, see waves/wetting_front.c
} dew_ShallowParams;

/// Cells [begin, end) of a row that a step works on. All columns beyond them are dry and at rest.
typedef struct dew_WaveRun {
    int begin, end;
} dew_WaveRun;

/// Arrays of the state, one number per cell or face: X(type, name, name in checkpoints; NULL:
/// derived). `ground` is saved when it moves. Units: m, m/s.
///
///     phi             of the model level-set; other models derive it from the depth for output
///     slip            slip length of the ground
///     rise            of the ground over a cell
///     sill_x, sill_z  height of a step of the ground on a face; -HUGE_VAL: there is none
#define DEW_SHALLOW_ARRAYS(X)                                                                      \
    X(double, depth, "depth")                                                                      \
    X(double, u, "velocity_x")                                                                     \
    X(double, w, "velocity_z")                                                                     \
    X(double, phi, "distance")                                                                     \
    X(double, ground, "ground")                                                                    \
    X(double, slip, NULL)                                                                          \
    X(double, rise, NULL)                                                                          \
    X(double, sill_x, NULL)                                                                        \
    X(double, sill_z, NULL)

/// A saved array in the list of fields.
#define DEW_SHALLOW_FIELD_TYPE(type)                                                               \
    _Generic((type *)0, double * : DEW_FIELD_F64, int32_t * : DEW_FIELD_I32)
static inline void dew_shallow_add_field(dew_FieldList *list, const char *name, dew_FieldType type,
                                         void *block, int64_t count)
{
    list->field[list->count++] = (dew_Field){
        .name = name, .type = type, .components = 1, .block = block, .block_count = count};
}

/// Arrays of a step, kept between steps so that none allocates: X(type, name). Outside of the runs
/// velocities and fluxes are 0.
///
///     u, w                    velocities that advect: after half a kick
///     flux, cross             volume per time and width through the faces of u and w, m^2/s
///     outflow_fraction        part of its outflow that a cell can afford, 0..1
///     head                    pressure besides gravity's over density, m^2/s^2, if has_head
///     low                     lowest surface that a column can have, m: see waves/wave_pressure.c
///     psi, distance           scratch of the level set, at cells
///     shoreline_u, _w         velocity of the contact line at cells, m/s; 0 outside of the band
///     front_u, _w             velocity of a wave front on faces, and whether the face has one
///     in_band, is_known       flags of cells of the band
#define DEW_SHALLOW_WORK_ARRAYS(X)                                                                 \
    X(double, u)                                                                                   \
    X(double, w)                                                                                   \
    X(double, flux)                                                                                \
    X(double, cross)                                                                               \
    X(double, outflow_fraction)                                                                    \
    X(double, head)                                                                                \
    X(double, low)                                                                                 \
    X(double, psi)                                                                                 \
    X(double, distance)                                                                            \
    X(double, shoreline_u)                                                                         \
    X(double, shoreline_w)                                                                         \
    X(double, front_u)                                                                             \
    X(double, front_w)                                                                             \
    X(uint8_t, is_front_u)                                                                         \
    X(uint8_t, is_front_w)                                                                         \
    X(uint8_t, is_front_next)                                                                      \
    X(uint8_t, front_kind)                                                                         \
    X(uint8_t, in_band)                                                                            \
    X(uint8_t, is_known)                                                                           \
    X(uint8_t, is_known_next)

/// Sums over a row, of the measure.
enum dew_ShallowSum {
    DEW_SUM_VOLUME,
    DEW_SUM_AREA,
    DEW_SUM_KINETIC,
    DEW_SUM_X,
    DEW_SUM_Y,
    DEW_SUM_Z,
    DEW_SUM_VX,
    DEW_SUM_VZ,
    DEW_SUM_WET,
    DEW_SUM_TOP,    // largest
    DEW_SUM_SPEED,  // largest
    DEW_SHALLOW_SUMS,
};

#define DEW_DECLARE_ARRAY(type, name)          type *name;
#define DEW_DECLARE_SAVED_ARRAY(type, name, s) type *name;
typedef struct dew_ShallowWork {
    DEW_SHALLOW_WORK_ARRAYS(DEW_DECLARE_ARRAY)
    bool has_head;
    uint8_t *is_wet, *is_active, *was_active;  // per row and block
    int blocks;                                // per row
    dew_WaveRun *runs;                         // max_runs per row
    int *run_count;                            // per row
    int max_runs;
    int32_t *band;    // cells of the band around the contact line: their columns, `columns` per row
    int *band_count;  // per row
    double *row_sum;  // DEW_SHALLOW_SUMS per row
} dew_ShallowWork;

struct dew_SolverState {
    dew_Allocator allocator;
    dew_Tasks *tasks;
    dew_ShallowGrid grid;
    dew_ShallowParams params;
    dew_Arena arena;  // all arrays
    DEW_SHALLOW_ARRAYS(DEW_DECLARE_SAVED_ARRAY)
    double fastest_Hz;  // the fastest signal's cells per second, see dew_wave_max_step
    double fastest_g;   // gravity for which it holds; NaN: not known
    dew_ShallowWork work;
    struct dew_ThinFilm *film;  // of the solver films; NULL: the solver is waves
};

/// Gravity as the plane feels it.
typedef struct dew_ShallowGravity {
    double g;       // onto the ground, > 0 downwards
    double gx, gz;  // along it: a tilted pane
} dew_ShallowGravity;
static inline dew_ShallowGravity dew_shallow_gravity(const dew_Instant *instant)
{
    dew_Vec3 a = instant->gravity_m_s2;
    return (dew_ShallowGravity){-a.y, a.x, a.z};
}

/// What the stages of a step share.
typedef struct dew_ShallowFlow {
    const dew_Problem *problem;
    dew_SolverState *state;
    dew_Step *step;
    dew_ShallowGravity gravity;
    double dt_s;
    bool is_centred;          // fluxes are those of the middle of the step; else of its beginning
    double outflow_fraction;  // weight of this stage's outflow over the sides in the step's
} dew_ShallowFlow;

/// Runs fn over all rows; bit-identical for any number of workers.
static inline dew_Status dew_shallow_rows(const dew_SolverState *state, dew_ChunkFn *fn,
                                          void *context)
{
    return dew_parallel_for(state->tasks, state->grid.rows, DEW_SHALLOW_ROWS, fn, context);
}

// ---- shallow_window.c
// ----------------------------------------------------------------------------

/// A part of the grid: columns [begin_x, end_x), rows [begin_z, end_z).
typedef struct dew_ShallowWindow {
    int begin_x, end_x, begin_z, end_z;
} dew_ShallowWindow;
dew_ShallowWindow dew_shallow_whole(const dew_ShallowGrid *grid);
/// The window wider by some cells, clipped to the domain.
dew_ShallowWindow dew_shallow_wider(const dew_ShallowGrid *grid, dew_ShallowWindow window,
                                    int cells);
/// The cells that a box covers, in part or whole.
dew_ShallowWindow dew_shallow_window(const dew_ShallowGrid *grid, dew_Box box_m);
void dew_shallow_fill(const dew_ShallowGrid *grid, dew_ShallowWindow window, double value,
                      double *out);
/// Ghost values of an array at cells: mirrored.
void dew_shallow_mirror(const dew_SolverState *state, double *cells);

// ---- shallow_ground.c, shallow_pouring.c, shallow_inflow.c
// ---------------------------------------

dew_Status dew_shallow_make_ground(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Instant *instant);
/// The steps of the present ground.
dew_Status dew_shallow_find_sills(dew_SolverState *state);

dew_Status dew_shallow_pour(const dew_Problem *problem, dew_SolverState *state,
                            const dew_Instant *instant, const dew_Blob *blob);
/// Adds the depths in work.psi, which move with this velocity, to the columns of a window.
void dew_shallow_add_depth(dew_SolverState *state, dew_ShallowWindow window, dew_Vec3 velocity_m_s);

/// Volume that disks and condensation add in the step; volume that sinks remove.
dew_Status dew_shallow_inflow(dew_ShallowFlow *flow);
void dew_shallow_sinks(dew_ShallowFlow *flow);

// ---- shallow_measure.c, height_mesh.c
// ------------------------------------------------------------

/// Exact sum over the rows of one of the numbers that each of them has.
double dew_shallow_row_total(const dew_SolverState *state, int which);
void dew_shallow_measure(const dew_Problem *problem, const dew_SolverState *state,
                         const dew_Instant *instant, dew_Measure *out);
/// A closed surface, flat where the liquid ends.
dew_Status dew_shallow_surface(const dew_Problem *problem, const dew_SolverState *state,
                               const dew_Instant *instant, dew_Surface *out);
