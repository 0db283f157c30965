// Windows of the grid and ghost values.
#include "solvers/shallow/shallow_state.h"

dew_ShallowWindow dew_shallow_whole(const dew_ShallowGrid *grid)
{
    return (dew_ShallowWindow){0, grid->columns, 0, grid->rows};
}

dew_ShallowWindow dew_shallow_wider(const dew_ShallowGrid *grid, dew_ShallowWindow window,
                                    int cells)
{
    dew_ShallowWindow w = {window.begin_x - cells, window.end_x + cells, window.begin_z - cells,
                           window.end_z + cells};
    w.begin_x = w.begin_x > 0 ? w.begin_x : 0;
    w.begin_z = w.begin_z > 0 ? w.begin_z : 0;
    w.end_x = w.end_x < grid->columns ? w.end_x : grid->columns;
    w.end_z = w.end_z < grid->rows ? w.end_z : grid->rows;
    return w;
}

void dew_shallow_fill(const dew_ShallowGrid *grid, dew_ShallowWindow window, double value,
                      double *out)
{
    for (int row = window.begin_z; row < window.end_z; row++)
        for (int i = window.begin_x; i < window.end_x; i++)
            out[dew_shallow_at(grid, i, row)] = value;
}

dew_ShallowWindow dew_shallow_window(const dew_ShallowGrid *g, dew_Box box)
{
    dew_ShallowWindow all = dew_shallow_whole(g);
    double x0 = floor((box.min.x - g->min_x_m) / g->dx_m),
           x1 = ceil((box.max.x - g->min_x_m) / g->dx_m);
    double z0 = floor((box.min.z - g->min_z_m) / g->dz_m),
           z1 = ceil((box.max.z - g->min_z_m) / g->dz_m);
    dew_ShallowWindow w = {(int)fmin(fmax(x0, 0), g->columns), (int)fmin(fmax(x1, 0), g->columns),
                           (int)fmin(fmax(z0, 0), g->rows), (int)fmin(fmax(z1, 0), g->rows)};
    if (!g->has_z)
        w.begin_z = all.begin_z, w.end_z = all.end_z;
    return w;
}

void dew_shallow_mirror(const dew_SolverState *state, double *cells)
{
    const dew_ShallowGrid *g = &state->grid;
    for (int row = 0; row < g->rows; row++) {
        double *a = cells + dew_shallow_at(g, 0, row);
        for (int k = 0; k < DEW_SHALLOW_GHOST; k++) {
            a[-1 - k] = a[k < g->columns ? k : g->columns - 1];
            a[g->columns + k] = a[g->columns - 1 - k >= 0 ? g->columns - 1 - k : 0];
        }
    }
    for (int k = 0; k < DEW_SHALLOW_GHOST; k++) {
        int low = k < g->rows ? k : g->rows - 1, high = g->rows - 1 - k >= 0 ? g->rows - 1 - k : 0;
        for (int i = -DEW_SHALLOW_GHOST; i < g->columns + DEW_SHALLOW_GHOST; i++) {
            cells[dew_shallow_at(g, i, -1 - k)] = cells[dew_shallow_at(g, i, low)];
            cells[dew_shallow_at(g, i, g->rows + k)] = cells[dew_shallow_at(g, i, high)];
        }
    }
}
