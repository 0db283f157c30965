// Tiles: a brick's values with some cells around it, copied from its neighbours.
//
// Rows are copied in three pieces: from the brick on the left, the row itself, from the right. One body
// serves all types and widths; each is compiled with its sizes known, so that a copy is a few moves.
#include "base/status.h"
#include "grid/brick.h"
#include "grid/wide.h"

#include <string.h>

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

INLINE_BODY int within(int i, int size)
{
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

// What a brick that is not there leaves of row (j, k) as seen from the brick: the missing value, or the nearest.
static void copy_rest(const Source *source, int i, int j, int k, int count, size_t size,
                      const void *missing, char *to)
{
    if (!source->values) {
        DEW_ASSERT(missing);
        for (int n = 0; n < count; n++)
            memcpy(to + (size_t)n * size, missing, size);
        return;
    }
    int row_j = source->dropped & 2 ? within(j, DEW_BRICK) : j & 7;
    int row_k = source->dropped & 4 ? within(k, DEW_BRICK) : k & 7;
    const char *row = source->values + (size_t)(8 * (row_j + 8 * row_k)) * size;
    if (source->dropped & 1) {
        const char *border = row + (size_t)within(i, DEW_BRICK) * size;
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

// ---- From double to float ------------------------------------------------------------------------

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

// ---- Along the axes only -------------------------------------------------------------------------

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
