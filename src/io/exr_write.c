// Writes OpenEXR [Kainz2004] through OpenEXRCore.
//
// The library writes its table of offsets last, into the beginning of the file; so the file is made
// in memory and then handed to the sink.
#include "base/status.h"
#include "io/exr.h"
#include "io/image_size.h"

#include <OpenEXR/openexr.h>
#include <stdio.h>
#include <string.h>

typedef struct Writer {
    const dew_ExrOutput *output;
    dew_Array bytes;
    exr_context_t context;
    dew_Status status;  // of memory
    char message[200];
} Writer;

static void keep_message(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;
    (void)code;
    if (!context || exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user)
        return;
    Writer *w = user;
    if (!w->message[0])
        snprintf(w->message, sizeof w->message, "%s", message);
}

static int64_t write_bytes(exr_const_context_t context, void *user, const void *buffer,
                           uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t error)
{
    Writer *w = user;
    (void)context, (void)error;
    int64_t end = (int64_t)(offset + size);
    if (end > w->bytes.count) {
        dew_Status status = dew_array_resize(&w->bytes, end);
        if (status.code != DEW_OK) {
            w->status = status;
            return -1;
        }
    }
    memcpy((uint8_t *)w->bytes.data + offset, buffer, size);
    return (int64_t)size;
}

static dew_Status failure(const Writer *w, exr_result_t result)
{
    if (w->status.code != DEW_OK)
        return w->status;
    if (result == EXR_ERR_OUT_OF_MEMORY)
        return dew_no_memory((size_t)w->bytes.count);
    return dew_fail(DEW_BAD_INPUT, "cannot make an OpenEXR file: %s",
                    w->message[0] ? w->message : exr_get_default_error_message(result));
}

#define EXR_TRY(writer, call)                                                                      \
    do {                                                                                           \
        exr_result_t exr_result_ = (call);                                                         \
        if (exr_result_ != EXR_ERR_SUCCESS)                                                        \
            return failure((writer), exr_result_);                                                 \
    } while (0)

static dew_Status begin(Writer *w)
{
    const dew_ExrOutput *p = w->output;
    int part = 0;
    exr_context_initializer_t def = EXR_DEFAULT_CONTEXT_INITIALIZER;
    def.error_handler_fn = keep_message;
    def.user_data = w;
    def.write_fn = write_bytes;
    EXR_TRY(w, exr_start_write(&w->context, "image", EXR_WRITE_FILE_DIRECTLY, &def));
    EXR_TRY(w, exr_add_part(w->context, "image", EXR_STORAGE_SCANLINE, &part));
    EXR_TRY(w, exr_initialize_required_attr_simple(w->context, part, (int32_t)p->width,
                                                   (int32_t)p->height, EXR_COMPRESSION_ZIP));
    for (int i = 0; i < p->channel_count; i++)
        EXR_TRY(w, exr_add_channel(w->context, part, p->channels[i].name,
                                   p->channels[i].is_half ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                                   EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
    EXR_TRY(w, exr_write_header(w->context));
    return dew_ok();
}

// The library sorts channels by name; ours are found again by it.
static void aim(const Writer *w, exr_encode_pipeline_t *encode, int64_t y)
{
    const dew_ExrOutput *p = w->output;
    for (int i = 0; i < encode->channel_count; i++)
        for (int k = 0; k < p->channel_count; k++) {
            const dew_ExrChannel *channel = &p->channels[k];
            exr_coding_channel_info_t *to = &encode->channels[i];
            if (strcmp(to->channel_name, channel->name) != 0)
                continue;
            to->user_bytes_per_element = sizeof(float);
            to->user_data_type = EXR_PIXEL_FLOAT;
            to->user_pixel_stride = (int32_t)sizeof(float) * channel->stride;
            to->user_line_stride = (int32_t)(sizeof(float) * (size_t)(channel->stride * p->width));
            to->encode_from_ptr =
                (const uint8_t *)(channel->values + y * p->width * channel->stride);
        }
}

static dew_Status write_lines(Writer *w, exr_encode_pipeline_t *encode, bool *is_begun)
{
    int32_t step = 0;
    EXR_TRY(w, exr_get_scanlines_per_chunk(w->context, 0, &step));
    for (int64_t y = 0; y < w->output->height; y += step) {
        exr_chunk_info_t chunk;
        EXR_TRY(w, exr_write_scanline_chunk_info(w->context, 0, (int)y, &chunk));
        if (*is_begun)
            EXR_TRY(w, exr_encoding_update(w->context, 0, &chunk, encode));
        else
            EXR_TRY(w, exr_encoding_initialize(w->context, 0, &chunk, encode));
        *is_begun = true;
        aim(w, encode, y);
        EXR_TRY(w, exr_encoding_choose_default_routines(w->context, 0, encode));
        EXR_TRY(w, exr_encoding_run(w->context, 0, encode));
    }
    return dew_ok();
}

static dew_Status write_image(Writer *w)
{
    exr_encode_pipeline_t encode = EXR_ENCODE_PIPELINE_INITIALIZER;
    bool is_begun = false;
    DEW_TRY(begin(w));
    dew_Status status = write_lines(w, &encode, &is_begun);
    if (is_begun)
        exr_encoding_destroy(w->context, &encode);
    return status;
}

dew_Status dew_exr_write(const dew_ExrOutput *output, const dew_Allocator *allocator,
                         dew_Sink *sink)
{
    const dew_ExrOutput *p = output;
    DEW_ASSERT(p->channel_count >= 1);
    if (p->width < 1 || p->height < 1 || p->width > DEW_IMAGE_MAX_SIDE ||
        p->height > DEW_IMAGE_MAX_SIDE)
        return dew_fail(DEW_BAD_INPUT, "an image of %lld x %lld pixels (1 to %d each)",
                        (long long)p->width, (long long)p->height, DEW_IMAGE_MAX_SIDE);
    Writer w = {.output = output, .status = dew_ok()};
    dew_array_init(&w.bytes, allocator, 1);
    dew_Status status = write_image(&w);
    exr_result_t result = exr_finish(&w.context);  // writes the table of offsets
    if (status.code == DEW_OK && result != EXR_ERR_SUCCESS)
        status = failure(&w, result);
    if (status.code == DEW_OK && w.status.code != DEW_OK)
        status = w.status;
    if (status.code == DEW_OK)
        dew_sink_write(sink, w.bytes.data, (size_t)w.bytes.count);
    dew_array_deinit(&w.bytes);
    return status;
}

dew_Status dew_exr_save(const char *path, const dew_ExrOutput *output,
                        const dew_Allocator *allocator)
{
    dew_Sink sink;
    DEW_TRY(dew_sink_begin_file(&sink, path, allocator));
    dew_Status status = dew_exr_write(output, allocator, &sink);
    if (status.code != DEW_OK)
        status = dew_status_prefix(status, "%s", path);
    return dew_sink_end(&sink, status);
}
