// Liquid's share of cells, volume, area, integrals over the surface.
//
// In each cell the surface is the plane that fits phi: its gradient by central differences, its offset the
// mean of phi over the cell, phi + h^2/24 (Laplacian of phi). The second term is the mean bulge of a
// curved surface over the cell; without it the volume of a ball is wrong by (h/2R)^2.
#include "base/status.h"
#include "base/sum.h"
#include "grid/levelset.h"
#include "grid/plane_cut.h"

#define WIDTH (DEW_BRICK + 2)

typedef struct Work {
    const dew_Grid *grid;
    const double *phi;
    double *share, *area;
} Work;

// Share of the cell at p, and surface in it in units of h^(dimensions - 1).
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
            double share = cut_cell(p, h, &area);
            if (work->share)
                work->share[b * grid->brick_cells + n] = share;
            if (work->area)
                work->area[b * grid->brick_cells + n] = unit * area;
        }
    }
    return dew_ok();
}

dew_Status dew_levelset_cut(dew_Grid *grid, const double *phi, double *share, double *area)
{
    Work work = {grid, phi, share, area};
    return dew_grid_for(grid, cut_chunk, &work);
}

// ---- Sums over the domain ------------------------------------------------------------------------

typedef struct Sums {
    const dew_Grid *grid;
    const double *share, *area, *f;
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
            volume += sums->share[at];
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
    double *share = dew_arena_array(scratch, double, count);
    double *area = dew_arena_array(scratch, double, count);
    double *by_brick = dew_arena_array(scratch, double, 2 * bricks);
    if (!share || !area || !by_brick)
        return dew_no_memory((size_t)count * sizeof(double));
    Sums sums = {grid, share, area, f, by_brick, by_brick + bricks};
    DEW_TRY(dew_levelset_cut(grid, phi, share, area));
    DEW_TRY(dew_grid_for(grid, sum_chunk, &sums));
    *volume = dew_sum(grid->tasks, sums.volume, bricks);
    *surface = dew_sum(grid->tasks, sums.surface, bricks);
    return dew_ok();
}

dew_Status dew_levelset_measure(dew_Grid *grid, const double *phi, dew_Arena *scratch,
                                dew_LevelsetMeasure *out)
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
