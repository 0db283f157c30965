// Looks: names, ranges, wetness, patterns, liquids; image and camera beside them.
#include <math.h>

#include "base/random.h"
#include "base/testing.h"
#include "render/camera.h"
#include "render/image.h"
#include "render/look.h"
#include "render/pattern.h"

#include <string.h>

#define assert_near(a, b, allowed) assert_true(fabs((double)(a) - (double)(b)) <= (allowed))

static void names_tell_kinds(void **state)
{
    (void)state;
    assert_int_equal(dew_look_kind_of("glass"), DEW_LOOK_GLASS);
    assert_int_equal(dew_look_kind_of("Frosted_Glass"), DEW_LOOK_FROSTED);
    assert_int_equal(dew_look_kind_of("lotus"), DEW_LOOK_LEAF);
    assert_int_equal(dew_look_kind_of("stainless_steel"), DEW_LOOK_METAL);
    assert_int_equal(dew_look_kind_of("default"), DEW_LOOK_PLASTIC);
    assert_int_equal(dew_look_kind_of(NULL), DEW_LOOK_PLASTIC);
    dew_LookDef def = dew_default_look_def();
    def.kind = DEW_LOOK_WOOD;
    assert_int_equal(dew_look(&def, "glass", 1).kind, DEW_LOOK_WOOD);
}

// No look reflects more than it gets, anywhere.
static void finishes_are_physical(void **state)
{
    (void)state;
    dew_Random random = dew_random(3, 0, 0);
    for (int kind = DEW_LOOK_GLASS; kind < DEW_LOOK_KIND_COUNT; kind++) {
        dew_LookDef def = dew_default_look_def();
        def.kind = (dew_LookKind)kind;
        dew_Look look = dew_look(&def, "x", 0.02);
        for (int i = 0; i < 2000; i++) {
            dew_Float3 p = dew_f3_from(dew_scale(0.05, dew_random_direction(&random)));
            dew_Float3 n = dew_f3_from(dew_random_direction(&random));
            dew_Finish f = dew_look_at(&look, p, n, (float)dew_random_unit(&random));
            assert_true(f.albedo.x >= 0 && f.albedo.y >= 0 && f.albedo.z >= 0);
            assert_true(dew_f3_max(dew_f3_add(f.albedo, f.transmission)) <= 1);
            assert_true(f.coat >= 0 && f.coat <= 1 && f.metal >= 0 && f.metal <= 1);
            assert_true(f.coat_roughness >= 0 && f.coat_roughness <= 1 && f.ior >= 1);
        }
    }
}

// Angstrom's law for grey of a half: 0.5 / (0.5 + 1.333^2 0.5).
static void water_darkens_what_is_porous(void **state)
{
    (void)state;
    dew_LookDef def = dew_default_look_def();
    def.kind = DEW_LOOK_MATTE;
    def.color = dew_vec(0.5, 0.5, 0.5);
    dew_Look matte = dew_look(&def, "x", 1);
    dew_Float3 p = {0, 0, 0}, n = {0, 1, 0};
    assert_near(dew_look_at(&matte, p, n, 0).albedo.x, 0.5, 1e-6);
    assert_near(dew_look_at(&matte, p, n, 1).albedo.x, 0.5 / (0.5 + 1.333 * 1.333 * 0.5), 1e-5);
    def.kind = DEW_LOOK_PLASTIC;
    dew_Look plastic = dew_look(&def, "x", 1);
    assert_near(dew_look_at(&plastic, p, n, 1).albedo.x, 0.5, 1e-6);
}

static void textures_are_seen_from_three_sides(void **state)
{
    (void)state;
    const float rgb[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    dew_Texture texture = {2, 2, rgb, 1};
    dew_Look look = {.kind = DEW_LOOK_MATTE, .color = {0.8f, 0.8f, 0.8f}, .scale = 1};
    look.texture = &texture;
    dew_Float3 up = {0, 1, 0};
    dew_Float3 a = dew_look_at(&look, dew_f3(0, 0, 0), up, 0).albedo;
    assert_near(a.x, 1, 1e-5);
    assert_near(a.y, 0, 1e-5);
    // Repeats after its width.
    dew_Float3 b = dew_look_at(&look, dew_f3(1, 5, 3), up, 0).albedo;
    assert_near(b.x, 1, 1e-5);
}

static void liquids_have_their_index(void **state)
{
    (void)state;
    dew_LiquidDef liquid = dew_default_liquid_def();
    assert_near(dew_liquid_look(&liquid).medium.ior, 1.333, 1e-4);
    dew_liquid_preset("glycerol", &liquid);
    assert_near(dew_liquid_look(&liquid).medium.ior, 1.473, 1e-4);
    dew_liquid_preset("mercury", &liquid);
    assert_true(dew_liquid_look(&liquid).is_opaque);
}

static void a_dye_leaves_its_colour_at_its_depth(void **state)
{
    (void)state;
    dew_Float3 absorbed = dew_dye(dew_vec(0.5, 1, 0), 2e-3);
    assert_near(exp(-2e-3 * (double)absorbed.x), 0.5, 1e-6);
    assert_near(exp(-2e-3 * (double)absorbed.y), 1, 1e-6);
    assert_true(exp(-2e-3 * (double)absorbed.z) < 2e-3);  // black, and yet a number
}

static void noise_stays_in_bounds(void **state)
{
    (void)state;
    dew_Random random = dew_random(4, 0, 0);
    double mean = 0;
    for (int i = 0; i < 20000; i++) {
        dew_Float3 p = dew_f3_from(dew_scale(40, dew_random_direction(&random)));
        float x = dew_noise(p), nearest, second;
        uint32_t id;
        assert_true(fabsf(x) <= 1.1f);
        mean += (double)x / 20000;
        dew_noise_cells(p, &nearest, &second, &id);
        assert_true(nearest <= second && nearest < 1.74f);
    }
    assert_near(mean, 0, 0.02);
}

// Nowhere is a spot cut off: from place to place light changes by no more than the softest rim lets
// it.
static void spots_are_whole(void **state)
{
    (void)state;
    dew_Random random = dew_random(5, 0, 0);
    const float step = 1e-3f;
    int lit = 0;
    for (int i = 0; i < 20000; i++) {
        dew_Float3 p = dew_f3_from(dew_scale(7, dew_random_direction(&random)));
        dew_Float3 direction = dew_f3_from(dew_random_direction(&random));
        float here = dew_noise_spots(p),
              there = dew_noise_spots(dew_f3_add_scaled(p, step, direction));
        assert_true(here >= 0 && here < 1);
        assert_true(fabsf(there - here) < 20 * step);
        lit += here > 0.01f;
    }
    assert_in_range(lit, 1000, 10000);
}

// ---- image and camera --------------------------------------------------------------------------

static void tones_keep_order_and_range(void **state)
{
    (void)state;
    assert_true(dew_tone_srgb(0) == 0 && dew_tone_srgb(-1) == 0);
    assert_near(dew_tone_srgb(0.18f), 0.4614, 1e-3);  // sRGB of middle grey, untouched
    float before = -1;
    for (float x = 0; x < 100; x = x * 1.1f + 0.001f) {
        float y = dew_tone_srgb(x);
        assert_true(y >= before && y <= 1);
        before = y;
        if (y < 0.99f)
            assert_near(dew_tone_srgb(dew_tone_linear(y)), y, 1e-5);
    }
    assert_true(dew_tone_linear(0) == 0 && dew_tone_linear(1) < 1000);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    dew_Image *image;
    assert_int_equal(dew_image_create(NULL, &image).code, DEW_OK);
    assert_int_equal(dew_image_resize(image, 0, 10).code, DEW_BAD_INPUT);
    assert_int_equal(dew_image_resize(image, 10, 40000).code, DEW_BAD_INPUT);
    assert_int_equal(dew_image_resize(image, 3, 2).code, DEW_OK);
    assert_int_equal(dew_image_width_px(image), 3);
    dew_image_destroy(image);
}

// Without a camera the subject is in the image, not too small.
static void the_subject_is_framed(void **state)
{
    (void)state;
    dew_CameraDef def = dew_default_scene_def().camera;
    dew_Box box = {{-0.004, 0, -0.002}, {0.004, 0.003, 0.002}};
    dew_Camera camera;
    assert_int_equal(dew_camera_resolve(&def, box, 640, 360, &camera).code, DEW_OK);
    double widest = 0;
    for (int i = 0; i < 8; i++) {
        dew_Vec3 q = {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                      i & 4 ? box.max.z : box.min.z};
        dew_Vec3 arm = dew_sub(q, camera.eye_m);
        double depth = dew_inner(arm, camera.forward);
        widest = fmax(widest, fabs(dew_inner(arm, camera.right)) / depth / camera.half_width);
        widest = fmax(widest, fabs(dew_inner(arm, camera.up)) / depth / camera.half_height);
    }
    assert_near(widest, 0.55, 1e-9);
    assert_int_equal(dew_camera_resolve(&def, dew_box_empty(), 640, 360, &camera).code,
                     DEW_BAD_INPUT);
}

// Rays of all points of the lens meet at the focus distance.
static void the_lens_focuses(void **state)
{
    (void)state;
    dew_CameraDef def = dew_default_scene_def().camera;
    def.is_given = true;
    def.eye_m = dew_vec(0, 0.01, 0.05);
    def.aperture_m = 0.004;
    dew_Camera camera;
    assert_int_equal(dew_camera_resolve(&def, dew_box_empty(), 100, 100, &camera).code, DEW_OK);
    dew_Vec3 meet = {0, 0, 0};
    for (int i = 0; i < 8; i++) {
        const double lens[2] = {cos(i), sin(i)};
        dew_Vec3 origin, direction;
        dew_camera_ray(&camera, 30, 80, lens, &origin, &direction);
        double t = camera.focus_m / dew_inner(direction, camera.forward);
        dew_Vec3 point = dew_add_scaled(origin, t, direction);
        assert_true(i == 0 || dew_distance(point, meet) < 1e-12);
        meet = point;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_tell_kinds),
        cmocka_unit_test(finishes_are_physical),
        cmocka_unit_test(water_darkens_what_is_porous),
        cmocka_unit_test(textures_are_seen_from_three_sides),
        cmocka_unit_test(liquids_have_their_index),
        cmocka_unit_test(a_dye_leaves_its_colour_at_its_depth),
        cmocka_unit_test(noise_stays_in_bounds),
        cmocka_unit_test(spots_are_whole),
        cmocka_unit_test(tones_keep_order_and_range),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(the_subject_is_framed),
        cmocka_unit_test(the_lens_focuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
