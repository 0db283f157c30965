// Throughput of grids and level sets: time per cell of each kernel, and how it compares with the machine's
// memory bandwidth, measured by a triad in the same run.
//
// The field is a ball of 64 cells' radius in bricks of its band. A kernel's figure is per active cell; the
// one of redistancing is told per cell of the band too. "of bandwidth" is the traffic a kernel cannot avoid
// (fields read and written once) over its time, as a share of the triad's: 1 would be as fast as memory.
// Kernels that change phi start from the same one each time.
#include "base/sum.h"
#include "bench/benches.h"
#include "grid/markers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 160, REPEATS = 3, TRIAD = 4 << 20 };

typedef struct Work {
    dew_Grid *grid;
    dew_Arena scratch;
    dew_Markers markers;
    dew_Array drops;
    int phi, saved, u[3], kappa, drop, known;
    double triad_B_s;  // bytes per second
    dew_Array triad[3], packed;
    dew_Redistanced told;
    uint64_t hash;
} Work;

static double ball(void *context, dew_Vec3 p)
{
    (void)context;
    return dew_distance(p, dew_vec(80.113, 79.729, 80.377)) - 64;
}

static double *field(const Work *work, int number)
{
    return dew_grid_f64(work->grid, number);
}

static void flow_of(const Work *work, const double *u[3])
{
    for (int a = 0; a < 3; a++)
        u[a] = field(work, work->u[a]);
}

// ---- Kernels -------------------------------------------------------------------------------------

static dew_Status triad_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    double *a = work->triad[0].data;
    const double *b = work->triad[1].data, *c = work->triad[2].data;
    for (int64_t n = begin; n < end; n++)
        a[n] = b[n] + 3 * c[n];
    return dew_ok();
}

static dew_Status triad(void *context)
{
    Work *work = context;
    return dew_parallel_for(work->grid->tasks, TRIAD, 1 << 15, triad_chunk, work);
}

static dew_Status tile_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    double tile[DEW_TILE_SIZE(3)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load(work->grid, field(work, work->phi), (int32_t)b, 3, tile);
        field(work, work->kappa)[b * work->grid->brick_cells] = tile[7];
    }
    return dew_ok();
}

static dew_Status tiles(void *context)
{
    Work *work = context;
    return dew_grid_for(work->grid, tile_chunk, work);
}

static dew_Status weno(void *context)
{
    Work *work = context;
    const double *u[3];
    flow_of(work, u);
    return dew_levelset_advect_weno(work->grid, field(work, work->phi), u, 1e-9, 4.9,
                                    &work->scratch);
}

static dew_Status trace(void *context)
{
    Work *work = context;
    const double *u[3];
    flow_of(work, u);
    return dew_levelset_advect_trace(work->grid, field(work, work->phi), u, 1e-9, 4.9,
                                     &work->scratch);
}

static dew_Status redistance_by(Work *work, dew_RedistanceMethod method)
{
    double *phi = field(work, work->phi);
    size_t size = (size_t)dew_grid_value_count(work->grid) * sizeof *phi;
    memcpy(phi, field(work, work->saved), size);
    return dew_levelset_redistance(work->grid, phi, method, 5, &work->scratch, &work->told);
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
    return dew_levelset_curvature(work->grid, field(work, work->phi), 2, field(work, work->kappa));
}

static dew_Status normals(void *context)
{
    Work *work = context;
    double *const normal[3] = {field(work, work->u[0]), field(work, work->u[1]),
                               field(work, work->u[2])};
    return dew_levelset_normals(work->grid, field(work, work->phi), 2, normal);
}

static dew_Status to_faces(void *context)
{
    Work *work = context;
    return dew_levelset_to_faces(work->grid, field(work, work->phi), 0, field(work, work->kappa));
}

static dew_Status drops(void *context)
{
    Work *work = context;
    return dew_levelset_drops(work->grid, field(work, work->phi),
                              dew_grid_field(work->grid, work->drop), &work->drops, &work->scratch);
}

static dew_Status correct_volume(void *context)
{
    Work *work = context;
    double wanted = DEW_ITEMS(&work->drops, dew_LevelsetDrop)[0].volume_m3;
    return dew_levelset_correct_volumes(work->grid, field(work, work->phi),
                                        dew_grid_field(work->grid, work->drop), &work->drops,
                                        &wanted, 0.1, &work->scratch);
}

static dew_Status integrate(void *context)
{
    Work *work = context;
    double sum;
    return dew_levelset_integrate(work->grid, field(work, work->phi), field(work, work->kappa),
                                  &work->scratch, &sum);
}

static dew_Status hash(void *context)
{
    Work *work = context;
    work->hash += dew_grid_hash(work->grid, work->phi);
    return dew_ok();
}

static dew_Status pack(void *context)
{
    Work *work = context;
    DEW_TRY(dew_array_resize(&work->packed, (int64_t)dew_grid_packed_size(work->grid)));
    for (int32_t b = 0; b < work->grid->brick_count; b++) {
        dew_grid_pack(work->grid, b, work->packed.data);
        DEW_TRY(dew_grid_unpack(work->grid, work->packed.data));
    }
    return dew_ok();
}

static dew_Status volume(void *context)
{
    Work *work = context;
    dew_LevelsetMeasure measure;
    return dew_levelset_measure(work->grid, field(work, work->phi), &work->scratch, &measure);
}

static dew_Status extend(void *context)
{
    Work *work = context;
    const double *phi = field(work, work->phi);
    uint8_t *known = dew_grid_field(work->grid, work->known);
    for (int64_t n = 0; n < dew_grid_value_count(work->grid); n++)
        known[n] = phi[n] < 0;
    return dew_levelset_extend(work->grid, phi, field(work, work->kappa), known, 4.9, true,
                               &work->scratch);
}

static dew_Status follow(void *context)
{
    Work *work = context;
    return dew_levelset_follow(work->grid, work->phi, 4, 5, false, &work->scratch);
}

static dew_Status move_markers(void *context)
{
    Work *work = context;
    const double *u[3];
    flow_of(work, u);
    return dew_markers_advect(&work->markers, work->grid, u, 1e-3, &work->scratch);
}

static dew_Status correct(void *context)
{
    Work *work = context;
    return dew_markers_correct(&work->markers, work->grid, field(work, work->phi), &work->scratch,
                               NULL);
}

static dew_Status adjust(void *context)
{
    Work *work = context;
    return dew_markers_adjust(&work->markers, work->grid, field(work, work->phi));
}

static dew_Status seed(void *context)
{
    Work *work = context;
    return dew_markers_seed(&work->markers, work->grid, field(work, work->phi), NULL, 1,
                            &work->scratch);
}

static dew_Status initialise(void *context)
{
    Work *work = context;
    return dew_levelset_add(work->grid, work->phi, ball, NULL, 5, false, &work->scratch);
}

// ---- Set-up and figures --------------------------------------------------------------------------

static dew_Status make(Work *work, dew_Tasks *tasks)
{
    dew_GridDef def = dew_default_grid_def();
    double far = 5;
    def.cell_m = 1;
    def.tasks = tasks;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = CELLS;
    DEW_TRY(dew_grid_create(&def, &work->grid));
    int *fields[6] = {&work->phi,  &work->saved, &work->kappa,
                      &work->u[0], &work->u[1],  &work->u[2]};
    for (int f = 0; f < 6; f++)
        DEW_TRY(dew_grid_add_field(work->grid, "f", DEW_AT_CELL, sizeof(double), &far, fields[f]));
    DEW_TRY(
        dew_grid_add_field(work->grid, "drop", DEW_AT_CELL, sizeof(int32_t), NULL, &work->drop));
    DEW_TRY(dew_grid_add_field(work->grid, "known", DEW_AT_CELL, 1, NULL, &work->known));
    DEW_TRY(initialise(work));
    int64_t count = dew_grid_value_count(work->grid);
    for (int64_t n = 0; n < count; n++)
        for (int a = 0; a < 3; a++)
            field(work, work->u[a])[n] = sin(0.01 * (double)(n % 977) + a);
    memcpy(field(work, work->saved), field(work, work->phi), (size_t)count * sizeof(double));
    for (int a = 0; a < 3; a++)
        DEW_TRY(dew_array_resize(&work->triad[a], TRIAD));
    return dew_markers_seed(&work->markers, work->grid, field(work, work->phi), NULL, 0,
                            &work->scratch);
}

// ns per item and, where the traffic is told (bytes per item), its share of the bandwidth.
static dew_Status figure(dew_BenchRun *b, Work *work, const char *name,
                         dew_Status (*kernel)(void *), int64_t items, const char *unit,
                         double bytes, double goal_ns)
{
    double seconds;
    char text[64];
    DEW_TRY(dew_bench_best_cpu(kernel, work, REPEATS, &seconds));
    dew_bench_cost(b, name, 1e9 * seconds / (double)items, unit, goal_ns);
    if (bytes > 0) {
        snprintf(text, sizeof text, "%s, of bandwidth", name);
        double rate = bytes * (double)items / seconds;
        dew_bench_rate(b, text, rate / work->triad_B_s, "", (double)NAN);
    }
    return dew_ok();
}

typedef struct Kernel {
    const char *name;
    dew_Status (*run)(void *);
    double bytes;  // per item: fields read and written once
    double goal_ns;
    bool is_per_marker;
} Kernel;

// Goals: those of the design for one core, so CPU time is what counts.
static const Kernel kernels[] = {
    {"tile of 14^3", tiles, 8, 0, false},
    {"initialise", initialise, 8, 0, false},
    {"WENO5 step (RK3)", weno, 3 * 48, 200, false},
    {"characteristics step", trace, 40, 400, false},
    {"curvature", curvature, 16, 0, false},
    {"normals", normals, 32, 0, false},
    {"phi at faces", to_faces, 16, 0, false},
    {"volume and area", volume, 8, 0, false},
    {"integral over the surface", integrate, 16, 0, false},
    {"drops", drops, 12, 0, false},
    {"volume of each drop", correct_volume, 20, 0, false},
    {"redistance, closest point", closest, 16, 0, false},
    {"redistance, sweeping", sweeping, 16, 0, false},
    {"redistance, marching", marching, 16, 0, false},
    {"extension", extend, 25, 0, false},
    {"bricks follow", follow, 8, 0, false},
    {"hash", hash, 8, 0, false},
    {"pack and unpack", pack, 2 * 106, 0, false},  // seven fields of double, two smaller ones
    {"markers: move and sort", move_markers, 2 * 40, 0, true},
    {"markers: correct", correct, 32, 0, true},
    {"markers: radii", adjust, 40, 0, true},
    {"markers: seed", seed, 40, 0, true}};

static dew_Status measure(dew_BenchRun *b, Work *work)
{
    double seconds;
    DEW_TRY(dew_bench_best_cpu(triad, work, 5, &seconds));
    work->triad_B_s = 3 * sizeof(double) * (double)TRIAD / seconds;
    dew_bench_rate(b, "triad", 1e-9 * work->triad_B_s, "GB/s", (double)NAN);
    int64_t cells = work->grid->brick_count * (int64_t)work->grid->brick_cells;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        const Kernel *kernel = &kernels[k];
        int64_t items = kernel->is_per_marker ? work->markers.particles.count : cells;
        memcpy(field(work, work->phi), field(work, work->saved),
               (size_t)dew_grid_value_count(work->grid) * sizeof(double));
        DEW_TRY(figure(b, work, kernel->name, kernel->run, items,
                       kernel->is_per_marker ? "ns/marker" : "ns/cell", kernel->bytes,
                       kernel->goal_ns > 0 ? kernel->goal_ns : (double)NAN));
    }
    // A sweep of OpenVDB takes 0.33 s for 236,000 voxels: half of that.
    return figure(b, work, "redistance, band cells", closest, work->told.near_count, "ns/cell", 0,
                  700);
}

static dew_Status run(dew_BenchRun *b)
{
    Work work = {0};
    dew_MarkersDef markers = dew_default_markers_def();
    markers.max_per_cell = 16;
    dew_arena_init(&work.scratch, NULL);
    dew_markers_init(&work.markers, &markers);
    dew_array_init(&work.drops, NULL, sizeof(dew_LevelsetDrop));
    dew_array_init(&work.packed, NULL, 1);
    for (int a = 0; a < 3; a++)
        dew_array_init(&work.triad[a], NULL, sizeof(double));
    dew_Status status = make(&work, b->tasks);
    if (status.code == DEW_OK)
        status = measure(b, &work);
    for (int a = 0; a < 3; a++)
        dew_array_deinit(&work.triad[a]);
    dew_array_deinit(&work.packed);
    dew_array_deinit(&work.drops);
    dew_markers_deinit(&work.markers);
    dew_arena_deinit(&work.scratch);
    dew_grid_destroy(work.grid);
    return status;
}

const dew_Bench dew_bench_grid = {"grid", "bricks, level sets, particles: CPU time per cell", run};
