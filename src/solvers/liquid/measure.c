// Integrals over the liquid, the free surface and the contact line, from phi itself.
//
// The contact angle is that of the surface above the layer in which values of the solid weigh: on a ball the cosine of its
// normal with the wall's is linear in the height, so it is taken where the surface passes 1.5 and 3 cells above
// the wall and continued down to it by a line. Nearer the wall a line that is pinned is bent by what pins it, by three
// degrees. Where the liquid is thinner the slope of phi along the wall's normal, by the parabola through its values at the
// heights h/2, 3 h/2 and 5 h/2, is the cosine. Weights are the wall's area in each cell beside it times a bump of one
// cell's width around phi = 0 at the wall.
#include "base/status.h"
#include "base/sum.h"
#include "grid/cubic.h"
#include "solvers/liquid/liquid.h"

#include <string.h>

#define STEEPEST 1.2  // slope of phi beyond which it is no distance
#define LOW      1.5  // cells over a wall: where the surface's angle is taken
#define HIGH     3.0
#define SOUGHT   5     // steps along a wall to the surface
#define FOUND    0.02  // cells from it
#define LEVEL    0.99  // cosine of a normal that counts as upright

enum { VOLUME, AREA, KINETIC, X, Y, Z, VX, VY, VZ, WET, LINE, ANGLE, SUM_COUNT };

typedef struct Work {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    const int32_t *drop;  // cells of none hold no liquid, whatever the plane through them says
    const double *u[3];
    const double *share, *area;
    double *sums;                      // SUM_COUNT per brick
    double *top, *speed, *low, *high;  // per brick
} Work;

// ---- cells -------------------------------------------------------------------------------------

static double face_above(const Work *w, int32_t b, int n, int axis)
{
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    c[axis]++;
    int64_t at = dew_grid_near(w->liquid->grid, b, c[0], c[1], c[2]);
    return at < 0 ? w->u[axis][(int64_t)b * w->liquid->grid->brick_cells + n] : w->u[axis][at];
}

static dew_Vec3 velocity_of(const Work *w, int32_t b, int n)
{
    int64_t at = (int64_t)b * w->liquid->grid->brick_cells + n;
    double v[3] = {0, 0, 0};
    for (int a = 0; a < dew_grid_axes(w->liquid->grid); a++)
        v[a] = 0.5 * (w->u[a][at] + face_above(w, b, n, a));
    return dew_vec(v[0], v[1], v[2]);
}

static void add_cell(const Work *w, int32_t b, int n, double *sum)
{
    int64_t at = (int64_t)b * w->liquid->grid->brick_cells + n;
    double volume = dew_liquid_cell_m3(w->liquid) * w->share[at];
    dew_Vec3 x = dew_grid_position(w->liquid->grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    dew_Vec3 v = velocity_of(w, b, n);
    sum[VOLUME] += volume;
    sum[AREA] += w->area[at];
    sum[KINETIC] += 0.5 * volume * dew_length2(v);
    sum[X] += volume * x.x;
    sum[Y] += volume * x.y;
    sum[Z] += volume * x.z;
    sum[VX] += volume * v.x;
    sum[VY] += volume * v.y;
    sum[VZ] += volume * v.z;
    double speed = dew_length(v);  // NaN must be seen
    if (w->phi[at] < 0)
        w->speed[b] = speed <= w->speed[b] ? w->speed[b] : speed;
}

// Height of the surface near a cell that it cuts: of the closest point, and where it is nearly level there
// of the top of the ball that fits.
static void note_top(const Work *w, int32_t b, int n, const double *tile)
{
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    if (!(w->area[at] > 0) || (w->solid && w->solid[at] < 0))
        return;
    const double *p = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    double g[3] = {p[1] - p[-1], p[y] - p[-y], p[z] - p[-z]};
    double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    double height = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL).y;
    if (!(length > 0))
        return;
    double level = g[1] / length, h = grid->cell_m;
    height -= p[0] * level;
    double bend = (p[1] + p[-1] + p[y] + p[-y] + p[z] + p[-z] - 6 * p[0]) / (h * h);
    if (level > LEVEL && bend * h > 1e-3)
        height += (1 - level) * ((grid->dimensions - 1) / bend - p[0]);
    w->top[b] = fmax(w->top[b], height);
}

// ---- the contact line --------------------------------------------------------------------------

// phi in cells and its slope, by cubics at p, in samples of the brick.
static bool sample(const dew_Liquid *liquid, int32_t brick, dew_Vec3 p, double *value,
                   dew_Vec3 *slope)
{
    const dew_Grid *grid = liquid->grid;
    double x[3] = {p.x, p.y, grid->depth == 1 ? 0 : p.z};
    int base[3] = {(int)floor(x[0]), (int)floor(x[1]), (int)floor(x[2])};
    dew_CubicCell cell;
    dew_CubicJet jet;
    for (int a = 0; a < 3; a++)
        if (base[a] < -6 || base[a] > 12)
            return false;
    if (!dew_cubic_gather(grid, dew_liquid_phi(liquid), brick, base, &cell))
        return false;
    dew_cubic_jet(&cell, x, &jet);
    *value = jet.f / grid->cell_m;
    *slope = dew_scale(1 / grid->cell_m, dew_vec(jet.g[0], jet.g[1], jet.g[2]));
    return true;
}

// Cosine of the surface's normal with N where the surface passes beside p, at the same height. False: it does not.
static bool cosine_beside(const dew_Liquid *liquid, int32_t brick, dew_Vec3 p, dew_Vec3 N,
                          double *cosine)
{
    for (int n = 0; n < SOUGHT; n++) {
        double phi;
        dew_Vec3 slope;
        if (!sample(liquid, brick, p, &phi, &slope))
            return false;
        *cosine = dew_inner(slope, N) / dew_length(slope);
        if (fabs(phi) < FOUND)
            return true;
        dew_Vec3 along = dew_add_scaled(slope, -dew_inner(slope, N), N);
        if (!(dew_length2(along) > 0.01))
            return false;
        p = dew_add_scaled(p, -phi / dew_length2(along), along);
    }
    return false;
}

bool dew_liquid_angle(const dew_Liquid *liquid, int32_t brick, dew_Vec3 wall, dew_Vec3 N,
                      double *at_wall, double *angle_rad)
{
    double phi[3], low, high;
    dew_Vec3 slope;
    for (int i = 0; i < 3; i++)
        if (!sample(liquid, brick, dew_add_scaled(wall, 0.5 + i, N), &phi[i], &slope))
            return false;
    *at_wall = (15 * phi[0] - 10 * phi[1] + 3 * phi[2]) / 8;
    *angle_rad = (double)NAN;
    if (!(fabs(*at_wall) < 1))
        return true;
    double cosine = -2 * phi[0] + 3 * phi[1] - phi[2];
    if (cosine_beside(liquid, brick, dew_add_scaled(wall, LOW, N), N, &low) &&
        cosine_beside(liquid, brick, dew_add_scaled(wall, HIGH, N), N, &high))
        cosine = low - LOW * (high - low) / (HIGH - LOW);
    if (fabs(cosine) < STEEPEST)
        *angle_rad = acos(fmax(-1, fmin(cosine, 1)));
    return true;
}

// One cell beside a wall: what of it is wet, and the angle where the line passes.
static void add_wall(const Work *w, int32_t b, int n, const double *solid_tile, double *sum)
{
    const dew_Grid *grid = w->liquid->grid;
    const int y = DEW_BRICK + 2, z = y * y;
    double h = grid->cell_m, at_wall, angle;
    const double *t = solid_tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    double d = t[0] / h;
    dew_Vec3 N = dew_normalize(dew_vec(t[1] - t[-1], t[y] - t[-y], t[z] - t[-z]));
    // Each cell speaks for the wall below it: the layer of cells nearest to it counts once.
    double along = fabs(N.x) + fabs(N.y) + fabs(N.z);
    double largest = fmax(fabs(N.x), fmax(fabs(N.y), fabs(N.z)));
    int32_t id = ((const int32_t *)dew_grid_field(
        grid, w->liquid->solid_id))[(int64_t)b * grid->brick_cells + n];
    if (!(d > 0 && d <= largest) || along <= 0 || id >= w->liquid->laws.solid_count)
        return;  // nozzles are no walls
    double wall_m2 = h * h / largest;
    dew_Vec3 x = dew_vec(n & 7, n >> 3 & 7, n >> 6);
    if (!dew_liquid_angle(w->liquid, b, dew_add_scaled(x, -d, N), N, &at_wall, &angle))
        return;
    sum[WET] += wall_m2 * fmax(0, fmin(0.5 - at_wall, 1));
    if (isnan(angle))
        return;
    double weight = wall_m2 * (1 + cos(DEW_PI * at_wall)) * sin(angle);
    sum[LINE] += weight;
    sum[ANGLE] += weight * angle;
    if (fabs(at_wall) < 0.5) {
        w->low[b] = fmin(w->low[b], angle);
        w->high[b] = fmax(w->high[b], angle);
    }
}

// ---- sums --------------------------------------------------------------------------------------

static dew_Status measure_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double phi[DEW_TILE_SIZE(1)], solid[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        double *sum = w->sums + SUM_COUNT * b;
        bool has_walls = false;
        w->top[b] = w->high[b] = -HUGE_VAL;
        w->low[b] = HUGE_VAL;
        dew_tile_load_cross(grid, w->phi, (int32_t)b, 1, phi);
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            if (w->drop[at] >= 0 && (w->share[at] > 0 || w->area[at] > 0))
                add_cell(w, (int32_t)b, n, sum);
            note_top(w, (int32_t)b, n, phi);
            has_walls |= w->solid && w->solid[at] > 0 && w->solid[at] < grid->cell_m;
        }
        if (!has_walls)
            continue;
        dew_tile_load_cross(grid, w->solid, (int32_t)b, 1, solid);
        for (int n = 0; n < grid->brick_cells; n++)
            if (w->phi[b * grid->brick_cells + n] < 2 * grid->cell_m)
                add_wall(w, (int32_t)b, n, solid, sum);
    }
    return dew_ok();
}

static double total(const Work *w, int which)
{
    dew_ExactSum sum;
    dew_exact_init(&sum);
    for (int32_t b = 0; b < w->liquid->grid->brick_count; b++)
        dew_exact_add(&sum, w->sums[SUM_COUNT * b + which]);
    return dew_exact_round(&sum);
}

// Motes count as the balls that they are.
static void add_motes(const dew_Liquid *liquid, const dew_Moment *moment, dew_Measure *out)
{
    double rho = liquid->laws.rho_kg_m3;
    for (int64_t i = 0; i < liquid->motes.count; i++) {
        const dew_LiquidMote *mote = &DEW_ITEMS(&liquid->motes, dew_LiquidMote)[i];
        double volume = mote->volume_m3, share = volume / (out->volume_m3 + volume);
        double speed = dew_length(mote->velocity_m_s);
        out->volume_m3 += volume;
        out->center_m = dew_combine(1 - share, out->center_m, share, mote->position_m);
        out->velocity_m_s = dew_combine(1 - share, out->velocity_m_s, share, mote->velocity_m_s);
        out->kinetic_J += 0.5 * rho * volume * speed * speed;
        out->gravity_J -= rho * volume * dew_inner(moment->gravity_m_s2, mote->position_m);
        out->max_speed_m_s = speed <= out->max_speed_m_s ? out->max_speed_m_s : speed;
    }
    out->drops += liquid->motes.count;
}

static void fill(const Work *w, const dew_Moment *moment, dew_Measure *out)
{
    const dew_LiquidLaws *laws = &w->liquid->laws;
    double low = HUGE_VAL, high = -HUGE_VAL, top = -HUGE_VAL;
    out->volume_m3 = total(w, VOLUME);
    out->area_m2 = total(w, AREA);
    out->kinetic_J = laws->rho_kg_m3 * total(w, KINETIC);
    out->surface_J = laws->sigma_N_m * out->area_m2;
    out->contact_area_m2 = total(w, WET);
    dew_Vec3 place = dew_vec(total(w, X), total(w, Y), total(w, Z));
    out->gravity_J = -laws->rho_kg_m3 * dew_inner(moment->gravity_m_s2, place);
    if (out->volume_m3 > 0) {
        double share = 1 / out->volume_m3;
        out->center_m = dew_scale(share, place);
        out->velocity_m_s = dew_scale(share, dew_vec(total(w, VX), total(w, VY), total(w, VZ)));
    }
    for (int32_t b = 0; b < w->liquid->grid->brick_count; b++) {
        top = fmax(top, w->top[b]);
        low = fmin(low, w->low[b]);
        high = fmax(high, w->high[b]);
        double speed = w->speed[b];
        out->max_speed_m_s = speed <= out->max_speed_m_s ? out->max_speed_m_s : speed;
    }
    if (isfinite(top))
        out->top_m = top;
    double line = total(w, LINE);
    if (line > 0 && low <= high) {
        out->contact_angle_rad = total(w, ANGLE) / line;
        out->contact_angle_min_rad = low;
        out->contact_angle_max_rad = high;
    }
}

// Memory of a measure, all in one: shares, areas, sums and extremes by brick.
static double *take_memory(const dew_Liquid *liquid)
{
    int64_t values = 2 * dew_liquid_count(liquid) + (SUM_COUNT + 4) * liquid->grid->brick_count;
    return dew_arena_array(&liquid->tools->scratch, double, values);
}

dew_Status dew_liquid_reserve(const dew_Liquid *liquid)
{
    dew_arena_clear(&liquid->tools->scratch);
    double *memory = take_memory(liquid);
    dew_arena_clear(&liquid->tools->scratch);
    return memory ? dew_ok() : dew_no_memory((size_t)dew_liquid_count(liquid) * 2 * sizeof *memory);
}

static dew_Status measure(const dew_Liquid *liquid, const dew_Moment *moment, double *memory,
                          dew_Measure *out)
{
    int64_t count = dew_liquid_count(liquid), bricks = liquid->grid->brick_count;
    double *share = memory, *area = memory + count;
    Work w = {.liquid = liquid,
              .phi = dew_liquid_phi(liquid),
              .solid = dew_liquid_solid(liquid),
              .drop = dew_grid_field(liquid->grid, liquid->drop),
              .share = share,
              .area = area,
              .sums = area + count};
    for (int a = 0; a < liquid->grid->dimensions; a++)
        w.u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    w.top = w.sums + SUM_COUNT * bricks;
    w.speed = w.top + bricks;
    w.low = w.speed + bricks;
    w.high = w.low + bricks;
    DEW_TRY(dew_liquid_shares(liquid, share, area));
    DEW_TRY(dew_grid_for(liquid->grid, measure_chunk, &w));
    fill(&w, moment, out);
    add_motes(liquid, moment, out);
    return dew_ok();
}

void dew_liquid_measure(const dew_Problem *problem, const dew_Liquid *liquid,
                        const dew_Moment *moment, dew_Measure *out)
{
    (void)problem;
    const double none = (double)NAN;
    *out = (dew_Measure){.top_m = none,
                         .contact_angle_rad = none,
                         .contact_angle_min_rad = none,
                         .contact_angle_max_rad = none,
                         .drops = liquid->drops.count,
                         .elements = dew_liquid_count(liquid)};
    double *memory = take_memory(liquid);  // reserved by what came before
    if (!memory || measure(liquid, moment, memory, out).code != DEW_OK)
        out->max_speed_m_s = none;  // World does not take the step
    dew_arena_clear(&liquid->tools->scratch);
}
