// Contact angles: phi continued into solids, [Wang2005] sections 5 and 6 done for the whole field.
//
// From a cell at the depth g a ray runs up along the surface; with lean c, the tangential way per height (the
// cotangent of theta, at most 0.6), it is N - c T, T the direction along the wall in which phi grows. On it phi is
// continued by the parabola q(s) of the height s through its values at h and 2 h whose slope at the wall is that
// of a surface which meets it at theta; curvature, computed as anywhere else, then pulls the line until the
// surface does meet it so. In cells, with b the cosine:
//     q(-g) = phi1 - a (1 + g) + q'' (g^2 - 1) / 2,   a = b - c sqrt(1 - b^2),   q'' = (2/3) (phi2 - phi1 - a).
// The levels of a distance are parallel surfaces: that at phi, of a surface of curvature k across the line, meets
// the wall with b = cos(theta) / (1 + k phi). Along the wall's normal alone (c = 0) the pull is sin(theta)^2 of
// what it is due, and lines stick at 30 and 150 degrees; with a c above 1 rays leave the surface of small drops.
//
// differs: the paper rebuilds a stencil for each cell beside the line and takes one angle. Here the field in
// the solid is what is remembered: it is kept between the continuations at the receding and at the advancing
// angle and otherwise left alone. Inside these bounds the line is pinned and the angle free; at a bound
// the line slides at just that angle (a return mapping).
//
// At an edge the angle may be anything from theta on the near face to theta on the far one (Gibbs). So all cells beside an
// edge see one plane through it: that of the face on which the line is, turned to the other face's while the line goes
// over the edge. It stops where the turned plane has its angle. With a plane for each cell, that of the face which it is
// nearest to, values jump in the middle of the edge, and drops there are stirred at 5 to 20 cm/s.
#include "base/status.h"
#include "grid/cubic.h"
#include "grid/wide.h"
#include "solvers/liquid/liquid.h"

#include <string.h>

#define LEAST_SINE2 0.01  // of the angle to the wall: below, there is no curvature across the line
#define MOST_CURVED 0.25  // 1/cells
#define MOST_BENT   0.5   // 1/cells
#define TRUST_NONE  3.7  // cells from the surface where phi is bounded too near to tell a curvature
#define MOST_LEANS  0.6  // sideways per height, of rays: 60 to 120 degrees are followed
#define FARTHEST    2.2  // cells that rays go sideways, as far as the neighbours of a brick reach
#define SWEEPS      4    // values near a wall that cuts cells hang on those in it
#define EDGE_NEAR   3.0  // cells from the surface: an edge that is farther is left alone
#define EDGE_ROUND                                                                                 \
    1.5  // cells on both sides of an edge in which the plane turns; with 1 some lines there swing
#define CURVED 0.3  // cells: by so much the depth of cells that others read is off at curved walls

// The cells of a brick in solids to which phi is continued: there are none, or no liquid is near, or some is.
typedef enum Walls { NO_WALLS, DRY_WALLS, NEAR_WALLS } Walls;

typedef struct Work {
    const dew_Liquid *liquid;
    const double *phi, *solid;
    double time_s;
    dew_LiquidBound bound;
    double *memory;  // phi before: what is kept between the bounds
    double *out;
    const uint8_t *walls;  // Walls, per brick
    bool is_last;          // sweep
} Work;

// The samples for cubics where bricks are missing: there phi is bounded, outside. Rays of obtuse angles lean away from the
// liquid and leave the bricks that follow it a few cells from the line. False: all are missing.
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

// What phi is above the wall, lengths in cells: at the heights 1 and 2 along its normal, and the curvature of
// the surface across the line.
typedef struct Above {
    double phi1, phi2;
    double curvature;
    double lean;   // of the ray along which they were taken, to the liquid's side
    double trust;  // 1: phi is a distance all around; 0: it is bounded
} Above;

// Curvature of the surface, in cells, in the plane of its normal and the wall's: t H t / |g| is that of the level
// through the point, t the tangent in that plane. It is taken two cells above the wall, where no continued
// value weighs much, so that it does not depend on the angle that is to be had.
DEW_BODY double curvature_of(const dew_CubicJet *jet, double phi, double h, dew_Vec3 N)
{
    dew_Vec3 g = dew_vec(jet->g[0], jet->g[1], jet->g[2]), n = dew_normalize(g);
    dew_Vec3 t = dew_add_scaled(N, -dew_inner(N, n), n);
    double across = dew_length2(t), slope = dew_length(g);
    if (!(across > LEAST_SINE2) || !(slope > 0.1 * h))
        return 0;
    double tHt = jet->xx * t.x * t.x + jet->yy * t.y * t.y + jet->zz * t.z * t.z +
                 2 * (jet->xy * t.x * t.y + jet->xz * t.x * t.z + jet->yz * t.y * t.z);
    double k = tHt / (across * slope);
    k /= fmax(1 - k * phi, 0.5);
    return fmax(-MOST_CURVED, fmin(k, MOST_CURVED));
}

// A cell in a wall, g below its surface.
typedef struct Foot {
    int32_t brick;
    dew_Vec3 x, N;
    double g;
    // A cell above the wall, along its normal: the direction along the wall in which phi grows (0: none is told),
    // and how phi grows along the normal.
    dew_Vec3 T;
    double slope;
} Foot;

// False: too near to the grid's end.
DEW_BODY bool look_up(const Work *w, Foot *foot)
{
    dew_CubicJet jet;
    double phi, h = w->liquid->grid->cell_m;
    if (!sample(w, foot->brick, dew_add_scaled(foot->x, foot->g + 1, foot->N), &phi, &jet))
        return false;
    dew_Vec3 slope = dew_vec(jet.g[0] / h, jet.g[1] / h, jet.g[2] / h);
    foot->slope = dew_inner(slope, foot->N);
    foot->T = dew_add_scaled(slope, -foot->slope, foot->N);
    bool is_told = dew_length(foot->T) > 0.1 && fabs(phi) < (DEW_LIQUID_BAND - 1) * h;
    foot->T = is_told ? dew_normalize(foot->T) : dew_vec(0, 0, 0);
    return true;
}

// What is along the ray that leans to the liquid's side as a surface of this cosine does: by the cotangent, per cell
// of height. False: too near to the grid's end.
DEW_BODY bool look_along(const Work *w, const Foot *foot, double cosine, Above *out)
{
    double h = w->liquid->grid->cell_m, g = foot->g, most = fmin(MOST_LEANS, FARTHEST / (g + 2));
    dew_CubicJet jet;
    out->lean = fmax(-most, fmin(cosine / sqrt(fmax(1 - cosine * cosine, 1e-6)), most));
    out->lean *= dew_length2(foot->T);
    dew_Vec3 ray = dew_add_scaled(foot->N, -out->lean, foot->T);
    if (!sample(w, foot->brick, dew_add_scaled(foot->x, g + 1, ray), &out->phi1, NULL) ||
        !sample(w, foot->brick, dew_add_scaled(foot->x, g + 2, ray), &out->phi2, &jet))
        return false;
    out->phi1 /= h;
    out->phi2 /= h;
    out->trust = fmax(0, fmin(TRUST_NONE - fabs(out->phi2), 1));
    out->curvature = out->trust > 0 ? out->trust * curvature_of(&jet, out->phi2, h, foot->N) : 0;
    return true;
}

// q(-g) for a surface that meets the wall with this cosine, all lengths in cells. Where phi is no distance any
// more the continuation is a straight line, which cannot reach zero within the depth that is filled: a surface
// made there would come up to the wall, step by step, as a film out of nothing.
DEW_BODY double continued(const Above *above, double cosine, double g)
{
    double slope = 0, bend = 0, b = cosine;
    for (int n = 0; n < 3; n++) {
        double at_wall = above->phi1 - slope - 0.5 * bend;
        b = cosine / fmax(1 + above->curvature * at_wall, 0.5);
        b = fmax(-1, fmin(b, 1));
        slope = b - above->lean * sqrt(1 - b * b);
        bend = 2.0 / 3 * above->trust * (above->phi2 - above->phi1 - slope);  // q''
        bend = fmax(-MOST_BENT, fmin(bend, MOST_BENT));
    }
    return above->phi1 - slope * (1 + g) + 0.5 * bend * (g * g - 1);
}

// phi gone on as it is, for whom nothing is to be remembered: the surface keeps its angle.
static double straight(const Above *above, double g)
{
    return above->phi1 - fmax(-1, fmin(above->phi2 - above->phi1, 1)) * (1 + g);
}

// What is admissible of the continuations between the receding and the advancing one.
static double choose(const Work *w, int64_t at, double low, double high, double as_it_is)
{
    const dew_LiquidLaws *laws = &w->liquid->laws;
    if (w->bound != DEW_LIQUID_BETWEEN)
        return w->bound == DEW_LIQUID_RECEDING ? low : high;
    if (laws->is_remembered)
        as_it_is = w->memory[at] / w->liquid->grid->cell_m;
    else if (laws->is_stencil)
        return as_it_is;  // the stencil does not look at phi in solids
    return fmax(low, fmin(as_it_is, high));
}

// ---- edges -------------------------------------------------------------------------------------

DEW_BODY dew_Vec3 vector_of(const float v[3])
{
    return dew_vec((double)v[0], (double)v[1], (double)v[2]);
}

// phi at the edge, as it goes on from above it, and whether it is the second of its faces on which the liquid is.
// False: that cannot be told.
DEW_BODY bool look_at_edge(const Work *w, const Foot *foot, const dew_LiquidEdge *edge, double *phi,
                           bool *is_second)
{
    double h = w->liquid->grid->cell_m, near, far, above[2];
    dew_Vec3 N[2] = {vector_of(edge->normal[0]), vector_of(edge->normal[1])};
    dew_Vec3 at = dew_add(foot->x, vector_of(edge->way)), out = dew_normalize(dew_add(N[0], N[1]));
    if (!sample(w, foot->brick, dew_add_scaled(at, 1, out), &near, NULL) ||
        !sample(w, foot->brick, dew_add_scaled(at, 2, out), &far, NULL))
        return false;
    for (int k = 0; k < 2; k++) {  // above each face, two cells from the edge
        dew_Vec3 along = dew_normalize(dew_add_scaled(N[1 - k], -dew_inner(N[0], N[1]), N[k]));
        dew_Vec3 p = dew_add_scaled(dew_add(at, N[k]), -2, along);
        if (!sample(w, foot->brick, p, &above[k], NULL))
            return false;
    }
    *phi = (2 * near - far) / h;
    *is_second = above[1] < above[0];
    return true;
}

// Turns the foot to the plane through the edge.
DEW_BODY void turn_at_edge(const Work *w, const dew_LiquidEdge *edge, Foot *foot)
{
    dew_Vec3 N[2] = {vector_of(edge->normal[0]), vector_of(edge->normal[1])};
    double phi;
    bool is_second;
    if (!(dew_length2(N[0]) > 0) || !look_at_edge(w, foot, edge, &phi, &is_second) ||
        !(fabs(phi) < EDGE_NEAR))
        return;
    double part =
        0.5 + 0.5 * fmax(-1, fmin(phi / EDGE_ROUND, 1));  // 1: the line is on the wet face
    foot->N =
        dew_normalize(dew_add(dew_scale(part, N[is_second]), dew_scale(1 - part, N[!is_second])));
    foot->g = dew_inner(vector_of(edge->way), foot->N);
}

// ---- cells -------------------------------------------------------------------------------------

// May samples of other cells' rays read the cell? They lie a cell above the wall or higher, and cubics reach two
// cells along each axis. Those that none reads need no sweeps.
DEW_BODY bool is_read(const Foot *foot)
{
    double reach = 2 * (fabs(foot->N.x) + fabs(foot->N.y) + fabs(foot->N.z));
    return foot->g < reach - 1 + CURVED;
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
    Foot foot = {b, dew_vec(n & 7, n >> 3 & 7, n >> 6), normal, -t[0] / h, {0, 0, 0}, 0};
    Above seen;
    int32_t id = ((const int32_t *)dew_grid_field(grid, s->solid_id))[at];
    if (id < 0)
        return;
    const dew_LiquidWetting place = dew_liquid_wetting(s, at, id), *wet = &place;
    if (wet->is_kept || !(w->is_last || is_read(&foot)))
        return;
    double beyond = above(w, b, dew_add_scaled(foot.x, foot.g + 1, normal)) / h;
    bool is_far = beyond < 0 ? wet->advancing >= 0 : wet->receding <= 0;
    if (is_far && fabs(beyond) > band - 1) {  // and farther still in the solid
        w->out[at] = beyond < 0 ? -band * h : band * h;
        return;
    }
    w->out[at] = band * h;  // dry, where there are no bricks beyond the wall
    turn_at_edge(w, (const dew_LiquidEdge *)dew_grid_field(grid, s->edge) + at, &foot);
    if (!look_up(w, &foot))
        return;
    bool is_wet = dew_liquid_wetness(s, b, n, w->time_s, wet->dries_after_s) > 0;
    double advancing = is_wet ? wet->wet_advancing : wet->advancing;
    // The bound on receding tension eases the angle that the line is drawn to ([Wang2005] section 8).
    double eased = foot.slope - wet->max_receding_N_m / s->laws.sigma_N_m;
    double receding = fmax(wet->receding, fmin(eased, 1));
    if (!look_along(w, &foot, receding, &seen))
        return;
    double low = continued(&seen, receding, foot.g), high = low;
    double as_it_is = straight(&seen, foot.g);
    if (advancing != receding && look_along(w, &foot, advancing, &seen))
        high = continued(&seen, advancing, foot.g);
    double value = choose(w, at, low, high, as_it_is);
    w->out[at] = h * fmax(-band, fmin(value, band));
}

static void dry_cell(const Work *w, int64_t at)
{
    const dew_Liquid *s = w->liquid;
    int32_t id = ((const int32_t *)dew_grid_field(s->grid, s->solid_id))[at];
    if (id >= 0 && !s->laws.wetting[id].is_kept)
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

// Which bricks are to be done; only those beside new bricks, if so told.
//
// At sharp angles the liquid goes on in the wall far ahead of its line, ever deeper (six cells per cell at 10 degrees).
// There it would feed on itself: redistancing tells the air above how far it is, and continuing that brings it
// a cell farther, until all dry walls of the domain had bricks. So it ends a brick ahead of the liquid.
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
    if (!liquid->laws.has_solids)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Work work = {.time_s = time_s, .bound = bound};
    dew_Status status = run(liquid, &work, only_fresh, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}

dew_Status dew_liquid_contact(dew_Liquid *liquid, double time_s, dew_Arena *scratch)
{
    return run_in(liquid, DEW_LIQUID_BETWEEN, time_s, false, scratch);
}

dew_Status dew_liquid_contact_fresh(dew_Liquid *liquid, double time_s, dew_Arena *scratch)
{
    return run_in(liquid, DEW_LIQUID_BETWEEN, time_s, true, scratch);
}

dew_Status dew_liquid_contact_at(dew_Liquid *liquid, dew_LiquidBound bound, double time_s,
                                 dew_Arena *scratch)
{
    return run_in(liquid, bound, time_s, false, scratch);
}
