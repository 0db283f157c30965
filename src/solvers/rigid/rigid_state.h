/// State of the solver `rigid`, shared by its files.
#pragma once

#include "geom/vec.h"
#include "solvers/solver.h"

/// What a ball does. Asleep: it rests, and is not asked for until something wakes it.
enum { DEW_BALL_FLYING, DEW_BALL_TOUCHING, DEW_BALL_ASLEEP, DEW_BALL_MODE_COUNT };

/// One ball, gathered from the arrays while it is worked on.
typedef struct dew_Ball {
    dew_Vec3 x, v;   // centre and its velocity
    dew_Vec3 w;      // spin, rad/s
    double r;        // radius
    double still_s;  // how long it has touched a solid and hardly moved
    uint8_t mode;
} dew_Ball;

/// Vertices and triangles of the unit ball.
#define DEW_BALL_VERTICES  162
#define DEW_BALL_TRIANGLES 320
typedef struct dew_BallShape {
    dew_Vec3 vertex[DEW_BALL_VERTICES];  // scaled so that the polyhedron has the unit ball's volume
    dew_Triangle triangle[DEW_BALL_TRIANGLES];
} dew_BallShape;

struct dew_SolverState {
    // One entry per ball, in order of birth.
    dew_Array id;        // int64_t
    dew_Array position;  // dew_Vec3
    dew_Array velocity;  // dew_Vec3
    dew_Array spin;      // dew_Vec3
    dew_Array radius;    // double
    dew_Array still;     // double
    dew_Array mode;      // uint8_t
    dew_Vec3 gravity;    // of the last step: a change wakes the sleepers

    // From the scene.
    double restitution;     // rebound speed over impact speed
    double friction;        // Coulomb
    double rolling;         // rolling resistance: deceleration over the normal acceleration
    double rest_speed_m_s;  // a slower rebound becomes a contact
    bool collide;           // with one another
    double density_kg_m3, tension_N_m;

    dew_BallShape shape;
    dew_Tasks *tasks;
    dew_Allocator allocator;
};

static inline int64_t dew_ball_count(const dew_SolverState *state)
{
    return state->id.count;
}
static inline double dew_ball_volume(double radius)
{
    return 4.0 / 3.0 * DEW_PI * radius * radius * radius;
}

/// rigid_motion.c: moves one ball through the step, with its bounces.
void dew_ball_move(const dew_Problem *problem, const dew_SolverState *state, const dew_Step *step,
                   dew_Ball *ball);
/// rigid_pairs.c: impulses between balls that touch.
dew_Status dew_balls_collide(dew_SolverState *state, dew_Step *step);
/// rigid_shape.c
dew_Status dew_ball_shape_init(dew_BallShape *shape, const dew_Allocator *allocator);
dew_Status dew_rigid_surface(const dew_Problem *problem, const dew_SolverState *state,
                             const dew_Moment *moment, dew_Surface *out);
/// rigid_measure.c
void dew_rigid_measure(const dew_Problem *problem, const dew_SolverState *state,
                       const dew_Moment *moment, dew_Measure *out);
