// Random numbers: published answers, and no two keys share a stream.
#include "base/random.h"

#include "base/testing.h"

#include <math.h>
#include <string.h>

// The known answers that come with [Salmon2011].
static void known_answers(void **state)
{
    (void)state;
    static const uint32_t known[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        dew_philox(known[i], known[i] + 4, out);
        assert_memory_equal(out, known[i] + 6, sizeof out);
    }
}

static void streams_repeat(void **state)
{
    (void)state;
    dew_Random a = dew_random(1, 2, 3), b = dew_random(1, 2, 3);
    for (int i = 0; i < 100; i++)
        assert_int_equal(dew_random_u64(&a), dew_random_u64(&b));
    dew_Random saved = a;  // plain data: saving is copying
    for (int i = 0; i < 100; i++)
        assert_int_equal(dew_random_u32(&a), dew_random_u32(&saved));
}

// Every bit of seed, id and step changes the stream; so do both halves swapped among them.
static void every_bit_of_the_key_counts(void **state)
{
    (void)state;
    enum { COUNT = 1 + 3 * 64 + 5 };
    uint64_t first[COUNT];
    int n = 0;
    first[n++] = dew_random_u64(&(dew_Random){.seed = 5, .id = 6, .step = 7});
    for (int bit = 0; bit < 64; bit++) {
        uint64_t flip = UINT64_C(1) << bit;
        dew_Random s = dew_random(5 ^ flip, 6, 7), i = dew_random(5, 6 ^ flip, 7),
                   t = dew_random(5, 6, 7 ^ flip);
        first[n++] = dew_random_u64(&s);
        first[n++] = dew_random_u64(&i);
        first[n++] = dew_random_u64(&t);
    }
    static const uint64_t swapped[5][3] = {{6, 5, 7}, {5, 7, 6}, {7, 6, 5}, {6, 7, 5}, {7, 5, 6}};
    for (int i = 0; i < 5; i++) {
        dew_Random r = dew_random(swapped[i][0], swapped[i][1], swapped[i][2]);
        first[n++] = dew_random_u64(&r);
    }
    assert_int_equal(n, COUNT);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            assert_true(first[i] != first[j]);  // by chance in one of 10^15 such tests
}

// Mean and variance within five deviations of their estimators, for sequences and across keys.
static void moments(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    double unit = 0, unit2 = 0, normal = 0, normal2 = 0, across = 0, range = 0;
    dew_Random random = dew_random(7, 0, 0);
    dew_Vec3 direction = {0, 0, 0};
    for (int i = 0; i < COUNT; i++) {
        double u = dew_random_unit(&random), g = dew_random_normal(&random);
        assert_true(u >= 0 && u < 1);
        unit += u;
        unit2 += u * u;
        normal += g;
        normal2 += g * g;
        dew_Random key = dew_random(7, (uint64_t)i, 1);
        across += dew_random_unit(&key);
        double r = dew_random_range(&random, -2, 3);
        assert_true(r >= -2 && r < 3);
        range += r;
        dew_Vec3 d = dew_random_direction(&random);
        assert_true(fabs(d.x * d.x + d.y * d.y + d.z * d.z - 1) < 1e-15);
        direction = (dew_Vec3){direction.x + d.x, direction.y + d.y, direction.z + d.z};
    }
    double root = sqrt(COUNT);
    assert_true(fabs(unit / COUNT - 0.5) < 5 * sqrt(1.0 / 12) / root);
    assert_true(fabs(across / COUNT - 0.5) < 5 * sqrt(1.0 / 12) / root);
    assert_true(fabs(unit2 / COUNT - 1.0 / 3) < 5 * sqrt(4.0 / 45) / root);
    assert_true(fabs(normal / COUNT) < 5 / root);
    assert_true(fabs(normal2 / COUNT - 1) < 5 * sqrt(2.0) / root);
    assert_true(fabs(range / COUNT - 0.5) < 5 * sqrt(25.0 / 12) / root);
    assert_true(fabs(direction.x / COUNT) < 5 * sqrt(1.0 / 3) / root);
    assert_true(fabs(direction.y / COUNT) < 5 * sqrt(1.0 / 3) / root);
    assert_true(fabs(direction.z / COUNT) < 5 * sqrt(1.0 / 3) / root);
}

static void range_stays_inside(void **state)
{
    (void)state;
    dew_Random random = dew_random(8, 0, 0);
    double next = nextafter(1, 2);
    for (int i = 0; i < 1000; i++) {
        assert_true(dew_random_range(&random, 1, next) == 1);  // no other double is in [1, next)
        double wide = dew_random_range(&random, -1.7e308, 1.7e308);
        assert_true(isfinite(wide));
        assert_true(dew_random_range(&random, 0.3, 0.3) == 0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(streams_repeat),
        cmocka_unit_test(every_bit_of_the_key_counts),
        cmocka_unit_test(moments),
        cmocka_unit_test(range_stays_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
