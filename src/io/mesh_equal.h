/// For tests and fuzzing: are two meshes the same, number for number?
#pragma once

#include "geom/mesh.h"

#include <string.h>

static inline bool dew_floats_equal(const float *a, const float *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        bool are_both_nan = a[i] != a[i] && b[i] != b[i];
        if (a[i] != b[i] && !are_both_nan)
            return false;
    }
    return true;
}

/// Attributes are matched by name; their order and the sign of zero are ignored.
static inline bool dew_meshes_equal(const dew_Mesh *a, const dew_Mesh *b)
{
    int64_t n = a->positions.count, t = a->triangles.count;
    if (n != b->positions.count || t != b->triangles.count ||
        a->attributes.count != b->attributes.count)
        return false;
    const dew_Vec3 *p = dew_mesh_positions(a), *q = dew_mesh_positions(b);
    for (int64_t i = 0; i < n; i++) {
        if (p[i].x != q[i].x || p[i].y != q[i].y || p[i].z != q[i].z)
            return false;
    }
    if (t > 0 && memcmp(a->triangles.data, b->triangles.data, (size_t)t * sizeof(dew_Triangle)))
        return false;
    const dew_MeshAttribute *attributes = DEW_ITEMS(&a->attributes, const dew_MeshAttribute);
    for (int64_t i = 0; n > 0 && i < a->attributes.count; i++) {
        const float *other = dew_mesh_find_attribute(b, attributes[i].name);
        const float *own = DEW_ITEMS(&attributes[i].values, const float);
        if (!other || !dew_floats_equal(own, other, n))
            return false;
    }
    return true;
}
