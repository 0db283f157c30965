/// A CSV table that grows row by row during a run: stats.csv, drops.csv.
///
/// Rows are kept in memory until a flush. A table knows the number of its rows and a hash over
/// them; both go into the checkpoint, so that a resumed run can cut the table back to where the
/// checkpoint was, and be sure that it is the same table. A last column that holds CPU time is left
/// out of the hash, so that checkpoints of equal runs are equal.
#pragma once

#include "base/array.h"
#include "run/directory.h"

#define DEW_TABLE_MAX_BYTES ((size_t)1 << 38)  // of a table that is read back

typedef struct dew_RunTable {
    dew_RunPath path;
    int fd;             // -1: not open
    dew_Array pending;  // of char: rows not yet written
    int64_t row_count;  // header not counted
    uint64_t hash;      // of all rows
    bool has_clock;     // the last column is not part of the hash
} dew_RunTable;

/// One row while it is put together.
typedef struct dew_Row {
    char text[2048];
    size_t length;
} dew_Row;

void dew_row_begin(dew_Row *row);
void dew_row_integer(dew_Row *row, int64_t x);
void dew_row_number(dew_Row *row, double x);  // empty when it is NaN
void dew_row_text(dew_Row *row, const char *text);

void dew_run_table_init(dew_RunTable *table, dew_RunPath path, bool has_clock,
                        const dew_Allocator *allocator);
void dew_run_table_deinit(dew_RunTable *table);

/// A new table with its header line.
dew_Status dew_run_table_create(dew_RunTable *table, const char *header);

/// Where rows that were checked end.
typedef struct dew_TableMark {
    int64_t row_count;
    uint64_t hash;
    int64_t size_bytes;  // of the file up to there
    double last_clock;   // the last row's last column; 0 without rows
} dew_TableMark;

/// Does the file begin with this header and `row_count` rows of that hash? Changes nothing.
dew_Status dew_run_table_check(const dew_RunTable *table, const char *header, int64_t row_count,
                               uint64_t hash, dew_TableMark *out);
/// Opens the file to append behind the mark; what is there beyond it is cut off.
dew_Status dew_run_table_resume(dew_RunTable *table, const dew_TableMark *mark);

dew_Status dew_run_table_add(dew_RunTable *table, dew_Row *row);
/// Writes what is pending; with `sync` also to the disk.
dew_Status dew_run_table_flush(dew_RunTable *table, bool sync);
