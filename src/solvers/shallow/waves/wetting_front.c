// The tip of a wave that runs over dry ground without friction.
//
// Where deep liquid meets dry ground its edge thins out as the square of the distance, c = sqrt(g D) as the distance itself, and
// u + 2 c is one value W all over the tip: the velocity of the contact line ([Ritter1892], a dam break; in a plane the
// vector u + 2 c n, n the normal of the line). All signals fall behind the line, for u + c < W: its velocity depends on
// nothing but itself and the slope of the ground, dW/dt = -g grad b. A scheme that takes it from the liquid behind loses some
// of it in each step, for the tip is thinner than cells can tell, and the line falls behind by a share of its way.
//
// So W is taken from the outermost faces as a step begins, and holds for all faces of the tip, REACH cells behind the line, when
// it ends: u = W - 2 c n with the depth as it is then. This takes the place of the balance of momentum there; volume moves by
// the same fluxes as ever, and the line with W.
//
// A line is a tip when it begins as one, liquid that ends with a step as behind a dam, and as long as signals from behind the tip
// do not reach it: W - u > 1.5 c there, where a tip has 2 c. Where the surface meets the ground at an angle, at a shore, signals do
// reach the line, u + c > W, and none of this happens.
// Limits: friction and wind rule so thin a film, so with either of them the line goes as the liquid (line_velocity.c).
#include "base/status.h"
#include "solvers/shallow/state.h"

#include <string.h>

#define REACH     4     // cells behind the line
#define BEHIND    5     // faces behind the line: the first that is none of the tip's
#define SIGNAL    1.5   // of the speed of waves there
#define EVEN      2     // faces behind the first that must have its W
#define UNEVEN    0.25  // by that of the speed of waves behind the tip
#define AHEAD     2.5   // cells, at most, that the line is ahead of the liquid
#define DAM_FACES 2     // columns in which a step may begin
#define STEEP     0.5   // slope of the ground: over cliffs liquid falls, and depth is no depth
#define FASTER    1.2   // than that, for errors of the scheme
#define BLUNT     3     // cells ahead at which liquid that ends with a step would end by its slope
enum { NONE, TIP, DAM };  // of columns

typedef struct Work {
    const dew_SolverState *state;
    double dt, g;
    double along;  // gravity along the ground, on the faces' axis
    double *u;     // velocities on the faces
    double *tip;   // W on them
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

// ---- where there are tips ------------------------------------------------------------------------

// A column from which liquid goes outwards along an axis, and the face it goes through.
typedef struct Edge {
    int64_t in;    // one column inwards
    int64_t face;  // towards the line
    double out;    // sign of the way there
} Edge;

static Edge edge_of(const Work *w, int64_t c)
{
    bool is_up = w->state->phi[c + w->d] > w->state->phi[c - w->d];
    return (Edge){is_up ? -w->d : w->d, is_up ? c + w->d : c, is_up ? 1 : -1};
}

// Liquid that ends with a step over dry ground, in column c or, when that is filled in part, the one behind: the speed of its
// waves, 0 where it does not.
static double dam_wave(const Work *w, int64_t c, Edge e)
{
    const dew_SolverState *s = w->state;
    int64_t o = c - e.in;
    double deepest = 0;
    for (int k = 0; k < DAM_FACES; k++, c += e.in) {
        double surface = s->ground[c] + s->depth[c], middle = 0.5 * (s->ground[o] + s->ground[c]);
        if (s->depth[c] > BLUNT * fabs(s->depth[c + e.in] - s->depth[c]) &&
            surface - s->ground[o] > 0.5 * s->depth[c])
            deepest = fmax(deepest, surface - fmax(middle, s->ground[c]));
    }
    return sqrt(w->g * deepest);
}

static bool is_deep_behind(const Work *w, int64_t c, int64_t in)
{
    for (int k = 0; k <= BEHIND; k++)
        if (!(w->state->depth[c + k * in] > w->state->laws.dry_m))
            return false;
    return true;
}

// Does W hold on the outermost faces, and run away from what is behind?
static bool is_tip(const Work *w, Edge e)
{
    int64_t far = e.face + BEHIND * e.in;
    double normal = fabs(face_normal(w, e.face)), deep = face_wave(w, far) * normal;
    double tip = e.out * w->u[e.face] + 2 * face_wave(w, e.face) * normal;
    if (!(tip > 0) || !(tip - e.out * w->u[far] > SIGNAL * deep))
        return false;
    // No faster than what is behind could make it, and a fall from there.
    const double *b = w->state->ground;
    double behind = fabs(w->u[far]) + 2 * face_wave(w, far);
    double fall = 2 * w->g * fmax(b[e.face + BEHIND * e.in] - b[e.face], 0);
    if (tip > FASTER * sqrt(behind * behind + fall))
        return false;
    for (int k = 1; k <= EVEN; k++) {
        int64_t f = e.face + k * e.in;
        double there = e.out * w->u[f] + 2 * face_wave(w, f) * normal;
        if (fabs(there - tip) > UNEVEN * deep)
            return false;
    }
    return true;
}

static bool is_dam(const Work *w, Edge e, double dam)
{
    int64_t far = e.face + BEHIND * e.in;
    double normal = fabs(face_normal(w, e.face));
    double tip = e.out * w->u[e.face + DAM_FACES * e.in] + 2 * dam * normal;
    return dam > 0 && tip > 0 && tip - e.out * w->u[far] > SIGNAL * face_wave(w, far) * normal;
}

// Of column c, with the axis along which the line is nearest.
static int kind_of(const Work *w, int64_t c)
{
    const dew_SolverState *s = w->state;
    Edge e = edge_of(w, c);
    int64_t o = c - e.in;
    const double *sill = w->d == 1 ? s->sill_x : s->sill_z;
    if (!(s->phi[c] < 0) || !(s->phi[o] > -AHEAD * w->size) || s->depth[o] > s->laws.dry_m ||
        !is_deep_behind(w, c, e.in) || sill[e.face] >= s->ground[c] + s->depth[c] ||
        fabs(s->ground[o] - s->ground[c]) > STEEP * w->size)
        return NONE;
    if (is_tip(w, e))
        return TIP;
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

static void find_kind(const void *context, dew_ShallowCell cell)
{
    const Both *both = context;
    const dew_SolverState *s = both->axis[0].state;
    int64_t n = cell.n;
    const Work *w = &both->axis[is_along_z(s, n)];
    s->work.tip_kind[n] = s->depth[n] > s->laws.dry_m && is_domain(w, n, cell.column, cell.row)
                              ? (uint8_t)kind_of(w, n)
                              : NONE;
}

// W on the faces of the tip's outermost columns.
static void find_face(const void *context, dew_ShallowCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    int low = s->work.tip_kind[n - w->d], high = s->work.tip_kind[n];
    bool is_tip = low != NONE || high != NONE;
    w->is_known[n] = w->is_next[n] = is_tip;
    if (!is_tip)
        return;
    int64_t c = low != NONE && (high == NONE || s->phi[n - w->d] < s->phi[n]) ? n - w->d : n;
    Edge e = edge_of(w, c);
    double rise = (s->ground[n] - s->ground[n - w->d]) / w->size, tip;
    if (s->work.tip_kind[c] == DAM) {
        bool is_main = is_along_z(s, c) == (w->d != 1);
        tip = w->u[is_main ? e.face + DAM_FACES * e.in : n] +
              2 * s->work.distance[c] * face_normal(w, n);
    } else {
        tip = w->u[n] + 2 * face_wave(w, n) * face_normal(w, n);
    }
    w->tip[n] = tip + w->dt * (w->along - w->g * rise);
}

// One layer farther from the line, on either side: constant along normals, as in line_velocity.c.
static void extend_face(const void *context, dew_ShallowCell cell)
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
            sum += weight * w->tip[m];
            all += weight;
        }
    }
    // Another line, towards which this one runs, keeps its own.
    double normal = face_normal(w, n);
    if (all > 0 && !(fabs(normal) > 0.5 && sum * normal < 0)) {
        w->tip[n] = sum / all;
        w->is_next[n] = 1;
    }
}

static void note(const void *context, dew_ShallowCell cell)
{
    const Work *w = context;
    w->is_known[cell.n] = w->is_next[cell.n];
}

// The velocities that belong to W and to the depth as it is.
static void set_face(const void *context, dew_ShallowCell cell)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    int64_t n = cell.n;
    double normal = face_normal(w, n);
    int64_t c = normal > 0 ? n - w->d : n;
    double far_m = s->laws.far_m;
    if (w->is_known[n] && fabs(s->phi[n]) < far_m && fabs(s->phi[n - w->d]) < far_m &&
        s->depth[c] > s->laws.dry_m)
        w->u[n] = w->tip[n] - 2 * face_wave(w, n) * normal;
}

static Work work_of(dew_ShallowFlow *flow, bool is_z)
{
    dew_SolverState *s = flow->state;
    return (Work){.state = s,
                  .dt = flow->dt_s,
                  .g = flow->gravity.g,
                  .along = is_z ? flow->gravity.gz : flow->gravity.gx,
                  .u = is_z ? s->w : s->u,
                  .tip = is_z ? s->work.tip_w : s->work.tip_u,
                  .is_known = is_z ? s->work.is_tip_w : s->work.is_tip_u,
                  .is_next = s->work.is_tip_next,
                  .size = is_z ? s->grid.dz_m : s->grid.dx_m,
                  .d = is_z ? s->grid.stride : 1,
                  .other_size = is_z ? s->grid.dx_m : s->grid.dz_m,
                  .e = is_z            ? 1
                       : s->grid.has_z ? s->grid.stride
                                       : 0};
}

dew_Status dew_shallow_find_tips(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Vec3 wind = flow->step->moment->wind_m_s;
    uint8_t *const marks[] = {s->work.is_tip_u, s->work.is_tip_w, s->work.is_tip_next,
                              s->work.tip_kind};
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++)
        memset(marks[k], 0, (size_t)s->grid.count);
    if (wind.x != 0 || wind.z != 0 || !(flow->gravity.g > 0))
        return dew_ok();
    Both both = {{work_of(flow, false), work_of(flow, true)}};
    DEW_TRY(dew_shallow_find_band(s));
    DEW_TRY(dew_shallow_in_band(s, find_kind, &both));
    for (int axis = 0; axis < (s->grid.has_z ? 2 : 1); axis++) {
        DEW_TRY(dew_shallow_in_band(s, find_face, &both.axis[axis]));
        for (int layer = 0; layer < REACH; layer++) {
            DEW_TRY(dew_shallow_in_band(s, extend_face, &both.axis[axis]));
            DEW_TRY(dew_shallow_in_band(s, note, &both.axis[axis]));
        }
    }
    return dew_ok();
}

dew_Status dew_shallow_set_tips(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    for (int axis = 0; axis < (s->grid.has_z ? 2 : 1); axis++) {
        Work work = work_of(flow, axis == 1);
        DEW_TRY(dew_shallow_in_band(s, set_face, &work));
    }
    return dew_ok();
}
