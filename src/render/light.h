/// A distant light: a disk in the sky, such as the sun or a light far away. Its size makes shadows
/// soft.
#pragma once

#include "dew/scene.h"
#include "render/float3.h"

typedef struct dew_Light {
    dew_Float3 towards;  // unit, to the middle of the disk
    dew_Float3 tangent, bitangent;
    dew_Float3 radiance;
    float cos_radius;   // of the disk's angular radius
    float solid_angle;  // sr
    float power;        // luminance of the irradiance it gives: for choosing between lights
} dew_Light;

/// The def's strength times color is the irradiance on a surface that faces the light.
dew_Light dew_light(const dew_LightDef *def);

/// A direction to the light, uniform over its solid angle; u, v in [0, 1).
dew_Float3 dew_light_sample(const dew_Light *light, float u, float v);
bool dew_light_is_hit(const dew_Light *light, dew_Float3 direction);

/// Radiance of the light's image in a clear surface. A small light is seen there as a soft disk of
/// 2.5 degrees that gives as much light: the sun's own image in a drop is smaller than a pixel, and
/// would be specks. least_rad: the disk's radius is no less, up to 40 degrees.
dew_Float3 dew_light_glint(const dew_Light *light, dew_Float3 direction, float least_rad);
