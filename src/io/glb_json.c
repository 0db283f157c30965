// The JSON of a .glb file [Khronos2021]. Properties that have their default are left out.
#include "io/glb_document.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Json {
    dew_Sink *sink;
    bool needs_comma;
} Json;

// ---- values ------------------------------------------------------------------------------------

static void separate(Json *json)
{
    if (json->needs_comma)
        dew_sink_text(json->sink, ",");
    json->needs_comma = true;
}

static void key(Json *json, const char *name)
{
    separate(json);
    dew_sink_json(json->sink, name);
    dew_sink_text(json->sink, ":");
}

// `bracket`: one of { } [ ].
static void open_at(Json *json, const char *name, const char *bracket)
{
    if (name)
        key(json, name);
    else
        separate(json);
    dew_sink_text(json->sink, bracket);
    json->needs_comma = false;
}

static void shut(Json *json, const char *bracket)
{
    dew_sink_text(json->sink, bracket);
    json->needs_comma = true;
}

static void put_integer(Json *json, const char *name, int64_t x)
{
    key(json, name);
    dew_sink_integer(json->sink, x);
}

static void put_text(Json *json, const char *name, const char *text)
{
    key(json, name);
    dew_sink_json(json->sink, text);
}

static void put_number(Json *json, const char *name, double x)
{
    key(json, name);
    dew_sink_double(json->sink, isfinite(x) ? x : 0);
}

static void put_numbers(Json *json, const char *name, const double *x, int count)
{
    open_at(json, name, "[");
    for (int k = 0; k < count; k++) {
        separate(json);
        dew_sink_double(json->sink, isfinite(x[k]) ? x[k] : 0);
    }
    shut(json, "]");
}

// All digits of the double: readers compare bounds with the numbers of the array.
static void put_bounds(Json *json, const char *name, const float *x, int count)
{
    double wide[4];
    for (int k = 0; k < count; k++)
        wide[k] = (double)x[k];
    put_numbers(json, name, wide, count);
}

// ---- arrays and meshes -------------------------------------------------------------------------

static void put_arrays(const dew_GlbDocument *d, Json *json)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    if (d->arrays.count == 0)
        return;
    open_at(json, "bufferViews", "[");
    for (int64_t i = 0; i < d->arrays.count; i++) {
        const dew_GlbArray *array = &DEW_ITEMS(&d->arrays, const dew_GlbArray)[i];
        open_at(json, NULL, "{");
        put_integer(json, "buffer", 0);
        put_integer(json, "byteOffset", array->offset);
        put_integer(json, "byteLength", array->bytes);
        if (array->target != DEW_GLB_TRACK)
            put_integer(json, "target", array->target);
        shut(json, "}");
    }
    shut(json, "]");
    open_at(json, "accessors", "[");
    for (int64_t i = 0; i < d->arrays.count; i++) {
        const dew_GlbArray *array = &DEW_ITEMS(&d->arrays, const dew_GlbArray)[i];
        open_at(json, NULL, "{");
        put_integer(json, "bufferView", i);
        put_integer(json, "componentType", array->component_type);
        put_integer(json, "count", array->count);
        put_text(json, "type", types[array->components]);
        if (array->has_bounds) {
            put_bounds(json, "min", array->min, array->components);
            put_bounds(json, "max", array->max, array->components);
        }
        shut(json, "}");
    }
    shut(json, "]");
}

// "_WET" of "wet": what the specification allows, and no other attribute's name.
static void attribute_name(const dew_AnimationObject *object, int index, char out[64])
{
    size_t length = 1;
    out[0] = '_';
    for (const char *p = object->attribute_names[index]; *p && length < 50; p++) {
        int c = (unsigned char)*p;
        out[length++] = (char)(c < 128 && isalnum(c) ? toupper(c) : '_');
    }
    out[length] = '\0';
    bool is_taken = strcmp(out, "_VELOCITY") == 0;
    for (int i = 0; i < index && !is_taken; i++) {
        char other[64];
        attribute_name(object, i, other);
        is_taken = strcmp(out, other) == 0;
    }
    if (is_taken)
        snprintf(out + length, 64 - length, "_%d", index);
}

static void put_primitive(const dew_GlbDocument *d, Json *json, const dew_GlbMesh *mesh)
{
    static const char *const names[] = {"POSITION", "NORMAL", "_VELOCITY"};
    const dew_AnimationObject *object = &d->def->objects[mesh->object];
    const int *slots = DEW_ITEMS(&d->slots, const int) + mesh->first;
    open_at(json, "attributes", "{");
    for (int i = 0; i < DEW_GLB_FIXED_SLOTS + object->attribute_count; i++) {
        char name[64];
        if (i == DEW_GLB_INDEX || slots[i] == DEW_INVALID)
            continue;
        if (i > DEW_GLB_INDEX)
            attribute_name(object, i - DEW_GLB_FIXED_SLOTS, name);
        put_integer(json, i > DEW_GLB_INDEX ? name : names[i], slots[i]);
    }
    shut(json, "}");
    if (slots[DEW_GLB_INDEX] == DEW_INVALID)
        put_integer(json, "mode", 0);  // points
    else
        put_integer(json, "indices", slots[DEW_GLB_INDEX]);
    put_integer(json, "material", object->material);
}

static void put_name(Json *json, const char *name, int64_t frame)
{
    if (frame == DEW_INVALID) {
        put_text(json, "name", name);
        return;
    }
    char text[256];
    snprintf(text, sizeof text, "%.200s.%04lld", name, (long long)frame);
    put_text(json, "name", text);
}

static void put_meshes(const dew_GlbDocument *d, Json *json)
{
    if (d->meshes.count == 0)
        return;
    open_at(json, "meshes", "[");
    for (int64_t i = 0; i < d->meshes.count; i++) {
        const dew_GlbMesh *mesh = &DEW_ITEMS(&d->meshes, const dew_GlbMesh)[i];
        bool is_one = d->objects[mesh->object].mesh_count == 1;
        open_at(json, NULL, "{");
        put_name(json, d->def->objects[mesh->object].name,
                 is_one ? DEW_INVALID : d->def->first_frame + mesh->frame);
        open_at(json, "primitives", "[");
        open_at(json, NULL, "{");
        put_primitive(d, json, mesh);
        shut(json, "}");
        shut(json, "]");
        shut(json, "}");
    }
    shut(json, "]");
}

// ---- materials, camera, lights -----------------------------------------------------------------

// Absorption a over a depth leaves exp(-a depth); the depth is such that the mean leaves 1 / e.
static void put_absorption(Json *json, const double absorption[3])
{
    double mean = (absorption[0] + absorption[1] + absorption[2]) / 3, color[3];
    if (!(mean > 0))
        return;
    for (int k = 0; k < 3; k++)
        color[k] = exp(-absorption[k] / mean);
    put_number(json, "attenuationDistance", 1 / mean);
    put_numbers(json, "attenuationColor", color, 3);
}

static void put_clear(Json *json, const dew_AnimationMaterial *material, double thickness)
{
    open_at(json, "extensions", "{");
    open_at(json, "KHR_materials_transmission", "{");
    put_number(json, "transmissionFactor", material->transmission);
    shut(json, "}");
    open_at(json, "KHR_materials_ior", "{");
    put_number(json, "ior", material->ior);
    shut(json, "}");
    if (!material->is_thin && thickness > 0) {
        open_at(json, "KHR_materials_volume", "{");
        put_number(json, "thicknessFactor", thickness);
        put_absorption(json, material->absorption);
        shut(json, "}");
    }
    shut(json, "}");
}

static void put_materials(const dew_GlbDocument *d, Json *json)
{
    if (d->def->material_count == 0)
        return;
    open_at(json, "materials", "[");
    for (int i = 0; i < d->def->material_count; i++) {
        const dew_AnimationMaterial *m = &d->def->materials[i];
        double color[4] = {m->color[0], m->color[1], m->color[2], 1};
        open_at(json, NULL, "{");
        put_text(json, "name", m->name);
        open_at(json, "pbrMetallicRoughness", "{");
        put_numbers(json, "baseColorFactor", color, 4);
        put_number(json, "metallicFactor", m->metalness);
        put_number(json, "roughnessFactor", m->roughness);
        shut(json, "}");
        if (m->transmission > 0)
            put_clear(json, m, d->thickness[i]);
        shut(json, "}");
    }
    shut(json, "]");
}

// From a thousandth of the distance of what it looks at to infinity.
static void put_camera(const dew_GlbDocument *d, Json *json)
{
    const dew_AnimationCamera *camera = d->def->camera;
    if (!camera)
        return;
    double squared = 0;
    for (int k = 0; k < 3; k++)
        squared += (camera->target[k] - camera->eye[k]) * (camera->target[k] - camera->eye[k]);
    open_at(json, "cameras", "[");
    open_at(json, NULL, "{");
    put_text(json, "type", "perspective");
    open_at(json, "perspective", "{");
    put_number(json, "aspectRatio", (double)camera->width / camera->height);
    put_number(json, "yfov", camera->vertical_fov_rad);
    put_number(json, "znear", squared > 0 ? 1e-3 * sqrt(squared) : 1e-3);
    shut(json, "}");
    shut(json, "}");
    shut(json, "]");
}

static void put_lights(const dew_GlbDocument *d, Json *json)
{
    open_at(json, "KHR_lights_punctual", "{");
    open_at(json, "lights", "[");
    for (int i = 0; i < d->def->light_count; i++) {
        const dew_AnimationLight *light = &d->def->lights[i];
        double largest = fmax(fmax(light->color[0], light->color[1]), light->color[2]), color[3];
        for (int k = 0; k < 3; k++)  // at most 1
            color[k] = light->color[k] / fmax(largest, 1);
        open_at(json, NULL, "{");
        put_text(json, "type", "directional");
        put_numbers(json, "color", color, 3);
        put_number(json, "intensity", light->strength * fmax(largest, 1));
        shut(json, "}");
    }
    shut(json, "]");
    shut(json, "}");
}

// ---- nodes and animation -----------------------------------------------------------------------

static void put_pose(Json *json, const dew_AnimationPose *pose)
{
    const double *q = pose->rotation, *t = pose->translation;
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (t[0] != 0 || t[1] != 0 || t[2] != 0)
        put_numbers(json, "translation", t, 3);
    if (q[0] != 0 || q[1] != 0 || q[2] != 0)
        put_numbers(json, "rotation",
                    (const double[]){q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm}, 4);
}

static void put_node(Json *json, const dew_GlbNode *node)
{
    open_at(json, NULL, "{");
    put_name(json, node->name, node->frame);
    put_pose(json, &node->pose);
    if (node->is_hidden)
        put_numbers(json, "scale", (const double[]){0, 0, 0}, 3);
    if (node->mesh != DEW_INVALID)
        put_integer(json, "mesh", node->mesh);
    if (node->camera != DEW_INVALID)
        put_integer(json, "camera", node->camera);
    if (node->child_count > 0) {
        open_at(json, "children", "[");
        for (int64_t i = 0; i < node->child_count; i++) {
            separate(json);
            dew_sink_integer(json->sink, node->first_child + i);
        }
        shut(json, "]");
    }
    if (node->light != DEW_INVALID) {
        open_at(json, "extensions", "{");
        open_at(json, "KHR_lights_punctual", "{");
        put_integer(json, "light", node->light);
        shut(json, "}");
        shut(json, "}");
    }
    shut(json, "}");
}

static void put_nodes(const dew_GlbDocument *d, Json *json)
{
    const dew_GlbNode *nodes = DEW_ITEMS(&d->nodes, const dew_GlbNode);
    if (d->nodes.count > 0) {
        open_at(json, "nodes", "[");
        for (int64_t i = 0; i < d->nodes.count; i++)
            put_node(json, &nodes[i]);
        shut(json, "]");
    }
    put_integer(json, "scene", 0);
    open_at(json, "scenes", "[");
    open_at(json, NULL, "{");
    if (d->def->title && d->def->title[0])
        put_text(json, "name", d->def->title);
    if (d->nodes.count > 0) {
        open_at(json, "nodes", "[");
        for (int64_t i = 0; i < d->nodes.count; i++)
            if (!nodes[i].is_child) {
                separate(json);
                dew_sink_integer(json->sink, i);
            }
        shut(json, "]");
    }
    shut(json, "}");
    shut(json, "]");
}

static void put_animation(const dew_GlbDocument *d, Json *json)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    const dew_GlbChannel *channels = DEW_ITEMS(&d->channels, const dew_GlbChannel);
    if (d->channels.count == 0)
        return;
    open_at(json, "animations", "[");
    open_at(json, NULL, "{");
    put_text(json, "name", "frames");
    open_at(json, "samplers", "[");
    for (int64_t i = 0; i < d->channels.count; i++) {
        open_at(json, NULL, "{");
        put_integer(json, "input", channels[i].input);
        if (channels[i].path == DEW_GLB_SCALE)
            put_text(json, "interpolation", "STEP");
        put_integer(json, "output", channels[i].output);
        shut(json, "}");
    }
    shut(json, "]");
    open_at(json, "channels", "[");
    for (int64_t i = 0; i < d->channels.count; i++) {
        open_at(json, NULL, "{");
        put_integer(json, "sampler", i);
        open_at(json, "target", "{");
        put_integer(json, "node", channels[i].node);
        put_text(json, "path", paths[channels[i].path]);
        shut(json, "}");
        shut(json, "}");
    }
    shut(json, "]");
    shut(json, "}");
    shut(json, "]");
}

// ---- the whole ---------------------------------------------------------------------------------

static void put_asset(const dew_GlbDocument *d, Json *json)
{
    open_at(json, "asset", "{");
    put_text(json, "version", "2.0");
    put_text(json, "generator", d->def->software);
    open_at(json, "extras", "{");
    put_integer(json, "first_frame", d->def->first_frame);
    put_integer(json, "frame_count", d->def->frame_count);
    put_number(json, "frame_rate_Hz", d->def->frame_rate_Hz);
    put_number(json, "first_time_s", d->first_time_s);
    put_number(json, "meters_per_unit", d->def->meters_per_unit);
    shut(json, "}");
    shut(json, "}");
}

static void put_extensions(const dew_GlbDocument *d, Json *json)
{
    bool has_clear = false, has_volume = false;
    for (int i = 0; i < d->def->material_count; i++) {
        const dew_AnimationMaterial *m = &d->def->materials[i];
        has_clear = has_clear || m->transmission > 0;
        has_volume = has_volume || (m->transmission > 0 && !m->is_thin && d->thickness[i] > 0);
    }
    if (!has_clear && d->def->light_count == 0)
        return;
    open_at(json, "extensionsUsed", "[");
    const char *const names[] = {d->def->light_count > 0 ? "KHR_lights_punctual" : NULL,
                                 has_clear ? "KHR_materials_ior" : NULL,
                                 has_clear ? "KHR_materials_transmission" : NULL,
                                 has_volume ? "KHR_materials_volume" : NULL};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i]) {
            separate(json);
            dew_sink_json(json->sink, names[i]);
        }
    shut(json, "]");
    if (d->def->light_count > 0) {
        open_at(json, "extensions", "{");
        put_lights(d, json);
        shut(json, "}");
    }
}

void dew_glb_write_json(const dew_GlbDocument *d, dew_Sink *sink)
{
    Json json = {sink, false};
    open_at(&json, NULL, "{");
    put_asset(d, &json);
    put_extensions(d, &json);
    put_nodes(d, &json);
    put_animation(d, &json);
    put_meshes(d, &json);
    put_materials(d, &json);
    put_camera(d, &json);
    put_arrays(d, &json);
    if (dew_spool_size(&d->bin) > 0) {
        open_at(&json, "buffers", "[");
        open_at(&json, NULL, "{");
        put_integer(&json, "byteLength", dew_spool_size(&d->bin));
        shut(&json, "}");
        shut(&json, "]");
    }
    shut(&json, "}");
}
