/// Ordinary differential equations y' = f(t, y), integrated with error control, and stopped where a
/// function of the solution changes sign.
///
/// Explicit: not for stiff systems. Plain data, no memory of its own; bit-identical on every run.
#pragma once

#include "dew/base.h"

#define DEW_ODE_MAX 8  // unknowns

/// Writes the rates y'[count].
typedef void (*dew_OdeRate)(const void *context, double t, const double *y, double *rate);
/// Zero where the integration is to stop.
typedef double (*dew_OdeEvent)(const void *context, double t, const double *y);

typedef struct dew_Ode {
    dew_OdeRate rate;
    const void *context;        // handed to rate and events
    int count;                  // unknowns
    double tolerance;           // error allowed per step, relative to |y| + scale
    double scale[DEW_ODE_MAX];  // size below which an unknown counts as small
    double t, y[DEW_ODE_MAX];   // where it stands
    double step;                // to be tried next; its sign is the direction
} dew_Ode;

/// With a scale of 1 for every unknown, t = 0 and y = 0: set what differs, then go.
dew_Ode dew_ode(dew_OdeRate rate, const void *context, int count, double first_step,
                double tolerance);
/// To t_end, exactly.
dew_Status dew_ode_go(dew_Ode *ode, double t_end);
/// To the first change of sign of the event behind the present point, or to t_end when there is
/// none (*is_found says). At the event t and y are those of the root, to rounding.
dew_Status dew_ode_go_to_event(dew_Ode *ode, dew_OdeEvent event, double t_end, bool *is_found);
