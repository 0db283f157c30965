// Drops on a level plate under gravity, in the solver `volume`: height and base against Young and Laplace, for 5, 33.5
// and 200 mm^3.
//
// It starts as a cap of the angle it is to have and comes to rest with a hundred times the viscosity of water, on which
// the equilibrium does not depend. Told is the worst of three places of the plate between the cells' faces, one of them
// with 12 cells in the radius of the free drop, two with 10: harder than the 16 for which the design allows 2 %. --quick runs
// one volume with 5 cells and three times that.
#include "validate/cases.h"
#include "validate/stage.h"
#include "validate/young_laplace.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81;

static dew_Status rest(double volume_m3, double angle_deg, double cells, double offset,
                       dew_SessileDrop want, dew_Stats *stats)
{
    double h = cbrt(3 * volume_m3 / (4 * DEW_PI)) / cells, floor_m = offset * h;
    double half = 8 * h * ceil(1.6 * fmax(want.widest_radius_m, want.base_radius_m) / (8 * h));
    double top = 8 * h * ceil(1.9 * want.height_m / (8 * h));
    dew_Stage stage;
    DEW_TRY(dew_stage_open(
        &stage, "volume_gravity.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "duration: 9 s\n"
        "domain: {min: [%.12g, %.12g, %.12g], max: [%.12g, %.12g, %.12g], cell: %.12g}\n"
        "gravity: [0, %g, 0]\n"
        "liquid: {density: %g, viscosity: 100 mPa s, surface_tension: %g}\n"
        "materials: {plate: {angle: %g deg}}\n"
        "solids: [{shape: plane, point: [0, %.12g, 0], normal: [0, 1, 0], material: plate}]\n"
        "drops: [{shape: cap, point: [%.12g, %.12g, %.12g], normal: [0, 1, 0], volume: %.12g,"
        " angle: %g deg}]\n",
        -half, -8 * h, -half, half, top, half, h, -g, rho, sigma, angle_deg, floor_m, 0.16 * h,
        floor_m, 0.24 * h, volume_m3, angle_deg));
    // Some four periods of the slowest mode, which goes with the square root of the volume.
    dew_Status status = dew_world_step_to(stage.world, 0.08 * sqrt(volume_m3 / 33.5e-9));
    dew_world_stats(stage.world, stats);
    stats->top_m -= floor_m;
    dew_stage_close(&stage);
    return status;
}

static double worse(double a, double b, double exact)
{
    return fabs(a - exact) > fabs(b - exact) ? a : b;
}

static dew_Status compare(dew_CaseRun *c, double volume_mm3, double angle_deg)
{
    static const double offsets[3] = {0.16, 0.47, 0.77}, grids[3] = {12, 10, 10};
    double k = dew_capillary_k_1_m2(rho, g, sigma), ease = c->is_quick ? 3 : 1;
    dew_SessileDrop want;
    DEW_TRY(dew_sessile_from_volume_angle(k, 1e-9 * volume_mm3, DEW_DEG(angle_deg), &want));
    double height = want.height_m, base = want.base_radius_m;
    for (int i = 0; i < (c->is_quick ? 1 : 3); i++) {
        dew_Stats stats;
        DEW_TRY(rest(1e-9 * volume_mm3, angle_deg, c->is_quick ? 5 : grids[i], offsets[i], want,
                     &stats));
        height = worse(stats.top_m, height, want.height_m);
        base = worse(sqrt(stats.contact_area_m2 / DEW_PI), base, want.base_radius_m);
    }
    char name[64];
    snprintf(name, sizeof name, "%g mm^3, %g deg: height (mm)", volume_mm3, angle_deg);
    dew_case_near(c, name, 1e3 * height, 1e3 * want.height_m, 0.02 * ease);
    snprintf(name, sizeof name, "%g mm^3, %g deg: base (mm)", volume_mm3, angle_deg);
    dew_case_near(c, name, 1e3 * base, 1e3 * want.base_radius_m, 0.02 * ease);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    static const double volumes[] = {5, 33.5, 200}, angles[] = {60, 120};
    if (c->is_quick)
        return compare(c, 33.5, 120);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            DEW_TRY(compare(c, volumes[i], angles[j]));
    return dew_ok();
}

const dew_Case dew_case_volume_gravity = {
    "volume_gravity", "volume: drops under gravity against Young and Laplace", true, run};
