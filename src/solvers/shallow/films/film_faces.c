// Forces that drive the liquid of an island through the faces between its columns.
//
// The area of the surface is that of triangles: four around each column, spanned with two
// neighbours, a quarter of a cell each. With eta the height of the surface, the pressure is a sum
// over the faces,
//
//     p = sigma sum k (eta - eta') / cell^2 + rho g eta,
//     k = mean of 1 / sqrt(1 + |grad eta|^2) over four triangles.
//
// k is held for the step, so p is linear in the change of eta. The quadratic energy of this p is
// nowhere below the area, since a square root is concave: no step gains energy, however long it is.
//
// On a face of the transition layer between columns i and j the solid pulls with (1 - cos theta)
// omega towards thicker liquid, omega = -sigma (a'_j - a'_i) / cell. Return mapping of
// wetting/contact_angle.h in cosines: theta holds the face at rest if it can within [receding,
// advancing]; else the face moves, from the bound on (film_line.c).
//
// Velocities are those of the mean depth of a face: in a drop that moves as it is they are one, up
// to its edge. Friction is 3 nu u / D^2, times the ratio F of the drag in a wedge as steep as the
// surface to that of lubrication theory [Snoeijer2006],
//
//     F(theta) = (2/3) tan(theta) sin^2(theta) / (theta - sin(theta) cos(theta)).
#include "base/simd.h"
#include "solvers/shallow/films/thin_film.h"
#include "wetting/history.h"

double dew_film_yield(double f0, double omega, double cos_receding, double cos_advancing,
                      double bound)
{
    double advancing = f0 + (1 - cos_advancing) * omega;
    double receding = f0 + (1 - cos_receding) * omega;
    if (advancing * receding <= 0)
        return 0;
    if (fabs(advancing) < fabs(receding))
        return advancing;
    double most = fabs(omega) * bound;  // the contact line recedes
    return fabs(receding) < most ? receding : copysign(most, receding);
}

// ---- pressure
// ---------------------------------------------------------------------------------------

static void weigh_faces(dew_FilmBox *b)
{
    const int64_t z = b->columns;
    double x1 = 1 / b->grid->dx_m, z1 = b->grid->has_z ? 1 / b->grid->dz_m : 0;
    for (int k = 1; k < b->rows - 1; k++) {
        for (int64_t n = k * z + 1; n < (k + 1) * z - 1; n++) {
            const double *s = b->surface + n;
            double east = (s[1] - s[0]) * x1, west = (s[0] - s[-1]) * x1;
            double north = (s[z] - s[0]) * z1, south = (s[0] - s[-z]) * z1;
            double e2 = 1 + east * east, w2 = 1 + west * west;
            double n2 = north * north, s2 = south * south;
            double en = 0.25 / sqrt(e2 + n2), es = 0.25 / sqrt(e2 + s2);
            double wn = 0.25 / sqrt(w2 + n2), ws = 0.25 / sqrt(w2 + s2);
            b->stiff[0][n] += wn + ws;
            b->stiff[0][n + 1] += en + es;
            b->stiff[1][n] += es + ws;
            b->stiff[1][n + z] += en + wn;
        }
    }
}

// No pull over the sides of the domain: the surface meets them at a right angle.
static void free_sides(dew_FilmBox *b)
{
    const dew_ShallowGrid *g = b->grid;
    for (int k = 0; k < b->rows; k++) {
        for (int i = 0; i < b->columns; i++) {
            int64_t n = (int64_t)k * b->columns + i;
            int x = b->first_x + i, z = b->first_z + k;
            b->stiff[0][n] *= x <= 0 || x >= g->columns ? 0 : b->spring[0];
            b->stiff[1][n] *= z <= 0 || z >= g->rows ? 0 : b->spring[1];
        }
    }
}

void dew_film_find_pressure(dew_FilmBox *b)
{
    const int64_t z = b->columns;
    for (int64_t n = 0; n < b->count; n++)
        b->stiff[0][n] = b->stiff[1][n] = 0;
    weigh_faces(b);
    free_sides(b);
    for (int k = 1; k < b->rows - 1; k++) {
        for (int64_t n = k * z + 1; n < (k + 1) * z - 1; n++) {
            const double *s = b->surface + n, *x = b->stiff[0] + n, *y = b->stiff[1] + n;
            b->pressure[n] = b->weight * s[0] + x[0] * (s[0] - s[-1]) + x[1] * (s[0] - s[1]) +
                             y[0] * (s[0] - s[-z]) + y[z] * (s[0] - s[z]);
            b->wet_slope[n] = dew_film_wet_slope(b->now[n], b->layer_m[n]);
        }
    }
}

// ---- velocities at the start of the paths that end on faces [Wong2006, eq. 2.25, one iteration]
// --------

// Bilinear, over the faces of wet columns. at_x, at_z: in cells from the first face; back: to the
// other column of a face. The result is the smaller of the mean velocity and that of the mean
// momentum: a thin film that runs into a drop does not give the drop its speed, nor a drop its own
// to a film.
static double sample(const dew_FilmBox *box, const double *v, int64_t back, double at_x,
                     double at_z, double otherwise)
{
    const dew_ShallowGrid *g = box->grid;
    const double *depth = box->arrays->depth;
    double fx = floor(at_x), fz = floor(at_z), a = at_x - fx, b = at_z - fz;
    double sum = 0, all = 0, momentum = 0, mass = 0;
    for (int q = 0; q < 4; q++) {
        int i = (int)fx + (q & 1), k = (int)fz + (q >> 1);
        if (i < 0 || k < 0 || i >= g->columns || k >= g->rows)
            continue;
        int64_t n = dew_shallow_at(g, i, k);
        double value = v[n];
        double part = ((q & 1) ? a : 1 - a) * ((q >> 1) ? b : 1 - b);
        double weight = part * (depth[n] + depth[n - back]);
        bool is_wet = depth[n] > 0 && depth[n - back] > 0;
        sum += part * value;
        all += is_wet || value != 0 ? part : 0;
        momentum += weight * value;
        mass += weight;
    }
    if (!(all > 1e-6) || !(mass > 0))
        return otherwise;
    double mean = sum / all, heavy = momentum / mass;
    return fabs(mean) < fabs(heavy) ? mean : heavy;
}

// A face between liquid and dry ground that did not move yet: liquid comes to it with the velocity
// of the face behind.
static double behind_front(const dew_FilmBox *b, const double *own, int64_t n, int64_t back)
{
    const double *depth = b->arrays->depth;
    if (depth[n] > 0 && depth[n - back] > 0)
        return 0;
    return depth[n] > 0 ? fmin(own[n + back], 0) : fmax(own[n - back], 0);
}

static double advected(const dew_FilmBox *b, int axis, int x, int z)
{
    const dew_ShallowGrid *g = b->grid;
    const double *own = axis == 0 ? b->arrays->u : b->arrays->w;
    const double *other = axis == 0 ? b->arrays->w : b->arrays->u;
    int64_t n = dew_shallow_at(g, x, z), back = axis == 0 ? 1 : g->stride;
    int64_t next = axis == 0 ? g->stride : 1;
    double along = own[n] * b->forcing->dt_s / (axis == 0 ? g->dx_m : g->dz_m), across = 0;
    if (own[n] == 0)
        return behind_front(b, own, n, back);
    if (g->has_z)
        across = 0.25 * (other[n] + other[n - back] + other[n + next] + other[n + next - back]) *
                 b->forcing->dt_s / (axis == 0 ? g->dz_m : g->dx_m);
    if (fabs(along) + fabs(across) < dew_film_params.min_path_cells)
        return own[n];
    return axis == 0 ? sample(b, own, back, x - along, z - across, own[n])
                     : sample(b, own, back, x - across, z - along, own[n]);
}

// ---- faces
// -----------------------------------------------------------------------------------------

// Cosine at which the contact line advances over a cell.
double dew_film_cos_advancing(const dew_FilmBox *b, int64_t cell)
{
    const dew_FilmArrays *a = b->arrays;
    double last = a->last_wet_s[cell];
    bool is_wet =
        last > DEW_FILM_NEVER && dew_wetness(last, b->forcing->time_s, a->dries_after_s[cell]) > 0;
    return is_wet ? a->cos_wet_advancing[cell] : a->cos_advancing[cell];
}

// The force per depth and length on a face between cells i and j, whether only in that direction,
// and the angle at which the line would move.
static double drive(const dew_FilmBox *b, double f0, double cell_m, int64_t i, int64_t j,
                    int64_t grid_i, int64_t grid_j, double *yield_sign, double *angle)
{
    const dew_FilmArrays *a = b->arrays;
    double omega = -b->forcing->sigma_N_m * (b->wet_slope[j] - b->wet_slope[i]) / cell_m;
    *yield_sign = 0;
    if (omega == 0)
        return f0;
    int64_t outer = omega > 0 ? grid_i : grid_j;  // the thinner side: the solid ahead of the line
    double receding = a->cos_receding[outer], advancing = dew_film_cos_advancing(b, outer);
    double f =
        dew_film_yield(f0, omega, receding, advancing, a->yield_N_m[outer] / b->forcing->sigma_N_m);
    *yield_sign = f > 0 ? 1 : -1;
    *angle = acos(f * omega > 0 ? receding : advancing);
    return f;
}

double dew_film_wedge_drag(double slope)
{
    double s = fmin(slope, tan(DEW_DEG(dew_film_params.steepest_angle_deg)));
    if (s < 0.1)  // the next term of the series is 2e-5 at most
        return 1 + 0.2 * s * s;
    double theta = atan(s), sine = sin(theta), cosine = cos(theta);
    return 2.0 / 3 * s * sine * sine / (theta - sine * cosine);
}

// 3 nu u / D^2 with slip on the ground. The transition layer stands for a wedge that is thicker
// inside than its mean.
static double friction_Hz(const dew_FilmBox *b, int axis, int64_t i, int64_t j, int64_t grid_j)
{
    const dew_ShallowGrid *g = b->grid;
    double mean = 0.5 * (b->depth[i] + b->depth[j]),
           least = dew_film_params.min_friction_ratio * b->layer_m[j];
    double slip = b->arrays->slip[grid_j];
    double along = (b->depth[j] - b->depth[i]) / (axis == 0 ? g->dx_m : g->dz_m);
    double side = g->has_z ? dew_film_across(b->depth, i, j, axis == 0 ? b->columns : 1) /
                                 (axis == 0 ? g->dz_m : g->dx_m)
                           : 0;
    return 3 * b->forcing->nu_m2_s * dew_film_wedge_drag(hypot(along, side)) /
           (mean * mean + 3 * slip * mean + least * least);
}

static void form_face(dew_FilmBox *b, int axis, int64_t j, int x, int z)
{
    const dew_FilmForcing *forcing = b->forcing;
    const dew_ShallowGrid *g = b->grid;
    int64_t i = j - (axis == 0 ? 1 : b->columns), grid_j = dew_shallow_at(g, x, z);
    int64_t grid_i = grid_j - (axis == 0 ? 1 : g->stride);
    double dry = dew_film_params.dry_ratio * b->layer_m[j];
    if (b->is_active[i] == 0 || b->is_active[j] == 0 || !(b->depth[i] > dry || b->depth[j] > dry))
        return;
    double cell_m = axis == 0 ? g->dx_m : g->dz_m;
    double pull = axis == 0 ? forcing->forces.gravity.gx : forcing->forces.gravity.gz;
    double shear = axis == 0 ? forcing->forces.shear_x : forcing->forces.shear_z;
    double mean = 0.5 * (b->depth[i] + b->depth[j]);
    double before = advected(b, axis, x, z);
    double steady = shear / fmax(mean, dew_film_params.min_friction_ratio * b->layer_m[j]) +
                    forcing->rho_kg_m3 * (pull + before / forcing->dt_s);
    double f0 = steady - (b->pressure[j] - b->pressure[i]) / cell_m;
    double f =
        drive(b, f0, cell_m, i, j, grid_i, grid_j, &b->yield_sign[axis][j], &b->angle[axis][j]);
    if (f == 0 || !((f > 0 ? b->depth[i] : b->depth[j]) > dry))
        return;
    double rho = forcing->rho_kg_m3, dt = forcing->dt_s;
    b->is_free[axis][j] = 1;
    b->steady[axis][j] = steady;
    b->inertia[axis][j] =
        rho * cell_m * cell_m / (mean * dt) * (1 / dt + friction_Hz(b, axis, i, j, grid_j));
    b->flow_depth[axis][j] = mean;
    const double *v = axis == 0 ? b->arrays->u : b->arrays->w;
    b->last_flux[axis][j] = b->flux[axis][j] = v[grid_j] * mean * forcing->dt_s / cell_m;
}

void dew_film_visit_faces(dew_FilmBox *b, dew_FilmVisit *visit)
{
    for (int k = DEW_FILM_EDGE; k < b->rows - DEW_FILM_EDGE; k++) {
        for (int i = DEW_FILM_EDGE; i < b->columns - DEW_FILM_EDGE; i++) {
            int64_t n = (int64_t)k * b->columns + i;
            if (b->first_x + i > 0)
                visit(b, 0, n, b->first_x + i, b->first_z + k);
            if (b->first_z + k > 0)
                visit(b, 1, n, b->first_x + i, b->first_z + k);
        }
    }
}

void dew_film_form_faces(dew_FilmBox *b)
{
    dew_film_find_pressure(b);
    dew_film_visit_faces(b, form_face);
}
