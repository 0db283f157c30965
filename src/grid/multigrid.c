// V-cycle: red-black Gauss-Seidel before and, in reverse order, after the coarse correction, so
// that the whole is symmetric and may precondition conjugate gradients [Trottenberg2001],
// [McAdams2010].
//
// The colours are stored apart, so that half-sweeps work in place on one of them. Values are float:
// the outer iteration corrects what rounding loses. The coarsest level is swept more often instead
// of being solved.

#include "base/status.h"

#include "base/simd.h"
#include "grid/poisson.h"
#include "num/cg.h"

#include <string.h>

// Sweeps on the coarsest level, instead of a solution: its bricks, one task, have 16 cells across.
// A coarsest level with more bricks is made of drops too small to coarsen.
#define BOTTOM_SWEEPS 10

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

// ---- Levels -------------------------------------------------------------------------------------

dew_Status dew_mg_level_begin(dew_Multigrid *mg, dew_MgLevel *level, int32_t brick_count, int depth,
                              float scale)
{
    dew_Arena *arena = &mg->arena;
    int64_t n = brick_count;
    *level = (dew_MgLevel){
        .brick_count = brick_count, .depth = depth, .brick_cells = 64 * depth, .scale = scale};
    level->black = n * 32 * depth + 32 * depth;
    level->key = dew_arena_array(arena, uint64_t, n);
    level->near = dew_arena_array(arena, int32_t, 6 * n);
    level->parent = dew_arena_array(arena, int32_t, n);
    level->child = dew_arena_array(arena, int32_t, 8 * n);
    level->surface = dew_arena_array(arena, int32_t, n + 1);
    level->kind = dew_arena_array(arena, uint8_t, n + 1);
    if (!level->key || !level->near || !level->parent || !level->child || !level->surface ||
        !level->kind)
        return dew_no_memory((size_t)n * 80);
    for (int64_t i = 0; i <= n; i++)
        level->surface[i] = DEW_INVALID;
    return dew_ok();
}

void dew_mg_clear(const dew_MgLevel *level, int64_t b)
{
    const int64_t cells = level->brick_cells;
    const size_t half = (size_t)(cells / 2) * sizeof(float), whole = 2 * half;
    float *const halves[] = {level->w[0], level->w[1], level->w[2], level->inverse, level->x};
    const int count = b == level->brick_count ? 5 : 4;  // other x are written before they are read
    for (int i = 0; i < count; i++) {
        memset(halves[i] + b * cells / 2, 0, half);
        memset(halves[i] + level->black + b * cells / 2, 0, half);
    }
    if (level->surface[b] >= 0)
        memset(level->d_side + 6 * level->surface[b] * cells, 0, 6 * whole);
    if (!level->y)
        return;
    for (int s = 0; s < 6; s++)
        memset(level->spill[s] + b * cells, 0, whole);
    memset(level->y + b * cells, 0, whole);
    memset(level->side + b * cells, 0, (size_t)cells);
}

dew_Status dew_mg_level_alloc(dew_Multigrid *mg, dew_MgLevel *level, int32_t surface_count)
{
    int64_t values = (int64_t)level->brick_cells * (level->brick_count + 1);
    bool is_fine = level == &mg->level[0];
    float **own[] = {&level->w[0],     &level->w[1],     &level->w[2],     &level->inverse,
                     &level->x,        &level->b,        &level->y,        &level->spill[0],
                     &level->spill[1], &level->spill[2], &level->spill[3], &level->spill[4],
                     &level->spill[5]};
    for (int i = 0; i < (is_fine ? 6 : 13); i++) {
        *own[i] = dew_arena_raw_array(&mg->arena, float, values);
        if (!*own[i])
            return dew_no_memory((size_t)values * sizeof(float));
    }
    level->surface_count = surface_count;
    int64_t sides = 6 * (int64_t)level->brick_cells * surface_count;
    level->d_side = dew_arena_raw_array(&mg->arena, float, sides);
    level->side = dew_arena_raw_array(&mg->arena, uint8_t, is_fine ? 0 : values);
    if (!level->d_side || !level->side)
        return dew_no_memory((size_t)sides * sizeof(float));
    dew_mg_clear(level, level->brick_count);
    return dew_ok();
}

typedef struct Finish {
    dew_MgLevel *level;
    int32_t *cells;  // with an equation, per brick
} Finish;

static dew_Status finish_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Finish *f = context;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        const int half = f->level->brick_cells / 2;
        const float *red = f->level->inverse + b * (int64_t)half, *black = red + f->level->black;
        int32_t count = 0;
        for (int i = 0; i < half; i++)
            count += (red[i] > 0) + (black[i] > 0);
        f->cells[b] = count;
    }
    return dew_ok();
}

dew_Status dew_mg_level_finish(dew_Multigrid *mg, dew_MgLevel *level)
{
    Finish f = {level, dew_arena_array(&mg->arena, int32_t, level->brick_count)};
    if (!f.cells)
        return dew_no_memory((size_t)level->brick_count * sizeof(int32_t));
    dew_parallel_for(mg->tasks, level->brick_count, DEW_MG_CHUNK, finish_chunk, &f);
    level->cell_count = 0;
    for (int32_t b = 0; b < level->brick_count; b++)
        level->cell_count += f.cells[b];
    return dew_ok();
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
    double factor = 1 / outer->factor;
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
    int sweeps = last->brick_count <= DEW_MG_CHUNK ? BOTTOM_SWEEPS : mg->sweeps;
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

// ---- Kernels ------------------------------------------------------------------------------------

// Stencils of the seven-point operator on one brick, eight cells of one colour at a time.
//
//   (A x)(c) = sum over faces of w (x(c) - x(neighbour)) + d x(c)
//
// A colour of a brick is rows of four; a vector of eight is the rows j and j + 1, j even.
// Neighbours are of the other colour: along y and z at the same place of other rows, along x one at
// the same place and one beside it, to the left in rows where this colour comes first in each pair
// of cells, to the right in the others. That is one in turn, so that of two rows each has one
// (`turn` tells the first's). The vector types of gcc and clang do the arithmetic on any machine;
// where there is AVX2 the same source is compiled for it too. Nothing is contracted and nothing
// reordered: the bits are the same.

typedef float F8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));
typedef float F4 __attribute__((vector_size(16)));
typedef double D4 __attribute__((vector_size(32)));
typedef int64_t L4 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

#define LOAD(v, p)  memcpy(&(v), (p), sizeof(v))
#define STORE(p, v) memcpy((p), &(v), sizeof(v))
#define MIX         __builtin_shufflevector

// A pair of rows: they begin at `at` in a colour. half: values of a colour.
typedef struct Pair {
    int j, k, at, depth, half, turn;
} Pair;

INLINE Pair pair_of(int depth, int j, int k, int turn)
{
    return (Pair){j, k, 4 * j + 32 * k, depth, 32 * depth, turn};
}

// Values on the six sides of the cells of a pair, from the other colour: x, low, up point to that
// colour of the brick and of its neighbours.
INLINE void f8_left(const Pair *p, const float *x, const float *low, F8 *v)
{
    const float e = low[p->at + 3 + 4 * p->turn];
    F8 own, end = {e, e, e, e, e, e, e, e};
    LOAD(own, x + p->at);
    *v = p->turn ? MIX(own, end, 0, 1, 2, 3, 12, 4, 5, 6) : MIX(own, end, 8, 0, 1, 2, 4, 5, 6, 7);
}

INLINE void f8_right(const Pair *p, const float *x, const float *up, F8 *v)
{
    const float e = up[p->at + 4 - 4 * p->turn];
    F8 own, end = {e, e, e, e, e, e, e, e};
    LOAD(own, x + p->at);
    *v = p->turn ? MIX(own, end, 1, 2, 3, 11, 4, 5, 6, 7) : MIX(own, end, 0, 1, 2, 3, 5, 6, 7, 15);
}

INLINE void f8_south(const Pair *p, const float *x, const float *low, F8 *v)
{
    F4 a, b;
    LOAD(a, p->j > 0 ? x + p->at - 4 : low + p->at + 28);
    LOAD(b, x + p->at);
    *v = MIX(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

INLINE void f8_north(const Pair *p, const float *x, const float *up, F8 *v)
{
    F4 a, b;
    LOAD(a, x + p->at + 4);
    LOAD(b, p->j < 6 ? x + p->at + 8 : up + p->at - 24);
    *v = MIX(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

INLINE void f8_under(const Pair *p, const float *x, const float *low, F8 *v)
{
    LOAD(*v, p->k > 0 ? x + p->at - 32 : low + p->at + p->half - 32);
}

INLINE void f8_above(const Pair *p, const float *x, const float *up, F8 *v)
{
    LOAD(*v, p->k < p->depth - 1 ? x + p->at + 32 : up + p->at - p->half + 32);
}

// Sum of the neighbours' values times the weights of the faces between. mine, other: where the
// colour of the cells and that of their neighbours begin.
INLINE void weighted_sum(const dew_MgBrick *m, const Pair *p, int64_t mine, int64_t other, F8 *out)
{
    const int64_t at = mine + p->at;
    F8 v, w, sum;
    f8_left(p, m->x + other, m->x_low[0] + other, &v);
    LOAD(w, m->w[0] + at);
    sum = w * v;
    f8_right(p, m->x + other, m->x_up[0] + other, &v);
    f8_right(p, m->w[0] + other, m->w_up[0] + other, &w);
    sum += w * v;
    f8_south(p, m->x + other, m->x_low[1] + other, &v);
    LOAD(w, m->w[1] + at);
    sum += w * v;
    f8_north(p, m->x + other, m->x_up[1] + other, &v);
    f8_north(p, m->w[1] + other, m->w_up[1] + other, &w);
    sum += w * v;
    f8_under(p, m->x + other, m->x_low[2] + other, &v);
    LOAD(w, m->w[2] + at);
    sum += w * v;
    f8_above(p, m->x + other, m->x_up[2] + other, &v);
    f8_above(p, m->w[2] + other, m->w_up[2] + other, &w);
    sum += w * v;
    *out = sum;
}

// Sum of the six neighbours' values.
INLINE void plain_sum(const dew_MgBrick *m, const Pair *p, int64_t other, F8 *out)
{
    F8 left, right, s, n, u, a;
    f8_left(p, m->x + other, m->x_low[0] + other, &left);
    f8_right(p, m->x + other, m->x_up[0] + other, &right);
    f8_south(p, m->x + other, m->x_low[1] + other, &s);
    f8_north(p, m->x + other, m->x_up[1] + other, &n);
    f8_under(p, m->x + other, m->x_low[2] + other, &u);
    f8_above(p, m->x + other, m->x_up[2] + other, &a);
    *out = ((left + right) + (s + n)) + (u + a);
}

// Sum of the neighbours' values times the weights, in bricks that are not plain.
INLINE void near_sum(const dew_MgBrick *m, const Pair *p, dew_MgKind kind, int64_t mine,
                     int64_t other, F8 *out)
{
    if (kind == DEW_MG_OPEN) {
        plain_sum(m, p, other, out);
        *out *= m->scale;
    } else {
        weighted_sum(m, p, mine, other, out);
    }
}

// Runs `rows` for each layer with its turn as a constant: colour first in the pairs of even rows or
// not.
#define FOR_LAYERS(rows, depth, colour, ...)                                                       \
    for (int k = 0; k < (depth); k++)                                                              \
        if ((k ^ (colour)) & 1)                                                                    \
            rows(__VA_ARGS__, depth, k, 1);                                                        \
        else                                                                                       \
            rows(__VA_ARGS__, depth, k, 0);

// `kind` is an argument of its own, so that each case becomes a loop of its own.
INLINE void sweep_rows(const dew_MgBrick *m, int colour, bool is_first, dew_MgKind kind, int depth,
                       int k, int turn)
{
    const float over = DEW_MG_RELAXATION, sixth = over / 6, of_b = sixth / m->scale;
    const int64_t mine = colour ? m->black : 0, other = m->black - mine;
    for (int j = 0; j < 8; j += 2) {
        const Pair p = pair_of(depth, j, k, turn);
        F8 sum, b, c = {0};
        LOAD(b, m->b + mine + p.at);
        if (!is_first)
            LOAD(c, m->x + mine + p.at);
        if (kind == DEW_MG_PLAIN) {
            plain_sum(m, &p, other, &sum);
            sum = b * of_b + sum * sixth;
        } else {
            F8 inverse;
            near_sum(m, &p, kind, mine, other, &sum);
            LOAD(inverse, m->inverse + mine + p.at);
            sum = (b + sum) * (over * inverse);
        }
        sum += (1 - over) * c;
        STORE(m->x + mine + p.at, sum);
    }
}

INLINE void sweep_any(const dew_MgBrick *brick, int colour, bool is_first)
{
    const dew_MgBrick own = *brick, *m = &own;  // which no store can change
    if (m->kind == DEW_MG_PLAIN) {              // only in three dimensions
        FOR_LAYERS(sweep_rows, 8, colour, m, colour, is_first, DEW_MG_PLAIN)
    } else if (m->depth == 1) {
        FOR_LAYERS(sweep_rows, 1, colour, m, colour, is_first, DEW_MG_CUT)
    } else if (m->kind == DEW_MG_OPEN) {
        FOR_LAYERS(sweep_rows, 8, colour, m, colour, is_first, DEW_MG_OPEN)
    } else {
        FOR_LAYERS(sweep_rows, 8, colour, m, colour, is_first, DEW_MG_CUT)
    }
}

INLINE void begin_any(const dew_MgBrick *m)
{
    const float plain = DEW_MG_RELAXATION / (6 * m->scale);
    for (int i = 0; i < 32 * m->depth; i += 8) {
        F8 b, inverse = {plain, plain, plain, plain, plain, plain, plain, plain};
        LOAD(b, m->b + i);
        if (m->kind != DEW_MG_PLAIN) {
            LOAD(inverse, m->inverse + i);
            inverse *= DEW_MG_RELAXATION;
        }
        b *= inverse;
        STORE(m->x + i, b);
    }
}

// Residual of one colour's cells of a pair of rows.
INLINE void residual_pair(const dew_MgBrick *m, const Pair *p, int colour, dew_MgKind kind, F8 *out)
{
    const int64_t mine = colour ? m->black : 0, other = m->black - mine;
    const F8 zero = {0};
    F8 sum, c, b;
    LOAD(c, m->x + mine + p->at);
    LOAD(b, m->b + mine + p->at);
    if (kind == DEW_MG_PLAIN) {
        plain_sum(m, p, other, &sum);
        *out = b - m->scale * (6 * c - sum);
    } else {
        F8 inverse;
        near_sum(m, p, kind, mine, other, &sum);
        LOAD(inverse, m->inverse + mine + p->at);
        I8 has_equation = inverse > zero;  // elsewhere 1 / 0 is masked away
        *out = (F8)((I8)(b + sum - c / inverse) & has_equation);
    }
}

INLINE void residual_rows(const dew_MgBrick *m, dew_MgKind kind, float *restrict r, int depth,
                          int k, int turn)
{
    for (int j = 0; j < 8; j += 2) {
        const Pair red = pair_of(depth, j, k, turn), black = pair_of(depth, j, k, !turn);
        F8 a, b;
        residual_pair(m, &red, 0, kind, &a);
        residual_pair(m, &black, 1, kind, &b);
        F8 first = turn ? b : a, second = turn ? a : b;  // of the pairs of cells in row j
        F8 row = MIX(first, second, 0, 8, 1, 9, 2, 10, 3, 11);
        F8 next = MIX(second, first, 4, 12, 5, 13, 6, 14, 7, 15);
        STORE(r + 2 * red.at, row);
        STORE(r + 2 * red.at + 8, next);
    }
}

INLINE void residual_any(const dew_MgBrick *brick, float *restrict r)
{
    const dew_MgBrick own = *brick, *m = &own;  // which no store can change
    if (m->kind == DEW_MG_PLAIN) {
        FOR_LAYERS(residual_rows, 8, 0, m, DEW_MG_PLAIN, r)
    } else if (m->depth == 1) {
        FOR_LAYERS(residual_rows, 1, 0, m, DEW_MG_CUT, r)
    } else if (m->kind == DEW_MG_OPEN) {
        FOR_LAYERS(residual_rows, 8, 0, m, DEW_MG_OPEN, r)
    } else {
        FOR_LAYERS(residual_rows, 8, 0, m, DEW_MG_CUT, r)
    }
}

// ---- The product in double, four cells at a time ------------------------------------------------

// A row of a colour: its cells begin at `at`; first: they come first in their pairs of cells.
typedef struct Row {
    int j, k, at, depth, half;
    bool is_first;
} Row;

// Values on the six sides of the cells of a row, from the other colour, as above; on the upper
// sides also for weights.
INLINE void d4_left(const Row *r, const double *x, const double *low, D4 *v)
{
    const double e = low[r->at + 3];
    D4 end = {e, e, e, e};
    LOAD(*v, x + r->at);
    *v = r->is_first ? MIX(*v, end, 4, 0, 1, 2) : *v;
}
INLINE void d4_south(const Row *r, const double *x, const double *low, D4 *v)
{
    LOAD(*v, r->j > 0 ? x + r->at - 4 : low + r->at + 28);
}
INLINE void d4_under(const Row *r, const double *x, const double *low, D4 *v)
{
    LOAD(*v, r->k > 0 ? x + r->at - 32 : low + r->at + r->half - 32);
}
#define DEFINE_UPPER_SIDES(V, T, name)                                                             \
    INLINE void name##_right(const Row *r, const T *x, const T *up, V *v)                          \
    {                                                                                              \
        const T e = up[r->at];                                                                     \
        V end = {e, e, e, e};                                                                      \
        LOAD(*v, x + r->at);                                                                       \
        *v = r->is_first ? *v : MIX(*v, end, 1, 2, 3, 7);                                          \
    }                                                                                              \
    INLINE void name##_north(const Row *r, const T *x, const T *up, V *v)                          \
    {                                                                                              \
        LOAD(*v, r->j < 7 ? x + r->at + 4 : up + r->at - 28);                                      \
    }                                                                                              \
    INLINE void name##_above(const Row *r, const T *x, const T *up, V *v)                          \
    {                                                                                              \
        LOAD(*v, r->k < r->depth - 1 ? x + r->at + 32 : up + r->at - r->half + 32);                \
    }

DEFINE_UPPER_SIDES(D4, double, d4)
DEFINE_UPPER_SIDES(F4, float, f4)

// One term of A x: w (c - v).
INLINE void add_term(D4 *sum, const D4 *c, const D4 *v, const F4 *w)
{
    *sum += __builtin_convertvector(*w, D4) * (*c - *v);
}

INLINE void apply_cut_row(const dew_MgOuterBrick *m, const Row *r, int mine, int other, D4 *out)
{
    const int at = mine + r->at;
    const int64_t w_other = mine ? 0 : m->black, w_at = m->black - w_other + r->at;
    D4 c, v, sum;
    F4 w;
    LOAD(c, m->x + at);
    LOAD(w, m->d + at);
    sum = __builtin_convertvector(w, D4) * c;
    d4_left(r, m->x + other, m->x_low[0] + other, &v);
    LOAD(w, m->w[0] + w_at);
    add_term(&sum, &c, &v, &w);
    d4_right(r, m->x + other, m->x_up[0] + other, &v);
    f4_right(r, m->w[0] + w_other, m->w_up[0] + w_other, &w);
    add_term(&sum, &c, &v, &w);
    d4_south(r, m->x + other, m->x_low[1] + other, &v);
    LOAD(w, m->w[1] + w_at);
    add_term(&sum, &c, &v, &w);
    d4_north(r, m->x + other, m->x_up[1] + other, &v);
    f4_north(r, m->w[1] + w_other, m->w_up[1] + w_other, &w);
    add_term(&sum, &c, &v, &w);
    d4_under(r, m->x + other, m->x_low[2] + other, &v);
    LOAD(w, m->w[2] + w_at);
    add_term(&sum, &c, &v, &w);
    d4_above(r, m->x + other, m->x_up[2] + other, &v);
    f4_above(r, m->w[2] + w_other, m->w_up[2] + w_other, &w);
    add_term(&sum, &c, &v, &w);
    *out = sum;
}

// Six times the cells less their neighbours, and in open bricks what the diagonal differs from
// that; 0 where there is no equation.
INLINE void apply_open_row(const dew_MgOuterBrick *m, const Row *r, dew_MgKind kind, int mine,
                           int other, D4 *out)
{
    D4 c, left, right, s, n, u, a;
    LOAD(c, m->x + mine + r->at);
    d4_left(r, m->x + other, m->x_low[0] + other, &left);
    d4_right(r, m->x + other, m->x_up[0] + other, &right);
    d4_south(r, m->x + other, m->x_low[1] + other, &s);
    d4_north(r, m->x + other, m->x_up[1] + other, &n);
    d4_under(r, m->x + other, m->x_low[2] + other, &u);
    d4_above(r, m->x + other, m->x_up[2] + other, &a);
    *out = (((c - left) + (c - right)) + ((c - s) + (c - n))) + ((c - u) + (c - a));
    if (kind == DEW_MG_OPEN) {
        const D4 zero = {0};
        F4 stored;
        LOAD(stored, m->diagonal + mine + r->at);
        D4 diagonal = __builtin_convertvector(stored, D4);
        *out += (diagonal - 6) * c;
        *out = (D4)((L4)*out & (L4)(diagonal > zero));
    }
}

INLINE void apply_rows(const dew_MgOuterBrick *m, int colour, dew_MgKind kind, double *restrict y,
                       int depth, int k, int turn)
{
    const int mine = colour ? 32 * depth : 0, other = 32 * depth - mine;
    for (int j = 0; j < 8; j++) {
        const Row r = {j, k, 4 * j + 32 * k, depth, 32 * depth, (j & 1) == turn};
        D4 sum;
        if (kind == DEW_MG_CUT)
            apply_cut_row(m, &r, mine, other, &sum);
        else
            apply_open_row(m, &r, kind, mine, other, &sum);
        STORE(y + mine + r.at, sum);
    }
}

INLINE void apply_any(const dew_MgOuterBrick *brick, double *restrict y)
{
    const dew_MgOuterBrick own = *brick, *m = &own;  // which no store can change
    for (int colour = 0; colour < 2; colour++) {
        if (m->kind == DEW_MG_PLAIN) {
            FOR_LAYERS(apply_rows, 8, colour, m, colour, DEW_MG_PLAIN, y)
        } else if (m->depth == 1) {
            FOR_LAYERS(apply_rows, 1, colour, m, colour, DEW_MG_CUT, y)
        } else if (m->kind == DEW_MG_OPEN) {
            FOR_LAYERS(apply_rows, 8, colour, m, colour, DEW_MG_OPEN, y)
        } else {
            FOR_LAYERS(apply_rows, 8, colour, m, colour, DEW_MG_CUT, y)
        }
    }
}

static void begin(const dew_MgBrick *m)
{
    begin_any(m);
}
static void sweep(const dew_MgBrick *m, int colour, bool is_first)
{
    sweep_any(m, colour, is_first);
}
static void residual(const dew_MgBrick *m, float *r)
{
    residual_any(m, r);
}
static void apply(const dew_MgOuterBrick *m, double *y)
{
    apply_any(m, y);
}
static const dew_MgKernels plain_kernels = {begin, sweep, residual, apply};

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2"))) static void
WIDE begin_wide(const dew_MgBrick *m)
{
    begin_any(m);
}
WIDE sweep_wide(const dew_MgBrick *m, int colour, bool is_first)
{
    sweep_any(m, colour, is_first);
}
WIDE residual_wide(const dew_MgBrick *m, float *r)
{
    residual_any(m, r);
}
WIDE apply_wide(const dew_MgOuterBrick *m, double *y)
{
    apply_any(m, y);
}
static const dew_MgKernels wide_kernels = {begin_wide, sweep_wide, residual_wide, apply_wide};

const dew_MgKernels *dew_mg_kernels(bool may_be_wide)
{
    return may_be_wide && __builtin_cpu_supports("avx2") ? &wide_kernels : &plain_kernels;
}
#else
const dew_MgKernels *dew_mg_kernels(bool may_be_wide)
{
    (void)may_be_wide;
    return &plain_kernels;
}
#endif
