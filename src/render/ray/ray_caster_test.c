// Rays by both trees of the ray tracer against those of the tree in doubles.
#include "base/random.h"
#include "base/torture.h"
#include "dew/geometry.h"
#include "render/ray/ray_testing.h"
#include "render/ray/ray_tree.h"

#include <math.h>

enum { RAYS = 3000 };

static const dew_Vec3 center = {30, -20, 10};  // far from the origin, millimetres in size

static void compare(const char *name)
{
    dew_Mesh mesh;
    dew_Bvh *bvh;
    dew_RayCaster *caster;
    static dew_Ray rays[RAYS];
    static dew_RayHit hits[RAYS];
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_icosphere(2e-3, 8, &mesh));
    dew_mesh_transform(&mesh, 1, dew_rotation_identity(), center);
    assert_done(dew_bvh_create(&mesh, NULL, NULL, &bvh));
    assert_done(dew_ray_caster_create(&mesh, name, NULL, NULL, &caster));
    dew_Random random = dew_random(1, 0, 0);
    for (int i = 0; i < RAYS; i++)
        rays[i] = (dew_Ray){dew_add_scaled(center, dew_random_range(&random, 0, 4e-3),
                                           dew_random_direction(&random)),
                            dew_random_direction(&random), 0, (double)INFINITY};
    dew_ray_caster_cast(caster, NULL, rays, RAYS, hits);
    int wrong = 0;
    for (int i = 0; i < RAYS; i++) {
        dew_RayHit exact = {.t = (double)INFINITY};
        bool is_hit = dew_bvh_ray(bvh, &rays[i], &exact);
        // Rays within rounding of the silhouette may differ; a handful in thousands.
        bool is_right =
            is_hit == isfinite(hits[i].t) && (!is_hit || (fabs(hits[i].t - exact.t) < 1e-3 * 2e-3 &&
                                                          hits[i].is_back == exact.is_back));
        wrong += !is_right;
    }
    assert_true(wrong <= 3);
    dew_ray_caster_destroy(caster);
    dew_bvh_destroy(bvh);
    dew_mesh_deinit(&mesh);
}

static void rays_agree_with_the_exact_tree(void **state)
{
    (void)state;
    compare("own");
    if (dew_ray_tree_has_embree())
        compare("embree");
}

static void odd_input_is_handled(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_RayCaster *caster;
    dew_RayHit hit;
    dew_Ray ray = {{0, 0, 2}, {0, 0, -1}, 0, (double)INFINITY};
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_ray_caster_create(&mesh, "own", NULL, NULL, &caster));
    dew_ray_caster_cast(caster, NULL, &ray, 1, &hit);
    assert_true(isinf(hit.t));
    dew_ray_caster_destroy(caster);
    assert_done(dew_mesh_add_vertex(&mesh, dew_vec(0, 0, 0)));
    assert_done(dew_mesh_add_triangle(&mesh, 0, 0, 1));
    assert_int_equal(dew_ray_caster_create(&mesh, "own", NULL, NULL, &caster).code, DEW_BAD_INPUT);
    assert_null(caster);
    assert_int_equal(dew_ray_caster_create(&mesh, "oak", NULL, NULL, &caster).code, DEW_BAD_INPUT);
    dew_mesh_clear(&mesh);
    assert_int_equal(dew_ray_caster_create(&mesh, "oak", NULL, NULL, &caster).code,
                     DEW_UNSUPPORTED);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_agree_with_the_exact_tree),
        cmocka_unit_test(odd_input_is_handled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
