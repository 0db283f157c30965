// The same drops with the choices of [Wang2005] and with ours, for
// docs/theory/paper_against_ours.md: figures are reported beside the exact value, not judged; what
// ours owes is judged by volume_drop, volume_sessile and volume_tilt.
//
// The paper's: the stencil per cell, pressure of first order, eq. (10), steps of the capillary
// limit (its own are 1.1 of them). Otherwise both are the same program. One place between the
// cells, wall 0.31 cells above a face. Angles follow from the height of the centre of the liquid
// over the wall, so they tell of the whole shape.
#include "validate/cases.h"
#include "validate/inner_pressure.h"
#include "validate/seat.h"
#include "validate/slope.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81, radius_m = 1e-3;

static void choose_paper(dew_SceneBuilder *b)
{
    dew_build_choice(b, "contact", "stencil");
    dew_build_choice(b, "pressure", "first-order");
    dew_build_choice(b, "pinning", "zero-pressure");
    dew_build_number(b, "tension_factor", 1);
}

static void choose_ours(dew_SceneBuilder *b)
{
    (void)b;  // the defaults
}

typedef struct Kind {
    const char *name;
    void (*choose)(dew_SceneBuilder *b);
} Kind;

static const Kind kinds[] = {{"paper", choose_paper}, {"ours", choose_ours}};

// ---- sessile -----------------------------------------------------------------------------------

static dew_Status sit(dew_CaseRun *c, int dimensions, double cells, double angle_deg,
                      double tilt_deg)
{
    for (int k = 0; k < 2; k++) {
        double got, speed;
        dew_Seat seat = {.dimensions = dimensions,
                         .cells = cells,
                         .half_m = 4e-3,
                         .angle_deg = angle_deg,
                         .start_deg = dew_seat_start_deg(angle_deg),
                         .tilt_deg = tilt_deg,
                         .offset = 0.31,
                         .viscosity_Pa_s = 10e-3,
                         .time_s = 0.05,
                         .choose = kinds[k].choose};
        DEW_TRY(dew_seat_watch(&seat, &got, &speed));
        char name[64];
        snprintf(name, sizeof name, "%d-D %g deg, tilt %g, %s (deg)", dimensions, angle_deg,
                 tilt_deg, kinds[k].name);
        dew_case_note(c, name, got, angle_deg);
        snprintf(name, sizeof name, "%d-D %g deg, tilt %g, %s: fastest (cm/s)", dimensions,
                 angle_deg, tilt_deg, kinds[k].name);
        dew_case_note(c, name, 100 * speed, 0);
    }
    return dew_ok();
}

// ---- free --------------------------------------------------------------------------------------

static dew_Status float_free(dew_CaseRun *c)
{
    for (int k = 0; k < 2; k++) {
        dew_Stage stage;
        dew_Stats stats;
        double h = radius_m / 16, speed = 0;
        dew_SceneDef def = dew_build_weightless("volume", 3, 2e-3, h);
        def.liquid = dew_build_liquid(rho, 1.002e-3, sigma);
        dew_SceneBuilder b = dew_build_begin(&def);
        dew_build_ball(&b, dew_v3(0.37 * h, 0.11 * h, 0.23 * h), radius_m);
        kinds[k].choose(&b);
        DEW_TRY(dew_stage_open(&stage, &b));
        dew_Status status = dew_ok();
        for (int i = 1; i <= 10 && status.code == DEW_OK; i++) {
            status = dew_world_step_to(stage.world, 0.5e-3 * i);
            dew_world_stats(stage.world, &stats);
            speed = fmax(speed, stats.max_speed_m_s);
        }
        double pressure = 0;
        if (status.code == DEW_OK)
            status = dew_inner_pressure_Pa(stage.world, &pressure);
        dew_stage_close(&stage);
        DEW_TRY(status);
        char name[64];
        snprintf(name, sizeof name, "Laplace pressure, %s (Pa)", kinds[k].name);
        dew_case_note(c, name, pressure, 2 * sigma / radius_m);
        snprintf(name, sizeof name, "free drop, %s: fastest (cm/s)", kinds[k].name);
        dew_case_note(c, name, 100 * speed, 0);
    }
    return dew_ok();
}

// ---- tilted ------------------------------------------------------------------------------------

static const double receding_deg = 60, advancing_deg = 100, area_m2 = 8.2e-6;

// Raises the tilt to a part of the critical one, waits, and measures how fast the drop creeps, in
// cells per second.
static dew_Status creep(const Kind *kind, double cells, double alpha_rad, double *out)
{
    double a = DEW_DEG(80), r = sqrt(area_m2 / (a - sin(a) * cos(a)));
    double h = sqrt(area_m2 / DEW_PI) / cells;
    const double hold_s = 0.1;
    dew_SceneDef def =
        dew_build_def("volume", 2, dew_v3(-6e-3, -8 * h, -1e-3), dew_v3(60e-3, 6e-3, 1e-3), h);
    def.liquid = dew_build_liquid(rho, 10e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angles(DEW_DEG(receding_deg), DEW_DEG(advancing_deg)));
    dew_build_ball(&b, dew_v3(0.013e-3, -r * cos(a), 0), r);
    kind->choose(&b);
    dew_Slope slope = {.parts = 100};
    double way_m = 0;
    DEW_TRY(dew_stage_open(&slope.stage, &b));
    dew_Status status = dew_slope_turn(&slope, 0, 0, 0.05);
    if (status.code == DEW_OK)
        status = dew_slope_turn(&slope, 0, alpha_rad, 0.2);
    if (status.code == DEW_OK)
        status = dew_slope_hold(&slope, alpha_rad, hold_s, &way_m);
    dew_stage_close(&slope.stage);
    *out = way_m / h / hold_s;
    return status;
}

static dew_Status tilt(dew_CaseRun *c, double cells)
{
    double critical = asin(sigma * (cos(DEW_DEG(receding_deg)) - cos(DEW_DEG(advancing_deg))) /
                           (rho * g * area_m2));
    static const double shares[] = {0.25, 0.5, 0.95};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            double got;
            DEW_TRY(creep(&kinds[k], cells, shares[i] * critical, &got));
            char name[64];
            snprintf(name, sizeof name, "creep at %g of the critical tilt, %s (h/s)", shares[i],
                     kinds[k].name);
            dew_case_note(c, name, got, 0);
        }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    for (double angle = 30; angle <= 150; angle += 30)
        for (double slope = 0; slope <= 20; slope += 20)
            DEW_TRY(sit(c, 2, c->is_quick ? 8 : 16, angle, slope));
    for (double angle = 60; angle <= 120; angle += 30)
        DEW_TRY(sit(c, 3, 8, angle, 0));
    DEW_TRY(float_free(c));
    return tilt(c, 8);
}

const dew_Case dew_case_paper_against_ours = {
    "paper_against_ours", "volume: the paper's stencil, pressure and eq. 10 beside ours", false,
    run};
