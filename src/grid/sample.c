// Values of fields: tiles of a brick and its surroundings, and interpolation between samples.
//
// Trilinear interpolation anywhere: the brick is looked up, then its neighbours' table is used.

#include "grid/sample.h"

#include "base/simd.h"
#include "base/status.h"
#include "grid/brick.h"

#include <math.h>
#include <string.h>

static int32_t cell_of(double x)
{
    if (!(fabs(x) < 1e9))  // NaN too
        return x > 0 ? 1000000000 : -1000000000;
    int32_t cell = (int32_t)x;
    return cell - (x < cell);
}

void dew_grid_brick_coord(const dew_Grid *grid, dew_Vec3 p, int32_t coord[3])
{
    double r = 1 / grid->cell_m;
    coord[0] = cell_of((p.x - grid->origin_m.x) * r) >> 3;
    coord[1] = cell_of((p.y - grid->origin_m.y) * r) >> 3;
    coord[2] = grid->depth == 1 ? 0 : cell_of((p.z - grid->origin_m.z) * r) >> 3;
}

int32_t dew_grid_brick_at(const dew_Grid *grid, dew_Vec3 p)
{
    int32_t coord[3];
    dew_grid_brick_coord(grid, p, coord);
    return dew_grid_find(grid, coord);
}

static inline int clamped(int i, int size)
{
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

// Sample (i, j, k) of a brick, each in [-1, 8], the nearest in the brick when that is missing.
static double value_near(const dew_Grid *grid, const double *field, int32_t brick, int i, int j,
                         int k)
{
    int64_t at = dew_grid_near(grid, brick, i, j, k);
    if (at < 0)
        at = dew_grid_near(grid, brick, clamped(i, DEW_BRICK), clamped(j, DEW_BRICK),
                           clamped(k, DEW_BRICK));
    return field[at];
}

static double sample_in(const dew_Grid *grid, const double *field, dew_Place place, int32_t brick,
                        dew_Vec3 p)
{
    dew_Vec3 o = dew_place_offset(place);
    const int32_t *c = dew_grid_coord(grid, brick);
    double r = 1 / grid->cell_m;
    double x[3] = {(p.x - grid->origin_m.x) * r - o.x - 8 * c[0],
                   (p.y - grid->origin_m.y) * r - o.y - 8 * c[1],
                   grid->depth == 1 ? 0 : (p.z - grid->origin_m.z) * r - o.z - 8 * c[2]};
    int i[3];
    for (int a = 0; a < 3; a++) {
        i[a] = (int)floor(x[a]);
        x[a] -= i[a];
    }
    double layer[2] = {0, 0};
    for (int k = 0; k < (grid->depth == 1 ? 1 : 2); k++) {
        double row[2];
        for (int j = 0; j < 2; j++)
            row[j] = (1 - x[0]) * value_near(grid, field, brick, i[0], i[1] + j, i[2] + k) +
                     x[0] * value_near(grid, field, brick, i[0] + 1, i[1] + j, i[2] + k);
        layer[k] = (1 - x[1]) * row[0] + x[1] * row[1];
    }
    return (1 - x[2]) * layer[0] + x[2] * layer[1];
}

bool dew_grid_sample(const dew_Grid *grid, const double *field, dew_Place place, dew_Vec3 p,
                     double *value)
{
    int32_t brick = dew_grid_brick_at(grid, p);
    *value = brick < 0 || brick >= grid->brick_count ? 0 : sample_in(grid, field, place, brick, p);
    return brick >= 0 && brick < grid->brick_count;
}

bool dew_grid_sample_velocity(const dew_Grid *grid, const double *const u[3], dew_Vec3 p,
                              dew_Vec3 *velocity)
{
    *velocity = dew_vec(0, 0, 0);
    int32_t brick = dew_grid_brick_at(grid, p);
    if (brick < 0 || brick >= grid->brick_count)
        return false;
    velocity->x = sample_in(grid, u[0], DEW_AT_FACE_X, brick, p);
    velocity->y = sample_in(grid, u[1], DEW_AT_FACE_Y, brick, p);
    if (grid->dimensions == 3)
        velocity->z = sample_in(grid, u[2], DEW_AT_FACE_Z, brick, p);
    return true;
}

// ---- cubic interpolation ------------------------------------------------------------------------

// Gathers the samples of tricubic interpolation through the table of neighbours.

// The bricks that samples from..from + 3 of an axis lie in, as steps along the axis from the first
// one, and the cells in them.
typedef struct Span {
    int first, count;  // -1, 0, 1; one brick or two
    int which[4], cell[4];
} Span;

static Span span_of(int from)
{
    Span span = {.first = from >> 3, .count = (from & 7) > 4 ? 2 : 1};
    for (int n = 0; n < 4; n++) {
        span.which[n] = ((from + n) >> 3) - span.first;
        span.cell[n] = (from + n) & 7;
    }
    return span;
}

// Rows that lie across two bricks: from cell `from` on, which is 5, 6 or 7, of the left one.
static void gather_split(const double *const (*rows)[2], int count, int from, dew_Four *to)
{
    for (int n = 0; n < count; n++) {
        const double *l = rows[n][0], *r = rows[n][1];
        if (from == 5)
            to[n] = (dew_Four){l[5], l[6], l[7], r[0]};
        else if (from == 6)
            to[n] = (dew_Four){l[6], l[7], r[0], r[1]};
        else
            to[n] = (dew_Four){l[7], r[0], r[1], r[2]};
    }
}

bool dew_cubic_gather(const dew_Grid *grid, const double *field, int32_t brick, const int base[3],
                      dew_CubicCell *cell)
{
    const int32_t *near = dew_grid_neighbours(grid, brick);
    bool is_flat = grid->depth == 1;
    cell->is_flat = is_flat;
    memcpy(cell->base, base, sizeof cell->base);
    for (int a = 0; a < (is_flat ? 2 : 3); a++)
        if (base[a] - 1 < -DEW_BRICK || base[a] + 2 >= 2 * DEW_BRICK)
            return false;
    Span x = span_of(base[0] - 1), y = span_of(base[1] - 1), z = span_of(is_flat ? 0 : base[2] - 1);
    z.count = is_flat ? 1 : z.count;
    const double *values[2][2][2] = {0};
    for (int k = 0; k < z.count; k++)
        for (int j = 0; j < y.count; j++)
            for (int i = 0; i < x.count; i++) {
                int32_t b = near[13 + x.first + i + 3 * (y.first + j) + 9 * (z.first + k)];
                if (b < 0)
                    return false;
                values[k][j][i] = field + (int64_t)b * grid->brick_cells;
            }
    const double *rows[16][2];
    int layers = is_flat ? 1 : 4;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < 4; j++) {
            int at = 8 * (y.cell[j] + 8 * z.cell[k]);
            const double *const *pair = values[z.which[k]][y.which[j]];
            if (x.count == 1) {
                memcpy(&cell->row[k][j], pair[0] + at + x.cell[0], sizeof(dew_Four));
            } else {
                rows[4 * k + j][0] = pair[0] + at;
                rows[4 * k + j][1] = pair[1] + at;
            }
        }
    if (x.count == 2)
        gather_split((const double *const(*)[2])rows, 4 * layers, x.cell[0], cell->row[0]);
    return true;
}

// ---- velocities at many points ------------------------------------------------------------------

// Interpolation on tiles; points beyond the tile look values up one by one, the same formula.

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

// The distance in cells; is_clear says whether it is positive everywhere.
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

// A value of a field beyond the tile, in cells of the brick; the nearest there is on the way back
// to it.
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

// ---- Tiles --------------------------------------------------------------------------------------

// Tiles: a brick's values with some cells around it, copied from its neighbours.
//
// Rows are copied in three pieces: from the brick on the left, the row itself, from the right. One
// body serves all types and widths; each is compiled with its sizes known, so that a copy is a few
// moves.

#define INLINE_BODY static inline __attribute__((always_inline))

// Where the values on one side come from.
typedef struct Source {
    const char *values;  // of the brick; NULL: the missing value
    int dropped;         // bit a: along axis a there was nothing, stay at the border
} Source;

// Which axes to give up, in the order they are tried: none, one, two, all.
static const int drops[8] = {0, 1, 2, 4, 3, 5, 6, 7};

// The nearest brick that is there on side d, giving up axes where there is none.
static Source find_source(const dew_Grid *grid, const char *field, size_t brick_size,
                          const int32_t *near, const int d[3], const void *missing)
{
    int used = (d[0] != 0) | (d[1] != 0) << 1 | (d[2] != 0) << 2;
    for (int t = 0; t < 8; t++) {
        int drop = drops[t];
        if (drop & ~used)
            continue;
        int dx = drop & 1 ? 0 : d[0], dy = drop & 2 ? 0 : d[1], dz = drop & 4 ? 0 : d[2];
        int32_t b = near[13 + dx + 3 * dy + 9 * dz];
        if (b >= 0)
            return (Source){field + (size_t)b * brick_size, drop};
        if (missing)
            break;
    }
    (void)grid;
    return (Source){NULL, 0};
}

// What a brick that is not there leaves of row (j, k) as seen from the brick: the missing value, or
// the nearest.
static void copy_rest(const Source *source, int i, int j, int k, int count, size_t size,
                      const void *missing, char *to)
{
    if (!source->values) {
        DEW_ASSERT(missing);
        for (int n = 0; n < count; n++)
            memcpy(to + (size_t)n * size, missing, size);
        return;
    }
    int row_j = source->dropped & 2 ? clamped(j, DEW_BRICK) : j & 7;
    int row_k = source->dropped & 4 ? clamped(k, DEW_BRICK) : k & 7;
    const char *row = source->values + (size_t)(8 * (row_j + 8 * row_k)) * size;
    if (source->dropped & 1) {
        const char *border = row + (size_t)clamped(i, DEW_BRICK) * size;
        for (int n = 0; n < count; n++)
            memcpy(to + (size_t)n * size, border, size);
    } else {
        memcpy(to, row + (size_t)(i & 7) * size, (size_t)count * size);
    }
}

// Up to `count` values of row (j, k) as seen from the brick, from column i on.
INLINE_BODY void copy_row(const Source *source, int i, int j, int k, int count, size_t size,
                          const void *missing, char *to)
{
    if (__builtin_expect(source->values && source->dropped == 0, 1))
        memcpy(to, source->values + (size_t)(8 * ((j & 7) + 8 * (k & 7)) + (i & 7)) * size,
               (size_t)count * size);
    else
        copy_rest(source, i, j, k, count, size, missing, to);
}

INLINE_BODY int side(int i, int size)
{
    return i < 0 ? -1 : i >= size ? 1 : 0;
}

// Are all three bricks of a row there? The usual case, which then is copied without asking.
INLINE_BODY bool is_plain(const Source row[3])
{
    return row[0].values && row[1].values && row[2].values &&
           (row[0].dropped | row[1].dropped | row[2].dropped) == 0;
}

INLINE_BODY void copy_plain(const Source row[3], int j, int k, int pad, size_t size, char *to)
{
    size_t at = (size_t)(8 * ((j & 7) + 8 * (k & 7))) * size, end = (size_t)pad * size;
    memcpy(to, row[0].values + at + 8 * size - end, end);
    memcpy(to + end, row[1].values + at, 8 * size);
    memcpy(to + end + 8 * size, row[2].values + at, end);
}

// Loads layer k (as seen from the brick) of the tile; sources of its z side, by [dy + 1][dx + 1].
INLINE_BODY void load_layer(Source (*sources)[3], int k, int pad, size_t size, const void *missing,
                            char *to)
{
    const size_t n = (size_t)(DEW_BRICK + 2 * pad);
    bool are_plain[3] = {is_plain(sources[0]), is_plain(sources[1]), is_plain(sources[2])};
    for (int j = -pad; j < DEW_BRICK + pad; j++, to += n * size) {
        const Source *row = sources[side(j, DEW_BRICK) + 1];
        if (are_plain[side(j, DEW_BRICK) + 1]) {
            copy_plain(row, j, k, pad, size, to);
            continue;
        }
        copy_row(&row[0], -pad, j, k, pad, size, missing, to);
        copy_row(&row[1], 0, j, k, DEW_BRICK, size, missing, to + (size_t)pad * size);
        copy_row(&row[2], DEW_BRICK, j, k, pad, size, missing, to + (size_t)(pad + 8) * size);
    }
}

// Of all 27 sides, by [dz + 1][dy + 1][dx + 1].
static void find_sources(const dew_Grid *grid, const char *field, size_t size, int32_t brick,
                         const void *missing, Source sources[3][3][3])
{
    const int32_t *near = dew_grid_neighbours(grid, brick);
    size_t brick_size = size * (size_t)grid->brick_cells;
    for (int s = 0; s < 27; s++) {
        int d[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
        sources[s / 9][s / 3 % 3][s % 3] =
            near[s] >= 0 ? (Source){field + (size_t)near[s] * brick_size, 0}
                         : find_source(grid, field, brick_size, near, d, missing);
    }
}

INLINE_BODY void load_body(const dew_Grid *grid, const char *field, int32_t brick, int pad,
                           size_t size, const void *missing, char *tile)
{
    const size_t layer = (size_t)((DEW_BRICK + 2 * pad) * (DEW_BRICK + 2 * pad)) * size;
    Source sources[3][3][3];
    find_sources(grid, field, size, brick, missing, sources);
    if (grid->depth == 1) {
        load_layer(sources[1], 0, pad, size, missing, tile);
        for (int k = 1; k < 1 + 2 * pad; k++)
            memcpy(tile + (size_t)k * layer, tile, layer);
        return;
    }
    for (int k = -pad; k < DEW_BRICK + pad; k++)
        load_layer(sources[side(k, DEW_BRICK) + 1], k, pad, size, missing,
                   tile + (size_t)(k + pad) * layer);
}

// The widths as constants.
INLINE_BODY void load_any(const dew_Grid *grid, const void *field, int32_t brick, int pad,
                          size_t size, const void *missing, void *tile)
{
    if (pad == 1)
        load_body(grid, field, brick, 1, size, missing, tile);
    else if (pad == 2)
        load_body(grid, field, brick, 2, size, missing, tile);
    else if (pad == 3)
        load_body(grid, field, brick, 3, size, missing, tile);
    else
        load_body(grid, field, brick, 4, size, missing, tile);
}

DEW_WIDE static void load_wide(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                               double *tile)
{
    load_any(grid, field, brick, pad, sizeof *tile, NULL, tile);
}

void dew_tile_load(const dew_Grid *grid, const double *field, int32_t brick, int pad, double *tile)
{
    if (dew_is_wide())
        load_wide(grid, field, brick, pad, tile);
    else
        load_any(grid, field, brick, pad, sizeof *tile, NULL, tile);
}

void dew_tile_load_or(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                      double missing, double *tile)
{
    load_any(grid, field, brick, pad, sizeof *tile, &missing, tile);
}

void dew_tile_load_f32(const dew_Grid *grid, const float *field, int32_t brick, int pad,
                       float *tile)
{
    load_any(grid, field, brick, pad, sizeof *tile, NULL, tile);
}

void dew_tile_load_f32_or(const dew_Grid *grid, const float *field, int32_t brick, int pad,
                          float missing, float *tile)
{
    load_any(grid, field, brick, pad, sizeof *tile, &missing, tile);
}

void dew_tile_load_u8(const dew_Grid *grid, const uint8_t *field, int32_t brick, int pad,
                      uint8_t missing, uint8_t *tile)
{
    load_any(grid, field, brick, pad, sizeof *tile, &missing, tile);
}

// ---- From double to float -----------------------------------------------------------------------

INLINE_BODY void narrow(const double *from, int count, float *to)
{
    for (int n = 0; n < count; n++)
        to[n] = (float)from[n];
}

INLINE_BODY void narrow_layer(Source (*sources)[3], int k, int pad, float *to)
{
    const int n = DEW_BRICK + 2 * pad;
    bool are_plain[3] = {is_plain(sources[0]), is_plain(sources[1]), is_plain(sources[2])};
    for (int j = -pad; j < DEW_BRICK + pad; j++, to += n) {
        const Source *row = sources[side(j, DEW_BRICK) + 1];
        if (are_plain[side(j, DEW_BRICK) + 1]) {
            int at = 8 * ((j & 7) + 8 * (k & 7));
            narrow((const double *)(const void *)row[0].values + at + 8 - pad, pad, to);
            narrow((const double *)(const void *)row[1].values + at, DEW_BRICK, to + pad);
            narrow((const double *)(const void *)row[2].values + at, pad, to + pad + 8);
            continue;
        }
        double wide[DEW_BRICK + 8],
            unused = 0;  // every source has values: the nearest, where a brick is missing
        copy_row(&row[0], -pad, j, k, pad, 8, &unused, (char *)wide);
        copy_row(&row[1], 0, j, k, DEW_BRICK, 8, &unused, (char *)(wide + pad));
        copy_row(&row[2], DEW_BRICK, j, k, pad, 8, &unused, (char *)(wide + pad + 8));
        narrow(wide, n, to);
    }
}

INLINE_BODY void narrow_body(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                             float *tile)
{
    const int layer = (DEW_BRICK + 2 * pad) * (DEW_BRICK + 2 * pad);
    Source sources[3][3][3];
    find_sources(grid, (const char *)field, sizeof *field, brick, NULL, sources);
    if (grid->depth == 1) {
        narrow_layer(sources[1], 0, pad, tile);
        for (int k = 1; k < 1 + 2 * pad; k++)
            memcpy(tile + k * layer, tile, (size_t)layer * sizeof *tile);
        return;
    }
    for (int k = -pad; k < DEW_BRICK + pad; k++)
        narrow_layer(sources[side(k, DEW_BRICK) + 1], k, pad, tile + (k + pad) * layer);
}

DEW_WIDE static void narrow_wide(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                                 float *tile)
{
    if (pad == 1)
        narrow_body(grid, field, brick, 1, tile);
    else if (pad == 2)
        narrow_body(grid, field, brick, 2, tile);
    else
        narrow_body(grid, field, brick, pad, tile);
}

void dew_tile_load_narrow(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                          float *tile)
{
    DEW_ASSERT(pad <= 4);
    if (dew_is_wide())
        narrow_wide(grid, field, brick, pad, tile);
    else
        narrow_body(grid, field, brick, pad, tile);
}

// ---- Along the axes only ------------------------------------------------------------------------

// Rows of a layer that lies above or below the brick, or in it with its left and right ends.
INLINE_BODY void cross_layer(const Source *left, const Source *middle, const Source *right, int k,
                             int pad, double *layer)
{
    const int n = DEW_BRICK + 2 * pad;
    for (int j = 0; j < DEW_BRICK; j++) {
        char *row = (char *)(layer + n * (j + pad));
        if (left)
            copy_row(left, -pad, j, k, pad, 8, NULL, row);
        copy_row(middle, 0, j, k, DEW_BRICK, 8, NULL, row + 8 * pad);
        if (right)
            copy_row(right, DEW_BRICK, j, k, pad, 8, NULL, row + 8 * (pad + 8));
    }
}

INLINE_BODY void cross_body(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                            double *tile)
{
    static const int d[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    const int n = DEW_BRICK + 2 * pad, layer = n * n;
    const int32_t *near = dew_grid_neighbours(grid, brick);
    size_t brick_size = sizeof(double) * (size_t)grid->brick_cells;
    Source own = {(const char *)field + (size_t)brick * brick_size, 0}, s[6];
    for (int f = 0; f < 6; f++)
        s[f] = find_source(grid, (const char *)field, brick_size, near, d[f], NULL);
    const Source along[3] = {s[0], own, s[1]};
    bool are_plain = is_plain(along);
    for (int k = 0; k < grid->depth; k++) {
        double *at = tile + layer * (k + pad);
        for (int j = 0; are_plain && j < DEW_BRICK; j++)
            copy_plain(along, j, k, pad, 8, (char *)(at + n * (j + pad)));
        if (!are_plain)
            cross_layer(&s[0], &own, &s[1], k, pad, at);
        for (int p = 0; p < pad; p++) {
            copy_row(&s[2], 0, p - pad, k, DEW_BRICK, 8, NULL, (char *)(at + n * p + pad));
            copy_row(&s[3], 0, 8 + p, k, DEW_BRICK, 8, NULL,
                     (char *)(at + n * (p + pad + 8) + pad));
        }
    }
    bool is_flat = grid->depth == 1;
    for (int p = 0; p < pad; p++) {
        cross_layer(NULL, is_flat ? &own : &s[4], NULL, is_flat ? 0 : p - pad, pad,
                    tile + layer * p);
        cross_layer(NULL, is_flat ? &own : &s[5], NULL, is_flat ? 0 : 8 + p, pad,
                    tile + layer * (p + pad + grid->depth));
    }
}

void dew_tile_load_cross(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                         double *tile)
{
    if (pad == 3)
        cross_body(grid, field, brick, 3, tile);
    else if (pad == 1)
        cross_body(grid, field, brick, 1, tile);
    else
        cross_body(grid, field, brick, pad, tile);
}
