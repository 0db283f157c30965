// Drops that touch become one. [Zhang2011] section 5.1
//
// Pairs of boxes that overlap are looked at in a fixed order; a drop that came of a merge goes to
// the end of the list and is looked at against all others, until none touch. The larger drop gives
// its id. The sums of volume, feed and momentum go to the new drop; the volume that the union
// itself lost or gained is put right by the global correction.
#include "base/status.h"
#include "solvers/surface/drop_nozzle.h"
#include "solvers/surface/surface_state.h"

#define PARTED_S 0.1   // after this a piece may merge again with the drop it came off
#define GAP      0.02  // edges: drops nearer than this touch
#define FINEST   0.7   // of the larger drop's edges: those of what the two become,
#define SMALL    0.2   // of its volume: a smaller one does not make them shorter
#define LITTLE   0.01  // of its volume: is swallowed where the union is degenerate

typedef struct Merging {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Instant *instant;
    dew_DropPlace *places;  // of every drop, also those that come of merges
    dew_Box *boxes;
    uint8_t *is_gone;
    int64_t count, capacity;
    int64_t nozzle;  // on which one of the pair hangs; DEW_INVALID: none
    bool has_merged, has_failed;
} Merging;

static bool nearest_solid(void *context, dew_Vec3 p, double reach_m, dew_Closest *out)
{
    const Merging *m = context;
    return dew_drop_nozzle_nearest(m->problem, m->instant, m->nozzle, p, reach_m, out);
}

static bool boxes_meet(dew_Box a, dew_Box b, double gap)
{
    return a.min.x <= b.max.x + gap && b.min.x <= a.max.x + gap && a.min.y <= b.max.y + gap &&
           b.min.y <= a.max.y + gap && a.min.z <= b.max.z + gap && b.min.z <= a.max.z + gap;
}

static dew_RemeshDrop arrays_of(dew_DropWork *work)
{
    return (dew_RemeshDrop){.positions = &work->positions,
                            .velocities = &work->velocities,
                            .labels = &work->labels,
                            .triangles = &work->triangles};
}

/// A piece that came off and still touches: not merged again until it has parted.
static bool just_parted(const dew_DropView *a, const dew_DropView *b)
{
    return (a->counts.parted_from == b->counts.id && a->values.parted_s < PARTED_S) ||
           (b->counts.parted_from == a->counts.id && b->values.parted_s < PARTED_S);
}

static dew_Status load(Merging *m, int64_t drop, dew_DropWork *work, dew_Vec3 *momentum,
                       dew_Vec3 *center)
{
    dew_DropView view = dew_drop_view(&m->state->drops, drop, m->places[drop]);
    DEW_TRY(dew_drop_work_load(work, &m->state->params, &view));
    DEW_TRY(dew_drop_connect(work));
    work->instant = *m->instant;
    dew_drop_measure_at(work, work->x);
    dew_Vec3 u = work->flags.has_velocity ? work->values.velocity_m_s
                                          : dew_drop_mean_velocity(work, work->v);
    *momentum = dew_add_scaled(*momentum, work->values.volume_m3, u);
    *center = dew_add_scaled(*center, work->values.volume_m3, work->center_m);
    return dew_ok();
}

/// Adds a drop to the end of the list.
static dew_Status add_drop(Merging *m, dew_DropView *view)
{
    DEW_ASSERT(m->count < m->capacity);
    dew_DropStore *drops = &m->state->drops;
    if (view->counts.id == DEW_INVALID)
        view->counts.id = m->state->next_id++;
    dew_DropPlace place = {drops->positions.count, drops->triangles.count};
    DEW_TRY(dew_drop_store_append(drops, view));
    m->places[m->count] = place;
    m->boxes[m->count] = dew_drop_view_box(view);
    m->is_gone[m->count] = 0;
    m->count++;
    return dew_ok();
}

/// The new drop's values from those of the two.
static void inherit(dew_DropWork *to, const dew_DropView *a, const dew_DropView *b)
{
    const dew_DropView *large = a->values.volume_m3 >= b->values.volume_m3 ? a : b;
    to->values = (dew_DropValues){.volume_m3 = a->values.volume_m3 + b->values.volume_m3,
                                  .feed_m3 = a->values.feed_m3 + b->values.feed_m3};
    to->counts = (dew_DropCounts){.id = large->counts.id,
                                  .inflow = large->counts.inflow,
                                  .parted_from = DEW_INVALID,
                                  .watch_steps = DEW_WATCH_STEPS_MERGED};
    to->flags = (dew_DropFlags){0};
    if (to->counts.inflow == DEW_INVALID)
        to->counts.inflow = a == large ? b->counts.inflow : a->counts.inflow;
}

/// momentum and center: sums over both, times volume.
static dew_Status finish(Merging *m, dew_DropWork *work, dew_Vec3 momentum, dew_Vec3 center)
{
    DEW_TRY(dew_array_resize(&work->clearances, work->positions.count));
    for (int64_t i = 0; i < work->clearances.count; i++)
        DEW_ITEMS(&work->clearances, double)[i] = 0;
    work->counts.vertex_count = work->positions.count;
    work->counts.triangle_count = work->triangles.count;
    work->is_connected = false;
    work->edge_m = dew_drop_wanted_edge_m(work);
    DEW_TRY(dew_drop_connect(work));
    dew_drop_reattach_to_nozzle(work);
    dew_drop_correct_volume(work);
    if (dew_drop_is_in_air(work))
        dew_drop_shift(work, dew_sub(dew_scale(1 / work->values.volume_m3, center),
                                     dew_drop_center(work, work->x)));
    dew_drop_measure_at(work, work->x);
    dew_Vec3 wanted = dew_scale(1 / work->values.volume_m3, momentum);
    work->values.velocity_m_s = wanted;
    work->flags.has_velocity = 1;
    dew_drop_shift_velocities(work->v, work->label, work->n, dew_drop_mean_velocity(work, work->v),
                              wanted);
    // Where the union left no room to put the volume right, the drop is made anew.
    dew_Status status = dew_drop_check(work);
    if (status.code == DEW_DIVERGED)
        work->flags.has_failed = m->has_failed = 1;
    dew_DropView view = dew_drop_work_view(work);
    return add_drop(m, &view);
}

/// A large drop is not made fine all over by a small one.
static double edge_of_both(const dew_DropWork *a, const dew_DropWork *b)
{
    double fine = fmin(a->edge_m, b->edge_m), coarse = fmax(a->edge_m, b->edge_m);
    double small = fmin(a->values.volume_m3, b->values.volume_m3);
    double large = fmax(a->values.volume_m3, b->values.volume_m3);
    return fmax(fine, (small < SMALL * large ? 1 : FINEST) * coarse);
}

static dew_Status try_pair(Merging *m, int64_t i, int64_t j)
{
    dew_SolverState *state = m->state;
    dew_DropView a = dew_drop_view(&state->drops, i, m->places[i]);
    dew_DropView b = dew_drop_view(&state->drops, j, m->places[j]);
    if ((a.flags.is_asleep && b.flags.is_asleep) || just_parted(&a, &b))
        return dew_ok();
    m->nozzle = a.counts.inflow != DEW_INVALID ? a.counts.inflow : b.counts.inflow;
    dew_DropWork *first = &state->merged, *second = &state->spaces[0].work;
    dew_Vec3 momentum = {0, 0, 0}, center = {0, 0, 0};
    DEW_TRY(load(m, i, first, &momentum, &center));
    DEW_TRY(load(m, j, second, &momentum, &center));
    dew_MergeDef def = dew_default_merge_def(edge_of_both(first, second));
    def.gap_m = GAP * def.edge_m;
    def.swallows = LITTLE;
    def.solids = (dew_DropSolids){nearest_solid, m};
    dew_RemeshDrop one = arrays_of(first), two = arrays_of(second);
    dew_MergeResult result;
    DEW_TRY(dew_merge_drops(state->merge, &def, &one, &two, &one, &result));
    if (result.kind == DEW_DROPS_APART)
        return dew_ok();
    inherit(first, &a, &b);
    DEW_TRY(finish(m, first, momentum, center));
    m->is_gone[i] = m->is_gone[j] = 1;
    m->has_merged = true;
    return dew_ok();
}

/// Takes the drops that are gone out of the store.
static dew_Status sweep_out(Merging *m)
{
    dew_SolverState *state = m->state;
    int64_t first = 0;
    while (!m->is_gone[first])
        first++;
    dew_drop_store_clear(&state->next);
    for (int64_t d = first; d < m->count; d++) {
        if (m->is_gone[d])
            continue;
        dew_DropView view = dew_drop_view(&state->drops, d, m->places[d]);
        DEW_TRY(dew_drop_store_append(&state->next, &view));
    }
    return dew_surface_solver_replace_from(state, first, m->places[first]);
}

static dew_Status begin(Merging *m, dew_Step *step)
{
    dew_DropStore *drops = &m->state->drops;
    m->count = dew_drop_count(drops);
    m->capacity = 2 * m->count;  // each merge takes two and gives one
    m->places = dew_arena_array(step->scratch, dew_DropPlace, m->capacity);
    m->boxes = dew_arena_array(step->scratch, dew_Box, m->capacity);
    m->is_gone = dew_arena_array(step->scratch, uint8_t, m->capacity);
    if (!m->places || !m->boxes || !m->is_gone)
        return dew_no_memory((size_t)m->capacity * (sizeof *m->boxes + sizeof *m->places + 1));
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < m->count; d++) {
        m->places[d] = place;
        dew_DropView view = dew_drop_view(drops, d, place);
        m->boxes[d] = dew_drop_view_box(&view);
        place = dew_drop_next_place(drops, d, place);
    }
    return dew_ok();
}

dew_Status dew_surface_solver_merge(const dew_Problem *problem, dew_SolverState *state,
                                    dew_Step *step)
{
    if (dew_drop_count(&state->drops) < 2)
        return dew_ok();
    Merging m = {.problem = problem, .state = state, .instant = step->instant};
    DEW_TRY(begin(&m, step));
    int64_t born = m.count;
    double gap = GAP * state->params.edge_m;
    DEW_TRY(dew_merge_broad_phase_run(state->broad_phase, m.boxes, m.count, gap));
    const dew_MergePair *pairs = dew_merge_broad_phase_pairs(state->broad_phase);
    for (int64_t k = 0; k < dew_merge_broad_phase_pair_count(state->broad_phase); k++)
        if (!m.is_gone[pairs[k].first] && !m.is_gone[pairs[k].second])
            DEW_TRY(try_pair(&m, pairs[k].first, pairs[k].second));
    for (int64_t i = born; i < m.count; i++)
        for (int64_t j = 0; j < i && !m.is_gone[i]; j++)
            if (!m.is_gone[j] && boxes_meet(m.boxes[i], m.boxes[j], gap))
                DEW_TRY(try_pair(&m, j, i));
    if (m.has_merged)
        DEW_TRY(sweep_out(&m));
    return m.has_failed ? dew_surface_solver_repair(problem, state, step) : dew_ok();
}
