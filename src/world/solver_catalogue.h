/// Traits of the solvers that scenes may name but this build has not got yet: with them a scene can be
/// read, checked and planned. A solver's entry moves into its folder when the solver is written.
#pragma once

#include "scene/traits.h"

extern const dew_SolverTraits dew_catalogue_splash;
