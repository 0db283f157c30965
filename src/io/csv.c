// Reads tables of numbers from text.
#include "io/csv.h"

#include "base/status.h"
#include "io/slice.h"

#include <math.h>
#include <string.h>

typedef struct Reader {
    const dew_Source *source;
    dew_Table *table;
    char separator;     // 0: not yet known; ' ': any white space
    bool has_begun;     // the first line, which may be a header, is behind us
    dew_Status status;  // why a bool was false
} Reader;

#define FAIL(r, at_, ...)                                                                          \
    ((r)->status = dew_source_fail_line((r)->source, (at_), __VA_ARGS__), false)

void dew_table_init(dew_Table *table, const dew_Allocator *allocator)
{
    *table = (dew_Table){0};
    dew_array_init(&table->values, allocator, sizeof(double));
}

void dew_table_deinit(dew_Table *table)
{
    dew_array_deinit(&table->values);
    table->row_count = 0;
    table->column_count = 0;
}

static char find_separator(dew_Slice line)
{
    if (memchr(line.data, ';', line.size))
        return ';';
    return memchr(line.data, ',', line.size) ? ',' : ' ';
}

// Takes the next field off the line; false when none is left. A separator at the very end starts
// none.
static bool next_field(const Reader *r, dew_Slice *line, dew_Slice *field)
{
    if (r->separator == ' ')
        return dew_slice_next_word(line, field);
    if (line->size == 0)
        return false;
    const char *end = memchr(line->data, r->separator, line->size);
    size_t size = end ? (size_t)(end - line->data) : line->size;
    *field = dew_slice_trim((dew_Slice){line->data, size});
    size += end ? 1 : 0;
    line->data += size;
    line->size -= size;
    if (field->size >= 2 && field->data[0] == '"' && field->data[field->size - 1] == '"')
        *field = dew_slice_trim((dew_Slice){field->data + 1, field->size - 2});
    return true;
}

// Is it a number, or meant to be one, such as 1,5?
static bool looks_like_number(dew_Slice field)
{
    double x;
    if (dew_slice_number(field, &x))
        return true;
    size_t i = field.size > 0 && strchr("+-.", field.data[0]) ? 1 : 0;
    return i < field.size && field.data[i] >= '0' && field.data[i] <= '9';
}

static bool is_header(const Reader *r, dew_Slice line)
{
    dew_Slice field;
    while (next_field(r, &line, &field)) {
        if (looks_like_number(field))
            return false;
    }
    return true;
}

static bool read_field(Reader *r, dew_Slice field, int64_t column)
{
    double x;
    if (field.size == 0)
        return FAIL(r, field.data, "column %lld is empty", (long long)column + 1);
    if (!dew_slice_number(field, &x)) {
        bool has_comma = memchr(field.data, ',', field.size) != NULL;
        return FAIL(r, field.data, "column %lld: '%.*s' is not a number%s", (long long)column + 1,
                    DEW_SLICE(field), has_comma ? " (the decimal point is a point)" : "");
    }
    if (!isfinite(x))
        return FAIL(r, field.data, "column %lld: '%.*s' is not finite", (long long)column + 1,
                    DEW_SLICE(field));
    // Not dew_array_push: its status would cost more than the number.
    dew_Array *values = &r->table->values;
    if (values->count == values->capacity) {
        r->status = dew_array_reserve(values, values->count < 64 ? 64 : 2 * values->count);
        if (r->status.code != DEW_OK)
            return false;
    }
    DEW_ITEMS(values, double)[values->count++] = x;
    return true;
}

static bool read_row(Reader *r, dew_Slice line)
{
    dew_Table *t = r->table;
    const char *at = line.data;
    dew_Slice field;
    int64_t column = 0;
    for (; next_field(r, &line, &field); column++) {
        if (t->row_count > 0 && column == t->column_count)
            return FAIL(r, at, "this row is longer than the %lld columns above it",
                        (long long)t->column_count);
        if (!read_field(r, field, column))
            return false;
    }
    if (t->row_count > 0 && column < t->column_count)
        return FAIL(r, at, "this row has %lld columns, those above it %lld", (long long)column,
                    (long long)t->column_count);
    t->column_count = column;
    t->row_count++;
    return true;
}

static dew_Status read_lines(Reader *r)
{
    dew_Slice rest = dew_slice(r->source->data, r->source->size), line;
    while (dew_slice_next_line(&rest, &line)) {
        const char *comment = memchr(line.data, '#', line.size);
        if (comment)
            line.size = (size_t)(comment - line.data);
        line = dew_slice_trim(line);
        if (line.size == 0)
            continue;
        if (r->separator == 0)
            r->separator = find_separator(line);
        if (!r->has_begun && is_header(r, line))
            r->separator = 0;  // names of columns say little about how numbers are parted
        else if (!read_row(r, line))
            return r->status;
        r->has_begun = true;
    }
    if (r->table->row_count == 0)
        return dew_source_fail_line(r->source, rest.data, "there is no row of numbers");
    return dew_ok();
}

dew_Status dew_csv_parse(const dew_Source *source, dew_Table *table)
{
    table->values.count = 0;
    table->row_count = 0;
    table->column_count = 0;
    Reader r = {.source = source, .table = table};
    dew_Status status = read_lines(&r);
    if (status.code != DEW_OK)
        dew_table_deinit(table);
    return status;
}

dew_Status dew_csv_load(const char *path, const dew_Log *log, dew_Table *table)
{
    dew_Source source;
    DEW_TRY(dew_source_load(&source, path, DEW_SOURCE_MAX_BYTES, &table->values.allocator, log));
    dew_Status status = dew_source_skip_mark(&source);
    if (status.code == DEW_OK)
        status = dew_csv_parse(&source, table);
    dew_source_unload(&source);
    return status;
}
