// Fuzz target: any bytes as OpenEXR, the way an environment is read.
#include "io/bounded_allocator.h"
#include "io/light_probe.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t magic[4] = {0x76, 0x2f, 0x31, 0x01};
    if (size < 4 || memcmp(data, magic, 4) != 0)
        return -1;  // another reader's; not worth keeping
    dew_Bounded bounded = {.limit_bytes = (size_t)1 << 28};
    dew_Source source = dew_source_from_memory("input", data, size);
    source.allocator = dew_bounded_allocator(&bounded);
    dew_FloatImage image;
    dew_float_image_init(&image, &source.allocator);
    dew_Status status = dew_light_probe_parse(&source, &image);
    // Declared sizes may go beyond what this target allows.
    require(status.code == DEW_OK || status.code == DEW_BAD_INPUT || status.code == DEW_NO_MEMORY);
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
