// The implicit step of one drop: a change of the velocities that keeps the volume and the solids.
//
//     A dv = dt F + lambda G + reactions of the solids,    G.(v + dv) = wanted change of volume,
//     A = M~ + D + K,    M~ = (1 - 1 Q)' M (1 - 1 Q) + Q' Z Q
//
// F includes the change of momentum that the motion of the mesh itself would make (drop_substep.c).
//
// M holds the mass m of the surface per vertex, for motion relative to the centre of mass; the
// centre moves with Q v and the true mass of the liquid, in Z. (So a free drop falls with g and its
// lowest mode has Rayleigh's frequency at the same time.) Z also has the drag of the wetted base, D
// that of the contact line, K the stiffness of the tension and the viscosity.
//
// Conjugate gradients on the space of changes that keep the volume and the solids: residuals are
// projected onto it in each iteration [Gould2001]. The pressure is what the projection takes away.
// The preconditioner is Jacobi's for small drops, a cycle over coarser levels for large ones
// (multilevel_preconditioner.c). Vectors are summed in the order of the vertices: bit-identical in
// every run.
#include "base/status.h"
#include "solvers/surface/drop_work.h"
#include "solvers/surface/multilevel_preconditioner.h"

#include <string.h>

#define MAX_ITERATIONS 2000
#define ABSOLUTE       1e-7  // of the capillary speed
#define LEVELS_FROM    400   // vertices: below, Jacobi is as fast,
#define LEVELS_STIFF   30.0  // as it is where the stiffness is not this many times the mass

typedef struct Solve {
    dew_DropWork *work;
    dew_DropImplicitSystem s;
    dew_DropMultilevel levels;  // count 0: Jacobi
    double dt_s;
} Solve;

static dew_Vec3 vec_of(const dew_Double4 *a)
{
    return dew_vec((*a)[0], (*a)[1], (*a)[2]);
}

static void set_vec(dew_Double4 *a, dew_Vec3 v)
{
    *a = (dew_Double4){v.x, v.y, v.z, 0};
}

/// What is left of r where the vertex may only move as its solid lets it.
static dew_Vec3 allowed(const dew_DropTouch *t, dew_Vec3 r)
{
    if (t->hold == DEW_HOLD_FIXED)
        return dew_vec(0, 0, 0);
    if (t->hold == DEW_HOLD_CREASE)
        return dew_scale(dew_inner(r, t->crease), t->crease);
    return dew_add_scaled(r, -dew_inner(r, t->normal), t->normal);
}

static void filter(const dew_DropWork *work, dew_Double4 *r)
{
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        set_vec(&r[t->vertex], allowed(t, vec_of(&r[t->vertex])));
    }
}

/// The change that brings each touching vertex to a velocity its solid allows.
static void meet_solids(dew_DropWork *work)
{
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        dew_Vec3 *a = &work->change[t->vertex];
        dew_Vec3 wanted = dew_sub(t->velocity, work->v[t->vertex]);
        *a = dew_add(wanted, allowed(t, dew_sub(*a, wanted)));
    }
}

/// One cycle: the residual, filtered, in single precision, and back.
static void cycle(const Solve *solve)
{
    const dew_DropImplicitSystem *s = &solve->s;
    const dew_DropMultilevelLevel *first = &solve->levels.levels[0];
    const dew_DropWork *work = solve->work;
    for (int64_t i = 0; i < s->n; i++)
        first->right[i] = __builtin_convertvector(s->residual[i], dew_Float4);
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        dew_Double4 r;
        set_vec(&r, allowed(t, vec_of(&s->residual[t->vertex])));
        first->right[t->vertex] = __builtin_convertvector(r, dew_Float4);
    }
    dew_drop_multilevel_apply(&solve->levels);
    for (int64_t i = 0; i < s->n; i++)
        s->preconditioned[i] = __builtin_convertvector(first->solution[i], dew_Double4);
}

/// z = P^-1 r, within the solids' limits.
static void precondition(const Solve *solve)
{
    if (solve->levels.count > 0)
        cycle(solve);
    else
        dew_drop_implicit_scale(&solve->s);
    filter(solve->work, solve->s.preconditioned);
}

/// The impulse of the step without reactions, in `residual`. The last pressure is in it: at rest it
/// balances nearly all of the forces, and what is left would be lost beside it in single precision.
static void set_impulse(dew_DropWork *work, double dt_s)
{
    dew_Vec3 z = work->rigid_impulse;
    for (int64_t i = 0; i < work->n; i++) {
        double pressure = dt_s * (work->values.pressure_Pa + work->tail.pressure_Pa[i]);
        const double *q = work->moment_of_x + 9 * i;
        dew_Vec3 rigid = {z.x * q[0] + z.y * q[3] + z.z * q[6],
                          z.x * q[1] + z.y * q[4] + z.z * q[7],
                          z.x * q[2] + z.y * q[5] + z.z * q[8]};
        rigid = dew_add_scaled(rigid, dt_s, work->force[i]);
        work->residual[i] = dew_add_scaled(rigid, pressure, work->gradient[i]);
    }
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        if (!t->is_line || t->line_state == DEW_LINE_PINNED)
            continue;
        dew_Vec3 *r = &work->residual[t->vertex];
        double speed = dew_inner(dew_sub(work->v[t->vertex], t->velocity), t->outward);
        double pull_N_m = t->young_N_m - t->drag_Pa_s * speed;
        *r = dew_add_scaled(*r, dt_s * pull_N_m * t->length_m, t->outward);
    }
}

/// dt d n n' of each moving vertex of the contact line, d the drag, n its outward normal: the law
/// resists motion across the line only.
static void add_line_drag(const Solve *solve, dew_DropImplicitImage *image)
{
    const dew_DropWork *work = solve->work;
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        if (!t->is_line || !(t->drag_Pa_s > 0))
            continue;
        dew_Vec3 p = vec_of(&solve->s.direction[t->vertex]);
        double across = dew_inner(p, t->outward);
        double impulse = solve->dt_s * t->drag_Pa_s * t->length_m * across;
        dew_Double4 n;
        set_vec(&n, t->outward);
        solve->s.image[t->vertex] += impulse * n;
        image->curvature += impulse * across;
    }
}

/// The resistance of the flow along a tail (drop_tail.c).
static void add_tail_drag(const Solve *solve, dew_DropImplicitImage *image)
{
    dew_DropWork *work = solve->work;
    dew_DropTail *tail = &work->tail;
    if (tail->count == 0)
        return;
    double *pressure = tail->scratch;
    for (int64_t i = 0; i < work->n; i++) {
        dew_Double4 sweep = solve->s.gradient[i] * solve->s.direction[i];
        pressure[i] = sweep[0] + sweep[1] + sweep[2];
    }
    image->curvature +=
        solve->dt_s * dew_drop_tail_resist(tail, work->n, 1 / solve->dt_s, pressure);
    for (int64_t i = 0; i < work->n; i++)
        solve->s.image[i] -= solve->dt_s * pressure[i] * solve->s.gradient[i];
}

static void apply(const Solve *solve, dew_DropImplicitImage *image)
{
    dew_drop_implicit_apply(&solve->s, image);
    add_line_drag(solve, image);
    add_tail_drag(solve, image);
}

static dew_Status make_levels(Solve *solve)
{
    dew_DropWork *work = solve->work;
    solve->levels.count = 0;
    double stiffness = 0;
    for (int64_t i = 0; i < work->n; i++)
        stiffness += work->diagonal[i];
    if (work->n < LEVELS_FROM || stiffness < LEVELS_STIFF * solve->s.total_mass)
        return dew_ok();
    uint8_t *is_held = dew_arena_array(&work->arena, uint8_t, work->n);
    if (!is_held)
        return dew_no_memory((size_t)work->n);
    for (int64_t k = 0; k < work->touch_count; k++)
        is_held[work->touches[k].vertex] = work->touches[k].hold == DEW_HOLD_FIXED;
    return dew_drop_multilevel_make(&solve->levels, &work->arena, &solve->s, is_held);
}

static void make_system(Solve *solve)
{
    dew_DropWork *work = solve->work;
    dew_DropImplicitSystem *s = &solve->s;
    dew_Double4 *vectors = work->wide;
    int64_t n = work->n;
    *s = (dew_DropImplicitSystem){.n = n,
                                  .row = work->row,
                                  .col = work->col,
                                  .off = work->off,
                                  .pivot = work->pivot,
                                  .inverse = work->inverse,
                                  .mass = work->mass,
                                  .moment = work->moment_of_x,
                                  .coupling = work->mass_matrix,
                                  .gradient = vectors,
                                  .volume_direction = vectors + n,
                                  .solution = vectors + 2 * n,
                                  .residual = vectors + 3 * n,
                                  .preconditioned = vectors + 4 * n,
                                  .direction = vectors + 5 * n,
                                  .image = vectors + 6 * n,
                                  .is_wide = dew_drop_implicit_has_wide()};
    for (int64_t i = 0; i < n; i++) {
        s->pivot[i] = work->mass[i] + work->diagonal[i];
        s->inverse[i] = 1 / s->pivot[i];
        s->total_mass += work->mass[i];
        set_vec(&s->gradient[i], work->gradient[i]);
    }
    for (int64_t k = 0; k < work->touch_count; k++) {
        const dew_DropTouch *t = &work->touches[k];
        double drag = t->is_line ? solve->dt_s * t->drag_Pa_s * t->length_m : 0;
        s->inverse[t->vertex] = 1 / (s->pivot[t->vertex] + drag);
    }
}

/// Begins a solution: constraints met, residual at it. Returns G.P^-1 G, 0 when nothing can move.
static double begin(Solve *solve, double dt_s, double volume_rate)
{
    dew_DropWork *work = solve->work;
    dew_DropImplicitSystem *s = &solve->s;
    size_t size = (size_t)s->n * sizeof *s->gradient;
    double gpg, share = 0, rate = 0;
    memcpy(s->residual, s->gradient, size);
    precondition(solve);
    gpg = dew_drop_implicit_flow(s);
    memcpy(s->volume_direction, s->preconditioned, size);
    meet_solids(work);
    for (int64_t i = 0; i < s->n; i++)
        rate += dew_inner(work->gradient[i], dew_add(work->v[i], work->change[i]));
    share = gpg > 0 ? (volume_rate - rate) / gpg : 0;
    set_impulse(work, dt_s);
    for (int64_t i = 0; i < s->n; i++) {
        set_vec(&s->direction[i], work->change[i]);
        s->direction[i] += share * s->volume_direction[i];
        set_vec(&s->residual[i], work->residual[i]);
    }
    memset(s->solution, 0, size);
    dew_DropImplicitImage image;
    apply(solve, &image);
    dew_drop_implicit_descend(s, &image, 1);
    return gpg;
}

/// Moves what the solids take up from the residual to their reactions. It is far larger than what
/// is left in the end: beside it, rounding would let vertices slip off the solids, and the
/// iteration with them.
static void set_reactions_apart(const Solve *solve)
{
    const dew_DropWork *work = solve->work;
    for (int64_t k = 0; k < work->touch_count; k++) {
        dew_DropTouch *t = &work->touches[k];
        dew_Double4 *r = &solve->s.residual[t->vertex];
        dew_Vec3 all = vec_of(r), rest = allowed(t, all);
        t->reaction = dew_add(t->reaction, dew_sub(all, rest));
        set_vec(r, rest);
    }
}

/// Preconditioned residual with the volume's part taken out, of it and of the residual itself.
static double project(const Solve *solve, double gpg, double *pressure_impulse)
{
    set_reactions_apart(solve);
    precondition(solve);
    double lambda = -dew_drop_implicit_flow(&solve->s) / gpg;
    *pressure_impulse += lambda;
    return dew_drop_implicit_project(&solve->s, lambda);
}

/// Returns the number of iterations; DEW_INVALID when they did not suffice.
static int64_t iterate(const Solve *solve, double gpg, double absolute, double *pressure_impulse)
{
    const dew_DropImplicitSystem *s = &solve->s;
    double rz = project(solve, gpg, pressure_impulse), tolerance = solve->work->params->tolerance;
    // Later solutions of a sub-step begin at the one before, and need not be better than the first.
    if (!(solve->work->first_residual > rz))
        solve->work->first_residual = rz;
    double goal = fmax(absolute, tolerance * tolerance * solve->work->first_residual);
    dew_drop_implicit_turn(s, 0);
    int64_t k = 0;
    for (; k < MAX_ITERATIONS && rz > goal; k++) {
        dew_DropImplicitImage image;
        apply(solve, &image);
        if (!(image.curvature > 0))
            break;
        dew_drop_implicit_descend(s, &image, rz / image.curvature);
        double next = project(solve, gpg, pressure_impulse);
        dew_drop_implicit_turn(s, next / rz);
        rz = next;
    }
    return rz <= goal ? k : DEW_INVALID;
}

dew_Status dew_drop_solve(dew_DropWork *work, double dt_s, double volume_rate_m3_s)
{
    Solve solve = {.work = work, .dt_s = dt_s};
    make_system(&solve);
    for (int64_t k = 0; k < work->touch_count; k++)
        work->touches[k].reaction = dew_vec(0, 0, 0);
    dew_ArenaMark mark = dew_arena_mark(&work->arena);
    DEW_TRY(make_levels(&solve));
    double gpg = begin(&solve, dt_s, volume_rate_m3_s);
    double pressure = dt_s * work->values.pressure_Pa;
    double speed = ABSOLUTE * dew_drop_capillary_speed_m_s(work);
    int64_t iterations = 0;
    if (gpg > 0)  // else held everywhere: nothing moves
        iterations = iterate(&solve, gpg, solve.s.total_mass * speed * speed, &pressure);
    dew_arena_rewind(&work->arena, mark);
    if (iterations == DEW_INVALID)
        return dew_fail(DEW_DIVERGED, "the tension of a drop did not converge");
    work->iterations += iterations;
    if (gpg > 0)
        work->values.pressure_Pa = pressure / dt_s;
    for (int64_t i = 0; i < work->n; i++) {
        work->change[i] = vec_of(&solve.s.solution[i]);
        work->residual[i] = vec_of(&solve.s.residual[i]);
    }
    for (int64_t k = 0; k < work->touch_count; k++) {
        dew_Vec3 *r = &work->residual[work->touches[k].vertex];
        *r = dew_add(*r, work->touches[k].reaction);
    }
    return dew_ok();
}
