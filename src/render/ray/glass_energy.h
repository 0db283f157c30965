/// What rough glass keeps of the light that falls on it, and what makes up for the rest.
///
/// Single scattering off microfacets loses what facets throw at one another. Scattering is scaled
/// by the reciprocal of what is kept for the viewer's direction, reflected and refracted light
/// alike, as [Turquin2019] does for metals: a furnace then shows what it should.
#pragma once

#include "render/float3.h"

#define DEW_GLASS_NODES 64  // of the table over the cosine, linear between them

/// Kept energy by the cosine of the viewer's angle, for one roughness and one pair of media.
typedef struct dew_GlassEnergy {
    float roughness, eta;  // eta: index behind over before
    float kept[DEW_GLASS_NODES + 1];
} dew_GlassEnergy;

void dew_glass_energy_set(dew_GlassEnergy *energy, float roughness, float eta);

/// By how much scattering is scaled, >= 1.
static inline float dew_glass_gain(const dew_GlassEnergy *energy, float cosine)
{
    float at = dew_minf(dew_maxf(cosine, 0), 1) * DEW_GLASS_NODES;
    int i = (int)dew_minf(at, DEW_GLASS_NODES - 1);
    float t = at - (float)i;
    return 1 / ((1 - t) * energy->kept[i] + t * energy->kept[i + 1]);
}
