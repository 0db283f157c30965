// One renderer for many images: drags a solid, steps the world, and renders before and after, by
// each engine.
//
// The renderer keeps meshes, textures, light tables and, with the engine gl, context and shaders.
// So the second image costs no set-up, and it shows the solid where the world has it now. A
// renderer for one image (dew_render) pays for both each time. Times are of the CPU, all threads:
// other programs on the machine do not count.
#include <dew/dew.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { WIDTH = 160, HEIGHT = 90 };

static double cpu_ms(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A ball that is dragged past a drop";
    def.solver = "surface";
    def.domain.min_m = (dew_Vec3){-0.01, 0, -0.005};
    def.domain.max_m = (dew_Vec3){0.01, 0.01, 0.005};
    def.domain.cell_m = 5e-4;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "steel";
    def.camera.is_given = true;
    def.camera.eye_m = (dew_Vec3){0, 0.008, 0.05};
    def.camera.target_m = (dew_Vec3){0, 0.003, 0};
    def.camera.fov_rad = DEW_DEG(22);
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef steel = dew_default_material_def();
    DEW_TRY(dew_scene_add_material(*scene, "steel", &steel));

    dew_SolidDef ball = dew_default_solid_def(DEW_SOLID_SPHERE);
    ball.name = "ball";
    ball.material = "steel";
    ball.center_m = (dew_Vec3){-0.006, 0.004, 0};
    ball.radius_m = 0.002;
    ball.is_movable = true;
    DEW_TRY(dew_scene_add_solid(*scene, &ball));

    dew_DropDef drop = dew_default_drop_def(DEW_DROP_CAP);
    drop.point_m = (dew_Vec3){0.006, 0, 0};
    drop.normal = (dew_Vec3){0, 1, 0};
    drop.volume_m3 = 20e-9;
    drop.angle_rad = DEW_DEG(70);
    DEW_TRY(dew_scene_add_drop(*scene, &drop));
    return dew_scene_check(*scene);
}

// How many pixels differ visibly between columns [begin, end)?
static int changed_pixels(const dew_Image *a, const dew_Image *b, int begin, int end)
{
    const float *p = dew_image_color(a), *q = dew_image_color(b);
    int count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = begin; x < end; x++) {
            int i = 3 * (y * WIDTH + x);
            count += fabsf(p[i] - q[i]) + fabsf(p[i + 1] - q[i + 1]) + fabsf(p[i + 2] - q[i + 2]) >
                     0.15f;
        }
    return count;
}

typedef struct Parts {
    dew_Scene *scene;
    dew_World *world;
    dew_Renderer *renderer;
    dew_Image *before, *after;
} Parts;

static void destroy(Parts *p)
{
    dew_image_destroy(p->before);
    dew_image_destroy(p->after);
    dew_renderer_destroy(p->renderer);
    dew_world_destroy(p->world);
    dew_scene_destroy(p->scene);
}

static dew_Status draw_twice(Parts *p, const char *engine, bool *is_right)
{
    dew_RenderDef def = dew_default_render_def();
    dew_WorldDef world_def = dew_default_world_def();
    def.engine = engine;
    def.width_px = WIDTH;
    def.height_px = HEIGHT;
    def.samples = 16;
    DEW_TRY(build(&p->scene));
    DEW_TRY(dew_world_create(p->scene, &world_def, &p->world));
    DEW_TRY(dew_image_create(NULL, &p->before));
    DEW_TRY(dew_image_create(NULL, &p->after));

    double begin_ms = cpu_ms();
    DEW_TRY(dew_renderer_create(p->scene, &def, &p->renderer));
    double made_ms = cpu_ms();
    DEW_TRY(dew_renderer_draw_world(p->renderer, p->world, p->before));
    double set_up_ms = made_ms - begin_ms, first_ms = cpu_ms() - made_ms;

    DEW_TRY(dew_world_drag_solid(p->world, "ball", (dew_Vec3){0.006, 0, 0}, 0.01));
    DEW_TRY(dew_world_step(p->world, 0.01));
    begin_ms = cpu_ms();
    DEW_TRY(dew_renderer_draw_world(p->renderer, p->world, p->after));
    double second_ms = cpu_ms() - begin_ms;

    // The ball moves from the left third to the middle; the drop on the right hardly changes.
    int moved = changed_pixels(p->before, p->after, 0, 2 * WIDTH / 3);
    int still = changed_pixels(p->before, p->after, 5 * WIDTH / 6, WIDTH);
    *is_right = moved > 100 && still < moved / 20 && second_ms < 1.5 * first_ms;
    printf("%s: set-up %.0f ms, first image %.0f ms, second image %.0f ms\n", engine, set_up_ms,
           first_ms, second_ms);
    printf("%s: changed pixels: %d where the ball moved, %d where nothing did\n", engine, moved,
           still);
    return dew_image_save(p->after, 0, "own_renderer_loop.png");
}

int main(void)
{
    static const char *const engines[] = {"ray", "gl"};
    bool is_all_right = true;
    for (int i = 0; i < 2; i++) {
        Parts parts = {0};
        bool is_right = false;
        dew_Status status = draw_twice(&parts, engines[i], &is_right);
        destroy(&parts);
        bool is_missing = status.code == DEW_UNSUPPORTED && i > 0;  // no OpenGL here
        if (is_missing)
            printf("%s: set-up - ms, first image - ms, second image - ms\n"
                   "%s: changed pixels: - where the ball moved, - where nothing did\n",
                   engines[i], engines[i]);
        if (status.code != DEW_OK)
            fprintf(stderr, "own_renderer_loop: %s\n", status.message);
        is_all_right &= is_right || is_missing;
    }
    printf("%s\n", is_all_right ? "ok" : "wrong");
    return is_all_right ? 0 : 1;
}
