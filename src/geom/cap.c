// Spherical caps from any two of their measures.
//
// Letters: theta contact angle, R radius of the ball, a base radius, h height, V volume, and
// t = tan(theta/2) = h/a. Then a = R sin(theta), h = 2 R sin^2(theta/2) and
//     V = (pi/6) h (3 a^2 + h^2),   area to the air = pi (a^2 + h^2),   R = (a^2 + h^2) / (2 h).
// Every form is a sum of positive terms: nothing cancels for films or for whole balls. Only the
// height of the centre, h - R, is a difference; it is written as -R cos(theta).
#include "dew/wetting.h"

#include "base/status.h"

#include <math.h>

// Everything that follows from a and h, once theta is known.
static dew_DropCap cap_of(double theta, double a, double h)
{
    double R = (a * a + h * h) / (2 * h);
    return (dew_DropCap){
        .angle_rad = theta,
        .radius_m = R,
        .base_radius_m = a,
        .height_m = h,
        .volume_m3 = DEW_PI / 6 * h * (3 * a * a + h * h),
        .area_m2 = DEW_PI * (a * a + h * h),
        .center_height_m = -R * cos(theta),
    };
}

dew_DropCap dew_drop_cap_from_radius_angle(double radius_m, double angle_rad)
{
    DEW_ASSERT(radius_m > 0 && angle_rad > 0 && angle_rad <= DEW_PI);
    double s = sin(angle_rad / 2), c = cos(angle_rad / 2);
    // a = R sin(theta) by half angles, so that theta = pi gives an exact zero only up to cos(pi/2).
    dew_DropCap cap = cap_of(angle_rad, 2 * radius_m * s * c, 2 * radius_m * s * s);
    cap.radius_m = radius_m;
    return cap;
}

dew_DropCap dew_drop_cap_from_volume_angle(double volume_m3, double angle_rad)
{
    DEW_ASSERT(volume_m3 > 0 && angle_rad > 0 && angle_rad <= DEW_PI);
    // V = (pi/3) R^3 (1 - cos)^2 (2 + cos), with 1 - cos = 2 s^2 and 2 + cos = 1 + 2 c^2.
    double s = sin(angle_rad / 2), c = cos(angle_rad / 2);
    double shape = 4 * DEW_PI / 3 * s * s * s * s * (1 + 2 * c * c);
    dew_DropCap cap = dew_drop_cap_from_radius_angle(cbrt(volume_m3 / shape), angle_rad);
    cap.volume_m3 = volume_m3;
    return cap;
}

dew_DropCap dew_drop_cap_from_volume_base(double volume_m3, double base_radius_m)
{
    DEW_ASSERT(volume_m3 > 0 && base_radius_m >= 0);
    // t^3 + 3 t = q has the one real root 2 sinh(asinh(q/2) / 3), well conditioned for every q > 0.
    double a = base_radius_m;
    double q = 6 * volume_m3 / (DEW_PI * a * a * a);
    if (!isfinite(q))  // a base that is nothing beside the ball
        return dew_drop_cap_from_volume_angle(volume_m3, DEW_PI);
    double t = 2 * sinh(asinh(q / 2) / 3);
    dew_DropCap cap = cap_of(2 * atan(t), a, a * t);
    cap.volume_m3 = volume_m3;
    return cap;
}

dew_DropCap dew_drop_cap_from_base_angle(double base_radius_m, double angle_rad)
{
    DEW_ASSERT(base_radius_m > 0 && angle_rad > 0 && angle_rad < DEW_PI);
    return cap_of(angle_rad, base_radius_m, base_radius_m * tan(angle_rad / 2));
}

dew_DropCap dew_drop_cap_from_base_height(double base_radius_m, double height_m)
{
    DEW_ASSERT(base_radius_m >= 0 && height_m > 0);
    return cap_of(2 * atan2(height_m, base_radius_m), base_radius_m, height_m);
}
