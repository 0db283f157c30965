// Reads Radiance RGBE images [Ward1991]: text lines up to an empty one, a resolution line such as
// "-Y 512 +X 1024", then scan lines of four bytes per pixel, each flat or in one of two run-length
// forms. The mantissas mean (byte + 0.5) / 256 times 2^(exponent - 128); a zero exponent is black.
#include "io/hdr.h"

#include "base/number.h"
#include "base/status.h"
#include "io/image_size.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MIN_RUN    8          // scan lines shorter than this are never in the new form
#define MAX_LENGTH INT16_MAX  // nor longer ones: 15 bits hold the length

typedef struct Reader {
    const dew_Source *source;
    const uint8_t *at, *end;
    double scale[3];  // that undoes EXPOSURE and COLORCORR
    bool is_column_major, is_x_reversed, is_y_reversed;
    int64_t scan_length, scan_count;
} Reader;

static dew_Status ends_early(const Reader *r)
{
    return dew_source_fail_byte(r->source, r->end, "the file ends within the image");
}

// ---- header ------------------------------------------------------------------------------------

// One line without its end; false at the end of the file.
static bool next_line(Reader *r, const char **line, size_t *length)
{
    const uint8_t *newline = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    if (!newline)
        return false;
    *line = (const char *)r->at;
    *length = (size_t)(newline - r->at);
    if (*length > 0 && (*line)[*length - 1] == '\r')
        --*length;
    r->at = newline + 1;
    return true;
}

static bool begins_with(const char *line, size_t length, const char *words, size_t *rest)
{
    size_t n = strlen(words);
    *rest = n;
    return length >= n && memcmp(line, words, n) == 0;
}

// Numbers of EXPOSURE (one for all) and COLORCORR (three) multiply what was there.
static bool read_factors(Reader *r, const char *text, size_t length, int count)
{
    double factor[3] = {1, 1, 1};
    for (int i = 0; i < count; i++) {
        while (length > 0 && *text == ' ')
            text++, length--;
        size_t used = dew_number_parse(text, length, &factor[i]);
        if (used == 0 || !(factor[i] > 0) || !isfinite(factor[i]))
            return false;
        text += used, length -= used;
    }
    for (int i = 0; i < 3; i++)
        r->scale[i] /= factor[count == 1 ? 0 : i];
    return isfinite(r->scale[0]) && isfinite(r->scale[1]) && isfinite(r->scale[2]);
}

static dew_Status read_header(Reader *r)
{
    const char *line;
    size_t length, rest;
    if (!next_line(r, &line, &length) || !begins_with(line, length, "#?", &rest))
        return dew_source_fail_line(r->source, r->source->data,
                                    "not a Radiance image (it would begin with #?RADIANCE)");
    while (next_line(r, &line, &length)) {
        if (length == 0)
            return dew_ok();
        bool is_well = true;
        if (begins_with(line, length, "FORMAT=", &rest) &&
            !(length - rest == 15 && memcmp(line + rest, "32-bit_rle_rgbe", 15) == 0))
            return dew_source_fail_line(r->source, line,
                                        "this format is not read (32-bit_rle_rgbe is)");
        if (begins_with(line, length, "EXPOSURE=", &rest))
            is_well = read_factors(r, line + rest, length - rest, 1);
        else if (begins_with(line, length, "COLORCORR=", &rest))
            is_well = read_factors(r, line + rest, length - rest, 3);
        if (!is_well)
            return dew_source_fail_line(r->source, line, "a correction that is not above zero");
    }
    return dew_source_fail_line(r->source, r->source->data,
                                "the header does not end (an empty line is missing)");
}

// "-Y 512 +X 1024": which way scan lines go, and along them. false: not understood.
static bool read_axis(const char **text, const char *end, bool *is_x, bool *is_minus, int64_t *size)
{
    while (*text < end && **text == ' ')
        ++*text;
    if (end - *text < 4 || ((*text)[0] != '-' && (*text)[0] != '+') ||
        ((*text)[1] != 'X' && (*text)[1] != 'Y') || (*text)[2] != ' ')
        return false;
    *is_minus = (*text)[0] == '-';
    *is_x = (*text)[1] == 'X';
    *text += 3;
    while (*text < end && **text == ' ')
        ++*text;
    size_t used = dew_integer_parse(*text, (size_t)(end - *text), size);
    *text += used;
    return used > 0 && *size >= 1 && *size <= DEW_IMAGE_MAX_SIDE;
}

static dew_Status read_resolution(Reader *r, dew_FloatImage *image)
{
    const char *line;
    size_t length;
    bool is_x[2] = {false, false}, is_minus[2] = {false, false};
    int64_t size[2] = {0, 0};
    if (!next_line(r, &line, &length))
        return ends_early(r);
    const char *text = line, *end = line + length;
    if (!read_axis(&text, end, &is_x[0], &is_minus[0], &size[0]) ||
        !read_axis(&text, end, &is_x[1], &is_minus[1], &size[1]) || is_x[0] == is_x[1] ||
        text != end)
        return dew_source_fail_line(r->source, line,
                                    "not a resolution (such as -Y 512 +X 1024, 1 to %d each)",
                                    DEW_IMAGE_MAX_SIDE);
    r->is_column_major = is_x[0];
    r->scan_count = size[0];
    r->scan_length = size[1];
    int x = is_x[0] ? 0 : 1;
    r->is_x_reversed = is_minus[x];
    r->is_y_reversed = !is_minus[1 - x];  // -Y: from the top, as we keep it
    image->width = size[x];
    image->height = size[1 - x];
    image->channel_count = 3;
    // A run of the old form makes up to 255 << 24 pixels of four bytes; real files stay far below
    // this, and it bounds what a few bytes can ask for.
    int64_t pixels = size[0] * size[1];
    if (pixels > DEW_IMAGE_MAX_PIXELS || pixels / 1024 > (int64_t)r->source->size)
        return dew_source_fail_line(r->source, line,
                                    "%lld x %lld pixels are too many for this file",
                                    (long long)image->width, (long long)image->height);
    return dew_array_resize(&image->samples, 3 * pixels);
}

// ---- scan lines --------------------------------------------------------------------------------

// The new form: four runs of bytes, one per component.
static dew_Status read_planes(Reader *r, uint8_t *scan)
{
    for (int k = 0; k < 4; k++)
        for (int64_t i = 0; i < r->scan_length;) {
            if (r->at >= r->end)
                return ends_early(r);
            int64_t count = *r->at++;
            bool is_run = count > 128;
            count = is_run ? count - 128 : count;
            if (count == 0 || count > r->scan_length - i)
                return dew_source_fail_byte(r->source, r->at - 1,
                                            "a run goes beyond the end of its scan line");
            if (r->end - r->at < (is_run ? 1 : count))
                return ends_early(r);
            for (int64_t j = 0; j < count; j++)
                scan[4 * (i + j) + k] = r->at[is_run ? 0 : j];
            r->at += is_run ? 1 : count;
            i += count;
        }
    return dew_ok();
}

// Flat pixels; 1 1 1 n repeats the last one, and several in a row are digits of the count.
static dew_Status read_pixels(Reader *r, uint8_t *scan)
{
    int shift = 0;
    for (int64_t i = 0; i < r->scan_length;) {
        if (r->end - r->at < 4)
            return ends_early(r);
        const uint8_t *p = r->at;
        r->at += 4;
        if (p[0] != 1 || p[1] != 1 || p[2] != 1) {
            memcpy(scan + 4 * i++, p, 4);
            shift = 0;
            continue;
        }
        int64_t count = shift < 32 ? (int64_t)p[3] << shift : 0;
        if (i == 0 || shift > 24 || count > r->scan_length - i)
            return dew_source_fail_byte(r->source, p, "a run goes beyond the end of its scan line");
        for (int64_t j = 0; j < count; j++, i++)
            memcpy(scan + 4 * i, scan + 4 * (i - 1), 4);
        shift += 8;
    }
    return dew_ok();
}

static dew_Status read_scan(Reader *r, uint8_t *scan)
{
    bool is_new = r->end - r->at >= 4 && r->at[0] == 2 && r->at[1] == 2 && r->at[2] < 128 &&
                  r->scan_length >= MIN_RUN && r->scan_length <= MAX_LENGTH;
    if (!is_new)
        return read_pixels(r, scan);
    int64_t length = (int64_t)r->at[2] << 8 | r->at[3];
    if (length != r->scan_length)
        return dew_source_fail_byte(r->source, r->at,
                                    "a scan line of %lld pixels where there should be %lld",
                                    (long long)length, (long long)r->scan_length);
    r->at += 4;
    return read_planes(r, scan);
}

static void place_scan(const Reader *r, const uint8_t *scan, int64_t index, dew_FloatImage *image)
{
    float *samples = image->samples.data;
    for (int64_t i = 0; i < r->scan_length; i++) {
        int64_t x = r->is_column_major ? index : i, y = r->is_column_major ? i : index;
        x = r->is_x_reversed ? image->width - 1 - x : x;
        y = r->is_y_reversed ? image->height - 1 - y : y;
        const uint8_t *p = scan + 4 * i;
        for (int k = 0; k < 3; k++) {
            double value = p[3] ? ldexp(p[k] + 0.5, p[3] - 136) * (double)r->scale[k] : 0;
            samples[3 * (y * image->width + x) + k] = (float)fmin(value, (double)FLT_MAX);
        }
    }
}

static dew_Status read_image(Reader *r, dew_FloatImage *image)
{
    DEW_TRY(read_header(r));
    DEW_TRY(read_resolution(r, image));
    const dew_Allocator *allocator = &r->source->allocator;
    size_t size = 4 * (size_t)r->scan_length;
    uint8_t *scan = dew_alloc(allocator, r->scan_length, 4);
    if (!scan)
        return dew_no_memory(size);
    dew_Status status = dew_ok();
    for (int64_t i = 0; i < r->scan_count && status.code == DEW_OK; i++) {
        status = read_scan(r, scan);
        if (status.code == DEW_OK)
            place_scan(r, scan, i, image);
    }
    dew_free(allocator, scan, size);
    return status;
}

dew_Status dew_hdr_parse(const dew_Source *source, dew_FloatImage *image)
{
    Reader r = {.source = source,
                .at = source->data,
                .end = source->data + source->size,
                .scale = {1, 1, 1}};
    image->samples.count = 0;
    dew_Status status = read_image(&r, image);
    if (status.code != DEW_OK)
        dew_float_image_deinit(image);
    return status;
}

dew_Status dew_hdr_load(const char *path, const dew_Log *log, dew_FloatImage *image)
{
    dew_Source source;
    DEW_TRY(dew_source_load(&source, path, DEW_SOURCE_MAX_BYTES, &image->samples.allocator, log));
    dew_Status status = dew_hdr_parse(&source, image);
    dew_source_unload(&source);
    return status;
}
