// Prims, properties and samples in growing arrays; names legal as USD before 24.03 wants them:
// letters, digits and underscores of ASCII, no digit first.
#include "io/usd_stage.h"

#include "base/status.h"

#include <string.h>

// Numbers of crate_data_types in [Pixar2016].
static const dew_UsdTypeInfo types[] = {
    {"bool", DEW_USD_INT32, 1, 1},         {"int", DEW_USD_INT32, 1, 3},
    {"float", DEW_USD_FLOAT32, 1, 8},      {"token", DEW_USD_TEXT, 1, 11},
    {"float2", DEW_USD_FLOAT32, 2, 20},    {"float3", DEW_USD_FLOAT32, 3, 24},
    {"float4", DEW_USD_FLOAT32, 4, 28},    {"texCoord2f", DEW_USD_FLOAT32, 2, 20},
    {"point3f", DEW_USD_FLOAT32, 3, 24},   {"normal3f", DEW_USD_FLOAT32, 3, 24},
    {"vector3f", DEW_USD_FLOAT32, 3, 24},  {"color3f", DEW_USD_FLOAT32, 3, 24},
    {"quatf", DEW_USD_FLOAT32, 4, 17},     {"double3", DEW_USD_FLOAT64, 3, 23},
    {"matrix4d", DEW_USD_FLOAT64, 16, 15},
};

const dew_UsdTypeInfo *dew_usd_type_info(dew_UsdType type)
{
    return &types[type];
}

void dew_usd_stage_init(dew_UsdStage *stage, const dew_Allocator *allocator, dew_UsdStoreFn *store,
                        void *writer)
{
    *stage = (dew_UsdStage){.store = store, .writer = writer};
    dew_arena_init(&stage->arena, allocator);
    dew_array_init(&stage->prims, allocator, sizeof(dew_UsdPrim));
    dew_array_init(&stage->properties, allocator, sizeof(dew_UsdProperty));
    dew_content_table_init(&stage->values, allocator);
}

static dew_UsdPrim *prim_at(const dew_UsdStage *stage, int i)
{
    return &DEW_ITEMS(&stage->prims, dew_UsdPrim)[i];
}

static dew_UsdProperty *property_at(const dew_UsdStage *stage, int i)
{
    return &DEW_ITEMS(&stage->properties, dew_UsdProperty)[i];
}

void dew_usd_stage_deinit(dew_UsdStage *stage)
{
    for (int64_t i = 0; i < stage->properties.count; i++)
        dew_array_deinit(&property_at(stage, (int)i)->samples);
    dew_array_deinit(&stage->prims);
    dew_array_deinit(&stage->properties);
    dew_content_table_deinit(&stage->values);
    dew_arena_deinit(&stage->arena);
}

// ---- names -------------------------------------------------------------------------------------

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// A copy in which each run of other characters is one underscore; colons stay in properties' names.
static char *legal_name(dew_Arena *arena, const char *name, bool is_property)
{
    size_t length = strlen(name), count = 0;
    char *out = dew_arena_array(arena, char, (int64_t)length + 2);
    if (!out)
        return NULL;
    bool is_start = true, was_replaced = false;
    for (size_t i = 0; i < length; i++) {
        bool is_colon = is_property && name[i] == ':' && !is_start;
        bool is_legal = is_letter(name[i]) || is_digit(name[i]) || is_colon;
        if (is_start && is_digit(name[i]))
            out[count++] = '_';
        if (is_legal)
            out[count++] = name[i];
        else if (!was_replaced)
            out[count++] = '_';
        was_replaced = !is_legal;
        is_start = is_colon;
    }
    if (is_start)  // empty, or nothing behind a colon
        out[count++] = '_';
    return out;
}

static bool is_child_called(const dew_UsdStage *stage, int parent, const char *name)
{
    int i = parent >= 0 ? prim_at(stage, parent)->first_child : -1;
    for (; i >= 0; i = prim_at(stage, i)->next_sibling)
        if (strcmp(prim_at(stage, i)->name, name) == 0)
            return true;
    return false;
}

static bool is_property_called(const dew_UsdStage *stage, int prim, const char *name)
{
    for (int i = prim_at(stage, prim)->first_property; i >= 0; i = property_at(stage, i)->next)
        if (strcmp(property_at(stage, i)->def.name, name) == 0)
            return true;
    return false;
}

typedef bool IsTakenFn(const dew_UsdStage *stage, int owner, const char *name);

// The legal name, with _2, _3 ... behind it where it is taken.
static dew_Status unique_name(dew_UsdStage *stage, int owner, const char *name, IsTakenFn *is_taken,
                              const char **out)
{
    const char *legal = legal_name(&stage->arena, name, is_taken == is_property_called);
    *out = legal;
    for (int i = 2; *out && is_taken(stage, owner, *out); i++)
        *out = dew_arena_format(&stage->arena, "%s_%d", legal, i);
    return *out ? dew_ok() : dew_no_memory(strlen(name));
}

// ---- prims and properties ----------------------------------------------------------------------

dew_Status dew_usd_add_prim(dew_UsdStage *stage, int parent, const char *name,
                            const char *type_name, const char *api_schema, int *prim)
{
    DEW_ASSERT(parent >= 0 ? parent < stage->prims.count : stage->prims.count == 0);
    dew_UsdPrim p = {.type_name = type_name, .api_schema = api_schema, .parent = parent};
    p.first_child = p.last_child = p.next_sibling = -1;
    p.first_property = p.last_property = -1;
    DEW_TRY(unique_name(stage, parent, name, is_child_called, &p.name));
    if (strcmp(p.name, name) != 0) {
        p.display_name = dew_arena_text(&stage->arena, name, strlen(name));
        if (!p.display_name)
            return dew_no_memory(strlen(name));
    }
    *prim = (int)stage->prims.count;
    DEW_TRY(dew_array_push(&stage->prims, &p));
    if (parent < 0)
        return dew_ok();
    dew_UsdPrim *above = prim_at(stage, parent);
    if (above->last_child >= 0)
        prim_at(stage, above->last_child)->next_sibling = *prim;
    else
        above->first_child = *prim;
    above->last_child = *prim;
    return dew_ok();
}

dew_Status dew_usd_declare(dew_UsdStage *stage, int prim, const dew_UsdPropertyDef *def,
                           int *property)
{
    dew_UsdProperty p = {.def = *def, .next = -1};
    DEW_TRY(unique_name(stage, prim, def->name, is_property_called, &p.def.name));
    dew_array_init(&p.samples, &stage->properties.allocator, sizeof(dew_UsdSample));
    *property = (int)stage->properties.count;
    DEW_TRY(dew_array_push(&stage->properties, &p));
    dew_UsdPrim *owner = prim_at(stage, prim);
    if (owner->last_property >= 0)
        property_at(stage, owner->last_property)->next = *property;
    else
        owner->first_property = *property;
    owner->last_property = *property;
    return dew_ok();
}

// ---- values ------------------------------------------------------------------------------------

static dew_ContentKey key_of(const dew_UsdValue *value)
{
    const dew_UsdTypeInfo *info = dew_usd_type_info(value->type);
    int64_t head[3] = {(int64_t)value->type, value->is_array, value->count};
    dew_ContentKey key = dew_content_key((dew_ContentKey){{0, 0}}, head, sizeof head);
    if (info->scalar == DEW_USD_TEXT) {
        const char *const *texts = (const char *const *)value->data;
        for (int64_t i = 0; i < value->count; i++)
            key = dew_content_key(key, texts[i], strlen(texts[i]) + 1);
        return key;
    }
    size_t size = (info->scalar == DEW_USD_FLOAT64 ? 8 : 4) * (size_t)info->component_count;
    return dew_content_key(key, value->data, size * (size_t)value->count);
}

static dew_Status store(dew_UsdStage *stage, const dew_UsdProperty *property, const void *data,
                        int64_t count, uint64_t *handle)
{
    dew_UsdValue value = {property->def.type, property->def.is_array, count, data};
    dew_ContentKey key = key_of(&value);
    const uint64_t *found = dew_content_table_find(&stage->values, key);
    if (found) {
        *handle = *found;
        return dew_ok();
    }
    DEW_TRY(stage->store(stage->writer, &value, handle));
    return dew_content_table_insert(&stage->values, key, *handle);
}

dew_Status dew_usd_set(dew_UsdStage *stage, int property, const void *data, int64_t count)
{
    dew_UsdProperty *p = property_at(stage, property);
    DEW_TRY(store(stage, p, data, count, &p->value));
    p->has_value = true;
    return dew_ok();
}

dew_Status dew_usd_constant(dew_UsdStage *stage, int prim, const char *name, dew_UsdType type,
                            const void *data)
{
    int property;
    dew_UsdPropertyDef def = {.name = name, .type = type};
    DEW_TRY(dew_usd_declare(stage, prim, &def, &property));
    return dew_usd_set(stage, property, data, 1);
}

dew_Status dew_usd_uniform_token(dew_UsdStage *stage, int prim, const char *name, const char *token)
{
    int property;
    dew_UsdPropertyDef def = {.name = name, .type = DEW_USD_TOKEN, .is_uniform = true};
    DEW_TRY(dew_usd_declare(stage, prim, &def, &property));
    return dew_usd_set(stage, property, &token, 1);
}

dew_Status dew_usd_sample(dew_UsdStage *stage, int property, double time_code, const void *data,
                          int64_t count)
{
    dew_UsdProperty *p = property_at(stage, property);
    dew_UsdSample sample = {.time_code = time_code};
    DEW_TRY(store(stage, p, data, count, &sample.value));
    return dew_array_push(&p->samples, &sample);
}

dew_Status dew_usd_hold(dew_UsdStage *stage, int property, double time_code, bool is_longer)
{
    dew_Array *samples = &property_at(stage, property)->samples;
    if (samples->count == 0)
        return dew_ok();
    dew_UsdSample *last = &DEW_ITEMS(samples, dew_UsdSample)[samples->count - 1];
    if (!is_longer)
        return dew_array_push(samples, &(dew_UsdSample){time_code, last->value});
    last->time_code = time_code;
    return dew_ok();
}

void dew_usd_thin(dew_UsdStage *stage, int property)
{
    dew_Array *samples = &property_at(stage, property)->samples;
    dew_UsdSample *s = DEW_ITEMS(samples, dew_UsdSample);
    int64_t kept = samples->count > 0 ? 1 : 0;
    for (int64_t i = 1; i < samples->count; i++) {
        bool is_like_both = i + 1 < samples->count && s[i].value == s[kept - 1].value &&
                            s[i].value == s[i + 1].value;
        if (!is_like_both)
            s[kept++] = s[i];
    }
    // Of a value that never varies one sample is enough.
    if (kept == 2 && s[0].value == s[1].value)
        kept = 1;
    samples->count = kept;
}
