// Cuts, and what gives a drop's vertices its velocity, keep momentum and make nothing faster.
#include "solvers/surface/drop_testing.h"
#include "solvers/surface/surface_state.h"

static void velocities_are_shifted(void **state)
{
    (void)state;
    dew_Vec3 v[3] = {{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}};
    const uint8_t labels[3] = {0, DEW_LABEL_NOZZLE, 0};
    dew_drop_shift_velocities(v, labels, 3, dew_vec(0.5, 0, 0), dew_vec(0.5, 0, 3));
    assert_true(v[0].x == 1 && v[0].z == 3);
    assert_true(v[1].x == -1 && v[1].z == 0);  // on the nozzle: stays
    assert_true(v[2].y == 2 && v[2].z == 3);
}

/// What a flat drop's surface tells is beyond all of its vertices' velocities: it is not believed.
static void flat_drops_have_no_motion_of_their_own(void **state)
{
    (void)state;
    dew_Vec3 v[3] = {{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}};
    const uint8_t labels[3] = {0};
    dew_drop_shift_velocities(v, labels, 3, dew_vec(1e10, 0, 0), dew_vec(0, 0, 3));
    for (int i = 0; i < 3; i++)
        assert_true(v[i].x == 0 && v[i].y == 0 && v[i].z == 3);
}

/// Ball and disk, joined by a neck that is cut at once: half a disk's thickness from its middle,
/// its upper side at y = thick_m.
static void make_dumbbell(double r, double neck, double thick_m, dew_Mesh *mesh)
{
    dew_ProfilePoint profile[64];
    int n = 0;
    double bottom = asin(neck / r);
    for (int k = 0; k <= 16; k++) {
        double a = -DEW_PI / 2 + (DEW_PI - bottom) * k / 16;
        profile[n++] = (dew_ProfilePoint){k == 0 ? 0 : r * cos(a), r * sin(a) - r};
    }
    for (int k = 1; k <= 4; k++)
        profile[n++] = (dew_ProfilePoint){neck, 0.25 * r * k};
    profile[n++] = (dew_ProfilePoint){0.6 * r, r};
    profile[n++] = (dew_ProfilePoint){1.2 * r, r};
    profile[n++] = (dew_ProfilePoint){1.2 * r, r + thick_m};
    profile[n++] = (dew_ProfilePoint){0.6 * r, r + thick_m};
    profile[n++] = (dew_ProfilePoint){0, r + thick_m};
    assert_ok(dew_shape_revolve(profile, n, 0.3e-3, mesh));
}

static double mean_square(const dew_DropWork *work, dew_Vec3 u)
{
    double sum = 0;
    for (int64_t i = 0; i < work->n; i++)
        sum += dew_length2(dew_sub(work->v[i], u)) / (double)work->n;
    return sum;
}

/// A flat piece comes off whose two sides do not move alike.
static void a_cut_gives_no_speed(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 60 deg}");
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    make_dumbbell(1e-3, 0.02e-3, 0.1e-3, &mesh);
    test_drop_load(&t, &mesh, dew_vec(0, 8e-3, 0));
    dew_DropWork *work = &t.work;
    for (int64_t i = 0; i < work->n; i++) {
        double x = work->x[i].x, y = work->x[i].y - 8e-3;
        work->v[i] = dew_vec(0, y > 1.05e-3 ? 1 : y > 0.9e-3 ? -1 : 0, y > 0.9e-3 ? 800 * x : 0.1);
    }
    work->values.velocity_m_s = dew_vec(0.01, 0.02, 0.03);
    work->flags.has_velocity = 1;
    double whole_m3 = work->values.volume_m3;
    dew_Vec3 u = work->values.velocity_m_s;
    double had = mean_square(work, u);
    dew_DropStore others;
    dew_drop_store_init(&others, NULL);
    assert_ok(dew_drop_resample(work, &others));
    assert_int_equal(dew_drop_count(&others), 1);
    dew_DropView piece = dew_drop_view(&others, 0, (dew_DropPlace){0, 0});
    const dew_DropValues *a = &work->values, *b = &piece.values;
    assert_true(fabs(a->volume_m3 + b->volume_m3 - whole_m3) < 1e-12 * whole_m3);
    dew_Vec3 momentum = dew_combine(a->volume_m3, a->velocity_m_s, b->volume_m3, b->velocity_m_s);
    assert_true(dew_distance(momentum, dew_scale(whole_m3, u)) < 1e-12 * whole_m3);
    double apart = a->volume_m3 * dew_length2(dew_sub(a->velocity_m_s, u)) +
                   b->volume_m3 * dew_length2(dew_sub(b->velocity_m_s, u));
    assert_true(apart <= 1.6 * had * whole_m3);
    for (int64_t i = 0; i < piece.counts.vertex_count; i++)
        assert_true(dew_length(piece.velocities[i]) < 4);
    dew_drop_store_deinit(&others);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_shifted),
        cmocka_unit_test(flat_drops_have_no_motion_of_their_own),
        cmocka_unit_test(a_cut_gives_no_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
