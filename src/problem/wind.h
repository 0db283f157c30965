/// Wind: how the air presses on the side of a drop that faces it.
///
/// Where air of the velocity u relative to the surface comes against it, u.n < 0 with n out of the
/// liquid, it presses with (1/2) rho C (u.n)^2, and not elsewhere. Over a sphere this sums to a
/// drag coefficient of C / 2, so that C = 0.9 gives the 0.45 of spheres at the Reynolds numbers of
/// rain (1,000 to 10,000). Without wind there is no air: a drop falls freely. Limits: no wake, no
/// boundary layer, no shear.
#pragma once

#define DEW_AIR_DENSITY     1.2  // kg/m^3
#define DEW_AIR_COEFFICIENT 0.9

/// Pressure, from u.n.
static inline double dew_wind_pressure_Pa(double along_normal_m_s)
{
    return along_normal_m_s < 0
               ? 0.5 * DEW_AIR_DENSITY * DEW_AIR_COEFFICIENT * along_normal_m_s * along_normal_m_s
               : 0;
}
