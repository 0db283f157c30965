// The contract's solvers that are still to come, as far as a scene can be checked and planned for them: names, dimensions,
// knobs that scenes already use, what each cannot honour by its nature, and what an element costs.
//
// bytes_per_element counts state, scratch and coefficients in double precision:
//   shallow  ground, depth, two fluxes, distance, their old copies, a column each         20 numbers
//   splash   marker-and-cell grid of 14 numbers, 8 particles of position                  38 numbers
#include "world/solver_catalogue.h"

#define NUMBERS(n) (8.0 * (n))

#define NO_DEPTH                                                                                   \
    {                                                                                              \
        "drops[].shape=depth", "a depth per cell is for solver shallow"                            \
    }
#define NO_GRID  "it has no grid of cells"
#define NO_PARTS "it has no particles"

#define DIMENSIONS(n) (1u << (n))
#define COUNT(array)  (int)(sizeof(array) / sizeof((array)[0]))

// ---- shallow -----------------------------------------------------------------------------------

static const char *const shallow_model[] = {"level-set", "finite-difference", "finite-volume",
                                            "finite-volume-semi-lagrangian", NULL};
static const dew_Key shallow_knobs[] = {
    {.name = "model",
     .kind = DEW_KEY_CHOICE,
     .choices = shallow_model,
     .text_default = "level-set",
     .doc = "how depth and velocity are advanced; level-set tracks the contact line"},
};
static const dew_Refusal shallow_refusals[] = {
    {"output.volume", "it has a depth per column, written as frames/height.NNNN.csv"},
    {"output.particles", NO_PARTS},
};
const dew_SolverTraits dew_catalogue_shallow = {
    .name = "shallow",
    .purpose = "height field with a moving contact line: films and puddles",
    .is_advertised = true,
    .dimensions_mask = DIMENSIONS(1) | DIMENSIONS(2),
    .knobs = shallow_knobs,
    .knob_count = COUNT(shallow_knobs),
    .refusals = shallow_refusals,
    .refusal_count = COUNT(shallow_refusals),
    .element = "columns",
    .bytes_per_element = NUMBERS(20),
    .elements_fill_domain = true,
};

// ---- splash ------------------------------------------------------------------------------------

static const dew_Refusal splash_refusals[] = {NO_DEPTH};
const dew_SolverTraits dew_catalogue_splash = {
    .name = "splash",
    .purpose = "marker-and-cell with particles: small, fast, forgiving",
    .is_advertised = true,
    .dimensions_mask = DIMENSIONS(2) | DIMENSIONS(3),
    .refusals = splash_refusals,
    .refusal_count = COUNT(splash_refusals),
    .element = "cells",
    .bytes_per_element = NUMBERS(38),
    .elements_fill_domain = true,
};
