// The contact line, where ground, liquid and air meet [Wong2006, chapter 3].
//
// Where nothing else is known it is taken from the depth: psi = -D in wet columns, and in dry ones how far their ground
// stands above the surface beside them; between both the surface meets the ground. Where the ground is lower than that
// surface the liquid ends with a step, and the line is on the face.
#include "solvers/shallow/state.h"

#include <string.h>

static double highest_beside(const dew_SolverState *s, int64_t n)
{
    const int64_t beside[4] = {n - 1, n + 1, n - s->grid.stride, n + s->grid.stride};
    double surface = -HUGE_VAL;
    for (int k = 0; k < (s->grid.has_z ? 4 : 2); k++)
        if (s->depth[beside[k]] > s->laws.dry_m)
            surface = fmax(surface, s->ground[beside[k]] + s->depth[beside[k]]);
    return surface;
}

// Of a dry column: > 0.
static double psi_of_dry(const dew_SolverState *s, int64_t n)
{
    double surface = highest_beside(s, n), above = s->ground[n] - surface;
    return !isfinite(above) ? s->laws.far_m : above > 0 ? above : fmax(-above, s->laws.dry_m);
}

void dew_shallow_line_from_depth(const dew_SolverState *state, dew_ShallowWindow window)
{
    const dew_ShallowGrid *g = &state->grid;
    dew_ShallowWindow reach = dew_shallow_wider(g, window, DEW_SHALLOW_BAND + 1);
    dew_ShallowWindow wide = dew_shallow_wider(g, reach, DEW_SHALLOW_BAND + 1);
    double *psi = state->work.psi, *phi = state->work.share;
    for (int row = wide.begin_z; row < wide.end_z; row++) {
        for (int i = wide.begin_x; i < wide.end_x; i++) {
            int64_t n = dew_shallow_at(g, i, row);
            psi[n] = state->depth[n] > state->laws.dry_m ? -state->depth[n] : psi_of_dry(state, n);
        }
    }
    dew_shallow_sweep(g, wide, state->laws.far_m, psi, phi);
    for (int row = reach.begin_z; row < reach.end_z; row++)
        memcpy(state->phi + dew_shallow_at(g, reach.begin_x, row),
               phi + dew_shallow_at(g, reach.begin_x, row),
               (size_t)(reach.end_x - reach.begin_x) * sizeof *phi);
    dew_shallow_fill(g, wide, 0, phi);  // share is 0 where a step does not work
    dew_shallow_mirror(state, state->phi);
}
