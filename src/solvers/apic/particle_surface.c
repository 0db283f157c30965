// The surface from the particles alone, [Bhargava] section 5: balls of radius r around them,
//   phi_temp(s) = min over particles of |s - p| - r,                                        (6)
// then distances to where that is zero, by fast sweeping [Zhao2005].
//
// differs: r is sqrt(3) cells, what a particle reaches in the transfers here, not 2 sqrt(3); and
// the distance is moved back inwards by r less half the particles' spacing, so that the liquid is
// not blown up: what remains of the balls is that they close gaps. It is still as rough as
// particles lie, and to compare; `evolved` is the default.
#include "base/status.h"
#include "solvers/apic/apic_state.h"

#include <string.h>

#define RADIUS sqrt(3)  // cells

typedef struct Work {
    const dew_SolverState *state;
    const dew_Grid *grid;
    double *phi;
} Work;

// Least squares of distances, in cells, at the cells of the brick within reach of the particle at x
// (cells from the middle of the brick's first cell).
static void add_particle(const double x[3], int depth, double *least)
{
    int lo[3], hi[3];
    for (int a = 0; a < 3; a++) {
        int last = (a == 2 ? depth : DEW_BRICK) - 1;
        lo[a] = (int)fmax(ceil(x[a] - RADIUS - 1), 0);
        hi[a] = (int)fmin(floor(x[a] + RADIUS + 1), last);
    }
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++)
            for (int i = lo[0]; i <= hi[0]; i++) {
                double d2 =
                    (i - x[0]) * (i - x[0]) + (j - x[1]) * (j - x[1]) + (k - x[2]) * (k - x[2]);
                double *at = &least[i + DEW_BRICK * (j + DEW_BRICK * k)];
                *at = d2 < *at ? d2 : *at;
            }
}

static dew_Status balls_chunk(void *context, int64_t begin, int64_t end, int64_t chunk)
{
    (void)chunk;
    const Work *w = context;
    const dew_Particles *particles = &w->state->markers.particles;
    const dew_Grid *grid = w->grid;
    double h = grid->cell_m, least[DEW_BRICK_CELLS];
    for (int64_t b = begin; b < end; b++) {
        dew_Vec3 first = dew_grid_position(grid, (int32_t)b, 0, 0, 0, DEW_AT_CELL);
        const int32_t *near = dew_grid_neighbours(grid, (int32_t)b);
        for (int n = 0; n < grid->brick_cells; n++)
            least[n] = DEW_LIQUID_BAND * DEW_LIQUID_BAND;
        for (int m = 0; m < 27; m++) {
            int64_t from, to;
            if (near[m] < 0 || near[m] >= grid->brick_count || (grid->depth == 1 && m / 9 != 1))
                continue;
            dew_particles_of_brick(particles, near[m], &from, &to);
            for (int64_t n = from; n < to; n++) {
                dew_Vec3 p = dew_scale(1 / h, dew_sub(dew_particles_position(particles, n), first));
                const double x[3] = {p.x, p.y, grid->depth == 1 ? 0 : p.z};
                add_particle(x, grid->depth, least);
            }
        }
        for (int n = 0; n < grid->brick_cells; n++)
            w->phi[b * grid->brick_cells + n] = h * fmin(sqrt(least[n]) - RADIUS, DEW_LIQUID_BAND);
    }
    return dew_ok();
}

dew_Status dew_apic_particle_surface(dew_SolverState *state, dew_Arena *scratch)
{
    dew_Liquid *liquid = &state->liquid;
    dew_Grid *grid = liquid->grid;
    double h = grid->cell_m, band = DEW_LIQUID_BAND * h,
           back = (RADIUS - 0.5 / state->per_axis) * h;
    double *phi = dew_liquid_phi(liquid);
    Work work = {state, grid, phi};
    DEW_TRY(dew_grid_for(grid, balls_chunk, &work));
    DEW_TRY(dew_levelset_redistance(grid, phi, DEW_REDISTANCE_SWEEP, band, scratch, NULL));
    for (int64_t n = 0; n < dew_liquid_count(liquid); n++)
        phi[n] = phi[n] > -band ? fmin(phi[n] + back, band) : -band;
    return dew_ok();
}
