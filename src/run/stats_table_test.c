// Tables read back: names, numbers, empty cells, rows cut short, rows that are wrong.
#include "run/stats_table.h"

#include "base/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static dew_Status load(const char *text, dew_Arena *arena, dew_StatsTable *out)
{
    char path[] = "stats_table_test.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    dew_Status status = dew_stats_table_load(path, arena, out);
    unlink(path);
    return status;
}

static void reads_numbers_and_empty_cells(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_StatsTable table;
    dew_arena_init(&arena, NULL);
    const char *text = "step,time,angle,bound\n0,0,,\n1,2.5e-3,90,cfl\n2,0.1,,capillary\n";
    assert_int_equal(load(text, &arena, &table).code, DEW_OK);
    assert_int_equal(table.row_count, 3);
    assert_int_equal(table.column_count, 4);
    int time = dew_stats_table_column(&table, "time");
    int angle = dew_stats_table_column(&table, "angle");
    assert_true(dew_stats_table_value(&table, 1, time) == 2.5e-3);
    assert_true(isnan(dew_stats_table_value(&table, 0, angle)));
    assert_true(dew_stats_table_value(&table, 1, angle) == 90);
    assert_int_equal(dew_stats_table_column(&table, "volume"), DEW_INVALID);
    dew_arena_deinit(&arena);
}

static void leaves_out_a_row_cut_short(void **state)
{
    (void)state;
    dew_Arena arena;
    dew_StatsTable table;
    dew_arena_init(&arena, NULL);
    assert_int_equal(load("a,b\n1,2\n3,", &arena, &table).code, DEW_OK);
    assert_int_equal(table.row_count, 1);
    dew_arena_deinit(&arena);
}

static void refuses_what_is_no_table(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "a,b", "a,b\n1\n", "a,b\n1,2,3\n", "a,b\n1,x\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        dew_Arena arena;
        dew_StatsTable table;
        dew_arena_init(&arena, NULL);
        dew_Status status = load(bad[i], &arena, &table);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_non_null(strchr(status.message, ':'));
        dew_arena_deinit(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_numbers_and_empty_cells),
        cmocka_unit_test(leaves_out_a_row_cut_short),
        cmocka_unit_test(refuses_what_is_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
