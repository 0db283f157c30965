// Conservation of linear and angular momentum of drops that touch nothing: internal forces change
// neither, and gravity changes the linear one only.
//
// Transfers conserve both sums. Pressure and tension do not: they weigh faces evenly, transfers by
// the particles' weights, and the direction of a particle changes once per step. The difference is
// small and is corrected by a rigid motion of the drop's particles, as volumes are by a shift of
// the surface. A drop is free when none of its cells is beside a wall; a particle belongs to the
// drop of its cell, or else of a neighbouring cell. Sums are per particle, so that added and
// removed particles do not count; each brick sums for the few drops that it holds, then bricks are
// added in their order.
#include "base/status.h"
#include "grid/sample.h"
#include "solvers/apic/apic_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 4  // drops that a brick adds up for; particles of others are not changed

// Of a drop, or of a part of it.
typedef struct dew_ApicSums {
    int32_t drop;
    double count;
    dew_Vec3 x, u;     // sums of places and velocities
    dew_Vec3 turn;     // of x cross u, and what gradients carry
    double xx[3][3];   // of products of coordinates
    dew_Vec3 inertia;  // of what gradients add to moments of inertia
} Sums;

typedef struct Change {
    dew_Vec3 center_m, velocity_m_s, spin_1_s;
} Change;

typedef struct Work {
    const dew_SolverState *state;
    const dew_ApicMomentum *momentum;
    const int32_t *drop;  // of cells
    dew_Motion *motion;
    dew_Shear *shear;
    Sums *parts;     // [brick][PARTS]
    Change *change;  // per drop
    bool is_labelling;
} Work;

// ---- whose is a particle? -----------------------------------------------------------------------

static int cell_at(double x)
{
    int n = (int)x;
    return n < 0 ? 0 : n > DEW_BRICK - 1 ? DEW_BRICK - 1 : n;
}

static int32_t drop_of(const Work *w, int32_t b, dew_Vec3 corner, dew_Vec3 p)
{
    const dew_Grid *grid = w->state->liquid.grid;
    double r = 1 / grid->cell_m;
    int i = cell_at((p.x - corner.x) * r), j = cell_at((p.y - corner.y) * r);
    int k = grid->depth == 1 ? 0 : cell_at((p.z - corner.z) * r);
    int32_t drop = w->drop[(int64_t)b * grid->brick_cells + i + DEW_BRICK * (j + DEW_BRICK * k)];
    for (int n = 0; n < 3 * 27 && drop < 0; n++) {  // across faces first, then edges, then corners
        int m = n % 27, d[3] = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1};
        if (abs(d[0]) + abs(d[1]) + abs(d[2]) != n / 27 + 1 || (grid->depth == 1 && d[2] != 0))
            continue;
        int64_t at = dew_grid_near(grid, b, i + d[0], j + d[1], k + d[2]);
        drop = at < 0 ? DEW_INVALID : w->drop[at];
    }
    bool is_ours = drop >= 0 && drop < w->momentum->drop_count;  // not one of what has just come in
    return is_ours && w->momentum->is_free[drop] ? drop : DEW_INVALID;
}

// ---- sums ---------------------------------------------------------------------------------------

static void add_particle(const Work *w, int64_t n, Sums *s)
{
    dew_Vec3 x = dew_particles_position(&w->state->markers.particles, n), inertia;
    const dew_Motion *m = &w->motion[n];
    dew_Vec3 u = {m->u[0], m->u[1], m->u[2]};
    double c[3] = {x.x, x.y, x.z};
    s->count++;
    s->x = dew_add(s->x, x);
    s->u = dew_add(s->u, u);
    s->turn = dew_add(s->turn, dew_cross(x, u));
    s->turn = dew_add(s->turn, dew_transfer_spin(&w->shear[n], w->state->liquid.grid, x, &inertia));
    s->inertia = dew_add(s->inertia, inertia);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            s->xx[a][b] += c[a] * c[b];
}

static void add_sums(Sums *to, const Sums *s)
{
    to->count += s->count;
    to->x = dew_add(to->x, s->x);
    to->u = dew_add(to->u, s->u);
    to->turn = dew_add(to->turn, s->turn);
    to->inertia = dew_add(to->inertia, s->inertia);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            to->xx[a][b] += s->xx[a][b];
}

static dew_Status sum_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Particles *particles = &w->state->markers.particles;
    for (int64_t b = begin; b < end; b++) {
        Sums *parts = w->parts + PARTS * b;
        int64_t from, to;
        dew_Vec3 corner =
            dew_grid_position(w->state->liquid.grid, (int32_t)b, 0, 0, 0, DEW_AT_NODE);
        memset(parts, 0, PARTS * sizeof *parts);
        dew_particles_of_brick(particles, b, &from, &to);
        for (int64_t n = from; n < to; n++) {
            int32_t *label = &w->momentum->label[n];
            if (w->is_labelling)
                *label = drop_of(w, (int32_t)b, corner, dew_particles_position(particles, n));
            if (*label < 0)
                continue;
            int k = 0;
            while (k < PARTS && parts[k].count > 0 && parts[k].drop != *label)
                k++;
            if (k == PARTS) {
                *label = DEW_INVALID;
                continue;
            }
            parts[k].drop = *label;
            add_particle(w, n, &parts[k]);
        }
    }
    return dew_ok();
}

// Sums of all free drops.
static dew_Status sum_up(Work *w, Sums *drops, dew_Arena *scratch)
{
    const dew_Grid *grid = w->state->liquid.grid;
    dew_ArenaMark mark = dew_arena_mark(scratch);
    w->parts = dew_arena_raw_array(scratch, Sums, (int64_t)PARTS * grid->brick_count);
    if (!w->parts)
        return dew_no_memory((size_t)grid->brick_count * PARTS * sizeof *w->parts);
    memset(drops, 0, (size_t)w->momentum->drop_count * sizeof *drops);
    DEW_TRY(dew_grid_for(grid, sum_chunk, w));
    for (int64_t n = 0; n < (int64_t)PARTS * grid->brick_count; n++)
        if (w->parts[n].count > 0)
            add_sums(&drops[w->parts[n].drop], &w->parts[n]);
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}

// ---- what is missing ----------------------------------------------------------------------------

// Angular momentum about the drop's middle, per particle.
static dew_Vec3 turning(const Sums *s)
{
    double r = 1 / s->count;
    return dew_sub(dew_scale(r, s->turn), dew_cross(dew_scale(r, s->x), dew_scale(r, s->u)));
}

// Moments of inertia about the drop's middle, per particle.
static void inertia_of(const Sums *s, double I[3][3])
{
    double r = 1 / s->count, x[3] = {r * s->x.x, r * s->x.y, r * s->x.z}, trace = 0;
    const double own[3] = {r * s->inertia.x, r * s->inertia.y, r * s->inertia.z};
    for (int a = 0; a < 3; a++)
        trace += r * s->xx[a][a] - x[a] * x[a];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            I[a][b] = (a == b ? trace + own[a] : 0) - (r * s->xx[a][b] - x[a] * x[b]);
}

// The spin whose angular momentum is L.
static dew_Vec3 spin_of(double I[3][3], dew_Vec3 L, bool is_flat)
{
    if (is_flat)
        return dew_vec(0, 0, I[2][2] > 0 ? L.z / I[2][2] : 0);
    dew_Vec3 a = {I[0][0], I[0][1], I[0][2]}, b = {I[1][0], I[1][1], I[1][2]};
    dew_Vec3 c = {I[2][0], I[2][1], I[2][2]};
    double det = dew_inner(a, dew_cross(b, c)), mean = (I[0][0] + I[1][1] + I[2][2]) / 3;
    if (!(det > DEW_LIQUID_ROUNDING * mean * mean * mean))
        return dew_vec(0, 0, 0);
    // Symmetric: rows are columns.
    return dew_vec(dew_inner(L, dew_cross(b, c)) / det, dew_inner(L, dew_cross(c, a)) / det,
                   dew_inner(L, dew_cross(a, b)) / det);
}

static Change change_of(const Sums *before, const Sums *now, dew_Vec3 dv_m_s, bool is_flat,
                        double full)
{
    Change change = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (!(before->count > 0 && now->count > 0))
        return change;
    dew_Vec3 due = dew_add(dew_scale(1 / before->count, before->u), dv_m_s);
    change.velocity_m_s = dew_sub(due, dew_scale(1 / now->count, now->u));
    if (is_flat)
        change.velocity_m_s.z = 0;
    change.center_m = dew_scale(1 / now->count, now->x);
    if (fmin(before->count, now->count) <
        full)  // the turning of less than a cell's particles is noise
        return change;
    double I[3][3];
    inertia_of(now, I);
    change.spin_1_s = spin_of(I, dew_sub(turning(before), turning(now)), is_flat);
    return change;
}

static dew_Status change_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Particles *particles = &w->state->markers.particles;
    int64_t from, to, last;
    dew_particles_of_brick(particles, begin, &from, &last);
    dew_particles_of_brick(particles, end - 1, &last, &to);
    for (int64_t n = from; n < to; n++) {
        if (w->momentum->label[n] < 0)
            continue;
        const Change *change = &w->change[w->momentum->label[n]];
        dew_Vec3 away = dew_sub(dew_particles_position(particles, n), change->center_m);
        dew_Vec3 s = change->spin_1_s;
        dew_Vec3 v = dew_add(change->velocity_m_s, dew_cross(s, away));
        double *u = w->motion[n].u;
        float(*c)[3] = w->shear[n].c;
        u[0] += v.x;
        u[1] += v.y;
        u[2] += v.z;
        c[0][1] -= (float)s.z;
        c[0][2] += (float)s.y;
        c[1][0] += (float)s.z;
        c[1][2] -= (float)s.x;
        c[2][0] -= (float)s.y;
        c[2][1] += (float)s.x;
    }
    return dew_ok();
}

// ---- the tally ----------------------------------------------------------------------------------

static Work work_on(const dew_SolverState *state, const dew_ApicMomentum *momentum)
{
    const dew_Liquid *liquid = &state->liquid;
    return (Work){.state = state,
                  .momentum = momentum,
                  .drop = dew_grid_field(liquid->grid, liquid->drop),
                  .motion = dew_transfer_motion(&state->markers.particles, state->motion),
                  .shear = dew_transfer_shear(&state->markers.particles, state->motion)};
}

// Which drops are free; false: none is.
static bool find_free(const dew_SolverState *state, dew_ApicMomentum *momentum)
{
    const dew_Liquid *liquid = &state->liquid;
    const double *solid = dew_liquid_solid(liquid);
    const int32_t *drop = dew_grid_field(liquid->grid, liquid->drop);
    double near = DEW_LIQUID_NEAR * liquid->grid->cell_m;
    bool is_any = false;
    memset(momentum->is_free, 1, (size_t)momentum->drop_count);
    for (int64_t n = 0; solid && n < dew_liquid_count(liquid); n++)
        if (drop[n] >= 0 && drop[n] < momentum->drop_count && solid[n] < near)
            momentum->is_free[drop[n]] = 0;
    for (int64_t n = 0; n < momentum->drop_count; n++)
        is_any |= momentum->is_free[n] != 0;
    return is_any;
}

dew_Status dew_apic_momentum_begin(const dew_SolverState *state, dew_ApicMomentum *momentum,
                                   dew_Arena *scratch)
{
    const dew_Particles *particles = &state->markers.particles;
    *momentum = (dew_ApicMomentum){.drop_count = state->liquid.drops.count};
    if (state->kind != DEW_TRANSFER_APIC || momentum->drop_count == 0)
        return dew_ok();
    momentum->is_free = dew_arena_array(scratch, uint8_t, momentum->drop_count);
    if (!momentum->is_free)
        return dew_no_memory((size_t)momentum->drop_count);
    if (!find_free(state, momentum))
        return dew_ok();
    momentum->sums = dew_arena_array(scratch, Sums, momentum->drop_count);
    momentum->label = dew_arena_raw_array(scratch, int32_t, particles->count);
    if (!momentum->sums || !momentum->label)
        return dew_no_memory((size_t)momentum->drop_count * sizeof *momentum->sums);
    Work work = work_on(state, momentum);
    work.is_labelling = true;
    return sum_up(&work, momentum->sums, scratch);
}

dew_Status dew_apic_momentum_end(dew_SolverState *state, dew_ApicMomentum *momentum,
                                 dew_Vec3 dv_m_s, bool is_reseeded, dew_Arena *scratch)
{
    const dew_Grid *grid = state->liquid.grid;
    if (!momentum->sums || grid->brick_count == 0)
        return dew_ok();
    dew_ArenaMark mark = dew_arena_mark(scratch);
    Sums *now = dew_arena_array(scratch, Sums, momentum->drop_count);
    Change *change = dew_arena_array(scratch, Change, momentum->drop_count);
    if (is_reseeded)
        momentum->label = dew_arena_raw_array(scratch, int32_t, state->markers.particles.count);
    if (!now || !change || !momentum->label)
        return dew_no_memory((size_t)momentum->drop_count * sizeof *now);
    Work work = work_on(state, momentum);
    work.change = change;
    double full = (double)state->per_axis * state->per_axis * state->per_axis;
    work.is_labelling = is_reseeded;
    DEW_TRY(sum_up(&work, now, scratch));
    for (int64_t n = 0; n < momentum->drop_count; n++)
        change[n] = change_of(&momentum->sums[n], &now[n], dv_m_s, grid->depth == 1, full);
    DEW_TRY(dew_grid_for(grid, change_chunk, &work));
    dew_arena_rewind(scratch, mark);
    return dew_ok();
}
