// Advection of phi along characteristics: phi(x) = phi(x - way of the last step), tricubic.
//
// The way back is traced by RK3 through the faces' velocities. Not bound to steps of less than a cell; far
// fewer steps means far less smearing. Where the way leads out of the bricks the value stays.
#include "base/status.h"
#include "grid/cubic.h"
#include "grid/face_tiles.h"
#include "grid/levelset.h"

#include <string.h>

typedef struct Trace {
    const dew_Grid *grid;
    const double *phi;
    double *out;
    const double *const *u;
    double dt_s, band_m;
} Trace;

DEW_BODY double trace_cell(const Trace *trace, const dew_FaceTiles *tiles, int32_t brick,
                           const int c[3], double here)
{
    double x[3] = {c[0] + 0.5, c[1] + 0.5, c[2] + 0.5};
    dew_CubicCell cell;
    int base[3];
    dew_face_tiles_move(tiles, -trace->dt_s, x);
    for (int a = 0; a < 3; a++) {
        x[a] = tiles->axes == 2 && a == 2 ? 0 : x[a] - 0.5;
        if (!(fabs(x[a] - c[a]) < DEW_BAND_CELLS + 1))
            return here;
        base[a] = dew_face_floor(x[a]);
    }
    if (!dew_cubic_gather(trace->grid, trace->phi, brick, base, &cell))
        return here;
    return dew_cubic_value(&cell, x);
}

DEW_BODY dew_Status trace_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Trace *trace = context;
    const dew_Grid *grid = trace->grid;
    dew_FaceTiles tiles;
    for (int64_t b = begin; b < end; b++) {
        const double *phi = trace->phi + b * grid->brick_cells;
        double *out = trace->out + b * grid->brick_cells;
        bool is_loaded = false;
        for (int n = 0; n < grid->brick_cells; n++) {
            out[n] = phi[n];
            if (!(fabs(phi[n]) < trace->band_m))
                continue;
            if (!is_loaded)
                dew_face_tiles_load(&tiles, grid, trace->u, (int32_t)b);
            is_loaded = true;
            int c[3] = {n & 7, n >> 3 & 7, n >> 6};
            out[n] = trace_cell(trace, &tiles, (int32_t)b, c, phi[n]);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(trace_chunk)

dew_Status dew_levelset_advect_trace(dew_Grid *grid, double *phi, const double *const u[3],
                                     double dt_s, double band_m, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    double *out = dew_arena_array(scratch, double, dew_grid_value_count(grid));
    if (!out)
        return dew_no_memory((size_t)dew_grid_value_count(grid) * sizeof *out);
    Trace trace = {grid, phi, out, u, dt_s, band_m};
    dew_Status status = dew_grid_for(grid, trace_chunk, &trace);
    if (status.code == DEW_OK)
        memcpy(phi, out, (size_t)(grid->brick_count * (int64_t)grid->brick_cells) * sizeof *phi);
    dew_arena_rewind(scratch, mark);
    return status;
}
