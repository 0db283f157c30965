// Tables of numbers: forms that people write, what is refused and with which words.
#include "io/csv.h"

#include "io/reader_test.h"

static dew_Status parse(const char *text, dew_Table *table)
{
    dew_Source source = dew_source_of_text("FILE", text);
    dew_table_init(table, NULL);
    return dew_csv_parse(&source, table);
}

static void expect_123456(const char *text)
{
    dew_Table table;
    dew_Status status = parse(text, &table);
    if (status.code != DEW_OK)
        fail_msg("refused: %s", status.message);
    assert_int_equal(table.row_count, 2);
    assert_int_equal(table.column_count, 3);
    for (int i = 0; i < 6; i++)
        assert_true(DEW_ITEMS(&table.values, double)[i] == i + 1);
    dew_table_deinit(&table);
}

static void expect_rejected(const char *text, const char *sentence)
{
    dew_Table table;
    dew_Status status = parse(text, &table);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_string_equal(status.message, sentence);
    assert_int_equal(table.row_count, 0);
    assert_null(table.values.data);
}

static void test_forms(void **state)
{
    (void)state;
    expect_123456("1,2,3\n4,5,6\n");
    expect_123456("1, 2 ,3\r\n4,5,6");
    expect_123456("1;2;3\n4;5;6\n");
    expect_123456("1 2 3\n4\t5   6\n");
    expect_123456("# heights in metres\n\n1,2,3 # first\n   \n4,5,6\n");
    expect_123456("x,y,z\n1,2,3\n4,5,6\n");
    expect_123456("height [m]\n1 2 3\n4 5 6\n");
    expect_123456("\"x\";\"y\";\"z\"\n\"1\";\"2\";\"3\"\n4;5;6\n");
    expect_123456("1,2,3,\n4,5,6,\n");
    expect_123456("1e0,+2.0,30e-1\r4,5,6");
}

static void test_one_number(void **state)
{
    (void)state;
    dew_Table table;
    assert_int_equal(parse("-0.25", &table).code, DEW_OK);
    assert_true(table.row_count == 1 && table.column_count == 1);
    assert_true(DEW_ITEMS(&table.values, double)[0] == -0.25);
    dew_table_deinit(&table);
}

static void test_refused(void **state)
{
    (void)state;
    expect_rejected("", "FILE:1: there is no row of numbers");
    expect_rejected("a,b\n", "FILE:2: there is no row of numbers");
    expect_rejected("a,b\nc,d\n", "FILE:2: column 1: 'c' is not a number");
    expect_rejected("1,2\n3\n", "FILE:2: this row has 1 columns, those above it 2");
    expect_rejected("1,2\n\n3,4,5\n", "FILE:3: this row is longer than the 2 columns above it");
    expect_rejected("1,,2\n", "FILE:1: column 2 is empty");
    expect_rejected("1,2\n3,x4\n", "FILE:2: column 2: 'x4' is not a number");
    expect_rejected("1,nan\n", "FILE:1: column 2: 'nan' is not finite");
    expect_rejected("1 2\n3 -inf\n", "FILE:2: column 2: '-inf' is not finite");
    expect_rejected("1,5;2,5\n1;2\n",
                    "FILE:1: column 1: '1,5' is not a number (the decimal point is a point)");
}

static void test_decimal_comma(void **state)
{
    (void)state;
    expect_rejected("1;2\n1,5;2,5\n",
                    "FILE:2: column 1: '1,5' is not a number (the decimal point is a point)");
}

static void test_memory(void **state)
{
    (void)state;
    static const char text[] = "x y\n1 2\n3 4\n5 6\n7 8\n9 10\n";
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Source source = dew_source_of_text("FILE", text);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Table table;
        dew_table_init(&table, &allocator);
        dew_Status status = dew_csv_parse(&source, &table);
        assert_int_equal(status.code, torture.calls > n ? DEW_NO_MEMORY : DEW_OK);
        dew_table_deinit(&table);
        assert_int_equal(torture.blocks, 0);
        if (status.code == DEW_OK)
            break;
    }
}

static void test_file(void **state)
{
    (void)state;
    static const char path[] = "csv_test.csv";
    dew_FileWriter writer;
    dew_Table table;
    dew_LogText log = {0};
    dew_Log to_text = {dew_log_text_write, &log};
    assert_int_equal(dew_file_begin(&writer, path, NULL).code, DEW_OK);
    dew_file_text(&writer, "\xEF\xBB\xBF"
                           "1,2\n");
    assert_int_equal(dew_file_commit(&writer).code, DEW_OK);
    dew_table_init(&table, NULL);
    assert_int_equal(dew_csv_load(path, &to_text, &table).code, DEW_OK);
    assert_int_equal(table.column_count, 2);
    assert_string_equal(log.text, "csv_test.csv: byte-order mark at the beginning was skipped\n");
    dew_table_deinit(&table);
    remove(path);
    assert_int_equal(dew_csv_load(path, NULL, &table).code, DEW_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),   cmocka_unit_test(test_one_number),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_decimal_comma),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
