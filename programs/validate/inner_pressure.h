/// The pressure in a drop, for comparison with Laplace's.
#pragma once

#include "dew/world.h"

/// Mean pressure of cells two cells and more inside; NaN: there are none.
dew_Status dew_inner_pressure_Pa(dew_World *world, double *out);
