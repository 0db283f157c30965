// V-cycle: red-black Gauss-Seidel before and, in reverse order, after the coarse correction, so that
// the whole is symmetric and may precondition conjugate gradients [Trottenberg2001], [McAdams2010].
//
// The colours are stored apart, so that half-sweeps work in place on one of them. Values are float: the
// outer iteration corrects what rounding loses. The coarsest level is swept more often instead of being
// solved.
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
    dew_arena_end_step(&mg->arena);
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

void dew_mg_brick(const dew_MgLevel *level, int32_t brick, dew_MgBrick *out)
{
    int64_t cells = level->brick_cells / 2, at = brick * cells;
    const int32_t *near = level->near + 6 * (int64_t)brick;
    *out = (dew_MgBrick){.depth = level->depth,
                         .kind = level->kind[brick],
                         .scale = level->scale,
                         .black = level->black,
                         .inverse = level->inverse + at,
                         .x = level->x + at,
                         .b = level->b + at};
    for (int a = 0; a < 3; a++) {
        out->w[a] = level->w[a] + at;
        out->w_up[a] = level->w[a] + near[2 * a + 1] * cells;
        out->x_low[a] = level->x + near[2 * a] * cells;
        out->x_up[a] = level->x + near[2 * a + 1] * cells;
    }
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
    bool is_first;       // as if the colour had been 0
    const Outer *outer;  // NULL but for the first and the last pass
} Pass;

// Between the double values of a brick and its float ones, whose colours are farther apart.
static void narrow(const Outer *outer, int64_t brick, const dew_MgLevel *level)
{
    const int half = level->brick_cells / 2;
    const double *restrict r = outer->r + brick * level->brick_cells;
    float *restrict red = level->b + brick * half, *restrict black = red + level->black;
    for (int i = 0; i < half; i++)
        red[i] = (float)(r[i] * outer->factor);
    for (int i = 0; i < half; i++)
        black[i] = (float)(r[half + i] * outer->factor);
}

static void widen(const Outer *outer, int64_t brick, const dew_MgLevel *level)
{
    const int half = level->brick_cells / 2;
    const double *r = outer->r + brick * level->brick_cells;
    double *restrict z = outer->z + brick * level->brick_cells;
    const float *restrict red = level->x + brick * half, *restrict black = red + level->black;
    const double factor = 1 / outer->factor;
    for (int i = 0; i < half; i++)
        z[i] = (double)red[i] * factor;
    for (int i = 0; i < half; i++)
        z[half + i] = (double)black[i] * factor;
    if (outer->products)
        outer->products[brick] = dew_cg_block_product(r, z, level->brick_cells);
}

static dew_Status begin_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Pass *p = context;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        if (p->outer)
            narrow(p->outer, b, p->level);
        dew_MgBrick m;
        dew_mg_brick(p->level, b, &m);
        p->mg->kernels->begin(&m);
    }
    return dew_ok();
}

static dew_Status sweep_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Pass *p = context;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        dew_MgBrick m;
        dew_mg_brick(p->level, b, &m);
        p->mg->kernels->sweep(&m, p->colour, p->is_first);
        if (p->outer)
            widen(p->outer, b, p->level);
    }
    return dew_ok();
}

static void half_sweep(dew_Multigrid *mg, dew_MgLevel *level, int colour, bool is_first,
                       const Outer *outer)
{
    Pass p = {.mg = mg, .level = level, .colour = colour, .is_first = is_first, .outer = outer};
    bool is_begin = is_first && colour == 0;
    dew_parallel_for(mg->tasks, level->brick_count, DEW_MG_CHUNK,
                     is_begin ? begin_chunk : sweep_chunk, &p);
}

// From zero, red before black. outer: of the fine level.
static void smooth_down(dew_Multigrid *mg, dew_MgLevel *level, int sweeps, const Outer *outer)
{
    for (int i = 0; i < sweeps; i++) {
        half_sweep(mg, level, 0, i == 0, i == 0 ? outer : NULL);
        half_sweep(mg, level, 1, i == 0, NULL);
    }
}

static void smooth_up(dew_Multigrid *mg, dew_MgLevel *level, int sweeps, const Outer *outer)
{
    for (int i = 0; i < sweeps; i++) {
        half_sweep(mg, level, 1, false, NULL);
        half_sweep(mg, level, 0, false, i == sweeps - 1 ? outer : NULL);
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
