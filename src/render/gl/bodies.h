/// The bodies of a render scene as vertex buffers. Filled anew for each instant, in place: nothing
/// is allocated once the buffers are large enough.
#pragma once

#include "base/array.h"
#include "render/gl/target.h"
#include "render/render_scene.h"

/// A part of a buffer that belongs to one body.
typedef struct dew_GlPart {
    int body;  // index in the scene
    GLsizei first, count;
    dew_Box box;    // opaque: around it, the drawing's units
    uint64_t hash;  // opaque: of where it is and how it looks
} dew_GlPart;

/// A buffer that grows by half and is filled in place.
typedef struct dew_GlBuffer {
    GLuint id;
    int64_t capacity;  // bytes
} dew_GlBuffer;

/// Vertices as the buffers hold them.
typedef struct dew_GlClearVertex {
    float position[3], normal[3];
} dew_GlClearVertex;
typedef struct dew_GlOpaqueVertex {
    float position[3], normal[3];
    float own[3];  // in the solid's own frame, in pattern units
    float wetness;
} dew_GlOpaqueVertex;
enum {
    DEW_GL_CLEAR_FLOATS = sizeof(dew_GlClearVertex) / sizeof(float),
    DEW_GL_OPAQUE_FLOATS = sizeof(dew_GlOpaqueVertex) / sizeof(float),
};

typedef struct dew_GlBodies {
    // The drawing's units: p = scale (x - middle_m).
    dew_Vec3 middle_m;
    double scale;  // per metre
    // Opaque: dew_GlOpaqueVertex, corner by corner.
    GLuint opaque_array;
    dew_GlBuffer opaque;
    dew_Array opaque_data;   // float
    dew_Array opaque_parts;  // dew_GlPart, in corners
    // Clear: dew_GlClearVertex, and indices.
    GLuint clear_array;
    dew_GlBuffer clear, clear_indices;
    dew_Array clear_data;        // float
    dew_Array clear_index_data;  // uint32_t
    dew_Array clear_parts;       // dew_GlPart, in indices
    // The liquid again, for caustics of the fine level.
    bool has_tables;  // of the bodies as they are
    dew_GlTable positions, normals, triangles;
    dew_Array table_data;  // float
    dew_Array index_data;  // uint32_t
    int64_t liquid_vertices, liquid_triangles;
    // The drawing's units. But for the liquid's rounded outwards, so that they seldom change:
    dew_Box casters;  // liquid, and solids that have an end
    dew_Box liquid;
    dew_Box around_liquid;
    dew_Box all;
    uint64_t opaque_hash;  // of what is opaque and how it looks: same hash, same image of it
    uint64_t glass_hash;   // the same of the glass
    bool has_glass, has_frosted, has_liquid;
} dew_GlBodies;

void dew_gl_bodies_init(dew_GlBodies *bodies, const dew_Allocator *allocator);
void dew_gl_bodies_deinit(const dew_Gl *gl, dew_GlBodies *bodies);
dew_Status dew_gl_bodies_set(const dew_Gl *gl, dew_GlBodies *bodies, const dew_RenderScene *scene);
/// The tables, unless they are there.
dew_Status dew_gl_bodies_set_tables(const dew_Gl *gl, dew_GlBodies *bodies,
                                    const dew_RenderScene *scene);
/// Attributes 0 and 1 of the vertex array in use: positions and normals of what is clear.
void dew_gl_bodies_point_at_clear(const dew_Gl *gl, const dew_GlBodies *bodies);
void dew_gl_buffer_fill(const dew_Gl *gl, dew_GlBuffer *buffer, GLenum kind, const dew_Array *data);

static inline bool dew_gl_body_is_liquid(const dew_RenderBody *body)
{
    return body->solid_id == DEW_INVALID;
}
