// Contact lines as polylines.
//
// A triangle is wet when its three vertices are. The contact line consists of the edges between a
// wet and a dry triangle. In the dry triangle such an edge runs counter-clockwise about the solid's
// normal. Both its vertices are wet; of the edges of dry triangles with two wet vertices it is one
// whose reverse is not an edge of another dry triangle. So the edges of dry triangles are enough,
// and these are few.
#include "surface/contact_loops.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct Edge {
    uint32_t from, to;
} Edge;

typedef struct Edges {
    Edge *edges;  // sorted
    int64_t count;
    bool *is_used;
} Edges;

static int compare_edges(const void *a, const void *b)
{
    const Edge *x = (const Edge *)a, *y = (const Edge *)b;
    int by_from = (x->from > y->from) - (x->from < y->from);
    return by_from != 0 ? by_from : (x->to > y->to) - (x->to < y->to);
}

static bool is_wet(const dew_Surface *surface, uint32_t vertex)
{
    return DEW_ITEMS(&surface->wet, float)[vertex] >= DEW_WET_FROM;
}

/// Calls out the edges of dry triangles that have two wet vertices; counts only when `out` is NULL.
static int64_t dry_edges(const dew_Surface *surface, Edge *out)
{
    int64_t count = 0;
    for (int64_t t = 0; t < surface->triangles.count; t++) {
        const uint32_t *v = DEW_ITEMS(&surface->triangles, dew_Triangle)[t].v;
        bool wet[3] = {is_wet(surface, v[0]), is_wet(surface, v[1]), is_wet(surface, v[2])};
        if (wet[0] && wet[1] && wet[2])
            continue;
        for (int c = 0; c < 3; c++) {
            if (!wet[c] || !wet[(c + 1) % 3])
                continue;
            if (out)
                out[count] = (Edge){v[c], v[(c + 1) % 3]};
            count++;
        }
    }
    return count;
}

/// The first edge that is not below `edge`, or count.
static int64_t lower_bound(const Edges *edges, Edge edge)
{
    int64_t low = 0, high = edges->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare_edges(&edges->edges[middle], &edge) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_edge(const Edges *edges, Edge edge)
{
    int64_t at = lower_bound(edges, edge);
    return at < edges->count && compare_edges(&edges->edges[at], &edge) == 0;
}

static dew_Status find_edges(const dew_Surface *surface, dew_Arena *scratch, Edges *line)
{
    Edges all = {.count = dry_edges(surface, NULL)};
    all.edges = dew_arena_array(scratch, Edge, all.count);
    line->edges = dew_arena_array(scratch, Edge, all.count);
    line->is_used = dew_arena_array(scratch, bool, all.count);
    if (!all.edges || !line->edges || !line->is_used)
        return dew_no_memory((size_t)all.count * (2 * sizeof(Edge) + 1));
    dry_edges(surface, all.edges);
    if (all.count > 1)
        qsort(all.edges, (size_t)all.count, sizeof *all.edges, compare_edges);
    for (int64_t i = 0; i < all.count; i++)
        if (!has_edge(&all, (Edge){all.edges[i].to, all.edges[i].from}))
            line->edges[line->count++] = all.edges[i];
    return dew_ok();
}

/// The first unused edge that begins at the vertex, or -1.
static int64_t next_edge(const Edges *line, uint32_t vertex)
{
    for (int64_t i = lower_bound(line, (Edge){vertex, 0});
         i < line->count && line->edges[i].from == vertex; i++)
        if (!line->is_used[i])
            return i;
    return -1;
}

static dew_Status trace_loop(const dew_Surface *surface, Edges *line, int64_t first,
                             dew_Array *loops, dew_Array *points)
{
    const dew_Vec3 *x = DEW_ITEMS(&surface->positions, dew_Vec3);
    uint32_t start = line->edges[first].from, end = start;
    dew_ContactLoop loop = {.first = points->count,
                            .piece = (int32_t)DEW_ITEMS(&surface->pieces, uint32_t)[start]};
    for (int64_t i = first; i >= 0; i = end == start ? -1 : next_edge(line, end)) {
        line->is_used[i] = true;
        DEW_TRY(dew_array_push(points, &x[line->edges[i].from]));
        end = line->edges[i].to;
    }
    loop.is_closed = end == start;
    if (!loop.is_closed)
        DEW_TRY(dew_array_push(points, &x[end]));
    loop.count = points->count - loop.first;
    return dew_array_push(loops, &loop);
}

dew_Status dew_surface_contact_loops(const dew_Surface *surface, dew_Arena *scratch,
                                     dew_Array *loops, dew_Array *points)
{
    Edges line = {0};
    loops->count = points->count = 0;
    DEW_TRY(find_edges(surface, scratch, &line));
    for (int64_t i = 0; i < line.count; i++) {
        if (line.is_used[i])
            continue;
        dew_Status status = trace_loop(surface, &line, i, loops, points);
        if (status.code != DEW_OK) {
            loops->count = points->count = 0;
            return status;
        }
    }
    return dew_ok();
}
