/// Ranges of frames on the command line.
#pragma once

#include "support/command.h"

/// Which frames are wanted; -1: from the first, to the last.
typedef struct dew_FrameRange {
    int64_t first, last;
    bool is_given;
} dew_FrameRange;

/// A whole number without sign, all of text[0..length).
bool dew_whole_read(const char *text, size_t length, int64_t *out);

/// "12", "3..9", "3..", "..9", "..": the value of an option.
dew_Status dew_frame_range_read(const dew_Arguments *arguments, const char *option,
                                dew_FrameRange *out);
