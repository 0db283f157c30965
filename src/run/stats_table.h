/// stats.csv read back: columns of numbers by name.
#pragma once

#include "base/arena.h"

typedef struct dew_StatsTable {
    int column_count;
    int64_t row_count;
    const char **names;
    double *values;  // row by row; NaN where a cell is empty
} dew_StatsTable;

/// Reads a CSV table with a header line. A row cut short by a crash is left out.
dew_Status dew_stats_table_load(const char *path, dew_Arena *arena, dew_StatsTable *out);
int dew_stats_table_column(const dew_StatsTable *table, const char *name);  // DEW_INVALID: none

static inline double dew_stats_table_value(const dew_StatsTable *table, int64_t row, int column)
{
    return table->values[row * table->column_count + column];
}
