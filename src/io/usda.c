// USD layers as text [Pixar2016].
//
// The text has all samples of a property together, but they come frame by frame: each value is
// spooled as text and copied to its places at the end.
#include "base/status.h"
#include "io/spool.h"
#include "io/usd_layer.h"

#include <string.h>

typedef struct Span {
    int64_t begin, size;
} Span;

typedef struct Layer {
    dew_Allocator allocator;
    dew_Sink *sink;
    dew_Spool spool;
    dew_Array values;  // of Span; a handle is a number among them
    const dew_UsdStage *stage;
} Layer;

static dew_Status create(const dew_Allocator *allocator, dew_Sink *sink, void **out)
{
    Layer *layer = (Layer *)dew_alloc(allocator, 1, sizeof(Layer));
    *out = layer;
    if (!layer)
        return dew_no_memory(sizeof(Layer));
    if (allocator)
        layer->allocator = *allocator;
    layer->sink = sink;
    dew_spool_init(&layer->spool, sink, DEW_SPOOL_MEMORY_BYTES, allocator);
    dew_array_init(&layer->values, allocator, sizeof(Span));
    return dew_ok();
}

static void destroy(void *out)
{
    Layer *layer = (Layer *)out;
    if (!layer)
        return;
    dew_Allocator allocator = layer->allocator;
    dew_spool_deinit(&layer->spool);
    dew_array_deinit(&layer->values);
    dew_free(&allocator, layer, sizeof(Layer));
}

// ---- values ------------------------------------------------------------------------------------

// In quotes. Line ends and control characters as escapes.
static void put_quoted(dew_Sink *sink, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    dew_sink_text(sink, "\"");
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        char escape[5] = {'\\', 'x', digits[c >> 4], digits[c & 15], '\0'};
        if (c == '"' || c == '\\')
            dew_sink_write(sink, "\\", 1);
        if (c == '\n')
            dew_sink_text(sink, "\\n");
        else if (c < 32 || c == 127)
            dew_sink_text(sink, escape);
        else
            dew_sink_write(sink, p, 1);
    }
    dew_sink_text(sink, "\"");
}

static void put_component(dew_Sink *sink, dew_UsdScalar scalar, const void *data, int64_t i)
{
    switch (scalar) {
    case DEW_USD_INT32:
        dew_sink_integer(sink, ((const int32_t *)data)[i]);
        break;
    case DEW_USD_FLOAT32:
        dew_sink_float(sink, ((const float *)data)[i]);
        break;
    case DEW_USD_FLOAT64:
        dew_sink_double(sink, ((const double *)data)[i]);
        break;
    case DEW_USD_TEXT:
        put_quoted(sink, ((const char *const *)data)[i]);
        break;
    }
}

// Components [from, to) of an element in parentheses.
static void put_tuple(dew_Sink *sink, dew_UsdScalar scalar, const void *data, int64_t from,
                      int count)
{
    dew_sink_text(sink, "(");
    for (int k = 0; k < count; k++) {
        if (k > 0)
            dew_sink_text(sink, ", ");
        put_component(sink, scalar, data, from + k);
    }
    dew_sink_text(sink, ")");
}

static void put_element(dew_Sink *sink, const dew_UsdValue *value, int64_t i)
{
    const dew_UsdTypeInfo *info = dew_usd_type_info(value->type);
    int n = info->component_count;
    int64_t from = i * n;
    if (value->type == DEW_USD_QUATF) {  // real part first
        const float *q = (const float *)value->data + from;
        float turned[4] = {q[3], q[0], q[1], q[2]};
        put_tuple(sink, DEW_USD_FLOAT32, turned, 0, 4);
    } else if (value->type == DEW_USD_MATRIX4D) {
        for (int row = 0; row < 4; row++) {
            dew_sink_text(sink, row == 0 ? "( " : ", ");
            put_tuple(sink, info->scalar, value->data, from + (int64_t)4 * row, 4);
        }
        dew_sink_text(sink, " )");
    } else if (n == 1) {
        put_component(sink, info->scalar, value->data, from);
    } else {
        put_tuple(sink, info->scalar, value->data, from, n);
    }
}

static dew_Status store(void *out, const dew_UsdValue *value, uint64_t *handle)
{
    Layer *layer = (Layer *)out;
    Span span = {.begin = dew_spool_size(&layer->spool)};
    dew_Sink sink = dew_spool_sink(&layer->spool);
    if (value->is_array)
        dew_sink_text(&sink, "[");
    for (int64_t i = 0; i < value->count; i++) {
        if (i > 0)
            dew_sink_text(&sink, ", ");
        put_element(&sink, value, i);
    }
    if (value->is_array)
        dew_sink_text(&sink, "]");
    DEW_TRY(dew_sink_end(&sink, dew_ok()));
    span.size = dew_spool_size(&layer->spool) - span.begin;
    *handle = (uint64_t)layer->values.count;
    DEW_TRY(dew_array_push(&layer->values, &span));
    return dew_spool_settle(&layer->spool);
}

static dew_Status put_value(const Layer *layer, uint64_t handle)
{
    Span span = DEW_ITEMS(&layer->values, const Span)[handle];
    return dew_spool_copy(&layer->spool, span.begin, span.size, layer->sink);
}

// ---- properties --------------------------------------------------------------------------------

static void put_indent(const Layer *layer, int depth)
{
    for (int i = 0; i < depth; i++)
        dew_sink_text(layer->sink, "    ");
}

static void put_path(const Layer *layer, int prim)
{
    if (prim < 0)
        return;
    const dew_UsdPrim *p = dew_usd_prim(layer->stage, prim);
    put_path(layer, p->parent);
    dew_sink_text(layer->sink, "/");
    dew_sink_text(layer->sink, p->name);
}

static void put_target(const Layer *layer, const dew_UsdPropertyDef *def)
{
    dew_sink_text(layer->sink, " = <");
    put_path(layer, def->target);
    if (def->target_property) {
        dew_sink_text(layer->sink, ".");
        dew_sink_text(layer->sink, def->target_property);
    }
    dew_sink_text(layer->sink, ">");
}

static void put_declaration(const Layer *layer, const dew_UsdPropertyDef *def, int depth)
{
    put_indent(layer, depth);
    if (def->is_uniform)
        dew_sink_text(layer->sink, "uniform ");
    dew_sink_text(layer->sink, dew_usd_type_info(def->type)->name);
    dew_sink_text(layer->sink, def->is_array ? "[] " : " ");
    dew_sink_text(layer->sink, def->name);
}

// On one line where there is one entry, as simple readers want it.
static void put_metadata(const Layer *layer, const dew_UsdPropertyDef *def, int depth)
{
    bool is_long = def->element_size > 0;
    if (!def->interpolation && !is_long)
        return;
    dew_sink_text(layer->sink, " (");
    if (is_long) {
        dew_sink_text(layer->sink, "\n");
        put_indent(layer, depth + 1);
        dew_sink_text(layer->sink, "elementSize = ");
        dew_sink_integer(layer->sink, def->element_size);
        dew_sink_text(layer->sink, "\n");
        put_indent(layer, depth + 1);
    }
    if (def->interpolation) {
        dew_sink_text(layer->sink, "interpolation = ");
        put_quoted(layer->sink, def->interpolation);
    }
    if (is_long) {
        dew_sink_text(layer->sink, "\n");
        put_indent(layer, depth);
    }
    dew_sink_text(layer->sink, ")");
}

static dew_Status put_samples(const Layer *layer, const dew_UsdProperty *property, int depth)
{
    const dew_UsdSample *samples = DEW_ITEMS(&property->samples, const dew_UsdSample);
    put_declaration(layer, &property->def, depth);
    dew_sink_text(layer->sink, ".timeSamples = {\n");
    for (int64_t i = 0; i < property->samples.count; i++) {
        put_indent(layer, depth + 1);
        dew_sink_double(layer->sink, samples[i].time_code);
        dew_sink_text(layer->sink, ": ");
        DEW_TRY(put_value(layer, samples[i].value));
        dew_sink_text(layer->sink, ",\n");
    }
    put_indent(layer, depth);
    dew_sink_text(layer->sink, "}\n");
    return dew_ok();
}

static dew_Status put_property(const Layer *layer, const dew_UsdProperty *property, int depth)
{
    const dew_UsdPropertyDef *def = &property->def;
    if (def->is_relationship) {
        put_indent(layer, depth);
        dew_sink_text(layer->sink, "rel ");
        dew_sink_text(layer->sink, def->name);
        put_target(layer, def);
        dew_sink_text(layer->sink, "\n");
        return dew_ok();
    }
    bool has_samples = property->samples.count > 0;
    if (has_samples && !property->has_value && !def->interpolation && def->element_size == 0)
        return put_samples(layer, property, depth);
    put_declaration(layer, def, depth);
    if (def->has_target) {
        dew_sink_text(layer->sink, ".connect");
        put_target(layer, def);
    } else if (property->has_value) {
        dew_sink_text(layer->sink, " = ");
        DEW_TRY(put_value(layer, property->value));
    }
    put_metadata(layer, def, depth);
    dew_sink_text(layer->sink, "\n");
    return has_samples ? put_samples(layer, property, depth) : dew_ok();
}

// ---- prims and layer ---------------------------------------------------------------------------

static void put_prim_metadata(const Layer *layer, const dew_UsdPrim *prim, int depth)
{
    if (!prim->api_schema && !prim->display_name)
        return;
    dew_sink_text(layer->sink, " (\n");
    if (prim->api_schema) {
        put_indent(layer, depth + 1);
        dew_sink_text(layer->sink, "prepend apiSchemas = [");
        put_quoted(layer->sink, prim->api_schema);
        dew_sink_text(layer->sink, "]\n");
    }
    if (prim->display_name) {
        put_indent(layer, depth + 1);
        dew_sink_text(layer->sink, "displayName = ");
        put_quoted(layer->sink, prim->display_name);
        dew_sink_text(layer->sink, "\n");
    }
    put_indent(layer, depth);
    dew_sink_text(layer->sink, ")");
}

static dew_Status put_prim(const Layer *layer, int index, int depth)
{
    const dew_UsdStage *stage = layer->stage;
    const dew_UsdPrim *prim = dew_usd_prim(stage, index);
    dew_sink_text(layer->sink, "\n");
    put_indent(layer, depth);
    dew_sink_text(layer->sink, "def ");
    dew_sink_text(layer->sink, prim->type_name);
    dew_sink_text(layer->sink, " ");
    put_quoted(layer->sink, prim->name);
    put_prim_metadata(layer, prim, depth);
    dew_sink_text(layer->sink, "\n");
    put_indent(layer, depth);
    dew_sink_text(layer->sink, "{\n");
    for (int i = prim->first_property; i >= 0; i = dew_usd_property(stage, i)->next)
        DEW_TRY(put_property(layer, dew_usd_property(stage, i), depth + 1));
    for (int i = prim->first_child; i >= 0; i = dew_usd_prim(stage, i)->next_sibling)
        DEW_TRY(put_prim(layer, i, depth + 1));
    put_indent(layer, depth);
    dew_sink_text(layer->sink, "}\n");
    return dew_ok();
}

static void put_number(const Layer *layer, const char *name, double x)
{
    put_indent(layer, 1);
    dew_sink_text(layer->sink, name);
    dew_sink_text(layer->sink, " = ");
    dew_sink_double(layer->sink, x);
    dew_sink_text(layer->sink, "\n");
}

static dew_Status finish(void *out, const dew_UsdStage *stage)
{
    Layer *layer = (Layer *)out;
    layer->stage = stage;
    dew_sink_text(layer->sink, "#usda 1.0\n(\n    defaultPrim = ");
    put_quoted(layer->sink, dew_usd_prim(stage, 0)->name);
    dew_sink_text(layer->sink, "\n    doc = ");
    put_quoted(layer->sink, stage->documentation);
    dew_sink_text(layer->sink, "\n");
    put_number(layer, "endTimeCode", stage->last_time_code);
    put_number(layer, "framesPerSecond", stage->time_codes_per_second);
    put_number(layer, "metersPerUnit", stage->meters_per_unit);
    put_number(layer, "startTimeCode", stage->first_time_code);
    put_number(layer, "timeCodesPerSecond", stage->time_codes_per_second);
    dew_sink_text(layer->sink, "    upAxis = ");
    put_quoted(layer->sink, stage->is_z_up ? "Z" : "Y");
    dew_sink_text(layer->sink, "\n)\n");
    return put_prim(layer, 0, 0);
}

const dew_UsdLayerOps dew_usda_layer_ops = {create, store, finish, destroy};
