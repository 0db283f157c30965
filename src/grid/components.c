// Connected components of a set of cells: pieces of each brick first, as bits, then joined across the
// faces between bricks by union and find, the smaller root winning. So a component's root is its
// first cell in the order of bricks, whatever the order of the work.
#include "base/status.h"
#include "base/union_find.h"
#include "grid/brick.h"

typedef struct Pieces {
    const dew_Grid *grid;
    const dew_BrickBits *set;
    int32_t *parent;  // per cell: the first one of its piece; of these another piece's, or itself
    int32_t *count;   // per brick: pieces
} Pieces;

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
    const Pieces *d = context;
    for (int64_t b = begin; b < end; b++) {
        dew_BrickBits rest = d->set[b];
        d->count[b] = 0;
        for (int n = 0; n < d->grid->brick_cells; n++)
            d->parent[b * d->grid->brick_cells + n] = DEW_INVALID;
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
static int join_below(const Pieces *d, int32_t b, int axis)
{
    static const uint64_t border[3] = {DEW_BITS_FIRST, 255, ~UINT64_C(0)};
    const int32_t *near = dew_grid_neighbours(d->grid, b);
    int fewer = 0;
    for (int k = 0; k < (axis == 2 ? 1 : d->grid->depth); k++) {
        uint64_t both = d->set[b].layer[k] & border[axis] &
                        dew_bits_beside(d->set, near, d->grid->depth, 2 * axis, k);
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

dew_Status dew_bits_components(const dew_Grid *grid, const dew_BrickBits *set, int32_t *parent,
                               dew_Arena *scratch, int64_t *component_count)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t cells = dew_grid_value_count(grid);
    Pieces d = {grid, set, parent, dew_arena_raw_array(scratch, int32_t, grid->brick_count)};
    if (cells > INT32_MAX)
        return dew_fail(DEW_UNSUPPORTED, "pieces are told apart in up to 2^31 cells, here are %lld",
                        (long long)cells);
    if (!d.count)
        return dew_no_memory((size_t)grid->brick_count * sizeof *d.count);
    DEW_TRY(dew_grid_for(grid, pieces_chunk, &d));
    int64_t count = 0;
    for (int32_t b = 0; b < grid->brick_count; b++)
        count += d.count[b];
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int a = 0; a < dew_grid_axes(grid); a++)
            count -= join_below(&d, b, a);
    *component_count = count;
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}
