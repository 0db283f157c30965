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
    dew_Moment moment = dew_world_moment(world);
    dew_Measure measure = world->measure;
    dew_Status status = dew_world_pour(world, &moment, &blob, 1);
    if (status.code == DEW_OK) {
        world->clock.live_drops++;
        return status;
    }
    DEW_TRY(undo(world, &measure));
    return status;
}

dew_Status dew_world_feed(dew_World *world, dew_Vec3 at_m, double volume_m3)
{
    if (!world->ops->feed)
        return dew_fail(DEW_UNSUPPORTED, "solver %s cannot feed drops", world->ops->traits->name);
    if (!dew_vec_is_finite(at_m) || !isfinite(volume_m3))
        return dew_fail(DEW_BAD_INPUT, "%g m^3 cannot be fed at (%g, %g, %g)", volume_m3, at_m.x,
                        at_m.y, at_m.z);
    DEW_TRY(dew_snapshot_take(&world->snapshot, &world->fields, world->tasks));
    dew_Moment moment = dew_world_moment(world);
    dew_Measure measure = world->measure;
    dew_Status status = world->ops->feed(world->problem, world->state, &moment, at_m, volume_m3);
    if (status.code == DEW_OK) {
        dew_world_measure(world, &moment);
        world->clock.entered_m3 += volume_m3;  // what the surface does not hold yet is an error
        return status;
    }
    DEW_TRY(undo(world, &measure));
    return status;
}

void dew_world_set_gravity(dew_World *world, dew_Vec3 gravity_m_s2)
{
    world->clock.gravity_m_s2 = gravity_m_s2;
    dew_Moment moment = dew_world_moment(world);
    dew_world_measure(world, &moment);
}

void dew_world_set_wind(dew_World *world, dew_Vec3 wind_m_s)
{
    world->clock.wind_m_s = wind_m_s;
}

static dew_Status find_movable(const dew_World *world, const char *name, int *out)
{
    *out = dew_problem_find_solid(world->problem, name);
    if (*out == DEW_INVALID)
        return dew_fail(DEW_BAD_INPUT, "there is no solid named %.64s", name);
    if (*out >= dew_scene_solid_count(world->scene) ||
        !dew_scene_solid(world->scene, *out)->is_movable)
        return dew_fail(DEW_BAD_INPUT, "solid %.64s cannot be dragged (movable: true allows it)",
                        name);
    return dew_ok();
}

dew_Status dew_world_drag_solid(dew_World *world, const char *name, dew_Vec3 translate_m,
                                double dt_s)
{
    int solid_id;
    DEW_TRY(find_movable(world, name, &solid_id));
    if (!(dt_s > 0) || !isfinite(dt_s) || !dew_vec_is_finite(translate_m))
        return dew_fail(DEW_BAD_INPUT, "solid %.64s cannot be dragged there in %g s", name, dt_s);
    double now = world->clock.time_s;
    dew_Drag *drag = &world->drags[solid_id];
    // Both poses without the drag: it comes on top of the solid's own motion.
    dew_world_poses(world, now, now, now, world->poses);
    dew_problem_poses(world->problem, now, world->poses_old);
    dew_Vec3 from =
        dew_sub(world->poses[solid_id].translate_m, world->poses_old[solid_id].translate_m);
    dew_problem_poses(world->problem, now + dt_s, world->poses_old);
    *drag = (dew_Drag){.from_m = from,
                       .to_m = dew_sub(translate_m, world->poses_old[solid_id].translate_m),
                       .begin_s = now,
                       .end_s = now + dt_s};
    return dew_ok();
}
