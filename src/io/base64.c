// Base64 [Josefsson2006], section 4.
#include "io/base64.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void dew_base64_begin(dew_Base64Writer *writer, dew_Sink *sink)
{
    *writer = (dew_Base64Writer){.sink = sink};
}

static void write_group(dew_Base64Writer *writer)
{
    const uint8_t *b = writer->pending;
    uint32_t bits = (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
    char group[4];
    for (int i = 0; i < 4; i++)
        group[i] = i <= writer->pending_count ? letters[bits >> (18 - 6 * i) & 63] : '=';
    dew_sink_write(writer->sink, group, 4);
    *writer = (dew_Base64Writer){.sink = writer->sink};
}

void dew_base64_write(dew_Base64Writer *writer, const void *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    for (size_t i = 0; i < size; i++) {
        writer->pending[writer->pending_count++] = bytes[i];
        if (writer->pending_count == 3)
            write_group(writer);
    }
}

void dew_base64_end(dew_Base64Writer *writer)
{
    if (writer->pending_count > 0)
        write_group(writer);
}

static int value_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The next group of four: how many bytes it holds (1 to 3), 0 when there is no whole group.
static int read_group(dew_Slice *text, uint8_t out[3])
{
    uint32_t bits = 0;
    int count = 0, padding = 0;
    const char *p = text->data, *end = text->data + text->size;
    for (; p < end && count < 4; p++) {
        if (dew_is_blank(*p))
            continue;
        int value = value_of(*p);
        if (*p == '=' && count >= 2) {
            padding++;
            value = 0;
        } else if (value < 0 || padding > 0) {
            break;
        }
        bits = bits << 6 | (uint32_t)value;
        count++;
    }
    *text = (dew_Slice){p, (size_t)(end - p)};
    if (count < 4)
        return 0;
    for (int i = 0; i < 3; i++)
        out[i] = (uint8_t)(bits >> (16 - 8 * i));
    return 3 - padding;
}

size_t dew_base64_read(dew_Slice *text, uint8_t *out, size_t wanted)
{
    size_t got = 0;
    while (got < wanted) {
        uint8_t group[3];
        int count = read_group(text, group);
        if (count == 0)
            break;
        for (int i = 0; i < count && got < wanted; i++)
            out[got++] = group[i];
    }
    return got;
}
