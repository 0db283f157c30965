// Pairs of boxes that overlap: columns across two axes, a sweep along the third in each of them.
//
// Boxes are sorted by their lower end along the axis in which they are spread most, and dealt out
// in that order to columns along it; a box that reaches over several columns goes to each. In a
// column a box meets those that begin before it ends. A pair that shares several columns is
// reported in the lowest of them only. Bounds are rounded outward to single precision, so that
// nothing is missed, and sorted by their digits; pairs are checked in double precision.
#include "solvers/surface/broad_phase.h"

#include "base/status.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#define DIGIT_BITS  11
#define DIGIT_COUNT (CHAR_BIT * (int)sizeof(uint32_t) / DIGIT_BITS + 1)  // of a key
#define MAX_COLUMNS 256  // along each of the two axes
#define MAX_COPIES  4    // of a box, on average: wider columns otherwise

// A box as the sweep sees it. Axis 0 is swept; columns lie across axes 1 and 2.
typedef struct Extent {
    float low[3], high[3];  // high with the margin
    uint32_t box;
    uint8_t first[2], last[2];  // columns
} Extent;

typedef struct Key {
    uint32_t order, extent;
} Key;

struct dew_MergeBroadPhase {
    dew_Allocator allocator;
    dew_Array extents;       // of Extent
    dew_Array keys[2];       // of Key: the second serves the sort
    dew_Array places;        // of uint32_t, per column: where its boxes begin in `dealt`
    dew_Array dealt;         // of Extent, by column, then `low`
    dew_Array found, pairs;  // of dew_MergePair
    dew_Array starts;        // of int64_t, per box: where its pairs begin
    int axis[3];             // the box's axes in the order of Extent
    double origin[2], columns_per_m[2];
    int64_t column_count[2];
};

static dew_Array *array_of(dew_MergeBroadPhase *phase, int k)
{
    dew_Array *const arrays[] = {&phase->extents, &phase->keys[0], &phase->keys[1], &phase->places,
                                 &phase->dealt,   &phase->found,   &phase->pairs,   &phase->starts};
    return k < 8 ? arrays[k] : NULL;
}

dew_Status dew_merge_broad_phase_create(const dew_Allocator *allocator, dew_MergeBroadPhase **out)
{
    static const size_t size[] = {sizeof(Extent),        sizeof(Key),    sizeof(Key),
                                  sizeof(uint32_t),      sizeof(Extent), sizeof(dew_MergePair),
                                  sizeof(dew_MergePair), sizeof(int64_t)};
    *out = NULL;
    dew_MergeBroadPhase *phase = (dew_MergeBroadPhase *)dew_alloc(allocator, 1, sizeof *phase);
    if (!phase)
        return dew_no_memory(sizeof *phase);
    if (allocator)
        phase->allocator = *allocator;
    for (int k = 0; array_of(phase, k); k++)
        dew_array_init(array_of(phase, k), allocator, size[k]);
    *out = phase;
    return dew_ok();
}

void dew_merge_broad_phase_destroy(dew_MergeBroadPhase *phase)
{
    if (!phase)
        return;
    for (int k = 0; array_of(phase, k); k++)
        dew_array_deinit(array_of(phase, k));
    dew_Allocator allocator = phase->allocator;
    dew_free(&allocator, phase, sizeof *phase);
}

const dew_MergePair *dew_merge_broad_phase_pairs(const dew_MergeBroadPhase *phase)
{
    return DEW_ITEMS(&phase->pairs, dew_MergePair);
}

int64_t dew_merge_broad_phase_pair_count(const dew_MergeBroadPhase *phase)
{
    return phase->pairs.count;
}

// ---- boxes and axes ----------------------------------------------------------------------------

static double coordinate(dew_Vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static bool is_real(const dew_Box *box)
{
    return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z;
}

// Is the gap between the two at most the margin, along every axis?
static bool come_near(const dew_Box *a, const dew_Box *b, double margin)
{
    return a->min.x - b->max.x <= margin && b->min.x - a->max.x <= margin &&
           a->min.y - b->max.y <= margin && b->min.y - a->max.y <= margin &&
           a->min.z - b->max.z <= margin && b->min.z - a->max.z <= margin;
}

typedef struct Spread {
    double low[3], high[3];  // of the middles
    double size[3];          // sum of the boxes' sizes
    int64_t count;
} Spread;

static Spread measure(const dew_Box *boxes, int64_t count)
{
    Spread spread = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                     .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int64_t i = 0; i < count; i++) {
        if (!is_real(&boxes[i]))
            continue;
        spread.count++;
        for (int k = 0; k < 3; k++) {
            double min = coordinate(boxes[i].min, k), max = coordinate(boxes[i].max, k);
            double size = max - min, middle = min + 0.5 * size;
            if (!(size < DBL_MAX / 1e12))
                continue;  // boxes without end say nothing about the others
            spread.low[k] = middle < spread.low[k] ? middle : spread.low[k];
            spread.high[k] = middle > spread.high[k] ? middle : spread.high[k];
            spread.size[k] += size;
        }
    }
    return spread;
}

// The axis of the widest spread is swept; columns across the others are about two boxes wide.
static void choose_axes(dew_MergeBroadPhase *phase, const Spread *spread, double margin)
{
    double width[3];
    for (int k = 0; k < 3; k++) {
        double w = spread->high[k] - spread->low[k];
        width[k] = w > 0 && isfinite(w) ? w : 0;
    }
    int a = width[0] >= width[1] && width[0] >= width[2] ? 0 : width[1] >= width[2] ? 1 : 2;
    for (int k = 0; k < 3; k++)
        phase->axis[k] = (a + k) % 3;
    double count = (double)spread->count;
    for (int k = 0; k < 2; k++) {
        int axis = phase->axis[k + 1];
        double mean = spread->size[axis] / count + margin, w = width[axis];
        double wanted = fmin(fmin(sqrt(count), MAX_COLUMNS), 0.5 * w / mean);
        bool is_cut = wanted >= 2;
        phase->column_count[k] = is_cut ? (int64_t)wanted : 1;
        phase->origin[k] = is_cut ? spread->low[axis] : 0;
        phase->columns_per_m[k] = is_cut ? (double)phase->column_count[k] / w : 0;
    }
}

static uint8_t column_of(const dew_MergeBroadPhase *phase, int k, double x)
{
    double column = (x - phase->origin[k]) * phase->columns_per_m[k];
    double last = (double)(phase->column_count[k] - 1);
    return (uint8_t)(column > 0 ? (column < last ? column : last) : 0);  // what is no number: 0
}

// ---- sorting -----------------------------------------------------------------------------------

// A float no greater than x.
static float below(double x)
{
    const double limit = (double)(FLT_MAX / 2);
    if (!(fabs(x) < limit))
        return x > 0 ? FLT_MAX / 2 : -HUGE_VALF;
    double pad = fabs(x) * (double)FLT_EPSILON + (double)FLT_MIN;
    return (float)(x - pad);
}

static float above(double x)
{
    return -below(-x);
}

// Bits that are ordered as the floats are.
static uint32_t order_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static dew_Status fill_extents(dew_MergeBroadPhase *phase, const dew_Box *boxes, int64_t count,
                               double margin)
{
    DEW_TRY(dew_array_reserve(&phase->extents, count));
    DEW_TRY(dew_array_reserve(&phase->keys[0], count));
    DEW_TRY(dew_array_reserve(&phase->keys[1], count));
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!is_real(&boxes[i]))
            continue;
        Extent *e = &DEW_ITEMS(&phase->extents, Extent)[used];
        e->box = (uint32_t)i;
        for (int k = 0; k < 3; k++) {
            double low = coordinate(boxes[i].min, phase->axis[k]);
            double high = coordinate(boxes[i].max, phase->axis[k]) + margin;
            e->low[k] = below(low);
            e->high[k] = above(high);
            if (k > 0) {
                e->first[k - 1] = column_of(phase, k - 1, low);
                e->last[k - 1] = column_of(phase, k - 1, high);
            }
        }
        DEW_ITEMS(&phase->keys[0], Key)[used] = (Key){order_of(e->low[0]), (uint32_t)used};
        used++;
    }
    phase->extents.count = phase->keys[0].count = phase->keys[1].count = used;
    return dew_ok();
}

static void sort_keys(dew_MergeBroadPhase *phase)
{
    int64_t count = phase->extents.count;
    for (int digit = 0; digit < DIGIT_COUNT; digit++) {
        const Key *from = DEW_ITEMS(&phase->keys[digit % 2], Key);
        Key *to = DEW_ITEMS(&phase->keys[(digit + 1) % 2], Key);
        uint32_t place[1 << DIGIT_BITS] = {0}, sum = 0;
        const uint32_t mask = (1 << DIGIT_BITS) - 1;
        int shift = digit * DIGIT_BITS;
        for (int64_t i = 0; i < count; i++)
            place[from[i].order >> shift & mask]++;
        for (int k = 0; k < 1 << DIGIT_BITS; k++) {
            uint32_t here = place[k];
            place[k] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < count; i++)
            to[place[from[i].order >> shift & mask]++] = from[i];
    }
}

// ---- columns -----------------------------------------------------------------------------------

// Makes columns twice as wide until a box lies in few of them on average; returns the copies in
// all.
static int64_t widen_columns(dew_MergeBroadPhase *phase)
{
    int64_t count = phase->extents.count;
    Extent *e = DEW_ITEMS(&phase->extents, Extent);
    for (;;) {
        int64_t copies = 0;
        for (int64_t i = 0; i < count; i++)
            copies += (1 + e[i].last[0] - e[i].first[0]) * (1 + e[i].last[1] - e[i].first[1]);
        if (copies <= MAX_COPIES * count || phase->column_count[0] * phase->column_count[1] == 1)
            return copies;
        int k = phase->column_count[0] >= phase->column_count[1] ? 0 : 1;
        phase->column_count[k] = (phase->column_count[k] + 1) / 2;
        for (int64_t i = 0; i < count; i++) {
            e[i].first[k] /= 2;
            e[i].last[k] /= 2;
        }
    }
}

// Calls for every column of a box: counts it in place[column + 2], or writes it at place[column +
// 1].
static void visit_columns(const dew_MergeBroadPhase *phase, const Extent *e, uint32_t *place,
                          Extent *dealt)
{
    for (uint32_t y = e->first[0]; y <= e->last[0]; y++) {
        for (uint32_t z = e->first[1]; z <= e->last[1]; z++) {
            uint32_t column = y * (uint32_t)phase->column_count[1] + z;
            if (dealt)
                dealt[place[column + 1]++] = *e;
            else
                place[column + 2]++;
        }
    }
}

// places[c] is where column c begins in `dealt`, places[c + 1] where it ends.
static dew_Status deal(dew_MergeBroadPhase *phase)
{
    int64_t count = phase->extents.count, copies = widen_columns(phase);
    int64_t columns = phase->column_count[0] * phase->column_count[1];
    if (copies > (int64_t)UINT32_MAX / 2)
        return dew_fail(DEW_BAD_INPUT, "%lld drops are too many to be looked at in pairs",
                        (long long)count);
    DEW_TRY(dew_array_resize(&phase->places, columns + 2));
    DEW_TRY(dew_array_reserve(&phase->dealt, copies));
    uint32_t *place = DEW_ITEMS(&phase->places, uint32_t);
    const Extent *e = DEW_ITEMS(&phase->extents, Extent);
    const Key *key = DEW_ITEMS(&phase->keys[DIGIT_COUNT % 2], Key);
    for (int64_t c = 0; c < columns + 2; c++)
        place[c] = 0;
    for (int64_t i = 0; i < count; i++)
        visit_columns(phase, &e[i], place, NULL);
    for (int64_t c = 2; c < columns + 2; c++)
        place[c] += place[c - 1];
    for (int64_t i = 0; i < count; i++)
        visit_columns(phase, &e[key[i].extent], place, DEW_ITEMS(&phase->dealt, Extent));
    phase->dealt.count = copies;
    return dew_ok();
}

static bool overlap_across(const Extent *a, const Extent *b)
{
    return a->low[1] <= b->high[1] && b->low[1] <= a->high[1] && a->low[2] <= b->high[2] &&
           b->low[2] <= a->high[2];
}

// Is this the lowest column that the two share?
static bool is_lowest_shared(const Extent *a, const Extent *b, uint32_t y, uint32_t z)
{
    return (a->first[0] > b->first[0] ? a->first[0] : b->first[0]) == y &&
           (a->first[1] > b->first[1] ? a->first[1] : b->first[1]) == z;
}

static dew_Status sweep(dew_MergeBroadPhase *phase, const dew_Box *boxes, double margin)
{
    const uint32_t *place = DEW_ITEMS(&phase->places, uint32_t);
    const Extent *e = DEW_ITEMS(&phase->dealt, Extent);
    int64_t columns = phase->column_count[0] * phase->column_count[1];
    phase->found.count = 0;
    for (int64_t c = 0; c < columns; c++) {
        uint32_t y = (uint32_t)(c / phase->column_count[1]);
        uint32_t z = (uint32_t)(c % phase->column_count[1]);
        for (uint32_t i = place[c]; i < place[c + 1]; i++) {
            for (uint32_t k = i + 1; k < place[c + 1] && e[k].low[0] <= e[i].high[0]; k++) {
                if (!overlap_across(&e[i], &e[k]) || !is_lowest_shared(&e[i], &e[k], y, z) ||
                    !come_near(&boxes[e[i].box], &boxes[e[k].box], margin))
                    continue;
                uint32_t a = e[i].box, b = e[k].box;
                dew_MergePair pair = {a < b ? a : b, a < b ? b : a};
                DEW_TRY(dew_array_push(&phase->found, &pair));
            }
        }
    }
    return dew_ok();
}

// ---- order of the pairs ------------------------------------------------------------------------

// Stable, by one of the two places of a pair.
static void sort_pairs(const dew_Array *from, dew_Array *to, int64_t *start, int64_t box_count,
                       bool by_first)
{
    const dew_MergePair *in = DEW_ITEMS(from, dew_MergePair);
    dew_MergePair *out = DEW_ITEMS(to, dew_MergePair);
    for (int64_t i = 0; i <= box_count; i++)
        start[i] = 0;
    for (int64_t p = 0; p < from->count; p++)
        start[(by_first ? in[p].first : in[p].second) + 1]++;
    for (int64_t i = 0; i < box_count; i++)
        start[i + 1] += start[i];
    for (int64_t p = 0; p < from->count; p++)
        out[start[by_first ? in[p].first : in[p].second]++] = in[p];
}

static dew_Status order_pairs(dew_MergeBroadPhase *phase, int64_t box_count)
{
    DEW_TRY(dew_array_resize(&phase->pairs, phase->found.count));
    DEW_TRY(dew_array_resize(&phase->starts, box_count + 1));
    int64_t *start = DEW_ITEMS(&phase->starts, int64_t);
    sort_pairs(&phase->found, &phase->pairs, start, box_count, false);
    sort_pairs(&phase->pairs, &phase->found, start, box_count, true);
    return dew_array_copy(&phase->pairs, &phase->found);
}

dew_Status dew_merge_broad_phase_run(dew_MergeBroadPhase *phase, const dew_Box *boxes,
                                     int64_t count, double margin_m)
{
    phase->pairs.count = 0;
    if (count > INT32_MAX)
        return dew_fail(DEW_BAD_INPUT, "%lld drops are too many to be looked at in pairs",
                        (long long)count);
    Spread spread = measure(boxes, count);
    if (spread.count < 2)
        return dew_ok();
    choose_axes(phase, &spread, margin_m);
    DEW_TRY(fill_extents(phase, boxes, count, margin_m));
    sort_keys(phase);
    DEW_TRY(deal(phase));
    DEW_TRY(sweep(phase, boxes, margin_m));
    return order_pairs(phase, count);
}
