/// A drop of water that sits on a flat wall without gravity, in the solver `volume`: the segment of
/// a circle in two dimensions, a spherical cap in three, whatever the wall's tilt. Its angle
/// follows from the height of the centre of the liquid over the wall: it tells of the whole shape.
#pragma once

#include "validate/stage.h"
#include "validate/validate.h"

#define DEW_SEAT_RADIUS_M 1e-3  // of the free drop

typedef struct dew_Seat {
    int dimensions;
    double cells;                  // in the radius of the free drop
    double half_m;                 // of the domain's width
    double angle_deg, start_deg;   // of the wall's material, of the drop at the start
    double tilt_deg, azimuth_deg;  // of the wall
    double offset;                 // of the wall, cells
    double x, z;                   // of the drop, cells
    double viscosity_Pa_s, time_s;
    void (*choose)(dew_SceneBuilder *b);  // parameters of the solver; NULL: its defaults
} dew_Seat;

/// The start that is some degrees off the wall's angle.
double dew_seat_start_deg(double angle_deg);
/// Angle and fastest velocity after the seat's time.
dew_Status dew_seat_watch(const dew_Seat *seat, double *angle_deg, double *speed_m_s);

/// The worst of several seats: the angle at rest, and the fastest velocity of water at rest.
typedef struct dew_SeatFigures {
    double angle_deg, speed_m_s;
} dew_SeatFigures;

/// Watches the seat come to rest, then water for water_s that starts in its final shape.
dew_Status dew_seat_compare(const dew_Seat *seat, double water_s, dew_SeatFigures *worst);
/// Two figures of a case, with the angle's tolerance; --quick allows twice as much.
void dew_seat_report(dew_CaseRun *c, const dew_Seat *seat, const dew_SeatFigures *worst,
                     double allowed_deg);
