// Sums over the liquid for the table: places by markers, areas by cells, and, every few steps, the
// number of drops.
//
// Volume is that of the markers. Areas are those of open sides, seen from all three axes: a cell
// counts with the length of the sum of its sides, so that a slanted surface is not counted by its
// stairs.
#include "base/simd.h"
#include "base/status.h"
#include "base/union_find.h"
#include "solvers/splash/splash_state.h"

enum { SIDES2 = 3 * 2 * 2 + 1 };  // sums of the squares of three numbers of sides, 0 to 2 each

typedef struct Sums {
    double place[3];
    int32_t open[SIDES2], wet[SIDES2];  // cells by such sums
} Sums;

typedef struct Work {
    dew_SolverState *s;
    const dew_SplashSets *sets;
    Sums *sums;  // per brick
} Work;

// Sums in many lanes do not wait for one another.
DEW_BODY dew_SplashPlaces places_of(const dew_SolverState *s, int64_t first, int64_t last)
{
    enum { LANES = 16 };
    dew_SplashPlaces out = {{0}, -HUGE_VAL};
    for (int a = 0; a < 3; a++) {
        const double *x = dew_particles_axis(&s->markers, a);
        double sum[LANES] = {0};
        int64_t n = first;
        for (; n + LANES <= last; n += LANES)
            for (int l = 0; l < LANES; l++)
                sum[l] += x[n + l];
        for (; n < last; n++)
            sum[n & (LANES - 1)] += x[n];
        for (int half = LANES / 2; half > 0; half /= 2)
            for (int l = 0; l < half; l++)
                sum[l] += sum[l + half];
        out.sum_m[a] = sum[0];
    }
    const double *y = dew_particles_axis(&s->markers, 1);
    double top[LANES];
    int64_t n = first;
    for (int l = 0; l < LANES; l++)
        top[l] = -HUGE_VAL;
    for (; n + LANES <= last; n += LANES)
        for (int l = 0; l < LANES; l++)
            top[l] = y[n + l] > top[l] ? y[n + l] : top[l];
    for (int l = 0; l < LANES; l++)
        out.top_m = fmax(out.top_m, top[l]);
    for (; n < last; n++)
        out.top_m = fmax(out.top_m, y[n]);
    return out;
}
DEW_WIDE static dew_SplashPlaces places_wide(const dew_SolverState *s, int64_t first, int64_t last)
{
    return places_of(s, first, last);
}

dew_SplashPlaces dew_splash_places_of(const dew_SolverState *s, int32_t b)
{
    int64_t first, last;
    dew_particles_of_brick(&s->markers, b, &first, &last);
    return dew_is_wide() ? places_wide(s, first, last) : places_of(s, first, last);
}

void dew_splash_add_places(dew_SolverState *state, const dew_SplashPlaces *places)
{
    dew_SplashMarkerInfo *marks = &state->workspace->marks;
    marks->top_m = -HUGE_VAL;
    for (int a = 0; a < 3; a++)
        marks->place_m[a] = 0;
    for (int32_t b = 0; b < state->grid->brick_count; b++) {
        for (int a = 0; a < 3; a++)
            marks->place_m[a] += places[b].sum_m[a];
        marks->top_m = fmax(marks->top_m, places[b].top_m);
    }
}

// Deep cells count for their markers, which are not there.
static void add_deep(const dew_SolverState *s, int32_t b, Sums *out)
{
    const dew_Grid *grid = s->grid;
    for (int k = 0; k < grid->depth; k++) {
        uint64_t rest = dew_bits_used(dew_splash_deep(s) + (int64_t)b * grid->brick_cells + 64 * k);
        double count = __builtin_popcountll(rest), i = 0, j = 0;
        if (!rest)
            continue;
        while (rest) {
            int n = dew_bits_take(&rest);
            i += n & 7;
            j += n >> 3;
        }
        dew_Vec3 x = dew_grid_position(grid, b, 0, 0, k, DEW_AT_CELL);
        out->place[0] += s->params.per_cell * (count * x.x + i * grid->cell_m);
        out->place[1] += s->params.per_cell * (count * x.y + j * grid->cell_m);
        out->place[2] += s->params.per_cell * count * x.z;
    }
}

// Cells of a layer that have open or wet sides.
static void add_sides(const Work *w, const int32_t *near, int k, Sums *out)
{
    const dew_Grid *grid = w->s->grid;
    int sides = 2 * dew_grid_axes(grid);
    uint64_t open[6], wet[6], rest = 0, liquid = w->sets->liquid[near[13]].layer[k];
    for (int s = 0; s < sides && liquid; s++) {
        wet[s] = dew_bits_beside(w->sets->solid, near, grid->depth, s, k);
        open[s] = ~(wet[s] | dew_bits_beside(w->sets->liquid, near, grid->depth, s, k));
        rest |= liquid & (open[s] | wet[s]);
    }
    while (rest) {
        int n = dew_bits_take(&rest), open2 = 0, wet2 = 0;
        for (int s = 0; s < sides; s += 2) {
            int o = (int)(open[s] >> n & 1) + (int)(open[s + 1] >> n & 1);
            int m = (int)(wet[s] >> n & 1) + (int)(wet[s + 1] >> n & 1);
            open2 += o * o;
            wet2 += m * m;
        }
        out->open[open2]++;
        out->wet[wet2]++;
    }
}

static dew_Status sums_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->s->grid;
    for (int64_t b = begin; b < end; b++) {
        Sums sums = {{0}, {0}, {0}};
        add_deep(w->s, (int32_t)b, &sums);
        for (int k = 0; k < grid->depth; k++)
            add_sides(w, dew_grid_neighbours(grid, (int32_t)b), k, &sums);
        w->sums[b] = sums;
    }
    return dew_ok();
}

// ---- drops -------------------------------------------------------------------------------------

// Pieces connected through faces: those of each brick first, then joined across bricks by union and
// find.
typedef struct Drops {
    const dew_Grid *grid;
    const dew_BrickBits *liquid;
    int32_t *parent;  // per cell: the first one of its piece; of these another piece's, or itself
    int32_t *count;   // per brick: pieces
} Drops;

// All of `rest` that is connected to its first cell, which is in layer `first`.
static dew_BrickBits take_piece(const dew_BrickBits *rest, int depth, int first)
{
    dew_BrickBits piece = {{0}};
    piece.layer[first] = rest->layer[first] & -rest->layer[first];
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (int k = 0; k < depth; k++) {
            uint64_t was = piece.layer[k], in = rest->layer[k], now = was;
            now |=
                in & ((k > 0 ? piece.layer[k - 1] : 0) | (k < depth - 1 ? piece.layer[k + 1] : 0));
            now |= in & ((now << 1 & ~DEW_BITS_FIRST) | (now >> 1 & ~(DEW_BITS_FIRST << 7)));
            now |= in & (now << 8 | now >> 8);
            piece.layer[k] = now;
            has_grown |= now != was;
        }
    }
    return piece;
}

static dew_Status pieces_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Drops *d = context;
    for (int64_t b = begin; b < end; b++) {
        dew_BrickBits rest = d->liquid[b];
        d->count[b] = 0;
        for (int first = 0; first < d->grid->depth;) {
            if (!rest.layer[first]) {
                first++;
                continue;
            }
            int32_t root =
                (int32_t)b * d->grid->brick_cells + 64 * first + __builtin_ctzll(rest.layer[first]);
            dew_BrickBits piece = take_piece(&rest, d->grid->depth, first);
            for (int k = first; k < d->grid->depth; k++) {
                rest.layer[k] &= ~piece.layer[k];
                while (piece.layer[k])
                    d->parent[b * d->grid->brick_cells + 64 * k + dew_bits_take(&piece.layer[k])] =
                        root;
            }
            d->count[b]++;
        }
    }
    return dew_ok();
}

// Joins a brick's pieces to those below it along an axis; how many that makes fewer.
static int join_below(const Drops *d, int32_t b, int axis)
{
    static const uint64_t border[3] = {DEW_BITS_FIRST, 255, ~UINT64_C(0)};
    const int32_t *near = dew_grid_neighbours(d->grid, b);
    int fewer = 0;
    for (int k = 0; k < (axis == 2 ? 1 : d->grid->depth); k++) {
        uint64_t both = d->liquid[b].layer[k] & border[axis] &
                        dew_bits_beside(d->liquid, near, d->grid->depth, 2 * axis, k);
        int32_t last[2] = {DEW_INVALID, DEW_INVALID};
        while (both) {
            int n = 64 * k + dew_bits_take(&both);
            int32_t here = d->parent[b * d->grid->brick_cells + n];
            int32_t there = d->parent[dew_bits_index(d->grid, near, n, 2 * axis)];
            if (here == last[0] && there == last[1])
                continue;
            last[0] = here;
            last[1] = there;
            here = dew_cell_root(d->parent, here);
            there = dew_cell_root(d->parent, there);
            fewer += here != there;
            dew_join_cells(d->parent, here, there);
        }
    }
    return fewer;
}

static dew_Status count_drops(const dew_SolverState *s, const dew_SplashSets *sets,
                              dew_Arena *scratch, int64_t *drops)
{
    const dew_Grid *grid = s->grid;
    int64_t cells = dew_grid_value_count(grid);
    Drops d = {grid, sets->liquid, dew_arena_raw_array(scratch, int32_t, cells),
               dew_arena_raw_array(scratch, int32_t, grid->brick_count)};
    if (!d.parent || !d.count)
        return dew_no_memory((size_t)cells * sizeof(int32_t));
    DEW_TRY(dew_grid_for(grid, pieces_chunk, &d));
    int64_t count = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        count += d.count[b];
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int a = 0; a < dew_grid_axes(grid); a++)
            count -= join_below(&d, b, a);
    *drops = count;
    return dew_ok();
}

dew_Status dew_splash_tally(dew_SolverState *state, const dew_SplashSets *sets, bool is_counting,
                            dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    dew_SplashNumbers *numbers = &state->numbers;
    Work work = {state, sets, dew_arena_array(scratch, Sums, grid->brick_count)};
    const dew_SplashMarkerInfo *marks = &state->workspace->marks;
    Sums all = {{marks->place_m[0], marks->place_m[1], marks->place_m[2]}, {0}, {0}};
    double h2 = grid->cell_m * grid->cell_m;
    if (!work.sums)
        return dew_no_memory((size_t)grid->brick_count * sizeof(Sums));
    DEW_TRY(dew_grid_for(grid, sums_chunk, &work));
    for (int32_t b = 0; b < grid->brick_count; b++) {
        const Sums *sums = &work.sums[b];
        for (int a = 0; a < 3; a++)
            all.place[a] += sums->place[a];
        for (int n = 0; n < SIDES2; n++) {
            all.open[n] += sums->open[n];
            all.wet[n] += sums->wet[n];
        }
    }
    for (int a = 0; a < 3; a++)
        numbers->place_m[a] = all.place[a];
    numbers->top_m = isfinite(marks->top_m) ? marks->top_m : 0;
    numbers->area_m2 = numbers->wet_m2 = 0;
    for (int n = 0; n < SIDES2; n++) {
        numbers->area_m2 += h2 * sqrt(n) * all.open[n];
        numbers->wet_m2 += h2 * sqrt(n) * all.wet[n];
    }
    return is_counting ? count_drops(state, sets, scratch, &state->counts.drops) : dew_ok();
}

// phi for output: half a cell's size where a cell is full or empty, between by what it holds.
void dew_splash_make_phi(const dew_SolverState *state)
{
    const dew_Grid *grid = state->grid;
    const uint8_t *kind = dew_splash_kind(state), *count = dew_splash_count(state);
    double *phi = dew_grid_f64(grid, state->phi);
    for (int64_t n = 0; n < dew_grid_value_count(grid); n++) {
        double held = count[n] / (double)state->params.per_cell, fraction = held < 1 ? held : 1;
        fraction = kind[n] == DEW_SPLASH_FULL ? 1 : !dew_splash_is_liquid(kind[n]) ? 0 : fraction;
        phi[n] = grid->cell_m * (0.5 - fraction);
    }
}

void dew_splash_measure(const dew_Problem *problem, const dew_SolverState *state,
                        const dew_Instant *instant, dew_Measure *out)
{
    const dew_SplashNumbers *n = &state->numbers;
    const double none = (double)NAN;
    double count = dew_splash_marker_count(state),
           marker_kg = state->params.rho_kg_m3 * state->params.marker_m3;
    dew_Vec3 place = dew_vec(n->place_m[0], n->place_m[1], n->place_m[2]);
    *out = (dew_Measure){.volume_m3 = count * state->params.marker_m3,
                         .area_m2 = n->area_m2,
                         .kinetic_J = 0.5 * marker_kg * n->speed2_m2_s2,
                         .gravity_J = -marker_kg * dew_inner(instant->gravity_m_s2, place),
                         .top_m = count > 0 ? n->top_m : none,
                         .max_speed_m_s = n->max_speed_m_s,
                         .contact_area_m2 = n->wet_m2,
                         .contact_angle_rad = none,
                         .contact_angle_min_rad = none,
                         .contact_angle_max_rad = none,
                         .drops = state->counts.drops,
                         .elements = state->counts.liquid_cells,
                         .particles = state->markers.count,
                         .max_viscosity_m2_s = n->max_nu_m2_s};
    if (count > 0) {
        dew_Vec3 v = dew_vec(n->velocity_m_s[0], n->velocity_m_s[1], n->velocity_m_s[2]);
        out->center_m = dew_scale(1 / count, place);
        out->velocity_m_s = dew_scale(1 / count, v);
    }
    dew_splash_level_set_measure(problem, state, instant, out);
}
