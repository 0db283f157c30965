// Scattering at looks and at rough glass.
//
// Local directions: z is the shading normal, viewer.z > 0. Coat and metal are GGX with Smith's
// shadowing (one factor per direction). Rough glass: [Walter2007]; light that goes through is
// scaled by (n before / n behind)^2, as radiance is; what single scattering loses is made up for,
// see glass_energy.h.
#include "render/ray/surfel.h"

#include "render/ray/optics.h"
#include "render/ray/ray_parameters.h"

enum { COAT, METAL, DIFFUSE, THROUGH };

static dew_Float3 to_local(const dew_Surfel *s, dew_Float3 d)
{
    return dew_f3(dew_f3_inner(d, s->tangent), dew_f3_inner(d, s->bitangent),
                  dew_f3_inner(d, s->normal));
}

static dew_Float3 to_world(const dew_Surfel *s, dew_Float3 d)
{
    return dew_f3_add_scaled(dew_f3_add_scaled(dew_f3_scale(d.x, s->tangent), d.y, s->bitangent),
                             d.z, s->normal);
}

float dew_surfel_alpha(float roughness)
{
    return dew_maxf(roughness * roughness, DEW_MIN_ALPHA);
}

static void set_frame(dew_Surfel *s, dew_Float3 normal, dew_Float3 geometric, dew_Float3 viewer)
{
    s->normal = normal;
    s->geometric = geometric;
    dew_f3_frame(normal, &s->tangent, &s->bitangent);
    s->viewer = to_local(s, viewer);
    s->viewer.z = dew_maxf(s->viewer.z, DEW_MIN_COSINE);
}

static float coat_reflectance(const dew_Surfel *s, float cosine)
{
    float cos_t;
    return s->finish.coat > 0
               ? s->finish.coat * dew_fresnel(dew_minf(cosine, 1), s->coat_eta, &cos_t)
               : 0;
}

void dew_surfel_set(dew_Surfel *s, dew_Float3 normal, dew_Float3 geometric, dew_Float3 viewer,
                    const dew_Finish *finish, float ior_before)
{
    s->is_rough_glass = false;
    s->finish = *finish;
    s->coat_eta = finish->ior / ior_before;
    set_frame(s, normal, geometric, viewer);
    float coat = coat_reflectance(s, s->viewer.z), base = 1 - coat;
    float color = dew_luminance(finish->albedo);
    // A coat reflects little of all light but much of bright lights: its probability is raised.
    s->probability[COAT] = finish->coat > 0 ? dew_maxf(coat, 0.2f * finish->coat * color) : 0;
    s->probability[METAL] = base * finish->metal * dew_maxf(color, 0.05f);
    s->probability[DIFFUSE] = base * (1 - finish->metal) * color;
    s->probability[THROUGH] = base * dew_luminance(finish->transmission);
    float sum = s->probability[0] + s->probability[1] + s->probability[2] + s->probability[3];
    for (int i = 0; i < 4; i++)
        s->probability[i] = sum > 0 ? s->probability[i] / sum : i == DIFFUSE;
}

void dew_surfel_set_rough_glass(dew_Surfel *s, dew_Float3 normal, dew_Float3 geometric,
                                dew_Float3 viewer, float roughness, float eta,
                                const dew_GlassEnergy *energy)
{
    s->is_rough_glass = true;
    s->finish = (dew_Finish){.coat_roughness = roughness};
    s->glass_eta = eta;
    set_frame(s, normal, geometric, viewer);
    s->glass_gain = energy ? dew_glass_gain(energy, s->viewer.z) : 1;
}

// ---- rough glass -------------------------------------------------------------------------------

static float glass_eval(const dew_Surfel *s, dew_Float3 in, float *density)
{
    float alpha = dew_surfel_alpha(s->finish.coat_roughness), eta = s->glass_eta, cos_t;
    dew_Float3 o = s->viewer;
    *density = 0;
    bool is_reflection = in.z > 0;
    dew_Float3 h =
        is_reflection ? dew_f3_unit(dew_f3_add(o, in)) : dew_f3_unit(dew_f3_add_scaled(o, eta, in));
    if (h.z < 0)
        h = dew_f3_scale(-1, h);
    float oh = dew_f3_inner(o, h), ih = dew_f3_inner(in, h);
    if (oh <= 0 || fabsf(in.z) < 1e-6f || (is_reflection ? ih <= 0 : ih >= 0))
        return 0;
    float F = dew_fresnel(oh, eta, &cos_t), D = dew_ggx_d(h.z, alpha);
    float G1o = dew_ggx_g1(o.z, alpha), G1i = dew_ggx_g1(in.z, alpha);
    if (is_reflection) {
        *density = F * D * G1o / (4 * o.z);
        return s->glass_gain * F * D * G1o * G1i / (4 * o.z);
    }
    float jacobian = fabsf(ih) / ((oh + eta * ih) * (oh + eta * ih));
    float common = (1 - F) * D * G1o * oh / o.z * jacobian;
    *density = common * eta * eta;
    return s->glass_gain * common * G1i;
}

static bool glass_sample(const dew_Surfel *s, float lobe, float u, float v, dew_Float3 *in,
                         float *weight)
{
    float alpha = dew_surfel_alpha(s->finish.coat_roughness), eta = s->glass_eta, cos_t;
    dew_Float3 o = s->viewer, h = dew_ggx_sample(o, alpha, u, v);
    float oh = dew_f3_inner(o, h);
    if (oh <= 0)
        return false;
    float F = dew_fresnel(oh, eta, &cos_t);
    dew_Float3 travelling = dew_f3_scale(-1, o);
    if (lobe < F) {
        *in = dew_reflect(travelling, h);
        *weight = s->glass_gain * dew_ggx_g1(in->z, alpha);
        return in->z > 1e-6f;
    }
    *in = dew_refract(travelling, h, oh, cos_t, eta);
    *weight = s->glass_gain * dew_ggx_g1(in->z, alpha) / (eta * eta);
    return in->z < -1e-6f;
}

// ---- looks -------------------------------------------------------------------------------------

// Reflection off microfacets without its Fresnel factor: scattering times cosine; adds the density.
static float facets(const dew_Surfel *s, dew_Float3 in, dew_Float3 h, float roughness,
                    float probability, float *density)
{
    float alpha = dew_surfel_alpha(roughness);
    float seen = dew_ggx_d(h.z, alpha) * dew_ggx_g1(s->viewer.z, alpha) / (4 * s->viewer.z);
    *density += probability * seen;
    return seen * dew_ggx_g1(in.z, alpha);
}

// The parts of what a look sends to the viewer; each adds its density.

static dew_Float3 scattered(const dew_Surfel *s, dew_Float3 in, float base, float *density)
{
    *density += s->probability[DIFFUSE] * in.z / (float)DEW_PI;
    return dew_f3_scale(base * (1 - s->finish.metal) * in.z / (float)DEW_PI, s->finish.albedo);
}

static dew_Float3 sent_through(const dew_Surfel *s, dew_Float3 in, float *density)
{
    float open = 1 - coat_reflectance(s, s->viewer.z);
    *density += s->probability[THROUGH] * -in.z / (float)DEW_PI;
    return dew_f3_scale(open * -in.z / (float)DEW_PI, s->finish.transmission);
}

static dew_Float3 off_coat(const dew_Surfel *s, dew_Float3 in, dew_Float3 h, float *density)
{
    float seen = facets(s, in, h, s->finish.coat_roughness, s->probability[COAT], density);
    return dew_f3_all(coat_reflectance(s, dew_minf(dew_f3_inner(s->viewer, h), 1)) * seen);
}

static dew_Float3 off_metal(const dew_Surfel *s, dew_Float3 in, dew_Float3 h, float base,
                            float *density)
{
    float seen = facets(s, in, h, s->finish.base_roughness, s->probability[METAL], density);
    return dew_f3_scale(
        base * s->finish.metal * seen,
        dew_fresnel_metal(s->finish.albedo, dew_minf(dew_f3_inner(s->viewer, h), 1)));
}

// What coats let pass on the way in and out.
static float base_fraction(const dew_Surfel *s, dew_Float3 in)
{
    return (1 - coat_reflectance(s, s->viewer.z)) * (1 - coat_reflectance(s, in.z));
}

// *wide: the part of the result that is wide.
static dew_Float3 look_eval(const dew_Surfel *s, dew_Float3 in, float *density, dew_Float3 *wide)
{
    const dew_Finish *finish = &s->finish;
    *density = 0;
    if (in.z <= 0)
        return *wide = sent_through(s, in, density);
    float base = base_fraction(s, in);
    dew_Float3 light = *wide = scattered(s, in, base, density);
    if (!(finish->coat > 0) && !(finish->metal > 0))
        return light;
    dew_Float3 h = dew_f3_unit(dew_f3_add(s->viewer, in));
    if (finish->coat > 0) {
        dew_Float3 part = off_coat(s, in, h, density);
        light = dew_f3_add(light, part);
        *wide = finish->coat_roughness >= dew_ray.wide_roughness ? dew_f3_add(*wide, part) : *wide;
    }
    if (finish->metal > 0) {
        dew_Float3 part = off_metal(s, in, h, base, density);
        light = dew_f3_add(light, part);
        *wide = finish->base_roughness >= dew_ray.wide_roughness ? dew_f3_add(*wide, part) : *wide;
    }
    return light;
}

// The wide part alone: photons ask for it often, and most looks have no wide gloss.
static dew_Float3 look_eval_wide(const dew_Surfel *s, dew_Float3 in)
{
    const dew_Finish *finish = &s->finish;
    float density = 0;
    if (in.z <= 0)
        return sent_through(s, in, &density);
    float base = base_fraction(s, in);
    dew_Float3 light = scattered(s, in, base, &density);
    bool has_coat = finish->coat > 0 && finish->coat_roughness >= dew_ray.wide_roughness;
    bool has_metal = finish->metal > 0 && finish->base_roughness >= dew_ray.wide_roughness;
    if (!has_coat && !has_metal)
        return light;
    dew_Float3 h = dew_f3_unit(dew_f3_add(s->viewer, in));
    if (has_coat)
        light = dew_f3_add(light, off_coat(s, in, h, &density));
    return has_metal ? dew_f3_add(light, off_metal(s, in, h, base, &density)) : light;
}

static dew_Float3 cosine_sample(float u, float v)
{
    float r = sqrtf(u), turn = (float)(2 * DEW_PI) * v;
    return dew_f3(r * cosf(turn), r * sinf(turn), sqrtf(dew_maxf(1e-9f, 1 - u)));
}

static bool look_sample(const dew_Surfel *s, float lobe, float u, float v, dew_Float3 *in)
{
    int which = 0;
    while (which < THROUGH && lobe >= s->probability[which])
        lobe -= s->probability[which++];
    if (which == DIFFUSE || which == THROUGH) {
        *in = cosine_sample(u, v);
        in->z = which == THROUGH ? -in->z : in->z;
        return true;
    }
    float roughness = which == COAT ? s->finish.coat_roughness : s->finish.base_roughness;
    dew_Float3 h = dew_ggx_sample(s->viewer, dew_surfel_alpha(roughness), u, v);
    *in = dew_reflect(dew_f3_scale(-1, s->viewer), h);
    return in->z > 1e-6f;
}

// ---- both --------------------------------------------------------------------------------------

// Shading normals may say in front where the triangle says behind: such light would leak.
static bool sides_agree(const dew_Surfel *s, dew_Float3 in, float local_z)
{
    return (dew_f3_inner(in, s->geometric) > 0) == (local_z > 0);
}

dew_Float3 dew_surfel_eval(const dew_Surfel *s, dew_Float3 in, float *density)
{
    dew_Float3 local = to_local(s, in), wide;
    *density = 0;
    if (!sides_agree(s, in, local.z))
        return dew_f3_all(0);
    if (s->is_rough_glass)
        return dew_f3_all(glass_eval(s, local, density));
    return look_eval(s, local, density, &wide);
}

dew_Float3 dew_surfel_eval_wide(const dew_Surfel *s, dew_Float3 in)
{
    dew_Float3 local = to_local(s, in);
    float density;
    if (!sides_agree(s, in, local.z))
        return dew_f3_all(0);
    if (s->is_rough_glass) {
        bool is_wide = s->finish.coat_roughness >= dew_ray.wide_roughness;
        return dew_f3_all(is_wide ? glass_eval(s, local, &density) : 0);
    }
    return look_eval_wide(s, local);
}

static void sample_glass(const dew_Surfel *s, dew_Float3 local, float scale, dew_SurfelSample *out)
{
    glass_eval(s, local, &out->density);
    out->weight = dew_f3_all(scale);
    out->sharp = s->finish.coat_roughness >= dew_ray.wide_roughness ? 0 : 1;
}

static void sample_look(const dew_Surfel *s, dew_Float3 local, dew_SurfelSample *out)
{
    dew_Float3 wide, light = look_eval(s, local, &out->density, &wide);
    float all = dew_luminance(light);
    out->weight = dew_f3_scale(out->density > 0 ? 1 / out->density : 0, light);
    out->sharp = all > 0 ? dew_maxf(1 - dew_luminance(wide) / all, 0) : 1;
}

bool dew_surfel_sample(const dew_Surfel *s, float lobe, float u, float v, dew_SurfelSample *out)
{
    dew_Float3 local;
    float scale = 1;
    if (s->is_rough_glass ? !glass_sample(s, lobe, u, v, &local, &scale)
                          : !look_sample(s, lobe, u, v, &local))
        return false;
    out->in = to_world(s, local);
    if (!sides_agree(s, out->in, local.z))
        return false;
    if (s->is_rough_glass)
        sample_glass(s, local, scale, out);
    else
        sample_look(s, local, out);
    return out->density > 0;
}
