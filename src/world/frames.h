/// Times of frames. Frame k is at k / frame_rate: divided each time, never summed, so that it does
/// not drift; the last frame is at the end to the bit when the two agree to rounding.
#pragma once

#include "problem/timing.h"

/// Frames in [0, end_s], frame 0 included; INFINITY when there is no end.
static inline double dew_frame_count(double end_s, double rate_Hz)
{
    double last = floor(end_s * rate_Hz);
    if ((last + 1) / rate_Hz <= end_s * (1 + DEW_TIME_ROUNDING))
        last += 1;
    return last + 1;
}

static inline double dew_frame_time_s(int64_t frame, double end_s, double rate_Hz)
{
    double time_s = (double)frame / rate_Hz;
    return fabs(time_s - end_s) <= DEW_TIME_ROUNDING * end_s ? end_s : time_s;
}
