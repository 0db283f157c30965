/// Dynamic resolution of the window: the image is drawn with all pixels, or with three quarters or
/// half of them along each side and stretched, so that the frame rate holds on a machine whose
/// drawing is slow.
#pragma once

#include <stdbool.h>

#define DEW_LIVE_RATE_HZ 15.0  // images per second below which the window draws fewer pixels

typedef struct dew_DynamicResolution {
    double least_rate_Hz;  // of images, that is aimed at
    int level;             // 0: as many pixels as the window has
    double took_s;         // an image of this level, smoothed; 0: not known yet
    bool is_fresh;         // the next image of this level is the first: its time does not count
} dew_DynamicResolution;

dew_DynamicResolution dew_dynamic_resolution(double least_rate_Hz);

/// Pixels along a side that has px in the window.
int dew_dynamic_resolution_px(const dew_DynamicResolution *resolution, int px);

/// An image took so long: the next one may be coarser or finer.
void dew_dynamic_resolution_learn(dew_DynamicResolution *resolution, double took_s);
