/// What is done to copies of two drops before their union: drawing them together where they only
/// touch, sinking the wetted side of one below that of the other.
#pragma once

#include "solvers/surface/rebuild.h"

/// Moves vertices of both drops around a place towards the other drop, by reach_m at the place and
/// ever less up to radius_m from it. Vertices on a solid stay on it.
void dew_merge_draw_together(const dew_RemeshDrop drops[2], const dew_DropSolids *solids,
                             dew_Vec3 place_m, double radius_m, double reach_m);

/// Wetted sides of drops on a curved solid are two different sets of chords, and cross one another
/// all over. Moves the touching vertices of the second drop into the solid until its side lies
/// below that of the first, at most max_depth_m. On flat solids nothing is done: the union does
/// that by itself.
void dew_merge_sink(const dew_RemeshDrop drops[2], const dew_DropSolids *solids,
                    double max_depth_m);
