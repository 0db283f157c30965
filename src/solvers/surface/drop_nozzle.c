// A drop at a nozzle. Liquid of the nozzle's speed comes through the disk all over (plug flow), and
// brings its momentum along: the velocity of the centre of mass is mixed with it by volume. The
// volume that the drop must have grows by what flows in; since the disk stays and the surface below
// it is carried away, the mesh is stretched at the rim, where remeshing splits it. So liquid that
// fills a jet at the nozzle's speed changes nothing in the rest of it.
//
// Limits: the flow is given by the scene and does not feel the pressure of the drop.
#include "solvers/surface/drop_nozzle.h"

#define ASIDE2      1e-6  // of the radius squared: as much beside the disk is still behind it
#define MAX_GROWTH  0.05  // of the volume, in a step
#define MAX_STRETCH 0.4   // edges: way of the liquid in a step
#define ON_DISK     1e-6  // of the radius
#define RIM_WIDTH   0.1   // of the radius: how much wider than the disk its polygon may be

dew_Vec3 dew_drop_nozzle_project(const dew_Problem *problem, int64_t nozzle, bool is_rim,
                                 dew_Vec3 p)
{
    const dew_Inflow *disk = dew_problem_inflow(problem, nozzle);
    dew_Vec3 arm = dew_sub(p, disk->center_m);
    arm = dew_add_scaled(arm, -dew_inner(arm, disk->normal), disk->normal);
    double r = dew_length(arm);
    if (is_rim && !(r > 0))
        arm = dew_any_tangent(disk->normal);
    if (is_rim || r > disk->radius_m)
        arm = dew_scale(disk->radius_m / (r > 0 ? r : 1), arm);
    return dew_add(disk->center_m, arm);
}

static dew_Closest nearest_of_disk(const dew_Problem *problem, int64_t nozzle, dew_Vec3 p)
{
    const dew_Inflow *disk = dew_problem_inflow(problem, nozzle);
    dew_Vec3 point = dew_drop_nozzle_project(problem, nozzle, false, p);
    dew_Vec3 way = dew_sub(p, point);
    double height = dew_inner(way, disk->normal), aside2 = dew_length2(way) - height * height;
    bool is_behind = height < 0 && aside2 <= ASIDE2 * disk->radius_m * disk->radius_m;
    double distance = dew_length(way);
    return (dew_Closest){
        .distance = is_behind ? -distance : distance, .point = point, .normal = disk->normal};
}

bool dew_drop_nozzle_nearest(const dew_Problem *problem, const dew_Instant *instant, int64_t nozzle,
                             dew_Vec3 p, double reach_m, dew_Closest *out)
{
    dew_SolidPoint s = dew_problem_nearest(problem, instant, p, reach_m);
    *out = (dew_Closest){.distance = s.distance_m, .point = s.point_m, .normal = s.normal};
    if (nozzle == DEW_INVALID)
        return s.solid_id != DEW_INVALID;
    dew_Closest c = nearest_of_disk(problem, nozzle, p);
    if (!(c.distance < fmin(out->distance, reach_m)))
        return s.solid_id != DEW_INVALID;
    *out = c;
    return true;
}

double dew_drop_nozzle_speed_m_s(const dew_DropWork *work, double begin_s, double end_s)
{
    if (work->counts.inflow == DEW_INVALID || !(end_s > begin_s))
        return 0;
    const dew_Problem *problem = work->params->problem;
    double r = dew_problem_inflow(problem, work->counts.inflow)->radius_m;
    double volume = dew_nozzle_volume_m3(problem, work->counts.inflow, begin_s, end_s);
    return volume / (DEW_PI * r * r * (end_s - begin_s));
}

double dew_drop_nozzle_limit_s(const dew_DropWork *work, double begin_s, double end_s)
{
    double speed = dew_drop_nozzle_speed_m_s(work, begin_s, end_s);
    if (!(speed > 0))
        return HUGE_VAL;
    double r = dew_problem_inflow(work->params->problem, work->counts.inflow)->radius_m;
    double rate = DEW_PI * r * r * speed;
    return fmin(MAX_GROWTH * work->values.volume_m3 / rate, MAX_STRETCH * work->edge_m / speed);
}

double dew_drop_flow_in(dew_DropWork *work, double begin_s, double end_s)
{
    if (work->counts.inflow == DEW_INVALID)
        return 0;
    const dew_Problem *problem = work->params->problem;
    const dew_Inflow *disk = dew_problem_inflow(problem, work->counts.inflow);
    double speed = dew_drop_nozzle_speed_m_s(work, begin_s, end_s);
    dew_Vec3 v = dew_scale(speed, disk->normal);
    for (int64_t i = 0; i < work->n; i++)
        if (work->label[i] & DEW_LABEL_NOZZLE)
            work->v[i] = v;
    double before = work->values.volume_m3;
    double added = dew_nozzle_volume_m3(problem, work->counts.inflow, begin_s, end_s);
    work->values.volume_m3 = before + added;
    added = work->values.volume_m3 - before;  // what the drop has got, to the bit
    double share = added / work->values.volume_m3;
    work->values.velocity_m_s = dew_combine(1 - share, work->values.velocity_m_s, share, v);
    return added;
}

bool dew_drop_has_nozzle_label(const uint8_t *labels, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (labels[i] & DEW_LABEL_NOZZLE)
            return true;
    return false;
}

/// What a vertex is to the nozzle by its place and its label.
static uint8_t label_of(const dew_Inflow *disk, uint8_t label, dew_Vec3 x)
{
    dew_Vec3 arm = dew_sub(x, disk->center_m);
    double height = dew_inner(arm, disk->normal), r = disk->radius_m;
    double reach = r * (1 + (label & DEW_LABEL_NOZZLE ? RIM_WIDTH : ON_DISK));
    bool is_there = (label & DEW_LABEL_TOUCHING) && fabs(height) <= ON_DISK * r &&
                    dew_length2(arm) <= reach * reach;
    if (is_there)
        return label | DEW_LABEL_NOZZLE;
    return label & (uint8_t)~DEW_LABEL_NOZZLE;
}

/// Widens the rim a little, so that the polygon has the area of the disk: else liquid of the right
/// volume would have to come through it too fast.
static void widen_rim(dew_DropWork *work, const dew_Inflow *disk)
{
    double area = 0;
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        if (work->label[v[0]] & work->label[v[1]] & work->label[v[2]] & DEW_LABEL_NOZZLE)
            area += 0.5 * dew_length(dew_cross(dew_sub(work->x[v[1]], work->x[v[0]]),
                                               dew_sub(work->x[v[2]], work->x[v[0]])));
    }
    double whole = DEW_PI * disk->radius_m * disk->radius_m;
    double factor = area > 0 ? fmin(sqrt(whole / area), 1 + RIM_WIDTH) : 1;
    const uint8_t rim = DEW_LABEL_NOZZLE | DEW_LABEL_CONTACT_LINE;
    for (int64_t i = 0; i < work->n; i++)
        if ((work->label[i] & rim) == rim) {
            dew_Vec3 arm = dew_sub(work->x[i], disk->center_m);
            work->x[i] = dew_add_scaled(disk->center_m, factor, arm);
        }
}

static void let_go(dew_DropWork *work)
{
    const uint8_t bits = DEW_LABEL_NOZZLE | DEW_LABEL_TOUCHING | DEW_LABEL_CONTACT_LINE;
    for (int64_t i = 0; i < work->n; i++)
        if (work->label[i] & DEW_LABEL_NOZZLE) {
            work->label[i] &= (uint8_t)~bits;
            work->clearance[i] = 0;
        }
}

void dew_drop_reattach_to_nozzle(dew_DropWork *work)
{
    enum { WET = 1, DRY = 2 };
    if (work->counts.inflow == DEW_INVALID) {
        let_go(work);
        return;
    }
    const dew_Problem *problem = work->params->problem;
    const dew_Inflow *disk = dew_problem_inflow(problem, work->counts.inflow);
    for (int64_t i = 0; i < work->n; i++)
        work->label[i] = label_of(disk, work->label[i], work->x[i]);
    uint8_t *mark = (uint8_t *)work->image;  // free between steps
    for (int64_t i = 0; i < work->n; i++)
        mark[i] = 0;
    int64_t on_disk = 0;
    for (int64_t k = 0; k < work->triangle_count; k++) {
        const uint32_t *v = work->triangle[k].v;
        uint8_t all = work->label[v[0]] & work->label[v[1]] & work->label[v[2]];
        on_disk += (all & DEW_LABEL_NOZZLE) != 0;
        for (int c = 0; c < 3; c++)
            mark[v[c]] |= all & DEW_LABEL_TOUCHING ? WET : DRY;
    }
    for (int64_t i = 0; i < work->n; i++) {
        if (!(work->label[i] & DEW_LABEL_NOZZLE))
            continue;
        work->label[i] &= (uint8_t)~DEW_LABEL_CONTACT_LINE;
        if (mark[i] == (WET | DRY)) {
            work->label[i] |= DEW_LABEL_CONTACT_LINE;
            work->x[i] = dew_drop_nozzle_project(problem, work->counts.inflow, true, work->x[i]);
        }
    }
    widen_rim(work, disk);
    if (on_disk == 0) {
        work->counts.inflow = DEW_INVALID;
        let_go(work);
    }
}
