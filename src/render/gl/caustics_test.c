// Caustics: light through water lands where Snell's law says, and none of it is lost.
//
// A ray of light from straight above that meets the top of a ball of radius 1 and index n at the
// distance h from its axis is bent by i - t towards it, with sin i = h and sin t = h / n. Below a
// swell (half a ball on a pool) it goes on to the floor; a ball bends it once more by the same
// angle as it leaves at the distance h from the middle.
#include "render/gl/gl_testing.h"

#define INDEX 1.333
#define POOL  2.5  // its radius

typedef struct Case {
    bool is_swell;
    double floor_y;
} Case;

static double reflectance(double cos_i, double eta)
{
    double cos_t = sqrt(1 - (1 - cos_i * cos_i) / (eta * eta));
    double p = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    double s = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    return 0.5 * (p * p + s * s);
}

// Where it lands, from the axis, and what is left of it.
static double land(const Case *c, double h, double *left)
{
    double R = reflectance(h < 1 ? sqrt(1 - h * h) : 1, INDEX);
    *left = 1 - R;
    if (h > 1)
        return h;  // straight down through the pool
    double bend = asin(h) - asin(h / INDEX), up = sqrt(1 - h * h);
    if (c->is_swell)
        return fabs(h - (up - c->floor_y) * tan(bend));
    *left = (1 - R) * (1 - R);
    double crossing = -h / sin(2 * bend);  // height at which it meets the axis
    return fabs((c->floor_y - crossing) * tan(2 * bend));
}

// Light that lands within `radius` of the axis, of 1 per area.
static double expected(const Case *c, double radius)
{
    enum { N = 20000 };
    double sum = 0, widest = c->is_swell ? POOL : 1;
    for (int i = 0; i < N; i++) {
        double h = widest * (i + 0.5) / N, left;
        if (land(c, h, &left) <= radius)
            sum += 2 * DEW_PI * h * left * widest / N;
    }
    return sum;
}

static void add_swell(dew_RenderScene *scene, double floor_y)
{
    enum { FLAT = 30, RINGS = 60, COUNT = 3 + FLAT + 1 + RINGS + 1 };
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, (float)INDEX);
    dew_ProfilePoint profile[COUNT] = {{0, floor_y - 0.02}, {POOL, floor_y - 0.02}, {POOL, 0}};
    // The pool's normals are upright but for its edge and the swell's foot.
    for (int i = 0; i <= FLAT; i++)
        profile[3 + i] = (dew_ProfilePoint){POOL - 0.002 - (POOL - 1 - 0.004) * i / FLAT, 0};
    for (int i = 0; i <= RINGS; i++) {
        double turn = DEW_PI / 2 * i / RINGS;
        profile[4 + FLAT + i] = (dew_ProfilePoint){i == RINGS ? 0 : cos(turn), sin(turn)};
    }
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_revolve(profile, COUNT, 0.05, &mesh));
    test_add(scene, &water, &mesh, dew_vec(0, 0, 0), DEW_DEG(60));
    dew_mesh_deinit(&mesh);
}

static dew_RenderScene *make_scene(const Case *c)
{
    dew_RenderScene *scene = test_scene(0, 32);
    test_add_light(scene, dew_vec(0, -1, 0));
    test_add_floor(scene, c->floor_y);
    if (c->is_swell) {
        add_swell(scene, c->floor_y);
    } else {
        dew_RenderBody water = test_body(DEW_BODY_CLEAR, (float)INDEX);
        test_add_ball(scene, &water, dew_vec(0, 0, 0), 1, 40);
    }
    return scene;
}

// The light in the texture within a radius (m) of the point below the middle.
static double found(const float *rgba, int size, const double middle[2], const double per_m[2],
                    double texel_m2, double radius)
{
    double sum = 0;
    for (int i = 0; i < size * size; i++) {
        double x = ((i % size + 0.5) / size - middle[0]) / per_m[0];
        double y = ((i / size + 0.5) / size - middle[1]) / per_m[1];
        if (x * x + y * y <= radius * radius)
            sum += (double)rgba[4 * i] * texel_m2;
    }
    return sum;
}

static void compare(const Case *c)
{
    dew_GlContext *context = test_context(DEW_GL_ES3);
    dew_GlDrawing *drawing;
    dew_RenderScene *scene = make_scene(c);
    assert_done(dew_gl_drawing_create(dew_gl_context_calls(context), NULL, &drawing));
    assert_done(dew_gl_drawing_set_scene(drawing, scene, NULL));
    assert_done(dew_gl_drawing_set_bodies(drawing, scene));
    dew_GlShot shot = dew_gl_shot_fine(32, 32);
    assert_done(dew_gl_drawing_draw(drawing, &shot));
    int size = dew_gl_drawing_caustics_px(drawing);
    float *rgba = test_malloc((size_t)size * (size_t)size * 4 * sizeof *rgba);
    double texel_m2, middle[2], off[2];
    dew_gl_drawing_read_caustics(drawing, 0, rgba, &texel_m2);
    dew_gl_drawing_in_caustics(drawing, 0, dew_vec(0, c->floor_y, 0), middle);
    dew_gl_drawing_in_caustics(drawing, 0, dew_vec(1, c->floor_y, 0), off);
    double along = hypot(off[0] - middle[0], off[1] - middle[1]);
    const double per_m[2] = {along, 1 / (texel_m2 * size * size * along)};
    double widest = c->is_swell ? POOL : 1, all = expected(c, widest);
    print_message("light on the floor: %.4f of %.4f\n",
                  found(rgba, size, middle, per_m, texel_m2, widest), all);
    for (double radius = 0.15; radius < widest + 0.1; radius += 0.2)
        assert_near(found(rgba, size, middle, per_m, texel_m2, radius), expected(c, radius),
                    0.03 * expected(c, radius));
    test_free(rgba);
    dew_gl_drawing_destroy(drawing);
    dew_gl_context_destroy(context);
    dew_render_scene_destroy(scene);
}

// The floor lies where rays near the axis meet: n / (n - 1) below the top.
static void swell_at_its_focus(void **state)
{
    (void)state;
    compare(&(Case){true, 1 - INDEX / (INDEX - 1)});
}

static void swell_before_its_focus(void **state)
{
    (void)state;
    compare(&(Case){true, -1});
}

static void ball_before_its_focus(void **state)
{
    (void)state;
    compare(&(Case){false, -1.3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swell_at_its_focus),
        cmocka_unit_test(swell_before_its_focus),
        cmocka_unit_test(ball_before_its_focus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
