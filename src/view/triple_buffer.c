// Three instants and a lock that is held for an exchange of two numbers.
#include "view/handover.h"

#include "base/allocator.h"
#include "base/status.h"

static dew_Status make_instant(const dew_Handover *handover, dew_Instant *instant)
{
    const dew_Allocator *allocator = &handover->allocator;
    instant->poses = dew_alloc(allocator, handover->solid_count + 1, sizeof *instant->poses);
    instant->values = dew_alloc(allocator, handover->value_count + 1, sizeof *instant->values);
    if (!instant->poses || !instant->values)
        return dew_no_memory((size_t)handover->solid_count * sizeof *instant->poses);
    return dew_surface_create(allocator, &instant->surface);
}

dew_Status dew_handover_init(dew_Handover *handover, int solid_count, int64_t value_count,
                             const dew_Allocator *allocator)
{
    *handover = (dew_Handover){.filling = 0,
                               .ready = 1,
                               .looked_at = 2,
                               .solid_count = solid_count,
                               .value_count = value_count};
    if (allocator)
        handover->allocator = *allocator;
    if (pthread_mutex_init(&handover->lock, NULL) != 0)
        return dew_no_memory(sizeof *handover);
    handover->is_made = true;
    for (int i = 0; i < 3; i++)
        DEW_TRY(make_instant(handover, &handover->instants[i]));
    return dew_ok();
}

void dew_handover_deinit(dew_Handover *handover)
{
    const dew_Allocator *allocator = &handover->allocator;
    if (!handover->is_made)
        return;
    for (int i = 0; i < 3; i++) {
        dew_Instant *instant = &handover->instants[i];
        dew_surface_destroy(instant->surface);
        if (instant->poses)
            dew_free(allocator, instant->poses,
                     (size_t)(handover->solid_count + 1) * sizeof *instant->poses);
        if (instant->values)
            dew_free(allocator, instant->values,
                     (size_t)(handover->value_count + 1) * sizeof *instant->values);
    }
    pthread_mutex_destroy(&handover->lock);
    handover->is_made = false;
}

dew_Instant *dew_handover_begin(dew_Handover *handover)
{
    return &handover->instants[handover->filling];  // the maker's alone
}

void dew_handover_end(dew_Handover *handover)
{
    pthread_mutex_lock(&handover->lock);
    int filled = handover->filling;
    handover->filling = handover->ready;
    handover->ready = filled;
    handover->is_new = true;
    pthread_mutex_unlock(&handover->lock);
}

const dew_Instant *dew_handover_look(dew_Handover *handover, bool *is_new)
{
    pthread_mutex_lock(&handover->lock);
    *is_new = handover->is_new;
    if (handover->is_new) {
        int seen = handover->looked_at;
        handover->looked_at = handover->ready;
        handover->ready = seen;
        handover->is_new = false;
    }
    pthread_mutex_unlock(&handover->lock);
    return &handover->instants[handover->looked_at];
}

dew_Moment dew_instant_moment(const dew_Instant *instant)
{
    return (dew_Moment){instant->time_s, instant->gravity_m_s2, instant->wind_m_s, instant->poses};
}
