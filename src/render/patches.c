// Curved patches over triangles, and normals for them.
//
// The points of an edge are made once, from its lower to its higher vertex, and shared by the
// triangles on both sides: no cracks. All triangles are cut alike.
#include "render/patches.h"

#include "base/status.h"
#include "geom/mesh_edges.h"

#include <string.h>

#define CREASED                                                                                    \
    0.5f  // cosine between normals of neighbours beyond which the surface has an edge there
#define SMOOTHING_PASSES 3

// ---- normals -----------------------------------------------------------------------------------

// Half-edges by the vertex they leave, as offsets and a list.
typedef struct Fans {
    uint32_t *first, *corners;
} Fans;

static dew_Status gather_fans(const dew_Mesh *mesh, dew_Arena *scratch, Fans *fans)
{
    int64_t vertices = mesh->positions.count, corners = 3 * mesh->triangles.count;
    const uint32_t *v = mesh->triangles.data;
    fans->first = dew_arena_array(scratch, uint32_t, vertices + 2);
    fans->corners = dew_arena_array(scratch, uint32_t, corners);
    if (!fans->first || !fans->corners)
        return dew_no_memory((size_t)(vertices + corners) * sizeof(uint32_t));
    for (int64_t c = 0; c < corners; c++)
        fans->first[v[c] + 2]++;
    for (int64_t i = 0; i < vertices; i++)
        fans->first[i + 2] += fans->first[i + 1];
    for (int64_t c = 0; c < corners; c++)
        fans->corners[fans->first[v[c] + 1]++] = (uint32_t)c;
    return dew_ok();
}

// The contribution of a triangle to the normal at its corner: e1 x e2 / (|e1|^2 |e2|^2), eq. (2) of
// [Max1999], of the edges that leave the corner.
static dew_Vec3 corner_weight(const dew_Vec3 *x, const dew_Triangle *triangle, int corner)
{
    dew_Vec3 p = x[triangle->v[corner]];
    dew_Vec3 a = dew_sub(x[triangle->v[(corner + 1) % 3]], p);
    dew_Vec3 b = dew_sub(x[triangle->v[(corner + 2) % 3]], p);
    double scale = dew_length2(a) * dew_length2(b);
    return scale > 0 ? dew_scale(1 / scale, dew_cross(a, b)) : dew_vec(0, 0, 0);
}

// unit: a length near that of edges, so that weights are near 1 and floats add them well.
static void add_corner(const dew_Mesh *mesh, int64_t t, int corner, double unit,
                       dew_Float3 *normals)
{
    const dew_Triangle *triangle = &dew_mesh_triangles(mesh)[t];
    dew_Vec3 weight = corner_weight(dew_mesh_positions(mesh), triangle, corner);
    dew_Float3 *n = &normals[triangle->v[corner]];
    *n = dew_f3_add(*n, dew_f3_from(dew_scale(unit * unit, weight)));
}

// Length of an edge, the first with a length: the unit in which weights are near 1.
static double some_edge(const dew_Mesh *mesh)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        double length = dew_distance(x[triangles[t].v[0]], x[triangles[t].v[1]]);
        if (length > 0)
            return length;
    }
    return 1;
}

void dew_patches_normals(const dew_Mesh *mesh, const uint8_t *is_hidden, dew_Float3 *normals)
{
    double unit = some_edge(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    memset(normals, 0, (size_t)mesh->positions.count * sizeof *normals);
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int k = 0; k < 3 && !(is_hidden && is_hidden[t]); k++)
            add_corner(mesh, t, k, unit, normals);
    // Vertices of hidden triangles only: one of theirs.
    for (int64_t t = 0; is_hidden && t < mesh->triangles.count; t++)
        for (int k = 0; k < 3; k++)
            if (is_hidden[t] && dew_f3_length2(normals[triangles[t].v[k]]) == 0)
                add_corner(mesh, t, k, unit, normals);
    for (int64_t v = 0; v < mesh->positions.count; v++)
        normals[v] = dew_f3_unit(normals[v]);
}

// The plane f(x) = a + B x that fits the values around a vertex best, x along the surface from the
// vertex: a. Normal equations of the three unknowns of each component, by Cramer. False: they tell
// of no plane, or the surface has a crease.
static bool fit_plane(const dew_Mesh *mesh, const dew_Float3 *normals, const dew_Float3 *values,
                      uint32_t vertex, const uint32_t *corners, int64_t count, dew_Float3 *out)
{
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    dew_Vec3 n = dew_f3_wide(normals[vertex]), t[2] = {dew_any_tangent(n)};
    t[1] = dew_cross(n, t[0]);
    double m[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, size = 0;
    dew_Vec3 right[3] = {dew_f3_wide(values[vertex]), {0, 0, 0}, {0, 0, 0}};
    for (int64_t i = 0; i < count; i++) {
        uint32_t c = corners[i], other = triangles[c / 3].v[(c % 3 + 1) % 3];
        dew_Vec3 offset = dew_sub(x[other], x[vertex]);
        if (dew_f3_inner(normals[vertex], normals[other]) < CREASED)
            return false;
        double row[3] = {1, dew_inner(offset, t[0]), dew_inner(offset, t[1])};
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                m[j][k] += row[j] * row[k];
            right[j] = dew_add_scaled(right[j], row[j], dew_f3_wide(values[other]));
        }
        size += dew_length2(offset);
    }
    double minor[3] = {m[1][1] * m[2][2] - m[1][2] * m[2][1], m[0][2] * m[2][1] - m[0][1] * m[2][2],
                       m[0][1] * m[1][2] - m[0][2] * m[1][1]};
    double determinant = m[0][0] * minor[0] + m[1][0] * minor[1] + m[2][0] * minor[2];
    if (!(determinant > 1e-3 * size * size))
        return false;
    dew_Vec3 sum = dew_combine(minor[0], right[0], minor[1], right[1]);
    *out = dew_f3_from(dew_scale(1 / determinant, dew_add_scaled(sum, minor[2], right[2])));
    return true;
}

// Values smoothed around vertices whose triangles are all seen; others keep theirs.
static void even(const dew_Mesh *mesh, const uint8_t *is_hidden, const Fans *fans,
                 const dew_Float3 *normals, const dew_Float3 *values, dew_Float3 *out)
{
    for (int64_t v = 0; v < mesh->positions.count; v++) {
        const uint32_t *corners = fans->corners + fans->first[v];
        int64_t degree = fans->first[v + 1] - fans->first[v];
        bool is_seen = degree > 2;
        for (int64_t i = 0; i < degree && is_hidden; i++)
            is_seen = is_seen && !is_hidden[corners[i] / 3];
        if (!is_seen || !fit_plane(mesh, normals, values, (uint32_t)v, corners, degree, &out[v]))
            out[v] = values[v];
    }
}

dew_Status dew_patches_even_normals(const dew_Mesh *mesh, const uint8_t *is_hidden,
                                    dew_Arena *scratch, dew_Float3 *normals)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t count = mesh->positions.count;
    Fans fans;
    dew_Status status = gather_fans(mesh, scratch, &fans);
    dew_Float3 *once = dew_arena_array(scratch, dew_Float3, count);
    dew_Float3 *lost = dew_arena_array(scratch, dew_Float3, count);
    dew_Float3 *again = dew_arena_array(scratch, dew_Float3, count);
    if (status.code == DEW_OK && (!once || !lost || !again))
        status = dew_no_memory(3 * (size_t)count * sizeof *once);
    for (int pass = 0; pass < SMOOTHING_PASSES && status.code == DEW_OK; pass++) {
        even(mesh, is_hidden, &fans, normals, normals, once);
        for (int64_t v = 0; v < count; v++)
            lost[v] = dew_f3_sub(normals[v], once[v]);
        even(mesh, is_hidden, &fans, normals, lost, again);
        for (int64_t v = 0; v < count; v++)
            normals[v] = dew_f3_unit(dew_f3_add(once[v], again[v]));
    }
    dew_arena_rewind(scratch, mark);
    return status;
}

static dew_Vec3 face_normal(const dew_Vec3 *x, const dew_Triangle *t)
{
    return dew_normalize(
        dew_cross(dew_sub(x[t->v[1]], x[t->v[0]]), dew_sub(x[t->v[2]], x[t->v[0]])));
}

dew_Status dew_patches_corner_normals(const dew_Mesh *mesh, double crease_rad, dew_Arena *scratch,
                                      dew_Float3 *normals)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Fans fans;
    dew_Status status = gather_fans(mesh, scratch, &fans);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    dew_Vec3 *faces = dew_arena_array(scratch, dew_Vec3, mesh->triangles.count);
    if (status.code == DEW_OK && !faces && mesh->triangles.count > 0)
        status = dew_no_memory((size_t)mesh->triangles.count * sizeof *faces);
    for (int64_t t = 0; status.code == DEW_OK && t < mesh->triangles.count; t++)
        faces[t] = face_normal(x, &triangles[t]);
    double least = cos(crease_rad);
    for (int64_t c = 0; status.code == DEW_OK && c < 3 * mesh->triangles.count; c++) {
        dew_Vec3 own = faces[c / 3], sum = {0, 0, 0};
        uint32_t v = triangles[c / 3].v[c % 3];
        for (uint32_t i = fans.first[v]; i < fans.first[v + 1]; i++) {
            uint32_t other = fans.corners[i];
            if (dew_inner(own, faces[other / 3]) >= least)
                sum = dew_add(sum, corner_weight(x, &triangles[other / 3], (int)(other % 3)));
        }
        sum = dew_normalize(sum);
        normals[c] = dew_f3_from(dew_length2(sum) > 0 ? sum : own);
    }
    dew_arena_rewind(scratch, mark);
    return status;
}

// ---- patches -----------------------------------------------------------------------------------

typedef struct Refining {
    const dew_Vec3 *positions, *motions;
    const dew_Float3 *normals;
    const uint8_t *is_flat;
    const dew_Triangle *triangles;
    const uint32_t *edge_of;  // of half-edges
    int cuts;
    int64_t vertex_count, edge_count;
    dew_PatchMesh *out;
} Refining;

// The control point of edge i-j next to i, [Vlachos2001] section 3.1.
static dew_Vec3 control(const Refining *r, uint32_t i, uint32_t j)
{
    dew_Vec3 p = r->positions[i], q = r->positions[j];
    dew_Vec3 point = dew_combine(2.0 / 3, p, 1.0 / 3, q);
    if (r->is_flat && (r->is_flat[i] || r->is_flat[j]))
        return point;
    dew_Vec3 n = dew_f3_wide(r->normals[i]);
    return dew_add_scaled(point, -dew_inner(dew_sub(q, p), n) / 3, n);
}

static void put_vertex(const Refining *r, int64_t at, dew_Vec3 position, const uint32_t v[3],
                       double a, double b, double c)
{
    dew_Float3 n = dew_f3_scale((float)a, r->normals[v[0]]);
    n = dew_f3_add_scaled(n, (float)b, r->normals[v[1]]);
    n = dew_f3_add_scaled(n, (float)c, r->normals[v[2]]);
    r->out->positions[at] = position;
    r->out->normals[at] = dew_f3_unit(n);
    r->out->motions[at] =
        dew_add_scaled(dew_combine(a, r->motions[v[0]], b, r->motions[v[1]]), c, r->motions[v[2]]);
}

static void put_edge(const Refining *r, uint32_t edge, uint32_t i, uint32_t j)
{
    if (i > j) {
        uint32_t swapped = i;
        i = j;
        j = swapped;
    }
    const uint32_t v[3] = {i, j, i};
    dew_Vec3 p = control(r, i, j), q = control(r, j, i);
    for (int k = 1; k < r->cuts; k++) {
        double t = (double)k / r->cuts, s = 1 - t;
        dew_Vec3 point = dew_combine(s * s * s, r->positions[i], t * t * t, r->positions[j]);
        point = dew_add(point, dew_combine(3 * s * s * t, p, 3 * s * t * t, q));
        put_vertex(r, r->vertex_count + (int64_t)edge * (r->cuts - 1) + k - 1, point, v, s, t, 0);
    }
}

// The point of the patch at barycentric (a, b, c).
static dew_Vec3 patch_point(const Refining *r, const uint32_t v[3], double a, double b, double c)
{
    dew_Vec3 P[3] = {r->positions[v[0]], r->positions[v[1]], r->positions[v[2]]};
    dew_Vec3 ab = control(r, v[0], v[1]), ba = control(r, v[1], v[0]), bc = control(r, v[1], v[2]);
    dew_Vec3 cb = control(r, v[2], v[1]), ca = control(r, v[2], v[0]), ac = control(r, v[0], v[2]);
    dew_Vec3 E =
        dew_scale(1.0 / 6, dew_add(dew_add(dew_add(ab, ba), dew_add(bc, cb)), dew_add(ca, ac)));
    dew_Vec3 V = dew_scale(1.0 / 3, dew_add(P[0], dew_add(P[1], P[2])));
    dew_Vec3 middle = dew_combine(1.5, E, -0.5, V);
    dew_Vec3 sum = dew_combine(a * a * a, P[0], b * b * b, P[1]);
    sum = dew_add_scaled(sum, c * c * c, P[2]);
    sum = dew_add(sum, dew_combine(3 * a * a * b, ab, 3 * a * b * b, ba));
    sum = dew_add(sum, dew_combine(3 * b * b * c, bc, 3 * b * c * c, cb));
    sum = dew_add(sum, dew_combine(3 * c * c * a, ca, 3 * c * a * a, ac));
    return dew_add_scaled(sum, 6 * a * b * c, middle);
}

// The vertex of triangle t at lattice point (i, j): i steps from corner 0 to 1, j from 0 to 2.
static uint32_t lattice(const Refining *r, int64_t t, int i, int j)
{
    const uint32_t *v = r->triangles[t].v;
    int n = r->cuts, k = n - i - j;
    if (i == 0 && j == 0)
        return v[0];
    if (k == 0 && j == 0)
        return v[1];
    if (k == 0 && i == 0)
        return v[2];
    int side = j == 0 ? 0 : k == 0 ? 1 : i == 0 ? 2 : 3, step = side == 0 ? i : side == 1 ? j : k;
    if (side < 3) {
        if (v[side] > v[(side + 1) % 3])
            step = n - step;
        return (uint32_t)(r->vertex_count + (int64_t)r->edge_of[3 * t + side] * (n - 1) + step - 1);
    }
    // Inner points row by row: row j has n - 1 - j of them.
    int before = (j - 1) * (n - 1) - j * (j - 1) / 2;
    return (uint32_t)(r->vertex_count + r->edge_count * (n - 1) +
                      t * ((int64_t)(n - 1) * (n - 2) / 2) + before + i - 1);
}

static void put_triangle(const Refining *r, int64_t t)
{
    int n = r->cuts;
    const uint32_t *v = r->triangles[t].v;
    for (int j = 1; j < n; j++)
        for (int i = 1; i < n - j; i++) {
            double b = (double)i / n, c = (double)j / n, a = 1 - b - c;
            put_vertex(r, lattice(r, t, i, j), patch_point(r, v, a, b, c), v, a, b, c);
        }
    DEW_ASSERT(r->out->triangles);
    dew_Triangle *out = r->out->triangles + t * n * n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n - j; i++) {
            *out++ = (dew_Triangle){
                {lattice(r, t, i, j), lattice(r, t, i + 1, j), lattice(r, t, i, j + 1)}};
            if (i + j + 1 < n)
                *out++ = (dew_Triangle){{lattice(r, t, i + 1, j), lattice(r, t, i + 1, j + 1),
                                         lattice(r, t, i, j + 1)}};
        }
}

static dew_Status allocate(const Refining *r, int64_t triangle_count, dew_Arena *arena)
{
    int64_t n = r->cuts, inner = triangle_count * ((n - 1) * (n - 2) / 2);
    dew_PatchMesh *out = r->out;
    out->vertex_count = r->vertex_count + r->edge_count * (n - 1) + inner;
    out->triangle_count = triangle_count * n * n;
    out->positions = dew_arena_array(arena, dew_Vec3, out->vertex_count);
    out->normals = dew_arena_array(arena, dew_Float3, out->vertex_count);
    out->motions = dew_arena_array(arena, dew_Vec3, out->vertex_count);
    out->triangles = dew_arena_array(arena, dew_Triangle, out->triangle_count);
    if (!out->positions || !out->normals || !out->motions || !out->triangles)
        return dew_no_memory((size_t)out->vertex_count * 60);
    return dew_ok();
}

dew_Status dew_patches_refine(const dew_Mesh *mesh, const dew_Float3 *normals,
                              const dew_Vec3 *motions, const uint8_t *is_flat, int cuts,
                              dew_Arena *arena, dew_PatchMesh *out)
{
    DEW_ASSERT(cuts >= 1);
    dew_MeshEdges edges;
    DEW_TRY(dew_mesh_edges(mesh, arena, &edges));
    int64_t triangle_count = mesh->triangles.count;
    uint32_t *edge_of = dew_arena_array(arena, uint32_t, 3 * triangle_count);
    if (!edge_of)
        return dew_no_memory((size_t)triangle_count * 12);
    Refining r = {.positions = dew_mesh_positions(mesh),
                  .motions = motions,
                  .normals = normals,
                  .is_flat = is_flat,
                  .triangles = dew_mesh_triangles(mesh),
                  .edge_of = edge_of,
                  .cuts = cuts,
                  .vertex_count = mesh->positions.count,
                  .edge_count = edges.edge_count,
                  .out = out};
    DEW_TRY(allocate(&r, triangle_count, arena));
    memcpy(out->positions, r.positions, (size_t)r.vertex_count * sizeof(dew_Vec3));
    memcpy(out->normals, normals, (size_t)r.vertex_count * sizeof(dew_Float3));
    memcpy(out->motions, motions, (size_t)r.vertex_count * sizeof(dew_Vec3));
    for (int64_t e = 0; e < edges.edge_count; e++) {
        uint32_t half = edges.half_edges[edges.first[e]];
        for (uint32_t i = edges.first[e]; i < edges.first[e + 1]; i++)
            edge_of[edges.half_edges[i]] = (uint32_t)e;
        put_edge(&r, (uint32_t)e, dew_half_edge_from(r.triangles, half),
                 dew_half_edge_to(r.triangles, half));
    }
    for (int64_t t = 0; t < triangle_count; t++)
        put_triangle(&r, t);
    return dew_ok();
}
