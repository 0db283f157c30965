/// Images of light from all around: .exr and .hdr files as red, green, blue.
#pragma once

#include "io/float_image.h"
#include "io/source.h"

/// Reads an image of radiances, EXR or Radiance by its first bytes. Three channels; an EXR needs
/// R, G, B or, grey, Y. Numbers that are no light (negative, NaN, infinite) become the nearest that
/// are, with one warning. Replaces what is in the image; leaves it empty on failure. Log may be
/// NULL.
dew_Status dew_light_probe_load(const char *path, const dew_Log *log, dew_FloatImage *image);
dew_Status dew_light_probe_parse(const dew_Source *source, dew_FloatImage *image);
