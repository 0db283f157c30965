// The resistance of the flow along a tail: against lubrication theory in sections of known area,
// none of a round rear, symmetry.
#include "solvers/surface/drop_testing.h"

#include <stdlib.h>

#define RADIUS_M   2e-3
#define ANGLE_RAD  DEW_DEG(50)
#define EDGE_M     0.12e-3
#define SPEED_M_S  0.01
#define HALF_SLABS 20000

typedef struct Teardrop {
    dew_TestDrop t;
    dew_Mesh mesh;
} Teardrop;

/// A cap that moves with SPEED_M_S along x; behind its middle it is `stretch` times as long. Its
/// section at x behind the middle is that of the round cap at x / stretch.
static void open_teardrop(Teardrop *d, double stretch)
{
    test_drop_open(&d->t, "{angle: 50 deg}");
    dew_mesh_init(&d->mesh, NULL);
    dew_DropCap cap = dew_drop_cap_from_base_angle(RADIUS_M, ANGLE_RAD);
    assert_ok(dew_shape_cap(cap.volume_m3, ANGLE_RAD, EDGE_M, &d->mesh));
    dew_Vec3 *x = DEW_ITEMS(&d->mesh.positions, dew_Vec3);
    for (int64_t i = 0; i < d->mesh.positions.count; i++)
        x[i].x *= x[i].x < 0 ? stretch : 1;
    d->t.params.edge_m = EDGE_M;
    test_drop_load(&d->t, &d->mesh, dew_vec(0, 0, 0));
    dew_DropWork *w = &d->t.work;
    w->edge_m = EDGE_M;
    w->values.velocity_m_s = dew_vec(SPEED_M_S, 0, 0);
    w->flags.has_velocity = 1;
    for (int64_t i = 0; i < w->n; i++)
        w->v[i] = w->values.velocity_m_s;
    dew_drop_find_tail(w);
}

static void close_teardrop(Teardrop *d)
{
    dew_mesh_deinit(&d->mesh);
    test_drop_close(&d->t);
}

/// Area of the cap's section at the distance x from its middle: a segment of a circle.
static double section_m2(double x)
{
    double ball = RADIUS_M / sin(ANGLE_RAD), depth = ball * cos(ANGLE_RAD);
    double r = sqrt(ball * ball - x * x), half = acos(depth / r);
    return r * r * (half - sin(half) * cos(half));
}

/// The power of a drop that moves as a whole, (70 / 9) mu w^2 U^2 / A per length, of the fraction
/// cos^2(phi) - (w / W)^2; the same without the fraction in `whole`.
static double power_W(double stretch, double mu_Pa_s, double *whole)
{
    double sum = 0, d = RADIUS_M / HALF_SLABS;
    *whole = 0;
    for (int k = 0; k < HALF_SLABS; k++) {
        double x = (k + 0.5) * d, w = sqrt(RADIUS_M * RADIUS_M - x * x);
        double slope = x / w / stretch, ratio = w / RADIUS_M;
        double per_m = 70.0 / 9 * mu_Pa_s * w * w * SPEED_M_S * SPEED_M_S / section_m2(x);
        *whole += per_m * d * stretch;
        sum += per_m * d * stretch * fmax(1 / (1 + slope * slope) - ratio * ratio, 0);
    }
    return sum;
}

static double resist_uniform_motion(Teardrop *d)
{
    dew_DropWork *w = &d->t.work;
    for (int64_t i = 0; i < w->n; i++)
        w->tail.scratch[i] = dew_inner(w->gradient[i], w->v[i]);
    return dew_drop_tail_resist(&w->tail, w->n, 0, w->tail.scratch);
}

// The power per length goes as one over the root of the distance from the tip, where a sum over n
// slabs misses 0.3 / sqrt(n) of the integral: 4 %. As much again for the mesh, whose edges are
// stretched.
static void a_long_rear_resists_as_in_lubrication(void **state)
{
    (void)state;
    for (double stretch = 2; stretch < 5; stretch++) {
        Teardrop d;
        double whole;
        open_teardrop(&d, stretch);
        double expected = power_W(stretch, d.t.params.mu_Pa_s, &whole);
        double got = resist_uniform_motion(&d);
        assert_true(fabs(got / expected - 1) < 0.08);
        close_teardrop(&d);
    }
}

static void a_round_rear_does_not_resist(void **state)
{
    (void)state;
    Teardrop d;
    double whole;
    open_teardrop(&d, 1);
    power_W(1, d.t.params.mu_Pa_s, &whole);
    assert_true(resist_uniform_motion(&d) < 0.02 * whole);
    close_teardrop(&d);
}

// What moves at the tip alone has to flow through all slabs before it; and the pressure there is
// less than the drop's by what all of them take.
static void all_slabs_carry_what_the_tip_takes_up(void **state)
{
    (void)state;
    Teardrop d;
    open_teardrop(&d, 3);
    dew_DropTail *tail = &d.t.work.tail;
    int64_t tip = 0, n = d.t.work.n;
    for (int64_t i = 0; i < n; i++)
        tip = tail->at[i] < tail->at[tip] ? i : tip;
    for (int64_t i = 0; i < n; i++)
        tail->scratch[i] = i == tip ? 1e-9 : 0;
    double resistance = 0, power = dew_drop_tail_resist(tail, n, 0, tail->scratch);
    assert_true(tail->count > 20);
    for (int32_t j = 0; j < tail->count; j++) {
        assert_true(fabs(tail->flow[j] - 1e-9) < 1e-20);
        resistance += tail->resistance[j];
    }
    assert_true(fabs(tail->scratch[tip] / (-1e-9 * resistance) - 1) < 1e-12);
    assert_true(fabs(power / (1e-18 * resistance) - 1) < 1e-12);
    close_teardrop(&d);
}

// As a matrix it is symmetric, and takes power from any motion: y.R x = x.R y, x.R x = power.
static void resistance_is_symmetric(void **state)
{
    (void)state;
    enum { MOTIONS = 2 };
    Teardrop d;
    open_teardrop(&d, 3);
    dew_DropTail *tail = &d.t.work.tail;
    int64_t n = d.t.work.n;
    double *value = calloc((size_t)(MOTIONS * n), sizeof *value), cross[MOTIONS] = {0};
    assert_non_null(value);
    for (int m = 0; m < MOTIONS; m++) {
        for (int64_t i = 0; i < n; i++)
            value[m * n + i] = 1e-12 * sin(1.7 * (double)i * (m + 1));
        memcpy(tail->scratch, value + m * n, (size_t)n * sizeof *value);
        double own = 0, power = dew_drop_tail_resist(tail, n, 1e3, tail->scratch);
        for (int64_t i = 0; i < n; i++) {
            own -= value[m * n + i] * tail->scratch[i];
            cross[m] -= sin(1.7 * (double)i * (MOTIONS - m)) * tail->scratch[i];
        }
        assert_true(power > 0 && fabs(own / power - 1) < 1e-9);
    }
    assert_true(fabs(cross[0] / cross[1] - 1) < 1e-9);
    free(value);
    close_teardrop(&d);
}

// Nothing flows in a tail that lies still, however fast the drop before it is.
static void a_tail_at_rest_is_let_alone(void **state)
{
    (void)state;
    Teardrop d;
    open_teardrop(&d, 3);
    dew_DropWork *w = &d.t.work;
    for (int64_t i = 0; i < w->n; i++)
        if (w->tail.at[i] < w->tail.count)
            w->v[i] = dew_vec(0, 0, 0);
    dew_drop_find_tail(w);
    for (int64_t i = 0; i < w->n; i++)
        assert_true(w->tail.pressure_Pa[i] == 0);
    w->values.velocity_m_s = dew_vec(0, 0, 0);
    dew_drop_find_tail(w);
    assert_int_equal(w->tail.count, 0);
    close_teardrop(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_rear_resists_as_in_lubrication),
        cmocka_unit_test(a_round_rear_does_not_resist),
        cmocka_unit_test(all_slabs_carry_what_the_tip_takes_up),
        cmocka_unit_test(resistance_is_symmetric),
        cmocka_unit_test(a_tail_at_rest_is_let_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
