/// Meshes by file name: PLY, OBJ, STL, VTP.
///
/// Reading goes by the first bytes where these are certain, else by the ending of the name; a name that
/// lies is followed with a warning. Writing goes by the ending.
#pragma once

#include "geom/mesh.h"
#include "io/mesh_def.h"
#include "io/source.h"

/// Reads a mesh in place of what is in it; leaves it empty on failure. def NULL: all defaults.
/// The mesh may be open or self-intersecting: see geom/mesh_audit.h.
dew_Status dew_mesh_load(const char *path, const dew_MeshLoadDef *def, dew_Mesh *mesh);

/// Writes the file whole or not at all. def NULL: all defaults.
dew_Status dew_mesh_save(const char *path, const dew_MeshSaveDef *def, const dew_Mesh *mesh);
/// Would its ending be understood? Ask before long work.
dew_Status dew_mesh_save_check(const char *path);

/// The same from bytes in memory; source->name gives the ending.
dew_Status dew_mesh_parse(dew_Source *source, dew_MeshFormat format, dew_Mesh *mesh);

/// By the ending of the name, in any case; DEW_MESH_ANY: unknown.
dew_MeshFormat dew_mesh_format_of_name(const char *path);
const char *dew_mesh_format_name(dew_MeshFormat format);  // "PLY"
