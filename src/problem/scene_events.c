// The scene's events as far as the problem knows them: that they name solids which can be dragged,
// where dragged solids are for images, and the changes of materials and liquid that World makes.
#include "problem/scene_events.h"

#include "base/hash.h"
#include "base/status.h"
#include "dew/text.h"
#include "problem/place.h"
#include "problem/resolved.h"
#include "scene/scene.h"
#include "wetting/contact_angle.h"

#include <stdio.h>
#include <string.h>

// ---- checks ------------------------------------------------------------------------------------

static dew_Status no_such_solid(const dew_Problem *problem, const char *path, const char *name)
{
    const char *names[DEW_MAX_HINT_NAMES];
    int count = 0;
    for (int i = 0; i < problem->solid_count && count < DEW_MAX_HINT_NAMES; i++)
        names[count++] = problem->solids[i].name;
    const char *nearest = dew_nearest_name(name, names, count);
    return dew_scene_fail(problem->scene, path, "no solid is called %.64s%s%s%s", name,
                          nearest ? " (did you mean " : "", nearest ? nearest : "",
                          nearest ? "?)" : "");
}

static dew_Status check_drag(const dew_Problem *problem, int index, const dew_EventDef *event)
{
    const char *name = event->solid ? event->solid : "";
    dew_KeyPath path = dew_key_path("events", index, "solid");
    int solid = dew_problem_find_solid(problem, name);
    if (solid == DEW_INVALID)
        return no_such_solid(problem, path.text, name);
    if (!dew_problem_solid_is_movable(problem, solid))
        return dew_scene_fail(problem->scene, path.text,
                              "solid %.64s cannot be dragged (movable: true allows it)", name);
    return dew_ok();
}

dew_Status dew_problem_check_events(const dew_Problem *problem)
{
    for (int i = 0; i < dew_scene_event_count(problem->scene); i++) {
        const dew_EventDef *event = dew_scene_event(problem->scene, i);
        if (event->kind == DEW_EVENT_DRAG)
            DEW_TRY(check_drag(problem, i, event));
    }
    return dew_ok();
}

bool dew_problem_solid_is_movable(const dew_Problem *problem, int solid_id)
{
    int index = problem->solids[solid_id].scene_index;
    return index != DEW_INVALID && dew_scene_solid(problem->scene, index)->is_movable;
}

// ---- where dragged solids are ------------------------------------------------------------------

// The last drag of one solid, on top of its own motion: from one offset to another at constant
// velocity.
typedef struct Drag {
    dew_Vec3 from_m, to_m;
    double begin_s, end_s;
} Drag;

static dew_Vec3 offset_at(const Drag *drag, double time_s)
{
    if (!(time_s < drag->end_s))
        return drag->to_m;
    double fraction = (time_s - drag->begin_s) / (drag->end_s - drag->begin_s);
    return dew_combine(1 - fraction, drag->from_m, fraction, drag->to_m);
}

static void drag_solid(const dew_Problem *problem, int solid_id, double time_s, dew_SolidPose *pose)
{
    const dew_SolidMotion *motion = &problem->solids[solid_id].motion;
    Drag drag = {.end_s = -1};
    for (int i = 0; i < dew_scene_event_count(problem->scene); i++) {
        const dew_EventDef *event = dew_scene_event(problem->scene, i);
        if (event->kind != DEW_EVENT_DRAG || !(event->time_s < time_s) ||
            strcmp(event->solid, problem->solids[solid_id].name) != 0)
            continue;
        double end_s = event->time_s + event->over_s;
        drag =
            (Drag){.from_m = offset_at(&drag, event->time_s),
                   .to_m = dew_sub(event->translate_m, dew_motion_pose(motion, end_s).translate_m),
                   .begin_s = event->time_s,
                   .end_s = end_s};
    }
    pose->translate_m = dew_add(pose->translate_m, offset_at(&drag, time_s));
    if (time_s < drag.end_s)
        pose->velocity_m_s = dew_add_scaled(pose->velocity_m_s, 1 / (drag.end_s - drag.begin_s),
                                            dew_sub(drag.to_m, drag.from_m));
}

void dew_problem_dragged_poses(const dew_Problem *problem, double time_s, dew_SolidPose *poses)
{
    dew_problem_poses(problem, time_s, poses);
    if (dew_scene_event_count(problem->scene) == 0)
        return;
    for (int i = 0; i < problem->solid_count; i++)
        if (dew_problem_solid_is_movable(problem, i))
            drag_solid(problem, i, time_s, &poses[i]);
}

// ---- changes -----------------------------------------------------------------------------------

void dew_problem_own_scene(dew_Problem *problem, dew_Scene *scene)
{
    problem->scene = scene;
}

// A solid's material by name: the scene's say it, walls are behind them in the order of sides.
static const char *material_of(const dew_Problem *problem, int solid_id)
{
    const dew_Scene *scene = problem->scene;
    int index = problem->solids[solid_id].scene_index;
    int walls_before = solid_id - dew_scene_solid_count(scene);
    if (index != DEW_INVALID)
        return dew_scene_solid(scene, index)->material;
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        if (dew_scene_def(scene)->domain.wall_material[side] && walls_before-- == 0)
            return dew_scene_def(scene)->domain.wall_material[side];
    return NULL;
}

void dew_problem_set_material(dew_Problem *problem, dew_Scene *scene, int index,
                              const dew_MaterialDef *material)
{
    DEW_ASSERT(problem->scene == scene && dew_contact_is_valid(material));
    dew_NamedMaterial *named = DEW_ITEMS(&scene->materials, dew_NamedMaterial *)[index];
    named->def = *material;
    for (int i = 0; i < problem->solid_count; i++) {
        dew_Solid *solid = &problem->solids[i];
        const char *own = material_of(problem, i);
        const char *second = solid->scene_index == DEW_INVALID
                                 ? NULL
                                 : dew_scene_solid(scene, solid->scene_index)->affinity_material;
        if (own && strcmp(own, named->name) == 0)
            solid->material = *material;
        if (second && strcmp(second, named->name) == 0)
            solid->affinity_material = *material;
    }
}

void dew_problem_set_tension(dew_Problem *problem, dew_Scene *scene, double tension_N_m)
{
    DEW_ASSERT(problem->scene == scene);
    (void)problem;
    scene->def.liquid.surface_tension_N_m = tension_N_m;
}

uint64_t dew_problem_values_hash(const dew_Problem *problem)
{
    const dew_Scene *scene = problem->scene;
    double tension_N_m = dew_scene_def(scene)->liquid.surface_tension_N_m;
    uint64_t hash = dew_hash(&tension_N_m, sizeof tension_N_m, 0);
    for (int i = 0; i < dew_scene_material_count(scene); i++) {
        const dew_MaterialDef *m = dew_scene_material(scene, i, NULL);
        double angles_rad[] = {m->advancing_rad, m->receding_rad, m->wet_advancing_rad};
        hash = dew_hash(angles_rad, sizeof angles_rad, hash);
    }
    return hash;
}
