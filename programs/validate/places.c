// Places between the cells: the worst of what was found at them.
#include "validate/places.h"

#include <math.h>

double dew_farther(double a, double b, double exact)
{
    return isnan(b) || fabs(b - exact) > fabs(a - exact) ? b : a;
}
