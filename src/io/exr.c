// Reads OpenEXR [Kainz2004] through OpenEXRCore, from bytes in memory.
//
// The library gets the file's size and rejects chunks that lie outside of it. The size that an
// image declares is compared with that of the file before memory is allocated.
#include "io/exr.h"

#include "base/status.h"
#include "io/image_size.h"
#include "io/scalar.h"

#include <math.h>
#include <OpenEXR/openexr.h>
#include <stdio.h>
#include <string.h>

#define MAX_CHANNELS 64
// No scan line of a compressed file shrinks below its chunk's part of the offset table and header;
// this is what constant images in the densest form (PIZ, 32 lines) come to, doubled.
#define INFLATE_MAX 32768

typedef struct Reader {
    const dew_Source *source;
    exr_context_t context;
    char message[200];
    int32_t min_x, min_y;
    dew_FloatImage *image;
    const char *const *names;
} Reader;

// ---- what the library calls --------------------------------------------------------------------

static void keep_message(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;
    if (!context || exr_get_user_data(context, &user) != EXR_ERR_SUCCESS || !user)
        return;
    Reader *r = user;
    (void)code;
    if (!r->message[0])
        snprintf(r->message, sizeof r->message, "%s", message);
}

static int64_t tell_size(exr_const_context_t context, void *user)
{
    (void)context;
    return (int64_t)((const Reader *)user)->source->size;
}

static int64_t read_bytes(exr_const_context_t context, void *user, void *buffer, uint64_t size,
                          uint64_t offset, exr_stream_error_func_ptr_t error)
{
    const dew_Source *source = ((const Reader *)user)->source;
    (void)context, (void)error;
    if (offset >= source->size)
        return 0;
    uint64_t left = source->size - offset, count = size < left ? size : left;
    memcpy(buffer, source->data + offset, count);
    return (int64_t)count;
}

// ---- header ------------------------------------------------------------------------------------

static dew_Status unsound(const Reader *r, exr_result_t result)
{
    if (result == EXR_ERR_OUT_OF_MEMORY)
        return dew_no_memory(r->source->size);
    return dew_fail(DEW_BAD_INPUT, "%s: not a sound OpenEXR file: %s", r->source->name,
                    r->message[0] ? r->message : exr_get_default_error_message(result));
}

#define EXR_TRY(reader, call)                                                                      \
    do {                                                                                           \
        exr_result_t exr_result_ = (call);                                                         \
        if (exr_result_ != EXR_ERR_SUCCESS)                                                        \
            return unsound((reader), exr_result_);                                                 \
    } while (0)

static dew_Status open_file(Reader *r)
{
    exr_context_initializer_t def = EXR_DEFAULT_CONTEXT_INITIALIZER;
    def.error_handler_fn = keep_message;
    def.user_data = r;
    def.read_fn = read_bytes;
    def.size_fn = tell_size;
    def.max_image_width = def.max_image_height = DEW_IMAGE_MAX_SIDE;
    def.max_tile_width = def.max_tile_height = DEW_IMAGE_MAX_SIDE;
    // The library itself shows the name in its sentences: ours says it already.
    EXR_TRY(r, exr_start_read(&r->context, "image", &def));
    return dew_ok();
}

static dew_Status check_channels(const Reader *r, int name_count)
{
    const exr_attr_chlist_t *channels;
    EXR_TRY(r, exr_get_channels(r->context, 0, &channels));
    if (channels->num_channels > MAX_CHANNELS)
        return dew_fail(DEW_BAD_INPUT, "%s: %d channels are too many (at most %d)", r->source->name,
                        channels->num_channels, MAX_CHANNELS);
    for (int k = 0; k < name_count; k++) {
        const exr_attr_chlist_entry_t *found = NULL;
        for (int i = 0; i < channels->num_channels; i++)
            if (strcmp(channels->entries[i].name.str, r->names[k]) == 0)
                found = &channels->entries[i];
        if (!found)
            return dew_fail(DEW_BAD_INPUT, "%s: the image has no channel %s", r->source->name,
                            r->names[k]);
    }
    // Also of channels that are not wanted: the library unpacks whole chunks.
    for (int i = 0; i < channels->num_channels; i++)
        if (channels->entries[i].x_sampling != 1 || channels->entries[i].y_sampling != 1)
            return dew_fail(DEW_BAD_INPUT, "%s: channel %s is subsampled, which is not read",
                            r->source->name, channels->entries[i].name.str);
    return dew_ok();
}

static dew_Status make_room(Reader *r, int name_count)
{
    exr_attr_box2i_t window;
    int32_t chunk_count = 0;
    EXR_TRY(r, exr_get_data_window(r->context, 0, &window));
    int64_t width = (int64_t)window.max.x - window.min.x + 1;
    int64_t height = (int64_t)window.max.y - window.min.y + 1;
    if (width < 1 || height < 1 || width > DEW_IMAGE_MAX_SIDE || height > DEW_IMAGE_MAX_SIDE ||
        width * height > DEW_IMAGE_MAX_PIXELS)
        return dew_fail(DEW_BAD_INPUT,
                        "%s: an image of %lld x %lld pixels (1 to %d each, at most %lld)",
                        r->source->name, (long long)width, (long long)height, DEW_IMAGE_MAX_SIDE,
                        (long long)DEW_IMAGE_MAX_PIXELS);
    EXR_TRY(r, exr_get_chunk_count(r->context, 0, &chunk_count));
    int64_t size = (int64_t)r->source->size;
    if (width * height / INFLATE_MAX > size || chunk_count > size / 16)
        return dew_fail(DEW_BAD_INPUT, "%s: the file is too short for the size it declares",
                        r->source->name);
    r->min_x = window.min.x;
    r->min_y = window.min.y;
    r->image->width = width;
    r->image->height = height;
    r->image->channel_count = name_count;
    return dew_array_resize(&r->image->samples, width * height * name_count);
}

// ---- pixels ------------------------------------------------------------------------------------

// A 16-bit float: sign, five bits of exponent, ten of mantissa.
static float widen_half(uint32_t half)
{
    uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
    uint32_t bits;
    if (exponent == 0) {  // subnormal: the mantissa counts 2^-24
        float small = ldexpf((float)mantissa, -24);
        return sign ? -small : small;
    }
    if (exponent == 31)
        bits = sign | 0x7f800000u | mantissa << 13;
    else
        bits = sign | (exponent + 112) << 23 | mantissa << 13;
    float wide;
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

static float sample_at(const uint8_t *at, uint16_t type)
{
    uint32_t bits = (uint32_t)dew_bytes_get(at, type == EXR_PIXEL_HALF ? 2 : 4, false);
    if (type == EXR_PIXEL_HALF)
        return widen_half(bits);
    if (type == EXR_PIXEL_UINT)
        return (float)bits;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Bytes of one line of a chunk: all of one channel, then all of the next.
static uint64_t line_bytes(const exr_decode_pipeline_t *decode)
{
    uint64_t bytes = 0;
    for (int i = 0; i < decode->channel_count; i++)
        bytes += (uint64_t)decode->channels[i].bytes_per_element;
    return bytes * (uint64_t)decode->chunk.width;
}

// Takes the wanted channels out of a chunk. Our own loop, since the library's unpacking (3.1.5)
// goes wrong where some channels are not wanted.
static dew_Status unpack(Reader *r, const exr_decode_pipeline_t *decode, int64_t x, int64_t y)
{
    dew_FloatImage *image = r->image;
    int64_t width = decode->chunk.width, height = decode->chunk.height;
    const uint8_t *at = decode->unpacked_buffer;
    if (x + width > image->width || y + height > image->height || !at ||
        line_bytes(decode) * (uint64_t)height != decode->chunk.unpacked_size)
        return dew_fail(DEW_BAD_INPUT, "%s: not a sound OpenEXR file: a chunk of another size",
                        r->source->name);
    for (int64_t line = 0; line < height; line++)
        for (int i = 0; i < decode->channel_count; i++) {
            const exr_coding_channel_info_t *channel = &decode->channels[i];
            for (int k = 0; k < image->channel_count; k++) {
                if (strcmp(channel->channel_name, r->names[k]) != 0)
                    continue;
                float *to = DEW_ITEMS(&image->samples, float) +
                            ((y + line) * image->width + x) * image->channel_count + k;
                for (int64_t j = 0; j < width; j++)
                    to[j * image->channel_count] =
                        sample_at(at + j * channel->bytes_per_element, channel->data_type);
            }
            at += width * channel->bytes_per_element;
        }
    return dew_ok();
}

// Lets the library choose how to read and decompress. It would read straight into planes of the
// file's own type where it could; strides that are none keep it from that.
static dew_Status choose_routines(const Reader *r, exr_decode_pipeline_t *decode)
{
    for (int i = 0; i < decode->channel_count; i++) {
        exr_coding_channel_info_t *channel = &decode->channels[i];
        channel->decode_to_ptr = (uint8_t *)r->image->samples.data;
        channel->user_bytes_per_element = sizeof(float);
        channel->user_data_type = EXR_PIXEL_FLOAT;
        channel->user_pixel_stride = 64;
        channel->user_line_stride = 64;
    }
    EXR_TRY(r, exr_decoding_choose_default_routines(r->context, 0, decode));
    decode->unpack_and_convert_fn = NULL;
    return dew_ok();
}

static dew_Status decode_chunk(Reader *r, const exr_chunk_info_t *chunk, int64_t x, int64_t y,
                               exr_decode_pipeline_t *decode, bool *is_begun)
{
    if (*is_begun)
        EXR_TRY(r, exr_decoding_update(r->context, 0, chunk, decode));
    else
        EXR_TRY(r, exr_decoding_initialize(r->context, 0, chunk, decode));
    *is_begun = true;
    DEW_TRY(choose_routines(r, decode));
    EXR_TRY(r, exr_decoding_run(r->context, 0, decode));
    return unpack(r, decode, x, y);
}

static dew_Status read_lines(Reader *r, exr_decode_pipeline_t *decode, bool *is_begun)
{
    int32_t step = 0;
    EXR_TRY(r, exr_get_scanlines_per_chunk(r->context, 0, &step));
    for (int64_t y = 0; y < r->image->height; y += step) {
        exr_chunk_info_t chunk;
        EXR_TRY(r, exr_read_scanline_chunk_info(r->context, 0, (int)(r->min_y + y), &chunk));
        DEW_TRY(decode_chunk(r, &chunk, 0, y, decode, is_begun));
    }
    return dew_ok();
}

static dew_Status read_tiles(Reader *r, exr_decode_pipeline_t *decode, bool *is_begun)
{
    int32_t width = 0, height = 0;
    EXR_TRY(r, exr_get_tile_sizes(r->context, 0, 0, 0, &width, &height));
    if (width < 1 || height < 1)
        return unsound(r, EXR_ERR_INVALID_ATTR);
    for (int64_t y = 0; y < r->image->height; y += height)
        for (int64_t x = 0; x < r->image->width; x += width) {
            exr_chunk_info_t chunk;
            EXR_TRY(r, exr_read_tile_chunk_info(r->context, 0, (int)(x / width), (int)(y / height),
                                                0, 0, &chunk));
            DEW_TRY(decode_chunk(r, &chunk, x, y, decode, is_begun));
        }
    return dew_ok();
}

static dew_Status read_image(Reader *r, int name_count)
{
    exr_storage_t storage;
    EXR_TRY(r, exr_get_storage(r->context, 0, &storage));
    if (storage != EXR_STORAGE_SCANLINE && storage != EXR_STORAGE_TILED)
        return dew_fail(DEW_BAD_INPUT, "%s: deep data is not read (flat images are)",
                        r->source->name);
    exr_compression_t compression;
    EXR_TRY(r, exr_get_compression(r->context, 0, &compression));
    if (compression == EXR_COMPRESSION_DWAA || compression == EXR_COMPRESSION_DWAB)
        return dew_fail(DEW_BAD_INPUT, "%s: DWA compression is not read (save it with ZIP or PIZ)",
                        r->source->name);
    DEW_TRY(check_channels(r, name_count));
    DEW_TRY(make_room(r, name_count));
    exr_decode_pipeline_t decode = EXR_DECODE_PIPELINE_INITIALIZER;
    bool is_begun = false;
    dew_Status status = storage == EXR_STORAGE_TILED ? read_tiles(r, &decode, &is_begun)
                                                     : read_lines(r, &decode, &is_begun);
    if (is_begun)
        exr_decoding_destroy(r->context, &decode);
    return status;
}

dew_Status dew_exr_parse(const dew_Source *source, const char *const *names, int name_count,
                         dew_FloatImage *image)
{
    Reader r = {.source = source, .image = image, .names = names};
    image->samples.count = 0;
    dew_Status status = open_file(&r);
    if (status.code == DEW_OK)
        status = read_image(&r, name_count);
    exr_finish(&r.context);
    if (status.code != DEW_OK)
        dew_float_image_deinit(image);
    return status;
}

bool dew_exr_has_channel(const dew_Source *source, const char *name)
{
    Reader r = {.source = source, .names = &name};
    bool is_there = open_file(&r).code == DEW_OK && check_channels(&r, 1).code == DEW_OK;
    exr_finish(&r.context);
    return is_there;
}
