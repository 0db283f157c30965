// Advection of phi, phi_t + u . grad phi = 0: by WENO5 for Hamilton-Jacobi equations
// [JiangPeng2000] with TVD-RK3 [ShuOsher1988], or along characteristics.
//
// Upwind: along each axis the one-sided derivative on the side the flow comes from, a weighted mean
// of three third-order ones; the weights shun those that cross a kink. The velocity of a cell is
// the mean of its faces. Only rows that hold cells of the band are worked on, and in them only
// these cells change.

#include "base/status.h"

#include "base/simd.h"
#include "grid/levelset.h"
#include "grid/sample.h"

#include <string.h>

#define PAD   3
#define WIDTH (DEW_BRICK + 2 * PAD)

typedef struct Stage {
    const dew_Grid *grid;
    const double *phi;    // at the stage
    const double *start;  // at the beginning of the step
    double *out;          // a start + b (phi + dt L(phi))
    const double *const *u;
    double a, b, dt;
    double band_m;
} Stage;

typedef double Four __attribute__((vector_size(32)));
typedef int64_t Mask __attribute__((vector_size(32)));

// One-sided derivative from the five differences v1..v5, counted from the upwind end; four cells at
// once. The epsilon is relative to the slope, which is about one: [JiangPeng2000] take 1e-6.
DEW_BODY void weno5(const Four v[5], Four *out)
{
    Four v1 = v[0], v2 = v[1], v3 = v[2], v4 = v[3], v5 = v[4];
    Four p1 = 2 * v1 - 7 * v2 + 11 * v3;  // six times the derivatives
    Four p2 = -v2 + 5 * v3 + 2 * v4;
    Four p3 = 2 * v3 + 5 * v4 - v5;
    Four c1 = v1 - 2 * v2 + v3, c2 = v2 - 2 * v3 + v4, c3 = v3 - 2 * v4 + v5;
    Four e1 = v1 - 4 * v2 + 3 * v3, e2 = v2 - v4, e3 = 3 * v3 - 4 * v4 + v5;
    Four s1 = 13.0 / 12 * c1 * c1 + 0.25 * e1 * e1 + 1e-6;
    Four s2 = 13.0 / 12 * c2 * c2 + 0.25 * e2 * e2 + 1e-6;
    Four s3 = 13.0 / 12 * c3 * c3 + 0.25 * e3 * e3 + 1e-6;
    // Weights a_i = g_i / s_i^2 over their sum, with one division in all.
    Four q1 = s2 * s3, q2 = s1 * s3, q3 = s1 * s2;
    Four a1 = q1 * q1, a2 = 6 * q2 * q2, a3 = 3 * q3 * q3;
    *out = (a1 * p1 + a2 * p2 + a3 * p3) / (6 * (a1 + a2 + a3));
}

// b where the mask is set, else a. Written out: compilers make branches of it.
DEW_BODY void choose(const Mask *mask, const Four *a, const Four *b, Four *out)
{
    *out = (Four)(((Mask)*b & *mask) | ((Mask)*a & ~*mask));
}

// u d(phi)/dx of the eight cells of a row. at: first cell; s: stride; c: velocity; r: 1 / h.
DEW_BODY void add_axis(const double *at, int s, const double *c, double r, double *rate)
{
    for (int half = 0; half < 2; half++) {
        Four p[7], v[5], speed, sum, slope;
        for (int n = 0; n < 7; n++)
            memcpy(&p[n], at + 4 * half + (n - 3) * s, sizeof p[n]);
        memcpy(&speed, c + 4 * half, sizeof speed);
        memcpy(&sum, rate + 4 * half, sizeof sum);
        Mask is_up = speed > 0;
        for (int n = 0; n < 5; n++) {
            Four up = r * (p[n + 1] - p[n]), down = r * (p[6 - n] - p[5 - n]);
            choose(&is_up, &down, &up, &v[n]);
        }
        weno5(v, &slope);
        sum += speed * slope;
        memcpy(rate + 4 * half, &sum, sizeof sum);
    }
}

// Velocity of the cells of a row along an axis: mean of lower and upper face.
DEW_BODY void row_velocity(const double *tile, int axis, int j, int k, double *c)
{
    const int n = DEW_BRICK + 2;
    const int stride[3] = {1, n, n * n};
    const double *lower = tile + dew_tile_at(1, 0, j, k);
    for (int i = 0; i < DEW_BRICK; i++)
        c[i] = 0.5 * (lower[i] + lower[i + stride[axis]]);
}

DEW_BODY bool meets_band(const double *phi, int cells, double band_m)
{
    double least = HUGE_VAL;
    for (int n = 0; n < cells; n++)
        least = fabs(phi[n]) < least ? fabs(phi[n]) : least;
    return least < band_m;
}

DEW_BODY void stage_brick(const Stage *s, int32_t brick)
{
    const dew_Grid *grid = s->grid;
    const int stride[3] = {1, WIDTH, WIDTH * WIDTH};
    int64_t first = (int64_t)brick * grid->brick_cells;
    double tile[DEW_TILE_SIZE(PAD)], face[3][DEW_TILE_SIZE(1)], r = 1 / grid->cell_m;
    if (!meets_band(s->start + first, grid->brick_cells, s->band_m)) {
        memcpy(s->out + first, s->start + first, (size_t)grid->brick_cells * sizeof(double));
        return;
    }
    dew_tile_load_cross(grid, s->phi, brick, PAD, tile);
    for (int a = 0; a < dew_grid_axes(grid); a++)
        dew_tile_load_cross(grid, s->u[a], brick, 1, face[a]);
    for (int k = 0; k < grid->depth; k++)
        for (int j = 0; j < DEW_BRICK; j++) {
            const double *at = tile + dew_tile_at(PAD, 0, j, k);
            const double *start = s->start + first + 8 * (j + 8 * k);
            double *out = s->out + first + 8 * (j + 8 * k);
            double rate[DEW_BRICK] = {0}, c[DEW_BRICK];
            if (!meets_band(start, DEW_BRICK, s->band_m)) {
                memcpy(out, start, DEW_BRICK * sizeof *out);
                continue;
            }
            for (int a = 0; a < dew_grid_axes(grid); a++) {
                row_velocity(face[a], a, j, k, c);
                add_axis(at, stride[a], c, r, rate);
            }
            for (int i = 0; i < DEW_BRICK; i++) {
                double moved = s->a * start[i] + s->b * (at[i] - s->dt * rate[i]);
                out[i] = fabs(start[i]) < s->band_m ? moved : start[i];
            }
        }
}

DEW_BODY dew_Status stage_chunk_body(void *context, int64_t begin, int64_t end)
{
    for (int64_t b = begin; b < end; b++)
        stage_brick(context, (int32_t)b);
    return dew_ok();
}
DEW_WIDE_CHUNK(stage_chunk)

dew_Status dew_levelset_advect_weno(dew_Grid *grid, double *phi, const double *const u[3],
                                    double dt_s, double band_m, dew_Arena *scratch)
{
    static const double a[3] = {0, 3.0 / 4, 1.0 / 3}, b[3] = {1, 1.0 / 4, 2.0 / 3};
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t count = dew_grid_value_count(grid);
    double *one = dew_arena_raw_array(scratch, double, count);
    double *two = dew_arena_raw_array(scratch, double, count);
    if (!one || !two)
        return dew_no_memory((size_t)count * sizeof(double));
    const double *from[3] = {phi, one, two};
    double *to[3] = {one, two, one};
    dew_Status status = dew_ok();
    for (int n = 0; n < 3 && status.code == DEW_OK; n++) {
        Stage stage = {grid, from[n], phi, to[n], u, a[n], b[n], dt_s, band_m};
        status = dew_grid_for(grid, stage_chunk, &stage);
    }
    if (status.code == DEW_OK)
        memcpy(phi, one, (size_t)(grid->brick_count * (int64_t)grid->brick_cells) * sizeof *phi);
    dew_arena_rewind(scratch, mark);
    return status;
}

// ---- Along characteristics ----------------------------------------------------------------------

// Advection of phi along characteristics: phi(x) = phi(x - displacement in the step), tricubic.
//
// The path is traced back by RK3 through the faces' velocities. Not bound to steps of less than a
// cell; far fewer steps means far less smearing. Where the path leaves the bricks the value
// stays.

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
