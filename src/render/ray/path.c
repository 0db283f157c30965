// Path tracing [Kajiya1986] with multiple importance sampling [Veach1995].
//
// At surfaces that scatter, light is sought in three ways that do not overlap: straight to the
// lights (balanced against chance hits), by photons for what bright lights send through clear
// bodies, and by chance for the rest: clamped light through clear bodies, and light from other
// surfaces. Shadow rays are stopped by clear bodies, for that light comes by photons and by chance.
//
// At clear surfaces seen from the camera both reflection and refraction are followed; deeper down
// one of them, at random. Radiance is scaled by (n before / n behind)^2 at each crossing.
//
// Limits that bias the image, to keep it free of fireflies, are in ray/ray_parameters.h: on light
// over more than one scattering and the sun seen in clear surfaces, on branches chosen at random,
// and on the environment over a scattering and a clear surface.
#include "render/ray/path.h"

#include "render/ray/optics.h"
#include "render/ray/ray_parameters.h"

#include <float.h>

#define MAX_SPLITS  4                 // of a path from the camera into two branches
#define MAX_PENDING (2 * MAX_SPLITS)  // branches that wait, with those of shadow rays through glass

typedef struct Path {
    dew_Float3 origin, direction, weight;
    dew_Media media;
    float sharp;    // part of the last scattering that photons leave to chance, 0..1
    float density;  // of the direction at the last surface that scatters
    float length;   // from the camera
    uint8_t bounces, splits, scatterings;
    float spread;   // rad: by how much its direction would turn, were the ray from the lens' rim
    float shown;    // how much of albedo and normal it decides, 0..1
    bool is_clear;  // came over a clear surface since the last that scatters
    bool is_main;   // decides albedo, normal and depth
    bool has_depth;
    bool is_branched;  // seen, but one of two branches was chosen at random
} Path;

typedef struct Tracer {
    const dew_TracedScene *stage;
    const dew_PhotonMap *photons;
    dew_Sampler *sampler;
    float time;
    bool has_lens;
    Path pending[MAX_PENDING];
    int pending_count;
    dew_PathSample sample;
} Tracer;

// ---- light -------------------------------------------------------------------------------------

static dew_Float3 limited(dew_Float3 light, float most)
{
    float luminance = dew_luminance(light);
    return luminance > most ? dew_f3_scale(most / luminance, light) : light;
}

static void add_light(Tracer *tracer, const Path *path, dew_Float3 light)
{
    light = dew_f3_mul(path->weight, light);
    if (path->scatterings > 1 || (path->scatterings == 1 && path->is_clear))
        light = limited(light, dew_ray.max_indirect);
    else if (path->is_branched && path->scatterings == 0)
        light = limited(light, dew_ray.max_branched);
    tracer->sample.color = dew_f3_add(tracer->sample.color, light);
}

static void show_albedo(Tracer *tracer, const Path *path, dew_Float3 albedo)
{
    tracer->sample.albedo = dew_f3_add_scaled(tracer->sample.albedo, path->shown, albedo);
}

static float balance(float own, float other)
{
    return own > 0 ? own / (own + other) : 0;
}

// The distant lights in a direction, balanced against having been sampled as lights.
static dew_Float3 distant_light(const dew_TracedScene *stage, dew_Float3 direction, float density)
{
    dew_Float3 light = dew_f3_all(0);
    const dew_Light *lights = stage->scene->lights.data;
    int64_t count = stage->scene->lights.count;
    for (int64_t i = 0; i < count; i++) {
        if (!dew_light_is_hit(&lights[i], direction))
            continue;
        float sampled = 1 / ((float)count * lights[i].solid_angle);
        light = dew_f3_add_scaled(light, balance(density, sampled), lights[i].radiance);
    }
    return light;
}

// The distant lights as the camera sees them, straight or in clear surfaces.
static dew_Float3 seen_lights(const dew_TracedScene *stage, const Path *path)
{
    dew_Float3 light = dew_f3_all(0);
    const dew_Light *lights = stage->scene->lights.data;
    for (int64_t i = 0; i < stage->scene->lights.count; i++)
        if (path->is_clear)
            light = dew_f3_add(light, dew_light_glint(&lights[i], path->direction,
                                                      dew_ray.glint_softness * path->spread));
        else if (dew_light_is_hit(&lights[i], path->direction))
            light = dew_f3_add(light, lights[i].radiance);
    return light;
}

// The path leaves the scene.
static void hit_environment(Tracer *tracer, const Path *path)
{
    const dew_Environment *environment = tracer->stage->scene->environment;
    dew_Float3 light = path->scatterings == 0
                           ? dew_environment_seen(environment, path->direction)
                           : dew_environment_radiance(environment, path->direction);
    if (path->is_main)
        show_albedo(tracer, path,
                    dew_f3(dew_minf(light.x, 1), dew_minf(light.y, 1), dew_minf(light.z, 1)));
    if (path->scatterings == 0) {  // seen, directly or in clear surfaces
        dew_Float3 glint = seen_lights(tracer->stage, path);
        add_light(tracer, path, light);
        glint = limited(dew_f3_mul(path->weight, glint), dew_ray.max_indirect);
        tracer->sample.color = dew_f3_add(tracer->sample.color, glint);
    } else if (!path->is_clear) {
        float sampled = dew_environment_density(environment, path->direction);
        light = dew_f3_scale(balance(path->density, sampled), light);
        light = dew_f3_add(light, distant_light(tracer->stage, path->direction, path->density));
        add_light(tracer, path, light);
    } else {  // over clear surfaces: the bright part comes by photons, but for sharp reflections
        // Distant lights are too small to be found by chance: they would be specks.
        dew_Float3 clamped = dew_environment_clamped(environment, light);
        light = limited(light, dew_ray.max_mirrored);
        add_light(tracer, path, dew_f3_mix(clamped, light, tracer->photons ? path->sharp : 1));
    }
}

// Light that comes straight from a direction chosen by a light, with that choice's density.
static void add_direct(Tracer *tracer, const Path *path, const dew_Surfel *surfel,
                       const dew_TracedHit *hit, dew_Float3 direction, dew_Float3 radiance,
                       float density)
{
    float scattered;
    dew_Float3 light = dew_surfel_eval(surfel, direction, &scattered);
    if (!(density > 0) || !(dew_f3_max(light) > 0) || !(dew_f3_max(radiance) > 0))
        return;
    dew_TraceRay shadow = {.origin = dew_traced_leave(hit, direction),
                           .direction = direction,
                           .max_t = FLT_MAX,
                           .time = tracer->time};
    if (dew_ray_tree_blocks(tracer->stage->tree, &shadow))
        return;
    float weight = balance(density, scattered) / density;
    add_light(tracer, path, dew_f3_scale(weight, dew_f3_mul(light, radiance)));
}

static void sample_lights(Tracer *tracer, const Path *path, const dew_Surfel *surfel,
                          const dew_TracedHit *hit)
{
    const dew_RenderScene *scene = tracer->stage->scene;
    float u, v, density;
    // In a clear medium all light comes over the clear surface around it.
    if (dew_media_body(&path->media) != DEW_AIR && !surfel->is_rough_glass)
        return;
    dew_sampler_pair(tracer->sampler, &u, &v);
    if (dew_environment_power(scene->environment) > 0) {
        dew_Float3 radiance,
            direction = dew_environment_sample(scene->environment, u, v, &density, &radiance);
        add_direct(tracer, path, surfel, hit, direction, radiance, density);
    }
    if (scene->lights.count == 0)
        return;
    dew_sampler_pair(tracer->sampler, &u, &v);
    float choice = u * (float)scene->lights.count;
    int64_t i = (int64_t)choice;
    i = i < scene->lights.count ? i : scene->lights.count - 1;
    const dew_Light *light = &DEW_ITEMS(&scene->lights, const dew_Light)[i];
    add_direct(tracer, path, surfel, hit, dew_light_sample(light, choice - (float)i, v),
               light->radiance, 1 / (light->solid_angle * (float)scene->lights.count));
}

// ---- surfaces that scatter ---------------------------------------------------------------------

static dew_Float3 facing(dew_Float3 n, dew_Float3 direction)
{
    return dew_f3_inner(n, direction) > 0 ? dew_f3_scale(-1, n) : n;
}

// The shading normal on the viewer's side; where it looks away it is bent back.
static dew_Float3 shading_normal(const dew_TracedHit *hit, dew_Float3 direction, dew_Float3 bump)
{
    dew_Float3 g = facing(hit->geometric, direction);
    dew_Float3 n = dew_f3_inner(hit->normal, g) < 0 ? dew_f3_scale(-1, hit->normal) : hit->normal;
    n = dew_f3_unit(dew_f3_add(n, bump));
    float away = dew_f3_inner(n, direction);
    return away > -dew_ray.min_facing
               ? dew_f3_unit(dew_f3_add_scaled(n, -(away + dew_ray.min_facing), direction))
               : n;
}

static void note_surface(Tracer *tracer, const Path *path, dew_Float3 albedo)
{
    if (path->is_main && path->scatterings == 0)
        show_albedo(tracer, path, albedo);
}

// Sends the path on from the surfel; false: it ends.
static bool send_on(Tracer *tracer, Path *path, const dew_Surfel *surfel, const dew_TracedHit *hit)
{
    float u, v, lobe = dew_sampler_one(tracer->sampler);
    dew_sampler_pair(tracer->sampler, &u, &v);
    dew_SurfelSample sample;
    if (!dew_surfel_sample(surfel, lobe, u, v, &sample))
        return false;
    path->density = sample.density;
    path->sharp = sample.sharp;
    path->is_clear = path->is_main = false;
    path->weight = dew_f3_mul(path->weight, sample.weight);
    path->direction = sample.in;
    path->origin = dew_traced_leave(hit, sample.in);
    return true;
}

// Lights the surfel and sends the path on; false: the path ends.
static bool scatter(Tracer *tracer, Path *path, const dew_Surfel *surfel, const dew_TracedHit *hit)
{
    path->scatterings++;
    Path lit = *path;
    lit.is_clear = false;
    sample_lights(tracer, &lit, surfel, hit);
    if (tracer->photons) {
        float before = dew_luminance(tracer->sample.color);
        add_light(tracer, &lit, dew_photon_map_gather(tracer->photons, surfel, hit->position));
        tracer->sample.gathered += dew_luminance(tracer->sample.color) - before;
    }
    // What is seen under liquid gets all its clamped light by chance: a second way halves the noise
    // where eyes look.
    if (path->scatterings == 1 && !surfel->is_rough_glass && tracer->pending_count < MAX_PENDING &&
        dew_media_body(&path->media) != DEW_AIR) {
        path->weight = dew_f3_scale(0.5f, path->weight);
        Path second = *path;
        if (send_on(tracer, &second, surfel, hit))
            tracer->pending[tracer->pending_count++] = second;
    }
    return send_on(tracer, path, surfel, hit);
}

static bool meet_opaque(Tracer *tracer, Path *path, const dew_TracedHit *hit)
{
    const dew_TracedScene *stage = tracer->stage;
    uint16_t medium = dew_media_body(&path->media);
    bool is_under = medium != DEW_AIR && stage->bodies[medium].is_liquid;
    dew_Float3 bump;
    dew_Finish finish = dew_traced_finish(stage, hit, hit->normal, is_under, &bump);
    dew_Float3 n = shading_normal(hit, path->direction, bump);
    dew_Surfel surfel;
    dew_surfel_set(&surfel, n, facing(hit->geometric, path->direction),
                   dew_f3_scale(-1, path->direction), &finish,
                   medium == DEW_AIR ? 1 : stage->bodies[medium].ior);
    note_surface(tracer, path, finish.albedo);
    return scatter(tracer, path, &surfel, hit);
}

// ---- clear and frosted surfaces ----------------------------------------------------------------

static void go_straight(Path *path, const dew_TracedHit *hit)
{
    path->origin = dew_traced_leave(hit, path->direction);
}

// Bends a direction that the shading normal sent to the wrong side of the triangle.
static dew_Float3 to_side(dew_Float3 d, dew_Float3 geometric)
{
    float depth = dew_f3_inner(d, geometric);
    return depth < DEW_MIN_COSINE ? dew_f3_unit(dew_f3_add_scaled(d, 1e-3f - depth, geometric)) : d;
}

typedef struct Split {
    dew_Float3 reflected, refracted;
    float reflectance, eta;
} Split;

static Split split_at(const Path *path, const dew_TracedHit *hit, const dew_RayCrossing *crossing)
{
    dew_Float3 g = facing(hit->geometric, path->direction);
    dew_Float3 n = shading_normal(hit, path->direction, dew_f3_all(0));
    float cos_i = dew_minf(-dew_f3_inner(path->direction, n), 1), cos_t;
    Split split = {.eta = crossing->ior_behind / crossing->ior_before};
    split.reflectance = dew_fresnel(cos_i, split.eta, &cos_t);
    split.reflected = to_side(dew_f3_unit(dew_reflect(path->direction, n)), g);
    if (split.reflectance < 1)
        split.refracted =
            to_side(dew_refract(path->direction, n, cos_i, cos_t, split.eta), dew_f3_scale(-1, g));
    return split;
}

static void send_through(Path *path, const dew_TracedHit *hit, const Split *split,
                         const dew_RayCrossing *crossing, float weight)
{
    path->weight = dew_f3_scale(weight / (split->eta * split->eta), path->weight);
    path->media = crossing->media_behind;
    path->direction = split->refracted;
    path->origin = dew_traced_leave(hit, path->direction);
}

static void send_back(Path *path, const dew_TracedHit *hit, const Split *split, float weight)
{
    path->weight = dew_f3_scale(weight, path->weight);
    path->direction = split->reflected;
    path->origin = dew_traced_leave(hit, path->direction);
}

// By how much a mirrored direction turns while the ray wanders from the middle of the lens to its
// rim: twice what the normal turns over the circle out of focus.
static float spread_at(const dew_TracedScene *stage, const Path *path, const dew_TracedHit *hit)
{
    const dew_Camera *camera = &stage->scene->camera;
    const uint32_t *v = stage->triangles[hit->triangle].v;
    const dew_Float3 *n = &stage->corner_normals[3 * (int64_t)hit->triangle];
    double depth_m = (double)path->length / stage->units_per_m *
                     dew_inner(dew_f3_wide(path->direction), camera->forward);
    float circle =
        (float)(camera->lens_radius_m * fabs(1 - depth_m / camera->focus_m) * stage->units_per_m);
    float square = 0;  // of the curvature
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        dew_Float3 edge = dew_f3_sub(stage->positions[v[next]], stage->positions[v[k]]);
        square = dew_maxf(square, dew_f3_length2(dew_f3_sub(n[next], n[k])) /
                                      dew_maxf(dew_f3_length2(edge), FLT_MIN));
    }
    return 2 * circle * sqrtf(square);
}

static void meet_clear(Tracer *tracer, Path *path, const dew_TracedHit *hit)
{
    dew_RayCrossing crossing = dew_traced_cross(tracer->stage, hit, &path->media);
    if (!crossing.is_optical) {
        path->media = crossing.media_behind;
        go_straight(path, hit);
        return;
    }
    Split split = split_at(path, hit, &crossing);
    float F = split.reflectance, spread = 0;
    if (!path->is_clear && path->scatterings == 0 && tracer->has_lens)
        spread = spread_at(tracer->stage, path, hit);
    path->is_clear = true;
    bool both = path->scatterings == 0 && path->splits < MAX_SPLITS && F < 1 &&
                tracer->pending_count < MAX_PENDING &&
                dew_f3_max(path->weight) * dew_minf(F, 1 - F) > dew_ray.min_branch_weight;
    if (both) {
        path->splits++;
        Path mirrored = *path;
        mirrored.is_main = false;
        mirrored.spread = spread;
        send_back(&mirrored, hit, &split, F);
        tracer->pending[tracer->pending_count++] = mirrored;
        send_through(path, hit, &split, &crossing, 1 - F);
        return;
    }
    path->is_branched = path->is_branched || F < 1;
    if (dew_sampler_one(tracer->sampler) < F) {
        send_back(path, hit, &split, 1);
    } else {
        send_through(path, hit, &split, &crossing, 1);
    }
}

static bool meet_frosted(Tracer *tracer, Path *path, const dew_TracedHit *hit)
{
    dew_RayCrossing crossing = dew_traced_cross(tracer->stage, hit, &path->media);
    if (!crossing.is_optical) {
        path->media = crossing.media_behind;
        go_straight(path, hit);
        return true;
    }
    dew_Float3 bump;
    dew_Finish finish = dew_traced_finish(tracer->stage, hit, hit->normal, false, &bump);
    dew_Float3 g = facing(hit->geometric, path->direction);
    dew_Surfel surfel;
    float eta = crossing.ior_behind / crossing.ior_before;
    dew_surfel_set_rough_glass(&surfel, shading_normal(hit, path->direction, bump), g,
                               dew_f3_scale(-1, path->direction), finish.coat_roughness, eta,
                               dew_traced_glass_energy(tracer->stage, finish.coat_roughness, eta));
    note_surface(tracer, path, dew_f3_all(1));
    if (!scatter(tracer, path, &surfel, hit))
        return false;
    if (dew_f3_inner(path->direction, g) < 0)
        path->media = crossing.media_behind;
    return true;
}

// ---- paths -------------------------------------------------------------------------------------

static void note_first(Tracer *tracer, Path *path, const dew_TracedHit *hit)
{
    path->length += hit->t;
    if (!path->is_main || path->has_depth)
        return;
    path->has_depth = true;
    if (tracer->sample.depth == 0 || path->length < tracer->sample.depth)
        tracer->sample.depth = path->length;
    tracer->sample.normal = dew_f3_add_scaled(tracer->sample.normal, path->shown,
                                              shading_normal(hit, path->direction, dew_f3_all(0)));
}

// Where a table fades, what is seen of it and what is seen behind it are both followed: a choice at
// random would be grain along the horizon. true: the path continues behind it.
static bool fades_away(Tracer *tracer, Path *path, const dew_TracedBody *body,
                       const dew_TracedHit *hit)
{
    float gone = dew_traced_fade(body, hit->position);
    if (!(gone > 0) || !(gone < 1))
        return gone > 0;
    if (path->scatterings > 0 || tracer->pending_count == MAX_PENDING)
        return dew_sampler_one(tracer->sampler) < gone;
    Path behind = *path;
    behind.weight = dew_f3_scale(gone, behind.weight);
    behind.shown *= gone;
    behind.length += hit->t;
    behind.bounces++;
    go_straight(&behind, hit);
    tracer->pending[tracer->pending_count++] = behind;
    path->weight = dew_f3_scale(1 - gone, path->weight);
    path->shown *= 1 - gone;
    return false;
}

static bool passes(Tracer *tracer, Path *path, const dew_TracedBody *body, const dew_TracedHit *hit)
{
    if (body->is_thin && !hit->is_entering)
        return true;
    return body->fades && fades_away(tracer, path, body, hit);
}

// Ends paths that carry little, at random; false: ended. Crossings scale radiance, so what counts
// is the weight as it will be outside. Paths in rough glass have been scattered, but have lost
// nothing: made heavier for it they would come to the caps.
static bool survives(Tracer *tracer, Path *path)
{
    if (path->bounces < dew_ray.roulette_bounces)
        return true;
    uint16_t medium = dew_media_body(&path->media);
    float n = medium == DEW_AIR ? 1 : tracer->stage->bodies[medium].ior;
    bool loses = path->scatterings &&
                 (medium == DEW_AIR || tracer->stage->bodies[medium].kind != DEW_BODY_FROSTED);
    float chance = dew_minf(dew_f3_max(path->weight) * n * n * 1.5f, loses ? 0.9f : 1);
    if (!(dew_sampler_one(tracer->sampler) < chance))
        return false;
    path->weight = dew_f3_scale(1 / chance, path->weight);
    return true;
}

// One surface further; false: the path has ended.
static bool advance(Tracer *tracer, Path *path)
{
    dew_TraceRay ray = {.origin = path->origin,
                        .direction = path->direction,
                        .max_t = FLT_MAX,
                        .time = tracer->time};
    dew_TracedHit hit;
    if (!dew_traced_hit(tracer->stage, &ray, &hit)) {
        hit_environment(tracer, path);
        return false;
    }
    const dew_TracedBody *body = &tracer->stage->bodies[hit.body];
    path->weight = dew_traced_absorb(tracer->stage, &path->media, hit.t, path->weight);
    if (body->kind == DEW_BODY_OPAQUE && passes(tracer, path, body, &hit)) {
        path->length += hit.t;
        go_straight(path, &hit);
        return true;
    }
    note_first(tracer, path, &hit);
    switch (body->kind) {
    case DEW_BODY_CLEAR:
        meet_clear(tracer, path, &hit);
        return true;
    case DEW_BODY_FROSTED:
        return meet_frosted(tracer, path, &hit);
    case DEW_BODY_OPAQUE:
        break;
    }
    return meet_opaque(tracer, path, &hit);
}

static void trace(Tracer *tracer, Path *path)
{
    for (; path->bounces < dew_ray.max_bounces; path->bounces++)
        if (!survives(tracer, path) || !advance(tracer, path))
            return;
}

static void lens_point(float u, float v, double lens[2])
{
    double r = sqrt((double)u), turn = 2 * DEW_PI * (double)v;
    lens[0] = r * cos(turn);
    lens[1] = r * sin(turn);
}

dew_PathSample dew_path_sample(const dew_TracedScene *stage, const dew_PhotonMap *photons,
                               dew_Sampler *sampler, double x_px, double y_px)
{
    Tracer tracer = {.stage = stage, .photons = photons, .sampler = sampler};
    float u, v;
    double lens[2] = {0, 0};
    if (stage->scene->camera.lens_radius_m > 0) {
        dew_sampler_pair(sampler, &u, &v);
        lens_point(u, v, lens);
        tracer.has_lens = true;
    }
    if (stage->ends)
        dew_sampler_pair(sampler, &tracer.time, &v);
    dew_Vec3 origin_m, direction;
    dew_camera_ray(&stage->scene->camera, x_px, y_px, lens, &origin_m, &direction);
    tracer.pending[tracer.pending_count++] = (Path){.origin = dew_traced_from_m(stage, origin_m),
                                                    .direction = dew_f3_from(direction),
                                                    .weight = dew_f3_all(1),
                                                    .media = stage->camera_media,
                                                    .shown = 1,
                                                    .is_main = true};
    while (tracer.pending_count > 0) {
        Path path = tracer.pending[--tracer.pending_count];
        trace(&tracer, &path);
    }
    return tracer.sample;
}
