/// The contact-angle model that all solvers share: dry and wet advancing angle, receding angle, the
/// pinned interval between them as a return mapping, Young's force with its bound when receding,
/// contact-line friction, and the blend of two materials [Wang2005, section 6] [Zhang2011, eq. 8].
///
/// Pure functions of plain values: no state, no grid, no mesh. What was wet when is history.h's.
/// Angles are measured through the liquid; forces are per length of contact line, in the solid's
/// tangent plane, positive outward from the liquid over the dry solid.
#pragma once

#include "dew/wetting.h"

/// 0 <= receding <= wet_advancing <= advancing <= pi: what every function below relies on.
bool dew_contact_is_valid(const dew_MaterialDef *material);

/// Return mapping of a force: all that pulls on the line but the solid itself, outward positive
/// (the liquid's own pull is -sigma cos theta). The solid answers with sigma cos(target), target
/// anywhere in the interval, so as to hold the line if it can; `force_N_m` is what is left to move
/// it.
dew_ContactReturn dew_contact_return_force(dew_AngleInterval interval, double sigma_N_m,
                                           double max_receding_N_m, double pull_N_m);

/// The angle that [Wang2005] section 6 takes for a line that moves: advancing above threshold_m_s,
/// receding below -threshold_m_s, NaN between (a static line: see dew_contact_static_pressure).
double dew_contact_angle_by_speed(dew_AngleInterval interval, double line_speed_m_s,
                                  double threshold_m_s);
/// [Wang2005] eq. (10): the boundary pressure of a static line from those at the receding and the
/// advancing angle.
double dew_contact_static_pressure(double receding_Pa, double advancing_Pa);

/// Step that the material's `friction` refers to: it is the speed lost in such a step.
#define DEW_FRICTION_STEP_S (1.0 / 30.0)
/// Contact-line friction [Zhang2011, eq. 2] on a velocity relative to the solid, over dt_s:
/// shortens it by friction * dt / DEW_FRICTION_STEP_S, to zero at most.
dew_Vec3 dew_contact_friction(dew_Vec3 velocity_m_s, double friction, double dt_s);

/// Material of a surface of which the fraction w (0..1) is b and the rest a. Cosines of angles are
/// mixed linearly; slip length, drying time and receding bound as mean of their inverses.
dew_MaterialDef dew_material_blend(const dew_MaterialDef *a, const dew_MaterialDef *b, double w);
