// The step, as a list of stages: body forces, viscosity, tension and pressure in one projection, extension,
// advection of velocity and phi, distances, contact angles, drops.
//
// Forces and pressure change the velocity, then the new velocity moves the surface: for small waves this
// is the symplectic Euler scheme, which neither damps nor feeds them.
#include "base/status.h"
#include "grid/projection.h"
#include "grid/velocity.h"
#include "grid/viscosity.h"
#include "solvers/volume/state.h"

#include <string.h>

#define CORRECT_EVERY 10    // steps
#define CORRECT_ABOVE 3e-4  // relative error of a drop that is not let grow: after merging, say
#define CORRECT_TIMES 4
#define SHIFT_LIMIT   0.1  // cells

typedef struct Stage {
    const dew_Problem *problem;
    dew_SolverState *state;
    dew_Step *step;
    dew_Arena *scratch;
    double *u[3];
    const double *open[3];
    const double *wall_u[3];
    const double *solid;
    uint8_t *is_known[3];
} Stage;

static void get_fields(Stage *s)
{
    const dew_SolverState *state = s->state;
    s->solid = dew_volume_solid(state);
    for (int a = 0; a < 3; a++) {
        bool is_there = a < state->grid->dimensions;
        s->u[a] = is_there ? dew_grid_f64(state->grid, state->u[a]) : NULL;
        s->open[a] = is_there && s->solid ? dew_grid_f64(state->grid, state->open[a]) : NULL;
        bool moves = is_there && state->laws.has_motion;
        s->wall_u[a] = moves ? dew_grid_f64(state->grid, state->wall_u[a]) : NULL;
    }
}

// Also sees to it that what the step begins with are numbers.
static dew_Status gravity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Stage *s = context;
    dew_Vec3 g = dew_scale(s->step->dt_s, s->step->moment->gravity_m_s2);
    double dv[3] = {g.x, g.y, g.z}, cells = s->state->grid->brick_cells;
    double zero = 0;
    for (int a = 0; a < s->state->grid->dimensions; a++)
        for (int64_t n = begin * (int64_t)cells; n < end * (int64_t)cells; n++) {
            s->u[a][n] += dv[a];
            zero += 0 * s->u[a][n];
        }
    return zero == 0 ? dew_ok() : dew_fail(DEW_DIVERGED, "a velocity is not a number");
}

static dew_Status add_viscosity(const Stage *s)
{
    const dew_VolumeLaws *laws = &s->state->laws;
    if (!(laws->mu_Pa_s > 0))
        return dew_ok();
    dew_ViscosityDef def = dew_default_viscosity_def();
    dew_SolveReport report;
    def.phi = dew_volume_phi(s->state);
    memcpy(def.open, s->open, sizeof def.open);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    def.solid = s->solid;
    def.slip_m = laws->slip_m;
    def.density_kg_m3 = laws->rho_kg_m3;
    def.viscosity_Pa_s = laws->mu_Pa_s;
    def.dt_s = s->step->dt_s;
    def.solve.tolerance = 1e-6;
    DEW_TRY(dew_viscosity_run(s->state->grid, &def, s->u, s->scratch, &report));
    s->step->iterations += report.iterations;
    return dew_ok();
}

static dew_Status project(Stage *s)
{
    dew_SolverState *state = s->state;
    int64_t count = dew_volume_count(state);
    double *p_surface = dew_arena_array(s->scratch, double, count);
    for (int a = 0; a < state->grid->dimensions; a++)
        s->is_known[a] = dew_arena_array(s->scratch, uint8_t, count);
    if (!p_surface || !s->is_known[0] || !s->is_known[1])
        return dew_no_memory((size_t)count * sizeof *p_surface);
    DEW_TRY(
        dew_volume_tension(state, s->step->moment->time_s, s->step->dt_s, p_surface, s->scratch));
    DEW_TRY(dew_volume_wind(state, s->step->moment->wind_m_s, p_surface));
    dew_volume_clock_end(state->tools->clock, DEW_VOLUME_TENSION);
    dew_ProjectionDef def = dew_default_projection_def();
    dew_ProjectionReport report;
    def.phi = dew_volume_phi(state);
    memcpy(def.open, s->open, sizeof def.open);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    def.p_surface = p_surface;
    def.density_kg_m3 = state->laws.rho_kg_m3;
    def.dt_s = s->step->dt_s;
    def.corrections = state->laws.is_first_order ? 0 : state->laws.corrections;
    if (state->laws.is_first_order)
        def.min_fraction = 1;
    def.solve.tolerance = state->laws.tolerance;
    DEW_TRY(dew_projection_run(&state->tools->poisson, state->grid, &def, s->u,
                               dew_grid_f64(state->grid, state->p), s->is_known, s->scratch,
                               &report));
    s->step->iterations += report.solve.iterations;
    return dew_ok();
}

static dew_Status extend(Stage *s)
{
    dew_SolverState *state = s->state;
    DEW_TRY(dew_volume_extend(state, s->is_known, s->scratch));
    if (!s->solid)
        return dew_ok();
    dew_GhostDef def = {.solid = s->solid,
                        .slip_m = state->laws.slip_m,
                        .depth_m = 2 * state->grid->cell_m};  // as deep as cubics reach
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    return dew_velocity_fill_solids(state->grid, s->u, &def, s->scratch);
}

static dew_Status take_velocity(const Stage *s, double *to[3])
{
    int64_t count = dew_volume_count(s->state);
    for (int a = 0; a < s->state->grid->dimensions; a++) {
        to[a] = dew_arena_array(s->scratch, double, count);
        if (!to[a])
            return dew_no_memory((size_t)count * sizeof *to[a]);
    }
    return dew_ok();
}

// phi and the velocity, both with the velocity as it is now.
static dew_Status advect(Stage *s)
{
    dew_SolverState *state = s->state;
    int64_t count = dew_volume_count(state);
    const double *const u[3] = {s->u[0], s->u[1], s->u[2]};
    double *to[3] = {NULL, NULL, NULL}, *carrier[3] = {NULL, NULL, NULL};
    DEW_TRY(take_velocity(s, to));
    DEW_TRY(take_velocity(s, carrier));
    dew_AdvectDef def = dew_default_advect_def();
    def.dt_s = s->step->dt_s;
    def.phi = dew_volume_phi(state);
    def.band_m = 2 * state->grid->cell_m;
    def.solid = s->solid;
    DEW_TRY(dew_velocity_advect(state->grid, u, NULL, &def, to));
    dew_volume_clock_end(state->tools->clock, DEW_VOLUME_ADVECT);
    DEW_TRY(dew_volume_surface_velocity(state, s->is_known, carrier));
    const double *const by[3] = {carrier[0], carrier[1], carrier[2]};
    DEW_TRY(dew_levelset_advect_weno(state->grid, dew_volume_phi(state), by, s->step->dt_s,
                                     DEW_VOLUME_REACH * state->grid->cell_m, s->scratch));
    DEW_TRY(dew_volume_markers_move(state, s->step, u, s->scratch));
    for (int a = 0; a < state->grid->dimensions; a++)
        memcpy(s->u[a], to[a], (size_t)count * sizeof *to[a]);
    return dew_ok();
}

// Distances anew, but for phi in solids, which is not the liquid's to change and goes with them.
static dew_Status redistance(Stage *s, const double *before)
{
    dew_SolverState *state = s->state;
    double *phi = dew_volume_phi(state);
    dew_Redistanced told;
    DEW_TRY(dew_levelset_redistance(state->grid, phi, DEW_REDISTANCE_CLOSEST,
                                    DEW_VOLUME_BAND * state->grid->cell_m, s->scratch, &told));
    return dew_volume_carry_walls(s->problem, state, s->step, before);
}

static dew_Status correct_volumes(const Stage *s)
{
    DEW_TRY(dew_volume_find_drops(s->state, false, s->scratch));
    bool is_due = (s->step->index + 1) % CORRECT_EVERY == 0;
    for (int n = 0; n < CORRECT_TIMES; n++) {
        if (!is_due && dew_volume_worst_error(s->state) <= CORRECT_ABOVE)
            break;
        is_due = false;
        DEW_TRY(dew_volume_correct(s->state, SHIFT_LIMIT, s->scratch));
        DEW_TRY(dew_volume_find_drops(s->state, false, s->scratch));
    }
    return dew_ok();
}

static dew_Status move_surface(Stage *s)
{
    dew_SolverState *state = s->state;
    dew_VolumeClock *clock = state->tools->clock;
    int64_t count = dew_volume_count(state);
    double *before = dew_arena_array(s->scratch, double, s->solid ? count : 0);
    if (!before)
        return dew_no_memory((size_t)count * sizeof *before);
    if (s->solid)
        memcpy(before, dew_volume_phi(state), (size_t)count * sizeof *before);
    DEW_TRY(advect(s));
    dew_volume_clock_end(clock, DEW_VOLUME_MOVE);
    DEW_TRY(dew_volume_markers_correct(state, s->scratch));
    DEW_TRY(redistance(s, before));
    DEW_TRY(dew_volume_markers_correct(state, s->scratch));
    dew_volume_clock_end(clock, DEW_VOLUME_DISTANCE);
    DEW_TRY(dew_volume_contact(state, s->step->moment->time_s, s->scratch));
    dew_volume_clock_end(clock, DEW_VOLUME_CONTACT);
    DEW_TRY(correct_volumes(s));
    DEW_TRY(dew_volume_motes_move(s->problem, state, s->step));
    DEW_TRY(dew_volume_leave(s->problem, state, s->step));
    DEW_TRY(dew_volume_note_wet(s->problem, state, s->step->moment));
    bool is_changed = s->step->added_m3 > 0 || s->step->removed_m3 > 0;
    DEW_TRY(dew_volume_markers_end(state, is_changed, s->scratch));
    dew_volume_clock_end(clock, DEW_VOLUME_DROPS);
    return dew_ok();
}

dew_Status dew_volume_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    Stage s = {.problem = problem, .state = state, .step = step, .scratch = step->scratch};
    dew_VolumeClock *clock = state->tools->clock;
    dew_volume_clock_begin(clock);
    DEW_TRY(dew_volume_inflow(problem, state, step));
    DEW_TRY(dew_volume_follow(problem, state, step->moment_old, s.scratch));
    DEW_TRY(dew_volume_read_solids(problem, state, step->moment_old, DEW_VOLUME_MOVING));
    dew_volume_clock_end(clock, DEW_VOLUME_FOLLOW);
    if (state->grid->brick_count == 0) {  // what liquid there is, is in motes
        DEW_TRY(dew_volume_motes_move(problem, state, step));
        return dew_volume_reserve(state);
    }
    get_fields(&s);
    DEW_TRY(dew_grid_for(state->grid, gravity_chunk, &s));
    DEW_TRY(add_viscosity(&s));
    dew_volume_clock_end(clock, DEW_VOLUME_VISCOSITY);
    DEW_TRY(project(&s));
    dew_volume_clock_end(clock, DEW_VOLUME_PRESSURE);
    DEW_TRY(extend(&s));
    dew_volume_clock_end(clock, DEW_VOLUME_EXTEND);
    DEW_TRY(move_surface(&s));
    return dew_volume_reserve(state);
}
