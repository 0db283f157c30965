// The step, as a list of stages: particles to faces, body forces, viscosity, tension and pressure in one projection,
// extension, faces to particles, which move on; then the surface as in `volume`, corrected by the particles.
//
// Forces and pressure change the velocity, then the new velocity moves particles and surface: for small waves this
// is the symplectic Euler scheme, which neither damps nor feeds them.
// differs: the paper moves particles with their own velocity; here they follow the faces' by Runge-Kutta (RK3).
#include "base/status.h"
#include "grid/transfer.h"
#include "solvers/apic/state.h"

#include <string.h>

// What the particles need of a step besides the flow.
typedef struct Carried {
    double *said[3];     // velocities on faces as the particles brought them
    double *mass[3];     // sum of the particles' weights there; 0: what the last step left
    double *carrier[3];  // what moves phi
} Carried;

static dew_Status take(const dew_LiquidFlow *s, Carried *c)
{
    *c = (Carried){.said = {NULL}};
    DEW_TRY(dew_liquid_take_velocity(s, c->said));
    DEW_TRY(dew_liquid_take_velocity(s, c->mass));
    return dew_liquid_take_velocity(s, c->carrier);
}

// Faces that no particle reaches keep what the last step left there: the velocity beyond its surface.
static dew_Status to_faces(dew_SolverState *state, const dew_LiquidFlow *s, Carried *c)
{
    const dew_Grid *grid = state->liquid.grid;
    int64_t count = dew_liquid_count(&state->liquid);
    DEW_TRY(dew_particles_sort(&state->markers.particles, grid, s->scratch));
    DEW_TRY(dew_transfer_to_grid(&state->markers.particles, state->motion, grid, c->said, c->mass,
                                 s->scratch));
    for (int a = 0; a < dew_grid_axes(grid); a++)
        for (int64_t n = 0; n < count; n++) {
            if (!(c->mass[a][n] > 0))
                c->said[a][n] = s->u[a][n];
            s->u[a][n] = c->said[a][n];
        }
    return dew_ok();
}

// Beyond the surface particles see what they said there and the change that the surface has: a velocity constant
// along normals does not turn, and would slow the rim of what turns. phi is carried by the velocity of its closest
// point all the same, for that keeps it a distance.
static dew_Status continue_flow(dew_SolverState *state, dew_LiquidFlow *s, Carried *c)
{
    dew_Liquid *liquid = &state->liquid;
    int64_t count = dew_liquid_count(liquid);
    dew_ArenaMark mark = dew_arena_mark(s->scratch);
    double *constant[3] = {NULL, NULL, NULL};
    DEW_TRY(dew_liquid_continue(s));
    DEW_TRY(dew_liquid_surface_velocity(liquid, s->is_known, c->carrier));
    DEW_TRY(dew_liquid_take_velocity(s, constant));
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++) {
        memcpy(constant[a], s->u[a], (size_t)count * sizeof *constant[a]);
        for (int64_t n = 0; n < count; n++)
            s->u[a][n] -= c->said[a][n];
    }
    DEW_TRY(dew_liquid_extend(liquid, s->is_known, s->scratch));
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++)
        for (int64_t n = 0; n < count; n++) {
            bool is_said =
                !s->is_known[a][n] && c->mass[a][n] > 0 && (!s->open[a] || s->open[a][n] > 0);
            s->u[a][n] = is_said ? c->said[a][n] + s->u[a][n] : constant[a][n];
        }
    dew_arena_rewind(s->scratch, mark);
    return dew_ok();
}

static dew_Status to_particles(dew_SolverState *state, const dew_LiquidFlow *s, const Carried *c)
{
    dew_Particles *particles = &state->markers.particles;
    const double *const u[3] = {s->u[0], s->u[1], s->u[2]};
    const double *const said[3] = {c->said[0], c->said[1], c->said[2]};
    DEW_TRY(dew_transfer_to_particles(particles, state->motion, state->liquid.grid, u, said,
                                      state->kind));
    DEW_TRY(dew_particles_advect(particles, state->liquid.grid, u, s->step->dt_s));
    DEW_TRY(dew_particles_sort(particles, state->liquid.grid, s->scratch));
    return dew_apic_leave_walls(state, s->scratch);
}

static dew_Status move_phi(dew_SolverState *state, dew_LiquidFlow *s, const Carried *c)
{
    dew_Liquid *liquid = &state->liquid;
    int64_t count = dew_liquid_count(liquid);
    const double *const by[3] = {c->carrier[0], c->carrier[1], c->carrier[2]};
    double *phi = dew_liquid_phi(liquid);
    double *before = dew_arena_array(s->scratch, double, s->solid ? count : 0);
    if (!before)
        return dew_no_memory((size_t)count * sizeof *before);
    if (s->solid)
        memcpy(before, phi, (size_t)count * sizeof *before);
    DEW_TRY(dew_levelset_advect_weno(liquid->grid, phi, by, s->step->dt_s,
                                     DEW_LIQUID_REACH * liquid->grid->cell_m, s->scratch));
    dew_liquid_clock_end(liquid->tools->clock, DEW_LIQUID_MOVE);
    DEW_TRY(dew_markers_correct(&state->markers, liquid->grid, phi, s->scratch, NULL));
    dew_liquid_clock_end(liquid->tools->clock, DEW_LIQUID_MARKERS);
    return dew_liquid_redistance(s, before);
}

static dew_Status move_surface(dew_SolverState *state, dew_LiquidFlow *s, const Carried *c)
{
    dew_Liquid *liquid = &state->liquid;
    dew_LiquidClock *clock = liquid->tools->clock;
    DEW_TRY(move_phi(state, s, c));
    dew_liquid_clock_end(clock, DEW_LIQUID_DISTANCE);
    DEW_TRY(dew_liquid_contact(liquid, s->step->moment->time_s, s->scratch));
    dew_liquid_clock_end(clock, DEW_LIQUID_CONTACT);
    DEW_TRY(dew_liquid_settle_volumes(s));
    DEW_TRY(dew_liquid_motes_move(s->problem, liquid, s->step));
    DEW_TRY(dew_liquid_leave(s->problem, liquid, s->step));
    DEW_TRY(dew_liquid_note_wet(s->problem, liquid, s->step->moment));
    dew_liquid_clock_end(clock, DEW_LIQUID_DROPS);
    DEW_TRY(dew_apic_spread(state, DEW_APIC_FLOWING, s->scratch));
    dew_liquid_clock_end(clock, DEW_LIQUID_MARKERS);
    return dew_ok();
}

static dew_Status flow_on(dew_SolverState *state, dew_LiquidFlow *s)
{
    dew_LiquidClock *clock = state->liquid.tools->clock;
    Carried c;
    DEW_TRY(take(s, &c));
    DEW_TRY(to_faces(state, s, &c));
    dew_liquid_clock_end(clock, DEW_LIQUID_ADVECT);
    DEW_TRY(dew_liquid_forces(s));
    DEW_TRY(dew_apic_external_tension(s));
    dew_liquid_clock_end(clock, DEW_LIQUID_VISCOSITY);
    DEW_TRY(dew_liquid_project(s));
    dew_liquid_clock_end(clock, DEW_LIQUID_PRESSURE);
    DEW_TRY(continue_flow(state, s, &c));
    dew_liquid_clock_end(clock, DEW_LIQUID_EXTEND);
    DEW_TRY(to_particles(state, s, &c));
    dew_liquid_clock_end(clock, DEW_LIQUID_ADVECT);
    return move_surface(state, s, &c);
}

dew_Status dew_apic_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    dew_LiquidFlow flow;
    dew_Liquid *liquid = &state->liquid;
    dew_liquid_clock_begin(liquid->tools->clock);
    DEW_TRY(dew_liquid_inflow(problem, liquid, step));
    if (step->added_m3 > 0)
        DEW_TRY(dew_apic_spread(state, DEW_APIC_POURED, step->scratch));
    DEW_TRY(dew_liquid_flow_begin(problem, liquid, step, &flow));
    dew_liquid_clock_end(liquid->tools->clock, DEW_LIQUID_FOLLOW);
    if (liquid->grid->brick_count == 0) {  // what liquid there is, is in motes
        DEW_TRY(dew_particles_sort(&state->markers.particles, liquid->grid, step->scratch));
        DEW_TRY(dew_liquid_motes_move(problem, liquid, step));
        return dew_liquid_reserve(liquid);
    }
    DEW_TRY(flow_on(state, &flow));
    return dew_liquid_reserve(liquid);
}
