// Sizes from headers: IHDR of PNG [Boutell2003], the data window of OpenEXR, the resolution line of
// Radiance. Reads no more than a header, trusts nothing: what is odd gives no size.
#include "io/image_size.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES ((size_t)64 << 10)

static uint32_t big_endian(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t little_endian(const uint8_t *p)
{
    return (int32_t)((uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0]);
}

static bool png_size(const uint8_t *head, size_t size, dew_ImageSize *out)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const int channels[] = {1, 1, 3, 4,
                                   2, 2, 4};  // by colour type; a palette may have alpha
    if (size < 26 || memcmp(head, magic, sizeof magic) != 0 || memcmp(head + 12, "IHDR", 4) != 0)
        return false;
    out->width = big_endian(head + 16);
    out->height = big_endian(head + 20);
    out->bytes_per_pixel = 2.0 * channels[head[25] <= 6 ? head[25] : 6];
    return true;
}

// An attribute is a name, a type, a size and a value; the data window's is four integers.
static bool exr_size(const uint8_t *head, size_t size, dew_ImageSize *out)
{
    static const uint8_t magic[4] = {0x76, 0x2f, 0x31, 0x01};
    if (size < 8 || memcmp(head, magic, sizeof magic) != 0)
        return false;
    for (size_t at = 8; at < size && head[at];) {
        const char *name = (const char *)head + at;
        at += strnlen(name, size - at) + 1;
        at += at < size ? strnlen((const char *)head + at, size - at) + 1 : 0;
        if (at > size || size - at < 4)
            return false;
        int64_t length = little_endian(head + at);
        at += 4;
        if (length < 0 || (size_t)length > size - at)
            return false;
        const uint8_t *box = head + at;
        if (strcmp(name, "dataWindow") == 0 && length == 16) {
            out->width = little_endian(box + 8) - little_endian(box) + 1;
            out->height = little_endian(box + 12) - little_endian(box + 4) + 1;
            out->bytes_per_pixel = 3 * sizeof(float);
            return true;
        }
        at += (size_t)length;
    }
    return false;
}

// "-Y 512 +X 1024" behind an empty line, the axes in either order.
static bool hdr_size(const uint8_t *head, size_t size, dew_ImageSize *out)
{
    char line[64] = "";
    if (size < 2 || memcmp(head, "#?", 2) != 0)
        return false;
    for (size_t i = 2; i + 1 < size && !line[0]; i++)
        if (head[i] == '\n' && head[i + 1] == '\n') {
            size_t left = size - i - 2;
            memcpy(line, head + i + 2, left < sizeof line - 1 ? left : sizeof line - 1);
        }
    char *end;
    if (strlen(line) < 4)
        return false;
    out->width = strtol(line + 3, &end, 10);
    out->height = *end == ' ' && strlen(end) > 4 ? strtol(end + 4, NULL, 10) : 0;
    out->bytes_per_pixel = 3 * sizeof(float);
    return true;
}

bool dew_image_size_parse(const uint8_t *head, size_t size, dew_ImageSize *out)
{
    *out = (dew_ImageSize){0};
    bool is_known =
        png_size(head, size, out) || exr_size(head, size, out) || hdr_size(head, size, out);
    return is_known && out->width > 0 && out->height > 0;
}

bool dew_image_size_load(const char *path, dew_ImageSize *out)
{
    uint8_t head[HEAD_BYTES + 1];
    size_t size = 0;
    *out = (dew_ImageSize){0};
    if (dew_file_read_head(path, head, HEAD_BYTES, &size).code != DEW_OK)
        return false;
    head[size] = 0;
    return dew_image_size_parse(head, size, out);
}
