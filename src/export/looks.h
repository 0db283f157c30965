/// Materials, camera and lights of a run's scene, as those of an animation.
#pragma once

#include "dew/run.h"
#include "export/solid_objects.h"

typedef struct dew_ExportLooks {
    dew_Array materials;  // dew_AnimationMaterial; the first is that of the liquid
    dew_Array lights;     // dew_AnimationLight
    dew_AnimationCamera camera;
    bool has_camera;
} dew_ExportLooks;

void dew_export_looks_init(dew_ExportLooks *looks, const dew_Allocator *allocator);
void dew_export_looks_deinit(dew_ExportLooks *looks);

/// Material of the liquid, then one per material of the solids (which learn their number); patterns
/// become their mean color. Names are the arena's.
dew_Status dew_export_looks_materials(dew_ExportLooks *looks, const dew_Problem *problem,
                                      dew_ExportSolids *solids, dew_ExportSpace space,
                                      dew_Arena *arena);
/// The scene's lights, and the sun of its environment.
dew_Status dew_export_looks_lights(dew_ExportLooks *looks, const dew_Problem *problem,
                                   dew_ExportSpace space);
/// The scene's camera, or the one that `dew render` would choose for a video of the frames.
dew_Status dew_export_looks_camera(dew_ExportLooks *looks, dew_RunReader *reader,
                                   const dew_Problem *problem, int64_t first, int64_t last,
                                   dew_ExportSpace space);
