// Loop subdivision [Loop1987] with creases [Hoppe1994], limit positions and normals.
//
// All that belongs to a vertex (position, attributes) is one row of numbers, so that one mask
// serves all. Passing through given vertices is progressive interpolation [Cheng2009]: control
// points move by what the limit falls short of, P <- P + (P0 - L P); the eigenvalues of L lie in
// [1/4, 1] on regular meshes, so the shortfall shrinks by 3/4 or faster each time.
//
// Limits: closed manifold meshes only; a crease that ends (a dart) is smoothed as if there was
// none.
#include "geom/loop_subdivision.h"

#include "base/status.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_measure.h"

#include <string.h>

#define MAX_LEVELS     6     // each makes four triangles of one
#define MAX_ITERATIONS 100   // (3/4)^48 = 1e-6 on regular meshes; twice that for others
#define SHORTFALL      1e-6  // of the limit surface behind the given vertices, over the mesh's size

typedef struct Net {
    int64_t vertex_count, triangle_count;
    int channel_count;  // x, y, z, attributes
    int flag_channel;   // DEW_INVALID: none
    double *rows;       // [vertex][channel]
    dew_Triangle *triangles;
} Net;

// How the vertices of a net hang together.
typedef struct Links {
    dew_MeshEdges edges;
    uint32_t *edge_of;                           // by half-edge
    bool *is_sharp;                              // by edge
    uint32_t *valence, *sharp_count, *outgoing;  // by vertex; outgoing: some half-edge from it
} Links;

// ---- links -------------------------------------------------------------------------------------

static uint32_t twin(const Links *links, uint32_t half_edge)
{
    const uint32_t *pair = links->edges.half_edges + links->edges.first[links->edge_of[half_edge]];
    return pair[0] == half_edge ? pair[1] : pair[0];
}

// The next half-edge out of the same vertex, counter-clockwise.
static uint32_t turn(const Links *links, uint32_t half_edge)
{
    uint32_t t = half_edge / 3, i = half_edge % 3;
    return twin(links, 3 * t + (i + 2) % 3);
}

static bool is_marked(const Net *net, uint32_t v)
{
    return net->flag_channel != DEW_INVALID &&
           net->rows[(int64_t)v * net->channel_count + net->flag_channel] > 0.5;
}

static bool triangle_is_marked(const Net *net, uint32_t t)
{
    const uint32_t *v = net->triangles[t].v;
    return is_marked(net, v[0]) && is_marked(net, v[1]) && is_marked(net, v[2]);
}

static dew_Status allocate_links(const Net *net, dew_Arena *arena, Links *out)
{
    dew_Mesh view = {.positions = {.count = net->vertex_count, .element_size = sizeof(dew_Vec3)},
                     .triangles = {.data = net->triangles,
                                   .count = net->triangle_count,
                                   .element_size = sizeof(dew_Triangle)}};
    DEW_TRY(dew_mesh_edges(&view, arena, &out->edges));
    out->edge_of = dew_arena_array(arena, uint32_t, 3 * net->triangle_count);
    out->is_sharp = dew_arena_array(arena, bool, out->edges.edge_count);
    out->valence = dew_arena_array(arena, uint32_t, net->vertex_count);
    out->sharp_count = dew_arena_array(arena, uint32_t, net->vertex_count);
    out->outgoing = dew_arena_array(arena, uint32_t, net->vertex_count);
    if (!out->edge_of || !out->is_sharp || !out->valence || !out->sharp_count || !out->outgoing)
        return dew_no_memory((size_t)net->triangle_count * 24);
    return dew_ok();
}

static dew_Status link_edges(const Net *net, Links *out)
{
    for (int64_t e = 0; e < out->edges.edge_count; e++) {
        const uint32_t *h = out->edges.half_edges + out->edges.first[e];
        uint32_t count = out->edges.first[e + 1] - out->edges.first[e];
        uint32_t a = dew_half_edge_from(net->triangles, h[0]);
        uint32_t b = dew_half_edge_to(net->triangles, h[0]);
        if (count != 2 || a == b || a != dew_half_edge_to(net->triangles, h[1]))
            return dew_fail(DEW_BAD_INPUT,
                            "the mesh is not closed and manifold at the edge of vertices %u and %u",
                            a, b);
        bool is_sharp = triangle_is_marked(net, h[0] / 3) != triangle_is_marked(net, h[1] / 3);
        out->is_sharp[e] = is_sharp;
        out->edge_of[h[0]] = out->edge_of[h[1]] = (uint32_t)e;
        out->outgoing[a] = h[0];
        out->outgoing[b] = h[1];
        out->valence[a]++, out->valence[b]++;
        out->sharp_count[a] += is_sharp, out->sharp_count[b] += is_sharp;
    }
    return dew_ok();
}

static dew_Status check_fans(const Net *net, const Links *links)
{
    for (int64_t v = 0; v < net->vertex_count; v++) {
        if (links->valence[v] == 0)
            continue;
        uint32_t count = 0, h = links->outgoing[v];
        do {
            h = turn(links, h);
            count++;
        } while (h != links->outgoing[v] && count <= links->valence[v]);
        if (count != links->valence[v])
            return dew_fail(DEW_BAD_INPUT, "several fans of triangles meet in vertex %lld",
                            (long long)v);
    }
    return dew_ok();
}

static dew_Status link(const Net *net, dew_Arena *arena, Links *out)
{
    DEW_TRY(allocate_links(net, arena, out));
    return link_edges(net, out);
}

// ---- masks -------------------------------------------------------------------------------------

// Weight of each neighbour in the new position of a vertex with n of them [Loop1987].
static double vertex_weight(uint32_t n)
{
    double c = 3.0 / 8 + cos(2 * DEW_PI / n) / 4;
    return (5.0 / 8 - c * c) / n;
}

// The same for its place on the limit surface.
static double limit_weight(uint32_t n)
{
    return 1 / (n + 0.375 / vertex_weight(n));
}

typedef enum Mask { SUBDIVIDE, LIMIT } Mask;

// Sums of the neighbours; of a crease vertex those along the crease only.
static void sum_neighbours(const Net *net, const Links *links, const double *rows, double *sums)
{
    int c = net->channel_count;
    memset(sums, 0, (size_t)net->vertex_count * (size_t)c * sizeof *sums);
    for (int64_t e = 0; e < links->edges.edge_count; e++) {
        uint32_t h = links->edges.half_edges[links->edges.first[e]];
        uint32_t a = dew_half_edge_from(net->triangles, h);
        uint32_t b = dew_half_edge_to(net->triangles, h);
        bool to_a = links->sharp_count[a] != 2 || links->is_sharp[e];
        bool to_b = links->sharp_count[b] != 2 || links->is_sharp[e];
        for (int k = 0; k < c; k++) {
            sums[(int64_t)a * c + k] += to_a ? rows[(int64_t)b * c + k] : 0;
            sums[(int64_t)b * c + k] += to_b ? rows[(int64_t)a * c + k] : 0;
        }
    }
}

// out[vertices] from rows; out may be sums itself.
static void apply_mask(const Net *net, const Links *links, Mask mask, const double *rows,
                       const double *sums, double *out)
{
    int c = net->channel_count;
    for (int64_t v = 0; v < net->vertex_count; v++) {
        uint32_t n = links->valence[v], sharp = links->sharp_count[v];
        double weight = 0;
        if (sharp == 2)
            n = 2, weight = mask == SUBDIVIDE ? 1.0 / 8 : 1.0 / 6;
        else if (sharp < 2 && n > 0)
            weight = mask == SUBDIVIDE ? vertex_weight(n) : limit_weight(n);
        for (int k = 0; k < c; k++) {
            double here = rows[v * c + k];
            double w = k == net->flag_channel ? 0 : weight;
            out[v * c + k] = (1 - n * w) * here + w * sums[v * c + k];
        }
    }
}

// New vertices, one per edge.
static void place_edge_points(const Net *net, const Links *links, double *out)
{
    int c = net->channel_count;
    for (int64_t e = 0; e < links->edges.edge_count; e++) {
        const uint32_t *h = links->edges.half_edges + links->edges.first[e];
        const double *a = net->rows + (int64_t)dew_half_edge_from(net->triangles, h[0]) * c;
        const double *b = net->rows + (int64_t)dew_half_edge_to(net->triangles, h[0]) * c;
        const double *left =
            net->rows + (int64_t)net->triangles[h[0] / 3].v[(h[0] % 3 + 2) % 3] * c;
        const double *right =
            net->rows + (int64_t)net->triangles[h[1] / 3].v[(h[1] % 3 + 2) % 3] * c;
        double side = links->is_sharp[e] ? 0 : 1.0 / 8;
        for (int k = 0; k < c; k++)
            out[e * c + k] = (0.5 - side) * (a[k] + b[k]) + side * (left[k] + right[k]);
        if (net->flag_channel == DEW_INVALID)
            continue;
        // Two marks with no marked triangle beside their edge: the edge lies in the open.
        double mean = 0.5 * (a[net->flag_channel] + b[net->flag_channel]);
        bool is_open = !triangle_is_marked(net, h[0] / 3) && !triangle_is_marked(net, h[1] / 3);
        out[e * c + net->flag_channel] = is_open ? fmin(mean, 0.5) : mean;
    }
}

// ---- one level ---------------------------------------------------------------------------------

static void split_triangles(const Net *net, const Links *links, dew_Triangle *out)
{
    for (int64_t t = 0; t < net->triangle_count; t++) {
        const uint32_t *v = net->triangles[t].v;
        uint32_t m[3];
        for (int i = 0; i < 3; i++)
            m[i] = (uint32_t)net->vertex_count + links->edge_of[3 * t + i];
        out[4 * t] = (dew_Triangle){{v[0], m[0], m[2]}};
        out[4 * t + 1] = (dew_Triangle){{v[1], m[1], m[0]}};
        out[4 * t + 2] = (dew_Triangle){{v[2], m[2], m[1]}};
        out[4 * t + 3] = (dew_Triangle){{m[0], m[1], m[2]}};
    }
}

static dew_Status refine(Net *net, dew_Arena *arena)
{
    Links links;
    DEW_TRY(link(net, arena, &links));
    Net next = *net;
    int64_t row_count = net->vertex_count + links.edges.edge_count;
    next.rows = dew_arena_array(arena, double, row_count * net->channel_count);
    next.triangles = dew_arena_array(arena, dew_Triangle, 4 * net->triangle_count);
    if (!next.rows || !next.triangles)
        return dew_no_memory((size_t)row_count * (size_t)net->channel_count * sizeof(double));
    sum_neighbours(net, &links, net->rows, next.rows);
    apply_mask(net, &links, SUBDIVIDE, net->rows, next.rows, next.rows);
    place_edge_points(net, &links, next.rows + net->vertex_count * net->channel_count);
    split_triangles(net, &links, next.triangles);
    next.vertex_count = row_count;
    next.triangle_count = 4 * net->triangle_count;
    *net = next;
    return dew_ok();
}

// ---- through the vertices ----------------------------------------------------------------------

static double size_of(const Net *net)
{
    dew_Box box = dew_box_empty();
    for (int64_t v = 0; v < net->vertex_count; v++) {
        const double *row = net->rows + v * net->channel_count;
        box = dew_box_add(box, dew_vec(row[0], row[1], row[2]));
    }
    return net->vertex_count > 0 ? dew_distance(box.min, box.max) : 0;
}

// Moves the control points so that the limit surface passes through where they are.
static dew_Status interpolate(Net *net, dew_Arena *arena)
{
    Links links;
    DEW_TRY(link(net, arena, &links));
    int64_t count = net->vertex_count * net->channel_count;
    double *limit = dew_arena_array(arena, double, count);
    double *target = dew_arena_array(arena, double, count);
    if (!limit || !target)
        return dew_no_memory((size_t)count * sizeof(double));
    memcpy(target, net->rows, (size_t)count * sizeof(double));
    double allowed = SHORTFALL * size_of(net), worst = HUGE_VAL;
    for (int i = 0; i < MAX_ITERATIONS && worst > allowed; i++) {
        sum_neighbours(net, &links, net->rows, limit);
        apply_mask(net, &links, LIMIT, net->rows, limit, limit);
        worst = 0;
        for (int64_t k = 0; k < count; k++) {
            double shortfall = target[k] - limit[k];
            net->rows[k] += shortfall;
            if (k % net->channel_count < 3)
                worst = fmax(worst, fabs(shortfall));
        }
    }
    return dew_ok();
}

// ---- the limit ---------------------------------------------------------------------------------

// Normals of the limit surface from the tangents of [Hoppe1994]; creases keep what is there.
static void limit_normals(const Net *net, const Links *links, dew_Vec3 *normals)
{
    for (int64_t v = 0; v < net->vertex_count; v++) {
        uint32_t n = links->valence[v], h = links->outgoing[v];
        dew_Vec3 s = {0, 0, 0}, t = {0, 0, 0};
        if (n == 0 || links->sharp_count[v] >= 2)
            continue;
        for (uint32_t k = 0; k < n; k++) {
            const double *row =
                net->rows + (int64_t)dew_half_edge_to(net->triangles, h) * net->channel_count;
            dew_Vec3 p = {row[0], row[1], row[2]};
            s = dew_add_scaled(s, cos(2 * DEW_PI * k / n), p);
            t = dew_add_scaled(t, sin(2 * DEW_PI * k / n), p);
            h = turn(links, h);
        }
        dew_Vec3 normal = dew_normalize(dew_cross(s, t));
        if (dew_length2(normal) > 0)
            normals[v] = normal;
    }
}

static dew_Status move_to_limit(Net *net, const Links *links, dew_Arena *arena)
{
    double *limit = dew_arena_array(arena, double, net->vertex_count * net->channel_count);
    if (!limit)
        return dew_no_memory((size_t)net->vertex_count * sizeof(double));
    sum_neighbours(net, links, net->rows, limit);
    apply_mask(net, links, LIMIT, net->rows, limit, limit);
    net->rows = limit;
    return dew_ok();
}

// ---- from the mesh and back --------------------------------------------------------------------

static dew_Status gather(const dew_Mesh *mesh, const char *flag, dew_Arena *arena, Net *out)
{
    const dew_MeshAttribute *attributes = DEW_ITEMS(&mesh->attributes, const dew_MeshAttribute);
    *out = (Net){.vertex_count = mesh->positions.count,
                 .triangle_count = mesh->triangles.count,
                 .channel_count = 3 + (int)mesh->attributes.count,
                 .flag_channel = DEW_INVALID};
    int c = out->channel_count;
    out->rows = dew_arena_array(arena, double, out->vertex_count *c);
    out->triangles = dew_arena_array(arena, dew_Triangle, out->triangle_count);
    if (!out->rows || !out->triangles)
        return dew_no_memory((size_t)out->vertex_count * (size_t)c * sizeof(double));
    for (int64_t t = 0; t < out->triangle_count; t++)
        out->triangles[t] = dew_mesh_triangles(mesh)[t];
    for (int64_t v = 0; v < out->vertex_count; v++) {
        dew_Vec3 p = dew_mesh_positions(mesh)[v];
        out->rows[v * c] = p.x, out->rows[v * c + 1] = p.y, out->rows[v * c + 2] = p.z;
    }
    for (int k = 3; k < c; k++) {
        const float *values = DEW_ITEMS(&attributes[k - 3].values, const float);
        if (flag && strcmp(attributes[k - 3].name, flag) == 0)
            out->flag_channel = k;
        for (int64_t v = 0; v < out->vertex_count; v++)
            out->rows[v * c + k] = (double)values[v];
    }
    return dew_ok();
}

static dew_Status put_normals(dew_Mesh *mesh, const dew_Vec3 *normals)
{
    float *n[3];
    static const char *const names[3] = {"nx", "ny", "nz"};
    for (int i = 0; i < 3; i++)
        DEW_TRY(dew_mesh_attribute(mesh, names[i], &n[i]));
    for (int64_t v = 0; v < mesh->positions.count; v++) {
        n[0][v] = (float)normals[v].x;
        n[1][v] = (float)normals[v].y;
        n[2][v] = (float)normals[v].z;
    }
    return dew_ok();
}

// A new mesh with the old one's attributes, then exchanged: a failure leaves the old one as it was.
static dew_Status scatter(const Net *net, const Links *links, const double *control,
                          dew_Arena *arena, dew_Mesh *mesh, dew_Mesh *fresh)
{
    int c = net->channel_count;
    DEW_TRY(dew_array_resize(&fresh->positions, net->vertex_count));
    DEW_TRY(dew_array_append(&fresh->triangles, net->triangles, net->triangle_count));
    for (int64_t v = 0; v < net->vertex_count; v++)
        DEW_ITEMS(&fresh->positions, dew_Vec3)
    [v] = dew_vec(net->rows[v * c], net->rows[v * c + 1], net->rows[v * c + 2]);
    for (int k = 3; k < c; k++) {
        float *values;
        const char *name = DEW_ITEMS(&mesh->attributes, dew_MeshAttribute)[k - 3].name;
        DEW_TRY(dew_mesh_attribute(fresh, name, &values));
        for (int64_t v = 0; v < net->vertex_count; v++)
            values[v] = (float)net->rows[v * c + k];
    }
    if (!links)
        return dew_ok();
    dew_Vec3 *normals = dew_arena_array(arena, dew_Vec3, net->vertex_count);
    if (!normals)
        return dew_no_memory((size_t)net->vertex_count * sizeof *normals);
    dew_mesh_vertex_normals(fresh, normals);
    Net controls = *net;
    controls.rows = (double *)(uintptr_t)control;
    limit_normals(&controls, links, normals);
    return put_normals(fresh, normals);
}

static dew_Status check(const dew_Mesh *mesh, const dew_LoopDef *def)
{
    if (def->levels < 0 || def->levels > MAX_LEVELS)
        return dew_fail(DEW_BAD_INPUT, "%d levels of subdivision (0 to %d)", def->levels,
                        MAX_LEVELS);
    int64_t limit = DEW_MESH_MAX_TRIANGLES >> (2 * def->levels);
    if (mesh->triangles.count > limit)
        return dew_fail(DEW_BAD_INPUT,
                        "%lld triangles are too many for %d levels of subdivision (at most %lld)",
                        (long long)mesh->triangles.count, def->levels, (long long)limit);
    for (int64_t t = 0; t < mesh->triangles.count; t++)
        for (int i = 0; i < 3; i++)
            if (dew_mesh_triangles(mesh)[t].v[i] >= mesh->positions.count)
                return dew_fail(DEW_BAD_INPUT, "triangle %lld names a vertex that is not there",
                                (long long)t);
    return dew_ok();
}

static dew_Status subdivide(dew_Mesh *mesh, const dew_LoopDef *def, dew_Arena *arena,
                            dew_Mesh *fresh)
{
    Net net;
    Links links;
    DEW_TRY(check(mesh, def));
    DEW_TRY(gather(mesh, def->flag, arena, &net));
    DEW_TRY(link(&net, arena, &links));
    DEW_TRY(check_fans(&net, &links));
    if (def->keeps_vertices)
        DEW_TRY(interpolate(&net, arena));
    for (int i = 0; i < def->levels; i++)
        DEW_TRY(refine(&net, arena));
    const double *control = net.rows;
    if (def->moves_to_limit) {
        DEW_TRY(link(&net, arena, &links));
        DEW_TRY(move_to_limit(&net, &links, arena));
    }
    return scatter(&net, def->moves_to_limit ? &links : NULL, control, arena, mesh, fresh);
}

dew_Status dew_loop_subdivide(dew_Mesh *mesh, const dew_LoopDef *def)
{
    dew_Arena arena;
    dew_Mesh fresh;
    dew_arena_init(&arena, &mesh->allocator);
    dew_mesh_init(&fresh, &mesh->allocator);
    dew_Status status = subdivide(mesh, def, &arena, &fresh);
    if (status.code == DEW_OK) {
        dew_Mesh old = *mesh;
        *mesh = fresh;
        fresh = old;
    }
    dew_mesh_deinit(&fresh);
    dew_arena_deinit(&arena);
    return status;
}
