// Growing a mesh while its file is read.
#include "io/mesh_build.h"

#include <string.h>

#define NAME_SIZE (sizeof((dew_MeshAttribute *)0)->name)

void dew_mesh_reset(dew_Mesh *mesh)
{
    dew_Allocator allocator = mesh->allocator;
    dew_mesh_deinit(mesh);
    dew_mesh_init(mesh, &allocator);
}

bool dew_build_grow(dew_Array *array)
{
    int64_t capacity = array->capacity < 512 ? 1024 : 2 * array->capacity;
    return dew_array_reserve(array, capacity).code == DEW_OK;
}

dew_Status dew_build_reserve(dew_Array *array, int64_t count)
{
    int64_t wanted = array->count + count, doubled = 2 * array->capacity;
    if (wanted <= array->capacity)
        return dew_ok();
    return dew_array_reserve(array, wanted > doubled ? wanted : doubled);
}

void dew_say_polygons(const dew_Source *source, int64_t polygon_count)
{
    if (polygon_count > 0)
        dew_source_say(source, DEW_LOG_INFO,
                       "%lld faces with more than 3 corners were cut into triangles from their "
                       "first corner (right where they are convex)",
                       (long long)polygon_count);
}

static void plain_name(dew_Slice name, char out[NAME_SIZE])
{
    dew_slice_copy(dew_slice_trim(name), out, NAME_SIZE);
    for (char *p = out; *p; p++) {
        if (*p <= ' ' || *p > '~')
            *p = '_';
    }
    if (strlen(out) == 1 && *out >= 'x' && *out <= 'z') {
        // PLY uses this name for a position.
        memcpy(out + 1, "_value", sizeof "_value");
    } else if (!*out) {
        memcpy(out, "unnamed", sizeof "unnamed");
    }
}

dew_Status dew_build_attribute(const dew_Source *source, const void *where, dew_Mesh *mesh,
                               dew_Slice name, bool may_exist, float **values)
{
    char plain[NAME_SIZE];
    plain_name(name, plain);
    *values = NULL;
    bool is_there = dew_mesh_find_attribute(mesh, plain) != NULL;
    if (is_there && !may_exist) {
        dew_source_say_line(source, DEW_LOG_WARNING, where,
                            "a second attribute with the name '%s' was left out", plain);
        return dew_ok();
    }
    if (!is_there && mesh->attributes.count >= DEW_ATTRIBUTES_MAX)
        return dew_source_fail_line(source, where, "more than %d attributes of a vertex",
                                    DEW_ATTRIBUTES_MAX);
    return dew_mesh_attribute(mesh, plain, values);
}
