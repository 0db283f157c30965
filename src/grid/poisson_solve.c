// Solution of the assembled equations: conjugate gradients in double around multigrid, MIC(0) or
// the diagonal; or red-black over-relaxation. Closed pools: components whose equations are
// singular.

#include "base/status.h"

#include "base/sum.h"
#include "base/union_find.h"
#include "grid/poisson.h"

#include <math.h>
#include <string.h>

typedef struct Product {
    dew_Poisson *poisson;
    const double *x;
    double *y;
    double *products;  // of x and y, per brick; NULL: not wanted
} Product;

static dew_Status apply_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Product *product = context;
    const dew_Poisson *p = product->poisson;
    const dew_MgLevel *level = &p->mg.level[0];
    int64_t cells = level->brick_cells;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = level->near + 6 * b;
        dew_MgOuterBrick m = {.depth = level->depth,
                              .kind = level->kind[b],
                              .black = level->black,
                              .d = dew_poisson_dirichlet(p, b),
                              .diagonal = p->diagonal + b * cells,
                              .x = product->x + b * cells};
        for (int a = 0; a < 3; a++) {
            int32_t low = near[2 * a], up = near[2 * a + 1];
            m.w[a] = level->w[a] + b * (cells / 2);
            m.w_up[a] = level->w[a] + up * (cells / 2);
            m.x_low[a] = low < level->brick_count ? product->x + low * cells : p->zeros;
            m.x_up[a] = up < level->brick_count ? product->x + up * cells : p->zeros;
        }
        double *y = product->y + b * cells;
        p->mg.kernels->apply(&m, y);
        if (product->products)
            product->products[b] = dew_cg_block_product(m.x, y, cells);
    }
    return dew_ok();
}

static dew_Status multiply(dew_Poisson *p, const double *x, double *y, double *products)
{
    bool are_blocks = p->grid->brick_cells == DEW_CG_BLOCK;
    Product product = {p, x, y, are_blocks ? products : NULL};
    dew_parallel_for(p->grid->tasks, p->brick_count, DEW_MG_CHUNK, apply_chunk, &product);
    if (products && !are_blocks)
        dew_cg_block_products(p->grid->tasks, x, y, p->value_count, products);
    return dew_ok();
}

dew_Status dew_poisson_apply(dew_Poisson *poisson, const double *x, double *y)
{
    return multiply(poisson, x, y, NULL);
}

// ---- Preconditioners ----------------------------------------------------------------------------

static dew_Status apply(void *context, const double *x, double *y, double *products)
{
    return multiply(context, x, y, products);
}

static dew_Status cycle(void *context, const double *r, double *z, double *products)
{
    dew_Poisson *p = context;
    return dew_multigrid_cycle(&p->mg, r, p->factor, z, products);
}

static dew_Status divide(void *context, const double *r, double *z, double *products)
{
    const dew_Poisson *p = context;
    const int cells = p->grid->brick_cells, depth = p->grid->depth;
    for (int64_t b = 0; b < p->brick_count; b++)
        for (int i = 0; i < cells; i++) {
            int64_t at = b * cells + dew_mg_place(depth, i);
            z[at] = r[at] * (double)p->mg.level[0].inverse[dew_mg_at(&p->mg.level[0], b, i)];
        }
    dew_cg_block_products(p->grid->tasks, r, z, p->value_count, products);
    return dew_ok();
}

// Where the values of a cell are; v counts bricks and their cells in plain order.
static int64_t place_of(const dew_MgLevel *level, int64_t v)
{
    int64_t cell = v % level->brick_cells;
    return v - cell + dew_mg_place(level->depth, (int)cell);
}

// Rows of the factor are in the order of cells: with the colours apart it would be no better than
// the diagonal. Cells without equation have a row of their own, which gives 0.
static dew_Status factored(void *context, const double *r, double *z, double *products)
{
    const dew_Poisson *p = context;
    const dew_MgLevel *level = &p->mg.level[0];
    for (int64_t v = 0; v < p->value_count; v++)
        p->in_cell_order[v] = r[place_of(level, v)];
    dew_mic0_solve(&p->mic0, p->in_cell_order, p->in_cell_order);
    for (int64_t v = 0; v < p->value_count; v++)
        z[place_of(level, v)] = p->in_cell_order[v];
    dew_cg_block_products(p->grid->tasks, r, z, p->value_count, products);
    return dew_ok();
}

// Lower neighbours of a value: the brick and cell before it along each axis.
static int64_t lower_value(const dew_MgLevel *level, int64_t value, int axis)
{
    int cells = level->brick_cells, i = (int)(value % cells);
    int stride = axis == 0 ? 1 : axis == 1 ? 8 : 64, size = axis == 2 ? level->depth : 8;
    int64_t brick = value / cells;
    bool is_inside = (i / stride) % size > 0;
    int64_t there = is_inside ? brick : level->near[6 * brick + 2 * axis];
    int low = is_inside ? i - stride : i + (size - 1) * stride;
    return there * cells + low;
}

// Counts (with count) or writes the entries that join a value to its lower neighbours along the
// axes: to the row of the later of the two, for bricks along z-curves need not come in the order of
// axes.
static void join(dew_Mic0 *mic0, const dew_MgLevel *level, int64_t *fill, bool is_counting)
{
    int64_t values = (int64_t)level->brick_count * level->brick_cells;
    for (int64_t v = 0; v < values; v++)
        for (int a = 0; a < 3; a++) {
            float w =
                level
                    ->w[a][dew_mg_at(level, v / level->brick_cells, (int)(v % level->brick_cells))];
            if (!(w > 0))
                continue;
            int64_t low = lower_value(level, v, a);
            int64_t row = v > low ? v : low, column = v > low ? low : v;
            if (is_counting) {
                mic0->begin[row + 1]++;
                continue;
            }
            mic0->column[fill[row]] = (int32_t)column;
            mic0->entry[fill[row]++] = -(double)w;
            mic0->diagonal[v] += (double)w;
            mic0->diagonal[low] += (double)w;
        }
}

dew_Status dew_poisson_factor(dew_Poisson *poisson)
{
    int64_t n = poisson->value_count;
    if (n > INT32_MAX)
        return dew_fail(DEW_UNSUPPORTED,
                        "%lld cells are too many for incomplete Cholesky (at most "
                        "2^31; multigrid takes more)",
                        (long long)n);
    DEW_TRY(dew_mic0_alloc(&poisson->mic0, &poisson->arena, n, 3 * n));
    int64_t *fill = dew_arena_array(&poisson->arena, int64_t, n);
    poisson->in_cell_order = dew_arena_array(&poisson->arena, double, n);
    if (!fill || !poisson->in_cell_order)
        return dew_no_memory((size_t)n * sizeof(int64_t));
    dew_Mic0 *mic0 = &poisson->mic0;
    join(mic0, &poisson->mg.level[0], fill, true);
    for (int64_t i = 0; i < n; i++) {
        mic0->begin[i + 1] += mic0->begin[i];
        fill[i] = mic0->begin[i];
        const dew_MgLevel *level = &poisson->mg.level[0];
        int64_t brick = i / level->brick_cells, cell = i % level->brick_cells;
        mic0->diagonal[i] =
            (double)dew_poisson_dirichlet(poisson, brick)[dew_mg_place(level->depth, (int)cell)];
    }
    join(mic0, &poisson->mg.level[0], fill, false);
    return dew_mic0_factor(mic0, 0.97, &poisson->arena);
}

// ---- Fields and vectors -------------------------------------------------------------------------

// Between a field of the grid and a vector of the system.
typedef struct Exchange {
    const dew_Poisson *poisson;
    const double *from;
    double *to;
    double *largest;     // magnitude, per brick
    bool adds_pressure;  // that of the free surface
} Exchange;

// Red and black values of a brick, with flags for those that have an equation.
typedef struct Halves {
    const float *red, *black;  // inverses of the diagonal
    int count;
} Halves;

static inline Halves halves_of(const dew_Poisson *p, int64_t brick)
{
    const dew_MgLevel *level = &p->mg.level[0];
    int half = level->brick_cells / 2;
    const float *red = level->inverse + brick * half;
    return (Halves){red, red + level->black, half};
}

static void add_surface_pressure(const dew_Poisson *p, int64_t brick, double *b)
{
    const dew_MgLevel *level = &p->mg.level[0];
    int64_t cells = level->brick_cells, surface = level->surface[brick];
    for (int i = 0; i < cells && surface >= 0; i++)
        b[dew_mg_place(level->depth, i)] += p->surface_b[surface * cells + i];
}

static dew_Status gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Exchange *e = context;
    const dew_Poisson *p = e->poisson;
    for (int64_t b = begin; b < end; b++) {
        const Halves h = halves_of(p, b);
        const double *from = e->from + p->brick[b] * (int64_t)(2 * h.count);
        double *restrict to = e->to + b * (2 * h.count);
        for (int i = 0; i < h.count; i++) {
            int parity = dew_mg_row_parity(i >> 2);
            to[i] = h.red[i] > 0 ? from[2 * i + parity] : 0;
            to[h.count + i] = h.black[i] > 0 ? from[2 * i + 1 - parity] : 0;
        }
        if (e->adds_pressure)
            add_surface_pressure(p, b, to);
        double largest = 0;
        for (int i = 0; i < 2 * h.count; i++)
            largest = fabs(to[i]) > largest ? fabs(to[i]) : largest;
        if (e->largest)
            e->largest[b] = largest;
    }
    return dew_ok();
}

static dew_Status scatter_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Exchange *e = context;
    const dew_Poisson *p = e->poisson;
    for (int64_t b = begin; b < end; b++) {
        const Halves h = halves_of(p, b);
        double *to = e->to + p->brick[b] * (int64_t)(2 * h.count);
        const double *from = e->from + b * (2 * h.count);
        for (int i = 0; i < h.count; i++) {
            double *red = to + 2 * i + dew_mg_row_parity(i >> 2);
            double *black = to + 2 * i + 1 - dew_mg_row_parity(i >> 2);
            *red = h.red[i] > 0 ? from[i] : *red;
            *black = h.black[i] > 0 ? from[h.count + i] : *black;
        }
    }
    return dew_ok();
}

void dew_poisson_gather(const dew_Poisson *poisson, const double *field, double *x)
{
    Exchange e = {.poisson = poisson, .from = field, .to = x};
    dew_parallel_for(poisson->grid->tasks, poisson->brick_count, DEW_MG_CHUNK, gather_chunk, &e);
}

void dew_poisson_scatter(const dew_Poisson *poisson, const double *x, double *field)
{
    Exchange e = {.poisson = poisson, .from = x, .to = field};
    dew_parallel_for(poisson->grid->tasks, poisson->brick_count, DEW_MG_CHUNK, scatter_chunk, &e);
}

double dew_poisson_scale(double largest)
{
    int exponent = 0;
    if (largest > 0 && isfinite(largest))
        frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

// b with the surface's pressure, of which *scale is a power of two near 1 / |b|. largest: per
// brick.
static void gather_b(const dew_Poisson *p, const double *field, double *b, double *largest,
                     double *scale)
{
    Exchange e = {p, field, b, largest, p->def.p_surface != NULL};
    dew_parallel_for(p->grid->tasks, p->brick_count, DEW_MG_CHUNK, gather_chunk, &e);
    double most = 0;
    for (int64_t i = 0; i < p->brick_count; i++)
        most = largest[i] > most ? largest[i] : most;
    *scale = dew_poisson_scale(most);
}

static dew_Status solve(dew_Poisson *p, const double *b, double *x, dew_Arena *scratch,
                        dew_SolveReport *report)
{
    if (p->def.method == DEW_POISSON_SOR)
        return dew_poisson_relax(p, b, x, scratch, report);
    dew_LinearFn *precondition = p->def.method == DEW_POISSON_MULTIGRID ? cycle
                                 : p->def.method == DEW_POISSON_MIC0    ? factored
                                                                        : divide;
    dew_LinearSystem system = {p->value_count, apply, precondition, p};
    return dew_cg_solve(p->grid->tasks, scratch, &system, &p->def.solve, b, x, report);
}

dew_Status dew_poisson_solve(dew_Poisson *poisson, const double *b, double *p, dew_Arena *scratch,
                             dew_SolveReport *report)
{
    *report = (dew_SolveReport){0};
    dew_ArenaMark mark = dew_arena_mark(scratch);
    double *own_b = dew_arena_raw_array(scratch, double, poisson->value_count);
    double *x = dew_arena_raw_array(scratch, double, poisson->value_count);
    double *largest = dew_arena_raw_array(scratch, double, poisson->brick_count);
    bool has_room = own_b && x && largest;
    dew_Status status = has_room ? dew_ok() : dew_no_memory((size_t)poisson->value_count * 16);
    if (status.code == DEW_OK) {
        gather_b(poisson, b, own_b, largest, &poisson->factor);
        dew_poisson_gather(poisson, p, x);
        dew_poisson_make_compatible(poisson, own_b);
        status = solve(poisson, own_b, x, scratch, report);
        dew_poisson_center(poisson, x);
        if (status.code == DEW_OK)
            dew_poisson_scatter(poisson, x, p);
    }
    dew_arena_rewind(scratch, mark);
    return status.code == DEW_DIVERGED ? dew_status_prefix(status, "pressure") : status;
}

// ---- relaxation ---------------------------------------------------------------------------------

// Successive over-relaxation in red-black order: cells of one colour at once, then the other. No
// conjugate gradients; the plain method of small marker-and-cell codes.

#define SWEEPS_PER_CHECK 10

typedef struct Relaxation {
    dew_Poisson *poisson;
    const double *b;
    double *x;
    int colour;
} Relaxation;

// Sum of weights times neighbours' values of one cell, and of the weights.
static double around(const Relaxation *r, int32_t brick, int i, double *weights)
{
    const dew_MgLevel *l = &r->poisson->mg.level[0];
    int64_t cells = l->brick_cells;
    double sum = 0;
    *weights = 0;
    for (int a = 0; a < (l->depth > 1 ? 3 : 2); a++) {
        int stride = a == 0 ? 1 : a == 1 ? 8 : 64, place = (i / stride) % 8;
        const int32_t *near = l->near + 6 * (int64_t)brick + 2 * a;
        const int low = place > 0 ? i - stride : i + 7 * stride;
        const int up = place < 7 ? i + stride : i - 7 * stride;
        const int64_t below = place > 0 ? brick : near[0], above = place < 7 ? brick : near[1];
        double w_low = (double)l->w[a][dew_mg_at(l, brick, i)];
        double w_up = (double)l->w[a][dew_mg_at(l, above, up)];
        sum += w_low > 0 ? w_low * r->x[below * cells + dew_mg_place(l->depth, low)] : 0;
        sum += w_up > 0 ? w_up * r->x[above * cells + dew_mg_place(l->depth, up)] : 0;
        *weights += w_low + w_up;
    }
    return sum;
}

static dew_Status relax_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Relaxation *r = context;
    const dew_Poisson *p = r->poisson;
    int64_t cells = p->mg.level[0].brick_cells;
    double omega = p->def.relaxation;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        const float *d = dew_poisson_dirichlet(p, b);
        for (int i = 0; i < cells; i++) {
            int64_t at = b * cells + dew_mg_place(p->mg.level[0].depth, i);
            bool is_turn = ((i ^ i >> 3 ^ i >> 6) & 1) == r->colour;
            if (!is_turn || !(p->mg.level[0].inverse[dew_mg_at(&p->mg.level[0], b, i)] > 0))
                continue;
            double weights, sum = around(r, b, i, &weights);
            double exact = (r->b[at] + sum) / (weights + (double)d[at - b * cells]);
            r->x[at] += omega * (exact - r->x[at]);
        }
    }
    return dew_ok();
}

static double residual_norm(dew_Poisson *p, const double *b, const double *x, double *y,
                            double *partial)
{
    dew_poisson_apply(p, x, y);
    for (int64_t i = 0; i < p->value_count; i++)
        y[i] = b[i] - y[i];
    return sqrt(dew_cg_dot(p->grid->tasks, y, y, p->value_count, partial));
}

dew_Status dew_poisson_relax(dew_Poisson *poisson, const double *b, double *x, dew_Arena *scratch,
                             dew_SolveReport *report)
{
    int64_t n = poisson->value_count;
    const dew_SolveDef *def = &poisson->def.solve;
    double *y = dew_arena_array(scratch, double, n);
    double *partial = dew_arena_array(scratch, double, dew_cg_block_count(n));
    if (!y || !partial)
        return dew_no_memory((size_t)n * sizeof(double));
    double b_norm = sqrt(dew_cg_dot(poisson->grid->tasks, b, b, n, partial));
    double goal = fmax(def->tolerance * b_norm, def->absolute);
    Relaxation r = {poisson, b, x, 0};
    for (int sweep = 0;; sweep++) {
        if (sweep % SWEEPS_PER_CHECK == 0 || sweep == def->max_iterations) {
            double norm = residual_norm(poisson, b, x, y, partial);
            *report = (dew_SolveReport){sweep, b_norm > 0 ? norm / b_norm : 0, norm};
            if (norm <= goal)
                return dew_ok();
            if (!isfinite(norm) || sweep == def->max_iterations)
                return dew_fail(DEW_DIVERGED,
                                "over-relaxation stopped at a relative residual of %.3g after %d "
                                "sweeps (%.3g was wanted)",
                                report->residual, sweep, def->tolerance);
        }
        for (r.colour = 0; r.colour < 2; r.colour++)
            dew_parallel_for(poisson->grid->tasks, poisson->brick_count, DEW_MG_CHUNK, relax_chunk,
                             &r);
    }
}

// ---- Closed pools -------------------------------------------------------------------------------

// Closed pools: connected sets of cells that no free surface reaches. Their equations are singular,
// and have a solution only when the right-hand side sums to zero over each pool.
//
// Found by merging sets of cells joined through faces [Tarjan1975]; a brick whose cells are all
// joined is one cell here.

typedef struct Sets {
    const dew_Poisson *poisson;
    const dew_MgLevel *level;
    int32_t *parent;    // per value; itself: the root of its set
    uint8_t *is_open;   // of roots: reached by the free surface
    uint8_t *is_whole;  // of bricks: all cells have equations and are joined
} Sets;

// Most cells have their root as parent already.
static void merge(Sets *s, int32_t a, int32_t b)
{
    if (s->parent[a] != s->parent[b])
        dew_join_cells(s->parent, a, b);
}

static int32_t node(const Sets *s, int32_t brick, int cell)
{
    return brick * s->level->brick_cells + (s->is_whole[brick] ? 0 : cell);
}

// Joins a cell to the one below it along an axis.
static void join_lower(Sets *s, int32_t brick, int i, int axis)
{
    const dew_MgLevel *l = s->level;
    if (!(l->w[axis][dew_mg_at(l, brick, i)] > 0))
        return;
    int stride = axis == 0 ? 1 : axis == 1 ? 8 : 64, size = axis == 2 ? l->depth : 8;
    bool is_first = (i / stride) % size == 0;
    int32_t there = is_first ? l->near[6 * (int64_t)brick + 2 * axis] : brick;
    int cell = is_first ? i + (size - 1) * stride : i - stride;
    merge(s, node(s, brick, i), node(s, there, cell));
}

// Are all cells of the brick there, and open to those below them in the brick?
static bool is_whole(const dew_MgLevel *l, int32_t brick)
{
    int is_whole = 1;
    if (l->kind[brick] == DEW_MG_PLAIN)
        return true;
    for (int i = 0; i < l->brick_cells; i++)
        is_whole &= l->inverse[dew_mg_at(l, brick, i)] > 0;
    for (int i = 0; i < l->brick_cells && is_whole; i++) {
        const int64_t place = dew_mg_at(l, brick, i);
        is_whole &= (!(i & 7) || l->w[0][place] > 0) & (!(i >> 3 & 7) || l->w[1][place] > 0) &
                    (!(i >> 6) || l->w[2][place] > 0);
    }
    return is_whole;
}

// Joins a whole brick to those below it.
static void join_whole(Sets *s, int32_t brick)
{
    const dew_MgLevel *l = s->level;
    for (int a = 0; a < 3; a++) {
        int stride = a == 0 ? 1 : a == 1 ? 8 : 64;
        int32_t low = l->near[6 * (int64_t)brick + 2 * a];
        bool are_plain = l->kind[brick] == DEW_MG_PLAIN && l->kind[low] == DEW_MG_PLAIN;
        if (are_plain) {
            merge(s, node(s, brick, 0), node(s, low, 0));
            continue;
        }
        for (int i = 0; i < l->brick_cells; i++)
            if ((i / stride) % 8 == 0)
                join_lower(s, brick, i, a);
    }
}

// Joins a brick's cells to each other and to those below.
static void join_brick(Sets *s, int32_t brick)
{
    if (s->is_whole[brick]) {
        join_whole(s, brick);
        return;
    }
    for (int i = 0; i < s->level->brick_cells; i++)
        for (int a = 0; a < 3; a++)
            join_lower(s, brick, i, a);
}

static void mark_open(Sets *s)
{
    int64_t cells = s->level->brick_cells;
    for (int32_t b = 0; b < s->poisson->brick_count; b++)
        for (int i = 0; i < cells && s->level->surface[b] >= 0; i++)
            if (dew_poisson_dirichlet(s->poisson, b)[dew_mg_place(s->level->depth, i)] > 0)
                s->is_open[dew_cell_root(s->parent, node(s, b, i))] = 1;
}

// Where in a vector of the system a cell is.
static int64_t pool_place_of(const Sets *s, int32_t brick, int cell)
{
    return brick * (int64_t)s->level->brick_cells + dew_mg_place(s->level->depth, cell);
}

// Numbers the closed sets; pool_of stays NULL when there are none.
static dew_Status number_pools(Sets *s, dew_Poisson *p)
{
    int64_t cells = s->level->brick_cells;
    for (int32_t b = 0; b < p->brick_count; b++) {
        if (s->is_whole[b] && s->is_open[dew_cell_root(s->parent, node(s, b, 0))])
            continue;
        for (int i = 0; i < cells; i++) {
            int32_t top = dew_cell_root(s->parent, node(s, b, i));
            if (s->is_open[top] || !(s->level->inverse[dew_mg_at(s->level, b, i)] > 0))
                continue;
            int64_t v = pool_place_of(s, b, i),
                    first = pool_place_of(s, top / (int32_t)cells, top % (int32_t)cells);
            if (!p->pool_of) {
                p->pool_of = dew_arena_array(&p->arena, int32_t, p->value_count);
                if (!p->pool_of)
                    return dew_no_memory((size_t)p->value_count * sizeof(int32_t));
                for (int64_t j = 0; j < p->value_count; j++)
                    p->pool_of[j] = DEW_INVALID;
            }
            if (p->pool_of[first] == DEW_INVALID) {  // the root comes first
                p->pool_of[first] = (int32_t)p->pools.count;
                DEW_TRY(dew_array_push(&p->pools, &(dew_ClosedPool){0}));
            }
            p->pool_of[v] = p->pool_of[first];
            DEW_ITEMS(&p->pools, dew_ClosedPool)[p->pool_of[v]].cell_count++;
        }
    }
    return dew_ok();
}

dew_Status dew_poisson_find_pools(dew_Poisson *poisson)
{
    poisson->pool_of = NULL;
    DEW_TRY(dew_array_resize(&poisson->pools, 0));
    int64_t n = poisson->value_count;
    if (n > INT32_MAX)
        return dew_fail(DEW_UNSUPPORTED,
                        "%lld cells in one pressure solve are too many (at most 2^31)",
                        (long long)n);
    bool are_open = false;
    if (poisson->cells)
        DEW_TRY(dew_poisson_cells_are_open(poisson, &are_open));
    if (are_open)
        return dew_ok();
    Sets s = {poisson, &poisson->mg.level[0], dew_arena_array(&poisson->arena, int32_t, n),
              dew_arena_array(&poisson->arena, uint8_t, n),
              dew_arena_array(&poisson->arena, uint8_t, poisson->brick_count)};
    if (!s.parent || !s.is_open || !s.is_whole)
        return dew_no_memory((size_t)n * 5);
    for (int32_t i = 0; i < n; i++)
        s.parent[i] = i;
    for (int32_t b = 0; b < poisson->brick_count; b++)
        s.is_whole[b] = is_whole(s.level, b);
    for (int32_t b = 0; b < poisson->brick_count; b++)
        join_brick(&s, b);
    mark_open(&s);
    return number_pools(&s, poisson);
}

// Mean of x over a pool, exactly rounded sum.
static double pool_mean(const dew_Poisson *p, int32_t pool, const double *x)
{
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int64_t i = 0; i < p->value_count; i++)
        if (p->pool_of[i] == pool)
            dew_exact_add(&sum, x[i]);
    int64_t count = DEW_ITEMS(&p->pools, dew_ClosedPool)[pool].cell_count;
    return dew_exact_round(&sum) / (double)count;
}

static void subtract_mean(dew_Poisson *p, int32_t pool, double mean, double *x)
{
    for (int64_t i = 0; i < p->value_count; i++)
        x[i] -= p->pool_of[i] == pool ? mean : 0;
}

void dew_poisson_make_compatible(dew_Poisson *poisson, double *b)
{
    for (int32_t pool = 0; pool < poisson->pools.count; pool++) {
        dew_ClosedPool *squeezed = &DEW_ITEMS(&poisson->pools, dew_ClosedPool)[pool];
        double mean = pool_mean(poisson, pool, b);
        squeezed->excess = mean * (double)squeezed->cell_count;
        subtract_mean(poisson, pool, mean, b);
    }
}

void dew_poisson_center(dew_Poisson *poisson, double *x)
{
    for (int32_t pool = 0; pool < poisson->pools.count; pool++)
        subtract_mean(poisson, pool, pool_mean(poisson, pool, x), x);
}
