// The stages that change velocities: body forces, viscosity, tension and pressure in one projection, extension;
// and those that keep phi a distance and the drops' volumes.
#include "base/status.h"
#include "grid/projection.h"
#include "grid/velocity.h"
#include "grid/viscosity.h"
#include "solvers/liquid/liquid.h"

#include <string.h>

#define CORRECT_EVERY 10    // steps
#define CORRECT_ABOVE 3e-4  // relative error of a drop that is not let grow: after merging, say
#define CORRECT_MORE  12    // times, as long as
#define MISSED_IN_ALL 1e-3  // of all liquid is missed in the sum over drops: films, mostly

static void get_fields(dew_LiquidFlow *s)
{
    const dew_Liquid *liquid = s->liquid;
    s->solid = dew_liquid_solid(liquid);
    for (int a = 0; a < 3; a++) {
        bool is_there = a < liquid->grid->dimensions;
        s->u[a] = is_there ? dew_grid_f64(liquid->grid, liquid->u[a]) : NULL;
        s->open[a] = is_there && s->solid ? dew_grid_f64(liquid->grid, liquid->open[a]) : NULL;
        bool moves = is_there && liquid->laws.has_motion;
        s->wall_u[a] = moves ? dew_grid_f64(liquid->grid, liquid->wall_u[a]) : NULL;
    }
}

dew_Status dew_liquid_flow_begin(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step,
                                 dew_LiquidFlow *flow)
{
    *flow = (dew_LiquidFlow){
        .problem = problem, .liquid = liquid, .step = step, .scratch = step->scratch};
    flow->viscous_s = step->dt_s;
    DEW_TRY(dew_liquid_follow(problem, liquid, step->moment_old, flow->scratch));
    DEW_TRY(dew_liquid_read_solids(problem, liquid, step->moment_old, DEW_LIQUID_MOVING));
    if (liquid->grid->brick_count > 0)
        get_fields(flow);
    return dew_ok();
}

static dew_Status check_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_LiquidFlow *s = context;
    int64_t cells = s->liquid->grid->brick_cells;
    double zero[8] = {0};  // sums that do not wait for each other
    for (int a = 0; a < s->liquid->grid->dimensions; a++)
        for (int64_t n = begin * cells; n < end * cells; n += 8)
            for (int k = 0; k < 8; k++)
                zero[k] += 0 * s->u[a][n + k];
    for (int k = 1; k < 8; k++)
        zero[0] += zero[k];
    return zero[0] == 0 ? dew_ok() : dew_fail(DEW_DIVERGED, "a velocity is not a number");
}

static dew_Status gravity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const dew_LiquidFlow *s = context;
    dew_Vec3 g = dew_scale(s->step->dt_s, s->step->moment->gravity_m_s2);
    const double dv[3] = {g.x, g.y, g.z};
    int64_t cells = s->liquid->grid->brick_cells;
    for (int a = 0; a < s->liquid->grid->dimensions; a++)
        for (int64_t n = begin * cells; n < end * cells; n++)
            s->u[a][n] += dv[a];
    return dew_ok();
}

static dew_Status add_viscosity(const dew_LiquidFlow *s)
{
    const dew_LiquidLaws *laws = &s->liquid->laws;
    if (!(laws->mu_Pa_s > 0) || !(s->viscous_s > 0))
        return dew_ok();
    dew_ViscosityDef def = dew_default_viscosity_def();
    dew_SolveReport report;
    def.phi = dew_liquid_phi(s->liquid);
    memcpy(def.open, s->open, sizeof def.open);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    def.solid = s->solid;
    def.slip_m = laws->slip_m;
    def.slip = laws->has_slips ? dew_grid_f64(s->liquid->grid, s->liquid->slip) : NULL;
    def.density_kg_m3 = laws->rho_kg_m3;
    def.viscosity_Pa_s = laws->mu_Pa_s;
    def.dt_s = s->viscous_s;
    def.solve.tolerance = 1e-6;
    DEW_TRY(dew_viscosity_run(s->liquid->grid, &def, s->u, s->scratch, &report));
    s->step->iterations += report.iterations;
    return dew_ok();
}

// Viscosity first: it must not see the velocity that gravity gives and pressure takes away in the same step. Beside
// walls, which hold what touches them, that would be a shear of g dt, and stirs drops that ought to rest.
dew_Status dew_liquid_forces(dew_LiquidFlow *s)
{
    DEW_TRY(dew_grid_for(s->liquid->grid, check_chunk, s));
    DEW_TRY(add_viscosity(s));
    return dew_grid_for(s->liquid->grid, gravity_chunk, s);
}

dew_ProjectionDef dew_liquid_projection(const dew_LiquidFlow *s)
{
    const dew_LiquidLaws *laws = &s->liquid->laws;
    dew_ProjectionDef def = dew_default_projection_def();
    def.phi = dew_liquid_phi(s->liquid);
    memcpy(def.open, s->open, sizeof def.open);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    def.density_kg_m3 = laws->rho_kg_m3;
    def.dt_s = s->step->dt_s;
    def.method = laws->pressure_method;
    def.corrections = laws->is_first_order ? 0 : laws->corrections;
    if (laws->is_first_order)
        def.min_fraction = 1;
    def.solve.tolerance = laws->tolerance;
    return def;
}

dew_Vec3 dew_liquid_cell_velocity(const dew_Grid *grid, const double *const u[3], int32_t b, int n)
{
    double v[3] = {0, 0, 0};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        int c[3] = {n & 7, n >> 3 & 7, n >> 6};
        int64_t low = (int64_t)b * grid->brick_cells + n;
        c[a]++;
        int64_t up = dew_grid_near(grid, b, c[0], c[1], c[2]);
        v[a] = up < 0 ? u[a][low] : 0.5 * (u[a][low] + u[a][up]);
    }
    return dew_vec(v[0], v[1], v[2]);
}

dew_Status dew_liquid_project(dew_LiquidFlow *s)
{
    dew_Liquid *liquid = s->liquid;
    int64_t count = dew_liquid_count(liquid);
    double *p_surface = dew_arena_array(s->scratch, double, count);
    for (int a = 0; a < liquid->grid->dimensions; a++)
        s->is_known[a] = dew_arena_array(s->scratch, uint8_t, count);
    if (!p_surface || !s->is_known[0] || !s->is_known[1])
        return dew_no_memory((size_t)count * sizeof *p_surface);
    if (!liquid->laws.is_external)
        DEW_TRY(dew_liquid_tension(liquid, s->step->moment->time_s, s->step->dt_s, p_surface,
                                   s->scratch));
    DEW_TRY(dew_liquid_line_friction(liquid, s->step, p_surface));
    DEW_TRY(dew_liquid_wind(liquid, s->step->moment->wind_m_s, p_surface));
    dew_liquid_clock_end(liquid->tools->clock, DEW_LIQUID_TENSION);
    dew_ProjectionDef def = dew_liquid_projection(s);
    dew_ProjectionReport report;
    def.p_surface = p_surface;
    DEW_TRY(dew_projection_run(&liquid->tools->poisson, liquid->grid, &def, s->u,
                               dew_grid_f64(liquid->grid, liquid->p), s->is_known, s->scratch,
                               &report));
    s->step->iterations += report.solve.iterations;
    return dew_ok();
}

dew_Status dew_liquid_fill_walls(dew_LiquidFlow *s, bool is_free)
{
    dew_Liquid *liquid = s->liquid;
    if (!s->solid)
        return dew_ok();
    dew_GhostDef def = {.solid = s->solid,
                        .slip_m = is_free ? HUGE_VAL : liquid->laws.slip_m,
                        .depth_m = 2 * liquid->grid->cell_m};  // as deep as cubics reach
    if (liquid->laws.has_slips && !is_free)
        def.slip = dew_grid_f64(liquid->grid, liquid->slip);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    return dew_velocity_fill_solids(liquid->grid, s->u, &def, s->scratch);
}

dew_Status dew_liquid_continue(dew_LiquidFlow *s)
{
    DEW_TRY(dew_liquid_extend(s->liquid, s->is_known, s->scratch));
    return dew_liquid_fill_walls(s, false);
}

dew_Status dew_liquid_take_velocity(const dew_LiquidFlow *s, double *to[3])
{
    int64_t count = dew_liquid_count(s->liquid);
    for (int a = 0; a < s->liquid->grid->dimensions; a++) {
        to[a] = dew_arena_array(s->scratch, double, count);
        if (!to[a])
            return dew_no_memory((size_t)count * sizeof *to[a]);
    }
    return dew_ok();
}

dew_Status dew_liquid_redistance(dew_LiquidFlow *s, const double *before)
{
    dew_Liquid *liquid = s->liquid;
    double *phi = dew_liquid_phi(liquid);
    dew_Redistanced told;
    DEW_TRY(dew_levelset_redistance(liquid->grid, phi, DEW_REDISTANCE_CLOSEST,
                                    DEW_LIQUID_BAND * liquid->grid->cell_m, s->scratch, &told));
    return dew_liquid_carry_walls(s->problem, liquid, s->step, before);
}

dew_Status dew_liquid_settle_volumes(dew_LiquidFlow *s)
{
    DEW_TRY(dew_liquid_find_drops(s->liquid, false, s->scratch));
    DEW_TRY(dew_liquid_motes_move(s->problem, s->liquid, s->step));  // they may raise targets
    bool is_due = (s->step->index + 1) % CORRECT_EVERY == 0;
    for (int n = 0; n < CORRECT_MORE; n++) {
        if (!is_due && dew_liquid_worst_error(s->liquid) <= CORRECT_ABOVE)
            break;
        if (n >= DEW_LIQUID_SHIFTS && dew_liquid_missed(s->liquid) <= MISSED_IN_ALL)
            break;
        is_due = false;
        DEW_TRY(dew_liquid_correct(s->liquid, DEW_LIQUID_SHIFT, s->scratch));
        DEW_TRY(dew_liquid_find_drops(s->liquid, false, s->scratch));
    }
    return dew_liquid_give_up(s->liquid, s->scratch);
}
