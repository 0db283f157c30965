/// What rounding can do to a length, an angle or a count of cells that is computed in more than one
/// way, and to a difference of coordinates.
#pragma once

#include <float.h>

/// Relative: some thousand operations' worth of DBL_EPSILON. Values that agree within it are taken
/// as equal.
#define DEW_ROUNDING 1e-12

/// Relative: what is nearer to a solid touches it. Distances to shapes that are found by iteration
/// agree within it.
#define DEW_TOUCH_ROUNDING 1e-9

/// Part of the coordinates above which their difference has at least 16 correct bits, enough for a
/// direction.
#define DEW_DIRECTION_ROUNDING (DBL_EPSILON * 65536)
