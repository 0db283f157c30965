// Throughput of the solver `splash`: the paper's pool, simulated and drawn, by stage, on 20^3 and
// on 64^3 cells.
//
// Frames are a thirtieth of a second. Costs are CPU time of the process, so a busy machine does not
// count: of the stages one after the other, which add up to a frame. Frames per second are by the
// wall clock, with all workers. Drawing is live, 640x480 on whatever GL there is; without any it is
// left out. Goals: on 20^3 30 frames per second of the simulation alone, and of all stages, drawn
// while the next frame is simulated; 5 of the simulation alone on 64^3; on two cores.
#include "bench/bench_live.h"
#include "bench/bench_world.h"
#include "bench/benches.h"
#include "support/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RATE_HZ 30

typedef struct Size {
    int cells;
    double warm_s;  // before measuring
    int frames;
    double goal_Hz;
} Size;

static const Size sizes[] = {{20, 1, 15, 30}, {64, 0.7, 3, 5}};

static dew_Status open_scene(int cells, dew_Scene **out)
{
    dew_SceneDef def = dew_build_def("splash", 3, dew_v3(0, 0, 0), dew_v3(2, 2, 2), 2.0 / cells);
    def.frame_rate_Hz = RATE_HZ;
    def.camera.is_given = true;
    def.camera.eye_m = dew_v3(3.4, 2.6, 4.6);
    def.camera.target_m = dew_v3(1, 0.75, 1);
    def.camera.fov_rad = DEW_DEG(36);
    dew_build_walls(&def, "tiles");
    def.domain.wall_material[DEW_SIDE_CEILING] = NULL;
    dew_SourceDef inflow = dew_build_disk(dew_v3(1, 1.9, 1), 0.4, 1.4);
    dew_LightDef light = dew_default_light_def();
    light.direction = dew_v3(0.25, -1, -0.35);
    dew_LookDef look = dew_default_look_def();
    look.material = "tiles";
    look.kind = DEW_LOOK_PLASTIC;
    look.color = dew_v3(0.25, 0.45, 0.55);
    look.roughness = 0.3;
    dew_SceneBuilder b = dew_build_begin(&def);
    dew_build_material(&b, "tiles", dew_build_slip((double)INFINITY));
    dew_build_box(&b, dew_v3(0, 0, 0), dew_v3(2, 0.6, 2));
    dew_build_source(&b, &inflow);
    dew_build_light(&b, &light);
    dew_build_look(&b, &look);
    return dew_build_end(&b, out);
}

typedef struct Spent {
    double cpu_s, wall_s, surface_cpu_s, surface_wall_s, draw_wall_s;
} Spent;

enum { WIDTH = 640, HEIGHT = 480 };

static dew_Status draw(dew_World *world, dew_Renderer *live, dew_Surface *surface, Spent *spent)
{
    double wall_s = dew_app_wall_s();
    DEW_TRY(dew_live_draw(live, dew_world_time_s(world), surface, WIDTH, HEIGHT));
    spent->draw_wall_s += dew_app_wall_s() - wall_s;
    return dew_ok();
}

static dew_Status take_frames(dew_World *world, dew_Renderer *live, dew_Surface *surface, int count,
                              Spent *spent)
{
    double begin_s = dew_world_time_s(world);
    for (int k = 1; k <= count; k++) {
        double cpu_s = dew_app_cpu_s(), wall_s = dew_app_wall_s();
        DEW_TRY(dew_world_step_to(world, begin_s + (double)k / RATE_HZ));
        spent->cpu_s += dew_app_cpu_s() - cpu_s;
        spent->wall_s += dew_app_wall_s() - wall_s;
        cpu_s = dew_app_cpu_s();
        wall_s = dew_app_wall_s();
        DEW_TRY(dew_world_surface(world, surface));
        spent->surface_cpu_s += dew_app_cpu_s() - cpu_s;
        spent->surface_wall_s += dew_app_wall_s() - wall_s;
        if (live)
            DEW_TRY(draw(world, live, surface, spent));
    }
    return dew_ok();
}

// Drawing by part, and the sum of all stages.
static void tell_drawing(dew_BenchRun *b, const Size *size, const dew_Renderer *live,
                         const Spent *spent)
{
    char name[80];
    double n = size->frames;
    snprintf(name, sizeof name, "%d^3: drawing, ", size->cells);
    double sum = dew_live_tell(b, live, name, size->frames, "ms CPU per frame");
    snprintf(name, sizeof name, "%d^3: drawing", size->cells);
    dew_bench_cost(b, name, 1e3 * sum / n, "ms CPU per frame", (double)NAN);
    snprintf(name, sizeof name, "%d^3: simulation, surface and drawing", size->cells);
    dew_bench_cost(b, name, 1e3 * (spent->cpu_s + spent->surface_cpu_s + sum) / n,
                   "ms CPU per frame", (double)NAN);
    snprintf(name, sizeof name, "%d^3: one after the other", size->cells);
    dew_bench_rate(b, name, n / (spent->wall_s + spent->surface_wall_s + spent->draw_wall_s),
                   "frames per s", (double)NAN);
}

static void tell(dew_BenchRun *b, const Size *size, const dew_World *world, const Spent *spent,
                 double steps)
{
    char name[64];
    double n = size->frames, sum = 0;
    snprintf(name, sizeof name, "%d^3: steps per frame", size->cells);
    dew_bench_rate(b, name, steps / n, "", (double)NAN);
    dew_StageTime stages[DEW_BENCH_STAGES];
    int count = dew_world_stages(world, stages, DEW_BENCH_STAGES);
    for (int s = 0; s < count; s++) {
        sum += stages[s].is_solver ? stages[s].cpu_s : 0;
        if (!stages[s].is_solver || strcmp(stages[s].name, "tension") == 0)
            continue;  // the pool has none
        snprintf(name, sizeof name, "%d^3: %s", size->cells, stages[s].name);
        dew_bench_cost(b, name, 1e3 * stages[s].cpu_s / n, "ms CPU per frame", (double)NAN);
    }
    snprintf(name, sizeof name, "%d^3: copy and checks", size->cells);
    dew_bench_cost(b, name, 1e3 * (spent->cpu_s - sum) / n, "ms CPU per frame", (double)NAN);
    snprintf(name, sizeof name, "%d^3: simulation", size->cells);
    dew_bench_cost(b, name, 1e3 * spent->cpu_s / n, "ms CPU per frame", (double)NAN);
    snprintf(name, sizeof name, "%d^3: surface", size->cells);
    dew_bench_cost(b, name, 1e3 * spent->surface_cpu_s / n, "ms CPU per frame", (double)NAN);
    snprintf(name, sizeof name, "%d^3: simulation alone", size->cells);
    dew_bench_rate(b, name, n / spent->wall_s, "frames per s", size->goal_Hz);
    snprintf(name, sizeof name, "%d^3: simulation and surface", size->cells);
    dew_bench_rate(b, name, n / (spent->wall_s + spent->surface_wall_s), "frames per s",
                   (double)NAN);
}

// ---- with drawing ------------------------------------------------------------------------------

enum { DRAWN_FRAMES = 30 };

// One thread simulates the next frame while another draws the last one, as `dew view` does.
typedef struct Pair {
    dew_World *world;
    dew_Renderer *live;
    dew_Surface *surfaces[2];
    int frame;
    double end_s;
    double thread_s[2];  // CPU; of the simulation, of the drawing
} Pair;

static dew_Status advance(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)begin, (void)end;
    Pair *pair = context;
    double cpu_s = dew_app_thread_cpu_s();
    if (chunk_index == 0) {
        DEW_TRY(dew_world_step_to(pair->world, pair->end_s));
        DEW_TRY(dew_world_surface(pair->world, pair->surfaces[pair->frame % 2]));
    } else {
        DEW_TRY(dew_live_draw(pair->live, 0, pair->surfaces[(pair->frame + 1) % 2], WIDTH, HEIGHT));
    }
    pair->thread_s[chunk_index] += dew_app_thread_cpu_s() - cpu_s;
    return dew_ok();
}

static dew_Status draw_pool(dew_BenchRun *b, Pair *pair)
{
    double begin_s = dew_world_time_s(pair->world), wall_s = 0, cpu_s = 0;
    for (int k = 0; k < DEW_LIVE_WARM_FRAMES + DRAWN_FRAMES; k++) {
        if (k == DEW_LIVE_WARM_FRAMES) {
            wall_s = dew_app_wall_s();
            cpu_s = dew_app_cpu_s();
            pair->thread_s[0] = pair->thread_s[1] = 0;
        }
        pair->frame = k;
        pair->end_s = begin_s + (double)(k + 1) / RATE_HZ;
        DEW_TRY(dew_parallel_for(b->tasks, 2, 1, advance, pair));
    }
    wall_s = dew_app_wall_s() - wall_s;
    cpu_s = dew_app_cpu_s() - cpu_s;
    dew_bench_rate(b, "20^3: all of it, 640x480, side by side", DRAWN_FRAMES / wall_s,
                   "frames per s", 30);
    dew_bench_cost(b, "20^3:   cores in use", cpu_s / wall_s, "", (double)NAN);
    dew_bench_cost(b, "20^3:   all of it", 1e3 * cpu_s / DRAWN_FRAMES, "ms CPU per frame",
                   (double)NAN);
    dew_bench_cost(b, "20^3:   thread that simulates", 1e3 * pair->thread_s[0] / DRAWN_FRAMES,
                   "ms CPU per frame", (double)NAN);
    return dew_ok();
}

static dew_Status run_pair(dew_BenchRun *b, Pair *pair, const dew_Scene *scene)
{
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = 1;
    DEW_TRY(dew_surface_create(NULL, &pair->surfaces[0]));
    DEW_TRY(dew_surface_create(NULL, &pair->surfaces[1]));
    dew_surface_set_images_only(pair->surfaces[0], true);
    dew_surface_set_images_only(pair->surfaces[1], true);
    DEW_TRY(dew_world_create(scene, &def, &pair->world));
    DEW_TRY(dew_live_open(scene, 1, WIDTH, HEIGHT, &pair->live));
    DEW_TRY(dew_world_step_to(pair->world, sizes[0].warm_s));
    DEW_TRY(dew_world_surface(pair->world, pair->surfaces[0]));
    DEW_TRY(dew_world_surface(pair->world, pair->surfaces[1]));
    return draw_pool(b, pair);
}

static dew_Status run_drawn(dew_BenchRun *b)
{
    dew_Scene *scene;
    Pair pair = {0};
    DEW_TRY(open_scene(sizes[0].cells, &scene));
    dew_Status status = run_pair(b, &pair, scene);
    dew_renderer_destroy(pair.live);
    dew_world_destroy(pair.world);
    dew_surface_destroy(pair.surfaces[0]);
    dew_surface_destroy(pair.surfaces[1]);
    dew_scene_destroy(scene);
    return status.code == DEW_UNSUPPORTED ? dew_ok() : status;  // nothing to draw with
}

// ---- without -----------------------------------------------------------------------------------

static dew_Status run_world(dew_BenchRun *b, const Size *size, const dew_Scene *scene,
                            dew_World *world, dew_Surface *surface)
{
    Spent spent = {0};
    dew_Stats stats;
    DEW_TRY(dew_world_step_to(world, size->warm_s));
    DEW_TRY(dew_world_surface(world, surface));
    dew_world_stats(world, &stats);
    double steps = -(double)stats.step;
    dew_Renderer *live = NULL;
    dew_Status status =
        dew_live_open(scene, dew_tasks_worker_count(b->tasks), WIDTH, HEIGHT, &live);
    for (int k = 0; k < DEW_LIVE_WARM_FRAMES && status.code == DEW_OK; k++)
        status = draw(world, live, surface, &spent);
    spent = (Spent){0};
    if (live)
        dew_renderer_time_stages(live, true);
    if (status.code == DEW_UNSUPPORTED)
        status = dew_ok();
    dew_world_time_stages(world, true);
    if (status.code == DEW_OK)
        status = take_frames(world, live, surface, size->frames, &spent);
    if (status.code == DEW_OK) {
        dew_world_stats(world, &stats);
        tell(b, size, world, &spent, steps + (double)stats.step);
    }
    if (status.code == DEW_OK && live)
        tell_drawing(b, size, live, &spent);
    dew_renderer_destroy(live);
    return status;
}

static dew_Status run_size(dew_BenchRun *b, const Size *size)
{
    dew_Scene *scene;
    dew_World *world = NULL;
    dew_Surface *surface = NULL;
    DEW_TRY(open_scene(size->cells, &scene));
    dew_WorldDef def = dew_default_world_def();
    def.thread_count = dew_tasks_worker_count(b->tasks);
    dew_Status status = dew_surface_create(NULL, &surface);
    if (status.code == DEW_OK)
        status = dew_world_create(scene, &def, &world);
    if (status.code == DEW_OK)
        status = run_world(b, size, scene, world, surface);
    dew_world_destroy(world);
    dew_surface_destroy(surface);
    dew_scene_destroy(scene);
    return status;
}

static dew_Status run(dew_BenchRun *b)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        DEW_TRY(run_size(b, &sizes[i]));
    return run_drawn(b);
}

const dew_Bench dew_bench_splash = {"splash", "solver splash: the paper's pool, by stage", run};
