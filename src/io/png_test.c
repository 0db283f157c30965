// PNG: there and back in every form, a file of another maker, damage.
#include "io/png.h"

#include "io/reader_test.h"

#define WIDTH  5
#define HEIGHT 3

static void write_image(const dew_PngOutput *output, dew_Array *bytes)
{
    dew_Sink sink;
    dew_array_init(bytes, NULL, 1);
    dew_sink_begin_memory(&sink, bytes);
    dew_Status status = dew_sink_end(&sink, dew_png_write(output, NULL, &sink));
    if (status.code != DEW_OK)
        fail_msg("not written: %s", status.message);
}

static dew_Status read_image(const void *data, size_t size, dew_PngImage *image)
{
    dew_Source source = dew_source_from_memory("FILE", data, size);
    dew_png_init(image, NULL);
    return dew_png_parse(&source, image);
}

static void test_there_and_back(void **state)
{
    (void)state;
    uint8_t narrow[WIDTH * HEIGHT * 4];
    uint16_t wide[WIDTH * HEIGHT * 4];
    for (int i = 0; i < WIDTH * HEIGHT * 4; i++) {
        narrow[i] = (uint8_t)(i * 37);
        wide[i] = (uint16_t)(i * 9973);
    }
    for (int form = 0; form < 8; form++) {
        int channels = form % 4 + 1, bits = form < 4 ? 8 : 16;
        dew_PngOutput output = {WIDTH, HEIGHT, channels, bits, bits == 8 ? (void *)narrow : wide};
        dew_Array bytes;
        dew_PngImage image;
        write_image(&output, &bytes);
        assert_int_equal(read_image(bytes.data, (size_t)bytes.count, &image).code, DEW_OK);
        assert_true(image.width == WIDTH && image.height == HEIGHT);
        assert_int_equal(image.channel_count, channels);
        assert_int_equal(image.file_bits, bits);
        assert_int_equal(image.samples.count, WIDTH * HEIGHT * channels);
        for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
            assert_int_equal(DEW_ITEMS(&image.samples, uint16_t)[i],
                             bits == 8 ? narrow[i] * 257 : wide[i]);
        assert_true(dew_png_sample(&image, 4, 2, channels - 1) ==
                    DEW_ITEMS(&image.samples, uint16_t)[image.samples.count - 1] / 65535.0);
        dew_png_deinit(&image);
        dew_array_deinit(&bytes);
    }
}

// Small files made with Python's zlib: a palette with transparency and an interlaced grey ramp of 2
// bits.
static void test_expanded(void **state)
{
    (void)state;
    static const char *const names[] = {"palette", "interlaced"};
    static const uint16_t palette[] = {65535, 0,   0,   65535, 0,     257, 514, 32896,
                                       0,     257, 514, 32896, 65535, 0,   0,   65535};
    static const uint16_t ramp[] = {0,     21845, 43690, 65535, 0,     21845, 43690, 65535, 0,
                                    21845, 43690, 65535, 0,     21845, 43690, 65535, 0,     21845,
                                    43690, 65535, 0,     21845, 43690, 65535, 0};
    const uint16_t *const expected[] = {palette, ramp};
    const size_t counts[] = {16, 25};
    for (int i = 0; i < 2; i++) {
        char path[512];
        dew_PngImage image;
        snprintf(path, sizeof path, "%s/tests/corpus/png/%s.png", DEW_SOURCE_DIR, names[i]);
        dew_png_init(&image, NULL);
        dew_Status status = dew_png_load(path, NULL, &image);
        if (status.code != DEW_OK)
            fail_msg("refused: %s", status.message);
        assert_int_equal(image.samples.count, counts[i]);
        assert_memory_equal(image.samples.data, expected[i], counts[i] * sizeof(uint16_t));
        dew_png_deinit(&image);
    }
}

static void make_ramp(dew_Array *bytes)
{
    uint16_t samples[64];
    for (int i = 0; i < 64; i++)
        samples[i] = (uint16_t)(i * 1000);
    dew_PngOutput output = {8, 8, 1, 16, samples};
    write_image(&output, bytes);
}

static void test_damage(void **state)
{
    (void)state;
    dew_Array bytes;
    dew_PngImage image;
    make_ramp(&bytes);
    uint8_t *data = bytes.data;
    for (size_t n = 0; n < (size_t)bytes.count; n++) {
        assert_int_equal(read_image(data, n, &image).code, DEW_BAD_INPUT);
        assert_null(image.samples.data);
    }
    // Every byte belongs to the signature or to a chunk with a checksum.
    for (int64_t i = 0; i < bytes.count; i++) {
        data[i] ^= 0x10;
        dew_Status status = read_image(data, (size_t)bytes.count, &image);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        data[i] ^= 0x10;
    }
    dew_Status status = read_image("GIF89a..", 8, &image);
    assert_string_equal(status.message, "FILE: byte 8: not a sound PNG file: Not a PNG file");
    dew_array_deinit(&bytes);
}

// The header of a large image with nothing behind it: refused before memory is taken.
static void test_huge(void **state)
{
    (void)state;
    char path[512];
    dew_PngImage image;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    snprintf(path, sizeof path, "%s/tests/corpus/png/huge.png", DEW_SOURCE_DIR);
    dew_png_init(&image, &allocator);
    dew_Status status = dew_png_load(path, NULL, &image);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "the file is too short for the size it declares"));
    assert_int_equal(torture.blocks, 0);
}

static void test_memory(void **state)
{
    (void)state;
    dew_Array bytes;
    make_ramp(&bytes);
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Source source = dew_source_from_memory("FILE", bytes.data, (size_t)bytes.count);
        source.allocator = dew_torture_allocator(&torture);
        dew_PngImage image;
        dew_png_init(&image, &source.allocator);
        dew_Status status = dew_png_parse(&source, &image);
        assert_int_equal(status.code, torture.calls > n ? DEW_NO_MEMORY : DEW_OK);
        dew_png_deinit(&image);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (status.code == DEW_OK)
            break;
    }
    uint16_t samples[4] = {0};
    dew_PngOutput output = {2, 2, 1, 16, samples};
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Array out;
        dew_Sink sink;
        dew_array_init(&out, NULL, 1);
        dew_sink_begin_memory(&sink, &out);
        dew_Status status = dew_sink_end(&sink, dew_png_write(&output, &allocator, &sink));
        assert_int_equal(status.code, torture.calls > n ? DEW_NO_MEMORY : DEW_OK);
        dew_array_deinit(&out);
        assert_int_equal(torture.blocks, 0);
        if (status.code == DEW_OK)
            break;
    }
    dew_array_deinit(&bytes);
}

static void test_bad_image(void **state)
{
    (void)state;
    uint8_t sample = 0;
    dew_PngOutput output = {0, 1, 1, 8, &sample};
    dew_Status status = dew_png_save("png_test.png", &output, NULL);
    assert_string_equal(status.message,
                        "png_test.png: an image of 0 x 1 pixels (1 to 1000000 each)");
    assert_false(dew_file_exists("png_test.png"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_expanded),
        cmocka_unit_test(test_damage),         cmocka_unit_test(test_huge),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_bad_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
