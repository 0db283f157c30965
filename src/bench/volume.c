// Throughput of the solver `volume`: a sessile drop under gravity, by stage.
//
// Active cells are those of the bricks that there are: liquid, its band, and what fills up the bricks. Costs
// are CPU time of the process over cells and steps, so a busy machine does not count; the goal is of wall-clock
// time on two cores, so the CPU time of a step may be up to twice that.
#include "base/clock.h"
#include "base/status.h"
#include "bench/benches.h"
#include "solvers/volume/state.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WARM  3
#define STEPS 8

static const char *const stage_names[DEW_LIQUID_STAGE_COUNT] = {
    [DEW_LIQUID_FOLLOW] = "bricks and solids",        [DEW_LIQUID_TENSION] = "tension",
    [DEW_LIQUID_VISCOSITY] = "gravity and viscosity", [DEW_LIQUID_PRESSURE] = "pressure",
    [DEW_LIQUID_EXTEND] = "extension of velocity",    [DEW_LIQUID_ADVECT] = "advection of velocity",
    [DEW_LIQUID_MOVE] = "advection of phi",           [DEW_LIQUID_MARKERS] = "markers",
    [DEW_LIQUID_DISTANCE] = "redistancing",           [DEW_LIQUID_CONTACT] = "contact angles",
    [DEW_LIQUID_DROPS] = "drops and volumes",
};

static dew_Status open_scene(double cell_mm, dew_Scene **out)
{
    char text[1024];
    int length =
        snprintf(text, sizeof text,
                 "solver: volume\nduration: 10 s\n"
                 "domain: {min: [-6 mm, -0.5 mm, -6 mm], max: [6 mm, 5 mm, 6 mm], cell: %g mm}\n"
                 "materials: {glass: {angle: 70 deg}}\n"
                 "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: glass}]\n"
                 "drops: [{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 30 mm^3, "
                 "angle: 80 deg}]\n",
                 cell_mm);
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "bench.yaml";
    load.text = text;
    load.text_size = (size_t)length;
    return dew_scene_load_with(&load, out);
}

static dew_Status take_steps(dew_World *world, int count, double *cells)
{
    for (int k = 0; k < count; k++) {
        dew_Stats stats;
        DEW_TRY(dew_world_substep(world, 1));
        dew_world_stats(world, &stats);
        *cells += (double)stats.elements;
    }
    return dew_ok();
}

static dew_Status run_world(dew_BenchRun *b, dew_World *world)
{
    dew_LiquidClock clock = {0};
    double cells = 0, ignored = 0;
    DEW_TRY(take_steps(world, WARM, &ignored));
    world->state->liquid.tools->clock = &clock;
    double wall_s = dew_wall_s(), cpu_s = dew_cpu_s();
    dew_Status status = take_steps(world, STEPS, &cells);
    wall_s = dew_wall_s() - wall_s;
    cpu_s = dew_cpu_s() - cpu_s;
    world->state->liquid.tools->clock = NULL;
    DEW_TRY(status);
    double sum = 0;
    dew_bench_rate(b, "active cells", cells / STEPS, "", (double)NAN);
    for (int s = 0; s < DEW_LIQUID_STAGE_COUNT; s++) {
        sum += clock.seconds[s];
        if (clock.seconds[s] > 0)
            dew_bench_cost(b, stage_names[s], 1e6 * clock.seconds[s] / cells, "us CPU per cell",
                           (double)NAN);
    }
    dew_bench_cost(b, "copy, measure and checks", 1e6 * (cpu_s - sum) / cells, "us CPU per cell",
                   (double)NAN);
    dew_bench_cost(b, "step, CPU time", 1e6 * cpu_s / cells, "us CPU per cell", 2.0);
    dew_bench_cost(b, "step, wall clock", 1e6 * wall_s / cells, "us per cell", 1.0);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    dew_Scene *scene;
    dew_World *world = NULL;
    DEW_TRY(open_scene(0.125, &scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = dew_tasks_worker_count(b->tasks);
    dew_Status status = dew_world_create(scene, &def, &world);
    if (status.code == DEW_OK)
        status = run_world(b, world);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status;
}

const dew_Bench dew_bench_volume = {"volume", "solver volume: a drop on a plate, by stage", run};
