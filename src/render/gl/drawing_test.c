// Drawing: the same shaders under OpenGL ES and desktop GL, even light, memory, lights.
#include "render/gl/gl_testing.h"

#include "base/allocator.h"
#include "render/image.h"

#include <stdlib.h>

enum { SIZE = 48 };

typedef struct Pixels {
    float rgba[4 * SIZE * SIZE];
} Pixels;

static dew_GlShot shot_at(dew_GlLevel level)
{
    dew_GlShot live = dew_gl_shot_live(SIZE, SIZE);
    live.light_every = 1;
    return level == DEW_GL_LIVE ? live : dew_gl_shot_quick(SIZE, SIZE);
}

static void draw(const dew_RenderScene *scene, dew_GlKind kind, dew_GlLevel level, Pixels *out)
{
    dew_GlContext *context = test_context(kind);
    dew_GlDrawing *drawing;
    assert_done(dew_gl_drawing_create(dew_gl_context_calls(context), NULL, &drawing));
    assert_done(dew_gl_drawing_set_scene(drawing, scene, NULL));
    assert_done(dew_gl_drawing_set_bodies(drawing, scene));
    dew_GlShot shot = shot_at(level);
    assert_done(dew_gl_drawing_draw(drawing, &shot));
    dew_gl_drawing_read(drawing, out->rgba);
    dew_gl_drawing_destroy(drawing);
    dew_gl_context_destroy(context);
}

// A drop over a floor, in the light of a light.
static dew_RenderScene *drop_scene(void)
{
    dew_RenderScene *scene = test_scene(0.5f, SIZE);
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, 1.333f);
    test_add_light(scene, dew_vec(0.3, -1, -0.2));
    test_add_floor(scene, -1.2);
    test_add_ball(scene, &water, dew_vec(0, 0, 0), 1, 12);
    return scene;
}

// All programs compile and link on both, from one source; the images agree.
static void check_both_kinds(dew_GlLevel level)
{
    Pixels es, desktop;
    dew_RenderScene *scene = drop_scene();
    draw(scene, DEW_GL_ES3, level, &es);
    draw(scene, DEW_GL_DESKTOP33, level, &desktop);
    double off = 0, sum = 0;
    for (int i = 0; i < 4 * SIZE * SIZE; i++) {
        off += fabs((double)es.rgba[i] - (double)desktop.rgba[i]);
        sum += (double)es.rgba[i];
    }
    assert_true(sum > 0);
    assert_true(off <= 0.01 * sum);
    dew_render_scene_destroy(scene);
}

static void both_kinds_of_gl(void **state)
{
    (void)state;
    check_both_kinds(DEW_GL_FINE);
    check_both_kinds(DEW_GL_LIVE);
}

// In light that is the same from everywhere clear bodies cannot be seen.
static void check_even_light(dew_GlLevel level)
{
    Pixels pixels;
    dew_RenderScene *scene = test_scene(1, SIZE);
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, 1.333f);
    test_add_ball(scene, &water, dew_vec(0, 0, 0), 1, 16);
    draw(scene, DEW_GL_ES3, level, &pixels);
    for (int i = 0; i < SIZE * SIZE; i++)
        assert_near(pixels.rgba[4 * i], 1, 0.005);
    dew_render_scene_destroy(scene);
}

static void even_light_stays_even(void **state)
{
    (void)state;
    check_even_light(DEW_GL_FINE);
    check_even_light(DEW_GL_LIVE);
}

// A grey floor in even light is as bright as its albedo.
static void matte_floor(void **state)
{
    (void)state;
    Pixels pixels;
    dew_RenderScene *scene = test_scene(1, SIZE);
    test_add_floor(scene, -1);
    for (int level = DEW_GL_FINE; level <= DEW_GL_LIVE; level++) {
        draw(scene, DEW_GL_ES3, (dew_GlLevel)level, &pixels);
        assert_near(pixels.rgba[4 * (SIZE / 8 * SIZE + SIZE / 2)], 0.6, 0.005);
    }
    dew_render_scene_destroy(scene);
}

// ---- memory ------------------------------------------------------------------------------------

typedef struct Counting {
    int64_t growths;
} Counting;

static void *count_growths(void *context, void *block, size_t old_size, size_t new_size)
{
    Counting *counting = context;
    counting->growths += new_size > old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static void check_allocations(dew_GlLevel level)
{
    Counting counting = {0};
    dew_Allocator allocator = {.resize = count_growths, .context = &counting};
    dew_GlContext *context = test_context(DEW_GL_ES3);
    dew_GlDrawing *drawing;
    dew_RenderScene *scene = drop_scene();
    dew_GlShot shot = shot_at(level);
    assert_done(dew_gl_drawing_create(dew_gl_context_calls(context), &allocator, &drawing));
    assert_done(dew_gl_drawing_set_scene(drawing, scene, NULL));
    for (int i = 0; i < 4; i++) {
        int64_t before = counting.growths;
        assert_done(dew_gl_drawing_set_bodies(drawing, scene));
        assert_done(dew_gl_drawing_draw(drawing, &shot));
        assert_true(i < 1 || counting.growths == before);
    }
    dew_gl_drawing_destroy(drawing);
    dew_gl_context_destroy(context);
    dew_render_scene_destroy(scene);
}

static void steady_drawing_allocates_nothing(void **state)
{
    (void)state;
    check_allocations(DEW_GL_FINE);
    check_allocations(DEW_GL_LIVE);
}

// ---- what is kept ------------------------------------------------------------------------------

// An image after others, of which much is kept, is the image drawn at once: nothing stale is left
// when the drop, the camera, the level or the size change.
static void kept_images_are_not_stale(void **state)
{
    (void)state;
    Pixels fresh, kept;
    dew_GlContext *context = test_context(DEW_GL_ES3);
    dew_GlDrawing *drawing;
    dew_RenderScene *scene = drop_scene();
    dew_GlShot live = shot_at(DEW_GL_LIVE), fine = shot_at(DEW_GL_FINE);
    dew_GlShot other = dew_gl_shot_live(2 * SIZE, SIZE);
    dew_Vec3 *positions = scene->positions.data;
    assert_done(dew_gl_drawing_create(dew_gl_context_calls(context), NULL, &drawing));
    assert_done(dew_gl_drawing_set_scene(drawing, scene, NULL));
    const dew_GlShot *before[] = {&live, &fine, &other, &fine, &live};
    for (int i = 0; i < 5; i++) {
        assert_done(dew_gl_drawing_set_bodies(drawing, scene));
        assert_done(dew_gl_drawing_draw(drawing, before[i]));
        for (int64_t v = 0; v < scene->positions.count; v++)
            if (positions[v].y > -1.1)  // the drop
                positions[v].x += 0.1;
        scene->camera.eye_m.y += i < 3 ? 0.1 : 0;
    }
    assert_done(dew_gl_drawing_set_bodies(drawing, scene));
    assert_done(dew_gl_drawing_draw(drawing, &live));
    dew_gl_drawing_read(drawing, kept.rgba);
    dew_gl_drawing_destroy(drawing);
    dew_gl_context_destroy(context);
    draw(scene, DEW_GL_ES3, DEW_GL_LIVE, &fresh);
    for (int i = 0; i < 4 * SIZE * SIZE; i++)
        assert_near(kept.rgba[i], fresh.rgba[i], 1e-6);
    dew_render_scene_destroy(scene);
}

// ---- what rests --------------------------------------------------------------------------------

enum { WIDE = 160, HIGH = 96, DROPS = 5 };

typedef struct Screen {
    float rgba[4 * WIDE * HIGH];
} Screen;

// Drops before a pane, a ball behind it, perhaps lights. The ball, then a drop move on.
static dew_RenderScene *pane_scene(bool has_dir_light, double ball_x, double drop_y)
{
    dew_RenderScene *scene = test_scene(0.5f, WIDE);
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, 1.333f),
                   glass = test_body(DEW_BODY_CLEAR, 1.5f), ball = test_body(DEW_BODY_OPAQUE, 1);
    glass.solid_id = 0;
    ball.solid_id = 1;
    dew_environment_destroy(scene->environment);
    assert_done(dew_environment_create(has_dir_light ? "studio" : "rainy", NULL, NULL,
                                       &scene->environment));
    scene->subject_m = (dew_Box){{-3, -3, -3}, {3, 3, 3}};
    dew_CameraDef camera = dew_default_scene_def().camera;
    camera.is_given = true;
    camera.eye_m = dew_vec(0.5, 0.3, 8);
    camera.fov_rad = DEW_DEG(30);
    assert_done(dew_camera_resolve(&camera, dew_box_empty(), WIDE, HIGH, &scene->camera));
    if (has_dir_light)
        test_add_light(scene, dew_vec(0.3, -1, -0.5));
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_box(dew_vec(20, 20, 0.4), 0, &mesh));
    test_add(scene, &glass, &mesh, dew_vec(0, 0, -0.5), DEW_DEG(40));
    dew_mesh_deinit(&mesh);
    test_add_ball(scene, &ball, dew_vec(ball_x, 0, -2), 0.5, 8);
    for (int i = 0; i < DROPS; i++)
        test_add_ball(scene, &water, dew_vec(1.2 * i - 2.4, i == 3 ? drop_y : 0.3 * i - 0.6, 0),
                      0.25, 6);
    return scene;
}

static dew_GlShot screen_shot(void)
{
    dew_GlShot shot = dew_gl_shot_live(WIDE, HIGH);
    shot.light_every = 1;
    shot.is_for_screen = true;
    return shot;
}

static void draw_on(dew_GlDrawing *drawing, const dew_RenderScene *scene, Screen *out)
{
    dew_GlShot shot = screen_shot();
    assert_done(dew_gl_drawing_set_bodies(drawing, scene));
    assert_done(dew_gl_drawing_draw(drawing, &shot));
    dew_gl_drawing_read(drawing, out->rgba);
}

static int64_t count_different(const Screen *a, const Screen *b)
{
    int64_t count = 0;
    for (int i = 0; i < 4 * WIDE * HIGH; i++)
        count += a->rgba[i] != b->rgba[i];
    return count;
}

// Pixels of drops that rest are kept while others move, and the solids are drawn anew only where
// one of them was or is: the image is the same as if all of it were drawn anew, to the last bit.
static void check_resting(bool has_dir_light)
{
    static const double ball_x[] = {-1, -0.8, -0.8, 0.1}, drop_y[] = {0.2, 0.2, 0.4, 0.5};
    static Screen kept, fresh, before;
    dew_GlContext *context = test_context(DEW_GL_ES3);
    dew_GlDrawing *one, *other;
    dew_RenderScene *scene = pane_scene(has_dir_light, 0, 0);
    assert_done(dew_gl_drawing_create(dew_gl_context_calls(context), NULL, &one));
    assert_done(dew_gl_drawing_create(dew_gl_context_calls(context), NULL, &other));
    assert_done(dew_gl_drawing_set_scene(one, scene, NULL));
    assert_done(dew_gl_drawing_set_scene(other, scene, NULL));
    dew_render_scene_destroy(scene);
    for (int i = 0; i < 4; i++) {
        dew_RenderScene *last = pane_scene(has_dir_light, ball_x[i], drop_y[i]);
        draw_on(one, last, &kept);
        dew_RenderScene *away = pane_scene(has_dir_light, ball_x[i], drop_y[i]);
        away->camera.eye_m.x += 1;
        draw_on(other, away, &fresh);  // so that nothing can be kept
        draw_on(other, last, &fresh);
        assert_int_equal(count_different(&kept, &fresh), 0);
        assert_true(i == 0 || count_different(&kept, &before) > 100);
        before = kept;
        dew_render_scene_destroy(last);
        dew_render_scene_destroy(away);
    }
    dew_gl_drawing_destroy(one);
    dew_gl_drawing_destroy(other);
    dew_gl_context_destroy(context);
}

static void what_rests_is_kept(void **state)
{
    (void)state;
    check_resting(false);
    check_resting(true);
}

// Images in bytes are those in floats as a screen shows them, to a level or two of 255; where a
// drop bends them some more.
static void screens_show_the_same(void **state)
{
    (void)state;
    static Screen bytes, floats;
    dew_GlContext *context = test_context(DEW_GL_ES3);
    dew_GlDrawing *drawing;
    dew_RenderScene *scene = pane_scene(true, -1, 0.2);
    dew_GlShot shot = screen_shot();
    assert_done(dew_gl_drawing_create(dew_gl_context_calls(context), NULL, &drawing));
    assert_done(dew_gl_drawing_set_scene(drawing, scene, NULL));
    draw_on(drawing, scene, &bytes);
    shot.is_for_screen = false;
    assert_done(dew_gl_drawing_draw(drawing, &shot));
    dew_gl_drawing_read(drawing, floats.rgba);
    double sum = 0;
    int64_t far = 0;
    for (int i = 0; i < 4 * WIDE * HIGH; i++) {
        double off = 255 * fabs((double)dew_tone_srgb(bytes.rgba[i]) -
                                (double)dew_tone_srgb(floats.rgba[i]));
        sum += i % 4 == 3 ? 0 : off / (3 * WIDE * HIGH);
        far += i % 4 != 3 && off > 2;
    }
    print_message("off by %.3f levels in the mean, more than 2 in %lld of %d\n", sum,
                  (long long)far, 3 * WIDE * HIGH);
    assert_true(sum < 0.5);  // rounding alone: 0.25
    assert_true(far < 3 * WIDE * HIGH / 100);
    dew_gl_drawing_destroy(drawing);
    dew_gl_context_destroy(context);
    dew_render_scene_destroy(scene);
}

// ---- lights -------------------------------------------------------------------------------------

static dew_GlLights find_lights(const dew_RenderScene *scene)
{
    dew_GlLights lights;
    dew_Arena arena;
    dew_arena_init(&arena, NULL);
    float *map = dew_arena_array(&arena, float, 4 * (int64_t)DEW_GL_MAP_WIDTH * DEW_GL_MAP_HEIGHT);
    assert_non_null(map);
    assert_done(dew_gl_map_fill(scene->environment, NULL, map));
    assert_done(dew_gl_lights_find(scene, map, &arena, &lights));
    dew_arena_deinit(&arena);
    return lights;
}

static void even_light_has_no_lights(void **state)
{
    (void)state;
    dew_RenderScene *scene = test_scene(0.7f, SIZE);
    dew_GlLights lights = find_lights(scene);
    assert_int_equal(lights.count, 0);
    assert_near(lights.ambient[0].x, 0.7, 1e-4);
    for (int i = 1; i < 9; i++)
        assert_near(lights.ambient[i].x, 0, 1e-3);
    dew_render_scene_destroy(scene);
}

// The lights and the rest together light a table as the whole studio does, within what nine
// harmonics leave out (about 1 % of a table's light [Ramamoorthi2001]; the lights' size costs a
// little more).
static void studio_keeps_its_light(void **state)
{
    (void)state;
    enum { N = 400 };
    dew_RenderScene *scene = test_scene(1, SIZE);
    dew_environment_destroy(scene->environment);
    assert_done(dew_environment_create("studio", NULL, NULL, &scene->environment));
    dew_GlLights lights = find_lights(scene);
    assert_int_equal(lights.count, DEW_GL_LIGHTS);
    double exact = 0;
    for (int i = 0; i < N * N; i++) {  // cosine-weighted directions about +y
        int row = i / N;
        double u = (i % N + 0.5) / N, v = (row + 0.5) / N, r = sqrt(u);
        dew_Float3 d = {(float)(r * cos(2 * DEW_PI * v)), (float)sqrt(1 - u),
                        (float)(r * sin(2 * DEW_PI * v))};
        exact += (double)dew_luminance(dew_environment_seen(scene->environment, d)) / (N * N);
    }
    double ours =
        (double)dew_luminance(lights.ambient[0]) + (double)dew_luminance(lights.ambient[1]) -
        (double)dew_luminance(lights.ambient[6]) - (double)dew_luminance(lights.ambient[8]);
    for (int i = 0; i < lights.count; i++)
        ours += (double)dew_luminance(lights.lights[i].irradiance) *
                fmax((double)lights.lights[i].towards.y, 0) / DEW_PI;
    print_message("light on a table: %.4f, exact %.4f\n", ours, exact);
    assert_near(ours, exact, 0.05 * exact);
    dew_render_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_of_gl),
        cmocka_unit_test(even_light_stays_even),
        cmocka_unit_test(matte_floor),
        cmocka_unit_test(steady_drawing_allocates_nothing),
        cmocka_unit_test(kept_images_are_not_stale),
        cmocka_unit_test(what_rests_is_kept),
        cmocka_unit_test(screens_show_the_same),
        cmocka_unit_test(even_light_has_no_lights),
        cmocka_unit_test(studio_keeps_its_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
