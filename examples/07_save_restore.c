// Save and restore: a state is kept as bytes, the world advances, is set back, and repeats the same
// future bit for bit; a second world continues from the same bytes, on another number of threads.
#include <dew/dew.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A drop falls on a plate";
    def.solver = "volume";
    def.domain.min_m = (dew_Vec3){-0.004, 0, -0.004};
    def.domain.max_m = (dew_Vec3){0.004, 0.006, 0.004};
    def.domain.cell_m = 4e-4;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "plate";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef plate = dew_default_material_def();
    DEW_TRY(dew_scene_add_material(*scene, "plate", &plate));

    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = (dew_Vec3){0, 0.003, 0};
    drop.radius_m = 0.0015;
    drop.velocity_m_s = (dew_Vec3){0, -0.4, 0};
    DEW_TRY(dew_scene_add_drop(*scene, &drop));
    return dew_scene_check(*scene);
}

// A state that outlives its world.
typedef struct Saved {
    uint8_t *bytes;
    size_t size;
} Saved;

static dew_Status keep(dew_World *world, Saved *saved)
{
    uint8_t *bytes;
    DEW_TRY(dew_world_save(world, &bytes, &saved->size));
    saved->bytes = malloc(saved->size);
    if (saved->bytes)
        memcpy(saved->bytes, bytes, saved->size);
    dew_world_saved_free(world, bytes, saved->size);
    return saved->bytes ? dew_ok() : dew_fail(DEW_NO_MEMORY, "no memory to keep the state");
}

static dew_Status run_to(dew_World *world, double time_s, const char *what, uint64_t *hash)
{
    DEW_TRY(dew_world_step_to(world, time_s));
    *hash = dew_world_hash(world);
    printf("%-24s at %.0f ms\n", what, 1e3 * dew_world_time_s(world));
    return dew_ok();
}

static dew_Status work(const dew_Scene *scene, dew_World **first, dew_World **second, Saved *saved,
                       bool *is_right)
{
    uint64_t future, repeated, elsewhere;
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 2;
    DEW_TRY(dew_world_create(scene, &def, first));
    DEW_TRY(dew_world_step_to(*first, 4e-3));
    DEW_TRY(keep(*first, saved));
    printf("saved %s 1 kB         at %.0f ms\n", saved->size > 1024 ? "more than" : "less than",
           1e3 * dew_world_time_s(*first));

    DEW_TRY(run_to(*first, 8e-3, "first world", &future));
    DEW_TRY(dew_world_restore(*first, saved->bytes, saved->size));
    printf("restored                 at %.0f ms\n", 1e3 * dew_world_time_s(*first));
    DEW_TRY(run_to(*first, 8e-3, "first world again", &repeated));

    def.thread_count = 1;
    DEW_TRY(dew_world_create(scene, &def, second));
    DEW_TRY(dew_world_restore(*second, saved->bytes, saved->size));
    DEW_TRY(run_to(*second, 8e-3, "second world, 1 thread", &elsewhere));
    *is_right = future == repeated && future == elsewhere;
    printf("the three states are %s\n", *is_right ? "bit-identical" : "different");
    return dew_ok();
}

int main(void)
{
    dew_Scene *scene = NULL;
    dew_World *first = NULL, *second = NULL;
    Saved saved = {0};
    bool is_right = false;
    dew_Status status = build(&scene);
    if (status.code == DEW_OK)
        status = work(scene, &first, &second, &saved, &is_right);
    if (status.code != DEW_OK)
        fprintf(stderr, "save_restore: %s\n", status.message);
    free(saved.bytes);
    dew_world_destroy(second);
    dew_world_destroy(first);
    dew_scene_destroy(scene);
    return status.code == DEW_OK && is_right ? 0 : 1;
}
