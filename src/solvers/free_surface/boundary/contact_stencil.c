// `contact: stencil`: curvature beside walls by the paper's virtual surface, cell by cell, and the angle that it is
// built with, [Wang2005] sections 5.3 and 6.
//
// Around a cell within a cell's length of a wall and near the surface phi is read by linear interpolation at
// 3 x 3 x 3 nodes turned to the wall: y out of it, x out of the liquid (virtual_surface.h).
//
// pinning: zero-pressure is the paper's: a line that moves has the advancing or the receding angle, one that
// rests eq. (10), no pressure at all between the two. With pinning: memory the angle is that at which phi, as it is
// remembered in the solid (contact.c), goes through the wall. Eq. (10) can also be had with the ghost extension: then
// curvature is taken of phi continued at both bounds.
#include "base/status.h"
#include "solvers/liquid/liquid.h"
#include "solvers/liquid/virtual_surface.h"
#include "wetting/contact_angle.h"

#include <string.h>

#define PAD        3  // nodes lie within 1.8 cells, and are interpolated
#define WIDTH      (DEW_BRICK + 2 * PAD)
#define SHELL      1.5   // cells, as in tension.c
#define LEAST_SINE 0.05  // a surface that is flatter on the wall has no line to be seen

typedef struct Work {
    dew_Liquid *liquid;
    const double *phi, *solid;
    double time_s;
    double *kappa;
    double *receding, *advancing;  // curvatures of the ghost extension at the bounds
} Work;

typedef struct Tiles {
    double phi[DEW_TILE_SIZE(PAD)], solid[DEW_TILE_SIZE(PAD)];
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
    int at = dew_tile_at(PAD, n & 7, n >> 3 & 7, n >> 6);
    dew_Vec3 liquid = dew_normalize(slope_of(t->phi, at));
    f->y = dew_normalize(slope_of(t->solid, at));
    double cosine = dew_inner(liquid, f->y);
    dew_Vec3 along = dew_add_scaled(liquid, -cosine, f->y);
    if (!(dew_length(along) > LEAST_SINE))
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
        int at = dew_tile_at(PAD, base[0] + (n & 1), base[1] + (n >> 1 & 1), base[2] + (n >> 2));
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

// Angles at which the line may rest on the wall below; the receding one eased by the bound on its tension.
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
    if (wet->is_kept)
        return false;
    int32_t brick = (int32_t)(at / grid->brick_cells);
    int cell = (int)(at % grid->brick_cells);
    bool is_wet = dew_liquid_wetness(s, brick, cell, w->time_s, wet->dries_after_s) > 0;
    out->receding_rad = acos(wet->receding);
    out->advancing_rad = acos(is_wet ? wet->wet_advancing : wet->advancing);
    dew_ContactReturn r =
        dew_contact_return(*out, s->laws.sigma_N_m, wet->max_receding_N_m, f->angle_rad);
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
        if (w->liquid->laws.has_motion)
            v[a] -= dew_grid_f64(grid, w->liquid->wall_u[a])[low];
    }
    return dew_inner(dew_vec(v[0], v[1], v[2]), f->x);
}

// Of the receding and the advancing one, as the line moves; eq. (10) when it does not.
static double by_speed(const Work *w, double speed_m_s, double receding, double advancing)
{
    double still = w->liquid->laws.static_m_s;
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
    if (!s->laws.is_stencil) {
        kappa = is_one ? w->receding[at]
                       : by_speed(w, line_speed(w, b, n, &f), w->receding[at], w->advancing[at]);
    } else {
        dew_VirtualStencil stencil = read_stencil(t, &f, h);
        if (is_one || s->laws.is_remembered)
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
            if (!(fabs(w->solid[at]) < h && fabs(w->phi[at]) < SHELL * h))
                continue;
            if (!is_loaded) {
                dew_tile_load(grid, w->phi, (int32_t)b, PAD, t.phi);
                dew_tile_load(grid, w->solid, (int32_t)b, PAD, t.solid);
            }
            is_loaded = true;
            paper_cell(w, (int32_t)b, n, &t);
        }
    }
    return dew_ok();
}

// ---- eq. (10) with the ghost extension -----------------------------------------------------------

// Curvature of phi continued at a bound; phi is left as it was.
static dew_Status curvature_at_bound(dew_Liquid *liquid, dew_LiquidBound bound, double time_s,
                                     double *kappa, dew_Arena *scratch)
{
    int64_t count = dew_liquid_count(liquid);
    double *phi = dew_liquid_phi(liquid), *before = dew_arena_array(scratch, double, count);
    if (!before)
        return dew_no_memory((size_t)count * sizeof *before);
    memcpy(before, phi, (size_t)count * sizeof *phi);
    dew_Status status = dew_liquid_contact_at(liquid, bound, time_s, scratch);
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
    const dew_LiquidLaws *laws = &liquid->laws;
    if (!laws->has_solids || (!laws->is_stencil && laws->is_remembered))
        return dew_ok();
    Work work = {.liquid = liquid,
                 .phi = dew_liquid_phi(liquid),
                 .solid = dew_liquid_solid(liquid),
                 .time_s = time_s,
                 .kappa = kappa};
    if (laws->is_stencil)
        return dew_grid_for(liquid->grid, paper_chunk, &work);
    dew_ArenaMark mark = dew_arena_mark(scratch);
    dew_Status status = ghost_pressure(&work, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}
