// Crossing triangles of a mesh: bounding-volume tree and exact test of pairs.
//
// The triangles are sorted along a Morton curve through the middles of their boxes
// [Lauterbach2009]; four in a row are a leaf, four leaves in a row a node, and so on to the root,
// in one array level by level, which needs no pointers and is built in one pass. A node has the
// boxes of its four children side by side: all are tested at once. Each leaf asks the tree for the
// leaves from itself on whose boxes meet its own. Boxes are in floats rounded outward. Of two
// triangles whose boxes meet most have a plane between them beyond rounding; the rest take the
// exact test.
//
// Where only a few triangles are asked for, a tree of these finds the triangles whose boxes meet
// theirs, and the search continues among the two alone: its cost but for one pass over all boxes is
// that of a small mesh.
//
// Nearly all pairs whose boxes meet are neighbours at a vertex. Where the triangles around a vertex
// are a graph over one plane, and go around it once, no two of them cross: these vertices are found
// in two passes over the triangles, and their pairs skipped.
//
// Workers count the crossings of each leaf; the few leaves that have any then ask once more, in
// order, for the pairs themselves. So nothing depends on the number of workers, and no worker
// allocates.
#include "geom/mesh_crossings.h"

#include "base/status.h"
#include "geom/lanes.h"
#include "geom/rounding.h"
#include "geom/triangle.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define WIDTH         4     // triangles of a leaf, and children of a node
#define LEAST_COSINE2 1e-6  // of normals to their mean, squared: far above rounding
#define FEW_ASKED     8     // fewer than one triangle in so many: they get a tree of their own
// Per axis, and per pass of the radix sort: three axes fit into a key.
#define MORTON_BITS ((int)(CHAR_BIT * sizeof(uint32_t) / 3))

// Two bits of an index per level, of a tree of as many triangles as indices tell apart.
enum { MAX_LEVELS = CHAR_BIT * sizeof(uint32_t) / 2, STACK_SIZE = WIDTH * MAX_LEVELS };

typedef struct FloatBox {
    float min[3], max[3];
} FloatBox;

// Boxes side by side; those that are not there are empty.
typedef struct FourBoxes {
    float min[3][WIDTH], max[3][WIDTH];
} FourBoxes;

// The corners of a leaf's triangles side by side: those that are graphs, NONE for others.
typedef struct FourCorners {
    uint32_t v[3][WIDTH];
} FourCorners;
#define NONE UINT32_MAX  // no vertex has it: there are fewer

typedef struct Tree {
    const dew_CrossingSearch *search;
    const uint32_t *subset;  // the triangles of the tree; NULL: all
    int64_t count;
    FloatBox *box;       // of the triangles, in the order of the leaves
    uint32_t *triangle;  // of the mesh, in the order of the leaves
    FourBoxes *node;  // the leaves, of triangles; then level by level, of nodes of the level below
    int64_t level_begin[MAX_LEVELS + 1], level_size[MAX_LEVELS + 1];
    int top;  // the level of the root
    int64_t leaf_count;
    uint32_t *crossing_count;  // per leaf
    uint8_t *has_asked;        // per node: a triangle that is asked for lies below; NULL: all are
    FourCorners *graph;        // per leaf: see find_graphs; NULL: not known
} Tree;

// ---- boxes -------------------------------------------------------------------------------------

static float float_below(double x)
{
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float float_above(double x)
{
    float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

static FloatBox box_empty(void)
{
    return (FloatBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void corners(const dew_CrossingSearch *search, uint32_t triangle, dew_Vec3 out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = search->positions[search->triangles[triangle].v[i]];
}

static FloatBox triangle_box(const dew_CrossingSearch *search, uint32_t triangle)
{
    dew_Vec3 x[3];
    corners(search, triangle, x);
    dew_Vec3 low = dew_vec_min(dew_vec_min(x[0], x[1]), x[2]);
    dew_Vec3 high = dew_vec_max(dew_vec_max(x[0], x[1]), x[2]);
    return (FloatBox){{float_below(low.x), float_below(low.y), float_below(low.z)},
                      {float_above(high.x), float_above(high.y), float_above(high.z)}};
}

static FloatBox box_union(const FloatBox *a, const FloatBox *b)
{
    FloatBox sum;
    for (int i = 0; i < 3; i++) {
        sum.min[i] = a->min[i] < b->min[i] ? a->min[i] : b->min[i];
        sum.max[i] = a->max[i] > b->max[i] ? a->max[i] : b->max[i];
    }
    return sum;
}

// The boxes that meet one, a bit each.
static inline unsigned meeting(const FourBoxes *four, const FloatBox *box)
{
    dew_Lanes apart = dew_lanes(-INFINITY);
    for (int i = 0; i < 3; i++) {
        dew_Lanes over = dew_lanes_load(four->min[i]) - dew_lanes(box->max[i]);
        dew_Lanes under = dew_lanes(box->min[i]) - dew_lanes_load(four->max[i]);
        apart = dew_lanes_max(apart, dew_lanes_max(over, under));
    }
    return dew_lanes_not_above_zero(apart);
}

// ---- the order along the Morton curve ----------------------------------------------------------

typedef struct Keyed {
    uint32_t key, triangle;
} Keyed;

// The lowest ten bits, two zeroes before each.
static uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    return (x | x << 2) & 0x09249249u;
}

static uint32_t morton_key(const FloatBox *box, const FloatBox *all, float per_m)
{
    uint32_t key = 0;
    for (int i = 0; i < 3; i++) {
        float at = (0.5f * box->min[i] + 0.5f * box->max[i] - all->min[i]) * per_m;
        uint32_t last = (1u << MORTON_BITS) - 1;
        key |= spread_bits(at > 0 ? (at < (float)last ? (uint32_t)at : last) : 0) << i;
    }
    return key;
}

// Stable, by counting: three passes of ten bits each.
static Keyed *sort_keyed(Keyed *items, Keyed *other, int64_t count)
{
    uint32_t start[1 << MORTON_BITS];
    for (int pass = 0; pass < 3; pass++) {
        int shift = pass * MORTON_BITS;
        uint32_t mask = (1u << MORTON_BITS) - 1, sum = 0;
        for (uint32_t k = 0; k <= mask; k++)
            start[k] = 0;
        for (int64_t i = 0; i < count; i++)
            start[items[i].key >> shift & mask]++;
        for (uint32_t k = 0; k <= mask; k++) {
            uint32_t here = start[k];
            start[k] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < count; i++)
            other[start[items[i].key >> shift & mask]++] = items[i];
        Keyed *sorted = other;
        other = items;
        items = sorted;
    }
    return items;
}

// Fills tree->triangle and tree->box in leaf order.
static dew_Status order_triangles(Tree *tree)
{
    const dew_CrossingSearch *search = tree->search;
    int64_t count = tree->count;
    FloatBox *box = dew_arena_alloc_raw(search->scratch, count, sizeof *box);
    Keyed *items = dew_arena_alloc_raw(search->scratch, 2 * count, sizeof *items);
    if (!box || !items)
        return dew_no_memory((size_t)count * sizeof *items);
    FloatBox all = box_empty();
    for (int64_t t = 0; t < count; t++) {
        box[t] = triangle_box(search, tree->subset ? tree->subset[t] : (uint32_t)t);
        all = box_union(&all, &box[t]);
    }
    float extent = 0;
    for (int i = 0; i < 3; i++)
        extent = fmaxf(extent, all.max[i] - all.min[i]);
    float per_m = extent > 0 ? (float)(1 << MORTON_BITS) / extent : 0;
    for (int64_t t = 0; t < count; t++)
        items[t] = (Keyed){morton_key(&box[t], &all, per_m), (uint32_t)t};
    const Keyed *sorted = sort_keyed(items, items + count, count);
    for (int64_t s = 0; s < count; s++) {
        uint32_t t = sorted[s].triangle;
        tree->triangle[s] = tree->subset ? tree->subset[t] : t;
        tree->box[s] = box[t];
    }
    return dew_ok();
}

static int64_t node_count(const Tree *tree)
{
    return tree->level_begin[tree->top] + 1;
}

// A pair has a triangle that is asked for: leaves without one need look at nodes with one only.
static dew_Status mark_asked(Tree *tree)
{
    const dew_CrossingSearch *search = tree->search;
    tree->has_asked = dew_arena_array(search->scratch, uint8_t, node_count(tree));
    if (!tree->has_asked)
        return dew_no_memory((size_t)node_count(tree));
    for (int64_t s = 0; s < tree->count; s++)
        tree->has_asked[s / WIDTH] |= search->is_asked[tree->triangle[s]];
    for (int level = 0; level < tree->top; level++)
        for (int64_t i = 0; i < tree->level_size[level]; i++)
            tree->has_asked[tree->level_begin[level + 1] + i / WIDTH] |=
                tree->has_asked[tree->level_begin[level] + i];
    return dew_ok();
}

// Leaf by leaf, then level by level up to one node.
static void size_levels(Tree *tree)
{
    int64_t begin = 0, size = tree->leaf_count;
    for (tree->top = 0;; tree->top++) {
        tree->level_begin[tree->top] = begin;
        tree->level_size[tree->top] = size;
        if (size == 1)
            break;
        begin += size;
        size = (size + WIDTH - 1) / WIDTH;
    }
}

static void set_box(FourBoxes *four, int64_t lane, const FloatBox *box)
{
    for (int i = 0; i < 3; i++) {
        four->min[i][lane] = box->min[i];
        four->max[i][lane] = box->max[i];
    }
}

static FloatBox union_of(const FourBoxes *four)
{
    FloatBox sum = box_empty();
    for (int k = 0; k < WIDTH; k++)
        for (int i = 0; i < 3; i++) {
            sum.min[i] = sum.min[i] < four->min[i][k] ? sum.min[i] : four->min[i][k];
            sum.max[i] = sum.max[i] > four->max[i][k] ? sum.max[i] : four->max[i][k];
        }
    return sum;
}

static void fill_nodes(Tree *tree)
{
    FloatBox none = box_empty();
    for (int level = 0; level <= tree->top; level++) {
        int64_t below = level == 0 ? tree->count : tree->level_size[level - 1];
        FourBoxes *node = tree->node + tree->level_begin[level];
        const FourBoxes *child = level == 0 ? NULL : tree->node + tree->level_begin[level - 1];
        for (int64_t k = 0; k < WIDTH * tree->level_size[level]; k++) {
            FloatBox box = k >= below ? none : child ? union_of(&child[k]) : tree->box[k];
            set_box(&node[k / WIDTH], k % WIDTH, &box);
        }
    }
}

static dew_Status build(Tree *tree)
{
    const dew_CrossingSearch *search = tree->search;
    int64_t count = tree->count;
    tree->leaf_count = (count + WIDTH - 1) / WIDTH;
    size_levels(tree);
    tree->node = dew_arena_alloc_raw(search->scratch, node_count(tree), sizeof *tree->node);
    tree->box = dew_arena_alloc_raw(search->scratch, count, sizeof *tree->box);
    tree->triangle = dew_arena_alloc_raw(search->scratch, count, sizeof *tree->triangle);
    tree->crossing_count = dew_arena_array(search->scratch, uint32_t, tree->leaf_count);
    if (!tree->node || !tree->box || !tree->triangle || !tree->crossing_count)
        return dew_no_memory((size_t)count * sizeof *tree->box);
    DEW_TRY(order_triangles(tree));
    fill_nodes(tree);
    return dew_ok();
}

// A node on the way down: its level, and its place in the level.
typedef struct Entry {
    int64_t index;
    int level;
} Entry;

static const FourBoxes *node_at(const Tree *tree, Entry e)
{
    return &tree->node[tree->level_begin[e.level] + e.index];
}

// Does the box meet that of a triangle of the tree?
static bool meets_any(const Tree *tree, const FloatBox *box)
{
    Entry stack[STACK_SIZE];
    int top = 0;
    stack[top++] = (Entry){0, tree->top};
    while (top > 0) {
        Entry e = stack[--top];
        unsigned bits = meeting(node_at(tree, e), box);
        if (bits && e.level == 0)
            return true;
        for (int k = 0; k < WIDTH; k++)
            if (bits >> k & 1)
                stack[top++] = (Entry){WIDTH * e.index + k, e.level - 1};
    }
    return false;
}

static bool has_few_asked(const dew_CrossingSearch *search)
{
    int64_t count = 0;
    for (int64_t t = 0; t < search->triangle_count; t++)
        count += search->is_asked[t] != 0;
    return count < search->triangle_count / FEW_ASKED;
}

// The triangles that are asked for, and those that may cross them.
static dew_Status select_near(Tree *tree)
{
    const dew_CrossingSearch *search = tree->search;
    int64_t count = search->triangle_count;
    uint32_t *asked = dew_arena_alloc_raw(search->scratch, count, sizeof *asked);
    uint32_t *near = dew_arena_alloc_raw(search->scratch, count, sizeof *near);
    Tree of_asked = {.search = search, .subset = asked};
    if (!asked || !near)
        return dew_no_memory((size_t)count * sizeof *near);
    for (int64_t t = 0; t < count; t++)
        if (search->is_asked[t])
            asked[of_asked.count++] = (uint32_t)t;
    tree->subset = near;
    tree->count = 0;
    if (of_asked.count == 0)
        return dew_ok();
    DEW_TRY(build(&of_asked));
    for (int64_t t = 0; t < count; t++) {
        FloatBox box = triangle_box(search, (uint32_t)t);
        if (search->is_asked[t] || meets_any(&of_asked, &box))
            near[tree->count++] = (uint32_t)t;
    }
    return dew_ok();
}

// ---- vertices whose triangles are a graph ------------------------------------------------------

// The triangles around a vertex, seen along the sum of their normals.
typedef struct Fan {
    dew_Vec3 normal;
    int64_t link;   // next corners less previous ones: 0 where each edge has two triangles
    int32_t turns;  // how often they pass the direction `across` anticlockwise
    bool is_folded;
} Fan;

// A direction in the plane of the normal.
static dew_Vec3 across(dew_Vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    return x <= y && x <= z ? dew_vec(0, n.z, -n.y)
           : y <= z         ? dew_vec(-n.z, 0, n.x)
                            : dew_vec(n.y, -n.x, 0);
}

static void add_corner(const dew_Vec3 *x, uint32_t v, uint32_t next, uint32_t previous, dew_Vec3 n,
                       Fan *fan)
{
    dew_Vec3 side = across(fan->normal);
    double along = dew_inner(n, fan->normal);
    fan->link += (int64_t)next - previous;
    fan->is_folded =
        fan->is_folded ||
        !(along > 0 && along * along > LEAST_COSINE2 * dew_length2(n) * dew_length2(fan->normal));
    // Each edge has its sign from one and the same sum in both of its triangles.
    fan->turns += dew_inner(side, dew_sub(x[next], x[v])) < 0 &&
                  dew_inner(side, dew_sub(x[previous], x[v])) >= 0;
}

// Marks the vertices whose triangles are a graph over the plane across their mean normal: each has
// its normal within a right angle of that (beyond rounding), they close, and go around once.
static dew_Status find_graphs(Tree *tree)
{
    const dew_CrossingSearch *search = tree->search;
    const dew_Vec3 *x = search->positions;
    int64_t vertex_count = 0;
    for (int64_t t = 0; t < search->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            if (search->triangles[t].v[c] >= vertex_count)
                vertex_count = (int64_t)search->triangles[t].v[c] + 1;
    dew_Vec3 *normal = dew_arena_alloc_raw(search->scratch, search->triangle_count, sizeof *normal);
    Fan *fan = dew_arena_array(search->scratch, Fan, vertex_count);
    uint8_t *is_graph = dew_arena_array(search->scratch, uint8_t, vertex_count);
    tree->graph = dew_arena_alloc_raw(search->scratch, tree->leaf_count, sizeof *tree->graph);
    if (!normal || !fan || !is_graph || !tree->graph)
        return dew_no_memory((size_t)vertex_count * sizeof *fan);
    for (int64_t t = 0; t < search->triangle_count; t++) {
        const uint32_t *v = search->triangles[t].v;
        normal[t] = dew_triangle_normal(x[v[0]], x[v[1]], x[v[2]]);
        for (int c = 0; c < 3; c++)
            fan[v[c]].normal = dew_add(fan[v[c]].normal, normal[t]);
    }
    for (int64_t t = 0; t < search->triangle_count; t++) {
        const uint32_t *v = search->triangles[t].v;
        for (int c = 0; c < 3; c++)
            add_corner(x, v[c], v[(c + 1) % 3], v[(c + 2) % 3], normal[t], &fan[v[c]]);
    }
    for (int64_t i = 0; i < vertex_count; i++)
        is_graph[i] = !fan[i].is_folded && fan[i].link == 0 && fan[i].turns == 1;
    for (int64_t k = 0; k < WIDTH * tree->leaf_count; k++)
        for (int c = 0; c < 3; c++) {
            uint32_t v = k < tree->count ? search->triangles[tree->triangle[k]].v[c] : NONE;
            tree->graph[k / WIDTH].v[c][k % WIDTH] = v != NONE && is_graph[v] ? v : NONE;
        }
    return dew_ok();
}

// The triangles of leaf m that have a corner in common with a triangle whose surroundings are a
// graph, a bit each.
static unsigned in_a_graph(const Tree *tree, int64_t m, const uint32_t corner[3])
{
    dew_IndexLanes is_common = dew_index_lanes(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            is_common |= dew_index_lanes_equal(dew_index_lanes_load(tree->graph[m].v[j]),
                                               dew_index_lanes(corner[i]));
    return dew_index_lanes_set(is_common);
}

// ---- pairs -------------------------------------------------------------------------------------

// Is d . p positive beyond rounding? The product errs by a few 2^-53 of |d| |p|.
static bool is_ahead(dew_Vec3 d, dew_Vec3 p)
{
    double along = dew_inner(d, p);
    return along > 0 && along * along > DEW_DIRECTION_ROUNDING * DEW_DIRECTION_ROUNDING *
                                            dew_length2(d) * dew_length2(p);
}

static double greatest(double a, double b)
{
    return a > b ? a : b;
}

static double size_of(dew_Vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

// Do planes across m have the triangles on their two sides? Seen from x[0]; what rounding does to a
// product is a few 2^-53 of the sizes of its factors.
static bool is_apart_along(dew_Vec3 m, const dew_Vec3 x[3], const dew_Vec3 y[3])
{
    dew_Vec3 d[5] = {dew_sub(x[1], x[0]), dew_sub(x[2], x[0]), dew_sub(y[0], x[0]),
                     dew_sub(y[1], x[0]), dew_sub(y[2], x[0])};
    double at[5], size = 0;
    for (int k = 0; k < 5; k++) {
        at[k] = dew_inner(m, d[k]);
        size = greatest(size, size_of(d[k]));
    }
    double x_low = -greatest(0, greatest(-at[0], -at[1]));
    double x_high = greatest(0, greatest(at[0], at[1]));
    double y_low = -greatest(-at[2], greatest(-at[3], -at[4]));
    double y_high = greatest(at[2], greatest(at[3], at[4]));
    double least =
        DEW_DIRECTION_ROUNDING * size_of(m) * size + DBL_MIN;  // where products underflow
    return y_low - x_high > least || x_low - y_high > least;
}

// Two triangles without a common corner: across the line between their middles, across an edge in
// the plane of its triangle (neighbours of neighbours lie nearly in one), across their normals.
static bool is_apart_anywhere(const dew_Vec3 x[3], const dew_Vec3 y[3])
{
    dew_Vec3 middle =
        dew_sub(dew_add(y[0], dew_add(y[1], y[2])), dew_add(x[0], dew_add(x[1], x[2])));
    if (is_apart_along(middle, x, y))
        return true;
    dew_Vec3 n = dew_triangle_normal(x[0], x[1], x[2]), m = dew_triangle_normal(y[0], y[1], y[2]);
    for (int k = 0; k < 3; k++) {
        int next = k == 2 ? 0 : k + 1;
        if (is_apart_along(dew_cross(n, dew_sub(x[next], x[k])), x, y) ||
            is_apart_along(dew_cross(m, dew_sub(y[next], y[k])), x, y))
            return true;
    }
    return is_apart_along(n, x, y) || is_apart_along(m, x, y);
}

// Some plane has the two triangles on its two sides, but for what they have in common by their
// indices. Says no where rounding could decide: the exact test is asked then.
static bool is_surely_apart(const dew_Vec3 x[3], const dew_Vec3 y[3], const uint32_t a[3],
                            const uint32_t b[3])
{
    int common = 0, i = 0, j = 0, i_sum = 0, j_sum = 0;
    for (int k = 0; k < 9; k++) {
        if (a[k / 3] != b[k % 3])
            continue;
        common++;
        i_sum += i = k / 3;
        j_sum += j = k % 3;
    }
    if (common == 1) {  // the plane through the common corner, across the line between the middles
        dew_Vec3 p = dew_sub(x[(i + 1) % 3], x[i]), q = dew_sub(x[(i + 2) % 3], x[i]);
        dew_Vec3 r = dew_sub(x[i], y[(j + 1) % 3]), s = dew_sub(x[i], y[(j + 2) % 3]);
        dew_Vec3 pq = dew_add(p, q), rs = dew_add(r, s);
        dew_Vec3 d = dew_combine(dew_length(rs), pq, dew_length(pq), rs);
        return is_ahead(d, p) && is_ahead(d, q) && is_ahead(d, r) && is_ahead(d, s);
    }
    if (common ==
        2) {  // the plane through the common edge, across the line between the other corners
        dew_Vec3 o = x[(3 - i_sum + 1) % 3], edge = dew_sub(x[(3 - i_sum + 2) % 3], o);
        dew_Vec3 p = dew_sub(x[3 - i_sum], o), r = dew_sub(o, y[3 - j_sum]), d = dew_add(p, r);
        d = dew_combine(dew_length2(edge), d, -dew_inner(edge, d), edge);
        // The rounding of d, some DBL_EPSILON |edge|^2 |p|, tilts the plane about the edge's ends:
        // by less than is_ahead asks for when d is not small.
        double least = 16 * DBL_EPSILON / DEW_DIRECTION_ROUNDING * dew_length2(edge);
        return dew_length2(d) > least * least * dew_length2(p) && is_ahead(d, p) && is_ahead(d, r);
    }
    return common == 0 && is_apart_anywhere(x, y);
}

static bool is_asked(const dew_CrossingSearch *search, uint32_t s, uint32_t t)
{
    return !search->is_asked || search->is_asked[s] || search->is_asked[t];
}

// Triangles s and t, whose boxes meet: do they cross?
static bool is_crossing(const Tree *tree, const dew_Vec3 x[3], uint32_t a, uint32_t b)
{
    const dew_Triangle *triangles = tree->search->triangles;
    if (!is_asked(tree->search, a, b))
        return false;
    dew_Vec3 y[3];
    corners(tree->search, b, y);
    return !is_surely_apart(x, y, triangles[a].v, triangles[b].v) &&
           dew_triangle_overlaps_triangle(x, y);
}

// Crossings between two leaves (or within one): counted, and appended when `out` is there.
static dew_Status cross_leaves(const Tree *tree, int64_t k, int64_t m, uint32_t *found,
                               dew_Array *out)
{
    for (int64_t s = WIDTH * k; s < WIDTH * (k + 1) && s < tree->count; s++) {
        unsigned bits = meeting(&tree->node[m], &tree->box[s]);
        if (k == m)
            bits &= ~0u << (s - WIDTH * k + 1);
        uint32_t a = tree->triangle[s];
        if (bits && tree->graph)
            bits &= ~in_a_graph(tree, m, tree->search->triangles[a].v);
        if (!bits)
            continue;
        dew_Vec3 x[3];
        corners(tree->search, a, x);
        for (int i = 0; i < WIDTH; i++) {
            if (!(bits >> i & 1))
                continue;
            uint32_t b = tree->triangle[WIDTH * m + i];
            if (!is_crossing(tree, x, a, b))
                continue;
            (*found)++;
            dew_TrianglePair pair = {a < b ? a : b, a < b ? b : a};
            if (out)
                DEW_TRY(dew_array_push(out, &pair));
        }
    }
    return dew_ok();
}

// Leaf k against itself and those after it.
static dew_Status cross_leaf(const Tree *tree, int64_t k, uint32_t *found, dew_Array *out)
{
    FloatBox box = union_of(&tree->node[k]);
    const uint8_t *wanted =  // NULL: every node
        tree->has_asked && !tree->has_asked[k] ? tree->has_asked : NULL;
    Entry stack[STACK_SIZE];
    int top = 0;
    *found = 0;
    stack[top++] = (Entry){0, tree->top};
    while (top > 0) {
        Entry e = stack[--top];
        if (e.level == 0) {
            DEW_TRY(cross_leaves(tree, k, e.index, found, out));
            continue;
        }
        unsigned bits = meeting(node_at(tree, e), &box);
        for (int i = WIDTH - 1; i >= 0; i--) {
            Entry child = {WIDTH * e.index + i, e.level - 1};
            bool is_behind = (child.index + 1) << 2 * child.level <= k;
            if ((bits >> i & 1) && !is_behind &&
                (!wanted || wanted[tree->level_begin[child.level] + child.index]))
                stack[top++] = child;
        }
    }
    return dew_ok();
}

static dew_Status count_crossings(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Tree *tree = context;
    for (int64_t k = begin; k < end; k++)
        DEW_TRY(cross_leaf(tree, k, &tree->crossing_count[k], NULL));
    return dew_ok();
}

static int by_triangles(const void *a, const void *b)
{
    const dew_TrianglePair *p = a, *q = b;
    if (p->first != q->first)
        return p->first < q->first ? -1 : 1;
    return (p->second > q->second) - (p->second < q->second);
}

// The tree with the crossings of each leaf counted; without leaves where there is nothing to
// search.
static dew_Status count_all(Tree *tree, const dew_CrossingSearch *search)
{
    *tree = (Tree){.search = search, .count = search->triangle_count};
    bool is_few = search->is_asked && has_few_asked(search);
    if (is_few)
        DEW_TRY(select_near(tree));
    if (tree->count == 0)
        return dew_ok();
    DEW_TRY(build(tree));
    if (search->is_asked)
        DEW_TRY(mark_asked(tree));
    if (!is_few)
        DEW_TRY(find_graphs(tree));
    return dew_parallel_for(search->tasks, tree->leaf_count, DEW_CHUNK_ITEMS / WIDTH,
                            count_crossings, tree);
}

static dew_Status find(const dew_CrossingSearch *search, dew_Array *out)
{
    Tree tree;
    DEW_TRY(count_all(&tree, search));
    for (int64_t k = 0; k < tree.leaf_count; k++) {
        uint32_t found;
        if (search->max_pairs > 0 && out->count >= search->max_pairs)
            break;
        if (tree.crossing_count[k] > 0)
            DEW_TRY(cross_leaf(&tree, k, &found, out));
    }
    if (out->count > 1)
        qsort(out->data, (size_t)out->count, sizeof(dew_TrianglePair), by_triangles);
    return dew_ok();
}

dew_Status dew_mesh_crossings(const dew_CrossingSearch *search, dew_Array *out)
{
    out->count = 0;
    if (search->triangle_count == 0)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(search->scratch);
    dew_Status status = find(search, out);
    dew_arena_rewind(search->scratch, mark);
    return status;
}

static dew_Status find_first(const dew_CrossingSearch *search, int64_t *count, int64_t *first,
                             dew_Array *pairs)
{
    Tree tree;
    DEW_TRY(count_all(&tree, search));
    for (int64_t k = 0; k < tree.leaf_count; k++) {
        uint32_t found;
        *count += tree.crossing_count[k];
        pairs->count = 0;
        if (tree.crossing_count[k] > 0)
            DEW_TRY(cross_leaf(&tree, k, &found, pairs));
        for (int64_t i = 0; i < pairs->count; i++) {
            int64_t lower = DEW_ITEMS(pairs, dew_TrianglePair)[i].first;
            *first = *first == DEW_INVALID || lower < *first ? lower : *first;
        }
    }
    return dew_ok();
}

dew_Status dew_mesh_crossings_count(const dew_CrossingSearch *search, int64_t *count,
                                    int64_t *first)
{
    *count = 0;
    *first = DEW_INVALID;
    if (search->triangle_count == 0)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(search->scratch);
    dew_Array pairs;
    dew_array_init(&pairs, &search->scratch->allocator, sizeof(dew_TrianglePair));
    dew_Status status = find_first(search, count, first, &pairs);
    dew_array_deinit(&pairs);
    dew_arena_rewind(search->scratch, mark);
    return status;
}
