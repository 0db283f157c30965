// Parameters of the scene's solver as values: read as those of a file are, from a node that has the
// value instead of a text, so that kind, range and choices are checked by the same rules.
#include "base/status.h"
#include "scene/scene.h"
#include "scene/shown.h"

#include <string.h>

// The place of a parameter among those of the scene's solver, or DEW_INVALID after a diagnostic.
static int find_parameter(const dew_Scene *scene, const char *name, dew_Diagnostics *diagnostics)
{
    const dew_SolverTraits *traits = scene->solver;
    const char *names[64] = {0};
    int count = traits ? traits->parameter_count : 0;
    if (!traits) {
        dew_diagnose(diagnostics, NULL, "the scene's solver, %s, is unknown",
                     dew_shown(scene->def.solver ? scene->def.solver : "").text);
        return DEW_INVALID;
    }
    for (int k = 0; k < count; k++) {
        if (strcmp(traits->parameters[k].name, name) == 0)
            return k;
        if (k < 64)
            names[k] = traits->parameters[k].name;
    }
    dew_Hint hint = dew_hint(diagnostics, name, names, count < 64 ? count : 64);
    dew_diagnose(diagnostics, NULL, "unknown parameter of the solver %s %s", traits->name,
                 hint.text);
    return DEW_INVALID;
}

static dew_Status set_parameter(dew_Scene *scene, const char *name, const dew_Node *value)
{
    dew_Diagnostics diagnostics = {0};
    dew_path_key(&diagnostics, scene->def.solver ? scene->def.solver : "solver");
    dew_path_key(&diagnostics, name);
    int k = find_parameter(scene, name, &diagnostics);
    if (k != DEW_INVALID) {
        dew_Parameter *parameter =
            &scene->parameters[dew_solver_find(scene->solvers, scene->solver->name)][k];
        dew_Parameter changed = *parameter;
        dew_parameter_read(&scene->solver->parameters[k], value, &changed, &diagnostics);
        if (diagnostics.count == 0) {
            *parameter = changed;
            scene->is_edited = true;
        }
    }
    return dew_diagnostics_end(&diagnostics);
}

dew_Status dew_scene_set_parameter(dew_Scene *scene, const char *name, double value)
{
    return set_parameter(scene, name, &(dew_Node){.kind = DEW_NODE_NUMBER, .number = value});
}

dew_Status dew_scene_set_parameter_flag(dew_Scene *scene, const char *name, bool value)
{
    const char *text = value ? "true" : "false";
    return set_parameter(scene, name, &(dew_Node){.kind = DEW_NODE_SCALAR, .text = text});
}

dew_Status dew_scene_set_parameter_text(dew_Scene *scene, const char *name, const char *value)
{
    char *text = dew_arena_text(&scene->arena, value, strlen(value));
    if (!text)
        return dew_no_memory(strlen(value));
    return set_parameter(scene, name, &(dew_Node){.kind = DEW_NODE_SCALAR, .text = text});
}
