/// A closed mesh of the body where a function is negative.
#pragma once

#include "geom/mesh.h"

typedef struct dew_Implicit {
    /// Negative inside. Near the surface about the distance to it: it changes by no more than
    /// max_slope per length.
    double (*value)(const void *context, dew_Vec3 p);
    const void *context;
    dew_Box box;  // around the body, with some room
    double max_slope;
    int relax_count;  // rounds of evening out the triangles
} dew_Implicit;

/// Replaces what the mesh held. Parts thinner than two edges may be lost.
dew_Status dew_implicit_mesh(const dew_Implicit *implicit, double edge, dew_Mesh *mesh);
