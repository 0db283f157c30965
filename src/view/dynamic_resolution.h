/// How coarse the window's picture is: drawn whole, or with three quarters or half of the pixels along each
/// side and stretched, so that what moves keeps moving on a machine whose drawing is slow.
#pragma once

#include <stdbool.h>

#define DEW_QUICK_HZ 15.0  // pictures: what the window aims at

typedef struct dew_Coarseness {
    double least_rate_Hz;  // of pictures, that is aimed at
    int level;             // 0: as many pixels as the window has
    double took_s;         // a picture of this level, smoothed; 0: not known yet
    bool is_fresh;         // the next picture of this level is its first, and no measure
} dew_Coarseness;

dew_Coarseness dew_coarseness(double least_rate_Hz);

/// Pixels along a side that has px in the window.
int dew_coarseness_px(const dew_Coarseness *coarseness, int px);

/// A picture took so long: the next one may be coarser or finer.
void dew_coarseness_learn(dew_Coarseness *coarseness, double took_s);
