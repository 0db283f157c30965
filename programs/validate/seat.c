// Drops on flat walls, cut from a circle or a ball.
#include "validate/seat.h"

#include "validate/places.h"

#include <math.h>
#include <stdio.h>

// Circle or ball of the volume of the free drop, cut by the wall at an angle: its radius, and the
// height of the centre of what is above the wall.
static double cut_radius(int dimensions, double angle)
{
    double cosine = cos(angle), sine = sin(angle);
    if (dimensions == 2)
        return DEW_SEAT_RADIUS_M * sqrt(DEW_PI / (angle - sine * cosine));
    return DEW_SEAT_RADIUS_M * cbrt(4 / ((2 + cosine) * (1 - cosine) * (1 - cosine)));
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
    return low;
}

double dew_seat_start_deg(double angle_deg)
{
    return angle_deg + (angle_deg < 90 ? 3 : -4);
}

dew_Status dew_seat_watch(const dew_Seat *seat, double *angle_deg, double *speed_m_s)
{
    double h = DEW_SEAT_RADIUS_M / seat->cells, start = DEW_DEG(seat->start_deg);
    double radius = cut_radius(seat->dimensions, start), up = -radius * cos(start);
    double t = DEW_DEG(seat->tilt_deg), azimuth = DEW_DEG(seat->azimuth_deg);
    dew_Vec3 normal = {-sin(t) * cos(azimuth), cos(t), sin(t) * sin(azimuth)};
    dew_Vec3 wall = {0, seat->offset * h, 0}, foot = {seat->x * h, wall.y, seat->z * h};
    dew_SceneDef def = dew_build_weightless("volume", seat->dimensions, seat->half_m, h);
    def.liquid.viscosity_Pa_s = seat->viscosity_Pa_s;
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "wall", dew_build_angle(DEW_DEG(seat->angle_deg)));
    dew_build_plane(&b, wall, normal, "wall");
    dew_build_ball(&b, dew_v3_add_scaled(foot, up, normal), radius);
    if (seat->choose)
        seat->choose(&b);
    dew_Stats stats;
    DEW_TRY(dew_stage_run(&b, seat->time_s, &stats));
    double height = dew_v3_inner(normal, dew_v3_sub(stats.center_m, wall));
    *angle_deg = angle_of(seat->dimensions, height) / DEW_DEG(1);
    *speed_m_s = stats.max_speed_m_s;
    return dew_ok();
}

dew_Status dew_seat_compare(const dew_Seat *seat, double water_s, dew_SeatFigures *worst)
{
    double angle_deg, speed_m_s;
    DEW_TRY(dew_seat_watch(seat, &angle_deg, &speed_m_s));
    worst->angle_deg = dew_farther(worst->angle_deg, angle_deg, seat->angle_deg);
    dew_Seat water = *seat;
    water.start_deg = seat->angle_deg;
    water.viscosity_Pa_s = 1.002e-3;
    water.time_s = water_s;
    DEW_TRY(dew_seat_watch(&water, &angle_deg, &speed_m_s));
    worst->speed_m_s = dew_farther(worst->speed_m_s, speed_m_s, 0);
    return dew_ok();
}

void dew_seat_report(dew_CaseRun *c, const dew_Seat *seat, const dew_SeatFigures *worst,
                     double allowed_deg)
{
    char name[64];
    double ease = c->is_quick ? 2 : 1;
    snprintf(name, sizeof name, "%g deg on a wall tilted by %g", seat->angle_deg, seat->tilt_deg);
    dew_case_within(c, name, worst->angle_deg, seat->angle_deg, allowed_deg * ease);
    snprintf(name, sizeof name, "%g deg, tilt %g: fastest (m/s)", seat->angle_deg, seat->tilt_deg);
    dew_case_within(c, name, worst->speed_m_s, 0, (seat->tilt_deg > 0 ? 0.015 : 0.006) * ease);
}
