// Profiles of drops at rest, in units of a length L: the radius of curvature b at the apex, or the
// capillary length where that is shorter. s is the length along the profile from the apex, x the
// distance from the axis, z the height below (sessile) or above (pendant) the apex, phi the slope:
//
//     x' = cos phi,   z' = sin phi,   phi' = 2 c + q z - sin phi / x,   c = L / b,   q = +- k L^2
//
// with + for sessile drops, where pressure grows away from the apex, and - for pendant ones.
// Volume, area and first moment are integrated along. The apex is singular (sin phi / x -> c): the
// integration starts behind it on the series phi = c s + q c s^3 / 8 + ..., whose next terms are
// below rounding there.
//
// A sessile drop of given volume and angle is found by shooting for b, one of given volume and base
// by shooting for the angle around that. The base radius falls as the angle grows at a fixed
// volume: so the pinned line of a slow change of volume is a clamp of the radius between those at
// the two bounds.
#include "validate/young_laplace.h"

#include "dew/wetting.h"
#include "validate/ode.h"
#include "validate/root.h"

#include <math.h>

#define TOLERANCE 1e-12
#define SERIES    1e-4  // s where the integration takes over from the series
#define MAX_S     1e4   // no profile of a drop is longer

enum { X, Z, PHI, VOLUME, AREA, MOMENT, UNKNOWNS };

typedef struct Profile {
    double unit;  // L
    double c, q;
    double stop;  // phi, or x in units of L, where the profile ends
} Profile;

static Profile profile_of(double k, double b, double sign)
{
    double unit = k * b * b > 1 ? 1 / sqrt(k) : b;
    return (Profile){.unit = unit, .c = unit / b, .q = sign * k * unit * unit};
}

double dew_capillary_k_1_m2(double density_kg_m3, double gravity_m_s2, double sigma_N_m)
{
    return density_kg_m3 * gravity_m_s2 / sigma_N_m;
}

static void rates(const void *context, double s, const double *y, double *rate)
{
    const Profile *profile = context;
    (void)s;
    double sine = sin(y[PHI]);
    rate[X] = cos(y[PHI]);
    rate[Z] = sine;
    rate[PHI] = 2 * profile->c + profile->q * y[Z] - sine / y[X];
    rate[VOLUME] = DEW_PI * y[X] * y[X] * sine;
    rate[AREA] = 2 * DEW_PI * y[X];
    rate[MOMENT] = rate[VOLUME] * y[Z];
}

static dew_Ode at_apex(const Profile *profile)
{
    dew_Ode ode = dew_ode(rates, profile, UNKNOWNS, SERIES, TOLERANCE);
    double s = SERIES, c = profile->c;
    ode.t = s;
    ode.y[X] = s - c * c * s * s * s / 6;
    ode.y[Z] = c * s * s / 2;
    ode.y[PHI] = c * s + profile->q * c * s * s * s / 8;
    ode.y[VOLUME] = DEW_PI * c * s * s * s * s / 4;
    ode.y[AREA] = DEW_PI * s * s;
    for (int i = 0; i < UNKNOWNS; i++)
        ode.scale[i] = 1e-3;  // thin drops have small volumes in units of L^3
    return ode;
}

static double reaches_phi(const void *context, double s, const double *y)
{
    (void)s;
    return y[PHI] - ((const Profile *)context)->stop;
}

static double reaches_x(const void *context, double s, const double *y)
{
    (void)s;
    return y[X] - ((const Profile *)context)->stop;
}

static dew_Status go(dew_Ode *ode, dew_OdeEvent event, const char *what)
{
    bool is_found;
    DEW_TRY(dew_ode_go_to_event(ode, event, MAX_S, &is_found));
    return is_found ? dew_ok() : dew_fail(DEW_BAD_INPUT, "the profile never reaches %s", what);
}

// ---- sessile -----------------------------------------------------------------------------------

dew_Status dew_sessile_from_apex(double k_1_m2, double apex_radius_m, double angle_rad,
                                 dew_SessileDrop *out)
{
    double b = apex_radius_m, widest = 0;
    Profile profile = profile_of(k_1_m2, b, 1);
    double L = profile.unit;
    dew_Ode ode = at_apex(&profile);
    if (!(b > 0 && k_1_m2 >= 0 && angle_rad > 10 * SERIES && angle_rad < DEW_PI))
        return dew_fail(DEW_BAD_INPUT, "no sessile drop of apex radius %g m at %g rad", b,
                        angle_rad);
    if (angle_rad > DEW_PI / 2) {
        profile.stop = DEW_PI / 2;
        DEW_TRY(go(&ode, reaches_phi, "90 degrees"));
        widest = ode.y[X];
    }
    profile.stop = angle_rad;
    if (angle_rad != DEW_PI / 2 || widest == 0)
        DEW_TRY(go(&ode, reaches_phi, "the contact angle"));
    *out = (dew_SessileDrop){
        .apex_radius_m = b,
        .height_m = L * ode.y[Z],
        .base_radius_m = L * ode.y[X],
        .widest_radius_m = L * fmax(widest, ode.y[X]),
        .angle_rad = angle_rad,
        .volume_m3 = L * L * L * ode.y[VOLUME],
        .area_m2 = L * L * ode.y[AREA],
        .center_height_m = L * (ode.y[Z] - ode.y[MOMENT] / ode.y[VOLUME]),
    };
    return dew_ok();
}

typedef struct Shot {
    double k, volume, angle, base;
} Shot;

static double volume_missed(const void *context, double log_b)
{
    const Shot *shot = context;
    dew_SessileDrop drop = {0};
    if (dew_sessile_from_apex(shot->k, exp(log_b), shot->angle, &drop).code != DEW_OK)
        return (double)NAN;
    return log(drop.volume_m3 / shot->volume);
}

dew_Status dew_sessile_from_volume_angle(double k_1_m2, double volume_m3, double angle_rad,
                                         dew_SessileDrop *out)
{
    if (!(volume_m3 > 0 && angle_rad > 10 * SERIES && angle_rad < DEW_PI))
        return dew_fail(DEW_BAD_INPUT, "no sessile drop of %g m^3 at %g rad", volume_m3, angle_rad);
    Shot shot = {.k = k_1_m2, .volume = volume_m3, .angle = angle_rad};
    // Gravity flattens the top: b is larger than the radius of the cap. The volume grows with b.
    double low = log(dew_drop_cap_from_volume_angle(volume_m3, angle_rad).radius_m) - 1e-6,
           high = low;
    double missed;
    do {
        high += 0.1 + (high - low);
        missed = volume_missed(&shot, high);
    } while (missed < 0 && high < low + 100);
    double log_b;
    DEW_TRY(dew_root_find(volume_missed, &shot, low, high, 1e-15, &log_b));
    return dew_sessile_from_apex(k_1_m2, exp(log_b), angle_rad, out);
}

static double base_missed(const void *context, double angle)
{
    const Shot *shot = context;
    dew_SessileDrop drop = {0};
    if (dew_sessile_from_volume_angle(shot->k, shot->volume, angle, &drop).code != DEW_OK)
        return (double)NAN;
    return drop.base_radius_m / shot->base - 1;
}

dew_Status dew_sessile_from_volume_base(double k_1_m2, double volume_m3, double base_radius_m,
                                        dew_SessileDrop *out)
{
    Shot shot = {.k = k_1_m2, .volume = volume_m3, .base = base_radius_m};
    double angle;
    DEW_TRY(dew_root_find(base_missed, &shot, DEW_DEG(1), DEW_DEG(179), 1e-14, &angle));
    return dew_sessile_from_volume_angle(k_1_m2, volume_m3, angle, out);
}

dew_Status dew_sessile_follow(double k_1_m2, double receding_rad, double advancing_rad,
                              double volume_m3, double *base_radius_m)
{
    dew_SessileDrop wide = {0}, narrow = {0};
    DEW_TRY(dew_sessile_from_volume_angle(k_1_m2, volume_m3, receding_rad, &wide));
    DEW_TRY(dew_sessile_from_volume_angle(k_1_m2, volume_m3, advancing_rad, &narrow));
    *base_radius_m = fmin(fmax(*base_radius_m, narrow.base_radius_m), wide.base_radius_m);
    return dew_ok();
}

// ---- pendant -----------------------------------------------------------------------------------

typedef struct Hang {
    double k, disk;
} Hang;

// From the apex past the widest place to the neck, where the profile is vertical again.
static dew_Status go_to_neck(Profile *profile, dew_Ode *ode)
{
    *ode = at_apex(profile);
    profile->stop = DEW_PI / 2;
    DEW_TRY(go(ode, reaches_phi, "a widest place"));
    return go(ode, reaches_phi, "a neck");
}

static double neck_over_disk(const void *context, double b)
{
    const Hang *hang = context;
    Profile profile = profile_of(hang->k, b, -1);
    dew_Ode ode;
    if (go_to_neck(&profile, &ode).code != DEW_OK)
        return 1;  // so wide that it has none
    return profile.unit * ode.y[X] / hang->disk - 1;
}

// The drop of apex radius b whose rim lies above the neck.
static dew_Status hang_from_rim(const Hang *hang, double b, dew_PendantDrop *out)
{
    Profile profile = profile_of(hang->k, b, -1);
    dew_Ode ode;
    DEW_TRY(go_to_neck(&profile, &ode));
    double L = profile.unit, neck = L * ode.y[X];
    profile.stop = hang->disk / L;
    if (profile.stop > ode.y[X])
        DEW_TRY(go(&ode, reaches_x, "the rim"));
    *out = (dew_PendantDrop){
        .apex_radius_m = b,
        .height_m = L * ode.y[Z],
        .volume_m3 = L * L * L * ode.y[VOLUME],
        .rim_angle_rad = ode.y[PHI],
        .neck_radius_m = neck,
    };
    return dew_ok();
}

// Widest b whose neck is no wider than the disk: there the rim passes the neck as the drop is fed.
static dew_Status find_neck_at_rim(const Hang *hang, double *b)
{
    double low = 0.5 * hang->disk, high = low;
    while (neck_over_disk(hang, high) < 0 && high < 100 * hang->disk)
        high *= 1.05;
    if (high == low)
        return dew_fail(DEW_BAD_INPUT, "a disk of radius %g m is too wide for a drop with a neck",
                        hang->disk);
    return dew_root_find(neck_over_disk, hang, high / 1.05, high, 0, b);
}

dew_Status dew_pendant_largest(double k_1_m2, double disk_radius_m, dew_PendantDrop *out)
{
    Hang hang = {k_1_m2, disk_radius_m};
    double high, low;
    if (!(k_1_m2 > 0 && disk_radius_m > 0 && k_1_m2 * disk_radius_m * disk_radius_m < 1))
        return dew_fail(DEW_BAD_INPUT, "no largest hanging drop with a neck at a radius of %g m",
                        disk_radius_m);
    DEW_TRY(find_neck_at_rim(&hang, &high));
    low = 0.8 * high;
    // Golden section: along this branch the volume rises from the neck's drop, then falls.
    const double golden = 0.5 * (sqrt(5) - 1);
    dew_PendantDrop left, right;
    while (high - low > 1e-10 * high) {
        DEW_TRY(hang_from_rim(&hang, high - golden * (high - low), &left));
        DEW_TRY(hang_from_rim(&hang, low + golden * (high - low), &right));
        if (left.volume_m3 > right.volume_m3)
            high = right.apex_radius_m;
        else
            low = left.apex_radius_m;
        *out = left.volume_m3 > right.volume_m3 ? left : right;
    }
    return dew_ok();
}
