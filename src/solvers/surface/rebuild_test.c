// Rebuilding: balls and drops on solids keep volume, place and contact line to within the spacing;
// a drop that has run into itself comes out simple; pieces and bubbles are reported; velocities are
// those nearby.
#include "solvers/surface/merge_testing.h"

#include "base/torture.h"
#include "solvers/surface/wall_extrusion.h"

#define EDGE 0.15

static dew_DropRebuild *workspace(void)
{
    dew_DropRebuild *rebuild = NULL;
    assert_int_equal(dew_drop_rebuild_create(NULL, &rebuild).code, DEW_OK);
    return rebuild;
}

static void ball(TestDrop *d, double radius, dew_Vec3 center)
{
    test_drop_init(d);
    assert_int_equal(dew_shape_sphere(radius, EDGE, &d->mesh).code, DEW_OK);
    dew_mesh_transform(&d->mesh, 1, dew_rotation_identity(), center);
    test_drop_dress(d);
}

static double volume(const TestDrop *d)
{
    return dew_mesh_measure(&d->mesh).volume_m3;
}

static dew_DropRebuildResult rebuild_drops(dew_DropRebuild *rebuild, const dew_DropRebuildDef *def,
                                           const dew_RemeshDrop *drops, int64_t count,
                                           TestDrop *out)
{
    dew_DropRebuildResult r;
    dew_Status status = dew_drop_rebuild(rebuild, def, drops, count, &out->drop, &r);
    assert_string_equal(status.message, "");
    test_drop_audit(out);
    assert_true(fabs(volume(out) - r.volume_m3) < 1e-11 * r.volume_m3);
    return r;
}

static void ball_stays_a_ball(void **state)
{
    (void)state;
    dew_DropRebuild *rebuild = workspace();
    dew_DropRebuildDef def = {.edge_m = EDGE};
    TestDrop d, out;
    ball(&d, 1, dew_vec(0.1, 0.2, 0.3));
    test_drop_init(&out);
    dew_DropRebuildResult r = rebuild_drops(rebuild, &def, &d.drop, 1, &out);
    assert_int_equal(r.piece_count, 1);
    assert_true(fabs(r.before_m3 - volume(&d)) < 1e-12);
    // A chord of length l lies within l^2 / 8 of the ball: once for the old edges, once for the
    // line between two nodes, once for the new edges.
    double allowed = 3 * EDGE * EDGE / 8;
    for (int64_t v = 0; v < out.mesh.positions.count; v++) {
        dew_Vec3 x = dew_mesh_positions(&out.mesh)[v];
        assert_true(fabs(dew_distance(x, dew_vec(0.1, 0.2, 0.3)) - 1) < allowed);
        // Velocity is (1, 2, 3) + position at the nearest old point; collapses and smoothing then
        // shift vertices by less than the longest edge.
        dew_Vec3 u = DEW_ITEMS(&out.velocities, dew_Vec3)[v];
        assert_true(dew_distance(u, dew_add(x, dew_vec(1, 2, 3))) < 1.5 * EDGE);
    }
    assert_true(fabs(volume(&out) - volume(&d)) < allowed * 4 * DEW_PI);
    test_drop_deinit(&d);
    test_drop_deinit(&out);
    dew_drop_rebuild_destroy(rebuild);
}

static double wetted_area(const TestDrop *d)
{
    double sum = 0;
    const uint8_t *label = DEW_ITEMS(&d->labels, uint8_t);
    const dew_Vec3 *x = dew_mesh_positions(&d->mesh);
    for (int64_t t = 0; t < d->mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&d->mesh)[t].v;
        if (label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING)
            sum += 0.5 * dew_length(dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]));
    }
    return sum;
}

static void contact_line_stays(void **state)
{
    (void)state;
    dew_DropRebuild *rebuild = workspace();
    dew_Remesh *remesh = NULL;
    assert_int_equal(dew_remesh_create(NULL, &remesh).code, DEW_OK);
    static const TestSolidKind kinds[] = {TEST_PLANE, TEST_BALL, TEST_CYLINDER, TEST_BOWL};
    for (int i = 0; i < 12; i++) {
        TestSolid solid = {kinds[i % 4], 3};
        double height = -0.2 + 0.3 * (i / 4);  // contact angles from 80 to 115 degrees and more
        dew_DropRebuildDef def = {.edge_m = EDGE, .solids = test_solids(&solid)};
        TestDrop d, out;
        test_drop_on(&d, &solid, remesh, 1, EDGE, test_solid_place(&solid, 0.3, 0.2, height),
                     dew_vec(1, 2, 3));
        test_drop_init(&out);
        dew_DropRebuildResult r = rebuild_drops(rebuild, &def, &d.drop, 1, &out);
        assert_int_equal(r.piece_count, 1);
        test_drop_sits(&out, &solid, 1e-2 * EDGE);
        assert_int_equal(test_wetted_patches(&out), 1);
        assert_true(test_folded_area(&out, &solid) < 0.02 * EDGE * EDGE);
        // The line moves by less than a third of an edge on average.
        double before = wetted_area(&d), length = 2 * sqrt(DEW_PI * before);
        assert_true(fabs(wetted_area(&out) - before) < length * EDGE / 3);
        assert_true(fabs(volume(&out) - volume(&d)) < 0.02 * volume(&d));
        test_drop_deinit(&d);
        test_drop_deinit(&out);
    }
    dew_remesh_destroy(remesh);
    dew_drop_rebuild_destroy(rebuild);
}

// The walls close what the inset sides leave open.
static void skirts_are_closed(void **state)
{
    (void)state;
    dew_Remesh *remesh = NULL;
    assert_int_equal(dew_remesh_create(NULL, &remesh).code, DEW_OK);
    dew_DropSkirt skirt;
    dew_drop_skirt_init(&skirt, NULL);
    for (int i = 0; i < TEST_SOLID_COUNT; i++) {
        TestSolid solid = {(TestSolidKind)i, 3};
        dew_DropSolids solids = test_solids(&solid);
        TestDrop d;
        test_drop_on(&d, &solid, remesh, 1, EDGE, test_solid_place(&solid, 0, 0, 0.2),
                     dew_vec(1, 2, 3));
        assert_int_equal(dew_drop_skirt_make(&skirt, &d.drop, &solids, 0.2).code, DEW_OK);
        dew_MeshAuditDef def = {.skip_self_intersections = true};
        dew_MeshAudit audit;
        assert_int_equal(dew_mesh_audit(&skirt.mesh, &def, &audit).code, DEW_OK);
        assert_true(audit.is_closed && audit.is_oriented);
        double gained = dew_mesh_measure(&skirt.mesh).volume_m3 - volume(&d);
        double flat = 0.2 * wetted_area(&d);  // exact for a plane, within half for the curved ones
        assert_true(i == TEST_PLANE || i == TEST_NO_SOLID ? fabs(gained - flat) < 1e-12
                                                          : fabs(gained - flat) < 0.5 * flat);
        test_drop_deinit(&d);
    }
    dew_drop_skirt_deinit(&skirt);
    dew_remesh_destroy(remesh);
}

// A bar bent until its ends run through each other.
static void self_crossing_drop_becomes_a_ring(void **state)
{
    (void)state;
    dew_DropRebuild *rebuild = workspace();
    TestDrop d, out;
    test_drop_init(&d);
    test_drop_init(&out);
    assert_int_equal(dew_shape_cylinder(0.4, 7, EDGE, &d.mesh).code, DEW_OK);
    bool crosses;
    test_drop_dress(&d);
    assert_int_equal(dew_drop_self_crosses(rebuild, &d.drop, &crosses).code, DEW_OK);
    assert_false(crosses);
    for (int64_t v = 0; v < d.mesh.positions.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&d.mesh.positions, dew_Vec3)[v];
        double turn = x->y, r = 1 + x->x;  // 7 of 6.28 round
        *x = dew_vec(r * cos(turn), r * sin(turn), x->z);
    }
    dew_mesh_flip(&d.mesh);
    if (volume(&d) < 0)
        dew_mesh_flip(&d.mesh);
    assert_int_equal(dew_drop_self_crosses(rebuild, &d.drop, &crosses).code, DEW_OK);
    assert_true(crosses);
    dew_DropRebuildDef def = {.edge_m = EDGE};
    dew_DropRebuildResult r = rebuild_drops(rebuild, &def, &d.drop, 1, &out);
    assert_int_equal(r.piece_count, 1);
    assert_int_equal(test_drop_audit(&out).euler_characteristic, 0);
    assert_int_equal(dew_drop_self_crosses(rebuild, &out.drop, &crosses).code, DEW_OK);
    assert_false(crosses);
    // The torus of radii R = 1 and r = 0.4: volume 2 pi^2 R r^2, area 4 pi^2 R r; chords as for the
    // ball, with curvature 1 / r.
    double area = 4 * DEW_PI * DEW_PI * 0.4, allowed = 3 * EDGE * EDGE / 8 / 0.4 * area;
    assert_true(fabs(volume(&out) - 2 * DEW_PI * DEW_PI * 0.16) < allowed);
    test_drop_deinit(&d);
    test_drop_deinit(&out);
    dew_drop_rebuild_destroy(rebuild);
}

static void pieces_bubbles_and_gaps(void **state)
{
    (void)state;
    dew_DropRebuild *rebuild = workspace();
    dew_DropRebuildDef def = {.edge_m = EDGE};
    TestDrop d[2], out;
    ball(&d[0], 0.6, dew_vec(0, 0, 0));
    ball(&d[1], 0.8, dew_vec(1.5, 0, 0));
    test_drop_init(&out);
    const dew_RemeshDrop pair[2] = {d[0].drop, d[1].drop};
    dew_DropRebuildResult r = rebuild_drops(rebuild, &def, pair, 2, &out);
    assert_int_equal(r.piece_count, 2);  // 0.1 apart
    const dew_RemeshPiece *piece = dew_drop_rebuild_pieces(rebuild);
    assert_true(piece[0].volume_m3 > piece[1].volume_m3);
    assert_int_equal(piece[0].vertex_count + piece[1].vertex_count, out.mesh.positions.count);
    def.swell_m = 0.1;
    r = rebuild_drops(rebuild, &def, pair, 2, &out);
    assert_int_equal(r.piece_count, 1);
    for (int k = 0; k < 2; k++)
        test_drop_deinit(&d[k]);
    // A ball with a bubble in it, right side out: filled.
    ball(&d[0], 1, dew_vec(0, 0, 0));
    ball(&d[1], 0.6, dew_vec(0, 0, 0));
    dew_mesh_flip(&d[1].mesh);
    assert_int_equal(dew_mesh_append(&d[0].mesh, &d[1].mesh).code, DEW_OK);
    test_drop_dress(&d[0]);
    def.swell_m = 0;
    r = rebuild_drops(rebuild, &def, &d[0].drop, 1, &out);
    assert_int_equal(r.piece_count, 1);
    assert_true(fabs(r.filled_m3 - 4 * DEW_PI / 3 * 0.216) < 0.05);
    for (int k = 0; k < 2; k++)
        test_drop_deinit(&d[k]);
    test_drop_deinit(&out);
    dew_drop_rebuild_destroy(rebuild);
}

// The box around two far balls has 8 million nodes, 64 MB. Bricks have samples whose middle lies
// within sqrt(3) 4.5 < 8 spacings of a surface: centres of cubes of side 8 in a ball of 0.6 / 0.85
// EDGE + 8 < 13 spacings, fewer than (4 pi / 3) (13 + 4 sqrt(3))^3 / 8^3 = 65 per ball, 4 kB each,
// 0.5 MB in all, and three times that while their array grows. Balls of 400 triangles need less
// than as much again for all else.
static void memory_follows_the_surface(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_DropRebuild *rebuild = NULL;
    assert_int_equal(dew_drop_rebuild_create(&allocator, &rebuild).code, DEW_OK);
    dew_DropRebuildDef def = {.edge_m = EDGE};
    double far = 200 * 0.85 * EDGE;
    TestDrop d, other, out;
    ball(&d, 0.6, dew_vec(0, 0, 0));
    ball(&other, 0.6, dew_vec(far, far, far));
    assert_int_equal(dew_mesh_append(&d.mesh, &other.mesh).code, DEW_OK);
    test_drop_dress(&d);
    test_drop_init(&out);
    dew_DropRebuildResult r = rebuild_drops(rebuild, &def, &d.drop, 1, &out);
    assert_int_equal(r.piece_count, 2);
    assert_true(torture.most_bytes < 3000000);
    test_drop_deinit(&d);
    test_drop_deinit(&other);
    test_drop_deinit(&out);
    dew_drop_rebuild_destroy(rebuild);
    assert_int_equal(torture.blocks, 0);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    dew_DropRebuild *rebuild = workspace();
    TestDrop d, out;
    ball(&d, 1, dew_vec(0, 0, 0));
    test_drop_init(&out);
    const dew_DropRebuildDef defs[] = {{.edge_m = 0}, {.edge_m = 1e-5}, {.edge_m = (double)NAN}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(dew_drop_rebuild(rebuild, &defs[i], &d.drop, 1, &out.drop, NULL).code,
                         DEW_BAD_INPUT);
    d.labels.count--;
    dew_DropRebuildDef def = {.edge_m = EDGE};
    assert_int_equal(dew_drop_rebuild(rebuild, &def, &d.drop, 1, &out.drop, NULL).code,
                     DEW_BAD_INPUT);
    assert_int_equal(out.mesh.triangles.count, 0);
    test_drop_deinit(&d);
    test_drop_deinit(&out);
    dew_drop_rebuild_destroy(rebuild);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_stays_a_ball),
        cmocka_unit_test(contact_line_stays),
        cmocka_unit_test(skirts_are_closed),
        cmocka_unit_test(self_crossing_drop_becomes_a_ring),
        cmocka_unit_test(pieces_bubbles_and_gaps),
        cmocka_unit_test(memory_follows_the_surface),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests_name("solvers/surface/rebuild", tests, NULL, NULL);
}
