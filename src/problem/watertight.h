/// Makes a mesh from a file fit to be a solid or a drop, or says why it is not.
#pragma once

#include "base/tasks.h"
#include "geom/mesh.h"

/// Largest area of the holes as a fraction of the area of the mesh: the winding number then decides
/// between inside and outside everywhere but close to the holes.
#define DEW_MAX_HOLE_FRACTION 0.01

/// Repairs what is safe to repair (see geom/mesh_repair.h), then checks: closed but for small
/// holes, oriented, with a volume. Repairs and small holes are logged, after `name`, and so are
/// edges with more than two triangles, vertices where separate fans meet, and triangles that
/// intersect; the failure's sentence begins with what is wrong.
dew_Status dew_mesh_make_watertight(dew_Mesh *mesh, const char *name, const dew_Log *log,
                                    dew_Tasks *tasks);

/// Area of the holes: for each rim, the area of its flat lid (the length of its area vector).
dew_Status dew_mesh_hole_area(const dew_Mesh *mesh, double *area_m2);
