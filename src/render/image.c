// The frame buffer and its way to a screen.
//
// Tone curve: linear up to SHOULDER, then a hyperbola that meets it with slope 1 and goes to 1:
// mid-tones are kept as they are, bright reflections keep shape instead of clipping to white.
#include "render/image.h"

#include "base/status.h"

#include <math.h>

#define SHOULDER 0.6f  // where the tone curve leaves the line, in linear light

dew_Status dew_image_create(const dew_Allocator *allocator, dew_Image **out)
{
    dew_Image *image = dew_alloc(allocator, 1, sizeof *image);
    *out = image;
    if (!image)
        return dew_no_memory(sizeof *image);
    if (allocator)
        image->allocator = *allocator;
    dew_array_init(&image->color, allocator, sizeof(float));
    dew_array_init(&image->albedo, allocator, sizeof(float));
    dew_array_init(&image->normal, allocator, sizeof(float));
    dew_array_init(&image->depth_m, allocator, sizeof(float));
    dew_array_init(&image->samples, allocator, sizeof(float));
    dew_array_init(&image->error, allocator, sizeof(float));
    dew_array_init(&image->albedo_error, allocator, sizeof(float));
    return dew_ok();
}

void dew_image_destroy(dew_Image *image)
{
    if (!image)
        return;
    dew_array_deinit(&image->color);
    dew_array_deinit(&image->albedo);
    dew_array_deinit(&image->normal);
    dew_array_deinit(&image->depth_m);
    dew_array_deinit(&image->samples);
    dew_array_deinit(&image->error);
    dew_array_deinit(&image->albedo_error);
    dew_Allocator allocator = image->allocator;
    dew_free(&allocator, image, sizeof *image);
}

dew_Status dew_image_resize(dew_Image *image, int width_px, int height_px)
{
    if (width_px < 1 || height_px < 1 || width_px > 32768 || height_px > 32768)
        return dew_fail(DEW_BAD_INPUT,
                        "an image of %d by %d pixels is not possible (1 to 32768 each)", width_px,
                        height_px);
    dew_Array *planes[] = {&image->color,   &image->albedo, &image->normal,      &image->depth_m,
                           &image->samples, &image->error,  &image->albedo_error};
    const int channels[] = {3, 3, 3, 1, 1, 1, 1};
    image->width_px = image->height_px = 0;
    int64_t pixels = (int64_t)width_px * height_px;
    for (int i = 0; i < 7; i++) {
        DEW_TRY(dew_array_resize(planes[i], 0));
        DEW_TRY(dew_array_resize(planes[i], pixels * channels[i]));
    }
    image->width_px = width_px;
    image->height_px = height_px;
    return dew_ok();
}

int dew_image_width_px(const dew_Image *image)
{
    return image->width_px;
}

int dew_image_height_px(const dew_Image *image)
{
    return image->height_px;
}

const float *dew_image_color(const dew_Image *image)
{
    return image->color.data;
}

const float *dew_image_albedo(const dew_Image *image)
{
    return image->albedo.data;
}

const float *dew_image_normal(const dew_Image *image)
{
    return image->normal.data;
}

const float *dew_image_depth_m(const dew_Image *image)
{
    return image->depth_m.data;
}

const float *dew_image_samples(const dew_Image *image)
{
    return image->samples.data;
}

float dew_tone_srgb(float linear)
{
    if (!(linear > 0))
        return 0;
    float x = linear;
    if (x > SHOULDER)
        x = SHOULDER + (1 - SHOULDER) * (1 - (1 - SHOULDER) / (x - SHOULDER + 1 - SHOULDER));
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

float dew_tone_linear(float srgb)
{
    // White comes of no finite light: a quarter of a level below it is taken.
    float y = fminf(fmaxf(srgb, 0), 1 - 1 / 1024.0f);
    float x = y <= 0.04045f ? y / 12.92f : powf((y + 0.055f) / 1.055f, 2.4f);
    return x <= SHOULDER ? x : (1 - SHOULDER) * (1 - SHOULDER) / (1 - x) - 1 + 2 * SHOULDER;
}

void dew_image_to_srgb8(const dew_Image *image, double exposure_stops, uint8_t *rgb)
{
    float gain = (float)exp2(exposure_stops);
    const float *color = image->color.data;
    int64_t count = 3 * (int64_t)image->width_px * image->height_px;
    for (int64_t i = 0; i < count; i++)
        rgb[i] = (uint8_t)(255 * dew_tone_srgb(gain * color[i]) + 0.5f);
}
