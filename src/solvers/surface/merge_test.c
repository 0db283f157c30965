// Merging: drops in the air against the lens formula, drops side by side on every kind of solid,
// drops that only touch, one in the other, equal drops, chains, labels and momentum kept, lack of
// memory.
#include "solvers/surface/merge_testing.h"

#include "base/random.h"
#include "base/torture.h"

#define EDGE 0.2

static dew_Merge *workspace(void)
{
    dew_Merge *merge = NULL;
    assert_int_equal(dew_merge_create(NULL, &merge).code, DEW_OK);
    return merge;
}

static dew_Remesh *remesher(void)
{
    dew_Remesh *remesh = NULL;
    assert_int_equal(dew_remesh_create(NULL, &remesh).code, DEW_OK);
    return remesh;
}

static dew_MergeDef def_on(TestSolid *solid)
{
    dew_MergeDef def = dew_default_merge_def(EDGE);
    def.gap_m = 0.05 * EDGE;
    def.solids = test_solids(solid);
    return def;
}

static double volume(const TestDrop *d)
{
    return dew_mesh_measure(&d->mesh).volume_m3;
}

static dew_MergeResult merge_pair(dew_Merge *merge, const dew_MergeDef *def, const TestDrop *a,
                                  const TestDrop *b, TestDrop *out)
{
    dew_MergeResult r;
    dew_Status status = dew_merge_drops(merge, def, &a->drop, &b->drop, &out->drop, &r);
    assert_string_equal(status.message, "");
    if (r.kind == DEW_DROPS_APART) {
        assert_int_equal(out->mesh.triangles.count, 0);
        return r;
    }
    assert_int_equal(test_drop_audit(out).component_count, 1);
    double sum = volume(a) + volume(b);
    assert_true(fabs(volume(out) - r.volume_m3) <= 1e-11 * sum);
    assert_true(fabs(sum - r.volume_m3 - r.missing_m3) <= 1e-11 * sum);
    return r;
}

static void ball(TestDrop *d, double radius, dew_Vec3 center, dew_Vec3 turn)
{
    test_drop_init(d);
    assert_int_equal(dew_shape_sphere(radius, EDGE, &d->mesh).code, DEW_OK);
    dew_mesh_transform(&d->mesh, 1, dew_rotation_about(turn, dew_length(turn)), center);
    test_drop_dress(d);
}

// Volume common to balls of radius 1 and r at distance d.
static double lens(double r, double d)
{
    double t = 1 + r - d;
    return DEW_PI * t * t * (d * d + 2 * d * (1 + r) - 3 * (1 - r) * (1 - r)) / (12 * d);
}

static dew_Vec3 momentum(const TestDrop *d)
{
    dew_Vec3 sum = {0, 0, 0};
    double area = 0;
    for (int64_t t = 0; t < d->mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&d->mesh)[t].v;
        const dew_Vec3 *x = dew_mesh_positions(&d->mesh);
        double a = dew_length(dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]));
        for (int k = 0; k < 3; k++)
            sum = dew_add_scaled(sum, a / 3, DEW_ITEMS(&d->velocities, dew_Vec3)[v[k]]);
        area += a;
    }
    return dew_scale(volume(d) / area, sum);
}

static void drops_in_the_air(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    TestSolid none = {TEST_NO_SOLID, 0};
    dew_MergeDef def = def_on(&none);
    for (int i = 0; i < 40; i++) {
        TestDrop a, b, out;
        double r = i % 2 ? 1 : 0.6, d = (1 + r) - 2 * r * (0.05 + 0.8 * i / 40.0);
        dew_Random random = dew_random(5, (uint64_t)i, 0);
        dew_Vec3 way = dew_random_direction(&random);
        ball(&a, 1, dew_vec(0, 0, 0), dew_random_direction(&random));
        ball(&b, r, dew_scale(d, way), dew_random_direction(&random));
        for (int64_t v = 0; v < b.mesh.positions.count; v++)
            DEW_ITEMS(&b.velocities, dew_Vec3)[v] = dew_scale(-3, way);
        test_drop_init(&out);
        dew_MergeResult q = merge_pair(merge, &def, &a, &b, &out);
        assert_int_equal(q.kind, DEW_DROPS_UNITED);
        // What is missing is the lens, but for chords within e^2 / 8 of the balls of area 4 pi
        // each, and what smoothing and flips at the seam take: it is 2 pi long at most, and an edge
        // wide.
        double allowed = EDGE * EDGE / 8 * (2 * 4 * DEW_PI + 2 * DEW_PI * EDGE / EDGE);
        assert_true(fabs(q.missing_m3 - lens(r, d)) < allowed);
        dew_Vec3 before = dew_add(momentum(&a), momentum(&b));
        dew_Vec3 after = dew_scale((volume(&a) + volume(&b)) / volume(&out), momentum(&out));
        assert_true(dew_distance(before, after) < 1e-12 * dew_length(before));
        dew_MeshAudit audit;
        assert_int_equal(dew_mesh_audit(&out.mesh, NULL, &audit).code, DEW_OK);
        assert_true(dew_mesh_audit_is_clean(&audit));
        assert_true(test_edge_extreme(&out.mesh, false) > 0.2 * def.remesh.min_edge_m);
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&out);
    }
    dew_merge_destroy(merge);
}

// Side by side on a solid, from 0.1 % to 90 % of the smaller drop's width inside the larger.
static void drops_on_solids(void **state)
{
    (void)state;
    static const double overlap[] = {0.9, 0.6, 0.35, 0.2, 0.1, 0.04, 0.01, 0.001};
    dew_Merge *merge = workspace();
    dew_Remesh *remesh = remesher();
    for (int i = 0; i < 5 * 8 * 2; i++) {
        TestSolid solid = {(TestSolidKind)(TEST_PLANE + i % 5), 3};
        dew_MergeDef def = def_on(&solid);
        double r = i / 40 ? 0.5 : 1, d = 1 + r - 2 * r * overlap[i / 5 % 8];
        TestDrop a, b, out;
        dew_Vec3 at_a = test_solid_place(&solid, 0, 0, 0.3);
        dew_Vec3 at_b = test_solid_place(&solid, 0.8 * d, 0.6 * d, 0.3 * r);
        test_drop_on(&a, &solid, remesh, 1, EDGE, at_a, dew_vec(0.3, 0.2, 0.1));
        test_drop_on(&b, &solid, remesh, r, EDGE, at_b, dew_vec(0.1, 0.7, 0.4));
        test_drop_init(&out);
        dew_MergeResult q = merge_pair(merge, &def, &a, &b, &out);
        if (q.kind != DEW_DROPS_APART) {
            // Off a sharp edge a seam between wetted sides cuts across it, by what chords do.
            test_drop_sits(&out, &solid, 0.2 * EDGE);
            assert_true(test_folded_area(&out, &solid) < 0.02 * EDGE * EDGE);
            double sum = volume(&a) + volume(&b);
            // Drawing together moves 0.35 edges at most over a disk of two edges' radius, twice.
            assert_true(q.missing_m3 > -0.7 * EDGE * DEW_PI * 4 * EDGE * EDGE);
            assert_true(q.missing_m3 < sum - fmax(volume(&a), volume(&b)) + 0.02 * sum);
            bool is_deep = overlap[i / 5 % 8] > 0.15;
            assert_true(!is_deep || test_wetted_patches(&out) == 1);
        } else {
            assert_true(dew_distance(at_a, at_b) > 0.97 * (1 + r));  // chords may miss
        }
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&out);
    }
    dew_remesh_destroy(remesh);
    dew_merge_destroy(merge);
}

// Caps of every angle whose contact lines just touch, overlap by little and by much.
static void caps_on_a_plane(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    TestSolid plane = {TEST_PLANE, 0};
    for (int i = 0; i < 36; i++) {
        double angle = DEW_DEG(25 + 20 * (i % 6)), reach[2];
        TestDrop cap[2], out;
        for (int k = 0; k < 2; k++) {
            test_drop_init(&cap[k]);
            assert_int_equal(dew_shape_cap(1 + k, angle, EDGE, &cap[k].mesh).code, DEW_OK);
            reach[k] = dew_mesh_measure(&cap[k].mesh).box_m.max.x;
            dew_mesh_transform(&cap[k].mesh, 1, dew_rotation_about(dew_vec(0, 1, 0), 0.7 * i + k),
                               dew_vec(0, 0, 0));
        }
        double d = (reach[0] + reach[1]) * (1 - 0.05 * (i / 6) * (i / 6)) - 1e-3;
        dew_mesh_transform(&cap[1].mesh, 1, dew_rotation_identity(), dew_vec(d, 0, 0));
        for (int k = 0; k < 2; k++) {
            test_drop_dress(&cap[k]);
            for (int64_t v = 0; v < cap[k].mesh.positions.count; v++) {
                dew_Vec3 *x = &DEW_ITEMS(&cap[k].mesh.positions, dew_Vec3)[v];
                if (fabs(x->y) < 1e-9) {
                    x->y = 0;
                    DEW_ITEMS(&cap[k].labels, uint8_t)[v] = DEW_LABEL_TOUCHING;
                }
            }
        }
        test_drop_init(&out);
        dew_MergeDef def = def_on(&plane);
        def.gap_m = 0.5 * EDGE;
        dew_MergeResult q = merge_pair(merge, &def, &cap[0], &cap[1], &out);
        assert_true(q.kind == DEW_DROPS_UNITED || q.kind == DEW_DROPS_REBUILT);
        test_drop_sits(&out, &plane, 1e-12);
        assert_true(test_folded_area(&out, &plane) < 0.02 * EDGE * EDGE);
        assert_true(angle > DEW_PI / 2 || test_wetted_patches(&out) == 1);
        dew_MeshAudit audit;
        assert_int_equal(dew_mesh_audit(&out.mesh, NULL, &audit).code, DEW_OK);
        assert_int_equal(audit.count[DEW_FLAW_SELF_INTERSECTION], 0);
        for (int k = 0; k < 2; k++)
            test_drop_deinit(&cap[k]);
        test_drop_deinit(&out);
    }
    dew_merge_destroy(merge);
}

// Gaps below gap_m close, others do not; the bridge stands the next remeshing pass.
static void gaps_close_for_good(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    dew_Remesh *remesh = remesher();
    TestSolid none = {TEST_NO_SOLID, 0};
    dew_MergeDef def = def_on(&none);
    for (int i = 0; i < 20; i++) {
        dew_Random random = dew_random(9, (uint64_t)i, 0);
        dew_Vec3 way = dew_random_direction(&random);
        TestDrop a, b, out;
        ball(&a, 1, dew_vec(0, 0, 0), way);
        ball(&b, 0.7, dew_vec(0, 0, 0), dew_scale(-1, way));
        // As far apart along x as their vertices reach: then by half or by two gaps more.
        double reach =
            dew_mesh_measure(&a.mesh).box_m.max.x - dew_mesh_measure(&b.mesh).box_m.min.x;
        dew_mesh_transform(&b.mesh, 1, dew_rotation_identity(),
                           dew_vec(reach + (i % 2 ? 2 : -0.5) * def.gap_m, 0, 0));
        test_drop_init(&out);
        dew_MergeResult q = merge_pair(merge, &def, &a, &b, &out);
        if (i % 2)
            assert_int_equal(q.kind, DEW_DROPS_APART);
        if (q.kind != DEW_DROPS_APART) {
            assert_true(q.was_drawn);
            dew_RemeshDef pass = dew_default_remesh_def(EDGE);
            for (int k = 0; k < 3; k++)
                assert_int_equal(test_drop_pass(&out, remesh, &pass).piece_count, 1);
        }
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&out);
    }
    dew_remesh_destroy(remesh);
    dew_merge_destroy(merge);
}

static void inner_drop_is_swallowed(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    TestSolid none = {TEST_NO_SOLID, 0};
    dew_MergeDef def = def_on(&none);
    for (int i = 0; i < 3; i++) {  // inside, outside in, and twice the same drop
        TestDrop a, b, out;
        ball(&a, 1, dew_vec(0, 0, 0), dew_vec(0.3, 0, 0));
        ball(&b, i == 2 ? 1 : 0.3, dew_vec(i == 2 ? 0 : 0.4, 0, 0), dew_vec(0.3, 0, 0));
        test_drop_init(&out);
        dew_MergeResult q =
            i == 1 ? merge_pair(merge, &def, &b, &a, &out) : merge_pair(merge, &def, &a, &b, &out);
        if (i < 2) {
            assert_int_equal(q.kind, i == 1 ? DEW_DROPS_FIRST_INSIDE : DEW_DROPS_SECOND_INSIDE);
            assert_true(fabs(q.missing_m3 - volume(&b)) < 1e-12);
        }
        assert_true(fabs(q.volume_m3 - volume(&a)) < 0.05);
        test_drop_deinit(&a);
        test_drop_deinit(&b);
        test_drop_deinit(&out);
    }
    dew_merge_destroy(merge);
}

// Vertices far from the seam are the same after, with their label bits; velocities differ by one
// vector.
static void far_vertices_are_kept(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    TestSolid none = {TEST_NO_SOLID, 0};
    dew_MergeDef def = def_on(&none);
    TestDrop a, b;
    ball(&a, 1, dew_vec(0, 0, 0), dew_vec(0.3, 0, 0));
    ball(&b, 0.8, dew_vec(1.5, 0, 0), dew_vec(0, 0.2, 0));
    for (int64_t v = 0; v < a.mesh.positions.count; v++)
        DEW_ITEMS(&a.labels, uint8_t)[v] = (uint8_t)(v % 2 ? 0x40 : 0x84);
    TestDrop before;
    test_drop_init(&before);
    assert_int_equal(dew_mesh_copy(&before.mesh, &a.mesh).code, DEW_OK);
    assert_int_equal(dew_array_copy(&before.labels, &a.labels).code, DEW_OK);
    assert_int_equal(dew_array_copy(&before.velocities, &a.velocities).code, DEW_OK);
    dew_MergeResult q;  // into the first of the two
    assert_int_equal(dew_merge_drops(merge, &def, &a.drop, &b.drop, &a.drop, &q).code, DEW_OK);
    assert_int_equal(q.kind, DEW_DROPS_UNITED);
    int64_t kept = 0;
    dew_Vec3 step = {0, 0, 0};
    for (int64_t v = 0; v < before.mesh.positions.count; v++) {
        dew_Vec3 x = dew_mesh_positions(&before.mesh)[v];
        if (x.x > 0)
            continue;
        int64_t u = 0;
        while (u < a.mesh.positions.count && dew_distance(dew_mesh_positions(&a.mesh)[u], x) > 0)
            u++;
        assert_true(u < a.mesh.positions.count);
        assert_int_equal(DEW_ITEMS(&a.labels, uint8_t)[u], DEW_ITEMS(&before.labels, uint8_t)[v]);
        dew_Vec3 change = dew_sub(DEW_ITEMS(&a.velocities, dew_Vec3)[u],
                                  DEW_ITEMS(&before.velocities, dew_Vec3)[v]);
        assert_true(kept == 0 || dew_distance(change, step) < 1e-14);
        step = change;
        kept++;
    }
    assert_true(kept > 100);
    test_drop_deinit(&a);
    test_drop_deinit(&b);
    test_drop_deinit(&before);
    dew_merge_destroy(merge);
}

// Twelve drops in a closed ring on a plane become one with a dry place in the middle, then filled
// by one more from above.
static void chain_of_drops(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    dew_Remesh *remesh = remesher();
    TestSolid plane = {TEST_PLANE, 0};
    dew_MergeDef def = def_on(&plane);
    TestDrop all, next;
    for (int i = 0; i < 12; i++) {
        double turn = 2 * DEW_PI * i / 12, r = 0.62;
        test_drop_on(&next, &plane, remesh, r, EDGE, dew_vec(2 * cos(turn), 0.2, 2 * sin(turn)),
                     dew_vec(i, 1, 2));
        if (i == 0) {
            all = next;
            all.drop = (dew_RemeshDrop){&all.mesh.positions, &all.velocities, &all.labels,
                                        &all.scales, &all.mesh.triangles};
            continue;
        }
        dew_MergeResult q;
        assert_int_equal(dew_merge_drops(merge, &def, &all.drop, &next.drop, &all.drop, &q).code,
                         DEW_OK);
        assert_true(q.kind == DEW_DROPS_UNITED || q.kind == DEW_DROPS_REBUILT);
        int64_t euler = test_drop_audit(&all).euler_characteristic;
        assert_int_equal(euler, i == 11 ? 0 : 2);  // a ring at last
        test_drop_sits(&all, &plane, 1e-12);
        assert_int_equal(test_wetted_patches(&all), 1);
        test_drop_deinit(&next);
    }
    test_drop_deinit(&all);
    dew_remesh_destroy(remesh);
    dew_merge_destroy(merge);
}

static void onto_solid(void *context, uint8_t label, dew_Vec3 *position)
{
    (void)label;
    dew_Closest c;
    if (test_solid_nearest(context, *position, 1, &c))
        *position = c.point;
}

// Chords across a beam's edge: the middle of one lies elsewhere on the solid, and a split can make
// an edge as long as the one it took away. Passes must end all the same.
static void splits_end_at_a_sharp_edge(void **state)
{
    (void)state;
    dew_Remesh *remesh = remesher();
    TestSolid beam = {TEST_BOX, 1.5};
    TestDrop d;
    test_drop_on(&d, &beam, remesh, 1.19, EDGE, dew_vec(1.6, 1.6, 0), dew_vec(1, 2, 3));
    dew_RemeshDef def = dew_default_remesh_def(EDGE);
    def.project = onto_solid;
    def.context = &beam;
    def.smoothing = 1;
    for (int i = 0; i < 8; i++) {
        int64_t before = d.mesh.triangles.count;
        dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
        assert_true(r.split_count < before / 2 && d.mesh.triangles.count < before + before / 5);
    }
    test_drop_deinit(&d);
    dew_remesh_destroy(remesh);
}

// Random pairs on random solids, rebuilt or not: never a fault, always one sound piece.
static void random_pairs_never_fail(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    dew_Remesh *remesh = remesher();
    int kinds[5] = {0};
    for (int i = 0; i < 120; i++) {
        dew_Random random = dew_random(11, (uint64_t)i, 0);
        TestSolid solid = {(TestSolidKind)(i % TEST_SOLID_COUNT),
                           dew_random_range(&random, 1.5, 4)};
        dew_MergeDef def = def_on(&solid);
        def.always_rebuilds = i % 4 == 3;
        TestDrop d[2], out;
        for (int k = 0; k < 2; k++) {
            double r = dew_random_range(&random, 0.2, 0.9);
            double u = k * dew_random_range(&random, -1, 1),
                   v = k * dew_random_range(&random, -1, 1);
            double h = r * dew_random_range(&random, -0.2, 0.9);
            test_drop_on(&d[k], &solid, remesh, r, EDGE, test_solid_place(&solid, u, v, h),
                         dew_random_direction(&random));
        }
        test_drop_init(&out);
        kinds[merge_pair(merge, &def, &d[0], &d[1], &out).kind]++;
        for (int k = 0; k < 2; k++)
            test_drop_deinit(&d[k]);
        test_drop_deinit(&out);
    }
    assert_true(kinds[DEW_DROPS_UNITED] > 30 && kinds[DEW_DROPS_REBUILT] > 10);
    dew_remesh_destroy(remesh);
    dew_merge_destroy(merge);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    TestSolid plane = {TEST_PLANE, 0};
    dew_Remesh *remesh = remesher();
    TestDrop a, b, out;
    test_drop_on(&a, &plane, remesh, 0.4, EDGE, dew_vec(0, 0.1, 0), dew_vec(1, 2, 3));
    test_drop_on(&b, &plane, remesh, 0.4, EDGE, dew_vec(0.6, 0.1, 0), dew_vec(2, 2, 3));
    for (int rebuilds = 0; rebuilds < 2; rebuilds++) {
        for (int64_t n = 0;; n++) {
            dew_Torture torture = dew_torture(n);
            dew_Allocator allocator = dew_torture_allocator(&torture);
            dew_Merge *merge = NULL;
            dew_MergeDef def = def_on(&plane);
            def.always_rebuilds = rebuilds;
            test_drop_init(&out);
            dew_MergeResult q;
            dew_Status status = dew_merge_create(&allocator, &merge);
            if (status.code == DEW_OK)
                status = dew_merge_drops(merge, &def, &a.drop, &b.drop, &out.drop, &q);
            dew_merge_destroy(merge);
            assert_true(torture.blocks == 0 && !torture.was_lied_to);
            bool is_last = torture.calls <= n;
            // An arena that cannot join its blocks goes on with several: that failure is none.
            assert_true(status.code == DEW_OK || (status.code == DEW_NO_MEMORY && !is_last));
            assert_true((out.mesh.triangles.count > 0) == (status.code == DEW_OK));
            test_drop_deinit(&out);
            if (is_last)
                break;
        }
    }
    test_drop_deinit(&a);
    test_drop_deinit(&b);
    dew_remesh_destroy(remesh);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    dew_Merge *merge = workspace();
    TestSolid none = {TEST_NO_SOLID, 0};
    dew_MergeDef def = def_on(&none);
    TestDrop a, b;
    ball(&a, 1, dew_vec(0, 0, 0), dew_vec(0.3, 0, 0));
    ball(&b, 1, dew_vec(1.2, 0, 0), dew_vec(0, 0.2, 0));
    a.mesh.triangles.count--;
    int64_t count = a.mesh.triangles.count;
    dew_MergeResult q;
    assert_int_equal(dew_merge_drops(merge, &def, &a.drop, &b.drop, &a.drop, &q).code,
                     DEW_BAD_INPUT);
    assert_int_equal(a.mesh.triangles.count, count);
    test_drop_deinit(&a);
    test_drop_deinit(&b);
    dew_merge_destroy(merge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_in_the_air),        cmocka_unit_test(drops_on_solids),
        cmocka_unit_test(caps_on_a_plane),         cmocka_unit_test(gaps_close_for_good),
        cmocka_unit_test(inner_drop_is_swallowed), cmocka_unit_test(far_vertices_are_kept),
        cmocka_unit_test(chain_of_drops),          cmocka_unit_test(splits_end_at_a_sharp_edge),
        cmocka_unit_test(random_pairs_never_fail), cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests_name("solvers/surface/merge", tests, NULL, NULL);
}
