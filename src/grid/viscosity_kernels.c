// Products with the viscous form, brick by brick: in double for the outer iteration, in float as a
// step of Chebyshev's iteration.
//
// Compiled for any machine and for AVX2; nothing is contracted, so both are bit-identical.
#include <string.h>

#include "base/simd.h"
#include "base/status.h"
#include "grid/viscosity.h"

typedef float Coefficients __attribute__((vector_size(32)));
typedef int32_t Flags __attribute__((vector_size(32)));

#define REAL     double
#define NAMED(x) x##_f64
#include "grid/viscosity_product.h"
#undef REAL
#undef NAMED
#define REAL     float
#define NAMED(x) x##_f32
#include "grid/viscosity_product.h"
#undef REAL
#undef NAMED

#define CELLS DEW_BRICK_CELLS

// ---- In double ----------------------------------------------------------------------------------

typedef struct Product {
    const dew_ViscousForm *form;
    const double *x;
    double *y;
    double *products;
} Product;

static const dew_ViscousBrick *brick_of(const dew_ViscousForm *f, int32_t brick)
{
    return f->coefficients[brick] < 0 ? NULL : &f->bricks[f->coefficients[brick]];
}

// y = mass x + stiffness force on one component of a brick.
DEW_BODY void apply_brick(const dew_ViscousForm *f, const dew_ViscousBrick *m, int a,
                          const double *restrict x, const double *restrict force,
                          double *restrict y)
{
    for (int i = 0; i < CELLS && !m; i++)
        y[i] = x[i] + f->stiffness * force[i];
    if (!m)
        return;
    memset(y, 0, (size_t)f->grid->brick_cells * sizeof *y);
    for (int k = m->first[1]; k < m->last[1]; k++)
        for (int i = 64 * k + 8 * m->first[0]; i < 64 * k + 8 * m->last[0]; i += 8) {
            Row_f64 value, mass, push;
            Coefficients inverse;
            load_f64(&value, x + i);
            load_f64(&push, force + i);
            load_coefficients_f64(&mass, m->mass[a] + i);
            memcpy(&inverse, m->inverse[a] + i, sizeof inverse);
            Flags has_equation = -(inverse > 0);  // 1 or 0
            value = mass * value + f->stiffness * push;
            value *= __builtin_convertvector(has_equation, Row_f64);
            memcpy(y + i, &value, sizeof value);
        }
}

DEW_BODY dew_Status apply_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Product *p = context;
    const dew_ViscousForm *f = p->form;
    const int cells = f->grid->brick_cells, axes = f->grid->dimensions;
    double u[3][1000], force[3][CELLS];
    for (int32_t b = (int32_t)begin; b < end; b++) {
        const dew_ViscousBrick *m = brick_of(f, b);
        for (int a = 0; a < axes; a++)
            load_tile_f64(&f->links, p->x + a * f->values, b, m, axes == 2, u[a]);
        if (axes == 2)
            forces_f64(m, u, true, force);
        else
            forces_f64(m, u, false, force);
        for (int a = 0; a < axes; a++) {
            const double *x = p->x + a * f->values + (int64_t)b * cells;
            double *y = p->y + a * f->values + (int64_t)b * cells;
            apply_brick(f, m, a, x, force[a], y);
            if (p->products)
                p->products[a * (int64_t)f->brick_count + b] = dew_cg_block_product(x, y, cells);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(apply_chunk)

dew_Status dew_viscous_form_apply(const dew_ViscousForm *form, const double *x, double *y,
                                  double *products)
{
    bool are_blocks = form->grid->brick_cells == DEW_CG_BLOCK;
    Product p = {form, x, y, are_blocks ? products : NULL};
    dew_grid_for(&form->links, apply_chunk, &p);
    if (products && !are_blocks)
        dew_cg_block_products(form->grid->tasks, x, y, form->grid->dimensions * form->values,
                              products);
    return dew_ok();
}

// ---- In float -----------------------------------------------------------------------------------

typedef struct Step {
    const dew_ViscousForm *form;
    const float *r, *z;
    float turn, push;
    float *step, *to;
} Step;

// step = turn step + push D^-1 (r - mass z - stiffness force), to = z + step, on one component.
DEW_BODY void step_brick(const Step *p, const dew_ViscousBrick *m, int64_t at, int a,
                         const float *restrict force)
{
    const float *restrict r = p->r + at, *restrict z = p->z + at;
    float *restrict step = p->step + at, *restrict to = p->to + at;
    const float stiffness = (float)p->form->stiffness, turn = p->turn;
    const float push = p->push * (m ? 1 : 1 / (float)dew_viscous_plain_diagonal(p->form));
    for (int i = 0; i < CELLS && !m; i++) {
        step[i] = turn * step[i] + push * (r[i] - (z[i] + stiffness * force[i]));
        to[i] = z[i] + step[i];
    }
    if (!m)
        return;
    const float *restrict mass = m->mass[a], *restrict inverse = m->inverse[a];
    for (int k = m->first[1]; k < m->last[1]; k++)
        for (int i = 64 * k + 8 * m->first[0]; i < 64 * k + 8 * m->last[0]; i++) {
            float e = r[i] - (mass[i] * z[i] + stiffness * force[i]);
            step[i] = turn * step[i] + push * inverse[i] * e;
            to[i] = z[i] + step[i];
        }
}

// Same from z = 0.
DEW_BODY void begin_brick(const Step *p, const dew_ViscousBrick *m, int64_t at, int a)
{
    float plain = 1 / (float)dew_viscous_plain_diagonal(p->form);
    const float *restrict r = p->r + at, *restrict inverse = m ? m->inverse[a] : NULL;
    float *restrict step = p->step + at, *restrict to = p->to + at;
    for (int i = 0; i < p->form->grid->brick_cells; i++) {
        step[i] = p->push * (inverse ? inverse[i] : plain) * r[i];
        to[i] = step[i];
    }
}

DEW_BODY dew_Status step_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Step *p = context;
    const dew_ViscousForm *f = p->form;
    const int axes = f->grid->dimensions;
    float u[3][1000], force[3][CELLS];
    for (int32_t b = (int32_t)begin; b < end; b++) {
        const dew_ViscousBrick *m = brick_of(f, b);
        for (int a = 0; a < axes && p->z; a++)
            load_tile_f32(&f->links, p->z + a * f->values, b, m, axes == 2, u[a]);
        if (p->z && axes == 2)
            forces_f32(m, u, true, force);
        else if (p->z)
            forces_f32(m, u, false, force);
        for (int a = 0; a < axes; a++) {
            int64_t at = a * f->values + (int64_t)b * f->grid->brick_cells;
            if (p->z)
                step_brick(p, m, at, a, force[a]);
            else
                begin_brick(p, m, at, a);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(step_chunk)

dew_Status dew_viscous_form_step(const dew_ViscousForm *form, const float *r, const float *z,
                                 float turn, float push, float *step, float *to)
{
    Step p = {form, r, z, turn, push, step, to};
    return dew_grid_for(&form->links, step_chunk, &p);
}
