// The command line: values, flags, hints, and what is refused.
#include "support/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const dew_Option options[] = {
    {"--output", 'o', "FILE", false, "where"},
    {"--set", 0, "KEY=VALUE", true, "what"},
    {"--quiet", 0, NULL, false, "no words"},
    {"--threads", 0, "N", false, "how many"},
};
static const dew_Command command = {.name = "try",
                                    .operands = "THING",
                                    .summary = "tries",
                                    .min_operands = 1,
                                    .max_operands = 2,
                                    .options = options,
                                    .option_count = 4};

static dew_Status parse(dew_Arguments *out, int argc, char **argv)
{
    return dew_arguments_parse(&command, argc, argv, out);
}
#define PARSE(out, ...)                                                                            \
    parse(out, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), (char *[]){__VA_ARGS__})

static void reads_options_in_every_form(void **state)
{
    (void)state;
    dew_Arguments a;
    const char *sets[4];
    assert_int_equal(PARSE(&a, "-o", "out", "thing", "--set=a=1", "--set", "b=2", "--quiet").code,
                     DEW_OK);
    assert_string_equal(dew_option_value(&a, "--output"), "out");
    assert_int_equal(dew_option_values(&a, "--set", sets, 4), 2);
    assert_string_equal(sets[0], "a=1");
    assert_string_equal(sets[1], "b=2");
    assert_true(dew_option_given(&a, "--quiet"));
    assert_false(dew_option_given(&a, "--threads"));
    assert_string_equal(a.operands[0], "thing");
}

static void after_two_dashes_all_are_operands(void **state)
{
    (void)state;
    dew_Arguments a;
    assert_int_equal(PARSE(&a, "--", "--quiet").code, DEW_OK);
    assert_string_equal(a.operands[0], "--quiet");
    assert_false(dew_option_given(&a, "--quiet"));
}

static void refuses_with_a_hint(void **state)
{
    (void)state;
    dew_Arguments a;
    dew_Status status = PARSE(&a, "thing", "--quite");
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "did you mean --quiet?"));
    assert_int_equal(PARSE(&a, "--quiet").code, DEW_BAD_INPUT);
    assert_int_equal(PARSE(&a, "a", "b", "c").code, DEW_BAD_INPUT);
    assert_int_equal(PARSE(&a, "a", "--set").code, DEW_BAD_INPUT);
    assert_int_equal(PARSE(&a, "a", "--quiet=yes").code, DEW_BAD_INPUT);
    assert_int_equal(PARSE(&a, "a", "-o", "x", "-o", "y").code, DEW_BAD_INPUT);
}

static void reads_whole_numbers(void **state)
{
    (void)state;
    static const char *const bad[] = {"0", "9", "two", "2x", "", "99999999999999999999"};
    dew_Arguments a;
    int64_t n = 5;
    assert_int_equal(PARSE(&a, "x").code, DEW_OK);
    assert_int_equal(dew_option_integer(&a, "--threads", 1, 8, &n).code, DEW_OK);
    assert_int_equal(n, 5);
    assert_int_equal(PARSE(&a, "x", "--threads", "7").code, DEW_OK);
    assert_int_equal(dew_option_integer(&a, "--threads", 1, 8, &n).code, DEW_OK);
    assert_int_equal(n, 7);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char word[32];
        strcpy(word, bad[i]);
        assert_int_equal(PARSE(&a, "x", "--threads", word).code, DEW_OK);
        assert_int_equal(dew_option_integer(&a, "--threads", 1, 8, &n).code, DEW_BAD_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_options_in_every_form),
        cmocka_unit_test(after_two_dashes_all_are_operands),
        cmocka_unit_test(refuses_with_a_hint),
        cmocka_unit_test(reads_whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
