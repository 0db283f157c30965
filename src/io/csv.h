/// Tables of numbers as text: heights, depths.
///
/// Rows of equal length, parted by commas, semicolons, or white space (the first line decides).
/// Blank lines and what stands behind # are passed over; a first line without any number is taken
/// for a header; quotes around a number and a separator at the end of a line do no harm. Numbers
/// have a decimal point in every locale. NaN and infinities are refused.
#pragma once

#include "base/array.h"
#include "io/source.h"

typedef struct dew_Table {
    dew_Array values;  // of double, row by row
    int64_t row_count, column_count;
} dew_Table;

void dew_table_init(dew_Table *table, const dew_Allocator *allocator);
void dew_table_deinit(dew_Table *table);

/// Replaces what is in the table; leaves it empty on failure. At least one row is there on success.
dew_Status dew_csv_parse(const dew_Source *source, dew_Table *table);
/// Same from a file of at most 1 GiB. Log may be NULL.
dew_Status dew_csv_load(const char *path, const dew_Log *log, dew_Table *table);
