// Liquid that enters and leaves: nozzles (disks; in two dimensions slits as wide as their diameter)
// and condensation, initial liquid, open sides and sinks.
//
// What an inflow brings waits until a drop can take it, and only then counts as added. A nozzle's
// flow goes to the drop in front of it: that drop's target grows by just the flow, and the nozzle's
// wall brings it in. Where nothing is in front a plug of two cells is begun once enough waits. A
// condensation site feeds the drop that covers it, and begins a cap where none is.
//
// Limits: a nozzle must be three cells wide. The flow does not feel the pressure of the drop.

#include "base/status.h"

#include "grid/sample.h"
#include "problem/nozzle.h"
#include "problem/place.h"
#include "problem/timing.h"
#include "solvers/free_surface/liquid.h"
#include "wetting/contact_angle.h"

#include <math.h>

#define SEED_RADIUS 2.5  // cells, of the first drop at a site

// ---- nozzles as the grid sees them --------------------------------------------------------------

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

// ---- making ------------------------------------------------------------------------------------

// What the wall of a nozzle brings into the cells around one, per speed: closed parts of faces
// times their normals. Beside the pin's sides that sum is zero but for the closing of whole faces.
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
        dew_SolidPoint near = dew_liquid_nearest_wall(problem, liquid, NULL, face, 4 * h);
        double open = dew_liquid_face_aperture(&near, axis, h);
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
    if (disk->radius_m >= DEW_LIQUID_SHELL * h)
        return dew_ok();
    return dew_scene_fail(dew_problem_scene(problem),
                          dew_key_path("sources", disk->source_index, "radius").text,
                          "%g m is too narrow for cells of %g m (at least %g m)", disk->radius_m, h,
                          DEW_LIQUID_SHELL * h);
}

dew_Status dew_liquid_inflows_create(const dew_Problem *problem, dew_Liquid *liquid)
{
    int64_t count = dew_problem_inflow_count(problem);
    DEW_TRY(dew_array_resize(&liquid->waiting, count));
    for (int64_t i = 0; i < count; i++)
        DEW_ITEMS(&liquid->waiting, double)[i] = 0;
    dew_LiquidNozzle *nozzles = dew_arena_array(&liquid->constants, dew_LiquidNozzle, count);
    liquid->workspace->nozzle_speeds = dew_arena_array(&liquid->constants, double, count);
    if (!nozzles || !liquid->workspace->nozzle_speeds)
        return dew_no_memory((size_t)count * sizeof *nozzles);
    liquid->params.nozzles = nozzles;
    for (int64_t i = 0; i < count; i++) {
        const dew_Inflow *disk = dew_problem_inflow(problem, i);
        if (dew_nozzle_of(problem, i) != i)
            continue;
        DEW_TRY(check_nozzle(problem, disk, liquid->grid->cell_m));
        nozzles[liquid->params.nozzle_count++] = dew_liquid_nozzle_at(problem, liquid->grid, i);
    }
    for (int k = 0; k < liquid->params.nozzle_count; k++)
        nozzles[k].scale = scale_of(problem, liquid, &nozzles[k], liquid->params.solid_count + k);
    return dew_ok();
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
        dew_add_scaled(nozzle->center_m, DEW_NOZZLE_FRONT * liquid->grid->cell_m, nozzle->normal);
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
    DEW_TRY(dew_liquid_pour(problem, liquid, step->instant_old, &blob));
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
    const dew_LiquidNozzle *nozzle = &liquid->params.nozzles[k];
    double *waiting = &DEW_ITEMS(&liquid->waiting, double)[nozzle->inflow];
    double end_s = step->instant->time_s, h = liquid->grid->cell_m;
    double flow_m3 = dew_liquid_nozzle_volume_m3(problem, nozzle, end_s - step->dt_s, end_s);
    double speed = flow_m3 / (nozzle->area_m2 * step->dt_s);
    int32_t drop = drop_at_nozzle(liquid, nozzle);
    if (drop < 0 && *waiting >= DEW_LIQUID_NEAR * h * nozzle->area_m2) {
        dew_DropDef def = dew_default_drop_def(DEW_DROP_CYLINDER);
        def.from_m = dew_add_scaled(nozzle->center_m, -DEW_LIQUID_SHELLS * h, nozzle->normal);
        def.to_m = dew_add_scaled(nozzle->center_m, DEW_LIQUID_NEAR * h, nozzle->normal);
        def.radius_m = nozzle->radius_m;
        def.velocity_m_s = dew_scale(speed, nozzle->normal);
        DEW_TRY(begin_drop(problem, liquid, step, &def, nozzle->inflow, waiting));
        drop = drop_at_nozzle(liquid, nozzle);
    }
    *waiting += flow_m3;
    liquid->workspace->nozzle_speeds[k] = drop >= 0 ? speed : 0;
    if (drop >= 0) {
        // What has waited, where a plug lies in a wall or was gone for long, is more than a level
        // set follows at once.
        double most =
            flow_m3 + DEW_LIQUID_ALLOWANCE / 2 * DEW_ITEMS(&liquid->targets, double)[drop];
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

static dew_DropDef seed_def(const dew_Problem *problem, const dew_Instant *instant,
                            const dew_Inflow *site, dew_Vec3 point, dew_Vec3 normal, double h)
{
    double r = SEED_RADIUS * h;
    dew_MaterialDef material = dew_problem_material(problem, instant, site->solid_id, point);
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
    const dew_Instant *now = step->instant_old;
    double *waiting = &DEW_ITEMS(&liquid->waiting, double)[i], h = liquid->grid->cell_m;
    double span_s = fmin(step->instant->time_s, site->stop_s) - fmax(now->time_s, site->start_s);
    if (!(span_s > 0))
        return dew_ok();
    *waiting += span_s * site->rate_m3_s;
    dew_Vec3 point = dew_problem_from_rest(problem, now, site->solid_id, site->center_m);
    dew_Vec3 tip =
        dew_problem_from_rest(problem, now, site->solid_id, dew_add(site->center_m, site->normal));
    dew_Vec3 normal = dew_normalize(dew_sub(tip, point));
    point = dew_liquid_in_layer(liquid->grid, point);
    dew_Vec3 above = dew_add_scaled(point, DEW_NOZZLE_FRONT * h, normal);
    int32_t drop = drop_at(liquid, above);
    if (drop >= 0) {
        double most = DEW_LIQUID_ALLOWANCE / 2 * DEW_ITEMS(&liquid->targets, double)[drop];
        feed(liquid, step, drop, fmin(*waiting, most), waiting);
        return dew_ok();
    }
    dew_DropDef def = seed_def(problem, now, site, point, normal, h);
    bool has_room = phi_at(liquid, above) > SEED_RADIUS + DEW_LIQUID_NEAR;
    if (*waiting < def.volume_m3 || !has_room)
        return dew_ok();
    def.velocity_m_s = dew_problem_solid_nearest(problem, now, site->solid_id, point).velocity_m_s;
    return begin_drop(problem, liquid, step, &def, site->id, waiting);
}

dew_Status dew_liquid_inflow(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step)
{
    for (int k = 0; k < liquid->params.nozzle_count; k++)
        DEW_TRY(run_nozzle(problem, liquid, step, k));
    for (int64_t i = 0; i < dew_problem_inflow_count(problem); i++)
        if (dew_problem_inflow(problem, i)->shape == DEW_SOURCE_CONDENSATION)
            DEW_TRY(run_site(problem, liquid, step, i));
    return dew_ok();
}

// ---- shape of a nozzle --------------------------------------------------------------------------

// Nozzles: the pin behind a disk.
//
// phi in the pin is that of a column, so that the surface of a jet goes on straight; a cell behind
// the disk the column narrows, for nothing of it shall be seen beside the pin.

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

// ---- cells before a nozzle ----------------------------------------------------------------------

// Where liquid is given by whole cells there is no pin: cells right before the disk have its
// velocity (cell_boundary.c), and markers come in.

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

// ---- Initial liquid -----------------------------------------------------------------------------

// Pouring: phi becomes the lesser of what is there and the exact distance to the new piece of
// liquid.
//
// A cap sits on a solid: into the solid its ball goes on, so that the line starts at the angle of
// the cap.

typedef struct Pour {
    const dew_Problem *problem;
    const dew_Blob *blob;
    const dew_Instant *instant;
    bool is_ball;  // a cap that goes on below its base
    dew_Liquid *liquid;
    dew_Vec3 center_m;
} Pour;

// Is the point above the cap's base, or in a solid below it?
static bool goes_on(const Pour *pour, dew_Vec3 p)
{
    double h = pour->liquid->grid->cell_m;
    dew_Vec3 up = dew_normalize(dew_rotate(pour->blob->turn, dew_vec(0, 1, 0)));
    return dew_inner(dew_sub(p, pour->blob->origin_m), up) > -0.5 * h ||
           dew_problem_distance(pour->problem, pour->instant, p, h) < 0;
}

static double distance_near(const Pour *pour, dew_Vec3 p, double reach_m)
{
    p = dew_liquid_in_layer(pour->liquid->grid, p);
    if (pour->is_ball && goes_on(pour, p))
        return dew_distance(p, pour->center_m) - pour->blob->cap_radius_m;
    return dew_blob_distance_near(pour->problem, pour->blob, p, reach_m);
}

static double distance_to(const Pour *pour, dew_Vec3 p)
{
    return distance_near(pour, p, HUGE_VAL);
}

static double distance_fn(void *context, dew_Vec3 p, double reach_m)
{
    return distance_near(context, p, reach_m);
}

static void set_velocity(const Pour *pour, int32_t b)
{
    const dew_Grid *grid = pour->liquid->grid;
    double h = grid->cell_m;
    const double *phi = dew_liquid_phi(pour->liquid);
    double v[3] = {pour->blob->velocity_m_s.x, pour->blob->velocity_m_s.y,
                   pour->blob->velocity_m_s.z};
    for (int n = 0; n < grid->brick_cells; n++) {
        int64_t at = (int64_t)b * grid->brick_cells + n;
        dew_Vec3 x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6, DEW_AT_CELL);
        if (distance_to(pour, x) > DEW_LIQUID_REACH * h)
            continue;
        for (int a = 0; a < dew_grid_axes(grid); a++) {
            x = dew_grid_position(grid, b, n & 7, n >> 3 & 7, n >> 6,
                                  (dew_Place)(DEW_AT_FACE_X + a));
            if (distance_to(pour, x) <=
                phi[at] + (0.5 + DEW_LIQUID_ON_WALL) * h)  // nearer than any other liquid
                dew_grid_f64(grid, pour->liquid->u[a])[at] = v[a];
        }
    }
}

static dew_Status velocity_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    for (int64_t b = begin; b < end; b++)
        set_velocity(context, (int32_t)b);
    return dew_ok();
}

static dew_Status pour_blob(Pour *pour, const dew_Instant *instant, dew_Arena *scratch)
{
    dew_Liquid *liquid = pour->liquid;
    double h = liquid->grid->cell_m, band_m = DEW_LIQUID_BAND * h;
    DEW_TRY(dew_levelset_add(liquid->grid, liquid->phi, distance_fn, pour, band_m, true, scratch));
    DEW_TRY(dew_liquid_read_solids(pour->problem, liquid, instant, DEW_LIQUID_FRESH));
    dew_liquid_clear_deep_cells(liquid);
    dew_liquid_fix_nozzle_phi(liquid);
    DEW_TRY(dew_grid_for(liquid->grid, velocity_chunk, pour));
    DEW_TRY(dew_liquid_impose_angle(liquid, instant->time_s, scratch));
    return dew_liquid_label_drops(liquid, true, scratch);
}

dew_Status dew_liquid_pour(const dew_Problem *problem, dew_Liquid *liquid,
                           const dew_Instant *instant, const dew_Blob *blob)
{
    dew_Arena *scratch = &liquid->workspace->scratch;
    dew_Vec3 up = dew_rotate(blob->turn, dew_vec(0, 1, 0));
    Pour pour = {.problem = problem,
                 .blob = blob,
                 .instant = instant,
                 .liquid = liquid,
                 .center_m = dew_add_scaled(blob->origin_m, blob->cap_center_m, up)};
    if (blob->shape.shape == DEW_DROP_CAP)
        pour.is_ball = dew_problem_distance(problem, instant, blob->origin_m,
                                            4 * liquid->grid->cell_m) < liquid->grid->cell_m;
    dew_Status status = pour_blob(&pour, instant, scratch);
    dew_arena_clear(scratch);
    return status.code == DEW_OK ? dew_liquid_reserve(liquid) : status;
}

// ---- Outflow ------------------------------------------------------------------------------------

// Liquid that leaves: through open sides of the domain, and into sinks.
//
// A region takes what enters it: phi becomes the larger of itself and minus the distance to the
// region, which is exact set subtraction. Beyond an open side the region begins a cell outside, so
// that what is inside moves freely; where sources lie beyond a side it begins behind them, so that
// their drops can come in. What is taken is the difference of what the drops should have: that of
// their volumes, and of a drop that is gone all.

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

void dew_liquid_outflow_margins(const dew_Problem *problem, dew_LiquidParams *params, double cell_m)
{
    const dew_Scene *scene = dew_problem_scene(problem);
    dew_Box domain = dew_problem_domain(problem), box = domain;
    for (int i = 0; i < dew_scene_source_count(scene); i++) {
        dew_Box more = box_of(dew_scene_source(scene, i));
        if (more.min.x <= more.max.x)
            box = dew_box_union(box, more);
    }
    params->margin_m[DEW_SIDE_LEFT] = domain.min.x - box.min.x;
    params->margin_m[DEW_SIDE_RIGHT] = box.max.x - domain.max.x;
    params->margin_m[DEW_SIDE_FLOOR] = domain.min.y - box.min.y;
    params->margin_m[DEW_SIDE_CEILING] = box.max.y - domain.max.y;
    params->margin_m[DEW_SIDE_BACK] = domain.min.z - box.min.z;
    params->margin_m[DEW_SIDE_FRONT] = box.max.z - domain.max.z;
    for (int side = 0; side < DEW_SIDE_COUNT; side++)
        params->margin_m[side] += cell_m;
}

static double depth_in_box(dew_Box box, dew_Vec3 p)
{
    double x = fmin(p.x - box.min.x, box.max.x - p.x);
    double y = fmin(p.y - box.min.y, box.max.y - p.y);
    double z = fmin(p.z - box.min.z, box.max.z - p.z);
    return fmin(x, fmin(y, z));
}

dew_Box dew_liquid_bounds(const dew_Problem *problem, const double margin_m[DEW_SIDE_COUNT])
{
    const dew_SceneDef *def = dew_problem_def(problem);
    const char *const *walls = def->domain.wall_material;
    double far[DEW_SIDE_COUNT];
    for (int side = 0; side < DEW_SIDE_COUNT; side++) {
        bool is_across = side == DEW_SIDE_BACK || side == DEW_SIDE_FRONT;
        bool is_closed = walls[side] || (is_across && def->dimensions == 2);
        far[side] = is_closed ? (double)INFINITY : margin_m[side];
    }
    dew_Vec3 lo = def->domain.min_m, hi = def->domain.max_m;
    return (dew_Box){
        {lo.x - far[DEW_SIDE_LEFT], lo.y - far[DEW_SIDE_FLOOR], lo.z - far[DEW_SIDE_BACK]},
        {hi.x + far[DEW_SIDE_RIGHT], hi.y + far[DEW_SIDE_CEILING], hi.z + far[DEW_SIDE_FRONT]}};
}

// How deep a point lies in what takes liquid away; negative outside.
static double depth_outside(const dew_Problem *problem, const dew_Liquid *liquid, dew_Vec3 p)
{
    double depth = -depth_in_box(dew_liquid_bounds(problem, liquid->params.margin_m), p);
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
            w->has_cut[b] |= phi[at] < DEW_LIQUID_NEAR * h;
            phi[at] = fmin(depth, band);
        }
    }
    return dew_ok();
}

static double total_target_m3(const dew_Liquid *liquid)
{
    double sum = 0;
    for (int64_t d = 0; d < liquid->targets.count; d++)
        sum += DEW_ITEMS(&liquid->targets, double)[d];
    return sum;
}

dew_Status dew_liquid_remove_outflow(const dew_Problem *problem, dew_Liquid *liquid, dew_Step *step)
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
    double before_m3 = total_target_m3(liquid);
    DEW_TRY(dew_liquid_label_drops(liquid, true, step->scratch));
    step->removed_m3 += before_m3 - total_target_m3(liquid);
    return dew_ok();
}
