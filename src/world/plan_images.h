/// The part of the plan that the scene's images take.
#pragma once

#include "dew/scene.h"

typedef struct dew_ImagePlan {
    double bytes;        // of all images that a run of the scene reads, while they are read
    double worst_bytes;  // of the largest
    char worst_key[96];  // the key that names it; empty: there are none
} dew_ImagePlan;

/// Reads headers only. Images that cannot be read count as nothing: their reader reports them.
dew_Status dew_plan_images(const dew_Scene *scene, const dew_Allocator *allocator,
                           dew_ImagePlan *out);
