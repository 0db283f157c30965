// Durations and sizes of memory: known texts, and where one unit ends and the next begins.
#include "base/testing.h"

#include "dew/text.h"

#include <math.h>

static void durations(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } known[] = {
        {0, "0.0 s"},           {3.21, "3.2 s"},
        {9.94, "9.9 s"},        {9.96, "10 s"},
        {59.4, "59 s"},         {59.6, "1 min 00 s"},
        {250, "4 min 10 s"},    {3599.4, "59 min 59 s"},
        {3599.6, "1 h 00 min"}, {7500, "2 h 05 min"},
        {86369, "23 h 59 min"}, {86371, "1 d 0 h"},
        {273600, "3 d 4 h"},    {-1, "0.0 s"},
        {(double)NAN, "-"},     {(double)INFINITY, "-"},
        {1e300, "-"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[32];
        dew_format_duration(known[i].seconds, text, sizeof text);
        assert_string_equal(text, known[i].text);
    }
    char small[4];
    dew_format_duration(12345, small, sizeof small);
    assert_string_equal(small, "3 h");
}

static void byte_counts(void **state)
{
    (void)state;
    static const struct {
        double bytes;
        const char *text;
    } known[] = {
        {0, "0 B"},           {999, "999 B"},           {1000, "1.0 kB"},
        {1500, "1.5 kB"},     {9949, "9.9 kB"},         {9951, "10 kB"},
        {23e6, "23 MB"},      {999.4e6, "999 MB"},      {999.6e6, "1.0 GB"},
        {1.2e9, "1.2 GB"},    {5e12, "5.0 TB"},         {1e18, "1.0 EB"},
        {5e24, "5000000 EB"}, {2.5e300, "2.5e+282 EB"}, {(double)INFINITY, "-"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[32];
        dew_format_bytes(known[i].bytes, text, sizeof text);
        assert_string_equal(text, known[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(byte_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
