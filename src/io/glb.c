// Writes glTF 2.0 as one binary file [Khronos2021]. The JSON comes before the arrays that it
// describes and is known after the last frame alone: arrays wait aside (io/spool.h).
//
// Clients that rasterise refract light by the thickness of what it goes through, which glTF has per
// material. It is set to the mean chord 4 V / S of a body of volume V and surface S (Cauchy), of
// the first mesh that has the material.
#include "io/glb.h"

#include "base/hash.h"
#include "base/status.h"
#include "io/glb_document.h"
#include "io/scalar.h"

#include <math.h>
#include <string.h>

#define HEADER_BYTES 12
#define CHUNK_BYTES  8
#define MAGIC        0x46546c67  // "glTF"
#define JSON_CHUNK   0x4e4f534a  // "JSON"
#define BIN_CHUNK    0x004e4942  // "BIN"

enum { BLOCK = 1024 };  // numbers that are converted at a time

// ---- arrays ------------------------------------------------------------------------------------

static dew_Status check_size(const dew_GlbDocument *d, int64_t more)
{
    if (dew_spool_size(&d->bin) + more <= d->max_bytes - (HEADER_BYTES + 2 * CHUNK_BYTES))
        return dew_ok();
    return dew_fail(DEW_BAD_INPUT,
                    "a .glb file holds at most %.3g GB: %lld of %lld frames fit (fewer frames, or "
                    "another format, would do)",
                    (double)d->max_bytes * 1e-9, (long long)d->times.count - 1,
                    (long long)d->def->frame_count);
}

static dew_Status add_array(dew_GlbDocument *d, const dew_GlbArray *array, int *index)
{
    *index = (int)d->arrays.count;
    return dew_array_push(&d->arrays, array);
}

static void find_bounds(const float *values, dew_GlbArray *array)
{
    for (int k = 0; k < array->components; k++) {
        array->min[k] = INFINITY;
        array->max[k] = -INFINITY;
    }
    for (int64_t i = 0; i < array->count; i++)
        for (int k = 0; k < array->components; k++) {
            float x = values[i * array->components + k];
            array->min[k] = fminf(array->min[k], x);
            array->max[k] = fmaxf(array->max[k], x);
        }
}

dew_Status dew_glb_add_floats(dew_GlbDocument *d, const float *values, int64_t count,
                              int components, int target, bool has_bounds, int *index)
{
    int64_t numbers = count * components;
    uint8_t block[4 * BLOCK];
    dew_GlbArray array = {.offset = dew_spool_size(&d->bin),
                          .bytes = 4 * numbers,
                          .count = count,
                          .components = components,
                          .component_type = DEW_GLB_FLOAT,
                          .target = target,
                          .has_bounds = has_bounds};
    DEW_TRY(check_size(d, array.bytes));
    if (has_bounds)
        find_bounds(values, &array);
    dew_Sink bin = dew_spool_sink(&d->bin);
    for (int64_t i = 0; i < numbers; i += BLOCK) {
        int64_t part = numbers - i < BLOCK ? numbers - i : BLOCK;
        for (int64_t k = 0; k < part; k++)
            dew_bytes_put_float(block + 4 * k, values[i + k]);
        dew_sink_write(&bin, block, (size_t)(4 * part));
    }
    DEW_TRY(dew_sink_end(&bin, dew_ok()));
    DEW_TRY(dew_spool_settle(&d->bin));
    return add_array(d, &array, index);
}

// 65535 restarts primitives and is no vertex.
static dew_Status add_indices(dew_GlbDocument *d, const dew_AnimationMesh *mesh, int *index)
{
    int size = mesh->vertex_count <= UINT16_MAX ? 2 : 4;
    int64_t numbers = 3 * mesh->triangle_count;
    uint8_t block[4 * BLOCK];
    dew_GlbArray array = {.offset = dew_spool_size(&d->bin),
                          .bytes = size * numbers,
                          .count = numbers,
                          .components = 1,
                          .component_type = size == 2 ? DEW_GLB_UINT16 : DEW_GLB_UINT32,
                          .target = DEW_GLB_INDICES};
    DEW_TRY(check_size(d, array.bytes + 2));
    dew_Sink bin = dew_spool_sink(&d->bin);
    for (int64_t i = 0; i < numbers; i += BLOCK) {
        int64_t part = numbers - i < BLOCK ? numbers - i : BLOCK;
        for (int64_t k = 0; k < part; k++) {
            uint32_t v = mesh->triangles[i + k];
            block[size * k] = (uint8_t)v;
            block[size * k + 1] = (uint8_t)(v >> 8);
            if (size == 4) {
                block[4 * k + 2] = (uint8_t)(v >> 16);
                block[4 * k + 3] = (uint8_t)(v >> 24);
            }
        }
        dew_sink_write(&bin, block, (size_t)(size * part));
    }
    dew_sink_write(&bin, (const uint8_t[4]){0}, (size_t)(-array.bytes & 3));
    DEW_TRY(dew_sink_end(&bin, dew_ok()));
    DEW_TRY(dew_spool_settle(&d->bin));
    return add_array(d, &array, index);
}

// Unit vectors are a must; a vertex without a triangle has none.
static dew_Status add_normals(dew_GlbDocument *d, const dew_AnimationMesh *mesh, int *index)
{
    dew_Array unit;
    dew_array_init(&unit, &d->allocator, 3 * sizeof(float));
    dew_Status status = dew_array_append(&unit, mesh->normals, mesh->vertex_count);
    for (int64_t i = 0; status.code == DEW_OK && i < mesh->vertex_count; i++) {
        float *n = DEW_ITEMS(&unit, float) + 3 * i;
        double x = (double)n[0], y = (double)n[1], z = (double)n[2];
        double length = sqrt(x * x + y * y + z * z);
        bool is_unit = length > 0 && isfinite(length);
        n[0] = is_unit ? (float)(x / length) : 0;
        n[1] = is_unit ? (float)(y / length) : 0;
        n[2] = is_unit ? (float)(z / length) : 1;
    }
    if (status.code == DEW_OK)
        status = dew_glb_add_floats(d, DEW_ITEMS(&unit, const float), mesh->vertex_count, 3,
                                    DEW_GLB_VERTICES, false, index);
    dew_array_deinit(&unit);
    return status;
}

// ---- meshes ------------------------------------------------------------------------------------

typedef struct Source {
    const void *data;
    int64_t count;   // of elements; 0: the mesh has none
    int components;  // of four bytes each
} Source;

static Source source_of(const dew_AnimationMesh *mesh, int slot)
{
    if (slot == DEW_GLB_POSITION)
        return (Source){mesh->positions, mesh->vertex_count, 3};
    if (slot == DEW_GLB_NORMAL)
        return (Source){mesh->normals, mesh->normals ? mesh->vertex_count : 0, 3};
    if (slot == DEW_GLB_VELOCITY)
        return (Source){mesh->velocities, mesh->velocities ? mesh->vertex_count : 0, 3};
    if (slot == DEW_GLB_INDEX)
        return (Source){mesh->triangles, mesh->triangle_count, 3};
    const dew_AnimationAttribute *attribute = &mesh->attributes[slot - DEW_GLB_FIXED_SLOTS];
    return (Source){attribute->values, mesh->vertex_count, attribute->component_count};
}

// The array of a slot: written, or that of the mesh before where nothing has changed.
static dew_Status add_slot(dew_GlbDocument *d, const dew_AnimationMesh *mesh, int slot,
                           dew_GlbMemory *memory, bool *is_new)
{
    Source source = source_of(mesh, slot);
    if (source.count == 0) {
        *is_new = *is_new || memory->array != DEW_INVALID;
        *memory = (dew_GlbMemory){.array = DEW_INVALID};
        return dew_ok();
    }
    // Indices of 16 and of 32 bits are not the same array.
    uint64_t seed = slot == DEW_GLB_INDEX && mesh->vertex_count <= UINT16_MAX;
    uint64_t hash = dew_hash(source.data, (size_t)(4 * source.count * source.components), seed);
    if (memory->array != DEW_INVALID && memory->count == source.count && memory->hash == hash)
        return dew_ok();
    *is_new = true;
    memory->hash = hash;
    memory->count = source.count;
    if (slot == DEW_GLB_INDEX)
        return add_indices(d, mesh, &memory->array);
    if (slot == DEW_GLB_NORMAL)
        return add_normals(d, mesh, &memory->array);
    return dew_glb_add_floats(d, source.data, source.count, source.components, DEW_GLB_VERTICES,
                              slot == DEW_GLB_POSITION, &memory->array);
}

static double mean_chord(const dew_AnimationMesh *mesh)
{
    double volume6 = 0, area2 = 0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        double x[3][3], n[3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                x[i][k] = (double)mesh->positions[3 * (int64_t)mesh->triangles[3 * t + i] + k];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            n[k] = (x[1][l] - x[0][l]) * (x[2][m] - x[0][m]) -
                   (x[1][m] - x[0][m]) * (x[2][l] - x[0][l]);
        }
        volume6 += x[0][0] * n[0] + x[0][1] * n[1] + x[0][2] * n[2];
        area2 += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    }
    return volume6 > 0 && area2 > 0 ? 4 * (volume6 / 6) / (area2 / 2) : 0;
}

static dew_Status add_mesh(dew_GlbDocument *d, int object, const dew_AnimationMesh *mesh)
{
    dew_GlbObject *o = &d->objects[object];
    const dew_AnimationObject *def = &d->def->objects[object];
    bool is_new = o->mesh == DEW_INVALID;
    for (int slot = 0; slot < o->memory.count; slot++)
        DEW_TRY(add_slot(d, mesh, slot, &DEW_ITEMS(&o->memory, dew_GlbMemory)[slot], &is_new));
    if (!is_new)
        return dew_ok();
    dew_GlbMesh item = {object, d->times.count - 1, d->slots.count};
    for (int slot = 0; slot < o->memory.count; slot++)
        DEW_TRY(dew_array_push(&d->slots, &DEW_ITEMS(&o->memory, dew_GlbMemory)[slot].array));
    o->mesh = (int)d->meshes.count;
    o->mesh_count++;
    if (d->thickness[def->material] < 0)
        d->thickness[def->material] = mean_chord(mesh);
    return dew_array_push(&d->meshes, &item);
}

static bool is_seen(const dew_AnimationObject *object, const dew_AnimationMesh *mesh)
{
    return mesh->vertex_count > 0 &&
           (mesh->triangle_count > 0 || object->kind == DEW_ANIMATION_PARTICLES);
}

static dew_Status show(dew_GlbDocument *d, int object)
{
    dew_GlbObject *o = &d->objects[object];
    int64_t frame = d->times.count - 1;
    dew_GlbSegment *last =
        o->segment >= 0 ? &DEW_ITEMS(&d->segments, dew_GlbSegment)[o->segment] : NULL;
    if (last && last->end == frame && last->mesh == o->mesh) {
        last->end = frame + 1;
        return dew_ok();
    }
    dew_GlbSegment segment = {object, o->mesh, frame, frame + 1};
    o->segment = d->segments.count;
    o->segment_count++;
    return dew_array_push(&d->segments, &segment);
}

static dew_Status add_state(dew_GlbDocument *d, int object, const dew_AnimationState *state)
{
    dew_GlbObject *o = &d->objects[object];
    const dew_AnimationObject *def = &d->def->objects[object];
    if (o->poses.count == 0 || !def->has_static_pose)
        DEW_TRY(dew_array_push(&o->poses, &state->pose));
    if (state->mesh) {
        o->is_shown = is_seen(def, state->mesh);
        if (o->is_shown)
            DEW_TRY(add_mesh(d, object, state->mesh));
    }
    return state->is_visible && o->is_shown ? show(d, object) : dew_ok();
}

static dew_Status add_frame(void *writer, double time_s, const dew_AnimationState *states)
{
    dew_GlbDocument *d = writer;
    if (d->times.count == 0)
        d->first_time_s = time_s;
    float time = (float)(time_s - d->first_time_s);
    DEW_TRY(dew_array_push(&d->times, &time));
    for (int i = 0; i < d->def->object_count; i++)
        DEW_TRY(add_state(d, i, &states[i]));
    return dew_ok();
}

// ---- the file ----------------------------------------------------------------------------------

static void put_words(dew_Sink *sink, const uint32_t *words, int count)
{
    for (int i = 0; i < count; i++) {
        uint8_t bytes[4];
        dew_bytes_put32(bytes, words[i]);
        dew_sink_write(sink, bytes, sizeof bytes);
    }
}

static dew_Status write_file(dew_GlbDocument *d, const dew_Array *json)
{
    int64_t json_bytes = (json->count + 3) / 4 * 4, bin_bytes = dew_spool_size(&d->bin);
    bool has_bin = bin_bytes > 0;
    int64_t total =
        HEADER_BYTES + CHUNK_BYTES + json_bytes + (has_bin ? CHUNK_BYTES + bin_bytes : 0);
    DEW_TRY(check_size(d, json_bytes));
    put_words(d->sink, (const uint32_t[]){MAGIC, 2, (uint32_t)total}, 3);
    put_words(d->sink, (const uint32_t[]){(uint32_t)json_bytes, JSON_CHUNK}, 2);
    dew_sink_write(d->sink, json->data, (size_t)json->count);
    dew_sink_write(d->sink, "   ", (size_t)(json_bytes - json->count));
    if (!has_bin)
        return dew_ok();
    put_words(d->sink, (const uint32_t[]){(uint32_t)bin_bytes, BIN_CHUNK}, 2);
    return dew_spool_copy(&d->bin, 0, bin_bytes, d->sink);
}

static dew_Status finish(void *writer)
{
    dew_GlbDocument *d = writer;
    dew_Array json;
    dew_Sink sink;
    DEW_TRY(dew_glb_make_nodes(d));
    dew_array_init(&json, &d->allocator, 1);
    dew_sink_begin_memory(&sink, &json);
    dew_glb_write_json(d, &sink);
    dew_Status status = dew_sink_end(&sink, dew_ok());
    if (status.code == DEW_OK)
        status = write_file(d, &json);
    dew_array_deinit(&json);
    return status;
}

// ---- making and ending -------------------------------------------------------------------------

static void destroy(void *writer)
{
    dew_GlbDocument *d = writer;
    if (!d)
        return;
    for (int i = 0; d->objects && i < d->def->object_count; i++) {
        dew_array_deinit(&d->objects[i].poses);
        dew_array_deinit(&d->objects[i].memory);
    }
    dew_Allocator allocator = d->allocator;
    if (d->objects)
        dew_free(&allocator, d->objects, (size_t)d->def->object_count * sizeof *d->objects);
    if (d->thickness)
        dew_free(&allocator, d->thickness, (size_t)d->def->material_count * sizeof *d->thickness);
    dew_Array *arrays[] = {&d->times,    &d->arrays, &d->slots,   &d->meshes,
                           &d->segments, &d->nodes,  &d->channels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        dew_array_deinit(arrays[i]);
    dew_spool_deinit(&d->bin);
    dew_free(&allocator, d, sizeof *d);
}

static dew_Status begin_objects(dew_GlbDocument *d)
{
    const dew_AnimationDef *def = d->def;
    d->objects = dew_alloc(&d->allocator, def->object_count, sizeof *d->objects);
    d->thickness = dew_alloc(&d->allocator, def->material_count, sizeof *d->thickness);
    if (!d->objects || !d->thickness)
        return dew_no_memory((size_t)def->object_count * sizeof *d->objects);
    for (int i = 0; i < def->material_count; i++)
        d->thickness[i] = -1;
    for (int i = 0; i < def->object_count; i++) {
        dew_GlbObject *o = &d->objects[i];
        o->mesh = DEW_INVALID;
        o->segment = DEW_INVALID;
        dew_array_init(&o->poses, &d->allocator, sizeof(dew_AnimationPose));
        dew_array_init(&o->memory, &d->allocator, sizeof(dew_GlbMemory));
        for (int k = 0; k < DEW_GLB_FIXED_SLOTS + def->objects[i].attribute_count; k++)
            DEW_TRY(dew_array_push(&o->memory, &(dew_GlbMemory){.array = DEW_INVALID}));
    }
    return dew_ok();
}

static dew_Status check_attributes(const dew_AnimationDef *def)
{
    for (int i = 0; i < def->object_count; i++)
        for (int k = 0; k < def->objects[i].attribute_count; k++) {
            int components = def->objects[i].attribute_component_counts[k];
            if (components < 1 || components > 4)
                return dew_fail(DEW_UNSUPPORTED,
                                "glTF has attributes of 1 to 4 numbers per vertex; %s has %d",
                                def->objects[i].attribute_names[k], components);
        }
    return dew_ok();
}

static dew_Status create(const dew_AnimationDef *def, const dew_Allocator *allocator,
                         dew_Sink *sink, void **out)
{
    *out = NULL;
    DEW_TRY(check_attributes(def));
    dew_GlbDocument *d = dew_alloc(allocator, 1, sizeof *d);
    if (!d)
        return dew_no_memory(sizeof *d);
    d->def = def;
    d->sink = sink;
    d->max_bytes = UINT32_MAX;
    if (allocator)
        d->allocator = *allocator;
    dew_array_init(&d->times, allocator, sizeof(float));
    dew_array_init(&d->arrays, allocator, sizeof(dew_GlbArray));
    dew_array_init(&d->slots, allocator, sizeof(int));
    dew_array_init(&d->meshes, allocator, sizeof(dew_GlbMesh));
    dew_array_init(&d->segments, allocator, sizeof(dew_GlbSegment));
    dew_array_init(&d->nodes, allocator, sizeof(dew_GlbNode));
    dew_array_init(&d->channels, allocator, sizeof(dew_GlbChannel));
    dew_spool_init(&d->bin, sink, DEW_SPOOL_MEMORY_BYTES, allocator);
    dew_Status status = begin_objects(d);
    if (status.code == DEW_OK)
        *out = d;
    else
        destroy(d);
    return status;
}

void dew_glb_set_limit(void *writer, int64_t max_bytes)
{
    dew_GlbDocument *d = writer;
    d->max_bytes = max_bytes;
}

const dew_AnimationOps dew_glb_ops = {"glb", create, add_frame, finish, destroy};
