// The smallest program on libdew: a scene built in code, stepped, and asked where the liquid is.
#include <dew/dew.h>

#include <stdio.h>

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A drop falls on glass";
    def.solver = "surface";  // or volume, apic, splash: one scene, five solvers
    def.domain.min_m = (dew_Vec3){-0.006, 0, -0.006};
    def.domain.max_m = (dew_Vec3){0.006, 0.008, 0.006};
    def.domain.cell_m = 5e-4;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "glass";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef glass = dew_default_material_def();
    DEW_TRY(dew_scene_add_material(*scene, "glass", &glass));

    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = (dew_Vec3){0, 0.004, 0};
    drop.radius_m = 0.0015;
    DEW_TRY(dew_scene_add_drop(*scene, &drop));
    return dew_scene_check(*scene);
}

static dew_Status simulate(const dew_Scene *scene, dew_World **world, dew_Surface **surface)
{
    dew_WorldDef def = dew_default_world_def();
    DEW_TRY(dew_world_create(scene, &def, world));
    DEW_TRY(dew_surface_create(NULL, surface));
    for (int frame = 1; frame <= 6; frame++) {
        dew_Stats stats;
        DEW_TRY(dew_world_step_to(*world, 0.005 * frame));
        dew_world_stats(*world, &stats);
        printf("t = %2.0f ms: centre at %.2f mm, contact area %.1f mm^2\n", 1e3 * stats.time_s,
               1e3 * stats.center_m.y, 1e6 * stats.contact_area_m2);
    }
    DEW_TRY(dew_world_surface(*world, *surface));
    printf("%lld triangles enclose %.2f mm^3\n", (long long)dew_surface_triangle_count(*surface),
           1e9 * dew_surface_volume_m3(*surface));
    return dew_ok();
}

int main(void)
{
    dew_Scene *scene = NULL;
    dew_World *world = NULL;
    dew_Surface *surface = NULL;
    dew_Status status = build(&scene);
    if (status.code == DEW_OK)
        status = simulate(scene, &world, &surface);
    if (status.code != DEW_OK)
        fprintf(stderr, "hello_drop: %s\n", status.message);
    dew_surface_destroy(surface);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status.code == DEW_OK ? 0 : 1;
}
