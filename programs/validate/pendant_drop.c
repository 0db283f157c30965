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
    dew_SceneDef def = dew_build_def("surface", 3, dew_v3(-6e-3, -30e-3, -6e-3),
                                     dew_v3(6e-3, 2e-3, 6e-3), c->is_quick ? 0.3e-3 : 0.2e-3);
    def.liquid = dew_build_liquid(rho, 5e-3, sigma);
    dew_SourceDef fast = dew_build_disk(dew_v3(0, 0, 0), nozzle_m, fast_mm3_s / area_mm2 / 1e3);
    dew_SourceDef slow = dew_build_disk(dew_v3(0, 0, 0), nozzle_m, slow_mm3_s / area_mm2 / 1e3);
    fast.stop_s = slow.start_s = fast_s;
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_source(&b, &fast);
    dew_build_source(&b, &slow);
    DEW_TRY(dew_stage_open(&stage, &b));
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
