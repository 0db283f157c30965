// Balls that touch one another: impulses along the line of centres, all pairs at once.
//
// Pairs are found by sorting the balls along x and looking at neighbours in that order. Each ball
// gathers the impulses of its own pairs from the state before, in sorted order, so that the result is
// the same on any number of workers. A pair's impulse is divided by the larger number of touching
// pairs of its two balls. That keeps the sum from overshooting: each impulse is a projection P_k of the
// mass-weighted velocities, of norm at most one on its two balls, so sum w_k P_k <= 1 when no ball's
// weights add up to more than one, and energy cannot grow. Momentum is kept, both sides of a pair being
// computed by the same expression.
//
// Limits: no friction between balls; a pile does not fall asleep; overlaps are pushed apart, which
// gives back the height that the overlap had swallowed.
#include "solvers/rigid/rigid_state.h"

#define CHUNK      64
#define SLOP       0.01  // of the smaller radius: overlap that is left alone
#define PUSH_SHARE 0.5   // of the overlap beyond it, taken away per step

typedef struct Pairs {
    dew_SolverState *state;
    int64_t *order;    // balls by x, then index
    int32_t *touches;  // balls that each ball touches
    dew_Vec3 *dv, *dx;
    double max_radius;
    double rest_speed_m_s;  // of pairs: slower ones do not rebound
} Pairs;

static bool is_before(const dew_Vec3 *x, int64_t a, int64_t b)
{
    return x[a].x < x[b].x || (!(x[b].x < x[a].x) && a < b);
}

static void sift_down(const dew_Vec3 *x, int64_t *heap, int64_t root, int64_t count)
{
    int64_t item = heap[root];
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && is_before(x, heap[child], heap[child + 1]))
            child++;
        if (!is_before(x, item, heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = item;
}

/// Heap sort: qsort of the C library may allocate.
static void sort_along_x(const dew_Vec3 *x, int64_t *order, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (int64_t i = count / 2; i-- > 0;)
        sift_down(x, order, i, count);
    for (int64_t end = count; end-- > 1;) {
        int64_t largest = order[0];
        order[0] = order[end];
        order[end] = largest;
        sift_down(x, order, 0, end);
    }
}

/// Two touching balls, always the one of lower index first.
typedef struct Contact {
    dew_Vec3 n;       // from the first to the second
    double overlap;   // > 0
    double approach;  // closing speed, > 0 when they come nearer
    double share[2];  // of each in the pair's motion: the other's mass over the sum
} Contact;

static bool touch(const dew_SolverState *state, int64_t i, int64_t j, Contact *out)
{
    const dew_Vec3 *x = DEW_ITEMS(&state->position, dew_Vec3);
    const dew_Vec3 *v = DEW_ITEMS(&state->velocity, dew_Vec3);
    const double *r = DEW_ITEMS(&state->radius, double);
    dew_Vec3 d = dew_sub(x[j], x[i]);
    double reach = r[i] + r[j], distance2 = dew_length2(d);
    if (distance2 >= reach * reach)
        return false;
    double distance = sqrt(distance2);
    out->n = distance > 0 ? dew_scale(1 / distance, d) : dew_vec(0, 1, 0);
    out->overlap = reach - distance;
    out->approach = dew_inner(dew_sub(v[i], v[j]), out->n);
    double mi = r[i] * r[i] * r[i], mj = r[j] * r[j] * r[j];
    out->share[0] = mj / (mi + mj);
    out->share[1] = mi / (mi + mj);
    return true;
}

static void count_pair(Pairs *pairs, int64_t self, int64_t other)
{
    Contact c;
    int64_t i = self < other ? self : other, j = self < other ? other : self;
    if (touch(pairs->state, i, j, &c))
        pairs->touches[self]++;
}

static void push_pair(Pairs *pairs, int64_t self, int64_t other)
{
    Contact c;
    int64_t i = self < other ? self : other, j = self < other ? other : self;
    if (!touch(pairs->state, i, j, &c))
        return;
    const double *r = DEW_ITEMS(&pairs->state->radius, double);
    int32_t most = pairs->touches[i] > pairs->touches[j] ? pairs->touches[i] : pairs->touches[j];
    double sign = self == i ? -1 : 1, share = c.share[self == i ? 0 : 1] / most;
    if (c.approach > 0) {
        bool rebounds = c.approach * pairs->state->restitution >= pairs->rest_speed_m_s;
        double e = rebounds ? pairs->state->restitution : 0;
        pairs->dv[self] = dew_add_scaled(pairs->dv[self], sign * share * (1 + e) * c.approach, c.n);
    }
    double excess = c.overlap - SLOP * fmin(r[i], r[j]);
    if (excess > 0)
        pairs->dx[self] = dew_add_scaled(pairs->dx[self], sign * share * PUSH_SHARE * excess, c.n);
}

/// Calls `visit` for every ball that may touch the k-th in order along x.
static void visit_neighbours(Pairs *pairs, int64_t k,
                             void (*visit)(Pairs *pairs, int64_t self, int64_t other))
{
    const dew_Vec3 *x = DEW_ITEMS(&pairs->state->position, dew_Vec3);
    const double *r = DEW_ITEMS(&pairs->state->radius, double);
    int64_t count = dew_ball_count(pairs->state), self = pairs->order[k];
    double reach = r[self] + pairs->max_radius;
    for (int64_t l = k; l-- > 0 && x[self].x - x[pairs->order[l]].x < reach;)
        visit(pairs, self, pairs->order[l]);
    for (int64_t l = k + 1; l < count && x[pairs->order[l]].x - x[self].x < reach; l++)
        visit(pairs, self, pairs->order[l]);
}

static dew_Status count_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    for (int64_t k = begin; k < end; k++)
        visit_neighbours(context, k, count_pair);
    return dew_ok();
}

static dew_Status push_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    for (int64_t k = begin; k < end; k++)
        visit_neighbours(context, k, push_pair);
    return dew_ok();
}

static void apply(const Pairs *pairs, int64_t i)
{
    dew_SolverState *state = pairs->state;
    if (dew_length2(pairs->dv[i]) <= 0 && dew_length2(pairs->dx[i]) <= 0)
        return;
    dew_Vec3 *x = &DEW_ITEMS(&state->position, dew_Vec3)[i];
    dew_Vec3 *v = &DEW_ITEMS(&state->velocity, dew_Vec3)[i];
    *x = dew_add(*x, pairs->dx[i]);
    *v = dew_add(*v, pairs->dv[i]);
    DEW_ITEMS(&state->mode, uint8_t)[i] = DEW_BALL_FLYING;
    DEW_ITEMS(&state->still, double)[i] = 0;
}

dew_Status dew_balls_collide(dew_SolverState *state, dew_Step *step)
{
    int64_t count = dew_ball_count(state);
    if (!state->collide || count < 2)
        return dew_ok();
    Pairs pairs = {.state = state,
                   .order = dew_arena_array(step->scratch, int64_t, count),
                   .touches = dew_arena_array(step->scratch, int32_t, count),
                   .dv = dew_arena_array(step->scratch, dew_Vec3, count),
                   .dx = dew_arena_array(step->scratch, dew_Vec3, count)};
    if (!pairs.order || !pairs.touches || !pairs.dv || !pairs.dx)
        return dew_fail(DEW_NO_MEMORY, "no memory for the contacts of %lld balls",
                        (long long)count);
    // What gravity gives in one step is no impact: without this a pile would hop for ever.
    pairs.rest_speed_m_s =
        fmax(state->rest_speed_m_s, 2 * step->dt_s * dew_length(step->moment->gravity_m_s2));
    for (int64_t i = 0; i < count; i++)
        pairs.max_radius = fmax(pairs.max_radius, DEW_ITEMS(&state->radius, double)[i]);
    sort_along_x(DEW_ITEMS(&state->position, dew_Vec3), pairs.order, count);
    DEW_TRY(dew_parallel_for(step->tasks, count, CHUNK, count_chunk, &pairs));
    DEW_TRY(dew_parallel_for(step->tasks, count, CHUNK, push_chunk, &pairs));
    for (int64_t i = 0; i < count; i++)
        apply(&pairs, i);
    return dew_ok();
}
