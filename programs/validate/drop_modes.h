/// How a free drop rings: frequency and decay of its modes, and how a liquid cylinder breaks up.
#pragma once

#include "dew/base.h"

/// A mode of a free drop: its amplitude goes as cos(omega t) exp(-decay t).
typedef struct dew_DropMode {
    double omega_rad_s;
    double decay_1_s;
} dew_DropMode;

/// Without viscosity [Rayleigh1879], with the decay of weak viscosity [Lamb1932]. n >= 2.
dew_DropMode dew_drop_mode_weakly_viscous(int n, double radius_m, double density_kg_m3,
                                          double viscosity_Pa_s, double sigma_N_m);
/// The mode of a viscous drop in a gas without weight, exact for small amplitudes
/// [MillerScriven1968]: the late ringing, once vorticity has spread. Fails where it does not
/// oscillate.
dew_Status dew_drop_mode_viscous(int n, double radius_m, double density_kg_m3,
                                 double viscosity_Pa_s, double sigma_N_m, dew_DropMode *out);

/// Growth rate of a wave on a liquid cylinder at rest, without viscosity [Rayleigh1878]. Zero for
/// waves shorter than the circumference, which do not grow.
double dew_cylinder_growth_1_s(double wavelength_m, double radius_m, double density_kg_m3,
                               double sigma_N_m);
/// Half the rate at which a weak viscosity takes energy from that wave, from the dissipation of its
/// potential flow: the growth becomes hypot(growth, damping) - damping.
double dew_cylinder_damping_1_s(double wavelength_m, double radius_m, double viscosity_m2_s);
/// When a wave of that growth, at rest with this amplitude at the start, has reached the axis by
/// the linear theory: amplitude cosh(growth t) = radius.
double dew_cylinder_breakup_s(double growth_1_s, double radius_m, double amplitude_m);
