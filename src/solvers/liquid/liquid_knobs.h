/// Knobs that every solver of liquid on bricks has; dew_liquid_laws reads them.
#pragma once

#include "scene/traits.h"

#define DEW_LIQUID_KNOBS                                                                           \
    {.name = "tension_factor",                                                                     \
     .kind = DEW_KEY_NUMBER,                                                                       \
     .min = 0.1,                                                                                   \
     .max = 8,                                                                                     \
     .number_default = 3,                                                                          \
     .doc = "longest step in units of the capillary limit sqrt(rho h^3 / (2 pi sigma))"},          \
        {.name = "cfl",                                                                            \
         .kind = DEW_KEY_NUMBER,                                                                   \
         .min = 0.01,                                                                              \
         .max = 0.95,                                                                              \
         .number_default = 0.8,                                                                    \
         .doc = "longest way of the liquid in a step, in cells"},                                  \
        {.name = "tolerance",                                                                      \
         .kind = DEW_KEY_NUMBER,                                                                   \
         .min = 1e-12,                                                                             \
         .max = 1e-2,                                                                              \
         .number_default = 1e-6,                                                                   \
         .doc = "relative error at which the pressure is solved"},                                 \
    {                                                                                              \
        .name = "corrections", .kind = DEW_KEY_NUMBER, .min = 0, .max = 4, .number_default = 1,    \
        .doc = "further solves that make the pressure's gradient at the surface second order"      \
    }
