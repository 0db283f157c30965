// The coarser levels, made from the finest one's weights alone.
//
// A coarse face has half the sum of the weights of its four fine faces: four times the area over
// twice the distance. A coarse cell has an equation when one of its children has, unless the free
// surface is near (some child has a Dirichlet term) and fewer than half of the children have
// equations: such a cell is mostly air. Toward the free surface the distance is given row by row:
// with D = a / theta the term of a child whose centre is theta h from it, the centre of the coarse
// cell is 1/2, 3/2 or -1/2 cell farther, so the coarse term is a / (theta + 1/2) and so on, never
// less than a quarter cell.

#include "grid/poisson.h"

#include "base/simd.h"
#include "base/status.h"

#include <string.h>

// Bits of dew_MgLevel.side while a level is made: all faces of all children are fully open; a child
// has a Dirichlet term; the cell has an equation; has children with one.
enum { IS_FULL = 16, IS_NEAR = 32, IS_KEPT = 64, HAS_CHILDREN = 128 };

// ---- Which coarse bricks there are --------------------------------------------------------------

static int32_t count_parents(const dew_MgLevel *fine)
{
    int32_t count = 0;
    for (int32_t b = 0; b < fine->brick_count; b++)
        count += b == 0 || fine->key[b] >> 3 != fine->key[b - 1] >> 3;
    return count;
}

// Links between the levels, and neighbours on the coarse one: where no fine bricks touch, nothing
// flows.
static void link_levels(dew_MgLevel *fine, dew_MgLevel *coarse)
{
    for (int64_t i = 0; i < 8 * (int64_t)coarse->brick_count; i++)
        coarse->child[i] = fine->brick_count;
    for (int64_t i = 0; i < 6 * (int64_t)coarse->brick_count; i++)
        coarse->near[i] = coarse->brick_count;
    int32_t p = -1;
    for (int32_t b = 0; b < fine->brick_count; b++) {
        if (b == 0 || fine->key[b] >> 3 != fine->key[b - 1] >> 3)
            coarse->key[++p] = fine->key[b] >> 3;
        fine->parent[b] = p;
        coarse->child[8 * (int64_t)p + (int64_t)(fine->key[b] & 7)] = b;
    }
    for (int32_t b = 0; b < fine->brick_count; b++)
        for (int s = 0; s < 6; s++) {
            int32_t n = fine->near[6 * (int64_t)b + s];
            if (n < fine->brick_count && fine->parent[n] != fine->parent[b])
                coarse->near[6 * (int64_t)fine->parent[b] + s] = fine->parent[n];
        }
}

static bool has_surface_below(const dew_MgLevel *fine, const dew_MgLevel *coarse, int32_t brick)
{
    for (int o = 0; o < 8; o++)
        if (fine->surface[coarse->child[8 * (int64_t)brick + o]] >= 0)
            return true;
    return false;
}

// Bricks that may get Dirichlet terms: those with some below them, and their neighbours.
static int32_t number_surfaces(const dew_MgLevel *fine, dew_MgLevel *coarse)
{
    int32_t count = 0;
    for (int32_t b = 0; b < coarse->brick_count; b++) {
        bool is_near = has_surface_below(fine, coarse, b);
        for (int s = 0; s < 6 && !is_near; s++) {
            int32_t n = coarse->near[6 * (int64_t)b + s];
            is_near = n < coarse->brick_count && has_surface_below(fine, coarse, n);
        }
        coarse->surface[b] = is_near ? count++ : DEW_INVALID;
    }
    return count;
}

// ---- Coarse equations ---------------------------------------------------------------------------

typedef struct Coarsen {
    const dew_MgLevel *fine;
    dew_MgLevel *coarse;
} Coarsen;

// One coarse cell. Its children lie in one fine brick, and so do the fine cells beyond a side of
// it, in that brick or in the one beside.
typedef struct Cell {
    int32_t brick, child;  // coarse and fine brick
    int at[3];             // in the coarse brick
    int index;             // same, as one number
    int first;             // its first child in the fine brick
} Cell;

static const int stride[3] = {1, 8, 64};

static inline bool has_equation(const dew_MgLevel *fine, int32_t brick, int cell)
{
    return fine->inverse[dew_mg_at(fine, brick, cell)] > 0;
}
static inline float weight(const dew_MgLevel *fine, int32_t brick, int cell, int axis)
{
    return fine->w[axis][dew_mg_at(fine, brick, cell)];
}
static inline float dirichlet(const dew_MgLevel *fine, int32_t brick, int cell, int side)
{
    int32_t s = fine->surface[brick];
    return s < 0 ? 0 : fine->d_side[(6 * (int64_t)s + side) * fine->brick_cells + cell];
}

// Calls fn for the coarse cells above a fine brick.
static void for_octant(Coarsen *c, int32_t brick, int octant, void (*fn)(Coarsen *, const Cell *))
{
    int32_t child = c->coarse->child[8 * (int64_t)brick + octant];
    if (child == c->fine->brick_count)
        return;
    // In two dimensions the bit of z says nothing but is still part of the key.
    bool is_flat = c->coarse->depth == 1;
    int low[3] = {4 * (octant & 1), 4 * (octant >> 1 & 1), is_flat ? 0 : 4 * (octant >> 2)};
    for (int k = 0; k < (is_flat ? 1 : 4); k++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 4; i++) {
                Cell cell = {brick, child, {low[0] + i, low[1] + j, low[2] + k}, 0, 0};
                cell.index = cell.at[0] + 8 * cell.at[1] + 64 * cell.at[2];
                cell.first = 2 * i + 16 * j + 128 * k;
                fn(c, &cell);
            }
}

// Of each cell of a fine brick: 1 when it has an equation, and 16 more when all its faces are fully
// open; and whether it has a Dirichlet term.
typedef struct Marks {
    uint8_t mark[512], is_near[512];
} Marks;

DEW_BODY void mark_cells(const dew_MgLevel *fine, int32_t brick, Marks *out)
{
    float whole = 1 / (6 * fine->scale);  // no weight is above `scale`
    const float *red = fine->inverse + (int64_t)brick * (fine->brick_cells / 2);
    memset(out, 0, sizeof *out);
    for (int row = 0; row < 8 * fine->depth; row++, red += 4) {
        const float *black = red + fine->black;
        bool is_later = dew_mg_row_parity(row);  // red is the second of each pair
        const float *first = is_later ? black : red, *second = is_later ? red : black;
        for (int p = 0; p < 4; p++) {
            out->mark[8 * row + 2 * p] = (uint8_t)((first[p] > 0) + 16 * (first[p] == whole));
            out->mark[8 * row + 2 * p + 1] = (uint8_t)((second[p] > 0) + 16 * (second[p] == whole));
        }
    }
    int32_t surface = fine->surface[brick];
    for (int s = 0; s < 6 && surface >= 0; s++) {
        const float *d = fine->d_side + (6 * (int64_t)surface + s) * fine->brick_cells;
        for (int i = 0; i < fine->brick_cells; i++)
            out->is_near[i] |= d[i] > 0;
    }
}

// Has a coarse cell an equation? See the head of the file. The bits above, by what its children
// have together.
static int kept_bits(int count, int full, bool is_near, int children)
{
    if (count == 0)
        return 0;
    return HAS_CHILDREN | (is_near ? IS_NEAR : 0) | (!is_near && full == 8 ? IS_FULL : 0) |
           (!is_near || 2 * count >= children ? IS_KEPT : 0);
}

// A row of four coarse cells above a fine brick; the rows below it are `apart` cells apart along z,
// 0: there is one layer.
DEW_BODY void keep_row(const Marks *m, int first, int apart, uint8_t *out)
{
    int children = apart ? 8 : 4;
    for (int i = 0; i < 4; i++) {
        int f = first + 2 * i, sum = 0, near = 0;
        for (int o = 0; o < 4; o++) {
            int at = f + (o & 1) + 8 * (o >> 1);
            sum += m->mark[at] + (apart ? m->mark[at + apart] : 0);
            near |= m->is_near[at] | (apart ? m->is_near[at + apart] : 0);
        }
        out[i] = (uint8_t)kept_bits(sum & 15, sum >> 4, near, children);
    }
}

DEW_BODY void keep_octant(const Coarsen *c, int32_t brick, int octant)
{
    const dew_MgLevel *fine = c->fine;
    int32_t child = c->coarse->child[8 * (int64_t)brick + octant];
    if (child == fine->brick_count)
        return;
    bool is_flat = fine->depth == 1, is_plain = fine->kind[child] == DEW_MG_PLAIN;
    int low = 4 * (octant & 1) + 32 * (octant >> 1 & 1) + (is_flat ? 0 : 256 * (octant >> 2));
    uint8_t *side = c->coarse->side + brick * (int64_t)c->coarse->brick_cells + low;
    Marks marks;
    if (!is_plain)
        mark_cells(fine, child, &marks);
    for (int k = 0; k < (is_flat ? 1 : 4); k++)
        for (int j = 0; j < 4; j++)
            if (is_plain)
                memset(side + 8 * j + 64 * k, IS_FULL | IS_KEPT | HAS_CHILDREN, 4);
            else
                keep_row(&marks, 16 * j + 128 * k, is_flat ? 0 : 64, side + 8 * j + 64 * k);
}

DEW_BODY dew_Status keep_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Coarsen *c = context;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        dew_mg_clear(c->coarse, b);
        for (int o = 0; o < 8; o++)
            keep_octant(c, b, o);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(keep_chunk)

// Bits of the coarse cell beside one on side s.
static int bits_beside(const Coarsen *c, const Cell *cell, int s)
{
    const dew_MgLevel *coarse = c->coarse;
    int axis = s >> 1, size = axis == 2 ? coarse->depth : 8, out = s & 1 ? 1 : -1;
    int n = cell->at[axis] + out, index = cell->index + out * stride[axis];
    int32_t brick = cell->brick;
    if (n < 0 || n >= size) {
        brick = coarse->near[6 * (int64_t)brick + s];
        if (brick == coarse->brick_count)
            return 0;
        index -= out * size * stride[axis];
    }
    return coarse->side[brick * (int64_t)coarse->brick_cells + index];
}

// What one row of fine cells through a side of a coarse cell adds to it: to the weight of the
// coarse face, or to the Dirichlet term.
typedef struct Row {
    float weight, dirichlet;
} Row;

// inner and outer are the cell's own children, beyond the next one, in brick `there`.
static Row look_along(const Coarsen *c, const Cell *cell, int inner, int outer, int32_t there,
                      int beyond, int s, bool keeps_beside)
{
    const dew_MgLevel *fine = c->fine;
    const float a = fine->scale;  // full area over distance
    if (!has_equation(fine, cell->child, outer)) {
        float d = dirichlet(fine, cell->child, inner, s);
        if (!(d > 0))
            return (Row){0, 0};
        float distance = a / d - 0.5f;
        return (Row){0, a / (distance > 0.25f ? distance : 0.25f)};
    }
    float d = dirichlet(fine, cell->child, outer, s);
    if (d > 0)
        return (Row){0, 1 / (1 / d + 0.5f / a)};
    float w =
        s & 1 ? weight(fine, there, beyond, s >> 1) : weight(fine, cell->child, outer, s >> 1);
    if (keeps_beside || !(w > 0))
        return (Row){keeps_beside ? 0.5f * w : 0, 0};
    d = dirichlet(fine, there, beyond, s);
    return (Row){0, d > 0 ? 1 / (1 / d + 1.5f / a) : 0.5f * w};
}

// Sums look_along over the rows through side s of a coarse cell. `there` is the fine brick beyond.
static Row look_through(const Coarsen *c, const Cell *cell, int s, int32_t there, int beside)
{
    const int axis = s >> 1, out = s & 1 ? stride[axis] : -stride[axis];
    const int u = stride[(axis + 1) % 3], v = stride[(axis + 2) % 3];
    const int bits = c->coarse->side[cell->brick * (int64_t)c->coarse->brick_cells + cell->index];
    const int wrap = there == cell->child ? 0 : 8 * out;
    // Far from the free surface only weights count.
    const bool is_simple = !((bits | beside) & IS_NEAR) && (beside & IS_KEPT);
    const bool is_flat = c->coarse->depth == 1;
    Row sum = {0, 0};
    for (int row = 0; row < 4; row++) {
        if (is_flat && ((u == 64 && (row & 1)) || (v == 64 && (row >> 1))))
            continue;
        int inner = cell->first + (row & 1) * u + (row >> 1) * v + (s & 1 ? 0 : stride[axis]);
        int outer = inner + out, beyond = outer + out - wrap;
        if (is_simple) {
            sum.weight += 0.5f * (s & 1 ? weight(c->fine, there, beyond, axis)
                                        : weight(c->fine, cell->child, outer, axis));
            continue;
        }
        Row r = look_along(c, cell, inner, outer, there, beyond, s, beside & IS_KEPT);
        sum.weight += r.weight;
        sum.dirichlet += r.dirichlet;
    }
    return sum;
}

// The fine brick that holds the cells beyond a coarse cell's side s.
static int32_t brick_beyond(const Coarsen *c, const Cell *cell, int s)
{
    bool is_last = (cell->at[s >> 1] & 3) == (s & 1 ? 3 : 0);  // in its octant
    return is_last ? c->fine->near[6 * (int64_t)cell->child + s] : cell->child;
}

// What a coarse cell's side lets its brick be: its weight may be left unread when it is the full
// one between kept cells and 0 elsewhere.
static int kind_of(const dew_MgLevel *coarse, bool are_kept, Row row)
{
    if (row.weight != (are_kept ? coarse->scale : 0))
        return DEW_MG_CUT;
    return are_kept && !(row.dirichlet > 0) ? DEW_MG_PLAIN : DEW_MG_OPEN;
}

static void lower_kind(uint8_t *kind, int to)
{
    *kind = (uint8_t)(to < *kind ? to : *kind);
}

// Full, and all around it are kept: nothing but full weights.
static bool is_deep(const Coarsen *c, const Cell *cell, int bits)
{
    if (!(bits & IS_FULL))
        return false;
    int around = IS_KEPT;
    for (int s = 0; s < 6; s++)
        around &= bits_beside(c, cell, s);
    return around & IS_KEPT;
}

static void make_cell(Coarsen *c, const Cell *cell)
{
    dew_MgLevel *coarse = c->coarse;
    int64_t at = cell->brick * (int64_t)coarse->brick_cells + cell->index;
    int64_t place = dew_mg_at(coarse, cell->brick, cell->index);
    int32_t surface = coarse->surface[cell->brick];
    bool keeps = coarse->side[at] & IS_KEPT, is_plain = c->fine->kind[cell->child] == DEW_MG_PLAIN;
    lower_kind(coarse->kind + cell->brick, keeps ? DEW_MG_PLAIN : DEW_MG_OPEN);
    if (!(coarse->side[at] & HAS_CHILDREN))
        return;  // all its values are zero
    if (is_deep(c, cell, coarse->side[at])) {
        for (int a = 0; a < 3; a++)
            coarse->w[a][place] = coarse->scale;
        coarse->inverse[place] = 1 / (6 * coarse->scale);
        coarse->y[at] = 63;
        return;
    }
    float diagonal = 0;
    int open = 0;
    for (int s = 0; s < (coarse->depth > 1 ? 6 : 4); s++) {
        Row row = {coarse->scale, 0};
        int32_t there = brick_beyond(c, cell, s);
        int beside = IS_KEPT;
        if (!is_plain || c->fine->kind[there] != DEW_MG_PLAIN) {
            beside = bits_beside(c, cell, s);
            row = look_through(c, cell, s, there, beside);
        }
        open |= row.weight > 0 || row.dirichlet > 0 ? 1 << s : 0;
        row.weight = keeps ? row.weight : 0;
        row.dirichlet = keeps ? row.dirichlet : 0;
        lower_kind(coarse->kind + cell->brick, kind_of(coarse, keeps && (beside & IS_KEPT), row));
        diagonal += row.weight + row.dirichlet;
        if (!(s & 1))
            coarse->w[s >> 1][place] = row.weight;
        if (surface >= 0)
            coarse->d_side[(6 * (int64_t)surface + s) * coarse->brick_cells + cell->index] =
                row.dirichlet;
    }
    coarse->inverse[place] = diagonal > 0 ? 1 / diagonal : 0;
    coarse->y[at] = (float)open;  // the flags of neighbours are still being read
}

// The highest kind that a coarse brick may have: not plain when children are missing.
static dew_MgKind kind_above(const Coarsen *c, int32_t brick)
{
    if (c->fine->depth == 1)
        return DEW_MG_CUT;
    for (int o = 0; o < 8; o++)
        if (c->coarse->child[8 * (int64_t)brick + o] == c->fine->brick_count)
            return DEW_MG_OPEN;
    return DEW_MG_PLAIN;
}

// All cells of the brick and all around it are the same: no need to look.
static bool is_plain_below(const Coarsen *c, int32_t brick)
{
    const dew_MgLevel *fine = c->fine;
    if (fine->depth == 1)
        return false;
    for (int o = 0; o < 8; o++) {
        int32_t child = c->coarse->child[8 * (int64_t)brick + o];
        if (fine->kind[child] != DEW_MG_PLAIN)
            return false;
        for (int s = 0; s < 6; s++)
            if (fine->kind[fine->near[6 * (int64_t)child + s]] != DEW_MG_PLAIN)
                return false;
    }
    return true;
}

static void make_plain(dew_MgLevel *coarse, int32_t brick)
{
    const int64_t half = coarse->brick_cells / 2, cells = brick * 2 * half;
    for (int64_t at = brick * half; at < (brick + 1) * half; at++) {
        for (int a = 0; a < 3; a++)
            coarse->w[a][at] = coarse->w[a][coarse->black + at] = coarse->scale;
        coarse->inverse[at] = coarse->inverse[coarse->black + at] = 1 / (6 * coarse->scale);
    }
    for (int64_t i = 0; i < 2 * half; i++)
        coarse->y[cells + i] = 63;
}

static dew_Status make_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Coarsen *c = context;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        c->coarse->kind[b] = (uint8_t)kind_above(c, b);
        if (is_plain_below(c, b))
            make_plain(c->coarse, b);
        else
            for (int o = 0; o < 8; o++)
                for_octant(c, b, o, make_cell);
    }
    return dew_ok();
}

// The open sides go from y, where they waited, to their place.
static void set_sides(dew_MgLevel *coarse)
{
    int64_t values = (int64_t)coarse->brick_count * coarse->brick_cells;
    for (int64_t i = 0; i < values; i++) {
        coarse->side[i] = (uint8_t)coarse->y[i];
        coarse->y[i] = 0;
    }
}

dew_Status dew_mg_coarsen(dew_Multigrid *mg, dew_MgLevel *fine, dew_MgLevel *coarse,
                          bool *has_cells)
{
    *has_cells = false;
    int32_t bricks = count_parents(fine);
    if (fine->cell_count <= 1)
        return dew_ok();
    // In two dimensions areas and distances grow alike.
    float scale = fine->depth > 1 ? 2 * fine->scale : fine->scale;
    DEW_TRY(dew_mg_level_begin(mg, coarse, bricks, fine->depth, scale));
    link_levels(fine, coarse);
    DEW_TRY(dew_mg_level_alloc(mg, coarse, number_surfaces(fine, coarse)));
    Coarsen c = {fine, coarse};
    dew_parallel_for(mg->tasks, bricks, DEW_MG_CHUNK, keep_chunk, &c);
    dew_parallel_for(mg->tasks, bricks, DEW_MG_CHUNK, make_chunk, &c);
    set_sides(coarse);
    DEW_TRY(dew_mg_level_finish(mg, coarse));
    *has_cells = coarse->cell_count > 0 && coarse->cell_count < fine->cell_count;
    return dew_ok();
}

// ---- transfer between levels --------------------------------------------------------------------

// Values between levels. Interpolation is linear in each octant of a coarse cell: with c the coarse
// value and c_x, c_y, c_z those of the neighbours on the child's sides,
//
//   child = c + (c_x - c) / 4 + (c_y - c) / 4 + (c_z - c) / 4,
//
// where the term of a closed side is left out (nothing flows through it, so the value is
// extrapolated as constant) and a neighbour without equation counts as zero (the free surface). It
// needs face neighbours only and is exact for linear functions. Restriction is its transpose,
// summed, since equations are integrated over cells: each coarse cell hands the quarter of what its
// children on an open side have to the neighbour there (the spill) and keeps the rest.

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

// Sums of the residual r of a brick over the children of its coarse cells in one row: all eight,
// and the four on each of the six sides.
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

// b of a coarse brick: what its children have (in y) and what comes over from neighbours; cells
// without equation have 0.
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

// A quarter of the difference from cells to their neighbours on side s, 0 where that side is
// closed.
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

// The coarse correction at the children of four coarse cells x of a row, added to the fine rows
// from `row` on, in a brick whose values are at `to`.
DEW_BODY void add_row(const dew_MgLevel *fine, const F4 *x, const F4 slope[6], const float *inverse,
                      bool is_plain, int row, float *to)
{
    const int64_t black = fine->black;
    const F4 left = *x + slope[0], right = *x + slope[1];
    for (int sz = 0; sz < (fine->depth > 1 ? 2 : 1); sz++) {
        int at = 4 * (row + 8 * sz), parity = dew_mg_row_parity(at >> 2);
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
