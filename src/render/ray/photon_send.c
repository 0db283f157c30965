// The way of a photon: from a light towards a clear body, through it, to where it lands.
//
// The light is chosen by its power, the direction by the light, the clear body by its fraction; the
// ray is then uniform over the disk that the body's ball shows to the light. Rays that several
// balls cover are as much more likely, which the density accounts for.
//
// Lights and bodies get their photons one after the other, each as many as it is due, and the
// photons of each begin at even points [Burley2020]: in smooth light the number that lands
// somewhere differs by less than chance would let it.
#include "render/ray/photon_send.h"

#include "base/random.h"
#include "render/ray/optics.h"
#include "render/ray/ray_parameters.h"
#include "render/ray/sampler.h"

#include <float.h>
#include <math.h>

typedef struct Beam {
    dew_Float3 direction;  // travelling
    dew_Float3 radiance;   // over the density of the direction and of the choice
} Beam;

// What a photon's beginning is chosen by, each 0..1.
typedef struct Choices {
    float which;     // of the lights; the rest when one is chosen, 0..1 again, chooses the body
    float u, v;      // direction
    float r2, turn;  // place
} Choices;

static Choices choices_of(const dew_PhotonPass *pass, int64_t index)
{
    dew_Random random = dew_random(pass->seed, (uint64_t)INT64_MAX, (uint64_t)pass->pass);
    double shift = dew_random_unit(&random);
    dew_Sampler sampler =
        dew_sampler(pass->seed, (uint64_t)pass->pass, UINT64_MAX, (uint32_t)index);
    Choices c = {.which = dew_minf((float)(((double)index + shift) / (double)pass->count),
                                   nextafterf(1, 0))};
    dew_sampler_pair(&sampler, &c.r2, &c.turn);
    dew_sampler_pair(&sampler, &c.u, &c.v);
    return c;
}

static float unit(dew_Random *random)
{
    return (float)(dew_random_u32(random) >> 8) * 0x1p-24f;
}

// Irradiance-like weights of the lights, in the order: environment, lights.
static float bright_power(const dew_TracedScene *stage)
{
    float power = dew_environment_bright_power(stage->scene->environment);
    for (int64_t i = 0; i < stage->scene->lights.count; i++)
        power += DEW_ITEMS(&stage->scene->lights, const dew_Light)[i].power;
    return power;
}

bool dew_photons_wanted(const dew_TracedScene *stage)
{
    return stage->target_count > 0 && bright_power(stage) > 0;
}

static bool choose_beam(const dew_TracedScene *stage, Choices *choices, Beam *beam)
{
    const dew_Environment *environment = stage->scene->environment;
    float total = bright_power(stage), choice = choices->which * total;
    float u = choices->u, v = choices->v, fraction = dew_environment_bright_power(environment);
    if (choice < fraction) {
        choices->which = dew_minf(choice / fraction, nextafterf(1, 0));
        float density;
        dew_Float3 radiance;
        dew_Float3 towards = dew_environment_sample_bright(environment, u, v, &density, &radiance);
        beam->direction = dew_f3_scale(-1, towards);
        if (!(density > 0))
            return false;
        beam->radiance = dew_f3_scale(total / (fraction * density), radiance);
        return true;
    }
    choice -= fraction;
    const dew_Light *lights = stage->scene->lights.data;
    int64_t last = stage->scene->lights.count - 1, i = 0;
    while (i < last && choice >= lights[i].power)
        choice -= lights[i++].power;
    if (last < 0)
        return false;
    choices->which = dew_minf(choice / lights[i].power, nextafterf(1, 0));
    beam->direction = dew_f3_scale(-1, dew_light_sample(&lights[i], u, v));
    beam->radiance =
        dew_f3_scale(total / lights[i].power * lights[i].solid_angle, lights[i].radiance);
    return true;
}

// Density per area, across the direction, of rays through the point.
static float ray_density(const dew_TracedScene *stage, dew_Float3 point, dew_Float3 direction)
{
    float density = 0;
    for (int i = 0; i < stage->target_count; i++) {
        const dew_PhotonTarget *target = &stage->targets[i];
        dew_Float3 arm = dew_f3_sub(point, target->center);
        float along = dew_f3_inner(arm, direction), r2 = target->radius * target->radius;
        if (dew_f3_length2(arm) - along * along <= r2)
            density += target->fraction / ((float)DEW_PI * r2);
    }
    return density;
}

static bool aim(const dew_TracedScene *stage, const Choices *choices, dew_Float3 direction,
                dew_Float3 *origin, float *density)
{
    float choice = choices->which;
    int i = 0;
    while (i + 1 < stage->target_count && choice >= stage->targets[i].fraction)
        choice -= stage->targets[i++].fraction;
    dew_Float3 t, b;
    dew_f3_frame(direction, &t, &b);
    float r = stage->targets[i].radius * sqrtf(choices->r2);
    float turn = (float)(2 * DEW_PI) * choices->turn;
    dew_Float3 point = dew_f3_add_scaled(stage->targets[i].center, r * cosf(turn), t);
    point = dew_f3_add_scaled(point, r * sinf(turn), b);
    *density = ray_density(stage, point, direction);
    // From outside of everything; two radii from the middle are outside however the ray runs.
    *origin = dew_f3_add_scaled(point, -2 * stage->radius - 1, direction);
    return *density > 0;
}

// Reflects or refracts at random. False: the path ends.
static bool meet_clear(const dew_TracedScene *stage, const dew_TracedHit *hit, dew_Random *random,
                       dew_TraceRay *ray, dew_Media *media, bool *is_optical)
{
    dew_RayCrossing crossing = dew_traced_cross(stage, hit, media);
    dew_Float3 d = ray->direction;
    *is_optical = crossing.is_optical;
    if (!crossing.is_optical) {
        *media = crossing.media_behind;
        ray->origin = dew_traced_leave(hit, d);
        return true;
    }
    dew_Float3 n = hit->is_entering ? hit->normal : dew_f3_scale(-1, hit->normal);
    float cos_i = -dew_f3_inner(d, n), cos_t, eta = crossing.ior_behind / crossing.ior_before;
    if (cos_i < DEW_MIN_COSINE) {
        n = hit->is_entering ? hit->geometric : dew_f3_scale(-1, hit->geometric);
        cos_i = dew_maxf(-dew_f3_inner(d, n), DEW_MIN_COSINE);
    }
    float F = dew_fresnel(dew_minf(cos_i, 1), eta, &cos_t);
    bool goes_through = unit(random) >= F;
    if (goes_through) {
        ray->direction = dew_refract(d, n, cos_i, cos_t, eta);
        *media = crossing.media_behind;
    } else {
        ray->direction = dew_f3_unit(dew_reflect(d, n));
    }
    // The shading normal may have sent it to the wrong side of the triangle.
    bool is_front = (dew_f3_inner(ray->direction, hit->geometric) > 0) == hit->is_entering;
    if (is_front == goes_through)
        return false;
    ray->origin = dew_traced_leave(hit, ray->direction);
    return true;
}

// Does the path continue straight through this opaque surface?
static bool passes(const dew_TracedBody *body, const dew_TracedHit *hit, dew_Random *random)
{
    if (body->is_thin && !hit->is_entering)
        return true;
    return body->fades && unit(random) < dew_traced_fade(body, hit->position);
}

bool dew_photon_send(const dew_TracedScene *stage, const dew_PhotonPass *pass, int64_t index,
                     dew_Photon *out)
{
    dew_Random random = dew_random(pass->seed, (uint64_t)index, (uint64_t)pass->pass);
    Choices choices = choices_of(pass, index);
    Beam beam;
    float density;
    dew_TraceRay ray = {.max_t = FLT_MAX, .time = unit(&random)};
    if (!choose_beam(stage, &choices, &beam) ||
        !aim(stage, &choices, beam.direction, &ray.origin, &density))
        return false;
    ray.direction = beam.direction;
    dew_Float3 power = dew_f3_scale(1 / (density * (float)pass->count), beam.radiance);
    dew_Media media = {.count = 0};
    dew_TracedHit hit;
    int clear_count = 0;
    for (int event = 0; event < dew_ray.max_photon_events; event++) {
        if (!dew_traced_hit(stage, &ray, &hit))
            return false;
        power = dew_traced_absorb(stage, &media, hit.t, power);
        const dew_TracedBody *body = &stage->bodies[hit.body];
        if (body->kind == DEW_BODY_CLEAR) {
            bool is_optical;
            if (!meet_clear(stage, &hit, &random, &ray, &media, &is_optical))
                return false;
            clear_count += is_optical;
        } else if (body->kind == DEW_BODY_FROSTED &&
                   !dew_traced_cross(stage, &hit, &media).is_optical) {
            media = dew_traced_cross(stage, &hit, &media).media_behind;
            ray.origin = dew_traced_leave(&hit, ray.direction);
        } else if (body->kind == DEW_BODY_OPAQUE && passes(body, &hit, &random)) {
            ray.origin = dew_traced_leave(&hit, ray.direction);
        } else {
            *out = (dew_Photon){.position = hit.position,
                                .towards = dew_f3_scale(-1, ray.direction),
                                .power = power};
            return clear_count > 0;
        }
    }
    return false;
}
