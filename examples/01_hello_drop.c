// The smallest program on libdew: a scene built in code, stepped, and asked where the liquid is.
#include <dew/dew.h>

#include <stdio.h>

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A ball on glass";
    def.solver = "rigid";
    def.domain.min_m = (dew_Vec3){-0.05, 0, -0.05};
    def.domain.max_m = (dew_Vec3){0.05, 0.1, 0.05};
    def.domain.cell_m = 1e-3;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "glass";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef glass = dew_default_material_def();
    DEW_TRY(dew_scene_add_material(*scene, "glass", &glass));

    dew_DropDef ball = dew_default_drop_def(DEW_DROP_SPHERE);
    ball.center_m = (dew_Vec3){0, 0.05, 0};
    ball.radius_m = 4e-3;
    DEW_TRY(dew_scene_add_drop(*scene, &ball));
    return dew_scene_check(*scene);
}

static dew_Status simulate(const dew_Scene *scene, dew_World **world, dew_Surface **surface)
{
    dew_WorldDef def = dew_default_world_def();
    DEW_TRY(dew_world_create(scene, &def, world));
    DEW_TRY(dew_surface_create(NULL, surface));
    for (int frame = 0; frame < 10; frame++) {
        dew_Stats stats;
        DEW_TRY(dew_world_step(*world, 0.02));
        dew_world_stats(*world, &stats);
        printf("t %.2f s  centre at %.2f mm  fastest %.3f m/s\n", stats.time_s,
               1e3 * stats.center_m.y, stats.max_speed_m_s);
    }
    DEW_TRY(dew_world_surface(*world, *surface));
    printf("%lld triangles enclose %.1f mm^3\n", (long long)dew_surface_triangle_count(*surface),
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
