// Animations as stages of USD [Pixar2016]; usda.c and usdc.c give them their bytes.
//
// Below the prim World: an object as Mesh or Points with time samples, a camera, lights and
// materials. A time code is a frame's number. The properties of a mesh have samples at the same
// times, since readers use a velocity with the positions of its own sample only; where a mesh
// stays, its last sample is repeated at the end of that time, for readers interpolate.
#include "io/usd.h"

#include "base/status.h"
#include "geom/vec.h"
#include "io/usd_layer.h"
#include "io/usd_scene.h"

#include <float.h>
#include <string.h>

enum { POINTS, EXTENT, COUNTS, INDICES, NORMALS, VELOCITIES, FIRST_ATTRIBUTE };

typedef struct Object {
    const dew_AnimationObject *def;
    int prim;
    int *properties;  // by the names above, then the attributes; -1: none
    int property_count;
    int radius;    // number of the attribute that states a particle's radius; -1: none
    double width;  // of particles without one; 0: not known yet
    int visibility, translate, orient;  // -1: none
    bool has_mesh, is_held, is_visible;
    double rotation[4];  // of the last sample
} Object;

typedef struct Writer {
    dew_Allocator allocator;
    const dew_AnimationDef *def;
    const dew_UsdLayerOps *ops;
    void *layer;
    dew_UsdStage stage;
    Object *objects;
    dew_Array numbers;  // of int32_t or float, for values that are made here
    int64_t frame_count;
} Writer;

static const int32_t NO = 0;

// ---- before the first frame --------------------------------------------------------------------

static const char *attribute_type_name(Writer *w, const Object *o, int k, dew_UsdPropertyDef *def)
{
    const char *name = o->def->attribute_names[k];
    int count = o->def->attribute_component_counts[k];
    static const dew_UsdType by_count[] = {DEW_USD_FLOAT, DEW_USD_FLOAT2, DEW_USD_FLOAT3,
                                           DEW_USD_FLOAT4};
    bool is_uv = count == 2 && (strcmp(name, "uv") == 0 || strcmp(name, "st") == 0);
    def->type = is_uv ? DEW_USD_TEX_COORD2F : count <= 4 ? by_count[count - 1] : DEW_USD_FLOAT;
    def->element_size = count > 4 ? count : 0;
    return dew_arena_format(&w->stage.arena, "primvars:%s", is_uv ? "st" : name);
}

static dew_Status declare_array(Writer *w, Object *o, int slot, const char *name, dew_UsdType type,
                                const char *interpolation)
{
    dew_UsdPropertyDef def = {
        .name = name, .type = type, .is_array = true, .interpolation = interpolation};
    return dew_usd_declare(&w->stage, o->prim, &def, &o->properties[slot]);
}

static dew_Status declare_attribute(Writer *w, Object *o, int k)
{
    dew_UsdPropertyDef def = {.is_array = true, .interpolation = "vertex"};
    if (k == o->radius) {
        def.name = "widths";
        def.type = DEW_USD_FLOAT;
    } else {
        def.name = attribute_type_name(w, o, k, &def);
    }
    if (!def.name)
        return dew_no_memory(1);
    return dew_usd_declare(&w->stage, o->prim, &def, &o->properties[FIRST_ATTRIBUTE + k]);
}

static dew_Status declare_mesh(Writer *w, Object *o)
{
    bool is_mesh = o->def->kind != DEW_ANIMATION_PARTICLES;
    DEW_TRY(declare_array(w, o, POINTS, "points", DEW_USD_POINT3F, NULL));
    DEW_TRY(declare_array(w, o, EXTENT, "extent", DEW_USD_FLOAT3, NULL));
    if (is_mesh) {
        DEW_TRY(declare_array(w, o, COUNTS, "faceVertexCounts", DEW_USD_INT, NULL));
        DEW_TRY(declare_array(w, o, INDICES, "faceVertexIndices", DEW_USD_INT, NULL));
    }
    if (o->def->has_normals)
        DEW_TRY(declare_array(w, o, NORMALS, "normals", DEW_USD_NORMAL3F, "vertex"));
    if (o->def->has_velocities)
        DEW_TRY(declare_array(w, o, VELOCITIES, "velocities", DEW_USD_VECTOR3F, NULL));
    for (int k = 0; k < o->def->attribute_count; k++)
        DEW_TRY(declare_attribute(w, o, k));
    if (!is_mesh)
        return dew_ok();
    DEW_TRY(dew_usd_uniform_token(&w->stage, o->prim, "subdivisionScheme", "none"));
    DEW_TRY(dew_usd_uniform_token(&w->stage, o->prim, "orientation", "rightHanded"));
    dew_UsdPropertyDef sided = {.name = "doubleSided", .type = DEW_USD_BOOL, .is_uniform = true};
    int property;
    DEW_TRY(dew_usd_declare(&w->stage, o->prim, &sided, &property));
    return dew_usd_set(&w->stage, property, &NO, 1);
}

static dew_Status bind_material(Writer *w, const Object *o, const int *materials)
{
    int property;
    if (o->def->material < 0 || o->def->material >= w->def->material_count)
        return dew_ok();
    dew_UsdPropertyDef binding = {.name = "material:binding",
                                  .is_relationship = true,
                                  .has_target = true,
                                  .target = materials[o->def->material]};
    return dew_usd_declare(&w->stage, o->prim, &binding, &property);
}

static dew_Status add_object(Writer *w, Object *o, const int *materials, int root)
{
    bool is_points = o->def->kind == DEW_ANIMATION_PARTICLES;
    o->radius = o->visibility = o->translate = o->orient = -1;
    o->is_visible = true;
    o->property_count = FIRST_ATTRIBUTE + o->def->attribute_count;
    o->properties = dew_arena_array(&w->stage.arena, int, o->property_count);
    if (!o->properties)
        return dew_no_memory((size_t)o->property_count * sizeof(int));
    for (int i = 0; i < o->property_count; i++)
        o->properties[i] = -1;
    for (int k = 0; is_points && k < o->def->attribute_count; k++)
        if (strcmp(o->def->attribute_names[k], "radius") == 0 &&
            o->def->attribute_component_counts[k] == 1)
            o->radius = k;
    DEW_TRY(dew_usd_add_prim(&w->stage, root, o->def->name, is_points ? "Points" : "Mesh",
                             "MaterialBindingAPI", &o->prim));
    DEW_TRY(declare_mesh(w, o));
    return bind_material(w, o, materials);
}

static dew_Status build_stage(Writer *w)
{
    const dew_AnimationDef *def = w->def;
    dew_UsdStage *stage = &w->stage;
    int root;
    stage->is_z_up = def->is_z_up;
    stage->meters_per_unit = def->meters_per_unit;
    stage->time_codes_per_second = def->frame_rate_Hz;
    stage->first_time_code = (double)def->first_frame;
    stage->documentation = dew_arena_format(&stage->arena, "%s (%s)", def->title, def->software);
    w->objects = dew_arena_array(&stage->arena, Object, def->object_count);
    int *materials = dew_arena_array(&stage->arena, int, def->material_count);
    if (!stage->documentation || !w->objects || !materials)
        return dew_no_memory((size_t)def->object_count * sizeof(Object));
    DEW_TRY(dew_usd_add_prim(stage, -1, "World", "Xform", NULL, &root));
    DEW_TRY(dew_usd_add_scene(stage, root, def, materials));
    for (int i = 0; i < def->object_count; i++) {
        w->objects[i].def = &def->objects[i];
        DEW_TRY(add_object(w, &w->objects[i], materials, root));
    }
    return dew_ok();
}

static void destroy(void *writer)
{
    Writer *w = (Writer *)writer;
    if (!w)
        return;
    w->ops->destroy(w->layer);
    dew_usd_stage_deinit(&w->stage);
    dew_array_deinit(&w->numbers);
    dew_Allocator allocator = w->allocator;
    dew_free(&allocator, w, sizeof(Writer));
}

static dew_Status create(const dew_AnimationDef *def, const dew_Allocator *allocator,
                         dew_Sink *sink, const dew_UsdLayerOps *ops, void **out)
{
    *out = NULL;
    Writer *w = (Writer *)dew_alloc(allocator, 1, sizeof(Writer));
    if (!w)
        return dew_no_memory(sizeof(Writer));
    if (allocator)
        w->allocator = *allocator;
    w->def = def;
    w->ops = ops;
    dew_array_init(&w->numbers, allocator, sizeof(float));
    dew_Status status = ops->create(allocator, sink, &w->layer);
    dew_usd_stage_init(&w->stage, allocator, ops->store, w->layer);
    if (status.code == DEW_OK)
        status = build_stage(w);
    if (status.code == DEW_OK)
        *out = w;
    else
        destroy(w);
    return status;
}

// ---- meshes ------------------------------------------------------------------------------------

static dew_Status put(Writer *w, const Object *o, int slot, double time, const void *data,
                      int64_t count)
{
    int property = o->properties[slot];
    if (property < 0)
        return dew_ok();
    return o->def->has_static_mesh ? dew_usd_set(&w->stage, property, data, count)
                                   : dew_usd_sample(&w->stage, property, time, data, count);
}

// What no reader would take: positions that are no numbers, triangles of vertices that are not
// there.
static dew_Status check_mesh(const Object *o, const dew_AnimationMesh *mesh)
{
    if (mesh->vertex_count > INT32_MAX || mesh->triangle_count > INT32_MAX / 3)
        return dew_fail(DEW_UNSUPPORTED, "USD has no meshes of %lld vertices and %lld triangles",
                        (long long)mesh->vertex_count, (long long)mesh->triangle_count);
    for (int64_t i = 0; i < 3 * mesh->vertex_count; i++)
        if (!isfinite(mesh->positions[i]))
            return dew_fail(DEW_BAD_INPUT, "%s: the position of vertex %lld is not finite",
                            o->def->name, (long long)(i / 3));
    for (int64_t i = 0; i < 3 * mesh->triangle_count; i++)
        if ((int64_t)mesh->triangles[i] >= mesh->vertex_count)
            return dew_fail(DEW_BAD_INPUT, "%s: triangle %lld has vertex %u of %lld", o->def->name,
                            (long long)(i / 3), mesh->triangles[i], (long long)mesh->vertex_count);
    return dew_ok();
}

// Least and greatest coordinates; of no points the empty range of USD.
static void find_extent(const dew_AnimationMesh *mesh, float extent[6])
{
    for (int k = 0; k < 3; k++) {
        extent[k] = FLT_MAX;
        extent[3 + k] = -FLT_MAX;
    }
    for (int64_t i = 0; i < mesh->vertex_count; i++) {
        for (int k = 0; k < 3; k++) {
            float x = mesh->positions[3 * i + k];
            extent[k] = x < extent[k] ? x : extent[k];
            extent[3 + k] = x > extent[3 + k] ? x : extent[3 + k];
        }
    }
}

static dew_Status put_face_counts(Writer *w, const Object *o, double time, int64_t count)
{
    DEW_TRY(dew_array_resize(&w->numbers, count));
    for (int64_t i = 0; i < count; i++)
        DEW_ITEMS(&w->numbers, int32_t)[i] = 3;
    return put(w, o, COUNTS, time, w->numbers.data, count);
}

// The mean distance of particles that fill their bounding box, which has 1, 2 or 3 dimensions:
// (V / n)^(1/d).
static double mean_spacing(const float extent[6], int64_t count)
{
    double measure = 1;
    int dimensions = 0;
    for (int k = 0; k < 3; k++) {
        double length = (double)extent[3 + k] - (double)extent[k];
        if (length > 0) {
            measure *= length;
            dimensions++;
        }
    }
    return dimensions > 0 ? pow(measure / (double)count, 1.0 / dimensions) : 0;
}

// Widths of particles by their radii or, where they have none, one for all.
static dew_Status put_widths(Writer *w, Object *o, double time, const dew_AnimationMesh *mesh,
                             float extent[6])
{
    double widest = o->width;
    if (o->radius >= 0) {
        const float *radius = mesh->attributes[o->radius].values;
        DEW_TRY(dew_array_resize(&w->numbers, mesh->vertex_count));
        float *widths = DEW_ITEMS(&w->numbers, float);
        for (int64_t i = 0; i < mesh->vertex_count; i++) {
            widths[i] = 2 * radius[i];
            widest = fmax(widest, (double)widths[i]);
        }
        DEW_TRY(put(w, o, FIRST_ATTRIBUTE + o->radius, time, widths, mesh->vertex_count));
    } else if (mesh->vertex_count > 0 && !(o->width > 0)) {
        int property;
        dew_UsdPropertyDef def = {
            .name = "widths", .type = DEW_USD_FLOAT, .is_array = true, .interpolation = "constant"};
        widest = o->width = mean_spacing(extent, mesh->vertex_count);
        float width = (float)o->width;
        if (o->width > 0) {
            DEW_TRY(dew_usd_declare(&w->stage, o->prim, &def, &property));
            DEW_TRY(dew_usd_set(&w->stage, property, &width, 1));
        }
    }
    for (int k = 0; mesh->vertex_count > 0 && k < 3; k++) {
        extent[k] -= (float)(widest / 2);
        extent[3 + k] += (float)(widest / 2);
    }
    return dew_ok();
}

static dew_Status put_mesh(Writer *w, Object *o, double time, const dew_AnimationMesh *mesh)
{
    float extent[6];
    int64_t n = mesh->vertex_count;
    DEW_ASSERT(mesh->attribute_count == o->def->attribute_count);
    DEW_ASSERT(n == 0 || mesh->normals || !o->def->has_normals);
    DEW_ASSERT(n == 0 || mesh->velocities || !o->def->has_velocities);
    DEW_TRY(check_mesh(o, mesh));
    find_extent(mesh, extent);
    DEW_TRY(put(w, o, POINTS, time, mesh->positions, n));
    if (o->def->kind == DEW_ANIMATION_PARTICLES) {
        DEW_TRY(put_widths(w, o, time, mesh, extent));
    } else {
        DEW_TRY(put_face_counts(w, o, time, mesh->triangle_count));
        DEW_TRY(put(w, o, INDICES, time, mesh->triangles, 3 * mesh->triangle_count));
    }
    DEW_TRY(put(w, o, EXTENT, time, extent, 2));
    DEW_TRY(put(w, o, NORMALS, time, mesh->normals, n));
    DEW_TRY(put(w, o, VELOCITIES, time, mesh->velocities, n));
    for (int k = 0; k < mesh->attribute_count; k++) {
        int size =
            dew_usd_property(&w->stage, o->properties[FIRST_ATTRIBUTE + k])->def.element_size;
        if (k != o->radius)
            DEW_TRY(put(w, o, FIRST_ATTRIBUTE + k, time, mesh->attributes[k].values,
                        size > 0 ? n * size : n));
    }
    o->has_mesh = true;
    o->is_held = false;
    return dew_ok();
}

static dew_Status hold_mesh(Writer *w, Object *o, double time)
{
    if (!o->has_mesh || o->def->has_static_mesh)
        return dew_ok();
    for (int i = 0; i < o->property_count; i++)
        if (o->properties[i] >= 0)
            DEW_TRY(dew_usd_hold(&w->stage, o->properties[i], time, o->is_held));
    o->is_held = true;
    return dew_ok();
}

// ---- poses and visibility ----------------------------------------------------------------------

static bool is_identity(const dew_AnimationPose *pose)
{
    const double *q = pose->rotation, *t = pose->translation;
    return q[0] == 0 && q[1] == 0 && q[2] == 0 && t[0] == 0 && t[1] == 0 && t[2] == 0;
}

static dew_Status declare_pose(Writer *w, Object *o)
{
    static const char *const order[] = {"xformOp:translate", "xformOp:orient"};
    int property;
    dew_UsdPropertyDef translate = {.name = order[0], .type = DEW_USD_DOUBLE3};
    dew_UsdPropertyDef orient = {.name = order[1], .type = DEW_USD_QUATF};
    dew_UsdPropertyDef operations = {
        .name = "xformOpOrder", .type = DEW_USD_TOKEN, .is_array = true, .is_uniform = true};
    DEW_TRY(dew_usd_declare(&w->stage, o->prim, &translate, &o->translate));
    DEW_TRY(dew_usd_declare(&w->stage, o->prim, &orient, &o->orient));
    DEW_TRY(dew_usd_declare(&w->stage, o->prim, &operations, &property));
    return dew_usd_set(&w->stage, property, order, 2);
}

static dew_Status put_pose(Writer *w, Object *o, double time, const dew_AnimationPose *pose)
{
    bool is_first = w->frame_count == 0;
    if (o->def->has_static_pose && (!is_first || is_identity(pose)))
        return dew_ok();
    if (is_first)
        DEW_TRY(declare_pose(w, o));
    // q and -q are one rotation; next to the last one, so that all readers take the short arc.
    const double *last = o->rotation, *q = pose->rotation;
    double cosine = last[0] * q[0] + last[1] * q[1] + last[2] * q[2] + last[3] * q[3];
    float rotation[4];
    for (int k = 0; k < 4; k++) {
        o->rotation[k] = cosine < 0 ? -q[k] : q[k];
        rotation[k] = (float)o->rotation[k];
    }
    if (o->def->has_static_pose) {
        DEW_TRY(dew_usd_set(&w->stage, o->translate, pose->translation, 1));
        return dew_usd_set(&w->stage, o->orient, rotation, 1);
    }
    DEW_TRY(dew_usd_sample(&w->stage, o->translate, time, pose->translation, 1));
    return dew_usd_sample(&w->stage, o->orient, time, rotation, 1);
}

// Samples where it changes, the first at the first frame; none for what is always visible.
static dew_Status put_visibility(Writer *w, Object *o, double time, bool is_visible)
{
    const char *words[2] = {"invisible", "inherited"};
    if (o->is_visible == is_visible)
        return dew_ok();
    if (o->visibility < 0) {
        dew_UsdPropertyDef def = {.name = "visibility", .type = DEW_USD_TOKEN};
        DEW_TRY(dew_usd_declare(&w->stage, o->prim, &def, &o->visibility));
        if (w->frame_count > 0)
            DEW_TRY(
                dew_usd_sample(&w->stage, o->visibility, w->stage.first_time_code, &words[1], 1));
    }
    o->is_visible = is_visible;
    return dew_usd_sample(&w->stage, o->visibility, time, &words[is_visible], 1);
}

// ---- frames ------------------------------------------------------------------------------------

static dew_Status put_object(Writer *w, Object *o, double time, const dew_AnimationState *state)
{
    bool was_visible = o->is_visible;
    if (state->mesh && !(o->has_mesh && o->def->has_static_mesh))
        DEW_TRY(put_mesh(w, o, time, state->mesh));
    else if (!state->mesh && (state->is_visible || was_visible))
        DEW_TRY(hold_mesh(w, o, time));
    DEW_TRY(put_pose(w, o, time, &state->pose));
    return put_visibility(w, o, time, state->is_visible);
}

static dew_Status frame(void *writer, double time_s, const dew_AnimationState *states)
{
    Writer *w = (Writer *)writer;
    (void)time_s;  // frames follow one another: their numbers are exact
    double time = (double)(w->def->first_frame + w->frame_count);
    for (int i = 0; i < w->def->object_count; i++)
        DEW_TRY(put_object(w, &w->objects[i], time, &states[i]));
    w->frame_count++;
    return dew_ok();
}

static dew_Status finish(void *writer)
{
    Writer *w = (Writer *)writer;
    int64_t last = w->frame_count > 0 ? w->frame_count - 1 : 0;
    w->stage.last_time_code = (double)(w->def->first_frame + last);
    for (int i = 0; i < w->def->object_count; i++) {
        const Object *o = &w->objects[i];
        if (o->translate >= 0) {
            dew_usd_thin(&w->stage, o->translate);
            dew_usd_thin(&w->stage, o->orient);
        }
    }
    return w->ops->finish(w->layer, &w->stage);
}

static dew_Status create_usda(const dew_AnimationDef *def, const dew_Allocator *allocator,
                              dew_Sink *sink, void **out)
{
    return create(def, allocator, sink, &dew_usda_layer_ops, out);
}

static dew_Status create_usdc(const dew_AnimationDef *def, const dew_Allocator *allocator,
                              dew_Sink *sink, void **out)
{
    return create(def, allocator, sink, &dew_usdc_layer_ops, out);
}

const dew_AnimationOps dew_usda_ops = {"usda", create_usda, frame, finish, destroy};
const dew_AnimationOps dew_usdc_ops = {"usdc", create_usdc, frame, finish, destroy};
