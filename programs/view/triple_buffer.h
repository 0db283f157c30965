/// A triple buffer of instants between the thread that makes them and the one that draws them: one
/// is being filled, one is ready, one is being read. Neither thread waits for the other, and no
/// instant is torn.
#pragma once

#include "dew/render.h"
#include "dew/world.h"

#include <pthread.h>

/// All that a window shows of an instant.
typedef struct dew_ViewState {
    dew_Surface *surface;
    dew_Pose *poses;             // one per solid; a run that is played back has none: the scene's
    dew_MaterialDef *materials;  // of the scene, with the angles that act now
    double surface_tension_N_m;
    dew_Vec3 gravity_m_s2, wind_m_s;
    dew_Stats stats;  // a run that is played back knows time and triangles only
    double time_s;
    int64_t frame;
    int64_t serial;       // counts instants
    double cpu_s;         // of the thread that makes them, since it began
    double frames_per_s;  // how fast they are made, by the wall clock
} dew_ViewState;

typedef struct dew_TripleBuffer {
    pthread_mutex_t lock;
    dew_ViewState instants[3];
    int filling, ready, looked_at;
    bool is_new;  // the ready one was not looked at yet
    bool is_made;
} dew_TripleBuffer;

dew_Status dew_triple_buffer_init(dew_TripleBuffer *buffer, int solid_count, int material_count);
void dew_triple_buffer_deinit(dew_TripleBuffer *buffer);

/// For the thread that makes instants: fill it, then hand it over.
dew_ViewState *dew_triple_buffer_begin(dew_TripleBuffer *buffer);
void dew_triple_buffer_end(dew_TripleBuffer *buffer);
/// For the thread that draws: the latest one, valid until the next call. *is_new: not seen before.
const dew_ViewState *dew_triple_buffer_look(dew_TripleBuffer *buffer, bool *is_new);

/// As a renderer takes it.
dew_RenderFrame dew_view_state_frame(const dew_ViewState *instant);
