// Photons through a ball lens: each lands where geometrical optics says, with the power that
// Fresnel leaves it.
//
// A ray that meets a ball of radius 1 at height h is bent twice by i - t, where sin i = h and
// sin t = h / n. By symmetry it leaves at the distance h from the centre and crosses the axis
// h / sin(2 (i - t)) behind it; paraxially n / (2 (n - 1)).
#include "render/ray/optics.h"
#include "render/ray/photons.h"
#include "render/ray/ray_testing.h"

#define INDEX 1.5

static double landing_radius(double h, double distance)
{
    double turn = 2 * (asin(h) - asin(h / INDEX));
    return fabs((h / sin(turn) - distance) * tan(turn));
}

static double transmittance(double h)
{
    float cos_t, R = dew_fresnel((float)sqrt(1 - h * h), (float)INDEX, &cos_t);
    return (1 - (double)R) * (1 - (double)R);
}

// Part of the light that falls on the ball that lands within `radius` of the axis.
static double expected_fraction(double radius, double distance)
{
    enum { N = 100000 };
    double fraction = 0;
    for (int i = 0; i < N; i++) {
        double h = (i + 0.5) / N;
        if (landing_radius(h, distance) <= radius)
            fraction += 2 * h * transmittance(h) / N;
    }
    return fraction;
}

// A ball about the origin, a screen below it, and light from straight above.
static dew_RenderScene *lens_scene(double distance)
{
    dew_RenderScene *scene = test_scene(0, 10, DEW_DEG(30), 16);
    dew_RenderBody glass = test_body(DEW_BODY_CLEAR, (float)INDEX, 1);
    dew_RenderBody screen = test_body(DEW_BODY_OPAQUE, 1, 0);
    test_add_ball(scene, &glass, dew_vec(0, 0, 0), 1, 96);
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_patch(12, 12, 0, &mesh));
    dew_mesh_transform(&mesh, 1, dew_rotation_identity(), dew_vec(0, -distance, 0));
    assert_done(dew_render_scene_add_mesh(scene, &screen, &mesh, DEW_DEG(40)));
    dew_mesh_deinit(&mesh);
    dew_LightDef sun = dew_default_light_def();
    sun.direction = dew_vec(0, -1, 0);
    sun.size_rad = 1e-4;
    sun.strength = 1;
    dew_Light light = dew_light(&sun);
    assert_done(dew_array_push(&scene->lights, &light));
    return scene;
}

static void fill(const dew_RenderScene *scene, int workers, dew_TracedScene *stage,
                 dew_PhotonMap *map)
{
    dew_Tasks *tasks;
    dew_TasksDef def = dew_default_tasks_def();
    def.worker_count = workers;
    assert_done(dew_tasks_create(&def, &tasks));
    assert_done(dew_traced_init(stage, scene, "own", tasks, NULL));
    assert_true(dew_photons_wanted(stage));
    dew_photon_map_init(map, NULL);
    assert_done(dew_photon_map_fill(map, stage, &(dew_PhotonPass){100000, 1, 0}, tasks));
    dew_tasks_destroy(tasks);
}

// Power within a radius (metres) of the axis, as a fraction of what falls on the ball.
static double landed_fraction(const dew_TracedScene *stage, const dew_PhotonMap *map, double radius)
{
    double power = 0, units = stage->units_per_m;
    for (int64_t i = 0; i < map->photons.count; i++) {
        const dew_Photon *photon = &DEW_ITEMS(&map->photons, const dew_Photon)[i];
        dew_Vec3 p = dew_add(dew_scale(1 / units, dew_f3_wide(photon->position)), stage->center_m);
        if (hypot(p.x, p.z) <= radius)
            power += (double)photon->power.x / (units * units);
    }
    return power / DEW_PI;  // irradiance 1 on a disk of radius 1
}

static void light_lands_where_the_lens_sends_it(void **state)
{
    (void)state;
    const double distances[] = {1.2, 1.5, 2.0}, radii[] = {0.03, 0.1, 0.3};
    for (int i = 0; i < 3; i++) {
        dew_RenderScene *scene = lens_scene(distances[i]);
        dew_TracedScene stage;
        dew_PhotonMap map;
        fill(scene, 1, &stage, &map);
        for (int k = 0; k < 3; k++) {
            double expected = expected_fraction(radii[k], distances[i]);
            // 60,000 photons fall on the ball: four deviations, and 0.4 % for the ball's facets and
            // for light that is reflected twice inside.
            double allowed = 4 * sqrt(expected / 60000) + 0.004;
            assert_near(landed_fraction(&stage, &map, radii[k]), expected, allowed);
        }
        dew_photon_map_deinit(&map);
        dew_traced_deinit(&stage);
        dew_render_scene_destroy(scene);
    }
}

// Power that is gathered on the screen in a square, but for the one within it.
static double gathered_power(const dew_TracedScene *stage, const dew_PhotonMap *map,
                             const dew_Surfel *surfel, double inner_half, double half)
{
    enum { N = 400 };
    double power = 0, step = 2 * half / N;
    for (int i = 0; i < N * N; i++) {
        dew_Vec3 p = {(i % N + 0.5) * step - half, -1.5, (i / N + 0.5) * step - half};
        if (fmax(fabs(p.x), fabs(p.z)) < inner_half)
            continue;
        dew_Float3 light = dew_photon_map_gather(map, surfel, dew_traced_from_m(stage, p));
        power += (double)light.x * DEW_PI * step * step;
    }
    return power;
}

// The disks of photons keep their power: radiance gathered all over the screen adds up to it.
static void gathering_keeps_power(void **state)
{
    (void)state;
    dew_RenderScene *scene = lens_scene(1.5);
    dew_TracedScene stage;
    dew_PhotonMap map;
    fill(scene, 1, &stage, &map);
    dew_Finish white = {.albedo = {1, 1, 1}, .ior = 1.5f};
    dew_Surfel surfel;
    dew_Float3 up = {0, 1, 0};
    dew_surfel_set(&surfel, up, up, up, &white, 1);
    double half = 1.2, focus = 0.12, units = stage.units_per_m;  // metres
    double power = gathered_power(&stage, &map, &surfel, focus, half) +
                   gathered_power(&stage, &map, &surfel, 0, focus);
    double landed = 0;
    for (int64_t i = 0; i < map.photons.count; i++) {
        const dew_Photon *photon = &DEW_ITEMS(&map.photons, const dew_Photon)[i];
        dew_Vec3 p = dew_add(dew_scale(1 / units, dew_f3_wide(photon->position)), stage.center_m);
        if (fmax(fabs(p.x), fabs(p.z)) < half)
            landed += (double)photon->power.x / (units * units);
    }
    // Disks cross the border of the square.
    assert_near(power / landed, 1, 0.03);
    dew_photon_map_deinit(&map);
    dew_traced_deinit(&stage);
    dew_render_scene_destroy(scene);
}

static void same_photons_on_any_number_of_workers(void **state)
{
    (void)state;
    dew_RenderScene *scene = lens_scene(1.5);
    dew_TracedScene stages[2];
    dew_PhotonMap maps[2];
    for (int i = 0; i < 2; i++)
        fill(scene, i == 0 ? 1 : 3, &stages[i], &maps[i]);
    assert_true(maps[0].photons.count == maps[1].photons.count);
    assert_memory_equal(maps[0].photons.data, maps[1].photons.data,
                        (size_t)maps[0].photons.count * sizeof(dew_Photon));
    for (int i = 0; i < 2; i++) {
        dew_photon_map_deinit(&maps[i]);
        dew_traced_deinit(&stages[i]);
    }
    dew_render_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_lands_where_the_lens_sends_it),
        cmocka_unit_test(gathering_keeps_power),
        cmocka_unit_test(same_photons_on_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
