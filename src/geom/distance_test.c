// Basic shapes: known distances, and against dense samples of the surface everywhere.
#include "geom/distance.h"

#include "geom/sample_meshes.h"

enum { SPHERE, BOX, CYLINDER, TUBE, ELLIPSOID, CAP_LOW, CAP_HIGH, KIND_COUNT };

static const dew_Vec3 half = {1, 0.5, 0.7}, radii = {1.2, 0.4, 0.8};

static dew_Closest ask(int kind, dew_Vec3 p)
{
    switch (kind) {
    case SPHERE:
        return dew_sphere_distance(p, 0.9);
    case BOX:
        return dew_box_distance(p, half);
    case CYLINDER:
        return dew_cylinder_distance(p, 0.6, 0.8);
    case TUBE:
        return dew_tube_distance(p, 0.4, 0.9, 0.6);
    case ELLIPSOID:
        return dew_ellipsoid_distance(p, radii);
    case CAP_LOW:
        return dew_cap_distance(p, 1, -0.5);
    default:
        return dew_cap_distance(p, 1, 0.6);
    }
}

static bool is_inside(int kind, dew_Vec3 p)
{
    double r = sqrt(p.x * p.x + p.z * p.z), c = kind == CAP_LOW ? -0.5 : 0.6;
    switch (kind) {
    case SPHERE:
        return dew_length(p) < 0.9;
    case BOX:
        return fabs(p.x) < half.x && fabs(p.y) < half.y && fabs(p.z) < half.z;
    case CYLINDER:
        return r < 0.6 && fabs(p.y) < 0.8;
    case TUBE:
        return r > 0.4 && r < 0.9 && fabs(p.y) < 0.6;
    case ELLIPSOID:
        return dew_length2(dew_vec(p.x / radii.x, p.y / radii.y, p.z / radii.z)) < 1;
    default:
        return p.y > 0 && r * r + (p.y - c) * (p.y - c) < 1;
    }
}

static void surface_mesh(int kind, dew_Mesh *mesh)
{
    const double edge = 0.04;
    double angle = kind == CAP_LOW ? acos(0.5) : acos(-0.6), c = cos(angle);
    double volume = DEW_PI / 3 * (2 + c) * (1 - c) * (1 - c);
    switch (kind) {
    case SPHERE:
        assert_ok(dew_shape_sphere(0.9, edge, mesh));
        break;
    case BOX:
        assert_ok(dew_shape_box(dew_scale(2, half), edge, mesh));
        break;
    case CYLINDER:
        assert_ok(dew_shape_cylinder(0.6, 1.6, edge, mesh));
        break;
    case TUBE:
        assert_ok(dew_shape_tube(0.4, 0.9, 1.2, edge, mesh));
        break;
    case ELLIPSOID:
        assert_ok(dew_shape_ellipsoid(radii, edge, mesh));
        break;
    default:
        assert_ok(dew_shape_cap(volume, angle, edge, mesh));
    }
}

// No vertex of a fine mesh is nearer than the distance, and some vertex is nearly as near; the
// closest point lies on the surface, at the distance, along the normal.
static void everywhere_the_distance_of_the_surface(void **state)
{
    (void)state;
    dew_Random random = dew_random(17, 0, 0);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        surface_mesh(kind, &mesh);
        for (int n = 0; n < 400; n++) {
            dew_Vec3 p = sample_point(&random, n % 2 ? 1 : 2);
            dew_Closest c = ask(kind, p);
            double least = HUGE_VAL;
            for (int64_t v = 0; v < mesh.positions.count; v++)
                least = fmin(least, dew_distance(p, dew_mesh_positions(&mesh)[v]));
            assert_int_equal(c.distance < 0, is_inside(kind, p));
            assert_true(fabs(c.distance) <= least * (1 + 1e-12));
            assert_true(least <= fabs(c.distance) + 0.04);
            assert_within(ask(kind, c.point).distance, 0, 4e-15);
            assert_within(dew_distance(p, c.point), fabs(c.distance), 4e-15);
            assert_within(dew_length(c.normal), 1, 1e-14);
            assert_true(dew_distance(dew_add_scaled(c.point, c.distance, c.normal), p) < 1e-13);
        }
        dew_mesh_deinit(&mesh);
    }
}

static void check(dew_Closest c, double distance, dew_Vec3 point, dew_Vec3 normal)
{
    assert_within(c.distance, distance, 1e-15);
    assert_true(dew_distance(c.point, point) < 1e-15);
    assert_true(dew_distance(c.normal, normal) < 1e-15);
}

static void known_points(void **state)
{
    (void)state;
    dew_Vec3 up = {0, 1, 0}, down = {0, -1, 0};
    check(dew_plane_distance(dew_vec(1, -2, 3)), -2, dew_vec(1, 0, 3), up);
    check(dew_sphere_distance(dew_vec(0, 0, 0), 2), -2, dew_vec(0, 2, 0), up);
    check(dew_box_distance(dew_vec(1, 0.5, 0), half), 0, dew_vec(1, 0.5, 0), dew_vec(1, 0, 0));
    check(dew_box_distance(dew_vec(4, 4.5, 0), half), 5, dew_vec(1, 0.5, 0), dew_vec(0.6, 0.8, 0));
    check(dew_cylinder_distance(dew_vec(0, 0, 0), 2, 1), -1, dew_vec(0, 1, 0), up);
    check(dew_cylinder_distance(dew_vec(0, 4, 5), 2, 0), 5, dew_vec(0, 0, 2), dew_vec(0, 0.8, 0.6));
    check(dew_tube_distance(dew_vec(0, 0, 0.25), 1, 2, 3), 0.75, dew_vec(0, 0, 1),
          dew_vec(0, 0, -1));
    check(dew_cap_distance(dew_vec(0.1, -2, 0), 1, 0), 2, dew_vec(0.1, 0, 0), down);
    check(dew_cap_distance(dew_vec(0, 3, 0), 1, 0), 2, dew_vec(0, 1, 0), up);
    check(dew_cap_distance(dew_vec(4, -4, 0), 1, 0), 5, dew_vec(1, 0, 0), dew_vec(0.6, -0.8, 0));
    check(dew_cap_distance(dew_vec(0.2, 0, 0), 1, 0), 0, dew_vec(0.2, 0, 0), down);
}

// Where the closest point is not unique or the formulas degenerate: centre, axes, focal points,
// needles.
static void ellipsoids_in_special_places(void **state)
{
    (void)state;
    assert_within(dew_ellipsoid_distance(dew_vec(0, 0, 0), radii).distance, -0.4, 1e-15);
    assert_within(dew_ellipsoid_distance(dew_vec(2.2, 0, 0), radii).distance, 1, 1e-15);
    assert_within(dew_ellipsoid_distance(dew_vec(0, -1.4, 0), radii).distance, 1, 1e-15);
    // On the long axis at the focus of the (x, y) section, where distances are e0 - sqrt(..) no
    // more.
    dew_Closest c = dew_ellipsoid_distance(dew_vec(0.5, 0, 0), dew_vec(2, 1, 1));
    double s = 2 * 0.5 / 3;  // e0 y0 / (e0^2 - e1^2)
    assert_within(c.point.x, 2 * s, 1e-15);
    assert_within(c.distance, -hypot(2 * s - 0.5, sqrt(1 - s * s)), 1e-15);
    for (int k = 0; k < 3; k++) {  // a sphere, by another road
        dew_Vec3 p = k == 0 ? dew_vec(1e-9, 2e-9, -1e-9) : k == 1 ? dew_vec(3, 4, 12) : half;
        c = dew_ellipsoid_distance(p, dew_vec(2, 2, 2));
        assert_within(c.distance, dew_length(p) - 2, 4e-15);
    }
    const dew_Vec3 flat = {1, 1e-6, 1}, needle = {1e3, 1e-3, 1e-3};
    dew_Random random = dew_random(18, 0, 0);
    for (int n = 0; n < 1000; n++) {
        dew_Vec3 p = sample_point(&random, 2);
        dew_Closest a = dew_ellipsoid_distance(p, flat), b = dew_ellipsoid_distance(p, needle);
        dew_Vec3 u = {a.point.x, a.point.y * 1e6, a.point.z};
        dew_Vec3 v = {b.point.x / 1e3, b.point.y * 1e3, b.point.z * 1e3};
        assert_within(dew_length(u), 1, 1e-12);
        assert_within(dew_length(v), 1, 1e-12);
        // The normal of the surface there leads to p.
        assert_true(dew_distance(dew_add_scaled(a.point, a.distance, a.normal), p) < 1e-8);
        assert_true(dew_distance(dew_add_scaled(b.point, b.distance, b.normal), p) < 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everywhere_the_distance_of_the_surface),
        cmocka_unit_test(known_points),
        cmocka_unit_test(ellipsoids_in_special_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
