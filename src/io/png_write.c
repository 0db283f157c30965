// Writes PNG [Boutell2003] through libpng.
#include "base/status.h"
#include "io/png.h"
#include "io/png_guard.h"

typedef struct Writer {
    const dew_PngOutput *output;
    dew_Sink *sink;
    uint8_t *row;  // 16 bits: where a row is turned to high byte first
} Writer;

static void write_bytes(png_structp png, png_bytep data, size_t size)
{
    Writer *w = png_get_io_ptr(png);
    dew_sink_write(w->sink, data, size);
}

static void flush_bytes(png_structp png)
{
    (void)png;  // the sink sees to it
}

static void write_rows(dew_PngGuard *g, const Writer *w)
{
    const dew_PngOutput *p = w->output;
    int64_t stride = p->width * p->channel_count;
    for (int64_t y = 0; y < p->height; y++) {
        if (!w->row) {
            png_write_row(g->png, (const uint8_t *)p->samples + y * stride);
            continue;
        }
        const uint16_t *samples = (const uint16_t *)p->samples + y * stride;
        for (int64_t i = 0; i < stride; i++) {
            w->row[2 * i] = (uint8_t)(samples[i] >> 8);
            w->row[2 * i + 1] = (uint8_t)samples[i];
        }
        png_write_row(g->png, w->row);
    }
}

static void write_image(dew_PngGuard *g, void *context)
{
    static const int types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
    Writer *w = context;
    const dew_PngOutput *p = w->output;
    g->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, g, dew_png_on_error,
                                       dew_png_on_warning, g, dew_png_on_alloc, dew_png_on_free);
    g->info = g->png ? png_create_info_struct(g->png) : NULL;
    if (!g->info)
        longjmp(g->jump, 1);
    png_set_write_fn(g->png, w, write_bytes, flush_bytes);
    png_set_IHDR(g->png, g->info, (png_uint_32)p->width, (png_uint_32)p->height, p->bits,
                 types[p->channel_count - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(g->png, g->info);
    write_rows(g, w);
    png_write_end(g->png, NULL);
}

dew_Status dew_png_write(const dew_PngOutput *output, const dew_Allocator *allocator,
                         dew_Sink *sink)
{
    const dew_PngOutput *p = output;
    DEW_ASSERT(p->channel_count >= 1 && p->channel_count <= 4 && (p->bits == 8 || p->bits == 16));
    if (p->width < 1 || p->height < 1 || p->width > 1000000 || p->height > 1000000)
        return dew_fail(DEW_BAD_INPUT, "an image of %lld x %lld pixels (1 to 1000000 each)",
                        (long long)p->width, (long long)p->height);
    Writer w = {output, sink, NULL};
    int64_t row_bytes = p->width * p->channel_count * 2;
    if (p->bits == 16 && !(w.row = dew_alloc(allocator, row_bytes, 1)))
        return dew_no_memory((size_t)row_bytes);
    dew_PngGuard guard = {0};
    if (allocator)
        guard.allocator = *allocator;
    bool is_written = dew_png_guarded(&guard, write_image, &w);
    if (w.row)
        dew_free(allocator, w.row, (size_t)row_bytes);
    png_destroy_write_struct(&guard.png, &guard.info);
    if (is_written)
        return dew_ok();
    if (guard.is_out_of_memory || !guard.message[0])
        return dew_no_memory((size_t)row_bytes);
    return dew_fail(DEW_BAD_INPUT, "cannot make a PNG: %s", guard.message);
}

dew_Status dew_png_save(const char *path, const dew_PngOutput *output,
                        const dew_Allocator *allocator)
{
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    dew_Status status = dew_png_write(output, allocator, &sink);
    if (status.code != DEW_OK)
        status = dew_status_prefix(status, "%s", path);
    return dew_sink_end(&sink, status);
}
