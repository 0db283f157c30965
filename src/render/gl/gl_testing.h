/// Scenes for tests of the real-time engine, and a context that skips the test where there is none.
#pragma once

#include <math.h>

#include "base/testing.h"
#include "geom/shapes.h"
#include "render/gl/drawing.h"
#include "render/gl/egl.h"

#define assert_done(call)                                                                          \
    do {                                                                                           \
        dew_Status assert_done_ = (call);                                                          \
        if (assert_done_.code != DEW_OK)                                                           \
            fail_msg("%s", assert_done_.message);                                                  \
    } while (0)

#define assert_near(a, b, allowed)                                                                 \
    do {                                                                                           \
        double assert_a_ = (double)(a), assert_b_ = (double)(b);                                   \
        if (!(fabs(assert_a_ - assert_b_) <= (allowed)))                                           \
            fail_msg("%s is %g, not %g", #a, assert_a_, assert_b_);                                \
    } while (0)

/// Skips the test on machines without GL.
static inline dew_GlContext *test_context(dew_GlKind kind)
{
    dew_GlContext *context = NULL;
    dew_Status status = dew_gl_context_create(kind, NULL, &context);
    if (status.code == DEW_UNSUPPORTED) {
        print_message("skipped: %s\n", status.message);
        skip();
    }
    assert_done(status);
    return context;
}

/// A bare scene in even light, seen from above at an angle.
static inline dew_RenderScene *test_scene(float radiance, int size_px)
{
    dew_RenderScene *scene;
    assert_done(dew_render_scene_create_bare(NULL, &scene));
    assert_done(dew_environment_create_even(dew_f3_all(radiance), NULL, &scene->environment));
    dew_CameraDef camera = dew_default_scene_def().camera;
    camera.is_given = true;
    camera.eye_m = dew_vec(0, 3, 8);
    camera.fov_rad = DEW_DEG(30);
    assert_done(dew_camera_resolve(&camera, dew_box_empty(), size_px, size_px, &scene->camera));
    return scene;
}

static inline dew_RenderBody test_body(dew_BodyKind kind, float ior)
{
    return (dew_RenderBody){
        .solid_id = DEW_INVALID,
        .kind = kind,
        .look = {.kind = DEW_LOOK_MATTE, .color = {0.6f, 0.6f, 0.6f}, .scale = 1},
        .medium = {.ior = ior},
        .to_own = dew_rotation_identity()};
}

static inline void test_add(dew_RenderScene *scene, const dew_RenderBody *body, dew_Mesh *mesh,
                            dew_Vec3 at, double crease_rad)
{
    dew_mesh_transform(mesh, 1, dew_rotation_identity(), at);
    assert_done(dew_render_scene_add_mesh(scene, body, mesh, crease_rad));
}

static inline void test_add_floor(dew_RenderScene *scene, double y)
{
    dew_RenderBody floor = test_body(DEW_BODY_OPAQUE, 1);
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_patch(24, 24, 0, &mesh));
    test_add(scene, &floor, &mesh, dew_vec(0, y, 0), DEW_DEG(40));
    dew_mesh_deinit(&mesh);
}

static inline void test_add_ball(dew_RenderScene *scene, const dew_RenderBody *body,
                                 dew_Vec3 center, double radius, int frequency)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_icosphere(radius, frequency, &mesh));
    test_add(scene, body, &mesh, center, DEW_PI);
    dew_mesh_deinit(&mesh);
}

/// Light from a direction, strength 1, as small as lights are.
static inline void test_add_light(dew_RenderScene *scene, dew_Vec3 direction)
{
    dew_LightDef def = dew_default_light_def();
    def.direction = direction;
    def.strength = 1;
    def.size_rad = 0;
    dew_Light light = dew_light(&def);
    assert_done(dew_array_push(&scene->lights, &light));
}
