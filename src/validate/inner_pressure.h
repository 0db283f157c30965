/// The pressure in a drop, for comparison with Laplace's.
#pragma once

#include "solvers/liquid/liquid.h"

/// Mean pressure two cells and more inside.
double dew_inner_pressure_Pa(const dew_Liquid *liquid);
