/// Liquid on bricks behind a level set: what the solvers `volume` and `apic` share, and the stages of their steps.
///
/// phi is the distance to the free surface, continued into solids: what it is there decides the contact
/// angle and is remembered (contact.c). Lengths below are in cells unless they say metres.
#pragma once

#include "grid/brick.h"
#include "grid/levelset.h"
#include "grid/projection.h"
#include "problem/wet_ground.h"
#include "solvers/liquid/nozzle.h"
#include "solvers/liquid/stage_clock.h"
#include "solvers/solver.h"

#define DEW_LIQUID_BAND  5.0  // phi is a distance within this many cells of the surface
#define DEW_LIQUID_DEPTH 3.5  // and is continued so deep into solids; below is air
#define DEW_LIQUID_REACH 3.5  // velocities are extended so far
#define DEW_LIQUID_FAR   8.0  // distances to solids are bounded by this
#define DEW_LIQUID_TINY                                                                            \
    27  // drops of so many cells or fewer feel no tension ([Wang2005] section 8)

#define DEW_LIQUID_SHIFT                                                                           \
    0.1                      // cells: the most that one correction of the volumes moves the surface
#define DEW_LIQUID_SHIFTS 4  // corrections that a step makes whenever a drop misses its target
#define DEW_LIQUID_NEVER  -1e30  // s: when walls that have never been wet were so

/// Cosines of the angles at which the line may rest on a solid, through the liquid.
typedef struct dew_LiquidWetting {
    double receding, advancing, wet_advancing;
    double dries_after_s;
    double max_receding_N_m;  // bound on the tension that draws a receding line
    double slip_m;            // how far behind the wall the flow along it would rest
    bool is_kept;             // a nozzle: phi in it stays as it is
} dew_LiquidWetting;

/// The edge of a solid that is nearest to a cell in it: the normals of its faces, the cell's own first (0: there is no
/// edge near), and the way to it in cells.
typedef struct dew_LiquidEdge {
    float normal[2][3];
    float way[3];
} dew_LiquidEdge;

/// What does not change in a run.
typedef struct dew_LiquidLaws {
    double rho_kg_m3, mu_Pa_s, sigma_N_m;
    double slip_m;          // of all solids, unless has_slips
    double tension_factor;  // longest step in units of the capillary limit
    double cfl;             // longest way in a step, in cells
    int corrections;        // of the pressure's gradient at the surface
    double tolerance;       // of the pressure
    dew_PoissonMethod pressure_method;
    bool is_external;     // tension is a force of its own: the pressure at the surface is 0
    bool is_first_order;  // the pressure at the surface is taken for that of the cell beyond
    bool is_stencil;      // contact angles by the paper's virtual surface per cell
    bool has_friction;    // contact lines that move are held back a little
    bool is_remembered;   // a pinned line holds by what phi is in the solid, else by eq. (10)
    double static_m_s;    // below, a line rests for eq. (10)
    bool has_solids;
    bool has_history;     // some wall tells wet from dry
    bool has_map;         // somebody asks where walls were touched
    bool has_motion;      // some wall moves, nozzles too
    bool has_affinities;  // some wall's material varies from place to place
    bool has_slips;       // walls differ in slip length
    int solid_count;
    const dew_LiquidWetting *wetting;  // one per solid, then one per nozzle
    const uint8_t *is_moving;          // the same
    int nozzle_count;
    const dew_LiquidNozzle *nozzles;
    double margin_m[DEW_SIDE_COUNT];  // beyond open sides, where liquid is taken away
} dew_LiquidLaws;

/// One connected piece of liquid.
typedef struct dew_LiquidDrop {
    double volume_m3, area_m2;  // outside of solids; of the free surface
    dew_Vec3 center_m;
    int64_t cell_count;
} dew_LiquidDrop;

/// Liquid too small for the grid: a ball in free flight, or at rest on a solid.
typedef struct dew_LiquidMote {
    dew_Vec3 position_m, velocity_m_s;
    double volume_m3;
} dew_LiquidMote;

/// What is neither state nor constant.
typedef struct dew_LiquidTools {
    dew_Poisson poisson;
    dew_Arena scratch;       // of questions asked between steps
    dew_Array pieces;        // dew_LevelsetDrop
    dew_LiquidClock *clock;  // NULL: nobody wants to know
    double *nozzle_speeds;   // m/s, of the step
} dew_LiquidTools;

typedef struct dew_Liquid {
    dew_Grid *grid;
    // Fields of the grid; these are the state:
    int phi, u[3], p;
    // Derived from the solids: distance (> 0 outside), open part of lower faces, part of the cell outside,
    // number of the nearest solid. Only there when has_solids.
    int solid, open[3], room, solid_id;
    int edge;         // dew_LiquidEdge of cells in walls; the same
    int wall_u[3];    // velocity of solids on lower faces; only there when has_motion
    int material[5];  // as dew_LiquidWetting has it; only there when has_affinities
    int slip;         // slip length of the nearest wall; only there when has_slips
    int drop;         // int32_t: number of the drop; derived from phi
    int wet_time;  // when cells in walls were last under liquid; only there when has_history. State
    dew_WetGround
        wet_ground;  // the same by place on the solids, for walls that bricks have left. State
    dew_WetGround touched;  // where liquid was at all, for wet maps. State
    dew_Array poses;    // dew_SolidPose: where the grid has its solids; empty without motion. State
    dew_Array waiting;  // double per inflow: brought, not yet given to a drop. State
    dew_Array motes;    // dew_LiquidMote; state
    dew_Array targets;  // double per drop: the volume that it should have; state
    dew_Array drops;    // dew_LiquidDrop; derived

    dew_LiquidLaws laws;
    dew_LiquidTools *tools;
    dew_Arena constants;
    dew_Tasks *tasks;
    dew_Allocator allocator;
} dew_Liquid;

static inline double *dew_liquid_phi(const dew_Liquid *s)
{
    return dew_grid_f64(s->grid, s->phi);
}
static inline int64_t dew_liquid_count(const dew_Liquid *s)
{
    return dew_grid_value_count(s->grid);
}
/// Distance to solids, or NULL when there are none.
static inline const double *dew_liquid_solid(const dew_Liquid *s)
{
    return s->laws.has_solids ? dew_grid_f64(s->grid, s->solid) : NULL;
}
/// What a wall's cell does to the line.
static inline dew_LiquidWetting dew_liquid_wetting(const dew_Liquid *s, int64_t at, int32_t id)
{
    dew_LiquidWetting w = s->laws.wetting[id];
    if (!s->laws.has_affinities || w.is_kept)
        return w;
    w.receding = dew_grid_f64(s->grid, s->material[0])[at];
    w.advancing = dew_grid_f64(s->grid, s->material[1])[at];
    w.wet_advancing = dew_grid_f64(s->grid, s->material[2])[at];
    w.dries_after_s = dew_grid_f64(s->grid, s->material[3])[at];
    w.max_receding_N_m = dew_grid_f64(s->grid, s->material[4])[at];
    return w;
}
/// Volume of a cell: in two dimensions the domain is one cell thick.
static inline double dew_liquid_cell_m3(const dew_Liquid *s)
{
    return s->grid->cell_m * s->grid->cell_m * s->grid->cell_m;
}

/// Which bricks are to be read.
typedef enum dew_LiquidWhich {
    DEW_LIQUID_FRESH,   // those that have just come
    DEW_LIQUID_MOVING,  // those near walls that move
    DEW_LIQUID_ALL,
} dew_LiquidWhich;

/// solids.c: what the solids are in some of the bricks.
dew_Status dew_liquid_read_solids(const dew_Problem *problem, dew_Liquid *liquid,
                                  const dew_Moment *moment, dew_LiquidWhich which);
/// The nearest wall, nozzles too; their id is behind those of the solids.
dew_SolidPoint dew_liquid_nearest(const dew_Problem *problem, const dew_Liquid *liquid,
                                  const dew_Moment *moment, dew_Vec3 p, double reach_m);
/// Open part of a lower face; its middle, and the nearest wall to that.
double dew_liquid_open_part(const dew_SolidPoint *near, int axis, double cell_m);
/// edges.c: the edge beside a cell at x in a wall, whose nearest point of the wall is `near`.
dew_LiquidEdge dew_liquid_find_edge(const dew_Problem *problem, const dew_Liquid *liquid,
                                    const dew_Moment *moment, dew_Vec3 x,
                                    const dew_SolidPoint *near);
/// Puts phi in nozzles to what it is there.
void dew_liquid_keep_nozzles(dew_Liquid *liquid);
/// After walls have moved: phi in solids goes with them (memory: before), elsewhere it stays.
dew_Status dew_liquid_carry_walls(const dew_Problem *problem, dew_Liquid *liquid,
                                  const dew_Step *step, const double *memory);
/// The moment whose poses the grid has; NULL when all solids rest.
const dew_Moment *dew_liquid_moment(const dew_Liquid *liquid, dew_Moment *room);
/// Lets bricks come and go with the surface.
dew_Status dew_liquid_follow(const dew_Problem *problem, dew_Liquid *liquid,
                             const dew_Moment *moment, dew_Arena *scratch);
/// Makes what lies deep in solids air.
void dew_liquid_clear_deep(dew_Liquid *liquid);

/// liquid.c: laws that follow from the scene and the knobs that all solvers have; the solver adds its own.
dew_LiquidLaws dew_liquid_laws(const dew_Problem *problem);
/// Has the scene this choice of the solver's knob?
bool dew_liquid_is_chosen(const dew_Problem *problem, const char *knob, const char *choice);
/// Without liquid yet. What failed is to be destroyed too.
dew_Status dew_liquid_create(const dew_Problem *problem, const dew_CreateDef *def,
                             const dew_LiquidLaws *laws, dew_Liquid *liquid);
void dew_liquid_destroy(dew_Liquid *liquid);
/// The longest step of liquid of a speed (the components' sum): cfl, the capillary limit.
double dew_liquid_step_at(const dew_Liquid *liquid, const dew_Moment *moment, double speed_m_s,
                          const char **bound);
/// The same of liquid that turns within a cell, and so has that speed along each axis.
double dew_liquid_step_when_turning(const dew_Liquid *liquid, const dew_Moment *moment,
                                    double speed_m_s, const char **bound);
/// The same at the present speeds.
double dew_liquid_max_step(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Moment *moment, const char **bound);
/// Adds the state to a list; rebuilds what is derived from it.
void dew_liquid_fields(dew_Liquid *liquid, dew_FieldList *out);
dew_Status dew_liquid_restored(const dew_Problem *problem, dew_Liquid *liquid);
dew_GridView dew_liquid_view(const dew_Liquid *liquid);
/// The angles of a material, dry and wet.
dew_LiquidWetting dew_liquid_wetting_of(const dew_MaterialDef *material);

/// contact.c: continues phi into solids such that contact angles are within what the solid allows.
dew_Status dew_liquid_contact(dew_Liquid *liquid, double time_s, dew_Arena *scratch);
/// Same in new bricks and beside them.
dew_Status dew_liquid_contact_fresh(dew_Liquid *liquid, double time_s, dew_Arena *scratch);
/// The same at one of the bounds.
typedef enum dew_LiquidBound {
    DEW_LIQUID_BETWEEN,
    DEW_LIQUID_RECEDING,
    DEW_LIQUID_ADVANCING
} dew_LiquidBound;
dew_Status dew_liquid_contact_at(dew_Liquid *liquid, dew_LiquidBound bound, double time_s,
                                 dew_Arena *scratch);

/// stencil.c: curvature beside walls (1/m) as the paper has it, where options ask for that.
dew_Status dew_liquid_paper_curvature(dew_Liquid *liquid, double time_s, double *kappa,
                                      dew_Arena *scratch);

/// wet_walls.c: what walls remember.
dew_Status dew_liquid_note_wet(const dew_Problem *problem, dew_Liquid *liquid,
                               const dew_Moment *moment);
/// When the wall nearest to a place was last wet.
double dew_liquid_wet_time(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Moment *moment, const dew_SolidPoint *near);
void dew_liquid_wetness_map(const dew_Problem *problem, const dew_Liquid *liquid,
                            const dew_Moment *moment, int solid_id, const dew_Vec3 *rest_m,
                            int64_t count, float *out);
/// Wetness, 0..1, of a cell of the grid.
double dew_liquid_wetness(const dew_Liquid *liquid, int32_t brick, int cell, double time_s,
                          double dries_after_s);

/// inflow.c: nozzles of the scene, and room for what waits.
dew_Status dew_liquid_inflows_create(const dew_Problem *problem, dew_Liquid *liquid);
/// No liquid comes in faster from a time on (the components' sum).
double dew_liquid_inflow_speed(const dew_Problem *problem, double time_s);
/// Lets in what flows in this step.
dew_Status dew_liquid_inflow(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step);

/// leaving.c: how far beyond open sides liquid may be.
void dew_liquid_margins(const dew_Problem *problem, dew_LiquidLaws *laws, double cell_m);
/// Is liquid at this place taken away?
bool dew_liquid_is_outside(const dew_Problem *problem, const dew_Liquid *liquid, dew_Vec3 p);
/// Takes away what is in sinks and beyond open sides.
dew_Status dew_liquid_leave(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step);

/// tension.c: the pressure at the free surface for cells beside it, into p_surface.
dew_Status dew_liquid_tension(dew_Liquid *liquid, double time_s, double dt_s, double *p_surface,
                              dew_Arena *scratch);

/// line_friction.c: what contact lines that move add to it. The velocity has had its gravity.
dew_Status dew_liquid_line_friction(dew_Liquid *liquid, const dew_Step *step, double *p_surface);

/// flow.c: velocity in the middle of cell n of brick b; u: of its faces.
dew_Vec3 dew_liquid_cell_velocity(const dew_Grid *grid, const double *const u[3], int32_t b, int n);

/// wind.c: what the air adds to it.
dew_Status dew_liquid_wind(dew_Liquid *liquid, dew_Vec3 wind_m_s, double *p_surface);

/// extension.c: velocities beyond the free surface. is_known: as projection tells, and 2 where found.
dew_Status dew_liquid_extend(dew_Liquid *liquid, uint8_t *const is_known[3], dew_Arena *scratch);
/// The velocity that carries phi, once velocities are extended: near the surface that of its closest point.
dew_Status dew_liquid_surface_velocity(dew_Liquid *liquid, uint8_t *const is_known[3],
                                       double *const out[3]);

/// flow.c: what a step works on.
typedef struct dew_LiquidFlow {
    const dew_Problem *problem;
    dew_Liquid *liquid;
    dew_Step *step;
    dew_Arena *scratch;
    double *u[3];             // on lower faces
    const double *open[3];    // NULL without solids
    const double *wall_u[3];  // NULL when no wall moves
    const double *solid;
    uint8_t *is_known[3];  // after projection: faces of the liquid
    double viscous_s;      // for so long viscosity acts: the step, unless the solver says otherwise
} dew_LiquidFlow;
/// Sources, bricks and solids as they are when the step begins. The fields are there when some brick is.
dew_Status dew_liquid_flow_begin(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step,
                                 dew_LiquidFlow *flow);
/// Gravity, then viscosity.
dew_Status dew_liquid_forces(dew_LiquidFlow *flow);
/// Tension, wind and pressure in one.
dew_Status dew_liquid_project(dew_LiquidFlow *flow);
/// free_drops.c: the same; drops that touch nothing keep their momentum.
dew_Status dew_liquid_project_free(dew_LiquidFlow *flow);
/// How a velocity of this step is projected, without a pressure at the surface.
dew_ProjectionDef dew_liquid_projection(const dew_LiquidFlow *flow);
/// Velocities beyond the free surface and in solids.
dew_Status dew_liquid_continue(dew_LiquidFlow *flow);
/// Those in solids; is_free: as if walls let all slip that flows along them, else by their slip lengths.
dew_Status dew_liquid_fill_walls(dew_LiquidFlow *flow, bool is_free);
/// Memory for a velocity, of the step.
dew_Status dew_liquid_take_velocity(const dew_LiquidFlow *flow, double *to[3]);
/// Distances anew, but for phi in solids (before: what it was), which is not the liquid's to change and goes with them.
dew_Status dew_liquid_redistance(dew_LiquidFlow *flow, const double *before);
/// Finds drops, moves motes, and brings volumes back when that is due.
dew_Status dew_liquid_settle_volumes(dew_LiquidFlow *flow);

/// drops.c: part of each cell that is liquid, and its free surface (m^2).
dew_Status dew_liquid_shares(const dew_Liquid *liquid, double *share, double *area_m2);
/// Numbers the drops anew; each inherits what those it came from should have had.
/// added: what has come in since is part of what it should have (pouring).
dew_Status dew_liquid_find_drops(dew_Liquid *liquid, bool is_added, dew_Arena *scratch);
/// Brings the drops' volumes to what they should be, by shifting the surface by limit cells at most.
dew_Status dew_liquid_correct(dew_Liquid *liquid, double limit, dew_Arena *scratch);
/// Drops of a few cells that miss their targets by what counts in the whole go on as motes.
dew_Status dew_liquid_give_up(dew_Liquid *liquid, dew_Arena *scratch);
/// The largest relative error of a drop's volume; that of drops of a few cells counts less.
double dew_liquid_worst_error(const dew_Liquid *liquid);
/// What drops miss of their targets, added up, of all liquid.
double dew_liquid_missed(const dew_Liquid *liquid);

/// motes.c: a piece that the grid cannot follow goes on as a mote, with the velocity that is there.
dew_Status dew_liquid_add_mote(dew_Liquid *liquid, dew_Vec3 position_m, double volume_m3);
/// Moves them; those that touch liquid rejoin it.
dew_Status dew_liquid_motes_move(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step);
double dew_liquid_motes_m3(const dew_Liquid *liquid);
double dew_liquid_mote_radius_m(const dew_Liquid *liquid, const dew_LiquidMote *mote);
/// droplet_mesh.c: adds them to a surface as balls, or halves of balls on solids. Those that overlap are drawn as
/// one; those that cross the surface are left out.
dew_Status dew_liquid_motes_mesh(const dew_Problem *problem, const dew_Liquid *liquid,
                                 const dew_Moment *moment, dew_Surface *out);

/// pouring.c
dew_Status dew_liquid_pour(const dew_Problem *problem, dew_Liquid *liquid, const dew_Moment *moment,
                           const dew_Blob *blob);
/// measure.c: measuring cannot fail for lack of memory after this, until bricks come.
dew_Status dew_liquid_reserve(const dew_Liquid *liquid);
/// The angle that the free surface makes with a wall at a point of it (told in cells of the brick), with N out
/// of the wall; NaN: the line is farther than a cell, or it cannot be told. at_wall: phi there, in cells. False: too
/// near to the grid's end.
bool dew_liquid_angle(const dew_Liquid *liquid, int32_t brick, dew_Vec3 wall, dew_Vec3 N,
                      double *at_wall, double *angle_rad);
void dew_liquid_measure(const dew_Problem *problem, const dew_Liquid *liquid,
                        const dew_Moment *moment, dew_Measure *out);
/// surface_mesh.c
dew_Status dew_liquid_surface(const dew_Problem *problem, const dew_Liquid *liquid,
                              const dew_Moment *moment, dew_Surface *out);
