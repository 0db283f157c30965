// Contact angle: ghost values of the level set in solids, and wetting history.
//
//   air        phi(x_g) of a ghost cell x_g at depth g below the wall is extrapolated along the ray
//     \  liquid        x(s) = x_g + (g + s) (N - c T),        s: height above the wall
//  ____\_________  with the quadratic q(s) that satisfies
//  solid \ theta         q(1) = phi1 = phi(x(1)),   q(2) = phi2 = phi(x(2)),
//                        q'(0) = a = b - c sqrt(1 - b^2),
//                  so that q(-g) = phi1 - a (1 + g) + q'' (g^2 - 1) / 2,
//                        q'' = (2/3) (phi2 - phi1 - a).
//
// Lengths in cells. N: wall normal. T: unit tangent of the wall along which phi increases. c =
// cot(theta), |c| <= 0.6, and less for deep cells, whose rays would leave the neighbours of their
// brick. b: cosine of the angle at which the level set through x(0) meets the wall; it is parallel
// to the surface, whose curvature across the contact line is k: b = cos(theta) / (1 + k phi).
// Curvature, computed as elsewhere, then drives the line until the angle is theta. With c = 0 the
// driving force is sin(theta)^2 of the right one, and lines stick at 30 and 150 degrees; with |c| >
// 1 rays leave the surface of small drops. [Wang2005] sections 5 and 6 apply the same idea cell by
// cell.
//
// differs: the paper rebuilds a stencil for each cell beside the line and takes one angle. Here phi
// in the solid is state: it is clamped between its extrapolations at the receding and at the
// advancing angle. Between these bounds the line is pinned and the angle free; at a bound the line
// slides at that angle (a return mapping). The bounds are those of a line with the present speed
// (contact_line_law.c).
//
// Edges: the angle may be anything from theta on the near face to theta on the far one (Gibbs). All
// cells beside an edge use one plane through it: that of the face on which the line is, rotated
// into that of the other face while the line crosses the edge. The line stops where its angle to
// the rotated plane is theta. With the plane of the nearest face for each cell, values jump in the
// middle of the edge and drops have spurious velocities of 5 to 20 cm/s.

#include "base/simd.h"

#include "base/status.h"
#include "grid/sample.h"
#include "solvers/free_surface/liquid.h"
#include "wetting/history.h"

#include <string.h>

#define MAX_CURVATURE 0.25                 // 1/cells, k: a radius of four cells
#define MAX_BEND      (MAX_CURVATURE * 2)  // 1/cells, q''
#define CLAMPED       3.7  // cells: phi2 this far from the surface may be clamped, then q'' is 0
#define MAX_COT       0.6  // |c|: rays follow angles of 60 to 120 degrees
#define MAX_SIDEWAYS  2.2  // cells along the wall that a ray may cover: neighbours of its brick
#define SWEEPS        4    // values near a wall that cuts cells depend on those in it

// The cells of a brick in solids to which phi is continued: there are none, or no liquid is near,
// or some is.
typedef enum Walls { NO_WALLS, DRY_WALLS, NEAR_WALLS } Walls;

typedef struct Work {
    const dew_Liquid *liquid;
    const double *phi, *solid, *u[3], *wall_u[3];
    double time_s;
    dew_LiquidBound bound;
    double *memory;  // phi before: what is kept between the bounds
    double *out;
    const uint8_t *walls;  // Walls, per brick
    bool is_last;          // sweep
} Work;

// The samples for cubics where bricks are missing: there phi is bounded, outside. Rays of obtuse
// angles lean away from the liquid and leave the bricks that follow it a few cells from the line.
// False: all are missing.
static bool gather_at_edge(const Work *w, int32_t brick, const int base[3], dew_CubicCell *cell)
{
    const dew_Grid *grid = w->liquid->grid;
    bool is_flat = grid->depth == 1, is_any = false;
    cell->is_flat = is_flat;
    memcpy(cell->base, base, sizeof cell->base);
    for (int k = 0; k < (is_flat ? 1 : 4); k++)
        for (int j = 0; j < 4; j++) {
            int64_t at = DEW_INVALID;
            for (int i = 0; i < 4; i++) {
                int x = base[0] - 1 + i;
                bool is_next = i > 0 && (x & 7) != 0;  // of the same brick as the one before
                at = is_next ? at + (at >= 0)
                             : dew_grid_near(grid, brick, x, base[1] - 1 + j,
                                             is_flat ? 0 : base[2] - 1 + k);
                cell->row[k][j][i] = at < 0 ? DEW_LIQUID_BAND * grid->cell_m : w->phi[at];
                is_any |= at >= 0;
            }
        }
    return is_any;
}

// phi by cubics at p, in samples of the brick.
DEW_BODY bool sample(const Work *w, int32_t brick, dew_Vec3 p, double *value, dew_CubicJet *jet)
{
    double x[3] = {p.x, p.y, w->liquid->grid->depth == 1 ? 0 : p.z};
    int base[3];
    dew_CubicCell cell;
    for (int a = 0; a < 3; a++) {
        base[a] = (int)floor(x[a]);
        if (base[a] < -6 || base[a] > 12)
            return false;
    }
    if (!dew_cubic_gather(w->liquid->grid, w->phi, brick, base, &cell) &&
        !gather_at_edge(w, brick, base, &cell))
        return false;
    if (jet)
        dew_cubic_jet(&cell, x, jet);
    *value = jet ? jet->f : dew_cubic_value(&cell, x);
    return true;
}

// phi of the cell nearest to p; far outside when it is not there.
DEW_BODY double above(const Work *w, int32_t brick, dew_Vec3 p)
{
    int c[3] = {(int)floor(p.x + 0.5), (int)floor(p.y + 0.5), (int)floor(p.z + 0.5)};
    int64_t at = dew_grid_near(w->liquid->grid, brick, c[0], c[1], c[2]);
    return at < 0 ? DEW_LIQUID_BAND * w->liquid->grid->cell_m : w->phi[at];
}

// What phi is above the wall, lengths in cells: at the heights 1 and 2 along its normal, and the
// curvature of the surface across the line.
typedef struct Probe {
    double phi1, phi2;
    double curvature;
    double lean;   // of the ray along which they were taken, to the liquid's side
    double trust;  // 1: phi is a distance all around; 0: it is bounded
} Probe;

// Curvature of the surface, in cells, in the plane of its normal and the wall's: t H t / |g| is
// that of the level through the point, t the tangent in that plane. It is taken two cells above the
// wall, where no continued value weighs much, so that it does not depend on the angle that is to be
// had.
DEW_BODY double curvature_of(const dew_CubicJet *jet, double phi, double h, dew_Vec3 N)
{
    dew_Vec3 g = dew_vec(jet->g[0], jet->g[1], jet->g[2]), n = dew_normalize(g);
    dew_Vec3 t = dew_add_scaled(N, -dew_inner(N, n), n);
    double across = dew_length2(t), slope = dew_length(g);
    if (!(across > DEW_LIQUID_MIN_SLOPE2) || !(slope * slope > DEW_LIQUID_MIN_SLOPE2 * h * h))
        return 0;
    double tHt = jet->xx * t.x * t.x + jet->yy * t.y * t.y + jet->zz * t.z * t.z +
                 2 * (jet->xy * t.x * t.y + jet->xz * t.x * t.z + jet->yz * t.y * t.z);
    double k = tHt / (across * slope);
    k /= fmax(1 - k * phi, 0.5);
    return fmax(-MAX_CURVATURE, fmin(k, MAX_CURVATURE));
}

// A cell in a wall, g below its surface.
typedef struct GhostCell {
    int32_t brick;
    dew_Vec3 x, N;
    double g;
    // A cell above the wall, along its normal: the direction along the wall in which phi grows (0:
    // none is known), and how phi grows along the normal.
    dew_Vec3 T;
    double slope;
    double phi;  // there, in cells
} GhostCell;

// False: too near to the grid's end.
DEW_BODY bool probe_normal(const Work *w, GhostCell *ghost)
{
    dew_CubicJet jet;
    double phi, h = w->liquid->grid->cell_m;
    if (!sample(w, ghost->brick, dew_add_scaled(ghost->x, ghost->g + 1, ghost->N), &phi, &jet))
        return false;
    dew_Vec3 slope = dew_vec(jet.g[0] / h, jet.g[1] / h, jet.g[2] / h);
    ghost->slope = dew_inner(slope, ghost->N);
    ghost->T = dew_add_scaled(slope, -ghost->slope, ghost->N);
    bool is_known =
        dew_length2(ghost->T) > DEW_LIQUID_MIN_SLOPE2 && fabs(phi) < (DEW_LIQUID_BAND - 1) * h;
    ghost->T = is_known ? dew_normalize(ghost->T) : dew_vec(0, 0, 0);
    ghost->phi = phi / h;
    return true;
}

// ---- the line's speed --------------------------------------------------------------------------

// Velocity at p, in cells of the brick, from the faces that are there.
static dew_Vec3 velocity_at(const Work *w, int32_t brick, dew_Vec3 p)
{
    const dew_Grid *grid = w->liquid->grid;
    bool is_flat = grid->depth == 1;
    double v[3] = {0, 0, 0};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        double x[3] = {p.x, p.y, is_flat ? 0 : p.z}, sum = 0;
        int base[3];
        x[a] += 0.5;  // lower faces
        for (int k = 0; k < 3; k++) {
            x[k] = fmax(1 - DEW_BRICK, fmin(x[k], 2 * DEW_BRICK - 2.001));
            base[k] = (int)floor(x[k]);
            x[k] -= base[k];
        }
        for (int n = 0; n < (is_flat ? 4 : 8); n++) {
            double weight = (n & 1 ? x[0] : 1 - x[0]) * (n >> 1 & 1 ? x[1] : 1 - x[1]);
            weight *= is_flat ? 1 : n >> 2 ? x[2] : 1 - x[2];
            int64_t at = dew_grid_near(grid, brick, base[0] + (n & 1), base[1] + (n >> 1 & 1),
                                       base[2] + (n >> 2));
            v[a] += at < 0 ? 0 : weight * w->u[a][at];
            sum += at < 0 ? 0 : weight;
        }
        v[a] /= sum > 0 ? sum : 1;
    }
    return dew_vec(v[0], v[1], v[2]);
}

// Speed of the line before a ghost cell along T, seen from the wall: that of the surface at the
// height DEW_LINE_DISTANCE. Where there is no line 0. All ghost cells of a place on the line read
// it there: nearer to the wall the no-slip condition shows in it, by how far depends on where the
// faces happen to lie.
static double line_speed(const Work *w, const GhostCell *ghost, int64_t at)
{
    double along = dew_length2(ghost->T);
    if (!(along > 0) || !w->u[0])
        return 0;
    double sine = sqrt(fmax(1 - ghost->slope * ghost->slope, DEW_LIQUID_MIN_SINE2));
    dew_Vec3 n = dew_add_scaled(dew_scale(sine, ghost->T), ghost->slope, ghost->N);
    // From a cell above the wall to the surface, then along it to the height.
    dew_Vec3 p = dew_add_scaled(ghost->x, ghost->g + 1, ghost->N);
    p = dew_add_scaled(p, -ghost->phi, n);
    double height = 1 - ghost->phi * ghost->slope;
    dew_Vec3 up = dew_add_scaled(ghost->N, -ghost->slope, n);
    p = dew_add_scaled(p, (DEW_LINE_DISTANCE - height) / (sine * sine), up);
    dew_Vec3 v = velocity_at(w, ghost->brick, p);
    if (w->wall_u[0])
        v = dew_sub(
            v, dew_vec(w->wall_u[0][at], w->wall_u[1][at], w->wall_u[2] ? w->wall_u[2][at] : 0));
    return dew_inner(v, n) / sine;
}

// What is along the ray that leans to the liquid's side as a surface of this cosine does: by the
// cotangent, per cell of height. False: too near to the grid's end.
DEW_BODY bool probe_ray(const Work *w, const GhostCell *ghost, double cosine, Probe *out)
{
    double h = w->liquid->grid->cell_m, g = ghost->g, most = fmin(MAX_COT, MAX_SIDEWAYS / (g + 2));
    dew_CubicJet jet;
    out->lean = fmax(-most, fmin(cosine / sqrt(fmax(1 - cosine * cosine, 1e-6)), most));
    out->lean *= dew_length2(ghost->T);
    dew_Vec3 ray = dew_add_scaled(ghost->N, -out->lean, ghost->T);
    if (!sample(w, ghost->brick, dew_add_scaled(ghost->x, g + 1, ray), &out->phi1, NULL) ||
        !sample(w, ghost->brick, dew_add_scaled(ghost->x, g + 2, ray), &out->phi2, &jet))
        return false;
    out->phi1 /= h;
    out->phi2 /= h;
    out->trust = fmax(0, fmin(CLAMPED - fabs(out->phi2), 1));
    out->curvature = out->trust > 0 ? out->trust * curvature_of(&jet, out->phi2, h, ghost->N) : 0;
    return true;
}

// q(-g) for a surface that meets the wall with this cosine, all lengths in cells. Where phi is no
// distance any more the continuation is a straight line, which cannot reach zero within the depth
// that is filled: a surface made there would come up to the wall, step by step, as a film out of
// nothing.
DEW_BODY double ghost_value(const Probe *above, double cosine, double g)
{
    double slope = 0, bend = 0, b = cosine;
    for (int n = 0; n < 3; n++) {
        double at_wall = above->phi1 - slope - 0.5 * bend;
        b = cosine / fmax(1 + above->curvature * at_wall, 0.5);
        b = fmax(-1, fmin(b, 1));
        slope = b - above->lean * sqrt(1 - b * b);
        bend = 2.0 / 3 * above->trust * (above->phi2 - above->phi1 - slope);  // q''
        bend = fmax(-MAX_BEND, fmin(bend, MAX_BEND));
    }
    return above->phi1 - slope * (1 + g) + 0.5 * bend * (g * g - 1);
}

// phi gone on as it is, for whom nothing is to be remembered: the surface keeps its angle.
static double ghost_value_linear(const Probe *above, double g)
{
    return above->phi1 - fmax(-1, fmin(above->phi2 - above->phi1, 1)) * (1 + g);
}

// What is admissible of the continuations between the receding and the advancing one.
static double choose(const Work *w, int64_t at, double low, double high, double as_it_is)
{
    const dew_LiquidParams *params = &w->liquid->params;
    if (w->bound != DEW_LIQUID_BETWEEN)
        return w->bound == DEW_LIQUID_RECEDING ? low : high;
    if (params->has_ghost_memory)
        as_it_is = w->memory[at] / w->liquid->grid->cell_m;
    else if (params->is_stencil)
        return as_it_is;  // the stencil does not look at phi in solids
    return fmax(low, fmin(as_it_is, high));
}

// ---- edges -------------------------------------------------------------------------------------

DEW_BODY dew_Vec3 vector_of(const float v[3])
{
    return dew_vec((double)v[0], (double)v[1], (double)v[2]);
}

// phi at the edge, as it goes on from above it, and whether it is the second of its faces on which
// the liquid is. False: it is undecided.
DEW_BODY bool probe_edge(const Work *w, const GhostCell *ghost, const dew_LiquidEdge *edge,
                         double *phi, bool *is_second)
{
    double h = w->liquid->grid->cell_m, near, far, above[2];
    dew_Vec3 N[2] = {vector_of(edge->normal[0]), vector_of(edge->normal[1])};
    dew_Vec3 at = dew_add(ghost->x, vector_of(edge->way)), out = dew_normalize(dew_add(N[0], N[1]));
    if (!sample(w, ghost->brick, dew_add_scaled(at, 1, out), &near, NULL) ||
        !sample(w, ghost->brick, dew_add_scaled(at, 2, out), &far, NULL))
        return false;
    for (int k = 0; k < 2; k++) {  // above each face, two cells from the edge
        dew_Vec3 along = dew_normalize(dew_add_scaled(N[1 - k], -dew_inner(N[0], N[1]), N[k]));
        dew_Vec3 p = dew_add_scaled(dew_add(at, N[k]), -2, along);
        if (!sample(w, ghost->brick, p, &above[k], NULL))
            return false;
    }
    *phi = (2 * near - far) / h;
    *is_second = above[1] < above[0];
    return true;
}

// Turns the foot to the plane through the edge.
DEW_BODY void turn_at_edge(const Work *w, const dew_LiquidEdge *edge, GhostCell *ghost)
{
    dew_Vec3 N[2] = {vector_of(edge->normal[0]), vector_of(edge->normal[1])};
    double phi;
    bool is_second;
    if (!(dew_length2(N[0]) > 0) || !probe_edge(w, ghost, edge, &phi, &is_second) ||
        !(fabs(phi) < DEW_LIQUID_SHELLS))
        return;
    double part =
        0.5 + 0.5 * fmax(-1, fmin(phi / DEW_LIQUID_SHELL, 1));  // 1: the line is on the wet face
    ghost->N =
        dew_normalize(dew_add(dew_scale(part, N[is_second]), dew_scale(1 - part, N[!is_second])));
    ghost->g = dew_inner(vector_of(edge->way), ghost->N);
}

// ---- cells -------------------------------------------------------------------------------------

// May samples of other cells' rays read the cell? They lie a cell above the wall or higher, and
// cubics reach two cells along each axis. Those that none reads need no sweeps.
DEW_BODY bool is_read(const GhostCell *ghost)
{
    double reach = 2 * (fabs(ghost->N.x) + fabs(ghost->N.y) + fabs(ghost->N.z));
    return ghost->g < reach - 1 + DEW_LIQUID_ROUND;
}

DEW_BODY void contact_cell(const Work *w, int32_t b, int n, const double *tile)
{
    const dew_Liquid *s = w->liquid;
    const dew_Grid *grid = s->grid;
    const int width = DEW_BRICK + 2;
    double h = grid->cell_m, band = DEW_LIQUID_BAND;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    const double *t = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    dew_Vec3 normal = dew_normalize(
        dew_vec(t[1] - t[-1], t[width] - t[-width], t[width * width] - t[-width * width]));
    GhostCell ghost = {
        .brick = b, .x = dew_vec(n & 7, n >> 3 & 7, n >> 6), .N = normal, .g = -t[0] / h};
    Probe seen;
    int32_t id = ((const int32_t *)dew_grid_field(grid, s->solid_id))[at];
    if (id < 0)
        return;
    const dew_LiquidWetting place = dew_liquid_wetting(s, at, id), *wet = &place;
    if (wet->has_fixed_phi || !(w->is_last || is_read(&ghost)))
        return;
    double beyond = above(w, b, dew_add_scaled(ghost.x, ghost.g + 1, normal)) / h;
    bool is_far = beyond < 0 ? wet->advancing >= 0 : wet->receding <= 0;
    if (is_far && fabs(beyond) > band - 1) {  // and farther still in the solid
        w->out[at] = beyond < 0 ? -band * h : band * h;
        return;
    }
    w->out[at] = band * h;  // dry, where there are no bricks beyond the wall
    turn_at_edge(w, (const dew_LiquidEdge *)dew_grid_field(grid, s->edge) + at, &ghost);
    if (!probe_normal(w, &ghost))
        return;
    bool is_wet = dew_liquid_wetness(s, b, n, w->time_s, wet->dries_after_s) > 0;
    double advancing = is_wet ? wet->wet_advancing : wet->advancing;
    // The bound on receding tension eases the angle that the line is drawn to ([Wang2005] section
    // 8).
    double eased = ghost.slope - wet->max_receding_N_m / s->params.sigma_N_m;
    double receding = fmax(wet->receding, fmin(eased, 1));
    if (wet->law.kind != DEW_ANGLE_STATIC) {
        double speed = line_speed(w, &ghost, at), distance = DEW_LINE_DISTANCE * h;
        if (speed > 0)
            advancing = dew_liquid_moving_cosine(&s->params, &wet->law, advancing, speed, distance);
        else
            receding = dew_liquid_moving_cosine(&s->params, &wet->law, receding, speed, distance);
    }
    if (!probe_ray(w, &ghost, receding, &seen))
        return;
    double low = ghost_value(&seen, receding, ghost.g), high = low;
    double as_it_is = ghost_value_linear(&seen, ghost.g);
    if (advancing != receding && probe_ray(w, &ghost, advancing, &seen))
        high = ghost_value(&seen, advancing, ghost.g);
    double value = choose(w, at, low, high, as_it_is);
    w->out[at] = h * fmax(-band, fmin(value, band));
}

static void dry_cell(const Work *w, int64_t at)
{
    const dew_Liquid *s = w->liquid;
    int32_t id = ((const int32_t *)dew_grid_field(s->grid, s->solid_id))[at];
    if (id >= 0 && !s->params.wetting[id].has_fixed_phi)
        w->out[at] = DEW_LIQUID_BAND * s->grid->cell_m;
}

DEW_BODY dew_Status contact_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double tile[DEW_TILE_SIZE(1)], h = grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        if (w->walls[b] == NO_WALLS)
            continue;
        dew_tile_load_cross(grid, w->solid, (int32_t)b, 1, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            w->out[at] = w->phi[at];
            bool is_wall = w->solid[at] < 0 && w->solid[at] >= -DEW_LIQUID_DEPTH * h;
            if (is_wall && w->walls[b] == DRY_WALLS)
                dry_cell(w, at);
            else if (is_wall)
                contact_cell(w, (int32_t)b, n, tile);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(contact_chunk)

static dew_Status store_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    int64_t cells = w->liquid->grid->brick_cells;
    double *phi = dew_liquid_phi(w->liquid);
    for (int64_t b = begin; b < end; b++)
        if (w->walls[b] != NO_WALLS)
            memcpy(phi + b * cells, w->out + b * cells, (size_t)cells * sizeof *phi);
    return dew_ok();
}

// Which bricks are to be done; only those beside new bricks, if asked for.
//
// At sharp angles the liquid goes on in the wall far ahead of its line, ever deeper (six cells per
// cell at 10 degrees). There it would feed on itself: redistancing tells the air above how far it
// is, and continuing that brings it a cell farther, until all dry walls of the domain had bricks.
// So it ends a brick ahead of the liquid.
typedef struct Search {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    uint8_t *has_liquid;
    uint8_t *walls;
    bool only_fresh;
} Search;

static dew_Status liquid_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Search *s = context;
    int cells = s->liquid->grid->brick_cells;
    for (int64_t b = begin; b < end; b++) {
        bool has_liquid = false;
        for (int64_t at = b * cells; at < (b + 1) * cells; at++)
            has_liquid |= (s->phi[at] < 0) & (s->solid[at] >= 0);
        s->has_liquid[b] = has_liquid;
    }
    return dew_ok();
}

// Is a brick marked, or one of those around it?
static bool is_near(const dew_Grid *grid, const uint8_t *is_marked, int32_t brick)
{
    const int32_t *near = dew_grid_neighbours(grid, brick);
    bool is_near = false;
    for (int n = 0; n < 27; n++)
        is_near |= near[n] >= 0 && near[n] < grid->brick_count && is_marked[near[n]];
    return is_near;
}

static dew_Status walls_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Search *s = context;
    const dew_Grid *grid = s->liquid->grid;
    for (int64_t b = begin; b < end; b++) {
        const double *solid = s->solid + b * grid->brick_cells;
        bool has_walls = false;
        for (int i = 0; i < grid->brick_cells; i++)
            has_walls |= (solid[i] < 0) & (solid[i] >= -DEW_LIQUID_DEPTH * grid->cell_m);
        bool is_due =
            has_walls && (!s->only_fresh || is_near(grid, grid->is_fresh.data, (int32_t)b));
        bool is_wet = is_due && is_near(grid, s->has_liquid, (int32_t)b);
        s->walls[b] = !is_due ? NO_WALLS : is_wet ? NEAR_WALLS : DRY_WALLS;
    }
    return dew_ok();
}

static dew_Status run(dew_Liquid *liquid, Work *work, bool only_fresh, dew_Arena *scratch)
{
    int64_t count = dew_liquid_count(liquid);
    work->liquid = liquid;
    work->phi = dew_liquid_phi(liquid);
    work->solid = dew_liquid_solid(liquid);
    for (int a = 0; a < dew_grid_axes(liquid->grid); a++) {
        work->u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
        work->wall_u[a] =
            liquid->params.has_motion ? dew_grid_f64(liquid->grid, liquid->wall_u[a]) : NULL;
    }
    work->out = dew_arena_raw_array(scratch, double, count);
    work->memory = dew_arena_raw_array(scratch, double, count);
    uint8_t *walls = dew_arena_array(scratch, uint8_t, liquid->grid->brick_count);
    uint8_t *has_liquid = dew_arena_array(scratch, uint8_t, liquid->grid->brick_count);
    if (!work->out || !work->memory || !walls || !has_liquid)
        return dew_no_memory((size_t)count * sizeof(double));
    memcpy(work->memory, work->phi, (size_t)count * sizeof(double));
    Search search = {liquid, work->phi, work->solid, has_liquid, walls, only_fresh};
    DEW_TRY(dew_grid_for(liquid->grid, liquid_chunk, &search));
    DEW_TRY(dew_grid_for(liquid->grid, walls_chunk, &search));
    work->walls = walls;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        work->is_last = sweep == SWEEPS - 1;
        DEW_TRY(dew_grid_for(liquid->grid, contact_chunk, work));
        DEW_TRY(dew_grid_for(liquid->grid, store_chunk, work));
    }
    return dew_ok();
}

static dew_Status run_in(dew_Liquid *liquid, dew_LiquidBound bound, double time_s, bool only_fresh,
                         dew_Arena *scratch)
{
    if (!liquid->params.has_solids)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Work work = {.time_s = time_s, .bound = bound};
    dew_Status status = run(liquid, &work, only_fresh, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}

dew_Status dew_liquid_impose_angle(dew_Liquid *liquid, double time_s, dew_Arena *scratch)
{
    return run_in(liquid, DEW_LIQUID_BETWEEN, time_s, false, scratch);
}

dew_Status dew_liquid_impose_angle_fresh(dew_Liquid *liquid, double time_s, dew_Arena *scratch)
{
    return run_in(liquid, DEW_LIQUID_BETWEEN, time_s, true, scratch);
}

dew_Status dew_liquid_impose_angle_bound(dew_Liquid *liquid, dew_LiquidBound bound, double time_s,
                                         dew_Arena *scratch)
{
    return run_in(liquid, bound, time_s, false, scratch);
}

// ---- Wetting history ----------------------------------------------------------------------------

// Wetting history: when the cells in walls were last under liquid [Wang2005, section 6].
//
// It is kept twice: by cell, for the contact line, and by place on the solids
// (problem/wet_ground.h), so that a path is remembered after the drop and its bricks have left, and
// moves with a solid that moves. A cell counts as wet once the line is well past it (phi below
// minus two and a half cells): the drop's own advancing line still meets a dry wall. Wet maps ask
// for something else, where liquid has been at all; that is a table of its own.

#define WELL_INSIDE 2.5  // cells

typedef struct Place {
    int solid_id;
    dew_Vec3 rest_m;
} Place;

// The place on a solid that a wall's cell speaks for.
static Place place_of(const dew_Problem *problem, const dew_Liquid *liquid,
                      const dew_Instant *instant, int32_t b, int n)
{
    const dew_Grid *grid = liquid->grid;
    dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    dew_SolidPoint p = dew_problem_nearest(problem, instant, x, DEW_LIQUID_FAR * grid->cell_m);
    if (p.solid_id == DEW_INVALID)
        return (Place){DEW_INVALID, x};
    return (Place){p.solid_id, dew_problem_to_rest(problem, instant, p.solid_id, p.point_m)};
}

static dew_Status note_cell(const dew_Problem *problem, dew_Liquid *liquid,
                            const dew_Instant *instant, int32_t b, int n)
{
    int64_t at = (int64_t)b * liquid->grid->brick_cells + n;
    double h = liquid->grid->cell_m, depth = -dew_liquid_solid(liquid)[at] / h;
    double phi = dew_liquid_phi(liquid)[at];
    if (!(depth > 0) || depth > DEW_LIQUID_DEPTH || !(phi < 0))
        return dew_ok();
    bool is_wet = liquid->params.has_history && phi < -WELL_INSIDE * h;
    bool is_touched = liquid->params.has_map && depth <= 1;
    if (is_wet)
        dew_grid_f64(liquid->grid, liquid->wet_time)[at] = instant->time_s;
    is_wet = is_wet && depth <= 1;
    if (!is_wet && !is_touched)
        return dew_ok();
    Place place = place_of(problem, liquid, instant, b, n);
    if (place.solid_id == DEW_INVALID)
        return dew_ok();
    if (is_wet)
        DEW_TRY(
            dew_wet_ground_put(&liquid->wet_ground, place.solid_id, place.rest_m, instant->time_s));
    return is_touched
               ? dew_wet_ground_put(&liquid->touched, place.solid_id, place.rest_m, instant->time_s)
               : dew_ok();
}

dew_Status dew_liquid_record_wetting(const dew_Problem *problem, dew_Liquid *liquid,
                                     const dew_Instant *instant)
{
    if (!liquid->params.has_history && !liquid->params.has_map)
        return dew_ok();
    for (int32_t b = 0; b < liquid->grid->brick_count; b++)
        for (int n = 0; n < liquid->grid->brick_cells; n++)
            DEW_TRY(note_cell(problem, liquid, instant, b, n));
    return dew_ok();
}

double dew_liquid_wet_time(const dew_Problem *problem, const dew_Liquid *liquid,
                           const dew_Instant *instant, const dew_SolidPoint *near)
{
    if (near->solid_id < 0 || near->solid_id >= liquid->params.solid_count)
        return -DEW_LIQUID_NEVER_S;
    dew_Vec3 rest = dew_problem_to_rest(problem, instant, near->solid_id, near->point_m);
    return fmax(dew_wet_ground_near_s(&liquid->wet_ground, near->solid_id, rest),
                -DEW_LIQUID_NEVER_S);
}

double dew_liquid_wetness(const dew_Liquid *liquid, int32_t brick, int cell, double time_s,
                          double dries_after_s)
{
    if (!liquid->params.has_history)
        return 0;
    double wet_s = dew_grid_f64(
        liquid->grid, liquid->wet_time)[(int64_t)brick * liquid->grid->brick_cells + cell];
    return wet_s > -DEW_LIQUID_NEVER_S ? dew_wetness(wet_s, time_s, dries_after_s) : 0;
}

void dew_liquid_wetness_map(const dew_Problem *problem, const dew_Liquid *liquid,
                            const dew_Instant *instant, int solid_id, const dew_Vec3 *rest_m,
                            int64_t count, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        double last_s = dew_wet_ground_near_s(&liquid->touched, solid_id, rest_m[i]);
        out[i] = 0;
        if (last_s == -HUGE_VAL)
            continue;
        dew_MaterialDef material = dew_problem_material(problem, NULL, solid_id, rest_m[i]);
        out[i] = (float)dew_wetness(last_s, instant->time_s, material.dries_after_s);
    }
}
