// The image becomes coarser when drawing is slow, finer when it is fast, and settles.
#include "view/dynamic_resolution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A machine whose images take a fixed time and a time proportional to the pixels.
static double took_s(const dew_DynamicResolution *c, double fixed_s, double whole_s)
{
    double part = dew_dynamic_resolution_px(c, 1000) / 1000.0;
    return fixed_s + part * part * whole_s;
}

static int settled(double fixed_s, double whole_s, int *changes)
{
    dew_DynamicResolution c = dew_dynamic_resolution(20);
    for (int i = 0; i < 100; i++)
        dew_dynamic_resolution_learn(&c, took_s(&c, fixed_s, whole_s));
    *changes = 0;
    for (int i = 0; i < 100; i++) {
        int before = c.level;
        dew_dynamic_resolution_learn(&c, took_s(&c, fixed_s, whole_s));
        *changes += c.level != before;
    }
    return dew_dynamic_resolution_px(&c, 1000);
}

static void it_settles_where_images_are_fast_enough(void **state)
{
    (void)state;
    int changes;
    assert_int_equal(settled(0.01, 0.03, &changes), 1000);  // 40 ms
    assert_int_equal(changes, 0);
    assert_int_equal(settled(0.01, 0.06, &changes), 750);  // 44 ms instead of 70
    assert_int_equal(changes, 0);
    assert_int_equal(settled(0.02, 0.1, &changes), 500);  // 45 ms instead of 120
    assert_int_equal(changes, 0);
    assert_int_equal(settled(1, 1, &changes), 500);  // there is nothing coarser
    assert_int_equal(changes, 0);
}

static void it_becomes_fine_again(void **state)
{
    (void)state;
    dew_DynamicResolution c = dew_dynamic_resolution(20);
    for (int i = 0; i < 20; i++)
        dew_dynamic_resolution_learn(&c, took_s(&c, 0.02, 0.2));
    assert_int_equal(dew_dynamic_resolution_px(&c, 1280), 640);
    for (int i = 0; i < 20; i++)
        dew_dynamic_resolution_learn(&c, took_s(&c, 0.005, 0.01));
    assert_int_equal(dew_dynamic_resolution_px(&c, 1280), 1280);
}

static void one_slow_image_does_not_count(void **state)
{
    (void)state;
    dew_DynamicResolution c = dew_dynamic_resolution(20);
    dew_dynamic_resolution_learn(&c, 2);  // compiles shaders
    for (int i = 0; i < 10; i++)
        dew_dynamic_resolution_learn(&c, 0.02);
    dew_dynamic_resolution_learn(&c, 0.06);
    assert_int_equal(dew_dynamic_resolution_px(&c, 1280), 1280);
    assert_int_equal(dew_dynamic_resolution_px(&c, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_settles_where_images_are_fast_enough),
        cmocka_unit_test(it_becomes_fine_again),
        cmocka_unit_test(one_slow_image_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
