// The implicit viscous step: products with the quadratic form, and the solve.
//
// A product goes in two halves: stresses of cells and edges from the velocities around them, then
// forces on faces from the stresses around them. Each half writes its own bricks only.
#include "grid/viscosity.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "grid/viscosity_state.h"

dew_ViscosityDef dew_default_viscosity_def(void)
{
    return (dew_ViscosityDef){
        .density_kg_m3 = 998,
        .viscosity_Pa_s = 1e-3,
        .solve = {.tolerance = 1e-8, .max_iterations = 2000},
    };
}

static const int step[3] = {1, 10, 100};

typedef struct Product {
    dew_ViscousForm *form;
    const double *x;
    double *y;
} Product;

// ---- Products ------------------------------------------------------------------------------------

static dew_Status stress_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Product *p = context;
    const dew_ViscousForm *f = p->form;
    const int axes = dew_grid_axes(f->grid), cells = f->grid->brick_cells;
    double u[3][1000];
    for (int32_t b = (int32_t)begin; b < end; b++) {
        for (int a = 0; a < axes; a++)
            dew_tile_load_or(f->grid, p->x + a * f->values, b, 1, 0, u[a]);
        for (int i = 0; i < cells; i++) {
            int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
            int64_t at = (int64_t)b * cells + i;
            for (int a = 0; a < axes; a++)
                f->normal[a][at] = 2 * f->cell[at] * (u[a][c + step[a]] - u[a][c]);
            for (int e = axes == 3 ? 0 : 2; e < 3; e++) {
                int n = (e + 1) % 3, m = (e + 2) % 3;
                double du = u[n][c] - u[n][c - step[m]], dv = u[m][c] - u[m][c - step[n]];
                f->on_u[e][at] = f->uu[e][at] * du + f->uv[e][at] * dv;
                f->on_v[e][at] = f->uv[e][at] * du + f->vv[e][at] * dv;
            }
        }
    }
    return dew_ok();
}

// Stresses of a brick and of the layer around it.
typedef struct Stresses {
    double normal[3][1000], on_u[3][1000], on_v[3][1000];
} Stresses;

static void load_stresses(const dew_ViscousForm *f, int32_t brick, Stresses *s)
{
    int axes = dew_grid_axes(f->grid);
    for (int a = 0; a < axes; a++)
        dew_tile_load_or(f->grid, f->normal[a], brick, 1, 0, s->normal[a]);
    for (int e = axes == 3 ? 0 : 2; e < 3; e++) {
        dew_tile_load_or(f->grid, f->on_u[e], brick, 1, 0, s->on_u[e]);
        dew_tile_load_or(f->grid, f->on_v[e], brick, 1, 0, s->on_v[e]);
    }
}

// Force on the face of axis a: what the stresses do not balance. As u the face meets the edges along
// the axis before its own (in turn), as v those along the axis after.
static inline double force(const Stresses *s, int axes, int a, int c)
{
    int next = (a + 1) % 3, last = (a + 2) % 3;
    double sum = s->normal[a][c - step[a]] - s->normal[a][c];
    if (axes == 3 || last == 2)
        sum += s->on_u[last][c] - s->on_u[last][c + step[next]];
    if (axes == 3 || next == 2)
        sum += s->on_v[next][c] - s->on_v[next][c + step[last]];
    return sum;
}

static dew_Status force_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Product *p = context;
    const dew_ViscousForm *f = p->form;
    const int axes = dew_grid_axes(f->grid), cells = f->grid->brick_cells;
    Stresses s;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        load_stresses(f, b, &s);
        for (int a = 0; a < axes; a++)
            for (int i = 0; i < cells; i++) {
                int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
                int64_t at = (int64_t)b * cells + i, v = a * f->values + at;
                bool is_free = f->state[a][at] == DEW_FACE_FREE;
                double sum = f->mass[a][at] * p->x[v] + f->stiffness * force(&s, axes, a, c);
                p->y[v] = is_free ? sum : 0;
            }
    }
    return dew_ok();
}

dew_Status dew_viscous_form_apply(dew_ViscousForm *form, const double *x, double *y)
{
    Product p = {form, x, y};
    dew_grid_for(form->grid, stress_chunk, &p);
    return dew_grid_for(form->grid, force_chunk, &p);
}

// ---- Diagonal ------------------------------------------------------------------------------------

static double value_at(const dew_ViscousForm *f, const double *field, int32_t brick, int i,
                       int axis, int offset)
{
    int at[3] = {i & 7, i >> 3 & 7, i >> 6};
    at[axis] += offset;
    int64_t there = dew_grid_near(f->grid, brick, at[0], at[1], at[2]);
    return there >= 0 ? field[there] : 0;
}

static dew_Status diagonal_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Product *p = context;
    const dew_ViscousForm *f = p->form;
    const int axes = dew_grid_axes(f->grid), cells = f->grid->brick_cells;
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int a = 0; a < axes; a++)
            for (int i = 0; i < cells; i++) {
                int64_t at = (int64_t)b * cells + i;
                int next = (a + 1) % 3, last = (a + 2) % 3;
                double k = 2 * (f->cell[at] + value_at(f, f->cell, b, i, a, -1));
                if (axes == 3 || last == 2)
                    k += f->uu[last][at] + value_at(f, f->uu[last], b, i, next, 1);
                if (axes == 3 || next == 2)
                    k += f->vv[next][at] + value_at(f, f->vv[next], b, i, last, 1);
                bool is_free = f->state[a][at] == DEW_FACE_FREE;
                p->y[a * f->values + at] = is_free ? f->mass[a][at] + f->stiffness * k : 0;
            }
    return dew_ok();
}

dew_Status dew_viscous_form_diagonal(const dew_ViscousForm *form, double *y)
{
    Product p = {(dew_ViscousForm *)form, NULL, y};
    return dew_grid_for(form->grid, diagonal_chunk, &p);
}

// ---- Solve ---------------------------------------------------------------------------------------

typedef struct Solve {
    dew_ViscousForm form;
    double *diagonal, *b, *x;
} Solve;

static dew_Status apply(void *context, const double *x, double *y, double *products)
{
    Solve *s = context;
    int64_t n = s->form.grid->dimensions * s->form.values;
    DEW_TRY(dew_viscous_form_apply(&s->form, x, y));
    dew_cg_block_products(s->form.grid->tasks, x, y, n, products);
    return dew_ok();
}

static dew_Status divide(void *context, const double *r, double *z, double *products)
{
    const Solve *s = context;
    int64_t n = s->form.grid->dimensions * s->form.values;
    for (int64_t i = 0; i < n; i++)
        z[i] = s->diagonal[i] > 0 ? r[i] / s->diagonal[i] : 0;
    dew_cg_block_products(s->form.grid->tasks, r, z, n, products);
    return dew_ok();
}

// The guess is the old velocity; walls go to the right-hand side: b = mass u_old - K u_wall.
static dew_Status right_side(Solve *s, double *const u[3])
{
    dew_ViscousForm *f = &s->form;
    int64_t n = f->values;
    for (int a = 0; a < dew_grid_axes(f->grid); a++)
        for (int64_t i = 0; i < n; i++) {
            const double *wall = f->def->wall_u[a];
            bool is_wall = f->state[a][i] == DEW_FACE_WALL;
            s->x[a * n + i] = is_wall && wall ? wall[i] : 0;
        }
    DEW_TRY(dew_viscous_form_apply(f, s->x, s->b));
    for (int a = 0; a < dew_grid_axes(f->grid); a++)
        for (int64_t i = 0; i < n; i++) {
            bool is_free = f->state[a][i] == DEW_FACE_FREE && s->diagonal[a * n + i] > 0;
            s->b[a * n + i] = is_free ? f->mass[a][i] * u[a][i] - s->b[a * n + i] : 0;
            s->x[a * n + i] = is_free ? u[a][i] : 0;
        }
    return dew_ok();
}

static dew_Status run(Solve *s, double *const u[3], dew_Arena *scratch, dew_SolveReport *report)
{
    dew_ViscousForm *f = &s->form;
    DEW_TRY(dew_viscous_form_make(f, scratch));
    int64_t n = f->grid->dimensions * f->values;
    s->diagonal = dew_arena_array(scratch, double, n);
    s->b = dew_arena_array(scratch, double, n);
    s->x = dew_arena_array(scratch, double, n);
    if (!s->diagonal || !s->b || !s->x)
        return dew_no_memory((size_t)n * sizeof(double));
    DEW_TRY(dew_viscous_form_diagonal(f, s->diagonal));
    DEW_TRY(right_side(s, u));
    dew_LinearSystem system = {n, apply, divide, s};
    DEW_TRY(dew_cg_solve(f->grid->tasks, scratch, &system, &f->def->solve, s->b, s->x, report));
    for (int a = 0; a < dew_grid_axes(f->grid); a++)
        for (int64_t i = 0; i < f->values; i++)
            if (s->diagonal[a * f->values + i] > 0)
                u[a][i] = s->x[a * f->values + i];
    return dew_ok();
}

dew_Status dew_viscosity_run(const dew_Grid *grid, const dew_ViscosityDef *def, double *const u[3],
                             dew_Arena *scratch, dew_SolveReport *report)
{
    *report = (dew_SolveReport){0};
    if (!(def->viscosity_Pa_s > 0))
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    double h = grid->cell_m;
    Solve s = {
        .form = {.grid = grid,
                 .def = def,
                 .stiffness = def->viscosity_Pa_s * def->dt_s / (def->density_kg_m3 * h * h)}};
    dew_Status status = run(&s, u, scratch, report);
    dew_arena_rewind(scratch, mark);
    return status.code == DEW_DIVERGED ? dew_status_prefix(status, "viscosity") : status;
}
