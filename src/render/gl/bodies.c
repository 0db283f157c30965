// From a render scene to vertex buffers.
#ifdef DEW_HAVE_GL
#include "render/gl/bodies.h"

#include "base/hash.h"
#include "base/status.h"

#include <string.h>

#define SMOOTH_COSINE 0.9f  // between normals of corners that share a vertex

enum { OPAQUE_FLOATS = DEW_GL_OPAQUE_FLOATS, CLEAR_FLOATS = DEW_GL_CLEAR_FLOATS };

void dew_gl_bodies_init(dew_GlBodies *bodies, const dew_Allocator *allocator)
{
    *bodies = (dew_GlBodies){.scale = 1};
    dew_array_init(&bodies->opaque_data, allocator, sizeof(float));
    dew_array_init(&bodies->opaque_parts, allocator, sizeof(dew_GlPart));
    dew_array_init(&bodies->clear_data, allocator, sizeof(float));
    dew_array_init(&bodies->clear_index_data, allocator, sizeof(uint32_t));
    dew_array_init(&bodies->clear_parts, allocator, sizeof(dew_GlPart));
    dew_array_init(&bodies->table_data, allocator, sizeof(float));
    dew_array_init(&bodies->index_data, allocator, sizeof(uint32_t));
}

void dew_gl_bodies_deinit(const dew_Gl *gl, dew_GlBodies *bodies)
{
    gl->DeleteVertexArrays(1, &bodies->opaque_array);
    gl->DeleteVertexArrays(1, &bodies->clear_array);
    gl->DeleteBuffers(1, &bodies->opaque.id);
    gl->DeleteBuffers(1, &bodies->clear.id);
    gl->DeleteBuffers(1, &bodies->clear_indices.id);
    dew_gl_table_deinit(gl, &bodies->positions);
    dew_gl_table_deinit(gl, &bodies->normals);
    dew_gl_table_deinit(gl, &bodies->triangles);
    dew_Array *arrays[] = {&bodies->opaque_data, &bodies->opaque_parts,     &bodies->clear_data,
                           &bodies->clear_parts, &bodies->clear_index_data, &bodies->table_data,
                           &bodies->index_data};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        dew_array_deinit(arrays[i]);
}

// ---- gathering ---------------------------------------------------------------------------------

static void choose_units(dew_GlBodies *bodies, const dew_RenderScene *scene)
{
    dew_Box box = scene->subject_m;
    if (!(box.min.x <= box.max.x))
        for (int64_t i = 0; i < scene->positions.count; i++)
            box = dew_box_add(box, DEW_ITEMS(&scene->positions, const dew_Vec3)[i]);
    double size = dew_distance(box.min, box.max);
    bool is_there = box.min.x <= box.max.x && size > 0;
    bodies->middle_m = is_there ? dew_combine(0.5, box.min, 0.5, box.max) : scene->camera.eye_m;
    bodies->scale = 2 / (is_there ? size : 1);
}

static dew_Vec3 place_of(const dew_GlBodies *bodies, const dew_RenderScene *scene, uint32_t v)
{
    return dew_scale(bodies->scale,
                     dew_sub(DEW_ITEMS(&scene->positions, const dew_Vec3)[v], bodies->middle_m));
}

static void put3(float *to, dew_Float3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static dew_Status begin_part(dew_Array *parts, int body, int64_t first)
{
    dew_GlPart part = {.body = body, .first = (GLsizei)first, .box = dew_box_empty()};
    int64_t count = parts->count;
    if (count > 0 && DEW_ITEMS(parts, dew_GlPart)[count - 1].body == body)
        return dew_ok();
    return dew_array_push(parts, &part);
}

static void grow_part(dew_Array *parts, int corners)
{
    DEW_ITEMS(parts, dew_GlPart)[parts->count - 1].count += corners;
}

static dew_Status add_opaque(dew_GlBodies *bodies, const dew_RenderScene *scene, int64_t t)
{
    int b = (int)DEW_ITEMS(&scene->triangle_body, const uint32_t)[t];
    const dew_RenderBody *body = &DEW_ITEMS(&scene->bodies, const dew_RenderBody)[b];
    int64_t before = bodies->opaque_data.count;
    DEW_TRY(begin_part(&bodies->opaque_parts, b, before / OPAQUE_FLOATS));
    DEW_TRY(dew_array_resize(&bodies->opaque_data, before + 3 * OPAQUE_FLOATS));
    dew_Box *box =
        &DEW_ITEMS(&bodies->opaque_parts, dew_GlPart)[bodies->opaque_parts.count - 1].box;
    const uint32_t *v = DEW_ITEMS(&scene->triangles, const dew_Triangle)[t].v;
    for (int k = 0; k < 3; k++) {
        float *to = DEW_ITEMS(&bodies->opaque_data, float) + before + k * OPAQUE_FLOATS;
        dew_Vec3 p = place_of(bodies, scene, v[k]);
        dew_Float3 own = DEW_ITEMS(&scene->own, const dew_Float3)[v[k]];
        put3(to, dew_f3_from(p));
        put3(to + 3, DEW_ITEMS(&scene->corner_normals, const dew_Float3)[3 * t + k]);
        put3(to + 6, dew_f3_scale(body->look.scale, own));
        to[9] = body->wet_map ? dew_wet_map_at(body->wet_map, own) : 0;
        bodies->all = dew_box_add(bodies->all, p);
        *box = dew_box_add(*box, p);
        if (!(body->fade_begin_m > 0))
            bodies->casters = dew_box_add(bodies->casters, p);
    }
    grow_part(&bodies->opaque_parts, 3);
    return dew_ok();
}

// Glass keeps its creases: corner by corner.
static dew_Status add_glass(dew_GlBodies *bodies, const dew_RenderScene *scene, int64_t t)
{
    int b = (int)DEW_ITEMS(&scene->triangle_body, const uint32_t)[t];
    int64_t before = bodies->clear_data.count;
    DEW_TRY(begin_part(&bodies->clear_parts, b, bodies->clear_index_data.count));
    DEW_TRY(dew_array_resize(&bodies->clear_data, before + 3 * CLEAR_FLOATS));
    const uint32_t *v = DEW_ITEMS(&scene->triangles, const dew_Triangle)[t].v;
    for (int k = 0; k < 3; k++) {
        float *to = DEW_ITEMS(&bodies->clear_data, float) + before + k * CLEAR_FLOATS;
        dew_Vec3 p = place_of(bodies, scene, v[k]);
        uint32_t index = (uint32_t)(before / CLEAR_FLOATS + k);
        put3(to, dew_f3_from(p));
        put3(to + 3, DEW_ITEMS(&scene->corner_normals, const dew_Float3)[3 * t + k]);
        bodies->all = dew_box_add(bodies->all, p);
        DEW_TRY(dew_array_push(&bodies->clear_index_data, &index));
    }
    grow_part(&bodies->clear_parts, 3);
    return dew_ok();
}

// The vertex of a corner of liquid, with its normal; where corners disagree (at the rim of a sheet)
// it is a copy.
static dew_Status corner_vertex(dew_GlBodies *bodies, uint32_t vertex, dew_Float3 normal,
                                uint32_t *out)
{
    float *slot = DEW_ITEMS(&bodies->clear_data, float) + (int64_t)vertex * CLEAR_FLOATS;
    dew_Float3 has = dew_f3(slot[3], slot[4], slot[5]);
    *out = vertex;
    if (dew_f3_length2(has) == 0)
        put3(slot + 3, normal);
    else if (dew_f3_inner(has, normal) < SMOOTH_COSINE) {
        int64_t before = bodies->clear_data.count;
        dew_Float3 at = dew_f3(slot[0], slot[1], slot[2]);
        DEW_TRY(dew_array_resize(&bodies->clear_data, before + CLEAR_FLOATS));
        slot = DEW_ITEMS(&bodies->clear_data, float) + before;
        put3(slot, at);
        put3(slot + 3, normal);
        *out = (uint32_t)(before / CLEAR_FLOATS);
    }
    return dew_ok();
}

// The triangles [begin, end) of a body of liquid. Its vertices lie side by side.
static dew_Status add_liquid(dew_GlBodies *bodies, const dew_RenderScene *scene, int64_t begin,
                             int64_t end)
{
    const dew_Triangle *triangles = scene->triangles.data;
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (int64_t t = begin; t < end; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t v = triangles[t].v[k];
            lowest = v < lowest ? v : lowest;
            highest = v > highest ? v : highest;
        }
    int64_t vertices = (int64_t)highest - lowest + 1, before = bodies->clear_data.count;
    int64_t first_index = bodies->clear_index_data.count;
    uint32_t base = (uint32_t)(before / CLEAR_FLOATS);
    DEW_TRY(begin_part(&bodies->clear_parts,
                       (int)DEW_ITEMS(&scene->triangle_body, const uint32_t)[begin], first_index));
    DEW_TRY(dew_array_resize(&bodies->clear_data, before + vertices * CLEAR_FLOATS));
    DEW_TRY(dew_array_resize(&bodies->clear_index_data, first_index + 3 * (end - begin)));
    float *data = DEW_ITEMS(&bodies->clear_data, float) + before;
    uint32_t *indices = DEW_ITEMS(&bodies->clear_index_data, uint32_t) + first_index;
    for (int64_t v = 0; v < vertices; v++) {
        dew_Vec3 p = place_of(bodies, scene, lowest + (uint32_t)v);
        put3(data + v * CLEAR_FLOATS, dew_f3_from(p));
        bodies->casters = dew_box_add(bodies->casters, p);
        bodies->liquid = dew_box_add(bodies->liquid, p);
        bodies->all = dew_box_add(bodies->all, p);
    }
    for (int64_t t = begin; t < end; t++)
        for (int k = 0; k < 3; k++)
            DEW_TRY(corner_vertex(bodies, base + triangles[t].v[k] - lowest,
                                  DEW_ITEMS(&scene->corner_normals, const dew_Float3)[3 * t + k],
                                  &indices[3 * (t - begin) + k]));
    grow_part(&bodies->clear_parts, (int)(3 * (end - begin)));
    return dew_ok();
}

static dew_Status gather(dew_GlBodies *bodies, const dew_RenderScene *scene)
{
    int64_t count = scene->triangles.count;
    const uint32_t *body_of = scene->triangle_body.data;
    for (int64_t t = 0; t < count;) {
        const dew_RenderBody *body = &DEW_ITEMS(&scene->bodies, const dew_RenderBody)[body_of[t]];
        int64_t end = t + 1;
        while (end < count && body_of[end] == body_of[t])
            end++;
        if (body->kind != DEW_BODY_OPAQUE && dew_gl_body_is_liquid(body)) {
            DEW_TRY(add_liquid(bodies, scene, t, end));
            bodies->has_liquid = true;
            t = end;
            continue;
        }
        for (; t < end; t++)
            DEW_TRY(body->kind == DEW_BODY_OPAQUE ? add_opaque(bodies, scene, t)
                                                  : add_glass(bodies, scene, t));
        bodies->has_glass = bodies->has_glass || body->kind != DEW_BODY_OPAQUE;
        bodies->has_frosted = bodies->has_frosted || body->kind == DEW_BODY_FROSTED;
    }
    return dew_ok();
}

// ---- what stays --------------------------------------------------------------------------------

// Outwards to sixteenths of about its size.
static dew_Box round_box(dew_Box box)
{
    double size = dew_distance(box.min, box.max);
    if (!(box.min.x <= box.max.x) || size == 0)
        return box;
    double step = exp2(floor(log2(size)) - 4);
    return (dew_Box){{step * floor(box.min.x / step), step * floor(box.min.y / step),
                      step * floor(box.min.z / step)},
                     {step * ceil(box.max.x / step), step * ceil(box.max.y / step),
                      step * ceil(box.max.z / step)}};
}

static uint64_t hash_look(const dew_RenderBody *body, uint64_t hash)
{
    const dew_Look *look = &body->look;
    const double numbers[] = {
        (double)look->color.x,      (double)look->color.y,    (double)look->color.z,
        (double)look->roughness,    (double)look->scale,      (double)look->kind,
        (double)body->fade_begin_m, (double)body->fade_end_m, body->fade_center_m.x,
        body->fade_center_m.y,      body->fade_center_m.z,    body->is_thin ? 1.0 : 0.0};
    hash = dew_hash(numbers, sizeof numbers, hash);
    hash = dew_hash(&body->to_own, sizeof body->to_own, hash);
    uintptr_t texture = (uintptr_t)look->texture;
    return dew_hash(&texture, sizeof texture, hash);
}

static uint64_t hash_glass(const dew_GlBodies *bodies, const dew_RenderScene *scene)
{
    uint64_t hash = 1;
    for (int64_t i = 0; i < bodies->clear_parts.count; i++) {
        const dew_GlPart *part = &DEW_ITEMS(&bodies->clear_parts, const dew_GlPart)[i];
        const dew_RenderBody *body = &DEW_ITEMS(&scene->bodies, const dew_RenderBody)[part->body];
        if (dew_gl_body_is_liquid(body) || part->count == 0)
            continue;
        int64_t first = DEW_ITEMS(&bodies->clear_index_data, const uint32_t)[part->first];
        hash = dew_hash(DEW_ITEMS(&bodies->clear_data, const float) + first * CLEAR_FLOATS,
                        (size_t)part->count * CLEAR_FLOATS * sizeof(float), hash_look(body, hash));
    }
    return hash;
}

static uint64_t hash_opaque(dew_GlBodies *bodies, const dew_RenderScene *scene)
{
    uint64_t hash = 1;
    const float *data = bodies->opaque_data.data;
    for (int64_t i = 0; i < bodies->opaque_parts.count; i++) {
        dew_GlPart *part = &DEW_ITEMS(&bodies->opaque_parts, dew_GlPart)[i];
        part->hash = hash_look(&DEW_ITEMS(&scene->bodies, const dew_RenderBody)[part->body], 1);
        part->hash = dew_hash(data + (int64_t)part->first * OPAQUE_FLOATS,
                              (size_t)part->count * OPAQUE_FLOATS * sizeof *data, part->hash);
        hash = dew_hash(&part->hash, sizeof part->hash, hash);
    }
    return hash;
}

// ---- to GL -------------------------------------------------------------------------------------

void dew_gl_buffer_fill(const dew_Gl *gl, dew_GlBuffer *buffer, GLenum kind, const dew_Array *data)
{
    int64_t size = data->count * (int64_t)data->element_size;
    if (!buffer->id)
        gl->GenBuffers(1, &buffer->id);
    gl->BindBuffer(kind, buffer->id);
    if (size > buffer->capacity) {
        buffer->capacity = size + size / 2;
        gl->BufferData(kind, (GLsizeiptr)buffer->capacity, NULL, GL_DYNAMIC_DRAW);
    }
    if (size > 0)
        gl->BufferSubData(kind, 0, (GLsizeiptr)size, data->data);
}

static void point(const dew_Gl *gl, GLuint at, int size, int stride, int offset)
{
    gl->EnableVertexAttribArray(at);
    gl->VertexAttribPointer(at, size, GL_FLOAT, GL_FALSE, stride * (GLsizei)sizeof(float),
                            (const void *)((size_t)offset * sizeof(float)));
}

void dew_gl_bodies_point_at_clear(const dew_Gl *gl, const dew_GlBodies *bodies)
{
    gl->BindBuffer(GL_ARRAY_BUFFER, bodies->clear.id);
    point(gl, 0, 3, CLEAR_FLOATS, 0);
    point(gl, 1, 3, CLEAR_FLOATS, 3);
}

// is_new: what is opaque has changed.
static void upload(const dew_Gl *gl, dew_GlBodies *bodies, bool is_new)
{
    if (!bodies->opaque_array) {
        gl->GenVertexArrays(1, &bodies->opaque_array);
        gl->GenVertexArrays(1, &bodies->clear_array);
    }
    if (is_new) {
        gl->BindVertexArray(bodies->opaque_array);
        dew_gl_buffer_fill(gl, &bodies->opaque, GL_ARRAY_BUFFER, &bodies->opaque_data);
        point(gl, 0, 3, OPAQUE_FLOATS, 0);
        point(gl, 1, 3, OPAQUE_FLOATS, 3);
        point(gl, 2, 4, OPAQUE_FLOATS, 6);
    }
    gl->BindVertexArray(bodies->clear_array);
    dew_gl_buffer_fill(gl, &bodies->clear, GL_ARRAY_BUFFER, &bodies->clear_data);
    dew_gl_buffer_fill(gl, &bodies->clear_indices, GL_ELEMENT_ARRAY_BUFFER,
                       &bodies->clear_index_data);
    dew_gl_bodies_point_at_clear(gl, bodies);
    gl->BindVertexArray(0);
}

static int rows_of(int64_t count)
{
    return (int)((count + DEW_GL_TABLE_WIDTH - 1) / DEW_GL_TABLE_WIDTH);
}

// One of the two vectors per vertex, with a fourth component.
static dew_Status upload_vectors(const dew_Gl *gl, dew_GlBodies *bodies, int offset, float fourth,
                                 dew_GlTable *table)
{
    int64_t vertices = bodies->clear_data.count / CLEAR_FLOATS;
    int rows = rows_of(vertices);
    DEW_TRY(dew_array_resize(&bodies->table_data, (int64_t)rows * DEW_GL_TABLE_WIDTH * 4));
    float *to = bodies->table_data.data;
    for (int64_t v = 0; v < vertices; v++, to += 4) {
        memcpy(to, DEW_ITEMS(&bodies->clear_data, float) + v * CLEAR_FLOATS + offset,
               3 * sizeof *to);
        to[3] = fourth;
    }
    dew_gl_table_set(gl, table, bodies->table_data.data, rows, false);
    return dew_ok();
}

// The liquid's triangles; what is glass casts no caustics here.
static dew_Status upload_liquid(const dew_Gl *gl, dew_GlBodies *bodies,
                                const dew_RenderScene *scene)
{
    float ior = 1;
    bodies->index_data.count = 0;
    for (int64_t i = 0; i < bodies->clear_parts.count; i++) {
        dew_GlPart part = DEW_ITEMS(&bodies->clear_parts, const dew_GlPart)[i];
        const dew_RenderBody *body = &DEW_ITEMS(&scene->bodies, const dew_RenderBody)[part.body];
        if (!dew_gl_body_is_liquid(body))
            continue;
        ior = body->medium.ior;
        int64_t before = bodies->index_data.count;
        DEW_TRY(dew_array_resize(&bodies->index_data, before + part.count / 3 * 4));
        const uint32_t *from = DEW_ITEMS(&bodies->clear_index_data, const uint32_t) + part.first;
        uint32_t *to = DEW_ITEMS(&bodies->index_data, uint32_t) + before;
        for (int64_t k = 0; k < part.count; k++)
            to[k / 3 * 4 + k % 3] = from[k];
    }
    bodies->liquid_triangles = bodies->index_data.count / 4;
    bodies->liquid_vertices = bodies->clear_data.count / CLEAR_FLOATS;
    int rows = rows_of(bodies->liquid_triangles);
    DEW_TRY(dew_array_resize(&bodies->index_data, (int64_t)rows * DEW_GL_TABLE_WIDTH * 4));
    dew_gl_table_set(gl, &bodies->triangles, bodies->index_data.data, rows, true);
    DEW_TRY(upload_vectors(gl, bodies, 0, ior, &bodies->positions));
    return upload_vectors(gl, bodies, 3, 0, &bodies->normals);
}

dew_Status dew_gl_bodies_set(const dew_Gl *gl, dew_GlBodies *bodies, const dew_RenderScene *scene)
{
    dew_Array *arrays[] = {&bodies->opaque_data, &bodies->opaque_parts, &bodies->clear_data,
                           &bodies->clear_parts, &bodies->clear_index_data};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        arrays[i]->count = 0;
    bodies->casters = bodies->liquid = bodies->all = dew_box_empty();
    bodies->has_glass = bodies->has_frosted = bodies->has_liquid = false;
    choose_units(bodies, scene);
    DEW_TRY(gather(bodies, scene));
    if (!(bodies->casters.min.x <= bodies->casters.max.x))
        bodies->casters = (dew_Box){{-1, -1, -1}, {1, 1, 1}};
    bodies->casters = round_box(bodies->casters);
    bodies->all = round_box(bodies->all);
    bodies->around_liquid = round_box(bodies->liquid);
    uint64_t hash = hash_opaque(bodies, scene);
    upload(gl, bodies, hash != bodies->opaque_hash);
    bodies->opaque_hash = hash;
    bodies->glass_hash = hash_glass(bodies, scene);
    bodies->has_tables = false;
    return dew_ok();
}

dew_Status dew_gl_bodies_set_tables(const dew_Gl *gl, dew_GlBodies *bodies,
                                    const dew_RenderScene *scene)
{
    if (!bodies->has_tables)
        DEW_TRY(upload_liquid(gl, bodies, scene));
    bodies->has_tables = true;
    return dew_ok();
}
#endif
