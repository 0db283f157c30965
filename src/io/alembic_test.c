// Alembic files: what a reader of the structure finds is what was written.
#include "io/alembic.h"

#include "base/hash.h"
#include "io/alembic_core.h"
#include "io/alembic_names.h"
#include "io/alembic_reader_test.h"
#include "io/animation_sample.h"

#include <stdio.h>

#define GOLDEN_SIZE 10567
#define GOLDEN_HASH 0x1fb049e49254121e

static dew_Array write_sample(void)
{
    dew_Array bytes;
    dew_Sink sink;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    assert_ok(dew_sink_end(&sink, dew_sample_write(&dew_alembic_ops, &sink, NULL)));
    return bytes;
}

// The compound of the schema in NAME/NAMEShape, or in NAME when `is_xform`.
static uint64_t find_schema(const dew_AbcFile *file, const char *name, bool is_xform,
                            const char *schema)
{
    char metadata[256], shape[64], expected[128];
    dew_AbcProperty property;
    uint64_t object = dew_abc_find_object(file, file->root[2], name, metadata);
    assert_string_equal(metadata, "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform");
    if (!is_xform) {
        snprintf(shape, sizeof shape, "%sShape", name);
        object = dew_abc_find_object(file, object, shape, metadata);
    }
    snprintf(expected, sizeof expected, "schema=%s;", schema);
    assert_memory_equal(metadata, expected, strlen(expected));
    dew_abc_find_property(file, dew_abc_child(file, object, 0), is_xform ? ".xform" : ".geom",
                          false, &property);
    assert_int_equal(property.kind, 0);
    assert_memory_equal(property.metadata, expected, strlen(expected) - 1);
    return property.group;
}

static void expect_floats(const dew_AbcFile *file, uint64_t compound, const char *name,
                          int64_t frame, const float *values, int64_t count, int extent)
{
    dew_AbcProperty property;
    size_t size;
    dew_abc_find_property(file, compound, name, false, &property);
    assert_int_equal(property.kind, 2);
    assert_int_equal(property.type, 10);
    assert_int_equal(property.extent, extent);
    const uint8_t *bytes = dew_abc_read_sample(file, &property, frame, &size);
    assert_int_equal(size, 4 * count * extent);
    if (size > 0)
        assert_memory_equal(bytes, values, size);  // the tests run on little-endian machines
}

static void test_archive(void **state)
{
    (void)state;
    dew_Array bytes = write_sample();
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    static const char metadata[] =
        "_ai_AlembicVersion=Alembic 1.8.0, written by Dew 0.1.0;_ai_Application=Dew 0.1.0;"
        "_ai_DCC_FPS=24;_ai_Description=A sample  with   signs;dew_meters_per_unit=0.001;"
        "dew_up_axis=z";
    double times[2];
    size_t size;
    const uint8_t *block = dew_abc_block(&file, file.root[0], &size);
    assert_true(size == 4 && dew_abc_number(block, 4) == 0);
    block = dew_abc_block(&file, file.root[1], &size);
    assert_true(size == 4 && dew_abc_number(block, 4) == 10800);
    block = dew_abc_block(&file, file.root[3], &size);
    assert_int_equal(size, strlen(metadata));
    assert_memory_equal(block, metadata, size);
    block = dew_abc_block(&file, file.root[4], &size);
    assert_int_equal(size, 48);
    assert_int_equal(dew_abc_number(block, 4), 1);  // samples without times
    assert_int_equal(dew_abc_number(block + 24, 4), DEW_SAMPLE_FRAMES);
    memcpy(&times[0], block + 28, 8);
    memcpy(&times[1], block + 40, 8);
    assert_near(times[0], 1 / 24.0, 1e-15);
    assert_near(times[1], DEW_SAMPLE_FIRST / 24.0, 1e-15);
    dew_array_deinit(&bytes);
}

static void expect_faces(const dew_AbcFile *file, uint64_t geometry, int64_t frame,
                         const dew_AnimationMesh *mesh)
{
    dew_AbcProperty indices, counts;
    size_t size;
    dew_abc_find_property(file, geometry, ".faceIndices", false, &indices);
    dew_abc_find_property(file, geometry, ".faceCounts", false, &counts);
    const uint8_t *bytes = dew_abc_read_sample(file, &indices, frame, &size);
    assert_int_equal(size, 12 * mesh->triangle_count);
    for (int64_t i = 0; i < 3 * mesh->triangle_count; i++)  // clockwise
        assert_int_equal(dew_abc_number(bytes + 4 * i, 4), mesh->triangles[i / 3 * 3 + 2 - i % 3]);
    bytes = dew_abc_read_sample(file, &counts, frame, &size);
    assert_int_equal(size, 4 * mesh->triangle_count);
    for (int64_t i = 0; i < mesh->triangle_count; i++)
        assert_int_equal(dew_abc_number(bytes + 4 * i, 4), 3);
}

static void expect_bounds(const dew_AbcFile *file, uint64_t geometry, int64_t frame,
                          const dew_AnimationMesh *mesh)
{
    dew_AbcProperty bounds;
    size_t size;
    double box[6];
    dew_abc_find_property(file, geometry, ".selfBnds", false, &bounds);
    memcpy(box, dew_abc_read_sample(file, &bounds, frame, &size), sizeof box);
    assert_int_equal(size, sizeof box);
    assert_string_equal(bounds.metadata, "interpretation=box");
    for (int a = 0; a < 3; a++) {
        bool touches_low = false, touches_high = false;
        for (int64_t i = 0; i < mesh->vertex_count; i++) {
            double x = (double)mesh->positions[3 * i + a];
            assert_true(x >= box[a] && x <= box[3 + a]);
            touches_low = touches_low || x == box[a];
            touches_high = touches_high || x == box[3 + a];
        }
        assert_true(touches_low && touches_high);
    }
}

static void test_liquid(void **state)
{
    (void)state;
    dew_Array bytes = write_sample();
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    uint64_t geometry = find_schema(&file, "water", false, "AbcGeom_PolyMesh_v1");
    dew_AbcProperty property;
    dew_abc_find_property(&file, geometry, "N", false, &property);
    assert_string_equal(property.metadata, "arrayExtent=1;geoScope=vtx;interpretation=normal;"
                                           "isGeomParam=true;podExtent=3;podName=float32_t");
    dew_abc_find_property(&file, geometry, "P", false, &property);
    assert_string_equal(property.metadata, "geoScope=vtx;interpretation=point");
    assert_int_equal(property.sampling, 1);
    assert_int_equal(property.count, DEW_SAMPLE_FRAMES);
    assert_false(property.has_equal_sizes);
    dew_abc_find_property(&file, geometry, ".arbGeomParams", false, &property);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        dew_SampleFrame f;
        const dew_AnimationMesh *mesh = dew_sample_states(&f, k)[0].mesh;
        int64_t n = mesh->vertex_count;
        expect_floats(&file, geometry, "P", k, mesh->positions, n, 3);
        expect_floats(&file, geometry, "N", k, mesh->normals, n, 3);
        expect_floats(&file, geometry, ".velocities", k, mesh->velocities, n, 3);
        expect_floats(&file, property.group, "wet", k, f.wet, n, 1);
        expect_floats(&file, property.group, "drop", k, f.drop, n, 1);
        expect_faces(&file, geometry, k, mesh);
        expect_bounds(&file, geometry, k, mesh);
    }
    dew_array_deinit(&bytes);
}

// p, as a row vector, times the matrix is what the pose does to p.
static void test_moving_solid(void **state)
{
    (void)state;
    dew_Array bytes = write_sample();
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    uint64_t xform = find_schema(&file, "lid_left", true, "AbcGeom_Xform_v3");
    uint64_t geometry = find_schema(&file, "lid_left", false, "AbcGeom_PolyMesh_v1");
    dew_AbcProperty property;
    size_t size;
    dew_abc_find_property(&file, xform, ".ops", false, &property);
    assert_int_equal(*dew_abc_read_sample(&file, &property, 0, &size), 0x30);
    dew_abc_find_property(&file, xform, ".vals", false, &property);
    assert_int_equal(property.extent, 16);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        double m[4][4], angle = 0.1 * k;
        memcpy(m, dew_abc_read_sample(&file, &property, k, &size), sizeof m);
        const double p[3] = {1, 2, 3};
        const double want[3] = {cos(angle) - 2 * sin(angle) + 0.25 * k, sin(angle) + 2 * cos(angle),
                                5};
        for (int a = 0; a < 3; a++)
            assert_within(p[0] * m[0][a] + p[1] * m[1][a] + p[2] * m[2][a] + m[3][a], want[a],
                          1e-14);
    }
    dew_abc_find_property(&file, xform, ".animChans", false, &property);
    const uint8_t *channels = dew_abc_read_sample(&file, &property, 0, &size);
    static const uint64_t expected[] = {0, 1, 4, 5, 12};
    assert_int_equal(size, 20);
    for (int i = 0; i < 5; i++)
        assert_int_equal(dew_abc_number(channels + 4 * i, 4), expected[i]);
    dew_abc_find_property(&file, geometry, "P", false, &property);
    assert_int_equal(property.count, 1);
    assert_int_equal(property.sampling, 0);
    expect_floats(&file, geometry, "P", 0, dew_sample_corners[0], 4, 3);
    dew_array_deinit(&bytes);
}

// A drop is hidden and empty but in frames 2 and 3, which have one mesh.
static void test_absent(void **state)
{
    (void)state;
    dew_Array bytes = write_sample();
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    char metadata[256];
    dew_AbcProperty visible, property;
    size_t size;
    uint64_t late = dew_abc_find_object(&file, file.root[2], "late", metadata);
    dew_abc_find_property(&file, dew_abc_child(&file, late, 0), "visible", false, &visible);
    uint64_t geometry = find_schema(&file, "late", false, "AbcGeom_PolyMesh_v1");
    dew_abc_find_property(&file, geometry, "P", false, &property);
    assert_int_equal(visible.type, 2);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        dew_SampleFrame f;
        bool is_there = k == 2 || k == 3;
        dew_sample_states(&f, k);
        assert_int_equal(*dew_abc_read_sample(&file, &visible, k, &size), is_there ? 255 : 0);
        expect_floats(&file, geometry, "P", k, f.late_positions[0], is_there ? 4 : 0, 3);
    }
    assert_int_equal(property.first_change, 2);
    assert_int_equal(property.last_change, 4);
    assert_int_equal(dew_abc_child_count(&file, property.group), 8);
    assert_true(dew_abc_child(&file, property.group, 2) == dew_abc_child(&file, property.group, 4));
    uint64_t water = dew_abc_find_object(&file, file.root[2], "water", metadata);
    assert_false(
        dew_abc_find_property(&file, dew_abc_child(&file, water, 0), "visible", true, &visible));
    dew_array_deinit(&bytes);
}

static void test_particles(void **state)
{
    (void)state;
    dew_Array bytes = write_sample();
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    uint64_t geometry = find_schema(&file, "spray", false, "AbcGeom_Points_v1");
    dew_AbcProperty ids;
    size_t size;
    dew_abc_find_property(&file, geometry, ".pointIds", false, &ids);
    for (int k = 0; k < DEW_SAMPLE_FRAMES; k++) {
        dew_SampleFrame f;
        dew_sample_states(&f, k);
        expect_floats(&file, geometry, "P", k, f.points[0], k, 3);
        expect_floats(&file, geometry, ".velocities", k, f.point_velocities[0], k, 3);
        const uint8_t *at = dew_abc_read_sample(&file, &ids, k, &size);
        assert_int_equal(size, 8 * k);
        for (int i = 0; i < k; i++)
            assert_int_equal(dew_abc_number(at + (size_t)8 * (size_t)i, 8), 100 + i);
    }
    dew_array_deinit(&bytes);
}

static void test_static(void **state)
{
    (void)state;
    dew_Array bytes = write_sample();
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    uint64_t geometry = find_schema(&file, "pane", false, "AbcGeom_PolyMesh_v1");
    uint64_t other = find_schema(&file, "lid_left", false, "AbcGeom_PolyMesh_v1");
    dew_AbcProperty property, same;
    dew_SampleFrame f;
    dew_sample_states(&f, 0);
    expect_floats(&file, geometry, "uv", 0, f.pane_uv[0], 4, 2);
    dew_abc_find_property(&file, geometry, ".arbGeomParams", false, &property);
    expect_floats(&file, property.group, "color", 0, f.pane_color[0], 4, 3);
    dew_abc_find_property(&file, geometry, "P", false, &property);
    dew_abc_find_property(&file, other, "P", false, &same);
    assert_int_equal(property.count, 1);
    assert_true(dew_abc_child(&file, property.group, 0) == dew_abc_child(&file, same.group, 0));
    dew_array_deinit(&bytes);
}

// The camera stands at the eye, looks at the target, and has the field of view of the scene.
static void test_camera(void **state)
{
    (void)state;
    dew_Array bytes = write_sample();
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    dew_AnimationDef def = dew_sample_def();
    uint64_t xform = find_schema(&file, "camera", true, "AbcGeom_Xform_v3");
    uint64_t geometry = find_schema(&file, "camera", false, "AbcGeom_Camera_v1");
    dew_AbcProperty property;
    size_t size;
    double m[4][4], core[16], distance = sqrt(26);
    dew_abc_find_property(&file, xform, ".vals", false, &property);
    memcpy(m, dew_abc_read_sample(&file, &property, 0, &size), sizeof m);
    for (int a = 0; a < 3; a++) {
        assert_within(m[3][a], def.camera->eye[a], 0);
        assert_within(m[3][a] - distance * m[2][a], def.camera->target[a], 1e-14);
    }
    assert_true(m[1][2] > 0.9);
    dew_abc_find_property(&file, geometry, ".core", false, &property);
    assert_int_equal(property.extent, 16);
    memcpy(core, dew_abc_read_sample(&file, &property, 0, &size), sizeof core);
    assert_near(2 * atan(10 * core[3] / (2 * core[0])), def.camera->vertical_fov_rad, 1e-14);
    assert_near(core[1] / core[3], 1280.0 / 720, 1e-14);
    assert_near(core[11], 0.1 * distance, 1e-14);  // mm in cm
    dew_array_deinit(&bytes);
}

// The bytes of the sample as Alembic 1.8.12 has read them, each digest as it computes it.
static void test_golden(void **state)
{
    (void)state;
    dew_Array bytes = write_sample(), again = write_sample();
    assert_int_equal(bytes.count, again.count);
    assert_memory_equal(bytes.data, again.data, (size_t)bytes.count);
    assert_int_equal(bytes.count, GOLDEN_SIZE);
    assert_int_equal(dew_hash(bytes.data, (size_t)bytes.count, 0), GOLDEN_HASH);
    dew_array_deinit(&bytes);
    dew_array_deinit(&again);
}

static void test_file(void **state)
{
    (void)state;
    static const char path[] = "alembic_test.abc";
    dew_Array bytes = write_sample();
    dew_Sink sink;
    uint8_t *data;
    size_t size;
    assert_ok(dew_sink_begin_file(&sink, path, NULL));
    assert_ok(dew_sink_end(&sink, dew_sample_write(&dew_alembic_ops, &sink, NULL)));
    assert_ok(dew_file_read(path, 1 << 20, NULL, &data, &size));
    assert_int_equal(size, bytes.count);
    assert_memory_equal(data, bytes.data, size);
    dew_free(NULL, data, size + 1);
    dew_array_deinit(&bytes);
    remove(path);
}

static dew_Status write_in_memory(void *context, const dew_Allocator *allocator)
{
    dew_Array bytes;
    dew_Sink sink;
    (void)context;
    dew_array_init(&bytes, allocator, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_Status status = dew_sink_end(&sink, dew_sample_write(&dew_alembic_ops, &sink, allocator));
    dew_array_deinit(&bytes);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    assert_survives_lack_of_memory(write_in_memory, NULL);
}

static void test_too_large(void **state)
{
    (void)state;
    dew_AnimationDef def = dew_sample_def();
    dew_SampleFrame f;
    dew_Array bytes;
    dew_Sink sink;
    void *writer;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    assert_ok(dew_alembic_ops.create(&def, NULL, &sink, &writer));
    dew_sample_states(&f, 0);
    f.meshes[0].vertex_count = (int64_t)INT32_MAX + 1;
    dew_Status status = dew_alembic_ops.frame(writer, 0.5, f.states);
    assert_int_equal(status.code, DEW_UNSUPPORTED);
    assert_string_equal(status.message, "water has 2147483648 vertices and 4 triangles; Alembic "
                                        "numbers them with 32 bits");
    assert_int_equal(dew_alembic_ops.finish(writer).code, DEW_UNSUPPORTED);
    dew_alembic_ops.destroy(writer);
    dew_array_deinit(&bytes);
}

// Samples a a b b a a a: what is stored is a, b b a; the header tells where.
static void test_changes(void **state)
{
    (void)state;
    static const char samples[] = "aabbaaa";
    dew_AbcArchive archive;
    dew_Array bytes;
    dew_Sink sink;
    dew_AbcProperty property;
    size_t size;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_abc_begin(&archive, &sink, 10, 0, NULL);
    int leaf =
        dew_abc_leaf(&archive, DEW_ABC_TOP, "x", "", (dew_AbcForm){true, DEW_ABC_UINT8, 1, true});
    for (int i = 0; i < 7; i++)
        dew_abc_sample(&archive, leaf, samples + i, 1);
    assert_ok(dew_abc_end(&archive, "a=b"));
    dew_abc_deinit(&archive);
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    dew_abc_find_property(&file, dew_abc_child(&file, file.root[2], 0), "x", false, &property);
    assert_int_equal(property.first_change, 2);
    assert_int_equal(property.last_change, 4);
    assert_int_equal(dew_abc_child_count(&file, property.group), 8);
    for (int i = 0; i < 7; i++)
        assert_int_equal(*dew_abc_read_sample(&file, &property, i, &size), samples[i]);
    dew_array_deinit(&bytes);
}

// More samples than the table of known ones begins with, and than one byte counts; equal samples
// are in the file once.
static void test_many_samples(void **state)
{
    (void)state;
    dew_AbcArchive archive;
    dew_Array bytes;
    dew_Sink sink;
    dew_AbcProperty property;
    size_t size;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    dew_abc_begin(&archive, &sink, 10, 0, NULL);
    int leaf =
        dew_abc_leaf(&archive, DEW_ABC_TOP, "x", "", (dew_AbcForm){false, DEW_ABC_UINT32, 1, true});
    for (uint32_t i = 0; i < 1000; i++) {
        uint8_t sample[4] = {(uint8_t)(i % 250), (uint8_t)(i / 2 % 250)};
        dew_abc_sample(&archive, leaf, sample, 1);
    }
    assert_int_equal(archive.known_count, 500);
    assert_ok(dew_abc_end(&archive, "a=b"));
    dew_abc_deinit(&archive);
    dew_AbcFile file = dew_abc_open(bytes.data, (size_t)bytes.count);
    dew_abc_find_property(&file, dew_abc_child(&file, file.root[2], 0), "x", false, &property);
    assert_int_equal(property.count, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        const uint8_t *sample = dew_abc_read_sample(&file, &property, i, &size);
        assert_int_equal(dew_abc_number(sample, 4), i % 250 + (i / 2 % 250 << 8));
    }
    dew_array_deinit(&bytes);
}

static void test_names(void **state)
{
    (void)state;
    dew_Arena arena;
    const char *names[4];
    dew_arena_init(&arena, NULL);
    assert_ok(dew_abc_unique_name(&arena, "a/b", names, 0));
    assert_ok(dew_abc_unique_name(&arena, "a_b", names, 1));
    assert_ok(dew_abc_unique_name(&arena, "", names, 2));
    assert_ok(dew_abc_unique_name(&arena, "a\nb", names, 3));
    assert_string_equal(names[0], "a_b");
    assert_string_equal(names[1], "a_b_2");
    assert_string_equal(names[2], "object");
    assert_string_equal(names[3], "a_b_3");
    assert_string_equal(dew_abc_legal_value(&arena, "a;b=c\td"), "a b c d");
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archive),      cmocka_unit_test(test_liquid),
        cmocka_unit_test(test_moving_solid), cmocka_unit_test(test_absent),
        cmocka_unit_test(test_particles),    cmocka_unit_test(test_static),
        cmocka_unit_test(test_camera),       cmocka_unit_test(test_golden),
        cmocka_unit_test(test_file),         cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_too_large),    cmocka_unit_test(test_changes),
        cmocka_unit_test(test_many_samples), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
