/// The outline of the wetted base of a drop that slides along +x, and the corner at its rear.
#pragma once

#include "validate/stage.h"

/// The largest drop.
dew_Status dew_sliding_largest(dew_Stage *stage, dew_Drop *out);

/// Sine of half the opening angle between the two sides of the largest drop's rear. NaN where no
/// sides are seen. Looks at the surface as it is now.
dew_Status dew_sliding_sine(dew_Stage *stage, const dew_Drop *largest, double *sine);
