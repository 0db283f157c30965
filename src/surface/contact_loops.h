/// Contact lines of a Surface as polylines.
#pragma once

#include "surface/surface.h"

/// One polyline: points [first, first + count). Counter-clockwise about the solid's outward normal,
/// so that the wet area lies to the left.
typedef struct dew_ContactLoop {
    int64_t first, count;
    int32_t piece;   // of the surface
    bool is_closed;  // the last point is joined to the first
} dew_ContactLoop;

/// All contact lines of a finished surface: loops (dew_ContactLoop) and points (dew_Vec3),
/// replaced. In order of each loop's lowest vertex. A failure leaves both empty.
dew_Status dew_surface_contact_loops(const dew_Surface *surface, dew_Arena *scratch,
                                     dew_Array *loops, dew_Array *points);
