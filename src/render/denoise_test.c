// The denoiser: grain goes, edges and textures stay, clean images are left alone.
#include "render/denoise.h"

#include "base/random.h"
#include "base/testing.h"

#include <math.h>
#include <string.h>

#define WIDTH  96
#define HEIGHT 64

// Left half dark, right half light; noise of a known deviation with its true error.
static dew_Image *make_image(double noise, bool has_edge, const dew_Allocator *allocator)
{
    dew_Image *image;
    assert_int_equal(dew_image_create(allocator, &image).code, DEW_OK);
    assert_int_equal(dew_image_resize(image, WIDTH, HEIGHT).code, DEW_OK);
    dew_Random random = dew_random(5, 0, 0);
    for (int64_t p = 0; p < WIDTH * HEIGHT; p++) {
        bool is_right = has_edge && p % WIDTH >= WIDTH / 2;
        double grain = noise * dew_random_normal(&random);
        for (int k = 0; k < 3; k++) {
            dew_image_pixel(&image->color, p, 3)[k] = (float)((is_right ? 0.8 : 0.4) + grain);
            dew_image_pixel(&image->albedo, p, 3)[k] = 0.5f;
            dew_image_pixel(&image->normal, p, 3)[k] = k == (is_right ? 1 : 2);
        }
        *dew_image_pixel(&image->depth_m, p, 1) = 1;
        *dew_image_pixel(&image->error, p, 1) = (float)noise;
    }
    return image;
}

static double deviation(const dew_Image *image, int x0, int x1, double truth)
{
    double sum = 0;
    for (int y = 8; y < HEIGHT - 8; y++)
        for (int x = x0; x < x1; x++) {
            double d = (double)dew_image_color(image)[3 * (y * WIDTH + x)] - truth;
            sum += d * d;
        }
    return sqrt(sum / ((HEIGHT - 16) * (x1 - x0)));
}

// 169 pixels average to a thirteenth of the grain; half of that gain is asked for.
static void grain_goes(void **state)
{
    (void)state;
    dew_Image *image = make_image(0.1, false, NULL);
    assert_int_equal(dew_image_denoise(image, 1, NULL).code, DEW_OK);
    assert_true(deviation(image, 8, WIDTH - 8, 0.4) < 0.1 / 6);
    dew_image_destroy(image);
}

static void edges_stay(void **state)
{
    (void)state;
    dew_Image *image = make_image(0.1, true, NULL);
    assert_int_equal(dew_image_denoise(image, 1, NULL).code, DEW_OK);
    assert_true(deviation(image, WIDTH / 2 - 3, WIDTH / 2, 0.4) < 0.1 / 4);
    assert_true(deviation(image, WIDTH / 2, WIDTH / 2 + 3, 0.8) < 0.1 / 4);
    dew_image_destroy(image);
}

// Stripes of albedo under even light: the grain goes, the stripes do not.
static void textures_stay(void **state)
{
    (void)state;
    dew_Image *image = make_image(0.05, false, NULL);
    for (int64_t p = 0; p < WIDTH * HEIGHT; p++)
        for (int k = 0; k < 3; k++) {
            float stripe = p % 2 ? 0.9f : 0.3f;
            dew_image_pixel(&image->color, p, 3)[k] *= stripe;
            dew_image_pixel(&image->albedo, p, 3)[k] = stripe;
        }
    assert_int_equal(dew_image_denoise(image, 1, NULL).code, DEW_OK);
    for (int x = 10; x < WIDTH - 10; x++) {
        double got = (double)dew_image_color(image)[3 * (30 * WIDTH + x)];
        double expected = 0.4 * (x % 2 ? 0.9 : 0.3);
        assert_true(fabs(got - expected) < 0.05 * expected);
    }
    dew_image_destroy(image);
}

// No error, no change; not even where neighbours differ little.
static void clean_images_stay(void **state)
{
    (void)state;
    dew_Image *image = make_image(0.02, true, NULL);
    memset(image->error.data, 0, (size_t)image->error.count * sizeof(float));
    dew_Array before;
    dew_array_init(&before, NULL, sizeof(float));
    assert_int_equal(dew_array_copy(&before, &image->color).code, DEW_OK);
    assert_int_equal(dew_image_denoise(image, 1, NULL).code, DEW_OK);
    for (int64_t i = 0; i < before.count; i++) {
        double off =
            fabs((double)DEW_ITEMS(&before, float)[i] - (double)DEW_ITEMS(&image->color, float)[i]);
        assert_true(off < 1e-3);
    }
    dew_array_deinit(&before);
    dew_image_destroy(image);
}

static void a_firefly_goes(void **state)
{
    (void)state;
    dew_Image *image = make_image(0.02, false, NULL);
    int64_t p = 30 * WIDTH + 40;
    for (int k = 0; k < 3; k++)
        dew_image_pixel(&image->color, p, 3)[k] = 500;
    *dew_image_pixel(&image->error, p, 1) = 490;
    assert_int_equal(dew_image_denoise(image, 1, NULL).code, DEW_OK);
    assert_true(dew_image_color(image)[3 * p] < 0.5f);
    dew_image_destroy(image);
}

static void bit_identical_on_any_workers(void **state)
{
    (void)state;
    dew_Image *first = make_image(0.1, true, NULL);
    assert_int_equal(dew_image_denoise(first, 1, NULL).code, DEW_OK);
    static const int counts[] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        dew_TasksDef def = dew_default_tasks_def();
        dew_Tasks *tasks;
        def.worker_count = counts[i];
        def.reverse_chunks = i == 2;
        assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
        dew_Image *image = make_image(0.1, true, NULL);
        assert_int_equal(dew_image_denoise(image, 1, tasks).code, DEW_OK);
        assert_memory_equal(image->color.data, first->color.data,
                            (size_t)first->color.count * sizeof(float));
        dew_image_destroy(image);
        dew_tasks_destroy(tasks);
    }
    dew_image_destroy(first);
}

static void failures(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Image *image = make_image(0.1, false, &allocator);
    torture.fail_at = torture.calls;
    torture.keeps_failing = true;
    assert_int_equal(dew_image_denoise(image, 1, NULL).code, DEW_NO_MEMORY);
    dew_image_destroy(image);
    assert_int_equal(torture.blocks, 0);
    image = make_image(0.1, false, NULL);
    assert_string_equal(dew_image_denoise(image, -1, NULL).message,
                        "a denoiser's strength of -1 (0 to 4)");
    dew_image_destroy(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grain_goes),     cmocka_unit_test(edges_stay),
        cmocka_unit_test(textures_stay),  cmocka_unit_test(clean_images_stay),
        cmocka_unit_test(a_firefly_goes), cmocka_unit_test(bit_identical_on_any_workers),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
