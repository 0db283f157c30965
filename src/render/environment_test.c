// Surroundings: densities integrate to one, sampling finds the light, the split adds up.
#include <math.h>

#include "base/random.h"
#include "base/testing.h"
#include "render/environment.h"

#include <string.h>

#define assert_near(a, b, allowed) assert_true(fabs((double)(a) - (double)(b)) <= (allowed))

static const char *const names[] = {"studio", "sky", "rainy"};

static dew_Environment *create(const char *name)
{
    dew_Environment *environment;
    assert_int_equal(dew_environment_create(name, NULL, NULL, &environment).code, DEW_OK);
    return environment;
}

// Directions of an even grid with their solid angle.
enum { STEPS = 512 };
static dew_Float3 grid_direction(int i, double *solid_angle)
{
    double v = (i / (2 * STEPS) + 0.5) / STEPS, u = (i % (2 * STEPS) + 0.5) / (2 * STEPS);
    double sine = sin(DEW_PI * v), turn = 2 * DEW_PI * u;
    *solid_angle = sine * DEW_PI / STEPS * DEW_PI / STEPS;
    return dew_f3_from(dew_vec(sine * cos(turn), cos(DEW_PI * v), sine * sin(turn)));
}

static void densities_integrate_to_one(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        dew_Environment *environment = create(names[k]);
        double sum = 0, power = 0, solid_angle;
        for (int i = 0; i < 2 * STEPS * STEPS; i++) {
            dew_Float3 d = grid_direction(i, &solid_angle);
            sum += (double)dew_environment_density(environment, d) * solid_angle;
            power += (double)dew_luminance(dew_environment_radiance(environment, d)) * solid_angle;
        }
        assert_near(sum, 1, 0.01);
        assert_near((double)dew_environment_power(environment) / power, 1, 0.02);
        dew_environment_destroy(environment);
    }
}

// The mean of radiance over density is the integral of the radiance, with little noise; and the
// density that is reported is the density that is asked for.
static void sampling_finds_the_light(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        dew_Environment *environment = create(names[k]);
        dew_Random random = dew_random(7, (uint64_t)k, 0);
        double mean = 0, agree = 0;
        enum { SAMPLES = 20000 };
        for (int i = 0; i < SAMPLES; i++) {
            float density, u = (float)dew_random_unit(&random), v = (float)dew_random_unit(&random);
            dew_Float3 radiance, d = dew_environment_sample(environment, u, v, &density, &radiance);
            assert_near(dew_f3_length2(d), 1, 1e-5);
            mean += (double)(dew_luminance(radiance) / density) / SAMPLES;
            // Directions on the border of two cells may get the neighbour's density.
            agree += fabsf(dew_environment_density(environment, d) / density - 1) < 0.01f;
        }
        assert_true(agree > 0.98 * SAMPLES);
        assert_near(mean / (double)dew_environment_power(environment), 1, 0.02);
        dew_environment_destroy(environment);
    }
}

static void clamped_and_bright_add_up(void **state)
{
    (void)state;
    dew_Environment *environment = create("studio");
    dew_Random random = dew_random(8, 0, 0);
    double bright = 0;
    enum { SAMPLES = 20000 };
    for (int i = 0; i < SAMPLES; i++) {
        float density, u = (float)dew_random_unit(&random), v = (float)dew_random_unit(&random);
        dew_Float3 part, d = dew_environment_sample_bright(environment, u, v, &density, &part);
        dew_Float3 all = dew_environment_radiance(environment, d);
        dew_Float3 sum = dew_f3_add(dew_environment_clamped(environment, all), part);
        assert_near(sum.y, all.y, 1e-3 + 0.02 * (double)all.y);
        bright += density > 0 ? (double)(dew_luminance(part) / density) / SAMPLES : 0;
    }
    assert_near(bright / (double)dew_environment_bright_power(environment), 1, 0.05);
    dew_environment_destroy(environment);
}

static void even_light_is_not_clamped(void **state)
{
    (void)state;
    dew_Environment *environment;
    assert_int_equal(dew_environment_create_even(dew_f3_all(0.7f), NULL, &environment).code,
                     DEW_OK);
    assert_true(dew_environment_bright_power(environment) == 0);
    assert_near(dew_environment_power(environment), 0.7 * 4 * DEW_PI, 0.01);
    assert_near(dew_environment_radiance(environment, dew_f3(0, 0, 1)).x, 0.7, 1e-6);
    dew_environment_destroy(environment);
}

// An image with one bright pixel in the middle of its upper half: towards -z and up.
static void images_are_seen_where_they_are(void **state)
{
    (void)state;
    float rgb[3 * 8 * 4] = {0};
    rgb[3 * (8 * 1 + 3) + 1] = 5;
    rgb[3 * (8 * 1 + 4) + 1] = 5;
    rgb[0] = (float)NAN;  // files hold such things
    dew_Environment *environment;
    dew_EnvironmentImage image = {8, 4, rgb};
    assert_int_equal(dew_environment_create_image(&image, NULL, NULL, &environment).code, DEW_OK);
    double up = DEW_PI * (0.5 - 1.5 / 4);
    dew_Float3 d = dew_f3_from(dew_vec(0, sin(up), -cos(up)));
    assert_near(dew_environment_radiance(environment, d).y, 5, 1e-3);
    assert_near(dew_environment_radiance(environment, dew_f3(0, 0, 1)).y, 0, 1e-3);
    assert_true(isfinite(dew_environment_power(environment)));
    dew_environment_destroy(environment);
}

static void wrong_names_are_reported(void **state)
{
    (void)state;
    dew_Environment *environment;
    dew_Status status = dew_environment_create("garden", NULL, NULL, &environment);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "garden"));
    assert_null(environment);
}

static void only_the_sky_has_a_sun(void **state)
{
    (void)state;
    dew_Light sun;
    for (int k = 0; k < 3; k++) {
        dew_Environment *environment = create(names[k]);
        assert_int_equal(dew_environment_sun(environment, &sun), k == 1);
        dew_environment_destroy(environment);
    }
    assert_true(sun.towards.y > 0);
}

// A light's samples lie on its disk, and its radiance over the disk gives its strength.
static void lights_are_disks(void **state)
{
    (void)state;
    const double sizes[] = {0.5, 5, 60};
    for (int k = 0; k < 3; k++) {
        dew_LightDef def = dew_default_light_def();
        def.size_rad = DEW_DEG(sizes[k]);
        dew_Light light = dew_light(&def);
        double irradiance = 0;
        enum { SAMPLES = 4000 };
        for (int i = 0; i < SAMPLES; i++) {
            dew_Float3 d = dew_light_sample(&light, ((float)(i % 64) + 0.5f) / 64,
                                            ((float)(i / 64) + 0.5f) / ((float)SAMPLES / 64));
            assert_near(dew_f3_length2(d), 1, 1e-5);
            irradiance +=
                (double)(dew_f3_inner(d, light.towards) * light.solid_angle * light.radiance.x) /
                SAMPLES;
        }
        assert_near(irradiance, 3, 0.02);
        assert_true(dew_light_is_hit(&light, dew_light_sample(&light, 0.5f, 0.3f)));
        assert_false(dew_light_is_hit(&light, dew_f3_scale(-1, light.towards)));
    }
}

// The image of a small light in a clear surface is wider, and gives as much light; a wide one is as
// it is.
static void glints_keep_their_light(void **state)
{
    (void)state;
    const double sizes[] = {0.05, 0.5, 2, 5}, least[] = {0, 0.1, 0.5};
    for (int k = 0; k < 12; k++) {
        dew_LightDef def = dew_default_light_def();
        def.size_rad = DEW_DEG(sizes[k % 4]);
        dew_Light light = dew_light(&def);
        enum { RINGS = 4000 };
        double irradiance = 0, step = fmax(DEW_DEG(3), 1.01 * least[k / 4]) / RINGS;
        float least_rad = (float)least[k / 4];
        for (int i = 0; i < RINGS; i++) {
            double angle = (i + 0.5) * step;
            dew_Float3 d = dew_f3_add_scaled(dew_f3_scale((float)cos(angle), light.towards),
                                             (float)sin(angle), light.tangent);
            irradiance += 2 * DEW_PI * sin(angle) * cos(angle) * step *
                          (double)dew_light_glint(&light, d, least_rad).x;
        }
        assert_near(irradiance, 3, 0.01);  // a ring more or less at the rim: 2 / RINGS
        assert_true(dew_light_glint(&light, dew_f3_scale(-1, light.towards), least_rad).x == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_integrate_to_one),
        cmocka_unit_test(sampling_finds_the_light),
        cmocka_unit_test(clamped_and_bright_add_up),
        cmocka_unit_test(even_light_is_not_clamped),
        cmocka_unit_test(images_are_seen_where_they_are),
        cmocka_unit_test(wrong_names_are_reported),
        cmocka_unit_test(only_the_sky_has_a_sun),
        cmocka_unit_test(lights_are_disks),
        cmocka_unit_test(glints_keep_their_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
