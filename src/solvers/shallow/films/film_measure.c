// Areas and angles of drops, as in the energy.
//
// Wetted area: that of the ground under wet columns, those of the transition layer in part. Surface
// area: that of the triangles less that of dry ground. Contact angle: slope of the lowest columns
// above the layer, extrapolated to where the wedge ends.
#include "base/status.h"
#include "base/union_find.h"
#include "solvers/shallow/films/thin_film.h"

enum { SURFACE, CONTACT, ANGLES, ANGLE, LEAST, LARGEST, SUM_COUNT };
_Static_assert((int)SUM_COUNT <= (int)DEW_SHALLOW_SUMS, "a row's sums must fit");

// Mean area of the four triangles around a column, per area of the plane.
static double triangles(const dew_ShallowGrid *g, const double *ground, const double *depth,
                        int64_t n)
{
    const int64_t z = g->stride, beside[4] = {n - 1, n + 1, n - z, n + z};
    double slope2[4] = {0}, here = ground[n] + (depth ? depth[n] : 0);
    for (int k = 0; k < (g->has_z ? 4 : 2); k++) {
        double there = ground[beside[k]] + (depth ? depth[beside[k]] : 0);
        double slope = (there - here) / (k < 2 ? g->dx_m : g->dz_m);
        slope2[k] = slope * slope;
    }
    return 0.25 * (sqrt(1 + slope2[0] + slope2[2]) + sqrt(1 + slope2[0] + slope2[3]) +
                   sqrt(1 + slope2[1] + slope2[2]) + sqrt(1 + slope2[1] + slope2[3]));
}

// Slope of the surface along an axis where its wedge ends, continued from the slopes towards the
// lower and the higher neighbour, half a cell beside the column.
static double fall_along(const dew_SolverState *s, int64_t n, int64_t d, double cell_m)
{
    const double *depth = s->depth;
    int64_t low = depth[n - d] < depth[n + d] ? n - d : n + d, high = low == n - d ? n + d : n - d;
    double layer_m = s->film->layer_m[n], here = depth[n],
           end = dew_film_wedge_m(depth[low], layer_m, s->film->steepness[n]);
    double down = here - end, up = depth[high] - here;
    if (depth[low] < 0.02 * layer_m || down <= 0)  // the lower column is dry
        down = fmax(up, down), end = here - down;
    double ahead = fmin(fmax(0.5 * (here + end) / fmax(down, 0.1 * here), 0), 1.5);  // in cells
    return fmax(down + (down - up) * ahead, down) / cell_m;
}

static double angle_at(const dew_SolverState *s, int64_t n)
{
    const int64_t z = s->grid.stride;
    double layer_m = s->film->layer_m[n];
    const double *depth = s->depth;
    bool is_edge = depth[n - 1] < layer_m || depth[n + 1] < layer_m ||
                   (s->grid.has_z && (depth[n - z] < layer_m || depth[n + z] < layer_m));
    if (!is_edge || depth[n] < layer_m)
        return (double)NAN;
    double x = fall_along(s, n, 1, s->grid.dx_m);
    double y = s->grid.has_z ? fall_along(s, n, z, s->grid.dz_m) : 0;
    return atan(hypot(x, y));
}

static void add_column(const dew_SolverState *s, int64_t n, double *sum)
{
    double wet = dew_film_wet(s->depth[n], s->film->layer_m[n]);
    double ground = triangles(&s->grid, s->ground, NULL, n);
    sum[CONTACT] += wet * ground;
    sum[SURFACE] += triangles(&s->grid, s->ground, s->depth, n) - (1 - wet) * ground;
    double angle = angle_at(s, n);
    if (isnan(angle))
        return;
    sum[ANGLES] += 1;
    sum[ANGLE] += angle;
    sum[LEAST] = fmin(sum[LEAST], angle);
    sum[LARGEST] = fmax(sum[LARGEST], angle);
}

static dew_Status measure_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_SolverState *s = context;
    for (int row = (int)begin; row < (int)end; row++) {
        double *sum = s->work.row_sum + (int64_t)row * DEW_SHALLOW_SUMS;
        for (int k = 0; k < SUM_COUNT; k++)
            sum[k] = 0;
        sum[LEAST] = HUGE_VAL;
        int64_t first = dew_shallow_at(&s->grid, 0, row);
        for (int64_t n = first; n < first + s->grid.columns; n++)
            if (s->depth[n] > 0)
                add_column(s, n, sum);
    }
    return dew_ok();
}

// ---- drops
// ---------------------------------------------------------------------------------------------

int32_t dew_film_drop_of(const dew_SolverState *state, int64_t cell)
{
    return dew_cell_root(state->film->parent, (int32_t)cell);
}

int64_t dew_film_label_drops(const dew_SolverState *s)
{
    int32_t *parent = s->film->parent;
    const int64_t z = s->grid.stride;
    int64_t roots = 0;
    for (int row = 0; row < s->grid.rows; row++) {
        int64_t first = dew_shallow_at(&s->grid, 0, row);
        for (int64_t n = first; n < first + s->grid.columns; n++) {
            parent[n] = (int32_t)n;
            if (!(s->phi[n] < 0))
                continue;
            if (n > first && s->phi[n - 1] < 0)
                dew_join_cells(parent, (int32_t)n, (int32_t)n - 1);
            if (row > 0 && s->phi[n - z] < 0)
                dew_join_cells(parent, (int32_t)n, (int32_t)(n - z));
        }
    }
    for (int row = 0; row < s->grid.rows; row++) {
        int64_t first = dew_shallow_at(&s->grid, 0, row);
        for (int64_t n = first; n < first + s->grid.columns; n++)
            roots += s->phi[n] < 0 && parent[n] == n;
    }
    return roots;
}

void dew_film_measure(const dew_SolverState *state, dew_Measure *out)
{
    (void)dew_shallow_rows(state, measure_chunk, (void *)state);  // cannot fail
    double least = HUGE_VAL, largest = 0, angles = dew_shallow_row_total(state, ANGLES);
    for (int row = 0; row < state->grid.rows; row++) {
        const double *sum = state->work.row_sum + (int64_t)row * DEW_SHALLOW_SUMS;
        least = fmin(least, sum[LEAST]);
        largest = fmax(largest, sum[LARGEST]);
    }
    out->area_m2 = dew_shallow_row_total(state, SURFACE) * state->grid.cell_m2;
    out->surface_J = state->params.sigma_N_m * out->area_m2;
    out->contact_area_m2 = dew_shallow_row_total(state, CONTACT) * state->grid.cell_m2;
    out->drops = dew_film_label_drops(state);
    if (!(angles > 0))
        return;
    out->contact_angle_rad = dew_shallow_row_total(state, ANGLE) / angles;
    out->contact_angle_min_rad = least;
    out->contact_angle_max_rad = largest;
}
