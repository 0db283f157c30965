// A drop bounces off a surface that it hardly wets, in `surface`.
//
// The time of contact does not depend on the speed, 2.6 sqrt(rho R^3 / sigma): 11.9 ms for R =
// 1.15 mm of water [Richard2002]; allowed 15 %, and half a step of the table (0.1 ms). The energy,
// kinetic and of gravity, free surface and wetted base, must never exceed that of the start:
// allowed 2 %.
#include "validate/cases.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static const double R = 1.15e-3, rho = 1000, sigma = 72e-3, angle = DEW_DEG(165);

typedef struct Bounce {
    double contact_s, gain;
} Bounce;

static double energy_J(const dew_Stats *s)
{
    return s->kinetic_J + s->surface_J + s->gravity_J - sigma * cos(angle) * s->contact_area_m2;
}

static dew_Status follow(dew_Stage *stage, Bounce *out)
{
    dew_Stats stats;
    dew_world_stats(stage->world, &stats);
    double first = energy_J(&stats), begin_s = -1, end_s = -1;
    while (stats.time_s < 40e-3 && end_s < 0) {
        DEW_TRY(dew_world_step(stage->world, 2e-4));
        dew_world_stats(stage->world, &stats);
        out->gain = fmax(out->gain, energy_J(&stats) / first - 1);
        if (stats.contact_area_m2 > 0 && begin_s < 0)
            begin_s = stats.time_s;
        if (!(stats.contact_area_m2 > 0) && begin_s >= 0)
            end_s = stats.time_s;
    }
    out->contact_s = end_s - begin_s;
    return dew_ok();
}

static dew_Status bounce(dew_CaseRun *c, double speed_m_s, double edges)
{
    dew_Stage stage;
    dew_SceneDef def = dew_build_def("surface", 3, dew_v3(-8e-3, -2e-3, -8e-3),
                                     dew_v3(8e-3, 20e-3, 8e-3), R / edges);
    def.liquid = dew_build_liquid(rho, 1e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angle(angle));
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = dew_v3(0, 1.05 * R, 0);
    drop.radius_m = R;
    drop.velocity_m_s = dew_v3(0, -speed_m_s, 0);
    dew_build_drop(&b, &drop);
    DEW_TRY(dew_stage_open(&stage, &b));
    Bounce seen = {0};
    dew_Status status = follow(&stage, &seen);
    dew_stage_close(&stage);
    DEW_TRY(status);
    char name[64];
    double law = 2.6 * sqrt(rho * R * R * R / sigma);
    snprintf(name, sizeof name, "%g m/s, R / edge %g: contact (ms)", speed_m_s, edges);
    dew_case_within(c, name, 1e3 * seen.contact_s, 1e3 * law, 0.15 * 1e3 * law + 0.1);
    snprintf(name, sizeof name, "%g m/s, R / edge %g: gain of energy", speed_m_s, edges);
    dew_case_within(c, name, seen.gain, 0, 0.02);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    static const double speeds[] = {0.2, 0.3, 0.4, 0.55, 0.7, 0.85, 1.0};
    for (int k = 0; k < 7; k++)
        if (!c->is_quick || k % 3 == 0)
            DEW_TRY(bounce(c, speeds[k], 6));
    return c->is_quick ? dew_ok() : bounce(c, 1, 10);
}

const dew_Case dew_case_bounce = {
    "bounce", "surface: time of contact and energy of a drop that bounces", true, run};
