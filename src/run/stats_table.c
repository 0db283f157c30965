// Reads the tables that a run writes. Cells are numbers or empty; the columns `bound` and `parents`
// have text, which is read as NaN. The header names the columns.
#include "run/stats_table.h"

#include "base/file.h"
#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

enum { MAX_COLUMNS = 256 };
static const size_t max_table_bytes = (size_t)2 << 30;

static dew_Status read_header(const char *line, const char *end, const char *path, dew_Arena *arena,
                              dew_StatsTable *out)
{
    out->names = dew_arena_array(arena, const char *, MAX_COLUMNS);
    if (!out->names)
        return dew_no_memory(MAX_COLUMNS * sizeof(char *));
    for (const char *cell = line; cell <= end;) {
        const char *comma = memchr(cell, ',', (size_t)(end - cell));
        const char *stop = comma ? comma : end;
        if (out->column_count == MAX_COLUMNS)
            return dew_fail(DEW_BAD_INPUT, "%s:1: more than %d columns", path, MAX_COLUMNS);
        const char *name = dew_arena_text(arena, cell, (size_t)(stop - cell));
        if (!name)
            return dew_no_memory((size_t)(stop - cell));
        out->names[out->column_count++] = name;
        cell = stop + 1;
    }
    return dew_ok();
}

static bool is_text_column(const char *name)
{
    return strcmp(name, "bound") == 0 || strcmp(name, "parents") == 0;
}

/// One row; false when it has not got a number or nothing in each column.
static bool read_row(const char *line, const char *end, const dew_StatsTable *table, double *row)
{
    const char *cell = line;
    for (int i = 0; i < table->column_count; i++) {
        const char *comma = cell <= end ? memchr(cell, ',', (size_t)(end - cell)) : NULL;
        const char *stop = comma ? comma : end;
        if (cell > end)
            return false;
        row[i] = (double)NAN;
        size_t used = dew_number_parse(cell, (size_t)(stop - cell), &row[i]);
        bool is_number = used == (size_t)(stop - cell);
        if (!is_number && !is_text_column(table->names[i]))
            return false;
        if (!is_number)
            row[i] = (double)NAN;
        cell = stop + 1;
    }
    return cell == end + 1;
}

static int64_t count_lines(const char *text, const char *end)
{
    int64_t count = 0;
    for (const char *p = text; (p = memchr(p, '\n', (size_t)(end - p))); p++)
        count++;
    return count;
}

static dew_Status read_table(const char *text, size_t size, const char *path, dew_Arena *arena,
                             dew_StatsTable *out)
{
    const char *end = text + size;
    const char *newline = memchr(text, '\n', size);
    if (!newline)
        return dew_fail(DEW_BAD_INPUT, "%s:1: no header line", path);
    DEW_TRY(read_header(text, newline, path, arena, out));
    int64_t capacity = count_lines(newline + 1, end);
    out->values = dew_arena_array(arena, double, capacity * out->column_count);
    if (!out->values)
        return dew_no_memory((size_t)capacity * sizeof(double));
    for (const char *line = newline + 1; (newline = memchr(line, '\n', (size_t)(end - line)));) {
        double *row = out->values + out->row_count * out->column_count;
        if (!read_row(line, newline, out, row))
            return dew_fail(DEW_BAD_INPUT, "%s:%lld: not a row of %d numbers", path,
                            (long long)out->row_count + 2, out->column_count);
        out->row_count++;
        line = newline + 1;
    }
    return dew_ok();
}

dew_Status dew_stats_table_load(const char *path, dew_Arena *arena, dew_StatsTable *out)
{
    *out = (dew_StatsTable){0};
    uint8_t *data = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(path, max_table_bytes, &arena->allocator, &data, &size));
    dew_Status status = read_table((const char *)data, size, path, arena, out);
    dew_free(&arena->allocator, data, size + 1);
    return status;
}

int dew_stats_table_column(const dew_StatsTable *table, const char *name)
{
    for (int i = 0; i < table->column_count; i++)
        if (strcmp(table->names[i], name) == 0)
            return i;
    return DEW_INVALID;
}
