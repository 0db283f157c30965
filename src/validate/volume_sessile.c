// Drops that sit on walls, in the solver `volume`.
//
// Without gravity, in two dimensions, the section is a circle's segment, whatever the wall's tilt: its angle
// follows from the height of the centre of the area over the wall, so it tells of the whole shape and not of
// the few cells beside the line. Each is the worst of three places of the wall between the cells, and the
// fastest velocity at rest is told. With gravity, in three dimensions, height and base of a drop of 2 mm
// radius are compared with Young and Laplace. Ten times the viscosity of water: it rests sooner. Allowed are the
// design's figures for R/h = 16; --quick runs R/h = 8, one place, twice the allowance, no gravity.
#include "validate/cases.h"
#include "validate/stage.h"
#include "validate/young_laplace.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81, radius_m = 1e-3;

// ---- circular segments -------------------------------------------------------------------------

// Radius of the circle whose segment of this angle has the area of a circle of radius_m.
static double segment_radius(double angle)
{
    return radius_m * sqrt(DEW_PI / (angle - sin(angle) * cos(angle)));
}

static double segment_center(double angle)
{
    double sine = sin(angle), part = angle - sine * cos(angle);
    return segment_radius(angle) * (2 * sine * sine * sine / (3 * part) - cos(angle));
}

// The angle of the segment whose centre is at this height.
static double segment_angle(double center_m)
{
    double low = DEW_DEG(5), high = DEW_DEG(179);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(segment_center(middle) < center_m ? &low : &high) = middle;
    }
    return low;
}

typedef struct Wall {
    double angle_deg, start_deg;
    double tilt_deg;
    double offset;  // cells
} Wall;

static dew_Status sit(const Wall *wall, double cells, double *angle_deg, double *speed_m_s)
{
    double h = radius_m / cells, t = DEW_DEG(wall->tilt_deg), y = wall->offset * h;
    double start = DEW_DEG(wall->start_deg), radius = segment_radius(start);
    double nx = -sin(t), ny = cos(t), up = -radius * cos(start);
    dew_Stage stage;
    DEW_TRY(dew_stage_open(
        &stage, "volume_sessile.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "dimensions: 2\n"
        "duration: 1 s\n"
        "domain: {min: [-4 mm, -4 mm, -1 mm], max: [4 mm, 4 mm, 1 mm], cell: %.12g}\n"
        "gravity: [0, 0, 0]\n"
        "liquid: {density: %g, viscosity: 10 mPa s, surface_tension: %g}\n"
        "materials: {wall: {angle: %g deg}}\n"
        "solids: [{shape: plane, point: [0, %.12g, 0], normal: [%.12g, %.12g, 0],"
        " material: wall}]\n"
        "drops: [{shape: sphere, center: [%.12g, %.12g, 0], radius: %.12g}]\n",
        h, rho, sigma, wall->angle_deg, y, nx, ny, nx * up, y + ny * up, radius));
    dew_Stats stats;
    dew_Status status = dew_world_step_to(stage.world, 0.05);
    dew_world_stats(stage.world, &stats);
    dew_stage_close(&stage);
    double height = nx * stats.center_m.x + ny * (stats.center_m.y - y);
    *angle_deg = segment_angle(height) / DEW_DEG(1);
    *speed_m_s = stats.max_speed_m_s;
    return status;
}

static dew_Status compare_angle(dew_CaseRun *c, double angle_deg, double tilt_deg, double allowed)
{
    static const double offsets[3] = {0, 0.31, 0.77};
    double worst = angle_deg, fastest = 0;
    for (int k = 0; k < (c->is_quick ? 1 : 3); k++) {
        double got, speed, towards = angle_deg < 90 ? 3 : -4;
        Wall wall = {angle_deg, angle_deg + towards, tilt_deg, offsets[k]};
        DEW_TRY(sit(&wall, c->is_quick ? 8 : 16, &got, &speed));
        worst = fabs(got - angle_deg) > fabs(worst - angle_deg) ? got : worst;
        fastest = fmax(fastest, speed);
    }
    char name[64];
    double ease = c->is_quick ? 2 : 1;
    snprintf(name, sizeof name, "%g deg on a wall tilted by %g", angle_deg, tilt_deg);
    dew_case_within(c, name, worst, angle_deg, allowed * ease);
    snprintf(name, sizeof name, "%g deg, tilt %g: fastest (m/s)", angle_deg, tilt_deg);
    dew_case_within(c, name, fastest, 0, (tilt_deg > 0 ? 0.015 : 0.006) * ease);
    return dew_ok();
}

// ---- with gravity ------------------------------------------------------------------------------

static dew_Status compare_gravity(dew_CaseRun *c, double angle_deg)
{
    double volume = 4.0 / 3 * DEW_PI * 8e-9, k = dew_capillary_k_1_m2(rho, g, sigma);
    dew_SessileDrop want;
    DEW_TRY(dew_sessile_from_volume_angle(k, volume, DEW_DEG(angle_deg), &want));
    dew_Stage stage;
    DEW_TRY(dew_stage_open(
        &stage, "volume_gravity.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "duration: 1 s\n"
        "domain: {min: [-6 mm, -1 mm, -6 mm], max: [6 mm, 5 mm, 6 mm], cell: 0.125 mm}\n"
        "gravity: [0, %g, 0]\n"
        "liquid: {density: %g, viscosity: 10 mPa s, surface_tension: %g}\n"
        "materials: {plate: {angle: %g deg}}\n"
        "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: plate}]\n"
        "drops: [{shape: cap, point: [0.02 mm, 0, 0.03 mm], normal: [0, 1, 0], volume: %.12g,"
        " angle: %g deg}]\n",
        -g, rho, sigma, angle_deg, volume, angle_deg));
    dew_Stats stats;
    dew_Status status = dew_world_step_to(stage.world, 0.15);
    dew_world_stats(stage.world, &stats);
    dew_stage_close(&stage);
    DEW_TRY(status);
    char name[64];
    snprintf(name, sizeof name, "%g deg with gravity: height (mm)", angle_deg);
    dew_case_near(c, name, 1e3 * stats.top_m, 1e3 * want.height_m, 0.02);
    snprintf(name, sizeof name, "%g deg with gravity: base (mm)", angle_deg);
    dew_case_near(c, name, 1e3 * sqrt(stats.contact_area_m2 / DEW_PI), 1e3 * want.base_radius_m,
                  0.02);
    snprintf(name, sizeof name, "%g deg with gravity: angle (deg)", angle_deg);
    dew_case_within(c, name, stats.contact_angle_rad / DEW_DEG(1), angle_deg, 2);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    if (c->is_quick)
        return compare_angle(c, 60, 20, 2);
    static const double angles[] = {30, 60, 90, 120, 150};
    for (int i = 0; i < 5; i++) {
        DEW_TRY(compare_angle(c, angles[i], 0, angles[i] < 150 ? 1.5 : 8));
        DEW_TRY(compare_angle(c, angles[i], 20, angles[i] < 150 ? 2 : 8));
    }
    DEW_TRY(compare_gravity(c, 60));
    return compare_gravity(c, 120);
}

const dew_Case dew_case_volume_sessile = {
    "volume_sessile", "volume: drops on walls, against circles and Young and Laplace", true, run};
