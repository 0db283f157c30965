/// The environments that come without a file: radiance from a direction.
#pragma once

#include "render/float3.h"
#include "render/light.h"

dew_Float3 dew_studio_radiance(dew_Float3 direction);
dew_Float3 dew_sky_radiance(dew_Float3 direction);

#define DEW_STREET_LIGHTS 120

/// An out-of-focus light: a disk with a brighter rim, as lenses draw them.
typedef struct dew_StreetLight {
    dew_Float3 towards, color;
    float radius;  // rad
} dew_StreetLight;

typedef struct dew_Street {
    dew_StreetLight lights[DEW_STREET_LIGHTS];
} dew_Street;

dew_Street dew_street(void);
dew_Float3 dew_rainy_radiance(const dew_Street *street, dew_Float3 direction);

/// The sun of `sky`, which its radiance leaves out.
dew_Light dew_sky_sun(void);
