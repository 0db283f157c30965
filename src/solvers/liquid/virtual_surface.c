// The virtual surface of one stencil, [Wang2005] sections 5.1-5.3.
//
// 1. Distances psi to the contact line on the plane y = 0, eq. (8).
// 2. Distances phi_v to the virtual surface, a ray from the line into the wall, at y = 0 and y = -1: eqs. (5), (6).
// 3. Joined: what is sure (nodes beside the surface) is taken, eq. (7), the rest solves |grad| = 1 on each side.
// 4. Curvature at the centre, eq. (9).
// differs: eq. (6) is printed with h cos(theta) in the bracket; the distance to the ray has h cot(theta).
// differs: the paper's phi closes at the wall, ours goes on through it. So eq. (8), its case of angles above 90
// degrees, tells psi at any angle; and what its phi is beside a line of less than 90 degrees is psi.
// differs: fast marching over 27 nodes is replaced by sweeps, which find the same values.
#include "solvers/liquid/virtual_surface.h"

#include <math.h>
#include <stdbool.h>

#define CENTER 13
#define FAR    10.0
#define INSIDE -1e-6  // of the node behind the centre, which has to be under liquid
#define SWEEPS 4      // of 27 nodes: each gives its value to all that hang on it

static const int stride[3] = {1, 3, 9};

// Along this axis, the lesser |value| of the two neighbours on the same side; FAR without one.
static double upwind(const double *value, int n, int axis, double side)
{
    int place = n / stride[axis] % 3;
    double least = FAR;
    for (int to = -1; to <= 1; to += 2) {
        if (place + to < 0 || place + to > 2)
            continue;
        double v = side * value[n + to * stride[axis]];
        if (v >= 0)
            least = fmin(least, v);
    }
    return least;
}

// The u that has |grad u| = 1 with these upwind values, by the first-order scheme of fast marching.
static double eikonal(double a, double b, double c)
{
    double low = fmin(a, fmin(b, c)), high = fmax(a, fmax(b, c)), middle = a + b + c - low - high;
    double u = low + 1;
    if (u > middle)
        u = 0.5 * (low + middle + sqrt(fmax(2 - (low - middle) * (low - middle), 0)));
    if (u > high) {
        double sum = low + middle + high, squares = low * low + middle * middle + high * high;
        u = (sum + sqrt(fmax(sum * sum - 3 * (squares - 1), 0))) / 3;
    }
    return u;
}

// Fills what is not sure; the signs of values stay.
static void march(double *value, const bool *is_sure, int count, int axes)
{
    for (int sweep = 0; sweep < 2 * SWEEPS; sweep++)
        for (int i = 0; i < count; i++) {
            int n = sweep % 2 ? count - 1 - i : i;
            double side = value[n] < 0 ? -1 : 1, from[3];
            for (int a = 0; a < 3; a++)
                from[a] = a < axes ? upwind(value, n, a, side) : FAR;
            if (!is_sure[n])
                value[n] = side * fmin(fabs(value[n]), eikonal(from[0], from[1], from[2]));
        }
}

// ---- the contact line --------------------------------------------------------------------------

// psi of node n of the plane from the pairs across the line, eq. (8); false: it is in none.
static bool pair_distance(const double *plane, int n, double *psi)
{
    static const int step[2] = {1, 3};
    double least = FAR, mine = fabs(plane[n]);
    for (int a = 0; a < 2; a++)
        for (int to = -1; to <= 1; to += 2) {
            int place = n / step[a] % 3 + to;
            if (place < 0 || place > 2)
                continue;
            double other = plane[n + to * step[a]];
            if (plane[n] * other <= 0 && mine + fabs(other) > 0)
                least = fmin(least, mine / (mine + fabs(other)));
        }
    *psi = plane[n] < 0 ? -least : least;
    return least < FAR;
}

void dew_virtual_begin(dew_VirtualStencil *s)
{
    double center = s->liquid[CENTER], plane[9];
    bool is_sure[9];
    for (int n = 0; n < 27; n++)
        s->liquid[n] -= center;
    s->liquid[CENTER - 1] = fmin(s->liquid[CENTER - 1], INSIDE);
    for (int n = 0; n < 9; n++)
        plane[n] = s->liquid[n % 3 + 3 + 9 * (n / 3)];
    for (int n = 0; n < 9; n++)
        is_sure[n] = pair_distance(plane, n, &s->line[n]);
    march(s->line, is_sure, 9, 2);
}

// ---- the joined surface ------------------------------------------------------------------------

// Distance to the virtual surface at y = 0, eq. (5), and at y = -1, eq. (6).
static double virtual_distance(double psi, int depth, double angle)
{
    double along = psi * cos(angle) + depth * sin(angle);  // of the foot on the ray
    if (along > 0)
        return psi * sin(angle) - depth * cos(angle);
    return psi < 0 ? -hypot(psi, depth) : hypot(psi, depth);
}

// What is known of a node of the joined surface: on which side it is (+-1), how far from the surface at most, and
// whether that is its distance.
typedef struct Node {
    double side, bound;
    bool is_sure;
} Node;

static Node join(const dew_VirtualStencil *s, int n, double angle)
{
    int x = n % 3, y = n / 3 % 3, z = n / 9;
    double liquid = s->liquid[n], psi = s->line[x + 3 * z];
    if (y == 2) {
        bool is_beside = fabs(liquid) < 1;
        double bound = liquid >= 0 || is_beside ? fabs(liquid) : FAR;
        return (Node){liquid < 0 ? -1 : 1, bound, is_beside};
    }
    double ray = virtual_distance(psi, 1 - y, angle);
    if (y == 0)
        return (Node){ray < 0 ? -1 : 1, fabs(ray), fabs(ray) < 1};
    if (psi < 0)
        return (Node){-1, fabs(ray), false};
    // In the air, eq. (7): beside a line of more than 90 degrees the surface bends over the node.
    double above = liquid > s->liquid[n + 3] ? liquid : psi;
    return (Node){1, fmin(fabs(above), fabs(ray)), psi <= 1};
}

static double curvature(const double *p)
{
    const int y = 3, z = 9;
    double fx = 0.5 * (p[1] - p[-1]), fy = 0.5 * (p[y] - p[-y]), fz = 0.5 * (p[z] - p[-z]);
    double xx = p[1] - 2 * p[0] + p[-1], yy = p[y] - 2 * p[0] + p[-y], zz = p[z] - 2 * p[0] + p[-z];
    double xy = 0.25 * (p[1 + y] - p[1 - y] - p[-1 + y] + p[-1 - y]);
    double xz = 0.25 * (p[1 + z] - p[1 - z] - p[-1 + z] + p[-1 - z]);
    double yz = 0.25 * (p[y + z] - p[y - z] - p[-y + z] + p[-y - z]);
    double sum = fx * fx * (yy + zz) + fy * fy * (xx + zz) + fz * fz * (xx + yy) -
                 2 * (fx * fy * xy + fx * fz * xz + fy * fz * yz);
    double square = fmax(fx * fx + fy * fy + fz * fz, 1e-12);
    return sum / (square * sqrt(square));
}

double dew_virtual_curvature(const dew_VirtualStencil *s, double angle_rad)
{
    double value[27];
    Node node[27];
    bool is_sure[27];
    for (int n = 0; n < 27; n++) {
        node[n] = join(s, n, angle_rad);
        is_sure[n] = node[n].is_sure;
        value[n] = node[n].side * (is_sure[n] ? node[n].bound : FAR);
    }
    march(value, is_sure, 27, 3);
    for (int n = 0; n < 27; n++)
        value[n] = node[n].side * fmin(fabs(value[n]), node[n].bound);
    return curvature(value + CENTER);
}
