// Projection: divergence to the right-hand side, solve, subtract the gradient.
//
// Faces are worked on from the brick that stores them (the one above them); each pass reads fields
// and writes its own bricks only. G below is h times the pressure gradient on a face.
#include "grid/poisson.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "grid/sample.h"

dew_ProjectionDef dew_default_projection_def(void)
{
    dew_PoissonDef p = dew_default_poisson_def();
    return (dew_ProjectionDef){.density_kg_m3 = 998,
                               .min_fraction = p.min_fraction,
                               .method = p.method,
                               .relaxation = p.relaxation,
                               .solve = p.solve};
}

// What the passes share.
typedef struct Pass {
    const dew_Poisson *poisson;
    const dew_Grid *grid;
    const dew_ProjectionDef *def;
    double *const *u;
    const double *p;
    uint8_t *const *is_known;
    double *out;      // divergence of cells, times weight
    double *bend[3];  // on cut faces: what the curvature of p adds to G; NULL without corrections
    double scale;     // of G to velocity: dt / (rho h)
    double weight;    // of the divergence in `out`
    double *largest;  // per brick
    const double *face_weight[3];  // of faces in the equations: open part times mobility
} Pass;

// ---- Rows ---------------------------------------------------------------------------------------

// The unit of work is a row of eight cells along x, whose neighbours along each axis are eight
// beside each other again, but for the one at the row's end.

// The row's neighbours along an axis on one side: `at` is that of the first cell (below) or of the
// last (above) along x, of the first along y and z. DEW_INVALID: there is no brick.
DEW_BODY int64_t beside(const dew_Grid *grid, int32_t brick, int row, int axis, bool is_above)
{
    int c[3] = {axis == 0 && is_above ? DEW_BRICK - 1 : 0, row & 7, row >> 3};
    c[axis] += is_above ? 1 : -1;
    return dew_grid_near(grid, brick, c[0], c[1], c[2]);
}

// Values of a row's neighbours. here: of its first cell. In halves of four, which then are read as
// they were written: what is written by pieces and read as one waits.
DEW_BODY void load_beside(const double *field, int64_t here, int64_t beside, int axis,
                          bool is_above, double to[DEW_BRICK])
{
    const double *row = field + here;
    dew_Four low, high;
    if (axis != 0) {
        memcpy(to, field + beside, DEW_BRICK * sizeof *to);
        return;
    }
    if (is_above) {
        low = (dew_Four){row[1], row[2], row[3], row[4]};
        high = (dew_Four){row[5], row[6], row[7], field[beside]};
    } else {
        low = (dew_Four){field[beside], row[0], row[1], row[2]};
        high = (dew_Four){row[3], row[4], row[5], row[6]};
    }
    memcpy(to, &low, sizeof low);
    memcpy(to + 4, &high, sizeof high);
}

// is_liquid of a row as bytes of a number; of the row below it along an axis, in an order that does
// not matter when all are to be the same.
DEW_BODY uint64_t liquid_row(const Pass *s, int64_t here)
{
    uint64_t bytes;
    memcpy(&bytes, s->poisson->is_liquid + here, sizeof bytes);
    return bytes;
}
DEW_BODY uint64_t liquid_below(const Pass *s, int64_t here, int64_t below, int axis)
{
    return axis != 0 ? liquid_row(s, below)
                     : liquid_row(s, here) << 8 | s->poisson->is_liquid[below];
}
// The same where whole cells are given.
DEW_BODY uint64_t liquid_cells(const Pass *s, int32_t b, int row)
{
    return dew_bits_spread(s->def->liquid[b].layer[row >> 3] >> 8 * (row & 7));
}

// ---- Divergence ---------------------------------------------------------------------------------

// Faces of a row's cells on one side: velocities, open parts, the wall's velocities.
typedef struct Faces {
    double u[DEW_BRICK], open[DEW_BRICK], wall[DEW_BRICK];
} Faces;

// Lower faces; those to missing bricks are walls.
DEW_BODY void load_lower(const Pass *s, int32_t b, int row, int axis, Faces *f)
{
    int64_t here = (int64_t)b * s->grid->brick_cells + DEW_BRICK * row;
    const double *open = s->def->open[axis], *wall = s->def->wall_u[axis];
    bool has_below = beside(s->grid, b, row, axis, false) >= 0;
    memcpy(f->u, s->u[axis] + here, sizeof f->u);
    for (int i = 0; i < DEW_BRICK; i++)
        f->open[i] = open ? open[here + i] : 1;
    for (int i = 0; !has_below && i < (axis == 0 ? 1 : DEW_BRICK); i++)
        f->open[i] = 0;
    for (int i = 0; i < DEW_BRICK; i++)
        f->wall[i] = wall ? wall[here + i] : 0;
}

// Upper faces, which the cells above store; without a brick there they are walls at rest.
DEW_BODY void load_upper(const Pass *s, int32_t b, int row, int axis, Faces *f)
{
    int64_t here = (int64_t)b * s->grid->brick_cells + DEW_BRICK * row;
    int64_t above = beside(s->grid, b, row, axis, true), next = above >= 0 ? above : here;
    for (int i = 0; i < DEW_BRICK; i++) {
        f->open[i] = 1;
        f->wall[i] = 0;
    }
    load_beside(s->u[axis], here, next, axis, true, f->u);
    if (s->def->open[axis])
        load_beside(s->def->open[axis], here, next, axis, true, f->open);
    if (s->def->wall_u[axis])
        load_beside(s->def->wall_u[axis], here, next, axis, true, f->wall);
    for (int i = axis == 0 ? DEW_BRICK - 1 : 0; above < 0 && i < DEW_BRICK; i++)
        f->open[i] = f->wall[i] = 0;
}

// What counts through a face is the velocity of the liquid where it is open, that of the wall where
// it is not.
DEW_BODY void row_divergence(const Pass *s, int32_t b, int row, double sum[DEW_BRICK])
{
    Faces low, up;
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        load_lower(s, b, row, a, &low);
        load_upper(s, b, row, a, &up);
        for (int i = 0; i < DEW_BRICK; i++) {
            double in = low.open[i] * low.u[i] + (1 - low.open[i]) * low.wall[i];
            sum[i] += -in + (up.open[i] * up.u[i] + (1 - up.open[i]) * up.wall[i]);
        }
    }
}

// Where whole cells are given, closed faces have the velocity of what closes them already.
DEW_BODY void row_outflow(const Pass *s, int32_t b, int row, double sum[DEW_BRICK])
{
    int64_t here = (int64_t)b * s->grid->brick_cells + DEW_BRICK * row;
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        int64_t above = beside(s->grid, b, row, a, true);
        double up[DEW_BRICK];
        load_beside(s->u[a], here, above >= 0 ? above : here, a, true, up);
        for (int i = a == 0 ? DEW_BRICK - 1 : 0; above < 0 && i < DEW_BRICK; i++)
            up[i] = 0;
        for (int i = 0; i < DEW_BRICK; i++)
            sum[i] += up[i] - s->u[a][here + i];
    }
    for (int i = 0; s->def->outflow && i < DEW_BRICK; i++)
        sum[i] -= s->def->outflow[here + i];
}

DEW_BODY dew_Status divergence_chunk_body(void *context, int64_t begin, int64_t end)
{
    Pass *s = context;
    int cells = s->grid->brick_cells;
    for (int32_t b = (int32_t)begin; b < end; b++) {
        double largest = 0;
        for (int row = 0; row < cells / DEW_BRICK; row++) {
            int64_t here = (int64_t)b * cells + DEW_BRICK * row;
            uint64_t liquid = s->def->liquid ? liquid_cells(s, b, row) : liquid_row(s, here);
            double sum[DEW_BRICK] = {0};
            if (liquid && s->def->liquid)
                row_outflow(s, b, row, sum);
            else if (liquid)
                row_divergence(s, b, row, sum);
            for (int i = 0; i < DEW_BRICK; i++) {
                double out = liquid >> 8 * i & 255 ? sum[i] : 0;
                largest = fabs(out) > largest ? fabs(out) : largest;
                s->out[here + i] = s->weight * out;
            }
        }
        if (s->largest)
            s->largest[b] = largest;
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(divergence_chunk)

dew_Status dew_projection_divergence(const dew_Poisson *poisson, const dew_ProjectionDef *def,
                                     const double *const u[3], double *out)
{
    double *const mine[3] = {(double *)u[0], (double *)u[1], (double *)u[2]};
    Pass s = {
        .poisson = poisson, .grid = poisson->grid, .def = def, .u = mine, .out = out, .weight = 1};
    return dew_grid_for(s.grid, divergence_chunk, &s);
}

// ---- Gradient -----------------------------------------------------------------------------------

// A face with its two cells. When one is air, `liquid` is the other and `back` the cell behind it.
typedef struct Face {
    int64_t lower, upper;  // DEW_INVALID: no brick
    bool is_lower_liquid, is_upper_liquid;
} Face;

DEW_BODY Face look(const Pass *s, int32_t brick, int i, int axis)
{
    int c[3] = {i & 7, i >> 3 & 7, i >> 6};
    Face f = {.upper = (int64_t)brick * s->grid->brick_cells + i};
    f.lower = f.upper - (axis == 0 ? 1 : axis == 1 ? 8 : 64);
    if (c[axis] == 0) {
        c[axis]--;
        f.lower = dew_grid_near(s->grid, brick, c[0], c[1], c[2]);
    }
    f.is_lower_liquid = f.lower >= 0 && s->poisson->is_liquid[f.lower];
    f.is_upper_liquid = s->poisson->is_liquid[f.upper];
    return f;
}

// 1 / theta of a cut face, from the side of its liquid cell.
static double cut_of(const Pass *s, const Face *f, int axis)
{
    int64_t liquid = f->is_lower_liquid ? f->lower : f->upper;
    int32_t brick = (int32_t)(liquid / s->grid->brick_cells);
    int cell = (int)(liquid % s->grid->brick_cells);
    const double *weight = s->face_weight[axis];
    double cut = dew_poisson_cut(s->poisson, brick, cell, 2 * axis + (f->is_lower_liquid ? 1 : 0));
    return weight ? cut / (double)(float)weight[f->upper] : cut;
}

// (p_surface - p) / theta of a cut face, out of the liquid.
static double cut_slope(const Pass *s, const Face *f, double cut)
{
    int64_t liquid = f->is_lower_liquid ? f->lower : f->upper;
    int64_t air = f->is_lower_liquid ? f->upper : f->lower;
    const double *ps = s->def->p_surface;
    double p_surface = ps ? ps[liquid] + (ps[air] - ps[liquid]) / cut : 0;
    return (p_surface - s->p[liquid]) * cut;
}

// G of a face that is open and touches liquid on one side; upwards.
static double cut_face_slope(const Pass *s, const Face *f, int axis)
{
    double bend = s->bend[axis] ? s->bend[axis][f->upper] : 0;
    double outward = cut_slope(s, f, cut_of(s, f, axis));
    return (f->is_lower_liquid ? outward : -outward) + bend;
}

DEW_BODY void face_gradient(const Pass *s, int32_t b, int i, int a)
{
    Face f = look(s, b, i, a);
    const double *wall = s->def->wall_u[a];
    bool is_open = f.lower >= 0 && !(s->def->open[a] && s->def->open[a][f.upper] <= 0);
    bool touches = f.is_lower_liquid || f.is_upper_liquid;
    double scale = s->def->mobility[a] ? s->scale * s->def->mobility[a][f.upper] : s->scale;
    if (is_open && f.is_lower_liquid && f.is_upper_liquid) {
        s->u[a][f.upper] -= scale * (s->p[f.upper] - s->p[f.lower]);
    } else if (is_open && touches) {
        Face cut = f;  // whose address is needed; f itself stays in registers
        s->u[a][f.upper] -= scale * cut_face_slope(s, &cut, a);
    } else if (!is_open) {
        s->u[a][f.upper] = wall ? wall[f.upper] : 0;
    }
    if (s->is_known && s->is_known[a])
        s->is_known[a][f.upper] = touches || !is_open;
}

DEW_BODY bool are_open(const double *open)
{
    int closed = 0;
    for (int i = 0; open && i < DEW_BRICK; i++)
        closed |= open[i] <= 0;
    return !closed;
}

DEW_BODY bool are_light(const double *mobility)
{
    int heavy = 0;
    for (int i = 0; mobility && i < DEW_BRICK; i++)
        heavy |= mobility[i] < 1;
    return !heavy;
}

// Faces of a row that are all open and all between liquid cells, or all between others; false: they
// are not.
DEW_BODY bool row_gradient(const Pass *s, int32_t b, int row, int a)
{
    int64_t here = (int64_t)b * s->grid->brick_cells + DEW_BRICK * row;
    int64_t below = beside(s->grid, b, row, a, false);
    if (below < 0)
        return false;
    uint64_t liquid = liquid_row(s, here);
    if (liquid != liquid_below(s, here, below, a) || (liquid != 0 && liquid != DEW_BITS_FIRST) ||
        !are_open(s->def->open[a] ? s->def->open[a] + here : NULL) ||
        !are_light(s->def->mobility[a] ? s->def->mobility[a] + here : NULL))
        return false;
    if (liquid) {
        double p_below[DEW_BRICK], *u = s->u[a] + here;
        load_beside(s->p, here, below, a, false, p_below);
        for (int i = 0; i < DEW_BRICK; i++)
            p_below[i] = s->scale * (s->p[here + i] - p_below[i]);
        for (int i = 0; i < DEW_BRICK; i++)
            u[i] -= p_below[i];
    }
    if (s->is_known && s->is_known[a])
        memset(s->is_known[a] + here, liquid != 0, DEW_BRICK);
    return true;
}

// The faces of a row where whole cells are given: those of liquid cells that are not closed.
// Others stay. Pressure is 0 where there is no liquid.
DEW_BODY void row_gradient_of_cells(const Pass *s, int32_t b, int row, int a, uint64_t faces)
{
    static const uint64_t bit_of[DEW_BRICK] = {1, 2, 4, 8, 16, 32, 64, 128};
    int64_t here = (int64_t)b * s->grid->brick_cells + DEW_BRICK * row;
    int64_t below = beside(s->grid, b, row, a, false);
    const double *p = s->p + here;
    double *u = s->u[a] + here, p_below[DEW_BRICK];
    load_beside(s->p, here, below >= 0 ? below : here, a, false, p_below);
    for (int i = 0; i < DEW_BRICK; i++)
        u[i] -= faces & bit_of[i] ? s->scale * (p[i] - p_below[i]) : 0;
}

DEW_BODY void gradient_of_cells(const Pass *s, int32_t b, int a)
{
    const dew_BrickBits *liquid = s->def->liquid, *closed = s->def->closed;
    const int32_t *near = dew_grid_neighbours(s->grid, b);
    const uint64_t border = a == 0 ? DEW_BITS_FIRST : a == 1 ? 255 : ~UINT64_C(0);
    bool has_below = near[dew_bits_near[2 * a]] >= 0;
    for (int k = 0; k < s->grid->depth; k++) {
        uint64_t faces =
            (liquid[b].layer[k] | dew_bits_beside(liquid, near, s->grid->depth, 2 * a, k)) &
            ~(closed[b].layer[k] | dew_bits_beside(closed, near, s->grid->depth, 2 * a, k));
        faces &= has_below || (a == 2 && k > 0) ? ~UINT64_C(0) : ~border;
        for (int j = 0; faces; j++, faces >>= 8)
            if (faces & 255)
                row_gradient_of_cells(s, b, DEW_BRICK * k + j, a, faces);
    }
}

DEW_BODY dew_Status cells_gradient_chunk_body(void *context, int64_t begin, int64_t end)
{
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(((const Pass *)context)->grid); a++)
            gradient_of_cells(context, b, a);
    return dew_ok();
}
DEW_WIDE_CHUNK(cells_gradient_chunk)

// No pressure where there is no liquid.
static dew_Status air_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    const Pass *s = context;
    double *p = (double *)s->p;
    for (int64_t b = begin; b < end; b++)
        for (int k = 0; k < s->grid->depth; k++)
            for (uint64_t air = ~s->def->liquid[b].layer[k]; air;)
                p[b * s->grid->brick_cells + 64 * k + dew_bits_take(&air)] = 0;
    return dew_ok();
}

DEW_BODY dew_Status gradient_chunk_body(void *context, int64_t begin, int64_t end)
{
    const Pass *s = context;
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(s->grid); a++)
            for (int row = 0; row < s->grid->brick_cells / DEW_BRICK; row++)
                if (!row_gradient(s, b, row, a))
                    for (int i = DEW_BRICK * row; i < DEW_BRICK * (row + 1); i++)
                        face_gradient(s, b, i, a);
    return dew_ok();
}
DEW_WIDE_CHUNK(gradient_chunk)

// ---- Corrections --------------------------------------------------------------------------------

// The new bend of a cut face: with theta / 2 the place where (p_surface - p) / theta is the slope,
// the face is (1 - theta) / 2 cells farther out, and the slope there is more by that times the
// second difference of p, taken from the three liquid cells behind the face.
static double new_bend(const Pass *s, const Face *f, int32_t brick, int i, int axis)
{
    int out = f->is_lower_liquid ? 1 : -1, c[3] = {i & 7, i >> 3 & 7, i >> 6};
    int64_t cell[3];
    const double *open = s->def->open[axis];
    c[axis] -= out > 0 ? 1 : 0;
    for (int n = 0; n < 3; n++) {
        cell[n] = dew_grid_near(s->grid, brick, c[0], c[1], c[2]);
        if (cell[n] < 0 || !s->poisson->is_liquid[cell[n]])
            return 0;
        // Faces between the three, stored at the upper of two cells, must be open.
        bool is_upper = out > 0 ? n < 2 : n > 0;
        if (open && is_upper && open[cell[n]] < 1)
            return 0;
        c[axis] -= out;
    }
    double theta = 1 / cut_of(s, f, axis);
    double bend = s->p[cell[0]] - 2 * s->p[cell[1]] + s->p[cell[2]];
    return theta < 1 ? out * 0.5 * (1 - theta) * bend : 0;
}

static dew_Status bend_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Pass *s = context;
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int a = 0; a < dew_grid_axes(s->grid); a++)
            for (int i = 0; i < s->grid->brick_cells; i++) {
                Face f = look(s, b, i, a);
                bool is_cut = f.lower >= 0 && f.is_lower_liquid != f.is_upper_liquid;
                s->bend[a][f.upper] = 0;
                if (is_cut) {
                    Face cut = f;
                    s->bend[a][f.upper] = new_bend(s, &cut, b, i, a);
                }
            }
    return dew_ok();
}

// Adds the bends to the right-hand side.
static dew_Status bend_b_chunk(void *context, int64_t begin, int64_t end, int64_t chunk_index)
{
    (void)chunk_index;
    Pass *s = context;
    int cells = s->grid->brick_cells;
    for (int32_t b = (int32_t)begin; b < end; b++)
        for (int i = 0; i < cells; i++) {
            int64_t at = (int64_t)b * cells + i;
            for (int a = 0; a < dew_grid_axes(s->grid) && s->poisson->is_liquid[at]; a++) {
                int c[3] = {i & 7, i >> 3 & 7, i >> 6};
                c[a]++;
                int64_t up = dew_grid_near(s->grid, b, c[0], c[1], c[2]);
                const double *weight = s->face_weight[a];
                s->out[at] -= (weight ? weight[at] : 1) * s->bend[a][at];
                s->out[at] += up >= 0 ? (weight ? weight[up] : 1) * s->bend[a][up] : 0;
            }
        }
    return dew_ok();
}

// ---- The whole ----------------------------------------------------------------------------------

static dew_Status assemble(dew_Poisson *poisson, const Pass *s)
{
    const dew_ProjectionDef *def = s->def;
    if (def->is_assembled) {
        poisson->def.p_surface = def->p_surface;
        poisson->def.solve = def->solve;
        return dew_ok();
    }
    dew_PoissonDef p = dew_default_poisson_def();
    p.liquid = def->liquid;
    p.closed = def->closed;
    p.phi = def->phi;
    memcpy(p.open, s->face_weight, sizeof p.open);
    p.p_surface = def->p_surface;
    p.min_fraction = def->liquid ? 1 : def->min_fraction;
    p.method = def->method;
    p.relaxation = def->relaxation;
    p.solve = def->solve;
    return dew_poisson_assemble(poisson, s->grid, &p);
}

// Right-hand side into s->out: -div, and the bends when there are any.
static void right_side(Pass *s)
{
    dew_grid_for(s->grid, divergence_chunk, s);
    if (s->bend[0])
        dew_grid_for(s->grid, bend_b_chunk, s);
}

static dew_Status take_bends(Pass *s, dew_Arena *scratch, int64_t values)
{
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        s->bend[a] = dew_arena_array(scratch, double, values);
        if (!s->bend[a])
            return dew_no_memory((size_t)values * sizeof(double));
    }
    return dew_ok();
}

static dew_Status take_weights(Pass *s, dew_Arena *scratch, int64_t values)
{
    for (int a = 0; a < dew_grid_axes(s->grid); a++) {
        const double *open = s->def->open[a], *mobility = s->def->mobility[a];
        s->face_weight[a] = open;
        if (!mobility)
            continue;
        double *weight = dew_arena_raw_array(scratch, double, values);
        if (!weight)
            return dew_no_memory((size_t)values * sizeof *weight);
        for (int64_t i = 0; i < values; i++)
            weight[i] = (open ? open[i] : 1) * mobility[i];
        s->face_weight[a] = weight;
    }
    return dew_ok();
}

static dew_Status solve(Pass *s, dew_Poisson *poisson, double *p, dew_Arena *scratch,
                        dew_ProjectionReport *report)
{
    int64_t values = dew_grid_value_count(s->grid);
    right_side(s);
    DEW_TRY(dew_poisson_solve(poisson, s->out, p, scratch, &report->solve));
    if (s->def->corrections > 0)
        DEW_TRY(take_bends(s, scratch, values));
    int iterations = report->solve.iterations;
    for (int n = 0; n < s->def->corrections; n++) {
        dew_grid_for(s->grid, bend_chunk, s);
        right_side(s);
        DEW_TRY(dew_poisson_solve(poisson, s->out, p, scratch, &report->solve));
        iterations += report->solve.iterations;
    }
    report->solve.iterations = iterations;
    return dew_ok();
}

static dew_Status project(Pass *s, dew_Poisson *poisson, double *p, dew_Arena *scratch,
                          dew_ProjectionReport *report)
{
    int64_t values = dew_grid_value_count(s->grid);
    DEW_TRY(take_weights(s, scratch, values));
    DEW_TRY(assemble(poisson, s));
    report->liquid_cells = poisson->cell_count;
    s->out = dew_arena_array(scratch, double, values);
    s->largest = dew_arena_array(scratch, double, s->grid->brick_count);
    if (!s->out || !s->largest)
        return dew_no_memory((size_t)values * sizeof(double));
    if (s->def->liquid)
        dew_grid_for(s->grid, air_chunk, s);
    DEW_TRY(solve(s, poisson, p, scratch, report));
    dew_grid_for(s->grid, s->def->liquid ? cells_gradient_chunk : gradient_chunk, s);
    if (!s->def->is_checked)
        return dew_ok();
    s->weight = 1;
    dew_grid_for(s->grid, divergence_chunk, s);
    for (int32_t b = 0; b < s->grid->brick_count; b++)
        report->divergence = fmax(report->divergence, s->largest[b]);
    return dew_ok();
}

dew_Status dew_projection_run(dew_Poisson *poisson, const dew_Grid *grid,
                              const dew_ProjectionDef *def, double *const u[3], double *p,
                              uint8_t *const is_known[3], dew_Arena *scratch,
                              dew_ProjectionReport *report)
{
    *report = (dew_ProjectionReport){0};
    Pass s = {.poisson = poisson,
              .grid = grid,
              .def = def,
              .u = u,
              .p = p,
              .is_known = is_known,
              .scale = def->dt_s / (def->density_kg_m3 * grid->cell_m)};
    // One number; rounded as each way has had it, so that states stay equal to the bit.
    s.weight = def->liquid ? -(def->density_kg_m3 * grid->cell_m / def->dt_s) : -1 / s.scale;
    dew_ArenaMark mark = dew_arena_mark(scratch);
    dew_Status status = project(&s, poisson, p, scratch, report);
    dew_arena_rewind(scratch, mark);
    return status;
}
