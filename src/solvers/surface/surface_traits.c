// What the scene reader must know of the solver `surface`: parameters and unsupported keys.
#include "solvers/surface/surface_solver.h"

#include "solvers/surface/drop_work.h"

static const char *const corrections[] = {"global", "local", NULL};

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
};

static const dew_UnsupportedKey unsupported[] = {
    {"drops[].shape=depth", "a depth per cell is for solver shallow"},
    {"output.volume", "it has no grid of cells"},
    {"output.particles", "it has no particles"},
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
    .unsupported = unsupported,
    .unsupported_count = sizeof unsupported / sizeof unsupported[0],
    .allowances = allowances,
    .element = "triangles",
    .bytes_per_element = 480,
    .edge_per_radius = DEW_EDGE_PER_RADIUS,
    .peak_bytes_per_element = 2400,
    .cpu_s_per_element = 4e-6,
    .frame_cpu_s_per_element = 1e-6,
    .max_step_s = DEW_SURFACE_MAX_STEP_S,
};
