// Fetches the data arrays of VTK's XML files [Kitware2010].
//
// Binary data begins with its length in bytes. Compressed data begins with the number of blocks,
// the size of a block, the size of the last one (0: whole) and the compressed size of each; then
// come the blocks, each a zlib stream [Deutsch1996]. In base64 the lengths may be padded apart from
// the data or not: the reader takes both. Nothing is allocated before the lengths agree with the
// count that the caller expects, and with the bytes at hand (zlib makes at most 1032 bytes of one).
#include "io/vtp_array.h"

#include "base/status.h"
#include "io/base64.h"
#include "io/inflate.h"
#include "io/zlib_memory.h"

// Bytes as they stand in the file, base64 taken off.
typedef struct Stream {
    dew_VtpData *data;
    const dew_VtpArray *array;
    bool is_raw;
    dew_Slice text;         // raw bytes or base64, from the array's beginning on
    const uint8_t *prefix;  // the first bytes
    size_t prefix_size;
    uint8_t *block;  // they lie here when base64 was taken off
} Stream;

static bool claim(dew_VtpData *data, size_t size)
{
    if (size > data->unclaimed_bytes)
        return false;
    data->unclaimed_bytes -= size;
    return true;
}

// ---- where the bytes are -----------------------------------------------------------------------

static dew_Status stream_begin(Stream *s)
{
    const dew_VtpData *data = s->data;
    const dew_VtpArray *array = s->array;
    if (array->encoding == DEW_VTP_INLINE) {
        s->text = array->text;
        return dew_ok();
    }
    s->is_raw = data->is_appended_raw;
    s->text = data->appended;
    if (array->offset < 0 || (uint64_t)array->offset >= data->appended.size)
        return dew_source_fail_line(
            data->source, array->where,
            "offset %lld of array '%.*s' is beyond the %zu bytes of appended "
            "data",
            (long long)array->offset, DEW_SLICE(dew_slice_of(array->name)), data->appended.size);
    s->text.data += array->offset;
    s->text.size -= (size_t)array->offset;
    return dew_ok();
}

static void stream_end(Stream *s)
{
    if (s->block)
        dew_free(&s->data->source->allocator, s->block, s->prefix_size);
    s->block = NULL;
}

static dew_Status fail_short(const Stream *s, size_t wanted)
{
    dew_Slice name = dew_slice_of(s->array->name);
    if (s->is_raw)
        return dew_source_fail_byte(s->data->source, s->text.data,
                                    "array '%.*s' takes %zu bytes, but only %zu follow",
                                    DEW_SLICE(name), wanted, s->text.size);
    return dew_source_fail_line(
        s->data->source, s->text.data,
        "array '%.*s' takes %zu bytes, but its base64 text ends or is wrong before",
        DEW_SLICE(name), wanted);
}

// Makes the first `size` bytes of the stream available at s->prefix.
static dew_Status stream_need(Stream *s, size_t size)
{
    if (s->is_raw) {
        if (size > s->text.size)
            return fail_short(s, size);
        s->prefix = (const uint8_t *)s->text.data;
        s->prefix_size = size;
        return dew_ok();
    }
    if (size > s->text.size / 4 * 3)
        return fail_short(s, size);
    stream_end(s);
    s->prefix_size = size;
    s->block = dew_alloc(&s->data->source->allocator, (int64_t)size, 1);
    s->prefix = s->block;
    if (!s->block)
        return dew_no_memory(size);
    dew_Slice text = s->text;
    if (dew_base64_read(&text, s->block, size) < size)
        return fail_short(s, size);
    return dew_ok();
}

static uint64_t word_at(const Stream *s, size_t index)
{
    size_t size = s->data->word_bytes;
    return dew_bytes_get(s->prefix + index * size, size, s->data->is_big_endian);
}

static dew_Status check_length(const Stream *s, uint64_t found, size_t wanted)
{
    if (found == wanted)
        return dew_ok();
    return dew_source_fail_line(
        s->data->source, s->array->where,
        "array '%.*s' holds %llu bytes, but %zu are due by the counts of its "
        "piece",
        DEW_SLICE(dew_slice_of(s->array->name)), (unsigned long long)found, wanted);
}

static dew_Status fail_shared(const Stream *s)
{
    return dew_source_fail_line(s->data->source, s->array->where,
                                "array '%.*s' lies over another array",
                                DEW_SLICE(dew_slice_of(s->array->name)));
}

// ---- plain binary ------------------------------------------------------------------------------

static dew_Status fetch_plain(Stream *s, size_t wanted, dew_VtpValues *values)
{
    size_t word = s->data->word_bytes;
    DEW_TRY(stream_need(s, word));
    DEW_TRY(check_length(s, word_at(s, 0), wanted));
    DEW_TRY(stream_need(s, word + wanted));
    if (!claim(s->data, wanted))
        return fail_shared(s);
    values->data = s->prefix + word;
    if (s->block) {  // handed over to the caller
        values->block = s->block;
        values->block_size = s->prefix_size;
        s->block = NULL;
    }
    return dew_ok();
}

// ---- compressed --------------------------------------------------------------------------------

// One zlib stream to exactly out_size bytes.
static dew_Status inflate_block(const Stream *s, const uint8_t *in, size_t in_size, uint8_t *out,
                                size_t out_size)
{
    dew_Allocator allocator = s->data->source->allocator;
    z_stream z = dew_zlib_stream(&allocator);
    if (inflateInit(&z) != Z_OK)
        return dew_no_memory(sizeof z);
    z.next_in = (Bytef *)(uintptr_t)in;
    z.avail_in = (uInt)in_size;
    z.next_out = out;
    z.avail_out = (uInt)out_size;
    int result = inflate(&z, Z_FINISH);
    bool is_whole = result == Z_STREAM_END && z.avail_out == 0;
    inflateEnd(&z);
    if (result == Z_MEM_ERROR)
        return dew_no_memory(sizeof z);
    if (!is_whole)
        return dew_source_fail_line(s->data->source, s->array->where,
                                    "the compressed data of array '%.*s' is damaged",
                                    DEW_SLICE(dew_slice_of(s->array->name)));
    return dew_ok();
}

typedef struct Blocks {
    uint64_t count, size, last_size;
    size_t header_size;      // bytes
    size_t compressed_size;  // of all
} Blocks;

static dew_Status read_blocks(Stream *s, size_t wanted, Blocks *b)
{
    size_t word = s->data->word_bytes;
    DEW_TRY(stream_need(s, 3 * word));
    *b = (Blocks){.count = word_at(s, 0), .size = word_at(s, 1), .last_size = word_at(s, 2)};
    if (b->last_size == 0)
        b->last_size = b->size;
    // Bounds that keep the arithmetic below from overflowing; sizes must also fit zlib's counters.
    if (b->count > s->text.size / word || b->size > UINT32_MAX || b->last_size > UINT32_MAX)
        return fail_short(s, wanted);
    uint64_t total = b->count == 0 ? 0 : (b->count - 1) * b->size + b->last_size;
    DEW_TRY(check_length(s, total, wanted));
    b->header_size = (3 + (size_t)b->count) * word;
    DEW_TRY(stream_need(s, b->header_size));
    for (size_t i = 0; i < b->count; i++) {
        uint64_t size = word_at(s, 3 + i);
        if (size > s->text.size || size > UINT32_MAX)
            return fail_short(s, (size_t)size);
        b->compressed_size += (size_t)size;
    }
    if (wanted / DEW_INFLATE_MAX_RATIO > b->compressed_size)
        return fail_short(s, wanted);
    return dew_ok();
}

static dew_Status fetch_compressed(Stream *s, size_t wanted, dew_VtpValues *values)
{
    Blocks b;
    DEW_TRY(read_blocks(s, wanted, &b));
    DEW_TRY(stream_need(s, b.header_size + b.compressed_size));
    if (!claim(s->data, b.compressed_size))
        return fail_shared(s);
    values->block_size = wanted;
    values->block = dew_alloc(&s->data->source->allocator, (int64_t)wanted, 1);
    if (!values->block)
        return dew_no_memory(wanted);
    values->data = values->block;
    const uint8_t *in = s->prefix + b.header_size;
    uint8_t *out = values->block;
    for (size_t i = 0; i < b.count; i++) {
        size_t in_size = (size_t)word_at(s, 3 + i);
        size_t out_size = (size_t)(i + 1 < b.count ? b.size : b.last_size);
        DEW_TRY(inflate_block(s, in, in_size, out, out_size));
        in += in_size;
        out += out_size;
    }
    return dew_ok();
}

// ---- text --------------------------------------------------------------------------------------

static dew_Status fetch_text(dew_VtpData *data, const dew_VtpArray *array, int64_t count,
                             dew_VtpValues *values)
{
    dew_Slice text = array->text, word;
    if ((uint64_t)count > (text.size + 1) / 2)
        return dew_source_fail_line(data->source, array->where,
                                    "array '%.*s' should hold %lld numbers, more than its text can",
                                    DEW_SLICE(dew_slice_of(array->name)), (long long)count);
    bool is_real = array->type == DEW_FLOAT32 || array->type == DEW_FLOAT64;
    values->type = is_real ? DEW_FLOAT64 : DEW_INT64;
    values->is_big_endian = false;
    values->block_size = (size_t)count * 8;
    values->block = dew_alloc(&data->source->allocator, count, 8);
    values->data = values->block;
    if (!values->block)
        return dew_no_memory(values->block_size);
    for (int64_t i = 0; i < count; i++) {
        double x = 0;
        int64_t n = 0;
        if (!dew_slice_next_word(&text, &word))
            return dew_source_fail_line(
                data->source, word.data, "array '%.*s' ends after %lld of %lld numbers",
                DEW_SLICE(dew_slice_of(array->name)), (long long)i, (long long)count);
        if (is_real ? !dew_slice_number(word, &x) : !dew_slice_integer(word, &n))
            return dew_source_fail_line(data->source, word.data, "array '%.*s': '%.*s' is no %s",
                                        DEW_SLICE(dew_slice_of(array->name)), DEW_SLICE(word),
                                        is_real ? "number" : "integer");
        if (is_real)
            dew_bytes_put_double(values->block + 8 * i, x);
        else
            dew_bytes_put64(values->block + 8 * i, (uint64_t)n);
    }
    if (dew_slice_next_word(&text, &word))
        return dew_source_fail_line(data->source, word.data,
                                    "array '%.*s' has more than %lld numbers",
                                    DEW_SLICE(dew_slice_of(array->name)), (long long)count);
    return dew_ok();
}

// ---- the whole ---------------------------------------------------------------------------------

dew_Status dew_vtp_fetch(dew_VtpData *data, const dew_VtpArray *array, int64_t count,
                         dew_VtpValues *values)
{
    *values =
        (dew_VtpValues){.type = array->type, .is_big_endian = data->is_big_endian, .count = count};
    if (!array->is_known_type)
        return dew_source_fail_line(data->source, array->where, "array '%.*s' holds no numbers",
                                    DEW_SLICE(dew_slice_of(array->name)));
    if (count == 0)
        return dew_ok();
    if (array->encoding == DEW_VTP_ASCII)
        return fetch_text(data, array, count, values);
    size_t wanted;
    if (__builtin_mul_overflow((size_t)count, dew_scalar_size(array->type), &wanted) ||
        wanted > PTRDIFF_MAX / 2)
        return dew_source_fail_line(data->source, array->where, "array '%.*s' is too large",
                                    DEW_SLICE(dew_slice_of(array->name)));
    Stream s = {.data = data, .array = array, .prefix = data->source->data};
    dew_Status status = stream_begin(&s);
    if (status.code == DEW_OK)
        status = data->is_compressed ? fetch_compressed(&s, wanted, values)
                                     : fetch_plain(&s, wanted, values);
    stream_end(&s);
    return status;
}

void dew_vtp_free(const dew_VtpData *data, dew_VtpValues *values)
{
    if (values->block)
        dew_free(&data->source->allocator, values->block, values->block_size);
    values->block = NULL;
}
