// A drop through one step of the world: as many steps of its own as it needs.
//
// A drop that moves relative to itself takes steps_per_period steps per period of its slowest
// oscillation, at theta = 1/2; one that has been at rest for two periods, or any if periods are not
// to be resolved, takes the whole step at theta = 1. In either case no vertex moves by much more
// than its way to the next solid, or a part of the drop's radius, before solids are looked for
// again.
#include "base/status.h"
#include "solvers/surface/drop_nozzle.h"
#include "solvers/surface/surface_state.h"

#define THETA_LIVELY 0.502  // a hair of damping for what the mesh cannot show
#define MAX_PERIODS  8.0    // in a step of the world: of more, nobody would see how they go
#define REST_PERIODS 2.0
#define DISTURBED_PERIODS                                                                          \
    40.0                       // after this a drop on a solid counts as at rest, whatever shakes it
#define REST_SPEED_RATIO 1e-3  // of the capillary speed: slower deformation counts as rest
#define SLEEP_SPEED      1e-4
#define SLEEP_S          0.25
#define MAX_ADVANCE      0.3  // of the radius, between two looks at the solids
#define MAX_DEPTH        0.6  // edges
#define REMESH_WAY       0.3  // edges
// edges: remeshing disturbs a drop that has hardly moved more than it helps
#define QUIET_WAY 0.1
#define FILM      1.0  // edge^2
#define LARGE     1.3  // of the sphere's area
#define MAX_STEPS 1000
// sub-steps that fast motion on a solid may take, and as many braked ones
#define BUDGET            40.0
#define LEAST_BUDGET      2.0    // of a drop that shakes for ever
#define BACKOFF_HALVES    5.0    // back-off, in steps over budget, that halves the budget
#define BACKOFF_DECAY     0.9    // per step within budget
#define MANY              500.0  // vertices for which a step over budget counts twice
#define SHORTER           0.25   // a sub-step that has failed, when it is tried again
#define MAX_SHORTER       4
#define MAX_RETRY_BACKOFF 10.0  // above this back-off a failed sub-step is not tried again shorter
#define SHORTEST          1e-3  // `shortened` at which shorter sub-steps are given up

typedef struct Motion {
    dew_Vec3 mean;              // m/s
    double fastest, deforming;  // of any vertex, and relative to the mean
    double clearance_m;
    bool touches;
} Motion;

static Motion look_at_motion(const dew_DropWork *work)
{
    dew_Vec3 mean = {0, 0, 0};
    for (int64_t i = 0; i < work->n; i++)
        mean = dew_add(mean, work->v[i]);
    mean = dew_scale(1 / (double)work->n, mean);
    Motion m = {.mean = mean, .clearance_m = (double)INFINITY};
    for (int64_t i = 0; i < work->n; i++) {
        m.fastest = fmax(m.fastest, dew_length2(work->v[i]));
        m.deforming = fmax(m.deforming, dew_length2(dew_sub(work->v[i], mean)));
        m.touches = m.touches || (work->label[i] & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE));
        m.clearance_m = fmin(m.clearance_m, work->clearance[i]);
    }
    m.fastest = sqrt(m.fastest);
    m.deforming = sqrt(m.deforming);
    return m;
}

static bool is_lively(const dew_DropWork *work)
{
    double period = dew_drop_period_s(work);
    return work->params->steps_per_period > 0 && period * MAX_PERIODS > work->world_step_s &&
           work->values.at_rest_s < REST_PERIODS * period &&
           work->values.undisturbed_s < DISTURBED_PERIODS * period;
}

/// How far a vertex may go between two looks at the solids: no deeper into one than half an edge,
/// thin ones would be passed.
static double way_of(const dew_DropWork *work)
{
    return fmin(MAX_ADVANCE * dew_drop_radius_m(work), MAX_DEPTH * work->edge_m);
}

static double step_limit(const dew_DropWork *work, const Motion *m)
{
    double limit = (double)INFINITY;
    if (is_lively(work))
        limit = dew_drop_period_s(work) / work->params->steps_per_period;
    double way = way_of(work) + (m->touches ? 0 : fmax(m->clearance_m, 0));
    double speed = m->touches ? m->deforming : m->fastest;
    if (speed > 0)
        limit = fmin(limit, way / speed);
    return limit;
}

/// Makes the deformation slower, as a whole, so that the volume stays.
static void slow_down(dew_DropWork *work, Motion *m, double most)
{
    if (!(m->deforming > most))
        return;
    double share = most / m->deforming;
    for (int64_t i = 0; i < work->n; i++)
        work->v[i] = dew_combine(share, work->v[i], 1 - share, m->mean);
    dew_Vec3 *u = &work->values.velocity_m_s;
    *u = dew_combine(share, *u, 1 - share, m->mean);
    m->deforming = most;
}

/// A film that runs along a crease or round an edge, or shakes there, goes over many edges in a
/// step of the world: what nobody sees is not worth its sub-steps. Beyond its budget, and what its
/// oscillation asks for, a drop on a solid deforms so slowly that as many again suffice. One that
/// does so in step after step has a smaller one.
static double budget_of(const dew_DropWork *work)
{
    double budget = fmax(BUDGET / (1 + work->values.backoff / BACKOFF_HALVES), LEAST_BUDGET);
    if (is_lively(work))
        budget += work->world_step_s * work->params->steps_per_period / dew_drop_period_s(work);
    return budget;
}

static void keep_to_budget(dew_DropWork *work, Motion *m)
{
    double budget = budget_of(work);
    work->most_speed_m_s = (double)INFINITY;
    if (!m->touches || work->counts.inflow != DEW_INVALID || (double)work->substeps < budget)
        return;
    work->most_speed_m_s = work->backoff_factor * way_of(work) * budget / work->world_step_s;
    slow_down(work, m, work->most_speed_m_s);
}

/// Poses of the solids at a time within the step; returns how far any of them went since the last
/// ones.
static double set_instant(dew_DropWork *work, const dew_Step *step, double time_s, double dt_s)
{
    const dew_Instant *a = step->instant_old, *b = step->instant;
    work->instant = *b;
    double share = step->dt_s > 0 ? (time_s - a->time_s) / step->dt_s : 1, way = 0;
    dew_SolidPose *poses = DEW_ITEMS(&work->poses, dew_SolidPose);
    for (int64_t i = 0; i < work->poses.count; i++) {
        poses[i] = b->poses[i];
        poses[i].translate_m =
            dew_combine(1 - share, a->poses[i].translate_m, share, b->poses[i].translate_m);
        dew_Rotation p = a->poses[i].rotation, q = b->poses[i].rotation;
        double s = p.w * q.w + dew_inner(p.v, q.v) < 0 ? -share : share;
        dew_Rotation r = {(1 - share) * p.w + s * q.w, dew_combine(1 - share, p.v, s, q.v)};
        double length = sqrt(r.w * r.w + dew_length2(r.v));
        poses[i].rotation = (dew_Rotation){r.w / length, dew_scale(1 / length, r.v)};
        dew_Vec3 arm = dew_sub(work->x[0], poses[i].translate_m);
        double spin = dew_length(poses[i].angular_velocity_rad_s);
        double speed = dew_length(poses[i].velocity_m_s) + (spin > 0 ? spin * dew_length(arm) : 0);
        way = fmax(way, 2 * speed * dt_s);
    }
    work->instant.poses = poses;
    work->instant.time_s = time_s;
    return way;
}

static void update_rest(dew_DropWork *work, const Motion *m, double dt_s)
{
    double scale = dew_drop_capillary_speed_m_s(work);
    if (m->deforming > REST_SPEED_RATIO * scale)
        work->values.at_rest_s = 0;
    else
        work->values.at_rest_s += dt_s;
    work->values.parted_s += dt_s;
    work->values.undisturbed_s = m->touches ? work->values.undisturbed_s + dt_s : 0;
    double now = work->instant.time_s, flow = dew_drop_nozzle_speed_m_s(work, now - dt_s, now);
    bool may_sleep =
        work->params->may_sleep && m->touches && !(flow > 0) &&
        work->values.at_rest_s > fmax(SLEEP_S, 2 * REST_PERIODS * dew_drop_period_s(work)) &&
        m->fastest < SLEEP_SPEED * scale;
    if (may_sleep) {
        work->flags.is_asleep = 1;
        for (int64_t i = 0; i < work->n; i++)
            work->v[i] = dew_vec(0, 0, 0);
    }
}

/// Takes the drop's deformation away, and keeps that of the sub-step so small that it cannot fail.
static void still(dew_DropWork *work, double dt_s)
{
    dew_Vec3 u = work->values.velocity_m_s;
    if (!work->flags.has_velocity || !dew_drop_is_in_air(work))
        u = dew_drop_vertex_motion(work->v, work->n).mean;
    for (int64_t i = 0; i < work->n; i++)
        work->v[i] = u;
    work->values.velocity_m_s = u;
    work->most_speed_m_s = 0.5 * way_of(work) / dt_s;
    work->shortened = 1;
}

/// A sub-step that fails has moved nothing yet: it is tried again, shorter, and those that follow
/// grow back. Where nothing helps, the drop loses its deformation, and the sub-step is as long as
/// it was: motion that is not resolved may be damped, but costs no more. Not at a nozzle, where
/// what flows in during the step is there already.
static dew_Status substep_with_care(dew_DropWork *work, const dew_Step *step, double begin_s,
                                    double theta, double *dt_s)
{
    double pressure = work->values.pressure_Pa, whole_s = *dt_s;
    bool may_still = theta == 1 || work->backoff_factor < 1;
    int tries = may_still && work->values.backoff > MAX_RETRY_BACKOFF ? 0 : MAX_SHORTER;
    for (int shorter = 0;; shorter++) {
        double solid_way = set_instant(work, step, begin_s + *dt_s, *dt_s);
        dew_Status status = dew_drop_substep(work, *dt_s, theta, solid_way);
        if (status.code == DEW_OK && shorter == 0)
            work->shortened = fmin(1, 2 * work->shortened);
        if (status.code != DEW_DIVERGED || work->counts.inflow != DEW_INVALID || shorter > tries)
            return status;
        work->values.pressure_Pa = pressure;
        bool is_hopeless = shorter == tries || work->shortened < SHORTEST;
        if (is_hopeless && !may_still)
            return status;
        if (is_hopeless) {
            shorter = tries;
            *dt_s = whole_s;
            still(work, whole_s);
        } else {
            work->shortened *= SHORTER;
            *dt_s *= SHORTER;
        }
    }
}

static dew_Status advance_once(dew_DropGroup *group, const dew_Step *step)
{
    dew_DropWork *work = &group->space->work;
    if (!work->is_connected)
        DEW_TRY(dew_drop_connect(work));
    dew_stage_end(work->clock, DEW_STAGE_CONNECT);
    Motion m = look_at_motion(work);
    keep_to_budget(work, &m);
    double left = work->values.lag_s, begin = step->instant->time_s - left;
    double limit = fmin(step_limit(work, &m), dew_drop_nozzle_limit_s(work, begin, begin + left));
    limit = work->backoff_factor * work->shortened *
            fmax(fmin(limit, step->dt_s),
                 step->dt_s / MAX_STEPS);  // of what is that small, nobody sees how it moves
    double dt = left > limit ? left / ceil(left / limit) : left;
    double theta = is_lively(work) ? THETA_LIVELY : 1;
    group->added_m3 += dew_drop_flow_in(work, begin, begin + dt);
    DEW_TRY(substep_with_care(work, step, begin, theta, &dt));
    work->substeps++;
    work->values.lag_s = dt < left ? left - dt : 0;
    m = look_at_motion(work);
    work->values.moved_m += dt * (m.deforming + dew_drop_nozzle_speed_m_s(work, begin, begin + dt));
    update_rest(work, &m, dt);
    if (work->values.moved_m > REMESH_WAY * work->edge_m && work->values.lag_s > 0)
        return dew_drop_resample(work, &group->space->pending);
    return dew_ok();
}

/// Counters after a step that succeeded. Signs that the mesh may run into itself: a film on a
/// solid, or more area than the drop's shape can well have.
static void update_counters(dew_DropWork *work)
{
    dew_DropValues *values = &work->values;
    double r = dew_drop_radius_m(work), sphere = 4 * DEW_PI * r * r;
    bool is_over = (double)work->substeps > budget_of(work);
    double more = 1 + (double)work->n / MANY;
    values->backoff = is_over ? values->backoff + more : BACKOFF_DECAY * values->backoff;
    bool has_film = work->film_area_m2 > FILM * work->edge_m * work->edge_m;
    bool is_large = work->free_area_m2 > LARGE * sphere && values->at_rest_s == 0;
    bool is_suspect = has_film || (is_large && work->free_area_m2 > 1.02 * values->area_m2);
    dew_drop_count_success(&work->counts, is_suspect);
    values->area_m2 = work->free_area_m2;
}

dew_Status dew_drop_advance(dew_DropGroup *group, const dew_Step *step)
{
    dew_DropWork *work = &group->space->work;
    work->world_step_s = step->dt_s;
    work->substeps = 0;
    if (!work->is_connected)
        DEW_TRY(dew_drop_connect(work));
    bool is_late = work->values.lag_s > 0;  // else it came off at the very end of the step
    while (work->values.lag_s > 0)
        DEW_TRY(advance_once(group, step));
    if (is_late)
        update_counters(work);
    dew_stage_end(work->clock, DEW_STAGE_VOLUME);
    if (work->values.moved_m > QUIET_WAY * work->edge_m)
        DEW_TRY(dew_drop_resample(work, &group->space->pending));
    dew_stage_end(work->clock, DEW_STAGE_REMESH);
    dew_drop_correct_volume(work);
    DEW_TRY(dew_drop_check(work));
    dew_stage_end(work->clock, DEW_STAGE_VOLUME);
    dew_DropView view = dew_drop_work_view(work);
    return dew_drop_store_append(&group->out, &view);
}
