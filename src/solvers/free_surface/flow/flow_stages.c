// The stages that change velocities: body forces, viscosity, tension and pressure in one
// projection, extension; and those that keep phi a distance and the drops' volumes.

#include "base/status.h"

#include "base/simd.h"
#include "base/sum.h"
#include "grid/poisson.h"
#include "grid/velocity.h"
#include "grid/viscosity.h"
#include "solvers/free_surface/liquid.h"

#include <string.h>

#define CORRECT_ABOVE 3e-4  // relative error of a drop that is not let grow: after merging, say

static void get_fields(dew_LiquidFlow *s)
{
    const dew_Liquid *liquid = s->liquid;
    s->solid = dew_liquid_solid(liquid);
    for (int a = 0; a < 3; a++) {
        bool is_there = a < liquid->grid->dimensions;
        s->u[a] = is_there ? dew_grid_f64(liquid->grid, liquid->u[a]) : NULL;
        s->aperture[a] =
            is_there && s->solid ? dew_grid_f64(liquid->grid, liquid->aperture[a]) : NULL;
        bool moves = is_there && liquid->params.has_motion;
        s->wall_u[a] = moves ? dew_grid_f64(liquid->grid, liquid->wall_u[a]) : NULL;
    }
}

dew_Status dew_liquid_flow_begin(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step,
                                 dew_LiquidFlow *flow)
{
    *flow = (dew_LiquidFlow){
        .problem = problem, .liquid = liquid, .step = step, .scratch = step->scratch};
    flow->viscous_s = step->dt_s;
    DEW_TRY(dew_liquid_update_bricks(problem, liquid, step->instant_old, flow->scratch));
    DEW_TRY(dew_liquid_read_solids(problem, liquid, step->instant_old, DEW_LIQUID_MOVING));
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
    dew_Vec3 g = dew_scale(s->step->dt_s, s->step->instant->gravity_m_s2);
    const double dv[3] = {g.x, g.y, g.z};
    int64_t cells = s->liquid->grid->brick_cells;
    for (int a = 0; a < s->liquid->grid->dimensions; a++)
        for (int64_t n = begin * cells; n < end * cells; n++)
            s->u[a][n] += s->mobility[a] ? s->mobility[a][n] * dv[a] : dv[a];
    return dew_ok();
}

static dew_Status add_viscosity(const dew_LiquidFlow *s)
{
    const dew_LiquidParams *params = &s->liquid->params;
    if (!(params->mu_Pa_s > 0) || !(s->viscous_s > 0))
        return dew_ok();
    dew_ViscosityDef def = dew_default_viscosity_def();
    dew_SolveReport report;
    def.phi = dew_liquid_phi(s->liquid);
    memcpy(def.open, s->aperture, sizeof def.open);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    memcpy(def.mobility, s->mobility, sizeof def.mobility);
    def.solid = s->solid;
    def.slip_m = params->slip_m;
    def.slip = params->has_slips ? dew_grid_f64(s->liquid->grid, s->liquid->slip) : NULL;
    if (dew_liquid_has_line_law(params))
        def.line_slip_m = DEW_LINE_DISTANCE * s->liquid->grid->cell_m;
    def.density_kg_m3 = params->rho_kg_m3;
    def.viscosity_Pa_s = params->mu_Pa_s;
    def.dt_s = s->viscous_s;
    def.solve.tolerance = 1e-6;
    DEW_TRY(dew_viscosity_run(s->liquid->grid, &def, s->u, s->scratch, &report));
    s->step->iterations += report.iterations;
    return dew_ok();
}

// Viscosity first: it must not see the velocity that gravity gives and pressure takes away in the
// same step. Beside walls, which hold what touches them, that would be a shear of g dt, and stirs
// drops that ought to rest.
dew_Status dew_liquid_forces(dew_LiquidFlow *s)
{
    DEW_TRY(dew_grid_for(s->liquid->grid, check_chunk, s));
    DEW_TRY(dew_liquid_line_mobility(s->liquid, s->step->dt_s, s->scratch, s->mobility));
    DEW_TRY(add_viscosity(s));
    return dew_grid_for(s->liquid->grid, gravity_chunk, s);
}

dew_ProjectionDef dew_liquid_projection(const dew_LiquidFlow *s)
{
    const dew_LiquidParams *params = &s->liquid->params;
    dew_ProjectionDef def = dew_default_projection_def();
    def.phi = dew_liquid_phi(s->liquid);
    memcpy(def.open, s->aperture, sizeof def.open);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    memcpy(def.mobility, s->mobility, sizeof def.mobility);
    def.density_kg_m3 = params->rho_kg_m3;
    def.dt_s = s->step->dt_s;
    def.method = params->pressure_method;
    def.corrections = params->is_first_order ? 0 : params->corrections;
    if (params->is_first_order)
        def.min_fraction = 1;
    def.solve.tolerance = params->tolerance;
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
    if (!liquid->params.is_external)
        DEW_TRY(dew_liquid_surface_tension(liquid, s->step->instant->time_s, s->step->dt_s,
                                           p_surface, s->scratch));
    DEW_TRY(dew_liquid_line_friction(liquid, s->step, s->mobility, p_surface));
    DEW_TRY(dew_liquid_wind_pressure(liquid, s->step->instant->wind_m_s, p_surface));
    dew_stage_end(s->step->clock, DEW_LIQUID_TENSION);
    dew_ProjectionDef def = dew_liquid_projection(s);
    dew_ProjectionReport report;
    def.p_surface = p_surface;
    DEW_TRY(dew_projection_run(&liquid->workspace->poisson, liquid->grid, &def, s->u,
                               dew_grid_f64(liquid->grid, liquid->p), s->is_known, s->scratch,
                               &report));
    s->step->iterations += report.solve.iterations;
    return dew_ok();
}

dew_Status dew_liquid_fill_ghost_velocities(dew_LiquidFlow *s, bool is_free)
{
    dew_Liquid *liquid = s->liquid;
    if (!s->solid)
        return dew_ok();
    dew_GhostDef def = {.solid = s->solid,
                        .slip_m = is_free ? HUGE_VAL : liquid->params.slip_m,
                        .depth_m = 2 * liquid->grid->cell_m};  // as deep as cubics reach
    if (liquid->params.has_slips && !is_free)
        def.slip = dew_grid_f64(liquid->grid, liquid->slip);
    memcpy(def.wall_u, s->wall_u, sizeof def.wall_u);
    return dew_velocity_fill_solids(liquid->grid, s->u, &def, s->scratch);
}

dew_Status dew_liquid_extrapolate_velocity(dew_LiquidFlow *s)
{
    DEW_TRY(dew_liquid_extrapolate_into_air(s->liquid, s->is_known, s->scratch));
    return dew_liquid_fill_ghost_velocities(s, false);
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

// Redistancing keeps the surface where it is to 2e-4 cells, but to 1e-3 only beside a contact line
// whose angle at the wall is another one than above it: there it gains a little liquid, in each
// call. It is therefore called when the liquid has moved by so much, not in each step; then what it
// does to the way of a line does not depend on the length of the step. In between phi stays a
// distance, since it is advected with the velocity at its closest point. Where more happens than
// that the surface moves it is called in each step; so it is where all walls slip freely: they bend
// no line, and small waves need the more exact distance (volume_jet: 6 % of the growth rate instead
// of 10).
#define MOVED 0.5  // cells

static bool is_redistancing_due(const dew_LiquidFlow *s)
{
    const dew_Liquid *liquid = s->liquid;
    const dew_Grid *grid = liquid->grid;
    double *moved = liquid->moved.data, way = 0;
    bool slips_freely = !liquid->params.has_slips && isinf(liquid->params.slip_m);
    bool is_plain = liquid->params.has_solids && !slips_freely && !liquid->params.has_motion &&
                    liquid->droplets.count == 0 && !(s->step->added_m3 > 0) &&
                    !(s->step->removed_m3 > 0) && s->step->index > 0;
    for (int a = 0; a < grid->dimensions; a++)
        way += dew_max_abs(grid->tasks, s->u[a], dew_liquid_count(liquid));
    *moved += way * s->step->dt_s / grid->cell_m;
    bool is_due = !is_plain || !(*moved < MOVED);
    *moved = is_due ? 0 : *moved;
    return is_due;
}

static dew_Status redistance(dew_LiquidFlow *s, const double *before)
{
    dew_Liquid *liquid = s->liquid;
    double band = DEW_LIQUID_BAND * liquid->grid->cell_m;
    dew_Redistanced report;
    DEW_TRY(dew_levelset_redistance(liquid->grid, dew_liquid_phi(liquid), DEW_REDISTANCE_CLOSEST,
                                    band, s->scratch, &report));
    return dew_liquid_carry_walls(s->problem, liquid, s->step, before);
}

dew_Status dew_liquid_redistance(dew_LiquidFlow *s, const double *before)
{
    *(double *)s->liquid->moved.data = 0;
    return redistance(s, before);
}

dew_Status dew_liquid_redistance_moved(dew_LiquidFlow *s, const double *before)
{
    return is_redistancing_due(s) ? redistance(s, before)
                                  : dew_liquid_carry_walls(s->problem, s->liquid, s->step, before);
}

dew_Status dew_liquid_update_drops(dew_LiquidFlow *s)
{
    DEW_TRY(dew_liquid_label_drops(s->liquid, false, s->scratch));
    DEW_TRY(dew_liquid_move_droplets(s->problem, s->liquid, s->step));  // they may raise targets
    bool is_due = (s->step->index + 1) % DEW_LIQUID_INTERVAL == 0;
    for (int n = 0; n < 3 * DEW_LIQUID_SHIFTS; n++) {
        if (!is_due && dew_liquid_worst_error(s->liquid) <= CORRECT_ABOVE)
            break;
        if (n >= DEW_LIQUID_SHIFTS &&
            dew_liquid_summed_error(s->liquid) <= DEW_LIQUID_ALLOWANCE / 10)
            break;
        is_due = false;
        DEW_TRY(dew_liquid_correct_volumes(s->liquid, DEW_LIQUID_SHIFT, s->scratch));
        DEW_TRY(dew_liquid_label_drops(s->liquid, false, s->scratch));
    }
    return dew_liquid_convert_unresolved(s->liquid, s->scratch);
}

dew_Status dew_liquid_end_move(dew_LiquidFlow *s)
{
    DEW_TRY(dew_liquid_impose_angle(s->liquid, s->step->instant->time_s, s->scratch));
    dew_stage_end(s->step->clock, DEW_LIQUID_CONTACT);
    DEW_TRY(dew_liquid_update_drops(s));
    DEW_TRY(dew_liquid_remove_outflow(s->problem, s->liquid, s->step));
    return dew_liquid_record_wetting(s->problem, s->liquid, s->step->instant);
}

// ---- momentum of free drops ---------------------------------------------------------------------

// Projection that leaves drops which touch nothing their momentum.
//
// The tension of a closed surface sums to zero, and no pressure inside changes what a drop's centre
// does. On the grid the sum is not quite zero: a curvature that is wrong by 1e-4 on one side pushes
// a drop of six cells' radius at 4 cm/s^2. So what projection does to the mean velocity of a free
// drop is taken back from all of it, which leaves it as free of divergence as it was. Faces count
// with the part of the way between their two cells that is in the liquid: the pressure's
// differences then add up along each row of cells to those of the surface's pressures at the row's
// ends.
//
// Limits: with wind, which does push, nothing is taken back; nor of drops within three cells of a
// solid or of the domain's end, where bricks end and liquid leaves. The turning that such errors
// give is not looked at.

typedef struct Work {
    const dew_LiquidFlow *flow;
    const dew_Grid *grid;
    const double *phi;
    const int32_t *drop;
    const uint8_t *is_free;  // by drop
    int64_t drop_count;
    double *before[3];
    double *change, *weight;  // three by drop
} Work;

// Is the whole brick away from the domain's ends?
static bool brick_is_inside(const Work *w, int32_t b)
{
    dew_Box box = dew_problem_domain(w->flow->problem);
    double h = w->grid->cell_m, size = DEW_BRICK * h, near = DEW_LIQUID_SHELLS * h;
    dew_Vec3 low = dew_grid_position(w->grid, b, 0, 0, 0, DEW_AT_NODE);
    bool is_flat = w->grid->dimensions == 2;
    return low.x > box.min.x + near && low.x + size < box.max.x - near &&
           low.y > box.min.y + near && low.y + size < box.max.y - near &&
           (is_flat || (low.z > box.min.z + near && low.z + size < box.max.z - near));
}

// Which drops are free; false: none.
static bool find_free(const Work *w, uint8_t *is_free)
{
    const dew_Liquid *liquid = w->flow->liquid;
    const dew_LiquidDrop *drops = DEW_ITEMS(&liquid->drops, dew_LiquidDrop);
    double near = DEW_LIQUID_SHELLS * w->grid->cell_m;
    bool is_any = false;
    for (int64_t d = 0; d < w->drop_count; d++)
        is_free[d] = drops[d].cell_count > DEW_LIQUID_TINY;
    for (int32_t b = 0; b < w->grid->brick_count; b++) {
        bool is_inside = brick_is_inside(w, b);
        for (int n = 0; n < w->grid->brick_cells && (w->flow->solid || !is_inside); n++) {
            int64_t at = (int64_t)b * w->grid->brick_cells + n;
            bool touches = !is_inside || (w->flow->solid && w->flow->solid[at] < near);
            if (touches && w->drop[at] >= 0 && w->drop[at] < w->drop_count)
                is_free[w->drop[at]] = 0;
        }
    }
    for (int64_t d = 0; d < w->drop_count; d++)
        is_any |= is_free[d];
    return is_any;
}

// The free drop that the lower face of a cell belongs to, DEW_INVALID: none; and the part of it in
// the liquid.
static int32_t drop_of_face(const Work *w, int32_t b, int n, int axis, double *part)
{
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    int64_t up = (int64_t)b * w->grid->brick_cells + n;
    c[axis]--;
    int64_t low = c[axis] >= 0 ? up - (axis == 0   ? 1
                                       : axis == 1 ? 8
                                                   : 64)
                               : dew_grid_near(w->grid, b, c[0], c[1], c[2]);
    if (low < 0)
        return DEW_INVALID;
    double p = w->phi[low], q = w->phi[up];
    if (p >= 0 && q >= 0)
        return DEW_INVALID;
    *part = p < 0 && q < 0 ? 1 : p < 0 ? p / (p - q) : q / (q - p);
    int32_t drop = w->drop[p < q ? low : up];
    return drop >= 0 && drop < w->drop_count && w->is_free[drop] ? drop : DEW_INVALID;
}

// Has the brick, or one that its lower faces look into, a free drop?
static bool has_free(const Work *w, int32_t b)
{
    int64_t first = (int64_t)b * w->grid->brick_cells;
    for (int64_t n = first; n < first + w->grid->brick_cells; n++)
        if (w->phi[n] < w->grid->cell_m)
            return true;
    return false;
}

static void sum_changes(const Work *w, int32_t b)
{
    for (int a = 0; a < w->grid->dimensions; a++)
        for (int n = 0; n < w->grid->brick_cells; n++) {
            int64_t at = (int64_t)b * w->grid->brick_cells + n;
            double part;
            if (!w->flow->is_known[a][at])
                continue;
            int32_t drop = drop_of_face(w, b, n, a, &part);
            if (drop < 0)
                continue;
            w->change[3 * drop + a] += part * (w->flow->u[a][at] - w->before[a][at]);
            w->weight[3 * drop + a] += part;
        }
}

static dew_Status take_back_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int a = 0; a < w->grid->dimensions && has_free(w, b); a++)
            for (int n = 0; n < w->grid->brick_cells; n++) {
                int64_t at = (int64_t)b * w->grid->brick_cells + n;
                double part;
                if (!w->flow->is_known[a][at])
                    continue;
                int32_t drop = drop_of_face(w, b, n, a, &part);
                if (drop >= 0 && w->weight[3 * drop + a] > 0)
                    w->flow->u[a][at] -= w->change[3 * drop + a] / w->weight[3 * drop + a];
            }
    return dew_ok();
}

static dew_Status project(Work *w, dew_LiquidFlow *flow)
{
    w->change = dew_arena_array(flow->scratch, double, 3 * w->drop_count);
    w->weight = dew_arena_array(flow->scratch, double, 3 * w->drop_count);
    if (!w->change || !w->weight)
        return dew_no_memory((size_t)w->drop_count * 6 * sizeof *w->change);
    DEW_TRY(dew_liquid_take_velocity(flow, w->before));
    for (int a = 0; a < w->grid->dimensions; a++)
        memcpy(w->before[a], flow->u[a], (size_t)dew_liquid_count(flow->liquid) * sizeof(double));
    DEW_TRY(dew_liquid_project(flow));
    for (int32_t b = 0; b < w->grid->brick_count; b++)
        if (has_free(w, b))
            sum_changes(w, b);
    return dew_grid_for(w->grid, take_back_chunk, w);
}

dew_Status dew_liquid_project_free(dew_LiquidFlow *flow)
{
    const dew_Liquid *liquid = flow->liquid;
    Work work = {.flow = flow,
                 .grid = liquid->grid,
                 .phi = dew_liquid_phi(liquid),
                 .drop = dew_grid_field(liquid->grid, liquid->drop),
                 .drop_count = liquid->drops.count};
    uint8_t *is_free = dew_arena_array(flow->scratch, uint8_t, work.drop_count);
    if (!is_free)
        return dew_no_memory((size_t)work.drop_count);
    work.is_free = is_free;
    bool is_pushed = dew_length2(flow->step->instant->wind_m_s) > 0;
    return !is_pushed && find_free(&work, is_free) ? project(&work, flow)
                                                   : dew_liquid_project(flow);
}

// ---- Velocity extrapolation ---------------------------------------------------------------------

// Velocities beyond the free surface: each face takes the velocity at its closest point of the
// surface, from the faces around that the liquid determines.
//
// differs: [Enright2002] march outwards from face to face. Redistancing has made phi a distance to
// fourth order, so the closest point is known directly, every face is on its own, and nothing
// depends on order. phi is carried by the velocity at the closest point on the liquid's side too.
// With the liquid's own there and the surface's beyond, the velocity has a kink at the surface,
// which then lags by a sixth of a cell times the velocity's slope: a drop rings too slowly, to the
// first order in h.
// Beside walls the closest point may lie in the solid; it is raised to half a cell above the wall,
// so that the contact line moves with the liquid next to it.

#define WIDTH        (DEW_BRICK + 2 * 1)
#define LEAST_WEIGHT 0.02

typedef struct Extrapolation {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    uint8_t *const *is_known;
    double *u[3];
    const double *from[3];
    const double *aperture[3];
} Extrapolation;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(1)], solid[DEW_TILE_SIZE(1)];
    bool has_walls;
    int32_t brick;
} Tiles;

static const int stride_of[3] = {1, WIDTH, WIDTH *WIDTH};

// Gradient of a cell field at a lower face: central differences, the mean of its two cells.
DEW_BODY dew_Vec3 slope_at_face(const double *tile, int at, int axis)
{
    double g[3];
    for (int a = 0; a < 3; a++) {
        int s = stride_of[a], low = at - stride_of[axis];
        g[a] = a == axis ? tile[at] - tile[low]
                         : 0.25 * (tile[at + s] - tile[at - s] + tile[low + s] - tile[low - s]);
    }
    return dew_vec(g[0], g[1], g[2]);
}

// Mean of the known faces around a point by their weights, and where along g that mean lies.
typedef struct Mean {
    double value, along;
    double weight;  // of the known ones: 1 when all are
} Mean;

// May beyond the surface take the velocity of this face? One that the liquid determines, or a
// closed one across which the wall stands.
DEW_BODY bool is_source(const Extrapolation *w, const Tiles *t, int axis, int64_t at,
                        const int c[3])
{
    if (!w->is_known[axis][at])
        return false;
    if (!t->has_walls || w->aperture[axis][at] > 0)
        return true;
    int below[3] = {c[0], c[1], c[2]};
    below[axis]--;
    int64_t low = dew_grid_near(w->liquid->grid, t->brick, below[0], below[1], below[2]);
    double across = low < 0 ? 0 : w->solid[at] - w->solid[low];
    return fabs(across) > 0.7 * w->liquid->grid->cell_m;
}

DEW_BODY Mean mean_known(const Extrapolation *w, const Tiles *t, int axis, dew_Vec3 p, dew_Vec3 g)
{
    bool is_flat = w->liquid->grid->depth == 1;
    double x[3] = {p.x, p.y, is_flat ? 0 : p.z};
    int base[3];
    bool is_inside = true;  // the brick
    Mean mean = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        x[a] = fmax(1 - DEW_BRICK, fmin(x[a], 2 * DEW_BRICK - 2.001));
        base[a] = (int)floor(x[a]);
        x[a] -= base[a];
        is_inside &= base[a] >= 0 && base[a] < DEW_BRICK - 1;
    }
    const int64_t first = t->brick * (int64_t)w->liquid->grid->brick_cells;
    for (int n = 0; n < (is_flat ? 4 : 8); n++) {
        int c[3] = {base[0] + (n & 1), base[1] + (n >> 1 & 1), base[2] + (n >> 2)};
        int64_t at = is_inside ? first + c[0] + 8 * c[1] + 64 * c[2]
                               : dew_grid_near(w->liquid->grid, t->brick, c[0], c[1], c[2]);
        double weight = (n & 1 ? x[0] : 1 - x[0]) * (n >> 1 & 1 ? x[1] : 1 - x[1]);
        weight *= n >> 2 ? x[2] : is_flat ? 1 : 1 - x[2];
        if (at < 0 || !is_source(w, t, axis, at, c))
            continue;
        mean.weight += weight;
        mean.value += weight * w->from[axis][at];
        mean.along += weight * (c[0] * g.x + c[1] * g.y + c[2] * g.z);
    }
    if (mean.weight > 0) {
        mean.value /= mean.weight;
        mean.along /= mean.weight;
    }
    return mean;
}

// p, raised along the surface to half a cell above the wall; n: the surface's normal. Along the
// wall's own normal it would leave the liquid where the angle is sharp. at: of the face at x that
// asks.
DEW_BODY dew_Vec3 above_wall(const Tiles *t, int at, int axis, dew_Vec3 x, dew_Vec3 p, dew_Vec3 n,
                             double h)
{
    if (!t->has_walls)
        return p;
    dew_Vec3 N = dew_normalize(slope_at_face(t->solid, at, axis));
    double d = 0.5 * (t->solid[at] + t->solid[at - stride_of[axis]]) / h;
    d += dew_inner(dew_sub(p, x), N);
    if (d >= 0.5)
        return p;
    dew_Vec3 up = dew_add_scaled(N, -dew_inner(N, n), n);
    return dew_add_scaled(p, (0.5 - d) / fmax(dew_inner(up, N), DEW_LIQUID_MIN_SINE2), up);
}

// Where faces around the closest point are missing, the mean of the others is that of a point
// inside: the velocity at the surface is then continued linearly from a cell deeper. Without that a
// drop of 8 cells' radius rings by 0.3 % more slowly.
DEW_BODY bool extend_face(const Extrapolation *w, const Tiles *t, int n, int axis, double *value)
{
    const dew_Grid *grid = w->liquid->grid;
    double h = grid->cell_m;
    int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    double phi = 0.5 * (t->phi[at] + t->phi[at - stride_of[axis]]) / h;
    if (!(phi < DEW_LIQUID_REACH))
        return false;
    dew_Vec3 x = dew_vec(n & 7, n >> 3 & 7, n >> 6);
    dew_Vec3 g = dew_normalize(slope_at_face(t->phi, at, axis));
    for (int trial = 0; trial < 3; trial++) {
        dew_Vec3 p = above_wall(t, at, axis, x, dew_add_scaled(x, -(phi + 0.5 * trial), g), g, h);
        Mean mean = mean_known(w, t, axis, p, g);
        if (!(mean.weight > LEAST_WEIGHT))
            continue;
        *value = mean.value;
        double missing = dew_inner(p, g) - mean.along;
        if (trial > 0 || !(missing > DEW_LIQUID_MIN_LENGTH))
            return true;
        dew_Vec3 q = above_wall(t, at, axis, x, dew_add_scaled(p, -1, g), g, h);
        Mean deeper = mean_known(w, t, axis, q, g);
        if (deeper.weight > LEAST_WEIGHT && mean.along - deeper.along > 0.4)
            *value += fmin(missing, 1) * (mean.value - deeper.value) / (mean.along - deeper.along);
        return true;
    }
    return false;
}

static void load_tiles(const Extrapolation *w, int32_t b, Tiles *t)
{
    const dew_Grid *grid = w->liquid->grid;
    dew_tile_load(grid, w->phi, b, 1, t->phi);
    t->brick = b;
    t->has_walls = false;
    if (!w->solid)
        return;
    dew_tile_load(grid, w->solid, b, 1, t->solid);
    for (int i = 0; i < DEW_TILE_SIZE(1) && !t->has_walls; i++)
        t->has_walls = t->solid[i] < (DEW_LIQUID_BAND + 1) * grid->cell_m;
}

DEW_BODY dew_Status extend_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Extrapolation *w = context;
    const dew_Grid *grid = w->liquid->grid;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int a = 0; a < grid->dimensions; a++) {
            for (int n = 0; n < grid->brick_cells; n++) {
                int64_t at = b * grid->brick_cells + n;
                if (w->is_known[a][at])
                    continue;
                w->u[a][at] = 0;
                if (!(w->phi[at] < (DEW_LIQUID_REACH + 1) * grid->cell_m))
                    continue;
                if (!is_loaded)
                    load_tiles(w, (int32_t)b, &t);
                is_loaded = true;
                extend_face(w, &t, n, a, &w->u[a][at]);
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(extend_chunk)

// Known faces near the surface too take the velocity at their closest point of it.
DEW_BODY dew_Status carry_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Extrapolation *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double depth = (DEW_LIQUID_REACH - 1) * grid->cell_m;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int a = 0; a < grid->dimensions; a++)
            for (int64_t at = b * grid->brick_cells; at < (b + 1) * grid->brick_cells; at++) {
                w->u[a][at] = w->from[a][at];
                if (!w->is_known[a][at] || !(fabs(w->phi[at]) < depth))
                    continue;
                if (!is_loaded)
                    load_tiles(w, (int32_t)b, &t);
                is_loaded = true;
                extend_face(w, &t, (int)(at - b * grid->brick_cells), a, &w->u[a][at]);
            }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(carry_chunk)

static void begin_extrapolation(dew_Liquid *liquid, uint8_t *const is_known[3], Extrapolation *work)
{
    *work = (Extrapolation){.liquid = liquid,
                            .phi = dew_liquid_phi(liquid),
                            .solid = dew_liquid_solid(liquid),
                            .is_known = is_known};
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work->u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
        work->aperture[a] = work->solid ? dew_grid_f64(liquid->grid, liquid->aperture[a]) : NULL;
    }
}

dew_Status dew_liquid_extrapolate_into_air(dew_Liquid *liquid, uint8_t *const is_known[3],
                                           dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    size_t size = (size_t)dew_liquid_count(liquid) * sizeof(double);
    Extrapolation work;
    begin_extrapolation(liquid, is_known, &work);
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        double *copy = dew_arena_raw_array(scratch, double, dew_liquid_count(liquid));
        if (!copy)
            return dew_no_memory(size);
        __builtin_memcpy(copy, work.u[a], size);
        work.from[a] = copy;
    }
    dew_Status status = dew_grid_for(liquid->grid, extend_chunk, &work);
    dew_arena_rewind(scratch, mark);
    return status;
}

dew_Status dew_liquid_surface_velocity(dew_Liquid *liquid, uint8_t *const is_known[3],
                                       double *const out[3])
{
    Extrapolation work;
    begin_extrapolation(liquid, is_known, &work);
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work.from[a] = work.u[a];
        work.u[a] = out[a];
    }
    return dew_grid_for(liquid->grid, carry_chunk, &work);
}
