/// Drops of the solver `shallow`: liquid held together by surface tension, with a contact angle at its edge.
///
/// One energy decides where drops come to rest,
///     E = sigma (area of the surface - area of the ground under it) + sigma (1 - cos theta) (wetted area) + gravity,
/// as a function of the depth D alone. What is wet is told by the depth, over a toe: a column thinner than the
/// toe's height d counts as wet in part, a(D / d), a(s) = 2 s - s^2 up to s = 1. In equilibrium the surface
/// then leaves the toe at exactly the angle theta, and the toe is DEW_FILM_TOE to DEW_FILM_WIDE cells wide, by
/// the size of the drop (film_toe.c).
/// Pressure is the derivative of E by D, so nothing flows in what E has at its minimum.
///
/// Hysteresis is a return mapping on each face of the toe: theta there is whatever holds the liquid, within
/// [receding, advancing]; beyond, the face yields at the bound (film_faces.c).
///
/// Tension and gravity are implicit: a step of any length is stable. Each island, columns that can feel one
/// another in a step, is solved by itself (film_island.c); islands at rest sleep.
///
/// It has no viscosity between columns, only that of the film on its ground, 3 nu u / D^2.
#pragma once

#include "solvers/shallow/state.h"

#define DEW_FILM_TOE     1.5     // width of the toe in cells at least, at the mean angle
#define DEW_FILM_WIDE    2.1     // and at most, at the advancing one
#define DEW_FILM_SHARE   0.5     // of the deepest column near that the toe is high, between these
#define DEW_FILM_DRY     1e-9    // of the toe's height: thinner stays where it is
#define DEW_FILM_EDGE    2       // cells around an island that it looks at
#define DEW_FILM_FLOOR   0.25    // of the toe's height: what friction takes for the least depth
#define DEW_FILM_NEVER   -1e300  // when ground that was never wet was wet: a number that can be kept
#define DEW_FILM_CALM    8       // steps at rest before an island sleeps
#define DEW_FILM_FORCES  5
#define DEW_FILM_CALM_HZ 0.02  // toes per second: depths that change less are at rest

// ---- film_toe.c: the edge of a drop -------------------------------------------------------------

/// Height of the toe over which a surface of this angle rises in this width.
double dew_film_toe_m(double cos_angle, double width_m);
/// The part of a column that counts as wet, and its derivative by the depth.
static inline double dew_film_wet(double depth, double toe)
{
    double s = depth / toe;
    return s < 1 ? s * (2 - s) : 1;
}
static inline double dew_film_wet_slope(double depth, double toe)
{
    double s = depth / toe;
    return s < 1 ? 2 * (1 - s) / toe : 0;
}
/// The wedge that the toe stands for: the depth, continued below the toe at the slope that the surface has above
/// it, so that it is 0 where the drop seems to end and negative beyond. bend: dew_film_bend of the angle.
double dew_film_wedge_m(double depth, double toe, double bend);
/// What sets the toe of a steep surface apart from a flat one's: 0 for small angles.
double dew_film_bend(double cos_angle);

// ---- what an island is given ----------------------------------------------------------------------

/// Constants of a step.
typedef struct dew_FilmLaws {
    double rho_kg_m3, nu_m2_s, sigma_N_m;
    dew_ShallowGravity gravity;
    double shear_x, shear_z;  // of the wind on the surface, N/m^2
    double dt_s, time_s;
} dew_FilmLaws;

/// Arrays of the grid, as in state.h. Islands read the first group and write the second, each its own cells.
typedef struct dew_FilmArrays {
    const double *depth, *u, *w, *ground, *slip;
    const double *cos_receding, *cos_advancing, *cos_wet_advancing;  // of the ground
    const double *yield_N_m;      // bound on the tension of a receding line; INFINITY: none
    const double *toe;            // its height, m
    const double *dries_after_s;  // how long the ground stays wet
    const double *last_wet_s;     // when it was; DEW_FILM_NEVER
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
                                 const double *toe, dew_Arena *scratch, dew_FilmIslands *out);

// ---- film_island.c: one island, one step ----------------------------------------------------------

/// An island's rectangle with DEW_FILM_EDGE cells around it, and arrays of it, in island order.
typedef struct dew_FilmBox {
    const dew_ShallowGrid *grid;
    const dew_FilmLaws *laws;
    const dew_FilmArrays *arrays;
    int first_x, first_z;     // cell of the grid at the box's first number
    int columns, rows;        // with the edge
    int64_t count;            // numbers of an array
    const dew_FilmRun *runs;  // of its active cells; NULL: so many that all cells are worked on
    int32_t run_count;
    double spring[2];  // sigma / cell^2 along x and z
    double weight;     // rho g
    double *depth, *surface, *toe, *is_active;
    double *pressure, *wet_slope;
    double *change, *reply;  // at cells: what fluxes make of the depth, and the pressure of that
    // On faces, towards smaller x [0] and z [1]:
    double *stiff[2];    // weight of the difference over it in the pressure
    double *is_free[2];  // 1: an unknown, 0: its flux is fixed
    double *mass[2];     // resistance against the flux, Pa per m
    double *force[2];    // what drives it, Pa
    double *thick[2];    // depth that moves through it
    double *way[2];      // the only direction in which a face of the toe yields; 0: any
    double *flux[2];     // the unknown: what passes in the step, as depth of a cell, m
    double *residual[2], *search[2], *product[2], *inverse[2];
} dew_FilmBox;

typedef struct dew_FilmReport {
    double change_Hz;  // fastest change of a depth, in toes per second
    int64_t iterations;
    bool is_solved;
} dew_FilmReport;

/// Numbers that a box needs.
int64_t dew_film_box_numbers(const dew_FilmIsland *island);
void dew_film_box_init(dew_FilmBox *box, const dew_ShallowGrid *grid, const dew_FilmLaws *laws,
                       const dew_FilmArrays *arrays, const dew_FilmIsland *island,
                       const dew_FilmRun *runs, double *memory);
/// film_faces.c: pressure, stiffness, forces and the return mapping on the faces, from the state.
void dew_film_form_faces(dew_FilmBox *box);
/// The return mapping of a face: f0, the force per depth and length without the solid's; omega, the pull of
/// the toe for cos theta = 0 less that for 1, towards thicker liquid. 0: the face is held.
double dew_film_yield(double f0, double omega, double cos_receding, double cos_advancing,
                      double bound);
/// Solves the box formed, and writes depth and velocities of its active cells.
dew_FilmReport dew_film_solve(dew_FilmBox *box);

// ---- the film of a state --------------------------------------------------------------------------

/// What drops add to the state. Arrays as in state.h.
struct dew_Film {
    double *cos_receding, *cos_advancing, *cos_wet_advancing;  // of the ground
    double *yield_N_m, *dries_after_s;
    double *toe_least, *toe_most, *bend;
    double *toe;         // its height in use: between these, by how deep the liquid is near
    double *last_wet_s;  // wetting history
    double *calm;        // steps for which the column's island has been at rest
    double *depth;       // as the last step left it: what differs was poured since
    double
        *forces;  // gravity and wind of the last step, five numbers: when they change all are awake
    double *next_u, *next_w;
    int32_t *parent;  // of a measure: cells of one drop lead to the first of them
    double pace;      // the step in capillary ones
};

/// film_ground.c
/// Does the scene's liquid have tension that this grid can see?
bool dew_film_is_wanted(const dew_Scene *scene);
/// Angles that a height field does not have.
void dew_film_warning(const dew_Scene *scene, dew_SceneWarning *out);
dew_Status dew_film_create(const dew_Problem *problem, dew_SolverState *state);
#define DEW_FILM_FIELD "film_depth"  // of a state that has a film, and only of one
void dew_film_fields(dew_SolverState *state, dew_FieldList *out);

/// film_step.c: instead of the stages of step.c between inflow and sinks.
dew_Status dew_film_step(dew_ShallowFlow *flow);
double dew_film_max_step(const dew_SolverState *state, const dew_Moment *moment,
                         const char **bound);
/// The same, were the liquid as fast as this, or as fast as a film of that depth can creep if that is less.
double dew_film_step_at(const dew_SolverState *state, const dew_Moment *moment, double deepest_m,
                        double speed_m_s, const char **bound);
/// phi of a window from the depth, for output: within a cell of the line.
void dew_film_line(const dew_SolverState *state, dew_ShallowWindow window);

/// film_measure.c: the energy's own areas and angles in the measure of a state with drops.
void dew_film_measure(const dew_SolverState *state, dew_Measure *out);
/// Finds the drops, pieces of ground inside the contact line; how many there are.
int64_t dew_film_label_drops(const dew_SolverState *state);
/// The first cell of the drop that a cell inside the line belongs to, as last found.
int32_t dew_film_drop_of(const dew_SolverState *state, int64_t cell);

/// film_mesh.c: vertices of the surface over nodes of the mesh (UINT32_MAX: none), and the cell of each node.
typedef struct dew_FilmTops {
    const uint32_t *vertex;
    int64_t count;
    int64_t (*cell_of)(const void *context, int64_t node);
    const void *context;
} dew_FilmTops;
/// Stretches the heights of each drop's mesh to the drop's volume.
dew_Status dew_film_fit_mesh(const dew_SolverState *state, const dew_FilmTops *tops,
                             dew_Surface *surface);
