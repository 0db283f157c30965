// Cube cut by a plane: [ScardovelliZaleski2000], components sorted and scaled so that they add up to one.
//
// With m1 <= m2 <= m3, m1 + m2 + m3 = 1 and the corner where m . y is least as origin, the volume below
// m . y = alpha is a piecewise cubic in alpha, told here for alpha <= 1/2; the rest follows by symmetry.
// Its derivative is the plane's area times |m|.
#include "grid/plane_cut.h"

#include "geom/vec.h"

// Volume for alpha in [0, 1/2] and its derivative.
static double below(double m1, double m2, double m3, double alpha, double *slope)
{
    double m12 = m1 + m2, m = m12 < m3 ? m12 : m3;
    double v1 = m1 * m1 / fmax(6 * m2 * m3, 1e-300);
    if (alpha < m1) {
        *slope = 3 * alpha * alpha / (6 * m1 * m2 * m3);
        return alpha * alpha * alpha / (6 * m1 * m2 * m3);
    }
    if (alpha < m2) {
        *slope = (2 * alpha - m1) / (2 * m2 * m3);
        return alpha * (alpha - m1) / (2 * m2 * m3) + v1;
    }
    if (alpha < m) {
        double a2 = alpha * alpha;
        *slope = (-3 * a2 + 6 * m12 * alpha - 3 * m1 * m1 - 3 * m2 * m2) / (6 * m1 * m2 * m3);
        return (a2 * (3 * m12 - alpha) + m1 * m1 * (m1 - 3 * alpha) + m2 * m2 * (m2 - 3 * alpha)) /
               (6 * m1 * m2 * m3);
    }
    if (m12 <= m3) {
        *slope = 1 / m3;
        return (alpha - m12 / 2) / m3;
    }
    double a2 = alpha * alpha, s = m1 * m1 + m2 * m2 + m3 * m3;
    double cubes = m1 * m1 * m1 + m2 * m2 * m2 + m3 * m3 * m3;
    *slope = (-6 * a2 + 6 * alpha - 3 * s) / (6 * m1 * m2 * m3);
    return (a2 * (3 - 2 * alpha) - 3 * alpha * s + cubes) / (6 * m1 * m2 * m3);
}

// The components sorted; returns their sum.
static double sorted(const double n[3], double m[3])
{
    for (int a = 0; a < 3; a++)
        m[a] = fabs(n[a]);
    for (int a = 0; a < 2; a++)  // three numbers sorted by three swaps
        for (int b = 0; b < 2 - a; b++)
            if (m[b] > m[b + 1]) {
                double swap = m[b];
                m[b] = m[b + 1];
                m[b + 1] = swap;
            }
    return m[0] + m[1] + m[2];
}

// Slivers of a component lose all digits in the cubic: below this they are zero to rounding.
static void scale(double m[3], double sum)
{
    for (int a = 0; a < 3; a++)
        m[a] = m[a] < 1e-7 * sum ? 0 : m[a] / sum;
}

static double length_of(const double m[3])
{
    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
}

static double cut(const double m[3], double alpha, double *slope)
{
    return alpha <= 0.5 ? below(m[0], m[1], m[2], alpha, slope)
                        : 1 - below(m[0], m[1], m[2], 1 - alpha, slope);
}

double dew_plane_cut(const double n[3], double d, double *area)
{
    double m[3], sum = sorted(n, m), slope = 0, room;
    double alpha = sum > 0 ? 0.5 - d / sum : d < 0;  // no plane: all or nothing
    area = area ? area : &room;
    *area = 0;
    if (alpha <= 0 || alpha >= 1)  // the plane is beside the cube
        return alpha >= 1;
    scale(m, sum);
    double volume = cut(m, alpha, &slope);
    *area = slope * length_of(m);
    return volume;
}

dew_CutPlane dew_plane_make(const double n[3])
{
    dew_CutPlane plane;
    plane.sum = sorted(n, plane.m);
    if (plane.sum > 0)
        scale(plane.m, plane.sum);
    plane.length = length_of(plane.m);
    return plane;
}

double dew_plane_at(const dew_CutPlane *plane, double d, double *area)
{
    double alpha = plane->sum > 0 ? 0.5 - d / plane->sum : d < 0, slope = 0;
    *area = 0;
    if (alpha <= 0 || alpha >= 1)
        return alpha >= 1;
    double volume = cut(plane->m, alpha, &slope);
    *area = slope * plane->length;
    return volume;
}
