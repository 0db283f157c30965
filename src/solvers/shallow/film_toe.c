// The toe of a drop: how the edge of a height field is spread over a cell and a half or two.
//
// Where pressure is small beside sigma / d the surface rises through the toe with sigma cos(alpha) + W = sigma, W =
// sigma (1 - cos theta) a(D / d): its slope is 0 at the very edge and that of theta where D = d. For small angles D =
// d (1 - cos(k x)), k = theta / d; the toe is pi / 2 / k wide, and the wedge of angle theta that continues the
// surface above it ends at (pi / 2 - 1) / k from its edge. For any angle, with D = d (1 - sin q), the way from the toe's
// inner end is an elliptic integral,
//     x tan(theta) / d = integral of (1 + m sin^2 q) / sqrt(1 + n sin^2 q),    m = 1 / cos(theta) - 1, n = tan^2(theta / 2),
// here with 1 + bend sin^2 q for the integrand, which is right at both ends: within 1.5 % up to 65 degrees.
//
// A line that advances over a dry column needs more push than at other places between columns: by 1 - cos(theta) times a
// quarter of (pi / 2 / width in cells)^2 in the linear toe. Across the axes of the grid this is twice of what it is across its
// diagonals, and a face that hysteresis holds does not swing over it; so a toe that is narrow at the advancing angle makes
// drops square, on any grid.
#include "solvers/shallow/film.h"

#define PARTS        64
#define STEEPEST_COS 0.26  // 75 degrees; a toe is not made for steeper surfaces

double dew_film_toe_m(double cos_angle, double width_m)
{
    double c = fmin(fmax(cos_angle, STEEPEST_COS), 1 - 1e-4), width = 0;
    for (int i = 0; i < PARTS; i++) {  // of dD / tan(alpha), with D = d (1 - cos q)
        double q = (i + 0.5) / PARTS * 0.5 * DEW_PI, s = 1 - cos(q);
        double slope_cos = 1 - (1 - c) * s * (2 - s);
        width += sin(q) * slope_cos / sqrt(1 - slope_cos * slope_cos) * 0.5 * DEW_PI / PARTS;
    }
    return width_m / width;
}

double dew_film_bend(double cos_angle)
{
    double c = fmax(cos_angle, STEEPEST_COS);
    return sqrt(0.5 * (1 + c)) / c - 1;
}

double dew_film_wedge_m(double depth, double toe, double bend)
{
    if (depth >= toe)
        return depth;
    double s = 1 - fmax(depth, 0) / toe, q = asin(s);
    return toe * (1 - q - 0.5 * bend * (q - s * sqrt(1 - s * s)));
}
