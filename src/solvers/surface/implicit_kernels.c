// Loops of the implicit step. Additions are in the order of the vertices, number by number of a
// vector, so that plain code and AVX2 are bit-identical.
//
// The motion of the centre is of low rank: with u = Q p, s = sum of m p and w = Z u - s + u sum of
// m,
//
//     A p = (M + D + K) p - m u + Q' w,      p.A p = p.(M + D + K) p - s.u + u.w,
//
// so that one pass over the rows finds the curvature too.
#include "solvers/surface/implicit_kernels.h"

#define INLINE_BODY static inline __attribute__((always_inline))

typedef int64_t Mask __attribute__((vector_size(32)));
// Four numbers anywhere in memory.
typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));

bool dew_drop_implicit_has_wide(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

INLINE_BODY double total(const dew_Double4 *a)
{
    return (*a)[0] + (*a)[1] + (*a)[2];
}

INLINE_BODY void apply_body(const dew_DropImplicitSystem *s, dew_DropImplicitImage *out)
{
    const dew_Double4 *p = s->direction;
    dew_Double4 momentum = {0}, curvature = {0}, u[3] = {{0}};
    for (int64_t i = 0; i < s->n; i++) {
        dew_Double4 here = p[i], sum = s->pivot[i] * here;
        for (int32_t e = s->row[i]; e < s->row[i + 1]; e++)
            sum += s->off[e] * p[s->col[e]];
        s->image[i] = sum;
        curvature += here * sum;
        momentum += s->mass[i] * here;
        // The fourth number belongs to the next row: the direction's is zero there.
        u[0] += *(const Loose *)(s->moment + 9 * i) * here;
        u[1] += *(const Loose *)(s->moment + 9 * i + 3) * here;
        u[2] += *(const Loose *)(s->moment + 9 * i + 6) * here;
    }
    out->curvature = total(&curvature);
    out->u[3] = out->w[3] = 0;
    for (int k = 0; k < 3; k++)
        out->u[k] = total(&u[k]);
    for (int k = 0; k < 3; k++) {
        const double *z = s->coupling + 3 * k;
        out->w[k] = z[0] * out->u[0] + z[1] * out->u[1] + z[2] * out->u[2] - momentum[k] +
                    s->total_mass * out->u[k];
        out->curvature += out->u[k] * (out->w[k] - momentum[k]);
    }
}

INLINE_BODY void descend_body(const dew_DropImplicitSystem *s, const dew_DropImplicitImage *image,
                              double alpha)
{
    const Mask three = {-1, -1, -1, 0};
    const dew_Double4 u = {image->u[0], image->u[1], image->u[2], 0};
    const double w0 = image->w[0], w1 = image->w[1], w2 = image->w[2];
    for (int64_t i = 0; i < s->n; i++) {
        const double *q = s->moment + 9 * i;
        dew_Double4 rigid =
            *(const Loose *)q * w0 + *(const Loose *)(q + 3) * w1 + *(const Loose *)(q + 6) * w2;
        rigid = (dew_Double4)((Mask)rigid & three);
        s->solution[i] += alpha * s->direction[i];
        s->residual[i] -= alpha * (s->image[i] - s->mass[i] * u + rigid);
    }
}

INLINE_BODY void scale_body(const dew_DropImplicitSystem *s)
{
    for (int64_t i = 0; i < s->n; i++)
        s->preconditioned[i] = s->inverse[i] * s->residual[i];
}

INLINE_BODY double flow_body(const dew_DropImplicitSystem *s)
{
    dew_Double4 sum = {0};
    for (int64_t i = 0; i < s->n; i++)
        sum += s->gradient[i] * s->preconditioned[i];
    return total(&sum);
}

INLINE_BODY double project_body(const dew_DropImplicitSystem *s, double lambda)
{
    dew_Double4 sum = {0};
    for (int64_t i = 0; i < s->n; i++) {
        s->residual[i] += lambda * s->gradient[i];
        s->preconditioned[i] += lambda * s->volume_direction[i];
        sum += s->residual[i] * s->preconditioned[i];
    }
    return total(&sum);
}

INLINE_BODY void turn_body(const dew_DropImplicitSystem *s, double beta)
{
    for (int64_t i = 0; i < s->n; i++)
        s->direction[i] = s->preconditioned[i] + beta * s->direction[i];
}

// ---- plain and wide ----------------------------------------------------------------------------

#ifdef __x86_64__
#define WIDE __attribute__((target("avx2"))) static

WIDE void apply_wide(const dew_DropImplicitSystem *s, dew_DropImplicitImage *out)
{
    apply_body(s, out);
}
WIDE void descend_wide(const dew_DropImplicitSystem *s, const dew_DropImplicitImage *image,
                       double alpha)
{
    descend_body(s, image, alpha);
}
WIDE void scale_wide(const dew_DropImplicitSystem *s)
{
    scale_body(s);
}
WIDE double flow_wide(const dew_DropImplicitSystem *s)
{
    return flow_body(s);
}
WIDE double project_wide(const dew_DropImplicitSystem *s, double lambda)
{
    return project_body(s, lambda);
}
WIDE void turn_wide(const dew_DropImplicitSystem *s, double beta)
{
    turn_body(s, beta);
}
#else
#define apply_wide   apply_body
#define descend_wide descend_body
#define scale_wide   scale_body
#define flow_wide    flow_body
#define project_wide project_body
#define turn_wide    turn_body
#endif

void dew_drop_implicit_apply(const dew_DropImplicitSystem *s, dew_DropImplicitImage *out)
{
    if (s->is_wide)
        apply_wide(s, out);
    else
        apply_body(s, out);
}

void dew_drop_implicit_descend(const dew_DropImplicitSystem *s, const dew_DropImplicitImage *image,
                               double alpha)
{
    if (s->is_wide)
        descend_wide(s, image, alpha);
    else
        descend_body(s, image, alpha);
}

void dew_drop_implicit_scale(const dew_DropImplicitSystem *s)
{
    if (s->is_wide)
        scale_wide(s);
    else
        scale_body(s);
}

double dew_drop_implicit_flow(const dew_DropImplicitSystem *s)
{
    return s->is_wide ? flow_wide(s) : flow_body(s);
}

double dew_drop_implicit_project(const dew_DropImplicitSystem *s, double lambda)
{
    return s->is_wide ? project_wide(s, lambda) : project_body(s, lambda);
}

void dew_drop_implicit_turn(const dew_DropImplicitSystem *s, double beta)
{
    if (s->is_wide)
        turn_wide(s, beta);
    else
        turn_body(s, beta);
}
