// What is wrong with a mesh.
//
// Edges come from mesh_edges.h. A vertex is sound when the triangles around it form one fan:
// corners at a vertex that share an edge are joined (union-find), and a vertex with two groups of
// corners is counted. Self-intersections are those of mesh_crossings.h.
#include "geom/mesh_audit.h"

#include "base/status.h"
#include "base/union_find.h"
#include "geom/mesh_crossings.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_inside_out.h"
#include "geom/mesh_twins.h"
#include "geom/triangle.h"

#include <stdarg.h>
#include <stdio.h>

static void note(dew_MeshAudit *audit, dew_MeshFlaw flaw, int64_t index, dew_Vec3 place)
{
    audit->count[flaw]++;
    if (audit->first[flaw] == DEW_INVALID || index < audit->first[flaw]) {
        audit->first[flaw] = index;
        audit->place[flaw] = place;
    }
}

static void corners(const dew_Mesh *mesh, int64_t triangle, dew_Vec3 out[3])
{
    const uint32_t *v = dew_mesh_triangles(mesh)[triangle].v;
    for (int i = 0; i < 3; i++)
        out[i] = dew_mesh_positions(mesh)[v[i]];
}

static dew_Vec3 middle_of(const dew_Mesh *mesh, int64_t triangle)
{
    dew_Vec3 x[3];
    corners(mesh, triangle, x);
    return dew_scale(1.0 / 3, dew_add(x[0], dew_add(x[1], x[2])));
}

static bool is_thin(const dew_Vec3 x[3])
{
    double longest2 =
        fmax(dew_length2(dew_sub(x[1], x[0])),
             fmax(dew_length2(dew_sub(x[2], x[1])), dew_length2(dew_sub(x[0], x[2]))));
    return !(dew_length2(dew_triangle_normal(x[0], x[1], x[2])) >
             DEW_THIN_SINE2 * longest2 * longest2);
}

static void check_vertices(const dew_Mesh *mesh, dew_MeshAudit *audit)
{
    for (int64_t v = 0; v < mesh->positions.count; v++) {
        dew_Vec3 x = dew_mesh_positions(mesh)[v];
        if (!dew_vec_is_finite(x))
            note(audit, DEW_FLAW_NOT_FINITE, v, x);
    }
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        for (int i = 0; i < 3; i++) {
            if (dew_mesh_triangles(mesh)[t].v[i] >= mesh->positions.count) {
                note(audit, DEW_FLAW_BAD_INDEX, t, dew_vec((double)NAN, (double)NAN, (double)NAN));
                break;
            }
        }
    }
}

static dew_Status check_triangles(const dew_Mesh *mesh, dew_Arena *arena, dew_MeshAudit *audit)
{
    uint32_t *twin = dew_arena_array(arena, uint32_t, mesh->triangles.count);
    if (!twin)
        return dew_no_memory((size_t)mesh->triangles.count * sizeof *twin);
    DEW_TRY(dew_mesh_twins(mesh, arena, twin));
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        dew_Vec3 x[3];
        corners(mesh, t, x);
        if (is_thin(x))
            note(audit, DEW_FLAW_DEGENERATE, t, middle_of(mesh, t));
        if (twin[t] != DEW_NO_TWIN)
            note(audit, DEW_FLAW_DUPLICATE, t, middle_of(mesh, t));
    }
    return dew_ok();
}

// ---- edges and vertices ------------------------------------------------------------------------

static void check_edges(const dew_Mesh *mesh, const dew_MeshEdges *edges, dew_MeshAudit *audit)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    audit->is_closed = true;
    for (int64_t e = 0; e < edges->edge_count; e++) {
        uint32_t begin = edges->first[e], end = edges->first[e + 1], forth = 0;
        uint32_t half = edges->half_edges[begin];
        uint32_t from = dew_half_edge_from(triangles, half), to = dew_half_edge_to(triangles, half);
        for (uint32_t h = begin; h < end; h++)
            forth += dew_half_edge_from(triangles, edges->half_edges[h]) == from;
        dew_Vec3 place =
            dew_combine(0.5, dew_mesh_positions(mesh)[from], 0.5, dew_mesh_positions(mesh)[to]);
        if (end - begin == 1)
            note(audit, DEW_FLAW_OPEN_EDGE, half / 3, place);
        else if (end - begin > 2)
            note(audit, DEW_FLAW_BRANCHING_EDGE, half / 3, place);
        else if (forth != 1)
            note(audit, DEW_FLAW_TWISTED_EDGE, half / 3, place);
        if (2 * forth != end - begin)
            audit->is_closed = false;
    }
}

// Joins the corners at both ends of an edge among all triangles that have it.
static void join_fans(const dew_Triangle *triangles, const dew_MeshEdges *edges, uint32_t *parent)
{
    for (int64_t e = 0; e < edges->edge_count; e++) {
        uint32_t first = edges->half_edges[edges->first[e]];
        uint32_t first_next = first / 3 * 3 + (first % 3 + 1) % 3;
        for (uint32_t i = edges->first[e] + 1; i < edges->first[e + 1]; i++) {
            uint32_t half = edges->half_edges[i], next = half / 3 * 3 + (half % 3 + 1) % 3;
            bool is_alike =
                dew_half_edge_from(triangles, half) == dew_half_edge_from(triangles, first);
            dew_join_vertices(parent, first, is_alike ? half : next);
            dew_join_vertices(parent, first_next, is_alike ? next : half);
        }
    }
}

static dew_Status check_fans(const dew_Mesh *mesh, const dew_MeshEdges *edges, dew_Arena *arena,
                             dew_MeshAudit *audit)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    uint32_t corner_count = (uint32_t)(3 * mesh->triangles.count);
    uint32_t *parent = dew_arena_array(arena, uint32_t, corner_count);
    uint32_t *fans = dew_arena_array(arena, uint32_t, mesh->positions.count);
    if (!parent || !fans)
        return dew_no_memory((size_t)corner_count * sizeof *parent);
    for (uint32_t c = 0; c < corner_count; c++)
        parent[c] = c;
    join_fans(triangles, edges, parent);
    for (uint32_t c = 0; c < corner_count; c++)
        fans[triangles[c / 3].v[c % 3]] += parent[c] == c;
    int64_t used = 0;
    for (int64_t v = 0; v < mesh->positions.count; v++) {
        dew_Vec3 place = dew_mesh_positions(mesh)[v];
        used += fans[v] > 0;
        if (fans[v] == 0)
            note(audit, DEW_FLAW_UNREFERENCED, v, place);
        if (fans[v] > 1)
            note(audit, DEW_FLAW_BRANCHING_VERTEX, v, place);
    }
    audit->euler_characteristic = used - edges->edge_count + mesh->triangles.count;
    return dew_ok();
}

static dew_Status check_pieces(const dew_Mesh *mesh, const dew_MeshEdges *edges, dew_Arena *arena,
                               dew_MeshAudit *audit)
{
    dew_MeshPieces pieces;
    DEW_TRY(dew_mesh_pieces(mesh, edges, arena, &pieces));
    audit->component_count = pieces.count;
    bool *is_noted = dew_arena_array(arena, bool, pieces.count);
    if (!is_noted)
        return dew_no_memory((size_t)pieces.count);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        uint32_t c = pieces.triangle_label[t];
        if (pieces.is_inside_out[c] && !is_noted[c]) {
            note(audit, DEW_FLAW_INSIDE_OUT, t, middle_of(mesh, t));
            is_noted[c] = true;
        }
    }
    return dew_ok();
}

// ---- self-intersections ------------------------------------------------------------------------

// Triangles without area cross nothing: pairs with them are left out.
static dew_Status check_crossings(const dew_Mesh *mesh, const dew_MeshAuditDef *def,
                                  dew_Arena *arena, dew_MeshAudit *audit)
{
    int64_t count = mesh->triangles.count, kept = 0, first;
    dew_Triangle *triangles = dew_arena_raw_array(arena, dew_Triangle, count);
    uint32_t *id = dew_arena_raw_array(arena, uint32_t, count);
    if (count > 0 && (!triangles || !id))
        return dew_no_memory((size_t)count * sizeof *triangles);
    for (int64_t t = 0; t < count; t++) {
        dew_Vec3 x[3];
        corners(mesh, t, x);
        if (is_thin(x))
            continue;
        triangles[kept] = dew_mesh_triangles(mesh)[t];
        id[kept++] = (uint32_t)t;
    }
    dew_CrossingSearch search = {.positions = dew_mesh_positions(mesh),
                                 .triangles = triangles,
                                 .triangle_count = kept,
                                 .tasks = def->tasks,
                                 .scratch = arena};
    int64_t pairs;
    DEW_TRY(dew_mesh_crossings_count(&search, &pairs, &first));
    audit->has_self_intersections = pairs > 0;
    if (pairs == 0)
        return dew_ok();
    note(audit, DEW_FLAW_SELF_INTERSECTION, id[first], middle_of(mesh, id[first]));
    audit->count[DEW_FLAW_SELF_INTERSECTION] = pairs;
    return dew_ok();
}

// ---- all of it ---------------------------------------------------------------------------------

static dew_Status audit_sound(const dew_Mesh *mesh, const dew_MeshAuditDef *def, dew_Arena *arena,
                              dew_MeshAudit *audit)
{
    dew_MeshEdges edges;
    DEW_TRY(check_triangles(mesh, arena, audit));
    DEW_TRY(dew_mesh_edges(mesh, arena, &edges));
    check_edges(mesh, &edges, audit);
    DEW_TRY(check_fans(mesh, &edges, arena, audit));
    DEW_TRY(check_pieces(mesh, &edges, arena, audit));
    audit->is_closed = audit->is_closed && mesh->triangles.count > 0;
    audit->is_manifold =
        audit->count[DEW_FLAW_BRANCHING_EDGE] == 0 && audit->count[DEW_FLAW_BRANCHING_VERTEX] == 0;
    audit->is_oriented = audit->count[DEW_FLAW_TWISTED_EDGE] == 0;
    return def->skip_self_intersections ? dew_ok() : check_crossings(mesh, def, arena, audit);
}

dew_Status dew_mesh_audit(const dew_Mesh *mesh, const dew_MeshAuditDef *def, dew_MeshAudit *out)
{
    dew_MeshAuditDef default_def = {0};
    def = def ? def : &default_def;
    *out = (dew_MeshAudit){0};
    for (int f = 0; f < DEW_FLAW_COUNT; f++)
        out->first[f] = DEW_INVALID;
    check_vertices(mesh, out);
    if (out->count[DEW_FLAW_BAD_INDEX] > 0 || out->count[DEW_FLAW_NOT_FINITE] > 0)
        return dew_ok();
    dew_Arena arena;
    dew_arena_init(&arena, &def->allocator);
    dew_Status status = audit_sound(mesh, def, &arena, out);
    dew_arena_deinit(&arena);
    return status;
}

bool dew_mesh_audit_is_clean(const dew_MeshAudit *audit)
{
    return audit->is_closed && audit->is_manifold && audit->is_oriented &&
           !audit->has_self_intersections && audit->count[DEW_FLAW_INSIDE_OUT] == 0;
}

// ---- in words ----------------------------------------------------------------------------------

typedef struct FlawName {
    const char *one, *many, *place;
} FlawName;

static const FlawName flaw_names[DEW_FLAW_COUNT] = {
    [DEW_FLAW_BAD_INDEX] = {"triangle that names a vertex that is not there",
                            "triangles that name a vertex that is not there", "triangle"},
    [DEW_FLAW_NOT_FINITE] = {"vertex that is not finite", "vertices that are not finite", "vertex"},
    [DEW_FLAW_UNREFERENCED] = {"vertex without triangle", "vertices without triangle", "vertex"},
    [DEW_FLAW_DEGENERATE] = {"triangle without area", "triangles without area", "triangle"},
    [DEW_FLAW_DUPLICATE] = {"duplicate triangle", "duplicate triangles", "triangle"},
    [DEW_FLAW_OPEN_EDGE] = {"open edge", "open edges", "edge of triangle"},
    [DEW_FLAW_BRANCHING_EDGE] = {"edge with more than two triangles",
                                 "edges with more than two triangles", "edge of triangle"},
    [DEW_FLAW_TWISTED_EDGE] = {"edge whose triangles face opposite ways",
                               "edges whose triangles face opposite ways", "edge of triangle"},
    [DEW_FLAW_BRANCHING_VERTEX] = {"vertex where separate fans meet",
                                   "vertices where separate fans meet", "vertex"},
    [DEW_FLAW_SELF_INTERSECTION] = {"pair of triangles that intersect",
                                    "pairs of triangles that intersect", "triangle"},
    [DEW_FLAW_INSIDE_OUT] = {"component inside out", "components inside out", "triangle"},
};

// Appends printf-style words at *length, cut to fit.
__attribute__((format(printf, 4, 5))) static void append(char *text, size_t size, size_t *length,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text + *length, size - *length, format, arguments);
    va_end(arguments);
    *length =
        written < 0 || *length + (size_t)written >= size ? size - 1 : *length + (size_t)written;
}

size_t dew_mesh_audit_describe(const dew_MeshAudit *audit, dew_MeshFlaw flaw, char *text,
                               size_t size)
{
    DEW_ASSERT(size > 0);
    size_t length = 0;
    text[0] = 0;
    int64_t count = audit->count[flaw];
    if (count == 0)
        return 0;
    FlawName name = flaw_names[flaw];
    dew_Vec3 p = audit->place[flaw];
    append(text, size, &length, "%lld %s, %s%s %lld", (long long)count,
           count == 1 ? name.one : name.many, count == 1 ? "" : "the first ", name.place,
           (long long)audit->first[flaw]);
    if (dew_vec_is_finite(p))
        append(text, size, &length, " at (%.6g, %.6g, %.6g)", p.x, p.y, p.z);
    return length;
}

size_t dew_mesh_audit_summary(const dew_MeshAudit *audit, char *text, size_t size)
{
    DEW_ASSERT(size > 0);
    size_t length = 0;
    text[0] = 0;
    append(text, size, &length, "%s, %s, %s", audit->is_closed ? "closed" : "not closed",
           audit->is_manifold ? "manifold" : "not manifold",
           audit->is_oriented ? "oriented" : "not oriented");
    for (int f = 0; f < DEW_FLAW_COUNT; f++) {
        char words[256];
        if (dew_mesh_audit_describe(audit, (dew_MeshFlaw)f, words, sizeof words) > 0)
            append(text, size, &length, "; %s", words);
    }
    return length;
}
