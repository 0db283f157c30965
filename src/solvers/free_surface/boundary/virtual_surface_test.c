// Virtual surfaces of planes and cylinders whose curvature is known.
#include "solvers/free_surface/liquid.h"

#include "base/testing.h"

#include <math.h>

static double radians(double degrees)
{
    return degrees * acos(-1) / 180;
}

// A ball of this radius (in the plane of x and y: a cylinder) through the centre, meeting y = 0 at
// the angle.
static dew_VirtualStencil round_surface(double radius, double angle, int is_ball)
{
    dew_VirtualStencil s;
    for (int n = 0; n < 27; n++) {
        double x = n % 3 - 1 + radius * sin(angle), y = n / 3 % 3 - 1 + radius * cos(angle);
        double z = is_ball ? n / 9 - 1 : 0;
        s.liquid[n] = sqrt(x * x + y * y + z * z) - radius + 0.3;  // any level will do
    }
    dew_virtual_begin(&s);
    return s;
}

// A plane that meets the wall at the stable angle goes on as a plane.
static void planes_have_no_curvature(void **state)
{
    (void)state;
    for (double degrees = 60; degrees <= 135; degrees += 5) {
        dew_VirtualStencil s = round_surface(1e7, radians(degrees), 0);
        assert_true(fabs(dew_virtual_curvature(&s, radians(degrees))) < 1e-5);
    }
}

static void the_line_is_where_phi_says(void **state)
{
    (void)state;
    dew_VirtualStencil s = round_surface(1e7, radians(70), 0);
    for (int n = 0; n < 9; n++)
        assert_true(fabs(s.line[n] - (n % 3 - 1)) < 1e-5);
    s = round_surface(8, radians(90), 1);  // its line is a circle of radius 8
    for (int n = 0; n < 9; n++) {
        double x = n % 3 - 1 + 8, z = n / 3 - 1;
        assert_true(fabs(s.line[n] - (sqrt(x * x + z * z) - 8)) < 0.05);
    }
}

// A kink has the curvature of the difference of slopes: y_x jumps by what the angle is off.
static void kinks_pull_the_line(void **state)
{
    (void)state;
    dew_VirtualStencil s = round_surface(1e7, radians(90), 0);
    double wants_more = dew_virtual_curvature(&s, radians(100));
    double wants_less = dew_virtual_curvature(&s, radians(80));
    assert_true(wants_more > 0.1 && wants_more < 0.25);
    assert_true(fabs(wants_more + wants_less) < 0.05);
    // The advancing angle never gives less than the receding one, as eq. (10) asks.
    double last = -(double)INFINITY;
    for (double degrees = 30; degrees <= 150; degrees += 5) {
        double kappa = dew_virtual_curvature(&s, radians(degrees));
        assert_true(kappa >= last - 1e-9);
        last = kappa;
    }
}

// The ray is straight, so that half of the curvature across the line is missing, and none of that
// along it.
static void half_the_curvature_is_lost(void **state)
{
    (void)state;
    for (double degrees = 60; degrees <= 120; degrees += 15) {
        dew_VirtualStencil s = round_surface(16, radians(degrees), 0);
        assert_true(fabs(dew_virtual_curvature(&s, radians(degrees)) * 16 - 0.5) < 0.04);
        s = round_surface(16, radians(degrees), 1);
        assert_true(fabs(dew_virtual_curvature(&s, radians(degrees)) * 16 - 1.5) < 0.06);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_have_no_curvature),
        cmocka_unit_test(the_line_is_where_phi_says),
        cmocka_unit_test(kinks_pull_the_line),
        cmocka_unit_test(half_the_curvature_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
