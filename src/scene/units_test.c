// Quantities: values of all kinds of units, spellings, and what is refused with which words.
#include "scene/units.h"

#include "base/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        dew_UnitKind kind;
        double value;
    } cases[] = {
        {"2 mm", DEW_UNIT_LENGTH, 0.002},
        {"0.3 mm", DEW_UNIT_LENGTH, 0.0003},  // 0.3 * 1e-3 would be one bit off
        {"0.25mm", DEW_UNIT_LENGTH, 0.00025},
        {"1e3 nm", DEW_UNIT_LENGTH, 1e-6},
        {"-7E-1 cm", DEW_UNIT_LENGTH, -0.007},
        {"1 in", DEW_UNIT_LENGTH, 0.0254},
        {"10 \u00b5m", DEW_UNIT_LENGTH, 1e-5},
        {"10 \u03bcm", DEW_UNIT_LENGTH, 1e-5},
        {"3", DEW_UNIT_LENGTH, 3},
        {"  3  ", DEW_UNIT_LENGTH, 3},
        {"73 mN/m", DEW_UNIT_TENSION, 0.073},
        {"73 dyn/cm", DEW_UNIT_TENSION, 0.073},
        {"1 mPa s", DEW_UNIT_VISCOSITY, 0.001},
        {"1 mPa*s", DEW_UNIT_VISCOSITY, 0.001},
        {"1 mPa\u00b7s", DEW_UNIT_VISCOSITY, 0.001},
        {"1 mPa.s", DEW_UNIT_VISCOSITY, 0.001},
        {"1 cP", DEW_UNIT_VISCOSITY, 0.001},
        {"90 deg", DEW_UNIT_ANGLE, DEW_DEG(90)},
        {"90\u00b0", DEW_UNIT_ANGLE, DEW_DEG(90)},
        {"0.5 s", DEW_UNIT_TIME, 0.5},
        {"2 min", DEW_UNIT_TIME, 120},
        {"inf s", DEW_UNIT_TIME, (double)INFINITY},
        {"inf", DEW_UNIT_TIME, (double)INFINITY},
        {".inf", DEW_UNIT_TIME, (double)INFINITY},
        {"-inf m", DEW_UNIT_LENGTH, -(double)INFINITY},
        {"60 Hz", DEW_UNIT_FREQUENCY, 60},
        {"60 1/s", DEW_UNIT_FREQUENCY, 60},
        {"60 s^-1", DEW_UNIT_FREQUENCY, 60},
        {"1 g/cm^3", DEW_UNIT_DENSITY, 1000},
        {"1 g/cm3", DEW_UNIT_DENSITY, 1000},
        {"1 g / cm\u00b3", DEW_UNIT_DENSITY, 1000},
        {"10 mm^3", DEW_UNIT_VOLUME, 1e-8},
        {"5 ul", DEW_UNIT_VOLUME, 5e-9},
        {"5 \u00b5L", DEW_UNIT_VOLUME, 5e-9},
        {"0.1 mm^3/s", DEW_UNIT_VOLUME_RATE, 1e-10},
        {"60 ml/min", DEW_UNIT_VOLUME_RATE, 1e-6},
        {"36 km/h", DEW_UNIT_SPEED, 10},
        {"9.81 m/s\u00b2", DEW_UNIT_ACCELERATION, 9.81},
        {"9.81 m/s**2", DEW_UNIT_ACCELERATION, 9.81},
        {"1 g", DEW_UNIT_ACCELERATION, 9.80665},
        {"60 rpm", DEW_UNIT_ANGULAR_SPEED, 2 * DEW_PI},
        {"0.1", DEW_UNIT_NONE, 0.1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        dew_Status status = dew_quantity_parse(cases[i].text, cases[i].kind, &value);
        if (status.code != DEW_OK || value != cases[i].value)
            fail_msg("\"%s\" gave %.17g, not %.17g: %s", cases[i].text, value, cases[i].value,
                     status.message);
    }
}

static void test_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        dew_UnitKind kind;
        const char *words;
    } cases[] = {
        {"3 s", DEW_UNIT_LENGTH, "\"3 s\" is a time, but a length is wanted (such as 2 mm)"},
        {"3 mm", DEW_UNIT_ANGLE, "is a length, but an angle is wanted (such as 90 deg)"},
        {"3 mn", DEW_UNIT_LENGTH, "unknown unit \"mn\" (did you mean m"},
        {"3 mmm", DEW_UNIT_LENGTH, "unknown unit \"mmm\" (did you mean mm?)"},
        {"3 degres", DEW_UNIT_ANGLE, "unknown unit \"degres\""},
        {"73 mN/mm", DEW_UNIT_TENSION, "(did you mean mN/m?)"},
        {"3 parsec", DEW_UNIT_LENGTH, "unknown unit \"parsec\" (a length is wanted, such as 2 mm)"},
        {"two", DEW_UNIT_LENGTH, "\"two\" is not a number (a length is wanted, such as 2 mm)"},
        {"", DEW_UNIT_TIME, "\"\" is not a number"},
        {"nan", DEW_UNIT_LENGTH, "NaN"},
        {".nan", DEW_UNIT_LENGTH, "NaN"},
        {"1e400", DEW_UNIT_LENGTH, "too large"},
        {"1e308 km", DEW_UNIT_LENGTH, "too large"},
        {"3 m", DEW_UNIT_NONE, "is a length, but a plain number is wanted"},
        {"3 apples", DEW_UNIT_NONE, "\"apples\" is left behind a plain number"},
        {"0x10", DEW_UNIT_LENGTH, "unknown unit \"x10\""},
        {"1 2", DEW_UNIT_LENGTH, "unknown unit \"2\""},
        {"1 mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm", DEW_UNIT_LENGTH,
         "unknown unit \"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm...\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 7;
        dew_Status status = dew_quantity_parse(cases[i].text, cases[i].kind, &value);
        if (status.code != DEW_BAD_INPUT || !strstr(status.message, cases[i].words) || value != 7)
            fail_msg("\"%s\": %d, %s", cases[i].text, (int)status.code, status.message);
    }
}

// Every listed unit reads as its own kind, and the SI symbol of each kind as exactly one.
static void test_every_unit(void **state)
{
    (void)state;
    int count = 0;
    for (int kind = DEW_UNIT_LENGTH; kind < DEW_UNIT_KIND_COUNT; kind++) {
        assert_string_equal(dew_unit_listed((dew_UnitKind)kind, 0),
                            dew_unit_symbol((dew_UnitKind)kind));
        for (int i = 0; dew_unit_listed((dew_UnitKind)kind, i); i++, count++) {
            char text[64];
            double value = 0;
            snprintf(text, sizeof text, "1 %s", dew_unit_listed((dew_UnitKind)kind, i));
            dew_Status status = dew_quantity_parse(text, (dew_UnitKind)kind, &value);
            assert_int_equal(status.code, DEW_OK);
            assert_true(value > 0);
            if (i == 0)
                assert_true(value == 1);
        }
        double value = 0;
        const char *example = dew_unit_kind_example((dew_UnitKind)kind);
        assert_int_equal(dew_quantity_parse(example, (dew_UnitKind)kind, &value).code, DEW_OK);
    }
    assert_true(count > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_every_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
