/// The frame buffer: planes of floats, row by row from the top.
#pragma once

#include "base/array.h"
#include "dew/render.h"

/// Read and written freely by engines and filters.
struct dew_Image {
    int width_px, height_px;
    dew_Array color;         // float, 3 per pixel: linear red, green, blue (sRGB primaries)
    dew_Array albedo;        // float, 3 per pixel
    dew_Array normal;        // float, 3 per pixel, of length <= 1 (a mean over the samples)
    dew_Array depth_m;       // float, 1 per pixel; 0 where nothing was hit
    dew_Array samples;       // float, 1 per pixel
    dew_Array error;         // float, 1 per pixel: standard error of the mean luminance
    dew_Array albedo_error;  // float, 1 per pixel: the same of the albedo's luminance
    dew_Allocator allocator;
};

/// Sizes all planes and zeroes them. At most 32768 a side.
dew_Status dew_image_resize(dew_Image *image, int width_px, int height_px);

static inline float *dew_image_pixel(dew_Array *plane, int64_t pixel, int channels)
{
    return (float *)plane->data + pixel * channels;
}

/// Linear light 0..infinity to 0..1 for a screen, per channel: the curve of dew_image_to_srgb8
/// before quantisation.
float dew_tone_srgb(float linear);
/// The other way. White stands for all that is bright: here for light that is a thousandth below
/// it.
float dew_tone_linear(float srgb);
