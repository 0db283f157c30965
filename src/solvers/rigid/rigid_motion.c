// One ball through one step: flight, impact, rolling, rest.
//
// Flight under constant gravity is exact. Where it ends below a solid's surface the time of impact is
// found on the solids' distance field (regula falsi, Illinois variant [Dowell1971]), the ball is put
// there, and the rest of the step goes on from the rebound; so the result does not hang on the step.
// Restitution acts on the normal speed, Coulomb friction on the slip of the touching point, for a
// solid sphere of inertia 2/5 m r^2. A rebound slower than rest_speed becomes a contact: the ball
// then slides and rolls in the tangent plane, by the trapezoidal rule, which keeps energy exactly
// under constant force. Every other stage only takes energy out.
//
// Limits: a solid's motion within a step is taken as constant velocity; a ball that grazes a solid
// between the two ends of a step is not seen (a step moves it by half its radius at most).
#include "solvers/rigid/rigid_state.h"

#define MAX_EVENTS      32     // impacts of one ball in one step, before it is laid down
#define GAP_TOLERANCE   1e-10  // of the radius: what counts as touching
#define STILL_TO_SLEEP  0.1    // seconds below STILL_SPEED
#define STILL_SPEED     0.1    // of rest_speed
#define CORNER_COSINE   0.9    // normals further apart are another face, met by impact
#define ROOT_ITERATIONS 60

typedef struct Motion {
    const dew_Problem *problem;
    const dew_SolverState *state;
    const dew_Moment *moment;  // at the end of the step
    dew_Vec3 g;
    bool touched;
} Motion;

/// The nearest solid to a ball at x, `left_s` before the end of the step; the gap in *gap.
static dew_SolidPoint look(const Motion *m, dew_Vec3 x, double r, double left_s, double *gap)
{
    // A step moves a ball by half a radius at most, and a solid by no more than the ball.
    double reach = 4 * r;
    dew_SolidPoint p = dew_problem_nearest(m->problem, m->moment, x, reach);
    if (left_s > 0 && dew_length2(p.velocity_m_s) > 0)
        p = dew_problem_nearest(m->problem, m->moment, dew_add_scaled(x, left_s, p.velocity_m_s),
                                reach);
    *gap = p.distance_m - r;
    return p;
}

static dew_Vec3 flight(const Motion *m, const dew_Ball *ball, double t)
{
    return dew_add_scaled(dew_add_scaled(ball->x, t, ball->v), 0.5 * t * t, m->g);
}

/// Time in (0, left] at which the flight meets a solid, given that it ends inside one.
static double impact_time(const Motion *m, const dew_Ball *ball, double left, double end_gap,
                          dew_Vec3 n)
{
    double tolerance = GAP_TOLERANCE * ball->r;
    double a = 0, b = left, fa, fb = end_gap;
    // After a rebound the gap is zero at the start as well: begin at the top of the hop.
    double rise = dew_inner(ball->v, n), fall = -dew_inner(m->g, n);
    if (rise > 0 && fall > 0 && rise / fall < left)
        a = rise / fall;
    look(m, flight(m, ball, a), ball->r, left - a, &fa);
    if (fa <= 0)
        return a;
    for (int i = 0; i < ROOT_ITERATIONS; i++) {
        double s = a + (b - a) * (fa / (fa - fb)), fs;
        if (!(s > a && s < b))
            s = 0.5 * (a + b);
        look(m, flight(m, ball, s), ball->r, left - s, &fs);
        if (fabs(fs) <= tolerance)
            return s;
        if (fs > 0) {
            a = s, fa = fs;
            fb *= 0.5;
        } else {
            b = s, fb = fs;
            fa *= 0.5;
        }
    }
    return a;
}

/// Velocity of the ball's touching point against the solid, along the solid.
static dew_Vec3 slip_of(const dew_Ball *ball, dew_Vec3 u, dew_Vec3 n)
{
    dew_Vec3 tangential = dew_add_scaled(u, -dew_inner(u, n), n);
    return dew_add(tangential, dew_cross(ball->w, dew_scale(-ball->r, n)));
}

/// Friction impulse (per mass) that stops the slip, or as much of it as the bound allows. A solid
/// sphere's touching point is 7/2 times as easy to push as its centre.
static void apply_friction(const Motion *m, dew_Ball *ball, dew_Vec3 u, dew_Vec3 n,
                           double normal_impulse)
{
    dew_Vec3 j = dew_scale(-2.0 / 7.0, slip_of(ball, u, n));
    double length = dew_length(j), bound = m->state->friction * normal_impulse;
    if (length > bound)
        j = dew_scale(bound / length, j);
    ball->v = dew_add(ball->v, j);
    ball->w = dew_add_scaled(ball->w, -2.5 / ball->r, dew_cross(n, j));
}

/// Rebound, or contact when it would be slower than rest_speed.
static void hit(Motion *m, dew_Ball *ball, const dew_SolidPoint *p, double rest_speed)
{
    m->touched = true;
    dew_Vec3 u = dew_sub(ball->v, p->velocity_m_s);
    double un = dew_inner(u, p->normal);
    if (un > 0)
        return;
    double rebound = -m->state->restitution * un;
    bool is_pressed = dew_inner(m->g, p->normal) < 0;
    if (is_pressed && rebound < rest_speed) {
        rebound = 0;
        ball->mode = DEW_BALL_TOUCHING;
    }
    ball->v = dew_add_scaled(ball->v, rebound - un, p->normal);
    apply_friction(m, ball, u, p->normal, rebound - un);
}

/// Flies until the time is up or a solid is met; returns the time used.
static double fly(Motion *m, dew_Ball *ball, double left)
{
    double gap;
    dew_Vec3 end = flight(m, ball, left);
    dew_SolidPoint p = look(m, end, ball->r, 0, &gap);
    double used = left;
    if (gap < -GAP_TOLERANCE * ball->r)
        used = impact_time(m, ball, left, gap, p.normal);
    ball->x = flight(m, ball, used);
    ball->v = dew_add_scaled(ball->v, used, m->g);
    p = look(m, ball->x, ball->r, left - used, &gap);
    if (gap > GAP_TOLERANCE * ball->r)
        return used;
    if (gap < 0)
        ball->x = dew_add_scaled(ball->x, -gap, p.normal);
    hit(m, ball, &p, m->state->rest_speed_m_s);
    return used;
}

/// Slows the rolling by the solid's resistance; true when that stopped it.
static bool roll_resistance(const Motion *m, dew_Ball *ball, dew_Vec3 V, double N, double dt)
{
    dew_Vec3 u = dew_sub(ball->v, V);
    double speed = dew_length(u), loss = m->state->rolling * N * dt;
    double keep = speed > loss ? 1 - loss / speed : 0;
    ball->v = dew_add_scaled(V, keep, u);
    ball->w = dew_scale(keep, ball->w);
    return keep == 0;
}

/// Puts the ball back on a surface that curved away from under it or towards it: turns its velocity
/// into the tangent plane, and takes what the height costs or brings from the motion.
static void follow(const Motion *m, dew_Ball *ball, const dew_SolidPoint *p, double gap)
{
    dew_Vec3 shift = dew_scale(-gap, p->normal);
    dew_Vec3 u = dew_sub(ball->v, p->velocity_m_s);
    double speed = dew_length(u);
    dew_Vec3 along = dew_normalize(dew_add_scaled(u, -dew_inner(u, p->normal), p->normal));
    double energy = 0.5 * speed * speed + 0.2 * ball->r * ball->r * dew_length2(ball->w);
    double gain = dew_inner(m->g, shift);
    double factor = energy > 0 ? sqrt(fmax(0, 1 + gain / energy)) : 0;
    ball->x = dew_add(ball->x, shift);
    ball->v = dew_add_scaled(p->velocity_m_s, factor * speed, along);
    ball->w = dew_scale(factor, ball->w);
}

static void fall_asleep(dew_Ball *ball)
{
    ball->mode = DEW_BALL_ASLEEP;
    ball->v = ball->w = dew_vec(0, 0, 0);
    ball->still_s = 0;
}

/// Slides and rolls on the solid below. Returns the time used: 0 when there is nothing to roll on.
static double roll(Motion *m, dew_Ball *ball, double left)
{
    double gap;
    dew_SolidPoint p = look(m, ball->x, ball->r, left, &gap);
    dew_Vec3 n = p.normal, V = p.velocity_m_s;
    double N = -dew_inner(m->g, n);  // normal force per mass
    double tolerance = GAP_TOLERANCE * ball->r, sag = 0.5 * N * left * left;
    dew_Vec3 u = dew_sub(ball->v, V);
    double un = dew_inner(u, n);
    if (!(N > 0) || gap > sag + tolerance || un > m->state->rest_speed_m_s) {
        ball->mode = DEW_BALL_FLYING;
        return 0;
    }
    m->touched = true;
    dew_Vec3 before = dew_add_scaled(u, -un, n);
    ball->v = dew_add(dew_add(V, before), dew_scale(left, dew_add_scaled(m->g, N, n)));
    apply_friction(m, ball, dew_sub(ball->v, V), n, N * left);
    bool stopped = roll_resistance(m, ball, V, N, left);
    dew_Vec3 after = dew_sub(ball->v, V);
    ball->x = dew_add(ball->x,
                      dew_add(dew_scale(left, V), dew_scale(0.5 * left, dew_add(before, after))));
    p = look(m, ball->x, ball->r, 0, &gap);
    if (gap > sag + tolerance) {  // the surface fell away faster than the ball does
        ball->mode = DEW_BALL_FLYING;
        ball->x = dew_add_scaled(ball->x, -sag, n);
        ball->v = dew_add_scaled(ball->v, -N * left, n);
    } else if (dew_inner(n, p.normal) < CORNER_COSINE) {
        ball->x = dew_add_scaled(ball->x, -gap, p.normal);
        ball->mode = DEW_BALL_FLYING;
        // What gravity gave within this step is no impact: in a groove it would shake for ever.
        hit(m, ball, &p, fmax(m->state->rest_speed_m_s, dew_length(m->g) * left));
    } else {
        follow(m, ball, &p, gap);
        if (stopped && dew_length2(V) <= 0)
            fall_asleep(ball);
    }
    return left;
}

void dew_ball_move(const dew_Problem *problem, const dew_SolverState *state, const dew_Step *step,
                   dew_Ball *ball)
{
    Motion m = {problem, state, step->moment, step->moment->gravity_m_s2, false};
    dew_Vec3 start = ball->x;
    double left = step->dt_s;
    for (int i = 0; i < MAX_EVENTS && left > 0; i++)
        left -= ball->mode == DEW_BALL_TOUCHING ? roll(&m, ball, left) : fly(&m, ball, left);
    if (ball->mode == DEW_BALL_ASLEEP)
        return;
    // A ball that keeps touching and goes nowhere (in a groove, say) has come to rest too.
    double limit = STILL_SPEED * state->rest_speed_m_s * step->dt_s;
    bool is_still = m.touched && dew_distance(ball->x, start) <= limit;
    ball->still_s = is_still ? ball->still_s + step->dt_s : 0;
    if (ball->still_s > STILL_TO_SLEEP)
        fall_asleep(ball);
}
