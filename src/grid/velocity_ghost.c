// Velocities in solids: what the flow outside, continued linearly through the wall, would be there.
//
// A face at depth g is mirrored to the point at the same distance outside (at least half a cell, so that
// its samples are fluid ones). Against the wall, the normal part of the velocity there is reversed and
// scaled by g over the distance; the tangential part vanishes at the slip length l behind the wall:
// u(-g) = u(d) (l - g) / (l + d). Faces outside are only read, those inside only written, but mirror
// points near the wall mix both; so the passes read a copy.
#include "grid/velocity.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "grid/face_tiles.h"
#include "grid/velocity_sample.h"

#define ROW (DEW_BRICK + 2)  // of distances

typedef struct Ghosts {
    const dew_Grid *grid;
    const dew_GhostDef *def;
    double *const *u;       // written
    const double *from[3];  // copies
} Ghosts;

// What surrounds a brick: velocities as far as mirrored points may lie, distances beside it, in cells.
typedef struct Tiles {
    dew_SampleTile u;
    double distance[DEW_TILE_SIZE(1)];
} Tiles;

static void load_tiles(const Ghosts *s, int32_t brick, Tiles *t)
{
    dew_sample_tile_load(&t->u, s->grid, s->from, NULL, brick, DEW_SAMPLE_PAD);
    dew_tile_load(s->grid, s->def->solid, brick, 1, t->distance);
    for (int i = 0; i < (s->grid->depth == 1 ? 3 : DEW_BRICK + 2) * ROW * ROW; i++)
        t->distance[i] /= s->grid->cell_m;
}

DEW_BODY double wall_velocity(const Ghosts *s, int axis, int64_t at)
{
    return s->def->wall_u[axis] ? s->def->wall_u[axis][at] : 0;
}

// dew_sample_linear, several rows at once where they are all on the tile.
DEW_BODY double component(const dew_SampleTile *t, int axis, dew_Vec3 x)
{
    const int row = DEW_BRICK + 2 * DEW_SAMPLE_PAD, layer = row * row;
    const double lo = -DEW_SAMPLE_PAD, hi = DEW_BRICK + DEW_SAMPLE_PAD - 1;
    const double p[3] = {axis == 0 ? x.x : x.x - 0.5, axis == 1 ? x.y : x.y - 0.5,
                         axis == 2 ? x.z : x.z - 0.5};
    bool is_on_tile = p[0] >= lo && p[0] < hi && p[1] >= lo && p[1] < hi && p[2] >= lo && p[2] < hi;
    if (t->dimensions == 2 || !is_on_tile)
        return dew_sample_linear(t, axis, x);
    int i = dew_face_floor(p[0]), j = dew_face_floor(p[1]), k = dew_face_floor(p[2]);
    double fx = p[0] - i, fy = p[1] - j, fz = p[2] - k;
    const double *c = t->u[axis] + dew_tile_at(DEW_SAMPLE_PAD, i, j, k);
    dew_Four low = {c[0], c[row], c[layer], c[layer + row]};
    dew_Four high = {c[1], c[row + 1], c[layer + 1], c[layer + row + 1]};
    low += fx * (high - low);
    double a = low[0] + fy * (low[1] - low[0]), b = low[2] + fy * (low[3] - low[2]);
    return a + fz * (b - a);
}

// The ghost value of a face at depth g cells, at x, with n out of the solid. The wall moves at w; what it lets
// slip is in cells.
DEW_BODY double ghost_value(const dew_SampleTile *t, int axis, dew_Vec3 x, double g, dew_Vec3 n,
                            dew_Vec3 w, double slip)
{
    double d = g > 1 ? g : 1;  // where samples on both sides are fluid
    dew_Vec3 p = dew_add_scaled(x, g + d, n);
    dew_Vec3 v = {component(t, 0, p), component(t, 1, p),
                  t->dimensions == 3 ? component(t, 2, p) : 0};
    v = dew_sub(v, w);
    double normal = dew_inner(v, n);
    double tangential_factor = isinf(slip) ? 1 : (slip - g) / (slip + d);
    dew_Vec3 tangential = dew_add_scaled(v, -normal, n);
    dew_Vec3 ghost = dew_combine(-g / d * normal, n, tangential_factor, tangential);
    ghost = dew_add(ghost, w);
    return axis == 0 ? ghost.x : axis == 1 ? ghost.y : ghost.z;
}

// Distance to solids at a lower face, in cells: the mean of its two cells; and its gradient. c: the upper one.
DEW_BODY double distance_at_face(const Tiles *t, int axis, int c, dew_Vec3 *gradient)
{
    const int step[3] = {1, ROW, ROW * ROW};
    const double *up = t->distance + c, *low = up - step[axis];
    double g[3] = {0};
    for (int b = 0; b < (t->u.dimensions == 2 ? 2 : 3); b++)
        g[b] = b == axis ? *up - *low
                         : 0.25 * ((up[step[b]] - up[-step[b]]) + (low[step[b]] - low[-step[b]]));
    *gradient = dew_vec(g[0], g[1], g[2]);
    return 0.5 * (*up + *low);
}

DEW_BODY void fill_brick(const Ghosts *s, int32_t brick, Tiles *t)
{
    double depth = s->def->depth_m / s->grid->cell_m;
    bool is_loaded = false;
    for (int i = 0; i < s->grid->brick_cells; i++) {
        int64_t at = (int64_t)brick * s->grid->brick_cells + i;
        double h = s->grid->cell_m, near = s->def->solid[at] / h;
        if (near > 1 || near < -depth - 1)
            continue;
        if (!is_loaded)
            load_tiles(s, brick, t);
        is_loaded = true;
        for (int a = 0; a < dew_grid_axes(s->grid); a++) {
            dew_Vec3 n, x = dew_add(dew_vec(i & 7, i >> 3 & 7, i >> 6),
                                    dew_place_offset((dew_Place)(DEW_AT_FACE_X + a)));
            int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
            double d = distance_at_face(t, a, c, &n);
            if (d >= 0 || d < -depth)
                continue;
            dew_Vec3 w = {wall_velocity(s, 0, at), wall_velocity(s, 1, at), 0};
            w.z = s->grid->dimensions == 3 ? wall_velocity(s, 2, at) : 0;
            double slip = (s->def->slip ? s->def->slip[at] : s->def->slip_m) / h;
            s->u[a][at] = ghost_value(&t->u, a, x, -d, dew_normalize(n), w, slip);
        }
    }
}

DEW_BODY dew_Status fill_chunk_body(void *context, int64_t begin, int64_t end)
{
    Tiles tiles;
    for (int32_t b = (int32_t)begin; b < end; b++)
        fill_brick(context, b, &tiles);
    return dew_ok();
}
DEW_WIDE_CHUNK(fill_chunk)

dew_Status dew_velocity_fill_solids(const dew_Grid *grid, double *const u[3],
                                    const dew_GhostDef *def, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t values = dew_grid_value_count(grid);
    Ghosts s = {.grid = grid, .def = def, .u = u};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        double *copy = dew_arena_raw_array(scratch, double, values);
        if (!copy) {
            dew_arena_rewind(scratch, mark);
            return dew_no_memory((size_t)values * sizeof(double));
        }
        memcpy(copy, u[a], (size_t)values * sizeof(double));
        s.from[a] = copy;
    }
    dew_Status status = dew_grid_for(grid, fill_chunk, &s);
    dew_arena_rewind(scratch, mark);
    return status;
}

dew_Vec3 dew_velocity_at(const dew_Grid *grid, const double *const u[3], int32_t brick,
                         dew_Vec3 x_m)
{
    const int32_t *c = dew_grid_coord(grid, brick);
    dew_Vec3 x = dew_scale(1 / grid->cell_m, dew_sub(x_m, grid->origin_m));
    double p[3] = {x.x - 8 * c[0], x.y - 8 * c[1], x.z - grid->depth * c[2]}, result[3] = {0};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        dew_Vec3 o = dew_place_offset((dew_Place)(DEW_AT_FACE_X + a));
        double q[3] = {p[0] - o.x, p[1] - o.y, grid->dimensions == 3 ? p[2] - o.z : 0};
        double sum = 0, weights = 0;
        for (int n = 0; n < 8; n++) {
            double w = 1;
            int32_t cell[3];
            for (int b = 0; b < 3; b++) {
                double below = floor(q[b]), f = q[b] - below;
                w *= n >> b & 1 ? f : 1 - f;
                cell[b] = (int32_t)below + (n >> b & 1) + (b < 2 ? 8 : grid->depth) * c[b];
            }
            int64_t at = w > 0 ? dew_grid_cell(grid, cell) : DEW_INVALID;
            sum += at >= 0 ? w * u[a][at] : 0;
            weights += at >= 0 ? w : 0;
        }
        result[a] = weights > 0 ? sum / weights : 0;
    }
    return dew_vec(result[0], result[1], result[2]);
}
