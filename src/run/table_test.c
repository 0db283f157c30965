// Tables: rows as text, and cutting back to where a checkpoint was.
#include "run/table.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/testing.h"
#include "run/run_testing.h"

static void rows_read_back(void **state)
{
    (void)state;
    dew_Row row;
    dew_row_begin(&row);
    dew_row_integer(&row, -7);
    dew_row_number(&row, 0.1);
    dew_row_number(&row, (double)NAN);
    dew_row_text(&row, "3;5");
    dew_row_number(&row, 1.0 / 3);
    row.text[row.length] = '\0';
    assert_string_equal(row.text, "-7,0.1,,3;5,0.3333333333333333");
}

static void add_row(dew_RunTable *table, int64_t number, double clock)
{
    dew_Row row;
    dew_row_begin(&row);
    dew_row_integer(&row, number);
    dew_row_number(&row, clock);
    assert_ok(dew_run_table_add(table, &row));
}

static dew_RunPath table_path(const TestDirectory *directory)
{
    dew_RunPath path;
    snprintf(path.text, sizeof path.text, "%s/table.csv", directory->path);
    return path;
}

static void a_table_is_cut_back_to_its_mark(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_RunTable table, other;
    dew_TableMark mark;
    dew_run_table_init(&table, table_path(&d), true, NULL);
    assert_ok(dew_run_table_create(&table, "n,clock"));
    add_row(&table, 1, 0.5);
    add_row(&table, 2, 0.75);
    uint64_t hash = table.hash;
    add_row(&table, 3, 1);
    assert_ok(dew_run_table_flush(&table, true));
    assert_int_equal(write(table.fd, "4,1.", 4), 4);  // a row that a kill cut off
    dew_run_table_deinit(&table);

    dew_run_table_init(&other, table_path(&d), true, NULL);
    assert_ok(dew_run_table_check(&other, "n,clock", 2, hash, &mark));
    assert_true(mark.last_clock == 0.75);
    assert_int_equal(dew_run_table_check(&other, "n,clock", 4, hash, &mark).code, DEW_CORRUPT);
    assert_int_equal(dew_run_table_check(&other, "n,time", 2, hash, &mark).code, DEW_CORRUPT);
    assert_int_equal(dew_run_table_check(&other, "n,clock", 2, hash + 1, &mark).code, DEW_CORRUPT);
    assert_ok(dew_run_table_check(&other, "n,clock", 2, hash, &mark));
    assert_ok(dew_run_table_resume(&other, &mark));
    add_row(&other, 5, 2);
    assert_ok(dew_run_table_flush(&other, false));
    dew_run_table_deinit(&other);
    uint8_t *data;
    size_t size;
    assert_ok(dew_file_read(table_path(&d).text, 1000, NULL, &data, &size));
    assert_string_equal((const char *)data, "n,clock\n1,0.5\n2,0.75\n5,2\n");
    dew_free(NULL, data, size + 1);
    test_remove(d.path);
}

// The clock column is not part of the hash; without one, every column is.
static void the_hash_leaves_out_the_clock(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    uint64_t hash[2][2];
    for (int has_clock = 0; has_clock < 2; has_clock++)
        for (int i = 0; i < 2; i++) {
            dew_RunTable table;
            dew_run_table_init(&table, table_path(&d), has_clock, NULL);
            assert_ok(dew_run_table_create(&table, "n,clock"));
            add_row(&table, 1, i);
            hash[has_clock][i] = table.hash;
            dew_run_table_deinit(&table);
        }
    assert_int_equal(hash[1][0], hash[1][1]);
    assert_int_not_equal(hash[0][0], hash[0][1]);
    test_remove(d.path);
}

static void a_long_pause_between_frames_does_not_fill_the_memory(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_RunTable table;
    dew_run_table_init(&table, table_path(&d), true, NULL);
    assert_ok(dew_run_table_create(&table, "n,clock"));
    for (int i = 0; i < 100000; i++)
        add_row(&table, i, i);
    assert_true(table.pending.capacity < 1 << 18);
    assert_int_equal(table.row_count, 100000);
    dew_run_table_deinit(&table);
    test_remove(d.path);
}

static void a_table_that_was_removed_takes_no_rows(void **state)
{
    (void)state;
    TestDirectory d = test_directory();
    dew_RunTable table;
    dew_run_table_init(&table, table_path(&d), true, NULL);
    assert_ok(dew_run_table_create(&table, "n,clock"));
    add_row(&table, 1, 0.5);
    assert_ok(dew_run_table_flush(&table, true));
    assert_int_equal(unlink(table.path.text), 0);
    add_row(&table, 2, 0.75);
    dew_Status status = dew_run_table_flush(&table, true);
    assert_int_equal(status.code, DEW_IO);
    assert_non_null(strstr(status.message, "table.csv was removed while the run was writing it"));
    dew_run_table_deinit(&table);
    test_remove(d.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_read_back),
        cmocka_unit_test(a_table_is_cut_back_to_its_mark),
        cmocka_unit_test(the_hash_leaves_out_the_clock),
        cmocka_unit_test(a_long_pause_between_frames_does_not_fill_the_memory),
        cmocka_unit_test(a_table_that_was_removed_takes_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
