// A render scene in units of its subject, and the questions that all kinds of paths ask.
#include "render/ray/traced_scene.h"

#include "base/status.h"
#include "base/union_find.h"

#include <float.h>
#include <string.h>

#define OFFSET       4e-6f  // of coordinates: how far from a surface its rays begin
#define MAX_TARGETS  256    // bodies that photons aim at
#define MAX_ENERGIES 32     // pairs of media and roughness: more lose what single scattering loses

// ---- making ------------------------------------------------------------------------------------

static void choose_units(dew_TracedScene *stage)
{
    dew_Box box = stage->scene->subject_m;
    if (!(box.min.x <= box.max.x))
        for (int64_t i = 0; i < stage->scene->positions.count; i++)
            box = dew_box_add(box, DEW_ITEMS(&stage->scene->positions, const dew_Vec3)[i]);
    bool is_empty = !(box.min.x <= box.max.x);
    stage->center_m = is_empty ? dew_vec(0, 0, 0) : dew_combine(0.5, box.min, 0.5, box.max);
    double half = is_empty ? 0 : dew_distance(box.min, box.max) / 2;
    stage->units_per_m = half > 0 ? 1 / half : 1;
}

static dew_Status copy_geometry(dew_TracedScene *stage)
{
    const dew_RenderScene *scene = stage->scene;
    int64_t count = scene->positions.count;
    // Embree reads 16 bytes at the last vertex too.
    stage->positions = dew_arena_array(&stage->arena, dew_Float3, count + 1);
    if (scene->is_moving)
        stage->ends = dew_arena_array(&stage->arena, dew_Float3, count + 1);
    if (!stage->positions || (scene->is_moving && !stage->ends))
        return dew_no_memory((size_t)count * sizeof(dew_Float3));
    float radius2 = 1;
    for (int64_t i = 0; i < count; i++) {
        dew_Vec3 p = DEW_ITEMS(&scene->positions, const dew_Vec3)[i];
        stage->positions[i] = dew_traced_from_m(stage, p);
        radius2 = dew_maxf(radius2, dew_f3_length2(stage->positions[i]));
        if (stage->ends) {
            dew_Vec3 motion = DEW_ITEMS(&scene->motions, const dew_Vec3)[i];
            stage->ends[i] = dew_traced_from_m(stage, dew_add(p, motion));
            radius2 = dew_maxf(radius2, dew_f3_length2(stage->ends[i]));
        }
    }
    stage->radius = 1.001f * sqrtf(radius2);
    stage->triangles = scene->triangles.data;
    stage->corner_normals = scene->corner_normals.data;
    stage->triangle_body = scene->triangle_body.data;
    return dew_ok();
}

static dew_Status copy_bodies(dew_TracedScene *stage)
{
    const dew_RenderScene *scene = stage->scene;
    stage->body_count = scene->bodies.count;
    if (stage->body_count >= DEW_AIR)
        return dew_fail(DEW_UNSUPPORTED, "an image of more than %d bodies", DEW_AIR - 1);
    stage->bodies = dew_arena_array(&stage->arena, dew_TracedBody, stage->body_count);
    if (!stage->bodies)
        return dew_no_memory((size_t)stage->body_count * sizeof(dew_TracedBody));
    float m_per_unit = (float)(1 / stage->units_per_m);
    for (int64_t i = 0; i < stage->body_count; i++) {
        const dew_RenderBody *body = &DEW_ITEMS(&scene->bodies, const dew_RenderBody)[i];
        dew_Float3 absorption = dew_f3_scale(m_per_unit, body->medium.absorption_1_m);
        stage->bodies[i] = (dew_TracedBody){
            .kind = body->kind,
            .priority = (uint8_t)(body->priority < 255 ? body->priority : 255),
            .is_thin = body->is_thin,
            .is_liquid = body->solid_id == DEW_INVALID,
            .fades = body->fade_end_m > 0,
            .ior = body->medium.ior,
            .absorption = absorption,
            .absorbs = dew_f3_max(absorption) > 0,
            .fade_center = dew_traced_from_m(stage, body->fade_center_m),
            .fade_begin = body->fade_begin_m * (float)stage->units_per_m,
            .fade_end = body->fade_end_m * (float)stage->units_per_m,
        };
    }
    return dew_ok();
}

// ---- rough glass -------------------------------------------------------------------------------

const dew_GlassEnergy *dew_traced_glass_energy(const dew_TracedScene *stage, float roughness,
                                               float eta)
{
    for (int i = 0; i < stage->energy_count; i++)
        if (stage->energies[i].roughness == roughness && stage->energies[i].eta == eta)
            return &stage->energies[i];
    return NULL;
}

static void add_energy(dew_TracedScene *stage, float roughness, float eta)
{
    if (eta == 1 || stage->energy_count == MAX_ENERGIES ||
        dew_traced_glass_energy(stage, roughness, eta))
        return;
    dew_glass_energy_set(&stage->energies[stage->energy_count++], roughness, eta);
}

static dew_Status find_energies(dew_TracedScene *stage)
{
    stage->energies = dew_arena_array(&stage->arena, dew_GlassEnergy, MAX_ENERGIES);
    if (!stage->energies)
        return dew_no_memory(MAX_ENERGIES * sizeof *stage->energies);
    for (int64_t i = 0; i < stage->body_count; i++) {
        if (stage->bodies[i].kind != DEW_BODY_FROSTED)
            continue;
        const dew_RenderBody *body = &DEW_ITEMS(&stage->scene->bodies, const dew_RenderBody)[i];
        dew_Finish finish = dew_look_at(&body->look, dew_f3_all(0), dew_f3(0, 0, 1), 0);
        for (int64_t k = -1; k < stage->body_count; k++) {  // air, then the others
            bool is_medium = k < 0 || stage->bodies[k].kind != DEW_BODY_OPAQUE;
            float beside = k < 0 ? 1 : stage->bodies[k].ior, own = stage->bodies[i].ior;
            if (!is_medium)
                continue;
            add_energy(stage, finish.coat_roughness, own / beside);
            add_energy(stage, finish.coat_roughness, beside / own);
        }
    }
    return dew_ok();
}

// ---- photon targets ----------------------------------------------------------------------------

// Joins the vertices of clear bodies' triangles; the root of a piece is its lowest vertex.
static void join_pieces(const dew_TracedScene *stage, uint32_t *parent)
{
    for (int64_t t = 0; t < stage->scene->triangles.count; t++) {
        if (stage->bodies[stage->triangle_body[t]].kind != DEW_BODY_CLEAR)
            continue;
        for (int k = 0; k < 2; k++)
            dew_join_vertices(parent, stage->triangles[t].v[k], stage->triangles[t].v[k + 1]);
    }
}

typedef struct Piece {
    dew_Float3 min, max;
    bool is_liquid;
} Piece;

static void grow(Piece *piece, dew_Float3 p)
{
    piece->min = dew_f3(dew_minf(piece->min.x, p.x), dew_minf(piece->min.y, p.y),
                        dew_minf(piece->min.z, p.z));
    piece->max = dew_f3(dew_maxf(piece->max.x, p.x), dew_maxf(piece->max.y, p.y),
                        dew_maxf(piece->max.z, p.z));
}

// Boxes of the pieces, in the order of their lowest vertices; the last takes all that are too many.
static int gather_pieces(const dew_TracedScene *stage, uint32_t *parent, uint32_t *number,
                         Piece *pieces)
{
    int count = 0;
    for (int64_t t = 0; t < stage->scene->triangles.count; t++) {
        const dew_TracedBody *body = &stage->bodies[stage->triangle_body[t]];
        if (body->kind != DEW_BODY_CLEAR)
            continue;
        uint32_t root = dew_vertex_root(parent, stage->triangles[t].v[0]);
        if (number[root] == 0) {
            if (count < MAX_TARGETS)
                pieces[count++] =
                    (Piece){dew_f3_all(FLT_MAX), dew_f3_all(-FLT_MAX), body->is_liquid};
            number[root] = (uint32_t)count;
        }
        for (int k = 0; k < 3; k++) {
            uint32_t v = stage->triangles[t].v[k];
            grow(&pieces[number[root] - 1], stage->positions[v]);
            if (stage->ends)
                grow(&pieces[number[root] - 1], stage->ends[v]);
        }
    }
    return count;
}

// Shares: between drops by their radius, so that small ones get caustics too.
static void set_fractions(dew_TracedScene *stage, const Piece *pieces)
{
    float liquid = 0, solid = 0;
    for (int i = 0; i < stage->target_count; i++)
        *(pieces[i].is_liquid ? &liquid : &solid) += stage->targets[i].radius;
    float liquid_fraction = solid > 0 ? 0.75f : 1,
          solid_fraction = liquid > 0 ? 0.25f : 1;  // of photons, where there are both
    for (int i = 0; i < stage->target_count; i++)
        stage->targets[i].fraction = pieces[i].is_liquid
                                         ? liquid_fraction * stage->targets[i].radius / liquid
                                         : solid_fraction * stage->targets[i].radius / solid;
}

static dew_Status find_targets(dew_TracedScene *stage, dew_Arena *scratch)
{
    int64_t count = stage->scene->positions.count;
    uint32_t *parent = dew_arena_array(scratch, uint32_t, count);
    uint32_t *number = dew_arena_array(scratch, uint32_t, count);
    Piece *pieces = dew_arena_array(scratch, Piece, MAX_TARGETS);
    stage->targets = dew_arena_array(&stage->arena, dew_PhotonTarget, MAX_TARGETS);
    if (!parent || !number || !pieces || !stage->targets)
        return dew_no_memory((size_t)count * 8);
    for (int64_t i = 0; i < count; i++)
        parent[i] = (uint32_t)i;
    join_pieces(stage, parent);
    stage->target_count = gather_pieces(stage, parent, number, pieces);
    for (int i = 0; i < stage->target_count; i++) {
        dew_Float3 half = dew_f3_scale(0.5f, dew_f3_sub(pieces[i].max, pieces[i].min));
        stage->targets[i].center = dew_f3_add(pieces[i].min, half);
        stage->targets[i].radius = 1.0001f * sqrtf(dew_f3_length2(half)) + 1e-6f;
    }
    set_fractions(stage, pieces);
    return dew_ok();
}

// ---- the camera's medium -----------------------------------------------------------------------

// Follows a ray from the camera to the outside: surfaces that are left without having been entered
// hold the camera.
static void find_camera_media(dew_TracedScene *stage)
{
    dew_Float3 origin = dew_traced_from_m(stage, stage->scene->camera.eye_m);
    dew_TraceRay ray = {
        .origin = origin, .direction = dew_f3_unit(dew_f3(0.3f, 1, 0.2f)), .max_t = FLT_MAX};
    dew_Media entered = {.count = 0};
    dew_TracedHit hit;
    for (int64_t i = 0; i < stage->scene->triangles.count && dew_traced_hit(stage, &ray, &hit);
         i++) {
        const dew_TracedBody *body = &stage->bodies[hit.body];
        if (body->kind != DEW_BODY_OPAQUE) {
            if (hit.is_entering)
                dew_media_enter(&entered, hit.body, body->priority);
            else if (!dew_media_leave(&entered, hit.body))
                dew_media_enter(&stage->camera_media, hit.body, body->priority);
        }
        ray.origin = dew_traced_leave(&hit, ray.direction);
    }
}

dew_Status dew_traced_init(dew_TracedScene *stage, const dew_RenderScene *scene, const char *tree,
                           dew_Tasks *tasks, const dew_Allocator *allocator)
{
    *stage = (dew_TracedScene){.scene = scene};
    dew_arena_init(&stage->arena, allocator);
    choose_units(stage);
    DEW_TRY(copy_geometry(stage));
    DEW_TRY(copy_bodies(stage));
    DEW_TRY(find_energies(stage));
    dew_Arena scratch;
    dew_arena_init(&scratch, allocator);
    dew_Status status = find_targets(stage, &scratch);
    dew_arena_deinit(&scratch);
    if (status.code != DEW_OK)
        return status;
    dew_TreeMesh mesh = {.positions = stage->positions,
                         .ends = stage->ends,
                         .triangles = stage->triangles,
                         .vertex_count = scene->positions.count,
                         .triangle_count = scene->triangles.count};
    DEW_TRY(dew_ray_tree_create(tree, &mesh, tasks, allocator, &stage->tree));
    find_camera_media(stage);
    return dew_ok();
}

void dew_traced_deinit(dew_TracedScene *stage)
{
    dew_ray_tree_destroy(stage->tree);
    stage->tree = NULL;
    dew_arena_deinit(&stage->arena);
}

// ---- hits --------------------------------------------------------------------------------------

static dew_Float3 at_time(const dew_TracedScene *stage, uint32_t v, float time)
{
    return stage->ends ? dew_f3_mix(stage->positions[v], stage->ends[v], time)
                       : stage->positions[v];
}

static dew_Float3 interpolate(dew_Float3 a, dew_Float3 b, dew_Float3 c, float u, float v)
{
    return dew_f3_add_scaled(dew_f3_add_scaled(dew_f3_scale(1 - u - v, a), u, b), v, c);
}

bool dew_traced_hit(const dew_TracedScene *stage, const dew_TraceRay *ray, dew_TracedHit *hit)
{
    dew_TraceHit found;
    if (!dew_ray_tree_hit(stage->tree, ray, &found))
        return false;
    const uint32_t *v = stage->triangles[found.triangle].v;
    const dew_Float3 *n = &stage->corner_normals[3 * (int64_t)found.triangle];
    hit->t = found.t;
    hit->u = found.u;
    hit->v = found.v;
    hit->triangle = found.triangle;
    hit->body = (uint16_t)stage->triangle_body[found.triangle];
    // From the corners: nearer to the surface than the ray's end point.
    hit->position = interpolate(at_time(stage, v[0], ray->time), at_time(stage, v[1], ray->time),
                                at_time(stage, v[2], ray->time), found.u, found.v);
    hit->geometric = dew_f3_unit(found.normal);
    hit->normal = dew_f3_unit(interpolate(n[0], n[1], n[2], found.u, found.v));
    hit->is_entering = dew_f3_inner(ray->direction, found.normal) < 0;
    return true;
}

dew_Float3 dew_traced_leave(const dew_TracedHit *hit, dew_Float3 direction)
{
    dew_Float3 p = hit->position;
    float size = 1 + dew_maxf(fabsf(p.x), dew_maxf(fabsf(p.y), fabsf(p.z)));
    float side = dew_f3_inner(direction, hit->geometric) < 0 ? -1 : 1;
    return dew_f3_add_scaled(p, side * OFFSET * size, hit->geometric);
}

dew_Finish dew_traced_finish(const dew_TracedScene *stage, const dew_TracedHit *hit,
                             dew_Float3 normal, bool is_under_liquid, dew_Float3 *bump)
{
    const dew_RenderBody *body = &DEW_ITEMS(&stage->scene->bodies, const dew_RenderBody)[hit->body];
    const dew_Float3 *own = stage->scene->own.data;
    const uint32_t *v = stage->triangles[hit->triangle].v;
    dew_Float3 point = interpolate(own[v[0]], own[v[1]], own[v[2]], hit->u, hit->v);
    dew_Float3 turned = dew_f3_from(dew_rotate(body->to_own, dew_f3_wide(normal)));
    float wetness = body->wet_map && !is_under_liquid ? dew_wet_map_at(body->wet_map, point) : 0;
    dew_Finish finish = dew_look_at(&body->look, point, turned, wetness);
    *bump = dew_f3_all(0);
    if (dew_f3_length2(finish.bump) > 0)
        *bump =
            dew_f3_from(dew_rotate(dew_rotation_inverse(body->to_own), dew_f3_wide(finish.bump)));
    return finish;
}

// ---- media -------------------------------------------------------------------------------------

static float ior_of(const dew_TracedScene *stage, const dew_Media *media)
{
    uint16_t body = dew_media_body(media);
    return body == DEW_AIR ? 1 : stage->bodies[body].ior;
}

dew_RayCrossing dew_traced_cross(const dew_TracedScene *stage, const dew_TracedHit *hit,
                                 const dew_Media *media)
{
    const dew_TracedBody *body = &stage->bodies[hit->body];
    dew_RayCrossing crossing = {.media_behind = *media};
    if (hit->is_entering) {
        int top = dew_media_top(media);
        dew_media_enter(&crossing.media_behind, hit->body, body->priority);
        if (top >= 0 && media->priority[top] >= body->priority)
            return crossing;
        crossing.ior_before = ior_of(stage, media);
        crossing.ior_behind = body->ior;
    } else {
        dew_media_leave(&crossing.media_behind, hit->body);
        int top = dew_media_top(&crossing.media_behind);
        if (top >= 0 && crossing.media_behind.priority[top] >= body->priority)
            return crossing;
        crossing.ior_before = body->ior;
        crossing.ior_behind = ior_of(stage, &crossing.media_behind);
    }
    crossing.is_optical = crossing.ior_before != crossing.ior_behind;
    return crossing;
}

dew_Float3 dew_traced_absorb(const dew_TracedScene *stage, const dew_Media *media, float t,
                             dew_Float3 light)
{
    uint16_t body = dew_media_body(media);
    if (body == DEW_AIR || !stage->bodies[body].absorbs)
        return light;
    dew_Float3 a = stage->bodies[body].absorption;
    return dew_f3(light.x * expf(-a.x * t), light.y * expf(-a.y * t), light.z * expf(-a.z * t));
}

float dew_traced_fade(const dew_TracedBody *body, dew_Float3 position)
{
    // Even in the reciprocal of the distance, which is how far below the horizon it is seen.
    float distance = sqrtf(dew_f3_length2(dew_f3_sub(position, body->fade_center)));
    float begin = 1 / body->fade_begin, end = 1 / body->fade_end;
    float t = (begin - 1 / dew_maxf(distance, body->fade_begin)) / (begin - end);
    t = dew_minf(dew_maxf(t, 0), 1);
    return t * t * (3 - 2 * t);
}
