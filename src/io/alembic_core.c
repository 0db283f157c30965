// Alembic archives in an Ogawa file [Alembic2011], as the library's releases since 1.5 read them.
//
// Root: [version of this layer, 0][version of the library that would write so][top object]
// [metadata of the archive][time samplings][numbered metadata].
// Object: [group of its properties][its objects ...][headers of its objects, two digests].
// Compound: [its properties ...][headers of its properties]. Leaf: per sample a block, of an array
// a block and the dimensions, which are empty for rank 1. The block of a sample is its key
// (MurmurHash3 of the bytes) and the bytes.
//
// A leaf stores no sample beyond the last change, and none between the first one and the first
// change; both indices are in its header. Digests of properties and of objects are SpookyHash over
// header and samples, by which readers and comparing tools find equal parts without reading them.
#include "io/alembic_core.h"

#include "base/status.h"
#include "io/murmur3.h"
#include "io/scalar.h"
#include "io/spooky.h"

#include <string.h>

#define LIBRARY_VERSION    10800  // 1.8.0, whose files look like this
#define METADATA_MAX_COUNT 254    // numbers 1 to 254; 0 is none, 255 says that it follows
#define METADATA_IN_PLACE  255
#define METADATA_MAX_BYTES 255

typedef enum NodeKind { OBJECT, COMPOUND, LEAF } NodeKind;

typedef struct Node {
    NodeKind kind;
    int parent;  // node; -1: none
    const char *name, *metadata;
    // of leaves
    dew_AbcForm form;
    int64_t sample_count;
    int64_t first_change, last_change;  // 0: all samples are equal
    bool is_single;                     // each sample has one element
    bool has_equal_sizes;               // each sample has the same number of elements
    dew_AbcSample last;
    uint64_t samples_digest[2];
    dew_Array references;  // uint64_t
} Node;

// What a node's parent needs of it.
typedef struct Written {
    uint64_t reference;
    uint64_t digest[2];
} Written;

static Node *node_at(const dew_AbcArchive *archive, int index)
{
    return DEW_ITEMS(&archive->nodes, Node) + index;
}

static void note(dew_AbcArchive *archive, dew_Status status)
{
    if (archive->status.code == DEW_OK)
        archive->status = status;
}

static bool is_ok(const dew_AbcArchive *archive)
{
    return archive->status.code == DEW_OK;
}

// ---- objects and properties --------------------------------------------------------------------

static int add_node(dew_AbcArchive *archive, NodeKind kind, int parent, const char *name,
                    const char *metadata)
{
    Node node = {.kind = kind, .parent = parent, .is_single = true, .has_equal_sizes = true};
    if (!is_ok(archive))
        return 0;
    node.name = dew_arena_text(&archive->arena, name, strlen(name));
    node.metadata = dew_arena_text(&archive->arena, metadata, strlen(metadata));
    node.last.reference = DEW_OGAWA_EMPTY_BLOCK;
    dew_array_init(&node.references, &archive->arena.allocator, sizeof(uint64_t));
    if (!node.name || !node.metadata)
        note(archive, dew_no_memory(strlen(name) + strlen(metadata) + 2));
    else
        note(archive, dew_array_push(&archive->nodes, &node));
    return is_ok(archive) ? (int)archive->nodes.count - 1 : 0;
}

void dew_abc_begin(dew_AbcArchive *archive, dew_Sink *sink, double frame_rate_Hz, double begin_s,
                   const dew_Allocator *allocator)
{
    *archive = (dew_AbcArchive){.time_per_frame_s = 1 / frame_rate_Hz, .begin_s = begin_s};
    dew_arena_init(&archive->arena, allocator);
    dew_array_init(&archive->nodes, allocator, sizeof(Node));
    dew_array_init(&archive->known, allocator, sizeof(dew_AbcSample));
    dew_array_init(&archive->metadata, allocator, sizeof(const char *));
    archive->status = dew_ok();
    dew_ogawa_begin(&archive->ogawa, sink);
    add_node(archive, OBJECT, -1, "ABC", "");
}

void dew_abc_deinit(dew_AbcArchive *archive)
{
    for (int i = 0; i < archive->nodes.count; i++)
        dew_array_deinit(&node_at(archive, i)->references);
    dew_array_deinit(&archive->nodes);
    dew_array_deinit(&archive->known);
    dew_array_deinit(&archive->metadata);
    dew_arena_deinit(&archive->arena);
}

int dew_abc_object(dew_AbcArchive *archive, int parent, const char *name, const char *metadata)
{
    return add_node(archive, OBJECT, parent, name, metadata);
}

int dew_abc_compound(dew_AbcArchive *archive, int parent, const char *name, const char *metadata)
{
    return add_node(archive, COMPOUND, parent, name, metadata);
}

int dew_abc_leaf(dew_AbcArchive *archive, int parent, const char *name, const char *metadata,
                 dew_AbcForm form)
{
    int leaf = add_node(archive, LEAF, parent, name, metadata);
    DEW_ASSERT(form.extent > 0 && form.extent < 256);
    if (is_ok(archive))
        node_at(archive, leaf)->form = form;
    return leaf;
}

// ---- samples -----------------------------------------------------------------------------------

static int64_t type_size(dew_AbcType type)
{
    switch (type) {
    case DEW_ABC_UINT32:
    case DEW_ABC_INT32:
    case DEW_ABC_FLOAT32:
        return 4;
    case DEW_ABC_UINT64:
    case DEW_ABC_FLOAT64:
        return 8;
    default:
        return 1;
    }
}

// The slot of an equal sample, or the free one where it belongs. Sizes are positive in used slots.
static dew_AbcSample *find_slot(const dew_Array *table, const dew_AbcSample *sample)
{
    dew_AbcSample *slots = DEW_ITEMS(table, dew_AbcSample);
    int64_t at = (int64_t)(sample->digest[0] & (uint64_t)(table->count - 1));
    while (slots[at].size_bytes != 0 &&
           (slots[at].size_bytes != sample->size_bytes ||
            memcmp(slots[at].digest, sample->digest, sizeof sample->digest) != 0))
        at = (at + 1) & (table->count - 1);
    return &slots[at];
}

// Keeps at least half of the slots free; their number is a power of two.
static dew_Status grow_known(dew_AbcArchive *archive)
{
    dew_Array *old = &archive->known, table;
    if (2 * archive->known_count < old->count)
        return dew_ok();
    dew_array_init(&table, &archive->arena.allocator, sizeof(dew_AbcSample));
    DEW_TRY(dew_array_resize(&table, old->count > 0 ? 2 * old->count : 64));
    for (int64_t i = 0; i < old->count; i++) {
        const dew_AbcSample *sample = DEW_ITEMS(old, dew_AbcSample) + i;
        if (sample->size_bytes > 0)
            *find_slot(&table, sample) = *sample;
    }
    dew_array_deinit(old);
    *old = table;
    return dew_ok();
}

// Writes the sample unless an equal one is in the file.
static void store(dew_AbcArchive *archive, const void *bytes, dew_AbcSample *sample)
{
    uint8_t key[16];
    sample->reference = DEW_OGAWA_EMPTY_BLOCK;
    if (sample->size_bytes == 0)
        return;
    note(archive, grow_known(archive));
    if (!is_ok(archive))
        return;
    dew_AbcSample *slot = find_slot(&archive->known, sample);
    if (slot->size_bytes > 0) {
        sample->reference = slot->reference;
        return;
    }
    dew_bytes_put64(key, sample->digest[0]);
    dew_bytes_put64(key + 8, sample->digest[1]);
    sample->reference =
        dew_ogawa_block(&archive->ogawa, key, sizeof key, bytes, (size_t)sample->size_bytes);
    *slot = *sample;
    archive->known_count++;
}

static dew_Status push_reference(Node *leaf, uint64_t reference)
{
    static const uint64_t rank_1 = DEW_OGAWA_EMPTY_BLOCK;
    DEW_TRY(dew_array_push(&leaf->references, &reference));
    return leaf->form.is_array ? dew_array_push(&leaf->references, &rank_1) : dew_ok();
}

// A sample that differs from the last one. What was equal since the last change is stored too, so
// that all between first and last change can be found by index.
static dew_Status add_change(Node *leaf, const dew_AbcSample *sample)
{
    if (leaf->first_change > 0)
        for (int64_t i = leaf->last_change + 1; i < leaf->sample_count; i++)
            DEW_TRY(push_reference(leaf, leaf->last.reference));
    else
        leaf->first_change = leaf->sample_count;
    leaf->last_change = leaf->sample_count;
    return push_reference(leaf, sample->reference);
}

// The digest of a sample; of an array with its dimensions.
static void digest_sample(const Node *leaf, const dew_AbcSample *sample, uint64_t digest[2])
{
    uint8_t bytes[24];
    dew_bytes_put64(bytes, (uint64_t)sample->element_count);
    dew_bytes_put64(bytes + 8, sample->digest[0]);
    dew_bytes_put64(bytes + 16, sample->digest[1]);
    if (leaf->form.is_array)
        dew_spooky(bytes, sizeof bytes, digest);
    else
        memcpy(digest, sample->digest, sizeof sample->digest);
}

void dew_abc_repeat(dew_AbcArchive *archive, int index, const dew_AbcSample *sample)
{
    uint64_t digest[2];
    if (!is_ok(archive))
        return;
    Node *leaf = node_at(archive, index);
    bool is_first = leaf->sample_count == 0;
    DEW_ASSERT(leaf->kind == LEAF && (leaf->form.is_timed || is_first));
    digest_sample(leaf, sample, digest);
    if (is_first || sample->size_bytes != leaf->last.size_bytes ||
        memcmp(sample->digest, leaf->last.digest, sizeof sample->digest) != 0)
        note(archive, add_change(leaf, sample));
    leaf->is_single = leaf->is_single && sample->element_count == 1;
    if (is_first) {
        memcpy(leaf->samples_digest, digest, sizeof digest);
    } else {
        leaf->has_equal_sizes =
            leaf->has_equal_sizes && sample->element_count == leaf->last.element_count;
        dew_spooky_combine(leaf->samples_digest, digest);
    }
    leaf->last = *sample;
    leaf->sample_count++;
}

void dew_abc_sample(dew_AbcArchive *archive, int index, const void *bytes, int64_t element_count)
{
    if (!is_ok(archive))
        return;
    const dew_AbcForm *form = &node_at(archive, index)->form;
    dew_AbcSample sample = {.element_count = element_count};
    DEW_ASSERT(form->is_array || element_count == 1);
    sample.size_bytes = element_count * form->extent * type_size(form->type);
    dew_murmur3(bytes, (size_t)sample.size_bytes, sample.digest);
    store(archive, bytes, &sample);
    dew_abc_repeat(archive, index, &sample);
}

dew_AbcSample dew_abc_last(const dew_AbcArchive *archive, int leaf)
{
    return is_ok(archive) ? node_at(archive, leaf)->last : (dew_AbcSample){0};
}

// ---- headers -----------------------------------------------------------------------------------

static void put_number(dew_AbcArchive *archive, dew_Array *bytes, uint64_t x, size_t size)
{
    uint8_t word[8];
    dew_bytes_put64(word, x);
    note(archive, dew_array_append(bytes, word, (int64_t)size));
}

static void put_bytes(dew_AbcArchive *archive, dew_Array *bytes, const void *data, size_t size)
{
    note(archive, dew_array_append(bytes, data, (int64_t)size));
}

static void put_double(dew_AbcArchive *archive, dew_Array *bytes, double x)
{
    uint8_t word[8];
    dew_bytes_put_double(word, x);
    put_bytes(archive, bytes, word, sizeof word);
}

// The number of a node's metadata; what is new gets one, if there is one left.
static int metadata_number(dew_AbcArchive *archive, const char *metadata)
{
    const char *const *known = DEW_ITEMS(&archive->metadata, const char *);
    if (!metadata[0])
        return 0;
    for (int i = 0; i < archive->metadata.count; i++)
        if (strcmp(known[i], metadata) == 0)
            return i + 1;
    if (archive->metadata.count == METADATA_MAX_COUNT || strlen(metadata) > METADATA_MAX_BYTES)
        return METADATA_IN_PLACE;
    note(archive, dew_array_push(&archive->metadata, &metadata));
    return (int)archive->metadata.count;
}

static void put_object_header(dew_AbcArchive *archive, dew_Array *bytes, const Node *object)
{
    int number = metadata_number(archive, object->metadata);
    put_number(archive, bytes, strlen(object->name), 4);
    put_bytes(archive, bytes, object->name, strlen(object->name));
    put_number(archive, bytes, (uint64_t)number, 1);
    if (number == METADATA_IN_PLACE) {
        put_number(archive, bytes, strlen(object->metadata), 4);
        put_bytes(archive, bytes, object->metadata, strlen(object->metadata));
    }
}

// The bits of a leaf's header, from the lowest: 0, 1 kind (1 single element, 2 array, 3 array of
// single elements); 2, 3 size of numbers; 4 to 7 type; 8 has time sampling; 9 has indices of
// changes; 10 equal numbers of elements; 11 never changes; 12 to 19 extent; 20 to 27 metadata.
static uint32_t leaf_bits(const Node *leaf, bool has_changes)
{
    uint32_t bits = leaf->form.is_array ? 2u | leaf->is_single : 1u;
    bits |= (uint32_t)leaf->form.type << 4;
    bits |= leaf->form.is_timed ? 1u << 8 : 0;
    bits |= has_changes ? 1u << 9 : 0;
    bits |= leaf->has_equal_sizes ? 1u << 10 : 0;
    bits |= leaf->last_change == 0 ? 1u << 11 : 0;
    return bits | (uint32_t)leaf->form.extent << 12;
}

// log2 of the bytes in which the header's numbers are stored.
static uint32_t number_hint(const Node *property)
{
    size_t largest = strlen(property->metadata);
    largest = strlen(property->name) > largest ? strlen(property->name) : largest;
    if (property->kind == LEAF && (size_t)property->sample_count > largest)
        largest = (size_t)property->sample_count;
    return largest < 256 ? 0 : largest < 65536 ? 1 : 2;
}

static void put_property_header(dew_AbcArchive *archive, dew_Array *bytes, const Node *property)
{
    int number = metadata_number(archive, property->metadata);
    uint32_t hint = number_hint(property);
    size_t size = (size_t)1 << hint;
    bool is_leaf = property->kind == LEAF;
    bool has_changes =
        is_leaf && property->last_change > 0 &&
        (property->first_change != 1 || property->last_change != property->sample_count - 1);
    uint32_t bits = (is_leaf ? leaf_bits(property, has_changes) : 0) | hint << 2;
    put_number(archive, bytes, bits | (uint32_t)number << 20, 4);
    if (is_leaf)
        put_number(archive, bytes, (uint64_t)property->sample_count, size);
    if (has_changes) {
        put_number(archive, bytes, (uint64_t)property->first_change, size);
        put_number(archive, bytes, (uint64_t)property->last_change, size);
    }
    if (is_leaf && property->form.is_timed)
        put_number(archive, bytes, 1, size);
    put_number(archive, bytes, strlen(property->name), size);
    put_bytes(archive, bytes, property->name, strlen(property->name));
    if (number == METADATA_IN_PLACE) {
        put_number(archive, bytes, strlen(property->metadata), size);
        put_bytes(archive, bytes, property->metadata, strlen(property->metadata));
    }
}

// Appends what of a property's header its digest covers.
static void put_property_identity(dew_AbcArchive *archive, dew_Array *bytes, const Node *property)
{
    put_bytes(archive, bytes, property->name, strlen(property->name));
    put_bytes(archive, bytes, property->metadata, strlen(property->metadata));
    if (property->kind != LEAF)
        return;
    const dew_AbcForm *form = &property->form;
    put_number(archive, bytes, (uint64_t)form->type, 1);
    put_number(archive, bytes, (uint64_t)form->extent, 1);
    if (!form->is_array)
        put_number(archive, bytes, 0, 1);
    put_double(archive, bytes, form->is_timed ? archive->time_per_frame_s : 1);
    put_number(archive, bytes, 1, 4);
    put_double(archive, bytes, form->is_timed ? archive->begin_s : 0);
    if (property->sample_count > 0)
        for (int k = 0; k < 2; k++)
            put_number(archive, bytes, property->samples_digest[k], 8);
}

// ---- the tree ----------------------------------------------------------------------------------

// Children of a node while it is written.
typedef struct Children {
    dew_Array references;  // uint64_t
    dew_Array headers;     // bytes
    dew_Array digests;     // bytes, later what the node's own digest covers
} Children;

static void children_init(Children *children, const dew_Allocator *allocator)
{
    dew_array_init(&children->references, allocator, sizeof(uint64_t));
    dew_array_init(&children->headers, allocator, 1);
    dew_array_init(&children->digests, allocator, 1);
}

static void children_deinit(Children *children)
{
    dew_array_deinit(&children->references);
    dew_array_deinit(&children->headers);
    dew_array_deinit(&children->digests);
}

static void add_child(dew_AbcArchive *archive, Children *children, Written child)
{
    note(archive, dew_array_push(&children->references, &child.reference));
    for (int k = 0; k < 2; k++)
        put_number(archive, &children->digests, child.digest[k], 8);
}

static uint64_t put_children(dew_AbcArchive *archive, Children *children)
{
    const dew_Array *headers = &children->headers;
    if (headers->count > 0) {
        uint64_t block =
            dew_ogawa_block(&archive->ogawa, NULL, 0, headers->data, (size_t)headers->count);
        note(archive, dew_array_push(&children->references, &block));
    }
    if (!is_ok(archive))
        return DEW_OGAWA_EMPTY_GROUP;
    return dew_ogawa_group(&archive->ogawa, DEW_ITEMS(&children->references, uint64_t),
                           children->references.count);
}

static Written put_leaf(dew_AbcArchive *archive, const Node *leaf)
{
    Written written = {0};
    dew_Array identity;
    int64_t count = leaf->last_change == 0 && leaf->sample_count > 0 ? 1 : leaf->sample_count;
    int64_t *max_samples = &archive->max_samples[leaf->form.is_timed];
    *max_samples = count > *max_samples ? count : *max_samples;
    dew_array_init(&identity, &archive->arena.allocator, 1);
    put_property_identity(archive, &identity, leaf);
    dew_spooky(identity.data, (size_t)identity.count, written.digest);
    dew_array_deinit(&identity);
    written.reference = dew_ogawa_group(&archive->ogawa, DEW_ITEMS(&leaf->references, uint64_t),
                                        leaf->references.count);
    return written;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as compounds nest, which is what a caller made
static Written put_compound(dew_AbcArchive *archive, int index)
{
    Written written = {0};
    Children children;
    children_init(&children, &archive->arena.allocator);
    for (int i = index + 1; i < archive->nodes.count && is_ok(archive); i++) {
        const Node *node = node_at(archive, i);
        if (node->parent != index || node->kind == OBJECT)
            continue;
        add_child(archive, &children,
                  node->kind == LEAF ? put_leaf(archive, node) : put_compound(archive, i));
        put_property_header(archive, &children.headers, node);
    }
    written.reference = put_children(archive, &children);
    const Node *compound = node_at(archive, index);
    if (compound->kind == COMPOUND)  // an object's own has no header
        put_property_identity(archive, &children.digests, compound);
    dew_spooky(children.digests.data, (size_t)children.digests.count, written.digest);
    children_deinit(&children);
    return written;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as objects nest, which is what a caller made
static Written put_object(dew_AbcArchive *archive, int index)
{
    Written written = {0}, properties = put_compound(archive, index);
    uint64_t objects[2] = {0, 0};
    const Node *object = node_at(archive, index);
    Children children;
    children_init(&children, &archive->arena.allocator);
    note(archive, dew_array_push(&children.references, &properties.reference));
    for (int i = index + 1; i < archive->nodes.count && is_ok(archive); i++) {
        const Node *node = node_at(archive, i);
        if (node->parent != index || node->kind != OBJECT)
            continue;
        add_child(archive, &children, put_object(archive, i));
        put_object_header(archive, &children.headers, node);
    }
    if (children.digests.count > 0)
        dew_spooky(children.digests.data, (size_t)children.digests.count, objects);
    for (int k = 0; k < 2; k++)
        put_number(archive, &children.headers, properties.digest[k], 8);
    for (int k = 0; k < 2; k++)
        put_number(archive, &children.headers, objects[k], 8);
    written.reference = put_children(archive, &children);
    for (int k = 0; k < 2; k++)
        put_number(archive, &children.digests, properties.digest[k], 8);
    put_bytes(archive, &children.digests, object->metadata, strlen(object->metadata));
    put_bytes(archive, &children.digests, object->name, strlen(object->name));
    dew_spooky(children.digests.data, (size_t)children.digests.count, written.digest);
    children_deinit(&children);
    return written;
}

// ---- the archive -------------------------------------------------------------------------------

// [largest number of samples][time per sample][count of times][times], of each sampling.
static uint64_t put_samplings(dew_AbcArchive *archive)
{
    dew_Array bytes;
    dew_array_init(&bytes, &archive->arena.allocator, 1);
    for (int k = 0; k < 2; k++) {
        put_number(archive, &bytes, (uint64_t)archive->max_samples[k], 4);
        put_double(archive, &bytes, k == 0 ? 1 : archive->time_per_frame_s);
        put_number(archive, &bytes, 1, 4);
        put_double(archive, &bytes, k == 0 ? 0 : archive->begin_s);
    }
    uint64_t block = dew_ogawa_block(&archive->ogawa, NULL, 0, bytes.data, (size_t)bytes.count);
    dew_array_deinit(&bytes);
    return block;
}

static uint64_t put_numbered_metadata(dew_AbcArchive *archive)
{
    dew_Array bytes;
    const char *const *texts = DEW_ITEMS(&archive->metadata, const char *);
    dew_array_init(&bytes, &archive->arena.allocator, 1);
    for (int64_t i = 0; i < archive->metadata.count; i++) {
        put_number(archive, &bytes, strlen(texts[i]), 1);
        put_bytes(archive, &bytes, texts[i], strlen(texts[i]));
    }
    uint64_t block = dew_ogawa_block(&archive->ogawa, NULL, 0, bytes.data, (size_t)bytes.count);
    dew_array_deinit(&bytes);
    return block;
}

dew_Status dew_abc_end(dew_AbcArchive *archive, const char *metadata)
{
    uint8_t version[4] = {0}, library[4];
    uint64_t root[6];
    if (!is_ok(archive))
        return archive->status;
    dew_bytes_put32(library, LIBRARY_VERSION);
    root[0] = dew_ogawa_block(&archive->ogawa, NULL, 0, version, sizeof version);
    root[1] = dew_ogawa_block(&archive->ogawa, NULL, 0, library, sizeof library);
    root[2] = put_object(archive, DEW_ABC_TOP).reference;
    root[3] = dew_ogawa_block(&archive->ogawa, NULL, 0, metadata, strlen(metadata));
    root[4] = put_samplings(archive);
    root[5] = put_numbered_metadata(archive);
    if (is_ok(archive))
        dew_ogawa_end(&archive->ogawa, dew_ogawa_group(&archive->ogawa, root, 6));
    return archive->status;
}
