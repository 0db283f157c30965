/// Times of frames. Frame k is at k / frame_rate: divided each time, never summed, so that it does not
/// drift; the last frame is at the end to the bit when the two agree to rounding.
#pragma once

#include <math.h>
#include <stdint.h>

#define DEW_FRAME_ROUNDING 1e-9  // of a duration: nearer than this, a frame is at the end

/// Frames in [0, end_s], frame 0 included; INFINITY when there is no end.
static inline double dew_frame_count(double end_s, double rate_Hz)
{
    double last = floor(end_s * rate_Hz);
    if ((last + 1) / rate_Hz <= end_s * (1 + DEW_FRAME_ROUNDING))
        last += 1;
    return last + 1;
}

static inline double dew_frame_time_s(int64_t frame, double end_s, double rate_Hz)
{
    double time_s = (double)frame / rate_Hz;
    return fabs(time_s - end_s) <= DEW_FRAME_ROUNDING * end_s ? end_s : time_s;
}
