// V-cycle: red-black Gauss-Seidel before and, in reverse order, after the coarse correction, so that
// the whole is symmetric and may precondition conjugate gradients [Trottenberg2001], [McAdams2010].
//
// Half-sweeps go from one array to another: cells of one colour need only the other colour, but
// workers store whole rows. Values are float: the outer iteration corrects what rounding loses. The
// coarsest level is swept more often instead of being solved.
#include "grid/multigrid_state.h"

#include "base/status.h"
#include "num/cg.h"

#define BOTTOM_SWEEPS 10
#define BOTTOM_BRICKS 8  // a coarsest level with more is made of drops too small to coarsen

void dew_multigrid_init(dew_Multigrid *mg, const dew_Allocator *allocator)
{
    *mg = (dew_Multigrid){.sweeps = 2, .kernels = dew_mg_kernels(true)};
    dew_arena_init(&mg->arena, allocator);
}

void dew_multigrid_deinit(dew_Multigrid *mg)
{
    dew_arena_deinit(&mg->arena);
}

int64_t dew_multigrid_bytes(const dew_Multigrid *mg)
{
    return (int64_t)mg->arena.reserved_bytes;
}

dew_Status dew_multigrid_begin(dew_Multigrid *mg, dew_Tasks *tasks, int32_t brick_count, int depth,
                               int32_t surface_count)
{
    dew_arena_clear(&mg->arena);
    mg->tasks = tasks;
    mg->level_count = 1;
    DEW_TRY(dew_mg_level_begin(mg, &mg->level[0], brick_count, depth, 1));
    return dew_mg_level_alloc(mg, &mg->level[0], surface_count);
}

dew_Status dew_multigrid_end(dew_Multigrid *mg)
{
    DEW_TRY(dew_mg_level_finish(mg, &mg->level[0]));
    while (mg->level_count < DEW_MG_MAX_LEVELS) {
        dew_MgLevel *fine = &mg->level[mg->level_count - 1];
        bool has_cells = false;
        DEW_TRY(dew_mg_coarsen(mg, fine, fine + 1, &has_cells));
        if (!has_cells)
            break;
        mg->level_count++;
    }
    return dew_ok();
}

dew_MgBrick dew_mg_brick(const dew_MgLevel *level, int32_t brick)
{
    int64_t cells = level->brick_cells, at = brick * cells;
    const int32_t *near = level->near + 6 * (int64_t)brick;
    dew_MgBrick m = {.depth = level->depth,
                     .is_plain = level->is_plain[brick],
                     .scale = level->scale,
                     .inverse = level->inverse + at,
                     .x = level->x + at,
                     .b = level->b + at};
    for (int a = 0; a < 3; a++) {
        m.w[a] = level->w[a] + at;
        m.w_up[a] = level->w[a] + near[2 * a + 1] * cells;
        m.x_low[a] = level->x + near[2 * a] * cells;
        m.x_up[a] = level->x + near[2 * a + 1] * cells;
    }
    return m;
}

// What goes in and out at the fine level, in double.
typedef struct Outer {
    const double *r;
    double *z;
    double *products;  // of r and z, per brick; NULL: not wanted
    double factor;
} Outer;

// A pass over the bricks of one level.
typedef struct Pass {
    dew_Multigrid *mg;
    dew_MgLevel *level;
    int colour;
    const Outer *outer;  // NULL but for the first and the last pass
} Pass;

static void narrow(const Outer *outer, int64_t at, int cells, float *restrict b)
{
    const double *restrict r = outer->r + at;
    for (int i = 0; i < cells; i++)
        b[i] = (float)(r[i] * outer->factor);
}

static dew_Status begin_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Pass *p = context;
    int cells = p->level->brick_cells;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        int64_t at = b * (int64_t)cells;
        if (p->outer)
            narrow(p->outer, at, cells, p->level->b + at);
        dew_MgBrick m = dew_mg_brick(p->level, b);
        p->mg->kernels->begin(&m, p->colour, p->level->y + at);
    }
    return dew_ok();
}

static void widen(const Outer *outer, int64_t brick, int cells, const float *restrict x)
{
    double *restrict z = outer->z + brick * cells;
    const double factor = 1 / outer->factor;
    for (int i = 0; i < cells; i++)
        z[i] = (double)x[i] * factor;
    if (outer->products)
        outer->products[brick] = dew_cg_block_product(outer->r + brick * cells, z, cells);
}

static dew_Status sweep_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Pass *p = context;
    int cells = p->level->brick_cells;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        dew_MgBrick m = dew_mg_brick(p->level, b);
        float *y = p->level->y + b * (int64_t)cells;
        p->mg->kernels->sweep(&m, p->colour, y);
        if (p->outer)
            widen(p->outer, b, cells, y);
    }
    return dew_ok();
}

static void half_sweep(dew_Multigrid *mg, dew_MgLevel *level, dew_ChunkFn *fn, int colour,
                       const Outer *outer)
{
    Pass p = {.mg = mg, .level = level, .colour = colour, .outer = outer};
    dew_parallel_for(mg->tasks, level->brick_count, DEW_MG_CHUNK, fn, &p);
    float *done = level->y;
    level->y = level->x;
    level->x = done;
}

// From zero, red before black. outer: of the fine level.
static void smooth_down(dew_Multigrid *mg, dew_MgLevel *level, int sweeps, const Outer *outer)
{
    half_sweep(mg, level, begin_chunk, 0, outer);
    half_sweep(mg, level, sweep_chunk, 1, NULL);
    for (int i = 1; i < sweeps; i++) {
        half_sweep(mg, level, sweep_chunk, 0, NULL);
        half_sweep(mg, level, sweep_chunk, 1, NULL);
    }
}

static void smooth_up(dew_Multigrid *mg, dew_MgLevel *level, int sweeps, const Outer *outer)
{
    for (int i = 0; i < sweeps; i++) {
        half_sweep(mg, level, sweep_chunk, 1, NULL);
        half_sweep(mg, level, sweep_chunk, 0, i == sweeps - 1 ? outer : NULL);
    }
}

dew_Status dew_multigrid_cycle(dew_Multigrid *mg, const double *r, double factor, double *z,
                               double *products)
{
    int bottom = mg->level_count - 1;
    bool are_blocks = mg->level[0].brick_cells == DEW_CG_BLOCK;
    const Outer outer = {r, z, are_blocks ? products : NULL, factor};
    for (int l = 0; l < bottom; l++) {
        smooth_down(mg, &mg->level[l], mg->sweeps, l == 0 ? &outer : NULL);
        dew_mg_restrict(mg, l);
    }
    dew_MgLevel *last = &mg->level[bottom];
    int sweeps = last->brick_count <= BOTTOM_BRICKS ? BOTTOM_SWEEPS : mg->sweeps;
    smooth_down(mg, last, sweeps, bottom == 0 ? &outer : NULL);
    smooth_up(mg, last, sweeps, bottom == 0 ? &outer : NULL);
    for (int l = bottom - 1; l >= 0; l--) {
        dew_mg_prolong(mg, l);
        smooth_up(mg, &mg->level[l], mg->sweeps, l == 0 ? &outer : NULL);
    }
    int64_t count = (int64_t)mg->level[0].brick_count * mg->level[0].brick_cells;
    if (products && !are_blocks)
        dew_cg_block_products(mg->tasks, r, z, count, products);
    return dew_ok();
}
