// Signed distance of a closed mesh.
//
// The closest point comes from the tree. Its sign, for a clean mesh, is that of the scalar product
// with the pseudonormal of the feature that the closest point lies on [Baerentzen2005]: the face's
// normal, the sum of both faces' normals on an edge, the sum weighted by angles at a vertex.
// Otherwise it is the winding number's: inside above one half.
//
// Closed parts inside one another with the same orientation (a solid in a solid) are clean each by
// itself, but between them pseudonormals would say outside. The winding number just below the
// surface detects them: it must be 1.
#include "geom/mesh_distance.h"

#include "base/status.h"
#include "geom/mesh_audit.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_measure.h"
#include "geom/winding.h"

#define WINDING_ACCURACY 2.0  // beta of [Barill2018]: radii within which clusters are opened

struct dew_MeshDistance {
    dew_Bvh *bvh;
    dew_MeshSign sign;
    // DEW_SIGN_NORMALS, in the tree's order:
    uint32_t *neighbour;      // [3 slot + i]: slot across edge i
    dew_Vec3 *vertex_normal;  // per tree vertex
    // DEW_SIGN_WINDING:
    dew_WindingCluster *clusters;
    dew_Arena arena;
};

// ---- making it ---------------------------------------------------------------------------------

static dew_Status link_neighbours(dew_MeshDistance *d, const dew_MeshEdges *edges,
                                  const dew_Triangle *triangles, const uint32_t *slot_of)
{
    for (int64_t e = 0; e < edges->edge_count; e++) {
        uint32_t begin = edges->first[e], count = edges->first[e + 1] - begin;
        uint32_t a = edges->half_edges[begin];
        uint32_t b = count == 2 ? edges->half_edges[begin + 1] : a;
        if (count != 2 || dew_half_edge_from(triangles, a) != dew_half_edge_to(triangles, b))
            return dew_fail(DEW_BAD_INPUT,
                            "an edge of triangle %u has %u triangles or they face opposite ways (a "
                            "solid needs two that agree)",
                            a / 3, count);
        d->neighbour[3 * (int64_t)slot_of[a / 3] + a % 3] = slot_of[b / 3];
        d->neighbour[3 * (int64_t)slot_of[b / 3] + b % 3] = slot_of[a / 3];
    }
    return dew_ok();
}

static dew_Status prepare_normals(dew_MeshDistance *d, const dew_Mesh *mesh, dew_Arena *scratch)
{
    const dew_Bvh *bvh = d->bvh;
    d->neighbour = dew_arena_array(&d->arena, uint32_t, 3 * bvh->triangle_count);
    d->vertex_normal = dew_arena_array(&d->arena, dew_Vec3, bvh->vertex_count);
    uint32_t *slot_of = dew_arena_array(scratch, uint32_t, bvh->triangle_count);
    dew_Vec3 *normals = dew_arena_array(scratch, dew_Vec3, mesh->positions.count);
    if (!d->neighbour || !d->vertex_normal || !slot_of || !normals)
        return dew_no_memory((size_t)mesh->positions.count * sizeof(dew_Vec3));
    for (int64_t s = 0; s < bvh->triangle_count; s++)
        slot_of[bvh->triangle_id[s]] = (uint32_t)s;
    dew_MeshEdges edges;
    DEW_TRY(dew_mesh_edges(mesh, scratch, &edges));
    DEW_TRY(link_neighbours(d, &edges, dew_mesh_triangles(mesh), slot_of));
    dew_mesh_vertex_normals(mesh, normals);
    for (int64_t v = 0; v < bvh->vertex_count; v++)
        d->vertex_normal[v] = normals[bvh->vertex_id[v]];
    return dew_ok();
}

static dew_Status prepare_winding(dew_MeshDistance *d)
{
    d->clusters =
        dew_arena_array(&d->arena, dew_WindingCluster, DEW_BVH_WIDTH * d->bvh->node_count);
    if (!d->clusters)
        return dew_no_memory((size_t)d->bvh->node_count * sizeof(dew_WindingCluster));
    dew_winding_clusters(d->bvh, d->clusters);
    return dew_ok();
}

// Is the winding number 1 just below the surface of each component?
static dew_Status check_nesting(dew_MeshDistance *d, const dew_Mesh *mesh, dew_Arena *scratch,
                                bool *is_single)
{
    DEW_TRY(prepare_winding(d));
    uint32_t *label = dew_arena_array(scratch, uint32_t, mesh->triangles.count);
    uint32_t *vertex_label = dew_arena_array(scratch, uint32_t, mesh->positions.count);
    bool *is_done = dew_arena_array(scratch, bool, mesh->triangles.count);
    if (!label || !vertex_label || !is_done)
        return dew_no_memory((size_t)mesh->triangles.count * sizeof *label);
    dew_mesh_components(mesh, label, vertex_label);
    *is_single = true;
    for (int64_t t = 0; t < mesh->triangles.count && *is_single; t++) {
        if (is_done[label[t]])
            continue;
        is_done[label[t]] = true;
        const uint32_t *v = dew_mesh_triangles(mesh)[t].v;
        const dew_Vec3 *x = dew_mesh_positions(mesh);
        dew_Vec3 n = dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]);
        dew_Vec3 middle = dew_scale(1.0 / 3, dew_add(x[v[0]], dew_add(x[v[1]], x[v[2]])));
        // A thousandth of the triangle's size below it.
        dew_Vec3 p = dew_add_scaled(middle, -1e-3 / sqrt(dew_length(n)), n);
        double winding = dew_winding_fast(d->bvh, d->clusters, p, WINDING_ACCURACY);
        *is_single = fabs(winding - 1) < 0.25;
    }
    return dew_ok();
}

static dew_Status choose_sign(dew_MeshDistance *d, const dew_Mesh *mesh, dew_Tasks *tasks,
                              dew_Arena *scratch)
{
    dew_MeshAuditDef def = {.allocator = d->arena.allocator, .tasks = tasks};
    dew_MeshAudit audit;
    DEW_TRY(dew_mesh_audit(mesh, &def, &audit));
    bool is_clean =
        audit.is_closed && audit.is_manifold && audit.is_oriented && !audit.has_self_intersections;
    if (is_clean && audit.component_count > 1)
        DEW_TRY(check_nesting(d, mesh, scratch, &is_clean));
    d->sign = is_clean ? DEW_SIGN_NORMALS : DEW_SIGN_WINDING;
    return dew_ok();
}

static dew_Status prepare(dew_MeshDistance *d, const dew_Mesh *mesh, dew_Tasks *tasks,
                          dew_Arena *scratch)
{
    if (mesh->triangles.count == 0)
        return dew_fail(DEW_BAD_INPUT, "a mesh without triangles has no distance");
    DEW_TRY(dew_bvh_create(mesh, tasks, &d->arena.allocator, &d->bvh));
    if (d->sign == DEW_SIGN_AUTO)
        DEW_TRY(choose_sign(d, mesh, tasks, scratch));
    if (d->sign == DEW_SIGN_NORMALS)
        return prepare_normals(d, mesh, scratch);
    return d->clusters ? dew_ok() : prepare_winding(d);
}

dew_Status dew_mesh_distance_create(const dew_Mesh *mesh, dew_MeshSign sign, dew_Tasks *tasks,
                                    const dew_Allocator *allocator, dew_MeshDistance **out)
{
    *out = NULL;
    dew_MeshDistance *d = dew_alloc(allocator, 1, sizeof *d);
    if (!d)
        return dew_no_memory(sizeof *d);
    d->sign = sign;
    dew_arena_init(&d->arena, allocator);
    dew_Arena scratch;
    dew_arena_init(&scratch, allocator);
    dew_Status status = prepare(d, mesh, tasks, &scratch);
    dew_arena_deinit(&scratch);
    if (status.code != DEW_OK) {
        dew_mesh_distance_destroy(d);
        return status;
    }
    *out = d;
    return dew_ok();
}

void dew_mesh_distance_destroy(dew_MeshDistance *d)
{
    if (!d)
        return;
    dew_Allocator allocator = d->arena.allocator;
    dew_bvh_destroy(d->bvh);
    dew_arena_deinit(&d->arena);
    dew_free(&allocator, d, sizeof *d);
}

dew_MeshSign dew_mesh_distance_sign(const dew_MeshDistance *d)
{
    return d->sign;
}

const dew_Bvh *dew_mesh_distance_bvh(const dew_MeshDistance *d)
{
    return d->bvh;
}

// ---- asking it ---------------------------------------------------------------------------------

static dew_Vec3 face_normal(const dew_Bvh *bvh, uint32_t slot)
{
    const uint32_t *v = bvh->triangles[slot].v;
    const dew_Vec3 *x = bvh->vertices;
    return dew_normalize(dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]));
}

// Direction that separates the sides of the surface where the closest point lies; unit length.
static dew_Vec3 pseudonormal(const dew_MeshDistance *d, const dew_BvhClosest *found)
{
    dew_Vec3 n = face_normal(d->bvh, found->slot);
    if (d->sign == DEW_SIGN_WINDING || found->feature == DEW_FEATURE_FACE)
        return n;
    if (found->feature == DEW_FEATURE_VERTEX)
        return d->vertex_normal[d->bvh->triangles[found->slot].v[found->corner]];
    uint32_t other = d->neighbour[3 * (int64_t)found->slot + found->corner];
    return dew_normalize(dew_add(n, face_normal(d->bvh, other)));
}

static bool is_inside(const dew_MeshDistance *d, dew_Vec3 p, const dew_BvhClosest *found,
                      dew_Vec3 normal)
{
    if (d->sign == DEW_SIGN_WINDING)
        return dew_winding_fast(d->bvh, d->clusters, p, WINDING_ACCURACY) > 0.5;
    return dew_inner(found->offset, normal) > 0;
}

static dew_MeshClosest with_sign(const dew_MeshDistance *d, dew_Vec3 p, const dew_BvhClosest *found)
{
    dew_Vec3 normal = pseudonormal(d, found);
    double sign = is_inside(d, p, found, normal) ? -1 : 1;
    // The gradient of the distance, unless the point is so near that rounding would turn it.
    if (found->distance * d->bvh->scale > DEW_DIRECTION_ROUNDING)
        normal = dew_scale(-sign / found->distance, found->offset);
    return (dew_MeshClosest){
        .closest = {sign * found->distance, found->point, normal},
        .weight = {found->weight[0], found->weight[1], found->weight[2]},
        .triangle = found->triangle,
    };
}

bool dew_mesh_distance_within(const dew_MeshDistance *d, dew_Vec3 p, double max_distance,
                              dew_MeshClosest *out)
{
    dew_BvhClosest found;
    if (!dew_bvh_closest(d->bvh, p, max_distance, &found))
        return false;
    *out = with_sign(d, p, &found);
    return true;
}

dew_MeshClosest dew_mesh_distance_near(const dew_MeshDistance *d, dew_Vec3 p, double reach_m)
{
    dew_MeshClosest out;
    if (dew_mesh_distance_within(d, p, reach_m, &out) ||
        dew_mesh_distance_within(d, p, HUGE_VAL, &out))
        return out;
    // Only a point that is not a number is nowhere near.
    return (dew_MeshClosest){.closest = {(double)NAN, p, {0, 1, 0}}};
}

dew_MeshClosest dew_mesh_distance_at(const dew_MeshDistance *d, dew_Vec3 p)
{
    return dew_mesh_distance_near(d, p, HUGE_VAL);
}

bool dew_mesh_distance_is_inside(const dew_MeshDistance *d, dew_Vec3 p)
{
    if (!dew_box_contains(d->bvh->box, p))
        return false;
    if (d->sign == DEW_SIGN_WINDING)
        return dew_winding_fast(d->bvh, d->clusters, p, WINDING_ACCURACY) > 0.5;
    return dew_mesh_distance_at(d, p).closest.distance < 0;
}

typedef struct ManyContext {
    const dew_MeshDistance *distance;
    const dew_Vec3 *points;
    double *distances;
} ManyContext;

static dew_Status ask_many(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    ManyContext *c = context;
    for (int64_t i = begin; i < end; i++)
        c->distances[i] = dew_mesh_distance_at(c->distance, c->points[i]).closest.distance;
    return dew_ok();
}

void dew_mesh_distance_many(const dew_MeshDistance *d, dew_Tasks *tasks, const dew_Vec3 *points,
                            int64_t count, double *distances)
{
    ManyContext context = {d, points, distances};
    (void)dew_parallel_for(tasks, count, 1024, ask_many, &context);  // no chunk can fail
}
