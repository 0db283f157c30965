// Mean curvature by the gradient of the area, [Meyer2003] eq. (8).
//
// With the triangles about vertex i, the angles a and b opposite to the edge ij and the mixed area
// A_i (Voronoi cells of triangles without obtuse angle; else half or a quarter of the triangle),
//
//     K_i = 1 / (2 A_i) sum_j (cot a_ij + cot b_ij) (x_i - x_j),    H_i = K_i . n_i / 2,
//
// n_i the normal outward. The cotangents weigh a triangle's edges by its shape, so H does not
// depend on how the surface is cut into triangles, to second order in the edge length where the
// mesh is regular. Limits: along a contact line, where the surface has an edge, H is that edge's
// angle over the width of a triangle; triangles without area are left out.
#include "geom/mesh_curvature.h"

#include "base/status.h"
#include "geom/triangle.h"

#include <float.h>

typedef struct Sum {
    dew_Vec3 gradient;  // of the area: sum over j of (cot a + cot b) (x_i - x_j), half of it
    double area_m2;     // mixed
} Sum;

/// Parts of a triangle's area that belong to its corners; `cot` are the cotangents there.
static void share_area(const dew_Vec3 x[3], const double cot[3], double area_m2, double part_m2[3])
{
    int obtuse = cot[0] < 0 ? 0 : cot[1] < 0 ? 1 : cot[2] < 0 ? 2 : 3;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (obtuse < 3)
            part_m2[i] = area_m2 / (i == obtuse ? 2 : 4);
        else
            part_m2[i] = (dew_length2(dew_sub(x[i], x[j])) * cot[k] +
                          dew_length2(dew_sub(x[i], x[k])) * cot[j]) /
                         8;
    }
}

static void add_triangle(const dew_Vec3 x[3], Sum *const sums[3])
{
    double double_area_m2 = dew_length(dew_triangle_normal(x[0], x[1], x[2])), cot[3], part_m2[3];
    double longest2 = 0;
    for (int i = 0; i < 3; i++)
        longest2 = fmax(longest2, dew_length2(dew_sub(x[i], x[(i + 1) % 3])));
    if (!(double_area_m2 > DBL_EPSILON * longest2))
        return;
    for (int i = 0; i < 3; i++)
        cot[i] = dew_inner(dew_sub(x[(i + 1) % 3], x[i]), dew_sub(x[(i + 2) % 3], x[i])) /
                 double_area_m2;
    share_area(x, cot, double_area_m2 / 2, part_m2);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        sums[i]->area_m2 += part_m2[i];
        sums[i]->gradient = dew_add_scaled(sums[i]->gradient, cot[k] / 2, dew_sub(x[i], x[j]));
        sums[i]->gradient = dew_add_scaled(sums[i]->gradient, cot[j] / 2, dew_sub(x[i], x[k]));
    }
}

dew_Status dew_mesh_mean_curvature(const dew_Mesh *mesh, const dew_Vec3 *normals, float *out)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    int64_t count = mesh->positions.count;
    Sum *sums = dew_alloc(&mesh->allocator, count + 1, sizeof *sums);
    size_t size = (size_t)(count + 1) * sizeof *sums;
    if (!sums)
        return dew_no_memory(size);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = triangles[t].v;
        dew_Vec3 corners[3] = {x[v[0]], x[v[1]], x[v[2]]};
        Sum *const of[3] = {&sums[v[0]], &sums[v[1]], &sums[v[2]]};
        add_triangle(corners, of);
    }
    for (int64_t i = 0; i < count; i++)  // K / 2 = gradient / (2 A)
        out[i] = sums[i].area_m2 > 0
                     ? (float)(dew_inner(sums[i].gradient, normals[i]) / (2 * sums[i].area_m2))
                     : 0;
    dew_free(&mesh->allocator, sums, size);
    return dew_ok();
}
