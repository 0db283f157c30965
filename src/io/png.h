/// PNG images as numbers: heights, maps, textures; and images as PNG.
///
/// Reading: any PNG. Palettes and small depths are expanded, transparency becomes a fourth (or
/// second) channel, 8 bits are widened to 16 (255 becomes 65535). Numbers are as stored: no gamma,
/// no profile.
///
/// Writing: 8 or 16 bits; 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha.
#pragma once

#include "base/array.h"
#include "io/sink.h"
#include "io/source.h"

typedef struct dew_PngImage {
    int64_t width, height;
    int channel_count;  // 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha
    int file_bits;      // per sample in the file: 1, 2, 4, 8 or 16
    dew_Array samples;  // of uint16_t, row by row from the top, channels together
} dew_PngImage;

void dew_png_init(dew_PngImage *image, const dew_Allocator *allocator);
void dew_png_deinit(dew_PngImage *image);

/// Replaces what is in the image; leaves it empty on failure.
dew_Status dew_png_parse(const dew_Source *source, dew_PngImage *image);
/// Same from a file of at most 1 GiB. Log may be NULL.
dew_Status dew_png_load(const char *path, const dew_Log *log, dew_PngImage *image);

/// A sample as 0..1.
static inline double dew_png_sample(const dew_PngImage *image, int64_t x, int64_t y, int channel)
{
    int64_t i = (y * image->width + x) * image->channel_count + channel;
    return DEW_ITEMS(&image->samples, const uint16_t)[i] / (double)UINT16_MAX;
}

/// An image to write.
typedef struct dew_PngOutput {
    int64_t width, height;
    int channel_count;
    int bits;             // 8: samples are uint8_t; 16: uint16_t
    const void *samples;  // row by row from the top
} dew_PngOutput;

dew_Status dew_png_write(const dew_PngOutput *output, const dew_Allocator *allocator,
                         dew_Sink *sink);
dew_Status dew_png_save(const char *path, const dew_PngOutput *output,
                        const dew_Allocator *allocator);
