// Arguments: known answers, and a shell's own reading of quoted words.
#include "base/argument.h"

#include "base/array.h"
#include "base/process.h"
#include "base/testing.h"

#include <string.h>

static void ffmpeg_names(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    assert_string_equal(dew_argument_ffmpeg_file(&arena, "-x.mp4"), "file:-x.mp4");
    assert_string_equal(dew_argument_ffmpeg_file(&arena, "tcp://a:1/b.mp4"),
                        "file:tcp://a:1/b.mp4");
    assert_string_equal(dew_argument_ffmpeg_series(&arena, "50%_a", "/%04d.png"),
                        "file:50%%_a/%04d.png");
    dew_arena_deinit(&arena);
}

// printf %s WORD, by sh: what comes back is what was quoted.
static void shell_words(void **state)
{
    (void)state;
    static const char *const texts[] = {"",      "plain",      "it's",     "a b",   "`id`",
                                        "$HOME", "\"quoted\"", "a\\b'c'd", "-n ;|&"};
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *word = dew_argument_shell_word(&arena, texts[i]);
        const char *command = dew_arena_format(&arena, "printf %%s %s", word);
        const char *argv[] = {"sh", "-c", command, NULL};
        dew_Array out;
        dew_array_init(&out, NULL, 1);
        assert_int_equal(dew_process_run(argv, "", 0, &out).code, DEW_OK);
        assert_int_equal((size_t)out.count, strlen(texts[i]));
        assert_memory_equal(out.data ? out.data : "", texts[i], strlen(texts[i]));
        dew_array_deinit(&out);
    }
    assert_string_equal(dew_argument_shell_word(&arena, "a'b"), "'a'\\''b'");
    assert_string_equal(dew_argument_shell_word(&arena, "\xc2\xb5\xe2\x80\xae"),
                        "$'\\302\\265\\342\\200\\256'");
    assert_string_equal(dew_argument_shell_word(&arena, "\xc2\xb5"), "'\xc2\xb5'");
    assert_string_equal(dew_argument_shell_word(&arena, "a\nb'\033\\"), "$'a\\012b\\'\\033\\\\'");
    dew_arena_deinit(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ffmpeg_names),
        cmocka_unit_test(shell_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
