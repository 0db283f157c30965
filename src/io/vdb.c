// Writes volumes as VDB [Museth2013], file version 224.
//
// A file is a head, then grid after grid: names, where its parts lie, metadata, transform,
// topology, values. The tree has leaves of 8^3 voxels below nodes of 16^3 leaves below nodes of
// 32^3 of those below a root. Topology goes depth first: masks of children and of values for each
// node; the values of the leaves follow in the same order. Children are numbered with z fastest,
// and so are voxels. With the flag MASKED only values of active voxels are written: all others have
// the background's value. With the flag ZIPPED a block of values is its compressed size and a zlib
// stream or, where that is no shorter, its negative size and the values. In half precision values
// take two bytes, a block without values not even its size, and the tree's type says so.
#include "io/vdb.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/status.h"
#include "io/deflate.h"
#include "io/half.h"
#include "io/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIDDLE_BITS 4  // log2 of a node's children along an edge
#define UPPER_BITS  5
enum { ZIPPED = 1, MASKED = 2 };  // flags of compression

// A leaf and its place in the tree.
typedef struct Leaf {
    int32_t root[3];  // the upper node's coordinates, in its own size
    int upper;        // number of the middle node in the upper one
    int middle;       // number of the leaf in the middle node
    int64_t index;
} Leaf;

typedef struct Writer {
    const dew_VdbVolume *volume;
    const Leaf *leaves;  // in order
    dew_Sink *sink;
} Writer;

// ---- numbers -----------------------------------------------------------------------------------

static void put_u32(dew_Sink *sink, uint32_t x)
{
    uint8_t bytes[4];
    dew_bytes_put32(bytes, x);
    dew_sink_write(sink, bytes, sizeof bytes);
}

static void put_u64(dew_Sink *sink, uint64_t x)
{
    uint8_t bytes[8];
    dew_bytes_put64(bytes, x);
    dew_sink_write(sink, bytes, sizeof bytes);
}

static void put_float(dew_Sink *sink, float x)
{
    uint8_t bytes[4];
    dew_bytes_put_float(bytes, x);
    dew_sink_write(sink, bytes, sizeof bytes);
}

static void put_half(dew_Sink *sink, float x)
{
    uint8_t bytes[4];
    dew_bytes_put32(bytes, dew_half_of(x));  // little endian: its first half
    dew_sink_write(sink, bytes, 2);
}

static void put_double(dew_Sink *sink, double x)
{
    uint8_t bytes[8];
    dew_bytes_put_double(bytes, x);
    dew_sink_write(sink, bytes, sizeof bytes);
}

static void put_double3(dew_Sink *sink, double x, double y, double z)
{
    put_double(sink, x);
    put_double(sink, y);
    put_double(sink, z);
}

static void put_string(dew_Sink *sink, const char *text)
{
    put_u32(sink, (uint32_t)strlen(text));
    dew_sink_text(sink, text);
}

static void put_words(dew_Sink *sink, const char *name, const char *value)  // metadata
{
    put_string(sink, name);
    put_string(sink, "string");
    put_string(sink, value);
}

static void put_real(dew_Sink *sink, const char *name, double value)  // metadata
{
    put_string(sink, name);
    put_string(sink, "double");
    put_u32(sink, 8);
    put_double(sink, value);
}

static void put_integer(dew_Sink *sink, const char *name, int64_t value)  // metadata
{
    put_string(sink, name);
    put_string(sink, "int64");
    put_u32(sink, 8);
    put_u64(sink, (uint64_t)value);
}

static void put_flag(dew_Sink *sink, const char *name, bool value)  // metadata
{
    put_string(sink, name);
    put_string(sink, "bool");
    put_u32(sink, 1);
    dew_sink_write(sink, value ? "\1" : "\0", 1);
}

// A mask of `count` bits; those of [first, last) of the leaves' numbers are set.
static void put_mask(dew_Sink *sink, int count, const Leaf *leaves, int64_t leaf_count,
                     bool is_upper)
{
    int64_t next = 0;
    for (int word = 0; word < count / 64; word++) {
        uint64_t bits = 0;
        for (; next < leaf_count; next++) {
            int number = is_upper ? leaves[next].upper : leaves[next].middle;
            if (number / 64 != word)
                break;
            bits |= (uint64_t)1 << number % 64;
        }
        put_u64(sink, bits);
    }
}

static void put_zeros(dew_Sink *sink, int words)
{
    for (int i = 0; i < words; i++)
        put_u64(sink, 0);
}

// ---- the tree ----------------------------------------------------------------------------------

static int compare_leaves(const void *a, const void *b)
{
    const Leaf *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->root[k] != y->root[k])
            return x->root[k] < y->root[k] ? -1 : 1;
    if (x->upper != y->upper)
        return x->upper < y->upper ? -1 : 1;
    return x->middle < y->middle ? -1 : x->middle > y->middle;
}

static int child_number(const int32_t c[3], int bits)
{
    int mask = (1 << bits) - 1;
    return (c[0] & mask) << 2 * bits | (c[1] & mask) << bits | (c[2] & mask);
}

static void sort_leaves(const dew_VdbVolume *volume, Leaf *leaves)
{
    for (int64_t i = 0; i < volume->leaf_count; i++) {
        const int32_t *c = volume->leaves[i];
        int32_t middle[3];
        leaves[i].index = i;
        leaves[i].middle = child_number(c, MIDDLE_BITS);
        for (int a = 0; a < 3; a++) {
            middle[a] = c[a] >> MIDDLE_BITS;
            leaves[i].root[a] = c[a] >> (MIDDLE_BITS + UPPER_BITS);
        }
        leaves[i].upper = child_number(middle, UPPER_BITS);
    }
    qsort(leaves, (size_t)volume->leaf_count, sizeof *leaves, compare_leaves);
}

static bool is_same_root(const Leaf *a, const Leaf *b)
{
    return memcmp(a->root, b->root, sizeof a->root) == 0;
}

// How many leaves from `first` on are below the same upper node, or the same middle one.
static int64_t run_length(const Writer *w, int64_t first, bool is_middle)
{
    int64_t n = first;
    while (n < w->volume->leaf_count && is_same_root(&w->leaves[n], &w->leaves[first]) &&
           (!is_middle || w->leaves[n].upper == w->leaves[first].upper))
        n++;
    return n - first;
}

// Which voxels are active: all, or those of the layers that hold values. Bit z of byte y of word x.
static uint64_t active_word(const Writer *w)
{
    uint64_t column = (1u << w->volume->layers) - 1;
    return column * 0x0101010101010101u;
}

static void put_leaf_mask(const Writer *w)
{
    for (int x = 0; x < 8; x++)
        put_u64(w->sink, active_word(w));
}

// An inner node: which children it has, that no value of its own is active, and no values.
static void put_node(const Writer *w, int bits, int64_t first, int64_t leaf_count, bool is_upper)
{
    int count = 1 << 3 * bits;
    put_mask(w->sink, count, w->leaves + first, leaf_count, is_upper);
    put_zeros(w->sink, count / 64);
    dew_sink_write(w->sink, "\0", 1);  // what is inactive has the background's value
    if (!w->volume->is_half)
        put_u64(w->sink, 0);  // bytes of active values: none
}

static void put_topology(const Writer *w, const dew_VdbGrid *grid)
{
    int64_t count = w->volume->leaf_count, roots = 0;
    for (int64_t i = 0; i < count; i += run_length(w, i, false))
        roots++;
    put_u32(w->sink, 1);  // buffers
    for (int k = 0; k < grid->component_count; k++)
        put_float(w->sink, grid->background);
    put_u32(w->sink, 0);  // tiles
    put_u32(w->sink, (uint32_t)roots);
    for (int64_t i = 0; i < count;) {
        int64_t upper_end = i + run_length(w, i, false);
        for (int a = 0; a < 3; a++)
            put_u32(w->sink, (uint32_t)w->leaves[i].root[a] << (3 + MIDDLE_BITS + UPPER_BITS));
        put_node(w, UPPER_BITS, i, upper_end - i, true);
        while (i < upper_end) {
            int64_t length = run_length(w, i, true);
            put_node(w, MIDDLE_BITS, i, length, false);
            for (int64_t n = 0; n < length; n++)
                put_leaf_mask(w);
            i += length;
        }
    }
}

// The values of a leaf, compressed if that makes them shorter.
static dew_Status put_block(const Writer *w, const dew_Array *values, dew_Array *packed)
{
    packed->count = 0;
    DEW_TRY(dew_deflate(values->data, (size_t)values->count, packed));
    bool is_shorter = packed->count < values->count;
    put_u64(w->sink, (uint64_t)(is_shorter ? packed->count : -values->count));
    const dew_Array *bytes = is_shorter ? packed : values;
    dew_sink_write(w->sink, bytes->data, (size_t)bytes->count);
    return dew_ok();
}

static dew_Status put_values(const Writer *w, const dew_VdbGrid *grid, dew_Array *block,
                             dew_Array *packed)
{
    int components = grid->component_count;
    void (*put)(dew_Sink *, float) = w->volume->is_half ? put_half : put_float;
    for (int64_t i = 0; i < w->volume->leaf_count; i++) {
        const float *values = grid->values + w->leaves[i].index * DEW_VDB_LEAF * components;
        put_leaf_mask(w);
        dew_sink_write(w->sink, "\0", 1);
        block->count = 0;
        dew_Sink sink;
        dew_sink_begin_memory(&sink, block);
        for (int x = 0; x < 8; x++)
            for (int y = 0; y < 8; y++)
                for (int z = 0; z < w->volume->layers; z++)
                    for (int k = 0; k < components; k++)
                        put(&sink, values[(x + 8 * (y + 8 * z)) * components + k]);
        DEW_TRY(dew_sink_end(&sink, dew_ok()));
        DEW_TRY(put_block(w, block, packed));
    }
    return dew_ok();
}

// ---- the file ----------------------------------------------------------------------------------

static void put_head(const dew_VdbVolume *volume, dew_Sink *sink)
{
    uint64_t hash = 0;
    char id[37];
    for (int k = 0; k < volume->grid_count; k++)
        hash = dew_hash(
            volume->grids[k].values,
            (size_t)(volume->leaf_count * DEW_VDB_LEAF * volume->grids[k].component_count) *
                sizeof(float),
            hash);
    snprintf(id, sizeof id, "%08x-%04x-4%03x-8000-%012llx", (unsigned)(hash >> 32),
             (unsigned)(hash >> 16 & 0xffff), (unsigned)(hash & 0xfff),
             (unsigned long long)(hash & 0xffffffffffff));
    // The tag " BDV", the version of the format, and the library whose files look like this.
    static const uint32_t head[] = {0x56444220, 0, 224, 10, 0};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        put_u32(sink, head[i]);
    dew_sink_write(sink, "\1", 1);  // the file has offsets of its grids
    dew_sink_text(sink, id);
    put_u32(sink, 4);  // metadata of the file
    put_integer(sink, "frame", volume->frame);
    put_real(sink, "frame_rate", volume->frame_rate_Hz);
    put_words(sink, "length_unit", "m");
    put_real(sink, "time", volume->time_s);
    put_u32(sink, (uint32_t)volume->grid_count);
}

static void put_transform(const dew_VdbVolume *volume, dew_Sink *sink)
{
    double h = volume->spacing_m, r = 1 / h;
    put_string(sink, "UniformScaleTranslateMap");
    put_double3(sink, volume->origin_m.x, volume->origin_m.y, volume->origin_m.z);
    put_double3(sink, h, h, h);
    put_double3(sink, h, h, h);
    put_double3(sink, r, r, r);
    put_double3(sink, r * r, r * r, r * r);
    put_double3(sink, 0.5 * r, 0.5 * r, 0.5 * r);
}

// Everything of a grid but its values.
static void put_description(const Writer *w, const dew_VdbGrid *grid)
{
    put_u32(w->sink, ZIPPED | MASKED);
    put_u32(w->sink, w->volume->is_half ? 4 : 3);
    put_words(w->sink, "class", grid->is_level_set ? "level set" : "unknown");
    if (w->volume->is_half)
        put_flag(w->sink, "is_saved_as_half_float", true);
    put_words(w->sink, "name", grid->name);
    put_words(w->sink, "unit", grid->unit);
    put_transform(w->volume, w->sink);
    put_topology(w, grid);
}

// Both parts of a grid, in memory: their sizes come first in the file.
static dew_Status make_grid(Writer *w, const dew_VdbGrid *grid, dew_Array *description,
                            dew_Array *values)
{
    dew_Array block, packed;
    dew_Sink sink;
    dew_array_init(&block, &description->allocator, 1);
    dew_array_init(&packed, &description->allocator, 1);
    dew_Sink *file = w->sink;
    w->sink = &sink;
    dew_sink_begin_memory(&sink, description);
    put_description(w, grid);
    dew_Status status = dew_sink_end(&sink, dew_ok());
    if (status.code == DEW_OK) {
        dew_sink_begin_memory(&sink, values);
        status = put_values(w, grid, &block, &packed);
        status = dew_sink_end(&sink, status);
    }
    w->sink = file;
    dew_array_deinit(&block);
    dew_array_deinit(&packed);
    return status;
}

// `at`: bytes of the file before it; grows.
static dew_Status put_grid(Writer *w, const dew_VdbGrid *grid, uint64_t *at,
                           const dew_Allocator *allocator)
{
    static const char *const types[2][2] = {{"Tree_float_5_4_3", "Tree_float_5_4_3_HalfFloat"},
                                            {"Tree_vec3s_5_4_3", "Tree_vec3s_5_4_3_HalfFloat"}};
    const char *type = types[grid->component_count == 3][w->volume->is_half];
    dew_Sink *file = w->sink;
    dew_Array description, values;
    dew_array_init(&description, allocator, 1);
    dew_array_init(&values, allocator, 1);
    dew_Status status = make_grid(w, grid, &description, &values);
    if (status.code == DEW_OK) {
        put_string(file, grid->name);
        put_string(file, type);
        put_string(file, "");  // shares no other grid's tree
        uint64_t begin = *at + 3 * 4 + strlen(grid->name) + strlen(type) + 3 * 8;
        uint64_t middle = begin + (uint64_t)description.count;
        *at = middle + (uint64_t)values.count;
        put_u64(file, begin);
        put_u64(file, middle);
        put_u64(file, *at);
        dew_sink_write(file, description.data, (size_t)description.count);
        dew_sink_write(file, values.data, (size_t)values.count);
    }
    dew_array_deinit(&description);
    dew_array_deinit(&values);
    return status;
}

static dew_Status put_counted_head(const dew_VdbVolume *volume, dew_Sink *sink, uint64_t *size,
                                   const dew_Allocator *allocator)
{
    dew_Array bytes;
    dew_Sink memory;
    dew_array_init(&bytes, allocator, 1);
    dew_sink_begin_memory(&memory, &bytes);
    put_head(volume, &memory);
    dew_Status status = dew_sink_end(&memory, dew_ok());
    *size = (uint64_t)bytes.count;
    if (status.code == DEW_OK)
        dew_sink_write(sink, bytes.data, (size_t)bytes.count);
    dew_array_deinit(&bytes);
    return status;
}

dew_Status dew_vdb_write(const dew_VdbVolume *volume, dew_Sink *sink,
                         const dew_Allocator *allocator)
{
    dew_Arena arena;
    dew_arena_init(&arena, allocator);
    Leaf *leaves = dew_arena_array(&arena, Leaf, volume->leaf_count + 1);
    dew_Status status =
        leaves ? dew_ok() : dew_no_memory((size_t)volume->leaf_count * sizeof *leaves);
    Writer writer = {volume, leaves, sink};
    if (leaves) {
        uint64_t at = 0;
        sort_leaves(volume, leaves);
        status = put_counted_head(volume, sink, &at, allocator);
        for (int k = 0; k < volume->grid_count && status.code == DEW_OK; k++)
            status = put_grid(&writer, &volume->grids[k], &at, allocator);
    }
    dew_arena_deinit(&arena);
    return status;
}
