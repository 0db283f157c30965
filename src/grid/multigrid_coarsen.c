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

// Bits of dew_MgLevel.side while a level is made: the cell has an equation; has children with one.
#define IS_KEPT      64
#define HAS_CHILDREN 128

dew_Status dew_mg_level_begin(dew_Multigrid *mg, dew_MgLevel *level, int32_t brick_count, int depth,
                              float scale)
{
    dew_Arena *arena = &mg->arena;
    int64_t n = brick_count;
    *level = (dew_MgLevel){
        .brick_count = brick_count, .depth = depth, .brick_cells = 64 * depth, .scale = scale};
    level->key = dew_arena_array(arena, uint64_t, n);
    level->near = dew_arena_array(arena, int32_t, 6 * n);
    level->parent = dew_arena_array(arena, int32_t, n);
    level->child = dew_arena_array(arena, int32_t, 8 * n);
    level->surface = dew_arena_array(arena, int32_t, n + 1);
    level->is_plain = dew_arena_array(arena, uint8_t, n + 1);
    if (!level->key || !level->near || !level->parent || !level->child || !level->surface ||
        !level->is_plain)
        return dew_no_memory((size_t)n * 80);
    for (int64_t i = 0; i <= n; i++)
        level->surface[i] = DEW_INVALID;
    return dew_ok();
}

dew_Status dew_mg_level_alloc(dew_Multigrid *mg, dew_MgLevel *level, int32_t surface_count)
{
    int64_t values = (int64_t)level->brick_cells * (level->brick_count + 1);
    bool is_fine = level == &mg->level[0];
    float **own[] = {&level->w[0],     &level->w[1],     &level->w[2],     &level->inverse,
                     &level->x,        &level->y,        &level->b,        &level->spill[0],
                     &level->spill[1], &level->spill[2], &level->spill[3], &level->spill[4],
                     &level->spill[5]};
    for (int i = 0; i < (is_fine ? 7 : 13); i++) {
        *own[i] = dew_arena_array(&mg->arena, float, values);
        if (!*own[i])
            return dew_no_memory((size_t)values * sizeof(float));
    }
    level->surface_count = surface_count;
    int64_t sides = 6 * (int64_t)level->brick_cells * surface_count;
    level->d_side = dew_arena_array(&mg->arena, float, sides);
    level->side = dew_arena_array(&mg->arena, uint8_t, is_fine ? 0 : values);
    if (!level->d_side || !level->side)
        return dew_no_memory((size_t)sides * sizeof(float));
    return dew_ok();
}

// ---- Plain bricks --------------------------------------------------------------------------------

// All weights of the brick's faces, upper ones too, are `scale`, and there is no Dirichlet term.
static bool is_plain(const dew_MgLevel *level, int32_t brick)
{
    if (level->surface[brick] >= 0 || level->depth == 1)
        return false;
    dew_MgBrick m = dew_mg_brick(level, brick);
    bool is_same = true;
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 512; i++)
            is_same &= m.w[a][i] == level->scale;
    for (int j = 0; j < 8 && is_same; j++)
        for (int i = 0; i < 8; i++)
            is_same &= m.w_up[0][8 * i + 64 * j] == level->scale &&
                       m.w_up[1][i + 64 * j] == level->scale &&
                       m.w_up[2][i + 8 * j] == level->scale;
    return is_same;
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
        const float *inverse = f->level->inverse + b * (int64_t)f->level->brick_cells;
        int32_t count = 0;
        for (int i = 0; i < f->level->brick_cells; i++)
            count += inverse[i] > 0;
        f->cells[b] = count;
        f->level->is_plain[b] = is_plain(f->level, b);
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

// A fine cell seen from a coarse brick: its brick (the one of zeros when missing) and place there.
// Coordinates lie in [-2, 18), at most one of them outside [0, 16).
typedef struct Place {
    int32_t brick;
    int cell;
} Place;

static Place fine_place(const Coarsen *c, int32_t brick, const int f[3])
{
    const dew_MgLevel *coarse = c->coarse;
    int octant = 0;
    for (int a = 0; a < 3; a++) {
        int size = a == 2 && coarse->depth == 1 ? 1 : 16;
        if (f[a] < 0 || f[a] >= size) {
            brick = coarse->near[6 * (int64_t)brick + 2 * a + (f[a] < 0 ? 0 : 1)];
            if (brick == coarse->brick_count)
                return (Place){c->fine->brick_count, 0};
        }
        octant |= size > 1 ? (f[a] >> 3 & 1) << a : 0;
    }
    // In two dimensions the bit of z says nothing but is still part of the key.
    const int32_t *child = coarse->child + 8 * (int64_t)brick;
    int32_t found = child[octant];
    if (coarse->depth == 1 && found == c->fine->brick_count)
        found = child[octant | 4];
    return (Place){found, (f[0] & 7) + 8 * (f[1] & 7) + (coarse->depth > 1 ? 64 * (f[2] & 7) : 0)};
}

static inline bool has_equation(const Coarsen *c, Place p)
{
    return c->fine->inverse[p.brick * (int64_t)c->fine->brick_cells + p.cell] > 0;
}
static inline float weight(const Coarsen *c, Place p, int axis)
{
    return c->fine->w[axis][p.brick * (int64_t)c->fine->brick_cells + p.cell];
}
static inline float dirichlet(const Coarsen *c, Place p, int side)
{
    int32_t s = c->fine->surface[p.brick];
    return s < 0 ? 0 : c->fine->d_side[(6 * (int64_t)s + side) * c->fine->brick_cells + p.cell];
}

// Has the coarse cell an equation? See the head of the file. The bits above.
static int kept_bits(const Coarsen *c, int32_t brick, const int cell[3])
{
    int layers = c->coarse->depth > 1 ? 2 : 1, count = 0;
    bool is_near_surface = false;
    for (int o = 0; o < 4 * layers; o++) {
        int f[3] = {2 * cell[0] + (o & 1), 2 * cell[1] + (o >> 1 & 1),
                    layers > 1 ? 2 * cell[2] + (o >> 2) : 0};
        Place p = fine_place(c, brick, f);
        count += has_equation(c, p);
        for (int s = 0; s < 6 && c->fine->surface[p.brick] >= 0; s++)
            is_near_surface |= dirichlet(c, p, s) > 0;
    }
    if (count == 0)
        return 0;
    return HAS_CHILDREN | (!is_near_surface || count >= 2 * layers ? IS_KEPT : 0);
}

// The fine brick below a coarse cell.
static int32_t brick_below(const Coarsen *c, int32_t brick, const int cell[3])
{
    int f[3] = {2 * cell[0], 2 * cell[1], c->coarse->depth > 1 ? 2 * cell[2] : 0};
    return fine_place(c, brick, f).brick;
}

static dew_Status keep_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Coarsen *c = context;
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int i = 0; i < c->coarse->brick_cells; i++) {
            int cell[3] = {i & 7, i >> 3 & 7, i >> 6};
            bool is_plain_there = c->fine->is_plain[brick_below(c, b, cell)];
            c->coarse->side[b * (int64_t)c->coarse->brick_cells + i] =
                (uint8_t)(is_plain_there ? IS_KEPT | HAS_CHILDREN : kept_bits(c, b, cell));
        }
    return dew_ok();
}

// Is the coarse cell beside `cell` on side `s` kept?
static bool is_kept_beside(const Coarsen *c, int32_t brick, const int cell[3], int s)
{
    int n[3] = {cell[0], cell[1], cell[2]}, axis = s >> 1;
    int size = axis == 2 ? c->coarse->depth : 8;
    n[axis] += s & 1 ? 1 : -1;
    if (n[axis] < 0 || n[axis] >= size) {
        brick = c->coarse->near[6 * (int64_t)brick + s];
        if (brick == c->coarse->brick_count)
            return false;
        n[axis] = (n[axis] + size) % size;
    }
    int64_t at = brick * (int64_t)c->coarse->brick_cells + n[0] + 8 * n[1] + 64 * n[2];
    return c->coarse->side[at] & IS_KEPT;
}

// What one row of fine cells through a side of a coarse cell adds to it: to the weight of the coarse
// face, or to the Dirichlet term. inner and outer are the cell's own children, beyond the next one.
typedef struct Row {
    float weight, dirichlet;
} Row;

static Row look_along(const Coarsen *c, Place inner, Place outer, Place beyond, int s,
                      bool keeps_beside)
{
    const float a = c->fine->scale;  // full area over distance
    Place upper = s & 1 ? beyond : outer;
    if (!has_equation(c, outer)) {
        float d = dirichlet(c, inner, s);
        if (!(d > 0))
            return (Row){0, 0};
        float distance = a / d - 0.5f;
        return (Row){0, a / (distance > 0.25f ? distance : 0.25f)};
    }
    float d = dirichlet(c, outer, s);
    if (d > 0)
        return (Row){0, 1 / (1 / d + 0.5f / a)};
    float w = weight(c, upper, s >> 1);
    if (keeps_beside || !(w > 0))
        return (Row){keeps_beside ? 0.5f * w : 0, 0};
    d = dirichlet(c, beyond, s);
    return (Row){0, d > 0 ? 1 / (1 / d + 1.5f / a) : 0.5f * w};
}

// Sums look_along over the rows through side s of a coarse cell.
static Row look_through(const Coarsen *c, int32_t brick, const int cell[3], int s)
{
    const int axis = s >> 1, step = s & 1 ? 1 : -1;
    const int layers = c->coarse->depth > 1 ? 2 : 1;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    bool keeps_beside = is_kept_beside(c, brick, cell, s);
    Row sum = {0, 0};
    for (int row = 0; row < 4; row++) {
        int f[3] = {2 * cell[0], 2 * cell[1], layers * cell[2]};
        int du = row & 1, dv = row >> 1;
        if (layers == 1 && ((u == 2 && du) || (v == 2 && dv)))
            continue;
        f[u] += du;
        f[v] += dv;
        f[axis] += step > 0 ? 0 : 1;
        Place inner = fine_place(c, brick, f);
        f[axis] += step;
        Place outer = fine_place(c, brick, f);
        f[axis] += step;
        Place beyond = fine_place(c, brick, f);
        Row r = look_along(c, inner, outer, beyond, s, keeps_beside);
        sum.weight += r.weight;
        sum.dirichlet += r.dirichlet;
    }
    return sum;
}

// Are all cells on both sides of a coarse cell's side in plain bricks? child: the brick below it.
static bool is_plain_through(const Coarsen *c, int32_t child, const int cell[3], int s)
{
    const dew_MgLevel *fine = c->fine;
    bool is_last = (cell[s >> 1] & 3) == (s & 1 ? 3 : 0);  // in its octant
    return fine->is_plain[child] &&
           (!is_last || fine->is_plain[fine->near[6 * (int64_t)child + s]]);
}

static void make_cell(const Coarsen *c, int32_t brick, int i)
{
    dew_MgLevel *coarse = c->coarse;
    int64_t at = brick * (int64_t)coarse->brick_cells + i;
    int cell[3] = {i & 7, i >> 3 & 7, i >> 6};
    int32_t surface = coarse->surface[brick];
    if (!(coarse->side[at] & HAS_CHILDREN))
        return;  // all its values are zero
    bool keeps = coarse->side[at] & IS_KEPT;
    int32_t child = brick_below(c, brick, cell);
    float diagonal = 0;
    int open = 0;
    for (int s = 0; s < (coarse->depth > 1 ? 6 : 4); s++) {
        Row row = {coarse->scale, 0};
        if (!is_plain_through(c, child, cell, s))
            row = look_through(c, brick, cell, s);
        open |= row.weight > 0 || row.dirichlet > 0 ? 1 << s : 0;
        row.weight = keeps ? row.weight : 0;
        row.dirichlet = keeps ? row.dirichlet : 0;
        diagonal += row.weight + row.dirichlet;
        if (!(s & 1))
            coarse->w[s >> 1][at] = row.weight;
        if (surface >= 0)
            coarse->d_side[(6 * (int64_t)surface + s) * coarse->brick_cells + i] = row.dirichlet;
    }
    coarse->inverse[at] = diagonal > 0 ? 1 / diagonal : 0;
    coarse->y[at] = (float)open;  // the flags of neighbours are still being read
}

// All cells of the brick and all around it are the same: no need to look.
static bool is_plain_below(const Coarsen *c, int32_t brick)
{
    const dew_MgLevel *fine = c->fine;
    if (fine->depth == 1)
        return false;
    for (int o = 0; o < 8; o++) {
        int32_t child = c->coarse->child[8 * (int64_t)brick + o];
        if (!fine->is_plain[child])
            return false;
        for (int s = 0; s < 6; s++)
            if (!fine->is_plain[fine->near[6 * (int64_t)child + s]])
                return false;
    }
    return true;
}

static void make_plain(dew_MgLevel *coarse, int32_t brick)
{
    int64_t at = brick * (int64_t)coarse->brick_cells;
    for (int i = 0; i < coarse->brick_cells; i++) {
        for (int a = 0; a < 3; a++)
            coarse->w[a][at + i] = coarse->scale;
        coarse->inverse[at + i] = 1 / (6 * coarse->scale);
        coarse->y[at + i] = 63;
    }
}

static dew_Status make_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Coarsen *c = context;
    for (int32_t b = (int32_t)begin; b < end; b++)
        if (is_plain_below(c, b))
            make_plain(c->coarse, b);
        else
            for (int i = 0; i < c->coarse->brick_cells; i++)
                make_cell(c, b, i);
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
