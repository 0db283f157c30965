/// OBJ, the Wavefront text format.
///
/// Reading: v, vn, f with any number of corners, indices counted from 1 or backwards from -1, the
/// forms v, v/t, v//n and v/t/n, lines continued by a backslash. Polygons are cut into triangles
/// from their first corner. Normals become the attributes nx, ny, nz when each vertex has one and
/// the same at all its corners; else they are left out with a word. Texture coordinates, colours,
/// groups, objects, smoothing, materials, points, lines and curves are left out, each with a word,
/// once.
///
/// Writing: v and f, with vn when the mesh has nx, ny, nz. Other attributes have no place.
#pragma once

#include "dew/mesh.h"
#include "geom/mesh.h"
#include "io/sink.h"
#include "io/source.h"

/// Replaces what is in the mesh; leaves it empty on failure.
dew_Status dew_obj_parse(const dew_Source *source, dew_Mesh *mesh);
dew_Status dew_obj_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);
