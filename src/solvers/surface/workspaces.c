// Workspaces that are larger than recent steps needed are exchanged for empty ones.
//
// Each group of drops has a workspace as large as the largest drop that it ever stepped, about a kilobyte per vertex;
// a drop that grows passes from group to group, and after an hour of rain all of them, and those that merge and rebuild
// drops, would be as large as the largest drop of the run. What the arena of a workspace needs stands for all of
// it: its arrays, too, have an element per vertex or triangle.
#include "solvers/surface/state.h"

/// Notes what the arena needed in this step.
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
    fresh.clock = work->clock;
    dew_drop_work_deinit(work);
    *work = fresh;
}

static void renew_group(dew_DropGroup *group, const dew_Allocator *allocator)
{
    renew_work(&group->work, allocator);
    dew_drop_store_deinit(&group->out);
    dew_drop_store_deinit(&group->pending);
    dew_drop_store_deinit(&group->piece);
}

static void renew_merge(dew_SolverState *state)
{
    dew_DropMerge *merge = NULL;
    dew_DropRebuild *rebuild = NULL;
    renew_work(&state->merged, &state->allocator);
    if (dew_drop_merge_create(&state->allocator, &merge).code == DEW_OK) {
        dew_drop_merge_destroy(state->merge);
        state->merge = merge;
    }
    if (dew_drop_rebuild_create(&state->allocator, &rebuild).code == DEW_OK) {
        dew_drop_rebuild_destroy(state->rebuild);
        state->rebuild = rebuild;
    }
}

/// The spare of the drops' store. What is in it is of no use any more.
static bool spare_has_excess(dew_SolverState *state)
{
    const dew_Array *held = &state->next.positions;
    size_t needed = (size_t)state->drops.positions.count * held->element_size;
    return dew_demand_note(&state->next_demand, needed,
                           (size_t)held->capacity * held->element_size);
}

void dew_drops_trim_workspaces(dew_SolverState *state)
{
    for (int g = 0; g < DEW_DROP_GROUPS; g++)
        if (has_excess(&state->groups[g].work, &state->groups[g].demand))
            renew_group(&state->groups[g], &state->allocator);
    if (has_excess(&state->merged, &state->merge_demand))
        renew_merge(state);
    if (spare_has_excess(state))
        dew_drop_store_deinit(&state->next);
}
