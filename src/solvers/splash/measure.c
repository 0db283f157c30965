// Sums over the liquid for the table: places by markers, areas by cells, and, every few steps, the number of drops.
//
// Volume is that of the markers. Areas are those of open sides, seen from all three axes: a cell counts with the
// length of the sum of its sides, so that a slanted surface is not counted by its stairs.
#include "base/status.h"
#include "solvers/splash/state.h"

typedef struct Sums {
    double place[3], top, area, wet;
} Sums;

typedef struct Work {
    dew_SolverState *s;
    Sums *sums;  // per brick
} Work;

static void add_markers(const dew_SolverState *s, int64_t b, Sums *out)
{
    int64_t first, last;
    dew_particles_of_brick(&s->markers, b, &first, &last);
    for (int a = 0; a < 3; a++) {
        const double *x = dew_particles_axis(&s->markers, a);
        double lane[4] = {0};
        for (int64_t n = first; n < last; n++)
            lane[(n - first) & 3] += x[n];
        out->place[a] = (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
    const double *y = dew_particles_axis(&s->markers, 1);
    for (int64_t n = first; n < last; n++)
        out->top = y[n] > out->top ? y[n] : out->top;
}

static void add_cell(const dew_SolverState *s, int32_t b, int n, const uint8_t *kind, Sums *out)
{
    const dew_Grid *grid = s->grid;
    int t = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6), width = DEW_BRICK + 2;
    if (dew_splash_deep(s)[(int64_t)b * grid->brick_cells + n]) {
        dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
        out->place[0] += s->laws.per_cell * x.x;
        out->place[1] += s->laws.per_cell * x.y;
        out->place[2] += s->laws.per_cell * x.z;
    }
    double open[3] = {0}, wet[3] = {0}, h2 = grid->cell_m * grid->cell_m;
    for (int side = 0; side < 2 * dew_grid_axes(grid); side++) {
        uint8_t beside = kind[t + dew_splash_beside(side, width)];
        open[side / 2] += beside == DEW_SPLASH_EMPTY;
        wet[side / 2] += beside == DEW_SPLASH_OBSTACLE;
    }
    out->area += h2 * sqrt(open[0] * open[0] + open[1] * open[1] + open[2] * open[2]);
    out->wet += h2 * sqrt(wet[0] * wet[0] + wet[1] * wet[1] + wet[2] * wet[2]);
}

// phi for output: half a cell's size where a cell is full or empty, between by what it holds.
static void set_phi(const dew_SolverState *s, int64_t at, uint8_t kind)
{
    double h = s->grid->cell_m, held = dew_splash_count(s)[at] / (double)s->laws.per_cell;
    double share = kind == DEW_SPLASH_FULL                                   ? 1
                   : kind == DEW_SPLASH_EMPTY || kind == DEW_SPLASH_OBSTACLE ? 0
                                                                             : fmin(held, 1);
    dew_grid_f64(s->grid, s->phi)[at] = h * (0.5 - share);
}

static dew_Status sums_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->s->grid;
    uint8_t kind[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        Sums sums = {.top = -HUGE_VAL};
        add_markers(w->s, b, &sums);
        dew_tile_load_u8(grid, dew_splash_kind(w->s), (int32_t)b, 1, DEW_SPLASH_EMPTY, kind);
        for (int n = 0; n < grid->brick_cells; n++) {
            uint8_t own = kind[dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6)];
            set_phi(w->s, b * grid->brick_cells + n, own);
            if (dew_splash_is_liquid(own))
                add_cell(w->s, (int32_t)b, n, kind, &sums);
        }
        w->sums[b] = sums;
    }
    return dew_ok();
}

// ---- drops -------------------------------------------------------------------------------------

static int32_t root_of(int32_t *parent, int32_t n)
{
    while (parent[n] != n)
        n = parent[n] = parent[parent[n]];
    return n;
}

// Pieces connected through faces, by union and find.
static dew_Status count_drops(const dew_SolverState *s, dew_Arena *scratch, double *drops)
{
    const dew_Grid *grid = s->grid;
    int64_t count = (int64_t)grid->brick_count * grid->brick_cells;
    const uint8_t *kind = dew_splash_kind(s);
    int32_t *parent = dew_arena_raw_array(scratch, int32_t, count);
    if (!parent)
        return dew_no_memory((size_t)count * sizeof *parent);
    for (int64_t n = 0; n < count; n++)
        parent[n] = (int32_t)n;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            if (!dew_splash_is_liquid(kind[at]))
                continue;
            int c[3] = {n & 7, n >> 3 & 7, n >> 6};
            for (int a = 0; a < dew_grid_axes(grid); a++) {
                int64_t lo = c[a] > 0 ? at - (a == 0   ? 1
                                              : a == 1 ? 8
                                                       : 64)
                                      : dew_grid_near(grid, b, c[0] - (a == 0), c[1] - (a == 1),
                                                      c[2] - (a == 2));
                if (lo >= 0 && lo < count && dew_splash_is_liquid(kind[lo])) {
                    int32_t p = root_of(parent, (int32_t)lo), q = root_of(parent, (int32_t)at);
                    parent[p > q ? p : q] = p > q ? q : p;
                }
            }
        }
    *drops = 0;
    for (int64_t n = 0; n < count; n++)
        *drops += dew_splash_is_liquid(kind[n]) && parent[n] == n;
    return dew_ok();
}

dew_Status dew_splash_tally(dew_SolverState *state, bool is_counting, dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    dew_SplashNumbers *numbers = &state->numbers;
    Work work = {state, dew_arena_array(scratch, Sums, grid->brick_count)};
    Sums all = {.top = -HUGE_VAL};
    if (!work.sums)
        return dew_no_memory((size_t)grid->brick_count * sizeof(Sums));
    DEW_TRY(dew_grid_for(grid, sums_chunk, &work));
    for (int32_t b = 0; b < grid->brick_count; b++) {
        const Sums *sums = &work.sums[b];
        for (int a = 0; a < 3; a++)
            all.place[a] += sums->place[a];
        all.area += sums->area;
        all.wet += sums->wet;
        all.top = fmax(all.top, sums->top);
    }
    for (int a = 0; a < 3; a++)
        numbers->place_m[a] = all.place[a];
    numbers->top_m = isfinite(all.top) ? all.top : 0;
    numbers->area_m2 = all.area;
    numbers->wet_m2 = all.wet;
    return is_counting ? count_drops(state, scratch, &numbers->drops) : dew_ok();
}

void dew_splash_measure(const dew_Problem *problem, const dew_SolverState *state,
                        const dew_Moment *moment, dew_Measure *out)
{
    const dew_SplashNumbers *n = &state->numbers;
    const double none = (double)NAN;
    double count = dew_splash_marker_count(state),
           marker_kg = state->laws.rho_kg_m3 * state->laws.marker_m3;
    dew_Vec3 place = dew_vec(n->place_m[0], n->place_m[1], n->place_m[2]);
    *out = (dew_Measure){.volume_m3 = count * state->laws.marker_m3,
                         .area_m2 = n->area_m2,
                         .kinetic_J = 0.5 * marker_kg * n->speed2_m2_s2,
                         .gravity_J = -marker_kg * dew_inner(moment->gravity_m_s2, place),
                         .top_m = count > 0 ? n->top_m : none,
                         .max_speed_m_s = n->max_speed_m_s,
                         .contact_area_m2 = n->wet_m2,
                         .contact_angle_rad = none,
                         .contact_angle_min_rad = none,
                         .contact_angle_max_rad = none,
                         .drops = (int64_t)n->drops,
                         .elements = (int64_t)n->liquid_cells,
                         .particles = state->markers.count,
                         .max_viscosity_m2_s = n->max_nu_m2_s};
    if (count > 0) {
        dew_Vec3 v = dew_vec(n->velocity_m_s[0], n->velocity_m_s[1], n->velocity_m_s[2]);
        out->center_m = dew_scale(1 / count, place);
        out->velocity_m_s = dew_scale(1 / count, v);
    }
    dew_splash_skin_measure(problem, state, moment, out);
}
