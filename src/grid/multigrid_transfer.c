// Values between levels. Interpolation is linear in each octant of a coarse cell: with c the coarse
// value and c_x, c_y, c_z those of the neighbours on the child's sides,
//
//   child = c + (c_x - c) / 4 + (c_y - c) / 4 + (c_z - c) / 4,
//
// where the term of a closed side is left out (nothing flows through it, so the value goes on) and a
// neighbour without equation counts as zero (the free surface). It needs face neighbours only and is
// exact for linear functions. Restriction is its transpose, summed, since equations are integrated
// over cells: each coarse cell hands the quarter of what its children on an open side have to the
// neighbour there (the spill) and keeps the rest.
#include "grid/multigrid_state.h"

#include "grid/wide.h"

#include <string.h>

typedef struct Transfer {
    dew_Multigrid *mg;
    dew_MgLevel *fine, *coarse;
} Transfer;

// Where the 4 x 4 x 4 (or 4 x 4 x 1) coarse cells above a fine brick begin in their brick.
static int octant_begin(const dew_MgLevel *fine, int32_t brick)
{
    int o = (int)(fine->key[brick] & 7);
    return 4 * (o & 1) + 8 * 4 * (o >> 1 & 1) + (fine->depth > 1 ? 64 * 4 * (o >> 2) : 0);
}

// Sums of the residual r of a brick over the children of its coarse cells in one row: all eight, and
// the four on each of the six sides.
static inline void sum_children(const float *r, int depth, int j, int k, float all[4],
                                float side[6][4])
{
    const float *r00 = r + 16 * j + 128 * k, *r10 = r00 + 8;
    static const float zeros[16] = {0};
    const float *r01 = depth > 1 ? r00 + 64 : zeros, *r11 = depth > 1 ? r10 + 64 : zeros;
    for (int i = 0; i < 4; i++) {
        float y0z0 = r00[2 * i] + r00[2 * i + 1], y1z0 = r10[2 * i] + r10[2 * i + 1];
        float y0z1 = r01[2 * i] + r01[2 * i + 1], y1z1 = r11[2 * i] + r11[2 * i + 1];
        side[0][i] = (r00[2 * i] + r10[2 * i]) + (r01[2 * i] + r11[2 * i]);
        side[1][i] = (r00[2 * i + 1] + r10[2 * i + 1]) + (r01[2 * i + 1] + r11[2 * i + 1]);
        side[2][i] = y0z0 + y0z1;
        side[3][i] = y1z0 + y1z1;
        side[4][i] = y0z0 + y1z0;
        side[5][i] = y0z1 + y1z1;
        all[i] = side[0][i] + side[1][i];
    }
}

static void restrict_brick(const Transfer *t, int32_t brick)
{
    const dew_MgLevel *fine = t->fine, *coarse = t->coarse;
    int32_t parent = fine->parent[brick];
    if (parent == coarse->brick_count)
        return;
    float r[512];
    dew_MgBrick m;
    dew_mg_brick(fine, brick, &m);
    t->mg->kernels->residual(&m, r);
    int64_t base = parent * (int64_t)coarse->brick_cells + octant_begin(fine, brick);
    for (int k = 0; k < (fine->depth + 1) / 2; k++)
        for (int j = 0; j < 4; j++) {
            float all[4], side[6][4];
            int64_t at = base + 8 * j + 64 * k;
            sum_children(r, fine->depth, j, k, all, side);
            for (int s = 0; s < 6; s++)
                for (int i = 0; i < 4; i++) {
                    bool is_open = coarse->side[at + i] >> s & 1;
                    float spill = is_open ? 0.25f * side[s][i] : 0;
                    all[i] -= spill;
                    coarse->spill[s][at + i] = spill;
                }
            memcpy(coarse->y + at, all, sizeof all);
        }
}

static dew_Status restrict_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    for (int32_t b = (int32_t)begin; b < end; b++)
        restrict_brick(context, b);
    return dew_ok();
}

// Adds to row (j, k) of a coarse brick what its neighbours on all six sides spill over to it.
static void gather_row(const dew_MgLevel *c, const float *spill_near[6], const float *spill[6],
                       int j, int k, float *b)
{
    int depth = c->depth, row = 8 * j + 64 * k, last = 64 * (depth - 1);
    const float *south = j > 0 ? spill[3] + row - 8 : spill_near[2] + row + 56;
    const float *north = j < 7 ? spill[2] + row + 8 : spill_near[3] + row - 56;
    const float *under = k > 0 ? spill[5] + row - 64 : spill_near[4] + row + last;
    const float *above = k < depth - 1 ? spill[4] + row + 64 : spill_near[5] + row - last;
    for (int i = 0; i < 8; i++)
        b[row + i] += (south[i] + north[i]) + (under[i] + above[i]);
    for (int i = 1; i < 8; i++)
        b[row + i] += spill[1][row + i - 1];
    for (int i = 0; i < 7; i++)
        b[row + i] += spill[0][row + i + 1];
    b[row] += spill_near[0][row + 7];
    b[row + 7] += spill_near[1][row];
}

// The cells of a brick from y to b: the colours apart, 0 where there is no equation.
static void split(const dew_MgLevel *c, int64_t brick)
{
    const int half = c->brick_cells / 2;
    const float *restrict y = c->y + brick * c->brick_cells;
    const float *inverse = c->inverse + brick * half;
    float *restrict red = c->b + brick * half, *restrict black = red + c->black;
    for (int i = 0; i < half; i++) {
        int parity = dew_mg_row_parity(i >> 2);
        red[i] = inverse[i] > 0 ? y[2 * i + parity] : 0;
        black[i] = inverse[c->black + i] > 0 ? y[2 * i + 1 - parity] : 0;
    }
}
// And back, from x to y.
static void join(const dew_MgLevel *c, int64_t brick)
{
    const int half = c->brick_cells / 2;
    float *restrict y = c->y + brick * c->brick_cells;
    const float *restrict red = c->x + brick * half, *restrict black = red + c->black;
    for (int i = 0; i < half; i++) {
        int parity = dew_mg_row_parity(i >> 2);
        y[2 * i + parity] = red[i];
        y[2 * i + 1 - parity] = black[i];
    }
}

// b of a coarse brick: what its children have (in y) and what comes over from neighbours; cells without
// equation have 0.
static dew_Status gather_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Transfer *t = context;
    const dew_MgLevel *c = t->coarse;
    for (int32_t brick = (int32_t)begin; brick < end; brick++) {
        int64_t at = brick * (int64_t)c->brick_cells;
        const float *own[6], *beside[6];
        for (int s = 0; s < 6; s++) {
            own[s] = c->spill[s] + at;
            beside[s] = c->spill[s ^ 1] + c->near[6 * (int64_t)brick + s] * (int64_t)c->brick_cells;
        }
        for (int k = 0; k < c->depth; k++)
            for (int j = 0; j < 8; j++)
                gather_row(c, beside, own, j, k, c->y + at);
        split(c, brick);
    }
    return dew_ok();
}

void dew_mg_restrict(dew_Multigrid *mg, int fine_level)
{
    Transfer t = {mg, &mg->level[fine_level], &mg->level[fine_level + 1]};
    dew_parallel_for(mg->tasks, t.fine->brick_count, DEW_MG_CHUNK, restrict_chunk, &t);
    dew_parallel_for(mg->tasks, t.coarse->brick_count, DEW_MG_CHUNK, gather_chunk, &t);
}

// Four coarse cells of a row, and their children in two rows, at a time.
typedef float F4 __attribute__((vector_size(16)));
typedef int32_t I4 __attribute__((vector_size(16)));
typedef float F8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));
#define LOAD(v, p)  memcpy(&(v), (p), sizeof(v))
#define STORE(p, v) memcpy((p), &(v), sizeof(v))

// A quarter of the difference from cells to their neighbours on side s, 0 where that side is closed.
DEW_BODY void slope_to(const I4 *open, int s, const F4 *x, const F4 *beside, F4 *out)
{
    *out = (F4)((I4)(0.25f * (*beside - *x)) & -(*open >> s & 1));
}

// What the coarse correction adds to a colour of two fine rows, in cells with equations.
DEW_BODY void add_pair(const F4 *first, const F4 *second, const float *inverse, bool is_plain,
                       float *to)
{
    const F8 zero = {0};
    F8 add = __builtin_shufflevector(*first, *second, 0, 1, 2, 3, 4, 5, 6, 7), sum, has;
    LOAD(sum, to);
    if (!is_plain) {
        LOAD(has, inverse);
        add = (F8)((I8)add & (has > zero));
    }
    sum += add;
    STORE(to, sum);
}

// The coarse correction at the children of four coarse cells x of a row, added to the fine rows from `row`
// on, in a brick whose values are at `to`.
DEW_BODY void add_row(const dew_MgLevel *fine, const F4 *x, const F4 slope[6], const float *inverse,
                      bool is_plain, int row, float *to)
{
    const int64_t black = fine->black;
    const F4 left = *x + slope[0], right = *x + slope[1];
    for (int sz = 0; sz < (fine->depth > 1 ? 2 : 1); sz++) {
        const int at = 4 * (row + 8 * sz), parity = dew_mg_row_parity(at >> 2);
        const F4 low = slope[2] + slope[4 + sz], high = slope[3] + slope[4 + sz];
        const F4 a = left + low, b = right + low, c = left + high, d = right + high;
        add_pair(parity ? &b : &a, parity ? &c : &d, inverse + at, is_plain, to + at);
        add_pair(parity ? &a : &b, parity ? &d : &c, inverse + black + at, is_plain,
                 to + black + at);
    }
}

DEW_BODY void prolong_brick(const Transfer *t, int32_t brick)
{
    const dew_MgLevel *fine = t->fine, *c = t->coarse;
    int32_t parent = fine->parent[brick];
    if (parent == c->brick_count)
        return;
    int64_t cells = c->brick_cells, from = octant_begin(fine, brick);
    const float *x = c->y + parent * cells;
    const float *near[6];
    for (int s = 0; s < 6; s++)
        near[s] = c->y + c->near[6 * (int64_t)parent + s] * cells;
    int64_t to = brick * (int64_t)(fine->brick_cells / 2), last = 64 * (c->depth - 1);
    for (int k = 0; k < (fine->depth + 1) / 2; k++)
        for (int j = 0; j < 4; j++) {
            int64_t at = from + 8 * j + 64 * k;
            int64_t cj = at >> 3 & 7, ck = at >> 6;
            const float *beside[4] = {cj > 0 ? x + at - 8 : near[2] + at + 56,
                                      cj < 7 ? x + at + 8 : near[3] + at - 56,
                                      ck > 0 ? x + at - 64 : near[4] + at + last,
                                      ck < c->depth - 1 ? x + at + 64 : near[5] + at - last};
            const float before = at & 7 ? x[at - 1] : near[0][at + 7];
            const float after = at & 7 ? near[1][at - 4] : x[at + 4];
            const uint8_t *sides = c->side + parent * cells + at;
            const I4 open = {sides[0], sides[1], sides[2], sides[3]};
            F4 own, there, slope[6];
            LOAD(own, x + at);
            const F4 ends = {before, after, 0, 0};
            there = __builtin_shufflevector(ends, own, 0, 4, 5, 6);
            slope_to(&open, 0, &own, &there, &slope[0]);
            there = __builtin_shufflevector(ends, own, 5, 6, 7, 1);
            slope_to(&open, 1, &own, &there, &slope[1]);
            for (int s = 2; s < 6; s++) {
                LOAD(there, beside[s - 2]);
                slope_to(&open, s, &own, &there, &slope[s]);
            }
            add_row(fine, &own, slope, fine->inverse + to, fine->kind[brick] == DEW_MG_PLAIN,
                    2 * j + 16 * k, fine->x + to);
        }
}

DEW_BODY dew_Status prolong_chunk_body(void *context, int64_t begin, int64_t end)
{
    for (int32_t b = (int32_t)begin; b < end; b++)
        prolong_brick(context, b);
    return dew_ok();
}
DEW_WIDE_CHUNK(prolong_chunk)

static dew_Status join_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const dew_MgLevel *c = ((const Transfer *)context)->coarse;
    for (int64_t b = begin; b < end; b++)
        join(c, b);
    return dew_ok();
}

void dew_mg_prolong(dew_Multigrid *mg, int fine_level)
{
    Transfer t = {mg, &mg->level[fine_level], &mg->level[fine_level + 1]};
    dew_parallel_for(mg->tasks, t.coarse->brick_count, DEW_MG_CHUNK, join_chunk, &t);
    dew_parallel_for(mg->tasks, t.fine->brick_count, DEW_MG_CHUNK, prolong_chunk, &t);
}
