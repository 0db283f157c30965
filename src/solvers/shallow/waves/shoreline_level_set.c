// The contact line as the zero level set of phi [Wong2006, chapter 3].
//
// A step advects phi along paths (eq. 3.6) with the velocity of the liquid, extrapolated beyond the
// line (shoreline_velocity.c), and redistances it (level_set_band.c). Both work in a band around
// the contact line, a list of cells per row.
//
// Beyond the paper: drying. A receding line leaves a film thinner than dew_wave_dry_depth_m. Where
// depth and phi contradict one another by more than a cell the depth is right: liquid that came
// without the contact line (rain, a spring) gets one, and so does a hole that opens in the liquid.
//
// Without a tracked line phi comes from the depth: psi = -D in wet columns, and in dry ones the
// height of their ground above the surface beside them; psi = 0 where the surface meets the ground.
// Where the ground is lower than that surface the liquid ends with a step, and the contact line is
// on the face.
#include "base/status.h"
#include "solvers/shallow/waves/bilinear.h"

#include <string.h>

// ---- from the depth ----------------------------------------------------------------------------

double dew_wave_dry_depth_m(const dew_SolverState *s, int64_t n)
{
    return dew_wave_params.dry_depth_cells * s->grid.dx_m +
           dew_wave_params.dry_depth_rise * s->rise[n];
}

static double highest_beside(const dew_SolverState *s, int64_t n)
{
    const int64_t beside[4] = {n - 1, n + 1, n - s->grid.stride, n + s->grid.stride};
    double surface = -HUGE_VAL;
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++)
        if (s->depth[beside[k]] > s->params.dry_m)
            surface = fmax(surface, s->ground[beside[k]] + s->depth[beside[k]]);
    return surface;
}

// Of a dry column: > 0.
static double psi_of_dry(const dew_SolverState *s, int64_t n)
{
    double surface = highest_beside(s, n), above = s->ground[n] - surface;
    return !isfinite(above) ? s->params.far_m : above > 0 ? above : fmax(-above, s->params.dry_m);
}

// Distance from the contact line of the depth, into `low`, in the window and within a band of it;
// returns that wider window.
static dew_ShallowWindow distance_from_depth(const dew_SolverState *state, dew_ShallowWindow window)
{
    const dew_ShallowGrid *g = &state->grid;
    dew_ShallowWindow reach = dew_shallow_wider(g, window, DEW_SHALLOW_BAND + 1);
    dew_ShallowWindow wide = dew_shallow_wider(g, reach, DEW_SHALLOW_BAND + 1);
    double *psi = state->work.psi;
    for (int row = wide.begin_z; row < wide.end_z; row++) {
        for (int i = wide.begin_x; i < wide.end_x; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            psi[n] =
                state->depth[n] > state->params.dry_m ? -state->depth[n] : psi_of_dry(state, n);
        }
    }
    dew_wave_sweep(g, wide, state->params.far_m, psi, state->work.low);
    return reach;
}

void dew_wave_shoreline_from_depth(const dew_SolverState *state, dew_ShallowWindow window)
{
    const dew_ShallowGrid *g = &state->grid;
    dew_ShallowWindow reach = distance_from_depth(state, window);
    for (int row = reach.begin_z; row < reach.end_z; row++)
        memcpy(state->phi + dew_shallow_at(g, reach.begin_x, row),
               state->work.low + dew_shallow_at(g, reach.begin_x, row),
               (size_t)(reach.end_x - reach.begin_x) * sizeof *state->phi);
    dew_shallow_mirror(state, state->phi);
}

void dew_wave_extend_shoreline(const dew_SolverState *state, dew_ShallowWindow window)
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

// ---- advected by the flow -----------------------------------------------------------------------

typedef struct Work {
    const dew_SolverState *state;
    double dt;
} Work;

// The point of departure by fixed-point iteration, eq. 2.25, with alpha in cells; phi there.
static double advected(const Work *w, int column, int row)
{
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    double ax = 0, az = 0, x = w->dt / g->dx_m, z = g->has_z ? w->dt / g->dz_m : 0;
    for (int k = 0; k < dew_wave_params.path_iterations; k++) {
        dew_WaveSample p = dew_wave_sample_at(g, column - ax, row - az, g->columns, g->rows);
        ax = x * dew_wave_interpolate(g, s->work.shoreline_u, p);
        az = z * dew_wave_interpolate(g, s->work.shoreline_w, p);
    }
    return dew_wave_interpolate(g, s->phi,
                                dew_wave_sample_at(g, column - ax, row - az, g->columns, g->rows));
}

static bool is_wet_beside(const dew_SolverState *s, int64_t n)
{
    int64_t z = s->grid.has_z ? s->grid.stride : 1;
    return s->depth[n - 1] > dew_wave_dry_depth_m(s, n - 1) ||
           s->depth[n + 1] > dew_wave_dry_depth_m(s, n + 1) ||
           s->depth[n - z] > dew_wave_dry_depth_m(s, n - z) ||
           s->depth[n + z] > dew_wave_dry_depth_m(s, n + z);
}

// phi made consistent with the depth. Liquid that covers the part y of a cell on a slope S has
// D = S y^2 / 2, which says where it ends; phi keeps within half a cell of that.
static double agreed(const dew_SolverState *s, int64_t n, double phi)
{
    double cell = s->grid.dx_m, depth = s->depth[n], rise = s->rise[n];
    if (phi < 0.5 * cell && dew_wave_is_front(s, n))
        return phi;  // thinner than the depth resolves
    if (depth <= dew_wave_dry_depth_m(s, n)) {
        bool is_left = phi < -0.5 * cell || (phi < 0 && !is_wet_beside(s, n));
        return is_left ? 0.5 * cell : phi;
    }
    if (depth < 0.5 * rise) {
        double end = cell * (0.5 - sqrt(2 * depth / rise));
        return fmin(fmax(phi, end - 0.5 * cell), end + 0.5 * cell);
    }
    return phi > 0.5 * cell ? -dew_shallow_shared.contradicted_phi * cell : phi;
}

static void advect_cell(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    bool is_near = fabs(s->phi[n]) < dew_wave_params.advected_cells * s->grid.dx_m;
    s->work.psi[n] = agreed(s, n, is_near ? advected(w, cell.column, cell.row) : s->phi[n]);
}

// A hole opens where the film is thinnest, not all along the thin front of a wave.
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
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            for (int i = runs[r].begin; i < runs[r].end; i++) {
                int64_t n = dew_shallow_at(&s->grid, i, row);
                double far_m = s->params.far_m;
                if (s->phi[n] >= far_m || (s->phi[n] <= -far_m && is_thinnest(s, n)))
                    s->phi[n] = agreed(s, n, s->phi[n]);
            }
        }
    }
    return dew_ok();
}

dew_Status dew_wave_move_shoreline(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    Work work = {s, flow->dt_s};
    DEW_TRY(dew_shallow_rows(s, wake_chunk, &work));
    DEW_TRY(dew_wave_find_band(s));
    DEW_TRY(dew_wave_find_shoreline_velocity(s));
    DEW_TRY(dew_wave_for_band(s, advect_cell, &work));
    DEW_TRY(dew_wave_redistance_band(s));
    dew_shallow_mirror(s, s->phi);
    return dew_ok();
}
