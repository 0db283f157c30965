/// Triangle mesh: positions, triangles, and named per-vertex attributes.
///
/// Counter-clockwise triangles seen from outside. Plain data in dew_Arrays; knows no file format.
#pragma once

#include "base/array.h"
#include "dew/mesh.h"
#include "geom/vec.h"

/// Triangles that shapes and subdivision make at most: more come of an edge length in a wrong unit.
#define DEW_MESH_MAX_TRIANGLES 100000000

typedef struct dew_Triangle {
    uint32_t v[3];
} dew_Triangle;

/// One number (or a few) per vertex, by name: "nx,ny,nz" are three attributes of one component
/// each.
typedef struct dew_MeshAttribute {
    char name[32];
    dew_Array values;  // of float, one per vertex
} dew_MeshAttribute;

struct dew_Mesh {
    dew_Array positions;   // of dew_Vec3
    dew_Array triangles;   // of dew_Triangle
    dew_Array attributes;  // of dew_MeshAttribute
    dew_Allocator allocator;
};

void dew_mesh_init(dew_Mesh *mesh, const dew_Allocator *allocator);
void dew_mesh_deinit(dew_Mesh *mesh);
void dew_mesh_clear(dew_Mesh *mesh);  // keeps the memory of positions and triangles
void dew_mesh_remove_attributes(dew_Mesh *mesh);
dew_Status dew_mesh_add_vertex(dew_Mesh *mesh, dew_Vec3 position);
dew_Status dew_mesh_add_triangle(dew_Mesh *mesh, uint32_t a, uint32_t b, uint32_t c);

/// The attribute of that name, added (zeroed, one value per vertex) when it is not there.
dew_Status dew_mesh_attribute(dew_Mesh *mesh, const char *name, float **values);
const float *dew_mesh_find_attribute(const dew_Mesh *mesh, const char *name);  // NULL: none

/// Moves every vertex: x -> rotation(scale x) + translate. Attributes nx, ny, nz turn along; a
/// negative scale mirrors, and turns the triangles so that outside stays outside.
void dew_mesh_transform(dew_Mesh *mesh, double scale, dew_Rotation rotation, dew_Vec3 translate);
void dew_mesh_flip(dew_Mesh *mesh);  // inside out

static inline const dew_Vec3 *dew_mesh_positions(const dew_Mesh *mesh)
{
    return (const dew_Vec3 *)mesh->positions.data;
}
static inline const dew_Triangle *dew_mesh_triangles(const dew_Mesh *mesh)
{
    return (const dew_Triangle *)mesh->triangles.data;
}
