/// Light at smooth and rough boundaries: Snell, Fresnel, microfacets. Pure functions.
///
/// GGX by [Walter2007], sampled by the normals that are seen [Heitz2018]. Directions point away
/// from the surface; in local coordinates z is the normal.
#pragma once

#include "render/float3.h"

/// Exact reflectance of a smooth dielectric boundary for unpolarised light. cos_i > 0: of the angle
/// of incidence; eta: index behind over index before. *cos_t: of the refracted angle; 0 when all is
/// reflected.
static inline float dew_fresnel(float cos_i, float eta, float *cos_t)
{
    float sin2_t = (1 - cos_i * cos_i) / (eta * eta);
    if (sin2_t >= 1) {
        *cos_t = 0;
        return 1;
    }
    *cos_t = sqrtf(1 - sin2_t);
    float parallel = (eta * cos_i - *cos_t) / (eta * cos_i + *cos_t);
    float across = (cos_i - eta * *cos_t) / (cos_i + eta * *cos_t);
    return 0.5f * (parallel * parallel + across * across);
}

/// Direction behind the boundary. d: travelling, unit; n: unit, against d.
static inline dew_Float3 dew_refract(dew_Float3 d, dew_Float3 n, float cos_i, float cos_t,
                                     float eta)
{
    return dew_f3_unit(dew_f3_add_scaled(dew_f3_scale(1 / eta, d), cos_i / eta - cos_t, n));
}

static inline dew_Float3 dew_reflect(dew_Float3 d, dew_Float3 n)
{
    return dew_f3_add_scaled(d, -2 * dew_f3_inner(d, n), n);
}

/// Reflectance of a metal whose colour facing the viewer is f0 (Schlick).
static inline dew_Float3 dew_fresnel_metal(dew_Float3 f0, float cos_i)
{
    float m = dew_minf(dew_maxf(1 - cos_i, 0), 1), m2 = m * m;
    return dew_f3_mix(f0, dew_f3_all(1), m2 * m2 * m);
}

// ---- GGX ---------------------------------------------------------------------------------------

#define DEW_MIN_COSINE 1e-4f  // between a direction and a surface's normal
#define DEW_MIN_ALPHA  1e-3f  // of GGX: below it a highlight is smaller than floats can sample

/// Density of microfacet normals, cos_h: of the angle to the surface's normal.
static inline float dew_ggx_d(float cos_h, float alpha)
{
    float a2 = alpha * alpha, t = 1 + (a2 - 1) * cos_h * cos_h;
    return a2 / ((float)DEW_PI * t * t);
}

/// Smith's shadowing of one direction.
static inline float dew_ggx_g1(float cosine, float alpha)
{
    float c2 = cosine * cosine, a2 = alpha * alpha;
    return 2 * fabsf(cosine) / (fabsf(cosine) + sqrtf(a2 + (1 - a2) * c2));
}

/// A microfacet normal as seen from v (local, v.z > 0).
static inline dew_Float3 dew_ggx_sample(dew_Float3 v, float alpha, float u1, float u2)
{
    dew_Float3 s = dew_f3_unit(dew_f3(alpha * v.x, alpha * v.y, v.z));
    float length2 = s.x * s.x + s.y * s.y;
    dew_Float3 t1 =
        length2 > 0 ? dew_f3_scale(1 / sqrtf(length2), dew_f3(-s.y, s.x, 0)) : dew_f3(1, 0, 0);
    dew_Float3 t2 = dew_f3_cross(s, t1);
    float r = sqrtf(u1), turn = (float)(2 * DEW_PI) * u2;
    float a = r * cosf(turn), b = r * sinf(turn), half = 0.5f * (1 + s.z);
    b = (1 - half) * sqrtf(dew_maxf(0, 1 - a * a)) + half * b;
    float c = sqrtf(dew_maxf(0, 1 - a * a - b * b));
    dew_Float3 n = dew_f3_add_scaled(dew_f3_scale(a, t1), b, t2);
    n = dew_f3_add_scaled(n, c, s);
    return dew_f3_unit(dew_f3(alpha * n.x, alpha * n.y, dew_maxf(1e-6f, n.z)));
}

/// Density of dew_ggx_sample per solid angle of normals.
static inline float dew_ggx_density(dew_Float3 v, dew_Float3 h, float alpha)
{
    float facing = dew_maxf(0, dew_f3_inner(v, h));
    return dew_ggx_d(h.z, alpha) * dew_ggx_g1(v.z, alpha) * facing / dew_maxf(v.z, 1e-6f);
}
