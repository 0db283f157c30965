// Fits the mesh of drops to their volume.
//
// The wedge of the mesh ends where a transition layer appears to end, and its facets are chords of
// a round surface: its volume is a few percent below that of the columns. The heights of each drop
// are scaled by the ratio. Columns of the layer outside of the contact line belong to the drop
// beside them; films without a drop are distributed over all drops.
#include "base/status.h"
#include "solvers/shallow/films/thin_film.h"

typedef struct Fit {
    const dew_SolverState *state;
    const dew_FilmTops *tops;
    dew_Surface *surface;
    double *shown, *real;  // volume of the drop whose first cell it is
    double *flow_depth;    // of vertices: their height over the ground below
    double all_m3;         // volume of all columns
    int32_t *drop;         // of vertices: the first cell of their drop; -1: none
} Fit;

static int32_t drop_beside(const dew_SolverState *s, int64_t n)
{
    const int64_t z = s->grid.has_z ? s->grid.stride : 0;
    const int64_t beside[9] = {n,         n - 1,     n + 1,     n - z,    n + z,
                               n - z - 1, n - z + 1, n + z - 1, n + z + 1};
    for (int k = 0; k < 9; k++)
        if (s->phi[beside[k]] < 0 && s->depth[beside[k]] > 0)
            return dew_film_drop_of(s, beside[k]);
    return -1;
}

static void add_columns(Fit *f)
{
    const dew_SolverState *s = f->state;
    double all = 0;
    for (int row = 0; row < s->grid.rows; row++) {
        int64_t first = dew_shallow_at(&s->grid, 0, row);
        for (int64_t n = first; n < first + s->grid.columns; n++) {
            int32_t drop = s->depth[n] > 0 ? drop_beside(s, n) : -1;
            all += s->depth[n];
            if (drop < 0)
                continue;
            f->real[drop] += s->depth[n] * s->grid.cell_m2;
        }
    }
    f->all_m3 = all * s->grid.cell_m2;
}

static void mark_vertices(Fit *f)
{
    const dew_Vec3 *x = DEW_ITEMS(&f->surface->positions, dew_Vec3);
    for (int64_t v = 0; v < f->surface->positions.count; v++)
        f->drop[v] = -1;
    for (int64_t k = 0; k < f->tops->count; k++) {
        uint32_t v = f->tops->vertex[k];
        if (v == UINT32_MAX)
            continue;
        int64_t cell = f->tops->cell_of(f->tops->context, k);
        f->drop[v] = dew_film_drop_of(f->state, cell);
        f->flow_depth[v] = x[v].y - f->state->ground[cell];
    }
}

// Prisms between the ground and the triangles that have a top.
static void add_prisms(Fit *f)
{
    const dew_Vec3 *x = DEW_ITEMS(&f->surface->positions, dew_Vec3);
    const dew_Triangle *t = DEW_ITEMS(&f->surface->triangles, dew_Triangle);
    for (int64_t k = 0; k < f->surface->triangles.count; k++) {
        const uint32_t *v = t[k].v;
        int32_t drop = -1;
        for (int c = 0; c < 3; c++)
            drop = f->drop[v[c]] >= 0 ? f->drop[v[c]] : drop;
        if (drop < 0)
            continue;
        double ax = x[v[1]].x - x[v[0]].x, az = x[v[1]].z - x[v[0]].z;
        double bx = x[v[2]].x - x[v[0]].x, bz = x[v[2]].z - x[v[0]].z;
        double area = 0.5 * fabs(ax * bz - az * bx);
        f->shown[drop] +=
            area * (f->flow_depth[v[0]] + f->flow_depth[v[1]] + f->flow_depth[v[2]]) / 3;
    }
}

// Into `real`: what the heights of each drop are to be multiplied by.
static void find_parts(Fit *f)
{
    double sum = 0;
    int64_t count = f->state->grid.count;
    for (int64_t n = 0; n < count; n++) {
        if (!(f->shown[n] > 0))
            continue;
        f->real[n] = fmin(f->real[n] / f->shown[n], dew_film_params.max_stretch);
        sum += f->real[n] * f->shown[n];
    }
    for (int64_t n = 0; n < count; n++)
        f->real[n] *= sum > 0 ? f->all_m3 / sum : 1;
}

static void stretch(Fit *f)
{
    dew_Vec3 *x = DEW_ITEMS(&f->surface->positions, dew_Vec3);
    for (int64_t v = 0; v < f->surface->positions.count; v++) {
        int32_t drop = f->drop[v];
        if (drop >= 0 && f->shown[drop] > 0)
            x[v].y += (f->real[drop] - 1) * f->flow_depth[v];
    }
}

dew_Status dew_film_fit_mesh(const dew_SolverState *state, const dew_FilmTops *tops,
                             dew_Surface *surface)
{
    int64_t cells = state->grid.count, vertices = surface->positions.count;
    int64_t numbers = 2 * cells + vertices;
    double *memory = (double *)dew_alloc(&state->allocator, numbers, sizeof *memory);
    int32_t *drop = (int32_t *)dew_alloc(&state->allocator, vertices, sizeof *drop);
    if (memory && drop) {
        Fit fit = {.state = state, .tops = tops, .surface = surface, .drop = drop};
        fit.shown = memory;
        fit.real = memory + cells;
        fit.flow_depth = memory + 2 * cells;
        dew_film_label_drops(state);
        add_columns(&fit);
        mark_vertices(&fit);
        add_prisms(&fit);
        find_parts(&fit);
        stretch(&fit);
    }
    dew_Status status = memory && drop ? dew_ok() : dew_no_memory((size_t)numbers * sizeof *memory);
    if (drop)
        dew_free(&state->allocator, drop, (size_t)vertices * sizeof *drop);
    if (memory)
        dew_free(&state->allocator, memory, (size_t)numbers * sizeof *memory);
    return status;
}
