// The toe of a drop: how the edge of a height field is spread over a cell and a half.
//
// Where pressure is small beside sigma / d the surface rises through the toe with sigma cos(alpha) + W = sigma, W =
// sigma (1 - cos theta) a(D / d): its slope is 0 at the very edge and that of theta where D = d. For small angles D =
// d (1 - cos(k x)), k = theta / d; the toe is pi / 2 / k wide, and the wedge of angle theta that continues the
// surface above it ends at (pi / 2 - 1) / k from its edge.
#include "solvers/shallow/film.h"

#define PARTS        64
#define STEEPEST_COS 0.26  // 75 degrees; a toe is not made for steeper surfaces

double dew_film_toe_m(double cos_angle, double cell_m)
{
    double c = fmin(fmax(cos_angle, STEEPEST_COS), 1 - 1e-4), width = 0;
    for (int i = 0; i < PARTS; i++) {  // of dD / tan(alpha), with D = d (1 - cos q)
        double q = (i + 0.5) / PARTS * 0.5 * DEW_PI, s = 1 - cos(q);
        double slope_cos = 1 - (1 - c) * s * (2 - s);
        width += sin(q) * slope_cos / sqrt(1 - slope_cos * slope_cos) * 0.5 * DEW_PI / PARTS;
    }
    return DEW_FILM_TOE * cell_m / width;
}

double dew_film_wedge_m(double depth, double toe)
{
    return depth < toe ? toe * (acos(1 - fmax(depth, 0) / toe) - (0.5 * DEW_PI - 1)) : depth;
}
