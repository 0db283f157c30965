// Random points on a solid's surface: a triangle in proportion to its area, a point in it, and the
// solid's closest point to that. On curved solids the last step shifts the density by the order of
// (edge / radius)^2.
#include "problem/surface_sampler.h"

#include "base/status.h"
#include "geom/triangle.h"
#include "problem/resolved.h"
#include "problem/scene_bounds.h"

#define ROUND_EDGES 100  // edges along the box of a round solid

static dew_Status sum_areas(dew_SurfaceSampler *sampler)
{
    DEW_TRY(dew_array_resize(&sampler->area_m2, sampler->mesh.triangles.count));
    double sum = 0;
    for (int64_t i = 0; i < sampler->mesh.triangles.count; i++) {
        const uint32_t *v = dew_mesh_triangles(&sampler->mesh)[i].v;
        const dew_Vec3 *x = dew_mesh_positions(&sampler->mesh);
        sum += dew_length(dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]])) / 2;
        DEW_ITEMS(&sampler->area_m2, double)[i] = sum;
    }
    return dew_ok();
}

dew_Status dew_sampler_init(dew_SurfaceSampler *sampler, const dew_Problem *problem, int solid_id)
{
    *sampler = (dew_SurfaceSampler){.problem = problem, .solid_id = solid_id};
    dew_mesh_init(&sampler->mesh, &problem->allocator);
    dew_array_init(&sampler->area_m2, &problem->allocator, sizeof(double));
    // Flat-sided solids need no cutting: their triangles lie on them.
    const dew_Solid *solid = &problem->solids[solid_id];
    bool is_round = solid->shape == DEW_SOLID_SPHERE || solid->shape == DEW_SOLID_CYLINDER ||
                    solid->shape == DEW_SOLID_TUBE;
    double edge_m = dew_distance(solid->own_box_m.min, solid->own_box_m.max) / ROUND_EDGES;
    dew_Status status =
        dew_problem_solid_mesh(problem, solid_id, is_round ? edge_m : 0, &sampler->mesh);
    dew_Vec3 *x = DEW_ITEMS(&sampler->mesh.positions, dew_Vec3);
    for (int64_t i = 0; i < sampler->mesh.positions.count; i++)
        x[i] = dew_problem_from_rest(problem, &problem->start, solid_id, x[i]);
    if (status.code == DEW_OK)
        status = sum_areas(sampler);
    if (status.code != DEW_OK)
        dew_sampler_deinit(sampler);
    return status;
}

void dew_sampler_deinit(dew_SurfaceSampler *sampler)
{
    dew_mesh_deinit(&sampler->mesh);
    dew_array_deinit(&sampler->area_m2);
}

double dew_sampler_area_m2(const dew_SurfaceSampler *sampler)
{
    int64_t n = sampler->area_m2.count;
    return n > 0 ? DEW_ITEMS(&sampler->area_m2, double)[n - 1] : 0;
}

dew_SolidPoint dew_sampler_draw(const dew_SurfaceSampler *sampler, dew_Random *random)
{
    const double *area = DEW_ITEMS(&sampler->area_m2, double);
    double pick = dew_random_unit(random) * dew_sampler_area_m2(sampler);
    int64_t lo = 0,
            hi = sampler->area_m2.count - 1;  // the first triangle whose sum is above `pick`
    while (lo < hi) {
        int64_t middle = lo + (hi - lo) / 2;
        if (area[middle] > pick)
            hi = middle;
        else
            lo = middle + 1;
    }
    const uint32_t *v = dew_mesh_triangles(&sampler->mesh)[lo].v;
    const dew_Vec3 *x = dew_mesh_positions(&sampler->mesh);
    double a = sqrt(dew_random_unit(random)), b = dew_random_unit(random);  // even over a triangle
    dew_Vec3 p = dew_add_scaled(dew_combine(1 - a, x[v[0]], a * (1 - b), x[v[1]]), a * b, x[v[2]]);
    return dew_problem_solid_nearest(sampler->problem, &sampler->problem->start, sampler->solid_id,
                                     p);
}

bool dew_sampler_fits(const dew_SurfaceSampler *sampler, const dew_SolidPoint *point,
                      double radius_m)
{
    dew_Vec3 middle = dew_add_scaled(point->point_m, radius_m, point->normal);
    if (!dew_scene_contains(sampler->problem->scene, (dew_Box){middle, middle}, 0))
        return false;
    // Nine tenths: the bottom of a wide bowl is room enough.
    return dew_problem_distance(sampler->problem, &sampler->problem->start, middle, radius_m) >=
           0.9 * radius_m;
}
