// The coarser levels, made from the finest one's weights alone.
//
// A coarse face has half the sum of the weights of its four fine faces: four times the area over twice
// the distance. A coarse cell has an equation when one of its children has, unless the free surface is
// near (some child has a Dirichlet term) and fewer than half of the children have equations: such a
// cell is mostly air. Toward the free surface the distance is told row by row: with D = a / theta the
// term of a child whose centre is theta h from it, the centre of the coarse cell is 1/2, 3/2 or -1/2
// cell farther, so the coarse term is a / (theta + 1/2) and so on, never less than a quarter cell.
#include "grid/multigrid_state.h"

#include <string.h>

#include "base/status.h"
#include "grid/wide.h"

// Bits of dew_MgLevel.side while a level is made: all faces of all children are fully open; a child has a
// Dirichlet term; the cell has an equation; has children with one.
#define IS_FULL      16
#define IS_NEAR      32
#define IS_KEPT      64
#define HAS_CHILDREN 128

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

// ---- Count of equations --------------------------------------------------------------------------

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

// ---- Which coarse bricks there are ---------------------------------------------------------------

static int32_t count_parents(const dew_MgLevel *fine)
{
    int32_t count = 0;
    for (int32_t b = 0; b < fine->brick_count; b++)
        count += b == 0 || fine->key[b] >> 3 != fine->key[b - 1] >> 3;
    return count;
}

// Links between the levels, and neighbours on the coarse one: where no fine bricks touch, nothing flows.
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

// ---- Coarse equations ----------------------------------------------------------------------------

typedef struct Coarsen {
    const dew_MgLevel *fine;
    dew_MgLevel *coarse;
} Coarsen;

// One coarse cell. Its children lie in one fine brick, and so do the fine cells beyond a side of it, in
// that brick or in the one beside.
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

// Of each cell of a fine brick: 1 when it has an equation, and 16 more when all its faces are fully open; and whether it has a
// Dirichlet term.
typedef struct Marks {
    uint8_t mark[512], is_near[512];
} Marks;

DEW_BODY void mark_cells(const dew_MgLevel *fine, int32_t brick, Marks *out)
{
    const float whole = 1 / (6 * fine->scale);  // no weight is above `scale`
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

// Has a coarse cell an equation? See the head of the file. The bits above, by what its children have together.
static int kept_bits(int count, int full, bool is_near, int children)
{
    if (count == 0)
        return 0;
    return HAS_CHILDREN | (is_near ? IS_NEAR : 0) | (!is_near && full == 8 ? IS_FULL : 0) |
           (!is_near || 2 * count >= children ? IS_KEPT : 0);
}

// A row of four coarse cells above a fine brick; the rows below it are `apart` cells apart along z, 0: there is one layer.
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

// What one row of fine cells through a side of a coarse cell adds to it: to the weight of the coarse
// face, or to the Dirichlet term.
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

// What a coarse cell's side lets its brick be: its weight may be left unread when it is the full one
// between kept cells and 0 elsewhere.
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
