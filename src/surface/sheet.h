/// A sheet of some thickness over a region of the plane.
#pragma once

#include "geom/mesh.h"

typedef struct dew_Sheet {
    double begin, end;  // range of v
    double (*half_width)(
        double v);  // the region is |u| <= half_width(v); 0 at most at begin and end
    dew_Vec3 (*point)(double u,
                      double v);  // of the middle surface; its upper side is to the left of
                                  // u, ahead of v: normal = dP/du x dP/dv
    double thickness;
} dew_Sheet;

/// Replaces what the mesh held. Bends must be wide against thickness and edge.
dew_Status dew_sheet_mesh(const dew_Sheet *sheet, double edge, dew_Mesh *mesh);
