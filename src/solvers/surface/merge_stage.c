// Drops that touch become one. [Zhang2011] section 5.1
//
// In rounds: pairs of drops whose boxes overlap are tested, those that touch are matched in a fixed
// order so that no drop is in two of them, and each pair becomes one drop, which goes to the end of
// the list and is tested against all others in the next round, until none touch. Pairs of a round
// have nothing in common and are merged in parallel; n drops that run together take about log n
// rounds, so that the cost does not grow with the square of their number. The larger drop gives its
// id. The sums of volume, feed and momentum go to the new drop; the volume that the union
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
    dew_Step *step;
    dew_DropPlace *places;  // of every drop, also those that come of merges
    dew_Box *boxes;
    uint8_t *is_gone;
    int32_t *round_of;  // per drop: the round in which it was matched
    int64_t count, capacity;
    bool has_merged, has_failed;
} Merging;

/// A pair while it is merged.
typedef struct Couple {
    const Merging *m;
    dew_DropWorkspace *space;
    int64_t nozzle;  // on which one of the pair hangs; DEW_INVALID: none
} Couple;

static bool nearest_solid(void *context, dew_Vec3 p, double reach_m, dew_Closest *out)
{
    const Couple *c = context;
    return dew_drop_nozzle_nearest(c->m->problem, c->m->step->instant, c->nozzle, p, reach_m, out);
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

static dew_DropView view_of(const Merging *m, int64_t drop)
{
    return dew_drop_view(&m->state->drops, drop, m->places[drop]);
}

/// Prepares a drop for the merge and adds its momentum and center, times volume.
static dew_Status prepare(const Merging *m, dew_DropWork *work, dew_Vec3 *momentum,
                          dew_Vec3 *center)
{
    DEW_TRY(dew_drop_connect(work));
    work->instant = *m->step->instant;
    dew_drop_measure_at(work, work->x);
    dew_Vec3 u = work->flags.has_velocity ? work->values.velocity_m_s
                                          : dew_drop_mean_velocity(work, work->v);
    *momentum = dew_add_scaled(*momentum, work->values.volume_m3, u);
    *center = dew_add_scaled(*center, work->values.volume_m3, work->center_m);
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
static dew_Status finish(dew_DropWork *work, dew_Vec3 momentum, dew_Vec3 center)
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
        work->flags.has_failed = 1;
    return status.code == DEW_DIVERGED ? dew_ok() : status;
}

/// A large drop is not made fine all over by a small one.
static double edge_of_both(const dew_DropWork *a, const dew_DropWork *b)
{
    double fine = fmin(a->edge_m, b->edge_m), coarse = fmax(a->edge_m, b->edge_m);
    double small = fmin(a->values.volume_m3, b->values.volume_m3);
    double large = fmax(a->values.volume_m3, b->values.volume_m3);
    return fmax(fine, (small < SMALL * large ? 1 : FINEST) * coarse);
}

/// Loads the pair into the workspace; how the two merge.
static dew_Status load_pair(Couple *c, const dew_DropView *a, const dew_DropView *b,
                            dew_MergeDef *def)
{
    dew_DropWork *first = &c->space->work, *second = &c->space->second;
    const dew_SurfaceSolverParams *params = &c->m->state->params;
    DEW_TRY(dew_drop_work_load(first, params, a));
    DEW_TRY(dew_drop_work_load(second, params, b));
    c->nozzle = a->counts.inflow != DEW_INVALID ? a->counts.inflow : b->counts.inflow;
    *def = dew_default_merge_def(edge_of_both(first, second));
    def->gap_m = GAP * def->edge_m;
    def->swallows = LITTLE;
    def->solids = (dew_DropSolids){nearest_solid, c};
    return dew_ok();
}

static dew_Status test_pair(Couple *c, dew_MergePair pair, bool *meet)
{
    dew_DropView a = view_of(c->m, pair.first), b = view_of(c->m, pair.second);
    dew_MergeDef def;
    DEW_TRY(load_pair(c, &a, &b, &def));
    dew_RemeshDrop one = arrays_of(&c->space->work), two = arrays_of(&c->space->second);
    return dew_merge_meet(c->space->merge, &def, &one, &two, meet);
}

static dew_Status merge_pair(Couple *c, dew_MergePair pair, dew_DropStore *out)
{
    dew_DropWork *first = &c->space->work, *second = &c->space->second;
    dew_DropView a = view_of(c->m, pair.first), b = view_of(c->m, pair.second);
    dew_Vec3 momentum = {0, 0, 0}, center = {0, 0, 0};
    dew_MergeDef def;
    DEW_TRY(load_pair(c, &a, &b, &def));
    DEW_TRY(prepare(c->m, first, &momentum, &center));
    DEW_TRY(prepare(c->m, second, &momentum, &center));
    dew_RemeshDrop one = arrays_of(first), two = arrays_of(second);
    dew_MergeResult result;
    DEW_TRY(dew_merge_drops(c->space->merge, &def, &one, &two, &one, &result));
    DEW_ASSERT(result.kind != DEW_DROPS_APART);  // test_pair has found that they meet
    inherit(first, &a, &b);
    DEW_TRY(finish(first, momentum, center));
    dew_DropView view = dew_drop_work_view(first);
    return dew_drop_store_append(out, &view);
}

// ---- rounds ------------------------------------------------------------------------------------

typedef struct Round {
    const Merging *m;
    const dew_MergePair *pairs;
    bool *meet;  // per pair, of a test; NULL: the pairs are merged
} Round;

static dew_Status run_pairs(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    const Round *round = context;
    dew_SolverState *state = round->m->state;
    dew_DropStore *out = &state->groups[chunk].out;
    dew_drop_store_clear(out);
    Couple c = {.m = round->m, .space = dew_surface_solver_take_for_merge(state)};
    if (!c.space)
        return dew_no_memory(sizeof *c.space);
    dew_Status status = dew_ok();
    for (int64_t k = begin; k < end && status.code == DEW_OK; k++)
        status = round->meet ? test_pair(&c, round->pairs[k], &round->meet[k])
                             : merge_pair(&c, round->pairs[k], out);
    dew_surface_solver_return_workspace(state, c.space);
    return status;
}

static dew_Status run_round(const Round *round, int64_t count)
{
    dew_Step *step = round->m->step;
    dew_stage_end(step->clock, DEW_STAGE_PAIRS);
    DEW_TRY(dew_parallel_for(step->tasks, count, dew_surface_solver_chunk(count), run_pairs,
                             (void *)(uintptr_t)round));
    dew_stage_end(step->clock, DEW_STAGE_MERGE);
    return dew_ok();
}

/// Of the candidates those that meet stay, and of these those that no other pair of the round has a
/// drop in common with are matched.
static dew_Status match(Merging *m, int32_t round_index)
{
    dew_Array *all = &m->state->candidates, *matched = &m->state->matched;
    dew_MergePair *pairs = DEW_ITEMS(all, dew_MergePair);
    Round round = {.m = m, .pairs = pairs};
    round.meet = dew_arena_array(m->step->scratch, bool, all->count);
    if (!round.meet)
        return dew_no_memory((size_t)all->count);
    DEW_TRY(run_round(&round, all->count));
    matched->count = 0;
    int64_t waiting = 0;
    for (int64_t k = 0; k < all->count; k++) {
        dew_MergePair p = pairs[k];
        if (!round.meet[k])
            continue;
        if (m->round_of[p.first] == round_index || m->round_of[p.second] == round_index) {
            pairs[waiting++] = p;
            continue;
        }
        m->round_of[p.first] = m->round_of[p.second] = round_index;
        DEW_TRY(dew_array_push(matched, &p));
    }
    all->count = waiting;
    return dew_ok();
}

static dew_Status add_candidate(const Merging *m, dew_MergePair pair)
{
    dew_DropView a = view_of(m, pair.first), b = view_of(m, pair.second);
    return just_parted(&a, &b) ? dew_ok() : dew_array_push(&m->state->candidates, &pair);
}

/// Pairs that were not matched and still exist, and those of the drops from `born` on.
static dew_Status find_candidates(Merging *m, int64_t born, double gap)
{
    dew_Array *all = &m->state->candidates;
    dew_MergePair *pairs = DEW_ITEMS(all, dew_MergePair);
    int64_t left = 0;
    for (int64_t k = 0; k < all->count; k++)
        if (!m->is_gone[pairs[k].first] && !m->is_gone[pairs[k].second])
            pairs[left++] = pairs[k];
    all->count = left;
    for (int64_t i = born; i < m->count; i++)
        for (int64_t j = 0; j < i; j++)
            if (!m->is_gone[j] && boxes_meet(m->boxes[i], m->boxes[j], gap))
                DEW_TRY(add_candidate(m, (dew_MergePair){(uint32_t)j, (uint32_t)i}));
    return dew_ok();
}

/// Adds a drop to the end of the list.
static dew_Status add_drop(Merging *m, const dew_DropView *view)
{
    DEW_ASSERT(m->count < m->capacity);
    dew_DropStore *drops = &m->state->drops;
    dew_DropPlace place = {drops->positions.count, drops->triangles.count};
    DEW_TRY(dew_drop_store_append(drops, view));
    m->places[m->count] = place;
    m->boxes[m->count] = dew_drop_view_box(view);
    m->is_gone[m->count] = 0;
    m->count++;
    return dew_ok();
}

/// Merges the matched pairs and adds what they became to the end of the list.
static dew_Status merge_matched(Merging *m)
{
    const dew_Array *matched = &m->state->matched;
    const dew_MergePair *pairs = DEW_ITEMS(matched, dew_MergePair);
    Round round = {.m = m, .pairs = pairs};
    DEW_TRY(run_round(&round, matched->count));
    int64_t size = dew_surface_solver_chunk(matched->count);
    for (int64_t chunk = 0; chunk < dew_chunk_count(matched->count, size); chunk++) {
        const dew_DropStore *out = &m->state->groups[chunk].out;
        dew_DropPlace place = {0, 0};
        for (int64_t d = 0; d < dew_drop_count(out); d++) {
            dew_DropView view = dew_drop_view(out, d, place);
            place = dew_drop_next_place(out, d, place);
            m->has_failed = m->has_failed || view.flags.has_failed;
            DEW_TRY(add_drop(m, &view));
        }
    }
    for (int64_t k = 0; k < matched->count; k++)
        m->is_gone[pairs[k].first] = m->is_gone[pairs[k].second] = 1;
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

/// Pairs with overlapping boxes that could merge: not of two sleepers, nor of a piece and the drop
/// it came off.
static dew_Status find_pairs(Merging *m, double gap)
{
    dew_SolverState *state = m->state;
    const dew_DropFlags *flags = DEW_ITEMS(&state->drops.flags, dew_DropFlags);
    DEW_TRY(dew_merge_broad_phase_run(state->broad_phase, m->boxes, m->count, gap));
    const dew_MergePair *pairs = dew_merge_broad_phase_pairs(state->broad_phase);
    state->candidates.count = 0;
    for (int64_t k = 0; k < dew_merge_broad_phase_pair_count(state->broad_phase); k++) {
        dew_MergePair p = pairs[k];
        if (!flags[p.first].is_asleep || !flags[p.second].is_asleep)
            DEW_TRY(add_candidate(m, p));
    }
    return dew_ok();
}

static dew_Status begin(Merging *m)
{
    dew_DropStore *drops = &m->state->drops;
    dew_Arena *scratch = m->step->scratch;
    m->count = dew_drop_count(drops);
    m->capacity = 2 * m->count;  // each merge takes two and gives one
    m->places = dew_arena_array(scratch, dew_DropPlace, m->capacity);
    m->boxes = dew_arena_array(scratch, dew_Box, m->capacity);
    m->is_gone = dew_arena_array(scratch, uint8_t, m->capacity);
    m->round_of = dew_arena_array(scratch, int32_t, m->capacity);
    if (!m->places || !m->boxes || !m->is_gone || !m->round_of)
        return dew_no_memory((size_t)m->capacity * (sizeof *m->boxes + sizeof *m->places + 5));
    dew_DropPlace place = {0, 0};
    for (int64_t d = 0; d < m->count; d++) {
        m->places[d] = place;
        const dew_DropValues *values = &DEW_ITEMS(&drops->values, dew_DropValues)[d];
        if (DEW_ITEMS(&drops->flags, dew_DropFlags)[d].is_asleep && values->rest.volume_m3 > 0) {
            m->boxes[d] = (dew_Box){values->rest.min_m, values->rest.max_m};
        } else {
            dew_DropView view = dew_drop_view(drops, d, place);
            m->boxes[d] = dew_drop_view_box(&view);
        }
        place = dew_drop_next_place(drops, d, place);
    }
    return dew_ok();
}

dew_Status dew_surface_solver_merge(const dew_Problem *problem, dew_SolverState *state,
                                    dew_Step *step)
{
    if (dew_drop_count(&state->drops) < 2)
        return dew_ok();
    Merging m = {.problem = problem, .state = state, .step = step};
    double gap = GAP * state->params.edge_m;
    DEW_TRY(begin(&m));
    DEW_TRY(find_pairs(&m, gap));
    for (int32_t round = 1; state->candidates.count > 0; round++) {
        int64_t born = m.count;
        DEW_TRY(match(&m, round));
        if (state->matched.count == 0)
            break;
        DEW_TRY(merge_matched(&m));
        DEW_TRY(find_candidates(&m, born, gap));
    }
    if (m.has_merged)
        DEW_TRY(sweep_out(&m));
    return m.has_failed ? dew_surface_solver_repair(problem, state, step) : dew_ok();
}
