// Events of drops from the links between two updates: which drop became which.
//
//   merged    a drop after with two or more before        appeared   a drop after with none before
//   split     a drop before with two or more after        vanished   a drop before with none after
//   impact    contact area after, none in any before      detached   none after, some in one before
// One drop can take part in several: a drop that splits off a sessile one is split and detached.
#include "world/drop_events.h"

#include "base/status.h"
#include "world/world_state.h"

#include <math.h>
#include <stdlib.h>

typedef struct Work {
    dew_World *world;
    const dew_DropRecord *before, *after;
    int64_t before_count, after_count;
    const dew_DropLink *links;  // ascending
    int64_t link_count;
    dew_Instant instant;
    double begin_s;
} Work;

static dew_Status push(const Work *work, dew_DropEvent event)
{
    event.begin_s = work->begin_s;
    event.time_s = work->instant.time_s;
    return dew_array_push(&work->world->view.events, &event);
}

static dew_DropEvent make_event(dew_DropEventKind kind, const dew_DropRecord *drop)
{
    return (dew_DropEvent){.kind = kind,
                           .solid_id = DEW_INVALID,
                           .drop_id = drop->id,
                           .point_m = drop->center_m,
                           .volume_m3 = drop->volume_m3};
}

/// Adds an id to the event's list, ascending; the lowest stay.
static void add_other(dew_DropEvent *event, int64_t id)
{
    int n = event->other_count;
    if (n == DEW_MAX_DROP_LINKS && event->others[n - 1] < id)
        return;
    if (n < DEW_MAX_DROP_LINKS)
        event->other_count++;
    else
        n--;
    for (; n > 0 && event->others[n - 1] > id; n--)
        event->others[n] = event->others[n - 1];
    event->others[n] = id;
}

// ---- a drop before -----------------------------------------------------------------------------

static dew_Status split_or_vanished(const Work *work)
{
    int64_t i = 0;
    for (int32_t b = 0; b < work->before_count; b++) {
        dew_DropEvent event = make_event(DEW_DROP_SPLIT, &work->before[b]);
        int count = 0;
        for (; i < work->link_count && work->links[i].before == b; i++, count++)
            add_other(&event, work->after[work->links[i].after].id);
        if (count == 0)
            event.kind = DEW_DROP_VANISHED;
        if (count != 1)
            DEW_TRY(push(work, event));
    }
    return dew_ok();
}

// ---- a drop after ------------------------------------------------------------------------------

/// What there was of a drop before: sums over its parents.
typedef struct Past {
    int count;
    double contact_area_m2, volume_m3;
    dew_Vec3 momentum;  // velocity times volume
    const dew_DropRecord *first;
    double max_difference_m_s;
    dew_DropEvent merged;
} Past;

static dew_Status gather_pasts(const Work *work, Past **out)
{
    Past *pasts = dew_arena_array(&work->world->view.scratch, Past, work->after_count);
    if (!pasts)
        return dew_no_memory((size_t)work->after_count * sizeof *pasts);
    for (int64_t i = 0; i < work->link_count; i++) {
        const dew_DropRecord *before = &work->before[work->links[i].before];
        Past *past = &pasts[work->links[i].after];
        if (past->count++ == 0) {
            past->first = before;
            past->merged = make_event(DEW_DROP_MERGED, &work->after[work->links[i].after]);
        }
        add_other(&past->merged, before->id);
        past->contact_area_m2 += before->contact_area_m2;
        past->volume_m3 += before->volume_m3;
        past->momentum = dew_add_scaled(past->momentum, before->volume_m3, before->velocity_m_s);
        past->max_difference_m_s =
            fmax(past->max_difference_m_s,
                 dew_distance(before->velocity_m_s, past->first->velocity_m_s));
    }
    *out = pasts;
    return dew_ok();
}

/// Middle of the drop's wet vertices.
static dew_Vec3 wet_middle(const Work *work, int32_t drop)
{
    const dew_LiquidView *view = &work->world->view;
    const dew_Surface *surface = view->surface;
    dew_Vec3 sum = {0, 0, 0};
    int64_t count = 0;
    for (int64_t v = 0; v < surface->positions.count; v++) {
        uint32_t piece = DEW_ITEMS(&surface->pieces, uint32_t)[v];
        if (piece >= (uint32_t)surface->piece_count ||
            DEW_ITEMS(&view->tracker.piece_drops, int32_t)[piece] != drop ||
            !(DEW_ITEMS(&surface->wet, float)[v] >= DEW_WET_FROM))
            continue;
        sum = dew_add(sum, DEW_ITEMS(&surface->positions, dew_Vec3)[v]);
        count++;
    }
    return count > 0 ? dew_scale(1 / (double)count, sum) : work->after[drop].center_m;
}

static dew_Status impact(const Work *work, int32_t drop, const Past *past)
{
    dew_DropEvent event = make_event(DEW_DROP_IMPACT, &work->after[drop]);
    event.point_m = wet_middle(work, drop);
    dew_SolidPoint solid =
        dew_problem_nearest(work->world->problem, &work->instant, event.point_m, (double)INFINITY);
    event.solid_id = solid.solid_id;
    if (solid.solid_id != DEW_INVALID && past->volume_m3 > 0) {
        dew_Vec3 velocity = dew_scale(1 / past->volume_m3, past->momentum);
        event.speed_m_s = -dew_inner(dew_sub(velocity, solid.velocity_m_s), solid.normal);
    }
    return push(work, event);
}

static dew_Status detached(const Work *work, int32_t drop)
{
    dew_DropEvent event = make_event(DEW_DROP_DETACHED, &work->after[drop]);
    dew_SolidPoint solid =
        dew_problem_nearest(work->world->problem, &work->instant, event.point_m, (double)INFINITY);
    event.solid_id = solid.solid_id;
    if (solid.solid_id != DEW_INVALID)
        event.point_m = solid.point_m;
    return push(work, event);
}

static dew_Status events_of_after(const Work *work)
{
    Past *pasts = NULL;
    DEW_TRY(gather_pasts(work, &pasts));
    DEW_ASSERT(pasts || work->after_count == 0);
    for (int32_t a = 0; a < work->after_count; a++) {
        const dew_DropRecord *drop = &work->after[a];
        Past *past = &pasts[a];
        if (past->count == 0) {
            DEW_TRY(push(work, make_event(DEW_DROP_APPEARED, drop)));
            continue;
        }
        past->merged.speed_m_s = past->max_difference_m_s;
        if (past->count > 1)
            DEW_TRY(push(work, past->merged));
        if (past->contact_area_m2 == 0 && drop->contact_area_m2 > 0)
            DEW_TRY(impact(work, a, past));
        if (past->contact_area_m2 > 0 && drop->contact_area_m2 == 0)
            DEW_TRY(detached(work, a));
    }
    return dew_ok();
}

static int compare_events(const void *a, const void *b)
{
    const dew_DropEvent *x = (const dew_DropEvent *)a, *y = (const dew_DropEvent *)b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->drop_id > y->drop_id) - (x->drop_id < y->drop_id);
}

dew_Status dew_world_list_events(dew_World *world, double begin_s)
{
    const dew_DropTracker *tracker = &world->view.tracker;
    Work work = {.world = world,
                 .before = DEW_ITEMS(&tracker->before, dew_DropRecord),
                 .after = DEW_ITEMS(&tracker->drops, dew_DropRecord),
                 .before_count = tracker->before.count,
                 .after_count = tracker->drops.count,
                 .links = DEW_ITEMS(&tracker->links, dew_DropLink),
                 .link_count = tracker->links.count,
                 .instant = dew_world_instant(world),
                 .begin_s = begin_s};
    dew_Array *events = &world->view.events;
    DEW_TRY(split_or_vanished(&work));
    DEW_TRY(events_of_after(&work));
    if (events->count > 1)
        qsort(events->data, (size_t)events->count, sizeof(dew_DropEvent), compare_events);
    return dew_ok();
}
