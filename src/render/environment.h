/// Environment: light from all around, infinitely far away.
///
/// `studio`: softboxes before a grey gradient; `sky`: clear sky by the model of [Preetham1999]
/// (the sun itself is a dew_Light); `rainy`: an overcast street by night, out of focus; or an image
/// in latitude and longitude (its middle column is -z, its upper edge is up).
///
/// Directions are sampled in proportion to the light that comes from them. The light is split in
/// two: what is below a clamp, and the bright rest. Path tracing finds the clamped part through
/// glass without noise; the rest is for photons (docs/decisions/caustics.md).
#pragma once

#include "base/tasks.h"
#include "render/float3.h"
#include "render/light.h"

typedef struct dew_Environment dew_Environment;

/// An image of the surroundings: rgb[3 width height], linear, from the top. Not kept.
typedef struct dew_EnvironmentImage {
    int64_t width, height;
    const float *rgb;
} dew_EnvironmentImage;

/// By name (studio, sky, rainy). Fails on other names.
dew_Status dew_environment_create(const char *name, dew_Tasks *tasks,
                                  const dew_Allocator *allocator, dew_Environment **out);
dew_Status dew_environment_create_image(const dew_EnvironmentImage *image, dew_Tasks *tasks,
                                        const dew_Allocator *allocator, dew_Environment **out);
/// The same radiance from everywhere: for tests.
dew_Status dew_environment_create_even(dew_Float3 radiance, const dew_Allocator *allocator,
                                       dew_Environment **out);
void dew_environment_destroy(dew_Environment *environment);

dew_Float3 dew_environment_radiance(const dew_Environment *environment, dew_Float3 direction);
/// The same as seen in the image: named surroundings are computed anew, finer than their table.
dew_Float3 dew_environment_seen(const dew_Environment *environment, dew_Float3 direction);
/// The part of a radiance below the clamp; the rest is for photons.
dew_Float3 dew_environment_clamped(const dew_Environment *environment, dew_Float3 radiance);
/// Luminance of all its light, and of the part above the clamp, integrated over the sphere.
float dew_environment_power(const dew_Environment *environment);
float dew_environment_bright_power(const dew_Environment *environment);

/// A direction by brightness, with its density per solid angle and what comes from it; u, v in
/// [0, 1).
dew_Float3 dew_environment_sample(const dew_Environment *environment, float u, float v,
                                  float *density, dew_Float3 *radiance);
float dew_environment_density(const dew_Environment *environment, dew_Float3 direction);
/// The same by the brightness of the part above the clamp; *radiance: of that part.
dew_Float3 dew_environment_sample_bright(const dew_Environment *environment, float u, float v,
                                         float *density, dew_Float3 *radiance);

/// The sun that belongs to the environment; false: none.
bool dew_environment_sun(const dew_Environment *environment, dew_Light *out);
