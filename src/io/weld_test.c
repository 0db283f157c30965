// Equal points get one index, others their own: against comparing all with all.
#include "io/weld.h"

#include "base/random.h"
#include "io/reader_test.h"

static void test_random_points(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    dew_Array positions;
    dew_Weld weld;
    dew_Random random = dew_random(1, 2, 3);
    dew_array_init(&positions, NULL, sizeof(dew_Vec3));
    dew_weld_init(&weld, &positions, NULL);
    dew_Vec3 seen[COUNT];
    uint32_t given[COUNT];
    for (int i = 0; i < COUNT; i++) {
        uint32_t bits = dew_random_u32(&random);  // a lattice of 10 x 10 x 10, so points repeat
        seen[i] = dew_vec((double)(bits % 10) - 5, 0.1 * (double)(bits / 10 % 10),
                          (double)(bits / 100 % 10) * 1e-300);
        if (bits >> 31)
            seen[i].z *= -1;
        assert_true(dew_weld_point(&weld, seen[i], &given[i]));
        int first = 0;
        while (seen[first].x != seen[i].x || seen[first].y != seen[i].y ||
               seen[first].z != seen[i].z)
            first++;
        if (first < i)
            assert_int_equal(given[i], given[first]);
        else
            assert_int_equal(given[i], positions.count - 1);
    }
    dew_weld_deinit(&weld);
    dew_array_deinit(&positions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
