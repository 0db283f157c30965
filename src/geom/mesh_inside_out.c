// Components that are inside out: by signed volume and by which component lies in which.
//
// One lies in another when its box does and the other winds around one of its vertices. That is
// only asked when some closed component has negative volume; the usual mesh costs one pass.
#include "geom/mesh_inside_out.h"

#include "base/status.h"
#include "geom/mesh_measure.h"
#include "geom/triangle.h"

// Triangles by component, and what is known of each component.
typedef struct Pieces {
    const dew_Mesh *mesh;
    const dew_MeshPieces *labels;
    double *volume;
    dew_Box *box;
    uint32_t *first, *triangles;  // those of component c: triangles[first[c] .. first[c + 1])
    uint32_t *depth, *root;       // how many hold it; the outermost of these, or itself
} Pieces;

// A component is closed when each of its edges runs as often forth as back.
static void mark_closed(const dew_Mesh *mesh, const dew_MeshEdges *edges, dew_MeshPieces *pieces)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    for (int64_t c = 0; c < pieces->count; c++)
        pieces->is_closed[c] = true;
    for (int64_t e = 0; e < edges->edge_count; e++) {
        uint32_t begin = edges->first[e], end = edges->first[e + 1], forth = 0;
        uint32_t from = dew_half_edge_from(triangles, edges->half_edges[begin]);
        for (uint32_t h = begin; h < end; h++)
            forth += dew_half_edge_from(triangles, edges->half_edges[h]) == from;
        if (2 * forth != end - begin)
            pieces->is_closed[pieces->triangle_label[edges->half_edges[begin] / 3]] = false;
    }
}

static void sort_triangles(Pieces *p)
{
    const uint32_t *label = p->labels->triangle_label;
    int64_t count = p->mesh->triangles.count;
    for (int64_t t = 0; t < count; t++)
        p->first[label[t] + 1]++;
    for (int64_t c = 0; c < p->labels->count; c++)
        p->first[c + 1] += p->first[c];
    for (int64_t t = count; t-- > 0;)
        p->triangles[--p->first[label[t] + 1]] = (uint32_t)t;
    // The fill left first[c + 1] at the beginning of c: move them into place.
    for (int64_t c = 0; c < p->labels->count; c++)
        p->first[c] = p->first[c + 1];
    p->first[p->labels->count] = (uint32_t)count;
}

static void find_boxes(Pieces *p)
{
    const dew_Vec3 *x = dew_mesh_positions(p->mesh);
    for (int64_t c = 0; c < p->labels->count; c++)
        p->box[c] = dew_box_empty();
    for (int64_t v = 0; v < p->mesh->positions.count; v++) {
        uint32_t label = p->labels->vertex_label[v];
        if (label != DEW_NO_COMPONENT)
            p->box[label] = dew_box_add(p->box[label], x[v]);
    }
}

// Does component c wind around the point, in either sense?
static bool winds_around(const Pieces *p, int64_t c, dew_Vec3 point)
{
    const dew_Triangle *triangles = dew_mesh_triangles(p->mesh);
    const dew_Vec3 *x = dew_mesh_positions(p->mesh);
    double angle = 0;
    for (uint32_t i = p->first[c]; i < p->first[c + 1]; i++) {
        const uint32_t *v = triangles[p->triangles[i]].v;
        angle += dew_triangle_solid_angle(x[v[0]], x[v[1]], x[v[2]], point);
    }
    return fabs(angle) > 2 * DEW_PI;
}

static void find_depths(Pieces *p)
{
    const dew_Triangle *triangles = dew_mesh_triangles(p->mesh);
    for (int64_t c = 0; c < p->labels->count; c++) {
        p->root[c] = (uint32_t)c;
        if (!p->labels->is_closed[c])
            continue;
        dew_Vec3 point = dew_mesh_positions(p->mesh)[triangles[p->triangles[p->first[c]]].v[0]];
        double largest = 0;
        for (int64_t other = 0; other < p->labels->count; other++) {
            if (other == c || !p->labels->is_closed[other] ||
                !dew_box_contains(p->box[other], p->box[c].min) ||
                !dew_box_contains(p->box[other], p->box[c].max) || !winds_around(p, other, point))
                continue;
            p->depth[c]++;
            if (fabs(p->volume[other]) > largest) {
                largest = fabs(p->volume[other]);
                p->root[c] = (uint32_t)other;
            }
        }
    }
}

static void judge(const Pieces *p, bool *is_inside_out)
{
    for (int64_t c = 0; c < p->labels->count; c++) {
        bool should_be_negative = p->depth[c] % 2 != 0, is_negative = p->volume[c] < 0;
        is_inside_out[c] = p->labels->is_closed[c] && p->volume[p->root[c]] < 0 &&
                           is_negative != should_be_negative;
    }
}

static bool has_negative(const dew_MeshPieces *pieces, const double *volume)
{
    for (int64_t c = 0; c < pieces->count; c++) {
        if (pieces->is_closed[c] && volume[c] < 0)
            return true;
    }
    return false;
}

static dew_Status find_inside_out(const dew_Mesh *mesh, dew_Arena *arena, dew_MeshPieces *pieces)
{
    Pieces p = {.mesh = mesh, .labels = pieces};
    p.volume = dew_arena_array(arena, double, pieces->count);
    if (!p.volume)
        return dew_no_memory((size_t)pieces->count * sizeof(double));
    dew_mesh_component_volumes(mesh, pieces->triangle_label, pieces->count, p.volume);
    if (!has_negative(pieces, p.volume))
        return dew_ok();
    p.box = dew_arena_array(arena, dew_Box, pieces->count);
    p.first = dew_arena_array(arena, uint32_t, pieces->count + 1);
    p.triangles = dew_arena_array(arena, uint32_t, mesh->triangles.count);
    p.depth = dew_arena_array(arena, uint32_t, pieces->count);
    p.root = dew_arena_array(arena, uint32_t, pieces->count);
    if (!p.box || !p.first || !p.triangles || !p.depth || !p.root)
        return dew_no_memory((size_t)pieces->count * sizeof(dew_Box));
    sort_triangles(&p);
    find_boxes(&p);
    find_depths(&p);
    judge(&p, pieces->is_inside_out);
    return dew_ok();
}

dew_Status dew_mesh_pieces(const dew_Mesh *mesh, const dew_MeshEdges *edges, dew_Arena *arena,
                           dew_MeshPieces *out)
{
    out->triangle_label = dew_arena_array(arena, uint32_t, mesh->triangles.count);
    out->vertex_label = dew_arena_array(arena, uint32_t, mesh->positions.count);
    if (!out->triangle_label || !out->vertex_label)
        return dew_no_memory((size_t)mesh->triangles.count * sizeof(uint32_t));
    out->count = dew_mesh_components(mesh, out->triangle_label, out->vertex_label);
    out->is_closed = dew_arena_array(arena, bool, out->count);
    out->is_inside_out = dew_arena_array(arena, bool, out->count);
    if (!out->is_closed || !out->is_inside_out)
        return dew_no_memory((size_t)out->count);
    mark_closed(mesh, edges, out);
    return find_inside_out(mesh, arena, out);
}
