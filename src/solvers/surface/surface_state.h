/// State of the solver `surface`, and the stages of its step.
#pragma once

#include "solvers/solver.h"
#include "solvers/surface/broad_phase.h"
#include "solvers/surface/drop_work.h"
#include "solvers/surface/merge.h"

#include <stdatomic.h>

/// Drops are worked on in this many groups at most, whatever the number of workers is.
#define DEW_DROP_GROUPS 16

/// What it takes to step a drop (drop_workspaces.c). Nothing in it lasts longer than the step of a
/// group.
typedef struct dew_DropWorkspace {
    dew_DropWork work;
    dew_DropStore pending, piece;
    dew_StageClock clock;  // of the drops of one step
    bool is_made;
    // To merge and rebuild drops, made when first asked for (dew_surface_solver_take_for_merge).
    dew_DropWork second;
    dew_Merge *merge;
    dew_DropRebuild *rebuild;
} dew_DropWorkspace;

/// A group of consecutive drops, and what became of them.
typedef struct dew_DropGroup {
    dew_DropWorkspace *space;  // while it is stepped
    dew_DropStore out;
    dew_Demand demand;     // for `out`
    int64_t iterations;    // of the linear solver in this step, failed attempts too
    int64_t retries;       // sub-steps repeated with half the length
    double splash_number;  // largest of an impact
    double added_m3;       // through nozzles and by feeding
} dew_DropGroup;

struct dew_SolverState {
    dew_DropStore drops;  // those that sleep longest first: a step copies only what follows them
    dew_DropUnchanged unchanged;
    int64_t next_id;
    // Of the last step: a change wakes the sleepers.
    dew_Vec3 gravity_m_s2, wind_m_s;
    uint64_t values_hash;  // of surface tension and contact angles (dew_problem_values_hash)
    dew_Array inflows;     // dew_DropInflowAccount, one per inflow

    dew_WetGround ground;  // used when a material tells wet from dry

    bool has_warned;  // of an impact that splashes

    dew_SurfaceSolverParams params;
    dew_DropStore next;  // the drops after the step, before they take the place of the others
    dew_DropGroup groups[DEW_DROP_GROUPS];
    dew_DropWorkspace spaces[DEW_DROP_GROUPS];  // the first few are used: one per worker
    atomic_uint taken;                          // bit per workspace
    dew_MergeBroadPhase *broad_phase;
    dew_Array candidates, matched;  // of dew_MergePair: may touch; merge in this round
    dew_DropWork made;              // a drop that is poured, fed or cut
    dew_Demand space_demand, made_demand, next_demand;
    dew_Tasks *tasks;
    dew_Allocator allocator;
};

/// drop_advance.c: moves the drop in the workspace to the end of the step, or to where it falls
/// apart; what comes of it goes to the group's `out`, pieces that are not at the end yet to
/// `pending` of the workspace.
dew_Status dew_drop_advance(dew_DropGroup *group, const dew_Step *step);
/// drop_remesh.c: remeshes the drop in `work`. More than one piece: work keeps the largest, the
/// others go to `others`, with what they inherit.
dew_Status dew_drop_resample(dew_DropWork *work, dew_DropStore *others);
/// vertex_velocity.c: of vertices, each counted as much: their mean, and the fastest relative to
/// it.
typedef struct dew_DropVertexMotion {
    dew_Vec3 mean;
    double fastest;
} dew_DropVertexMotion;
dew_DropVertexMotion dew_drop_vertex_motion(const dew_Vec3 *v, int64_t count);
/// Shifts the velocities so that their drop, of which one velocity is measured, has another; where
/// the measured one is beyond all of them, they become that. Those on a nozzle stay.
void dew_drop_shift_velocities(dew_Vec3 *v, const uint8_t *labels, int64_t count,
                               dew_Vec3 measured_m_s, dew_Vec3 wanted_m_s);
/// drop_repair.c: steps after a merge for which the mesh is tested for self-intersection, as halves
/// that fly at each other soon fold.
#define DEW_WATCH_STEPS_MERGED 20
/// Counts a step that failed: the mesh is rebuilt, then its deformation stopped, then it becomes a
/// sphere.
void dew_drop_count_failure(dew_DropCounts *counts);
/// Counts a step that succeeded. is_suspect: the mesh may run into itself.
void dew_drop_count_success(dew_DropCounts *counts, bool is_suspect);
/// drop_workspaces.c: a workspace for the calling thread, the first that no other has; given back
/// after use.
dew_DropWorkspace *dew_surface_solver_take_workspace(dew_SolverState *state);
/// The same, with what it takes to merge and rebuild drops. NULL, and no workspace: no memory.
dew_DropWorkspace *dew_surface_solver_take_for_merge(dew_SolverState *state);
void dew_surface_solver_drop_merge_parts(dew_DropWorkspace *space);
/// Chunk size of a parallel loop over items that each need a workspace: DEW_DROP_GROUPS chunks.
static inline int64_t dew_surface_solver_chunk(int64_t count)
{
    return (count + DEW_DROP_GROUPS - 1) / DEW_DROP_GROUPS;
}
void dew_surface_solver_return_workspace(dew_SolverState *state, const dew_DropWorkspace *space);
/// Makes the workspaces of all workers as large as the largest of them, and gives back the memory
/// that recent steps did not need (base/demand.h). At the end of a step.
void dew_surface_solver_trim_workspaces(dew_SolverState *state);
/// surface_solver.c: drops from `first` on are about to change.
void dew_surface_solver_change_from(dew_SolverState *state, int64_t first, dew_DropPlace place);
/// Drops from `first` on become those in `next`.
dew_Status dew_surface_solver_replace_from(dew_SolverState *state, int64_t first,
                                           dew_DropPlace place);
/// drop_repair.c
dew_Status dew_surface_solver_repair(const dew_Problem *problem, dew_SolverState *state,
                                     dew_Step *step);
/// merge_stage.c
dew_Status dew_surface_solver_merge(const dew_Problem *problem, dew_SolverState *state,
                                    dew_Step *step);
/// drop_outflow.c
dew_Status dew_surface_solver_remove_outflow(const dew_Problem *problem, dew_SolverState *state,
                                             dew_Step *step);
/// drop_pouring.c
dew_Status dew_surface_solver_pour(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Instant *instant, const dew_Blob *blob);
/// drop_measure.c: velocity of the centre of mass as the vertices tell it.
dew_Vec3 dew_drop_view_velocity(const dew_DropView *drop);
double dew_drop_view_volume(const dew_DropView *drop);
void dew_surface_solver_measure(const dew_Problem *problem, const dew_SolverState *state,
                                const dew_Instant *instant, dew_Measure *out);
dew_Status dew_surface_solver_surface(const dew_Problem *problem, const dew_SolverState *state,
                                      const dew_Instant *instant, dew_Surface *out);
/// drop_feed.c
dew_Status dew_surface_solver_feed(const dew_Problem *problem, dew_SolverState *state,
                                   const dew_Instant *instant, const dew_Feed *feeds,
                                   int64_t count);
