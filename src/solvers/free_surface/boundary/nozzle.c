// Nozzles as the grid sees them: disks of the scene; in two dimensions a disk is a slit as wide as its
// diameter.
//
// Liquid is let in in two ways. Behind a level set a nozzle is the end of a pin, a solid whose wall
// moves with the liquid (inflow_outflow.c): phi in the pin is that of a column, so that the surface of
// a jet goes on straight; a cell behind the disk the column narrows, for nothing of it shall be seen
// beside the pin. Where liquid is told by cells as a whole, those right before the disk have its
// velocity (cell_boundary.c), and markers come in.
#include "problem/nozzle.h"

#include "base/status.h"
#include "solvers/free_surface/liquid.h"

#include <math.h>

dew_LiquidNozzle dew_liquid_nozzle_at(const dew_Problem *problem, const dew_Grid *grid,
                                      int64_t inflow)
{
    const dew_Inflow *disk = dew_problem_inflow(problem, inflow);
    double h = grid->cell_m, r = disk->radius_m;
    bool is_flat = grid->dimensions == 2;
    dew_LiquidNozzle nozzle = {.inflow = inflow,
                               .center_m = dew_liquid_in_layer(grid, disk->center_m),
                               .normal = disk->normal,
                               .radius_m = r,
                               .cell_m = h,
                               .is_flat = is_flat,
                               .area_m2 = is_flat ? 2 * r * h : DEW_PI * r * r,
                               .scale = 1};
    nozzle.rate_share = nozzle.area_m2 / (DEW_PI * r * r);
    if (is_flat) {
        nozzle.normal.z = 0;
        nozzle.normal = dew_normalize(nozzle.normal);
    }
    return nozzle;
}

double dew_liquid_nozzle_volume_m3(const dew_Problem *problem, const dew_LiquidNozzle *nozzle,
                                   double begin_s, double end_s)
{
    return nozzle->rate_share * dew_nozzle_volume_m3(problem, nozzle->inflow, begin_s, end_s);
}

double dew_liquid_inflow_speed(const dew_Problem *problem, double time_s, bool is_axes_summed)
{
    double fastest = 0;
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        dew_Vec3 n = dew_problem_inflow(problem, i)->normal;
        double axes = is_axes_summed ? fabs(n.x) + fabs(n.y) + fabs(n.z) : 1;
        fastest = fmax(fastest, dew_nozzle_speed_m_s(problem, i, time_s) * axes);
    }
    return fastest;
}

// ---- The pin -----------------------------------------------------------------------------------

// How far in front of the disk, and how far from its axis.
typedef struct Place {
    double height, radius;
    dew_Vec3 away;  // from the axis, unit
} Place;

static Place place_of(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    dew_Vec3 arm = dew_sub(p, n->center_m);
    if (n->is_flat)
        arm.z = 0;
    double height = dew_inner(arm, n->normal);
    arm = dew_add_scaled(arm, -height, n->normal);
    double radius = dew_length(arm);
    return (Place){height, radius,
                   radius > 0 ? dew_scale(1 / radius, arm) : dew_any_tangent(n->normal)};
}

dew_Closest dew_liquid_nozzle_nearest(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    Place at = place_of(n, p);
    double half = 0.5 * 2 * DEW_LIQUID_SHELLS * n->cell_m;
    dew_Closest c =
        dew_cylinder_distance(dew_vec(at.radius, at.height + half, 0), n->radius_m, half);
    c.normal = dew_combine(c.normal.x, at.away, c.normal.y, n->normal);
    c.point = dew_add_scaled(p, -c.distance, c.normal);
    return c;
}

double dew_liquid_nozzle_phi(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    Place at = place_of(n, p);
    double side = at.radius - n->radius_m, behind = -at.height, h = n->cell_m;
    double cone = (side + behind - h) * sqrt(0.5);
    return fmax(side, fmax(cone, behind - DEW_LIQUID_SHELLS * h));
}

double dew_liquid_nozzle_hidden(const dew_LiquidNozzle *n, dew_Vec3 p)
{
    Place at = place_of(n, p);
    double side = at.radius - n->radius_m, behind = -at.height, h = n->cell_m;
    if (behind > 2 * DEW_LIQUID_SHELLS * h)
        return -HUGE_VAL;
    return fmin(behind, fmin(side + 0.5 * h, DEW_LIQUID_SHELL * h - side));
}

// ---- Cells before it ---------------------------------------------------------------------------

// Half the thickness in which cells are before it.
static double slab_m(const dew_LiquidNozzle *n)
{
    return 0.5 * n->cell_m * (fabs(n->normal.x) + fabs(n->normal.y) + fabs(n->normal.z)) *
           (1 + 1e-9);
}

// A disk narrower than a cell has the cells whose middle is nearest.
static bool is_before(const dew_LiquidNozzle *nozzle, dew_Vec3 x)
{
    dew_Vec3 way = dew_sub(x, nozzle->center_m);
    double along = dew_inner(way, nozzle->normal);
    double aside = dew_length(dew_add_scaled(way, -along, nozzle->normal));
    return fabs(along) <= slab_m(nozzle) && aside <= fmax(nozzle->radius_m, slab_m(nozzle));
}

void dew_liquid_nozzle_box(const dew_LiquidNozzle *nozzle, const dew_Grid *grid, int around,
                           int32_t min[3], int32_t max[3])
{
    double h = grid->cell_m, slab = slab_m(nozzle), wide = fmax(nozzle->radius_m, slab);
    dew_Vec3 c = dew_sub(nozzle->center_m, grid->origin_m), n = nozzle->normal;
    const double middle[3] = {c.x, c.y, c.z}, normal[3] = {n.x, n.y, n.z};
    for (int a = 0; a < 3; a++) {
        double aside = sqrt(fmax(0, 1 - normal[a] * normal[a]));
        double reach =
            wide * aside + slab * fabs(normal[a]) + (around + 0.5 + DEW_LIQUID_ON_WALL) * h;
        double lo = floor((middle[a] - reach) / h), hi = ceil((middle[a] + reach) / h);
        min[a] = (int32_t)fmax(lo, grid->cell_min[a] - grid->margin);
        max[a] = (int32_t)fmin(hi, grid->cell_max[a] + grid->margin);
    }
    if (grid->dimensions == 2) {
        min[2] = 0;
        max[2] = 1;
    }
}

void dew_liquid_nozzle_cells(const dew_LiquidNozzle *nozzle, const dew_Grid *grid,
                             dew_NozzleCellFn *look, void *context)
{
    int32_t min[3], max[3], c[3];
    dew_liquid_nozzle_box(nozzle, grid, 0, min, max);
    for (c[2] = min[2]; c[2] < max[2]; c[2]++)
        for (c[1] = min[1]; c[1] < max[1]; c[1]++)
            for (c[0] = min[0]; c[0] < max[0]; c[0]++) {
                int64_t at = dew_grid_cell(grid, c);
                dew_Vec3 x = dew_add_scaled(grid->origin_m, grid->cell_m,
                                            dew_vec(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5));
                if (at >= 0 && is_before(nozzle, x))
                    look(context, nozzle, c, at);
            }
}
