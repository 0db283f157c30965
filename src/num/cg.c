// Preconditioned conjugate gradients [Hestenes1952], restarted when the residual that the recursion
// carries along has drifted from b - A x.
//
// Each pass over the vectors does all the work that needs the same numbers: the new direction with
// nothing else, the new x and r with |r|^2. Limits: the matrix must be symmetric and have no
// negative eigenvalue; a direction of negative curvature is reported as such.
#include "num/cg.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "base/sum.h"

#define BLOCKS_PER_CHUNK INT64_C(16)
#define MAX_RESTARTS     8

dew_SolveDef dew_default_solve_def(void)
{
    return (dew_SolveDef){.tolerance = 1e-6, .absolute = 0, .max_iterations = 200};
}

int64_t dew_cg_block_count(int64_t count)
{
    return (count + DEW_CG_BLOCK - 1) / DEW_CG_BLOCK;
}

// What the passes over the vectors share.
typedef struct Vectors {
    int64_t count;
    double *x, *r, *z, *p, *q;
    const double *left, *right;  // of a dot product
    double *partial;             // one number per block
    double alpha, beta;
} Vectors;

static inline int64_t block_end(const Vectors *v, int64_t block)
{
    int64_t end = (block + 1) * DEW_CG_BLOCK;
    return end < v->count ? end : v->count;
}

static dew_Status dot_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Vectors *v = context;
    for (int64_t block = begin; block < end; block++) {
        int64_t at = block * DEW_CG_BLOCK;
        v->partial[block] =
            dew_cg_block_product(v->left + at, v->right + at, block_end(v, block) - at);
    }
    return dew_ok();
}

// p = z + beta p
static dew_Status direction_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Vectors *v = context;
    double beta = v->beta;
    const double *restrict z = v->z;
    double *restrict p = v->p;
    for (int64_t i = begin * DEW_CG_BLOCK; i < block_end(v, end - 1); i++)
        p[i] = z[i] + beta * p[i];
    return dew_ok();
}

// x += alpha p, r -= alpha q, |r|^2 per block
static dew_Status advance_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Vectors *v = context;
    double alpha = v->alpha;
    double *restrict x = v->x, *restrict r = v->r;
    const double *restrict p = v->p, *restrict q = v->q;
    for (int64_t block = begin; block < end; block++) {
        int64_t at = block * DEW_CG_BLOCK, stop = block_end(v, block);
        for (int64_t i = at; i < stop; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        v->partial[block] = dew_cg_block_product(r + at, r + at, stop - at);
    }
    return dew_ok();
}

// r = left - q, |r|^2 per block
static dew_Status residual_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Vectors *v = context;
    for (int64_t block = begin; block < end; block++) {
        int64_t at = block * DEW_CG_BLOCK, stop = block_end(v, block);
        for (int64_t i = at; i < stop; i++)
            v->r[i] = v->left[i] - v->q[i];
        v->partial[block] = dew_cg_block_product(v->r + at, v->r + at, stop - at);
    }
    return dew_ok();
}

// Runs a pass and adds up what its blocks left. The passes themselves cannot fail.
static double pass(dew_Tasks *tasks, Vectors *v, dew_ChunkFn *fn)
{
    int64_t blocks = dew_cg_block_count(v->count);
    dew_parallel_for(tasks, blocks, BLOCKS_PER_CHUNK, fn, v);
    return fn == direction_chunk ? 0 : dew_sum(NULL, v->partial, blocks);
}

static double dot(dew_Tasks *tasks, Vectors *v, const double *left, const double *right)
{
    v->left = left;
    v->right = right;
    return pass(tasks, v, dot_chunk);
}

void dew_cg_block_products(dew_Tasks *tasks, const double *x, const double *y, int64_t count,
                           double *products)
{
    Vectors v = {.count = count, .left = x, .right = y, .partial = products};
    dew_parallel_for(tasks, dew_cg_block_count(count), BLOCKS_PER_CHUNK, dot_chunk, &v);
}

// y = F x and x . y, at once.
static dew_Status apply(const Vectors *v, dew_LinearFn *fn, void *context, const double *x,
                        double *y, double *product)
{
    DEW_TRY(fn(context, x, y, v->partial));
    *product = dew_sum(NULL, v->partial, dew_cg_block_count(v->count));
    return dew_ok();
}

double dew_cg_dot(dew_Tasks *tasks, const double *x, const double *y, int64_t count,
                  double *partial)
{
    Vectors v = {.count = count, .partial = partial};
    return dot(tasks, &v, x, y);
}

static dew_Status take_vectors(Vectors *v, dew_Arena *scratch, int64_t count, double *x)
{
    v->count = count;
    v->x = x;
    double **own[] = {&v->r, &v->z, &v->p, &v->q};
    for (int i = 0; i < 4; i++) {
        *own[i] = dew_arena_raw_array(scratch, double, count);
        if (!*own[i])
            return dew_no_memory((size_t)count * sizeof(double));
    }
    v->partial = dew_arena_raw_array(scratch, double, dew_cg_block_count(count));
    if (!v->partial)
        return dew_no_memory((size_t)dew_cg_block_count(count) * sizeof(double));
    return dew_ok();
}

// State of one solve.
typedef struct Solve {
    dew_Tasks *tasks;
    const dew_LinearSystem *system;
    Vectors v;
    double goal;  // norm of the residual to reach
    double b_norm;
    int iterations, max_iterations;
} Solve;

// r = b - A x; its norm.
static dew_Status true_residual(Solve *s, const double *b, double *norm)
{
    DEW_TRY(s->system->apply(s->system->context, s->v.x, s->v.q, s->v.partial));
    s->v.left = b;
    *norm = sqrt(pass(s->tasks, &s->v, residual_chunk));
    return dew_ok();
}

// The same before the first step, where x is often zero.
static dew_Status first_residual(Solve *s, const double *b, double *norm)
{
    if (dot(s->tasks, &s->v, s->v.x, s->v.x) != 0)  // also NaN
        return true_residual(s, b, norm);
    memcpy(s->v.r, b, (size_t)s->v.count * sizeof(double));
    *norm = s->b_norm;
    return dew_ok();
}

// One run of the recursion, until its residual is small enough, iterations run out, or the
// direction is useless. On return *norm is the residual of the recursion.
static dew_Status recur(Solve *s, double *norm)
{
    const dew_LinearSystem *a = s->system;
    Vectors *v = &s->v;
    double *plain_z = v->z;
    double rz_before = 0;
    while (*norm > s->goal && s->iterations < s->max_iterations) {
        double rz, curvature;
        if (a->precondition)
            DEW_TRY(apply(v, a->precondition, a->context, v->r, plain_z, &rz));
        else
            rz = dot(s->tasks, v, v->r, v->r);
        v->z = a->precondition ? plain_z : v->r;
        v->beta = rz_before > 0 ? rz / rz_before : 0;
        if (v->beta > 0)
            pass(s->tasks, v, direction_chunk);
        else
            memcpy(v->p, v->z, (size_t)v->count * sizeof(double));
        v->z = plain_z;
        rz_before = rz;
        DEW_TRY(apply(v, a->apply, a->context, v->p, v->q, &curvature));
        s->iterations++;
        if (!(curvature > 0) || !(rz > 0))  // also NaN; restart or give up
            return dew_ok();
        v->alpha = rz / curvature;
        *norm = sqrt(pass(s->tasks, v, advance_chunk));
    }
    return dew_ok();
}

static dew_Status diagnose(const Solve *s, double norm)
{
    if (!isfinite(s->b_norm) || !isfinite(norm))
        return dew_fail(DEW_DIVERGED,
                        "the linear system has entries that are not finite (after %d iterations)",
                        s->iterations);
    return dew_fail(DEW_DIVERGED,
                    "the linear solver stopped at a relative residual of %.3g after %d iterations "
                    "(%.3g was wanted within %d)",
                    norm / s->b_norm, s->iterations, s->goal / s->b_norm, s->max_iterations);
}

static dew_Status solve(Solve *s, const double *b, dew_SolveReport *report)
{
    double norm, best = HUGE_VAL;
    for (int restart = 0;; restart++) {
        DEW_TRY(restart == 0 ? first_residual(s, b, &norm) : true_residual(s, b, &norm));
        *report = (dew_SolveReport){s->iterations, s->b_norm > 0 ? norm / s->b_norm : 0, norm};
        if (norm <= s->goal)
            return dew_ok();
        bool is_stuck = !(norm < 0.5 * best) || s->iterations >= s->max_iterations;
        if (is_stuck || restart == MAX_RESTARTS)
            return diagnose(s, norm);
        best = norm;
        DEW_TRY(recur(s, &norm));
    }
}

dew_Status dew_cg_solve(dew_Tasks *tasks, dew_Arena *scratch, const dew_LinearSystem *system,
                        const dew_SolveDef *def, const double *b, double *x,
                        dew_SolveReport *report)
{
    *report = (dew_SolveReport){0};
    if (system->count == 0)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Solve s = {.tasks = tasks, .system = system, .max_iterations = def->max_iterations};
    dew_Status status = take_vectors(&s.v, scratch, system->count, x);
    if (status.code == DEW_OK) {
        s.b_norm = sqrt(dot(tasks, &s.v, b, b));
        s.goal = fmax(def->tolerance * s.b_norm, def->absolute);
        if (s.b_norm == 0)
            memset(x, 0, (size_t)system->count * sizeof(double));
        status = solve(&s, b, report);
    }
    dew_arena_rewind(scratch, mark);
    return status;
}
