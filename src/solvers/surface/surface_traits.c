// What the scene reader must know of the solver `surface`: parameters and unsupported keys.
#include "solvers/surface/surface_solver.h"

#include "solvers/surface/drop_work.h"

static const char *const corrections[] = {"global", "local", NULL};
static const char *const models[] = {"energy", "paper", NULL};

static const dew_Key parameters[] = {
    {.name = "steps_per_period",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e4,
     .number_default = 24,
     .doc = "steps per period of a drop's slowest oscillation; 0: oscillations are not resolved, a "
            "step is as long as a frame (real time)"},
    {.name = "tolerance",
     .kind = DEW_KEY_NUMBER,
     .min = 1e-12,
     .max = 0.5,
     .number_default = 1e-4,
     .doc = "relative error at which the implicit step is solved"},
    {.name = "volume_correction",
     .kind = DEW_KEY_CHOICE,
     .choices = corrections,
     .text_default = "global",
     .doc = "global, or first the local one of the paper, which damps smooth motion"},
    {.name = "self_merge",
     .kind = DEW_KEY_FLAG,
     .number_default = 0,
     .doc = "whether a drop that runs into itself is joined there"},
    {.name = "sleep",
     .kind = DEW_KEY_FLAG,
     .number_default = 1,
     .doc = "whether drops at rest sleep until they are touched, tilted or fed"},
    {.name = "model",
     .kind = DEW_KEY_CHOICE,
     .choices = models,
     .text_default = "energy",
     .doc = "energy: one implicit step of all forces; paper: the filters of zhang-2011 in turn, to "
            "compare (no sleep, one step per frame)"},
    // [Zhang2011] after eq. (3): mu from 0.3 to 0.5, eta up to 0.1 cm^2/s. With less, drops on
    // solids burst (docs/theory/surface.md).
    {.name = "mu",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e4,
     .number_default = 0.4,
     .doc = "model: paper, damping of all velocities, per second"},
    {.name = "eta",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1,
     .number_default = 1e-5,
     .doc = "model: paper, viscosity of the surface in m^2/s"},
    {.name = "gamma",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e3,
     .number_default = 0,
     .doc =
         "model: paper, coefficient of the curvature flow in m^2/s; 0: from the surface tension"},
    {.name = "alpha",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e9,
     .number_default = 0,
     .doc =
         "model: paper, push on the contact line per radian beyond its bounds, in m/s^2; 0: from "
         "the surface tension"},
};

static bool is_paper(const dew_Scene *scene)
{
    return dew_scene_parameter_is(scene, "model", "paper");
}

static bool is_energy(const dew_Scene *scene)
{
    return !is_paper(scene);
}

static const dew_ParameterRule rules[] = {
    {"mu", NULL, is_paper, "model: paper"},
    {"eta", NULL, is_paper, "model: paper"},
    {"gamma", NULL, is_paper, "model: paper"},
    {"alpha", NULL, is_paper, "model: paper"},
    {"steps_per_period", NULL, is_energy, "model: energy"},
    {"sleep", NULL, is_energy, "model: energy"},
};

static const dew_UnsupportedKey unsupported[] = {
    {"drops[].shape=depth", "a depth per cell is for solver shallow"},
    {"output.height", "a height per column is for solver shallow"},
    {"output.volume", "it has no grid of cells"},
    {"output.particles", "it has no particles"},
};

#define NOT_IN_PAPER "model: paper has the forces of zhang-2011 only (model: energy takes it)"
static const dew_UnsupportedKey unsupported_of_paper[] = {
    {"wind", NOT_IN_PAPER},
    {"materials[].dynamic_angle", NOT_IN_PAPER},
    {"materials[].slip_length", NOT_IN_PAPER},
    {"materials[].jump_length", NOT_IN_PAPER},
    {"materials[].jump_frequency", NOT_IN_PAPER},
};

// What the account may be off by: each drop is scaled to its volume after each step
// (drop_volume.c).
static const dew_VolumeAllowance allowances[] = {{NULL, 1e-6, 1e-6}};
const dew_SolverTraits dew_surface_solver_traits = {
    .name = "surface",
    .purpose = "deformable triangle mesh without interior: many drops in real time",
    .dimensions_mask = 1u << 3,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .rules = rules,
    .rule_count = sizeof rules / sizeof rules[0],
    .unsupported = unsupported,
    .unsupported_count = sizeof unsupported / sizeof unsupported[0],
    .unsupported_at_times = unsupported_of_paper,
    .unsupported_at_times_count = sizeof unsupported_of_paper / sizeof unsupported_of_paper[0],
    .is_at_times = is_paper,
    .allowances = allowances,
    .element = "triangles",
    .bytes_per_element = 480,
    .edge_per_radius = DEW_EDGE_PER_RADIUS,
    .peak_bytes_per_element = 2400,
    .cpu_s_per_element = 4e-6,
    .frame_cpu_s_per_element = 1e-6,
    .max_step_s = DEW_SURFACE_MAX_STEP_S,
};
