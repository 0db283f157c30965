// Integrals over the balls, summed exactly: the same bits in any order.
#include "base/sum.h"
#include "solvers/rigid/rigid_state.h"

enum { VOLUME, AREA, KINETIC, X, Y, Z, VX, VY, VZ, SUM_COUNT };

static void add_ball(dew_ExactSum *sum, dew_Vec3 x, dew_Vec3 v, dew_Vec3 w, double r)
{
    double volume = dew_ball_volume(r);
    dew_exact_add(&sum[VOLUME], volume);
    dew_exact_add(&sum[AREA], 4 * DEW_PI * r * r);
    dew_exact_add(&sum[KINETIC], volume * (0.5 * dew_length2(v) + 0.2 * r * r * dew_length2(w)));
    dew_exact_add(&sum[X], volume * x.x);
    dew_exact_add(&sum[Y], volume * x.y);
    dew_exact_add(&sum[Z], volume * x.z);
    dew_exact_add(&sum[VX], volume * v.x);
    dew_exact_add(&sum[VY], volume * v.y);
    dew_exact_add(&sum[VZ], volume * v.z);
}

void dew_rigid_measure(const dew_Problem *problem, const dew_SolverState *state,
                       const dew_Moment *moment, dew_Measure *out)
{
    (void)problem;
    int64_t count = dew_ball_count(state);
    const dew_Vec3 *x = DEW_ITEMS(&state->position, dew_Vec3);
    const dew_Vec3 *v = DEW_ITEMS(&state->velocity, dew_Vec3);
    const dew_Vec3 *w = DEW_ITEMS(&state->spin, dew_Vec3);
    const double *r = DEW_ITEMS(&state->radius, double);
    dew_ExactSum sum[SUM_COUNT];
    for (int k = 0; k < SUM_COUNT; k++)
        dew_exact_init(&sum[k]);
    // A ball touches at a point: no contact area, no contact line.
    *out = (dew_Measure){.top_m = (double)NAN,
                         .contact_angle_rad = (double)NAN,
                         .contact_angle_min_rad = (double)NAN,
                         .contact_angle_max_rad = (double)NAN,
                         .drops = count,
                         .elements = count};
    for (int64_t i = 0; i < count; i++) {
        add_ball(sum, x[i], v[i], w[i], r[i]);
        out->top_m = fmax(out->top_m, x[i].y + r[i]);
        double speed = dew_length(v[i]);  // fmax would hide a NaN from the checks
        out->max_speed_m_s = speed <= out->max_speed_m_s ? out->max_speed_m_s : speed;
    }
    double total[SUM_COUNT];
    for (int k = 0; k < SUM_COUNT; k++)
        total[k] = dew_exact_round(&sum[k]);
    out->volume_m3 = total[VOLUME];
    out->area_m2 = total[AREA];
    out->kinetic_J = state->density_kg_m3 * total[KINETIC];
    out->surface_J = state->tension_N_m * total[AREA];
    dew_Vec3 moment_of_volume = dew_vec(total[X], total[Y], total[Z]);
    out->gravity_J = -state->density_kg_m3 * dew_inner(moment->gravity_m_s2, moment_of_volume);
    if (total[VOLUME] > 0) {
        out->center_m = dew_scale(1 / total[VOLUME], moment_of_volume);
        out->velocity_m_s = dew_scale(1 / total[VOLUME], dew_vec(total[VX], total[VY], total[VZ]));
    }
}
