/// Refuses to write what no reader would take back: a bad file is worse than none.
#pragma once

#include "dew/mesh.h"
#include "geom/mesh.h"

/// Positions finite and within the range of the precision written, corners in range, attributes one
/// per vertex with plain names.
dew_Status dew_mesh_check_writable(const dew_Mesh *mesh, bool has_double_positions);

/// Logs which attributes the format leaves out; `kept` of the names nx, ny, nz when asked.
void dew_say_lost_attributes(const dew_Mesh *mesh, const dew_MeshSaveDef *def, const char *format,
                             bool keeps_normals);

/// The three attributes nx, ny, nz; false when one is missing.
bool dew_mesh_normals(const dew_Mesh *mesh, const float *normals[3]);
