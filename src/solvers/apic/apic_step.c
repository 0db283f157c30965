// The step, as a list of stages: particles to faces, body forces, viscosity, tension and pressure
// in one projection, extension, faces to particles, which move on; then the surface as in `volume`,
// corrected by the particles.
//
// Forces and pressure change the velocity, then the new velocity moves particles and surface: for
// small waves this is the symplectic Euler scheme, which neither damps nor feeds them.
// differs: the paper moves particles with their own velocity; here they follow the faces' by
// Runge-Kutta (RK3).
#include "base/status.h"
#include "grid/poisson.h"
#include "grid/transfer.h"
#include "solvers/apic/apic_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Steps between reseedings of particles, and between viscous steps where these may wait.
#define INTERVAL 4
// Relative change of the flow that a later stage makes good: error of the first pressure; nu t /
// h^2 of the time t for which viscosity may wait.
#define SMALL 1e-3

// What the particles need of a step besides the flow.
typedef struct Carried {
    double *said[3];     // velocities on faces as the particles brought them
    double *mass[3];     // sum of the particles' weights there; 0: what the last step left
    double *carrier[3];  // what moves phi
    dew_ApicMomentum momentum;
    double *push[3];  // what pressure has to do to what they brought, without forces
} Carried;

static dew_Status take_velocity(const dew_LiquidFlow *s, double *to[3])
{
    int64_t count = dew_liquid_count(s->liquid);
    for (int a = 0; a < dew_grid_axes(s->liquid->grid); a++) {
        to[a] = dew_arena_raw_array(s->scratch, double, count);
        if (!to[a])
            return dew_no_memory((size_t)count * sizeof *to[a]);
    }
    return dew_ok();
}

// All are written before they are read.
static dew_Status take(const dew_LiquidFlow *s, Carried *c)
{
    *c = (Carried){.said = {NULL}};
    DEW_TRY(take_velocity(s, c->said));
    DEW_TRY(take_velocity(s, c->mass));
    DEW_TRY(take_velocity(s, c->push));
    return take_velocity(s, c->carrier);
}

// Faces that no particle reaches keep what the last step left there: the velocity beyond its
// surface.
static dew_Status to_faces(dew_SolverState *state, const dew_LiquidFlow *s, Carried *c)
{
    const dew_Grid *grid = state->liquid.grid;
    int64_t count = dew_liquid_count(&state->liquid);
    DEW_TRY(dew_particles_sort(&state->markers.particles, grid, s->scratch));
    c->momentum = (dew_ApicMomentum){.drop_count = 0};
    if (!(dew_length2(s->step->instant->wind_m_s) > 0))
        DEW_TRY(dew_apic_momentum_begin(state, &c->momentum, s->scratch));
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

// What pressure has to do against the particles' own motion, alone: tension and gravity act once
// per step, as symplectic Euler has it, but this one half before and half after the particles move
// (dew_transfer_move). Were the tension's part treated alike, ripples on what turns would grow.
// After the whole pressure, whose equations are those of this one.
static dew_Status find_push(dew_SolverState *state, const dew_LiquidFlow *s, const Carried *c)
{
    dew_Liquid *liquid = &state->liquid;
    int64_t count = dew_liquid_count(liquid);
    dew_ArenaMark mark = dew_arena_mark(s->scratch);
    double *p = dew_arena_array(s->scratch, double, count);
    if (!p)
        return dew_no_memory((size_t)count * sizeof *p);
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++)
        memcpy(c->push[a], c->said[a], (size_t)count * sizeof *c->push[a]);
    dew_ProjectionDef def = dew_liquid_projection(s);
    dew_ProjectionReport report;
    def.corrections = 0;
    def.is_assembled = true;
    def.solve.tolerance = SMALL;
    DEW_TRY(dew_projection_run(&liquid->workspace->poisson, liquid->grid, &def, c->push, p, NULL,
                               s->scratch, &report));
    s->step->iterations += report.solve.iterations;
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++)
        for (int64_t n = 0; n < count; n++)
            c->push[a][n] -= c->said[a][n];
    dew_arena_rewind(s->scratch, mark);
    return dew_ok();
}

// ---- beyond the surface -------------------------------------------------------------------------

#define ACROSS 0.9  // cells that the distance to a wall changes by across a face that lies along it

typedef struct Beyond {
    const dew_LiquidFlow *s;
    const Carried *c;
    double *change[3];    // what the step did to the velocity; 0 on faces that are not the liquid's
    double *own_push[3];  // the same of the push
    uint8_t *is_ours[3];  // did the liquid determine the face?
} Beyond;

// Did the liquid determine this face? Values in walls are set, and say nothing about
// pressure.
static bool is_liquid_face(const dew_LiquidFlow *s, int axis, int64_t at)
{
    return s->is_known[axis][at] && !(s->aperture[axis] && s->aperture[axis][at] <= 0);
}

static dew_Status change_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Beyond *w = context;
    const dew_Grid *grid = w->s->liquid->grid;
    for (int a = 0; a < dew_grid_axes(grid); a++)
        for (int64_t n = begin * grid->brick_cells; n < end * grid->brick_cells; n++) {
            bool is_ours = is_liquid_face(w->s, a, n);
            w->is_ours[a][n] = is_ours;
            w->change[a][n] = is_ours ? w->s->u[a][n] - w->c->said[a][n] : 0;
            w->own_push[a][n] = is_ours ? w->c->push[a][n] : 0;
        }
    return dew_ok();
}

// A face that stops the particles above it: it lies along a wall, and they have said something
// there.
static bool is_stopping(const Beyond *w, int axis, int32_t b, int n)
{
    const dew_Grid *grid = w->s->liquid->grid;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    int below[3] = {n & 7, n >> 3 & 7, n >> 6};
    below[axis]--;
    int64_t low = dew_grid_near(grid, b, below[0], below[1], below[2]);
    return w->c->mass[axis][at] > 0 && low >= 0 &&
           fabs(w->s->solid[at] - w->s->solid[low]) > ACROSS * grid->cell_m;
}

// Faces of one brick and axis, with those around them.
typedef struct Around {
    uint8_t is_ours[DEW_TILE_SIZE(1)];
    double change[DEW_TILE_SIZE(1)], push[DEW_TILE_SIZE(1)];
} Around;

// Mean over the faces around that the liquid determines, of all that changed and of what pressure
// did; false: there is none.
static bool change_around(const Around *t, int n, bool is_flat, double *all, double *push)
{
    static const double by_distance[4] = {0, 1, 0.5, 0.25};
    double weights = 0;
    *all = *push = 0;
    for (int dz = is_flat ? 0 : -1; dz <= (is_flat ? 0 : 1); dz++)
        for (int dy = -1; dy <= 1; dy++) {
            int row = dew_tile_at(1, n & 7, (n >> 3 & 7) + dy, (n >> 6) + dz);
            for (int dx = -1; dx <= 1; dx++) {
                double weight = by_distance[abs(dx) + abs(dy) + abs(dz)] * t->is_ours[row + dx];
                *all += weight * t->change[row + dx];
                *push += weight * t->push[row + dx];
                weights += weight;
            }
        }
    *all /= weights > 0 ? weights : 1;
    *push /= weights > 0 ? weights : 1;
    return weights > 0;
}

// A face that the liquid does not determine, where particles have said something.
static void continue_face(const Beyond *w, const Around *t, int axis, int32_t b, int n)
{
    int64_t at = (int64_t)b * w->s->liquid->grid->brick_cells + n;
    double change, push;
    bool is_wall = w->s->is_known[axis][at];
    if (is_wall && is_stopping(w, axis, b, n))
        return;
    w->c->push[axis][at] = 0;
    if (!change_around(t, n, w->s->liquid->grid->depth == 1, &change, &push))
        return;
    w->c->push[axis][at] = push;
    if (!is_wall)
        w->s->u[axis][at] = w->c->said[axis][at] + change;
}

// Which faces of a brick are to be continued; false: none. Who said nothing there, asks nothing
// either.
static bool find_asked(const Beyond *w, int axis, int64_t b, uint8_t *is_asked)
{
    const dew_Grid *grid = w->s->liquid->grid;
    int64_t first = b * grid->brick_cells;
    const double *mass = w->c->mass[axis] + first;
    double *push = w->c->push[axis] + first;
    const uint8_t *is_ours = w->is_ours[axis] + first;
    bool is_any = false;
    for (int n = 0; n < grid->brick_cells; n++) {
        is_asked[n] = !is_ours[n] & (mass[n] > 0);
        push[n] = is_ours[n] | is_asked[n] ? push[n] : 0;
        is_any |= is_asked[n];
    }
    return is_any;
}

// Bricks of nothing but liquid have nothing to continue.
static dew_Status beyond_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Beyond *w = context;
    const dew_Grid *grid = w->s->liquid->grid;
    int cells = grid->brick_cells;
    Around around;
    uint8_t is_asked[DEW_BRICK_CELLS];
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(grid); a++) {
            if (!memchr(w->is_ours[a] + b * cells, 0, (size_t)cells) ||
                !find_asked(w, a, b, is_asked))
                continue;
            dew_tile_load_u8(grid, w->is_ours[a], (int32_t)b, 1, 0, around.is_ours);
            dew_tile_load(grid, w->change[a], (int32_t)b, 1, around.change);
            dew_tile_load(grid, w->own_push[a], (int32_t)b, 1, around.push);
            for (int n = 0; n < cells; n++)
                if (is_asked[n])
                    continue_face(w, &around, a, (int32_t)b, n);
        }
    return dew_ok();
}

// Extrapolation for the particles. Beyond the surface they sample the velocity that particles gave
// to the grid there plus the change of the nearest liquid: a velocity that is constant along
// normals does not rotate, and would slow the rim of a rotating body. phi is still advected by the
// velocity of its closest point, which keeps it a distance.
// In walls the change of velocity is extrapolated as constant. The velocity there is a mirror
// image (no slip), and its pressure change would accelerate the flow along the wall in every step.
// Particles do not sample the mirror image: all liquid of a cell beside a wall moves with the
// velocity of its faces, else particles below the faces' middle stay behind and give the next step
// an old velocity. Friction at the wall is left to the viscosity.
static dew_Status continue_flow(dew_SolverState *state, dew_LiquidFlow *s, Carried *c)
{
    dew_Liquid *liquid = &state->liquid;
    dew_ArenaMark mark = dew_arena_mark(s->scratch);
    Beyond work = {.s = s, .c = c};
    DEW_TRY(take_velocity(s, work.change));
    DEW_TRY(take_velocity(s, work.own_push));
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++) {
        work.is_ours[a] = dew_arena_raw_array(s->scratch, uint8_t, dew_liquid_count(liquid));
        if (!work.is_ours[a])
            return dew_no_memory((size_t)dew_liquid_count(liquid));
    }
    DEW_TRY(dew_liquid_extrapolate_velocity(s));
    DEW_TRY(dew_liquid_surface_velocity(liquid, s->is_known, c->carrier));
    DEW_TRY(dew_liquid_fill_ghost_velocities(s, true));
    DEW_TRY(dew_grid_for(liquid->grid, change_chunk, &work));
    DEW_TRY(dew_grid_for(liquid->grid, beyond_chunk, &work));
    dew_arena_rewind(s->scratch, mark);
    return dew_ok();
}

// ---- stages -------------------------------------------------------------------------------------

static dew_Status to_particles(dew_SolverState *state, const dew_LiquidFlow *s, Carried *c)
{
    dew_Particles *particles = &state->markers.particles;
    const double *const u[3] = {s->u[0], s->u[1], s->u[2]};
    const double *const said[3] = {c->said[0], c->said[1], c->said[2]};
    const double *const push[3] = {c->push[0], c->push[1], c->push[2]};
    dew_TransferMove by = {.kind = state->kind, .u = u, .dt_s = s->step->dt_s};
    by.beside = state->kind == DEW_TRANSFER_APIC   ? push
                : state->kind == DEW_TRANSFER_FLIP ? said
                                                   : NULL;
    DEW_TRY(dew_transfer_move(particles, state->motion, state->liquid.grid, &by));
    dew_Vec3 fall = dew_scale(s->step->dt_s, s->step->instant->gravity_m_s2);
    DEW_TRY(dew_apic_momentum_end(state, &c->momentum, fall, false, s->scratch));
    DEW_TRY(dew_apic_push_out_of_walls(state));
    return dew_particles_sort(particles, state->liquid.grid, s->scratch);
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
    if (state->is_from_particles) {
        DEW_TRY(dew_apic_particle_surface(state, s->scratch));
        return dew_liquid_redistance(s, before);
    }
    DEW_TRY(dew_levelset_advect_weno(liquid->grid, phi, by, s->step->dt_s,
                                     DEW_LIQUID_REACH * liquid->grid->cell_m, s->scratch));
    dew_stage_end(s->step->clock, DEW_LIQUID_ADVECT_PHI);
    DEW_TRY(dew_markers_correct(&state->markers, liquid->grid, phi, s->scratch, NULL));
    dew_stage_end(s->step->clock, DEW_LIQUID_PARTICLES);
    return dew_liquid_redistance_moved(s, before);
}

static dew_Status spread(dew_SolverState *state, const dew_LiquidFlow *s)
{
    dew_ApicMomentum momentum;
    bool is_changed = s->step->added_m3 > 0 || s->step->removed_m3 > 0;
    if (!is_changed && s->step->index % INTERVAL != 0)
        return dew_ok();
    DEW_TRY(dew_particles_sort(&state->markers.particles, state->liquid.grid, s->scratch));
    DEW_TRY(dew_apic_momentum_begin(state, &momentum, s->scratch));
    DEW_TRY(dew_apic_reseed(state, DEW_APIC_FLOWING, s->scratch));
    return dew_apic_momentum_end(state, &momentum, dew_vec(0, 0, 0), true, s->scratch);
}

static dew_Status move_surface(dew_SolverState *state, dew_LiquidFlow *s, const Carried *c)
{
    dew_StageClock *clock = s->step->clock;
    DEW_TRY(move_phi(state, s, c));
    dew_stage_end(clock, DEW_LIQUID_REDISTANCE);
    DEW_TRY(dew_liquid_end_move(s));
    dew_stage_end(clock, DEW_LIQUID_DROPS);
    DEW_TRY(spread(state, s));
    dew_stage_end(clock, DEW_LIQUID_PARTICLES);
    return dew_ok();
}

// Where cells are large viscosity does next to nothing in a step, at the price of one: it then acts
// for several at once.
static void wait_for_viscosity(dew_SolverState *state, dew_LiquidFlow *s)
{
    const dew_LiquidParams *params = &state->liquid.params;
    double wait_s = state->viscous_wait_s + s->step->dt_s, h = state->liquid.grid->cell_m;
    bool is_due = s->step->index % INTERVAL == INTERVAL / 2 ||
                  params->mu_Pa_s * wait_s >= SMALL * params->rho_kg_m3 * h * h;
    s->viscous_s = is_due ? wait_s : 0;
    state->viscous_wait_s = is_due ? 0 : wait_s;
}

static dew_Status flow_on(dew_SolverState *state, dew_LiquidFlow *s)
{
    dew_StageClock *clock = s->step->clock;
    Carried c;
    DEW_TRY(take(s, &c));
    DEW_TRY(to_faces(state, s, &c));
    dew_stage_end(clock, DEW_LIQUID_TRANSFER);
    wait_for_viscosity(state, s);
    DEW_TRY(dew_liquid_forces(s));
    DEW_TRY(dew_apic_external_tension(s));
    dew_stage_end(clock, DEW_LIQUID_VISCOSITY);
    DEW_TRY(dew_liquid_project(s));
    if (state->kind == DEW_TRANSFER_APIC)
        DEW_TRY(find_push(state, s, &c));
    dew_stage_end(clock, DEW_LIQUID_PRESSURE);
    DEW_TRY(continue_flow(state, s, &c));
    dew_stage_end(clock, DEW_LIQUID_EXTRAPOLATE);
    DEW_TRY(to_particles(state, s, &c));
    dew_stage_end(clock, DEW_LIQUID_TRANSFER);
    return move_surface(state, s, &c);
}

dew_Status dew_apic_step(const dew_Problem *problem, dew_SolverState *state, dew_Step *step)
{
    dew_LiquidFlow flow;
    dew_Liquid *liquid = &state->liquid;
    dew_stage_begin(step->clock);
    DEW_TRY(dew_liquid_inflow(problem, liquid, step));
    if (step->added_m3 > 0)
        DEW_TRY(dew_apic_reseed(state, DEW_APIC_POURED, step->scratch));
    DEW_TRY(dew_liquid_flow_begin(problem, liquid, step, &flow));
    dew_stage_end(step->clock, DEW_LIQUID_BRICKS);
    if (liquid->grid->brick_count == 0) {  // what liquid there is, is in sub-grid droplets
        DEW_TRY(dew_particles_sort(&state->markers.particles, liquid->grid, step->scratch));
        DEW_TRY(dew_liquid_move_droplets(problem, liquid, step));
        return dew_liquid_reserve(liquid);
    }
    DEW_TRY(flow_on(state, &flow));
    return dew_liquid_reserve(liquid);
}
