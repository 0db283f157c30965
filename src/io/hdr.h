/// Radiance images (.hdr, .pic): light as shared-exponent RGBE, for environments.
///
/// Reads what the format's makers write: flat, old and new run lengths, any of the eight
/// orientations. EXPOSURE and COLORCORR lines are undone, so that numbers are radiances as stored.
/// XYZE files are refused: their colours would be wrong.
#pragma once

#include "io/float_image.h"
#include "io/source.h"

/// Three channels: red, green, blue. Replaces what is in the image; leaves it empty on failure.
dew_Status dew_hdr_parse(const dew_Source *source, dew_FloatImage *image);
/// Same from a file of at most 1 GiB. Log may be NULL.
dew_Status dew_hdr_load(const char *path, const dew_Log *log, dew_FloatImage *image);
