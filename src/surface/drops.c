// Drops: from pieces of a Surface to records with ids, frame after frame.
//
// Matching is drop_match.c's, bubbles are drop_bubbles.c's. Of each frame a bounded number of
// points is kept: all vertices of small drops, and a part of the budget for large ones.
#include "surface/drops.h"

#include "base/status.h"
#include "geom/mesh_measure.h"
#include "surface/drop_bubbles.h"
#include "surface/drop_match.h"

#include <stdlib.h>

#define POINT_BUDGET 16384  // points of a frame, but for the least of each drop
#define LEAST_POINTS 48     // of a drop that has as many vertices

// A frame in the making, in the order of its drops' pieces.
typedef struct NewFrame {
    dew_DropRecord *drops;
    int64_t drop_count;
    dew_DropPoint *points;
    int64_t point_count;
    int32_t *piece_drop;  // of each piece: its drop
    int64_t *quota;       // points of each drop, by piece
} NewFrame;

void dew_drops_init(dew_DropTracker *tracker, const dew_Allocator *allocator)
{
    *tracker = (dew_DropTracker){.next_id = 1};
    if (allocator)
        tracker->allocator = *allocator;
    dew_array_init(&tracker->drops, allocator, sizeof(dew_DropRecord));
    dew_array_init(&tracker->points, allocator, sizeof(dew_DropPoint));
    dew_array_init(&tracker->before, allocator, sizeof(dew_DropRecord));
    dew_array_init(&tracker->links, allocator, sizeof(dew_DropLink));
    dew_array_init(&tracker->piece_drops, allocator, sizeof(int32_t));
    dew_arena_init(&tracker->scratch, allocator);
}

void dew_drops_deinit(dew_DropTracker *tracker)
{
    dew_array_deinit(&tracker->drops);
    dew_array_deinit(&tracker->points);
    dew_array_deinit(&tracker->before);
    dew_array_deinit(&tracker->links);
    dew_array_deinit(&tracker->piece_drops);
    dew_arena_deinit(&tracker->scratch);
}

// ---- records ------------------------------------------------------------------------------------

// Sums over a drop's pieces; what is a mean is divided by its weight in the end.
static void add_piece(dew_DropRecord *drop, const dew_PieceMeasure *piece, double *line_length)
{
    double volume = piece->volume_m3;
    drop->volume_m3 += volume;
    drop->area_m2 += piece->area_m2;
    drop->center_m = dew_add_scaled(drop->center_m, volume, piece->center_m);
    drop->velocity_m_s = dew_add_scaled(drop->velocity_m_s, volume, piece->velocity_m_s);
    drop->contact_area_m2 += piece->contact.wet_area_m2;
    if (piece->contact.length_m > 0) {
        drop->contact_angle_rad += piece->contact.length_m * piece->contact.mean_angle_rad;
        *line_length += piece->contact.length_m;
    }
    dew_Box box = dew_box_union((dew_Box){drop->box_min_m, drop->box_max_m}, piece->box_m);
    drop->box_min_m = box.min;
    drop->box_max_m = box.max;
}

static void finish_record(dew_DropRecord *drop, const dew_PieceMeasure *outside, double line_length)
{
    if (drop->volume_m3 != 0) {
        drop->center_m = dew_scale(1 / drop->volume_m3, drop->center_m);
        drop->velocity_m_s = dew_scale(1 / drop->volume_m3, drop->velocity_m_s);
    } else {
        drop->center_m = outside->center_m;
        drop->velocity_m_s = outside->velocity_m_s;
    }
    if (line_length > 0)
        drop->contact_angle_rad /= line_length;
    else
        drop->contact_angle_rad = (double)NAN;
}

static dew_Status make_records(const dew_Surface *surface, dew_Arena *scratch, NewFrame *frame)
{
    int64_t piece_count = surface->piece_count;
    const dew_PieceMeasure *measures = DEW_ITEMS(&surface->measures, dew_PieceMeasure);
    int32_t *outer = dew_arena_array(scratch, int32_t, piece_count);
    double *line_length = dew_arena_array(scratch, double, piece_count);
    frame->piece_drop = dew_arena_array(scratch, int32_t, piece_count);
    frame->drops = dew_arena_array(scratch, dew_DropRecord, piece_count);
    if (!outer || !line_length || !frame->piece_drop || !frame->drops)
        return dew_no_memory((size_t)piece_count * (sizeof(dew_DropRecord) + 16));
    DEW_TRY(dew_surface_outer_pieces(surface, scratch, outer));
    for (int32_t p = 0; p < piece_count; p++) {
        if (outer[p] != p)
            continue;
        dew_Box none = dew_box_empty();
        frame->piece_drop[p] = (int32_t)frame->drop_count;
        frame->drops[frame->drop_count++] =
            (dew_DropRecord){.piece = p, .box_min_m = none.min, .box_max_m = none.max};
    }
    for (int32_t p = 0; p < piece_count; p++) {
        int32_t d = frame->piece_drop[outer[p]];
        frame->piece_drop[p] = d;
        add_piece(&frame->drops[d], &measures[p], &line_length[d]);
    }
    for (int64_t d = 0; d < frame->drop_count; d++)
        finish_record(&frame->drops[d], &measures[frame->drops[d].piece], line_length[d]);
    return dew_ok();
}

// ---- points -------------------------------------------------------------------------------------

static void set_floats(float out[3], dew_Vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static dew_DropPoint make_point(const dew_Surface *surface, int64_t vertex, int32_t drop)
{
    dew_DropPoint point = {.position_m = DEW_ITEMS(&surface->positions, dew_Vec3)[vertex],
                           .drop = drop};
    set_floats(point.velocity_m_s, DEW_ITEMS(&surface->velocities, dew_Vec3)[vertex]);
    set_floats(point.normal, DEW_ITEMS(&surface->normals, dew_Vec3)[vertex]);
    return point;
}

// How many points each drop gets.
static void share_points(const dew_Surface *surface, NewFrame *frame)
{
    for (int64_t d = 0; d < frame->drop_count; d++) {
        int32_t piece = frame->drops[d].piece;
        int64_t vertex_count = DEW_ITEMS(&surface->measures, dew_PieceMeasure)[piece].vertex_count;
        double fraction = (double)vertex_count / (double)surface->positions.count;
        int64_t quota = (int64_t)(fraction * POINT_BUDGET);
        quota = quota > LEAST_POINTS ? quota : LEAST_POINTS;
        frame->quota[d] = quota < vertex_count ? quota : vertex_count;
        frame->point_count += frame->quota[d];
    }
}

// Every so-many-th vertex of each drop's outside, grouped by drop.
static dew_Status make_points(const dew_Surface *surface, dew_Arena *scratch, NewFrame *frame)
{
    frame->quota = dew_arena_array(scratch, int64_t, frame->drop_count);
    int64_t *seen = dew_arena_array(scratch, int64_t, frame->drop_count);
    int64_t *next = dew_arena_array(scratch, int64_t, frame->drop_count + 1);
    if (!frame->quota || !seen || !next)
        return dew_no_memory((size_t)frame->drop_count * 24);
    share_points(surface, frame);
    for (int64_t d = 0; d < frame->drop_count; d++)
        next[d + 1] = next[d] + frame->quota[d];
    frame->points = dew_arena_array(scratch, dew_DropPoint, frame->point_count);
    if (!frame->points)
        return dew_no_memory((size_t)frame->point_count * sizeof(dew_DropPoint));
    for (int64_t i = 0; i < surface->positions.count; i++) {
        uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[i];
        if (piece == DEW_NO_COMPONENT)
            continue;
        int32_t d = frame->piece_drop[piece];
        if (frame->drops[d].piece != (int32_t)piece)
            continue;
        int64_t n = seen[d]++;
        int64_t count = DEW_ITEMS(&surface->measures, dew_PieceMeasure)[piece].vertex_count;
        if (n * frame->quota[d] / count != (n + 1) * frame->quota[d] / count)
            frame->points[next[d]++] = make_point(surface, i, d);
    }
    return dew_ok();
}

// ---- ids ----------------------------------------------------------------------------------------

// Links of the drops of one frame: list[first[d]..first[d + 1]) are the other ends.
typedef struct Ends {
    int64_t *first;
    int32_t *list;
} Ends;

static dew_Status make_ends(const dew_DropLink *links, int64_t link_count, bool of_old,
                            int64_t drop_count, dew_Arena *scratch, Ends *ends)
{
    ends->first = dew_arena_array(scratch, int64_t, drop_count + 2);
    ends->list = dew_arena_array(scratch, int32_t, link_count);
    if (!ends->first || !ends->list)
        return dew_no_memory((size_t)(drop_count + link_count) * 12);
    for (int64_t i = 0; i < link_count; i++)
        ends->first[(of_old ? links[i].before : links[i].after) + 2]++;
    for (int64_t d = 0; d < drop_count; d++)
        ends->first[d + 2] += ends->first[d + 1];
    for (int64_t i = 0; i < link_count; i++) {
        int32_t here = of_old ? links[i].before : links[i].after;
        ends->list[ends->first[here + 1]++] = of_old ? links[i].after : links[i].before;
    }
    return dew_ok();
}

static int64_t end_count(const Ends *ends, int64_t drop)
{
    return ends->first[drop + 1] - ends->first[drop];
}

// The lowest ids of the old drops a new one is linked to, ascending.
static void name_parents(const dew_DropTracker *tracker, const Ends *parents, int64_t d,
                         dew_DropRecord *drop)
{
    for (int64_t i = parents->first[d]; i < parents->first[d + 1]; i++) {
        int64_t id = DEW_ITEMS(&tracker->drops, dew_DropRecord)[parents->list[i]].id;
        int n = drop->parent_count;
        if (n == DEW_MAX_DROP_LINKS && drop->parents[n - 1] < id)
            continue;
        n = n < DEW_MAX_DROP_LINKS ? n : DEW_MAX_DROP_LINKS - 1;
        for (; n > 0 && drop->parents[n - 1] > id; n--)
            drop->parents[n] = drop->parents[n - 1];
        drop->parents[n] = id;
        if (drop->parent_count < DEW_MAX_DROP_LINKS)
            drop->parent_count++;
    }
}

// Gives ids and lists the new drops by id: first those that live on, in the order of the old ones,
// then the new ones.
static int64_t give_ids(const dew_DropTracker *tracker, const Ends *children, const Ends *parents,
                        NewFrame *frame, int32_t *order)
{
    int64_t count = 0, next_id = tracker->next_id;
    for (int64_t a = 0; a < tracker->drops.count; a++) {
        if (end_count(children, a) != 1)
            continue;
        int32_t d = children->list[children->first[a]];
        if (end_count(parents, d) != 1)
            continue;
        frame->drops[d].id = DEW_ITEMS(&tracker->drops, dew_DropRecord)[a].id;
        order[count++] = d;
    }
    for (int32_t d = 0; d < frame->drop_count; d++) {
        if (frame->drops[d].id != 0)
            continue;
        name_parents(tracker, parents, d, &frame->drops[d]);
        frame->drops[d].id = next_id++;
        order[count++] = d;
    }
    return next_id;
}

// Nothing can fail any more.
static void commit(dew_DropTracker *tracker, const NewFrame *frame, const int32_t *order)
{
    int64_t *first = frame->quota;  // no longer needed as such
    for (int64_t d = 0, sum = 0; d < frame->drop_count; d++) {
        int64_t quota = frame->quota[d];
        first[d] = sum;
        sum += quota;
    }
    tracker->drops.count = frame->drop_count;
    tracker->points.count = 0;
    for (int32_t n = 0; n < frame->drop_count; n++) {
        int32_t d = order[n];
        DEW_ITEMS(&tracker->drops, dew_DropRecord)[n] = frame->drops[d];
        for (int64_t i = first[d]; i < frame->point_count && frame->points[i].drop == d; i++) {
            dew_DropPoint point = frame->points[i];
            point.drop = n;
            DEW_ITEMS(&tracker->points, dew_DropPoint)[tracker->points.count++] = point;
        }
    }
}

// What was restored from a file may be anything.
static dew_Status check_tracker(const dew_DropTracker *tracker)
{
    int32_t last = 0;
    for (int64_t i = 0; i < tracker->points.count; i++) {
        int32_t drop = DEW_ITEMS(&tracker->points, dew_DropPoint)[i].drop;
        if (drop < last || drop >= tracker->drops.count)
            return dew_fail(DEW_CORRUPT, "the record of drops is damaged: point %lld is of drop %d",
                            (long long)i, drop);
        last = drop;
    }
    return dew_ok();
}

static int compare_links(const void *a, const void *b)
{
    const dew_DropLink *x = (const dew_DropLink *)a, *y = (const dew_DropLink *)b;
    int by_before = (x->before > y->before) - (x->before < y->before);
    return by_before != 0 ? by_before : (x->after > y->after) - (x->after < y->after);
}

static dew_Status reserve(dew_DropTracker *tracker, const NewFrame *frame, int64_t piece_count,
                          int64_t link_count)
{
    DEW_TRY(dew_array_reserve(&tracker->before, tracker->drops.count));
    DEW_TRY(dew_array_reserve(&tracker->links, link_count));
    DEW_TRY(dew_array_reserve(&tracker->piece_drops, piece_count));
    DEW_TRY(dew_array_reserve(&tracker->drops, frame->drop_count));
    return dew_array_reserve(&tracker->points, frame->point_count);
}

// What became of which drop. Memory is reserved; `position` has room for every drop.
static void keep_history(dew_DropTracker *tracker, const NewFrame *frame, int64_t piece_count,
                         const dew_DropLink *links, int64_t link_count, const int32_t *order,
                         int32_t *position)
{
    for (int32_t n = 0; n < frame->drop_count; n++)
        position[order[n]] = n;
    tracker->before.count = tracker->drops.count;
    for (int64_t i = 0; i < tracker->drops.count; i++)
        DEW_ITEMS(&tracker->before, dew_DropRecord)
    [i] = DEW_ITEMS(&tracker->drops, dew_DropRecord)[i];
    dew_DropLink *kept = DEW_ITEMS(&tracker->links, dew_DropLink);
    tracker->links.count = link_count;
    for (int64_t i = 0; i < link_count; i++)
        kept[i] = (dew_DropLink){links[i].before, position[links[i].after]};
    if (link_count > 1)
        qsort(kept, (size_t)link_count, sizeof *kept, compare_links);
    tracker->piece_drops.count = piece_count;
    for (int64_t p = 0; p < piece_count; p++)
        DEW_ITEMS(&tracker->piece_drops, int32_t)[p] = position[frame->piece_drop[p]];
}

static dew_Status update(dew_DropTracker *tracker, const dew_Surface *surface, double time_s)
{
    dew_Arena *scratch = &tracker->scratch;
    NewFrame frame = {0};
    DEW_TRY(check_tracker(tracker));
    DEW_TRY(make_records(surface, scratch, &frame));
    DEW_TRY(make_points(surface, scratch, &frame));
    dew_DropFrame before = {.drops = DEW_ITEMS(&tracker->drops, dew_DropRecord),
                            .points = DEW_ITEMS(&tracker->points, dew_DropPoint),
                            .drop_count = tracker->drops.count,
                            .point_count = tracker->points.count};
    dew_DropFrame after = {frame.drops, frame.points, frame.drop_count, frame.point_count};
    dew_DropLink *links;
    int64_t link_count;
    DEW_TRY(dew_drops_match(&before, &after, fmax(time_s - tracker->time_s, 0), scratch, &links,
                            &link_count));
    Ends children, parents;
    DEW_TRY(make_ends(links, link_count, true, before.drop_count, scratch, &children));
    DEW_TRY(make_ends(links, link_count, false, after.drop_count, scratch, &parents));
    int32_t *order = dew_arena_array(scratch, int32_t, frame.drop_count);
    int32_t *position = dew_arena_array(scratch, int32_t, frame.drop_count);
    if (!order || !position)
        return dew_no_memory((size_t)frame.drop_count * sizeof(int32_t));
    DEW_TRY(reserve(tracker, &frame, surface->piece_count, link_count));
    tracker->next_id = give_ids(tracker, &children, &parents, &frame, order);
    tracker->time_s = time_s;
    keep_history(tracker, &frame, surface->piece_count, links, link_count, order, position);
    commit(tracker, &frame, order);
    return dew_ok();
}

dew_Status dew_drops_update(dew_DropTracker *tracker, const dew_Surface *surface, double time_s)
{
    dew_arena_clear(&tracker->scratch);
    return update(tracker, surface, time_s);
}
