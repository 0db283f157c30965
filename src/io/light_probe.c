// Chooses the reader of a light probe, and makes its numbers fit to be light.
#include "io/light_probe.h"

#include "io/exr.h"
#include "io/hdr.h"

#include <math.h>
#include <string.h>

#define MAX_BYTES ((size_t)2 << 30)
#define BRIGHTEST 65504.0f  // of 16-bit floats: what an infinite one was meant to be, at least

static dew_Status read_exr(const dew_Source *source, dew_FloatImage *image)
{
    static const char *const colors[] = {"R", "G", "B"};
    static const char *const grey[] = {"Y", "Y", "Y"};
    bool is_grey = dew_exr_has_channel(source, "Y") && !dew_exr_has_channel(source, "R");
    if (!is_grey)
        return dew_exr_parse(source, colors, 3, image);
    DEW_TRY(dew_exr_parse(source, grey, 1, image));
    int64_t count = image->samples.count;
    dew_Status status = dew_array_resize(&image->samples, 3 * count);
    if (status.code != DEW_OK) {
        dew_float_image_deinit(image);
        return status;
    }
    float *samples = image->samples.data;
    for (int64_t i = count - 1; i >= 0; i--)
        samples[3 * i] = samples[3 * i + 1] = samples[3 * i + 2] = samples[i];
    image->channel_count = 3;
    return dew_ok();
}

static void make_light(const dew_Source *source, dew_FloatImage *image)
{
    int64_t wrong = 0;
    float *samples = image->samples.data;
    for (int64_t i = 0; i < image->samples.count; i++) {
        float x = samples[i];
        if (x >= 0 && isfinite(x))
            continue;
        samples[i] = x > 0 ? BRIGHTEST : 0;
        wrong++;
    }
    if (wrong > 0)
        dew_source_say(source, DEW_LOG_WARNING,
                       "%lld numbers are no light (negative, infinite or none) and were changed",
                       (long long)wrong);
}

dew_Status dew_light_probe_parse(const dew_Source *source, dew_FloatImage *image)
{
    static const uint8_t exr_magic[4] = {0x76, 0x2f, 0x31, 0x01};
    dew_float_image_deinit(image);
    if (source->size >= 4 && memcmp(source->data, exr_magic, 4) == 0)
        DEW_TRY(read_exr(source, image));
    else if (source->size >= 2 && source->data[0] == '#' && source->data[1] == '?')
        DEW_TRY(dew_hdr_parse(source, image));
    else
        return dew_fail(DEW_BAD_INPUT,
                        "%s: neither an OpenEXR nor a Radiance image by its first bytes",
                        source->name);
    make_light(source, image);
    return dew_ok();
}

dew_Status dew_light_probe_load(const char *path, const dew_Log *log, dew_FloatImage *image)
{
    dew_Source source;
    DEW_TRY(dew_source_load(&source, path, MAX_BYTES, &image->samples.allocator, log));
    dew_Status status = dew_light_probe_parse(&source, image);
    dew_source_unload(&source);
    return status;
}
