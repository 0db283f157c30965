/// What the scene reader must know of a solver to check a scene for it: its name, dimensions, its
/// own parameters, and the keys it does not honour. A solver's folder holds its traits;
/// world/solver_table.c hands the list to the reader. So a new solver needs no change in the
/// reader.
#pragma once

#include "dew/scene.h"
#include "scene/schema.h"

/// A key that the solver does not honour, and why. Giving it is an error, never silently ignored.
typedef struct dew_UnsupportedKey {
    const char *path;  // "wind", "solids[].affinity_map", "drops[].shape=depth", "output.volume",
                       // "materials[].friction", "domain.walls.ceiling"
    const char *why;   // completes "solver X does not take KEY: ..."
} dew_UnsupportedKey;

/// A key of the solver's own block that other values leave without effect. Giving it then is an
/// error, unless the value is its default.
typedef struct dew_ParameterRule {
    const char *parameter;
    const char *choice;  // the rule is about this choice; NULL: about every value but the default
    bool (*has_effect)(const dew_Scene *scene);  // asked of a bound scene
    const char *needs;                           // completes "has an effect only with ..."
} dew_ParameterRule;

/// What a solver warns of in a scene that it can run; reported once.
typedef struct dew_SceneWarning {
    char path[96];    // the key it is about
    char words[192];  // empty: none
} dew_SceneWarning;

/// How far the volume may be off what the account says, over the most that the account ever had:
/// World ends a run that is further off. The numbers are in docs/manual/run_directory.md, with
/// their reasons.
typedef struct dew_VolumeAllowance {
    const char *model;  // of the solver's parameter `model`; NULL: all that are not in a row before
    double loss, gain;
} dew_VolumeAllowance;

typedef struct dew_SolverTraits {
    const char *name;           // as in scene files, and the name of its block of parameters
    const char *purpose;        // one line for help and plan
    unsigned dimensions_mask;   // bit 1, 2, 3: that many dimensions can be had
    const dew_Key *parameters;  // the keys of its block, values kept by the scene
    int parameter_count;
    const dew_ParameterRule *rules;
    int rule_count;
    const dew_UnsupportedKey *unsupported;
    int unsupported_count;
    const dew_UnsupportedKey *unsupported_at_times;  // where is_at_times, asked of a bound scene
    int unsupported_at_times_count;
    bool (*is_at_times)(const dew_Scene *scene);
    const dew_UnsupportedKey
        *not_yet;  // its own subject, not in this build: can be checked, not run
    int not_yet_count;
    void (*warning)(const dew_Scene *scene, dew_SceneWarning *out);  // NULL: it has none
    const dew_VolumeAllowance *allowances;  // rows, the last with model NULL
    // For the plan of `dew check`: what an element is and what it costs.
    const char *element;            // "cells", "triangles", "drops"
    double bytes_per_element;       // memory of the state for each
    double peak_bytes_per_element;  // of a run at its peak beyond the program's own, as measured
    double max_step_s;       // > 0: a step lasts a frame, up to this; each drop takes its own
                             // shorter ones within. 0: cells limit the step
    double edge_per_radius;  // triangles: no drop has longer edges, in its radii; 0: they are cells
    double cpu_s_per_element;        // of a step, as measured: both in docs/manual/plan.md
    double frame_cpu_s_per_element;  // of a frame: its surface and files
    double (*cpu_factor)(const dew_Scene *scene);  // of a step's cost in this scene; NULL: 1
    bool
        elements_fill_domain;  // cells of the whole domain (dense), else of the liquid and its band
    bool elements_are_liquid;  // those that hold liquid alone; the others take memory too
} dew_SolverTraits;

/// CPU time per element and step of a scene.
static inline double dew_traits_step_cpu_s(const dew_SolverTraits *traits, const dew_Scene *scene)
{
    return traits->cpu_s_per_element * (traits->cpu_factor ? traits->cpu_factor(scene) : 1);
}

/// The solvers that a reader knows.
typedef struct dew_SolverList {
    const dew_SolverTraits *const *traits;
    int count;  // at most DEW_MAX_SOLVERS
} dew_SolverList;
enum { DEW_MAX_SOLVERS = 8 };  // five, a test's own, and some to come

/// Reads as dew_scene_load_with does, for these solvers, whose list must outlive the scene.
/// (dew_scene_load_with passes World's table.) Every DEW_BAD_INPUT has been logged to def->log.
dew_Status dew_scene_read(const dew_SceneLoadDef *def, dew_SolverList solvers, dew_Scene **out);

/// Begins a scene as dew_scene_create does, for these solvers.
dew_Status dew_scene_begin(const dew_SceneDef *def, dew_SolverList solvers,
                           const dew_Allocator *allocator, dew_Scene **out);

/// The scene as these solvers see it: a checked copy with the parameters of its solver. World binds
/// a scene that was made in code or changed since it was read; a scene read from a file is bound.
bool dew_scene_is_bound(const dew_Scene *scene);
dew_Status dew_scene_bind(const dew_Scene *scene, dew_SolverList solvers,
                          const dew_Allocator *allocator, dew_Scene **out);

/// DEW_UNSUPPORTED with the first key that the scene's solver is to take but does not in this
/// build. The scene must be bound.
dew_Status dew_scene_check_build(const dew_Scene *scene);

/// The traits of the scene's solver; NULL: not bound.
const dew_SolverTraits *dew_scene_solver(const dew_Scene *scene);

/// Cells along x, y and z, as doubles because there may be 10^18. Directions that the scene's
/// dimensions leave out count one: z in 2 dimensions; y (and z, in 1 dimension) for a solver that
/// has no 3.
void dew_scene_cell_counts(const dew_Scene *scene, double counts[3]);

/// Value or default of a parameter of the scene's own solver. Number, flag or choice must be the
/// kind that the solver's traits declare. The scene must be bound.
double dew_scene_parameter_number(const dew_Scene *scene, const char *key);
bool dew_scene_parameter_flag(const dew_Scene *scene, const char *key);
const char *dew_scene_parameter_choice(const dew_Scene *scene, const char *key);
bool dew_scene_parameter_is(const dew_Scene *scene, const char *key, const char *choice);

/// Was the key at this dotted path given (not defaulted), and at which line? 0: not given; -1:
/// given by --set or --solver.
int dew_scene_line(const dew_Scene *scene, const char *path);

/// "FILE:LINE: " of a key, for messages of later stages; "--set KEY=VALUE: " where that gave it,
/// "FILE: " where nothing did ("" when the scene is not from a file).
void dew_scene_place(const dew_Scene *scene, const char *path, char *out, size_t size);

/// Hash of all that decides the result: the canonical text without duration, title, output and
/// looks, and of the files it names only their last part, so that a run directory can be moved.
uint64_t dew_scene_hash(const dew_Scene *scene);
