/// For cases: a drop on a plate that is tilted, by turning gravity, and the angles seen on the way.
#pragma once

#include "validate/stage.h"

typedef struct dew_Slope {
    dew_Stage stage;
    int parts;                 // steps of the world in each turn
    double slow_m_s;           // angles count as long as the drop is not faster
    double low_deg, high_deg;  // of all angles seen since they were forgotten
} dew_Slope;

/// What was seen of a drop on a slope at one place between the cells, or the worst of what was seen
/// at all.
typedef struct dew_SlopeSeen {
    double creep, way;         // below the tilt that it holds, cells/s; above it, cells
    double low_deg, high_deg;  // of angles
} dew_SlopeSeen;

/// The best that can be: to begin with.
dew_SlopeSeen dew_slope_unseen(void);
void dew_slope_note_worst(dew_SlopeSeen *worst, const dew_SlopeSeen *got);

void dew_slope_forget_angles(dew_Slope *slope);
/// Turns gravity from one tilt to another, evenly.
dew_Status dew_slope_turn(dew_Slope *slope, double from_rad, double to_rad, double time_s);
/// How far the drop goes along x while the tilt is held.
dew_Status dew_slope_hold(dew_Slope *slope, double tilt_rad, double time_s, double *way_m);
