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
#include "dew/dew.h"
#include "validate/cases.h"
#include "validate/young_laplace.h"

#include <math.h>
#include <string.h>

static const char scene_text[] =
    "dew: 1\n"
    "solver: surface\n"
    "duration: 1 s\n"
    "domain: {min: [-10 mm, -1 mm, -10 mm], max: [10 mm, 30 mm, 10 mm], cell: 0.25 mm}\n"
    "gravity: [0, -9.81, 0]\n"
    "materials: {coated: {angle: 170 deg}}\n"
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: coated}]\n"
    "drops: [{shape: sphere, center: [0, 11 mm, 0], radius: 1 mm}]\n";

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
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "falling_ball.yaml";
    load.text = scene_text;
    load.text_size = strlen(scene_text);
    dew_Scene *scene = NULL;
    dew_World *world = NULL;
    DEW_TRY(dew_scene_load_with(&load, &scene));
    dew_WorldDef def = dew_default_world_def();
    dew_Status status = dew_world_create(scene, &def, &world);
    if (status.code == DEW_OK)
        status = follow(c, scene, world);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status;
}

const dew_Case dew_case_falling_ball = {
    "falling_ball", "surface: a drop falls, rebounds and comes to rest", true, run};
