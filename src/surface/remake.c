// Tangled pieces made anew. See remake.h.
#include "surface/remake.h"

#include "base/status.h"
#include "geom/mesh_distance.h"
#include "geom/mesh_measure.h"
#include "geom/shapes.h"
#include "surface/implicit_mesh.h"

#include <string.h>

#define MAX_NODES_PER_SIDE 64  // of the grid of marching cubes: 2 MB of samples
#define BALL_FREQUENCY     6   // of the icosphere: 720 triangles

typedef struct Remake {
    dew_Surface *surface;
    const dew_RemakeDef *def;
    dew_Surface *made;  // the new pieces
    uint8_t *is_gone;   // per vertex: of a group that was made anew
    uint32_t *number;   // per vertex: in what it was copied to
    dew_Arena *scratch;
} Remake;

static double value(const void *context, dew_Vec3 p)
{
    return dew_mesh_distance_at(context, p).closest.distance;
}

// The group of vertex g as a mesh, and the vertices it was copied from.
static dew_Status copy_group(Remake *r, uint32_t g, dew_Mesh *mesh, dew_Array *sources)
{
    const dew_Surface *s = r->surface;
    dew_mesh_clear(mesh);
    sources->count = 0;
    for (uint32_t v = 0; v < s->positions.count; v++) {
        if (r->def->group[v] != g)
            continue;
        r->number[v] = (uint32_t)mesh->positions.count;
        DEW_TRY(dew_mesh_add_vertex(mesh, DEW_ITEMS(&s->positions, dew_Vec3)[v]));
        DEW_TRY(dew_array_push(sources, &v));
    }
    for (int64_t t = 0; t < s->triangles.count; t++) {
        const uint32_t *v = DEW_ITEMS(&s->triangles, dew_Triangle)[t].v;
        if (r->def->group[v[0]] == g)
            DEW_TRY(dew_mesh_add_triangle(mesh, r->number[v[0]], r->number[v[1]], r->number[v[2]]));
    }
    return dew_ok();
}

static dew_Status march(const dew_Mesh *old, const dew_MeshDistance *distance, dew_Mesh *fresh)
{
    const dew_Vec3 *x = dew_mesh_positions(old);
    dew_Box box = dew_box_empty();
    for (int64_t i = 0; i < old->positions.count; i++)
        box = dew_box_add(box, x[i]);
    double edge = 0;
    for (int64_t t = 0; t < old->triangles.count; t++) {
        const uint32_t *v = dew_mesh_triangles(old)[t].v;
        edge += dew_distance(x[v[0]], x[v[1]]) / (double)old->triangles.count;
    }
    dew_Vec3 size = dew_sub(box.max, box.min);
    double longest = fmax(size.x, fmax(size.y, size.z));
    edge = fmax(edge, longest / MAX_NODES_PER_SIDE);
    dew_Vec3 margin = dew_scale(3 * edge, dew_vec(1, 1, 1));
    dew_Implicit implicit = {.value = value,
                             .context = distance,
                             .box = {dew_sub(box.min, margin), dew_add(box.max, margin)},
                             .max_slope = 1};
    return dew_implicit_mesh(&implicit, edge, fresh);
}

// Scales the mesh about its centroid to the volume wanted; false: it encloses nothing.
static bool scale(dew_Mesh *mesh, double volume_m3)
{
    dew_MeshMeasure m = dew_mesh_measure(mesh);
    if (!(m.volume_m3 > 0))
        return false;
    double by = cbrt(volume_m3 / m.volume_m3);
    dew_Vec3 *x = DEW_ITEMS(&mesh->positions, dew_Vec3);
    for (int64_t i = 0; i < mesh->positions.count; i++)
        x[i] = dew_add_scaled(m.centroid_m, by, dew_sub(x[i], m.centroid_m));
    return true;
}

static dew_Status make_ball(const dew_MeshMeasure *of, dew_Mesh *fresh)
{
    dew_mesh_clear(fresh);
    DEW_TRY(dew_shape_icosphere(1, BALL_FREQUENCY, fresh));
    scale(fresh, of->volume_m3);
    dew_Vec3 *x = DEW_ITEMS(&fresh->positions, dew_Vec3);
    for (int64_t i = 0; i < fresh->positions.count; i++)
        x[i] = dew_add(x[i], of->centroid_m);
    return dew_ok();
}

// What the new vertices from `first` on take over from the nearest corner of the old mesh.
static void inherit(const Remake *r, const dew_MeshDistance *distance, const dew_Mesh *old,
                    const uint32_t *sources, int64_t first)
{
    const dew_Surface *from = r->surface;
    dew_Surface *to = r->made;
    for (int64_t i = first; i < to->positions.count; i++) {
        dew_MeshClosest near =
            dew_mesh_distance_at(distance, DEW_ITEMS(&to->positions, dew_Vec3)[i]);
        const double *weight = near.weight;
        int corner = weight[0] >= weight[1] && weight[0] >= weight[2] ? 0
                     : weight[1] >= weight[2]                         ? 1
                                                                      : 2;
        uint32_t v = sources[dew_mesh_triangles(old)[near.triangle].v[corner]];
        DEW_ITEMS(&to->velocities, dew_Vec3)[i] = DEW_ITEMS(&from->velocities, dew_Vec3)[v];
        DEW_ITEMS(&to->wet, float)[i] = DEW_ITEMS(&from->wet, float)[v];
        DEW_ITEMS(&to->solid_normals, dew_Vec3)[i] = DEW_ITEMS(&from->solid_normals, dew_Vec3)[v];
    }
}

static dew_Status make_group(Remake *r, uint32_t g, dew_Mesh *old, dew_Mesh *fresh,
                             dew_Array *sources)
{
    DEW_TRY(copy_group(r, g, old, sources));
    dew_MeshMeasure measure = dew_mesh_measure(old);
    if (old->triangles.count == 0 || !(measure.volume_m3 > 0))
        return dew_ok();
    dew_MeshDistance *distance;
    DEW_TRY(dew_mesh_distance_create(old, DEW_SIGN_WINDING, r->def->tasks, &r->surface->allocator,
                                     &distance));
    dew_Status status = r->def->as_balls ? dew_ok() : march(old, distance, fresh);
    if (status.code == DEW_OK && (r->def->as_balls || !scale(fresh, measure.volume_m3)))
        status = make_ball(&measure, fresh);
    int64_t first = r->made->positions.count;
    if (status.code == DEW_OK)
        status = dew_surface_append_mesh(r->made, fresh, dew_vec(0, 0, 0));
    if (status.code == DEW_OK)
        inherit(r, distance, old, DEW_ITEMS(sources, uint32_t), first);
    dew_mesh_distance_destroy(distance);
    for (uint32_t v = 0; status.code == DEW_OK && v < r->surface->positions.count; v++)
        r->is_gone[v] |= r->def->group[v] == g;
    return status;
}

// ---- the surface -------------------------------------------------------------------------------

static dew_Status make_all(Remake *r)
{
    dew_Mesh old, fresh;
    dew_Array sources;
    dew_Status status = dew_ok();
    dew_mesh_init(&old, &r->surface->allocator);
    dew_mesh_init(&fresh, &r->surface->allocator);
    dew_array_init(&sources, &r->surface->allocator, sizeof(uint32_t));
    for (uint32_t v = 0; status.code == DEW_OK && v < r->surface->positions.count; v++)
        if (r->def->is_bad[v] && r->def->group[v] == v)
            status = make_group(r, v, &old, &fresh, &sources);
    dew_array_deinit(&sources);
    dew_mesh_deinit(&fresh);
    dew_mesh_deinit(&old);
    return status;
}

static void drop_gone(Remake *r)
{
    dew_Surface *s = r->surface;
    int64_t kept = 0, triangles = 0;
    for (int64_t v = 0; v < s->positions.count; v++) {
        if (r->is_gone[v])
            continue;
        r->number[v] = (uint32_t)kept;
        DEW_ITEMS(&s->positions, dew_Vec3)[kept] = DEW_ITEMS(&s->positions, dew_Vec3)[v];
        DEW_ITEMS(&s->velocities, dew_Vec3)[kept] = DEW_ITEMS(&s->velocities, dew_Vec3)[v];
        DEW_ITEMS(&s->wet, float)[kept] = DEW_ITEMS(&s->wet, float)[v];
        DEW_ITEMS(&s->solid_normals, dew_Vec3)[kept] = DEW_ITEMS(&s->solid_normals, dew_Vec3)[v];
        kept++;
    }
    for (int64_t t = 0; t < s->triangles.count; t++) {
        dew_Triangle triangle = DEW_ITEMS(&s->triangles, dew_Triangle)[t];
        if (r->is_gone[triangle.v[0]])
            continue;
        for (int c = 0; c < 3; c++)
            triangle.v[c] = r->number[triangle.v[c]];
        DEW_ITEMS(&s->triangles, dew_Triangle)[triangles++] = triangle;
    }
    s->positions.count = s->velocities.count = s->wet.count = s->solid_normals.count = kept;
    s->triangles.count = triangles;
}

static dew_Status append_made(dew_Surface *to, const dew_Surface *made)
{
    int64_t n = to->positions.count, t = to->triangles.count, count = made->positions.count;
    DEW_TRY(dew_surface_resize(to, n + count, t + made->triangles.count));
    for (int64_t i = 0; i < count; i++) {
        DEW_ITEMS(&to->positions, dew_Vec3)[n + i] = DEW_ITEMS(&made->positions, dew_Vec3)[i];
        DEW_ITEMS(&to->velocities, dew_Vec3)[n + i] = DEW_ITEMS(&made->velocities, dew_Vec3)[i];
        DEW_ITEMS(&to->wet, float)[n + i] = DEW_ITEMS(&made->wet, float)[i];
        DEW_ITEMS(&to->solid_normals, dew_Vec3)
        [n + i] = DEW_ITEMS(&made->solid_normals, dew_Vec3)[i];
    }
    for (int64_t i = 0; i < made->triangles.count; i++)
        for (int c = 0; c < 3; c++)
            DEW_ITEMS(&to->triangles, dew_Triangle)
    [t + i].v[c] = (uint32_t)n + DEW_ITEMS(&made->triangles, dew_Triangle)[i].v[c];
    return dew_ok();
}

dew_Status dew_surface_remake(dew_Surface *surface, const dew_RemakeDef *def)
{
    int64_t n = surface->positions.count;
    dew_ArenaMark mark = dew_arena_mark(&surface->scratch);
    Remake r = {.surface = surface,
                .def = def,
                .is_gone = dew_arena_array(&surface->scratch, uint8_t, n),
                .number = dew_arena_array(&surface->scratch, uint32_t, n),
                .scratch = &surface->scratch};
    if (!r.is_gone || !r.number)
        return dew_no_memory((size_t)n * sizeof *r.number);
    DEW_TRY(dew_surface_create(&surface->allocator, &r.made));
    dew_Status status = make_all(&r);
    if (status.code == DEW_OK) {
        drop_gone(&r);
        status = append_made(surface, r.made);
    }
    dew_surface_destroy(r.made);
    dew_arena_rewind(&surface->scratch, mark);
    return status;
}
