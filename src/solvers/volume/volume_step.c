// The step, as a list of stages: body forces, viscosity, tension and pressure in one projection,
// extension, advection of velocity and phi, distances, contact angles, drops.
//
// Forces and pressure change the velocity, then the new velocity moves the surface: for small waves
// this is the symplectic Euler scheme, which neither damps nor feeds them.
#include "base/status.h"
#include "grid/velocity.h"
#include "solvers/volume/volume_state.h"

#include <string.h>

// phi and the velocity, both with the velocity as it is now.
static dew_Status advect(dew_SolverState *state, dew_LiquidFlow *s)
{
    dew_Liquid *liquid = &state->liquid;
    int64_t count = dew_liquid_count(liquid);
    const double *const u[3] = {s->u[0], s->u[1], s->u[2]};
    double *to[3] = {NULL, NULL, NULL}, *carrier[3] = {NULL, NULL, NULL};
    DEW_TRY(dew_liquid_take_velocity(s, to));
    DEW_TRY(dew_liquid_take_velocity(s, carrier));
    dew_AdvectDef def = dew_default_advect_def();
    def.dt_s = s->step->dt_s;
    def.phi = dew_liquid_phi(liquid);
    def.band_m = 2 * liquid->grid->cell_m;
    def.solid = s->solid;
    DEW_TRY(dew_velocity_advect(liquid->grid, u, NULL, &def, to));
    dew_stage_end(s->step->clock, DEW_LIQUID_ADVECT);
    DEW_TRY(dew_liquid_surface_velocity(liquid, s->is_known, carrier));
    const double *const by[3] = {carrier[0], carrier[1], carrier[2]};
    DEW_TRY(dew_levelset_advect_weno(liquid->grid, dew_liquid_phi(liquid), by, s->step->dt_s,
                                     DEW_LIQUID_REACH * liquid->grid->cell_m, s->scratch));
    DEW_TRY(dew_liquid_markers_move(liquid, state->markers, s->step, u, s->scratch));
    for (int a = 0; a < liquid->grid->dimensions; a++)
        memcpy(s->u[a], to[a], (size_t)count * sizeof *to[a]);
    return dew_ok();
}

static dew_Status move_surface(dew_SolverState *state, dew_LiquidFlow *s)
{
    dew_Liquid *liquid = &state->liquid;
    dew_StageClock *clock = s->step->clock;
    int64_t count = dew_liquid_count(liquid);
    double *before = dew_arena_raw_array(s->scratch, double, s->solid ? count : 0);
    if (!before)
        return dew_no_memory((size_t)count * sizeof *before);
    if (s->solid)
        memcpy(before, dew_liquid_phi(liquid), (size_t)count * sizeof *before);
    DEW_TRY(advect(state, s));
    dew_stage_end(clock, DEW_LIQUID_ADVECT_PHI);
    DEW_TRY(dew_liquid_markers_correct(liquid, state->markers, s->scratch));
    if (state->markers)
        DEW_TRY(dew_liquid_redistance(s, before));
    else
        DEW_TRY(dew_liquid_redistance_moved(s, before));
    DEW_TRY(dew_liquid_markers_correct(liquid, state->markers, s->scratch));
    dew_stage_end(clock, DEW_LIQUID_REDISTANCE);
    DEW_TRY(dew_liquid_end_move(s));
    bool is_changed = s->step->added_m3 > 0 || s->step->removed_m3 > 0;
    DEW_TRY(dew_liquid_markers_end(liquid, state->markers, is_changed, s->scratch));
    dew_stage_end(clock, DEW_LIQUID_DROPS);
    return dew_ok();
}

dew_Status dew_volume_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    dew_LiquidFlow flow;
    dew_Liquid *liquid = &state->liquid;
    dew_StageClock *clock = step->clock;
    dew_stage_begin(clock);
    DEW_TRY(dew_liquid_inflow(problem, liquid, step));
    if (step->added_m3 > 0)
        DEW_TRY(dew_liquid_markers_end(liquid, state->markers, true, step->scratch));
    DEW_TRY(dew_liquid_flow_begin(problem, liquid, step, &flow));
    dew_stage_end(clock, DEW_LIQUID_BRICKS);
    if (liquid->grid->brick_count == 0) {  // what liquid there is, is in sub-grid droplets
        DEW_TRY(dew_liquid_move_droplets(problem, liquid, step));
        return dew_liquid_reserve(liquid);
    }
    DEW_TRY(dew_liquid_forces(&flow));
    dew_stage_end(clock, DEW_LIQUID_VISCOSITY);
    DEW_TRY(dew_liquid_project_free(&flow));
    dew_stage_end(clock, DEW_LIQUID_PRESSURE);
    DEW_TRY(dew_liquid_extrapolate_velocity(&flow));
    dew_stage_end(clock, DEW_LIQUID_EXTRAPOLATE);
    DEW_TRY(move_surface(state, &flow));
    return dew_liquid_reserve(liquid);
}
