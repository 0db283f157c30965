// Tables are collected as plain arrays and compressed when they are written.
#include "io/crate_tables.h"

#include "base/status.h"
#include "io/scalar.h"
#include "io/usd_integers.h"

// A property's name has its token's negative number in the paths, so zero must be no property's.
#define FIRST_TOKEN "/"

dew_Status dew_crate_tables_init(dew_CrateTables *tables, const dew_Allocator *allocator)
{
    uint32_t number;
    *tables = (dew_CrateTables){0};
    dew_array_init(&tables->token_bytes, allocator, 1);
    dew_content_table_init(&tables->token_numbers, allocator);
    dew_array_init(&tables->strings, allocator, 4);
    dew_array_init(&tables->field_names, allocator, 4);
    dew_array_init(&tables->field_values, allocator, 8);
    dew_array_init(&tables->field_sets, allocator, 4);
    dew_array_init(&tables->spec_sets, allocator, 4);
    dew_array_init(&tables->spec_types, allocator, 4);
    dew_array_init(&tables->path_names, allocator, 4);
    dew_array_init(&tables->path_jumps, allocator, 4);
    return dew_crate_token(tables, FIRST_TOKEN, &number);
}

void dew_crate_tables_deinit(dew_CrateTables *tables)
{
    dew_array_deinit(&tables->token_bytes);
    dew_content_table_deinit(&tables->token_numbers);
    dew_array_deinit(&tables->strings);
    dew_array_deinit(&tables->field_names);
    dew_array_deinit(&tables->field_values);
    dew_array_deinit(&tables->field_sets);
    dew_array_deinit(&tables->spec_sets);
    dew_array_deinit(&tables->spec_types);
    dew_array_deinit(&tables->path_names);
    dew_array_deinit(&tables->path_jumps);
}

dew_Status dew_crate_token(dew_CrateTables *tables, const char *text, uint32_t *number)
{
    size_t size = strlen(text) + 1;
    dew_ContentKey key = dew_content_key((dew_ContentKey){{0, 0}}, text, size);
    const uint64_t *found = dew_content_table_find(&tables->token_numbers, key);
    if (found) {
        *number = (uint32_t)*found;
        return dew_ok();
    }
    *number = tables->token_count;
    DEW_TRY(dew_array_append(&tables->token_bytes, text, (int64_t)size));
    DEW_TRY(dew_content_table_insert(&tables->token_numbers, key, *number));
    tables->token_count++;
    return dew_ok();
}

dew_Status dew_crate_string(dew_CrateTables *tables, const char *text, uint32_t *number)
{
    uint32_t token;
    DEW_TRY(dew_crate_token(tables, text, &token));
    *number = (uint32_t)tables->strings.count;
    return dew_array_push(&tables->strings, &token);
}

dew_Status dew_crate_begin_spec(dew_CrateTables *tables, dew_CrateSpec type, const char *name,
                                int32_t jump)
{
    uint32_t token, kind = type, set = (uint32_t)tables->field_sets.count;
    DEW_TRY(dew_crate_token(tables, name, &token));
    bool is_property = type == DEW_CRATE_ATTRIBUTE || type == DEW_CRATE_RELATIONSHIP;
    int32_t path_name = is_property ? -(int32_t)token : (int32_t)token;
    DEW_TRY(dew_array_push(&tables->path_names, &path_name));
    DEW_TRY(dew_array_push(&tables->path_jumps, &jump));
    DEW_TRY(dew_array_push(&tables->spec_types, &kind));
    return dew_array_push(&tables->spec_sets, &set);
}

dew_Status dew_crate_add_field(dew_CrateTables *tables, const char *name, uint64_t value)
{
    uint32_t token, number = (uint32_t)tables->field_names.count;
    DEW_TRY(dew_crate_token(tables, name, &token));
    DEW_TRY(dew_array_push(&tables->field_names, &token));
    DEW_TRY(dew_array_push(&tables->field_values, &value));
    return dew_array_push(&tables->field_sets, &number);
}

dew_Status dew_crate_end_spec(dew_CrateTables *tables)
{
    return dew_array_push(&tables->field_sets, &(uint32_t){UINT32_MAX});
}

// ---- writing -----------------------------------------------------------------------------------

typedef struct Output {
    dew_Sink *sink;
    dew_Array coded, packed;
    uint8_t list[6 * 32];  // name, begin, size of each table
    size_t table_count;
} Output;

static void put_u64(dew_Sink *sink, uint64_t x)
{
    uint8_t bytes[8];
    dew_bytes_put64(bytes, x);
    dew_sink_write(sink, bytes, sizeof bytes);
}

static void begin_table(Output *out, const char *name)
{
    uint8_t *entry = out->list + 32 * out->table_count;
    memset(entry, 0, 32);
    for (size_t i = 0; name[i]; i++)
        entry[i] = (uint8_t)name[i];
    dew_bytes_put64(entry + 16, (uint64_t)dew_sink_size(out->sink));
}

static void end_table(Output *out)
{
    uint8_t *entry = out->list + 32 * out->table_count++;
    uint64_t begin = dew_bytes_get(entry + 16, 8, false);
    dew_bytes_put64(entry + 24, (uint64_t)dew_sink_size(out->sink) - begin);
}

static dew_Status put_bytes(Output *out, const void *data, size_t size)
{
    out->packed.count = 0;
    DEW_TRY(dew_usd_pack(data, size, &out->packed));
    put_u64(out->sink, (uint64_t)out->packed.count);
    dew_sink_write(out->sink, out->packed.data, (size_t)out->packed.count);
    return dew_ok();
}

static dew_Status put_integers(Output *out, const dew_Array *x)
{
    out->packed.count = 0;
    DEW_TRY(
        dew_usd_pack_integers(DEW_ITEMS(x, const uint32_t), x->count, &out->coded, &out->packed));
    put_u64(out->sink, (uint64_t)out->packed.count);
    dew_sink_write(out->sink, out->packed.data, (size_t)out->packed.count);
    return dew_ok();
}

static dew_Status put_tokens(Output *out, const dew_CrateTables *tables)
{
    begin_table(out, "TOKENS");
    put_u64(out->sink, tables->token_count);
    put_u64(out->sink, (uint64_t)tables->token_bytes.count);
    DEW_TRY(put_bytes(out, tables->token_bytes.data, (size_t)tables->token_bytes.count));
    end_table(out);
    begin_table(out, "STRINGS");
    put_u64(out->sink, (uint64_t)tables->strings.count);
    dew_sink_write(out->sink, tables->strings.data, 4 * (size_t)tables->strings.count);
    end_table(out);
    return dew_ok();
}

static dew_Status put_fields(Output *out, const dew_CrateTables *tables)
{
    begin_table(out, "FIELDS");
    put_u64(out->sink, (uint64_t)tables->field_names.count);
    DEW_TRY(put_integers(out, &tables->field_names));
    DEW_TRY(put_bytes(out, tables->field_values.data, 8 * (size_t)tables->field_values.count));
    end_table(out);
    begin_table(out, "FIELDSETS");
    put_u64(out->sink, (uint64_t)tables->field_sets.count);
    DEW_TRY(put_integers(out, &tables->field_sets));
    end_table(out);
    return dew_ok();
}

// Paths and specs have the same numbers: 0, 1, 2, ...
static dew_Status put_specs(Output *out, const dew_CrateTables *tables, const dew_Array *numbers)
{
    uint64_t count = (uint64_t)numbers->count;
    begin_table(out, "PATHS");
    put_u64(out->sink, count);
    put_u64(out->sink, count);
    DEW_TRY(put_integers(out, numbers));
    DEW_TRY(put_integers(out, &tables->path_names));
    DEW_TRY(put_integers(out, &tables->path_jumps));
    end_table(out);
    begin_table(out, "SPECS");
    put_u64(out->sink, count);
    DEW_TRY(put_integers(out, numbers));
    DEW_TRY(put_integers(out, &tables->spec_sets));
    DEW_TRY(put_integers(out, &tables->spec_types));
    end_table(out);
    return dew_ok();
}

static dew_Status put_all(Output *out, const dew_CrateTables *tables, dew_Array *numbers)
{
    DEW_TRY(dew_array_resize(numbers, tables->spec_types.count));
    for (int64_t i = 0; i < numbers->count; i++)
        DEW_ITEMS(numbers, uint32_t)[i] = (uint32_t)i;
    DEW_TRY(put_tokens(out, tables));
    DEW_TRY(put_fields(out, tables));
    return put_specs(out, tables, numbers);
}

dew_Status dew_crate_write_tables(dew_CrateTables *tables, dew_Sink *sink, int64_t *at)
{
    const dew_Allocator *allocator = &tables->token_bytes.allocator;
    Output out = {.sink = sink};
    dew_Array numbers;
    dew_array_init(&out.coded, allocator, 1);
    dew_array_init(&out.packed, allocator, 1);
    dew_array_init(&numbers, allocator, 4);
    dew_Status status = put_all(&out, tables, &numbers);
    *at = dew_sink_size(sink);
    put_u64(sink, out.table_count);
    dew_sink_write(sink, out.list, 32 * out.table_count);
    dew_array_deinit(&out.coded);
    dew_array_deinit(&out.packed);
    dew_array_deinit(&numbers);
    return status;
}
