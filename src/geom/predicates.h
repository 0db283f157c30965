/// Signs of determinants, exact for any finite doubles whose products neither overflow nor
/// underflow.
///
/// A floating-point filter answers nearly always; the rest is done in expansion arithmetic.
#pragma once

#include "geom/vec.h"

/// +1 when c lies to the left of the line from a to b, -1 to the right, 0 on it.
int dew_orient2d(double ax, double ay, double bx, double by, double cx, double cy);

/// +1 when d lies below the plane abc (abc counter-clockwise seen from above), -1 above, 0 on it:
/// the sign of det(a - d, b - d, c - d).
int dew_orient3d(dew_Vec3 a, dew_Vec3 b, dew_Vec3 c, dew_Vec3 d);
