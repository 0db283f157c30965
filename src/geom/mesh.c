// Triangle mesh: positions, triangles, named attributes, kept in step with one another.
//
// A call that fails leaves counts as they were: memory is reserved for everything first, and only
// then are elements added.
#include "geom/mesh.h"

#include "base/status.h"

#include <string.h>

static dew_MeshAttribute *attribute_items(const dew_Mesh *mesh)
{
    return (dew_MeshAttribute *)mesh->attributes.data;
}

void dew_mesh_init(dew_Mesh *mesh, const dew_Allocator *allocator)
{
    memset(mesh, 0, sizeof *mesh);
    if (allocator)
        mesh->allocator = *allocator;
    dew_array_init(&mesh->positions, allocator, sizeof(dew_Vec3));
    dew_array_init(&mesh->triangles, allocator, sizeof(dew_Triangle));
    dew_array_init(&mesh->attributes, allocator, sizeof(dew_MeshAttribute));
}

void dew_mesh_remove_attributes(dew_Mesh *mesh)
{
    for (int64_t i = 0; i < mesh->attributes.count; i++)
        dew_array_deinit(&attribute_items(mesh)[i].values);
    mesh->attributes.count = 0;
}

void dew_mesh_deinit(dew_Mesh *mesh)
{
    dew_mesh_remove_attributes(mesh);
    dew_array_deinit(&mesh->attributes);
    dew_array_deinit(&mesh->triangles);
    dew_array_deinit(&mesh->positions);
}

void dew_mesh_clear(dew_Mesh *mesh)
{
    dew_mesh_remove_attributes(mesh);
    mesh->positions.count = 0;
    mesh->triangles.count = 0;
}

static dew_MeshAttribute *find_attribute(const dew_Mesh *mesh, const char *name)
{
    for (int64_t i = 0; i < mesh->attributes.count; i++) {
        if (strcmp(attribute_items(mesh)[i].name, name) == 0)
            return &attribute_items(mesh)[i];
    }
    return NULL;
}

const float *dew_mesh_find_attribute(const dew_Mesh *mesh, const char *name)
{
    const dew_MeshAttribute *found = find_attribute(mesh, name);
    return found ? (const float *)found->values.data : NULL;
}

static dew_Status add_attribute(dew_Mesh *mesh, const char *name)
{
    dew_MeshAttribute attribute = {0};
    size_t length = strlen(name);
    if (length == 0 || length >= sizeof attribute.name)
        return dew_fail(DEW_BAD_INPUT, "mesh attribute \"%.40s\" has %zu characters (1 to %zu fit)",
                        name, length, sizeof attribute.name - 1);
    memcpy(attribute.name, name, length);
    dew_array_init(&attribute.values, &mesh->allocator, sizeof(float));
    DEW_TRY(dew_array_reserve(&mesh->attributes, mesh->attributes.count + 1));
    dew_Status status = dew_array_resize(&attribute.values, mesh->positions.count);
    if (status.code == DEW_OK)
        status = dew_array_push(&mesh->attributes, &attribute);
    if (status.code != DEW_OK)
        dew_array_deinit(&attribute.values);
    return status;
}

dew_Status dew_mesh_attribute(dew_Mesh *mesh, const char *name, float **values)
{
    dew_MeshAttribute *found = find_attribute(mesh, name);
    if (!found) {
        DEW_TRY(add_attribute(mesh, name));
        found = &attribute_items(mesh)[mesh->attributes.count - 1];
    }
    *values = (float *)found->values.data;
    return dew_ok();
}

// Room for so many vertices in the positions and in every attribute.
static dew_Status reserve_vertices(dew_Mesh *mesh, int64_t count)
{
    if (count > UINT32_MAX)
        return dew_fail(DEW_BAD_INPUT, "a mesh of %lld vertices is too large (at most %u)",
                        (long long)count, UINT32_MAX);
    DEW_TRY(dew_array_reserve(&mesh->positions, count));
    for (int64_t i = 0; i < mesh->attributes.count; i++)
        DEW_TRY(dew_array_reserve(&attribute_items(mesh)[i].values, count));
    return dew_ok();
}

dew_Status dew_mesh_add_vertex(dew_Mesh *mesh, dew_Vec3 position)
{
    int64_t count = mesh->positions.count;
    if (count >= UINT32_MAX)
        return reserve_vertices(mesh, count + 1);  // says why not
    dew_Status status = dew_array_push(&mesh->positions, &position);
    for (int64_t i = 0; i < mesh->attributes.count && status.code == DEW_OK; i++)
        status = dew_array_resize(&attribute_items(mesh)[i].values, count + 1);
    if (status.code != DEW_OK) {
        mesh->positions.count = count;
        for (int64_t i = 0; i < mesh->attributes.count; i++)
            attribute_items(mesh)[i].values.count = count;
    }
    return status;
}

dew_Status dew_mesh_add_triangle(dew_Mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    dew_Triangle triangle = {{a, b, c}};
    return dew_array_push(&mesh->triangles, &triangle);
}

dew_Status dew_mesh_copy(dew_Mesh *to, const dew_Mesh *from)
{
    if (to == from)
        return dew_ok();
    dew_mesh_clear(to);
    return dew_mesh_append(to, from);
}

// Values of `from` behind those of `to`, zero where `from` has no such attribute. Memory is
// reserved.
static dew_Status append_values(dew_MeshAttribute *to, const dew_Mesh *from)
{
    const dew_MeshAttribute *source = find_attribute(from, to->name);
    if (source)
        return dew_array_append(&to->values, source->values.data, source->values.count);
    return dew_array_resize(&to->values, to->values.count + from->positions.count);
}

dew_Status dew_mesh_append(dew_Mesh *to, const dew_Mesh *from)
{
    DEW_ASSERT(to != from);
    int64_t base = to->positions.count;
    for (int64_t i = 0; i < from->attributes.count; i++) {
        float *values;
        DEW_TRY(dew_mesh_attribute(to, attribute_items(from)[i].name, &values));
    }
    DEW_TRY(dew_array_reserve(&to->triangles, to->triangles.count + from->triangles.count));
    DEW_TRY(reserve_vertices(to, base + from->positions.count));
    DEW_TRY(dew_array_append(&to->positions, from->positions.data, from->positions.count));
    for (int64_t i = 0; i < to->attributes.count; i++)
        DEW_TRY(append_values(&attribute_items(to)[i], from));
    int64_t first = to->triangles.count;
    DEW_TRY(dew_array_append(&to->triangles, from->triangles.data, from->triangles.count));
    dew_Triangle *triangles = DEW_ITEMS(&to->triangles, dew_Triangle);
    for (int64_t t = first; t < to->triangles.count; t++) {
        for (int i = 0; i < 3; i++)
            triangles[t].v[i] += (uint32_t)base;
    }
    return dew_ok();
}

// Turns the normals with the mesh where it carries any.
static void rotate_normals(dew_Mesh *mesh, double sign, dew_Rotation rotation)
{
    dew_MeshAttribute *x = find_attribute(mesh, "nx"), *y = find_attribute(mesh, "ny"),
                      *z = find_attribute(mesh, "nz");
    if (!x || !y || !z)
        return;
    float *nx = DEW_ITEMS(&x->values, float), *ny = DEW_ITEMS(&y->values, float),
          *nz = DEW_ITEMS(&z->values, float);
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        dew_Vec3 n = dew_rotate(rotation, dew_vec((double)nx[i], (double)ny[i], (double)nz[i]));
        nx[i] = (float)(sign * n.x);
        ny[i] = (float)(sign * n.y);
        nz[i] = (float)(sign * n.z);
    }
}

void dew_mesh_transform(dew_Mesh *mesh, double scale, dew_Rotation rotation, dew_Vec3 translate)
{
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3);
    for (int64_t i = 0; i < mesh->positions.count; i++)
        x[i] = dew_add(dew_rotate(rotation, dew_scale(scale, x[i])), translate);
    rotate_normals(mesh, scale < 0 ? -1 : 1, rotation);
    // A negative scale mirrors: turn the triangles, so that outside stays outside.
    if (scale < 0)
        dew_mesh_flip(mesh);
}

void dew_mesh_flip(dew_Mesh *mesh)
{
    dew_Triangle *triangles = DEW_ITEMS(&mesh->triangles, dew_Triangle);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        uint32_t second = triangles[t].v[1];
        triangles[t].v[1] = triangles[t].v[2];
        triangles[t].v[2] = second;
    }
}
