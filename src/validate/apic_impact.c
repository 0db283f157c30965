// Drops of water that hit a dry plate in the solver `apic`: how far they spread.
//
// D = 2 mm, We = rho U^2 D / sigma = 50 and 200 (1.35 and 2.7 m/s). The largest diameter of what is wet, over D, against
// the fit of [Laan2014] to experiments with water and others on steel and plastics,
//     D_max / D = Re^(1/5) sqrt(P) / (1.24 + sqrt(P)),  P = We Re^(-2/5),
// within 15 %; the theory of [Roisman2009], 0.87 Re^(1/5) - 0.40 Re^(2/5) We^(-1/2), is told beside it. Advancing angle
// 90 degrees, no slip. Three dimensions with 16 cells per radius: the sheet is three cells thick at We = 50 and hardly two at 200.
#include "validate/cases.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, mu = 1.002e-3, sigma = 72.8e-3, diameter_m = 2e-3;

// Diameter of the disk as large as what is wet, at its largest; it grows for about 2 D / U.
static dew_Status spread(double speed_m_s, double cells, double *most_m, double *volume_error)
{
    dew_Stage stage;
    double h = 0.5 * diameter_m / cells;
    DEW_TRY(dew_stage_open(
        &stage, "apic_impact.yaml",
        "dew: 1\n"
        "solver: apic\n"
        "duration: 1 s\n"
        "domain: {min: [-6 mm, -0.5 mm, -6 mm], max: [6 mm, 3 mm, 6 mm], cell: %.12g}\n"
        "liquid: {density: %g, viscosity: %g, surface_tension: %g}\n"
        "materials: {plate: {angle: 90 deg}}\n"
        "solids: [{shape: plane, point: [0, %.12g, 0], normal: [0, 1, 0], material: plate}]\n"
        "drops: [{shape: sphere, center: [%.12g, %.12g, %.12g], radius: %.12g,"
        " velocity: [0, %.12g, 0]}]\n",
        h, rho, mu, sigma, 0.31 * h, 0.03 * h, 0.5 * diameter_m + 1.31 * h, 0.07 * h,
        0.5 * diameter_m, -speed_m_s));
    dew_Status status = dew_ok();
    double end_s = 3.5 * diameter_m / speed_m_s;
    *most_m = *volume_error = 0;
    for (int i = 1; i <= 70 && status.code == DEW_OK; i++) {
        dew_Stats stats;
        status = dew_world_step_to(stage.world, end_s * i / 70);
        dew_world_stats(stage.world, &stats);
        double wide_m = 2 * sqrt(stats.contact_area_m2 / DEW_PI);
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
