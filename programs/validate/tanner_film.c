// A drop that spreads in the solver `shallow`: Tanner's law.
//
// Glycerol, 5 mm^3 on 2 degrees, no gravity, from a cap of 60 degrees. The drop stays a cap, and
// its line moves as the law of the moving line has it, at the distance of the base's radius R:
//
//     dR/dt = (sigma / mu) (g(theta(R)) - g(2 degrees)) / ln(R / lambda),
//
// R = 3.0 mm after 60 s, R ~ t^(1/10) while the angle is small [Tanner1979]. 10 % of the radius of
// the wet ground; exponent 0.09 to 0.11 between 10 and 60 s, of the radius by the second moment of
// the volume, R^2 = 3 (xx + zz) for a flat cap, which does not jump from column to column.
#include "validate/cases.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static const double mu = 1.41, sigma = 0.063, volume_m3 = 5e-9, lambda = 10e-9;
static const double rest_rad = DEW_DEG(2), start_rad = DEW_DEG(60);

static double law_m(double end_s)
{
    double R = dew_drop_cap_from_volume_angle(volume_m3, start_rad).base_radius_m, t = 0;
    while (t < end_s) {
        double dt = fmin(1e-4 * fmax(1, 10 * t), end_s - t);
        double theta = dew_drop_cap_from_volume_base(volume_m3, R).angle_rad;
        R += dt * sigma / mu * (dew_cox_integral(theta) - dew_cox_integral(rest_rad)) /
             log(R / lambda);
        t += dt;
    }
    return R;
}

static dew_Status look_at(dew_Stage *stage, double end_s, dew_View *view)
{
    DEW_TRY(dew_world_step_to(stage->world, end_s));
    return dew_stage_look(stage, view);
}

static double exponent(const dew_View *early, const dew_View *late, double times)
{
    return 0.5 *
           log((late->moment_xx_m2 + late->moment_zz_m2) /
               (early->moment_xx_m2 + early->moment_zz_m2)) /
           log(times);
}

static dew_Status spread(dew_CaseRun *c, double cell_mm, double pace)
{
    dew_Stage stage;
    char name[64];
    dew_View early, late;
    double cell = 1e-3 * cell_mm;
    dew_SceneDef def =
        dew_build_def("shallow", 2, dew_v3(-4e-3, 0, -4e-3), dew_v3(4e-3, 4e-3, 4e-3), cell);
    def.liquid = dew_build_liquid(1260, mu, sigma);
    def.gravity_m_s2 = dew_v3(0, 0, 0);
    dew_build_walls(&def, "glass");
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "glass", dew_build_angle(rest_rad));
    dew_build_cap(&b, dew_v3(0.03e-3, 0, 0.02e-3), volume_m3, start_rad);
    dew_build_choice(&b, "tension", "on");
    dew_build_number(&b, "pace", pace);
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Status status = look_at(&stage, 10, &early);
    if (status.code == DEW_OK)
        status = look_at(&stage, 60, &late);
    dew_stage_close(&stage);
    if (status.code != DEW_OK)
        return status;
    snprintf(name, sizeof name, "cells of %g mm, pace %g: radius, 60 s (mm)", cell_mm, pace);
    dew_case_near(c, name, 1e3 * late.base_radius_m, 1e3 * law_m(60), 0.10);
    snprintf(name, sizeof name, "cells of %g mm, pace %g: exponent", cell_mm, pace);
    dew_case_within(c, name, exponent(&early, &late, 6), 0.10, 0.01);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(spread(c, 0.2, 3));
    if (c->is_quick)
        return dew_ok();
    DEW_TRY(spread(c, 0.2, 1));
    DEW_TRY(spread(c, 0.4, 3));
    return spread(c, 0.1, 3);
}

const dew_Case dew_case_tanner_film = {"tanner_film", "shallow: a spreading drop, Tanner's law",
                                       true, run};
