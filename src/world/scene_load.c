// The public calls on scenes that need World: its table of solvers, and the times of its frames.
#include "dew/scene.h"
#include "scene/traits.h"
#include "world/frames.h"
#include "world/solver_table.h"

dew_Status dew_scene_load_with(const dew_SceneLoadDef *def, dew_Scene **out)
{
    return dew_scene_read(def, dew_solver_list(), out);
}

dew_Status dew_scene_load(const char *path, dew_Scene **out)
{
    dew_SceneLoadDef def = dew_default_scene_load_def();
    def.path = path;
    return dew_scene_load_with(&def, out);
}

dew_Status dew_scene_create(const dew_SceneDef *def, const dew_Allocator *allocator,
                            dew_Scene **out)
{
    return dew_scene_begin(def, dew_solver_list(), allocator, out);
}

dew_Status dew_scene_copy(const dew_Scene *scene, const dew_Allocator *allocator, dew_Scene **out)
{
    return dew_scene_bind(scene, dew_solver_list(), allocator, out);
}

double dew_scene_frame_time_s(const dew_Scene *scene, int64_t frame)
{
    const dew_SceneDef *def = dew_scene_def(scene);
    return dew_frame_time_s(frame, def->duration_s, def->frame_rate_Hz);
}

double dew_scene_frame_count(const dew_Scene *scene)
{
    const dew_SceneDef *def = dew_scene_def(scene);
    return dew_frame_count(def->duration_s, def->frame_rate_Hz);
}
