// Fronts of waves that run over dry ground without friction.
//
//     surface ___                x: distance from the contact line.  c = sqrt(g D): wave speed.
//                \__   line      n: normal of the line in the plane.  W: velocity of the line.
//     ground ________\__|____    In the front D ~ x^2, c ~ x, and u + 2 c n = W [Ritter1892].
//
// Signals fall behind the line, u + c < W: W depends on itself and on the slope of the ground only,
// dW/dt = -g grad b. A scheme that takes W from the liquid behind loses a part of it in each step,
// for the front is thinner than cells resolve, and the line falls behind.
//
// Method: W is taken from the outermost faces at the beginning of the step, extrapolated along
// normals to all faces of the front, REACH cells behind the line, and u = W - 2 c n is set there at
// the end of the step with the depth of that time. This replaces the balance of momentum there; the
// volume moves by the same fluxes as elsewhere, and the line with W.
//
// A front begins where liquid ends with a step, as behind a dam, and lasts as long as signals from
// behind do not reach it: W - u > front_signal c. Where the surface meets the ground at an angle,
// at a shore, signals reach the line, u + c > W, and there is no front.
//
// Limits: friction and wind govern so thin a film; with either, the line moves with the liquid
// (shoreline_velocity.c).
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

#include <string.h>

#define REACH  DEW_SHALLOW_BAND  // cells behind the line that belong to a front
#define BEHIND (REACH + 1)       // faces behind the line: the first beyond the front
enum { NONE, FRONT, DAM };       // of columns

typedef struct Work {
    const dew_SolverState *state;
    double dt, g;
    double along;   // gravity along the ground, on the faces' axis
    double *u;      // velocities on the faces
    double *front;  // W on them
    uint8_t *is_known, *is_next;
    double size;  // of a cell along the axis
    int64_t d;    // from the column before a face to that behind
    double other_size;
    int64_t e;  // the other axis; 0: there is none
} Work;

static double wave(const Work *w, int64_t n)
{
    return sqrt(w->g * w->state->depth[n]);
}
// On the face below column n.
static double face_wave(const Work *w, int64_t n)
{
    return 0.5 * (wave(w, n) + wave(w, n - w->d));
}
static double face_phi(const Work *w, int64_t n)
{
    return 0.5 * (w->state->phi[n] + w->state->phi[n - w->d]);
}
// Of the normal along the axis, on the face.
static double face_normal(const Work *w, int64_t n)
{
    const double *phi = w->state->phi + n;
    double along = (phi[0] - phi[-w->d]) / w->size;
    double across = w->e ? 0.25 * (phi[w->e] - phi[-w->e] + phi[w->e - w->d] - phi[-w->e - w->d]) /
                               w->other_size
                         : 0;
    double length = sqrt(along * along + across * across);
    return length > 0 ? along / length : 0;
}

// ---- where there are fronts
// ------------------------------------------------------------------------

// A column from which liquid goes outwards along an axis, and the face it goes through.
typedef struct Edge {
    int64_t in;    // one column inwards
    int64_t face;  // towards the line
    double out;    // sign of the direction there
} Edge;

static Edge edge_of(const Work *w, int64_t c)
{
    bool is_up = w->state->phi[c + w->d] > w->state->phi[c - w->d];
    return (Edge){is_up ? -w->d : w->d, is_up ? c + w->d : c, is_up ? 1 : -1};
}

// Liquid that ends with a step over dry ground, in column c or, when that is filled in part, the
// one behind: the speed of its waves, 0 where it does not.
static double dam_wave(const Work *w, int64_t c, Edge e)
{
    const dew_SolverState *s = w->state;
    int64_t o = c - e.in;
    double deepest = 0;
    for (int k = 0; k < dew_wave_params.front_even_faces; k++, c += e.in) {
        double surface = s->ground[c] + s->depth[c], middle = 0.5 * (s->ground[o] + s->ground[c]);
        if (s->depth[c] >
                dew_wave_params.step_reach_cells * fabs(s->depth[c + e.in] - s->depth[c]) &&
            surface - s->ground[o] > 0.5 * s->depth[c])
            deepest = fmax(deepest, surface - fmax(middle, s->ground[c]));
    }
    return sqrt(w->g * deepest);
}

static bool is_deep_behind(const Work *w, int64_t c, int64_t in)
{
    for (int k = 0; k <= BEHIND; k++)
        if (!(w->state->depth[c + k * in] > w->state->params.dry_m))
            return false;
    return true;
}

// Does W hold on the outermost faces, and run away from what is behind?
static bool is_front(const Work *w, Edge e)
{
    int64_t far = e.face + BEHIND * e.in;
    double normal = fabs(face_normal(w, e.face)), deep = face_wave(w, far) * normal;
    double front = e.out * w->u[e.face] + 2 * face_wave(w, e.face) * normal;
    if (!(front > 0) || !(front - e.out * w->u[far] > dew_wave_params.front_signal * deep))
        return false;
    // No faster than what is behind could make it, and a fall from there.
    const double *b = w->state->ground;
    double behind = fabs(w->u[far]) + 2 * face_wave(w, far);
    double fall = 2 * w->g * fmax(b[e.face + BEHIND * e.in] - b[e.face], 0);
    if (front > dew_wave_params.front_speed_ratio * sqrt(behind * behind + fall))
        return false;
    for (int k = 1; k <= dew_wave_params.front_even_faces; k++) {
        int64_t f = e.face + k * e.in;
        double there = e.out * w->u[f] + 2 * face_wave(w, f) * normal;
        if (fabs(there - front) > dew_wave_params.front_tolerance * deep)
            return false;
    }
    return true;
}

static bool is_dam(const Work *w, Edge e, double dam)
{
    int64_t far = e.face + BEHIND * e.in;
    double normal = fabs(face_normal(w, e.face));
    double front =
        e.out * w->u[e.face + dew_wave_params.front_even_faces * e.in] + 2 * dam * normal;
    return dam > 0 && front > 0 &&
           front - e.out * w->u[far] > dew_wave_params.front_signal * face_wave(w, far) * normal;
}

// Of column c, with the axis along which the line is nearest.
static int kind_of(const Work *w, int64_t c)
{
    const dew_SolverState *s = w->state;
    Edge e = edge_of(w, c);
    int64_t o = c - e.in;
    const double *sill = w->d == 1 ? s->sill_x : s->sill_z;
    if (!(s->phi[c] < 0) || !(s->phi[o] > -dew_wave_params.advected_cells * w->size) ||
        s->depth[o] > s->params.dry_m || !is_deep_behind(w, c, e.in) ||
        sill[e.face] >= s->ground[c] + s->depth[c] ||
        fabs(s->ground[o] - s->ground[c]) > dew_wave_params.front_slope * w->size)
        return NONE;
    if (is_front(w, e))
        return FRONT;
    s->work.distance[c] = dam_wave(w, c, e);
    return is_dam(w, e, s->work.distance[c]) ? DAM : NONE;
}

// Is what kind_of looks at inside of the domain?
static bool is_domain(const Work *w, int64_t c, int column, int row)
{
    const dew_ShallowGrid *g = &w->state->grid;
    int at = w->d == 1 ? column : row, count = w->d == 1 ? g->columns : g->rows;
    int in = edge_of(w, c).in > 0 ? 1 : -1, last = at + (BEHIND + 1) * in;
    return last >= 0 && last < count && at - in >= 0 && at - in < count;
}

typedef struct Both {
    Work axis[2];
} Both;

// The axis along which the line is nearest.
static bool is_along_z(const dew_SolverState *s, int64_t n)
{
    if (!s->grid.has_z)
        return false;
    int64_t z = s->grid.stride;
    double along_x = fabs(s->phi[n + 1] - s->phi[n - 1]) / s->grid.dx_m;
    return fabs(s->phi[n + z] - s->phi[n - z]) / s->grid.dz_m > along_x;
}

static void find_kind(const void *context, dew_WaveCell cell)
{
    const Both *both = context;
    const dew_SolverState *s = both->axis[0].state;
    int64_t n = cell.n;
    const Work *w = &both->axis[is_along_z(s, n)];
    s->work.front_kind[n] = s->depth[n] > s->params.dry_m && is_domain(w, n, cell.column, cell.row)
                                ? (uint8_t)kind_of(w, n)
                                : NONE;
}

// W on the faces of the outermost columns of a front.
static void find_face(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    int low = s->work.front_kind[n - w->d], high = s->work.front_kind[n];
    bool is_front = low != NONE || high != NONE;
    w->is_known[n] = w->is_next[n] = is_front;
    if (!is_front)
        return;
    int64_t c = low != NONE && (high == NONE || s->phi[n - w->d] < s->phi[n]) ? n - w->d : n;
    Edge e = edge_of(w, c);
    double rise = (s->ground[n] - s->ground[n - w->d]) / w->size, front;
    if (s->work.front_kind[c] == DAM) {
        bool is_main = is_along_z(s, c) == (w->d != 1);
        front = w->u[is_main ? e.face + dew_wave_params.front_even_faces * e.in : n] +
                2 * s->work.distance[c] * face_normal(w, n);
    } else {
        front = w->u[n] + 2 * face_wave(w, n) * face_normal(w, n);
    }
    w->front[n] = front + w->dt * (w->along - w->g * rise);
}

// One layer farther from the line, on either side: constant along normals, as in
// shoreline_velocity.c.
static void extend_face(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    const dew_ShallowGrid *g = &w->state->grid;
    int64_t n = cell.n;
    if (w->is_known[n])
        return;
    const int64_t d[2] = {1, g->stride};
    const double size[2] = {g->dx_m, g->dz_m};
    double phi = face_phi(w, n), sum = 0, all = 0;
    for (int axis = 0; axis < (g->has_z ? 2 : 1); axis++) {
        for (int side = -1; side <= 1; side += 2) {
            int64_t m = n + side * d[axis];
            double nearer = fabs(phi - face_phi(w, m));
            if (!w->is_known[m] || !(nearer > 0))
                continue;
            double weight = nearer / (size[axis] * size[axis]);
            sum += weight * w->front[m];
            all += weight;
        }
    }
    // Another line, towards which this one runs, keeps its own.
    double normal = face_normal(w, n);
    if (all > 0 && !(fabs(normal) > 0.5 && sum * normal < 0)) {
        w->front[n] = sum / all;
        w->is_next[n] = 1;
    }
}

static void note(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    w->is_known[cell.n] = w->is_next[cell.n];
}

// The velocities that follow from W and the present depth.
static void set_face(const void *context, dew_WaveCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    double normal = face_normal(w, n);
    int64_t c = normal > 0 ? n - w->d : n;
    double far_m = s->params.far_m;
    if (w->is_known[n] && fabs(s->phi[n]) < far_m && fabs(s->phi[n - w->d]) < far_m &&
        s->depth[c] > s->params.dry_m)
        w->u[n] = w->front[n] - 2 * face_wave(w, n) * normal;
}

static Work work_of(dew_ShallowFlow *flow, bool is_z)
{
    dew_SolverState *s = flow->state;
    return (Work){.state = s,
                  .dt = flow->dt_s,
                  .g = flow->gravity.g,
                  .along = is_z ? flow->gravity.gz : flow->gravity.gx,
                  .u = is_z ? s->w : s->u,
                  .front = is_z ? s->work.front_w : s->work.front_u,
                  .is_known = is_z ? s->work.is_front_w : s->work.is_front_u,
                  .is_next = s->work.is_front_next,
                  .size = is_z ? s->grid.dz_m : s->grid.dx_m,
                  .d = is_z ? s->grid.stride : 1,
                  .other_size = is_z ? s->grid.dx_m : s->grid.dz_m,
                  .e = is_z            ? 1
                       : s->grid.has_z ? s->grid.stride
                                       : 0};
}

dew_Status dew_wave_find_fronts(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Vec3 wind = flow->step->instant->wind_m_s;
    uint8_t *const marks[] = {s->work.is_front_u, s->work.is_front_w, s->work.is_front_next,
                              s->work.front_kind};
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++)
        memset(marks[k], 0, (size_t)s->grid.count);
    if (wind.x != 0 || wind.z != 0 || !(flow->gravity.g > 0))
        return dew_ok();
    Both both = {{work_of(flow, false), work_of(flow, true)}};
    DEW_TRY(dew_wave_find_band(s));
    DEW_TRY(dew_wave_for_band(s, find_kind, &both));
    for (int axis = 0; axis < (s->grid.has_z ? 2 : 1); axis++) {
        DEW_TRY(dew_wave_for_band(s, find_face, &both.axis[axis]));
        for (int layer = 0; layer < REACH; layer++) {
            DEW_TRY(dew_wave_for_band(s, extend_face, &both.axis[axis]));
            DEW_TRY(dew_wave_for_band(s, note, &both.axis[axis]));
        }
    }
    return dew_ok();
}

dew_Status dew_wave_set_front_velocity(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    for (int axis = 0; axis < (s->grid.has_z ? 2 : 1); axis++) {
        Work work = work_of(flow, axis == 1);
        DEW_TRY(dew_wave_for_band(s, set_face, &work));
    }
    return dew_ok();
}
