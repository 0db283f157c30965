// Clocks go forward, at the speed of the wall and of the work.
#include "base/clock.h"

#include "base/testing.h"

#include <unistd.h>

static void wall_goes_on_while_we_sleep(void **state)
{
    (void)state;
    double wall = dew_wall_s(), cpu = dew_cpu_s();
    usleep(30000);
    assert_true(dew_wall_s() - wall >= 0.03);
    assert_true(dew_cpu_s() - cpu < 0.03);
}

static void cpu_goes_on_while_we_work(void **state)
{
    (void)state;
    double begin = dew_wall_s(), cpu = dew_cpu_s(), last = cpu;
    while (dew_cpu_s() - cpu < 0.01) {
        assert_true(dew_cpu_s() >= last);
        last = dew_cpu_s();
    }
    assert_true(dew_wall_s() - begin >= 0.0099);  // one thread cannot work faster than time
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall_goes_on_while_we_sleep),
        cmocka_unit_test(cpu_goes_on_while_we_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
