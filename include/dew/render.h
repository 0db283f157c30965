/// Pictures: a scene and a surface at a time become an image.
///
/// An image holds plain numbers: colour in linear light, and beside it what denoisers and
/// compositors ask for. It does not know file formats; dew_image_to_srgb8 makes the bytes of a
/// picture for a screen. The same bits come out on any number of workers.
#pragma once

#include "dew/base.h"
#include "dew/scene.h"
#include "dew/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dew_Image dew_Image;

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

/// The colour as 8-bit sRGB, 3 bytes per pixel: exposure in stops, then a curve that keeps mid-tones
/// and lets highlights roll off. rgb[3 width height].
void dew_image_to_srgb8(const dew_Image *image, double exposure_stops, uint8_t *rgb);

/// Told now and then, from the calling thread: 0..1 is done. Returning false stops the rendering
/// with DEW_INTERRUPTED; the image then holds what there is.
typedef struct dew_RenderProgress {
    bool (*report)(void *context, double fraction);
    void *context;
} dew_RenderProgress;

typedef struct dew_RenderDef {
    int width_px, height_px;  // 0: as the scene's camera says
    int samples;              // per pixel
    double noise;             // > 0: sample until the error relative to the picture is below
    int max_samples;          // per pixel, with a noise goal
    uint64_t seed;
    int64_t frame;       // differs from frame to frame, so that grain does not stand still
    double shutter_s;    // < 0: as the scene's camera says; 0: no motion blur
    const char *engine;  // ray, gl
    const char *tree;    // embree, own; NULL: the faster that this build has
    int thread_count;    // 0: one per core
    dew_TaskHost task_host;
    dew_RenderProgress progress;
    dew_Log log;
    dew_Allocator allocator;
    uint32_t cookie;
} dew_RenderDef;

dew_RenderDef dew_default_render_def(void);

/// Draws the scene at a time with this surface (NULL: no liquid) by the ray tracer.
dew_Status dew_render(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                      dew_Image *out);
dew_Status dew_render_with(const dew_Scene *scene, double time_s, const dew_Surface *surface,
                           const dew_RenderDef *def, dew_Image *out);

#ifdef __cplusplus
}
#endif
