// The same drops with the choices of [Wang2005] and with ours, for
// docs/theory/paper_against_ours.md: what is told is told beside the exact value, not judged; what
// ours owes is judged by volume_drop, volume_sessile and volume_tilt.
//
// The paper's: the stencil per cell, pressure of first order, eq. (10), steps of the capillary
// limit (its own are 1.1 of them). Otherwise both are the same program. One place between the
// cells, wall 0.31 cells above a face. Angles follow from the height of the centre of the liquid
// over the wall, so they tell of the whole shape.
#include "validate/cases.h"
#include "validate/inner_pressure.h"
#include "validate/stage.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81, radius_m = 1e-3;

static const char *const kinds[] = {"paper", "ours"};

static void build_choices(dew_SceneBuilder *b, int kind)
{
    if (kind > 0)
        return;
    dew_build_choice(b, "contact", "stencil");
    dew_build_choice(b, "pressure", "first-order");
    dew_build_choice(b, "pinning", "zero-pressure");
    dew_build_number(b, "tension_factor", 1);
}

// ---- sessile -----------------------------------------------------------------------------------

// Circle or ball of the volume of one of radius_m, cut by the wall at an angle: its radius, and the
// height of the centre of what is above the wall.
static double cut_radius(int dimensions, double angle)
{
    double cosine = cos(angle), sine = sin(angle);
    if (dimensions == 2)
        return radius_m * sqrt(DEW_PI / (angle - sine * cosine));
    return radius_m * cbrt(4 / ((2 + cosine) * (1 - cosine) * (1 - cosine)));
}

static double cut_center(int dimensions, double angle)
{
    double cosine = cos(angle), sine = sin(angle), r = cut_radius(dimensions, angle);
    if (dimensions == 2)
        return r * (2 * sine * sine * sine / (3 * (angle - sine * cosine)) - cosine);
    return r * (0.75 * (1 + cosine) * (1 + cosine) / (2 + cosine) - cosine);
}

static double angle_of(int dimensions, double center_m)
{
    double low = DEW_DEG(5), high = DEW_DEG(179);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(cut_center(dimensions, middle) < center_m ? &low : &high) = middle;
    }
    return low / DEW_DEG(1);
}

typedef struct Seat {
    int dimensions;
    double cells, angle_deg, tilt_deg;
} Seat;

static dew_Status open_seat(dew_Stage *stage, const Seat *seat, int kind)
{
    double h = radius_m / seat->cells, t = DEW_DEG(seat->tilt_deg), y = 0.31 * h;
    double start = DEW_DEG(seat->angle_deg + (seat->angle_deg < 90 ? 3 : -4));
    double r = cut_radius(seat->dimensions, start), up = -r * cos(start);
    double half = seat->dimensions == 2 ? 1e-3 : 4e-3;
    dew_SceneDef def =
        dew_build_def("volume", dew_v3(-4e-3, -4e-3, -half), dew_v3(4e-3, 4e-3, half), h);
    def.dimensions = seat->dimensions;
    def.gravity_m_s2 = dew_v3(0, 0, 0);
    def.liquid = dew_build_liquid(rho, 10e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "wall", dew_build_angle(DEW_DEG(seat->angle_deg)));
    dew_build_plane(&b, dew_v3(0, y, 0), dew_v3(-sin(t), cos(t), 0), "wall");
    dew_build_ball(&b, dew_v3(-sin(t) * up, y + cos(t) * up, 0), r);
    build_choices(&b, kind);
    return dew_stage_open(stage, &b);
}

static dew_Status sit(dew_CaseRun *c, const Seat *seat)
{
    for (int k = 0; k < 2; k++) {
        dew_Stage stage;
        dew_Stats stats;
        DEW_TRY(open_seat(&stage, seat, k));
        dew_Status status = dew_world_step_to(stage.world, 0.05);
        dew_world_stats(stage.world, &stats);
        dew_stage_close(&stage);
        DEW_TRY(status);
        double t = DEW_DEG(seat->tilt_deg), y = 0.31 * radius_m / seat->cells;
        double height = -sin(t) * stats.center_m.x + cos(t) * (stats.center_m.y - y);
        char name[64];
        snprintf(name, sizeof name, "%d-D %g deg, tilt %g, %s (deg)", seat->dimensions,
                 seat->angle_deg, seat->tilt_deg, kinds[k]);
        dew_case_note(c, name, angle_of(seat->dimensions, height), seat->angle_deg);
        snprintf(name, sizeof name, "%d-D %g deg, tilt %g, %s: fastest (cm/s)", seat->dimensions,
                 seat->angle_deg, seat->tilt_deg, kinds[k]);
        dew_case_note(c, name, 100 * stats.max_speed_m_s, 0);
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
        dew_SceneDef def =
            dew_build_def("volume", dew_v3(-2e-3, -2e-3, -2e-3), dew_v3(2e-3, 2e-3, 2e-3), h);
        def.gravity_m_s2 = dew_v3(0, 0, 0);
        def.liquid = dew_build_liquid(rho, 1.002e-3, sigma);
        dew_SceneBuilder b = dew_build_begin(&def);
        dew_build_ball(&b, dew_v3(0.37 * h, 0.11 * h, 0.23 * h), radius_m);
        build_choices(&b, k);
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
        snprintf(name, sizeof name, "Laplace pressure, %s (Pa)", kinds[k]);
        dew_case_note(c, name, pressure, 2 * sigma / radius_m);
        snprintf(name, sizeof name, "free drop, %s: fastest (cm/s)", kinds[k]);
        dew_case_note(c, name, 100 * speed, 0);
    }
    return dew_ok();
}

// ---- tilted ------------------------------------------------------------------------------------

static const double receding_deg = 60, advancing_deg = 100, area_m2 = 8.2e-6;

static dew_Status turn(dew_World *world, double from_rad, double to_rad, double time_s)
{
    const int parts = 100;
    for (int i = 1; i <= parts; i++) {
        double alpha = from_rad + (to_rad - from_rad) * i / parts;
        dew_world_set_gravity(world, (dew_Vec3){g * sin(alpha), -g * cos(alpha), 0});
        DEW_TRY(dew_world_step(world, time_s / parts));
    }
    return dew_ok();
}

// Raises the tilt to a share of the critical one, waits, and tells how fast the drop creeps, in
// cells per second.
static dew_Status creep(int kind, double cells, double alpha_rad, double *out)
{
    double a = DEW_DEG(80), r = sqrt(area_m2 / (a - sin(a) * cos(a)));
    double h = sqrt(area_m2 / DEW_PI) / cells;
    const double hold_s = 0.1;
    dew_Stage stage;
    dew_Stats before = {0}, after = {0};
    dew_SceneDef def =
        dew_build_def("volume", dew_v3(-6e-3, -8 * h, -1e-3), dew_v3(60e-3, 6e-3, 1e-3), h);
    def.dimensions = 2;
    def.liquid = dew_build_liquid(rho, 10e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angles(DEW_DEG(receding_deg), DEW_DEG(advancing_deg)));
    dew_build_ball(&b, dew_v3(0.013e-3, -r * cos(a), 0), r);
    build_choices(&b, kind);
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Status status = turn(stage.world, 0, 0, 0.05);
    if (status.code == DEW_OK)
        status = turn(stage.world, 0, alpha_rad, 0.2);
    dew_world_stats(stage.world, &before);
    if (status.code == DEW_OK)
        status = turn(stage.world, alpha_rad, alpha_rad, hold_s);
    dew_world_stats(stage.world, &after);
    dew_stage_close(&stage);
    *out = (after.center_m.x - before.center_m.x) / h / hold_s;
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
            DEW_TRY(creep(k, cells, shares[i] * critical, &got));
            char name[64];
            snprintf(name, sizeof name, "creep at %g of the critical tilt, %s (h/s)", shares[i],
                     kinds[k]);
            dew_case_note(c, name, got, 0);
        }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    for (double angle = 30; angle <= 150; angle += 30)
        for (double slope = 0; slope <= 20; slope += 20) {
            Seat seat = {2, c->is_quick ? 8 : 16, angle, slope};
            DEW_TRY(sit(c, &seat));
        }
    for (double angle = 60; angle <= 120; angle += 30) {
        Seat seat = {3, 8, angle, 0};
        DEW_TRY(sit(c, &seat));
    }
    DEW_TRY(float_free(c));
    return tilt(c, 8);
}

const dew_Case dew_case_paper_against_ours = {
    "paper_against_ours", "volume: the paper's stencil, pressure and eq. 10 beside ours", false,
    run};
