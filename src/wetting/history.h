/// Wetting history: how wet a place of a solid still is, by the time when liquid last touched it.
///
/// A place is wet while liquid touches it and for the material's `dries_after` from then on; its
/// wetness falls from 1 to 0 over that time. The decision which advancing angle holds asks only for
/// wetness > 0 [Wang2005, section 6]. The times themselves are kept by whoever has the places:
/// cells of a grid (problem/wet_ground.h where bricks go), samples of a solid's surface
/// (solvers/surface/drop_wetting_history.h).
#pragma once

/// Wetness of one place, 0..1: 1 while wet, then falling linearly to 0 at dries_after_s
/// (INFINITY: stays 1; 0: dry as soon as the liquid has left). last_wet_s -INFINITY: never wet.
double dew_wetness(double last_wet_s, double time_s, double dries_after_s);
