// Writes an animation by the schemas of AbcGeom [Alembic2011]: Xform, PolyMesh, Points, Camera.
//
//   NAME           Xform: a matrix per frame; `visible` if the object is ever absent
//     NAMEShape    PolyMesh or Points: bounds, positions, faces, velocities (per second), normals,
//                  and all further attributes as parameters of scope vertex
//   camera         Xform
//     cameraShape  Camera
//
// Alembic's faces are clockwise seen from outside, so indices are reversed. Matrices are of row
// vectors. In a frame in which it does not exist, an object is hidden and, as some readers ignore
// that, its mesh is empty. Frame k of the file is at begin + k / frame rate.
//
// Limits: no materials and no lights: readers of AbcGeom know none. Units and the up axis have no
// place in the format; they are in the metadata of the archive.
#include "io/alembic.h"

#include "base/status.h"
#include "base/text.h"
#include "geom/vec.h"
#include "io/alembic_core.h"
#include "io/alembic_names.h"
#include "io/scalar.h"

#include <float.h>
#include <math.h>

#define FILM_WIDTH_CM       3.6   // of a full-frame camera; only the ratios count
#define F_STOP              5.6   // the schema's default
#define NEAR_DISTANCE_RATIO 0.01  // of the distance to the target
#define FAR_DISTANCE_RATIO  1000.0
#define MATRIX_OPERATION    0x30  // kind 3 in the upper half
#define DEFERRED_VISIBILITY (-1)  // shown if its parents are
#define MM_PER_CM           10.0
#define CM_PER_M            100.0
#define GEOMETRY_PARAMETER  "geoScope=vtx"

enum { MATRIX_CHANNELS = 16 };

// A leaf of a mesh, and its sample while the mesh is not blank.
typedef struct Track {
    int leaf;
    dew_AbcSample kept;
} Track;

// A transform and what moves in it.
typedef struct Frame {
    int object, xform;
    int inherits, values;
    double first[MATRIX_CHANNELS];
    bool is_animated[MATRIX_CHANNELS], is_identity;
} Frame;

typedef struct Body {
    Frame frame;
    int visible;  // leaf; 0: it has always been visible
    Track bounds, positions, indices, counts, velocities, normals, ids;  // leaf 0: not there
    Track *attributes;  // ids of particles are not among them
} Body;

typedef struct Writer {
    const dew_AnimationDef *def;
    dew_Allocator allocator;
    dew_Arena arena;
    dew_AbcArchive archive;
    dew_Array bytes;  // a sample, little endian
    Body *bodies;
    Frame camera;
    int64_t frame_count;  // written
    dew_Status status;
} Writer;

static const dew_AbcForm box_form = {false, DEW_ABC_FLOAT64, 6, true};
static const dew_AbcForm triple_form = {true, DEW_ABC_FLOAT32, 3, true};
static const dew_AbcForm integer_form = {true, DEW_ABC_INT32, 1, true};

// ---- bytes of samples --------------------------------------------------------------------------

// Room for a sample; NULL after a failure.
static uint8_t *reserve(Writer *w, int64_t size)
{
    if (w->status.code == DEW_OK)
        w->status = dew_array_resize(&w->bytes, size + 1);  // not NULL for an empty sample
    return w->status.code == DEW_OK ? DEW_ITEMS(&w->bytes, uint8_t) : NULL;
}

static void put_track(Writer *w, Track *track, int64_t element_count)
{
    dew_abc_sample(&w->archive, track->leaf, w->bytes.data, element_count);
    track->kept = dew_abc_last(&w->archive, track->leaf);
}

static void put_floats(Writer *w, Track *track, const float *values, int64_t count, int extent)
{
    count = values ? count : 0;
    uint8_t *at = reserve(w, 4 * count);
    if (!at)
        return;
    for (int64_t i = 0; i < count; i++)
        dew_bytes_put_float(at + 4 * i, values[i]);
    put_track(w, track, count / extent);
}

static void put_doubles(Writer *w, int leaf, const double *values, int count)
{
    uint8_t *at = reserve(w, 8 * count);
    if (!at)
        return;
    for (int i = 0; i < count; i++)
        dew_bytes_put_double(at + 8 * i, values[i]);
    dew_abc_sample(&w->archive, leaf, at, 1);
}

static void put_byte(Writer *w, int leaf, uint8_t byte)
{
    dew_abc_sample(&w->archive, leaf, &byte, 1);
}

// ---- transforms --------------------------------------------------------------------------------

// Row i is where the i-th axis goes.
static void pose_matrix(const dew_AnimationPose *pose, double m[MATRIX_CHANNELS])
{
    double x = pose->rotation[0], y = pose->rotation[1], z = pose->rotation[2];
    double w = pose->rotation[3];
    double rows[MATRIX_CHANNELS] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),     0,
        2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),     0,
        2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y), 0,
        pose->translation[0],    pose->translation[1],    pose->translation[2],    1};
    memcpy(m, rows, sizeof rows);
}

// A camera looks along its negative z, with y up.
static void camera_matrix(const dew_AnimationCamera *camera, double m[MATRIX_CHANNELS])
{
    const double *e = camera->eye, *t = camera->target, *u = camera->up;
    dew_Vec3 back = dew_normalize(dew_vec(e[0] - t[0], e[1] - t[1], e[2] - t[2]));
    dew_Vec3 right = dew_normalize(dew_cross(dew_vec(u[0], u[1], u[2]), back));
    if (!(dew_length2(right) > 0))
        right = dew_any_tangent(back);
    dew_Vec3 up = dew_cross(back, right);
    double rows[MATRIX_CHANNELS] = {right.x, right.y, right.z, 0, up.x, up.y, up.z, 0,
                                    back.x,  back.y,  back.z,  0, e[0], e[1], e[2], 1};
    memcpy(m, rows, sizeof rows);
}

static Frame add_frame(Writer *w, const char *name, bool is_timed)
{
    dew_AbcArchive *a = &w->archive;
    Frame frame = {.is_identity = true};
    frame.object = dew_abc_object(a, DEW_ABC_TOP, name,
                                  "schema=AbcGeom_Xform_v3;schemaObjTitle=AbcGeom_Xform_v3:.xform");
    frame.xform = dew_abc_compound(a, frame.object, ".xform", "schema=AbcGeom_Xform_v3");
    frame.inherits =
        dew_abc_leaf(a, frame.xform, ".inherits", "",
                     (dew_AbcForm){.type = DEW_ABC_BOOL, .extent = 1, .is_timed = is_timed});
    int operations =
        dew_abc_leaf(a, frame.xform, ".ops", "", (dew_AbcForm){.type = DEW_ABC_UINT8, .extent = 1});
    frame.values = dew_abc_leaf(
        a, frame.xform, ".vals", "",
        (dew_AbcForm){.type = DEW_ABC_FLOAT64, .extent = MATRIX_CHANNELS, .is_timed = is_timed});
    put_byte(w, operations, MATRIX_OPERATION);
    return frame;
}

static void put_matrix(Writer *w, Frame *frame, const double m[MATRIX_CHANNELS], bool is_first)
{
    if (is_first)
        memcpy(frame->first, m, sizeof frame->first);
    for (int k = 0; k < MATRIX_CHANNELS; k++) {
        double identity = k % 5 == 0 ? 1 : 0;
        frame->is_identity = frame->is_identity && m[k] == identity;
        frame->is_animated[k] = frame->is_animated[k] || m[k] != frame->first[k];
    }
    put_byte(w, frame->inherits, 1);
    put_doubles(w, frame->values, m, MATRIX_CHANNELS);
}

// What readers need to know of the whole motion.
static void end_frame(Writer *w, const Frame *frame)
{
    dew_AbcArchive *a = &w->archive;
    int count = 0;
    uint8_t channels[4 * MATRIX_CHANNELS];
    if (!frame->is_identity) {
        int leaf = dew_abc_leaf(a, frame->xform, "isNotConstantIdentity", "",
                                (dew_AbcForm){.type = DEW_ABC_BOOL, .extent = 1});
        put_byte(w, leaf, 1);
    }
    for (int k = 0; k < MATRIX_CHANNELS; k++)
        if (frame->is_animated[k])
            dew_bytes_put32(channels + (size_t)4 * (size_t)count++, (uint32_t)k);
    if (count > 0)
        dew_abc_sample(
            a,
            dew_abc_leaf(a, frame->xform, ".animChans", "",
                         (dew_AbcForm){.is_array = true, .type = DEW_ABC_UINT32, .extent = 1}),
            channels, count);
}

// ---- meshes and points -------------------------------------------------------------------------

static bool is_point_id(const dew_AnimationObject *object, int attribute)
{
    return object->kind == DEW_ANIMATION_PARTICLES &&
           object->attribute_component_counts[attribute] == 1 &&
           strcmp(object->attribute_names[attribute], "id") == 0;
}

static bool is_texture_coordinate(const dew_AnimationObject *object, int attribute)
{
    return object->attribute_component_counts[attribute] == 2 &&
           strcmp(object->attribute_names[attribute], "uv") == 0;
}

// A parameter of numbers, or of vectors if it has two or three components.
static int add_parameter(Writer *w, int parent, const char *name, int components, bool is_timed,
                         const char *interpretation)
{
    bool is_vector = components == 2 || components == 3;
    int extent = is_vector ? components : 1;
    const char *metadata = dew_arena_format(
        &w->arena, "arrayExtent=%d;%s%s%s;isGeomParam=true%s;podExtent=%d;podName=float32_t",
        is_vector ? 1 : components, GEOMETRY_PARAMETER, interpretation[0] ? ";interpretation=" : "",
        interpretation, components == 2 && strcmp(name, "uv") != 0 ? ";notUV=1" : "", extent);
    if (!metadata && w->status.code == DEW_OK)
        w->status = dew_no_memory(DEW_MESSAGE_SIZE);
    if (w->status.code != DEW_OK)
        return 0;
    return dew_abc_leaf(&w->archive, parent, name, metadata,
                        (dew_AbcForm){true, DEW_ABC_FLOAT32, extent, is_timed});
}

static int add_timed_leaf(Writer *w, int parent, const char *name, const char *metadata,
                          dew_AbcForm form, bool is_timed)
{
    form.is_timed = is_timed;
    return dew_abc_leaf(&w->archive, parent, name, metadata, form);
}

static void add_attributes(Writer *w, Body *body, const dew_AnimationObject *object, int geometry,
                           bool is_timed)
{
    int compound = 0;
    for (int k = 0; k < object->attribute_count; k++) {
        int components = object->attribute_component_counts[k];
        const char *name = dew_abc_legal_name(&w->arena, object->attribute_names[k]);
        if (!name) {
            w->status = dew_no_memory(DEW_MESSAGE_SIZE);
            return;
        }
        if (is_point_id(object, k))
            continue;
        if (is_texture_coordinate(object, k)) {
            body->attributes[k].leaf = add_parameter(w, geometry, name, 2, is_timed, "vector");
            continue;
        }
        if (compound == 0)
            compound = dew_abc_compound(&w->archive, geometry, ".arbGeomParams", "");
        body->attributes[k].leaf =
            add_parameter(w, compound, name, components, is_timed,
                          components == 2 || components == 3 ? "vector" : "");
    }
}

static int add_geometry(Writer *w, int parent, const char *name, bool is_mesh)
{
    const char *shape = dew_arena_format(&w->arena, "%sShape", name);
    if (!shape && w->status.code == DEW_OK)
        w->status = dew_no_memory(strlen(name));
    if (w->status.code != DEW_OK)
        return 0;
    int object =
        dew_abc_object(&w->archive, parent, shape,
                       is_mesh ? "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1;"
                                 "schemaObjTitle=AbcGeom_PolyMesh_v1:.geom"
                               : "schema=AbcGeom_Points_v1;schemaBaseType=AbcGeom_GeomBase_v1;"
                                 "schemaObjTitle=AbcGeom_Points_v1:.geom");
    return dew_abc_compound(&w->archive, object, ".geom",
                            is_mesh
                                ? "schema=AbcGeom_PolyMesh_v1;schemaBaseType=AbcGeom_GeomBase_v1"
                                : "schema=AbcGeom_Points_v1;schemaBaseType=AbcGeom_GeomBase_v1");
}

static void add_body(Writer *w, Body *body, const dew_AnimationObject *object, const char *name)
{
    bool is_mesh = object->kind != DEW_ANIMATION_PARTICLES, is_timed = !object->has_static_mesh;
    body->frame = add_frame(w, name, !object->has_static_pose);
    int geometry = add_geometry(w, body->frame.object, name, is_mesh);
    body->bounds.leaf =
        add_timed_leaf(w, geometry, ".selfBnds", "interpretation=box", box_form, is_timed);
    body->positions.leaf = add_timed_leaf(w, geometry, "P",
                                          is_mesh ? "geoScope=vtx;interpretation=point"
                                                  : "geoScope=var;interpretation=point",
                                          triple_form, is_timed);
    if (is_mesh) {
        body->indices.leaf =
            add_timed_leaf(w, geometry, ".faceIndices", "", integer_form, is_timed);
        body->counts.leaf = add_timed_leaf(w, geometry, ".faceCounts", "", integer_form, is_timed);
    } else {
        body->ids.leaf = add_timed_leaf(
            w, geometry, ".pointIds", "geoScope=var",
            (dew_AbcForm){.is_array = true, .type = DEW_ABC_UINT64, .extent = 1}, is_timed);
    }
    if (object->has_velocities)
        body->velocities.leaf = add_timed_leaf(w, geometry, ".velocities", "interpretation=vector",
                                               triple_form, is_timed);
    if (object->has_normals && is_mesh)
        body->normals.leaf = add_parameter(w, geometry, "N", 3, is_timed, "normal");
    add_attributes(w, body, object, geometry, is_timed);
}

static void put_bounds(Writer *w, Body *body, const dew_AnimationMesh *mesh)
{
    double box[6] = {DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (int64_t i = 0; i < 3 * mesh->vertex_count; i++) {
        double x = (double)mesh->positions[i];
        box[i % 3] = fmin(box[i % 3], x);
        box[3 + i % 3] = fmax(box[3 + i % 3], x);
    }
    put_doubles(w, body->bounds.leaf, box, 6);
    body->bounds.kept = dew_abc_last(&w->archive, body->bounds.leaf);
}

// From counter-clockwise to clockwise.
static void put_faces(Writer *w, Body *body, const dew_AnimationMesh *mesh)
{
    int64_t count = mesh->triangle_count;
    uint8_t *at = reserve(w, 12 * count);
    for (int64_t i = 0; at && i < count; i++)
        for (int64_t k = 0; k < 3; k++)
            dew_bytes_put32(at + 12 * i + 4 * k, mesh->triangles[3 * i + 2 - k]);
    if (at)
        put_track(w, &body->indices, 3 * count);
    at = reserve(w, 4 * count);
    for (int64_t i = 0; at && i < count; i++)
        dew_bytes_put32(at + 4 * i, 3);
    if (at)
        put_track(w, &body->counts, count);
}

static void put_ids(Writer *w, Body *body, const float *ids, int64_t count)
{
    uint8_t *at = reserve(w, 8 * count);
    for (int64_t i = 0; at && i < count; i++)
        dew_bytes_put64(at + 8 * i, (uint64_t)fmaxf(ids[i], 0));
    if (at)
        put_track(w, &body->ids, count);
}

static dew_Status check_size(const dew_AnimationObject *object, const dew_AnimationMesh *mesh)
{
    if (mesh->vertex_count <= INT32_MAX && mesh->triangle_count <= INT32_MAX / 3)
        return dew_ok();
    return dew_fail(DEW_UNSUPPORTED,
                    "%s has %lld vertices and %lld triangles; Alembic numbers them with 32 bits",
                    object->name, (long long)mesh->vertex_count, (long long)mesh->triangle_count);
}

static void put_mesh(Writer *w, Body *body, const dew_AnimationObject *object,
                     const dew_AnimationMesh *mesh)
{
    int64_t count = mesh->vertex_count;
    bool has_ids = false;
    if (w->status.code == DEW_OK)
        w->status = check_size(object, mesh);
    if (w->status.code != DEW_OK)
        return;
    DEW_ASSERT(mesh->attribute_count == object->attribute_count);
    put_bounds(w, body, mesh);
    put_floats(w, &body->positions, mesh->positions, 3 * count, 3);
    if (body->indices.leaf)
        put_faces(w, body, mesh);
    if (body->velocities.leaf)
        put_floats(w, &body->velocities, mesh->velocities, 3 * count, 3);
    if (body->normals.leaf)
        put_floats(w, &body->normals, mesh->normals, 3 * count, 3);
    for (int k = 0; k < object->attribute_count; k++) {
        const dew_AnimationAttribute *attribute = &mesh->attributes[k];
        int components = attribute->component_count;
        if (body->attributes[k].leaf) {
            put_floats(w, &body->attributes[k], attribute->values, components * count,
                       components == 2 || components == 3 ? components : 1);
        } else {
            put_ids(w, body, attribute->values, count);
            has_ids = true;
        }
    }
    if (body->ids.leaf && !has_ids)
        put_ids(w, body, NULL, 0);
}

// Each track of a body. Function pointers keep the list in one place.
static void for_each_track(Writer *w, Body *body, const dew_AnimationObject *object,
                           void (*visit)(Writer *w, const Track *track))
{
    enum { COUNT = 6 };
    Track *const tracks[COUNT] = {&body->positions,  &body->indices, &body->counts,
                                  &body->velocities, &body->normals, &body->ids};
    for (int i = 0; i < COUNT; i++)
        if (tracks[i]->leaf)
            visit(w, tracks[i]);
    for (int k = 0; k < object->attribute_count; k++)
        if (body->attributes[k].leaf)
            visit(w, &body->attributes[k]);
}

static void repeat_track(Writer *w, const Track *track)
{
    dew_abc_repeat(&w->archive, track->leaf, &track->kept);
}

static void blank_track(Writer *w, const Track *track)
{
    dew_abc_sample(&w->archive, track->leaf, NULL, 0);
}

static void put_blank_mesh(Writer *w, Body *body, const dew_AnimationObject *object)
{
    static const double empty_box[6] = {DBL_MAX, DBL_MAX, DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX};
    put_doubles(w, body->bounds.leaf, empty_box, 6);
    for_each_track(w, body, object, blank_track);
}

// ---- frames ------------------------------------------------------------------------------------

// The property begins with the first frame in which the object is absent.
static void put_visibility(Writer *w, Body *body, bool is_visible)
{
    static const dew_AbcForm form = {false, DEW_ABC_INT8, 1, true};
    if (body->visible == 0 && is_visible)
        return;
    if (body->visible == 0) {
        body->visible = dew_abc_leaf(&w->archive, body->frame.object, "visible", "", form);
        for (int64_t i = 0; i < w->frame_count; i++)
            put_byte(w, body->visible, (uint8_t)DEFERRED_VISIBILITY);
    }
    put_byte(w, body->visible, is_visible ? (uint8_t)DEFERRED_VISIBILITY : 0);
}

static void put_state(Writer *w, Body *body, const dew_AnimationObject *object,
                      const dew_AnimationState *state)
{
    bool is_first = w->frame_count == 0;
    double matrix[MATRIX_CHANNELS];
    if (is_first || !object->has_static_pose) {
        pose_matrix(&state->pose, matrix);
        put_matrix(w, &body->frame, matrix, is_first);
    }
    put_visibility(w, body, state->is_visible);
    if (object->has_static_mesh && !is_first)
        return;
    bool is_shown = state->is_visible || object->has_static_mesh;
    if (is_shown && state->mesh) {
        put_mesh(w, body, object, state->mesh);
    } else if (is_shown && body->bounds.kept.size_bytes > 0) {
        repeat_track(w, &body->bounds);
        for_each_track(w, body, object, repeat_track);
    } else {
        put_blank_mesh(w, body, object);
    }
}

static dew_Status writer_status(const Writer *w)
{
    return w->status.code != DEW_OK ? w->status : w->archive.status;
}

static dew_Status frame(void *writer, double time_s, const dew_AnimationState *states)
{
    Writer *w = (Writer *)writer;
    (void)time_s;  // by the frame rate
    for (int i = 0; i < w->def->object_count && w->status.code == DEW_OK; i++)
        put_state(w, &w->bodies[i], &w->def->objects[i], &states[i]);
    w->frame_count++;
    return writer_status(w);
}

// ---- the camera and the archive ----------------------------------------------------------------

// Lengths of the camera: focal length in mm, film and distances in cm.
static void put_camera(Writer *w, int geometry)
{
    const dew_AnimationCamera *camera = w->def->camera;
    const double *e = camera->eye, *t = camera->target;
    double distance = dew_length(dew_vec(e[0] - t[0], e[1] - t[1], e[2] - t[2]));
    double film_height_cm = FILM_WIDTH_CM * camera->height / camera->width;
    double focal_mm = MM_PER_CM * film_height_cm / (2 * tan(0.5 * camera->vertical_fov_rad));
    double core[16] = {focal_mm,
                       FILM_WIDTH_CM,
                       0,  // shift
                       film_height_cm,
                       0,  // shift
                       1,  // anamorphic squeeze
                       0,  // overscan: left, right, top, bottom
                       0,
                       0,
                       0,
                       F_STOP,
                       distance * w->def->meters_per_unit * CM_PER_M,
                       0,  // the shutter opens, and closes after half a frame
                       0.5 / w->def->frame_rate_Hz,
                       NEAR_DISTANCE_RATIO * distance,  // clipping: scenes are in units, too
                       FAR_DISTANCE_RATIO * distance};
    int leaf = dew_abc_leaf(&w->archive, geometry, ".core", "",
                            (dew_AbcForm){.type = DEW_ABC_FLOAT64, .extent = 16});
    put_doubles(w, leaf, core, 16);
}

static void add_camera(Writer *w, const char *name)
{
    double matrix[MATRIX_CHANNELS];
    const char *shape = dew_arena_format(&w->arena, "%sShape", name);
    if (!shape) {
        w->status = dew_no_memory(strlen(name));
        return;
    }
    w->camera = add_frame(w, name, false);
    camera_matrix(w->def->camera, matrix);
    put_matrix(w, &w->camera, matrix, true);
    int object = dew_abc_object(&w->archive, w->camera.object, shape,
                                "schema=AbcGeom_Camera_v1;schemaObjTitle=AbcGeom_Camera_v1:.geom");
    put_camera(w, dew_abc_compound(&w->archive, object, ".geom", "schema=AbcGeom_Camera_v1"));
}

static dew_Status add_all(Writer *w)
{
    const dew_AnimationDef *def = w->def;
    const char **names = dew_arena_array(&w->arena, const char *, def->object_count + 1);
    w->bodies = dew_arena_array(&w->arena, Body, def->object_count);
    if (!names || !w->bodies)
        return dew_no_memory((size_t)def->object_count * sizeof(Body));
    for (int i = 0; i < def->object_count && w->status.code == DEW_OK; i++) {
        const dew_AnimationObject *object = &def->objects[i];
        Body *body = &w->bodies[i];
        DEW_TRY(dew_abc_unique_name(&w->arena, object->name, names, i));
        body->attributes = dew_arena_array(&w->arena, Track, object->attribute_count);
        if (!body->attributes)
            return dew_no_memory((size_t)object->attribute_count * sizeof(Track));
        add_body(w, body, object, names[i]);
    }
    if (def->camera && w->status.code == DEW_OK) {
        DEW_TRY(dew_abc_unique_name(&w->arena, "camera", names, def->object_count));
        add_camera(w, names[def->object_count]);
    }
    return writer_status(w);
}

static void destroy(void *writer)
{
    Writer *w = (Writer *)writer;
    if (!w)
        return;
    dew_Allocator allocator = w->allocator;
    dew_abc_deinit(&w->archive);
    dew_array_deinit(&w->bytes);
    dew_arena_deinit(&w->arena);
    dew_free(&allocator, w, sizeof *w);
}

static dew_Status create(const dew_AnimationDef *def, const dew_Allocator *allocator,
                         dew_Sink *sink, void **out)
{
    *out = NULL;
    Writer *w = (Writer *)dew_alloc(allocator, 1, sizeof *w);
    if (!w)
        return dew_no_memory(sizeof *w);
    w->def = def;
    w->status = dew_ok();
    if (allocator)
        w->allocator = *allocator;
    dew_arena_init(&w->arena, allocator);
    dew_array_init(&w->bytes, allocator, 1);
    dew_abc_begin(&w->archive, sink, def->frame_rate_Hz,
                  (double)def->first_frame / def->frame_rate_Hz, allocator);
    dew_Status status = add_all(w);
    if (status.code != DEW_OK) {
        destroy(w);
        return status;
    }
    *out = w;
    return status;
}

static dew_Status finish(void *writer)
{
    Writer *w = (Writer *)writer;
    const dew_AnimationDef *def = w->def;
    dew_Text metadata;
    for (int i = 0; i < def->object_count; i++)
        end_frame(w, &w->bodies[i].frame);
    if (def->camera)
        end_frame(w, &w->camera);
    dew_text_init(&metadata, &w->allocator);
    dew_text_format(&metadata, "_ai_AlembicVersion=Alembic 1.8.0, written by %s;_ai_Application=",
                    dew_abc_legal_value(&w->arena, def->software));
    dew_text_add(&metadata, dew_abc_legal_value(&w->arena, def->software));
    dew_text_add(&metadata, ";_ai_DCC_FPS=");
    dew_text_number(&metadata, def->frame_rate_Hz);
    if (def->title && def->title[0]) {
        dew_text_add(&metadata, ";_ai_Description=");
        dew_text_add(&metadata, dew_abc_legal_value(&w->arena, def->title));
    }
    dew_text_add(&metadata, ";dew_meters_per_unit=");
    dew_text_number(&metadata, def->meters_per_unit);
    dew_text_add(&metadata, def->is_z_up ? ";dew_up_axis=z" : ";dew_up_axis=y");
    dew_Status status = writer_status(w);
    if (status.code == DEW_OK)
        status = metadata.status;
    if (status.code == DEW_OK)
        status = dew_abc_end(&w->archive, dew_text_string(&metadata));
    dew_text_deinit(&metadata);
    return status;
}

const dew_AnimationOps dew_alembic_ops = {"abc", create, frame, finish, destroy};
