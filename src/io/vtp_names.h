/// Vectors of VTP against the one-number attributes of a mesh: how their names go together.
///
/// | array in the file                        | attributes                |
/// |------------------------------------------|---------------------------|
/// | 1 component                              | its name                  |
/// | 3, normal, normals, Normal or Normals    | nx ny nz                  |
/// | 3, velocity or Velocity                  | vx vy vz                  |
/// | 3, any other name                        | name_x name_y name_z      |
/// | any other number                         | name_0 name_1 ...         |
///
/// Writing goes the same way back where all three attributes are there; normals are called Normals,
/// as VTK does.
#pragma once

#include "geom/mesh.h"

#define DEW_VTP_NAME_SIZE (int)sizeof((dew_MeshAttribute *)0)->name

/// The attribute for one component of an array.
void dew_vtp_attribute_name(const char *array_name, int64_t component_count, int64_t component,
                            char out[DEW_VTP_NAME_SIZE]);

/// An array to write: one attribute, or three that make a vector.
typedef struct dew_VtpGroup {
    char name[DEW_VTP_NAME_SIZE];
    int component_count;  // 1 or 3
    const dew_MeshAttribute *of[3];
} dew_VtpGroup;

/// The array that begins with attribute `index`; false when it is part of one that begins with
/// another.
bool dew_vtp_group(const dew_Mesh *mesh, int64_t index, dew_VtpGroup *group);
