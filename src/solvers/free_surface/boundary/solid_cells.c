// The solids as the grid sees them, and the bricks that follow the liquid.
//
// Distances are exact at cell centres (dew_problem_nearest). A face's open part is that of the
// plane through its nearest point [Ng2009]; a face whose centre lies in a solid is closed, for the
// slivers that it would leave open buzz, and its sliver is added to the next face off the wall,
// which may so have up to one and a half times its area: without it a wall is up to half a cell
// thicker than it is. All of it is derived from the problem, brick by brick when bricks come, and
// each step anew near walls that move: pressure and advection see solids where they are when a step
// begins, with their velocities; then they are put to where they are at its end, and what phi is in
// them goes along.
#include "base/status.h"
#include "grid/levelset.h"
#include "grid/sample.h"
#include "solvers/free_surface/liquid.h"

#include <string.h>

// Edges: within half a cell of those that phi is continued to (DEW_LIQUID_ROUND more are looked at,
// half a cell at most), between faces whose normals differ by more than 20 degrees; by more than
// 160, they are the two sides of a plate.
#define WITHIN (DEW_LIQUID_DEPTH + 0.5)
#define LEAST  0.94  // cos(20 degrees)
// Cells: a face of a cell that is farther from solids is not cut; it is sqrt(1/2) + 1/2 at least.
#define NEAR 1.3

typedef struct Work {
    const dew_Problem *problem;
    const dew_Instant *instant;
    dew_Liquid *liquid;
    dew_LiquidWhich which;
} Work;

static double bounded(double x, double bound)
{
    return fmax(-bound, fmin(x, bound));
}

// ---- the nearest wall --------------------------------------------------------------------------

dew_SolidPoint dew_liquid_nearest_wall(const dew_Problem *problem, const dew_Liquid *liquid,
                                       const dew_Instant *instant, dew_Vec3 p, double reach_m)
{
    dew_SolidPoint near = dew_problem_nearest(problem, instant, p, reach_m);
    double of_solid = near.distance_m;
    for (int k = 0; k < liquid->params.nozzle_count; k++) {
        const dew_LiquidNozzle *nozzle = &liquid->params.nozzles[k];
        dew_Closest pin = dew_liquid_nozzle_nearest(nozzle, p);
        // In the pin it speaks whatever else is there: a nozzle in a wall is a hole in it.
        if (!(pin.distance < fmax(of_solid, 0) + DEW_LIQUID_ON_WALL * nozzle->cell_m) ||
            pin.distance > reach_m)
            continue;
        if (pin.distance < near.distance_m) {
            near.distance_m = pin.distance;
            near.normal = pin.normal;
            near.point_m = pin.point;
        }
        near.velocity_m_s =
            dew_scale(nozzle->scale * liquid->workspace->nozzle_speeds[k], nozzle->normal);
        near.solid_id = liquid->params.solid_count + k;
    }
    return near;
}

double dew_liquid_face_aperture(const dew_SolidPoint *near, int axis, double cell_m)
{
    if (near->distance_m <= DEW_LIQUID_ON_WALL * cell_m)
        return 0;
    double n[3] = {-near->normal.x, -near->normal.y, -near->normal.z};
    n[axis] = 0;
    double across = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2]))), d = near->distance_m / cell_m;
    if (across < 1e-6)
        return 1;
    double behind = d - across;  // the distance of the next face towards the wall
    double sliver = behind <= DEW_LIQUID_ON_WALL ? dew_plane_cut(n, -behind, NULL) : 0;
    return dew_plane_cut(n, -d, NULL) + sliver;
}

// ---- cells -------------------------------------------------------------------------------------

static double along(dew_Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Open part and wall's velocity of the lower faces. near: what the cell's middle sees, d cells
// away.
static void read_faces(const Work *w, int32_t b, int n, const dew_SolidPoint *near, double d)
{
    const dew_Liquid *s = w->liquid;
    const dew_Grid *grid = s->grid;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        dew_SolidPoint face = *near;
        double open = d > 0 ? 1 : 0;
        if (fabs(d) < NEAR) {
            dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6,
                                           (dew_Place)(DEW_AT_FACE_X + a));
            face = dew_liquid_nearest_wall(w->problem, s, w->instant, x, 4 * grid->cell_m);
            open = dew_liquid_face_aperture(&face, a, grid->cell_m);
        }
        dew_grid_f64(grid, s->aperture[a])[at] = open;
        if (s->params.has_motion)
            dew_grid_f64(grid, s->wall_u[a])[at] =
                d < DEW_LIQUID_NEAR ? along(face.velocity_m_s, a) : 0;
    }
}

// The material beside a wall's cell, where it varies; near: NULL where no wall is.
static void read_material(const Work *w, int64_t at, const dew_SolidPoint *near)
{
    const dew_Liquid *s = w->liquid;
    bool is_solid = near && near->solid_id >= 0 && near->solid_id < s->params.solid_count;
    dew_LiquidWetting wet = {0};
    if (is_solid) {
        dew_MaterialDef m =
            dew_problem_material(w->problem, w->instant, near->solid_id, near->point_m);
        wet = dew_liquid_wetting_of(&s->params, &m);
    }
    const double values[5] = {wet.receding, wet.advancing, wet.wet_advancing, wet.dries_after_s,
                              wet.max_receding_N_m};
    for (int k = 0; k < 5; k++)
        dew_grid_f64(s->grid, s->material[k])[at] = values[k];
}

static void read_cell(const Work *w, int32_t b, int n)
{
    const dew_Liquid *s = w->liquid;
    const dew_Grid *grid = s->grid;
    double h = grid->cell_m;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    dew_SolidPoint p = dew_liquid_nearest_wall(w->problem, s, w->instant, x, DEW_LIQUID_FAR * h);
    double d = bounded(p.distance_m / h, DEW_LIQUID_FAR);
    d = fabs(d) <= DEW_LIQUID_ON_WALL ? -DEW_LIQUID_ON_WALL
                                      : d;  // on the wall is in it, as for faces
    double normal[3] = {-p.normal.x, -p.normal.y, -p.normal.z};
    dew_grid_f64(grid, s->solid)[at] = d * h;
    ((int32_t *)dew_grid_field(grid, s->solid_id))[at] = p.solid_id;
    dew_grid_f64(grid, s->fluid_fraction)[at] = fabs(d) < 1 ? dew_plane_cut(normal, -d, NULL)
                                                : d > 0     ? 1
                                                            : 0;
    read_faces(w, b, n, &p, d);
    if (s->params.has_slips)
        dew_grid_f64(grid, s->slip)[at] =
            p.solid_id >= 0 ? s->params.wetting[p.solid_id].slip_m : 0;
    bool is_wall = d < 0 && d >= -DEW_LIQUID_DEPTH;
    bool is_solid = p.solid_id >= 0 && p.solid_id < s->params.solid_count;
    dew_LiquidEdge *edge = (dew_LiquidEdge *)dew_grid_field(grid, s->edge) + at;
    *edge = (dew_LiquidEdge){{{0}}, {0}};
    if (is_wall && is_solid)
        *edge = dew_liquid_find_edge(w->problem, s, w->instant, x, &p);
    if (s->params.has_affinities)
        read_material(w, at, is_wall ? &p : NULL);
    if (s->params.has_history && is_wall)
        dew_grid_f64(grid, s->wet_time)[at] = dew_liquid_wet_time(w->problem, s, w->instant, &p);
}

static void fill_brick(const Work *w, int32_t b, double distance_m)
{
    const dew_Liquid *s = w->liquid;
    const dew_Grid *grid = s->grid;
    int64_t first = (int64_t)b * grid->brick_cells;
    double fraction = distance_m > 0 ? 1 : 0;
    for (int64_t at = first; at < first + grid->brick_cells; at++) {
        dew_grid_f64(grid, s->solid)[at] = distance_m;
        ((int32_t *)dew_grid_field(grid, s->solid_id))[at] = DEW_INVALID;
        ((dew_LiquidEdge *)dew_grid_field(grid, s->edge))[at] = (dew_LiquidEdge){{{0}}, {0}};
        dew_grid_f64(grid, s->fluid_fraction)[at] = fraction;
        for (int a = 0; a < grid->dimensions; a++) {
            dew_grid_f64(grid, s->aperture[a])[at] = fraction;
            if (s->params.has_motion)
                dew_grid_f64(grid, s->wall_u[a])[at] = 0;
        }
        if (s->params.has_slips)
            dew_grid_f64(grid, s->slip)[at] = 0;
        if (s->params.has_affinities)
            read_material(w, at, NULL);
    }
}

// ---- bricks ------------------------------------------------------------------------------------

// How far the nearest wall that moves is.
static double moving_distance(const Work *w, dew_Vec3 p)
{
    const dew_LiquidParams *params = &w->liquid->params;
    double nearest = HUGE_VAL;
    for (int i = 0; i < params->solid_count + params->nozzle_count; i++) {
        if (!params->is_moving[i])
            continue;
        double d =
            i < params->solid_count
                ? dew_problem_solid_nearest(w->problem, w->instant, i, p).distance_m
                : dew_liquid_nozzle_nearest(&params->nozzles[i - params->solid_count], p).distance;
        nearest = fmin(nearest, d);
    }
    return nearest;
}

// Is all that a cell and its faces see at rest, and nearer than what moves? distance_m: of that,
// from the brick's middle.
static bool is_at_rest(const Work *w, int32_t b, int n, dew_Vec3 middle, double distance_m)
{
    const dew_Liquid *s = w->liquid;
    int64_t at = (int64_t)b * s->grid->brick_cells + n;
    int32_t id = ((const int32_t *)dew_grid_field(s->grid, s->solid_id))[at];
    if (id >= 0 && s->params.is_moving[id])
        return false;
    dew_Vec3 x = dew_grid_position(s->grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    double h = s->grid->cell_m, solid_m = dew_liquid_solid(s)[at], seen_m = solid_m + NEAR * h;
    if (solid_m < 0)  // edges are looked for around cells of walls
        seen_m = fmax(seen_m, (WITHIN + 0.5) * h);
    return seen_m < distance_m - dew_distance(x, middle) || seen_m < moving_distance(w, x);
}

static dew_Status solids_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    const uint8_t *is_fresh = grid->is_fresh.data;
    double h = grid->cell_m, far_m = DEW_LIQUID_FAR * h;
    dew_Vec3 half = dew_scale(0.5 * h, dew_vec(DEW_BRICK, DEW_BRICK, grid->depth));
    for (int64_t b = begin; b < end; b++) {
        dew_Vec3 corner = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        dew_Vec3 middle = dew_add(corner, half);
        double reach = dew_length(half) + far_m;
        if (w->which == DEW_LIQUID_FRESH && !is_fresh[b])
            continue;
        bool is_again = w->which == DEW_LIQUID_MOVING;
        double moving_m = is_again ? moving_distance(w, middle) : 0;
        if (is_again && !(moving_m < reach + 2 * h))
            continue;
        double d =
            dew_liquid_nearest_wall(w->problem, w->liquid, w->instant, middle, reach).distance_m;
        if (fabs(d) >= reach) {
            fill_brick(w, (int32_t)b, d > 0 ? far_m : -far_m);
            continue;
        }
        for (int n = 0; n < grid->brick_cells; n++)
            if (!is_again || !is_at_rest(w, (int32_t)b, n, middle, moving_m))
                read_cell(w, (int32_t)b, n);
    }
    return dew_ok();
}

dew_Status dew_liquid_read_solids(const dew_Problem *problem, dew_Liquid *liquid,
                                  const dew_Instant *instant, dew_LiquidWhich which)
{
    if (!liquid->params.has_solids || (which == DEW_LIQUID_MOVING && !liquid->params.has_motion))
        return dew_ok();
    if (instant && liquid->poses.count > 0 && liquid->poses.data != instant->poses)
        memcpy(liquid->poses.data, instant->poses,
               (size_t)liquid->poses.count * sizeof(dew_SolidPose));
    Work work = {problem, instant, liquid, which};
    return dew_grid_for(liquid->grid, solids_chunk, &work);
}

const dew_Instant *dew_liquid_instant(const dew_Liquid *liquid, dew_Instant *storage)
{
    if (liquid->poses.count == 0)
        return NULL;
    *storage = (dew_Instant){.poses = liquid->poses.data};
    return storage;
}

void dew_liquid_clear_deep_cells(dew_Liquid *liquid)
{
    const double *solid = dew_liquid_solid(liquid);
    double *phi = dew_liquid_phi(liquid), h = liquid->grid->cell_m;
    for (int64_t n = 0; solid && n < dew_liquid_count(liquid); n++)
        if (solid[n] < -DEW_LIQUID_DEPTH * h)
            phi[n] = DEW_LIQUID_BAND * h;
}

// ---- walls that move ---------------------------------------------------------------------------

typedef struct Carry {
    const dew_Problem *problem;
    dew_Liquid *liquid;
    const dew_Step *step;
    const double *memory;
} Carry;

// phi of before where the cell of the solid was then; NaN where that is not known.
static double carried(const Carry *c, int32_t b, int n, int32_t id)
{
    const dew_Grid *grid = c->liquid->grid;
    dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    dew_Vec3 rest = dew_problem_to_rest(c->problem, c->step->instant, id, x);
    dew_Vec3 old = dew_problem_from_rest(c->problem, c->step->instant_old, id, rest);
    dew_Vec3 way = dew_scale(1 / grid->cell_m, dew_sub(old, x));
    double p[3] = {(n & 7) + way.x, (n >> 3 & 7) + way.y, grid->depth == 1 ? 0 : (n >> 6) + way.z};
    int base[3];
    dew_CubicCell cell;
    for (int a = 0; a < 3; a++) {
        base[a] = (int)floor(p[a]);
        if (base[a] < -6 || base[a] > 12)
            return (double)NAN;
    }
    if (!dew_cubic_gather(grid, c->memory, b, base, &cell))
        return (double)NAN;
    return dew_cubic_value(&cell, p);
}

static dew_Status carry_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Carry *c = context;
    const dew_Liquid *s = c->liquid;
    const double *solid = dew_liquid_solid(s);
    const int32_t *ids = dew_grid_field(s->grid, s->solid_id);
    double *phi = dew_liquid_phi(s), band = DEW_LIQUID_BAND * s->grid->cell_m;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < s->grid->brick_cells; n++) {
            int64_t at = b * s->grid->brick_cells + n;
            if (!(solid[at] < 0))
                continue;
            bool moves =
                ids[at] >= 0 && ids[at] < s->params.solid_count && s->params.is_moving[ids[at]];
            double value = moves ? carried(c, (int32_t)b, n, ids[at]) : c->memory[at];
            phi[at] = isnan(value) ? band : bounded(value, band);
        }
    return dew_ok();
}

dew_Status dew_liquid_carry_walls(const dew_Problem *problem, dew_Liquid *liquid,
                                  const dew_Step *step, const double *memory)
{
    if (!liquid->params.has_solids)
        return dew_ok();
    DEW_TRY(dew_liquid_read_solids(problem, liquid, step->instant, DEW_LIQUID_MOVING));
    Carry carry = {problem, liquid, step, memory};
    DEW_TRY(dew_grid_for(liquid->grid, carry_chunk, &carry));
    if (liquid->params.has_motion)
        dew_liquid_clear_deep_cells(liquid);
    dew_liquid_fix_nozzle_phi(liquid);
    return dew_ok();
}

// ---- bricks that follow the liquid -------------------------------------------------------------

// Walls in new bricks have not been touched: dry, so that a line that comes there has to advance.
static void make_fresh_walls_dry(dew_Liquid *liquid)
{
    const double *solid = dew_liquid_solid(liquid);
    const uint8_t *is_fresh = liquid->grid->is_fresh.data;
    double *phi = dew_liquid_phi(liquid);
    int64_t cells = liquid->grid->brick_cells;
    for (int64_t b = 0; solid && b < liquid->grid->brick_count; b++)
        for (int64_t at = b * cells; is_fresh[b] && at < (b + 1) * cells; at++)
            if (solid[at] < 0)
                phi[at] = DEW_LIQUID_BAND * liquid->grid->cell_m;
}

void dew_liquid_fix_nozzle_phi(dew_Liquid *liquid)
{
    const dew_Grid *grid = liquid->grid;
    if (liquid->params.nozzle_count == 0)
        return;
    const int32_t *id = dew_grid_field(grid, liquid->solid_id);
    const double *solid = dew_liquid_solid(liquid);
    double *phi = dew_liquid_phi(liquid), h = grid->cell_m;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            if (id[at] < liquid->params.solid_count || solid[at] > DEW_LIQUID_SHELL * h)
                continue;
            dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            const dew_LiquidNozzle *nozzle =
                &liquid->params.nozzles[id[at] - liquid->params.solid_count];
            bool is_behind =
                dew_inner(dew_sub(x, nozzle->center_m), nozzle->normal) < -DEW_NOZZLE_FRONT * h;
            if (solid[at] < 0)
                phi[at] = bounded(dew_liquid_nozzle_phi(nozzle, x), DEW_LIQUID_BAND * h);
            else if (is_behind)  // nothing climbs the pin
                phi[at] = fmax(phi[at], 0.5 * h);
        }
}

dew_Status dew_liquid_update_bricks(const dew_Problem *problem, dew_Liquid *liquid,
                                    const dew_Instant *instant, dew_Arena *scratch)
{
    double h = liquid->grid->cell_m;
    DEW_TRY(dew_levelset_update_bricks(liquid->grid, liquid->phi, (DEW_LIQUID_BAND - 1) * h,
                                       DEW_LIQUID_BAND * h, true, scratch));
    DEW_TRY(dew_liquid_read_solids(problem, liquid, instant, DEW_LIQUID_FRESH));
    make_fresh_walls_dry(liquid);
    dew_liquid_clear_deep_cells(liquid);
    dew_liquid_fix_nozzle_phi(liquid);
    bool is_new = liquid->grid->brick_count > 0 &&
                  memchr(liquid->grid->is_fresh.data, 1, (size_t)liquid->grid->brick_count) != NULL;
    return is_new ? dew_liquid_impose_angle_fresh(liquid, instant->time_s, scratch) : dew_ok();
}

// ---- edges of solids ----------------------------------------------------------------------------

// Edges of solids, as the cells in a wall see them.
//
// The way down from a cell, against the normal of the face that it is nearest to, comes nearer to
// the other face of an edge than to its own as soon as it crosses the plane that halves the edge;
// on round bodies, however thin, and in inner corners it never does. Both planes then tell where
// the edge is.

static void put(dew_Vec3 v, float to[3])
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

// Where the planes at the depths g below the faces N meet, from there: nearest point. c: the
// normals' inner product.
static dew_Vec3 meet(const dew_Vec3 N[2], const double g[2], double c)
{
    double sine2 = 1 - c * c;
    return dew_add(dew_scale((g[0] - c * g[1]) / sine2, N[0]),
                   dew_scale((g[1] - c * g[0]) / sine2, N[1]));
}

dew_LiquidEdge dew_liquid_find_edge(const dew_Problem *problem, const dew_Liquid *liquid,
                                    const dew_Instant *instant, dew_Vec3 x,
                                    const dew_SolidPoint *near)
{
    dew_LiquidEdge edge = {{{0}}, {0}};
    double h = liquid->grid->cell_m, far_m = DEW_LIQUID_FAR * h;
    // The farthest step alone decides most cells.
    static const double downs[] = {WITHIN, 1, 2, 3};
    for (int k = 0; k < 4; k++) {
        dew_Vec3 y = dew_add_scaled(x, -downs[k] * h, near->normal);
        dew_SolidPoint other = dew_liquid_nearest_wall(problem, liquid, instant, y, far_m);
        double c = dew_inner(near->normal, other.normal);
        if (k == 0 && other.distance_m < 0 && c > LEAST)
            return edge;
        if (!(other.distance_m < 0) || !(c < LEAST) || !(c > -LEAST))
            continue;
        const dew_Vec3 N[2] = {near->normal, other.normal};
        const double g[2] = {-near->distance_m / h, -other.distance_m / h - downs[k] * c};
        dew_Vec3 way = meet(N, g, c), corner = dew_add_scaled(x, h, way);
        if (g[1] < g[0] - 0.1 || dew_length(way) > WITHIN ||
            fabs(dew_liquid_nearest_wall(problem, liquid, instant, corner, far_m).distance_m) >
                DEW_LIQUID_ROUND * h)
            continue;
        put(N[0], edge.normal[0]);
        put(N[1], edge.normal[1]);
        put(way, edge.way);
        return edge;
    }
    return edge;
}
