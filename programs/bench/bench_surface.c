// Throughput of the solver `surface`: many drops awake, most of them asleep, one large drop, and
// how the cost grows.
//
// Drops lie on a pane in a fixed lattice, and the pane is rocked: gravity turns a little in each
// step, so that nothing comes to rest and every step has to be solved. Steps are those of real
// time, 1/30 s without resolving oscillations. Time is CPU time of the process, so that a busy
// machine does not count; steps per second are of the wall clock.
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>

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

/// Volume of a cap at 80 degrees on a circle of the wanted radius.
static double cap_m3(double radius_m)
{
    double a = DEW_DEG(80), r = radius_m / sin(a);
    return DEW_PI / 3 * r * r * r * (2 + cos(a)) * pow(1 - cos(a), 2);
}

typedef struct Run {
    dew_BenchWorld stage;
    dew_DropLattice drops;
    dew_List feeds;  // dew_Feed, of a step
    int step;
    double wall_s, cpu_s;  // per step: the least, the mean
    double iterations;     // per drop and step
    int64_t triangles;
} Run;

static dew_Status begin(Run *run, const Pane *pane, int workers)
{
    double space = SPREAD * pane->radius_m, half = 0.5 * (pane->rows + 1) * space;
    double first = -0.5 * (pane->rows - 1) * space, volume = cap_m3(pane->radius_m);
    *run = (Run){.drops = {.rows = pane->rows,
                           .spacing_m = space,
                           .first_m = {first, 0, first},
                           .min_m3 = pane->rows == 1 ? volume : 0.8 * volume,
                           .max_m3 = pane->rows == 1 ? volume : 1.2 * volume,
                           .angle_rad = DEW_DEG(80)}};
    dew_list_init(&run->feeds, sizeof(dew_Feed));
    dew_SceneDef def = dew_build_def("surface", 3, dew_v3(-half, -half, -half),
                                     dew_v3(half, half, half), pane->edge_m);
    def.frame_rate_Hz = 30;
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_plate(&b, 0, dew_build_angles(DEW_DEG(50), DEW_DEG(100)));
    dew_build_number(&b, "steps_per_period", 0);
    dew_build_flag(&b, "sleep", pane->may_sleep);
    dew_bench_lattice(&b, &run->drops);
    return dew_bench_world_open(&run->stage, &b, workers);
}

static void end(Run *run)
{
    dew_bench_world_close(&run->stage);
    dew_list_deinit(&run->feeds);
}

/// Before a step: tilts the pane.
static dew_Status rock(Run *run)
{
    dew_bench_tilt(run->stage.world, TILT * sin(ROCK_STEP * run->step++));
    return dew_ok();
}

/// Before a step: feeds one drop in twenty, which then has to be stepped; the others sleep on.
static dew_Status feed_some(Run *run)
{
    run->feeds.count = 0;
    for (int d = run->step++ % 2; d < run->drops.rows * run->drops.rows; d += 20) {
        dew_Feed feed = {dew_lattice_point_m(&run->drops, d),
                         1e-3 * dew_lattice_volume_m3(&run->drops, d)};
        DEW_TRY(dew_list_push(&run->feeds, &feed));
    }
    return dew_world_feed_many(run->stage.world, run->feeds.items, run->feeds.count);
}

static dew_Status take_steps(Run *run, dew_Status (*prepare)(Run *), int count)
{
    run->wall_s = HUGE_VAL;
    run->cpu_s = run->iterations = 0;
    run->triangles = 0;
    for (int k = -WARM; k < count; k++) {
        DEW_TRY(prepare(run));
        double wall_s = dew_app_wall_s(), cpu_s = dew_app_cpu_s();
        DEW_TRY(dew_world_step(run->stage.world, FRAME_S));
        if (k < 0)
            continue;
        run->wall_s = fmin(run->wall_s, dew_app_wall_s() - wall_s);
        run->cpu_s += (dew_app_cpu_s() - cpu_s) / count;
        dew_Stats stats;
        dew_world_stats(run->stage.world, &stats);
        run->triangles += stats.elements;
        run->iterations += (double)stats.iterations / (double)stats.drops / count;
    }
    run->triangles /= count;
    return dew_ok();
}

// ---- by stage ----------------------------------------------------------------------------------

static void rate_stage(dew_BenchRun *b, const char *case_name, const char *stage, double triangles,
                       double seconds)
{
    char name[64];
    snprintf(name, sizeof name, "%s: %s", case_name, stage);
    if (seconds > 0)
        dew_bench_rate(b, name, 1e-6 * triangles / seconds, "M triangles/CPU s", (double)NAN);
}

static dew_Status rate_stages(dew_BenchRun *b, const char *case_name, Run *run,
                              dew_Status (*prepare)(Run *), int count)
{
    dew_StageTime stages[DEW_BENCH_STAGES];
    dew_world_time_stages(run->stage.world, true);
    DEW_TRY(take_steps(run, prepare, count));
    int stage_count = dew_world_stages(run->stage.world, stages, DEW_BENCH_STAGES);
    for (int s = 0; s < stage_count; s++)
        rate_stage(b, case_name, stages[s].name, (double)(run->triangles * (count + WARM)),
                   stages[s].cpu_s);
    return dew_ok();
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
    dew_Stats stats;
    dew_world_stats(run->stage.world, &stats);
    tell(b, "10,000 drops", run, 30, (double)NAN);
    dew_bench_rate(b, "10,000 drops: asleep", (double)stats.sleeping, "", (double)NAN);
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
