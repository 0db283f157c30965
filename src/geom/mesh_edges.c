// Groups half-edges by edge: a counting sort by the smaller vertex, then each vertex's few by the
// larger.
#include "geom/mesh_edges.h"

#include "base/status.h"

typedef struct Ends {
    uint32_t low, high;
} Ends;

static Ends half_edge_ends(const dew_Triangle *triangles, uint32_t half_edge)
{
    uint32_t a = dew_half_edge_from(triangles, half_edge);
    uint32_t b = dew_half_edge_to(triangles, half_edge);
    return a < b ? (Ends){a, b} : (Ends){b, a};
}

// Half-edges sorted by their smaller vertex; start[v] is where v's begin, start[vertex_count] the
// end.
static void sort_by_low(const dew_Triangle *triangles, uint32_t count, uint32_t *start,
                        int64_t vertex_count, uint32_t *sorted)
{
    for (uint32_t h = 0; h < count; h++)
        start[half_edge_ends(triangles, h).low + 1]++;
    for (int64_t v = 0; v < vertex_count; v++)
        start[v + 1] += start[v];
    // Fill from the back, so that each start ends up where it belongs and the order is kept.
    for (uint32_t h = count; h-- > 0;)
        sorted[--start[half_edge_ends(triangles, h).low + 1]] = h;
}

// Sorts one vertex's half-edges by the larger vertex, keeping the order of equals: a merge from
// short insertion runs, since a vertex may have many edges (the tip of a fan).
static void sort_by_high(const dew_Triangle *triangles, uint32_t *items, uint32_t count,
                         uint32_t *scratch)
{
    const uint32_t run = 16;
    for (uint32_t begin = 0; begin < count; begin += run) {
        uint32_t end = count - begin < run ? count : begin + run;
        for (uint32_t i = begin + 1; i < end; i++) {
            uint32_t item = items[i], high = half_edge_ends(triangles, item).high, j = i;
            for (; j > begin && half_edge_ends(triangles, items[j - 1]).high > high; j--)
                items[j] = items[j - 1];
            items[j] = item;
        }
    }
    for (uint64_t width = run; width < count; width *= 2) {
        for (uint64_t begin = 0; begin + width < count; begin += 2 * width) {
            uint64_t middle = begin + width, end = middle + width < count ? middle + width : count;
            uint64_t left = begin, right = middle;
            for (uint64_t i = begin; i < end; i++) {
                bool take_left = left < middle &&
                                 (right >= end || half_edge_ends(triangles, items[left]).high <=
                                                      half_edge_ends(triangles, items[right]).high);
                scratch[i] = take_left ? items[left++] : items[right++];
            }
            for (uint64_t i = begin; i < end; i++)
                items[i] = scratch[i];
        }
    }
}

// Marks where the edge changes. Returns the number of edges.
static int64_t group(const dew_Triangle *triangles, const uint32_t *sorted, uint32_t count,
                     uint32_t *first)
{
    int64_t edges = 0;
    Ends last = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        Ends ends = half_edge_ends(triangles, sorted[i]);
        if (i == 0 || ends.low != last.low || ends.high != last.high)
            first[edges++] = i;
        last = ends;
    }
    first[edges] = count;
    return edges;
}

dew_Status dew_mesh_edges(const dew_Mesh *mesh, dew_Arena *arena, dew_MeshEdges *out)
{
    if (mesh->triangles.count > UINT32_MAX / 3 - 1)
        return dew_fail(DEW_BAD_INPUT, "a mesh of %lld triangles is too large (at most %u)",
                        (long long)mesh->triangles.count, UINT32_MAX / 3 - 1);
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    uint32_t count = (uint32_t)(3 * mesh->triangles.count);
    int64_t vertex_count = mesh->positions.count;
    out->half_edges = dew_arena_array(arena, uint32_t, count);
    out->first = dew_arena_array(arena, uint32_t, (int64_t)count + 1);
    uint32_t *start = dew_arena_array(arena, uint32_t, vertex_count + 1);
    if (!out->half_edges || !out->first || !start)
        return dew_no_memory((size_t)count * sizeof(uint32_t));
    sort_by_low(triangles, count, start, vertex_count, out->half_edges);
    // After the fill start[v + 1] is where v's half-edges begin; `first` serves as scratch until it
    // is set.
    for (int64_t v = 0; v < vertex_count; v++) {
        uint32_t begin = start[v + 1], end = v + 1 < vertex_count ? start[v + 2] : count;
        sort_by_high(triangles, out->half_edges + begin, end - begin, out->first);
    }
    out->edge_count = group(triangles, out->half_edges, count, out->first);
    return dew_ok();
}
