// One renderer, many images: poses from the world, settings between images, and what it refuses.
#include "base/torture.h"
#include "dew/render.h"
#include "world/made_testing.h"

#include <math.h>
#include <string.h>

#define assert_near(a, b, allowed) assert_true(fabs((a) - (b)) <= (allowed))

enum { WIDTH = 48, HEIGHT = 32, PIXELS = WIDTH * HEIGHT };

// A ball that can be moved beside a drop; the camera looks along -z, 0.5 mm per pixel at the
// origin.
static const char SCENE[] =
    "solver: volume\n"
    "domain: {min: [-12 mm, 0 mm, -3 mm], max: [12 mm, 8 mm, 3 mm], cell: 0.5 mm,\n"
    "  walls: {floor: matt}}\n"
    "materials: {matt: {angle: 90 deg}}\n"
    "look: {matt: {kind: matte}}\n"
    "solids: [{name: ball, shape: sphere, center: [-6 mm, 3 mm, 0], radius: 2 mm,\n"
    "  material: matt, movable: true}]\n"
    "drops: [{shape: sphere, center: [7 mm, 5 mm, 0], radius: 2 mm}]\n"
    "camera: {eye: [0, 4 mm, 60 mm], target: [0, 4 mm, 0], fov: 15 deg, size: [48, 32]}\n";

typedef struct Fixture {
    Made made;
    dew_Renderer *renderer;
    dew_Image *images[2];
} Fixture;

static dew_RenderDef quick_def(void)
{
    dew_RenderDef def = dew_default_render_def();
    def.samples = 4;
    def.thread_count = 1;
    return def;
}

static Fixture set_up(void)
{
    Fixture f = {.made = make(SCENE, 1, NULL)};
    dew_RenderDef def = quick_def();
    assert_ok(dew_renderer_create(f.made.scene, &def, &f.renderer));
    for (int i = 0; i < 2; i++)
        assert_ok(dew_image_create(NULL, &f.images[i]));
    return f;
}

static void tear_down(Fixture *f)
{
    for (int i = 0; i < 2; i++)
        dew_image_destroy(f->images[i]);
    dew_renderer_destroy(f->renderer);
    destroy(&f->made);
}

static bool is_same(const dew_Image *a, const dew_Image *b)
{
    return memcmp(dew_image_color(a), dew_image_color(b), 3 * PIXELS * sizeof(float)) == 0;
}

// Mean column of the pixels nearer than the ball's back and left of the drop; NaN: none.
static double ball_column(const dew_Image *image)
{
    double sum = 0, count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < 30; x++) {
            float depth_m = dew_image_depth_m(image)[y * WIDTH + x];
            if (depth_m > 0 && depth_m < 59.9e-3f && y < 22) {
                sum += x;
                count++;
            }
        }
    return sum / count;
}

static void a_moved_solid_is_drawn_where_it_is(void **state)
{
    (void)state;
    Fixture f = set_up();
    assert_ok(dew_renderer_draw_world(f.renderer, f.made.world, f.images[0]));
    assert_ok(dew_renderer_draw_world(f.renderer, f.made.world, f.images[1]));
    assert_true(is_same(f.images[0], f.images[1]));
    assert_ok(dew_world_drag_solid(f.made.world, "ball", (dew_Vec3){4e-3, 0, 0}, 1e-3));
    assert_ok(dew_world_step(f.made.world, 1e-3));
    assert_ok(dew_renderer_draw_world(f.renderer, f.made.world, f.images[1]));
    double px_per_m = HEIGHT / (2 * 60e-3 * tan(DEW_DEG(7.5)));
    assert_near(ball_column(f.images[1]) - ball_column(f.images[0]), 4e-3 * px_per_m, 0.6);
    tear_down(&f);
}

static void poses_can_be_given(void **state)
{
    (void)state;
    Fixture f = set_up();
    dew_Pose poses[8] = {{{4e-3, 0, 0}, {0, 0, 0, 1}}};
    dew_RenderFrame frame = {.poses = poses};
    assert_int_equal(dew_renderer_solid_count(f.renderer), 2);
    dew_Vec3 min_m, max_m;
    assert_ok(dew_renderer_solid_bounds(f.renderer, 0, &min_m, &max_m));
    assert_near(min_m.x, -8e-3, 1e-9);
    assert_near(max_m.y, 5e-3, 1e-9);
    assert_int_equal(dew_renderer_solid_bounds(f.renderer, 2, &min_m, &max_m).code, DEW_BAD_INPUT);
    for (int i = 1; i < 8; i++)
        poses[i].rotation[3] = 1;
    assert_ok(dew_renderer_draw(f.renderer, &frame, f.images[0]));
    frame.poses = NULL;
    assert_ok(dew_renderer_draw(f.renderer, &frame, f.images[1]));
    assert_true(ball_column(f.images[0]) > ball_column(f.images[1]) + 3);
    tear_down(&f);
}

static void settings_change_between_images(void **state)
{
    (void)state;
    Fixture f = set_up();
    dew_CameraDef camera;
    dew_RenderFrame frame = {0};
    assert_ok(dew_renderer_camera(f.renderer, &frame, &camera));
    assert_true(camera.is_given && camera.width_px == WIDTH);
    assert_ok(dew_renderer_draw(f.renderer, &frame, f.images[0]));
    camera.eye_m.x += 3e-3;
    camera.target_m.x += 3e-3;
    assert_ok(dew_renderer_set_camera(f.renderer, &camera));
    assert_ok(dew_renderer_draw(f.renderer, &frame, f.images[1]));
    assert_true(ball_column(f.images[1]) < ball_column(f.images[0]) - 3);
    assert_ok(dew_renderer_set_camera(f.renderer, NULL));
    assert_ok(dew_renderer_draw(f.renderer, &frame, f.images[1]));
    assert_true(is_same(f.images[0], f.images[1]));
    dew_renderer_set_frame(f.renderer, 1);
    assert_ok(dew_renderer_draw(f.renderer, &frame, f.images[1]));
    assert_false(is_same(f.images[0], f.images[1]));
    assert_ok(dew_renderer_set_size(f.renderer, 20, 10));
    assert_ok(dew_renderer_set_samples(f.renderer, 1));
    assert_ok(dew_renderer_draw(f.renderer, &frame, f.images[1]));
    assert_int_equal(dew_image_width_px(f.images[1]), 20);
    assert_int_equal(dew_image_height_px(f.images[1]), 10);
    assert_true(dew_image_samples(f.images[1])[0] == 1);
    tear_down(&f);
}

static void rays_meet_what_is_drawn(void **state)
{
    (void)state;
    Fixture f = set_up();
    dew_Surface *surface;
    assert_ok(dew_surface_create(NULL, &surface));
    assert_ok(dew_world_surface(f.made.world, surface));
    dew_RenderFrame frame = {.surface = surface};
    dew_Vec3 away = {0, 0, -1};
    dew_RenderHit hit =
        dew_renderer_cast_ray(f.renderer, &frame, (dew_Vec3){-6e-3, 3e-3, 60e-3}, away, 1);
    assert_true(hit.is_hit && hit.solid_id == 0);
    assert_near(hit.distance_m, 58e-3, 1e-5);
    assert_near(hit.normal.z, 1, 1e-3);
    assert_near(hit.material.advancing_rad, DEW_DEG(90), 1e-9);
    hit = dew_renderer_cast_ray(f.renderer, &frame, (dew_Vec3){7e-3, 5e-3, 60e-3}, away, 1);
    assert_true(hit.is_hit && hit.solid_id == DEW_INVALID);
    assert_near(hit.distance_m, 58e-3, 2e-4);
    assert_near(hit.drop_volume_m3, 33.5e-9, 1e-9);
    hit = dew_renderer_cast_ray(f.renderer, &frame, (dew_Vec3){0, 7e-3, 60e-3}, away, 1);
    assert_false(hit.is_hit);
    hit = dew_renderer_nearest(f.renderer, &frame, 0, (dew_Vec3){-6e-3, 3e-3, 5e-3});
    assert_near(hit.distance_m, 3e-3, 1e-9);
    dew_Vec3 min_m, max_m;
    dew_renderer_bounds(f.renderer, &frame, &min_m, &max_m);
    assert_near(min_m.x, -8e-3, 1e-6);
    assert_near(max_m.x, 9e-3, 1e-4);
    dew_surface_destroy(surface);
    tear_down(&f);
}

static void wrong_input_is_refused(void **state)
{
    (void)state;
    Fixture f = set_up();
    dew_Renderer *none = NULL;
    dew_RenderDef def = quick_def();
    dew_CameraDef camera = {.is_given = true, .up = {0, 1, 0}, .fov_rad = 1};
    def.engine = "rai";
    dew_Status status = dew_renderer_create(f.made.scene, &def, &none);
    assert_int_equal(status.code, DEW_BAD_INPUT);
    assert_non_null(strstr(status.message, "did you mean ray"));
    assert_null(none);
    assert_int_equal(dew_renderer_set_size(f.renderer, 10, 0).code, DEW_BAD_INPUT);
    assert_int_equal(dew_renderer_set_samples(f.renderer, 0).code, DEW_BAD_INPUT);
    assert_int_equal(dew_renderer_set_camera(f.renderer, &camera).code, DEW_BAD_INPUT);
    assert_ok(dew_renderer_draw_world(f.renderer, f.made.world,
                                      f.images[0]));  // the old settings are kept
    assert_int_equal(dew_renderer_draw_gl(f.renderer, &(dew_RenderFrame){0}, 0, 8, 8).code,
                     DEW_UNSUPPORTED);
    Made other = make("solver: volume\n"
                      "domain: {min: [0, 0, 0], max: [4 mm, 4 mm, 4 mm], cell: 0.5 mm}\n"
                      "drops: [{shape: sphere, center: [2 mm, 2 mm, 2 mm], radius: 1 mm}]\n",
                      1, NULL);
    assert_int_equal(dew_renderer_draw_world(f.renderer, other.world, f.images[0]).code,
                     DEW_BAD_INPUT);
    destroy(&other);
    tear_down(&f);
}

// Every allocation fails once: an error each time, and nothing leaks (the sanitizers watch).
static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    Fixture f = set_up();
    dew_RenderDef def = quick_def();
    bool is_done = false;
    for (int64_t n = 0; !is_done; n += n < 20 ? 1 : n / 4) {
        dew_Torture torture = dew_torture(n);
        dew_Renderer *renderer = NULL;
        def.allocator = dew_torture_allocator(&torture);
        dew_Status status = dew_renderer_create(f.made.scene, &def, &renderer);
        if (status.code == DEW_OK)
            status = dew_renderer_draw(renderer, &(dew_RenderFrame){0}, f.images[0]);
        dew_renderer_destroy(renderer);
        is_done = status.code == DEW_OK;
        assert_true(is_done || status.code == DEW_NO_MEMORY);
        assert_true(torture.blocks == 0 && !torture.was_lied_to);
    }
    tear_down(&f);
}

// In the renderer's own context: an image like that of the same engine into memory, and times by
// stage.
static void draws_in_real_time_without_a_window(void **state)
{
    (void)state;
    Fixture f = set_up();
    dew_RenderDef def = quick_def();
    dew_Renderer *live = NULL;
    dew_StageTime stages[16];
    dew_LiveDef quality = dew_default_live_def();
    def.engine = "gl";
    dew_Status status = dew_renderer_create(f.made.scene, &def, &live);
    if (status.code == DEW_UNSUPPORTED) {
        tear_down(&f);
        skip();
    }
    assert_ok(status);
    dew_RenderFrame frame = {0};
    dew_renderer_time_stages(live, true);
    assert_ok(dew_renderer_draw_gl(live, &frame, 0, 2 * WIDTH, 2 * HEIGHT));
    assert_ok(dew_renderer_read_gl(live, f.images[0]));
    assert_int_equal(dew_image_width_px(f.images[0]), WIDTH);
    double sum_s = 0, light = 0;
    int count = dew_renderer_stages(live, stages, 16);
    for (int s = 0; s < count; s++)
        sum_s += stages[s].cpu_s;
    for (int64_t i = 0; i < 3 * PIXELS; i++)
        light += (double)dew_image_color(f.images[0])[i];
    assert_true(count > 0 && sum_s > 0 && light > 0);
    dew_renderer_time_stages(live, false);
    quality.is_fine = true;
    assert_ok(dew_renderer_set_live(live, &quality));
    assert_ok(dew_renderer_draw_gl(live, &frame, 0, WIDTH, HEIGHT));
    dew_renderer_stages(live, stages, 1);
    assert_true(stages[0].cpu_s == 0);
    quality.light_every = 0;
    assert_int_equal(dew_renderer_set_live(live, &quality).code, DEW_BAD_INPUT);
    dew_renderer_destroy(live);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moved_solid_is_drawn_where_it_is),
        cmocka_unit_test(poses_can_be_given),
        cmocka_unit_test(settings_change_between_images),
        cmocka_unit_test(rays_meet_what_is_drawn),
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(draws_in_real_time_without_a_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
