// Curvature and normals of a level set by second-order central differences, [Wang2005] eq. (9).
//
// The curvature told is that of the level of phi through the cell's centre, which differs from the
// surface's by phi kappa^2 for a distance: whoever wants the surface's looks it up at the closest point.
#include "base/status.h"
#include "grid/levelset.h"
#include "grid/wide.h"

#define WIDTH (DEW_BRICK + 2)

typedef struct Work {
    const dew_Grid *grid;
    const double *phi;
    double band_m;
    double *kappa;
    double *const *normal;
} Work;

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
    double floor = 1e-12 * h * h;
    square = square > floor ? square : floor;
    return sum / (square * sqrt(square) * h);
}

DEW_BODY dew_Status curvature_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *work = context;
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
    Work work = {.grid = grid, .phi = phi, .band_m = band_m, .kappa = kappa};
    return dew_grid_for(grid, curvature_chunk, &work);
}

DEW_BODY dew_Status normal_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Work *work = context;
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
                bool is_told = fabs(p[0]) < work->band_m && length > 0;
                for (int a = 0; a < 3; a++)
                    work->normal[a][out + i] = is_told ? g[a] / length : 0;
            }
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(normal_chunk)

dew_Status dew_levelset_normals(dew_Grid *grid, const double *phi, double band_m,
                                double *const normal[3])
{
    Work work = {.grid = grid, .phi = phi, .band_m = band_m, .normal = normal};
    return dew_grid_for(grid, normal_chunk, &work);
}
