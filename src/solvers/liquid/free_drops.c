// Projection that leaves drops which touch nothing their momentum.
//
// The tension of a closed surface sums to zero, and no pressure inside changes what a drop's centre does. On the grid the
// sum is not quite zero: a curvature that is wrong by 1e-4 on one side pushes a drop of six cells' radius at 4 cm/s^2.
// So what projection does to the mean velocity of a free drop is taken back from all of it, which leaves it as free of
// divergence as it was. Faces count with the part of the way between their two cells that is in the liquid: the
// pressure's differences then add up along each row of cells to those of the surface's pressures at the row's ends.
//
// Limits: with wind, which does push, nothing is taken back; nor of drops within three cells of a solid or of the domain's
// end, where bricks end and liquid leaves. The turning that such errors give is not looked at.
#include "base/status.h"
#include "solvers/liquid/liquid.h"

#include <string.h>

#define NEAR 3.0  // cells from a solid or the domain's end: such a drop may touch it

typedef struct Work {
    const dew_LiquidFlow *flow;
    const dew_Grid *grid;
    const double *phi;
    const int32_t *drop;
    const uint8_t *is_free;  // by drop
    int64_t drop_count;
    double *before[3];
    double *change, *weight;  // three by drop
} Work;

// Is the whole brick away from the domain's ends?
static bool brick_is_inside(const Work *w, int32_t b)
{
    dew_Box box = dew_problem_domain(w->flow->problem);
    double h = w->grid->cell_m, size = DEW_BRICK * h, near = NEAR * h;
    dew_Vec3 low = dew_grid_position(w->grid, b, 0, 0, 0, DEW_AT_NODE);
    bool is_flat = w->grid->dimensions == 2;
    return low.x > box.min.x + near && low.x + size < box.max.x - near &&
           low.y > box.min.y + near && low.y + size < box.max.y - near &&
           (is_flat || (low.z > box.min.z + near && low.z + size < box.max.z - near));
}

// Which drops are free; false: none.
static bool find_free(const Work *w, uint8_t *is_free)
{
    const dew_Liquid *liquid = w->flow->liquid;
    const dew_LiquidDrop *drops = DEW_ITEMS(&liquid->drops, dew_LiquidDrop);
    double near = NEAR * w->grid->cell_m;
    bool is_any = false;
    for (int64_t d = 0; d < w->drop_count; d++)
        is_free[d] = drops[d].cell_count > DEW_LIQUID_TINY;
    for (int32_t b = 0; b < w->grid->brick_count; b++) {
        bool is_inside = brick_is_inside(w, b);
        for (int n = 0; n < w->grid->brick_cells && (w->flow->solid || !is_inside); n++) {
            int64_t at = (int64_t)b * w->grid->brick_cells + n;
            bool touches = !is_inside || (w->flow->solid && w->flow->solid[at] < near);
            if (touches && w->drop[at] >= 0 && w->drop[at] < w->drop_count)
                is_free[w->drop[at]] = 0;
        }
    }
    for (int64_t d = 0; d < w->drop_count; d++)
        is_any |= is_free[d];
    return is_any;
}

// The free drop that the lower face of a cell belongs to, DEW_INVALID: none; and the part of it in the liquid.
static int32_t drop_of_face(const Work *w, int32_t b, int n, int axis, double *part)
{
    int c[3] = {n & 7, n >> 3 & 7, n >> 6};
    int64_t up = (int64_t)b * w->grid->brick_cells + n;
    c[axis]--;
    int64_t low = c[axis] >= 0 ? up - (axis == 0   ? 1
                                       : axis == 1 ? 8
                                                   : 64)
                               : dew_grid_near(w->grid, b, c[0], c[1], c[2]);
    if (low < 0)
        return DEW_INVALID;
    double p = w->phi[low], q = w->phi[up];
    if (p >= 0 && q >= 0)
        return DEW_INVALID;
    *part = p < 0 && q < 0 ? 1 : p < 0 ? p / (p - q) : q / (q - p);
    int32_t drop = w->drop[p < q ? low : up];
    return drop >= 0 && drop < w->drop_count && w->is_free[drop] ? drop : DEW_INVALID;
}

// Has the brick, or one that its lower faces look into, a free drop?
static bool has_free(const Work *w, int32_t b)
{
    int64_t first = (int64_t)b * w->grid->brick_cells;
    for (int64_t n = first; n < first + w->grid->brick_cells; n++)
        if (w->phi[n] < w->grid->cell_m)
            return true;
    return false;
}

static void sum_changes(const Work *w, int32_t b)
{
    for (int a = 0; a < w->grid->dimensions; a++)
        for (int n = 0; n < w->grid->brick_cells; n++) {
            int64_t at = (int64_t)b * w->grid->brick_cells + n;
            double part;
            if (!w->flow->is_known[a][at])
                continue;
            int32_t drop = drop_of_face(w, b, n, a, &part);
            if (drop < 0)
                continue;
            w->change[3 * drop + a] += part * (w->flow->u[a][at] - w->before[a][at]);
            w->weight[3 * drop + a] += part;
        }
}

static dew_Status take_back_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int a = 0; a < w->grid->dimensions && has_free(w, b); a++)
            for (int n = 0; n < w->grid->brick_cells; n++) {
                int64_t at = (int64_t)b * w->grid->brick_cells + n;
                double part;
                if (!w->flow->is_known[a][at])
                    continue;
                int32_t drop = drop_of_face(w, b, n, a, &part);
                if (drop >= 0 && w->weight[3 * drop + a] > 0)
                    w->flow->u[a][at] -= w->change[3 * drop + a] / w->weight[3 * drop + a];
            }
    return dew_ok();
}

static dew_Status project(Work *w, dew_LiquidFlow *flow)
{
    w->change = dew_arena_array(flow->scratch, double, 3 * w->drop_count);
    w->weight = dew_arena_array(flow->scratch, double, 3 * w->drop_count);
    if (!w->change || !w->weight)
        return dew_no_memory((size_t)w->drop_count * 6 * sizeof *w->change);
    DEW_TRY(dew_liquid_take_velocity(flow, w->before));
    for (int a = 0; a < w->grid->dimensions; a++)
        memcpy(w->before[a], flow->u[a], (size_t)dew_liquid_count(flow->liquid) * sizeof(double));
    DEW_TRY(dew_liquid_project(flow));
    for (int32_t b = 0; b < w->grid->brick_count; b++)
        if (has_free(w, b))
            sum_changes(w, b);
    return dew_grid_for(w->grid, take_back_chunk, w);
}

dew_Status dew_liquid_project_free(dew_LiquidFlow *flow)
{
    const dew_Liquid *liquid = flow->liquid;
    Work work = {.flow = flow,
                 .grid = liquid->grid,
                 .phi = dew_liquid_phi(liquid),
                 .drop = dew_grid_field(liquid->grid, liquid->drop),
                 .drop_count = liquid->drops.count};
    uint8_t *is_free = dew_arena_array(flow->scratch, uint8_t, work.drop_count);
    if (!is_free)
        return dew_no_memory((size_t)work.drop_count);
    work.is_free = is_free;
    bool is_pushed = dew_length2(flow->step->moment->wind_m_s) > 0;
    return !is_pushed && find_free(&work, is_free) ? project(&work, flow)
                                                   : dew_liquid_project(flow);
}
