// Liquid that leaves: through open sides of the domain, and into sinks.
//
// A region takes what enters it: phi becomes the larger of itself and minus the distance to the region, which
// is exact set subtraction. Beyond an open side the region begins a cell outside, so that what is inside
// moves freely; where sources lie beyond a side it begins behind them, so that their drops can come in. What
// is taken is the difference of what the drops should have: that of their volumes, and of a drop that is gone all.
#include "base/status.h"
#include "solvers/liquid/liquid.h"

#define MARGIN 1.0  // cells beyond an open side
#define TOLD   2.0  // cells beyond the surface: phi there is part of what cells at the surface hold

typedef struct Work {
    const dew_Problem *problem;
    dew_Liquid *liquid;
    uint8_t *has_cut;  // per brick
} Work;

// The box that the drops of a source, or of the start, come to lie in; empty for inflows.
static dew_Box box_of(const dew_SourceDef *source)
{
    bool is_drip = source->shape == DEW_SOURCE_DRIP;
    double r = is_drip ? source->radius_m : source->radius_range_m[1];
    dew_Vec3 arm = dew_vec(r, r, r);
    if (is_drip)
        return (dew_Box){dew_sub(source->at_m, arm), dew_add(source->at_m, arm)};
    if (source->shape == DEW_SOURCE_RAIN)
        return (dew_Box){dew_sub(source->min_m, arm), dew_add(source->max_m, arm)};
    return dew_box_empty();
}

void dew_liquid_margins(const dew_Problem *problem, dew_LiquidLaws *laws, double cell_m)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_Box domain = dew_problem_domain(problem), box = domain;
    for (int i = 0; i < dew_scene_source_count(scene); i++) {
        dew_Box more = box_of(dew_scene_source(scene, i));
        if (more.min.x <= more.max.x)
            box = dew_box_union(box, more);
    }
    laws->margin_m[DEW_SIDE_LEFT] = domain.min.x - box.min.x;
    laws->margin_m[DEW_SIDE_RIGHT] = box.max.x - domain.max.x;
    laws->margin_m[DEW_SIDE_FLOOR] = domain.min.y - box.min.y;
    laws->margin_m[DEW_SIDE_CEILING] = box.max.y - domain.max.y;
    laws->margin_m[DEW_SIDE_BACK] = domain.min.z - box.min.z;
    laws->margin_m[DEW_SIDE_FRONT] = box.max.z - domain.max.z;
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        laws->margin_m[side] += MARGIN * cell_m;
}

static double depth_in_box(dew_Box box, dew_Vec3 p)
{
    double x = fmin(p.x - box.min.x, box.max.x - p.x);
    double y = fmin(p.y - box.min.y, box.max.y - p.y);
    double z = fmin(p.z - box.min.z, box.max.z - p.z);
    return fmin(x, fmin(y, z));
}

// How deep a point lies in what takes liquid away; negative outside.
static double depth_outside(const dew_Problem *problem, const dew_Liquid *liquid, dew_Vec3 p)
{
    const dew_SceneDef *def = dew_problem_def(problem);
    const char *const *walls = def->domain.wall_material;
    double depth = -HUGE_VAL;
    const double beyond[DEW_SIDE_COUNT] = {[DEW_SIDE_LEFT] = def->domain.min_m.x - p.x,
                                           [DEW_SIDE_RIGHT] = p.x - def->domain.max_m.x,
                                           [DEW_SIDE_FLOOR] = def->domain.min_m.y - p.y,
                                           [DEW_SIDE_CEILING] = p.y - def->domain.max_m.y,
                                           [DEW_SIDE_BACK] = def->domain.min_m.z - p.z,
                                           [DEW_SIDE_FRONT] = p.z - def->domain.max_m.z};
    for (int side = 0; side < DEW_SIDE_COUNT; side++) {
        bool is_flat = liquid->grid->dimensions == 2;
        if (is_flat && (side == DEW_SIDE_BACK || side == DEW_SIDE_FRONT))
            continue;
        if (!walls[side])
            depth = fmax(depth, beyond[side] - liquid->laws.margin_m[side]);
    }
    for (int i = 0; i < dew_problem_sink_count(problem); i++)
        depth = fmax(depth, depth_in_box(dew_problem_sink(problem, i), p));
    return depth;
}

bool dew_liquid_is_outside(const dew_Problem *problem, const dew_Liquid *liquid, dew_Vec3 p)
{
    return depth_outside(problem, liquid, p) > 0;
}

static dew_Status leave_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Grid *grid = w->liquid->grid;
    double *phi = dew_liquid_phi(w->liquid), h = grid->cell_m, band = DEW_LIQUID_BAND * h;
    const double *solid = dew_liquid_solid(w->liquid);
    dew_Vec3 half = dew_scale(0.5 * h, dew_vec(DEW_BRICK, DEW_BRICK, grid->depth));
    for (int64_t b = begin; b < end; b++) {
        w->has_cut[b] = 0;
        dew_Vec3 middle = dew_add(dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE), half);
        if (depth_outside(w->problem, w->liquid, middle) < -dew_length(half) - band)
            continue;
        for (int n = 0; n < grid->brick_cells; n++) {
            int64_t at = b * grid->brick_cells + n;
            dew_Vec3 p =
                dew_grid_position(grid, (int32_t)b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
            double depth = depth_outside(w->problem, w->liquid, p);
            if (!(depth > phi[at]) || (solid && solid[at] < 0))
                continue;
            w->has_cut[b] |= phi[at] < TOLD * h;
            phi[at] = fmin(depth, band);
        }
    }
    return dew_ok();
}

static double total_m3(const dew_Liquid *liquid)
{
    double sum = 0;
    for (int64_t d = 0; d < liquid->targets.count; d++)
        sum += DEW_ITEMS(&liquid->targets, double)[d];
    return sum;
}

dew_Status dew_liquid_leave(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step)
{
    int32_t bricks = liquid->grid->brick_count;
    Work work = {problem, liquid, dew_arena_array(step->scratch, uint8_t, bricks)};
    if (!work.has_cut)
        return dew_no_memory((size_t)bricks);
    DEW_TRY(dew_grid_for(liquid->grid, leave_chunk, &work));
    bool has_cut = false;
    for (int32_t b = 0; b < bricks; b++)
        has_cut |= work.has_cut[b];
    if (!has_cut)
        return dew_ok();
    double before_m3 = total_m3(liquid);
    DEW_TRY(dew_liquid_find_drops(liquid, true, step->scratch));
    step->removed_m3 += before_m3 - total_m3(liquid);
    return dew_ok();
}
