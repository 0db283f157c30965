// Kept energy of rough glass by quadrature over the microfacets that are seen.
#include "render/ray/glass_energy.h"

#include "render/ray/optics.h"
#include "render/ray/surfel.h"

enum { SAMPLES = DEW_GLASS_NODES / 2 };  // squared: of microfacets
#define MIN_KEPT 0.05f                   // of the energy

// Microfacets as the viewer sees them have equal weight: the mean over them of what leaves
// unshadowed.
static float kept_at(float cosine, float alpha, float eta)
{
    dew_Float3 o = dew_f3(sqrtf(1 - cosine * cosine), 0, cosine), back = dew_f3_scale(-1, o);
    double sum = 0;
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        int column = k % SAMPLES, row = k / SAMPLES;
        float u = ((float)column + 0.5f) / SAMPLES, v = ((float)row + 0.5f) / SAMPLES;
        dew_Float3 h = dew_ggx_sample(o, alpha, u, v);
        float oh = dew_f3_inner(o, h), cos_t;
        if (oh <= 0)
            continue;
        float F = dew_fresnel(oh, eta, &cos_t);
        dew_Float3 reflected = dew_reflect(back, h);
        if (reflected.z > 0)
            sum += (double)(F * dew_ggx_g1(reflected.z, alpha));
        dew_Float3 refracted = dew_refract(back, h, oh, cos_t, eta);
        if (F < 1 && refracted.z < 0)
            sum += (double)((1 - F) * dew_ggx_g1(refracted.z, alpha));
    }
    return dew_maxf((float)(sum / (SAMPLES * SAMPLES)), MIN_KEPT);
}

void dew_glass_energy_set(dew_GlassEnergy *energy, float roughness, float eta)
{
    energy->roughness = roughness;
    energy->eta = eta;
    float alpha = dew_surfel_alpha(roughness);
    for (int i = 0; i <= DEW_GLASS_NODES; i++)
        energy->kept[i] = kept_at(dew_maxf((float)i / DEW_GLASS_NODES, 1e-3f), alpha, eta);
}
