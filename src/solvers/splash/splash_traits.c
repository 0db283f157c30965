// What the scene reader must know of the solver `splash`: parameters and unsupported keys.
//
// bytes_per_element: velocities and their copy, pressure and its equation (12 numbers), 8 markers
// of 4 numbers and their sorting (6 numbers); cells of the whole domain.
#include "solvers/splash/splash_solver.h"

#include "solvers/splash/splash_state.h"

static const char *const pressures[] = {"multigrid", "sor", NULL};
static const char *const viscosities[] = {"adaptive", "liquid", NULL};

static const dew_Key parameters[] = {
    {.name = "pressure",
     .kind = DEW_KEY_CHOICE,
     .choices = pressures,
     .text_default = "multigrid",
     .doc = "conjugate gradients around multigrid, or successive over-relaxation as in the paper"},
    {.name = "relaxation",
     .kind = DEW_KEY_NUMBER,
     .min = 0.1,
     .max = 1.99,
     .number_default = DEW_SOR_RELAXATION,
     .doc = "factor of successive over-relaxation"},
    {.name = "viscosity",
     .kind = DEW_KEY_CHOICE,
     .choices = viscosities,
     .text_default = "adaptive",
     .doc =
         "raised in each cell to what stability requires (eq. 7), or the liquid's own everywhere, "
         "which is unstable at speed"},
    DEW_PARAMETER_CFL(
        0.9, "largest displacement of the liquid in a step, in cells; shorter steps need less "
             "viscosity; at "
             "most 0.5 with tension"),
    DEW_PARAMETER_TOLERANCE(
        1e-4, "relative error at which the pressure is solved; a tenth of it, as change of cells' "
              "volume in a step, is enough too"),
    {.name = "markers_per_axis",
     .kind = DEW_KEY_NUMBER,
     .min = 2,
     .max = 4,
     .number_default = 2,
     .doc = "markers of a full cell along each axis: 2 are 8 per cell"},
    {.name = "reseed_every",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1000,
     .number_default = 2,
     .doc = "steps between reseedings of markers in full cells; 0: never, as in the paper"},
    {.name = "tension",
     .kind = DEW_KEY_FLAG,
     .doc = "surface tension and the materials' contact angles, by a level set over the markers"},
    DEW_PARAMETER_TENSION_FACTOR(
        2,
        "with tension: longest step in units of the capillary limit sqrt(rho h^3 / (2 pi sigma))"),
};

static bool is_relaxed(const dew_Scene *scene)
{
    return dew_scene_parameter_is(scene, "pressure", "sor");
}

static bool has_tension(const dew_Scene *scene)
{
    return dew_scene_parameter_flag(scene, "tension");
}

static bool has_no_tension(const dew_Scene *scene)
{
    return !has_tension(scene);
}

static const dew_ParameterRule rules[] = {
    {"relaxation", NULL, is_relaxed, "pressure: sor"},
    {"tension_factor", NULL, has_tension, "tension: true"},
};

static const dew_UnsupportedKey unsupported[] = {
    {"drops[].shape=depth", "a depth per cell is for solver shallow"},
    {"output.height", "a height per column is for solver shallow"},
    {"sources[].shape=condensation", "its cells are too large for dew"},
    {"materials[].friction", "it has no contact line"},
    {"wind", "its liquid does not feel the air"},
    {"events[].kind=wind", "its liquid does not feel the air"},
    {"output.wetmap", "it does not remember where liquid was"},
};

#define NO_LINE "without tension it has no contact line (set splash.tension: true)"
static const dew_UnsupportedKey without_tension[] = {
    {"materials[].dynamic_angle", NO_LINE},
    {"materials[].slip_length", NO_LINE},
    {"materials[].jump_length", NO_LINE},
    {"materials[].jump_frequency", NO_LINE},
};

// What the account may be off by: markers are no volume; their density is held to what was poured
// (marker_reseeding.c).
static const dew_VolumeAllowance allowances[] = {
    {NULL, DEW_SPLASH_ALLOWANCE, DEW_SPLASH_ALLOWANCE}};
const dew_SolverTraits dew_splash_solver_traits = {
    .name = "splash",
    .purpose = "marker-and-cell with particles: small, fast, forgiving",
    .dimensions_mask = 1u << 2 | 1u << 3,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .rules = rules,
    .rule_count = sizeof rules / sizeof rules[0],
    .unsupported = unsupported,
    .unsupported_count = sizeof unsupported / sizeof unsupported[0],
    .unsupported_at_times = without_tension,
    .unsupported_at_times_count = sizeof without_tension / sizeof without_tension[0],
    .is_at_times = has_no_tension,
    .allowances = allowances,
    .element = "cells",
    .bytes_per_element = 8 * 38,
    .peak_bytes_per_element = 1800,
    .cpu_s_per_element = 1e-6,
    .frame_cpu_s_per_element = 3e-6,
    .elements_fill_domain = true,
    .elements_are_liquid = true,
};
