// Coefficients of the viscous energy [Batty2008] eq. (12), section 5: shares of liquid around cells,
// faces and edges, and how strains look beside walls.
//
// Shares come from phi at the place by a linear ramp one cell wide, exact for surfaces along the
// axes. differs: beside a wall the strain of an edge is that of the profile between the fluid's
// face and the wall itself, theta cells away, with slip length l: force du / (theta + l) instead of
// du; the paper takes the solid's face as where the wall is.
#include <math.h>

#include "base/status.h"
#include "grid/viscosity_state.h"

#define MIN_THETA 0.05

// phi and the distance to solids of a brick and one layer around it, in cells.
typedef struct Around {
    double phi[1000], solid[1000];
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

// ---- Faces ---------------------------------------------------------------------------------------

static int face_state(const dew_ViscousForm *f, const Around *t, int32_t brick, int i, int axis)
{
    int at[3] = {i & 7, i >> 3 & 7, i >> 6};
    int c = dew_tile_at(1, at[0], at[1], at[2]);
    at[axis]--;
    const double *open = f->def->open[axis];
    int64_t face = (int64_t)brick * f->grid->brick_cells + i;
    if (dew_grid_near(f->grid, brick, at[0], at[1], at[2]) < 0 || (open && open[face] <= 0))
        return DEW_FACE_WALL;
    if (f->def->solid && mean(t->solid, c, axis, -1) <= 0)
        return DEW_FACE_WALL;
    // Within a cell of the liquid a face may take part in some strain.
    return mean(t->phi, c, axis, -1) < 1.5 ? DEW_FACE_FREE : DEW_FACE_IDLE;
}

static void load_around(const dew_ViscousForm *f, int32_t brick, Around *t)
{
    double h = f->grid->cell_m;
    if (f->def->phi)
        dew_tile_load(f->grid, f->def->phi, brick, 1, t->phi);
    if (f->def->solid)
        dew_tile_load(f->grid, f->def->solid, brick, 1, t->solid);
    int count = f->grid->dimensions == 3 ? 1000 : 300;
    for (int i = 0; i < count; i++) {
        t->phi[i] = f->def->phi ? t->phi[i] / h : -1e3;
        t->solid[i] = f->def->solid ? t->solid[i] / h : 1e3;
    }
}

static dew_Status faces_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_ViscousForm *f = context;
    Around t;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        load_around(f, b, &t);
        for (int i = 0; i < f->grid->brick_cells; i++) {
            int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
            int64_t at = (int64_t)b * f->grid->brick_cells + i;
            f->cell[at] = share(t.phi[c]);
            for (int a = 0; a < dew_grid_axes(f->grid); a++) {
                f->state[a][at] = (uint8_t)face_state(f, &t, b, i, a);
                f->mass[a][at] = share(mean(t.phi, c, a, -1));
            }
        }
    }
    return dew_ok();
}

// Cells from a fluid face to the wall on the way to one in the solid, given their distances to it.
static double wall_theta(double fluid, double solid)
{
    double theta = solid < fluid ? fluid / (fluid - solid) : 1;
    return theta < 1 ? theta > MIN_THETA ? theta : MIN_THETA : 1;
}

// The liquid around a face beside a wall reaches to the wall, theta cells away, not to half a cell.
static double mass_beside_walls(const dew_ViscousForm *f, const Around *t, int32_t brick, int i,
                                int axis)
{
    double mass = 1;
    for (int side = 0; side < 2 * dew_grid_axes(f->grid); side++) {
        int b = side >> 1, out = side & 1 ? 1 : -1, at[3] = {i & 7, i >> 3 & 7, i >> 6};
        int c = dew_tile_at(1, at[0], at[1], at[2]);
        at[b] += out;
        int64_t there = dew_grid_near(f->grid, brick, at[0], at[1], at[2]);
        if (b == axis || there < 0 || f->state[axis][there] != DEW_FACE_WALL)
            continue;
        double theta =
            wall_theta(mean(t->solid, c, axis, -1), mean(t->solid, c + out * step[b], axis, -1));
        mass += theta - 0.5;
    }
    return mass > MIN_THETA ? mass : MIN_THETA;
}

static dew_Status masses_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_ViscousForm *f = context;
    Around t;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        load_around(f, b, &t);
        for (int i = 0; i < f->grid->brick_cells; i++)
            for (int a = 0; a < dew_grid_axes(f->grid); a++) {
                int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
                int64_t at = (int64_t)b * f->grid->brick_cells + i;
                double d = mean(t.solid, c, a, -1);
                if (d > 0 && d < 1 && f->state[a][at] == DEW_FACE_FREE)
                    f->mass[a][at] *= mass_beside_walls(f, &t, b, i, a);
            }
    }
    return dew_ok();
}

// ---- Edges ---------------------------------------------------------------------------------------

// One difference at an edge: between two faces, of which one may be a wall's.
typedef struct Pair {
    bool is_cut;    // one is a wall's, the other fluid
    bool is_there;  // at least one is fluid and both are known
    double theta;   // cells from the fluid face to the wall
} Pair;

// Faces of axis a at the edge: that of this cell and that of the cell below along axis b.
static Pair look_at(const dew_ViscousForm *f, const Around *t, int32_t brick, int i, int a, int b)
{
    int at[3] = {i & 7, i >> 3 & 7, i >> 6};
    int c = dew_tile_at(1, at[0], at[1], at[2]);
    int64_t up = (int64_t)brick * f->grid->brick_cells + i;
    at[b]--;
    int64_t low = dew_grid_near(f->grid, brick, at[0], at[1], at[2]);
    if (low < 0)
        return (Pair){false, false, 1};
    int s_up = f->state[a][up], s_low = f->state[a][low];
    if (s_up == DEW_FACE_IDLE || s_low == DEW_FACE_IDLE)
        return (Pair){false, false, 1};
    bool is_cut = (s_up == DEW_FACE_WALL) != (s_low == DEW_FACE_WALL);
    double theta = 1, d_up = mean(t->solid, c, a, -1), d_low = mean(t->solid, c - step[b], a, -1);
    if (is_cut)
        theta = s_up == DEW_FACE_WALL ? wall_theta(d_low, d_up) : wall_theta(d_up, d_low);
    return (Pair){is_cut, s_up != DEW_FACE_WALL || s_low != DEW_FACE_WALL, theta};
}

// Energy of an edge from its two pairs; see viscosity_state.h.
static void edge_energy(const dew_ViscousForm *f, Pair u, Pair v, double liquid, double out[3])
{
    double slip = f->def->slip_m / f->grid->cell_m;
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

static dew_Status edges_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    dew_ViscousForm *f = context;
    int first = f->grid->dimensions == 3 ? 0 : 2;  // in two dimensions only edges along z
    Around t;
    for (int32_t brick = (int32_t)begin; brick < end; brick++) {
        load_around(f, brick, &t);
        for (int e = first; e < 3; e++)
            for (int i = 0; i < f->grid->brick_cells; i++) {
                int u = (e + 1) % 3, v = (e + 2) % 3;
                int c = dew_tile_at(1, i & 7, i >> 3 & 7, i >> 6);
                int64_t at = (int64_t)brick * f->grid->brick_cells + i;
                double energy[3], liquid = share(mean(t.phi, c, u, v));
                Pair pu = look_at(f, &t, brick, i, u, v), pv = look_at(f, &t, brick, i, v, u);
                edge_energy(f, pu, pv, liquid, energy);
                f->uu[e][at] = energy[0];
                f->uv[e][at] = energy[1];
                f->vv[e][at] = energy[2];
            }
    }
    return dew_ok();
}

dew_Status dew_viscous_form_make(dew_ViscousForm *form, dew_Arena *arena)
{
    int64_t n = dew_grid_value_count(form->grid);
    form->cell = dew_arena_array(arena, double, n);
    bool is_whole = form->cell != NULL;
    for (int a = 0; a < 3; a++) {
        double **of_axis[] = {&form->mass[a],   &form->uu[a],   &form->uv[a],  &form->vv[a],
                              &form->normal[a], &form->on_u[a], &form->on_v[a]};
        for (int i = 0; i < 7; i++) {
            *of_axis[i] = dew_arena_array(arena, double, n);
            is_whole &= *of_axis[i] != NULL;
        }
        form->state[a] = dew_arena_array(arena, uint8_t, n);
        is_whole &= form->state[a] != NULL;
    }
    if (!is_whole)
        return dew_no_memory((size_t)n * 22 * sizeof(double));
    form->values = n;
    dew_grid_for(form->grid, faces_chunk, form);
    if (form->def->solid)
        dew_grid_for(form->grid, masses_chunk, form);
    return dew_grid_for(form->grid, edges_chunk, form);
}
