// USD layers as crate files [Pixar2016], version 0.8.0: little-endian binary.
//
// A file is a head of 88 bytes that states where the list of tables lies, values as they came, and
// the tables. Arrays of integers are compressed, other values are raw, arrays of them at multiples
// of 8 bytes, where readers map them into memory.
#include "base/status.h"
#include "io/crate_tables.h"
#include "io/scalar.h"
#include "io/usd_integers.h"
#include "io/usd_layer.h"

#define HEAD_BYTES          88
#define LIST_POSITION       16  // of the head's offset of the list of tables
#define MIN_COMPRESSED      16  // shorter arrays of integers are raw
#define EXPLICIT_ITEMS      3   // kinds of lists: bits of their first byte
#define PREPENDED_ITEMS     32
#define SPECIFIER_DEF       0
#define VARIABILITY_UNIFORM 1

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are written as they are");

typedef struct Layer {
    dew_Allocator allocator;
    dew_Sink *sink;
    dew_CrateTables tables;
    dew_ContentTable times;     // vectors of time codes that are in the file
    dew_Array scratch, packed;  // bytes
    dew_Array numbers;          // uint32_t
    const dew_UsdStage *stage;
    dew_Array prim_numbers, property_numbers;  // uint32_t: numbers of their specs
} Layer;

// ---- bytes -------------------------------------------------------------------------------------

static void put_u8(Layer *layer, uint8_t x)
{
    dew_sink_write(layer->sink, &x, 1);
}

static void put_u64(Layer *layer, uint64_t x)
{
    dew_sink_write(layer->sink, &x, sizeof x);
}

// Goes on at a multiple of 8 bytes; returns where.
static uint64_t align(Layer *layer)
{
    static const uint8_t zeros[8] = {0};
    uint64_t at = (uint64_t)dew_sink_size(layer->sink);
    dew_sink_write(layer->sink, zeros, (size_t)(-at & 7));
    return (at + 7) & ~(uint64_t)7;
}

// ---- values ------------------------------------------------------------------------------------

static dew_Status find_tokens(Layer *layer, const char *const *texts, int64_t count)
{
    DEW_TRY(dew_array_resize(&layer->numbers, count));
    for (int64_t i = 0; i < count; i++)
        DEW_TRY(
            dew_crate_token(&layer->tables, texts[i], &DEW_ITEMS(&layer->numbers, uint32_t)[i]));
    return dew_ok();
}

static dew_Status store_integers(Layer *layer, const dew_UsdValue *value, uint64_t *rep)
{
    const uint32_t *x = (const uint32_t *)value->data;
    put_u64(layer, (uint64_t)value->count);
    if (value->count < MIN_COMPRESSED) {
        dew_sink_write(layer->sink, x, 4 * (size_t)value->count);
        return dew_ok();
    }
    *rep |= DEW_CRATE_COMPRESSED;
    layer->packed.count = 0;
    DEW_TRY(dew_usd_pack_integers(x, value->count, &layer->scratch, &layer->packed));
    put_u64(layer, (uint64_t)layer->packed.count);
    dew_sink_write(layer->sink, layer->packed.data, (size_t)layer->packed.count);
    return dew_ok();
}

static dew_Status store_array(Layer *layer, const dew_UsdValue *value, uint64_t *rep)
{
    const dew_UsdTypeInfo *info = dew_usd_type_info(value->type);
    *rep = dew_crate_value(info->crate_type, DEW_CRATE_ARRAY, 0);
    if (value->count == 0)
        return dew_ok();
    *rep |= align(layer);
    if (value->type == DEW_USD_INT)
        return store_integers(layer, value, rep);
    put_u64(layer, (uint64_t)value->count);
    size_t size = (info->scalar == DEW_USD_FLOAT64 ? 8 : 4) * (size_t)info->component_count;
    if (info->scalar == DEW_USD_TEXT) {
        DEW_TRY(find_tokens(layer, (const char *const *)value->data, value->count));
        dew_sink_write(layer->sink, layer->numbers.data, size * (size_t)value->count);
    } else {
        dew_sink_write(layer->sink, value->data, size * (size_t)value->count);
    }
    return dew_ok();
}

// A single value: in the value's own bits where it has 32.
static dew_Status store(void *out, const dew_UsdValue *value, uint64_t *rep)
{
    Layer *layer = (Layer *)out;
    if (value->is_array)
        return store_array(layer, value, rep);
    const dew_UsdTypeInfo *info = dew_usd_type_info(value->type);
    uint32_t bits;
    if (info->scalar == DEW_USD_TEXT) {
        DEW_TRY(dew_crate_token(&layer->tables, *(const char *const *)value->data, &bits));
    } else if (info->component_count > 1) {
        size_t size = info->scalar == DEW_USD_FLOAT64 ? 8 : 4;
        *rep = dew_crate_value(info->crate_type, 0, align(layer));
        dew_sink_write(layer->sink, value->data, size * (size_t)info->component_count);
        return dew_ok();
    } else {
        memcpy(&bits, value->data, sizeof bits);
    }
    *rep = dew_crate_value(info->crate_type, DEW_CRATE_INLINED, bits);
    return dew_ok();
}

// ---- fields ------------------------------------------------------------------------------------

static dew_Status add_token(Layer *layer, const char *field, const char *text)
{
    uint32_t number;
    DEW_TRY(dew_crate_token(&layer->tables, text, &number));
    return dew_crate_add_field(&layer->tables, field,
                               dew_crate_value(DEW_CRATE_TOKEN, DEW_CRATE_INLINED, number));
}

static dew_Status add_string(Layer *layer, const char *field, const char *text)
{
    uint32_t number;
    DEW_TRY(dew_crate_string(&layer->tables, text, &number));
    return dew_crate_add_field(&layer->tables, field,
                               dew_crate_value(DEW_CRATE_STRING, DEW_CRATE_INLINED, number));
}

static dew_Status add_inlined(Layer *layer, const char *field, int type, uint32_t bits)
{
    return dew_crate_add_field(&layer->tables, field,
                               dew_crate_value(type, DEW_CRATE_INLINED, bits));
}

static dew_Status add_double(Layer *layer, const char *field, double x)
{
    uint64_t at = align(layer);
    dew_sink_write(layer->sink, &x, sizeof x);
    return dew_crate_add_field(&layer->tables, field, dew_crate_value(DEW_CRATE_DOUBLE, 0, at));
}

// The tokens or paths in layer->numbers, behind the byte of a list operation or none.
static dew_Status add_numbers(Layer *layer, const char *field, int type, int operation)
{
    uint64_t at = align(layer);
    if (operation != 0)
        put_u8(layer, (uint8_t)operation);
    put_u64(layer, (uint64_t)layer->numbers.count);
    dew_sink_write(layer->sink, layer->numbers.data, 4 * (size_t)layer->numbers.count);
    return dew_crate_add_field(&layer->tables, field, dew_crate_value(type, 0, at));
}

static dew_Status add_name(Layer *layer, const char *name)
{
    uint32_t number;
    DEW_TRY(dew_crate_token(&layer->tables, name, &number));
    return dew_array_push(&layer->numbers, &number);
}

// Names of the prims in a chain of siblings; nothing for none.
static dew_Status add_children(Layer *layer, int first)
{
    if (first < 0)
        return dew_ok();
    layer->numbers.count = 0;
    for (int i = first; i >= 0; i = dew_usd_prim(layer->stage, i)->next_sibling)
        DEW_TRY(add_name(layer, dew_usd_prim(layer->stage, i)->name));
    return add_numbers(layer, "primChildren", DEW_CRATE_TOKEN_VECTOR, 0);
}

static dew_Status add_property_names(Layer *layer, int first)
{
    if (first < 0)
        return dew_ok();
    layer->numbers.count = 0;
    for (int i = first; i >= 0; i = dew_usd_property(layer->stage, i)->next)
        DEW_TRY(add_name(layer, dew_usd_property(layer->stage, i)->def.name));
    return add_numbers(layer, "properties", DEW_CRATE_TOKEN_VECTOR, 0);
}

// ---- properties --------------------------------------------------------------------------------

// The vector of the samples' times; many properties have the same one.
static dew_Status store_times(Layer *layer, const dew_Array *samples, uint64_t *rep)
{
    const dew_UsdSample *s = DEW_ITEMS(samples, const dew_UsdSample);
    dew_ContentKey key = {{0, 0}};
    for (int64_t i = 0; i < samples->count; i++)
        key = dew_content_key(key, &s[i].time_code, sizeof s[i].time_code);
    const uint64_t *found = dew_content_table_find(&layer->times, key);
    if (found) {
        *rep = *found;
        return dew_ok();
    }
    *rep = dew_crate_value(DEW_CRATE_DOUBLE_VECTOR, 0, align(layer));
    put_u64(layer, (uint64_t)samples->count);
    for (int64_t i = 0; i < samples->count; i++)
        dew_sink_write(layer->sink, &s[i].time_code, sizeof s[i].time_code);
    return dew_content_table_insert(&layer->times, key, *rep);
}

// The times' value, then those of the samples; before each the distance to it, since a writer may
// put other values between them.
static dew_Status add_samples(Layer *layer, const dew_Array *samples)
{
    uint64_t times;
    const dew_UsdSample *s = DEW_ITEMS(samples, const dew_UsdSample);
    DEW_TRY(store_times(layer, samples, &times));
    uint64_t at = align(layer);
    put_u64(layer, 8);
    put_u64(layer, times);
    put_u64(layer, 8);
    put_u64(layer, (uint64_t)samples->count);
    for (int64_t i = 0; i < samples->count; i++)
        put_u64(layer, s[i].value);
    return dew_crate_add_field(&layer->tables, "timeSamples",
                               dew_crate_value(DEW_CRATE_TIME_SAMPLES, 0, at));
}

static int find_property(const dew_UsdStage *stage, int prim, const char *name)
{
    int i = dew_usd_prim(stage, prim)->first_property;
    while (i >= 0 && strcmp(dew_usd_property(stage, i)->def.name, name) != 0)
        i = dew_usd_property(stage, i)->next;
    return i;
}

static dew_Status add_target(Layer *layer, const dew_UsdPropertyDef *def)
{
    uint32_t number = DEW_ITEMS(&layer->prim_numbers, uint32_t)[def->target];
    if (def->target_property) {
        int property = find_property(layer->stage, def->target, def->target_property);
        DEW_ASSERT(property >= 0);
        number = DEW_ITEMS(&layer->property_numbers, uint32_t)[property];
    }
    layer->numbers.count = 0;
    DEW_TRY(dew_array_push(&layer->numbers, &number));
    return add_numbers(layer, def->is_relationship ? "targetPaths" : "connectionPaths",
                       DEW_CRATE_PATH_LIST_OP, EXPLICIT_ITEMS);
}

static dew_Status add_type(Layer *layer, const dew_UsdPropertyDef *def)
{
    char name[32];
    const char *type = dew_usd_type_info(def->type)->name;
    size_t length = strlen(type);
    DEW_ASSERT(length + 3 <= sizeof name);
    memcpy(name, type, length + 1);
    if (def->is_array)
        memcpy(name + length, "[]", 3);
    return add_token(layer, "typeName", name);
}

static dew_Status put_property(Layer *layer, const dew_UsdProperty *property, bool is_last)
{
    const dew_UsdPropertyDef *def = &property->def;
    DEW_TRY(dew_crate_begin_spec(
        &layer->tables, def->is_relationship ? DEW_CRATE_RELATIONSHIP : DEW_CRATE_ATTRIBUTE,
        def->name, is_last ? DEW_CRATE_LEAF : DEW_CRATE_SIBLING_ONLY));
    if (!def->is_relationship)
        DEW_TRY(add_type(layer, def));
    if (def->is_uniform || def->is_relationship)
        DEW_TRY(add_inlined(layer, "variability", DEW_CRATE_VARIABILITY, VARIABILITY_UNIFORM));
    if (def->interpolation)
        DEW_TRY(add_token(layer, "interpolation", def->interpolation));
    if (def->element_size > 0)
        DEW_TRY(add_inlined(layer, "elementSize", dew_usd_type_info(DEW_USD_INT)->crate_type,
                            (uint32_t)def->element_size));
    if (def->has_target)
        DEW_TRY(add_target(layer, def));
    if (property->has_value)
        DEW_TRY(dew_crate_add_field(&layer->tables, "default", property->value));
    if (property->samples.count > 0)
        DEW_TRY(add_samples(layer, &property->samples));
    return dew_crate_end_spec(&layer->tables);
}

// ---- prims and layer ---------------------------------------------------------------------------

// Numbers the specs of a prim and all below it from `next` on; returns the number behind them.
static uint32_t number_specs(Layer *layer, int prim, uint32_t next)
{
    const dew_UsdPrim *p = dew_usd_prim(layer->stage, prim);
    DEW_ITEMS(&layer->prim_numbers, uint32_t)[prim] = next++;
    for (int i = p->first_property; i >= 0; i = dew_usd_property(layer->stage, i)->next)
        DEW_ITEMS(&layer->property_numbers, uint32_t)[i] = next++;
    for (int i = p->first_child; i >= 0; i = dew_usd_prim(layer->stage, i)->next_sibling)
        next = number_specs(layer, i, next);
    return next;
}

static int32_t jump_of(const Layer *layer, int prim)
{
    const dew_UsdPrim *p = dew_usd_prim(layer->stage, prim);
    const uint32_t *numbers = DEW_ITEMS(&layer->prim_numbers, const uint32_t);
    bool has_child = p->first_child >= 0 || p->first_property >= 0;
    if (p->next_sibling < 0)
        return has_child ? DEW_CRATE_CHILD_ONLY : DEW_CRATE_LEAF;
    return has_child ? (int32_t)(numbers[p->next_sibling] - numbers[prim]) : DEW_CRATE_SIBLING_ONLY;
}

static dew_Status put_prim(Layer *layer, int index)
{
    const dew_UsdStage *stage = layer->stage;
    const dew_UsdPrim *prim = dew_usd_prim(stage, index);
    DEW_TRY(
        dew_crate_begin_spec(&layer->tables, DEW_CRATE_PRIM, prim->name, jump_of(layer, index)));
    DEW_TRY(add_inlined(layer, "specifier", DEW_CRATE_SPECIFIER, SPECIFIER_DEF));
    DEW_TRY(add_token(layer, "typeName", prim->type_name));
    if (prim->api_schema) {
        layer->numbers.count = 0;
        DEW_TRY(add_name(layer, prim->api_schema));
        DEW_TRY(add_numbers(layer, "apiSchemas", DEW_CRATE_TOKEN_LIST_OP, PREPENDED_ITEMS));
    }
    if (prim->display_name)
        DEW_TRY(add_string(layer, "displayName", prim->display_name));
    DEW_TRY(add_property_names(layer, prim->first_property));
    DEW_TRY(add_children(layer, prim->first_child));
    DEW_TRY(dew_crate_end_spec(&layer->tables));
    for (int i = prim->first_property; i >= 0; i = dew_usd_property(stage, i)->next) {
        const dew_UsdProperty *property = dew_usd_property(stage, i);
        DEW_TRY(put_property(layer, property, property->next < 0 && prim->first_child < 0));
    }
    for (int i = prim->first_child; i >= 0; i = dew_usd_prim(stage, i)->next_sibling)
        DEW_TRY(put_prim(layer, i));
    return dew_ok();
}

static dew_Status put_stage(Layer *layer)
{
    const dew_UsdStage *stage = layer->stage;
    DEW_TRY(dew_crate_begin_spec(&layer->tables, DEW_CRATE_PSEUDO_ROOT, "/", DEW_CRATE_CHILD_ONLY));
    DEW_TRY(add_token(layer, "defaultPrim", dew_usd_prim(stage, 0)->name));
    DEW_TRY(add_string(layer, "documentation", stage->documentation));
    DEW_TRY(add_double(layer, "endTimeCode", stage->last_time_code));
    DEW_TRY(add_double(layer, "framesPerSecond", stage->time_codes_per_second));
    DEW_TRY(add_double(layer, "metersPerUnit", stage->meters_per_unit));
    DEW_TRY(add_double(layer, "startTimeCode", stage->first_time_code));
    DEW_TRY(add_double(layer, "timeCodesPerSecond", stage->time_codes_per_second));
    DEW_TRY(add_token(layer, "upAxis", stage->is_z_up ? "Z" : "Y"));
    DEW_TRY(add_children(layer, 0));
    DEW_TRY(dew_crate_end_spec(&layer->tables));
    return put_prim(layer, 0);
}

static dew_Status finish(void *out, const dew_UsdStage *stage)
{
    Layer *layer = (Layer *)out;
    int64_t at;
    uint8_t bytes[8];
    layer->stage = stage;
    DEW_TRY(dew_array_resize(&layer->prim_numbers, stage->prims.count));
    DEW_TRY(dew_array_resize(&layer->property_numbers, stage->properties.count));
    number_specs(layer, 0, 1);  // 0: the stage
    DEW_TRY(put_stage(layer));
    DEW_TRY(dew_crate_write_tables(&layer->tables, layer->sink, &at));
    dew_bytes_put64(bytes, (uint64_t)at);
    dew_sink_patch(layer->sink, LIST_POSITION, bytes, sizeof bytes);
    return dew_ok();
}

static void destroy(void *out)
{
    Layer *layer = (Layer *)out;
    if (!layer)
        return;
    dew_crate_tables_deinit(&layer->tables);
    dew_content_table_deinit(&layer->times);
    dew_array_deinit(&layer->scratch);
    dew_array_deinit(&layer->packed);
    dew_array_deinit(&layer->numbers);
    dew_array_deinit(&layer->prim_numbers);
    dew_array_deinit(&layer->property_numbers);
    dew_Allocator allocator = layer->allocator;
    dew_free(&allocator, layer, sizeof(Layer));
}

static dew_Status create(const dew_Allocator *allocator, dew_Sink *sink, void **out)
{
    static const uint8_t head[HEAD_BYTES] = {'P', 'X', 'R', '-', 'U', 'S', 'D', 'C', 0, 8, 0};
    *out = NULL;
    Layer *layer = (Layer *)dew_alloc(allocator, 1, sizeof(Layer));
    if (!layer)
        return dew_no_memory(sizeof(Layer));
    if (allocator)
        layer->allocator = *allocator;
    layer->sink = sink;
    dew_content_table_init(&layer->times, allocator);
    dew_array_init(&layer->scratch, allocator, 1);
    dew_array_init(&layer->packed, allocator, 1);
    dew_array_init(&layer->numbers, allocator, 4);
    dew_array_init(&layer->prim_numbers, allocator, 4);
    dew_array_init(&layer->property_numbers, allocator, 4);
    dew_Status status = dew_crate_tables_init(&layer->tables, allocator);
    if (status.code != DEW_OK) {
        destroy(layer);
        return status;
    }
    dew_sink_write(sink, head, sizeof head);
    *out = layer;
    return dew_ok();
}

const dew_UsdLayerOps dew_usdc_layer_ops = {create, store, finish, destroy};
