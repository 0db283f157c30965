/// Sparse grid: bricks of 8 x 8 x 8 cells where something happens, nothing elsewhere.
///
/// A brick is named by its coordinates (cell index divided by 8, downwards) and by their Morton
/// key. Bricks are stored sorted by key, and every field is one plain array: brick b has the values
/// [512 b, 512 b + 512), x fastest, so cell (i, j, k) of it is 512 b + i + 8 (j + 8 k). What else a
/// step needs (temporaries) are plain arrays of the same layout, from its scratch arena.
///
/// Cells have indices of 32 bits over the whole domain, negative ones too: bricks may lie outside
/// the domain (for walls, for the face on the upper side of the last cell). Index 0 begins at
/// origin_m. Samples sit where dew_Place says: velocities on the lower faces of their cells.
///
/// Two dimensions: bricks are 8 x 8 x 1 with 64 values, `depth` is 1, and each brick is its own
/// neighbour above and below, so that a kernel written for three dimensions sees a field that does
/// not change along z. Loops over k run to grid->depth.
///
/// Kernels reach neighbours through the table of 27 (itself in the middle) or through tiles: a copy
/// of the brick and some cells around it. Bricks [0, brick_count) are ours and are computed; the
/// table may name ghosts, [brick_count, brick_count + ghost_count), whose values somebody else
/// brings.
///
/// Does not know what the fields mean. Memory follows the bricks, never the domain.
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/status.h"
#include "base/tasks.h"
#include "dew/grid.h"
#include "geom/vec.h"

#include <limits.h>
#include <string.h>

#define DEW_BRICK       8                                    // cells along an edge
#define DEW_BRICK_CELLS (DEW_BRICK * DEW_BRICK * DEW_BRICK)  // in three dimensions; in two 64
#define DEW_MAX_PAD     (DEW_BRICK >> 1)  // cells of a tile around its brick, at most: half of one
#define DEW_TILE_SIZE(pad)                                                                         \
    ((DEW_BRICK + 2 * (pad)) * (DEW_BRICK + 2 * (pad)) * (DEW_BRICK + 2 * (pad)))

typedef struct dew_GridDef {
    int dimensions;  // 3 or 2
    double cell_m;
    dew_Vec3 origin_m;    // lower corner of cell (0, 0, 0)
    int32_t cell_min[3];  // the domain: cells with min <= index < max. In 2-D z is [0, 1)
    int32_t cell_max[3];
    int32_t margin;    // bricks may be active where they meet the domain grown by this many cells
    dew_Tasks *tasks;  // may be NULL
    dew_Allocator allocator;
    int cookie;
} dew_GridDef;

/// Three dimensions, margin 4, all else to be set.
dew_GridDef dew_default_grid_def(void);

/// One field that lives on with the bricks: it is moved when bricks come and go.
typedef struct dew_GridField {
    char name[24];
    dew_Place place;
    size_t value_size;        // 8 for double; the values are plain data
    unsigned char fresh[40];  // value that new bricks are filled with
    dew_Array bricks;         // an element is a brick: value_size * brick_cells bytes
} dew_GridField;

typedef struct dew_Grid {
    int dimensions;
    int depth;            // cells of a brick along z: 8 or 1
    int32_t brick_cells;  // 512 or 64
    double cell_m;
    dew_Vec3 origin_m;
    int32_t cell_min[3], cell_max[3];
    int32_t margin;
    dew_Tasks *tasks;

    int32_t brick_count, ghost_count;
    dew_Array keys;         // uint64_t, sorted, then those of the ghosts. The one thing to be saved
    dew_Array coords;       // int32_t[3]
    dew_Array neighbours;   // int32_t[27], DEW_INVALID where there is none; of owned bricks only
    dew_Array is_fresh;     // uint8_t: came with the last update
    dew_Array fields;       // dew_GridField
    uint64_t change_count;  // grows whenever bricks come, go or are renumbered

    dew_Array table;   // int32_t: hash table from key to brick
    dew_Array wanted;  // uint64_t: keys for the next update
    dew_Array moves;   // int32_t: where each brick comes from, during an update
    dew_Allocator allocator;
} dew_Grid;

/// No bricks yet. Fails when the domain has no cells or its bricks leave [-2^20, 2^20).
dew_Status dew_grid_create(const dew_GridDef *def, dew_Grid **out);
void dew_grid_destroy(dew_Grid *grid);

// ---- Which bricks there are ---------------------------------------------------------------------

/// An update: begin, want bricks in any order and as often as you like, end. Bricks that nobody
/// wanted go; new ones are filled with each field's fresh value and marked in is_fresh; the values
/// of all others move along. Bricks that do not meet the domain with its margin are not made. When
/// it fails the grid is as it was.
void dew_grid_update_begin(dew_Grid *grid);
dew_Status dew_grid_want(dew_Grid *grid, const int32_t coord[3]);
dew_Status dew_grid_want_box(dew_Grid *grid, const int32_t cell_min[3], const int32_t cell_max[3]);
dew_Status dew_grid_want_all_present(dew_Grid *grid);  // keeps what is there
dew_Status dew_grid_update_end(dew_Grid *grid, bool *has_changed);

/// Wants, in an update, the bricks around the band |phi| < width_m of a signed distance, found from
/// the bricks there are; with `and_inside` all bricks with phi < 0 too. A brick that is there goes
/// only when it is a cell farther away than that, so that none comes and goes each step.
dew_Status dew_grid_want_band(dew_Grid *grid, const double *phi, double width_m, bool and_inside,
                              dew_Arena *scratch);

/// After keys was restored from elsewhere (sorted): derives all the rest.
dew_Status dew_grid_rebuild(dew_Grid *grid);

/// Names the keys of ghosts, sorted; none may be owned. Fields grow to hold them.
dew_Status dew_grid_set_ghosts(dew_Grid *grid, const uint64_t *keys, int32_t count);

/// The brick at these coordinates, ghosts too; DEW_INVALID when there is none.
int32_t dew_grid_find(const dew_Grid *grid, const int32_t coord[3]);

// ---- Fields -------------------------------------------------------------------------------------

/// Adds a field, filled with `fresh` (value_size bytes; NULL: zero). Returns its number in *out.
dew_Status dew_grid_add_field(dew_Grid *grid, const char *name, dew_Place place, size_t value_size,
                              const void *fresh, int *out);

/// Axes along which the grid extends: 2 or 3, so that a reader of the code and the analyser see the
/// bound.
static inline int dew_grid_axes(const dew_Grid *grid)
{
    return grid->dimensions == 2 ? 2 : 3;
}

/// The values of a field. They move when bricks come and go: ask again after an update.
static inline void *dew_grid_field(const dew_Grid *grid, int field)
{
    return DEW_ITEMS(&grid->fields, dew_GridField)[field].bricks.data;
}
static inline double *dew_grid_f64(const dew_Grid *grid, int field)
{
    return (double *)dew_grid_field(grid, field);
}
/// Number of values of a field, ghosts too: the size of a temporary.
static inline int64_t dew_grid_value_count(const dew_Grid *grid)
{
    return (int64_t)(grid->brick_count + grid->ghost_count) * grid->brick_cells;
}

/// Content hash of our bricks' keys and values. Same for the same content, whatever the ghosts.
uint64_t dew_grid_hash(const dew_Grid *grid, int field);

/// One brick with all its fields as bytes, for migration and retry: key first, then field by field.
size_t dew_grid_packed_size(const dew_Grid *grid);
void dew_grid_pack(const dew_Grid *grid, int32_t brick, void *bytes);
/// Into the brick of that key, which must be there (a ghost will do).
dew_Status dew_grid_unpack(dew_Grid *grid, const void *bytes);

int64_t dew_grid_bytes(const dew_Grid *grid);  // all that it holds

/// DEW_AUDIT: keys sorted, neighbours linked both ways, table complete.
dew_Status dew_grid_audit(const dew_Grid *grid);

// ---- Geometry -----------------------------------------------------------------------------------

static inline const int32_t *dew_grid_coord(const dew_Grid *grid, int32_t brick)
{
    return (const int32_t *)grid->coords.data + 3 * (int64_t)brick;
}
/// Table of the bricks around: [13 + dx + 3 dy + 9 dz].
static inline const int32_t *dew_grid_neighbours(const dew_Grid *grid, int32_t brick)
{
    return (const int32_t *)grid->neighbours.data + 27 * (int64_t)brick;
}
/// Where in the unit cell a place is.
static inline dew_Vec3 dew_place_offset(dew_Place place)
{
    double half = place == DEW_AT_NODE ? 0.0 : 0.5;
    return (dew_Vec3){place == DEW_AT_FACE_X ? 0.0 : half, place == DEW_AT_FACE_Y ? 0.0 : half,
                      place == DEW_AT_FACE_Z ? 0.0 : half};
}
/// Position of the sample of cell (i, j, k) of a brick; indices beyond [0, 8) are fine.
static inline dew_Vec3 dew_grid_position(const dew_Grid *grid, int32_t brick, int i, int j, int k,
                                         dew_Place place)
{
    const int32_t *c = dew_grid_coord(grid, brick);
    dew_Vec3 o = dew_place_offset(place);
    double h = grid->cell_m;
    return (dew_Vec3){grid->origin_m.x + h * (DEW_BRICK * c[0] + i + o.x),
                      grid->origin_m.y + h * (DEW_BRICK * c[1] + j + o.y),
                      grid->origin_m.z + h * (grid->depth * c[2] + k + o.z)};
}
/// Index in a field of cell (i, j, k) of a brick, each in [-8, 16), found through the table of
/// neighbours; DEW_INVALID when that brick is not there.
static inline int64_t dew_grid_near(const dew_Grid *grid, int32_t brick, int i, int j, int k)
{
    k = grid->depth == 1 ? 0 : k;
    int dx = (i >> 3), dy = (j >> 3), dz = (k >> 3);  // -1, 0, 1
    int32_t b = dew_grid_neighbours(grid, brick)[13 + dx + 3 * dy + 9 * dz];
    if (b < 0)
        return DEW_INVALID;
    return (int64_t)b * grid->brick_cells + (i & 7) + 8 * ((j & 7) + 8 * (k & 7));
}
/// Index in a field of a cell of the whole domain; DEW_INVALID when its brick is not there.
int64_t dew_grid_cell(const dew_Grid *grid, const int32_t cell[3]);

/// Does the cell lie in the domain?
static inline bool dew_grid_is_inside(const dew_Grid *grid, const int32_t cell[3])
{
    return cell[0] >= grid->cell_min[0] && cell[0] < grid->cell_max[0] &&
           cell[1] >= grid->cell_min[1] && cell[1] < grid->cell_max[1] &&
           cell[2] >= grid->cell_min[2] && cell[2] < grid->cell_max[2];
}

// ---- Loops --------------------------------------------------------------------------------------

#define DEW_BRICKS_PER_CHUNK 4  // of parallel loops: 2048 cells, some microseconds of work

/// Calls fn(context, begin, end, chunk_index) over ranges of our bricks, in parallel. Each call
/// writes its own bricks only; what it adds up goes into an array by brick, for dew_sum.
static inline dew_Status dew_grid_for(const dew_Grid *grid, dew_ChunkFn *fn, void *context)
{
    return dew_parallel_for(grid->tasks, grid->brick_count, DEW_BRICKS_PER_CHUNK, fn, context);
}

// ---- Tiles --------------------------------------------------------------------------------------

/// A tile is a brick's values with `pad` cells around it, x fastest, without gaps: (8 + 2 pad)^2
/// rows' worth of values in three dimensions, 1 + 2 pad layers in two. Cell (i, j, k) of the brick
/// is at (i + pad) + n ((j + pad) + n (k + pad)) with n = 8 + 2 pad. pad is at most DEW_MAX_PAD.
///
/// Where a neighbour is missing the nearest value along the missing axes is taken (constant
/// continuation: from the nearest brick that is there, this one in the end).
void dew_tile_load(const dew_Grid *grid, const double *field, int32_t brick, int pad, double *tile);
/// Same, but what is missing has this value.
void dew_tile_load_or(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                      double missing, double *tile);
/// Only what stencils along the axes reach: the brick and the slabs on its six faces. The rest of
/// the tile is not touched.
void dew_tile_load_cross(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                         double *tile);
/// Same for other types.
void dew_tile_load_f32(const dew_Grid *grid, const float *field, int32_t brick, int pad,
                       float *tile);
/// The same from a field in double.
void dew_tile_load_narrow(const dew_Grid *grid, const double *field, int32_t brick, int pad,
                          float *tile);
void dew_tile_load_f32_or(const dew_Grid *grid, const float *field, int32_t brick, int pad,
                          float missing, float *tile);
void dew_tile_load_u8(const dew_Grid *grid, const uint8_t *field, int32_t brick, int pad,
                      uint8_t missing, uint8_t *tile);

/// Place in a tile of cell (i, j, k) of its brick.
static inline int dew_tile_at(int pad, int i, int j, int k)
{
    int n = DEW_BRICK + 2 * pad;
    return i + pad + n * (j + pad + n * (k + pad));
}

// ---- Morton keys --------------------------------------------------------------------------------

// Morton keys: the three coordinates of a brick, bit by bit in turn, as one 64-bit number.
//
// Sorted by key, bricks that are near in space are near in memory, and the eight bricks below one
// brick of the next coarser level are neighbours in the list: their keys agree but for the last
// three bits. Coordinates may be negative: 2^20 is added to each, so they lie in [-2^20, 2^20).

#define DEW_MORTON_BITS ((int)(CHAR_BIT * sizeof(uint64_t) / 3))  // per axis: three fit in a key
#define DEW_MORTON_BIAS (1 << (DEW_MORTON_BITS - 1))

// Bit n of x to bit 3 n.
static inline uint64_t dew_morton_spread(uint32_t x)
{
    uint64_t v = x & 0x1fffff;
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    return (v | v << 2) & 0x1249249249249249;
}

// Bit 3 n of v to bit n.
static inline uint32_t dew_morton_gather(uint64_t v)
{
    v &= 0x1249249249249249;
    v = (v | v >> 2) & 0x10c30c30c30c30c3;
    v = (v | v >> 4) & 0x100f00f00f00f00f;
    v = (v | v >> 8) & 0x001f0000ff0000ff;
    v = (v | v >> 16) & 0x001f00000000ffff;
    return (uint32_t)((v | v >> 32) & 0x1fffff);
}

static inline uint64_t dew_morton_key(const int32_t coord[3])
{
    return dew_morton_spread((uint32_t)(coord[0] + DEW_MORTON_BIAS)) |
           dew_morton_spread((uint32_t)(coord[1] + DEW_MORTON_BIAS)) << 1 |
           dew_morton_spread((uint32_t)(coord[2] + DEW_MORTON_BIAS)) << 2;
}

static inline void dew_morton_coord(uint64_t key, int32_t coord[3])
{
    for (int a = 0; a < 3; a++)
        coord[a] = (int32_t)dew_morton_gather(key >> a) - DEW_MORTON_BIAS;
}

// ---- Sets of cells as bits ----------------------------------------------------------------------

// Sets of cells as bits: cell (i, j, k) of a brick is bit i + 8 j of word k.
//
// A step along an axis is a shift, so that what a cell's neighbours are is asked for 64 cells at
// once, and loops run over the few cells that matter. In two dimensions only the first word is
// used.

typedef struct dew_BrickBits {
    uint64_t layer[DEW_BRICK];
} dew_BrickBits;

#define DEW_BITS_FIRST UINT64_C(0x0101010101010101)  // i = 0; of eight bytes the lowest bits

/// The lowest bits of eight bytes as one.
static inline uint64_t dew_bits_pack(uint64_t bytes)
{
    return (bytes * UINT64_C(0x0102040810204080)) >> 56;
}
/// Eight bits as bytes of 0 and 1.
static inline uint64_t dew_bits_spread(uint64_t bits)
{
    uint64_t apart = ((bits & 255) * DEW_BITS_FIRST) & UINT64_C(0x8040201008040201);
    return ((apart + 0x7f * DEW_BITS_FIRST) >> 7) & DEW_BITS_FIRST;
}
/// One bit of each of 64 bytes.
static inline uint64_t dew_bits_plane(const uint8_t *bytes, int bit)
{
    uint64_t bits = 0, eight;
    for (int j = 0; j < 8; j++) {
        memcpy(&eight, bytes + 8 * j, sizeof eight);
        bits |= dew_bits_pack((eight >> bit) & DEW_BITS_FIRST) << 8 * j;
    }
    return bits;
}
/// Which of 64 bytes are not 0.
static inline uint64_t dew_bits_used(const uint8_t *bytes)
{
    uint64_t bits = 0, eight;
    for (int j = 0; j < 8; j++) {
        memcpy(&eight, bytes + 8 * j, sizeof eight);
        uint64_t low = 0x7f * DEW_BITS_FIRST, top = ((eight & low) + low) | eight;
        bits |= dew_bits_pack((top >> 7) & DEW_BITS_FIRST) << 8 * j;
    }
    return bits;
}

/// The bricks on the six sides, in a table of neighbours.
static const int dew_bits_near[6] = {12, 14, 10, 16, 4, 22};

/// Of layer k of a brick: cells whose neighbour on that side (lower x, upper x, lower y, ...) is in
/// the set. Nothing is in missing bricks. near: the brick's neighbours.
static inline uint64_t dew_bits_beside(const dew_BrickBits *set, const int32_t *near, int depth,
                                       int side, int k)
{
    DEW_ASSERT(side >= 0 && side < 6);
    const uint64_t last = DEW_BITS_FIRST << 7, *own = set[near[13]].layer;
    int32_t n = near[dew_bits_near[side]];
    if (side == 4 && k > 0)
        return own[k - 1];
    if (side == 5 && k < depth - 1)
        return own[k + 1];
    uint64_t there = n < 0 ? 0 : set[n].layer[side == 4 ? depth - 1 : side == 5 ? 0 : k];
    switch (side) {
    case 0:
        return (own[k] << 1 & ~DEW_BITS_FIRST) | (there >> 7 & DEW_BITS_FIRST);
    case 1:
        return (own[k] >> 1 & ~last) | (there << 7 & last);
    case 2:
        return own[k] << 8 | there >> 56;
    case 3:
        return own[k] >> 8 | there << 56;
    default:
        return there;
    }
}

/// Takes the lowest cell out of a layer's set, which has one; its number in the layer.
static inline int dew_bits_take(uint64_t *layer)
{
    int n = __builtin_ctzll(*layer);
    *layer &= *layer - 1;
    return n;
}

/// Index in a field of the neighbour of cell n of a brick on that side, whose brick is there.
static inline int64_t dew_bits_index(const dew_Grid *grid, const int32_t *near, int n, int side)
{
    int shift = 3 * (side / 2), place = n >> shift & 7, stride = 1 << shift;
    int last = side / 2 == 2 ? grid->depth - 1 : DEW_BRICK - 1;
    bool is_up = side & 1;
    if (is_up ? place < last : place > 0)
        return (int64_t)near[13] * grid->brick_cells + n + (is_up ? stride : -stride);
    return (int64_t)near[dew_bits_near[side]] * grid->brick_cells + n +
           (is_up ? -last * stride : last * stride);
}

/// The box of a brick's cells in the set, [lo, hi]; false: there are none.
static inline bool dew_bits_box(const dew_BrickBits *set, int depth, int lo[3], int hi[3])
{
    uint64_t any = 0, row = 0;
    for (int k = 0; k < depth; k++) {
        if (!set->layer[k])
            continue;
        lo[2] = any ? lo[2] : k;
        hi[2] = k;
        any |= set->layer[k];
    }
    if (!any)
        return false;
    for (int j = 0; j < DEW_BRICK; j++)
        row |= any >> 8 * j & 255;
    lo[0] = __builtin_ctzll(row);
    hi[0] = 63 - __builtin_clzll(row);
    lo[1] = __builtin_ctzll(any) / DEW_BRICK;
    hi[1] = (63 - __builtin_clzll(any)) / DEW_BRICK;
    return true;
}

/// Lets a set grow by so many cells (shrink, where that is negative) along each axis in turn, and
/// so by cubes. Nothing is in missing bricks, nor does anything go through them. *spare is as
/// large; the two may change places.
void dew_bits_grow(const dew_Grid *grid, int cells, dew_BrickBits **set, dew_BrickBits **spare);

/// The connected components of a set, through faces. parent: per cell of our bricks,
/// DEW_INVALID outside of the set, else a cell of the same component, at last its first one, which
/// is its own (dew_cell_root).
dew_Status dew_bits_components(const dew_Grid *grid, const dew_BrickBits *set, int32_t *parent,
                               dew_Arena *scratch, int64_t *component_count);
