// A torus by its distance: vertices on it, triangles of even size, the measures of the torus.
#include "surface/implicit_mesh.h"

#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"

static const double ring = 1, tube = 0.4;

static double torus(const void *context, dew_Vec3 p)
{
    (*(int64_t *)(uintptr_t)context)++;
    double out = sqrt(p.x * p.x + p.z * p.z) - ring;
    return sqrt(out * out + p.y * p.y) - tube;
}

static void torus_is_made_well(void **state)
{
    (void)state;
    int64_t asked = 0;
    dew_Implicit implicit = {.value = torus,
                             .context = &asked,
                             .box = {{-1.6, -0.6, -1.6}, {1.6, 0.6, 1.6}},
                             .max_slope = 1,
                             .relax_count = 6};
    dew_Mesh mesh;
    dew_MeshAudit audit;
    double edge = 0.05;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_implicit_mesh(&implicit, edge, &mesh));
    assert_ok(dew_mesh_audit(&mesh, NULL, &audit));
    assert_true(dew_mesh_audit_is_clean(&audit));
    assert_int_equal(audit.euler_characteristic, 0);
    double shortest = 1, longest = 0;
    for (int64_t t = 0; t < mesh.triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(&mesh)[t].v;
        for (int c = 0; c < 3; c++) {
            dew_Vec3 a = dew_mesh_positions(&mesh)[v[c]];
            double length = dew_distance(a, dew_mesh_positions(&mesh)[v[(c + 1) % 3]]);
            // A step in the tangent plane leaves the surface by its square over twice the radius;
            // the way back along the mesh's normal is right to second order.
            assert_true(fabs(torus(&asked, a)) < 0.1 * edge * edge / tube);
            shortest = fmin(shortest, length);
            longest = fmax(longest, length);
        }
    }
    assert_true(shortest > 0.25 * edge && longest < 2 * edge);
    dew_MeshMeasure measure = dew_mesh_measure(&mesh);
    double chord = edge * edge / (2 * tube * tube);  // relative, edges up to twice as long
    assert_true(fabs(measure.volume_m3 / (2 * DEW_PI * DEW_PI * ring * tube * tube) - 1) <
                2 * chord);
    assert_true(fabs(measure.area_m2 / (4 * DEW_PI * DEW_PI * ring * tube) - 1) < chord);
    dew_mesh_deinit(&mesh);
}

// Nodes far from the surface are not asked one by one.
static void far_nodes_are_not_asked(void **state)
{
    (void)state;
    int64_t asked = 0;
    dew_Implicit implicit = {
        .value = torus, .context = &asked, .box = {{-4, -4, -4}, {4, 4, 4}}, .max_slope = 1};
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_implicit_mesh(&implicit, 0.1, &mesh));
    double nodes = pow(8 / 0.114, 3);
    assert_true((double)asked < 0.2 * nodes);
    assert_true(mesh.triangles.count > 1000);
    dew_mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torus_is_made_well),
        cmocka_unit_test(far_nodes_are_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
