// Cuts between characters, so that what is shown of UTF-8 stays UTF-8. Control characters are left
// to dew_fail, which every message goes through.
#include "scene/shown.h"

#include <stdio.h>
#include <string.h>

#define MAX_SHOWN (sizeof(dew_Shown) - sizeof "\"...\"")

dew_Shown dew_shown(const char *text)
{
    dew_Shown shown;
    size_t length = strnlen(text, MAX_SHOWN + 1);
    if (length <= MAX_SHOWN) {
        snprintf(shown.text, sizeof shown.text, "\"%s\"", text);
        return shown;
    }
    length = MAX_SHOWN;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    snprintf(shown.text, sizeof shown.text, "\"%.*s...\"", (int)length, text);
    return shown;
}
