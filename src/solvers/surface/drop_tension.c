// Surface tension: mean-curvature flow with cotangent weights, implicit. [Zhang2011] eqs. (4)-(7)
//
// The force on a vertex is minus sigma times the gradient of the area of the free triangles, which
// is the cotangent Laplacian of the positions (eq. 6) exactly. The stiffness matrix is that
// Laplacian with its weights frozen (eq. 5, [Desbrun1999]). It is positive whatever the triangles'
// shapes are, and never softer than the true one along the normal, which is what the stability of
// the step needs.
//
// differs: eq. (4) moves vertices with the curvature; here the curvature accelerates them, so that
// drops oscillate in the time that density and tension give.
#include "solvers/surface/drop_work.h"

#include <string.h>

#define MAX_COTANGENT 30.0  // of a thin triangle, in the matrix only

/// Half cotangents opposite to the three edges of a triangle; edge c goes from corner c to the
/// next.
static void half_cotangents(const dew_Vec3 p[3], double out[3])
{
    double twice_area = dew_length(dew_cross(dew_sub(p[1], p[0]), dew_sub(p[2], p[0])));
    double largest = 0;
    for (int c = 0; c < 3; c++) {
        dew_Vec3 apex = p[(c + 2) % 3];
        out[c] = 0.5 * dew_inner(dew_sub(p[c], apex), dew_sub(p[(c + 1) % 3], apex));
        largest = fmax(largest, fabs(out[c]));
    }
    // Scaled as a whole, a thin triangle's matrix stays positive.
    double inverse = 1 / fmax(twice_area, largest * (2 / MAX_COTANGENT));
    for (int c = 0; c < 3; c++)
        out[c] = largest > 0 ? out[c] * inverse : 0;
}

/// Force of a free triangle's tension on its corners.
static void pull_corners(dew_DropWork *work, const uint32_t *v, const dew_Vec3 p[3])
{
    dew_Vec3 normal = dew_normalize(dew_cross(dew_sub(p[1], p[0]), dew_sub(p[2], p[0])));
    for (int c = 0; c < 3; c++) {
        dew_Vec3 edge = dew_sub(p[(c + 2) % 3], p[(c + 1) % 3]);
        work->force[v[c]] = dew_add_scaled(work->force[v[c]], -0.5 * work->params->sigma_N_m,
                                           dew_cross(normal, edge));
    }
}

void dew_drop_find_cotangents(dew_DropWork *work)
{
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        dew_Vec3 p[3] = {work->y[v[0]], work->y[v[1]], work->y[v[2]]};
        half_cotangents(p, work->cotangent + 3 * k);
    }
}

void dew_drop_add_tension(dew_DropWork *work)
{
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        dew_Vec3 p[3] = {work->y[v[0]], work->y[v[1]], work->y[v[2]]};
        if (!work->is_wet[k])
            pull_corners(work, v, p);
    }
}

void dew_drop_assemble(dew_DropWork *work, double free_stiffness, double wet_stiffness)
{
    for (int64_t k = 0; k < work->triangle_count; k++) {
        double s = work->is_wet[k] ? wet_stiffness : free_stiffness;
        for (int c = 0; c < 3; c++)
            work->off[work->slot[3 * k + c]] = -s * work->cotangent[3 * k + c];
    }
    for (int64_t i = 0; i < work->n; i++) {
        double sum = 0;
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++)
            if (work->col[e] > i) {
                int32_t other = work->twin[e];
                work->off[e] = work->off[other] = work->off[e] + work->off[other];
            }
        for (int32_t e = work->row[i]; e < work->row[i + 1]; e++)
            sum -= work->off[e];
        work->diagonal[i] = sum;
    }
}
