// Three instants and a lock that is held for an exchange of two numbers.
#include "view/triple_buffer.h"

#include <stdlib.h>

static dew_Status make_view_state(int solid_count, int material_count, dew_ViewState *instant)
{
    if (solid_count > 0)
        instant->poses = calloc((size_t)solid_count, sizeof *instant->poses);
    instant->materials = calloc((size_t)material_count + 1, sizeof *instant->materials);
    if ((solid_count > 0 && !instant->poses) || !instant->materials)
        return dew_fail(DEW_NO_MEMORY, "out of memory");
    DEW_TRY(dew_surface_create(NULL, &instant->surface));
    dew_surface_set_images_only(instant->surface, true);
    return dew_ok();
}

dew_Status dew_triple_buffer_init(dew_TripleBuffer *buffer, int solid_count, int material_count)
{
    *buffer = (dew_TripleBuffer){.filling = 0, .ready = 1, .looked_at = 2};
    if (pthread_mutex_init(&buffer->lock, NULL) != 0)
        return dew_fail(DEW_NO_MEMORY, "no lock could be made");
    buffer->is_made = true;
    for (int i = 0; i < 3; i++)
        DEW_TRY(make_view_state(solid_count, material_count, &buffer->instants[i]));
    return dew_ok();
}

void dew_triple_buffer_deinit(dew_TripleBuffer *buffer)
{
    if (!buffer->is_made)
        return;
    for (int i = 0; i < 3; i++) {
        dew_surface_destroy(buffer->instants[i].surface);
        free(buffer->instants[i].poses);
        free(buffer->instants[i].materials);
    }
    pthread_mutex_destroy(&buffer->lock);
    buffer->is_made = false;
}

dew_ViewState *dew_triple_buffer_begin(dew_TripleBuffer *buffer)
{
    return &buffer->instants[buffer->filling];  // of the making thread alone
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

const dew_ViewState *dew_triple_buffer_look(dew_TripleBuffer *buffer, bool *is_new)
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

dew_RenderFrame dew_view_state_frame(const dew_ViewState *instant)
{
    return (dew_RenderFrame){
        .time_s = instant->time_s, .surface = instant->surface, .poses = instant->poses};
}
