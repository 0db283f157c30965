// Half-edges with twins: building, questions, and the five changes of connectivity.
//
// Twins are found by sorting half-edges into buckets by the lower of their two vertices (counting
// sort): both sides of an edge lie in the same one, which holds a handful. Linear for bounded
// degrees.
#include "geom/remesh_topology.h"

#include "base/status.h"

// A half-edge in the bucket of the lower of its two vertices.
typedef struct Side {
    uint32_t upper;       // the other vertex
    uint32_t half_twice;  // 2 h; one more when it leaves the upper one
} Side;

static uint32_t *corners(const dew_Topology *topology)
{
    return DEW_ITEMS(&topology->corner, uint32_t);
}

static uint32_t *twins(const dew_Topology *topology)
{
    return DEW_ITEMS(&topology->twin, uint32_t);
}

static uint32_t *outgoings(const dew_Topology *topology)
{
    return DEW_ITEMS(&topology->outgoing, uint32_t);
}

static void join(uint32_t *twin, uint32_t g, uint32_t h)
{
    twin[g] = h;
    twin[h] = g;
}

void dew_topology_init(dew_Topology *topology, const dew_Allocator *allocator)
{
    *topology = (dew_Topology){0};
    dew_array_init(&topology->corner, allocator, sizeof(uint32_t));
    dew_array_init(&topology->twin, allocator, sizeof(uint32_t));
    dew_array_init(&topology->outgoing, allocator, sizeof(uint32_t));
    dew_array_init(&topology->mark, allocator, sizeof(uint32_t));
    dew_array_init(&topology->bucket, allocator, sizeof(Side));
    dew_array_init(&topology->first, allocator, sizeof(uint32_t));
}

void dew_topology_deinit(dew_Topology *topology)
{
    dew_array_deinit(&topology->corner);
    dew_array_deinit(&topology->twin);
    dew_array_deinit(&topology->outgoing);
    dew_array_deinit(&topology->mark);
    dew_array_deinit(&topology->bucket);
    dew_array_deinit(&topology->first);
}

dew_Status dew_topology_reserve_as(dew_Topology *topology, const dew_Topology *other)
{
    DEW_TRY(dew_array_reserve(&topology->corner, other->corner.capacity));
    DEW_TRY(dew_array_reserve(&topology->twin, other->twin.capacity));
    DEW_TRY(dew_array_reserve(&topology->outgoing, other->outgoing.capacity));
    DEW_TRY(dew_array_reserve(&topology->mark, other->mark.capacity));
    DEW_TRY(dew_array_reserve(&topology->bucket, other->bucket.capacity));
    return dew_array_reserve(&topology->first, other->first.capacity);
}

// ---- building ----------------------------------------------------------------------------------

static dew_Status make_room(dew_Topology *topology, int64_t triangle_count, int64_t vertex_count)
{
    if (triangle_count > (int64_t)(UINT32_MAX / 6) || vertex_count > (int64_t)(UINT32_MAX / 2))
        return dew_fail(DEW_BAD_INPUT, "a drop of %lld triangles cannot be remeshed; at most %u",
                        (long long)triangle_count, UINT32_MAX / 6);
    DEW_TRY(dew_array_reserve(&topology->corner, 3 * triangle_count));
    DEW_TRY(dew_array_reserve(&topology->twin, 3 * triangle_count));
    DEW_TRY(dew_array_reserve(&topology->bucket, 3 * triangle_count));
    DEW_TRY(dew_array_reserve(&topology->outgoing, vertex_count));
    DEW_TRY(dew_array_reserve(&topology->mark, vertex_count));
    DEW_TRY(dew_array_reserve(&topology->first, vertex_count + 1));
    topology->corner.count = topology->twin.count = topology->bucket.count = 3 * triangle_count;
    topology->outgoing.count = topology->mark.count = vertex_count;
    topology->first.count = vertex_count + 1;
    for (int64_t v = 0; v < vertex_count; v++) {
        outgoings(topology)[v] = DEW_NO_HALF;
        DEW_ITEMS(&topology->mark, uint32_t)[v] = 0;
        DEW_ITEMS(&topology->first, uint32_t)[v] = 0;
    }
    DEW_ITEMS(&topology->first, uint32_t)[vertex_count] = 0;
    topology->stamp = 0;
    return dew_ok();
}

// Copies corners and counts edges per lower vertex, in first[v + 1].
static dew_Status take_corners(dew_Topology *topology, const dew_Triangle *triangles,
                               int64_t triangle_count, int64_t vertex_count)
{
    uint32_t *corner = corners(topology), *first = DEW_ITEMS(&topology->first, uint32_t);
    uint32_t *outgoing = outgoings(topology);
    for (int64_t t = 0; t < triangle_count; t++) {
        const uint32_t a = triangles[t].v[0], b = triangles[t].v[1], c = triangles[t].v[2];
        if (a >= vertex_count || b >= vertex_count || c >= vertex_count)
            return dew_fail(DEW_BAD_INPUT,
                            "triangle %lld names a vertex that is not there; there are %lld",
                            (long long)t, (long long)vertex_count);
        if (a == b || b == c || c == a)
            return dew_fail(DEW_BAD_INPUT, "triangle %lld names vertex %u twice", (long long)t,
                            a == b ? a : c);
        uint32_t h = (uint32_t)(3 * t);
        corner[h] = a;
        corner[h + 1] = b;
        corner[h + 2] = c;
        outgoing[a] = outgoing[a] < h ? outgoing[a] : h;
        outgoing[b] = outgoing[b] < h + 1 ? outgoing[b] : h + 1;
        outgoing[c] = outgoing[c] < h + 2 ? outgoing[c] : h + 2;
        first[(a < b ? a : b) + 1]++;
        first[(b < c ? b : c) + 1]++;
        first[(c < a ? c : a) + 1]++;
    }
    for (int64_t v = 0; v < vertex_count; v++)
        first[v + 1] += first[v];
    return dew_ok();
}

// Puts half-edges into the buckets; first[v] is then the end of the bucket of v.
static void fill_buckets(dew_Topology *topology, int64_t triangle_count)
{
    const uint32_t *corner = corners(topology);
    uint32_t *first = DEW_ITEMS(&topology->first, uint32_t);
    Side *bucket = DEW_ITEMS(&topology->bucket, Side);
    for (uint32_t h = 0; h < 3 * triangle_count; h += 3) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = corner[h + k], b = corner[k == 2 ? h : h + k + 1];
            bool is_up = a < b;
            bucket[first[is_up ? a : b]++] = (Side){is_up ? b : a, 2 * (h + k) + (is_up ? 0 : 1)};
        }
    }
}

// Every edge must be in its bucket twice, once each way.
static dew_Status pair_up(dew_Topology *topology, int64_t vertex_count)
{
    uint32_t *twin = twins(topology);
    const uint32_t *first = DEW_ITEMS(&topology->first, uint32_t);
    Side *bucket = DEW_ITEMS(&topology->bucket, Side);
    uint32_t begin = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        uint32_t end = first[v];
        for (uint32_t i = begin; i < end; i += 2) {
            uint32_t upper = bucket[i].upper, found = end, others = 0;
            for (uint32_t k = i + 1; k < end; k++) {
                if (bucket[k].upper != upper)
                    continue;
                found = k;
                others++;
            }
            if (others != 1 || ((bucket[i].half_twice ^ bucket[found].half_twice) & 1) == 0)
                return dew_fail(DEW_BAD_INPUT,
                                "the edge from vertex %u to %u has no triangle on its "
                                "other side, or too many; the mesh must be closed",
                                v, upper);
            join(twin, bucket[i].half_twice / 2, bucket[found].half_twice / 2);
            bucket[found] = bucket[i + 1];  // what is done comes first
        }
        begin = end;
    }
    return dew_ok();
}

// All edges have two sides; each vertex must have one fan: the fans of all vertices must then hold
// all half-edges.
static dew_Status check_fans(dew_Topology *topology, int64_t half_count, int64_t vertex_count)
{
    const uint32_t *twin = twins(topology);
    int64_t met = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        uint32_t start = dew_vertex_half(topology, v);
        if (start == DEW_NO_HALF)
            continue;
        uint32_t h = start;
        do {
            met++;
            h = twin[dew_half_prev(h)];
        } while (h != start && met <= half_count);
    }
    if (met != half_count)
        return dew_fail(DEW_BAD_INPUT, "several fans of triangles meet at a vertex; the mesh must "
                                       "be manifold");
    return dew_ok();
}

dew_Status dew_topology_build(dew_Topology *topology, const dew_Triangle *triangles,
                              int64_t triangle_count, int64_t vertex_count)
{
    DEW_TRY(make_room(topology, triangle_count, vertex_count));
    DEW_TRY(take_corners(topology, triangles, triangle_count, vertex_count));
    fill_buckets(topology, triangle_count);
    DEW_TRY(pair_up(topology, vertex_count));
    return check_fans(topology, 3 * triangle_count, vertex_count);
}

dew_Status dew_topology_reserve(dew_Topology *topology, int64_t vertices, int64_t triangles)
{
    int64_t halves = topology->corner.count + 3 * triangles;
    if (halves > (int64_t)(UINT32_MAX / 2))
        return dew_fail(DEW_BAD_INPUT,
                        "remeshing would make more than %u triangles; longer edges "
                        "make fewer",
                        UINT32_MAX / 6);
    DEW_TRY(dew_array_reserve(&topology->corner, halves));
    DEW_TRY(dew_array_reserve(&topology->twin, halves));
    DEW_TRY(dew_array_reserve(&topology->outgoing, topology->outgoing.count + vertices));
    return dew_array_reserve(&topology->mark, topology->mark.count + vertices);
}

// ---- questions ---------------------------------------------------------------------------------

int64_t dew_topology_degree(const dew_Topology *topology, uint32_t vertex)
{
    int64_t degree = 0;
    uint32_t start = dew_vertex_half(topology, vertex), h = start;
    do {
        degree++;
        h = dew_half_around(topology, h);
    } while (h != start);
    return degree;
}

uint32_t dew_topology_find(const dew_Topology *topology, uint32_t a, uint32_t b)
{
    uint32_t start = dew_vertex_half(topology, a), h = start;
    do {
        if (dew_half_to(topology, h) == b)
            return h;
        h = dew_half_around(topology, h);
    } while (h != start);
    return DEW_NO_HALF;
}

bool dew_topology_can_flip(const dew_Topology *topology, uint32_t h)
{
    uint32_t c = dew_half_apex(topology, h);
    uint32_t d = dew_half_apex(topology, dew_half_twin(topology, h));
    return c != d && dew_topology_find(topology, c, d) == DEW_NO_HALF;
}

// Marks the neighbours of a vertex with a fresh stamp; returns its degree.
static int64_t mark_neighbours(dew_Topology *topology, uint32_t vertex)
{
    uint32_t *mark = DEW_ITEMS(&topology->mark, uint32_t);
    if (++topology->stamp == 0) {  // wrapped: old stamps could be taken for new ones
        for (int64_t v = 0; v < topology->mark.count; v++)
            mark[v] = 0;
        topology->stamp = 1;
    }
    int64_t degree = 0;
    uint32_t start = dew_vertex_half(topology, vertex), h = start;
    do {
        mark[dew_half_to(topology, h)] = topology->stamp;
        degree++;
        h = dew_half_around(topology, h);
    } while (h != start);
    return degree;
}

int dew_topology_shared(dew_Topology *topology, uint32_t h, uint32_t *third, int capacity)
{
    const uint32_t *mark = DEW_ITEMS(&topology->mark, uint32_t);
    uint32_t c = dew_half_apex(topology, h);
    uint32_t d = dew_half_apex(topology, dew_half_twin(topology, h));
    int64_t degree_a = mark_neighbours(topology, dew_half_from(topology, h)), degree_b = 0;
    int shared = 0, written = 0;
    uint32_t start = dew_half_twin(topology, h), g = start;
    do {
        uint32_t e = dew_half_to(topology, g);
        if (mark[e] == topology->stamp) {
            shared++;
            if (e != c && e != d && third && written < capacity)
                third[written++] = e;
        }
        degree_b++;
        g = dew_half_around(topology, g);
    } while (g != start);
    return degree_a == 3 && degree_b == 3 ? 0 : shared;
}

// ---- split, flip, collapse ---------------------------------------------------------------------

// Appends a triangle, room for which was reserved; returns its first half-edge. Twins are set
// later.
static uint32_t add_triangle(dew_Topology *topology, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t h = (uint32_t)topology->corner.count;
    topology->corner.count += 3;
    topology->twin.count += 3;
    corners(topology)[h] = a;
    corners(topology)[h + 1] = b;
    corners(topology)[h + 2] = c;
    return h;
}

static uint32_t add_vertex(dew_Topology *topology)
{
    uint32_t v = (uint32_t)topology->outgoing.count;
    topology->outgoing.count++;
    topology->mark.count++;
    DEW_ITEMS(&topology->mark, uint32_t)[v] = 0;
    return v;
}

uint32_t dew_topology_split(dew_Topology *topology, uint32_t h)
{
    uint32_t *corner = corners(topology), *twin = twins(topology), *outgoing = outgoings(topology);
    uint32_t g = twin[h], h_next = dew_half_next(h), g_next = dew_half_next(g);
    uint32_t a = corner[h], b = corner[g];
    uint32_t c = dew_half_apex(topology, h), d = dew_half_apex(topology, g);
    uint32_t beyond_c = twin[h_next], beyond_d = twin[g_next];
    uint32_t m = add_vertex(topology);
    uint32_t p = add_triangle(topology, m, b, c), q = add_triangle(topology, m, a, d);
    corner[h_next] = m;
    corner[g_next] = m;
    join(twin, h, q);
    join(twin, g, p);
    join(twin, h_next, p + 2);
    join(twin, p + 1, beyond_c);
    join(twin, g_next, q + 2);
    join(twin, q + 1, beyond_d);
    outgoing[a] = h;
    outgoing[b] = g;
    outgoing[m] = p;
    return m;
}

void dew_topology_flip(dew_Topology *topology, uint32_t h)
{
    uint32_t *corner = corners(topology), *twin = twins(topology), *outgoing = outgoings(topology);
    uint32_t g = twin[h], h1 = dew_half_next(h), h2 = dew_half_prev(h);
    uint32_t g1 = dew_half_next(g), g2 = dew_half_prev(g);
    uint32_t a = corner[h], b = corner[g], c = corner[h2], d = corner[g2];
    uint32_t over_bc = twin[h1], over_ca = twin[h2], over_ad = twin[g1], over_db = twin[g2];
    // The triangles become d c a and c d b; the edge between them keeps its half-edges.
    corner[h] = d;
    corner[h1] = c;
    corner[h2] = a;
    corner[g] = c;
    corner[g1] = d;
    corner[g2] = b;
    join(twin, h1, over_ca);
    join(twin, h2, over_ad);
    join(twin, g1, over_db);
    join(twin, g2, over_bc);
    outgoing[a] = h2;
    outgoing[b] = g2;
    outgoing[c] = g;
    outgoing[d] = h;
}

static void kill_triangle(dew_Topology *topology, uint32_t triangle)
{
    for (uint32_t i = 0; i < 3; i++) {
        corners(topology)[3 * triangle + i] = DEW_NO_HALF;
        twins(topology)[3 * triangle + i] = DEW_NO_HALF;
    }
}

void dew_topology_collapse(dew_Topology *topology, uint32_t h)
{
    uint32_t *corner = corners(topology), *twin = twins(topology), *outgoing = outgoings(topology);
    uint32_t g = twin[h], a = corner[h], b = corner[g];
    uint32_t c = corner[dew_half_prev(h)], d = corner[dew_half_prev(g)];
    uint32_t over_bc = twin[dew_half_next(h)], over_ca = twin[dew_half_prev(h)];
    uint32_t over_ad = twin[dew_half_next(g)], over_db = twin[dew_half_prev(g)];
    uint32_t around = g;
    do {
        corner[around] = a;
        around = dew_half_around(topology, around);
    } while (around != g);
    join(twin, over_bc, over_ca);
    join(twin, over_ad, over_db);
    kill_triangle(topology, h / 3);
    kill_triangle(topology, g / 3);
    outgoing[a] = over_ca;
    outgoing[b] = DEW_NO_HALF;
    outgoing[c] = over_bc;
    outgoing[d] = over_ad;
}

// ---- cutting -----------------------------------------------------------------------------------

dew_Loop dew_topology_loop(const dew_Topology *topology, uint32_t h, uint32_t third)
{
    uint32_t a = dew_half_from(topology, h), b = dew_half_to(topology, h);
    return (dew_Loop){
        {h, dew_topology_find(topology, b, third), dew_topology_find(topology, third, a)}};
}

void dew_topology_cut(dew_Topology *topology, const dew_Loop *loop, uint32_t copy[3])
{
    uint32_t *corner = corners(topology), *twin = twins(topology), *outgoing = outgoings(topology);
    uint32_t right[3], v[3];
    for (int i = 0; i < 3; i++) {
        right[i] = twin[loop->half[i]];
        v[i] = corner[loop->half[i]];
        copy[i] = add_vertex(topology);
    }
    for (int i = 0; i < 3;
         i++) {  // the fan right of the loop, from the way out round to the way in
        uint32_t last = right[(i + 2) % 3], h = dew_half_next(right[i]);
        for (; h != last; h = dew_half_next(twin[h]))
            corner[h] = copy[i];
        corner[last] = copy[i];
    }
    uint32_t left_cap = add_triangle(topology, v[0], v[2], v[1]);
    uint32_t right_cap = add_triangle(topology, copy[0], copy[1], copy[2]);
    for (uint32_t i = 0; i < 3; i++) {
        join(twin, left_cap + 2 - i, loop->half[i]);
        join(twin, right_cap + i, right[i]);
        outgoing[v[i]] = loop->half[i];
        outgoing[copy[i]] = right_cap + i;
    }
}

static bool holds(const uint32_t *list, int count, uint32_t item)
{
    for (int i = 0; i < count; i++) {
        if (list[i] == item)
            return true;
    }
    return false;
}

// Triangles reached from the first without crossing the three edges of the fence (NULL: none).
static int flood(const dew_Topology *topology, uint32_t start, const dew_Loop *fence,
                 uint32_t *triangles, int capacity)
{
    int count = 0;
    triangles[count++] = start;
    for (int i = 0; i < count; i++) {
        for (uint32_t h = 3 * triangles[i]; h < 3 * triangles[i] + 3; h++) {
            uint32_t t = dew_half_twin(topology, h) / 3;
            if ((fence && holds(fence->half, 3, h)) || holds(triangles, count, t))
                continue;
            if (count == capacity)
                return capacity + 1;
            triangles[count++] = t;
        }
    }
    return count;
}

int dew_topology_side(const dew_Topology *topology, const dew_Loop *loop, uint32_t *triangles,
                      int capacity)
{
    return flood(topology, loop->half[0] / 3, loop, triangles, capacity);
}

int dew_topology_remove(dew_Topology *topology, uint32_t triangle, uint32_t *triangles,
                        int capacity)
{
    int count = flood(topology, triangle, NULL, triangles, capacity);
    if (count > capacity)
        return count;
    for (int i = 0; i < count; i++) {
        for (uint32_t k = 0; k < 3; k++)
            outgoings(topology)[corners(topology)[3 * triangles[i] + k]] = DEW_NO_HALF;
        kill_triangle(topology, triangles[i]);
    }
    return count;
}

// ---- checking ----------------------------------------------------------------------------------

dew_Status dew_topology_check_vertex(const dew_Topology *topology, uint32_t vertex)
{
    uint32_t start = dew_vertex_half(topology, vertex), h = start;
    int64_t degree = 0;
    do {
        uint32_t twin = dew_half_twin(topology, h), to = dew_half_to(topology, h);
        if (dew_half_from(topology, h) != vertex || dew_half_twin(topology, twin) != h ||
            dew_half_from(topology, twin) != to || dew_half_to(topology, twin) != vertex)
            return dew_fail(DEW_CORRUPT, "half-edge %u of vertex %u and its twin disagree", h,
                            vertex);
        if (to == vertex || dew_half_apex(topology, h) == vertex ||
            dew_half_apex(topology, h) == to)
            return dew_fail(DEW_CORRUPT, "triangle %u names a vertex twice", h / 3);
        if (dew_topology_find(topology, vertex, to) != h)
            return dew_fail(DEW_CORRUPT, "two edges join vertices %u and %u", vertex, to);
        degree++;
        h = dew_half_around(topology, h);
    } while (h != start && degree <= topology->corner.count);
    if (degree < 3 || h != start)
        return dew_fail(DEW_CORRUPT, "the fan of vertex %u has %lld triangles", vertex,
                        (long long)degree);
    return dew_ok();
}

dew_Status dew_topology_check(const dew_Topology *topology)
{
    int64_t in_fans = 0, alive = 0;
    for (uint32_t v = 0; v < topology->outgoing.count; v++) {
        if (dew_vertex_half(topology, v) == DEW_NO_HALF)
            continue;
        DEW_TRY(dew_topology_check_vertex(topology, v));
        in_fans += dew_topology_degree(topology, v);
    }
    for (uint32_t h = 0; h < topology->corner.count; h++)
        alive += corners(topology)[h] != DEW_NO_HALF;
    if (alive != in_fans)
        return dew_fail(DEW_CORRUPT, "%lld half-edges, but %lld in the fans of vertices",
                        (long long)alive, (long long)in_fans);
    return dew_ok();
}
