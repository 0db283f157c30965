// Reseeding: full cells have as many markers as they should have, so that the liquid gets no holes.
//
// The paper's markers only come in at inflows; where the flow stretches they thin out, and a cell
// that has none is empty. Here full cells that are left with next to nothing get some, those with
// more than twice as many as they should have lose some. Deep cells have none that could flow on
// (marker_band.c), so the cells next to them are kept as dense as they should be. What is given and
// taken is an error of the volume; it is bounded in each reseeding, kept in an account, `owed`, and
// made good in cells that have more or less than they should, and by pressure.
#include "base/simd.h"
#include "base/status.h"
#include "solvers/splash/splash_state.h"

#define MOST_CHANGE (DEW_SPLASH_ALLOWANCE / 5)  // of all markers, by one reseeding
#define MOST_OWED                                                                                  \
    (DEW_SPLASH_ALLOWANCE / 4)  // of all markers, when cells that are full enough can make it good
// of all markers: as long as so many were given too many, filling gives what thinning takes
#define MOST_GIVEN (DEW_SPLASH_ALLOWANCE / 2)

// What a full cell may have: at least and at most.
typedef struct Range {
    int least, most;
} Range;

static Range range_of(const dew_SplashParams *params, uint8_t kind, bool is_inner)
{
    int full = params->per_cell;
    if (kind != DEW_CELL_FULL)
        return (Range){0, 255};
    return is_inner ? (Range){full, full} : (Range){(full + 3) / 4, 2 * full};
}

// The same where the account is made good: no cell has more than it can hold, and full ones are
// full.
static Range strict_range(const dew_SplashParams *params, uint8_t kind, bool is_inner)
{
    (void)is_inner;
    int full = params->per_cell;
    return kind == DEW_CELL_FULL      ? (Range){full, full}
           : kind == DEW_CELL_SURFACE ? (Range){0, full}
                                      : (Range){0, 255};
}

// By range_of (0) or strict_range (1).
static Range range_by(int by, const dew_SplashParams *params, uint8_t kind, bool is_inner)
{
    return by == 0 ? range_of(params, kind, is_inner) : strict_range(params, kind, is_inner);
}

// How many markers are missing in a brick, and how many are too many; by range_of, then by
// strict_range.
typedef struct Need {
    int32_t missing[2], excess[2];
    int64_t take;  // what is taken by thinning
    bool has_risen;
} Need;

typedef struct Work {
    dew_SolverState *s;
    uint8_t *inner;
    Need *needs;  // per brick
    int by;       // range_of or strict_range
} Work;

DEW_BODY Need need_of(const dew_SplashParams *params, const uint8_t *kind, const uint8_t *count,
                      const uint8_t *inner, int cells)
{
    int missing[2] = {0}, excess[2] = {0};
    int few = (params->per_cell + 3) / 4, full = params->per_cell, many = 2 * full;
    for (int n = 0; n < cells; n++) {  // what range_of and strict_range say, without branches
        int c = count[n], is_full = kind[n] == DEW_CELL_FULL;
        int is_liquid = is_full | (kind[n] == DEW_CELL_SURFACE),
            is_in = inner[n] & DEW_SPLASH_INNER;
        int least = is_full * (is_in ? full : few), most = is_full ? is_in ? full : many : 255;
        int strict = is_full * full, bound = is_liquid ? full : 255;
        missing[0] += c < least ? least - c : 0;
        excess[0] += c > most ? c - most : 0;
        missing[1] += c < strict ? strict - c : 0;
        excess[1] += c > bound ? c - bound : 0;
    }
    return (Need){{missing[0], missing[1]}, {excess[0], excess[1]}, 0, false};
}

DEW_BODY dew_Status need_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    int cells = w->s->grid->brick_cells;
    for (int64_t b = begin; b < end; b++)
        w->needs[b] = need_of(&w->s->params, dew_splash_kind(w->s) + b * cells,
                              dew_splash_count(w->s) + b * cells, w->inner + b * cells, cells);
    return dew_ok();
}
DEW_WIDE_CHUNK(need_chunk)

static dew_Status risen_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    int cells = w->s->grid->brick_cells;
    for (int64_t b = begin; b < end; b++) {
        uint64_t risen = 0;
        for (int n = 0; n < cells; n += 64)
            risen |= dew_bits_plane(w->inner + b * cells + n, 1);
        w->needs[b].has_risen = risen != 0;
    }
    return dew_ok();
}

// Takes the youngest, which come last, from cells of a brick that have too many; at most `limit`.
static int64_t thin_brick(dew_SolverState *s, int32_t b, const uint8_t *inner, int by,
                          int64_t limit)
{
    const dew_Grid *grid = s->grid;
    int64_t first, last, taken = 0, base = (int64_t)b * grid->brick_cells;
    uint8_t seen[DEW_BRICK_CELLS] = {0}, most[DEW_BRICK_CELLS] = {0};
    const uint8_t *kind = dew_splash_kind(s) + base, *deep = dew_splash_deep(s) + base;
    uint8_t *count = dew_splash_count(s) + base;
    const uint64_t *ids = dew_particles_ids(&s->markers);
    for (int n = 0; n < grid->brick_cells; n++) {
        int bound = range_by(by, &s->params, kind[n], inner[base + n]).most;
        most[n] = (uint8_t)(count[n] > bound && !deep[n] ? bound : 255);
    }
    dew_particles_of_brick(&s->markers, b, &first, &last);
    dew_Vec3 low = dew_grid_position(grid, b, 0, 0, 0, DEW_AT_NODE);
    for (int64_t n = first; n < last && taken < limit; n++) {
        int c = dew_splash_cell_of(s, low, n);
        if (most[c] == 255 || ids[n] == DEW_DEAD || seen[c]++ < most[c])
            continue;
        dew_splash_remove(s, n);
        count[c]--;
        taken++;
    }
    return taken;
}

// Fills a cell up to `wanted`, at the places in it that come after those it has. What these are is
// set by place_fresh, for all new markers at once: until then their cells and numbers in them stand
// for the places.
static dew_Status fill_cell(dew_SolverState *s, int64_t at, int wanted, int64_t *given)
{
    uint8_t *count = &dew_splash_count(s)[at];
    int64_t first = s->markers.count, made = wanted - *count;
    if (made <= 0)
        return dew_ok();
    DEW_TRY(dew_particles_insert(&s->markers, made));
    for (int64_t n = first; n < first + made; n++, (*count)++) {
        dew_particles_axis(&s->markers, 0)[n] = (double)at;
        dew_particles_axis(&s->markers, 1)[n] = *count % s->params.per_cell;
        dew_particles_ids(&s->markers)[n] = s->next_id++;
    }
    *given += made;
    return dew_ok();
}

// New markers, from `first` on.
typedef struct Fresh {
    dew_SolverState *s;
    int64_t first;
} Fresh;

static dew_Status fresh_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Fresh *fresh = context;
    dew_SolverState *s = fresh->s;
    const dew_Grid *grid = s->grid;
    double *x[3];
    for (int a = 0; a < 3; a++)
        x[a] = dew_particles_axis(&s->markers, a) + fresh->first;
    const uint64_t *ids = dew_particles_ids(&s->markers) + fresh->first;
    for (int64_t i = begin; i < end; i++) {
        int64_t at = (int64_t)x[0][i];
        int n = (int)(at % grid->brick_cells);
        dew_Vec3 corner = dew_grid_position(grid, (int32_t)(at / grid->brick_cells), n & 7,
                                            n >> 3 & 7, n >> 6, DEW_AT_NODE);
        dew_Vec3 place = dew_splash_marker_place(s, corner, (int)x[1][i], ids[i]);
        x[0][i] = place.x;
        x[1][i] = place.y;
        x[2][i] = place.z;
    }
    return dew_ok();
}

static dew_Status place_fresh(dew_SolverState *s, int64_t first)
{
    Fresh fresh = {s, first};
    return dew_parallel_for(s->tasks, s->markers.count - first, DEW_BRICK_CELLS, fresh_chunk,
                            &fresh);
}

static dew_Status thin_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int64_t b = begin; b < end; b++)
        if (w->needs[b].take > 0)
            w->needs[b].take = thin_brick(w->s, (int32_t)b, w->inner, w->by, w->needs[b].take);
    return dew_ok();
}

// Takes what is too much, at most `limit`, from the first bricks that have it. Returns how many.
static int64_t thin(Work *w, int by, int64_t limit)
{
    int64_t taken = 0;
    w->by = by;
    limit = limit > 0 ? limit : 0;
    for (int32_t b = 0; b < w->s->grid->brick_count; b++) {
        Need *need = &w->needs[b];
        need->take = need->excess[by] < limit ? need->excess[by] : limit;
        limit -= need->take;
    }
    dew_grid_for(w->s->grid, thin_chunk, w);  // which does not fail
    for (int32_t b = 0; b < w->s->grid->brick_count; b++)
        taken += w->needs[b].take;
    return taken;
}

static dew_Status fill(const Work *w, int by, int64_t limit, int64_t *given)
{
    dew_SolverState *s = w->s;
    int cells = s->grid->brick_cells;
    const uint8_t *kind = dew_splash_kind(s), *count = dew_splash_count(s);
    *given = 0;
    for (int32_t b = 0; b < s->grid->brick_count && *given < limit; b++) {
        int64_t first = (int64_t)b * cells;
        if (w->needs[b].missing[by] == 0)
            continue;
        for (int64_t at = first; at < first + cells && *given < limit; at++) {
            int least = range_by(by, &s->params, kind[at], w->inner[at]).least;
            int64_t wanted = count[at] + limit - *given;
            if (count[at] < least)
                DEW_TRY(fill_cell(s, at, wanted < least ? (int)wanted : least, given));
        }
    }
    return dew_ok();
}

// Cells that are deep no more get all that they counted for, besides what has drifted into them.
static dew_Status fill_risen(const Work *w, int64_t *change)
{
    dew_SolverState *s = w->s;
    int cells = s->grid->brick_cells;
    for (int32_t b = 0; b < s->grid->brick_count; b++) {
        int64_t first = (int64_t)b * cells;
        for (int64_t at = first; at < first + cells && w->needs[b].has_risen; at++) {
            if (!(w->inner[at] & DEW_SPLASH_RISEN))
                continue;
            w->inner[at] &= (uint8_t)~DEW_SPLASH_RISEN;
            int wanted = dew_splash_count(s)[at] + s->params.per_cell;
            if (dew_splash_kind(s)[at] != DEW_CELL_OBSTACLE)
                DEW_TRY(fill_cell(s, at, wanted < 255 ? wanted : 255, change));
        }
    }
    return dew_ok();
}

// Little liquid has no cell that could give or take what is owed: the fullest one does, a marker at
// a time.
static dew_Status settle_one(dew_SolverState *s, int64_t *owed)
{
    const dew_Grid *grid = s->grid;
    const uint8_t *kind = dew_splash_kind(s), *deep = dew_splash_deep(s);
    uint8_t *count = dew_splash_count(s);
    int64_t fullest = DEW_INVALID, first, last, given = 0;
    if (*owed == 0 || fabs((double)*owed) <= MOST_OWED * dew_splash_marker_count(s))
        return dew_ok();
    for (int64_t at = 0; at < (int64_t)grid->brick_count * grid->brick_cells; at++)
        if ((kind[at] == DEW_CELL_FULL || kind[at] == DEW_CELL_SURFACE) && !deep[at] &&
            count[at] > (fullest < 0 ? 1 : count[fullest]) && count[at] < 255)
            fullest = at;
    if (fullest < 0)
        return dew_ok();
    int32_t b = (int32_t)(fullest / grid->brick_cells);
    dew_Vec3 low = dew_grid_position(grid, b, 0, 0, 0, DEW_AT_NODE);
    dew_particles_of_brick(&s->markers, b, &first, &last);
    if (*owed > 0) {
        DEW_TRY(fill_cell(s, fullest, count[fullest] + 1, &given));
        *owed -= given;
        return dew_ok();
    }
    for (int64_t n = last - 1; n >= first; n--)
        if (dew_particles_ids(&s->markers)[n] != DEW_DEAD &&
            dew_splash_cell_of(s, low, n) == fullest % grid->brick_cells) {
            dew_splash_remove(s, n);
            count[fullest]--;
            *owed += 1;
            break;
        }
    return dew_ok();
}

dew_Status dew_splash_reseed(dew_SolverState *state, const dew_CellSets *sets, dew_Arena *scratch)
{
    const dew_Grid *grid = state->grid;
    int64_t count = dew_grid_value_count(grid), missing = 0, excess = 0, change, given;
    int64_t first = state->markers.count;
    Work work = {state, dew_arena_raw_array(scratch, uint8_t, count),
                 dew_arena_array(scratch, Need, grid->brick_count), 0};
    state->workspace->marks.left_brick = dew_arena_array(scratch, uint8_t, first);
    state->workspace->marks.left_brick_count = first;
    if (!work.inner || !work.needs || !state->workspace->marks.left_brick)
        return dew_no_memory((size_t)(count + first));
    DEW_TRY(dew_splash_find_band(state, sets, work.inner, &change, scratch));
    DEW_TRY(dew_grid_for(grid, risen_chunk, &work));
    DEW_TRY(fill_risen(&work, &change));
    DEW_TRY(dew_grid_for(grid, need_chunk, &work));
    for (int32_t b = 0; b < grid->brick_count; b++) {
        missing += work.needs[b].missing[0];
        excess += work.needs[b].excess[0];
    }
    // Thinning and filling may differ by so many, besides what the band has changed already.
    int64_t most = (int64_t)(MOST_CHANGE * dew_splash_marker_count(state));
    int64_t limit = excess < missing + most + change ? excess : missing + most + change;
    int64_t taken = thin(&work, 0, limit);
    int64_t *owed = &state->counts.owed;
    bool has_credit = (double)*owed > -MOST_GIVEN * dew_splash_marker_count(state);
    DEW_TRY(fill(&work, 0, taken + (has_credit ? most : 0) - change, &given));
    most = most > 0 ? most : 1;
    *owed += taken - given - change;
    given = taken = 0;
    if (*owed <= -1) {
        DEW_TRY(dew_grid_for(grid, need_chunk, &work));  // there are fewer now
        taken = thin(&work, 1, -*owed < most ? -*owed : most);
    }
    if (*owed >= 1)
        DEW_TRY(fill(&work, 1, *owed < most ? *owed : most, &given));
    *owed += taken - given;
    DEW_TRY(settle_one(state, owed));
    return place_fresh(state, first);
}
