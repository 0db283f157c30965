// Initial and falling liquid: a blob becomes columns.
//
// Each cell samples the blob's vertical chord at several points and cuts it at the ground. A blob
// that touches the liquid below unites with it; one above it, or one that appears later, is added
// on top.
#include "base/status.h"
#include "geom/rounding.h"
#include "problem/sources.h"
#include "solvers/shallow/films/thin_film.h"
#include "solvers/shallow/waves/waves.h"

typedef struct Chord {
    double low, high;
} Chord;
static const Chord no_chord = {0, 0};

// Of a ball, or of the part of it that is above y0.
static Chord ball_chord(dew_Vec3 center, dew_Vec3 radii, double x, double z, double y0)
{
    double a = (x - center.x) / radii.x, b = (z - center.z) / radii.z, left = 1 - a * a - b * b;
    if (!(left > 0))
        return no_chord;
    double half = radii.y * sqrt(left);
    return (Chord){fmax(center.y - half, y0), center.y + half};
}

// Where the distance changes its sign between y and y + step.
static double crossing(const dew_Problem *problem, const dew_Blob *blob, dew_Vec3 p, double step)
{
    double low = p.y, high = p.y + step;
    bool is_in = dew_blob_distance(problem, blob, p) < 0;
    for (int k = 0; k < dew_shallow_shared.chord_bisections; k++) {
        p.y = 0.5 * (low + high);
        if ((dew_blob_distance(problem, blob, p) < 0) == is_in)
            low = p.y;
        else
            high = p.y;
    }
    return 0.5 * (low + high);
}

// Of any shape: from where it begins to where it ends. What is hollow counts as full.
static Chord probed_chord(const dew_Problem *problem, const dew_Blob *blob, double x, double z)
{
    double low = blob->box_m.min.y,
           step = (blob->box_m.max.y - low) / (dew_shallow_shared.chord_samples - 1);
    Chord chord = no_chord;
    bool has_begun = false, was_in = false;
    low -= 0.5 * step;
    for (int k = 0; k <= dew_shallow_shared.chord_samples; k++) {
        dew_Vec3 p = {x, low + k * step, z};
        bool is_in = dew_blob_distance(problem, blob, p) < 0;
        if (is_in != was_in) {
            double y = crossing(problem, blob, dew_vec(x, p.y - step, z), step);
            chord.low = has_begun ? chord.low : y;
            chord.high = y;
            has_begun = true;
        }
        was_in = is_in;
    }
    return chord;
}

static Chord chord_at(const dew_Problem *problem, const dew_Blob *blob, double x, double z)
{
    const dew_DropDef *def = &blob->shape;
    bool is_upright = fabs(def->normal.x) + fabs(def->normal.z) < DEW_ROUNDING && def->normal.y > 0;
    if (def->shape == DEW_DROP_SPHERE)
        return ball_chord(blob->center_m, dew_vec(def->radius_m, def->radius_m, def->radius_m), x,
                          z, -HUGE_VAL);
    if (def->shape == DEW_DROP_ELLIPSOID)
        return ball_chord(blob->center_m, def->radii_m, x, z, -HUGE_VAL);
    if (def->shape == DEW_DROP_BOX)
        return x > def->min_m.x && x < def->max_m.x && z > def->min_m.z && z < def->max_m.z
                   ? (Chord){def->min_m.y, def->max_m.y}
                   : no_chord;
    if (def->shape == DEW_DROP_CAP && is_upright) {
        double r = blob->cap_radius_m;
        dew_Vec3 center = dew_add_scaled(def->point_m, blob->cap_center_m, dew_vec(0, 1, 0));
        return ball_chord(center, dew_vec(r, r, r), x, z, def->point_m.y);
    }
    return probed_chord(problem, blob, x, z);
}

typedef struct Pouring {
    const dew_Problem *problem;
    dew_SolverState *state;
    const dew_Blob *blob;
    dew_ShallowWindow window;
    bool falls;  // on top of what is there, wherever it is
    double *added_m;
} Pouring;

// What a place of a cell gets.
static double added_at(const Pouring *p, int64_t n, double x, double z)
{
    double ground = p->state->ground[n], surface = ground + p->state->depth[n];
    Chord chord = chord_at(p->problem, p->blob, x, z);
    chord.low = fmax(chord.low, ground);
    if (!(chord.high > chord.low))
        return 0;
    if (!p->falls && chord.low <= surface)
        return fmax(0, chord.high - surface);
    return chord.high - chord.low;
}

static double cell_gets(const Pouring *p, int column, int row)
{
    const dew_ShallowGrid *g = &p->state->grid;
    int64_t n = dew_shallow_at(g, column, row);
    double x0 = dew_shallow_x(g, column), z0 = dew_shallow_z(g, row), sum = 0;
    if (p->blob->shape.shape == DEW_DROP_DEPTH)
        return dew_blob_depth_m(p->problem, p->blob, x0, z0);
    const int samples = dew_shallow_shared.cell_samples, rows = g->has_z ? samples : 1;
    for (int k = 0; k < rows; k++) {
        double z = z0 + ((k + 0.5) / rows - 0.5) * g->dz_m;
        for (int i = 0; i < samples; i++)
            sum += added_at(p, n, x0 + ((i + 0.5) / samples - 0.5) * g->dx_m, z);
    }
    return sum / (samples * rows);
}

static dew_Status pour_rows(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Pouring *p = context;
    for (int row = p->window.begin_z + (int)begin; row < p->window.begin_z + (int)end; row++)
        for (int i = p->window.begin_x; i < p->window.end_x; i++)
            p->added_m[dew_shallow_at(&p->state->grid, i, row)] = cell_gets(p, i, row);
    return dew_ok();
}

// The piece brings its momentum along the ground to the faces of the columns that it enters.
static void mix_velocity(dew_SolverState *s, const double *added_m, dew_Vec3 v, int column, int row)
{
    int64_t n = dew_shallow_at(&s->grid, column, row), below = n - s->grid.stride;
    bool has_x = column > 0 && column < s->grid.columns;
    bool has_z = s->grid.has_z && row > 0 && row < s->grid.rows;
    double x = has_x && row < s->grid.rows ? added_m[n] + added_m[n - 1] : 0;
    double z = has_z && column < s->grid.columns ? added_m[n] + added_m[below] : 0;
    if (x > 0)
        s->u[n] += (v.x - s->u[n]) * x / (x + s->depth[n] + s->depth[n - 1]);
    if (z > 0)
        s->w[n] += (v.z - s->w[n]) * z / (z + s->depth[n] + s->depth[below]);
}

void dew_shallow_add_depth(dew_SolverState *state, dew_ShallowWindow w, dew_Vec3 velocity_m_s)
{
    double *added_m = state->work.psi;
    for (int row = w.begin_z; row <= w.end_z; row++)
        for (int i = w.begin_x; i <= w.end_x; i++)
            mix_velocity(state, added_m, velocity_m_s, i, row);
    bool wets = false;  // a column outside of the line
    for (int row = w.begin_z; row < w.end_z; row++) {
        for (int i = w.begin_x; i < w.end_x; i++) {
            int64_t n = dew_shallow_at(&state->grid, i, row);
            wets |= added_m[n] > 0 && state->phi[n] >= 0;
            state->depth[n] += added_m[n];
            added_m[n] = 0;
        }
    }
    dew_shallow_mirror(state, state->depth);
    if (state->film)
        dew_film_find_distance(state, w);
    else if (wets)
        dew_wave_extend_shoreline(state, w);
    state->fastest_g = (double)NAN;
}

dew_Status dew_shallow_pour(const dew_Problem *problem, dew_SolverState *state,
                            const dew_Instant *instant, const dew_Blob *blob)
{
    (void)instant;
    Pouring p = {problem,
                 state,
                 blob,
                 dew_shallow_window(&state->grid, blob->box_m),
                 blob->id >= DEW_BIRTHS_MAX,
                 state->work.psi};
    dew_shallow_fill(&state->grid, dew_shallow_wider(&state->grid, p.window, 1), 0, p.added_m);
    if (p.window.begin_x >= p.window.end_x || p.window.begin_z >= p.window.end_z)
        return dew_ok();
    DEW_TRY(dew_parallel_for(state->tasks, p.window.end_z - p.window.begin_z, DEW_SHALLOW_ROWS,
                             pour_rows, &p));
    dew_shallow_add_depth(state, p.window, blob->velocity_m_s);
    return dew_ok();
}
