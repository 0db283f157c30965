// Throughput of the solver `surface`: many drops awake, most of them asleep, drops that slide,
// drops that run together, one large drop, and how the cost grows.
//
// Drops lie on a pane in a fixed lattice. Where the pane is rocked, gravity turns a little in each
// step, so that nothing comes to rest and every step has to be solved. Steps are those of real
// time, 1/30 s without resolving oscillations. Time is CPU time of the process, so that a busy
// machine does not count; steps per second are of the wall clock.
//
// Triangle-frames: triangles times frames of 1/30 s, per CPU second. The serial share is the CPU
// time of the stages that one thread takes, by the CPU time of the whole step.
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/system.h"

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
    double spacing;                      // between drops, in radii; 0: SPREAD
    double receding_deg, advancing_deg;  // 0, 0: 50 and 100
    double jitter;                       // of the drops' places, in spacings
    double room_m;                       // added to the domain on all sides
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
    double wall_s, cpu_s;     // per step: the least, the mean
    double first_s;           // CPU time of the first step of all
    int64_t timed_triangles;  // sum over all steps of the last series, the first ones too
    double timed_s;           // CPU time of all steps of the last series, the first ones too
    double iterations;        // per drop and step
    int64_t triangles;
} Run;

static dew_Status begin(Run *run, const Pane *pane, int workers)
{
    double space = (pane->spacing > 0 ? pane->spacing : SPREAD) * pane->radius_m;
    double half = 0.5 * (pane->rows + 1) * space + pane->room_m;
    bool has_angles = pane->advancing_deg > 0;
    dew_MaterialDef plate = dew_build_angles(DEW_DEG(has_angles ? pane->receding_deg : 50),
                                             DEW_DEG(has_angles ? pane->advancing_deg : 100));
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
    dew_build_plate(&b, 0, plate);
    dew_build_number(&b, "steps_per_period", 0);
    dew_build_flag(&b, "sleep", pane->may_sleep);
    for (int i = 0; i < pane->rows * pane->rows; i++) {
        dew_Vec3 point = dew_lattice_point_m(&run->drops, i);  // displaced by an additive sequence
        point.x += pane->jitter * space * (fmod(0.754878 * i, 1) - 0.5);
        point.z += pane->jitter * space * (fmod(0.569840 * i, 1) - 0.5);
        dew_build_cap(&b, point, dew_lattice_volume_m3(&run->drops, i), run->drops.angle_rad);
    }
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

/// Before a step: nothing.
static dew_Status wait(Run *run)
{
    run->step++;
    return dew_ok();
}

/// Before a step: feeds one drop in a hundred, which then has to be stepped; the others sleep on.
static dew_Status feed_some(Run *run)
{
    run->feeds.count = 0;
    run->step++;
    for (int d = 0; d < run->drops.rows * run->drops.rows; d += 100) {
        dew_Feed feed = {dew_lattice_point_m(&run->drops, d),
                         1e-3 * dew_lattice_volume_m3(&run->drops, d)};
        DEW_TRY(dew_list_push(&run->feeds, &feed));
    }
    return dew_world_feed_many(run->stage.world, run->feeds.items, run->feeds.count);
}

static dew_Status take_steps(Run *run, dew_Status (*prepare)(Run *), int count)
{
    run->wall_s = HUGE_VAL;
    run->cpu_s = run->timed_s = run->iterations = 0;
    run->triangles = run->timed_triangles = 0;
    for (int k = -WARM; k < count; k++) {
        bool is_first = run->step == 0;
        DEW_TRY(prepare(run));
        double wall_s = dew_app_wall_s(), cpu_s = dew_app_cpu_s();
        DEW_TRY(dew_world_step(run->stage.world, FRAME_S));
        run->timed_s += dew_app_cpu_s() - cpu_s;
        dew_Stats stats;
        dew_world_stats(run->stage.world, &stats);
        run->timed_triangles += stats.elements;
        if (is_first)
            run->first_s = dew_app_cpu_s() - cpu_s;
        if (k < 0)
            continue;
        run->wall_s = fmin(run->wall_s, dew_app_wall_s() - wall_s);
        run->cpu_s += (dew_app_cpu_s() - cpu_s) / count;
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

/// What one thread does while the others wait.
static bool is_serial(const char *stage)
{
    static const char *const names[] = {"gathering drops", "merge check"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(stage, names[k]) == 0)
            return true;
    return false;
}

static dew_Status rate_stages(dew_BenchRun *b, const char *case_name, Run *run,
                              dew_Status (*prepare)(Run *), int count)
{
    dew_StageTime stages[DEW_BENCH_STAGES];
    dew_world_time_stages(run->stage.world, true);
    DEW_TRY(take_steps(run, prepare, count));
    int stage_count = dew_world_stages(run->stage.world, stages, DEW_BENCH_STAGES);
    double parallel_s = 0;
    for (int s = 0; s < stage_count; s++) {
        rate_stage(b, case_name, stages[s].name, (double)(run->triangles * (count + WARM)),
                   stages[s].cpu_s);
        parallel_s += is_serial(stages[s].name) ? 0 : stages[s].cpu_s;
    }
    char name[64];
    snprintf(name, sizeof name, "%s: serial share of a step", case_name);
    dew_bench_cost(b, name, 100 * (1 - parallel_s / run->timed_s), "%", 15);
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
    tell(b, "10,000 drops", run, 120, (double)NAN);
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

static void rate_frames(dew_BenchRun *b, const char *name, double triangles, double cpu_s,
                        double goal)
{
    dew_bench_rate(b, name, 1e-3 * triangles / cpu_s, "K triangle-frames/CPU s", goal);
}

/// Separate drops that slide down a pane of 45 degrees, about 350 triangles each.
static dew_Status slope(dew_BenchRun *b, Run *run)
{
    const Pane pane = {.rows = 17,
                       .radius_m = 1e-3,
                       .edge_m = 0.19e-3,
                       .spacing = 6,
                       .receding_deg = 60,
                       .advancing_deg = 75,
                       .room_m = 0.2};
    DEW_TRY(begin(run, &pane, dew_tasks_worker_count(b->tasks)));
    dew_bench_tilt(run->stage.world, DEW_DEG(45));
    DEW_TRY(take_steps(run, wait, 10));
    tell(b, "slope", run, (double)NAN, (double)NAN);
    rate_frames(b, "slope: 289 separate drops", (double)run->triangles, run->cpu_s, 2000);
    return rate_stages(b, "slope", run, wait, 5);
}

/// Large drops that spread, meet and become puddles, from the first step on.
static dew_Status puddles(dew_BenchRun *b, Run *run)
{
    const Pane pane = {.rows = 20,
                       .radius_m = 3e-3,
                       .edge_m = 0.5e-3,
                       .spacing = 2.6,
                       .jitter = 0.6,
                       .receding_deg = 40,
                       .advancing_deg = 60};
    DEW_TRY(begin(run, &pane, dew_tasks_worker_count(b->tasks)));
    dew_world_time_stages(run->stage.world, true);
    DEW_TRY(take_steps(run, wait, 8));
    tell(b, "puddles", run, (double)NAN, (double)NAN);
    dew_bench_time(b, "puddles: CPU time of the first step", run->first_s, (double)NAN);
    dew_Stats stats;
    dew_world_stats(run->stage.world, &stats);
    dew_bench_rate(b, "puddles: left of 400 drops", (double)stats.drops, "", (double)NAN);
    rate_frames(b, "puddles: 400 drops that run together", (double)run->timed_triangles,
                run->timed_s, 250);
    return rate_stages(b, "puddles", run, wait, 4);
}

/// The scene `window`, 50,000 triangles as in figure 10 of [Zhang2011]: a button sweeps over it.
static dew_Status window(dew_BenchRun *b, Run *run)
{
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = dew_tasks_worker_count(b->tasks);
    DEW_TRY(dew_bench_window(NULL, 0, &run->stage.scene));
    DEW_TRY(dew_world_create(run->stage.scene, &def, &run->stage.world));
    dew_list_init(&run->feeds, sizeof(dew_Feed));
    DEW_TRY(take_steps(run, wait, 30));
    tell(b, "window", run, 60, (double)NAN);
    return rate_stages(b, "window", run, wait, 30);
}

static dew_Status (*const cases[])(dew_BenchRun *, Run *) = {awake, asleep,  one_drop,
                                                             slope, puddles, window};

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

/// One drop with edges of half the length each time: the exponent between the ends.
static dew_Status growth_of_one(dew_BenchRun *b)
{
    double triangles[3], seconds[3];
    const int edges[3] = {20, 40, 80};  // per radius
    for (int k = 0; k < 3; k++) {
        const Pane pane = {.rows = 1, .radius_m = 2e-3, .edge_m = 2e-3 / edges[k]};
        Run run;
        dew_Status status = begin(&run, &pane, 1);
        if (status.code == DEW_OK)
            status = take_steps(&run, rock, 4);
        triangles[k] = (double)run.triangles;
        seconds[k] = run.cpu_s;
        end(&run);
        DEW_TRY(status);
        char name[64];
        snprintf(name, sizeof name, "one drop of %.0f triangles: CPU time of a step", triangles[k]);
        dew_bench_time(b, name, seconds[k], (double)NAN);
    }
    dew_bench_cost(b, "growth of cost with the size of a drop, exponent",
                   log(seconds[2] / seconds[0]) / log(triangles[2] / triangles[0]), "", 1.1);
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
    DEW_TRY(growth(b));
    return growth_of_one(b);
}

const dew_Bench dew_bench_surface = {"surface", "drops as triangle meshes, steps of 1/30 s", run};
