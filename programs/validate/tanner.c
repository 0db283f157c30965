// A viscous drop that spreads, Tanner's law, in `surface`.
//
// Glycerol, 5 mm^3 on 2 degrees, no gravity, from a cap of 60 degrees. The drop stays a cap, and
// its line moves by the law of the moving line at the distance of the base's radius R:
//
//     dR/dt = (sigma / mu) (g(theta(R)) - g(2 degrees)) / ln(R / lambda),
//
// integrated here by Euler's method with steps of at most t / 1000. 10 % of the radius; exponent of
// R(t) between 0.09 and 0.11, as R ~ t^(1/10) while the angle is small [Tanner1979].
#include "validate/cases.h"
#include "validate/stage.h"

#include <math.h>

static const double mu = 1.41, sigma = 0.063, volume_m3 = 5e-9;
static const double rest_rad = DEW_DEG(2), start_rad = DEW_DEG(60);

static double law_m(double end_s)
{
    double R = dew_drop_cap_from_volume_angle(volume_m3, start_rad).base_radius_m, t = 0;
    double lambda = dew_default_material_def().slip_length_m;
    while (t < end_s) {
        double dt = fmin(1e-4 * fmax(1, 10 * t), end_s - t);
        double theta = dew_drop_cap_from_volume_base(volume_m3, R).angle_rad;
        double drive = dew_cox_integral(theta) - dew_cox_integral(rest_rad);
        R += dt * sigma / mu * drive / log(R / lambda);
        t += dt;
    }
    return R;
}

static dew_Status radius_at(dew_Stage *stage, double end_s, double *out)
{
    while (dew_world_time_s(stage->world) < end_s - 1e-6)
        DEW_TRY(dew_world_step(stage->world, 0.1));
    dew_Stats stats;
    dew_world_stats(stage->world, &stats);
    *out = sqrt(stats.contact_area_m2 / DEW_PI);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    dew_Stage stage;
    dew_SceneDef def = dew_build_weightless("surface", 3, 10e-3, 0.2e-3);
    def.liquid = dew_build_liquid(1260, mu, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angle(rest_rad));
    dew_build_cap(&b, dew_v3(0, 0, 0), volume_m3, start_rad);
    DEW_TRY(dew_stage_open(&stage, &b));
    double early = 0, late = 0;
    dew_Status status = radius_at(&stage, 10, &early);
    if (status.code == DEW_OK)
        status = radius_at(&stage, 60, &late);
    dew_stage_close(&stage);
    DEW_TRY(status);
    dew_case_near(c, "radius after 10 s (mm)", 1e3 * early, 1e3 * law_m(10), 0.10);
    dew_case_near(c, "radius after 60 s (mm)", 1e3 * late, 1e3 * law_m(60), 0.10);
    dew_case_within(c, "exponent between them", log(late / early) / log(6), 0.10, 0.01);
    return dew_ok();
}

const dew_Case dew_case_tanner = {"tanner", "surface: glycerol spreads by Tanner's law", true, run};
