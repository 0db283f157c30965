// The solids as the grid sees them, and the bricks that follow the liquid.
//
// Distances are exact at cell centres (dew_problem_nearest). A face's open part is that of the plane
// through its nearest point [Ng2009]; a face whose centre lies in a solid is closed, for the slivers that
// it would leave open buzz. All of it is derived from the problem, brick by brick when bricks come.
#include "base/status.h"
#include "grid/plane_cut.h"
#include "solvers/volume/state.h"

#include <string.h>

#define CLOSED 1e-3  // a face whose centre is this near to a solid is closed, in cells
#define NEAR   1.3   // a face whose cell is farther from the surface of solids is not cut

typedef struct Work {
    const dew_Problem *problem;
    const dew_Moment *moment;
    dew_SolverState *state;
    bool is_all;
} Work;

static double bounded(double x, double bound)
{
    return fmax(-bound, fmin(x, bound));
}

static double open_part(const Work *w, dew_Vec3 center, int axis, double h)
{
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->moment, center, 4 * h);
    if (p.distance_m <= CLOSED * h)
        return 0;
    double n[3] = {-p.normal.x, -p.normal.y, -p.normal.z};
    n[axis] = 0;
    if (fabs(n[0]) + fabs(n[1]) + fabs(n[2]) < 1e-6)
        return 1;
    double part = dew_plane_cut(n, -p.distance_m / h, NULL);
    return part;
}

static void read_cell(const Work *w, int32_t b, int n)
{
    const dew_SolverState *s = w->state;
    const dew_Grid *grid = s->grid;
    double h = grid->cell_m;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    dew_Vec3 x = dew_grid_position(grid, b, c[0], c[1], c[2], DEW_AT_CELL);
    dew_SolidPoint p = dew_problem_nearest(w->problem, w->moment, x, DEW_VOLUME_FAR * h);
    double d = bounded(p.distance_m / h, DEW_VOLUME_FAR);
    double normal[3] = {-p.normal.x, -p.normal.y, -p.normal.z};
    dew_grid_f64(grid, s->solid)[at] = d * h;
    ((int32_t *)dew_grid_field(grid, s->solid_id))[at] = p.solid_id;
    dew_grid_f64(grid, s->room)[at] = fabs(d) < 1 ? dew_plane_cut(normal, -d, NULL) : d > 0 ? 1 : 0;
    for (int a = 0; a < grid->dimensions; a++) {
        double *open = &dew_grid_f64(grid, s->open[a])[at];
        *open = d > 0 ? 1 : 0;
        if (fabs(d) < NEAR)
            *open = open_part(
                w, dew_grid_position(grid, b, c[0], c[1], c[2], (dew_Place)(DEW_AT_FACE_X + a)), a,
                h);
    }
}

static void fill_brick(const Work *w, int32_t b, double distance_m)
{
    const dew_SolverState *s = w->state;
    const dew_Grid *grid = s->grid;
    int64_t first = (int64_t)b * grid->brick_cells;
    double share = distance_m > 0 ? 1 : 0;
    for (int64_t at = first; at < first + grid->brick_cells; at++) {
        dew_grid_f64(grid, s->solid)[at] = distance_m;
        ((int32_t *)dew_grid_field(grid, s->solid_id))[at] = DEW_INVALID;
        dew_grid_f64(grid, s->room)[at] = share;
        for (int a = 0; a < grid->dimensions; a++)
            dew_grid_f64(grid, s->open[a])[at] = share;
    }
}

static dew_Status solids_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->state->grid;
    const uint8_t *is_fresh = grid->is_fresh.data;
    double h = grid->cell_m, far_m = DEW_VOLUME_FAR * h;
    dew_Vec3 half = dew_scale(0.5 * h, dew_vec(DEW_BRICK, DEW_BRICK, grid->depth));
    for (int64_t b = begin; b < end; b++) {
        if (!w->is_all && !is_fresh[b])
            continue;
        dew_Vec3 corner = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        double reach = dew_length(half) + far_m;
        double d = dew_problem_distance(w->problem, w->moment, dew_add(corner, half), reach);
        if (fabs(d) >= reach) {
            fill_brick(w, (int32_t)b, d > 0 ? far_m : -far_m);
            continue;
        }
        for (int n = 0; n < grid->brick_cells; n++)
            read_cell(w, (int32_t)b, n);
    }
    return dew_ok();
}

dew_Status dew_volume_read_solids(const dew_Problem *problem, dew_SolverState *state,
                                  const dew_Moment *moment, bool is_all)
{
    if (!state->laws.has_solids)
        return dew_ok();
    Work work = {problem, moment, state, is_all};
    return dew_grid_for(state->grid, solids_chunk, &work);
}

void dew_volume_clear_deep(dew_SolverState *state)
{
    const double *solid = dew_volume_solid(state);
    double *phi = dew_volume_phi(state), h = state->grid->cell_m;
    for (int64_t n = 0; solid && n < dew_volume_count(state); n++)
        if (solid[n] < -DEW_VOLUME_DEPTH * h)
            phi[n] = DEW_VOLUME_BAND * h;
}

// Walls in new bricks have not been touched: dry, so that a line that comes there has to advance.
static void make_fresh_walls_dry(dew_SolverState *state)
{
    const double *solid = dew_volume_solid(state);
    const uint8_t *is_fresh = state->grid->is_fresh.data;
    double *phi = dew_volume_phi(state);
    int64_t cells = state->grid->brick_cells;
    for (int64_t b = 0; solid && b < state->grid->brick_count; b++)
        for (int64_t at = b * cells; is_fresh[b] && at < (b + 1) * cells; at++)
            if (solid[at] < 0)
                phi[at] = DEW_VOLUME_BAND * state->grid->cell_m;
}

dew_Status dew_volume_follow(const dew_Problem *problem, dew_SolverState *state,
                             const dew_Moment *moment, dew_Arena *scratch)
{
    double h = state->grid->cell_m;
    DEW_TRY(dew_levelset_follow(state->grid, state->phi, (DEW_VOLUME_BAND - 1) * h,
                                DEW_VOLUME_BAND * h, true, scratch));
    DEW_TRY(dew_volume_read_solids(problem, state, moment, false));
    make_fresh_walls_dry(state);
    dew_volume_clear_deep(state);
    bool is_new = state->grid->brick_count > 0 &&
                  memchr(state->grid->is_fresh.data, 1, (size_t)state->grid->brick_count) != NULL;
    return is_new ? dew_volume_contact(state, moment->time_s, scratch) : dew_ok();
}
