/// An image of floats: what the readers of light (EXR, HDR) fill.
#pragma once

#include "base/array.h"

typedef struct dew_FloatImage {
    int64_t width, height;
    int channel_count;
    dew_Array samples;  // of float, row by row from the top, channels together
} dew_FloatImage;

static inline void dew_float_image_init(dew_FloatImage *image, const dew_Allocator *allocator)
{
    *image = (dew_FloatImage){0};
    dew_array_init(&image->samples, allocator, sizeof(float));
}

static inline void dew_float_image_deinit(dew_FloatImage *image)
{
    dew_array_deinit(&image->samples);
    image->width = image->height = 0;
    image->channel_count = 0;
}
