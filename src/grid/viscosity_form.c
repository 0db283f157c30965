// Coefficients of the viscous energy [Batty2008] eq. (12), section 5: shares of liquid around cells,
// faces and edges, and how strains look beside walls.
//
// Shares come from phi at the place by a linear ramp one cell wide, exact for surfaces along the
// axes. differs: beside a wall the strain of an edge is that of the profile between the fluid's
// face and the wall itself, theta cells away, with slip length l: force du / (theta + l) instead of
// du; the paper takes the solid's face as where the wall is.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "grid/viscosity_state.h"

#define MIN_THETA 0.05

// phi and the distance to solids of a brick and one layer around it, in cells; states of its faces.
typedef struct Around {
    double phi[1000], solid[1000], slip[1000];
    uint8_t state[3][1000];
} Around;

static double share(double phi)
{
    return phi < -0.5 ? 1 : phi > 0.5 ? 0 : 0.5 - phi;
}

static const int step[3] = {1, 10, 100};

// Mean of a tile over the cells that meet at a face or edge: c and those below it along two axes (or
// one, with b < 0).
static double mean(const double *tile, int c, int a, int b)
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
    const double by_h = 1 / grid->cell_m;
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

// ---- States of faces -----------------------------------------------------------------------------

typedef struct States {
    dew_ViscousForm *form;
    uint8_t *kind;  // bits per brick of the grid
} States;

enum { HAS_FREE = 1, HAS_WALL = 2 };

static int face_state(const dew_ViscousForm *f, const Around *t, int32_t brick, int i, int axis)
{
    static const int low_side[3] = {12, 10, 4};
    int at[3] = {i & 7, i >> 3 & 7, i >> 6}, c = dew_tile_at(1, at[0], at[1], at[2]);
    const double *open = f->def->open[axis];
    bool is_missing =
        at[axis] == 0 && dew_grid_neighbours(f->grid, brick)[low_side[axis]] == DEW_INVALID;
    if (is_missing || (open && open[(int64_t)brick * f->grid->brick_cells + i] <= 0))
        return DEW_FACE_WALL;
    if (f->def->solid && mean(t->solid, c, axis, -1) <= 0)
        return DEW_FACE_WALL;
    // Within a cell of the liquid a face may take part in some strain.
    return mean(t->phi, c, axis, -1) < 1.5 ? DEW_FACE_FREE : DEW_FACE_IDLE;
}

static dew_Status states_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    States *s = context;
    dew_ViscousForm *f = s->form;
    int cells = f->grid->brick_cells;
    Around t;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        load_around(f, b, &t);
        int kind = 0;
        for (int a = 0; a < f->grid->dimensions; a++) {
            uint8_t *state = f->state[a] + (int64_t)b * cells;
            for (int i = 0; i < cells; i++) {
                int is = face_state(f, &t, b, i, a);
                state[i] = (uint8_t)is;
                kind |= is == DEW_FACE_FREE ? HAS_FREE : is == DEW_FACE_WALL ? HAS_WALL : 0;
            }
        }
        s->kind[b] = (uint8_t)kind;
    }
    return dew_ok();
}

// ---- Which bricks have equations -----------------------------------------------------------------

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
    int32_t *near = dew_arena_array(arena, int32_t, 27 * (int64_t)grid->brick_count);
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
    for (int a = 0; a < f->grid->dimensions; a++)
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
    dew_ViscousForm *f = context;
    Around t;
    for (int64_t b = begin; b < end; b++) {
        load_around(f, f->brick[b], &t);
        load_states(f, f->brick[b], &t);
        f->coefficients[b] = is_plain(f, &t) ? DEW_INVALID : 0;
    }
    return dew_ok();
}

// ---- Coefficients --------------------------------------------------------------------------------

// Cells from a fluid face to the wall on the way to one in the solid, given their distances to it.
static double wall_theta(double fluid, double solid)
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

static void make_masses(const dew_ViscousForm *f, const Around *t, dew_ViscousBrick *out)
{
    int axes = f->grid->dimensions;
    for (int a = 0; a < axes; a++)
        for (int i = 0; i < f->grid->brick_cells; i++) {
            int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
            double mass = share(mean(t->phi, c, a, -1)), d = mean(t->solid, c, a, -1);
            if (d > 0 && d < 1 && t->state[a][c] == DEW_FACE_FREE)
                mass *= mass_beside_walls(t, axes, c, a);
            out->mass[a][i] = (float)mass;
        }
}

// Cells, and one layer below the brick where there is a brick.
static void make_cells(const dew_ViscousForm *f, const Around *t, int32_t brick,
                       dew_ViscousBrick *out)
{
    const int32_t *near = dew_grid_neighbours(f->grid, brick);
    bool is_flat = f->grid->dimensions == 2;
    for (int k = is_flat ? 0 : -1; k < f->grid->depth; k++)
        for (int j = -1; j < 8; j++)
            for (int i = -1; i < 8; i++) {
                int at = i + 1 + 9 * (j + 1 + 9 * (is_flat ? 0 : k + 1));
                bool is_there = near[13 - (i < 0) - 3 * (j < 0) - 9 * (k < 0)] >= 0;
                out->cell[at] = is_there ? (float)share(t->phi[dew_tile_at(1, i, j, k)]) : 0;
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

// Energy of an edge from its two pairs; see viscosity_state.h.
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

// Edges, and one layer above the brick. There the cells beyond the layer are not known, nor needed.
static void make_edges(const dew_ViscousForm *f, const Around *t, dew_ViscousBrick *out)
{
    bool is_flat = f->grid->dimensions == 2;
    for (int e = is_flat ? 2 : 0; e < 3; e++)
        for (int k = 0; k < (is_flat ? 1 : 9); k++)
            for (int j = 0; j < 9; j++)
                for (int i = 0; i < 9; i++) {
                    int u = (e + 1) % 3, v = (e + 2) % 3, at = i + 9 * (j + 9 * k);
                    int c = dew_tile_at(1, i, j, k);
                    double energy[3], liquid = share(mean(t->phi, c, u, v));
                    edge_energy(look_at(t, c, u, v), look_at(t, c, v, u), liquid, t->slip[c],
                                energy);
                    out->uu[e][at] = (float)energy[0];
                    out->uv[e][at] = (float)energy[1];
                    out->vv[e][at] = (float)energy[2];
                }
}

// One face's row of K: its diagonal, and the sum of what is beside it.
typedef struct KRow {
    double diagonal, beside;
} KRow;

static KRow look_around(const dew_ViscousBrick *b, int axes, int a, int cell, int edge)
{
    static const int nine[3] = {1, 9, 81};
    int next = (a + 1) % 3, last = (a + 2) % 3;
    double k = 2 * ((double)b->cell[cell] + (double)b->cell[cell - nine[a]]), beside = k;
    for (int n = 0; n < 2; n++) {
        int e = n == 0 ? last : next, up = edge + nine[n == 0 ? next : last];
        const float *own = n == 0 ? b->uu[e] : b->vv[e];
        if (axes == 2 && e != 2)
            continue;
        double both = (double)own[edge] + (double)own[up];
        k += both;
        beside += both + 2 * ((double)b->uv[e][edge] + (double)b->uv[e][up]);
    }
    return (KRow){k, beside};
}

// The diagonal, and a bound of the eigenvalues of D^-1 A: Gershgorin's, row by row. It is never
// above 4, since no element (a cell, an edge) has more than four faces.
static double make_diagonal(const dew_ViscousForm *f, const Around *t, dew_ViscousBrick *out)
{
    int axes = f->grid->dimensions;
    double largest = 1;
    for (int a = 0; a < axes; a++)
        for (int i = 0; i < f->grid->brick_cells; i++) {
            int at[3] = {i & 7, i >> 3 & 7, i >> 6};
            int edge = at[0] + 9 * (at[1] + 9 * at[2]);
            int cell = at[0] + 1 + 9 * (at[1] + 1 + 9 * (axes == 2 ? 0 : at[2] + 1));
            KRow row = look_around(out, axes, a, cell, edge);
            double mass = (double)out->mass[a][i], d = mass + f->stiffness * row.diagonal;
            bool is_free = t->state[a][dew_tile_at(1, at[0], at[1], at[2])] == DEW_FACE_FREE;
            out->inverse[a][i] = is_free && d > 0 ? (float)(1 / d) : 0;
            if (is_free && d > 0)
                largest = fmax(largest, (d + f->stiffness * row.beside) / d);
        }
    return fmin(largest, 4);
}

// The rows with equations.
static void find_rows(const dew_ViscousForm *f, dew_ViscousBrick *out)
{
    for (int n = 0; n < 2; n++) {
        out->first[n] = 8;
        out->last[n] = 0;
    }
    for (int a = 0; a < f->grid->dimensions; a++)
        for (int i = 0; i < f->grid->brick_cells; i++) {
            const int at[2] = {i >> 3 & 7, i >> 6};
            for (int n = 0; n < 2 && out->inverse[a][i] > 0; n++) {
                out->first[n] = at[n] < out->first[n] ? at[n] : out->first[n];
                out->last[n] = at[n] >= out->last[n] ? at[n] + 1 : out->last[n];
            }
        }
}

static dew_Status make_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_ViscousForm *f = context;
    Around t;
    for (int64_t b = begin; b < end; b++) {
        f->largest_each[b] = (1 + 24 * f->stiffness) / dew_viscous_plain_diagonal(f);
        if (f->coefficients[b] < 0)
            continue;
        dew_ViscousBrick *out = &f->bricks[f->coefficients[b]];
        load_around(f, f->brick[b], &t);
        load_states(f, f->brick[b], &t);
        load_scaled(f->grid, f->def->slip, f->brick[b], f->def->slip_m / f->grid->cell_m, t.slip);
        make_masses(f, &t, out);
        make_cells(f, &t, f->brick[b], out);
        make_edges(f, &t, out);
        f->largest_each[b] = make_diagonal(f, &t, out);
        find_rows(f, out);
    }
    return dew_ok();
}

static dew_Status make_bricks(dew_ViscousForm *f, dew_Arena *arena)
{
    int32_t count = 0;
    dew_grid_for(&f->links, plain_chunk, f);
    for (int32_t b = 0; b < f->brick_count; b++)
        f->coefficients[b] = f->coefficients[b] < 0 ? DEW_INVALID : count++;
    f->bricks = dew_arena_array(arena, dew_ViscousBrick, count);
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
    return make_bricks(form, arena);
}
