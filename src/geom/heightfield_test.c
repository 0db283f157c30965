// Heightfields: heights, exact distances against all triangles, the endless border, bad input.
#include "geom/heightfield.h"

#include "base/torture.h"
#include "geom/sample_meshes.h"
#include "geom/triangle.h"

#define COLUMNS 23
#define ROWS    18

static void fill_heights(double *heights, double amplitude)
{
    dew_Random random = dew_random(19, 0, 0);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        heights[i] = dew_random_range(&random, -amplitude, amplitude);
}

static dew_Heightfield *make(const double *heights)
{
    dew_HeightfieldDef def = {.columns = COLUMNS,
                              .rows = ROWS,
                              .min_x = -1,
                              .min_z = 2,
                              .max_x = 3,
                              .max_z = 6,
                              .heights = heights};
    dew_Heightfield *field = NULL;
    assert_ok(dew_heightfield_create(&def, &field));
    return field;
}

// The ground of make() as a mesh with a border drawn far out.
static void endless_mesh(const double *heights, double reach, dew_Mesh *mesh)
{
    dew_mesh_clear(mesh);
    for (int j = -1; j <= ROWS; j++) {
        for (int i = -1; i <= COLUMNS; i++) {
            int column = i < 0 ? 0 : i >= COLUMNS ? COLUMNS - 1 : i;
            int row = j < 0 ? 0 : j >= ROWS ? ROWS - 1 : j;
            double x = i < 0          ? -1 - reach
                       : i >= COLUMNS ? 3 + reach
                                      : -1 + i * (4.0 / (COLUMNS - 1));
            double z = j < 0 ? 2 - reach : j >= ROWS ? 6 + reach : 2 + j * (4.0 / (ROWS - 1));
            assert_ok(dew_mesh_add_vertex(mesh, dew_vec(x, heights[row * COLUMNS + column], z)));
        }
    }
    uint32_t width = COLUMNS + 2;
    for (uint32_t j = 0; j < ROWS + 1; j++) {
        for (uint32_t i = 0; i < COLUMNS + 1; i++) {
            uint32_t a = j * width + i;
            assert_ok(dew_mesh_add_triangle(mesh, a, a + width, a + width + 1));
            assert_ok(dew_mesh_add_triangle(mesh, a, a + width + 1, a + 1));
        }
    }
}

static double distance_to_all(const dew_Mesh *mesh, dew_Vec3 p)
{
    double best = HUGE_VAL;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(mesh)[t].v;
        const dew_Vec3 *x = dew_mesh_positions(mesh);
        best = fmin(best, dew_triangle_closest(x[v[0]], x[v[1]], x[v[2]], p).distance2);
    }
    return sqrt(best);
}

static void distances_are_those_of_all_triangles(void **state)
{
    (void)state;
    double heights[COLUMNS * ROWS];
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    dew_Random random = dew_random(20, 0, 0);
    const double amplitudes[3] = {0.05, 1, 0};
    for (int k = 0; k < 3; k++) {
        fill_heights(heights, amplitudes[k]);
        dew_Heightfield *field = make(heights);
        endless_mesh(heights, 100, &mesh);
        for (int n = 0; n < 1500; n++) {
            dew_Vec3 p = dew_add(dew_vec(1, 0, 4), sample_point(&random, n % 3 == 0 ? 8 : 2.5));
            p.y *= n % 2 ? 1 : 0.1;
            dew_Closest c = dew_heightfield_distance(field, p);
            bool is_below = p.y < dew_heightfield_height(field, p.x, p.z);
            double expected = distance_to_all(&mesh, p) * (is_below ? -1 : 1);
            // Border triangles are drawn to different lengths: their error is that of 100 m.
            assert_within(c.distance, expected, 1e-13);
            assert_within(c.point.y, dew_heightfield_height(field, c.point.x, c.point.z), 1e-12);
            assert_within(dew_length(c.normal), 1, 1e-14);
            assert_true(dew_distance(dew_add_scaled(c.point, c.distance, c.normal), p) < 1e-12);
        }
        dew_heightfield_destroy(field);
    }
    dew_mesh_deinit(&mesh);
}

static void a_plane_is_a_plane(void **state)
{
    (void)state;
    double heights[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        double x = -1 + (i % COLUMNS) * (4.0 / (COLUMNS - 1));
        heights[i] = 0.75 * x;
    }
    dew_Heightfield *field = make(heights);
    dew_Random random = dew_random(21, 0, 0);
    for (int n = 0; n < 500; n++) {
        dew_Vec3 p = {dew_random_range(&random, 0.2, 1.8), 0, dew_random_range(&random, 1, 7)};
        p.y = 0.75 * p.x + dew_random_range(&random, -0.5, 0.5);
        dew_Closest c = dew_heightfield_distance(field, p);
        assert_within(dew_heightfield_height(field, p.x, p.z), 0.75 * p.x, 1e-15);
        assert_within(c.distance, (p.y - 0.75 * p.x) * 0.8, 1e-14);
        assert_true(dew_distance(c.normal, dew_vec(-0.6, 0.8, 0)) < 1e-12);
    }
    // Beyond the border the height is constant.
    assert_within(dew_heightfield_height(field, 50, 4), 2.25, 1e-15);
    assert_within(dew_heightfield_distance(field, dew_vec(50, 3, 40)).distance, 0.75, 1e-14);
    assert_within(dew_heightfield_distance(field, dew_vec(-50, 0, -40)).distance, 0.75, 1e-14);
    dew_heightfield_destroy(field);
}

static void the_mesh_is_the_ground(void **state)
{
    (void)state;
    double heights[COLUMNS * ROWS];
    fill_heights(heights, 0.3);
    dew_Heightfield *field = make(heights);
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_heightfield_mesh(field, &mesh));
    assert_int_equal(mesh.triangles.count, 2 * (COLUMNS - 1) * (ROWS - 1));
    for (int64_t t = 0; t < mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&mesh)[t].v;
        const dew_Vec3 *x = dew_mesh_positions(&mesh);
        dew_Vec3 middle = dew_scale(1.0 / 3, dew_add(x[v[0]], dew_add(x[v[1]], x[v[2]])));
        assert_within(middle.y, dew_heightfield_height(field, middle.x, middle.z), 1e-14);
        assert_true(dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]).y > 0);
    }
    dew_Box box = dew_heightfield_box(field);
    assert_true(box.min.x == -1 && box.max.z == 6 && box.max.y <= 0.3 && box.min.y < -0.2);
    dew_mesh_deinit(&mesh);
    dew_heightfield_destroy(field);
}

static void bad_fields_are_refused(void **state)
{
    (void)state;
    double heights[4] = {0, 1, (double)NAN, 2};
    dew_HeightfieldDef def = {2, 2, 0, 0, 1, 1, heights, {0}};
    dew_Heightfield *field;
    dew_Status status = dew_heightfield_create(&def, &field);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "row 1, column 0"));
    heights[2] = 0;
    def.columns = 1;
    assert_int_equal(dew_heightfield_create(&def, &field).code, DEW_BAD_INPUT);
    def.columns = INT64_MAX;
    assert_int_equal(dew_heightfield_create(&def, &field).code, DEW_BAD_INPUT);
    def.columns = 2;
    def.max_x = 0;
    assert_int_equal(dew_heightfield_create(&def, &field).code, DEW_BAD_INPUT);
    assert_null(field);
    def.max_x = 1;  // the smallest one
    assert_ok(dew_heightfield_create(&def, &field));
    assert_within(dew_heightfield_height(field, 0.25, 0.75), 0.5, 1e-15);
    assert_true(isnan(dew_heightfield_distance(field, dew_vec((double)NAN, 0, 0)).distance));
    dew_heightfield_destroy(field);
}

static void every_failed_allocation_is_reported_and_nothing_leaks(void **state)
{
    (void)state;
    static double heights[300 * 200];
    for (int64_t n = 0;; n++) {
        dew_Torture torture = dew_torture(n);
        torture.keeps_failing = true;
        dew_HeightfieldDef def = {300, 200, 0, 0, 1, 1, heights, dew_torture_allocator(&torture)};
        dew_Heightfield *field;
        dew_Status status = dew_heightfield_create(&def, &field);
        bool has_failed = torture.calls > n;
        assert_int_equal(status.code, has_failed ? DEW_NO_MEMORY : DEW_OK);
        dew_heightfield_destroy(field);
        assert_int_equal(torture.blocks, 0);
        assert_false(torture.was_lied_to);
        if (!has_failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_all_triangles),
        cmocka_unit_test(a_plane_is_a_plane),
        cmocka_unit_test(the_mesh_is_the_ground),
        cmocka_unit_test(bad_fields_are_refused),
        cmocka_unit_test(every_failed_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
