// The page's parts: nothing a user wrote can become markup, images become base64, run.json is
// read.
#include "base/testing.h"
#include "report/page.h"
#include "run/run_info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_temporary(char *path, const char *text)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void escapes_markup(void **state)
{
    (void)state;
    dew_Text out;
    dew_text_init(&out, NULL);
    dew_page_escape(&out, "<script>\"a\" & b");
    assert_string_equal(dew_text_string(&out), "&lt;script&gt;&quot;a&quot; &amp; b");
    dew_text_deinit(&out);
}

static void encodes_images(void **state)
{
    (void)state;
    static const char *const plain[] = {"f", "fo", "foo", "foob"};
    static const char *const coded[] = {"base64,Zg==\"", "base64,Zm8=\"", "base64,Zm9v\"",
                                        "base64,Zm9vYg==\""};
    for (int i = 0; i < 4; i++) {
        char path[] = "page_test.XXXXXX";
        dew_Arena arena;
        dew_Text out;
        write_temporary(path, plain[i]);
        dew_arena_init(&arena, NULL);
        dew_text_init(&out, NULL);
        assert_int_equal(dew_page_image(&out, path, &arena).code, DEW_OK);
        assert_non_null(strstr(dew_text_string(&out), coded[i]));
        unlink(path);
        dew_text_deinit(&out);
        dew_arena_deinit(&arena);
    }
}

static void lists_the_last_frames_drops(void **state)
{
    (void)state;
    char path[] = "page_test.XXXXXX";
    dew_Arena arena;
    dew_Text out;
    write_temporary(path, "frame,time,id,parents,volume,area,x,y,z,u,v,w,ca,angle\n"
                          "0,0,1,,1e-9,1,1,1,1,1,1,1,1,90\n"
                          "1,0.1,7,,1e-9,1,1,1,1,1,1,1,1,\n"
                          "1,0.1,8,1;2,3e-9,1,1,1,1,1,1,1,1,60.5\n");
    dew_arena_init(&arena, NULL);
    dew_text_init(&out, NULL);
    assert_int_equal(dew_page_drops(&out, path, &arena).code, DEW_OK);
    const char *text = dew_text_string(&out);
    assert_non_null(strstr(text, "2 in all"));
    assert_true(strstr(text, "<td>8</td>") < strstr(text, "<td>7</td>"));
    assert_null(strstr(text, "<td>1</td>"));
    unlink(path);
    dew_text_deinit(&out);
    dew_arena_deinit(&arena);
}

static void reads_run_json(void **state)
{
    (void)state;
    char path[] = "page_test.XXXXXX";
    dew_Arena arena;
    dew_RunInfo info;
    write_temporary(path, "{\n  \"status\": \"failed\",\n \"steps\": 12, \"wall_s\": 1.5e1,\n"
                          " \"message\": \"a \\\"quoted\\\" word\\n\", \"none\": null}\n");
    dew_arena_init(&arena, NULL);
    assert_int_equal(dew_run_info_load(path, &arena, &info).code, DEW_OK);
    assert_string_equal(dew_run_info_text(&info, "status"), "failed");
    assert_string_equal(dew_run_info_text(&info, "message"), "a \"quoted\" word\n");
    assert_true(dew_run_info_number(&info, "wall_s") == 15);
    assert_true(isnan(dew_run_info_number(&info, "none")));
    assert_string_equal(dew_run_info_text(&info, "other"), "");
    unlink(path);
    dew_arena_deinit(&arena);
}

static void refuses_what_is_no_object(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "[]", "{\"a\"", "{\"a\": 1", "{\"a: 1}", "{\"a\" 1}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char path[] = "page_test.XXXXXX";
        dew_Arena arena;
        dew_RunInfo info;
        write_temporary(path, bad[i]);
        dew_arena_init(&arena, NULL);
        assert_int_equal(dew_run_info_load(path, &arena, &info).code, DEW_BAD_INPUT);
        unlink(path);
        dew_arena_deinit(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_markup),
        cmocka_unit_test(encodes_images),
        cmocka_unit_test(lists_the_last_frames_drops),
        cmocka_unit_test(reads_run_json),
        cmocka_unit_test(refuses_what_is_no_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
