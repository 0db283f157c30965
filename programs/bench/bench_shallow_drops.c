// Throughput of drops in the solver `shallow`: ten thousand on a pane of 1024 x 1024 columns, all
// awake and at rest.
//
// The drops lie in a lattice, six cells wide in the mean, with hysteresis. Awake: gravity turns a
// little before each step, so that every drop is solved in it. At rest: after they have come to it.
// Steps are of one millisecond, five to six capillary ones. Steps per second are of the wall clock,
// the best step; CPU time is that of the process, the mean.
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>

#define SPACE_M 2.56e-3
#define STEP_S  1e-3
#define TILT    0.1  // rad
#define WARM    4
#define COUNT   8

static dew_Status take_steps(dew_BenchRun *b, dew_World *world, bool is_rocked, const char *what)
{
    double best_s = HUGE_VAL, cpu_s = 0;
    char name[64];
    for (int k = 0; k < WARM + COUNT; k++) {
        if (is_rocked)
            dew_bench_tilt(world, TILT * sin(0.7 * k));
        double wall_s = dew_app_wall_s(), begin_s = dew_app_cpu_s();
        DEW_TRY(dew_world_substep(world, STEP_S));
        if (k < WARM)
            continue;
        best_s = fmin(best_s, dew_app_wall_s() - wall_s);
        cpu_s += (dew_app_cpu_s() - begin_s) / COUNT;
    }
    snprintf(name, sizeof name, "10,000 drops %s: steps", what);
    dew_bench_rate(b, name, 1 / best_s, "steps/s", 5);
    snprintf(name, sizeof name, "10,000 drops %s: CPU time of a step", what);
    dew_bench_time(b, name, cpu_s, (double)NAN);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    dew_SceneDef def =
        dew_build_def("shallow", 2, dew_v3(0, 0, 0), dew_v3(256e-3, 4e-3, 256e-3), 0.25e-3);
    def.frame_rate_Hz = 30;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "glass";
    const dew_DropLattice drops = {.rows = 100,
                                   .spacing_m = SPACE_M,
                                   .first_m = {0.5 * SPACE_M, 0, 0.5 * SPACE_M},
                                   .min_m3 = 0.15e-9,  // radii of 0.6 to 0.8 mm
                                   .max_m3 = 0.3e-9,
                                   .angle_rad = DEW_DEG(45)};
    dew_SceneBuilder builder = dew_build_begin(&def);
    dew_build_material(&builder, "glass", dew_build_angles(DEW_DEG(25), DEW_DEG(65)));
    dew_bench_lattice(&builder, &drops);
    dew_BenchWorld pane;
    dew_Status status = dew_bench_world_open(&pane, &builder, dew_tasks_worker_count(b->tasks));
    if (status.code == DEW_OK)
        status = take_steps(b, pane.world, true, "awake");
    for (int k = 0; k < 60 && status.code == DEW_OK; k++)
        status = dew_world_substep(pane.world, STEP_S);
    if (status.code == DEW_OK)
        status = take_steps(b, pane.world, false, "coming to rest");
    dew_bench_world_close(&pane);
    return status;
}

const dew_Bench dew_bench_shallow_drops = {"shallow_drops",
                                           "solver shallow: ten thousand drops on a pane", run};
