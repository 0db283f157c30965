// The thread that simulates. Everything it shares with the one that draws is behind one lock, held for a few
// assignments; instants go through the triple buffer.
#include "view/session.h"

#include "base/allocator.h"
#include "base/clock.h"
#include "base/status.h"
#include "view/session_state.h"
#include "world/frames.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SMOOTHING 0.1   // of the frame rate shown
#define REACHED   1e-9  // of a metre: a drag has arrived

void dew_session_say(dew_Session *session, const char *words)
{
    pthread_mutex_lock(&session->lock);
    snprintf(session->message, sizeof session->message, "%.250s", words);
    session->has_message = true;
    pthread_mutex_unlock(&session->lock);
}

// ---- pace --------------------------------------------------------------------------------------

void dew_session_wait(dew_Session *session)
{
    double left_s = session->due_s - dew_wall_s();
    bool is_idle = (session->is_paused && session->steps == 0) || session->is_failed ||
                   (session->waits && session->looked_serial < session->serial);
    if (session->stops)
        return;
    if (is_idle) {
        pthread_cond_wait(&session->change, &session->lock);
        return;
    }
    if (!(left_s > 0) || session->waits || session->steps > 0)
        return;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double whole = floor(left_s), nanos = (left_s - whole) * 1e9 + (double)until.tv_nsec;
    until.tv_sec += (time_t)whole + (nanos >= 1e9);
    until.tv_nsec = (long)(nanos >= 1e9 ? nanos - 1e9 : nanos);
    pthread_cond_timedwait(&session->change, &session->lock, &until);
}

static bool is_due(const dew_Session *session)
{
    if (session->is_failed || (session->waits && session->looked_serial < session->serial))
        return false;
    if (session->is_paused)
        return session->steps > 0;
    return session->waits || dew_wall_s() >= session->due_s;
}

double dew_session_rate(dew_Session *session)
{
    double now = dew_wall_s(), took = now - session->last_s;
    session->last_s = now;
    session->rate_s =
        session->rate_s > 0 ? (1 - SMOOTHING) * session->rate_s + SMOOTHING * took : took;
    return session->rate_s > 0 ? 1 / session->rate_s : 0;
}

// ---- instants ----------------------------------------------------------------------------------

static dew_Status show(dew_Session *session, bool is_step)
{
    dew_Instant *instant = dew_triple_buffer_begin(&session->buffer);
    dew_World *world = session->world;
    session->is_unshown = false;  // the thread's alone
    instant->surface->is_for_pictures = true;
    DEW_TRY(dew_world_surface(world, instant->surface));
    dew_Moment moment = dew_world_moment(world);
    memcpy(instant->poses, moment.poses, (size_t)world->solid_count * sizeof *instant->poses);
    dew_world_values(world, instant->values);
    dew_world_stats(world, &instant->stats);
    instant->gravity_m_s2 = moment.gravity_m_s2;
    instant->wind_m_s = moment.wind_m_s;
    instant->time_s = moment.time_s;
    instant->frame = session->frame;
    instant->cpu_s = dew_thread_cpu_s();
    instant->frames_per_s = is_step ? session->frames_per_s : 0;
    pthread_mutex_lock(&session->lock);
    instant->serial = ++session->serial;
    session->time_s = moment.time_s;
    pthread_mutex_unlock(&session->lock);
    dew_triple_buffer_end(&session->buffer);
    return dew_ok();
}

// ---- what is done to it ------------------------------------------------------------------------

// Applies one event now, and writes it down.
static bool do_event(dew_Session *session, const dew_EventDef *wanted)
{
    dew_EventDef event = *wanted;
    dew_Status status = dew_world_apply(session->world, &event);
    event.time_s = dew_world_time_s(session->world);
    if (status.code == DEW_OK) {
        pthread_mutex_lock(&session->lock);
        status = dew_array_push(&session->done, &event);
        pthread_mutex_unlock(&session->lock);
    }
    if (status.code != DEW_OK)
        dew_session_say(session, status.message);
    return status.code == DEW_OK;
}

static bool take_event(dew_Session *session, dew_EventDef *out)
{
    pthread_mutex_lock(&session->lock);
    bool is_there = session->queue.count > 0;
    if (is_there) {
        dew_EventDef *queue = session->queue.data;
        *out = queue[0];
        session->queue.count--;
        memmove(queue, queue + 1, (size_t)session->queue.count * sizeof *queue);
    }
    pthread_mutex_unlock(&session->lock);
    return is_there;
}

static bool do_events(dew_Session *session)
{
    dew_EventDef event;
    bool has_changed = false;
    while (!session->stops && take_event(session, &event))
        has_changed |= do_event(session, &event);
    return has_changed;
}

// The next piece of a drag's way.
static void do_drags(dew_Session *session, double frame_s)
{
    dew_Moment moment = dew_world_moment(session->world);
    for (int i = 0; i < session->buffer.solid_count; i++) {
        pthread_mutex_lock(&session->lock);
        dew_SolidDrag drag = session->drags[i];
        pthread_mutex_unlock(&session->lock);
        if (!drag.is_wanted)
            continue;
        dew_Vec3 from = moment.poses[i].translate_m, way = dew_sub(drag.to_m, from);
        double length = dew_length(way), most = drag.max_speed_m_s * frame_s;
        bool is_last = length <= most;
        dew_EventDef event = dew_default_event_def(DEW_EVENT_DRAG);
        event.solid = dew_problem_solid_name(session->problem, i);
        event.translate_m = is_last ? drag.to_m : dew_add_scaled(from, most / length, way);
        event.over_s = frame_s;
        if (length > REACHED && !do_event(session, &event))
            is_last = true;
        pthread_mutex_lock(&session->lock);
        if (is_last && dew_distance(session->drags[i].to_m, drag.to_m) == 0)
            session->drags[i].is_wanted = false;
        pthread_mutex_unlock(&session->lock);
    }
}

// ---- the thread --------------------------------------------------------------------------------

static void fail(dew_Session *session, dew_Status status)
{
    dew_session_say(session, status.message);
    pthread_mutex_lock(&session->lock);
    session->is_failed = true;
    pthread_mutex_unlock(&session->lock);
}

static dew_Status restart(dew_Session *session)
{
    dew_World *world = NULL;
    DEW_TRY(dew_world_create(session->def.scene, &session->def.world, &world));
    dew_world_destroy(session->world);
    session->world = world;
    session->frame = 0;
    pthread_mutex_lock(&session->lock);
    session->done.count = session->queue.count = 0;
    session->is_failed = false;
    for (int i = 0; i < session->buffer.solid_count; i++)
        session->drags[i].is_wanted = false;
    pthread_mutex_unlock(&session->lock);
    return show(session, false);
}

static dew_Status advance(dew_Session *session)
{
    const dew_SceneDef *def = dew_scene_def(session->def.scene);
    double end_s = dew_frame_time_s(session->frame + 1, def->duration_s, def->frame_rate_Hz);
    double now_s = dew_wall_s();
    do_drags(session, 1 / def->frame_rate_Hz);
    while (!session->stops && dew_world_time_s(session->world) < end_s)
        DEW_TRY(dew_world_substep_to(session->world, end_s));
    if (session->stops)
        return dew_ok();
    session->frame++;
    session->frames_per_s = dew_session_rate(session);
    pthread_mutex_lock(&session->lock);
    session->steps -= session->steps > 0;
    session->due_s = fmax(session->due_s + 1 / (def->frame_rate_Hz * session->pace), now_s);
    session->time_s = dew_world_time_s(session->world);
    // A mesh of the whole surface takes nearly as long as a step. While time is short, and the last one was
    // not even looked at, there is none: who looks gets one that is at most a picture older.
    session->is_unshown = !session->waits && !session->is_paused &&
                          session->looked_serial < session->serial && dew_wall_s() > session->due_s;
    bool is_unshown = session->is_unshown;
    pthread_mutex_unlock(&session->lock);
    return is_unshown ? dew_ok() : show(session, true);
}

/// A session that waits takes what was done together with its next frame, so that a script does the same
/// however the threads run.
static bool has_events(const dew_Session *session)
{
    return session->queue.count > 0 &&
           (!session->waits || session->is_paused || session->is_failed || is_due(session));
}

static void simulate(dew_Session *session)
{
    while (!session->stops) {
        pthread_mutex_lock(&session->lock);
        session->is_at_work = false;
        if (!has_events(session) && !session->restarts && !session->is_unshown && !is_due(session))
            dew_session_wait(session);
        session->is_at_work = true;
        bool restarts = session->restarts, takes_events = has_events(session);
        bool is_step = is_due(session) && !restarts;
        session->restarts = false;
        pthread_mutex_unlock(&session->lock);
        dew_Status status = restarts ? restart(session) : dew_ok();
        bool has_changed = !restarts && takes_events && do_events(session);
        if (status.code == DEW_OK && is_step)
            status = advance(session);
        else if (status.code == DEW_OK && (has_changed || session->is_unshown))
            status = show(session, false);
        if (status.code != DEW_OK)
            fail(session, status);
    }
    session->hash = dew_world_hash(session->world);
}

static void *run_thread(void *context)
{
    dew_Session *session = context;
    if (session->def.directory)
        dew_session_play(session);
    else
        simulate(session);
    pthread_mutex_lock(&session->lock);
    session->is_ended = true;
    pthread_cond_broadcast(&session->change);
    pthread_mutex_unlock(&session->lock);
    return NULL;
}

// ---- making and ending -------------------------------------------------------------------------

static void destroy(dew_Session *session)
{
    dew_world_destroy(session->world);
    dew_triple_buffer_deinit(&session->buffer);
    dew_problem_destroy(session->problem);
    dew_array_deinit(&session->queue);
    dew_array_deinit(&session->done);
    dew_array_deinit(&session->frames);
    dew_arena_deinit(&session->arena);
    if (session->has_lock) {
        pthread_cond_destroy(&session->change);
        pthread_mutex_destroy(&session->lock);
    }
    dew_Allocator allocator = session->def.world.allocator;
    dew_free(&allocator, session, sizeof *session);
}

static dew_Status make_lock(dew_Session *session)
{
    pthread_condattr_t attributes;
    if (pthread_mutex_init(&session->lock, NULL) != 0)
        return dew_no_memory(sizeof session->lock);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int code = pthread_cond_init(&session->change, &attributes);
    pthread_condattr_destroy(&attributes);
    if (code != 0) {
        pthread_mutex_destroy(&session->lock);
        return dew_no_memory(sizeof session->change);
    }
    session->has_lock = true;
    return dew_ok();
}

static dew_Status make_parts(dew_Session *session)
{
    const dew_SessionDef *def = &session->def;
    dew_ProblemDef problem_def = {def->world.allocator, (dew_Log){0}, NULL};
    DEW_TRY(make_lock(session));
    if (!def->directory)
        DEW_TRY(dew_world_create(def->scene, &def->world, &session->world));
    DEW_TRY(dew_problem_create(def->scene, &problem_def, &session->problem));
    int solids = dew_problem_solid_count(session->problem);
    int64_t values = 1 + 3 * (int64_t)dew_scene_material_count(def->scene);
    DEW_TRY(dew_triple_buffer_init(&session->buffer, solids, values, &def->world.allocator));
    session->drags = dew_arena_array(&session->arena, dew_SolidDrag, solids + 1);
    if (!session->drags)
        return dew_no_memory((size_t)solids * sizeof(dew_SolidDrag));
    session->due_s = session->last_s = dew_wall_s();
    DEW_TRY(def->directory ? dew_session_open_run(session) : show(session, false));
    if (pthread_create(&session->thread, NULL, run_thread, session) != 0)
        return dew_fail(DEW_NO_MEMORY, "no thread could be made");
    session->has_thread = true;
    return dew_ok();
}

dew_Status dew_session_begin(const dew_SessionDef *def, dew_Session **out)
{
    *out = NULL;
    dew_Session *session = dew_alloc(&def->world.allocator, 1, sizeof *session);
    if (!session)
        return dew_no_memory(sizeof *session);
    session->def = *def;
    session->is_paused = def->begins_paused;
    session->waits = def->waits;
    session->pace = 1;
    session->seek = DEW_INVALID;
    atomic_init(&session->stops, false);
    dew_array_init(&session->queue, &def->world.allocator, sizeof(dew_EventDef));
    dew_array_init(&session->done, &def->world.allocator, sizeof(dew_EventDef));
    dew_array_init(&session->frames, &def->world.allocator, sizeof(int64_t));
    dew_arena_init(&session->arena, &def->world.allocator);
    dew_Status status = make_parts(session);
    if (status.code != DEW_OK) {
        destroy(session);
        return status;
    }
    *out = session;
    return dew_ok();
}

static bool wait_for_end(dew_Session *session, double patience_s)
{
    double until_s = dew_wall_s() + patience_s;
    session->stops = true;
    pthread_mutex_lock(&session->lock);
    pthread_cond_broadcast(&session->change);
    while (!session->is_ended && dew_wall_s() < until_s) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 5000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&session->change, &session->lock, &until);
    }
    bool is_ended = session->is_ended;
    pthread_mutex_unlock(&session->lock);
    return is_ended;
}

bool dew_session_stop(dew_Session *session, double patience_s)
{
    if (session->has_thread && !wait_for_end(session, patience_s))
        return false;
    if (session->has_thread)
        pthread_join(session->thread, NULL);
    session->has_thread = false;
    return true;
}

void dew_session_destroy(dew_Session *session)
{
    if (!session)
        return;
    DEW_ASSERT(!session->has_thread);
    destroy(session);
}
