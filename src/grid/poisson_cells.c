// Assembly of the pressure equations where cells are liquid, closed or air as a whole: all weights are 0 or 1, and are found
// 64 cells at once (brick_bits.h).
#include "base/status.h"
#include "grid/poisson.h"
#include "grid/poisson_state.h"

// Sides of a layer's cells: open ones; of these, toward cells with an equation, and toward the free surface.
typedef struct Sides {
    uint64_t flows[6], cut[6];
} Sides;

// Cells of layer k whose neighbour on that side is in no brick.
static uint64_t missing(const int32_t *near, int depth, int side, int k)
{
    static const uint64_t border[6] = {DEW_BITS_FIRST,      DEW_BITS_FIRST << 7, 255,
                                       UINT64_C(255) << 56, ~UINT64_C(0),        ~UINT64_C(0)};
    bool is_at = side < 4 || k == (side == 4 ? 0 : depth - 1);
    return is_at && near[dew_bits_near[side]] < 0 ? border[side] : 0;
}

static uint64_t open_side(const dew_PoissonDef *def, const dew_Grid *grid, const int32_t *near,
                          int side, int k)
{
    return side >= 2 * dew_grid_axes(grid)
               ? 0
               : ~(dew_bits_beside(def->closed, near, grid->depth, side, k) |
                   missing(near, grid->depth, side, k));
}

// ---- Which cells have equations ------------------------------------------------------------------

static dew_Status cells_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const dew_PoissonAssembly *s = context;
    const dew_Grid *grid = s->grid;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        uint64_t any = 0, all = ~UINT64_C(0);
        for (int k = 0; k < grid->depth; k++) {
            uint64_t open = 0, liquid = s->def->liquid[b].layer[k] & ~s->def->closed[b].layer[k];
            for (int side = 0; side < 6 && liquid; side++) {
                uint64_t here = open_side(s->def, grid, near, side, k);
                open |= here;
                all &= side & 1 ? all : here;
            }
            s->poisson->cells[b].layer[k] = liquid & open;
            any |= liquid & open;
            all &= liquid & open;
        }
        bool is_full = grid->depth > 1 && ~all == 0;
        s->kind[b] =
            (uint8_t)((any ? DEW_POISSON_HAS_LIQUID : 0) | (is_full ? DEW_POISSON_IS_FULL : 0));
    }
    return dew_ok();
}

static Sides sides_of(const dew_PoissonAssembly *s, int32_t b, int k)
{
    const int32_t *near = dew_grid_neighbours(s->grid, b);
    uint64_t own = s->poisson->cells[b].layer[k];
    Sides sides = {{0}, {0}};
    for (int side = 0; side < 6 && own; side++) {
        uint64_t open = own & open_side(s->def, s->grid, near, side, k);
        uint64_t there = dew_bits_beside(s->poisson->cells, near, s->grid->depth, side, k);
        sides.flows[side] = open & there;
        sides.cut[side] = open & ~there;
    }
    return sides;
}

static dew_Status surface_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const dew_PoissonAssembly *s = context;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        uint64_t cut = 0;
        if (!(s->kind[b] & DEW_POISSON_HAS_LIQUID) || dew_poisson_is_deep(s, b))
            continue;
        for (int k = 0; k < s->grid->depth; k++) {
            Sides sides = sides_of(s, b, k);
            for (int side = 0; side < 6; side++)
                cut |= sides.cut[side];
        }
        s->kind[b] |= cut ? DEW_POISSON_HAS_SURFACE : 0;
    }
    return dew_ok();
}

dew_Status dew_poisson_cells_find(dew_PoissonAssembly *s)
{
    int64_t bricks = s->grid->brick_count + s->grid->ghost_count;
    DEW_ASSERT(s->def->closed && s->def->min_fraction >= 1 && !s->def->p_surface);
    s->poisson->cells = dew_arena_array(&s->poisson->arena, dew_BrickBits, bricks);
    if (!s->poisson->cells)
        return dew_no_memory((size_t)bricks * sizeof(dew_BrickBits));
    DEW_TRY(dew_grid_for(s->grid, cells_chunk, s));
    return dew_grid_for(s->grid, surface_chunk, s);
}

// ---- Weights ---------------------------------------------------------------------------------------

// Every other bit of a row, from the first or the second on, as four numbers.
static inline void pick(uint64_t row, int first, float out[4])
{
    for (int p = 0; p < 4; p++)
        out[p] = (float)(int)(row >> (2 * p + first) & 1);
}

static void fill_row(dew_Poisson *p, const Sides *sides, int32_t slot, int j, int k)
{
    static const float inverse[8] = {0, 1, 1.0f / 2, 1.0f / 3, 1.0f / 4, 1.0f / 5, 1.0f / 6, 0};
    dew_MgLevel *level = &p->mg.level[0];
    int half = level->brick_cells / 2, row = j + DEW_BRICK * k;
    int64_t surface = level->surface[slot];
    uint64_t weights = 0, d = 0;
    for (int side = 0; side < 6; side++) {
        weights += dew_bits_spread(sides->flows[side] >> 8 * j);
        d += dew_bits_spread(sides->cut[side] >> 8 * j);
    }
    for (int colour = 0; colour < 2; colour++) {
        int first = dew_mg_row_parity(row) ^ colour, place = colour * half + 4 * row;
        int64_t at = (colour ? level->black : 0) + (int64_t)slot * half + 4 * row;
        for (int a = 0; a < 3; a++)
            pick(sides->flows[2 * a] >> 8 * j, first, level->w[a] + at);
        float *diagonal = p->diagonal + (int64_t)slot * level->brick_cells + place;
        for (int n = 0; n < 4; n++) {
            int shift = 8 * (2 * n + first), sum = (int)((weights + d) >> shift & 7);
            diagonal[n] = (float)sum;
            level->inverse[at + n] = inverse[sum];
            if (surface >= 0)
                p->d[surface * level->brick_cells + place + n] = (float)(int)(d >> shift & 7);
        }
    }
}

void dew_poisson_cells_fill(const dew_PoissonAssembly *s, int32_t slot)
{
    dew_MgLevel *level = &s->poisson->mg.level[0];
    int32_t b = s->poisson->brick[slot], surface = level->surface[slot];
    uint64_t inner = ~UINT64_C(0);
    for (int k = 0; k < s->grid->depth; k++) {
        Sides sides = sides_of(s, b, k);
        for (int side = 0; side < 6; side++) {
            uint64_t cut = sides.cut[side];
            inner &= sides.flows[side];
            while (cut)
                level->d_side[(6 * (int64_t)surface + side) * level->brick_cells + 64 * k +
                              dew_bits_take(&cut)] = 1;
        }
        for (int j = 0; j < DEW_BRICK && s->poisson->cells[b].layer[k]; j++)
            if (s->poisson->cells[b].layer[k] >> 8 * j & 255)
                fill_row(s->poisson, &sides, slot, j, k);
    }
    level->kind[slot] = (uint8_t)(s->grid->depth == 1 ? DEW_MG_CUT
                                  : ~inner            ? DEW_MG_OPEN
                                                      : DEW_MG_PLAIN);
}

// ---- Closed pools ------------------------------------------------------------------------------------

// Spreads what is reached of a brick by one cell in all directions; has anything changed? Cells with equations beside one
// another are always joined.
static bool spread(const dew_Poisson *p, const int32_t *near, dew_BrickBits *reached)
{
    int depth = p->grid->depth, sides = 2 * dew_grid_axes(p->grid);
    bool has_changed = false;
    for (int k = 0; k < depth; k++) {
        uint64_t own = p->cells[near[13]].layer[k], *here = &reached[near[13]].layer[k];
        for (uint64_t was = ~*here; was != *here && *here != own;) {
            was = *here;
            for (int side = 0; side < sides; side++)
                *here |= own & dew_bits_beside(reached, near, depth, side, k);
            has_changed |= *here != was;
        }
    }
    return has_changed;
}

static bool is_done(const dew_Poisson *p, const dew_BrickBits *reached, int32_t b)
{
    uint64_t rest = 0;
    for (int k = 0; k < p->grid->depth; k++)
        rest |= p->cells[b].layer[k] & ~reached[b].layer[k];
    return rest == 0;
}

dew_Status dew_poisson_cells_are_open(dew_Poisson *p, bool *are_open)
{
    int64_t bricks = p->grid->brick_count + p->grid->ghost_count;
    const dew_MgLevel *level = &p->mg.level[0];
    dew_PoissonAssembly s = {p, p->grid, &p->def, NULL, NULL};
    dew_BrickBits *reached = dew_arena_array(&p->arena, dew_BrickBits, bricks);
    if (!reached)
        return dew_no_memory((size_t)bricks * sizeof(dew_BrickBits));
    for (int32_t i = 0; i < p->brick_count; i++)
        for (int k = 0; k < p->grid->depth && level->surface[i] >= 0; k++) {
            Sides sides = sides_of(&s, p->brick[i], k);
            for (int side = 0; side < 6; side++)
                reached[p->brick[i]].layer[k] |= sides.cut[side];
        }
    bool has_changed = true;
    for (int round = 0; has_changed; round++) {
        has_changed = false;
        *are_open = true;
        for (int32_t n = 0; n < p->brick_count; n++) {
            int32_t b = p->brick[round & 1 ? p->brick_count - 1 - n : n];
            if (is_done(p, reached, b))
                continue;
            while (spread(p, dew_grid_neighbours(p->grid, b), reached))
                has_changed = true;
            *are_open &= is_done(p, reached, b);
        }
    }
    return dew_ok();
}
