// Sheets whose volume and area are known: a plate, and a half tube.
#include "surface/sheet.h"

#include "base/testing.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_measure.h"

static double constant_width(double v)
{
    (void)v;
    return 0.5;
}

static double diamond_width(double v)
{
    return 0.5 * (1 - fabs(v));
}

static dew_Vec3 flat(double u, double v)
{
    return dew_vec(u, 0, -v);
}

// Radius 1 / pi, so that u from -1/2 to 1/2 goes half around.
static dew_Vec3 half_tube(double u, double v)
{
    return dew_vec(sin(DEW_PI * u) / DEW_PI, cos(DEW_PI * u) / DEW_PI, -v);
}

static dew_MeshMeasure measure_clean(const dew_Sheet *sheet, double edge)
{
    dew_Mesh mesh;
    dew_MeshAudit audit;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_sheet_mesh(sheet, edge, &mesh));
    assert_ok(dew_mesh_audit(&mesh, NULL, &audit));
    assert_true(dew_mesh_audit_is_clean(&audit));
    assert_int_equal(audit.euler_characteristic, 2);
    dew_MeshMeasure measure = dew_mesh_measure(&mesh);
    dew_mesh_deinit(&mesh);
    return measure;
}

static void plates_are_exact(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        double edge = 0.3 / (1 << n), thickness = 0.2;  // thinner and thicker than an edge
        dew_Sheet sheet = {-1, 1, constant_width, flat, thickness};
        dew_MeshMeasure m = measure_clean(&sheet, edge);
        assert_true(fabs(m.volume_m3 - 2 * thickness) < 1e-12);
        assert_true(fabs(m.area_m2 - (4 + 6 * thickness)) < 1e-9);
        sheet.half_width = diamond_width;  // its ends are points; no row need lie at its corners
        m = measure_clean(&sheet, edge);
        assert_true(m.volume_m3 <= 1 * thickness * (1 + 1e-12));
        assert_true(m.volume_m3 > 1 * thickness * (1 - 2 * edge));
    }
}

// The middle surface's area times the thickness, both short by the chords.
static void half_tube_is_second_order(void **state)
{
    (void)state;
    double error[2];
    for (int n = 0; n < 2; n++) {
        dew_Sheet sheet = {-1, 1, constant_width, half_tube, 0.05};
        double volume = measure_clean(&sheet, 0.08 / (1 << n)).volume_m3;
        error[n] = 1 - volume / (2 * 1 * 0.05);
        double angle = DEW_PI * 0.08 / (1 << n);
        assert_true(error[n] > 0 && error[n] < angle * angle / 6);
    }
    assert_true(error[1] < error[0] / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_are_exact),
        cmocka_unit_test(half_tube_is_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
