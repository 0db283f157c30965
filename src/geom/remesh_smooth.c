// Tangential smoothing of free vertices near a change.
//
// A vertex goes towards the area-weighted middle of the triangles around it, less the part of the
// displacement along G, the direction in which alone the volume changes (remesh_collapse.c): the
// volume is kept to rounding, and where the surface is smooth G is its normal. A move that would
// turn a triangle by more than 60 degrees is not made.
#include "geom/remesh_state.h"
#include "geom/triangle.h"

typedef struct Fan {
    dew_Vec3 middle;  // area-weighted, seen from the vertex
    dew_Vec3 G;       // see above, six times
    double area;      // twice
} Fan;

static Fan measure_fan(const dew_Remesh *remesh, uint32_t vertex)
{
    const dew_Topology *topology = &remesh->topology;
    dew_Vec3 o = *dew_remesh_at(remesh, vertex);
    Fan fan = {0};
    uint32_t start = dew_vertex_half(topology, vertex), h = start;
    do {
        dew_Vec3 x = dew_sub(*dew_remesh_at(remesh, dew_half_to(topology, h)), o);
        dew_Vec3 y = dew_sub(*dew_remesh_at(remesh, dew_half_apex(topology, h)), o);
        dew_Vec3 n = dew_cross(x, y);
        double area = dew_length(n);
        fan.G = dew_add(fan.G, n);
        fan.middle = dew_add_scaled(fan.middle, area / 3, dew_add(x, y));
        fan.area += area;
        h = dew_half_around(topology, h);
    } while (h != start);
    if (fan.area > 0)
        fan.middle = dew_scale(1 / fan.area, fan.middle);
    return fan;
}

static bool turns_a_triangle(const dew_Remesh *remesh, uint32_t vertex, dew_Vec3 to)
{
    const dew_Topology *topology = &remesh->topology;
    dew_Vec3 from = *dew_remesh_at(remesh, vertex);
    uint32_t start = dew_vertex_half(topology, vertex), h = start;
    do {
        dew_Vec3 x = *dew_remesh_at(remesh, dew_half_to(topology, h));
        dew_Vec3 y = *dew_remesh_at(remesh, dew_half_apex(topology, h));
        dew_Vec3 n = dew_triangle_normal(from, x, y), m = dew_triangle_normal(to, x, y);
        if (!(dew_inner(n, m) > 0.5 * dew_length(n) * dew_length(m)))
            return true;
        h = dew_half_around(topology, h);
    } while (h != start);
    return false;
}

void dew_remesh_smooth_stage(dew_Remesh *remesh)
{
    double factor = fmin(1, remesh->def.smoothing);
    if (!(factor > 0))
        return;
    for (uint32_t v = 0; v < remesh->topology.outgoing.count; v++) {
        if (dew_vertex_half(&remesh->topology, v) == DEW_NO_HALF ||
            !DEW_ITEMS(&remesh->dirty, uint8_t)[v] ||
            (dew_remesh_label(remesh, v) & DEW_LABEL_TOUCHING))
            continue;
        Fan fan = measure_fan(remesh, v);
        double G2 = dew_length2(fan.G);
        if (!(G2 > 0))
            continue;
        dew_Vec3 along = dew_add_scaled(fan.middle, -dew_inner(fan.middle, fan.G) / G2, fan.G);
        dew_Vec3 to = dew_add_scaled(*dew_remesh_at(remesh, v), factor, along);
        if (!turns_a_triangle(remesh, v, to))
            *dew_remesh_at(remesh, v) = to;
    }
}
