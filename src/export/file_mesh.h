/// A mesh on its way into a file: single precision, in the file's space, attributes in a fixed
/// order.
///
/// Attributes nx ny nz become normals and vx vy vz velocities; every other one is passed on under
/// its name.
#pragma once

#include "base/arena.h"
#include "export/space.h"
#include "geom/mesh.h"
#include "io/animation.h"

/// What the meshes of an object have. One that lacks an attribute gets zeroes.
typedef struct dew_ExportLayout {
    bool has_normals, has_velocities;
    int attribute_count;
    const char **names;
    const int *component_counts;  // each 1
} dew_ExportLayout;

/// That of a mesh; memory is the arena's.
dew_Status dew_export_layout_of(const dew_Mesh *mesh, dew_Arena *arena, dew_ExportLayout *out);

typedef struct dew_ExportStage {
    dew_Array positions, normals, velocities;  // three floats per vertex
    dew_Array values;                          // float: attribute after attribute
    dew_Array attributes;                      // dew_AnimationAttribute
    dew_AnimationMesh mesh;  // of the arrays above; triangles are those of the source
} dew_ExportStage;

void dew_export_stage_init(dew_ExportStage *stage, const dew_Allocator *allocator);
void dew_export_stage_deinit(dew_ExportStage *stage);

/// Fills the stage from a mesh, which must not change as long as stage->mesh is used.
dew_Status dew_export_stage_fill(dew_ExportStage *stage, const dew_ExportLayout *layout,
                                 const dew_Mesh *mesh, dew_ExportSpace space);
