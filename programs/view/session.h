/// Session: a simulation in a thread of its own, or a finished run that is played back, while a
/// user watches and interacts.
///
/// It advances frame by frame (1 / frame_rate), at the pace of the wall clock or slower. What a
/// user does takes effect between frames and is recorded as an event with its time; the events can
/// be saved as a scene, which `dew run` repeats bit for bit. Calls never wait for a step.
#pragma once

#include "dew/world.h"
#include "view/triple_buffer.h"

typedef struct dew_Session dew_Session;

typedef struct dew_SessionDef {
    const dew_Scene *scene;  // must outlive the session
    const char *directory;   // of the run to play back; NULL: live
    dew_WorldDef world;
    bool begins_paused;
    bool waits;  // for each instant to be looked at: for videos and scripts
} dew_SessionDef;

/// Makes the world (or finds the frames), shows the first instant, and starts the thread.
dew_Status dew_session_begin(const dew_SessionDef *def, dew_Session **out);
/// Asks the thread to end. False: it is in the middle of a long step after patience_s; then the
/// session cannot be destroyed, and only the end of the process is left.
bool dew_session_stop(dew_Session *session, double patience_s);
void dew_session_destroy(dew_Session *session);  // once it has stopped; NULL is fine

/// The latest instant, for the one thread that looks.
const dew_ViewState *dew_session_look(dew_Session *session, bool *is_new);
/// A session that waits goes on: what was done since the look comes before its next frame.
void dew_session_go_on(dew_Session *session);

// ---- actions -----------------------------------------------------------------------------------

void dew_session_apply(dew_Session *session, const dew_EventDef *event);
/// Moves a movable solid towards a displacement, frame by frame, no faster than max_speed_m_s.
void dew_session_drag(dew_Session *session, int solid_id, dew_Vec3 translate_m,
                      double max_speed_m_s);
void dew_session_pause(dew_Session *session, bool is_paused);
bool dew_session_is_paused(dew_Session *session);
void dew_session_step(dew_Session *session, int frames);        // paused: so many on
void dew_session_set_speed(dew_Session *session, double pace);  // of the clock's
void dew_session_restart(dew_Session *session);
void dew_session_seek(dew_Session *session, int64_t index);  // of a run's frames; clamped
void dew_session_wait_for_looks(dew_Session *session, bool waits);

// ---- questions ---------------------------------------------------------------------------------

bool dew_session_is_live(const dew_Session *session);
int64_t dew_session_frame_count(const dew_Session *session);  // of a run; 0: live
bool dew_session_can_feed(const dew_Session *session);        // drops, by the solver; live only
int64_t dew_session_event_count(dew_Session *session);        // done by hand since the start
/// Has everything that was asked for been done, and been looked at?
bool dew_session_is_settled(dew_Session *session);
/// Words about the last thing that went wrong; false: nothing new.
bool dew_session_message(dew_Session *session, char *out, size_t size);
/// The scene with all that was done, up to now. The status tells what went wrong.
dew_Status dew_session_save(dew_Session *session, const char *path);
/// Once it has stopped: hash of the state (0: it was played back).
uint64_t dew_session_hash(const dew_Session *session);
