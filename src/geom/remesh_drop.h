/// The arrays of one drop as remeshing, union and merging pass them on: check, copy, volume.
#pragma once

#include "geom/remesh.h"

/// Fails when per-vertex arrays differ in length or a position is not finite.
dew_Status dew_remesh_drop_check(const dew_RemeshDrop *drop);

/// Copies into arrays that are all there but for `triangles`, which may be NULL. Arrays that `from`
/// lacks are filled: velocity 0, label 0, scale 1.
dew_Status dew_remesh_drop_copy(const dew_RemeshDrop *from, const dew_RemeshDrop *to);

/// Copies a result to the arrays that `to` has. On failure `to` is unchanged.
dew_Status dew_remesh_drop_assign(const dew_RemeshDrop *from, const dew_RemeshDrop *to);

/// Signed volume, summed in the order of the triangles from the first vertex.
double dew_remesh_drop_volume(const dew_RemeshDrop *drop);
