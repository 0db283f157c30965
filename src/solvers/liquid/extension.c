// Velocities beyond the free surface: each face takes the velocity at its closest point of the surface,
// from the faces around that the liquid determines.
//
// differs: [Enright2002] march outwards from face to face. Redistancing has made phi a distance to fourth
// order, so the closest point is known directly, every face is on its own, and nothing depends on order.
// phi is carried by the velocity at the closest point on the liquid's side too. With the liquid's own there and the
// surface's beyond, the velocity has a kink at the surface, which then lags by a sixth of a cell times the velocity's
// slope: a drop rings too slowly, to the first order in h.
// Beside walls the closest point may lie in the solid; it is raised to half a cell above the wall, so that
// the line moves with the liquid next to it.
#include "base/status.h"
#include "grid/wide.h"
#include "solvers/liquid/liquid.h"

#define PAD          1
#define WIDTH        (DEW_BRICK + 2 * PAD)
#define ABOVE        0.5  // cells above a wall from which velocities are taken
#define LEAST_SINE2  0.1  // of the angle between surface and wall
#define LEAST_WEIGHT 0.02
#define CARRIED      2.5  // cells from the surface in which phi is carried by the surface's velocity
#define NEAR_WALLS   6.0  // cells: closest points of a brick farther from walls are not beside them

typedef struct Work {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    uint8_t *const *is_known;
    double *u[3];
    const double *from[3];
    const double *open[3];
} Work;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(PAD)], solid[DEW_TILE_SIZE(PAD)];
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

// May beyond the surface take the velocity of this face? One that the liquid determines, or a closed one across
// which the wall stands.
DEW_BODY bool is_source(const Work *w, const Tiles *t, int axis, int64_t at, const int c[3])
{
    if (!w->is_known[axis][at])
        return false;
    if (!t->has_walls || w->open[axis][at] > 0)
        return true;
    int below[3] = {c[0], c[1], c[2]};
    below[axis]--;
    int64_t low = dew_grid_near(w->liquid->grid, t->brick, below[0], below[1], below[2]);
    double across = low < 0 ? 0 : w->solid[at] - w->solid[low];
    return fabs(across) > 0.7 * w->liquid->grid->cell_m;
}

DEW_BODY Mean mean_known(const Work *w, const Tiles *t, int axis, dew_Vec3 p, dew_Vec3 g)
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

// p, raised along the surface to half a cell above the wall; n: the surface's normal. Along the wall's own normal it
// would leave the liquid where the angle is sharp. at: of the face at x that asks.
DEW_BODY dew_Vec3 above_wall(const Tiles *t, int at, int axis, dew_Vec3 x, dew_Vec3 p, dew_Vec3 n,
                             double h)
{
    if (!t->has_walls)
        return p;
    dew_Vec3 N = dew_normalize(slope_at_face(t->solid, at, axis));
    double d = 0.5 * (t->solid[at] + t->solid[at - stride_of[axis]]) / h;
    d += dew_inner(dew_sub(p, x), N);
    if (d >= ABOVE)
        return p;
    dew_Vec3 up = dew_add_scaled(N, -dew_inner(N, n), n);
    return dew_add_scaled(p, (ABOVE - d) / fmax(dew_inner(up, N), LEAST_SINE2), up);
}

// Where faces around the closest point are missing, the mean of the others is that of a point inside: the
// velocity at the surface is then continued linearly from a cell deeper. Without that a drop of 8 cells' radius
// rings by 0.3 % more slowly.
DEW_BODY bool extend_face(const Work *w, const Tiles *t, int n, int axis, double *value)
{
    const dew_Grid *grid = w->liquid->grid;
    double h = grid->cell_m;
    int at = dew_tile_at(PAD, n & 7, n >> 3 & 7, n >> 6);
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
        if (trial > 0 || !(missing > 0.01))
            return true;
        dew_Vec3 q = above_wall(t, at, axis, x, dew_add_scaled(p, -1, g), g, h);
        Mean deeper = mean_known(w, t, axis, q, g);
        if (deeper.weight > LEAST_WEIGHT && mean.along - deeper.along > 0.4)
            *value += fmin(missing, 1) * (mean.value - deeper.value) / (mean.along - deeper.along);
        return true;
    }
    return false;
}

static void load_tiles(const Work *w, int32_t b, Tiles *t)
{
    const dew_Grid *grid = w->liquid->grid;
    dew_tile_load(grid, w->phi, b, PAD, t->phi);
    t->brick = b;
    t->has_walls = false;
    if (!w->solid)
        return;
    dew_tile_load(grid, w->solid, b, PAD, t->solid);
    for (int i = 0; i < DEW_TILE_SIZE(PAD) && !t->has_walls; i++)
        t->has_walls = t->solid[i] < NEAR_WALLS * grid->cell_m;
}

DEW_BODY dew_Status extend_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
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
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double depth = CARRIED * grid->cell_m;
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

static void get_fields(dew_Liquid *liquid, uint8_t *const is_known[3], Work *work)
{
    *work = (Work){.liquid = liquid,
                   .phi = dew_liquid_phi(liquid),
                   .solid = dew_liquid_solid(liquid),
                   .is_known = is_known};
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work->u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
        work->open[a] = work->solid ? dew_grid_f64(liquid->grid, liquid->open[a]) : NULL;
    }
}

dew_Status dew_liquid_extend(dew_Liquid *liquid, uint8_t *const is_known[3], dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    size_t size = (size_t)dew_liquid_count(liquid) * sizeof(double);
    Work work;
    get_fields(liquid, is_known, &work);
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
    Work work;
    get_fields(liquid, is_known, &work);
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work.from[a] = work.u[a];
        work.u[a] = out[a];
    }
    return dew_grid_for(liquid->grid, carry_chunk, &work);
}
