// Contact angles: Young's force on the contact line, pinned between two bounds. [Zhang2011] section
// 4.3
//
// The energy of the wetted area is -sigma cos(theta) per area, so the solid pulls the line outward
// with sigma cos(theta) per length; the pull of the free surface is in its own gradient already. A
// line at rest gets whatever pull keeps it at rest, as long as that lies between sigma
// cos(advancing) and sigma cos(receding): a return mapping, as of dry friction. Beyond a bound the
// line moves, pulled with that bound. The implicit step (implicit_solve.c) is repeated until states
// and motion agree.
//
// differs: eq. (8) pushes the line by the angle's excess and not at all between the bounds; then
// nothing holds it there, and a drop on a tilted pane creeps. Measuring the angle on the mesh is
// not needed either: the equilibrium is the least energy, whose angle is right to the order of
// edge^2.
//
// At a sharp edge the line is pinned while the angle to the side beyond is below its bound
// [Oliver1977]. In the crease of two solids the line can move along the crease only: there the same
// holds of the parts along it.
//
// A moving line is pulled with sigma cos(theta_d(u)), the apparent angle of the law of the moving
// line (wetting/moving_line.c) at its speed u along its normal, L the radius of the wetted base.
// The law is linearised about a speed and enters the step implicitly; reviews repeat this
// (Newton's method) until it holds at the speed that was found. Motion along the line costs
// nothing.
#include "solvers/surface/drop_work.h"
#include "wetting/history.h"

#define LAW_TOLERANCE    0.01  // of sigma: how well the linearised law must hold, 0.6 degrees at 90
#define LOOK_AHEAD_CUBES 0.75  // cubes of the wetting history: where the line is about to go
#define REST_SPEED_RATIO 1e-4  // of the capillary speed: slower is at rest
#define NO_HYSTERESIS    1e-3  // rad: bounds this near pull alike both ways, and nothing is pinned
#define SAME_SIDE_COSINE                                                                           \
    0.95  // cosine between a solid's normal and that of the wet triangles on it
#define MAX_AREA_RATIO        1.3   // times its area on a plane
#define MIN_SPREAD_AREA_RATIO 4.0   // times the area of a ball: as on impact
#define MIN_FILM_EDGES        0.25  // edges
#define MIN_LINE_EDGES        1e-3  // edges: a shorter line pulls at nothing

/// Area of a drop that rests on a plane without gravity, base included, per that of the ball of its
/// volume.
static double area_of_cap(double angle_rad)
{
    double c = cos(angle_rad),
           volume = (2 - 3 * c + c * c * c) / 4;  // of a cap of radius 1, per ball
    return (2 * (1 - c) + 1 - c * c) / 4 / cbrt(volume * volume);
}

/// A liquid of a low angle creeps along creases without end [ConcusFinn1969]. Where the drop is
/// wider than it would be on a plane, and too thin for the mesh to show, its line does not advance.
static bool is_spent(const dew_DropWork *work, const dew_DropTouch *touch)
{
    double r = dew_drop_radius_m(work), ball = 4 * DEW_PI * r * r;
    double area = work->free_area_m2 + work->wet_area_m2;
    return area > MIN_SPREAD_AREA_RATIO * ball &&
           2 * work->volume_m3 < MIN_FILM_EDGES * work->edge_m * area &&
           area > MAX_AREA_RATIO * area_of_cap(touch->interval.advancing_rad) * ball;
}

/// Gradient of the wetted area, in `image`, and the sum of its normals, in `change`.
static void gradient_of_wet_area(dew_DropWork *work)
{
    dew_Vec3 *g = work->image, *sum = work->change;
    for (int64_t i = 0; i < work->n; i++)
        g[i] = sum[i] = dew_vec(0, 0, 0);
    for (int64_t k = 0; k < work->triangle_count; k++) {
        if (!work->is_wet[k])
            continue;
        const uint32_t *v = work->triangle[k].v;
        dew_Vec3 p[3] = {work->y[v[0]], work->y[v[1]], work->y[v[2]]};
        dew_Vec3 normal = dew_normalize(dew_cross(dew_sub(p[1], p[0]), dew_sub(p[2], p[0])));
        for (int c = 0; c < 3; c++) {
            dew_Vec3 edge = dew_sub(p[(c + 2) % 3], p[(c + 1) % 3]);
            g[v[c]] = dew_add_scaled(g[v[c]], 0.5, dew_cross(normal, edge));
            sum[v[c]] = dew_add(sum[v[c]], normal);
        }
    }
}

/// The law about a speed along the line's normal.
static void linearise(const dew_DropWork *work, dew_DropTouch *touch, double speed_m_s)
{
    double u = touch->line_state == DEW_LINE_ADVANCING ? fmax(speed_m_s, 0) : fmin(speed_m_s, 0);
    dew_LineAngle a = dew_line_angle(&touch->law, touch->target_rad, u, work->line_scale_m);
    touch->drag_Pa_s = a.drag_Pa_s;
    touch->young_N_m = work->params->sigma_N_m * a.cosine + a.drag_Pa_s * u;
}

/// Outward, seen from the solid, with a fraction of the change of velocities.
static double line_speed(const dew_DropWork *work, const dew_DropTouch *touch, double fraction)
{
    int32_t i = touch->vertex;
    dew_Vec3 v = fraction > 0 ? dew_add_scaled(work->v[i], fraction, work->change[i]) : work->v[i];
    return dew_inner(dew_sub(v, touch->velocity), touch->outward);
}

static void set_state(const dew_DropWork *work, dew_DropTouch *touch, dew_LineState state,
                      double target_rad)
{
    if (state == DEW_LINE_ADVANCING && is_spent(work, touch))
        state = DEW_LINE_PINNED;
    touch->line_state = state;
    touch->target_rad = target_rad;
    touch->young_N_m = touch->drag_Pa_s = 0;
    if (state == DEW_LINE_PINNED)
        touch->hold = DEW_HOLD_FIXED;
    else
        touch->hold = touch->in_crease ? DEW_HOLD_CREASE : DEW_HOLD_SLIDES;
}

/// What the solid does against a pull per length, outward positive.
static void answer_pull(const dew_DropWork *work, dew_DropTouch *touch, double pull_N_m)
{
    double sigma = work->params->sigma_N_m;
    dew_ContactReturn r =
        dew_contact_return_force(touch->interval, sigma, touch->max_receding_N_m, pull_N_m);
    set_state(work, touch, r.state, r.target_rad);
}

/// The same of a vector, per length. At a sharp edge of the solid, where it cannot advance straight
/// on, the line is pinned until the angle to the side beyond has reached the bound [Oliver1977];
/// then it turns the corner.
static void answer(const dew_DropWork *work, dew_DropTouch *touch, dew_Vec3 pull_N_m)
{
    answer_pull(work, touch, dew_inner(pull_N_m, touch->outward));
    if (touch->line_state != DEW_LINE_ADVANCING || !touch->at_edge)
        return;
    answer_pull(work, touch, dew_inner(pull_N_m, touch->around));
    if (touch->line_state == DEW_LINE_ADVANCING) {
        touch->at_edge = false;
        touch->normal = touch->around_normal;
        touch->outward = touch->around;
    } else {
        set_state(work, touch, DEW_LINE_PINNED, 0);
    }
}

/// The angle at which Young's force would balance the pull: the apparent angle, in the way in which
/// the mesh's energy sees it.
static void note_angle(dew_DropWork *work, const dew_DropTouch *touch, double pull_N_m)
{
    double cosine = -pull_N_m / work->params->sigma_N_m;
    double angle = acos(fmin(fmax(cosine, -1), 1));
    dew_DropValues *v = &work->values;
    v->min_angle_rad = v->line_m > 0 ? fmin(v->min_angle_rad, angle) : angle;
    v->max_angle_rad = v->line_m > 0 ? fmax(v->max_angle_rad, angle) : angle;
    v->angle_rad += angle * touch->length_m;
    v->line_m += touch->length_m;
}

/// Solid that was wet already is wetted again at a lower angle [Wang2005, section 6].
void dew_drop_look_up_wetness(const dew_DropWork *work, dew_DropTouch *touch)
{
    const dew_SurfaceSolverParams *params = work->params;
    if (!params->ground || touch->wet_advancing_rad == touch->interval.advancing_rad)
        return;
    dew_Vec3 ahead = dew_add_scaled(work->x[touch->vertex],
                                    LOOK_AHEAD_CUBES * params->ground->cube_m, touch->outward);
    double last_s = dew_wet_ground_time_s(params->ground, params->problem, &work->instant,
                                          touch->solid_id, ahead);
    if (dew_wetness(last_s, work->instant.time_s, touch->dries_after_s) > 0)
        touch->interval.advancing_rad = touch->wet_advancing_rad;
}

static void begin_vertex(dew_DropWork *work, dew_DropTouch *touch)
{
    int32_t i = touch->vertex;
    dew_drop_look_up_wetness(work, touch);
    double pressure = work->values.pressure_Pa + work->tail.pressure_Pa[i];
    dew_Vec3 pull = dew_add_scaled(work->force[i], pressure, work->gradient[i]);
    double speed = line_speed(work, touch, 0);
    double still = REST_SPEED_RATIO * dew_drop_capillary_speed_m_s(work);
    if (work->label[i] & DEW_LABEL_EDGE && !touch->in_crease)
        dew_drop_look_around(work, touch);
    if (speed > still && !touch->at_edge)
        set_state(work, touch, DEW_LINE_ADVANCING, touch->interval.advancing_rad);
    else if (speed < -still)
        set_state(work, touch, DEW_LINE_RECEDING, touch->interval.receding_rad);
    else
        answer(work, touch, dew_scale(1 / touch->length_m, pull));
    note_angle(work, touch, dew_inner(pull, touch->outward) / touch->length_m);
    if (touch->line_state != DEW_LINE_PINNED)
        linearise(work, touch, speed);
}

/// On an edge of the solid either side is the nearest: the vertex belongs to the one that is wet.
static void take_side(dew_DropTouch *touch, dew_Vec3 wet)
{
    dew_Vec3 normal = dew_normalize(dew_scale(-1, wet));
    if (!touch->in_crease && !touch->is_lone && dew_inner(normal, touch->normal) < SAME_SIDE_COSINE)
        touch->normal = normal;
}

void dew_drop_begin_line(dew_DropWork *work)
{
    gradient_of_wet_area(work);
    work->line_scale_m = sqrt(work->wet_area_m2 / DEW_PI);
    work->values.line_m = work->values.angle_rad = 0;
    for (int64_t k = 0; k < work->touch_count; k++) {
        dew_DropTouch *touch = &work->touches[k];
        int32_t i = touch->vertex;
        work->label[i] &= (uint8_t)~DEW_LABEL_CONTACT_LINE;
        if (touch->solid_id == DEW_INVALID) {
            if (work->area[i] > 0 && work->wet_area[i] > 0)  // a nozzle's rim
                work->label[i] |= DEW_LABEL_CONTACT_LINE;
            continue;
        }
        touch->is_lone = !(work->wet_area[i] > 0);
        if (work->label[i] & DEW_LABEL_EDGE)
            take_side(touch, work->change[i]);
        dew_Vec3 g = work->image[i];
        if (touch->in_crease)
            g = dew_scale(dew_inner(g, touch->crease), touch->crease);
        else
            g = dew_add_scaled(g, -dew_inner(g, touch->normal), touch->normal);
        touch->length_m = dew_length(g);
        touch->outward = dew_normalize(g);
        touch->is_line = !touch->is_lone && work->area[i] > 0;
        if (touch->is_line)
            work->label[i] |= DEW_LABEL_CONTACT_LINE;
        touch->is_line = touch->is_line && touch->length_m > MIN_LINE_EDGES * work->edge_m;
    }
    for (int64_t k = 0; k < work->touch_count; k++)
        if (work->touches[k].is_line)
            begin_vertex(work, &work->touches[k]);
    if (work->values.line_m > 0)
        work->values.angle_rad /= work->values.line_m;
}

static bool review_vertex(dew_DropWork *work, dew_DropTouch *touch, double dt_s, bool may_release)
{
    int32_t i = touch->vertex;
    double speed = line_speed(work, touch, 1);
    if (touch->line_state == DEW_LINE_PINNED) {
        if (!may_release)
            return false;
        // The residual is what the solution would need to hold the vertex, minus what it was given.
        answer(work, touch, dew_scale(1 / (dt_s * touch->length_m), work->residual[i]));
        if (touch->line_state != DEW_LINE_PINNED)
            linearise(work, touch, 0);
        return touch->line_state != DEW_LINE_PINNED;
    }
    bool is_pinnable = touch->interval.advancing_rad - touch->interval.receding_rad > NO_HYSTERESIS;
    bool is_wrong = touch->line_state == DEW_LINE_ADVANCING ? speed < 0 : speed > 0;
    if (is_wrong && is_pinnable) {
        set_state(work, touch, DEW_LINE_PINNED, 0);
        return true;
    }
    double assumed = touch->young_N_m - touch->drag_Pa_s * speed;
    linearise(work, touch, speed);
    double holds = touch->young_N_m - touch->drag_Pa_s * speed;
    return fabs(holds - assumed) > LAW_TOLERANCE * work->params->sigma_N_m;
}

bool dew_drop_review_line(dew_DropWork *work, double dt_s, bool may_release)
{
    bool has_changed = false;
    for (int64_t k = 0; k < work->touch_count; k++) {
        dew_DropTouch *touch = &work->touches[k];
        if (touch->is_line)
            has_changed = review_vertex(work, touch, dt_s, may_release) || has_changed;
    }
    return has_changed;
}

/// A vertex that touches all alone is let go when the solid would have to pull at it; so is a patch
/// that has receded to nothing.
void dew_drop_release(dew_DropWork *work)
{
    bool recedes = true;
    for (int64_t k = 0; k < work->touch_count; k++)
        recedes = recedes &&
                  (!work->touches[k].is_line || work->touches[k].line_state == DEW_LINE_RECEDING);
    bool is_gone = recedes && work->wet_area_m2 < 0.25 * work->edge_m * work->edge_m;
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *touch = &work->touches[k];
        if (touch->solid_id == DEW_INVALID)
            continue;
        bool is_pulled = dew_inner(work->residual[touch->vertex], touch->normal) > 0;
        if (is_gone || (touch->is_lone && is_pulled)) {
            work->label[touch->vertex] &= (uint8_t)~DEW_LABELS_OF_CONTACT;
            work->clearance[touch->vertex] = 0;
        }
    }
}
