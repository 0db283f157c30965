// Interpolation on tiles; points beyond the tile look values up one by one, the same formula.
#include "grid/velocity_sample.h"

#include <math.h>
#include <string.h>

// One layer of a tile in two dimensions (a whole tile would hold nine equal ones).
static void load_flat(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                      double *tile)
{
    for (int j = -pad; j < DEW_BRICK + pad; j++)
        for (int i = -pad; i < DEW_BRICK + pad; i++) {
            int64_t at = dew_grid_near(grid, brick, i, j, 0);
            int in_i = i < 0 ? 0 : i > 7 ? 7 : i, in_j = j < 0 ? 0 : j > 7 ? 7 : j;
            at = at >= 0 ? at : dew_grid_near(grid, brick, in_i, j, 0);
            at = at >= 0 ? at : dew_grid_near(grid, brick, i, in_j, 0);
            at = at >= 0 ? at : dew_grid_near(grid, brick, in_i, in_j, 0);
            tile[dew_tile_at(pad, i, j, 0)] = field[at];
        }
}

static void load(const dew_Grid *grid, const double *field, int32_t brick, int pad, double *tile)
{
    if (grid->dimensions == 3)
        dew_tile_load(grid, field, brick, pad, tile);
    else
        load_flat(grid, field, brick, pad, tile);
}

// The distance in cells; is_clear tells whether it is positive everywhere.
static void load_distance(dew_SampleTile *tile)
{
    const dew_Grid *grid = tile->grid;
    int layer = tile->row * tile->row, layers = grid->dimensions == 3 ? tile->row : 1;
    double *distance = tile->distance + (layers > 1 ? 0 : tile->pad * layer), least = HUGE_VAL;
    load(grid, tile->solid, tile->brick, tile->pad, tile->distance);
    for (int i = 0; i < layers * layer; i++) {
        distance[i] /= grid->cell_m;
        least = distance[i] < least ? distance[i] : least;
    }
    tile->is_clear = least > 0;
}

void dew_sample_tile_load(dew_SampleTile *tile, const dew_Grid *grid, const double *const u[3],
                          const double *solid, int32_t brick, int pad)
{
    tile->grid = grid;
    tile->field = u;
    tile->solid = solid;
    tile->brick = brick;
    tile->dimensions = grid->dimensions;
    tile->pad = pad;
    tile->row = DEW_BRICK + 2 * pad;
    tile->is_clear = true;
    for (int a = 0; a < grid->dimensions; a++)
        load(grid, u[a], brick, pad, tile->u[a]);
    if (solid)
        load_distance(tile);
}

// A value of a field beyond the tile, in cells of the brick; the nearest there is on the way back to it.
static double far_value(const dew_SampleTile *t, const double *field, int i, int j, int k)
{
    const int32_t *c = dew_grid_coord(t->grid, t->brick);
    for (int n = 0; n < 64; n++) {
        int32_t cell[3] = {8 * c[0] + i, 8 * c[1] + j, t->grid->depth * c[2] + k};
        int64_t at = dew_grid_cell(t->grid, cell);
        if (at >= 0)
            return field[at];
        i = i / 2;
        j = j / 2;
        k = k / 2;
    }
    return field[(int64_t)t->brick * t->grid->brick_cells];
}

// A point between samples: the sample below it and how far beyond, in each axis.
typedef struct Between {
    int at[3];
    double f[3];
    bool is_in_tile;  // with `reach` samples around
} Between;

// Largest integer not above x, for |x| below 2^31 (floor() is a call on plain x86-64).
static inline int round_down(double x)
{
    int i = (int)x;
    return i - (x < i);
}

static inline Between between(const dew_SampleTile *t, dew_Vec3 x, dew_Vec3 offset, int reach)
{
    double p[3] = {x.x - offset.x, x.y - offset.y, x.z - offset.z};
    Between b = {.is_in_tile = true};
    const int axes = t->dimensions == 2 ? 2 : 3;
    for (int a = 0; a < axes; a++) {
        double bounded = p[a] > -1e6 ? p[a] < 1e6 ? p[a] : 1e6 : -1e6;  // NaN too
        b.at[a] = round_down(bounded);
        b.f[a] = bounded - b.at[a];
        b.is_in_tile &= b.at[a] - reach + 1 >= -t->pad && b.at[a] + reach < DEW_BRICK + t->pad;
    }
    return b;
}

static inline double mix(double a, double b, double f)
{
    return a + f * (b - a);
}

// A bilinear value within a layer.
static inline double linear_layer(const double *c, int row, const Between *b)
{
    return mix(mix(c[0], c[1], b->f[0]), mix(c[row], c[row + 1], b->f[0]), b->f[1]);
}

// The samples around a point beyond the tile, as a small tile of their own.
static double linear_far(const dew_SampleTile *t, const double *field, const Between *b)
{
    double layer[2] = {0, 0};
    for (int k = 0; k < t->dimensions - 1; k++) {
        double c[4];
        for (int n = 0; n < 4; n++)
            c[n] = far_value(t, field, b->at[0] + (n & 1), b->at[1] + (n >> 1), b->at[2] + k);
        layer[k] = linear_layer(c, 2, b);
    }
    return mix(layer[0], layer[1], b->f[2]);
}

static inline double linear(const dew_SampleTile *t, const double *tile, const double *field,
                            double unit, dew_Vec3 x, dew_Vec3 offset)
{
    Between b = between(t, x, offset, 1);
    if (!b.is_in_tile)
        return unit * linear_far(t, field, &b);
    const double *c = tile + dew_tile_at(t->pad, b.at[0], b.at[1], b.at[2]);
    double low = linear_layer(c, t->row, &b);
    if (t->dimensions < 3)
        return low;
    return mix(low, linear_layer(c + t->row * t->row, t->row, &b), b.f[2]);
}

static dew_Vec3 face_offset(int axis)
{
    return dew_place_offset((dew_Place)(DEW_AT_FACE_X + axis));
}

double dew_sample_linear(const dew_SampleTile *tile, int axis, dew_Vec3 x)
{
    return linear(tile, tile->u[axis], tile->field[axis], 1, x, face_offset(axis));
}

dew_Vec3 dew_sample_velocity(const dew_SampleTile *tile, dew_Vec3 x)
{
    return dew_vec(dew_sample_linear(tile, 0, x), dew_sample_linear(tile, 1, x),
                   tile->dimensions == 3 ? dew_sample_linear(tile, 2, x) : 0);
}

// Weights of Lagrange's polynomial through -1, 0, 1, 2 at f in [0, 1].
static inline void cubic_weights(double f, double w[4])
{
    w[0] = -f * (f - 1) * (f - 2) / 6;
    w[1] = (f + 1) * (f - 1) * (f - 2) / 2;
    w[2] = -(f + 1) * f * (f - 2) / 2;
    w[3] = (f + 1) * f * (f - 1) / 6;
}

// Sixteen (2-D) or sixty-four samples around a point, [k][j][i] from one below the point's cell.
static void collect(const dew_SampleTile *t, int axis, const Between *b, int layers, double *v)
{
    int low_k = layers > 1 ? b->at[2] - 1 : 0;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < 4; j++) {
            double *row = v + 16 * k + 4 * j;
            if (b->is_in_tile) {
                const double *c =
                    t->u[axis] + dew_tile_at(t->pad, b->at[0] - 1, b->at[1] - 1 + j, low_k + k);
                memcpy(row, c, 4 * sizeof(double));
            } else {
                for (int i = 0; i < 4; i++)
                    row[i] =
                        far_value(t, t->field[axis], b->at[0] - 1 + i, b->at[1] - 1 + j, low_k + k);
            }
        }
}

double dew_sample_cubic(const dew_SampleTile *tile, int axis, dew_Vec3 x)
{
    Between b = between(tile, x, face_offset(axis), 2);
    int layers = tile->dimensions == 3 ? 4 : 1;
    double v[64], wx[4], wy[4], wz[4] = {1, 0, 0, 0}, sum = 0;
    double low = HUGE_VAL, high = -HUGE_VAL;
    collect(tile, axis, &b, layers, v);
    cubic_weights(b.f[0], wx);
    cubic_weights(b.f[1], wy);
    if (layers > 1)
        cubic_weights(b.f[2], wz);
    for (int k = 0; k < layers; k++) {
        double layer = 0;
        for (int j = 0; j < 4; j++) {
            const double *r = v + 16 * k + 4 * j;
            layer += wy[j] * (wx[0] * r[0] + wx[1] * r[1] + wx[2] * r[2] + wx[3] * r[3]);
            bool is_next = (j == 1 || j == 2) && (layers == 1 || k == 1 || k == 2);
            low = is_next ? fmin(low, fmin(r[1], r[2])) : low;
            high = is_next ? fmax(high, fmax(r[1], r[2])) : high;
        }
        sum += wz[k] * layer;
    }
    return sum < low ? low : sum > high ? high : sum;
}

dew_Vec3 dew_sample_velocity_cubic(const dew_SampleTile *tile, dew_Vec3 x)
{
    return dew_vec(dew_sample_cubic(tile, 0, x), dew_sample_cubic(tile, 1, x),
                   tile->dimensions == 3 ? dew_sample_cubic(tile, 2, x) : 0);
}

static double distance(const dew_SampleTile *tile, dew_Vec3 x)
{
    double unit = 1 / tile->grid->cell_m;
    return linear(tile, tile->distance, tile->solid, unit, x, dew_place_offset(DEW_AT_CELL));
}

dew_Vec3 dew_sample_outside(const dew_SampleTile *tile, dew_Vec3 x)
{
    double d = distance(tile, x), g[3] = {0};
    if (d >= 0)
        return x;
    for (int a = 0; a < tile->dimensions; a++) {
        dew_Vec3 e = {a == 0 ? 0.5 : 0, a == 1 ? 0.5 : 0, a == 2 ? 0.5 : 0};
        g[a] = distance(tile, dew_add(x, e)) - distance(tile, dew_sub(x, e));
    }
    return dew_add_scaled(x, -d, dew_normalize(dew_vec(g[0], g[1], g[2])));
}
