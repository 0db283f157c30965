// Live interaction: what a viewer does to a running world. Everything goes into the saved state.
#include "base/status.h"
#include "world/world_state.h"

#include <math.h>

// Ids of drops that were added by hand: far from those that the problem gives.
#define FIRST_LIVE_ID ((int64_t)1 << 62)

/// As if it had not been tried.
static dew_Status undo(dew_World *world, const dew_Measure *measure)
{
    world->measure = *measure;
    DEW_TRY(dew_snapshot_put_back(&world->snapshot, &world->fields));
    return world->ops->restored ? world->ops->restored(world->problem, world->state) : dew_ok();
}

dew_Status dew_world_add_drop(dew_World *world, const dew_DropDef *def)
{
    dew_Blob blob;
    int64_t id = FIRST_LIVE_ID + world->clock.live_drops;
    DEW_TRY(dew_problem_make_blob(world->problem, def, id, &blob));
    DEW_TRY(dew_snapshot_take(&world->snapshot, &world->fields, world->tasks));
    dew_Instant instant = dew_world_instant(world);
    dew_Measure measure = world->measure;
    dew_Status status = dew_world_pour(world, &instant, &blob, 1);
    if (status.code == DEW_OK) {
        world->clock.live_drops++;
        world->version++;
        return status;
    }
    DEW_TRY(undo(world, &measure));
    return status;
}

dew_Status dew_world_feed_many(dew_World *world, const dew_Feed *feeds, int64_t count)
{
    double sum_m3 = 0;
    if (!world->ops->feed)
        return dew_fail(DEW_UNSUPPORTED, "solver %s cannot feed drops", world->ops->traits->name);
    for (int64_t i = 0; i < count; i++) {
        if (!dew_vec_is_finite(feeds[i].at_m) || !isfinite(feeds[i].volume_m3))
            return dew_fail(DEW_BAD_INPUT, "%g m^3 cannot be fed at (%g, %g, %g)",
                            feeds[i].volume_m3, feeds[i].at_m.x, feeds[i].at_m.y, feeds[i].at_m.z);
        sum_m3 += feeds[i].volume_m3;
    }
    DEW_TRY(dew_snapshot_take(&world->snapshot, &world->fields, world->tasks));
    dew_Instant instant = dew_world_instant(world);
    dew_Measure measure = world->measure;
    dew_Status status = world->ops->feed(world->problem, world->state, &instant, feeds, count);
    if (status.code == DEW_OK) {
        dew_world_measure(world, &instant);
        world->clock.entered_m3 += sum_m3;  // what the surface does not hold yet is an error
        world->version++;
        return status;
    }
    DEW_TRY(undo(world, &measure));
    return status;
}

dew_Status dew_world_feed(dew_World *world, dew_Vec3 at_m, double volume_m3)
{
    dew_Feed feed = {at_m, volume_m3};
    return dew_world_feed_many(world, &feed, 1);
}

bool dew_world_can_feed(const dew_World *world)
{
    return world->ops->feed != NULL;
}

void dew_world_set_gravity(dew_World *world, dew_Vec3 gravity_m_s2)
{
    world->clock.gravity_m_s2 = gravity_m_s2;
    dew_Instant instant = dew_world_instant(world);
    dew_world_measure(world, &instant);
}

void dew_world_set_wind(dew_World *world, dew_Vec3 wind_m_s)
{
    world->clock.wind_m_s = wind_m_s;
}

// ---- values that act now -----------------------------------------------------------------------

dew_Vec3 dew_world_gravity_m_s2(const dew_World *world)
{
    return world->clock.gravity_m_s2;
}

dew_Vec3 dew_world_wind_m_s(const dew_World *world)
{
    return world->clock.wind_m_s;
}

double dew_world_surface_tension_N_m(const dew_World *world)
{
    return dew_scene_def(world->scene)->liquid.surface_tension_N_m;
}

dew_Status dew_world_material(const dew_World *world, int index, dew_MaterialDef *out)
{
    int count = dew_scene_material_count(world->scene);
    if (index < 0 || index >= count)
        return dew_fail(DEW_BAD_INPUT, "there is no material %d (the scene has %d)", index, count);
    *out = *dew_scene_material(world->scene, index, NULL);
    return dew_ok();
}
