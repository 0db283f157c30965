// Programs as functions: what goes in comes out, however much; failures are reported.
#include "base/process.h"

#include "base/testing.h"

#include <string.h>

static void copies_more_than_a_pipe_holds(void **state)
{
    (void)state;
    dew_Array in, out;
    dew_array_init(&in, NULL, 1);
    dew_array_init(&out, NULL, 1);
    assert_int_equal(dew_array_resize(&in, 1 << 20).code, DEW_OK);
    for (int64_t i = 0; i < in.count; i++)
        DEW_ITEMS(&in, uint8_t)[i] = (uint8_t)(i * 7 + i / 255);
    const char *argv[] = {"cat", NULL};
    assert_int_equal(dew_process_run(argv, in.data, (size_t)in.count, &out).code, DEW_OK);
    assert_int_equal(out.count, in.count);
    assert_memory_equal(out.data, in.data, (size_t)in.count);
    dew_array_deinit(&in);
    dew_array_deinit(&out);
}

static void a_program_that_does_not_listen_is_no_harm(void **state)
{
    (void)state;
    dew_Array in, out;
    dew_array_init(&in, NULL, 1);
    dew_array_init(&out, NULL, 1);
    assert_int_equal(dew_array_resize(&in, 1 << 20).code, DEW_OK);
    const char *argv[] = {"true", NULL};
    assert_int_equal(dew_process_run(argv, in.data, (size_t)in.count, &out).code, DEW_OK);
    assert_int_equal(out.count, 0);
    dew_array_deinit(&in);
    dew_array_deinit(&out);
}

static void failure_tells_the_last_line(void **state)
{
    (void)state;
    dew_Array out;
    dew_array_init(&out, NULL, 1);
    const char *argv[] = {"sh", "-c", "echo first >&2; echo no such curve >&2; exit 3", NULL};
    dew_Status status = dew_process_run(argv, "", 0, &out);
    assert_int_equal(status.code, DEW_IO);
    assert_string_equal(status.message, "sh failed: no such curve");
    dew_array_deinit(&out);
}

static void missing_program_is_unsupported(void **state)
{
    (void)state;
    dew_Array out;
    dew_array_init(&out, NULL, 1);
    const char *argv[] = {"no-such-program-as-this", NULL};
    dew_Status status = dew_process_run(argv, "", 0, &out);
    assert_int_equal(status.code, DEW_UNSUPPORTED);
    assert_non_null(strstr(status.message, "no-such-program-as-this"));
    dew_array_deinit(&out);
}

static void feeds_piece_by_piece(void **state)
{
    (void)state;
    static char piece[300000];
    memset(piece, 'x', sizeof piece);
    // It also talks meanwhile, more than its pipes hold.
    const char *argv[] = {"sh", "-c",
                          "yes | head -c 200000; yes | head -c 200000 >&2; "
                          "n=$(wc -c); echo got $n >&2; test $n = 1500000",
                          NULL};
    dew_Process *process;
    assert_int_equal(dew_process_begin(argv, NULL, &process).code, DEW_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(dew_process_write(process, piece, sizeof piece).code, DEW_OK);
    assert_int_equal(dew_process_end(process).code, DEW_OK);
    assert_int_equal(dew_process_begin(argv, NULL, &process).code, DEW_OK);
    assert_int_equal(dew_process_write(process, piece, 7).code, DEW_OK);
    dew_Status status = dew_process_end(process);
    assert_string_equal(status.message, "sh failed: got 7");
}

static void tells_why_it_stopped_listening(void **state)
{
    (void)state;
    static char piece[300000];
    const char *argv[] = {"sh", "-c", "echo no such codec >&2; exit 1", NULL};
    dew_Process *process;
    assert_int_equal(dew_process_begin(argv, NULL, &process).code, DEW_OK);
    dew_Status status = dew_process_write(process, piece, sizeof piece);
    assert_string_equal(status.message, "sh failed: no such codec");
    dew_process_kill(process);
    dew_process_kill(NULL);
    const char *missing[] = {"no-such-program-as-this", NULL};
    assert_int_equal(dew_process_begin(missing, NULL, &process).code, DEW_UNSUPPORTED);
    assert_null(process);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_more_than_a_pipe_holds),
        cmocka_unit_test(a_program_that_does_not_listen_is_no_harm),
        cmocka_unit_test(failure_tells_the_last_line),
        cmocka_unit_test(missing_program_is_unsupported),
        cmocka_unit_test(feeds_piece_by_piece),
        cmocka_unit_test(tells_why_it_stopped_listening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
