/// VTP, VTK's XML format for polygons.
///
/// Reading: text, base64 and raw data, within the tags or appended, plain or compressed by zlib,
/// either byte order, lengths of 4 or 8 bytes, any number of pieces. Polygons are cut into
/// triangles from their first corner, strips into their triangles. Point data become attributes,
/// vectors as three of them (vtp_names.h). Vertices, lines and cell data are left out with a word.
/// LZ4 and LZMA are refused.
///
/// Writing: appended raw data, or base64 within the tags. A mesh without triangles is written as a
/// cloud of points that viewers show.
#pragma once

#include "dew/mesh.h"
#include "geom/mesh.h"
#include "io/sink.h"
#include "io/source.h"

/// Replaces what is in the mesh; leaves it empty on failure.
dew_Status dew_vtp_parse(const dew_Source *source, dew_Mesh *mesh);
dew_Status dew_vtp_write(const dew_Mesh *mesh, const dew_MeshSaveDef *def, dew_Sink *sink);
