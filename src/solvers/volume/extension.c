// Velocities beyond the free surface: each face takes the velocity at its closest point of the surface,
// from the faces around that the liquid determines.
//
// differs: [Enright2002] march outwards from face to face. Redistancing has made phi a distance to fourth
// order, so the closest point is known directly, every face is on its own, and nothing depends on order.
// Beside walls the closest point may lie in the solid; it is raised to half a cell above the wall, so that
// the line moves with the liquid next to it.
#include "base/status.h"
#include "solvers/volume/state.h"

#define PAD          4
#define WIDTH        (DEW_BRICK + 2 * PAD)
#define ABOVE        0.5  // cells above a wall from which velocities are taken
#define LEAST_WEIGHT 0.02

typedef struct Work {
    const dew_SolverState *state;
    const double *phi, *solid;
    uint8_t *const *is_known;
    double *u[3];
    const double *from[3];
    const double *open[3];
} Work;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(PAD)], solid[DEW_TILE_SIZE(PAD)], u[DEW_TILE_SIZE(PAD)];
    uint8_t known[DEW_TILE_SIZE(PAD)];
    bool has_walls;
} Tiles;

static const int stride_of[3] = {1, WIDTH, WIDTH *WIDTH};

// Gradient of a cell field at a lower face: central differences, the mean of its two cells.
static dew_Vec3 slope_at_face(const double *tile, int at, int axis)
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

static Mean mean_known(const Tiles *t, dew_Vec3 p, dew_Vec3 g, bool is_flat)
{
    double x[3] = {p.x, p.y, is_flat ? 0 : p.z};
    int base[3];
    Mean mean = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        x[a] = fmax(-PAD, fmin(x[a], DEW_BRICK + PAD - 1.001));
        base[a] = (int)floor(x[a]);
        x[a] -= base[a];
    }
    for (int n = 0; n < (is_flat ? 4 : 8); n++) {
        int c[3] = {base[0] + (n & 1), base[1] + (n >> 1 & 1), base[2] + (n >> 2)};
        int at = dew_tile_at(PAD, c[0], c[1], c[2]);
        double w = (n & 1 ? x[0] : 1 - x[0]) * (n >> 1 & 1 ? x[1] : 1 - x[1]);
        w *= n >> 2 ? x[2] : is_flat ? 1 : 1 - x[2];
        if (!t->known[at])
            continue;
        mean.weight += w;
        mean.value += w * t->u[at];
        mean.along += w * (c[0] * g.x + c[1] * g.y + c[2] * g.z);
    }
    if (mean.weight > 0) {
        mean.value /= mean.weight;
        mean.along /= mean.weight;
    }
    return mean;
}

// p, raised to half a cell above the wall. at: of the face at x that asks.
static dew_Vec3 above_wall(const Tiles *t, int at, int axis, dew_Vec3 x, dew_Vec3 p, double h)
{
    if (!t->has_walls)
        return p;
    dew_Vec3 N = dew_normalize(slope_at_face(t->solid, at, axis));
    double d = 0.5 * (t->solid[at] + t->solid[at - stride_of[axis]]) / h;
    d += dew_inner(dew_sub(p, x), N);
    return d < ABOVE ? dew_add_scaled(p, ABOVE - d, N) : p;
}

// Where faces around the closest point are missing, the mean of the others is that of a point inside: the
// velocity at the surface is then continued linearly from a cell deeper. Without that a drop of 8 cells' radius
// rings by 0.3 % more slowly.
static bool extend_face(const Work *w, const Tiles *t, int n, int axis, double *value)
{
    const dew_Grid *grid = w->state->grid;
    double h = grid->cell_m;
    bool is_flat = grid->depth == 1;
    int at = dew_tile_at(PAD, n & 7, n >> 3 & 7, n >> 6);
    double phi = 0.5 * (t->phi[at] + t->phi[at - stride_of[axis]]) / h;
    if (!(phi < DEW_VOLUME_REACH))
        return false;
    dew_Vec3 x = dew_vec(n & 7, n >> 3 & 7, n >> 6);
    dew_Vec3 g = dew_normalize(slope_at_face(t->phi, at, axis));
    for (int trial = 0; trial < 3; trial++) {
        dew_Vec3 p = above_wall(t, at, axis, x, dew_add_scaled(x, -(phi + 0.5 * trial), g), h);
        Mean mean = mean_known(t, p, g, is_flat);
        if (!(mean.weight > LEAST_WEIGHT))
            continue;
        *value = mean.value;
        double missing = dew_inner(p, g) - mean.along;
        if (trial > 0 || !(missing > 0.01))
            return true;
        dew_Vec3 q = above_wall(t, at, axis, x, dew_add_scaled(p, -1, g), h);
        Mean deeper = mean_known(t, q, g, is_flat);
        if (deeper.weight > LEAST_WEIGHT && mean.along - deeper.along > 0.4)
            *value += fmin(missing, 1) * (mean.value - deeper.value) / (mean.along - deeper.along);
        return true;
    }
    return false;
}

static void load_tiles(const Work *w, int32_t b, Tiles *t)
{
    const dew_Grid *grid = w->state->grid;
    dew_tile_load(grid, w->phi, b, PAD, t->phi);
    t->has_walls = false;
    if (!w->solid)
        return;
    dew_tile_load(grid, w->solid, b, PAD, t->solid);
    for (int i = 0; i < DEW_TILE_SIZE(PAD) && !t->has_walls; i++)
        t->has_walls = t->solid[i] < 2 * grid->cell_m;
}

// Velocities that faces beyond the surface may take: those the liquid determines, and closed ones across
// which the wall stands.
static void load_axis(const Work *w, int32_t b, int axis, Tiles *t)
{
    const dew_Grid *grid = w->state->grid;
    dew_tile_load(grid, w->from[axis], b, PAD, t->u);
    dew_tile_load_u8(grid, w->is_known[axis], b, PAD, 0, t->known);
    if (!t->has_walls)
        return;
    for (int k = 0; k < grid->depth + 2 * PAD - 2; k++)
        for (int j = 1; j < WIDTH - 1; j++)
            for (int i = 1; i < WIDTH - 1; i++) {
                int at = i + WIDTH * (j + WIDTH * (k + 1));
                double d = 0.5 * (t->solid[at] + t->solid[at - stride_of[axis]]);
                if (!t->known[at] || d > 1e-3 * grid->cell_m)
                    continue;
                double across = (t->solid[at] - t->solid[at - stride_of[axis]]) / grid->cell_m;
                t->known[at] = fabs(across) > 0.7;
            }
}

static dew_Status extend_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->state->grid;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int a = 0; a < grid->dimensions; a++) {
            bool has_axis = false;
            for (int n = 0; n < grid->brick_cells; n++) {
                int64_t at = b * grid->brick_cells + n;
                if (w->is_known[a][at])
                    continue;
                w->u[a][at] = 0;
                if (!(w->phi[at] < (DEW_VOLUME_REACH + 1) * grid->cell_m))
                    continue;
                if (!is_loaded)
                    load_tiles(w, (int32_t)b, &t);
                is_loaded = true;
                if (!has_axis)
                    load_axis(w, (int32_t)b, a, &t);
                has_axis = true;
                extend_face(w, &t, n, a, &w->u[a][at]);
            }
        }
    }
    return dew_ok();
}

dew_Status dew_volume_extend(dew_SolverState *state, uint8_t *const is_known[3], dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Work work = {.state = state,
                 .phi = dew_volume_phi(state),
                 .solid = dew_volume_solid(state),
                 .is_known = is_known};
    size_t size = (size_t)dew_volume_count(state) * sizeof(double);
    for (int a = 0; a < state->grid->dimensions; a++) {
        double *copy = dew_arena_array(scratch, double, dew_volume_count(state));
        if (!copy)
            return dew_no_memory(size);
        work.u[a] = dew_grid_f64(state->grid, state->u[a]);
        __builtin_memcpy(copy, work.u[a], size);
        work.from[a] = copy;
    }
    dew_Status status = dew_grid_for(state->grid, extend_chunk, &work);
    dew_arena_rewind(scratch, mark);
    return status;
}
