// The contract's solvers that are still to come, as far as a scene can be checked and planned for them: names, dimensions,
// knobs that scenes already use, what each cannot honour by its nature, and what an element costs.
//
// bytes_per_element counts state, scratch and coefficients in double precision:
//   splash   marker-and-cell grid of 14 numbers, 8 particles of position                  38 numbers
#include "world/solver_catalogue.h"

#define NUMBERS(n) (8.0 * (n))

#define NO_DEPTH                                                                                   \
    {                                                                                              \
        "drops[].shape=depth", "a depth per cell is for solver shallow"                            \
    }

#define DIMENSIONS(n) (1u << (n))
#define COUNT(array)  (int)(sizeof(array) / sizeof((array)[0]))

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
