/// From Dew's space (metres, y up) to that of a file: scaled, and turned where z is up there.
#pragma once

#include "geom/vec.h"

typedef struct dew_ExportSpace {
    double scale;  // units of the file per metre
    bool is_z_up;
} dew_ExportSpace;

/// Of directions and axes of rotation: y becomes z.
static inline dew_Vec3 dew_export_direction(dew_ExportSpace space, dew_Vec3 a)
{
    return space.is_z_up ? dew_vec(a.x, -a.z, a.y) : a;
}
/// Of points, velocities and lengths.
static inline dew_Vec3 dew_export_point(dew_ExportSpace space, dew_Vec3 a)
{
    return dew_scale(space.scale, dew_export_direction(space, a));
}
