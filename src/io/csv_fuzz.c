// Fuzz target: any bytes as a table of numbers.
#include "io/bounded_allocator.h"
#include "io/csv.h"
#include "io/sink.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

// What is written of it, with commas, must read back the same.
static void check_return(const dew_Table *table)
{
    dew_Array bytes;
    dew_Sink sink;
    dew_Table back;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    for (int64_t i = 0; i < table->values.count; i++) {
        dew_sink_double(&sink, DEW_ITEMS(&table->values, const double)[i]);
        dew_sink_text(&sink, (i + 1) % table->column_count == 0 ? "\n" : ",");
    }
    require(dew_sink_end(&sink, dew_ok()).code == DEW_OK);
    dew_Source source = dew_source_from_memory("written", bytes.data, (size_t)bytes.count);
    dew_table_init(&back, NULL);
    require(dew_csv_parse(&source, &back).code == DEW_OK);
    require(back.row_count == table->row_count && back.column_count == table->column_count);
    require(
        !memcmp(back.values.data, table->values.data, (size_t)back.values.count * sizeof(double)));
    dew_table_deinit(&back);
    dew_array_deinit(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dew_Bounded bounded = {.limit_bytes = ((size_t)1 << 16) + 32 * size};
    dew_Allocator allocator = dew_bounded_allocator(&bounded);
    dew_Source source = dew_source_from_memory("input", data, size);
    dew_Table table;
    dew_table_init(&table, &allocator);
    dew_Status status = dew_csv_parse(&source, &table);
    require(status.code == DEW_OK || status.code == DEW_BAD_INPUT);
    if (status.code == DEW_OK) {
        require(table.row_count > 0 && table.column_count > 0);
        require(table.values.count == table.row_count * table.column_count);
        for (int64_t i = 0; i < table.values.count; i++)
            require(isfinite(DEW_ITEMS(&table.values, const double)[i]));
        check_return(&table);
    }
    dew_table_deinit(&table);
    require(bounded.used_bytes == 0);
    return 0;
}
