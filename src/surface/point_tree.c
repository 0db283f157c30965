// A k-d tree without pointers: a range of points is split by its middle one along its longest side.
//
// Built by selection in O(n log n); asked by descending to the near side first, O(log n) for points
// that are spread over surfaces.
#include "surface/point_tree.h"

#include "base/status.h"

#include <limits.h>

#define LEAF 8  // points that are looked at one by one

enum { MAX_DEPTH = CHAR_BIT * sizeof(int64_t) };  // ranges halve

typedef struct Range {
    int64_t begin, end;
    double least2;  // no point of it is nearer, squared
} Range;

static double coordinate(dew_Vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// Comparisons instead of fmin and fmax, which are calls: half of the time to build the tree.
static int longest_axis(const dew_PointTree *tree, Range range)
{
    dew_Vec3 min = tree->at[range.begin], max = min;
    for (int64_t i = range.begin; i < range.end; i++) {
        dew_Vec3 p = tree->at[i];
        min = (dew_Vec3){p.x < min.x ? p.x : min.x, p.y < min.y ? p.y : min.y,
                         p.z < min.z ? p.z : min.z};
        max = (dew_Vec3){p.x > max.x ? p.x : max.x, p.y > max.y ? p.y : max.y,
                         p.z > max.z ? p.z : max.z};
    }
    dew_Vec3 size = dew_sub(max, min);
    if (size.x >= size.y && size.x >= size.z)
        return 0;
    return size.y >= size.z ? 1 : 2;
}

static void swap_points(dew_PointTree *tree, int64_t i, int64_t j)
{
    dew_Vec3 at = tree->at[i];
    uint32_t id = tree->id[i];
    tree->at[i] = tree->at[j];
    tree->id[i] = tree->id[j];
    tree->at[j] = at;
    tree->id[j] = id;
}

// Moves points so that none before `middle` is larger than it along the axis, none after it
// smaller.
static void select_middle(dew_PointTree *tree, Range range, int64_t middle, int axis)
{
    int64_t low = range.begin, high = range.end - 1;
    while (low < high) {
        double pivot = coordinate(tree->at[low + (high - low) / 2], axis);
        int64_t i = low, j = high;
        while (i <= j) {
            while (coordinate(tree->at[i], axis) < pivot)
                i++;
            while (coordinate(tree->at[j], axis) > pivot)
                j--;
            if (i <= j)
                swap_points(tree, i++, j--);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

dew_Status dew_point_tree_build(dew_PointTree *tree, const dew_Vec3 *points, int64_t count,
                                dew_Arena *arena)
{
    tree->count = count;
    tree->at = dew_arena_array(arena, dew_Vec3, count);
    tree->id = dew_arena_array(arena, uint32_t, count);
    tree->axis = dew_arena_array(arena, uint8_t, count);
    if (!tree->at || !tree->id || !tree->axis)
        return dew_no_memory((size_t)count * (sizeof(dew_Vec3) + 5));
    for (int64_t i = 0; i < count; i++) {
        tree->at[i] = points[i];
        tree->id[i] = (uint32_t)i;
    }
    Range stack[MAX_DEPTH] = {{0, count, 0}};
    for (int depth = 1; depth > 0;) {
        Range range = stack[--depth];
        if (range.end - range.begin <= LEAF)
            continue;
        int64_t middle = range.begin + (range.end - range.begin) / 2;
        tree->axis[middle] = (uint8_t)longest_axis(tree, range);
        select_middle(tree, range, middle, tree->axis[middle]);
        stack[depth++] = (Range){range.begin, middle, 0};
        stack[depth++] = (Range){middle + 1, range.end, 0};
    }
    return dew_ok();
}

typedef struct Nearest {
    dew_Vec3 p;
    int64_t *ids;  // the nearest so far, in order
    double *distances2;
    int count, wanted;
    double limit2;  // what is farther does not matter
} Nearest;

static void look_at(const dew_PointTree *tree, int64_t i, Nearest *nearest)
{
    double distance2 = dew_length2(dew_sub(tree->at[i], nearest->p));
    if (!(distance2 <= nearest->limit2))
        return;
    int64_t id = tree->id[i];
    int n = nearest->count;
    if (n == nearest->wanted) {
        if (distance2 == nearest->limit2 && id > nearest->ids[n - 1])
            return;
        n--;
    } else {
        nearest->count++;
    }
    for (; n > 0; n--) {
        double before = nearest->distances2[n - 1];
        if (before < distance2 || (before == distance2 && nearest->ids[n - 1] < id))
            break;
        nearest->ids[n] = nearest->ids[n - 1];
        nearest->distances2[n] = before;
    }
    nearest->ids[n] = id;
    nearest->distances2[n] = distance2;
    if (nearest->count == nearest->wanted)
        nearest->limit2 = nearest->distances2[nearest->wanted - 1];
}

int dew_point_tree_nearest(const dew_PointTree *tree, dew_Vec3 p, double max_distance, int count,
                           int64_t *ids, double *distances2)
{
    DEW_ASSERT(count >= 1 && count <= DEW_POINT_TREE_MANY);
    Nearest nearest = {.p = p,
                       .ids = ids,
                       .distances2 = distances2,
                       .wanted = count,
                       .limit2 = max_distance * max_distance};
    Range stack[MAX_DEPTH] = {{0, tree->count, 0}};
    for (int depth = 1; depth > 0;) {
        Range range = stack[--depth];
        if (range.least2 > nearest.limit2)
            continue;
        if (range.end - range.begin <= LEAF) {
            for (int64_t i = range.begin; i < range.end; i++)
                look_at(tree, i, &nearest);
            continue;
        }
        int64_t middle = range.begin + (range.end - range.begin) / 2;
        int axis = tree->axis[middle];
        double beyond = coordinate(p, axis) - coordinate(tree->at[middle], axis);
        look_at(tree, middle, &nearest);
        Range low = {range.begin, middle, range.least2},
              high = {middle + 1, range.end, range.least2};
        Range *far = beyond < 0 ? &high : &low, *near = beyond < 0 ? &low : &high;
        far->least2 = fmax(far->least2, beyond * beyond);
        stack[depth++] = *far;
        stack[depth++] = *near;
    }
    return nearest.count;
}
