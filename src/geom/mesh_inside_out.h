/// Which components of a mesh are inside out.
#pragma once

#include "base/arena.h"
#include "geom/mesh.h"
#include "geom/mesh_edges.h"

/// Connected components and what they need to be put right side out.
typedef struct dew_MeshPieces {
    uint32_t *triangle_label, *vertex_label;  // as dew_mesh_components
    bool *is_closed;      // per component: every edge runs as often forth as back
    bool *is_inside_out;  // per component
    int64_t count;
} dew_MeshPieces;

/// A closed component that lies in no other is inside out when it encloses negative volume.
/// Components inside one that is inside out are judged by turns: the next inward is a cavity and
/// should be negative, and so on. Components inside one that is right are taken as meant: cavities,
/// or solids in solids.
dew_Status dew_mesh_pieces(const dew_Mesh *mesh, const dew_MeshEdges *edges, dew_Arena *arena,
                           dew_MeshPieces *out);
