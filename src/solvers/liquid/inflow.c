// Liquid that enters all the time: nozzles (disks) and condensation.
//
// What an inflow brings waits until a drop can take it, and only then counts as added. A nozzle's flow goes to the
// drop in front of it: that drop's target grows by just the flow, and the nozzle's wall brings it in. Where
// nothing is in front a plug of two cells is begun once enough waits. A condensation site feeds the drop that
// covers it, and begins a cap where none is.
//
// Limits: a nozzle must be three cells wide. The flow does not feel the pressure of the drop.
#include "base/status.h"
#include "grid/sample.h"
#include "problem/nozzle.h"
#include "problem/place.h"
#include "problem/timing.h"
#include "solvers/liquid/liquid.h"
#include "wetting/contact_angle.h"

#define LEAST_RADIUS 1.5    // cells, of a nozzle
#define PLUG         2.0    // cells, height of the first liquid at a nozzle
#define BEHIND       3.0    // cells, how far the plug goes on behind the disk
#define IN_FRONT     0.75   // cells before a disk, where its drop is looked for
#define SEED_RADIUS  2.5    // cells, of the first drop at a site
#define ROOM         2.0    // cells between a new seed and other liquid
#define MAX_GIFT     0.005  // of a drop's volume, of what waited at a site or a nozzle, in one step

// ---- making ------------------------------------------------------------------------------------

// What the wall of a nozzle brings into the cells around one, per speed: closed parts of faces times their
// normals. Beside the pin's sides that sum is zero but for the closing of whole faces.
static double wall_area(const dew_Problem *problem, const dew_Liquid *liquid,
                        const dew_LiquidNozzle *nozzle, dew_Vec3 x, int id)
{
    const dew_Grid *grid = liquid->grid;
    double h = grid->cell_m, sum = 0, n[3] = {nozzle->normal.x, nozzle->normal.y, nozzle->normal.z};
    bool has_open = false;
    for (int k = 0; k < 2 * grid->dimensions; k++) {
        int axis = k / 2, out = k % 2 ? 1 : -1;
        dew_Vec3 face = x;
        *(axis == 0 ? &face.x : axis == 1 ? &face.y : &face.z) += 0.5 * h * out;
        dew_SolidPoint near = dew_liquid_nearest(problem, liquid, NULL, face, 4 * h);
        double open = dew_liquid_open_part(&near, axis, h);
        has_open |= open > 0;
        if (near.solid_id == id)
            sum -= out * (1 - open) * n[axis];
    }
    return has_open ? sum * h * h : 0;
}

// So that the faces of the grid let just the flow through, wherever the disk lies between them.
static double scale_of(const dew_Problem *problem, const dew_Liquid *liquid,
                       const dew_LiquidNozzle *nozzle, int id)
{
    const dew_Grid *grid = liquid->grid;
    double h = grid->cell_m, reach = nozzle->radius_m + 2 * h, sum = 0;
    dew_Vec3 c = dew_scale(1 / h, dew_sub(nozzle->center_m, grid->origin_m));
    int cells = (int)ceil(reach / h), layers = nozzle->is_flat ? 0 : cells;
    for (int k = -layers; k <= layers; k++)
        for (int j = -cells; j <= cells; j++)
            for (int i = -cells; i <= cells; i++) {
                dew_Vec3 cell = dew_vec(floor(c.x) + i + 0.5, floor(c.y) + j + 0.5,
                                        nozzle->is_flat ? 0.5 : floor(c.z) + k + 0.5);
                dew_Vec3 x = dew_add_scaled(grid->origin_m, h, cell);
                if (dew_liquid_nozzle_phi(nozzle, x) < 0)  // liquid, once it flows
                    sum += wall_area(problem, liquid, nozzle, x, id);
            }
    return sum > 0 ? nozzle->area_m2 / sum : 1;
}

static dew_Status check_nozzle(const dew_Problem *problem, const dew_Inflow *disk, double h)
{
    if (disk->radius_m >= LEAST_RADIUS * h)
        return dew_ok();
    return dew_scene_fail(dew_problem_scene(problem),
                          dew_key_path("sources", disk->source_index, "radius").text,
                          "%g m is too narrow for cells of %g m (at least %g m)", disk->radius_m, h,
                          LEAST_RADIUS * h);
}

static dew_LiquidNozzle nozzle_at(const dew_Liquid *liquid, int64_t inflow, const dew_Inflow *disk)
{
    double h = liquid->grid->cell_m, r = disk->radius_m;
    bool is_flat = liquid->grid->dimensions == 2;
    dew_LiquidNozzle nozzle = {.inflow = inflow,
                               .center_m = disk->center_m,
                               .normal = disk->normal,
                               .radius_m = r,
                               .cell_m = h,
                               .is_flat = is_flat,
                               .area_m2 = is_flat ? 2 * r * h : DEW_PI * r * r,
                               .scale = 1};
    nozzle.rate_share = nozzle.area_m2 / (DEW_PI * r * r);
    if (is_flat) {
        nozzle.center_m.z = liquid->grid->origin_m.z + 0.5 * h;
        nozzle.normal.z = 0;
        nozzle.normal = dew_normalize(nozzle.normal);
    }
    return nozzle;
}

dew_Status dew_liquid_inflows_create(const dew_Problem *problem, dew_Liquid *liquid)
{
    int64_t count = dew_problem_inflow_count(problem);
    DEW_TRY(dew_array_resize(&liquid->waiting, count));
    for (int64_t i = 0; i < count; i++)
        DEW_ITEMS(&liquid->waiting, double)[i] = 0;
    dew_LiquidNozzle *nozzles = dew_arena_array(&liquid->constants, dew_LiquidNozzle, count);
    liquid->tools->nozzle_speeds = dew_arena_array(&liquid->constants, double, count);
    if (!nozzles || !liquid->tools->nozzle_speeds)
        return dew_no_memory((size_t)count * sizeof *nozzles);
    liquid->laws.nozzles = nozzles;
    for (int64_t i = 0; i < count; i++) {
        const dew_Inflow *disk = dew_problem_inflow(problem, i);
        if (dew_nozzle_of(problem, i) != i)
            continue;
        DEW_TRY(check_nozzle(problem, disk, liquid->grid->cell_m));
        nozzles[liquid->laws.nozzle_count++] = nozzle_at(liquid, i, disk);
    }
    for (int k = 0; k < liquid->laws.nozzle_count; k++)
        nozzles[k].scale = scale_of(problem, liquid, &nozzles[k], liquid->laws.solid_count + k);
    return dew_ok();
}

double dew_liquid_inflow_speed(const dew_Problem *problem, double time_s)
{
    double speed = 0;
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++) {
        const dew_Inflow *inflow = dew_problem_inflow(problem, i);
        if (inflow->shape == DEW_SOURCE_DISK && dew_inflow_is_open(inflow, time_s))
            speed += inflow->speed_m_s *
                     (fabs(inflow->normal.x) + fabs(inflow->normal.y) + fabs(inflow->normal.z));
    }
    return speed;
}

// ---- drops in the way --------------------------------------------------------------------------

static int32_t drop_at(const dew_Liquid *liquid, dew_Vec3 p)
{
    int32_t brick = dew_grid_brick_at(liquid->grid, p);
    if (brick < 0)
        return DEW_INVALID;
    const int32_t *drop = dew_grid_field(liquid->grid, liquid->drop);
    dew_Vec3 first = dew_grid_position(liquid->grid, brick, 0, 0, 0, DEW_AT_NODE);
    dew_Vec3 x = dew_scale(1 / liquid->grid->cell_m, dew_sub(p, first));
    int64_t at =
        dew_grid_near(liquid->grid, brick, (int)floor(x.x), (int)floor(x.y), (int)floor(x.z));
    return at < 0 ? DEW_INVALID : drop[at];
}

// The drop in front of a disk: in its middle, or on a ring half-way to the rim.
static int32_t drop_at_nozzle(const dew_Liquid *liquid, const dew_LiquidNozzle *nozzle)
{
    dew_Vec3 u = dew_any_tangent(nozzle->normal), v = dew_cross(nozzle->normal, u);
    dew_Vec3 middle =
        dew_add_scaled(nozzle->center_m, IN_FRONT * liquid->grid->cell_m, nozzle->normal);
    int32_t drop = drop_at(liquid, middle);
    for (int k = 0; k < 8 && drop < 0; k++) {
        double r = 0.5 * nozzle->radius_m, a = DEW_PI / 4 * k;
        drop = drop_at(liquid, dew_add(middle, dew_combine(r * cos(a), u, r * sin(a), v)));
    }
    return drop;
}

static double total_m3(const dew_Liquid *liquid)
{
    double sum = 0;
    for (int64_t d = 0; d < liquid->drops.count; d++)
        sum += DEW_ITEMS(&liquid->drops, dew_LiquidDrop)[d].volume_m3;
    return sum;
}

// Pours it, and tells how much it came to.
static dew_Status begin_drop(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step,
                             const dew_DropDef *def, int64_t id, double *waiting_m3)
{
    dew_Blob blob;
    double before_m3 = total_m3(liquid);
    DEW_TRY(dew_problem_make_blob(problem, def, id, &blob));
    DEW_TRY(dew_liquid_pour(problem, liquid, step->moment_old, &blob));
    double volume_m3 = total_m3(liquid) - before_m3;
    step->added_m3 += volume_m3;
    *waiting_m3 -= volume_m3;
    return dew_ok();
}

static void feed(dew_Liquid *liquid, dew_Step *step, int32_t drop, double volume_m3,
                 double *waiting_m3)
{
    DEW_ITEMS(&liquid->targets, double)[drop] += volume_m3;
    step->added_m3 += volume_m3;
    *waiting_m3 -= volume_m3;
}

// ---- nozzles -----------------------------------------------------------------------------------

static dew_Status run_nozzle(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step, int k)
{
    const dew_LiquidNozzle *nozzle = &liquid->laws.nozzles[k];
    double *waiting = &DEW_ITEMS(&liquid->waiting, double)[nozzle->inflow];
    double end_s = step->moment->time_s, h = liquid->grid->cell_m;
    double flow_m3 = nozzle->rate_share *
                     dew_nozzle_volume_m3(problem, nozzle->inflow, end_s - step->dt_s, end_s);
    double speed = flow_m3 / (nozzle->area_m2 * step->dt_s);
    int32_t drop = drop_at_nozzle(liquid, nozzle);
    if (drop < 0 && *waiting >= PLUG * h * nozzle->area_m2) {
        dew_DropDef def = dew_default_drop_def(DEW_DROP_CYLINDER);
        def.from_m = dew_add_scaled(nozzle->center_m, -BEHIND * h, nozzle->normal);
        def.to_m = dew_add_scaled(nozzle->center_m, PLUG * h, nozzle->normal);
        def.radius_m = nozzle->radius_m;
        def.velocity_m_s = dew_scale(speed, nozzle->normal);
        DEW_TRY(begin_drop(problem, liquid, step, &def, nozzle->inflow, waiting));
        drop = drop_at_nozzle(liquid, nozzle);
    }
    *waiting += flow_m3;
    liquid->tools->nozzle_speeds[k] = drop >= 0 ? speed : 0;
    if (drop >= 0) {
        // What has waited, where a plug lies in a wall or was gone for long, is more than a level set follows at once.
        double most = flow_m3 + MAX_GIFT * DEW_ITEMS(&liquid->targets, double)[drop];
        feed(liquid, step, drop, fmin(*waiting, most), waiting);
    }
    return dew_ok();
}

// ---- condensation ------------------------------------------------------------------------------

// phi of the cell around a point, in cells; far outside where no brick is.
static double phi_at(const dew_Liquid *liquid, dew_Vec3 p)
{
    int32_t brick = dew_grid_brick_at(liquid->grid, p);
    if (brick < 0)
        return HUGE_VAL;
    dew_Vec3 first = dew_grid_position(liquid->grid, brick, 0, 0, 0, DEW_AT_NODE);
    dew_Vec3 x = dew_scale(1 / liquid->grid->cell_m, dew_sub(p, first));
    int64_t at =
        dew_grid_near(liquid->grid, brick, (int)floor(x.x), (int)floor(x.y), (int)floor(x.z));
    double phi = at < 0 ? HUGE_VAL : dew_liquid_phi(liquid)[at] / liquid->grid->cell_m;
    return phi < DEW_LIQUID_BAND - 0.5 ? phi : HUGE_VAL;
}

static dew_DropDef seed_def(const dew_Problem *problem, const dew_Moment *moment,
                            const dew_Inflow *site, dew_Vec3 point, dew_Vec3 normal, double h)
{
    double r = SEED_RADIUS * h;
    dew_MaterialDef material = dew_problem_material(problem, moment, site->solid_id, point);
    dew_AngleInterval interval = dew_contact_interval(&material, 0);
    double angle = 0.5 * (interval.receding_rad + interval.advancing_rad);
    dew_DropDef def = dew_default_drop_def(DEW_DROP_CAP);
    def.point_m = point;
    def.normal = normal;
    def.volume_m3 = 2 * DEW_PI / 3 * r * r * r;                    // of half a ball
    def.angle_rad = fmin(fmax(angle, DEW_DEG(60)), DEW_DEG(120));  // flatter ones are not seen
    return def;
}

static dew_Status run_site(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step,
                           int64_t i)
{
    const dew_Inflow *site = dew_problem_inflow(problem, i);
    const dew_Moment *now = step->moment_old;
    double *waiting = &DEW_ITEMS(&liquid->waiting, double)[i], h = liquid->grid->cell_m;
    double span_s = fmin(step->moment->time_s, site->stop_s) - fmax(now->time_s, site->start_s);
    if (!(span_s > 0))
        return dew_ok();
    *waiting += span_s * site->rate_m3_s;
    dew_Vec3 point = dew_problem_from_rest(problem, now, site->solid_id, site->center_m);
    dew_Vec3 tip =
        dew_problem_from_rest(problem, now, site->solid_id, dew_add(site->center_m, site->normal));
    dew_Vec3 normal = dew_normalize(dew_sub(tip, point));
    if (liquid->grid->dimensions == 2)
        point.z = liquid->grid->origin_m.z + 0.5 * h;
    dew_Vec3 above = dew_add_scaled(point, IN_FRONT * h, normal);
    int32_t drop = drop_at(liquid, above);
    if (drop >= 0) {
        double most = MAX_GIFT * DEW_ITEMS(&liquid->targets, double)[drop];
        feed(liquid, step, drop, fmin(*waiting, most), waiting);
        return dew_ok();
    }
    dew_DropDef def = seed_def(problem, now, site, point, normal, h);
    bool has_room = phi_at(liquid, above) > SEED_RADIUS + ROOM;
    if (*waiting < def.volume_m3 || !has_room)
        return dew_ok();
    def.velocity_m_s = dew_problem_solid_nearest(problem, now, site->solid_id, point).velocity_m_s;
    return begin_drop(problem, liquid, step, &def, site->id, waiting);
}

dew_Status dew_liquid_inflow(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step)
{
    for (int k = 0; k < liquid->laws.nozzle_count; k++)
        DEW_TRY(run_nozzle(problem, liquid, step, k));
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++)
        if (dew_problem_inflow(problem, i)->shape == DEW_SOURCE_CONDENSATION)
            DEW_TRY(run_site(problem, liquid, step, i));
    return dew_ok();
}
