// Drops in trouble are made anew, so that a run does not end because of one of them.
//
// The model keeps a drop's volume as a whole, not everywhere: where liquid is pressed against an edge or a
// drop shears another on impact, one side of the mesh can run through another. Such a drop is rebuilt from
// its distance field (rebuild.h), which joins what overlaps and parts what has no thickness. A drop whose
// step has failed is treated so as well; if that does not help, its deformation is stopped; if it fails
// again, it becomes round. Its volume and momentum stay.
#include "base/status.h"
#include "geom/shapes.h"
#include "solvers/surface/nozzle.h"
#include "solvers/surface/state.h"

#define MUST_BE_STILL 2.0  // trouble from which its deformation is stopped
#define MUST_BE_ROUND 3.0  // and from which its shape is given up
#define WORTHLESS     0.2  // of the volume: a rebuilt mesh with less is no likeness
#define TIRING                                                                                     \
    4.0  // steps of fatigue: so long it is left alone before it is looked at again, at least

typedef struct Mending {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Moment *moment;
    int64_t nozzle;  // on which the drop hangs; DEW_INVALID: none
} Mending;

static bool nearest_solid(void *context, dew_Vec3 p, double reach_m, dew_Closest *out)
{
    const Mending *m = context;
    return dew_nozzle_nearest(m->problem, m->moment, m->nozzle, p, reach_m, out);
}

static dew_Vec3 middle(const dew_DropWork *work)
{
    dew_Vec3 sum = {0, 0, 0};
    for (int64_t i = 0; i < work->positions.count; i++)
        sum = dew_add(sum, DEW_ITEMS(&work->positions, dew_Vec3)[i]);
    return dew_scale(1 / (double)work->positions.count, sum);
}

/// A ball of the drop's volume about where it is, outside of solids.
static dew_Status make_round(const Mending *m, dew_DropWork *work)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &m->state->allocator);
    double r = dew_drop_radius_m(work);
    dew_Vec3 center = middle(work);
    dew_SolidPoint p = dew_problem_nearest(m->problem, m->moment, center, 2 * r);
    if (p.solid_id != DEW_INVALID && p.distance_m < r)
        center = dew_add_scaled(p.point_m, r, p.normal);
    dew_Status status = dew_shape_sphere(r, work->edge_m, &mesh);
    if (status.code == DEW_OK) {
        dew_mesh_transform(&mesh, 1, dew_rotation_identity(), center);
        dew_DropView view = {.values = work->values,
                             .counts = work->counts,
                             .positions = dew_mesh_positions(&mesh),
                             .triangles = dew_mesh_triangles(&mesh)};
        view.counts.vertex_count = mesh.positions.count;
        view.counts.triangle_count = mesh.triangles.count;
        view.counts.inflow = DEW_INVALID;
        status = dew_drop_work_load(work, &m->state->laws, &view);
    }
    dew_mesh_deinit(&mesh);
    return status;
}

/// From its distance field; round where no likeness is left.
static dew_Status make_anew(const Mending *m, dew_DropWork *work)
{
    dew_RemeshDrop drop = {.positions = &work->positions,
                           .velocities = &work->velocities,
                           .labels = &work->labels,
                           .triangles = &work->triangles};
    dew_DropRebuildDef def = {.edge_m = work->edge_m,
                              .solids = {nearest_solid, (void *)(uintptr_t)m}};
    dew_DropRebuildResult result;
    dew_Status status = dew_drop_rebuild(m->state->rebuild, &def, &drop, 1, &drop, &result);
    if (status.code == DEW_NO_MEMORY)
        return status;
    if (status.code != DEW_OK || !(result.volume_m3 > WORTHLESS * work->values.volume_m3))
        return make_round(m, work);
    return dew_ok();
}

/// The drop in `work` as it goes on: momentum as before, nothing known of solids and pressure.
static dew_Status settle(const Mending *m, dew_DropWork *work, bool is_still, dew_DropStore *others)
{
    DEW_TRY(dew_array_resize(&work->clearances, work->positions.count));
    for (int64_t i = 0; i < work->clearances.count; i++)
        DEW_ITEMS(&work->clearances, double)[i] = 0;
    work->counts.vertex_count = work->positions.count;
    work->counts.triangle_count = work->triangles.count;
    work->counts.is_asleep = 0;
    work->values.pressure_Pa = work->values.area_m2 = work->values.calm_s = 0;
    work->values.has_failed = work->values.whole_for = 0;
    work->values.fatigue += TIRING;
    work->moment = *m->moment;
    DEW_TRY(dew_drop_connect(work));
    dew_drop_measure_at(work, work->x);
    dew_Vec3 u = work->values.velocity_m_s;
    dew_velocities_carry(work->v, work->label, work->n, dew_drop_mean_velocity(work, work->v), u);
    for (int64_t i = 0; i < work->n && is_still; i++)
        work->v[i] = u;
    dew_drop_correct_volume(work);
    DEW_TRY(dew_drop_resample(work, others));
    dew_drop_correct_volume(work);
    return dew_drop_check(work);
}

static dew_Status correct_piece(dew_DropWork *work)
{
    DEW_TRY(dew_drop_connect(work));
    dew_drop_correct_volume(work);
    return dew_drop_check(work);
}

/// A piece that came off while the drop was mended; round where it cannot have its volume as it is.
static dew_Status settle_piece(const Mending *m, dew_DropWork *work)
{
    dew_Status status = correct_piece(work);
    if (status.code != DEW_DIVERGED)
        return status;
    DEW_TRY(make_round(m, work));
    return correct_piece(work);
}

static dew_Status mend(Mending *m, const dew_DropView *drop, dew_DropStore *out)
{
    m->nozzle = drop->counts.inflow;
    dew_SolverState *state = m->state;
    dew_DropWork *work = &state->merged;
    dew_DropStore *others = &state->spaces[0].pending;
    dew_drop_store_clear(others);
    DEW_TRY(dew_drop_work_load(work, &state->laws, drop));
    DEW_TRY(dew_drop_connect(work));
    dew_Vec3 center = dew_drop_center(work, work->x);
    bool has_failed = drop->values.has_failed != 0;

    if (has_failed && drop->values.trouble >= MUST_BE_ROUND)
        DEW_TRY(make_round(m, work));
    else
        DEW_TRY(make_anew(m, work));
    bool is_still = has_failed && drop->values.trouble >= MUST_BE_STILL;
    dew_Status status = settle(m, work, is_still, others);
    if (status.code == DEW_DIVERGED) {  // what was made is not sound either
        DEW_TRY(dew_drop_work_load(work, &state->laws, drop));
        DEW_TRY(make_round(m, work));
        dew_drop_store_clear(others);
        status = settle(m, work, true, others);
    }
    DEW_TRY(status);
    if (dew_drop_is_in_air(work) && dew_drop_count(others) == 0 && !has_failed)
        dew_drop_shift(work, dew_sub(center, dew_drop_center(work, work->x)));
    dew_DropView view = dew_drop_work_view(work);
    DEW_TRY(dew_drop_store_append(out, &view));
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < dew_drop_count(others); d++) {
        view = dew_drop_view(others, d, place);
        place = dew_drop_next_place(others, d, place);
        DEW_TRY(dew_drop_work_load(work, &state->laws, &view));
        DEW_TRY(settle_piece(m, work));
        view = dew_drop_work_view(work);
        view.counts.id = state->next_id++;
        DEW_TRY(dew_drop_store_append(out, &view));
    }
    return dew_ok();
}

/// A drop that failed is mended; one that may be folded, if it runs into itself. One that was made anew is left alone for
/// a while, the longer the more often that was in vain; one that sleeps is looked at once.
static dew_Status must_mend(const Mending *m, const dew_DropView *drop, bool *out)
{
    *out = drop->values.has_failed != 0;
    bool is_suspect = drop->values.trouble >= DEW_TROUBLE_FOLDED ||
                      (m->state->laws.merge_self && !drop->counts.is_asleep);
    bool must_wait = drop->values.whole_for < drop->values.fatigue && !drop->counts.is_asleep;
    if (*out || !is_suspect || must_wait)
        return dew_ok();
    dew_DropWork *work = &m->state->merged;
    DEW_TRY(dew_drop_work_load(work, &m->state->laws, drop));
    dew_RemeshDrop arrays = {.positions = &work->positions, .triangles = &work->triangles};
    return dew_drop_self_crosses(m->state->rebuild, &arrays, out);
}

dew_Status dew_drops_mend(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    Mending m = {problem, state, step->moment, DEW_INVALID};
    int64_t count = dew_drop_count(&state->drops), troubled = 0;
    for (int64_t d = 0; d < count; d++) {
        const dew_DropValues *v = &DEW_ITEMS(&state->drops.values, dew_DropValues)[d];
        troubled +=
            v->has_failed != 0 || v->trouble >= DEW_TROUBLE_FOLDED || state->laws.merge_self;
    }
    if (troubled == 0)
        return dew_ok();
    dew_drop_store_clear(&state->next);
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < count; d++) {
        dew_DropView drop = dew_drop_view(&state->drops, d, place);
        place = dew_drop_next_place(&state->drops, d, place);
        bool is_bad;
        DEW_TRY(must_mend(&m, &drop, &is_bad));
        if (drop.counts.is_asleep && !is_bad)
            drop.values.trouble = 0;
        if (is_bad)
            DEW_TRY(mend(&m, &drop, &state->next));
        else
            DEW_TRY(dew_drop_store_append(&state->next, &drop));
    }
    dew_DropStore drops = state->drops;
    state->drops = state->next;
    state->next = drops;
    return dew_ok();
}
