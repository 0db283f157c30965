// Collapse of short edges, shortest first, with the volume kept.
//
// The volume of a closed mesh is linear in the position p of one vertex: dV = (p - o) . G with G =
// sum x_i x x_(i+1) / 6 over the ring around it, seen from o. The merged vertex starts at the
// middle of the edge and moves along G until the volume is that of before [Lindstrom1998]. Vertices
// on a solid stay on it: on the contact line the move is along the solid, elsewhere there is none.
// A vertex on the contact line is not merged into one that is not on it, nor a touching one into a
// free one.
#include "geom/pinch.h"
#include "geom/triangle.h"

#define MIN_COSINE     0.2   // between a triangle's normals before and after
#define TINY_EDGE2     0.01  // squared length over the smallest, below which shape is not looked at
#define SHORT_EDGE2    0.25  // likewise, below which a long edge may come of it, to be split later
#define NORMAL_UNKNOWN 1e-3  // thinner triangles have no normal worth keeping

// What the edge is to become.
typedef struct Merger {
    uint32_t half, a, b;
    int64_t ring_a;  // ring entries before this one are those around a
    dew_Vec3 middle, position, velocity;
    dew_Vec3 G;     // legend above
    double volume;  // of the ring before, seen from the middle
    double scale;
    uint8_t label;
} Merger;

static uint32_t ring_half(const dew_Remesh *remesh, int64_t i)
{
    return DEW_ITEMS(&remesh->ring, uint32_t)[i];
}

// Half-edges opposite a in the triangles around it, but for the two at the edge.
static void gather_ring(dew_Remesh *remesh, uint32_t h)
{
    const dew_Topology *topology = &remesh->topology;
    uint32_t skip = h / 3, skip_too = dew_half_twin(topology, h) / 3, g = h;
    do {
        if (g / 3 != skip && g / 3 != skip_too)
            dew_remesh_append(remesh, &remesh->ring, dew_half_next(g));
        g = dew_half_around(topology, g);
    } while (g != h);
}

static int rank_of(uint8_t label)
{
    return label & DEW_LABEL_CONTACT_LINE ? 2 : label & DEW_LABEL_TOUCHING ? 1 : 0;
}

// Volume before, G, and areas around the two ends.
static void measure_ring(const dew_Remesh *remesh, Merger *merger, double area[2])
{
    const dew_Topology *topology = &remesh->topology;
    dew_Vec3 o = merger->middle;
    const uint32_t end[2] = {merger->a, merger->b};
    for (int64_t i = 0; i < remesh->ring.count; i++) {
        uint32_t h = ring_half(remesh, i);
        int side = i >= merger->ring_a;
        dew_Vec3 x = dew_sub(*dew_remesh_at(remesh, dew_half_from(topology, h)), o);
        dew_Vec3 y = dew_sub(*dew_remesh_at(remesh, dew_half_to(topology, h)), o);
        dew_Vec3 z = dew_sub(*dew_remesh_at(remesh, end[side]), o), xy = dew_cross(x, y);
        merger->volume += dew_inner(z, xy) / 6;
        merger->G = dew_add_scaled(merger->G, 1.0 / 6, xy);
        area[side] += dew_length(dew_triangle_normal(x, y, z));
    }
    // The two triangles at the edge have the middle on it: no volume seen from there.
}

static void project(const dew_Remesh *remesh, uint8_t label, dew_Vec3 *position)
{
    if (remesh->def.project && (label & DEW_LABEL_TOUCHING))
        remesh->def.project(remesh->def.context, label, position);
}

// A point of the contact line slides along the solid until the volume is right.
static dew_Vec3 slide(const dew_Remesh *remesh, const Merger *merger, dew_Vec3 p, double reach)
{
    double G2 = dew_length2(merger->G);
    double missing = merger->volume - dew_inner(dew_sub(p, merger->middle), merger->G);
    if (!(G2 > 0))
        return p;
    dew_Vec3 q = dew_add_scaled(p, missing / G2, merger->G);
    project(remesh, merger->label, &q);
    dew_Vec3 step = dew_sub(q, p);
    double gained = dew_inner(step, merger->G);
    if (!(gained * missing > 0))
        return p;
    double factor = fmin(missing / gained, reach / dew_length(step));
    q = dew_add_scaled(p, factor, step);
    project(remesh, merger->label, &q);
    return q;
}

static void place(const dew_Remesh *remesh, Merger *merger)
{
    dew_Vec3 xa = *dew_remesh_at(remesh, merger->a), xb = *dew_remesh_at(remesh, merger->b);
    int rank_a = rank_of(dew_remesh_label(remesh, merger->a));
    int rank_b = rank_of(dew_remesh_label(remesh, merger->b));
    double reach = 0.5 * dew_distance(xa, xb);  // between the two old vertices
    merger->position = rank_a > rank_b ? xa : rank_b > rank_a ? xb : merger->middle;
    if (rank_a != rank_b)
        return;
    if (rank_a == 0) {
        double size = dew_length(merger->G);
        if (size > 0) {
            double shift = fmax(-reach, fmin(reach, merger->volume / size));
            merger->position = dew_add_scaled(merger->middle, shift / size, merger->G);
        }
        return;
    }
    project(remesh, merger->label, &merger->position);
    if (rank_a == 2 && remesh->def.project)
        merger->position = slide(remesh, merger, merger->position, reach);
}

static void make_merger(dew_Remesh *remesh, uint32_t h, Merger *merger)
{
    const dew_Topology *topology = &remesh->topology;
    const double *scale = DEW_ITEMS(&remesh->scale, double);
    const dew_Vec3 *velocity = DEW_ITEMS(&remesh->velocity, dew_Vec3);
    uint32_t a = dew_half_from(topology, h), b = dew_half_to(topology, h);
    *merger = (Merger){.half = h, .a = a, .b = b};
    merger->middle = dew_combine(0.5, *dew_remesh_at(remesh, a), 0.5, *dew_remesh_at(remesh, b));
    merger->scale = 0.5 * (scale[a] + scale[b]);
    merger->label = dew_remesh_label(remesh, a) | dew_remesh_label(remesh, b);
    remesh->ring.count = 0;
    gather_ring(remesh, h);
    merger->ring_a = remesh->ring.count;
    gather_ring(remesh, dew_half_twin(topology, h));
    double area[2] = {0, 0};
    measure_ring(remesh, merger, area);
    double sum = area[0] + area[1], fraction = sum > 0 ? area[0] / sum : 0.5;
    merger->velocity = dew_combine(fraction, velocity[a], 1 - fraction, velocity[b]);
    place(remesh, merger);
}

static double thinness(dew_Vec3 x, dew_Vec3 y, dew_Vec3 z, dew_Vec3 normal)
{
    double longest2 = fmax(dew_length2(dew_sub(x, y)),
                           fmax(dew_length2(dew_sub(y, z)), dew_length2(dew_sub(z, x))));
    return longest2 > 0 ? dew_length(normal) / longest2 : 0;
}

// Would the triangle on half-edge h be turned over, or become a needle it was not?
static bool spoils(const dew_Remesh *remesh, const Merger *merger, uint32_t h, uint32_t end)
{
    const dew_Topology *topology = &remesh->topology;
    dew_Vec3 x = *dew_remesh_at(remesh, dew_half_from(topology, h));
    dew_Vec3 y = *dew_remesh_at(remesh, dew_half_to(topology, h));
    dew_Vec3 before = *dew_remesh_at(remesh, end), after = merger->position;
    dew_Vec3 n = dew_triangle_normal(x, y, before), m = dew_triangle_normal(x, y, after);
    double thin_before = thinness(x, y, before, n), thin_after = thinness(x, y, after, m);
    if (thin_after < DEW_REMESH_THIN && thin_after < 0.5 * thin_before)
        return true;
    if (thin_before < NORMAL_UNKNOWN)
        return dew_inner(m, merger->G) <= 0;
    return dew_inner(n, m) < MIN_COSINE * dew_length(n) * dew_length(m);
}

static bool makes_long_edge(const dew_Remesh *remesh, const Merger *merger, uint32_t vertex)
{
    double s = 0.5 * (merger->scale + DEW_ITEMS(&remesh->scale, double)[vertex]);
    double limit = remesh->def.max_edge_m * s;
    return dew_length2(dew_sub(merger->position, *dew_remesh_at(remesh, vertex))) > limit * limit;
}

// A triangle of the free surface with all corners on the solid would lie folded on the wetted side.
static bool makes_fold(const dew_Remesh *remesh, const Merger *merger, uint32_t h, uint32_t end)
{
    uint8_t others = dew_remesh_label(remesh, dew_half_from(&remesh->topology, h)) &
                     dew_remesh_label(remesh, dew_half_to(&remesh->topology, h));
    return others & merger->label & DEW_LABEL_TOUCHING &&
           !(dew_remesh_label(remesh, end) & DEW_LABEL_TOUCHING);
}

static bool is_sound(const dew_Remesh *remesh, const Merger *merger)
{
    double min2 = remesh->def.min_edge_m * remesh->def.min_edge_m;
    double length2 = dew_remesh_length2(remesh, merger->a, merger->b);
    bool is_tiny = length2 < TINY_EDGE2 * min2, may_be_long = length2 < SHORT_EDGE2 * min2;
    if (!dew_vec_is_finite(merger->position))
        return false;
    for (int64_t i = 0; i < remesh->ring.count; i++) {
        uint32_t h = ring_half(remesh, i), end = i < merger->ring_a ? merger->a : merger->b;
        if (makes_fold(remesh, merger, h, end))
            return false;
        if (!may_be_long && makes_long_edge(remesh, merger, dew_half_from(&remesh->topology, h)))
            return false;
        if (!is_tiny && spoils(remesh, merger, h, end))
            return false;
    }
    return true;
}

// Edges at the merged vertex and around it may want something now.
static void look_around(dew_Remesh *remesh, uint32_t vertex)
{
    const dew_Topology *topology = &remesh->topology;
    uint32_t start = dew_vertex_half(topology, vertex), h = start;
    do {
        dew_remesh_touch(remesh, dew_half_to(topology, h));
        dew_remesh_sort_edge(remesh, h);
        dew_remesh_suspect(remesh, h);
        dew_remesh_suspect(remesh, dew_half_next(h));
        h = dew_half_around(topology, h);
    } while (h != start);
    dew_remesh_touch(remesh, vertex);
}

static void collapse(dew_Remesh *remesh, const Merger *merger)
{
    dew_topology_collapse(&remesh->topology, merger->half);
    remesh->result.collapse_count++;
    remesh->result.volume_change_m3 +=
        dew_inner(dew_sub(merger->position, merger->middle), merger->G) - merger->volume;
    *dew_remesh_at(remesh, merger->a) = merger->position;
    DEW_ITEMS(&remesh->velocity, dew_Vec3)[merger->a] = merger->velocity;
    DEW_ITEMS(&remesh->scale, double)[merger->a] = merger->scale;
    DEW_ITEMS(&remesh->label, uint8_t)[merger->a] = merger->label;
    look_around(remesh, merger->a);
}

static dew_Status try_collapse(dew_Remesh *remesh, uint32_t h, bool *is_done)
{
    int shared = dew_topology_shared(&remesh->topology, h, NULL, 0);
    *is_done = false;
    if (shared > 2 && !remesh->def.keep_necks)
        return dew_pinch(remesh, h, is_done);
    if (shared != 2)
        return dew_ok();
    Merger merger;
    make_merger(remesh, h, &merger);
    DEW_TRY(dew_remesh_memory(remesh));  // the ring may be cut short
    if (!is_sound(remesh, &merger))
        return dew_ok();
    *is_done = true;
    collapse(remesh, &merger);
    return dew_remesh_memory(remesh);
}

dew_Status dew_remesh_collapse_stage(dew_Remesh *remesh, int64_t limit)
{
    dew_RemeshEdge edge;
    while (limit > 0 && dew_remesh_queue_pop(&remesh->short_edges, &edge)) {
        if (!dew_remesh_is_current(remesh, &edge, 1))
            continue;
        bool is_done = false;
        DEW_TRY(try_collapse(remesh, edge.half, &is_done));
        remesh->result.refused_count += !is_done;
        limit -= is_done;
    }
    return dew_ok();
}
