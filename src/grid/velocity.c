// Semi-Lagrangian advection: each face traces the flow back and takes the velocity found there.
//
// A brick works on tiles of the three components, a row of eight faces at a time. Two cells around
// the brick suffice for displacements of up to one cell; a brick with longer ones is done again
// with four around it, and rows that leave these sample the grid point by point. Cubic
// interpolation is Lagrange's through four samples along each axis, clamped to the samples next to
// the point, so that it makes no new extremes. Limits: first order in time as a splitting;
// displacements must not cross solids thinner than the displacement in a step.

#include "grid/velocity.h"

#include "base/simd.h"
#include "base/status.h"
#include "base/sum.h"
#include "grid/sample.h"

#include <math.h>
#include <string.h>

#define LANES DEW_BRICK
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

// ---- One by one ---------------------------------------------------------------------------------

static dew_Vec3 velocity_at(const dew_SampleTile *t, dew_Interpolation path_interpolation,
                            dew_Vec3 x)
{
    return path_interpolation == DEW_CUBIC ? dew_sample_velocity_cubic(t, x)
                                           : dew_sample_velocity(t, x);
}

// Where the fluid that is at x now was dt ago.
static dew_Vec3 trace_back(const dew_SampleTile *t, const dew_AdvectDef *def, dew_Vec3 x)
{
    double c = def->dt_s / t->grid->cell_m;
    dew_Vec3 k1 = velocity_at(t, def->path_interpolation, x);
    dew_Vec3 k2 = velocity_at(t, def->path_interpolation, dew_add_scaled(x, -0.5 * c, k1));
    if (def->stages < 3)
        return dew_add_scaled(x, -c, k2);
    dew_Vec3 k3 = velocity_at(t, def->path_interpolation, dew_add_scaled(x, -0.75 * c, k2));
    dew_Vec3 mean = dew_combine(2.0 / 9, k1, 3.0 / 9, k2);
    mean = dew_add_scaled(mean, 4.0 / 9, k3);
    return dew_add_scaled(x, -c, mean);
}

static double advect_face(const Advection *s, const dew_SampleTile *t,
                          const dew_SampleTile *carried, int axis, dew_Vec3 x)
{
    x = trace_back(t, s->def, x);
    if (!t->is_clear)
        x = dew_sample_outside(t, x);
    return s->def->interpolation == DEW_CUBIC ? dew_sample_cubic(carried, axis, x)
                                              : dew_sample_linear(carried, axis, x);
}

// ---- Rows of eight ------------------------------------------------------------------------------

static const double lowest[3] = {0, 0, 0}, highest[3] = {0.5, 0.5, 0.5};
static const double face_offset[3][3] = {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};

// Do the samples around all points, `reach` to each side, lie in the tile? low and high: the least
// and greatest offset in their cells of the samples that are wanted. False for NaN.
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

// Velocity on the faces of axis a themselves: the other components are means of four. c: the first
// face in the tile.
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

// One stage: velocity k at the points that lie a fraction `part` of the path behind p along v.
// False when they are not in the tile.
DEW_BODY bool stage(const Advection *s, const dew_SampleTile *t, const Points *p,
                    const double cells[LANES], double part, const Points *v, Points *k)
{
    Points q;
    const dew_TileShape shape = {t->pad, t->dimensions == 2};
    const double *const u[3] = {t->u[0], t->u[1], t->u[2]};
    move(p, cells, part, v, t->dimensions, &q);
    bool is_cubic = s->def->path_interpolation == DEW_CUBIC;
    if (!are_near(&q, lowest, highest, is_cubic ? 2 : 1, shape))
        return false;
    s->kernels->velocity(u, is_cubic, shape, &q, k);
    return true;
}

// Traces a row of faces back from p, as trace_back does, by `cells` times the velocity. at: the
// first face in the tile.
DEW_BODY bool row_back(const Advection *s, const dew_SampleTile *t, int axis, int at,
                       const double cells[LANES], Points *p)
{
    const int axes = t->dimensions == 2 ? 2 : 3;
    Points k1, k2, k3;
    velocity_on_faces(t, axis, at, &k1);
    if (s->def->path_interpolation == DEW_CUBIC && !stage(s, t, p, cells, 0, &k1, &k1))
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

// ---- Bricks -------------------------------------------------------------------------------------

// The tiles of a brick, and which of its faces are to be advected.
typedef struct Work {
    dew_SampleTile u, other;
    const dew_SampleTile *carried;
    uint8_t is_wanted[3][DEW_BRICK_CELLS];
} Work;

// One row of faces; false when a path leaves the tile.
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

// All faces of a brick. False when a path leaves the tile and may_be_slow does not allow for that.
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

// Faces of which one of the two cells is near enough to the liquid, and not deep in a solid. False:
// none.
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
            advect_brick(s, b, DEW_MAX_PAD, true, &w);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(advect_chunk)

dew_Status dew_velocity_advect(const dew_Grid *grid, const double *const u[3],
                               const double *const carried[3], const dew_AdvectDef *def,
                               double *const to[3])
{
    if (def->stages != 2 && def->stages != 3)
        return dew_fail(DEW_BAD_INPUT, "expected a backward trace of 2 or 3 stages, found %d",
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

// ---- rows of faces ------------------------------------------------------------------------------

// Interpolation at eight points at once: where they are is computed four at a time, then each point
// mixes rows of two or four samples, which lie side by side.
//
// Compiled for any machine and for AVX2; nothing is contracted, so both are bit-identical.

#define LANES DEW_BRICK

typedef double Two __attribute__((vector_size(16)));
typedef int64_t Long4 __attribute__((vector_size(32)));
typedef int32_t Int4 __attribute__((vector_size(16)));

// Where points lie among samples along one axis: the sample below, and how far beyond it.
typedef struct Along {
    int below[LANES];
    double f[LANES];
} Along;

DEW_BODY void split(const double x[LANES], double offset, Along *out)
{
    const dew_Four one = {1, 1, 1, 1};
    for (int l = 0; l < LANES; l += 4) {
        dew_Four s, floor;
        memcpy(&s, x + l, sizeof s);
        s = s - offset;
        Int4 i = __builtin_convertvector(s, Int4);
        floor = __builtin_convertvector(i, dew_Four);
        floor -= (dew_Four)((Long4)one & (Long4)(s < floor));
        i = __builtin_convertvector(floor, Int4);
        s -= floor;
        memcpy(out->below + l, &i, sizeof i);
        memcpy(out->f + l, &s, sizeof s);
    }
}

// Places in the tile of the samples below the points.
DEW_BODY void find_places(const Along *x, const Along *y, const Along *z, int pad, bool is_flat,
                          int at[LANES])
{
    const int row = DEW_BRICK + 2 * pad, first = pad + row * (pad + row * pad);
    for (int l = 0; l < LANES; l++)
        at[l] = first + x->below[l] + row * (y->below[l] + (is_flat ? 0 : row * z->below[l]));
}

DEW_BODY double linear_at(const double *c, int row, bool is_flat, double fx, double fy, double fz)
{
    Two a, b, low;
    memcpy(&a, c, sizeof a);
    memcpy(&b, c + row, sizeof b);
    low = a + fy * (b - a);
    if (!is_flat) {
        memcpy(&a, c + row * row, sizeof a);
        memcpy(&b, c + row * row + row, sizeof b);
        Two high = a + fy * (b - a);
        low = low + fz * (high - low);
    }
    return low[0] + fx * (low[1] - low[0]);
}

DEW_BODY void linear_body(const double *tile, const Along *x, const Along *y, const Along *z,
                          int pad, bool is_flat, double out[LANES])
{
    int at[LANES];
    find_places(x, y, z, pad, is_flat, at);
    for (int l = 0; l < LANES; l++)
        out[l] = linear_at(tile + at[l], DEW_BRICK + 2 * pad, is_flat, x->f[l], y->f[l],
                           is_flat ? 0 : z->f[l]);
}

// Weights of Lagrange's cubic through -1, 0, 1, 2 at f.
DEW_BODY void cubic_weights(double f, dew_Four *w)
{
    const dew_Four c3 = {-1.0 / 6, 0.5, -0.5, 1.0 / 6}, c2 = {0.5, -1, 0.5, 0};
    const dew_Four c1 = {-1.0 / 3, -0.5, 1, -1.0 / 6}, c0 = {0, 1, 0, 0};
    *w = ((c3 * f + c2) * f + c1) * f + c0;
}

DEW_BODY double smaller(double a, double b)
{
    return a < b ? a : b;
}
DEW_BODY double larger(double a, double b)
{
    return a > b ? a : b;
}

// Bounded by the samples around the point: c and those after it along each axis.
DEW_BODY double bounded(const double *c, int row, bool is_flat, double value)
{
    double low = smaller(smaller(c[0], c[1]), smaller(c[row], c[row + 1]));
    double high = larger(larger(c[0], c[1]), larger(c[row], c[row + 1]));
    if (!is_flat) {
        const double *d = c + row * row;
        low = smaller(low, smaller(smaller(d[0], d[1]), smaller(d[row], d[row + 1])));
        high = larger(high, larger(larger(d[0], d[1]), larger(d[row], d[row + 1])));
    }
    return larger(smaller(value, high), low);
}

// The value at the point beyond sample c by f.
DEW_BODY double cubic_at(const double *c, int row, bool is_flat, double fx, double fy, double fz)
{
    dew_Four wx, wy, wz = {0}, sum = {0};
    cubic_weights(fx, &wx);
    cubic_weights(fy, &wy);
    if (!is_flat)
        cubic_weights(fz, &wz);
    for (int k = is_flat ? 1 : 0; k < (is_flat ? 2 : 4); k++) {
        const double *from = c - 1 - row + (k - 1) * row * row;
        dew_Four r0, r1, r2, r3;
        memcpy(&r0, from, sizeof r0);
        memcpy(&r1, from + row, sizeof r1);
        memcpy(&r2, from + 2 * row, sizeof r2);
        memcpy(&r3, from + 3 * row, sizeof r3);
        dew_Four layer = (wy[0] * r0 + wy[1] * r1) + (wy[2] * r2 + wy[3] * r3);
        sum = is_flat ? layer : sum + wz[k] * layer;
    }
    return bounded(c, row, is_flat, dew_four_dot(&wx, &sum));
}

DEW_BODY void cubic_body(const double *tile, const Along *x, const Along *y, const Along *z,
                         int pad, bool is_flat, double out[LANES])
{
    int at[LANES];
    find_places(x, y, z, pad, is_flat, at);
    for (int l = 0; l < LANES; l++)
        out[l] = cubic_at(tile + at[l], DEW_BRICK + 2 * pad, is_flat, x->f[l], y->f[l],
                          is_flat ? 0 : z->f[l]);
}

DEW_BODY void any_body(const double *tile, const Along *x, const Along *y, const Along *z, int pad,
                       bool is_flat, bool is_cubic, double out[LANES])
{
    if (is_cubic)
        cubic_body(tile, x, y, z, pad, is_flat, out);
    else
        linear_body(tile, x, y, z, pad, is_flat, out);
}

DEW_BODY void velocity_body(const double *const u[3], bool is_cubic, int pad, bool is_flat,
                            const dew_EightPoints *p, dew_EightPoints *out)
{
    Along face[3], middle[3];
    for (int a = 0; a < (is_flat ? 2 : 3); a++) {
        split(p->x[a], 0, &face[a]);
        split(p->x[a], 0.5, &middle[a]);
    }
    for (int a = 0; a < (is_flat ? 2 : 3); a++)
        any_body(u[a], a == 0 ? &face[0] : &middle[0], a == 1 ? &face[1] : &middle[1],
                 a == 2 ? &face[2] : &middle[2], pad, is_flat, is_cubic, out->x[a]);
}

DEW_BODY void one_body(const double *tile, const double offset[3], int pad, bool is_flat,
                       bool is_cubic, const dew_EightPoints *p, double out[LANES])
{
    Along along[3];
    for (int a = 0; a < (is_flat ? 2 : 3); a++)
        split(p->x[a], offset[a], &along[a]);
    any_body(tile, &along[0], &along[1], &along[2], pad, is_flat, is_cubic, out);
}

// Shapes that matter, as constants.
#define FOR_SHAPE(call)                                                                            \
    do {                                                                                           \
        if (shape.is_flat)                                                                         \
            call(shape.pad, true);                                                                 \
        else if (shape.pad == 2)                                                                   \
            call(2, false);                                                                        \
        else                                                                                       \
            call(shape.pad, false);                                                                \
    } while (0)

#define LINEAR_VELOCITY(pad, is_flat) velocity_body(u, false, pad, is_flat, p, out)
#define CUBIC_VELOCITY(pad, is_flat)  velocity_body(u, true, pad, is_flat, p, out)
#define LINEAR(pad, is_flat)          one_body(tile, offset, pad, is_flat, false, p, out)
#define CUBIC(pad, is_flat)           one_body(tile, offset, pad, is_flat, true, p, out)

#define KERNELS(attribute, suffix)                                                                 \
    attribute static void velocity_##suffix(const double *const u[3], bool is_cubic,               \
                                            dew_TileShape shape, const dew_EightPoints *p,         \
                                            dew_EightPoints *out)                                  \
    {                                                                                              \
        if (is_cubic)                                                                              \
            FOR_SHAPE(CUBIC_VELOCITY);                                                             \
        else                                                                                       \
            FOR_SHAPE(LINEAR_VELOCITY);                                                            \
    }                                                                                              \
    attribute static void linear_##suffix(const double *tile, const double offset[3],              \
                                          dew_TileShape shape, const dew_EightPoints *p,           \
                                          double out[LANES])                                       \
    {                                                                                              \
        FOR_SHAPE(LINEAR);                                                                         \
    }                                                                                              \
    attribute static void cubic_##suffix(const double *tile, const double offset[3],               \
                                         dew_TileShape shape, const dew_EightPoints *p,            \
                                         double out[LANES])                                        \
    {                                                                                              \
        FOR_SHAPE(CUBIC);                                                                          \
    }                                                                                              \
    static const dew_RowKernels kernels_##suffix = {velocity_##suffix, linear_##suffix,            \
                                                    cubic_##suffix}

KERNELS(, plain);
KERNELS(DEW_WIDE, wide);

const dew_RowKernels *dew_row_kernels(bool may_be_wide)
{
    return may_be_wide && dew_is_wide() ? &kernels_wide : &kernels_plain;
}

// ---- Ghost velocities in solids -----------------------------------------------------------------

// Velocities in solids: what the flow outside, continued linearly through the wall, would be there.
//
// A face at depth g is mirrored to the point at the same distance outside (at least half a cell, so
// that its samples are fluid ones). Against the wall, the normal part of the velocity there is
// reversed and scaled by g over the distance; the tangential part vanishes at the slip length l
// behind the wall: u(-g) = u(d) (l - g) / (l + d). Faces outside are only read, those inside only
// written, but mirror points near the wall mix both; so the passes read a copy.

#define ROW (DEW_BRICK + 2)  // of distances

typedef struct Ghosts {
    const dew_Grid *grid;
    const dew_GhostDef *def;
    double *const *u;       // written
    const double *from[3];  // copies
} Ghosts;

// What surrounds a brick: velocities as far as mirrored points may lie, distances beside it, in
// cells.
typedef struct Tiles {
    dew_SampleTile u;
    double distance[DEW_TILE_SIZE(1)];
} Tiles;

static void load_ghost_tiles(const Ghosts *s, int32_t brick, Tiles *t)
{
    dew_sample_tile_load(&t->u, s->grid, s->from, NULL, brick, DEW_MAX_PAD);
    dew_tile_load(s->grid, s->def->solid, brick, 1, t->distance);
    for (int i = 0; i < (s->grid->depth == 1 ? 3 : DEW_BRICK + 2) * ROW * ROW; i++)
        t->distance[i] /= s->grid->cell_m;
}

DEW_BODY double wall_velocity(const Ghosts *s, int axis, int64_t at)
{
    return s->def->wall_u[axis] ? s->def->wall_u[axis][at] : 0;
}

// dew_sample_linear, several rows at once where they are all on the tile.
DEW_BODY double component(const dew_SampleTile *t, int axis, dew_Vec3 x)
{
    const int row = DEW_BRICK + 2 * DEW_MAX_PAD, layer = row * row;
    const double lo = -DEW_MAX_PAD, hi = DEW_BRICK + DEW_MAX_PAD - 1;
    const double p[3] = {axis == 0 ? x.x : x.x - 0.5, axis == 1 ? x.y : x.y - 0.5,
                         axis == 2 ? x.z : x.z - 0.5};
    bool is_on_tile = p[0] >= lo && p[0] < hi && p[1] >= lo && p[1] < hi && p[2] >= lo && p[2] < hi;
    if (t->dimensions == 2 || !is_on_tile)
        return dew_sample_linear(t, axis, x);
    int i = dew_face_floor(p[0]), j = dew_face_floor(p[1]), k = dew_face_floor(p[2]);
    double fx = p[0] - i, fy = p[1] - j, fz = p[2] - k;
    const double *c = t->u[axis] + dew_tile_at(DEW_MAX_PAD, i, j, k);
    dew_Four low = {c[0], c[row], c[layer], c[layer + row]};
    dew_Four high = {c[1], c[row + 1], c[layer + 1], c[layer + row + 1]};
    low += fx * (high - low);
    double a = low[0] + fy * (low[1] - low[0]), b = low[2] + fy * (low[3] - low[2]);
    return a + fz * (b - a);
}

// The ghost value of a face at depth g cells, at x, with n out of the solid. The wall moves at w;
// what it lets slip is in cells.
DEW_BODY double ghost_value(const dew_SampleTile *t, int axis, dew_Vec3 x, double g, dew_Vec3 n,
                            dew_Vec3 w, double slip)
{
    double d = g > 1 ? g : 1;  // where samples on both sides are fluid
    dew_Vec3 p = dew_add_scaled(x, g + d, n);
    dew_Vec3 v = {component(t, 0, p), component(t, 1, p),
                  t->dimensions == 3 ? component(t, 2, p) : 0};
    v = dew_sub(v, w);
    double normal = dew_inner(v, n);
    double tangential_factor = isinf(slip) ? 1 : (slip - g) / (slip + d);
    dew_Vec3 tangential = dew_add_scaled(v, -normal, n);
    dew_Vec3 ghost = dew_combine(-g / d * normal, n, tangential_factor, tangential);
    ghost = dew_add(ghost, w);
    return axis == 0 ? ghost.x : axis == 1 ? ghost.y : ghost.z;
}

// Distance to solids at a lower face, in cells: the mean of its two cells; and its gradient. c: the
// upper one.
DEW_BODY double distance_at_face(const Tiles *t, int axis, int c, dew_Vec3 *gradient)
{
    const int step[3] = {1, ROW, ROW * ROW};
    const double *up = t->distance + c, *low = up - step[axis];
    double g[3] = {0};
    for (int b = 0; b < (t->u.dimensions == 2 ? 2 : 3); b++)
        g[b] = b == axis ? *up - *low
                         : 0.25 * ((up[step[b]] - up[-step[b]]) + (low[step[b]] - low[-step[b]]));
    *gradient = dew_vec(g[0], g[1], g[2]);
    return 0.5 * (*up + *low);
}

DEW_BODY void fill_brick(const Ghosts *s, int32_t brick, Tiles *t)
{
    double depth = s->def->depth_m / s->grid->cell_m;
    bool is_loaded = false;
    for (int i = 0; i < s->grid->brick_cells; i++) {
        int64_t at = (int64_t)brick * s->grid->brick_cells + i;
        double h = s->grid->cell_m, near = s->def->solid[at] / h;
        if (near > 1 || near < -depth - 1)
            continue;
        if (!is_loaded)
            load_ghost_tiles(s, brick, t);
        is_loaded = true;
        for (int a = 0; a < dew_grid_axes(s->grid); a++) {
            dew_Vec3 n, x = dew_add(dew_vec(i & 7, i >> 3 & 7, i >> 6),
                                    dew_place_offset((dew_Place)(DEW_AT_FACE_X + a)));
            int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
            double d = distance_at_face(t, a, c, &n);
            if (d >= 0 || d < -depth)
                continue;
            dew_Vec3 w = {wall_velocity(s, 0, at), wall_velocity(s, 1, at), 0};
            w.z = s->grid->dimensions == 3 ? wall_velocity(s, 2, at) : 0;
            double slip = (s->def->slip ? s->def->slip[at] : s->def->slip_m) / h;
            s->u[a][at] = ghost_value(&t->u, a, x, -d, dew_normalize(n), w, slip);
        }
    }
}

DEW_BODY dew_Status fill_chunk_body(void *context, int64_t begin, int64_t end)
{
    Tiles tiles;
    for (int32_t b = (int32_t)begin; b < end; b++)
        fill_brick(context, b, &tiles);
    return dew_ok();
}
DEW_WIDE_CHUNK(fill_chunk)

dew_Status dew_velocity_fill_solids(const dew_Grid *grid, double *const u[3],
                                    const dew_GhostDef *def, dew_Arena *scratch)
{
    dew_ArenaMark mark = dew_arena_mark(scratch);
    int64_t values = dew_grid_value_count(grid);
    Ghosts s = {.grid = grid, .def = def, .u = u};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        double *copy = dew_arena_raw_array(scratch, double, values);
        if (!copy) {
            dew_arena_rewind(scratch, mark);
            return dew_no_memory((size_t)values * sizeof(double));
        }
        memcpy(copy, u[a], (size_t)values * sizeof(double));
        s.from[a] = copy;
    }
    dew_Status status = dew_grid_for(grid, fill_chunk, &s);
    dew_arena_rewind(scratch, mark);
    return status;
}

dew_Vec3 dew_velocity_at(const dew_Grid *grid, const double *const u[3], int32_t brick,
                         dew_Vec3 x_m)
{
    const int32_t *c = dew_grid_coord(grid, brick);
    dew_Vec3 x = dew_scale(1 / grid->cell_m, dew_sub(x_m, grid->origin_m));
    double p[3] = {x.x - 8 * c[0], x.y - 8 * c[1], x.z - grid->depth * c[2]}, result[3] = {0};
    for (int a = 0; a < dew_grid_axes(grid); a++) {
        dew_Vec3 o = dew_place_offset((dew_Place)(DEW_AT_FACE_X + a));
        double q[3] = {p[0] - o.x, p[1] - o.y, grid->dimensions == 3 ? p[2] - o.z : 0};
        double sum = 0, weights = 0;
        for (int n = 0; n < 8; n++) {
            double w = 1;
            int32_t cell[3];
            for (int b = 0; b < 3; b++) {
                double below = floor(q[b]), f = q[b] - below;
                w *= n >> b & 1 ? f : 1 - f;
                cell[b] = (int32_t)below + (n >> b & 1) + (b < 2 ? 8 : grid->depth) * c[b];
            }
            int64_t at = w > 0 ? dew_grid_cell(grid, cell) : DEW_INVALID;
            sum += at >= 0 ? w * u[a][at] : 0;
            weights += at >= 0 ? w : 0;
        }
        result[a] = weights > 0 ? sum / weights : 0;
    }
    return dew_vec(result[0], result[1], result[2]);
}
