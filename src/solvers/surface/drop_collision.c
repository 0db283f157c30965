// Solids: which vertices touch, where they lie, and what a collision does. [Zhang2011] section 4.1,
// eq. (1)
//
// A vertex that has come inside a solid is put on its surface and labelled. The next implicit step
// takes its velocity into the solid away (eq. 1) as a constraint, so that the whole drop feels the
// impulse: an inelastic collision, which never adds energy. From then on it keeps to the solid
// through every operator, moving along it, until the contact line has passed it
// (drop_contact_line.c). Solids are searched only about vertices that may have reached one: each
// knows a distance within which there is none.
#include "solvers/surface/drop_work.h"

#include <string.h>

#define REACH          4.0   // edges: how far solids are looked for
#define CREASE         0.05  // edges: as near to a second solid as this, a vertex is in the crease
#define CREASE_PASSES  4
#define UPPER_SIDE     0.3   // cosine between the normals of drop and solid
#define HAIR           0.03  // edges
#define CREASE_KEEPS   0.5   // edges: so far from it a vertex that was in a crease is put back
#define CHAMFER        0.1   // edges: a middle farther off the solid than this is that of a chamfer
#define CHAMFER_COSINE 0.9
#define LOOK_AHEAD     0.1   // edges: how far a line looks round an edge of the solid
#define STOPPED        0.02  // edges: put back by more, a line's vertex may stand at an edge
#define PARALLEL       0.03  // squared sine between solids that have no crease

/// Puts the vertex on the nearest solid; false when none is within reach.
static bool put_on_nearest(const dew_DropWork *work, dew_Vec3 *x, dew_DropTouch *touch)
{
    dew_SolidPoint p =
        dew_problem_nearest(work->params->problem, &work->instant, *x, REACH * work->edge_m);
    if (p.solid_id == DEW_INVALID)
        return false;
    touch->solid_id = p.solid_id;
    touch->normal = p.normal;
    touch->velocity = p.velocity_m_s;
    *x = p.point_m;
    return true;
}

/// A second solid close by: the vertex goes to the crease of both, alternately onto either. Which
/// of the two is the first must not hang on rounding, lest the vertex is held now by one, now by
/// the other.
static void put_in_crease(const dew_DropWork *work, double near_m, dew_Vec3 *x,
                          dew_DropTouch *touch)
{
    const dew_SurfaceSolverParams *params = work->params;
    dew_Vec3 beside = dew_add_scaled(*x, near_m, touch->normal);
    dew_SolidPoint p =
        dew_problem_nearest(params->problem, &work->instant, beside, REACH * work->edge_m);
    if (p.solid_id == DEW_INVALID || p.solid_id == touch->solid_id || p.distance_m > 0.9 * near_m)
        return;
    int first = p.solid_id < touch->solid_id ? p.solid_id : touch->solid_id;
    int second = p.solid_id < touch->solid_id ? touch->solid_id : p.solid_id;
    dew_SolidPoint a = {0}, b = {0};
    dew_Vec3 there = *x;
    for (int k = 0; k < CREASE_PASSES; k++) {
        b = dew_problem_solid_nearest(params->problem, &work->instant, second, there);
        there = b.point_m;
        a = dew_problem_solid_nearest(params->problem, &work->instant, first, there);
        there = a.point_m;
    }
    dew_Vec3 crease = dew_cross(a.normal, b.normal);
    double square = dew_length2(crease);
    if (square < PARALLEL || dew_distance(there, *x) > 2 * near_m)
        return;
    *x = there;
    touch->solid_id = first;
    touch->normal = a.normal;
    touch->crease = dew_normalize(crease);
    touch->hold = DEW_HOLD_CREASE;
    touch->in_crease = true;
    touch->other_id = second;
    // Across the crease the vertex moves with both solids.
    double u = dew_inner(a.velocity_m_s, a.normal), w = dew_inner(b.velocity_m_s, b.normal);
    double d = dew_inner(a.normal, b.normal);
    touch->velocity = dew_combine((u - d * w) / square, a.normal, (w - d * u) / square, b.normal);
}

static bool put_on_solid(const dew_DropWork *work, uint8_t label, dew_Vec3 *x, dew_DropTouch *touch)
{
    if (!put_on_nearest(work, x, touch))
        return false;
    double near = label & DEW_LABEL_CREASE ? CREASE_KEEPS : CREASE;
    if (dew_problem_solid_count(work->params->problem) > 1)
        put_in_crease(work, near * work->edge_m, x, touch);
    return true;
}

void dew_drop_project(const dew_DropWork *work, uint8_t label, dew_Vec3 *x)
{
    dew_DropTouch touch = {.hold = DEW_HOLD_SLIDES};
    dew_Vec3 before = *x;
    if (!put_on_nearest(work, x, &touch))
        return;
    // The middle between two solids lies in the air: the edge is a chamfer, and ends at the crease.
    bool is_chamfer = dew_distance(before, *x) > CHAMFER * work->edge_m;
    if (dew_problem_solid_count(work->params->problem) > 1 &&
        (is_chamfer || (label & DEW_LABEL_CREASE)))
        put_in_crease(work, CREASE_KEEPS * work->edge_m, x, &touch);
}

static double mean_angle(double a, double b)
{
    return a == b ? a : acos(0.5 * (cos(a) + cos(b)));
}

static void take_material(const dew_DropWork *work, dew_DropTouch *touch, dew_Vec3 x)
{
    dew_MaterialDef material =
        dew_problem_material(work->params->problem, &work->instant, touch->solid_id, x);
    touch->interval = dew_contact_interval(&material, 0);
    touch->wet_advancing_rad = dew_contact_interval(&material, 1).advancing_rad;
    touch->dries_after_s = material.dries_after_s;
    touch->max_receding_N_m = material.max_receding_tension_N_m;
    touch->friction = material.friction;
    touch->slip_m = material.slip_m;
    touch->law = dew_line_law(&material, work->params->mu_Pa_s, work->params->sigma_N_m);
    if (!touch->in_crease)
        return;
    // Two lines end here, about as long: they pull along the crease as one of the mean cosine
    // would.
    material = dew_problem_material(work->params->problem, &work->instant, touch->other_id, x);
    dew_AngleInterval other = dew_contact_interval(&material, 0);
    double wet = dew_contact_interval(&material, 1).advancing_rad;
    touch->interval.advancing_rad = mean_angle(touch->interval.advancing_rad, other.advancing_rad);
    touch->interval.receding_rad = mean_angle(touch->interval.receding_rad, other.receding_rad);
    touch->wet_advancing_rad = mean_angle(touch->wet_advancing_rad, wet);
}

/// An edge from one solid to another that leaves the corner between them empty. Of its ends the one
/// nearer to the crease goes there.
static bool is_chamfer(const dew_DropWork *work, int32_t i, int32_t j)
{
    const uint8_t both = work->label[i] & work->label[j], any = work->label[i] | work->label[j];
    if (!(both & DEW_LABEL_TOUCHING) || (any & (DEW_LABEL_CREASE | DEW_LABEL_NOZZLE)) ||
        dew_inner(work->solid_normal[i], work->solid_normal[j]) > CHAMFER_COSINE)
        return false;
    dew_Vec3 middle = dew_scale(0.5, dew_add(work->x[i], work->x[j]));
    double d = dew_problem_distance(work->params->problem, &work->instant, middle, work->edge_m);
    return d > 0.2 * CHAMFER * work->edge_m;
}

static void fill_corners(dew_DropWork *work)
{
    for (int64_t k = 0; k < work->touch_count; k++) {
        dew_DropTouch *touch = &work->touches[k];
        int32_t i = touch->vertex;
        bool is_one = false;
        for (int32_t e = work->row[i]; e < work->row[i + 1] && !is_one; e++)
            is_one = is_chamfer(work, i, work->col[e]);
        if (!is_one)
            continue;
        put_in_crease(work, CREASE_KEEPS * work->edge_m, &work->x[i], touch);
        if (touch->hold == DEW_HOLD_CREASE) {
            work->label[i] |= DEW_LABEL_CREASE;
            take_material(work, touch, work->x[i]);
        }
    }
}

void dew_drop_find_touches(dew_DropWork *work)
{
    work->touch_count = 0;
    memset(work->solid_normal, 0, (size_t)work->n * sizeof *work->solid_normal);
    for (int32_t i = 0; i < (int32_t)work->n; i++) {
        uint8_t label = work->label[i];
        if (!(label & (DEW_LABEL_TOUCHING | DEW_LABEL_NOZZLE)))
            continue;
        dew_DropTouch touch = {.vertex = i, .solid_id = DEW_INVALID, .hold = DEW_HOLD_SLIDES};
        if (label & DEW_LABEL_NOZZLE) {
            touch.hold = DEW_HOLD_FIXED;
            touch.velocity = work->v[i];
        } else if (put_on_solid(work, label, &work->x[i], &touch)) {
            work->label[i] &= (uint8_t)~DEW_LABEL_CREASE;
            work->label[i] |= touch.hold == DEW_HOLD_CREASE ? DEW_LABEL_CREASE : 0;
            take_material(work, &touch, work->x[i]);
        } else {
            work->label[i] &= (uint8_t)~DEW_LABELS_OF_CONTACT;
            work->clearance[i] = 0;
            continue;
        }
        work->solid_normal[i] = touch.normal;
        work->touches[work->touch_count++] = touch;
    }
    if (dew_problem_solid_count(work->params->problem) > 1)
        fill_corners(work);
}

/// The upper side of a film that has become so thin that it would touch the solid below it.
static bool is_upper_side(const dew_DropWork *work, int64_t i, const dew_SolidPoint *p)
{
    return dew_inner(dew_normalize(work->gradient[i]), p->normal) > UPPER_SIDE;
}

/// A film without thickness could not be distinguished from dry solid, nor could its liquid flow
/// on: a least thickness stays.
static void hover(dew_DropWork *work, int64_t i, const dew_SolidPoint *p)
{
    work->x[i] = dew_add_scaled(p->point_m, HAIR * work->edge_m, p->normal);
    double approach = dew_inner(dew_sub(work->v[i], p->velocity_m_s), p->normal);
    if (approach < 0)
        work->v[i] = dew_add_scaled(work->v[i], -approach, p->normal);
}

/// A free vertex that has moved by way_m: does it touch now?
static void look_for_solid(dew_DropWork *work, int64_t i, double way_m)
{
    work->clearance[i] -= way_m;
    if (work->clearance[i] > 0)
        return;
    double reach = REACH * work->edge_m;
    dew_SolidPoint p =
        dew_problem_nearest(work->params->problem, &work->instant, work->x[i], reach);
    if (p.solid_id == DEW_INVALID || p.distance_m > 0) {
        work->clearance[i] = fmin(p.distance_m, reach);
        return;
    }
    work->clearance[i] = 0;
    if (is_upper_side(work, i, &p)) {
        hover(work, i, &p);
        return;
    }
    work->label[i] |= DEW_LABEL_TOUCHING;
    dew_DropTouch touch = {.hold = DEW_HOLD_SLIDES};
    put_on_solid(work, 0, &work->x[i], &touch);
}

void dew_drop_look_around(dew_DropWork *work, dew_DropTouch *touch)
{
    const dew_SurfaceSolverParams *params = work->params;
    dew_Vec3 x = work->x[touch->vertex];
    double e = LOOK_AHEAD * work->edge_m, reach = REACH * work->edge_m;
    dew_Vec3 ahead = dew_add_scaled(x, e, touch->outward);
    dew_SolidPoint p = dew_problem_nearest(params->problem, &work->instant, ahead, reach);
    touch->at_edge =
        p.solid_id != DEW_INVALID && dew_inner(dew_sub(p.point_m, x), touch->outward) < 0.5 * e;
    if (!touch->at_edge) {
        work->label[touch->vertex] &= (uint8_t)~DEW_LABEL_EDGE;
        return;
    }
    dew_Vec3 beyond = dew_add_scaled(ahead, -e, touch->normal);
    p = dew_problem_nearest(params->problem, &work->instant, beyond, reach);
    dew_Vec3 way = dew_sub(p.point_m, x);
    touch->around = dew_normalize(dew_add_scaled(way, -dew_inner(way, p.normal), p.normal));
    touch->around_normal = p.normal;
}

/// A vertex on a solid has been put back onto it by `back`: it has not gone that way, and goes on
/// so. (Else a line that pushes against an edge would gather speed for ever.)
static void stop(dew_DropWork *work, const dew_DropTouch *touch, dew_Vec3 back, double dt_s)
{
    double length = dew_length(back);
    dew_Vec3 *v = &work->v[touch->vertex];
    dew_Vec3 along = dew_normalize(back);
    double against = dew_inner(dew_sub(*v, touch->velocity), along);
    if (against < 0)
        *v = dew_add_scaled(*v, fmin(-against, length / dt_s), along);
    if (touch->is_line && dew_inner(back, touch->outward) < -STOPPED * work->edge_m)
        work->label[touch->vertex] |= DEW_LABEL_EDGE;
}

void dew_drop_collide(dew_DropWork *work, double dt_s, double solid_way_m)
{
    for (int64_t i = 0; i < work->n; i++) {
        if (work->label[i] & DEW_LABEL_NOZZLE)
            continue;
        double way = dew_distance(work->x[i], work->y[i]) + solid_way_m;
        if (!(work->label[i] & DEW_LABEL_TOUCHING))
            look_for_solid(work, i, way);
    }
    for (int64_t k = 0; k < work->touch_count; k++) {
        dew_DropTouch *touch = &work->touches[k];
        if (touch->solid_id == DEW_INVALID || !(work->label[touch->vertex] & DEW_LABEL_TOUCHING))
            continue;
        dew_DropTouch now = *touch;
        dew_Vec3 *x = &work->x[touch->vertex], before = *x;
        put_on_solid(work, work->label[touch->vertex], x, &now);
        stop(work, touch, dew_sub(*x, before), dt_s);
    }
}
