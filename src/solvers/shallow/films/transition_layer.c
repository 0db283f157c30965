// Transition layer: the contact line of a height field, spread over about two cells.
//
//          free surface       D: depth.  d: height of the layer.  theta: contact angle.
//        __/                  x: distance from the inner end of the layer.
//       _/ |                  alpha: slope angle of the surface within the layer.
//     _/   | d
//   --_____|___ ground        sigma cos(alpha) + sigma (1 - cos theta) a(D / d) = sigma
//
// The equation holds where the pressure is small against sigma / d. The slope is 0 at the edge
// and tan(theta) at D = d. For small angles D = d (1 - cos(k x)), k = theta / d: the layer is
// pi / (2 k) wide, and the wedge of angle theta that extrapolates the surface above it ends at
// (pi / 2 - 1) / k from its edge. For any angle, with D = d (1 - sin q),
//
//     x tan(theta) / d = integral of (1 + m sin^2 q) / sqrt(1 + n sin^2 q) dq,
//     m = 1 / cos(theta) - 1,  n = tan^2(theta / 2).
//
// The integrand is replaced by 1 + s sin^2 q, s: dew_film_steepness, exact at both ends and
// within 1.5 % up to 65 degrees.
//
// Limits: a line that advances over a dry column must overcome a barrier of the grid, for small
// angles (1 - cos theta) / 4 (pi / (2 width))^2, width in cells. Across the axes of the grid it is
// twice that across the diagonals, so a layer that is narrow at the advancing angle makes drops
// square, on any grid.
#include "solvers/shallow/films/thin_film.h"

#define INTERVALS 64  // of the midpoint rule for the width: 2e-3 of it (thin_film_test.c)

double dew_film_layer_height_m(double cos_angle, double width_m)
{
    double c = fmin(fmax(cos_angle, cos(DEW_DEG(dew_film_params.steepest_angle_deg))), 1 - 1e-4),
           width = 0;
    for (int i = 0; i < INTERVALS; i++) {  // of dD / tan(alpha), with D = d (1 - cos q)
        double q = (i + 0.5) / INTERVALS * 0.5 * DEW_PI, s = 1 - cos(q);
        double slope_cos = 1 - (1 - c) * s * (2 - s);
        width += sin(q) * slope_cos / sqrt(1 - slope_cos * slope_cos) * 0.5 * DEW_PI / INTERVALS;
    }
    return width_m / width;
}

double dew_film_steepness(double cos_angle)
{
    double c = fmax(cos_angle, cos(DEW_DEG(dew_film_params.steepest_angle_deg)));
    return sqrt(0.5 * (1 + c)) / c - 1;
}

double dew_film_wedge_m(double depth, double layer_m, double steepness)
{
    if (depth >= layer_m)
        return depth;
    double s = 1 - fmax(depth, 0) / layer_m, q = asin(s);
    return layer_m * (1 - q - 0.5 * steepness * (q - s * sqrt(1 - s * s)));
}
