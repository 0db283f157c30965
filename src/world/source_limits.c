// Bounds of what a source may bring.
//
// Speed. A source that brings the volume rate Q through an area A is a jet of the speed Q / A at least. World takes
// speeds above its limit (dew_WorldDef.max_speed_m_s, 1000 m/s by default) as divergence, so a faster jet cannot run.
// A drip has the cross section of its drop, and so the speed 4 r / (3 every); rain the largest side of its box, or the
// cross section of a drop where that is larger; condensation that of its sites, which are a cell wide.
//
// Number. Each drop is poured by itself, and steps end at births: MAX_DROPS_PER_FRAME of them between two frames are
// more than any run is meant to have. (A drop of a micrometre may come every nanosecond by its speed.)
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

/// Speed of the jet that brings as much, and drops per second (0: it has none). Wrong values are left to the problem.
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

dew_Status dew_sources_check_rates(const dew_Scene *scene)
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
