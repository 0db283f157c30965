// A free drop of water: it rings at Rayleigh's frequency, decays about as Lamb says, and falls with
// g.
//
// The drop starts as an ellipsoid of revolution, 2 % longer in y: nearly all of that is the mode n
// = 2. What is followed is its second moment along y less that across, measured on the surface
// forty times per period. The frequency comes from the first and the last passage through zero, the
// decay from a line through the logarithms of the amplitudes, each of them the mean of an extreme
// and its two neighbours: the moment of a long drop is larger than that of a flat one, by the
// square of the amplitude. Amplitude shifts the frequency by the order of its square, 0.04 %.
// Allowed: 3 % of the frequency, a factor of 1.5 of Lamb's decay; the exact viscous mode is
// reported beside them. Falling: 0.1 % of the way in 0.15 s.
#include "validate/cases.h"
#include "validate/drop_modes.h"
#include "validate/ringing.h"
#include "validate/stage.h"

#include <math.h>

#define ELONGATION 0.02

static const double rho = 998.2, mu = 1.002e-3, sigma = 72.8e-3, g = 9.81, radius_m = 1e-3;

// ---- ringing -----------------------------------------------------------------------------------

static dew_Status compare_ringing(dew_CaseRun *c)
{
    dew_DropMode weak = dew_drop_mode_weakly_viscous(2, radius_m, rho, mu, sigma), exact;
    DEW_TRY(dew_drop_mode_viscous(2, radius_m, rho, mu, sigma, &exact));
    dew_Stage stage;
    double thin_m = radius_m / sqrt(1 + ELONGATION);
    dew_SceneDef def = dew_build_weightless("surface", 3, 5e-3, 0.1 * radius_m);
    def.liquid = dew_build_liquid(rho, mu, sigma);
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_ELLIPSOID);
    drop.radii_m = dew_v3(thin_m, radius_m * (1 + ELONGATION), thin_m);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_drop(&b, &drop);
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Ringing signal = {0};
    dew_Status status =
        dew_ringing_follow(&signal, &stage, 2 * DEW_PI / weak.omega_rad_s, c->is_quick ? 4 : 10);
    dew_stage_close(&stage);
    DEW_TRY(status);
    double omega = dew_ringing_omega(&signal);
    double decay = dew_ringing_decay(&signal), hertz = 1 / (2 * DEW_PI);
    dew_case_near(c, "n = 2 frequency (Hz), Rayleigh's", hertz * omega, hertz * weak.omega_rad_s,
                  0.03);
    dew_case_note(c, "the same, exact viscous mode", hertz * omega, hertz * exact.omega_rad_s);
    dew_case_within(c, "log of decay over Lamb's", log(decay / weak.decay_1_s), 0, log(1.5));
    dew_case_note(c, "decay (1/s), exact viscous mode", decay, exact.decay_1_s);
    return dew_ok();
}

// ---- falling -----------------------------------------------------------------------------------

static dew_Status compare_fall(dew_CaseRun *c)
{
    dew_Stage stage;
    dew_SceneDef def = dew_build_def("surface", 3, dew_v3(-5e-3, -0.2, -5e-3),
                                     dew_v3(5e-3, 5e-3, 5e-3), 0.1 * radius_m);
    def.liquid = dew_build_liquid(rho, mu, sigma);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_ball(&b, dew_v3(0, 0, 0), radius_m);
    DEW_TRY(dew_stage_open(&stage, &b));
    const double time_s = 0.15;
    dew_View before, after = {0};
    dew_Status status = dew_stage_look(&stage, &before);
    for (int i = 1; i <= 15 && status.code == DEW_OK; i++)
        status = dew_world_step_to(stage.world, i * time_s / 15);
    if (status.code == DEW_OK)
        status = dew_stage_look(&stage, &after);
    dew_stage_close(&stage);
    DEW_TRY(status);
    dew_case_near(c, "way fallen in 0.15 s (m)", before.center_m.y - after.center_m.y,
                  0.5 * g * time_s * time_s, 1e-3);
    dew_case_near(c, "speed then (m/s)", -after.stats.velocity_m_s.y, g * time_s, 1e-3);
    dew_case_within(c, "volume error", after.stats.volume_error, 0, 1e-6);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    DEW_TRY(compare_ringing(c));
    return compare_fall(c);
}

const dew_Case dew_case_free_drop = {
    "free_drop", "surface: a free drop rings and falls, against Rayleigh, Lamb and Galileo", true,
    run};
