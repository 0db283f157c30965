/// All that World knows about a solver.
///
/// A solver owns its state and nothing else: no clock, no files, no log. World chooses the step,
/// keeps a copy of the fields, and checks the result. A step or a pour that fails may leave the
/// fields in any state: World restores them. After DEW_DIVERGED World tries a shorter step.
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/stage_clock.h"
#include "base/tasks.h"
#include "dew/fields.h"
#include "dew/world.h"
#include "grid/brick.h"
#include "problem/problem.h"
#include "scene/traits.h"
#include "surface/surface.h"

typedef struct dew_SolverState dew_SolverState;

typedef struct dew_CreateDef {
    dew_Allocator allocator;
    dew_Tasks *tasks;
} dew_CreateDef;

/// Arguments and results of a step.
typedef struct dew_Step {
    const dew_Instant *instant;      // at the end of the step (solids, gravity, wind)
    const dew_Instant *instant_old;  // at its beginning
    double dt_s;
    int64_t index;       // steps done before it
    dew_Arena *scratch;  // rewound by World after the step
    dew_Tasks *tasks;
    dew_StageClock *clock;  // of the stages that the solver names; NULL: nobody measures
    // reported by the solver:
    double added_m3;     // by inflows
    double removed_m3;   // by sinks and open sides
    int64_t iterations;  // of linear solvers
    int64_t retries;     // sub-steps of single drops that were repeated with half the length
    int64_t repairs;     // meshes of drops that were rebuilt
} dew_Step;

/// Integrals over the liquid, for stats.csv and for the checks after each step.
typedef struct dew_Measure {
    double volume_m3, area_m2;
    double kinetic_J, surface_J, gravity_J;  // gravity relative to y = 0 for the instant's gravity
    dew_Vec3 center_m, velocity_m_s;         // of mass
    double top_m;                            // highest y; NaN without liquid
    double max_speed_m_s;
    double contact_area_m2;
    double contact_angle_rad, contact_angle_min_rad, contact_angle_max_rad;  // NaN: no contact line
    int64_t drops, elements, particles, sleeping;
    double max_viscosity_m2_s;  // of a cell in the last step, where it adapts; else 0
} dew_Measure;

/// One array of the state. Either a dew_Array (restored by resizing) or a fixed block.
typedef struct dew_Field {
    const char *part;  // of the state that the field belongs to; NULL: the state itself
    const char *name;
    dew_FieldType type;
    int components;       // numbers per element
    dew_Array *array;     // NULL: fixed
    void *block;          // fixed: its memory
    int64_t block_count;  // fixed: elements
    // Elements of the array, from the first, that are as in World's last copy of the field: World
    // sets it, the solver lowers it before it changes any of them. NULL: none is known to be.
    int64_t *unchanged;
} dew_Field;

#define DEW_MAX_FIELDS 64
typedef struct dew_FieldList {
    dew_Field field[DEW_MAX_FIELDS];
    int count;
} dew_FieldList;

/// The fields of a grid solver, for output.
typedef struct dew_GridView {
    const dew_Grid *grid;
    const double *phi;    // at cells
    const double *u[3];   // on lower faces; the third NULL in two dimensions
    const double *solid;  // distance to the solids at cells, negative in them; NULL: none is kept
    double far_m;         // |phi| is no larger
} dew_GridView;

/// The particles of a solver, for output.
typedef struct dew_ParticleView {
    int64_t count;
    const double *axis_m[3];
    const uint64_t *ids;
    const double *velocity_m_s;  // three of the first particle; those of the next are a stride on;
                                 // NULL: they have the grid's
    int64_t velocity_stride;     // in numbers
} dew_ParticleView;

/// Columns of liquid over the ground, for output. Rows are a stride apart; a velocity is that on
/// the face towards smaller x or z, so that each row has one more than cells, and each column too.
typedef struct dew_HeightView {
    int columns, rows;  // along x and z
    int64_t stride;
    double min_x_m, min_z_m, dx_m, dz_m;
    const double *ground_m, *depth_m;  // at the middles of cells
    const double *u_m_s, *w_m_s;
    const double *distance_m;  // from the contact line; negative where it is wet
} dew_HeightView;

/// Arrays that a solver shows of its grid or of one kind of particles, and kinds of particles.
#define DEW_MAX_VIEWS 8

/// Fields for readers, as dew/fields.h lists them.
typedef struct dew_FieldViews {
    dew_FieldView field[DEW_MAX_VIEWS];
    int count;
} dew_FieldViews;

/// Particles for readers, as dew/fields.h lists them.
typedef struct dew_ParticleViews {
    struct {
        dew_ParticleSet info;
        dew_ArrayView attribute[DEW_MAX_VIEWS];
    } set[DEW_MAX_VIEWS];
    int count;
} dew_ParticleViews;

typedef struct dew_SolverOps {
    const dew_SolverTraits *traits;  // name, parameters, what it refuses
    const char *const *stages;       // of a step, ending with NULL; NULL: the step is one stage
    dew_Status (*create)(const dew_Problem *, const dew_CreateDef *,
                         dew_SolverState **out);  // no liquid yet
    // Reads the surface tension and the contact angles, which change between steps. Called before
    // each step and after each change. DEW_UNSUPPORTED: the state has not the fields that they
    // need, and is as before. NULL: the solver derives nothing from them.
    dew_Status (*parameters)(const dew_Problem *, dew_SolverState *);
    dew_Status (*pour)(const dew_Problem *, dew_SolverState *, const dew_Instant *,
                       const dew_Blob *);
    // All of the initial liquid has been poured (instant, scratch and tasks of the step are set, no
    // time passes); NULL: nothing is left to do.
    dew_Status (*poured)(const dew_Problem *, dew_SolverState *, dew_Step *);
    // Stable below; INFINITY: nothing limits it. *bound says what does: "cfl", "capillary" (static
    // text)
    double (*max_step_s)(const dew_Problem *, const dew_SolverState *, const dew_Instant *,
                         const char **bound);
    // The same, were the liquid as fast as this: what the plan's steps are counted by. The liquid's
    // present velocities do not count. NULL: the step does not depend on speed, or the plan has a
    // rule of its own.
    double (*step_at_speed_s)(const dew_Problem *, const dew_SolverState *, const dew_Instant *,
                              double speed_m_s, const char **bound);
    dew_Status (*step)(const dew_Problem *, dew_SolverState *, dew_Step *);
    dew_Status (*surface)(const dew_Problem *, const dew_SolverState *, const dew_Instant *,
                          dew_Surface *out);
    void (*measure)(const dew_Problem *, const dew_SolverState *, const dew_Instant *,
                    dew_Measure *out);
    void (*fields)(dew_SolverState *, dew_FieldList *out);  // the state, array by array, with names
    dew_Status (*restored)(const dew_Problem *,
                           dew_SolverState *);  // rebuilds what is derived; may be NULL
    void (*destroy)(dew_SolverState *);         // NULL is fine
    // Feeds the drops at these points, or draws from them (volume < 0), at once; NULL: it cannot.
    dew_Status (*feed)(const dew_Problem *, dew_SolverState *, const dew_Instant *,
                       const dew_Feed *feeds, int64_t count);
    // Wetness, 0..1, of places on a solid, given at rest: the wet map. NULL: it keeps none.
    void (*wetness)(const dew_Problem *, const dew_SolverState *, const dew_Instant *, int solid_id,
                    const dew_Vec3 *rest_m, int64_t count, float *out);
    dew_GridView (*grid)(const dew_SolverState *);           // NULL: it has none
    dew_ParticleView (*particles)(const dew_SolverState *);  // NULL: it has none
    dew_HeightView (*heights)(const dew_SolverState *);      // NULL: it has none
    // What dew/fields.h offers: views of the state. NULL: there are none.
    void (*field_views)(const dew_SolverState *, dew_FieldViews *out);
    void (*particle_views)(const dew_SolverState *, dew_ParticleViews *out);
    // Part of each cell's volume that is liquid, one value per cell of the field views' bricks.
    // NULL: not computed.
    dew_Status (*volume_fractions)(const dew_SolverState *, double *out);
    // Initial conditions; NULL: it cannot.
    dew_Status (*set_velocity)(dew_SolverState *, const dew_VelocityField *, double time_s);
    dew_Status (*set_columns)(dew_SolverState *, const dew_ColumnsDef *);
} dew_SolverOps;
