// A drop that falls on a plate which it hardly wets (170 degrees): ballistic fall, rebound,
// equilibrium at rest.
//
// - Fall: its centre follows y0 - g t^2 / 2. The solver integrates a free drop's centre exactly:
//   rounding.
// - Rebound: the drop leaves the plate with less speed than it came with; the rest goes into
//   oscillations. [Richard2000] measured up to 0.9 of the speed for slow impacts; this one, at a
//   Weber number of rho U^2 R / sigma = 2.7, gives 0.47.
// - Rest: the height of its centre is that of the equation of Young and Laplace (young_laplace.h).
//   The allowance is the discretisation error of the contact line at this cell size, as in the case
//   sessile_gravity.
#include "validate/cases.h"
#include "validate/stage.h"
#include "validate/young_laplace.h"

#include <math.h>

static const double g = 9.81, fall_m = 10e-3, radius_m = 1e-3;

static double height(const dew_World *world)
{
    dew_Stats stats;
    dew_world_stats(world, &stats);
    return stats.center_m.y;
}

/// Height of the centre of the drop at rest.
static dew_Status rest_height(const dew_World *world, const dew_Scene *scene, double *out)
{
    const dew_LiquidDef *liquid = &dew_scene_def(scene)->liquid;
    dew_Stats stats;
    dew_SessileDrop drop;
    dew_world_stats(world, &stats);
    double k = dew_capillary_k_1_m2(liquid->density_kg_m3, g, liquid->surface_tension_N_m);
    DEW_TRY(dew_sessile_from_volume_angle(k, stats.volume_m3, DEW_DEG(170), &drop));
    *out = drop.center_height_m;
    return dew_ok();
}

static dew_Status follow(dew_CaseRun *c, const dew_Scene *scene, dew_World *world)
{
    double impact_s = sqrt(2 * fall_m / g), t = 0.9 * impact_s, top_m = 0, rest_m = 0;
    DEW_TRY(dew_world_step(world, t));
    dew_case_near(c, "fall before the impact (m)", radius_m + fall_m - height(world), g * t * t / 2,
                  1e-9);
    DEW_TRY(dew_world_step(world, 0.1 * impact_s));
    for (int i = 0; i < 50; i++) {
        DEW_TRY(dew_world_step(world, 1e-3));
        top_m = fmax(top_m, height(world) - radius_m);
    }
    dew_case_at_least(c, "speed after the rebound over that before", sqrt(top_m / fall_m), 0.45);
    dew_case_at_least(c, "height lost in the rebound (m)", fall_m - top_m, 0);
    DEW_TRY(dew_world_step(world, 0.5));
    DEW_TRY(rest_height(world, scene, &rest_m));
    dew_Stats stats;
    dew_world_stats(world, &stats);
    dew_case_near(c, "height at rest (m)", stats.center_m.y, rest_m, 0.01);
    dew_case_within(c, "volume error", stats.volume_error, 0, 1e-12);
    return dew_ok();
}

static dew_Status run(dew_CaseRun *c)
{
    dew_SceneDef def = dew_build_def("surface", 3, dew_v3(-10e-3, -1e-3, -10e-3),
                                     dew_v3(10e-3, 30e-3, 10e-3), 0.25e-3);
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angle(DEW_DEG(170)));
    dew_build_ball(&b, dew_v3(0, radius_m + fall_m, 0), radius_m);
    dew_Stage stage;
    DEW_TRY(dew_stage_open(&stage, &b));
    dew_Status status = follow(c, stage.scene, stage.world);
    dew_stage_close(&stage);
    return status;
}

const dew_Case dew_case_falling_ball = {
    "falling_ball", "surface: a drop falls, rebounds and comes to rest", true, run};
