// Redistancing: phi becomes the signed distance to its zero set, within a band.
//
// By closest points (the default): for every cell of the band the nearest point p of the zero set
// of the tricubic interpolant, by Newton's method [Chopp2001], [Saye2014]. Where phi is nearly a
// distance already (the usual case) the first guess is p = x - phi grad phi / |grad phi|^2.
// Cells where that fails (new to the band, far from a distance, between two sheets) start from the
// closest point of a neighbour that has one, layer by layer. Newton's method finds the stationary
// point of |p - x|^2 / 2 + lambda phi(p):
//     (I + lambda H) delta + mu g = -(r + lambda g),   g . delta = -phi
// with r = p - x, lambda = -r.g / g.g and H the second derivatives; I replaces I + lambda H where
// that is not safely positive (Chopp's iteration). At kinks of phi (threads and films of a cell,
// sharp edges) a cubic overshoots: cells beside the surface then take phi over its slope across
// the surface [RussoSmereka2000]. Lengths in this file are in cells.

#include "grid/levelset.h"

#include "base/simd.h"
#include "base/status.h"
#include "base/sum.h"
#include "grid/sample.h"

#include <float.h>
#include <string.h>

#define MAX_STEPS  8     // of Newton's method, which converges quadratically: 2 or 3 are usual
#define TOLERANCE  5e-3  // cells, last step: the error left is its square times the curvature
#define MAX_STEP   0.75  // cells: the interpolant is another one beyond the next sample
#define MARGIN     0.1   // cells outside its own cell in which an interpolant is used
#define MAX_BEND   0.6   // cells, second difference of phi in a stencil: radius below two cells
#define MIN_SLOPE  0.3   // of phi, for a first guess from phi itself
#define TILE       DEW_TILE_SIZE(1)
#define TILE_WIDTH (DEW_BRICK + 2)

typedef struct Work {
    dew_Grid *grid;
    double *phi;
    double band;       // cells
    double *point[3];  // closest points, relative to their cell
    uint8_t *is_set;   // 1; 2: in the last round
    double *next[3];   // found in this round
    uint8_t *is_found;
    int64_t *counts;  // per brick: cells set in this round
    int64_t *before;  // in the last one
    bool is_first;    // round
    int64_t *failed;  // per brick
} Work;

// ---- Newton -------------------------------------------------------------------------------------

// delta from the system above; A is I + lambda H, symmetric.
DEW_BODY void newton_step(const dew_CubicJet *jet, const double r[3], double delta[3])
{
    const double *g = jet->g;
    double gg = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    double lambda = -(r[0] * g[0] + r[1] * g[1] + r[2] * g[2]) / gg;
    double xx = 1 + lambda * jet->xx, yy = 1 + lambda * jet->yy, zz = 1 + lambda * jet->zz;
    double xy = lambda * jet->xy, xz = lambda * jet->xz, yz = lambda * jet->yz;
    double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    double det = xx * cxx + xy * cxy + xz * cxz;
    bool is_safe = xx > 0.1 && xx * yy - xy * xy > 0.1 && det > 0.1;
    double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    if (!is_safe) {
        cxx = cyy = czz = det = 1;
        cxy = cxz = cyz = 0;
    }
    double q[3] = {-(r[0] + lambda * g[0]), -(r[1] + lambda * g[1]), -(r[2] + lambda * g[2])};
    double aq[3] = {cxx * q[0] + cxy * q[1] + cxz * q[2], cxy * q[0] + cyy * q[1] + cyz * q[2],
                    cxz * q[0] + cyz * q[1] + czz * q[2]};
    double ag[3] = {cxx * g[0] + cxy * g[1] + cxz * g[2], cxy * g[0] + cyy * g[1] + cyz * g[2],
                    cxz * g[0] + cyz * g[1] + czz * g[2]};
    double g_aq = g[0] * aq[0] + g[1] * aq[1] + g[2] * aq[2];
    double g_ag = g[0] * ag[0] + g[1] * ag[1] + g[2] * ag[2];
    double mu = (g_aq + det * jet->f) / g_ag;
    for (int a = 0; a < 3; a++)
        delta[a] = (aq[a] - mu * ag[a]) / det;
}

DEW_BODY double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Is p in the lattice cell, or hardly outside? The interpolant's slope jumps between cells: without
// a margin p would go to and fro where two of them meet.
DEW_BODY bool is_in_cell(const double p[3], const int base[3], int axes)
{
    for (int a = 0; a < axes; a++)
        if (!(p[a] > base[a] - MARGIN && p[a] < base[a] + 1 + MARGIN))
            return false;
    return true;
}

DEW_BODY void lattice_base(const double p[3], int base[3])
{
    for (int a = 0; a < 3; a++) {
        int i = (int)p[a];
        base[a] = i - (p[a] < i);
    }
}

DEW_BODY double larger(double a, double b)
{
    return a > b ? a : b;
}

// The largest second difference along the axes, in the inner cells of the stencil.
DEW_BODY double bend_of(const dew_CubicCell *cell)
{
    double bend = 0;
    for (int k = cell->is_flat ? 0 : 1; k < (cell->is_flat ? 1 : 3); k++) {
        const dew_Four *r = cell->row[k];
        dew_Four low = r[0] - 2 * r[1] + r[2], high = r[1] - 2 * r[2] + r[3];
        for (int n = 1; n < 3; n++) {
            bend = larger(bend, larger(fabs(low[n]), fabs(high[n])));
            bend = larger(bend, fabs(r[n][0] - 2 * r[n][1] + r[n][2]));
            bend = larger(bend, fabs(r[n][1] - 2 * r[n][2] + r[n][3]));
        }
    }
    for (int j = 1; j < 3 && !cell->is_flat; j++) {
        dew_Four low = cell->row[0][j] - 2 * cell->row[1][j] + cell->row[2][j];
        dew_Four high = cell->row[1][j] - 2 * cell->row[2][j] + cell->row[3][j];
        for (int n = 1; n < 3; n++)
            bend = larger(bend, larger(fabs(low[n]), fabs(high[n])));
    }
    return bend;
}

// Moves p, in samples of the brick, to the closest point of x. False: it did not converge there.
DEW_BODY bool newton(const Work *work, int32_t brick, const double x[3], double p[3])
{
    dew_CubicCell cell;
    dew_CubicJet jet;
    bool has_cell = false;
    double scale = 1 / work->grid->cell_m;
    for (int step = 0; step < MAX_STEPS; step++) {
        double r[3], delta[3];
        for (int a = 0; a < 3; a++) {
            r[a] = p[a] - x[a];
            if (!(fabs(r[a]) < DEW_BAND_CELLS + 1))
                return false;
        }
        if (!has_cell || !is_in_cell(p, cell.base, work->grid->dimensions)) {
            int base[3];
            lattice_base(p, base);
            if (!dew_cubic_gather(work->grid, work->phi, brick, base, &cell))
                return false;
            if (bend_of(&cell) * scale > MAX_BEND)
                return false;
            has_cell = true;
        }
        dew_cubic_jet(&cell, p, &jet);
        jet.f *= scale;
        for (int a = 0; a < 3; a++)
            jet.g[a] *= scale;
        jet.xx *= scale, jet.yy *= scale, jet.zz *= scale;
        jet.xy *= scale, jet.xz *= scale, jet.yz *= scale;
        if (!(length_of(jet.g) > 1e-3))
            return false;
        newton_step(&jet, r, delta);
        double length = length_of(delta);
        double cut = length > MAX_STEP ? MAX_STEP / length : 1;
        for (int a = 0; a < 3; a++)
            p[a] += cut * delta[a];
        if (length < TOLERANCE)
            return true;
    }
    return false;
}

// ---- First guess from phi -----------------------------------------------------------------------

// Distance in cells of a cell beside the surface, from linear crossings along the axes: 1/d^2 is
// the sum over axes of 1/s^2, s the nearer crossing along the axis. HUGE_VAL away from the surface.
static double crossing_distance(const double *tile, int at, const int stride[3], int axes)
{
    double here = tile[at], sum = 0;
    for (int a = 0; a < axes; a++) {
        double nearest = HUGE_VAL;
        for (int side = -1; side <= 1; side += 2) {
            double there = tile[at + side * stride[a]];
            if ((here < 0) != (there < 0)) {
                double s = here / (here - there);
                nearest = s < nearest ? s : nearest;
            }
        }
        if (nearest < HUGE_VAL)
            sum += 1 / fmax(nearest * nearest, DBL_MIN);
    }
    return sum > 0 ? 1 / sqrt(sum) : HUGE_VAL;
}

DEW_BODY void set_point(const Work *work, int64_t at, const double x[3], const double p[3])
{
    for (int a = 0; a < 3; a++)
        work->point[a][at] = p[a] - x[a];
    work->is_set[at] = 1;
}

// Is there a sign change to one of the neighbours along the axes?
DEW_BODY bool is_beside_surface(const double *tile, int at, const int stride[3])
{
    bool is_negative = tile[at] < 0, is_beside = false;
    for (int a = 0; a < 3; a++)
        is_beside |=
            (tile[at - stride[a]] < 0) != is_negative || (tile[at + stride[a]] < 0) != is_negative;
    return is_beside;
}

// The estimate for a cell beside the surface that Newton's method gave up: phi over its slope,
// along each axis the one across the surface, so that the cells on both sides put it at the same
// place; where the axis does not cross it, the steeper one.
static void set_sloped(const Work *work, int64_t cell, const double *tile, int at,
                       const int stride[3])
{
    double g[3], phi = tile[at], scale = 1 / work->grid->cell_m;
    for (int a = 0; a < 3; a++) {
        double up = tile[at + stride[a]] - phi, down = phi - tile[at - stride[a]];
        bool is_cut_up = (tile[at + stride[a]] < 0) != (phi < 0);
        bool is_cut_down = (tile[at - stride[a]] < 0) != (phi < 0);
        bool is_up = is_cut_up == is_cut_down ? fabs(up) > fabs(down) : is_cut_up;
        g[a] = (is_up ? up : down) * scale;
    }
    double square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    for (int a = 0; a < 3; a++)
        work->point[a][cell] = -phi * scale * g[a] / larger(square, 1e-6);
    work->is_set[cell] = 1;
}

// One cell: true when a closest point was found from phi's own gradient.
DEW_BODY bool project(const Work *work, int32_t brick, const int c[3], double phi,
                      const double g[3], double slope)
{
    double x[3] = {c[0], c[1], c[2]}, p[3], d[3];
    double distance = fabs(phi) / slope;
    for (int a = 0; a < 3; a++)
        p[a] = x[a] - phi * g[a] / (slope * slope);
    if (!newton(work, brick, x, p))
        return false;
    for (int a = 0; a < 3; a++)
        d[a] = p[a] - x[a];
    if (length_of(d) > 1.5 * distance + 0.5)
        return false;  // some other part of the surface
    int64_t at = (int64_t)brick * work->grid->brick_cells + c[0] + 8 * (c[1] + 8 * c[2]);
    set_point(work, at, x, p);
    return true;
}

DEW_BODY void project_brick(const Work *work, int32_t brick)
{
    const dew_Grid *grid = work->grid;
    const int stride[3] = {1, TILE_WIDTH, TILE_WIDTH * TILE_WIDTH};
    double tile[TILE], scale = 1 / grid->cell_m;
    dew_tile_load_cross(grid, work->phi, brick, 1, tile);
    for (int n = 0; n < grid->brick_cells; n++) {
        int c[3] = {n & 7, n >> 3 & 7, n >> 6}, at = dew_tile_at(1, c[0], c[1], c[2]);
        double phi = tile[at] * scale, g[3];
        if (!(fabs(phi) < 2 * work->band))
            continue;
        for (int a = 0; a < 3; a++)
            g[a] = 0.5 * scale * (tile[at + stride[a]] - tile[at - stride[a]]);
        double slope = length_of(g);
        bool is_beside = is_beside_surface(tile, at, stride);
        bool may_try = slope > MIN_SLOPE && fabs(phi) < work->band * slope;
        if ((may_try || (is_beside && slope > 0.05)) && project(work, brick, c, phi, g, slope))
            continue;
        if (is_beside) {
            set_sloped(work, (int64_t)brick * grid->brick_cells + n, tile, at, stride);
            work->failed[brick]++;
        }
    }
}

DEW_BODY dew_Status project_chunk_body(void *context, int64_t begin, int64_t end)
{
    for (int64_t b = begin; b < end; b++)
        project_brick(context, (int32_t)b);
    return dew_ok();
}
DEW_WIDE_CHUNK(project_chunk)

// ---- Layer by layer -----------------------------------------------------------------------------

// The neighbour whose closest point is nearest to cell c: that point relative to c in `d`.
DEW_BODY double nearest_of_neighbours(const Work *work, int32_t brick, const int c[3],
                                      const uint8_t *set, double d[3])
{
    double best = HUGE_VAL;
    int layers = work->grid->depth == 1 ? 0 : 1;
    for (int k = -layers; k <= layers; k++)
        for (int j = -1; j <= 1; j++) {
            const uint8_t *row = set + dew_tile_at(1, c[0], c[1] + j, c[2] + k);
            if (!(row[-1] | row[0] | row[1]))
                continue;
            for (int i = -1; i <= 1; i++) {
                if (!row[i])
                    continue;
                int64_t at = dew_grid_near(work->grid, brick, c[0] + i, c[1] + j, c[2] + k);
                double e[3] = {work->point[0][at] + i, work->point[1][at] + j,
                               work->point[2][at] + k};
                double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
                if (square < best) {
                    best = square;
                    memcpy(d, e, sizeof e);
                }
            }
        }
    return sqrt(best);
}

// The eight bytes of a row, each 0 or 1, as bits.
DEW_BODY uint32_t row_bits(uint64_t bytes)
{
    return (uint32_t)(bytes * 0x0102040810204080u >> 56);
}

// Which cells that are not set have a neighbour that is, in the last round when this is not the
// first? A bit per cell, a row per byte.
DEW_BODY bool spread(const Work *work, const uint8_t *set, uint8_t *is_near)
{
    uint32_t rows[TILE_WIDTH * TILE_WIDTH] = {0};
    uint8_t any = 0;
    int depth = work->grid->depth;
    for (int n = 0; n < TILE_WIDTH * (depth + 2); n++) {
        const uint8_t *row = set + TILE_WIDTH * n;
        uint64_t middle;
        memcpy(&middle, row + 1, sizeof middle);
        uint64_t bytes = work->is_first ? middle : middle >> 1;
        uint8_t wanted = work->is_first ? 3 : 2;
        uint32_t left = (row[0] & wanted) != 0, right = (row[9] & wanted) != 0;
        uint32_t bits = left | row_bits(bytes & DEW_BITS_FIRST) << 1 | right << 9;
        rows[n] = bits | bits << 1 | bits >> 1;
    }
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < DEW_BRICK; j++) {
            const uint32_t *r = rows + j + TILE_WIDTH * k;
            uint32_t bits = r[0] | r[1] | r[2];
            r += TILE_WIDTH;
            bits |= r[0] | r[1] | r[2];
            r += TILE_WIDTH;
            bits |= r[0] | r[1] | r[2];
            uint64_t own;
            memcpy(&own, set + dew_tile_at(1, 0, j, k), sizeof own);
            uint8_t near = (uint8_t)(bits >> 1 & ~row_bits((own | own >> 1) & DEW_BITS_FIRST));
            is_near[j + 8 * k] = near;
            any |= near;
        }
    return any != 0;
}

// Was nothing found around the brick in the last round?
DEW_BODY bool is_quiet(const Work *work, int32_t brick)
{
    const int32_t *near = dew_grid_neighbours(work->grid, brick);
    int64_t count = 0;
    for (int n = 0; n < 27; n++)
        if (near[n] >= 0 && near[n] < work->grid->brick_count)
            count += work->before[near[n]];
    return count == 0;
}

// The closest point of a cell with neighbours that have one; false when it lies beyond the band.
DEW_BODY bool grow_cell(const Work *work, int32_t brick, int n, const uint8_t *set)
{
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    double x[3] = {c[0], c[1], c[2]}, d[3] = {0}, p[3];
    double guess = nearest_of_neighbours(work, brick, c, set, d);
    if (!(guess < work->band))
        return false;
    for (int a = 0; a < 3; a++)
        p[a] = x[a] + d[a];
    bool has_it = newton(work, brick, x, p);
    double e[3] = {p[0] - x[0], p[1] - x[1], p[2] - x[2]};
    if (!has_it || length_of(e) > guess + MARGIN) {
        memcpy(e, d, sizeof e);  // no farther than the neighbour's point
        work->failed[brick]++;
    }
    int64_t at = (int64_t)brick * work->grid->brick_cells + n;
    for (int a = 0; a < 3; a++)
        work->next[a][at] = e[a];
    work->is_found[at] = 1;
    return true;
}

DEW_BODY void grow_brick(const Work *work, int32_t brick)
{
    const dew_Grid *grid = work->grid;
    uint8_t set[TILE], is_near[DEW_BRICK_CELLS / 8];
    work->counts[brick] = 0;
    if (!work->is_first && is_quiet(work, brick))
        return;
    dew_tile_load_u8(grid, work->is_set, brick, 1, 0, set);
    if (!spread(work, set, is_near))
        return;
    for (int row = 0; row < grid->brick_cells / 8; row++)
        for (int i = 0; is_near[row] >> i; i++)
            if (is_near[row] >> i & 1)
                work->counts[brick] += grow_cell(work, brick, 8 * row + i, set);
}

DEW_BODY dew_Status grow_chunk_body(void *context, int64_t begin, int64_t end)
{
    for (int64_t b = begin; b < end; b++)
        grow_brick(context, (int32_t)b);
    return dew_ok();
}
DEW_WIDE_CHUNK(grow_chunk)

static dew_Status commit_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Work *work = context;
    int64_t cells = work->grid->brick_cells;
    for (int64_t b = begin; b < end; b++)
        for (int64_t at = b * cells; work->counts[b] + work->before[b] > 0 && at < (b + 1) * cells;
             at++) {
            work->is_set[at] = work->is_set[at] != 0;
            if (work->is_found[at]) {
                for (int a = 0; a < 3; a++)
                    work->point[a][at] = work->next[a][at];
                work->is_set[at] = 2;
                work->is_found[at] = 0;
            }
        }
    return dew_ok();
}

static dew_Status grow_layers(Work *work)
{
    const dew_Grid *grid = work->grid;
    int rounds = 2 * (int)ceil(work->band) + 2;
    for (int round = 0; round < rounds; round++) {
        int64_t count = 0;
        work->is_first = round == 0;
        DEW_TRY(dew_grid_for(grid, grow_chunk, work));
        for (int32_t b = 0; b < grid->brick_count; b++)
            count += work->counts[b];
        if (count == 0)
            break;
        DEW_TRY(dew_grid_for(grid, commit_chunk, work));
        int64_t *swap = work->before;
        work->before = work->counts;
        work->counts = swap;
    }
    return dew_ok();
}

// ---- The whole ----------------------------------------------------------------------------------

static dew_Status finish_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Work *work = context;
    int64_t cells = work->grid->brick_cells;
    for (int64_t b = begin; b < end; b++) {
        int64_t count = 0;
        for (int64_t at = b * cells; at < (b + 1) * cells; at++) {
            double d[3] = {work->point[0][at], work->point[1][at], work->point[2][at]};
            double far = work->band, near = work->is_set[at] ? length_of(d) : far;
            count += near < far;
            work->phi[at] = copysign((near < far ? near : far) * work->grid->cell_m, work->phi[at]);
        }
        work->counts[b] = count;
    }
    return dew_ok();
}

static dew_Status alloc_work(Work *work, dew_Arena *scratch)
{
    int64_t count = dew_grid_value_count(work->grid), bricks = work->grid->brick_count;
    for (int a = 0; a < 3; a++) {
        work->point[a] = dew_arena_raw_array(scratch, double, count);
        work->next[a] = dew_arena_raw_array(scratch, double, count);
    }
    work->is_set = dew_arena_array(scratch, uint8_t, count);
    work->is_found = dew_arena_array(scratch, uint8_t, count);
    work->counts = dew_arena_array(scratch, int64_t, bricks);
    work->before = dew_arena_array(scratch, int64_t, bricks);
    work->failed = dew_arena_array(scratch, int64_t, bricks);
    for (int a = 0; a < 3; a++)
        if (!work->point[a] || !work->next[a])
            return dew_no_memory((size_t)count * sizeof(double));
    if (!work->is_set || !work->is_found || !work->counts || !work->before || !work->failed)
        return dew_no_memory((size_t)count);
    return dew_ok();
}

static dew_Status closest_points(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                 dew_Redistanced *report)
{
    Work work = {.grid = grid, .phi = phi, .band = band_m / grid->cell_m};
    DEW_TRY(alloc_work(&work, scratch));
    DEW_TRY(dew_grid_for(grid, project_chunk, &work));
    DEW_TRY(grow_layers(&work));
    DEW_TRY(dew_grid_for(grid, finish_chunk, &work));
    for (int32_t b = 0; b < grid->brick_count; b++) {
        report->near_count += work.counts[b];
        report->failed_count += work.failed[b];
    }
    return dew_ok();
}

// ---- Fast sweeping ------------------------------------------------------------------------------

// Redistancing by first-order upwind solvers of |grad d| = 1: fast sweeping [Zhao2005] and fast
// marching [Sethian1996]. Lengths are in cells.
//
// Fast sweeping: cells beside the surface keep their crossing distance. A round gives each brick a
// tile of the values as they were, makes Gauss-Seidel sweeps over it in all orders of the axes'
// directions, and stores the result when all bricks are done (Jacobi between bricks), so that it
// does not depend on the workers. Rounds end when nothing changes.

typedef struct Eikonal {
    const dew_Grid *grid;
    const double *phi;
    double band;
    double *now, *next;         // distances; beside the surface stored as -1 - d to mark them fixed
    uint8_t *has_changed;       // per brick: in the last round
    uint8_t *was_changed_near;  // per brick: there or beside it, in the round before
} Eikonal;

// Cell n of `cells` along an axis in the order of sweep s in [0, 8), in two dimensions [0, 4).
static int sweep_index(int sweep, int axis, int n, int cells)
{
    return sweep >> axis & 1 ? cells - 1 - n : n;
}

// No care for NaN, unlike fmin, which costs a call.
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// Solves sum over axes of max(d - d_a, 0)^2 = 1 for the least d.
static double upwind_solve(double a, double b, double c)
{
    double ab = smaller(a, b), ba = a < b ? b : a;  // to be sorted
    double lo = smaller(ab, c), rest = ab < c ? c : ab;
    double mid = smaller(ba, rest), hi = ba < rest ? rest : ba;
    double d = lo + 1;
    if (d <= mid)
        return d;
    double gap = mid - lo;
    d = 0.5 * (lo + mid + sqrt(2 - gap * gap));
    if (d <= hi)
        return d;
    double sum = lo + mid + hi, square = lo * lo + mid * mid + hi * hi;
    return (sum + sqrt(fmax(sum * sum - 3 * (square - 1), 0))) / 3;
}

// Crossing distances of a brick's cells.
static void find_crossings(const dew_Grid *grid, const double *phi, int32_t b, double *d)
{
    const int stride[3] = {1, TILE_WIDTH, TILE_WIDTH * TILE_WIDTH};
    double tile[TILE];
    dew_tile_load_cross(grid, phi, b, 1, tile);
    for (int n = 0; n < grid->brick_cells; n++)
        d[n] = crossing_distance(tile, dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6), stride,
                                 dew_grid_axes(grid));
}

static dew_Status start_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Eikonal *work = context;
    int64_t cells = work->grid->brick_cells;
    for (int64_t b = begin; b < end; b++)
        find_crossings(work->grid, work->phi, (int32_t)b, work->now + b * cells);
    for (double *d = work->now + begin * cells; d < work->now + end * cells; d++)
        *d = *d < HUGE_VAL ? -1 - *d : work->band;
    return dew_ok();
}

static double distance_of(double stored)
{
    return stored < 0 ? -1 - stored : stored;
}

static bool sweep_tile(double *tile, int depth, int dimensions)
{
    const int y = TILE_WIDTH, z = TILE_WIDTH * TILE_WIDTH;
    bool has_changed = false;
    for (int sweep = 0; sweep < 1 << dimensions; sweep++)
        for (int n = 0; n < 64 * depth; n++) {
            int i = sweep_index(sweep, 0, n & 7, 8), j = sweep_index(sweep, 1, n >> 3 & 7, 8);
            double *p = tile + dew_tile_at(1, i, j, sweep_index(sweep, 2, n >> 6, depth));
            if (*p < 0)
                continue;
            double a = smaller(distance_of(p[-1]), distance_of(p[1]));
            double b = smaller(distance_of(p[-y]), distance_of(p[y]));
            double c = dimensions == 3 ? smaller(distance_of(p[-z]), distance_of(p[z])) : HUGE_VAL;
            double d = upwind_solve(a, b, c);
            if (d < *p - 1e-9) {
                *p = d;
                has_changed = true;
            }
        }
    return has_changed;
}

static dew_Status round_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Eikonal *work = context;
    const dew_Grid *grid = work->grid;
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        int64_t first = b * grid->brick_cells;
        if (!work->was_changed_near[b]) {
            work->has_changed[b] = 0;
            memcpy(work->next + first, work->now + first,
                   (size_t)grid->brick_cells * sizeof(double));
            continue;
        }
        dew_tile_load_or(grid, work->now, (int32_t)b, 1, work->band, tile);
        work->has_changed[b] = sweep_tile(tile, grid->depth, grid->dimensions);
        for (int n = 0; n < grid->brick_cells; n++)
            work->next[b * grid->brick_cells + n] = tile[dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6)];
    }
    return dew_ok();
}

static void note_changes(Eikonal *work)
{
    for (int32_t b = 0; b < work->grid->brick_count; b++) {
        const int32_t *near = dew_grid_neighbours(work->grid, b);
        uint8_t is_near = 0;
        for (int n = 0; n < 27; n++)
            if (near[n] >= 0 && near[n] < work->grid->brick_count && n != 13)
                is_near |= work->has_changed[near[n]];
        work->was_changed_near[b] = is_near;
    }
}

static dew_Status fast_sweeping(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                dew_Redistanced *report)
{
    int64_t count = dew_grid_value_count(grid);
    Eikonal work = {.grid = grid, .phi = phi, .band = band_m / grid->cell_m};
    work.now = dew_arena_array(scratch, double, count);
    work.next = dew_arena_array(scratch, double, count);
    work.has_changed = dew_arena_array(scratch, uint8_t, grid->brick_count);
    work.was_changed_near = dew_arena_array(scratch, uint8_t, grid->brick_count);
    if (!work.now || !work.next || !work.has_changed || !work.was_changed_near)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(dew_grid_for(grid, start_chunk, &work));
    memset(work.was_changed_near, 1, (size_t)grid->brick_count);
    for (bool goes_on = grid->brick_count > 0; goes_on;) {
        DEW_TRY(dew_grid_for(grid, round_chunk, &work));
        double *swap = work.now;
        work.now = work.next;
        work.next = swap;
        note_changes(&work);
        goes_on = memchr(work.has_changed, 1, (size_t)grid->brick_count) != NULL;
    }
    for (int64_t n = 0; n < grid->brick_count * (int64_t)grid->brick_cells; n++) {
        double d = distance_of(work.now[n]);
        report->near_count += d < work.band;
        phi[n] = copysign(fmin(d, work.band) * grid->cell_m, phi[n]);
    }
    return dew_ok();
}

// ---- Fast marching ------------------------------------------------------------------------------

// One heap over all cells, serial, for comparison. Ties in the heap are broken by the cell's index.

typedef struct Node {
    double d;
    int64_t cell;
} Node;

typedef struct March {
    const dew_Grid *grid;
    double band;
    double *d;
    uint8_t *is_final;
    Node *heap;
    int64_t count, capacity;
} March;

static bool is_before(const Node *a, const Node *b)
{
    return a->d < b->d || (a->d == b->d && a->cell < b->cell);
}

static void push(March *march, Node node)
{
    int64_t n = march->count++;
    DEW_ASSERT(n < march->capacity);
    while (n > 0 && is_before(&node, &march->heap[(n - 1) / 2])) {
        march->heap[n] = march->heap[(n - 1) / 2];
        n = (n - 1) / 2;
    }
    march->heap[n] = node;
}

static Node pop(March *march)
{
    Node top = march->heap[0], last = march->heap[--march->count];
    int64_t n = 0;
    for (;;) {
        int64_t child = 2 * n + 1;
        if (child >= march->count)
            break;
        if (child + 1 < march->count && is_before(&march->heap[child + 1], &march->heap[child]))
            child++;
        if (!is_before(&march->heap[child], &last))
            break;
        march->heap[n] = march->heap[child];
        n = child;
    }
    march->heap[n] = last;
    return top;
}

static int64_t neighbour(const March *march, int64_t cell, int axis, int side)
{
    int32_t brick = (int32_t)(cell / march->grid->brick_cells);
    int n = (int)(cell % march->grid->brick_cells), c[3] = {n & 7, n >> 3 & 7, n >> 6};
    c[axis] += side;
    return dew_grid_near(march->grid, brick, c[0], c[1], c[2]);
}

// |grad d| = 1 from the final neighbours.
static double solve(const March *march, int64_t cell)
{
    double lower[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int a = 0; a < dew_grid_axes(march->grid); a++)
        for (int side = -1; side <= 1; side += 2) {
            int64_t n = neighbour(march, cell, a, side);
            if (n >= 0 && n < march->grid->brick_count * (int64_t)march->grid->brick_cells &&
                march->is_final[n])
                lower[a] = fmin(lower[a], march->d[n]);
        }
    return upwind_solve(lower[0], lower[1], lower[2]);
}

static void visit_neighbours(March *march, int64_t cell)
{
    int64_t owned = march->grid->brick_count * (int64_t)march->grid->brick_cells;
    for (int f = 0; f < 2 * march->grid->dimensions; f++) {
        int64_t n = neighbour(march, cell, f / 2, f % 2 ? 1 : -1);
        if (n < 0 || n >= owned || march->is_final[n])
            continue;
        double d = solve(march, n);
        if (d < march->d[n] && d < march->band) {
            march->d[n] = d;
            push(march, (Node){d, n});
        }
    }
}

static dew_Status fast_marching(dew_Grid *grid, double *phi, double band_m, dew_Arena *scratch,
                                dew_Redistanced *report)
{
    int64_t count = dew_grid_value_count(grid),
            owned = grid->brick_count * (int64_t)grid->brick_cells;
    // A cell is pushed once for each neighbour that becomes final before it: at most six times.
    March march = {.grid = grid, .band = band_m / grid->cell_m, .capacity = 6 * count};
    march.d = dew_arena_array(scratch, double, count);
    march.is_final = dew_arena_array(scratch, uint8_t, count);
    march.heap = dew_arena_array(scratch, Node, march.capacity);
    if (!march.d || !march.is_final || !march.heap)
        return dew_no_memory((size_t)march.capacity * sizeof(Node));
    for (int32_t b = 0; b < grid->brick_count; b++)
        find_crossings(grid, phi, b, march.d + (int64_t)b * grid->brick_cells);
    for (int64_t n = 0; n < owned; n++)
        march.is_final[n] = march.d[n] < HUGE_VAL;  // beside the surface, at once
    for (int64_t n = 0; n < owned; n++)
        if (march.d[n] < HUGE_VAL && march.is_final[n])
            visit_neighbours(&march, n);
    while (march.count > 0) {
        Node node = pop(&march);
        if (march.is_final[node.cell])
            continue;
        march.is_final[node.cell] = 1;
        visit_neighbours(&march, node.cell);
    }
    for (int64_t n = 0; n < owned; n++) {
        report->near_count += march.d[n] < march.band;
        phi[n] = copysign(fmin(march.d[n], march.band) * grid->cell_m, phi[n]);
    }
    return dew_ok();
}

dew_Status dew_levelset_redistance(dew_Grid *grid, double *phi, dew_RedistanceMethod method,
                                   double band_m, dew_Arena *scratch, dew_Redistanced *report)
{
    DEW_ASSERT(band_m <= DEW_BAND_CELLS * grid->cell_m * (1 + 1e-9));
    static dew_Status (*const methods[])(dew_Grid *, double *, double, dew_Arena *,
                                         dew_Redistanced *) = {closest_points, fast_sweeping,
                                                               fast_marching};
    dew_ArenaMark mark = dew_arena_mark(scratch);
    dew_Redistanced result = {0};
    dew_Status status = methods[method](grid, phi, band_m, scratch, &result);
    dew_arena_rewind(scratch, mark);
    if (report)
        *report = result;
    return status;
}
