// Sizes from headers, of whole ones and of headers that are cut off anywhere.
#include "io/image_size.h"

#include "base/testing.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(s) (const uint8_t *)(s), sizeof(s) - 1

static const uint8_t png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x2e\xe0\0\0\x01\0\x08\x02\0\0\0";
static const uint8_t exr[] =
    "\x76\x2f\x31\x01\2\0\0\0compression\0compression\0\1\0\0\0\3"
    "dataWindow\0box2i\0\x10\0\0\0\xff\xff\xff\xff\0\0\0\0\x1e\0\0\0\x0f\0\0\0";
static const uint8_t hdr[] = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 16 +X 32\nabc";

static void assert_size(const uint8_t *head, size_t size, int64_t width, int64_t height,
                        double bytes_per_pixel)
{
    dew_ImageSize got;
    assert_true(dew_image_size_parse(head, size, &got));
    assert_true(got.width * got.height == width * height);
    assert_true(got.width == width || got.width == height);
    assert_true(got.bytes_per_pixel == bytes_per_pixel);
}

static void sizes_are_found(void **state)
{
    (void)state;
    assert_size(png, sizeof png - 1, 12000, 256, 6);
    assert_size(exr, sizeof exr - 1, 32, 16, 12);
    assert_size(hdr, sizeof hdr - 1, 32, 16, 12);
}

static void other_bytes_have_none(void **state)
{
    (void)state;
    dew_ImageSize got;
    assert_false(dew_image_size_parse(TEXT(""), &got));
    assert_false(dew_image_size_parse(TEXT("ply\nformat ascii 1.0\n"), &got));
    assert_false(dew_image_size_parse(TEXT("#?RADIANCE\n\n"), &got));
    assert_false(dew_image_size_parse(TEXT("#?RADIANCE\n\n-Y -5 +X 5\n"), &got));
    assert_false(dew_image_size_load("/nonexistent.png", &got));
}

static void headers_may_be_cut_off(void **state)
{
    (void)state;
    static const struct {
        const uint8_t *data;
        size_t size;
    } all[] = {{png, sizeof png - 1}, {exr, sizeof exr - 1}, {hdr, sizeof hdr - 1}};
    dew_ImageSize got;
    for (int i = 0; i < 3; i++)
        for (size_t size = 0; size < all[i].size; size++) {
            uint8_t *cut = malloc(size + 1);  // of its own, so that a sanitizer sees an overrun
            assert_non_null(cut);
            memcpy(cut, all[i].data, size);
            cut[size] = 0;
            (void)dew_image_size_parse(cut, size, &got);
            assert_true(got.width < 12001 && got.height < 12001);
            free(cut);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_found),
        cmocka_unit_test(other_bytes_have_none),
        cmocka_unit_test(headers_may_be_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
