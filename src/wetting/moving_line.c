// The moving contact line: its apparent angle as a function of its speed, for all solvers.
//
//            air            theta_m: microscopic angle, at the distance lambda (slip length) from
//       ____                         the line: advancing or receding by the direction of motion
//           '.  theta_d     theta_d: apparent angle, at the distance L
//    liquid   \             u:       speed of the line, > 0 toward the air
//   ___________\__ u ->     Ca = mu u / sigma
//
// Cox and Voinov [Voinov1976, Cox1986]: viscous stresses of the flow in the wedge bend the surface
// between lambda and L,
//
//     g(theta_d) = g(theta_m) + Ca ln(L / lambda),    g'(x) = (x - sin x cos x) / (2 sin x).
//
// Force per length that the flow takes from the line, and its derivative by the speed:
//
//     f = sigma (cos theta_m - cos theta_d),    df/du = 2 mu ln(L / lambda) sin^2(theta_d) /
//                                                       (theta_d - sin(theta_d) cos(theta_d)).
//
// A receding line has a largest speed, Ca_c = g(theta_r) / ln(L / lambda), where theta_d = 0 and
// df/du is infinite.
//
// Molecular-kinetic theory [Blake1969, Blake2006]: see dew/wetting.h; no dependence on L.
//
// Limits: Ca well below 1, L / lambda large; the gas has no viscosity, so that an advancing line
// entrains no air. Inertia bends the surface too at impact speeds; the law leaves it out.
#include "dew/wetting.h"

#include "base/status.h"
#include "geom/vec.h"

// k T at 25 degrees Celsius, J.
#define THERMAL_ENERGY_J 4.116e-21
// rad: below it the cosine is continued as a straight line in the speed, 1e-3 to 0.1. The drag
// there is 3 mu ln(L / lambda) / MIN_ANGLE_RAD, which limits how far an implicit step exceeds the
// critical speed; the speed at which the continuation begins is below the critical one by the ratio
// (MIN_ANGLE_RAD / theta_m)^3, 1e-6 at 30 degrees.
#define MIN_ANGLE_RAD 5e-3

// Integral of y / sin y from 0 to a, 0 <= a <= pi/2: Gauss-Legendre of ten points. The nearest
// singularity is pi, so the error is below (3 + sqrt 8)^-20 = 5e-16.
static double integral_of_y_over_sin(double a)
{
    static const double node[5] = {0.14887433898163122, 0.43339539412924719, 0.67940956829902441,
                                   0.86506336668898451, 0.97390652851717172};
    static const double weight[5] = {0.29552422471475287, 0.26926671930999636, 0.21908636251598204,
                                     0.14945134915058059, 0.06667134430868814};
    double half = 0.5 * a, sum = 0;
    for (int k = 0; k < 5; k++) {
        double low = half * (1 - node[k]), high = half * (1 + node[k]);
        sum += weight[k] * ((low > 0 ? low / sin(low) : 1) + (high > 0 ? high / sin(high) : 1));
    }
    return half * sum;
}

// g = (1/2) integral of x / sin x - (1/2) sin theta. Beyond pi/2, with y = pi - x,
// x / sin x = pi / sin y - y / sin y, whose first part integrates to -pi ln tan(y / 2).
double dew_cox_integral(double angle_rad)
{
    DEW_ASSERT(angle_rad >= 0);
    double theta = fmin(angle_rad, DEW_PI);
    if (theta < 0.02)  // the next term of the series is 1e-9 of it at most
        return theta * theta * theta / 9 * (1 - theta * theta / 50);
    if (theta <= 0.5 * DEW_PI)
        return 0.5 * (integral_of_y_over_sin(theta) - sin(theta));
    double y = DEW_PI - theta, quarter = integral_of_y_over_sin(0.5 * DEW_PI);
    double beyond = quarter - integral_of_y_over_sin(y);
    return 0.5 * (quarter - DEW_PI * log(tan(0.5 * y)) - beyond - sin(theta));
}

static double cox_slope(double theta)
{
    if (theta < 1e-3)
        return theta * theta / 3;
    return (theta - sin(theta) * cos(theta)) / (2 * sin(theta));
}

double dew_cox_angle(double value)
{
    if (!(value > 0))
        return 0;
    // Both starts are exact in their limit: theta^3 / 9 and two terms more, the second fitted,
    // within 5e-4 up to 1.5 rad; and pi - 2 exp(-2 g / pi).
    double x = cbrt(9 * value), x2 = x * x;
    // Newton's error is squared by a step; near pi the factor is large.
    double enough = value < 0.5 ? 3e-7 : 1e-13;
    double low = 0, high = DEW_PI,
           theta = fmin(x * (1 + x2 / 150 - 6.3e-4 * x2 * x2), 0.75 * DEW_PI);
    if (value > 2)
        theta = DEW_PI - 2 * exp(-2 * value / DEW_PI);
    for (int n = 0; n < 60 && theta < DEW_PI; n++) {
        double error = dew_cox_integral(theta) - value;
        if (error > 0)
            high = theta;
        else
            low = theta;
        double next = theta - error / cox_slope(theta);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        bool is_done = fabs(next - theta) <= enough * theta;
        theta = next;
        if (is_done)
            break;
    }
    return theta;
}

dew_LineLaw dew_line_law(const dew_MaterialDef *material, double viscosity_Pa_s,
                         double surface_tension_N_m)
{
    return (dew_LineLaw){.kind = material->dynamic_angle,
                         .viscosity_Pa_s = viscosity_Pa_s,
                         .surface_tension_N_m = surface_tension_N_m,
                         .slip_length_m = material->slip_length_m,
                         .jump_length_m = material->jump_length_m,
                         .jump_frequency_Hz = material->jump_frequency_Hz};
}

// mu ln(L / lambda): nothing is bent within the slip length.
static double bending_Pa_s(const dew_LineLaw *law, double distance_m)
{
    double ratio = distance_m / law->slip_length_m;
    return ratio > 1 ? law->viscosity_Pa_s * log(ratio) : 0;
}

static double wedge_drag(double bending, double theta)
{
    return bending * sin(theta) / cox_slope(theta);
}

static dew_LineAngle cox_voinov(const dew_LineLaw *law, double theta_m, double u, double L)
{
    double sigma = law->surface_tension_N_m, bending = bending_Pa_s(law, L);
    if (!(bending > 0))
        return (dew_LineAngle){theta_m, cos(theta_m), 0};
    double least = dew_cox_integral(fmin(theta_m, MIN_ANGLE_RAD));
    double wanted = dew_cox_integral(theta_m) + bending * u / sigma;
    double theta = dew_cox_angle(fmax(wanted, least));
    double drag = wedge_drag(bending, fmax(theta, MIN_ANGLE_RAD)), cosine = cos(theta);
    if (wanted < least) {
        cosine += drag * (least - wanted) / bending;
        theta = cosine < 1 ? acos(cosine) : 0;
    }
    return (dew_LineAngle){theta, cosine, drag};
}

static dew_LineAngle molecular_kinetic(const dew_LineLaw *law, double theta_m, double u)
{
    double l = law->jump_length_m, sigma = law->surface_tension_N_m;
    double speed = 2 * law->jump_frequency_Hz * l, force = 2 * THERMAL_ENERGY_J / (l * l);
    double cosine = cos(theta_m) - force * asinh(u / speed) / sigma;
    double drag = force / hypot(speed, u);
    return (dew_LineAngle){acos(fmax(-1, fmin(cosine, 1))), cosine, drag};
}

dew_LineAngle dew_line_angle(const dew_LineLaw *law, double microscopic_rad, double speed_m_s,
                             double distance_m)
{
    DEW_ASSERT(law->surface_tension_N_m > 0);
    switch (law->kind) {
    case DEW_ANGLE_COX_VOINOV:
        return cox_voinov(law, microscopic_rad, speed_m_s, distance_m);
    case DEW_ANGLE_MOLECULAR_KINETIC:
        return molecular_kinetic(law, microscopic_rad, speed_m_s);
    case DEW_ANGLE_STATIC:
        break;
    }
    return (dew_LineAngle){microscopic_rad, cos(microscopic_rad), 0};
}

double dew_line_critical_speed(const dew_LineLaw *law, double microscopic_rad, double distance_m)
{
    double sigma = law->surface_tension_N_m, bending = bending_Pa_s(law, distance_m);
    if (law->kind == DEW_ANGLE_COX_VOINOV && bending > 0)
        return sigma * dew_cox_integral(microscopic_rad) / bending;
    if (law->kind == DEW_ANGLE_MOLECULAR_KINETIC) {
        double l = law->jump_length_m, force = 2 * THERMAL_ENERGY_J / (l * l);
        return 2 * law->jump_frequency_Hz * l * sinh(sigma * (1 - cos(microscopic_rad)) / force);
    }
    return (double)INFINITY;
}
