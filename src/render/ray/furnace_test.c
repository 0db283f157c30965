// The white furnace: in even light everything that absorbs nothing is as bright as the light.
//
// The image is filled by the body, so that its mean tells the energy kept. Noise of the mean is
// below a tenth of the allowance: pixels are of order 1 with deviation below 1, 64 x 64 x 16
// samples.
#include "render/ray/ray_testing.h"

static double furnace(const dew_RenderBody *body, int samples)
{
    dew_RenderScene *scene = test_scene(1, 4, DEW_DEG(20), 64);  // the ball fills 28 degrees
    test_add_ball(scene, body, dew_vec(0, 0, 0), 1, 24);
    dew_Image *image = test_render(scene, samples, 2, "own");
    double mean = test_mean(image);
    dew_image_destroy(image);
    dew_render_scene_destroy(scene);
    return mean;
}

static void clear_glass_keeps_energy(void **state)
{
    (void)state;
    dew_RenderBody glass = test_body(DEW_BODY_CLEAR, 1.5f, 1);
    assert_near(furnace(&glass, 16), 1, 0.005);
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, 1.333f, 1);
    assert_near(furnace(&water, 16), 1, 0.005);
}

static void white_matte_keeps_energy(void **state)
{
    (void)state;
    dew_RenderBody matte = test_body(DEW_BODY_OPAQUE, 1, 0);
    assert_near(furnace(&matte, 16), 1, 0.005);
}

// Single scattering off microfacets loses the light that facets throw at one another: that is made
// up for.
static void frosted_glass_keeps_energy(void **state)
{
    (void)state;
    dew_RenderBody frosted = test_body(DEW_BODY_FROSTED, 1.5f, 1);
    frosted.look.kind = DEW_LOOK_FROSTED;
    const float roughness[] = {0.3f, 0.4f};
    for (int k = 0; k < 2; k++) {
        frosted.look.roughness = roughness[k];
        assert_near(furnace(&frosted, 32), 1, 0.005);
    }
}

// A ball of water half inside glass: the boundary between them is inside the glass's priority.
static void nested_media_keep_energy(void **state)
{
    (void)state;
    dew_RenderScene *scene = test_scene(1, 4, DEW_DEG(20), 64);
    dew_RenderBody glass = test_body(DEW_BODY_CLEAR, 1.5f, 2);
    dew_RenderBody water = test_body(DEW_BODY_CLEAR, 1.333f, 1);
    test_add_ball(scene, &glass, dew_vec(0, -0.4, 0), 1, 20);
    test_add_ball(scene, &water, dew_vec(0, 0.4, 0.1), 1, 20);
    dew_Image *image = test_render(scene, 16, 2, "own");
    assert_near(test_mean(image), 1, 0.005);
    dew_image_destroy(image);
    dew_render_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clear_glass_keeps_energy),
        cmocka_unit_test(white_matte_keeps_energy),
        cmocka_unit_test(frosted_glass_keeps_energy),
        cmocka_unit_test(nested_media_keep_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
