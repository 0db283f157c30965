/// One sample of a pixel: paths from the camera to the light.
#pragma once

#include "render/ray/photons.h"
#include "render/ray/sampler.h"
#include "render/ray/traced_scene.h"

/// What one sample sees.
typedef struct dew_PathSample {
    dew_Float3 color;
    float gathered;     // luminance of what photons brought to it
    dew_Float3 albedo;  // of the first surface that scatters, seen through clear ones
    dew_Float3 normal;  // of the first surface
    float depth;        // units; 0: nothing was hit
} dew_PathSample;

/// photons NULL: what photons would bring is left to chance.
dew_PathSample dew_path_sample(const dew_TracedScene *stage, const dew_PhotonMap *photons,
                               dew_Sampler *sampler, double x_px, double y_px);
