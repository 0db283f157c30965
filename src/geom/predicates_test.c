// Exact signs: against integer arithmetic, and where rounding would lie.
#include "geom/predicates.h"

#include "geom/sample_meshes.h"

__extension__ typedef __int128 Wide;

static int sign_of(Wide x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

static int64_t integer(dew_Random *random, int64_t reach)
{
    return (int64_t)(dew_random_u64(random) % (uint64_t)(2 * reach + 1)) - reach;
}

// Coordinates are integers below 2^26, so that 3x3 determinants fit 128 bits and doubles hold them.
// Half of the points are made flat by combining the others, where the filter cannot decide.
static void orient3d_agrees_with_integers(void **state)
{
    (void)state;
    dew_Random random = dew_random(3, 0, 0);
    int flat = 0;
    for (int n = 0; n < 20000; n++) {
        int64_t p[4][3], m[3][3];
        int64_t reach = n % 3 == 0 ? 3 : 1 << 25;
        for (int i = 0; i < 4; i++) {
            for (int k = 0; k < 3; k++)
                p[i][k] = integer(&random, reach);
        }
        for (int k = 0; k < 3 && n % 2; k++)  // in the plane, or one unit beside it
            p[3][k] = p[0][k] + p[1][k] - p[2][k] + (n % 4 == 1 && k == 0);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                m[i][k] = p[i][k] - p[3][k];
        }
        Wide det = 0;
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            det += (Wide)m[i][2] * ((Wide)m[j][0] * m[k][1] - (Wide)m[j][1] * m[k][0]);
        }
        dew_Vec3 v[4];
        for (int i = 0; i < 4; i++)
            v[i] = dew_vec((double)p[i][0], (double)p[i][1], (double)p[i][2]);
        assert_int_equal(dew_orient3d(v[0], v[1], v[2], v[3]), sign_of(det));
        flat += det == 0;
    }
    assert_true(flat > 4000);
}

// The classic: points a few units in the last place around a line. (x, x) lies on it exactly.
static void orient2d_sees_the_last_bit(void **state)
{
    (void)state;
    for (int i = -20; i <= 20; i++) {
        for (int j = -20; j <= 20; j++) {
            double x = 0.5 + i * ldexp(1, -53), y = 0.5 + j * ldexp(1, -53);
            assert_int_equal(dew_orient2d(12, 12, 24, 24, x, y), (x < y) - (x > y));
        }
    }
}

// Four points of a plane that is tilted so that no product is exact; one bit up or down must show.
static void orient3d_sees_the_last_bit(void **state)
{
    (void)state;
    dew_Vec3 a = {0.1, 0.1, 0.1}, b = {0.3, 0.7, 0.3}, c = {0.9, 0.2, 0.9};  // all in x = z
    dew_Vec3 on = {0.55, 0.4, 0.55};
    int above = dew_orient3d(a, b, c, dew_vec(on.x, on.y, nextafter(on.z, 1)));
    int below = dew_orient3d(a, b, c, dew_vec(on.x, on.y, nextafter(on.z, 0)));
    assert_int_equal(dew_orient3d(a, b, c, on), 0);
    assert_int_equal(above, -below);
    assert_int_not_equal(above, 0);
    assert_int_equal(above, dew_orient3d(a, b, c, dew_vec(0.55, 0.4, 9)));
}

static void sides_are_as_documented(void **state)
{
    (void)state;
    assert_int_equal(dew_orient2d(0, 0, 1, 0, 0, 1), 1);
    assert_int_equal(
        dew_orient3d(dew_vec(0, 0, 0), dew_vec(1, 0, 0), dew_vec(0, 1, 0), dew_vec(0, 0, -1)), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orient3d_agrees_with_integers),
        cmocka_unit_test(orient2d_sees_the_last_bit),
        cmocka_unit_test(orient3d_sees_the_last_bit),
        cmocka_unit_test(sides_are_as_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
