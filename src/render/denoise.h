/// A light denoiser: takes the grain out of a rendered image, guided by what was seen.
///
/// Pixels are averaged with those around that look alike (joint non-local means): alike in albedo,
/// normal and depth, and alike in colour within the image's own estimate of its noise.
/// Where the image is already clean nothing happens. What it does not do: invent detail; a
/// preview at 16 samples becomes smooth, not finished. Bit-identical on any number of workers.
#pragma once

#include "base/tasks.h"
#include "render/image.h"

/// Changes the colour plane. strength 1 is made for previews; 0 changes nothing, at most 4.
dew_Status dew_image_denoise(dew_Image *image, double strength, dew_Tasks *tasks);
