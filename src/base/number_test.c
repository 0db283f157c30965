// Numbers as text: correctly rounded, shortest, the same under a comma locale.
#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/testing.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void known_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t used;
        double value;
    } known[] = {
        {"0", 1, 0.0},
        {"-0", 2, -0.0},
        {"1", 1, 1},
        {"+12", 3, 12},
        {".5", 2, 0.5},
        {"5.", 2, 5},
        {"-.5e1x", 6 - 1, -5},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1e-", 1, 1},
        {"1e5", 3, 1e5},
        {"1E+05", 5, 1e5},
        {"2 mm", 1, 2},
        {"2mm", 1, 2},
        {"1.2.3", 3, 1.2},
        {"1,5", 1, 1},
        {"0x10", 1, 0},
        {"00000000000000000000000000012", 29, 12},
        {"0.000000000000000000000000000012", 32, 1.2e-29},
        {"1e-320", 6, 1e-320},
        {"4.9e-324", 8, 0x1p-1074},
        {"2.4703282292062327e-324", 23, 0},  // just below half of it
        {"2.4703282292062328e-324", 23, 0x1p-1074},
        {"1.7976931348623157e308", 22, DBL_MAX},
        {"1.7976931348623158e308", 22, DBL_MAX},
        {"1.7976931348623159e308", 22, (double)INFINITY},
        {"1e400", 5, (double)INFINITY},
        {"-1e400", 6, -(double)INFINITY},
        {"1e-400", 6, 0},
        {"1e99999999999999999999999", 25, (double)INFINITY},
        {"1e-99999999999999999999999", 26, 0},
        {"0e99999999999999999999999", 25, 0},
        {"9007199254740993", 16, 9007199254740992.0},  // a tie, to even
        {"9007199254740993.00000000000000000001", 37, 9007199254740994.0},
        {"123456789012345678901234567890", 30, 123456789012345678901234567890.0},
        {"2.2250738585072011e-308", 23, 0x0.fffffffffffffp-1022},
        {"6.02214076e23", 13, 6.02214076e23},
        {"inf", 3, (double)INFINITY},
        {"-INF s", 4, -(double)INFINITY},
        {"+Infinity", 9, (double)INFINITY},
        {"infinit", 3, (double)INFINITY},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double value = 77;
        size_t used = dew_number_parse(known[i].text, strlen(known[i].text), &value);
        assert_int_equal(used, known[i].used);
        assert_int_equal(bits_of(value), bits_of(known[i].value));
    }
    double value = 0;
    assert_int_equal(dew_number_parse("NaN", 3, &value), 3);
    assert_true(isnan(value));
}

static void not_numbers(void **state)
{
    (void)state;
    static const char *const none[] = {"",   "-",   "+",   ".",  "+.e3", "e3", ".e3", " 1",
                                       "\t", "--1", "+-1", "in", "na",   "x",  "\xff"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        double value = 77;
        assert_int_equal(dew_number_parse(none[i], strlen(none[i]), &value), 0);
        assert_true(value == 77);
    }
}

// The text need not end where it seems to, nor with a zero byte.
static void length_is_respected(void **state)
{
    (void)state;
    char *text = (char *)malloc(5);  // exactly: a sanitizer sees a byte too many
    memcpy(text, "1.5e7", 5);
    static const double value_at[] = {1, 1, 1.5, 1.5, 1.5e7};
    static const size_t used_at[] = {1, 2, 3, 3, 5};
    for (size_t length = 1; length <= 5; length++) {
        double value = 0;
        assert_int_equal(dew_number_parse(text, length, &value), used_at[length - 1]);
        assert_true(value == value_at[length - 1]);
    }
    assert_int_equal(dew_number_parse(text, 0, &(double){0}), 0);
    free(text);
}

// Digits of every length with exponents of every size, against the C library.
static void agrees_with_the_library(void **state)
{
    (void)state;
    dew_Random random = dew_random(21, 0, 0);
    for (int i = 0; i < 100000; i++) {
        char text[128];
        int n = 0, digits = 1 + (int)(dew_random_u32(&random) % 40);
        int point = (int)(dew_random_u32(&random) % 45);
        if (dew_random_u32(&random) % 2 == 0)
            text[n++] = '-';
        for (int d = 0; d < digits; d++) {
            if (d == point)
                text[n++] = '.';
            text[n++] = (char)('0' + dew_random_u32(&random) % 10);
        }
        if (i % 4 != 0)
            n += snprintf(text + n, 16, "e%d",
                          (int)(dew_random_u32(&random) % (i % 4 == 1 ? 700 : 60)) -
                              (i % 4 == 1 ? 350 : 30));
        text[n] = '\0';
        double value = 0;
        assert_int_equal(dew_number_parse(text, (size_t)n, &value), n);
        assert_int_equal(bits_of(value), bits_of(strtod(text, NULL)));
    }
}

// Half of the smallest number has 751 digits: a tie. What comes a thousand zeros later decides it.
static void very_long_numbers(void **state)
{
    (void)state;
    static char text[20000];
    int length = snprintf(text, sizeof text, "%.1075f", 0x1p-1074);
    // 2^-1075 = 2^-1074 / 2, digit by digit
    int carry = 0;
    for (int i = 2; i < length; i++) {
        int digit = text[i] - '0' + 10 * carry;
        text[i] = (char)('0' + digit / 2);
        carry = digit % 2;
    }
    assert_int_equal(carry, 0);
    double value = 77;
    assert_int_equal(dew_number_parse(text, (size_t)length, &value), length);
    assert_true(value == 0);
    memset(text + length, '0', 5000);
    length += 5000;
    assert_int_equal(dew_number_parse(text, (size_t)length, &value), length);
    assert_true(value == 0);
    text[length - 1] = '1';
    assert_int_equal(dew_number_parse(text, (size_t)length, &value), length);
    assert_true(value == 0x1p-1074);
    // 10000 digits before the point, taken back by the exponent
    memset(text, '7', 10000);
    memcpy(text + 10000, "e-9999", 6);
    assert_int_equal(dew_number_parse(text, 10006, &value), 10006);
    assert_true(value == 7.77777777777777777777777777777777777);
    memcpy(text, "0.", 2);
    memset(text + 2, '0', 9000);
    memcpy(text + 9002, "25e9000", 7);
    assert_int_equal(dew_number_parse(text, 9009, &value), 9009);
    assert_true(value == 0.25);
}

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t used;
        int64_t value;
    } known[] = {
        {"0", 1, 0},
        {"-7x", 2, -7},
        {"+42", 3, 42},
        {"12.5", 2, 12},
        {"0000000000000000000000000000001", 31, 1},
        {"9223372036854775807", 19, INT64_MAX},
        {"-9223372036854775808", 20, INT64_MIN},
        {"9223372036854775808", 0, 77},
        {"-9223372036854775809", 0, 77},
        {"99999999999999999999999", 0, 77},
        {"", 0, 77},
        {"-", 0, 77},
        {"x", 0, 77},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        int64_t value = 77;
        assert_int_equal(dew_integer_parse(known[i].text, strlen(known[i].text), &value),
                         known[i].used);
        assert_int_equal(value, known[i].value);
    }
}

static void known_formats(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } known[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.3, "0.3"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {100, "100"},
        {123456789, "123456789"},
        {1e15, "1000000000000000"},
        {9007199254740992.0, "9007199254740992"},
        {1e16, "1e16"},
        {1e22, "1e22"},
        {1.5e300, "1.5e300"},
        {0.001, "0.001"},
        {0.00002, "0.00002"},
        {0.000002, "2e-6"},
        {1.25e-7, "1.25e-7"},
        {12345.678, "12345.678"},
        {123456789012345.6, "123456789012345.6"},
        {5e-324, "5e-324"},
        {1e-320, "1e-320"},
        {0x1p-1022, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e308"},
        {-DBL_MAX, "-1.7976931348623157e308"},
        {0x1p-44, "5.684341886080802e-14"},  // the nearest 16 digits do not read back here
        {9.5367431640625e-07, "9.5367431640625e-7"},
        {(double)INFINITY, "inf"},
        {-(double)INFINITY, "-inf"},
        {(double)NAN, "nan"},
        {-(double)NAN, "nan"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[DEW_NUMBER_SIZE];
        size_t length = dew_number_format(known[i].value, text);
        assert_string_equal(text, known[i].text);
        assert_int_equal(length, strlen(text));
    }
}

static int digit_count(const char *text)
{
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && count == 0))
            continue;
        count += 1;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

static void check_format(double x)
{
    char text[DEW_NUMBER_SIZE];
    size_t length = dew_number_format(x, text);
    assert_true(length < DEW_NUMBER_SIZE && text[length] == '\0');
    double back = 0;
    assert_int_equal(dew_number_parse(text, length, &back), length);
    assert_int_equal(bits_of(back), bits_of(x));
    assert_int_equal(bits_of(strtod(text, NULL)), bits_of(x));  // others read it too
    int digits = digit_count(text);
    assert_true(digits <= 17);
    if (digits > 1) {  // one digit less does not do
        char shorter[64];
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, x);
        assert_true(strtod(shorter, NULL) != x);
    }
}

static void formats_read_back_and_are_short(void **state)
{
    (void)state;
    char text[32];
    dew_Random random = dew_random(22, 0, 0);
    for (int i = 0; i < 30000; i++) {
        double x = from_bits(dew_random_u64(&random));
        if (isfinite(x))
            check_format(x);
        check_format(dew_random_normal(&random));
        check_format((double)(int32_t)dew_random_u32(&random) / 1000);
        check_format(dew_random_unit(&random) * exp2((double)(dew_random_u32(&random) % 110) - 55));
        check_format(from_bits(dew_random_u64(&random) >> (12 + i % 50)));  // denormals
    }
    for (int e = -1074; e < 1024; e++) {
        check_format(ldexp(1, e));
        check_format(nextafter(ldexp(1, e), 0));
    }
    for (int e = -30; e < 30; e++)  // where the number of digits changes
        for (int i = 0; i < 200; i++) {
            double x = strtod((snprintf(text, sizeof text, "1e%d", e), text), NULL);
            for (int j = 0; j < i; j++)
                x = nextafter(x, i % 2 == 0 ? 0 : 1e300);
            check_format(x);
        }
}

static void check_single(float x)
{
    char text[DEW_NUMBER_SIZE];
    size_t length = dew_number_format_single(x, text);
    assert_true(length < DEW_NUMBER_SIZE && text[length] == '\0');
    assert_true(strtof(text, NULL) == x);
    int digits = digit_count(text);
    assert_true(digits <= 9);
    if (digits > 1) {  // one digit less does not do
        char shorter[64];
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, (double)x);
        assert_true(strtof(shorter, NULL) != x);
    }
}

static void single_precision_is_short(void **state)
{
    (void)state;
    dew_Random random = dew_random(23, 0, 0);
    for (int i = 0; i < 30000; i++) {
        float any;
        uint32_t image = dew_random_u32(&random);
        memcpy(&any, &image, sizeof any);
        if (isfinite(any))
            check_single(any);
        check_single((float)dew_random_normal(&random));
        check_single((float)(int32_t)dew_random_u32(&random) / 1000);
    }
    for (int e = -149; e < 128; e++) {
        check_single(ldexpf(1, e));
        check_single(nextafterf(ldexpf(1, e), 0));
    }
    char text[DEW_NUMBER_SIZE];
    dew_number_format_single(0.1f, text);
    assert_string_equal(text, "0.1");
    dew_number_format_single(-1.5e-7f, text);
    assert_string_equal(text, "-1.5e-7");
}

// Sets a locale whose point is a comma, made for the occasion when none is installed.
static bool set_comma_locale(void)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8"))
        return true;
    char folder[] = "/tmp/dew_locale_XXXXXX", command[200];
    if (!mkdtemp(folder))
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1",
             folder, folder);
    setenv("LOCPATH", folder, 1);
    bool is_set = system(command) == 0 && setlocale(LC_ALL, "de_DE.UTF-8");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 && is_set;
}

// It must change nothing.
static void comma_locale(void **state)
{
    (void)state;
    if (!set_comma_locale())
        skip();
    assert_string_equal(localeconv()->decimal_point, ",");
    char text[DEW_NUMBER_SIZE];
    static const double values[] = {0.1, 1.0 / 3, 12345.678, 1.25e-7, 1e-320, DBL_MAX};
    static const char *const texts[] = {"0.1",    "0.3333333333333333",    "12345.678", "1.25e-7",
                                        "1e-320", "1.7976931348623157e308"};
    for (int i = 0; i < 6; i++) {
        double back = 0;
        dew_number_format(values[i], text);
        assert_string_equal(text, texts[i]);
        assert_int_equal(dew_number_parse(text, strlen(text), &back), strlen(text));
        assert_true(back == values[i]);
    }
    setlocale(LC_ALL, "C");
}

static void errno_is_left_alone(void **state)
{
    (void)state;
    errno = 0;
    double value = 0;
    dew_number_parse("1e400", 5, &value);
    dew_number_parse("1.2345678901234567890123e-310", 29, &value);
    assert_int_equal(errno, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(not_numbers),
        cmocka_unit_test(length_is_respected),
        cmocka_unit_test(agrees_with_the_library),
        cmocka_unit_test(very_long_numbers),
        cmocka_unit_test(integers),
        cmocka_unit_test(known_formats),
        cmocka_unit_test(formats_read_back_and_are_short),
        cmocka_unit_test(single_precision_is_short),
        cmocka_unit_test(comma_locale),
        cmocka_unit_test(errno_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
