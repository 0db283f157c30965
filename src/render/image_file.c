// Saves a rendered image. The dither is interleaved gradient noise [Jimenez2014]: a fixed pattern
// whose neighbours differ much, so that the eye averages it away.
#include "render/image_file.h"

#include "base/status.h"
#include "io/exr.h"
#include "io/png.h"

#include <math.h>
#include <string.h>
#include <strings.h>

dew_ImageFormat dew_image_format_of_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && strcasecmp(dot, ".png") == 0)
        return DEW_IMAGE_PNG;
    if (dot && strcasecmp(dot, ".exr") == 0)
        return DEW_IMAGE_EXR;
    return DEW_IMAGE_UNKNOWN;
}

// In [0, 1).
static float dither_at(int x, int y)
{
    float phase = fmodf(0.06711056f * (float)x + 0.00583715f * (float)y, 1);
    return fmodf(52.9829189f * phase, 1);
}

void dew_image_to_dithered8(const dew_Image *image, double exposure_stops, uint8_t *rgb)
{
    float gain = (float)exp2(exposure_stops);
    const float *color = image->color.data;
    for (int y = 0; y < image->height_px; y++)
        for (int x = 0; x < image->width_px; x++) {
            float dither = dither_at(x, y);
            for (int k = 0; k < 3; k++, color++) {
                float level = 255 * dew_tone_srgb(gain * *color);
                // Black and white stay plain: a dithered black would sparkle.
                bool is_end = level < 0.5f || level > 255 - 0.5f;
                *rgb++ = (uint8_t)(level + (is_end ? 0.5f : dither));
            }
        }
}

static dew_Status save_png(const dew_Image *image, double exposure_stops, const char *path)
{
    size_t size = 3 * (size_t)image->width_px * (size_t)image->height_px;
    uint8_t *rgb = dew_alloc(&image->allocator, (int64_t)size, 1);
    if (!rgb)
        return dew_no_memory(size);
    dew_image_to_dithered8(image, exposure_stops, rgb);
    dew_PngOutput output = {image->width_px, image->height_px, 3, 8, rgb};
    dew_Status status = dew_png_save(path, &output, &image->allocator);
    dew_free(&image->allocator, rgb, size);
    return status;
}

static dew_Status save_exr(const dew_Image *image, const char *path)
{
    const float *color = image->color.data, *albedo = image->albedo.data;
    const float *normal = image->normal.data, *depth = image->depth_m.data;
    dew_ExrChannel channels[] = {
        {"R", color, 3, true},
        {"G", color + 1, 3, true},
        {"B", color + 2, 3, true},
        {"albedo.R", albedo, 3, true},
        {"albedo.G", albedo + 1, 3, true},
        {"albedo.B", albedo + 2, 3, true},
        {"normal.X", normal, 3, true},
        {"normal.Y", normal + 1, 3, true},
        {"normal.Z", normal + 2, 3, true},
        {"Z", depth, 1, false},
    };
    dew_ExrOutput output = {image->width_px, image->height_px, channels,
                            sizeof channels / sizeof channels[0]};
    return dew_exr_save(path, &output, &image->allocator);
}

dew_Status dew_rgb8_save_png(const uint8_t *rgb, int width_px, int height_px, const char *path)
{
    dew_PngOutput output = {width_px, height_px, 3, 8, rgb};
    return dew_png_save(path, &output, NULL);
}

dew_Status dew_image_save(const dew_Image *image, double exposure_stops, const char *path)
{
    switch (dew_image_format_of_name(path)) {
    case DEW_IMAGE_PNG:
        return save_png(image, exposure_stops, path);
    case DEW_IMAGE_EXR:
        return save_exr(image, path);
    default:
        return dew_fail(DEW_BAD_INPUT, "%s: images are written as .png or .exr", path);
    }
}
