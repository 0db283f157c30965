// Semi-Lagrangian advection: each face follows the flow back and takes what it finds there.
//
// A brick works on tiles of the three components with four cells around it, which serve ways of up to
// two cells; longer ways look values up in the grid one by one. Cubic interpolation is Lagrange's
// through four samples along each axis, clamped to the samples next to the point, so that it makes no
// new extremes. Limits: first order in time as a splitting; ways must not cross solids thinner than a
// step's way.
#include "grid/velocity.h"

#include "base/status.h"
#include "base/sum.h"
#include "grid/velocity_sample.h"

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
} Advection;

// Where the fluid that is at x now was dt ago; x in cells, relative to the brick.
static dew_Vec3 way_back(const dew_SampleTile *t, dew_Vec3 x, double cells_per_speed, int stages)
{
    dew_Vec3 k1 = dew_sample_velocity(t, x);
    dew_Vec3 k2 = dew_sample_velocity(t, dew_add_scaled(x, -0.5 * cells_per_speed, k1));
    if (stages < 3)
        return dew_add_scaled(x, -cells_per_speed, k2);
    dew_Vec3 k3 = dew_sample_velocity(t, dew_add_scaled(x, -0.75 * cells_per_speed, k2));
    dew_Vec3 mean = dew_combine(2.0 / 9, k1, 3.0 / 9, k2);
    mean = dew_add_scaled(mean, 4.0 / 9, k3);
    return dew_add_scaled(x, -cells_per_speed, mean);
}

// Is one of the two cells of this face near enough to the liquid?
static bool is_wanted(const Advection *s, int32_t brick, int i, int axis)
{
    const double *phi = s->def->phi;
    if (!phi || phi[(int64_t)brick * s->grid->brick_cells + i] < s->def->band_m)
        return true;
    int c[3] = {i & 7, i >> 3 & 7, i >> 6};
    c[axis]--;
    int64_t low = dew_grid_near(s->grid, brick, c[0], c[1], c[2]);
    return low >= 0 && phi[low] < s->def->band_m;
}

static void advect_brick(const Advection *s, int32_t brick)
{
    dew_SampleTile t, other, *carried = &t;
    dew_sample_tile_load(&t, s->grid, s->u, s->def->solid, brick);
    if (s->carried != s->u) {
        carried = &other;
        dew_sample_tile_load(carried, s->grid, s->carried, NULL, brick);
    }
    double cells_per_speed = s->def->dt_s / s->grid->cell_m;
    for (int a = 0; a < s->grid->dimensions; a++) {
        dew_Vec3 offset = dew_place_offset((dew_Place)(DEW_AT_FACE_X + a));
        for (int i = 0; i < s->grid->brick_cells; i++) {
            int64_t at = (int64_t)brick * s->grid->brick_cells + i;
            if (!is_wanted(s, brick, i, a)) {
                s->to[a][at] = s->carried[a][at];
                continue;
            }
            dew_Vec3 x = dew_add(dew_vec(i & 7, i >> 3 & 7, i >> 6), offset);
            x = way_back(&t, x, cells_per_speed, s->def->stages);
            if (s->def->solid)
                x = dew_sample_outside(&t, x);
            s->to[a][at] = s->def->interpolation == DEW_CUBIC ? dew_sample_cubic(carried, a, x)
                                                              : dew_sample_linear(carried, a, x);
        }
    }
}

static dew_Status advect_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    for (int32_t b = (int32_t)begin; b < end; b++)
        advect_brick(context, b);
    return dew_ok();
}

dew_Status dew_velocity_advect(const dew_Grid *grid, const double *const u[3],
                               const double *const carried[3], const dew_AdvectDef *def,
                               double *const to[3])
{
    if (def->stages != 2 && def->stages != 3)
        return dew_fail(DEW_BAD_INPUT, "a way back in %d stages is not known (2 or 3)",
                        def->stages);
    Advection s = {grid, u, carried ? carried : u, def, to};
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
