/// World from the inside, shared by its files.
#pragma once

#include "dew/world.h"
#include "solvers/solver.h"
#include "world/fields.h"
#include "world/liquid_view.h"

#include <stddef.h>

/// Host-driven displacement of a solid, on top of the motion that the scene gives it. Plain
/// doubles, saved as they are.
typedef struct dew_Drag {
    dew_Vec3 from_m, to_m;
    double begin_s, end_s;  // before: from; after: to
} dew_Drag;
#define DEW_DRAG_NUMBERS ((int)(sizeof(dew_Drag) / sizeof(double)))

/// Host-driven rotation of a solid in the same interval, after the scene's. Plain doubles.
typedef struct dew_Turn {
    dew_Rotation from, to;
} dew_Turn;
#define DEW_TURN_NUMBERS ((int)(sizeof(dew_Turn) / sizeof(double)))

/// Triangles of a solid that a caller asked for.
typedef struct dew_SolidMesh {
    dew_Mesh mesh;
    double edge_m;
    bool is_made;
} dew_SolidMesh;

/// What World itself remembers between steps. Plain data: copied for a retry, saved whole.
typedef struct dew_WorldClock {
    double time_s;
    double born_until_s;  // births before this time have been poured
    double dt_s;          // of the last step
    // The account of the liquid: what should be there is entered + added - removed.
    double entered_m3;                // start, births and live drops, as the solver took them
    double added_m3;                  // by inflows
    double removed_m3;                // by sinks and open sides
    dew_Vec3 gravity_m_s2, wind_m_s;  // the scene's, or as last set
    int64_t step_count;
    int64_t iterations, retries, repairs;  // of the last step
    int64_t live_drops;                    // added by dew_world_add_drop
} dew_WorldClock;
// Doubles first, integers behind them.
#define DEW_CLOCK_NUMBERS  ((int)(offsetof(dew_WorldClock, step_count) / sizeof(double)))
#define DEW_CLOCK_INTEGERS ((int)(sizeof(dew_WorldClock) / sizeof(int64_t)) - DEW_CLOCK_NUMBERS)

/// What World does around the solver's step.
typedef enum dew_WorldStage {
    DEW_WORLD_MEASURE,
    DEW_WORLD_CHECKS,  // and the copy that a failed step goes back to
    DEW_WORLD_STAGE_COUNT,
} dew_WorldStage;

struct dew_World {
    const dew_Scene *scene;
    dew_Scene *bound_scene;  // the world's own copy; NULL: the caller's is used
    const dew_SolverOps *ops;
    uint64_t scene_hash;
    dew_WorldDef def;
    dew_Arena arena;    // what lives as long as the world
    dew_Arena scratch;  // rewound after each step
    dew_Tasks *tasks;
    dew_Problem *problem;
    dew_SolverState *state;
    dew_FieldList fields;
    dew_Snapshot snapshot;
    dew_WorldClock clock;
    int solid_count;
    dew_SolidPose *poses, *poses_old;  // at the end and the beginning of a step
    dew_Drag *drags;                   // one per solid
    dew_Turn *turns;                   // one per solid
    dew_SolidMesh *solid_meshes;       // one per solid
    double peak_m3;                    // the most that the account ever had, before or after a step
    dew_Measure measure;               // of the present state
    const char *bound;                 // what limited the last step
    int64_t events_done;               // of the scene's
    int64_t retry_count;               // failed steps that were tried again with half the length
    double *values;                    // room for dew_world_values
    uint64_t *file_hashes;             // per file of the scene: of its key, of its content
    double begin_cpu_s;
    bool is_timed;                // stages are measured
    dew_StageClock solver_clock;  // of the solver's stages
    dew_StageClock own_clock;     // of dew_WorldStage
    uint64_t version;             // of the liquid: counts its changes from 1 on
    dew_LiquidView view;          // what was derived from it
};

/// With a solver that is not in the table: for tests.
dew_Status dew_world_create_for(const dew_SolverOps *ops, const dew_Scene *scene,
                                const dew_WorldDef *def, dew_World **out);

/// The present instant; poses are written to world->poses.
dew_Instant dew_world_instant(dew_World *world);
/// Poses of all solids at a time, with the velocities of the step [begin_s, end_s] (solids.c).
/// Where begin_s = end_s: the velocities that the scene gives.
void dew_world_poses(const dew_World *world, double time_s, double begin_s, double end_s,
                     dew_SolidPose *poses);
dew_SolidPose dew_world_pose(const dew_World *world, int solid_id, double time_s, double begin_s,
                             double end_s);
/// Edge length with which a solid is drawn: facets of round ones lie within a tenth of a cell of
/// it; others as coarse as their shape allows (0).
double dew_world_solid_facet_m(const dew_World *world, int solid_id);
/// Solids as the scene has them, for a new world; and what must be freed of them.
dew_Status dew_world_make_solids(dew_World *world);
void dew_world_free_solids(dew_World *world);
bool dew_turn_is_none(const dew_Turn *turn);
bool dew_rotation_is_unit(dew_Rotation q);
/// Pours blobs, and enters what the solver took into the account.
dew_Status dew_world_pour(dew_World *world, const dew_Instant *instant, const dew_Blob *blobs,
                          int64_t count);
void dew_world_measure(dew_World *world, const dew_Instant *instant);
/// The liquid that should be there.
double dew_world_account_m3(const dew_WorldClock *clock);
/// What the volume is off the account by, over the most that the account ever had.
double dew_world_volume_error(const dew_World *world);
/// DEW_DIVERGED when that is more than the solver's allowance.
dew_Status dew_world_check_account(const dew_World *world);

/// Applies the scene's events that are due. On failure those behind the failing one are left.
dew_Status dew_world_apply_due(dew_World *world);
/// When the next of the scene's events is; INFINITY: there is none.
double dew_world_next_event_s(const dew_World *world);
/// That the solver can do what the scene's events ask for.
dew_Status dew_world_check_events(const dew_World *world);

/// What events change of the problem, as numbers: the tension, then three angles per material.
int64_t dew_world_value_count(const dew_World *world);
void dew_world_values(const dew_World *world, double *out);
/// The inverse: the world continues with these values, its state unchanged. All or nothing.
dew_Status dew_world_set_values(dew_World *world, const double *values);
/// Lets the solver read them; before each step.
dew_Status dew_world_read_parameters(dew_World *world);

/// What a saved state remembers of the problem's files, into file_hashes.
dew_Status dew_world_hash_files(dew_World *world);

/// The state as sections, and back. Reading checks everything before it changes anything.
void dew_world_write(dew_World *world, dew_SectionWriter *writer);
dew_Status dew_world_read(dew_World *world, const dew_SectionReader *reader);
