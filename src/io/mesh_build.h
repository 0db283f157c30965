/// A mesh that grows while a file is read.
///
/// The pushes are inline and report lack of memory by a bool: a dew_Status is half a kilobyte, too
/// much to hand back for each of ten million triangles.
#pragma once

#include "geom/mesh.h"
#include "io/slice.h"
#include "io/source.h"

/// Of a vertex, and properties of an element of a PLY file: names are compared pairwise.
#define DEW_ATTRIBUTES_MAX 256

/// Empties the mesh and gives its memory back: what was in it before must not show in what is read.
void dew_mesh_reset(dew_Mesh *mesh);

/// Makes room for one more element; false when there is no memory.
bool dew_build_grow(dew_Array *array);

/// Makes room for `count` more; at least doubles when there are some already, so that many calls in
/// turn cost no more than one.
dew_Status dew_build_reserve(dew_Array *array, int64_t count);

static inline bool dew_build_position(dew_Mesh *mesh, dew_Vec3 position)
{
    dew_Array *array = &mesh->positions;
    if (array->count == array->capacity && !dew_build_grow(array))
        return false;
    DEW_ITEMS(array, dew_Vec3)[array->count++] = position;
    return true;
}

static inline bool dew_build_triangle(dew_Mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    dew_Array *array = &mesh->triangles;
    if (array->count == array->capacity && !dew_build_grow(array))
        return false;
    DEW_ITEMS(array, dew_Triangle)[array->count++] = (dew_Triangle){{a, b, c}};
    return true;
}

/// A polygon being cut into triangles that share its first corner. Right for convex polygons.
typedef struct dew_Fan {
    uint32_t first, previous;
    int64_t corner_count;
} dew_Fan;

static inline bool dew_fan_add(dew_Fan *fan, dew_Mesh *mesh, uint32_t corner)
{
    bool is_ok = true;
    if (fan->corner_count == 0)
        fan->first = corner;
    else if (fan->corner_count >= 2)
        is_ok = dew_build_triangle(mesh, fan->first, fan->previous, corner);
    fan->previous = corner;
    fan->corner_count++;
    return is_ok;
}

/// Logs how many polygons were cut; nothing for 0.
void dew_say_polygons(const dew_Source *source, int64_t polygon_count);

/// A new attribute with one zero per vertex. Its name is made plain: printable ASCII without
/// spaces, not x, y or z, at most 31 bytes. When there is one of that name already, *values is that
/// one if it may exist, else NULL, with a warning. `where` is its place in the source. Call when
/// all vertices are there.
dew_Status dew_build_attribute(const dew_Source *source, const void *where, dew_Mesh *mesh,
                               dew_Slice name, bool may_exist, float **values);
