// Catmull-Clark subdivision [Catmull1978] on half-edges.
//
// A half-edge is named by the corner it leaves; its twin is the half-edge of the face on the other
// side. The rules, for a vertex P with n faces: face point = mean of its corners; edge point = mean
// of both ends and both face points; new P = (F + 2 R + (n - 3) P) / n, with F the mean of the face
// points around it and R that of the edges' middles. On open edges: middles, and (6 P + both
// neighbours) / 8. Limit positions, of a mesh of four-sided faces: (n^2 P + 4 sum E + sum D) / (n
// (n + 5)) with the neighbours E along edges and D across faces; on open edges (4 P + both
// neighbours) / 6.
#include "geom/catmull_clark.h"

#include "base/arena.h"
#include "base/status.h"
#include "base/union_find.h"

#include <stdlib.h>
#include <string.h>

#define NONE       UINT32_MAX
#define MAX_LEVELS 8  // each makes four faces of one

void dew_face_mesh_init(dew_FaceMesh *mesh, const dew_Allocator *allocator)
{
    *mesh = (dew_FaceMesh){0};
    if (allocator)
        mesh->allocator = *allocator;
    dew_array_init(&mesh->positions, allocator, sizeof(dew_Vec3));
    dew_array_init(&mesh->corners, allocator, sizeof(uint32_t));
    dew_array_init(&mesh->first, allocator, sizeof(uint32_t));
}

void dew_face_mesh_deinit(dew_FaceMesh *mesh)
{
    dew_array_deinit(&mesh->positions);
    dew_array_deinit(&mesh->corners);
    dew_array_deinit(&mesh->first);
}

dew_Status dew_face_mesh_add(dew_FaceMesh *mesh, const uint32_t *vertices, int count)
{
    if (mesh->first.count == 0)
        DEW_TRY(dew_array_push(&mesh->first, &(uint32_t){0}));
    DEW_TRY(dew_array_append(&mesh->corners, vertices, count));
    uint32_t end = (uint32_t)mesh->corners.count;
    return dew_array_push(&mesh->first, &end);
}

dew_Status dew_face_mesh_from_triangles(dew_FaceMesh *mesh, const dew_Mesh *triangles)
{
    mesh->corners.count = mesh->first.count = 0;
    DEW_TRY(dew_array_copy(&mesh->positions, &triangles->positions));
    for (int64_t t = 0; t < triangles->triangles.count; t++)
        DEW_TRY(dew_face_mesh_add(mesh, dew_mesh_triangles(triangles)[t].v, 3));
    return dew_ok();
}

static int64_t face_count(const dew_FaceMesh *mesh)
{
    return mesh->first.count > 0 ? mesh->first.count - 1 : 0;
}

dew_Status dew_face_mesh_to_triangles(const dew_FaceMesh *mesh, dew_Mesh *out)
{
    const uint32_t *v = mesh->corners.data, *first = mesh->first.data;
    const dew_Vec3 *x = mesh->positions.data;
    dew_mesh_clear(out);
    for (int64_t i = 0; i < mesh->positions.count; i++)
        DEW_TRY(dew_mesh_add_vertex(out, x[i]));
    for (int64_t f = 0; f < face_count(mesh); f++)
        for (uint32_t c = first[f] + 1; c + 1 < first[f + 1]; c++)
            DEW_TRY(dew_mesh_add_triangle(out, v[first[f]], v[c], v[c + 1]));
    return dew_ok();
}

// ---- half-edges --------------------------------------------------------------------------------

typedef struct HalfEdges {
    uint32_t *face;  // per corner
    uint32_t *twin;  // NONE: open
} HalfEdges;

typedef struct Side {
    uint32_t low, high;  // ends of the edge
    uint32_t corner;
    double angle;  // about the edge
} Side;

static uint32_t next_of(const dew_FaceMesh *mesh, const HalfEdges *edges, uint32_t c)
{
    const uint32_t *first = mesh->first.data;
    uint32_t f = edges->face[c];
    return c + 1 == first[f + 1] ? first[f] : c + 1;
}

static uint32_t end_of(const dew_FaceMesh *mesh, const HalfEdges *edges, uint32_t c)
{
    return DEW_ITEMS(&mesh->corners, const uint32_t)[next_of(mesh, edges, c)];
}

static int compare_edges(const void *a, const void *b)
{
    const Side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->corner < q->corner ? -1 : p->corner > q->corner;
}

static int compare_angles(const void *a, const void *b)
{
    const Side *p = a, *q = b;
    if (p->angle < q->angle || p->angle > q->angle)
        return p->angle < q->angle ? -1 : 1;
    return p->corner < q->corner ? -1 : p->corner > q->corner;
}

static dew_Vec3 face_middle(const dew_FaceMesh *mesh, int64_t f)
{
    const uint32_t *first = DEW_ITEMS(&mesh->first, const uint32_t) + f;
    dew_Vec3 sum = {0, 0, 0};
    for (uint32_t c = first[0]; c < first[1]; c++)
        sum = dew_add(sum, DEW_ITEMS(&mesh->positions,
                                     const dew_Vec3)[DEW_ITEMS(&mesh->corners, const uint32_t)[c]]);
    return dew_scale(1.0 / (first[1] - first[0]), sum);
}

// More than two faces at an edge: each is joined to the next one around it through the inside.
// Looking along the edge from its low end, the inside lies behind (at lesser angles than) a face
// whose half-edge goes up, and before one whose half-edge goes down.
static void join_around(const dew_FaceMesh *mesh, HalfEdges *edges, Side *sides, int64_t count)
{
    const dew_Vec3 *x = mesh->positions.data;
    const uint32_t *v = mesh->corners.data;
    dew_Vec3 from = x[sides[0].low], axis = dew_normalize(dew_sub(x[sides[0].high], from));
    dew_Vec3 e1 = dew_any_tangent(axis), e2 = dew_cross(axis, e1);
    for (int64_t i = 0; i < count; i++) {
        dew_Vec3 w = dew_sub(face_middle(mesh, edges->face[sides[i].corner]), from);
        sides[i].angle = atan2(dew_inner(w, e2), dew_inner(w, e1));
    }
    qsort(sides, (size_t)count, sizeof *sides, compare_angles);
    for (int64_t i = 0; i < count; i++) {
        uint32_t down = sides[i].corner, up = sides[(i + 1) % count].corner;
        if (v[down] == sides[i].low || v[up] != sides[i].low)
            continue;
        edges->twin[down] = up;
        edges->twin[up] = down;
    }
}

static dew_Status find_twins(const dew_FaceMesh *mesh, dew_Arena *scratch, HalfEdges *edges)
{
    int64_t count = mesh->corners.count;
    const uint32_t *v = mesh->corners.data, *first = mesh->first.data;
    edges->face = dew_arena_array(scratch, uint32_t, count);
    edges->twin = dew_arena_array(scratch, uint32_t, count);
    Side *sides = dew_arena_array(scratch, Side, count);
    if (!edges->face || !edges->twin || !sides)
        return dew_no_memory((size_t)count * sizeof *sides);
    for (int64_t f = 0; f < face_count(mesh); f++)
        for (uint32_t c = first[f]; c < first[f + 1]; c++)
            edges->face[c] = (uint32_t)f;
    for (int64_t c = 0; c < count; c++) {
        uint32_t a = v[c], b = end_of(mesh, edges, (uint32_t)c);
        edges->twin[c] = NONE;
        sides[c] = (Side){a < b ? a : b, a < b ? b : a, (uint32_t)c, 0};
    }
    if (count > 0)
        qsort(sides, (size_t)count, sizeof *sides, compare_edges);
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && sides[end].low == sides[i].low && sides[end].high == sides[i].high;)
            end++;
        if (end - i > 2) {
            join_around(mesh, edges, sides + i, end - i);
        } else if (end - i == 2 && v[sides[i].corner] != v[sides[i + 1].corner]) {
            edges->twin[sides[i].corner] = sides[i + 1].corner;
            edges->twin[sides[i + 1].corner] = sides[i].corner;
        }
    }
    return dew_ok();
}

// ---- splitting ---------------------------------------------------------------------------------

// Corners at a vertex that are joined by edges stay one vertex; each further fan gets a copy.
static dew_Status split_vertices(dew_FaceMesh *mesh, const HalfEdges *edges, dew_Arena *scratch)
{
    int64_t count = mesh->corners.count, vertices = mesh->positions.count;
    uint32_t *parent = dew_arena_array(scratch, uint32_t, count);
    uint32_t *vertex = dew_arena_array(scratch, uint32_t, count);  // of a root; 0: none, else + 1
    uint8_t *is_taken = dew_arena_array(scratch, uint8_t, vertices);
    if (!parent || !vertex || !is_taken)
        return dew_no_memory((size_t)count * 8);
    for (int64_t c = 0; c < count; c++)
        parent[c] = (uint32_t)c;
    for (uint32_t c = 0; c < count; c++) {
        if (edges->twin[c] != NONE)
            dew_join_vertices(parent, c, next_of(mesh, edges, edges->twin[c]));
    }
    uint32_t *v = mesh->corners.data;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t root = dew_vertex_root(parent, c), old = v[c];
        if (root == c && is_taken[old]) {
            dew_Vec3 copy = DEW_ITEMS(&mesh->positions, const dew_Vec3)[old];
            DEW_TRY(dew_array_push(&mesh->positions, &copy));
            vertex[c] = (uint32_t)mesh->positions.count;
        } else if (root == c) {
            is_taken[old] = 1;
            vertex[c] = old + 1;
        }
        v[c] = vertex[root] - 1;
    }
    return dew_ok();
}

// ---- a level -----------------------------------------------------------------------------------

// What surrounds a vertex.
typedef struct Around {
    dew_Vec3 faces, middles, open;  // sums: face points, middles of edges, neighbours on open edges
    uint32_t face_count, edge_count, open_count;
} Around;

static void add_edge(Around *around, dew_Vec3 middle, dew_Vec3 other, bool is_open)
{
    around->middles = dew_add(around->middles, middle);
    around->edge_count++;
    if (is_open) {
        around->open = dew_add(around->open, other);
        around->open_count++;
    }
}

static dew_Vec3 vertex_point(dew_Vec3 P, const Around *around)
{
    double n = around->face_count;
    if (around->open_count == 2)
        return dew_scale(1.0 / 8, dew_add(dew_scale(6, P), around->open));
    if (around->open_count > 0 || around->face_count == 0)
        return P;
    dew_Vec3 F = dew_scale(1 / n, around->faces);
    dew_Vec3 R = dew_scale(1.0 / around->edge_count, around->middles);
    return dew_scale(1 / n, dew_add(dew_add(F, dew_scale(2, R)), dew_scale(n - 3, P)));
}

typedef struct Level {
    const dew_FaceMesh *mesh;
    HalfEdges edges;
    dew_Vec3 *face_points;
    uint32_t *edge_number;  // per corner, the same for twins
    Around *around;
    uint32_t edge_count;
} Level;

static dew_Vec3 edge_point(const Level *level, uint32_t c)
{
    const dew_FaceMesh *mesh = level->mesh;
    const dew_Vec3 *x = mesh->positions.data;
    uint32_t twin = level->edges.twin[c];
    dew_Vec3 ends =
        dew_add(x[DEW_ITEMS(&mesh->corners, const uint32_t)[c]], x[end_of(mesh, &level->edges, c)]);
    if (twin == NONE)
        return dew_scale(0.5, ends);
    dew_Vec3 faces = dew_add(level->face_points[level->edges.face[c]],
                             level->face_points[level->edges.face[twin]]);
    return dew_scale(0.25, dew_add(ends, faces));
}

static dew_Status look_around(Level *level, dew_Arena *scratch)
{
    const dew_FaceMesh *mesh = level->mesh;
    int64_t corners = mesh->corners.count, faces = face_count(mesh);
    const uint32_t *v = mesh->corners.data;
    const dew_Vec3 *x = mesh->positions.data;
    level->face_points = dew_arena_array(scratch, dew_Vec3, faces);
    level->edge_number = dew_arena_array(scratch, uint32_t, corners);
    level->around = dew_arena_array(scratch, Around, mesh->positions.count);
    if (!level->face_points || !level->edge_number || !level->around)
        return dew_no_memory((size_t)corners * sizeof(Around));
    for (int64_t f = 0; f < faces; f++)
        level->face_points[f] = face_middle(mesh, f);
    for (uint32_t c = 0; c < corners; c++) {
        uint32_t twin = level->edges.twin[c], end = end_of(mesh, &level->edges, c);
        Around *around = &level->around[v[c]];
        around->faces = dew_add(around->faces, level->face_points[level->edges.face[c]]);
        around->face_count++;
        if (twin != NONE && twin < c) {
            level->edge_number[c] = level->edge_number[twin];
            continue;
        }
        dew_Vec3 middle = dew_combine(0.5, x[v[c]], 0.5, x[end]);
        level->edge_number[c] = level->edge_count++;
        add_edge(around, middle, x[end], twin == NONE);
        add_edge(&level->around[end], middle, x[v[c]], twin == NONE);
    }
    return dew_ok();
}

// New vertices: the old ones, then face points, then edge points. One face per corner.
static dew_Status subdivide(const dew_FaceMesh *mesh, dew_FaceMesh *out, dew_Arena *scratch)
{
    Level level = {.mesh = mesh};
    DEW_TRY(find_twins(mesh, scratch, &level.edges));
    DEW_TRY(look_around(&level, scratch));
    int64_t corners = mesh->corners.count, faces = face_count(mesh), old = mesh->positions.count;
    const uint32_t *v = mesh->corners.data, *first = mesh->first.data;
    DEW_TRY(dew_array_resize(&out->positions, old + faces + level.edge_count));
    out->corners.count = out->first.count = 0;
    dew_Vec3 *x = out->positions.data;
    for (int64_t i = 0; i < old; i++)
        x[i] = vertex_point(DEW_ITEMS(&mesh->positions, const dew_Vec3)[i], &level.around[i]);
    for (int64_t f = 0; f < faces; f++)
        x[old + f] = level.face_points[f];
    uint32_t edges_from = (uint32_t)(old + faces);
    for (uint32_t c = 0; c < corners; c++) {
        uint32_t f = level.edges.face[c];
        uint32_t previous = c == first[f] ? first[f + 1] - 1 : c - 1;
        const uint32_t quad[4] = {v[c], edges_from + level.edge_number[c], (uint32_t)old + f,
                                  edges_from + level.edge_number[previous]};
        x[quad[1]] = edge_point(&level, c);
        DEW_TRY(dew_face_mesh_add(out, quad, 4));
    }
    return dew_ok();
}

static dew_Status move_to_limit(dew_FaceMesh *mesh, dew_Arena *scratch)
{
    HalfEdges edges;
    DEW_TRY(find_twins(mesh, scratch, &edges));
    Around *around = dew_arena_array(scratch, Around, mesh->positions.count);
    if (!around)
        return dew_no_memory((size_t)mesh->positions.count * sizeof *around);
    const uint32_t *v = mesh->corners.data;
    dew_Vec3 *x = mesh->positions.data;
    for (uint32_t c = 0; c < mesh->corners.count; c++) {  // here: faces: across, middles: along
        uint32_t end = next_of(mesh, &edges, c), across = next_of(mesh, &edges, end);
        Around *a = &around[v[c]];
        a->middles = dew_add(a->middles, x[v[end]]);
        a->faces = dew_add(a->faces, x[v[across]]);
        a->face_count++;
        if (edges.twin[c] != NONE)
            continue;
        a->open = dew_add(a->open, x[v[end]]);
        a->open_count++;
        around[v[end]].open = dew_add(around[v[end]].open, x[v[c]]);
        around[v[end]].open_count++;
    }
    for (int64_t i = 0; i < mesh->positions.count; i++) {
        const Around *a = &around[i];
        double n = a->face_count;
        dew_Vec3 sum = dew_add(dew_add(dew_scale(n * n, x[i]), dew_scale(4, a->middles)), a->faces);
        if (a->open_count == 2)
            x[i] = dew_scale(1.0 / 6, dew_add(dew_scale(4, x[i]), a->open));
        else if (a->open_count == 0 && a->face_count > 0)
            x[i] = dew_scale(1 / (n * (n + 5)), sum);
    }
    return dew_ok();
}

// ---- all of it ---------------------------------------------------------------------------------

static dew_Status check(const dew_FaceMesh *mesh, int levels)
{
    if (levels < 1 || levels > MAX_LEVELS)
        return dew_fail(DEW_BAD_INPUT, "%d levels of subdivision are not between 1 and %d", levels,
                        MAX_LEVELS);
    const uint32_t *first = mesh->first.data;
    for (int64_t f = 0; f < face_count(mesh); f++)
        if (first[f + 1] - first[f] < 3)
            return dew_fail(DEW_BAD_INPUT, "face %lld has less than three corners", (long long)f);
    for (int64_t c = 0; c < mesh->corners.count; c++)
        if (DEW_ITEMS(&mesh->corners, const uint32_t)[c] >= mesh->positions.count)
            return dew_fail(DEW_BAD_INPUT, "corner %lld is a vertex that is not there",
                            (long long)c);
    double corners = (double)mesh->corners.count * pow(4, levels);
    if (corners > DEW_MESH_MAX_TRIANGLES)
        return dew_fail(DEW_BAD_INPUT, "%d levels of subdivision make %.3g corners (at most %g)",
                        levels, corners, (double)DEW_MESH_MAX_TRIANGLES);
    return dew_ok();
}

static dew_Status copy_faces(dew_FaceMesh *to, const dew_FaceMesh *from)
{
    DEW_TRY(dew_array_copy(&to->positions, &from->positions));
    DEW_TRY(dew_array_copy(&to->corners, &from->corners));
    return dew_array_copy(&to->first, &from->first);
}

static void swap(dew_FaceMesh *a, dew_FaceMesh *b)
{
    dew_FaceMesh kept = *a;
    *a = *b;
    *b = kept;
}

// On copies: the mesh stays as it is until all is done.
static dew_Status work(dew_FaceMesh *now, dew_FaceMesh *next, int levels, bool moves_to_limit,
                       dew_Arena *scratch)
{
    HalfEdges edges;
    DEW_TRY(find_twins(now, scratch, &edges));
    DEW_TRY(split_vertices(now, &edges, scratch));
    for (int i = 0; i < levels; i++) {
        dew_arena_clear(scratch);
        DEW_TRY(subdivide(now, next, scratch));
        swap(now, next);
    }
    dew_arena_clear(scratch);
    return moves_to_limit ? move_to_limit(now, scratch) : dew_ok();
}

dew_Status dew_catmull_clark_subdivide(dew_FaceMesh *mesh, int levels, bool moves_to_limit)
{
    DEW_TRY(check(mesh, levels));
    dew_FaceMesh now, next;
    dew_Arena scratch;
    dew_face_mesh_init(&now, &mesh->allocator);
    dew_face_mesh_init(&next, &mesh->allocator);
    dew_arena_init(&scratch, &mesh->allocator);
    dew_Status status = copy_faces(&now, mesh);
    if (status.code == DEW_OK)
        status = work(&now, &next, levels, moves_to_limit, &scratch);
    if (status.code == DEW_OK)
        swap(mesh, &now);
    dew_face_mesh_deinit(&now);
    dew_face_mesh_deinit(&next);
    dew_arena_deinit(&scratch);
    return status;
}
