// Assembly of the pressure equations [Gibou2002], [Ng2009]: which cells have one, the weights of
// faces between them, and the terms of the free surface.
//
// Two passes over the grid's bricks (which cells are liquid; then, where there are any, the
// weights), with the numbering of the bricks that have liquid in between.

#include "grid/poisson.h"

#include "base/status.h"
#include "base/sum.h"
#include "base/union_find.h"

#include <math.h>
#include <string.h>

#define CELLS DEW_BRICK_CELLS

dew_PoissonDef dew_default_poisson_def(void)
{
    return (dew_PoissonDef){.min_fraction = 0.01,
                            .method = DEW_POISSON_MULTIGRID,
                            .relaxation = DEW_SOR_RELAXATION,
                            .solve = dew_default_solve_def()};
}

void dew_poisson_init(dew_Poisson *poisson, const dew_Allocator *allocator)
{
    *poisson = (dew_Poisson){0};
    dew_multigrid_init(&poisson->mg, allocator);
    dew_arena_init(&poisson->arena, allocator);
    dew_array_init(&poisson->pools, allocator, sizeof(dew_ClosedPool));
}

void dew_poisson_deinit(dew_Poisson *poisson)
{
    dew_array_deinit(&poisson->pools);
    dew_arena_deinit(&poisson->arena);
    dew_multigrid_deinit(&poisson->mg);
}

typedef dew_PoissonAssembly Assembly;

enum {
    HAS_LIQUID = DEW_POISSON_HAS_LIQUID,
    IS_FULL = DEW_POISSON_IS_FULL,
    HAS_SURFACE = DEW_POISSON_HAS_SURFACE
};

// Index in the table of 27 of the brick on side s.
static const int near_side[6] = {12, 14, 10, 16, 4, 22};

// Open weights of the faces of a brick's cells: lower x, upper x, lower y, ... A face beside a
// missing brick is closed, and so are those along z in two dimensions.
typedef struct Faces {
    float open[6][CELLS];
} Faces;

// Cell n of a brick's last layer along an axis.
static int last_cell(int axis, int n)
{
    return axis == 0 ? 8 * n + 7 : axis == 1 ? (n & 7) + 56 + 64 * (n >> 3) : n + 448;
}

static void lower_faces(const Assembly *s, int32_t brick, int axis, float *out)
{
    int cells = s->grid->brick_cells;
    const double *open = s->def->open[axis];
    for (int i = 0; i < cells; i++)
        out[i] = open ? (float)open[(int64_t)brick * cells + i] : 1;
    if (dew_grid_neighbours(s->grid, brick)[near_side[2 * axis]] >= 0)
        return;
    int stride = axis == 0 ? 1 : axis == 1 ? 8 : 64;
    for (int n = 0; n < cells / 8; n++)
        out[last_cell(axis, n) - 7 * stride] = 0;
}

static void load_faces(const Assembly *s, int32_t brick, Faces *f)
{
    int cells = s->grid->brick_cells, axes = dew_grid_axes(s->grid);
    memset(f->open[4], 0, sizeof f->open[4]);
    memset(f->open[5], 0, sizeof f->open[5]);
    for (int a = 0; a < axes; a++) {
        int stride = a == 0 ? 1 : a == 1 ? 8 : 64;
        int32_t up = dew_grid_neighbours(s->grid, brick)[near_side[2 * a + 1]];
        const double *open = s->def->open[a];
        lower_faces(s, brick, a, f->open[2 * a]);
        memcpy(f->open[2 * a + 1], f->open[2 * a] + stride,
               (size_t)(cells - stride) * sizeof(float));
        for (int n = 0; n < cells / 8; n++) {
            int i = last_cell(a, n);
            int64_t there = (int64_t)up * cells + i - 7 * stride;
            f->open[2 * a + 1][i] = up < 0 ? 0 : open ? (float)open[there] : 1;
        }
    }
}

// ---- First pass: liquid -------------------------------------------------------------------------

static bool all_open(const Assembly *s, int32_t brick)
{
    bool is_open = true;
    for (int a = 0; a < 3; a++) {
        const double *open = s->def->open[a] ? s->def->open[a] + (int64_t)brick * CELLS : NULL;
        for (int i = 0; open && i < CELLS; i++)
            is_open &= open[i] == 1;
    }
    return is_open;
}

static void find_liquid(Assembly *s, int32_t brick)
{
    int cells = s->grid->brick_cells;
    const double *phi = s->def->phi + (int64_t)brick * cells;
    uint8_t *is_liquid = s->is_liquid + (int64_t)brick * cells;
    int inside = 0, count = 0;
    for (int i = 0; i < cells; i++)
        inside += phi[i] < 0;
    s->kind[brick] = 0;
    if (inside == CELLS && all_open(s, brick)) {
        memset(is_liquid, 1, CELLS);
        s->kind[brick] = HAS_LIQUID | IS_FULL;
        return;
    }
    if (inside == 0)
        return;
    Faces f;
    load_faces(s, brick, &f);
    for (int i = 0; i < cells; i++) {
        float sum = 0;
        for (int side = 0; side < 6; side++)
            sum += f.open[side][i];
        is_liquid[i] = phi[i] < 0 && sum > 0;
        count += is_liquid[i];
    }
    s->kind[brick] = count > 0 ? HAS_LIQUID : 0;
}

static dew_Status liquid_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    for (int64_t b = begin; b < end; b++)
        find_liquid(context, (int32_t)b);
    return dew_ok();
}

bool dew_poisson_is_deep(const Assembly *s, int32_t brick)
{
    const int32_t *near = dew_grid_neighbours(s->grid, brick);
    bool is_deep = s->kind[brick] & IS_FULL;
    for (int side = 0; side < 6 && is_deep; side++) {
        int32_t n = near[near_side[side]];
        is_deep = n >= 0 && (s->kind[n] & IS_FULL);
    }
    return is_deep;
}

// Is a cell of the brick beside a cell that is not liquid?
static dew_Status surface_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Assembly *s = context;
    int depth = s->grid->depth;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        if (!(s->kind[b] & HAS_LIQUID) || dew_poisson_is_deep(s, b))
            continue;
        uint8_t tile[1000];
        dew_tile_load_u8(s->grid, s->is_liquid, b, 1, 1, tile);
        bool has_air = false;
        for (int k = 0; k < depth; k++)
            for (int j = 0; j < 8; j++)
                for (int i = 0; i < 8; i++) {
                    const uint8_t *c = tile + dew_tile_at(1, i, j, k);
                    has_air |= c[0] & !(c[-1] & c[1] & c[-10] & c[10] & c[-100] & c[100]);
                }
        s->kind[b] |= has_air ? HAS_SURFACE : 0;
    }
    return dew_ok();
}

// ---- Numbering ----------------------------------------------------------------------------------

static dew_Status number_bricks(Assembly *s)
{
    dew_Poisson *p = s->poisson;
    int32_t count = 0, surfaces = 0, bricks = s->grid->brick_count + s->grid->ghost_count;
    for (int32_t b = 0; b < bricks; b++) {
        bool is_ours = b < s->grid->brick_count && (s->kind[b] & HAS_LIQUID);
        p->slot[b] = is_ours ? count : DEW_INVALID;
        if (is_ours)
            p->brick[count++] = b;
        surfaces += is_ours && (s->kind[b] & HAS_SURFACE) ? 1 : 0;
    }
    p->brick_count = count;
    p->value_count = (int64_t)count * s->grid->brick_cells;
    DEW_TRY(dew_multigrid_begin(&p->mg, s->grid->tasks, count, s->grid->depth, surfaces));
    dew_MgLevel *level = &p->mg.level[0];
    surfaces = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *near = dew_grid_neighbours(s->grid, p->brick[i]);
        level->key[i] = ((const uint64_t *)s->grid->keys.data)[p->brick[i]];
        level->surface[i] = s->kind[p->brick[i]] & HAS_SURFACE ? surfaces++ : DEW_INVALID;
        for (int side = 0; side < 6; side++) {
            int32_t n = near[near_side[side]];
            bool is_there = n >= 0 && p->slot[n] >= 0 && (side < 4 || s->grid->depth > 1);
            level->near[6 * (int64_t)i + side] = is_there ? p->slot[n] : count;
        }
    }
    return dew_ok();
}

// ---- Second pass: weights -----------------------------------------------------------------------

void dew_poisson_fill_deep(dew_MgLevel *level, int32_t slot)
{
    level->kind[slot] = DEW_MG_PLAIN;
    const int64_t at = (int64_t)slot * CELLS / 2, black = level->black;
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < CELLS / 2; i++)
            level->w[a][at + i] = level->w[a][black + at + i] = 1;
    for (int i = 0; i < CELLS / 2; i++)
        level->inverse[at + i] = level->inverse[black + at + i] = 1.0f / 6.0f;
}

// Values of a brick and two layers (one, of p_surface) around it.
typedef struct Around {
    double phi[DEW_TILE_SIZE(2)], p_surface[DEW_TILE_SIZE(1)];
    uint8_t is_liquid[DEW_TILE_SIZE(1)];
} Around;

static double smaller(double a, double b)
{
    return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b;
}

double dew_poisson_theta(double phi_back, double phi_liquid, double phi_air, double phi_beyond)
{
    double slope = phi_air - phi_liquid, linear = -phi_liquid / slope;
    // The smaller of the two curvatures: a kink of phi on one side must not bend the other.
    double bend =
        smaller(phi_back - 2 * phi_liquid + phi_air, phi_liquid - 2 * phi_air + phi_beyond);
    // phi(t) = phi_liquid + t slope - t (1 - t) bend / 2 = 0 by Newton from the linear root: the
    // parabola differs little from the line, two steps are enough.
    double t = linear;
    for (int n = 0; n < 2; n++) {
        double rate = slope - (0.5 - t) * bend;
        double value = phi_liquid + t * slope - 0.5 * t * (1 - t) * bend;
        t = rate > 0.5 * slope ? t - value / rate : t;
    }
    return t > 0 ? t < 1 ? t : 1 : 0;
}

static const int wide[3] = {1, 12, 144}, narrow[3] = {1, 10, 100};  // strides of the tiles

// Which sides of a cell are open toward air: bits.
static int cut_sides(const Around *t, const Faces *f, int i, int c)
{
    int cut = 0;
    for (int side = 0; side < 6; side++) {
        int n = c + (side & 1 ? 1 : -1) * narrow[side >> 1];
        cut |= f->open[side][i] > 0 && !t->is_liquid[n] ? 1 << side : 0;
    }
    return cut;
}

// phi of a liquid cell, made so negative that no side's fraction is below the least: as if the
// surface were a little farther off. To bound each fraction alone would change how the flux is
// shared out.
static double bounded_phi(const Assembly *s, const double *phi, int cut)
{
    double least = phi[0], m = s->def->min_fraction;
    if (m >= 1)
        return least;  // first order: every fraction is 1
    for (int side = 0; side < 6; side++) {
        double air = phi[(side & 1 ? 1 : -1) * wide[side >> 1]], wanted = -m / (1 - m) * air;
        least = (cut >> side & 1) && wanted < least ? wanted : least;
    }
    return least;
}

// The Dirichlet term of a cell toward a side, and what the surface's pressure adds to b. phi and p
// point to the cell in their tiles; phi_here is that of bounded_phi.
static float surface_term(const Assembly *s, const double *phi, double phi_here, const double *p,
                          int side, float w, double *add)
{
    int axis = side >> 1, out = side & 1 ? 1 : -1, step = out * wide[axis];
    double theta = dew_poisson_theta(phi[-step], phi_here, phi[step], phi[2 * step]);
    theta = theta > s->def->min_fraction ? theta : s->def->min_fraction;
    float term = (float)((double)w / theta);
    if (s->def->p_surface)
        *add += (double)term * (p[0] + theta * (p[out * narrow[axis]] - p[0]));
    return term;
}

// Returns what the cell lets its brick be.
static dew_MgKind fill_cell(const Assembly *s, const Around *t, const Faces *f, int32_t slot, int i)
{
    dew_Poisson *p = s->poisson;
    dew_MgLevel *level = &p->mg.level[0];
    int64_t at = (int64_t)slot * level->brick_cells + dew_mg_place(level->depth, i);
    int64_t here = dew_mg_at(level, slot, i), surface = level->surface[slot];
    int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6), cut = cut_sides(t, f, i, c);
    const double *phi = t->phi + dew_tile_at(2, i & 7, i >> 3 & 7, i >> 6);
    double phi_here = cut ? bounded_phi(s, phi, cut) : phi[0];
    float weights = 0;
    double d = 0, add = 0;
    bool is_cut = false;
    for (int side = 0; side < 6; side++) {
        float w = f->open[side][i], term = 0;
        if (cut >> side & 1)
            term = surface_term(s, phi, phi_here, t->p_surface + c, side, w, &add);
        bool flows = t->is_liquid[c + (side & 1 ? 1 : -1) * narrow[side >> 1]];
        w = flows ? w : 0;
        is_cut |= flows && w != 1;
        weights += w;
        d += (double)term;
        if (!(side & 1))
            level->w[side >> 1][here] = w;
        if (surface >= 0)
            level->d_side[(6 * surface + side) * level->brick_cells + i] = term;
    }
    p->diagonal[at] = weights + (float)d;
    level->inverse[here] = p->diagonal[at] > 0 ? 1 / p->diagonal[at] : 0;
    if (surface >= 0) {
        // Such that the surface's own pressure solves the equations exactly, whatever rounding does
        // to d.
        float rounded = p->diagonal[at] - weights;
        p->d[surface * level->brick_cells + dew_mg_place(level->depth, i)] = rounded;
        p->surface_b[surface * level->brick_cells + i] = d > 0 ? (double)rounded * (add / d) : 0;
    }
    return is_cut ? DEW_MG_CUT : DEW_MG_OPEN;
}

// A cell whose neighbours are all liquid, behind faces that are all open.
static bool is_inner(const Around *t, const Faces *f, int i)
{
    const uint8_t *c = t->is_liquid + dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
    if (!(c[-1] & c[1] & c[-10] & c[10] & c[-100] & c[100]))
        return false;
    bool is_open = true;
    for (int side = 0; side < 6; side++)
        is_open &= f->open[side][i] == 1;
    return is_open;
}

static void fill_inner(dew_Poisson *p, int32_t slot, int i)
{
    dew_MgLevel *level = &p->mg.level[0];
    int64_t at = dew_mg_at(level, slot, i);
    for (int a = 0; a < 3; a++)
        level->w[a][at] = 1;
    level->inverse[at] = 1.0f / 6.0f;
    p->diagonal[(int64_t)slot * level->brick_cells + dew_mg_place(level->depth, i)] = 6;
}

static void fill_brick(const Assembly *s, int32_t slot)
{
    dew_Poisson *p = s->poisson;
    int cells = s->grid->brick_cells;
    int32_t b = p->brick[slot];
    Around t;
    Faces f;
    load_faces(s, b, &f);
    dew_tile_load_u8(s->grid, s->is_liquid, b, 1, 0, t.is_liquid);
    dew_tile_load_cross(s->grid, s->def->phi, b, 2, t.phi);
    if (s->def->p_surface)
        dew_tile_load_cross(s->grid, s->def->p_surface, b, 1, t.p_surface);
    dew_MgKind kind = s->grid->depth > 1 ? DEW_MG_PLAIN : DEW_MG_CUT;
    for (int i = 0; i < cells; i++) {
        dew_MgKind cell = DEW_MG_OPEN;
        if (s->is_liquid[(int64_t)b * cells + i] && is_inner(&t, &f, i)) {
            fill_inner(p, slot, i);
            cell = DEW_MG_PLAIN;
        } else if (s->is_liquid[(int64_t)b * cells + i]) {
            cell = fill_cell(s, &t, &f, slot, i);
        }
        kind = cell < kind ? cell : kind;
    }
    p->mg.level[0].kind[slot] = (uint8_t)kind;
}

static void clear_slot(const Assembly *s, int32_t slot)
{
    dew_Poisson *p = s->poisson;
    const dew_MgLevel *level = &p->mg.level[0];
    int64_t cells = level->brick_cells, surface = level->surface[slot];
    dew_mg_clear(level, slot);
    memset(p->diagonal + slot * cells, 0, (size_t)cells * sizeof(float));
    if (surface >= 0)
        memset(p->d + surface * cells, 0, (size_t)cells * sizeof(float));
    if (surface >= 0 && !s->def->liquid)
        memset(p->surface_b + surface * cells, 0, (size_t)cells * sizeof(double));
}

static dew_Status weights_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Assembly *s = context;
    dew_Poisson *p = s->poisson;
    for (int32_t slot = (int32_t)begin; slot < end; slot++) {
        clear_slot(s, slot);
        if (dew_poisson_is_deep(s, p->brick[slot]))
            dew_poisson_fill_deep(&p->mg.level[0], slot);
        else if (s->def->liquid)
            dew_poisson_cells_fill(s, slot);
        else
            fill_brick(s, slot);
    }
    return dew_ok();
}

static dew_Status fill_weights(Assembly *s)
{
    dew_Poisson *p = s->poisson;
    int64_t cells = s->grid->brick_cells, surfaces = p->mg.level[0].surface_count;
    p->diagonal = dew_arena_raw_array(&p->arena, float, p->value_count);
    p->d = dew_arena_raw_array(&p->arena, float, surfaces *cells + cells);
    p->surface_b = dew_arena_raw_array(&p->arena, double, s->def->liquid ? 0 : surfaces *cells);
    p->zeros = dew_arena_array(&p->arena, double, cells);
    if (!p->diagonal || !p->d || !p->surface_b || !p->zeros)
        return dew_no_memory((size_t)(p->value_count + cells) * sizeof(float));
    memset(p->d + surfaces * cells, 0, (size_t)cells * sizeof(float));
    return dew_parallel_for(s->grid->tasks, p->brick_count, DEW_MG_CHUNK, weights_chunk, s);
}

dew_Status dew_poisson_assemble(dew_Poisson *poisson, const dew_Grid *grid,
                                const dew_PoissonDef *def)
{
    dew_arena_end_step(&poisson->arena);
    poisson->grid = grid;
    poisson->def = *def;
    int64_t bricks = grid->brick_count + grid->ghost_count, values = dew_grid_value_count(grid);
    Assembly s = {poisson, grid, def,
                  dew_arena_array(&poisson->arena, uint8_t, def->liquid ? 0 : values),
                  dew_arena_array(&poisson->arena, uint8_t, bricks)};
    poisson->cells = NULL;
    poisson->brick = dew_arena_array(&poisson->arena, int32_t, bricks);
    poisson->slot = dew_arena_array(&poisson->arena, int32_t, bricks);
    poisson->is_liquid = def->liquid ? NULL : s.is_liquid;
    if (!s.is_liquid || !s.kind || !poisson->brick || !poisson->slot)
        return dew_no_memory((size_t)values);
    if (def->liquid) {
        DEW_TRY(dew_poisson_cells_find(&s));
    } else {
        dew_grid_for(grid, liquid_chunk, &s);
        dew_grid_for(grid, surface_chunk, &s);
    }
    DEW_TRY(number_bricks(&s));
    DEW_TRY(fill_weights(&s));
    DEW_TRY(dew_multigrid_end(&poisson->mg));
    poisson->cell_count = poisson->mg.level[0].cell_count;
    DEW_TRY(dew_poisson_find_pools(poisson));
    return def->method == DEW_POISSON_MIC0 ? dew_poisson_factor(poisson) : dew_ok();
}

// ---- Cells that are liquid, closed or air as a whole --------------------------------------------

// Assembly of the pressure equations where cells are liquid, closed or air as a whole: all weights
// are 0 or 1, and are found 64 cells at once (dew_BrickBits).

// Sides of a layer's cells: open ones; of these, toward cells with an equation, and toward the free
// surface.
typedef struct Sides {
    uint64_t flows[6], cut[6];
} Sides;

// Cells of layer k whose neighbour on that side is in no brick.
static uint64_t missing(const int32_t *near, int depth, int side, int k)
{
    static const uint64_t border[6] = {DEW_BITS_FIRST,      DEW_BITS_FIRST << 7, 255,
                                       UINT64_C(255) << 56, ~UINT64_C(0),        ~UINT64_C(0)};
    bool is_at = side < 4 || k == (side == 4 ? 0 : depth - 1);
    return is_at && near[dew_bits_near[side]] < 0 ? border[side] : 0;
}

static uint64_t open_side(const dew_PoissonDef *def, const dew_Grid *grid, const int32_t *near,
                          int side, int k)
{
    return side >= 2 * dew_grid_axes(grid)
               ? 0
               : ~(dew_bits_beside(def->closed, near, grid->depth, side, k) |
                   missing(near, grid->depth, side, k));
}

// ---- Which cells have equations -----------------------------------------------------------------

static dew_Status cells_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const dew_PoissonAssembly *s = context;
    const dew_Grid *grid = s->grid;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        uint64_t any = 0, all = ~UINT64_C(0);
        for (int k = 0; k < grid->depth; k++) {
            uint64_t open = 0, liquid = s->def->liquid[b].layer[k] & ~s->def->closed[b].layer[k];
            for (int side = 0; side < 6 && liquid; side++) {
                uint64_t here = open_side(s->def, grid, near, side, k);
                open |= here;
                all &= side & 1 ? all : here;
            }
            s->poisson->cells[b].layer[k] = liquid & open;
            any |= liquid & open;
            all &= liquid & open;
        }
        bool is_full = grid->depth > 1 && ~all == 0;
        s->kind[b] =
            (uint8_t)((any ? DEW_POISSON_HAS_LIQUID : 0) | (is_full ? DEW_POISSON_IS_FULL : 0));
    }
    return dew_ok();
}

static Sides sides_of(const dew_PoissonAssembly *s, int32_t b, int k)
{
    const int32_t *near = dew_grid_neighbours(s->grid, b);
    uint64_t own = s->poisson->cells[b].layer[k];
    Sides sides = {{0}, {0}};
    for (int side = 0; side < 6 && own; side++) {
        uint64_t open = own & open_side(s->def, s->grid, near, side, k);
        uint64_t there = dew_bits_beside(s->poisson->cells, near, s->grid->depth, side, k);
        sides.flows[side] = open & there;
        sides.cut[side] = open & ~there;
    }
    return sides;
}

static dew_Status cells_surface_chunk(void *context, int64_t begin, int64_t end,
                                      int64_t chunk_index)
{
    (void)chunk_index;
    const dew_PoissonAssembly *s = context;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        uint64_t cut = 0;
        if (!(s->kind[b] & DEW_POISSON_HAS_LIQUID) || dew_poisson_is_deep(s, b))
            continue;
        for (int k = 0; k < s->grid->depth; k++) {
            Sides sides = sides_of(s, b, k);
            for (int side = 0; side < 6; side++)
                cut |= sides.cut[side];
        }
        s->kind[b] |= cut ? DEW_POISSON_HAS_SURFACE : 0;
    }
    return dew_ok();
}

dew_Status dew_poisson_cells_find(dew_PoissonAssembly *s)
{
    int64_t bricks = s->grid->brick_count + s->grid->ghost_count;
    DEW_ASSERT(s->def->closed && s->def->min_fraction >= 1 && !s->def->p_surface);
    s->poisson->cells = dew_arena_array(&s->poisson->arena, dew_BrickBits, bricks);
    if (!s->poisson->cells)
        return dew_no_memory((size_t)bricks * sizeof(dew_BrickBits));
    DEW_TRY(dew_grid_for(s->grid, cells_chunk, s));
    return dew_grid_for(s->grid, cells_surface_chunk, s);
}

// ---- Weights ------------------------------------------------------------------------------------

// Every other bit of a row, from the first or the second on, as four numbers.
static inline void pick(uint64_t row, int first, float out[4])
{
    for (int p = 0; p < 4; p++)
        out[p] = (float)(int)(row >> (2 * p + first) & 1);
}

static void fill_row(dew_Poisson *p, const Sides *sides, int32_t slot, int j, int k)
{
    static const float inverse[8] = {0, 1, 1.0f / 2, 1.0f / 3, 1.0f / 4, 1.0f / 5, 1.0f / 6, 0};
    dew_MgLevel *level = &p->mg.level[0];
    int half = level->brick_cells / 2, row = j + DEW_BRICK * k;
    int64_t surface = level->surface[slot];
    uint64_t weights = 0, d = 0;
    for (int side = 0; side < 6; side++) {
        weights += dew_bits_spread(sides->flows[side] >> 8 * j);
        d += dew_bits_spread(sides->cut[side] >> 8 * j);
    }
    for (int colour = 0; colour < 2; colour++) {
        int first = dew_mg_row_parity(row) ^ colour, place = colour * half + 4 * row;
        int64_t at = (colour ? level->black : 0) + (int64_t)slot * half + 4 * row;
        for (int a = 0; a < 3; a++)
            pick(sides->flows[2 * a] >> 8 * j, first, level->w[a] + at);
        float *diagonal = p->diagonal + (int64_t)slot * level->brick_cells + place;
        for (int n = 0; n < 4; n++) {
            int shift = 8 * (2 * n + first), sum = (int)((weights + d) >> shift & 7);
            diagonal[n] = (float)sum;
            level->inverse[at + n] = inverse[sum];
            if (surface >= 0)
                p->d[surface * level->brick_cells + place + n] = (float)(int)(d >> shift & 7);
        }
    }
}

void dew_poisson_cells_fill(const dew_PoissonAssembly *s, int32_t slot)
{
    dew_MgLevel *level = &s->poisson->mg.level[0];
    int32_t b = s->poisson->brick[slot], surface = level->surface[slot];
    uint64_t inner = ~UINT64_C(0);
    for (int k = 0; k < s->grid->depth; k++) {
        Sides sides = sides_of(s, b, k);
        for (int side = 0; side < 6; side++) {
            uint64_t cut = sides.cut[side];
            inner &= sides.flows[side];
            while (cut)
                level->d_side[(6 * (int64_t)surface + side) * level->brick_cells + 64 * k +
                              dew_bits_take(&cut)] = 1;
        }
        for (int j = 0; j < DEW_BRICK && s->poisson->cells[b].layer[k]; j++)
            if (s->poisson->cells[b].layer[k] >> 8 * j & 255)
                fill_row(s->poisson, &sides, slot, j, k);
    }
    level->kind[slot] = (uint8_t)(s->grid->depth == 1 ? DEW_MG_CUT
                                  : ~inner            ? DEW_MG_OPEN
                                                      : DEW_MG_PLAIN);
}

// Spreads what is reached of a brick by one cell in all directions; has anything changed? Cells
// with equations beside one another are always joined.
static bool spread(const dew_Poisson *p, const int32_t *near, dew_BrickBits *reached)
{
    int depth = p->grid->depth, sides = 2 * dew_grid_axes(p->grid);
    bool has_changed = false;
    for (int k = 0; k < depth; k++) {
        uint64_t own = p->cells[near[13]].layer[k], *here = &reached[near[13]].layer[k];
        for (uint64_t was = ~*here; was != *here && *here != own;) {
            was = *here;
            for (int side = 0; side < sides; side++)
                *here |= own & dew_bits_beside(reached, near, depth, side, k);
            has_changed |= *here != was;
        }
    }
    return has_changed;
}

static bool is_done(const dew_Poisson *p, const dew_BrickBits *reached, int32_t b)
{
    uint64_t rest = 0;
    for (int k = 0; k < p->grid->depth; k++)
        rest |= p->cells[b].layer[k] & ~reached[b].layer[k];
    return rest == 0;
}

dew_Status dew_poisson_cells_are_open(dew_Poisson *p, bool *are_open)
{
    int64_t bricks = p->grid->brick_count + p->grid->ghost_count;
    const dew_MgLevel *level = &p->mg.level[0];
    dew_PoissonAssembly s = {p, p->grid, &p->def, NULL, NULL};
    dew_BrickBits *reached = dew_arena_array(&p->arena, dew_BrickBits, bricks);
    if (!reached)
        return dew_no_memory((size_t)bricks * sizeof(dew_BrickBits));
    for (int32_t i = 0; i < p->brick_count; i++)
        for (int k = 0; k < p->grid->depth && level->surface[i] >= 0; k++) {
            Sides sides = sides_of(&s, p->brick[i], k);
            for (int side = 0; side < 6; side++)
                reached[p->brick[i]].layer[k] |= sides.cut[side];
        }
    bool has_changed = true;
    for (int round = 0; has_changed; round++) {
        has_changed = false;
        *are_open = true;
        for (int32_t n = 0; n < p->brick_count; n++) {
            int32_t b = p->brick[round & 1 ? p->brick_count - 1 - n : n];
            if (is_done(p, reached, b))
                continue;
            while (spread(p, dew_grid_neighbours(p->grid, b), reached))
                has_changed = true;
            *are_open &= is_done(p, reached, b);
        }
    }
    return dew_ok();
}
