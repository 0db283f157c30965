// Successive over-relaxation in red-black order: cells of one colour at once, then the other. No
// conjugate gradients; the plain method of small marker-and-cell codes.
#include <math.h>

#include "base/status.h"
#include "grid/poisson_state.h"

#define SWEEPS_PER_CHECK 10

typedef struct Relaxation {
    dew_Poisson *poisson;
    const double *b;
    double *x;
    int colour;
} Relaxation;

// Sum of weights times neighbours' values of one cell, and of the weights.
static double around(const Relaxation *r, int32_t brick, int i, double *weights)
{
    const dew_MgLevel *l = &r->poisson->mg.level[0];
    int64_t cells = l->brick_cells;
    double sum = 0;
    *weights = 0;
    for (int a = 0; a < (l->depth > 1 ? 3 : 2); a++) {
        int stride = a == 0 ? 1 : a == 1 ? 8 : 64, place = (i / stride) % 8;
        const int32_t *near = l->near + 6 * (int64_t)brick + 2 * a;
        const int low = place > 0 ? i - stride : i + 7 * stride;
        const int up = place < 7 ? i + stride : i - 7 * stride;
        const int64_t below = place > 0 ? brick : near[0], above = place < 7 ? brick : near[1];
        double w_low = (double)l->w[a][dew_mg_at(l, brick, i)];
        double w_up = (double)l->w[a][dew_mg_at(l, above, up)];
        sum += w_low > 0 ? w_low * r->x[below * cells + dew_mg_place(l->depth, low)] : 0;
        sum += w_up > 0 ? w_up * r->x[above * cells + dew_mg_place(l->depth, up)] : 0;
        *weights += w_low + w_up;
    }
    return sum;
}

static dew_Status relax_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Relaxation *r = context;
    const dew_Poisson *p = r->poisson;
    int64_t cells = p->mg.level[0].brick_cells;
    double omega = p->def.relaxation;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        const float *d = dew_poisson_dirichlet(p, b);
        for (int i = 0; i < cells; i++) {
            int64_t at = b * cells + dew_mg_place(p->mg.level[0].depth, i);
            bool is_turn = ((i ^ i >> 3 ^ i >> 6) & 1) == r->colour;
            if (!is_turn || !(p->mg.level[0].inverse[dew_mg_at(&p->mg.level[0], b, i)] > 0))
                continue;
            double weights, sum = around(r, b, i, &weights);
            double exact = (r->b[at] + sum) / (weights + (double)d[at - b * cells]);
            r->x[at] += omega * (exact - r->x[at]);
        }
    }
    return dew_ok();
}

static double residual_norm(dew_Poisson *p, const double *b, const double *x, double *y,
                            double *partial)
{
    dew_poisson_apply(p, x, y);
    for (int64_t i = 0; i < p->value_count; i++)
        y[i] = b[i] - y[i];
    return sqrt(dew_cg_dot(p->grid->tasks, y, y, p->value_count, partial));
}

dew_Status dew_poisson_relax(dew_Poisson *poisson, const double *b, double *x, dew_Arena *scratch,
                             dew_SolveReport *report)
{
    int64_t n = poisson->value_count;
    const dew_SolveDef *def = &poisson->def.solve;
    double *y = dew_arena_array(scratch, double, n);
    double *partial = dew_arena_array(scratch, double, dew_cg_block_count(n));
    if (!y || !partial)
        return dew_no_memory((size_t)n * sizeof(double));
    double b_norm = sqrt(dew_cg_dot(poisson->grid->tasks, b, b, n, partial));
    double goal = fmax(def->tolerance * b_norm, def->absolute);
    Relaxation r = {poisson, b, x, 0};
    for (int sweep = 0;; sweep++) {
        if (sweep % SWEEPS_PER_CHECK == 0 || sweep == def->max_iterations) {
            double norm = residual_norm(poisson, b, x, y, partial);
            *report = (dew_SolveReport){sweep, b_norm > 0 ? norm / b_norm : 0, norm};
            if (norm <= goal)
                return dew_ok();
            if (!isfinite(norm) || sweep == def->max_iterations)
                return dew_fail(DEW_DIVERGED,
                                "over-relaxation stopped at a relative residual of %.3g after %d "
                                "sweeps (%.3g was wanted)",
                                report->residual, sweep, def->tolerance);
        }
        for (r.colour = 0; r.colour < 2; r.colour++)
            dew_parallel_for(poisson->grid->tasks, poisson->brick_count, DEW_MG_CHUNK, relax_chunk,
                             &r);
    }
}
