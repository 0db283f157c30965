/// The liquid of a run as objects of an animation: one object, or one per drop.
#pragma once

#include "dew/run.h"
#include "export/file_mesh.h"

typedef struct dew_ExportLiquid {
    const char *directory;
    dew_SurfaceFormat format;
    dew_ExportSpace space;
    dew_ExportLayout layout;
    int64_t drop_count;    // 0: the liquid is one object
    const int64_t *ids;    // of the drops, ascending
    dew_Mesh mesh, split;  // of the frame: as it is in the file, and sorted by drops
    dew_ExportStage stage;
    dew_Array parts;       // dew_AnimationMesh, a drop each
    dew_Array attributes;  // dew_AnimationAttribute of the parts
    dew_Arena scratch;
} dew_ExportLiquid;

/// What a run's liquid is made of, looked up once for frames [first, last]. splits: an object per
/// drop id. Memory that stays is the arena's.
dew_Status dew_export_liquid_begin(dew_ExportLiquid *liquid, dew_RunReader *reader,
                                   const char *directory, int64_t first, int64_t last, bool splits,
                                   dew_Arena *arena);
void dew_export_liquid_end(dew_ExportLiquid *liquid);

/// Number of objects, and their definitions.
int dew_export_liquid_count(const dew_ExportLiquid *liquid);
dew_Status dew_export_liquid_objects(const dew_ExportLiquid *liquid, dew_Arena *arena,
                                     dew_AnimationObject *out);

/// Reads a frame; the states are valid until the next call.
dew_Status dew_export_liquid_frame(dew_ExportLiquid *liquid, int64_t frame,
                                   dew_AnimationState *out);
