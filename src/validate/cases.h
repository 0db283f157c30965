/// The cases, one per file, for case_table.c alone.
#pragma once

#include "validate/validate.h"

extern const dew_Case dew_case_falling_ball;
extern const dew_Case dew_case_hysteresis_loop;
extern const dew_Case dew_case_sampled_sphere;
