// A video without a display: a drop falls on a plate, each frame is rendered and encoded.
//
// The program ffmpeg encodes. Where it is not installed, the images stay as PNG files in a folder
// beside the video's name.
#include <dew/dew.h>

#include <stdio.h>
#include <string.h>

enum { FRAMES = 6, WIDTH = 128, HEIGHT = 96 };
#define PATH "headless_video.mp4"

static dew_Status build(dew_Scene **scene)
{
    dew_SceneDef def = dew_default_scene_def();
    def.title = "A drop falls on a plate";
    def.solver = "volume";
    def.domain.min_m = (dew_Vec3){-0.004, 0, -0.004};
    def.domain.max_m = (dew_Vec3){0.004, 0.006, 0.004};
    def.domain.cell_m = 5e-4;
    def.domain.wall_material[DEW_SIDE_FLOOR] = "plate";
    DEW_TRY(dew_scene_create(&def, NULL, scene));

    dew_MaterialDef plate = dew_default_material_def();
    DEW_TRY(dew_scene_add_material(*scene, "plate", &plate));

    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.center_m = (dew_Vec3){0, 0.0035, 0};
    drop.radius_m = 0.0015;
    drop.velocity_m_s = (dew_Vec3){0, -0.3, 0};
    DEW_TRY(dew_scene_add_drop(*scene, &drop));
    return dew_scene_check(*scene);
}

typedef struct Parts {
    dew_Scene *scene;
    dew_World *world;
    dew_Renderer *renderer;
    dew_Image *image;
    dew_Video *video;
} Parts;

static dew_Status record(Parts *p, char written[256])
{
    dew_RenderDef def = dew_default_render_def();
    dew_WorldDef world_def = dew_default_world_def();
    dew_VideoDef video_def = dew_default_video_def();
    def.width_px = video_def.width_px = WIDTH;
    def.height_px = video_def.height_px = HEIGHT;
    def.samples = 8;
    def.denoises = true;
    // The camera frames this box and stands still.
    def.subject_min_m = (dew_Vec3){-0.002, 0, -0.002};
    def.subject_max_m = (dew_Vec3){0.002, 0.005, 0.002};
    video_def.path = PATH;
    video_def.rate_Hz = 25;
    DEW_TRY(build(&p->scene));
    DEW_TRY(dew_world_create(p->scene, &world_def, &p->world));
    DEW_TRY(dew_renderer_create(p->scene, &def, &p->renderer));
    DEW_TRY(dew_image_create(NULL, &p->image));
    DEW_TRY(dew_video_create(&video_def, &p->video));
    const char *folder = dew_video_folder(p->video);
    snprintf(written, 256, "%s", folder ? folder : PATH);
    for (int frame = 0; frame < FRAMES; frame++) {
        dew_renderer_set_frame(p->renderer, frame);
        DEW_TRY(dew_renderer_draw_world(p->renderer, p->world, p->image));
        DEW_TRY(dew_video_add(p->video, p->image));
        DEW_TRY(dew_world_step(p->world, 0.002));
    }
    dew_Video *video = p->video;
    p->video = NULL;
    return dew_video_finish(video);
}

// Is the file, or the last image of the folder, there and not empty?
static bool is_there(const char *written)
{
    char path[320];
    snprintf(path, sizeof path, strcmp(written, PATH) == 0 ? "%s" : "%s/0005.png", written);
    FILE *file = fopen(path, "rb");
    bool has_bytes = file && fgetc(file) != EOF;
    if (file)
        fclose(file);
    return has_bytes;
}

int main(void)
{
    Parts parts = {0};
    char written[256] = "";
    dew_Status status = record(&parts, written);
    bool is_right = status.code == DEW_OK && is_there(written);
    if (status.code != DEW_OK)
        fprintf(stderr, "headless_video: %s\n", status.message);
    else
        printf("%d frames in %s\n%s\n", FRAMES, written, is_right ? "ok" : "wrong");
    dew_video_destroy(parts.video);
    dew_image_destroy(parts.image);
    dew_renderer_destroy(parts.renderer);
    dew_world_destroy(parts.world);
    dew_scene_destroy(parts.scene);
    return is_right ? 0 : 1;
}
