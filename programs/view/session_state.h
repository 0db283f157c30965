/// Session from the inside.
#pragma once

#include "dew/run.h"
#include "support/list.h"
#include "view/session.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct dew_SolidDrag {
    bool is_wanted;
    dew_Vec3 to_m;
    double max_speed_m_s;
} dew_SolidDrag;

struct dew_Session {
    dew_SessionDef def;
    dew_World *world;       // live; used by the thread alone once it runs
    dew_RunReader *reader;  // playback; the same
    int solid_count;        // live
    bool can_feed;
    dew_TripleBuffer buffer;
    pthread_t thread;
    bool has_thread, has_lock;
    atomic_bool stops;  // also looked at between sub-steps

    pthread_mutex_t lock;  // all below
    pthread_cond_t change;
    bool is_paused, waits, is_ended, is_failed;
    bool restarts;
    bool is_at_work;  // the thread is doing something
    int steps;        // to be done while paused
    double pace;
    int64_t seek;           // DEW_INVALID: nowhere
    int64_t last_serial;    // of the last instant that was handed over
    int64_t looked_serial;  // of the last instant that was looked at
    dew_List queue;         // dew_EventDef: to be applied
    dew_List done;          // dew_EventDef: applied by hand, with their times
    dew_SolidDrag *drags;   // per solid
    double time_s;          // of the last instant
    char message[256];
    bool has_message;

    // Used by the thread alone:
    int64_t serial, frame;
    bool is_unshown;  // the last step has no instant
    double frames_per_s;
    double due_s;   // wall clock: when the next frame is wanted
    double rate_s;  // smoothed seconds per frame
    double last_s;
    uint64_t hash;
};

/// Body of the thread that plays a run.
void dew_session_play(dew_Session *session);
/// The first frame of a run, before the thread is there.
dew_Status dew_session_open_run(dew_Session *session);

/// Hands a finished state to the thread that draws. Called without the lock.
void dew_session_hand_over(dew_Session *session, dew_ViewState *instant);
/// Waits until the next frame is due, or something happened. Called and left with the lock held.
void dew_session_wait(dew_Session *session);
/// Words for who looks.
void dew_session_say(dew_Session *session, const char *words);
/// How fast frames come; called when one is made.
double dew_session_rate(dew_Session *session);
