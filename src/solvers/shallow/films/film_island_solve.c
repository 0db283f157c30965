// One island, one step: implicit in tension and gravity, faces of the transition layer yielding or
// held.
//
// Unknowns: q, the volume that passes each face in the step, as depth of a cell, q = D u dt / cell.
//
//     (M + B K B^T) q = f,    M = rho cell^2 (1 + dt friction) / (D dt^2) + drag of the line
//
// B: difference over a face, so that B^T q is the change of the depths. K: pressure of that change.
// f: forces. The matrix is symmetric and positive; conjugate gradients with its diagonal. K, f and
// the drag are formed again about what the solution leads to (film_line.c), up to newton_steps
// times: q makes kinetic energy, dissipation and E over the step stationary, as an implicit Euler
// step does. A K that is not positive is replaced by a larger one that is.
//
// After each solution faces whose flux is against the only direction in which they may yield are
// held, and columns that would lose more than they hold lose what they hold; the other faces are
// solved again with these fixed. The flux that leaves one column enters the next: volume is
// conserved to rounding.
#include "base/simd.h"
#include "num/cg.h"
#include "solvers/shallow/films/thin_film.h"

#define COUNT_ONE(name) +1
enum {
    CELL_ARRAYS = 0 DEW_FILM_CELL_ARRAYS(COUNT_ONE),
    FACE_ARRAYS = 0 DEW_FILM_FACE_ARRAYS(COUNT_ONE),
};

int64_t dew_film_box_numbers(const dew_FilmIsland *island)
{
    int64_t columns = island->max_x - island->min_x + 1 + 2 * DEW_FILM_EDGE;
    int64_t rows = island->max_z - island->min_z + 1 + 2 * DEW_FILM_EDGE;
    return columns * rows * (CELL_ARRAYS + 2 * FACE_ARRAYS);
}

// Stretches of cells that are worked on. Outside of them and of the faces towards smaller x and z
// nothing flows.
typedef struct Span {
    int64_t begin, end;
} Span;
static inline int32_t span_count(const dew_FilmBox *b)
{
    return b->runs ? b->run_count : 1;
}
static inline Span span_at(const dew_FilmBox *b, int32_t k)
{
    if (!b->runs)
        return (Span){b->columns + 1, b->count - b->columns - 1};
    int64_t first = (int64_t)(b->runs[k].row - b->first_z) * b->columns - b->first_x;
    return (Span){first + b->runs[k].begin, first + b->runs[k].end};
}

static int clamped(int value, int count)
{
    return value < 0 ? 0 : value >= count ? count - 1 : value;
}

static void load_cells(dew_FilmBox *b)
{
    for (int k = 0; k < b->rows; k++) {
        int row = clamped(b->first_z + k, b->grid->rows);
        for (int i = 0; i < b->columns; i++) {
            int64_t n = (int64_t)k * b->columns + i;
            int64_t cell = dew_shallow_at(b->grid, clamped(b->first_x + i, b->grid->columns), row);
            b->depth[n] = b->now[n] = b->arrays->depth[cell];
            b->surface[n] = b->arrays->ground[cell] + b->arrays->depth[cell];
            b->layer_m[n] = b->arrays->layer_m[cell];
        }
    }
}

void dew_film_box_init(dew_FilmBox *b, const dew_ShallowGrid *grid, const dew_FilmForcing *forcing,
                       const dew_FilmArrays *arrays, const dew_FilmIsland *island,
                       const dew_FilmRun *runs, double *memory)
{
    *b = (dew_FilmBox){.grid = grid, .forcing = forcing, .arrays = arrays};
    b->first_x = island->min_x - DEW_FILM_EDGE;
    b->first_z = island->min_z - DEW_FILM_EDGE;
    b->columns = island->max_x - island->min_x + 1 + 2 * DEW_FILM_EDGE;
    b->rows = island->max_z - island->min_z + 1 + 2 * DEW_FILM_EDGE;
    b->count = (int64_t)b->columns * b->rows;
    b->weight = forcing->rho_kg_m3 * fmax(forcing->forces.gravity.g, 0);
    b->spring[0] = forcing->sigma_N_m / (grid->dx_m * grid->dx_m);
    b->spring[1] = grid->has_z ? forcing->sigma_N_m / (grid->dz_m * grid->dz_m) : 0;
    for (int64_t n = 0; n < b->count * (CELL_ARRAYS + 2 * FACE_ARRAYS); n++)
        memory[n] = 0;
#define PLACE_CELLS(name) b->name = memory, memory += b->count;
#define PLACE_FACES(name)                                                                          \
    for (int axis = 0; axis < 2; axis++, memory += b->count)                                       \
        b->name[axis] = memory;
    DEW_FILM_CELL_ARRAYS(PLACE_CELLS)
    DEW_FILM_FACE_ARRAYS(PLACE_FACES)
    load_cells(b);
    b->run_count = island->run_count;
    b->runs =
        b->count > dew_film_params.sparse_ratio * island->cells ? runs + island->first_run : NULL;
    for (int32_t r = 0; r < island->run_count; r++) {
        dew_FilmRun run = runs[island->first_run + r];
        double *active = b->is_active + (int64_t)(run.row - b->first_z) * b->columns - b->first_x;
        for (int i = run.begin; i < run.end; i++)
            active[i] = 1;
    }
}

// ---- conjugate gradients
// ------------------------------------------------------------------------------

// What fluxes change, and the pressure of that.
DEW_BODY void find_reply(dew_FilmBox *b, double *const q[2])
{
    const int64_t z = b->columns;
    const double *qx = q[0], *qz = q[1], *kx = b->stiff[0], *kz = b->stiff[1];
    double *d = b->change, *p = b->pressure_change;
    const double *weight = b->column_stiff;
    for (int32_t k = 0; k < span_count(b); k++) {
        const Span span = span_at(b, k);
        for (int64_t n = span.begin; n < span.end; n++)
            d[n] = qx[n] - qx[n + 1] + qz[n] - qz[n + z];
    }
    for (int32_t k = 0; k < span_count(b); k++) {
        const Span span = span_at(b, k);
        for (int64_t n = span.begin; n < span.end; n++)
            p[n] = weight[n] * d[n] + kx[n] * (d[n] - d[n - 1]) + kx[n + 1] * (d[n] - d[n + 1]) +
                   kz[n] * (d[n] - d[n - z]) + kz[n + z] * (d[n] - d[n + z]);
    }
}

// out = A q on the free faces of an axis; the product of both.
DEW_BODY double multiply_axis(dew_FilmBox *b, int axis, const double *q, double *out)
{
    const int64_t back = axis == 0 ? 1 : b->columns;
    const double *p = b->pressure_change, *m = b->mass[axis], *is_free = b->is_free[axis];
    double sum = 0;
    for (int32_t k = 0; k < span_count(b); k++) {
        const Span span = span_at(b, k);
        for (int64_t n = span.begin; n < span.end; n++)
            out[n] = is_free[n] * (m[n] * q[n] + p[n] - p[n - back]);
        sum += dew_cg_block_product(out + span.begin, q + span.begin, span.end - span.begin);
    }
    return sum;
}
DEW_BODY double multiply(dew_FilmBox *b, double *const q[2], double *const out[2])
{
    find_reply(b, q);
    double x = multiply_axis(b, 0, q[0], out[0]);
    return x + multiply_axis(b, 1, q[1], out[1]);
}

typedef struct Products {
    double rr, rz;  // of the residual with itself, and preconditioned
} Products;

// residual -= step * product, flux += step * search; then product is the residual preconditioned.
DEW_BODY Products cg_advance(dew_FilmBox *b, double step)
{
    Products sum = {0, 0};
    for (int32_t k = 0; k < 2 * span_count(b); k++) {
        const Span span = span_at(b, k / 2);
        const int64_t first = span.begin, count = span.end - span.begin;
        double *r = b->residual[k % 2] + first, *x = b->flux[k % 2] + first;
        double *y = b->product[k % 2] + first;
        const double *v = b->inverse[k % 2] + first, *p = b->search[k % 2] + first;
        for (int64_t n = 0; n < count; n++)
            x[n] += step * p[n];
        for (int64_t n = 0; n < count; n++) {
            r[n] -= step * y[n];
            y[n] = v[n] * r[n];
        }
        sum.rr += dew_cg_block_product(r, r, count);
        sum.rz += dew_cg_block_product(r, y, count);
    }
    return sum;
}

// Inverse of the diagonal.
DEW_BODY void invert_diagonal(dew_FilmBox *b)
{
    const int64_t z = b->columns;
    const double *x = b->stiff[0], *y = b->stiff[1];
    for (int axis = 0; axis < 2; axis++) {
        const int64_t back = axis == 0 ? 1 : z;
        const double *across = axis == 0 ? x : y;
        for (int32_t k = 0; k < span_count(b); k++) {
            const Span span = span_at(b, k);
            for (int64_t n = span.begin; n < span.end; n++) {
                int64_t i = n - back;
                double around =
                    x[n] + x[n + 1] + y[n] + y[n + z] + x[i] + x[i + 1] + y[i] + y[i + z];
                double diagonal = b->mass[axis][n] + fmax(b->column_stiff[n] + b->column_stiff[i] +
                                                              around + 2 * across[n],
                                                          dew_film_params.least_stiffness * around);
                b->inverse[axis][n] = b->is_free[axis][n] != 0 ? 1 / diagonal : 0;
            }
        }
    }
}

DEW_BODY void begin_search(dew_FilmBox *b)
{
    (void)multiply(b, b->flux, b->product);
    for (int axis = 0; axis < 2; axis++) {
        for (int32_t k = 0; k < span_count(b); k++) {
            const Span span = span_at(b, k);
            for (int64_t n = span.begin; n < span.end; n++) {
                double r = b->is_free[axis][n] * b->force[axis][n] - b->product[axis][n];
                b->residual[axis][n] = r;
                b->search[axis][n] = b->inverse[axis][n] * r;
                b->product[axis][n] = 0;
            }
        }
    }
}

// The next direction.
DEW_BODY void turn_search(dew_FilmBox *b, double turn)
{
    for (int axis = 0; axis < 2; axis++) {
        const double *y = b->product[axis];
        double *p = b->search[axis];
        for (int32_t k = 0; k < span_count(b); k++) {
            const Span span = span_at(b, k);
            for (int64_t n = span.begin; n < span.end; n++)
                p[n] = y[n] + turn * p[n];
        }
    }
}

// Iterations that it took; -1: it did not come to an end.
DEW_BODY int64_t find_flux(dew_FilmBox *b, double enough)
{
    begin_search(b);
    Products now = cg_advance(b, 0);
    for (int64_t k = 0; k < dew_film_params.max_iterations; k++) {
        if (now.rr <= enough)
            return k;
        double down = multiply(b, b->search, b->product);
        if (!(down > 0))
            return -1;
        Products next = cg_advance(b, now.rz / down);
        turn_search(b, next.rz / now.rz);
        now = next;
    }
    return -1;
}

// ---- what is fixed
// ------------------------------------------------------------------------------------

static void fix(dew_FilmBox *b, int axis, int64_t n, double flux)
{
    b->flux[axis][n] = flux;
    b->is_free[axis][n] = b->inverse[axis][n] = 0;
}

// Holds faces of the layer whose flux is against the direction in which they yield; returns how
// many.
static int64_t hold_faces(dew_FilmBox *b)
{
    int64_t held = 0;
    for (int32_t k = 0; k < 2 * span_count(b); k++) {
        const Span span = span_at(b, k / 2);
        const int axis = k % 2;
        for (int64_t n = span.begin; n < span.end; n++) {
            if (b->is_free[axis][n] != 0 && b->flux[axis][n] * b->yield_sign[axis][n] < 0) {
                fix(b, axis, n, 0);
                held++;
            }
        }
    }
    return held;
}

// The part, in `change`, of its outflow that each column can afford. slack: that is let pass.
static void find_fractions(dew_FilmBox *b, double slack)
{
    const int64_t z = b->columns;
    for (int32_t k = 0; k < span_count(b); k++) {
        const Span span = span_at(b, k);
        for (int64_t n = span.begin; n < span.end; n++) {
            double east = b->flux[0][n + 1], west = -b->flux[0][n];
            double north = b->flux[1][n + z], south = -b->flux[1][n];
            double out = (east > 0 ? east : 0) + (west > 0 ? west : 0) + (north > 0 ? north : 0) +
                         (south > 0 ? south : 0);
            b->change[n] = out > b->depth[n] * slack ? b->depth[n] / out : 1;
        }
    }
}

static int64_t limit_faces(dew_FilmBox *b, double slack)
{
    const int64_t z = b->columns;
    int64_t limited = 0;
    find_fractions(b, slack);
    for (int32_t k = 0; k < 2 * span_count(b); k++) {
        const Span span = span_at(b, k / 2);
        const int axis = k % 2;
        for (int64_t n = span.begin; n < span.end; n++) {
            double q = b->flux[axis][n];
            double fraction = q > 0 ? b->change[n - (axis == 0 ? 1 : z)] : b->change[n];
            if (q != 0 && fraction < 1) {
                fix(b, axis, n, fraction * q);
                limited++;
            }
        }
    }
    return limited;
}

// ---- Newton's iteration
// -------------------------------------------------------------------------------

// Adds the pressure of the fluxes, about which forces were linearised, to the forces.
DEW_BODY void add_reply(dew_FilmBox *b)
{
    find_reply(b, b->flux);
    for (int32_t k = 0; k < 2 * span_count(b); k++) {
        const Span span = span_at(b, k / 2);
        const int64_t back = k % 2 == 0 ? 1 : b->columns;
        const double *p = b->pressure_change, *is_free = b->is_free[k % 2];
        for (int64_t n = span.begin; n < span.end; n++)
            b->force[k % 2][n] += is_free[n] * (p[n] - p[n - back]);
    }
}

// Square of the residual that is small enough.
DEW_BODY double tolerance(const dew_FilmBox *b)
{
    double forces = 0, faces = 0;
    for (int32_t k = 0; k < 2 * span_count(b); k++) {
        const Span span = span_at(b, k / 2);
        for (int64_t n = span.begin; n < span.end; n++) {
            forces += b->force[k % 2][n] * b->force[k % 2][n];
            faces += b->is_free[k % 2][n];
        }
    }
    double least = dew_film_params.absolute_residual * b->forcing->sigma_N_m / b->grid->dx_m;
    return fmax(dew_film_params.relative_residual * dew_film_params.relative_residual * forces,
                least * least * faces);
}

// How much the fluxes have changed since the last call, of themselves.
static double find_change(dew_FilmBox *b)
{
    double moved = 0, all = 0;
    for (int32_t k = 0; k < 2 * span_count(b); k++) {
        const Span span = span_at(b, k / 2);
        double *last = b->last_flux[k % 2];
        for (int64_t n = span.begin; n < span.end; n++) {
            double q = b->flux[k % 2][n], change = q - last[n];
            moved += change * change;
            all += q * q;
            last[n] = q;
        }
    }
    return all > 0 ? sqrt(moved / all) : 0;
}

static void go_back(dew_FilmBox *b)
{
    for (int32_t k = 0; k < 2 * span_count(b); k++) {
        const Span span = span_at(b, k / 2);
        for (int64_t n = span.begin; n < span.end; n++)
            if (b->is_free[k % 2][n] != 0)
                b->flux[k % 2][n] = b->last_flux[k % 2][n];
    }
}

// Solves what is linearised, and again with faces fixed; iterations, -1: no solution.
DEW_BODY int64_t solve_linear(dew_FilmBox *b, double enough)
{
    int64_t sum = 0;
    invert_diagonal(b);
    for (int trial = 0; trial < dew_film_params.solve_trials; trial++) {
        int64_t iterations = find_flux(b, enough);
        if (iterations < 0)
            return -1;
        sum += iterations;
        int64_t fixed = hold_faces(b);
        fixed += limit_faces(b, 1 + 1e-9);
        if (fixed == 0)
            break;
    }
    return sum;
}

DEW_BODY dew_FilmReport find_fluxes(dew_FilmBox *b)
{
    dew_FilmReport report = {.is_solved = true};
    double enough = 0;
    for (int step = 0; step < dew_film_params.newton_steps; step++) {
        int64_t iterations = -1;
        for (int convex = 0; convex < 2 && iterations < 0; convex++) {
            dew_film_linearise(b, step == 0, convex == 1);
            if (step == 0)
                enough = tolerance(b);
            else
                add_reply(b);
            iterations = solve_linear(b, enough);
            if (iterations < 0)
                go_back(b);
        }
        report.is_solved = iterations >= 0;
        if (!report.is_solved)
            return report;
        report.iterations += iterations;
        if (find_change(b) < dew_film_params.newton_change && step > 0)
            break;
    }
    (void)limit_faces(b, 1);
    return report;
}
DEW_WIDE static dew_FilmReport find_fluxes_wide(dew_FilmBox *b)
{
    return find_fluxes(b);
}
static dew_FilmReport find_fluxes_plain(dew_FilmBox *b)
{
    return find_fluxes(b);
}

// ---- the state after the step
// --------------------------------------------------------------------------

static double store_cell(const dew_FilmBox *b, int64_t n, int64_t cell)
{
    const int64_t z = b->columns;
    const double *x = b->flux[0] + n, *y = b->flux[1] + n;
    double depth = b->depth[n] + x[0] - x[1] + y[0] - y[z];
    b->arrays->next_depth[cell] = depth > 0 ? depth : 0;
    const double *thick_x = b->flow_depth[0] + n, *thick_z = b->flow_depth[1] + n;
    double dt = b->forcing->dt_s;
    b->arrays->next_u[cell] = thick_x[0] > 0 ? x[0] * b->grid->dx_m / (dt * thick_x[0]) : 0;
    b->arrays->next_w[cell] = thick_z[0] > 0 ? y[0] * b->grid->dz_m / (dt * thick_z[0]) : 0;
    return fabs(depth - b->depth[n]) / b->layer_m[n];
}

dew_FilmReport dew_film_solve(dew_FilmBox *b)
{
    dew_FilmReport report = dew_is_wide() ? find_fluxes_wide(b) : find_fluxes_plain(b);
    double most = 0;
    for (int k = DEW_FILM_EDGE; k < b->rows - DEW_FILM_EDGE; k++) {
        for (int i = DEW_FILM_EDGE; i < b->columns - DEW_FILM_EDGE; i++) {
            int64_t n = (int64_t)k * b->columns + i;
            if (b->is_active[n] != 0)
                most =
                    fmax(most,
                         store_cell(b, n, dew_shallow_at(b->grid, b->first_x + i, b->first_z + k)));
        }
    }
    report.change_Hz = most / b->forcing->dt_s;
    return report;
}
