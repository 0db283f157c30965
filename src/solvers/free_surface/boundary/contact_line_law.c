// The moving contact line on grids: the angle that it has at the cell's scale, what keeps that
// stable, and the damping of short waves.
//
//   air   \            The grid resolves the flow in the wedge down to about a cell. Below, it is
//     \    \ liquid    bent by the law of the moving line (dew/wetting.h), so that the angle which
//  ____\_u__\______    is imposed at the wall is the law's at the distance c h:
//                          g(theta) = g(theta_m) + Ca ln(c h / lambda)
//  [Afkhami2009, Legendre2015]; then speeds do not depend on h.
//
// How far down a grid resolves depends on how far above the wall its lowest faces happen to lie, 0
// to h: without more, drops are twice as fast at one place of the wall between the cells as at
// another. So below c h nothing is resolved: beside the line the wall slips by the length c h
// (dew_ViscosityDef), and the line's speed is read at this height (ghost_contact_angle.c): with
// the velocity u and the normal n of the surface there, the line moves along the wall's tangent T
// with u.n / n.T. A thin wedge on a wall that slips by l is bent as one that ends at 3 l / (e
// theta) [Hocking1983]: for l = h and theta = 1 at 1.1 h. c is 1.
//
// Stability: the line's force falls with its speed by d = df/du per length, which acts on liquid of
// about rho h^2 per length. Explicitly that is stable up to dt = 2 rho h^2 / d, much too short for
// viscous liquids. With f(u_new) = f(u) + d (u_new - u) (one Newton step, Rosenbrock's) the liquid
// there just has more inertia: rho h^2 + d dt. It is added to faces within REACH of the line, as a
// mass that viscosity, gravity and pressure have to move, and changes neither rest nor steady
// motion.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/free_surface/liquid.h"
#include "wetting/contact_angle.h"

// ---- The angle ----------------------------------------------------------------------------------

#define TABLE     1024  // intervals of g in [0, pi]
#define MIN_ANGLE DEW_DEG(10)
#define MAX_ANGLE DEW_DEG(170)

dew_LiquidWetting dew_liquid_wetting_of(const dew_LiquidParams *params,
                                        const dew_MaterialDef *material)
{
    dew_LineLaw law = dew_line_law(material, params->mu_Pa_s, params->sigma_N_m);
    law.slip_length_m = fmax(law.slip_length_m, material->slip_m);  // nothing is bent within
    bool is_paper = params->is_stencil || !params->has_ghost_memory;
    if (!(params->sigma_N_m > 0) || is_paper || isinf(material->slip_m))
        law.kind = DEW_ANGLE_STATIC;
    dew_AngleInterval dry = dew_contact_interval(material, 0);
    dew_AngleInterval wet = dew_contact_interval(material, 1);
    return (dew_LiquidWetting){.receding = cos(dry.receding_rad),
                               .advancing = cos(dry.advancing_rad),
                               .wet_advancing = cos(wet.advancing_rad),
                               .dries_after_s = material->dries_after_s,
                               .max_receding_N_m = material->max_receding_tension_N_m,
                               .slip_m = material->slip_m,
                               .law = law};
}

dew_Status dew_liquid_cox_table(dew_Liquid *liquid)
{
    double *table = dew_arena_raw_array(&liquid->constants, double, TABLE);
    if (!table)
        return dew_no_memory(TABLE * sizeof *table);
    for (int i = 0; i < TABLE; i++)
        table[i] = dew_cox_integral(i * DEW_PI / TABLE);
    liquid->params.cox = table;
    return dew_ok();
}

// g and its inverse, linear between the entries, so that one undoes the other.
static double integral(const double *table, double theta)
{
    double x = theta * (TABLE / DEW_PI);
    int i = (int)x;
    i = i > TABLE - 2 ? TABLE - 2 : i;
    return table[i] + (x - i) * (table[i + 1] - table[i]);
}

static double angle_of(const double *table, double g)
{
    int low = 0, high = TABLE - 1;
    if (!(g > 0))
        return 0;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (table[middle] <= g)
            low = middle;
        else
            high = middle;
    }
    double x = low + (g - table[low]) / (table[high] - table[low]);
    return fmin(x, TABLE - 1) * (DEW_PI / TABLE);
}

double dew_liquid_moving_cosine(const dew_LiquidParams *params, const dew_LineLaw *law,
                                double cosine, double speed_m_s, double distance_m)
{
    if (speed_m_s == 0 || law->kind == DEW_ANGLE_STATIC)
        return cosine;
    if (law->kind == DEW_ANGLE_MOLECULAR_KINETIC) {
        double moving = dew_line_angle(law, acos(cosine), speed_m_s, distance_m).cosine;
        return fmax(fmin(cosine, cos(MAX_ANGLE)), fmin(moving, fmax(cosine, cos(MIN_ANGLE))));
    }
    double ratio = distance_m / law->slip_length_m, theta = acos(cosine);
    if (!(ratio > 1))
        return cosine;
    double bent = law->viscosity_Pa_s * speed_m_s / law->surface_tension_N_m * log(ratio);
    double moving = angle_of(params->cox, integral(params->cox, theta) + bent);
    moving = fmax(fmin(theta, MIN_ANGLE), fmin(moving, fmax(theta, MAX_ANGLE)));
    return cos(moving);
}

// ---- Inertia ------------------------------------------------------------------------------------

#define REACH    1.5   // cells from surface and wall
#define EXPLICIT 0.25  // d dt / (rho h^2) that needs nothing added

typedef struct Inertia {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    const int32_t *solid_id;
    double dt_s;
    double *cell, *mobility[3];
    uint8_t *is_any;  // per brick
} Inertia;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(1)], solid[DEW_TILE_SIZE(1)];
} Tiles;

static dew_Vec3 slope_of(const double *t)
{
    const int y = DEW_BRICK + 2, z = y * y;
    return dew_vec(t[1] - t[-1], t[y] - t[-y], t[z] - t[-z]);
}

// d dt / (rho h^2) of a cell beside the line, at the angle that the surface has.
static double stiffness_of(const Inertia *w, const Tiles *t, int at, int32_t id)
{
    const dew_LiquidParams *params = &w->liquid->params;
    const dew_LineLaw *law = &params->wetting[id].law;
    double h = w->liquid->grid->cell_m;
    if (law->kind == DEW_ANGLE_STATIC || params->wetting[id].has_fixed_phi)
        return 0;
    dew_Vec3 n = dew_normalize(slope_of(t->phi + at)), N = dew_normalize(slope_of(t->solid + at));
    double theta = acos(fmax(-1, fmin(dew_inner(n, N), 1)));
    theta = fmax(MIN_ANGLE, fmin(theta, MAX_ANGLE));
    double drag = dew_line_angle(law, theta, 0, DEW_LINE_DISTANCE * h).drag_Pa_s;
    return drag * w->dt_s / (params->rho_kg_m3 * h * h);
}

static dew_Status inertia_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Inertia *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double reach = REACH * grid->cell_m;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            if (!(fabs(w->phi[at]) < reach) || !(fabs(w->solid[at]) < reach) || w->solid_id[at] < 0)
                continue;
            if (!is_loaded) {
                dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, t.phi);
                dew_tile_load_cross(grid, w->solid, (int32_t)b, 1, t.solid);
            }
            is_loaded = true;
            w->cell[at] =
                stiffness_of(w, &t, dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6), w->solid_id[at]);
            w->is_any[b] |= w->cell[at] > EXPLICIT;
        }
    }
    return dew_ok();
}

// From cells to lower faces: the larger of the two cells'.
static dew_Status faces_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    static const int stride[3] = {1, DEW_BRICK + 2, (DEW_BRICK + 2) * (DEW_BRICK + 2)};
    const Inertia *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_or(grid, w->cell, (int32_t)b, 1, 0, tile);
        for (int a = 0; a < dew_grid_axes(grid); a++)
            for (int n = 0; n < grid->brick_cells; n++) {
                int at = dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
                double k = fmax(tile[at], tile[at - stride[a]]);
                w->mobility[a][b * grid->brick_cells + n] = 1 / (1 + fmax(k - EXPLICIT, 0));
            }
    }
    return dew_ok();
}

static dew_Status make_mobility(Inertia *w, dew_Arena *scratch)
{
    int64_t count = dew_liquid_count(w->liquid);
    int32_t bricks = w->liquid->grid->brick_count;
    bool is_any = false;
    w->cell = dew_arena_array(scratch, double, count);
    w->is_any = dew_arena_array(scratch, uint8_t, bricks);
    if (!w->cell || !w->is_any)
        return dew_no_memory((size_t)count * sizeof *w->cell);
    DEW_TRY(dew_grid_for(w->liquid->grid, inertia_chunk, w));
    for (int32_t b = 0; b < bricks; b++)
        is_any |= w->is_any[b];
    if (!is_any)
        return dew_ok();
    for (int a = 0; a < dew_grid_axes(w->liquid->grid); a++) {
        w->mobility[a] = dew_arena_array(scratch, double, count);
        if (!w->mobility[a])
            return dew_no_memory((size_t)count * sizeof(double));
    }
    return dew_grid_for(w->liquid->grid, faces_chunk, w);
}

bool dew_liquid_has_line_law(const dew_LiquidParams *params)
{
    bool has_law = false;
    for (int i = 0; i < params->solid_count; i++)
        has_law |= params->wetting[i].law.kind != DEW_ANGLE_STATIC;
    return has_law;
}

dew_Status dew_liquid_line_mobility(const dew_Liquid *liquid, double dt_s, dew_Arena *scratch,
                                    const double *out[3])
{
    out[0] = out[1] = out[2] = NULL;
    if (!dew_liquid_has_line_law(&liquid->params))
        return dew_ok();
    Inertia work = {.liquid = liquid,
                    .phi = dew_liquid_phi(liquid),
                    .solid = dew_liquid_solid(liquid),
                    .solid_id = dew_grid_field(liquid->grid, liquid->solid_id),
                    .dt_s = dt_s};
    DEW_TRY(make_mobility(&work, scratch));
    for (int a = 0; a < 3; a++)
        out[a] = work.mobility[a];
    return dew_ok();
}

// ---- Stabiliser ---------------------------------------------------------------------------------

// Beside walls the velocity that carries phi and the curvature that drives it are both looked up
// above the wall, and neither is the transpose of the other: short waves may come back from the
// line stronger than they went (by e in 2 ms at 30 degrees and h = 0.06 mm). So beside walls the
// surface pushes back with p = c sqrt(rho sigma / h) w. A wave of the number k opposes
// rho omega / k = sqrt(rho sigma k) to a pressure; c is the part of one with k h = 1 that is
// swallowed. w is the surface's normal speed seen from the wall or from the mean velocity of its
// drop, the smaller of the two, 0 when they differ in sign: neither what rests nor what slides as a
// whole feels it. What a moving line costs is the law's to say. Walls that slip freely have none.
//
// With c = 0 a drop of water of 10 mm^3 at 30 degrees, 12 cells in the base's radius, goes from
// rest to 9 cm/s within 60 ms; with 0.6 it stays at 0.6 (1.1 without the law).

#define FRICTION 0.6  // c
#define IN_STEP  0.8  // of a cell's momentum at most in a step: it acts explicitly

typedef struct Friction {
    const dew_Liquid *liquid;
    const double *phi, *solid, *u[3], *wall_u[3];
    const double *mobility[3];
    const int32_t *drop;
    const double *slip;      // NULL: the same for all
    double falls[3];         // what gravity has just given and pressure will take away
    const dew_Vec3 *drop_u;  // mean velocity of each drop
    double most_Pa_s_m;
    double *p_surface;
} Friction;

// Velocity in the middle of a cell, without what gravity has just given.
static dew_Vec3 velocity_of(const Friction *w, int32_t b, int n)
{
    const dew_Grid *grid = w->liquid->grid;
    double fall[3] = {w->falls[0], w->falls[1], w->falls[2]};
    for (int a = 0; a < dew_grid_axes(grid) && w->mobility[a]; a++) {
        int c[3] = {n & 7, n >> 3 & 7, n >> 6};
        int64_t low = (int64_t)b * grid->brick_cells + n;
        c[a]++;
        int64_t up = dew_grid_near(grid, b, c[0], c[1], c[2]);
        fall[a] *= 0.5 * (w->mobility[a][low] + w->mobility[a][up < 0 ? low : up]);
    }
    return dew_sub(dew_liquid_cell_velocity(grid, w->u, b, n), dew_vec(fall[0], fall[1], fall[2]));
}

// Mean velocity of the cells of each drop.
static void drop_velocities(const Friction *w, dew_Vec3 *sum, double *count)
{
    const dew_Grid *grid = w->liquid->grid;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int32_t drop = w->drop[(int64_t)b * grid->brick_cells + n];
            if (drop < 0 || drop >= w->liquid->drops.count)
                continue;
            sum[drop] = dew_add(sum[drop], velocity_of(w, b, n));
            count[drop]++;
        }
    for (int64_t d = 0; d < w->liquid->drops.count; d++)
        sum[d] = dew_scale(1 / fmax(count[d], 1), sum[d]);
}

// Velocity of the drop whose surface, with this normal, is beside a cell; false: none is found.
static bool drop_velocity(const Friction *w, int32_t b, int n, dew_Vec3 normal, dew_Vec3 *velocity)
{
    const dew_Grid *grid = w->liquid->grid;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    double inward = w->phi[at] / grid->cell_m + 1;  // to a cell below the surface
    int z = grid->depth == 1 ? 0 : (int)floor((n >> 6) - inward * normal.z + 0.5);
    int64_t there = dew_grid_near(grid, b, (int)floor((n & 7) - inward * normal.x + 0.5),
                                  (int)floor((n >> 3 & 7) - inward * normal.y + 0.5), z);
    int32_t drop = there < 0 ? DEW_INVALID : w->drop[there];
    if (drop < 0 || drop >= w->liquid->drops.count)
        return false;
    *velocity = w->drop_u[drop];
    return true;
}

static double slip_speed(const Friction *w, int32_t b, int n, dew_Vec3 normal)
{
    const dew_Grid *grid = w->liquid->grid;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    dew_Vec3 wall = {0, 0, 0}, drop, u = velocity_of(w, b, n);
    if (w->wall_u[0])
        wall = dew_vec(w->wall_u[0][at], w->wall_u[1][at], w->wall_u[2] ? w->wall_u[2][at] : 0);
    double by_wall = dew_inner(dew_sub(u, wall), normal);
    if (!drop_velocity(w, b, n, normal, &drop))
        return by_wall;
    double by_drop = dew_inner(dew_sub(u, drop), normal);
    if (by_wall * by_drop <= 0)
        return 0;
    return fabs(by_wall) < fabs(by_drop) ? by_wall : by_drop;
}

static dew_Status friction_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Friction *w = context;
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    double tile[DEW_TILE_SIZE(1)], h = grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            double part = fmin(1, 1 - w->solid[at] / (DEW_LIQUID_NEAR * h));
            bool slips = isinf(w->slip ? w->slip[at] : w->liquid->params.slip_m);
            if (!(fabs(w->phi[at]) < DEW_LIQUID_SHELL * h) || !(part > 0) || slips)
                continue;
            if (!is_loaded)
                dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, tile);
            is_loaded = true;
            const double *t = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            dew_Vec3 normal = dew_normalize(dew_vec(t[1] - t[-1], t[y] - t[-y], t[z] - t[-z]));
            w->p_surface[at] += w->most_Pa_s_m * part * slip_speed(w, (int32_t)b, n, normal);
        }
    }
    return dew_ok();
}

dew_Status dew_liquid_line_friction(dew_Liquid *liquid, const dew_Step *step,
                                    const double *const mobility[3], double *p_surface)
{
    const dew_LiquidParams *params = &liquid->params;
    if (!params->has_solids || !params->has_friction)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(step->scratch);
    dew_Vec3 falls = dew_scale(step->dt_s, step->instant->gravity_m_s2);
    dew_Vec3 *drop_u = dew_arena_array(step->scratch, dew_Vec3, liquid->drops.count);
    double *count = dew_arena_array(step->scratch, double, liquid->drops.count);
    if (!drop_u || !count)
        return dew_no_memory((size_t)liquid->drops.count * sizeof *drop_u);
    Friction work = {.liquid = liquid,
                     .phi = dew_liquid_phi(liquid),
                     .solid = dew_liquid_solid(liquid),
                     .drop = dew_grid_field(liquid->grid, liquid->drop),
                     .slip = params->has_slips ? dew_grid_f64(liquid->grid, liquid->slip) : NULL,
                     .mobility = {mobility[0], mobility[1], mobility[2]},
                     .falls = {falls.x, falls.y, falls.z},
                     .drop_u = drop_u,
                     .p_surface = p_surface};
    double h = liquid->grid->cell_m, most = IN_STEP * params->rho_kg_m3 * h / step->dt_s;
    work.most_Pa_s_m = fmin(FRICTION * sqrt(params->rho_kg_m3 * params->sigma_N_m / h), most);
    for (int a = 0; a < liquid->grid->dimensions; a++) {
        work.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
        work.wall_u[a] = params->has_motion ? dew_grid_f64(liquid->grid, liquid->wall_u[a]) : NULL;
    }
    drop_velocities(&work, drop_u, count);
    dew_Status status = dew_grid_for(liquid->grid, friction_chunk, &work);
    dew_arena_rewind(step->scratch, mark);
    return status;
}
