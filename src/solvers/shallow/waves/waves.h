/// Solver `shallow`, waves: the shallow-water equations on dry and wet ground [Wong2006].
///
///     dD/dt + d(D u)/dx + d(D w)/dz = 0
///     du/dt + u du/dx + w du/dz = -g d(b + D)/dx + gx - friction,    and the same for w
///
/// D: depth. b: ground. u, w: mean velocity of a column. g: gravity onto the ground; gx, gz: along
/// it.
///
/// Four models: finite-difference (semi-Lagrangian depth and velocity, loses volume), finite-volume
/// (TVD Runge-Kutta), finite-volume-semi-lagrangian, and level-set (default), which tracks the
/// contact line as phi = 0.
///
/// Limits: no surface tension (films/), hydrostatic pressure, one depth per column.
#pragma once

#include "solvers/shallow/shallow_state.h"

#include <float.h>

/// Parameters of waves. Lengths in cells unless said.
typedef struct dew_WaveParams {
    // Largest slope of a reconstruction, of the smaller difference. Valid: 1 (minmod) to 2 (the
    // steepest that is monotone). Tests: validate shallow_dam, shallow_bowl.
    double slope_limit;
    // Fixed-point iterations of the point of departure [Wong2006, eq. 2.25]. Valid from 1; the
    // error falls by the Courant number in each.
    int path_iterations;
    // Depth below which a column is dry for the contact line. Valid: above dry_cells, below 1.
    double dry_depth_cells;
    // The same as a part of the rise of the ground over the cell, added: what the lower part of a
    // sloping cell holds. Valid below 0.5.
    double dry_depth_rise;
    // Distance from the contact line within which phi is advected; largest lead of a front over its
    // liquid. Valid: 1 to DEW_SHALLOW_BAND.
    double advected_cells;
    // A line as near as this to a face lies on the face: rounding.
    double face_gap;
    // Of sqrt(g dx): slower flow passes a closed face, so that a lake at rest is not filled by
    // rounding.
    double slow_ratio;
    // Of heights: smaller differences are rounding, no slope.
    double height_rounding;
    // Bound of the factor by which a stage of Runge-Kutta amplifies a kick where a column empties.
    // Valid from 1.
    double max_kick_ratio;
    // Least difference of W and the velocity behind a front, in wave speeds. Valid: 1 (a shore) to
    // 2 (the front of [Ritter1892]). Test: validate shallow_dam.
    double front_signal;
    // Faces behind the first of a front that must have its W, and columns in which a step of the
    // depth may begin a front. Valid: 1 to DEW_SHALLOW_BAND.
    int front_even_faces;
    // Difference of their W, in wave speeds. Valid: above 0, below front_signal - 1.
    double front_tolerance;
    // Bound of W, of the speed that the liquid behind can cause (2 c + |u|, and a fall). Valid
    // from 1; the excess is the error of the scheme.
    double front_speed_ratio;
    // Slope of the ground beyond which there are no fronts: liquid falls there.
    double front_slope;
    // Distance at which a surface would reach 0 by its slope; if that is farther the liquid ends
    // with a step, as behind a dam. Valid from 1.
    double step_reach_cells;
    // A side of a moving solid that is steeper is a wall. Valid from 1. Test: validate
    // shallow_piston.
    double wall_slope;
} dew_WaveParams;
static const dew_WaveParams dew_wave_params = {
    .slope_limit = 1.5,
    .path_iterations = 3,
    .dry_depth_cells = 1e-3,
    .dry_depth_rise = 0.1,
    .advected_cells = 2.5,
    .face_gap = 1e-9,
    .slow_ratio = 1e-6,
    .height_rounding = 4 * DBL_EPSILON,
    .max_kick_ratio = 2,
    .front_signal = 1.5,
    .front_even_faces = 2,
    .front_tolerance = 0.25,
    .front_speed_ratio = 1.2,
    .front_slope = 0.5,
    .step_reach_cells = 3,
    .wall_slope = 2,
};

// ---- wave_step.c
// ---------------------------------------------------------------------------------

/// Between sources and sinks: depth, velocity and contact line at the end of the step.
dew_Status dew_wave_step(dew_ShallowFlow *flow);
double dew_wave_max_step(const dew_SolverState *state, const dew_Instant *instant,
                         const char **bound);
/// The same if the liquid had this speed.
double dew_wave_step_at_speed(const dew_SolverState *state, const dew_Instant *instant,
                              double deepest_m, double speed_m_s, const char **bound);

// ---- stages
// --------------------------------------------------------------------------------------

/// active_runs.c: the parts of rows that are wet or may become so in the step.
void dew_wave_find_runs(dew_SolverState *state);
static inline const dew_WaveRun *dew_wave_runs(const dew_SolverState *state, int row)
{
    return state->work.runs + (int64_t)row * state->work.max_runs;
}

/// moving_ground.c: the ground at the end of the step, and what its motion does to the columns.
dew_Status dew_wave_move_ground(dew_ShallowFlow *flow);

/// wave_friction.c: of the ground, and of the wind over the surface.
dew_Status dew_wave_apply_friction(dew_ShallowFlow *flow);

/// wave_pressure.c: gravity and `head` over dt_s, on (u, w). before_u, before_w: the velocities
/// earlier in the step, in other arrays.
dew_Status dew_wave_kick(dew_ShallowFlow *flow, double dt_s, const double *before_u,
                         const double *before_w, double *u, double *w);

/// domain_sides.c: velocities of (u, w) on the domain's sides and beyond; fluxes through them from
/// those of work; the volume that leaves in the step.
void dew_wave_sides_velocity(const dew_ShallowFlow *flow, double *u, double *w);
void dew_wave_sides_flux(dew_ShallowFlow *flow);
double dew_wave_sides_outflow_m3(const dew_ShallowFlow *flow);

/// volume_flux.c: fluxes from the velocities of work, and the depth after them.
dew_Status dew_wave_update_depth(dew_ShallowFlow *flow);

/// wave_momentum.c: velocities of work advected by the fluxes, into the state; or by upwind
/// differences, as in the paper's finite-volume model.
dew_Status dew_wave_advect_momentum(dew_ShallowFlow *flow);

/// semi_lagrangian.c: the velocities of work advected along paths, into the state; the depth too.
dew_Status dew_wave_advect_velocity(dew_ShallowFlow *flow);
dew_Status dew_wave_advect_depth(dew_ShallowFlow *flow);

/// runge_kutta.c: the flow of a step in three stages.
dew_Status dew_wave_runge_kutta(dew_ShallowFlow *flow);

// ---- the contact line
// ----------------------------------------------------------------------------

/// shoreline_level_set.c: phi of a window from the depth alone, for models that do not track the
/// line.
void dew_wave_shoreline_from_depth(const dew_SolverState *state, dew_ShallowWindow window);
/// The same where liquid was added. What was inside the contact line stays inside: else a steady
/// source would hold the contact line back.
void dew_wave_extend_shoreline(const dew_SolverState *state, dew_ShallowWindow window);
/// Depth below which a column is dry for the contact line.
double dew_wave_dry_depth_m(const dew_SolverState *state, int64_t n);
/// The contact line advected by a step.
dew_Status dew_wave_move_shoreline(dew_ShallowFlow *flow);

/// shoreline_velocity.c: shoreline_u and shoreline_w in the band.
dew_Status dew_wave_find_shoreline_velocity(dew_SolverState *state);

/// wetting_front.c: the fronts of waves on dry ground at the beginning of the step; velocities
/// there from the present depth.
dew_Status dew_wave_find_fronts(dew_ShallowFlow *flow);
static inline bool dew_wave_is_front(const dew_SolverState *state, int64_t n)
{
    const dew_ShallowWork *work = &state->work;
    int64_t z = state->grid.stride;
    return work->is_front_u[n] || work->is_front_u[n + 1] || work->is_front_w[n] ||
           work->is_front_w[n + z];
}
dew_Status dew_wave_set_front_velocity(dew_ShallowFlow *flow);

/// level_set_band.c: finds the band around phi = 0; makes psi a distance there, into phi.
dew_Status dew_wave_find_band(dew_SolverState *state);
dew_Status dew_wave_redistance_band(dew_SolverState *state);
static inline int32_t *dew_wave_band(const dew_SolverState *state, int row)
{
    return state->work.band + (int64_t)row * state->grid.columns;
}
/// Calls fn for each cell of the band; bit-identical for any number of workers when fn writes to
/// its cell only.
typedef struct dew_WaveCell {
    int column, row;
    int64_t n;
} dew_WaveCell;
typedef void dew_WaveCellFn(const void *context, dew_WaveCell cell);
dew_Status dew_wave_for_band(const dew_SolverState *state, dew_WaveCellFn *fn, const void *context);

/// fast_sweeping.c: distance to the zeros of psi on the lines from a cell to its neighbours, of
/// those that are given (NULL: all); INFINITY where there is none.
double dew_wave_crossing_distance_m(const dew_ShallowGrid *grid, int column, int row,
                                    const double *psi, const uint8_t *is_given);
/// [Wong2006, eq. 3.9]: the distance from the neighbours' a along x and b along z.
double dew_wave_eikonal(double a, double b, double dx, double dz);
/// Distances from the sign changes of psi, in a window.
void dew_wave_sweep(const dew_ShallowGrid *grid, dew_ShallowWindow window, double far_m,
                    const double *psi, double *phi);
