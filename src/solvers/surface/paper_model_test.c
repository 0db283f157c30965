// The filters of `model: paper` (paper_model.c), each against an answer derived by hand.
#include "solvers/surface/drop_testing.h"

static dew_Mesh ball(double radius_m, int frequency)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(radius_m, frequency, &mesh));
    return mesh;
}

static void prepare(dew_DropWork *w)
{
    memcpy(w->y, w->x, (size_t)w->n * sizeof *w->y);
    dew_drop_measure_at(w, w->y);
    dew_drop_find_cotangents(w);
}

/// Amplitude of P_2(cos) in the distances from the centre, by solid angle, at the old directions:
/// vertices move along normals, to first order not along the surface.
static double second_mode(const dew_DropWork *w, dew_Vec3 center)
{
    double sum = 0, square = 0;
    for (int64_t i = 0; i < w->n; i++) {
        dew_Vec3 old = dew_sub(w->y[i], center);
        double r = dew_distance(w->x[i], center), c = old.y / dew_length(old);
        double p2 = 1.5 * c * c - 0.5, angle = w->area[i] / dew_length2(old);
        sum += angle * p2 * r;
        square += angle * p2 * p2;
    }
    return sum / square;
}

// One implicit step of the flow with s = gamma dt. The coordinates of a sphere are harmonics of
// n = 1, Lap x = -2 x / R^2, so its radius becomes R / (1 + 2 s / R^2) at any s. A small wave of
// mode n decays by 1 - (n - 1)(n + 2) s / R^2, relative to a radius that shrinks by 1 - 2 s / R^2;
// for n = 2 both are s << R^2. The Laplacian of the mesh is off by some (edge / R)^2 / 4.
static void the_flow_shrinks_spheres_and_damps_modes(void **state)
{
    (void)state;
    double R = 1e-3, error[2];
    for (int k = 0; k < 2; k++) {
        dew_TestDrop t;
        test_drop_open(&t, "{angle: 90 deg}");
        t.params.paper = (dew_PaperModel){.is_on = true, .gamma_m2_s = 0.5 * R * R / 1e-3};
        dew_Mesh mesh = ball(R, 6 << k);
        test_drop_load(&t, &mesh, dew_vec(0, 5e-3, 0));
        prepare(&t.work);
        dew_drop_paper_flow(&t.work, 1e-3);
        double mean = 0;
        for (int64_t i = 0; i < t.work.n; i++)
            mean += dew_distance(t.work.x[i], dew_vec(0, 5e-3, 0)) / (double)t.work.n;
        error[k] = fabs(mean / (R / 2) - 1);
        // the velocity is the way over the step
        dew_Vec3 way = dew_sub(t.work.x[0], t.work.y[0]);
        assert_true(dew_distance(t.work.v[0], dew_scale(1e3, way)) < 1e-9);
        dew_mesh_deinit(&mesh);
        test_drop_close(&t);
    }
    assert_true(error[0] < 0.03 && error[1] < error[0] / 2.5);

    // Waves of either sign: what the mesh does to the sphere itself cancels.
    double s = 1e-3 * R * R, before = 0, after = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        dew_TestDrop t;
        test_drop_open(&t, "{angle: 90 deg}");
        t.params.paper = (dew_PaperModel){.is_on = true, .gamma_m2_s = s / 1e-3};
        dew_Mesh mesh = ball(R, 16);
        dew_Vec3 *x = DEW_ITEMS(&mesh.positions, dew_Vec3), center = {0, 5e-3, 0};
        for (int64_t i = 0; i < mesh.positions.count; i++) {
            double c = x[i].y / R;
            x[i] = dew_scale(1 + sign * 0.01 * (1.5 * c * c - 0.5), x[i]);
        }
        test_drop_load(&t, &mesh, center);
        prepare(&t.work);
        before += sign * second_mode(&t.work, center);
        dew_drop_paper_flow(&t.work, 1e-3);
        after += sign * second_mode(&t.work, center);
        dew_mesh_deinit(&mesh);
        test_drop_close(&t);
    }
    assert_true(fabs((1 - after / before) / (4 * s / (R * R)) - 1) < 0.05);
}

// eq. (3): a uniform velocity loses mu dt of itself; v = y e_x, a harmonic of n = 1 about the
// centre, loses (mu + 2 eta / R^2) dt.
static void damping_has_its_two_terms(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    double R = 1e-3, mu = 0.4, eta = 1e-6, dt = 1e-3;
    t.params.paper = (dew_PaperModel){.is_on = true, .mu_1_s = mu, .eta_m2_s = eta};
    dew_Mesh mesh = ball(R, 12);
    test_drop_load(&t, &mesh, dew_vec(0, 5e-3, 0));
    dew_DropWork *w = &t.work;
    prepare(w);
    for (int64_t i = 0; i < w->n; i++)
        w->v[i] = dew_vec(0.1, 0.2, 0);
    dew_drop_paper_damp(w, dt);
    for (int64_t i = 0; i < w->n; i++)
        assert_true(dew_distance(w->v[i], dew_scale(1 - mu * dt, dew_vec(0.1, 0.2, 0))) < 1e-14);
    double before = 0, after = 0;
    for (int64_t i = 0; i < w->n; i++) {
        double y = w->x[i].y - 5e-3;
        w->v[i] = dew_vec(y, 0, 0);
        before += w->area[i] * y * y;
    }
    dew_drop_paper_damp(w, dt);
    for (int64_t i = 0; i < w->n; i++)
        after += w->area[i] * (w->x[i].y - 5e-3) * w->v[i].x;
    assert_true(fabs((1 - after / before) / ((mu + 2 * eta / (R * R)) * dt) - 1) < 0.02);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// eq. (8) on a cap of 70 degrees: nothing between the bounds; below the receding angle the line is
// drawn in by alpha times the excess. The angle of flat triangles at the line is lower than the
// cap's by about half an edge over the radius of the cap.
static void the_line_is_pushed_by_the_excess(void **state)
{
    (void)state;
    const char *materials[] = {"{advancing: 90 deg, receding: 30 deg}", "{angle: 90 deg}",
                               "{angle: 50 deg}"};
    const double excess_deg[] = {0, -20, 20};
    for (int k = 0; k < 3; k++) {
        dew_TestDrop t;
        test_drop_open(&t, materials[k]);
        t.params.paper = (dew_PaperModel){.is_on = true, .alpha_m_s2 = 7};
        dew_Mesh mesh;
        dew_mesh_init(&mesh, NULL);
        assert_ok(dew_shape_cap(5e-9, DEW_DEG(70), 0.1e-3, &mesh));
        test_drop_load(&t, &mesh, dew_vec(0, 0, 0));
        dew_DropWork *w = &t.work;
        prepare(w);
        dew_drop_paper_contact_angle(w, 1e-3);
        double push = 0;
        int64_t count = 0;
        for (int64_t i = 0; i < w->n; i++) {
            dew_Vec3 out = dew_normalize(dew_vec(w->x[i].x, 0, w->x[i].z));
            bool is_line = w->label[i] & DEW_LABEL_CONTACT_LINE;
            assert_true(is_line || dew_length(w->v[i]) == 0);
            push += is_line ? dew_inner(w->v[i], out) : 0;
            count += is_line;
        }
        assert_true(count > 20);
        double angle_error = DEW_DEG(180) / DEW_PI * 0.1e-3 / 1.5e-3;
        double expected = 7 * DEW_DEG(excess_deg[k]) * 1e-3;
        assert_true(fabs(push / (double)count - expected) <= (k > 0) * 7e-3 * angle_error);
        assert_true(k > 0 || push == 0);
        dew_mesh_deinit(&mesh);
        test_drop_close(&t);
    }
}

// A whole step keeps the volume to rounding, a ball at rest stays one, and its shrinking in the
// flow does not gather in the velocities.
static void a_step_keeps_the_volume(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    t.params.paper = (dew_PaperModel){.is_on = true, .mu_1_s = 0.4, .eta_m2_s = 1e-6};
    dew_Mesh mesh = ball(1e-3, 10);
    test_drop_load(&t, &mesh, dew_vec(0, 5e-3, 0));
    dew_DropWork *w = &t.work;
    w->instant.gravity_m_s2 = dew_vec(0, 0, 0);
    for (int k = 0; k < 50; k++) {
        assert_ok(dew_drop_paper_substep(w, 1e-4, 0));
        assert_true(fabs(dew_drop_volume(w) / w->values.volume_m3 - 1) < 1e-11);
    }
    double capillary = dew_drop_capillary_speed_m_s(w);
    for (int64_t i = 0; i < w->n; i++) {
        assert_true(fabs(dew_distance(w->x[i], dew_vec(0, 5e-3, 0)) / 1e-3 - 1) < 0.02);
        assert_true(fabs(dew_inner(w->v[i], dew_normalize(w->gradient[i]))) < 0.1 * capillary);
    }
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_flow_shrinks_spheres_and_damps_modes),
        cmocka_unit_test(damping_has_its_two_terms),
        cmocka_unit_test(the_line_is_pushed_by_the_excess),
        cmocka_unit_test(a_step_keeps_the_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
