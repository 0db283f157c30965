// The contact-angle model that all solvers share.
//
// A line rests at any angle between the receding and the advancing one [Wang2005, section 6]. We
// treat that interval as plasticity treats its yield surface: a trial angle (or force) is returned
// to the nearest admissible one; inside, the line is pinned and the angle free; at a bound it moves
// at exactly that angle, driven by Young's force sigma (cos target - cos theta), which is what
// remains of the three tensions [DeGennes1985].
//
// differs: [Zhang2011] eq. (8) pushes with alpha (theta - bound). To first order that is Young's
// force with alpha = sigma sin(bound); we take the whole of it, so that rest shapes are
// Young-Laplace's.
//
// Limits: what a moving line's angle is at its speed, moving_line.c says.
#include "wetting/contact_angle.h"

#include "base/status.h"
#include "geom/vec.h"

bool dew_contact_is_valid(const dew_MaterialDef *material)
{
    return 0 <= material->receding_rad && material->receding_rad <= material->wet_advancing_rad &&
           material->wet_advancing_rad <= material->advancing_rad &&
           material->advancing_rad <= DEW_PI;
}

dew_AngleInterval dew_contact_interval(const dew_MaterialDef *material, double wetness)
{
    DEW_ASSERT(dew_contact_is_valid(material));
    return (dew_AngleInterval){
        .receding_rad = material->receding_rad,
        .advancing_rad = wetness > 0 ? material->wet_advancing_rad : material->advancing_rad,
    };
}

dew_ContactReturn dew_contact_return(dew_AngleInterval interval, double sigma_N_m,
                                     double max_receding_N_m, double trial_rad)
{
    DEW_ASSERT(interval.receding_rad <= interval.advancing_rad && max_receding_N_m >= 0);
    dew_ContactReturn out = {trial_rad, trial_rad, 0, DEW_LINE_PINNED};
    if (trial_rad > interval.advancing_rad) {
        out.state = DEW_LINE_ADVANCING;
        out.angle_rad = out.target_rad = interval.advancing_rad;
        out.force_N_m = sigma_N_m * (cos(out.target_rad) - cos(trial_rad));
    } else if (trial_rad < interval.receding_rad) {
        out.state = DEW_LINE_RECEDING;
        out.angle_rad = out.target_rad = interval.receding_rad;
        out.force_N_m = sigma_N_m * (cos(out.target_rad) - cos(trial_rad));
        if (out.force_N_m < -max_receding_N_m) {
            // [Wang2005] section 8: a bound on the receding tension leaves longer trails.
            out.force_N_m = -max_receding_N_m;
            out.target_rad = acos(cos(trial_rad) - max_receding_N_m / sigma_N_m);
        }
    }
    return out;
}

dew_ContactReturn dew_contact_return_force(dew_AngleInterval interval, double sigma_N_m,
                                           double max_receding_N_m, double pull_N_m)
{
    DEW_ASSERT(interval.receding_rad <= interval.advancing_rad && max_receding_N_m >= 0);
    double least = sigma_N_m * cos(interval.advancing_rad);
    double most = sigma_N_m * cos(interval.receding_rad);
    dew_ContactReturn out = {0, 0, 0, DEW_LINE_PINNED};
    if (pull_N_m + least > 0) {
        out.state = DEW_LINE_ADVANCING;
        out.angle_rad = out.target_rad = interval.advancing_rad;
        out.force_N_m = pull_N_m + least;
    } else if (pull_N_m + most < 0) {
        out.state = DEW_LINE_RECEDING;
        out.angle_rad = interval.receding_rad;
        out.force_N_m = fmax(pull_N_m + most, -max_receding_N_m);
        // The bound may ask for more than full wetting gives; the angle stops at 0, the force does
        // not.
        out.target_rad = acos(fmin((out.force_N_m - pull_N_m) / sigma_N_m, 1));
    } else {
        double held = fmax(-1, fmin(-pull_N_m / sigma_N_m, 1));  // beyond +-1 by rounding only
        out.angle_rad = out.target_rad = acos(held);
    }
    return out;
}

double dew_contact_angle_by_speed(dew_AngleInterval interval, double line_speed_m_s,
                                  double threshold_m_s)
{
    if (line_speed_m_s > threshold_m_s)
        return interval.advancing_rad;
    if (line_speed_m_s < -threshold_m_s)
        return interval.receding_rad;
    return (double)NAN;
}

double dew_contact_static_pressure(double receding_Pa, double advancing_Pa)
{
    if (advancing_Pa < 0)
        return advancing_Pa;
    return receding_Pa > 0 ? receding_Pa : 0;
}

// differs: [Zhang2011] eq. (2) takes epsilon off at every step, so that halving the step doubles
// the friction. Here the loss is proportional to the time.
dew_Vec3 dew_contact_friction(dew_Vec3 velocity_m_s, double friction, double dt_s)
{
    double speed = dew_length(velocity_m_s);
    double loss = friction * dt_s / DEW_FRICTION_STEP_S;
    if (!(speed > loss))
        return (dew_Vec3){0, 0, 0};
    return dew_scale(1 - loss / speed, velocity_m_s);
}

// sigma cos(theta) is the energy a unit area gains by being wetted, so a patchwork of two materials
// has the mean cosine, not the mean angle [Cassie1944].
static double blend_angle(double a_rad, double b_rad, double w)
{
    return acos(fmax(-1, fmin((1 - w) * cos(a_rad) + w * cos(b_rad), 1)));
}

// Quantities for which infinity means "none of it" act through their inverses: drag per slip speed
// is viscosity over slip length, drying goes at a rate. Zero on either side stays zero.
static double blend_inverse(double a, double b, double w)
{
    return 1 / ((1 - w) / a + w / b);
}

dew_MaterialDef dew_material_blend(const dew_MaterialDef *a, const dew_MaterialDef *b, double w)
{
    if (!(w > 0))
        return *a;
    if (w >= 1)
        return *b;
    dew_MaterialDef out = *a;
    out.advancing_rad = blend_angle(a->advancing_rad, b->advancing_rad, w);
    // fmin: rounding in acos must not disturb the order of the three.
    out.wet_advancing_rad =
        fmin(blend_angle(a->wet_advancing_rad, b->wet_advancing_rad, w), out.advancing_rad);
    out.receding_rad =
        fmin(blend_angle(a->receding_rad, b->receding_rad, w), out.wet_advancing_rad);
    out.max_receding_tension_N_m =
        blend_inverse(a->max_receding_tension_N_m, b->max_receding_tension_N_m, w);
    out.slip_m = blend_inverse(a->slip_m, b->slip_m, w);
    out.friction = (1 - w) * a->friction + w * b->friction;
    out.dries_after_s = blend_inverse(a->dries_after_s, b->dries_after_s, w);
    // Models do not mix: that of the larger part holds. Slip lengths act through their logarithm.
    out.dynamic_angle = w < 0.5 ? a->dynamic_angle : b->dynamic_angle;
    out.slip_length_m = pow(a->slip_length_m, 1 - w) * pow(b->slip_length_m, w);
    out.jump_length_m = (1 - w) * a->jump_length_m + w * b->jump_length_m;
    out.jump_frequency_Hz = pow(a->jump_frequency_Hz, 1 - w) * pow(b->jump_frequency_Hz, w);
    return out;
}
