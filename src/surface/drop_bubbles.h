/// Which drop the bubbles of a Surface lie in.
#pragma once

#include "base/arena.h"
#include "surface/surface.h"

/// For each piece of the surface the piece that is the outside of its drop: itself when its volume
/// is not negative (or nothing is around it), else the one around it. outer[piece_count]. The
/// surface must be finished.
dew_Status dew_surface_outer_pieces(const dew_Surface *surface, dew_Arena *scratch, int32_t *outer);
