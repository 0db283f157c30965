// The solver `volume` keeps the volume of each drop: 10,000 steps of a drop that rings in the air and of one on a tilted
// wall, both shaken, in two dimensions, R/h = 8. Allowed is the design's 0.1 %; --quick runs 300 steps.
#include "solvers/volume/state.h"
#include "validate/cases.h"
#include "validate/stage.h"
#include "world/world_state.h"

#include <math.h>

static dew_Status run(dew_CaseRun *c)
{
    dew_Stage stage;
    DEW_TRY(dew_stage_open(
        &stage, "volume_kept.yaml",
        "dew: 1\n"
        "solver: volume\n"
        "dimensions: 2\n"
        "duration: 100 s\n"
        "domain: {min: [-5 mm, -5 mm, -1 mm], max: [5 mm, 5 mm, 1 mm], cell: 0.125 mm}\n"
        "gravity: [0, 0, 0]\n"
        "liquid: {density: 998.2, viscosity: 1.002e-3, surface_tension: 72.8e-3}\n"
        "materials: {wall: {advancing: 90 deg, receding: 70 deg}}\n"
        "solids: [{shape: plane, point: [0, -2 mm, 0], normal: [0.2, 1, 0], material: wall}]\n"
        "drops: [{shape: ellipsoid, center: [0.01 mm, 2.5 mm, 0], radii: [1.1 mm, 0.91 mm, 1 "
        "mm]},\n"
        "        {shape: sphere, center: [0, -2 mm, 0], radius: 1.3 mm}]\n"));
    dew_Stats stats = {0};
    dew_Status status = dew_ok();
    double worst = 0;
    int64_t steps = c->is_quick ? 300 : 10000;
    for (int i = 0; stats.step < steps && status.code == DEW_OK; i++) {
        dew_world_set_gravity(stage.world, (dew_Vec3){(i + 20) / 40 % 2 ? -0.5 : 0.5, 0, 0});
        status = dew_world_step(stage.world, 1e-3);
        dew_world_stats(stage.world, &stats);
        worst = fmax(worst, dew_liquid_worst_error(&stage.world->state->liquid));
    }
    dew_stage_close(&stage);
    DEW_TRY(status);
    dew_case_within(c, "volume error of a drop, worst of all times", worst, 0, 1e-3);
    dew_case_within(c, "drops", (double)stats.drops, 2, 0);
    return dew_ok();
}

const dew_Case dew_case_volume_kept = {
    "volume_kept", "volume: each drop keeps its volume over 10,000 steps", true, run};
