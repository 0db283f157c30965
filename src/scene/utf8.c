// UTF-8 decoding without overlong forms and surrogates, and YAML 1.1's set of printable characters.
#include "scene/utf8.h"

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
