// Reads PNG [Boutell2003] through libpng.
//
// Everything is widened to 16 bits by libpng itself. The size of the image is held against the
// size of the file (zlib makes at most 1032 bytes of one), and against the limit of all image
// readers, before memory is taken for it.
#include "io/png.h"

#include "base/status.h"
#include "io/image_size.h"
#include "io/inflate.h"
#include "io/png_guard.h"

#include <stdio.h>
#include <string.h>

typedef struct Reader {
    const dew_Source *source;
    dew_PngImage *image;
    size_t at;  // byte of the file
    dew_Status status;
} Reader;

void dew_png_init(dew_PngImage *image, const dew_Allocator *allocator)
{
    *image = (dew_PngImage){0};
    dew_array_init(&image->samples, allocator, sizeof(uint16_t));
}

void dew_png_deinit(dew_PngImage *image)
{
    dew_array_deinit(&image->samples);
    image->width = image->height = 0;
}

static void read_bytes(png_structp png, png_bytep out, size_t size)
{
    Reader *r = png_get_io_ptr(png);
    if (size > r->source->size - r->at)
        png_error(png, "the file ends too early");
    memcpy(out, r->source->data + r->at, size);
    r->at += size;
}

static bool host_is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void begin(dew_PngGuard *g, Reader *r)
{
    g->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, g, dew_png_on_error,
                                      dew_png_on_warning, g, dew_png_on_alloc, dew_png_on_free);
    g->info = g->png ? png_create_info_struct(g->png) : NULL;
    if (!g->info)
        longjmp(g->jump, 1);
    png_set_read_fn(g->png, r, read_bytes);
    png_set_user_limits(g->png, DEW_IMAGE_MAX_SIDE, DEW_IMAGE_MAX_SIDE);
    // Only what makes the image: texts, profiles and the like are passed over unread.
    png_set_keep_unknown_chunks(g->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

// Makes room for the image when the file can hold one of that size.
static void make_room(dew_PngGuard *g, Reader *r)
{
    dew_PngImage *image = r->image;
    image->width = png_get_image_width(g->png, g->info);
    image->height = png_get_image_height(g->png, g->info);
    image->file_bits = png_get_bit_depth(g->png, g->info);
    uint64_t row_bytes = png_get_rowbytes(g->png, g->info) + 1;  // one byte for the row's filter
    if ((uint64_t)image->height * row_bytes / DEW_INFLATE_MAX_RATIO > r->source->size)
        png_error(g->png, "the file is too short for the size it declares");
    if (image->width * image->height > DEW_IMAGE_MAX_PIXELS) {
        char words[96];
        snprintf(words, sizeof words, "%lld x %lld pixels are too many (at most %lld)",
                 (long long)image->width, (long long)image->height,
                 (long long)DEW_IMAGE_MAX_PIXELS);
        png_error(g->png, words);  // keeps a copy
    }
    png_set_expand_16(g->png);
    if (host_is_little_endian())
        png_set_swap(g->png);
    png_set_interlace_handling(g->png);
    png_read_update_info(g->png, g->info);
    image->channel_count = png_get_channels(g->png, g->info);
    int64_t count = image->width * image->height * image->channel_count;
    r->status = dew_array_resize(&image->samples, count);
    if (r->status.code != DEW_OK)
        longjmp(g->jump, 1);
}

static void read_image(dew_PngGuard *g, void *context)
{
    Reader *r = context;
    begin(g, r);
    png_read_info(g->png, g->info);
    bool is_interlaced = png_get_interlace_type(g->png, g->info) != PNG_INTERLACE_NONE;
    make_room(g, r);
    uint16_t *samples = r->image->samples.data;
    int64_t stride = r->image->width * r->image->channel_count;
    int pass_count = is_interlaced ? 7 : 1;
    for (int pass = 0; pass < pass_count; pass++) {
        for (int64_t y = 0; y < r->image->height; y++)
            png_read_row(g->png, (png_bytep)(samples + y * stride), NULL);
    }
    png_read_end(g->png, NULL);
}

dew_Status dew_png_parse(const dew_Source *source, dew_PngImage *image)
{
    image->samples.count = 0;
    Reader r = {.source = source, .image = image, .status = dew_ok()};
    dew_PngGuard guard = {.allocator = source->allocator};
    bool is_read = dew_png_guarded(&guard, read_image, &r);
    png_destroy_read_struct(&guard.png, &guard.info, NULL);
    if (is_read) {
        if (guard.warning[0])
            dew_source_say(source, DEW_LOG_INFO, "libpng says: %s", guard.warning);
        return dew_ok();
    }
    dew_png_deinit(image);
    if (r.status.code != DEW_OK)
        return r.status;
    if (guard.is_out_of_memory || !guard.message[0])
        return dew_no_memory(source->size);
    return dew_source_fail_byte(source, source->data + r.at, "not a sound PNG file: %s",
                                guard.message);
}

dew_Status dew_png_load(const char *path, const dew_Log *log, dew_PngImage *image)
{
    dew_Source source;
    DEW_TRY(dew_source_load(&source, path, DEW_SOURCE_MAX_BYTES, &image->samples.allocator, log));
    dew_Status status = dew_png_parse(&source, image);
    dew_source_unload(&source);
    return status;
}
