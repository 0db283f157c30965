// What the looking thread says to a session and hears from it, and the scene of all that was done.
#include "base/file.h"
#include "base/number.h"
#include "base/status.h"
#include "scene/scene.h"
#include "view/session_state.h"
#include "world/solver_table.h"

#include <math.h>
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

const dew_Instant *dew_session_look(dew_Session *session, bool *is_new)
{
    const dew_Instant *instant = dew_triple_buffer_look(&session->buffer, is_new);
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

// ---- what is done ------------------------------------------------------------------------------

void dew_session_apply(dew_Session *session, const dew_EventDef *event)
{
    lock(session);
    if (!session->def.directory)
        (void)dew_array_push(&session->queue, event);  // without memory a click is lost
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

// ---- what is told ------------------------------------------------------------------------------

bool dew_session_is_live(const dew_Session *session)
{
    return !session->def.directory;
}

int64_t dew_session_frame_count(const dew_Session *session)
{
    return session->frames.count;
}

const char *dew_session_solid_name(const dew_Session *session, int solid_id)
{
    return dew_problem_solid_name(session->problem, solid_id);
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

// The scene's own events and those of the hand by their times. At one time the scene's come first, as
// dew_world_apply has it.
static dew_Status merge_events(const dew_Scene *from, const dew_Array *done, dew_Scene *to)
{
    int64_t own = 0, own_count = dew_scene_event_count(from);
    to->events.count = 0;
    for (int64_t i = 0; i <= done->count; i++) {
        const dew_EventDef *event =
            i < done->count ? &DEW_ITEMS(done, const dew_EventDef)[i] : NULL;
        while (own < own_count &&
               (!event || dew_scene_event(from, (int)own)->time_s <= event->time_s))
            DEW_TRY(dew_scene_add_event(to, dew_scene_event(from, (int)own++)));
        if (event)
            DEW_TRY(dew_scene_add_event(to, event));
    }
    return dew_ok();
}

static dew_Status write_scene(const dew_Scene *scene, const char *path, dew_Arena *arena)
{
    const char *slash = strrchr(path, '/');
    const char *directory = slash == path && slash ? "/"
                            : slash ? dew_arena_text(arena, path, (size_t)(slash - path))
                                    : ".";
    char *text = NULL;
    dew_FileWriter writer;
    if (!directory)
        return dew_no_memory(strlen(path));
    DEW_TRY(dew_scene_text(scene, directory, &text));
    dew_Status status = dew_file_begin(&writer, path, NULL);
    if (status.code == DEW_OK) {
        dew_file_text(&writer, text);
        status = dew_file_commit(&writer);
    }
    dew_scene_text_free(scene, text);
    return status;
}

static dew_Status save(dew_Session *session, dew_Scene *copy, const char *path, dew_Arena *arena)
{
    char assignment[64], number[DEW_NUMBER_SIZE];
    lock(session);
    double time_s = session->time_s;
    dew_Status status = merge_events(session->def.scene, &session->done, copy);
    unlock(session);
    DEW_TRY(status);
    if (time_s > 0) {  // a run of it ends where the session was saved
        dew_number_format(time_s, number);
        snprintf(assignment, sizeof assignment, "duration=%s s", number);
        DEW_TRY(dew_scene_set(copy, assignment));
    }
    return write_scene(copy, path, arena);
}

dew_Status dew_session_save(dew_Session *session, const char *path)
{
    dew_Scene *copy = NULL;
    dew_Arena arena;
    if (session->def.directory)
        return dew_fail(DEW_BAD_INPUT, "a run that is played back has nothing to save");
    DEW_TRY(dew_scene_bind(session->def.scene, dew_solver_list(), NULL, &copy));
    dew_arena_init(&arena, NULL);
    dew_Status status = save(session, copy, path, &arena);
    dew_arena_deinit(&arena);
    dew_scene_destroy(copy);
    return status;
}
