/// STL, the format of 3-D printing: triangles without connections, text or binary.
///
/// Reading: corners at exactly the same place become one vertex. Normals and colours are left out:
/// the order of the corners says where the outside is. A binary file is known by its length, even
/// when it begins with the word `solid`. Several solids in a text become one mesh.
///
/// Writing: binary (single precision), or text. Attributes have no place.
#pragma once

#include "dew/mesh.h"
#include "geom/mesh.h"
#include "io/sink.h"
#include "io/source.h"

/// Replaces what is in the mesh; leaves it empty on failure.
dew_Status dew_stl_parse(const dew_Source *source, dew_Mesh *mesh);
dew_Status dew_stl_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);

/// Is it a binary STL by its length: 84 bytes and 50 for each triangle it announces?
bool dew_stl_is_binary(const dew_Source *source);
