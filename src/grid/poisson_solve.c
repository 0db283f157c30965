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

// Between a field of the grid and a vector of the system.
typedef struct Exchange {
    const dew_Poisson *poisson;
    const double *from;
    double *to;
    double *largest;     // magnitude, per brick
    bool adds_pressure;  // that of the free surface
} Exchange;

// Red and black values of a brick, with what tells whether they have an equation.
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

// b with the surface's pressure, of which *scale is a power of two near 1 / |b|. largest: per brick.
static void gather_b(const dew_Poisson *p, const double *field, double *b, double *largest,
                     double *scale)
{
    Exchange e = {p, field, b, largest, p->def.p_surface != NULL};
    dew_parallel_for(p->grid->tasks, p->brick_count, DEW_MG_CHUNK, gather_chunk, &e);
    double most = 0;
    for (int64_t i = 0; i < p->brick_count; i++)
        most = largest[i] > most ? largest[i] : most;
    int exponent = 0;
    if (most > 0 && isfinite(most))
        frexp(most, &exponent);
    *scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
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
