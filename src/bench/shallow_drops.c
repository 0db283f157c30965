// Throughput of drops in the solver `shallow`: ten thousand on a pane of 1024 x 1024 columns, all awake and at rest.
//
// The drops lie in a lattice, six cells wide in the mean, with hysteresis. Awake: gravity turns a little before each step,
// so that every drop is solved in it. At rest: after they have come to it. Steps are of one millisecond, five to six
// capillary ones. Steps per second are of the wall clock, the best step; CPU time is that of the process, the mean.
#include "base/clock.h"
#include "base/status.h"
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS     100
#define SPACE_MM 2.56
#define STEP_S   1e-3
#define TILT     0.1  // rad
#define WARM     4
#define COUNT    8

static dew_Status add_text(dew_Array *text, const char *words)
{
    return dew_array_append(text, words, (int64_t)strlen(words));
}

static dew_Status write_scene(dew_Array *text)
{
    char line[256];
    DEW_TRY(add_text(text, "solver: shallow\ndimensions: 2\nduration: 100 s\nframe_rate: 30 Hz\n"
                           "domain: {min: [0, 0, 0], max: [256 mm, 4 mm, 256 mm], cell: 0.25 mm, "
                           "walls: {floor: glass, others: open}}\n"
                           "materials: {glass: {advancing: 65 deg, receding: 25 deg}}\n"
                           "drops:\n"));
    for (int i = 0; i < ROWS * ROWS; i++) {
        int row = i / ROWS;
        double size = 0.15 + 0.15 * fmod(0.618034 * i, 1);  // mm^3: radii of 0.6 to 0.8 mm
        snprintf(line, sizeof line,
                 "  - {shape: cap, point: [%.6g mm, 0, %.6g mm], normal: [0, 1, 0], volume: %.6g "
                 "mm^3, angle: 45 deg}\n",
                 SPACE_MM * (i % ROWS + 0.5), SPACE_MM * (row + 0.5), size);
        DEW_TRY(add_text(text, line));
    }
    return dew_array_append(text, "", 1);  // its end
}

static dew_Status take_steps(dew_BenchRun *b, dew_World *world, bool is_rocked, const char *what)
{
    double best_s = HUGE_VAL, cpu_s = 0;
    char name[64];
    for (int k = 0; k < WARM + COUNT; k++) {
        double angle = is_rocked ? TILT * sin(0.7 * k) : 0;
        if (is_rocked)
            world->clock.gravity_m_s2 = dew_vec(9.81 * sin(angle), -9.81 * cos(angle), 0);
        double wall_s = dew_wall_s(), begin_s = dew_cpu_s();
        DEW_TRY(dew_world_substep(world, STEP_S));
        if (k < WARM)
            continue;
        best_s = fmin(best_s, dew_wall_s() - wall_s);
        cpu_s += (dew_cpu_s() - begin_s) / COUNT;
    }
    snprintf(name, sizeof name, "10,000 drops %s: steps", what);
    dew_bench_rate(b, name, 1 / best_s, "steps/s", 5);
    snprintf(name, sizeof name, "10,000 drops %s: CPU time of a step", what);
    dew_bench_time(b, name, cpu_s, (double)NAN);
    return dew_ok();
}

static dew_Status run_drops(dew_BenchRun *b, const char *text)
{
    dew_BenchWorld pane;
    dew_Status status = dew_bench_world_open(&pane, text, dew_tasks_worker_count(b->tasks));
    if (status.code == DEW_OK)
        status = take_steps(b, pane.world, true, "awake");
    for (int k = 0; k < 60 && status.code == DEW_OK; k++)
        status = dew_world_substep(pane.world, STEP_S);
    if (status.code == DEW_OK)
        status = take_steps(b, pane.world, false, "coming to rest");
    dew_bench_world_close(&pane);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    dew_Array text;
    dew_array_init(&text, NULL, 1);
    dew_Status status = write_scene(&text);
    if (status.code == DEW_OK)
        status = run_drops(b, text.data);
    dew_array_deinit(&text);
    return status;
}

const dew_Bench dew_bench_shallow_drops = {"shallow_drops",
                                           "solver shallow: ten thousand drops on a pane", run};
