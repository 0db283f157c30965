// Throughput of the solver `surface`: many drops awake, most of them asleep, one large drop, and how the cost
// grows.
//
// Drops lie on a pane in a fixed lattice, and the pane is rocked: gravity turns a little in each step, so
// that nothing comes to rest and every step has to be solved. Steps are those of real time, 1/30 s
// without resolving oscillations. Time is CPU time of the process, so that a busy machine does not count;
// steps per second are of the wall clock.
#include "base/clock.h"
#include "base/status.h"
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "solvers/surface/state.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FRAME_S   (1.0 / 30)
#define TILT      0.15  // rad: amplitude of the rocking
#define ROCK_STEP 0.7   // rad of phase per step
#define WARM      4     // steps before the clock is read
#define SPREAD    3.0   // distance between drops, in radii

/// A lattice of equal drops.
typedef struct Pane {
    int rows;         // squared: drops
    double radius_m;  // of the wetted circle
    double edge_m;
    bool may_sleep;
} Pane;

static dew_Status add_text(dew_Array *text, const char *words)
{
    return dew_array_append(text, words, (int64_t)strlen(words));
}

static dew_Status write_scene(const Pane *pane, dew_Array *text)
{
    char line[512];
    double half = 0.5 * (pane->rows + 1) * SPREAD * pane->radius_m;
    snprintf(line, sizeof line,
             "solver: surface\nduration: 100 s\nframe_rate: 30 Hz\n"
             "domain: {min: [%g, %g, %g], max: [%g, %g, %g], cell: %g, walls: {others: open}}\n"
             "materials: {glass: {advancing: 100 deg, receding: 50 deg}}\n"
             "solids: [{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: glass}]\n"
             "surface: {steps_per_period: 0, sleep: %s}\ndrops:\n",
             -half, -half, -half, half, half, half, pane->edge_m,
             pane->may_sleep ? "true" : "false");
    DEW_TRY(add_text(text, line));
    // Volume of a cap at 80 degrees on a circle of the wanted radius.
    double a = DEW_PI * 80 / 180, r = pane->radius_m / sin(a);
    double volume = DEW_PI / 3 * r * r * r * (2 + cos(a)) * pow(1 - cos(a), 2);
    for (int i = 0; i < pane->rows * pane->rows; i++) {
        double x = SPREAD * pane->radius_m * (i % pane->rows - 0.5 * (pane->rows - 1));
        int64_t column = i / pane->rows;
        double z = SPREAD * pane->radius_m * ((double)column - 0.5 * (pane->rows - 1));
        double size = 0.8 + 0.4 * fmod(0.618034 * i, 1);
        snprintf(line, sizeof line,
                 "  - {shape: cap, point: [%.9g, 0, %.9g], normal: [0, 1, 0], volume: %.9g, "
                 "angle: 80 deg}\n",
                 x, z, pane->rows == 1 ? volume : size * volume);
        DEW_TRY(add_text(text, line));
    }
    return dew_array_append(text, "", 1);  // its end
}

typedef struct Run {
    dew_BenchWorld stage;
    dew_Array text;
    int step;
    double wall_s, cpu_s;  // per step: the least, the mean
    double iterations;     // per drop and step
    int64_t triangles;
    dew_StageClock clocks[DEW_DROP_GROUPS + 1];
} Run;

static dew_Status begin(Run *run, const Pane *pane, int workers)
{
    *run = (Run){0};
    dew_array_init(&run->text, NULL, 1);
    DEW_TRY(write_scene(pane, &run->text));
    return dew_bench_world_open(&run->stage, run->text.data, workers);
}

static void end(Run *run)
{
    dew_bench_world_close(&run->stage);
    dew_array_deinit(&run->text);
}

static dew_Status rock(Run *run)
{
    double angle = TILT * sin(ROCK_STEP * run->step++);
    run->stage.world->clock.gravity_m_s2 = dew_vec(9.81 * sin(angle), -9.81 * cos(angle), 0);
    return dew_world_step(run->stage.world, FRAME_S);
}

/// Feeds one drop in twenty: it has to be stepped, the others sleep on.
static dew_Status feed_some(Run *run)
{
    dew_DropStore *drops = &run->stage.world->state->drops;
    dew_DropValues *values = DEW_ITEMS(&drops->values, dew_DropValues);
    for (int64_t d = run->step++ % 2; d < dew_drop_count(drops); d += 20)
        values[d].feed_m3 = 1e-3 * values[d].volume_m3;
    return dew_world_step(run->stage.world, FRAME_S);
}

static dew_Status take_steps(Run *run, dew_Status (*step)(Run *), int count)
{
    for (int k = 0; k < WARM; k++)
        DEW_TRY(step(run));
    run->wall_s = HUGE_VAL;
    run->triangles = 0;
    run->iterations = 0;
    double begin_s = dew_cpu_s();
    for (int k = 0; k < count; k++) {
        double wall_s = dew_wall_s();
        DEW_TRY(step(run));
        run->wall_s = fmin(run->wall_s, dew_wall_s() - wall_s);
        dew_Stats stats;
        dew_world_stats(run->stage.world, &stats);
        run->triangles += stats.elements;
        run->iterations += (double)stats.iterations / (double)stats.drops;
    }
    run->cpu_s = (dew_cpu_s() - begin_s) / count;
    run->triangles /= count;
    run->iterations /= count;
    return dew_ok();
}

// ---- by stage ----------------------------------------------------------------------------------

static const char *const stage_names[DEW_STAGE_COUNT] = {
    [DEW_STAGE_COPY] = "copying drops", [DEW_STAGE_CONNECT] = "connectivity",
    [DEW_STAGE_GEOMETRY] = "geometry",  [DEW_STAGE_FORCES] = "forces",
    [DEW_STAGE_ASSEMBLY] = "assembly",  [DEW_STAGE_SOLVE] = "solve",
    [DEW_STAGE_CONTACT] = "contact",    [DEW_STAGE_VOLUME] = "motion and volume",
    [DEW_STAGE_REMESH] = "remeshing",   [DEW_STAGE_MERGE] = "merge check",
};

static void rate_stage(dew_BenchRun *b, const char *case_name, const char *stage, double triangles,
                       double seconds)
{
    char name[64];
    snprintf(name, sizeof name, "%s: %s", case_name, stage);
    if (seconds > 0)
        dew_bench_rate(b, name, 1e-6 * triangles / seconds, "M triangles/CPU s", (double)NAN);
}

/// What World does around the solver's step.
static dew_Status rate_world(dew_BenchRun *b, const char *case_name, Run *run)
{
    dew_World *world = run->stage.world;
    dew_Moment moment = dew_world_moment(world);
    double triangles = (double)run->triangles, begin_s = dew_cpu_s();
    dew_world_measure(world, &moment);
    rate_stage(b, case_name, "measure", triangles, dew_cpu_s() - begin_s);
    begin_s = dew_cpu_s();
    DEW_TRY(dew_snapshot_take(&world->snapshot, &world->fields, world->tasks));
    DEW_TRY(dew_fields_check_finite(&world->fields, world->tasks));
    rate_stage(b, case_name, "snapshot and checks", triangles, dew_cpu_s() - begin_s);
    return dew_ok();
}

static dew_Status rate_stages(dew_BenchRun *b, const char *case_name, Run *run,
                              dew_Status (*step)(Run *), int count)
{
    dew_SolverState *state = run->stage.world->state;
    memset(run->clocks, 0, sizeof run->clocks);
    for (int g = 0; g < DEW_DROP_GROUPS; g++)
        state->spaces[g].work.clock = &run->clocks[g];
    state->clock = &run->clocks[DEW_DROP_GROUPS];
    DEW_TRY(take_steps(run, step, count));
    for (int s = 0; s < DEW_STAGE_COUNT; s++) {
        double seconds = 0;
        for (int g = 0; g <= DEW_DROP_GROUPS; g++)
            seconds += run->clocks[g].seconds[s];
        rate_stage(b, case_name, stage_names[s], (double)(run->triangles * (count + WARM)),
                   seconds);
    }
    for (int g = 0; g < DEW_DROP_GROUPS; g++)
        state->spaces[g].work.clock = NULL;
    state->clock = NULL;
    return rate_world(b, case_name, run);
}

static void tell(dew_BenchRun *b, const char *case_name, const Run *run, double goal_steps_per_s,
                 double goal_cpu_s)
{
    char name[64];
    snprintf(name, sizeof name, "%s: triangles", case_name);
    dew_bench_rate(b, name, (double)run->triangles, "", (double)NAN);
    snprintf(name, sizeof name, "%s: iterations per drop", case_name);
    dew_bench_rate(b, name, run->iterations, "", (double)NAN);
    snprintf(name, sizeof name, "%s: CPU time of a step", case_name);
    dew_bench_time(b, name, run->cpu_s, goal_cpu_s);
    snprintf(name, sizeof name, "%s: steps per wall-clock second", case_name);
    dew_bench_rate(b, name, 1 / run->wall_s, "1/s", goal_steps_per_s);
    rate_stage(b, case_name, "all", (double)run->triangles, run->cpu_s);
}

// ---- cases -------------------------------------------------------------------------------------

static dew_Status awake(dew_BenchRun *b, Run *run)
{
    const Pane pane = {.rows = 22, .radius_m = 1e-3, .edge_m = 0.42e-3};
    DEW_TRY(begin(run, &pane, dew_tasks_worker_count(b->tasks)));
    DEW_TRY(take_steps(run, rock, 30));
    tell(b, "awake", run, 30, (double)NAN);
    return rate_stages(b, "awake", run, rock, 10);
}

static dew_Status asleep(dew_BenchRun *b, Run *run)
{
    const Pane pane = {.rows = 100, .radius_m = 1e-3, .edge_m = 0.5e-3, .may_sleep = true};
    DEW_TRY(begin(run, &pane, dew_tasks_worker_count(b->tasks)));
    for (int k = 0; k < 60; k++)
        DEW_TRY(dew_world_step(run->stage.world, FRAME_S));
    DEW_TRY(take_steps(run, feed_some, 30));
    int64_t sleepers = 0;
    const dew_DropStore *drops = &run->stage.world->state->drops;
    for (int64_t d = 0; d < dew_drop_count(drops); d++)
        sleepers += DEW_ITEMS(&drops->counts, dew_DropCounts)[d].is_asleep;
    tell(b, "10,000 drops", run, 30, (double)NAN);
    dew_bench_rate(b, "10,000 drops: asleep", (double)sleepers, "", (double)NAN);
    return rate_stages(b, "10,000 drops", run, feed_some, 10);
}

static dew_Status one_drop(dew_BenchRun *b, Run *run)
{
    const Pane pane = {.rows = 1, .radius_m = 2e-3, .edge_m = 2e-3 / 39};
    DEW_TRY(begin(run, &pane, 1));
    DEW_TRY(take_steps(run, rock, 10));
    tell(b, "one drop", run, (double)NAN, 33e-3);
    return rate_stages(b, "one drop", run, rock, 5);
}

static dew_Status (*const cases[])(dew_BenchRun *, Run *) = {awake, asleep, one_drop};

/// CPU time against triangles, from 5,000 to 500,000: the exponent between the ends.
static dew_Status growth(dew_BenchRun *b)
{
    double triangles[3], seconds[3];
    const int rows[3] = {7, 22, 70};
    for (int k = 0; k < 3; k++) {
        const Pane pane = {.rows = rows[k], .radius_m = 1e-3, .edge_m = 0.42e-3};
        Run run;
        dew_Status status = begin(&run, &pane, dew_tasks_worker_count(b->tasks));
        if (status.code == DEW_OK)
            status = take_steps(&run, rock, 10);
        triangles[k] = (double)run.triangles;
        seconds[k] = run.cpu_s;
        end(&run);
        DEW_TRY(status);
        char name[64];
        snprintf(name, sizeof name, "%.0f triangles: CPU time of a step", triangles[k]);
        dew_bench_time(b, name, seconds[k], (double)NAN);
    }
    dew_bench_rate(b, "growth of cost with triangles, exponent",
                   log(seconds[2] / seconds[0]) / log(triangles[2] / triangles[0]), "",
                   (double)NAN);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Run one = {0};
        dew_Status status = cases[k](b, &one);
        end(&one);
        DEW_TRY(status);
    }
    return growth(b);
}

const dew_Bench dew_bench_surface = {"surface", "drops as triangle meshes, steps of 1/30 s", run};
