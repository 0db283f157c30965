// Dew's own ray tree: the tree of geom/bvh.h, repacked for images.
//
// The topology comes from geom/bvh.h (binned surface areas, four children); subtrees of up to four
// triangles become one packet, whose triangles are tested together. Boxes hold the triangles at
// both ends of the shutter, and what moves is tested where it is at the ray's time.
//
// Triangles: the watertight test of [Woop2013] in floats; where an edge function is exactly zero it
// is computed again in doubles, as there, so that neighbours agree.
#include "base/arena.h"
#include "base/status.h"
#include "geom/bvh.h"
#include "geom/bvh_stack.h"
#include "geom/lanes.h"
#include "render/ray/tree_ops.h"

#include <float.h>

#define PACKET (1u << 31)
#define NONE   UINT32_MAX
// far side of slabs: twice the rounding of its three operations [Ize2013]
#define WIDEN (1 + 2 * 3 * FLT_EPSILON)
#define TINY                                                                                       \
    1e-18f  // part of a direction along an axis: its inverse and products of it stay finite
#define STACK DEW_BVH_STACK

typedef struct Node {
    float min[3][4], max[3][4];
    uint32_t child[4];  // node, or PACKET | packet, or NONE
} Node;

typedef struct Packet {
    float x[3][3][4];  // corner, axis, triangle; unused ones repeat the first
    uint32_t id[4];
} Packet;

typedef struct OwnTree {
    Node *nodes;
    Packet *packets, *moves;  // moves: displacement of corners; NULL: none
    uint32_t node_count, packet_count;
    dew_Arena arena;
    dew_Allocator allocator;
} OwnTree;

// ---- repacking ---------------------------------------------------------------------------------

typedef struct Repacking {
    const dew_Bvh *bvh;
    const dew_TreeMesh *mesh;
    const uint32_t *weight;  // triangles below each node
    OwnTree *tree;
} Repacking;

static float axis_of(dew_Float3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static void fill_packet(const Repacking *r, const uint32_t *ids, int count, uint32_t at)
{
    Packet *packet = &r->tree->packets[at], *move = r->tree->moves ? &r->tree->moves[at] : NULL;
    for (int lane = 0; lane < 4; lane++) {
        uint32_t id = ids[lane < count ? lane : 0];
        packet->id[lane] = id;
        for (int corner = 0; corner < 3; corner++) {
            uint32_t v = r->mesh->triangles[id].v[corner];
            for (int axis = 0; axis < 3; axis++) {
                float x = axis_of(r->mesh->positions[v], axis);
                packet->x[corner][axis][lane] = x;
                if (move)
                    move->x[corner][axis][lane] = axis_of(r->mesh->ends[v], axis) - x;
            }
        }
    }
}

static int collect(const dew_Bvh *bvh, uint32_t child, uint32_t count, uint32_t *ids, int found)
{
    if (count > 0) {
        for (uint32_t i = 0; i < count; i++)
            ids[found++] = bvh->triangle_id[child + i];
        return found;
    }
    const dew_BvhNode *node = &bvh->nodes[child];
    for (int k = 0; k < DEW_BVH_WIDTH; k++)
        if (node->child[k] != DEW_BVH_NONE)
            found = collect(bvh, node->child[k], node->count[k], ids, found);
    return found;
}

static uint32_t repack_node(const Repacking *r, uint32_t source);

static uint32_t repack_child(const Repacking *r, const dew_BvhNode *node, int k)
{
    uint32_t child = node->child[k], count = node->count[k];
    if (child == DEW_BVH_NONE)
        return NONE;
    uint32_t weight = count > 0 ? count : r->weight[child];
    if (weight > 4)
        return repack_node(r, child);
    uint32_t ids[4], at = r->tree->packet_count++;
    fill_packet(r, ids, collect(r->bvh, child, count, ids, 0), at);
    return PACKET | at;
}

static uint32_t repack_node(const Repacking *r, uint32_t source)
{
    uint32_t at = r->tree->node_count++;
    for (int k = 0; k < DEW_BVH_WIDTH; k++) {
        uint32_t child = repack_child(r, &r->bvh->nodes[source], k);
        r->tree->nodes[at].child[k] = child;
    }
    return at;
}

// Box of a packet over the whole shutter, widened by what interpolation may round.
static void packet_box(const OwnTree *tree, uint32_t at, float min[3], float max[3])
{
    for (int axis = 0; axis < 3; axis++) {
        min[axis] = FLT_MAX;
        max[axis] = -FLT_MAX;
        for (int i = 0; i < 12; i++) {
            float x = tree->packets[at].x[i / 4][axis][i % 4];
            float end = x + (tree->moves ? tree->moves[at].x[i / 4][axis][i % 4] : 0);
            min[axis] = dew_minf(min[axis], dew_minf(x, end));
            max[axis] = dew_maxf(max[axis], dew_maxf(x, end));
        }
        float pad =
            tree->moves ? 4 * FLT_EPSILON * dew_maxf(fabsf(min[axis]), fabsf(max[axis])) : 0;
        min[axis] -= pad;
        max[axis] += pad;
    }
}

// From the last node to the first: children come after their parents.
static void set_boxes(OwnTree *tree)
{
    for (uint32_t n = tree->node_count; n-- > 0;) {
        Node *node = &tree->nodes[n];
        for (int k = 0; k < 4; k++) {
            // An unused slot is a box that no ray enters.
            float min[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, max[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
            uint32_t child = node->child[k];
            if (child != NONE && (child & PACKET)) {
                packet_box(tree, child & ~PACKET, min, max);
            } else if (child != NONE) {
                for (int i = 0; i < 12; i++) {
                    min[i / 4] = dew_minf(min[i / 4], tree->nodes[child].min[i / 4][i % 4]);
                    max[i / 4] = dew_maxf(max[i / 4], tree->nodes[child].max[i / 4][i % 4]);
                }
            }
            for (int axis = 0; axis < 3; axis++) {
                node->min[axis][k] = min[axis];
                node->max[axis][k] = max[axis];
            }
        }
    }
}

// A mesh in doubles, halfway through the shutter, for the builder of geom/bvh.h.
static dew_Status build_bvh(const dew_TreeMesh *mesh, dew_Tasks *tasks,
                            const dew_Allocator *allocator, dew_Bvh **out)
{
    dew_Mesh middle;
    dew_mesh_init(&middle, allocator);
    dew_Status status = dew_array_resize(&middle.positions, mesh->vertex_count);
    for (int64_t v = 0; status.code == DEW_OK && v < mesh->vertex_count; v++) {
        dew_Vec3 p = dew_f3_wide(mesh->positions[v]);
        DEW_ITEMS(&middle.positions, dew_Vec3)
        [v] = mesh->ends ? dew_combine(0.5, p, 0.5, dew_f3_wide(mesh->ends[v])) : p;
    }
    if (status.code == DEW_OK)
        status = dew_array_append(&middle.triangles, mesh->triangles, mesh->triangle_count);
    if (status.code == DEW_OK)
        status = dew_bvh_create(&middle, tasks, allocator, out);
    dew_mesh_deinit(&middle);
    return status;
}

static dew_Status repack(OwnTree *tree, const dew_TreeMesh *mesh, const dew_Bvh *bvh)
{
    dew_Arena *arena = &tree->arena;
    uint32_t *weight = dew_arena_array(arena, uint32_t, bvh->node_count);
    tree->nodes = dew_arena_array(arena, Node, bvh->node_count);
    tree->packets = dew_arena_array(arena, Packet, mesh->triangle_count);
    if (mesh->ends)
        tree->moves = dew_arena_array(arena, Packet, mesh->triangle_count);
    if (!weight || !tree->nodes || !tree->packets || (mesh->ends && !tree->moves))
        return dew_no_memory((size_t)mesh->triangle_count * sizeof(Packet));
    for (int64_t n = bvh->node_count; n-- > 0;)
        for (int k = 0; k < DEW_BVH_WIDTH; k++)
            if (bvh->nodes[n].child[k] != DEW_BVH_NONE)
                weight[n] += bvh->nodes[n].count[k] > 0 ? bvh->nodes[n].count[k]
                                                        : weight[bvh->nodes[n].child[k]];
    Repacking r = {bvh, mesh, weight, tree};
    if (bvh->node_count > 0)
        repack_node(&r, 0);
    set_boxes(tree);
    return dew_ok();
}

static void destroy(void *state)
{
    OwnTree *tree = state;
    if (!tree)
        return;
    dew_arena_deinit(&tree->arena);
    dew_Allocator allocator = tree->allocator;
    dew_free(&allocator, tree, sizeof *tree);
}

dew_Status dew_own_tree_create(const dew_TreeMesh *mesh, dew_Tasks *tasks,
                               const dew_Allocator *allocator, void **state)
{
    OwnTree *tree = dew_alloc(allocator, 1, sizeof *tree);
    dew_Bvh *bvh = NULL;
    *state = NULL;
    if (!tree)
        return dew_no_memory(sizeof *tree);
    if (allocator)
        tree->allocator = *allocator;
    dew_arena_init(&tree->arena, allocator);
    dew_Status status = build_bvh(mesh, tasks, allocator, &bvh);
    if (status.code == DEW_OK)
        status = repack(tree, mesh, bvh);
    dew_bvh_destroy(bvh);
    if (status.code == DEW_OK)
        *state = tree;
    else
        destroy(tree);
    return status;
}

// ---- rays --------------------------------------------------------------------------------------

typedef int Mask __attribute__((vector_size(16)));

static int bits(Mask mask)
{
#ifdef __SSE__
    return _mm_movemask_ps((__m128)mask);
#else
    return (mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8);
#endif
}

// A ray as boxes and triangles see it; axes renamed so that z is the longest of the direction.
typedef struct Walker {
    dew_Lanes origin[3], inverse[3];
    int is_negative[3];
    float org[3];
    int x, y, z;
    float shear_x, shear_y, shear_z;
    float min_t, max_t, time;
} Walker;

static Walker make_walker(const dew_TraceRay *ray)
{
    Walker w = {.org = {ray->origin.x, ray->origin.y, ray->origin.z},
                .min_t = ray->min_t,
                .max_t = ray->max_t,
                .time = ray->time};
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    for (int k = 0; k < 3; k++) {
        float part = fabsf(d[k]) > TINY ? d[k] : copysignf(TINY, d[k]);
        w.origin[k] = dew_lanes(w.org[k]);
        w.inverse[k] = dew_lanes(1 / part);
        w.is_negative[k] = part < 0;
    }
    w.z = fabsf(d[0]) > fabsf(d[1]) ? 0 : 1;
    w.z = fabsf(d[2]) > fabsf(d[w.z]) ? 2 : w.z;
    w.x = (w.z + 1) % 3;
    w.y = (w.z + 2) % 3;
    if (d[w.z] < 0) {  // keeps the winding
        int swapped = w.x;
        w.x = w.y;
        w.y = swapped;
    }
    w.shear_x = d[w.x] / d[w.z];
    w.shear_y = d[w.y] / d[w.z];
    w.shear_z = 1 / d[w.z];
    return w;
}

// The four triangles at the ray's time, seen from its origin and sheared.
typedef struct Sheared {
    dew_Lanes x[3], y[3], z[3];
} Sheared;

static inline Sheared shear_packet(const OwnTree *tree, uint32_t at, const Walker *w)
{
    Sheared s;
    const Packet *packet = &tree->packets[at];
    for (int c = 0; c < 3; c++) {
        dew_Lanes x = dew_lanes_load(packet->x[c][w->x]), y = dew_lanes_load(packet->x[c][w->y]);
        dew_Lanes z = dew_lanes_load(packet->x[c][w->z]);
        if (tree->moves) {
            const Packet *move = &tree->moves[at];
            x += dew_lanes(w->time) * dew_lanes_load(move->x[c][w->x]);
            y += dew_lanes(w->time) * dew_lanes_load(move->x[c][w->y]);
            z += dew_lanes(w->time) * dew_lanes_load(move->x[c][w->z]);
        }
        z -= dew_lanes(w->org[w->z]);
        s.x[c] = x - dew_lanes(w->org[w->x]) - dew_lanes(w->shear_x) * z;
        s.y[c] = y - dew_lanes(w->org[w->y]) - dew_lanes(w->shear_y) * z;
        s.z[c] = dew_lanes(w->shear_z) * z;
    }
    return s;
}

// A lane whose edge functions are zero in floats, in doubles.
static void edges_in_doubles(const Sheared *s, int lane, float e[3])
{
    for (int k = 0; k < 3; k++) {
        int a = (k + 2) % 3, b = (k + 1) % 3;  // e[0] of C and B, e[1] of A and C, e[2] of B and A
        e[k] = (float)((double)s->x[a][lane] * (double)s->y[b][lane] -
                       (double)s->y[a][lane] * (double)s->x[b][lane]);
    }
}

// The triangles of a packet; true: one is hit nearer than max_t, which is then lowered.
static inline bool hit_packet(const OwnTree *tree, uint32_t at, Walker *w, dew_TraceHit *hit)
{
    Sheared s = shear_packet(tree, at, w);
    dew_Lanes e0 = s.x[2] * s.y[1] - s.y[2] * s.x[1], e1 = s.x[0] * s.y[2] - s.y[0] * s.x[2];
    dew_Lanes e2 = s.x[1] * s.y[0] - s.y[1] * s.x[0], zero = dew_lanes(0);
    int zeros = bits((e0 == zero) | (e1 == zero) | (e2 == zero));
    for (int lane = 0; zeros && lane < 4; lane++) {
        if (!(zeros >> lane & 1))
            continue;
        float e[3];
        edges_in_doubles(&s, lane, e);
        e0[lane] = e[0];
        e1[lane] = e[1];
        e2[lane] = e[2];
    }
    dew_Lanes least = dew_lanes_min(e0, dew_lanes_min(e1, e2));
    dew_Lanes most = dew_lanes_max(e0, dew_lanes_max(e1, e2));
    dew_Lanes sum = e0 + e1 + e2;
    Mask inside = ((least >= zero) | (most <= zero)) & (sum != zero);
    if (!bits(inside))
        return false;
    dew_Lanes t = (e0 * s.z[0] + e1 * s.z[1] + e2 * s.z[2]) / sum;
    int found = bits(inside & (t >= dew_lanes(w->min_t)) & (t <= dew_lanes(w->max_t)));
    bool is_hit = false;
    for (int lane = 0; lane < 4; lane++) {
        if (!(found >> lane & 1) || t[lane] > w->max_t)
            continue;
        w->max_t = t[lane];
        hit->t = t[lane];
        hit->u = e1[lane] / sum[lane];
        hit->v = e2[lane] / sum[lane];
        hit->triangle = at << 2 | (uint32_t)lane;  // its place, until the end
        is_hit = true;
    }
    return is_hit;
}

typedef struct Entry {
    float key;
    uint32_t child;
} Entry;

// Pushes the children whose boxes the ray enters, the nearest last.
static inline int push_children(const Node *node, const Walker *w, Entry *stack, int top)
{
    dew_Lanes near_t = dew_lanes(w->min_t), far_t = dew_lanes(w->max_t);
    for (int k = 0; k < 3; k++) {
        const float *lo = w->is_negative[k] ? node->max[k] : node->min[k];
        const float *hi = w->is_negative[k] ? node->min[k] : node->max[k];
        near_t = dew_lanes_max(near_t, (dew_lanes_load(lo) - w->origin[k]) * w->inverse[k]);
        far_t = dew_lanes_min(far_t, (dew_lanes_load(hi) - w->origin[k]) * w->inverse[k]);
    }
    int entered = bits(near_t <= far_t * dew_lanes(WIDEN));
    int first = top;
    while (entered) {
        int lane = __builtin_ctz((unsigned)entered);
        entered &= entered - 1;
        Entry entry = {near_t[lane], node->child[lane]};
        int at = top++;
        for (; at > first && stack[at - 1].key < entry.key; at--)
            stack[at] = stack[at - 1];
        stack[at] = entry;
    }
    return top;
}

// The hit as the mesh knows it.
static void finish_hit(const OwnTree *tree, const Walker *w, dew_TraceHit *hit)
{
    uint32_t at = hit->triangle >> 2, lane = hit->triangle & 3;
    dew_Float3 p[3];
    for (int c = 0; c < 3; c++) {
        float x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = tree->packets[at].x[c][k][lane];
            if (tree->moves)
                x[k] += w->time * tree->moves[at].x[c][k][lane];
        }
        p[c] = dew_f3(x[0], x[1], x[2]);
    }
    hit->normal = dew_f3_cross(dew_f3_sub(p[1], p[0]), dew_f3_sub(p[2], p[0]));
    hit->triangle = tree->packets[at].id[lane];
}

static inline bool walk(const OwnTree *tree, const dew_TraceRay *ray, bool any, dew_TraceHit *hit)
{
    if (tree->node_count == 0)
        return false;
    Walker w = make_walker(ray);
    Entry stack[STACK];
    stack[0] = (Entry){0, 0};
    int top = 1;
    bool is_hit = false;
    while (top > 0) {
        Entry entry = stack[--top];
        if (entry.key > w.max_t)
            continue;
        if (!(entry.child & PACKET)) {
            top = push_children(&tree->nodes[entry.child], &w, stack, top);
        } else if (hit_packet(tree, entry.child & ~PACKET, &w, hit)) {
            if (any)
                return true;
            is_hit = true;
        }
    }
    if (is_hit)
        finish_hit(tree, &w, hit);
    return is_hit;
}

static bool own_hit(const void *state, const dew_TraceRay *ray, dew_TraceHit *hit)
{
    return walk(state, ray, false, hit);
}

static bool own_blocks(const void *state, const dew_TraceRay *ray)
{
    dew_TraceHit hit;
    return walk(state, ray, true, &hit);
}

const dew_TreeOps dew_own_tree_ops = {"own", destroy, own_hit, own_blocks};
