/// Bytes of images for files and videos.
#pragma once

#include "render/image.h"

/// The colour as 8-bit sRGB like dew_image_to_srgb8, dithered by less than a step, so that smooth
/// gradients show no bands. rgb[3 width height].
void dew_image_to_dithered8(const dew_Image *image, double exposure_stops, uint8_t *rgb);
