// Fuzz target: any bytes as PNG.
//
// A mutator sets the checksums of all chunks right after each change: otherwise hardly any input
// would get past the first chunk.
#include "io/bounded_allocator.h"
#include "io/png.h"

#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    (void)seed;
    size = LLVMFuzzerMutate(data, size, max_size);
    for (size_t at = 8; at + 12 <= size;) {
        size_t length = get32(data + at);
        if (length > size - at - 12)
            break;
        uint32_t sum = (uint32_t)crc32(0, data + at + 4, (uInt)length + 4);
        for (int i = 0; i < 4; i++)
            data[at + 8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += 12 + length;
    }
    return size;
}

// The image written with 16 bits must read back the same.
static void check_return(const dew_PngImage *image)
{
    dew_PngOutput output = {image->width, image->height, image->channel_count, 16,
                            image->samples.data};
    dew_Array bytes;
    dew_Sink sink;
    dew_PngImage back;
    dew_array_init(&bytes, NULL, 1);
    dew_sink_begin_memory(&sink, &bytes);
    require(dew_sink_end(&sink, dew_png_write(&output, NULL, &sink)).code == DEW_OK);
    dew_Source source = dew_source_from_memory("written", bytes.data, (size_t)bytes.count);
    dew_png_init(&back, NULL);
    require(dew_png_parse(&source, &back).code == DEW_OK);
    require(back.samples.count == image->samples.count);
    require(!memcmp(back.samples.data, image->samples.data,
                    (size_t)back.samples.count * sizeof(uint16_t)));
    dew_png_deinit(&back);
    dew_array_deinit(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    // zlib makes up to 1032 bytes of one; a bit of them can become four samples of 16 bits; and
    // libpng keeps three rows, which may be all there are.
    dew_Bounded bounded = {.limit_bytes = ((size_t)1 << 20) + (size_t)1032 * 64 * 4 * size};
    dew_Source source = dew_source_from_memory("input", data, size);
    source.allocator = dew_bounded_allocator(&bounded);
    dew_PngImage image;
    dew_png_init(&image, &source.allocator);
    dew_Status status = dew_png_parse(&source, &image);
    require(status.code == DEW_OK || status.code == DEW_BAD_INPUT);
    if (status.code == DEW_OK) {
        require(image.samples.count == image.width * image.height * image.channel_count);
        if (image.samples.count <= 1 << 16)
            check_return(&image);
    }
    dew_png_deinit(&image);
    require(bounded.used_bytes == 0);
    return 0;
}
