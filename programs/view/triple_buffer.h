/// A triple buffer of instants between the thread that makes them and the one that draws them: one is being filled, one
/// is ready, one is being read. Neither thread waits for the other, and no instant is torn.
#pragma once

#include "dew/world.h"
#include "problem/problem.h"
#include "surface/surface.h"

#include <pthread.h>

/// All that a window shows of an instant.
typedef struct dew_Instant {
    dew_Surface *surface;
    dew_SolidPose *poses;             // one per solid
    double *values;                   // the tension, then three angles per material
    dew_Vec3 gravity_m_s2, wind_m_s;  // as they act
    dew_Stats stats;                  // a run that is played back knows time and triangles only
    double time_s;
    int64_t frame;
    int64_t serial;       // counts instants
    double cpu_s;         // of the thread that makes them, since it began
    double frames_per_s;  // how fast they are made, by the wall's clock
} dew_Instant;

typedef struct dew_TripleBuffer {
    pthread_mutex_t lock;
    dew_Instant instants[3];
    int filling, ready, looked_at;
    bool is_new;  // the ready one was not looked at yet
    bool is_made;
    int solid_count;
    int64_t value_count;
    dew_Allocator allocator;
} dew_TripleBuffer;

dew_Status dew_triple_buffer_init(dew_TripleBuffer *buffer, int solid_count, int64_t value_count,
                                  const dew_Allocator *allocator);
void dew_triple_buffer_deinit(dew_TripleBuffer *buffer);

/// The maker's: fill it, then hand it over.
dew_Instant *dew_triple_buffer_begin(dew_TripleBuffer *buffer);
void dew_triple_buffer_end(dew_TripleBuffer *buffer);
/// The looker's: the latest one, valid until the next call. *is_new: not seen before.
const dew_Instant *dew_triple_buffer_look(dew_TripleBuffer *buffer, bool *is_new);

/// As solvers see it; for pictures and picks.
dew_Moment dew_instant_moment(const dew_Instant *instant);
