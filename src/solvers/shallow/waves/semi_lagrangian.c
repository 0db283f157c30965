// Semi-Lagrangian advection [Wong2006, section 2.2.1]: a sample takes the value from where the
// liquid that arrives at it comes from.
//
// The displacement alpha = dt U(x - alpha), eq. 2.25, is found by fixed-point iteration, beginning
// with dt U(x); values there are bilinear. Stable for any step, diffusive, and no quantity is kept:
// bores are too slow, volume is lost where the depth too is carried like this
// (dew_wave_advect_depth).
//
// The depth's volume. Eq. 2.21 in this form keeps no volume at bores and at contact lines: D div U
// grows a column whose faces both lead inwards, be there liquid beyond them or not, and with dry
// ground that pushes (shore: paper) it does so in every step, exponentially. The paper's scheme
// loses (figure 4.2: roughly 60 % in 3 s), and a loss stops at nothing; a gain has no end. So a
// step may lose, but makes no liquid: where the columns that grow gain more than the others lose,
// less what leaves over open sides, all growth is scaled to that, as mass fixers of semi-Lagrangian
// weather models do [Priestley1993], one-sided. differs: the paper has no such bound.
#include "base/status.h"
#include "base/sum.h"
#include "solvers/shallow/waves/bilinear.h"

typedef struct Work {
    const dew_SolverState *state;
    double dt;
    double growth;  // of a column's growth: the fraction that it keeps
} Work;

enum { GROWN, SHRUNK };  // sums of a row

// Where what arrives at (x, z) comes from, in cells counted from the middle of the first one.
static void depart(const Work *w, double *x, double *z)
{
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    double a = w->dt / g->dx_m, b = g->has_z ? w->dt / g->dz_m : 0, ax = 0, az = 0;
    for (int k = 0; k <= dew_wave_params.path_iterations; k++) {
        double px = *x - ax, pz = *z - az;
        dew_WaveSample u = dew_wave_sample_at(g, px + 0.5, pz, g->columns + 1, g->rows);
        ax = a * dew_wave_interpolate(g, s->work.u, u);
        if (g->has_z) {
            dew_WaveSample v = dew_wave_sample_at(g, px, pz + 0.5, g->columns, g->rows + 1);
            az = b * dew_wave_interpolate(g, s->work.w, v);
        }
    }
    *x -= ax;
    *z -= az;
}

static void carry_faces(const Work *w, int row, dew_WaveRun run)
{
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int i = run.begin; i < run.end; i++) {
        int64_t n = dew_shallow_at(g, i, row);
        double mean_x = 0.5 * (s->depth[n] + s->depth[n - 1]);
        double mean_z = 0.5 * (s->depth[n] + s->depth[n - g->stride]);
        if (i > 0) {
            double x = i - 0.5, z = row;
            depart(w, &x, &z);
            dew_WaveSample p = dew_wave_sample_at(g, x + 0.5, z, g->columns + 1, g->rows);
            s->u[n] = mean_x > s->params.dry_m ? dew_wave_interpolate(g, s->work.u, p) : 0;
        }
        if (g->has_z && row > 0) {
            double x = i, z = row - 0.5;
            depart(w, &x, &z);
            dew_WaveSample p = dew_wave_sample_at(g, x, z + 0.5, g->columns, g->rows + 1);
            s->w[n] = mean_z > s->params.dry_m ? dew_wave_interpolate(g, s->work.w, p) : 0;
        }
    }
}

static dew_Status velocity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(w->state, row);
        for (int r = 0; r < w->state->work.run_count[row]; r++)
            carry_faces(w, row, runs[r]);
    }
    return dew_ok();
}

dew_Status dew_wave_advect_velocity(dew_ShallowFlow *flow)
{
    Work work = {flow->state, flow->dt_s, 1};
    return dew_shallow_rows(flow->state, velocity_chunk, &work);
}

// ---- the depth, without keeping the volume -----------------------------------------------------

// The depth that arrives at the column.
static double carried_depth(const Work *w, int column, int row)
{
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    int64_t n = dew_shallow_at(g, column, row);
    double x = column, z = row;
    const double *u = s->work.u + n, *v = s->work.w + n;
    double div = (u[1] - u[0]) / g->dx_m;
    div += g->has_z ? (v[g->stride] - v[0]) / g->dz_m : 0;
    depart(w, &x, &z);
    dew_WaveSample p = dew_wave_sample_at(g, x, z, g->columns, g->rows);
    double depth = dew_wave_interpolate(g, s->depth, p);
    return fmax(0, depth - w->dt * div * depth);
}

static dew_Status depth_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->state;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        double grown = 0, shrunk = 0;
        for (int r = 0; r < s->work.run_count[row]; r++) {
            for (int i = runs[r].begin; i < runs[r].end; i++) {
                int64_t n = dew_shallow_at(&s->grid, i, row);
                s->work.psi[n] = carried_depth(w, i, row);
                double change = s->work.psi[n] - s->depth[n];
                grown += change > 0 ? change : 0;
                shrunk += change < 0 ? -change : 0;
            }
        }
        s->work.row_sum[(int64_t)row * DEW_SHALLOW_SUMS + GROWN] = grown;
        s->work.row_sum[(int64_t)row * DEW_SHALLOW_SUMS + SHRUNK] = shrunk;
    }
    return dew_ok();
}

static double volume_of(const dew_SolverState *s, int which)
{
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int row = 0; row < s->grid.rows; row++)
        dew_exact_add(&sum, s->work.row_sum[(int64_t)row * DEW_SHALLOW_SUMS + which]);
    return dew_exact_round(&sum) * s->grid.cell_m2;
}

static dew_Status take_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_SolverState *s = w->state;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++)
            for (int i = runs[r].begin; i < runs[r].end; i++) {
                int64_t n = dew_shallow_at(&s->grid, i, row);
                double change = s->work.psi[n] - s->depth[n];
                s->depth[n] =
                    change > 0 && w->growth < 1 ? s->depth[n] + w->growth * change : s->work.psi[n];
            }
    }
    return dew_ok();
}

// Eq. 2.21 with eq. 2.24: dD/dt = -D div U along the path, for the depth D instead of the height,
// so that the ground may slope. Over open sides leaves what the flux D U takes, at most what
// columns have lost.
dew_Status dew_wave_advect_depth(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    Work work = {s, flow->dt_s, 1};
    DEW_TRY(dew_shallow_rows(s, depth_chunk, &work));
    double grown_m3 = volume_of(s, GROWN), shrunk_m3 = volume_of(s, SHRUNK);
    dew_wave_sides_flux(flow);
    double left_m3 = fmin(shrunk_m3, dew_wave_sides_outflow_m3(flow));
    if (grown_m3 > shrunk_m3 - left_m3)
        work.growth = (shrunk_m3 - left_m3) / grown_m3;
    flow->step->removed_m3 += left_m3;
    DEW_TRY(dew_shallow_rows(s, take_chunk, &work));
    dew_shallow_mirror(s, s->depth);
    return dew_ok();
}
