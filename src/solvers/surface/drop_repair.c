// Mesh repair: a drop whose step fails is rebuilt, so that a run does not end because of one drop.
//
// The model keeps a drop's volume as a whole, not everywhere: where liquid is pressed against an
// edge or a drop shears another on impact, one side of the mesh can run through another. Such a
// drop is rebuilt from its distance field (rebuild.h), which joins what overlaps and parts what has
// no thickness. A drop whose step has failed is treated so as well; if that does not help, its
// deformation is stopped; if it fails again, it becomes round. Its volume and momentum stay.
#include "base/status.h"
#include "geom/shapes.h"
#include "solvers/surface/drop_nozzle.h"
#include "solvers/surface/surface_state.h"

#define MEMORY_STEPS             50   // successful steps after which a failure is forgotten
#define FAILURES_TO_STOP         2    // failures from which the drop's deformation is stopped
#define FAILURES_TO_SPHERE       3    // failures from which it becomes a sphere
#define MIN_REBUILT_VOLUME_RATIO 0.2  // of the volume: a rebuilt mesh with less is no likeness

typedef struct Repair {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Instant *instant;
    int64_t nozzle;            // on which the drop hangs; DEW_INVALID: none
    dew_DropWorkspace *space;  // of the calling thread
} Repair;

void dew_drop_count_failure(dew_DropCounts *counts)
{
    int64_t known = counts->failure_count - counts->steps_since_failure / MEMORY_STEPS;
    if (counts->steps_since_failure == 0)
        counts->failure_count++;  // in step after step
    else
        counts->failure_count = known > 1 ? known : 1;
    counts->steps_since_failure = 0;
    counts->watch_steps = MEMORY_STEPS * counts->failure_count - MEMORY_STEPS / 2;
}

void dew_drop_count_success(dew_DropCounts *counts, bool is_suspect)
{
    counts->steps_since_failure++;
    counts->steps_since_rebuild++;
    counts->watch_steps -= counts->watch_steps > 0;
    if (is_suspect && counts->watch_steps == 0)
        counts->watch_steps = 1;
}

static bool nearest_solid(void *context, dew_Vec3 p, double reach_m, dew_Closest *out)
{
    const Repair *m = context;
    return dew_drop_nozzle_nearest(m->problem, m->instant, m->nozzle, p, reach_m, out);
}

static dew_Vec3 middle(const dew_DropWork *work)
{
    dew_Vec3 sum = {0, 0, 0};
    for (int64_t i = 0; i < work->positions.count; i++)
        sum = dew_add(sum, DEW_ITEMS(&work->positions, dew_Vec3)[i]);
    return dew_scale(1 / (double)work->positions.count, sum);
}

/// A ball of the drop's volume about where it is, outside of solids.
static dew_Status make_round(const Repair *m, dew_DropWork *work)
{
    dew_Mesh mesh;
    dew_mesh_init(&mesh, &m->state->allocator);
    double r = dew_drop_radius_m(work);
    dew_Vec3 center = middle(work);
    dew_SolidPoint p = dew_problem_nearest(m->problem, m->instant, center, 2 * r);
    if (p.solid_id != DEW_INVALID && p.distance_m < r)
        center = dew_add_scaled(p.point_m, r, p.normal);
    dew_Status status = dew_shape_sphere(r, work->edge_m, &mesh);
    if (status.code == DEW_OK) {
        dew_mesh_transform(&mesh, 1, dew_rotation_identity(), center);
        dew_DropView view = {.values = work->values,
                             .counts = work->counts,
                             .flags = work->flags,
                             .positions = dew_mesh_positions(&mesh),
                             .triangles = dew_mesh_triangles(&mesh)};
        view.counts.vertex_count = mesh.positions.count;
        view.counts.triangle_count = mesh.triangles.count;
        view.counts.inflow = DEW_INVALID;
        status = dew_drop_work_load(work, &m->state->params, &view);
    }
    dew_mesh_deinit(&mesh);
    return status;
}

/// From its distance field; round where no likeness is left.
static dew_Status make_anew(const Repair *m, dew_DropWork *work)
{
    dew_RemeshDrop drop = {.positions = &work->positions,
                           .velocities = &work->velocities,
                           .labels = &work->labels,
                           .triangles = &work->triangles};
    dew_DropRebuildDef def = {.edge_m = work->edge_m,
                              .solids = {nearest_solid, (void *)(uintptr_t)m}};
    dew_DropRebuildResult result;
    dew_Status status = dew_drop_rebuild(m->space->rebuild, &def, &drop, 1, &drop, &result);
    if (status.code == DEW_NO_MEMORY)
        return status;
    if (status.code != DEW_OK ||
        !(result.volume_m3 > MIN_REBUILT_VOLUME_RATIO * work->values.volume_m3))
        return make_round(m, work);
    return dew_ok();
}

/// The drop in `work` as it goes on: momentum as before, nothing known of solids and pressure.
static dew_Status settle(const Repair *m, dew_DropWork *work, bool is_still, dew_DropStore *others)
{
    DEW_TRY(dew_array_resize(&work->clearances, work->positions.count));
    for (int64_t i = 0; i < work->clearances.count; i++)
        DEW_ITEMS(&work->clearances, double)[i] = 0;
    work->counts.vertex_count = work->positions.count;
    work->counts.triangle_count = work->triangles.count;
    work->flags.is_asleep = 0;
    work->values.pressure_Pa = work->values.area_m2 = work->values.at_rest_s = 0;
    work->flags.has_failed = 0;
    work->counts.steps_since_rebuild = 0;
    work->instant = *m->instant;
    DEW_TRY(dew_drop_connect(work));
    dew_drop_measure_at(work, work->x);
    dew_Vec3 u = work->values.velocity_m_s;
    dew_drop_shift_velocities(work->v, work->label, work->n, dew_drop_mean_velocity(work, work->v),
                              u);
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

/// A piece that split off during the repair; round where it cannot have its volume as it is.
static dew_Status settle_piece(const Repair *m, dew_DropWork *work)
{
    dew_Status status = correct_piece(work);
    if (status.code != DEW_DIVERGED)
        return status;
    DEW_TRY(make_round(m, work));
    return correct_piece(work);
}

/// Where a rebuilt drop in the air and its pieces must go, so that their common centre is the old.
static dew_Vec3 shift_of_center(const dew_DropWork *work, const dew_DropStore *others,
                                dew_Vec3 center)
{
    double volume = work->values.volume_m3;
    dew_Vec3 sum = dew_scale(volume, dew_drop_center(work, work->x));
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < dew_drop_count(others); d++) {
        dew_DropView piece = dew_drop_view(others, d, place);
        place = dew_drop_next_place(others, d, place);
        dew_DropRest rest = dew_drop_view_rest(&piece);
        double part = piece.values.volume_m3;
        volume += part;
        if (rest.volume_m3 > 0)
            sum = dew_add_scaled(sum, part / rest.volume_m3, rest.moment_m4);
    }
    return dew_sub(center, dew_scale(1 / volume, sum));
}

static dew_Status repair(Repair *m, const dew_DropView *drop, dew_DropStore *out)
{
    m->nozzle = drop->counts.inflow;
    dew_SolverState *state = m->state;
    dew_DropWork *work = &m->space->work;
    dew_DropStore *others = &m->space->pending;
    dew_drop_store_clear(others);
    DEW_TRY(dew_drop_work_load(work, &state->params, drop));
    DEW_TRY(dew_drop_connect(work));
    dew_Vec3 center = dew_drop_center(work, work->x);
    bool has_failed = drop->flags.has_failed;

    if (has_failed && drop->counts.failure_count >= FAILURES_TO_SPHERE)
        DEW_TRY(make_round(m, work));
    else
        DEW_TRY(make_anew(m, work));
    bool is_still = has_failed && drop->counts.failure_count >= FAILURES_TO_STOP;
    dew_Status status = settle(m, work, is_still, others);
    if (status.code == DEW_DIVERGED) {  // what was made is not sound either
        DEW_TRY(dew_drop_work_load(work, &state->params, drop));
        DEW_TRY(make_round(m, work));
        dew_drop_store_clear(others);
        status = settle(m, work, true, others);
    }
    DEW_TRY(status);
    dew_Vec3 shift =
        dew_drop_is_in_air(work) ? shift_of_center(work, others, center) : dew_vec(0, 0, 0);
    dew_drop_shift(work, shift);
    dew_DropView view = dew_drop_work_view(work);
    DEW_TRY(dew_drop_store_append(out, &view));
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < dew_drop_count(others); d++) {
        view = dew_drop_view(others, d, place);
        place = dew_drop_next_place(others, d, place);
        DEW_TRY(dew_drop_work_load(work, &state->params, &view));
        DEW_TRY(settle_piece(m, work));
        dew_drop_shift(work, shift);
        view = dew_drop_work_view(work);
        view.counts.id = DEW_INVALID;
        DEW_TRY(dew_drop_store_append(out, &view));
    }
    return dew_ok();
}

/// A drop whose step failed is repaired; so is one that is watched, if its mesh intersects itself.
/// That of a sleeping drop is tested once.
static dew_Status must_repair(const Repair *m, const dew_DropView *drop, bool *out)
{
    *out = drop->flags.has_failed;
    bool is_suspect =
        drop->counts.watch_steps > 0 || (m->state->params.merge_self && !drop->flags.is_asleep);
    if (*out || !is_suspect)
        return dew_ok();
    dew_DropWork *work = &m->space->work;
    DEW_TRY(dew_drop_work_load(work, &m->state->params, drop));
    dew_RemeshDrop arrays = {.positions = &work->positions, .triangles = &work->triangles};
    return dew_drop_self_crosses(m->space->rebuild, &arrays, out);
}

static bool is_suspect(const dew_SolverState *state, int64_t d)
{
    return DEW_ITEMS(&state->drops.flags, dew_DropFlags)[d].has_failed ||
           DEW_ITEMS(&state->drops.counts, dew_DropCounts)[d].watch_steps > 0 ||
           state->params.merge_self;
}

/// Drops from the first suspect on, and what became of them.
typedef struct RepairStage {
    Repair repair;
    int64_t first, count;  // drops
    dew_DropPlace *places;
    int32_t *made;  // per drop: into how many it was made, in the `out` of its chunk; KEPT: none
} RepairStage;

#define KEPT (-1)

static dew_Status repair_drops(const RepairStage *stage, Repair *m, int64_t begin, int64_t end,
                               dew_DropStore *out)
{
    for (int64_t i = begin; i < end; i++) {
        bool is_bad = false;
        stage->made[i] = KEPT;
        if (!is_suspect(m->state, stage->first + i))
            continue;
        dew_DropView drop = dew_drop_view(&m->state->drops, stage->first + i, stage->places[i]);
        DEW_TRY(must_repair(m, &drop, &is_bad));
        if (!is_bad)
            continue;
        int64_t before = dew_drop_count(out);
        DEW_TRY(repair(m, &drop, out));
        stage->made[i] = (int32_t)(dew_drop_count(out) - before);
    }
    return dew_ok();
}

static dew_Status repair_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    const RepairStage *stage = context;
    Repair m = stage->repair;
    dew_DropStore *out = &m.state->groups[chunk].out;
    dew_drop_store_clear(out);
    m.space = dew_surface_solver_take_for_merge(m.state);
    if (!m.space)
        return dew_no_memory(sizeof *m.space);
    dew_Status status = repair_drops(stage, &m, begin, end, out);
    dew_surface_solver_return_workspace(m.state, m.space);
    return status;
}

/// The drops of one chunk, to `next`.
static dew_Status gather_chunk(const RepairStage *stage, int64_t chunk, dew_Step *step)
{
    dew_SolverState *state = stage->repair.state;
    const dew_DropStore *out = &state->groups[chunk].out;
    dew_DropPlace place = {0, 0};
    int64_t size = dew_surface_solver_chunk(stage->count), k = 0;
    for (int64_t i = chunk * size; i < stage->count && i < (chunk + 1) * size; i++) {
        dew_DropView drop = dew_drop_view(&state->drops, stage->first + i, stage->places[i]);
        if (drop.flags.is_asleep)
            drop.counts.failure_count = drop.counts.watch_steps = 0;
        if (stage->made[i] == KEPT)
            DEW_TRY(dew_drop_store_append(&state->next, &drop));
        step->repairs += stage->made[i] != KEPT;
        for (int32_t n = 0; n < stage->made[i]; n++, k++) {
            drop = dew_drop_view(out, k, place);
            place = dew_drop_next_place(out, k, place);
            if (drop.counts.id == DEW_INVALID)
                drop.counts.id = state->next_id++;
            DEW_TRY(dew_drop_store_append(&state->next, &drop));
        }
    }
    return dew_ok();
}

dew_Status dew_surface_solver_repair(const dew_Problem *problem, dew_SolverState *state,
                                     dew_Step *step)
{
    int64_t count = dew_drop_count(&state->drops), first = 0;
    dew_DropPlace place = {0, 0};
    while (first < count && !is_suspect(state, first))
        place = dew_drop_next_place(&state->drops, first++, place);
    if (first == count)
        return dew_ok();
    RepairStage stage = {.repair = {problem, state, step->instant, DEW_INVALID, NULL},
                         .first = first,
                         .count = count - first};
    stage.places = dew_arena_array(step->scratch, dew_DropPlace, stage.count);
    stage.made = dew_arena_array(step->scratch, int32_t, stage.count);
    if (!stage.places || !stage.made)
        return dew_no_memory((size_t)stage.count * (sizeof *stage.places + sizeof *stage.made));
    for (int64_t i = 0; i < stage.count; i++) {
        stage.places[i] = place;
        place = dew_drop_next_place(&state->drops, first + i, place);
    }
    int64_t size = dew_surface_solver_chunk(stage.count);
    dew_stage_end(step->clock, DEW_STAGE_PAIRS);
    DEW_TRY(dew_parallel_for(step->tasks, stage.count, size, repair_chunk, &stage));
    dew_stage_end(step->clock, DEW_STAGE_MERGE);
    dew_drop_store_clear(&state->next);
    for (int64_t chunk = 0; chunk < dew_chunk_count(stage.count, size); chunk++)
        DEW_TRY(gather_chunk(&stage, chunk, step));
    return dew_surface_solver_replace_from(state, first, stage.places[0]);
}
