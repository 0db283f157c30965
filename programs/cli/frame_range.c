/// Reads ranges of frames.
#include "cli/frame_range.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool dew_whole_read(const char *text, size_t length, int64_t *out)
{
    if (length == 0 || strspn(text, "0123456789") < length)
        return false;
    errno = 0;
    *out = strtoll(text, NULL, 10);
    return errno == 0;
}

dew_Status dew_frame_range_read(const dew_Arguments *arguments, const char *option,
                                dew_FrameRange *out)
{
    const char *text = dew_option_value(arguments, option);
    *out = (dew_FrameRange){-1, -1, text != NULL};
    if (!text)
        return dew_ok();
    const char *dots = strstr(text, "..");
    size_t length = dots ? (size_t)(dots - text) : strlen(text);
    bool is_well = (dots && length == 0) || dew_whole_read(text, length, &out->first);
    if (!dots)
        out->last = out->first;
    else if (dots[2])
        is_well = is_well && dew_whole_read(dots + 2, strlen(dots + 2), &out->last);
    if (!is_well)
        return dew_fail(DEW_BAD_INPUT, "%s %s: not a frame (12) or a range (3..9)", option, text);
    if (out->last >= 0 && out->last < out->first)
        return dew_fail(DEW_BAD_INPUT, "%s %s: the range ends before it begins", option, text);
    return dew_ok();
}
