// The Surface noun: arrays in step, pieces, measures against closed forms, every allocation
// failing.
#include "surface/surface.h"

#include "base/random.h"
#include "base/testing.h"
#include "geom/mesh_measure.h"
#include "geom/shapes.h"

static dew_Surface *make_surface(void)
{
    dew_Surface *surface = NULL;
    assert_ok(dew_surface_create(NULL, &surface));
    return surface;
}

static void add_ball(dew_Surface *surface, double radius, dew_Vec3 center, dew_Vec3 velocity,
                     bool is_bubble)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(radius, 6, &mesh));
    dew_mesh_transform(&mesh, 1, dew_rotation_about(center, 0.3), center);
    if (is_bubble)
        dew_mesh_flip(&mesh);
    assert_ok(dew_surface_append_mesh(surface, &mesh, velocity));
    dew_mesh_deinit(&mesh);
}

static void assert_same_vector(dew_Vec3 a, dew_Vec3 b, double tolerance)
{
    assert_true(dew_distance(a, b) <= tolerance);
}

static void pieces_are_measured(void **state)
{
    (void)state;
    dew_Surface *surface = make_surface();
    dew_Vec3 u = {1, -2, 3};
    add_ball(surface, 2e-3, dew_vec(10, 0, 0), u, false);
    add_ball(surface, 1e-3, dew_vec(0, 0.1, 0), dew_vec(0, 0, 0), false);
    add_ball(surface, 1e-3, dew_vec(10, 0, 0), u, true);
    assert_ok(dew_surface_finish(surface));
    assert_int_equal(surface->piece_count, 3);
    assert_int_equal(surface->measures.count, 3);
    const dew_PieceMeasure *m = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    dew_Mesh ball;
    dew_mesh_init(&ball, NULL);
    assert_ok(dew_shape_icosphere(1e-3, 6, &ball));
    dew_MeshMeasure one = dew_mesh_measure(&ball);
    // The vertices are 10 m away: coordinates, and all that is made of them, have 1e-15 m of error.
    double slack = 1e-15 / 1e-3 * 10;
    assert_true(fabs(m[0].volume_m3 / (8 * one.volume_m3) - 1) < slack);
    assert_true(fabs(m[0].area_m2 / (4 * one.area_m2) - 1) < slack);
    assert_true(fabs(m[1].volume_m3 / one.volume_m3 - 1) < slack);
    assert_true(fabs(m[2].volume_m3 / -one.volume_m3 - 1) < slack);
    assert_same_vector(m[0].center_m, dew_vec(10, 0, 0), 1e-14);
    assert_same_vector(m[0].velocity_m_s, u, 1e-11);
    assert_same_vector(m[1].velocity_m_s, dew_vec(0, 0, 0), 0);
    assert_same_vector(m[2].velocity_m_s, u, 1e-11);
    assert_int_equal(m[1].vertex_count, ball.positions.count);
    assert_true(fabs(dew_surface_volume_m3(surface) / (8 * one.volume_m3) - 1) < slack);
    assert_true(fabs(dew_surface_area_m2(surface) / (6 * one.area_m2) - 1) < slack);
    assert_int_equal(DEW_ITEMS(&surface->pieces, uint32_t)[ball.positions.count], 1);
    dew_mesh_deinit(&ball);
    dew_surface_destroy(surface);
}

// A body that turns about its centre stays; one that turns about another point moves as its centre
// does.
static void velocity_of_turning_body(void **state)
{
    (void)state;
    dew_Surface *surface = make_surface();
    dew_Vec3 center = {0.2, -0.1, 0.3}, w = {3, 1, -2};
    add_ball(surface, 0.1, center, dew_vec(0, 0, 0), false);
    for (int64_t i = 0; i < surface->positions.count; i++) {
        dew_Vec3 *x = &DEW_ITEMS(&surface->positions, dew_Vec3)[i];
        x->y += 0.3 * (x->x - 0.2);  // sheared, so that it is no ball
        DEW_ITEMS(&surface->velocities, dew_Vec3)[i] = dew_cross(w, *x);
    }
    assert_ok(dew_surface_finish(surface));
    dew_PieceMeasure m = DEW_ITEMS(&surface->measures, dew_PieceMeasure)[0];
    assert_same_vector(m.center_m, center, 1e-15);
    assert_same_vector(m.velocity_m_s, dew_cross(w, center), 1e-14);
    dew_surface_destroy(surface);
}

// A ball that swells where it is does not move, wherever the origin lies.
static void swelling_is_not_moving(void **state)
{
    (void)state;
    dew_Surface *surface = make_surface();
    dew_Vec3 center = {5, 5, 5};
    add_ball(surface, 1, center, dew_vec(0, 0, 0), false);
    for (int64_t i = 0; i < surface->positions.count; i++) {
        dew_Vec3 x = DEW_ITEMS(&surface->positions, dew_Vec3)[i];
        DEW_ITEMS(&surface->velocities, dew_Vec3)[i] = dew_sub(x, center);
    }
    assert_ok(dew_surface_finish(surface));
    assert_same_vector(DEW_ITEMS(&surface->measures, dew_PieceMeasure)[0].velocity_m_s,
                       dew_vec(0, 0, 0), 1e-13);
    dew_surface_destroy(surface);
}

static void flat_piece_has_no_volume(void **state)
{
    (void)state;
    dew_Surface *surface = make_surface();
    assert_ok(dew_surface_resize(surface, 4, 2));  // the fourth is in no triangle
    DEW_ITEMS(&surface->positions, dew_Vec3)[1] = dew_vec(1, 0, 0);
    DEW_ITEMS(&surface->positions, dew_Vec3)[2] = dew_vec(0, 1, 0);
    DEW_ITEMS(&surface->triangles, dew_Triangle)[0] = (dew_Triangle){{0, 1, 2}};
    DEW_ITEMS(&surface->triangles, dew_Triangle)[1] = (dew_Triangle){{0, 2, 1}};
    assert_ok(dew_surface_finish(surface));
    assert_int_equal(surface->piece_count, 1);
    dew_PieceMeasure m = DEW_ITEMS(&surface->measures, dew_PieceMeasure)[0];
    assert_true(m.volume_m3 == 0 && fabs(m.area_m2 - 1) < 1e-15);
    assert_same_vector(m.center_m, dew_vec(0.5, 0.5, 0), 0);
    assert_int_equal(DEW_ITEMS(&surface->pieces, uint32_t)[3], DEW_NO_COMPONENT);
    dew_surface_destroy(surface);
}

static void empty_surface_is_fine(void **state)
{
    (void)state;
    dew_Surface *surface = make_surface();
    assert_ok(dew_surface_finish(surface));
    assert_int_equal(surface->piece_count, 0);
    assert_true(dew_surface_volume_m3(surface) == 0 && dew_surface_area_m2(surface) == 0);
    assert_true(isnan(dew_surface_contact_line(surface).mean_angle_rad));
    dew_surface_destroy(surface);
    dew_surface_destroy(NULL);
}

static void becomes_a_mesh_with_attributes(void **state)
{
    (void)state;
    dew_Surface *surface = make_surface();
    add_ball(surface, 1, dew_vec(0, 0, 0), dew_vec(4, 5, 6), false);
    DEW_ITEMS(&surface->wet, float)[3] = 1;
    assert_ok(dew_surface_finish(surface));
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    for (int pass = 0; pass < 2; pass++) {
        assert_ok(dew_surface_to_mesh(surface, &mesh));
        assert_int_equal(mesh.attributes.count, 7);
        assert_int_equal(mesh.triangles.count, dew_surface_triangle_count(surface));
        const char *const names[7] = {"nx", "ny", "nz", "vx", "vy", "vz", "wet"};
        dew_Vec3 n = dew_surface_normals(surface)[3];
        const double expected[7] = {n.x, n.y, n.z, 4, 5, 6, 1};
        for (int i = 0; i < 7; i++) {
            const float *values = dew_mesh_find_attribute(&mesh, names[i]);
            assert_non_null(values);
            assert_true(values[3] == (float)expected[i]);
        }
        assert_same_vector(n, dew_surface_positions_m(surface)[3],
                           0.02);  // a ball's normal is its place
    }
    dew_mesh_deinit(&mesh);
    dew_surface_destroy(surface);
}

static dew_Status fill_and_finish(const dew_Allocator *allocator, const dew_Mesh *mesh)
{
    dew_Surface *surface = NULL;
    dew_Mesh copy;
    DEW_TRY(dew_surface_create(allocator, &surface));
    dew_mesh_init(&copy, allocator);
    dew_Status status = dew_surface_append_mesh(surface, mesh, dew_vec(0, 0, 0));
    for (int64_t i = 0; status.code == DEW_OK && i < mesh->positions.count; i++)
        DEW_ITEMS(&surface->wet, float)[i] = dew_mesh_positions(mesh)[i].y < 0 ? 1.0F : 0.0F;
    if (status.code == DEW_OK)
        status = dew_surface_finish(surface);
    if (status.code == DEW_OK)
        status = dew_surface_to_mesh(surface, &copy);
    dew_mesh_deinit(&copy);
    dew_surface_destroy(surface);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(1, 3, &mesh));
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_Allocator allocator = dew_torture_allocator(&torture);
        dew_Status status = fill_and_finish(&allocator, &mesh);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (torture.calls <= n) {
            assert_ok(status);
            break;
        }
        assert_int_equal(status.code, DEW_NO_MEMORY);
    }
    dew_mesh_deinit(&mesh);
}

static void allocates_nothing_when_warm(void **state)
{
    (void)state;
    dew_Torture torture = dew_torture(-1);
    dew_Allocator allocator = dew_torture_allocator(&torture);
    dew_Surface *surface = NULL;
    assert_ok(dew_surface_create(&allocator, &surface));
    int64_t calls = 0;
    for (int pass = 0; pass < 4; pass++) {
        calls = torture.calls;
        dew_surface_clear(surface);
        add_ball(surface, 1, dew_vec(0, 0, 0), dew_vec(0, 0, 0), false);
        for (int64_t i = 0; i < 20; i++)
            DEW_ITEMS(&surface->wet, float)[i] = 1;
        assert_ok(dew_surface_finish(surface));
    }
    assert_int_equal(torture.calls, calls);
    dew_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_measured),
        cmocka_unit_test(velocity_of_turning_body),
        cmocka_unit_test(swelling_is_not_moving),
        cmocka_unit_test(flat_piece_has_no_volume),
        cmocka_unit_test(empty_surface_is_fine),
        cmocka_unit_test(becomes_a_mesh_with_attributes),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(allocates_nothing_when_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
