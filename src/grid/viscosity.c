// The implicit viscous step: conjugate gradients around some steps of Chebyshev's iteration in
// float [Saad2003] sections 12.1 and 12.3; or, where little flows from face to face, around the
// diagonal.
//
// The polynomial is that for eigenvalues of D^-1 A between that of even motion deep in the liquid
// and a bound of the largest. It is positive up to the bound, so it may precondition whatever
// smaller ones the surface adds.

#include "grid/viscosity.h"

#include "base/simd.h"
#include "base/status.h"
#include "base/sum.h"

#include <math.h>
#include <string.h>

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

// ---- Preconditioner -----------------------------------------------------------------------------

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
    double plain = 1 / dew_viscous_plain_diagonal(f);
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

// ---- Solve --------------------------------------------------------------------------------------

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

// ---- The quadratic form -------------------------------------------------------------------------

// Coefficients of the viscous energy [Batty2008] eq. (12), section 5: volume fractions of liquid
// around cells, faces and edges, and how strains look beside walls.
//
// Shares come from phi at the place by a linear ramp one cell wide, exact for surfaces along the
// axes. differs: beside a wall the strain of an edge is that of the profile between the fluid's
// face and the wall itself, theta cells away, with slip length l: force du / (theta + l) instead of
// du; the paper takes the solid's face as where the wall is.

#define MIN_THETA  0.05
#define LINE_REACH 1.5  // cells from the surface, for line_slip_m

// phi and the distance to solids of a brick and one layer around it, in cells; states of its faces.
typedef struct Around {
    double phi[1000], solid[1000], slip[1000];
    uint8_t state[3][1000];
} Around;

DEW_BODY double liquid_fraction(double phi)
{
    return phi < -0.5 ? 1 : phi > 0.5 ? 0 : 0.5 - phi;
}

static const int step[3] = {1, 10, 100};

// Mean of a tile over the cells that meet at a face or edge: c and those below it along two axes
// (or one, with b < 0).
DEW_BODY double mean(const double *tile, int c, int a, int b)
{
    double pair = tile[c] + tile[c - step[a]];
    if (b < 0)
        return 0.5 * pair;
    return 0.25 * (pair + tile[c - step[b]] + tile[c - step[a] - step[b]]);
}

static void load_scaled(const dew_Grid *grid, const double *field, int32_t brick, double other,
                        double *tile)
{
    int count = grid->dimensions == 3 ? 1000 : 300;
    double by_h = 1 / grid->cell_m;
    if (field)
        dew_tile_load(grid, field, brick, 1, tile);
    for (int i = 0; i < count; i++)
        tile[i] = field ? tile[i] * by_h : other;
}

static void load_around(const dew_ViscousForm *f, int32_t brick, Around *t)
{
    load_scaled(f->grid, f->def->phi, brick, -1e3, t->phi);
    load_scaled(f->grid, f->def->solid, brick, 1e3, t->solid);
}

// ---- States of faces ----------------------------------------------------------------------------

typedef struct States {
    dew_ViscousForm *form;
    uint8_t *kind;  // bits per brick of the grid
} States;

enum { HAS_FREE = 1, HAS_WALL = 2, HAS_IDLE = 4, IS_FULL = 8 };

// States of a row of faces of an axis. c: the first one's cell in the tile.
DEW_BODY void row_states(const dew_ViscousForm *f, const Around *t, int64_t at, int c, int axis,
                         uint8_t *restrict state)
{
    const double *open = f->def->open[axis] ? f->def->open[axis] + at : NULL;
    const double *phi = t->phi + c, *solid = t->solid + c;
    const int below = step[axis];
    // Within a cell of the liquid a face may take part in some strain.
    for (int i = 0; i < 8; i++)
        state[i] = 0.5 * (phi[i] + phi[i - below]) < 1.5 ? DEW_FACE_FREE : DEW_FACE_IDLE;
    for (int i = 0; i < 8 && f->def->solid; i++)
        state[i] = 0.5 * (solid[i] + solid[i - below]) <= 0 ? DEW_FACE_WALL : state[i];
    for (int i = 0; i < 8 && open; i++)
        state[i] = open[i] <= 0 ? DEW_FACE_WALL : state[i];
}

// Faces beside a missing brick are walls.
static void close_lowest(const dew_ViscousForm *f, int32_t brick, int axis, uint8_t *state)
{
    static const int low_side[3] = {12, 10, 4}, stride[3] = {1, 8, 64};
    if (dew_grid_neighbours(f->grid, brick)[low_side[axis]] != DEW_INVALID)
        return;
    for (int i = 0; i < f->grid->brick_cells; i++)
        if ((i / stride[axis]) % 8 == 0)
            state[i] = DEW_FACE_WALL;
}

DEW_BODY dew_Status states_chunk_body(void *context, int64_t begin, int64_t end)
{
    const States *s = context;
    const dew_ViscousForm *f = s->form;
    const int cells = f->grid->brick_cells;
    Around t;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        int count[3] = {0}, full = 0;
        load_around(f, b, &t);
        for (int a = 0; a < dew_grid_axes(f->grid); a++) {
            uint8_t *state = f->state[a] + (int64_t)b * cells;
            for (int i = 0; i < cells; i += 8)
                row_states(f, &t, (int64_t)b * cells + i, dew_tile_at(1, 0, i >> 3 & 7, i >> 6), a,
                           state + i);
            close_lowest(f, b, a, state);
            for (int i = 0; i < cells; i++) {
                count[0] += state[i] == DEW_FACE_FREE;
                count[1] += state[i] == DEW_FACE_WALL;
                count[2] += state[i] == DEW_FACE_IDLE;
            }
        }
        for (int i = 0; i < cells; i++)
            full += t.phi[dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6)] < -0.5;
        s->kind[b] = (uint8_t)((count[0] ? HAS_FREE : 0) | (count[1] ? HAS_WALL : 0) |
                               (count[2] ? HAS_IDLE : 0) | (full == cells ? IS_FULL : 0));
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(states_chunk)

// ---- Which bricks have equations ----------------------------------------------------------------

// A brick counts when a face of it can move, or is a wall's beside one that can.
static bool is_counted(const States *s, int32_t brick)
{
    const dew_Grid *grid = s->form->grid;
    bool is_counted = s->kind[brick] & HAS_FREE;
    for (int n = 0; n < 27 && !is_counted && (s->kind[brick] & HAS_WALL); n++) {
        int32_t near = dew_grid_neighbours(grid, brick)[n];
        is_counted = near >= 0 && near < grid->brick_count && (s->kind[near] & HAS_FREE);
    }
    return is_counted;
}

static dew_Status number_bricks(States *s, dew_Arena *arena)
{
    dew_ViscousForm *f = s->form;
    const dew_Grid *grid = f->grid;
    int64_t all = grid->brick_count + grid->ghost_count;
    int32_t *slot = dew_arena_array(arena, int32_t, all);
    f->brick = dew_arena_array(arena, int32_t, grid->brick_count);
    f->coefficients = dew_arena_array(arena, int32_t, grid->brick_count);
    int32_t *near = dew_arena_raw_array(arena, int32_t, 27 * (int64_t)grid->brick_count);
    if (!slot || !f->brick || !f->coefficients || !near)
        return dew_no_memory((size_t)all * 31 * sizeof(int32_t));
    for (int32_t b = 0; b < all; b++) {
        bool is_ours = b < grid->brick_count && is_counted(s, b);
        slot[b] = is_ours ? f->brick_count : DEW_INVALID;
        if (is_ours)
            f->brick[f->brick_count++] = b;
    }
    for (int64_t i = 0; i < 27 * (int64_t)f->brick_count; i++) {
        int32_t there = dew_grid_neighbours(grid, f->brick[i / 27])[i % 27];
        near[i] = there < 0 ? DEW_INVALID : slot[there];
    }
    f->links = (dew_Grid){.dimensions = grid->dimensions,
                          .depth = grid->depth,
                          .brick_cells = grid->brick_cells,
                          .brick_count = f->brick_count,
                          .tasks = grid->tasks};
    f->links.neighbours.data = near;
    f->values = (int64_t)f->brick_count * grid->brick_cells;
    return dew_ok();
}

static void load_states(const dew_ViscousForm *f, int32_t brick, Around *t)
{
    for (int a = 0; a < dew_grid_axes(f->grid); a++)
        dew_tile_load_u8(f->grid, f->state[a], brick, 1, DEW_FACE_IDLE, t->state[a]);
}

// All that the brick's equations see is liquid.
static bool is_plain(const dew_ViscousForm *f, const Around *t)
{
    int is_plain = f->grid->dimensions == 3;
    for (int i = 0; i < 1000 && is_plain; i++)
        is_plain &= (t->phi[i] < -0.5) & (t->state[0][i] == DEW_FACE_FREE) &
                    (t->state[1][i] == DEW_FACE_FREE) & (t->state[2][i] == DEW_FACE_FREE);
    return is_plain;
}

static dew_Status plain_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const States *s = context;
    const dew_ViscousForm *f = s->form;
    Around t;
    for (int64_t b = begin; b < end; b++) {
        f->coefficients[b] = 0;
        if (s->kind[f->brick[b]] != (HAS_FREE | IS_FULL))
            continue;
        load_around(f, f->brick[b], &t);
        load_states(f, f->brick[b], &t);
        f->coefficients[b] = is_plain(f, &t) ? DEW_INVALID : 0;
    }
    return dew_ok();
}

// ---- Coefficients -------------------------------------------------------------------------------

// Cells from a fluid face to the wall on the way to one in the solid, given their distances to it.
DEW_BODY double wall_theta(double fluid, double solid)
{
    double theta = solid < fluid ? fluid / (fluid - solid) : 1;
    return theta < 1 ? theta > MIN_THETA ? theta : MIN_THETA : 1;
}

// The liquid around a face beside a wall reaches to the wall, theta cells away, not to half a cell.
static double mass_beside_walls(const Around *t, int axes, int c, int axis)
{
    double mass = 1;
    for (int side = 0; side < 2 * axes; side++) {
        int b = side >> 1, there = c + (side & 1 ? step[b] : -step[b]);
        if (b == axis || t->state[axis][there] != DEW_FACE_WALL)
            continue;
        double theta = wall_theta(mean(t->solid, c, axis, -1), mean(t->solid, there, axis, -1));
        mass += theta - 0.5;
    }
    return mass > MIN_THETA ? mass : MIN_THETA;
}

DEW_BODY void make_masses(const dew_ViscousForm *f, const Around *t, int32_t brick, bool has_walls,
                          dew_ViscousBrick *out)
{
    int axes = dew_grid_axes(f->grid);
    for (int a = 0; a < axes; a++)
        for (int row = 0; row < f->grid->brick_cells; row += 8) {
            int c = dew_tile_at(1, 0, row >> 3 & 7, row >> 6);
            double mass[8];
            for (int i = 0; i < 8; i++)
                mass[i] = liquid_fraction(mean(t->phi, c + i, a, -1));
            for (int i = 0; i < 8 && has_walls; i++) {
                double d = mean(t->solid, c + i, a, -1);
                if (d > 0 && d < 1 && t->state[a][c + i] == DEW_FACE_FREE)
                    mass[i] *= mass_beside_walls(t, axes, c + i, a);
            }
            const double *mobility = f->def->mobility[a];
            int64_t at = (int64_t)brick * f->grid->brick_cells + row;
            for (int i = 0; i < 8; i++)
                out->mass[a][row + i] = (float)(mobility ? mass[i] / mobility[at + i] : mass[i]);
        }
}

// Cells, and one layer below the brick where there is a brick.
DEW_BODY void make_cells(const dew_ViscousForm *f, const Around *t, int32_t brick,
                         dew_ViscousBrick *out)
{
    const int32_t *near = dew_grid_neighbours(f->grid, brick);
    bool is_flat = f->grid->dimensions == 2;
    for (int k = is_flat ? 0 : -1; k < f->grid->depth; k++)
        for (int j = -1; j < 8; j++)
            for (int i = -1; i < 8; i++) {
                int at = i + 1 + 9 * (j + 1 + 9 * (is_flat ? 0 : k + 1));
                bool is_there = near[13 - (i < 0) - 3 * (j < 0) - 9 * (k < 0)] >= 0;
                out->cell[at] =
                    is_there ? (float)liquid_fraction(t->phi[dew_tile_at(1, i, j, k)]) : 0;
            }
}

// One difference at an edge: between two faces, of which one may be a wall's.
typedef struct Pair {
    bool is_cut;    // one is a wall's, the other fluid
    bool is_there;  // at least one is fluid and both are known
    double theta;   // cells from the fluid face to the wall
} Pair;

// Faces of axis a at the edge: that of this cell and that of the cell below along axis b.
static Pair look_at(const Around *t, int c, int a, int b)
{
    int up = t->state[a][c], low = t->state[a][c - step[b]];
    if (up == DEW_FACE_FREE && low == DEW_FACE_FREE)
        return (Pair){false, true, 1};
    if (up == DEW_FACE_IDLE || low == DEW_FACE_IDLE)
        return (Pair){false, false, 1};
    bool is_cut = (up == DEW_FACE_WALL) != (low == DEW_FACE_WALL);
    double theta = 1, d_up = mean(t->solid, c, a, -1), d_low = mean(t->solid, c - step[b], a, -1);
    if (is_cut)
        theta = up == DEW_FACE_WALL ? wall_theta(d_low, d_up) : wall_theta(d_up, d_low);
    return (Pair){is_cut, is_cut, theta};
}

// Energy of an edge from its two pairs; see viscosity.h.
static void edge_energy(Pair u, Pair v, double liquid, double slip, double out[3])
{
    double cu = liquid / (u.theta + (u.is_cut ? slip : 0));
    double cv = liquid / (v.theta + (v.is_cut ? slip : 0));
    out[0] = out[1] = out[2] = 0;
    if (!u.is_there && !v.is_there)
        return;
    if (u.is_cut && v.is_cut) {  // a corner of the solid: no strain that both have part in
        out[0] = cu;
        out[2] = cv;
    } else if (u.is_cut) {
        out[0] = cu;
        out[1] = cu * u.theta;
        out[2] = cu * u.theta * u.theta;
    } else if (v.is_cut) {
        out[0] = cv * v.theta * v.theta;
        out[1] = cv * v.theta;
        out[2] = cv;
    } else {
        out[0] = out[1] = out[2] = liquid;
    }
}

// A row of nine edges along e where no face is a wall's: an edge counts when both faces of a pair
// may move.
DEW_BODY void free_edges(const Around *t, int e, int c, float *restrict out)
{
    const int u = (e + 1) % 3, v = (e + 2) % 3;
    const uint8_t *of_u = t->state[u] + c, *of_v = t->state[v] + c;
    for (int i = 0; i < 9; i++) {
        bool are_free = ((of_u[i] == DEW_FACE_FREE) & (of_u[i - step[v]] == DEW_FACE_FREE)) |
                        ((of_v[i] == DEW_FACE_FREE) & (of_v[i - step[u]] == DEW_FACE_FREE));
        double liquid = liquid_fraction(mean(t->phi, c + i, u, v));
        out[i] = are_free ? (float)liquid : 0;
    }
}

// line_slip: at contact lines, in cells.
static void any_edges(const Around *t, double line_slip, int e, int c, int at,
                      dew_ViscousBrick *out)
{
    const int u = (e + 1) % 3, v = (e + 2) % 3;
    for (int i = 0; i < 9; i++) {
        double energy[3], phi = mean(t->phi, c + i, u, v);
        double near_line = fmax(0, fmin(2 * (1 - fabs(phi) / LINE_REACH), 1));
        double slip = fmax(t->slip[c + i], near_line * line_slip);
        edge_energy(look_at(t, c + i, u, v), look_at(t, c + i, v, u), liquid_fraction(phi), slip,
                    energy);
        out->uu[e][at + i] = (float)energy[0];
        out->uv[e][at + i] = (float)energy[1];
        out->vv[e][at + i] = (float)energy[2];
    }
}

DEW_BODY bool has_wall(const Around *t, int e, int c)
{
    const int u = (e + 1) % 3, v = (e + 2) % 3;
    const uint8_t *of_u = t->state[u] + c, *of_v = t->state[v] + c;
    int has_wall = 0;
    for (int i = 0; i < 9; i++)
        has_wall |= (of_u[i] == DEW_FACE_WALL) | (of_u[i - step[v]] == DEW_FACE_WALL) |
                    (of_v[i] == DEW_FACE_WALL) | (of_v[i - step[u]] == DEW_FACE_WALL);
    return has_wall;
}

// Edges, and one layer above the brick. There the cells beyond the layer are not known, nor needed.
DEW_BODY void make_edges(const dew_ViscousForm *f, const Around *t, bool has_walls,
                         dew_ViscousBrick *out)
{
    bool is_flat = f->grid->dimensions == 2;
    double line_slip = f->def->line_slip_m / f->grid->cell_m;
    for (int e = is_flat ? 2 : 0; e < 3; e++)
        for (int k = 0; k < (is_flat ? 1 : 9); k++)
            for (int j = 0; j < 9; j++) {
                int at = 9 * (j + 9 * k), c = dew_tile_at(1, 0, j, k);
                if (has_walls && has_wall(t, e, c)) {
                    any_edges(t, line_slip, e, c, at, out);
                    continue;
                }
                free_edges(t, e, c, out->uu[e] + at);
                memcpy(out->uv[e] + at, out->uu[e] + at, 9 * sizeof(float));
                memcpy(out->vv[e] + at, out->uu[e] + at, 9 * sizeof(float));
            }
}

// One row of faces of K: their diagonals, and the sums of what is beside them.
typedef struct KRow {
    double diagonal[8], beside[8];
} KRow;

DEW_BODY void look_around(const dew_ViscousBrick *b, int axes, int a, int cell, int edge, KRow *row)
{
    static const int nine[3] = {1, 9, 81};
    const int next = (a + 1) % 3, last = (a + 2) % 3;
    const float *liquid_fraction = b->cell + cell;
    for (int i = 0; i < 8; i++)
        row->diagonal[i] = row->beside[i] =
            2 * ((double)liquid_fraction[i] + (double)liquid_fraction[i - nine[a]]);
    for (int n = 0; n < 2; n++) {
        const int e = n == 0 ? last : next, up = nine[n == 0 ? next : last];
        if (axes == 2 && e != 2)
            continue;
        const float *own = (n == 0 ? b->uu[e] : b->vv[e]) + edge, *other = b->uv[e] + edge;
        for (int i = 0; i < 8; i++) {
            double both = (double)own[i] + (double)own[i + up];
            row->diagonal[i] += both;
            row->beside[i] += both + 2 * ((double)other[i] + (double)other[i + up]);
        }
    }
}

// The diagonal, and a bound of the eigenvalues of D^-1 A: Gershgorin's, row by row. It is never
// above 4, since no element (a cell, an edge) has more than four faces.
DEW_BODY double make_diagonal(const dew_ViscousForm *f, const Around *t, dew_ViscousBrick *out)
{
    const int axes = dew_grid_axes(f->grid);
    double largest = 1;
    for (int a = 0; a < axes; a++)
        for (int row = 0; row < f->grid->brick_cells; row += 8) {
            const int j = row >> 3 & 7, k = row >> 6, edge = 9 * (j + 9 * k);
            const uint8_t *state = t->state[a] + dew_tile_at(1, 0, j, k);
            KRow all;
            look_around(out, axes, a, 1 + 9 * (j + 1 + 9 * (axes == 2 ? 0 : k + 1)), edge, &all);
            for (int i = 0; i < 8; i++) {
                double d = (double)out->mass[a][row + i] + f->stiffness * all.diagonal[i];
                bool is_free = (state[i] == DEW_FACE_FREE) & (d > 0);
                double inverse = 1 / (is_free ? d : 1);
                double bound = is_free ? (d + f->stiffness * all.beside[i]) * inverse : 1;
                out->inverse[a][row + i] = is_free ? (float)inverse : 0;
                largest = bound > largest ? bound : largest;
            }
        }
    return largest < 4 ? largest : 4;
}

// The rows with equations.
static void find_rows(const dew_ViscousForm *f, dew_ViscousBrick *out)
{
    for (int n = 0; n < 2; n++) {
        out->first[n] = 8;
        out->last[n] = 0;
    }
    for (int row = 0; row < f->grid->brick_cells; row += 8) {
        const int at[2] = {row >> 3 & 7, row >> 6};
        int count = 0;
        for (int a = 0; a < dew_grid_axes(f->grid); a++)
            for (int i = 0; i < 8; i++)
                count += out->inverse[a][row + i] > 0;
        for (int n = 0; n < 2 && count > 0; n++) {
            out->first[n] = at[n] < out->first[n] ? at[n] : out->first[n];
            out->last[n] = at[n] >= out->last[n] ? at[n] + 1 : out->last[n];
        }
    }
}

// Is a face in the tile a wall's?
static bool has_walls(const Around *t, int axes)
{
    const int count = axes == 3 ? 1000 : 300;
    int walls = 0;
    for (int a = 0; a < axes; a++)
        for (int i = 0; i < count; i++)
            walls += t->state[a][i] == DEW_FACE_WALL;
    return walls > 0;
}

DEW_BODY dew_Status make_chunk_body(void *context, int64_t begin, int64_t end)
{
    const dew_ViscousForm *f = context;
    Around t;
    for (int64_t b = begin; b < end; b++) {
        f->largest_each[b] = (1 + 24 * f->stiffness) / dew_viscous_plain_diagonal(f);
        if (f->coefficients[b] < 0)
            continue;
        dew_ViscousBrick *out = &f->bricks[f->coefficients[b]];
        load_around(f, f->brick[b], &t);
        load_states(f, f->brick[b], &t);
        bool has = has_walls(&t, f->grid->dimensions);
        if (has)
            load_scaled(f->grid, f->def->slip, f->brick[b], f->def->slip_m / f->grid->cell_m,
                        t.slip);
        make_masses(f, &t, f->brick[b], has, out);
        make_cells(f, &t, f->brick[b], out);
        make_edges(f, &t, has, out);
        f->largest_each[b] = make_diagonal(f, &t, out);
        find_rows(f, out);
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(make_chunk)

static dew_Status make_bricks(States *s, dew_Arena *arena)
{
    dew_ViscousForm *f = s->form;
    int32_t count = 0;
    dew_grid_for(&f->links, plain_chunk, s);
    for (int32_t b = 0; b < f->brick_count; b++)
        f->coefficients[b] = f->coefficients[b] < 0 ? DEW_INVALID : count++;
    f->bricks = dew_arena_raw_array(arena, dew_ViscousBrick, count);
    f->largest_each = dew_arena_array(arena, double, f->brick_count);
    if (!f->bricks || !f->largest_each)
        return dew_no_memory((size_t)count * sizeof *f->bricks);
    dew_grid_for(&f->links, make_chunk, f);
    f->largest = 1;
    for (int32_t b = 0; b < f->brick_count; b++)
        f->largest = fmax(f->largest, f->largest_each[b]);
    return dew_ok();
}

dew_Status dew_viscous_form_make(dew_ViscousForm *form, dew_Arena *arena)
{
    int64_t values = dew_grid_value_count(form->grid);
    States s = {form, dew_arena_array(arena, uint8_t, form->grid->brick_count)};
    form->brick_count = 0;
    for (int a = 0; a < form->grid->dimensions; a++) {
        form->state[a] = dew_arena_array(arena, uint8_t, values);
        if (!form->state[a])
            return dew_no_memory((size_t)values);
    }
    if (!s.kind)
        return dew_no_memory((size_t)form->grid->brick_count);
    dew_grid_for(form->grid, states_chunk, &s);
    DEW_TRY(number_bricks(&s, arena));
    return make_bricks(&s, arena);
}
