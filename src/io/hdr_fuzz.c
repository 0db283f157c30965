// Fuzz target: any bytes as a Radiance image.
#include "io/bounded_allocator.h"
#include "io/hdr.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // A byte may stand for 1024 pixels of three floats; growing doubles.
    dew_Bounded bounded = {.limit_bytes = ((size_t)1 << 20) + (size_t)1024 * 12 * 2 * (size + 1)};
    dew_Source source = dew_source_from_memory("input", data, size);
    source.allocator = dew_bounded_allocator(&bounded);
    dew_FloatImage image;
    dew_float_image_init(&image, &source.allocator);
    dew_Status status = dew_hdr_parse(&source, &image);
    require(status.code == DEW_OK || status.code == DEW_BAD_INPUT);
    if (status.code == DEW_OK) {
        require(image.samples.count == image.width * image.height * 3);
        for (int64_t i = 0; i < image.samples.count; i++) {
            float x = DEW_ITEMS(&image.samples, const float)[i];
            require(isfinite(x) && x >= 0);
        }
    }
    dew_float_image_deinit(&image);
    require(bounded.used_bytes == 0);
    return 0;
}
