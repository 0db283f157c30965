// Wet maps: solids as meshes, their vertices asked for wetness.
#include "run/wet_maps.h"

#include "base/status.h"
#include "run/frame.h"
#include "scene/scene.h"

void dew_wet_maps_init(dew_WetMaps *maps, const dew_Allocator *allocator)
{
    dew_array_init(&maps->meshes, allocator, sizeof(dew_Mesh));
    dew_array_init(&maps->views, allocator, sizeof(dew_WetMesh));
}

void dew_wet_maps_deinit(dew_WetMaps *maps)
{
    for (int64_t i = 0; i < maps->meshes.count; i++)
        dew_mesh_deinit(&DEW_ITEMS(&maps->meshes, dew_Mesh)[i]);
    dew_array_deinit(&maps->meshes);
    dew_array_deinit(&maps->views);
}

static dew_Status make_meshes(dew_WetMaps *maps, const dew_World *world)
{
    const dew_Problem *problem = world->problem;
    const dew_Allocator *allocator = &maps->meshes.allocator;
    int count = dew_problem_solid_count(problem);
    DEW_TRY(dew_array_reserve(&maps->meshes, count));
    DEW_TRY(dew_array_reserve(&maps->views, count));
    for (int i = 0; i < count; i++) {
        dew_Mesh *mesh = &DEW_ITEMS(&maps->meshes, dew_Mesh)[i];
        dew_mesh_init(mesh, allocator);
        maps->meshes.count = i + 1;
        DEW_TRY(dew_problem_solid_mesh(problem, i, dew_world_solid_edge_m(world, i), mesh));
        dew_WetMesh view = {{dew_mesh_positions(mesh), mesh->positions.count,
                             (const uint32_t *)mesh->triangles.data, mesh->triangles.count},
                            NULL};
        DEW_TRY(dew_array_push(&maps->views, &view));
    }
    return dew_ok();
}

dew_Status dew_wet_maps_begin(dew_WetMaps *maps, const dew_World *world)
{
    if (!dew_scene_def(world->scene)->output.wetmap)
        return dew_ok();
    if (world->ops->wetness)
        return make_meshes(maps, world);
    char place[256];
    dew_scene_place(world->scene, "output.wetmap", place, sizeof place);
    return dew_fail(DEW_UNSUPPORTED,
                    "%soutput.wetmap: the solver %s keeps no wet map yet (false would do)", place,
                    world->ops->traits->name);
}

dew_Status dew_wet_maps_update(dew_WetMaps *maps, dew_World *world)
{
    dew_Instant instant = dew_world_instant(world);
    for (int64_t i = 0; i < maps->meshes.count; i++) {
        dew_Mesh *mesh = &DEW_ITEMS(&maps->meshes, dew_Mesh)[i];
        float *wetness;
        DEW_TRY(dew_mesh_attribute(mesh, "wetness", &wetness));
        DEW_ITEMS(&maps->views, dew_WetMesh)[i].wetness = wetness;
        world->ops->wetness(world->problem, world->state, &instant, (int)i,
                            dew_mesh_positions(mesh), mesh->positions.count, wetness);
    }
    return dew_ok();
}

dew_Status dew_wet_maps_save(const dew_WetMaps *maps, const dew_World *world,
                             const dew_RunDirectory *directory, int64_t frame, dew_FrameFile *file)
{
    for (int64_t i = 0; i < maps->meshes.count; i++)
        DEW_TRY(dew_frame_save_wetness(directory, dew_problem_solid_name(world->problem, (int)i),
                                       frame, dew_world_time_s(world),
                                       &DEW_ITEMS(&maps->meshes, const dew_Mesh)[i], file));
    return dew_ok();
}

const dew_WetMesh *dew_wet_maps_views(const dew_WetMaps *maps)
{
    return maps->views.count > 0 ? maps->views.data : NULL;
}
