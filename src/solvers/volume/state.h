/// State of the solver `volume`, and the stages of its step.
///
/// phi is the distance to the free surface, continued into solids: what it is there decides the contact
/// angle and is remembered (contact.c). Lengths below are in cells unless they say metres.
#pragma once

#include "grid/brick.h"
#include "grid/levelset.h"
#include "grid/markers.h"
#include "grid/poisson.h"
#include "solvers/solver.h"
#include "solvers/volume/stage_clock.h"

#define DEW_VOLUME_BAND  5.0  // phi is a distance within this many cells of the surface
#define DEW_VOLUME_DEPTH 3.5  // and is continued so deep into solids; below is air
#define DEW_VOLUME_REACH 3.5  // velocities are extended so far
#define DEW_VOLUME_FAR   8.0  // distances to solids are bounded by this
#define DEW_VOLUME_TINY                                                                            \
    27  // drops of so many cells or fewer feel no tension ([Wang2005] section 8)

/// Cosines of the angles at which the line may rest on a solid, through the liquid.
typedef struct dew_VolumeWetting {
    double receding, advancing, wet_advancing;
    double dries_after_s;
    double max_receding_N_m;  // bound on the tension that draws a receding line
} dew_VolumeWetting;

/// What does not change in a run.
typedef struct dew_VolumeLaws {
    double rho_kg_m3, mu_Pa_s, sigma_N_m;
    double slip_m;
    double tension_factor;  // longest step in units of the capillary limit
    double cfl;             // longest way in a step, in cells
    int corrections;        // of the pressure's gradient at the surface
    double tolerance;       // of the pressure
    bool is_first_order;    // the pressure at the surface is taken for that of the cell beyond
    bool is_stencil;        // contact angles by the paper's virtual surface per cell
    bool is_remembered;     // a pinned line holds by what phi is in the solid, else by eq. (10)
    double static_m_s;      // below, a line rests for eq. (10)
    bool has_solids;
    bool has_history;                  // some wall tells wet from dry
    const dew_VolumeWetting *wetting;  // one per solid
} dew_VolumeLaws;

/// One connected piece of liquid.
typedef struct dew_VolumeDrop {
    double volume_m3, area_m2;  // outside of solids; of the free surface
    dew_Vec3 center_m;
    int64_t cell_count;
} dew_VolumeDrop;

/// What is neither state nor constant.
typedef struct dew_VolumeTools {
    dew_Poisson poisson;
    dew_Arena scratch;       // of questions asked between steps
    dew_Array pieces;        // dew_LevelsetDrop
    dew_VolumeClock *clock;  // NULL: nobody wants to know
} dew_VolumeTools;

struct dew_SolverState {
    dew_Grid *grid;
    // Fields of the grid; these are the state:
    int phi, u[3], p;
    // Derived from the solids: distance (> 0 outside), open part of lower faces, part of the cell outside,
    // number of the nearest solid. Only there when has_solids.
    int solid, open[3], room, solid_id;
    int drop;         // int32_t: number of the drop; derived from phi
    dew_Grid *walls;  // wetting history; NULL: nobody asks for it. State
    int wet_time;
    dew_Markers *markers;  // NULL: none. State
    dew_Array targets;     // double per drop: the volume that it should have; state
    dew_Array drops;       // dew_VolumeDrop; derived

    dew_VolumeLaws laws;
    dew_VolumeTools *tools;
    dew_Arena constants;
    dew_Tasks *tasks;
    dew_Allocator allocator;
};

static inline double *dew_volume_phi(const dew_SolverState *s)
{
    return dew_grid_f64(s->grid, s->phi);
}
static inline int64_t dew_volume_count(const dew_SolverState *s)
{
    return dew_grid_value_count(s->grid);
}
/// Distance to solids, or NULL when there are none.
static inline const double *dew_volume_solid(const dew_SolverState *s)
{
    return s->laws.has_solids ? dew_grid_f64(s->grid, s->solid) : NULL;
}
/// Volume of a cell: in two dimensions the domain is one cell thick.
static inline double dew_volume_cell_m3(const dew_SolverState *s)
{
    return s->grid->cell_m * s->grid->cell_m * s->grid->cell_m;
}

/// solids.c: what the solids are in new bricks, or in all.
dew_Status dew_volume_read_solids(const dew_Problem *problem, dew_SolverState *state,
                                  const dew_Moment *moment, bool is_all);
/// Lets bricks come and go with the surface.
dew_Status dew_volume_follow(const dew_Problem *problem, dew_SolverState *state,
                             const dew_Moment *moment, dew_Arena *scratch);
/// Makes what lies deep in solids air.
void dew_volume_clear_deep(dew_SolverState *state);

/// contact.c: continues phi into solids such that contact angles are within what the solid allows.
dew_Status dew_volume_contact(dew_SolverState *state, double time_s, dew_Arena *scratch);
/// The same at one of the bounds.
typedef enum dew_VolumeBound {
    DEW_VOLUME_BETWEEN,
    DEW_VOLUME_RECEDING,
    DEW_VOLUME_ADVANCING
} dew_VolumeBound;
dew_Status dew_volume_contact_at(dew_SolverState *state, dew_VolumeBound bound, double time_s,
                                 dew_Arena *scratch);

/// stencil.c: curvature beside walls (1/m) as the paper has it, where options ask for that.
dew_Status dew_volume_paper_curvature(dew_SolverState *state, double time_s, double *kappa,
                                      dew_Arena *scratch);

/// wet_walls.c: what walls remember.
dew_Status dew_volume_walls_create(dew_SolverState *state);
dew_Status dew_volume_note_wet(dew_SolverState *state, double time_s);
/// Wetness, 0..1, of a cell of the grid.
double dew_volume_wetness(const dew_SolverState *state, int32_t brick, int cell, double time_s,
                          double dries_after_s);

/// volume_markers.c: marker particles; without them all of this does nothing.
dew_Status dew_volume_markers_create(dew_SolverState *state, int most, uint64_t seed);
void dew_volume_markers_destroy(dew_SolverState *state);
void dew_volume_markers_fields(dew_SolverState *state, dew_FieldList *out);
dew_Status dew_volume_markers_restored(dew_SolverState *state);
/// Strews them where they are due, and moves them with the velocity that moves phi.
dew_Status dew_volume_markers_move(dew_SolverState *state, const dew_Step *step,
                                   const double *const u[3], dew_Arena *scratch);
/// Puts back into phi what escaped ones tell.
dew_Status dew_volume_markers_correct(dew_SolverState *state, dew_Arena *scratch);
/// After phi is as it will be. is_changed: by more than the flow.
dew_Status dew_volume_markers_end(dew_SolverState *state, bool is_changed, dew_Arena *scratch);

/// leaving.c: takes away what is in sinks and beyond open sides.
dew_Status dew_volume_leave(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);

/// tension.c: the pressure at the free surface for cells beside it, into p_surface.
dew_Status dew_volume_tension(dew_SolverState *state, double time_s, double dt_s, double *p_surface,
                              dew_Arena *scratch);

/// extension.c: velocities beyond the free surface. is_known: as projection tells, and 2 where found.
dew_Status dew_volume_extend(dew_SolverState *state, uint8_t *const is_known[3],
                             dew_Arena *scratch);

/// drops.c: part of each cell that is liquid, and its free surface (m^2).
dew_Status dew_volume_shares(const dew_SolverState *state, double *share, double *area_m2);
/// Numbers the drops anew; each inherits what those it came from should have had.
/// added: what has come in since is part of what it should have (pouring).
dew_Status dew_volume_find_drops(dew_SolverState *state, bool is_added, dew_Arena *scratch);
/// Brings the drops' volumes to what they should be, by shifting the surface by limit cells at most.
dew_Status dew_volume_correct(dew_SolverState *state, double limit, dew_Arena *scratch);
/// The largest relative error of a drop's volume; drops of a few cells do not count.
double dew_volume_worst_error(const dew_SolverState *state);

/// step.c
dew_Status dew_volume_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step);
/// pouring.c
dew_Status dew_volume_pour(const dew_Problem *problem, dew_SolverState *state,
                           const dew_Moment *moment, const dew_Blob *blob);
/// measure.c: measuring cannot fail for lack of memory after this, until bricks come.
dew_Status dew_volume_reserve(const dew_SolverState *state);
/// The angle that the free surface makes with a wall at a point of it (told in cells of the brick), with N out
/// of the wall; NaN: it cannot be told. at_wall: phi there, in cells. False: too near to the grid's end.
bool dew_volume_angle(const dew_SolverState *state, int32_t brick, dew_Vec3 wall, dew_Vec3 N,
                      double *at_wall, double *angle_rad);
void dew_volume_measure(const dew_Problem *problem, const dew_SolverState *state,
                        const dew_Moment *moment, dew_Measure *out);
/// surface_mesh.c
dew_Status dew_volume_surface(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Moment *moment, dew_Surface *out);
