// Zeros and extremes of a decaying oscillation.
#include "validate/ringing.h"

#include <math.h>

#define PER_PERIOD 40

static void note_peak(dew_Ringing *s)
{
    // The parabola through three samples an equal time apart.
    double bend = s->a[0] - 2 * s->a[1] + s->a[2], slope = 0.5 * (s->a[2] - s->a[0]);
    double offset = -slope / bend;
    if (s->peaks == DEW_RINGING_PEAKS)
        return;
    s->peak_s[s->peaks] = s->t[1] + offset * (s->t[2] - s->t[1]);
    s->peak[s->peaks++] = fabs(s->a[1] + 0.5 * slope * offset);
}

void dew_ringing_add(dew_Ringing *s, double t, double a)
{
    for (int i = 0; i < 2; i++) {
        s->t[i] = s->t[i + 1];
        s->a[i] = s->a[i + 1];
    }
    s->t[2] = t;
    s->a[2] = a;
    if (++s->samples < 3)
        return;
    if (s->a[1] * s->a[2] < 0) {
        s->last_zero_s = t - (t - s->t[1]) * a / (a - s->a[1]);
        s->first_zero_s = s->zeros++ == 0 ? s->last_zero_s : s->first_zero_s;
    }
    if ((s->a[1] - s->a[0]) * (s->a[2] - s->a[1]) < 0)
        note_peak(s);
}

dew_Status dew_ringing_follow(dew_Ringing *ringing, dew_Stage *stage, double period_s,
                              double periods)
{
    for (int i = 0; i <= periods * PER_PERIOD; i++) {
        dew_View view;
        if (i > 0)
            DEW_TRY(dew_world_step_to(stage->world, i * period_s / PER_PERIOD));
        DEW_TRY(dew_stage_look(stage, &view));
        dew_ringing_add(ringing, view.stats.time_s,
                        view.moment_yy_m2 - 0.5 * (view.moment_xx_m2 + view.moment_zz_m2));
    }
    return dew_ok();
}

// Slope of the line through the logarithms of the amplitudes, negated.
double dew_ringing_decay(const dew_Ringing *s)
{
    double n = 0, t = 0, y = 0, tt = 0, ty = 0;
    if (s->peaks < 4)
        return (double)NAN;
    for (int i = 1; i + 1 < s->peaks; i++) {
        double amplitude = 0.5 * s->peak[i] + 0.25 * (s->peak[i - 1] + s->peak[i + 1]);
        n++;
        t += s->peak_s[i];
        y += log(amplitude);
        tt += s->peak_s[i] * s->peak_s[i];
        ty += s->peak_s[i] * log(amplitude);
    }
    return -(n * ty - t * y) / (n * tt - t * t);
}

double dew_ringing_omega(const dew_Ringing *s)
{
    return s->zeros < 2 ? (double)NAN
                        : DEW_PI * (s->zeros - 1) / (s->last_zero_s - s->first_zero_s);
}
