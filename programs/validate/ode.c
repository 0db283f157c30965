// Explicit Runge-Kutta of order 5 with an embedded estimate of order 4 [DormandPrince1980].
//
// The step follows the estimate (standard control, factors between 1/5 and 5). An event is located
// by looking for the step's length that ends on it: the last step is taken anew with that length,
// so the point found is as accurate as any other, unlike one from an interpolant.
#include "validate/ode.h"

#include "validate/root.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define ORDER     5
#define MAX_STEPS 1000000  // of one integration
#define SAFETY    0.9      // of the step that the error estimate allows, [Hairer1993] eq. (II.4.13)

// Butcher's table; the last row is the solution of order 5, `e` its difference to that of order 4.
static const double c[] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
enum { STAGES = sizeof c / sizeof *c };
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double e[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                 -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

dew_Ode dew_ode(dew_OdeRate rate, const void *context, int count, double first_step,
                double tolerance)
{
    assert(count > 0 && count <= DEW_ODE_MAX && first_step != 0 && tolerance > 0);
    dew_Ode ode = {.rate = rate,
                   .context = context,
                   .count = count,
                   .tolerance = tolerance,
                   .step = first_step};
    for (int i = 0; i < DEW_ODE_MAX; i++)
        ode.scale[i] = 1;
    return ode;
}

// One step of length h from (t, y) to y_new; returns the error estimate over what is allowed.
static double try_step(const dew_Ode *ode, double h, double *y_new)
{
    double k[STAGES][DEW_ODE_MAX];
    for (int s = 0; s < STAGES; s++) {
        for (int i = 0; i < ode->count; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++)
                sum += a[s][j] * k[j][i];
            y_new[i] = ode->y[i] + h * sum;
        }
        ode->rate(ode->context, ode->t + c[s] * h, y_new, k[s]);
    }
    double worst = 0;
    for (int i = 0; i < ode->count; i++) {
        double error = 0;
        for (int s = 0; s < STAGES; s++)
            error += e[s] * k[s][i];
        double size = fmax(fabs(ode->y[i]), fabs(y_new[i])) + ode->scale[i];
        double ratio = fabs(h * error) / (ode->tolerance * size);
        worst = ratio <= worst ? worst : ratio;  // a NaN stays
    }
    return worst;
}

// One accepted step, not beyond t_end; *done is its length. The point does not move yet.
static dew_Status accept_step(dew_Ode *ode, double t_end, double *done, double *y_new)
{
    double left = t_end - ode->t;
    for (int halvings = 0; halvings < 200; halvings++) {
        bool is_last = fabs(ode->step) >= fabs(left);
        double h = is_last ? left : ode->step;
        double ratio = try_step(ode, h, y_new);
        double least = 1.0 / 5, factor = isnan(ratio) ? least : SAFETY * pow(ratio, -1.0 / ORDER);
        factor = fmin(1 / least, fmax(least, factor));
        *done = h;
        if (ratio <= 1) {
            if (!is_last || factor < 1)  // a step cut short says little about the next
                ode->step = h * factor;
            return dew_ok();
        }
        ode->step = h * factor;
        if (fabs(ode->step) <= 4 * DBL_EPSILON * fabs(ode->t))
            break;
    }
    return dew_fail(DEW_DIVERGED, "the integration is stuck at %g: no step is short enough",
                    ode->t);
}

static void move(dew_Ode *ode, double h, double t_end, const double *y_new)
{
    ode->t = h == t_end - ode->t ? t_end : ode->t + h;
    memcpy(ode->y, y_new, (size_t)ode->count * sizeof *y_new);
}

static dew_Status check_end(const dew_Ode *ode, double t_end)
{
    if (!isfinite(t_end) || (t_end - ode->t) * ode->step < 0)
        return dew_fail(DEW_BAD_INPUT, "steps of %g do not lead from %g to %g", ode->step, ode->t,
                        t_end);
    return dew_ok();
}

dew_Status dew_ode_go(dew_Ode *ode, double t_end)
{
    bool is_found;
    return dew_ode_go_to_event(ode, NULL, t_end, &is_found);
}

typedef struct Search {
    const dew_Ode *ode;
    dew_OdeEvent event;
} Search;

static double event_after(const void *context, double h)
{
    const Search *search = context;
    double y[DEW_ODE_MAX];
    if (h == 0)
        return search->event(search->ode->context, search->ode->t, search->ode->y);
    try_step(search->ode, h, y);
    return search->event(search->ode->context, search->ode->t + h, y);
}

// The length of the step that ends on the event, or a rounding error behind it: there the event has
// the sign of `after`, so that going on from there does not find it again.
static dew_Status find_event(const dew_Ode *ode, dew_OdeEvent event, double after, double *h)
{
    Search search = {ode, event};
    double limit = *h;
    DEW_TRY(dew_root_find(event_after, &search, 0, limit, 0, h));
    double nudge = copysign(DBL_EPSILON * fmax(fabs(*h), fabs(ode->t)), limit);
    while (!(event_after(&search, *h) * after > 0) && fabs(*h) < fabs(limit)) {
        *h = fabs(*h + nudge) < fabs(limit) ? *h + nudge : limit;
        nudge *= 2;
    }
    return dew_ok();
}

dew_Status dew_ode_go_to_event(dew_Ode *ode, dew_OdeEvent event, double t_end, bool *is_found)
{
    *is_found = false;
    DEW_TRY(check_end(ode, t_end));
    double before = event ? event(ode->context, ode->t, ode->y) : 0;
    for (int n = 0; ode->t != t_end; n++) {
        double h, y_new[DEW_ODE_MAX];
        if (n == MAX_STEPS)
            return dew_fail(DEW_DIVERGED, "%d steps have led only to %g", MAX_STEPS, ode->t);
        DEW_TRY(accept_step(ode, t_end, &h, y_new));
        double after = event ? event(ode->context, ode->t + h, y_new) : 0;
        if (before * after < 0) {
            DEW_TRY(find_event(ode, event, after, &h));
            try_step(ode, h, y_new);
            *is_found = true;
            move(ode, h, t_end, y_new);
            return dew_ok();
        }
        move(ode, h, t_end, y_new);
        before = after != 0 ? after : before;  // on the event to the bit: the sign decides later
    }
    return dew_ok();
}
