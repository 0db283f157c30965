/// World: a problem, constant, and the state of one solver, with its clock.
///
/// Two worlds can run side by side. A world is not to be used by two threads at once; it uses its
/// own workers inside. The same scene with the same seed gives bit-identical results on any number
/// of workers.
#pragma once

#include "dew/base.h"
#include "dew/scene.h"
#include "dew/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A world: the scene resolved, the state of its solver, and the clock.
typedef struct dew_World dew_World;

/// Asked before each sub-step of dew_world_step and dew_world_step_to; returns false to cancel. The
/// state then stays as the last sub-step left it, and the call returns DEW_INTERRUPTED. All zero:
/// not asked. Called from the calling thread. It must not use the world.
typedef struct dew_ProgressCallback {
    bool (*proceed)(void *context, double time_s, double end_s);
    void *context;
} dew_ProgressCallback;

/// How a world works: threads, callbacks, and the limits of a step.
typedef struct dew_WorldDef {
    int thread_count;        // 0: one per core
    dew_TaskHost task_host;  // a host's scheduler instead of our threads
    dew_Log log;
    dew_ProgressCallback progress;
    dew_Allocator allocator;
    double
        max_volume_error;  // relative error of one step beyond which it is retried; over all steps,
                           // each
                           // solver has its own (docs/manual/run_directory.md)
    double max_speed_m_s;  // speed beyond which a step has diverged
    int max_retries;       // times a failing step is halved
    uint32_t cookie;
} dew_WorldDef;

/// One thread per core, no callbacks, the limits that the program uses.
dew_WorldDef dew_default_world_def(void);

/// The scene must outlive the world.
dew_Status dew_world_create(const dew_Scene *scene, const dew_WorldDef *def, dew_World **out);
void dew_world_destroy(dew_World *world);

/// Advances by dt_s in as many sub-steps as the solver needs. A sub-step that fails is retried with
/// half its length; when that does not help either, the state stays at the last good sub-step.
dew_Status dew_world_step(dew_World *world, double dt_s);
/// The same to a time: the clock then reads end_s to the bit, so frames do not drift.
dew_Status dew_world_step_to(dew_World *world, double end_s);
/// One sub-step, at most dt_max_s long, or not beyond end_s: for tables with a row per step.
dew_Status dew_world_substep(dew_World *world, double dt_max_s);
dew_Status dew_world_substep_to(dew_World *world, double end_s);

/// Simulated time.
double dew_world_time_s(const dew_World *world);
int64_t dew_world_step_count(const dew_World *world);  // sub-steps done
int64_t
dew_world_retry_count(const dew_World *world);  // failed ones, tried again with half the length

/// Fills a surface with that of the present state.
dew_Status dew_world_surface(dew_World *world, dew_Surface *out);
/// The same as a surface that the world owns, made once per state; valid until the world changes.
dew_Status dew_world_current_surface(dew_World *world, const dew_Surface **out);

/// A row of stats.csv: see the manual for each. Angles are NaN where there is no contact line.
typedef struct dew_Stats {
    int64_t step;
    double time_s, dt_s;
    int64_t drops;
    double volume_m3, volume_error;
    double area_m2;
    double kinetic_J, surface_J, gravity_J;
    dew_Vec3 center_m, velocity_m_s;
    double top_m, max_speed_m_s;
    double contact_area_m2, contact_angle_rad, contact_angle_min_rad, contact_angle_max_rad;
    int64_t elements, particles, iterations;
    int64_t sleeping;           // drops at rest that a step leaves out (surface)
    double cpu_s;               // of the process since the world was made
    const char *bound;          // what limited the step
    double max_viscosity_m2_s;  // largest of a cell in the step, where it adapts (splash); else 0
} dew_Stats;
/// The row of the present state.
void dew_world_stats(const dew_World *world, dew_Stats *out);

/// Measures the stages of steps from now on, from zero; or no more.
void dew_world_time_stages(dew_World *world, bool is_on);
/// Fills at most max_count entries in a fixed order, which depends on the solver alone, and returns
/// how many stages there are.
int dew_world_stages(const dew_World *world, dew_StageTime *stages, int max_count);

// ---- solids ------------------------------------------------------------------------------------

/// Solids have ids 0 .. count - 1: those of the scene in its order, then the closed walls of the
/// domain. Ids and names stay the same as long as the world lives.
int dew_world_solid_count(const dew_World *world);
int dew_world_find_solid(const dew_World *world, const char *name);  // DEW_INVALID: none
/// The name in the scene; "plane1" and the like for a solid without one.
const char *dew_world_solid_name(const dew_World *world, int solid_id);
/// Reference point at rest, about which the solid rotates: the centre of the shape.
dew_Vec3 dew_world_solid_reference_m(const dew_World *world, int solid_id);
/// Pose at the world's present time, with everything that moves the solid: keyframes, velocities of
/// the scene, dew_world_move_solid. Fails when there is no such solid.
dew_Status dew_world_solid_pose(const dew_World *world, int solid_id, dew_Pose *out);
/// A rest point of the solid at the world's present time.
dew_Vec3 dew_world_solid_point_m(const dew_World *world, int solid_id, dew_Vec3 rest_m);
/// Moves a solid (movable: true in the scene) to the pose `target`, which it reaches dt_s from now:
/// the reference point moves on a line at constant speed, the rotation takes the shorter arc at
/// constant angular speed, and the liquid meets the velocities that follow. There the solid stays,
/// but for motion of its own. A later call replaces the rest of an earlier one.
dew_Status dew_world_move_solid(dew_World *world, int solid_id, const dew_Pose *target,
                                double dt_s);

/// Triangles of a solid at rest; planes and walls are cut to the domain. edge_m: target edge
/// length; 0: as coarse as the shape allows. The arrays are valid until the next call for this
/// solid with another edge_m.
dew_Status dew_world_solid_mesh(dew_World *world, int solid_id, double edge_m, dew_MeshData *out);
/// Edge length that resolves the wet map of a solid: one cell, or more for a solid of many cells.
double dew_world_solid_edge_m(const dew_World *world, int solid_id);
/// Wetness, 0 (dry) to 1 (under liquid), of `count` rest points on a solid, such as the vertices of
/// its mesh. Recorded where the scene says output.wetmap (else a grid solver reports 0).
/// DEW_UNSUPPORTED: the solver keeps no wet map.
dew_Status dew_world_solid_wetness(const dew_World *world, int solid_id, const dew_Vec3 *rest_m,
                                   int64_t count, float *wetness);

/// Live interaction. Each takes effect at the world's present time.
dew_Status dew_world_add_drop(dew_World *world, const dew_DropDef *def);
/// Feeds the drop at a point, or draws from it when the volume is negative: what a syringe does.
/// For slow feeding call it between steps with a little each. Fails where there is no drop, or less
/// than that.
dew_Status dew_world_feed(dew_World *world, dew_Vec3 at_m, double volume_m3);
/// One feed of several.
typedef struct dew_Feed {
    dew_Vec3 at_m;
    double volume_m3;
} dew_Feed;
/// Several at once: all of them, or none when one fails.
dew_Status dew_world_feed_many(dew_World *world, const dew_Feed *feeds, int64_t count);
bool dew_world_can_feed(const dew_World *world);  // by its solver; else feeding is DEW_UNSUPPORTED
/// From now on.
void dew_world_set_gravity(dew_World *world, dew_Vec3 gravity_m_s2);
void dew_world_set_wind(dew_World *world, dew_Vec3 wind_m_s);
/// dew_world_move_solid by name and without rotation: the solid keeps the one it has.
dew_Status dew_world_drag_solid(dew_World *world, const char *name, dew_Vec3 translate_m,
                                double dt_s);

/// From now on: contact angles of a material (its other values stay), and the liquid's surface
/// tension. The world's own; the scene stays as it is.
dew_Status dew_world_set_angles(dew_World *world, const char *material, double advancing_rad,
                                double receding_rad, double wet_advancing_rad);
dew_Status dew_world_set_tension(dew_World *world, double surface_tension_N_m);

/// Values that act now: those of the scene, or what events and the calls above made of them.
dew_Vec3 dew_world_gravity_m_s2(const dew_World *world);
dew_Vec3 dew_world_wind_m_s(const dew_World *world);
double dew_world_surface_tension_N_m(const dew_World *world);
/// Material by its index in the scene (dew_scene_find_material). DEW_BAD_INPUT: no such material.
dew_Status dew_world_material(const dew_World *world, int index, dew_MaterialDef *out);

/// Any of the above, now: the event's own time does not count. A world obeys the events of its
/// scene by itself; those that are due come first.
dew_Status dew_world_apply(dew_World *world, const dew_EventDef *event);

/// The whole state as bytes, and back, bit for bit. Free the bytes with dew_world_saved_free.
dew_Status dew_world_save(dew_World *world, uint8_t **bytes, size_t *size);
void dew_world_saved_free(const dew_World *world, uint8_t *bytes, size_t size);
dew_Status dew_world_restore(dew_World *world, const uint8_t *bytes, size_t size);
/// Hash of the state: equal on any number of workers, and after a restore.
uint64_t dew_world_hash(dew_World *world);

#ifdef __cplusplus
}
#endif
