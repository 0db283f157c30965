// The public calls that read a scene: the reader with World's table of solvers.
#include "dew/scene.h"
#include "scene/traits.h"
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
