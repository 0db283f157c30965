/// What the scene's files hold, loaded once each: meshes with their distance, grounds, depths,
/// maps.
#pragma once

#include "base/array.h"
#include "geom/mesh_measure.h"
#include "problem/solid.h"

/// A closed mesh, scaled, about the middle of its own box.
typedef struct dew_MeshAsset {
    const char *file;  // as the scene names it
    double scale;
    dew_UpAxis up;
    dew_Vec3 middle_m;  // of the box, after scaling
    dew_Mesh mesh;
    dew_MeshDistance *distance;
    dew_MeshMeasure measure;
} dew_MeshAsset;

/// Depth of liquid per cell of a table that covers the domain's ground plan: columns that stand on
/// the solids. See depth.h.
typedef struct dew_DepthAsset dew_DepthAsset;

typedef struct dew_Assets {
    const dew_Scene *scene;
    dew_Log log;
    dew_Tasks *tasks;
    dew_Allocator allocator;
    dew_Arena *arena;   // of the problem
    dew_Array meshes;   // of dew_MeshAsset *
    dew_Array grounds;  // of dew_Heightfield *
    dew_Array depths;   // of dew_DepthAsset *
} dew_Assets;

void dew_assets_init(dew_Assets *assets, const dew_Scene *scene, dew_Arena *arena);
void dew_assets_deinit(dew_Assets *assets);

/// `key` is where the file is named ("solids[2].file"): it goes into messages. Failures carry file
/// and line. A mesh that was loaded before at the same scale with the same axis up is shared;
/// *index is its place in `meshes`.
dew_Status dew_assets_mesh(dew_Assets *assets, const char *key, const char *file, double scale,
                           dew_UpAxis up, int32_t *index);
/// The ground of a heightfield about the middle of its box, *middle_m.
dew_Status dew_assets_ground(dew_Assets *assets, const char *key, const dew_SolidDef *def,
                             const dew_Heightfield **out, dew_Vec3 *middle_m);
dew_Status dew_assets_map(dew_Assets *assets, const char *key, const char *file,
                          const dew_AffinityMap **out);

static inline const dew_MeshAsset *dew_assets_mesh_at(const dew_Assets *assets, int32_t index)
{
    return DEW_ITEMS(&assets->meshes, dew_MeshAsset *)[index];
}
