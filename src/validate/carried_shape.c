// Carries a shape through a prescribed flow and back, and compares it with where it should be.
//
// Order per step: bricks follow, markers and phi move with the flow of the step's middle, markers correct
// phi, phi is redistanced, markers correct it again, radii are adjusted. The flow is sampled on faces, as a solver
// would have it.
#include "validate/carried_shape.h"

#include "base/clock.h"
#include "base/status.h"
#include "base/sum.h"

#define BAND   5   // cells
#define RESEED 20  // steps

typedef struct Carry {
    const dew_CarryDef *def;
    dew_Grid *grid;
    dew_Arena scratch;
    dew_Markers markers;
    dew_Array drops;
    int phi, u[3];  // fields
} Carry;

dew_CarryStep dew_carry_steady(int index, int count, double duration_s)
{
    double dt = duration_s / count;
    return (dew_CarryStep){(index + 0.5) * dt, dt, 1};
}

dew_CarryStep dew_carry_reversed(int index, int count, double duration_s)
{
    dew_CarryStep step = dew_carry_steady(index, count, duration_s);
    step.factor = cos(DEW_PI * step.time_s / duration_s);
    return step;
}

// When the part `way` of the whole way is behind: the integral of |cos(pi t / T)| is 2 T / pi.
static double time_of_way(double way, double duration_s)
{
    return way <= 0.5 ? duration_s / DEW_PI * asin(2 * way)
                      : duration_s * (1 - asin(2 - 2 * way) / DEW_PI);
}

dew_CarryStep dew_carry_reversed_evenly(int index, int count, double duration_s)
{
    DEW_ASSERT(count % 2 == 0);
    double begin = time_of_way((double)index / count, duration_s);
    double end = time_of_way((index + 1.0) / count, duration_s);
    double way = 2 * duration_s / DEW_PI / count * (2 * index < count ? 1 : -1);
    return (dew_CarryStep){0.5 * (begin + end), end - begin, way / (end - begin)};
}

typedef struct Flow {
    const Carry *carry;
    dew_CarryStep step;
} Flow;

// Velocities at the faces of one brick, point by point.
static void sample_flow(const Flow *flow, int32_t brick, double *const u[3])
{
    static const dew_Place place[3] = {DEW_AT_FACE_X, DEW_AT_FACE_Y, DEW_AT_FACE_Z};
    const Carry *carry = flow->carry;
    for (int a = 0; a < carry->grid->dimensions; a++)
        for (int n = 0; n < carry->grid->brick_cells; n++) {
            dew_Vec3 p = dew_grid_position(carry->grid, brick, n & 7, n >> 3 & 7, n >> 6, place[a]);
            dew_Vec3 v = carry->def->velocity(carry->def->context, p, flow->step.time_s);
            u[a][n] = a == 0 ? v.x : a == 1 ? v.y : v.z;
        }
}

static dew_Status flow_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Flow *flow = context;
    const Carry *carry = flow->carry;
    const dew_Grid *grid = carry->grid;
    for (int64_t b = begin; b < end; b++) {
        double *u[3];
        for (int a = 0; a < 3; a++)
            u[a] = dew_grid_f64(grid, carry->u[a]) + b * grid->brick_cells;
        dew_CarryFaces faces = {dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE),
                                grid->cell_m, grid->depth};
        if (carry->def->velocities)
            carry->def->velocities(carry->def->context, &faces, u);
        else
            sample_flow(flow, (int32_t)b, u);
        for (int a = 0; a < grid->dimensions; a++)
            for (int n = 0; n < grid->brick_cells; n++)
                u[a][n] *= flow->step.factor;
    }
    return dew_ok();
}

static dew_Status advect(Carry *carry, double *phi, const double *const u[3], double dt)
{
    const dew_CarryDef *def = carry->def;
    dew_Grid *grid = carry->grid;
    double band = 0.999 * BAND * grid->cell_m;
    if (def->markers_per_cell > 0)
        DEW_TRY(dew_markers_advect(&carry->markers, grid, u, dt, &carry->scratch));
    if (def->scheme == DEW_CARRY_WENO)
        return dew_levelset_advect_weno(grid, phi, u, dt, band, &carry->scratch);
    return dew_levelset_advect_trace(grid, phi, u, dt, band, &carry->scratch);
}

static dew_Status step(Carry *carry, int index)
{
    const dew_CarryDef *def = carry->def;
    dew_Grid *grid = carry->grid;
    dew_Arena *scratch = &carry->scratch;
    double h = grid->cell_m;
    dew_arena_clear(scratch);
    DEW_TRY(dew_levelset_follow(grid, carry->phi, (BAND - 1) * h, BAND * h, true, scratch));
    Flow flow = {carry, def->step(index, def->step_count, def->duration_s)};
    DEW_TRY(dew_grid_for(grid, flow_chunk, &flow));
    double *phi = dew_grid_f64(grid, carry->phi);
    const double *u[3] = {dew_grid_f64(grid, carry->u[0]), dew_grid_f64(grid, carry->u[1]),
                          dew_grid_f64(grid, carry->u[2])};
    DEW_TRY(advect(carry, phi, u, flow.step.dt_s));
    if (def->markers_per_cell > 0)
        DEW_TRY(dew_markers_correct(&carry->markers, grid, phi, scratch, NULL));
    DEW_TRY(dew_levelset_redistance(grid, phi, DEW_REDISTANCE_CLOSEST, BAND * h, scratch, NULL));
    if (def->markers_per_cell > 0) {
        DEW_TRY(dew_markers_correct(&carry->markers, grid, phi, scratch, NULL));
        DEW_TRY(dew_markers_adjust(&carry->markers, grid, phi));
        if ((index + 1) % RESEED == 0)
            DEW_TRY(
                dew_markers_seed(&carry->markers, grid, phi, NULL, (uint64_t)index + 1, scratch));
    }
    return dew_ok();
}

typedef struct Expected {
    const Carry *carry;
    dew_DistanceFn *distance;
    double *phi;
} Expected;

static dew_Status expected_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Expected *expected = context;
    const Carry *carry = expected->carry;
    const dew_Grid *grid = carry->grid;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < grid->brick_cells; n++)
            expected->phi[b * grid->brick_cells + n] = expected->distance(
                carry->def->context,
                dew_grid_position(grid, (int32_t)b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL));
    return dew_ok();
}

// Difference of the liquid's shares, over bricks that hold both shapes.
static dew_Status compare(Carry *carry, dew_Carried *out)
{
    dew_Grid *grid = carry->grid;
    double h = grid->cell_m, band = BAND * h;
    dew_arena_clear(&carry->scratch);
    // Bricks of the expected shape that are not there are added as empty: phi is far outside in them.
    dew_DistanceFn *distance = carry->def->expected ? carry->def->expected : carry->def->distance;
    int expected;
    double far = band;
    DEW_TRY(dew_grid_add_field(grid, "expected", DEW_AT_CELL, sizeof(double), &far, &expected));
    DEW_TRY(dew_levelset_add(grid, expected, distance, carry->def->context, band, true,
                             &carry->scratch));
    int64_t count = dew_grid_value_count(grid);
    double *exact = dew_arena_array(&carry->scratch, double, count);
    double *share = dew_arena_array(&carry->scratch, double, count);
    double *other = dew_arena_array(&carry->scratch, double, count);
    if (!exact || !share || !other)
        return dew_no_memory((size_t)count * sizeof(double));
    Expected work = {carry, distance, exact};
    DEW_TRY(dew_grid_for(grid, expected_chunk, &work));
    DEW_TRY(dew_levelset_cut(grid, dew_grid_f64(grid, carry->phi), share, NULL));
    DEW_TRY(dew_levelset_cut(grid, exact, other, NULL));
    for (int64_t n = 0; n < count; n++)
        share[n] = fabs(share[n] - other[n]);
    out->symmetric_difference = dew_sum(grid->tasks, share, count) * pow(h, grid->dimensions);
    return dew_ok();
}

static dew_Status count_pieces(Carry *carry, dew_Carried *out)
{
    dew_Grid *grid = carry->grid;
    int32_t *drop = dew_arena_array(&carry->scratch, int32_t, dew_grid_value_count(grid));
    if (!drop)
        return dew_no_memory((size_t)dew_grid_value_count(grid) * sizeof *drop);
    DEW_TRY(dew_levelset_drops(grid, dew_grid_f64(grid, carry->phi), drop, &carry->drops,
                               &carry->scratch));
    int64_t least = grid->dimensions == 3 ? 27 : 9;
    for (int64_t n = 0; n < carry->drops.count; n++)
        out->piece_count += DEW_ITEMS(&carry->drops, dew_LevelsetDrop)[n].cell_count > least;
    return dew_ok();
}

static dew_Status make(Carry *carry)
{
    const dew_CarryDef *def = carry->def;
    dew_GridDef grid_def = dew_default_grid_def();
    grid_def.dimensions = def->dimensions;
    grid_def.cell_m = 1.0 / def->cells;
    grid_def.tasks = def->tasks;
    for (int a = 0; a < 3; a++)
        grid_def.cell_max[a] = a < def->dimensions ? def->cells : 1;
    double far = BAND * grid_def.cell_m;
    DEW_TRY(dew_grid_create(&grid_def, &carry->grid));
    DEW_TRY(dew_grid_add_field(carry->grid, "phi", DEW_AT_CELL, sizeof(double), &far, &carry->phi));
    for (int a = 0; a < 3; a++)
        DEW_TRY(dew_grid_add_field(carry->grid, "u", DEW_AT_FACE_X, sizeof(double), NULL,
                                   &carry->u[a]));
    DEW_TRY(dew_levelset_add(carry->grid, carry->phi, def->distance, def->context, far, true,
                             &carry->scratch));
    if (def->markers_per_cell > 0)
        DEW_TRY(dew_markers_seed(&carry->markers, carry->grid,
                                 dew_grid_f64(carry->grid, carry->phi), NULL, 0, &carry->scratch));
    return dew_ok();
}

static dew_Status run(Carry *carry, dew_Carried *out)
{
    dew_LevelsetMeasure before, after;
    DEW_TRY(make(carry));
    dew_Grid *grid = carry->grid;
    DEW_TRY(dew_levelset_measure(grid, dew_grid_f64(grid, carry->phi), &carry->scratch, &before));
    double start_s = dew_cpu_s();
    for (int n = 0; n < carry->def->step_count; n++) {
        DEW_TRY(step(carry, n));
        int64_t cells = grid->brick_count * (int64_t)grid->brick_cells;
        out->max_cells = cells > out->max_cells ? cells : out->max_cells;
        int64_t markers = carry->markers.particles.count;
        out->max_markers = markers > out->max_markers ? markers : out->max_markers;
    }
    out->cpu_s = dew_cpu_s() - start_s;
    DEW_TRY(dew_levelset_measure(grid, dew_grid_f64(grid, carry->phi), &carry->scratch, &after));
    out->volume = before.volume_m3;
    out->end_volume = after.volume_m3;
    out->volume_change = after.volume_m3 / before.volume_m3 - 1;
    DEW_TRY(count_pieces(carry, out));
    return compare(carry, out);
}

dew_Status dew_carry(const dew_CarryDef *def, dew_Carried *out)
{
    Carry carry = {.def = def};
    dew_MarkersDef markers = dew_default_markers_def();
    *out = (dew_Carried){0};
    markers.max_per_cell = def->markers_per_cell;
    dew_arena_init(&carry.scratch, NULL);
    dew_array_init(&carry.drops, NULL, sizeof(dew_LevelsetDrop));
    dew_markers_init(&carry.markers, &markers);
    dew_Status status = run(&carry, out);
    dew_markers_deinit(&carry.markers);
    dew_array_deinit(&carry.drops);
    dew_arena_deinit(&carry.scratch);
    dew_grid_destroy(carry.grid);
    return status;
}
