/// State of the solver `shallow`: columns of liquid over the ground, on a staggered grid in the plane.
///
/// x runs along a row, z from row to row, y is up and has no cells. A column is its depth D over the ground
/// b at the middle of a cell; its surface is eta = b + D. Velocities are means over the column, on faces: u on
/// the face towards smaller x, w on the face towards smaller z [Wong2006, section 2.2]. In one dimension there
/// is one row and w is 0.
///
/// The contact line is where phi = 0; phi is the signed distance from it at the middles of cells, negative
/// where the ground is wet, exact near the line and no larger than far_m in magnitude.
///
/// The order of a step is in step.c. Two places are kept for what surface tension needs: `head`, a pressure
/// besides gravity's, and the velocity of the contact line in line.c.
#pragma once

#include "solvers/solver.h"

#include <math.h>

#define DEW_SHALLOW_GHOST 2   // cells around the domain; those beyond a side mirror those inside
#define DEW_SHALLOW_BLOCK 32  // cells of a row that are worked on, or passed over, together
#define DEW_SHALLOW_ROWS  8   // of a parallel chunk
#define DEW_SHALLOW_BAND  4   // cells from the contact line in which distances are kept

typedef struct dew_ShallowGrid {
    int columns, rows;        // cells along x and z
    int stride;               // numbers from row to row
    int64_t count;            // numbers of an array, ghosts included
    bool has_z;               // two dimensions
    double dx_m, dz_m;        // of a cell; in one dimension dz is the width of the canal
    double min_x_m, min_z_m;  // corner of the first cell
    double cell_m2;
} dew_ShallowGrid;

/// Index of a cell; of the face below it in x or z.
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
    DEW_SHALLOW_SEMI_LAGRANGIAN,  // finite volumes, velocities carried semi-Lagrangian
    DEW_SHALLOW_LEVEL_SET,
} dew_ShallowModel;

/// Constants of a run.
typedef struct dew_ShallowLaws {
    dew_ShallowModel model;
    bool is_semi_lagrangian;    // velocities are carried along paths, not by fluxes
    bool has_differences;       // velocities of finite-volume: differences, not fluxes
    bool is_balanced;           // dry ground that stands above the liquid holds it as a wall does
    double cfl;                 // of the step
    double rho_kg_m3, nu_m2_s;  // density, kinematic viscosity
    double sigma_N_m;           // surface tension
    double drag;                // of the bed: -drag |u| u / D
    double dry_m;               // thinner is at rest
    double far_m;               // |phi| is no larger
    bool is_open[DEW_SIDE_COUNT];  // sides over which liquid leaves
    bool is_ground_moving;
    bool has_tips;  // of waves on dry ground, see tip.c
} dew_ShallowLaws;

/// Runs of cells in a row, begin and end, that a step works on. Beyond them all is dry and at rest.
typedef struct dew_ShallowRun {
    int begin, end;
} dew_ShallowRun;

/// What a step needs and no one else: kept between steps so that none allocates. Outside of the runs u, w and
/// the fluxes are 0.
typedef struct dew_ShallowWork {
    double *u, *w;         // velocities that carry: kicked by half a step
    double *flux, *cross;  // volume per time and width through the faces of u and w, m^2/s
    double *share;         // of a cell's outflow that it can afford, 0..1
    double *head;  // pressure besides gravity's over density, m^2/s^2, at cells; see has_head
    bool has_head;
    uint8_t *is_wet, *is_active, *was_active;  // per row and block
    int blocks;                                // per row
    dew_ShallowRun *runs;                      // max_runs per row
    int *run_count;                            // per row
    int max_runs;
    double *low;  // lowest surface that a column can have, m: see pressure.c
    double *psi;  // at cells: see line.c
    // The band around the contact line: its cells' columns, row by row; what is known of them.
    int32_t *band;    // `columns` per row
    int *band_count;  // per row
    uint8_t *in_band, *is_known, *is_known_next;
    double *line_u, *line_w;  // velocity of the line at cells, m/s: 0 outside of the band
    double *distance;
    // Velocity of the line on faces where it is the tip of a wave, see tip.c.
    double *tip_u, *tip_w;
    uint8_t *is_tip_u, *is_tip_w, *is_tip_next, *tip_kind;
    double *row_sum;  // DEW_SHALLOW_SUMS per row: of the measure, of what leaves
} dew_ShallowWork;
#define DEW_SHALLOW_SUMS 16

struct dew_SolverState {
    dew_Allocator allocator;
    dew_Tasks *tasks;
    dew_ShallowGrid grid;
    dew_ShallowLaws laws;
    dew_Arena arena;  // all arrays
    double *depth;    // D, m
    double *u, *w;    // m/s
    double *phi;      // m; of the model level-set: the others derive it from the depth for output
    double *ground;   // b, m
    double *slip;     // slip length of the ground, m
    double *rise;     // of the ground over a cell, m
    // Faces over which the ground steps up or down: its height there, else -HUGE_VAL.
    double *sill_x, *sill_z;
    double fastest_Hz;  // the fastest signal's cells per second, see dew_shallow_max_step
    double fastest_g;   // gravity for which it holds; NaN: not known
    dew_ShallowWork work;
    struct dew_Film *film;  // drops, see film.h; NULL: tension is not felt
};

/// Gravity as the plane feels it.
typedef struct dew_ShallowGravity {
    double g;       // onto the ground, > 0 downwards
    double gx, gz;  // along it: a tilted pane
} dew_ShallowGravity;
static inline dew_ShallowGravity dew_shallow_gravity(const dew_Moment *moment)
{
    dew_Vec3 a = moment->gravity_m_s2;
    return (dew_ShallowGravity){-a.y, a.x, a.z};
}

/// A step on its way: what its stages share.
typedef struct dew_ShallowFlow {
    const dew_Problem *problem;
    dew_SolverState *state;
    dew_Step *step;
    dew_ShallowGravity gravity;
    double dt_s;
    bool is_centred;       // fluxes are those of the middle of the step; else of its beginning
    double leaving_share;  // of the step's flux over the sides
} dew_ShallowFlow;

/// Runs fn over all rows; same bits on any number of workers.
static inline dew_Status dew_shallow_rows(const dew_SolverState *state, dew_ChunkFn *fn,
                                          void *context)
{
    return dew_parallel_for(state->tasks, state->grid.rows, DEW_SHALLOW_ROWS, fn, context);
}

/// runs.c: what of the rows is wet or may become so in a step.
void dew_shallow_find_runs(dew_SolverState *state);
static inline const dew_ShallowRun *dew_shallow_runs(const dew_SolverState *state, int row)
{
    return state->work.runs + (int64_t)row * state->work.max_runs;
}

/// ground.c
dew_Status dew_shallow_make_ground(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Moment *moment);
/// The steps of the ground as it is.
dew_Status dew_shallow_find_sills(dew_SolverState *state);
/// moving_ground.c: the ground as it is at the end of the step, and what it does to the columns.
dew_Status dew_shallow_move_ground(dew_ShallowFlow *flow);
/// Ghosts of an array at cells: mirrored.
void dew_shallow_mirror(const dew_SolverState *state, double *cells);

/// A part of the grid: columns [begin_x, end_x), rows [begin_z, end_z).
typedef struct dew_ShallowWindow {
    int begin_x, end_x, begin_z, end_z;
} dew_ShallowWindow;
dew_ShallowWindow dew_shallow_whole(const dew_ShallowGrid *grid);
/// The window wider by some cells, as far as the domain goes.
dew_ShallowWindow dew_shallow_wider(const dew_ShallowGrid *grid, dew_ShallowWindow window,
                                    int cells);

void dew_shallow_fill(const dew_ShallowGrid *grid, dew_ShallowWindow window, double value,
                      double *out);

/// pouring.c
dew_Status dew_shallow_pour(const dew_Problem *problem, dew_SolverState *state,
                            const dew_Moment *moment, const dew_Blob *blob);
/// The cells that a box covers, in part or whole.
dew_ShallowWindow dew_shallow_window(const dew_ShallowGrid *grid, dew_Box box_m);
/// Adds the depths in work.psi, which move with this velocity, to the columns of a window.
void dew_shallow_settle(dew_SolverState *state, dew_ShallowWindow window, dew_Vec3 velocity_m_s);

/// inflow.c: what disks and condensation bring in the step, what sinks take.
dew_Status dew_shallow_inflow(dew_ShallowFlow *flow);
void dew_shallow_sinks(dew_ShallowFlow *flow);

/// friction.c: the ground, and the wind over the surface.
dew_Status dew_shallow_friction(dew_ShallowFlow *flow);

/// pressure.c: gravity and `head` over a part of the step, on (u, w); before: the same velocities as they were
/// earlier in the step, in other arrays.
dew_Status dew_shallow_kick(dew_ShallowFlow *flow, double dt_s, const double *before_u,
                            const double *before_w, double *u, double *w);

/// sides.c: velocities on the domain's sides and beyond, of (u, w); fluxes through them by those of work; what
/// leaves by them.
void dew_shallow_sides_velocity(const dew_ShallowFlow *flow, double *u, double *w);
void dew_shallow_sides_flux(dew_ShallowFlow *flow);
double dew_shallow_sides_leaving(const dew_ShallowFlow *flow);  // m^3 in the step

/// volume_flux.c: fluxes by the velocities of work, and the depth they lead to.
dew_Status dew_shallow_move_depth(dew_ShallowFlow *flow);

/// momentum.c: velocities of work carried by the fluxes, into the state; or by upwind differences of velocities, as the paper's
/// finite-volume model has it.
dew_Status dew_shallow_carry_momentum(dew_ShallowFlow *flow);

/// line.c: phi of a window from the depth alone: where no model tracks it.
void dew_shallow_line_from_depth(const dew_SolverState *state, dew_ShallowWindow window);
/// The same where liquid was poured: what was inside the line stays inside, or a steady source would hold it back.
void dew_shallow_line_of_poured(const dew_SolverState *state, dew_ShallowWindow window);
/// Depth below which a column counts as dry for the line.
double dew_shallow_film(const dew_SolverState *state, int64_t n);
/// The line carried by a step.
dew_Status dew_shallow_move_line(dew_ShallowFlow *flow);
/// line_velocity.c: line_u and line_w in the band. What gives the line a velocity of its own changes them afterwards.
dew_Status dew_shallow_line_velocity(dew_SolverState *state);
/// tip.c: the tips of waves on dry ground as a step begins; velocities there, from the depth as it is.
dew_Status dew_shallow_find_tips(dew_ShallowFlow *flow);
static inline bool dew_shallow_is_tip(const dew_SolverState *state, int64_t n)
{
    const dew_ShallowWork *work = &state->work;
    int64_t z = state->grid.stride;
    return work->is_tip_u[n] || work->is_tip_u[n + 1] || work->is_tip_w[n] || work->is_tip_w[n + z];
}
dew_Status dew_shallow_set_tips(dew_ShallowFlow *flow);
/// band.c: finds the band around phi = 0; makes psi a distance there, into phi.
dew_Status dew_shallow_find_band(dew_SolverState *state);
dew_Status dew_shallow_band_distance(dew_SolverState *state);
static inline int32_t *dew_shallow_band(const dew_SolverState *state, int row)
{
    return state->work.band + (int64_t)row * state->grid.columns;
}
/// A cell of the band, and what is done with each of them: same bits on any number of workers when it writes there only.
typedef struct dew_ShallowCell {
    int column, row;
    int64_t n;
} dew_ShallowCell;
typedef void dew_ShallowCellFn(const void *context, dew_ShallowCell cell);
dew_Status dew_shallow_in_band(const dew_SolverState *state, dew_ShallowCellFn *fn,
                               const void *context);
/// sweeping.c: distance to the zeros of psi on the lines from a cell to its neighbours, those given only (NULL: all);
/// INFINITY where there is none.
double dew_shallow_beside(const dew_ShallowGrid *grid, int column, int row, const double *psi,
                          const uint8_t *is_given);
/// Eq. 3.9: the distance from the neighbours' a along x and b along z.
double dew_shallow_eikonal(double a, double b, double dx, double dz);
/// Distances from where psi changes its sign, in a window of equal rows.
void dew_shallow_sweep(const dew_ShallowGrid *grid, dew_ShallowWindow window, double far_m,
                       const double *psi, double *phi);

/// semi_lagrangian.c: the velocities of work carried along paths, into the state; the depth too.
dew_Status dew_shallow_carry_velocity(dew_ShallowFlow *flow);
dew_Status dew_shallow_carry_depth(dew_ShallowFlow *flow);

/// runge_kutta.c: the flow of a step in three stages.
dew_Status dew_shallow_runge_kutta(dew_ShallowFlow *flow);

/// step.c
dew_Status dew_shallow_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);
double dew_shallow_max_step(const dew_Problem *problem, const dew_SolverState *state,
                            const dew_Moment *moment, const char **bound);
double dew_shallow_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                 const dew_Moment *moment, double speed_m_s, const char **bound);

/// measure.c
void dew_shallow_measure(const dew_Problem *problem, const dew_SolverState *state,
                         const dew_Moment *moment, dew_Measure *out);
/// height_mesh.c: a closed surface, flat where the liquid ends.
dew_Status dew_shallow_surface(const dew_Problem *problem, const dew_SolverState *state,
                               const dew_Moment *moment, dew_Surface *out);
