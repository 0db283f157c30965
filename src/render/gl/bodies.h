/// The bodies of a picture scene as vertex buffers. Filled anew for each instant, in place: nothing is
/// allocated once the buffers are large enough.
#pragma once

#include "base/array.h"
#include "render/gl/target.h"
#include "render/picture_scene.h"

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

/// Floats per vertex of what is clear: position, normal.
enum { DEW_GL_CLEAR_FLOATS = 6 };

typedef struct dew_GlBodies {
    // The drawing's units: p = scale (x - middle_m).
    dew_Vec3 middle_m;
    double scale;  // per metre
    // Opaque: corner by corner, 10 floats each (position, normal, own place in pattern units, wetness).
    GLuint opaque_array;
    dew_GlBuffer opaque;
    dew_Array opaque_data;   // float
    dew_Array opaque_parts;  // dew_GlPart, in corners
    // Clear: 6 floats per vertex (position, normal), and indices.
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
    uint64_t opaque_hash;  // of what is opaque and how it looks: same hash, same picture of it
    uint64_t glass_hash;   // the same of the glass
    bool has_glass, has_frosted, has_liquid;
} dew_GlBodies;

void dew_gl_bodies_init(dew_GlBodies *bodies, const dew_Allocator *allocator);
void dew_gl_bodies_deinit(const dew_Gl *gl, dew_GlBodies *bodies);
dew_Status dew_gl_bodies_set(const dew_Gl *gl, dew_GlBodies *bodies, const dew_PictureScene *scene);
/// The tables, unless they are there.
dew_Status dew_gl_bodies_set_tables(const dew_Gl *gl, dew_GlBodies *bodies,
                                    const dew_PictureScene *scene);
/// Attributes 0 and 1 of the vertex array in use: positions and normals of what is clear.
void dew_gl_bodies_point_at_clear(const dew_Gl *gl, const dew_GlBodies *bodies);
void dew_gl_buffer_fill(const dew_Gl *gl, dew_GlBuffer *buffer, GLenum kind, const dew_Array *data);

static inline bool dew_gl_body_is_liquid(const dew_PictureBody *body)
{
    return body->solid_id == DEW_INVALID;
}
