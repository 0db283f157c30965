// A drop fed slowly through a nozzle of radius 1 mm, whose rim holds it: it lets go at the largest
// volume that Young and Laplace allow to hang there, 35.5 mm^3 for water.
//
// The first 30 mm^3 come fast, the rest at 5 mm^3/s: a drop that has lost its hold parts within
// some 30 ms, in which 0.4 % more flows in. The volume of all liquid at the instant of parting is
// compared; allowed 3 %. The liquid is water of five times the viscosity, so that the fast part
// leaves little ringing; the volume does not hang on it.
#include "validate/cases.h"
#include "validate/stage.h"
#include "validate/young_laplace.h"

#include <math.h>

static const double rho = 998.2, sigma = 72.8e-3, g = 9.81, nozzle_m = 1e-3;
static const double fast_mm3_s = 60, fast_s = 0.5, slow_mm3_s = 5;

typedef struct Parting {
    double volume_m3;  // of all liquid when it parted; NaN: it never did
    double volume_error;
} Parting;

static dew_Status feed(dew_Stage *stage, double begin_s, double end_s, Parting *out)
{
    *out = (Parting){.volume_m3 = (double)NAN};
    DEW_TRY(dew_world_step_to(stage->world, begin_s));
    for (double t = begin_s; t < end_s; t += 0.005) {
        dew_View view;
        DEW_TRY(dew_world_step_to(stage->world, t + 0.005));
        DEW_TRY(dew_stage_look(stage, &view));
        out->volume_error = fmax(out->volume_error, fabs(view.stats.volume_error));
        if (view.pieces > 1) {
            out->volume_m3 = view.volume_m3;
            return dew_ok();
        }
    }
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    dew_PendantDrop want;
    DEW_TRY(dew_pendant_largest(dew_capillary_k_1_m2(rho, g, sigma), nozzle_m, &want));
    double area_mm2 = DEW_PI * nozzle_m * nozzle_m * 1e6;
    dew_Stage stage;
    DEW_TRY(dew_stage_open(
        &stage, "pendant_drop.yaml",
        "dew: 1\n"
        "solver: surface\n"
        "duration: 10 s\n"
        "domain: {min: [-6 mm, -30 mm, -6 mm], max: [6 mm, 2 mm, 6 mm], cell: %.9g}\n"
        "liquid: {density: %g, viscosity: 5 mPa s, surface_tension: %g}\n"
        "gravity: [0, %g, 0]\n"
        "sources:\n"
        "  - {shape: disk, center: [0, 0, 0], normal: [0, -1, 0], radius: %g,"
        " speed: %.12g mm/s, stop: %g s}\n"
        "  - {shape: disk, center: [0, 0, 0], normal: [0, -1, 0], radius: %g,"
        " speed: %.12g mm/s, start: %g s}\n",
        c->is_quick ? 0.3e-3 : 0.2e-3, rho, sigma, -g, nozzle_m, fast_mm3_s / area_mm2, fast_s,
        nozzle_m, slow_mm3_s / area_mm2, fast_s));
    Parting got;
    dew_Status status = feed(&stage, fast_s, fast_s + 8 / slow_mm3_s, &got);
    dew_stage_close(&stage);
    DEW_TRY(status);
    dew_case_near(c, "volume when it lets go (mm^3)", 1e9 * got.volume_m3, 1e9 * want.volume_m3,
                  0.03);
    dew_case_within(c, "volume error", got.volume_error, 0, 1e-6);
    return dew_ok();
}

const dew_Case dew_case_pendant_drop = {
    "pendant_drop", "surface: a drop fed from a nozzle lets go at the largest volume", true, run};
