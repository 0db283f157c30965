// CSV tables that grow: rows in memory, appended at frames and checkpoints.
#include "run/table.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PENDING_BYTES (1 << 16)  // a frame may take a million steps

// ---- rows --------------------------------------------------------------------------------------

void dew_row_begin(dew_Row *row)
{
    row->length = 0;
}

static void add(dew_Row *row, const char *text, size_t length)
{
    DEW_ASSERT(row->length + length + 2 < sizeof row->text);
    if (row->length > 0)
        row->text[row->length++] = ',';
    memcpy(row->text + row->length, text, length);
    row->length += length;
}

void dew_row_integer(dew_Row *row, int64_t x)
{
    char text[32] = "";
    int length = snprintf(text, sizeof text, "%lld", (long long)x);
    add(row, text, (size_t)length);
}

void dew_row_number(dew_Row *row, double x)
{
    char text[DEW_NUMBER_SIZE] = "";
    add(row, text, isnan(x) ? 0 : dew_number_format(x, text));
}

void dew_row_text(dew_Row *row, const char *text)
{
    add(row, text, strlen(text));
}

/// The part of a row that the hash covers: all, or all but the last column.
static size_t hashed_length(const char *row, size_t length, bool has_clock)
{
    if (!has_clock)
        return length;
    while (length > 0 && row[length - 1] != ',')
        length--;
    return length;
}

// ---- the table ---------------------------------------------------------------------------------

void dew_run_table_init(dew_RunTable *table, dew_RunPath path, bool has_clock,
                        const dew_Allocator *allocator)
{
    *table = (dew_RunTable){.path = path, .fd = -1, .has_clock = has_clock};
    dew_array_init(&table->pending, allocator, 1);
}

void dew_run_table_deinit(dew_RunTable *table)
{
    if (table->fd >= 0)
        close(table->fd);
    table->fd = -1;
    dew_array_deinit(&table->pending);
}

static dew_Status failure(const dew_RunTable *table)
{
    return dew_fail(DEW_IO, "cannot write %s: %s", table->path.text, strerror(errno));
}

static dew_Status open_to_append(dew_RunTable *table)
{
    table->fd = open(table->path.text, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    return table->fd < 0 ? failure(table) : dew_ok();
}

dew_Status dew_run_table_create(dew_RunTable *table, const char *header)
{
    dew_FileWriter writer;
    DEW_TRY(dew_file_begin(&writer, table->path.text, &table->pending.allocator));
    dew_file_text(&writer, header);
    dew_file_text(&writer, "\n");
    DEW_TRY(dew_file_commit(&writer));
    return open_to_append(table);
}

/// Goes over the rows of a whole file; see dew_run_table_check.
static dew_Status check_rows(const dew_RunTable *table, const char *text, size_t size,
                             const char *header, dew_TableMark *mark, int64_t row_count)
{
    size_t at = strlen(header) + 1;
    if (size < at || memcmp(text, header, at - 1) != 0 || text[at - 1] != '\n')
        return dew_fail(DEW_CORRUPT, "%s has another header than this version writes",
                        table->path.text);
    for (; mark->row_count < row_count; mark->row_count++) {
        const char *end = memchr(text + at, '\n', size - at);
        if (!end)
            return dew_fail(DEW_CORRUPT, "%s has %lld rows, the checkpoint was made after %lld",
                            table->path.text, (long long)mark->row_count, (long long)row_count);
        size_t length = (size_t)(end - (text + at));
        size_t hashed = hashed_length(text + at, length, table->has_clock);
        mark->hash = dew_hash(text + at, hashed, mark->hash);
        mark->last_clock = 0;
        dew_number_parse(text + at + hashed, length - hashed, &mark->last_clock);
        at += length + 1;
    }
    mark->size_bytes = (int64_t)at;
    return dew_ok();
}

dew_Status dew_run_table_check(const dew_RunTable *table, const char *header, int64_t row_count,
                               uint64_t hash, dew_TableMark *out)
{
    const dew_Allocator *allocator = &table->pending.allocator;
    uint8_t *data = NULL;
    size_t size = 0;
    *out = (dew_TableMark){0};
    dew_Status status =
        dew_file_read(table->path.text, DEW_TABLE_MAX_BYTES, allocator, &data, &size);
    if (status.code == DEW_BAD_INPUT)
        status.code = DEW_CORRUPT;  // the run made it; nobody named it
    DEW_TRY(status);
    status = check_rows(table, (const char *)data, size, header, out, row_count);
    dew_free(allocator, data, size + 1);
    if (status.code == DEW_OK && out->hash != hash)
        return dew_fail(DEW_CORRUPT, "%s was changed since the checkpoint was made",
                        table->path.text);
    return status;
}

dew_Status dew_run_table_resume(dew_RunTable *table, const dew_TableMark *mark)
{
    DEW_TRY(open_to_append(table));
    if (ftruncate(table->fd, mark->size_bytes) != 0)
        return failure(table);
    table->row_count = mark->row_count;
    table->hash = mark->hash;
    return dew_ok();
}

dew_Status dew_run_table_add(dew_RunTable *table, dew_Row *row)
{
    size_t hashed = hashed_length(row->text, row->length, table->has_clock);
    uint64_t hash = dew_hash(row->text, hashed, table->hash);
    row->text[row->length] = '\n';
    DEW_TRY(dew_array_append(&table->pending, row->text, (int64_t)row->length + 1));
    table->hash = hash;
    table->row_count++;
    return table->pending.count < MAX_PENDING_BYTES ? dew_ok() : dew_run_table_flush(table, false);
}

/// Rows in a file without a name are lost; a checkpoint that counts them could not be gone on from.
static dew_Status check_still_there(const dew_RunTable *table)
{
    struct stat info;
    if (fstat(table->fd, &info) == 0 && info.st_nlink == 0)
        return dew_fail(DEW_IO, "%s was removed while the run was writing it", table->path.text);
    return dew_ok();
}

dew_Status dew_run_table_flush(dew_RunTable *table, bool sync)
{
    DEW_TRY(check_still_there(table));
    if (table->pending.count > 0)
        DEW_TRY(dew_fd_write(table->fd, table->pending.data, (size_t)table->pending.count,
                             table->path.text));
    table->pending.count = 0;
    if (sync && fdatasync(table->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        return failure(table);
    return dew_ok();
}
