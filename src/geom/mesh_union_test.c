// Union of meshes: spheres at random offsets against inclusion and exclusion and the lens formula,
// cubes with coplanar faces, drops on one plane, a vertex through a face, random pairs, lack of
// memory.
#include "geom/mesh_union.h"

#include "geom/remesh_testing.h"

#include "base/random.h"
#include "base/torture.h"

static dew_MeshUnion *workspace(void)
{
    dew_MeshUnion *u = NULL;
    assert_ok(dew_mesh_union_create(NULL, &u));
    return u;
}

static void make_ball(TestDrop *d, double radius, int frequency, dew_Vec3 center, dew_Vec3 turn)
{
    test_drop_init(d);
    assert_ok(dew_shape_icosphere(radius, frequency, &d->mesh));
    dew_mesh_transform(&d->mesh, 1, dew_rotation_about(turn, dew_length(turn)), center);
    test_drop_dress(d);
}

static double volume(const TestDrop *d)
{
    return dew_mesh_measure(&d->mesh).volume_m3;
}

// Runs both operations and compares: V(A or B) = V(A) + V(B) - V(A and B), exact for polyhedra.
// What is left is the rounding of the crossings' positions, 1e-15 of the size each, and the nudge.
static dew_Status both(dew_MeshUnion *u, TestDrop *a, TestDrop *b, TestDrop *sum, double *common)
{
    TestDrop cut;
    test_drop_init(&cut);
    dew_MeshUnionResult r, q;
    *common = 0;
    dew_Status status = dew_mesh_union_run(u, DEW_MESH_UNION, &a->drop, &b->drop, &sum->drop, &r);
    if (status.code == DEW_OK && r.relation == DEW_MESHES_CROSS) {
        status = dew_mesh_union_run(u, DEW_MESH_INTERSECTION, &a->drop, &b->drop, &cut.drop, &q);
        if (status.code == DEW_OK) {
            test_drop_audit(sum);
            test_drop_audit(&cut);
            *common = volume(&cut);
            double expected = volume(a) + volume(b) - *common;
            assert_true(fabs(volume(sum) - expected) < 1e-8 * expected);
            assert_true(fabs(volume(sum) - r.volume_m3) < 1e-12 * expected);
            assert_int_equal(r.crossing_count, q.crossing_count);
        }
    }
    test_drop_deinit(&cut);
    return status;
}

// Volume common to balls of radius 1 and r at distance d.
static double lens(double r, double d)
{
    double t = 1 + r - d;
    return DEW_PI * t * t * (d * d + 2 * d * (1 + r) - 3 * (1 - r) * (1 - r)) / (12 * d);
}

static void spheres_follow_the_lens_formula(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    dew_Random random = dew_random(1, 0, 0);
    for (int i = 0; i < 60; i++) {
        double r = dew_random_range(&random, 0.5, 1),
               d = dew_random_range(&random, 1 - r + 0.3, 0.9 + r);
        TestDrop a, b, sum;
        make_ball(&a, 1, 16, dew_vec(0, 0, 0), dew_random_direction(&random));
        make_ball(&b, r, 12, dew_scale(d, dew_random_direction(&random)),
                  dew_random_direction(&random));
        test_drop_init(&sum);
        double common;
        assert_ok(both(u, &a, &b, &sum, &common));
        // Chords of length l lie within l^2 / 8 of a sphere: l is 1.2 over the frequency.
        double short_by = (1.2 / 12) * (1.2 / 12) / 8, area = 4 * DEW_PI;
        assert_true(fabs(common - lens(r, d)) < short_by * area);
        assert_int_equal(test_drop_audit(&sum).euler_characteristic, 2);
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&sum);
    }
    dew_mesh_union_destroy(u);
}

static void thousand_random_pairs(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    dew_Random random = dew_random(2, 0, 0);
    int crossed = 0, refused = 0;
    for (int i = 0; i < 1000; i++) {
        TestDrop a, b, sum;
        make_ball(&a, 1, 2 + i % 4, dew_vec(0, 0, 0), dew_random_direction(&random));
        make_ball(&b, dew_random_range(&random, 0.1, 1), 1 + i % 5,
                  dew_scale(dew_random_range(&random, 0, 2), dew_random_direction(&random)),
                  dew_random_direction(&random));
        for (int64_t v = 0; v < a.mesh.positions.count; v++) {  // star-shaped lumps
            dew_Vec3 *x = &DEW_ITEMS(&a.mesh.positions, dew_Vec3)[v];
            *x = dew_scale(dew_random_range(&random, 0.7, 1), *x);
        }
        test_drop_init(&sum);
        double common;
        dew_Status status = both(u, &a, &b, &sum, &common);
        assert_true(status.code == DEW_OK || status.code == DEW_UNSUPPORTED);
        refused += status.code != DEW_OK;
        crossed += common != 0;
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&sum);
    }
    dew_mesh_union_destroy(u);
    assert_true(crossed > 400);
    assert_int_equal(refused, 0);
}

static void make_box(TestDrop *d, dew_Vec3 size, double edge, dew_Vec3 center)
{
    test_drop_init(d);
    assert_ok(dew_shape_box(size, edge, &d->mesh));
    dew_mesh_transform(&d->mesh, 1, dew_rotation_identity(), center);
    test_drop_dress(d);
}

// Faces, edges and corners coincide: right to the nudge, at most 8^4 1e-11 of the size.
static void cubes_with_coplanar_faces(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    for (int i = 0; i < 60; i++) {
        TestDrop a, b, sum;
        dew_Vec3 shift = dew_vec(0.25 * (i % 5), 0.25 * (i / 5 % 4), 0.5 * (i / 20));
        make_box(&a, dew_vec(1, 1, 1), i % 2 ? 0.25 : 0, dew_vec(0, 0, 0));
        make_box(&b, dew_vec(1, 1, 1), i % 3 ? 0.25 : 0, shift);
        test_drop_init(&sum);
        dew_MeshUnionResult r = {0};
        dew_Status status = dew_mesh_union_run(u, DEW_MESH_UNION, &a.drop, &b.drop, &sum.drop, &r);
        double common = fmax(0, 1 - shift.x) * fmax(0, 1 - shift.y) * fmax(0, 1 - shift.z);
        if (common > 0) {
            assert_string_equal(status.message, "");
            assert_int_equal(r.relation, DEW_MESHES_CROSS);
            test_drop_audit(&sum);
            assert_true(fabs(volume(&sum) - (2 - common)) < 1e-6);
        } else {  // touching only: which it is, the nudge decides
            assert_true(status.code == DEW_OK || status.code == DEW_UNSUPPORTED);
            assert_true(status.code == DEW_OK || sum.mesh.triangles.count == 0);
        }
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&sum);
    }
    dew_mesh_union_destroy(u);
}

// Two caps on one plane: wetted sides coplanar. All that touches stays on the plane.
static void drops_on_one_plane_merge(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    dew_Remesh *remesh = NULL;
    assert_ok(dew_remesh_create(NULL, &remesh));
    dew_RemeshDef def = dew_default_remesh_def(0.15);
    for (int i = 0; i < 30; i++) {
        TestDrop cap[2], sum;
        for (int k = 0; k < 2; k++) {
            test_drop_init(&cap[k]);
            assert_ok(dew_shape_cap(1 + k, DEW_DEG(70), 0.15, &cap[k].mesh));
            dew_mesh_transform(&cap[k].mesh, 1, dew_rotation_about(dew_vec(0, 1, 0), i),
                               dew_vec(k * (0.5 + 0.04 * i), 0, 0.01 * k));
            test_drop_dress(&cap[k]);
            for (int64_t v = 0; v < cap[k].mesh.positions.count; v++) {
                dew_Vec3 *x = &DEW_ITEMS(&cap[k].mesh.positions, dew_Vec3)[v];
                if (fabs(x->y) < 1e-9) {
                    x->y = 0;
                    DEW_ITEMS(&cap[k].labels, uint8_t)[v] = DEW_LABEL_TOUCHING;
                }
            }
        }
        test_drop_init(&sum);
        dew_MeshUnionResult r;
        dew_Status status =
            dew_mesh_union_run(u, DEW_MESH_UNION, &cap[0].drop, &cap[1].drop, &sum.drop, &r);
        assert_string_equal(status.message, "");
        assert_int_equal(r.relation, DEW_MESHES_CROSS);
        test_drop_audit(&sum);
        for (int64_t v = 0; v < sum.mesh.positions.count; v++) {
            if (DEW_ITEMS(&sum.labels, uint8_t)[v] & DEW_LABEL_TOUCHING)
                assert_true(fabs(dew_mesh_positions(&sum.mesh)[v].y) < 1e-6);
        }
        assert_true(volume(&sum) < volume(&cap[0]) + volume(&cap[1]));
        for (int k = 0; k < 3; k++)
            assert_int_equal(test_drop_pass(&sum, remesh, &def).piece_count, 1);
        dew_MeshAudit audit;  // the slivers of the nudge are gone, nothing crosses itself
        assert_ok(dew_mesh_audit(&sum.mesh, NULL, &audit));
        assert_true(dew_mesh_audit_is_clean(&audit));
        assert_true(test_edge_extreme(&sum.mesh, false) > 0.2 * def.min_edge_m);
        for (int k = 0; k < 2; k++)
            test_drop_deinit(&cap[k]);
        test_drop_deinit(&sum);
    }
    dew_remesh_destroy(remesh);
    dew_mesh_union_destroy(u);
}

// A corner pokes through the middle of one large triangle: the curve closes within it.
static void corner_through_a_face(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    TestDrop a, b, sum;
    make_box(&a, dew_vec(4, 1, 4), 0, dew_vec(0, 0, 0));
    make_ball(&b, 0.3, 3, dew_vec(0.713, 0.7, 0.291), dew_vec(0.3, 0.2, 0.1));
    test_drop_init(&sum);
    double common;
    assert_ok(both(u, &a, &b, &sum, &common));
    assert_true(common > 0);
    assert_int_equal(test_drop_audit(&sum).euler_characteristic, 2);
    test_drop_deinit(&a);
    test_drop_deinit(&b);
    test_drop_deinit(&sum);
    dew_mesh_union_destroy(u);
}

static void apart_and_inside_are_reported(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    static const struct {
        double ra, rb, distance;
        dew_MeshRelation relation;
    } cases[] = {{1, 1, 3, DEW_MESHES_APART},
                 {1, 1, 1.999, DEW_MESHES_APART},  // boxes meet, facets do not
                 {1, 0.2, 0.3, DEW_MESHES_SECOND_INSIDE},
                 {0.2, 1, 0.3, DEW_MESHES_FIRST_INSIDE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TestDrop a, b, out;
        make_ball(&a, cases[i].ra, 4, dew_vec(0, 0, 0), dew_vec(0.3, 0, 0));
        make_ball(&b, cases[i].rb, 4, dew_scale(cases[i].distance / sqrt(3), dew_vec(1, 1, 1)),
                  dew_vec(0, 0.2, 0));
        test_drop_init(&out);
        dew_MeshUnionResult r;
        assert_ok(dew_mesh_union_run(u, DEW_MESH_UNION, &a.drop, &b.drop, &out.drop, &r));
        assert_int_equal(r.relation, cases[i].relation);
        assert_int_equal(out.mesh.triangles.count, 0);
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&out);
    }
    dew_mesh_union_destroy(u);
}

// Velocities that are linear in space stay so: on the curves both meshes agree about them.
static void velocities_are_interpolated_and_out_may_be_an_input(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    TestDrop a, b;
    make_ball(&a, 1, 6, dew_vec(0, 0, 0), dew_vec(0.3, 0, 0));
    make_ball(&b, 1, 6, dew_vec(1.3, 0.1, 0.2), dew_vec(0, 0.2, 0));
    dew_MeshUnionResult r;
    assert_ok(dew_mesh_union_run(u, DEW_MESH_UNION, &a.drop, &b.drop, &a.drop, &r));
    test_drop_audit(&a);
    for (int64_t v = 0; v < a.mesh.positions.count; v++) {
        dew_Vec3 x = dew_mesh_positions(&a.mesh)[v], w = DEW_ITEMS(&a.velocities, dew_Vec3)[v];
        assert_true(dew_distance(w, dew_add(x, dew_vec(1, 2, 3))) < 1e-8);
        assert_true(fabs(DEW_ITEMS(&a.scales, double)[v] - 1) < 1e-12);
    }
    test_drop_deinit(&a);
    test_drop_deinit(&b);
    dew_mesh_union_destroy(u);
}

// What a union leaves behind is fit for the remesher.
static void union_can_be_remeshed(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    dew_Remesh *remesh = NULL;
    assert_ok(dew_remesh_create(NULL, &remesh));
    dew_RemeshDef def = dew_default_remesh_def(0.15);
    dew_Random random = dew_random(4, 0, 0);
    for (int i = 0; i < 40; i++) {
        TestDrop a, b;
        make_ball(&a, 1, 8, dew_vec(0, 0, 0), dew_random_direction(&random));
        make_ball(&b, 0.8, 6,
                  dew_scale(dew_random_range(&random, 0.5, 1.7), dew_random_direction(&random)),
                  dew_random_direction(&random));
        dew_MeshUnionResult r;
        assert_ok(dew_mesh_union_run(u, DEW_MESH_UNION, &a.drop, &b.drop, &a.drop, &r));
        assert_int_equal(r.relation, DEW_MESHES_CROSS);
        for (int k = 0; k < 3; k++)
            assert_int_equal(test_drop_pass(&a, remesh, &def).piece_count, 1);
        assert_true(test_edge_extreme(&a.mesh, false) > 0.2 * def.min_edge_m);
        test_drop_deinit(&a);
        test_drop_deinit(&b);
    }
    dew_remesh_destroy(remesh);
    dew_mesh_union_destroy(u);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    TestDrop a, b, out;
    make_ball(&a, 1, 1, dew_vec(0, 0, 0), dew_vec(0.3, 0, 0));
    make_ball(&b, 1, 1, dew_vec(1.1, 0.1, 0.2), dew_vec(0, 0.2, 0));
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_MeshUnion *u = NULL;
        test_drop_init(&out);
        dew_Status status = dew_mesh_union_create(&allocator, &u);
        if (status.code == DEW_OK)
            status = dew_mesh_union_run(u, DEW_MESH_UNION, &a.drop, &b.drop, &out.drop, NULL);
        dew_mesh_union_destroy(u);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
        bool is_last = torture.calls <= n;
        assert_int_equal(status.code, is_last ? DEW_OK : DEW_NO_MEMORY);
        assert_true((out.mesh.triangles.count > 0) == is_last);
        test_drop_deinit(&out);
        if (is_last)
            break;
    }
    test_drop_deinit(&a);
    test_drop_deinit(&b);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    dew_MeshUnion *u = workspace();
    for (int kind = 0; kind < 4; kind++) {
        TestDrop a, b;
        make_ball(&a, 1, 2, dew_vec(0, 0, 0), dew_vec(0.3, 0, 0));
        make_ball(&b, 1, 2, dew_vec(1.1, 0, 0), dew_vec(0, 0.2, 0));
        if (kind == 0)
            b.mesh.triangles.count--;
        else if (kind == 1)
            DEW_ITEMS(&b.mesh.positions, dew_Vec3)[0].x = (double)INFINITY;
        else if (kind == 2)
            DEW_ITEMS(&a.mesh.triangles, dew_Triangle)[0].v[0] = 4000000000u;
        else
            a.labels.count--;
        int64_t triangles = a.mesh.triangles.count;
        dew_Status status = dew_mesh_union_run(u, DEW_MESH_UNION, &a.drop, &b.drop, &a.drop, NULL);
        assert_int_equal(status.code, DEW_BAD_INPUT);
        assert_int_equal(a.mesh.triangles.count, triangles);
        test_drop_deinit(&a);
        test_drop_deinit(&b);
    }
    dew_mesh_union_destroy(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_follow_the_lens_formula),
        cmocka_unit_test(thousand_random_pairs),
        cmocka_unit_test(cubes_with_coplanar_faces),
        cmocka_unit_test(drops_on_one_plane_merge),
        cmocka_unit_test(corner_through_a_face),
        cmocka_unit_test(apart_and_inside_are_reported),
        cmocka_unit_test(velocities_are_interpolated_and_out_may_be_an_input),
        cmocka_unit_test(union_can_be_remeshed),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests_name("geom/mesh_union", tests, NULL, NULL);
}
