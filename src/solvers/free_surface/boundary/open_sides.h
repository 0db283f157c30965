/// Velocities on the open sides of a surface cell: [Durikovic] section 2.3.2, for all 64 patterns.
///
/// Sides are numbered -x, +x, -y, +y, -z, +z: side s of axis s / 2, its opposite is s ^ 1. Bit s of
/// a pattern says that side s is open, that is, that the cell beyond it is empty.
#pragma once

typedef struct dew_OpenPattern {
    unsigned char open_count;
    unsigned char carried;  // open sides whose opposite is not: they take its velocity first
} dew_OpenPattern;

extern const dew_OpenPattern dew_open_patterns[64];

/// Sets the velocities of the open sides (along the axes, not outward) such that the cell has no
/// divergence. Sides that are not open stay as they are. The pattern is not 0; in two dimensions
/// its highest two bits are.
void dew_open_sides_set(unsigned pattern, double u[6]);
