/// The solids of a run as objects of an animation: meshes at rest, a pose per frame where they
/// move, wetness where the run has it.
#pragma once

#include "dew/run.h"
#include "export/file_mesh.h"
#include "problem/problem.h"

typedef struct dew_ExportSolid {
    int solid_id;
    int material;
    bool is_wet;  // its mesh comes from the run's frames
    dew_Mesh mesh;
    dew_ExportLayout layout;
    dew_ExportStage stage;
} dew_ExportSolid;

typedef struct dew_ExportSolids {
    dew_RunReader *reader;
    const dew_Problem *problem;
    dew_ExportSpace space;
    dew_ExportSolid *solids;  // those that have a mesh
    int count;
    dew_SolidPose *poses;
    dew_Mesh read;  // of a frame
    dew_Arena scratch;
    bool is_begun;  // the first frame has been given
} dew_ExportSolids;

/// Makes the meshes. Wetness is looked for in frames [first, last]. Memory that stays is the
/// arena's.
dew_Status dew_export_solids_begin(dew_ExportSolids *solids, dew_RunReader *reader,
                                   const dew_Problem *problem, int64_t first, int64_t last,
                                   dew_Arena *arena);
void dew_export_solids_end(dew_ExportSolids *solids);

/// Definitions of the objects.
void dew_export_solids_objects(const dew_ExportSolids *solids, dew_AnimationObject *out);

/// The states of a frame, valid until the next call.
dew_Status dew_export_solids_frame(dew_ExportSolids *solids, int64_t frame,
                                   dew_AnimationState *out);
