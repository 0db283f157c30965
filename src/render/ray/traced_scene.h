/// The stage: a render scene in the ray tracer's own units, with its tree.
///
/// Lengths are scaled so that the subject is about 2 across and lies about the origin: floats then
/// resolve a ten-millionth of it. Constant while paths are traced.
#pragma once

#include "base/arena.h"
#include "render/ray/glass_energy.h"
#include "render/ray/media.h"
#include "render/ray/ray_tree.h"
#include "render/render_scene.h"

/// A body as paths see it.
typedef struct dew_TracedBody {
    dew_BodyKind kind;
    uint8_t priority;
    bool is_thin, is_liquid, fades;
    float ior;
    dew_Float3 absorption;  // per unit of length
    bool absorbs;
    dew_Float3 fade_center;
    float fade_begin, fade_end;
} dew_TracedBody;

/// A ball around a clear body, or a piece of one, at which photons are aimed.
typedef struct dew_PhotonTarget {
    dew_Float3 center;
    float radius;
    float fraction;  // of the photons
} dew_PhotonTarget;

typedef struct dew_TracedScene {
    const dew_RenderScene *scene;
    dew_Vec3 center_m;
    double units_per_m;
    dew_Float3 *positions, *ends;  // ends NULL: nothing moves
    const dew_Triangle *triangles;
    const dew_Float3 *corner_normals;
    const uint32_t *triangle_body;
    dew_TracedBody *bodies;
    int64_t body_count;
    dew_RayTree *tree;
    float radius;  // of a ball about the origin that holds everything
    dew_PhotonTarget *targets;
    int target_count;
    dew_Media camera_media;     // what the camera stands in
    dew_GlassEnergy *energies;  // of frosted bodies, against each medium that may be beside them
    int energy_count;
    dew_Arena arena;
} dew_TracedScene;

/// tree: as in dew_RenderDef.
dew_Status dew_traced_init(dew_TracedScene *stage, const dew_RenderScene *scene, const char *tree,
                           dew_Tasks *tasks, const dew_Allocator *allocator);
void dew_traced_deinit(dew_TracedScene *stage);

static inline dew_Float3 dew_traced_from_m(const dew_TracedScene *stage, dew_Vec3 p)
{
    return dew_f3_from(dew_scale(stage->units_per_m, dew_sub(p, stage->center_m)));
}

/// Where a ray met a triangle.
typedef struct dew_TracedHit {
    dew_Float3 position;
    dew_Float3 geometric;  // unit normal of the triangle, outward
    dew_Float3 normal;     // interpolated, unit, outward
    float t, u, v;
    uint32_t triangle;
    uint16_t body;
    bool is_entering;  // the ray comes from outside
} dew_TracedHit;

bool dew_traced_hit(const dew_TracedScene *stage, const dew_TraceRay *ray, dew_TracedHit *hit);

/// The origin for a ray that leaves the hit to the side of `direction`.
dew_Float3 dew_traced_leave(const dew_TracedHit *hit, dew_Float3 direction);

/// Pattern coordinates, in metres in the body's own frame, and what the look is there. `wetness`
/// counts where the point is not under liquid.
dew_Finish dew_traced_finish(const dew_TracedScene *stage, const dew_TracedHit *hit,
                             dew_Float3 normal, bool is_under_liquid, dew_Float3 *bump);

/// What crossing a clear or frosted surface means.
typedef struct dew_RayCrossing {
    bool is_optical;  // false: hidden inside a body of higher priority; continue straight
    float ior_before, ior_behind;
    dew_Media media_behind;  // for what goes through
} dew_RayCrossing;
dew_RayCrossing dew_traced_cross(const dew_TracedScene *stage, const dew_TracedHit *hit,
                                 const dew_Media *media);

/// What rough glass keeps; NULL: not known.
const dew_GlassEnergy *dew_traced_glass_energy(const dew_TracedScene *stage, float roughness,
                                               float eta);

/// What is left of light after a way through the medium.
dew_Float3 dew_traced_absorb(const dew_TracedScene *stage, const dew_Media *media, float t,
                             dew_Float3 light);
/// 0..1: how much of a fading body is gone at the point.
float dew_traced_fade(const dew_TracedBody *body, dew_Float3 position);
