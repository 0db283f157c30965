// Nearest names: what people mistype is found, what they did not mean is not offered.
#include "dew/text.h"

#include "base/testing.h"

#include <string.h>

static const char *const names[] = {"volume",  "surface",       "apic",     "shallow",
                                    "splash",  "frame_rate",    "gravity",  "surface_tension",
                                    "density", "wet_advancing", "mm",       "m",
                                    "ply",     "finite-volume", "advancing"};

static const char *nearest(const char *word)
{
    return dew_nearest_name(word, names, (int64_t)(sizeof names / sizeof names[0]));
}

static void slips_are_found(void **state)
{
    (void)state;
    static const char *const slips[][2] = {
        {"volum", "volume"},           // letter missing
        {"volumee", "volume"},         // letter too many
        {"vulome", "volume"},          // letters wrong
        {"sufrace", "surface"},        // neighbours swapped
        {"Surface", "surface"},        // case
        {"framerate", "frame_rate"},   // separator missing
        {"frame-rate", "frame_rate"},  // the other separator
        {"finite_volume", "finite-volume"},
        {"gravitiy", "gravity"},
        {"SURFACE-TENSOIN", "surface_tension"},
        {"advancng", "advancing"},
        {"py", "ply"},
        {"MM", "mm"},
    };
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++)
        assert_string_equal(nearest(slips[i][0]), slips[i][1]);
}

static void strangers_are_not_offered(void **state)
{
    (void)state;
    static const char *const strangers[] = {"", "x", "kg", "obj", "temperature", "colour", "zz"};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        assert_null(nearest(strangers[i]));
    char word[1000];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_null(nearest(word));
    const char *longer = word;
    assert_null(dew_nearest_name("aaa", &longer, 1));
    assert_null(dew_nearest_name("volume", NULL, 0));
}

// 64 letters is the longest word that is looked at; the table has room for it.
static void longest_words(void **state)
{
    (void)state;
    char word[66], name[66];
    memset(word, 'a', 64);
    memset(name, 'a', 64);
    word[64] = name[64] = '\0';
    word[63] = 'b';
    const char *only = name;
    assert_ptr_equal(dew_nearest_name(word, &only, 1), name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_found),
        cmocka_unit_test(strangers_are_not_offered),
        cmocka_unit_test(longest_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
