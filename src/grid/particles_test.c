// Particles: order, coming and going, motion in a known flow, bit-identical on any number of
// workers.
#include "grid/particles.h"

#include "base/random.h"
#include "base/torture.h"
#include "grid/levelset_testing.h"
#include "grid/sample.h"

static void strew(dew_Particles *particles, int64_t count, double lo, double hi, uint64_t first_id)
{
    dew_Random random = dew_random(7, first_id, 0);
    int64_t from = particles->count;
    assert_int_equal(dew_particles_insert(particles, count).code, DEW_OK);
    for (int64_t n = from; n < from + count; n++) {
        for (int a = 0; a < 3; a++)
            dew_particles_axis(particles, a)[n] = dew_random_range(&random, lo, hi);
        // Ids in disorder: multiplication by an odd number permutes them.
        dew_particles_ids(particles)[n] =
            (first_id + (uint64_t)(n - from)) * 2654435761u % (1u << 31);
    }
}

static void check_sorted(const dew_Particles *particles, const dew_Grid *grid)
{
    for (int32_t b = 0; b < grid->brick_count; b++) {
        int64_t from, to;
        dew_particles_of_brick(particles, b, &from, &to);
        for (int64_t n = from; n < to; n++) {
            assert_int_equal(dew_grid_brick_at(grid, dew_particles_position(particles, n)), b);
            if (n > from)
                assert_true(dew_particles_ids(particles)[n - 1] < dew_particles_ids(particles)[n]);
        }
    }
}

static void particles_are_sorted_by_brick_and_id(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_Particles particles;
    dew_test_grid(&t, 3, 32, NULL);
    dew_test_add_ball(&t, (dew_TestBall){{16, 16, 16}, 6}, true);
    dew_particles_init(&particles, NULL);
    int tag = dew_particles_add_column(&particles, sizeof(uint64_t));
    strew(&particles, 5000, 9, 23, 1);
    memcpy(dew_particles_column(&particles, tag), dew_particles_ids(&particles),
           5000 * sizeof(uint64_t));
    dew_particles_axis(&particles, 0)[17] = -300;  // outside all bricks
    dew_particles_axis(&particles, 1)[18] = (double)NAN;
    dew_particles_remove(&particles, 19);
    assert_int_equal(dew_particles_sort(&particles, t.grid, &t.scratch).code, DEW_OK);
    assert_int_equal(particles.count, 4997);
    check_sorted(&particles, t.grid);
    assert_memory_equal(dew_particles_column(&particles, tag), dew_particles_ids(&particles),
                        (size_t)particles.count * sizeof(uint64_t));
    uint64_t hash = dew_particles_hash(&particles);
    assert_int_equal(dew_particles_sort(&particles, t.grid, &t.scratch).code, DEW_OK);
    assert_true(dew_particles_hash(&particles) == hash);
    strew(&particles, 1000, 9, 23, 6000);
    assert_int_equal(dew_particles_sort(&particles, t.grid, &t.scratch).code, DEW_OK);
    assert_int_equal(particles.count, 5997);
    check_sorted(&particles, t.grid);
    dew_particles_deinit(&particles);
    dew_test_grid_free(&t);
}

// Grouping: by brick, and in each brick those that were there before, in their order, with what
// came from other bricks.
static void particles_are_grouped_in_their_order(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_Particles particles;
    dew_test_grid(&t, 3, 32, NULL);
    dew_test_add_ball(&t, (dew_TestBall){{16, 16, 16}, 6}, true);
    dew_particles_init(&particles, NULL);
    int tag = dew_particles_add_column(&particles, sizeof(int64_t));
    strew(&particles, 5000, 9, 23, 1);
    dew_particles_axis(&particles, 0)[17] = -300;  // outside all bricks
    dew_particles_axis(&particles, 1)[18] = (double)NAN;
    dew_particles_remove(&particles, 19);
    for (int round = 0; round < 3; round++) {
        int64_t *tags = dew_particles_column(&particles, tag);
        uint64_t sum = 0;
        for (int64_t n = 0; n < particles.count; n++)
            tags[n] = n;
        particles.is_sorted = false;
        assert_int_equal(dew_particles_group(&particles, t.grid, &t.scratch).code, DEW_OK);
        assert_int_equal(particles.count, 4997);
        tags = dew_particles_column(&particles, tag);
        for (int32_t b = 0; b < t.grid->brick_count; b++) {
            int64_t from, to;
            dew_particles_of_brick(&particles, b, &from, &to);
            for (int64_t n = from; n < to; n++) {
                dew_Vec3 x = dew_particles_position(&particles, n);
                assert_int_equal(dew_grid_brick_at(t.grid, x), b);
                assert_true(n == from || tags[n] > tags[n - 1]);
                sum += dew_particles_ids(&particles)[n];
                dew_particles_axis(&particles, round)[n] =
                    32 - dew_particles_axis(&particles, round)[n];
            }
        }
        for (int64_t n = 0; n < particles.count; n++)
            sum -= dew_particles_ids(&particles)[n];
        assert_true(sum == 0);  // each is in one brick
    }
    dew_particles_deinit(&particles);
    dew_test_grid_free(&t);
}

static void count_arrivals(void *context, int32_t brick)
{
    ((int *)context)[brick]++;
}

// Sorting only the particles that are listed as outside their brick gives the order of sorting all.
static void known_strays_make_the_same_groups(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_Particles both[2];
    int arrivals[1000] = {0};
    dew_test_grid(&t, 3, 32, NULL);
    dew_test_add_ball(&t, (dew_TestBall){{16, 16, 16}, 6}, true);
    assert_true(t.grid->brick_count < 1000);
    for (int k = 0; k < 2; k++) {
        dew_particles_init(&both[k], NULL);
        strew(&both[k], 9000, 9, 23, 1);
        assert_int_equal(dew_particles_group(&both[k], t.grid, &t.scratch).code, DEW_OK);
    }
    for (int round = 0; round < 4; round++) {
        uint8_t left_brick[12000] = {0};
        dew_Random random = dew_random(9, (uint64_t)round, 0);
        int64_t count = both[0].count, step = round == 0 ? 50 : round == 1 ? 3 : 1000;
        for (int64_t n = 0; n < count; n++) {
            bool goes = dew_random_u32(&random) % step == 0;
            double displacement = dew_random_range(&random, -6, 6);
            left_brick[n] = goes || n % 97 == 0;  // some have not gone
            for (int k = 0; k < 2 && goes && round < 3; k++)
                dew_particles_axis(&both[k], (int)(n % 3))[n] += displacement;
            for (int k = 0; k < 2 && goes && n % 2 == 0; k++)
                dew_particles_remove(&both[k], n);
        }
        for (int k = 0; k < 2; k++) {
            both[k].is_sorted = false;
            strew(&both[k], 100, 9, 23, 20000 + 100 * (uint64_t)round);
        }
        dew_GroupDef def = {left_brick, count, count_arrivals, arrivals};
        assert_int_equal(dew_particles_group(&both[0], t.grid, &t.scratch).code, DEW_OK);
        assert_int_equal(dew_particles_group_as(&both[1], t.grid, &def, &t.scratch).code, DEW_OK);
        assert_true(both[0].count < count + 100);
        assert_true(dew_particles_hash(&both[0]) == dew_particles_hash(&both[1]));
        assert_memory_equal(both[0].first.data, both[1].first.data,
                            (size_t)(t.grid->brick_count + 1) * sizeof(int64_t));
        for (int32_t b = 0; b < t.grid->brick_count; b++)
            assert_int_equal(arrivals[b], round + 1);
    }
    dew_particles_deinit(&both[0]);
    dew_particles_deinit(&both[1]);
    dew_test_grid_free(&t);
}

static const dew_Place face[3] = {DEW_AT_FACE_X, DEW_AT_FACE_Y, DEW_AT_FACE_Z};

// Rotation about an axis through `about`: linear, so that trilinear interpolation is exact.
static void turning_flow(const dew_Grid *grid, dew_Vec3 axis, dew_Vec3 about, double *u[3])
{
    for (int a = 0; a < 3; a++)
        for (int64_t n = 0; n < dew_grid_value_count(grid); n++) {
            int c = (int)(n % grid->brick_cells);
            dew_Vec3 p = dew_grid_position(grid, (int32_t)(n / grid->brick_cells), c & 7,
                                           c >> 3 & 7, c >> 6, face[a]);
            dew_Vec3 v = dew_cross(axis, dew_sub(p, about));
            u[a][n] = a == 0 ? v.x : a == 1 ? v.y : v.z;
        }
}

static double turned_error(int dimensions, int steps, int workers, uint64_t *hash)
{
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = workers;
    dew_Tasks *tasks;
    dew_TestGrid t;
    dew_Particles particles;
    assert_int_equal(dew_tasks_create(&def, &tasks).code, DEW_OK);
    dew_test_grid(&t, dimensions, 48, tasks);
    dew_Vec3 about = {24, 24, dimensions == 3 ? 24 : 0.5};
    dew_test_add_ball(&t, (dew_TestBall){about, 18}, true);
    double *u[3] = {dew_test_field(&t), dew_test_field(&t), dew_test_field(&t)};
    dew_Vec3 axis = dimensions == 3 ? dew_normalize(dew_vec(1, 2, 3)) : dew_vec(0, 0, 1);
    turning_flow(t.grid, axis, about, u);
    dew_particles_init(&particles, NULL);
    int column = dew_particles_add_column(&particles, sizeof(dew_Vec3));
    strew(&particles, 3000, 24 - 9, 24 + 9, 1);
    dew_Vec3 *start = dew_particles_column(&particles, column);
    for (int64_t n = 0; n < particles.count; n++) {
        if (dimensions == 2)
            dew_particles_axis(&particles, 2)[n] = 0.5;
        start[n] = dew_particles_position(&particles, n);
    }
    for (int s = 0; s < steps; s++) {
        assert_int_equal(dew_particles_sort(&particles, t.grid, &t.scratch).code, DEW_OK);
        const double *const flow[3] = {u[0], u[1], u[2]};
        assert_int_equal(dew_particles_advect(&particles, t.grid, flow, 0.5 / steps).code, DEW_OK);
    }
    double worst = 0;
    dew_Rotation turn = dew_rotation_about(axis, 0.5);
    start = dew_particles_column(&particles, column);
    for (int64_t n = 0; n < particles.count; n++) {
        dew_Vec3 want = dew_add(about, dew_rotate(turn, dew_sub(start[n], about)));
        worst = fmax(worst, dew_distance(want, dew_particles_position(&particles, n)));
    }
    assert_int_equal(particles.count, 3000);
    *hash = dew_particles_hash(&particles);
    dew_particles_deinit(&particles);
    dew_test_grid_free(&t);
    dew_tasks_destroy(tasks);
    return worst;
}

static void motion_is_of_third_order(void **state)
{
    (void)state;
    uint64_t hash;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        double coarse = turned_error(dimensions, 4, 1, &hash);
        double fine = turned_error(dimensions, 8, 1, &hash);
        // A step by the angle w leaves w^4 / 24 of the radius, at most 16: four steps of 1/8.
        assert_true(coarse < 4 * 16.0 / 24 / 4096 * 1.05);
        assert_true(fine < coarse / 7.5);
    }
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    uint64_t one, two, seven;
    turned_error(3, 3, 1, &one);
    turned_error(3, 3, 2, &two);
    turned_error(3, 3, 7, &seven);
    assert_true(one == two && one == seven);
}

static void linear_fields_are_sampled_exactly(void **state)
{
    (void)state;
    dew_TestGrid t;
    dew_test_grid(&t, 3, 32, NULL);
    dew_test_add_ball(&t, (dew_TestBall){{16, 16, 16}, 6}, true);
    double *f = dew_test_field(&t), value;
    for (int64_t n = 0; n < dew_grid_value_count(t.grid); n++) {
        dew_Vec3 p = dew_test_position(t.grid, n);
        f[n] = 1 + 2 * p.x - 3 * p.y + 0.5 * p.z;
    }
    dew_Random random = dew_random(1, 1, 1);
    for (int m = 0; m < 500; m++) {
        dew_Vec3 p = {dew_random_range(&random, 9, 23), dew_random_range(&random, 9, 23),
                      dew_random_range(&random, 9, 23)};
        assert_true(dew_grid_sample(t.grid, f, DEW_AT_CELL, p, &value));
        assert_true(fabs(value - (1 + 2 * p.x - 3 * p.y + 0.5 * p.z)) < 1e-12);
    }
    assert_false(dew_grid_sample(t.grid, f, DEW_AT_CELL, dew_vec(-900, 0, 0), &value));
    assert_false(dew_grid_sample(t.grid, f, DEW_AT_CELL, dew_vec((double)NAN, 0, 0), &value));
    dew_test_grid_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_are_sorted_by_brick_and_id),
        cmocka_unit_test(particles_are_grouped_in_their_order),
        cmocka_unit_test(known_strays_make_the_same_groups),
        cmocka_unit_test(motion_is_of_third_order),
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(linear_fields_are_sampled_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
