// The deformation operators against finite differences, closed forms and conservation.
#include "solvers/surface/drop_testing.h"

#include <stdio.h>

static dew_Mesh sphere_mesh(double radius_m, int frequency)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_icosphere(radius_m, frequency, &mesh));
    return mesh;
}

static dew_Mesh cap_mesh(double volume_m3, double angle_rad, double edge_m)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_ok(dew_shape_cap(volume_m3, angle_rad, edge_m, &mesh));
    return mesh;
}

/// Pulls a sphere out of shape, differently everywhere, so that nothing holds by symmetry.
static void distort(dew_Mesh *mesh)
{
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3);
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        double wave = 1 + 0.2 * sin(2e3 * x[i].x + 1) * cos(3e3 * x[i].y) + 0.1 * sin(4e3 * x[i].z);
        x[i] = dew_scale(wave, x[i]);
    }
}

static double free_area(dew_DropWork *work)
{
    dew_drop_measure_at(work, work->y);
    return work->free_area_m2;
}

// ---- geometry ----------------------------------------------------------------------------------

// Gradients of volume and centre agree with differences of the polynomials themselves.
static void gradients_are_exact(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 4);
    distort(&mesh);
    test_drop_load(&t, &mesh, dew_vec(3e-3, 5e-3, 1e-3));
    dew_DropWork *w = &t.work;
    double h = 1e-8;
    for (int64_t i = 0; i < w->n; i += 37) {
        dew_drop_measure_at(w, w->y);
        dew_Vec3 g = w->gradient[i];
        double q[9], volume[2];
        memcpy(q, w->moment_of_x + 9 * i, sizeof q);
        dew_Vec3 center[2];
        for (int s = 0; s < 2; s++) {
            w->y[i].x += s == 0 ? h : -2 * h;
            dew_drop_measure_at(w, w->y);
            volume[s] = w->volume_m3;
            center[s] = w->center_m;
        }
        w->y[i].x += h;
        // Volume is cubic, its difference exact but for rounding: 1e-16 V / h.
        assert_true(fabs((volume[0] - volume[1]) / (2 * h) - g.x) < 1e-4 * fabs(g.x) + 1e-15);
        dew_Vec3 dc = dew_scale(1 / (2 * h), dew_sub(center[0], center[1]));
        assert_true(fabs(dc.x - q[0]) < 1e-5 && fabs(dc.y - q[3]) < 1e-5 &&
                    fabs(dc.z - q[6]) < 1e-5);
    }
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// A uniform velocity moves the centre by itself: the rows of Q sum to the identity.
static void a_uniform_velocity_is_the_mean(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 5);
    distort(&mesh);
    test_drop_load(&t, &mesh, dew_vec(-4e-3, 6e-3, 2e-3));
    for (int64_t i = 0; i < t.work.n; i++)
        t.work.v[i] = dew_vec(0.3, -0.2, 0.7);
    dew_Vec3 u = dew_drop_mean_velocity(&t.work, t.work.v);
    assert_true(dew_distance(u, dew_vec(0.3, -0.2, 0.7)) < 1e-12);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// ---- forces ------------------------------------------------------------------------------------

// The tension's force is minus sigma times the gradient of the free area, on free and on line
// vertices.
static void tension_is_the_gradient_of_area(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 70 deg}");
    dew_Mesh mesh = cap_mesh(5e-9, DEW_DEG(70), 0.4e-3);
    test_drop_load(&t, &mesh, dew_vec(0, 0, 0));
    dew_DropWork *w = &t.work;
    memset(w->force, 0, (size_t)w->n * sizeof *w->force);
    dew_drop_add_tension(w);
    double h = 1e-9;
    for (int64_t i = 0; i < w->n; i += 5) {
        dew_Vec3 f = w->force[i];
        w->y[i].z += h;
        double up = free_area(w);
        w->y[i].z -= 2 * h;
        double down = free_area(w);
        w->y[i].z += h;
        double wanted = -t.params.sigma_N_m * (up - down) / (2 * h);
        assert_true(fabs(f.z - wanted) < 1e-8);  // of forces of sigma times an edge: 2e-5 N
    }
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

static void gravity_sums_to_the_weight(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 4);
    distort(&mesh);
    test_drop_load(&t, &mesh, dew_vec(0, 5e-3, 0));
    dew_DropWork *w = &t.work;
    memset(w->force, 0, (size_t)w->n * sizeof *w->force);
    dew_drop_add_gravity(w);
    dew_Vec3 sum = {0, 0, 0};
    for (int64_t i = 0; i < w->n; i++)
        sum = dew_add(sum, w->force[i]);
    double weight = 998 * w->volume_m3 * 9.81;
    assert_true(fabs(sum.y + weight) < 1e-12 * weight && fabs(sum.x) < 1e-12 * weight);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// On a sphere in a wind the pressure sums to half the coefficient: a drag coefficient of 0.45.
static void wind_drags_a_sphere(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 24);
    test_drop_load(&t, &mesh, dew_vec(0, 5e-3, 0));
    dew_DropWork *w = &t.work;
    w->instant.wind_m_s = dew_vec(10, 0, 0);
    memset(w->force, 0, (size_t)w->n * sizeof *w->force);
    dew_drop_add_wind(w);
    double sum = 0, drag = 0.5 * 1.2 * 0.45 * DEW_PI * 1e-6 * 100;
    for (int64_t i = 0; i < w->n; i++)
        sum += w->force[i].x;
    assert_true(fabs(sum / drag - 1) < 0.01);  // the polyhedron's cross-section is 0.3 % smaller
    w->instant.wind_m_s = dew_vec(0, 0, 0);
    memset(w->force, 0, (size_t)w->n * sizeof *w->force);
    dew_drop_add_wind(w);
    assert_true(w->force[0].x == 0);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// ---- the step ----------------------------------------------------------------------------------

// The change keeps the volume to first order, and touching vertices on the floor.
static void a_step_keeps_volume_and_floor(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{advancing: 100 deg, receding: 40 deg}");
    dew_Mesh mesh = cap_mesh(20e-9, DEW_DEG(70), 0.4e-3);
    test_drop_load(&t, &mesh, dew_vec(0, 0, 0));
    dew_DropWork *w = &t.work;
    double volume = w->values.volume_m3;
    for (int k = 0; k < 40; k++) {
        assert_ok(dew_drop_substep(w, 2e-4, 0.502, 0));
        assert_true(fabs(dew_drop_volume(w) / volume - 1) < 1e-11);
        for (int64_t i = 0; i < w->n; i++)
            assert_true(w->label[i] & DEW_LABEL_TOUCHING ? w->x[i].y == 0 : w->x[i].y > 0);
    }
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// 70 degrees lie between the bounds: the line does not move, to the bit.
static void a_pinned_line_stays(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{advancing: 100 deg, receding: 40 deg}");
    dew_Mesh mesh = cap_mesh(20e-9, DEW_DEG(70), 0.4e-3);
    test_drop_load(&t, &mesh, dew_vec(0, 0, 0));
    dew_DropWork *w = &t.work;
    dew_drop_begin_line(w);
    int64_t line = 0;
    for (int k = 0; k < 30; k++)
        assert_ok(dew_drop_substep(w, 1e-3, 1, 0));
    for (int64_t i = 0; i < w->n; i++)
        if (w->label[i] & DEW_LABEL_CONTACT_LINE) {
            assert_true(dew_distance(w->x[i], dew_mesh_positions(&mesh)[i]) == 0);
            line++;
        }
    assert_true(line > 20);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// A free drop of any shape falls with g: centre to rounding.
static void a_free_drop_falls(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 4);
    distort(&mesh);
    test_drop_load(&t, &mesh, dew_vec(0, 15e-3, 0));
    dew_DropWork *w = &t.work;
    dew_Vec3 begin = dew_drop_center(w, w->x);
    double time = 0;
    for (int k = 0; k < 50; k++) {
        double dt = k % 2 == 0 ? 1e-4 : 3e-4;
        assert_ok(dew_drop_substep(w, dt, k % 3 == 0 ? 1 : 0.502, 0));
        time += dt;
    }
    dew_Vec3 fallen = dew_sub(dew_drop_center(w, w->x), begin);
    assert_true(fabs(fallen.y + 0.5 * 9.81 * time * time) < 1e-12);
    assert_true(fabs(fallen.x) < 1e-12 && fabs(fallen.z) < 1e-12);
    assert_true(fabs(w->values.velocity_m_s.y + 9.81 * time) < 1e-12);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// The pressure of a drop at rest is Laplace's: 2 sigma / R, by the polyhedron's own area and
// volume.
static void pressure_is_laplaces(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 12);
    test_drop_load(&t, &mesh, dew_vec(0, 5e-3, 0));
    dew_DropWork *w = &t.work;
    w->instant.gravity_m_s2 = dew_vec(0, 0, 0);
    for (int k = 0; k < 20; k++)
        assert_ok(dew_drop_substep(w, 1e-3, 1, 0));
    double radius = cbrt(3 / (4 * DEW_PI) * w->values.volume_m3);
    assert_true(fabs(w->values.pressure_Pa / (2 * 0.073 / radius) - 1) < 0.005);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// The paper's local correction takes out what is smooth: a swelling, nearly all of a slow wave.
static void the_local_correction_takes_smooth_motion(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 12);
    test_drop_load(&t, &mesh, dew_vec(0, 5e-3, 0));
    dew_DropWork *w = &t.work;
    for (int64_t i = 0; i < w->n; i++)
        w->v[i] = dew_scale(0.1, dew_normalize(w->gradient[i]));
    dew_drop_correct_locally(w);
    for (int64_t i = 0; i < w->n; i++)
        assert_true(dew_length(w->v[i]) < 1e-3);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// A rigid motion changes no volume: the local correction leaves translation and rotation alone.
static void the_local_correction_keeps_rigid_motion(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 90 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 8);
    distort(&mesh);
    test_drop_load(&t, &mesh, dew_vec(2e-3, 5e-3, -1e-3));
    dew_DropWork *w = &t.work;
    dew_Vec3 spin = {30, -70, 20};
    for (int64_t i = 0; i < w->n; i++)
        w->v[i] = dew_add(dew_vec(0.1, 0.2, -0.3), dew_cross(spin, w->x[i]));
    dew_drop_correct_locally(w);
    for (int64_t i = 0; i < w->n; i++) {
        dew_Vec3 rigid = dew_add(dew_vec(0.1, 0.2, -0.3), dew_cross(spin, w->x[i]));
        assert_true(dew_distance(w->v[i], rigid) < 1e-12);
    }
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// Kinetic energy, energy of the surface and of the wetted base, without gravity.
static double energy_J(const dew_DropWork *w)
{
    double sigma = w->params->sigma_N_m, sum = 0, inertia = 0;
    dew_Vec3 u = dew_drop_mean_velocity(w, w->v);
    for (int64_t i = 0; i < w->n; i++) {
        sum += w->mass[i] * dew_length2(dew_sub(w->v[i], u));
        inertia += w->mass[i];
    }
    sum *= w->values.inertia_kg / inertia;
    sum += w->params->rho_kg_m3 * w->volume_m3 * dew_length2(u);
    double cosine = cos(DEW_DEG(160));
    return 0.5 * sum + sigma * (w->free_area_m2 - cosine * w->wet_area_m2);
}

// A ball that hits the floor: the collision and what follows never add energy.
static void an_impact_adds_no_energy(void **state)
{
    (void)state;
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 160 deg}");
    dew_Mesh mesh = sphere_mesh(1e-3, 6);
    test_drop_load(&t, &mesh, dew_vec(0, 1.0e-3, 0));
    dew_DropWork *w = &t.work;
    w->instant.gravity_m_s2 = dew_vec(0, 0, 0);
    for (int64_t i = 0; i < w->n; i++)
        w->v[i] = dew_vec(0, -0.7, 0);
    double dt = 5e-5, first = 0;
    for (int k = 0; k < 60; k++) {
        assert_ok(dew_drop_substep(w, dt, 0.502, 0));
        dew_drop_measure_at(w, w->x);
        double energy = energy_J(w);
        first = k == 0 ? energy : first;
        assert_true(energy < 1.01 * first);
    }
    assert_true(w->wet_area_m2 > 1e-6);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
}

// Steps of 1/30 s and of 1/3000 s: a line that advances by its law goes the same way.
static double spread_m(double dt_s, double end_s)
{
    dew_TestDrop t;
    test_drop_open(&t, "{angle: 40 deg}");
    t.params.mu_Pa_s = 1;
    dew_Mesh mesh = cap_mesh(20e-9, DEW_DEG(60), 0.4e-3);
    test_drop_load(&t, &mesh, dew_vec(0, 0, 0));
    for (double time = 0; time < end_s - 0.5 * dt_s; time += dt_s)
        assert_ok(dew_drop_substep(&t.work, dt_s, 1, 0));
    double radius = sqrt(t.work.wet_area_m2 / DEW_PI);
    dew_mesh_deinit(&mesh);
    test_drop_close(&t);
    return radius;
}

static void spreading_does_not_depend_on_the_step(void **state)
{
    (void)state;
    double start = spread_m(1e-5, 1e-5), fine = spread_m(1.0 / 600, 0.4);
    double coarse = spread_m(1.0 / 30, 0.4);
    assert_true(fine > start + 1e-4);
    assert_within(coarse - start, fine - start, 0.1 * (fine - start));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_exact),
        cmocka_unit_test(a_uniform_velocity_is_the_mean),
        cmocka_unit_test(tension_is_the_gradient_of_area),
        cmocka_unit_test(gravity_sums_to_the_weight),
        cmocka_unit_test(wind_drags_a_sphere),
        cmocka_unit_test(a_step_keeps_volume_and_floor),
        cmocka_unit_test(a_pinned_line_stays),
        cmocka_unit_test(a_free_drop_falls),
        cmocka_unit_test(pressure_is_laplaces),
        cmocka_unit_test(the_local_correction_takes_smooth_motion),
        cmocka_unit_test(the_local_correction_keeps_rigid_motion),
        cmocka_unit_test(an_impact_adds_no_energy),
        cmocka_unit_test(spreading_does_not_depend_on_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
