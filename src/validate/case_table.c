/// The list of cases: one line each.
#include "validate/cases.h"

const dew_Case *const dew_case_table[] = {
    &dew_case_falling_ball,
    &dew_case_hysteresis_loop,
    &dew_case_sampled_sphere,
};
const int dew_case_count = sizeof dew_case_table / sizeof dew_case_table[0];
