// Shapes: closed, manifold, outward, on the exact surface, of the right size and fineness.
#include "dew/wetting.h"
#include "geom/shapes.h"

#include "base/torture.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"
#include "geom/sample_meshes.h"

static void check_closed(const dew_Mesh *mesh, int64_t euler)
{
    dew_MeshAudit audit;
    assert_ok(dew_mesh_audit(mesh, NULL, &audit));
    assert_true(dew_mesh_audit_is_clean(&audit));
    assert_int_equal(audit.euler_characteristic, euler);
    assert_int_equal(audit.component_count, 1);
    assert_int_equal(audit.count[DEW_FLAW_DEGENERATE], 0);
    assert_int_equal(audit.count[DEW_FLAW_UNREFERENCED], 0);
}

// Mean and longest edge.
static void edge_lengths(const dew_Mesh *mesh, double *mean, double *longest)
{
    *mean = *longest = 0;
    for (int64_t h = 0; h < 3 * mesh->triangles.count; h++) {
        const uint32_t *v = dew_mesh_triangles(mesh)[h / 3].v;
        double length = dew_distance(dew_mesh_positions(mesh)[v[h % 3]],
                                     dew_mesh_positions(mesh)[v[(h + 1) % 3]]);
        *mean += length / (double)(3 * mesh->triangles.count);
        *longest = fmax(*longest, length);
    }
}

static void check_edges(const dew_Mesh *mesh, double edge)
{
    double mean, longest;
    edge_lengths(mesh, &mean, &longest);
    assert_true(mean > 0.5 * edge && mean < 1.3 * edge);
    assert_true(longest < 2 * edge);
}

static void spheres(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    for (int frequency = 1; frequency <= 9; frequency++) {
        assert_ok(dew_shape_icosphere(3, frequency, &mesh));
        assert_int_equal(mesh.triangles.count, 20 * frequency * frequency);
        check_closed(&mesh, 2);
        for (int64_t v = 0; v < mesh.positions.count; v++)
            assert_within(dew_length(dew_mesh_positions(&mesh)[v]), 3, 2e-15);
    }
    assert_ok(dew_shape_sphere(2, 0.2, &mesh));
    check_closed(&mesh, 2);
    check_edges(&mesh, 0.2);
    dew_mesh_deinit(&mesh);
}

static void ellipsoids(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Vec3 radii = {2, 1, 1.5};
    assert_ok(dew_shape_ellipsoid(radii, 0.1, &mesh));
    check_closed(&mesh, 2);
    for (int64_t v = 0; v < mesh.positions.count; v++)
        assert_within(dew_ellipsoid_distance(dew_mesh_positions(&mesh)[v], radii).distance, 0,
                      1e-14);
    dew_MeshMeasure m = dew_mesh_measure(&mesh);
    assert_within(m.volume_m3, 4 * DEW_PI / 3 * 3, 4 * DEW_PI * 3e-3);
    dew_mesh_deinit(&mesh);
}

static void boxes(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_box(dew_vec(1, 2, 3), 0, &mesh));
    assert_int_equal(mesh.triangles.count, 12);
    check_closed(&mesh, 2);
    assert_ok(dew_shape_box(dew_vec(1, 2, 3), 0.25, &mesh));
    assert_int_equal(mesh.triangles.count, 4 * (4 * 8 + 8 * 12 + 12 * 4));
    check_closed(&mesh, 2);
    check_edges(&mesh, 0.25);
    assert_within(dew_mesh_measure(&mesh).volume_m3, 6, 1e-14);
    assert_ok(dew_shape_box(dew_vec(1, 0.1, 0.1), 0.5, &mesh));  // one cell thick
    check_closed(&mesh, 2);
    dew_mesh_deinit(&mesh);
}

static void cylinders_and_tubes(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    for (int k = 0; k < 3; k++) {
        double edge = k == 0 ? 0 : k == 1 ? 0.2 : 0.05;
        assert_ok(dew_shape_cylinder(1, 3, edge, &mesh));
        check_closed(&mesh, 2);
        double cylinder = dew_mesh_measure(&mesh).volume_m3;
        if (k > 0)
            check_edges(&mesh, edge);
        for (int64_t v = 0; v < mesh.positions.count; v++)
            assert_within(dew_cylinder_distance(dew_mesh_positions(&mesh)[v], 1, 1.5).distance, 0,
                          1e-15);
        assert_ok(dew_shape_tube(0.5, 1, 3, edge, &mesh));
        check_closed(&mesh, 0);
        double tube = dew_mesh_measure(&mesh).volume_m3;
        for (int64_t v = 0; v < mesh.positions.count; v++)
            assert_within(dew_tube_distance(dew_mesh_positions(&mesh)[v], 0.5, 1, 1.5).distance, 0,
                          1e-15);
        // A regular polygon of n sides holds (1 - 2/3 (pi / n)^2) of its circle: n >= 12.
        double missing = k == 0 ? 0.05 : edge * edge / 4;
        assert_within(cylinder, 3 * DEW_PI, 3 * DEW_PI * missing);
        assert_within(tube, 2.25 * DEW_PI, 3 * DEW_PI * missing);
    }
    dew_mesh_deinit(&mesh);
}

static void caps_at_all_angles(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    for (int degrees = 5; degrees <= 175; degrees += 10) {
        double angle = DEW_DEG(degrees), volume = 1e-8;
        dew_DropCap cap = dew_drop_cap_from_volume_angle(volume, angle);
        double edge = fmax(cap.height_m / 12, cap.base_radius_m / 25);
        assert_ok(dew_shape_cap(volume, angle, edge, &mesh));
        check_closed(&mesh, 2);
        check_edges(&mesh, edge);
        dew_MeshMeasure m = dew_mesh_measure(&mesh);
        assert_true(m.volume_m3 < volume && m.volume_m3 > 0.98 * volume);
        assert_within(m.box_m.min.y, 0, 0);
        assert_within(m.box_m.max.y, cap.height_m, 1e-15 * cap.height_m);
        for (int64_t v = 0; v < mesh.positions.count; v++) {
            dew_Closest c =
                dew_cap_distance(dew_mesh_positions(&mesh)[v], cap.radius_m, cap.center_height_m);
            assert_within(c.distance, 0, 4e-15 * cap.radius_m);
        }
        assert_ok(dew_shape_cap(volume, angle, 0, &mesh));
        check_closed(&mesh, 2);
    }
    dew_mesh_deinit(&mesh);
}

static void patches_face_up(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_MeshAudit audit;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_patch(2, 3, 0.5, &mesh));
    assert_int_equal(mesh.triangles.count, 2 * 4 * 6);
    assert_ok(dew_mesh_audit(&mesh, NULL, &audit));
    assert_int_equal(audit.count[DEW_FLAW_OPEN_EDGE], 2 * (4 + 6));
    assert_true(audit.is_manifold && audit.is_oriented && !audit.is_closed);
    assert_within(dew_mesh_measure(&mesh).area_m2, 6, 1e-14);
    dew_Vec3 normals[35];
    dew_mesh_vertex_normals(&mesh, normals);
    for (int v = 0; v < 35; v++)
        assert_true(normals[v].y == 1);
    dew_mesh_deinit(&mesh);
}

static void any_outline_can_be_turned(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    // A double cone: volume 2 (pi / 3) r^2 h.
    dew_ProfilePoint cone[3] = {{0, -1}, {1, 0}, {0, 1}};
    assert_ok(dew_shape_revolve(cone, 3, 0.01, &mesh));
    check_closed(&mesh, 2);
    assert_within(dew_mesh_measure(&mesh).volume_m3, 2 * DEW_PI / 3, 1e-4);
    // A torus: volume 2 pi^2 R r^2.
    dew_ProfilePoint ring[60];
    for (int i = 0; i < 60; i++)
        ring[i] = (dew_ProfilePoint){3 + cos(2 * DEW_PI * i / 60), sin(2 * DEW_PI * i / 60)};
    assert_ok(dew_shape_revolve(ring, 60, 0.1, &mesh));
    check_closed(&mesh, 0);
    double volume = 6 * DEW_PI * DEW_PI;
    assert_within(dew_mesh_measure(&mesh).volume_m3, volume, 0.005 * volume);
    dew_mesh_deinit(&mesh);
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    double nan = (double)NAN;
    dew_ProfilePoint touching[4] = {{0, 0}, {1, 0}, {0, 1}, {1, 2}};
    const dew_Status results[] = {
        dew_shape_sphere(0, 1, &mesh),
        dew_shape_sphere(nan, 1, &mesh),
        dew_shape_sphere(1, 1e-9, &mesh),
        dew_shape_sphere(1, 1e-300, &mesh),
        dew_shape_icosphere(1, 1 << 30, &mesh),
        dew_shape_ellipsoid(dew_vec(1, -1, 1), 1, &mesh),
        dew_shape_box(dew_vec(1, 0, 1), 1, &mesh),
        dew_shape_box(dew_vec(1, 1, 1), 1e-9, &mesh),
        dew_shape_cylinder(1, HUGE_VAL, 1, &mesh),
        dew_shape_cylinder(1, 1, 1e-9, &mesh),
        dew_shape_tube(2, 1, 1, 1, &mesh),
        dew_shape_patch(1, -1, 1, &mesh),
        dew_shape_patch(1, 1, 1e-9, &mesh),
        dew_shape_cap(1, 0, 1, &mesh),
        dew_shape_cap(1, DEW_PI, 1, &mesh),
        dew_shape_cap(0, 1, 1, &mesh),
        dew_shape_cap(1, 1, 1e-12, &mesh),
        dew_shape_revolve(touching, 4, 1, &mesh),
        dew_shape_revolve(touching, 2, 1, &mesh),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        assert_int_equal(results[i].code, DEW_BAD_INPUT);
    dew_mesh_deinit(&mesh);
}

static dew_Status make_all(dew_Mesh *mesh)
{
    DEW_TRY(dew_shape_sphere(1, 0.5, mesh));
    DEW_TRY(dew_shape_box(dew_vec(1, 1, 1), 0.2, mesh));
    DEW_TRY(dew_shape_patch(1, 1, 0.1, mesh));
    DEW_TRY(dew_shape_tube(1, 2, 1, 0.2, mesh));
    return dew_shape_cap(1, 1, 0.1, mesh);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Mesh mesh;
        dew_mesh_init(&mesh, &allocator);
        dew_Status status = make_all(&mesh);
        bool has_failed = torture.calls > n;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        dew_mesh_deinit(&mesh);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(ellipsoids),
        cmocka_unit_test(boxes),
        cmocka_unit_test(cylinders_and_tubes),
        cmocka_unit_test(caps_at_all_angles),
        cmocka_unit_test(patches_face_up),
        cmocka_unit_test(any_outline_can_be_turned),
        cmocka_unit_test(impossible_shapes_are_refused),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
