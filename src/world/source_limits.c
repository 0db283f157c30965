// Bounds of what the liquid of a scene may do.
//
// Drops, at the start, of events and of sources, are no faster than World's limit.
//
// Speed. A source that brings the volume rate Q through an area A is a jet of the speed Q / A at
// least. World takes speeds above its limit (dew_WorldDef.max_speed_m_s, 1000 m/s by default) as
// divergence, so a faster jet cannot run. A drip has the cross section of its drop, and so the
// speed 4 r / (3 every); rain the largest side of its box, or the cross section of a drop where
// that is larger; condensation that of its sites, which are a cell wide.
//
// Number. Each drop is poured by itself, and steps end at births: MAX_DROPS_PER_FRAME of them
// between two frames are more than any run is meant to have. (A drop of a micrometre may come every
// nanosecond by its speed.)
#include "world/source_limits.h"

#include "dew/world.h"
#include "geom/vec.h"
#include "problem/place.h"

#include <math.h>

#define MAX_DROPS_PER_FRAME 1e6

static double section_m2(double radius_m)
{
    return DEW_PI * radius_m * radius_m;
}

static double largest_side_m2(const dew_SourceDef *rain)
{
    dew_Vec3 size = dew_sub(rain->max_m, rain->min_m);
    return fmax(fmax(fabs(size.x * size.y), fabs(size.y * size.z)), fabs(size.z * size.x));
}

/// Speed of the jet that brings as much, and drops per second (0: it has none). Wrong values are
/// left to the problem.
typedef struct Rate {
    double speed_m_s, drops_Hz;
    const char *key;
} Rate;

static Rate rate_of(const dew_SceneDef *def, const dew_SourceDef *source)
{
    double r = source->shape == DEW_SOURCE_RAIN
                   ? fmax(source->radius_range_m[0], source->radius_range_m[1])
                   : source->radius_m;
    double ball_m3 = 4 * DEW_PI / 3 * r * r * r, seed_m = def->domain.cell_m / 2;
    switch (source->shape) {
    case DEW_SOURCE_DISK:
        return (Rate){source->speed_m_s, 0, "speed"};
    case DEW_SOURCE_DRIP:
        return (Rate){ball_m3 / source->every_s / section_m2(r), 1 / source->every_s, "every"};
    case DEW_SOURCE_RAIN:
        return (Rate){ball_m3 * source->rate_Hz / fmax(largest_side_m2(source), section_m2(r)),
                      source->rate_Hz, "rate"};
    case DEW_SOURCE_CONDENSATION:
        return (Rate){source->rate_m3_s / (source->sites * section_m2(seed_m)), 0, "rate"};
    default:
        return (Rate){0, 0, NULL};
    }
}

static dew_Status check_speed(const dew_Scene *scene, const char *list, int index,
                              dew_Vec3 velocity_m_s)
{
    double speed_m_s = dew_length(velocity_m_s), limit_m_s = dew_default_world_def().max_speed_m_s;
    if (!(speed_m_s > limit_m_s))
        return dew_ok();
    dew_KeyPath path = dew_key_path(list, index, "velocity");
    return dew_scene_fail(scene, path.text, "%s: a speed of %.4g m/s (at most %g m/s)", path.text,
                          speed_m_s, limit_m_s);
}

static dew_Status check_speeds(const dew_Scene *scene)
{
    for (int i = 0; i < dew_scene_drop_count(scene); i++)
        DEW_TRY(check_speed(scene, "drops", i, dew_scene_drop(scene, i)->velocity_m_s));
    for (int i = 0; i < dew_scene_source_count(scene); i++)
        DEW_TRY(check_speed(scene, "sources", i, dew_scene_source(scene, i)->velocity_m_s));
    for (int i = 0; i < dew_scene_event_count(scene); i++) {
        const dew_EventDef *event = dew_scene_event(scene, i);
        if (event->kind == DEW_EVENT_DROP || event->kind == DEW_EVENT_CAP)
            DEW_TRY(check_speed(scene, "events", i, event->velocity_m_s));
    }
    return dew_ok();
}

static dew_Status check_rates(const dew_Scene *scene)
{
    const dew_SceneDef *def = dew_scene_def(scene);
    double limit_m_s = dew_default_world_def().max_speed_m_s;
    for (int i = 0; i < dew_scene_source_count(scene); i++) {
        const dew_SourceDef *source = dew_scene_source(scene, i);
        Rate rate = rate_of(def, source);
        double active_s = fmin(def->duration_s, source->stop_s) - source->start_s;
        double drops = rate.drops_Hz * fmin(active_s, 1 / def->frame_rate_Hz);
        dew_KeyPath path = dew_key_path("sources", i, rate.key);
        if (rate.speed_m_s > limit_m_s)
            return dew_scene_fail(
                scene, path.text,
                "%s: the source brings as much as a jet of %.2g m/s (at most %g m/s)", path.text,
                rate.speed_m_s, limit_m_s);
        if (drops > MAX_DROPS_PER_FRAME)
            return dew_scene_fail(
                scene, path.text,
                "%s: the source brings %.2g drops between two frames (at most %g)", path.text,
                drops, MAX_DROPS_PER_FRAME);
    }
    return dew_ok();
}

dew_Status dew_scene_check_speeds(const dew_Scene *scene)
{
    DEW_TRY(check_speeds(scene));
    return check_rates(scene);
}
