// Moving ground: effect of a moving solid on the columns.
//
// A column keeps its volume: rising ground lifts it, sinking ground lowers it, and the pressure
// sees the new surface. Where the side of a solid comes over a column, its ground rises in one step
// above the liquid: the side is a wall, and the column moves ahead of it, with its velocity, to the
// next columns that the wall has not reached. On average this is the flux D v of a piston.
//
// Limits: the ground is sampled at cell centres, so a wall advances cell by cell. Ground that
// slides under the liquid does not drag it.
#include "base/status.h"
#include "solvers/shallow/waves/waves.h"

#include <string.h>

// Columns ahead of a wall that share what it pushes: as many as the band of the contact line has
// cells.
#define AHEAD DEW_SHALLOW_BAND

typedef struct Work {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Instant *instant;
    double dt_s;
    dew_ShallowWindow window;
    double *next;                       // the new ground
    double *added, *added_x, *added_z;  // depth, and depth times velocity, that come into columns
} Work;

// ---- what has moved
// ------------------------------------------------------------------------------

static bool is_other(dew_Vec3 a, dew_Vec3 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

static bool is_elsewhere(const dew_SolidPose *a, const dew_SolidPose *b)
{
    return is_other(a->translate_m, b->translate_m) || is_other(a->rotation.v, b->rotation.v) ||
           a->rotation.w != b->rotation.w;
}

static dew_ShallowWindow joined(dew_ShallowWindow a, dew_ShallowWindow b)
{
    if (a.begin_x >= a.end_x)
        return b;
    if (b.begin_x >= b.end_x)
        return a;
    return (dew_ShallowWindow){
        a.begin_x < b.begin_x ? a.begin_x : b.begin_x, a.end_x > b.end_x ? a.end_x : b.end_x,
        a.begin_z < b.begin_z ? a.begin_z : b.begin_z, a.end_z > b.end_z ? a.end_z : b.end_z};
}

// Columns that a solid may cover.
static dew_ShallowWindow reach_of(const Work *w, const dew_Instant *instant, int solid)
{
    const dew_ShallowGrid *g = &w->state->grid;
    dew_Box rest = dew_problem_solid_box(w->problem, solid);
    if (!isfinite(rest.min.x + rest.min.y + rest.min.z + rest.max.x + rest.max.y + rest.max.z))
        return dew_shallow_whole(g);
    dew_Box box = {dew_vec(HUGE_VAL, HUGE_VAL, HUGE_VAL), dew_vec(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
    for (int k = 0; k < 8; k++) {
        dew_Vec3 corner = {k & 1 ? rest.max.x : rest.min.x, k & 2 ? rest.max.y : rest.min.y,
                           k & 4 ? rest.max.z : rest.min.z};
        dew_Vec3 p = dew_problem_from_rest(w->problem, instant, solid, corner);
        box.min = dew_vec(fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z));
        box.max = dew_vec(fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z));
    }
    return dew_shallow_wider(g, dew_shallow_window(g, box), 1);
}

static dew_ShallowWindow moved_window(const Work *w, const dew_Instant *old)
{
    dew_ShallowWindow window = {0, 0, 0, 0};
    for (int i = 0; i < dew_problem_solid_count(w->problem); i++) {
        if (!dew_problem_solid_is_moving(w->problem, i) ||
            !is_elsewhere(&old->poses[i], &w->instant->poses[i]))
            continue;
        window = joined(window, reach_of(w, old, i));
        window = joined(window, reach_of(w, w->instant, i));
    }
    return window;
}

static dew_Status next_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_ShallowGrid *g = &w->state->grid;
    for (int row = w->window.begin_z + (int)begin; row < w->window.begin_z + (int)end; row++)
        for (int i = w->window.begin_x; i < w->window.end_x; i++)
            w->next[dew_shallow_at(g, i, row)] = dew_problem_ground_m(
                w->problem, w->instant, dew_shallow_x(g, i), dew_shallow_z(g, row));
    return dew_ok();
}

// ---- walls
// ---------------------------------------------------------------------------------------

// Has the ground come up through the liquid of the column?
static bool is_covered(const Work *w, int64_t n)
{
    double rise = w->next[n] - w->state->ground[n];
    return w->state->depth[n] > 0 && rise > w->state->depth[n];
}

static void give(const Work *w, int64_t n, double depth, dew_Vec3 v)
{
    w->added[n] += depth;
    w->added_x[n] += depth * v.x;
    w->added_z[n] += depth * v.z;
}

// The columns ahead of a wall that has come over (column, row): the first that it has not reached,
// and wet ones behind that. How many? *falls: it is pushed over an open side.
static int columns_ahead(const Work *w, int column, int row, dew_Vec3 v, int64_t *out, bool *falls)
{
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    double x = v.x / g->dx_m, z = g->has_z ? v.z / g->dz_m : 0, most = fmax(fabs(x), fabs(z));
    double top = w->next[dew_shallow_at(g, column, row)];
    int count = 0;
    for (int k = 1; count < AHEAD; k++) {
        int i = column + (int)lround(k * x / most), j = row + (int)lround(k * z / most);
        if (i < 0 || j < 0 || i >= g->columns || j >= g->rows) {
            dew_Side side = i < 0             ? DEW_SIDE_LEFT
                            : i >= g->columns ? DEW_SIDE_RIGHT
                            : j < 0           ? DEW_SIDE_BACK
                                              : DEW_SIDE_FRONT;
            *falls = count == 0 && s->params.is_open[side];
            break;
        }
        int64_t n = dew_shallow_at(g, i, j);
        bool is_reached = w->next[n] >= top - fabs(top) * 1e-9 || is_covered(w, n);
        if (count == 0 && is_reached)
            continue;
        if (is_reached || (count > 0 && !(s->depth[n] > s->params.dry_m)))
            break;
        out[count++] = n;
    }
    return count;
}

// Moves a column ahead of a wall that has come over it; lifts it where no column is ahead.
static double push_column(const Work *w, int column, int row)
{
    dew_SolverState *s = w->state;
    int64_t n = dew_shallow_at(&s->grid, column, row), ahead[AHEAD];
    double rise = w->next[n] - s->ground[n], depth = s->depth[n];
    if (!is_covered(w, n))
        return 0;
    dew_Vec3 p = {dew_shallow_x(&s->grid, column), w->next[n], dew_shallow_z(&s->grid, row)};
    dew_Vec3 v = dew_problem_nearest(w->problem, w->instant, p, s->grid.dx_m).velocity_m_s;
    v.z = s->grid.has_z ? v.z : 0;
    double speed = hypot(v.x, v.z);
    if (!(speed > 0) || rise < dew_wave_params.wall_slope * speed * w->dt_s)
        return 0;
    bool falls = false;
    int count = columns_ahead(w, column, row, v, ahead, &falls);
    if (count == 0 && !falls)
        return 0;
    for (int k = 0; k < count; k++)
        give(w, ahead[k], depth / count, v);
    w->added[n] = -depth;
    return count == 0 ? depth : 0;
}

// ---- the state
// -----------------------------------------------------------------------------------

static void mix_face(const Work *w, double *u, const double *momentum, int64_t n, int64_t d)
{
    const double *depth = w->state->depth;
    double come = fmax(w->added[n], 0) + fmax(w->added[n - d], 0);
    double all = depth[n] + depth[n - d] + come;
    if (come > 0)
        u[n] += (momentum[n] + momentum[n - d] - come * u[n]) / all;
}

static void settle(const Work *w)
{
    dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    bool wets = false;
    for (int row = 0; row < g->rows; row++)
        for (int i = 0; i < g->columns; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            if (i > 0)
                mix_face(w, s->u, w->added_x, n, 1);
            if (g->has_z && row > 0)
                mix_face(w, s->w, w->added_z, n, g->stride);
        }
    for (int row = 0; row < g->rows; row++)
        for (int i = 0; i < g->columns; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            wets |= w->added[n] > 0 && s->phi[n] >= 0;
            s->depth[n] = w->added[n] < 0 ? 0 : s->depth[n] + w->added[n];  // what gives gives all
        }
    dew_shallow_mirror(s, s->depth);
    if (wets)
        dew_wave_extend_shoreline(s, dew_shallow_wider(g, w->window, AHEAD + 1));
}

static void take_ground(const Work *w)
{
    const dew_ShallowGrid *g = &w->state->grid;
    for (int row = w->window.begin_z; row < w->window.end_z; row++)
        memcpy(w->state->ground + dew_shallow_at(g, w->window.begin_x, row),
               w->next + dew_shallow_at(g, w->window.begin_x, row),
               (size_t)(w->window.end_x - w->window.begin_x) * sizeof *w->next);
    dew_shallow_mirror(w->state, w->state->ground);
    w->state->fastest_g = (double)NAN;
}

dew_Status dew_wave_move_ground(dew_ShallowFlow *flow)
{
    dew_SolverState *s = flow->state;
    dew_Arena *scratch = flow->step->scratch;
    Work w = {.problem = flow->problem,
              .state = s,
              .instant = flow->step->instant,
              .dt_s = flow->dt_s,
              .next = s->work.psi};
    w.window = moved_window(&w, flow->step->instant_old);
    if (w.window.begin_x >= w.window.end_x || w.window.begin_z >= w.window.end_z)
        return dew_ok();
    w.added = dew_arena_array(scratch, double, s->grid.count);
    w.added_x = dew_arena_array(scratch, double, s->grid.count);
    w.added_z = dew_arena_array(scratch, double, s->grid.count);
    if (!w.added || !w.added_x || !w.added_z)
        return dew_no_memory((size_t)s->grid.count * sizeof(double));
    memcpy(w.next, s->ground, (size_t)s->grid.count * sizeof *w.next);
    DEW_TRY(dew_parallel_for(s->tasks, w.window.end_z - w.window.begin_z, DEW_SHALLOW_ROWS,
                             next_chunk, &w));
    double fallen = 0;
    for (int row = w.window.begin_z; row < w.window.end_z; row++)
        for (int i = w.window.begin_x; i < w.window.end_x; i++)
            fallen += push_column(&w, i, row);
    flow->step->removed_m3 += fallen * s->grid.cell_m2;
    take_ground(&w);
    settle(&w);
    return dew_shallow_find_sills(s);
}
