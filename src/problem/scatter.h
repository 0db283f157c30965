/// A scatter resolved into caps at random places on a solid.
#pragma once

#include "problem/problem.h"

/// Appends the caps of the scene's drop `drop_index` (a scatter on solid `solid_id`) to `blobs` (of
/// dew_Blob), with ids from blobs->count on. The same seed strews alike. Caps do not overlap; when
/// not all fit, the number of those that did is logged; when none did, the call fails.
dew_Status dew_scatter_resolve(const dew_Problem *problem, int drop_index, int solid_id,
                               dew_Array *blobs);
