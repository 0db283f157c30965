// Meshes of the scene: from a file, from memory or made by name, repaired, checked, scaled, with
// their distance.
//
// The same file at the same scale is loaded once, however many solids and drops name it.
#include "base/status.h"
#include "geom/mesh.h"
#include "io/mesh_file.h"
#include "problem/assets.h"
#include "problem/place.h"
#include "problem/watertight.h"
#include "scene/memory_mesh.h"

#include <string.h>

static dew_Status read_mesh(dew_Assets *assets, const char *file, dew_Mesh *mesh)
{
    size_t prefix = strlen(DEW_MADE_BY_NAME);
    if (strncmp(file, DEW_MADE_BY_NAME, prefix) == 0)
        return dew_procedural_mesh(file + prefix, 0, 0, mesh);
    if (dew_is_memory_mesh(file)) {
        const dew_MemoryMesh *from;
        DEW_TRY(dew_scene_find_mesh(assets->scene, file, &from));
        dew_Source source = dew_source_from_memory(file, from->bytes, from->size);
        source.log = assets->log;
        source.allocator = assets->allocator;
        return dew_mesh_parse(&source, DEW_MESH_PLY, mesh);
    }
    const char *path = dew_scene_resolve_path(assets->scene, file, assets->arena);
    if (!path)
        return dew_no_memory(strlen(file) + 1);
    dew_MeshLoadDef def = dew_default_mesh_load_def();
    def.log = assets->log;
    return dew_mesh_load(path, &def, mesh);
}

// A status about a mesh, with the file's name in front unless it is there already.
static dew_Status about_file(const char *file, dew_Status status)
{
    if (status.code == DEW_OK || status.code == DEW_NO_MEMORY)
        return status;
    return dew_status_prefix(status, "%s", file);
}

/// So that y is up: exactly, without rounding.
static void stand_up(dew_Mesh *mesh)
{
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3);
    for (int64_t i = 0; i < mesh->positions.count; i++)
        x[i] = dew_vec(x[i].x, x[i].z, -x[i].y);
}

static dew_Status fill_asset(dew_Assets *assets, dew_MeshAsset *asset)
{
    dew_Mesh *mesh = &asset->mesh;
    DEW_TRY(read_mesh(assets, asset->file, mesh));
    DEW_TRY(about_file(asset->file,
                       dew_mesh_make_watertight(mesh, asset->file, &assets->log, assets->tasks)));
    if (asset->up == DEW_UP_Z)
        stand_up(mesh);
    dew_Box box = dew_mesh_measure(mesh).box_m;
    dew_Vec3 middle = dew_combine(0.5, box.min, 0.5, box.max);
    asset->middle_m = dew_scale(asset->scale, middle);
    dew_mesh_transform(mesh, asset->scale, dew_rotation_identity(), dew_scale(-1, asset->middle_m));
    asset->measure = dew_mesh_measure(mesh);
    return about_file(asset->file, dew_mesh_distance_create(mesh, DEW_SIGN_AUTO, assets->tasks,
                                                            &assets->allocator, &asset->distance));
}

dew_Status dew_assets_mesh(dew_Assets *assets, const char *key, const char *file, double scale,
                           dew_UpAxis up, int32_t *index)
{
    for (int64_t i = 0; i < assets->meshes.count; i++) {
        const dew_MeshAsset *old = DEW_ITEMS(&assets->meshes, dew_MeshAsset *)[i];
        if (old->scale == scale && old->up == up && strcmp(old->file, file) == 0) {
            *index = (int32_t)i;
            return dew_ok();
        }
    }
    dew_MeshAsset *asset = dew_arena_array(assets->arena, dew_MeshAsset, 1);
    if (!asset)
        return dew_no_memory(sizeof *asset);
    asset->file = file;
    asset->scale = scale;
    asset->up = up;
    dew_mesh_init(&asset->mesh, &assets->allocator);
    DEW_TRY(dew_array_push(&assets->meshes, &asset));  // from here on deinit frees it
    *index = (int32_t)(assets->meshes.count - 1);
    return dew_scene_place_status(assets->scene, key, fill_asset(assets, asset));
}
