/// How large an image is, from the first bytes of its file: what reading it will take is known
/// before it is read.
#pragma once

#include "dew/base.h"

/// No reader takes an image of more pixels: a file of some hundred kilobytes can declare any
/// number. 2^27 are 16384 x 8192, larger than any light probe or texture in use.
#define DEW_IMAGE_MAX_PIXELS ((int64_t)1 << 27)
#define DEW_IMAGE_MAX_SIDE   1000000  // pixels; libpng's own limit

typedef struct dew_ImageSize {
    int64_t width, height;
    double bytes_per_pixel;  // of what the reader makes of it
} dew_ImageSize;

/// Of a PNG, OpenEXR or Radiance file. False when the file is none of these, cannot be read, or has
/// no size: then the reader reports the error.
bool dew_image_size_load(const char *path, dew_ImageSize *out);
bool dew_image_size_parse(const uint8_t *head, size_t size, dew_ImageSize *out);
