// What the scene reader must know of the solver `apic`: parameters and unsupported keys.
//
// bytes_per_element: level set, velocities, pressure, solids (10 numbers), scratch and coefficients
// of a step (40 numbers), 8 particles of 13 numbers and their sorting (16 numbers).
#include "solvers/apic/apic_solver.h"

#include "solvers/free_surface/parameters.h"

static const char *const transfers[] = {"apic", "pic", "flip", NULL};
static const char *const surfaces[] = {"evolved", "particles", NULL};
static const char *const forces[] = {"ghost", "external", NULL};
static const char *const solvers[] = {"multigrid", "miccg", NULL};

static const dew_Key parameters[] = {
    {.name = "transfer",
     .kind = DEW_KEY_CHOICE,
     .choices = transfers,
     .text_default = "apic",
     .doc = "between particles and grid: apic conserves angular momentum; pic and flip are for "
            "comparison"},
    {.name = "surface",
     .kind = DEW_KEY_CHOICE,
     .choices = surfaces,
     .text_default = "evolved",
     .doc = "a level set that the flow advects and particles correct, or the paper's: distances "
            "from the particles, rough"},
    {.name = "surface_tension_force",
     .kind = DEW_KEY_CHOICE,
     .choices = forces,
     .text_default = "ghost",
     .doc = "surface tension: ghost, the pressure at the surface, or external: the paper's force "
            "at boundary cells"},
    {.name = "pressure_solver",
     .kind = DEW_KEY_CHOICE,
     .choices = solvers,
     .text_default = "multigrid",
     .doc = "conjugate gradients around multigrid, or around incomplete Cholesky as in the paper"},
    {.name = "particles_per_axis",
     .kind = DEW_KEY_NUMBER,
     .min = 1,
     .max = 4,
     .number_default = 2,
     .doc = "particles of a full cell along each axis: 2 are 8 per cell"},
    DEW_LIQUID_PARAMETERS,
};

static const dew_UnsupportedKey unsupported[] = {
    {"drops[].shape=depth", "a depth per cell is for solver shallow"},
    {"output.height", "a height per column is for solver shallow"},
    {"materials[].friction", "contact-line friction is the surface solver's"},
};

// What the account may be off by: the level set is pulled to the drops' target volumes, which are
// exact, within a cell's shift of the surface (drop_labels.c).
static const dew_VolumeAllowance allowances[] = {
    {NULL, DEW_LIQUID_ALLOWANCE, DEW_LIQUID_ALLOWANCE}};
const dew_SolverTraits dew_apic_solver_traits = {
    .name = "apic",
    .purpose = "affine particle-in-cell: splashes and threads",
    .dimensions_mask = 1u << 2 | 1u << 3,
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .unsupported = unsupported,
    .unsupported_count = sizeof unsupported / sizeof unsupported[0],
    .allowances = allowances,
    .element = "cells",
    .bytes_per_element = 8 * 290,
    .peak_bytes_per_element = 1500,
    .cpu_s_per_element = 1.4e-6,
    .frame_cpu_s_per_element = 1e-6,
};
