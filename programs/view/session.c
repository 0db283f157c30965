// The thread that simulates. Everything it shares with the one that draws is behind one lock, held
// for a few assignments; instants go through the triple buffer.
#include "view/session.h"

#include "support/system.h"
#include "support/vec.h"
#include "view/session_state.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RATE_SMOOTHING 0.1  // weight of the newest frame in the frame rate that is shown

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
    double left_s = session->due_s - dew_app_wall_s();
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
    return session->waits || dew_app_wall_s() >= session->due_s;
}

double dew_session_rate(dew_Session *session)
{
    double now = dew_app_wall_s(), took = now - session->last_s;
    session->last_s = now;
    session->rate_s =
        session->rate_s > 0 ? (1 - RATE_SMOOTHING) * session->rate_s + RATE_SMOOTHING * took : took;
    return session->rate_s > 0 ? 1 / session->rate_s : 0;
}

// ---- instants ----------------------------------------------------------------------------------

void dew_session_hand_over(dew_Session *session, dew_ViewState *instant)
{
    pthread_mutex_lock(&session->lock);
    instant->serial = ++session->serial;
    session->time_s = instant->time_s;
    pthread_mutex_unlock(&session->lock);
    dew_triple_buffer_end(&session->buffer);
}

static dew_Status show(dew_Session *session, bool is_step)
{
    dew_ViewState *instant = dew_triple_buffer_begin(&session->buffer);
    dew_World *world = session->world;
    session->is_unshown = false;  // used by the thread alone
    DEW_TRY(dew_world_surface(world, instant->surface));
    for (int i = 0; i < session->solid_count; i++)
        DEW_TRY(dew_world_solid_pose(world, i, &instant->poses[i]));
    for (int i = 0; i < dew_scene_material_count(session->def.scene); i++)
        DEW_TRY(dew_world_material(world, i, &instant->materials[i]));
    dew_world_stats(world, &instant->stats);
    instant->surface_tension_N_m = dew_world_surface_tension_N_m(world);
    instant->gravity_m_s2 = dew_world_gravity_m_s2(world);
    instant->wind_m_s = dew_world_wind_m_s(world);
    instant->time_s = dew_world_time_s(world);
    instant->frame = session->frame;
    instant->cpu_s = dew_app_thread_cpu_s();
    instant->frames_per_s = is_step ? session->frames_per_s : 0;
    dew_session_hand_over(session, instant);
    return dew_ok();
}

// ---- events --------------------------------------------------------------------------------

// Applies one event now, and writes it down.
static bool do_event(dew_Session *session, const dew_EventDef *wanted)
{
    dew_EventDef event = *wanted;
    dew_Status status = dew_world_apply(session->world, &event);
    event.time_s = dew_world_time_s(session->world);
    if (status.code == DEW_OK) {
        pthread_mutex_lock(&session->lock);
        status = dew_list_push(&session->done, &event);
        pthread_mutex_unlock(&session->lock);
    }
    if (status.code != DEW_OK)
        dew_session_say(session, status.message);
    return status.code == DEW_OK;
}

static bool take_event(dew_Session *session, dew_EventDef *out)
{
    pthread_mutex_lock(&session->lock);
    bool is_there = dew_list_take_first(&session->queue, out);
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

// The displacement of each dragged solid within the next frame.
static void do_drags(dew_Session *session, double frame_s)
{
    for (int i = 0; i < session->solid_count; i++) {
        dew_Pose pose;
        pthread_mutex_lock(&session->lock);
        dew_SolidDrag drag = session->drags[i];
        pthread_mutex_unlock(&session->lock);
        if (!drag.is_wanted || dew_world_solid_pose(session->world, i, &pose).code != DEW_OK)
            continue;
        dew_Vec3 from = pose.translate_m, displacement = dew_v3_sub(drag.to_m, from);
        double length = dew_v3_length(displacement), most = drag.max_speed_m_s * frame_s;
        bool is_last = length <= most;
        dew_EventDef event = dew_default_event_def(DEW_EVENT_DRAG);
        event.solid = dew_world_solid_name(session->world, i);
        event.translate_m =
            is_last ? drag.to_m : dew_v3_add_scaled(from, most / length, displacement);
        event.over_s = frame_s;
        if (length > 0 && !do_event(session, &event))
            is_last = true;
        pthread_mutex_lock(&session->lock);
        if (is_last && dew_v3_distance(session->drags[i].to_m, drag.to_m) == 0)
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
    pthread_mutex_lock(&session->lock);
    session->done.count = session->queue.count = 0;  // their names of solids are the old world's
    session->is_failed = false;
    for (int i = 0; i < session->solid_count; i++)
        session->drags[i].is_wanted = false;
    pthread_mutex_unlock(&session->lock);
    dew_world_destroy(session->world);
    session->world = world;
    session->frame = 0;
    return show(session, false);
}

static dew_Status advance(dew_Session *session)
{
    const dew_SceneDef *def = dew_scene_def(session->def.scene);
    double end_s = dew_scene_frame_time_s(session->def.scene, session->frame + 1);
    double now_s = dew_app_wall_s();
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
    // A mesh of the whole surface takes nearly as long as a step. While frames are late, and the
    // last mesh was not looked at, none is made: the window shows one that is at most an image
    // older.
    session->is_unshown = !session->waits && !session->is_paused &&
                          session->looked_serial < session->serial &&
                          dew_app_wall_s() > session->due_s;
    bool is_unshown = session->is_unshown;
    pthread_mutex_unlock(&session->lock);
    return is_unshown ? dew_ok() : show(session, true);
}

/// A session that waits applies events together with its next frame, so that a script does the same
/// however the threads are scheduled.
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
    dew_run_reader_destroy(session->reader);
    dew_triple_buffer_deinit(&session->buffer);
    dew_list_deinit(&session->queue);
    dew_list_deinit(&session->done);
    free(session->drags);
    if (session->has_lock) {
        pthread_cond_destroy(&session->change);
        pthread_mutex_destroy(&session->lock);
    }
    free(session);
}

static dew_Status make_lock(dew_Session *session)
{
    pthread_condattr_t attributes;
    if (pthread_mutex_init(&session->lock, NULL) != 0)
        return dew_fail(DEW_NO_MEMORY, "no lock could be made");
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int code = pthread_cond_init(&session->change, &attributes);
    pthread_condattr_destroy(&attributes);
    if (code != 0) {
        pthread_mutex_destroy(&session->lock);
        return dew_fail(DEW_NO_MEMORY, "no lock could be made");
    }
    session->has_lock = true;
    return dew_ok();
}

static dew_Status make_parts(dew_Session *session)
{
    const dew_SessionDef *def = &session->def;
    DEW_TRY(make_lock(session));
    if (!def->directory) {
        DEW_TRY(dew_world_create(def->scene, &def->world, &session->world));
        session->solid_count = dew_world_solid_count(session->world);
        session->can_feed = dew_world_can_feed(session->world);
    }
    DEW_TRY(dew_triple_buffer_init(&session->buffer, session->solid_count,
                                   dew_scene_material_count(def->scene)));
    session->drags = calloc((size_t)session->solid_count + 1, sizeof *session->drags);
    if (!session->drags)
        return dew_fail(DEW_NO_MEMORY, "out of memory: the session could not be allocated");
    session->due_s = session->last_s = dew_app_wall_s();
    DEW_TRY(def->directory ? dew_session_open_run(session) : show(session, false));
    if (pthread_create(&session->thread, NULL, run_thread, session) != 0)
        return dew_fail(DEW_NO_MEMORY, "no thread could be made");
    session->has_thread = true;
    return dew_ok();
}

dew_Status dew_session_begin(const dew_SessionDef *def, dew_Session **out)
{
    *out = NULL;
    dew_Session *session = calloc(1, sizeof *session);
    if (!session)
        return dew_fail(DEW_NO_MEMORY, "out of memory: the session could not be allocated");
    session->def = *def;
    session->is_paused = def->begins_paused;
    session->waits = def->waits;
    session->pace = 1;
    session->seek = DEW_INVALID;
    atomic_init(&session->stops, false);
    dew_list_init(&session->queue, sizeof(dew_EventDef));
    dew_list_init(&session->done, sizeof(dew_EventDef));
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
    double until_s = dew_app_wall_s() + patience_s;
    session->stops = true;
    pthread_mutex_lock(&session->lock);
    pthread_cond_broadcast(&session->change);
    while (!session->is_ended && dew_app_wall_s() < until_s) {
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
    assert(!session->has_thread);
    destroy(session);
}
