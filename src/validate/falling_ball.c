// A ball dropped on a plate: it falls as Galileo says, rebounds to restitution^2 of the height it fell,
// and ends at rest with its lowest point on the plate.
//
// Between impacts the motion is a parabola, which the solver's step integrates exactly; so the
// allowances are those of rounding and of the impact's time within one step.
#include "dew/dew.h"
#include "validate/cases.h"

#include <math.h>
#include <string.h>

static const char scene_text[] =
    "dew: 1\n"
    "solver: rigid\n"
    "duration: 5 s\n"
    "domain: {min: [-0.1, -0.1, -0.1], max: [0.1, 0.3, 0.1], cell: 1 mm}\n"
    "gravity: [0, -9.81, 0]\n"
    "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0]}]\n"
    "drops: [{shape: sphere, center: [0, 105 mm, 0], radius: 5 mm}]\n"
    "rigid: {restitution: 0.7}\n";

static const double g = 9.81, fall_m = 0.1, radius_m = 5e-3, restitution = 0.7;

static double height(const dew_World *world)
{
    dew_Stats stats;
    dew_world_stats(world, &stats);
    return stats.center_m.y;
}

static dew_Status follow(dew_CaseRun *c, dew_World *world)
{
    double impact_s = sqrt(2 * fall_m / g);
    DEW_TRY(dew_world_step(world, 0.9 * impact_s));
    double t = 0.9 * impact_s;
    dew_case_near(c, "fall before the impact (m)", radius_m + fall_m - height(world), g * t * t / 2,
                  1e-9);
    double top_m = 0;
    DEW_TRY(dew_world_step(world, 0.1 * impact_s));
    for (int i = 0; i < 200; i++) {
        DEW_TRY(dew_world_step(world, 2 * restitution * impact_s / 200));
        top_m = fmax(top_m, height(world) - radius_m);
    }
    dew_case_near(c, "first rebound (m)", top_m, restitution * restitution * fall_m, 2e-3);
    DEW_TRY(dew_world_step(world, 4));
    dew_Stats stats;
    dew_world_stats(world, &stats);
    dew_case_near(c, "height at rest (m)", stats.center_m.y, radius_m, 1e-6);
    dew_case_within(c, "speed at rest (m/s)", stats.max_speed_m_s, 0, 0);
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
        status = follow(c, world);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status;
}

const dew_Case dew_case_falling_ball = {
    "falling_ball", "rigid: a ball falls, rebounds and comes to rest", true, run};
