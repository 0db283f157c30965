// Contact angles: phi continued into solids, [Wang2005] sections 5 and 6 done for the whole field.
//
// Along the wall's normal phi is continued by the parabola q(s) through its values at the heights h and 2 h
// whose slope at the wall is that of a surface which meets it at the angle theta; curvature, computed as
// anywhere else, then pulls the line until the surface does meet it so. With b = q'(0):
//     q(-g) = phi1 - d/3 - (2/3) b h - b g + (d - b h) g^2 / (3 h^2),   d = phi(2 h) - phi(h),
// which falls with b. The levels of a distance are parallel surfaces: that at phi, of a surface of curvature
// k across the line, meets the wall with the cosine cos(theta) / (1 + k phi).
//
// differs: the paper rebuilds a stencil for each cell beside the line and takes one angle. Here the field in
// the solid is what is remembered: it is kept between the continuations at the receding and at the advancing
// angle and otherwise left alone. Inside these bounds the line is pinned and the angle free; at a bound
// the line slides at just that angle (a return mapping).
#include "base/status.h"
#include "grid/cubic.h"
#include "solvers/volume/state.h"

#include <string.h>

#define LEAST_SINE2 0.1   // below, the curvature across the line is not taken from q''
#define MOST_CURVED 0.25  // 1/cells
#define MOST_BENT   0.5   // 1/cells
#define SWEEPS      4     // values near a wall that cuts cells hang on those in it

typedef struct Work {
    const dew_SolverState *state;
    const double *phi, *solid;
    double time_s;
    dew_VolumeBound bound;
    double *memory;  // phi before: what is kept between the bounds
    double *out;
    const uint8_t *has_walls;  // per brick
} Work;

// phi by cubics at p, in samples of the brick.
static bool sample(const Work *w, int32_t brick, dew_Vec3 p, double *value)
{
    double x[3] = {p.x, p.y, w->state->grid->depth == 1 ? 0 : p.z};
    int base[3];
    dew_CubicCell cell;
    for (int a = 0; a < 3; a++) {
        base[a] = (int)floor(x[a]);
        if (base[a] < -6 || base[a] > 12)
            return false;
    }
    if (!dew_cubic_gather(w->state->grid, w->phi, brick, base, &cell))
        return false;
    *value = dew_cubic_value(&cell, x);
    return true;
}

// phi of the cell nearest to p; far outside when it is not there.
static double above(const Work *w, int32_t brick, dew_Vec3 p)
{
    int c[3] = {(int)floor(p.x + 0.5), (int)floor(p.y + 0.5), (int)floor(p.z + 0.5)};
    int64_t at = dew_grid_near(w->state->grid, brick, c[0], c[1], c[2]);
    return at < 0 ? DEW_VOLUME_BAND * w->state->grid->cell_m : w->phi[at];
}

// q(-g) for a surface that meets the wall with this cosine, all lengths in cells. Where phi is no distance any
// more the continuation is a straight line, which cannot reach zero within the depth that is filled: a surface
// made there would come up to the wall, step by step, as a film out of nothing.
static double continued(double phi1, double phi2, double cosine, double g)
{
    double bend = 2.0 / 3 * (phi2 - phi1 - cosine);  // q''
    bool is_bounded = fabs(phi1) > DEW_VOLUME_BAND - 1.5 || fabs(phi2) > DEW_VOLUME_BAND - 0.5;
    bend = is_bounded ? 0 : fmax(-MOST_BENT, fmin(bend, MOST_BENT));
    double at_wall = phi1 - cosine - 0.5 * bend;
    double k = bend / fmax(1 - cosine * cosine, LEAST_SINE2);
    k = fmax(-MOST_CURVED, fmin(k, MOST_CURVED));
    double b = cosine / fmax(1 + k * at_wall, 0.5);
    b = fmax(-1, fmin(b, 1));
    if (!is_bounded)
        bend = fmax(-MOST_BENT, fmin(2.0 / 3 * (phi2 - phi1 - b), MOST_BENT));
    return phi1 - b * (1 + g) + 0.5 * bend * (g * g - 1);
}

// phi gone on as it is, for whom nothing is to be remembered: the surface keeps its angle.
static double straight(double phi1, double phi2, double g)
{
    return phi1 - fmax(-1, fmin(phi2 - phi1, 1)) * (1 + g);
}

// What is admissible of the continuations between the receding and the advancing one.
static double choose(const Work *w, int64_t at, double low, double high, double as_it_is)
{
    const dew_VolumeLaws *laws = &w->state->laws;
    if (w->bound != DEW_VOLUME_BETWEEN)
        return w->bound == DEW_VOLUME_RECEDING ? low : high;
    if (laws->is_remembered)
        as_it_is = w->memory[at] / w->state->grid->cell_m;
    else if (laws->is_stencil)
        return as_it_is;  // the stencil does not look at phi in solids
    return fmax(low, fmin(as_it_is, high));
}

static void contact_cell(const Work *w, int32_t b, int n, const double *tile)
{
    const dew_SolverState *s = w->state;
    const dew_Grid *grid = s->grid;
    const int width = DEW_BRICK + 2;
    double h = grid->cell_m, band = DEW_VOLUME_BAND;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    const double *t = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
    dew_Vec3 normal = dew_normalize(
        dew_vec(t[1] - t[-1], t[width] - t[-width], t[width * width] - t[-width * width]));
    double g = -t[0] / h, phi1, phi2;
    dew_Vec3 x = dew_vec(n & 7, n >> 3 & 7, n >> 6);
    int32_t id = ((const int32_t *)dew_grid_field(grid, s->solid_id))[at];
    if (id < 0)
        return;
    const dew_VolumeWetting place = dew_volume_wetting(s, at, id), *wet = &place;
    if (wet->is_kept)
        return;
    double beyond = above(w, b, dew_add_scaled(x, g + 1, normal)) / h;
    bool is_far = beyond < 0 ? wet->advancing >= 0 : wet->receding <= 0;
    if (is_far && fabs(beyond) > band - 1) {  // and farther still in the solid
        w->out[at] = beyond < 0 ? -band * h : band * h;
        return;
    }
    w->out[at] = band * h;  // dry, where there are no bricks beyond the wall
    if (!sample(w, b, dew_add_scaled(x, g + 1, normal), &phi1) ||
        !sample(w, b, dew_add_scaled(x, g + 2, normal), &phi2))
        return;
    phi1 /= h;
    phi2 /= h;
    // The bound on receding tension eases the angle that the line is drawn to ([Wang2005] section 8).
    double eased = phi2 - phi1 - wet->max_receding_N_m / s->laws.sigma_N_m;
    double low = continued(phi1, phi2, fmax(wet->receding, fmin(eased, 1)), g);
    bool is_wet = dew_volume_wetness(s, b, n, w->time_s, wet->dries_after_s) > 0;
    double high = continued(phi1, phi2, is_wet ? wet->wet_advancing : wet->advancing, g);
    double value = choose(w, at, low, high, straight(phi1, phi2, g));
    w->out[at] = h * fmax(-band, fmin(value, band));
}

static dew_Status contact_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->state->grid;
    double tile[DEW_TILE_SIZE(1)], h = grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        if (!w->has_walls[b])
            continue;
        dew_tile_load_cross(grid, w->solid, (int32_t)b, 1, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            w->out[at] = w->phi[at];
            if (w->solid[at] < 0 && w->solid[at] >= -DEW_VOLUME_DEPTH * h)
                contact_cell(w, (int32_t)b, n, tile);
        }
    }
    return dew_ok();
}

static dew_Status store_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    int64_t cells = w->state->grid->brick_cells;
    double *phi = dew_volume_phi(w->state);
    for (int64_t b = begin; b < end; b++)
        if (w->has_walls[b])
            memcpy(phi + b * cells, w->out + b * cells, (size_t)cells * sizeof *phi);
    return dew_ok();
}

// Bricks that have cells in solids to which phi is continued.
static void find_walls(const dew_SolverState *state, const double *solid, uint8_t *has_walls)
{
    int64_t cells = state->grid->brick_cells;
    for (int32_t b = 0; b < state->grid->brick_count; b++)
        for (int64_t at = b * cells; at < (b + 1) * cells && !has_walls[b]; at++)
            has_walls[b] = solid[at] < 0 && solid[at] >= -DEW_VOLUME_DEPTH * state->grid->cell_m;
}

dew_Status dew_volume_contact(dew_SolverState *state, double time_s, dew_Arena *scratch)
{
    return dew_volume_contact_at(state, DEW_VOLUME_BETWEEN, time_s, scratch);
}

dew_Status dew_volume_contact_at(dew_SolverState *state, dew_VolumeBound bound, double time_s,
                                 dew_Arena *scratch)
{
    if (!state->laws.has_solids)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Work work = {.state = state,
                 .phi = dew_volume_phi(state),
                 .solid = dew_volume_solid(state),
                 .time_s = time_s,
                 .bound = bound};
    work.out = dew_arena_array(scratch, double, dew_volume_count(state));
    work.memory = dew_arena_array(scratch, double, dew_volume_count(state));
    uint8_t *has_walls = dew_arena_array(scratch, uint8_t, state->grid->brick_count);
    if (!work.out || !work.memory || !has_walls)
        return dew_no_memory((size_t)dew_volume_count(state) * sizeof(double));
    memcpy(work.memory, work.phi, (size_t)dew_volume_count(state) * sizeof(double));
    find_walls(state, work.solid, has_walls);
    work.has_walls = has_walls;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        DEW_TRY(dew_grid_for(state->grid, contact_chunk, &work));
        DEW_TRY(dew_grid_for(state->grid, store_chunk, &work));
    }
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}
