// Drying, added to the wetting history of [Wang2005, section 6].
//
// Only the time of the last contact is stored. Wetness is a pure function of it, so nothing needs
// to be advanced in time, and results do not depend on the step.
#include "wetting/history.h"

#include <math.h>

double dew_wetness(double last_wet_s, double time_s, double dries_after_s)
{
    double age_s = time_s - last_wet_s;
    if (!(age_s > 0))
        return 1;
    if (isinf(age_s) || !(age_s < dries_after_s))
        return 0;
    return 1 - age_s / dries_after_s;  // 1 for an infinite drying time
}
