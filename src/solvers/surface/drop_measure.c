// Integrals over all drops for the tables, and the Surface that is written and drawn.
#include "base/status.h"
#include "base/sum.h"
#include "solvers/surface/surface_state.h"
#include "surface/untangle.h"

#include <string.h>

#define PART_COUNT 8  // of the drops, measured in parallel

enum { VOLUME, AREA, KINETIC, X, Y, Z, VX, VY, VZ, CONTACT, LINE, ANGLE, SUM_COUNT };

/// Of one drop, all in one pass. Positions are relative to its first vertex, velocities to that
/// vertex's.
typedef struct Integrals {
    double volume, area, contact;
    dew_Vec3 moment, momentum;  // of the volume, per density; about the world's origin
    // Over the surface, the wetted part counted as much as in its inertia: area, integral of the
    // squared velocity and of the velocity, relative to the first vertex.
    double moving_area, square;
    dew_Vec3 velocity;
} Integrals;

/// Touches a solid; what lies on a nozzle only does not.
static bool is_on_solid(uint8_t label)
{
    return (label & DEW_LABEL_TOUCHING) && !(label & DEW_LABEL_NOZZLE);
}

static Integrals integrate(const dew_DropView *drop)
{
    Integrals sum = {0};
    dew_Vec3 origin = drop->positions[0], v0 = drop->velocities[0];
    double change = 0;
    for (int64_t k = 0; k < drop->counts.triangle_count; k++) {
        const uint32_t *v = drop->triangles[k].v;
        dew_Vec3 p[3], u[3];
        bool is_wet = true;
        for (int c = 0; c < 3; c++) {
            p[c] = dew_sub(drop->positions[v[c]], origin);
            u[c] = dew_sub(drop->velocities[v[c]], v0);
            is_wet = is_wet && is_on_solid(drop->labels[v[c]]);
        }
        dew_Vec3 vector = dew_scale(0.5, dew_cross(dew_sub(p[1], p[0]), dew_sub(p[2], p[0])));
        dew_Vec3 all = dew_add(p[0], dew_add(p[1], p[2]));
        for (int c = 0; c < 3; c++) {
            double flux = dew_inner(vector, u[c]);
            change += flux;
            sum.momentum = dew_add_scaled(sum.momentum, flux / 12, dew_add(all, p[c]));
        }
        double volume = dew_inner(p[0], vector) / 3, area = dew_length(vector);
        sum.volume += volume;
        sum.moment = dew_add_scaled(sum.moment, volume / 4, all);
        sum.area += area;
        sum.contact += is_wet ? area : 0;
        double moving = is_wet ? DEW_WETTED_INERTIA * area : area;
        sum.moving_area += moving;
        sum.square += moving / 3 * (dew_length2(u[0]) + dew_length2(u[1]) + dew_length2(u[2]));
        sum.velocity = dew_add_scaled(sum.velocity, moving / 3, dew_add(u[0], dew_add(u[1], u[2])));
    }
    // A change of volume must not count as motion.
    dew_Vec3 center = sum.volume > 0 ? dew_scale(1 / sum.volume, sum.moment) : sum.moment;
    sum.momentum = dew_add_scaled(sum.momentum, -change / 3, center);
    sum.momentum = dew_add_scaled(sum.momentum, sum.volume, v0);
    sum.moment = dew_add_scaled(sum.moment, sum.volume, origin);
    return sum;
}

dew_Vec3 dew_drop_view_velocity(const dew_DropView *drop)
{
    Integrals in = integrate(drop);
    return in.volume > 0 ? dew_scale(1 / in.volume, in.momentum) : dew_vec(0, 0, 0);
}

double dew_drop_view_volume(const dew_DropView *drop)
{
    return integrate(drop).volume;
}

/// Mean of the squared velocity relative to that of the drop, over the surface.
static double deformation(const dew_DropView *drop, const Integrals *in, dew_Vec3 mean)
{
    dew_Vec3 m = dew_sub(mean, drop->velocities[0]);
    if (!(in->moving_area > 0))
        return 0;
    double square = in->square - 2 * dew_inner(m, in->velocity);
    return fmax(square / in->moving_area + dew_length2(m), 0);
}

dew_DropRest dew_drop_view_rest(const dew_DropView *drop)
{
    Integrals in = integrate(drop);
    dew_DropView awake = *drop;
    awake.flags.is_asleep = 0;
    dew_Box box = dew_drop_view_box(&awake);
    return (dew_DropRest){in.volume, in.area, in.contact, in.moment, box.min, box.max};
}

static Integrals integrals_of(const dew_DropView *drop)
{
    const dew_DropRest *rest = &drop->values.rest;
    if (!drop->flags.is_asleep || !(rest->volume_m3 > 0))
        return integrate(drop);
    return (Integrals){.volume = rest->volume_m3,
                       .area = rest->area_m2,
                       .contact = rest->contact_m2,
                       .moment = rest->moment_m4};
}

/// Highest point and fastest vertex.
static void note_extremes(const dew_DropView *drop, dew_Measure *out)
{
    out->top_m = fmax(out->top_m, dew_drop_view_box(drop).max.y);
    double most = 0;
    bool is_nan = false;
    for (int64_t i = 0; i < drop->counts.vertex_count && !drop->flags.is_asleep; i++) {
        double square = dew_length2(drop->velocities[i]);
        most = square > most ? square : most;
        is_nan = is_nan || isnan(square);  // no comparison tells it
    }
    double speed = is_nan ? (double)NAN : sqrt(most);
    out->max_speed_m_s = speed <= out->max_speed_m_s ? out->max_speed_m_s : speed;
}

static void add_drop(dew_ExactSum *sum, const dew_SolverState *state, const dew_DropView *drop,
                     dew_Measure *out)
{
    Integrals in = integrals_of(drop);
    if (drop->flags.has_velocity)
        in.momentum = dew_scale(in.volume, drop->values.velocity_m_s);
    dew_Vec3 mean = in.volume > 0 ? dew_scale(1 / in.volume, in.momentum) : in.momentum;
    // A drop that has not moved yet, or was just made by a merge: as for the mode n = 2 of a ball.
    double inertia = drop->values.inertia_kg > 0 ? drop->values.inertia_kg
                                                 : 1.5 * state->params.rho_kg_m3 * in.volume;
    double kinetic = 0.5 * state->params.rho_kg_m3 * in.volume * dew_length2(mean) +
                     0.5 * inertia * deformation(drop, &in, mean);
    const double terms[SUM_COUNT] = {[VOLUME] = in.volume,
                                     [AREA] = in.area,
                                     [KINETIC] = kinetic,
                                     [X] = in.moment.x,
                                     [Y] = in.moment.y,
                                     [Z] = in.moment.z,
                                     [VX] = in.momentum.x,
                                     [VY] = in.momentum.y,
                                     [VZ] = in.momentum.z,
                                     [CONTACT] = in.contact,
                                     [LINE] = drop->values.line_m,
                                     [ANGLE] = drop->values.line_m * drop->values.angle_rad};
    for (int k = 0; k < SUM_COUNT; k++)
        if (terms[k] != 0)  // many, of a sleeper
            dew_exact_add(&sum[k], terms[k]);
    note_extremes(drop, out);
    if (drop->values.line_m > 0) {
        out->contact_angle_min_rad = fmin(out->contact_angle_min_rad, drop->values.min_angle_rad);
        out->contact_angle_max_rad = fmax(out->contact_angle_max_rad, drop->values.max_angle_rad);
    }
}

static int64_t work_of(const dew_DropStore *drops, int64_t d)
{
    bool is_asleep = DEW_ITEMS(&drops->flags, dew_DropFlags)[d].is_asleep;
    return is_asleep ? 1 : DEW_ITEMS(&drops->counts, dew_DropCounts)[d].triangle_count;
}

/// Some consecutive drops, and what was measured of them. Sums are exact, extremes are those of
/// all: how the drops are divided does not matter.
typedef struct Part {
    int64_t first, end;
    dew_DropPlace place;
    dew_ExactSum sum[SUM_COUNT];
    dew_Measure measure;
} Part;

typedef struct Parts {
    const dew_SolverState *state;
    Part part[PART_COUNT];
} Parts;

static void begin_part(Part *part)
{
    for (int k = 0; k < SUM_COUNT; k++)
        dew_exact_init(&part->sum[k]);
    part->measure = (dew_Measure){.top_m = (double)NAN,
                                  .contact_angle_rad = (double)NAN,
                                  .contact_angle_min_rad = (double)NAN,
                                  .contact_angle_max_rad = (double)NAN};
}

static dew_Status measure_part(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)end;
    (void)chunk;
    Parts *parts = context;
    Part *part = &parts->part[begin];
    const dew_DropStore *drops = &parts->state->drops;
    dew_DropPlace place = part->place;
    begin_part(part);
    for (int64_t d = part->first; d < part->end; d++) {
        dew_DropView drop = dew_drop_view(drops, d, place);
        add_drop(part->sum, parts->state, &drop, &part->measure);
        part->measure.sleeping += drop.flags.is_asleep != 0;
        place = dew_drop_next_place(drops, d, place);
    }
    return dew_ok();
}

/// Divides the drops into parts of about as many triangles; a sleeper counts as one.
static void divide(Parts *parts)
{
    const dew_DropStore *drops = &parts->state->drops;
    int64_t count = dew_drop_count(drops), work = 0, done = 0;
    for (int64_t d = 0; d < count; d++)
        work += work_of(drops, d);
    dew_DropPlace place = {0, 0};
    for (int64_t k = 0, d = 0; k < PART_COUNT; k++) {
        Part *part = &parts->part[k];
        part->first = d;
        part->place = place;
        for (; d < count && (k + 1 == PART_COUNT || done * PART_COUNT < work * (k + 1)); d++) {
            done += work_of(drops, d);
            place = dew_drop_next_place(drops, d, place);
        }
        part->end = d;
    }
}

static void add_part(Part *to, const Part *from)
{
    dew_Measure *a = &to->measure;
    const dew_Measure *b = &from->measure;
    for (int k = 0; k < SUM_COUNT; k++)
        dew_exact_merge(&to->sum[k], &from->sum[k]);
    a->top_m = fmax(a->top_m, b->top_m);
    a->max_speed_m_s = b->max_speed_m_s <= a->max_speed_m_s ? a->max_speed_m_s : b->max_speed_m_s;
    a->contact_angle_min_rad = fmin(a->contact_angle_min_rad, b->contact_angle_min_rad);
    a->contact_angle_max_rad = fmax(a->contact_angle_max_rad, b->contact_angle_max_rad);
    a->sleeping += b->sleeping;
}

void dew_surface_solver_measure(const dew_Problem *problem, const dew_SolverState *state,
                                const dew_Instant *instant, dew_Measure *out)
{
    (void)problem;
    Parts parts = {.state = state};
    divide(&parts);
    dew_Status status = dew_parallel_for(state->tasks, PART_COUNT, 1, measure_part, &parts);
    DEW_ASSERT(status.code == DEW_OK);  // no part can fail
    (void)status;
    Part *all = &parts.part[0];
    for (int k = 1; k < PART_COUNT; k++)
        add_part(all, &parts.part[k]);
    *out = all->measure;
    out->drops = dew_drop_count(&state->drops);
    out->elements = state->drops.triangles.count;
    double total[SUM_COUNT];
    for (int k = 0; k < SUM_COUNT; k++)
        total[k] = dew_exact_round(&all->sum[k]);
    out->volume_m3 = total[VOLUME];
    out->area_m2 = total[AREA];
    out->contact_area_m2 = total[CONTACT];
    out->kinetic_J = total[KINETIC];
    out->surface_J = state->params.sigma_N_m * (total[AREA] - total[CONTACT]);
    dew_Vec3 first = dew_vec(total[X], total[Y], total[Z]);
    out->gravity_J = -state->params.rho_kg_m3 * dew_inner(instant->gravity_m_s2, first);
    if (total[VOLUME] > 0) {
        out->center_m = dew_scale(1 / total[VOLUME], first);
        out->velocity_m_s = dew_scale(1 / total[VOLUME], dew_vec(total[VX], total[VY], total[VZ]));
    }
    if (total[LINE] > 0)
        out->contact_angle_rad = total[ANGLE] / total[LINE];
}

static void fill_vertices(const dew_Problem *problem, const dew_SolverState *state,
                          const dew_Instant *instant, dew_Surface *out)
{
    const uint8_t *labels = DEW_ITEMS(&state->drops.labels, uint8_t);
    for (int64_t i = 0; i < state->drops.positions.count; i++) {
        bool is_wet = is_on_solid(labels[i]);
        DEW_ITEMS(&out->wet, float)[i] = is_wet ? 1.0F : 0.0F;
        if (!is_wet || out->is_images_only)
            continue;
        dew_Vec3 x = DEW_ITEMS(&state->drops.positions, dew_Vec3)[i];
        dew_SolidPoint p = dew_problem_nearest(problem, instant, x, state->params.edge_m);
        if (p.solid_id != DEW_INVALID)
            DEW_ITEMS(&out->solid_normals, dew_Vec3)[i] = p.normal;
    }
}

dew_Status dew_surface_solver_surface(const dew_Problem *problem, const dew_SolverState *state,
                                      const dew_Instant *instant, dew_Surface *out)
{
    const dew_DropStore *drops = &state->drops;
    dew_surface_clear(out);
    DEW_TRY(dew_surface_resize(out, drops->positions.count, drops->triangles.count));
    size_t size = (size_t)drops->positions.count * sizeof(dew_Vec3);
    if (size > 0) {
        memcpy(out->positions.data, drops->positions.data, size);
        memcpy(out->velocities.data, drops->velocities.data, size);
    }
    fill_vertices(problem, state, instant, out);
    dew_DropPlace place = {0, 0};
    dew_Triangle *to = DEW_ITEMS(&out->triangles, dew_Triangle);
    for (int64_t d = 0; d < dew_drop_count(drops); d++) {
        dew_DropView drop = dew_drop_view(drops, d, place);
        for (int64_t k = 0; k < drop.counts.triangle_count; k++)
            for (int c = 0; c < 3; c++)
                to[place.first_triangle + k].v[c] =
                    drop.triangles[k].v[c] + (uint32_t)place.first_vertex;
        place = dew_drop_next_place(drops, d, place);
    }
    dew_stage_end(out->clock, DEW_SURFACE_MESH);
    if (!out->is_images_only && !out->is_unwritten)
        DEW_TRY(dew_surface_untangle(out, state->tasks, NULL));
    dew_stage_end(out->clock, DEW_SURFACE_CROSSINGS);
    return dew_surface_finish(out);
}
