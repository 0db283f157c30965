// What the scene reader must know of the solver `shallow`: parameters and unsupported keys.
//
// bytes_per_element: depth, two velocities, distance, ground, slip and sills (8 numbers), two
// velocities, two fluxes, share and head of a step (6 numbers), World's copy of the state (4
// numbers), a frame's (2 numbers).
#include "solvers/shallow/shallow_solver.h"

#include "solvers/shallow/films/thin_film.h"

static const char *const models[] = {"level-set", "finite-difference", "finite-volume",
                                     "finite-volume-semi-lagrangian", NULL};
static const char *const advections[] = {"upwind", "semi-lagrangian", "differences", NULL};
static const char *const tensions[] = {"auto", "on", "off", NULL};
static const char *const shores[] = {"balanced", "paper", NULL};

static const dew_Key parameters[] = {
    {.name = "model",
     .kind = DEW_KEY_CHOICE,
     .choices = models,
     .text_default = "level-set",
     .doc = "how depth and velocity are advanced; level-set tracks the contact line"},
    {.name = "advection",
     .kind = DEW_KEY_CHOICE,
     .choices = advections,
     .text_default = "upwind",
     .doc = "of velocities, as the paper has it: semi-lagrangian in the model level-set, "
            "differences in "
            "finite-volume"},
    {.name = "shore",
     .kind = DEW_KEY_CHOICE,
     .choices = shores,
     .text_default = "balanced",
     .doc = "dry ground above the liquid holds it: balanced; paper: its height pushes"},
    {.name = "tension",
     .kind = DEW_KEY_CHOICE,
     .choices = tensions,
     .text_default = "auto",
     .doc = "surface tension and contact angles, model level-set only; auto: where cells are "
            "smaller than the capillary length, 2.7 mm for water"},
    {.name = "pace",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .is_min_open = true,
     .max = 1e4,
     .number_default = 3,
     .doc = "with tension: the step in capillary ones, or in those of a viscous contact line; "
            "above 4, lines of liquids like water move slower"},
    {.name = "drag",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e3,
     .number_default = 0,
     .doc = "friction of rough ground: slows by drag u^2 / depth; 0.003 for a river"},
    {.name = "cfl",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .is_min_open = true,
     .max = 1,
     .number_default = 0.8,
     .doc = "cells that the fastest signal may pass in a step"},
};
static bool is_level_set(const dew_Scene *scene)
{
    return dew_scene_parameter_is(scene, "model", "level-set");
}

static bool is_finite_volume(const dew_Scene *scene)
{
    return dew_scene_parameter_is(scene, "model", "finite-volume");
}

static bool has_tension(const dew_Scene *scene)
{
    return dew_film_is_wanted(scene);
}

static bool has_no_tension(const dew_Scene *scene)
{
    return !dew_film_is_wanted(scene);
}

/// Films that move solve the law of the contact line in each step: 5.5 times the cost of waves, by
/// the two scenes of tests/plan.py in one run without output.
static double cpu_factor(const dew_Scene *scene)
{
    return dew_film_is_wanted(scene) ? 5.5 : 1;
}

// Where surface tension is felt, film_step.c takes the place of the models.
#define NO_TENSION "tension: off, or with cells larger than the capillary length"
static const dew_ParameterRule rules[] = {
    {"advection", "semi-lagrangian", is_level_set, "model: level-set"},
    {"advection", "differences", is_finite_volume, "model: finite-volume"},
    {"tension", "on", is_level_set, "model: level-set"},
    {"tension", "on", has_tension, "a liquid that has surface tension"},
    {"pace", NULL, has_tension,
     "surface tension (model: level-set, tension: on, or auto and cells smaller than the capillary "
     "length)"},
    {"advection", NULL, has_no_tension, NO_TENSION},
    {"shore", NULL, has_no_tension, NO_TENSION},
    {"drag", NULL, has_no_tension, NO_TENSION},
    {"cfl", NULL, has_no_tension, NO_TENSION},
};

static const dew_UnsupportedKey unsupported[] = {
    {"output.volume", "it has a depth per column, written as frames/height.NNNN.csv"},
    {"output.particles", "it has no particles"},
    {"output.wetmap", "it keeps no wet map; frames/height.NNNN.csv says what is wet"},
};
#define NO_LINE                                                                                    \
    "waves have no contact angle (shallow.tension: on, or cells smaller than the capillary "       \
    "length)"
static const dew_UnsupportedKey unsupported_of_waves[] = {
    {"materials[].dynamic_angle", NO_LINE},
    {"materials[].slip_length", NO_LINE},
    {"materials[].jump_length", NO_LINE},
    {"materials[].jump_frequency", NO_LINE},
};
// What the account may be off by: volume moves by fluxes, so only rounding is lost;
// finite-difference loses by design, without bound (the paper: roughly 60 % in 3 s), and gains
// nothing (semi_lagrangian.c).
static const dew_VolumeAllowance allowances[] = {
    {"finite-difference", 1, 1e-9},
    {NULL, 1e-9, 1e-9},
};
const dew_SolverTraits dew_shallow_solver_traits = {
    .name = "shallow",
    .purpose = "height field with a moving contact line: films and puddles",
    .dimensions_mask = 1u << 1 | 1u << 2,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .rules = rules,
    .rule_count = sizeof rules / sizeof rules[0],
    .unsupported = unsupported,
    .unsupported_count = sizeof unsupported / sizeof unsupported[0],
    .unsupported_at_times = unsupported_of_waves,
    .unsupported_at_times_count = sizeof unsupported_of_waves / sizeof unsupported_of_waves[0],
    .is_at_times = has_no_tension,
    .warning = dew_film_warning,
    .allowances = allowances,
    .element = "columns",
    .bytes_per_element = 8.0 * 20,
    .peak_bytes_per_element = 700,
    .cpu_s_per_element = 0.15e-6,
    .frame_cpu_s_per_element = 0.3e-6,
    .cpu_factor = cpu_factor,
    .elements_fill_domain = true,
};
