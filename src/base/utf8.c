// UTF-8 decoding without overlong forms and surrogates, and YAML 1.1's set of printable characters.
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

size_t dew_utf8_decode(const char *text, size_t left, uint32_t *code)
{
    static const uint32_t lowest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char c = bytes[0];
    size_t length = c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    *code = length == 1 ? c : c & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (bytes[i] & 0x3fu);
    }
    bool is_surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < lowest[length] || *code > 0x10ffff || is_surrogate ? 0 : length;
}

bool dew_utf8_is_text(uint32_t code, bool is_first)
{
    if (code < 0x20)
        return code == '\t' || code == '\n' || code == '\r';
    bool is_control = code >= 0x7f && code < 0xa0 && code != 0x85;
    bool is_mark = code == 0xfeff && !is_first;
    return !is_control && !is_mark && code != 0xfffe && code != 0xffff;
}

bool dew_utf8_is_line(const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t code = 0;
        size_t length = dew_utf8_decode(text, left, &code);
        bool is_line_end = code == 0x85 || code == 0x2028 || code == 0x2029;
        if (length == 0 || code < 0x20 || is_line_end || !dew_utf8_is_text(code, false))
            return false;
        text += length;
        left -= length;
    }
    return true;
}

// ---- for people --------------------------------------------------------------------------------

// Unicode's category Cf and its neighbours, as far as they are not marks that are drawn: soft
// hyphen, zero-width characters, orders of direction, line and paragraph separators, byte-order
// mark, annotations, controls of music and shorthand, tags; and what is no character.
static const struct {
    uint32_t first, last;
} unseen[] = {{0xad, 0xad},     {0x61c, 0x61c},     {0x180e, 0x180e},   {0x200b, 0x200f},
              {0x2028, 0x202e}, {0x2060, 0x206f},   {0xfdd0, 0xfdef},   {0xfeff, 0xfeff},
              {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

bool dew_utf8_is_shown(uint32_t code)
{
    if (code < 0xa0)
        return code >= 0x20 && code < 0x7f;
    if ((code & 0xfffe) == 0xfffe)
        return false;
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        if (code >= unseen[i].first && code <= unseen[i].last)
            return false;
    return true;
}

bool dew_utf8_is_shown_text(const char *text)
{
    uint32_t code = 0;
    size_t length;
    for (size_t left = strlen(text); left > 0; text += length, left -= length) {
        length = dew_utf8_decode(text, left, &code);
        if (length == 0 || !dew_utf8_is_shown(code))
            return false;
    }
    return true;
}

size_t dew_utf8_show_one(const char *text, size_t left, size_t *used, char out[12])
{
    uint32_t code = 0;
    size_t length = dew_utf8_decode(text, left, &code);
    *used = length;
    if (length > 0 && dew_utf8_is_shown(code))
        return length;
    bool is_space = length == 1 && (code == '\n' || code == '\t' || code == '\r');
    if (length > 0 && code >= 0xa0)
        snprintf(out, 12, "<U+%04X>", (unsigned)(code & 0x1fffff));
    else {
        *used = 1;
        snprintf(out, 12, "%s", is_space ? " " : "?");
    }
    return 0;
}

size_t dew_utf8_show(const char *text, char *out, size_t size)
{
    size_t left = strlen(text), length = 0, cut = 0;  // cut: where "..." still fits
    while (left > 0) {
        char other[12];
        size_t used, same = dew_utf8_show_one(text, left, &used, other);
        size_t more = same > 0 ? same : strlen(other);
        if (length + more >= size)
            break;
        memcpy(out + length, same > 0 ? text : other, more);
        length += more;
        if (length + 4 <= size)
            cut = length;
        text += used;
        left -= used;
    }
    if (left > 0 && size >= 4) {
        memcpy(out + cut, "...", 3);
        length = cut + 3;
    }
    out[length] = '\0';
    return length;
}
