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

typedef struct Kind {
    const char *name, *parameters;
} Kind;

static const Kind kinds[] = {
    {"paper", "{contact: stencil, pressure: first-order, pinning: zero-pressure, "
              "tension_factor: 1}"},
    {"ours", "{}"},
};

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

static dew_Status open_seat(dew_Stage *stage, const Seat *seat, const Kind *kind)
{
    double h = radius_m / seat->cells, t = DEW_DEG(seat->tilt_deg), y = 0.31 * h;
    double start = DEW_DEG(seat->angle_deg + (seat->angle_deg < 90 ? 3 : -4));
    double r = cut_radius(seat->dimensions, start), up = -r * cos(start);
    return dew_stage_open(
        stage, "paper_against_ours.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "dimensions: %d\n"
        "duration: 1 s\n"
        "domain: {min: [-4 mm, -4 mm, %g mm], max: [4 mm, 4 mm, %g mm], cell: %.12g}\n"
        "gravity: [0, 0, 0]\n"
        "liquid: {density: %g, viscosity: 10 mPa s, surface_tension: %g}\n"
        "materials: {wall: {angle: %g deg}}\n"
        "solids: [{shape: plane, point: [0, %.12g, 0], normal: [%.12g, %.12g, 0],"
        " material: wall}]\n"
        "drops: [{shape: sphere, center: [%.12g, %.12g, 0], radius: %.12g}]\n"
        "volume: %s\n",
        seat->dimensions, seat->dimensions == 2 ? -1.0 : -4.0, seat->dimensions == 2 ? 1.0 : 4.0, h,
        rho, sigma, seat->angle_deg, y, -sin(t), cos(t), -sin(t) * up, y + cos(t) * up, r,
        kind->parameters);
}

static dew_Status sit(dew_CaseRun *c, const Seat *seat)
{
    for (int k = 0; k < 2; k++) {
        dew_Stage stage;
        dew_Stats stats;
        DEW_TRY(open_seat(&stage, seat, &kinds[k]));
        dew_Status status = dew_world_step_to(stage.world, 0.05);
        dew_world_stats(stage.world, &stats);
        dew_stage_close(&stage);
        DEW_TRY(status);
        double t = DEW_DEG(seat->tilt_deg), y = 0.31 * radius_m / seat->cells;
        double height = -sin(t) * stats.center_m.x + cos(t) * (stats.center_m.y - y);
        char name[64];
        snprintf(name, sizeof name, "%d-D %g deg, tilt %g, %s (deg)", seat->dimensions,
                 seat->angle_deg, seat->tilt_deg, kinds[k].name);
        dew_case_note(c, name, angle_of(seat->dimensions, height), seat->angle_deg);
        snprintf(name, sizeof name, "%d-D %g deg, tilt %g, %s: fastest (cm/s)", seat->dimensions,
                 seat->angle_deg, seat->tilt_deg, kinds[k].name);
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
        DEW_TRY(dew_stage_open(
            &stage, "paper_against_ours.yaml",
            "dew: 1\n"
            "solver: volume\n"
            "duration: 1 s\n"
            "domain: {min: [-2 mm, -2 mm, -2 mm], max: [2 mm, 2 mm, 2 mm], cell: %.12g}\n"
            "gravity: [0, 0, 0]\n"
            "liquid: {density: %g, viscosity: 1.002 mPa s, surface_tension: %g}\n"
            "drops: [{shape: sphere, center: [%.12g, %.12g, %.12g], radius: %.12g}]\n"
            "volume: %s\n",
            h, rho, sigma, 0.37 * h, 0.11 * h, 0.23 * h, radius_m, kinds[k].parameters));
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
static dew_Status creep(const Kind *kind, double cells, double alpha_rad, double *out)
{
    double a = DEW_DEG(80), r = sqrt(area_m2 / (a - sin(a) * cos(a)));
    double h = sqrt(area_m2 / DEW_PI) / cells;
    const double hold_s = 0.1;
    dew_Stage stage;
    dew_Stats before = {0}, after = {0};
    DEW_TRY(dew_stage_open(
        &stage, "paper_against_ours.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "dimensions: 2\n"
        "duration: 10 s\n"
        "domain: {min: [-6 mm, %.12g, -1 mm], max: [60 mm, 6 mm, 1 mm], cell: %.12g}\n"
        "gravity: [0, %g, 0]\n"
        "liquid: {density: %g, viscosity: 10 mPa s, surface_tension: %g}\n"
        "materials: {plate: {advancing: %g deg, receding: %g deg}}\n"
        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: plate}]\n"
        "drops: [{shape: sphere, center: [0.013 mm, %.12g, 0], radius: %.12g}]\n"
        "volume: %s\n",
        -8 * h, h, -g, rho, sigma, advancing_deg, receding_deg, -r * cos(a), r, kind->parameters));
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
