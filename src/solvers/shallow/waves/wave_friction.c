// Friction of the ground, and of the wind over the surface.
//
//     du/dt = -nu u / (D (D / 3 + l)) - drag |u| u / D + c rho_air |a - u| (a - u) / (rho D)
//
// First term: parabolic profile of a film over ground of slip length l [Oron1997]. Second: rough
// ground under turbulent flow. Third: wind of velocity a, c = DEW_SHALLOW_WIND_DRAG [Smith1980].
// All are implicit: however thin the liquid, it comes to rest and does not turn back.
#include "base/simd.h"
#include "base/status.h"
#include "problem/wind.h"
#include "solvers/shallow/waves/waves.h"

typedef struct Work {
    const dew_SolverState *state;
    double dt, nu, drag;
    double wind_x, wind_z;  // m/s
    double wind;            // rho_air c / rho; 0: no wind
} Work;

// One kind of velocity along a row. `other` is the other component near the faces, from four of its
// faces.
DEW_BODY void slow_row(const Work *w, double *u, const double *other, double along, double across,
                       int64_t n, int count, int64_t d, int64_t e)
{
    const dew_SolverState *s = w->state;
    const double *depth = s->depth + n, *slip = s->slip + n, dry = s->params.dry_m;
    u += n, other += n;
    for (int i = 0; i < count; i++) {
        double mean = 0.5 * (depth[i] + depth[i - d]), l = 0.5 * (slip[i] + slip[i - d]);
        double safe = mean > dry ? mean : dry;
        double v = 0.25 * (other[i] + other[i - d] + other[i + e] + other[i - d + e]);
        double speed = sqrt(u[i] * u[i] + v * v);
        double rate = w->nu / (safe * (safe / 3 + l)) + w->drag * speed / safe;
        double ax = along - u[i], az = across - v;
        double pull = w->wind * sqrt(ax * ax + az * az) / safe;
        pull = mean > dry ? pull : 0;
        u[i] = (u[i] + w->dt * pull * along) / (1 + w->dt * (rate + pull));
    }
}

DEW_BODY dew_Status slow_body(void *context, int64_t begin, int64_t end)
{
    const Work *w = context;
    const dew_SolverState *s = w->state;
    const dew_ShallowGrid *g = &s->grid;
    for (int row = (int)begin; row < (int)end; row++) {
        const dew_WaveRun *runs = dew_wave_runs(s, row);
        for (int r = 0; r < s->work.run_count[row]; r++) {
            int from = runs[r].begin, first = from > 0 ? from : 1;
            slow_row(w, s->u, s->work.w, w->wind_x, w->wind_z, dew_shallow_at(g, first, row),
                     runs[r].end - first, 1, g->stride);
            if (g->has_z && row > 0)
                slow_row(w, s->w, s->work.u, w->wind_z, w->wind_x, dew_shallow_at(g, from, row),
                         runs[r].end - from, g->stride, 1);
        }
    }
    return dew_ok();
}
DEW_WIDE_CHUNK(slow)

dew_Status dew_wave_apply_friction(dew_ShallowFlow *flow)
{
    const dew_SolverState *s = flow->state;
    dew_Vec3 wind = flow->step->instant->wind_m_s;
    bool has_wind = wind.x != 0 || wind.z != 0;
    Work work = {.state = s,
                 .dt = flow->dt_s,
                 .nu = s->params.nu_m2_s,
                 .drag = s->params.drag,
                 .wind_x = wind.x,
                 .wind_z = wind.z,
                 .wind =
                     has_wind ? DEW_SHALLOW_WIND_DRAG * DEW_AIR_DENSITY / s->params.rho_kg_m3 : 0};
    if (!(work.nu > 0) && !(work.drag > 0) && !has_wind)
        return dew_ok();
    return dew_shallow_rows(s, slow, &work);
}
