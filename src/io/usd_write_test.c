// Writing USD: the same bytes to memory and to files, in little memory; what must be refused.
#include "io/crate_file_test.h"
#include "io/usd_animation_test.h"

static const dew_AnimationOps *const formats[] = {&dew_usda_ops, &dew_usdc_ops};

static dew_Status write_file(dew_TestAnimation *a, const dew_AnimationOps *ops, const char *path,
                             const dew_Allocator *allocator)
{
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    return dew_test_write(a, ops, allocator, &sink);
}

// Twice, and through a file, whose text is spooled.
static void bytes_are_the_same(void **state)
{
    (void)state;
    dew_TestAnimation *a = dew_test_animation();
    a->columns = 2000;
    for (int i = 0; i < 2; i++) {
        char path[64];
        dew_Array memory;
        dew_Sink sink;
        uint8_t *data;
        size_t size;
        snprintf(path, sizeof path, "usd_write_test.%s", formats[i]->extension);
        dew_array_init(&memory, NULL, 1);
        dew_sink_begin_memory(&sink, &memory);
        assert_ok(dew_test_write(a, formats[i], NULL, &sink));
        for (int again = 0; again < 2; again++) {
            assert_ok(write_file(a, formats[i], path, NULL));
            assert_ok(dew_file_read(path, 1 << 28, NULL, &data, &size));
            assert_int_equal(size, memory.count);
            assert_memory_equal(data, memory.data, size);
            dew_free(NULL, data, size + 1);
        }
        assert_true(i == 1 || size > (size_t)1 << 20);  // the spool was used
        dew_array_deinit(&memory);
        remove(path);
    }
    free(a);
}

// 324 frames instead of 30 take the memory of the handles and their table, not of the meshes.
static void memory_does_not_grow(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        long long most[2];
        int64_t size[2];
        for (int k = 0; k < 2; k++) {
            dew_TestAnimation *a = dew_test_animation();
            dew_Torture torture = dew_torture(-1);
            dew_Allocator allocator = dew_torture_allocator(&torture);
            uint8_t *data;
            size_t bytes;
            a->columns = 1000;
            a->def.object_count = 1;  // the liquid alone: 8 properties
            a->def.frame_count = k ? 324 : 30;
            assert_ok(write_file(a, formats[i], "usd_memory_test", &allocator));
            most[k] = torture.most_bytes;
            assert_ok(dew_file_read("usd_memory_test", 1 << 30, NULL, &data, &bytes));
            dew_free(NULL, data, bytes + 1);
            size[k] = (int64_t)bytes;
            free(a);
        }
        remove("usd_memory_test");
        // Per value: a sample of 16 bytes, in text a span of 16, in arrays that double; half-filled
        // slots of 32 bytes, and the table before while it grows.
        long long per_value = 2 * (16 + 16) + 4 * 32 + 2 * 32;
        assert_true(most[1] - most[0] <= 294 * 8 * per_value);
        assert_true(size[1] - size[0] > 20 * (most[1] - most[0]));
    }
}

typedef struct Case {
    dew_TestAnimation *animation;
    const dew_AnimationOps *ops;
} Case;

static dew_Status write_case(void *context, const dew_Allocator *allocator)
{
    const Case *c = (const Case *)context;
    return write_file(c->animation, c->ops, "usd_torture_test", allocator);
}

static void lack_of_memory(void **state)
{
    (void)state;
    Case c = {.animation = dew_test_animation()};
    for (int i = 0; i < 2; i++) {
        c.ops = formats[i];
        assert_survives_lack_of_memory(write_case, &c);
        assert_false(dew_file_exists("usd_torture_test.part"));
    }
    remove("usd_torture_test");
    free(c.animation);
}

// The first frame with a changed liquid; NULL: it is taken.
static void expect_failure(dew_TestAnimation *a, const char *sentence)
{
    for (int i = 0; i < 2; i++) {
        dew_Array bytes;
        dew_Sink sink;
        void *writer;
        dew_AnimationState states[DEW_TEST_OBJECTS] = {0};
        dew_array_init(&bytes, NULL, 1);
        dew_sink_begin_memory(&sink, &bytes);
        assert_ok(formats[i]->create(&a->def, NULL, &sink, &writer));
        states[0] = (dew_AnimationState){&a->strips[0].mesh, {{0, 0, 0, 1}, {0, 0, 0}}, true};
        dew_Status status = formats[i]->frame(writer, 0, states);
        if (status.code == DEW_OK)
            status = formats[i]->finish(writer);
        assert_string_equal(status.message, sentence ? sentence : "");
        formats[i]->destroy(writer);
        status = dew_sink_end(&sink, status);
        dew_array_deinit(&bytes);
    }
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    dew_TestAnimation *a = dew_test_animation();
    dew_TestStrip *strip = &a->strips[0];
    a->def.object_count = 1;
    dew_test_strip(strip, 3, 0, 2);
    expect_failure(a, NULL);
    strip->positions[7] = (float)INFINITY;
    expect_failure(a, "liquid: the position of vertex 2 is not finite");
    strip->positions[7] = 0;
    strip->triangles[4] = 6;
    expect_failure(a, "liquid: triangle 1 has vertex 6 of 6");
    strip->triangles[4] = 5;
    strip->wet[0] = (float)NAN;  // attributes may be anything
    expect_failure(a, NULL);
    strip->mesh.vertex_count = (int64_t)INT32_MAX + 1;
    expect_failure(a, "USD has no meshes of 2147483648 vertices and 4 triangles");
    free(a);
}

// Nothing but objects; no frames; particles with radii; a primvar of six components.
static void small_things(void **state)
{
    (void)state;
    static const char *const names[] = {"radius", "stress"};
    static const int sizes[] = {1, 6};
    static const float radii[] = {0.5f, 2}, stress[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    dew_TestAnimation *a = dew_test_animation();
    dew_AnimationObject *o = &a->objects[0];
    *o = (dew_AnimationObject){.name = "mist",
                               .kind = DEW_ANIMATION_PARTICLES,
                               .has_static_pose = true,
                               .attribute_count = 2,
                               .attribute_names = names,
                               .attribute_component_counts = sizes};
    a->def = (dew_AnimationDef){.title = "",
                                .software = "x",
                                .frame_rate_Hz = 24,
                                .meters_per_unit = 1,
                                .is_z_up = true,
                                .object_count = 1,
                                .objects = a->objects};
    dew_AnimationAttribute attributes[] = {{"radius", 1, radii}, {"stress", 6, stress}};
    dew_AnimationMesh mesh = {.vertex_count = 2,
                              .positions = (const float[]){0, 0, 0, 10, 0, 0},
                              .attribute_count = 2,
                              .attributes = attributes};
    dew_AnimationState at = {&mesh, {{0, 0, 0, 1}, {0, 0, 0}}, true};
    for (int frames = 0; frames < 2; frames++) {
        dew_Array bytes;
        dew_Sink sink;
        void *writer;
        dew_TestCrate c;
        dew_array_init(&bytes, NULL, 1);
        dew_sink_begin_memory(&sink, &bytes);
        assert_ok(dew_usdc_ops.create(&a->def, NULL, &sink, &writer));
        if (frames > 0)
            assert_ok(dew_usdc_ops.frame(writer, 0, &at));
        assert_ok(dew_usdc_ops.finish(writer));
        dew_usdc_ops.destroy(writer);
        assert_ok(dew_sink_end(&sink, dew_ok()));
        dew_test_crate_open(&c, bytes.data, (size_t)bytes.count);
        assert_string_equal(dew_test_token(&c, "/", "upAxis"), "Z");
        assert_string_equal(dew_test_token(&c, "/World/mist.primvars:stress", "typeName"),
                            "float[]");
        uint64_t size = dew_test_value(&c, "/World/mist.primvars:stress", "elementSize", 3);
        assert_int_equal(dew_test_payload(size), 6);
        if (frames > 0) {
            dew_TestSamples s = dew_test_samples(&c, "/World/mist.primvars:stress");
            assert_int_equal(dew_test_count(&c, s.values[0]), 12);
            const float *widths =
                dew_test_floats(&c, dew_test_samples(&c, "/World/mist.widths").values[0], 8);
            assert_true(widths[0] == 1 && widths[1] == 4);
            const float *extent =
                dew_test_floats(&c, dew_test_samples(&c, "/World/mist.extent").values[0], 24);
            assert_true(extent[0] == -2 && extent[3] == 12 && extent[5] == 2);
        }
        dew_test_crate_close(&c);
        dew_array_deinit(&bytes);
    }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_the_same), cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(lack_of_memory),     cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(small_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
