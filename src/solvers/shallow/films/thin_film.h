/// Solver `shallow`, films: drops held together by surface tension, with a contact angle at their
/// edge.
///
/// The energy of the liquid is a function of the depth D alone,
///     E = sigma (A - A_ground) + sigma (1 - cos theta) A_wet + potential energy,
/// A: area of the liquid's surface. A_ground: area of the ground under it. A_wet: wetted area.
/// theta: contact angle. Pressure is p = dE/dD, so nothing flows at a minimum of E.
///
///          ___          Transition layer: a column thinner than d counts as wet in part, a(D / d),
///       __/   \__       a(s) = 2 s - s^2 for s < 1, else 1. In equilibrium the surface leaves the
///     _/_ _ _ _ _\_ d   layer at exactly the angle theta. The layer is layer_min_cells to
///    /             \    layer_max_cells wide, by the depth nearby (transition_layer.c).
///
/// Hysteresis is a return mapping on each face of the layer: theta is whatever holds the liquid,
/// within [receding, advancing]; beyond, the face yields at the bound (film_faces.c).
///
/// Tension and gravity are implicit: a step of any length is stable. Each island, columns that can
/// feel one another in a step, is solved by itself (film_island_solve.c); islands at rest sleep.
///
/// A line that moves has the angle of wetting/moving_line.c at the distance down to which columns
/// resolve its wedge (film_line.c).
///
/// Limits: angles up to 70 degrees; no viscous stress between columns, only that of the film on its
/// ground, 3 nu u / D^2; the ground does not move.
#pragma once

#include "solvers/shallow/shallow_state.h"

/// Parameters of films. Lengths in cells unless said.
typedef struct dew_FilmParams {
    // Least width of the transition layer, at the mean angle. Valid from 1: narrower layers pin
    // the contact line to the grid, wider ones swallow small drops.
    double layer_min_cells;
    // Largest width, at the advancing angle. Valid from layer_min_cells. The grid hinders an
    // advancing line by (1 - cos theta) / 4 (pi / 2 / width)^2, see transition_layer.c.
    double layer_max_cells;
    // Height of the layer between both bounds, of the deepest column nearby. Valid: 0 to 1.
    double layer_depth_ratio;
    // Slope of the surface over that of the advancing angle up to which the layer is that of rest.
    // Valid from 1.
    double steep_margin;
    // Columns within which "nearby" is.
    int layer_reach;
    // Of the height of the layer: thinner columns do not flow. Rounding.
    double dry_ratio;
    // Of the height of the layer: the least depth that friction sees. Valid: 0 (a line cannot move
    // over dry ground) to 1. Test: validate shallow_drops sliding_film. 0.1 and 0.5 make a sliding
    // drop 15 % slower and 16 % faster: line_distance_cells belongs to it.
    double min_friction_ratio;
    // Distance from the contact line down to which columns resolve the wedge: where the law of the
    // moving line (wetting/moving_line.c) is asked for the angle. Valid: above 0. Calibrated once:
    // docs/theory/shallow.md.
    double line_distance_cells;
    // Linearisations of tension and line in a step, at most, and the change of the fluxes, of
    // themselves, at which they end. 1: steps longer than about one capillary one slow the line.
    int newton_steps;
    double newton_change;
    // Least diagonal of the preconditioner, of the surface's. Valid: above 0, below 1. Affects
    // speed only.
    double least_stiffness;
    // Drag of a contact line over the viscosity, 3 ln(L / slip length) / angle: what steps of
    // viscous liquids are judged by. Affects the length of steps only.
    double line_drag;
    // Shorter paths of advection are not followed. Valid below cfl.
    double min_path_cells;
    // Cells that liquid may pass in a step. Valid: above 0, up to 1.
    double cfl;
    // Least phi of a dry column beside liquid. Valid: above 0, below 0.5. Affects output only.
    double dry_phi;
    // Steps at rest before an island sleeps.
    int sleep_steps;
    // Layer heights per second: depths of an island at rest change less.
    double sleep_rate_Hz;
    // Of the critical speed of a receding line: one at rest is slower too. Test: validate
    // tanner_film. The least angle, rad, that it is taken for: ground that is wet completely lets
    // no line rest.
    double sleep_speed_ratio;
    double sleep_angle_rad;
    // Times that faces are fixed and the others solved again. Outflow of the last trial is limited
    // to what columns hold.
    int solve_trials;
    // Of the forces: tolerance of conjugate gradients.
    double relative_residual;
    // Of sigma / cell: tolerance of conjugate gradients where forces are small.
    double absolute_residual;
    // Of conjugate gradients; beyond it the step fails and is repeated with half its length.
    int max_iterations;
    // Cells of a box per active cell beyond which only runs are visited. Affects speed only.
    int sparse_ratio;
    // Bound of the factor that fits the heights of the mesh of a drop to its volume. Affects the
    // mesh only.
    double max_stretch;
    // Advancing angle up to which a height field is a good model; beyond it the scene gets a
    // warning.
    double max_angle_deg;
    // Steepest angle of a layer: its width is finite only below 90.
    double steepest_angle_deg;
} dew_FilmParams;
static const dew_FilmParams dew_film_params = {
    .layer_min_cells = 1.5,
    .layer_max_cells = 2.1,
    .layer_depth_ratio = 0.5,
    .steep_margin = 1.2,
    .layer_reach = 8,
    .dry_ratio = 1e-9,
    .min_friction_ratio = 0.25,
    .line_distance_cells = 0.05,
    .newton_steps = 4,
    .newton_change = 0.02,
    .least_stiffness = 0.1,
    .line_drag = 20,
    .min_path_cells = 1e-3,
    .cfl = 0.3,
    .dry_phi = 0.05,
    .sleep_steps = 8,
    .sleep_rate_Hz = 0.02,
    .sleep_speed_ratio = 0.01,
    .sleep_angle_rad = 0.02,
    .solve_trials = 8,
    .relative_residual = 3e-4,
    .absolute_residual = 1e-6,
    .max_iterations = 20000,
    .sparse_ratio = 4,
    .max_stretch = 2,
    .max_angle_deg = 70,
    .steepest_angle_deg = 75,
};

#define DEW_FILM_EDGE                                                                              \
    2  // cells around an island that its solution reads: the stencil of the curvature
#define DEW_FILM_NEVER -1e300  // last_wet_s of ground that was never wet; finite, as World checks

// ---- transition_layer.c: the edge of a drop
// ------------------------------------------------------

/// Height of the layer over which a surface of this angle rises in this width.
double dew_film_layer_height_m(double cos_angle, double width_m);
/// The part of a column that counts as wet, and its derivative by the depth.
static inline double dew_film_wet(double depth, double layer_m)
{
    double s = depth / layer_m;
    return s < 1 ? s * (2 - s) : 1;
}
static inline double dew_film_wet_slope(double depth, double layer_m)
{
    double s = depth / layer_m;
    return s < 1 ? 2 * (1 - s) / layer_m : 0;
}
/// The wedge that the layer stands for: the depth, extrapolated below the layer at the slope of the
/// surface above it. 0 where the drop appears to end, negative beyond. steepness:
/// dew_film_steepness of the angle.
double dew_film_wedge_m(double depth, double layer_m, double steepness);
/// Correction of the layer's shape for steep surfaces; 0 for small angles.
double dew_film_steepness(double cos_angle);

// ---- what an island is given
// ---------------------------------------------------------------------

/// Gravity, and the shear of the wind on the surface, N/m^2. A change wakes all islands.
typedef struct dew_FilmForces {
    dew_ShallowGravity gravity;
    double shear_x, shear_z;
} dew_FilmForces;

/// Liquid, forces and time of a step.
typedef struct dew_FilmForcing {
    double rho_kg_m3, nu_m2_s, sigma_N_m;
    dew_FilmForces forces;
    double dt_s, time_s;
    double line_distance_m;
} dew_FilmForcing;

/// Arrays of the grid, as in shallow_state.h. Islands read the first group and write the second,
/// each its own cells.
typedef struct dew_FilmArrays {
    const double *depth, *u, *w, *ground, *slip;
    const double *cos_receding, *cos_advancing, *cos_wet_advancing;  // of the ground
    const int32_t *line_kind;  // law of the moving line, dew_DynamicAngle
    const double *slip_length_m, *jump_length_m, *jump_frequency_Hz;  // its parameters
    const double *yield_N_m;      // bound of the tension of a receding line; INFINITY: none
    const double *layer_m;        // height of the transition layer
    const double *dries_after_s;  // how long the ground stays wet
    const double *last_wet_s;     // time when it was wet; DEW_FILM_NEVER
    double *next_depth, *next_u, *next_w;
} dew_FilmArrays;

typedef struct dew_FilmRun {
    int row, begin, end;
} dew_FilmRun;

/// Active columns that are connected: wet ones and those beside them.
typedef struct dew_FilmIsland {
    int32_t first_run, run_count;
    int min_x, max_x, min_z, max_z;  // of its active cells, max inclusive
    int64_t cells;
    bool is_asleep;
} dew_FilmIsland;

typedef struct dew_FilmIslands {
    dew_FilmRun *runs;  // sorted by island, then by row
    dew_FilmIsland *island;
    int32_t run_count, island_count;
} dew_FilmIslands;

/// film_islands.c. Arrays are from scratch; none is asleep yet.
dew_Status dew_film_find_islands(dew_Tasks *tasks, const dew_ShallowGrid *grid, const double *depth,
                                 const double *layer_m, dew_Arena *scratch, dew_FilmIslands *out);

// ---- film_island_solve.c: one island, one step
// ---------------------------------------------------

/// Arrays at cells of a box: X(name).
///
///     depth, now                at the start of the step; that trial fluxes lead to. Also surface
///     pull, pulls               1 - cos theta of the moving faces around, their sum and number
///     column_stiff              pressure per depth: rho g less what the wetted area gives back
///     change, pressure_change   of the depth by fluxes, and of the pressure by that
#define DEW_FILM_CELL_ARRAYS(X)                                                                    \
    X(depth)                                                                                       \
    X(now)                                                                                         \
    X(surface)                                                                                     \
    X(layer_m)                                                                                     \
    X(is_active)                                                                                   \
    X(pressure)                                                                                    \
    X(wet_slope)                                                                                   \
    X(column_stiff)                                                                                \
    X(pull)                                                                                        \
    X(pulls)                                                                                       \
    X(change)                                                                                      \
    X(pressure_change)

/// Arrays on the faces of a box towards smaller x [0] and z [1]: X(name).
///
///     stiff        weight of the difference over the face in the pressure
///     is_free      1: an unknown, 0: its flux is fixed
///     inertia      of the liquid and its friction, Pa per m of flux
///     steady       force per depth and length that a step does not change: gravity, inertia, wind
///     angle        microscopic angle of the line on a face of the layer that yields, rad
///     last_flux    of the linearisation before
///     mass         resistance against the flux, Pa per m: inertia and drag of the line
///     force        that drives it, Pa
///     flow_depth   mean depth, that moves through it
///     yield_sign   the only direction in which a face of the layer yields; 0: any
///     flux         the unknown: what passes in the step, as depth of a cell, m
///     residual, search, product, inverse   of conjugate gradients
#define DEW_FILM_FACE_ARRAYS(X)                                                                    \
    X(stiff)                                                                                       \
    X(is_free)                                                                                     \
    X(inertia)                                                                                     \
    X(steady)                                                                                      \
    X(angle)                                                                                       \
    X(last_flux)                                                                                   \
    X(mass)                                                                                        \
    X(force)                                                                                       \
    X(flow_depth)                                                                                  \
    X(yield_sign)                                                                                  \
    X(flux)                                                                                        \
    X(residual)                                                                                    \
    X(search)                                                                                      \
    X(product)                                                                                     \
    X(inverse)

#define DEW_FILM_DECLARE_CELLS(name) double *name;
#define DEW_FILM_DECLARE_FACES(name) double *name[2];

/// An island's rectangle with DEW_FILM_EDGE cells around it, and arrays of it.
typedef struct dew_FilmBox {
    const dew_ShallowGrid *grid;
    const dew_FilmForcing *forcing;
    const dew_FilmArrays *arrays;
    int first_x, first_z;     // cell of the grid at the box's first number
    int columns, rows;        // with the edge
    int64_t count;            // numbers of an array
    const dew_FilmRun *runs;  // of its active cells; NULL: so many that all cells are visited
    int32_t run_count;
    double spring[2];  // sigma / cell^2 along x and z
    double weight;     // rho g
    DEW_FILM_CELL_ARRAYS(DEW_FILM_DECLARE_CELLS)
    DEW_FILM_FACE_ARRAYS(DEW_FILM_DECLARE_FACES)
} dew_FilmBox;

typedef struct dew_FilmReport {
    double change_Hz;  // fastest change of a depth, in layer heights per second
    int64_t iterations;
    bool is_solved;
} dew_FilmReport;

/// Numbers that a box needs.
int64_t dew_film_box_numbers(const dew_FilmIsland *island);
void dew_film_box_init(dew_FilmBox *box, const dew_ShallowGrid *grid,
                       const dew_FilmForcing *forcing, const dew_FilmArrays *arrays,
                       const dew_FilmIsland *island, const dew_FilmRun *runs, double *memory);
/// film_faces.c: pressure and the return mapping on the faces, from the state at the start: which
/// may move, against which resistance.
void dew_film_form_faces(dew_FilmBox *box);
/// Pressure, its stiffness and that of the wetted area, of the surface as it is now.
void dew_film_find_pressure(dew_FilmBox *box);
/// Calls visit for the faces of the box: axis, number in the box, cell of the grid.
typedef void dew_FilmVisit(dew_FilmBox *box, int axis, int64_t n, int x, int z);
void dew_film_visit_faces(dew_FilmBox *box, dew_FilmVisit *visit);
/// Cosine at which the line advances over a cell of the grid.
double dew_film_cos_advancing(const dew_FilmBox *box, int64_t cell);
/// Drag of the flow in a wedge whose surface has this slope, over that of lubrication theory.
double dew_film_wedge_drag(double slope);
/// Difference across the axis of a face between cells i and j: of both, over two cells each.
static inline double dew_film_across(const double *values, int64_t i, int64_t j, int64_t side)
{
    return 0.25 * (values[i + side] - values[i - side] + values[j + side] - values[j - side]);
}
/// film_line.c: forces and stiffness about the depths that the fluxes lead to (is_first: the depths
/// at the start). is_convex: without the negative stiffness of the wetted area.
void dew_film_linearise(dew_FilmBox *box, bool is_first, bool is_convex);
/// The return mapping of a face: f0, the force per depth and length without the solid's; omega, the
/// pull of the layer for cos theta = 0 less that for 1, towards thicker liquid. 0: the face is
/// held.
double dew_film_yield(double f0, double omega, double cos_receding, double cos_advancing,
                      double bound);
/// Solves the box formed, and writes depth and velocities of its active cells.
dew_FilmReport dew_film_solve(dew_FilmBox *box);

// ---- the film of a state
// -------------------------------------------------------------------------

/// Arrays that films add to the state: X(type, name, name in checkpoints; NULL: derived or
/// scratch).
///
///     cos_*, yield_N_m, dries_after_s   material of the ground
///     layer_min_m, layer_max_m          bounds of layer_m, the height of the transition layer
///     steepness                         dew_film_steepness of the mean angle
///     last_wet_s                        wetting history
///     rest_steps                        for which the column's island has been at rest
///     depth                             after the last step: where it differs, liquid was added
///     parent                            of a measure: cells of one drop lead to the first of them
#define DEW_FILM_STATE_ARRAYS(X)                                                                   \
    X(double, cos_receding, NULL)                                                                  \
    X(double, cos_advancing, NULL)                                                                 \
    X(double, cos_wet_advancing, NULL)                                                             \
    X(int32_t, line_kind, NULL)                                                                    \
    X(double, slip_length_m, NULL)                                                                 \
    X(double, jump_length_m, NULL)                                                                 \
    X(double, jump_frequency_Hz, NULL)                                                             \
    X(double, yield_N_m, NULL)                                                                     \
    X(double, dries_after_s, NULL)                                                                 \
    X(double, layer_min_m, NULL)                                                                   \
    X(double, layer_max_m, NULL)                                                                   \
    X(double, steepness, NULL)                                                                     \
    X(double, last_wet_s, "last_wet")                                                              \
    X(int32_t, rest_steps, "rest_steps")                                                           \
    X(double, depth, "film_depth")                                                                 \
    X(double, layer_m, "film_layer")                                                               \
    X(double, next_u, NULL)                                                                        \
    X(double, next_w, NULL)                                                                        \
    X(int32_t, parent, NULL)

struct dew_ThinFilm {
    DEW_FILM_STATE_ARRAYS(DEW_DECLARE_SAVED_ARRAY)
    dew_FilmForces forces;  // of the last step
    uint64_t values_hash;   // of tension and angles in the last step: a change wakes all islands
    uint64_t ground_hash;   // of those that the arrays above were derived from
    double pace;            // the step in capillary ones
};

/// film_substrate.c
/// Does the scene's liquid have tension that this grid can resolve?
bool dew_film_is_wanted(const dew_Scene *scene);
/// Angles that a height field does not have.
void dew_film_warning(const dew_Scene *scene, dew_SceneWarning *out);
dew_Status dew_film_create(const dew_Problem *problem, dew_SolverState *state);
/// Reads the contact angles of the ground, when they have changed.
dew_Status dew_film_parameters(const dew_Problem *problem, dew_SolverState *state);
void dew_film_fields(dew_SolverState *state, dew_FieldList *out);

/// film_step.c
dew_Status dew_film_step(dew_ShallowFlow *flow);
double dew_film_max_step(const dew_SolverState *state, const dew_Instant *instant,
                         const char **bound);
/// The same if the liquid had this speed, or that of a creeping film of this depth if it is less.
double dew_film_step_at_speed(const dew_SolverState *state, const dew_Instant *instant,
                              double deepest_m, double speed_m_s, const char **bound);
/// phi of a window from the depth, for output: a distance within a cell of the contact line.
void dew_film_find_distance(const dew_SolverState *state, dew_ShallowWindow window);

/// film_measure.c: areas and angles of the energy, in the measure of a state with drops.
void dew_film_measure(const dew_SolverState *state, dew_Measure *out);
/// Finds the drops, components of the ground inside the contact line; returns their number.
int64_t dew_film_label_drops(const dew_SolverState *state);
/// The first cell of the drop that a cell inside the contact line belongs to, as last labelled.
int32_t dew_film_drop_of(const dew_SolverState *state, int64_t cell);

/// film_mesh_fit.c: vertices of the surface over nodes of the mesh (UINT32_MAX: none), and the cell
/// of each node.
typedef struct dew_FilmTops {
    const uint32_t *vertex;
    int64_t count;
    int64_t (*cell_of)(const void *context, int64_t node);
    const void *context;
} dew_FilmTops;
/// Stretches the heights of each drop's mesh to the drop's volume.
dew_Status dew_film_fit_mesh(const dew_SolverState *state, const dew_FilmTops *tops,
                             dew_Surface *surface);
