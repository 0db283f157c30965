// What the scene reader must know of the solver `volume`: parameters and unsupported keys.
//
// bytes_per_element: level set, velocities, pressure, solids (10 numbers), scratch and coefficients
// of a step (30 numbers).
#include "solvers/volume/volume_solver.h"

#include "solvers/free_surface/parameters.h"

static const char *const contacts[] = {"ghost", "stencil", NULL};
static const char *const pressures[] = {"second-order", "first-order", NULL};
static const char *const pinnings[] = {"memory", "zero-pressure", NULL};

static const dew_Key parameters[] = {
    {.name = "contact",
     .kind = DEW_KEY_CHOICE,
     .choices = contacts,
     .text_default = "ghost",
     .doc = "contact angle: ghost, or stencil: the paper's virtual surface per cell"},
    {.name = "pressure",
     .kind = DEW_KEY_CHOICE,
     .choices = pressures,
     .text_default = "second-order",
     .doc = "pressure at the free surface: second-order, or first-order as in the paper"},
    {.name = "pinning",
     .kind = DEW_KEY_CHOICE,
     .choices = pinnings,
     .text_default = "memory",
     .doc = "what holds a pinned line: memory, or zero-pressure, eq. 10 of the paper"},
    {.name = "static_speed",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e3,
     .number_default = 0.01,
     .doc = "m/s below which a contact line counts as at rest for pinning: zero-pressure"},
    DEW_LIQUID_PARAMETERS,
    {.name = "markers",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 64,
     .number_default = 0,
     .doc = "marker particles per cell beside fast surfaces, 32 in the paper; 0: none"},
};

static bool is_held_by_pressure(const dew_Scene *scene)
{
    return dew_scene_parameter_is(scene, "pinning", "zero-pressure");
}

static bool is_second_order(const dew_Scene *scene)
{
    return dew_scene_parameter_is(scene, "pressure", "second-order");
}

static const dew_ParameterRule rules[] = {
    {"static_speed", NULL, is_held_by_pressure, "pinning: zero-pressure"},
    {"corrections", NULL, is_second_order, "pressure: second-order"},
};

static const dew_UnsupportedKey unsupported[] = {
    {"drops[].shape=depth", "a depth per cell is for solver shallow"},
    {"output.height", "a height per column is for solver shallow"},
    {"materials[].friction", "contact-line friction is the surface solver's"},
};

static const dew_UnsupportedKey not_yet[] = {
    {"output.particles", "it has no particles"},
};

// What the account may be off by: the level set is pulled to the drops' target volumes, which are
// exact, within a cell's shift of the surface (drop_labels.c).
static const dew_VolumeAllowance allowances[] = {
    {NULL, DEW_LIQUID_ALLOWANCE, DEW_LIQUID_ALLOWANCE}};
const dew_SolverTraits dew_volume_solver_traits = {
    .name = "volume",
    .purpose = "level set on sparse bricks: drops with their inner flow",
    .dimensions_mask = 1u << 2 | 1u << 3,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .rules = rules,
    .rule_count = sizeof rules / sizeof rules[0],
    .unsupported = unsupported,
    .unsupported_count = sizeof unsupported / sizeof unsupported[0],
    .not_yet = not_yet,
    .not_yet_count = sizeof not_yet / sizeof not_yet[0],
    .allowances = allowances,
    .element = "cells",
    .bytes_per_element = 8 * 40,
    .peak_bytes_per_element = 640,
    .cpu_s_per_element = 1.3e-6,
    .frame_cpu_s_per_element = 1e-6,
};
