// Integrals over the columns, for stats.csv and for World's checks.
#include "base/status.h"
#include "base/sum.h"
#include "solvers/shallow/films/thin_film.h"

// One column, per area of the ground.
static void add_column(const dew_SolverState *s, int column, int row, double *sum)
{
    const dew_ShallowGrid *g = &s->grid;
    int64_t n = dew_shallow_at(g, column, row), z = g->stride;
    double depth = s->depth[n], surface = s->ground[n] + depth, dry = s->params.dry_m;
    double u = 0.5 * (s->u[n] + s->u[n + 1]), w = g->has_z ? 0.5 * (s->w[n] + s->w[n + z]) : 0;
    sum[DEW_SUM_VOLUME] += depth;
    sum[DEW_SUM_KINETIC] += 0.25 * depth * (s->u[n] * s->u[n] + s->u[n + 1] * s->u[n + 1]);
    if (g->has_z)
        sum[DEW_SUM_KINETIC] += 0.25 * depth * (s->w[n] * s->w[n] + s->w[n + z] * s->w[n + z]);
    sum[DEW_SUM_X] += depth * dew_shallow_x(g, column);
    sum[DEW_SUM_Y] += depth * (s->ground[n] + 0.5 * depth);
    sum[DEW_SUM_Z] += depth * dew_shallow_z(g, row);
    sum[DEW_SUM_VX] += depth * u;
    sum[DEW_SUM_VZ] += depth * w;
    if (!(depth > dry))
        return;
    double speed = sqrt(u * u + w * w);
    // Slopes of the surface towards the next columns, where these are wet.
    double sx =
        s->depth[n + 1] > dry ? (s->ground[n + 1] + s->depth[n + 1] - surface) / g->dx_m : 0;
    double sz = g->has_z && s->depth[n + z] > dry
                    ? (s->ground[n + z] + s->depth[n + z] - surface) / g->dz_m
                    : 0;
    sum[DEW_SUM_AREA] += sqrt(1 + sx * sx + sz * sz);
    sum[DEW_SUM_WET] += 1;
    sum[DEW_SUM_TOP] = fmax(sum[DEW_SUM_TOP], surface);
    sum[DEW_SUM_SPEED] =
        speed <= sum[DEW_SUM_SPEED] ? sum[DEW_SUM_SPEED] : speed;  // NaN must be seen
}

static dew_Status measure_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    for (int row = (int)begin; row < (int)end; row++) {
        double *sum = s->work.row_sum + (int64_t)row * DEW_SHALLOW_SUMS;
        for (int k = 0; k < DEW_SHALLOW_SUMS; k++)
            sum[k] = k == DEW_SUM_TOP ? -HUGE_VAL : 0;
        const double *depth = s->depth + dew_shallow_at(&s->grid, 0, row);
        for (int i = 0; i < s->grid.columns; i++)
            if (!(depth[i] <= 0))
                add_column(s, i, row, sum);
    }
    return dew_ok();
}

double dew_shallow_row_total(const dew_SolverState *s, int which)
{
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int row = 0; row < s->grid.rows; row++)
        dew_exact_add(&sum, s->work.row_sum[(int64_t)row * DEW_SHALLOW_SUMS + which]);
    return dew_exact_round(&sum);
}

static double integral(const dew_SolverState *s, int which)
{
    return dew_shallow_row_total(s, which) * s->grid.cell_m2;
}

static double largest(const dew_SolverState *s, int which)
{
    double most = -HUGE_VAL;
    for (int row = 0; row < s->grid.rows; row++) {
        double x = s->work.row_sum[(int64_t)row * DEW_SHALLOW_SUMS + which];
        most = x <= most ? most : x;
    }
    return most;
}

void dew_shallow_measure(const dew_Problem *problem, const dew_SolverState *state,
                         const dew_Instant *instant, dew_Measure *out)
{
    (void)problem;
    const double none = (double)NAN, rho = state->params.rho_kg_m3;
    *out = (dew_Measure){.top_m = none,
                         .contact_angle_rad = none,
                         .contact_angle_min_rad = none,
                         .contact_angle_max_rad = none,
                         .elements = (int64_t)state->grid.columns * state->grid.rows};
    (void)dew_shallow_rows(state, measure_chunk, (void *)state);  // cannot fail
    out->volume_m3 = integral(state, DEW_SUM_VOLUME);
    out->area_m2 = integral(state, DEW_SUM_AREA);
    out->kinetic_J = rho * integral(state, DEW_SUM_KINETIC);
    out->surface_J = state->params.sigma_N_m * out->area_m2;
    out->contact_area_m2 = integral(state, DEW_SUM_WET);
    out->max_speed_m_s = largest(state, DEW_SUM_SPEED);
    dew_Vec3 place =
        dew_vec(integral(state, DEW_SUM_X), integral(state, DEW_SUM_Y), integral(state, DEW_SUM_Z));
    out->gravity_J = -rho * dew_inner(instant->gravity_m_s2, place);
    if (!(out->volume_m3 > 0))
        return;
    out->center_m = dew_scale(1 / out->volume_m3, place);
    out->velocity_m_s = dew_scale(
        1 / out->volume_m3, dew_vec(integral(state, DEW_SUM_VX), 0, integral(state, DEW_SUM_VZ)));
    double top = largest(state, DEW_SUM_TOP);
    if (isfinite(top))
        out->top_m = top;
    if (state->film)
        dew_film_measure(state, out);
}
