// Workspaces in which drops are stepped, one per worker; those larger than recent steps needed are
// exchanged for empty ones.
//
// A workspace takes about a kilobyte per vertex of the largest drop that it steps. A thread that
// steps a group of drops takes the first one that is free, so that no more of them grow than
// threads step groups at the same time. Which one a group gets depends on the threads' timing;
// results do not, since a drop is loaded anew into it. At the end of a step the workspaces of all
// workers are made as large as the largest of them: whichever steps the largest drop next time, it
// allocates nothing. What the arena of a workspace needs stands for all of it: its arrays, too,
// have an element per vertex or triangle.
#include "base/status.h"
#include "solvers/surface/surface_state.h"

dew_DropWorkspace *dew_surface_solver_take_workspace(dew_SolverState *state)
{
    unsigned taken = atomic_load_explicit(&state->taken, memory_order_relaxed);
    for (;;) {
        int first = __builtin_ctz(~taken);  // there are as many as groups: one is free
        DEW_ASSERT(first < DEW_DROP_GROUPS);
        if (atomic_compare_exchange_weak_explicit(&state->taken, &taken, taken | 1u << first,
                                                  memory_order_acquire, memory_order_relaxed))
            return &state->spaces[first];
    }
}

void dew_surface_solver_return_workspace(dew_SolverState *state, const dew_DropWorkspace *space)
{
    atomic_fetch_and_explicit(&state->taken, ~(1u << (space - state->spaces)),
                              memory_order_release);
}

void dew_surface_solver_drop_merge_parts(dew_DropWorkspace *space)
{
    if (space->second.remesh)
        dew_drop_work_deinit(&space->second);
    dew_merge_destroy(space->merge);
    dew_drop_rebuild_destroy(space->rebuild);
    space->second = (dew_DropWork){0};
    space->merge = NULL;
    space->rebuild = NULL;
}

dew_DropWorkspace *dew_surface_solver_take_for_merge(dew_SolverState *state)
{
    dew_DropWorkspace *space = dew_surface_solver_take_workspace(state);
    if (space->rebuild)
        return space;
    if (dew_drop_work_init(&space->second, &state->allocator).code == DEW_OK &&
        dew_merge_create(&state->allocator, &space->merge).code == DEW_OK &&
        dew_drop_rebuild_create(&state->allocator, &space->rebuild).code == DEW_OK)
        return space;
    dew_surface_solver_drop_merge_parts(space);
    dew_surface_solver_return_workspace(state, space);
    return NULL;
}

static bool has_excess(dew_DropWork *work, dew_Demand *demand)
{
    dew_Arena *arena = &work->arena;
    bool result = dew_demand_note(demand, arena->peak_bytes, arena->reserved_bytes);
    arena->peak_bytes = 0;
    return result;
}

/// Without memory for an empty one the workspace stays as it is.
static void renew_work(dew_DropWork *work, const dew_Allocator *allocator)
{
    dew_DropWork fresh;
    dew_Status status = dew_drop_work_init(&fresh, allocator);
    if (status.code == DEW_OK)
        status = dew_array_resize(&fresh.poses, work->poses.count);
    if (status.code != DEW_OK) {
        dew_drop_work_deinit(&fresh);
        return;
    }
    dew_drop_work_deinit(work);
    *work = fresh;
}

/// What is in the store is of no use any more.
static void trim_store(dew_DropStore *store, dew_Demand *demand, size_t needed_bytes)
{
    if (dew_demand_note(demand, needed_bytes, dew_drop_store_held_bytes(store)))
        dew_drop_store_deinit(store);
    dew_drop_store_clear(store);
}

/// Makes b as large as a, and a as large as b. For lack of memory they stay different.
static void match(dew_DropWorkspace *a, dew_DropWorkspace *b)
{
    dew_DropWorkspace *pair[] = {a, b};
    for (int k = 0; k < 2; k++) {
        dew_DropWorkspace *to = pair[k], *from = pair[1 - k];
        if (dew_drop_work_reserve_as(&to->work, &from->work).code != DEW_OK ||
            dew_drop_store_reserve_as(&to->pending, &from->pending).code != DEW_OK ||
            dew_drop_store_reserve_as(&to->piece, &from->piece).code != DEW_OK)
            return;
    }
}

static void trim_spaces(dew_SolverState *state)
{
    size_t needed = 0, held = 0;
    for (int k = 0; k < DEW_DROP_GROUPS; k++) {
        dew_Arena *arena = &state->spaces[k].work.arena;
        dew_arena_clear(arena);
        needed = arena->peak_bytes > needed ? arena->peak_bytes : needed;
        held = arena->reserved_bytes > held ? arena->reserved_bytes : held;
        arena->peak_bytes = 0;
    }
    if (dew_demand_note(&state->space_demand, needed, held))
        for (int k = 0; k < DEW_DROP_GROUPS; k++) {
            renew_work(&state->spaces[k].work, &state->allocator);
            dew_surface_solver_drop_merge_parts(&state->spaces[k]);
            dew_drop_store_deinit(&state->spaces[k].pending);
            dew_drop_store_deinit(&state->spaces[k].piece);
        }
    int workers = dew_tasks_worker_count(state->tasks);
    workers = workers < DEW_DROP_GROUPS ? workers : DEW_DROP_GROUPS;
    for (int round = 0; round < 2; round++)  // the first one is the largest after the first round
        for (int k = 1; k < workers; k++)
            match(&state->spaces[0], &state->spaces[k]);
}

void dew_surface_solver_trim_workspaces(dew_SolverState *state)
{
    trim_spaces(state);
    for (int g = 0; g < DEW_DROP_GROUPS; g++)
        trim_store(&state->groups[g].out, &state->groups[g].demand,
                   dew_drop_store_used_bytes(&state->groups[g].out));
    if (has_excess(&state->made, &state->made_demand))
        renew_work(&state->made, &state->allocator);
    trim_store(&state->next, &state->next_demand, dew_drop_store_used_bytes(&state->drops));
}
