// The flow along the tail of a drop: its viscous resistance, as a pressure that varies along it.
//
//        U <--- direction of motion                  s   against the motion, from the drop's front
//        ____________________                        A   area of a section across s
//      .'          '    .    '  .  _                 w   half width of its wetted side
//     (   widest    s_j  s_j+1     _ ) tip           Q   volume per time through it
//      '.__________.____. ____. -                    phi half of the opening angle, tan = -dw/ds
//
// A drop's pressure is uniform in this solver. In a tail that is narrow and thin it is not: liquid
// flows along it only as fast as the wall lets it. Without that resistance the liquid of a tail is
// drawn into the drop as soon as its sides recede, and no tail is ever left behind. Lubrication
// theory in a section with the height 3 A / (4 w) (1 - y^2 / w^2) has
//
//     dP/ds = 3 mu Q / integral of h^3 dy = (70 / 9) mu w^2 Q / A^3,
//
// so that a slab of length d between two sections takes the power R Q^2, R = (70 / 9) mu w^2 d /
// A^3. What flows through a slab is the rate at which the volume behind it grows,
//
//     Q_j = a_j.v,      a_j = sum over the vertices of G_i times a ramp over the slab, 1 behind it,
//
// so that the step has the matrix dt R_j a_j a_j' per slab, of rank one each; all of them together
// are a pressure that is linear along each slab.
//
// The wedge of the contact line, whose law has L = R, takes up the flow across the line, and that
// inside a round base. Per section the first is the part sin^2(phi) of the resistance, the second
// (w / W)^2, W the largest half width: a round rear has cos(phi) = w / W. What is left is
// cos^2(phi) - (w / W)^2: nothing of a round rear, all of a tail. A corner behind a fast drop then
// has the cone of [Limat2004], and an opening angle only up to a greatest speed [Snoeijer2007].
//
// Limits: sections are planes across the drop's motion over its solid; a tail that lies across it
// offers no resistance.
#include "solvers/surface/drop_work.h"

#include <string.h>

#define SLAB_EDGES     0.75  // edges: length of a slab
#define THINNEST_EDGES 0.03  // edges: the film that the mesh can show (drop_collision.c)
#define SLOWEST        1e-6  // of the capillary speed: no direction
// Of lubrication flow under the height 3 A / (4 w) (1 - y^2 / w^2): mu w^2 / A^3 times the first is
// dP/ds over Q. rho / A times the second is inertia, as of a layer with a parabolic profile.
#define POISEUILLE (70.0 / 9)
#define MOMENTUM   1.2

typedef struct Sections {
    double area[DEW_TAIL_SLABS], width[DEW_TAIL_SLABS];
} Sections;

/// Unit vector against the motion over the solids, along them; false when there is none.
static bool find_direction(const dew_DropWork *work, dew_Vec3 *direction)
{
    dew_Vec3 solid = {0, 0, 0}, normal = {0, 0, 0};
    double area = 0;
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        double a = t->solid_id == DEW_INVALID ? 0 : work->wet_area[t->vertex];
        solid = dew_add_scaled(solid, a, t->velocity);
        normal = dew_add_scaled(normal, a, t->normal);
        area += a;
    }
    if (!(area > 0) || !work->flags.has_velocity)
        return false;
    normal = dew_normalize(normal);
    dew_Vec3 u = dew_add_scaled(work->values.velocity_m_s, -1 / area, solid);
    u = dew_add_scaled(u, -dew_inner(u, normal), normal);
    *direction = dew_normalize(dew_scale(-1, u));
    return dew_length(u) > SLOWEST * dew_drop_capillary_speed_m_s(work);
}

/// Places of the vertices in slabs from the tip; slabs from the tip to the front.
static void place(dew_DropWork *work, dew_Vec3 direction)
{
    dew_DropTail *tail = &work->tail;
    double front = (double)INFINITY, tip = -(double)INFINITY;
    for (int64_t i = 0; i < work->n; i++) {
        tail->at[i] = dew_inner(work->y[i], direction);
        front = fmin(front, tail->at[i]);
        tip = fmax(tip, tail->at[i]);
    }
    double slab = fmax(SLAB_EDGES * work->edge_m, (tip - front) / (DEW_TAIL_SLABS - 1));
    tail->slab_m = slab;
    tail->count = (int32_t)((tip - front) / slab) + 1;
    for (int64_t i = 0; i < work->n; i++)
        tail->at[i] = (tip - tail->at[i]) / slab;
}

/// sum[j] = sum over the vertices of y_i times the ramp of slab j, from the values y_i that were
/// added up per slab: all of them, and times the ramp of their own slab.
static void add_up(const dew_DropTail *tail, double *sum, const double *ramped)
{
    double behind = 0;
    for (int32_t j = 0; j < tail->count; j++) {
        double all = sum[j];
        sum[j] = behind + ramped[j];
        behind += all;
    }
}

static int32_t slab_of(const dew_DropTail *tail, int64_t i, double *ramp)
{
    int32_t j = (int32_t)tail->at[i];
    *ramp = j + 1 - tail->at[i];
    return j;
}

/// Of a wetted triangle: what its corners add to the integral of the ramps' slopes over it.
static void add_wet(const dew_DropWork *work, const dew_Triangle *triangle, dew_Vec3 direction,
                    double *width, double *ramped)
{
    const uint32_t *v = triangle->v;
    dew_Vec3 p[3] = {work->y[v[0]], work->y[v[1]], work->y[v[2]]};
    dew_Vec3 normal = dew_normalize(dew_cross(dew_sub(p[1], p[0]), dew_sub(p[2], p[0])));
    dew_Vec3 across = dew_cross(direction, normal);
    for (int c = 0; c < 3; c++) {
        double ramp, w = 0.25 * dew_inner(across, dew_sub(p[(c + 2) % 3], p[(c + 1) % 3]));
        int32_t j = slab_of(&work->tail, v[c], &ramp);
        width[j] += w;
        ramped[j] += ramp * w;
    }
}

static void measure_sections(const dew_DropWork *work, dew_Vec3 direction, Sections *out)
{
    const dew_DropTail *tail = &work->tail;
    double area[DEW_TAIL_SLABS] = {0}, width[DEW_TAIL_SLABS] = {0}, ramp;
    memset(out, 0, sizeof *out);
    for (int64_t i = 0; i < work->n; i++) {
        int32_t j = slab_of(tail, i, &ramp);
        double a = dew_inner(work->gradient[i], direction);
        out->area[j] += a;
        area[j] += ramp * a;
    }
    for (int64_t k = 0; k < work->triangle_count; k++)
        if (work->is_wet[k])
            add_wet(work, &work->triangle[k], direction, out->width, width);
    add_up(tail, out->area, area);
    add_up(tail, out->width, width);
}

/// Of the resistance of a section: what the wedge and a round base do not account for.
static double fraction_of_tail(const Sections *s, int32_t j, double slab_m, double most)
{
    double w = s->width[j], before = j > 0 ? s->width[j - 1] : 0;
    double slope = (s->width[j + 1] - before) / (j > 0 ? 2 * slab_m : 1.5 * slab_m);
    double ratio = w / most;
    return w > 0 ? fmax(1 / (1 + slope * slope) - ratio * ratio, 0) : 0;
}

/// Slabs from the tip to the widest section, and what they resist with.
static void set_slabs(dew_DropTail *tail, const Sections *s, const dew_SurfaceSolverParams *params,
                      double thinnest_m)
{
    int32_t widest = 0;
    for (int32_t j = 1; j < tail->count; j++)
        widest = s->width[j] > s->width[widest] ? j : widest;
    tail->count = widest;
    for (int32_t j = 0; j < widest; j++) {
        double w = s->width[j], d = tail->slab_m;
        double A = fmax(s->area[j], 4.0 / 3 * w * thinnest_m);
        double fraction = fraction_of_tail(s, j, d, s->width[widest]);
        tail->fraction[j] = fraction;
        tail->resistance[j] =
            fraction > 0 ? POISEUILLE * params->mu_Pa_s * fraction * w * w * d / (A * A * A) : 0;
        tail->inertance[j] = fraction > 0 ? MOMENTUM * params->rho_kg_m3 * fraction * d / A : 0;
    }
}

void dew_drop_find_tail(dew_DropWork *work)
{
    dew_DropTail *tail = &work->tail;
    dew_Vec3 direction;
    Sections sections;
    tail->count = 0;
    for (int64_t i = 0; i < work->n; i++)
        tail->pressure_Pa[i] = 0;
    if (!find_direction(work, &direction))
        return;
    place(work, direction);
    measure_sections(work, direction, &sections);
    set_slabs(tail, &sections, work->params, THINNEST_EDGES * work->edge_m);
    for (int64_t i = 0; i < work->n; i++)
        tail->pressure_Pa[i] = dew_inner(work->gradient[i], work->v[i]);
    dew_drop_tail_resist(tail, work->n, 0, tail->pressure_Pa);
}

/// Flow through the slabs from the volume per time that each vertex sweeps.
static void find_flow(dew_DropTail *tail, int64_t n, const double *sweep)
{
    double ramped[DEW_TAIL_SLABS] = {0}, ramp;
    memset(tail->flow, 0, sizeof tail->flow);
    for (int64_t i = 0; i < n; i++) {
        if (!(tail->at[i] < tail->count))
            continue;
        int32_t j = slab_of(tail, i, &ramp);
        tail->flow[j] += sweep[i];
        ramped[j] += ramp * sweep[i];
    }
    add_up(tail, tail->flow, ramped);
}

double dew_drop_tail_resist(dew_DropTail *tail, int64_t n, double per_s, double *values)
{
    double behind[DEW_TAIL_SLABS + 1], ramp, power = 0;  // pressure at the slabs' ends
    find_flow(tail, n, values);
    behind[tail->count] = 0;
    for (int32_t j = tail->count - 1; j >= 0; j--) {
        double drop_Pa = (tail->resistance[j] + per_s * tail->inertance[j]) * tail->flow[j];
        behind[j] = behind[j + 1] - drop_Pa;
        power += drop_Pa * tail->flow[j];
    }
    for (int64_t i = 0; i < n; i++) {
        values[i] = 0;
        if (!(tail->at[i] < tail->count))
            continue;
        int32_t j = slab_of(tail, i, &ramp);
        values[i] = behind[j + 1] + ramp * (behind[j] - behind[j + 1]);
    }
    return power;
}
