/// dew_Surface from the inside: the arrays that a solver fills.
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/stage_clock.h"
#include "dew/surface.h"
#include "geom/mesh.h"
#include "surface/measure.h"

/// All arrays have one entry per vertex but `triangles` and `measures`. A solver fills positions,
/// triangles, velocities, wet and (where wet) solid_normals; dew_surface_finish computes the rest.
struct dew_Surface {
    dew_Array positions;      // dew_Vec3
    dew_Array normals;        // dew_Vec3, unit, outward
    dew_Array velocities;     // dew_Vec3
    dew_Array wet;            // float, 0..1
    dew_Array solid_normals;  // dew_Vec3: outward normal of the solid touched; zero where dry
    dew_Array triangles;      // dew_Triangle
    dew_Array pieces;         // uint32_t per vertex: connected piece, 0..piece_count-1, in order of
                              // first vertex; DEW_NO_COMPONENT for vertices without a triangle
    dew_Array measures;       // dew_PieceMeasure, one per piece
    int piece_count;
    bool is_images_only;    // finishing leaves out normals and contact lines
    bool is_unwritten;      // only its drops are wanted: meshes of drops may cross
    dew_Arena scratch;      // of dew_surface_finish
    dew_StageClock *clock;  // of the stages below; NULL: nobody measures
    dew_Allocator allocator;
};

/// Stages of filling a surface.
enum {
    DEW_SURFACE_MESH,       // vertices, triangles, velocities
    DEW_SURFACE_CROSSINGS,  // the search for crossing triangles, and their repair
    DEW_SURFACE_MEASURES,   // normals, pieces, volumes, contact lines
    DEW_SURFACE_STAGE_COUNT
};

/// A vertex is wet from this value of `wet` on; a triangle is wet when its three vertices are.
#define DEW_WET_FROM 0.5f

void dew_surface_clear(dew_Surface *surface);  // keeps the memory
/// Sizes every per-vertex array to vertex_count and triangles to triangle_count; new entries are
/// zero.
dew_Status dew_surface_resize(dew_Surface *surface, int64_t vertex_count, int64_t triangle_count);
/// Appends a closed mesh moving with one velocity and not wet.
dew_Status dew_surface_append_mesh(dew_Surface *surface, const dew_Mesh *mesh,
                                   dew_Vec3 velocity_m_s);
/// Pieces alone, without their measures, while positions are still to change.
dew_Status dew_surface_label_pieces(dew_Surface *surface);
/// Normals (angle weighted), pieces (connected components) and their measures. Call once it is
/// filled; per-vertex arrays that are shorter than positions (not wet, not moving) are filled up
/// with zeroes.
dew_Status dew_surface_finish(dew_Surface *surface);
/// How the triangles around a vertex weigh in its normal: by their areas, for meshes with slivers;
/// all alike, for meshes of triangles that are large because they are tall.
typedef enum dew_PlainNormals { DEW_NORMALS_BY_AREA, DEW_NORMALS_EVEN } dew_PlainNormals;
/// The same for liquid that has no contact angle: wet areas, but no contact line. has_labels:
/// dew_surface_label_pieces has been called for these triangles.
dew_Status dew_surface_finish_plain(dew_Surface *surface, dew_PlainNormals which, bool has_labels);
/// As a mesh with attributes nx ny nz vx vy vz wet: what the frame files hold.
dew_Status dew_surface_to_mesh(const dew_Surface *surface, dew_Mesh *out);

/// Positions and triangles as a mesh that shares the surface's memory: to be read, not to be freed.
dew_Mesh dew_surface_view(const dew_Surface *surface);
