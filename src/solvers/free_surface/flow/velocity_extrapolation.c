// Velocities beyond the free surface, in two ways. Behind a level set by closest points: phi is a
// distance, so that each face knows where on the surface to look. Where liquid is told by cells as a
// whole layer by layer, as [Durikovic] has it: there is no distance to go by. Into solids a level
// set's velocity is continued by dew_velocity_fill_solids, that of cells below.
#include "base/simd.h"
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/free_surface/cells.h"
#include "solvers/free_surface/liquid.h"

// ---- By closest points --------------------------------------------------------------------------

// Each face takes the velocity at its closest point of the
// surface, from the faces around that the liquid determines.
//
// differs: [Enright2002] march outwards from face to face. Redistancing has made phi a distance to
// fourth order, so the closest point is known directly, every face is on its own, and nothing
// depends on order. phi is carried by the velocity at the closest point on the liquid's side too.
// With the liquid's own there and the surface's beyond, the velocity has a kink at the surface,
// which then lags by a sixth of a cell times the velocity's slope: a drop rings too slowly, to the
// first order in h.
// Beside walls the closest point may lie in the solid; it is raised to half a cell above the wall,
// so that the line moves with the liquid next to it.

#define WIDTH        (DEW_BRICK + 2 * 1)
#define LEAST_WEIGHT 0.02

typedef struct Extrapolation {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    uint8_t *const *is_known;
    double *u[3];
    const double *from[3];
    const double *aperture[3];
} Extrapolation;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(1)], solid[DEW_TILE_SIZE(1)];
    bool has_walls;
    int32_t brick;
} Tiles;

static const int stride_of[3] = {1, WIDTH, WIDTH *WIDTH};

// Gradient of a cell field at a lower face: central differences, the mean of its two cells.
DEW_BODY dew_Vec3 slope_at_face(const double *tile, int at, int axis)
{
    double g[3];
    for (int a = 0; a < 3; a++) {
        int s = stride_of[a], low = at - stride_of[axis];
        g[a] = a == axis ? tile[at] - tile[low]
                         : 0.25 * (tile[at + s] - tile[at - s] + tile[low + s] - tile[low - s]);
    }
    return dew_vec(g[0], g[1], g[2]);
}

// Mean of the known faces around a point by their weights, and where along g that mean lies.
typedef struct Mean {
    double value, along;
    double weight;  // of the known ones: 1 when all are
} Mean;

// May beyond the surface take the velocity of this face? One that the liquid determines, or a
// closed one across which the wall stands.
DEW_BODY bool is_source(const Extrapolation *w, const Tiles *t, int axis, int64_t at,
                        const int c[3])
{
    if (!w->is_known[axis][at])
        return false;
    if (!t->has_walls || w->aperture[axis][at] > 0)
        return true;
    int below[3] = {c[0], c[1], c[2]};
    below[axis]--;
    int64_t low = dew_grid_near(w->liquid->grid, t->brick, below[0], below[1], below[2]);
    double across = low < 0 ? 0 : w->solid[at] - w->solid[low];
    return fabs(across) > 0.7 * w->liquid->grid->cell_m;
}

DEW_BODY Mean mean_known(const Extrapolation *w, const Tiles *t, int axis, dew_Vec3 p, dew_Vec3 g)
{
    bool is_flat = w->liquid->grid->depth == 1;
    double x[3] = {p.x, p.y, is_flat ? 0 : p.z};
    int base[3];
    bool is_inside = true;  // the brick
    Mean mean = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        x[a] = fmax(1 - DEW_BRICK, fmin(x[a], 2 * DEW_BRICK - 2.001));
        base[a] = (int)floor(x[a]);
        x[a] -= base[a];
        is_inside &= base[a] >= 0 && base[a] < DEW_BRICK - 1;
    }
    const int64_t first = t->brick * (int64_t)w->liquid->grid->brick_cells;
    for (int n = 0; n < (is_flat ? 4 : 8); n++) {
        int c[3] = {base[0] + (n & 1), base[1] + (n >> 1 & 1), base[2] + (n >> 2)};
        int64_t at = is_inside ? first + c[0] + 8 * c[1] + 64 * c[2]
                               : dew_grid_near(w->liquid->grid, t->brick, c[0], c[1], c[2]);
        double weight = (n & 1 ? x[0] : 1 - x[0]) * (n >> 1 & 1 ? x[1] : 1 - x[1]);
        weight *= n >> 2 ? x[2] : is_flat ? 1 : 1 - x[2];
        if (at < 0 || !is_source(w, t, axis, at, c))
            continue;
        mean.weight += weight;
        mean.value += weight * w->from[axis][at];
        mean.along += weight * (c[0] * g.x + c[1] * g.y + c[2] * g.z);
    }
    if (mean.weight > 0) {
        mean.value /= mean.weight;
        mean.along /= mean.weight;
    }
    return mean;
}

// p, raised along the surface to half a cell above the wall; n: the surface's normal. Along the
// wall's own normal it would leave the liquid where the angle is sharp. at: of the face at x that
// asks.
DEW_BODY dew_Vec3 above_wall(const Tiles *t, int at, int axis, dew_Vec3 x, dew_Vec3 p, dew_Vec3 n,
                             double h)
{
    if (!t->has_walls)
        return p;
    dew_Vec3 N = dew_normalize(slope_at_face(t->solid, at, axis));
    double d = 0.5 * (t->solid[at] + t->solid[at - stride_of[axis]]) / h;
    d += dew_inner(dew_sub(p, x), N);
    if (d >= 0.5)
        return p;
    dew_Vec3 up = dew_add_scaled(N, -dew_inner(N, n), n);
    return dew_add_scaled(p, (0.5 - d) / fmax(dew_inner(up, N), DEW_LIQUID_MIN_SINE2), up);
}

// Where faces around the closest point are missing, the mean of the others is that of a point
// inside: the velocity at the surface is then continued linearly from a cell deeper. Without that a
// drop of 8 cells' radius rings by 0.3 % more slowly.
DEW_BODY bool extend_face(const Extrapolation *w, const Tiles *t, int n, int axis, double *value)
{
    const dew_Grid *grid = w->liquid->grid;
    double h = grid->cell_m;
    int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    double phi = 0.5 * (t->phi[at] + t->phi[at - stride_of[axis]]) / h;
    if (!(phi < DEW_LIQUID_REACH))
        return false;
    dew_Vec3 x = dew_vec(n & 7, n >> 3 & 7, n >> 6);
    dew_Vec3 g = dew_normalize(slope_at_face(t->phi, at, axis));
    for (int trial = 0; trial < 3; trial++) {
        dew_Vec3 p = above_wall(t, at, axis, x, dew_add_scaled(x, -(phi + 0.5 * trial), g), g, h);
        Mean mean = mean_known(w, t, axis, p, g);
        if (!(mean.weight > LEAST_WEIGHT))
            continue;
        *value = mean.value;
        double missing = dew_inner(p, g) - mean.along;
        if (trial > 0 || !(missing > DEW_LIQUID_MIN_LENGTH))
            return true;
        dew_Vec3 q = above_wall(t, at, axis, x, dew_add_scaled(p, -1, g), g, h);
        Mean deeper = mean_known(w, t, axis, q, g);
        if (deeper.weight > LEAST_WEIGHT && mean.along - deeper.along > 0.4)
            *value += fmin(missing, 1) * (mean.value - deeper.value) / (mean.along - deeper.along);
        return true;
    }
    return false;
}

static void load_tiles(const Extrapolation *w, int32_t b, Tiles *t)
{
    const dew_Grid *grid = w->liquid->grid;
    dew_tile_load(grid, w->phi, b, 1, t->phi);
    t->brick = b;
    t->has_walls = false;
    if (!w->solid)
        return;
    dew_tile_load(grid, w->solid, b, 1, t->solid);
    for (int i = 0; i < DEW_TILE_SIZE(1) && !t->has_walls; i++)
        t->has_walls = t->solid[i] < (DEW_LIQUID_BAND + 1) * grid->cell_m;
}

DEW_BODY dew_Status extend_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Extrapolation *w = context;
    const dew_Grid *grid = w->liquid->grid;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int a = 0; a < grid->dimensions; a++) {
            for (int n = 0; n < grid->brick_cells; n++) {
                int64_t at = b * grid->brick_cells + n;
                if (w->is_known[a][at])
                    continue;
                w->u[a][at] = 0;
                if (!(w->phi[at] < (DEW_LIQUID_REACH + 1) * grid->cell_m))
                    continue;
                if (!is_loaded)
                    load_tiles(w, (int32_t)b, &t);
                is_loaded = true;
                extend_face(w, &t, n, a, &w->u[a][at]);
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(extend_chunk)

// Known faces near the surface too take the velocity at their closest point of it.
DEW_BODY dew_Status carry_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Extrapolation *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double depth = (DEW_LIQUID_REACH - 1) * grid->cell_m;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int a = 0; a < grid->dimensions; a++)
            for (int64_t at = b * grid->brick_cells; at < (b + 1) * grid->brick_cells; at++) {
                w->u[a][at] = w->from[a][at];
                if (!w->is_known[a][at] || !(fabs(w->phi[at]) < depth))
                    continue;
                if (!is_loaded)
                    load_tiles(w, (int32_t)b, &t);
                is_loaded = true;
                extend_face(w, &t, (int)(at - b * grid->brick_cells), a, &w->u[a][at]);
            }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(carry_chunk)

static void begin_extrapolation(dew_Liquid *liquid, uint8_t *const is_known[3], Extrapolation *work)
{
    *work = (Extrapolation){.liquid = liquid,
                            .phi = dew_liquid_phi(liquid),
                            .solid = dew_liquid_solid(liquid),
                            .is_known = is_known};
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work->u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
        work->aperture[a] = work->solid ? dew_grid_f64(liquid->grid, liquid->aperture[a]) : NULL;
    }
}

dew_Status dew_liquid_extrapolate_into_air(dew_Liquid *liquid, uint8_t *const is_known[3],
                                           dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    size_t size = (size_t)dew_liquid_count(liquid) * sizeof(double);
    Extrapolation work;
    begin_extrapolation(liquid, is_known, &work);
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        double *copy = dew_arena_raw_array(scratch, double, dew_liquid_count(liquid));
        if (!copy)
            return dew_no_memory(size);
        __builtin_memcpy(copy, work.u[a], size);
        work.from[a] = copy;
    }
    dew_Status status = dew_grid_for(liquid->grid, extend_chunk, &work);
    dew_arena_rewind(scratch, mark);
    return status;
}

dew_Status dew_liquid_surface_velocity(dew_Liquid *liquid, uint8_t *const is_known[3],
                                       double *const out[3])
{
    Extrapolation work;
    begin_extrapolation(liquid, is_known, &work);
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work.from[a] = work.u[a];
        work.u[a] = out[a];
    }
    return dew_grid_for(liquid->grid, carry_chunk, &work);
}

// ---- Layer by layer -----------------------------------------------------------------------------

// Two layers of faces beyond the surface, and the inside of obstacles.
//
// Markers and newly wetted cells find them there. A face between empty cells takes the mean of its
// neighbours that are known, layer by layer. A face inside an obstacle takes that of its neighbours
// outside, times the slip factor: [Durikovic] section 2.3.1 has -1 and 1. Which faces these are is
// told by sets of cells as bits; there are few.

typedef struct Layers {
    const dew_Grid *grid;
    const dew_CellSets *sets;
    const float *slip;
    const double *const *wall_u;
    double *const *u;
    dew_BrickBits *reached[3][3];  // per layer 0 to 2 and axis: faces that are known by then
    dew_BrickBits *empty[3];       // faces between empty cells
    int layer;                     // that is found now
} Layers;

// Faces of liquid cells are known.
static dew_Status known_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Layers *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++) {
        for (int a = 0; a < dew_grid_axes(grid); a++)
            for (int k = 0; k < grid->depth; k++) {
                dew_CellFaces faces = dew_cell_faces(grid, w->sets, (int32_t)b, a, k);
                w->reached[0][a][b].layer[k] = faces.known;
                w->empty[a][b].layer[k] = ~(faces.known | faces.wall | faces.inside);
            }
    }
    return dew_ok();
}

// Mean over neighbours on some sides; beside: per side, whether it is known there.
static double mean_beside(const dew_Grid *grid, const int32_t *near, const double *u, int cell,
                          const uint64_t beside[6])
{
    double sum = 0;
    int count = 0;
    for (int side = 0; side < 6; side++) {
        if (!(beside[side] >> (cell & 63) & 1))
            continue;
        sum += u[dew_bits_index(grid, near, cell, side)];
        count++;
    }
    return sum / count;
}

// Which faces have known neighbours, on sides other than those of axis `but`; per side, and on any.
static uint64_t look_beside(const dew_Grid *grid, const dew_BrickBits *known, const int32_t *near,
                            int k, int but, uint64_t beside[6])
{
    uint64_t any = 0;
    for (int side = 0; side < 6; side++) {
        bool is_out = side / 2 == but || side >= 2 * dew_grid_axes(grid);
        beside[side] = is_out ? 0 : dew_bits_beside(known, near, grid->depth, side, k);
        any |= beside[side];
    }
    return any;
}

static dew_Status layer_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Layers *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int a = 0; a < dew_grid_axes(grid); a++) {
            const dew_BrickBits *known = w->reached[w->layer - 1][a];
            double *u = w->u[a];
            for (int k = 0; k < grid->depth; k++) {
                uint64_t beside[6], any = look_beside(grid, known, near, k, DEW_INVALID, beside);
                uint64_t own = known[b].layer[k], found = any & w->empty[a][b].layer[k] & ~own;
                w->reached[w->layer][a][b].layer[k] = own | found;
                while (found) {
                    int n = 64 * k + dew_bits_take(&found);
                    u[b * grid->brick_cells + n] = mean_beside(grid, near, u, n, beside);
                }
            }
        }
    }
    return dew_ok();
}

static dew_Status inside_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Layers *w = context;
    const dew_Grid *grid = w->grid;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int a = 0; a < dew_grid_axes(grid); a++)
            for (int k = 0; k < grid->depth; k++) {
                uint64_t in = w->sets->solid[b].layer[k] &
                              dew_bits_beside(w->sets->solid, near, grid->depth, 2 * a, k);
                uint64_t beside[6];
                if (!in)
                    continue;
                in &= look_beside(grid, w->reached[2][a], near, k, a, beside);
                while (in) {
                    int n = 64 * k + dew_bits_take(&in);
                    int64_t at = b * grid->brick_cells + n;
                    double mean = mean_beside(grid, near, w->u[a], n, beside);
                    double wall = w->wall_u[a] ? w->wall_u[a][at] : 0;
                    w->u[a][at] = wall + (double)w->slip[at] * (mean - wall);
                }
            }
    }
    return dew_ok();
}

dew_Status dew_cells_extrapolate(const dew_Grid *grid, const dew_CellSets *sets, const float *slip,
                                 const double *const wall_u[3], double *const u[3],
                                 dew_Arena *scratch)
{
    int64_t bricks = grid->brick_count + grid->ghost_count;
    Layers work = {.grid = grid, .sets = sets, .slip = slip, .wall_u = wall_u, .u = u};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        for (int layer = 0; layer < 3; layer++)
            work.reached[layer][a] = dew_arena_array(scratch, dew_BrickBits, bricks);
        work.empty[a] = dew_arena_array(scratch, dew_BrickBits, bricks);
        if (!work.reached[0][a] || !work.reached[1][a] || !work.reached[2][a] || !work.empty[a])
            return dew_no_memory((size_t)bricks * sizeof(dew_BrickBits));
    }
    DEW_TRY(dew_grid_for(grid, known_chunk, &work));
    for (work.layer = 1; work.layer <= 2; work.layer++)
        DEW_TRY(dew_grid_for(grid, layer_chunk, &work));
    return dew_grid_for(grid, inside_chunk, &work);
}
