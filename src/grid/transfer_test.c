// Transfers between particles and faces: what they keep, what they represent exactly, bit-identical
// on any number of workers.
#include "grid/transfer.h"

#include "base/random.h"
#include "base/torture.h"
#include "grid/levelset_testing.h"

#include <float.h>

#define assert_near(a, b, allowed) assert_true(fabs((a) - (b)) <= (allowed))

typedef struct Case {
    dew_TestGrid t;
    dew_Tasks *tasks;
    dew_Particles particles;
    int motion;
    double *u[3], *mass[3];
} Case;

static const dew_Place face[3] = {DEW_AT_FACE_X, DEW_AT_FACE_Y, DEW_AT_FACE_Z};

// A ball of bricks with particles strewn in it, at rest.
static void begin(Case *c, int dimensions, int workers)
{
    dew_TasksDef def = dew_default_tasks_def();
    dew_Random random = dew_random(2015, 1, 0);
    def.worker_count = workers;
    assert_int_equal(dew_tasks_create(&def, &c->tasks).code, DEW_OK);
    dew_test_grid(&c->t, dimensions, 40, c->tasks);
    dew_Vec3 center = {20, 20, dimensions == 3 ? 20 : 0.5};
    dew_test_add_ball(&c->t, (dew_TestBall){center, 11}, true);
    dew_particles_init(&c->particles, NULL);
    c->motion = dew_transfer_add_columns(&c->particles);
    assert_int_equal(dew_particles_insert(&c->particles, 4000).code, DEW_OK);
    for (int64_t n = 0; n < c->particles.count; n++) {
        for (int a = 0; a < 3; a++)
            dew_particles_axis(&c->particles, a)[n] =
                a < dimensions ? dew_random_range(&random, 14, 26) : 0.5;
        dew_particles_ids(&c->particles)[n] = (uint64_t)n;
    }
    assert_int_equal(dew_particles_sort(&c->particles, c->t.grid, &c->t.scratch).code, DEW_OK);
    for (int a = 0; a < 3; a++) {
        c->u[a] = dew_test_field(&c->t);
        c->mass[a] = dew_test_field(&c->t);
    }
}

static void end(Case *c)
{
    dew_particles_deinit(&c->particles);
    dew_test_grid_free(&c->t);
    dew_tasks_destroy(c->tasks);
}

static dew_Motion *motions(Case *c)
{
    return dew_transfer_motion(&c->particles, c->motion);
}

static dew_Shear *shears(Case *c)
{
    return dew_transfer_shear(&c->particles, c->motion);
}

static void to_grid(Case *c)
{
    assert_int_equal(
        dew_transfer_to_grid(&c->particles, c->motion, c->t.grid, c->u, c->mass, &c->t.scratch)
            .code,
        DEW_OK);
}

static void move(Case *c, const double *const beside[3], dew_TransferKind kind, double dt_s)
{
    const double *const u[3] = {c->u[0], c->u[1], c->u[2]};
    dew_TransferMove by = {.kind = kind, .u = u, .beside = beside, .dt_s = dt_s};
    assert_int_equal(dew_transfer_move(&c->particles, c->motion, c->t.grid, &by).code, DEW_OK);
}

static void to_particles(Case *c, const double *const u_old[3], dew_TransferKind kind)
{
    move(c, u_old, kind, 0);
}

static void stir(Case *c)
{
    dew_Random random = dew_random(2015, 2, 0);
    int axes = dew_grid_axes(c->t.grid);
    for (int64_t n = 0; n < c->particles.count; n++)
        for (int a = 0; a < axes; a++) {
            motions(c)[n].u[a] = dew_random_range(&random, -1, 1);
            for (int b = 0; b < axes; b++)
                shears(c)[n].c[a][b] = (float)dew_random_range(&random, -1, 1);
        }
}

// A flow that is linear in space: turning, stretching and moving on.
static double flow(int a, int b)
{
    static const double gradient[3][3] = {{0.2, -1, 0.3}, {0.9, -0.5, 0.1}, {-0.2, 0.4, 0.3}};
    return gradient[a][b];
}

static double flow_at(int a, dew_Vec3 p, int axes)
{
    const double x[3] = {p.x - 19, p.y - 21, p.z - 20};
    double u = 0.3 + a;
    for (int b = 0; b < axes; b++)
        u += flow(a, b) * x[b];
    return u;
}

static dew_Vec3 face_position(const Case *c, int a, int64_t n)
{
    int cell = (int)(n % c->t.grid->brick_cells);
    return dew_grid_position(c->t.grid, (int32_t)(n / c->t.grid->brick_cells), cell & 7,
                             cell >> 3 & 7, cell >> 6, face[a]);
}

static dew_Momentum momentum_of_faces(const Case *c)
{
    dew_Momentum sum = {{0, 0, 0}, {0, 0, 0}};
    for (int a = 0; a < dew_grid_axes(c->t.grid); a++)
        for (int64_t n = 0; n < dew_grid_value_count(c->t.grid); n++) {
            double m = c->mass[a][n] * c->u[a][n];
            dew_Vec3 v = {a == 0 ? m : 0, a == 1 ? m : 0, a == 2 ? m : 0};
            sum.linear = dew_add(sum.linear, v);
            sum.angular = dew_add(sum.angular, dew_cross(face_position(c, a, n), v));
        }
    return sum;
}

// spins: what the rounding of gradients, which are floats, may add to angular momentum.
static void assert_same_momentum(dew_Momentum a, dew_Momentum b, int axes, double spins)
{
    double rounding = 1e-9;  // of some 10^4 terms of some 10^2
    assert_near(a.linear.x, b.linear.x, rounding);
    assert_near(a.linear.y, b.linear.y, rounding);
    assert_near(a.linear.z, b.linear.z, rounding);
    rounding += spins;
    assert_near(a.angular.z, b.angular.z, rounding);
    if (axes == 2)
        return;
    assert_near(a.angular.x, b.angular.x, rounding);
    assert_near(a.angular.y, b.angular.y, rounding);
}

static void momentum_is_kept_both_ways(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Case c;
        begin(&c, dimensions, 1);
        stir(&c);
        dew_Momentum before = dew_transfer_momentum(&c.particles, c.motion, c.t.grid);
        to_grid(&c);
        double mass = 0;
        for (int64_t n = 0; n < dew_grid_value_count(c.t.grid); n++)
            mass += c.mass[0][n];
        assert_near(mass, 4000, 1e-8);
        assert_same_momentum(before, momentum_of_faces(&c), dimensions, 0);
        to_particles(&c, NULL, DEW_TRANSFER_APIC);
        // 4,000 particles, two gradients of up to 1 each, h^2 t (1 - t) at most 1/4.
        assert_same_momentum(before, dew_transfer_momentum(&c.particles, c.motion, c.t.grid),
                             dimensions, 4000 * 2 * 0.25 * (double)FLT_EPSILON / 2);
        end(&c);
    }
}

static void linear_flows_go_through_unchanged(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        Case c;
        begin(&c, dimensions, 1);
        for (int64_t n = 0; n < c.particles.count; n++)
            for (int a = 0; a < dimensions; a++) {
                dew_Vec3 p = dew_particles_position(&c.particles, n);
                motions(&c)[n].u[a] = flow_at(a, p, dimensions);
                for (int b = 0; b < dimensions; b++)
                    shears(&c)[n].c[a][b] = (float)flow(a, b);
            }
        to_grid(&c);
        for (int a = 0; a < dimensions; a++)
            for (int64_t n = 0; n < dew_grid_value_count(c.t.grid); n++)
                if (c.mass[a][n] > 0)
                    assert_near(c.u[a][n], flow_at(a, face_position(&c, a, n), dimensions),
                                3 * (double)FLT_EPSILON / 2);
        to_particles(&c, NULL, DEW_TRANSFER_APIC);
        for (int64_t n = 0; n < c.particles.count; n++)
            for (int a = 0; a < dimensions; a++) {
                dew_Vec3 p = dew_particles_position(&c.particles, n);
                assert_near(motions(&c)[n].u[a], flow_at(a, p, dimensions),
                            3 * (double)FLT_EPSILON / 2);
                for (int b = 0; b < dimensions; b++)
                    assert_near((double)shears(&c)[n].c[a][b], flow(a, b),
                                8 * (double)FLT_EPSILON / 2);
            }
        end(&c);
    }
}

// What sets APIC apart: a turning ball keeps turning; without the gradients it loses some at every
// transfer.
static void plain_transfers_slow_what_turns(void **state)
{
    (void)state;
    const dew_TransferKind kinds[2] = {DEW_TRANSFER_APIC, DEW_TRANSFER_PIC};
    double kept[2];
    for (int k = 0; k < 2; k++) {
        Case c;
        begin(&c, 3, 1);
        for (int64_t n = 0; n < c.particles.count; n++) {
            dew_Vec3 p = dew_particles_position(&c.particles, n);
            motions(&c)[n] = (dew_Motion){.u = {20 - p.y, p.x - 20, 0}};
            shears(&c)[n] = (dew_Shear){.c = {{0, -1, 0}, {1, 0, 0}, {0, 0, 0}}};
            if (kinds[k] == DEW_TRANSFER_PIC)
                shears(&c)[n] = (dew_Shear){0};
        }
        double before = dew_transfer_momentum(&c.particles, c.motion, c.t.grid).angular.z;
        for (int times = 0; times < 10; times++) {
            to_grid(&c);
            to_particles(&c, NULL, kinds[k]);
        }
        kept[k] = dew_transfer_momentum(&c.particles, c.motion, c.t.grid).angular.z / before;
        end(&c);
    }
    assert_near(kept[0], 1, 1e-12);
    assert_true(kept[1] < 0.95);
}

// FLIP gives the change only: what no grid shows, the noise of single particles, stays.
static void flip_keeps_what_the_grid_does_not_change(void **state)
{
    (void)state;
    Case c;
    begin(&c, 2, 1);
    stir(&c);
    dew_Motion first = motions(&c)[17];
    to_grid(&c);
    const double *const same[3] = {c.u[0], c.u[1], c.u[2]};
    to_particles(&c, same, DEW_TRANSFER_FLIP);
    assert_near(motions(&c)[17].u[0], first.u[0], 1e-14);
    assert_near(motions(&c)[17].u[1], first.u[1], 1e-14);
    assert_near((double)shears(&c)[17].c[0][1], 0, 0);
    end(&c);
}

// In rigid turning by the angle t a step, pressure has taken away the part v sin t of velocities
// that pointed outwards; v cos t is left. With what is given back that is v again, to the fourth
// order; and particles are a turn further.
static void pushes_turn_with_the_flow(void **state)
{
    (void)state;
    const double omega = 2, t = 0.05, dt_s = t / omega;
    const dew_Vec3 center = {20, 20, 0.5};
    Case c;
    begin(&c, 2, 1);
    double *push[2] = {dew_test_field(&c.t), dew_test_field(&c.t)};
    for (int a = 0; a < 2; a++)
        for (int64_t n = 0; n < dew_grid_value_count(c.t.grid); n++) {
            dew_Vec3 p = dew_sub(face_position(&c, a, n), center);
            c.u[a][n] = omega * cos(t) * (a == 0 ? -p.y : p.x);
            push[a][n] = -omega * sin(t) * (a == 0 ? p.x : p.y);
        }
    const double *const beside[3] = {push[0], push[1], NULL};
    dew_Vec3 before = dew_sub(dew_particles_position(&c.particles, 5), center);
    move(&c, beside, DEW_TRANSFER_APIC, dt_s);
    dew_Vec3 after = dew_sub(dew_particles_position(&c.particles, 5), center);
    for (int64_t n = 0; n < c.particles.count; n++) {
        const double *u = motions(&c)[n].u;
        dew_Vec3 p = dew_sub(dew_particles_position(&c.particles, n), center);
        assert_near(hypot(u[0], u[1]) / (omega * dew_length(p)), 1, t * t * t * t);
    }
    double turn = cos(t) * t;  // by the velocity given, to the third order
    double allowed = t * t * t * t * dew_length(before);
    assert_near(after.x, before.x * cos(turn) - before.y * sin(turn), allowed);
    assert_near(after.y, before.x * sin(turn) + before.y * cos(turn), allowed);
    end(&c);
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    const int workers[3] = {1, 2, 7};
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        Case c;
        begin(&c, 3, workers[i]);
        stir(&c);
        for (int times = 0; times < 3; times++) {
            to_grid(&c);
            const double *const push[3] = {c.u[0], c.u[1], c.u[2]};
            move(&c, push, DEW_TRANSFER_APIC, 0.1);
            assert_int_equal(dew_particles_sort(&c.particles, c.t.grid, &c.t.scratch).code, DEW_OK);
        }
        hash[i] = dew_particles_hash(&c.particles);
        end(&c);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept_both_ways),
        cmocka_unit_test(linear_flows_go_through_unchanged),
        cmocka_unit_test(plain_transfers_slow_what_turns),
        cmocka_unit_test(flip_keeps_what_the_grid_does_not_change),
        cmocka_unit_test(pushes_turn_with_the_flow),
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
