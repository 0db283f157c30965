/// Integrals over each connected piece of a Surface.
#pragma once

#include "base/arena.h"
#include "dew/surface.h"
#include "geom/vec.h"

/// A piece of negative volume is a bubble: the inner surface of a drop.
typedef struct dew_PieceMeasure {
    double volume_m3, area_m2;
    dew_Vec3 center_m;      // of the volume
    dew_Vec3 velocity_m_s;  // of that centre; 0 where there is no volume
    dew_Box box_m;
    int64_t vertex_count;
    dew_ContactLine contact;
} dew_PieceMeasure;

/// Fills the surface's `measures` but for the contact lines; pieces must be known. Memory for the
/// instant comes from scratch.
dew_Status dew_surface_measure_pieces(dew_Surface *surface, dew_Arena *scratch);

/// Fills in the contact lines of `measures`.
dew_Status dew_surface_find_contact_lines(dew_Surface *surface, dew_Arena *scratch);
/// Wet areas only; no lengths, no angles.
void dew_surface_find_wet_areas(dew_Surface *surface);
