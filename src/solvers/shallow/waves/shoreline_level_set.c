// The contact line, where ground, liquid and air meet [Wong2006, chapter 3].
//
// A step carries phi along paths (eq. 3.6) with the velocity of the liquid, continued beyond the line (line_velocity.c), and
// makes it a distance again (band.c). All of this is done in a band around the line, a list of cells per row.
//
// Beyond the paper: drying. Liquid behind a line that recedes runs after it; what stays is a film thinner than FILM. Where
// depth and line contradict one another by more than a cell, the depth is right: liquid that came without the line (rain, a
// spring) gets one, a hole that opens in the liquid too.
//
// Where nothing else is known the line is taken from the depth: psi = -D in wet columns, and in dry ones how far their
// ground stands above the surface beside them; between both the surface meets the ground. Where the ground is lower than
// that surface the liquid ends with a step, and the line is on the face.
#include "base/status.h"
#include "solvers/shallow/place.h"

#include <string.h>

#define FILM 1e-3  // of a cell: what is thinner counts as dry for the line
#define FILM_RISE                                                                                  \
    0.1  // of the ground's rise over the cell, more of it: what the lower part of a cell may hold
#define ITERATIONS 3    // of eq. 2.25
#define CARRIED    2.5  // cells from the line: farther ones get their distance from these

// ---- from the depth ----------------------------------------------------------------------------

double dew_shallow_film(const dew_SolverState *s, int64_t n)
{
    return FILM * s->grid.dx_m + FILM_RISE * s->rise[n];
}

static double highest_beside(const dew_SolverState *s, int64_t n)
{
    const int64_t beside[4] = {n - 1, n + 1, n - s->grid.stride, n + s->grid.stride};
    double surface = -HUGE_VAL;
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++)
        if (s->depth[beside[k]] > s->laws.dry_m)
            surface = fmax(surface, s->ground[beside[k]] + s->depth[beside[k]]);
    return surface;
}

// Of a dry column: > 0.
static double psi_of_dry(const dew_SolverState *s, int64_t n)
{
    double surface = highest_beside(s, n), above = s->ground[n] - surface;
    return !isfinite(above) ? s->laws.far_m : above > 0 ? above : fmax(-above, s->laws.dry_m);
}

// The distance that the depth tells, into `low`, in the window and as far as its line is felt: that window is returned.
static dew_ShallowWindow distance_from_depth(const dew_SolverState *state, dew_ShallowWindow window)
{
    const dew_ShallowGrid *g = &state->grid;
    dew_ShallowWindow reach = dew_shallow_wider(g, window, DEW_SHALLOW_BAND + 1);
    dew_ShallowWindow wide = dew_shallow_wider(g, reach, DEW_SHALLOW_BAND + 1);
    double *psi = state->work.psi;
    for (int row = wide.begin_z; row < wide.end_z; row++) {
        for (int i = wide.begin_x; i < wide.end_x; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            psi[n] = state->depth[n] > state->laws.dry_m ? -state->depth[n] : psi_of_dry(state, n);
        }
    }
    dew_shallow_sweep(g, wide, state->laws.far_m, psi, state->work.low);
    return reach;
}

void dew_shallow_line_from_depth(const dew_SolverState *state, dew_ShallowWindow window)
{
    const dew_ShallowGrid *g = &state->grid;
    dew_ShallowWindow reach = distance_from_depth(state, window);
    for (int row = reach.begin_z; row < reach.end_z; row++)
        memcpy(state->phi + dew_shallow_at(g, reach.begin_x, row),
               state->work.low + dew_shallow_at(g, reach.begin_x, row),
               (size_t)(reach.end_x - reach.begin_x) * sizeof *state->phi);
    dew_shallow_mirror(state, state->phi);
}

void dew_shallow_line_of_poured(const dew_SolverState *state, dew_ShallowWindow window)
{
    const dew_ShallowGrid *g = &state->grid;
    dew_ShallowWindow reach = distance_from_depth(state, window);
    for (int row = reach.begin_z; row < reach.end_z; row++) {
        for (int i = reach.begin_x; i < reach.end_x; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            state->phi[n] = fmin(state->phi[n], state->work.low[n]);
        }
    }
    dew_shallow_mirror(state, state->phi);
}

// ---- carried by the flow -----------------------------------------------------------------------

typedef struct Work {
    const dew_SolverState *state;
    double dt;
} Work;

// The point of departure by fixed-point iteration, eq. 2.25, with alpha in cells; phi there.
static double carried(const Work *w, int column, int row)
{
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    double ax = 0, az = 0, x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0;
    for (int k = 0; k < ITERATIONS; k++) {
        dew_ShallowPlace p = dew_shallow_place(g, column - ax, row - az, g->columns, g->rows);
        ax = x * dew_shallow_value(g, s->work.line_u, p);
        az = z * dew_shallow_value(g, s->work.line_w, p);
    }
    return dew_shallow_value(g, s->phi,
                             dew_shallow_place(g, column - ax, row - az, g->columns, g->rows));
}

static bool is_wet_beside(const dew_SolverState *s, int64_t n)
{
    int64_t z = s->grid.has_z ? s->grid.stride : 1;
    return s->depth[n - 1] > dew_shallow_film(s, n - 1) ||
           s->depth[n + 1] > dew_shallow_film(s, n + 1) ||
           s->depth[n - z] > dew_shallow_film(s, n - z) ||
           s->depth[n + z] > dew_shallow_film(s, n + z);
}

// What line and depth say together. Liquid that covers part of a cell on a slope, D = S y^2 / 2 over the part y of it, tells
// where it ends; the line keeps within half a cell of that.
static double agreed(const dew_SolverState *s, int64_t n, double phi)
{
    double cell = s->grid.dx_m, depth = s->depth[n], rise = s->rise[n];
    if (phi < 0.5 * cell && dew_shallow_is_tip(s, n))
        return phi;  // thinner than what depth could tell
    if (depth <= dew_shallow_film(s, n)) {
        bool is_left = phi < -0.5 * cell || (phi < 0 && !is_wet_beside(s, n));
        return is_left ? 0.5 * cell : phi;
    }
    if (depth < 0.5 * rise) {
        double end = cell * (0.5 - sqrt(2 * depth / rise));
        return fmin(fmax(phi, end - 0.5 * cell), end + 0.5 * cell);
    }
    return phi > 0.5 * cell ? -0.1 * cell : phi;
}

static void carry(const void *context, dew_ShallowCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    bool is_near = fabs(s->phi[n]) < CARRIED * s->grid.dx_m;
    s->work.psi[n] = agreed(s, n, is_near ? carried(w, cell.column, cell.row) : s->phi[n]);
}

// A hole opens where the film is thinnest, not all along the thin tip of a wave.
static bool is_thinnest(const dew_SolverState *s, int64_t n)
{
    int64_t z = s->grid.has_z ? s->grid.stride : 1;
    const double *depth = s->depth;
    return depth[n] <= fmin(depth[n - 1], depth[n + 1]) &&
           depth[n] <= fmin(depth[n - z], depth[n + z]);
}

// Cells outside of the band that depth and line disagree about: the band does not know them yet.
static dew_Status wake_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->state;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_ShallowRun *runs = dew_shallow_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            for (int i = runs[r].begin; i < runs[r].end; i++) {
                int64_t n = dew_shallow_at(&s->grid, i, row);
                double far_m = s->laws.far_m;
                if (s->phi[n] >= far_m || (s->phi[n] <= -far_m && is_thinnest(s, n)))
                    s->phi[n] = agreed(s, n, s->phi[n]);
            }
        }
    }
    return dew_ok();
}

dew_Status dew_shallow_move_line(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    Work work = {s, flow->dt_s};
    DEW_TRY(dew_shallow_rows(s, wake_chunk, &work));
    DEW_TRY(dew_shallow_find_band(s));
    DEW_TRY(dew_shallow_line_velocity(s));
    DEW_TRY(dew_shallow_in_band(s, carry, &work));
    DEW_TRY(dew_shallow_band_distance(s));
    dew_shallow_mirror(s, s->phi);
    return dew_ok();
}
