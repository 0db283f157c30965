// Whole images: bit-identical on any number of workers, both trees alike, the limb of a drop, a
// goal for noise, stopping, messages about empty scenes.
#include "render/ray/ray_testing.h"

#include "base/hash.h"
#include "dew/wetting.h"
#include "surface/surface.h"

// A cap of glass on a matte ball, in the studio: photons, media, scattering.
static dew_RenderScene *busy_scene(void)
{
    dew_RenderScene *scene = test_scene(1, 6, DEW_DEG(30), 48);
    dew_environment_destroy(scene->environment);
    assert_done(dew_environment_create("studio", NULL, NULL, &scene->environment));
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, 1.333f, 1);
    dew_RenderBody matte = test_body(DEW_BODY_OPAQUE, 1, 0);
    matte.look.color = dew_f3_all(0.5f);
    test_add_ball(scene, &matte, dew_vec(0, -1.5, 0), 1, 12);
    test_add_ball(scene, &water, dew_vec(0, 0.2, 0), 0.8, 12);
    return scene;
}

static uint64_t hash_image(const dew_Image *image)
{
    size_t pixels = (size_t)image->width_px * (size_t)image->height_px;
    uint64_t hash = dew_hash(image->color.data, 3 * pixels * sizeof(float), 0);
    hash = dew_hash(image->normal.data, 3 * pixels * sizeof(float), hash);
    return dew_hash(image->depth_m.data, pixels * sizeof(float), hash);
}

static void bit_identical_on_any_number_of_workers(void **state)
{
    (void)state;
    dew_RenderScene *scene = busy_scene();
    uint64_t hashes[3];
    const int workers[3] = {1, 2, 7};
    for (int i = 0; i < 3; i++) {
        dew_Image *image = test_render(scene, 9, workers[i], "own");
        hashes[i] = hash_image(image);
        dew_image_destroy(image);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    dew_render_scene_destroy(scene);
}

// The image does not depend on the tree: pixels agree within the noise of both.
static void trees_agree(void **state)
{
    (void)state;
    if (!dew_ray_tree_has_embree())
        skip();
    dew_RenderScene *scene = busy_scene();
    dew_Image *own = test_render(scene, 32, 2, "own");
    dew_Image *embree = test_render(scene, 32, 2, "embree");
    double difference = 0, noise = 0;
    for (int64_t i = 0; i < (int64_t)48 * 48; i++) {
        double a = (double)dew_image_color(own)[3 * i + 1];
        double b = (double)dew_image_color(embree)[3 * i + 1];
        double e = (double)DEW_ITEMS(&own->error, float)[i];
        difference += (a - b) * (a - b);
        noise += 2 * e * e;
    }
    assert_true(difference <= noise);
    assert_near(test_mean(own), test_mean(embree), 0.01 * test_mean(own));
    dew_image_destroy(own);
    dew_image_destroy(embree);
    dew_render_scene_destroy(scene);
}

// ---- the limb ----------------------------------------------------------------------------------

typedef struct Fit {
    double matrix[3][4];  // least squares of x^2 + y^2 + D x + E y + F = 0
} Fit;

static void fit_add(Fit *fit, double x, double y)
{
    const double row[4] = {x, y, 1, -(x * x + y * y)};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            fit->matrix[i][k] += row[i] * row[k];
}

static void fit_solve(Fit *fit, double *middle_y, double *radius)
{
    double(*m)[4] = fit->matrix;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double factor = j == i ? 0 : m[j][i] / m[i][i];
            for (int k = 0; k < 4; k++)
                m[j][k] -= factor * m[i][k];
        }
    double x = -0.5 * m[0][3] / m[0][0], y = -0.5 * m[1][3] / m[1][1], F = m[2][3] / m[2][2];
    *middle_y = y;
    *radius = sqrt(x * x + y * y - F);
}

// The contact angle of a cap's image, from the side, by a circle through its outline.
static double seen_angle(double angle_rad)
{
    enum { SIZE = 200 };
    dew_DropCap cap = dew_drop_cap_from_radius_angle(1, angle_rad);
    dew_RenderScene *scene = test_scene(1, 60, DEW_DEG(2.6), SIZE);
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, 1.333f, 1);
    dew_Mesh mesh;
    dew_Surface *surface;
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_cap(cap.volume_m3, angle_rad, 0.3, &mesh));  // coarse: corners would show
    assert_done(dew_surface_create(NULL, &surface));
    assert_done(dew_surface_append_mesh(surface, &mesh, dew_vec(0, 0, 0)));
    for (int64_t i = 0; i < surface->positions.count; i++) {
        double y = DEW_ITEMS(&surface->positions, dew_Vec3)[i].y;
        DEW_ITEMS(&surface->wet, float)[i] = y < 1e-9;
    }
    assert_done(dew_surface_finish(surface));
    scene->subject_m = (dew_Box){{-1, 0, -1}, {1, cap.height_m, 1}};
    assert_done(dew_render_scene_add_surface(scene, &water, surface, NULL, 0));
    dew_Image *image = test_render(scene, 1, 1, "own");
    Fit fit = {0};
    double px = 2 * scene->camera.half_height * 60 / SIZE;  // metres per pixel
    for (int y = 0; y < SIZE; y++) {
        int left = -1, right = -1;
        for (int x = 0; x < SIZE; x++)
            if (dew_image_depth_m(image)[y * SIZE + x] > 0) {
                left = left < 0 ? x : left;
                right = x;
            }
        double height = (SIZE / 2 - y - 0.5) * px;
        if (left < 0 || height < 3 * px)
            continue;
        fit_add(&fit, (left - SIZE / 2) * px, height);
        fit_add(&fit, (right + 1 - SIZE / 2) * px, height);
    }
    double middle, radius;
    fit_solve(&fit, &middle, &radius);
    dew_image_destroy(image);
    dew_surface_destroy(surface);
    dew_mesh_deinit(&mesh);
    dew_render_scene_destroy(scene);
    return acos(fmax(-1, fmin(1, -middle / radius)));
}

static void outline_shows_the_contact_angle(void **state)
{
    (void)state;
    const double degrees[] = {60, 90, 120};
    for (int i = 0; i < 3; i++)
        assert_near(seen_angle(DEW_DEG(degrees[i])), DEW_DEG(degrees[i]), DEW_DEG(1.5));
}

// ---- goals, stopping, emptiness ----------------------------------------------------------------

static void noise_goal_is_met(void **state)
{
    (void)state;
    dew_RenderScene *scene = busy_scene();
    dew_RenderDef def = dew_default_render_def();
    dew_Image *image;
    def.noise = 0.1;
    def.max_samples = 512;
    assert_done(dew_image_create(NULL, &image));
    assert_done(dew_ray_engine.render(NULL, scene, &def, NULL, image));
    int64_t above = 0, fewest = 512, most = 0;
    double mean = test_mean(image);
    for (int64_t i = 0; i < (int64_t)48 * 48; i++) {
        double luminance = (double)dew_image_color(image)[3 * i + 1];
        int64_t samples = (int64_t)dew_image_samples(image)[i];
        above += (double)DEW_ITEMS(&image->error, float)[i] > 0.12 * (luminance + 0.25 * mean);
        fewest = samples < fewest ? samples : fewest;
        most = samples > most ? samples : most;
    }
    assert_true(above <= 48 * 48 / 500);
    assert_true(fewest < most);  // converged pixels rested
    dew_image_destroy(image);
    dew_render_scene_destroy(scene);
}

static bool stop_at_once(void *context, double fraction)
{
    (void)context;
    (void)fraction;
    return false;
}

static void can_be_stopped(void **state)
{
    (void)state;
    dew_RenderScene *scene = busy_scene();
    dew_RenderDef def = dew_default_render_def();
    dew_Image *image;
    def.progress.report = stop_at_once;
    assert_done(dew_image_create(NULL, &image));
    assert_int_equal(dew_ray_engine.render(NULL, scene, &def, NULL, image).code, DEW_INTERRUPTED);
    dew_image_destroy(image);
    dew_render_scene_destroy(scene);
}

static void nothing_shows_the_surroundings(void **state)
{
    (void)state;
    dew_RenderScene *scene = test_scene(0.5f, 4, DEW_DEG(20), 8);
    dew_Image *image = test_render(scene, 1, 1, NULL);
    assert_near(test_mean(image), 0.5, 1e-6);
    assert_true(dew_image_depth_m(image)[0] == 0);
    dew_image_destroy(image);
    dew_render_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bit_identical_on_any_number_of_workers),
        cmocka_unit_test(trees_agree),
        cmocka_unit_test(outline_shows_the_contact_angle),
        cmocka_unit_test(noise_goal_is_met),
        cmocka_unit_test(can_be_stopped),
        cmocka_unit_test(nothing_shows_the_surroundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
