// Throughput of grids and level sets: time per cell of each kernel, and how it compares with the
// machine's memory bandwidth, measured by a triad in the same run.
//
// The field is a ball of 64 cells' radius in bricks of its band. A kernel's figure is per active
// cell; that of redistancing is also reported per cell of the band. "of bandwidth" is the traffic a
// kernel cannot avoid (fields read and written once) over its time, as a fraction of the triad's: 1
// would be as fast as memory. Kernels that change phi start from the same one each time; those of a
// step are its stages, of several short steps.
#include "bench/benches.h"
#include "support/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 160, REPEATS = 3, TRIAD = 4 << 20, PAD = 3, MARKERS = 16, MAX_STAGES = 16 };

#define BRICK_CELLS 512
#define TILE_SIDE   (8 + 2 * PAD)
#define STEP_S      1e-3  // moves the surface by a thousandth of a cell

typedef struct Work {
    dew_Tasks *tasks;
    dew_LevelSet *liquid;  // at rest
    dew_LevelSet *traced;  // moves along characteristics, with markers
    dew_LevelSet *weno;    // moves by WENO, without
    int64_t cells;         // of `liquid`
    dew_List saved;        // double: phi at first
    dew_List packed;       // bytes
    dew_List triad;        // double: three arrays
    double triad_B_s;      // bytes per second
    dew_Redistanced report;
    uint64_t hash;
} Work;

static double ball(void *context, dew_Vec3 p)
{
    (void)context;
    return dew_v3_length(dew_v3_sub(p, dew_v3(80.113, 79.729, 80.377))) - 64;
}

static dew_Vec3 stream(void *context, dew_Vec3 p, double time_s)
{
    (void)context;
    (void)time_s;
    double phase = 0.01 * (p.x + 8 * p.y + 64 * p.z);
    return dew_v3(sin(phase), sin(phase + 1), sin(phase + 2));
}

static const dew_DistanceField shape = {ball, NULL};

// ---- Kernels -----------------------------------------------------------------------------------

static dew_Status triad_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    double *a = work->triad.items;
    const double *b = a + TRIAD, *c = b + TRIAD;
    for (int64_t n = begin; n < end; n++)
        a[n] = b[n] + 3 * c[n];
    return dew_ok();
}

static dew_Status triad(void *context)
{
    Work *work = context;
    return dew_parallel_for(work->tasks, TRIAD, 1 << 15, triad_chunk, work);
}

static dew_Status tile_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    double tile[TILE_SIDE * TILE_SIDE * TILE_SIDE];
    for (int64_t b = begin; b < end; b++)
        DEW_TRY(dew_level_set_tile(work->liquid, b, PAD, tile));
    return dew_ok();
}

static dew_Status tiles(void *context)
{
    Work *work = context;
    return dew_parallel_for(work->tasks, work->cells / BRICK_CELLS, 4, tile_chunk, work);
}

static void restore_phi(Work *work)
{
    memcpy(dew_level_set_phi(work->liquid), work->saved.items,
           (size_t)work->cells * sizeof(double));
}

static dew_Status redistance_by(Work *work, dew_RedistanceMethod method)
{
    restore_phi(work);
    return dew_level_set_redistance(work->liquid, method, &work->report);
}

static dew_Status closest(void *context)
{
    return redistance_by(context, DEW_REDISTANCE_CLOSEST);
}

static dew_Status sweeping(void *context)
{
    return redistance_by(context, DEW_REDISTANCE_SWEEP);
}

static dew_Status marching(void *context)
{
    return redistance_by(context, DEW_REDISTANCE_MARCH);
}

static dew_Status curvature(void *context)
{
    Work *work = context;
    dew_FieldView view;
    return dew_level_set_field(work->liquid, "curvature", &view);
}

static dew_Status normals(void *context)
{
    Work *work = context;
    dew_FieldView normal[3];
    return dew_level_set_normals(work->liquid, normal);
}

static dew_Status drops(void *context)
{
    Work *work = context;
    const dew_LevelSetDrop *found;
    int64_t count;
    return dew_level_set_drops(work->liquid, &found, &count);
}

static dew_Status correct_volume(void *context)
{
    Work *work = context;
    double wanted = 4 * acos(-1) / 3 * 64 * 64 * 64;
    return dew_level_set_correct_volumes(work->liquid, &wanted, 0.1);
}

static dew_Status integrate(void *context)
{
    Work *work = context;
    double sum;
    return dew_level_set_integrate(work->liquid, work->saved.items, &sum);
}

static dew_Status hash(void *context)
{
    Work *work = context;
    work->hash += dew_level_set_hash(work->liquid);
    return dew_ok();
}

static dew_Status pack(void *context)
{
    Work *work = context;
    DEW_TRY(dew_list_resize(&work->packed, dew_level_set_packed_size(work->liquid)));
    for (int64_t b = 0; b < work->cells / BRICK_CELLS; b++) {
        DEW_TRY(dew_level_set_pack(work->liquid, b, work->packed.items));
        DEW_TRY(dew_level_set_unpack(work->liquid, work->packed.items));
    }
    return dew_ok();
}

static dew_Status volume(void *context)
{
    Work *work = context;
    dew_LevelSetMeasure measure;
    return dew_level_set_measure(work->liquid, &measure);
}

static dew_Status initialise(void *context)
{
    Work *work = context;
    return dew_level_set_add(work->liquid, &shape);
}

// ---- Set-up and figures ------------------------------------------------------------------------

static dew_Status make(Work *work)
{
    dew_LevelSetDef def = dew_default_level_set_def();
    def.box = (dew_BoxDef){.dimensions = 3,
                           .cells = {CELLS, CELLS, CELLS},
                           .cell_m = 1,
                           .thread_count = dew_tasks_worker_count(work->tasks)};
    def.is_hollow = true;
    DEW_TRY(dew_level_set_create(&def, &shape, &work->liquid));
    def.scheme = DEW_ADVECT_WENO;
    DEW_TRY(dew_level_set_create(&def, &shape, &work->weno));
    def.scheme = DEW_ADVECT_TRACE;
    def.markers_per_cell = MARKERS;
    def.reseed_steps = 1;
    DEW_TRY(dew_level_set_create(&def, &shape, &work->traced));
    DEW_TRY(dew_list_resize(&work->triad, 3 * (int64_t)TRIAD));
    memset(work->triad.items, 0, 3 * (size_t)TRIAD * sizeof(double));
    return dew_ok();
}

// CPU seconds of each stage of a step, the least of several.
typedef struct Stages {
    dew_StageTime stage[MAX_STAGES];
    int count;
} Stages;

static dew_Status time_steps(dew_LevelSet *liquid, Stages *best)
{
    const dew_VelocityField velocity = {.velocity_m_s = stream};
    for (int n = 0; n < REPEATS; n++) {
        Stages now;
        dew_level_set_time_stages(liquid, true);
        DEW_TRY(dew_level_set_advect(liquid, &velocity, n * STEP_S, STEP_S));
        now.count = dew_level_set_stages(liquid, now.stage, MAX_STAGES);
        if (n == 0)
            *best = now;
        for (int s = 0; s < now.count; s++)
            best->stage[s].cpu_s = fmin(best->stage[s].cpu_s, now.stage[s].cpu_s);
    }
    dew_level_set_time_stages(liquid, false);
    return dew_ok();
}

static double stage_s(const Stages *stages, const char *name)
{
    for (int s = 0; s < stages->count; s++)
        if (strcmp(stages->stage[s].name, name) == 0)
            return stages->stage[s].cpu_s;
    return (double)NAN;
}

// ns per item and, where the traffic is known (bytes per item), its fraction of the bandwidth.
static void figure(dew_BenchRun *b, const Work *work, const char *name, double seconds,
                   int64_t items, const char *unit, double bytes, double goal_ns)
{
    char text[64];
    dew_bench_cost(b, name, 1e9 * seconds / (double)items, unit, goal_ns);
    if (bytes > 0) {
        snprintf(text, sizeof text, "%s, of bandwidth", name);
        double rate = bytes * (double)items / seconds;
        dew_bench_rate(b, text, rate / work->triad_B_s, "", (double)NAN);
    }
}

typedef struct Kernel {
    const char *name;
    dew_Status (*run)(void *);  // NULL: a stage of a step
    const char *stage;
    double bytes;  // per item: fields read and written once; 0: what is packed and unpacked
    double goal_ns;
    bool is_weno, is_per_marker;
} Kernel;

// Goals: those of the design for one core, so CPU time is what counts.
static const Kernel kernels[] = {
    {"tile of 14^3", tiles, NULL, 8, 0, false, false},
    {"initialise", initialise, NULL, 8, 0, false, false},
    {"WENO5 step (RK3)", NULL, "advect", 3 * 48, 200, true, false},
    {"characteristics step", NULL, "advect", 40, 400, false, false},
    {"curvature", curvature, NULL, 16, 0, false, false},
    {"normals", normals, NULL, 32, 0, false, false},
    {"volume and area", volume, NULL, 8, 0, false, false},
    {"integral over the surface", integrate, NULL, 16, 0, false, false},
    {"drops", drops, NULL, 12, 0, false, false},
    {"volume of each drop", correct_volume, NULL, 20, 0, false, false},
    {"redistance, closest point", closest, NULL, 16, 0, false, false},
    {"redistance, sweeping", sweeping, NULL, 16, 0, false, false},
    {"redistance, marching", marching, NULL, 16, 0, false, false},
    {"bricks follow", NULL, "bricks", 8, 0, false, false},
    {"hash", hash, NULL, 8, 0, false, false},
    {"pack and unpack", pack, NULL, 0, 0, false, false},
    {"markers: move and sort", NULL, "move_markers", 2 * 40, 0, false, true},
    {"markers: correct", NULL, "correct", 32, 0, false, true},
    {"markers: radii", NULL, "radii", 40, 0, false, true},
    {"markers: seed", NULL, "seed", 40, 0, false, true}};

// Steps: of `traced` and of `weno`.
static dew_Status time_kernel(dew_BenchRun *b, Work *work, const Kernel *kernel,
                              const Stages steps[2])
{
    double seconds, bytes = kernel->bytes;
    const dew_LevelSet *moving = kernel->is_weno ? work->weno : work->traced;
    int64_t items = kernel->run             ? work->cells
                    : kernel->is_per_marker ? dew_level_set_marker_count(moving)
                                            : dew_level_set_cell_count(moving);
    if (kernel->run) {
        restore_phi(work);
        DEW_TRY(dew_bench_best_cpu(kernel->run, work, REPEATS, &seconds));
    } else {
        seconds = stage_s(&steps[kernel->is_weno ? 1 : 0], kernel->stage);
    }
    if (bytes == 0)  // all fields, read and written both ways
        bytes = 4 * (double)dew_level_set_packed_size(work->liquid) / BRICK_CELLS;
    figure(b, work, kernel->name, seconds, items, kernel->is_per_marker ? "ns/marker" : "ns/cell",
           bytes, kernel->goal_ns > 0 ? kernel->goal_ns : (double)NAN);
    return dew_ok();
}

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    double seconds;
    Stages steps[2];
    DEW_TRY(dew_bench_best_cpu(triad, work, 5, &seconds));
    work->triad_B_s = 3 * sizeof(double) * (double)TRIAD / seconds;
    dew_bench_rate(b, "triad", 1e-9 * work->triad_B_s, "GB/s", (double)NAN);
    DEW_TRY(time_steps(work->traced, &steps[0]));
    DEW_TRY(time_steps(work->weno, &steps[1]));
    work->cells = dew_level_set_cell_count(work->liquid);
    DEW_TRY(dew_list_resize(&work->saved, work->cells));
    memcpy(work->saved.items, dew_level_set_phi(work->liquid),
           (size_t)work->cells * sizeof(double));
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        DEW_TRY(time_kernel(b, work, &kernels[k], steps));
    // A sweep of OpenVDB takes 0.33 s for 236,000 voxels: half of that.
    DEW_TRY(dew_bench_best_cpu(closest, work, REPEATS, &seconds));
    figure(b, work, "redistance, band cells", seconds, work->report.near_count, "ns/cell", 0, 700);
    return dew_ok();
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {.tasks = b->tasks};
    dew_list_init(&work.saved, sizeof(double));
    dew_list_init(&work.triad, sizeof(double));
    dew_list_init(&work.packed, 1);
    dew_Status status = make(&work);
    if (status.code == DEW_OK)
        status = measure(b, &work);
    dew_list_deinit(&work.packed);
    dew_list_deinit(&work.triad);
    dew_list_deinit(&work.saved);
    dew_level_set_destroy(work.weno);
    dew_level_set_destroy(work.traced);
    dew_level_set_destroy(work.liquid);
    return status;
}

const dew_Bench dew_bench_grid = {"grid", "bricks, level sets, particles: CPU time per cell", run};
