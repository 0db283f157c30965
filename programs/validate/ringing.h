/// Frequency and decay of what rings, from samples an equal time apart.
#pragma once

#include "validate/stage.h"

#define DEW_RINGING_PEAKS 64

typedef struct dew_Ringing {
    double t[3], a[3];  // the last three samples
    int samples;
    double first_zero_s, last_zero_s;
    int zeros;
    double peak_s[DEW_RINGING_PEAKS], peak[DEW_RINGING_PEAKS];
    int peaks;
} dew_Ringing;

/// Follows a drop in the mode n = 2: its second moment along y less that across, forty times per
/// period. From a struct of zeroes on.
dew_Status dew_ringing_follow(dew_Ringing *ringing, dew_Stage *stage, double period_s,
                              double periods);
/// Takes a sample; from a struct of zeroes on.
void dew_ringing_add(dew_Ringing *ringing, double time_s, double amplitude);
/// From the first and the last passage through zero. NaN: fewer than two.
double dew_ringing_omega(const dew_Ringing *ringing);
/// From the line through the logarithms of the amplitudes, each the mean of an extreme and its two
/// neighbours. NaN: fewer than four extremes.
double dew_ringing_decay(const dew_Ringing *ringing);
