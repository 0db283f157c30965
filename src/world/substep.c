// One sub-step: its length, births, the step of the solver, the checks, and the return to the state
// before.
//
// Length. Steps end at each time at which something begins, ends or happens: the caller's time, an
// event of the scene, a source's start and stop, a keyframe, the end of a drag, a birth. Where the
// solver's limit is shorter, the time up to the next of these times is divided into equal steps, so
// that no very short step is left. Births that lie closer to the beginning of a
// step than 1/64 of it are poured at once, those that lie as close to its end at the beginning of
// the next.
//
// Events. Those of the scene that are due are applied before the step, once, outside of any retry.
//
// Time. Steps end at times that are assigned, never at sums of steps: the last one ends at the
// caller's time to the bit. So frames do not drift, however many steps there were. Times that agree
// within rounding are one (problem/timing.h): of these the caller's wins, then the earliest.
//
// Retry. Fields and clock are copied before anything happens. When a step diverges (the solver
// reports it, or a check finds it), they are restored and the step is repeated with half its
// length, several times. Births belong to the step of the first attempt, so each is poured once.
// docs/decisions/retry.md
#include "base/status.h"
#include "problem/timing.h"
#include "world/world_state.h"

#include <math.h>
#include <stdio.h>

#define MAX_STEPS    1e10  // to one time: more would take days, and no scene means that
#define BIRTH_WINDOW 64    // births within this part of the step are poured at its beginning

static void say(const dew_World *world, dew_LogLevel level, const char *message)
{
    dew_log_line(&world->def.log, level, message);
}

// ---- instants ----------------------------------------------------------------------------------

static dew_Instant instant_at(const dew_World *world, double time_s, const dew_SolidPose *poses)
{
    return (dew_Instant){time_s, world->clock.gravity_m_s2, world->clock.wind_m_s, poses};
}

dew_Instant dew_world_instant(dew_World *world)
{
    double now = world->clock.time_s;
    dew_world_poses(world, now, now, now, world->poses);
    return instant_at(world, now, world->poses);
}

// ---- births ------------------------------------------------------------------------------------

/// The time of the first birth in [begin, end), INFINITY when there is none. Births are a pure
/// function of the interval, so bisection finds the time to the bit.
static double first_birth(const dew_Problem *problem, double begin, double end)
{
    if (!(begin < end) || dew_problem_births(problem, begin, end, NULL, 0) == 0)
        return (double)INFINITY;
    double before = begin, after = end;  // none in [begin, before), some in [begin, after)
    for (;;) {
        double middle = before + 0.5 * (after - before);
        if (!(middle > before && middle < after))
            return before;
        if (dew_problem_births(problem, begin, middle, NULL, 0) > 0)
            after = middle;
        else
            before = middle;
    }
}

static dew_Status pour_births(dew_World *world, const dew_Instant *instant, double until_s)
{
    double from_s = world->clock.born_until_s;
    if (!(from_s < until_s))
        return dew_ok();
    int64_t count = dew_problem_births(world->problem, from_s, until_s, NULL, 0);
    world->clock.born_until_s = until_s;
    if (count == 0)
        return dew_ok();
    dew_Blob *blobs = dew_arena_array(&world->scratch, dew_Blob, count);
    if (!blobs)
        return dew_no_memory((size_t)count * sizeof *blobs);
    dew_problem_births(world->problem, from_s, until_s, blobs, count);
    return dew_world_pour(world, instant, blobs, count);
}

// ---- length ------------------------------------------------------------------------------------

/// Where the step has to end at the latest, and why.
typedef struct Target {
    double time_s;
    const char *bound;
} Target;

static void consider(const dew_World *world, Target *target, double time_s, const char *bound)
{
    double before_s = target->time_s - dew_time_rounding_s(target->time_s);
    if (time_s < before_s && !dew_time_has_come(time_s, world->clock.time_s))
        *target = (Target){time_s, bound};
}

static Target next_target(const dew_World *world, double end_s)
{
    Target target = {end_s, "frame"};
    const char *what = NULL;
    double change_s = dew_problem_next_time_s(world->problem, world->clock.time_s, &what);
    consider(world, &target, change_s, what);
    consider(world, &target, dew_world_next_event_s(world), "event");
    for (int i = 0; i < world->solid_count; i++)
        consider(world, &target, world->drags[i].end_s, "drag");
    return target;
}

static dew_Status solver_limit(dew_World *world, const dew_Instant *instant, double *limit_s)
{
    *limit_s = world->ops->max_step_s(world->problem, world->state, instant, &world->bound);
    if (!(*limit_s > 0))
        return dew_fail(DEW_DIVERGED, "the solver allows no step (%g s)", *limit_s);
    return dew_ok();
}

/// Where the step ends, after pouring what is born at its beginning.
static dew_Status begin_step(dew_World *world, const dew_Instant *now, Target target, double *out_s)
{
    double time_s = world->clock.time_s, limit_s;
    DEW_TRY(solver_limit(world, now, &limit_s));
    // Births are taken from half-open intervals: one at this very time needs an end above it,
    // however little is left of the step.
    double window_s = fmin(limit_s, target.time_s - time_s) / BIRTH_WINDOW;
    DEW_TRY(pour_births(world, now, fmax(time_s + window_s, nextafter(time_s, (double)INFINITY))));
    DEW_TRY(solver_limit(world, now, &limit_s));
    window_s = fmin(limit_s, target.time_s - time_s) / BIRTH_WINDOW;
    double birth_s = first_birth(world->problem, world->clock.born_until_s, target.time_s);
    if (birth_s < target.time_s - window_s)
        target = (Target){birth_s, "birth"};
    double left_s = target.time_s - time_s;
    if (!(left_s <= limit_s * MAX_STEPS))
        return dew_fail(DEW_BAD_INPUT,  // halving would not help
                        "the solver allows steps of %.2g s only, %.2g of them in the next %.2g s "
                        "(is something far too small or too fast?)",
                        limit_s, left_s / limit_s, left_s);
    *out_s = target.time_s;
    if (left_s > limit_s)
        *out_s = time_s + left_s / ceil(left_s / limit_s);
    else
        world->bound = target.bound;
    return dew_ok();
}

// ---- checks ------------------------------------------------------------------------------------

// A step may change the volume a little, or bring it back to what the account says.
static dew_Status check_step(dew_World *world, const dew_Step *step, double volume_before_m3)
{
    DEW_TRY(dew_snapshot_check_finite(&world->snapshot, &world->fields, world->tasks));
    const dew_Measure *m = &world->measure;
    if (!(m->max_speed_m_s <= world->def.max_speed_m_s))
        return dew_fail(DEW_DIVERGED, "speed of %.3g m/s (%.3g m/s is taken as the limit)",
                        m->max_speed_m_s, world->def.max_speed_m_s);
    double change_m3 = step->added_m3 - step->removed_m3;
    double account_m3 = dew_world_account_m3(&world->clock) + change_m3;
    double drift =
        fmin(fabs(m->volume_m3 - (volume_before_m3 + change_m3)), fabs(m->volume_m3 - account_m3));
    double reference = fmax(volume_before_m3 + step->added_m3, m->volume_m3);
    if (!(drift <= world->def.max_volume_error * reference))
        return dew_fail(DEW_DIVERGED,
                        "volume off by %.2g in one step: the liquid has no room, or a finer cell "
                        "helps",
                        drift / reference);
    return dew_ok();
}

// ---- the step ----------------------------------------------------------------------------------

static dew_Status try_step(dew_World *world, Target target, int attempt)
{
    double begin_s = world->clock.time_s, stop_s = begin_s;
    dew_world_poses(world, begin_s, begin_s, target.time_s, world->poses_old);
    dew_Instant now = instant_at(world, begin_s, world->poses_old);
    DEW_TRY(begin_step(world, &now, target, &stop_s));
    if (attempt > 0) {
        stop_s = begin_s + ldexp(stop_s - begin_s, -attempt);
        world->bound = "retry";
    }
    if (!(stop_s > begin_s))
        return dew_fail(DEW_DIVERGED, "the step is too short for the clock (%g s)",
                        world->clock.dt_s);
    dew_world_poses(world, begin_s, begin_s, stop_s, world->poses_old);
    dew_world_poses(world, stop_s, begin_s, stop_s, world->poses);
    dew_Instant then = instant_at(world, stop_s, world->poses);
    dew_Step step = {.instant = &then,
                     .instant_old = &now,
                     .dt_s = stop_s - begin_s,
                     .index = world->clock.step_count,
                     .scratch = &world->scratch,
                     .tasks = world->tasks,
                     .clock = world->is_timed ? &world->solver_clock : NULL};
    dew_StageClock *clock = world->is_timed ? &world->own_clock : NULL;
    double volume_m3 = world->measure.volume_m3;
    world->peak_m3 =
        fmax(world->peak_m3, dew_world_account_m3(&world->clock));  // sinks may take all
    dew_stage_begin(step.clock);
    DEW_TRY(world->ops->step(world->problem, world->state, &step));
    if (!world->ops->stages)
        dew_stage_end(step.clock, 0);
    dew_stage_begin(clock);
    dew_world_measure(world, &then);
    dew_stage_end(clock, DEW_WORLD_MEASURE);
    DEW_TRY(check_step(world, &step, volume_m3));
    dew_stage_end(clock, DEW_WORLD_CHECKS);
    world->clock.added_m3 += step.added_m3;
    world->clock.removed_m3 += step.removed_m3;
    DEW_TRY(dew_world_check_account(world));
    world->peak_m3 = fmax(world->peak_m3, dew_world_account_m3(&world->clock));
    world->clock.time_s = stop_s;
    world->clock.dt_s = step.dt_s;
    world->clock.iterations = step.iterations;
    world->clock.retries = step.retries;
    world->clock.repairs = step.repairs;
    world->clock.step_count++;
    world->version++;
    return dew_ok();
}

/// Back to the copy, as if the step had not been tried.
static dew_Status go_back(dew_World *world, const dew_WorldClock *clock, const dew_Measure *measure)
{
    world->clock = *clock;
    world->measure = *measure;
    DEW_TRY(dew_snapshot_put_back(&world->snapshot, &world->fields));
    return world->ops->restored ? world->ops->restored(world->problem, world->state) : dew_ok();
}

dew_Status dew_world_substep_to(dew_World *world, double end_s)
{
    if (!isfinite(end_s) || !(end_s > world->clock.time_s))
        return dew_fail(DEW_BAD_INPUT, "a step from t = %g s cannot end at %g s",
                        world->clock.time_s, end_s);
    DEW_TRY(dew_world_apply_due(world));
    DEW_TRY(dew_world_read_parameters(world));
    Target target = next_target(world, end_s);
    dew_WorldClock clock = world->clock;
    dew_Measure measure = world->measure;
    dew_StageClock *own_clock = world->is_timed ? &world->own_clock : NULL;
    dew_stage_begin(own_clock);
    dew_snapshot_trim(&world->snapshot, &world->fields);
    DEW_TRY(dew_snapshot_take(&world->snapshot, &world->fields, world->tasks));
    dew_stage_end(own_clock, DEW_WORLD_CHECKS);
    for (int attempt = 0;; attempt++) {
        dew_Status status = try_step(world, target, attempt);
        dew_arena_end_step(&world->scratch);
        if (status.code == DEW_OK)
            return status;
        DEW_TRY(go_back(world, &clock, &measure));
        status = dew_status_prefix(status, "step %lld at t = %g s", (long long)clock.step_count + 1,
                                   clock.time_s);
        if (status.code != DEW_DIVERGED)
            return status;
        if (attempt >= world->def.max_retries)
            return attempt == 0 ? status
                                : dew_fail(DEW_DIVERGED, "%.420s (also with 1/%.0f of the step)",
                                           status.message, ldexp(1, attempt));
        char words[DEW_MESSAGE_SIZE];
        snprintf(words, sizeof words, "%.440s; trying half the step", status.message);
        say(world, DEW_LOG_INFO, words);  // a caller who cares counts them
        world->retry_count++;
    }
}
