// Sets of cells that grow and shrink.
#include "grid/brick_bits.h"

typedef struct Grow {
    const dew_Grid *grid;
    const dew_BrickBits *from;
    dew_BrickBits *to;
    int axis;
    bool is_shrinking;
} Grow;

static dew_Status grow_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Grow *g = context;
    int depth = g->grid->depth;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(g->grid, (int32_t)b);
        for (int k = 0; k < depth; k++) {
            uint64_t own = g->from[b].layer[k];
            uint64_t lo = dew_bits_beside(g->from, near, depth, 2 * g->axis, k);
            uint64_t hi = dew_bits_beside(g->from, near, depth, 2 * g->axis + 1, k);
            g->to[b].layer[k] = g->is_shrinking ? own & lo & hi : own | lo | hi;
        }
    }
    return dew_ok();
}

void dew_bits_grow(const dew_Grid *grid, int cells, dew_BrickBits **set, dew_BrickBits **spare)
{
    int reach = cells < 0 ? -cells : cells;
    for (int n = 0; n < reach * dew_grid_axes(grid); n++) {
        Grow g = {grid, *set, *spare, n % dew_grid_axes(grid), cells < 0};
        dew_grid_for(grid, grow_chunk, &g);
        dew_BrickBits *grown = *spare;
        *spare = *set;
        *set = grown;
    }
}
