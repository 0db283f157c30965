// Forces and stiffness of an island about the depths that trial fluxes lead to: a Newton step of
// tension, wetted area and the law of the moving contact line.
//
// On a face of the transition layer that moves, the solid pulls with (1 - cos theta_d) omega:
// theta_d is the angle of wetting/moving_line.c at the distance line_distance_cells from the line,
// for the speed u_n with which the liquid of the layer moves outward. Summed over the layer, depth
// times omega is sigma, so a line is dragged by sigma (cos theta_m - cos theta_d) per length, as
// the law has it. Linearised about u_n,
//
//     force = (1 - cos theta_d) omega - drag |omega| / sigma (u - u before),
//
// drag isotropic: no less than that of the law, which drags normal to the line only, and gone when
// u has converged.
//
// Tension: stiffness of the surface as in film_faces.c, no less than that of its area. Wetted area:
// a'' = -2 / d^2, a column of the layer that fills draws more in. Its stiffness is negative; with
// that of the surface it leaves almost none against a line that moves as a whole, so that a long
// step does not slow it. Where the sum is not positive, by the grid's barrier, the solver leaves it
// out.
#include "dew/wetting.h"
#include "solvers/shallow/films/thin_film.h"

static dew_LineAngle line_angle(const dew_FilmBox *b, int64_t cell, double microscopic_rad,
                                double speed_m_s)
{
    const dew_FilmArrays *a = b->arrays;
    dew_LineLaw law = {.kind = (dew_DynamicAngle)a->line_kind[cell],
                       .viscosity_Pa_s = b->forcing->nu_m2_s * b->forcing->rho_kg_m3,
                       .surface_tension_N_m = b->forcing->sigma_N_m,
                       .slip_length_m = a->slip_length_m[cell],
                       .jump_length_m = a->jump_length_m[cell],
                       .jump_frequency_Hz = a->jump_frequency_Hz[cell]};
    return dew_line_angle(&law, microscopic_rad, speed_m_s, b->forcing->line_distance_m);
}

// A face between cells i and j of a box.
typedef struct Face {
    int axis;
    int64_t i, j, side;      // side: to the next cell across the axis
    int64_t grid_i, grid_j;  // the cells of the grid
    double cell_m, side_m;
    double mean_m;  // depth
} Face;

static Face face_at(const dew_FilmBox *b, int axis, int64_t j, int x, int z)
{
    const dew_ShallowGrid *g = b->grid;
    Face f = {.axis = axis, .j = j, .grid_j = dew_shallow_at(g, x, z)};
    f.i = j - (axis == 0 ? 1 : b->columns);
    f.side = axis == 0 ? b->columns : 1;
    f.grid_i = f.grid_j - (axis == 0 ? 1 : g->stride);
    f.cell_m = axis == 0 ? g->dx_m : g->dz_m;
    f.side_m = axis == 0 ? g->dz_m : g->dx_m;
    f.mean_m = 0.5 * (b->depth[f.i] + b->depth[j]);
    return f;
}

// Velocity across the axis: of the four faces around.
static double side_speed(const dew_FilmBox *b, const Face *f)
{
    const double *q = b->flux[1 - f->axis], *depth = b->depth;
    const int64_t i = f->i, j = f->j, s = f->side;
    double flux = q[i] + q[j] + q[i + s] + q[j + s];
    double four =
        2 * (depth[i] + depth[j]) + (depth[i - s] + depth[j - s] + depth[i + s] + depth[j + s]);
    return four > 0 ? 2 * flux * f->side_m / (four * b->forcing->dt_s) : 0;
}

// What the line does on a face: the angle of its direction, and its speed outward.
typedef struct Line {
    double microscopic_rad, speed_m_s;
    double pull_all;  // |omega|
    int64_t outer;    // the cell of the grid ahead of it
    bool is_receding;
} Line;

static Line line_on(const dew_FilmBox *b, const Face *f, double omega)
{
    double sign = b->yield_sign[f->axis][f->j], q = b->flux[f->axis][f->j];
    Line line = {.outer = omega > 0 ? f->grid_i : f->grid_j,
                 .is_receding = (sign != 0 ? sign : q) * omega > 0};
    line.microscopic_rad = sign != 0          ? b->angle[f->axis][f->j]
                           : line.is_receding ? acos(b->arrays->cos_receding[line.outer])
                                              : acos(dew_film_cos_advancing(b, line.outer));
    double side = 0, w = 0, u = q * f->cell_m / (f->mean_m * b->forcing->dt_s);
    if (b->grid->has_z) {
        side =
            -b->forcing->sigma_N_m * dew_film_across(b->wet_slope, f->i, f->j, f->side) / f->side_m;
        w = side_speed(b, f);
    }
    line.pull_all = hypot(omega, side);
    double outward = -(u * omega + w * side) / line.pull_all;
    line.speed_m_s = line.is_receding ? fmin(outward, 0) : fmax(outward, 0);
    return line;
}

static void linearise_face(dew_FilmBox *b, int axis, int64_t j, int x, int z)
{
    if (b->is_free[axis][j] == 0)
        return;
    Face face = face_at(b, axis, j, x, z);
    double sigma = b->forcing->sigma_N_m, cell = face.cell_m, drag = 0;
    double f = b->steady[axis][j] - (b->pressure[j] - b->pressure[face.i]) / cell;
    double omega = -sigma * (b->wet_slope[j] - b->wet_slope[face.i]) / cell;
    if (omega != 0) {
        Line line = line_on(b, &face, omega);
        dew_LineAngle law = line_angle(b, line.outer, line.microscopic_rad, line.speed_m_s);
        double pull = 1 - law.cosine;
        double most = fabs(omega) * b->arrays->yield_N_m[line.outer] / sigma;
        f += pull * omega;
        f = line.is_receding && fabs(f) > most ? copysign(most, f) : f;
        drag =
            cell * cell * law.drag_Pa_s * line.pull_all / (sigma * face.mean_m * b->forcing->dt_s);
        b->pull[face.i] += pull, b->pull[j] += pull;
        b->pulls[face.i] += 1, b->pulls[j] += 1;
    }
    b->mass[axis][j] = b->inertia[axis][j] + drag;
    b->force[axis][j] = cell * f + drag * b->flux[axis][j];
}

static void move_to_fluxes(dew_FilmBox *b)
{
    const int64_t z = b->columns;
    for (int64_t n = z + 1; n < b->count - z - 1; n++) {
        double now = b->depth[n];
        if (b->is_active[n] != 0)
            now += b->flux[0][n] - b->flux[0][n + 1] + b->flux[1][n] - b->flux[1][n + z];
        b->surface[n] += now - b->now[n];
        b->now[n] = now;
    }
    dew_film_find_pressure(b);
}

void dew_film_linearise(dew_FilmBox *b, bool is_first, bool is_convex)
{
    if (!is_first)
        move_to_fluxes(b);
    for (int64_t n = 0; n < b->count; n++)
        b->pull[n] = b->pulls[n] = 0;
    dew_film_visit_faces(b, linearise_face);
    for (int64_t n = 0; n < b->count; n++) {
        double d = b->layer_m[n];
        b->column_stiff[n] = b->weight;
        if (!is_convex && b->pulls[n] > 0 && b->now[n] < d)
            b->column_stiff[n] -= b->pull[n] / b->pulls[n] * 2 * b->forcing->sigma_N_m / (d * d);
    }
}
