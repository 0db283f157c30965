// What happened to the drops: two drops merge in the air, a hanging drop is too heavy and splits,
// drops fall on a plate that repels water and bounce off. After each step the program asks for the
// events since the last.
#include <dew/dew.h>

#include <stdio.h>

static dew_Status add_sphere(dew_Scene *scene, double x_m, double speed_m_s)
{
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = (dew_Vec3){x_m - 6e-3, 6e-3, 0};
    drop.radius_m = 1e-3;
    drop.velocity_m_s = (dew_Vec3){speed_m_s, 0, 0};
    return dew_scene_add_drop(scene, &drop);
}

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "Drops merge, split, land and leave";
    def.solver = "surface";
    def.domain.min_m = (dew_Vec3){-12e-3, 0, -6e-3};
    def.domain.max_m = (dew_Vec3){12e-3, 16e-3, 6e-3};
    def.domain.cell_m = 0.4e-3;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "lotus";
    def.domain.wall_material[DEW_SIDE_CEILING] = "glass";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef lotus = dew_default_material_def();
    lotus.advancing_rad = lotus.receding_rad = lotus.wet_advancing_rad = DEW_DEG(150);
    DEW_TRY(dew_scene_add_material(*scene, "lotus", &lotus));
    dew_MaterialDef glass = dew_default_material_def();
    glass.advancing_rad = glass.receding_rad = glass.wet_advancing_rad = DEW_DEG(75);
    DEW_TRY(dew_scene_add_material(*scene, "glass", &glass));

    DEW_TRY(add_sphere(*scene, -1.6e-3, 0.2));
    DEW_TRY(add_sphere(*scene, 1.6e-3, -0.2));

    dew_DropDef hanging = dew_default_drop_def(DEW_DROP_CAP);
    hanging.point_m = (dew_Vec3){6e-3, 16e-3, 0};
    hanging.normal = (dew_Vec3){0, -1, 0};
    hanging.volume_m3 = 200e-9;
    hanging.angle_rad = DEW_DEG(90);
    DEW_TRY(dew_scene_add_drop(*scene, &hanging));
    return dew_scene_check(*scene);
}

static void print_event(const dew_World *world, const dew_DropEvent *event)
{
    static const char *const words[DEW_DROP_EVENT_KIND_COUNT] = {
        "appeared", "vanished", "came of a merge of", "split into", "hit", "left its solid"};
    printf("t = %4.1f ms: drop %lld %s", 1e3 * event->time_s, (long long)event->drop_id,
           words[event->kind]);
    for (int i = 0; i < event->other_count; i++)
        printf(" %lld", (long long)event->others[i]);
    if (event->kind == DEW_DROP_IMPACT && event->solid_id != DEW_INVALID)
        printf(" the %s at %.2f m/s", dew_world_solid_name(world, event->solid_id),
               event->speed_m_s);
    printf("\n");
}

static dew_Status simulate(const dew_Scene *scene, dew_World **world,
                           int counts[DEW_DROP_EVENT_KIND_COUNT])
{
    dew_WorldDef def = dew_default_world_def();
    DEW_TRY(dew_world_create(scene, &def, world));
    for (int step = 0; step <= 150; step++) {
        const dew_DropEvent *events;
        int64_t count;
        DEW_TRY(dew_world_step_to(*world, 1e-3 * step));
        DEW_TRY(dew_world_events(*world, &events, &count));
        for (int64_t i = 0; i < count; i++) {
            counts[events[i].kind]++;
            print_event(*world, &events[i]);
        }
    }
    return dew_ok();
}

int main(void)
{
    dew_Scene *scene = NULL;
    dew_World *world = NULL;
    int counts[DEW_DROP_EVENT_KIND_COUNT] = {0};
    dew_Status status = build(&scene);
    if (status.code == DEW_OK)
        status = simulate(scene, &world, counts);
    bool is_right = counts[DEW_DROP_MERGED] > 0 && counts[DEW_DROP_SPLIT] > 0 &&
                    counts[DEW_DROP_IMPACT] > 1 && counts[DEW_DROP_DETACHED] > 0;
    if (status.code != DEW_OK)
        fprintf(stderr, "drop_events: %s\n", status.message);
    else
        printf("%s\n", is_right ? "ok" : "wrong");
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status.code == DEW_OK && is_right ? 0 : 1;
}
