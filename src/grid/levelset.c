// Level sets: volume fraction, area, curvature and normals of cells; construction from distance
// functions and meshes; connected components and the correction of their volumes.
//
// Cube cut by a plane, [ScardovelliZaleski2000]: with the components of the normal sorted and
// scaled, m1 <= m2 <= m3, m1 + m2 + m3 = 1, and the corner where m . y is least as origin, the
// volume below m . y = alpha is a piecewise cubic in alpha. below() has alpha <= 1/2; the rest
// follows by symmetry. The derivative of the volume is the plane's area times |m|.

#include "base/status.h"

#include "base/simd.h"
#include "base/sum.h"
#include "base/union_find.h"
#include "geom/vec.h"
#include "grid/levelset.h"

#include <float.h>
#include <string.h>

// Volume for alpha in [0, 1/2] and its derivative.
static double below(double m1, double m2, double m3, double alpha, double *slope)
{
    double m12 = m1 + m2, m = m12 < m3 ? m12 : m3;
    double v1 = m1 * m1 / fmax(6 * m2 * m3, DBL_MIN);
    if (alpha < m1) {
        *slope = 3 * alpha * alpha / (6 * m1 * m2 * m3);
        return alpha * alpha * alpha / (6 * m1 * m2 * m3);
    }
    if (alpha < m2) {
        *slope = (2 * alpha - m1) / (2 * m2 * m3);
        return alpha * (alpha - m1) / (2 * m2 * m3) + v1;
    }
    if (alpha < m) {
        double a2 = alpha * alpha;
        *slope = (-3 * a2 + 6 * m12 * alpha - 3 * m1 * m1 - 3 * m2 * m2) / (6 * m1 * m2 * m3);
        return (a2 * (3 * m12 - alpha) + m1 * m1 * (m1 - 3 * alpha) + m2 * m2 * (m2 - 3 * alpha)) /
               (6 * m1 * m2 * m3);
    }
    if (m12 <= m3) {
        *slope = 1 / m3;
        return (alpha - m12 / 2) / m3;
    }
    double a2 = alpha * alpha, s = m1 * m1 + m2 * m2 + m3 * m3;
    double cubes = m1 * m1 * m1 + m2 * m2 * m2 + m3 * m3 * m3;
    *slope = (-6 * a2 + 6 * alpha - 3 * s) / (6 * m1 * m2 * m3);
    return (a2 * (3 - 2 * alpha) - 3 * alpha * s + cubes) / (6 * m1 * m2 * m3);
}

// The components sorted; returns their sum.
static double sorted(const double n[3], double m[3])
{
    for (int a = 0; a < 3; a++)
        m[a] = fabs(n[a]);
    for (int a = 0; a < 2; a++)  // three numbers sorted by three swaps
        for (int b = 0; b < 2 - a; b++)
            if (m[b] > m[b + 1]) {
                double swap = m[b];
                m[b] = m[b + 1];
                m[b + 1] = swap;
            }
    return m[0] + m[1] + m[2];
}

// Slivers of a component lose all digits in the cubic: below this they are zero to rounding.
static void scale(double m[3], double sum)
{
    for (int a = 0; a < 3; a++)
        m[a] = m[a] < 1e-7 * sum ? 0 : m[a] / sum;
}

static double length_of(const double m[3])
{
    return sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
}

static double cut(const double m[3], double alpha, double *slope)
{
    return alpha <= 0.5 ? below(m[0], m[1], m[2], alpha, slope)
                        : 1 - below(m[0], m[1], m[2], 1 - alpha, slope);
}

double dew_plane_cut(const double n[3], double d, double *area)
{
    double m[3], sum = sorted(n, m), slope = 0, unused;
    double alpha = sum > 0 ? 0.5 - d / sum : d < 0;  // no plane: all or nothing
    area = area ? area : &unused;
    *area = 0;
    if (alpha <= 0 || alpha >= 1)  // the plane is beside the cube
        return alpha >= 1;
    scale(m, sum);
    double volume = cut(m, alpha, &slope);
    *area = slope * length_of(m);
    return volume;
}

dew_CutPlane dew_plane_make(const double n[3])
{
    dew_CutPlane plane;
    plane.sum = sorted(n, plane.m);
    if (plane.sum > 0)
        scale(plane.m, plane.sum);
    plane.length = length_of(plane.m);
    return plane;
}

double dew_plane_at(const dew_CutPlane *plane, double d, double *area)
{
    double alpha = plane->sum > 0 ? 0.5 - d / plane->sum : d < 0, slope = 0;
    *area = 0;
    if (alpha <= 0 || alpha >= 1)
        return alpha >= 1;
    double volume = cut(plane->m, alpha, &slope);
    *area = slope * plane->length;
    return volume;
}

// ---- cells of a level set -----------------------------------------------------------------------

// Volume fraction of the liquid and area of the surface in cells, and their sums.
//
// In each cell the surface is the plane that fits phi: its gradient by central differences, its
// offset the mean of phi over the cell, phi + h^2/24 (Laplacian of phi). The second term is the
// mean bulge of a curved surface over the cell; without it the volume of a ball is wrong by
// (h/2R)^2.

#define WIDTH (DEW_BRICK + 2)

typedef struct Work {
    const dew_Grid *grid;
    const double *phi;
    double *fraction, *area;
} Work;

// Volume fraction of the cell at p, and surface in it in units of h^(dimensions - 1).
static double cut_cell(const double *p, double h, double *area)
{
    const int y = WIDTH, z = WIDTH * WIDTH;
    double g[3] = {0.5 * (p[1] - p[-1]), 0.5 * (p[y] - p[-y]), 0.5 * (p[z] - p[-z])};
    double bulge = (p[1] + p[-1] + p[y] + p[-y] + p[z] + p[-z] - 6 * p[0]) / 24;
    double reach = 0.5 * (fabs(g[0]) + fabs(g[1]) + fabs(g[2])) + fabs(bulge);
    *area = 0;
    if (!(fabs(p[0]) <= reach) || reach < 1e-9 * h)
        return p[0] < 0 ? 1 : 0;
    return dew_plane_cut(g, p[0] + bulge, area);
}

static dew_Status cut_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    const dew_Grid *grid = work->grid;
    double tile[DEW_TILE_SIZE(1)], h = grid->cell_m;
    double unit = grid->dimensions == 3 ? h * h : h;
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_cross(grid, work->phi, (int32_t)b, 1, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            double area;
            const double *p = tile + dew_tile_at(1, n & 7, n >> 3 & 7, n >> 6);
            double fraction = cut_cell(p, h, &area);
            if (work->fraction)
                work->fraction[b * grid->brick_cells + n] = fraction;
            if (work->area)
                work->area[b * grid->brick_cells + n] = unit * area;
        }
    }
    return dew_ok();
}

dew_Status dew_levelset_cut(dew_Grid *grid, const double *phi, double *fraction, double *area)
{
    Work work = {grid, phi, fraction, area};
    return dew_grid_for(grid, cut_chunk, &work);
}

// ---- Sums over the domain -----------------------------------------------------------------------

typedef struct Sums {
    const dew_Grid *grid;
    const double *fraction, *area, *f;
    double *volume, *surface;  // per brick
} Sums;

static dew_Status sum_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Sums *sums = context;
    const dew_Grid *grid = sums->grid;
    for (int64_t b = begin; b < end; b++) {
        const int32_t *c = dew_grid_coord(grid, (int32_t)b);
        double volume = 0, surface = 0;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            int32_t cell[3] = {8 * c[0] + (n & 7), 8 * c[1] + (n >> 3 & 7),
                               grid->depth * c[2] + (n >> 6)};
            if (!dew_grid_is_inside(grid, cell))
                continue;
            volume += sums->fraction[at];
            surface += sums->f ? sums->f[at] * sums->area[at] : sums->area[at];
        }
        sums->volume[b] = volume;
        sums->surface[b] = surface;
    }
    return dew_ok();
}

static dew_Status sum_up(dew_Grid *grid, const double *phi, const double *f, dew_Arena *scratch,
                         double *volume, double *surface)
{
    int64_t count = dew_grid_value_count(grid), bricks = grid->brick_count;
    double *fraction = dew_arena_array(scratch, double, count);
    double *area = dew_arena_array(scratch, double, count);
    double *by_brick = dew_arena_array(scratch, double, 2 * bricks);
    if (!fraction || !area || !by_brick)
        return dew_no_memory((size_t)count * sizeof(double));
    Sums sums = {grid, fraction, area, f, by_brick, by_brick + bricks};
    DEW_TRY(dew_levelset_cut(grid, phi, fraction, area));
    DEW_TRY(dew_grid_for(grid, sum_chunk, &sums));
    *volume = dew_sum(grid->tasks, sums.volume, bricks);
    *surface = dew_sum(grid->tasks, sums.surface, bricks);
    return dew_ok();
}

dew_Status dew_levelset_measure(dew_Grid *grid, const double *phi, dew_Arena *scratch,
                                dew_LevelSetMeasure *out)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    double h = grid->cell_m, cell = grid->dimensions == 3 ? h * h * h : h * h, volume = 0;
    DEW_TRY(sum_up(grid, phi, NULL, scratch, &volume, &out->area_m2));
    out->volume_m3 = volume * cell;
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

dew_Status dew_levelset_integrate(dew_Grid *grid, const double *phi, const double *f,
                                  dew_Arena *scratch, double *out)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    double volume;
    DEW_TRY(sum_up(grid, phi, f, scratch, &volume, out));
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

// ---- curvature and normals ----------------------------------------------------------------------

// Curvature and normals of a level set by second-order central differences, [Wang2005] eq. (9).
//
// The curvature is that of the level of phi through the cell's centre. It differs from the
// curvature of the surface by phi kappa^2; callers that need the latter sample it at the closest
// point.

typedef struct CurvatureWork {
    const dew_Grid *grid;
    const double *phi;
    double band_m;
    double *kappa;
    double *const *normal;
} CurvatureWork;

// Numerator and denominator of eq. (9) with differences left undivided: times h, they are in cells.
DEW_BODY double curvature_at(const double *p, double h)
{
    const int y = WIDTH, z = WIDTH * WIDTH;
    double fx = 0.5 * (p[1] - p[-1]), fy = 0.5 * (p[y] - p[-y]), fz = 0.5 * (p[z] - p[-z]);
    double xx = p[1] - 2 * p[0] + p[-1], yy = p[y] - 2 * p[0] + p[-y], zz = p[z] - 2 * p[0] + p[-z];
    double xy = 0.25 * (p[1 + y] - p[1 - y] - p[-1 + y] + p[-1 - y]);
    double xz = 0.25 * (p[1 + z] - p[1 - z] - p[-1 + z] + p[-1 - z]);
    double yz = 0.25 * (p[y + z] - p[y - z] - p[-y + z] + p[-y - z]);
    double sum = fx * fx * (yy + zz) + fy * fy * (xx + zz) + fz * fz * (xx + yy) -
                 2 * (fx * fy * xy + fx * fz * xz + fy * fz * yz);
    double square = fx * fx + fy * fy + fz * fz;
    double floor = DEW_LEVELSET_ROUNDING * DEW_LEVELSET_ROUNDING * h * h;
    square = square > floor ? square : floor;
    return sum / (square * sqrt(square) * h);
}

DEW_BODY dew_Status curvature_chunk_body(void *context, int64_t begin, int64_t end)
{
    const CurvatureWork *work = context;
    const dew_Grid *grid = work->grid;
    double tile[DEW_TILE_SIZE(1)], limit = (grid->dimensions - 1) / grid->cell_m;
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load(grid, work->phi, (int32_t)b, 1, tile);
        for (int row = 0; row < DEW_BRICK * grid->depth; row++) {
            const double *at = tile + dew_tile_at(1, 0, row & 7, row >> 3);
            double *out = work->kappa + b * grid->brick_cells + 8 * row;
            for (int i = 0; i < DEW_BRICK; i++) {
                double kappa = curvature_at(at + i, grid->cell_m);
                kappa = kappa > limit ? limit : kappa < -limit ? -limit : kappa;
                out[i] = fabs(at[i]) < work->band_m ? kappa : 0;
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(curvature_chunk)

dew_Status dew_levelset_curvature(dew_Grid *grid, const double *phi, double band_m, double *kappa)
{
    CurvatureWork work = {.grid = grid, .phi = phi, .band_m = band_m, .kappa = kappa};
    return dew_grid_for(grid, curvature_chunk, &work);
}

DEW_BODY dew_Status normal_chunk_body(void *context, int64_t begin, int64_t end)
{
    const CurvatureWork *work = context;
    const dew_Grid *grid = work->grid;
    const int y = WIDTH, z = WIDTH * WIDTH;
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_cross(grid, work->phi, (int32_t)b, 1, tile);
        for (int row = 0; row < DEW_BRICK * grid->depth; row++) {
            const double *p = tile + dew_tile_at(1, 0, row & 7, row >> 3);
            int64_t out = b * grid->brick_cells + 8 * row;
            for (int i = 0; i < DEW_BRICK; i++, p++) {
                double g[3] = {p[1] - p[-1], p[y] - p[-y], p[z] - p[-z]};
                double length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
                bool is_defined = fabs(p[0]) < work->band_m && length > 0;
                for (int a = 0; a < 3; a++)
                    work->normal[a][out + i] = is_defined ? g[a] / length : 0;
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(normal_chunk)

dew_Status dew_levelset_normals(dew_Grid *grid, const double *phi, double band_m,
                                double *const normal[3])
{
    CurvatureWork work = {.grid = grid, .phi = phi, .band_m = band_m, .normal = normal};
    return dew_grid_for(grid, normal_chunk, &work);
}

// ---- Construction, update of bricks -------------------------------------------------------------

// Level sets from distance functions and meshes; bricks that follow the surface.
//
// A distance changes no faster than position, so a box is far from the surface when the distance at
// its centre exceeds half its diagonal: boxes of bricks are split in eight until they are single
// bricks. The cost follows the surface, not the domain.

typedef struct Maker {
    dew_Grid *grid;
    int phi;
    dew_DistanceFn *distance;
    void *context;
    double band_m;
    bool and_inside;
    bool is_distance;  // everywhere; what is poured may end at a solid at once
} Maker;

// The place of the last distance, and that distance: bounds those of places near it.
typedef struct Known {
    dew_Vec3 p;
    double distance_m;
} Known;

// Moves on to a place and asks for its distance, no farther than the last one allows.
static double ask_at(const Maker *maker, dew_Vec3 p, Known *known)
{
    double reach = fabs(known->distance_m) + dew_distance(p, known->p);
    *known = (Known){p, maker->distance(maker->context, p, (1 + DEW_LEVELSET_ROUNDING) * reach)};
    return known->distance_m;
}

// Wants the bricks of [lo, hi), brick coordinates, that the band meets.
static dew_Status want_boxes(const Maker *maker, const int32_t lo[3], const int32_t hi[3],
                             Known known)
{
    const dew_Grid *grid = maker->grid;
    double edge = DEW_BRICK * grid->cell_m, thick = grid->depth * grid->cell_m;
    double size[3] = {edge * (hi[0] - lo[0]), edge * (hi[1] - lo[1]), thick * (hi[2] - lo[2])};
    dew_Vec3 lower = dew_vec(edge * lo[0], edge * lo[1], thick * lo[2]);
    dew_Vec3 half = dew_scale(0.5, dew_vec(size[0], size[1], size[2]));
    double d = ask_at(maker, dew_add(grid->origin_m, dew_add(lower, half)), &known);
    double reach = dew_length(half) + maker->band_m;
    if (d > reach || (d < -reach && !maker->and_inside))
        return dew_ok();
    int longest = 0;
    for (int a = 1; a < 3; a++)
        if (hi[a] - lo[a] > hi[longest] - lo[longest])
            longest = a;
    if (hi[longest] - lo[longest] <= 1)
        return dew_grid_want(maker->grid, lo);
    int32_t middle = lo[longest] + (hi[longest] - lo[longest]) / 2;
    int32_t upper_lo[3] = {lo[0], lo[1], lo[2]}, lower_hi[3] = {hi[0], hi[1], hi[2]};
    lower_hi[longest] = middle;
    upper_lo[longest] = middle;
    DEW_TRY(want_boxes(maker, lo, lower_hi, known));
    return want_boxes(maker, upper_lo, hi, known);
}

// Cells of a brick one beside the other: rows, and layers, to and fro.
static int cell_on_the_way(int n)
{
    int i = n & 7, j = n >> 3 & 7, k = n >> 6;
    j = k & 1 ? 7 - j : j;
    i = j & 1 ? 7 - i : i;
    return i + 8 * (j + 8 * k);
}

// Adds the shape to one brick. Where the last distance asked for is larger than the band by more
// than the way from there, the cell is on the same side, and need not be asked for.
static void fill_brick(const Maker *maker, int32_t b, Known known)
{
    const dew_Grid *grid = maker->grid;
    double *phi = dew_grid_f64(grid, maker->phi) + b * (int64_t)grid->brick_cells;
    for (int m = 0; m < grid->brick_cells; m++) {
        int n = cell_on_the_way(m);
        dew_Vec3 p = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
        bool is_far = maker->is_distance && fabs(known.distance_m) - dew_distance(p, known.p) >
                                                (1 + DEW_LEVELSET_ROUNDING) * maker->band_m;
        double d = is_far ? known.distance_m : ask_at(maker, p, &known);
        d = fmax(-maker->band_m, fmin(d, maker->band_m));
        phi[n] = d < phi[n] ? d : phi[n];
    }
}

static dew_Status fill_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Maker *maker = context;
    const dew_Grid *grid = maker->grid;
    double edge = DEW_BRICK * grid->cell_m;
    dew_Vec3 half = dew_scale(0.5, dew_vec(edge, edge, grid->depth * grid->cell_m));
    for (int64_t b = begin; b < end; b++) {
        dew_Vec3 corner = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        Known known = {dew_add(corner, half), HUGE_VAL};
        if (ask_at(maker, known.p, &known) <= dew_length(half) + maker->band_m)
            fill_brick(maker, (int32_t)b, known);  // else nothing is added here
    }
    return dew_ok();
}

static dew_Status add(Maker *maker, dew_Arena *scratch)
{
    dew_Grid *grid = maker->grid;
    int32_t lo[3] = {0}, hi[3] = {0, 0, 1};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        lo[a] = (grid->cell_min[a] - grid->margin) >> 3;
        hi[a] = ((grid->cell_max[a] + grid->margin - 1) >> 3) + 1;
    }
    dew_grid_update_begin(grid);
    DEW_TRY(dew_grid_want_all_present(grid));
    DEW_TRY(want_boxes(maker, lo, hi, (Known){grid->origin_m, HUGE_VAL}));
    DEW_TRY(dew_grid_update_end(grid, NULL));
    double *phi = dew_grid_f64(grid, maker->phi);
    const uint8_t *is_fresh = grid->is_fresh.data;
    for (int64_t n = 0; n < dew_grid_value_count(grid); n++)
        if (is_fresh[n / grid->brick_cells])
            phi[n] = maker->band_m;
    (void)scratch;
    return dew_grid_for(grid, fill_chunk, maker);
}

dew_Status dew_levelset_add(dew_Grid *grid, int phi, dew_DistanceFn *distance, void *context,
                            double band_m, bool and_inside, dew_Arena *scratch)
{
    Maker maker = {grid, phi, distance, context, band_m, and_inside, false};
    return add(&maker, scratch);
}

static double mesh_distance(void *context, dew_Vec3 p, double reach_m)
{
    return dew_mesh_distance_near(context, p, reach_m).closest.distance;
}

dew_Status dew_levelset_add_mesh(dew_Grid *grid, int phi, const dew_MeshDistance *mesh,
                                 double band_m, bool and_inside, dew_Arena *scratch)
{
    dew_DistanceFn *distance = mesh_distance;
    Maker maker = {grid, phi, distance, (void *)mesh, band_m, and_inside, true};
    return add(&maker, scratch);
}

// ---- Following ----------------------------------------------------------------------------------

// The known brick beside brick b, faces first: those cells are nearest. -1 when there is none.
static int known_side(const dew_Grid *grid, const uint8_t *is_known, int32_t b)
{
    static const int order[26] = {12, 14, 10, 16, 4,  22, 9, 11, 15, 17, 3,  5,  1,
                                  7,  21, 23, 19, 25, 0,  2, 6,  8,  18, 20, 24, 26};
    const int32_t *near = dew_grid_neighbours(grid, b);
    for (int t = 0; t < 26; t++) {
        int32_t other = near[order[t]];
        if (other >= 0 && other < grid->brick_count && other != b && is_known[other])
            return order[t];
    }
    return -1;
}

// How fast phi rises outwards of the border: as behind it, but no faster than a distance; and where
// it falls, a surface lies beyond the border that nobody has seen, so that the nearest air is
// assumed.
static double outward_rise(double border, double inner, double cell_m, double far_m)
{
    double rise = border - inner;
    if (border < 0 && rise >= 0)
        return rise < cell_m ? rise : cell_m;
    return border > -0.99 * far_m ? cell_m : 0;
}

// Continues phi into brick b from the brick on that side, within +-far_m: the surface may have
// moved past the border since the last time.
static void continue_phi(const dew_Grid *grid, double *phi, int32_t b, int side, double far_m)
{
    int32_t other = dew_grid_neighbours(grid, b)[side];
    const double *from = phi + (int64_t)other * grid->brick_cells;
    double *to = phi + (int64_t)b * grid->brick_cells;
    int d[3] = {side % 3 - 1, side / 3 % 3 - 1, grid->depth == 1 ? 0 : side / 9 - 1};
    for (int n = 0; n < grid->brick_cells; n++) {
        int c[3] = {n & 7, n >> 3 & 7, n >> 6}, in[3], deeper[3], steps = 0;
        for (int a = 0; a < 3; a++) {
            in[a] = d[a] < 0 ? 7 : d[a] > 0 ? 0 : c[a];
            deeper[a] = in[a] + d[a];
            int distance = d[a] < 0 ? c[a] + 1 : d[a] > 0 ? 8 - c[a] : 0;
            steps = distance > steps ? distance : steps;
        }
        double border = from[in[0] + 8 * (in[1] + 8 * in[2])];
        double inner = from[deeper[0] + 8 * (deeper[1] + 8 * deeper[2])];
        double value = border + steps * outward_rise(border, inner, grid->cell_m, far_m);
        to[n] = fmax(-far_m, fmin(value, far_m));
    }
}

// Cells of fresh bricks. New ones come where the band grew, so almost all lie beside old ones; the
// loop continues for those behind.
static dew_Status fill_fresh(dew_Grid *grid, double *phi, double far_m, dew_Arena *scratch)
{
    uint8_t *is_known = dew_arena_array(scratch, uint8_t, grid->brick_count);
    if (!is_known)
        return dew_no_memory((size_t)grid->brick_count);
    const uint8_t *is_fresh = grid->is_fresh.data;
    for (int32_t b = 0; b < grid->brick_count; b++)
        is_known[b] = !is_fresh[b];
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (int32_t b = 0; b < grid->brick_count; b++) {
            int side = is_known[b] ? -1 : known_side(grid, is_known, b);
            if (side < 0)
                continue;
            continue_phi(grid, phi, b, side, far_m);
            is_known[b] = 1;
            goes_on = true;
        }
    }
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; !is_known[b] && n < grid->brick_cells; n++)
            phi[(int64_t)b * grid->brick_cells + n] = far_m;
    return dew_ok();
}

dew_Status dew_levelset_update_bricks(dew_Grid *grid, int phi, double width_m, double far_m,
                                      bool and_inside, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    bool has_changed;
    dew_grid_update_begin(grid);
    DEW_TRY(dew_grid_want_band(grid, dew_grid_f64(grid, phi), width_m, and_inside, scratch));
    DEW_TRY(dew_grid_update_end(grid, &has_changed));
    dew_Status status = dew_ok();
    if (has_changed)
        status = fill_fresh(grid, dew_grid_f64(grid, phi), far_m, scratch);
    dew_arena_rewind(scratch, mark);
    return status;
}

// ---- Connected components -----------------------------------------------------------------------

// Drops of a level set: connected pieces of phi < 0 through faces, their volumes, and their
// correction.
//
// Drops are numbered in the order of their first cells (dew_bits_components). Cells outside the
// liquid that hold some of it (the surface cuts them) belong to the drop of their most liquid
// neighbour.

typedef struct Labels {
    const dew_Grid *grid;
    const double *phi;
    dew_BrickBits *liquid;
    int32_t *drop;   // first the parents of union and find, by cell; then the drop
    int32_t *roots;  // drop of a root
    double *fraction, *area;
} Labels;

static dew_Status inside_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Labels *work = context;
    for (int64_t b = begin; b < end; b++)
        for (int n = 0; n < work->grid->brick_cells; n++) {
            bool is_inside = work->phi[b * work->grid->brick_cells + n] < 0;
            work->liquid[b].layer[n >> 6] |= (uint64_t)is_inside << (n & 63);
        }
    return dew_ok();
}

static int32_t number_roots(const Labels *work)
{
    int64_t count = work->grid->brick_count * (int64_t)work->grid->brick_cells;
    int32_t drops = 0;
    for (int32_t n = 0; n < count; n++) {
        if (work->drop[n] < 0)
            continue;
        int32_t root =
            dew_cell_root(work->drop, n);  // comes before its cells: it is numbered already
        work->roots[n] = root == n ? drops++ : work->roots[root];
    }
    for (int32_t n = 0; n < count; n++)
        work->drop[n] = work->drop[n] >= 0 ? work->roots[n] : DEW_INVALID;
    return drops;
}

// The drop that a cut cell outside belongs to: that of its neighbour with the least phi.
static int32_t drop_beside(const Labels *work, int32_t b, int n, const int32_t *drop)
{
    const dew_Grid *grid = work->grid;
    int layers = grid->depth == 1 ? 0 : 1;
    int32_t best = DEW_INVALID;
    double least = 0;
    for (int k = -layers; k <= layers; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                int64_t at = dew_grid_near(grid, b, (n & 7) + i, (n >> 3 & 7) + j, (n >> 6) + k);
                if (at >= 0 && at < grid->brick_count * (int64_t)grid->brick_cells &&
                    work->phi[at] < least) {
                    least = work->phi[at];
                    best = drop[at];
                }
            }
    return best;
}

static void add_cell(const Labels *work, dew_LevelSetDrop *drops, int32_t drop, int32_t b, int n,
                     double cell_m3)
{
    int64_t at = (int64_t)b * work->grid->brick_cells + n;
    dew_LevelSetDrop *d = &drops[drop];
    dew_Vec3 p = dew_grid_position(work->grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    d->volume_m3 += cell_m3 * work->fraction[at];
    d->area_m2 += work->area[at];
    d->center_m = dew_add_scaled(d->center_m, cell_m3 * work->fraction[at], p);
    d->cell_count += work->phi[at] < 0;
}

// Volumes, in the order of cells. Cut cells outside get their drop in roots, which is done with.
static void measure_drops(const Labels *work, dew_LevelSetDrop *drops, int64_t drop_count)
{
    const dew_Grid *grid = work->grid;
    double h = grid->cell_m, cell_m3 = grid->dimensions == 3 ? h * h * h : h * h;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            int32_t drop = work->drop[at];
            if (drop < 0 && (work->fraction[at] > 0 || work->area[at] > 0))
                drop = drop_beside(work, b, n, work->drop);
            work->roots[at] = drop;
            if (drop >= 0)
                add_cell(work, drops, drop, b, n, cell_m3);
        }
    memcpy(work->drop, work->roots,
           (size_t)(grid->brick_count * (int64_t)grid->brick_cells) * sizeof(int32_t));
    for (int64_t d = 0; d < drop_count; d++)
        if (drops[d].volume_m3 > 0)
            drops[d].center_m = dew_scale(1 / drops[d].volume_m3, drops[d].center_m);
}

dew_Status dew_levelset_drops(dew_Grid *grid, const double *phi, int32_t *drop, dew_Array *drops,
                              dew_Arena *scratch)
{
    int64_t count = dew_grid_value_count(grid), found;
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Labels work = {.grid = grid, .phi = phi, .drop = drop};
    work.liquid =
        dew_arena_array(scratch, dew_BrickBits, grid->brick_count + (int64_t)grid->ghost_count);
    work.roots = dew_arena_array(scratch, int32_t, count);
    work.fraction = dew_arena_array(scratch, double, count);
    work.area = dew_arena_array(scratch, double, count);
    if (!work.liquid || !work.roots || !work.fraction || !work.area)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(dew_levelset_cut(grid, phi, work.fraction, work.area));
    DEW_TRY(dew_grid_for(grid, inside_chunk, &work));
    DEW_TRY(dew_bits_components(grid, work.liquid, drop, scratch, &found));
    drops->count = 0;
    DEW_TRY(dew_array_resize(drops, number_roots(&work)));
    measure_drops(&work, drops->data, drops->count);
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

// ---- Correction ---------------------------------------------------------------------------------

typedef struct Shift {
    const dew_Grid *grid;
    const double *phi;
    double *out;
    const int32_t *drop;
    const double *shift_m;  // per drop
} Shift;

// The drop nearest to a cell: its own, or that of the cell a little inside the closest point.
static int32_t nearest_drop(const Shift *s, int32_t b, int n, const double *tile)
{
    const dew_Grid *grid = s->grid;
    int64_t at = (int64_t)b * grid->brick_cells + n;
    if (s->drop[at] >= 0)
        return s->drop[at];
    const int w = DEW_BRICK + 2, stride[3] = {1, w, w * w};
    int c[3] = {n & 7, n >> 3 & 7, n >> 6}, here = dew_tile_at(1, c[0], c[1], c[2]);
    double g[3], square = 0;
    for (int a = 0; a < 3; a++) {
        g[a] = tile[here + stride[a]] - tile[here - stride[a]];
        square += g[a] * g[a];
    }
    if (!(square > 0))
        return DEW_INVALID;  // far from all surfaces
    double distance = (tile[here] / grid->cell_m + 0.5) / sqrt(fmax(square, DBL_MIN));
    for (int a = 0; a < 3; a++) {
        c[a] += (int)floor(0.5 - distance * g[a]);
        if (c[a] < -DEW_BRICK || c[a] >= 2 * DEW_BRICK)
            return DEW_INVALID;
    }
    int64_t inside = dew_grid_near(grid, b, c[0], c[1], c[2]);
    bool is_ours = inside >= 0 && inside < grid->brick_count * (int64_t)grid->brick_cells;
    return is_ours ? s->drop[inside] : DEW_INVALID;
}

static dew_Status shift_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Shift *s = context;
    const dew_Grid *grid = s->grid;
    double tile[DEW_TILE_SIZE(1)];
    for (int64_t b = begin; b < end; b++) {
        dew_tile_load_cross(grid, s->phi, (int32_t)b, 1, tile);
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            int32_t drop = nearest_drop(s, (int32_t)b, n, tile);
            s->out[at] = s->phi[at] + (drop >= 0 ? s->shift_m[drop] : 0);
        }
    }
    return dew_ok();
}

dew_Status dew_levelset_correct_volumes(dew_Grid *grid, double *phi, const int32_t *drop,
                                        const dew_Array *drops, const double *volumes_m3,
                                        double limit_m, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    const dew_LevelSetDrop *d = drops->data;
    double *shift = dew_arena_array(scratch, double, drops->count);
    double *out = dew_arena_array(scratch, double, dew_grid_value_count(grid));
    if (!shift || !out)
        return dew_no_memory((size_t)dew_grid_value_count(grid) * sizeof *out);
    for (int64_t n = 0; n < drops->count; n++) {
        double s = d[n].area_m2 > 0 ? (d[n].volume_m3 - volumes_m3[n]) / d[n].area_m2 : 0;
        shift[n] = fmax(-limit_m, fmin(s, limit_m));
    }
    Shift work = {grid, phi, out, drop, shift};
    DEW_TRY(dew_grid_for(grid, shift_chunk, &work));
    memcpy(phi, out, (size_t)(grid->brick_count * (int64_t)grid->brick_cells) * sizeof *phi);
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}
