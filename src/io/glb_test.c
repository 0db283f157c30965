// A .glb file read back: header and chunks, and by a small reader of JSON every accessor, node and
// track against what the writer was handed.
#include "io/glb.h"

#include "base/testing.h"
#include "io/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 4 };
#define RATE_HZ 10.0

// ---- a reader of JSON --------------------------------------------------------------------------

// Position behind a value.
static const char *skip_value(const char *p)
{
    int depth = 0;
    do {
        if (*p == '"') {
            for (p++; *p != '"'; p++)
                p += *p == '\\';
        } else {
            depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
            assert_int_not_equal(*p, 0);
        }
        p++;
    } while (depth > 0 || (*p && *p != ',' && *p != '}' && *p != ']'));
    return p;
}

// The value of a key of an object, NULL: it has none.
static const char *at_key(const char *p, const char *key)
{
    assert_int_equal(*p, '{');
    for (p++; *p != '}';) {
        const char *end = strchr(p + 1, '"');
        bool is_it = (size_t)(end - p - 1) == strlen(key) && strncmp(p + 1, key, strlen(key)) == 0;
        if (is_it)
            return end + 2;
        p = skip_value(end + 2);
        p += *p == ',';
    }
    return NULL;
}

// The value at an index of a list, NULL: it is shorter.
static const char *at(const char *p, int index)
{
    assert_int_equal(*p, '[');
    p++;
    for (int i = 0; i < index && *p != ']'; i++) {
        p = skip_value(p);
        p += *p == ',';
    }
    return *p != ']' ? p : NULL;
}

static int length(const char *p)
{
    int count = 0;
    while (at(p, count))
        count++;
    return count;
}

static double number(const char *object, const char *key)
{
    const char *value = at_key(object, key);
    if (!value)
        fail_msg("no %s in %.60s", key, object);
    return value ? strtod(value, NULL) : 0;
}

static bool is_text(const char *object, const char *key, const char *expected)
{
    const char *value = at_key(object, key);
    return value && strncmp(value + 1, expected, strlen(expected)) == 0 &&
           value[1 + strlen(expected)] == '"';
}

static const char *list_item(const char *json, const char *list, int index)
{
    const char *value = at_key(json, list), *item = value ? at(value, index) : NULL;
    if (!item)
        fail_msg("no %s[%d]", list, index);
    return item;
}

// ---- the file ----------------------------------------------------------------------------------

typedef struct File {
    dew_Array bytes;
    char *json;
    const uint8_t *bin;
    uint32_t bin_bytes;
} File;

static uint32_t word(const uint8_t *p)
{
    return (uint32_t)dew_bytes_get(p, 4, false);
}

static void open_file(File *file)
{
    const uint8_t *p = file->bytes.data;
    assert_memory_equal(p, "glTF", 4);
    assert_int_equal(word(p + 4), 2);
    assert_int_equal(word(p + 8), file->bytes.count);
    uint32_t json_bytes = word(p + 12);
    assert_memory_equal(p + 16, "JSON", 4);
    assert_int_equal(json_bytes % 4, 0);
    file->json = calloc(json_bytes + 1, 1);
    assert_non_null(file->json);
    memcpy(file->json, p + 20, json_bytes);
    const uint8_t *chunk = p + 20 + json_bytes;
    assert_memory_equal(chunk + 4, "BIN\0", 4);
    file->bin = chunk + 8;
    file->bin_bytes = word(chunk);
    assert_int_equal(file->bin_bytes % 4, 0);
    assert_int_equal(20 + json_bytes + 8 + file->bin_bytes, file->bytes.count);
    assert_int_equal(number(list_item(file->json, "buffers", 0), "byteLength"), file->bin_bytes);
}

static void close_file(File *file)
{
    free(file->json);
    dew_array_deinit(&file->bytes);
}

// The bytes of an accessor, whose buffer view must be as long as it and lie in the chunk.
static const uint8_t *accessor(const File *file, int index, int *count)
{
    const char *a = list_item(file->json, "accessors", index);
    const char *view = list_item(file->json, "bufferViews", (int)number(a, "bufferView"));
    int type = (int)number(a, "componentType"), size = type == 5123 ? 2 : 4;
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    int components = 0;
    for (int i = 0; i < 4; i++)
        if (is_text(a, "type", types[i]))
            components = i + 1;
    *count = (int)number(a, "count");
    assert_int_equal(number(view, "byteLength"), *count * components * size);
    assert_int_equal((int)number(view, "byteOffset") % 4, 0);
    assert_true(number(view, "byteOffset") + number(view, "byteLength") <= file->bin_bytes);
    return file->bin + (int)number(view, "byteOffset");
}

static float float_at(const uint8_t *p, int64_t index)
{
    uint32_t bits = word(p + 4 * index);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void expect_floats(const File *file, int index, const float *expected, int64_t numbers)
{
    int count;
    const uint8_t *p = accessor(file, index, &count);
    for (int64_t i = 0; i < numbers; i++)
        assert_true(float_at(p, i) == expected[i]);
}

// ---- what is written ---------------------------------------------------------------------------

static const char *const names[] = {"wet", "drop!"};
static const int component_counts[] = {1, 1};
static const dew_AnimationObject objects[] = {
    {.name = "the \"sea\"",
     .has_static_pose = true,
     .attribute_count = 2,
     .attribute_names = names,
     .attribute_component_counts = component_counts,
     .has_normals = true,
     .has_velocities = true},
    {.name = "paddle", .kind = DEW_ANIMATION_SOLID, .material = 1, .has_static_mesh = true},
    {.name = "dust", .kind = DEW_ANIMATION_PARTICLES, .material = 1, .has_static_pose = true},
};
static const dew_AnimationMaterial materials[] = {
    {.name = "water",
     .color = {1, 1, 1},
     .transmission = 1,
     .ior = 1.333,
     .absorption = {100, 200, 300}},
    {.name = "steel", .color = {0.5, 0.25, 0.125}, .roughness = 0.5, .metalness = 1},
};
static const dew_AnimationCamera camera = {{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 0.5, 200, 100};
static const dew_AnimationLight lights[] = {{{0, -1, 0}, {2, 1, 0}, 3}};

static dew_AnimationDef sample_def(void)
{
    return (dew_AnimationDef){.title = "t\xc3\xa9st",
                              .software = "Dew",
                              .first_frame = 7,
                              .frame_count = FRAMES,
                              .frame_rate_Hz = RATE_HZ,
                              .meters_per_unit = 0.001,
                              .object_count = 3,
                              .objects = objects,
                              .material_count = 2,
                              .materials = materials,
                              .camera = &camera,
                              .light_count = 1,
                              .lights = lights};
}

// A tetrahedron, larger from frame to frame; frame 2 has the mesh of frame 1, frame 3 another
// `wet` alone.
typedef struct Sample {
    float positions[12], normals[12], velocities[12], wet[4], drop[4];
    dew_AnimationAttribute attributes[2];
    dew_AnimationMesh mesh;
} Sample;

static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void fill_sample(Sample *s, int frame)
{
    static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    int shape = frame < 2 ? frame : 1;
    for (int i = 0; i < 12; i++) {
        s->positions[i] = corners[i] * (float)(shape + 1);
        s->normals[i] = i % 3 == 0 ? 2 : 0;  // to be made unit
        s->velocities[i] = (float)(i + 100 * shape);
    }
    memset(s->normals + 9, 0, 12);
    for (int i = 0; i < 4; i++) {
        s->wet[i] = frame == 3 && i == 2 ? 1 : 0;
        s->drop[i] = 12;
    }
    s->attributes[0] = (dew_AnimationAttribute){"wet", 1, s->wet};
    s->attributes[1] = (dew_AnimationAttribute){"drop!", 1, s->drop};
    s->mesh =
        (dew_AnimationMesh){4, s->positions, s->normals, s->velocities, 4, faces, 2, s->attributes};
}

static dew_AnimationPose sample_pose(int frame)
{
    double angle = 0.4 * frame, sign = frame == 2 ? -1 : 1;  // the same rotation, by sign
    return (dew_AnimationPose){{0, sign * sin(angle / 2), 0, sign * cos(angle / 2)},
                               {0.5 * frame, 0, 0}};
}

static dew_Status write_frame(void *writer, int frame)
{
    Sample liquid;
    fill_sample(&liquid, frame);
    static const float points[6] = {0, 0, 0, 1, 2, 3};
    dew_AnimationMesh paddle = {
        .vertex_count = 4, .positions = liquid.positions, .triangle_count = 4, .triangles = faces};
    dew_AnimationMesh dust = {.vertex_count = 2, .positions = points};
    dew_AnimationMesh nothing = {0};
    const dew_AnimationPose rest = {{0, 0, 0, 1}, {0, 0, 0}};
    dew_AnimationState states[3] = {
        {frame == 2 ? NULL : &liquid.mesh, rest, true},
        {frame == 0 ? &paddle : NULL, sample_pose(frame), true},
        {frame == 1 || frame == 2 ? &dust : &nothing, rest, frame == 1 || frame == 2}};
    return dew_glb_ops.frame(writer, (7 + frame) / RATE_HZ, states);
}

static dew_Status write_sample(dew_Sink *sink, const dew_Allocator *allocator, int64_t limit)
{
    dew_AnimationDef def = sample_def();
    void *writer;
    DEW_TRY(dew_glb_ops.create(&def, allocator, sink, &writer));
    if (limit > 0)
        dew_glb_set_limit(writer, limit);
    dew_Status status = dew_ok();
    for (int frame = 0; frame < FRAMES && status.code == DEW_OK; frame++)
        status = write_frame(writer, frame);
    if (status.code == DEW_OK)
        status = dew_glb_ops.finish(writer);
    dew_glb_ops.destroy(writer);
    return status;
}

static void write_to_memory(File *file)
{
    dew_Sink sink;
    dew_array_init(&file->bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &file->bytes);
    assert_ok(dew_sink_end(&sink, write_sample(&sink, NULL, 0)));
    open_file(file);
}

// ---- tests -------------------------------------------------------------------------------------

static void check_primitive(const File *file, const char *node, int frame)
{
    Sample sample;
    int count;
    fill_sample(&sample, frame);
    const char *mesh = list_item(file->json, "meshes", (int)number(node, "mesh"));
    const char *primitive = list_item(mesh, "primitives", 0);
    const char *attributes = at_key(primitive, "attributes");
    expect_floats(file, (int)number(attributes, "POSITION"), sample.positions, 12);
    expect_floats(file, (int)number(attributes, "_VELOCITY"), sample.velocities, 12);
    expect_floats(file, (int)number(attributes, "_WET"), sample.wet, 4);
    expect_floats(file, (int)number(attributes, "_DROP_"), sample.drop, 4);
    static const float normals[12] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1};
    expect_floats(file, (int)number(attributes, "NORMAL"), normals, 12);
    const uint8_t *indices = accessor(file, (int)number(primitive, "indices"), &count);
    assert_int_equal(count, 12);
    for (int i = 0; i < 12; i++)
        assert_int_equal(dew_bytes_get(indices + 2 * i, 2, false), faces[i]);
    const char *bounds =
        at_key(list_item(file->json, "accessors", (int)number(attributes, "POSITION")), "max");
    for (int k = 0; k < 3; k++)
        assert_true(strtod(at(bounds, k), NULL) == (double)sample.positions[3 * k + 3 + k]);
}

// Meshes of frames, with arrays in common where nothing has changed.
static void test_meshes(void **state)
{
    (void)state;
    File file;
    write_to_memory(&file);
    const char *nodes = at_key(file.json, "nodes"), *sea = at(nodes, 0);
    assert_true(is_text(sea, "name", "the \\\"sea\\\""));
    assert_int_equal(length(at_key(sea, "children")), 3);  // frames 0, 1 and 2, 3
    static const int frames[3] = {0, 1, 3};
    static const char *const children[3] = {"the \\\"sea\\\".0007", "the \\\"sea\\\".0008",
                                            "the \\\"sea\\\".0010"};
    for (int i = 0; i < 3; i++) {
        const char *node = at(nodes, (int)strtod(at(at_key(sea, "children"), i), NULL));
        assert_true(is_text(node, "name", children[i]));
        assert_true((at_key(node, "scale") != NULL) == (i > 0));
        check_primitive(&file, node, frames[i]);
    }
    // Frame 3 has positions, normals, velocities, indices and drops of frame 1.
    const char *meshes = at_key(file.json, "meshes");
    const char *before = at_key(list_item(at(meshes, 2), "primitives", 0), "attributes");
    const char *after = at_key(list_item(at(meshes, 4), "primitives", 0), "attributes");
    assert_int_equal(number(before, "POSITION"), number(after, "POSITION"));
    assert_int_equal(number(before, "_DROP_"), number(after, "_DROP_"));
    assert_int_not_equal(number(before, "_WET"), number(after, "_WET"));
    assert_int_equal(length(meshes), 5);
    const char *dust = list_item(list_item(file.json, "meshes", 3), "primitives", 0);
    assert_int_equal(number(dust, "mode"), 0);
    assert_null(at_key(dust, "indices"));
    close_file(&file);
}

// The value of a track at a time: of the key before it, and how far it is to the next.
static void expect_track(const File *file, int node, const char *path, double time,
                         const float *expected, int components)
{
    const char *animation = list_item(file->json, "animations", 0);
    const char *channels = at_key(animation, "channels");
    for (int i = 0; i < length(channels); i++) {
        const char *target = at_key(at(channels, i), "target");
        if (number(target, "node") != node || !is_text(target, "path", path))
            continue;
        const char *sampler =
            list_item(animation, "samplers", (int)number(at(channels, i), "sampler"));
        int keys, values, key = 0;
        const uint8_t *times = accessor(file, (int)number(sampler, "input"), &keys);
        const uint8_t *output = accessor(file, (int)number(sampler, "output"), &values);
        assert_int_equal(keys, values);
        assert_true(float_at(times, 0) == 0);
        for (int k = 1; k < keys; k++) {
            assert_true(float_at(times, k) > float_at(times, k - 1));
            key = (double)float_at(times, k) <= time + 1e-6 ? k : key;
        }
        for (int k = 0; k < components; k++)
            assert_within((double)float_at(output, components * key + k), (double)expected[k],
                          1e-6);
        assert_true(is_text(sampler, "interpolation", "STEP") == (strcmp(path, "scale") == 0));
        return;
    }
    fail_msg("node %d has no track of %s", node, path);
}

// Which node is seen when, and where the paddle is.
static void test_tracks(void **state)
{
    (void)state;
    File file;
    write_to_memory(&file);
    static const bool is_seen[3][FRAMES] = {
        {true, false, false, false}, {false, true, true, false}, {false, false, false, true}};
    for (int i = 0; i < 3; i++)
        for (int frame = 0; frame < FRAMES; frame++) {
            float scale = is_seen[i][frame] ? 1 : 0;
            expect_track(&file, 1 + i, "scale", frame / RATE_HZ,
                         (const float[]){scale, scale, scale}, 3);
        }
    expect_track(&file, 3, "scale", FRAMES / RATE_HZ, (const float[]){1, 1, 1}, 3);  // to the end
    for (int frame = 0; frame < FRAMES; frame++) {
        double half = 0.2 * frame;
        const float rotation[4] = {0, (float)sin(half), 0, (float)cos(half)};  // one sign
        expect_track(&file, 4, "translation", frame / RATE_HZ,
                     (const float[]){0.5f * (float)frame, 0, 0}, 3);
        expect_track(&file, 4, "rotation", frame / RATE_HZ, rotation, 4);
    }
    const char *dust = list_item(file.json, "nodes", 5);
    assert_true(is_text(dust, "name", "dust"));
    expect_track(&file, 5, "scale", 0.15, (const float[]){1, 1, 1}, 3);
    expect_track(&file, 5, "scale", 0.35, (const float[]){0, 0, 0}, 3);
    close_file(&file);
}

// x turned by the quaternion of a node.
static void turned(const char *node, const double x[3], double out[3])
{
    const char *rotation = at_key(node, "rotation");
    double q[4] = {0, 0, 0, 1}, t[3];
    for (int k = 0; rotation && k < 4; k++)
        q[k] = strtod(at(rotation, k), NULL);
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        t[k] = 2 * (q[l] * x[m] - q[m] * x[l]);
    }
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = x[k] + q[3] * t[k] + q[l] * t[m] - q[m] * t[l];
    }
}

static void test_looks(void **state)
{
    (void)state;
    File file;
    double direction[3];
    write_to_memory(&file);
    const char *water = at_key(list_item(file.json, "materials", 0), "extensions");
    assert_true(number(at_key(water, "KHR_materials_ior"), "ior") == 1.333);
    const char *volume = at_key(water, "KHR_materials_volume");
    // 4 V / S of the tetrahedron of three right angles.
    assert_near(number(volume, "thicknessFactor"), 4.0 / 6 / (1.5 + sqrt(3) / 2), 1e-6);
    assert_near(number(volume, "attenuationDistance"), 1.0 / 200, 1e-12);
    assert_near(strtod(at(at_key(volume, "attenuationColor"), 2), NULL), exp(-1.5), 1e-12);
    const char *steel = list_item(file.json, "materials", 1);
    assert_true(number(at_key(steel, "pbrMetallicRoughness"), "metallicFactor") == 1);
    assert_null(at_key(steel, "extensions"));
    const char *seen = at_key(list_item(file.json, "cameras", 0), "perspective");
    assert_true(number(seen, "aspectRatio") == 2 && number(seen, "yfov") == 0.5);
    const char *nodes = at_key(file.json, "nodes");
    turned(at(nodes, 6), (const double[]){0, 0, -1}, direction);
    assert_within(direction[2], -1, 1e-12);
    turned(at(nodes, 7), (const double[]){0, 0, -1}, direction);
    assert_within(direction[1], -1, 1e-12);
    const char *punctual = at_key(at_key(file.json, "extensions"), "KHR_lights_punctual");
    assert_true(number(list_item(punctual, "lights", 0), "intensity") == 6);  // color at most 1
    const char *extras = at_key(at_key(file.json, "asset"), "extras");
    assert_true(number(extras, "first_frame") == 7 && number(extras, "frame_rate_Hz") == RATE_HZ);
    assert_int_equal(length(at_key(file.json, "extensionsUsed")), 4);
    close_file(&file);
}

// More vertices than 16 bits count; the same bytes from file and memory.
static void test_file_is_memory(void **state)
{
    (void)state;
    static const char path[] = "glb_test.glb";
    File file;
    dew_Sink sink;
    uint8_t *data;
    size_t size;
    write_to_memory(&file);
    assert_ok(dew_sink_begin_file(&sink, path, NULL));
    assert_ok(dew_sink_end(&sink, write_sample(&sink, NULL, 0)));
    assert_ok(dew_file_read(path, 1 << 20, NULL, &data, &size));
    assert_int_equal(size, file.bytes.count);
    assert_memory_equal(data, file.bytes.data, size);
    dew_free(NULL, data, size + 1);
    unlink(path);
    close_file(&file);
}

static void test_wide_indices(void **state)
{
    (void)state;
    enum { VERTICES = 65536 };
    float *positions = calloc(3 * VERTICES, sizeof *positions);
    const uint32_t triangle[3] = {0, 1, VERTICES - 1};
    dew_AnimationObject object = {.name = "sea", .has_static_pose = true};
    dew_AnimationDef def = sample_def();
    def.object_count = 1;
    def.objects = &object;
    assert_non_null(positions);
    for (int64_t count = VERTICES - 1; count <= VERTICES; count++) {
        dew_AnimationMesh mesh = {.vertex_count = count,
                                  .positions = positions,
                                  .triangle_count = 1,
                                  .triangles = triangle};
        dew_AnimationState only = {&mesh, {{0, 0, 0, 1}, {0, 0, 0}}, true};
        dew_Sink sink;
        File file;
        void *writer;
        dew_array_init(&file.bytes, NULL, 1);
        dew_sink_begin_memory(&sink, &file.bytes);
        assert_ok(dew_glb_ops.create(&def, NULL, &sink, &writer));
        assert_ok(dew_glb_ops.frame(writer, 0, &only));
        assert_ok(dew_sink_end(&sink, dew_glb_ops.finish(writer)));
        dew_glb_ops.destroy(writer);
        open_file(&file);
        int type = (int)number(list_item(file.json, "accessors", 1), "componentType"), indices;
        assert_int_equal(type, count < VERTICES ? 5123 : 5125);
        const uint8_t *p = accessor(&file, 1, &indices);
        assert_int_equal(dew_bytes_get(p, type == 5125 ? 4 : 2, false), 0);
        if (type == 5125)
            assert_int_equal(word(p + 8), VERTICES - 1);
        assert_null(at_key(file.json, "animations"));
        close_file(&file);
    }
    free(positions);
}

static void test_too_large(void **state)
{
    (void)state;
    dew_Array bytes;
    dew_Sink sink;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_Status status = dew_sink_end(&sink, write_sample(&sink, NULL, 360));
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "1 of 4 frames fit"));
    dew_array_deinit(&bytes);
}

static dew_Status write_with(void *context, const dew_Allocator *allocator)
{
    dew_Array bytes;
    dew_Sink sink;
    (void)context;
    dew_array_init(&bytes, allocator, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_Status status = dew_sink_end(&sink, write_sample(&sink, allocator, 0));
    dew_array_deinit(&bytes);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    assert_survives_lack_of_memory(write_with, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),       cmocka_unit_test(test_tracks),
        cmocka_unit_test(test_looks),        cmocka_unit_test(test_file_is_memory),
        cmocka_unit_test(test_wide_indices), cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
