// Calls of the drawing thread on a session, and the scene with all recorded events.
#include "view/session_state.h"

#include <stdio.h>
#include <string.h>

static void lock(dew_Session *session)
{
    pthread_mutex_lock(&session->lock);
}

static void unlock(dew_Session *session)
{
    pthread_cond_broadcast(&session->change);
    pthread_mutex_unlock(&session->lock);
}

const dew_ViewState *dew_session_look(dew_Session *session, bool *is_new)
{
    const dew_ViewState *instant = dew_triple_buffer_look(&session->buffer, is_new);
    if (*is_new) {
        lock(session);
        session->last_serial = instant->serial;
        if (!session->waits)
            session->looked_serial = instant->serial;
        unlock(session);
    }
    return instant;
}

void dew_session_go_on(dew_Session *session)
{
    lock(session);
    session->looked_serial = session->last_serial;
    unlock(session);
}

// ---- actions -----------------------------------------------------------------------------------

void dew_session_apply(dew_Session *session, const dew_EventDef *event)
{
    lock(session);
    if (!session->def.directory)
        (void)dew_list_push(&session->queue, event);  // without memory a click is lost
    unlock(session);
}

void dew_session_drag(dew_Session *session, int solid_id, dew_Vec3 translate_m,
                      double max_speed_m_s)
{
    lock(session);
    session->drags[solid_id] = (dew_SolidDrag){true, translate_m, max_speed_m_s};
    unlock(session);
}

void dew_session_pause(dew_Session *session, bool is_paused)
{
    lock(session);
    session->is_paused = is_paused;
    session->steps = 0;
    unlock(session);
}

bool dew_session_is_paused(dew_Session *session)
{
    lock(session);
    bool is_paused = session->is_paused || session->is_failed;
    unlock(session);
    return is_paused;
}

void dew_session_step(dew_Session *session, int frames)
{
    lock(session);
    session->is_paused = true;
    session->steps += frames;
    unlock(session);
}

void dew_session_set_speed(dew_Session *session, double pace)
{
    lock(session);
    session->pace = pace;
    unlock(session);
}

void dew_session_restart(dew_Session *session)
{
    lock(session);
    if (session->def.directory)
        session->seek = 0;
    else
        session->restarts = true;
    unlock(session);
}

void dew_session_seek(dew_Session *session, int64_t index)
{
    lock(session);
    session->seek = index < 0 ? 0 : index;
    unlock(session);
}

void dew_session_wait_for_looks(dew_Session *session, bool waits)
{
    lock(session);
    session->waits = waits;
    unlock(session);
}

// ---- questions ---------------------------------------------------------------------------------

bool dew_session_is_live(const dew_Session *session)
{
    return !session->def.directory;
}

int64_t dew_session_frame_count(const dew_Session *session)
{
    return session->reader ? dew_run_reader_frame_count(session->reader) : 0;
}

bool dew_session_can_feed(const dew_Session *session)
{
    return session->can_feed;
}

int64_t dew_session_event_count(dew_Session *session)
{
    lock(session);
    int64_t count = session->done.count;
    unlock(session);
    return count;
}

bool dew_session_is_settled(dew_Session *session)
{
    lock(session);
    bool is_settled = !session->is_at_work && session->queue.count == 0 && session->steps == 0 &&
                      session->seek == DEW_INVALID && !session->restarts &&
                      session->looked_serial == session->serial;
    unlock(session);
    return is_settled;
}

bool dew_session_message(dew_Session *session, char *out, size_t size)
{
    lock(session);
    bool is_new = session->has_message;
    if (is_new)
        snprintf(out, size, "%s", session->message);
    session->has_message = false;
    unlock(session);
    return is_new;
}

uint64_t dew_session_hash(const dew_Session *session)
{
    return session->hash;
}

// ---- saving ------------------------------------------------------------------------------------

// Adds the recorded events to a copy of the scene, which ends where the session is now. At one time
// the scene's own events come first, as dew_world_apply has it.
static dew_Status add_events(dew_Session *session, dew_Scene *copy)
{
    dew_Status status = dew_ok();
    lock(session);
    double time_s = session->time_s;
    const dew_EventDef *events = session->done.items;
    for (int64_t i = 0; i < session->done.count && status.code == DEW_OK; i++)
        status = dew_scene_add_event(copy, &events[i]);
    unlock(session);
    DEW_TRY(status);
    return time_s > 0 ? dew_scene_set_duration(copy, time_s) : dew_ok();
}

dew_Status dew_session_save(dew_Session *session, const char *path)
{
    dew_Scene *copy = NULL;
    if (session->def.directory)
        return dew_fail(DEW_BAD_INPUT, "a run that is played back has nothing to save");
    DEW_TRY(dew_scene_copy(session->def.scene, NULL, &copy));
    dew_Status status = add_events(session, copy);
    if (status.code == DEW_OK)
        status = dew_scene_save(copy, path);
    dew_scene_destroy(copy);
    return status;
}
