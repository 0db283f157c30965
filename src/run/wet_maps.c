// Wet maps: solids as meshes, their vertices asked for wetness.
#include "run/wet_maps.h"

#include "base/status.h"
#include "run/frame.h"
#include "scene/scene.h"

#define MAX_TRIANGLES 300000.0  // of a solid, about

void dew_wet_maps_init(dew_WetMaps *maps, const dew_Allocator *allocator)
{
    dew_array_init(&maps->meshes, allocator, sizeof(dew_Mesh));
    dew_array_init(&maps->views, allocator, sizeof(const dew_Mesh *));
}

void dew_wet_maps_deinit(dew_WetMaps *maps)
{
    for (int64_t i = 0; i < maps->meshes.count; i++)
        dew_mesh_deinit(&DEW_ITEMS(&maps->meshes, dew_Mesh)[i]);
    dew_array_deinit(&maps->meshes);
    dew_array_deinit(&maps->views);
}

/// A cell, or what keeps the box around the solid, its part in the domain at least, below MAX_TRIANGLES.
static double choose_edge(const dew_Problem *problem, int solid_id)
{
    dew_Box box = dew_problem_solid_box(problem, solid_id), domain = dew_problem_domain(problem);
    if (!dew_vec_is_finite(box.min) || !dew_vec_is_finite(box.max))
        box = domain;
    dew_Vec3 size = dew_sub(box.max, box.min);
    double area = 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
    return fmax(dew_problem_def(problem)->domain.cell_m, sqrt(2 * area / MAX_TRIANGLES));
}

static dew_Status make_meshes(dew_WetMaps *maps, const dew_Problem *problem)
{
    const dew_Allocator *allocator = &maps->meshes.allocator;
    int count = dew_problem_solid_count(problem);
    DEW_TRY(dew_array_reserve(&maps->meshes, count));
    DEW_TRY(dew_array_reserve(&maps->views, count));
    for (int i = 0; i < count; i++) {
        dew_Mesh *mesh = &DEW_ITEMS(&maps->meshes, dew_Mesh)[i];
        dew_mesh_init(mesh, allocator);
        maps->meshes.count = i + 1;
        DEW_TRY(dew_array_push(&maps->views, &(const dew_Mesh *){mesh}));
        DEW_TRY(dew_problem_solid_mesh(problem, i, choose_edge(problem, i), mesh));
    }
    return dew_ok();
}

dew_Status dew_wet_maps_begin(dew_WetMaps *maps, const dew_World *world)
{
    if (!dew_scene_def(world->scene)->output.wetmap)
        return dew_ok();
    if (world->ops->wetness)
        return make_meshes(maps, world->problem);
    char place[256];
    dew_scene_place(world->scene, "output.wetmap", place, sizeof place);
    return dew_fail(DEW_UNSUPPORTED,
                    "%soutput.wetmap: the solver %s keeps no wet map yet (false would do)", place,
                    world->ops->traits->name);
}

dew_Status dew_wet_maps_update(dew_WetMaps *maps, dew_World *world)
{
    dew_Moment moment = dew_world_moment(world);
    for (int64_t i = 0; i < maps->meshes.count; i++) {
        dew_Mesh *mesh = &DEW_ITEMS(&maps->meshes, dew_Mesh)[i];
        float *wetness;
        DEW_TRY(dew_mesh_attribute(mesh, "wetness", &wetness));
        world->ops->wetness(world->problem, world->state, &moment, (int)i, dew_mesh_positions(mesh),
                            mesh->positions.count, wetness);
    }
    return dew_ok();
}

dew_Status dew_wet_maps_save(const dew_WetMaps *maps, const dew_World *world,
                             const dew_RunDirectory *directory, int64_t frame)
{
    for (int64_t i = 0; i < maps->meshes.count; i++)
        DEW_TRY(dew_frame_save_wetness(directory, dew_problem_solid_name(world->problem, (int)i),
                                       frame, &DEW_ITEMS(&maps->meshes, const dew_Mesh)[i]));
    return dew_ok();
}

const dew_Mesh *const *dew_wet_maps_views(const dew_WetMaps *maps)
{
    return maps->views.count > 0 ? maps->views.data : NULL;
}
