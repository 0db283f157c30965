// Throughput of the solver `apic`: a dam of half a million particles on 64^3 cells breaks, by stage.
//
// Costs are CPU time of the process over particles and steps, so a busy machine does not count. The goal is that of the
// whole step, the distance field included: 2 million particles per CPU second.
#include "base/clock.h"
#include "base/status.h"
#include "bench/benches.h"
#include "solvers/apic/state.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WARM  10
#define STEPS 8

static const char *const stage_names[DEW_LIQUID_STAGE_COUNT] = {
    [DEW_LIQUID_FOLLOW] = "bricks and solids",
    [DEW_LIQUID_TENSION] = "tension",
    [DEW_LIQUID_VISCOSITY] = "gravity and viscosity",
    [DEW_LIQUID_PRESSURE] = "pressure",
    [DEW_LIQUID_EXTEND] = "extension of velocity",
    [DEW_LIQUID_ADVECT] = "transfers and moving",
    [DEW_LIQUID_MOVE] = "advection of phi",
    [DEW_LIQUID_MARKERS] = "phi from particles, spreading",
    [DEW_LIQUID_DISTANCE] = "redistancing",
    [DEW_LIQUID_CONTACT] = "contact angles",
    [DEW_LIQUID_DROPS] = "drops and volumes",
};

static dew_Status open_scene(dew_Scene **out)
{
    static const char text[] =
        "solver: apic\nduration: 10 s\n"
        "domain: {min: [0, 0, 0], max: [64 cm, 64 cm, 64 cm], cell: 1 cm, walls: {others: glass}}\n"
        "materials: {glass: {angle: 70 deg}}\n"
        "drops: [{shape: box, min: [0, 0, 0], max: [25.6 cm, 38.2 cm, 64 cm]}]\n";
    dew_SceneLoadDef load = dew_default_scene_load_def();
    load.path = "bench.yaml";
    load.text = text;
    load.text_size = sizeof text - 1;
    return dew_scene_load_with(&load, out);
}

static dew_Status take_steps(dew_World *world, int count, double *particles)
{
    for (int k = 0; k < count; k++) {
        dew_Stats stats;
        DEW_TRY(dew_world_substep(world, 1));
        dew_world_stats(world, &stats);
        *particles += (double)stats.particles;
    }
    return dew_ok();
}

static dew_Status run_world(dew_BenchRun *b, dew_World *world)
{
    dew_LiquidClock clock = {0};
    double particles = 0, ignored = 0;
    DEW_TRY(take_steps(world, WARM, &ignored));
    world->state->liquid.tools->clock = &clock;
    double cpu_s = dew_cpu_s();
    dew_Status status = take_steps(world, STEPS, &particles);
    cpu_s = dew_cpu_s() - cpu_s;
    world->state->liquid.tools->clock = NULL;
    DEW_TRY(status);
    double sum = 0;
    dew_bench_rate(b, "particles", particles / STEPS, "", (double)NAN);
    for (int s = 0; s < DEW_LIQUID_STAGE_COUNT; s++) {
        sum += clock.seconds[s];
        if (clock.seconds[s] > 0)
            dew_bench_cost(b, stage_names[s], 1e6 * clock.seconds[s] / particles,
                           "us CPU per particle", (double)NAN);
    }
    dew_bench_cost(b, "copy, measure and checks", 1e6 * (cpu_s - sum) / particles,
                   "us CPU per particle", (double)NAN);
    dew_bench_rate(b, "step", particles / cpu_s, "particles per CPU s", 2e6);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    dew_Scene *scene;
    dew_World *world = NULL;
    DEW_TRY(open_scene(&scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = dew_tasks_worker_count(b->tasks);
    dew_Status status = dew_world_create(scene, &def, &world);
    if (status.code == DEW_OK)
        status = run_world(b, world);
    dew_world_destroy(world);
    dew_scene_destroy(scene);
    return status;
}

const dew_Bench dew_bench_apic = {"apic", "solver apic: a dam breaks, by stage", run};
