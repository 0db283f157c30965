/// PLY, the Stanford triangle format: text, and binary in either byte order.
///
/// Reading: element `vertex` with x, y, z of any type; every other scalar property of a vertex
/// becomes a float attribute of its name (nx, vx, wet, red alike); element `face` with the list
/// vertex_indices or vertex_index of any type. Polygons are cut into triangles from their first
/// corner. Other elements, lists and properties of faces are passed over. A file without faces is a
/// cloud of points.
///
/// Writing: attributes as float properties, faces as `list uchar int vertex_indices`.
#pragma once

#include "dew/mesh.h"
#include "geom/mesh.h"
#include "io/sink.h"
#include "io/source.h"

/// Replaces what is in the mesh; leaves it empty on failure.
dew_Status dew_ply_parse(const dew_Source *source, dew_Mesh *mesh);
dew_Status dew_ply_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);

/// Values of vertices without their places: a part of a series whose mesh is in another file.
/// Reading takes files with positions and faces too. Writing leaves both out.
dew_Status dew_ply_parse_values(const dew_Source *source, dew_Mesh *mesh);
dew_Status dew_ply_write_values(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);
