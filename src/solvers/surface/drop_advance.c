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

// Parameters of the sub-steps. Where no other source is named: docs/theory/surface.md#sub-steps.
#define THETA_LIVELY      0.502  // implicitness, 1/2 but for a hair of damping at the mesh's scale
#define MAX_PERIODS       8.0    // in a step of the world: more oscillations are not resolved
#define REST_PERIODS      2.0    // without deformation, after which a drop is at rest
#define REST_SPEED_RATIO  1e-3   // of the capillary speed: slower deformation counts as rest
#define SLEEP_SPEED_RATIO 1e-4   // of the capillary speed: a faster drop does not sleep
#define SLEEP_FORCE       1e-3   // of sigma, on the contact line: 0.06 degrees at 90
#define SLEEP_S           0.25   // time at rest before sleep
#define MAX_ADVANCE       0.3    // of the radius, between two searches of the solids
#define MAX_DEPTH         0.4    // edges, likewise: a vertex may not pass a thin solid
#define REMESH_WAY        0.3    // edges: displacement after which a drop is remeshed
#define QUIET_WAY         0.1    // edges: with less, remeshing disturbs more than it helps
#define FILM_AREA         1.0    // edge^2 of triangles on a solid that face the air
#define LARGE_AREA        1.3    // of the sphere's area
#define MAX_SUBSTEPS      1000   // in a step of the world
#define MAX_HALVINGS      8      // of a sub-step that fails

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

/// Lamb's decay of the slowest oscillation is faster than the oscillation itself: the drop creeps.
static bool is_overdamped(const dew_DropWork *work)
{
    double nu = work->params->mu_Pa_s / work->params->rho_kg_m3, r = dew_drop_radius_m(work);
    return 5 * nu / (r * r) > 2 * DEW_PI / dew_drop_period_s(work);
}

static bool is_lively(const dew_DropWork *work)
{
    double period = dew_drop_period_s(work);
    return work->params->steps_per_period > 0 && !work->params->paper.is_on &&
           !is_overdamped(work) && period * MAX_PERIODS > work->world_step_s &&
           work->values.at_rest_s < REST_PERIODS * period;
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
    if (work->params->paper.is_on)
        limit = fmin(limit, dew_drop_paper_limit_s(work, m->touches));
    return limit;
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

/// Is the contact line pinned, or within SLEEP_FORCE of the balance at its own angle? A viscous
/// drop that spreads is slow, but not balanced.
static bool is_balanced(const dew_DropWork *work)
{
    double sigma = work->params->sigma_N_m;
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        if (!t->is_line || t->line_state == DEW_LINE_PINNED)
            continue;
        double u = dew_inner(dew_sub(work->v[t->vertex], t->velocity), t->outward);
        double pull = t->young_N_m - t->drag_Pa_s * u;
        if (fabs(pull - sigma * cos(t->target_rad)) > SLEEP_FORCE * sigma)
            return false;
    }
    return true;
}

static void update_rest(dew_DropWork *work, const Motion *m, double dt_s)
{
    // Speed of deformation by tension: against inertia, or against viscosity where that is slower.
    double scale = dew_drop_capillary_speed_m_s(work);
    if (work->params->mu_Pa_s > 0)
        scale = fmin(scale, work->params->sigma_N_m / work->params->mu_Pa_s);
    if (m->deforming > REST_SPEED_RATIO * scale)
        work->values.at_rest_s = 0;
    else
        work->values.at_rest_s += dt_s;
    work->values.parted_s += dt_s;
    double now = work->instant.time_s, flow = dew_drop_nozzle_speed_m_s(work, now - dt_s, now);
    bool may_sleep =
        work->params->may_sleep && m->touches && !(flow > 0) &&
        work->values.at_rest_s > fmax(SLEEP_S, 2 * REST_PERIODS * dew_drop_period_s(work)) &&
        m->fastest < SLEEP_SPEED_RATIO * scale && is_balanced(work);
    if (may_sleep) {
        work->flags.is_asleep = 1;
        work->values.velocity_m_s = dew_vec(0, 0, 0);
        for (int64_t i = 0; i < work->n; i++)
            work->v[i] = dew_vec(0, 0, 0);
    }
}

/// A sub-step that fails has moved nothing yet: it is tried again, half as long. Not at a nozzle,
/// where what flows in during the step is there already.
static dew_Status substep_or_halve(dew_DropWork *work, const dew_Step *step, double begin_s,
                                   double theta, double *dt_s)
{
    double pressure = work->values.pressure_Pa;
    for (int halvings = 0;; halvings++) {
        double solid_way = set_instant(work, step, begin_s + *dt_s, *dt_s);
        if (work->params->paper.is_on)
            return dew_drop_paper_substep(work, *dt_s, solid_way);
        dew_Status status = dew_drop_substep(work, *dt_s, theta, solid_way);
        if (status.code != DEW_DIVERGED || work->counts.inflow != DEW_INVALID ||
            halvings == MAX_HALVINGS)
            return status;
        work->values.pressure_Pa = pressure;
        work->retries++;
        *dt_s *= 0.5;
    }
}

static dew_Status advance_once(dew_DropGroup *group, const dew_Step *step)
{
    dew_DropWork *work = &group->space->work;
    if (!work->is_connected)
        DEW_TRY(dew_drop_connect(work));
    dew_stage_end(work->clock, DEW_STAGE_CONNECT);
    Motion m = look_at_motion(work);
    double left = work->values.lag_s, begin = step->instant->time_s - left;
    double limit = fmin(step_limit(work, &m), dew_drop_nozzle_limit_s(work, begin, begin + left));
    limit = fmax(fmin(limit, step->dt_s),
                 step->dt_s / MAX_SUBSTEPS);  // of what is that small, nobody sees how it moves
    double dt = left > limit ? left / ceil(left / limit) : left;
    double theta = is_lively(work) ? THETA_LIVELY : 1;
    group->added_m3 += dew_drop_flow_in(work, begin, begin + dt);
    DEW_TRY(substep_or_halve(work, step, begin, theta, &dt));
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
    bool has_film = work->film_area_m2 > FILM_AREA * work->edge_m * work->edge_m;
    bool is_large = work->free_area_m2 > LARGE_AREA * sphere && values->at_rest_s == 0;
    bool is_suspect = has_film || (is_large && work->free_area_m2 > 1.02 * values->area_m2);
    dew_drop_count_success(&work->counts, is_suspect);
    values->area_m2 = work->free_area_m2;
}

dew_Status dew_drop_advance(dew_DropGroup *group, const dew_Step *step)
{
    dew_DropWork *work = &group->space->work;
    work->world_step_s = step->dt_s;
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
