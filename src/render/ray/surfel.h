/// A point where light is scattered: a look below a coat, or a rough dielectric.
///
/// Energy: what the coat does not reflect reaches the base, in and out. Lobes are sampled by how
/// much they scatter towards the viewer; densities are those of all lobes together.
#pragma once

#include "render/look.h"
#include "render/ray/glass_energy.h"

typedef struct dew_Surfel {
    dew_Float3 normal, tangent, bitangent;  // shading frame, on the viewer's side
    dew_Float3 geometric;                   // unit, on the viewer's side
    dew_Float3 viewer;                      // unit, local: where the path comes from
    bool is_rough_glass;
    dew_Finish finish;
    float coat_eta;        // index of the coat over that of the medium before it
    float glass_eta;       // rough glass: index behind over before
    float glass_gain;      // for what facets throw at one another, see glass_energy.h
    float probability[4];  // probabilities of coat, metal, diffuse, transmission
} dew_Surfel;

/// normal and geometric on the viewer's side; viewer: unit, world.
void dew_surfel_set(dew_Surfel *surfel, dew_Float3 normal, dew_Float3 geometric, dew_Float3 viewer,
                    const dew_Finish *finish, float ior_before);
/// energy: of this roughness and eta; NULL: what is lost is lost.
void dew_surfel_set_rough_glass(dew_Surfel *surfel, dew_Float3 normal, dew_Float3 geometric,
                                dew_Float3 viewer, float roughness, float eta,
                                const dew_GlassEnergy *energy);
/// The width of microfacets' normals.
float dew_surfel_alpha(float roughness);

/// Scattering of light from direction `in` (unit, world, away from the surface) to the viewer,
/// times
/// |cos|; *density: of dew_surfel_sample, per solid angle.
dew_Float3 dew_surfel_eval(const dew_Surfel *surfel, dew_Float3 in, float *density);
/// The part of the scattering that is wide: without reflections so sharp that photons would show
/// them as specks. Paths find light in those by chance instead.
dew_Float3 dew_surfel_eval_wide(const dew_Surfel *surfel, dew_Float3 in);
/// A direction in which a path continues.
typedef struct dew_SurfelSample {
    dew_Float3 in;      // unit, world
    dew_Float3 weight;  // scattering times |cos| over density
    float density;      // per solid angle
    float sharp;        // 0..1 of the scattering that is not wide
} dew_SurfelSample;

/// lobe, u, v in [0, 1). false: absorbed.
bool dew_surfel_sample(const dew_Surfel *surfel, float lobe, float u, float v,
                       dew_SurfelSample *out);
