// Drops of water that hit a dry plate in the solver `apic`: how far they spread.
//
// D = 2 mm, We = rho U^2 D / sigma = 50 and 200 (1.35 and 2.7 m/s). The largest diameter of what is
// wet, over D, against the fit of [Laan2014] to experiments with water and others on steel and
// plastics,
//     D_max / D = Re^(1/5) sqrt(P) / (1.24 + sqrt(P)),  P = We Re^(-2/5),
// within 15 %; the theory of [Roisman2009], 0.87 Re^(1/5) - 0.40 Re^(2/5) We^(-1/2), is reported
// beside it. Advancing angle 90 degrees, no slip. A quarter of the drop between two mirrors, with
// 16 cells per radius: the sheet is three cells thick at We = 50 and hardly two at 200.
#include "validate/cases.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, mu = 1.002e-3, sigma = 72.8e-3, diameter_m = 2e-3;

// Area of the plate under liquid: triangles that lie on it, not those on the mirrors.
static double plate_area(const dew_Stage *stage, double plate_m, double h)
{
    const dew_Vec3 *x = dew_surface_positions_m(stage->surface);
    const uint32_t *corners = dew_surface_triangles(stage->surface);
    double sum = 0;
    for (int64_t n = 0; n < dew_surface_triangle_count(stage->surface); n++) {
        dew_Vec3 a = x[corners[3 * n]], b = x[corners[3 * n + 1]], c = x[corners[3 * n + 2]];
        if (fmax(fabs(a.y - plate_m), fmax(fabs(b.y - plate_m), fabs(c.y - plate_m))) < 0.05 * h)
            sum += 0.5 * fabs((b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x));
    }
    return sum;
}

// Diameter of the disk as large as what is wet, at its largest; it grows for about 2 D / U.
static dew_Status spread(double speed_m_s, double cells, double *most_m, double *volume_error)
{
    dew_Stage stage;
    double h = 0.5 * diameter_m / cells, low = -8.41 * h;  // mirrors are not on faces
    dew_SceneDef def =
        dew_build_def("apic", 3, dew_v3(low, -0.5e-3, low), dew_v3(5e-3, 3e-3, 5e-3), h);
    def.liquid = dew_build_liquid(rho, mu, sigma);
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = dew_v3(0, 0.5 * diameter_m + 1.31 * h, 0);
    drop.radius_m = 0.5 * diameter_m;
    drop.velocity_m_s = dew_v3(0, -speed_m_s, 0);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0.31 * h, dew_build_angle(DEW_DEG(90)));
    dew_build_mirror(&b, dew_v3(0, 0, 0), dew_v3(1, 0, 0));
    dew_build_mirror(&b, dew_v3(0, 0, 0), dew_v3(0, 0, 1));
    dew_build_drop(&b, &drop);
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Status status = dew_ok();
    double end_s = 3.5 * diameter_m / speed_m_s;
    *most_m = *volume_error = 0;
    for (int i = 1; i <= 35 && status.code == DEW_OK; i++) {
        dew_Stats stats;
        dew_View view;
        status = dew_world_step_to(stage.world, end_s * i / 35);
        if (status.code == DEW_OK)
            status = dew_stage_look(&stage, &view);
        dew_world_stats(stage.world, &stats);
        double wide_m = 4 * sqrt(plate_area(&stage, 0.31 * h, h) / DEW_PI);  // of four quarters
        *volume_error = fmax(*volume_error, fabs(stats.volume_error));
        if (wide_m < 0.97 * *most_m)
            break;  // it draws back
        *most_m = fmax(*most_m, wide_m);
    }
    dew_stage_close(&stage);
    return status;
}

static dew_Status run(dew_CaseRun *c)
{
    static const double webers[] = {50, 200};
    for (int i = 0; i < 2; i++) {
        double We = webers[i], speed_m_s = sqrt(We * sigma / (rho * diameter_m));
        double Re = rho * speed_m_s * diameter_m / mu, root = sqrt(We * pow(Re, -0.4));
        double laan = pow(Re, 0.2) * root / (1.24 + root), most_m, volume_error;
        double roisman = 0.87 * pow(Re, 0.2) - 0.4 * pow(Re, 0.4) / sqrt(We);
        char name[64];
        DEW_TRY(spread(speed_m_s, 16, &most_m, &volume_error));
        snprintf(name, sizeof name, "We = %g: largest diameter / D", We);
        dew_case_near(c, name, most_m / diameter_m, laan, 0.15);
        dew_case_note(c, "the same, by Roisman", most_m / diameter_m, roisman);
        dew_case_within(c, "volume error", volume_error, 0, 0.01);
    }
    return dew_ok();
}

const dew_Case dew_case_apic_impact = {
    "apic_impact", "apic: how far drops spread that hit a dry plate", false, run};
