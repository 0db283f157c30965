// Drawing drops together around a place, and sinking one wetted side below the other.
#include "solvers/surface/merge_prepare.h"

#include "geom/triangle.h"
#include "solvers/surface/merge_near.h"

#define FLAT                                                                                       \
    1e-8  // of the drop's size: chords that deviate less from the solid count as lying on it

// ---- drawing together --------------------------------------------------------------------------

// One at the place, zero from the radius on, smooth between.
static double weight_at(dew_Vec3 x, dew_Vec3 place, double radius)
{
    double rest = 1 - dew_length2(dew_sub(x, place)) / (radius * radius);
    return rest > 0 ? rest * rest : 0;
}

// Sum of weighted area normals near the place, wetted sides left out: where the drop's surface
// faces.
static dew_Vec3 facing(const dew_RemeshDrop *drop, dew_Vec3 place, double radius)
{
    dew_Vec3 sum = {0, 0, 0};
    const dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    const uint8_t *label = drop->labels ? DEW_ITEMS(drop->labels, uint8_t) : NULL;
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        double weight = weight_at(x[v[0]], place, radius) + weight_at(x[v[1]], place, radius) +
                        weight_at(x[v[2]], place, radius);
        if (!(weight > 0) ||
            (label && (label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING)))
            continue;
        sum = dew_add_scaled(sum, weight, dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]));
    }
    return sum;
}

static void pull(const dew_RemeshDrop *drop, const dew_DropSolids *solids, dew_Vec3 place,
                 double radius, dew_Vec3 step)
{
    dew_Vec3 *x = DEW_ITEMS(drop->positions, dew_Vec3);
    for (int64_t v = 0; v < drop->positions->count; v++) {
        double weight = weight_at(x[v], place, radius);
        if (!(weight > 0))
            continue;
        dew_Vec3 to = dew_add_scaled(x[v], weight, step);
        bool touches = drop->labels && (DEW_ITEMS(drop->labels, uint8_t)[v] & DEW_LABEL_TOUCHING);
        dew_Closest c;
        bool is_solid_near = solids->nearest && solids->nearest(solids->context, to, radius, &c);
        // Free vertices keep out of the solid, touching ones on it.
        if (is_solid_near && (touches || c.distance < 0))
            to = c.point;
        if (dew_vec_is_finite(to))
            x[v] = to;
    }
}

void dew_merge_draw_together(const dew_RemeshDrop drops[2], const dew_DropSolids *solids,
                             dew_Vec3 place_m, double radius_m, double reach_m)
{
    dew_Vec3 a = dew_normalize(facing(&drops[0], place_m, radius_m));
    dew_Vec3 b = dew_normalize(facing(&drops[1], place_m, radius_m));
    dew_Vec3 way = dew_sub(a, b);
    if (!(dew_length2(way) >
          0.01)) {  // they face the same way, or nothing is near: by their middles
        dew_Box p = dew_drop_box(&drops[0]), q = dew_drop_box(&drops[1]);
        way = dew_sub(dew_add(q.min, q.max), dew_add(p.min, p.max));
    }
    way = dew_normalize(way);
    pull(&drops[0], solids, place_m, radius_m, dew_scale(reach_m, way));
    pull(&drops[1], solids, place_m, radius_m, dew_scale(-reach_m, way));
}

// ---- sinking -----------------------------------------------------------------------------------

static bool touches_at(const dew_RemeshDrop *drop, uint32_t vertex)
{
    return DEW_ITEMS(drop->labels, uint8_t)[vertex] & DEW_LABEL_TOUCHING;
}

// How far chords of the wetted side lie from the solid, at most: middles of edges and of triangles.
static double chord_error(const dew_RemeshDrop *drop, const dew_DropSolids *solids,
                          const dew_Box *within, double reach)
{
    double worst = 0;
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        if (!touches_at(drop, v[0]) || !touches_at(drop, v[1]) || !touches_at(drop, v[2]))
            continue;
        dew_Vec3 x[3], sum = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            x[k] = DEW_ITEMS(drop->positions, dew_Vec3)[v[k]];
            sum = dew_add(sum, x[k]);
        }
        dew_Vec3 middle = dew_scale(1.0 / 3, sum);
        if (!dew_box_contains(*within, middle))
            continue;
        for (int k = 0; k < 4; k++) {
            dew_Vec3 p = k == 3 ? middle : dew_combine(0.5, x[k], 0.5, x[(k + 1) % 3]);
            dew_Closest c;
            if (solids->nearest(solids->context, p, reach, &c))
                worst = fmax(worst, fabs(c.distance));
        }
    }
    return worst;
}

void dew_merge_sink(const dew_RemeshDrop drops[2], const dew_DropSolids *solids, double max_depth_m)
{
    if (!solids->nearest || !drops[0].labels || !drops[1].labels)
        return;
    dew_Box a = dew_drop_box(&drops[0]), b = dew_drop_box(&drops[1]);
    dew_Vec3 pad = dew_vec(max_depth_m, max_depth_m, max_depth_m);
    dew_Box common = {dew_sub(dew_vec_max(a.min, b.min), pad),
                      dew_add(dew_vec_min(a.max, b.max), pad)};
    double depth = 0;
    for (int i = 0; i < 2; i++)
        depth += chord_error(&drops[i], solids, &common, 4 * max_depth_m);
    if (!(depth > FLAT * dew_distance(b.min, b.max)))
        return;
    depth = fmin(1.5 * depth, max_depth_m);
    dew_Vec3 *x = DEW_ITEMS(drops[1].positions, dew_Vec3);
    for (uint32_t v = 0; v < drops[1].positions->count; v++) {
        dew_Closest c;
        if (touches_at(&drops[1], v) && solids->nearest(solids->context, x[v], 4 * max_depth_m, &c))
            x[v] = dew_add_scaled(x[v], -depth, c.normal);
    }
}
