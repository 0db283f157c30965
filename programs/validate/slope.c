// Tilting a plate: gravity turns about z, the drop's lowest and largest contact angle are noted.
#include "validate/slope.h"

#include "validate/places.h"

#include <math.h>

static const double g = 9.81;

dew_SlopeSeen dew_slope_unseen(void)
{
    return (dew_SlopeSeen){0, (double)INFINITY, (double)INFINITY, -(double)INFINITY};
}

// The lesser of two; not a number, or no angle seen at all, is the least.
static double lesser(double a, double b)
{
    return isnan(a) || !isfinite(b) ? (double)NAN : fmin(a, b);
}

void dew_slope_note_worst(dew_SlopeSeen *worst, const dew_SlopeSeen *got)
{
    worst->creep = dew_farther(worst->creep, got->creep, 0);
    worst->way = lesser(worst->way, got->way);
    worst->low_deg = lesser(worst->low_deg, got->low_deg);
    worst->high_deg = -lesser(-worst->high_deg, -got->high_deg);
}

void dew_slope_forget_angles(dew_Slope *slope)
{
    slope->low_deg = (double)INFINITY;
    slope->high_deg = -(double)INFINITY;
}

dew_Status dew_slope_turn(dew_Slope *slope, double from_rad, double to_rad, double time_s)
{
    for (int i = 1; i <= slope->parts; i++) {
        double alpha = from_rad + (to_rad - from_rad) * i / slope->parts;
        dew_Stats stats;
        dew_world_set_gravity(slope->stage.world, (dew_Vec3){g * sin(alpha), -g * cos(alpha), 0});
        DEW_TRY(dew_world_step(slope->stage.world, time_s / slope->parts));
        dew_world_stats(slope->stage.world, &stats);
        if (fabs(stats.velocity_m_s.x) > slope->slow_m_s)
            continue;
        slope->low_deg = fmin(slope->low_deg, stats.contact_angle_min_rad / DEW_DEG(1));
        slope->high_deg = fmax(slope->high_deg, stats.contact_angle_max_rad / DEW_DEG(1));
    }
    return dew_ok();
}

dew_Status dew_slope_hold(dew_Slope *slope, double tilt_rad, double time_s, double *way_m)
{
    dew_Stats before, after;
    dew_world_stats(slope->stage.world, &before);
    DEW_TRY(dew_slope_turn(slope, tilt_rad, tilt_rad, time_s));
    dew_world_stats(slope->stage.world, &after);
    *way_m = after.center_m.x - before.center_m.x;
    return dew_ok();
}
