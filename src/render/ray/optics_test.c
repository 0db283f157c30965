// Boundaries against closed forms: Fresnel, Snell, energy and sampling of microfacets.
#include <math.h>

#include "base/random.h"
#include "base/testing.h"
#include "render/ray/optics.h"

#define assert_near(a, b, allowed) assert_true(fabs((double)(a) - (double)(b)) <= (allowed))
#define COUNT(list)                ((int)(sizeof(list) / sizeof((list)[0])))

// Fresnel's equations in angles, in doubles: tan and sin form, not the form of the code.
static double fresnel_by_angles(double i, double n)
{
    if (i == 0)
        return (n - 1) * (n - 1) / ((n + 1) * (n + 1));
    double t = asin(sin(i) / n);
    double s = sin(i - t) / sin(i + t), p = tan(i - t) / tan(i + t);
    return 0.5 * (s * s + p * p);
}

static void reflectance_of_glass_and_water(void **state)
{
    (void)state;
    const double indices[] = {1.333, 1.5, 1 / 1.333, 1 / 1.5, 1.52 / 1.333};
    for (int k = 0; k < COUNT(indices); k++)
        for (int degrees = 0; degrees <= 89; degrees++) {
            double i = DEW_DEG(degrees), n = indices[k];
            float cos_t, R = dew_fresnel((float)cos(i), (float)n, &cos_t);
            if (sin(i) / n >= 1) {
                assert_true(R == 1 && cos_t == 0);
                continue;
            }
            // Floats near the critical angle: an error of 1e-7 in sin^2 becomes its root.
            assert_near(R, fresnel_by_angles(i, n), 2e-3 * fresnel_by_angles(i, n) + 1e-6);
        }
}

static void refraction_obeys_snell(void **state)
{
    (void)state;
    dew_Float3 n = dew_f3_unit(dew_f3(0.2f, 0.9f, -0.3f)), t, b;
    dew_f3_frame(n, &t, &b);
    for (int degrees = 0; degrees <= 89; degrees++) {
        float i = (float)DEW_DEG(degrees), cos_t, eta = 1.333f;
        dew_Float3 d = dew_f3_add_scaled(dew_f3_scale(sinf(i), t), -cosf(i), n);
        dew_fresnel(cosf(i), eta, &cos_t);
        dew_Float3 r = dew_refract(d, n, cosf(i), cos_t, eta);
        assert_near(dew_f3_inner(r, t), sinf(i) / eta, 1e-6);  // n1 sin i = n2 sin t
        assert_near(dew_f3_inner(r, b), 0, 1e-6);              // in the plane of incidence
        assert_near(dew_f3_length2(r), 1, 1e-6);
        assert_true(dew_f3_inner(r, n) < 0);
        // And back again, to where it came from.
        float back_cos = -dew_f3_inner(r, n), back_t;
        dew_fresnel(back_cos, 1 / eta, &back_t);
        dew_Float3 back = dew_refract(r, n, back_cos, back_t, 1 / eta);
        assert_near(dew_f3_length2(dew_f3_sub(back, d)), 0, 2e-6);
    }
}

// Integral over the half sphere of normals of the density, times cos^power. Even steps in the root
// of 1 - cos: fine where smooth surfaces have their peak.
static double integrate_density(dew_Float3 v, float alpha, int power)
{
    enum { N = 600 };
    double sum = 0;
    for (int i = 0; i < N * N; i++) {
        double x = (i / N + 0.5) / N, cosine = 1 - x * x, turn = 2 * DEW_PI * (i % N + 0.5) / N;
        double sine = sqrt(1 - cosine * cosine), step = 2 * x / N * 2 * DEW_PI / N;
        dew_Float3 h = dew_f3_from(dew_vec(sine * cos(turn), sine * sin(turn), cosine));
        sum += pow(cosine, power) * (double)dew_ggx_density(v, h, alpha) * step;
    }
    return sum;
}

// The normals seen from v fill the projected area: the density integrates to 1, and samples follow
// it.
static void microfacet_normals_are_sampled_by_their_density(void **state)
{
    (void)state;
    const float alphas[] = {0.1f, 0.4f, 0.9f};
    for (int k = 0; k < COUNT(alphas); k++) {
        dew_Float3 v = dew_f3_unit(dew_f3(0.6f, 0.1f, 0.5f));
        assert_near(integrate_density(v, alphas[k], 0), 1, 1e-3);
        enum { SAMPLES = 100000 };
        double sampled = 0;
        dew_Random random = dew_random(1, 2, 3);
        for (int i = 0; i < SAMPLES; i++) {
            float a = (float)dew_random_unit(&random), b = (float)dew_random_unit(&random);
            sampled += (double)dew_ggx_sample(v, alphas[k], a, b).z / SAMPLES;
        }
        // Five deviations of the mean of numbers in 0..1.
        assert_near(sampled, integrate_density(v, alphas[k], 1), 5 * 0.29 / sqrt(SAMPLES));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reflectance_of_glass_and_water),
        cmocka_unit_test(refraction_obeys_snell),
        cmocka_unit_test(microfacet_normals_are_sampled_by_their_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
