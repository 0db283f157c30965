// The band around the contact line: its cells, and redistancing there.
//
// Distances as in fast_sweeping.c: exact beside the contact line, [Wong2006, eq. 3.9] elsewhere.
// differs: layer by layer instead of sweep by sweep, which in a band of few cells takes as many
// passes and does not depend on the order of cells.
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

// ---- its cells ---------------------------------------------------------------------------------

static dew_Status forget_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    for (int row = (int)begin; row < (int)end; row++) {
        const int32_t *band = dew_wave_band(s, row);
        for (int k = 0; k < s->work.band_count[row]; k++) {
            int64_t n = dew_shallow_at(&s->grid, band[k], row);
            s->work.in_band[n] = s->work.is_known[n] = s->work.is_known_next[n] = 0;
            s->work.shoreline_u[n] = s->work.shoreline_w[n] = 0;
        }
        s->work.band_count[row] = 0;
    }
    return dew_ok();
}

// Nearer to the contact line than the band is wide, or beside such a cell: the contact line may
// come nearer in a step.
static dew_Status find_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    const double far_m = s->params.far_m;
    const int64_t z = s->grid.has_z ? s->grid.stride : 0;
    for (int row = (int)begin; row < (int)end; row++) {
        int32_t *band = dew_wave_band(s, row);
        const double *phi = s->phi + dew_shallow_at(&s->grid, 0, row);
        uint8_t *in_band = s->work.in_band + dew_shallow_at(&s->grid, 0, row);
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        int count = 0;
        for (int r = 0; r < s->work.run_count[row]; r++)
            for (int i = runs[r].begin; i < runs[r].end; i++) {
                bool is_near = fabs(phi[i]) < far_m || fabs(phi[i - 1]) < far_m ||
                               fabs(phi[i + 1]) < far_m || fabs(phi[i - z]) < far_m ||
                               fabs(phi[i + z]) < far_m;
                if (is_near) {
                    band[count++] = i;
                    in_band[i] = 1;
                }
            }
        s->work.band_count[row] = count;
    }
    return dew_ok();
}

dew_Status dew_wave_find_band(dew_SolverState *state)
{
    DEW_TRY(dew_shallow_rows(state, forget_chunk, state));
    return dew_shallow_rows(state, find_chunk, state);
}

typedef struct Visit {
    const dew_SolverState *state;
    dew_WaveCellFn *fn;
    const void *context;
} Visit;

static dew_Status visit_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Visit *v = context;
    for (int row = (int)begin; row < (int)end; row++) {
        const int32_t *band = dew_wave_band(v->state, row);
        for (int k = 0; k < v->state->work.band_count[row]; k++)
            v->fn(v->context,
                  (dew_WaveCell){band[k], row, dew_shallow_at(&v->state->grid, band[k], row)});
    }
    return dew_ok();
}

dew_Status dew_wave_for_band(const dew_SolverState *state, dew_WaveCellFn *fn, const void *context)
{
    Visit visit = {state, fn, context};
    return dew_shallow_rows(state, visit_chunk, &visit);
}

// ---- their distances ---------------------------------------------------------------------------

typedef struct Work {
    const dew_SolverState *state;
    const double *from;  // distances of the layer before, psi in the first
    double *to;
} Work;

// From psi, the signed function whose line counts: the exact distance beside it, the band's width
// elsewhere. Fixed ones are kept as -1 - d / dx, see fast_sweeping.c.
static void begin_beside(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    double d =
        dew_wave_crossing_distance_m(&s->grid, cell.column, cell.row, w->from, s->work.in_band);
    w->to[n] = isinf(d) ? s->params.far_m : -1 - d / s->grid.dx_m;
}

static double value(const dew_ShallowGrid *g, double d)
{
    return d < 0 ? (-d - 1) * g->dx_m : d;
}

// The nearer one of both neighbours along an axis.
static double nearest(const Work *w, int64_t n, int64_t d)
{
    const dew_SolverState *s = w->state;
    const uint8_t *in_band = s->work.in_band;
    double low = in_band[n - d] ? value(&s->grid, w->from[n - d]) : s->params.far_m;
    double high = in_band[n + d] ? value(&s->grid, w->from[n + d]) : s->params.far_m;
    return fmin(low, high);
}

static void add_layer(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    const double far_m = s->params.far_m;
    int64_t n = cell.n;
    double d = w->from[n];
    if (d >= 0) {
        double a = nearest(w, n, 1), b = g->has_z ? nearest(w, n, g->stride) : far_m;
        d = fmin(d, dew_wave_eikonal(a, b, g->dx_m, g->has_z ? g->dz_m : HUGE_VAL));
    }
    w->to[n] = d;
}

static void take_sign(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    double d = fmin(value(&s->grid, w->from[n]), s->params.far_m);
    s->phi[n] = s->work.psi[n] < 0 ? -d : d;
}

dew_Status dew_wave_redistance_band(dew_SolverState *state)
{
    double *one = state->work.distance, *two = state->work.low;
    Work work = {state, state->work.psi, one};
    DEW_TRY(dew_wave_for_band(state, begin_beside, &work));
    for (int layer = 0; layer < DEW_SHALLOW_BAND; layer++) {
        work = (Work){state, one, two};
        DEW_TRY(dew_wave_for_band(state, add_layer, &work));
        two = one;
        one = work.to;
    }
    work.from = one;
    return dew_wave_for_band(state, take_sign, &work);
}
