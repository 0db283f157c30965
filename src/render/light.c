// Distant disks of light.
#include "render/light.h"

#define MIN_RADIUS_RAD 1e-4  // of a light: chance would not hit a smaller one
#define GLINT_RADIUS_RAD                                                                           \
    ((float)DEW_DEG(1.25))  // of the disk by which a small light is seen in mirrors
#define MAX_GLINT_RAD ((float)DEW_DEG(40))

dew_Light dew_light(const dew_LightDef *def)
{
    dew_Light light = {.towards = dew_f3_from(dew_normalize(dew_scale(-1, def->direction)))};
    dew_f3_frame(light.towards, &light.tangent, &light.bitangent);
    double radius = fmin(fmax(def->size_rad / 2, MIN_RADIUS_RAD), DEW_PI / 2);
    double sine = sin(radius);
    // Irradiance of an even disk on a surface that faces it: pi sin^2(radius) per unit of radiance.
    double radiance = def->strength / (DEW_PI * sine * sine);
    light.radiance = dew_f3_from(dew_scale(radiance, def->color));
    light.cos_radius = (float)cos(radius);
    light.solid_angle = (float)(4 * DEW_PI * sin(radius / 2) * sin(radius / 2));
    light.power = dew_luminance(dew_f3_from(dew_scale(def->strength, def->color)));
    return light;
}

dew_Float3 dew_light_sample(const dew_Light *light, float u, float v)
{
    // 1 - cos is kept apart from 1: for the sun it is 1e-5 and the difference would be noise.
    float rise = u * (float)((double)light->solid_angle / (2 * DEW_PI));
    float radius = sqrtf(dew_maxf(0, rise * (2 - rise)));
    float angle = v * (float)(2 * DEW_PI);
    dew_Float3 across =
        dew_f3_add_scaled(dew_f3_scale(cosf(angle), light->tangent), sinf(angle), light->bitangent);
    return dew_f3_unit(dew_f3_add_scaled(dew_f3_scale(1 - rise, light->towards), radius, across));
}

// Square of the sine of the disk's radius. For the sun the cosine would not resolve it.
static float square_sine(const dew_Light *light)
{
    double rise = (double)light->solid_angle / (2 * DEW_PI);
    return (float)(rise * (2 - rise));
}

bool dew_light_is_hit(const dew_Light *light, dew_Float3 direction)
{
    dew_Float3 across = dew_f3_cross(light->towards, direction);
    return dew_f3_inner(light->towards, direction) > 0 &&
           dew_f3_length2(across) <= square_sine(light);
}

dew_Float3 dew_light_glint(const dew_Light *light, dew_Float3 direction, float least_rad)
{
    float sine = sinf(dew_minf(dew_maxf(least_rad, GLINT_RADIUS_RAD), MAX_GLINT_RAD));
    float own = square_sine(light), wide = sine * sine;
    if (own >= wide)
        return dew_light_is_hit(light, direction) ? light->radiance : dew_f3_all(0);
    float away = dew_f3_length2(dew_f3_cross(light->towards, direction)) / wide;
    if (away >= 1 || dew_f3_inner(light->towards, direction) <= 0)
        return dew_f3_all(0);
    // 2 (1 - r^2) has the mean 1 over the disk.
    return dew_f3_scale(2 * (1 - away) * own / wide, light->radiance);
}
