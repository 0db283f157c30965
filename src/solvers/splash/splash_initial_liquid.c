// Pouring: markers at even places in all cells that a piece of liquid covers, and its velocity on
// faces where no liquid was.
#include "base/status.h"
#include "solvers/splash/splash_state.h"

typedef struct Pour {
    const dew_Problem *problem;
    const dew_Blob *blob;
    const dew_Instant *instant;
    dew_SolverState *s;
} Pour;

// Distance of a point of the grid from the blob; in two dimensions in the layer's middle.
static double distance_to(const Pour *pour, dew_Vec3 x)
{
    if (pour->s->grid->dimensions == 2)
        x.z = pour->s->grid->origin_m.z + 0.5 * pour->s->grid->cell_m;
    return dew_blob_distance(pour->problem, pour->blob, x);
}

static void cells_around(const Pour *pour, int reach, int32_t min[3], int32_t max[3])
{
    const dew_Grid *grid = pour->s->grid;
    double r = 1 / grid->cell_m;
    dew_Vec3 lo = dew_sub(pour->blob->box_m.min, grid->origin_m);
    dew_Vec3 hi = dew_sub(pour->blob->box_m.max, grid->origin_m);
    const double low[3] = {lo.x, lo.y, lo.z}, high[3] = {hi.x, hi.y, hi.z};
    for (int a = 0; a < 3; a++) {
        min[a] = (int32_t)fmax(floor(low[a] * r) - reach, grid->cell_min[a] - grid->margin);
        max[a] = (int32_t)fmin(ceil(high[a] * r) + reach, grid->cell_max[a] + grid->margin);
    }
    if (grid->dimensions == 2) {
        min[2] = 0;
        max[2] = 1;
    }
}

// Is a part of a cell covered? Cells are liquid or solid as a whole: parts that reach into a solid
// go with the middle.
static bool is_covered(const Pour *pour, dew_Vec3 part, dew_Vec3 middle)
{
    double h = pour->s->grid->cell_m;
    return distance_to(pour, part) < 0 ||
           (distance_to(pour, middle) < 0 &&
            dew_problem_distance(pour->problem, pour->instant, part, h) < 0);
}

static dew_Status seed_cell(const Pour *pour, const int32_t c[3])
{
    dew_SolverState *s = pour->s;
    int64_t at = dew_grid_cell(s->grid, c), count = 0;
    dew_Vec3 fresh[64];
    if (at < 0 || dew_splash_kind(s)[at] == DEW_SPLASH_OBSTACLE)
        return dew_ok();
    double h = s->grid->cell_m;
    dew_Vec3 corner = dew_add_scaled(s->grid->origin_m, h, dew_vec(c[0], c[1], c[2]));
    dew_Vec3 centre = dew_add_scaled(corner, 0.5 * h, dew_vec(1, 1, 1));
    for (int which = dew_splash_count(s)[at]; which < s->params.per_cell; which++) {
        int n = s->params.per_axis, row = which / n, layer = row / n;
        dew_Vec3 middle = dew_vec(which % n + 0.5, row % n + 0.5, layer + 0.5);
        dew_Vec3 part = dew_add_scaled(corner, h / n, middle);
        if (is_covered(pour, part, centre)) {
            uint64_t id = s->next_id + (uint64_t)count;
            fresh[count++] = dew_splash_marker_place(s, corner, which, id);
        }
    }
    return dew_splash_add_markers(s, fresh, count);
}

// What is smaller than the distance of markers is one of them.
static dew_Status seed_tiny(const Pour *pour)
{
    dew_Vec3 x = pour->blob->center_m;
    if (pour->s->grid->dimensions == 2)
        x.z = pour->s->grid->origin_m.z + 0.5 * pour->s->grid->cell_m;
    if (dew_problem_distance(pour->problem, pour->instant, x, pour->s->grid->cell_m) < 0)
        return dew_ok();
    return dew_splash_add_markers(pour->s, &x, 1);
}

static dew_Status seed(const Pour *pour)
{
    int64_t before = pour->s->markers.count;
    int32_t min[3], max[3], c[3];
    cells_around(pour, 0, min, max);
    for (c[2] = min[2]; c[2] < max[2]; c[2]++)
        for (c[1] = min[1]; c[1] < max[1]; c[1]++)
            for (c[0] = min[0]; c[0] < max[0]; c[0]++)
                DEW_TRY(seed_cell(pour, c));
    return pour->s->markers.count == before ? seed_tiny(pour) : dew_ok();
}

// Kinds are still those of before.
static void set_velocity(const Pour *pour)
{
    const dew_Grid *grid = pour->s->grid;
    const uint8_t *kind = dew_splash_kind(pour->s);
    const double v[3] = {pour->blob->velocity_m_s.x, pour->blob->velocity_m_s.y,
                         pour->blob->velocity_m_s.z};
    int32_t min[3], max[3], c[3];
    cells_around(pour, 3, min, max);
    for (c[2] = min[2]; c[2] < max[2]; c[2]++)
        for (c[1] = min[1]; c[1] < max[1]; c[1]++)
            for (c[0] = min[0]; c[0] < max[0]; c[0]++) {
                int64_t at = dew_grid_cell(grid, c);
                for (int a = 0; a < dew_grid_axes(grid) && at >= 0; a++) {
                    int32_t below[3] = {c[0] - (a == 0), c[1] - (a == 1), c[2] - (a == 2)};
                    int64_t lo = dew_grid_cell(grid, below);
                    bool was_liquid = dew_splash_is_liquid(kind[at]) ||
                                      (lo >= 0 && dew_splash_is_liquid(kind[lo]));
                    if (!was_liquid)
                        dew_grid_f64(grid, pour->s->u[a])[at] = v[a];
                }
            }
}

static dew_Status pour_blob(const Pour *pour)
{
    dew_SolverState *s = pour->s;
    int32_t min[3], max[3];
    bool has_changed;
    cells_around(pour, DEW_SPLASH_REACH, min, max);
    dew_grid_update_begin(s->grid);
    DEW_TRY(dew_grid_want_all_present(s->grid));
    DEW_TRY(dew_splash_want(s, min, max));
    DEW_TRY(dew_grid_update_end(s->grid, &has_changed));
    if (has_changed)
        DEW_TRY(dew_splash_read_solids(pour->problem, s, pour->instant));
    DEW_TRY(seed(pour));
    set_velocity(pour);
    DEW_TRY(dew_splash_update_bricks(pour->problem, s, pour->instant, &s->workspace->scratch));
    DEW_TRY(dew_splash_level_set_pour(pour->problem, s, pour->instant, pour->blob));
    s->counts.drops = 0;  // to be counted anew
    return dew_splash_settle(pour->problem, s, pour->instant->time_s, false,
                             &s->workspace->scratch);
}

dew_Status dew_splash_pour(const dew_Problem *problem, dew_SolverState *state,
                           const dew_Instant *instant, const dew_Blob *blob)
{
    Pour pour = {problem, blob, instant, state};
    state->workspace->marks = (dew_SplashMarkerInfo){.left_brick = NULL};
    dew_Status status = pour_blob(&pour);
    dew_arena_clear(&state->workspace->scratch);
    return status;
}
