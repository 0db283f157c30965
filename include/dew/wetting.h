/// Wetting: spherical caps, and the contact-angle model that all solvers share, as pure functions.
///
/// Without gravity a drop at rest on a plane is the part of a ball above it, a spherical cap. The
/// contact line of a drop rests while its angle lies between the receding and the advancing one
/// (hysteresis); outside of that interval the contact line moves. Angles are measured through the
/// liquid.
#pragma once

#include "dew/base.h"
#include "dew/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- spherical caps ----------------------------------------------------------------------------

/// A cap and all that follows from it. All relations are closed forms that keep full relative
/// precision from films (angle near 0) to whole balls (angle near pi).
typedef struct dew_DropCap {
    double angle_rad;        // (0, pi]; pi: a whole ball that touches in a point
    double radius_m;         // of the ball
    double base_radius_m;    // of the wetted disk
    double height_m;         // of the top above the solid
    double volume_m3;        // of the liquid
    double area_m2;          // between liquid and air
    double center_height_m;  // of the ball's centre above the solid, negative below 90 degrees
} dew_DropCap;

/// volume > 0, 0 < angle <= pi.
dew_DropCap dew_drop_cap_from_volume_angle(double volume_m3, double angle_rad);
/// volume > 0, base radius >= 0 (0: a whole ball).
dew_DropCap dew_drop_cap_from_volume_base(double volume_m3, double base_radius_m);
/// base radius > 0, 0 < angle < pi.
dew_DropCap dew_drop_cap_from_base_angle(double base_radius_m, double angle_rad);
/// base radius >= 0, height > 0.
dew_DropCap dew_drop_cap_from_base_height(double base_radius_m, double height_m);
/// ball's radius > 0, 0 < angle <= pi.
dew_DropCap dew_drop_cap_from_radius_angle(double radius_m, double angle_rad);

// ---- contact angles ----------------------------------------------------------------------------

/// The angles at which the contact line may rest: below `receding_rad` it recedes, above
/// `advancing_rad` it advances.
typedef struct dew_AngleInterval {
    double receding_rad, advancing_rad;
} dew_AngleInterval;

/// What a contact line does.
typedef enum dew_LineState {
    DEW_LINE_PINNED,
    DEW_LINE_ADVANCING,
    DEW_LINE_RECEDING,
} dew_LineState;

/// What a trial angle comes to.
typedef struct dew_ContactReturn {
    double angle_rad;   // the trial angle brought back into the interval
    double target_rad;  // the angle whose Young force acts: angle_rad, eased when receding by the
                        // bound on receding tension. Virtual surfaces are built with it
    double force_N_m;   // unbalanced Young force sigma (cos target - cos trial); 0 when pinned
    dew_LineState state;
} dew_ContactReturn;

/// The interval on solid of this wetness (0..1 from the wetting history; anything above 0 is wet).
dew_AngleInterval dew_contact_interval(const dew_MaterialDef *material, double wetness);

/// Return mapping of an angle: the apparent angle, or a stored angle plus its increment.
/// max_receding_N_m: the material's max_receding_tension_N_m (INFINITY: no bound).
dew_ContactReturn dew_contact_return(dew_AngleInterval interval, double sigma_N_m,
                                     double max_receding_N_m, double trial_rad);

#ifdef __cplusplus
}
#endif
