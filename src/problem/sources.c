// Drips, rain and inflows as functions of time.
//
// The k-th drop of a source has a time, a place and a size that depend on the scene's seed, the
// source and k alone. An interval asks for those whose time lies in it; so whatever way a run is
// cut into steps, every drop is born once. Rain falls with one drop in each interval 1 / rate, at a
// random instant of it.
#include "problem/sources.h"

#include "base/random.h"
#include "base/status.h"
#include "problem/blob.h"
#include "problem/place.h"
#include "problem/resolved.h"
#include "problem/surface_sampler.h"

#include <string.h>

#define RAIN_TIME_SALT 0x7a1e0001u
#define RAIN_DROP_SALT (RAIN_TIME_SALT + 1)
#define SITE_SALT      0xde300001u

// ---- births ------------------------------------------------------------------------------------

static bool has_births(const dew_SourceDef *def)
{
    return def->shape == DEW_SOURCE_DRIP || def->shape == DEW_SOURCE_RAIN;
}

static double period_s(const dew_SourceDef *def)
{
    return def->shape == DEW_SOURCE_DRIP ? def->every_s : 1 / def->rate_Hz;
}

static dew_Random keyed(const dew_Sources *sources, int s, int64_t k, uint32_t salt)
{
    return dew_random(sources->seed, ((uint64_t)salt << 32) + (uint64_t)s, (uint64_t)k);
}

double dew_birth_time_s(const dew_Sources *sources, int s, int64_t k)
{
    const dew_SourceDef *def = sources->defs[s];
    double at = (double)k;
    if (def->shape == DEW_SOURCE_RAIN) {
        dew_Random random = keyed(sources, s, k, RAIN_TIME_SALT);
        at += dew_random_unit(&random);
    }
    return def->start_s + at * period_s(def);
}

int64_t dew_birth_first(const dew_Sources *sources, int s, double time_s, bool is_after)
{
    const dew_SourceDef *def = sources->defs[s];
    double about = floor((time_s - def->start_s) / period_s(def)) - 2;  // safely before it
    if (about >= (double)DEW_BIRTHS_MAX)
        return DEW_BIRTHS_MAX;
    int64_t k = about > 0 ? (int64_t)about : 0;
    while (k < DEW_BIRTHS_MAX) {
        double t = dew_birth_time_s(sources, s, k);
        if (is_after ? t > time_s : t >= time_s)
            break;
        k++;
    }
    return k;
}

dew_Blob dew_birth_blob(const dew_Sources *sources, int s, int64_t k)
{
    const dew_SourceDef *def = sources->defs[s];
    dew_DropDef drop = dew_default_drop_def(DEW_DROP_SPHERE);
    drop.velocity_m_s = def->velocity_m_s;
    drop.center_m = def->at_m;
    drop.radius_m = def->radius_m;
    if (def->shape == DEW_SOURCE_RAIN) {
        dew_Random random = keyed(sources, s, k, RAIN_DROP_SALT);
        drop.center_m = dew_vec(dew_random_range(&random, def->min_m.x, def->max_m.x),
                                dew_random_range(&random, def->min_m.y, def->max_m.y),
                                dew_random_range(&random, def->min_m.z, def->max_m.z));
        drop.radius_m = dew_random_range(&random, def->radius_range_m[0], def->radius_range_m[1]);
    }
    dew_Blob blob;
    dew_Status status = dew_blob_from_def(&drop, DEW_BIRTH_ID(s, k), &blob);
    DEW_ASSERT(status.code == DEW_OK);  // sizes were checked when the source was resolved
    (void)status;
    return blob;
}

// The numbers [begin, end) of the source's births in an interval of time.
typedef struct Births {
    int64_t begin, end;
} Births;

static Births births_in(const dew_Sources *sources, int s, double begin_s, double end_s)
{
    const dew_SourceDef *def = sources->defs[s];
    double stop_s = fmin(end_s, def->stop_s);
    if (!has_births(def) || !(stop_s > begin_s) || !(stop_s > def->start_s))
        return (Births){0, 0};
    return (Births){dew_birth_first(sources, s, begin_s, false),
                    dew_birth_first(sources, s, stop_s, false)};
}

// The next birth of all sources behind (time, source, k), in that order; false: there is none.
static bool next_birth(const dew_Sources *sources, double begin_s, double end_s, double *time_s,
                       int *source, int64_t *number)
{
    double best_s = HUGE_VAL;
    int best = DEW_INVALID;
    int64_t best_k = 0;
    for (int s = 0; s < sources->count; s++) {
        Births births = births_in(sources, s, begin_s, end_s);
        int64_t k = births.begin;
        if (*source != DEW_INVALID && births.end > births.begin)
            k = s == *source ? *number + 1 : dew_birth_first(sources, s, *time_s, s < *source);
        if (k < births.begin)
            k = births.begin;
        if (k >= births.end)
            continue;
        double t = dew_birth_time_s(sources, s, k);
        if (t < best_s) {
            best_s = t;
            best = s;
            best_k = k;
        }
    }
    *time_s = best_s;
    *source = best;
    *number = best_k;
    return best != DEW_INVALID;
}

int64_t dew_problem_births(const dew_Problem *problem, double begin_s, double end_s, dew_Blob *out,
                           int64_t capacity)
{
    const dew_Sources *sources = &problem->sources;
    int64_t count = 0;
    for (int s = 0; s < sources->count; s++) {
        Births births = births_in(sources, s, begin_s, end_s);
        count += births.end - births.begin;
    }
    double time_s = 0;
    int source = DEW_INVALID;
    int64_t number = 0;
    for (int64_t i = 0; i < count && i < capacity; i++) {
        if (!next_birth(sources, begin_s, end_s, &time_s, &source, &number))
            break;
        out[i] = dew_birth_blob(sources, source, number);
    }
    return count;
}

// ---- inflows -----------------------------------------------------------------------------------

int64_t dew_problem_inflow_count(const dew_Problem *problem)
{
    return problem->sources.inflow_count;
}

const dew_Inflow *dew_problem_inflow(const dew_Problem *problem, int64_t index)
{
    DEW_ASSERT(index >= 0 && index < problem->sources.inflow_count);
    return &problem->sources.inflows[index];
}

static double disk_rate_m3_s(const dew_SourceDef *def)
{
    return DEW_PI * def->radius_m * def->radius_m * def->speed_m_s;
}

double dew_problem_inflow_volume_m3(const dew_Problem *problem, double begin_s, double end_s)
{
    double sum = 0;
    for (int s = 0; s < problem->sources.count; s++) {
        const dew_SourceDef *def = problem->sources.defs[s];
        double span_s = fmin(end_s, def->stop_s) - fmax(begin_s, def->start_s);
        if (has_births(def) || !(span_s > 0))
            continue;
        bool is_disk = def->shape == DEW_SOURCE_DISK;
        sum += span_s * (is_disk ? disk_rate_m3_s(def) : def->rate_m3_s);
    }
    return sum;
}

static dew_Status add_disk(const dew_SourceDef *def, int s, dew_Array *inflows)
{
    dew_Inflow inflow = {
        .id = DEW_BIRTH_ID(s, 0),
        .source_index = s,
        .shape = DEW_SOURCE_DISK,
        .center_m = def->center_m,
        .normal = dew_normalize(def->normal),
        .radius_m = def->radius_m,
        .speed_m_s = def->speed_m_s,
        .rate_m3_s = disk_rate_m3_s(def),
        .start_s = def->start_s,
        .stop_s = def->stop_s,
        .solid_id = DEW_INVALID,
    };
    return dew_array_push(inflows, &inflow);
}

static dew_Vec3 to_rest(const dew_Problem *problem, int solid_id, dew_Vec3 point_m)
{
    return dew_problem_to_rest(problem, &problem->start, solid_id, point_m);
}

// Sites are independent of one another, as dust and scratches are. Each throws until it has room.
static dew_Status add_sites(const dew_Problem *problem, const dew_SurfaceSampler *sampler, int s,
                            dew_Array *inflows)
{
    const dew_SourceDef *def = dew_scene_source(problem->scene, s);
    int64_t before = inflows->count;
    double seed_m = dew_problem_def(problem)->domain.cell_m / 2;  // the least drop a grid sees
    for (int i = 0; i < def->sites && dew_sampler_area_m2(sampler) > 0; i++) {
        dew_Random random = keyed(&problem->sources, s, i, SITE_SALT);
        for (int k = 0; k < DEW_SAMPLER_MAX_TRIES; k++) {
            dew_SolidPoint at = dew_sampler_draw(sampler, &random);
            if (!dew_sampler_has_room(sampler, &at, seed_m))
                continue;
            dew_Inflow inflow = {
                .id = DEW_BIRTH_ID(s, i),
                .source_index = s,
                .shape = DEW_SOURCE_CONDENSATION,
                .center_m = to_rest(problem, sampler->solid_id, at.point_m),
                .normal =
                    dew_sub(to_rest(problem, sampler->solid_id, dew_add(at.point_m, at.normal)),
                            to_rest(problem, sampler->solid_id, at.point_m)),
                .radius_m = seed_m,
                .start_s = def->start_s,
                .stop_s = def->stop_s,
                .solid_id = sampler->solid_id,
            };
            DEW_TRY(dew_array_push(inflows, &inflow));
            break;
        }
    }
    for (int64_t i = before; i < inflows->count; i++)  // what was asked for, whatever found room
        DEW_ITEMS(inflows, dew_Inflow)
    [i].rate_m3_s = def->rate_m3_s / (double)(inflows->count - before);
    if (inflows->count == before)
        return dew_scene_fail(problem->scene, dew_key_path("sources", s, "on").text,
                              "no place on %s lies free within the domain", def->on);
    return dew_ok();
}

static dew_Status add_condensation(const dew_Problem *problem, int s, dew_Array *inflows)
{
    const dew_SourceDef *def = dew_scene_source(problem->scene, s);
    int solid_id = def->on ? dew_problem_find_solid(problem, def->on) : DEW_INVALID;
    if (solid_id == DEW_INVALID)
        return dew_scene_fail(problem->scene, dew_key_path("sources", s, "on").text,
                              "there is no solid %s", def->on ? def->on : "(none named)");
    dew_SurfaceSampler sampler;
    DEW_TRY(dew_sampler_init(&sampler, problem, solid_id));
    dew_Status status = add_sites(problem, &sampler, s, inflows);
    dew_sampler_deinit(&sampler);
    return status;
}

// ---- resolving ---------------------------------------------------------------------------------

static bool is_size(double x)
{
    return x > 0 && isfinite(x);
}

static dew_Status check_source(const dew_Scene *scene, const dew_SourceDef *def, int s)
{
    bool is_right = false;
    const char *want = "";
    switch (def->shape) {
    case DEW_SOURCE_DISK:
        is_right = is_size(def->radius_m) && is_size(def->speed_m_s) && dew_length(def->normal) > 0;
        want = "a disk needs a normal, and a radius and a speed above zero";
        break;
    case DEW_SOURCE_DRIP:
        is_right = is_size(def->radius_m) && is_size(def->every_s);
        want = "a drip needs a radius and a time between drops above zero";
        break;
    case DEW_SOURCE_RAIN:
        is_right = is_size(def->rate_Hz) && is_size(def->radius_range_m[0]) &&
                   is_size(def->radius_range_m[1]);
        want = "rain needs a rate and radii above zero";
        break;
    case DEW_SOURCE_CONDENSATION:
        is_right = is_size(def->rate_m3_s) && def->sites > 0;
        want = "condensation needs a rate and a number of sites above zero";
        break;
    case DEW_SOURCE_SHAPE_COUNT:
        break;
    }
    if (is_right && isfinite(def->start_s) && !isnan(def->stop_s))
        return dew_ok();
    return dew_scene_fail(scene, dew_key_path("sources", s, NULL).text, "%s", want);
}

static dew_Status fill(dew_Problem *problem, dew_Array *inflows)
{
    for (int s = 0; s < problem->sources.count; s++) {
        const dew_SourceDef *def = problem->sources.defs[s];
        DEW_TRY(check_source(problem->scene, def, s));
        if (def->shape == DEW_SOURCE_DISK)
            DEW_TRY(add_disk(def, s, inflows));
        else if (def->shape == DEW_SOURCE_CONDENSATION)
            DEW_TRY(add_condensation(problem, s, inflows));
    }
    dew_Inflow *kept = dew_arena_array(&problem->arena, dew_Inflow, inflows->count);
    if (!kept)
        return dew_no_memory((size_t)inflows->count * sizeof(dew_Inflow));
    if (inflows->count > 0)
        memcpy(kept, inflows->data, (size_t)inflows->count * sizeof(dew_Inflow));
    problem->sources.inflows = kept;
    problem->sources.inflow_count = inflows->count;
    return dew_ok();
}

dew_Status dew_sources_resolve(dew_Problem *problem)
{
    int count = dew_scene_source_count(problem->scene);
    const dew_SourceDef **defs =
        (const dew_SourceDef **)dew_arena_array(&problem->arena, dew_SourceDef *, count);
    if (!defs)
        return dew_no_memory((size_t)count * sizeof(dew_SourceDef *));
    for (int s = 0; s < count; s++)
        defs[s] = dew_scene_source(problem->scene, s);
    problem->sources =
        (dew_Sources){.defs = defs, .count = count, .seed = dew_problem_def(problem)->seed};
    dew_Array inflows;
    dew_array_init(&inflows, &problem->allocator, sizeof(dew_Inflow));
    dew_Status status = fill(problem, &inflows);
    dew_array_deinit(&inflows);
    return status;
}
