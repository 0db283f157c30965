// A drop that is fed and then drained through a needle, slowly: pinned at constant radius while its
// angle lies between the receding and the advancing one, then moving at exactly that angle. The
// loop of contact radius against volume is the fingerprint of hysteresis.
//
// The drop is a spherical cap (slow, no gravity); its state is the contact radius; the wetting
// model is asked for every volume. Known: at the advancing angle the radius follows from the cap of
// that angle.
#include "dew/wetting.h"
#include "validate/cases.h"

#include <math.h>

typedef struct Loop {
    double radius_m, angle_rad;
    double smallest_rad, largest_rad;
} Loop;

/// One volume: the trial angle at the old radius, returned into the interval; where it was outside,
/// the line moves to the radius that has the returned angle.
static void set_volume(Loop *loop, dew_AngleInterval interval, double volume_m3)
{
    double trial = dew_drop_cap_from_volume_base(volume_m3, loop->radius_m).angle_rad;
    dew_ContactReturn back = dew_contact_return(interval, 0.073, (double)INFINITY, trial);
    if (back.state != DEW_LINE_PINNED)
        loop->radius_m = dew_drop_cap_from_volume_angle(volume_m3, back.angle_rad).base_radius_m;
    loop->angle_rad = back.angle_rad;
    loop->smallest_rad = fmin(loop->smallest_rad, back.angle_rad);
    loop->largest_rad = fmax(loop->largest_rad, back.angle_rad);
}

static void sweep(Loop *loop, dew_AngleInterval interval, double from_m3, double to_m3, int steps)
{
    for (int i = 0; i <= steps; i++)
        set_volume(loop, interval, from_m3 + (to_m3 - from_m3) * i / steps);
}

static dew_Status run(dew_CaseRun *c)
{
    dew_MaterialDef glass = dew_default_material_def();
    glass.advancing_rad = DEW_DEG(100);
    glass.receding_rad = DEW_DEG(50);
    glass.wet_advancing_rad = DEW_DEG(70);
    dew_AngleInterval dry = dew_contact_interval(&glass, 0);
    const double small_m3 = 2e-9, large_m3 = 2e-8;
    Loop loop = {.radius_m = dew_drop_cap_from_volume_angle(small_m3, DEW_DEG(75)).base_radius_m,
                 .smallest_rad = (double)INFINITY,
                 .largest_rad = -(double)INFINITY};
    sweep(&loop, dry, small_m3, large_m3, 1000);
    double grown_m = dew_drop_cap_from_volume_angle(large_m3, DEW_DEG(100)).base_radius_m;
    dew_case_near(c, "radius fed, at advancing angle", loop.radius_m, grown_m, 1e-12);
    // Drained to the volume at which the pinned drop reaches the receding angle: still at that
    // radius.
    double edge_m3 = dew_drop_cap_from_base_angle(grown_m, DEW_DEG(50)).volume_m3;
    sweep(&loop, dry, large_m3, edge_m3 * 1.000001, 1000);
    dew_case_near(c, "radius while pinned", loop.radius_m, grown_m, 1e-12);
    dew_case_within(c, "angle at the end of pinning (deg)", loop.angle_rad / DEW_DEG(1), 50, 1e-4);
    sweep(&loop, dry, edge_m3, small_m3, 1000);
    double shrunk_m = dew_drop_cap_from_volume_angle(small_m3, DEW_DEG(50)).base_radius_m;
    dew_case_near(c, "radius drained, at receding angle", loop.radius_m, shrunk_m, 1e-12);
    // Fed again over solid that is wet now: it advances at the wet angle.
    dew_AngleInterval wet = dew_contact_interval(&glass, 1);
    sweep(&loop, wet, small_m3, large_m3, 1000);
    double again_m = dew_drop_cap_from_volume_angle(large_m3, DEW_DEG(70)).base_radius_m;
    dew_case_near(c, "radius fed again, on wet solid", loop.radius_m, again_m, 1e-12);
    dew_case_within(c, "smallest angle of the cycle (deg)", loop.smallest_rad / DEW_DEG(1), 50,
                    1e-9);
    dew_case_within(c, "largest angle of the cycle (deg)", loop.largest_rad / DEW_DEG(1), 100,
                    1e-9);
    return dew_ok();
}

const dew_Case dew_case_hysteresis_loop = {
    "hysteresis_loop", "a drop fed and drained slowly: pinned, advancing, receding, on wet solid",
    true, run};
