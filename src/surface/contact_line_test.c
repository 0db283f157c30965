// Contact lines of spherical caps, whose angle, length and wet area are known.
#include "surface/surface.h"

#include "base/testing.h"
#include "dew/wetting.h"
#include "geom/shapes.h"
#include "surface/contact_loops.h"

// Appends a cap of that ball radius standing on y = 0, moved by `shift`, wet where it touches.
static void add_cap(dew_Surface *surface, double radius, double angle, double edge, dew_Vec3 shift)
{
    dew_DropCap cap = dew_drop_cap_from_radius_angle(radius, angle);
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_array_reserve(&mesh.positions, 20000));
    assert_ok(dew_array_reserve(&mesh.triangles, 40000));
    assert_ok(dew_shape_cap(cap.volume_m3, angle, edge, &mesh));
    int64_t first = surface->positions.count;
    assert_ok(dew_surface_append_mesh(surface, &mesh, dew_vec(0, 0, 0)));
    for (int64_t i = first; i < surface->positions.count; i++) {
        dew_Vec3 *x = &DEW_ITEMS(&surface->positions, dew_Vec3)[i];
        if (x->y < 1e-9 * radius) {
            DEW_ITEMS(&surface->wet, float)[i] = 1;
            DEW_ITEMS(&surface->solid_normals, dew_Vec3)[i] = dew_vec(0, 1, 0);
        }
        *x = dew_add(*x, shift);
    }
    dew_mesh_deinit(&mesh);
}

static dew_ContactLine cap_line(double angle, double edge)
{
    dew_Surface *surface = NULL;
    assert_ok(dew_surface_create(NULL, &surface));
    add_cap(surface, 1e-3, angle, edge, dew_vec(0, 0, 0));
    assert_ok(dew_surface_finish(surface));
    dew_ContactLine line = dew_surface_contact_line(surface);
    dew_surface_destroy(surface);
    return line;
}

// A jet of second degree leaves out the third derivatives, which a tilted ball has of order 1/R^2:
// the slope is off by less than (reach / R)^2, with a reach of 2.5 longest edges, and by a quarter
// of that at half the edge.
static void caps_are_second_order(void **state)
{
    (void)state;
    for (int degrees = 30; degrees <= 150; degrees += 15) {
        double angle = DEW_DEG(degrees), error[3];
        for (int level = 0; level < 3; level++) {
            double edge = 2e-4 / (1 << level), reach = 2.5 * edge / 1e-3;
            dew_ContactLine line = cap_line(angle, edge);
            error[level] = fabs(line.mean_angle_rad - angle);
            assert_true(error[level] < reach * reach);
            assert_true(line.max_angle_rad - line.min_angle_rad < reach * reach);
            assert_true(line.min_angle_rad <= line.mean_angle_rad);
            assert_true(line.max_angle_rad >= line.mean_angle_rad);
        }
        assert_true(error[2] < error[0] / 16);
    }
}

// The contact line is the polygon of the base's rim, the wet area its inside: both short by second
// order.
static void length_and_wet_area(void **state)
{
    (void)state;
    for (int degrees = 30; degrees <= 150; degrees += 30) {
        double angle = DEW_DEG(degrees), edge = 5e-5;
        double base = dew_drop_cap_from_radius_angle(1e-3, angle).base_radius_m;
        dew_ContactLine line = cap_line(angle, edge);
        double sector = 1.5 * edge / base;  // edges are within a factor of 1.5 of the target
        assert_true(line.length_m < 2 * DEW_PI * base * (1 + 1e-12));
        assert_true(line.length_m > 2 * DEW_PI * base * (1 - sector * sector / 24));
        assert_true(line.wet_area_m2 < DEW_PI * base * base * (1 + 1e-12));
        assert_true(line.wet_area_m2 > DEW_PI * base * base * (1 - sector * sector / 6));
    }
}

static void each_piece_has_its_own(void **state)
{
    (void)state;
    dew_Surface *surface = NULL;
    assert_ok(dew_surface_create(NULL, &surface));
    add_cap(surface, 1e-3, DEW_DEG(60), 5e-5, dew_vec(0, 0, 0));
    add_cap(surface, 0.5e-3, DEW_DEG(120), 5e-5, dew_vec(5e-3, 0, 0));
    dew_Mesh ball;
    dew_mesh_init(&ball, NULL);
    assert_ok(dew_shape_sphere(1e-4, 5e-5, &ball));
    assert_ok(dew_surface_append_mesh(surface, &ball, dew_vec(0, 0, 0)));
    dew_mesh_deinit(&ball);
    assert_ok(dew_surface_finish(surface));
    assert_int_equal(surface->piece_count, 3);
    const dew_PieceMeasure *m = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    double tolerance = 0.0625;  // (2.5 edges / 0.5 mm)^2
    assert_true(fabs(m[0].contact.mean_angle_rad - DEW_DEG(60)) < tolerance / 4);
    assert_true(fabs(m[1].contact.mean_angle_rad - DEW_DEG(120)) < tolerance);
    assert_true(m[2].contact.length_m == 0 && m[2].contact.wet_area_m2 == 0);
    assert_true(isnan(m[2].contact.mean_angle_rad) && isnan(m[2].contact.max_angle_rad));
    dew_ContactLine all = dew_surface_contact_line(surface);
    double length = m[0].contact.length_m + m[1].contact.length_m;
    double sum = m[0].contact.length_m * m[0].contact.mean_angle_rad +
                 m[1].contact.length_m * m[1].contact.mean_angle_rad;
    assert_true(fabs(all.length_m - length) < 1e-15);
    assert_true(fabs(all.mean_angle_rad - sum / length) < 1e-14);
    assert_true(all.min_angle_rad == m[0].contact.min_angle_rad);
    assert_true(all.max_angle_rad == m[1].contact.max_angle_rad);
    dew_surface_destroy(surface);
}

// On a slope, and with the solid's normal left for the wet triangles to tell.
static void slope_without_given_normals(void **state)
{
    (void)state;
    dew_Surface *surface = NULL;
    assert_ok(dew_surface_create(NULL, &surface));
    add_cap(surface, 1e-3, DEW_DEG(75), 5e-5, dew_vec(1, 2, 3));
    dew_Rotation turn = dew_rotation_about(dew_vec(1, 2, -1), 0.7);
    for (int64_t i = 0; i < surface->positions.count; i++) {
        dew_Vec3 *x = &DEW_ITEMS(&surface->positions, dew_Vec3)[i];
        *x = dew_rotate(turn, *x);
        DEW_ITEMS(&surface->solid_normals, dew_Vec3)[i] = dew_vec(0, 0, 0);
    }
    assert_ok(dew_surface_finish(surface));
    dew_ContactLine line = dew_surface_contact_line(surface);
    assert_true(fabs(line.mean_angle_rad - DEW_DEG(75)) < 0.125 * 0.125);
    dew_surface_destroy(surface);
}

// One wet vertex, or two: it touches, but there is no line.
static void touching_in_points_is_no_line(void **state)
{
    (void)state;
    dew_Surface *surface = NULL;
    dew_Mesh ball;
    dew_mesh_init(&ball, NULL);
    assert_ok(dew_surface_create(NULL, &surface));
    assert_ok(dew_shape_icosphere(1e-3, 4, &ball));
    assert_ok(dew_surface_append_mesh(surface, &ball, dew_vec(0, 0, 0)));
    dew_Triangle first = dew_mesh_triangles(&ball)[0];
    for (int n = 0; n < 2; n++) {
        DEW_ITEMS(&surface->wet, float)[first.v[n]] = 1;
        assert_ok(dew_surface_finish(surface));
        dew_ContactLine line = dew_surface_contact_line(surface);
        assert_true(line.length_m == 0 && line.wet_area_m2 == 0 && isnan(line.min_angle_rad));
    }
    DEW_ITEMS(&surface->wet, float)[first.v[2]] = 1;
    assert_ok(dew_surface_finish(surface));
    assert_true(dew_surface_contact_line(surface).length_m > 0);
    dew_mesh_deinit(&ball);
    dew_surface_destroy(surface);
}

// Four vertices: the fit falls back, and says something between 0 and pi.
static void tetrahedron_has_an_angle(void **state)
{
    (void)state;
    dew_Surface *surface = NULL;
    assert_ok(dew_surface_create(NULL, &surface));
    assert_ok(dew_surface_resize(surface, 4, 4));
    static const dew_Vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    static const dew_Triangle t[4] = {{{0, 1, 2}}, {{0, 3, 1}}, {{1, 3, 2}}, {{2, 3, 0}}};
    for (int i = 0; i < 4; i++) {
        DEW_ITEMS(&surface->positions, dew_Vec3)[i] = x[i];
        DEW_ITEMS(&surface->triangles, dew_Triangle)[i] = t[i];
        DEW_ITEMS(&surface->wet, float)[i] = i < 3 ? 1.0F : 0.0F;
    }
    assert_ok(dew_surface_finish(surface));
    dew_ContactLine line = dew_surface_contact_line(surface);
    assert_true(fabs(line.length_m - (2 + sqrt(2))) < 1e-12);
    assert_true(fabs(line.wet_area_m2 - 0.5) < 1e-12);
    assert_true(line.min_angle_rad > 0 && line.max_angle_rad < DEW_PI);
    dew_surface_destroy(surface);
}

// Two caps: two closed loops, counter-clockwise about the solid's normal, as long as the contact
// line.
static void loops_of_two_caps(void **state)
{
    (void)state;
    dew_Surface *surface = NULL;
    assert_int_equal(dew_surface_create(NULL, &surface).code, DEW_OK);
    add_cap(surface, 1e-3, DEW_DEG(60), 1e-4, dew_vec(0, 0, 0));
    add_cap(surface, 2e-3, DEW_DEG(100), 2e-4, dew_vec(6e-3, 0, 0));
    assert_int_equal(dew_surface_finish(surface).code, DEW_OK);
    dew_Arena scratch;
    dew_Array loops, points;
    dew_arena_init(&scratch, NULL);
    dew_array_init(&loops, NULL, sizeof(dew_ContactLoop));
    dew_array_init(&points, NULL, sizeof(dew_Vec3));
    assert_int_equal(dew_surface_contact_loops(surface, &scratch, &loops, &points).code, DEW_OK);
    assert_int_equal(loops.count, 2);
    const double radius[2] = {1e-3 * sin(DEW_DEG(60)), 2e-3 * sin(DEW_DEG(100))};
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        dew_ContactLoop loop = DEW_ITEMS(&loops, dew_ContactLoop)[i];
        const dew_Vec3 *x = DEW_ITEMS(&points, dew_Vec3) + loop.first;
        double length = 0, area = 0;  // seen from above, positive when counter-clockwise
        for (int64_t k = 0; k < loop.count; k++) {
            dew_Vec3 a = x[k], b = x[(k + 1) % loop.count];
            length += dew_distance(a, b);
            area += 0.5 * (a.z * b.x - a.x * b.z);
        }
        assert_true(loop.is_closed && loop.piece == i);
        assert_true(fabs(length - 2 * DEW_PI * radius[i]) < 0.01 * length);
        assert_true(fabs(area - DEW_PI * radius[i] * radius[i]) < 0.02 * area);
        sum += length;
    }
    assert_true(fabs(sum - dew_surface_contact_line(surface).length_m) < 1e-12);
    dew_array_deinit(&loops);
    dew_array_deinit(&points);
    dew_arena_deinit(&scratch);
    dew_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_two_caps),
        cmocka_unit_test(caps_are_second_order),
        cmocka_unit_test(length_and_wet_area),
        cmocka_unit_test(each_piece_has_its_own),
        cmocka_unit_test(slope_without_given_normals),
        cmocka_unit_test(touching_in_points_is_no_line),
        cmocka_unit_test(tetrahedron_has_an_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
