// What the scene reader must know of the solver `rigid`: its knobs and what it does not honour.
#include "solvers/rigid/rigid.h"

#include <math.h>

static const dew_Key knobs[] = {
    {.name = "restitution",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1,
     .number_default = 0.5,
     .doc = "rebound speed over impact speed"},
    {.name = "friction",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e6,
     .number_default = 0.3,
     .doc = "Coulomb friction between ball and solid"},
    {.name = "rolling",
     .kind = DEW_KEY_NUMBER,
     .min = 0,
     .max = 1e6,
     .number_default = 0.01,
     .doc = "rolling resistance: deceleration over the pressing acceleration"},
    {.name = "rest_speed",
     .kind = DEW_KEY_NUMBER,
     .unit = DEW_UNIT_SPEED,
     .min = 0,
     .max = 1e6,
     .number_default = 0.01,
     .doc = "a slower rebound becomes a contact"},
    {.name = "collide",
     .kind = DEW_KEY_FLAG,
     .number_default = 1,
     .doc = "whether balls meet one another"},
};

#define NOT_A_BALL "its drops are balls (shape: sphere)"
#define NO_LIQUID  "its balls have no contact line and leave nothing behind"

static const dew_UnsupportedKey unsupported[] = {
    {"wind", "its balls feel no air"},
    {"events[].kind=wind", "its balls feel no air"},
    {"drops[].shape=ellipsoid", NOT_A_BALL},
    {"drops[].shape=box", NOT_A_BALL},
    {"drops[].shape=cylinder", NOT_A_BALL},
    {"drops[].shape=cap", NOT_A_BALL},
    {"drops[].shape=mesh", NOT_A_BALL},
    {"drops[].shape=depth", NOT_A_BALL},
    {"drops[].shape=scatter", NOT_A_BALL},
    {"sources[].shape=disk", "it has no continuous inflow (drip and rain work)"},
    {"sources[].shape=condensation", "it has no continuous inflow (drip and rain work)"},
    {"solids[].affinity_map", NO_LIQUID},
    {"liquid.viscosity", "its balls have no inner flow"},
    {"materials[].advancing", NO_LIQUID},
    {"materials[].receding", NO_LIQUID},
    {"materials[].wet_advancing", NO_LIQUID},
    {"materials[].max_receding_tension", NO_LIQUID},
    {"materials[].slip", NO_LIQUID},
    {"materials[].friction", "contact-line friction is not that of a ball (rigid.friction is)"},
    {"materials[].dries_after", NO_LIQUID},
    {"output.volume", "it has no grid"},
    {"output.particles", "its balls are in the surface already"},
    {"output.wetmap", NO_LIQUID},
};

// What the account may be off by: balls keep their volume.
static const dew_VolumeAllowance allowances[] = {{NULL, 1e-9, 1e-9}};
const dew_SolverTraits dew_rigid_traits = {
    .name = "rigid",
    .purpose = "balls that fall, bounce and rest; for tests",
    .is_advertised = false,
    .dimensions_mask = 1u << 3,
    .knobs = knobs,
    .knob_count = sizeof knobs / sizeof knobs[0],
    .unsupported = unsupported,
    .unsupported_count = sizeof unsupported / sizeof unsupported[0],
    .allowances = allowances,
    .element = "balls",
    .bytes_per_element = 250,
    .peak_bytes_per_element = 1000,
    .cpu_s_per_element = 20e-6,
    .elements_fill_domain = false,
};
