/// Pictures as files: PNG for screens, EXR for compositing.
#pragma once

#include "render/image.h"

typedef enum dew_PictureFormat {
    DEW_PICTURE_NONE,  // neither
    DEW_PICTURE_PNG,   // 8-bit sRGB
    DEW_PICTURE_EXR,   // R G B, albedo.R G B, normal.X Y Z, Z: linear, metres
} dew_PictureFormat;

/// By the ending of the name, in any case.
dew_PictureFormat dew_picture_format_of_name(const char *path);

/// The colour as 8-bit sRGB like dew_image_to_srgb8, dithered by less than a step, so that smooth
/// gradients show no bands. rgb[3 width height].
void dew_image_to_dithered8(const dew_Image *image, double exposure_stops, uint8_t *rgb);

/// Writes the file whole or not at all. The exposure counts for PNG only.
dew_Status dew_picture_save(const dew_Image *image, double exposure_stops, const char *path);
