/// State of the solver `splash`: cells on bricks, markers, accounts; and the stages of its step.
///
/// Between steps all is as the next step needs it: bricks reach three cells beyond the markers,
/// kinds of cells and velocities are set, on open sides and beyond the surface too, and the longest
/// step that they allow is known.
#pragma once

#include "grid/brick.h"
#include "grid/particles.h"
#include "grid/poisson.h"
#include "solvers/free_surface/cells.h"
#include "solvers/free_surface/liquid.h"
#include "solvers/solver.h"

#define DEW_SPLASH_ALLOWANCE                                                                       \
    (2 * DEW_LIQUID_ALLOWANCE)    // of the volume, in markers: what World accepts
#define DEW_SPLASH_SLIVER  0.02   // of a fine cell: what has less is as good as empty
#define DEW_SPLASH_REACH   3      // cells around markers that have bricks
#define DEW_SPLASH_PARTS   4      // explicit parts of a step, at most
#define DEW_SPLASH_MORE_NU 1.001  // what eq. (7) asks for, and a little more

/// Stages of a step.
typedef enum dew_SplashStage {
    DEW_SPLASH_MOMENTUM,
    DEW_SPLASH_PRESSURE,
    DEW_SPLASH_EXTRAPOLATE,  // velocities beyond the surface and into solids
    DEW_SPLASH_MARKERS,      // advection
    DEW_SPLASH_SORT,         // by brick; update of active bricks; solids in the new ones
    DEW_SPLASH_SEED,         // inflow, reseeding
    DEW_SPLASH_CELLS,        // kinds of cells, open sides, limits of the next step
    DEW_SPLASH_TENSION,      // tension and contact angles
    DEW_SPLASH_STAGE_COUNT,
} dew_SplashStage;

/// Ends with NULL.
extern const char *const dew_splash_stage_names[DEW_SPLASH_STAGE_COUNT + 1];

/// What does not change in a run.
typedef struct dew_SplashParams {
    double rho_kg_m3, nu_m2_s;
    double cfl;         // largest displacement in a step, in cells: eq. (5) has 1
    double tolerance;   // of the pressure
    double relaxation;  // of SOR
    bool is_sor;        // as in the paper
    bool is_plain;      // viscosity is the liquid's, whatever eq. (7) says; for comparison
    int per_axis;       // markers of a full cell along each axis
    int per_cell;       // and in all
    double marker_m3;   // volume that a marker stands for
    int reseed_every;   // steps; 0: never
    bool has_motion;    // some solid moves
    dew_Box domain;
    bool has_tension;                 // the level set pulls (splash_level_set.c)
    double tension_factor;            // longest step in units of the capillary limit
    double margin_m[DEW_SIDE_COUNT];  // beyond open sides, where liquid is taken away
    int32_t reach[DEW_SIDE_COUNT];    // cells beyond the sides that bricks are wanted for
    uint64_t seed;
} dew_SplashParams;

/// Numbers of the state, saved whole: doubles only.
typedef struct dew_SplashNumbers {
    double max_step_s;     // by eqs. (5) to (7), of the present velocities
    double part_s;         // the longest explicit part of it, by eqs. (6) and (7)
    double max_nu_m2_s;    // the largest viscosity of the last step
    double max_speed_m_s;  // of liquid cells' faces
    // Sums over markers, with the velocity of their cells:
    double place_m[3], velocity_m_s[3], speed2_m2_s2;
    double top_m;            // of the highest
    double area_m2, wet_m2;  // of open sides; of sides at obstacles
} dew_SplashNumbers;
#define DEW_SPLASH_NUMBERS ((int)(sizeof(dew_SplashNumbers) / sizeof(double)))

/// Counters of the state, saved whole.
typedef struct dew_SplashCounts {
    int64_t bound;  // what bounds the step: 0 nothing, 1 eq. (5), 2 eqs. (6) and (7)
    int64_t parts;  // of the last step
    int64_t owed;   // markers that thinning took and reseeding has not given back
    int64_t full_cells, liquid_cells, deep_cells;
    int64_t full_markers;  // in full cells
    int64_t drops;         // connected components; 0: to be counted
} dew_SplashCounts;
#define DEW_SPLASH_COUNTS ((int)(sizeof(dew_SplashCounts) / sizeof(int64_t)))

/// What is known of markers within a step, in its scratch memory.
typedef struct dew_SplashMarkerInfo {
    uint8_t
        *left_brick;  // 0: lives, and has not left its brick since it was grouped; NULL: not known
    int64_t left_brick_count;
    uint16_t *cell;     // in its brick, of each as counted; NULL: not known
    double place_m[3];  // sums over markers
    double top_m;       // of the highest; -HUGE_VAL: there is none
} dew_SplashMarkerInfo;

/// What is neither state nor constant.
typedef struct dew_SplashWorkspace {
    dew_SplashMarkerInfo marks;
    dew_Poisson poisson;
    dew_Arena scratch;      // of pouring and of questions between steps
    dew_StageClock *clock;  // during a step; NULL: nobody measures
    dew_Grid *fine;         // of the surface's mesh: cells half as large
    int fine_wall;          // its field: distance to solids
} dew_SplashWorkspace;

struct dew_SolverState {
    dew_Grid *grid;
    // Fields of the grid: kind, count of markers, deep (uint8_t), slip (float: factor
    // of the tangential velocity extrapolated into an obstacle, -1..1), pressure, velocities;
    // velocities of walls where some move; phi for output, in cells' sizes.
    int kind, count, deep, slip, p, phi, u[3], wall_u[3];
    dew_Particles markers;
    uint64_t next_id;
    dew_Array waiting;  // double per inflow: part of a marker that has not come yet
    dew_SplashNumbers numbers;
    dew_SplashCounts counts;
    dew_Liquid *level_set;  // the level set that gives curvature and angles; NULL without tension

    dew_SplashParams params;
    dew_SplashWorkspace *workspace;
    dew_Tasks *tasks;
    dew_Allocator allocator;
};

static inline uint8_t *dew_splash_kind(const dew_SolverState *s)
{
    return (uint8_t *)dew_grid_field(s->grid, s->kind);
}
static inline uint8_t *dew_splash_count(const dew_SolverState *s)
{
    return (uint8_t *)dew_grid_field(s->grid, s->count);
}
/// Cells that are known to be full without markers (marker_band.c); they count for a full cell's.
static inline uint8_t *dew_splash_deep(const dew_SolverState *s)
{
    return (uint8_t *)dew_grid_field(s->grid, s->deep);
}
static inline const float *dew_splash_slip(const dew_SolverState *s)
{
    return (const float *)dew_grid_field(s->grid, s->slip);
}
/// Velocities of walls on lower faces; NULL where none moves.
static inline void dew_splash_wall_velocity(const dew_SolverState *s, const double *out[3])
{
    for (int a = 0; a < 3; a++)
        out[a] = s->params.has_motion && a < dew_grid_axes(s->grid)
                     ? dew_grid_f64(s->grid, s->wall_u[a])
                     : NULL;
}
/// All markers that there are or that deep cells count for.
static inline double dew_splash_marker_count(const dew_SolverState *s)
{
    return (double)(s->markers.count + s->counts.deep_cells * s->params.per_cell);
}
/// Number, in its brick with this lower corner, of the cell that holds a point.
static inline int dew_splash_cell_in(const dew_Grid *grid, dew_Vec3 low, dew_Vec3 x)
{
    double r = 1 / grid->cell_m;
    int c[3] = {(int)((x.x - low.x) * r), (int)((x.y - low.y) * r), (int)((x.z - low.z) * r)};
    const int limit[3] = {DEW_BRICK, DEW_BRICK, grid->depth};
    for (int a = 0; a < 3; a++)
        c[a] = c[a] < 0 ? 0 : c[a] >= limit[a] ? limit[a] - 1 : c[a];
    return c[0] + 8 * (c[1] + 8 * c[2]);
}
/// The same of marker n of that brick.
static inline int dew_splash_cell_of(const dew_SolverState *s, dew_Vec3 low, int64_t n)
{
    const uint16_t *known = s->workspace->marks.cell;
    return known ? known[n]
                 : dew_splash_cell_in(s->grid, low, dew_particles_position(&s->markers, n));
}
/// Marker n is no more.
static inline void dew_splash_remove(dew_SolverState *s, int64_t n)
{
    dew_particles_ids(&s->markers)[n] = DEW_DEAD;
    if (s->workspace->marks.left_brick)
        s->workspace->marks.left_brick[n] = 1;
}
/// Number of the neighbour of a cell beyond side s, in a tile.
static inline int dew_splash_beside(int s, int width)
{
    int stride = s < 2 ? 1 : s < 4 ? width : width * width;
    return s & 1 ? stride : -stride;
}

/// What a step works on.
typedef struct dew_SplashFlow {
    const dew_Problem *problem;
    dew_SolverState *state;
    dew_Step *step;
    dew_Arena *scratch;
    double *u[3];             // the state's
    double *spare[3];         // as large
    double *other[3];         // the same, for momentum
    dew_CellSets sets;        // of the kinds at the beginning
    double *phi, *p_surface;  // of the level set, at cells; NULL without
    double *phi_before;       // phi of the level set at the beginning
    int64_t gone;  // markers that left or were lost in this step: dead, not yet sorted out
} dew_SplashFlow;

/// splash_cells.c: wants bricks, in an update, for a box of cells as far as the domain and its
/// sides reach.
dew_Status dew_splash_want(dew_SolverState *state, const int32_t min[3], const int32_t max[3]);
/// Sorts and counts markers, lets bricks come and go with them, reads the solids of new bricks.
dew_Status dew_splash_update_bricks(const dew_Problem *problem, dew_SolverState *state,
                                    const dew_Instant *instant, dew_Arena *scratch);
/// Reads the solids of bricks that are new; of all where some move.
dew_Status dew_splash_read_solids(const dew_Problem *problem, dew_SolverState *state,
                                  const dew_Instant *instant);
/// splash_time_step.c: the longest step by eqs. (5) to (7).
dew_Status dew_splash_find_limits(dew_SolverState *state, const dew_CellSets *sets,
                                  dew_Arena *scratch);
/// The same, of liquid of a speed that stops within a cell.
double dew_splash_step_at(const dew_SolverState *state, double speed_m_s, bool *is_cfl);
/// splash_measure.c: a brick's markers, for the sums over all.
typedef struct dew_SplashPlaces {
    double sum_m[3], top_m;
} dew_SplashPlaces;
dew_SplashPlaces dew_splash_places_of(const dew_SolverState *state, int32_t brick);
/// All of them, per brick, into the marks.
void dew_splash_add_places(dew_SolverState *state, const dew_SplashPlaces *places);
/// Sums over markers and sides, for the table; and with is_counting the number of drops.
dew_Status dew_splash_tally(dew_SolverState *state, const dew_CellSets *sets, bool is_counting,
                            dew_Arena *scratch);
/// Markers by brick again, when some have come and gone but none has moved.
dew_Status dew_splash_regroup(dew_SolverState *state, dew_Arena *scratch);
/// Kinds, reseeding, boundary, limits and tally: what is done last in a step.
dew_Status dew_splash_settle(const dew_Problem *problem, dew_SolverState *state, double time_s,
                             bool is_reseeding, dew_Arena *scratch);

#define DEW_SPLASH_LEVEL_SET "level_set"  // the part of the state that is there with tension

/// splash_momentum.c: section 2.4.1, from u into spare.
dew_Status dew_splash_momentum(dew_SplashFlow *flow);
/// splash_level_set.c: a level set over the markers, for tension and contact angles. Without
/// tension all of it does nothing.
dew_Status dew_splash_level_set_create(const dew_Problem *problem, const dew_CreateDef *def,
                                       dew_SolverState *state);
void dew_splash_level_set_destroy(dew_SolverState *state);
dew_Status dew_splash_level_set_pour(const dew_Problem *problem, dew_SolverState *state,
                                     const dew_Instant *instant, const dew_Blob *blob);
/// Its phi at a cell of the grid; state: dew_SolverState.
double dew_splash_level_set_phi(const void *state, int32_t brick, int cell);
/// Pressure at the surface; and what projection is to know of the level set and of closed faces.
dew_Status dew_splash_surface_tension(dew_SplashFlow *flow);
dew_Status dew_splash_define_level_set(dew_SplashFlow *flow, dew_ProjectionDef *def);
/// Moves it with the velocity; then, when markers have moved and are counted, brings it to them.
dew_Status dew_splash_advect_level_set(dew_SplashFlow *flow);
dew_Status dew_splash_update_level_set(dew_SplashFlow *flow);
/// Between the two: draws markers that lag behind to it.
dew_Status dew_splash_hold_markers(dew_SolverState *state);
void dew_splash_level_set_measure(const dew_Problem *problem, const dew_SolverState *state,
                                  const dew_Instant *instant, dew_Measure *out);
dew_Status dew_splash_level_set_surface(const dew_Problem *problem, const dew_SolverState *state,
                                        const dew_Instant *instant, dew_Surface *out);
dew_Status dew_splash_level_set_restored(const dew_Problem *problem, dew_SolverState *state);

/// splash_pressure.c: section 2.4.2, from spare into u.
dew_Status dew_splash_project(dew_SplashFlow *flow);

/// splash_markers.c: moves them, out of obstacles; takes away those that leave.
dew_Status dew_splash_move_markers(dew_SplashFlow *flow);
/// Is a place in a cell that is an obstacle?
bool dew_splash_is_obstacle(const dew_SolverState *state, dew_Vec3 x);
/// No obstacle, and a brick is there.
bool dew_splash_is_free(const dew_SolverState *state, dew_Vec3 x);
/// New markers, at the end, each with an id; to be sorted.
dew_Status dew_splash_add_markers(dew_SolverState *state, const dew_Vec3 *at_m, int64_t count);
/// Place of one of a cell's markers, `which` of per_cell, with some jitter by its id.
dew_Vec3 dew_splash_marker_place(const dew_SolverState *state, dew_Vec3 corner_m, int which,
                                 uint64_t id);

enum { DEW_SPLASH_INNER = 1, DEW_SPLASH_RISEN = 2 };
/// marker_band.c: which cells are deep; their markers go. inner: per cell, DEW_SPLASH_INNER where
/// it is deep or next to it, and DEW_SPLASH_RISEN where it is so no more and has not got its
/// markers; change: markers that deep cells count for now, less those that they took.
dew_Status dew_splash_find_band(dew_SolverState *state, const dew_CellSets *sets, uint8_t *inner,
                                int64_t *change, dew_Arena *scratch);
/// marker_reseeding.c: where full cells have too few or too many markers, some come or go.
dew_Status dew_splash_reseed(dew_SolverState *state, const dew_CellSets *sets, dew_Arena *scratch);

/// splash_inflow.c: markers come in as the volume that flows.
dew_Status dew_splash_inflow(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);

/// splash_initial_liquid.c
dew_Status dew_splash_pour(const dew_Problem *problem, dew_SolverState *state,
                           const dew_Instant *instant, const dew_Blob *blob);
/// phi of the state, for output.
void dew_splash_make_phi(const dew_SolverState *state);
void dew_splash_measure(const dew_Problem *problem, const dew_SolverState *state,
                        const dew_Instant *instant, dew_Measure *out);
/// marker_surface.c
dew_Status dew_splash_surface(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Instant *instant, dew_Surface *out);
/// splash_step.c
dew_Status dew_splash_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);
