// Flips of edges with a negative cotangent weight: the angles opposite them add up to more than pi.
//
// In the plane such flips end at the Delaunay triangulation, the one without thin triangles that
// can be avoided. On a curved surface a flip must also better the weight, and neither fold nor
// change the surface where it is sharp: the edges of the contact line, and dihedral angles beyond
// 90 degrees.
#include "geom/remesh_state.h"
#include "geom/triangle.h"

#define MIN_GAIN 1e-6  // weights closer to zero are rounding: four corners on a circle

void dew_hinge_measure(dew_Hinge *g, const dew_Vec3 *x, const uint8_t *label)
{
    for (int k = 0; k < 4; k++) {
        g->x[k] = x[g->v[k]];
        g->label[k] = label ? label[g->v[k]] : 0;
    }
    g->left = dew_triangle_normal(g->x[0], g->x[1], g->x[2]);
    g->right = dew_triangle_normal(g->x[1], g->x[0], g->x[3]);
}

static dew_Hinge make_hinge(const dew_Remesh *remesh, uint32_t h)
{
    const dew_Topology *topology = &remesh->topology;
    dew_Hinge g = {.v = {dew_half_from(topology, h), dew_half_to(topology, h),
                         dew_half_apex(topology, h),
                         dew_half_apex(topology, dew_half_twin(topology, h))}};
    dew_hinge_measure(&g, DEW_ITEMS(&remesh->position, dew_Vec3),
                      DEW_ITEMS(&remesh->label, uint8_t));
    return g;
}

// Cotangent of the angle at `tip`, given the triangle's normal; huge where there is no area.
static double cotangent(dew_Vec3 tip, dew_Vec3 x, dew_Vec3 y, dew_Vec3 normal)
{
    double dot = dew_inner(dew_sub(x, tip), dew_sub(y, tip)), area = dew_length(normal);
    double huge = 1 / DEW_DIRECTION_ROUNDING;
    if (area * huge > fabs(dot))
        return dot / area;
    return dot < 0 ? -huge : huge;
}

// Labels: the contact line stays, and no triangle comes to lie on the solid that did not.
static bool is_allowed(const dew_Hinge *g)
{
    uint8_t a = g->label[0], b = g->label[1], c = g->label[2], d = g->label[3];
    if ((a & b & DEW_LABEL_CONTACT_LINE) || (c & d & DEW_LABEL_CONTACT_LINE))
        return false;
    bool is_left_wet = a & b & c & DEW_LABEL_TOUCHING,
         is_right_wet = a & b & d & DEW_LABEL_TOUCHING;
    if (is_left_wet != is_right_wet)
        return false;
    return is_left_wet || !(c & d & (a | b) & DEW_LABEL_TOUCHING);
}

static bool is_thin(const dew_Hinge *g, dew_Vec3 normal)
{
    return dew_length(normal) < DEW_REMESH_THIN * dew_length2(dew_sub(g->x[1], g->x[0]));
}

static bool is_better(const dew_Hinge *g)
{
    const dew_Vec3 a = g->x[0], b = g->x[1], c = g->x[2], d = g->x[3];
    double before = cotangent(c, a, b, g->left) + cotangent(d, a, b, g->right);
    if (!(before < -MIN_GAIN))
        return false;
    dew_Vec3 at_a = dew_triangle_normal(d, c, a), at_b = dew_triangle_normal(c, d, b);
    dew_Vec3 mean = dew_add(g->left, g->right);
    if (!(dew_inner(at_a, mean) > 0) || !(dew_inner(at_b, mean) > 0))
        return false;
    bool is_sharp = dew_inner(g->left, g->right) < 0 || dew_inner(at_a, at_b) < 0;
    if (is_sharp && !is_thin(g, g->left) && !is_thin(g, g->right))
        return false;
    double after = cotangent(a, c, d, at_a) + cotangent(b, c, d, at_b);
    return after > before + MIN_GAIN;
}

bool dew_hinge_wants_flip(const dew_Hinge *hinge)
{
    return is_allowed(hinge) && is_better(hinge);
}

static void flip(dew_Remesh *remesh, uint32_t h, const dew_Hinge *g)
{
    dew_Topology *topology = &remesh->topology;
    // Seen from a only the triangle c d b counts; before the flip neither did.
    remesh->result.volume_change_m3 +=
        dew_determinant(dew_sub(g->x[2], g->x[0]), dew_sub(g->x[3], g->x[0]),
                        dew_sub(g->x[1], g->x[0])) /
        6;
    dew_topology_flip(topology, h);
    remesh->result.flip_count++;
    uint32_t twin = dew_half_twin(topology, h);
    const uint32_t around[4] = {dew_half_next(h), dew_half_prev(h), dew_half_next(twin),
                                dew_half_prev(twin)};
    for (int i = 0; i < 4; i++) {
        dew_remesh_touch(remesh, dew_half_from(topology, around[i]));
        dew_remesh_suspect(remesh, around[i]);
    }
    dew_remesh_sort_edge(remesh, h);
}

dew_Status dew_remesh_flip_stage(dew_Remesh *remesh, int64_t limit)
{
    dew_Topology *topology = &remesh->topology;
    while (remesh->flip_head < remesh->flips.count) {
        uint32_t h = DEW_ITEMS(&remesh->flips, uint32_t)[remesh->flip_head++];
        DEW_ITEMS(&remesh->queued, uint8_t)[h] = 0;
        if (limit == 0 || dew_half_from(topology, h) == DEW_NO_HALF)
            continue;
        dew_Hinge g = make_hinge(remesh, h);
        if (!dew_hinge_wants_flip(&g) || !dew_topology_can_flip(topology, h))
            continue;
        flip(remesh, h, &g);
        limit--;
    }
    remesh->flips.count = remesh->flip_head = 0;
    return dew_remesh_memory(remesh);
}
