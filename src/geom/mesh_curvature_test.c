// Mean curvature of spheres, cylinders and a saddle at several resolutions.
#include "geom/mesh_curvature.h"

#include "geom/mesh_measure.h"
#include "geom/sample_meshes.h"

#include <math.h>
#include <stdlib.h>

static float *curvature_of(const dew_Mesh *mesh)
{
    dew_Vec3 *normals = calloc((size_t)mesh->positions.count, sizeof *normals);
    float *h = calloc((size_t)mesh->positions.count, sizeof *h);
    dew_mesh_vertex_normals(mesh, normals);
    assert_ok(dew_mesh_mean_curvature(mesh, normals, h));
    free(normals);
    return h;
}

/// Largest |H - expected| / expected over vertices with |z| < within_m.
static double worst_error(const dew_Mesh *mesh, double expected, double within_m)
{
    float *h = curvature_of(mesh);
    double worst = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        if (fabs(dew_mesh_positions(mesh)[i].z) >= within_m)
            continue;
        worst = fmax(worst, fabs((double)h[i] / expected - 1));
        count++;
    }
    assert_true(count > 20);
    free(h);
    return worst;
}

// Vertices lie on the sphere: with edges e the error is of the order (e / R)^2, and falls by 4 when
// e is halved.
static void spheres_have_one_over_r(void **state)
{
    (void)state;
    const double radius_m = 1.7e-3;
    double before = 0;
    for (int n = 4; n <= 32; n *= 2) {
        dew_Mesh mesh;
        double edge_m = radius_m / n;
        dew_mesh_init(&mesh, NULL);
        assert_ok(dew_shape_sphere(radius_m, edge_m, &mesh));
        double error = worst_error(&mesh, 1 / radius_m, 1);
        assert_true(error < 1.0 / (n * n));
        assert_true(before == 0 || error < before / 2.5);
        before = error;
        dew_mesh_flip(&mesh);  // a bubble is concave, seen from the liquid
        assert_true(worst_error(&mesh, -1 / radius_m, 1) == error);
        dew_mesh_deinit(&mesh);
    }
}

// Away from the ends of a cylinder. Of a prism with chords c = 2 R sin(pi / n) about the axis the
// formula gives sin(pi / n) / c = 1 / (2 R) exactly, but for the rounding of `out`.
static void cylinders_have_half_of_it(void **state)
{
    (void)state;
    const double radius_m = 0.3, length_m = 2;
    for (int n = 4; n <= 32; n *= 2) {
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_ok(dew_shape_cylinder(radius_m, length_m, radius_m / n, &mesh));
        dew_Box box = dew_mesh_measure(&mesh).box_m;
        dew_Vec3 size = dew_sub(box.max, box.min);
        int axis = size.x > 1.9 ? 0 : size.y > 1.9 ? 1 : 2;
        for (int64_t i = 0; i < mesh.positions.count; i++) {  // the axis becomes z
            double *x = &DEW_ITEMS(&mesh.positions, dew_Vec3)[i].x, old = x[axis];
            x[axis] = x[2];
            x[2] = old;
        }
        if (axis != 2)
            dew_mesh_flip(&mesh);
        double error = worst_error(&mesh, 0.5 / radius_m, 0.9);
        assert_true(error < 2e-7);
        dew_mesh_deinit(&mesh);
    }
}

// z = x y has H = -x y / (1 + x^2 + y^2)^(3/2) in its own sense: 0 at the middle, of either sign
// beside it. A flat grid has none anywhere; a vertex without triangles has 0.
static void saddles_and_planes_have_none(void **state)
{
    (void)state;
    enum { N = 40 };
    for (int k = 0; k < 2; k++) {
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        for (int j = 0; j <= N; j++)
            for (int i = 0; i <= N; i++) {
                double x = (double)i / N - 0.5, y = (double)j / N - 0.5;
                assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(x, y, k * x * y)));
            }
        for (uint32_t j = 0; j < N; j++)
            for (uint32_t i = 0; i < N; i++) {
                uint32_t a = j * (N + 1) + i;
                assert_ok(dew_mesh_add_triangle(&mesh, a, a + 1, a + N + 2));
                assert_ok(dew_mesh_add_triangle(&mesh, a, a + N + 2, a + N + 1));
            }
        assert_ok(dew_mesh_add_vertex(&mesh, dew_vec(9, 9, 9)));
        float *h = curvature_of(&mesh);
        for (int j = 2; j <= N - 2; j++)
            for (int i = 2; i <= N - 2; i++) {
                double x = (double)i / N - 0.5, y = (double)j / N - 0.5;
                double exact = k * x * y / pow(1 + x * x + y * y, 1.5);
                assert_true(fabs((double)h[j * (N + 1) + i] - exact) < 2.0 / (N * N));
            }
        assert_true(h[mesh.positions.count - 1] == 0);
        free(h);
        dew_mesh_deinit(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spheres_have_one_over_r),
                                       cmocka_unit_test(cylinders_have_half_of_it),
                                       cmocka_unit_test(saddles_and_planes_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
