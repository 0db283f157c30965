// Semi-Lagrangian advection: each face follows the flow back and takes what it finds there.
//
// A brick works on tiles of the three components, a row of eight faces at a time. Two cells around the
// brick serve ways of up to one cell; a brick with longer ones is done again with four around it, and
// rows that lead beyond these look values up in the grid one by one. Cubic interpolation is Lagrange's
// through four samples along each axis, clamped to the samples next to the point, so that it makes no
// new extremes. Limits: first order in time as a splitting; ways must not cross solids thinner than a
// step's way.
#include "grid/velocity.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/sum.h"
#include "grid/velocity_rows.h"
#include "grid/velocity_sample.h"
#include "grid/wide.h"

#define LANES DEW_LANES
#define DEEP  1.5  // cells in a solid: nobody comes out of it within a step

dew_AdvectDef dew_default_advect_def(void)
{
    return (dew_AdvectDef){.interpolation = DEW_CUBIC, .stages = 3};
}

typedef struct Advection {
    const dew_Grid *grid;
    const double *const *u;
    const double *const *carried;
    const dew_AdvectDef *def;
    double *const *to;
    const dew_RowKernels *kernels;
} Advection;

typedef dew_EightPoints Points;

// ---- One by one ----------------------------------------------------------------------------------

static dew_Vec3 velocity_at(const dew_SampleTile *t, dew_Interpolation ways, dew_Vec3 x)
{
    return ways == DEW_CUBIC ? dew_sample_velocity_cubic(t, x) : dew_sample_velocity(t, x);
}

// Where the fluid that is at x now was dt ago.
static dew_Vec3 way_back(const dew_SampleTile *t, const dew_AdvectDef *def, dew_Vec3 x)
{
    double c = def->dt_s / t->grid->cell_m;
    dew_Vec3 k1 = velocity_at(t, def->ways, x);
    dew_Vec3 k2 = velocity_at(t, def->ways, dew_add_scaled(x, -0.5 * c, k1));
    if (def->stages < 3)
        return dew_add_scaled(x, -c, k2);
    dew_Vec3 k3 = velocity_at(t, def->ways, dew_add_scaled(x, -0.75 * c, k2));
    dew_Vec3 mean = dew_combine(2.0 / 9, k1, 3.0 / 9, k2);
    mean = dew_add_scaled(mean, 4.0 / 9, k3);
    return dew_add_scaled(x, -c, mean);
}

static double advect_face(const Advection *s, const dew_SampleTile *t,
                          const dew_SampleTile *carried, int axis, dew_Vec3 x)
{
    x = way_back(t, s->def, x);
    if (!t->is_clear)
        x = dew_sample_outside(t, x);
    return s->def->interpolation == DEW_CUBIC ? dew_sample_cubic(carried, axis, x)
                                              : dew_sample_linear(carried, axis, x);
}

// ---- Rows of eight -------------------------------------------------------------------------------

static const double lowest[3] = {0, 0, 0}, highest[3] = {0.5, 0.5, 0.5};
static const double face_offset[3][3] = {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};

// Do the samples around all points, `reach` to each side, lie in the tile? low and high: the least and
// greatest offset in their cells of the samples that are wanted. False for NaN.
DEW_BODY bool are_near(const Points *p, const double low[3], const double high[3], int reach,
                       dew_TileShape shape)
{
    int is_near = 1;
    for (int a = 0; a < (shape.is_flat ? 2 : 3); a++) {
        const double first = high[a] + reach - 1 - shape.pad;
        const double last = low[a] + DEW_BRICK + shape.pad - reach;
        for (int l = 0; l < LANES; l++)
            is_near &= (p->x[a][l] >= first) & (p->x[a][l] < last);
    }
    return is_near;
}

// Velocity on the faces of axis a themselves: the other components are means of four. c: the first face
// in the tile.
DEW_BODY void velocity_on_faces(const dew_SampleTile *t, int a, int c, Points *out)
{
    const int row = t->row, step[3] = {1, row, row * row};
    for (int b = 0; b < (t->dimensions == 2 ? 2 : 3); b++) {
        const double *u = t->u[b] + c;
        if (a == b)
            memcpy(out->x[b], u, sizeof out->x[b]);
        else
            for (int l = 0; l < LANES; l++)
                out->x[b][l] =
                    0.25 * ((u[l] + u[l + step[b]]) + (u[l - step[a]] + u[l - step[a] + step[b]]));
    }
}

DEW_BODY void move(const Points *from, const double c[LANES], double part, const Points *v,
                   int axes, Points *to)
{
    for (int a = 0; a < axes; a++)
        for (int l = 0; l < LANES; l++)
            to->x[a][l] = from->x[a][l] - part * c[l] * v->x[a][l];
}

// One stage: velocity k at the points that lie `part` of the way behind p along v. False when they are
// not in the tile.
DEW_BODY bool stage(const Advection *s, const dew_SampleTile *t, const Points *p,
                    const double cells[LANES], double part, const Points *v, Points *k)
{
    Points q;
    const dew_TileShape shape = {t->pad, t->dimensions == 2};
    const double *const u[3] = {t->u[0], t->u[1], t->u[2]};
    move(p, cells, part, v, t->dimensions, &q);
    bool is_cubic = s->def->ways == DEW_CUBIC;
    if (!are_near(&q, lowest, highest, is_cubic ? 2 : 1, shape))
        return false;
    s->kernels->velocity(u, is_cubic, shape, &q, k);
    return true;
}

// The way back of a row of faces from p, as way_back; each is `cells` times the velocity long. at: the
// first face in the tile.
DEW_BODY bool row_back(const Advection *s, const dew_SampleTile *t, int axis, int at,
                       const double cells[LANES], Points *p)
{
    const int axes = t->dimensions == 2 ? 2 : 3;
    Points k1, k2, k3;
    velocity_on_faces(t, axis, at, &k1);
    if (s->def->ways == DEW_CUBIC && !stage(s, t, p, cells, 0, &k1, &k1))
        return false;
    if (!stage(s, t, p, cells, 0.5, &k1, &k2))
        return false;
    if (s->def->stages == 3) {
        if (!stage(s, t, p, cells, 0.75, &k2, &k3))
            return false;
        for (int a = 0; a < axes; a++)
            for (int l = 0; l < LANES; l++)
                k2.x[a][l] =
                    (2.0 / 9) * k1.x[a][l] + (3.0 / 9) * k2.x[a][l] + (4.0 / 9) * k3.x[a][l];
    }
    move(p, cells, 1, &k2, axes, p);
    return true;
}

// Points in solids go to the nearest place outside.
DEW_BODY void leave_solids(const Advection *s, const dew_SampleTile *t, Points *p)
{
    static const double middle[3] = {0.5, 0.5, 0.5};
    const dew_TileShape shape = {t->pad, t->dimensions == 2};
    double d[LANES] = {-1, -1, -1, -1, -1, -1, -1, -1};
    if (are_near(p, middle, middle, 1, shape))
        s->kernels->linear(t->distance, middle, shape, p, d);
    for (int l = 0; l < LANES; l++) {
        if (d[l] > 0)
            continue;
        dew_Vec3 x = {p->x[0][l], p->x[1][l], t->dimensions == 3 ? p->x[2][l] : 0};
        x = dew_sample_outside(t, x);
        p->x[0][l] = x.x;
        p->x[1][l] = x.y;
        p->x[2][l] = x.z;
    }
}

// ---- Bricks --------------------------------------------------------------------------------------

// The tiles of a brick, and which of its faces are to be advected.
typedef struct Work {
    dew_SampleTile u, other;
    const dew_SampleTile *carried;
    uint8_t is_wanted[3][DEW_BRICK_CELLS];
} Work;

// One row of faces; false when a way leaves the tile.
DEW_BODY bool advect_row(const Advection *s, const Work *w, int a, int j, int k, double out[LANES])
{
    const uint8_t *is_wanted = w->is_wanted[a] + 8 * j + 64 * k;
    const dew_TileShape shape = {w->u.pad, w->u.dimensions == 2};
    double cells[LANES], c = s->def->dt_s / s->grid->cell_m;
    Points p;
    for (int l = 0; l < LANES; l++) {
        cells[l] = is_wanted[l] ? c : 0;
        p.x[0][l] = l + face_offset[a][0];
        p.x[1][l] = j + face_offset[a][1];
        p.x[2][l] = k + face_offset[a][2];
    }
    if (!row_back(s, &w->u, a, dew_tile_at(shape.pad, 0, j, k), cells, &p))
        return false;
    if (!w->u.is_clear)
        leave_solids(s, &w->u, &p);
    bool is_cubic = s->def->interpolation == DEW_CUBIC;
    if (!are_near(&p, face_offset[a], face_offset[a], is_cubic ? 2 : 1, shape))
        return false;
    const double *tile = w->carried->u[a];
    if (is_cubic)
        s->kernels->cubic(tile, face_offset[a], shape, &p, out);
    else
        s->kernels->linear(tile, face_offset[a], shape, &p, out);
    return true;
}

static void advect_row_slowly(const Advection *s, const Work *w, int a, int j, int k,
                              double out[LANES])
{
    for (int l = 0; l < LANES; l++) {
        dew_Vec3 x = {l + face_offset[a][0], j + face_offset[a][1], k + face_offset[a][2]};
        out[l] = advect_face(s, &w->u, w->carried, a, x);
    }
}

static void load_tiles(const Advection *s, int32_t brick, int pad, Work *w)
{
    w->carried = s->carried != s->u ? &w->other : &w->u;
    dew_sample_tile_load(&w->u, s->grid, s->u, s->def->solid, brick, pad);
    if (s->carried != s->u)
        dew_sample_tile_load(&w->other, s->grid, s->carried, NULL, brick, pad);
}

DEW_BODY bool is_any(const uint8_t *flag, int count)
{
    int any = 0;
    for (int i = 0; i < count; i++)
        any |= flag[i];
    return any;
}

// All faces of a brick. False when a way leaves the tile and may_be_slow does not allow for that.
DEW_BODY bool advect_brick(const Advection *s, int32_t brick, int pad, bool may_be_slow, Work *w)
{
    load_tiles(s, brick, pad, w);
    for (int a = 0; a < dew_grid_axes(s->grid); a++)
        for (int k = 0; k < s->grid->depth; k++)
            for (int j = 0; j < 8; j++) {
                int row = 8 * j + 64 * k;
                int64_t at = (int64_t)brick * s->grid->brick_cells + row;
                const uint8_t *is_wanted = w->is_wanted[a] + row;
                double new[LANES];
                if (!is_any(is_wanted, LANES)) {
                    memcpy(s->to[a] + at, s->carried[a] + at, sizeof new);
                    continue;
                }
                if (!advect_row(s, w, a, j, k, new)) {
                    if (!may_be_slow)
                        return false;
                    advect_row_slowly(s, w, a, j, k, new);
                }
                for (int l = 0; l < LANES; l++)
                    s->to[a][at + l] = is_wanted[l] ? new[l] : s->carried[a][at + l];
            }
    return true;
}

static bool is_near_liquid(const Advection *s, int64_t at)
{
    return (!s->def->phi || s->def->phi[at] < s->def->band_m) &&
           (!s->def->solid || s->def->solid[at] > -DEEP * s->grid->cell_m);
}

// Faces of which one of the two cells is near enough to the liquid, and not deep in a solid. False: none.
static bool find_wanted(const Advection *s, int32_t brick, Work *w)
{
    static const int stride[3] = {1, 8, 64};
    const int cells = s->grid->brick_cells;
    uint8_t is_near[DEW_BRICK_CELLS];
    int count = 0;
    for (int i = 0; i < cells; i++) {
        is_near[i] = is_near_liquid(s, (int64_t)brick * cells + i);
        count += is_near[i];
    }
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        memset(w->is_wanted[a], count > 0, sizeof w->is_wanted[a]);
        for (int i = 0; i < cells && count < cells; i++) {
            int c[3] = {i & 7, i >> 3 & 7, i >> 6};
            bool is_low = c[a] > 0 && is_near[i - stride[a]];
            if (c[a]-- == 0) {
                int64_t low = dew_grid_near(s->grid, brick, c[0], c[1], c[2]);
                is_low = low >= 0 && is_near_liquid(s, low);
            }
            w->is_wanted[a][i] = is_low || is_near[i];
        }
    }
    bool has_any = false;
    for (int a = 0; a < dew_grid_axes(s->grid); a++)
        has_any |= is_any(w->is_wanted[a], cells);
    return has_any;
}

DEW_BODY dew_Status advect_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Advection *s = context;
    const int64_t cells = s->grid->brick_cells;
    Work w;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        if (!find_wanted(s, b, &w))
            for (int a = 0; a < dew_grid_axes(s->grid); a++)
                memcpy(s->to[a] + b * cells, s->carried[a] + b * cells,
                       (size_t)cells * sizeof(double));
        else if (!advect_brick(s, b, 2, false, &w))
            advect_brick(s, b, DEW_SAMPLE_PAD, true, &w);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(advect_chunk)

dew_Status dew_velocity_advect(const dew_Grid *grid, const double *const u[3],
                               const double *const carried[3], const dew_AdvectDef *def,
                               double *const to[3])
{
    if (def->stages != 2 && def->stages != 3)
        return dew_fail(DEW_BAD_INPUT, "a way back in %d stages is not known (2 or 3)",
                        def->stages);
    Advection s = {grid, u, carried ? carried : u, def, to, dew_row_kernels(true)};
    return dew_grid_for(grid, advect_chunk, &s);
}

dew_Vec3 dew_velocity_max(const dew_Grid *grid, const double *const u[3])
{
    double largest[3] = {0};
    int64_t values = (int64_t)grid->brick_count * grid->brick_cells;
    for (int a = 0; a < grid->dimensions; a++)
        largest[a] = dew_max_abs(grid->tasks, u[a], values);
    return dew_vec(largest[0], largest[1], largest[2]);
}
