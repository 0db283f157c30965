// Remeshing, union and intersection of the meshes of include/dew/mesh.h.
#include "base/cookie.h"
#include "base/status.h"
#include "dew/geometry.h"
#include "geom/mesh_union.h"
#include "geom/shapes.h"

struct dew_Remesher {
    dew_Allocator allocator;
    dew_Remesh *remesh;
    dew_MeshUnion *combine;
};

dew_Status dew_mesh_icosphere(double radius_m, int frequency, dew_Mesh *mesh)
{
    return dew_shape_icosphere(radius_m, frequency, mesh);
}

dew_Status dew_mesh_cap(double volume_m3, double angle_rad, double edge_m, dew_Mesh *mesh)
{
    return dew_shape_cap(volume_m3, angle_rad, edge_m, mesh);
}

dew_Status dew_remesher_create(const dew_Allocator *allocator, dew_Remesher **out)
{
    dew_Remesher *remesher = dew_alloc(allocator, 1, sizeof *remesher);
    *out = NULL;
    if (!remesher)
        return dew_no_memory(sizeof *remesher);
    *remesher = (dew_Remesher){.allocator = allocator ? *allocator : (dew_Allocator){0}};
    dew_Status status = dew_remesh_create(allocator, &remesher->remesh);
    if (status.code == DEW_OK)
        status = dew_mesh_union_create(allocator, &remesher->combine);
    if (status.code == DEW_OK)
        *out = remesher;
    else
        dew_remesher_destroy(remesher);
    return status;
}

void dew_remesher_destroy(dew_Remesher *remesher)
{
    if (!remesher)
        return;
    dew_remesh_destroy(remesher->remesh);
    dew_mesh_union_destroy(remesher->combine);
    dew_Allocator allocator = remesher->allocator;
    dew_free(&allocator, remesher, sizeof *remesher);
}

dew_RemesherDef dew_default_remesher_def(double edge_m)
{
    dew_RemeshDef def = dew_default_remesh_def(edge_m);
    return (dew_RemesherDef){.min_edge_m = def.min_edge_m,
                             .max_edge_m = def.max_edge_m,
                             .min_volume_m3 = def.min_volume_m3,
                             .smoothing = def.smoothing,
                             .cookie = DEW_COOKIE};
}

static dew_RemeshDrop arrays_of(dew_Mesh *mesh)
{
    return (dew_RemeshDrop){.positions = &mesh->positions, .triangles = &mesh->triangles};
}

dew_Status dew_remesher_run(dew_Remesher *remesher, const dew_RemesherDef *def, dew_Mesh *mesh)
{
    DEW_ASSERT(def->cookie == DEW_COOKIE);
    if (!(def->min_edge_m > 0) || !(def->max_edge_m >= 2 * def->min_edge_m))
        return dew_fail(DEW_BAD_INPUT,
                        "edges from %g to %g m: expected a longest at least twice the shortest",
                        def->min_edge_m, def->max_edge_m);
    dew_RemeshDef inner = {.min_edge_m = def->min_edge_m,
                           .max_edge_m = def->max_edge_m,
                           .min_volume_m3 = def->min_volume_m3,
                           .smoothing = def->smoothing,
                           .keep_necks = def->keep_necks,
                           .is_one_piece = def->is_one_piece};
    dew_RemeshDrop drop = arrays_of(mesh);
    dew_mesh_remove_attributes(mesh);
    return dew_remesh_run(remesher->remesh, &inner, &drop, NULL);
}

dew_Status dew_remesher_combine(dew_Remesher *remesher, dew_MeshBoolean operation,
                                const dew_Mesh *first, const dew_Mesh *second, dew_Mesh *out,
                                dew_MeshRelation *relation)
{
    DEW_ASSERT(out != first && out != second);
    dew_Mesh a = *first, b = *second;  // to be read only
    dew_RemeshDrop inputs[2] = {arrays_of(&a), arrays_of(&b)}, result = arrays_of(out);
    dew_MeshUnionResult report = {0};
    dew_mesh_clear(out);
    DEW_TRY(
        dew_mesh_union_run(remesher->combine, operation, &inputs[0], &inputs[1], &result, &report));
    *relation = report.relation;
    return dew_ok();
}
