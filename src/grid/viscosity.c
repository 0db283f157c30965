// The implicit viscous step: conjugate gradients around some steps of Chebyshev's iteration in float
// [Saad2003] sections 12.1 and 12.3; or, where little flows from face to face, around the diagonal.
//
// The polynomial is that for eigenvalues of D^-1 A between that of even motion deep in the liquid and a
// bound of the largest. It is positive up to the bound, so it may precondition whatever smaller ones the
// surface adds.
#include "grid/viscosity.h"

#include <math.h>

#include "base/status.h"
#include "base/sum.h"
#include "grid/viscosity_state.h"

#define MAX_STEPS   8
#define LITTLE_FLOW 0.06  // mu dt / (rho h^2) below which the diagonal is as good, in time

dew_ViscosityDef dew_default_viscosity_def(void)
{
    return (dew_ViscosityDef){
        .density_kg_m3 = 998,
        .viscosity_Pa_s = 1e-3,
        .solve = {.tolerance = 1e-6, .max_iterations = 2000},
    };
}

typedef struct Solve {
    dew_ViscousForm form;
    double *b, *x;
    float *r, *z, *to, *step;  // of the preconditioner
    double factor;             // a power of two that brings b near 1, for float
    double *const *u;
    const double *from;
    double *out, *products;
    double low, high;  // eigenvalues of D^-1 A that Chebyshev's iteration is for
    int steps;         // of it; 1: the diagonal alone
} Solve;

// ---- Preconditioner ------------------------------------------------------------------------------

// A pass over the blocks of a vector, from `from` to `out`.
static dew_Status narrow_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Solve *s = context;
    const double *restrict from = s->from;
    float *restrict r = s->r;
    int64_t n = s->form.grid->brick_cells;
    for (int64_t i = begin * n; i < end * n; i++)
        r[i] = (float)(from[i] * s->factor);
    return dew_ok();
}

static dew_Status widen_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Solve *s = context;
    const float *restrict z = s->z;
    double *restrict out = s->out;
    int64_t n = s->form.grid->brick_cells;
    for (int64_t b = begin; b < end; b++) {
        for (int64_t i = b * n; i < (b + 1) * n; i++)
            out[i] = (double)z[i] / s->factor;
        if (n == DEW_CG_BLOCK)
            s->products[b] = dew_cg_block_product(s->from + b * n, out + b * n, n);
    }
    return dew_ok();
}

// z = D^-1 r
static dew_Status divide_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Solve *s = context;
    const dew_ViscousForm *f = &s->form;
    const int64_t n = f->grid->brick_cells;
    const double plain = 1 / dew_viscous_plain_diagonal(f);
    for (int64_t block = begin; block < end; block++) {
        const int64_t a = block / f->brick_count, which = f->coefficients[block % f->brick_count];
        const double *restrict r = s->from + block * n;
        double *restrict z = s->out + block * n;
        const float *inverse = which < 0 ? NULL : f->bricks[which].inverse[a];
        for (int64_t i = 0; i < n; i++)
            z[i] = r[i] * (inverse ? (double)inverse[i] : plain);
        if (n == DEW_CG_BLOCK)
            s->products[block] = dew_cg_block_product(r, z, n);
    }
    return dew_ok();
}

static void for_blocks(Solve *s, dew_ChunkFn *fn)
{
    int64_t blocks = (int64_t)s->form.brick_count * s->form.grid->dimensions;
    dew_parallel_for(s->form.grid->tasks, blocks, 16, fn, s);
}

// As many steps as leave about a hundredth of the error.
static void choose_steps(Solve *s)
{
    const dew_ViscousForm *f = &s->form;
    s->high = 1.01 * f->largest;  // rounding must not leave the interval
    s->low = fmax(1 / dew_viscous_plain_diagonal(f), s->high / 30);
    int steps = (int)ceil(2.2 * sqrt(s->high / s->low));
    s->steps = f->stiffness < LITTLE_FLOW ? 1 : steps > MAX_STEPS ? MAX_STEPS : steps;
}

static dew_Status precondition(void *context, const double *r, double *z, double *products)
{
    Solve *s = context;
    const dew_ViscousForm *f = &s->form;
    int64_t n = f->grid->dimensions * f->values;
    double middle = 0.5 * (s->high + s->low), half = 0.5 * (s->high - s->low);
    double sigma = middle / half;
    s->from = r;
    s->out = z;
    s->products = products;
    if (s->steps == 1) {
        for_blocks(s, divide_chunk);
        if (f->grid->brick_cells != DEW_CG_BLOCK)
            dew_cg_block_products(f->grid->tasks, r, z, n, products);
        return dew_ok();
    }
    for_blocks(s, narrow_chunk);
    double turn = 0, push = 1 / middle, rho = 1 / sigma;
    for (int i = 0; i < s->steps; i++) {
        dew_viscous_form_step(f, s->r, i > 0 ? s->z : NULL, (float)turn, (float)push, s->step,
                              s->to);
        float *done = s->to;
        s->to = s->z;
        s->z = done;
        double next = 1 / (2 * sigma - rho);
        turn = next * rho;
        push = 2 * next / half;
        rho = next;
    }
    for_blocks(s, widen_chunk);
    if (f->grid->brick_cells != DEW_CG_BLOCK)
        dew_cg_block_products(f->grid->tasks, r, z, n, products);
    return dew_ok();
}

static dew_Status apply(void *context, const double *x, double *y, double *products)
{
    const Solve *s = context;
    return dew_viscous_form_apply(&s->form, x, y, products);
}

// ---- Solve ---------------------------------------------------------------------------------------

// Walls' velocities into x.
static dew_Status walls_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Solve *s = context;
    const dew_ViscousForm *f = &s->form;
    int64_t cells = f->grid->brick_cells;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < f->grid->dimensions; a++) {
            const double *wall = f->def->wall_u[a];
            const uint8_t *state = f->state[a] + f->brick[b] * cells;
            double *x = s->x + a * f->values + b * cells;
            for (int64_t i = 0; i < cells && wall; i++)
                x[i] = state[i] == DEW_FACE_WALL ? wall[f->brick[b] * cells + i] : 0;
        }
    return dew_ok();
}

// The guess is the old velocity; walls, of which b has K u_wall, go to the right-hand side:
// b = mass u_old - K u_wall.
static dew_Status begin_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Solve *s = context;
    const dew_ViscousForm *f = &s->form;
    int64_t cells = f->grid->brick_cells;
    for (int64_t brick = begin; brick < end; brick++)
        for (int a = 0; a < f->grid->dimensions; a++) {
            const double *u = s->u[a] + f->brick[brick] * cells;
            double *b = s->b + a * f->values + brick * cells;
            double *x = s->x + a * f->values + brick * cells;
            int32_t which = f->coefficients[brick];
            for (int64_t i = 0; i < cells; i++) {
                bool has_equation = which < 0 || f->bricks[which].inverse[a][i] > 0;
                double mass = which < 0 ? 1 : (double)f->bricks[which].mass[a][i];
                b[i] = has_equation ? mass * u[i] - b[i] : 0;
                x[i] = has_equation ? u[i] : 0;
            }
        }
    return dew_ok();
}

static dew_Status end_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Solve *s = context;
    const dew_ViscousForm *f = &s->form;
    int64_t cells = f->grid->brick_cells;
    for (int64_t b = begin; b < end; b++)
        for (int a = 0; a < f->grid->dimensions; a++) {
            double *u = s->u[a] + f->brick[b] * cells;
            const double *x = s->x + a * f->values + b * cells;
            int32_t which = f->coefficients[b];
            for (int64_t i = 0; i < cells; i++)
                u[i] = which < 0 || f->bricks[which].inverse[a][i] > 0 ? x[i] : u[i];
        }
    return dew_ok();
}

static dew_Status take_vectors(Solve *s, dew_Arena *scratch, int64_t n)
{
    double **wide[] = {&s->b, &s->x};
    float **narrow[] = {&s->r, &s->z, &s->to, &s->step};
    bool is_whole = true;
    for (int i = 0; i < 2; i++)
        is_whole &= (*wide[i] = dew_arena_array(scratch, double, n)) != NULL;
    for (int i = 0; i < 4 && s->steps > 1; i++)
        is_whole &= (*narrow[i] = dew_arena_array(scratch, float, n)) != NULL;
    return is_whole ? dew_ok() : dew_no_memory((size_t)n * 32);
}

// A power of two near 1 / |b|.
static double scale_of(const dew_ViscousForm *f, const double *b, int64_t n)
{
    double largest = dew_max_abs(f->grid->tasks, b, n);
    int exponent = 0;
    if (largest > 0 && isfinite(largest))
        frexp(largest, &exponent);
    return ldexp(1, exponent < -1000 ? 1000 : -exponent);
}

static dew_Status run(Solve *s, dew_Arena *scratch, dew_SolveReport *report)
{
    dew_ViscousForm *f = &s->form;
    DEW_TRY(dew_viscous_form_make(f, scratch));
    choose_steps(s);
    int64_t n = f->grid->dimensions * f->values;
    DEW_TRY(take_vectors(s, scratch, n));
    if (f->def->wall_u[0] || f->def->wall_u[1] || f->def->wall_u[2]) {
        dew_grid_for(&f->links, walls_chunk, s);
        DEW_TRY(dew_viscous_form_apply(f, s->x, s->b, NULL));
    }
    dew_grid_for(&f->links, begin_chunk, s);
    s->factor = scale_of(f, s->b, n);
    dew_LinearSystem system = {n, apply, precondition, s};
    DEW_TRY(dew_cg_solve(f->grid->tasks, scratch, &system, &f->def->solve, s->b, s->x, report));
    return dew_grid_for(&f->links, end_chunk, s);
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
                 .stiffness = def->viscosity_Pa_s * def->dt_s / (def->density_kg_m3 * h * h)},
        .u = u};
    dew_Status status = run(&s, scratch, report);
    dew_arena_rewind(scratch, mark);
    return status.code == DEW_DIVERGED ? dew_status_prefix(status, "viscosity") : status;
}
