// Surfaces as mesh files: what frames of a run hold.
#include "base/status.h"
#include "io/mesh_file.h"
#include "surface/surface.h"

dew_Status dew_surface_load(const char *path, const dew_MeshLoadDef *def, dew_Surface *surface)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &surface->allocator);
    dew_Status status = dew_mesh_load(path, def, &mesh);
    if (status.code == DEW_OK) {
        status = dew_surface_from_mesh(&mesh, surface);
        if (status.code != DEW_OK)
            status = dew_status_prefix(status, "%.300s", path);
    }
    dew_mesh_deinit(&mesh);
    return status;
}

dew_Status dew_surface_save(const char *path, const dew_MeshSaveDef *def,
                            const dew_Surface *surface)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &surface->allocator);
    dew_Status status = dew_surface_to_mesh(surface, &mesh);
    if (status.code == DEW_OK)
        status = dew_mesh_save(path, def, &mesh);
    dew_mesh_deinit(&mesh);
    return status;
}
