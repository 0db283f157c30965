// Solving the assembled equations: the outer iteration in double, on vectors of the system.
#include "grid/poisson.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "grid/poisson_state.h"

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

// ---- Preconditioners -----------------------------------------------------------------------------

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

// Rows of the factor are in the order of cells: with the colours apart it would be no better than the
// diagonal. Cells without equation have a row of their own, which gives 0.
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

// Counts (with count) or writes the entries that join a value to its lower neighbours along the axes:
// to the row of the later of the two, for bricks along z-curves need not come in the order of axes.
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

// ---- Fields and vectors --------------------------------------------------------------------------

// Has the cell of a pair in a row an equation?
static inline bool is_red_solved(const dew_MgLevel *level, int64_t brick, int pair)
{
    return level->inverse[brick * (level->brick_cells / 2) + pair] > 0;
}
static inline bool is_black_solved(const dew_MgLevel *level, int64_t brick, int pair)
{
    return level->inverse[level->black + brick * (level->brick_cells / 2) + pair] > 0;
}

void dew_poisson_gather(const dew_Poisson *poisson, const double *field, double *x)
{
    const dew_MgLevel *level = &poisson->mg.level[0];
    int half = level->brick_cells / 2;
    for (int64_t b = 0; b < poisson->brick_count; b++) {
        const double *from = field + poisson->brick[b] * (int64_t)level->brick_cells;
        double *to = x + b * level->brick_cells;
        for (int i = 0; i < half; i++) {
            int parity = dew_mg_row_parity(i >> 2);
            to[i] = is_red_solved(level, b, i) ? from[2 * i + parity] : 0;
            to[half + i] = is_black_solved(level, b, i) ? from[2 * i + 1 - parity] : 0;
        }
    }
}

void dew_poisson_scatter(const dew_Poisson *poisson, const double *x, double *field)
{
    const dew_MgLevel *level = &poisson->mg.level[0];
    int half = level->brick_cells / 2;
    for (int64_t b = 0; b < poisson->brick_count; b++) {
        double *to = field + poisson->brick[b] * (int64_t)level->brick_cells;
        const double *from = x + b * level->brick_cells;
        for (int i = 0; i < half; i++) {
            double *red = to + 2 * i + dew_mg_row_parity(i >> 2);
            double *black = to + 2 * i + 1 - dew_mg_row_parity(i >> 2);
            *red = is_red_solved(level, b, i) ? from[i] : *red;
            *black = is_black_solved(level, b, i) ? from[half + i] : *black;
        }
    }
}

static void add_surface_pressure(const dew_Poisson *p, double *b)
{
    const dew_MgLevel *level = &p->mg.level[0];
    int64_t cells = level->brick_cells;
    for (int64_t brick = 0; brick < p->brick_count && p->def.p_surface; brick++) {
        int64_t surface = level->surface[brick];
        for (int i = 0; i < cells && surface >= 0; i++)
            b[brick * cells + dew_mg_place(level->depth, i)] += p->surface_b[surface * cells + i];
    }
}

// A power of two near 1 / |b|.
static double scale_of(const dew_Poisson *p, const double *b)
{
    double largest = 0;
    for (int64_t i = 0; i < p->value_count; i++)
        largest = fmax(largest, fabs(b[i]));
    int exponent = 0;
    if (largest > 0 && isfinite(largest))
        frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
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
    double *own_b = dew_arena_array(scratch, double, poisson->value_count);
    double *x = dew_arena_array(scratch, double, poisson->value_count);
    dew_Status status = own_b && x ? dew_ok() : dew_no_memory((size_t)poisson->value_count * 16);
    if (status.code == DEW_OK) {
        dew_poisson_gather(poisson, b, own_b);
        dew_poisson_gather(poisson, p, x);
        add_surface_pressure(poisson, own_b);
        dew_poisson_make_compatible(poisson, own_b);
        poisson->factor = scale_of(poisson, own_b);
        status = solve(poisson, own_b, x, scratch, report);
        dew_poisson_center(poisson, x);
        if (status.code == DEW_OK)
            dew_poisson_scatter(poisson, x, p);
    }
    dew_arena_rewind(scratch, mark);
    return status.code == DEW_DIVERGED ? dew_status_prefix(status, "pressure") : status;
}
