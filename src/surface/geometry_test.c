// Meshes through dew/geometry.h: remeshing, union, rays and distances.
#include "base/testing.h"
#include "dew/geometry.h"
#include "geom/mesh_measure.h"

#include <math.h>

typedef struct Set {
    dew_Remesher *remesher;
    dew_Mesh *ball, *other, *out;
} Set;

static Set make_set(void)
{
    Set set = {0};
    assert_ok(dew_remesher_create(NULL, &set.remesher));
    assert_ok(dew_mesh_create(NULL, &set.ball));
    assert_ok(dew_mesh_create(NULL, &set.other));
    assert_ok(dew_mesh_create(NULL, &set.out));
    assert_ok(dew_mesh_icosphere(1, 12, set.ball));
    assert_ok(dew_mesh_copy(set.other, set.ball));
    return set;
}

static void destroy_set(Set *set)
{
    dew_remesher_destroy(set->remesher);
    dew_mesh_destroy(set->ball);
    dew_mesh_destroy(set->other);
    dew_mesh_destroy(set->out);
}

static void move(dew_Mesh *mesh, dew_Vec3 by)
{
    dew_Vec3 *x = dew_mesh_edit_positions_m(mesh);
    for (int64_t v = 0; v < dew_mesh_vertex_count(mesh); v++)
        x[v] = (dew_Vec3){x[v].x + by.x, x[v].y + by.y, x[v].z + by.z};
}

static void a_pass_halves_the_edges(void **state)
{
    (void)state;
    Set set = make_set();
    double volume_m3 = dew_mesh_measure(set.ball).volume_m3;
    int64_t count = dew_mesh_triangle_count(set.ball);
    dew_RemesherDef def = dew_default_remesher_def(0.5 / 12);
    for (int k = 0; k < 6; k++)
        assert_ok(dew_remesher_run(set.remesher, &def, set.ball));
    assert_true(dew_mesh_triangle_count(set.ball) > 2 * count);
    assert_true(fabs(dew_mesh_measure(set.ball).volume_m3 / volume_m3 - 1) < 1e-3);
    dew_MeshInspectDef inspect = dew_default_mesh_inspect_def();
    dew_MeshAudit audit;
    assert_ok(dew_mesh_inspect(set.ball, &inspect, &audit));
    assert_true(dew_mesh_audit_is_clean(&audit));
    def.max_edge_m = def.min_edge_m;
    assert_int_equal(dew_remesher_run(set.remesher, &def, set.ball).code, DEW_BAD_INPUT);
    destroy_set(&set);
}

static void balls_are_combined(void **state)
{
    (void)state;
    Set set = make_set();
    dew_MeshRelation relation;
    double ball_m3 = dew_mesh_measure(set.ball).volume_m3;
    move(set.other, (dew_Vec3){1.1, 0.02, 0.01});
    assert_ok(dew_remesher_combine(set.remesher, DEW_MESH_UNION, set.ball, set.other, set.out,
                                   &relation));
    assert_int_equal(relation, DEW_MESHES_CROSS);
    double union_m3 = dew_mesh_measure(set.out).volume_m3;
    assert_ok(dew_remesher_combine(set.remesher, DEW_MESH_INTERSECTION, set.ball, set.other,
                                   set.out, &relation));
    double common_m3 = dew_mesh_measure(set.out).volume_m3;
    assert_true(common_m3 > 0.1 * ball_m3);
    assert_true(fabs(union_m3 + common_m3 - 2 * ball_m3) < 1e-9 * ball_m3);
    move(set.other, (dew_Vec3){3, 0, 0});
    assert_ok(dew_remesher_combine(set.remesher, DEW_MESH_UNION, set.ball, set.other, set.out,
                                   &relation));
    assert_int_equal(relation, DEW_MESHES_APART);
    assert_int_equal(dew_mesh_triangle_count(set.out), 0);
    destroy_set(&set);
}

static void a_tree_and_a_distance_agree(void **state)
{
    (void)state;
    Set set = make_set();
    dew_Bvh *bvh;
    dew_MeshDistance *distance;
    dew_RayHit hit;
    double d[2];
    const dew_Vec3 points[2] = {{0, 0, 0}, {3, 0, 0}};
    dew_Ray ray = {.origin = points[1], .direction = {-1, 0, 0}, .max_t = 10};
    assert_ok(dew_bvh_create(set.ball, NULL, NULL, &bvh));
    assert_ok(dew_mesh_distance_create(set.ball, DEW_SIGN_AUTO, NULL, NULL, &distance));
    dew_mesh_distance_many(distance, NULL, points, 2, d);
    assert_true(dew_bvh_ray(bvh, &ray, &hit) && !hit.is_back);
    assert_true(fabs(hit.t - 2) < 0.01 && fabs(d[1] - 2) < 0.01 && fabs(d[0] + 1) < 0.01);
    assert_true(dew_mesh_distance_is_inside(distance, points[0]));
    dew_bvh_destroy(bvh);
    dew_mesh_distance_destroy(distance);
    destroy_set(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_halves_the_edges),
        cmocka_unit_test(balls_are_combined),
        cmocka_unit_test(a_tree_and_a_distance_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
