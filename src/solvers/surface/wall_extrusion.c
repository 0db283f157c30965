// Pushes the wetted sides of a drop into the solid and closes the gap along the contact line by
// walls.
//
// Every vertex of a wetted triangle gets a copy below it, along the solid's normal; wetted
// triangles move to the copies. An edge between a wetted triangle and a free one is left with a
// gap, which two triangles close. The result is closed whatever the shape of the wetted side; where
// the solid is sharp it may cross itself inside the solid, which the winding number bears.
#include "solvers/surface/wall_extrusion.h"

#include "base/status.h"

#define NO_COPY UINT32_MAX

void dew_drop_skirt_init(dew_DropSkirt *skirt, const dew_Allocator *allocator)
{
    dew_mesh_init(&skirt->mesh, allocator);
    dew_array_init(&skirt->above, allocator, sizeof(uint32_t));
    dew_array_init(&skirt->is_wet, allocator, sizeof(uint8_t));
    dew_array_init(&skirt->below, allocator, sizeof(uint32_t));
    dew_array_init(&skirt->edges, allocator, sizeof(uint64_t));
}

void dew_drop_skirt_deinit(dew_DropSkirt *skirt)
{
    dew_mesh_deinit(&skirt->mesh);
    dew_array_deinit(&skirt->above);
    dew_array_deinit(&skirt->is_wet);
    dew_array_deinit(&skirt->below);
    dew_array_deinit(&skirt->edges);
}

static dew_Status note_wet_triangles(dew_DropSkirt *skirt, const dew_RemeshDrop *drop)
{
    skirt->is_wet.count = 0;
    DEW_TRY(dew_array_resize(&skirt->is_wet, drop->triangles->count));
    const uint8_t *label = drop->labels ? DEW_ITEMS(drop->labels, uint8_t) : NULL;
    for (int64_t t = 0; label && t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        DEW_ITEMS(&skirt->is_wet, uint8_t)
        [t] = label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING;
    }
    return dew_ok();
}

// A copy of the vertex within the solid; where no solid is near it stays what it is.
static dew_Status push_vertex(dew_DropSkirt *skirt, const dew_DropSolids *solids, uint32_t vertex,
                              double depth)
{
    dew_Closest c;
    uint32_t *below = DEW_ITEMS(&skirt->below, uint32_t);
    if (below[vertex] != NO_COPY)
        return dew_ok();
    dew_Vec3 x = dew_mesh_positions(&skirt->mesh)[vertex];
    below[vertex] = (uint32_t)skirt->mesh.positions.count;
    if (solids->nearest(solids->context, x, depth, &c))
        x = dew_add_scaled(x, -depth, c.normal);
    DEW_TRY(dew_array_push(&skirt->above, &vertex));
    return dew_mesh_add_vertex(&skirt->mesh, x);
}

static uint64_t edge_key(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static void sift_down(uint64_t *heap, int64_t root, int64_t count)
{
    uint64_t item = heap[root];
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && heap[child] < heap[child + 1])
            child++;
        if (item >= heap[child])
            break;
        heap[root] = heap[child];
    }
    heap[root] = item;
}

static void sort_edges(uint64_t *edge, int64_t count)
{
    for (int64_t i = count / 2; i-- > 0;)
        sift_down(edge, i, count);
    for (int64_t end = count; end-- > 1;) {
        uint64_t largest = edge[0];
        edge[0] = edge[end];
        edge[end] = largest;
        sift_down(edge, 0, end);
    }
}

static bool has_edge(const dew_Array *edges, uint64_t key)
{
    const uint64_t *edge = DEW_ITEMS(edges, uint64_t);
    int64_t lo = 0, hi = edges->count;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (edge[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < edges->count && edge[lo] == key;
}

// The half-edges of wetted triangles, sorted; those triangles move to the copies.
static dew_Status sink_triangles(dew_DropSkirt *skirt, const dew_DropSolids *solids, double depth)
{
    skirt->edges.count = 0;
    for (int64_t t = 0; t < skirt->is_wet.count; t++) {
        if (!DEW_ITEMS(&skirt->is_wet, uint8_t)[t])
            continue;
        uint32_t *v = DEW_ITEMS(&skirt->mesh.triangles, dew_Triangle)[t].v;
        for (int k = 0; k < 3; k++) {
            uint64_t key = edge_key(v[k], v[(k + 1) % 3]);
            DEW_TRY(dew_array_push(&skirt->edges, &key));
        }
        for (int k = 0; k < 3; k++) {
            DEW_TRY(push_vertex(skirt, solids, v[k], depth));
            v[k] = DEW_ITEMS(&skirt->below, uint32_t)[v[k]];
        }
    }
    if (skirt->edges.count > 1)
        sort_edges(DEW_ITEMS(&skirt->edges, uint64_t), skirt->edges.count);
    return dew_ok();
}

// Walls along half-edges a b of wetted triangles whose way back belongs to a free one.
static dew_Status add_walls(dew_DropSkirt *skirt)
{
    const uint32_t *below = DEW_ITEMS(&skirt->below, uint32_t);
    const uint8_t wet = 1;
    for (int64_t e = 0; e < skirt->edges.count; e++) {
        uint64_t key = DEW_ITEMS(&skirt->edges, uint64_t)[e];
        uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
        if (has_edge(&skirt->edges, edge_key(b, a)))
            continue;
        // The wetted triangle now runs from below a to below b, the free one from b to a.
        DEW_TRY(dew_mesh_add_triangle(&skirt->mesh, a, b, below[b]));
        DEW_TRY(dew_mesh_add_triangle(&skirt->mesh, a, below[b], below[a]));
        DEW_TRY(dew_array_push(&skirt->is_wet, &wet));
        DEW_TRY(dew_array_push(&skirt->is_wet, &wet));
    }
    return dew_ok();
}

dew_Status dew_drop_skirt_make(dew_DropSkirt *skirt, const dew_RemeshDrop *drop,
                               const dew_DropSolids *solids, double depth_m)
{
    int64_t count = drop->positions->count;
    dew_mesh_clear(&skirt->mesh);
    DEW_TRY(dew_array_copy(&skirt->mesh.positions, drop->positions));
    DEW_TRY(dew_array_copy(&skirt->mesh.triangles, drop->triangles));
    DEW_TRY(dew_array_resize(&skirt->above, count));
    DEW_TRY(dew_array_resize(&skirt->below, count));
    for (uint32_t v = 0; v < count; v++) {
        DEW_ITEMS(&skirt->above, uint32_t)[v] = v;
        DEW_ITEMS(&skirt->below, uint32_t)[v] = NO_COPY;
    }
    DEW_TRY(note_wet_triangles(skirt, drop));
    if (!solids->nearest)
        return dew_ok();
    DEW_TRY(sink_triangles(skirt, solids, depth_m));
    return add_walls(skirt);
}
