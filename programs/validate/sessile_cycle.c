// A drop fed and drained through a needle (advancing 100, receding 60 degrees): its base follows
// the loop of hysteresis. Pinned while the angle lies between the bounds, moving at a bound
// otherwise.
//
// From 5 to 20 mm^3 and back at 10 mm^3/s, with gravity. A contact line at rest at the start has 90
// degrees, so the loop has all four parts: pinned, advancing, pinned, receding. The exact loop goes
// through shapes of Young and Laplace; the radius of the base is compared at twelve volumes,
// allowed 1.5 %. Feeding at 10 mm^3/s moves the line at 0.6 mm/s, a capillary number of 4e-5 with
// the tenfold viscosity taken to damp the drop: slow enough to pass through equilibria.
#include "validate/cases.h"
#include "validate/stage.h"
#include "validate/young_laplace.h"

#include <math.h>
#include <stdio.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81;
static const double receding = DEW_DEG(60), advancing = DEW_DEG(100);
static const double small_m3 = 5e-9, large_m3 = 20e-9;

typedef struct Loop {
    dew_Stage stage;
    double rate_m3_s;
    double volume_m3, base_m;  // of the exact loop
    double k;
} Loop;

static dew_Status open_drop(dew_Stage *stage, double edge_m)
{
    dew_SceneDef def =
        dew_build_def("surface", 3, dew_v3(-8e-3, -1e-3, -8e-3), dew_v3(8e-3, 6e-3, 8e-3), edge_m);
    def.liquid = dew_build_liquid(rho, 10e-3, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angles(receding, advancing));
    dew_build_cap(&b, dew_v3(0, 0, 0), small_m3, DEW_DEG(90));
    return dew_stage_open(stage, &b);
}

// Feeds or drains to a volume, a little before each step; the exact loop goes along in smaller
// ones.
static dew_Status go_to(Loop *loop, double volume_m3)
{
    const double interval_s = 2.5e-3;
    double missing = volume_m3 - loop->volume_m3;
    int steps = (int)ceil(fabs(missing) / (loop->rate_m3_s * interval_s));
    for (int i = 0; i < steps; i++) {
        dew_View view;
        DEW_TRY(dew_stage_look(&loop->stage, &view));
        DEW_TRY(dew_world_feed(loop->stage.world, view.base_center_m, missing / steps));
        DEW_TRY(dew_world_step(loop->stage.world, interval_s));
        loop->volume_m3 += missing / steps;
        DEW_TRY(dew_sessile_follow(loop->k, receding, advancing, loop->volume_m3, &loop->base_m));
    }
    return dew_ok();
}

static dew_Status compare(dew_CaseRun *c, Loop *loop, const char *way, double *volume_error)
{
    dew_View view;
    DEW_TRY(dew_stage_look(&loop->stage, &view));
    char name[64];
    snprintf(name, sizeof name, "%s, %.3g mm^3: base (mm)", way, 1e9 * loop->volume_m3);
    dew_case_near(c, name, 1e3 * view.base_radius_m, 1e3 * loop->base_m, 0.015);
    *volume_error = fmax(*volume_error, fabs(view.stats.volume_error));
    return dew_ok();
}

static dew_Status go_round(dew_CaseRun *c, Loop *loop)
{
    double volume_error = 0;
    DEW_TRY(dew_world_step(loop->stage.world, 0.2));
    for (int i = 1; i <= 6; i++) {
        DEW_TRY(go_to(loop, small_m3 + (large_m3 - small_m3) * i / 6));
        DEW_TRY(compare(c, loop, "fed", &volume_error));
    }
    for (int i = 1; i <= 6; i++) {
        DEW_TRY(go_to(loop, large_m3 + (small_m3 - large_m3) * i / 6));
        DEW_TRY(compare(c, loop, "drained", &volume_error));
    }
    dew_case_within(c, "volume error", volume_error, 0, 1e-6);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    Loop loop = {.rate_m3_s = c->is_quick ? 30e-9 : 10e-9,
                 .volume_m3 = small_m3,
                 .k = dew_capillary_k_1_m2(rho, g, sigma)};
    dew_SessileDrop wide, narrow, start;
    // The cap of 90 degrees sags at once; its line moves only if that takes the angle out of
    // bounds.
    DEW_TRY(dew_sessile_from_volume_angle(0, small_m3, DEW_DEG(90), &start));
    DEW_TRY(dew_sessile_from_volume_angle(loop.k, small_m3, receding, &wide));
    DEW_TRY(dew_sessile_from_volume_angle(loop.k, small_m3, advancing, &narrow));
    loop.base_m = fmin(fmax(start.base_radius_m, narrow.base_radius_m), wide.base_radius_m);
    double edge_m = cbrt(small_m3 * 3 / (4 * DEW_PI)) / (c->is_quick ? 6 : 10);
    DEW_TRY(open_drop(&loop.stage, edge_m));
    dew_Status status = go_round(c, &loop);
    dew_stage_close(&loop.stage);
    return status;
}

const dew_Case dew_case_sessile_cycle = {
    "sessile_cycle", "surface: a drop fed and drained follows the loop of hysteresis", true, run};
