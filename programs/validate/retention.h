/// The force with which hysteresis holds a drop on a tilted plane [Furmidge1962].
#pragma once

#include "dew/base.h"

/// sigma w (cos receding - cos advancing), w the width of the wetted area across the slope.
///
/// The constant is 1, and exact for a line that yields at its bounds and nowhere else, in slow
/// steady sliding: with n the outward normal of the line in the plane, the line advances where n
/// points downhill and has the advancing angle there, recedes where it points uphill, and where it
/// runs along the slope it does not move, but does not pull along the slope either. The pull
/// uphill, sigma times the integral of -cos(theta) n along the line, is then w (cos receding - cos
/// advancing) for any outline. Constants below 1 (pi/4: cosine of the angle varying as that of the
/// azimuth on a circle; 24/pi^3 [ElSherbini2006]) belong to drops whose sides have not yielded.
double dew_retention_N(double sigma_N_m, double width_m, double receding_rad, double advancing_rad);
/// The tilt at which that force carries the drop; NaN where it carries it on any.
double dew_retention_tilt_rad(double force_N, double density_kg_m3, double volume_m3,
                              double gravity_m_s2);
