// Safe repairs of a mesh.
//
// Only vertices of open edges are welded: a closed mesh whose parts touch stays as it is. A
// triangle that names a vertex twice has no area and its edges pair up without it. Of triangles on
// the same vertices the ones that cancel (facing opposite ways) go in pairs, unless all do: then
// the file was written two-sided, and one of each stays. Orientation spreads over edges with two
// triangles.
#include "geom/mesh.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/status.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_inside_out.h"
#include "geom/mesh_twins.h"

#include <stdio.h>
#include <string.h>

#define NONE UINT32_MAX

typedef struct Repair {
    dew_Mesh *mesh;
    const dew_MeshRepairDef *def;
    dew_Arena *arena;
    dew_MeshRepairs done;
} Repair;

// A line of the log: "NAME: 3 MANY WHAT", or "1 ONE WHAT"; none for 0.
static void say(const Repair *r, dew_LogLevel level, int64_t count, const char *one,
                const char *many, const char *what)
{
    char line[384];
    if (!r->def->log.write || count == 0)
        return;
    snprintf(line, sizeof line, "%.100s: %lld %s %s", r->def->name ? r->def->name : "mesh",
             (long long)count, count == 1 ? one : many, what);
    dew_log_line(&r->def->log, level, line);
}

static dew_Triangle *triangles_of(const Repair *r)
{
    return DEW_ITEMS(&r->mesh->triangles, dew_Triangle);
}

// Keeps the triangles marked; the rest close up.
static void keep_triangles(Repair *r, const bool *keep)
{
    dew_Triangle *triangles = triangles_of(r);
    int64_t kept = 0;
    for (int64_t t = 0; t < r->mesh->triangles.count; t++) {
        if (keep[t])
            triangles[kept++] = triangles[t];
    }
    r->mesh->triangles.count = kept;
}

// ---- welding -----------------------------------------------------------------------------------

// Vertices that stay, found by the cell of space they lie in.
typedef struct Places {
    const dew_Vec3 *x;
    double size;  // of a cell; 0: each position is its own cell
    uint32_t *head, *next;
    uint64_t mask;
} Places;

static double cell_coordinate(const Places *p, double x, int shift)
{
    return p->size > 0 ? floor(x / p->size) + shift : x + 0.0;  // + 0.0: -0 becomes 0
}

static uint64_t bucket_of(const Places *p, dew_Vec3 x, int i, int j, int k)
{
    double cell[3] = {cell_coordinate(p, x.x, i), cell_coordinate(p, x.y, j),
                      cell_coordinate(p, x.z, k)};
    return dew_hash(cell, sizeof cell, 0) & p->mask;
}

// The lowest vertex that stays within reach of vertex v; NONE: there is none.
static uint32_t find_place(const Places *p, uint32_t v)
{
    int reach = p->size > 0 ? 1 : 0;
    uint32_t best = NONE;
    for (int i = -reach; i <= reach; i++) {
        for (int j = -reach; j <= reach; j++) {
            for (int k = -reach; k <= reach; k++) {
                uint32_t other = p->head[bucket_of(p, p->x[v], i, j, k)];
                for (; other != NONE; other = p->next[other]) {
                    if (other < best && dew_distance(p->x[other], p->x[v]) <= p->size)
                        best = other;
                }
            }
        }
    }
    return best;
}

static dew_Status mark_open(Repair *r, bool *is_open)
{
    dew_MeshEdges edges;
    DEW_TRY(dew_mesh_edges(r->mesh, r->arena, &edges));
    for (int64_t e = 0; e < edges.edge_count; e++) {
        if (edges.first[e + 1] - edges.first[e] != 1)
            continue;
        uint32_t half = edges.half_edges[edges.first[e]];
        is_open[dew_half_edge_from(triangles_of(r), half)] = true;
        is_open[dew_half_edge_to(triangles_of(r), half)] = true;
    }
    return dew_ok();
}

static dew_Status weld(Repair *r)
{
    int64_t count = r->mesh->positions.count, buckets = 16;
    while (buckets < 2 * count)
        buckets *= 2;
    bool *is_open = dew_arena_array(r->arena, bool, count);
    uint32_t *renamed = dew_arena_array(r->arena, uint32_t, count);
    Places places = {.x = dew_mesh_positions(r->mesh),
                     .size = r->def->weld_distance,
                     .head = dew_arena_array(r->arena, uint32_t, buckets),
                     .next = dew_arena_array(r->arena, uint32_t, count),
                     .mask = (uint64_t)buckets - 1};
    if (!is_open || !renamed || !places.head || !places.next)
        return dew_no_memory((size_t)buckets * sizeof(uint32_t));
    memset(places.head, 0xff, (size_t)buckets * sizeof(uint32_t));
    DEW_TRY(mark_open(r, is_open));
    for (uint32_t v = 0; v < count; v++) {
        renamed[v] = v;
        uint32_t found = is_open[v] ? find_place(&places, v) : NONE;
        if (found != NONE) {
            renamed[v] = found;
            r->done.welded++;
        } else if (is_open[v]) {
            uint64_t bucket = bucket_of(&places, places.x[v], 0, 0, 0);
            places.next[v] = places.head[bucket];
            places.head[bucket] = v;
        }
    }
    for (int64_t c = 0; c < 3 * r->mesh->triangles.count; c++) {
        uint32_t *v = &triangles_of(r)[c / 3].v[c % 3];
        *v = renamed[*v];
    }
    say(r, DEW_LOG_INFO, r->done.welded, "coincident vertex", "coincident vertices", "welded");
    return dew_ok();
}

// ---- triangles to drop -------------------------------------------------------------------------

static dew_Status drop_degenerate(Repair *r)
{
    int64_t count = r->mesh->triangles.count;
    bool *keep = dew_arena_array(r->arena, bool, count);
    if (!keep)
        return dew_no_memory((size_t)count);
    for (int64_t t = 0; t < count; t++) {
        const uint32_t *v = triangles_of(r)[t].v;
        keep[t] = v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
        r->done.degenerate += !keep[t];
    }
    keep_triangles(r, keep);
    say(r, DEW_LOG_WARNING, r->done.degenerate, "degenerate triangle", "degenerate triangles",
        "dropped");
    return dew_ok();
}

// For each first triangle of its kind, how many more face its way than the other; 0 for copies.
static void count_facing(const Repair *r, const uint32_t *twin, int32_t *balance, int64_t *kinds,
                         int64_t *cancelled)
{
    int64_t count = r->mesh->triangles.count;
    *kinds = *cancelled = 0;
    for (int64_t t = 0; t < count; t++) {
        if (twin[t] == DEW_NO_TWIN)
            balance[t] = 1;
        else if (dew_triangles_agree(triangles_of(r)[t], triangles_of(r)[twin[t]]))
            balance[twin[t]]++;
        else
            balance[twin[t]]--;
    }
    for (int64_t t = 0; t < count; t++) {
        *kinds += twin[t] == DEW_NO_TWIN;
        *cancelled += twin[t] == DEW_NO_TWIN && balance[t] == 0;
    }
}

static dew_Status drop_duplicates(Repair *r)
{
    int64_t count = r->mesh->triangles.count, kinds, cancelled;
    bool *keep = dew_arena_array(r->arena, bool, count);
    uint32_t *twin = dew_arena_array(r->arena, uint32_t, count);
    int32_t *balance = dew_arena_array(r->arena, int32_t, count);
    if (!keep || !twin || !balance)
        return dew_no_memory((size_t)count * sizeof *twin);
    DEW_TRY(dew_mesh_twins(r->mesh, r->arena, twin));
    count_facing(r, twin, balance, &kinds, &cancelled);
    bool is_two_sided = cancelled == kinds;
    for (int64_t t = 0; t < count; t++) {
        bool is_first = twin[t] == DEW_NO_TWIN;
        keep[t] = is_first && (balance[t] != 0 || is_two_sided);
        r->done.duplicate += !keep[t];
        // Most of its kind face the other way: so shall the one that stays.
        if (is_first && balance[t] < 0) {
            dew_Triangle *triangle = &triangles_of(r)[t];
            *triangle = (dew_Triangle){{triangle->v[0], triangle->v[2], triangle->v[1]}};
        }
    }
    keep_triangles(r, keep);
    say(r, DEW_LOG_WARNING, r->done.duplicate, "duplicate triangle", "duplicate triangles",
        "dropped");
    return dew_ok();
}

// ---- orientation -------------------------------------------------------------------------------

// Where orientation spreads: across edges with two triangles.
typedef struct Spread {
    dew_MeshEdges edges;
    uint32_t *edge_of;  // per half-edge
    uint32_t *queue;
    int8_t *turn;  // per triangle: 0 not seen, 1 as it is, -1 turned, as the first of its patch
} Spread;

// Visits the patch of triangle `first`; false: it cannot be oriented. *size, *turned: how many
// triangles.
static bool spread_from(const Repair *r, Spread *s, uint32_t first, int64_t *size, int64_t *turned)
{
    const dew_Triangle *triangles = triangles_of(r);
    bool is_orientable = true;
    int64_t end = 1;
    s->queue[0] = first;
    s->turn[first] = 1;
    *turned = 0;
    for (int64_t q = 0; q < end; q++) {
        uint32_t t = s->queue[q];
        *turned += s->turn[t] < 0;
        for (uint32_t half = 3 * t; half < 3 * t + 3; half++) {
            uint32_t e = s->edge_of[half], begin = s->edges.first[e];
            if (s->edges.first[e + 1] - begin != 2)
                continue;
            uint32_t a = s->edges.half_edges[begin], b = s->edges.half_edges[begin + 1];
            uint32_t other = (a == half ? b : a) / 3;
            bool agrees = dew_half_edge_from(triangles, a) != dew_half_edge_from(triangles, b);
            int8_t turn = (int8_t)(agrees ? s->turn[t] : -s->turn[t]);
            if (s->turn[other] == 0) {
                s->turn[other] = turn;
                s->queue[end++] = other;
            } else if (s->turn[other] != turn) {
                is_orientable = false;
            }
        }
    }
    *size = end;
    return is_orientable;
}

static void turn_triangle(dew_Triangle *triangle)
{
    uint32_t swapped = triangle->v[1];
    triangle->v[1] = triangle->v[2];
    triangle->v[2] = swapped;
}

static dew_Status prepare_spread(Repair *r, Spread *s)
{
    int64_t count = r->mesh->triangles.count;
    DEW_TRY(dew_mesh_edges(r->mesh, r->arena, &s->edges));
    s->edge_of = dew_arena_array(r->arena, uint32_t, 3 * count);
    s->queue = dew_arena_array(r->arena, uint32_t, count);
    s->turn = dew_arena_array(r->arena, int8_t, count);
    if (!s->edge_of || !s->queue || !s->turn)
        return dew_no_memory((size_t)(3 * count) * sizeof(uint32_t));
    for (int64_t e = 0; e < s->edges.edge_count; e++) {
        for (uint32_t i = s->edges.first[e]; i < s->edges.first[e + 1]; i++)
            s->edge_of[s->edges.half_edges[i]] = (uint32_t)e;
    }
    return dew_ok();
}

static dew_Status orient(Repair *r)
{
    Spread s;
    int64_t twisted = 0;
    DEW_TRY(prepare_spread(r, &s));
    for (uint32_t t = 0; t < r->mesh->triangles.count; t++) {
        if (s.turn[t] != 0)
            continue;
        int64_t size, turned;
        bool is_orientable = spread_from(r, &s, t, &size, &turned);
        twisted += !is_orientable;
        // Turn the fewer ones; what is left inside out is turned as a whole later.
        int8_t turn = 2 * turned > size ? 1 : -1;
        for (int64_t q = 0; q < size && is_orientable; q++) {
            if (s.turn[s.queue[q]] == turn) {
                turn_triangle(&triangles_of(r)[s.queue[q]]);
                r->done.turned++;
            }
        }
    }
    say(r, DEW_LOG_WARNING, r->done.turned, "triangle", "triangles",
        "turned to agree with the neighbours");
    say(r, DEW_LOG_WARNING, twisted, "one-sided patch", "one-sided patches",
        "without an outside left as found");
    return dew_ok();
}

static dew_Status flip_pieces(Repair *r)
{
    dew_MeshEdges edges;
    dew_MeshPieces pieces;
    DEW_TRY(dew_mesh_edges(r->mesh, r->arena, &edges));
    DEW_TRY(dew_mesh_pieces(r->mesh, &edges, r->arena, &pieces));
    for (int64_t c = 0; c < pieces.count; c++)
        r->done.flipped += pieces.is_inside_out[c];
    for (int64_t t = 0; t < r->mesh->triangles.count; t++) {
        if (pieces.is_inside_out[pieces.triangle_label[t]])
            turn_triangle(&triangles_of(r)[t]);
    }
    say(r, DEW_LOG_WARNING, r->done.flipped, "inside-out component", "inside-out components",
        "turned right side out");
    return dew_ok();
}

// ---- vertices to drop --------------------------------------------------------------------------

static dew_Status drop_unreferenced(Repair *r)
{
    dew_Mesh *mesh = r->mesh;
    int64_t count = mesh->positions.count, kept = 0;
    uint32_t *renamed = dew_arena_array(r->arena, uint32_t, count);
    if (!renamed)
        return dew_no_memory((size_t)count * sizeof *renamed);
    for (int64_t c = 0; c < 3 * mesh->triangles.count; c++)
        renamed[triangles_of(r)[c / 3].v[c % 3]] = 1;
    for (int64_t v = 0; v < count; v++) {
        if (!renamed[v])
            continue;
        renamed[v] = (uint32_t)kept;
        DEW_ITEMS(&mesh->positions, dew_Vec3)[kept] = DEW_ITEMS(&mesh->positions, dew_Vec3)[v];
        for (int64_t a = 0; a < mesh->attributes.count; a++) {
            float *values =
                DEW_ITEMS(&DEW_ITEMS(&mesh->attributes, dew_MeshAttribute)[a].values, float);
            values[kept] = values[v];
        }
        kept++;
    }
    for (int64_t c = 0; c < 3 * mesh->triangles.count; c++) {
        uint32_t *v = &triangles_of(r)[c / 3].v[c % 3];
        *v = renamed[*v];
    }
    mesh->positions.count = kept;
    for (int64_t a = 0; a < mesh->attributes.count; a++)
        DEW_ITEMS(&mesh->attributes, dew_MeshAttribute)[a].values.count = kept;
    // Those that welding left behind have been spoken of.
    r->done.dropped = count - kept - r->done.welded;
    say(r, DEW_LOG_INFO, r->done.dropped, "vertex without triangle", "vertices without triangle",
        "dropped");
    return dew_ok();
}

// ---- all of it ---------------------------------------------------------------------------------

static dew_Status check_input(const dew_Mesh *mesh)
{
    for (int64_t v = 0; v < mesh->positions.count; v++) {
        dew_Vec3 x = dew_mesh_positions(mesh)[v];
        if (!dew_vec_is_finite(x))
            return dew_fail(DEW_BAD_INPUT, "vertex %lld is at (%g, %g, %g) (must be finite)",
                            (long long)v, x.x, x.y, x.z);
    }
    for (int64_t c = 0; c < 3 * mesh->triangles.count; c++) {
        uint32_t v = dew_mesh_triangles(mesh)[c / 3].v[c % 3];
        if (v >= mesh->positions.count)
            return dew_fail(DEW_BAD_INPUT,
                            "triangle %lld names vertex %u, but there are only %lld vertices",
                            (long long)(c / 3), v, (long long)mesh->positions.count);
    }
    return dew_ok();
}

// One repair after the other; each begins with an empty arena.
static dew_Status run_all(Repair *r)
{
    DEW_TRY(weld(r));
    dew_arena_clear(r->arena);
    DEW_TRY(drop_degenerate(r));
    dew_arena_clear(r->arena);
    DEW_TRY(drop_duplicates(r));
    dew_arena_clear(r->arena);
    if (!r->def->keep_orientation) {
        DEW_TRY(orient(r));
        dew_arena_clear(r->arena);
        DEW_TRY(flip_pieces(r));
        dew_arena_clear(r->arena);
    }
    return drop_unreferenced(r);
}

dew_Status dew_mesh_repair(dew_Mesh *mesh, const dew_MeshRepairDef *def, dew_MeshRepairs *repairs)
{
    dew_MeshRepairDef default_def = {0};
    DEW_TRY(check_input(mesh));
    dew_Arena arena;
    dew_arena_init(&arena, &mesh->allocator);
    Repair r = {.mesh = mesh, .def = def ? def : &default_def, .arena = &arena};
    dew_Status status = run_all(&r);
    dew_arena_deinit(&arena);
    if (repairs)
        *repairs = r.done;
    return status;
}
