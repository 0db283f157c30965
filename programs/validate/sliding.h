/// A drop that slides down a plane: its scene for any solver, its speed by the law of the moving
/// contact line, and its speed as simulated. docs/theory/wetting.md has the law.
#pragma once

#include "validate/stage.h"

typedef struct dew_SlidingDrop {
    const char *name;  // of the liquid, for tables
    double rho_kg_m3, mu_Pa_s, sigma_N_m;
    double volume_mm3, advancing_deg, receding_deg, slope_deg;
    const char *solver;
    double cells;             // per radius of the base
    double steps_per_period;  // of `surface`; 0: real time
    double frame_s;           // length of the steps that are asked for
    double diameters;         // that it slides, by the law; the last third counts
} dew_SlidingDrop;

/// Radius of the base of a cap of the mean angle.
double dew_sliding_base_m(const dew_SlidingDrop *drop);
/// The law linearised about the mean angle, for slopes on which no line nears its critical speed.
double dew_sliding_linear_m_s(const dew_SlidingDrop *drop);
/// The law integrated around a round base.
double dew_sliding_round_m_s(const dew_SlidingDrop *drop);
/// Critical speed of the receding line.
double dew_sliding_critical_m_s(const dew_SlidingDrop *drop);

/// Opens the scene: gravity is tilted, not the plane.
dew_Status dew_sliding_open(const dew_SlidingDrop *drop, dew_Stage *stage);
/// Time in which it slides as far as it is to.
double dew_sliding_time_s(const dew_SlidingDrop *drop);
/// Steps by frame_s to an instant.
dew_Status dew_sliding_advance(const dew_SlidingDrop *drop, dew_Stage *stage, double end_s);
/// Speed of the centre over the last third.
dew_Status dew_sliding_speed(const dew_SlidingDrop *drop, double *speed_m_s);
/// Silicone oil, 6 mm^3, 50.5 and 45.5 degrees [LeGrand2005].
dew_SlidingDrop dew_sliding_oil(const char *solver, double slope_deg, double cells);
