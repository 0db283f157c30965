// OpenEXR: there and back, files of other makers in every compression, damage.
#include "io/exr.h"

#include "io/light_probe.h"
#include "io/reader_test.h"

#include <math.h>

#define WIDTH  21
#define HEIGHT 35  // three chunks of lines, the last one lower

static float color[WIDTH * HEIGHT * 3], depth[WIDTH * HEIGHT];

static void make_bytes(dew_Array *bytes)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        for (int k = 0; k < 3; k++)
            color[3 * i + k] = (float)((i * 3 + k) % 512) / 64;  // exact in 16 bits
        depth[i] = 1.0f / (float)(i + 3);                        // not
    }
    dew_ExrChannel channels[] = {
        {"R", color, 3, true},
        {"G", color + 1, 3, true},
        {"B", color + 2, 3, true},
        {"Z", depth, 1, false},
    };
    dew_ExrOutput output = {WIDTH, HEIGHT, channels, 4};
    dew_Sink sink;
    dew_array_init(bytes, NULL, 1);
    dew_sink_begin_memory(&sink, bytes);
    dew_Status status = dew_sink_end(&sink, dew_exr_write(&output, NULL, &sink));
    if (status.code != DEW_OK)
        fail_msg("not written: %s", status.message);
}

static dew_Status read_bytes(const void *data, size_t size, dew_FloatImage *image)
{
    static const char *const names[] = {"Z", "R", "G", "B"};
    dew_Source source = dew_source_from_memory("FILE", data, size);
    dew_float_image_init(image, NULL);
    return dew_exr_parse(&source, names, 4, image);
}

static void there_and_back(void **state)
{
    (void)state;
    dew_Array bytes;
    dew_FloatImage image;
    make_bytes(&bytes);
    dew_Status status = read_bytes(bytes.data, (size_t)bytes.count, &image);
    if (status.code != DEW_OK)
        fail_msg("refused: %s", status.message);
    assert_true(image.width == WIDTH && image.height == HEIGHT && image.channel_count == 4);
    const float *samples = image.samples.data;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        assert_true(samples[4 * i] == depth[i]);
        for (int k = 0; k < 3; k++)
            assert_true(samples[4 * i + 1 + k] == color[3 * i + k]);
    }
    dew_float_image_deinit(&image);
    dew_array_deinit(&bytes);
}

// The same ramp in every compression and in tiles, from the library's own writer, and one of
// ffmpeg: red = x / 16, green = y / 16, blue = 1/2. Lossy ones are off by some of their steps.
static void other_makers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double allowed;
    } files[] = {{"none", 0},     {"rle", 0},    {"zips", 0},  {"piz", 0},
                 {"pxr24", 1e-4}, {"b44", 0.05}, {"tiles", 0}, {"ffmpeg", 2e-3}};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        char path[512];
        dew_FloatImage image;
        snprintf(path, sizeof path, "%s/tests/corpus/exr/%s.exr", DEW_SOURCE_DIR, files[f].name);
        dew_float_image_init(&image, NULL);
        dew_Status status = dew_light_probe_load(path, NULL, &image);
        if (status.code != DEW_OK)
            fail_msg("refused: %s", status.message);
        assert_true(image.width == 20 && image.height == 18 && image.channel_count == 3);
        for (int64_t i = 0; i < image.width * image.height; i++) {
            const float *p = DEW_ITEMS(&image.samples, float) + 3 * i;
            double x = (double)(i % image.width) / 16, y = (double)(i / image.width) / 16;
            double off = fmax(fabs((double)p[0] - x), fabs((double)p[1] - y));
            off = fmax(off, fabs((double)p[2] - 0.5));
            if (!(off <= files[f].allowed))
                fail_msg("%s: pixel %lld is off by %g", files[f].name, (long long)i, off);
        }
        dew_float_image_deinit(&image);
    }
}

static void grey_and_no_light(void **state)
{
    (void)state;
    float values[4] = {1, -2, (float)NAN, (float)HUGE_VAL};
    dew_ExrChannel channel = {"Y", values, 1, false};
    dew_ExrOutput output = {2, 2, &channel, 1};
    dew_Array bytes;
    dew_Sink sink;
    dew_FloatImage image;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    assert_int_equal(dew_sink_end(&sink, dew_exr_write(&output, NULL, &sink)).code, DEW_OK);
    dew_Source source = dew_source_from_memory("FILE", bytes.data, (size_t)bytes.count);
    dew_float_image_init(&image, NULL);
    assert_int_equal(dew_light_probe_parse(&source, &image).code, DEW_OK);
    static const float expected[12] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 65504, 65504, 65504};
    assert_int_equal(image.samples.count, 12);
    assert_memory_equal(image.samples.data, expected, sizeof expected);
    dew_float_image_deinit(&image);
    dew_array_deinit(&bytes);
}

// A cut file is refused with one line, whatever is missing.
static void damage(void **state)
{
    (void)state;
    dew_Array bytes;
    dew_FloatImage image;
    make_bytes(&bytes);
    for (int64_t n = 0; n < bytes.count; n += n < 500 ? 1 : 37) {
        uint8_t *copy = malloc((size_t)n + 1);
        memcpy(copy, bytes.data, (size_t)n);
        dew_Status status = read_bytes(copy, (size_t)n, &image);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_null(strchr(status.message, '\n'));
        assert_int_equal(strncmp(status.message, "FILE: ", 6), 0);
        assert_null(image.samples.data);
        free(copy);
    }
    dew_Source source = dew_source_from_memory("FILE", "GIF89a", 6);
    dew_float_image_init(&image, NULL);
    dew_Status status = dew_light_probe_parse(&source, &image);
    assert_string_equal(status.message,
                        "FILE: neither an OpenEXR nor a Radiance image by its first bytes");
    source = dew_source_from_memory("FILE", bytes.data, (size_t)bytes.count);
    static const char *const wanted = "alpha";
    status = dew_exr_parse(&source, &wanted, 1, &image);
    assert_string_equal(status.message, "FILE: the image has no channel alpha");
    dew_array_deinit(&bytes);
}

static void no_image(void **state)
{
    (void)state;
    dew_ExrChannel channel = {"Y", depth, 1, false};
    dew_ExrOutput output = {0, 4, &channel, 1};
    dew_Status status = dew_exr_save("exr_test.exr", &output, NULL);
    assert_string_equal(status.message,
                        "exr_test.exr: an image of 0 x 4 pixels (1 to 1000000 each)");
    assert_false(dew_file_exists("exr_test.exr"));
}

static void memory(void **state)
{
    (void)state;
    dew_Array bytes;
    static const char *const names[] = {"R"};
    make_bytes(&bytes);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Source source = dew_source_from_memory("FILE", bytes.data, (size_t)bytes.count);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_FloatImage image;
        dew_float_image_init(&image, &allocator);
        dew_Status status = dew_exr_parse(&source, names, 1, &image);
        assert_int_equal(status.code, torture.calls > n ? DEW_NO_MEMORY : DEW_OK);
        dew_float_image_deinit(&image);
        assert_int_equal(torture.blocks, 0);
        if (status.code == DEW_OK)
            break;
    }
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_ExrChannel channel = {"Y", depth, 1, false};
        dew_ExrOutput output = {WIDTH, HEIGHT, &channel, 1};
        dew_Array out;
        dew_Sink sink;
        dew_array_init(&out, NULL, 1);
        dew_sink_begin_memory(&sink, &out);
        dew_Status status = dew_sink_end(&sink, dew_exr_write(&output, &allocator, &sink));
        assert_int_equal(status.code, torture.calls > n ? DEW_NO_MEMORY : DEW_OK);
        dew_array_deinit(&out);
        assert_int_equal(torture.blocks, 0);
        if (status.code == DEW_OK)
            break;
    }
    dew_array_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),    cmocka_unit_test(other_makers),
        cmocka_unit_test(grey_and_no_light), cmocka_unit_test(damage),
        cmocka_unit_test(no_image),          cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
