/// Rendering: a scene and the liquid's surface at an instant become an image; images become a
/// video.
///
///     dew_renderer_create(scene, &def, &renderer);       // meshes, textures, light, shaders: once
///     for each frame:
///         dew_world_step(world, dt_s);
///         dew_renderer_draw_world(renderer, world, image);
///         dew_video_add(video, image);
///
/// An image holds linear colour and, beside it, the feature planes that denoisers and compositors
/// use. The ray tracer's images are bit-identical for any number of workers.
///
/// A renderer is used by one thread at a time. Two renderers can work side by side.
#pragma once

#include "dew/base.h"
#include "dew/scene.h"
#include "dew/surface.h"
#include "dew/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- images ------------------------------------------------------------------------------------

/// An image: linear colour, with albedo, normal, depth and sample count of each pixel.
typedef struct dew_Image dew_Image;

/// An empty image. allocator NULL: malloc and free.
dew_Status dew_image_create(const dew_Allocator *allocator, dew_Image **out);
void dew_image_destroy(dew_Image *image);

/// Row by row from the top; valid until the image is filled again or destroyed. Empty at first.
int dew_image_width_px(const dew_Image *image);
int dew_image_height_px(const dew_Image *image);
const float *dew_image_color(const dew_Image *image);    // 3: red, green, blue, linear
const float *dew_image_albedo(const dew_Image *image);   // 3: colour of what is seen, unlit
const float *dew_image_normal(const dew_Image *image);   // 3: of the first surface; 0: none
const float *dew_image_depth_m(const dew_Image *image);  // 1: distance; 0: nothing is there
const float *dew_image_samples(const dew_Image *image);  // 1: how many were taken

/// The colour as 8-bit sRGB, 3 bytes per pixel: exposure in stops, then a curve that keeps
/// mid-tones and lets highlights roll off. rgb[3 width height].
void dew_image_to_srgb8(const dew_Image *image, double exposure_stops, uint8_t *rgb);

/// File formats of images, by the ending of the name.
typedef enum dew_ImageFormat {
    DEW_IMAGE_UNKNOWN,  // none of the following
    DEW_IMAGE_PNG,      // 8-bit sRGB
    DEW_IMAGE_EXR,      // R G B, albedo.R G B, normal.X Y Z, Z: linear, metres
} dew_ImageFormat;
/// The format that the ending of a name stands for.
dew_ImageFormat dew_image_format_of_name(const char *path);

/// Writes the file whole or not at all. The exposure applies to PNG only, which is dithered so that
/// smooth gradients show no bands.
dew_Status dew_image_save(const dew_Image *image, double exposure_stops, const char *path);

/// Writes 8-bit sRGB pixels, as dew_image_to_srgb8 gives them or a host reads them from its window,
/// to a PNG file, whole or not at all. rgb[3 width height], row by row from the top.
dew_Status dew_rgb8_save_png(const uint8_t *rgb, int width_px, int height_px, const char *path);

// ---- renderer ----------------------------------------------------------------------------------

/// A renderer: what stays the same from image to image of a scene.
typedef struct dew_Renderer dew_Renderer;

/// Called several times a second from the calling thread with the finished fraction, 0..1.
/// Returning false stops the rendering with DEW_INTERRUPTED; the image then holds what there is.
typedef struct dew_RenderProgress {
    bool (*report)(void *context, double fraction);
    void *context;
} dew_RenderProgress;

/// A function of OpenGL, to be cast to its type.
typedef void (*dew_GlProc)(void);

/// How images are rendered: size, samples, engine, threads, callbacks.
typedef struct dew_RenderDef {
    int width_px, height_px;  // 0: those of the camera
    int samples;              // per pixel
    double noise;             // > 0: sample until the error relative to the image is below
    int max_samples;          // per pixel, with a noise goal
    uint64_t seed;
    int64_t frame;           // seeds the noise, see dew_renderer_set_frame
    double shutter_s;        // < 0: that of the camera; 0: no motion blur
    bool denoises;           // ray: filters the noise, for previews with few samples
    int subdivision_levels;  // Loop subdivision of the liquid before it is drawn; 0 to 4
    /// Box that a camera frames which the scene does not give, so that the camera stands still from
    /// image to image. min > max (default): the liquid of each image.
    dew_Vec3 subject_min_m, subject_max_m;
    const char *engine;  // ray, gl
    const char *tree;    // ray: embree, own; NULL: the faster that this build has
    /// gl: looks up functions of the host's OpenGL context (ES 3.0 or 3.3), which must be current
    /// whenever the renderer is used. NULL: the renderer has a context of its own, without display.
    dew_GlProc (*gl_get_proc)(const char *name);
    int thread_count;  // 0: one per core
    dew_TaskHost task_host;
    dew_RenderProgress progress;
    dew_Log log;
    dew_Allocator allocator;
    uint32_t cookie;
} dew_RenderDef;

/// The engine ray with 64 samples per pixel, the size and shutter of the camera.
dew_RenderDef dew_default_render_def(void);
/// DEW_BAD_INPUT when an engine, a size or a number of samples is not possible.
dew_Status dew_render_def_check(const dew_RenderDef *def);

/// Resolves the scene and loads what stays the same from image to image: solid meshes, textures,
/// environment tables, OpenGL context and shaders. The scene must outlive the renderer.
/// DEW_UNSUPPORTED when this build or this machine has no such engine.
dew_Status dew_renderer_create(const dew_Scene *scene, const dew_RenderDef *def,
                               dew_Renderer **out);
void dew_renderer_destroy(dew_Renderer *renderer);

/// Each takes effect with the next image.
/// NULL: the scene's camera. A camera set here may stand inside a solid.
dew_Status dew_renderer_set_camera(dew_Renderer *renderer, const dew_CameraDef *camera);
dew_Status dew_renderer_set_size(dew_Renderer *renderer, int width_px, int height_px);
dew_Status dew_renderer_set_samples(dew_Renderer *renderer, int samples);
/// Number of the image in a video: the noise differs from number to number. 0 at first.
void dew_renderer_set_frame(dew_Renderer *renderer, int64_t frame);
/// The box that a camera frames which neither scene nor caller gives.
void dew_renderer_set_subject(dew_Renderer *renderer, dew_Vec3 min_m, dew_Vec3 max_m);

/// Wetness of a solid at the vertices of a mesh of it at rest. No vertices: the solid is dry.
typedef struct dew_WetMesh {
    dew_MeshData mesh;
    const float *wetness;  // 0 dry to 1 wet, one per vertex
} dew_WetMesh;

/// What is drawn, and where it is.
typedef struct dew_RenderFrame {
    double time_s;                  // solids stand where the scene's motion and drags have them
    const dew_Surface *surface;     // the liquid; NULL: none
    const dew_Pose *poses;          // one per solid, instead of those at time_s; NULL: none
    const dew_WetMesh *wet_meshes;  // one per solid; NULL: all are dry
} dew_RenderFrame;

/// Solids as in World: those of the scene in its order, then the closed walls of the domain.
int dew_renderer_solid_count(const dew_Renderer *renderer);
/// The name in the scene; "plane1" and the like for a solid without one.
const char *dew_renderer_solid_name(const dew_Renderer *renderer, int solid_id);

/// The liquid of the scene at its start, before any solver has it: the meshes of its shapes with
/// their velocities, wet where they touch a solid or lie within one. Shapes that overlap are not
/// united.
dew_Status dew_renderer_initial_surface(const dew_Renderer *renderer, dew_Surface *out);

/// Draws the world as it is now: solids at their present poses, dragged ones too, and the liquid's
/// present surface. The world must be of the renderer's scene.
dew_Status dew_renderer_draw_world(dew_Renderer *renderer, dew_World *world, dew_Image *out);
dew_Status dew_renderer_draw(dew_Renderer *renderer, const dew_RenderFrame *frame, dew_Image *out);

/// The camera with which the frame would be drawn: the one set, the scene's, or one that frames the
/// subject. Always `is_given`.
dew_Status dew_renderer_camera(dew_Renderer *renderer, const dew_RenderFrame *frame,
                               dew_CameraDef *out);
/// Box around the liquid and the solids that have an end; around the domain when there are neither.
void dew_renderer_bounds(const dew_Renderer *renderer, const dew_RenderFrame *frame,
                         dew_Vec3 *min_m, dew_Vec3 *max_m);

/// Box around a solid at rest; infinite along the directions in which the solid has no end.
dew_Status dew_renderer_solid_bounds(const dew_Renderer *renderer, int solid_id, dew_Vec3 *min_m,
                                     dew_Vec3 *max_m);

/// What a ray meets first.
typedef struct dew_RenderHit {
    bool is_hit;
    int solid_id;  // DEW_INVALID: liquid
    double distance_m;
    dew_Vec3 point_m, normal;  // the normal points out of what is met
    dew_MaterialDef material;  // of the solid at that point
    double drop_volume_m3;     // of the drop
} dew_RenderHit;
/// Meets solids and liquid of a frame as they are drawn; direction of unit length. For picking with
/// a pointer: walks all triangles of the liquid.
dew_RenderHit dew_renderer_cast_ray(dew_Renderer *renderer, const dew_RenderFrame *frame,
                                    dew_Vec3 origin_m, dew_Vec3 direction, double max_distance_m);
/// The point nearest to a point on a solid; distance_m < 0: it is inside.
dew_RenderHit dew_renderer_nearest(dew_Renderer *renderer, const dew_RenderFrame *frame,
                                   int solid_id, dew_Vec3 point_m);

// ---- real time with OpenGL ----------------------------------------------------------------------

/// Needs the engine gl. Draws one image of the renderer's size at the quality of real time and
/// shows it in a framebuffer (0: the window's), stretched to width_px x height_px. The state of
/// OpenGL is not restored. Without gl_get_proc it is shown in a framebuffer of the renderer's own
/// context, which is current during the call only; the call returns when the image is finished.
dew_Status dew_renderer_draw_gl(dew_Renderer *renderer, const dew_RenderFrame *frame,
                                uint32_t framebuffer, int width_px, int height_px);
/// Shows the last image again.
void dew_renderer_show_gl(dew_Renderer *renderer, uint32_t framebuffer, int width_px,
                          int height_px);
/// The last image, in linear light.
dew_Status dew_renderer_read_gl(dew_Renderer *renderer, dew_Image *out);
/// Is the background of the last image at full resolution? It is from the second image by the same
/// camera on: a camera in motion has no time for it.
bool dew_renderer_is_sharp_gl(const dew_Renderer *renderer);

/// Quality of the images of dew_renderer_draw_gl.
typedef struct dew_LiveDef {
    bool is_fine;     // refraction and caustics as in images that may take their time
    int light_every;  // images after which light through the liquid is found anew; at least 1
    uint32_t cookie;
} dew_LiveDef;

/// Fast images, light through the liquid in every second one.
dew_LiveDef dew_default_live_def(void);
/// Takes effect with the next image.
dew_Status dew_renderer_set_live(dew_Renderer *renderer, const dew_LiveDef *def);

/// Measures the stages of dew_renderer_draw_gl from now on, from zero; or no more. Stages then wait
/// for one another: images take longer.
void dew_renderer_time_stages(dew_Renderer *renderer, bool is_on);
/// CPU time of the process by stage, all images together. Fills at most max_count entries in a
/// fixed order (bodies, buffers, lights, solids, sides of the liquid, liquid, screen) and returns
/// how many stages there are; is_solver is false.
int dew_renderer_stages(const dew_Renderer *renderer, dew_StageTime *stages, int max_count);

// ---- one image ---------------------------------------------------------------------------------

/// A renderer made, used once and destroyed: for a single image.
dew_Status dew_render(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                      dew_Image *out);
dew_Status dew_render_with(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                           const dew_RenderDef *def, dew_Image *out);

// ---- videos ------------------------------------------------------------------------------------

/// A video that is being written.
typedef struct dew_Video dew_Video;

/// Images become a file through the program ffmpeg. Where it is not installed they are kept as PNG
/// files in a folder beside the video's name.
typedef struct dew_VideoDef {
    const char *path;  // .mp4, .mov, .mkv or .webm
    int width_px, height_px;
    double rate_Hz;
    double exposure_stops;
    const char *encoder;  // the program; NULL: ffmpeg
    dew_Allocator allocator;
    uint32_t cookie;
} dew_VideoDef;

/// Encoder ffmpeg, 30 images per second, no exposure change; path and size are to be set.
dew_VideoDef dew_default_video_def(void);
bool dew_video_is_name(const char *path);  // by its ending

/// Starts the encoder. *out is NULL unless DEW_OK.
dew_Status dew_video_create(const dew_VideoDef *def, dew_Video **out);
/// DEW_BAD_INPUT when the image has another size than the video.
dew_Status dew_video_add(dew_Video *video, const dew_Image *image);
/// Waits for the encoder, checks that the file is whole and holds each image, and renames it to its
/// name. Destroys the video in any case.
dew_Status dew_video_finish(dew_Video *video);
/// Gives up: no file appears; PNG files in a folder stay. NULL: nothing.
void dew_video_destroy(dew_Video *video);

/// NULL: the encoder is running. Else the folder of the PNG files, and the command that would make
/// the video of them.
const char *dew_video_folder(const dew_Video *video);
const char *dew_video_command(const dew_Video *video);

#ifdef __cplusplus
}
#endif
