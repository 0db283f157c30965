// Scripts: what lines come to, and what is wrong with those that come to nothing.
#include "view/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static dew_Script parsed(const char *text)
{
    dew_Script script;
    dew_script_init(&script);
    dew_Status status = dew_script_parse(&script, "s", text);
    if (status.code != DEW_OK)
        fail_msg("%s", status.message);
    return script;
}

static void a_drag_goes_evenly(void **state)
{
    (void)state;
    dew_Script script = parsed("# a comment\n\ndrag 10 20 30 60 2 right\nshot a.png\n");
    static const struct {
        dew_InputKind kind;
        double x, y;
        bool is_image_before;
    } wanted[] = {{DEW_INPUT_MOVE, 10, 20, false},
                  {DEW_INPUT_DOWN, 10, 20, false},
                  {DEW_INPUT_MOVE, 20, 40, true},
                  {DEW_INPUT_MOVE, 30, 60, true},
                  {DEW_INPUT_UP, 30, 60, true}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (wanted[i].is_image_before)
            assert_null(dew_script_next(&script, 0));
        const dew_Act *act = dew_script_next(&script, 0);
        assert_non_null(act);
        assert_int_equal(act->input.kind, wanted[i].kind);
        assert_true(act->input.x_px == wanted[i].x && act->input.y_px == wanted[i].y);
    }
    const dew_Act *shot = dew_script_next(&script, 0);
    assert_int_equal(shot->kind, DEW_ACT_SHOT);
    assert_string_equal(shot->path, "a.png");
    assert_true(dew_script_is_done(&script));
    assert_null(dew_script_next(&script, 0));
    dew_script_deinit(&script);
}

static void it_waits_for_frames_and_images(void **state)
{
    (void)state;
    dew_Script script = parsed("at 3\nkey A\nwait 2\nkey left\nquit");
    assert_null(dew_script_next(&script, 0));
    assert_null(dew_script_next(&script, 2));
    const dew_Act *act = dew_script_next(&script, 3);
    assert_int_equal(act->input.key, 'a');
    assert_true(act->input.has_shift);
    assert_null(dew_script_next(&script, 4));
    assert_null(dew_script_next(&script, 5));
    assert_int_equal(dew_script_next(&script, 6)->input.key, DEW_INPUT_LEFT);
    assert_int_equal(dew_script_next(&script, 6)->input.kind, DEW_INPUT_QUIT);
    dew_script_deinit(&script);
}

static void slips_are_named(void **state)
{
    (void)state;
    static const char *const slips[][2] = {
        {"at 1\nclik 3 4", "s:2: no command 'clik' (did you mean click)"},
        {"click 3", "s:1: numbers are wanted (click X Y)"},
        {"click 3 x", "s:1: numbers are wanted (click X Y)"},
        {"at nan", "s:1: numbers are wanted (at FRAME)"},
        {"down lft 1 2", "s:1: no such button (left, middle, right)"},
        {"key", "s:1: a key is wanted (a letter, space, escape, left, right, up, down, home, end)"},
        {"shot", "s:1: a file is wanted (shot image.png, save scene.yaml)"},
    };
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        dew_Script script;
        dew_script_init(&script);
        dew_Status status = dew_script_parse(&script, "s", slips[i][0]);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_string_equal(status.message, slips[i][1]);
        dew_script_deinit(&script);
    }
    char long_line[2048];
    memset(long_line, 'x', sizeof long_line - 1);
    long_line[sizeof long_line - 1] = 0;
    dew_Script script;
    dew_script_init(&script);
    assert_int_equal(dew_script_parse(&script, "s", long_line).code, DEW_BAD_INPUT);
    dew_script_deinit(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drag_goes_evenly),
        cmocka_unit_test(it_waits_for_frames_and_images),
        cmocka_unit_test(slips_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
