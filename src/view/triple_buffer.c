// Three instants and a lock that is held for an exchange of two numbers.
#include "view/triple_buffer.h"

#include "base/allocator.h"
#include "base/status.h"

static dew_Status make_instant(const dew_TripleBuffer *buffer, dew_Instant *instant)
{
    const dew_Allocator *allocator = &buffer->allocator;
    instant->poses = dew_alloc(allocator, buffer->solid_count + 1, sizeof *instant->poses);
    instant->values = dew_alloc(allocator, buffer->value_count + 1, sizeof *instant->values);
    if (!instant->poses || !instant->values)
        return dew_no_memory((size_t)buffer->solid_count * sizeof *instant->poses);
    return dew_surface_create(allocator, &instant->surface);
}

dew_Status dew_triple_buffer_init(dew_TripleBuffer *buffer, int solid_count, int64_t value_count,
                                  const dew_Allocator *allocator)
{
    *buffer = (dew_TripleBuffer){.filling = 0,
                                 .ready = 1,
                                 .looked_at = 2,
                                 .solid_count = solid_count,
                                 .value_count = value_count};
    if (allocator)
        buffer->allocator = *allocator;
    if (pthread_mutex_init(&buffer->lock, NULL) != 0)
        return dew_no_memory(sizeof *buffer);
    buffer->is_made = true;
    for (int i = 0; i < 3; i++)
        DEW_TRY(make_instant(buffer, &buffer->instants[i]));
    return dew_ok();
}

void dew_triple_buffer_deinit(dew_TripleBuffer *buffer)
{
    const dew_Allocator *allocator = &buffer->allocator;
    if (!buffer->is_made)
        return;
    for (int i = 0; i < 3; i++) {
        dew_Instant *instant = &buffer->instants[i];
        dew_surface_destroy(instant->surface);
        if (instant->poses)
            dew_free(allocator, instant->poses,
                     (size_t)(buffer->solid_count + 1) * sizeof *instant->poses);
        if (instant->values)
            dew_free(allocator, instant->values,
                     (size_t)(buffer->value_count + 1) * sizeof *instant->values);
    }
    pthread_mutex_destroy(&buffer->lock);
    buffer->is_made = false;
}

dew_Instant *dew_triple_buffer_begin(dew_TripleBuffer *buffer)
{
    return &buffer->instants[buffer->filling];  // the maker's alone
}

void dew_triple_buffer_end(dew_TripleBuffer *buffer)
{
    pthread_mutex_lock(&buffer->lock);
    int filled = buffer->filling;
    buffer->filling = buffer->ready;
    buffer->ready = filled;
    buffer->is_new = true;
    pthread_mutex_unlock(&buffer->lock);
}

const dew_Instant *dew_triple_buffer_look(dew_TripleBuffer *buffer, bool *is_new)
{
    pthread_mutex_lock(&buffer->lock);
    *is_new = buffer->is_new;
    if (buffer->is_new) {
        int seen = buffer->looked_at;
        buffer->looked_at = buffer->ready;
        buffer->ready = seen;
        buffer->is_new = false;
    }
    pthread_mutex_unlock(&buffer->lock);
    return &buffer->instants[buffer->looked_at];
}

dew_Moment dew_instant_moment(const dew_Instant *instant)
{
    return (dew_Moment){instant->time_s, instant->gravity_m_s2, instant->wind_m_s, instant->poses};
}
