/// Axisymmetric drops at rest under gravity: sessile and hanging, by integrating the equation of
/// Young and Laplace along the profile [BashforthAdams1883].
///
/// Exact to the tolerance of the integration (relative 1e-11). Everything is per k = rho g / sigma,
/// the inverse square of the capillary length; k = 0 gives spherical caps.
#pragma once

#include "dew/base.h"

/// A drop that sits on a horizontal plane.
typedef struct dew_SessileDrop {
    double apex_radius_m;    // radius of curvature at the top
    double height_m;         // of the top above the plane
    double base_radius_m;    // of the wetted disk
    double widest_radius_m;  // where the profile is vertical; the base below 90 degrees
    double angle_rad;
    double volume_m3;
    double area_m2;          // between liquid and air
    double center_height_m;  // of the volume
} dew_SessileDrop;

/// rho g / sigma, 1/m^2.
double dew_capillary_k_1_m2(double density_kg_m3, double gravity_m_s2, double sigma_N_m);

/// 0 < angle < pi.
dew_Status dew_sessile_from_apex(double k_1_m2, double apex_radius_m, double angle_rad,
                                 dew_SessileDrop *out);
dew_Status dew_sessile_from_volume_angle(double k_1_m2, double volume_m3, double angle_rad,
                                         dew_SessileDrop *out);
/// A drop pinned at its base; fails where no angle between 1 and 179 degrees fits.
dew_Status dew_sessile_from_volume_base(double k_1_m2, double volume_m3, double base_radius_m,
                                        dew_SessileDrop *out);

/// One change of volume, slow enough that the drop passes through equilibria: the line stays where
/// it is while the angle lies within [receding, advancing], else it moves at the bound. Gives the
/// base radius after the change, from the one before.
dew_Status dew_sessile_follow(double k_1_m2, double receding_rad, double advancing_rad,
                              double volume_m3, double *base_radius_m);

/// A drop that hangs from the rim of a horizontal disk.
typedef struct dew_PendantDrop {
    double apex_radius_m;  // at the bottom
    double height_m;       // from the bottom to the disk
    double volume_m3;
    double rim_angle_rad;  // of the profile against the horizontal, through the liquid
    double neck_radius_m;  // where the profile is vertical above the widest place
} dew_PendantDrop;

/// The largest drop that hangs at rest from a disk: fed beyond it, it falls [Padday1973]. For disks
/// small beside the capillary length (radius^2 k < 1), where the largest drop has a neck.
dew_Status dew_pendant_largest(double k_1_m2, double disk_radius_m, dew_PendantDrop *out);
