// What World asks of a solver (solvers/solver.h) and the liquid alone answers: the rows that
// `volume` and `apic` have in common. The states of both begin with their liquid.
#include "base/status.h"
#include "solvers/free_surface/liquid.h"

static const dew_Liquid *liquid_of(const dew_SolverState *state)
{
    return (const dew_Liquid *)(const void *)state;
}

dew_Status dew_liquid_op_parameters(const dew_Problem *problem, dew_SolverState *state)
{
    return dew_liquid_parameters(problem, (dew_Liquid *)(void *)state);
}

double dew_liquid_op_max_step(const dew_Problem *problem, const dew_SolverState *state,
                              const dew_Instant *instant, const char **bound)
{
    return dew_liquid_max_step(problem, liquid_of(state), instant, bound);
}

double dew_liquid_op_step_at_speed(const dew_Problem *problem, const dew_SolverState *state,
                                   const dew_Instant *instant, double speed_m_s, const char **bound)
{
    (void)problem;
    return dew_liquid_step_when_turning(liquid_of(state), instant, speed_m_s, bound);
}

dew_Status dew_liquid_op_surface(const dew_Problem *problem, const dew_SolverState *state,
                                 const dew_Instant *instant, dew_Surface *out)
{
    return dew_liquid_surface(problem, liquid_of(state), instant, out);
}

void dew_liquid_op_wetness(const dew_Problem *problem, const dew_SolverState *state,
                           const dew_Instant *instant, int solid_id, const dew_Vec3 *rest_m,
                           int64_t count, float *out)
{
    dew_liquid_wetness_map(problem, liquid_of(state), instant, solid_id, rest_m, count, out);
}

dew_GridView dew_liquid_op_grid(const dew_SolverState *state)
{
    return dew_liquid_view(liquid_of(state));
}

void dew_liquid_op_field_views(const dew_SolverState *state, dew_FieldViews *out)
{
    dew_liquid_field_views(liquid_of(state), out);
}

dew_Status dew_liquid_op_volume_fractions(const dew_SolverState *state, double *out)
{
    return dew_liquid_fractions_only(liquid_of(state), out);
}

dew_Status dew_liquid_op_set_velocity(dew_SolverState *state, const dew_VelocityField *velocity,
                                      double time_s)
{
    return dew_liquid_set_velocity((dew_Liquid *)(void *)state, velocity, time_s);
}
