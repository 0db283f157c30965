// Splits triangles until no edge is longer than asked.
//
// In each pass the edges that are too long get a vertex in their middle; a triangle is then cut
// into two, three or four by the marks of its own edges. Since the mark belongs to the edge, both
// triangles at it see the same cut and no crack opens. A triangle with two marks is cut along the
// shorter diagonal.
#include "problem/refine.h"

#include "base/arena.h"
#include "base/status.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_measure.h"

#define NO_VERTEX UINT32_MAX

// Vertices in the middle of half-edges; NO_VERTEX: not cut.
static dew_Status mark_edges(dew_Mesh *mesh, double max_edge_m, dew_Arena *arena,
                             uint32_t *half_edge_middle, int64_t *cut_count)
{
    dew_MeshEdges edges;
    DEW_TRY(dew_mesh_edges(mesh, arena, &edges));
    *cut_count = 0;
    for (int64_t e = 0; e < edges.edge_count; e++) {
        uint32_t h = edges.half_edges[edges.first[e]], middle = NO_VERTEX;
        const dew_Triangle *t = dew_mesh_triangles(mesh);
        dew_Vec3 a = dew_mesh_positions(mesh)[dew_half_edge_from(t, h)];
        dew_Vec3 b = dew_mesh_positions(mesh)[dew_half_edge_to(t, h)];
        if (dew_distance(a, b) > max_edge_m) {
            middle = (uint32_t)mesh->positions.count;
            dew_Vec3 m = dew_combine(0.5, a, 0.5, b);
            DEW_TRY(dew_array_push(&mesh->positions, &m));
            (*cut_count)++;
        }
        for (uint32_t k = edges.first[e]; k < edges.first[e + 1]; k++)
            half_edge_middle[edges.half_edges[k]] = middle;
    }
    return dew_ok();
}

static dew_Status push(dew_Array *out, uint32_t a, uint32_t b, uint32_t c)
{
    return dew_array_push(out, &(dew_Triangle){{a, b, c}});
}

// A triangle whose first edge (from v0 to v1) is cut at m0, and whose second may be cut at m1.
static dew_Status cut_one_or_two(const dew_Vec3 *x, const uint32_t v[3], uint32_t m0, uint32_t m1,
                                 dew_Array *out)
{
    if (m1 == NO_VERTEX) {
        DEW_TRY(push(out, v[0], m0, v[2]));
        return push(out, m0, v[1], v[2]);
    }
    DEW_TRY(push(out, m0, v[1], m1));
    if (dew_distance(x[v[0]], x[m1]) < dew_distance(x[m0], x[v[2]])) {
        DEW_TRY(push(out, v[0], m0, m1));
        return push(out, v[0], m1, v[2]);
    }
    DEW_TRY(push(out, v[0], m0, v[2]));
    return push(out, m0, m1, v[2]);
}

static dew_Status cut_triangle(const dew_Vec3 *x, const uint32_t v[3], const uint32_t m[3],
                               dew_Array *out)
{
    int marks = (m[0] != NO_VERTEX) + (m[1] != NO_VERTEX) + (m[2] != NO_VERTEX);
    if (marks == 0)
        return push(out, v[0], v[1], v[2]);
    if (marks == 3) {
        DEW_TRY(push(out, v[0], m[0], m[2]));
        DEW_TRY(push(out, v[1], m[1], m[0]));
        DEW_TRY(push(out, v[2], m[2], m[1]));
        return push(out, m[0], m[1], m[2]);
    }
    // Turn it so that the first edge is marked and, of two marks, the second too.
    int i = 0;
    while (m[i] == NO_VERTEX || (marks == 2 && m[(i + 1) % 3] == NO_VERTEX))
        i++;
    uint32_t turned[3] = {v[i], v[(i + 1) % 3], v[(i + 2) % 3]};
    return cut_one_or_two(x, turned, m[i], marks == 2 ? m[(i + 1) % 3] : NO_VERTEX, out);
}

static dew_Status too_many(double max_edge_m)
{
    return dew_fail(DEW_BAD_INPUT,
                    "edges of %g m would need more than %d triangles (ask for longer edges)",
                    max_edge_m, DEW_REFINE_MAX_TRIANGLES);
}

static dew_Status refine_pass(dew_Mesh *mesh, double max_edge_m, dew_Arena *arena, dew_Array *out,
                              int64_t *cut_count)
{
    int64_t n = mesh->triangles.count;
    uint32_t *middle = dew_arena_array(arena, uint32_t, 3 * n);
    if (!middle)
        return dew_no_memory(3 * (size_t)n * sizeof(uint32_t));
    DEW_TRY(mark_edges(mesh, max_edge_m, arena, middle, cut_count));
    if (*cut_count == 0)
        return dew_ok();
    DEW_TRY(dew_array_resize(out, 0));
    for (int64_t t = 0; t < n; t++) {
        if (out->count > DEW_REFINE_MAX_TRIANGLES)
            return too_many(max_edge_m);
        DEW_TRY(cut_triangle(dew_mesh_positions(mesh), dew_mesh_triangles(mesh)[t].v,
                             middle + 3 * t, out));
    }
    return dew_array_copy(&mesh->triangles, out);
}

dew_Status dew_mesh_refine(dew_Mesh *mesh, double max_edge_m)
{
    DEW_ASSERT(max_edge_m > 0);
    // No triangle of such edges is larger than the equilateral one: refuse before memory is spent.
    double largest_m2 = sqrt(3) / 4 * max_edge_m * max_edge_m;
    if (dew_mesh_measure(mesh).area_m2 > DEW_REFINE_MAX_TRIANGLES * largest_m2)
        return too_many(max_edge_m);
    for (int64_t i = 0; i < mesh->attributes.count; i++)
        dew_array_deinit(&DEW_ITEMS(&mesh->attributes, dew_MeshAttribute)[i].values);
    mesh->attributes.count = 0;
    dew_Arena arena;
    dew_arena_init(&arena, &mesh->allocator);
    dew_Array triangles;
    dew_array_init(&triangles, &mesh->allocator, sizeof(dew_Triangle));
    dew_Status status = dew_ok();
    int64_t cut_count = 1;
    while (status.code == DEW_OK && cut_count > 0) {
        dew_arena_clear(&arena);
        status = refine_pass(mesh, max_edge_m, &arena, &triangles, &cut_count);
    }
    dew_array_deinit(&triangles);
    dew_arena_deinit(&arena);
    return status;
}
