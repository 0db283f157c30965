/// Scenes for tests of the ray tracer: a ball, a plane, even light.
#pragma once

#include <math.h>

#include "base/testing.h"
#include "geom/shapes.h"
#include "render/ray/ray.h"
#include "render/ray/ray_tree.h"

#define assert_done(call)                                                                          \
    do {                                                                                           \
        dew_Status assert_done_ = (call);                                                          \
        if (assert_done_.code != DEW_OK)                                                           \
            fail_msg("%s", assert_done_.message);                                                  \
    } while (0)

#define assert_near(a, b, allowed) assert_true(fabs((double)(a) - (double)(b)) <= (allowed))

/// A bare scene in even light with a camera on +z that looks at the origin.
static inline dew_RenderScene *test_scene(float radiance, double distance_m, double fov_rad,
                                          int size_px)
{
    dew_RenderScene *scene;
    assert_done(dew_render_scene_create_bare(NULL, &scene));
    assert_done(dew_environment_create_even(dew_f3_all(radiance), NULL, &scene->environment));
    dew_CameraDef camera = dew_default_scene_def().camera;
    camera.is_given = true;
    camera.eye_m = dew_vec(0, 0, distance_m);
    camera.fov_rad = fov_rad;
    assert_done(dew_camera_resolve(&camera, dew_box_empty(), size_px, size_px, &scene->camera));
    return scene;
}

static inline dew_RenderBody test_body(dew_BodyKind kind, float ior, int priority)
{
    return (dew_RenderBody){.solid_id = DEW_INVALID,
                            .kind = kind,
                            .look = {.kind = DEW_LOOK_MATTE, .color = {1, 1, 1}, .roughness = 0.4f},
                            .medium = {.ior = ior},
                            .priority = priority,
                            .to_own = dew_rotation_identity()};
}

static inline void test_add_ball(dew_RenderScene *scene, const dew_RenderBody *body,
                                 dew_Vec3 center, double radius, int frequency)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, NULL);
    assert_done(dew_shape_icosphere(radius, frequency, &mesh));
    dew_mesh_transform(&mesh, 1, dew_rotation_identity(), center);
    assert_done(dew_render_scene_add_mesh(scene, body, &mesh, DEW_PI));
    dew_mesh_deinit(&mesh);
}

static inline dew_Image *test_render(const dew_RenderScene *scene, int samples, int workers,
                                     const char *tree)
{
    dew_Image *image;
    dew_Tasks *tasks;
    dew_TasksDef tasks_def = dew_default_tasks_def();
    tasks_def.worker_count = workers;
    dew_RenderDef def = dew_default_render_def();
    def.samples = samples;
    def.tree = tree;
    assert_done(dew_image_create(NULL, &image));
    assert_done(dew_tasks_create(&tasks_def, &tasks));
    assert_done(dew_ray_engine.render(NULL, scene, &def, tasks, image));
    dew_tasks_destroy(tasks);
    return image;
}

static inline double test_mean(const dew_Image *image)
{
    double sum = 0;
    int64_t count = (int64_t)image->width_px * image->height_px;
    for (int64_t i = 0; i < 3 * count; i++)
        sum += (double)dew_image_color(image)[i];
    return sum / (3 * (double)count);
}
