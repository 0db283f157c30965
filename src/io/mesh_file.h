/// Mesh files from the inside: formats, and reading from memory. dew_mesh_load and dew_mesh_save
/// are public.
///
/// A reader takes the format from the first bytes where these are certain, else from the ending of
/// the name; a warning is logged when the two differ. A writer takes it from the ending.
#pragma once

#include "dew/mesh.h"
#include "geom/mesh.h"
#include "io/source.h"

/// Reads from bytes in memory, in place of what the mesh holds; source->name gives the ending.
dew_Status dew_mesh_parse(dew_Source *source, dew_MeshFormat format, dew_Mesh *mesh);

/// By the ending of the name, in any case; DEW_MESH_ANY: unknown.
dew_MeshFormat dew_mesh_format_of_name(const char *path);
const char *dew_mesh_format_name(dew_MeshFormat format);  // "PLY"
