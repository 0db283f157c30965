// Curvature beside walls as [Wang2005] sections 5 and 6 has it: a virtual surface for each cell,
// and the pressure that pins a contact line, eq. (10).
//
// The virtual surface of one stencil, sections 5.1-5.3:
//
// 1. Distances psi to the contact line on the plane y = 0, eq. (8).
// 2. Distances phi_v to the virtual surface, a ray from the line into the wall, at y = 0 and y =
//    -1: eqs. (5), (6).
// 3. Joined: what is sure (nodes beside the surface) is taken, eq. (7), the rest solves |grad| = 1
//    on each side.
// 4. Curvature at the centre, eq. (9).
// differs: eq. (6) is printed with h cos(theta) in the bracket; the distance to the ray has h
// cot(theta). differs: the paper's phi closes at the wall, ours goes on through it. So eq. (8), its
// case of angles above 90 degrees, tells psi at any angle; and what its phi is beside a line of
// less than 90 degrees is psi. differs: fast marching over 27 nodes is replaced by sweeps, which
// find the same values.

#include "base/status.h"
#include "solvers/free_surface/liquid.h"
#include "wetting/contact_angle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const int stride[3] = {1, 3, 9};
#define CENTER (stride[0] + stride[1] + stride[2])

// Along this axis, the lesser |value| of the two neighbours on the same side; DEW_LIQUID_FAR
// without one.
static double upwind(const double *value, int n, int axis, double side)
{
    int place = n / stride[axis] % 3;
    double least = DEW_LIQUID_FAR;
    for (int to = -1; to <= 1; to += 2) {
        if (place + to < 0 || place + to > 2)
            continue;
        double v = side * value[n + to * stride[axis]];
        if (v >= 0)
            least = fmin(least, v);
    }
    return least;
}

// The u that has |grad u| = 1 with these upwind values, by the first-order scheme of fast marching.
static double eikonal(double a, double b, double c)
{
    double low = fmin(a, fmin(b, c)), high = fmax(a, fmax(b, c)), middle = a + b + c - low - high;
    double u = low + 1;
    if (u > middle)
        u = 0.5 * (low + middle + sqrt(fmax(2 - (low - middle) * (low - middle), 0)));
    if (u > high) {
        double sum = low + middle + high, squares = low * low + middle * middle + high * high;
        u = (sum + sqrt(fmax(sum * sum - 3 * (squares - 1), 0))) / 3;
    }
    return u;
}

// Fills what is not sure; the signs of values stay.
static void march(double *value, const bool *is_sure, int count, int axes)
{
    bool has_changed = true;
    for (int sweep = 0; has_changed || sweep % 2; sweep++) {
        has_changed = false;
        for (int i = 0; i < count; i++) {
            int n = sweep % 2 ? count - 1 - i : i;
            double side = value[n] < 0 ? -1 : 1, from[3];
            for (int a = 0; a < 3; a++)
                from[a] = a < axes ? upwind(value, n, a, side) : DEW_LIQUID_FAR;
            double least = eikonal(from[0], from[1], from[2]);
            if (!is_sure[n] && least < fabs(value[n])) {
                value[n] = side * least;
                has_changed = true;
            }
        }
    }
}

// ---- the contact line --------------------------------------------------------------------------

// psi of node n of the plane from the pairs across the line, eq. (8); false: it is in none.
static bool pair_distance(const double *plane, int n, double *psi)
{
    static const int step[2] = {1, 3};
    double least = DEW_LIQUID_FAR, mine = fabs(plane[n]);
    for (int a = 0; a < 2; a++)
        for (int to = -1; to <= 1; to += 2) {
            int place = n / step[a] % 3 + to;
            if (place < 0 || place > 2)
                continue;
            double other = plane[n + to * step[a]];
            if (plane[n] * other <= 0 && mine + fabs(other) > 0)
                least = fmin(least, mine / (mine + fabs(other)));
        }
    *psi = plane[n] < 0 ? -least : least;
    return least < DEW_LIQUID_FAR;
}

void dew_virtual_begin(dew_VirtualStencil *s)
{
    double center = s->liquid[CENTER], plane[9];
    bool is_sure[9];
    for (int n = 0; n < 27; n++)
        s->liquid[n] -= center;
    s->liquid[CENTER - 1] = fmin(s->liquid[CENTER - 1], -DEW_LIQUID_ROUNDING);
    for (int n = 0; n < 9; n++)
        plane[n] = s->liquid[n % 3 + 3 + 9 * (n / 3)];
    for (int n = 0; n < 9; n++)
        is_sure[n] = pair_distance(plane, n, &s->line[n]);
    march(s->line, is_sure, 9, 2);
}

// ---- the joined surface ------------------------------------------------------------------------

// Distance to the virtual surface at y = 0, eq. (5), and at y = -1, eq. (6).
static double virtual_distance(double psi, int depth, double angle)
{
    double along = psi * cos(angle) + depth * sin(angle);  // of the foot on the ray
    if (along > 0)
        return psi * sin(angle) - depth * cos(angle);
    return psi < 0 ? -hypot(psi, depth) : hypot(psi, depth);
}

// What is known of a node of the joined surface: on which side it is (+-1), how far from the
// surface at most, and whether that is its distance.
typedef struct Node {
    double side, bound;
    bool is_sure;
} Node;

static Node join(const dew_VirtualStencil *s, int n, double angle)
{
    int x = n % 3, y = n / 3 % 3, z = n / 9;
    double liquid = s->liquid[n], psi = s->line[x + 3 * z];
    if (y == 2) {
        bool is_beside = fabs(liquid) < 1;
        double bound = liquid >= 0 || is_beside ? fabs(liquid) : DEW_LIQUID_FAR;
        return (Node){liquid < 0 ? -1 : 1, bound, is_beside};
    }
    double ray = virtual_distance(psi, 1 - y, angle);
    if (y == 0)
        return (Node){ray < 0 ? -1 : 1, fabs(ray), fabs(ray) < 1};
    if (psi < 0)
        return (Node){-1, fabs(ray), false};
    // In the air, eq. (7): beside a line of more than 90 degrees the surface bends over the node.
    double above = liquid > s->liquid[n + 3] ? liquid : psi;
    return (Node){1, fmin(fabs(above), fabs(ray)), psi <= 1};
}

static double curvature(const double *p)
{
    const int y = stride[1], z = stride[2];
    double fx = 0.5 * (p[1] - p[-1]), fy = 0.5 * (p[y] - p[-y]), fz = 0.5 * (p[z] - p[-z]);
    double xx = p[1] - 2 * p[0] + p[-1], yy = p[y] - 2 * p[0] + p[-y], zz = p[z] - 2 * p[0] + p[-z];
    double xy = 0.25 * (p[1 + y] - p[1 - y] - p[-1 + y] + p[-1 - y]);
    double xz = 0.25 * (p[1 + z] - p[1 - z] - p[-1 + z] + p[-1 - z]);
    double yz = 0.25 * (p[y + z] - p[y - z] - p[-y + z] + p[-y - z]);
    double sum = fx * fx * (yy + zz) + fy * fy * (xx + zz) + fz * fz * (xx + yy) -
                 2 * (fx * fy * xy + fx * fz * xz + fy * fz * yz);
    double square = fmax(fx * fx + fy * fy + fz * fz, DEW_LIQUID_ROUNDING * DEW_LIQUID_ROUNDING);
    return sum / (square * sqrt(square));
}

double dew_virtual_curvature(const dew_VirtualStencil *s, double angle_rad)
{
    double value[27];
    Node node[27];
    bool is_sure[27];
    for (int n = 0; n < 27; n++) {
        node[n] = join(s, n, angle_rad);
        is_sure[n] = node[n].is_sure;
        value[n] = node[n].side * (is_sure[n] ? node[n].bound : DEW_LIQUID_FAR);
    }
    march(value, is_sure, 27, 3);
    for (int n = 0; n < 27; n++)
        value[n] = node[n].side * fmin(fabs(value[n]), node[n].bound);
    return curvature(value + CENTER);
}

// ---- Curvature of cells beside walls ------------------------------------------------------------

// `contact: stencil`: curvature beside walls by the paper's virtual surface, cell by cell, and the
// angle that it is built with, [Wang2005] sections 5.3 and 6.
//
// Around a cell within a cell's length of a wall and near the surface phi is read by linear
// interpolation at 3 x 3 x 3 nodes turned to the wall: y out of it, x out of the liquid
// (dew_VirtualStencil).
//
// pinning: zero-pressure is the paper's: a line that moves has the advancing or the receding angle,
// one that rests eq. (10), no pressure at all between the two. With pinning: memory the angle is
// that at which phi, as it is remembered in the solid (ghost_contact_angle.c), goes through the
// wall. Eq. (10) can also be had with the ghost extension: then curvature is taken of phi continued
// at both bounds.

#define WIDTH (DEW_BRICK + 2 * DEW_LIQUID_PAD)

typedef struct Work {
    dew_Liquid *liquid;
    const double *phi, *solid;
    double time_s;
    double *kappa;
    double *receding, *advancing;  // curvatures of the ghost extension at the bounds
} Work;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(DEW_LIQUID_PAD)], solid[DEW_TILE_SIZE(DEW_LIQUID_PAD)];
} Tiles;

// The stencil's place.
typedef struct Frame {
    dew_Vec3 at;       // in cells of the brick
    dew_Vec3 x, y, z;  // unit vectors
    double angle_rad;  // at which the surface is now
} Frame;

static dew_Vec3 slope_of(const double *tile, int at)
{
    return dew_vec(tile[at + 1] - tile[at - 1], tile[at + WIDTH] - tile[at - WIDTH],
                   tile[at + WIDTH * WIDTH] - tile[at - WIDTH * WIDTH]);
}

static bool make_frame(const Tiles *t, int n, Frame *f)
{
    int at = dew_tile_at(DEW_LIQUID_PAD, n & 7, n >> 3 & 7, n >> 6);
    dew_Vec3 liquid = dew_normalize(slope_of(t->phi, at));
    f->y = dew_normalize(slope_of(t->solid, at));
    double cosine = dew_inner(liquid, f->y);
    dew_Vec3 along = dew_add_scaled(liquid, -cosine, f->y);
    if (!(dew_length2(along) > DEW_LIQUID_MIN_SLOPE2))
        return false;
    f->at = dew_vec(n & 7, n >> 3 & 7, n >> 6);
    f->x = dew_normalize(along);
    f->z = dew_cross(f->x, f->y);
    f->angle_rad = acos(fmax(-1, fmin(cosine, 1)));
    return true;
}

// Linear interpolation in a tile; in two dimensions all its layers are alike.
static double value_at(const double *tile, dew_Vec3 p)
{
    double x[3] = {p.x, p.y, p.z}, sum = 0;
    int base[3];
    for (int a = 0; a < 3; a++) {
        base[a] = (int)floor(x[a]);
        x[a] -= base[a];
    }
    for (int n = 0; n < 8; n++) {
        int at = dew_tile_at(DEW_LIQUID_PAD, base[0] + (n & 1), base[1] + (n >> 1 & 1),
                             base[2] + (n >> 2));
        sum += (n & 1 ? x[0] : 1 - x[0]) * (n >> 1 & 1 ? x[1] : 1 - x[1]) *
               (n >> 2 ? x[2] : 1 - x[2]) * tile[at];
    }
    return sum;
}

static dew_VirtualStencil read_stencil(const Tiles *t, const Frame *f, double h)
{
    dew_VirtualStencil s;
    for (int n = 0; n < 27; n++) {
        int x = n % 3 - 1, y = n / 3 % 3 - 1, z = n / 9 - 1;
        dew_Vec3 p = dew_add_scaled(dew_add_scaled(f->at, x, f->x), y, f->y);
        p = dew_add_scaled(p, z, f->z);
        s.liquid[n] = value_at(t->phi, p) / h;
    }
    dew_virtual_begin(&s);
    return s;
}

// ---- which angle -------------------------------------------------------------------------------

// Angles at which the line may rest on the wall below; the receding one eased by the bound on its
// tension.
static bool angles_below(const Work *w, int32_t b, const Tiles *t, const Frame *f,
                         dew_AngleInterval *out)
{
    const dew_Liquid *s = w->liquid;
    const dew_Grid *grid = s->grid;
    double down = value_at(t->solid, f->at) / grid->cell_m + 0.5;
    dew_Vec3 p = dew_add_scaled(f->at, -down, f->y);
    int64_t at = dew_grid_near(grid, b, (int)floor(p.x + 0.5), (int)floor(p.y + 0.5),
                               grid->depth == 1 ? 0 : (int)floor(p.z + 0.5));
    int32_t id = at < 0 ? DEW_INVALID : ((const int32_t *)dew_grid_field(grid, s->solid_id))[at];
    if (id < 0)
        return false;
    const dew_LiquidWetting place = dew_liquid_wetting(s, at, id), *wet = &place;
    if (wet->has_fixed_phi)
        return false;
    int32_t brick = (int32_t)(at / grid->brick_cells);
    int cell = (int)(at % grid->brick_cells);
    bool is_wet = dew_liquid_wetness(s, brick, cell, w->time_s, wet->dries_after_s) > 0;
    out->receding_rad = acos(wet->receding);
    out->advancing_rad = acos(is_wet ? wet->wet_advancing : wet->advancing);
    dew_ContactReturn r =
        dew_contact_return(*out, s->params.sigma_N_m, wet->max_receding_N_m, f->angle_rad);
    if (r.state == DEW_LINE_RECEDING)
        out->receding_rad = r.target_rad;
    return true;
}

// Velocity of the line out of the liquid over the wall, from the faces of the cell.
static double line_speed(const Work *w, int32_t b, int n, const Frame *f)
{
    const dew_Grid *grid = w->liquid->grid;
    double v[3] = {0, 0, 0};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        const double *u = dew_grid_f64(grid, w->liquid->u[a]);
        int c[3] = {n & 7, n >> 3 & 7, n >> 6};
        int64_t low = dew_grid_near(grid, b, c[0], c[1], c[2]), up;
        c[a]++;
        up = dew_grid_near(grid, b, c[0], c[1], c[2]);
        v[a] = up < 0 ? u[low] : 0.5 * (u[low] + u[up]);
        if (w->liquid->params.has_motion)
            v[a] -= dew_grid_f64(grid, w->liquid->wall_u[a])[low];
    }
    return dew_inner(dew_vec(v[0], v[1], v[2]), f->x);
}

// Of the receding and the advancing one, as the line moves; eq. (10) when it does not.
static double by_speed(const Work *w, double speed_m_s, double receding, double advancing)
{
    double still = w->liquid->params.static_m_s;
    if (fabs(speed_m_s) > still)
        return speed_m_s > 0 ? advancing : receding;
    return dew_contact_static_pressure(receding, advancing);
}

// Curvature with the angle at which phi goes through the wall, as far as it is admissible.
static double curvature_by_memory(const Tiles *t, const dew_VirtualStencil *s, const Frame *f,
                                  dew_AngleInterval angles, double h)
{
    double above = value_at(t->phi, dew_add_scaled(f->at, 1, f->y));
    double below = value_at(t->phi, dew_add_scaled(f->at, -1, f->y));
    double angle = acos(fmax(-1, fmin(0.5 * (above - below) / h, 1)));
    angle = fmax(angles.receding_rad, fmin(angle, angles.advancing_rad));
    return dew_virtual_curvature(s, angle);
}

// Into kappa, for a cell beside a wall and near the surface.
static void paper_cell(const Work *w, int32_t b, int n, const Tiles *t)
{
    const dew_Liquid *s = w->liquid;
    int64_t at = (int64_t)b * s->grid->brick_cells + n;
    double h = s->grid->cell_m, limit = (s->grid->dimensions - 1) / h, kappa;
    Frame f;
    dew_AngleInterval angles;
    if (!make_frame(t, n, &f) || !angles_below(w, b, t, &f, &angles))
        return;
    bool is_one = angles.receding_rad == angles.advancing_rad;
    if (!s->params.is_stencil) {
        kappa = is_one ? w->receding[at]
                       : by_speed(w, line_speed(w, b, n, &f), w->receding[at], w->advancing[at]);
    } else {
        dew_VirtualStencil stencil = read_stencil(t, &f, h);
        if (is_one || s->params.has_ghost_memory)
            kappa = curvature_by_memory(t, &stencil, &f, angles, h) / h;
        else
            kappa = by_speed(w, line_speed(w, b, n, &f),
                             dew_virtual_curvature(&stencil, angles.receding_rad) / h,
                             dew_virtual_curvature(&stencil, angles.advancing_rad) / h);
    }
    w->kappa[at] = fmax(-limit, fmin(kappa, limit));
}

static dew_Status paper_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double h = grid->cell_m;
    Tiles t;
    for (int64_t b = begin; b < end; b++) {
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            if (!(fabs(w->solid[at]) < h && fabs(w->phi[at]) < DEW_LIQUID_SHELL * h))
                continue;
            if (!is_loaded) {
                dew_tile_load(grid, w->phi, (int32_t)b, DEW_LIQUID_PAD, t.phi);
                dew_tile_load(grid, w->solid, (int32_t)b, DEW_LIQUID_PAD, t.solid);
            }
            is_loaded = true;
            paper_cell(w, (int32_t)b, n, &t);
        }
    }
    return dew_ok();
}

// ---- eq. (10) with the ghost extension ----------------------------------------------------------

// Curvature of phi continued at a bound; phi is left as it was.
static dew_Status curvature_at_bound(dew_Liquid *liquid, dew_LiquidBound bound, double time_s,
                                     double *kappa, dew_Arena *scratch)
{
    int64_t count = dew_liquid_count(liquid);
    double *phi = dew_liquid_phi(liquid), *before = dew_arena_array(scratch, double, count);
    if (!before)
        return dew_no_memory((size_t)count * sizeof *before);
    memcpy(before, phi, (size_t)count * sizeof *phi);
    dew_Status status = dew_liquid_impose_angle_bound(liquid, bound, time_s, scratch);
    if (status.code == DEW_OK)
        status = dew_levelset_curvature(liquid->grid, phi, DEW_LIQUID_BAND * liquid->grid->cell_m,
                                        kappa);
    memcpy(phi, before, (size_t)count * sizeof *phi);
    return status;
}

static dew_Status ghost_pressure(const Work *work, dew_Arena *scratch)
{
    Work w = *work;
    int64_t count = dew_liquid_count(w.liquid);
    w.receding = dew_arena_array(scratch, double, count);
    w.advancing = dew_arena_array(scratch, double, count);
    if (!w.receding || !w.advancing)
        return dew_no_memory((size_t)count * 2 * sizeof(double));
    DEW_TRY(curvature_at_bound(w.liquid, DEW_LIQUID_RECEDING, w.time_s, w.receding, scratch));
    DEW_TRY(curvature_at_bound(w.liquid, DEW_LIQUID_ADVANCING, w.time_s, w.advancing, scratch));
    return dew_grid_for(w.liquid->grid, paper_chunk, &w);
}

dew_Status dew_liquid_paper_curvature(dew_Liquid *liquid, double time_s, double *kappa,
                                      dew_Arena *scratch)
{
    const dew_LiquidParams *params = &liquid->params;
    if (!params->has_solids || (!params->is_stencil && params->has_ghost_memory))
        return dew_ok();
    Work work = {.liquid = liquid,
                 .phi = dew_liquid_phi(liquid),
                 .solid = dew_liquid_solid(liquid),
                 .time_s = time_s,
                 .kappa = kappa};
    if (params->is_stencil)
        return dew_grid_for(liquid->grid, paper_chunk, &work);
    dew_ArenaMark mark = dew_arena_mark(scratch);
    dew_Status status = ghost_pressure(&work, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}
