// Wetting history of a solid: the wetting history map of [Wang2005, section 6], kept per element of
// the solid's surface instead of per grid cell, with drying added.
//
// Only the time of the last contact is stored. Wetness is a pure function of it, so nothing needs
// to be advanced in time, results do not depend on the step, and a map costs nothing until asked
// for.
#include "wetting/history.h"

#include "base/status.h"

#include <math.h>

#define ELEMENTS_PER_CHUNK 16384

void dew_wetting_history_init(dew_WettingHistory *history, const dew_Allocator *allocator)
{
    dew_array_init(&history->last_wet_s, allocator, sizeof(double));
}

void dew_wetting_history_deinit(dew_WettingHistory *history)
{
    dew_array_deinit(&history->last_wet_s);
}

dew_Status dew_wetting_history_resize(dew_WettingHistory *history, int64_t count)
{
    int64_t old_count = history->last_wet_s.count;
    DEW_TRY(dew_array_resize(&history->last_wet_s, count));
    for (int64_t i = old_count; i < count; i++)
        DEW_ITEMS(&history->last_wet_s, double)[i] = -HUGE_VAL;
    return dew_ok();
}

typedef struct Update {
    double *last_wet_s;
    const uint8_t *is_wet;
    double time_s;
} Update;

static dew_Status update_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Update *u = (const Update *)context;
    for (int64_t i = begin; i < end; i++) {
        if (u->is_wet[i])
            u->last_wet_s[i] = u->time_s;
    }
    return dew_ok();
}

dew_Status dew_wetting_history_update(dew_WettingHistory *history, dew_Tasks *tasks,
                                      const uint8_t *is_wet, double time_s)
{
    Update u = {DEW_ITEMS(&history->last_wet_s, double), is_wet, time_s};
    return dew_parallel_for(tasks, history->last_wet_s.count, ELEMENTS_PER_CHUNK, update_chunk, &u);
}

double dew_wetness(double last_wet_s, double time_s, double dries_after_s)
{
    double age_s = time_s - last_wet_s;
    if (!(age_s > 0))
        return 1;
    if (isinf(age_s) || !(age_s < dries_after_s))
        return 0;
    return 1 - age_s / dries_after_s;  // 1 for an infinite drying time
}

typedef struct Map {
    const double *last_wet_s;
    const double *dries_each_s;
    double dries_after_s, time_s;
    float *wetness;
} Map;

static dew_Status map_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Map *m = (const Map *)context;
    for (int64_t i = begin; i < end; i++) {
        double dries_s = m->dries_each_s ? m->dries_each_s[i] : m->dries_after_s;
        m->wetness[i] = (float)dew_wetness(m->last_wet_s[i], m->time_s, dries_s);
    }
    return dew_ok();
}

dew_Status dew_wetting_history_map(const dew_WettingHistory *history, dew_Tasks *tasks,
                                   double time_s, double dries_after_s, const double *dries_each_s,
                                   float *wetness)
{
    Map m = {DEW_ITEMS(&history->last_wet_s, double), dries_each_s, dries_after_s, time_s, wetness};
    return dew_parallel_for(tasks, history->last_wet_s.count, ELEMENTS_PER_CHUNK, map_chunk, &m);
}
