// Rigid spheres: x(t) = x0 + v t + g t^2 / 2 between rebounds; see rigid_solver.h.
//
// At the end of a step a sphere that overlaps a solid is put on its surface, and an approaching
// normal velocity relative to the solid is reversed and scaled by the coefficient of restitution.
// No rotation, no friction, no collisions of spheres. A step moves no sphere by more than half its
// radius (bound "cfl").
#include "tests/rigid_solver.h"

#include "base/status.h"
#include "geom/mesh_measure.h"
#include "geom/shapes.h"
#include "geom/vec.h"
#include "tests/rigid_state.h"
#include "world/solver_table.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 16, MESH_FREQUENCY = 4, ARRAY_COUNT = 4 };
static const double RESTITUTION = 0.5, MAX_ADVANCE_RATIO = 0.5;  // the latter of the radius

typedef struct Arrays {
    dew_Array *of[ARRAY_COUNT];
} Arrays;

static Arrays arrays_of(dew_SolverState *s)
{
    return (Arrays){{&s->id, &s->position, &s->velocity, &s->radius}};
}

double test_sphere_volume_m3(double radius_m)
{
    return 4.0 / 3.0 * DEW_PI * radius_m * radius_m * radius_m;
}

static void rigid_destroy(dew_SolverState *state)
{
    if (!state)
        return;
    for (int k = 0; k < ARRAY_COUNT; k++)
        dew_array_deinit(arrays_of(state).of[k]);
    dew_Allocator allocator = state->allocator;
    dew_free(&allocator, state, sizeof *state);
}

static dew_Status rigid_create(const dew_Problem *problem, const dew_CreateDef *def,
                               dew_SolverState **out)
{
    *out = dew_alloc(&def->allocator, 1, sizeof **out);
    if (!*out)
        return dew_no_memory(sizeof **out);
    const dew_LiquidDef *liquid = &dew_problem_def(problem)->liquid;
    **out = (dew_SolverState){
        .density_kg_m3 = liquid->density_kg_m3, .tasks = def->tasks, .allocator = def->allocator};
    dew_array_init(&(*out)->id, &def->allocator, sizeof(int64_t));
    dew_array_init(&(*out)->position, &def->allocator, sizeof(dew_Vec3));
    dew_array_init(&(*out)->velocity, &def->allocator, sizeof(dew_Vec3));
    dew_array_init(&(*out)->radius, &def->allocator, sizeof(double));
    return dew_ok();
}

/// A failure leaves every array as it was.
static dew_Status resize(dew_SolverState *state, int64_t count)
{
    Arrays arrays = arrays_of(state);
    int64_t before = state->id.count;
    dew_Status status = dew_ok();
    for (int k = 0; k < ARRAY_COUNT && status.code == DEW_OK; k++)
        status = dew_array_resize(arrays.of[k], count);
    for (int k = 0; k < ARRAY_COUNT && status.code != DEW_OK; k++)
        arrays.of[k]->count = before;
    return status;
}

static dew_Status rigid_pour(const dew_Problem *problem, dew_SolverState *state,
                             const dew_Instant *instant, const dew_Blob *blob)
{
    (void)problem;
    (void)instant;
    if (blob->shape.shape != DEW_DROP_SPHERE)
        return dew_fail(DEW_UNSUPPORTED, "solver rigid takes drops of shape sphere only");
    int64_t i = state->id.count;
    DEW_TRY(resize(state, i + 1));
    DEW_ITEMS(&state->id, int64_t)[i] = blob->id;
    DEW_ITEMS(&state->position, dew_Vec3)[i] = blob->center_m;
    DEW_ITEMS(&state->velocity, dew_Vec3)[i] = blob->velocity_m_s;
    DEW_ITEMS(&state->radius, double)[i] = blob->shape.radius_m;
    return dew_ok();
}

/// The time t with v t + g t^2 / 2 = s: s = half the radius, v the speed, g that of gravity.
static double rigid_max_step(const dew_Problem *problem, const dew_SolverState *state,
                             const dew_Instant *instant, const char **bound)
{
    (void)problem;
    double g = dew_length(instant->gravity_m_s2), step = (double)INFINITY;
    for (int64_t i = 0; i < state->id.count; i++) {
        double s = MAX_ADVANCE_RATIO * DEW_ITEMS(&state->radius, double)[i];
        double v = dew_length(DEW_ITEMS(&state->velocity, dew_Vec3)[i]);
        double root = v + sqrt(v * v + 2 * g * s);
        step = root > 0 ? fmin(step, 2 * s / root) : step;
    }
    *bound = isinf(step) ? NULL : "cfl";
    return step;
}

// ---- the step ----------------------------------------------------------------------------------

typedef struct Work {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Step *step;
} Work;

static void move_one(const Work *work, int64_t i)
{
    dew_Vec3 *x = &DEW_ITEMS(&work->state->position, dew_Vec3)[i];
    dew_Vec3 *v = &DEW_ITEMS(&work->state->velocity, dew_Vec3)[i];
    double r = DEW_ITEMS(&work->state->radius, double)[i], dt = work->step->dt_s;
    dew_Vec3 g = work->step->instant->gravity_m_s2;
    *x = dew_add(*x, dew_add(dew_scale(dt, *v), dew_scale(0.5 * dt * dt, g)));
    *v = dew_add(*v, dew_scale(dt, g));
    dew_SolidPoint p = dew_problem_nearest(work->problem, work->step->instant, *x, 2 * r);
    if (!(p.distance_m < r))
        return;
    double approach = fmin(dew_inner(dew_sub(*v, p.velocity_m_s), p.normal), 0);
    *x = dew_add(*x, dew_scale(r - p.distance_m, p.normal));
    *v = dew_sub(*v, dew_scale((1 + RESTITUTION) * approach, p.normal));
}

static dew_Status move_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    for (int64_t i = begin; i < end; i++)
        move_one(context, i);
    return dew_ok();
}

/// Wholly outside the domain, which only an open side allows, or with its centre in a sink.
static bool has_left(const dew_Problem *problem, dew_Vec3 x, double r)
{
    dew_Box box = dew_problem_domain(problem);
    box.min = dew_sub(box.min, dew_vec(r, r, r));
    box.max = dew_add(box.max, dew_vec(r, r, r));
    return !dew_box_contains(box, x) || dew_problem_in_sink(problem, x);
}

static dew_Status rigid_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    Work work = {problem, state, step};
    DEW_TRY(dew_parallel_for(step->tasks, state->id.count, CHUNK, move_chunk, &work));
    int64_t kept = 0;
    for (int64_t i = 0; i < state->id.count; i++) {
        double r = DEW_ITEMS(&state->radius, double)[i];
        if (has_left(problem, DEW_ITEMS(&state->position, dew_Vec3)[i], r)) {
            step->removed_m3 += test_sphere_volume_m3(r);
            continue;
        }
        for (int k = 0; k < ARRAY_COUNT; k++) {
            dew_Array *array = arrays_of(state).of[k];
            size_t size = array->element_size;
            memmove((char *)array->data + (size_t)kept * size,
                    (const char *)array->data + (size_t)i * size, size);
        }
        kept++;
    }
    return resize(state, kept);
}

// ---- output ------------------------------------------------------------------------------------

static void copy_sphere(const dew_Mesh *unit, const dew_SolverState *state, int64_t i,
                        dew_Surface *out)
{
    int64_t vertex_count = unit->positions.count, triangle_count = unit->triangles.count;
    double r = DEW_ITEMS(&state->radius, double)[i];
    for (int64_t k = 0; k < vertex_count; k++) {
        int64_t at = i * vertex_count + k;
        DEW_ITEMS(&out->positions, dew_Vec3)
        [at] = dew_add(DEW_ITEMS(&state->position, dew_Vec3)[i],
                       dew_scale(r, DEW_ITEMS(&unit->positions, dew_Vec3)[k]));
        DEW_ITEMS(&out->velocities, dew_Vec3)[at] = DEW_ITEMS(&state->velocity, dew_Vec3)[i];
        DEW_ITEMS(&out->wet, float)[at] = 0;
    }
    for (int64_t k = 0; k < 3 * triangle_count; k++)
        DEW_ITEMS(&out->triangles, dew_Triangle)
    [i * triangle_count + k / 3].v[k % 3] =
        (uint32_t)(i * vertex_count) + DEW_ITEMS(&unit->triangles, dew_Triangle)[k / 3].v[k % 3];
}

/// One icosphere each, with the volume of the sphere.
static dew_Status rigid_surface(const dew_Problem *problem, const dew_SolverState *state,
                                const dew_Instant *instant, dew_Surface *out)
{
    (void)problem;
    (void)instant;
    dew_Mesh unit;
    dew_mesh_init(&unit, &state->allocator);
    int64_t count = state->id.count;
    dew_surface_clear(out);
    dew_Status status = dew_shape_icosphere(1, MESH_FREQUENCY, &unit);
    if (status.code == DEW_OK)
        status =
            dew_surface_resize(out, count * unit.positions.count, count * unit.triangles.count);
    if (status.code == DEW_OK) {
        double scale = cbrt(test_sphere_volume_m3(1) / dew_mesh_measure(&unit).volume_m3);
        for (int64_t k = 0; k < unit.positions.count; k++)
            DEW_ITEMS(&unit.positions, dew_Vec3)
        [k] = dew_scale(scale, DEW_ITEMS(&unit.positions, dew_Vec3)[k]);
        for (int64_t i = 0; i < count; i++)
            copy_sphere(&unit, state, i, out);
        status = dew_surface_finish(out);
    }
    dew_mesh_deinit(&unit);
    return status;
}

static void rigid_measure(const dew_Problem *problem, const dew_SolverState *state,
                          const dew_Instant *instant, dew_Measure *out)
{
    double nan = (double)NAN;
    *out = (dew_Measure){.top_m = nan,
                         .contact_angle_rad = nan,
                         .contact_angle_min_rad = nan,
                         .contact_angle_max_rad = nan,
                         .drops = state->id.count,
                         .elements = state->id.count};
    for (int64_t i = 0; i < state->id.count; i++) {
        dew_Vec3 x = DEW_ITEMS(&state->position, dew_Vec3)[i];
        dew_Vec3 v = DEW_ITEMS(&state->velocity, dew_Vec3)[i];
        double r = DEW_ITEMS(&state->radius, double)[i], volume = test_sphere_volume_m3(r);
        double speed = dew_length(v);  // fmax would hide a NaN from the checks
        out->max_speed_m_s = speed <= out->max_speed_m_s ? out->max_speed_m_s : speed;
        out->top_m = fmax(out->top_m, x.y + r);
        out->volume_m3 += volume;
        out->area_m2 += 4 * DEW_PI * r * r;
        out->kinetic_J += 0.5 * state->density_kg_m3 * volume * speed * speed;
        out->center_m = dew_add(out->center_m, dew_scale(volume, x));
        out->velocity_m_s = dew_add(out->velocity_m_s, dew_scale(volume, v));
    }
    out->surface_J = dew_problem_def(problem)->liquid.surface_tension_N_m * out->area_m2;
    out->gravity_J = -state->density_kg_m3 * dew_inner(instant->gravity_m_s2, out->center_m);
    double inverse = out->volume_m3 > 0 ? 1 / out->volume_m3 : 0;
    out->center_m = dew_scale(inverse, out->center_m);
    out->velocity_m_s = dew_scale(inverse, out->velocity_m_s);
}

static void rigid_fields(dew_SolverState *s, dew_FieldList *out)
{
    *out = (dew_FieldList){
        .count = ARRAY_COUNT,
        .field = {
            {.name = "id", .type = DEW_FIELD_I64, .components = 1, .array = &s->id},
            {.name = "position", .type = DEW_FIELD_F64, .components = 3, .array = &s->position},
            {.name = "velocity", .type = DEW_FIELD_F64, .components = 3, .array = &s->velocity},
            {.name = "radius", .type = DEW_FIELD_F64, .components = 1, .array = &s->radius}}};
}

static dew_Status rigid_restored(const dew_Problem *problem, dew_SolverState *state)
{
    (void)problem;
    for (int k = 0; k < ARRAY_COUNT; k++)
        if (arrays_of(state).of[k]->count != state->id.count)
            return dew_fail(DEW_CORRUPT, "the arrays of the spheres differ in length");
    for (int64_t i = 0; i < state->id.count; i++) {
        double r = DEW_ITEMS(&state->radius, double)[i];
        if (!(r > 0) || isinf(r))
            return dew_fail(DEW_CORRUPT, "sphere %lld has the radius %g", (long long)i, r);
    }
    return dew_ok();
}

static const dew_VolumeAllowance allowances[] = {{NULL, 1e-9, 1e-9}};
static const dew_SolverTraits traits = {.name = "rigid",
                                        .purpose = "rigid spheres, for tests",
                                        .dimensions_mask = 1u << 3,
                                        .allowances = allowances,
                                        .element = "drops",
                                        .bytes_per_element = 250,
                                        .peak_bytes_per_element = 1000,
                                        .cpu_s_per_element = 20e-6};
const dew_SolverOps test_rigid_ops = {
    .traits = &traits,
    .create = rigid_create,
    .pour = rigid_pour,
    .max_step_s = rigid_max_step,
    .step = rigid_step,
    .surface = rigid_surface,
    .measure = rigid_measure,
    .fields = rigid_fields,
    .restored = rigid_restored,
    .destroy = rigid_destroy,
};

void test_use_rigid(void)
{
    dew_solver_table_add(&test_rigid_ops);
}
