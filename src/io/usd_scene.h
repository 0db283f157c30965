/// What does not move: materials, camera and lights of an animation on a USD stage.
#pragma once

#include "io/animation.h"
#include "io/usd_stage.h"

/// Adds them below `root`. materials[i] becomes the prim of the i-th material; it has the size of
/// def->material_count.
dew_Status dew_usd_add_scene(dew_UsdStage *stage, int root, const dew_AnimationDef *def,
                             int *materials);

/// Opacity of a UsdPreviewSurface, which knows no transmission.
double dew_usd_opacity(const dew_AnimationMaterial *material);
