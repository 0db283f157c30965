/// World: a problem, constant, and the state of one solver, with its clock.
///
/// Two worlds can run side by side. A world is not to be used by two threads at once; it uses its own
/// workers inside. Same scene, same seed, same bits, on any number of workers.
#pragma once

#include "dew/base.h"
#include "dew/scene.h"
#include "dew/surface.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dew_World dew_World;

typedef struct dew_WorldDef {
    int thread_count;        // 0: one per core
    dew_TaskHost task_host;  // a host's scheduler instead of our threads
    dew_Log log;
    dew_Allocator allocator;
    double
        max_volume_error;  // relative error of one step beyond which it is retried; over all steps, each
                           // solver has its own (docs/manual/run_directory.md)
    double max_speed_m_s;  // speed beyond which a step has diverged
    int max_retries;       // times a failing step is halved
    uint32_t cookie;
} dew_WorldDef;

dew_WorldDef dew_default_world_def(void);

/// The scene must outlive the world.
dew_Status dew_world_create(const dew_Scene *scene, const dew_WorldDef *def, dew_World **out);
void dew_world_destroy(dew_World *world);

/// Advances by dt_s in as many sub-steps as the solver needs. A sub-step that fails is retried with half
/// its length; when that does not help either, the state stays at the last good sub-step.
dew_Status dew_world_step(dew_World *world, double dt_s);
/// The same to a time: the clock then reads end_s to the bit, so frames do not drift.
dew_Status dew_world_step_to(dew_World *world, double end_s);
/// One sub-step, at most dt_max_s long, or not beyond end_s: for tables with a row per step.
dew_Status dew_world_substep(dew_World *world, double dt_max_s);
dew_Status dew_world_substep_to(dew_World *world, double end_s);

double dew_world_time_s(const dew_World *world);
int64_t dew_world_step_count(const dew_World *world);  // sub-steps done
int64_t
dew_world_retry_count(const dew_World *world);  // failed ones, tried again with half the length

dew_Status dew_world_surface(dew_World *world, dew_Surface *out);

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
    double cpu_s;               // of the process since the world was made
    const char *bound;          // what limited the step
    double max_viscosity_m2_s;  // largest of a cell in the step, where it adapts (splash); else 0
} dew_Stats;
void dew_world_stats(const dew_World *world, dew_Stats *out);

/// Live interaction. Each takes effect at the world's present time.
dew_Status dew_world_add_drop(dew_World *world, const dew_DropDef *def);
/// Feeds the drop at a point, or draws from it when the volume is negative: what a syringe does. For slow
/// feeding call it between steps with a little each. Fails where there is no drop, or less than that.
dew_Status dew_world_feed(dew_World *world, dew_Vec3 at_m, double volume_m3);
void dew_world_set_gravity(dew_World *world, dew_Vec3 gravity_m_s2);
void dew_world_set_wind(dew_World *world, dew_Vec3 wind_m_s);
/// Drags a movable solid, evenly, to where it is displaced by translate_m from its place in the scene
/// at the end of the next dt_s. There it stays, but for motion of its own.
dew_Status dew_world_drag_solid(dew_World *world, const char *name, dew_Vec3 translate_m,
                                double dt_s);

/// From now on: contact angles of a material (its other values stay), and the liquid's surface tension.
/// The world's own; the scene stays as it is.
dew_Status dew_world_set_angles(dew_World *world, const char *material, double advancing_rad,
                                double receding_rad, double wet_advancing_rad);
dew_Status dew_world_set_tension(dew_World *world, double surface_tension_N_m);
/// Any of the above, now: the event's own time does not count. A world obeys the events of its scene by
/// itself; those that are due come first.
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
