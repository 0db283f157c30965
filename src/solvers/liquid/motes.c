// Motes: liquid too small for the grid. A piece of less than a cell, and one that the grid has lost from one
// step to the next, goes on as a ball with a place, a velocity and its volume: it falls freely, rests on the
// solid it meets, and gives its volume to the liquid it touches. So it stays in the account. In one step it gives no
// more than the corrections of that step can bring the drop; the rest goes on.
//
// Limits: motes do not meet one another, and bring no momentum where they rejoin (they are a cell's worth).
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/liquid/liquid.h"

double dew_liquid_mote_radius_m(const dew_Liquid *liquid, const dew_LiquidMote *mote)
{
    if (liquid->grid->dimensions == 2)
        return sqrt(mote->volume_m3 / (DEW_PI * liquid->grid->cell_m));
    return cbrt(mote->volume_m3 * 3 / (4 * DEW_PI));
}

double dew_liquid_motes_m3(const dew_Liquid *liquid)
{
    double sum = 0;
    for (int64_t i = 0; i < liquid->motes.count; i++)
        sum += DEW_ITEMS(&liquid->motes, dew_LiquidMote)[i].volume_m3;
    return sum;
}

dew_Status dew_liquid_add_mote(dew_Liquid *liquid, dew_Vec3 position_m, double volume_m3)
{
    dew_LiquidMote mote = {.position_m = position_m, .volume_m3 = volume_m3};
    const double *u[3] = {NULL, NULL, NULL};
    if (!(volume_m3 > 0))
        return dew_ok();
    for (int a = 0; a < liquid->grid->dimensions; a++)
        u[a] = dew_grid_f64(liquid->grid, liquid->u[a]);
    dew_grid_sample_velocity(liquid->grid, u, position_m, &mote.velocity_m_s);
    return dew_array_push(&liquid->motes, &mote);
}

// The liquid that a mote touches: the drop of the cell deepest in it of those around.
static int32_t drop_touched(const dew_Liquid *liquid, const dew_LiquidMote *mote)
{
    const dew_Grid *grid = liquid->grid;
    int32_t brick = dew_grid_brick_at(grid, mote->position_m), best = DEW_INVALID;
    if (brick < 0)
        return DEW_INVALID;
    const int32_t *drop = dew_grid_field(grid, liquid->drop);
    const double *phi = dew_liquid_phi(liquid);
    dew_Vec3 first = dew_grid_position(grid, brick, 0, 0, 0, DEW_AT_NODE);
    dew_Vec3 x = dew_scale(1 / grid->cell_m, dew_sub(mote->position_m, first));
    int c[3] = {(int)floor(x.x), (int)floor(x.y), grid->depth == 1 ? 0 : (int)floor(x.z)};
    int64_t here = dew_grid_near(grid, brick, c[0], c[1], c[2]);
    double least = HUGE_VAL, radius = dew_liquid_mote_radius_m(liquid, mote);
    if (here < 0 || phi[here] > radius + 0.5 * grid->cell_m)
        return DEW_INVALID;
    for (int n = 0; n < 27; n++) {
        int64_t at =
            dew_grid_near(grid, brick, c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1);
        if (at >= 0 && drop[at] >= 0 && phi[at] < least) {
            least = phi[at];
            best = drop[at];
        }
    }
    return best;
}

// What a drop can take in a step: the corrections shift its surface by so much, less what it misses already.
static double capacity_m3(const dew_Liquid *liquid, int32_t drop)
{
    const dew_LiquidDrop *d = &DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[drop];
    double shift_m = DEW_LIQUID_SHIFTS * DEW_LIQUID_SHIFT * liquid->grid->cell_m;
    double missed_m3 = DEW_ITEMS(&liquid->targets, double)[drop] - d->volume_m3;
    return fmax(shift_m * d->area_m2 - fmax(missed_m3, 0), 0);
}

static void fly(const dew_Problem *problem, const dew_Liquid *liquid, const dew_Step *step,
                dew_LiquidMote *mote)
{
    double radius = dew_liquid_mote_radius_m(liquid, mote), z_m = mote->position_m.z;
    mote->velocity_m_s = dew_add_scaled(mote->velocity_m_s, step->dt_s, step->moment->gravity_m_s2);
    mote->position_m = dew_add_scaled(mote->position_m, step->dt_s, mote->velocity_m_s);
    dew_SolidPoint p = dew_problem_nearest(problem, step->moment, mote->position_m, radius);
    if (p.solid_id != DEW_INVALID && p.distance_m <= radius) {
        mote->position_m = dew_add_scaled(p.point_m, radius, p.normal);
        mote->velocity_m_s = p.velocity_m_s;
    }
    if (liquid->grid->dimensions == 2) {  // it stays in the layer of cells
        mote->position_m.z = z_m;
        mote->velocity_m_s.z = 0;
    }
}

dew_Status dew_liquid_motes_move(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step)
{
    dew_LiquidMote *motes = DEW_ITEMS(&liquid->motes, dew_LiquidMote);
    int64_t kept = 0;
    for (int64_t i = 0; i < liquid->motes.count; i++) {
        dew_LiquidMote mote = motes[i];
        fly(problem, liquid, step, &mote);
        int32_t drop = drop_touched(liquid, &mote);
        if (drop >= 0) {
            double given_m3 = fmin(mote.volume_m3, capacity_m3(liquid, drop));
            DEW_ITEMS(&liquid->targets, double)[drop] += given_m3;
            mote.volume_m3 -= given_m3;
        }
        if (!(mote.volume_m3 > 0))
            continue;
        if (dew_liquid_is_outside(problem, liquid, mote.position_m))
            step->removed_m3 += mote.volume_m3;
        else
            motes[kept++] = mote;
    }
    return dew_array_resize(&liquid->motes, kept);
}
