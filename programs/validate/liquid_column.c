// Bodies of revolution, as meshes in memory.
#include "validate/liquid_column.h"

static dew_Status add_column(dew_Scene *scene, const dew_ProfilePoint *profile, int64_t count,
                             double edge_m, dew_Mesh *mesh)
{
    DEW_TRY(dew_shape_revolve(profile, count, edge_m, mesh));
    dew_MeshData data = {dew_mesh_positions_m(mesh), dew_mesh_vertex_count(mesh),
                         dew_mesh_indices(mesh), dew_mesh_triangle_count(mesh)};
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_MESH);
    drop.file = "memory:column";
    DEW_TRY(dew_scene_add_mesh(scene, "column", &data));
    return dew_scene_add_drop(scene, &drop);
}

void dew_column_build(dew_SceneBuilder *b, const dew_ProfilePoint *profile, int64_t count,
                      double edge_m)
{
    dew_Mesh *mesh = NULL;
    if (b->status.code == DEW_OK)
        b->status = dew_mesh_create(NULL, &mesh);
    if (b->status.code == DEW_OK)
        b->status = add_column(b->scene, profile, count, edge_m, mesh);
    dew_mesh_destroy(mesh);
}
