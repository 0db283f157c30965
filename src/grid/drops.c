// Drops of a level set: connected pieces of phi < 0 through faces, their volumes, and their correction.
//
// Labels are found with union and find: first inside every brick, in parallel, then across the faces
// between bricks, the smaller root winning. So a drop's root is its first cell in the order of bricks,
// whatever the order of the work. Cells outside the liquid that hold some of it (the surface cuts them)
// belong to the drop of their most liquid neighbour.
#include "base/status.h"
#include "base/sum.h"
#include "base/union_find.h"
#include "grid/levelset.h"

#include <string.h>

typedef struct Work {
    const dew_Grid *grid;
    const double *phi;
    int32_t *drop;   // first the parents of union and find, by cell; then the drop
    int32_t *roots;  // drop of a root
    double *share, *area;
} Work;

static dew_Status inside_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Work *work = context;
    int cells = work->grid->brick_cells;
    for (int64_t b = begin; b < end; b++) {
        int32_t first = (int32_t)(b * cells);
        for (int n = 0; n < cells; n++) {
            int32_t at = first + n;
            work->drop[at] = work->phi[at] < 0 ? at : DEW_INVALID;
            if (work->drop[at] < 0)
                continue;
            if ((n & 7) > 0 && work->phi[at - 1] < 0)
                dew_join_cells(work->drop, at, at - 1);
            if ((n >> 3 & 7) > 0 && work->phi[at - 8] < 0)
                dew_join_cells(work->drop, at, at - 8);
            if (n >> 6 > 0 && work->phi[at - 64] < 0)
                dew_join_cells(work->drop, at, at - 64);
        }
    }
    return dew_ok();
}

// Joins the cells on the lower faces of a brick with those beyond.
static void join_lower_faces(const Work *work, int32_t b)
{
    const dew_Grid *grid = work->grid;
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        static const int before[3] = {12, 10, 4};
        int32_t other = dew_grid_neighbours(grid, b)[before[a]];
        if (other < 0 || other >= grid->brick_count)
            continue;
        int rows = a == 2 ? 8 : grid->depth;
        for (int n = 0; n < 8 * rows; n++) {
            int u = n & 7, v = n >> 3;
            int c[3][3] = {{0, u, v}, {u, 0, v}, {u, v, 0}};
            int32_t at = b * grid->brick_cells + c[a][0] + 8 * (c[a][1] + 8 * c[a][2]);
            c[a][a] = a == 2 ? grid->depth - 1 : 7;
            int32_t to = other * grid->brick_cells + c[a][0] + 8 * (c[a][1] + 8 * c[a][2]);
            if (work->phi[at] < 0 && work->phi[to] < 0)
                dew_join_cells(work->drop, at, to);
        }
    }
}

static int32_t number_roots(const Work *work)
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
static int32_t drop_beside(const Work *work, int32_t b, int n, const int32_t *drop)
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

static void add_cell(const Work *work, dew_LevelsetDrop *drops, int32_t drop, int32_t b, int n,
                     double cell_m3)
{
    int64_t at = (int64_t)b * work->grid->brick_cells + n;
    dew_LevelsetDrop *d = &drops[drop];
    dew_Vec3 p = dew_grid_position(work->grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
    d->volume_m3 += cell_m3 * work->share[at];
    d->area_m2 += work->area[at];
    d->center_m = dew_add_scaled(d->center_m, cell_m3 * work->share[at], p);
    d->cell_count += work->phi[at] < 0;
}

// Volumes, in the order of cells. Cut cells outside get their drop in roots, which is done with.
static void measure_drops(const Work *work, dew_LevelsetDrop *drops, int64_t drop_count)
{
    const dew_Grid *grid = work->grid;
    double h = grid->cell_m, cell_m3 = grid->dimensions == 3 ? h * h * h : h * h;
    for (int32_t b = 0; b < grid->brick_count; b++)
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = (int64_t)b * grid->brick_cells + n;
            int32_t drop = work->drop[at];
            if (drop < 0 && (work->share[at] > 0 || work->area[at] > 0))
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
    int64_t count = dew_grid_value_count(grid);
    if (count > INT32_MAX)
        return dew_fail(DEW_UNSUPPORTED, "drops are told apart in up to 2^31 cells, here are %lld",
                        (long long)count);
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Work work = {.grid = grid, .phi = phi, .drop = drop};
    work.roots = dew_arena_array(scratch, int32_t, count);
    work.share = dew_arena_array(scratch, double, count);
    work.area = dew_arena_array(scratch, double, count);
    if (!work.roots || !work.share || !work.area)
        return dew_no_memory((size_t)count * sizeof(double));
    DEW_TRY(dew_levelset_cut(grid, phi, work.share, work.area));
    DEW_TRY(dew_grid_for(grid, inside_chunk, &work));
    for (int32_t b = 0; b < grid->brick_count; b++)
        join_lower_faces(&work, b);
    drops->count = 0;
    DEW_TRY(dew_array_resize(drops, number_roots(&work)));
    measure_drops(&work, drops->data, drops->count);
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

// ---- Correction ----------------------------------------------------------------------------------

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
    double way = (tile[here] / grid->cell_m + 0.5) / sqrt(fmax(square, 1e-300));
    for (int a = 0; a < 3; a++) {
        c[a] += (int)floor(0.5 - way * g[a]);
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
    const dew_LevelsetDrop *d = drops->data;
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
