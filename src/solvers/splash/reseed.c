// Reseeding: full cells keep about as many markers as they should have, so that the liquid gets no holes.
//
// The paper's markers only come in at inflows; where the flow stretches they thin out, and a cell that has none is
// empty. Here full cells that have less than half get what is missing, and those that have more than twice as many
// lose the rest. What is given and taken is kept in an account, `owed`, and made good where it does no harm, in full
// cells: their liquid fills them whatever they hold.
#include "base/status.h"
#include "solvers/splash/state.h"

// Takes the youngest, which come last, from full cells of a brick that have more than `most`; at most `limit`.
static int64_t thin_brick(dew_SolverState *s, int32_t b, int most, int64_t limit)
{
    const dew_Grid *grid = s->grid;
    int64_t first, last, taken = 0;
    uint8_t seen[DEW_BRICK_CELLS] = {0};
    const uint8_t *kind = dew_splash_kind(s) + (int64_t)b * grid->brick_cells;
    uint8_t *count = dew_splash_count(s) + (int64_t)b * grid->brick_cells;
    dew_particles_of_brick(&s->markers, b, &first, &last);
    dew_Vec3 low = dew_grid_position(grid, b, 0, 0, 0, DEW_AT_NODE);
    for (int64_t n = first; n < last && taken < limit; n++) {
        int c = dew_splash_cell_in(grid, low, dew_particles_position(&s->markers, n));
        if (kind[c] != DEW_SPLASH_FULL || seen[c]++ < most ||
            dew_particles_ids(&s->markers)[n] == DEW_DEAD)
            continue;
        dew_particles_ids(&s->markers)[n] = DEW_DEAD;
        count[c]--;
        taken++;
    }
    return taken;
}

static int64_t thin(dew_SolverState *s, int most, int64_t limit)
{
    const dew_Grid *grid = s->grid;
    int64_t taken = 0;
    for (int32_t b = 0; b < grid->brick_count && taken < limit; b++) {
        const uint8_t *kind = dew_splash_kind(s) + (int64_t)b * grid->brick_cells;
        const uint8_t *count = dew_splash_count(s) + (int64_t)b * grid->brick_cells;
        bool is_crowded = false;
        for (int n = 0; n < grid->brick_cells; n++)
            is_crowded |= kind[n] == DEW_SPLASH_FULL && count[n] > most;
        if (is_crowded)
            taken += thin_brick(s, b, most, limit - taken);
    }
    return taken;
}

// Fills a cell up to `wanted`, at the places in it that come after those it should have.
static int64_t fill_cell(dew_SolverState *s, int32_t b, int n, int wanted, dew_Vec3 *out)
{
    const dew_Grid *grid = s->grid;
    uint8_t *count = &dew_splash_count(s)[(int64_t)b * grid->brick_cells + n];
    dew_Vec3 corner = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_NODE);
    int64_t made = 0;
    for (; *count < wanted; (*count)++, made++)
        out[made] = dew_splash_marker_place(s, corner, *count % s->laws.per_cell,
                                            s->next_id + (uint64_t)made);
    return made;
}

// Full cells that have fewer than `least` are filled up to `wanted`; at most `limit` markers come.
static dew_Status fill(dew_SolverState *s, int least, int wanted, int64_t limit, int64_t *given)
{
    const dew_Grid *grid = s->grid;
    const uint8_t *kind = dew_splash_kind(s), *count = dew_splash_count(s);
    dew_Vec3 fresh[256];
    *given = 0;
    for (int64_t at = 0; at < (int64_t)grid->brick_count * grid->brick_cells; at++) {
        if (kind[at] != DEW_SPLASH_FULL || count[at] >= least)
            continue;
        if (*given >= limit)
            break;
        int64_t made = fill_cell(s, (int32_t)(at / grid->brick_cells),
                                 (int)(at % grid->brick_cells), wanted, fresh);
        DEW_TRY(dew_splash_add_markers(s, fresh, made));
        *given += made;
    }
    return dew_ok();
}

dew_Status dew_splash_reseed(dew_SolverState *state, dew_Arena *scratch)
{
    int full = state->laws.per_cell;
    int64_t given, back = 0;
    DEW_TRY(dew_splash_find_band(state, scratch));
    int64_t taken = thin(state, 2 * full, INT64_MAX);
    DEW_TRY(fill(state, (full + 1) / 2, full, INT64_MAX, &given));
    double *owed = &state->numbers.owed;
    *owed += (double)(taken - given);
    if (*owed >= 1)
        DEW_TRY(fill(state, full, full, (int64_t)*owed, &back));
    int64_t more = *owed <= -1 ? thin(state, full, (int64_t) - *owed) : 0;
    *owed += (double)(more - back);
    return dew_ok();
}
