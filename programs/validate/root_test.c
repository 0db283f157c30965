// Roots against known ones, for functions that defeat plain interpolation too.
#include "validate/root.h"

#include "support/testing.h"

#include <math.h>

typedef struct Counted {
    double (*f)(double);
    int *calls;
} Counted;

static double call(const void *context, double x)
{
    const Counted *counted = context;
    ++*counted->calls;
    return counted->f(x);
}

static double cubic(double x)
{
    return x * x * x - 2;
}

static double steep(double x)
{
    return pow(x, 21) - 1e-12;
}

static double flat(double x)
{
    return (x - 0.7) * (x - 0.7) * (x - 0.7);
}

static double step(double x)
{
    return x < 0.3 ? -1 : 1;
}

static double line(double x)
{
    return 1 - x;
}

static double hole(double x)
{
    return x > 0.1 && x < 0.9 ? (double)NAN : x - 0.5;
}

static void assert_root(double (*f)(double), double a, double b, double want, double tolerance,
                        int most_calls)
{
    int calls = 0;
    double got;
    Counted counted = {f, &calls};
    dew_Status status = dew_root_find(call, &counted, a, b, tolerance, &got);
    assert_ok(status);
    if (!(fabs(got - want) <= tolerance + 4e-16 * fabs(want)))
        fail_msg("root %.17g, want %.17g", got, want);
    assert_in_range(calls, 1, most_calls);
}

static void finds_roots(void **state)
{
    (void)state;
    assert_root(cubic, 0, 2, cbrt(2), 0, 20);
    assert_root(cubic, 2, 0, cbrt(2), 0, 20);
    assert_root(steep, 0, 2, pow(1e-12, 1.0 / 21), 1e-14, 70);
    assert_root(step, 0, 1, 0.3, 1e-12, 50);
    assert_root(line, 1, 5, 1, 0, 2);  // at an end
    assert_root(flat, 0, 1, 0.7, 2e-5, 70);
}

static void refuses_what_has_no_bracket(void **state)
{
    (void)state;
    int calls = 0;
    double got;
    Counted counted = {cubic, &calls};
    assert_int_equal(dew_root_find(call, &counted, 2, 3, 0, &got).code, DEW_BAD_INPUT);
    counted.f = hole;
    assert_int_equal(dew_root_find(call, &counted, 0, 1, 0, &got).code, DEW_BAD_INPUT);
    assert_int_equal(dew_root_find(call, &counted, 0.5, 1, 0, &got).code, DEW_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_roots),
        cmocka_unit_test(refuses_what_has_no_bracket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
