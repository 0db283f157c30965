// A plane cut to a box: a large square in the plane, clipped by each side of the box in turn
// [Sutherland1974].
#include "base/status.h"
#include "geom/rounding.h"
#include "problem/solid_def.h"

// How far p lies within the k-th side of the box (x min, x max, y min, ...).
static double depth_at_side(dew_Box box, int k, dew_Vec3 p)
{
    switch (k) {
    case 0:
        return p.x - box.min.x;
    case 1:
        return box.max.x - p.x;
    case 2:
        return p.y - box.min.y;
    case 3:
        return box.max.y - p.y;
    case 4:
        return p.z - box.min.z;
    default:
        return box.max.z - p.z;
    }
}

int dew_solid_plane_cut(const dew_Solid *plane, dew_Box bounds, dew_Vec3 corners[DEW_PLANE_CORNERS])
{
    double size = dew_distance(bounds.min, bounds.max);
    // The square is about the point of the plane nearest to the middle of the bounds.
    dew_Vec3 middle = dew_combine(0.5, bounds.min, 0.5, bounds.max);
    dew_Vec3 own = dew_solid_to_own(plane, NULL, middle);
    static const double square[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};  // (x, z) about +y
    int count = 4;
    for (int i = 0; i < 4; i++)
        corners[i] = dew_solid_from_own(
            plane, dew_vec(own.x + size * square[i][0], 0, own.z + size * square[i][1]));
    double slack = DEW_ROUNDING * size;  // a wall lies on the side that cuts it
    for (int k = 0; k < 6; k++) {
        dew_Vec3 kept[DEW_PLANE_CORNERS];
        int kept_count = 0;
        for (int i = 0; i < count; i++) {
            dew_Vec3 a = corners[i], b = corners[(i + 1) % count];
            double da = depth_at_side(bounds, k, a), db = depth_at_side(bounds, k, b);
            if (da >= -slack)
                kept[kept_count++] = a;
            if ((da >= -slack) != (db >= -slack))
                kept[kept_count++] = dew_combine(db / (db - da), a, -da / (db - da), b);
        }
        count = kept_count;
        for (int i = 0; i < count; i++)
            corners[i] = kept[i];
    }
    return count >= 3 ? count : 0;
}
