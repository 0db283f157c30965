// Fast sweeping [Zhao2005] as in [Wong2006, section 3.4]: exact distances beside the contact line,
// then Gauss-Seidel iterations of the discrete eikonal equation, eq. 3.8, in four alternating
// orders.
#include "solvers/shallow/waves/waves.h"

// Distance along an axis to where psi crosses zero between this cell and the next on either side;
// INFINITY: nowhere.
static double crossing(const double *psi, int64_t d, double size, bool has_last, bool has_next)
{
    double best = (double)INFINITY;
    if (has_last && (psi[0] < 0) != (psi[-d] < 0))
        best = size * psi[0] / (psi[0] - psi[-d]);
    if (has_next && (psi[0] < 0) != (psi[d] < 0))
        best = fmin(best, size * psi[0] / (psi[0] - psi[d]));
    return best;
}

// The distance to the straight line through the crossings along both axes.
static double exact_beside(double x, double z)
{
    if (isinf(x) || isinf(z))
        return fmin(x, z);
    double length = sqrt(x * x + z * z);
    return length > 0 ? x * z / length : 0;
}

// Eq. 3.9 for cells that need not be square: the distance from neighbours at a along x and b along
// z.
double dew_wave_eikonal(double a, double b, double dx, double dz)
{
    double alone = fmin(a + dx, b + dz);
    if (!(alone > fmax(a, b)))
        return alone;
    double p = 1 / (dx * dx), q = 1 / (dz * dz), mean = (p * a + q * b) / (p + q);
    double root = (p + q) - p * q * (a - b) * (a - b);
    return root > 0 ? fmin(alone, mean + sqrt(root) / (p + q)) : alone;
}

double dew_wave_crossing_distance_m(const dew_ShallowGrid *grid, int column, int row,
                                    const double *psi, const uint8_t *is_given)
{
    int64_t n = dew_shallow_at(grid, column, row), z = grid->stride;
    double along_x = crossing(psi + n, 1, grid->dx_m, column > 0 && (!is_given || is_given[n - 1]),
                              column + 1 < grid->columns && (!is_given || is_given[n + 1]));
    if (!grid->has_z)
        return along_x;
    double along_z = crossing(psi + n, z, grid->dz_m, row > 0 && (!is_given || is_given[n - z]),
                              row + 1 < grid->rows && (!is_given || is_given[n + z]));
    return exact_beside(along_x, along_z);
}

typedef struct Sweep {
    const dew_ShallowGrid *grid;
    dew_ShallowWindow window;
    const double *psi;
    double *phi;  // |phi| meanwhile; < 0: fixed, its magnitude less one
} Sweep;

// Those beside the contact line are fixed: kept as -1 - |phi| / dx, so that one array does.
static void fix_beside(const Sweep *s, double far_m)
{
    const dew_ShallowGrid *g = s->grid;
    dew_ShallowWindow w = s->window;
    for (int row = w.begin_z; row < w.end_z; row++) {
        for (int i = w.begin_x; i < w.end_x; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            double d = dew_wave_crossing_distance_m(g, i, row, s->psi, NULL);
            s->phi[n] = isinf(d) ? far_m : -1 - d / g->dx_m;
        }
    }
}

static double value(const Sweep *s, int64_t n)
{
    double d = s->phi[n];
    return d < 0 ? (-d - 1) * s->grid->dx_m : d;
}

static void visit(const Sweep *s, int column, int row, double far_m)
{
    const dew_ShallowGrid *g = s->grid;
    dew_ShallowWindow w = s->window;
    int64_t n = dew_shallow_at(g, column, row);
    if (s->phi[n] < 0)
        return;
    double a = far_m, b = far_m;
    if (column > w.begin_x)
        a = fmin(a, value(s, n - 1));
    if (column + 1 < w.end_x)
        a = fmin(a, value(s, n + 1));
    if (row > w.begin_z)
        b = fmin(b, value(s, n - g->stride));
    if (row + 1 < w.end_z)
        b = fmin(b, value(s, n + g->stride));
    if (a >= far_m && b >= far_m)
        return;
    s->phi[n] = fmin(s->phi[n], dew_wave_eikonal(a, b, g->dx_m, g->has_z ? g->dz_m : HUGE_VAL));
}

void dew_wave_sweep(const dew_ShallowGrid *grid, dew_ShallowWindow window, double far_m,
                    const double *psi, double *phi)
{
    Sweep s = {grid, window, psi, phi};
    dew_ShallowWindow w = window;
    fix_beside(&s, far_m);
    for (int order = 0; order < (grid->has_z ? 4 : 2); order++) {
        bool is_back_x = order == 1 || order == 2, is_back_z = order >= 2;
        for (int j = 0; j < w.end_z - w.begin_z; j++)
            for (int i = 0; i < w.end_x - w.begin_x; i++)
                visit(&s, is_back_x ? w.end_x - 1 - i : w.begin_x + i,
                      is_back_z ? w.end_z - 1 - j : w.begin_z + j, far_m);
    }
    for (int row = w.begin_z; row < w.end_z; row++) {
        for (int i = w.begin_x; i < w.end_x; i++) {
            int64_t n = dew_shallow_at(grid, i, row);
            phi[n] = copysign(fmin(value(&s, n), far_m), psi[n] < 0 ? -1 : 1);
        }
    }
}
