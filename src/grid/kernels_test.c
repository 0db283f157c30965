// Every kernel of level sets and markers alone: bit-identical on 1, 2 and 7 workers, and no
// allocation once it has run three times.
#include "base/hash.h"
#include "base/status.h"
#include "base/torture.h"
#include "grid/levelset_testing.h"
#include "grid/particles.h"

// Two balls in a turning flow, with markers.
typedef struct Bed {
    dew_Grid *grid;
    dew_Arena scratch;
    dew_Markers markers;
    dew_Array drops;
    int phi, u[3], q[3], drop;
    double numbers[2];  // what a kernel tells
    int round;
} Bed;

static const dew_TestBall balls[2] = {{{13.1, 14.7, 15.3}, 7}, {{30.2, 29.1, 28.7}, 6}};

static double two_balls(void *context, dew_Vec3 p, double reach_m)
{
    (void)reach_m;
    (void)context;
    return fmin(dew_distance(p, balls[0].center) - balls[0].radius,
                dew_distance(p, balls[1].center) - balls[1].radius);
}

static double *field(const Bed *bed, int number)
{
    return dew_grid_f64(bed->grid, number);
}

static void fill_flow(Bed *bed)
{
    static const dew_Place place[3] = {DEW_AT_FACE_X, DEW_AT_FACE_Y, DEW_AT_FACE_Z};
    const dew_Grid *grid = bed->grid;
    for (int a = 0; a < 3; a++)
        for (int64_t n = 0; n < dew_grid_value_count(grid); n++) {
            int c = (int)(n % grid->brick_cells);
            dew_Vec3 p = dew_grid_position(grid, (int32_t)(n / grid->brick_cells), c & 7,
                                           c >> 3 & 7, c >> 6, place[a]);
            dew_Vec3 v = dew_cross(dew_vec(0.3, 0.2, 1), dew_sub(p, dew_vec(22, 22, 22)));
            field(bed, bed->u[a])[n] = a == 0 ? v.x : a == 1 ? v.y : v.z;
        }
}

static void flow_of(const Bed *bed, const double *u[3])
{
    for (int a = 0; a < 3; a++)
        u[a] = field(bed, bed->u[a]);
}

static void make(Bed *bed, dew_Tasks *tasks, const dew_Allocator *allocator)
{
    dew_GridDef def = dew_default_grid_def();
    dew_MarkersDef markers = dew_default_markers_def();
    const double far = 5;
    def.cell_m = 1;
    def.tasks = tasks;
    def.allocator = markers.allocator = *allocator;
    markers.max_per_cell = 8;
    for (int a = 0; a < 3; a++)
        def.cell_max[a] = 44;
    *bed = (Bed){0};
    assert_int_equal(dew_grid_create(&def, &bed->grid).code, DEW_OK);
    int *doubles[7] = {&bed->phi,  &bed->u[0], &bed->u[1], &bed->u[2],
                       &bed->q[0], &bed->q[1], &bed->q[2]};
    for (int f = 0; f < 7; f++)
        assert_int_equal(dew_grid_add_field(bed->grid, "f", DEW_AT_CELL, 8, &far, doubles[f]).code,
                         DEW_OK);
    assert_int_equal(dew_grid_add_field(bed->grid, "d", DEW_AT_CELL, 4, NULL, &bed->drop).code,
                     DEW_OK);
    dew_arena_init(&bed->scratch, allocator);
    dew_array_init(&bed->drops, allocator, sizeof(dew_LevelSetDrop));
    dew_markers_init(&bed->markers, &markers);
    assert_int_equal(
        dew_levelset_add(bed->grid, bed->phi, two_balls, NULL, 5, true, &bed->scratch).code,
        DEW_OK);
    fill_flow(bed);
    assert_int_equal(
        dew_markers_seed(&bed->markers, bed->grid, field(bed, bed->phi), NULL, 0, &bed->scratch)
            .code,
        DEW_OK);
}

static void unmake(Bed *bed)
{
    dew_markers_deinit(&bed->markers);
    dew_array_deinit(&bed->drops);
    dew_arena_deinit(&bed->scratch);
    dew_grid_destroy(bed->grid);
}

// ---- Kernels ------------------------------------------------------------------------------------

static dew_Status add(Bed *bed)
{
    return dew_levelset_add(bed->grid, bed->phi, two_balls, NULL, 5, true, &bed->scratch);
}

// The balls go to and fro, and the bricks with them.
static dew_Status update_bricks(Bed *bed)
{
    const double *u[3];
    fill_flow(bed);
    flow_of(bed, u);
    double dt = bed->round++ % 2 ? -0.1 : 0.1;
    DEW_TRY(dew_levelset_advect_trace(bed->grid, field(bed, bed->phi), u, dt, 4.9, &bed->scratch));
    DEW_TRY(dew_levelset_redistance(bed->grid, field(bed, bed->phi), DEW_REDISTANCE_CLOSEST, 5,
                                    &bed->scratch, NULL));
    return dew_levelset_update_bricks(bed->grid, bed->phi, 4, 5, true, &bed->scratch);
}

static dew_Status weno(Bed *bed)
{
    const double *u[3];
    flow_of(bed, u);
    return dew_levelset_advect_weno(bed->grid, field(bed, bed->phi), u, 0.01, 4.9, &bed->scratch);
}

static dew_Status trace(Bed *bed)
{
    const double *u[3];
    flow_of(bed, u);
    return dew_levelset_advect_trace(bed->grid, field(bed, bed->phi), u, 0.05, 4.9, &bed->scratch);
}

static dew_Status redistance(Bed *bed, dew_RedistanceMethod method)
{
    double *phi = field(bed, bed->phi);
    dew_Redistanced report;
    for (int64_t n = 0; n < dew_grid_value_count(bed->grid); n++)
        phi[n] *= 1 + 0.2 * sin(0.3 * dew_test_position(bed->grid, n).x);
    DEW_TRY(dew_levelset_redistance(bed->grid, phi, method, 5, &bed->scratch, &report));
    bed->numbers[0] = (double)report.near_count;
    bed->numbers[1] = (double)report.failed_count;
    return dew_ok();
}

static dew_Status closest(Bed *bed)
{
    return redistance(bed, DEW_REDISTANCE_CLOSEST);
}

static dew_Status sweep(Bed *bed)
{
    return redistance(bed, DEW_REDISTANCE_SWEEP);
}

static dew_Status march(Bed *bed)
{
    return redistance(bed, DEW_REDISTANCE_MARCH);
}

static dew_Status curvature(Bed *bed)
{
    return dew_levelset_curvature(bed->grid, field(bed, bed->phi), 2, field(bed, bed->q[0]));
}

static dew_Status normals(Bed *bed)
{
    double *const normal[3] = {field(bed, bed->q[0]), field(bed, bed->q[1]), field(bed, bed->q[2])};
    return dew_levelset_normals(bed->grid, field(bed, bed->phi), 2, normal);
}

static dew_Status cut(Bed *bed)
{
    return dew_levelset_cut(bed->grid, field(bed, bed->phi), field(bed, bed->q[0]),
                            field(bed, bed->q[1]));
}

static dew_Status measure(Bed *bed)
{
    dew_LevelSetMeasure m;
    DEW_TRY(dew_levelset_measure(bed->grid, field(bed, bed->phi), &bed->scratch, &m));
    bed->numbers[0] = m.volume_m3;
    bed->numbers[1] = m.area_m2;
    return dew_ok();
}

static dew_Status integrate(Bed *bed)
{
    return dew_levelset_integrate(bed->grid, field(bed, bed->phi), field(bed, bed->u[0]),
                                  &bed->scratch, &bed->numbers[0]);
}

static dew_Status drops(Bed *bed)
{
    int32_t *drop = dew_grid_field(bed->grid, bed->drop);
    DEW_TRY(dew_levelset_drops(bed->grid, field(bed, bed->phi), drop, &bed->drops, &bed->scratch));
    double wanted[2] = {1300, 800};
    if (bed->drops.count != 2)
        return dew_fail(DEW_CORRUPT, "%lld drops", (long long)bed->drops.count);
    return dew_levelset_correct_volumes(bed->grid, field(bed, bed->phi), drop, &bed->drops, wanted,
                                        0.1, &bed->scratch);
}

static dew_Status seed(Bed *bed)
{
    return dew_markers_seed(&bed->markers, bed->grid, field(bed, bed->phi), NULL,
                            (uint64_t)bed->round++, &bed->scratch);
}

static dew_Status move_markers(Bed *bed)
{
    const double *u[3];
    flow_of(bed, u);
    double dt = bed->round++ % 2 ? -0.1 : 0.1;
    return dew_markers_advect(&bed->markers, bed->grid, u, dt, &bed->scratch);
}

static dew_Status correct(Bed *bed)
{
    int64_t escaped;
    double *phi = field(bed, bed->phi);
    for (int64_t n = 0; n < dew_grid_value_count(bed->grid); n++)
        phi[n] += 0.3;
    DEW_TRY(dew_markers_correct(&bed->markers, bed->grid, phi, &bed->scratch, &escaped));
    bed->numbers[0] = (double)escaped;
    return dew_ok();
}

static dew_Status adjust(Bed *bed)
{
    return dew_markers_adjust(&bed->markers, bed->grid, field(bed, bed->phi));
}

typedef struct Kernel {
    const char *name;
    dew_Status (*run)(Bed *);
} Kernel;

static const Kernel kernels[] = {{"add", add},
                                 {"follow", update_bricks},
                                 {"weno", weno},
                                 {"trace", trace},
                                 {"closest points", closest},
                                 {"sweeping", sweep},
                                 {"marching", march},
                                 {"curvature", curvature},
                                 {"normals", normals},
                                 {"cut", cut},
                                 {"measure", measure},
                                 {"integrate", integrate},
                                 {"drops and their volumes", drops},
                                 {"seed", seed},
                                 {"move markers", move_markers},
                                 {"correct", correct},
                                 {"adjust", adjust}};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

// ---- Tests --------------------------------------------------------------------------------------

static uint64_t hash_of(Bed *bed)
{
    uint64_t hash = dew_hash(bed->numbers, sizeof bed->numbers, 0);
    for (int f = 0; f < (int)bed->grid->fields.count; f++)
        hash = 31 * hash + dew_grid_hash(bed->grid, f);
    hash = dew_hash(bed->drops.data, (size_t)bed->drops.count * bed->drops.element_size, hash);
    return hash + dew_particles_hash(&bed->markers.particles);
}

static uint64_t hash_on(const Kernel *kernel, int workers)
{
    dew_TasksDef def = dew_default_tasks_def();
    dew_Allocator allocator = {0};
    dew_Tasks *tasks;
    Bed bed;
    def.worker_count = workers;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    make(&bed, tasks, &allocator);
    for (int n = 0; n < 2; n++) {
        dew_arena_clear(&bed.scratch);
        assert_int_equal(kernel->run(&bed).code, DEW_OK);
    }
    uint64_t hash = hash_of(&bed);
    unmake(&bed);
    dew_tasks_destroy(tasks);
    return hash;
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++) {
        uint64_t one = hash_on(&kernels[k], 1);
        if (hash_on(&kernels[k], 2) != one || hash_on(&kernels[k], 7) != one)
            fail_msg("%s: other bits with more workers", kernels[k].name);
    }
}

static void nothing_is_allocated_in_a_steady_state(void **state)
{
    (void)state;
    for (int k = 0; k < KERNELS; k++) {
        dew_Torture torture = dew_torture(-1);
        dew_Allocator allocator = dew_torture_allocator(&torture);
        int64_t calls = 0;
        Bed bed;
        make(&bed, NULL, &allocator);
        for (int n = 0; n < 5; n++) {
            calls = n == 3 ? torture.calls : calls;
            dew_arena_clear(&bed.scratch);
            assert_int_equal(kernels[k].run(&bed).code, DEW_OK);
        }
#ifndef DEW_AUDIT_ON
        if (torture.calls != calls)
            fail_msg("%s: allocates", kernels[k].name);
#endif
        unmake(&bed);
        assert_int_equal(torture.blocks, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(nothing_is_allocated_in_a_steady_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
