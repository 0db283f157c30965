// Closed pools: connected sets of cells that no free surface reaches. Their equations are singular, and
// have a solution only when the right-hand side sums to zero over each pool.
//
// Found by merging sets of cells joined through faces [Tarjan1975]; a brick whose cells are all
// joined is one cell here.
#include "grid/poisson.h"

#include "base/status.h"
#include "base/sum.h"
#include "grid/poisson_state.h"

typedef struct Sets {
    const dew_Poisson *poisson;
    const dew_MgLevel *level;
    int32_t *parent;    // per value; itself: the root of its set
    uint8_t *is_open;   // of roots: reached by the free surface
    uint8_t *is_whole;  // of bricks: all cells have equations and are joined
} Sets;

static int32_t root(Sets *s, int32_t v)
{
    while (s->parent[v] != v) {
        s->parent[v] = s->parent[s->parent[v]];
        v = s->parent[v];
    }
    return v;
}

// The lower one stays root, so that numbers do not depend on the order of merging. Cells mostly have
// their root as parent already.
static void merge(Sets *s, int32_t a, int32_t b)
{
    if (s->parent[a] == s->parent[b])
        return;
    a = root(s, a);
    b = root(s, b);
    if (a < b)
        s->parent[b] = a;
    else
        s->parent[a] = b;
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
                s->is_open[root(s, node(s, b, i))] = 1;
}

// Where in a vector of the system a cell is.
static int64_t place_of(const Sets *s, int32_t brick, int cell)
{
    return brick * (int64_t)s->level->brick_cells + dew_mg_place(s->level->depth, cell);
}

// Numbers the closed sets; pool_of stays NULL when there are none.
static dew_Status number_pools(Sets *s, dew_Poisson *p)
{
    int64_t cells = s->level->brick_cells;
    for (int32_t b = 0; b < p->brick_count; b++) {
        if (s->is_whole[b] && s->is_open[root(s, node(s, b, 0))])
            continue;
        for (int i = 0; i < cells; i++) {
            int32_t top = root(s, node(s, b, i));
            if (s->is_open[top] || !(s->level->inverse[dew_mg_at(s->level, b, i)] > 0))
                continue;
            int64_t v = place_of(s, b, i),
                    first = place_of(s, top / (int32_t)cells, top % (int32_t)cells);
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
        dew_ClosedPool *told = &DEW_ITEMS(&poisson->pools, dew_ClosedPool)[pool];
        double mean = pool_mean(poisson, pool, b);
        told->excess = mean * (double)told->cell_count;
        subtract_mean(poisson, pool, mean, b);
    }
}

void dew_poisson_center(dew_Poisson *poisson, double *x)
{
    for (int32_t pool = 0; pool < poisson->pools.count; pool++)
        subtract_mean(poisson, pool, pool_mean(poisson, pool, x), x);
}
