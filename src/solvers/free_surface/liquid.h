/// Liquid on bricks behind a level set: what the solvers `volume`, `apic` and, with tension,
/// `splash` share, and the stages of their steps. Liquid given by whole cells is in cells.h.
///
/// phi is the distance to the free surface, extrapolated into solids: its ghost values there set
/// the contact angle and are part of the state (ghost_contact_angle.c). Lengths below are in cells
/// unless they say metres.
#pragma once

#include "base/stage_clock.h"
#include "dew/wetting.h"
#include "geom/distance.h"
#include "grid/brick.h"
#include "grid/levelset.h"
#include "grid/particles.h"
#include "grid/poisson.h"
#include "problem/problem.h"
#include "problem/wet_ground.h"
#include "solvers/free_surface/parameters.h"
#include "solvers/solver.h"

#include <stddef.h>

/// Stages of a step, as they are timed.
typedef enum dew_LiquidStage {
    DEW_LIQUID_BRICKS,     // update of active bricks; solids in the new ones
    DEW_LIQUID_TENSION,    // curvature and its filter
    DEW_LIQUID_VISCOSITY,  // and body forces
    DEW_LIQUID_PRESSURE,
    DEW_LIQUID_EXTRAPOLATE,  // velocities beyond the surface and into solids
    DEW_LIQUID_TRANSFER,     // between particles and faces
    DEW_LIQUID_ADVECT,       // velocity
    DEW_LIQUID_ADVECT_PHI,
    DEW_LIQUID_PARTICLES,  // level set of the particles; their spacing
    DEW_LIQUID_REDISTANCE,
    DEW_LIQUID_CONTACT,  // level set inside solids
    DEW_LIQUID_DROPS,    // connected pieces and their volume
    DEW_LIQUID_STAGE_COUNT,
} dew_LiquidStage;

/// Ends with NULL.
extern const char *const dew_liquid_stage_names[DEW_LIQUID_STAGE_COUNT + 1];

/// Cosines of the angles at which the contact line may rest on a solid, through the liquid.
typedef struct dew_LiquidWetting {
    double receding, advancing, wet_advancing;
    double dries_after_s;
    double max_receding_N_m;  // bound on the tension that draws a receding line
    double slip_m;            // how far behind the wall the flow along it would rest
    dew_LineLaw law;          // of the moving line
    bool has_fixed_phi;       // a nozzle: phi in it stays as it is
} dew_LiquidWetting;

/// The edge of a solid that is nearest to a cell in it: the normals of its faces, the cell's own
/// first (0: there is no edge near), and the vector to it in cells.
typedef struct dew_LiquidEdge {
    float normal[2][3];
    float way[3];
} dew_LiquidEdge;

/// Nozzles of `disk` sources as the grid sees them: the end of a pin, as wide as the disk, that
/// liquid comes out of. The pin is a solid whose wall moves at the liquid's speed, so that
/// projection, viscosity and extension see an inflow as they see a moving wall; phi in it is that
/// of the column behind the disk, and stays, so that the contact line is pinned at the rim.
typedef struct dew_LiquidNozzle {
    int64_t inflow;  // the first of the disks at this place
    dew_Vec3 center_m, normal;
    double radius_m, cell_m;
    bool is_flat;       // two dimensions: a slot
    double rate_share;  // of the flow that the scene gives: 1, in two dimensions that of the layer
    double area_m2;     // that the liquid comes through
    double scale;  // of the wall's speed, so that the faces of the grid let just the flow through
} dew_LiquidNozzle;

/// Parameters: constant during a step.
typedef struct dew_LiquidParams {
    double rho_kg_m3, mu_Pa_s, sigma_N_m;
    double slip_m;          // of all solids, unless has_slips
    double tension_factor;  // longest step in units of the capillary limit
    double cfl;             // largest displacement in a step, in cells
    int corrections;        // of the pressure's gradient at the surface
    double tolerance;       // of the pressure
    dew_PoissonMethod pressure_method;
    bool is_external;       // tension is a force of its own: the pressure at the surface is 0
    bool is_first_order;    // the pressure at the surface is taken for that of the cell beyond
    bool is_stencil;        // contact angles by the paper's virtual surface per cell
    bool has_friction;      // contact lines have a stabiliser
    bool has_ghost_memory;  // a pinned line holds by what phi is in the solid, else by eq. (10)
    double static_m_s;      // below, a line rests for eq. (10)
    bool has_solids;
    bool has_history;     // some wall distinguishes wet from dry
    bool has_map;         // wet maps are asked for
    bool has_motion;      // some wall moves, nozzles too
    bool has_affinities;  // some wall's material varies from place to place
    bool has_slips;       // walls differ in slip length
    int solid_count;
    dew_LiquidWetting *wetting;  // one per solid, then one per nozzle
    const double *cox;           // table of contact_line_law.c
    const uint8_t *is_moving;    // the same
    int nozzle_count;
    const dew_LiquidNozzle *nozzles;
    double margin_m[DEW_SIDE_COUNT];  // beyond open sides, where liquid is removed
} dew_LiquidParams;

/// One connected piece of liquid.
typedef struct dew_LiquidDrop {
    double volume_m3, area_m2;  // outside of solids; of the free surface
    dew_Vec3 center_m;
    int64_t cell_count;
} dew_LiquidDrop;

/// Liquid too small for the grid: a ball in ballistic motion, or at rest on a solid.
typedef struct dew_SubgridDroplet {
    dew_Vec3 position_m, velocity_m_s;
    double volume_m3;
} dew_SubgridDroplet;

/// What is neither state nor constant.
typedef struct dew_LiquidWorkspace {
    dew_Poisson poisson;
    dew_Arena scratch;      // of questions asked between steps
    dew_Array pieces;       // dew_LevelSetDrop
    double *nozzle_speeds;  // m/s, of the step
} dew_LiquidWorkspace;

typedef struct dew_Liquid {
    dew_Grid *grid;
    // Fields of the grid; these are the state:
    int phi, u[3], p;
    // Derived from the solids: distance (> 0 outside), aperture of lower faces, volume fraction of
    // the cell outside of solids, index of the nearest solid. Only there when has_solids.
    int solid, aperture[3], fluid_fraction, solid_id;
    int edge;         // dew_LiquidEdge of cells in walls; the same
    int wall_u[3];    // velocity of solids on lower faces; only there when has_motion
    int material[5];  // as dew_LiquidWetting has it; only there when has_affinities
    int slip;         // slip length of the nearest wall; only there when has_slips
    int drop;         // int32_t: number of the drop; derived from phi
    int wet_time;  // when cells in walls were last under liquid; only there when has_history. State
    dew_WetGround
        wet_ground;  // the same by place on the solids, for walls that bricks have left. State
    dew_WetGround touched;  // where liquid was at all, for wet maps. State
    dew_Array poses;  // dew_SolidPose: where the grid has its solids; empty without motion. State
    dew_Array
        moved;  // one double: cells that the liquid has moved by since phi was redistanced. State
    dew_Array waiting;   // double per inflow: brought, not yet given to a drop. State
    dew_Array droplets;  // dew_SubgridDroplet; state
    dew_Array targets;   // double per drop: the volume that it should have; state
    dew_Array drops;     // dew_LiquidDrop; derived

    dew_LiquidParams params;
    uint64_t values_hash;  // of the tension and angles in params (dew_problem_values_hash)
    dew_LiquidWorkspace *workspace;
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
    return s->params.has_solids ? dew_grid_f64(s->grid, s->solid) : NULL;
}
/// What a wall's cell does to the contact line.
static inline dew_LiquidWetting dew_liquid_wetting(const dew_Liquid *s, int64_t at, int32_t id)
{
    dew_LiquidWetting w = s->params.wetting[id];
    if (!s->params.has_affinities || w.has_fixed_phi)
        return w;
    w.receding = dew_grid_f64(s->grid, s->material[0])[at];
    w.advancing = dew_grid_f64(s->grid, s->material[1])[at];
    w.wet_advancing = dew_grid_f64(s->grid, s->material[2])[at];
    w.dries_after_s = dew_grid_f64(s->grid, s->material[3])[at];
    w.max_receding_N_m = dew_grid_f64(s->grid, s->material[4])[at];
    return w;
}
/// A point, in two dimensions in the middle of the layer of cells.
static inline dew_Vec3 dew_liquid_in_layer(const dew_Grid *grid, dew_Vec3 p)
{
    p.z = grid->dimensions == 2 ? grid->origin_m.z + 0.5 * grid->cell_m : p.z;
    return p;
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

/// solid_cells.c: what the solids are in some of the bricks.
dew_Status dew_liquid_read_solids(const dew_Problem *problem, dew_Liquid *liquid,
                                  const dew_Instant *instant, dew_LiquidWhich which);
/// The nearest wall, nozzles too; their id is behind those of the solids.
dew_SolidPoint dew_liquid_nearest_wall(const dew_Problem *problem, const dew_Liquid *liquid,
                                       const dew_Instant *instant, dew_Vec3 p, double reach_m);
/// Aperture of a lower face; its middle, and the nearest wall to that.
double dew_liquid_face_aperture(const dew_SolidPoint *near, int axis, double cell_m);
/// solid_cells.c: the edge beside a cell at x in a wall, whose nearest point of the wall is `near`.
dew_LiquidEdge dew_liquid_find_edge(const dew_Problem *problem, const dew_Liquid *liquid,
                                    const dew_Instant *instant, dew_Vec3 x,
                                    const dew_SolidPoint *near);
/// Puts phi in nozzles to what it is there.
void dew_liquid_fix_nozzle_phi(dew_Liquid *liquid);
/// After walls have moved: ghost values of phi move with the solids (memory: before).
dew_Status dew_liquid_carry_walls(const dew_Problem *problem, dew_Liquid *liquid,
                                  const dew_Step *step, const double *memory);
/// The instant whose poses the grid has; NULL when all solids rest.
const dew_Instant *dew_liquid_instant(const dew_Liquid *liquid, dew_Instant *storage);
/// Updates the active bricks.
dew_Status dew_liquid_update_bricks(const dew_Problem *problem, dew_Liquid *liquid,
                                    const dew_Instant *instant, dew_Arena *scratch);
/// Sets phi of cells deep in solids to that of air.
void dew_liquid_clear_deep_cells(dew_Liquid *liquid);

/// liquid.c: constants that follow from the scene and from the parameters that all solvers have;
/// the solver adds its own.
dew_LiquidParams dew_liquid_params(const dew_Problem *problem);
/// Has the scene this choice of the solver's parameter?
/// What distinguishes the grids of the solvers.
typedef struct dew_LiquidGridDef {
    const double *margin_m;  // per side of the domain: beyond open ones
    int first;               // cells before the domain's first one in its brick
    int fine;                // cells of the grid along a cell of the scene
    int max_cells_log2;      // of the scene, along a side
    dew_Tasks *tasks;
    dew_Allocator allocator;
} dew_LiquidGridDef;
dew_Status dew_liquid_grid_create(const dew_Problem *problem, const dew_LiquidGridDef *def,
                                  dew_Grid **out);
/// Without liquid yet. What failed is to be destroyed too.
dew_Status dew_liquid_create(const dew_Problem *problem, const dew_CreateDef *def,
                             const dew_LiquidParams *params, dew_Liquid *liquid);
void dew_liquid_destroy(dew_Liquid *liquid);
/// Reads tension and contact angles, when they have changed. DEW_UNSUPPORTED: they need a wetting
/// history, and the liquid was made without; it is as before.
dew_Status dew_liquid_parameters(const dew_Problem *problem, dew_Liquid *liquid);
/// The capillary limit of a step, sqrt(rho h^3 / (2 pi sigma)); INFINITY without tension.
double dew_liquid_capillary_s(const dew_LiquidParams *params, double cell_m);
/// The longest step of liquid of a speed (the components' sum): cfl, the capillary limit.
double dew_liquid_step_at(const dew_Liquid *liquid, const dew_Instant *instant, double speed_m_s,
                          const char **bound);
/// The same of liquid that turns within a cell, and so has that speed along each axis.
double dew_liquid_step_when_turning(const dew_Liquid *liquid, const dew_Instant *instant,
                                    double speed_m_s, const char **bound);
/// The same at the present speeds.
double dew_liquid_max_step(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Instant *instant, const char **bound);
/// Adds the state to a list; rebuilds what is derived from it.
void dew_liquid_fields(dew_Liquid *liquid, dew_FieldList *out);
dew_Status dew_liquid_restored(const dew_Problem *problem, dew_Liquid *liquid);
dew_GridView dew_liquid_view(const dew_Liquid *liquid);
/// liquid_fields.c: what dew/fields.h offers of the liquid, added to the lists; of any grid's flow.
void dew_liquid_flow_views(const dew_Grid *grid, const int u[3], int p, dew_FieldViews *out);
void dew_liquid_field_views(const dew_Liquid *liquid, dew_FieldViews *out);
void dew_liquid_particle_views(const dew_Liquid *liquid, dew_ParticleViews *out);
/// dew_liquid_volume_fractions with memory of its own for the areas.
dew_Status dew_liquid_fractions_only(const dew_Liquid *liquid, double *fraction);
/// Sets the velocity on all faces of all bricks.
dew_Status dew_liquid_set_velocity(dew_Liquid *liquid, const dew_VelocityField *velocity,
                                   double time_s);
/// The angles of a material, dry and wet.
dew_LiquidWetting dew_liquid_wetting_of(const dew_LiquidParams *params,
                                        const dew_MaterialDef *material);

/// contact_line_law.c: makes the table of the law.
dew_Status dew_liquid_cox_table(dew_Liquid *liquid);
/// Cosine of the angle at the distance from a line that moves with this speed, cosine: of the angle
/// at rest.
double dew_liquid_moving_cosine(const dew_LiquidParams *params, const dew_LineLaw *law,
                                double cosine, double speed_m_s, double distance_m);
bool dew_liquid_has_line_law(const dew_LiquidParams *params);  // has any solid?
/// 1 / (1 + added mass) of lower faces beside contact lines, which an implicit line needs; NULL:
/// none do.
dew_Status dew_liquid_line_mobility(const dew_Liquid *liquid, double dt_s, dew_Arena *scratch,
                                    const double *out[3]);

/// ghost_contact_angle.c: extrapolates phi into solids such that contact angles are within what the
/// solid allows.
dew_Status dew_liquid_impose_angle(dew_Liquid *liquid, double time_s, dew_Arena *scratch);
/// Same in new bricks and beside them.
dew_Status dew_liquid_impose_angle_fresh(dew_Liquid *liquid, double time_s, dew_Arena *scratch);
/// The same at one of the bounds.
typedef enum dew_LiquidBound {
    DEW_LIQUID_BETWEEN,
    DEW_LIQUID_RECEDING,
    DEW_LIQUID_ADVANCING
} dew_LiquidBound;
dew_Status dew_liquid_impose_angle_bound(dew_Liquid *liquid, dew_LiquidBound bound, double time_s,
                                         dew_Arena *scratch);

/// The virtual surface of one stencil, [Wang2005] sections 5.1-5.3: 3 x 3 x 3 nodes around a cell
/// beside a wall, x out of the liquid along the wall, y out of the wall, z along the contact line.
/// Lengths are in nodes' distances.
///
/// The plane y = 0 stands for the wall and the level of phi through the centre for the liquid's
/// surface. Below the plane the surface is replaced by one that leaves the contact line at the
/// stable angle.
typedef struct dew_VirtualStencil {
    double liquid[27];  // phi at the nodes, x fastest: in, free of the centre's value afterwards
    double line[9];     // distance to the contact line on the plane y = 0, < 0 under liquid: out
} dew_VirtualStencil;

/// Takes the centre's phi off and finds the contact line.
void dew_virtual_begin(dew_VirtualStencil *stencil);
/// Mean curvature (sum of both) at the centre of the surface joined with the virtual one at this
/// angle.
double dew_virtual_curvature(const dew_VirtualStencil *stencil, double angle_rad);

/// contact_stencil.c: curvature beside walls (1/m) as the paper has it, where options ask for that.
dew_Status dew_liquid_paper_curvature(dew_Liquid *liquid, double time_s, double *kappa,
                                      dew_Arena *scratch);

/// ghost_contact_angle.c, wetting history: what walls remember.
dew_Status dew_liquid_record_wetting(const dew_Problem *problem, dew_Liquid *liquid,
                                     const dew_Instant *instant);
/// When the wall nearest to a place was last wet.
double dew_liquid_wet_time(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Instant *instant, const dew_SolidPoint *near);
void dew_liquid_wetness_map(const dew_Problem *problem, const dew_Liquid *liquid,
                            const dew_Instant *instant, int solid_id, const dew_Vec3 *rest_m,
                            int64_t count, float *out);
/// Wetness, 0..1, of a cell of the grid.
double dew_liquid_wetness(const dew_Liquid *liquid, int32_t brick, int cell, double time_s,
                          double dries_after_s);

/// inflow_outflow.c: nozzles of the scene, and memory for what waits.
dew_Status dew_liquid_inflows_create(const dew_Problem *problem, dew_Liquid *liquid);
/// An inflow as the grid sees it, and what it lets through in [begin_s, end_s).
dew_LiquidNozzle dew_liquid_nozzle_at(const dew_Problem *problem, const dew_Grid *grid,
                                      int64_t inflow);
double dew_liquid_nozzle_volume_m3(const dew_Problem *problem, const dew_LiquidNozzle *nozzle,
                                   double begin_s, double end_s);
/// No liquid comes in faster from a time on; is_axes_summed: the sum of the components of a
/// velocity, else its length.
double dew_liquid_inflow_speed(const dew_Problem *problem, double time_s, bool is_axes_summed);
/// Cells right before it and so many around them: [min, max).
void dew_liquid_nozzle_box(const dew_LiquidNozzle *nozzle, const dew_Grid *grid, int around,
                           int32_t min[3], int32_t max[3]);
/// Calls `look` for the cells of bricks right before it; at: their place in the fields.
typedef void dew_NozzleCellFn(void *context, const dew_LiquidNozzle *nozzle, const int32_t cell[3],
                              int64_t at);
void dew_liquid_nozzle_cells(const dew_LiquidNozzle *nozzle, const dew_Grid *grid,
                             dew_NozzleCellFn *look, void *context);
/// The pin: its distance, and normal out of it.
dew_Closest dew_liquid_nozzle_nearest(const dew_LiquidNozzle *nozzle, dew_Vec3 p);
/// phi in the pin.
double dew_liquid_nozzle_phi(const dew_LiquidNozzle *nozzle, dew_Vec3 p);
/// How deep a point lies in what is not drawn: the column's surface behind the disk, which is that
/// of the pin to a part of a cell and would show beside it as a ragged film.
double dew_liquid_nozzle_hidden(const dew_LiquidNozzle *nozzle, dew_Vec3 p);
/// Adds the inflow of this step.
dew_Status dew_liquid_inflow(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step);

/// inflow_outflow.c: how far beyond open sides liquid may be.
void dew_liquid_outflow_margins(const dew_Problem *problem, dew_LiquidParams *params,
                                double cell_m);
/// Bounds of the liquid: the margins beyond open sides; infinite where walls are.
dew_Box dew_liquid_bounds(const dew_Problem *problem, const double margin_m[DEW_SIDE_COUNT]);
/// Does outflow removal act at this place?
bool dew_liquid_is_outside(const dew_Problem *problem, const dew_Liquid *liquid, dew_Vec3 p);
/// Outflow removal: liquid in sinks and beyond open sides.
dew_Status dew_liquid_remove_outflow(const dew_Problem *problem, dew_Liquid *liquid,
                                     dew_Step *step);

/// particles/level_set_markers.c: markers that correct phi, [Enright2002]. `markers` may be NULL:
/// then these do nothing. most: per cell, at full speed.
dew_Status dew_liquid_markers_create(dew_Liquid *liquid, int most, uint64_t seed,
                                     dew_Markers **out);
void dew_liquid_markers_destroy(const dew_Liquid *liquid, dew_Markers *markers);
void dew_liquid_markers_fields(dew_Markers *markers, dew_FieldList *out);
dew_Status dew_liquid_markers_restored(dew_Liquid *liquid, dew_Markers *markers);
/// Seeds markers each tenth step and moves them with the velocity that moves phi.
dew_Status dew_liquid_markers_move(dew_Liquid *liquid, dew_Markers *markers, const dew_Step *step,
                                   const double *const u[3], dew_Arena *scratch);
/// Corrects phi by the markers that escaped.
dew_Status dew_liquid_markers_correct(dew_Liquid *liquid, dew_Markers *markers, dew_Arena *scratch);
/// To be called when phi has its final values of a step. is_changed: by inflow or outflow too.
dew_Status dew_liquid_markers_end(dew_Liquid *liquid, dew_Markers *markers, bool is_changed,
                                  dew_Arena *scratch);

/// surface_tension.c: the pressure at the free surface for cells beside it, into p_surface.
dew_Status dew_liquid_surface_tension(dew_Liquid *liquid, double time_s, double dt_s,
                                      double *p_surface, dew_Arena *scratch);

/// contact_line_law.c, stabiliser: what damps short waves at contact lines. The velocity has had
/// its gravity, times the mobility (NULL: 1).
dew_Status dew_liquid_line_friction(dew_Liquid *liquid, const dew_Step *step,
                                    const double *const mobility[3], double *p_surface);

/// flow_stages.c: velocity in the middle of cell n of brick b; u: of its faces.
dew_Vec3 dew_liquid_cell_velocity(const dew_Grid *grid, const double *const u[3], int32_t b, int n);

/// surface_tension.c, wind: what the air adds to it.
dew_Status dew_liquid_wind_pressure(dew_Liquid *liquid, dew_Vec3 wind_m_s, double *p_surface);

/// flow_stages.c: velocities beyond the free surface. is_known: as the projection reports.
dew_Status dew_liquid_extrapolate_into_air(dew_Liquid *liquid, uint8_t *const is_known[3],
                                           dew_Arena *scratch);
/// The velocity that carries phi, once velocities are extrapolated: near the surface that of its
/// closest point.
dew_Status dew_liquid_surface_velocity(dew_Liquid *liquid, uint8_t *const is_known[3],
                                       double *const out[3]);

/// flow_stages.c: what a step works on.
typedef struct dew_LiquidFlow {
    const dew_Problem *problem;
    dew_Liquid *liquid;
    dew_Step *step;
    dew_Arena *scratch;
    double *u[3];               // on lower faces
    const double *aperture[3];  // NULL without solids
    const double *wall_u[3];    // NULL when no wall moves
    const double *solid;
    const double *mobility[3];  // beside contact lines; NULL: 1 (dew_liquid_line_mobility)
    uint8_t *is_known[3];       // after projection: faces of the liquid
    double viscous_s;  // for so long viscosity acts: the step, unless the solver says otherwise
} dew_LiquidFlow;
/// Sources, bricks and solids as they are when the step begins. The fields are there when some
/// brick is.
dew_Status dew_liquid_flow_begin(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step,
                                 dew_LiquidFlow *flow);
/// Gravity, then viscosity.
dew_Status dew_liquid_forces(dew_LiquidFlow *flow);
/// Tension, wind and pressure in one.
dew_Status dew_liquid_project(dew_LiquidFlow *flow);
/// The same; drops that touch nothing keep their momentum.
dew_Status dew_liquid_project_free(dew_LiquidFlow *flow);
/// How a velocity of this step is projected, without a pressure at the surface.
dew_ProjectionDef dew_liquid_projection(const dew_LiquidFlow *flow);
/// Velocities beyond the free surface and in solids.
dew_Status dew_liquid_extrapolate_velocity(dew_LiquidFlow *flow);
/// Those in solids; is_free: as if walls had free slip, else by their slip lengths.
dew_Status dew_liquid_fill_ghost_velocities(dew_LiquidFlow *flow, bool is_free);
/// Memory for a velocity, of the step.
dew_Status dew_liquid_take_velocity(const dew_LiquidFlow *flow, double *to[3]);
/// Redistances phi, except in solids (before: its values there), where ghost values are kept and
/// move with the solids.
dew_Status dew_liquid_redistance(dew_LiquidFlow *flow, const double *before);
/// The same when the liquid has moved by a part of a cell since the last time, or more has happened
/// than that: for a phi that is only advected. In solids phi is that of before in any case.
dew_Status dew_liquid_redistance_moved(dew_LiquidFlow *flow, const double *before);
/// What ends the move of phi in a step: contact angles, drops and volumes, outflow, wetting
/// history.
dew_Status dew_liquid_end_move(dew_LiquidFlow *flow);
/// Labels drops, moves sub-grid droplets, and corrects volumes when due.
dew_Status dew_liquid_update_drops(dew_LiquidFlow *flow);

/// drop_labels.c: part of each cell that is liquid, and its free surface (m^2).
dew_Status dew_liquid_volume_fractions(const dew_Liquid *liquid, double *fraction, double *area_m2);
/// Labels the drops; each inherits the target volume of its predecessors. added: volume poured
/// since then is added to the target.
dew_Status dew_liquid_label_drops(dew_Liquid *liquid, bool is_added, dew_Arena *scratch);
/// Corrects the drops' volumes to their targets, by shifting the surface by at most `limit` cells.
dew_Status dew_liquid_correct_volumes(dew_Liquid *liquid, double limit, dew_Arena *scratch);
/// Drops of a few cells that miss their targets by a relevant part of the whole become sub-grid
/// droplets.
dew_Status dew_liquid_convert_unresolved(dew_Liquid *liquid, dew_Arena *scratch);
/// The largest relative error of a drop's volume; that of drops of a few cells counts less.
double dew_liquid_worst_error(const dew_Liquid *liquid);
/// Sum of the drops' volume errors against their targets, relative to all liquid.
double dew_liquid_summed_error(const dew_Liquid *liquid);

/// subgrid_droplets.c: a component that the grid cannot resolve becomes a sub-grid droplet, with
/// the velocity that is there.
dew_Status dew_liquid_add_droplet(dew_Liquid *liquid, dew_Vec3 position_m, double volume_m3);
/// Moves them; those that touch liquid rejoin it.
dew_Status dew_liquid_move_droplets(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step);
double dew_liquid_droplets_m3(const dew_Liquid *liquid);
double dew_liquid_droplet_radius_m(const dew_Liquid *liquid, const dew_SubgridDroplet *droplet);
/// Adds them to a surface as balls, or halves of balls on solids. Those that overlap are drawn as
/// one; those that cross the surface are left out.
dew_Status dew_liquid_droplets_mesh(const dew_Problem *problem, const dew_Liquid *liquid,
                                    const dew_Instant *instant, dew_Surface *out);

/// inflow_outflow.c: adds a drop of the scene or of a source.
dew_Status dew_liquid_pour(const dew_Problem *problem, dew_Liquid *liquid,
                           const dew_Instant *instant, const dew_Blob *blob);
/// liquid.c: measuring cannot fail for lack of memory after this, until bricks come.
dew_Status dew_liquid_reserve(const dew_Liquid *liquid);
/// The angle that the free surface makes with a wall at a point of it (in cells of the brick),
/// with N out of the wall; NaN: the contact line is farther than a cell, or the angle is not
/// defined. at_wall: phi there, in cells. False: too near to the grid's end.
bool dew_liquid_angle(const dew_Liquid *liquid, int32_t brick, dew_Vec3 wall, dew_Vec3 N,
                      double *at_wall, double *angle_rad);
void dew_liquid_measure(const dew_Problem *problem, const dew_Liquid *liquid,
                        const dew_Instant *instant, dew_Measure *out);
/// surface_mesh.c
dew_Status dew_liquid_surface(const dew_Problem *problem, const dew_Liquid *liquid,
                              const dew_Instant *instant, dew_Surface *out);

/// liquid_ops.c: rows of dew_SolverOps for solvers whose state begins with a dew_Liquid.
dew_Status dew_liquid_op_parameters(const dew_Problem *problem, dew_SolverState *state);
double dew_liquid_op_max_step(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Instant *instant, const char **bound);
double dew_liquid_op_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                   const dew_Instant *instant, double speed_m_s,
                                   const char **bound);
dew_Status dew_liquid_op_surface(const dew_Problem *problem, const dew_SolverState *state,
                                 const dew_Instant *instant, dew_Surface *out);
void dew_liquid_op_wetness(const dew_Problem *problem, const dew_SolverState *state,
                           const dew_Instant *instant, int solid_id, const dew_Vec3 *rest_m,
                           int64_t count, float *out);
dew_GridView dew_liquid_op_grid(const dew_SolverState *state);
void dew_liquid_op_field_views(const dew_SolverState *state, dew_FieldViews *out);
dew_Status dew_liquid_op_volume_fractions(const dew_SolverState *state, double *out);
dew_Status dew_liquid_op_set_velocity(dew_SolverState *state, const dew_VelocityField *velocity,
                                      double time_s);
/// To be put behind the state's definition.
#define DEW_LIQUID_BEGINS_STATE                                                                    \
    _Static_assert(offsetof(struct dew_SolverState, liquid) == 0,                                  \
                   "the state begins with its liquid")
