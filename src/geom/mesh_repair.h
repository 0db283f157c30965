/// Safe repairs of a mesh: what can be mended without guessing at the shape.
///
/// Does not close holes, cut self-intersections or move vertices.
#pragma once

#include "geom/mesh.h"

typedef struct dew_MeshRepairDef {
    double weld_distance;   // vertices of open edges no farther apart are one; 0: equal coordinates
    bool keep_orientation;  // leave triangles as they are turned
    dew_Log log;            // a line per repair that changed something
    const char *name;       // of the mesh, in front of each line; NULL: "mesh"
} dew_MeshRepairDef;

typedef struct dew_MeshRepairs {
    int64_t welded;      // vertices
    int64_t degenerate;  // triangles dropped that named a vertex twice
    int64_t duplicate;   // triangles dropped
    int64_t turned;      // triangles turned to agree with their neighbours
    int64_t flipped;     // components turned right side out
    int64_t dropped;     // vertices that no triangle named
} dew_MeshRepairs;

/// Welds coincident vertices of open edges, drops triangles that name a vertex twice and duplicate
/// triangles, turns triangles to agree with their neighbours where the component can be oriented,
/// turns inside-out components right side out (cavities stay), drops vertices that no triangle
/// names. Indices must be in range and coordinates finite, or it fails and leaves the mesh as it
/// was. def and repairs may be NULL.
dew_Status dew_mesh_repair(dew_Mesh *mesh, const dew_MeshRepairDef *def, dew_MeshRepairs *repairs);
