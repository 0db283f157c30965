/// A leaf: two plates that meet at a fold, as exact signed distance and as closed mesh.
///
/// In its own frame the fold lies along x through the origin; the plates rise to both sides (z) so
/// that the angle between their upper faces, measured above, is `fold_rad`. The thickness lies
/// below the upper faces and is mitred at the fold. A fold above pi makes a ridge.
#pragma once

#include "geom/distance.h"
#include "geom/mesh.h"

/// Corners of the cross-section, counter-clockwise for z to the right and y up.
enum {
    DEW_LEAF_LOWER_LEFT,
    DEW_LEAF_LOWER_FOLD,
    DEW_LEAF_LOWER_RIGHT,
    DEW_LEAF_UPPER_RIGHT,
    DEW_LEAF_UPPER_FOLD,
    DEW_LEAF_UPPER_LEFT,
    DEW_LEAF_CORNERS
};

typedef struct dew_Leaf {
    double half_length_m;
    // Cross-section as (z, y).
    double corner_m[DEW_LEAF_CORNERS][2];
} dew_Leaf;

/// length along the fold, width across (along both plates together); 0 < fold < 2 pi. The mitre
/// must fit: thickness * |cot(fold / 2)| < width / 2 for a ridge.
dew_Leaf dew_leaf(double length_m, double width_m, double fold_rad, double thickness_m);

dew_Closest dew_leaf_distance(const dew_Leaf *leaf, dew_Vec3 p);
dew_Box dew_leaf_box(const dew_Leaf *leaf);
/// 12 corners, 20 triangles; closed.
dew_Status dew_leaf_mesh(const dew_Leaf *leaf, dew_Mesh *out);
