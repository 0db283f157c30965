// Modes of a free drop and of a liquid cylinder.
//
// The viscous mode. Amplitudes go as exp(-lambda t) Y_n; lengths in radii, kinematic viscosity nu,
// and x^2 = lambda R^2 / nu. The velocity is a potential part A grad(r^n Y) and a poloidal part B
// curl curl(r j_n(x r) Y); only the first carries pressure, rho lambda A r^n Y. With N = n (n + 1),
// B scaled so that j_n = 1 at the surface, and D = x j_n'(x) / j_n(x), at r = 1
//     U_r  = n A + N B                     radial velocity
//     U_r' = n (n - 1) A + N (D - 1) B     its derivative in r
// The surface carries no shear, and its normal stress is that of the bent surface:
//     (2 n - 2) A + (2 N - 2 - 2 D - x^2) B = 0
//     x^2 A - 2 U_r' + (alpha^4 / n) U_r / x^2 = 0,     alpha^2 = omega_0 R^2 / nu
// with omega_0 of [Rayleigh1879]. Its root near that of weak viscosity is the mode of
// [MillerScriven1968] for an outer fluid without weight. D = n - x j_{n+1} / j_n by continued
// fraction.
#include "validate/drop_modes.h"

#include <assert.h>
#include <complex.h>
#include <math.h>

dew_DropMode dew_drop_mode_weakly_viscous(int n, double radius_m, double density_kg_m3,
                                          double viscosity_Pa_s, double sigma_N_m)
{
    assert(n >= 2 && radius_m > 0 && density_kg_m3 > 0);
    double R = radius_m;
    return (dew_DropMode){
        .omega_rad_s = sqrt(sigma_N_m * n * (n - 1) * (n + 2) / (density_kg_m3 * R * R * R)),
        .decay_1_s = (n - 1) * (2 * n + 1) * viscosity_Pa_s / (density_kg_m3 * R * R),
    };
}

// ---- viscous mode ------------------------------------------------------------------------------

// x j_n'(x) / j_n(x). j_{n+1} / j_n = 1 / (a_0 - 1 / (a_1 - ...)), a_m = (2 (n + m) + 3) / x; begun
// where the terms exceed |x| by far, for from there on it converges as fast as a power series.
static double complex log_derivative(int n, double complex x)
{
    int terms = 40 + (int)(2 * cabs(x));
    double complex ratio = 0;
    for (int m = terms; m >= 0; m--)
        ratio = 1 / ((2.0 * (n + m) + 3) / x - ratio);
    return n - x * ratio;
}

// The normal stress that is left over, as a function of z = x^2; zero for a mode. Divided by the
// coefficient that grows with x, so that it is of the order of z.
static double complex excess(int n, double alpha4, double complex z)
{
    double complex D = log_derivative(n, csqrt(z));
    double N = n * (n + 1.0);
    double complex B = -(2.0 * n - 2) / (2 * N - 2 - 2 * D - z);  // for A = 1
    double complex U = n + N * B, U_r = n * (n - 1.0) + N * (D - 1) * B;
    return z * z - 2 * z * U_r + alpha4 / n * U;
}

dew_Status dew_drop_mode_viscous(int n, double radius_m, double density_kg_m3,
                                 double viscosity_Pa_s, double sigma_N_m, dew_DropMode *out)
{
    dew_DropMode weak =
        dew_drop_mode_weakly_viscous(n, radius_m, density_kg_m3, viscosity_Pa_s, sigma_N_m);
    double unit = viscosity_Pa_s / (density_kg_m3 * radius_m * radius_m);  // of lambda, 1/s
    double alpha4 = pow(weak.omega_rad_s / unit, 2);
    // Secants in the complex plane, from the mode of weak viscosity.
    const double complex i_unit = (double complex)I;
    double complex z0 = (weak.decay_1_s + i_unit * weak.omega_rad_s) / unit, z1 = z0 * (1 + 1e-3);
    double complex f0 = excess(n, alpha4, z0), f1 = excess(n, alpha4, z1);
    for (int i = 0; i < 60 && cabs(z1 - z0) > 1e-13 * cabs(z1); i++) {
        double complex z2 = z1 - f1 * (z1 - z0) / (f1 - f0);
        z0 = z1;
        f0 = f1;
        z1 = z2;
        f1 = excess(n, alpha4, z1);
    }
    *out = (dew_DropMode){.omega_rad_s = fabs(cimag(z1)) * unit, .decay_1_s = creal(z1) * unit};
    bool is_mode = cabs(f1) < 1e-8 * cabs(z1 * z1) && out->omega_rad_s > 1e-6 * weak.omega_rad_s;
    return is_mode ? dew_ok()
                   : dew_fail(DEW_BAD_INPUT, "mode %d of a drop of radius %g m does not oscillate",
                              n, radius_m);
}

// ---- cylinder ----------------------------------------------------------------------------------

// I_1(x) / I_0(x) by their power series, whose terms are all positive.
static double bessel_ratio(double x)
{
    double term = 1, zero = 0, one = 0;
    for (int m = 0; term > 1e-18 * zero; m++) {
        zero += term;
        one += term * (x / 2) / (m + 1);
        term *= (x / 2) * (x / 2) / ((m + 1.0) * (m + 1.0));
    }
    return one / zero;
}

double dew_cylinder_growth_1_s(double wavelength_m, double radius_m, double density_kg_m3,
                               double sigma_N_m)
{
    double R = radius_m, x = 2 * DEW_PI * R / wavelength_m;
    double growth2 = sigma_N_m / (density_kg_m3 * R * R * R) * x * bessel_ratio(x) * (1 - x * x);
    return growth2 > 0 ? sqrt(growth2) : 0;
}

// With u = grad(I_0(k r) cos(k y)), x = k R: the dissipation, mu times the flux of grad(u^2) out of
// the surface, over four times the kinetic energy.
double dew_cylinder_damping_1_s(double wavelength_m, double radius_m, double viscosity_m2_s)
{
    double k = 2 * DEW_PI / wavelength_m, x = k * radius_m;
    return viscosity_m2_s * k * k * (2 - bessel_ratio(x) / x);
}

double dew_cylinder_breakup_s(double growth_1_s, double radius_m, double amplitude_m)
{
    return acosh(radius_m / amplitude_m) / growth_1_s;
}
