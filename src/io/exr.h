/// OpenEXR images as floats, through OpenEXRCore: environments in, rendered images out.
///
/// Reading: the first part of a file, flat (scan lines or tiles), channels without
/// subsampling; the image is the data window. Deep data is refused, and DWA compression, which
/// the library's C part does not know. Writing: one part of scan
/// lines, ZIP compression, half or float channels of any names.
///
/// OpenEXRCore takes its own working memory from malloc: its hooks have no context to reach an
/// allocator by. What readers hand out comes from the allocator as everywhere.
#pragma once

#include "io/float_image.h"
#include "io/sink.h"
#include "io/source.h"

/// The named channels, in this order. Replaces what is in the image; leaves it empty on failure.
/// Numbers are as stored: infinities and NaN may be among them.
dew_Status dew_exr_parse(const dew_Source *source, const char *const *names, int name_count,
                         dew_FloatImage *image);
/// Does the first part have a channel of that name? false also when it cannot be read.
bool dew_exr_has_channel(const dew_Source *source, const char *name);

/// A channel to write.
typedef struct dew_ExrChannel {
    const char *name;     // "R", "albedo.R", "Z"
    const float *values;  // of the top left pixel
    int stride;           // floats from one pixel to the next
    bool is_half;         // 16 bits: enough for colours; depths want 32
} dew_ExrChannel;

typedef struct dew_ExrOutput {
    int64_t width, height;
    const dew_ExrChannel *channels;
    int channel_count;
} dew_ExrOutput;

dew_Status dew_exr_write(const dew_ExrOutput *output, const dew_Allocator *allocator,
                         dew_Sink *sink);
dew_Status dew_exr_save(const char *path, const dew_ExrOutput *output,
                        const dew_Allocator *allocator);
