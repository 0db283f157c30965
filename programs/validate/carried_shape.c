// Carries a shape through a prescribed flow and back, and compares it with where it should be.
#include "validate/carried_shape.h"

#include "support/system.h"
#include "support/vec.h"

#include <assert.h>
#include <math.h>

dew_CarryStep dew_carry_steady(int index, int count, double duration_s)
{
    double dt = duration_s / count;
    return (dew_CarryStep){(index + 0.5) * dt, dt, 1};
}

dew_CarryStep dew_carry_reversed(int index, int count, double duration_s)
{
    dew_CarryStep step = dew_carry_steady(index, count, duration_s);
    step.factor = cos(DEW_PI * step.time_s / duration_s);
    return step;
}

// When the part `way` of the whole displacement is done: the integral of |cos(pi t / T)| is
// 2 T / pi.
static double time_of_way(double way, double duration_s)
{
    return way <= 0.5 ? duration_s / DEW_PI * asin(2 * way)
                      : duration_s * (1 - asin(2 - 2 * way) / DEW_PI);
}

dew_CarryStep dew_carry_reversed_evenly(int index, int count, double duration_s)
{
    assert(count % 2 == 0);
    double begin = time_of_way((double)index / count, duration_s);
    double end = time_of_way((index + 1.0) / count, duration_s);
    double way = 2 * duration_s / DEW_PI / count * (2 * index < count ? 1 : -1);
    return (dew_CarryStep){0.5 * (begin + end), end - begin, way / (end - begin)};
}

// ---- the flow, times a factor ------------------------------------------------------------------

typedef struct Scaled {
    const dew_VelocityField *velocity;
    double factor;
} Scaled;

static dew_Vec3 scaled_at(void *context, dew_Vec3 p, double time_s)
{
    const Scaled *scaled = context;
    const dew_VelocityField *velocity = scaled->velocity;
    return dew_v3_scale(scaled->factor, velocity->velocity_m_s(velocity->context, p, time_s));
}

static void scaled_faces(void *context, const dew_BrickFaces *faces, double time_s,
                         double *const *u)
{
    const Scaled *scaled = context;
    scaled->velocity->faces_m_s(scaled->velocity->context, faces, time_s, u);
    for (int a = 0; a < faces->dimensions; a++)
        for (int n = 0; n < faces->size[0] * faces->size[1] * faces->size[2]; n++)
            u[a][n] *= scaled->factor;
}

static dew_Status step(const dew_CarryDef *def, dew_LevelSet *shape, int index)
{
    dew_CarryStep one = def->step(index, def->step_count, def->duration_s);
    Scaled scaled = {&def->velocity, one.factor};
    dew_VelocityField velocity = {.context = &scaled};
    if (def->velocity.faces_m_s)
        velocity.faces_m_s = scaled_faces;
    else
        velocity.velocity_m_s = scaled_at;
    return dew_level_set_advect(shape, &velocity, one.time_s, one.dt_s);
}

// ---- running -----------------------------------------------------------------------------------

static int64_t more(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static dew_Status count_pieces(const dew_CarryDef *def, dew_LevelSet *shape, int64_t *out)
{
    const dew_LevelSetDrop *pieces;
    int64_t count, least = def->dimensions == 3 ? 27 : 9;
    DEW_TRY(dew_level_set_drops(shape, &pieces, &count));
    for (int64_t n = 0; n < count; n++)
        *out += pieces[n].cell_count > least;
    return dew_ok();
}

static dew_Status run(const dew_CarryDef *def, dew_LevelSet *shape, dew_Carried *out)
{
    dew_LevelSetMeasure before, after;
    DEW_TRY(dew_level_set_measure(shape, &before));
    double start_s = dew_app_cpu_s();
    for (int n = 0; n < def->step_count; n++) {
        DEW_TRY(step(def, shape, n));
        out->max_cells = more(out->max_cells, dew_level_set_cell_count(shape));
        out->max_markers = more(out->max_markers, dew_level_set_marker_count(shape));
    }
    out->cpu_s = dew_app_cpu_s() - start_s;
    DEW_TRY(dew_level_set_measure(shape, &after));
    out->volume = before.volume_m3;
    out->end_volume = after.volume_m3;
    out->volume_change = after.volume_m3 / before.volume_m3 - 1;
    DEW_TRY(count_pieces(def, shape, &out->piece_count));
    const dew_DistanceField *expected = def->expected.distance_m ? &def->expected : &def->shape;
    return dew_level_set_difference(shape, expected, &out->symmetric_difference);
}

dew_Status dew_carry(const dew_CarryDef *def, dew_Carried *out)
{
    dew_LevelSetDef level_set = dew_default_level_set_def();
    dew_LevelSet *shape;
    *out = (dew_Carried){0};
    level_set.box.dimensions = def->dimensions;
    level_set.box.cell_m = 1.0 / def->cells;
    for (int a = 0; a < 3; a++)
        level_set.box.cells[a] = a < def->dimensions ? def->cells : 1;
    level_set.scheme = def->scheme;
    level_set.markers_per_cell = def->markers_per_cell;
    DEW_TRY(dew_level_set_create(&level_set, &def->shape, &shape));
    dew_Status status = run(def, shape, out);
    dew_level_set_destroy(shape);
    return status;
}
