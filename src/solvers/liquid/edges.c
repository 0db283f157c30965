// Edges of solids, as the cells in a wall see them.
//
// The way down from a cell, against the normal of the face that it is nearest to, comes nearer to the other face of an
// edge than to its own as soon as it crosses the plane that halves the edge; on round bodies, however thin, and in inner
// corners it never does. Both planes then tell where the edge is.
#include "solvers/liquid/liquid.h"

#define WITHIN 4.0   // cells from an edge, where it is told
#define LEAST  0.94  // cosine between faces: what bends by less than 20 degrees is no edge
#define BACK   -0.9  // and the other side of a plate is none
#define ROUND  0.3   // cells: an edge that is farther from where the faces would meet is round

static void put(dew_Vec3 v, float to[3])
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

// Where the planes at the depths g below the faces N meet, from there: nearest point. c: the normals' inner product.
static dew_Vec3 meet(const dew_Vec3 N[2], const double g[2], double c)
{
    double sine2 = 1 - c * c;
    return dew_add(dew_scale((g[0] - c * g[1]) / sine2, N[0]),
                   dew_scale((g[1] - c * g[0]) / sine2, N[1]));
}

dew_LiquidEdge dew_liquid_find_edge(const dew_Problem *problem, const dew_Liquid *liquid,
                                    const dew_Moment *moment, dew_Vec3 x,
                                    const dew_SolidPoint *near)
{
    dew_LiquidEdge edge = {{{0}}, {0}};
    double h = liquid->grid->cell_m, far_m = DEW_LIQUID_FAR * h;
    // Most cells are told by the farthest step alone.
    static const double downs[] = {WITHIN, 1, 2, 3};
    for (int k = 0; k < 4; k++) {
        dew_Vec3 y = dew_add_scaled(x, -downs[k] * h, near->normal);
        dew_SolidPoint other = dew_liquid_nearest(problem, liquid, moment, y, far_m);
        double c = dew_inner(near->normal, other.normal);
        if (k == 0 && other.distance_m < 0 && c > LEAST)
            return edge;
        if (!(other.distance_m < 0) || !(c < LEAST) || !(c > BACK))
            continue;
        const dew_Vec3 N[2] = {near->normal, other.normal};
        const double g[2] = {-near->distance_m / h, -other.distance_m / h - downs[k] * c};
        dew_Vec3 way = meet(N, g, c), corner = dew_add_scaled(x, h, way);
        if (g[1] < g[0] - 0.1 || dew_length(way) > WITHIN ||
            fabs(dew_liquid_nearest(problem, liquid, moment, corner, far_m).distance_m) > ROUND * h)
            continue;
        put(N[0], edge.normal[0]);
        put(N[1], edge.normal[1]);
        put(way, edge.way);
        return edge;
    }
    return edge;
}
