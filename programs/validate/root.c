// Bracketed roots by inverse quadratic interpolation, with bisection where that cannot be trusted
// [Chandrupatla1997].
//
// The bracket shrinks at every evaluation and never loses the change of sign; interpolation is
// taken only where the three last points show f to be monotonic enough. Limits: a pole that changes
// sign is taken for a root.
#include "validate/root.h"

#include <float.h>
#include <math.h>

#define MAX_EVALUATIONS 200  // bisection alone needs fewer than 64 for any scale of practical use

typedef struct Bracket {
    double x1, f1;  // the newest point
    double x2, f2;  // on the other side of the root
    double x3, f3;  // the point that was dropped last
} Bracket;

// Where to evaluate next, as a fraction of the interval from x1 to x2.
static double next_part(const Bracket *b)
{
    double xi = (b->x1 - b->x2) / (b->x3 - b->x2);
    double phi = (b->f1 - b->f2) / (b->f3 - b->f2);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
        return 0.5;
    return b->f1 / (b->f2 - b->f1) * b->f3 / (b->f2 - b->f3) +
           (b->x3 - b->x1) / (b->x2 - b->x1) * b->f1 / (b->f3 - b->f1) * b->f2 / (b->f3 - b->f2);
}

static void take(Bracket *b, double x, double f)
{
    bool is_same_side = (f > 0) == (b->f1 > 0);
    b->x3 = is_same_side ? b->x1 : b->x2;
    b->f3 = is_same_side ? b->f1 : b->f2;
    if (!is_same_side) {
        b->x2 = b->x1;
        b->f2 = b->f1;
    }
    b->x1 = x;
    b->f1 = f;
}

dew_Status dew_root_find(dew_RootFunction f, const void *context, double a, double b,
                         double tolerance, double *out)
{
    Bracket w = {.x1 = b, .f1 = f(context, b), .x2 = a, .f2 = f(context, a)};
    *out = w.f1 == 0 ? b : a;
    if (w.f1 == 0 || w.f2 == 0)
        return dew_ok();
    if (!((w.f1 > 0) != (w.f2 > 0)) || isnan(w.f1) || isnan(w.f2))
        return dew_fail(DEW_BAD_INPUT, "no change of sign between %g (%g) and %g (%g)", a, w.f2, b,
                        w.f1);
    double part = 0.5;
    for (int i = 0; i < MAX_EVALUATIONS; i++) {
        double x = w.x1 + part * (w.x2 - w.x1), y = f(context, x);
        if (isnan(y))
            return dew_fail(DEW_BAD_INPUT, "not a number at %g, while looking for a root", x);
        take(&w, x, y);
        *out = fabs(w.f2) < fabs(w.f1) ? w.x2 : w.x1;
        double near = (2 * DBL_EPSILON * fabs(*out) + 0.5 * tolerance) / fabs(w.x2 - w.x1);
        if (near > 0.5 || y == 0)
            return dew_ok();
        part = fmin(fmax(next_part(&w), near), 1 - near);
    }
    return dew_fail(DEW_DIVERGED, "no root to within %g after %d evaluations", tolerance,
                    MAX_EVALUATIONS);
}
