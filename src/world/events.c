// Events: what the scene says happens at a time, and the same from a hand.
//
// Contact angles and the surface tension belong to the problem, which is constant during a step. An
// event changes the world's own copy of the scene and its problem; solvers read both again before
// the next step.
#include "base/status.h"
#include "problem/timing.h"
#include "scene/scene.h"
#include "wetting/contact_angle.h"
#include "world/solver_table.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ADVANCING, RECEDING, WET_ADVANCING, ANGLES };  // of a material

// ---- values that events change -----------------------------------------------------------------

int64_t dew_world_value_count(const dew_World *world)
{
    return 1 + ANGLES * (int64_t)dew_scene_material_count(world->scene);
}

void dew_world_values(const dew_World *world, double *out)
{
    out[0] = dew_scene_def(world->scene)->liquid.surface_tension_N_m;
    for (int i = 0; i < dew_scene_material_count(world->scene); i++) {
        const dew_MaterialDef *material = dew_scene_material(world->scene, i, NULL);
        out[1 + ANGLES * i + ADVANCING] = material->advancing_rad;
        out[1 + ANGLES * i + RECEDING] = material->receding_rad;
        out[1 + ANGLES * i + WET_ADVANCING] = material->wet_advancing_rad;
    }
}

static dew_Status check_values(const dew_World *world, const double *values)
{
    if (!(values[0] >= 0) || !isfinite(values[0]))
        return dew_fail(DEW_BAD_INPUT, "expected a surface tension of 0 or more, found %g N/m",
                        values[0]);
    for (int i = 0; i < dew_scene_material_count(world->scene); i++) {
        const double *angles = values + 1 + (ptrdiff_t)ANGLES * i;
        dew_MaterialDef material = dew_default_material_def();
        material.advancing_rad = angles[0];
        material.receding_rad = angles[1];
        material.wet_advancing_rad = angles[2];
        if (!dew_contact_is_valid(&material))
            return dew_fail(DEW_BAD_INPUT,
                            "angles must obey 0 <= receding <= wet_advancing <= advancing <= "
                            "180 deg");
    }
    return dew_ok();
}

/// The caller's scene is never changed: the world goes on with a copy of it.
static dew_Status own_scene(dew_World *world)
{
    if (!world->bound_scene) {
        DEW_TRY(dew_scene_bind(world->scene, dew_solver_list(), &world->def.allocator,
                               &world->bound_scene));
        world->scene = world->bound_scene;
        dew_problem_own_scene(world->problem, world->bound_scene);
    }
    return dew_ok();
}

static void put_values(dew_World *world, const double *values)
{
    dew_Scene *scene = world->bound_scene;
    dew_problem_set_tension(world->problem, scene, values[0]);
    for (int i = 0; i < dew_scene_material_count(scene); i++) {
        dew_MaterialDef material = *dew_scene_material(scene, i, NULL);
        material.advancing_rad = values[1 + ANGLES * i + ADVANCING];
        material.receding_rad = values[1 + ANGLES * i + RECEDING];
        material.wet_advancing_rad = values[1 + ANGLES * i + WET_ADVANCING];
        dew_problem_set_material(world->problem, scene, i, &material);
    }
}

/// Writes the values and lets the solver read them; as before when it cannot use them.
static dew_Status change_problem(dew_World *world, const double *old, const double *values)
{
    put_values(world, values);
    dew_Status status = dew_world_read_parameters(world);
    if (status.code != DEW_OK) {
        put_values(world, old);
        (void)dew_world_read_parameters(world);
        return status;
    }
    dew_Instant instant = dew_world_instant(world);
    dew_world_measure(world, &instant);
    return dew_ok();
}

dew_Status dew_world_read_parameters(dew_World *world)
{
    return world->ops->parameters ? world->ops->parameters(world->problem, world->state) : dew_ok();
}

dew_Status dew_world_set_values(dew_World *world, const double *values)
{
    int64_t count = dew_world_value_count(world);
    size_t size = (size_t)count * sizeof *values;
    double *old = dew_alloc(&world->def.allocator, count, sizeof *old);
    if (!old)
        return dew_no_memory(size);
    dew_world_values(world, old);
    dew_Status status = dew_ok();
    if (memcmp(old, values, size) != 0) {
        status = check_values(world, values);
        if (status.code == DEW_OK)
            status = own_scene(world);
        if (status.code == DEW_OK)
            status = change_problem(world, old, values);
    }
    dew_free(&world->def.allocator, old, size);
    return status;
}

/// One run of the values from `first` on.
static dew_Status change_values(dew_World *world, int64_t first, const double *changed, int count)
{
    int64_t total = dew_world_value_count(world);
    double *values = dew_alloc(&world->def.allocator, total, sizeof *values);
    if (!values)
        return dew_no_memory((size_t)total * sizeof *values);
    dew_world_values(world, values);
    memcpy(values + first, changed, (size_t)count * sizeof *values);
    dew_Status status = dew_world_set_values(world, values);
    dew_free(&world->def.allocator, values, (size_t)total * sizeof *values);
    return status;
}

dew_Status dew_world_set_angles(dew_World *world, const char *material, double advancing_rad,
                                double receding_rad, double wet_advancing_rad)
{
    int index = dew_scene_find_material(world->scene, material);
    if (index == DEW_INVALID)
        return dew_fail(DEW_BAD_INPUT, "there is no material named %.64s", material);
    double angles[ANGLES] = {advancing_rad, receding_rad, wet_advancing_rad};
    return change_values(world, 1 + ANGLES * (int64_t)index, angles, ANGLES);
}

dew_Status dew_world_set_tension(dew_World *world, double surface_tension_N_m)
{
    return change_values(world, 0, &surface_tension_N_m, 1);
}

// ---- events ------------------------------------------------------------------------------------

static dew_Status pour(dew_World *world, const dew_EventDef *event)
{
    bool is_cap = event->kind == DEW_EVENT_CAP;
    dew_DropDef drop = dew_default_drop_def(is_cap ? DEW_DROP_CAP : DEW_DROP_SPHERE);
    drop.center_m = event->center_m;
    drop.radius_m = event->radius_m;
    drop.point_m = event->point_m;
    drop.normal = event->normal;
    drop.volume_m3 = event->volume_m3;
    drop.angle_rad = event->angle_rad;
    drop.velocity_m_s = event->velocity_m_s;
    return dew_world_add_drop(world, &drop);
}

static dew_Status turn_wind(dew_World *world, dew_Vec3 wind_m_s)
{
    const dew_SolverTraits *traits = world->ops->traits;
    for (int i = 0; i < traits->unsupported_count; i++)
        if (strcmp(traits->unsupported[i].path, "wind") == 0)
            return dew_fail(DEW_UNSUPPORTED, "solver %s takes no wind: %s", traits->name,
                            traits->unsupported[i].why);
    dew_world_set_wind(world, wind_m_s);
    return dew_ok();
}

static dew_Status apply(dew_World *world, const dew_EventDef *event)
{
    switch (event->kind) {
    case DEW_EVENT_DROP:
    case DEW_EVENT_CAP:
        return pour(world, event);
    case DEW_EVENT_FEED:
        return dew_world_feed(world, event->point_m, event->volume_m3);
    case DEW_EVENT_DRAG:
        return dew_world_drag_solid(world, event->solid, event->translate_m, event->over_s);
    case DEW_EVENT_GRAVITY:
        dew_world_set_gravity(world, event->gravity_m_s2);
        return dew_ok();
    case DEW_EVENT_WIND:
        return turn_wind(world, event->wind_m_s);
    case DEW_EVENT_MATERIAL:
        return dew_world_set_angles(world, event->material, event->advancing_rad,
                                    event->receding_rad, event->wet_advancing_rad);
    case DEW_EVENT_LIQUID:
        return dew_world_set_tension(world, event->surface_tension_N_m);
    default:
        return dew_fail(DEW_BAD_INPUT, "there is no event of kind %d", (int)event->kind);
    }
}

double dew_world_next_event_s(const dew_World *world)
{
    int64_t index = world->events_done;
    return index < dew_scene_event_count(world->scene)
               ? dew_scene_event(world->scene, (int)index)->time_s
               : (double)INFINITY;
}

dew_Status dew_world_apply_due(dew_World *world)
{
    while (dew_time_has_come(dew_world_next_event_s(world), world->clock.time_s)) {
        int index = (int)world->events_done;
        dew_Status status = apply(world, dew_scene_event(world->scene, index));
        if (status.code != DEW_OK) {
            char path[32], place[256];
            snprintf(path, sizeof path, "events[%d]", index);
            dew_scene_place(world->scene, path, place, sizeof place);
            return dew_fail(status.code, "%.200s%s at t = %g s: %.300s", place, path,
                            world->clock.time_s, status.message);
        }
        world->events_done++;
    }
    return dew_ok();
}

dew_Status dew_world_apply(dew_World *world, const dew_EventDef *event)
{
    DEW_TRY(dew_world_apply_due(world));
    return apply(world, event);
}

dew_Status dew_world_check_events(const dew_World *world)
{
    for (int i = 0; i < dew_scene_event_count(world->scene) && !world->ops->feed; i++)
        if (dew_scene_event(world->scene, i)->kind == DEW_EVENT_FEED) {
            char path[32], place[256];
            snprintf(path, sizeof path, "events[%d]", i);
            dew_scene_place(world->scene, path, place, sizeof place);
            return dew_fail(DEW_BAD_INPUT,
                            "%.200s%s: solver %s cannot feed drops (kind: drop adds one)", place,
                            path, world->ops->traits->name);
        }
    return dew_ok();
}
