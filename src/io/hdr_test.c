// Radiance images: each form of scan line by hand, orientations, corrections, damage.
#include "io/hdr.h"

#include "io/reader_test.h"

#define HEAD "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"

static dew_Status read_bytes(const void *data, size_t size, dew_FloatImage *image)
{
    dew_Source source = dew_source_from_memory("FILE", data, size);
    dew_float_image_init(image, NULL);
    return dew_hdr_parse(&source, image);
}

static void must_be(const void *data, size_t size, const float *expected, int64_t count)
{
    dew_FloatImage image;
    dew_Status status = read_bytes(data, size, &image);
    if (status.code != DEW_OK)
        fail_msg("refused: %s", status.message);
    assert_int_equal(image.samples.count, count);
    for (int64_t i = 0; i < count; i++)
        assert_true(DEW_ITEMS(&image.samples, float)[i] == expected[i]);
    dew_float_image_deinit(&image);
}

#define MUST_BE(text, ...)                                                                         \
    do {                                                                                           \
        static const char bytes_[] = text;                                                         \
        static const float expected_[] = {__VA_ARGS__};                                            \
        must_be(bytes_, sizeof bytes_ - 1, expected_, sizeof expected_ / sizeof(float));           \
    } while (0)

// Exponent 136 = 0x88: the value is byte + 0.5.
static void flat_pixels(void **state)
{
    (void)state;
    MUST_BE(HEAD "-Y 1 +X 2\n\x10\x20\x30\x88\x40\x50\x60\x89", 16.5f, 32.5f, 48.5f, 129, 161, 193);
    MUST_BE(HEAD "-Y 1 +X 1\n\xff\xff\xff\0", 0, 0, 0);
}

static void old_runs(void **state)
{
    (void)state;
    MUST_BE(HEAD "-Y 1 +X 4\n\x10\x20\x30\x88\1\1\1\2\x40\x50\x60\x89", 16.5f, 32.5f, 48.5f, 16.5f,
            32.5f, 48.5f, 16.5f, 32.5f, 48.5f, 129, 161, 193);
}

static void new_runs(void **state)
{
    (void)state;
    // Red: a run of 8; green: 3 dumped, a run of 5; blue: 8 dumped; exponent: a run of 8.
    MUST_BE(HEAD "-Y 1 +X 8\n\2\2\0\x08"
                 "\x88\x0a"
                 "\3\1\2\3\x85\4"
                 "\x08\1\2\3\4\5\6\7\x08"
                 "\x88\x88",
            10.5f, 1.5f, 1.5f, 10.5f, 2.5f, 2.5f, 10.5f, 3.5f, 3.5f, 10.5f, 4.5f, 4.5f, 10.5f, 4.5f,
            5.5f, 10.5f, 4.5f, 6.5f, 10.5f, 4.5f, 7.5f, 10.5f, 4.5f, 8.5f);
}

// The same four pixels, read from every corner: a is top left, b top right, c and d below.
static void orientations(void **state)
{
    (void)state;
    static const struct {
        const char *words, *order;
    } ways[] = {{"-Y 2 +X 2", "abcd"}, {"-Y 2 -X 2", "badc"}, {"+Y 2 +X 2", "cdab"},
                {"+Y 2 -X 2", "dcba"}, {"+X 2 -Y 2", "acbd"}, {"+X 2 +Y 2", "cadb"},
                {"-X 2 -Y 2", "bdac"}, {"-X 2 +Y 2", "dbca"}};
    for (int w = 0; w < 8; w++) {
        char bytes[128];
        int length = snprintf(bytes, sizeof bytes, HEAD "%s\n", ways[w].words);
        for (int i = 0; i < 4; i++, length += 4) {
            memset(bytes + length, ways[w].order[i], 3);
            bytes[length + 3] = (char)0x88;
        }
        float expected[12];
        for (int i = 0; i < 12; i++)
            expected[i] = (float)("abcd"[i / 3]) + 0.5f;
        must_be(bytes, (size_t)length, expected, 12);
    }
}

static void corrections(void **state)
{
    (void)state;
    MUST_BE("#?RADIANCE\nEXPOSURE=2\nEXPOSURE= 0.5\nCOLORCORR= 1 2 4\n# words\n\n-Y 1 +X 1\n"
            "\x10\x10\x10\x88",
            16.5f, 8.25f, 4.125f);
}

#define MUST_FAIL(text, sentence)                                                                  \
    do {                                                                                           \
        dew_FloatImage image_;                                                                     \
        dew_Status status_ = read_bytes(text, sizeof(text) - 1, &image_);                          \
        assert_int_equal(status_.code, DEW_BAD_INPUT);                                             \
        assert_string_equal(status_.message, "FILE" sentence);                                     \
        assert_null(image_.samples.data);                                                          \
    } while (0)

static void damage(void **state)
{
    (void)state;
    MUST_FAIL("GIF89a\n", ":1: not a Radiance image (it would begin with #?RADIANCE)");
    MUST_FAIL("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n",
              ":2: this format is not read (32-bit_rle_rgbe is)");
    MUST_FAIL("#?RADIANCE\nEXPOSURE=0\n\n", ":2: a correction that is not above zero");
    MUST_FAIL("#?RADIANCE\n", ":1: the header does not end (an empty line is missing)");
    MUST_FAIL(HEAD "-Y 0 +X 8\n",
              ":4: not a resolution (such as -Y 512 +X 1024, 1 to 1000000 each)");
    MUST_FAIL(HEAD "-Y 8 +Y 8\n",
              ":4: not a resolution (such as -Y 512 +X 1024, 1 to 1000000 each)");
    MUST_FAIL(HEAD "-Y 30000 +X 30000\n", ":4: 30000 x 30000 pixels are too many for this file");
    MUST_FAIL(HEAD "-Y 1 +X 2\n\1\2\3\4", ": byte 49: the file ends within the image");
    MUST_FAIL(HEAD "-Y 1 +X 2\n\1\1\1\1\2\2\2\2",
              ": byte 45: a run goes beyond the end of its scan line");
    MUST_FAIL(HEAD "-Y 1 +X 8\n\2\2\0\x08\x89\1",
              ": byte 49: a run goes beyond the end of its scan line");
    MUST_FAIL(HEAD "-Y 1 +X 8\n\2\2\0\x09\x89\1",
              ": byte 45: a scan line of 9 pixels where there should be 8");
}

static void memory(void **state)
{
    (void)state;
    static const char bytes[] = HEAD "-Y 1 +X 2\n\x10\x20\x30\x88\x40\x50\x60\x89";
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Source source = dew_source_from_memory("FILE", bytes, sizeof bytes - 1);
        source.allocator = dew_torture_allocator(&torture);
        dew_FloatImage image;
        dew_float_image_init(&image, &source.allocator);
        dew_Status status = dew_hdr_parse(&source, &image);
        assert_int_equal(status.code, torture.calls > n ? DEW_NO_MEMORY : DEW_OK);
        dew_float_image_deinit(&image);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (status.code == DEW_OK)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_pixels),  cmocka_unit_test(old_runs),    cmocka_unit_test(new_runs),
        cmocka_unit_test(orientations), cmocka_unit_test(corrections), cmocka_unit_test(damage),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
