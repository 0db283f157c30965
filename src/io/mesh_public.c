// The mesh of include/dew/mesh.h: arrays in and out, defaults, inspection on threads of its own.
#include "base/cookie.h"
#include "base/status.h"
#include "geom/mesh_audit.h"
#include "io/mesh_file.h"

#include <string.h>

dew_MeshInspectDef dew_default_mesh_inspect_def(void)
{
    return (dew_MeshInspectDef){.cookie = DEW_COOKIE};
}

dew_Status dew_mesh_create(const dew_Allocator *allocator, dew_Mesh **out)
{
    dew_Mesh *mesh = dew_alloc(allocator, 1, sizeof *mesh);
    *out = mesh;
    if (!mesh)
        return dew_no_memory(sizeof *mesh);
    dew_mesh_init(mesh, allocator);
    return dew_ok();
}

void dew_mesh_destroy(dew_Mesh *mesh)
{
    if (!mesh)
        return;
    dew_Allocator allocator = mesh->allocator;
    dew_mesh_deinit(mesh);
    dew_free(&allocator, mesh, sizeof *mesh);
}

static dew_Status check_arrays(const dew_Vec3 *positions_m, int64_t vertex_count,
                               const uint32_t *triangles, int64_t triangle_count)
{
    for (int64_t i = 0; i < vertex_count; i++)
        if (!dew_vec_is_finite(positions_m[i]))
            return dew_fail(DEW_BAD_INPUT, "vertex %lld is not finite", (long long)i);
    for (int64_t i = 0; i < 3 * triangle_count; i++)
        if (triangles[i] >= vertex_count)
            return dew_fail(DEW_BAD_INPUT, "triangle %lld: index %lu is out of range (0 to %lld)",
                            (long long)(i / 3), (unsigned long)triangles[i],
                            (long long)vertex_count - 1);
    return dew_ok();
}

dew_Status dew_mesh_set(dew_Mesh *mesh, const dew_Vec3 *positions_m, int64_t vertex_count,
                        const uint32_t *triangles, int64_t triangle_count)
{
    dew_mesh_clear(mesh);
    DEW_TRY(check_arrays(positions_m, vertex_count, triangles, triangle_count));
    DEW_TRY(dew_array_append(&mesh->positions, positions_m, vertex_count));
    dew_Status status = dew_array_append(&mesh->triangles, triangles, triangle_count);
    if (status.code != DEW_OK)
        dew_mesh_clear(mesh);
    return status;
}

dew_Status dew_mesh_set_attribute(dew_Mesh *mesh, const char *name, const float *values)
{
    float *own;
    if (strlen(name) >= sizeof((dew_MeshAttribute *)0)->name)
        return dew_fail(DEW_BAD_INPUT, "attribute %.64s: the name has more than 31 bytes", name);
    DEW_TRY(dew_mesh_attribute(mesh, name, &own));
    if (mesh->positions.count > 0)
        memcpy(own, values, (size_t)mesh->positions.count * sizeof *values);
    return dew_ok();
}

dew_Vec3 *dew_mesh_edit_positions_m(dew_Mesh *mesh)
{
    return mesh->positions.data;
}

int64_t dew_mesh_vertex_count(const dew_Mesh *mesh)
{
    return mesh->positions.count;
}

int64_t dew_mesh_triangle_count(const dew_Mesh *mesh)
{
    return mesh->triangles.count;
}

const dew_Vec3 *dew_mesh_positions_m(const dew_Mesh *mesh)
{
    return dew_mesh_positions(mesh);
}

const uint32_t *dew_mesh_indices(const dew_Mesh *mesh)
{
    return mesh->triangles.count > 0 ? dew_mesh_triangles(mesh)->v : NULL;
}

int dew_mesh_attribute_count(const dew_Mesh *mesh)
{
    return (int)mesh->attributes.count;
}

const char *dew_mesh_attribute_name(const dew_Mesh *mesh, int index)
{
    DEW_ASSERT(index >= 0 && index < mesh->attributes.count);
    return DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute)[index].name;
}

const float *dew_mesh_attribute_values(const dew_Mesh *mesh, const char *name)
{
    return dew_mesh_find_attribute(mesh, name);
}

dew_Status dew_mesh_inspect(const dew_Mesh *mesh, const dew_MeshInspectDef *def, dew_MeshAudit *out)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    dew_TasksDef tasks_def = dew_default_tasks_def();
    dew_Tasks *tasks = NULL;
    tasks_def.worker_count = def->thread_count;
    tasks_def.allocator = def->allocator;
    DEW_TRY(dew_tasks_create(&tasks_def, &tasks));
    dew_MeshAuditDef audit_def = {.allocator = def->allocator,
                                  .tasks = tasks,
                                  .skip_self_intersections = def->skip_self_intersections};
    dew_Status status = dew_mesh_audit(mesh, &audit_def, out);
    dew_tasks_destroy(tasks);
    return status;
}
