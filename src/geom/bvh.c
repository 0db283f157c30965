// Builds the bounding-volume tree.
//
// Binned surface-area heuristic [Wald2007]: along each axis the middles of the boxes fall into
// bins, and the cut between bins with the smallest sum of (surface area x triangles) is taken. A
// node of four children comes from cutting its range in two and then, twice, the child of largest
// area.
//
// The top of the tree is built first, down to ranges of at most 1/32 of the triangles; these are
// built by the workers, each into its own array, and joined in order. Who builds what does not
// change the tree.
//
// Depth is bounded, so that questions need a stack of fixed size: below SAH_DEPTH ranges are cut in
// the middle by count, which ends after 16 more levels of four.
#include "geom/bvh.h"

#include "base/status.h"
#include "geom/bvh_stack.h"

#include <float.h>
#include <string.h>

#define BIN_COUNT 16  // per axis [Wald2007]
#define MAX_LEAF  2   // triangles; closest points were found fastest with it (`dew bench geom`)
#define SAH_DEPTH                                                                                  \
    (DEW_BVH_MAX_DEPTH - 16)  // then ranges are quartered by count: 16 levels for 2^32

// A triangle while the tree is built: its box in tree units.
typedef struct Item {
    float min[3];
    uint32_t id;
    float max[3];
    uint32_t unused;
} Item;

typedef struct FloatBox {
    float min[3], max[3];
} FloatBox;

typedef struct Range {
    int64_t begin, end;
    FloatBox box;
} Range;

// A range left to the workers, and the place in the tree that waits for it.
typedef struct Job {
    int64_t begin, end;
    uint32_t parent, slot;
    int depth;
    dew_Array nodes;  // dew_BvhNode, numbered from its own 0
} Job;

typedef struct Builder {
    Item *items;
    dew_Array *nodes;  // dew_BvhNode
    dew_Array *jobs;   // Job; NULL: leave nothing to others
    int64_t job_size;  // ranges up to this many triangles become jobs
} Builder;

static float min_float(float a, float b)
{
    return a < b ? a : b;
}

static float max_float(float a, float b)
{
    return a > b ? a : b;
}

static FloatBox box_empty(void)
{
    return (FloatBox){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

static void box_grow(FloatBox *box, const float min[3], const float max[3])
{
    for (int k = 0; k < 3; k++) {
        box->min[k] = min_float(box->min[k], min[k]);
        box->max[k] = max_float(box->max[k], max[k]);
    }
}

// Half the surface; 0 for an empty box.
static float box_area(const FloatBox *box)
{
    float x = box->max[0] - box->min[0], y = box->max[1] - box->min[1],
          z = box->max[2] - box->min[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

static FloatBox items_box(const Item *items, int64_t begin, int64_t end)
{
    FloatBox box = box_empty();
    for (int64_t i = begin; i < end; i++)
        box_grow(&box, items[i].min, items[i].max);
    return box;
}

// ---- where to cut ------------------------------------------------------------------------------

typedef struct Bins {
    FloatBox box[3][BIN_COUNT];
    int64_t count[3][BIN_COUNT];
    float low[3], factor[3];  // bin = (min + max - low) * factor
} Bins;

typedef struct Cut {
    float cost;
    int axis, bin;  // the items of bins below `bin` go left; axis -1: no cut separates anything
} Cut;

static int bin_of(const Bins *bins, const Item *item, int axis)
{
    int bin = (int)((item->min[axis] + item->max[axis] - bins->low[axis]) * bins->factor[axis]);
    return bin < BIN_COUNT ? bin : BIN_COUNT - 1;
}

static void fill_bins(const Item *items, int64_t begin, int64_t end, Bins *bins)
{
    FloatBox middles = box_empty();
    for (int64_t i = begin; i < end; i++) {
        float middle[3];
        for (int k = 0; k < 3; k++)
            middle[k] = items[i].min[k] + items[i].max[k];
        box_grow(&middles, middle, middle);
    }
    for (int k = 0; k < 3; k++) {
        float extent = middles.max[k] - middles.min[k];
        bins->low[k] = middles.min[k];
        bins->factor[k] =
            extent > FLT_MIN / FLT_EPSILON ? (float)BIN_COUNT * (1 - FLT_EPSILON) / extent : 0;
        for (int b = 0; b < BIN_COUNT; b++) {
            bins->box[k][b] = box_empty();
            bins->count[k][b] = 0;
        }
    }
    for (int64_t i = begin; i < end; i++) {
        for (int k = 0; k < 3; k++) {
            int b = bin_of(bins, &items[i], k);
            box_grow(&bins->box[k][b], items[i].min, items[i].max);
            bins->count[k][b]++;
        }
    }
}

// The best cut along one axis, if it beats the one found so far.
static void improve_cut(const Bins *bins, int axis, Cut *best)
{
    float right_cost[BIN_COUNT];
    FloatBox box = box_empty();
    int64_t count = 0;
    for (int b = BIN_COUNT - 1; b > 0; b--) {
        box_grow(&box, bins->box[axis][b].min, bins->box[axis][b].max);
        count += bins->count[axis][b];
        right_cost[b] = count == 0 ? -1 : box_area(&box) * (float)count;
    }
    box = box_empty();
    count = 0;
    for (int b = 1; b < BIN_COUNT; b++) {
        box_grow(&box, bins->box[axis][b - 1].min, bins->box[axis][b - 1].max);
        count += bins->count[axis][b - 1];
        if (count == 0 || right_cost[b] < 0)
            continue;
        float cost = box_area(&box) * (float)count + right_cost[b];
        if (cost < best->cost)
            *best = (Cut){.cost = cost, .axis = axis, .bin = b};
    }
}

// Brings the items of the left side to the front; returns where the right side begins.
static int64_t partition(Item *items, int64_t begin, int64_t end, const Bins *bins, Cut cut)
{
    int64_t left = begin, right = end;
    while (left < right) {
        if (bin_of(bins, &items[left], cut.axis) < cut.bin) {
            left++;
        } else {
            right--;
            Item swapped = items[left];
            items[left] = items[right];
            items[right] = swapped;
        }
    }
    return left;
}

// Cuts a range in two, neither of them empty.
static void split(Item *items, int depth, const Range *range, Range *left, Range *right)
{
    int64_t middle = range->begin + (range->end - range->begin) / 2;
    if (depth < SAH_DEPTH) {
        Bins bins;
        Cut cut = {.cost = INFINITY, .axis = -1};
        fill_bins(items, range->begin, range->end, &bins);
        for (int k = 0; k < 3; k++) {
            if (bins.factor[k] > 0)
                improve_cut(&bins, k, &cut);
        }
        if (cut.axis >= 0)
            middle = partition(items, range->begin, range->end, &bins, cut);
    }
    *left = (Range){range->begin, middle, items_box(items, range->begin, middle)};
    *right = (Range){middle, range->end, items_box(items, middle, range->end)};
}

// ---- nodes -------------------------------------------------------------------------------------

static dew_BvhNode empty_node(void)
{
    dew_BvhNode node;
    memset(&node, 0, sizeof node);
    for (int i = 0; i < DEW_BVH_WIDTH; i++) {
        for (int k = 0; k < 3; k++) {
            node.min[k][i] = INFINITY;  // nothing is near it
            node.max[k][i] = -INFINITY;
        }
        node.child[i] = DEW_BVH_NONE;
    }
    return node;
}

// The child to cut next: by area, or by count where depth must be bounded. -1: all are leaves.
static int widest(const Range *ranges, int count, int depth)
{
    int best = -1;
    float best_size = -1;
    for (int i = 0; i < count; i++) {
        int64_t items = ranges[i].end - ranges[i].begin;
        float size = depth < SAH_DEPTH ? box_area(&ranges[i].box) : (float)items;
        if (items > MAX_LEAF && size > best_size) {
            best = i;
            best_size = size;
        }
    }
    return best;
}

static int cut_range(Item *items, int64_t begin, int64_t end, int depth,
                     Range ranges[DEW_BVH_WIDTH])
{
    ranges[0] = (Range){begin, end, items_box(items, begin, end)};
    int count = 1;
    while (count < DEW_BVH_WIDTH) {
        int cut = widest(ranges, count, depth);
        if (cut < 0)
            break;
        Range whole = ranges[cut];
        split(items, depth, &whole, &ranges[cut], &ranges[count]);
        count++;
    }
    return count;
}

static void set_child_box(dew_BvhNode *node, int i, const FloatBox *box)
{
    for (int k = 0; k < 3; k++) {
        node->min[k][i] = box->min[k] - DEW_BVH_ROUNDING;
        node->max[k][i] = box->max[k] + DEW_BVH_ROUNDING;
    }
}

// Adds the node of a range and, unless they are left to jobs, all below it.
static dew_Status build_node(Builder *builder, int64_t begin, int64_t end, int depth)
{
    Range ranges[DEW_BVH_WIDTH];
    int count = cut_range(builder->items, begin, end, depth, ranges);
    uint32_t index = (uint32_t)builder->nodes->count;
    dew_BvhNode node = empty_node();
    DEW_TRY(dew_array_push(builder->nodes, &node));
    for (int i = 0; i < count; i++) {
        int64_t items = ranges[i].end - ranges[i].begin;
        set_child_box(&node, i, &ranges[i].box);
        if (items <= MAX_LEAF) {
            node.child[i] = (uint32_t)ranges[i].begin;
            node.count[i] = (uint32_t)items;
        } else if (builder->jobs && items <= builder->job_size) {
            Job job = {.begin = ranges[i].begin,
                       .end = ranges[i].end,
                       .parent = index,
                       .slot = (uint32_t)i,
                       .depth = depth + 1};
            DEW_TRY(dew_array_push(builder->jobs, &job));
        } else {
            node.child[i] = (uint32_t)builder->nodes->count;
            DEW_TRY(build_node(builder, ranges[i].begin, ranges[i].end, depth + 1));
        }
    }
    DEW_ITEMS(builder->nodes, dew_BvhNode)[index] = node;
    return dew_ok();
}

typedef struct JobContext {
    Item *items;
    Job *jobs;
} JobContext;

static dew_Status run_jobs(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    JobContext *c = context;
    for (int64_t i = begin; i < end; i++) {
        Job *job = &c->jobs[i];
        Builder builder = {.items = c->items, .nodes = &job->nodes};
        DEW_TRY(dew_array_reserve(&job->nodes, (job->end - job->begin) / 4 + 8));
        DEW_TRY(build_node(&builder, job->begin, job->end, job->depth));
    }
    return dew_ok();
}

// Puts the jobs' nodes behind the top of the tree, in the order of the jobs.
static void join_jobs(dew_BvhNode *nodes, int64_t top_count, const Job *jobs, int64_t job_count)
{
    int64_t base = top_count;
    for (int64_t j = 0; j < job_count; j++) {
        const Job *job = &jobs[j];
        nodes[job->parent].child[job->slot] = (uint32_t)base;
        memcpy(&nodes[base], job->nodes.data, (size_t)job->nodes.count * sizeof(dew_BvhNode));
        for (int64_t n = base; n < base + job->nodes.count; n++) {
            for (int i = 0; i < DEW_BVH_WIDTH; i++) {
                if (nodes[n].count[i] == 0 && nodes[n].child[i] != DEW_BVH_NONE)
                    nodes[n].child[i] += (uint32_t)base;
            }
        }
        base += job->nodes.count;
    }
}

static dew_Status build_tree(dew_Bvh *bvh, Item *items, dew_Tasks *tasks, dew_Array *top,
                             dew_Array *jobs)
{
    int64_t job_size = bvh->triangle_count / 32 > 1024 ? bvh->triangle_count / 32 : 1024;
    Builder builder = {.items = items, .nodes = top, .jobs = jobs, .job_size = job_size};
    DEW_TRY(build_node(&builder, 0, bvh->triangle_count, 0));
    Job *list = DEW_ITEMS(jobs, Job);
    for (int64_t j = 0; j < jobs->count; j++)
        dew_array_init(&list[j].nodes, &top->allocator, sizeof(dew_BvhNode));
    JobContext context = {items, list};
    DEW_TRY(dew_parallel_for(tasks, jobs->count, 1, run_jobs, &context));
    bvh->node_count = top->count;
    for (int64_t j = 0; j < jobs->count; j++)
        bvh->node_count += list[j].nodes.count;
    bvh->nodes = dew_arena_array(&bvh->arena, dew_BvhNode, bvh->node_count);
    if (!bvh->nodes)
        return dew_no_memory((size_t)bvh->node_count * sizeof(dew_BvhNode));
    memcpy(bvh->nodes, top->data, (size_t)top->count * sizeof(dew_BvhNode));
    join_jobs(bvh->nodes, top->count, list, jobs->count);
    return dew_ok();
}

static dew_Status build_nodes(dew_Bvh *bvh, Item *items, dew_Tasks *tasks)
{
    dew_Array top, jobs;
    dew_array_init(&top, &bvh->arena.allocator, sizeof(dew_BvhNode));
    dew_array_init(&jobs, &bvh->arena.allocator, sizeof(Job));
    dew_Status status = build_tree(bvh, items, tasks, &top, &jobs);
    for (int64_t j = 0; j < jobs.count; j++)
        dew_array_deinit(&DEW_ITEMS(&jobs, Job)[j].nodes);
    dew_array_deinit(&jobs);
    dew_array_deinit(&top);
    return status;
}

// ---- from the mesh and into the tree's own order -----------------------------------------------

static dew_Status check_triangles(const dew_Mesh *mesh, dew_Box *box)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    *box = dew_box_empty();
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        for (int i = 0; i < 3; i++) {
            uint32_t v = triangles[t].v[i];
            if (v >= mesh->positions.count)
                return dew_fail(DEW_BAD_INPUT,
                                "triangle %lld names vertex %u, but there are only %lld vertices",
                                (long long)t, v, (long long)mesh->positions.count);
            dew_Vec3 p = x[v];
            if (!(fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) <= DEW_MAX_LENGTH_M) ||
                isnan(p.x + p.y + p.z))
                return dew_fail(DEW_BAD_INPUT, "vertex %u is at (%g, %g, %g) (must be finite)", v,
                                p.x, p.y, p.z);
            *box = dew_box_add(*box, p);
        }
    }
    return dew_ok();
}

static void set_frame(dew_Bvh *bvh)
{
    dew_Box box = bvh->box;
    dew_Vec3 half = dew_combine(0.5, box.max, -0.5, box.min);
    double size = fmax(half.x, fmax(half.y, half.z));
    bvh->center = dew_combine(0.5, box.max, 0.5, box.min);
    // A mesh shrunk to a point, or nearly, keeps a scale with a finite inverse.
    bvh->scale = 1 / fmax(size, 1 / DEW_MAX_LENGTH_M);
}

static void fill_items(const dew_Bvh *bvh, const dew_Mesh *mesh, Item *items)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        FloatBox box = box_empty();
        for (int i = 0; i < 3; i++) {
            dew_Vec3 p = dew_scale(bvh->scale, dew_sub(x[triangles[t].v[i]], bvh->center));
            float q[3] = {(float)p.x, (float)p.y, (float)p.z};
            box_grow(&box, q, q);
        }
        memcpy(items[t].min, box.min, sizeof box.min);
        memcpy(items[t].max, box.max, sizeof box.max);
        items[t].id = (uint32_t)t;
    }
}

// Triangles in leaf order, vertices in the order in which these name them.
static void copy_triangles(dew_Bvh *bvh, const dew_Mesh *mesh, const Item *items, uint32_t *renamed)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    for (int64_t v = 0; v < mesh->positions.count; v++)
        renamed[v] = DEW_BVH_NONE;
    for (int64_t s = 0; s < bvh->triangle_count; s++) {
        bvh->triangle_id[s] = items[s].id;
        for (int i = 0; i < 3; i++) {
            uint32_t v = triangles[items[s].id].v[i];
            if (renamed[v] == DEW_BVH_NONE) {
                renamed[v] = (uint32_t)bvh->vertex_count++;
                bvh->vertices[renamed[v]] = x[v];
                bvh->vertex_id[renamed[v]] = v;
            }
            bvh->triangles[s].v[i] = renamed[v];
        }
    }
}

// Vertices that triangles name are at most three per triangle.
static int64_t most_vertices(const dew_Mesh *mesh)
{
    int64_t corners = 3 * mesh->triangles.count;
    return mesh->positions.count < corners ? mesh->positions.count : corners;
}

static dew_Status build(dew_Bvh *bvh, const dew_Mesh *mesh, dew_Tasks *tasks, dew_Arena *scratch)
{
    bvh->triangle_count = mesh->triangles.count;
    if (bvh->triangle_count == 0)
        return dew_ok();
    Item *items = dew_arena_array(scratch, Item, bvh->triangle_count);
    uint32_t *renamed = dew_arena_array(scratch, uint32_t, mesh->positions.count);
    int64_t vertices = most_vertices(mesh);
    bvh->triangles = dew_arena_array(&bvh->arena, dew_Triangle, bvh->triangle_count);
    bvh->triangle_id = dew_arena_array(&bvh->arena, uint32_t, bvh->triangle_count);
    bvh->vertices = dew_arena_array(&bvh->arena, dew_Vec3, vertices);
    bvh->vertex_id = dew_arena_array(&bvh->arena, uint32_t, vertices);
    if (!items || !renamed || !bvh->triangles || !bvh->triangle_id || !bvh->vertices ||
        !bvh->vertex_id)
        return dew_no_memory((size_t)bvh->triangle_count * sizeof(Item));
    fill_items(bvh, mesh, items);
    DEW_TRY(build_nodes(bvh, items, tasks));
    copy_triangles(bvh, mesh, items, renamed);
    return dew_ok();
}

dew_Status dew_bvh_create(const dew_Mesh *mesh, dew_Tasks *tasks, const dew_Allocator *allocator,
                          dew_Bvh **out)
{
    *out = NULL;
    if (mesh->triangles.count >= DEW_BVH_NONE)
        return dew_fail(DEW_BAD_INPUT, "a mesh of %lld triangles is too large (at most %u)",
                        (long long)mesh->triangles.count, DEW_BVH_NONE - 1);
    dew_Box box;
    DEW_TRY(check_triangles(mesh, &box));
    dew_Bvh *bvh = dew_alloc(allocator, 1, sizeof *bvh);
    if (!bvh)
        return dew_no_memory(sizeof *bvh);
    dew_arena_init(&bvh->arena, allocator);
    bvh->box = box;
    set_frame(bvh);
    dew_Arena scratch;
    dew_arena_init(&scratch, allocator);
    dew_Status status = build(bvh, mesh, tasks, &scratch);
    dew_arena_deinit(&scratch);
    if (status.code != DEW_OK) {
        dew_bvh_destroy(bvh);
        return status;
    }
    *out = bvh;
    return dew_ok();
}

void dew_bvh_destroy(dew_Bvh *bvh)
{
    if (!bvh)
        return;
    dew_Allocator allocator = bvh->arena.allocator;
    dew_arena_deinit(&bvh->arena);
    dew_free(&allocator, bvh, sizeof *bvh);
}
