/// One drop while it is worked on: its mesh, its connectivity, and the vectors of its equation of
/// motion.
///
/// Everything below `n` lies in the workspace's arena and is made anew whenever the mesh changes
/// (dew_drop_connect). Letters as in docs/theory/surface.md:
///
///     x, v   positions and velocities          m   mass per area of the moving surface
///     y      positions at which forces act     G   gradient of the volume
///     A      matrix of the implicit step       Q   gradient of the centre of mass, 3 x 3 each
#pragma once

#include "base/arena.h"
#include "geom/remesh.h"
#include "problem/problem.h"
#include "solvers/surface/drop_stages.h"
#include "solvers/surface/drop_store.h"
#include "solvers/surface/drop_wetting_history.h"
#include "solvers/surface/implicit_kernels.h"
#include "wetting/contact_angle.h"

/// `model: paper`: the filters of [Zhang2011] one after the other (paper_model.c), and their
/// coefficients.
typedef struct dew_PaperModel {
    bool is_on;
    double mu_1_s, eta_m2_s;  // damping and viscosity of eq. (3)
    double gamma_m2_s;        // of the curvature flow, eq. (4); 0: from tension and density
    double alpha_m_s2;        // of the contact angle, eq. (8), per radian; 0: likewise
} dew_PaperModel;

/// What is the same for all drops in a step.
typedef struct dew_SurfaceSolverParams {
    const dew_Problem *problem;
    double rho_kg_m3, mu_Pa_s, sigma_N_m;
    double edge_m;            // wanted edge length of drops that are not small
    double steps_per_period;  // of a drop's slowest oscillation; 0: not resolved, one step suffices
    double tolerance;         // of the implicit solve, relative
    bool correct_locally;     // [Zhang2011] eqs. (9)-(11) before the global correction
    bool merge_self;
    bool may_sleep;
    dew_PaperModel paper;
    uint64_t values_hash;         // of surface tension and contact angles
    const dew_WetGround *ground;  // where solids have been wet; NULL: no material asks
} dew_SurfaceSolverParams;

/// Edges of a small drop are shorter, so that it still gets some forty triangles; those at a nozzle
/// likewise.
#define DEW_EDGE_PER_RADIUS 0.55

/// Of the mass per area: the base of a drop hardly takes part in its motion.
#define DEW_WETTED_INERTIA 0.25

typedef enum dew_DropHold {
    DEW_HOLD_SLIDES,  // may move along the solid
    DEW_HOLD_CREASE,  // lies on two solids: may move along their crease
    DEW_HOLD_FIXED,   // moves with the solid: a pinned contact line, a nozzle
} dew_DropHold;

/// A vertex that touches a solid or a nozzle.
typedef struct dew_DropTouch {
    int32_t vertex;
    int32_t solid_id;  // DEW_INVALID: a nozzle
    int32_t other_id;  // the second solid of a crease
    dew_DropHold hold;
    dew_LineState line_state;
    bool in_crease;  // of two solids; held there, or free to move along it
    bool is_line;    // on the contact line
    bool is_lone;    // no triangle about it lies on the solid
    bool at_edge;    // of its solid, which ends ahead; the line would have to go round it:
    dew_Vec3 around, around_normal;  // unit, along the side beyond, and that side's normal
    dew_Vec3 normal;                 // of the solid
    dew_Vec3 crease;                 // unit, along the crease of two solids
    dew_Vec3 velocity;               // of the solid there
    dew_Vec3 outward;  // unit, in the solid's tangent plane, from the liquid over the dry solid; or
                       // along the crease
    double length_m;   // of contact line that belongs to the vertex
    dew_LineLaw law;   // of the moving line
    double target_rad;  // microscopic angle of a line that moves
    // The law linearised about a speed: the line is pulled outward with young - drag speed.
    double young_N_m, drag_Pa_s;
    double max_receding_N_m, friction, slip_m;
    double wet_advancing_rad, dries_after_s;
    dew_AngleInterval interval;
    dew_Vec3 reaction;  // impulse of the solid's that keeps the vertex where it may be, negative
} dew_DropTouch;

/// The drop's tail in slabs across its motion, counted from the tip (drop_tail.c).
enum { DEW_TAIL_SLABS = 64 };
typedef struct dew_DropTail {
    int32_t count;  // from the tip to the widest section; 0: the drop does not move
    double slab_m;
    double fraction[DEW_TAIL_SLABS];  // 0: as in a round base; 1: a tail whose sides are parallel
    double resistance[DEW_TAIL_SLABS], inertance[DEW_TAIL_SLABS];  // Pa s/m^3, Pa s^2/m^3
    double flow[DEW_TAIL_SLABS];                                   // m^3/s toward the tip
    double *at;           // per vertex: its place, in slabs from the tip
    double *pressure_Pa;  // per vertex: of the flow at the beginning of the step
    double *scratch;      // per vertex
} dew_DropTail;

typedef struct dew_DropWork {
    const dew_SurfaceSolverParams *params;
    dew_DropValues values;
    dew_DropCounts counts;
    dew_DropFlags flags;
    dew_Array positions, velocities, labels, clearances, scales, triangles;
    dew_Array poses;  // dew_SolidPose, of the sub-step
    dew_Instant instant;
    dew_Remesh *remesh;
    dew_Arena arena;
    double edge_m;         // of this drop
    int64_t iterations;    // of the linear solver in this step, all drops of the group
    int64_t retries;       // sub-steps repeated with half the length, likewise
    double splash_number;  // largest of an impact in this step, likewise
    double world_step_s;
    bool is_connected;
    dew_StageClock *clock;  // NULL: nobody measures

    int64_t n, triangle_count;
    dew_Vec3 *x, *v;
    uint8_t *label;
    double *clearance;
    const dew_Triangle *triangle;

    // Matrix rows: the neighbours of each vertex, once each (drop_mesh.c).
    int32_t *row;   // n + 1 beginnings
    int32_t *col;   // neighbour
    int32_t *slot;  // 3 per triangle: entry of the edge from corner c to the next
    int32_t *twin;  // per entry: that of the edge the other way

    // Geometry at y (drop_geometry.c).
    dew_Vec3 *y;
    dew_Vec3 *solid_normal;  // per vertex: of the solid it touches; zero: none (drop_collision.c)
    uint8_t *is_wet;         // per triangle: lies on a solid
    double *cotangent;       // 3 per triangle: half the cotangent opposite to the edge at corner c
    double *area;            // per vertex: a third of the free triangles about it
    double *wet_area;        // the same of wet ones
    dew_Vec3 *gradient;      // G
    double *moment_of_x;     // Q, 9 per vertex: three rows, divided by the volume
    double volume_m3, free_area_m2, wet_area_m2;
    double film_area_m2;  // triangles on a solid that face the air: a film without thickness
    dew_Vec3 center_m;

    // The implicit step (implicit_solve.c).
    double *off, *diagonal;  // of the stiffness: off the diagonal per entry, on it per vertex
    double *mass;            // per vertex
    double line_scale_m;     // L of the law: the radius of the wetted base
    double mass_matrix[9];   // of the rigid translation: true mass and the drag of the wetted base
    dew_Vec3 rigid_impulse;  // on it, besides the forces on the vertices
    dew_Vec3 total_force_N;  // on all vertices, of gravity, wind, tension and viscosity
    dew_Vec3 *force;         // N at y; becomes the impulse of the step
    dew_Vec3 *change;        // of the velocity
    dew_Vec3 *residual, *image;
    double first_residual;    // of the sub-step, as its norm is taken; 0: none yet
    double *pivot, *inverse;  // the matrix's diagonal
    dew_Double4 *wide;        // the solver's vectors, seven of them
    dew_DropTouch *touches;
    int64_t touch_count;
    dew_DropTail tail;
} dew_DropWork;

dew_Status dew_drop_work_init(dew_DropWork *work, const dew_Allocator *allocator);
void dew_drop_work_deinit(dew_DropWork *work);
/// Makes room for as much as another one has room for; what is in the arenas of both goes.
dew_Status dew_drop_work_reserve_as(dew_DropWork *work, dew_DropWork *other);
dew_Status dew_drop_work_load(dew_DropWork *work, const dew_SurfaceSolverParams *params,
                              const dew_DropView *drop);
dew_DropView dew_drop_work_view(const dew_DropWork *work);

/// drop_mesh.c: rows, slots and twins of the mesh as it is; room for all vectors.
dew_Status dew_drop_connect(dew_DropWork *work);

/// drop_geometry.c: wet triangles, areas, gradients of volume and centre at y.
void dew_drop_measure_at(dew_DropWork *work, const dew_Vec3 *y);
dew_Vec3 dew_drop_center(const dew_DropWork *work, const dew_Vec3 *y);
/// Volume alone, at x.
double dew_drop_volume(const dew_DropWork *work);
/// Velocity of the centre of mass: Q v.
dew_Vec3 dew_drop_mean_velocity(const dew_DropWork *work, const dew_Vec3 *v);
double dew_drop_radius_m(const dew_DropWork *work);  // of the sphere of its volume
double dew_drop_area_m2(const dew_DropWork *work);   // of all its triangles
/// Wanted edge length: shorter in small drops and at narrow nozzles, longer in thin films.
double dew_drop_wanted_edge_m(const dew_DropWork *work);

double dew_drop_capillary_speed_m_s(const dew_DropWork *work);
/// Of the slowest oscillation of a free drop, n = 2. [Rayleigh1879]
double dew_drop_period_s(const dew_DropWork *work);

// The deformation operators, one file each, in the order of [Zhang2011]. Forces are added up at y.
void dew_drop_add_gravity(dew_DropWork *work);
void dew_drop_add_wind(dew_DropWork *work);
/// Finds the solids under the labelled vertices; puts the vertices on them and their velocities
/// along.
void dew_drop_find_touches(dew_DropWork *work);
/// Lowers the advancing angle of a touching vertex where the solid ahead of it is wet.
void dew_drop_look_up_wetness(const dew_DropWork *work, dew_DropTouch *touch);
/// Puts a point on the solid that vertices of this label lie on: for remeshing.
void dew_drop_project(const dew_DropWork *work, uint8_t label, dew_Vec3 *x);
void dew_drop_apply_friction(dew_DropWork *work, double dt_s);
/// After a move from y to x: vertices that have come into a solid. solid_way_m: how far solids
/// moved.
void dew_drop_collide(dew_DropWork *work, double dt_s, double solid_way_m);
/// What lies beyond the edge at which a line's vertex may stand: sets at_edge and what goes with
/// it.
void dew_drop_look_around(dew_DropWork *work, dew_DropTouch *touch);
/// drop_effective_mass.c: mass of the surface per area, for the motion it is in. Cotangents must be
/// known.
double dew_drop_effective_mass_kg_m2(dew_DropWork *work);
void dew_drop_find_cotangents(dew_DropWork *work);
void dew_drop_add_viscosity(dew_DropWork *work);
void dew_drop_smooth_tangentially(dew_DropWork *work, double dt_s, bool is_at_rest);
double dew_drop_viscosity_N_s_m(const dew_DropWork *work);
void dew_drop_add_tension(dew_DropWork *work);
/// Matrix of the step from the cotangents: stiffness of free triangles and of wet ones.
void dew_drop_assemble(dew_DropWork *work, double free_stiffness, double wet_stiffness);
/// Contact line: its vertices, their first states by the forces so far and the last pressure.
void dew_drop_begin_line(dew_DropWork *work);
/// States that the solution contradicts are changed, and the law is linearised anew where the speed
/// that was found is too far from the one assumed; true when there were any.
bool dew_drop_review_line(dew_DropWork *work, double dt_s, bool may_release);
/// Lets go of vertices that nothing keeps on the solid.
void dew_drop_release(dew_DropWork *work);
/// drop_tail.c: the slabs and their resistance. Geometry at y must be known.
void dew_drop_find_tail(dew_DropWork *work);
/// From the volume per time that each vertex sweeps to the pressure at it that resists the flow
/// along the tail, in place. per_s: the flow's inertia is overcome in that time's inverse; 0: it is
/// steady. Returns the power.
double dew_drop_tail_resist(dew_DropTail *tail, int64_t n, double per_s, double *values);
/// Of a vertex: 0 outside the tail.
static inline double dew_drop_tail_fraction(const dew_DropTail *tail, int64_t i)
{
    return tail->at[i] < tail->count ? tail->fraction[(int32_t)tail->at[i]] : 0;
}
void dew_drop_correct_locally(dew_DropWork *work);
void dew_drop_correct_volume(dew_DropWork *work);
/// Fails when the volume could not be put right, or a number is none.
dew_Status dew_drop_check(const dew_DropWork *work);

/// implicit_solve.c: the change of the velocities, and the pressure.
dew_Status dew_drop_solve(dew_DropWork *work, double dt_s, double volume_rate_m3_s);

bool dew_drop_is_in_air(const dew_DropWork *work);  // touches nothing
void dew_drop_shift(dew_DropWork *work, dew_Vec3 way_m);

/// drop_substep.c: one step. The mesh must be connected.
dew_Status dew_drop_substep(dew_DropWork *work, double dt_s, double theta, double solid_way_m);

/// paper_model.c: one step of `model: paper` instead, and the longest at which it is stable.
dew_Status dew_drop_paper_substep(dew_DropWork *work, double dt_s, double solid_way_m);
double dew_drop_paper_limit_s(const dew_DropWork *work, bool touches);

// Its operators, each a filter of positions and velocities. Geometry and cotangents at x.
void dew_drop_paper_damp(dew_DropWork *work, double dt_s);           // eq. (3)
void dew_drop_paper_flow(dew_DropWork *work, double dt_s);           // eqs. (4)-(7)
void dew_drop_paper_contact_angle(dew_DropWork *work, double dt_s);  // eq. (8)
