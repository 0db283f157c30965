// Necks: a dumbbell squeezed until it parts, a torus that closes, pockets and tetrahedra taken out.
#include "geom/remesh_testing.h"

static dew_Remesh *workspace(void)
{
    dew_Remesh *remesh = NULL;
    assert_ok(dew_remesh_create(NULL, &remesh));
    return remesh;
}

// Two balls of radius 1 at y = +-2, a neck of the given radius between them.
static void dumbbell(TestDrop *d, double neck, double edge)
{
    dew_ProfilePoint profile[128];
    int64_t count = 0;
    for (int i = 0; i <= 100; i++) {
        double y = -3 + 6 * i / 100.0, r = fabs(y) - 2;
        double radius = r * r < 1 ? sqrt(1 - r * r) : 0;
        radius = fabs(y) < 2 ? fmax(radius, neck) : radius;
        profile[count++] = (dew_ProfilePoint){radius, y};
    }
    test_drop_init(d);
    assert_ok(dew_shape_revolve(profile, count, edge, &d->mesh));
    test_drop_dress(d);
}

static void squeeze(TestDrop *d, double factor)
{
    for (int64_t v = 0; v < d->mesh.positions.count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(&d->mesh.positions, dew_Vec3)[v];
        double weight = exp(-4 * x->y * x->y), s = 1 + (factor - 1) * weight;
        x->x *= s;
        x->z *= s;
    }
}

static void pieces_are_ranges(const TestDrop *d, const dew_Remesh *remesh, int64_t piece_count)
{
    int64_t vertex = 0, triangle = 0;
    for (int64_t i = 0; i < piece_count; i++) {
        dew_RemeshPiece p = dew_remesh_pieces(remesh)[i];
        assert_int_equal(p.first_vertex, vertex);
        assert_int_equal(p.first_triangle, triangle);
        for (int64_t t = triangle; t < triangle + p.triangle_count; t++) {
            for (int k = 0; k < 3; k++)
                assert_in_range(dew_mesh_triangles(&d->mesh)[t].v[k], vertex,
                                vertex + p.vertex_count - 1);
        }
        vertex += p.vertex_count;
        triangle += p.triangle_count;
    }
    assert_int_equal(vertex, d->mesh.positions.count);
    assert_int_equal(triangle, d->mesh.triangles.count);
}

static void dumbbell_parts_in_two(void **state)
{
    (void)state;
    TestDrop d;
    dumbbell(&d, 0.5, 0.2);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = dew_default_remesh_def(0.2);
    int64_t pieces = 1, pinches = 0;
    for (int step = 0; step < 60 && pieces < 2; step++) {
        squeeze(&d, 0.93);
        dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
        pieces = r.piece_count;
        pinches += r.pinch_count;
        assert_true(fabs(r.loss_m3) < 0.01);
    }
    assert_int_equal(pieces, 2);
    assert_true(pinches >= 1);
    pieces_are_ranges(&d, remesh, 2);
    // Each half is a ball of radius 1 and some of the neck.
    for (int i = 0; i < 2; i++) {
        double volume = dew_remesh_pieces(remesh)[i].volume_m3;
        assert_true(volume > 0.85 * 4 * DEW_PI / 3 && volume < 1.25 * 4 * DEW_PI / 3);
    }
    dew_MeshAudit audit = test_drop_audit(&d);
    assert_int_equal(audit.euler_characteristic, 4);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

static void necks_are_kept_on_request(void **state)
{
    (void)state;
    TestDrop d;
    dumbbell(&d, 0.5, 0.2);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = dew_default_remesh_def(0.2);
    def.keep_necks = true;
    for (int step = 0; step < 40; step++) {
        squeeze(&d, 0.93);
        dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
        assert_int_equal(r.piece_count, 1);
        assert_int_equal(r.pinch_count + r.loss_count, 0);
    }
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

// The hole of a ring closes: the surface stays in one piece and becomes a ball.
static void torus_closes_to_a_ball(void **state)
{
    (void)state;
    TestDrop d;
    test_drop_init(&d);
    dew_ProfilePoint profile[33];
    for (int i = 0; i <= 32; i++) {
        double angle = 2 * DEW_PI * (i % 32) / 32;
        profile[i] = (dew_ProfilePoint){1.4 + cos(angle), sin(angle)};
    }
    assert_ok(dew_shape_revolve(profile, 33, 0.25, &d.mesh));
    test_drop_dress(&d);
    assert_int_equal(test_drop_audit(&d).euler_characteristic, 0);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = dew_default_remesh_def(0.25);
    int64_t euler = 0, pieces = 1;
    for (int step = 0; step < 60 && euler == 0; step++) {
        for (int64_t v = 0; v < d.mesh.positions.count; v++) {  // the inner rim moves in
            dew_Vec3 *x = &DEW_ITEMS(&d.mesh.positions, dew_Vec3)[v];
            double radius = hypot(x->x, x->z), s = 1 - 0.06 * exp(-4 * radius * radius);
            x->x *= s;
            x->z *= s;
        }
        pieces = test_drop_pass(&d, remesh, &def).piece_count;
        euler = test_drop_audit(&d).euler_characteristic;
    }
    assert_int_equal(euler, 2 * pieces);
    assert_true(dew_remesh_pieces(remesh)[0].volume_m3 > 0.9 * dew_mesh_measure(&d.mesh).volume_m3);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

// A tetrahedron standing on a triangle of a larger body: its edge is short, so it goes, and is
// reported.
static void tetrahedron_is_removed_and_reported(void **state)
{
    (void)state;
    TestDrop d;
    test_drop_init(&d);
    assert_ok(dew_shape_icosphere(1, 1, &d.mesh));
    dew_Triangle *t = DEW_ITEMS(&d.mesh.triangles, dew_Triangle);
    uint32_t a = t[0].v[0], b = t[0].v[1], c = t[0].v[2], tip = 12;
    dew_Vec3 *x = DEW_ITEMS(&d.mesh.positions, dew_Vec3);
    x[b] = dew_add_scaled(x[a], 0.05, dew_normalize(dew_sub(x[b], x[a])));  // a short edge a b
    dew_Vec3 middle = dew_scale(1.0 / 3, dew_add(x[a], dew_add(x[b], x[c])));
    dew_Vec3 top = dew_add_scaled(middle, 0.3, dew_normalize(middle));
    t[0].v[2] = tip;
    assert_ok(dew_mesh_add_triangle(&d.mesh, b, c, tip));
    assert_ok(dew_mesh_add_triangle(&d.mesh, c, a, tip));
    assert_ok(dew_mesh_add_vertex(&d.mesh, top));
    test_drop_dress(&d);
    test_drop_audit(&d);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = {.min_edge_m = 0.1, .max_edge_m = 4, .min_volume_m3 = 1, .keep_flat = true};
    x = DEW_ITEMS(&d.mesh.positions, dew_Vec3);
    double volume =
        dew_inner(dew_sub(x[a], top), dew_cross(dew_sub(x[b], top), dew_sub(x[c], top)));
    volume = fabs(volume) / 6;
    dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
    assert_int_equal(r.loss_count, 1);
    assert_int_equal(r.pinch_count, 0);
    assert_true(fabs(r.loss_m3 - volume) < 1e-14);
    assert_true(fabs(dew_remesh_losses(remesh)[0].volume_m3 - volume) < 1e-14);
    assert_true(dew_distance(dew_remesh_losses(remesh)[0].position_m, middle) < 0.3);
    assert_int_equal(r.collapse_count, 1);  // the edge itself, now that it may
    assert_int_equal(d.mesh.positions.count, 11);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

// A whole drop smaller than the smallest edge stays a closed mesh: the caller decides about it.
static void tiny_drop_is_never_emptied(void **state)
{
    (void)state;
    TestDrop d;
    test_drop_init(&d);
    assert_ok(dew_shape_icosphere(1, 4, &d.mesh));
    test_drop_dress(&d);
    dew_Remesh *remesh = workspace();
    dew_RemeshDef def = dew_default_remesh_def(100);
    for (int i = 0; i < 4; i++) {
        dew_RemeshResult r = test_drop_pass(&d, remesh, &def);
        assert_int_equal(r.piece_count, 1);
    }
    assert_true(d.mesh.positions.count >= 4 && d.mesh.positions.count < 12);
    dew_remesh_destroy(remesh);
    test_drop_deinit(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumbbell_parts_in_two),
        cmocka_unit_test(necks_are_kept_on_request),
        cmocka_unit_test(torus_closes_to_a_ball),
        cmocka_unit_test(tetrahedron_is_removed_and_reported),
        cmocka_unit_test(tiny_drop_is_never_emptied),
    };
    return cmocka_run_group_tests_name("geom/pinch", tests, NULL, NULL);
}
